// SPDX-License-Identifier: BSD-3-Clause
// rom_synthetic.h: reduced models with smooth random fields, for tests and the benchmark.
#ifndef MW_ROM_SYNTHETIC_H
#define MW_ROM_SYNTHETIC_H

#include <stdint.h>

#include "rom/step.h"

enum { SYN_MAX_M = 16, SYN_N_Y = 8, SYN_N_U = 2, SYN_N_CURVED = 4, SYN_N_MOVED = 3 };

// Owns its memory; the rom inside points into the object itself, which must not be copied.
typedef struct synthetic {
  mw_rom rom;
  double *coef;
  int u_field[SYN_N_U], Y_field[SYN_N_CURVED];
  double c_theta[MW_ROM_MAX_S];
  double delta_max[SYN_MAX_M];
  void *work;  // mw_rom_work_bytes, 64-byte aligned
} synthetic;

// 1 when it worked. Box [-1, 1]^s with n_grid points an axis. Mass a = 1 + small, frequencies
// omega_1 … omega_m spaced geometrically from w_lo to w_hi (rad/s), damping ratio zeta; every other
// field is of size `vary`.
int synthetic_make(int s, int m, int n_grid, double w_lo, double w_hi, double zeta, double vary,
                   synthetic *out);
// With all optional parts and SYN_N_CURVED curved fields, of both inputs and of two others, a mass
// of the first SYN_N_MOVED columns that changes; CE and CC of the size of C.
int synthetic_make_second(int s, int m, int n_grid, double w_lo, double w_hi, double zeta,
                          double vary, synthetic *out);
// Of a shape's parts and n_Y.
int synthetic_make_parts(mw_rom_shape shape, int n_grid, double w_lo, double w_hi, double zeta,
                         double vary, synthetic *out);
void synthetic_free(synthetic *syn);

// Uniform in [-1, 1); the same sequence everywhere.
double synthetic_random(uint64_t *state);

#endif
