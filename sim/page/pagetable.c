// SPDX-License-Identifier: BSD-3-Clause
// pagetable.c: the table of a reduced model as its page carries it: whole where that is small, else
// as tensor trains (rom.h, 7) whose numbers are rounded to what they are known to.
//
//   coef = G_0[k_0] … G_c[k_c] field ,   each number a multiple of a power of two, at most
//   unit(G_c[k, p, q]) = step / (v_c[p] w_c[q]) ,   unit(field[q, f]) = step scale_f / v[q]     (1)
//   v_0 = 1 ,  v_c+1[q]² = max_k Σ_p (G_c[k, p, q] v_c[p])²      what stands before, at most
//   w[q] = max_f |field[q, f]| / scale_f ,  w_c-1[p]² = max_k Σ_q (G_c[k, p, q] w_c[q])²   behind
// Of N numbers in a product each errs by at most step/2 of the scale, at random step √(N/12) in
// all: step = ROUNDING tol / √(N/12). What the whole errs by is measured, not concluded.
// Zeros at the ends of numbers are what packing takes out, once the first bytes of all numbers
// stand together, then the second, … (mw_page_planes).
#include "livepage_layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/export_layer.h"
#include "reduction/compress.h"

static const double WHOLE = 1e6;       // bytes up to which `auto` keeps a whole table
static const double SHARE = 0.1;       // of the certificate's tolerance, left to trains
static const double TOLERANCE = 1e-3;  // of reduced models without a certificate
static const double ROUNDING = 0.1;    // of what trains are allowed, standard deviation
enum { PLACES = 500 };                 // where the error is measured

// The factors of a train, the last its field; rows [before], columns [behind] of each of n blocks.
typedef struct factors {
  int n;
  size_t block[MW_ROM_MAX_S + 1], before[MW_ROM_MAX_S + 1], behind[MW_ROM_MAX_S + 1];
  double *x[MW_ROM_MAX_S + 1];      // [block × before × behind]
  double *left[MW_ROM_MAX_S + 1];   // [before]  v of (1)
  double *right[MW_ROM_MAX_S + 1];  // [behind]  w, of the field 1/scale
} factors;

static double *copy_of(mw_arena *mem, const double *x, size_t n)
{
  double *y = mw_arena_f64(mem, n);
  if (y) memcpy(y, x, n * sizeof *y);
  return y;
}

static mw_code take_factors(const mw_rom *r, mw_rom_train *t, const double *scale, mw_arena *mem,
                            factors *z, mw_error *err)
{
  size_t before = 1;
  *z = (factors){ 0 };
  for (int i = 0; i <= r->s; i++) {
    bool field = i == r->s;
    if (!field && !t->core[i]) continue;
    int c = z->n++;
    z->block[c] = field ? 1 : (size_t)mw_rom_n_knot(r, i);
    z->before[c] = before;
    z->behind[c] = field ? (size_t)t->n_field : (size_t)t->rank[i];
    size_t n = z->block[c] * before * z->behind[c];
    z->x[c] = copy_of(mem, field ? t->field : t->core[i], n);
    z->left[c] = mw_arena_f64(mem, before);
    z->right[c] = mw_arena_f64(mem, z->behind[c]);
    before = z->behind[c];
    if (field)
      t->field = z->x[c];
    else
      t->core[i] = z->x[c];
  }
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  z->left[0][0] = 1.0;
  for (int f = 0; f < t->n_field; f++)
    z->right[z->n - 1][f] = scale[f] > 0.0 ? 1.0 / scale[f] : 0.0;
  return MW_OK;
}

// Sizes before and behind each factor, (1).
static void weigh(factors *z)
{
  for (int c = 0; c + 1 < z->n; c++)
    for (size_t q = 0; q < z->behind[c]; q++)
      for (size_t k = 0; k < z->block[c]; k++) {
        double sum = 0.0;
        for (size_t p = 0; p < z->before[c]; p++) {
          double x = z->x[c][(k * z->before[c] + p) * z->behind[c] + q] * z->left[c][p];
          sum += x * x;
        }
        z->left[c + 1][q] = fmax(z->left[c + 1][q], sqrt(sum));
      }
  for (int c = z->n - 1; c > 0; c--)
    for (size_t k = 0; k < z->block[c]; k++)
      for (size_t p = 0; p < z->before[c]; p++) {
        const double *x = z->x[c] + (k * z->before[c] + p) * z->behind[c];
        double sum = 0.0, most = 0.0;
        for (size_t q = 0; q < z->behind[c]; q++) {
          double y = x[q] * z->right[c][q];
          sum += y * y;
          most = fmax(most, fabs(y));
        }
        z->right[c - 1][p] = fmax(z->right[c - 1][p], c == z->n - 1 ? most : sqrt(sum));
      }
}

// To the nearest multiple of the largest power of two that is no larger than unit.
static double rounded(double x, double unit)
{
  int e;
  if (!(unit > 0.0) || !isfinite(unit)) return 0.0;  // it has no effect
  (void)frexp(unit, &e);
  return ldexp(nearbyint(ldexp(x, 1 - e)), e - 1);
}

