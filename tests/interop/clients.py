# SPDX-License-Identifier: BSD-3-Clause
"""clients.py MODEWAY MODEL DIR: exports and files of a reduced model read by other makers' packages, beside the library.

Each line names the package, its version, what it did, the difference from the library over the largest value, and
the bound. Exit status 1: a difference above its bound, a file refused, or nothing compared.
"""

import subprocess
import sys

import casadi
import fmpy
import fmpy.validation
import h5py
import netCDF4
import numpy as np
import scipy
import scipy.io
import xarray

import modeway

program, model, folder = sys.argv[1:4]
STEP, N_STEP = 1e-3, 200
# both sides compute the same in double precision; the tolerance of a solver of differential equations is said beside it
SAME = 1e-12
wrong = done = 0


def compare(package, what, got, want, bound=SAME):
    global wrong, done
    got, want = np.asarray(got, float), np.asarray(want, float)
    if got.shape != want.shape:
        raise ValueError(f"{what}: shapes {got.shape} and {want.shape}")
    error = np.max(np.abs(got - want)) / np.max(np.abs(want))
    good = error <= bound
    done += 1
    wrong += not good
    print(f"{package.__name__} {package.__version__}: {what}: {error:.1e}, bound {bound:.0e}{'' if good else ': ABOVE'}")


def export(to, path, *more):
    subprocess.run([program, "export", rom_file, "--to", to, "-o", path, "--model", model, *more], check=True,
                   stdout=subprocess.DEVNULL)


rom_file = f"{folder}/rom.nc"
subprocess.run([program, "reduce", model, "-o", rom_file, "-q", "--no-parts", "--no-cache"], check=True,
               stdout=subprocess.DEVNULL)
rom = modeway.Rom(rom_file)
rng = np.random.default_rng(1)
x = rom.rest(rom.lo + 0.4 * (rom.hi - rom.lo))
x[rom.s:] += 1e-3 * rng.standard_normal(rom.n_x - rom.s)
u = 0.1 * rng.standard_normal(rom.n_u)
n = rom.n_x // 2

# ---- CasADi: external functions, their Jacobians, an integrator ---------------------------------
export("casadi", f"{folder}/casadi", "--name", "it")
library = f"{folder}/casadi/it.so"
f, F = casadi.external("it_f", library), casadi.external("it_F", library)
X, U = casadi.MX.sym("x", rom.n_x), casadi.MX.sym("u", rom.n_u)
acc, acc_x, acc_u = rom.jacobian(x, u)
compare(casadi, "right-hand side", np.array(f(x, u)).ravel(), np.concatenate([x[n:], acc]))
by = casadi.Function("by", [X, U], [casadi.jacobian(f(X, U), X), casadi.jacobian(f(X, U), U)])(x, u)
compare(casadi, "its Jacobian by x", np.array(by[0])[n:], acc_x)
compare(casadi, "its Jacobian by u", np.array(by[1])[n:], acc_u)
after, x_x, x_u = rom.step_sens(x, u, STEP)
compare(casadi, "a step", np.array(F(x, u, STEP)).ravel(), after)
by = casadi.Function("by", [X, U], [casadi.jacobian(F(X, U, STEP), X), casadi.jacobian(F(X, U, STEP), U)])(x, u)
compare(casadi, "its Jacobian by x", np.array(by[0]), x_x)
compare(casadi, "its Jacobian by u", np.array(by[1]), x_u)
own = rom.to_casadi(f"{folder}/own")
compare(casadi, "Rom.to_casadi, right-hand side", np.array(own.f(x, u)).ravel(), np.concatenate([x[n:], acc]), 0.0)
compare(casadi, "Rom.to_casadi, a step", np.array(own.F(x, u, STEP)).ravel(), after, 0.0)
compare(casadi, "Rom.to_casadi, outputs and rates", np.array(own.y(x))[:, :, 0], rom.outputs(x), 0.0)
ode = casadi.integrator("ode", "cvodes", {"x": X, "p": U, "ode": f(X, U)}, 0.0, 0.01, {"abstol": 1e-12, "reltol": 1e-11})
fine = x
for _ in range(2000):  # steps of 5 us and of 10 us: their error falls as the square
    fine = rom.step(fine, u, 5e-6)
