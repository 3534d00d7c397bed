// SPDX-License-Identifier: BSD-3-Clause
// certificate_mirror.c: do the columns of a symmetric coordinate go on where they are mirrored?
//
//   |X(mid + h) − X(mid − h)| ≤ JUMP max |X|        X: each coefficient of the record but y0,
//       as a block      (1)
//
// With a wrong sign a column is a good one at every θ and another one beyond the middle: no sample
// sees it, a run that crosses the middle does. The table is made to be mirrored there (mirror.c),
// to rounding of each coefficient; trains, which err by a share of the largest ones, are not looked
// at: compressing leaves the signs alone.
#include <math.h>

#include "certificate_layer.h"

enum { PLACES = 5, BLOCKS = 14 };
static const double JUMP = 1e-2;  // far above rounding, far below a sign
static const double AWAY = 1e-9;  // of the range
static const double TURN =
    0.6180339887498949;  // golden section: places along the other coordinates

// Block of field k; −1: a y0, whose positions are judged by themselves.
static int block_of(const mw_rom *rom, const mw_rom_layout *L, int k)
{
  const int first[BLOCKS] = { L->a, L->d, L->U1, L->b,  L->K,  L->C, L->e,
                              L->c, L->H, L->G,  L->CE, L->CC, L->y, L->Y };
  int b = BLOCKS - 1;
  if (k >= L->y && k < L->Y && (k - L->y) % (1 + rom->m) == 0) return -1;
  while (k < first[b]) b--;
  return b;
}

// The largest jump of a block over its size, at one place on either side of the middle of axis i.
static double jump_at(const mw_rom *rom, const double *before, const double *after)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  double size[BLOCKS] = { 0.0 }, jump[BLOCKS] = { 0.0 }, most = 0.0;
  for (int k = 0; k < L.n; k++) {
    int b = block_of(rom, &L, k);
    if (b < 0) continue;
    size[b] = fmax(size[b], fabs(before[k]));
    jump[b] = fmax(jump[b], fabs(after[k] - before[k]));
  }
  for (int b = 0; b < BLOCKS; b++)
    if (jump[b] > 0.0) most = fmax(most, jump[b] / size[b]);
  return most;
}

mw_code mw_certificate_mirror(const mw_rom_file *f, mw_error *err)
{
  const mw_rom *rom = &f->rom;
  mw_arena tmp = { 0 };
  double *v[2] = { mw_arena_f64(&tmp, (size_t)rom->n_field),
                   mw_arena_f64(&tmp, (size_t)rom->n_field) };
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < rom->s; i++)
    for (int p = 0; rc == MW_OK && (rom->symmetric >> i & 1u) && rom->coef && p < PLACES; p++) {
      double theta[MW_ROM_MAX_S];
      for (int side = 0; rc == MW_OK && side < 2; side++) {
        for (int j = 0; j < rom->s; j++) {
          double x = TURN * (p + 1) * (j + 1), w = rom->hi[j] - rom->lo[j];
          theta[j] = rom->lo[j] + w * (j == i ? 0.5 + (side ? AWAY : -AWAY) : x - floor(x));
        }
        if (mw_rom_fields(rom, theta, v[side], NULL, NULL) != MW_ROM_OK)
          rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "the middle of %s lies outside the grid",
                       f->coordinate[i]);
      }
      if (rc == MW_OK && !(jump_at(rom, v[0], v[1]) <= JUMP))
        rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "columns jump in the middle of the symmetric coordinate %s: the signs they "
                     "are mirrored with are wrong",
                     f->coordinate[i]);
    }
  mw_arena_free(&tmp);
  return rc;
}
