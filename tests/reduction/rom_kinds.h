// SPDX-License-Identifier: BSD-3-Clause
// rom_kinds.h: reduced models of every kind over the coefficients of a synthetic one, for tests of
// derivatives.
#ifndef MW_ROM_KINDS_H
#define MW_ROM_KINDS_H

#include "rom_synthetic.h"

// Bits of a kind. FLAT: theta_0; CYCLIC: the last coordinate; SYMMETRIC: all that are not flat;
// TRAIN: three tensor trains in the place of the table, the last one of all y but the first; LAWS:
// friction and stops on two fields, soft enough for differences; SECOND: all optional parts.
enum {
  KIND_FLAT = 1,
  KIND_CYCLIC = 2,
  KIND_SYMMETRIC = 4,
  KIND_TRAIN = 8,
  KIND_LAWS = 16,
  KIND_SECOND = 32
};

// Owns its memory; must not be copied.
typedef struct rom_kind {
  synthetic syn;
  mw_rom rom;
  double *memory, *slope, *shift;
  int sign[MW_ROM_MAX_S * SYN_MAX_M], sign_y[MW_ROM_MAX_S * SYN_N_Y];
  mw_rom_train train[3];
  mw_rom_law law[2];
  void *work;  // mw_rom_sens_bytes, full of NaN
} rom_kind;

// 1 when it worked; frequencies from 1 to 30 rad/s.
int kind_make(int s, int m, int n_grid, int kind, rom_kind *out);
void kind_free(rom_kind *k);

// A state in the box [2 (s + m)]. The middle of a random cell, of either half where symmetric,
// turned where cyclic: theta [s].
void kind_random_state(const mw_rom *rom, uint64_t *seed, double *x);
void kind_middle_of_a_cell(const mw_rom *rom, uint64_t *seed, double *theta);

#endif
