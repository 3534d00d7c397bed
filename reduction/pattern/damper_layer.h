// SPDX-License-Identifier: BSD-3-Clause
// damper_layer.h: dampers of joint rows, and what modes lose where columns lack the patterns of
// their forces.
#ifndef MW_REDUCTION_DAMPER_LAYER_H
#define MW_REDUCTION_DAMPER_LAYER_H

#include "reduce_layer.h"

typedef struct mw_dampers {  // joint rows with a damper, with or without a spring
  int n;
  const int *row;   // [n]  rows of the mechanism's joints
  const double *c;  // [n]  N·s/m or N·m·s/rad
  double tau;       // s, largest c/k; infinite where a damper has no spring
} mw_dampers;

// locked [n_coord]: coordinates that are held; the defining rows of the others are none of theirs.
// Memory from mem.
MW_MUST_USE mw_code mw_dampers_list(const mw_mech *m, const unsigned char *locked, mw_arena *mem,
                                    mw_dampers *out, mw_error *err);

// Damping that answers of a mode of λ = w are compared with: its own, at least that of a ratio of
// 0.01.
double mw_damper_own(double own, double w);

// The largest loss of n_mode modes by dampers whose gaps m modes of λ = w [m] open by G [d->n × m],
// own [m] mw_damper_own. F [d->n × d->n]: gaps by unit forces of the whole mechanism. loss [d->n]
// (NULL: not wanted): by each damper, were it alone.
MW_MUST_USE mw_code mw_damper_loss(const mw_dampers *d, const double *F, int m, int n_mode,
                                   const double *G, const double *w, const double *own,
                                   double *most, double *loss, mw_error *err);

#endif
