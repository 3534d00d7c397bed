// SPDX-License-Identifier: BSD-3-Clause
// kinematics.h: positions, velocities and accelerations that independent coordinates give, and the
// ways in which a mechanism closes with coordinates held.
#ifndef MW_SIM_KINEMATICS_H
#define MW_SIM_KINEMATICS_H

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"
#include "sim/analyze.h"

MW_API_BEGIN

// All joint coordinates and positions of outputs, with rates and accelerations; attitudes of frames
// in the form that each output has, and angular velocities. Instants in rows.
typedef struct mw_kinematics {
  int n, n_out;
  int *out;                    // [n_out]      outputs of the model that are positions
  double *t;                   // [n]          s
  double *s, *s_dot, *s_ddot;  // [n × n_coord]    m, m/s, m/s² or rad, ..
  double *y, *y_dot, *y_ddot;  // [n × n_out × 3]  m, m/s, m/s²
  int n_turned, n_row;         // observed outputs that are attitudes or angular velocities
  int *turned;                 // [n_turned]   into the model's observed outputs
  double *x;  // [n × n_row]  theirs, below each other; go on from instant to instant
} mw_kinematics;

// At instants t [n], coordinates marked in given [n_coord] have value, rate and acceleration [n ×
// n_coord]. Positions stay on the branch of the first one, which is as mw_position_find finds it.
// Errors as those of mw_drive_motion_find.
MW_MUST_USE mw_code mw_kinematics_find(const mw_mech *m, const unsigned char *given, int n,
                                       const double *t, const double *value, const double *rate,
                                       const double *acceleration, mw_arena *mem,
                                       mw_kinematics *out, mw_error *err);

// Attitudes of observed outputs, in the form that each has, with bodies' frames at p [n_body × 12]:
// turned and x [n_row] of *out, one instant. Memory from mem.
MW_MUST_USE mw_code mw_attitudes_find(const mw_mech *m, const double *p, mw_arena *mem,
                                      mw_kinematics *out, mw_error *err);

// Outputs of which positions, rates and accelerations do not tell (reactions, drive forces, stress,
// ..; without `attitudes` also these and angular velocities, without `rates` the latter): their
// names with commas, NULL where there are none.
const char *mw_kinematics_left_out(const mw_model *model, bool attitudes, bool rates,
                                   mw_arena *mem);

// Positions that close with coordinates held: assembly modes.
typedef struct mw_assemblies {
  int n;
  mw_position *at;              // [n]  the one of mw_position_find first
  int n_start, n_lost, n_same;  // starts; that do not close; that lead to one that is known
} mw_assemblies;

// From mw_position_find, and n_start positions at random (the same every time), in which only
// joints that close loops are open, assembled with coordinates marked in given [n_coord] at value
// [n_coord]. That there are no more is likely with many starts, not proved. MW_ERR_INPUT: more than
// these coordinates is free.
MW_MUST_USE mw_code mw_assemblies_find(const mw_mech *m, const unsigned char *given,
                                       const double *value, int n_start, mw_arena *mem,
                                       mw_assemblies *out, mw_error *err);

MW_API_END

#endif
