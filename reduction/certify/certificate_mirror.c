// SPDX-License-Identifier: BSD-3-Clause
// certificate_mirror.c: do the columns of a symmetric coordinate go on where they are mirrored?
//
//   |X_f(mid + h) − X_f(mid − h)| ≤ JUMP size_f      each coefficient f of the record but y0   (1)
//
// size_f is what errors of f are measured against (mw_tables, scale), from the whole grid: in the
// middle itself all fields of a kind may pass through zero.
//
// With a wrong sign a column is a good one at every θ and another one beyond the middle: no sample
// sees it, a run that crosses the middle does. The table is made to be mirrored there (mirror.c),
// to rounding of each coefficient; trains, which err by a share of the largest ones, are not looked
// at: compressing leaves the signs alone.
#include <math.h>

#include "certificate_layer.h"

enum { PLACES = 5 };
static const double JUMP = 1e-2;  // far above rounding, far below a sign
static const double AWAY = 1e-9;  // of the range
static const double TURN =
    0.6180339887498949;  // golden section: places along the other coordinates

// Is y0 of a field: its positions are judged by themselves.
static bool is_position(const mw_rom *rom, const mw_rom_layout *L, int f)
{
  return f >= L->y && f < L->Y && (f - L->y) % (1 + rom->m) == 0;
}

// (1) at one place: are the records on either side of the middle one?
static bool goes_on(const mw_rom *rom, const double *size, const double *before,
                    const double *after)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  for (int f = 0; f < L.n; f++)
    if (!is_position(rom, &L, f) && !(fabs(after[f] - before[f]) <= JUMP * size[f])) return false;
  return true;
}

mw_code mw_certificate_mirror(const mw_rom_file *f, const double *size, mw_error *err)
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
      if (rc == MW_OK && !goes_on(rom, size, v[0], v[1]))
        rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "columns jump in the middle of the symmetric coordinate %s: the signs they "
                     "are mirrored with are wrong",
                     f->coordinate[i]);
    }
  mw_arena_free(&tmp);
  return rc;
}
