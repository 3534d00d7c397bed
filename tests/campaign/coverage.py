#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""coverage.py BUILD TOP FOLDER: lines and branches of FOLDER (below TOP) that suites of BUILD reached, by gcov.

BUILD was configured with -DMW_COVERAGE=ON by gcc and its suites have run. A line counts as reached where any object that was made of it
reached it (the kernels are compiled once for each set of instructions); so does a branch, by its number within the line. Prints a
file a line, those that were not reached, and the sum.
"""
import collections
import json
import os
import subprocess
import sys

build, top, folder = (os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3])
lines = collections.defaultdict(lambda: collections.defaultdict(int))
branches = collections.defaultdict(lambda: collections.defaultdict(int))
for root, _, names in os.walk(os.path.join(build, folder)):
    for name in (n for n in names if n.endswith(".gcno")):
        text = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", os.path.join(root, name)], cwd=root,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        for report in text.splitlines():
            if not report.startswith(b"{"):
                continue
            data = json.loads(report)
            for file in data["files"]:
                path = os.path.realpath(os.path.join(data["current_working_directory"], file["file"]))
                if not path.startswith(os.path.join(top, folder)):
                    continue
                for line in file["lines"]:
                    n = line["line_number"]
                    lines[path][n] += line["count"]
                    for k, b in enumerate(line["branches"]):
                        branches[path][n, k] += b["count"]
if not lines:
    sys.exit(f"{build}/{folder}: found no objects that count, expected -DMW_COVERAGE=ON")


def share(counts):
    return f"{sum(c > 0 for c in counts)} of {len(counts)}"


total, total_branches = [], []
for path in sorted(lines):
    total += lines[path].values()
    total_branches += branches[path].values()
    missed = sorted(n for n, c in lines[path].items() if c == 0)
    print(f"{os.path.relpath(path, top)}: {share(lines[path].values())} lines, {share(branches[path].values())} branches"
          + (f"; not lines {', '.join(map(str, missed))}" if missed else ""))
print(f"coverage of {folder}: {share(total)} lines ({100 * sum(c > 0 for c in total) / len(total):.2f} %), "
      f"{share(total_branches)} branches ({100 * sum(c > 0 for c in total_branches) / max(1, len(total_branches)):.2f} %)")
