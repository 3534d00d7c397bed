// SPDX-License-Identifier: BSD-3-Clause
// test_bench_rom.c: what modeway bench says of a reduced model is counted right.
//
// The counts are held against closed forms of the loops they come from: of one field over an axis
// of four knots, value and gradient are two sums of four products; over two axes there are eight
// such sums of the records and three of their sums (4 + 4 along the last axis, 3 along the first),
// and so on (rom_eval.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../reduction/rom_synthetic.h"
#include "bench/bench_reduced_layer.h"
#include "mw_test.h"

enum { N_GRID = 7 };

typedef struct fixture {
  synthetic syn;
  mw_rom_file file;
  mw_bench_place place;
} fixture;

static bool fixture_init(int s, int m, fixture *f)
{
  mw_error err = { 0 };
  memset(f, 0, sizeof *f);
  if (!MW_CHECK(synthetic_make(s, m, N_GRID, 125.0, 12500.0, 0.01, 0.02, &f->syn))) return false;
  f->file.rom = f->syn.rom;
  return MW_OKAY(mw_bench_place_init(&f->file, &f->place, &err));
}

static void fixture_free(fixture *f)
{
  mw_bench_place_free(&f->place);
  synthetic_free(&f->syn);
}

static mw_flops count(fixture *f, mw_count_call call, double h, const double *x)
{
  mw_error err = { 0 };
  mw_flops n = { 0 };
  mw_bench_place *p = &f->place;
  MW_OKAY(mw_count_flops(p->rom, &p->opt, call, h, x, p->u, &n, &err));
  return n;
}

static long long sum(mw_flops n) { return n.add + n.mul + n.div + n.root; }

static void a_field_costs_its_sums_of_four(void)
{
  static const int sums[] = { 2, 11, 48 };  // of four products, for a value with its gradient
  for (int s = 1; s <= 3; s++) {
    fixture a, b;
    if (!fixture_init(s, 4, &a) || !fixture_init(s, 6, &b)) return;
    // what is no field, the basis, is the same for both
    mw_flops na = count(&a, MW_COUNT_FIELDS, 0.0, a.place.x0),
             nb = count(&b, MW_COUNT_FIELDS, 0.0, b.place.x0);
    int more = b.syn.rom.n_field - a.syn.rom.n_field;
    MW_CHECK(nb.mul - na.mul == 4ll * sums[s - 1] * more);
    MW_CHECK(nb.add - na.add == 3ll * sums[s - 1] * more);
    MW_CHECK(nb.div == na.div && nb.root == na.root);
    fixture_free(&a);
    fixture_free(&b);
  }
}

// The formula has the leading terms: the count is above it, by less than as much again.
static void the_exponential_step_costs_its_formula_and_less_than_twice_that(void)
{
  for (int s = 1; s <= 3; s++)
    for (int m = 4; m <= 16; m += 4) {
      fixture f;
      if (!fixture_init(s, m, &f)) return;
      double n = (double)sum(count(&f, MW_COUNT_EXPONENTIAL, 1e-3, f.place.x0)),
             formula = mw_bench_step_formula(f.place.rom);
      printf("s = %d, m = %d: %.0f counted, %.2f times the formula's\n", s, m, n, n / formula);
      MW_CHECK(n > formula && n < 2.0 * formula);
      fixture_free(&f);
    }
}

static void the_exponential_step_costs_the_same_everywhere(void)
{
  fixture f;
  uint64_t seed = 3;
  if (!fixture_init(2, 5, &f)) return;
  const mw_bench_place *p = &f.place;
  double x[2 * 7];
  mw_flops first = count(&f, MW_COUNT_EXPONENTIAL, 1e-3, p->x0);
  mw_flops with = count(&f, MW_COUNT_SENS, 1e-3, p->x0);
  MW_CHECK(sum(first) > 0 && sum(with) > sum(first));
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 14; i++)
      x[i] = synthetic_random(&seed) * (i < 2 ? 0.9 : (i < 7 ? 1e-3 : 0.5));
    MW_CHECK(sum(count(&f, MW_COUNT_EXPONENTIAL, 1e-3, x)) == sum(first));
    MW_CHECK(sum(count(&f, MW_COUNT_SENS, 1e-3, x)) == sum(with));
  }
  fixture_free(&f);
}

