#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutants_many.py FOLDER --tree TREE --state STATE [--many N] [--seconds N] [--seed S]: the changes of mutants.py, N in one build.

Every line that is changed chooses by the environment's MW_MUTANT, as a suite starts, whether it is as it was or one of its changes:
conditions, what variables begin with, whole statements of one line of .c files. Others (headers, parts of longer statements,
constants of the file, cases) are left to mutants.py; what compiles to the same code is not told apart. In the order of mutants.py;
each suite gets processor time, ten times what it takes. Goes on with changes that STATE/many.FOLDER does not name; survivors are added
to STATE/mutants.FOLDER.survivors. The tree is a checkout of its own, whose sources are those of the project each time
(tests/campaign/run mutants --many N sees to both).
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time

import mutants

CHOICE = """#include <stdlib.h>
static int mw_mutant;
__attribute__((constructor)) static void mw_mutant_read(void)
{
  const char *text = getenv("MW_MUTANT");
  mw_mutant = text ? atoi(text) : 0;
}
"""
CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|while) \()(.*)(\) ?\{?)$")
LOOP = re.compile(r"^(\s*for \([^;]*; )([^;]*)(;[^;]*\) ?\{?)$")
DECLARED = re.compile(r"^(\s+(?:const )?(?:unsigned |struct )?(?:double|real|int|bool|size_t|char|unsigned|lanes|mw_\w+) (?:const )?)([^;]*);$")
STATEMENT = re.compile(r"^\s+(?!else\b|case\b|default\b|static\b|const\b|struct\b|enum\b|union\b|typedef\b|extern\b)[A-Za-z_*(].*;$")
NAMES = re.compile(r"^\s+(?!return\b|goto\b)(?:const )?[A-Za-z_]\w* \**[A-Za-z_]\w*\s*(?:=|\[|,|;)")


def balanced(text):
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            return False
    return depth == 0


def parts(text):
    """Text at its commas outside of brackets."""
    found, depth, begin = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            found.append(text[begin:k])
            begin = k + 1
    return found + [text[begin:]]


def of_condition(old, new):
    """(head, condition, other condition, tail) of two lines that differ in a condition alone; None: they do not."""
    for form in (CONDITION, LOOP):
        a, b = form.match(old), form.match(new)
        if a and b and a.group(1) == b.group(1) and a.group(3) == b.group(3) and balanced(a.group(2)) and balanced(b.group(2)):
            return a.group(1), a.group(2), b.group(2), a.group(3)
    return None


def of_declaration(old, new):
    """(type, declared, which of them differs, its name, its value, the other value); None: they do not differ so."""
    a, b = DECLARED.match(old), DECLARED.match(new)
    if not a or not b or a.group(1) != b.group(1) or not balanced(a.group(2)):
        return None
    x, y = parts(a.group(2)), parts(b.group(2))
    differ = [i for i in range(len(x)) if len(x) == len(y) and x[i] != y[i]]
    if len(differ) != 1 or " = " not in x[differ[0]] or " = " not in y[differ[0]]:
        return None
    (name, value), (other, changed) = x[differ[0]].split(" = ", 1), y[differ[0]].split(" = ", 1)
    if name != other or value.startswith("{") or changed.startswith("{"):
        return None
    return a.group(1), x, differ[0], name, value, changed


def choose(old, changed, follows):
    """The line with all of its changes {number: line} that it can choose from, and their numbers. follows: the next line."""
    conditions = {k: c for k, c in ((k, of_condition(old, new)) for k, new in changed.items()) if c}
    if conditions:
        first = next(iter(conditions.values()))
        taken = {k: c[2] for k, c in conditions.items() if c[:2] == first[:2] and c[3] == first[3]}
        value = f"({first[1]})"
        for k, other in taken.items():
            value = f"(mw_mutant == {k} ? ({other}) : {value})"
        return first[0] + value + first[3], list(taken)
    declared = {k: d for k, d in ((k, of_declaration(old, new)) for k, new in changed.items()) if d}
    if declared:
        kind, names = next(iter(declared.values()))[:2]
        names = list(names)
        for k, (_, _, i, name, value, other) in declared.items():
            names[i] = f"{name} = (mw_mutant == {k} ? ({other}) : {names[i].split(' = ', 1)[1]})"
        return kind + ",".join(names) + ";", list(declared)
    if not STATEMENT.match(old) or NAMES.match(old) or not balanced(old) or (follows.startswith("else") and old.lstrip().startswith("if")):
        return old, []
    taken = {k: new for k, new in changed.items() if balanced(new) and new.rstrip().endswith(";")}
    line = "{ " + old.strip() + " }"
    for k, new in taken.items():
        line = f"if (mw_mutant == {k}) {{ {new.strip()} }} else {line}"
    return "  { " + line + " }", list(taken)


