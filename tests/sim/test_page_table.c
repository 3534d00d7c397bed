// SPDX-License-Identifier: BSD-3-Clause
// test_page_table.c: the table that a page carries: whole, or trains whose numbers are rounded,
// beside the model's own fields; the order of its bytes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../reduction/rom_synthetic.h"
#include "mw_test.h"
#include "page/livepage_layer.h"
#include "reduction/compress.h"

enum { S = 3, M = 4, N_GRID = 9, MAX_FIELD = 512 };
static const double ASKED = 1e-3, SHARE = 0.1;  // tolerance of the certificate, trains' part of it

// Waves along each coordinate in every field, over what the model had.
static bool make(synthetic *syn, mw_rom_file *f)
{
  if (!MW_CHECK(synthetic_make(S, M, N_GRID, 10.0, 1e3, 0.02, 0.0, syn))) return false;
  size_t n = N_GRID + 2, nf = (size_t)syn->rom.n_field;
  for (size_t k = 0; k < n * n * n; k++)
    for (size_t q = 0; q < nf; q++)
      syn->coef[k * nf + q] += (0.1 + 0.2 * fabs(syn->coef[k * nf + q])) *
                               sin(0.3 * (double)(k / n / n) + 0.7 * (double)q) *
                               cos(0.4 * (double)(k / n % n)) / (1.5 + 0.3 * (double)(k % n));
  *f = (mw_rom_file){ .rom = syn->rom, .certificate.tolerance = ASKED };
  return MW_CHECK(nf <= MAX_FIELD);
}

static void rounded_trains_err_by_no_more_than_they_may(void)
{
  synthetic syn;
  mw_rom_file f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_page_table t = { 0 };
  double scale[MAX_FIELD], v[2][MAX_FIELD], most = 0.0;
  if (!make(&syn, &f)) return;
  MW_OKAY(mw_rom_scale(&f, scale, &err));
  MW_OKAY(mw_page_table_build(&f, MW_PAGE_COMPRESSED, &mem, &t, &err));
  MW_CHECK(t.rom.n_train > 0 && t.rom.coef == NULL && t.tolerance == SHARE * ASKED);
  // Trains keep the values at the table's points and half-way to tol. Rounding adds a sum of N
  // independent errors within ± step/2, N step² = 0.12 tol²: beyond tol with a probability of
  // 2 exp(−2/0.12) = 1e-7 (Hoeffding) for each of 1.5e6 values here, all else far less.
  for (int p = 0; p < 17 * 17 * 17; p++) {
    const double theta[S] = { -1.0 + p / 289 / 8.0, -1.0 + p / 17 % 17 / 8.0, -1.0 + p % 17 / 8.0 };
    MW_CHECK(mw_rom_fields(&f.rom, theta, v[0], NULL, NULL) == MW_ROM_OK);
    MW_CHECK(mw_rom_fields(&t.rom, theta, v[1], NULL, NULL) == MW_ROM_OK);
    for (int q = 0; q < f.rom.n_field; q++)
      if (scale[q] > 0.0) most = fmax(most, fabs(v[1][q] - v[0][q]) / scale[q]);
  }
  MW_WITHIN(most, 0.0, 2.0 * t.tolerance, "the tolerance of trains");
  MW_WITHIN(t.error, 0.0, 2.0 * t.tolerance, "the tolerance of trains");
  MW_CHECK(t.error > 0.0);
  mw_arena_free(&mem);
  synthetic_free(&syn);
}

// Of 52 bits behind the point no number keeps more than its error asks for: 1e-4 of a value of
// scale 1 by a step of at least 1e-4 × 0.1 × √(12/N), N < 1e4, is 2⁻²¹ or more; what a scale
// allows a field whose values are 1e5 times it (y0) takes 17 bits more.
static void rounded_numbers_end_in_zeros(void)
{
  synthetic syn;
  mw_rom_file f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_page_table t = { 0 };
  if (!make(&syn, &f)) return;
  MW_OKAY(mw_page_table_build(&f, MW_PAGE_COMPRESSED, &mem, &t, &err));
  int n = 0, longer = 0;
  for (int k = 0; k < t.rom.n_train; k++) {
    const mw_rom_train *one = &t.rom.train[k];
    for (int q = 0; q < one->rank[S - 1] * one->n_field; q++, n++) {
      uint64_t word;
      memcpy(&word, &one->field[q], sizeof word);
      longer += (word & 0x3fffu) != 0;
    }
  }
  MW_CHECK(n > 0 && longer == 0);
  mw_arena_free(&mem);
  synthetic_free(&syn);
}

static void small_tables_and_those_asked_for_whole_are_the_models_own(void)
{
  synthetic syn;
  mw_rom_file f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  if (!make(&syn, &f)) return;
  const bool large = mw_rom_bytes(&f.rom) > 1000000;
  mw_page_table t = { 0 };
  MW_OKAY(mw_page_table_build(&f, MW_PAGE_FULL, &mem, &t, &err));
  MW_CHECK(t.rom.coef == f.rom.coef && t.rom.n_train == 0 && t.tolerance == 0.0 && t.error == 0.0);
  MW_OKAY(mw_page_table_build(&f, MW_PAGE_AUTO, &mem, &t, &err));
  MW_CHECK(large && t.rom.n_train > 0);
  f.rom.n_grid[0] = f.rom.n_grid[1] = 4;  // fewer records than there are
  MW_CHECK(mw_rom_bytes(&f.rom) <= 1000000);
  MW_OKAY(mw_page_table_build(&f, MW_PAGE_AUTO, &mem, &t, &err));
  MW_CHECK(t.rom.coef == f.rom.coef && t.rom.n_train == 0);
  mw_arena_free(&mem);
  synthetic_free(&syn);
}

static void planes_hold_each_byte_once_in_their_order(void)
{
  enum { N = 27 };  // three words and three bytes
  char in[N], out[N];
  for (int k = 0; k < N; k++) in[k] = (char)k;
  mw_page_planes(in, N, out);
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 3; i++) MW_CHECK(out[3 * k + i] == 8 * i + k);
  for (int k = 24; k < N; k++) MW_CHECK(out[k] == k);
}

static const mw_test_case cases[] = {
  { "rounded_trains_err_by_no_more_than_they_may", rounded_trains_err_by_no_more_than_they_may },
  { "rounded_numbers_end_in_zeros", rounded_numbers_end_in_zeros },
  { "small_tables_and_those_asked_for_whole_are_the_models_own",
    small_tables_and_those_asked_for_whole_are_the_models_own },
  { "planes_hold_each_byte_once_in_their_order", planes_hold_each_byte_once_in_their_order },
};

int main(void) { return mw_test_run("page_table", cases, (int)(sizeof cases / sizeof *cases)); }