static void the_explicit_step_costs_four_right_hand_sides(void)
{
  fixture f;
  if (!fixture_init(2, 5, &f)) return;
  long long rhs = sum(count(&f, MW_COUNT_RHS, 0.0, f.place.x0));
  long long step = sum(count(&f, MW_COUNT_RK4, 1e-4, f.place.x0));
  // besides, for each number of the state and stage, a product and a sum for its place, the same
  // for the mean of the rates, and as much again for how these are written
  MW_CHECK(step >= 4 * rhs && step <= 4 * rhs + 2 * 7 * 4 * 6);
  fixture_free(&f);
}

static void coefficients_needed_are_those_of_the_equations(void)
{
  mw_error err = { 0 };
  for (int s = 1; s <= 2; s++) {
    fixture f;
    mw_bench_cost full = { 0 }, leading = { 0 };
    int m = 4, records = s == 1 ? 4 : 16;
    if (!fixture_init(s, m, &f)) return;
    MW_OKAY(mw_bench_bytes(&f.place, MW_COUNT_RHS, 0.0, &full, &err));
    MW_OKAY(mw_bench_bytes(&f.place, MW_COUNT_RHS_LEADING, 0.0, &leading, &err));
    // all fields but the outputs that no input acts on; leading: without b, e and c
    mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = s, .m = m });
    int inputs = SYN_N_U * (1 + m), convective = (l.K - l.b) + (l.y - l.e);
    // c is read in packs: behind its 10 numbers come the first output's 5, which an input acts on,
    // and then others
    int pack = strcmp(mw_rom_kernel_name(), "avx512") == 0 ? 8 : 4, mm = m * (m + 1) / 2;
    int beyond = (pack - mm % pack) % pack - (1 + m);
    if (beyond < 0) beyond = 0;
    MW_CHECK(full.table_bytes == 8 * records * (l.n + inputs + beyond));
    MW_CHECK(leading.table_bytes == 8 * records * (l.n - convective + inputs));
    MW_CHECK(full.work_bytes > 0 && full.work_bytes <= (int)mw_rom_work_bytes(&f.syn.rom));
    fixture_free(&f);
  }
}

static void a_model_that_is_other_than_counted_is_an_error(void)
{
  mw_error err = { 0 };
  fixture f;
  mw_flops n;
  if (!fixture_init(1, 3, &f)) return;
  mw_bench_place *p = &f.place;
  p->x0[0] = 2.0;  // outside the box
  MW_FAILS(mw_count_flops(p->rom, &p->opt, MW_COUNT_RHS, 0.0, p->x0, p->u, &n, &err),
           MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "theta outside its box") != NULL);
  fixture_free(&f);
}

static void single_steps_are_sorted_and_binned(void)
{
  mw_error err = { 0 };
  fixture f;
  mw_bench_spread s = { 0 };
  if (!fixture_init(1, 3, &f)) return;
  MW_OKAY(mw_bench_spread_eval(&f.place, 1e-3, 2000, &s, &err));
  int all = 0;
  for (int k = 0; k < MW_BENCH_BINS; k++) all += s.bin[k];
  MW_CHECK(all == 2000 && s.n == 2000);
  MW_CHECK(s.beyond >= 0 && (s.beyond > 0) == (s.worst > 5.0 * s.p50));
  MW_CHECK(s.p50 > 0.0 && s.p50 <= s.p99 && s.p99 <= s.p9999 && s.p9999 <= s.worst);
  // by hand: of 1 … 10 in any order, half are 5 or less, and all 10 or less
  double x[10] = { 4, 9, 1, 10, 2, 8, 3, 7, 5, 6 };
  MW_NEAR(mw_bench_quantile(x, 10, 0.5), 5.0, 0.0);
  MW_NEAR(mw_bench_quantile(x, 10, 0.51), 6.0, 0.0);
  MW_NEAR(mw_bench_quantile(x, 10, 1.0), 10.0, 0.0);
  fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "a_field_costs_its_sums_of_four", a_field_costs_its_sums_of_four },
  { "the_exponential_step_costs_its_formula_and_less_than_twice_that",
    the_exponential_step_costs_its_formula_and_less_than_twice_that },
  { "the_exponential_step_costs_the_same_everywhere",
    the_exponential_step_costs_the_same_everywhere },
  { "the_explicit_step_costs_four_right_hand_sides",
    the_explicit_step_costs_four_right_hand_sides },
  { "coefficients_needed_are_those_of_the_equations",
    coefficients_needed_are_those_of_the_equations },
  { "a_model_that_is_other_than_counted_is_an_error",
    a_model_that_is_other_than_counted_is_an_error },
  { "single_steps_are_sorted_and_binned", single_steps_are_sorted_and_binned },
};

int main(void) { return mw_test_run("bench_rom", cases, (int)(sizeof cases / sizeof *cases)); }
