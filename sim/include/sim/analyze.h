// SPDX-License-Identifier: BSD-3-Clause
// analyze.h: mechanics of mechanisms: what a rigid mechanism can do at a position and along a
// coordinate.
//
// All of it is about the mechanism with rigid bodies; rows of runners and bearings with a stiffness
// count as rigid, springs hold nothing.
#ifndef MW_SIM_ANALYZE_H
#define MW_SIM_ANALYZE_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"

MW_API_BEGIN

// A position: frames p [n_body × 12] and coordinates s [n_coord], m or rad. From the reference
// configuration, assembled; where held [n_coord] marks coordinates, these at value [n_coord].
typedef struct mw_position {
  double *p, *s;
} mw_position;
MW_MUST_USE mw_code mw_position_find(const mw_mech *m, const unsigned char *held,
                                     const double *value, mw_arena *mem, mw_position *out,
                                     mw_error *err);

// ---- mobility (analyze/mobility.c) --------------------------------------------------------------

typedef enum mw_mobility_kind {
  MW_MOBILITY_REGULAR,        // all infinitesimal motions go on
  MW_MOBILITY_BIFURCATION,    // several motions cross
  MW_MOBILITY_INFINITESIMAL,  // some infinitesimal motions go nowhere
} mw_mobility_kind;

enum { MW_MOBILITY_TANGENTS = 16 };  // most that are kept

typedef struct mw_mobility {
  int n_body, n_row;  // moving bodies; rows of joints and of held coordinates
  int n_elastic;      // rows among them that have a stiffness
  int gruebler;       // 6 n_body − n_row
  int rank;           // of the rows
  int mobility;       // infinitesimal: 6 n_body − rank
  int finite;         // of motions of finite length, on the branch with most
  int dependent;      // rows − rank, elastic ones counted
  int hyperstatic;  // the same of the rows without a stiffness: degree to which these overconstrain
  int *joint;       // [n_joint]  rows of a joint that all others hold already (may be several sets)
  mw_mobility_kind kind;
  int n_sv;
  double *sv;           // [n_sv = 6 n_body]  singular values of the rows, 1
  double above, below;  // smallest that counts, largest that does not, over the largest
  // motions that go on: of up to two freedoms, of more those found that stand alone
  int n_tangent;
  double *tangent;  // [n_tangent × n_coord]  rates of coordinates, the largest ±1
  double bend;      // largest second-order obstacle, 1 (0: none)
} mw_mobility;

// held [n_coord]: coordinates that do not move (NULL: none). Memory from mem.
MW_MUST_USE mw_code mw_mobility_find(const mw_mech *m, const mw_position *at,
                                     const unsigned char *held, mw_arena *mem, mw_mobility *out,
                                     mw_error *err);
const char *mw_mobility_name(mw_mobility_kind kind);

// ---- a motion of one freedom (analyze/one_freedom.c) --------------------------------------------

typedef enum mw_singular_kind {
  MW_SINGULAR_LOCK,         // coordinate coord cannot drive: its rate vanishes
  MW_SINGULAR_BIFURCATION,  // another motion crosses
} mw_singular_kind;

typedef struct mw_singular {
  mw_singular_kind kind;
  int coord;        // that would drive; LOCK: it stands still
  double arc;       // where on the motion
  double *s;        // [n_coord]
  int rank[3];      // of Φ_q, [Φ_q ν], [Φ_q γ], the rate of the driving coordinate a row of Φ
  double residual;  // what vanishes there, 1
  int freedoms;     // infinitesimal, there
  int n_tangent;    // BIFURCATION: 2 where they cross, of 2 freedoms
  double *tangent;  // [2 × n_coord]  rates of coordinates, the largest ±1
} mw_singular;

typedef struct mw_motion_opt {
  int coord;      // followed; its singular positions bound where it can drive
  double lo, hi;  // m or rad, ends of the motion
  double step;    // of the motion: rad, and m over the mechanism's size; 0: 0.02
} mw_motion_opt;

typedef struct mw_motion {
  int n;          // positions, along the motion
  bool closed;    // comes back to where it started
  int start;      // the position it started from
  double *arc;    // [n]  rad, and m over the mechanism's size; 0 at the start
  double *s;      // [n × n_coord]
  double *sigma;  // [n]  smallest singular value of the rows, changes its sign at bifurcations
  int n_singular;
  mw_singular *singular;  // [n_singular]  in the order of the motion
  double lo, hi;          // between which the coordinate can drive, around the start
  bool lo_dead, hi_dead;  // a singular position ends it there (else the range does)
} mw_motion;

