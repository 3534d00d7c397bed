#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutants.py FOLDER --tree TREE --state STATE [--seconds N] [--seed S] [--again]: small changes of sources, which suites must notice.

TREE: a checkout of its own with TREE/build configured (tests/campaign/run mutants makes it). One change at a time: an operator,
a sign, a constant, a comparison, a statement left out. Built, then the folder's suites are run until one fails; without sanitizers,
so that loops that run one entry too far mostly survive. A change that compiles to the same code is no mutant. Changes are in the order
of a digest of their file and text, so that changes of other lines leave the order as it is. Goes on behind the last digest
(STATE/mutants.FOLDER); survivors stand in STATE/mutants.FOLDER.survivors as FILE:LINE, - old, + new. --again: those alone, anew
(where there is no such list, those of open_mutants.txt beside this file), found by their text; a line that has become another one is
said and dropped. What known_mutants.txt beside this file lists changes nothing that a suite
could see, by the reason there, and is not run. Prints how many were killed, survived, are justified, are the same code, not compiled.
"""
import argparse
import glob
import hashlib
import os
import re
import subprocess
import sys
import time

# suites of a folder; those that take seconds judge again what the others left
JOINTS = ["test_joint", "test_joint_places", "test_driven", "test_slide", "test_rcurve", "test_rod", "test_rigid_joint", "test_turn",
          "test_guide", "test_guide_beam", "test_rigid", "test_model_rigid", "test_starts", "test_system", "test_dae", "test_model",
          "test_minimal", "test_inverse_dynamics", "test_kinematics", "test_laws", "test_laws_apart", "test_rigid_run",
          "test_rigid_tree", "test_rigid_structure", "test_rigid_articulated", "test_rigid_redundant", "test_equilibria", "test_observe",
          "test_statics"]
JOINTS_SLOW = ["test_closure", "test_teeth", "test_own_rows", "test_bushings", "test_limits", "test_joint_friction", "test_model_bad"]
ONLINE = ["test_rom_rhs", "test_rom_law", "test_rom_fold", "test_rom_exp", "test_rom_step", "test_rom_sens", "test_rom_jacobian",
          "test_rom_zeros", "test_rom_parts", "test_rom_kinds", "test_rom_limits", "test_rom_flat", "test_rom_models", "test_payload", "test_operations",
          "test_romrun", "test_small_motions", "test_bench_rom"]
ONLINE_SLOW = ["test_rom_silent", "test_compress", "test_rom_outputs", "test_romfile", "test_frf", "test_mpc"]
TABLES = ["test_payload", "test_axis_smooth", "test_spline", "test_axis", "test_second", "test_records", "test_rotation", "test_statics",
          "test_runner_columns", "test_small", "test_modes", "test_align_around", "test_judge_rows", "test_weight"]
TABLES_SLOW = ["test_compress", "test_romfile_tables", "test_parameters", "test_motion", "test_fields", "test_judge", "test_flexcell",
               "test_align", "test_basis", "test_second_stress", "test_direct", "test_large", "test_span", "test_patterns",
               "test_extra_left", "test_reduce"]
JUDGED = ["test_receptance", "test_judge_rows", "test_weight", "test_drive_stability", "test_romlines"]
JUDGED_SLOW = ["test_promise", "test_promise_inputs", "test_stress", "test_parameters", "test_certificate", "test_fields", "test_motion",
               "test_judge", "test_adapt", "test_flexcell", "test_reduce", "test_large", "test_swing", "test_few_motions",
               "test_light_hub", "test_parameter_dampers", "test_parameter_stiffness"]
FULL = ["test_dae_body", "test_dae", "test_start_rates", "test_laws", "test_laws_apart", "test_strained", "test_body_basis",
        "test_inertia", "test_elastic_rest", "test_linearize_full", "test_observe", "test_run_notes", "test_equilibria"]
FULL_SLOW = ["test_elastic_start", "test_own_rows", "test_modal", "test_dampers", "test_preload", "test_drives", "test_limits",
             "test_stroke", "test_series"]
SUITES = {  # libraries to build anew, suites, slow ones
    "reduction/rom": (["mw_rom_plain", "mw_rom_avx2", "mw_rom_avx512", "mw_rom"], ONLINE, ONLINE_SLOW),
    "fem/joint": (["mw_fem"], JOINTS, JOINTS_SLOW),
    "reduction/certify": (["mw_reduction"], JUDGED, JUDGED_SLOW),
    "reduction/table": (["mw_reduction"], TABLES, TABLES_SLOW),
    "sim/full": (["mw_sim"], FULL, FULL_SLOW),
}
SWAPS = [(" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "),
         (" >= ", " > "), (" == ", " != "), (" != ", " == "), (" && ", " || "), (" || ", " && "), (" += ", " -= "),
         (" -= ", " += "), ("true", "false"), ("false", "true"), ("fmax(", "fmin("), ("fmin(", "fmax("), ("sin(", "cos("),
         ("!", "")]
DECLARES = re.compile(r"^\s*(static |const )*(double|real|int|char|unsigned)\b")
NUMBER = re.compile(r"(?<![\w.\"])(\d+\.\d+|\d+)(?![\w.\"])")


def code_of(line):
    """The line without its comment; '' where there is nothing to change."""
    code = line.split("//")[0].rstrip("\n")
    return "" if code.lstrip().startswith(("#", "*", "/*", '"')) or "mw_fail" in code or '"' in code else code


def changes(path):
    found = []
    with open(path, encoding="utf-8") as f:
        lines = f.readlines()
    for n, line in enumerate(lines):
        code = code_of(line)
        if not code.strip():
            continue
        for old, new in SWAPS:
            for m in re.finditer(re.escape(old), code):
                after = code[m.end():m.end() + 1]
                if old == "!" and after == "=":
                    continue
                found.append((path, n, line[:m.start()] + new + line[m.end():]))
        for m in NUMBER.finditer(code):
            if code[m.start() - 1:m.start()] == "[" and code[m.end():m.end() + 1] == "]" and DECLARES.match(code):
                continue  # room for one more entry changes nothing
            number = m.group(1)
            new = str(int(number) + 1) if number.isdigit() else repr(2.0 * float(number) if float(number) else 1.0)
            found.append((path, n, line[:m.start()] + new + line[m.end():]))
        if re.match(r"^\s+[a-z_][\w>.\[\]-]*(\(.*\)| [-+*/]?= .*);\s*$", code):
            found.append((path, n, re.match(r"^\s*", line).group(0) + ";\n"))
    return found


def all_changes(tree, folder, seed):
    found = []
    for root, _, names in sorted(os.walk(os.path.join(tree, folder))):
        for name in sorted(names):
            if name.endswith((".c", ".h")) and "/cuda" not in root and "/include" not in root:
                found += changes(os.path.join(root, name))
    return in_order(found, tree, seed)


def in_order(found, tree, seed):
    """[(digest, (file, old, new), change)] by digests of file and text; the same text again in a file counts on."""
    seen, keyed, lines = {}, [], {}
    for path, n, new in found:
        if path not in lines:
            with open(path, encoding="utf-8") as f:
                lines[path] = f.readlines()
        text = (os.path.relpath(path, tree), lines[path][n].strip(), new.strip())
        seen[text] = seen.get(text, 0) + 1
        keyed.append((hashlib.sha256(repr((seed, text, seen[text])).encode()).hexdigest()[:16], text, (path, n, new)))
    return sorted(keyed)


def survivors(name, folder, todo):
    """Changes of todo that a list of survivors names by their text, at the nearest line."""
    with open(name, encoding="utf-8") as f:
        rows = [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]
    found = set()
    for at, old, new in zip(rows[0::3], rows[1::3], rows[2::3]):
        path, line = at.rsplit(":", 1)
        if not path.startswith(folder + "/"):
            continue
        near = [(abs(change[1] + 1 - int(line)), key) for key, text, change in todo if text == (path, old[2:], new[2:])]
        if near:
            found.add(min(near)[1])
        else:
            print(f"{at}: gone: {old} {new}")
    return [item for item in todo if item[0] in found]


def beside(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def listed(name):
    """Rows of a list beside this file, four lines each: FILE, - old, + new, = reason; an empty one between."""
    with open(beside(name), encoding="utf-8") as f:
        lines = [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]
    rows = [lines[k:k + 4] for k in range(0, len(lines), 4)]
    for row in rows:
        if len(row) < 4 or [r[:2] for r in row[1:]] != ["- ", "+ ", "= "]:
            sys.exit(f"{name}: found {row}, expected FILE, - , + , = reason")
    return [(row[0], row[1][2:], row[2][2:]) for row in rows]


def kept(folder):
    """Changes that are listed."""
    return {row for row in listed("known_mutants.txt") if row[0].startswith(folder)}


def make(build, targets, fast=True):
    """fast: one after the other, without looking for changed headers."""
    calls = [[t + "/fast"] for t in targets] if fast else [targets]
    return all(subprocess.run(["make", "-s", "-j2", *call], cwd=build, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0 for call in calls)


def passes(build, suite, limit):
    try:
        return subprocess.run([os.path.join(build, "tests", suite)], cwd=os.path.join(build, "tests"), timeout=limit,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def objects(build, path):
    """Bytes of what was compiled of a source; sources that share a name are told apart by their folder."""
    found = glob.glob(os.path.join(build, "**", os.path.basename(os.path.dirname(path)), os.path.basename(path) + ".o"), recursive=True)
    found += glob.glob(os.path.join(build, "**", "*.dir", os.path.basename(path) + ".o"), recursive=True)
    digest = hashlib.sha256()
    for name in sorted(set(found)):
        with open(name, "rb") as f:
            digest.update(f.read())
    return digest.hexdigest() if found else None


def judge(build, libraries, suites, limit, header, path, same):
    if not make(build, libraries, not header):
        return "not compiled"
    if same and objects(build, path) == same:
        return "same code"
    for suite in suites:
        if not make(build, [suite]):
            return "not compiled"
        if not passes(build, suite, limit[suite]):
            return "killed"
    return "survived"


def baseline(build, libraries, suites):
    """Seconds each suite may take: ten times what it takes, ten at least."""
    limit = {}
    for suite in suites:
        if not make(build, libraries, False) or not make(build, [suite], False):
            sys.exit(f"{suite}: cannot be built unchanged")
        start = time.monotonic()
        if not passes(build, suite, 600):
            sys.exit(f"{suite}: fails unchanged")
        limit[suite] = 10.0 + 10.0 * (time.monotonic() - start)
    return limit


def one(path, lines, n, new, judged):
    """What becomes of line n changed to new."""
    try:
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(lines[:n] + [new] + lines[n + 1:])
        return judged()
    finally:
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(lines)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder", choices=sorted(SUITES))
    p.add_argument("--tree", required=True)
    p.add_argument("--state", required=True)
    p.add_argument("--seconds", type=float, default=60.0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--again", action="store_true")
    a = p.parse_args()
    name = os.path.join(a.state, "mutants." + a.folder.replace("/", "-"))
    build = os.path.join(a.tree, "build")
    libraries, suites, slow = SUITES[a.folder]
    suites = suites + slow
    limit = baseline(build, libraries, suites)
    todo = all_changes(a.tree, a.folder, a.seed)
    justified = kept(a.folder)
    count = {"killed": 0, "survived": 0, "justified": 0, "same code": 0, "not compiled": 0}
    original = {path: objects(build, path) for path in {item[2][0] for item in todo} if path.endswith(".c")}
    end = time.monotonic() + a.seconds
    last = open(name, encoding="ascii").read().strip() if os.path.exists(name) else ""
    chosen = [item for item in todo if item[0] > last]
    if a.again:
        kept_here = os.path.exists(name + ".survivors")
        chosen = survivors(name + ".survivors" if kept_here else beside("open_mutants.txt"), a.folder, todo)
        if kept_here:
            os.remove(name + ".survivors")
    before = True
    for key, change, (path, n, new) in chosen:
        late = time.monotonic() >= end
        if late and not a.again:
            break
        with open(path, encoding="utf-8") as f:
            lines = f.readlines()
        # what was made of a changed header is made again of the header as it was
        header, before = before or path.endswith(".h"), path.endswith(".h")
        if change in justified:
            what = "justified"
        elif late:
            what = "survived"
        else:
            what = one(path, lines, n, new, lambda: judge(build, libraries, suites, limit, header, path, original.get(path)))
        count[what] += 1
        if what == "survived":
            with open(name + ".survivors", "a", encoding="utf-8") as f:
                f.write(f"{change[0]}:{n + 1}\n- {change[1]}\n+ {change[2]}\n")
        if not a.again:
            with open(name, "w", encoding="ascii") as f:
                f.write(f"{key}\n")
    print(f"mutants {a.folder}: {sum(count.values())} of {len(todo)} ({'survivors' if a.again else f'behind {len(todo) - len(chosen)}'}), "
          f"{count['killed']} killed, {count['survived']} survived, {count['justified']} justified, {count['same code']} compile to the same code, "
          f"{count['not compiled']} not compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
