# SPDX-License-Identifier: BSD-3-Clause
"""horizon.py ROM SAMPLES DIR: the quadratic programmes of cases/gantry-mpc by acados with HPIPM, beside modeway's own solver.

SAMPLES is what horizon_run wrote: of each sample of the controller its state, its references and the change of the forces that
modeway found. From these the programme is set up anew, stage by stage, with the library's derivatives of steps and outputs,

    min ½ Σ_k (h_k/h) |e_k + D_k x_k|² + ½ Σ_k (h/τ_k) w² |f_k − f_{k-1}|² ,   x_{k+1} = A_k x_k + B_k (f_k − u_k)
    |f_k| <= force ,   |f_k − f_{k-1}| <= slew τ_k/h

and given to acados (linear dynamics and residuals, one iteration of SQP_RTI), states x_k and forces f_{k-1} its stages. Compared
are the costs of both answers, evaluated here, and the times: acados' in its quadratic programme (condensing and HPIPM, the least of
five solves), modeway's of the sample less its steps and outputs with derivatives and its estimate (condensing, active set, the least
of five), both medians over the samples. Exit status 1: modeway's cost is above acados' by more than 1e-6 of it, or acados fails.
"""

import sys

import casadi as ca
import numpy as np
from acados.acados_template import AcadosModel, AcadosOcp, AcadosOcpSolver

import modeway

rom_file, samples_file = sys.argv[1:3]
EVERY, REPEATS, ABOVE = 5, 5, 1e-6
rom = modeway.Rom(rom_file)
numbers = iter(np.fromfile(samples_file))


def take(n):
    return np.array([next(numbers) for _ in range(n)])


n_x, n_u, N, n_ref, n_out, n_sample = (int(x) for x in take(6))
period, h = take(1)[0], take(N)
w_tool, w_tool_rate, w_drive, w_drive_rate, w_slew = take(5)
force, slew, fields = take(n_u), take(n_u), take(n_ref).astype(int)
tau = 0.5 * (np.concatenate([[period], h[:-1]]) + h)
weight = np.concatenate([np.where(np.arange(n_ref) < n_out, w_tool, w_drive),
                         np.where(np.arange(n_ref) < n_out, w_tool_rate, w_drive_rate)])


class Programme:
    """A sample: A, B of each step, e and D at its end, forces planned before, and what modeway found."""

    def __init__(self):
        self.x, self.d = take(n_x), take(n_u)
        self.u, self.before = take(N * n_u).reshape(N, n_u), take(n_u)
        references = take(N * 2 * n_ref).reshape(N, 2 * n_ref)
        self.found = self.u + take(N * n_u).reshape(N, n_u)
        self.time = take(4)
        self.A, self.B, self.e, self.D = [], [], [], []
        x = self.x
        for k in range(N):
            x, A, B = rom.step_sens(x, self.u[k] + self.d, h[k])
            Y, Y_x, _ = rom.outputs_jacobian(x, self.u[k])
            self.A.append(A)
            self.B.append(B)
            self.e.append(weight * (np.concatenate([Y[0][fields], Y[1][fields]]) - references[k]))
            self.D.append(weight[:, None] * np.concatenate([Y_x[0][fields], Y_x[1][fields]]))

    def cost(self, f):
        x, last, sum_ = np.zeros(n_x), self.before, 0.0
        for k in range(N):
            sum_ += 0.5 * period / tau[k] * w_slew**2 * np.sum((f[k] - last)**2)
            x, last = self.A[k] @ x + self.B[k] @ (f[k] - self.u[k]), f[k]
            sum_ += 0.5 * h[k] / period * np.sum((self.e[k] + self.D[k] @ x)**2)
        return sum_

    def beyond(self, f):
        change = np.diff(np.concatenate([[self.before], f]), axis=0)
        return max(np.max(np.abs(f) - force), np.max(np.abs(change) - slew * tau[:, None] / period))


