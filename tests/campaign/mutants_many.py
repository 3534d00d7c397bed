#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutants_many.py FOLDER --tree TREE --state STATE [--many N] [--seconds N] [--each S] [--seed S] [--again]: the changes of mutants.py, N in one build.

Every line that is changed chooses by the environment's MW_MUTANT, as a suite starts, whether it is as it was or one of its changes:
conditions, what variables begin with, whole statements of one line of .c files. Others (headers, parts of longer statements,
constants of the file, cases) are left to mutants.py; what compiles to the same code is not told apart. In the order of mutants.py;
mutants_judge.py runs tests; what survives them and the project's warnings
refuse is killed by these. Goes on with changes that STATE/many.FOLDER does not name; survivors are added
to STATE/mutants.FOLDER.survivors. --again: those alone, or, where there are none, those of
open_mutants.txt. The tree is a checkout of its own, whose sources are those of the project each time
(tests/campaign/run mutants --many N sees to both).
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

import mutants
import mutants_judge

# The file's own definitions for its headers (_POSIX_C_SOURCE) come before those that END includes. Sources include sources.
BEGIN = """#ifndef MW_CHOSEN
static int mw_mutant;
static unsigned char mw_mutant_seen[%d];
#define MW_CHOSEN(k) (mw_mutant_seen[k] = 1, mw_mutant == (k))
#endif
#line 1
"""
END = """
#ifndef MW_CHOSEN_READ
#define MW_CHOSEN_READ
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void mw_mutant_read(void)
{
  const char *text = getenv("MW_MUTANT");
  mw_mutant = text ? atoi(text) : 0;
}
__attribute__((destructor)) static void mw_mutant_tell(void)
{
  const char *name = getenv("MW_MUTANT_SEEN");
  FILE *f = name ? fopen(name, "a") : NULL;
  for (int k = 0; f && k < (int)sizeof mw_mutant_seen; k++)
    if (mw_mutant_seen[k]) fprintf(f, "%d\\n", k);
  if (f) fclose(f);
}
#endif
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
            value = f"(MW_CHOSEN({k}) ? ({other}) : {value})"
        return first[0] + value + first[3], list(taken)
    declared = {k: d for k, d in ((k, of_declaration(old, new)) for k, new in changed.items()) if d}
    if declared:
        kind, names = next(iter(declared.values()))[:2]
        names = list(names)
        for k, (_, _, i, name, value, other) in declared.items():
            names[i] = f"{name} = (MW_CHOSEN({k}) ? ({other}) : {names[i].split(' = ', 1)[1]})"
        return kind + ",".join(names) + ";", list(declared)
    if not STATEMENT.match(old) or NAMES.match(old) or not balanced(old) or (follows.startswith("else") and old.lstrip().startswith("if")):
        return old, []
    taken = {k: new for k, new in changed.items() if balanced(new) and new.rstrip().endswith(";")}
    line = "{ " + old.strip() + " }"
    for k, new in taken.items():
        line = f"if (MW_CHOSEN({k})) {{ {new.strip()} }} else {line}"
    return "  { " + line + " }", list(taken)


class Copy:
    """The sources of a tree with changes that can be chosen."""

    def __init__(self, tree, room):
        """room: a number above those of all changes."""
        self.room = room
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
            f.write(BEGIN % self.room + "\n".join(lines) + END)
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

    def refused(self, path, n, new):
        """Whether the project's warnings (-Werror) refuse the one change: loops that run beyond an array, values that nobody uses."""
        c = self.command[os.path.realpath(path)]
        command = re.sub(r" -o \S+", " -o /dev/null", c["command"]).replace("ccache ", "", 1).replace(c["file"], "-x c -")
        lines = self.lines[path][:n] + [new] + self.lines[path][n + 1:]
        return subprocess.run(f"{command} -Werror -iquote {os.path.dirname(path)}", shell=True, cwd=c["directory"], capture_output=True,
                              text=True, input="\n".join(lines), check=False).returncode != 0

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


def pick(copy, todo, done, many):
    """The first `many` changes that are not done and that lines can choose: {number: (key, change, line)}."""
    picked, justified = {}, mutants.kept("")
    for number, (key, change, (path, n, new)) in enumerate(todo, 1):
        if len(picked) == many:
            break
        if key not in done and path.endswith(".c") and change not in justified and copy.add(number, path, n, new):
            picked[number] = (key, change, n)
    return picked


def row(change, n, how):
    return f"# {how}\n{change[0]}:{n + 1}\n- {change[1]}\n+ {change[2]}\n"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder", choices=sorted(mutants.SUITES))
    p.add_argument("--tree", required=True)
    p.add_argument("--state", required=True)
    p.add_argument("--many", type=int, default=200)
    p.add_argument("--seconds", type=float, default=60.0)
    p.add_argument("--each", type=float)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--again", action="store_true")
    a = p.parse_args()
    libraries, suites, slow = mutants.SUITES[a.folder]
    suites = suites + slow if a.again else suites
    build, name = os.path.join(a.tree, "build"), a.folder.replace("/", "-")
    seen, left = os.path.join(a.state, "many." + name), os.path.join(a.state, f"mutants.{name}.survivors")
    done, todo = set(), mutants.all_changes(a.tree, a.folder, a.seed)
    if a.again:
        todo = mutants.survivors(left if os.path.exists(left) else mutants.beside("open_mutants.txt"), a.folder, todo)
    elif os.path.exists(seen):
        with open(seen, encoding="ascii") as f:
            done = {line.split()[0] for line in f}
    copy = Copy(a.tree, len(todo) + 1)
    picked = pick(copy, todo, done, a.many)
    live = copy.settle()
    if not mutants.make(build, libraries + suites, False):
        sys.exit("the changed sources cannot be built")
    judge = mutants_judge.Judge(build, suites, a.each or (200.0 if a.again else 2.5))
    if a.again:
        anew = {picked[number][0] for number in live}
        kept = [(change, n, "not tried anew") for key, change, (_, n, _) in todo if key not in anew]
        with open(left, "w", encoding="utf-8") as f:
            f.writelines(row(*item) for item in kept)
    count, end = {"killed": 0, "survived": 0, "not compiled": 0}, time.monotonic() + a.seconds
    for number, (key, change, n) in picked.items():
        late = time.monotonic() >= end
        if late and not a.again:
            break
        what, how = ("not compiled", "") if number not in live else ("survived", "not tried anew") if late else judge.of(number, change[0])
        if what == "survived" and copy.refused(os.path.join(a.tree, change[0]), n, change[2]):
            what, how = "killed", "by the compiler's warnings"
        count[what] += 1
        if not a.again:
            with open(seen, "a", encoding="ascii") as f:
                f.write(f"{key} {what} {how}\n")
        if what == "survived":
            with open(left, "a", encoding="utf-8") as f:
                f.write(row(change, n, how))
    print(f"mutants {a.folder}, many in one build: {sum(count.values())} behind {len(done)} of {len(todo)}, {count['killed']} killed, "
          f"{count['survived']} survived, {count['not compiled']} not compiled or chosen")
    return 0


if __name__ == "__main__":
    sys.exit(main())
