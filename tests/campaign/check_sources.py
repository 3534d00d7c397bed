#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_sources.py analyzer|cppcheck BUILD TOP STATE [--seconds N] [--first K]: what gcc -fanalyzer or cppcheck say of the library and the program.

One source after the other, by the commands of BUILD/compile_commands.json; goes on where it stopped (STATE/WHAT) and begins
anew behind the last. What known_WHAT.txt beside this file lists (FILE: words of the message: why it is none) is counted, the
rest is open: STATE/WHAT.open. Of gcc 12 two checks are left out, which take loops for none: values without a beginning (an array filled
by a loop; MSan and valgrind see these) and leaks (of what a struct keeps; AddressSanitizer sees these); analyzer.h tells it of mw_fail. A source that takes more than two
minutes or 2.5 GB is `not judged` and open unless it is listed.
"""
import argparse
import fnmatch
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import time

MOST_SECONDS, MOST_BYTES = 120, 2500000000
FINDING = re.compile(r"^(?:\./)?([^:\s]+):(\d+):(?:\d+:)? (?:warning|error|portability|style|performance): (.*)$")


def command(kind, entry):
    words = shlex.split(entry["command"])
    words = words[1:] if os.path.basename(words[0]) == "ccache" else words
    if kind == "cppcheck":
        kept = [w for w in words if w.startswith(("-I", "-D"))]
        kept += [w for k in range(len(words) - 1) if words[k] == "-isystem" for w in ("-I" + words[k + 1],)]
        return ["cppcheck", "--quiet", "--std=c11", "--enable=warning,portability", "--inline-suppr", "--suppress=missingIncludeSystem",
                "--template={file}:{line}:{column}: {severity}: {message} [{id}]", *kept, entry["file"]]
    kept = [w for w in words[1:] if w.startswith(("-I", "-D", "-std", "-f", "-m"))]
    kept += [w for k in range(len(words) - 1) if words[k] == "-isystem" for w in ("-isystem", words[k + 1])]
    told = ["-include", os.path.join(os.path.dirname(os.path.abspath(__file__)), "analyzer.h")]
    told = told if any(w.endswith("fem/base/include") for w in kept) and not entry["file"].endswith("base/error.c") else []
    return ["gcc", "-O1", "-fanalyzer", *told, "-Wno-analyzer-use-of-uninitialized-value", "-Wno-analyzer-malloc-leak",
            "-fdiagnostics-plain-output", "-c", "-o", "/dev/null", *kept, entry["file"]]


def known(kind):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"known_{kind}.txt")
    rows = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                rows.append([part.strip() for part in line.split(":", 2)])
    return rows


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def said(kind, entry):
    """Lines that are said of a source; one that names it where that takes too long or too much memory."""
    done = subprocess.run(command(kind, entry), cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          text=True, preexec_fn=limits)
    if done.returncode < 0 or any(words in done.stdout for words in ("out of memory", "terminated program", "internal compiler error")):
        return [f"{entry['file']}:1: warning: not judged: takes more than {MOST_SECONDS} s of processor or {MOST_BYTES} bytes [-Wanalyzer]"]
    return done.stdout.splitlines()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind", choices=["analyzer", "cppcheck"])
    p.add_argument("build")
    p.add_argument("top")
    p.add_argument("state")
    p.add_argument("--seconds", type=float, default=60.0)
    p.add_argument("--first", type=int)
    a = p.parse_args()
    with open(os.path.join(a.build, "compile_commands.json"), encoding="utf-8") as f:
        entries = {e["file"]: e for e in json.load(f)}
    top = os.path.realpath(a.top)
    files = sorted(f for f in entries if f.endswith(".c") and os.path.relpath(f, top).startswith(("fem/", "reduction/", "sim/")))
    if not files:
        sys.exit(f"{a.build}: found no sources, expected compile_commands.json of {top}")
    name, rows = os.path.join(a.state, a.kind), known(a.kind)
    first = a.first
    if first is None:
        first = int(open(name, encoding="ascii").read()) if os.path.exists(name) else 1
    end, ran, justified, found = time.monotonic() + a.seconds, 0, 0, 0
    while ran < len(files) and time.monotonic() < end:
        path = files[(first - 1 + ran) % len(files)]
        ran += 1
        for line in sorted(set(said(a.kind, entries[path]))):
            m = FINDING.match(line)
            if not m or a.kind == "analyzer" and "[-Wanalyzer" not in line and " error: " not in line:
                continue
            file = os.path.relpath(os.path.realpath(os.path.join(entries[path]["directory"], m.group(1))), top)
            if file.startswith(".."):  # headers of others
                continue
            if any(fnmatch.fnmatch(file, r[0]) and r[1] in m.group(3) for r in rows):
                justified += 1
                continue
            found += 1
            with open(name + ".open", "a", encoding="utf-8") as f:
                f.write(f"{file}:{m.group(2)}: {m.group(3)}\n")
            print(f"{file}:{m.group(2)}: {m.group(3)}")
    with open(name, "w", encoding="ascii") as f:
        f.write(f"{(first - 1 + ran) % len(files) + 1}\n")
    print(f"{a.kind}: {ran} of {len(files)} sources (from {first} on), {justified} justified, {found} open")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
