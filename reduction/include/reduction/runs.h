// SPDX-License-Identifier: BSD-3-Clause
// runs.h: scenarios that a certificate judges a reduced model by, run by the full and the reduced
// path.
#ifndef MW_REDUCTION_RUNS_H
#define MW_REDUCTION_RUNS_H

#include <stdbool.h>

#include "base/api.h"

MW_API_BEGIN

// Errors are largest differences over the stored instants, of the full path's peak elastic
// deflection (outputs), peak von Mises measure (stress, strain) or travel (coordinates).
typedef struct mw_run_proofs {
  int n;                  // runs
  const char **scenario;  // [n]
  const char **hash;      // [n]  of what the model file said of the scenario (mw_scenario.hash)
  // [n]  why there is nothing to compare, "": nothing is wrong; errors are then INFINITY
  const char **trouble;
  double *step;  // [n]  s, of the reduced path
  double *end;   // [n]  s, up to which the paths were compared
  int n_quantity;
  const char **quantity;  // [n_quantity]  outputs, then coordinates
  const char **unit;      // [n_quantity]  "m", "rad", of stress and strain "Pa" and "1"
  // [n × n_quantity]  of the reduced path, without own errors; INFINITY: it moves what stands still
  double *error;
  double *own;          // [n × n_quantity]  of the full path in time
  double *own_reduced;  // [n × n_quantity]  of the reduced path in time; NULL: error holds it
  double *known;        // [n × n_quantity]  how exactly the error without both is known
} mw_run_proofs;

// Scenarios of the model that the certificate does not speak for.
typedef struct mw_run_scope {
  int n;
  const char **scenario;  // [n]
  const char **why;       // [n]  what the reduced path leaves there, or why it does not run
} mw_run_scope;

// Of a quantity's unit: is it a stress or a strain?
bool mw_run_is_gauge(const char *unit);

MW_API_END

#endif