def make(solver):
    """Parameters of a stage: A, B, u, then e and D (zero at the first)."""
    m = 2 * n_ref
    x, w, f = ca.SX.sym("x", n_x), ca.SX.sym("w", n_u), ca.SX.sym("f", n_u)
    A, B, u = ca.SX.sym("A", n_x, n_x), ca.SX.sym("B", n_x, n_u), ca.SX.sym("u", n_u)
    e, D = ca.SX.sym("e", m), ca.SX.sym("D", m, n_x)
    model = AcadosModel()
    model.name = "horizon_" + solver.split("_")[0].lower()
    model.x, model.u = ca.vertcat(x, w), f
    model.p = ca.vertcat(ca.vec(A), ca.vec(B), u, e, ca.vec(D))
    model.disc_dyn_expr = ca.vertcat(A @ x + B @ (f - u), f)
    model.cost_y_expr, model.cost_y_expr_e = ca.vertcat(e + D @ x, f - w), e + D @ x
    ocp = AcadosOcp()
    ocp.model, ocp.dims.N = model, N
    ocp.parameter_values = np.zeros(model.p.shape[0])
    ocp.cost.cost_type = ocp.cost.cost_type_e = "NONLINEAR_LS"
    ocp.cost.W, ocp.cost.yref = np.eye(m + n_u), np.zeros(m + n_u)
    ocp.cost.W_e, ocp.cost.yref_e = np.eye(m), np.zeros(m)
    ocp.constraints.x0 = np.zeros(n_x + n_u)
    ocp.constraints.idxbu, ocp.constraints.lbu, ocp.constraints.ubu = np.arange(n_u), -force, force
    ocp.constraints.C, ocp.constraints.D = np.hstack([np.zeros((n_u, n_x)), -np.eye(n_u)]), np.eye(n_u)
    ocp.constraints.lg, ocp.constraints.ug = -slew, slew
    o = ocp.solver_options
    o.tf, o.time_steps, o.integrator_type, o.hessian_approx = float(np.sum(h)), h, "DISCRETE", "GAUSS_NEWTON"
    o.nlp_solver_type, o.qp_solver, o.qp_solver_warm_start = "SQP_RTI", solver, 0
    o.qp_solver_iter_max = 100
    o.qp_solver_tol_stat = o.qp_solver_tol_eq = o.qp_solver_tol_ineq = o.qp_solver_tol_comp = 1e-6
    found = AcadosOcpSolver(ocp, json_file=model.name + ".json", verbose=False)
    for k in range(N):  # a stage counts by its length: taken back here
        share = np.concatenate([np.full(m, h[k - 1] / period if k > 0 else 0.0), np.full(n_u, period / tau[k] * w_slew**2)])
        found.cost_set(k, "W", np.diag(share / h[k]))
        found.constraints_set(k, "lg", -slew * tau[k] / period)
        found.constraints_set(k, "ug", slew * tau[k] / period)
    found.cost_set(N, "W", h[-1] / period * np.eye(m))
    return found


def answer(solver, p):
    """Forces, the least time of REPEATS solves, s, and the status."""
    none = np.zeros(2 * n_ref), np.zeros((2 * n_ref, n_x))
    at = [none] + list(zip(p.e, p.D))
    start = np.concatenate([np.zeros(n_x), p.before])
    best = np.inf
    for k in range(N + 1):
        i = min(k, N - 1)
        parts = [p.A[i], p.B[i], p.u[i], at[k][0], at[k][1]]
        solver.set(k, "p", np.concatenate([a.ravel(order="F") for a in parts]))
    solver.set(0, "lbx", start)
    solver.set(0, "ubx", start)
    for _ in range(REPEATS):
        for k in range(N + 1):
            solver.set(k, "x", start * 0.0)
            if k < N:
                solver.set(k, "u", p.u[k])
        status = solver.solve()
        best = min(best, float(np.ravel(solver.get_stats("time_qp"))[0]))
    return np.array([solver.get(k, "u") for k in range(N)]), best, status


programmes = [Programme() for _ in range(n_sample)][::EVERY]
whole, steps, outputs, estimate = np.median([p.time for p in programmes], axis=0)
own = np.median([p.time[0] - np.sum(p.time[1:]) for p in programmes])
print(f"{len(programmes)} samples, {N} steps, {n_x} states, {n_u} forces; modeway: a sample {1e6 * whole:.0f} us, of these steps with "
      f"derivatives {1e6 * steps:.0f} us, outputs with derivatives {1e6 * outputs:.0f} us, estimate {1e6 * estimate:.0f} us, "
      f"programme {1e6 * own:.0f} us")
wrong = 0
for name in ("PARTIAL_CONDENSING_HPIPM", "FULL_CONDENSING_HPIPM"):
    solver = make(name)
    times, worse, better, failed, beyond = [], 0.0, 0.0, 0, 0.0
    for p in programmes:
        f, t, status = answer(solver, p)
        failed += status != 0
        cost, mine = p.cost(f), p.cost(p.found)
        times.append(t)
        worse, better = max(worse, mine / cost - 1.0), max(better, 1.0 - mine / cost)
        beyond = max(beyond, p.beyond(f), p.beyond(p.found))
    wrong += failed > 0 or not worse <= ABOVE
    print(f"{name}: {1e6 * np.median(times):.0f} us a programme, of which modeway takes {own / np.median(times):.2f}; {failed} failed; modeway's cost "
          f"is above by {worse:.1e} of it at most, below by {better:.1e}; bounds exceeded by {beyond:.1e} N at most")
sys.exit(1 if wrong else 0)
