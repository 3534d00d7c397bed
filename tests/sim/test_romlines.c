// SPDX-License-Identifier: BSD-3-Clause
// test_romlines.c: crossings and veerings of an interpolated reduced model against closed forms.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "fixture_rom.h"
#include "mw_test.h"

static double hz(double lambda) { return sqrt(lambda) / (2.0 * acos(-1.0)); }

static mw_rom_line line_of(const mw_rom_file *f, mw_arena *mem)
{
  mw_error err = { 0 };
  mw_rom_line l = { 0 };
  int middle[MW_ROM_MAX_S] = { 2, 2, 2 };
  MW_OKAY(mw_rom_line_build(f, 0, middle, MW_ROM_LINE_POINTS, mem, &l, &err));
  return l;
}

static void a_crossing_is_called_a_crossing_where_it_is(void)
{
  mw_arena mem = { 0 };
  fixture *x = fixture_rom(&TYPICAL, 1, 2);
  mw_rom_line l = line_of(&x->f, &mem);
  mw_approach a = fixture_approach(&l);
  MW_CHECK(a.kind == MW_APPROACH_CROSSING && a.lower == 0);
  // |λ_2 − λ_1| = 2 b |θ − ref|: its minimum is known as well as the two eigenvalues are, and to
  //   the last bracket
  double step = 1.0 / (MW_ROM_LINE_POINTS - 1);
  MW_NEAR(a.x, TYPICAL.ref, 2.0 * fixture_rounding(&TYPICAL) / (2.0 * TYPICAL.b) + 1e-12 * step);
  // both frequencies are √a / 2π there: off by what the place is, and rounding
  MW_NEAR(a.hz, hz(TYPICAL.a), hz(TYPICAL.a) * 2.0 * fixture_rounding(&TYPICAL) / TYPICAL.a);
  MW_CHECK(a.gap <= a.resolution);
  free(x);
  mw_arena_free(&mem);
}

// Smallest gap of (2) of romlines.c: λ = a ± |k| at ref, and √(a + r) − √(a − r) grows with r ≥
// |k|.
static void a_veering_is_called_a_veering_with_its_gap(void)
{
  static const double couplings[] = { 2e3, -2e2, 20.0, 1.0 };
  for (int i = 0; i < 4; i++) {
    mw_arena mem = { 0 };
    two_modes q = TYPICAL;
    q.k = couplings[i];
    fixture *x = fixture_rom(&q, 1, 2);
    mw_rom_line l = line_of(&x->f, &mem);
    mw_approach a = fixture_approach(&l);
    double k = fabs(q.k), gap = hz(q.a + k) - hz(q.a - k);
    double slip = 2.0 * fixture_rounding(&q) * hz(q.a) / q.a;  // Hz: of two frequencies
    MW_CHECK(a.kind == MW_APPROACH_VEERING && a.lower == 0);
    MW_NEAR(a.gap, gap, slip);
    // the gap in λ is 2k + (b x)²/k: a minimum is known to where this rises by rounding
    MW_NEAR(a.x, q.ref, sqrt(4.0 * fixture_rounding(&q) * k) / q.b + 1e-12);
    free(x);
    mw_arena_free(&mem);
  }
}

// The alignment cannot tell a coupling below 1e-6 of what λ_2 − λ_1 changes by in a cell; the
// certificate's errors hide more.
static void couplings_below_what_is_resolved_are_not_called_veerings(void)
{
  two_modes q = TYPICAL;
  mw_arena mem = { 0 };
  double direct[2] = { 30.0, 31.0 }, rom[2] = { 30.01, 30.98 }, theta = 0.3;
  q.k = 1e-7 * 2.0 * q.b * 0.2;
  fixture *x = fixture_rom(&q, 1, 2);
  mw_rom_line l = line_of(&x->f, &mem);
  MW_CHECK(fixture_approach(&l).kind == MW_APPROACH_CROSSING);
  free(x);
  // errors of 0.01 and 0.02 Hz: gaps of 0.029 and 0.031 Hz lie on either side
  for (int i = 0; i < 2; i++) {
    q.k = 8.0 * acos(-1.0) * acos(-1.0) * hz(q.a) * (i == 0 ? 0.029 : 0.031) / 2.0;
    x = fixture_rom(&q, 1, 2);
    x->f.certificate =
        (mw_certificate){ .n = 1, .n_freq = 2, .theta = &theta, .f_direct = direct, .f_rom = rom };
    l = line_of(&x->f, &mem);
    mw_approach a = fixture_approach(&l);
    MW_CHECK(a.kind == (i == 0 ? MW_APPROACH_UNRESOLVED : MW_APPROACH_VEERING));
    if (i == 0) MW_NEAR(a.resolution, 0.03, 4.0 * DBL_EPSILON * 31.0);
    free(x);
  }
  mw_arena_free(&mem);
}

