// SPDX-License-Identifier: BSD-3-Clause
// controller.h: a controller written by the caller that replaces those of a scenario.
#ifndef MW_SIM_CONTROLLER_H
#define MW_SIM_CONTROLLER_H

#include "base/error.h"

// Called once a control period, from t = 0 on: the forces u [n_drive] (N, N·m) to hold until the
// next call, from the drives' coordinates s and rates s_dot [n_drive] (m, rad; 0 of drives on
// frames) as sampled at t. u comes in as it was held; for drives that the scenario does not control
// it is ignored. An error ends the run.
typedef struct mw_controller {
  mw_code (*eval)(void *ctx, double t, const double *s, const double *s_dot, double *u,
                  mw_error *err);
  void *ctx;
} mw_controller;

#endif
