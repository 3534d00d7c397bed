// SPDX-License-Identifier: BSD-3-Clause
// observer.h: the state of a reduced model and a constant disturbing force at each drive, estimated
// from the coordinates and rates that drives measure (extended Kalman filter). Memory is taken from
// an arena once; updates and steps take none.
#ifndef MW_SIM_OBSERVER_H
#define MW_SIM_OBSERVER_H

#include "base/api.h"
#include "base/arena.h"
#include "rom/step.h"

MW_API_BEGIN

enum { MW_MPC_MAX_U = 8 };  // inputs, all of them drives

typedef struct mw_observer_opt {
  double position, rate;  // m, m/s   what the measured coordinates and rates err by; 1e-6, 1e-4
  double force;           // N        change of the disturbing force in a period; 0.3
  // kg^½ m/s   change of a column's rate in a period that the model does not know; 2e-5
  double modal;
} mw_observer_opt;
mw_observer_opt mw_observer_opt_default(void);

typedef struct mw_observer {
  const mw_rom *rom;  // borrowed
  const mw_rom_opt *opt;
  mw_observer_opt noise;
  int n_x, n_e, n_y;           // 2n, n_x + n_u, 2 n_u measured
  double *x, *d;               // [n_e]  state, then disturbing forces d = x + n_x, N
  double *P;                   // [n_e × n_e]  covariance
  double *A, *B, *F;           // [n_x × n_x], [n_x × n_u], [n_e × n_e]
  double *C, *CP, *S, *K, *T;  // [n_y × n_e] …, workspace
  double *value, *gradient;    // of mw_rom_fields
  void *work;                  // mw_rom_sens_bytes
} mw_observer;
MW_MUST_USE mw_code mw_observer_init(mw_observer *o, const mw_rom *rom, const mw_rom_opt *opt,
                                     const double *x0, mw_arena *mem, mw_error *err);
// Takes the drives' coordinates s and rates s_dot [n_u] in.
mw_rom_code mw_observer_update(mw_observer *o, const double *s, const double *s_dot);
// On by h under the forces u [n_u].
mw_rom_code mw_observer_step(mw_observer *o, double h, const double *u);

MW_API_END

#endif