// Stiffnesses a ± √(k² + b²(θ − ref)²) whose minimum lies outside, or whose gap hardly changes.
static void neighbours_that_pass_at_a_distance_are_only_closest(void)
{
  for (int i = 0; i < 2; i++) {
    mw_arena mem = { 0 };
    two_modes q = TYPICAL;
    if (i == 0) q.ref = -0.25;
    if (i == 1) q.k = 2e4;
    fixture *x = fixture_rom(&q, 1, 2);
    mw_rom_line l = line_of(&x->f, &mem);
    double r = hypot(q.k, i == 0 ? q.b * q.ref : 0.0), gap = hz(q.a + r) - hz(q.a - r);
    MW_CHECK(l.n_approach == 1 && l.approach[0].kind == MW_APPROACH_CLOSEST);
    // the points of the line: the minimum of i = 1 lies within half a step of one, and rises by (b
    // h/2)²/k in λ
    double h = 1.0 / (MW_ROM_LINE_POINTS - 1), rise = i == 1 ? pow(0.5 * q.b * h, 2.0) / q.k : 0.0;
    MW_NEAR(l.approach[0].gap, gap,
            hz(q.a) * (rise + 2.0 * fixture_rounding(&q)) / (2.0 * (q.a - r)) + 1e-12 * gap);
    free(x);
    mw_arena_free(&mem);
  }
}

// Line 0 is the softer diagonal entry of K: mode 1 before ref, mode 2 behind it, by a crossing or
// by a veering.
static void colours_follow_the_modes_through_a_crossing_and_a_veering(void)
{
  for (int i = 0; i < 2; i++) {
    mw_arena mem = { 0 };
    two_modes q = TYPICAL;
    q.k = i == 0 ? 0.0 : 500.0;
    fixture *x = fixture_rom(&q, 1, 2);
    mw_rom_line l = line_of(&x->f, &mem);
    for (int p = 0; p < l.n; p++)
      for (int k = 0; k < 2; k++) MW_CHECK(l.identity[k * l.n + p] == (l.x[p] < q.ref ? k : 1 - k));
    free(x);
    mw_arena_free(&mem);
  }
}

static void a_frequency_that_patterns_carry_belongs_to_no_mode(void)
{
  mw_arena mem = { 0 };
  two_modes q = TYPICAL;
  q.p = 1e3;  // softer than both modes
  fixture *x = fixture_rom(&q, 1, 2);
  mw_rom_line l = line_of(&x->f, &mem);
  for (int p = 0; p < l.n; p++) MW_CHECK(l.identity[p] == -1 && l.identity[l.n + p] >= 0);
  free(x);
  mw_arena_free(&mem);
}

static const mw_test_case cases[] = {
  { "a_crossing_is_called_a_crossing_where_it_is", a_crossing_is_called_a_crossing_where_it_is },
  { "a_veering_is_called_a_veering_with_its_gap", a_veering_is_called_a_veering_with_its_gap },
  { "couplings_below_what_is_resolved_are_not_called_veerings",
    couplings_below_what_is_resolved_are_not_called_veerings },
  { "neighbours_that_pass_at_a_distance_are_only_closest",
    neighbours_that_pass_at_a_distance_are_only_closest },
  { "colours_follow_the_modes_through_a_crossing_and_a_veering",
    colours_follow_the_modes_through_a_crossing_and_a_veering },
  { "a_frequency_that_patterns_carry_belongs_to_no_mode",
    a_frequency_that_patterns_carry_belongs_to_no_mode },
};

int main(void) { return mw_test_run("romlines", cases, (int)(sizeof cases / sizeof *cases)); }
