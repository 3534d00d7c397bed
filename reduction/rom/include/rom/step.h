// SPDX-License-Identifier: BSD-3-Clause
// step.h: the reduced model in motion: accelerations, steps of fixed cost, their exact derivatives,
// many rollouts at once.
//
//   x' = f(x, u) = (thd, deld, acc) ,   x [2n], n = s + m: theta, delta, thd, deld              (1)
//   d/dt dL/dthd - dL/dtheta + c_theta thd = Q_theta ,  d/dt dL/ddeld - dL/ddelta + C deld =
//                                                       Q_delta
//   Q = sum_k u_k (dy_k/dtheta, dy_k/ddelta) + laws                 u [n_u] N or N·m            (2)
// Matrices are row-major. Any output may overlap nothing else.
//
// One model serves all threads. The same input gives the same bits, whatever the kernel, the
// compiler's vector instructions or the number of rollouts: each result is a fixed sequence of + -
// * / sqrt, none of them fused.
#ifndef MW_ROM_STEP_H
#define MW_ROM_STEP_H

#include "rom/rom.h"

#ifdef __cplusplus
extern "C" {
#endif

// LEADING: of the inertia terms a and d only.
typedef enum mw_rom_inertia { MW_ROM_FULL = 0, MW_ROM_LEADING } mw_rom_inertia;

typedef enum mw_rom_method {
  // exponential, fixed cost: the linear part (mass, stiffness, damping at the mid-point) by a
  // rational approximation of its exponential, order 5, which damps what is far above 1/h; the rest
  // by two evaluations at the mid-point. Order 2.
  MW_ROM_EXPONENTIAL = 0,
  MW_ROM_RK4,  // explicit, order 4, four right-hand sides; stable for omega h < 2.8
  // implicit, order 2, keeps the energy; iterates to opt->tol, laws too: not for stiff ones
  MW_ROM_MIDPOINT,
  MW_ROM_N_METHOD
} mw_rom_method;
const char *mw_rom_method_name(mw_rom_method method);

// Settings; mw_rom_opt_default fills them.
typedef struct mw_rom_opt {
  mw_rom_inertia inertia;  // FULL
  mw_rom_method method;    // EXPONENTIAL
  int iter_max;            // 20     MIDPOINT: iterations
  double tol;              // 1e-9   MIDPOINT: relative change left in the mid-point rates, > 0
  unsigned prescribed;     // 0      bit i: theta_i follows thdd_p[i]
} mw_rom_opt;
mw_rom_opt mw_rom_opt_default(void);

// What calls read besides the state, and their scratch.
typedef struct mw_rom_call {
  const mw_rom *rom;
  const mw_rom_opt *opt;
  double h;         // s, length of a step; read by steps alone
  const double *u;  // [n_u]
  // [s]  accelerations of the coordinates with a bit in opt->prescribed, which are given and not
  // solved for; NULL: 0
  const double *thdd_p;
  void *work;         // 64-byte aligned, of the size named at the call
  mw_rom_info *info;  // out, NULL: not wanted
} mw_rom_call;

// Accelerations acc [n].   work: mw_rom_work_bytes
mw_rom_code mw_rom_rhs(const mw_rom_call *call, const double *x, double *acc);

// acc and its derivatives: acc_x [n × 2n], acc_u [n × n_u].   work: mw_rom_sens_bytes
mw_rom_code mw_rom_jacobian(const mw_rom_call *call, const double *x, double *acc, double *acc_x,
                            double *acc_u);

// One step of length h with u and thdd_p constant over it: x is advanced in place, unchanged on
// error.   work: mw_rom_work_bytes
mw_rom_code mw_rom_step(const mw_rom_call *call, double *x);

// The same, bit for bit, and the derivatives of the new state: x_x [2n × 2n], x_u [2n × n_u], exact
// for the step as it is
// computed (MIDPOINT: for the solution that it iterates to).   work: mw_rom_sens_bytes
mw_rom_code mw_rom_step_sens(const mw_rom_call *call, double *x, double *x_x, double *x_u);

// Gradient of a cost of a rollout, from its last step to its first: with x_k [(n_step + 1) × 2n] of
// a rollout from x_0 under u_k, the u [n_step × n_u] of the call (thdd_p is not read), and the
// derivatives g_x [(n_step + 1) × 2n] (at x_k) and g_u [n_step × n_u] of the cost itself, adds the
// rest of dcost/du_k to g_u and sets lambda [2n] = dcost/dx_0.   work: mw_rom_sens_bytes
mw_rom_code mw_rom_adjoint(const mw_rom_call *call, int n_step, const double *x, const double *g_x,
                           double *g_u, double *lambda);

// Fields y [n_y] of rom.h (4) and their rates y_dot [n_y] (may be NULL).   work: mw_rom_work_bytes
mw_rom_code mw_rom_outputs(const mw_rom *rom, const double *x, double *y, double *y_dot, void *work,
                           mw_rom_info *info);

// Fields, rates and accelerations under input u, Y [3 × n_y], with derivatives Y_x [3 n_y × 2n] and
// Y_u [3 n_y × n_u]; then the generalised forces that the prescribed coordinates' drives must give
// beyond u, reaction [s], with reaction_x [s × 2n]
// and reaction_u [s × n_u]; 0 where a coordinate is free. Any output may be NULL.   work:
//     mw_rom_sens_bytes
typedef struct mw_rom_outputs_sens {
  double *Y, *Y_x, *Y_u, *reaction, *reaction_x, *reaction_u;
} mw_rom_outputs_sens;
mw_rom_code mw_rom_outputs_jacobian(const mw_rom_call *call, const double *x,
                                    const mw_rom_outputs_sens *out);

// Kinetic and potential energy (stops' springs with it), J; dissipated: power of dampers and laws,
// W (>= 0; may be NULL). Reads no u.   work: mw_rom_work_bytes
mw_rom_code mw_rom_energy(const mw_rom_call *call, const double *x, double *T, double *V,
                          double *dissipated);

// delta at rest for locked theta: (K - sum_k u_k Y_k) delta = -U1 + sum_k u_k y1_k (u may be NULL).
// delta [m].
// Laws are left out.   work: mw_rom_work_bytes
mw_rom_code mw_rom_static(const mw_rom *rom, const double *theta, const double *u, double *delta,
                          void *work, mw_rom_info *info);

// Force of a law on its field at y, v = dy/dt, with derivatives: f = { f, f_y, f_v, f_yy, f_yv,
// f_vv }.
void mw_rom_law_eval(const mw_rom_law *law, double y, double v, double f[6]);

// ---- many rollouts ------------------------------------------------------------------------------

// Rollouts first … first + n - 1 of a batch, as many at a time as a vector register holds doubles,
// each n_step steps of h by the exponential method (others: one after the other), bit for bit those
// of mw_rom_step with thdd_p NULL. Threads share the work by ranges.
typedef struct mw_rom_batch {
  int n_step;
  double h;           // s
  const double *u;    // [n_rollout × n_step × n_u]
  double *x;          // [n_rollout × 2n]  in: start, out: end, or the last good state
  double *path;       // [n_rollout × n_step × 2n]  states after each step, NULL: not wanted
  mw_rom_code *code;  // [n_rollout]
  int *done;          // [n_rollout]  steps made, n_step unless code says why not
} mw_rom_batch;
// work: mw_rom_batch_bytes
void mw_rom_batch_run(const mw_rom *rom, const mw_rom_opt *opt, const mw_rom_batch *batch,
                      int first, int n, void *work);

size_t mw_rom_work_bytes(const mw_rom *rom);  // multiples of 64; no work needs initialisation
size_t mw_rom_sens_bytes(const mw_rom *rom);  // at least mw_rom_work_bytes
size_t mw_rom_batch_bytes(const mw_rom *rom);

// Code for which vector instructions runs here: "avx512", "avx2", "plain".
const char *mw_rom_kernel_name(void);

#ifdef __cplusplus
}
#endif

#endif
