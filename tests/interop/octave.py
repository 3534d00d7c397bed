# SPDX-License-Identifier: BSD-3-Clause
"""octave.py MODEWAY MODEL DIR: the function that a reduced model is in Octave, bit by bit beside the library; linear systems.

Octave compiles it (NAME_build), makes 200 steps, and writes what each call returns. Each line names what was compared and how
many bits differ; 0 is asked for. Exit status 1: some do, or a call took what it should refuse.
"""

import pathlib
import subprocess
import sys

import numpy as np

import modeway

program, model_file, folder = sys.argv[1:4]
folder = pathlib.Path(folder)
STEPS, H = 200, 1e-3
CALLS = """
it_build
x = fread(fopen('x', 'r'), [{n_x}, 1], 'double');
U = fread(fopen('U', 'r'), [{n_u}, {steps}], 'double');
function put(a, name)
  f = fopen(name, 'w');
  fwrite(f, a, 'double');
  fclose(f);
end
put(it('step', x, U, {h}), 'X');
[last, x_x, x_u] = it('step', x, U(:, 1), {h});
put(last, 'last'); put(x_x, 'x_x'); put(x_u, 'x_u');
[acc, acc_x, acc_u] = it('rhs', x, U(:, 1));
put(acc, 'acc'); put(acc_x, 'acc_x'); put(acc_u, 'acc_u');
[y, y_dot] = it('outputs', x);
put(y, 'y'); put(y_dot, 'y_dot');
names = it('names');
printf('%s\\n', names.y{{:}});
x(1) = 1e9;
try
  it('outputs', x);
catch problem
  printf('refused: %s\\n', problem.message);
end
"""
# objects of the Control System Toolbox, as structures
STAND_INS = {
    "ss.m": "function sys = ss(A, B, C, D)\n  sys = struct('A', A, 'B', B, 'C', C, 'D', D);\nend\n",
    "ssInterpolant.m": "function lpv = ssInterpolant(sys, points)\n  lpv = struct('systems', sys, 'offsets', points);\nend\n",
}
LPV = """
[sys, lpv, points] = it_lpv('lpv.mat');
function put(a, name)
  f = fopen(name, 'w');
  fwrite(f, a, 'double');
  fclose(f);
end
k = {point};
put(sys.A(:, :, k), 'A'); put(sys.B(:, :, k), 'B'); put(sys.C(:, :, k), 'C'); put(sys.D(:, :, k), 'D');
o = lpv.offsets(k);
put(o.x, 'x0'); put(o.u, 'u0'); put(o.y, 'y0'); put(o.dx, 'dx0');
names = fieldnames(sys.SamplingGrid);
put(cellfun(@(c) sys.SamplingGrid.(c)(k), names), 'place');
put(size(points), 'size');
printf('%s\\n', names{{:}}, sys.StateName{{:}}, sys.InputUnit{{:}}, sys.OutputName{{:}});
"""
wrong = 0


def same(what, want):
    global wrong
    got = np.fromfile(folder / what)
    want = np.asarray(want)
    got = got.reshape(want.shape, order="F") if got.size == want.size else got
    off = np.count_nonzero(got != want) if got.shape == want.shape else want.size
    wrong += off > 0
    print(f"{what}: {want.size} numbers, {off} differ")


version = subprocess.run(["octave", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
print(version)
subprocess.run([program, "reduce", model_file, "-o", folder / "rom.nc", "-q", "--no-parts", "--no-cache"], check=True,
               stdout=subprocess.DEVNULL)
rom = modeway.Rom(folder / "rom.nc")
rom.export("matlab", folder, name="it")
x = rom.rest(rom.lo + 0.4 * (rom.hi - rom.lo))
U = 0.1 * np.sin(np.arange(STEPS)[:, None] + np.arange(rom.n_u))
x.tofile(folder / "x")
U.tofile(folder / "U")
(folder / "calls.m").write_text(CALLS.format(n_x=rom.n_x, n_u=rom.n_u, steps=STEPS, h=H))
said = subprocess.run(["octave", "--no-gui", "--quiet", "calls.m"], cwd=folder, check=True, capture_output=True,
                      text=True).stdout.splitlines()
X = [x]
for u in U:
    X.append(rom.step(X[-1], u, H))
same("X", np.array(X[1:]).T)
for what, want in zip(("last", "x_x", "x_u"), rom.step_sens(x, U[0], H)):
    same(what, want)
for what, want in zip(("acc", "acc_x", "acc_u"), rom.jacobian(x, U[0])):
    same(what, want)
for what, want in zip(("y", "y_dot"), rom.outputs(x)):
    same(what, want)
fields, refused = said[:-1], said[-1]
wrong += fields != list(rom.fields) or not refused.startswith("refused: it: theta outside its box")
print(f"names: {', '.join(fields)}; a coordinate beyond its range is {refused}")

# operating points of the grid, the last but one
subprocess.run([program, "export", folder / "rom.nc", "--to", "lpv", "-o", folder / "lpv.mat"], check=True, stdout=subprocess.DEVNULL)
for name, text in STAND_INS.items():
    (folder / name).write_text(text)
(folder / "lpv_calls.m").write_text(LPV.format(point="numel(points) - 1"))
said = subprocess.run(["octave", "--no-gui", "--quiet", "lpv_calls.m"], cwd=folder, check=True, capture_output=True,
                      text=True).stdout.splitlines()
x, u = np.fromfile(folder / "x0"), np.fromfile(folder / "u0")
for what, want in zip("ABCD", rom.linearize(x, u)):
    same(what, want)
same("y0", rom.outputs(x)[0])
same("place", x[:rom.s])
acc = rom.rhs(x, u)
off = np.max(np.abs(np.fromfile(folder / "dx0") - np.concatenate([np.zeros(len(acc)), acc])))
size = np.max(np.abs(rom.linearize(x, u)[1])) * max(1.0, np.max(np.abs(u)))
wrong += not off <= 1e-9 * size
print(f"dx0: off by {off:.1e} of accelerations of {size:.1e}; grid {np.fromfile(folder / 'size').astype(int).tolist()}")
names = said[:rom.s] == list(rom.coordinates) and said[rom.s:2 * rom.s] == list(rom.coordinates) and said[-rom.n_y:] == list(rom.fields)
wrong += not names
print(f"names of states, inputs, outputs: {'as in the model' if names else 'FAILED'}")
sys.exit(1 if wrong else 0)