// Follows the motion through `at` both ways by its tangent, through lock-ups and straight on
// through bifurcations; from a dead point of the coordinate, from a step beside it.
// MW_ERR_INPUT: the mechanism has not one freedom there with `held`.
// MW_ERR_NUMERIC: it cannot be followed (says where).
MW_MUST_USE mw_code mw_motion_follow(const mw_mech *m, const mw_position *at,
                                     const unsigned char *held, const mw_motion_opt *opt,
                                     mw_arena *mem, mw_motion *out, mw_error *err);

const char *mw_singular_name(mw_singular_kind kind);

// ---- inverse dynamics (analyze/inverse_dynamics.c) ----------------------------------------

// How drives share what is needed, more of them than freedoms.
typedef struct mw_sharing {
  // the largest force, of its limit where there are limits, is as small as can be, then the norm;
  // else the norm
  bool largest;
  const double *lo, *hi;  // [n_drive]  limits, N or N·m; infinite: none; NULL: none at all
} mw_sharing;

// M z̈ + h = Q in k independent coordinates z, and the drives that give Q.
typedef struct mw_equation {
  int k;
  int *coord;      // [k]      z
  double *M;       // [k × k]  kg, kg·m, kg·m²
  double *h;       // [k]      N or N·m: weight, springs, dampers, Coriolis and centrifugal terms
  double *g;       // [k]      of these what holds the mechanism at rest
  double *Q;       // [k]      for the accelerations asked for
  double *tau;     // [n_drive of the model]  of drives on coordinates
  int drive_rank;  // of what drives give to z
  double left;     // N or N·m, largest part of Q that drives do not give
} mw_equation;

// At a position, coordinates marked in given [n_coord] have rate and acceleration [n_coord], m/s or
// rad/s, ..; the others follow. MW_ERR_INPUT: those given are not as many independent ones as there
// are freedoms (elastic runners and bearings are free here), or drives have rotors. sharing NULL:
// forces of least norm; MW_ERR_NUMERIC: not within its limits.
MW_MUST_USE mw_code mw_equation_find(const mw_mech *m, const mw_position *at,
                                     const unsigned char *given, const double *rate,
                                     const double *acceleration, const mw_sharing *sharing,
                                     mw_arena *mem, mw_equation *out, mw_error *err);

// What is needed in z, Q = Y π, by the bodies' inertial parameters π, and the combinations of them
// that it depends on (analyze/regressor.c). Parameters of a body: m, kg; m X, kg·m; Jxx, Jyy, Jzz,
// Jxy, Jxz, Jyz, kg·m², about the origin and in the axes of its frame.
enum { MW_INERTIAL = 10 };
typedef struct mw_regressor {
  int n, k, n_body;  // instants, coordinates z, moving bodies
  int *body;         // [n_body]  of the mechanism
  double *Y;         // [n × k × MW_INERTIAL n_body]
  double *pi;        // [MW_INERTIAL n_body]  as the model has them
  int n_base;
  int *base;         // [n_base]  the parameters that stand for combinations, ascending
  double *share;     // [n_base × MW_INERTIAL n_body]  combination = Σ share π; 1 at base
  double condition;  // of the columns of Y at base, SI units
} mw_regressor;

// At instants, coordinates marked in given [n_coord] have value, rate and acceleration [n ×
// n_coord]. Errors of mw_drive_motion_find. Forces other than of inertia and weight have no part.
MW_MUST_USE mw_code mw_regressor_find(const mw_mech *m, const unsigned char *given, int n,
                                      const double *value, const double *rate,
                                      const double *acceleration, mw_arena *mem, mw_regressor *out,
                                      mw_error *err);

// Forces of drives along a motion. Instants, drives, coordinates in rows.
typedef struct mw_drive_motion {
  int n, k;
  int *coord;      // [k]            z
  double *t;       // [n]            s
  double *s;       // [n × n_coord]  m or rad, all coordinates
  double *Q;       // [n × k]        N or N·m, what is needed in z
  double *tau;     // [n × n_drive]  N or N·m, of drives on coordinates
  double *rate;    // [n × n_drive]  m/s or rad/s, of the drives' coordinates
  double *power;   // [n × n_drive]  W
  double *left;    // [n]            N or N·m, largest part of Q that drives do not give
  double most;     // N or N·m, largest of Q
  int drive_rank;  // at the last instant
} mw_drive_motion;

// At instants t [n], coordinates marked in given [n_coord] have value, rate and acceleration [n ×
// n_coord]. Positions stay on the branch of the first one, which is as mw_position_find finds it.
// Errors of mw_equation_find; MW_ERR_NUMERIC: the motion leads through a singular position.
MW_MUST_USE mw_code mw_drive_motion_find(const mw_mech *m, const unsigned char *given, int n,
                                         const double *t, const double *value, const double *rate,
                                         const double *acceleration, const mw_sharing *sharing,
                                         mw_arena *mem, mw_drive_motion *out, mw_error *err);

MW_API_END

#endif