class Copy:
    """The sources of a tree with changes that can be chosen."""

    def __init__(self, tree):
        with open(os.path.join(tree, "build", "compile_commands.json"), encoding="utf-8") as f:
            self.command = {}
            for c in json.load(f):
                self.command.setdefault(os.path.realpath(c["file"]), c)
        self.lines, self.changed = {}, {}

    def add(self, number, path, n, new):
        """False: a change that no line can choose."""
        if path not in self.lines:
            with open(path, encoding="utf-8") as f:
                self.lines[path] = f.read().split("\n")
        old, follows = self.lines[path][n].split("//")[0].rstrip(), (self.lines[path] + [""])[n + 1].strip()
        new = new.split("//")[0].rstrip()
        if os.path.realpath(path) not in self.command or number not in choose(old, {number: new}, follows)[1]:
            return False
        self.changed.setdefault(path, {}).setdefault(n, {})[number] = new
        return True

    def write(self, path):
        """Writes a source; the numbers of changes that it can choose."""
        lines, live = list(self.lines[path]), []
        for n, changed in self.changed[path].items():
            follows = (lines + [""])[n + 1].strip()
            lines[n], taken = choose(lines[n].split("//")[0].rstrip(), changed, follows)
            live += taken
        with open(path, "w", encoding="utf-8") as f:
            f.write(CHOICE + "#line 1\n" + "\n".join(lines))
        return live

    def compiles(self, path):
        """Lines that do not; none: all do."""
        c = self.command[os.path.realpath(path)]
        command = re.sub(r" -o \S+", "", c["command"]).replace(" -c ", " -fsyntax-only ").replace(" -Werror", "").replace("ccache ", "", 1)
        said = subprocess.run(command, shell=True, cwd=c["directory"], capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return set()
        found = {int(m) - 1 for m in re.findall(re.escape(os.path.basename(path)) + r":(\d+):\d+: (?:fatal )?error", said.stderr)}
        return found & set(self.changed[path]) or set(self.changed[path])

    def settle(self):
        """Writes all sources without the changes that do not compile; the numbers of the others."""
        live = []
        for path in self.changed:
            can = self.write(path)
            while self.changed[path] and (wrong := self.compiles(path)):
                for n in wrong:
                    del self.changed[path][n]
                can = self.write(path)
            live += can
        return set(live)


def run(build, suite, number, seconds):
    """Whether a suite passes with a change, and its processor time."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    folder = os.path.join(build, "tests")
    try:
        code = subprocess.run([os.path.join(folder, suite)], cwd=folder, env=dict(os.environ, MW_MUTANT=str(number)), preexec_fn=limit,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60 + 20 * seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        code = -1
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code == 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pick(copy, todo, done, many):
    """The first `many` changes that are not done and that lines can choose: {number: (key, change, line)}."""
    picked, number = {}, 0
    justified = mutants.kept("")
    for key, change, (path, n, new) in todo:
        if len(picked) == many:
            break
        number += 1
        if key not in done and path.endswith(".c") and change not in justified and copy.add(number, path, n, new):
            picked[number] = (key, change, n)
    return picked


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder", choices=sorted(mutants.SUITES))
    p.add_argument("--tree", required=True)
    p.add_argument("--state", required=True)
    p.add_argument("--many", type=int, default=200)
    p.add_argument("--seconds", type=float, default=60.0)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    libraries, suites = mutants.SUITES[a.folder]
    build, name = os.path.join(a.tree, "build"), a.folder.replace("/", "-")
    seen = os.path.join(a.state, "many." + name)
    done = set(open(seen, encoding="ascii").read().split()) if os.path.exists(seen) else set()
    todo = mutants.all_changes(a.tree, a.folder, a.seed)
    copy = Copy(a.tree)
    picked = pick(copy, todo, done, a.many)
    live = copy.settle()
    if not mutants.make(build, libraries + suites, False):
        sys.exit("the changed sources cannot be built")
    limit = {}
    for suite in suites:
        passes, seconds = run(build, suite, 0, 600.0)
        if not passes:
            sys.exit(f"{suite}: fails where nothing is changed")
        limit[suite] = 2.0 + 10.0 * seconds
    count, end = {"killed": 0, "survived": 0, "not compiled": 0}, time.monotonic() + a.seconds
    for number, (key, change, n) in picked.items():
        if time.monotonic() >= end:
            break
        what = "not compiled"
        if number in live:
            what = "survived" if all(run(build, suite, number, limit[suite])[0] for suite in suites) else "killed"
        count[what] += 1
        with open(seen, "a", encoding="ascii") as f:
            f.write(key + "\n")
        if what == "survived":
            with open(os.path.join(a.state, f"mutants.{name}.survivors"), "a", encoding="utf-8") as f:
                f.write(f"{change[0]}:{n + 1}\n- {change[1]}\n+ {change[2]}\n")
    print(f"mutants {a.folder}, many in one build: {sum(count.values())} behind {len(done)} of {len(todo)}, {count['killed']} killed, "
          f"{count['survived']} survived, {count['not compiled']} not compiled or chosen")
    return 0


if __name__ == "__main__":
    sys.exit(main())
