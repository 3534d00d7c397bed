#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mcdc.py EXPORT TOP FOLDER: conditions of FOLDER (below TOP) that suites have not shown to decide by themselves (MC/DC).

EXPORT: what llvm-cov export printed of suites built by clang 18 or later with -DMW_COVERAGE=ON. A condition of a decision is shown by
two evaluations that differ in it and in the decision alone, where conditions that the short circuit leaves out count as equal; one that
is a decision by itself, by both of its values. Of a function that several objects hold (the kernels are compiled once for each set of
instructions) each counts by itself, and a condition that is shown in any of them is shown; so it is with one that a macro holds, in any
place where it is used. Conditions of constants alone are none: what
is compiled decides them. What known_mcdc.txt beside this file lists (FILE, - decision, + condition, = reason) cannot have both
outcomes. Prints those open by file, line and text, and the sums; exit status 1 where one is open, or listed though it is shown.
"""
import json
import os
import re
import sys

from mutants import listed

CONSTANTS = re.compile(r"[A-Z0-9_ <>=!&|()+-]+")


def conditions(text):
    """The operands of && and || in their order, without those of arguments of calls."""
    parts, depth, start, called = [], 0, 0, []
    for k, c in enumerate(text):
        if c == "(":
            called.append(bool(re.search(r"\w\s*$", text[:k])) or (bool(called) and called[-1]))
            depth += 1
        elif c == ")":
            called.pop()
            depth -= 1
        elif text[k:k + 2] in ("&&", "||") and not (called and called[-1]):
            parts.append(text[start:k])
            start = k + 2
    return [bare(p) for p in parts + [text[start:]]]


def bare(text):
    """Without parentheses that open or close elsewhere, and those around all of it."""
    text = text.strip()
    while text.count("(") > text.count(")"):
        text = text[text.index("(") + 1:] if text.startswith(("(", "!(")) else text[:text.rindex("(")]
    while text.count(")") > text.count("("):
        text = text[:-1].strip()
    return text.strip()


def balanced(text):
    return text.count("(") == text.count(")")


def span(lines, at):
    """The source between two places, in one line."""
    l0, c0, l1, c1 = at
    whole = lines[l0 - 1:l1]
    if whole[-1][c1 - 1:c1] == "(":  # a macro's place ends before its arguments
        c1 += next((k for k in range(1, len(whole[-1]) - c1 + 2) if balanced(whole[-1][c1 - 1:c1 - 1 + k])), 0)
    whole[-1] = whole[-1][:c1 - 1]
    whole[0] = whole[0][c0 - 1:]
    return " ".join(" ".join(whole).split())


class Shown:
    def __init__(self, export, top, folder):
        with open(export, encoding="utf-8") as f:
            functions = json.load(f)["data"][0]["functions"]
        self.top, self.within = top, os.path.join(top, folder) + os.sep
        self.lines, self.decisions, self.single = {}, {}, {}
        for f in functions:
            for r in f.get("mcdc_records", []):
                self.add(self.decisions, f["filenames"][r[4]], r[:4], r[6])
            for b in f["branches"]:
                if b[8] == 4:  # of a decision of one condition; those of more are of kind 6
                    self.add(self.single, f["filenames"][b[6]], b[:4], [b[4] > 0, b[5] > 0])

    def add(self, to, name, at, flags):
        path = os.path.realpath(name)
        if path.startswith(self.within):
            key = (os.path.relpath(path, self.top), tuple(at))
            to[key] = [a or b for a, b in zip(to.get(key, [False] * len(flags)), flags)]

    def source(self, name):
        if name not in self.lines:
            with open(os.path.join(self.top, name), encoding="utf-8") as f:
                self.lines[name] = f.read().split("\n")
        return self.lines[name]

    def rows(self):
        """(file, line, decision, condition, is it shown) of each condition that is none of constants."""
        for (name, at), flags in self.decisions.items():
            text = span(self.source(name), at)
            parts = conditions(text)
            if len(parts) != len(flags):
                sys.exit(f"{name}:{at[0]}: found {len(flags)} conditions, expected {len(parts)}: {text}")
            for part, is_shown in zip(parts, flags):
                if not CONSTANTS.fullmatch(part):
                    yield name, at[0], text, part, is_shown
        for (name, at), both in self.single.items():
            text = span(self.source(name), at) if at[:2] < at[2:] else ""
            if not text or re.search(r"\w$", self.source(name)[at[0] - 1][:at[1] - 1]):
                text = self.source(name)[at[0] - 1].strip()  # a macro's: places within it
            if not CONSTANTS.fullmatch(text):
                yield name, at[0], text, text, all(both)


def main():
    top = os.path.realpath(sys.argv[2])
    rows = sorted(Shown(sys.argv[1], top, sys.argv[3]).rows())
    if not rows:
        sys.exit(f"{sys.argv[1]}: found no decisions of {sys.argv[3]}, expected suites that count them")
    reasons = set(listed("known_mcdc.txt"))
    opened = [r for r in rows if not r[4]]
    left = [r for r in opened if (r[0], r[2], r[3]) not in reasons]
    stale = reasons - {(r[0], r[2], r[3]) for r in opened}
    for name, line, decision, part, _ in left:
        print(f"{name}:{line}: {part}" + (f"    of {decision}" if part != decision else ""))
    for name, decision, part in sorted(stale):
        print(f"known_mcdc.txt: {name}: {part}    of {decision}: found both outcomes, expected that there are none")
    several = [r for r in rows if r[2] != r[3]]
    print(f"mcdc of {sys.argv[3]}: {len(rows)} conditions of {len({r[:3] for r in rows})} decisions, "
          f"{sum(r[4] for r in rows)} shown ({sum(r[4] for r in several)} of {len(several)} in decisions of more than one), "
          f"{len(opened) - len(left)} without a second outcome (known_mcdc.txt), {len(left)} open")
    return 1 if left or stale else 0


if __name__ == "__main__":
    sys.exit(main())