coarse = x
for _ in range(1000):
    coarse = rom.step(coarse, u, 1e-5)
limit = fine + (fine - coarse) / 3
off = np.max(np.abs(limit - fine)) / np.max(np.abs(limit))
compare(casadi, "10 ms by CVODES (bound: what steps of 5 us are off their limit)", np.array(ode(x0=x, p=u)["xf"]).ravel(),
        limit, off)

# ---- FMPy: validation, co-simulation, model exchange --------------------------------------------
export("fmu", f"{folder}/it.fmu", "--name", "it", "--fmi", "both")
force = 0.1
for version in 2, 3:
    unit = f"{folder}/it-fmi{version}.fmu"
    problems = fmpy.validation.validate_fmu(unit)
    done += 1
    wrong += bool(problems)
    print(f"fmpy {fmpy.__version__}: FMI {version} validated: {len(problems)} problems", *problems)
    description = fmpy.read_model_description(unit)
    states = [v.name for v in description.modelVariables if v.name in
              {d.variable.derivative.name for d in description.derivatives}]
    names = states + [name.replace(':', '.') for name in rom.fields]
    series = {}
    for kind in "CoSimulation", "ModelExchange":
        inputs = [v.name for v in description.modelVariables if v.causality == "input"]
        signal = np.array([(t, *[force] * len(inputs)) for t in (0.0, 1.0)],
                          dtype=[("time", float), *[(name, float) for name in inputs]])
        run = fmpy.simulate_fmu(unit, fmi_type=kind, stop_time=N_STEP * STEP, step_size=STEP, output_interval=STEP,
                                relative_tolerance=1e-10, input=signal, output=names, solver="CVode")
        series[kind] = np.array([[row[name] for name in names] for row in run])
    y = [series["CoSimulation"][0, :len(states)]]
    for _ in range(N_STEP):
        y.append(rom.step(y[-1], np.full(rom.n_u, force), STEP))
    compare(fmpy, f"FMI {version}, co-simulation, states", series["CoSimulation"][:, :len(states)], y)
    compare(fmpy, f"FMI {version}, co-simulation, outputs", series["CoSimulation"][:, len(states):],
            [rom.outputs(row)[0] for row in y])
    half = y[0]
    for _ in range(2 * N_STEP):
        half = rom.step(half, np.full(rom.n_u, force), STEP / 2)
    off = 4 * np.max(np.abs(half - y[-1])) / np.max(np.abs(half))
    compare(fmpy, f"FMI {version}, model exchange by CVode at the end (bound: 3 times what steps of 1 ms err by)",
            series["ModelExchange"][-1, :len(states)], half, off)

# ---- readers of files ---------------------------------------------------------------------------
data = xarray.open_dataset(rom_file, decode_times=False)
numbers = [name for name in data.variables if data[name].dtype == float and data[name].size]
with netCDF4.Dataset(rom_file) as nc, h5py.File(rom_file) as h5:
    for package, read in (netCDF4, lambda name: nc[name][...].data), (h5py, lambda name: h5[name][...]):
        same = sum(np.array_equal(read(name), data[name].values, equal_nan=True) for name in numbers)
        done += 1
        wrong += same != len(numbers)
        print(f"{package.__name__} {package.__version__}: {same} of {len(numbers)} variables of rom.nc as "
              f"xarray {xarray.__version__} reads them")
export("lpv", f"{folder}/lpv.mat")
export("lpv", f"{folder}/lpv.nc")
mat, lpv = scipy.io.loadmat(f"{folder}/lpv.mat"), xarray.open_dataset(f"{folder}/lpv.nc")
for name in "A", "B", "C":
    compare(scipy, f"{name} over the grid, of the MAT file beside the netCDF file",
            np.moveaxis(mat[name].reshape(*mat[name].shape[:2], -1), 2, 0), lpv[name].values, 0.0)
middle = len(lpv.A) // 2
at = rom.linearize(lpv.x0.values[middle], lpv.u0.values[middle])
compare(xarray, "A in the middle of the grid beside the library's", lpv.A.values[middle], at[0])
compare(xarray, "B", lpv.B.values[middle], at[1])

print(f"{done} comparisons, {wrong} wrong")
sys.exit(1 if wrong or not done else 0)
