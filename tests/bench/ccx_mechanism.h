// SPDX-License-Identifier: BSD-3-Clause
// ccx_mechanism.h: a mechanism of meshes at one configuration as an input deck of CalculiX, and
// what CalculiX says of it.
#ifndef MW_TESTS_BENCH_CCX_MECHANISM_H
#define MW_TESTS_BENCH_CCX_MECHANISM_H

#include <stdbool.h>

#include "reduction/system.h"

// Ends: sums of displacements, each a functional of the system's unknowns (system.h).
typedef struct ccx_ask {
  const mw_mech *mech;          // elastic bodies of HEX20 in ground axes, n_body of them
  const mw_system *sys;         // at the configuration, made of the mechanism
  const unsigned char *locked;  // [n_coord]
  int n_end, n_load;            // unit forces act along the first n_load ends, one after another
  const double *F;              // [n_end × n]
  int n_mode;                   // that CalculiX superposes
  double hz;
  double zeta, beta;  // damping ratio of every mode; C = beta K (s) if it is 0
} ccx_ask;

typedef struct ccx_answer {
  double *lambda;  // [n_mode]  (rad/s)²
  double *b;       // [n_mode × n_end]  ends of the modes of unit mass
  double *H;       // [n_load × 2 × n_end]  m/N at hz, real and imaginary parts, of *STEADY STATE
                   // DYNAMICS
  double *C;       // [n_load × n_end]  m/N, of *STATIC
} ccx_answer;

// Writes DIR/mechanism.inp, runs ccx there and reads what it printed; memory of out from mem.
// false after printing what went wrong.
bool ccx_mechanism(const ccx_ask *q, const char *dir, mw_arena *mem, ccx_answer *out);

#endif
