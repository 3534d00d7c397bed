// SPDX-License-Identifier: BSD-3-Clause
// bench_layer.h: what a call, an acceleration and a step cost.
#ifndef MW_SIM_BENCH_LAYER_H
#define MW_SIM_BENCH_LAYER_H

#include "rigid/rigid_path_layer.h"

// Call k = 0, 1, … of what is measured.
typedef mw_code (*mw_bench_call)(void *context, int k, mw_error *err);

// Processor time of this process, s: what others take meanwhile is not in it.
double mw_bench_cpu(void);
// Processor time of a call, ns: median of batches of some 15 ms. Ends with the first call that
// fails.
MW_MUST_USE mw_code mw_bench_time(mw_bench_call call, void *context, double *ns, mw_error *err);
// Time of mw_rigid_accel at the state of s, ns.
MW_MUST_USE mw_code mw_bench_rigid_rhs(mw_rigid_sim *s, double *ns, mw_error *err);
// Parts of a right-hand side, each on its own, ns: forces on bodies; rows with J and γ; factors and
// a solution.
typedef struct mw_bench_parts {
  double forces, rows, elimination;
} mw_bench_parts;
MW_MUST_USE mw_code mw_bench_rigid_parts(mw_rigid_sim *s, mw_bench_parts *out, mw_error *err);
// Drive forces of a tree by the recursion of Newton and Euler (sim/newton_euler.h) where it starts;
// NaN: it is none, or has what the recursion does not know.
MW_MUST_USE mw_code mw_bench_recursion(const mw_mech *m, double *ns, mw_error *err);
// The same in groups: those of assemblies, else sixteenths of the joints; *ns NaN where that is one
// group.
MW_MUST_USE mw_code mw_bench_rigid_groups(const mw_rigid_sim *s, int *n_group, double *ns,
                                          mw_error *err);
// The same undistributed, by matrices of all rows: NaN without rows and beyond MW_BENCH_DENSE.
// *apart: largest difference of the accelerations, over their largest or 1; friction and stops,
// which it leaves out, show there.
enum { MW_BENCH_DENSE = 2000 };
MW_MUST_USE mw_code mw_bench_rigid_dense(mw_rigid_sim *s, double *ns, double *apart, mw_error *err);
// Time of a step h (s) of s->in.method, a fixed-step one, samples of controllers included, ns.
// Begins at the state of s, which must be at t = 0, and there again after `turn` steps; it comes
// back.
MW_MUST_USE mw_code mw_bench_rigid_step(mw_rigid_sim *s, double h, int turn, double *ns,
                                        mw_error *err);
// Times ns [n] of what is named as bars, FILE.svg or FILE.html; what is not finite was not measured
// and is left out.
MW_MUST_USE mw_code mw_bench_picture(const char *title, int n, const char *const *name,
                                     const double *ns, const char *path, mw_error *err);

#endif
