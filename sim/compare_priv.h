// SPDX-License-Identifier: BSD-3-Clause
// compare_priv.h: several paths of one scenario and their differences from the full mechanism.
#ifndef MW_SIM_COMPARE_PRIV_H
#define MW_SIM_COMPARE_PRIV_H

#include "cmd_priv.h"

enum { MW_COMPARE_MAX_PATH = 5 };

// What is compared: the position of an output, its stress or strain, or a coordinate of theta.
typedef struct mw_quantity {
  const char *name;  // of the output or the coordinate ("theta.x" where an output is called so too)
  const char *unit;
  int output;  // position: into mw_run.out, else -1
  int gauge;   // stress, strain: into mw_run.gauge, else -1
  int coord;   // joint coordinate, else -1
  double
      scale;  // peak elastic deflection or von Mises stress of the full path, travel of a coordinate; NaN: unknown
} mw_quantity;

typedef struct mw_comparison {
  const mw_case *c;
  const mw_scenario *sc;
  const char *command;
  int n_path;
  const char *label[MW_COMPARE_MAX_PATH];  // "rigid", "body", "gmp", "full", "full_halved"
  mw_run run[MW_COMPARE_MAX_PATH];
  int full;  // index of the reference, -1: it was not run
  int n_quantity, n_t;
  mw_quantity *quantity;
  // outputs of the undeformed mechanism at the full path's theta; without a theta: its start
  double *base;                  // [n_t × 3 n_out]
  double *diff;                  // [n_path × n_quantity × n_t]  |difference from full|
  double *max, *rms, *relative;  // [n_path × n_quantity]
  mw_arena mem;
} mw_comparison;

// Differences of all runs from the full one: needs c, sc, n_path, label, run, full. NaN without a
// full path.
//   max, rms: over the stored instants, of the Euclidean length;  relative = max / scale
MW_MUST_USE mw_code mw_comparison_build(mw_comparison *q, mw_error *err);
void mw_comparison_free(mw_comparison *q);

// compare.nc, compare.svg and report.html in a folder.
MW_MUST_USE mw_code mw_comparison_write(const mw_comparison *q, const char *dir, mw_error *err);

#endif
