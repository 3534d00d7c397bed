// SPDX-License-Identifier: BSD-3-Clause
// romfile_law.c: friction and end stops of rom.nc.
//
//   law_field, law_coulomb, law_stiction, law_stribeck, law_smooth, law_lo, law_hi, law_stiffness,
//   law_damping, law_soft [law]                                                                 (1)
// Meaning: rom.h, (8) and (9). A model without laws has none of them.
#include <math.h>
#include <stddef.h>

#include "romfile_priv.h"

enum { MAX_LAW = 1024 };

static const struct number {
  const char *name, *text;
  size_t offset;  // in mw_rom_law
} NUMBERS[] = {
  { "law_coulomb", "friction while it moves, N or N m", offsetof(mw_rom_law, coulomb) },
  { "law_stiction", "friction as it begins to move, N or N m", offsetof(mw_rom_law, stiction) },
  { "law_stribeck", "rate over which the second becomes the first, m/s or rad/s",
    offsetof(mw_rom_law, stribeck) },
  { "law_smooth", "rate over which friction changes its sign, m/s or rad/s",
    offsetof(mw_rom_law, smooth) },
  { "law_lo", "lower stop, m or rad, -infinity: none", offsetof(mw_rom_law, lo) },
  { "law_hi", "upper stop, m or rad, infinity: none", offsetof(mw_rom_law, hi) },
  { "law_stiffness", "of a stop, N/m or N m/rad", offsetof(mw_rom_law, stiffness) },
  { "law_damping", "of a stop, share of its force a unit of rate, s/m or s/rad",
    offsetof(mw_rom_law, damping) },
  { "law_soft", "travel over which contact with a stop begins, m or rad",
    offsetof(mw_rom_law, soft) },
};
enum { N_NUMBER = sizeof NUMBERS / sizeof *NUMBERS };

static double *number_of(mw_rom_law *law, int k)
{
  return (double *)((char *)law + NUMBERS[k].offset);
}

mw_code mw_romfile_write_laws(mw_ncw *w, const mw_rom_file *f, mw_error *err)
{
  int n = f->rom.n_law, dim = mw_ncw_dim(w, "law", n);
  mw_arena tmp = { 0 };
  int *field = mw_arena_int(&tmp, (size_t)n);
  double *x = mw_arena_f64(&tmp, (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int i = 0; i < n; i++) field[i] = f->rom.law[i].field;
    mw_ncw_int(w, "law_field", 1, &dim, "field each law of friction and stops acts on (index)",
               field);
  }
  for (int k = 0; rc == MW_OK && k < N_NUMBER; k++) {
    for (int i = 0; i < n; i++) {
      mw_rom_law law = f->rom.law[i];
      x[i] = *number_of(&law, k);
    }
    mw_ncw_f64(w, NUMBERS[k].name, 1, &dim, NULL, NUMBERS[k].text, x);
  }
  mw_arena_free(&tmp);
  return rc;
}

void mw_romfile_read_laws(mw_ncr *r, mw_rom_file *f)
{
  int n = mw_ncr_dim(r, "law");
  if (r->e.code != MW_OK || n == 0) return;
  if (n > MAX_LAW) {
    mw_ncr_fail(r, "%d laws of friction and stops, expected at most %d", n, MAX_LAW);
    return;
  }
  mw_rom_law *law = mw_arena_alloc(r->mem, (size_t)n, sizeof *law);
  const int *field = mw_ncr_int(r, "law_field", 1, &n);
  for (int k = 0; law && k < N_NUMBER && r->e.code == MW_OK; k++) {
    const double *x = mw_ncr_f64(r, NUMBERS[k].name, 1, &n, false);
    for (int i = 0; r->e.code == MW_OK && i < n; i++) *number_of(&law[i], k) = x[i];
  }
  if (!law || r->e.code != MW_OK) return;
  for (int i = 0; i < n; i++) law[i].field = field[i];
  f->rom.n_law = n;
  f->rom.law = law;
}

static bool in_order(const mw_rom_law *l)
{
  return l->coulomb >= 0.0 && isfinite(l->coulomb) && l->stiction >= l->coulomb &&
         isfinite(l->stiction) && l->stribeck > 0.0 && isfinite(l->stribeck) && l->smooth > 0.0 &&
         isfinite(l->smooth) && l->lo < l->hi && l->lo < INFINITY && l->hi > -INFINITY &&
         l->stiffness >= 0.0 && isfinite(l->stiffness) && l->damping >= 0.0 &&
         isfinite(l->damping) && l->soft > 0.0 && isfinite(l->soft);
}

mw_code mw_romfile_check_laws(const mw_rom_file *f, mw_at at, mw_error *err)
{
  const mw_rom *r = &f->rom;
  if (r->n_law < 0)
    return mw_fail(err, MW_ERR_INPUT, at, "%d laws of friction and stops", r->n_law);
  for (int i = 0; i < r->n_law; i++) {
    const mw_rom_law *l = &r->law[i];
    if (l->field < 0 || l->field >= r->n_y)
      return mw_fail(err, MW_ERR_INPUT, at, "law %d acts on field %d of %d", i, l->field, r->n_y);
    if (!in_order(l))
      return mw_fail(err, MW_ERR_INPUT, at,
                     "law %d of %s is none: friction %g, %g N, %g, %g m/s; stops %g, %g m, "
                     "%g N/m, %g s/m, %g m",
                     i, f->field[l->field], l->coulomb, l->stiction, l->stribeck, l->smooth, l->lo,
                     l->hi, l->stiffness, l->damping, l->soft);
  }
  return MW_OK;
}
