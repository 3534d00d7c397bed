// SPDX-License-Identifier: BSD-3-Clause
// romrun_priv.h: what the files of a run of the reduced model share.
#ifndef MW_SIM_ROMRUN_PRIV_H
#define MW_SIM_ROMRUN_PRIV_H

#include "above_priv.h"
#include "coarse_priv.h"
#include "damped_priv.h"
#include "drift_priv.h"
#include "fem/control.h"
#include "run/loop_layer.h"
#include "run/observe_layer.h"
#include "run/reach_layer.h"
#include "sim/romrun.h"

// Forces and rates of the drives and the dissipated power at one end of a step; energies there.
typedef struct mw_rom_end {
  double *u, *rate;  // [n_drive]  forces there
  double *held;      // [n_drive]  those over the step that ends there
  double lost, T, V;
} mw_rom_end;

typedef struct mw_rom_sim {
  const mw_model *model;
  const mw_mech *mech;
  const mw_rom_file *file;
  const mw_rom *rom;
  const mw_scenario *sc;
  mw_rom_opt opt;
  double h;                       // s
  double part;                    // s, of the step that is being taken: h, less where it is divided
  int theta_drive[MW_ROM_MAX_S];  // drive that prescribes theta_i, -1: none
  const int *y_out;               // [rows of all outputs]  fields
  const int *y_coord;             // [n_coord]     fields of the joint coordinates, -1: none
  double *x;                      // [2 (s + m)]
  double *u;          // [n_drive]     forces over a step that is taken, then those at its end
  double *y, *y_dot;  // [n_y]         fields at the end of the step
  mw_control control;
  mw_cosim *cosim;  // what control steps units by, NULL: there are none
  double *acc;      // [s + m]
  double *ring;     // [m]  rates of delta that modes start with, NULL: none
  void *work_sens;  // of reactions
  void *work;
  mw_arena mem;
  double *kept;                 // [2 (s + m)]  the state a step began with
  double before[MW_ROM_MAX_S];  // rates of theta then
  mw_rom_end a, b;              // both ends of a step
  double energy;                // J, work of the drives less what is dissipated
  mw_run *r;                    // borrowed
  mw_reach_seen seen[MW_REACH_N];
  mw_swing_seen swing;
  mw_fast_seen fast;
  mw_modal modal;
  mw_above above;
  mw_coarse coarse;
  mw_damped damped;
  mw_drift drift;
  mw_observing observer;
  double *Y, *x_rest;  // [3 × n_y], [2 (s + m)]  of see
} mw_rom_sim;

// Coordinate of theta that a joint coordinate is, -1: none.
int mw_rom_sim_theta(const mw_rom_sim *q, int coord);
// Fields of outputs and coordinates; MW_ERR_INPUT names one that the model does not have, or
// another number of inputs than of drives (romfields.c).
MW_MUST_USE mw_code mw_rom_sim_fields(mw_rom_sim *q, mw_error *err);
// Which coordinates of theta are prescribed; MW_ERR_INPUT names a drive that prescribes another.
MW_MUST_USE mw_code mw_rom_sim_prescribed(mw_rom_sim *q, mw_error *err);
// States, forces and work memory of a run.
MW_MUST_USE mw_code mw_rom_sim_memory(mw_rom_sim *q, mw_error *err);
// A step of length part (s) from the state at t; controllers were sampled by _sample, from the
// fields at t.
mw_rom_code mw_rom_sim_step(mw_rom_sim *q, double t, double part, mw_rom_info *info);
MW_MUST_USE mw_code mw_rom_sim_sample(mw_rom_sim *q, double t, mw_error *err);
// Does the model have a field of each coordinate that units see? MW_ERR_INPUT names one.
MW_MUST_USE mw_code mw_rom_sim_check_units(const mw_rom_sim *q, mw_error *err);
// A code of the online half, put into words (romexplain.c).
MW_MUST_USE mw_code mw_rom_sim_explain(const mw_rom_sim *q, mw_rom_code code,
                                       const mw_rom_info *info, double t, mw_error *err);
// The model over a period of the controllers, linearized at the state at rest, by steps as the
// run's, without dry friction and stops, play taken up (romplant.c).
MW_MUST_USE mw_code mw_rom_sim_plant(const mw_rom_sim *q, mw_arena *mem, mw_plant *out,
                                     mw_error *err);
// x at t = 0 (romstart.c).
MW_MUST_USE mw_code mw_rom_sim_start(mw_rom_sim *q, mw_error *err);

#endif