static void round_factors(factors *z, double tol)
{
  double n = 0.0;
  for (int c = 0; c < z->n; c++)
    n += (double)z->before[c] * (c + 1 < z->n ? (double)z->behind[c] : 1.0);
  double step = ROUNDING * tol / sqrt(n / 12.0);
  for (int c = 0; c < z->n; c++)
    for (size_t k = 0; k < z->block[c]; k++)
      for (size_t p = 0; p < z->before[c]; p++) {
        double *x = z->x[c] + (k * z->before[c] + p) * z->behind[c];
        for (size_t q = 0; q < z->behind[c]; q++)
          x[q] = rounded(x[q], step / (z->left[c][p] * z->right[c][q]));
      }
}

mw_code mw_page_round_train(const mw_rom *r, mw_rom_train *t, const double *scale, double tol,
                            mw_arena *mem, mw_error *err)
{
  factors z;
  mw_code rc = take_factors(r, t, scale, mem, &z, err);
  if (rc != MW_OK) return rc;
  weigh(&z);
  round_factors(&z, tol);
  return MW_OK;
}

static mw_code round_trains(mw_rom *r, const double *scale, double tol, mw_arena *mem,
                            mw_error *err)
{
  mw_rom_train *train = mw_arena_alloc(mem, (size_t)r->n_train, sizeof *train);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(train, r->train, (size_t)r->n_train * sizeof *train);
  for (int t = 0; rc == MW_OK && t < r->n_train; t++)
    rc = mw_page_round_train(r, &train[t], scale + train[t].first, tol, mem, err);
  r->train = train;
  return rc;
}

double mw_page_share(double asked) { return SHARE * (asked > 0.0 ? asked : TOLERANCE); }

mw_code mw_page_compare(const mw_rom *a, const mw_rom *b, const double *scale, double *error,
                        mw_error *err)
{
  // shares of the plastic numbers: places that follow each other fill a box of s axes evenly
  static const double PLASTIC[MW_ROM_MAX_S] = { 1.6180339887498949, 1.3247179572447460,
                                                1.2207440846057596, 1.1673039782614187,
                                                1.1347241384015194, 1.1127756842787055 };
  mw_arena tmp = { 0 };
  double *x = mw_arena_f64(&tmp, (size_t)a->n_field), *y = mw_arena_f64(&tmp, (size_t)a->n_field);
  mw_code rc = mw_arena_check(&tmp, err);
  *error = 0.0;
  for (int k = 1; rc == MW_OK && k <= PLACES; k++) {
    double theta[MW_ROM_MAX_S], share = 1.0, whole;
    for (int i = 0; i < a->s; i++) {
      share /= PLASTIC[a->s - 1];
      theta[i] = a->lo[i] + modf(0.5 + share * k, &whole) * (a->hi[i] - a->lo[i]);
    }
    if (mw_rom_fields(a, theta, x, NULL, NULL) != MW_ROM_OK ||
        mw_rom_fields(b, theta, y, NULL, NULL) != MW_ROM_OK)
      rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "the tables cannot be read within their range");
    for (int f = 0; f < a->n_field; f++)
      if (scale[f] > 0.0) *error = fmax(*error, fabs(x[f] - y[f]) / scale[f]);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_page_table_build(const mw_rom_file *rom, mw_page_form form, mw_arena *mem,
                            mw_page_table *out, mw_error *err)
{
  mw_page_table t = { .rom = rom->rom };
  double bytes = (double)mw_rom_bytes(&rom->rom);
  double tol = mw_page_share(rom->certificate.tolerance);
  mw_rom_file light = *rom;
  light.mem = (mw_arena){ 0 };
  light.start = NULL;
  bool pack =
      rom->rom.coef && (form == MW_PAGE_COMPRESSED || (form == MW_PAGE_AUTO && bytes > WHOLE));
  double *scale = pack ? mw_arena_f64(mem, (size_t)rom->rom.n_field) : NULL;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && pack) rc = mw_rom_scale(rom, scale, err);
  if (rc == MW_OK && pack) rc = mw_rom_compress(&light, tol, INFINITY, NULL, err);
  if (rc == MW_OK && pack && light.rom.n_train > 0) {
    rc = round_trains(&light.rom, scale, tol, mem, err);
    if (rc == MW_OK) rc = mw_page_compare(&rom->rom, &light.rom, scale, &t.error, err);
    t.tolerance = tol;
    t.rom = light.rom;
  }
  mw_arena_free(&light.mem);
  if (rc == MW_OK) *out = t;
  return rc;
}

void mw_page_planes(const char *bytes, size_t n, char *out)
{
  size_t words = n / 8;
  for (size_t i = 0; i < words; i++)
    for (size_t k = 0; k < 8; k++) out[k * words + i] = bytes[8 * i + k];
  memcpy(out + 8 * words, bytes + 8 * words, n - 8 * words);
}
