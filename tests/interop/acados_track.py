# SPDX-License-Identifier: BSD-3-Clause
"""acados_track.py MODEWAY MODEL DIR: a coordinate brought to a place by acados with HPIPM, on the exported dynamics.

    min ½ Σ_k w (θ_k − r)² + v u_k²   over u_k, |u_k| <= 1 ,   x_{k+1} = step(x_k, u_k),   k = 0 … 19, steps of 1 ms

What acados finds is a minimum of the problem if x is what the library steps to, the bounds hold, and no direction lowers
the cost, which is evaluated here by the library with the exact derivatives of its steps. Each line names what was compared, the
difference and the bound. Exit status 1: one is above its bound.
"""

import os
import subprocess
import sys

import casadi
import numpy as np
from acados.acados_template import AcadosModel, AcadosOcp, AcadosOcpSolver

import modeway

program, model_file, folder = sys.argv[1:4]
STEP, N, TOL = 1e-3, 20, 1e-8
wrong = 0


def judge(what, found, bound):
    global wrong
    wrong += not found <= bound
    print(f"{what}: {found:.1e}, bound {bound:.0e}{'' if found <= bound else ': ABOVE'}")


subprocess.run([program, "reduce", model_file, "-o", "rom.nc", "-q", "--no-parts", "--no-cache"], check=True,
               stdout=subprocess.DEVNULL)
rom = modeway.Rom("rom.nc")
rom.export("acados", ".", name="it", step=STEP)  # acados takes sources from its own folder alone
x0 = rom.rest(rom.lo + 0.4 * (rom.hi - rom.lo))
to = x0[0] + 2e-4
w, v = np.array([1e8]), np.array([1.0])

model = AcadosModel()
model.name = "it"
model.x, model.u = casadi.SX.sym("x", rom.n_x), casadi.SX.sym("u", rom.n_u)
model.dyn_ext_fun_type = "generic"
model.dyn_generic_source = "it_acados.c"
model.dyn_disc_fun, model.dyn_disc_fun_jac = "it_disc_dyn_fun", "it_disc_dyn_fun_jac"
ocp = AcadosOcp()
ocp.model, ocp.dims.N = model, N
ocp.acados_include_path, ocp.acados_lib_path = (os.path.join(os.environ["ACADOS_SOURCE_DIR"], d) for d in ("include", "lib"))
ocp.cost.cost_type = ocp.cost.cost_type_e = "LINEAR_LS"
ocp.cost.Vx, ocp.cost.Vu = np.zeros((2, rom.n_x)), np.array([[0.0], [1.0]])
ocp.cost.Vx[0, 0] = 1.0
ocp.cost.W, ocp.cost.yref = np.diag([w[0], v[0]]), np.array([to, 0.0])
ocp.cost.Vx_e, ocp.cost.W_e, ocp.cost.yref_e = ocp.cost.Vx[:1], np.diag(w), np.array([to])
ocp.constraints.x0 = x0
ocp.constraints.idxbu, ocp.constraints.lbu, ocp.constraints.ubu = np.array([0]), np.array([-1.0]), np.array([1.0])
options = ocp.solver_options
options.tf, options.integrator_type, options.hessian_approx = N * STEP, "DISCRETE", "GAUSS_NEWTON"
options.nlp_solver_type, options.qp_solver = "SQP", "PARTIAL_CONDENSING_HPIPM"
options.nlp_solver_tol_stat = options.nlp_solver_tol_eq = options.nlp_solver_tol_ineq = options.nlp_solver_tol_comp = TOL
options.nlp_solver_max_iter = 50
solver = AcadosOcpSolver(ocp, json_file="ocp.json")
for k in range(N + 1):
    solver.set(k, "x", x0)
status = solver.solve()
iterations = int(np.ravel(solver.get_stats("sqp_iter"))[0])
print(f"acados by HPIPM: status {status}, {iterations} iterations, {1e3 * np.ravel(solver.get_stats('time_tot'))[0]:.2f} ms, "
      f"of these {1e3 * np.ravel(solver.get_stats('time_qp'))[0]:.2f} ms in its quadratic programmes")
wrong += status != 0
x = np.array([solver.get(k, "x") for k in range(N + 1)])
u = np.array([solver.get(k, "u") for k in range(N)])

# gradient of the cost by u, backwards along the library's own steps
y, stages = [x0], []
for k in range(N):
    after, x_x, x_u = rom.step_sens(y[-1], u[k], STEP)
    y.append(after)
    stages.append((x_x, x_u))
y = np.array(y)
judge("states beside the library's steps under acados' forces (bound: tolerance of its equations, each step)",
      np.max(np.abs(x - y)), N * TOL)
judge("forces beyond their bounds", max(0.0, np.max(np.abs(u)) - 1.0), TOL)
slope, by_x = np.zeros((N, 1)), np.zeros(rom.n_x)
for k in reversed(range(N)):
    by_x[0] += w[0] * (y[k + 1, 0] - to) * (1.0 if k == N - 1 else STEP)  # stages count by their length, the last one whole
    slope[k] = by_x @ stages[k][1] + STEP * v * u[k]
    by_x = by_x @ stages[k][0]
free = np.abs(u) < 1.0 - 1e-6
held = np.where(u > 0.0, slope, -slope)  # at a bound the cost must fall outwards
# acados ends with stationarity by each state and force within TOL: slopes err by that times the derivatives of later states
bound = np.zeros((N, 1))
for k in range(N):
    by_u, total = stages[k][1], 1.0 + np.sum(np.abs(stages[k][1]))
    for x_x, _ in stages[k + 1:]:
        by_u = x_x @ by_u
        total += np.sum(np.abs(by_u))
    bound[k] = TOL * total
print(f"{int(np.sum(free))} of {N} forces are free, the others at a bound; the largest term of a slope {STEP * np.max(np.abs(u)):.1e}")
wrong += not free.any() or free.all()
judge("slope of the cost along free forces", np.max(np.abs(slope[free]), initial=0.0), np.max(bound[free], initial=0.0))
judge("slope inwards at bounds", max(0.0, np.max(held[~free], initial=0.0)), np.max(bound[~free], initial=0.0))
sys.exit(1 if wrong else 0)
