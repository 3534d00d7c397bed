// SPDX-License-Identifier: BSD-3-Clause
// bench_bytes.c: how many bytes a call of the reduced model needs, found out by the call itself.
//
//   table  8 bytes for each coefficient that spoils the result when it is NaN
//   work   bytes of scratch that are others than before the call, for one of two fillings
//
// Coefficients that are read for nothing are not among them, nor are second readings, which the
// caches answer. Each array is one of rows, the records of the table or the matrices of a train;
// all rows that matter are needed alike, so that their columns are looked at in one of them. Rows
// and columns are found by halving: of n, k matter: 2 k log2(n/k) calls.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_reduced_layer.h"

static bool finite(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

typedef struct probe {
  mw_bench_place *p;
  mw_count_call call;
  double h;     // s
  mw_rom rom;   // the model with arrays that may be spoiled
  double *old;  // [longest array]
  mw_arena mem;
} probe;

// Does the call from the middle give finite numbers?
static bool sound(probe *q)
{
  mw_bench_place *p = q->p;
  const mw_rom *own = p->rom;
  size_t s = (size_t)own->s, n = s + (size_t)own->m, nf = (size_t)own->n_field;
  memcpy(p->x, p->x0, 2 * n * sizeof *p->x);
  p->rom = &q->rom;
  mw_rom_code code = mw_bench_place_call(p, q->call, q->h, p->x, NULL);
  p->rom = own;
  if (code != MW_ROM_OK) return false;
  switch (q->call) {
  case MW_COUNT_FIELDS: return finite(p->value, nf) && finite(p->grad, s * nf);
  case MW_COUNT_RHS:
  case MW_COUNT_RHS_LEADING: return finite(p->acc, n);
  case MW_COUNT_JACOBIAN:
    return finite(p->acc, n) && finite(p->x_x, 2 * n * n) && finite(p->x_u, n * (size_t)own->n_u);
  case MW_COUNT_SENS:
    return finite(p->x, 2 * n) && finite(p->x_x, 4 * n * n) &&
           finite(p->x_u, 2 * n * (size_t)own->n_u);
  default: return finite(p->x, 2 * n);
  }
}

// How many of the n blocks of `size` numbers from c on spoil the result; *first: one of them.
static int matter(probe *q, double *c, size_t n, size_t size, double **first)
{
  memcpy(q->old, c, n * size * sizeof *c);
  for (size_t k = 0; k < n * size; k++) c[k] = NAN;
  bool spoilt = !sound(q);
  memcpy(c, q->old, n * size * sizeof *c);
  if (!spoilt) return 0;
  if (n == 1) {
    *first = c;
    return 1;
  }
  int left = matter(q, c, n / 2, size, first);
  return left + matter(q, c + n / 2 * size, n - n / 2, size, first);
}

// Numbers of the array c [rows × width] that matter.
static int needed(probe *q, const double *c, size_t rows, size_t width)
{
  double *row = NULL, *column = NULL, *own = (double *)c;  // of q->mem
  int n_row = matter(q, own, rows, width, &row);
  return n_row == 0 ? 0 : n_row * matter(q, row, width, 1, &column);
}

static double *copy_of(probe *q, const double *c, size_t n)
{
  double *to = mw_arena_f64(&q->mem, n), *room = mw_arena_f64(&q->mem, n);
  if (!q->mem.failed) memcpy(to, c, n * sizeof *c);
  q->old = room;  // at least as long as this array, or the longest so far
  return to;
}

static int table_numbers(probe *q, const mw_rom *rom, mw_error *err, mw_code *rc)
{
  size_t rows = 1, width = (size_t)rom->n_field;
  for (int i = 0; i < rom->s; i++) rows *= (size_t)mw_rom_n_knot(rom, i);
  q->rom.coef = copy_of(q, rom->coef, rows * width);
  *rc = mw_arena_check(&q->mem, err);
  return *rc == MW_OK ? needed(q, q->rom.coef, rows, width) : 0;
}

static int train_numbers(probe *q, const mw_rom *rom, mw_error *err, mw_code *rc)
{
  int numbers = 0;
  mw_rom_train *train = mw_arena_alloc(&q->mem, (size_t)rom->n_train, sizeof *train);
  *rc = mw_arena_check(&q->mem, err);
  if (*rc != MW_OK) return 0;
  memcpy(train, rom->train, (size_t)rom->n_train * sizeof *train);
  q->rom.train = train;
  for (int k = 0; *rc == MW_OK && k < rom->n_train; k++) {
    size_t r = 1;
    for (int i = 0; *rc == MW_OK && i < rom->s; i++) {
      if (!train[k].core[i]) continue;
      size_t rows = (size_t)mw_rom_n_knot(rom, i), width = r * (size_t)train[k].rank[i];
      train[k].core[i] = copy_of(q, train[k].core[i], rows * width);
      *rc = mw_arena_check(&q->mem, err);
      if (*rc == MW_OK) numbers += needed(q, train[k].core[i], rows, width);
      r = (size_t)train[k].rank[i];
    }
    if (*rc != MW_OK) break;
    train[k].field = copy_of(q, train[k].field, r * (size_t)train[k].n_field);
    *rc = mw_arena_check(&q->mem, err);
    if (*rc == MW_OK) numbers += needed(q, train[k].field, r, (size_t)train[k].n_field);
  }
  return numbers;
}

// Bytes of scratch that the call writes.
static int written(probe *q, mw_error *err, mw_code *rc)
{
  static const unsigned char FILL[2] = { 0x33, 0x4c };  // finite numbers both
  size_t n = mw_rom_sens_bytes(q->p->rom);
  unsigned char *touched = mw_arena_alloc(&q->mem, n, 1);
  int bytes = 0;
  *rc = mw_arena_check(&q->mem, err);
  if (*rc != MW_OK) return 0;
  q->rom = *q->p->rom;
  for (int k = 0; k < 2; k++) {
    memset(q->p->work, FILL[k], n);
    (void)sound(q);
    for (size_t i = 0; i < n; i++) touched[i] |= ((const unsigned char *)q->p->work)[i] != FILL[k];
  }
  for (size_t i = 0; i < n; i++) bytes += touched[i];
  return bytes;
}

mw_code mw_bench_bytes(mw_bench_place *p, mw_count_call call, double h, mw_bench_cost *out,
                       mw_error *err)
{
  probe q = { .p = p, .call = call, .h = h, .rom = *p->rom };
  mw_code rc = MW_OK;
  if (!sound(&q)) return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the call fails");
  int numbers = p->rom->n_train > 0 ? train_numbers(&q, p->rom, err, &rc)
                                    : table_numbers(&q, p->rom, err, &rc);
  if (rc == MW_OK) out->work_bytes = written(&q, err, &rc);
  if (rc == MW_OK) out->table_bytes = numbers * (int)sizeof(double);
  mw_arena_free(&q.mem);
  return rc;
}
