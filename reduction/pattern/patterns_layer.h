// SPDX-License-Identifier: BSD-3-Clause
// patterns_layer.h: residuals of candidate patterns over the grid, shared by the ways they are
// followed.
#ifndef MW_REDUCTION_PATTERNS_LAYER_H
#define MW_REDUCTION_PATTERNS_LAYER_H

#include "damper_layer.h"
#include "reduce_layer.h"

typedef struct mw_select {
  mw_reduction *r;
  mw_patterns *p;
  char *dropped;  // [p->n]  cannot be followed at all
  double *whole;  // [p->n]  largest strain energy pᵀKp of a candidate on the grid, J
  // [p->n]  of its energy beside others: accelerations of 1 m/s² and of 1 rad/s² do not compare
  double *weight;
  double lowest;               // (rad/s)²  eigenvalue on the grid
  double *left;                // [p->n]  the same of its residual
  double *own, *norm;          // [n_point × p->n]  pᵀKp and M-norm of the candidates
  double *Mp;                  // [n]  scratch
  double *res;                 // [n_point × n]  directions of the residual that is followed alone
  char *healthy, *reached;     // [n_point]
  int *queue;                  // [n_point]
  int first_damper, n_damper;  // candidates that are dampers, in a row: all of `damper`, or none
  mw_dampers damper;
  double *F;  // [n_point × n_damper × n_damper]  gaps of dampers by unit forces in them
  mw_arena mem;
} mw_select;

// patterns_list.c: what the candidate is of, its name without the word "pattern"
const char *mw_pattern_of(const mw_pattern *p);
// Acceleration of coordinate i by which candidates are compared, in units of the model: a tenth of
// gravity at the machine's size, without gravity 1 rad/s² or this size a second squared
double mw_pattern_unit_acceleration(const mw_reduction *r, int i);
// Largest acceleration and rate of coordinate i as declared. Else that acceleration, and the rate
// that it reaches over half the range.
void mw_pattern_moves(const mw_reduction *r, int i, double *a, double *v);

// Energy over the largest of a group, from which on a residual counts.
double mw_pattern_share(const mw_reduction *r);
double mw_pattern_energy(mw_system *sys, int n, const double *x, double *Kx);  // xᵀKx
// x := x − Σ_{i < m} ψ_i ψ_iᵀ M x from column `from` on, twice; Mx [n] scratch
void mw_pattern_deflate(const mw_grid_point *pt, int n, int from, int m, double *x, double *Mx);

// patterns_follow.c: *found: the residual of candidate j is smooth over the grid by itself; w->res
// holds its directions then.
MW_MUST_USE mw_code mw_pattern_follow(mw_select *w, int j, bool *found, mw_error *err);
// The same of the first of cand [n], by energy, or, where that one turns fast between neighbours,
// of the one that turns least: *j; *calm: it does not turn fast.
MW_MUST_USE mw_code mw_pattern_follow_calm(mw_select *w, int n, const int *cand, int *j,
                                           bool *found, bool *calm, mw_error *err);
// Least overlap (cosine) with a neighbour of what is followed, alone or as a span: anywhere, and
// along flat axes.
extern const double mw_pattern_least, mw_pattern_flat;
// Grid point `step` further along an axis of stride `stride`, −1 outside.
int mw_grid_along(const mw_reduction *r, int axis, int stride, int g, int step);
// The grid point of the same configuration as g: of a cyclic axis the first for its last, else g.
int mw_grid_same_turn(const mw_reduction *r, int g);
// Up to four grid points with use[h] = 1 nearest to g along one axis, that of the most of them:
// node, and how far they are from g in the axis' finest steps, at. Returns their number.
int mw_grid_nodes(const mw_reduction *r, int g, const char *use, int node[4], int at[4]);
// Weights of Lagrange's polynomial through n nodes at `at`, taken at 0; c [n].
void mw_lagrange_weights(int n, const int *at, double *c);

// The directions in w->res become the column of candidate j, which is taken out of those that are
// open or aside.
MW_MUST_USE mw_code mw_pattern_append(mw_select *w, int j, const char *open, const int *aside,
                                      int n_aside, mw_error *err);

// patterns_damper.c: F before anything is taken out; columns of dampers, aside [*n_aside]: those
// that cannot be followed alone; what is no column of its own or of a span is forgotten in the end.
MW_MUST_USE mw_code mw_pattern_dampers_init(mw_select *w, mw_error *err);
MW_MUST_USE mw_code mw_pattern_dampers(mw_select *w, char *open, int *aside, int *n_aside,
                                       mw_error *err);
void mw_patterns_forget_dampers(mw_patterns *p);

// patterns_ritz.c: all columns so far become the modes of their span, followed over the grid; as
// they are where these cannot be. *turned: are they?
MW_MUST_USE mw_code mw_pattern_ritz(mw_select *w, bool *turned, mw_error *err);

// patterns_span.c: residuals of n candidates followed as one span, whose columns are appended to
// Psi. group: energy that theirs is compared with. *found false: no span of theirs is smooth; true
// with nothing appended where nothing counts any more.
MW_MUST_USE mw_code mw_pattern_span(mw_select *w, int n, const int *cand, double group, bool *found,
                                    mw_error *err);

#endif
