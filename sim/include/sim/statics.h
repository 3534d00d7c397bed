// SPDX-License-Identifier: BSD-3-Clause
// statics.h: where a mechanism stands still: equilibria, their stability, load paths; with elastic
// bodies how it gives way.
#ifndef MW_SIM_STATICS_H
#define MW_SIM_STATICS_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"
#include "sim/analyze.h"

MW_API_BEGIN

// Forces in all of it: weight, springs, forces of the model, and those given of drives, times the
// factor. Elastic runners and bearings are free; no dry friction and stops.
typedef struct mw_statics_in {
  const mw_position *at;      // where to begin
  const unsigned char *held;  // [n_coord]  coordinates that do not move, NULL: none
  const double *force;        // [n_drive]  N or N·m, NULL: none
  bool weight;                // the factor takes the weight, too
  double factor;
} mw_statics_in;

typedef enum mw_stability_kind {
  MW_STABLE,       // comes back from everywhere near
  MW_UNSTABLE,     // goes away, without swinging
  MW_INDIFFERENT,  // stays where it is put, in some directions
  MW_FLUTTER,      // swings away: forces that follow have no potential
} mw_stability_kind;

typedef struct mw_equilibrium {
  double *s;  // [n_coord]  m or rad
  double *q;  // [n_q]      natural coordinates of rigid.h
  double *mu;  // [k]        eigenvalues of −∂z̈/∂z, rising, 1/s²: squares of angular frequencies
  int n_unstable;   // of these below 0
  double still;     // 1/s², up to which they count as 0
  double residual;  // largest step of Newton's method that was left, rad, m over the size
  mw_stability_kind kind;
} mw_equilibrium;

typedef struct mw_equilibria {
  int k;  // freedoms
  int n;
  mw_equilibrium *at;           // [n]  that of the position first
  int n_start, n_lost, n_same;  // starts; that led nowhere; to one that is known
} mw_equilibria;

const char *mw_stability_name(mw_stability_kind kind);
// The equilibrium that Newton's method finds from in->at, and those from n_start positions besides:
// joint coordinates at random within half a turn, or the size, of it, to which the mechanism is
// moved: other assembly modes (kinematics.h) are not looked into. MW_ERR_NUMERIC: none found.
MW_MUST_USE mw_code mw_equilibria_find(const mw_mech *m, const mw_statics_in *in, int n_start,
                                       mw_arena *mem, mw_equilibria *out, mw_error *err);

typedef enum mw_critical_kind {
  MW_CRITICAL_FOLD,    // the factor turns back: no equilibrium near beyond it (snap-through)
  MW_CRITICAL_BRANCH,  // other equilibria branch off (buckling)
} mw_critical_kind;

typedef struct mw_critical {
  mw_critical_kind kind;
  double factor;
  double *s;     // [n_coord]
  double *mode;  // [n_coord]  rates in which it gives way, the largest ±1 (0: none of them moves)
  double mu;     // 1/s², what vanishes there
} mw_critical;

typedef struct mw_load_path {
  int n, k;
  double *arc;      // [n]  rad, m over the size, and the factor over its range
  double *factor;   // [n]
  double *s;        // [n × n_coord]
  double *mu;       // [n]  least eigenvalue, 1/s²
  int *n_unstable;  // [n]
  int n_critical;
  mw_critical *critical;  // [n_critical]
  const char *end;        // why it ends
} mw_load_path;

typedef struct mw_load_path_opt {
  double lo, hi;  // factors between which the path is followed: from 0, or lo, upwards
  double step;    // of the path, as arc; 0: 0.02
  int most;       // points; 0: 2000
} mw_load_path_opt;

// Equilibria over the factor, through folds (pseudo-arclength), straight on at branches.
// MW_ERR_NUMERIC: no equilibrium to begin with.
MW_MUST_USE mw_code mw_load_path_follow(const mw_mech *m, const mw_statics_in *in,
                                        const mw_load_path_opt *opt, mw_arena *mem,
                                        mw_load_path *out, mw_error *err);
const char *mw_critical_name(mw_critical_kind kind);

// ---- elastic bodies (elastic_rest.c); critical loads are in reduction/buckling.h ----------------

typedef struct mw_elastic_in {
  const mw_position *at;      // undeformed
  const unsigned char *held;  // [n_coord]  coordinates that do not move, NULL: none
  const double *force;        // [n_drive]  N or N·m, NULL: none
  double gravity[3];          // m/s²
  bool weight;                // the factor takes the weight, too
  double lo, hi;              // factors
  int n;                      // how many of them, 1: lo alone
} mw_elastic_in;

typedef struct mw_elastic_rest {
  int n;              // equilibria
  double *factor;     // [n]
  double *s;          // [n × n_coord]  m or rad
  int n_out, *out;    // [n_out]  outputs that are positions, into the model's outputs
  double *y0;         // [3 n_out]      undeformed, ground axes, m
  double *y;          // [n × 3 n_out]  in equilibrium
  double *potential;  // [n]  J, of strains, springs, weight; of forces of drives not
  // [n]  eigenvalues below 0 of the tangent stiffness there, by its inertia (Sylvester); -1: not
  // known
  int *n_unstable;
  const char *not_judged;  // why none of them is known, NULL: they are
  double *turn;            // [n]  rad, largest rotation of a node against the frame of its body
  unsigned char *held;     // [n_coord]  in->held, and others as far as something would move freely
  const char *end;         // why there are less than in->n of them, NULL: all
} mw_elastic_rest;

// Equilibria of the unreduced mechanism, strains of second order, n factors from lo to hi. Up to
// one that has none. Stability is judged of bodies at rest that no joint holds: forces of joints
// turn with bodies, and have a part in the tangent that is not known here. MW_ERR_NUMERIC: the
// first one has none.
MW_MUST_USE mw_code mw_elastic_rest_find(const mw_mech *m, const mw_elastic_in *in, mw_arena *mem,
                                         mw_elastic_rest *out, mw_error *err);

MW_API_END

#endif
