// SPDX-License-Identifier: BSD-3-Clause
// online_error.h: how far steps of a control period are from a converged solution of the same
// reduced model.
#ifndef MW_ONLINE_ERROR_H
#define MW_ONLINE_ERROR_H

#include "fem/mech.h"
#include "reduction/romfile.h"

typedef struct online_error {
  const mw_model *model;
  const mw_mech *mech;
  const mw_rom_file *file;
  const mw_scenario *sc;
  const char *output;  // a point, "tool"
  // out:
  double peak;       // m, largest elastic deflection of the point, statics with it
  double peak_move;  // m, the same less the deflection at rest where it is
  double error;      // m, largest error of the elastic deflection
  double position;   // m, of the point's position
  double reference;  // m, difference of the deflections of two references: h/64 and h/128
} online_error;

// The scenario's motion with its controllers sampled at its control period and held, by steps of a
// period, against steps of 1/64 and 1/128 of it by the classical Runge-Kutta method.
MW_MUST_USE mw_code online_error_eval(online_error *e, mw_error *err);

#endif
