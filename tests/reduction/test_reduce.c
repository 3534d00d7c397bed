// SPDX-License-Identifier: BSD-3-Clause
// test_reduce.c: the reduced model against the direct one, between grid points and in its limits.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"

// Largest relative error of the first n frequencies at 7 places off the grid, interpolated against
// direct.
static double interpolation_error(const mw_fixture *f, const mw_rom_file *rom, int n)
{
  mw_error err = { 0 };
  double worst = 0.0, *direct = NULL, hz[8];
  for (int i = 0; i < 7; i++) {
    mw_arena mem = { 0 };
    double theta[1] = { 0.0371 + 0.1337 * i };
    MW_OKAY(mw_direct_modes(&f->mech, theta, n, false, &mem, &direct, NULL, NULL, &err));
    MW_OKAY(mw_rom_frequencies(rom, theta, false, n, hz, &err));
    for (int k = 0; direct && k < n; k++) {
      double e = fabs(hz[k] / direct[k] - 1.0);
      if (!(e <= worst)) worst = e;
    }
    mw_arena_free(&mem);
  }
  return worst;
}

static void interpolated_frequencies_of_the_beam_meet_the_tolerance(void)
{
  static const char *const kinds[2] = { "SS", "CF" };
  for (int i = 0; i < 2; i++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    if (!MW_CHECK(mw_fixture_beam(kinds[i], 40, 0.5, 1.0, 25, 6, NULL, &f))) continue;
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
      MW_NEAR(interpolation_error(&f, &rom, 6), 0.0,
              1e-3);  // the figure the model asks for (reduction.tolerance)
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

static void frequencies_at_grid_points_are_exact(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 9, 4, NULL, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    for (int g = 0; g < 9; g++) {
      mw_arena mem = { 0 };
      double theta[1] = { g / 8.0 }, *direct = NULL, hz[4];
      MW_OKAY(mw_direct_modes(&f.mech, theta, 4, false, &mem, &direct, NULL, NULL, &err));
      MW_OKAY(mw_rom_frequencies(&rom, theta, false, 4, hz, &err));
      // both solve the same problem
      for (int k = 0; direct && k < 4; k++)
        MW_WITHIN(hz[k] / direct[k], 1.0, 1e6 * DBL_EPSILON, "worst of K's condition, 1e6");
      mw_arena_free(&mem);
    }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Nine points, tables of 129: the modes between are the mechanism's, not the splines'.
static void frequencies_at_table_points_are_exact_between_grid_points_too(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, 9, 4, NULL, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_CHECK(rom.n_grid[0] == 9 && rom.rom.n_grid[0] == 129))
    for (int g = 5; g < 129; g += 11) {  // 16 intervals of the table for one of the grid
      mw_arena mem = { 0 };
      double theta[1] = { g / 128.0 }, *direct = NULL, hz[4];
      MW_OKAY(mw_direct_modes(&f.mech, theta, 4, false, &mem, &direct, NULL, NULL, &err));
      MW_OKAY(mw_rom_frequencies(&rom, theta, false, 4, hz, &err));
      // bases of the bodies are good to 1e-6 of receptances, whose error is that of frequencies,
      // first order both
      for (int k = 0; direct && k < 4; k++)
        MW_WITHIN(hz[k] / direct[k], 1.0, 1e-6, "the tolerance of the bases");
      mw_arena_free(&mem);
    }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void frequency_error_falls_with_the_fourth_power_of_the_grid(void)
{
  double e[2];
  for (int i = 0; i < 2; i++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, i == 0 ? 13 : 25, 4, NULL, &f))) return;
    f.model.reduction.coordinate[0].refine = 1;  // a table of the grid's points alone
    e[i] = NAN;
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
      e[i] = interpolation_error(&f, &rom, 3);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
  MW_CHECK(e[1] < e[0] / 11.0);  // order 3.5
}

// Static compliance of the carriage anywhere is exact on the grid because its load is a pattern.
static void static_compliance_is_exact_at_grid_points_in_both_mode_sets(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 17, 3, NULL, &f))) return;
  for (int cb = 0; cb < 2; cb++) {
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    f.model.reduction.craig_bampton = cb == 1;
    // left of mid-span: where two held outputs meet, the fixed-interface modes have one constraint
    // less
    f.model.reduction.coordinate[0].lo = 0.1;
    f.model.reduction.coordinate[0].hi = 0.4;
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
      double theta[1] = { 0.25 }, delta[32], u[1] = { 0.0 }, y[64], x[64] = { 0 };
      double *work = aligned_alloc(64, mw_rom_work_bytes(&rom.rom));
      mw_rom_info info;
      MW_CHECK(mw_rom_static(&rom.rom, theta, u, delta, work, &info) == MW_ROM_OK);
      x[0] = theta[0];
      memcpy(x + 1, delta, (size_t)rom.rom.m * sizeof *x);
      MW_CHECK(mw_rom_outputs(&rom.rom, x, y, NULL, work, &info) == MW_ROM_OK);
      // w = F a² b² / (3 EI L) with F = m g = 0.5; Hermite elements are exact at nodes, where the
      // load stands: rounding, with a condition of K of 1e6 in these units
      double a = 0.25, w = 0.5 * a * a * (1 - a) * (1 - a) / 3.0;
      MW_NEAR(y[8], -w, 1e6 * DBL_EPSILON * w);
      free(work);
    }
    mw_rom_file_free(&rom);
  }
  mw_fixture_free(&f);
}

// A carriage that runs from support to support and past an output, with all of its loads fixed
// where they can be. Four modes fixed at mid-span and two patterns hold the four lowest of the free
// beam to a few thousandths (Rayleigh's quotient: squares of what they lack); before, where a fixed
// direction came and went they erred by a quarter, or the mechanism was singular.
static void craig_bampton_fixes_what_is_independent_everywhere(void)
{
  for (int i = 0; i < 2; i++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    if (!MW_CHECK(mw_fixture_beam(i ? "CF" : "SS", 20, 0.5, 1.0, 25, 4, NULL, &f))) continue;
    f.model.reduction.craig_bampton = true;
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
      MW_NEAR(interpolation_error(&f, &rom, 4), 0.0, 2e-2);
      // towards the tip its load and the carriage's become one within the last interval, which no
      // point resolves
      if (i == 0) MW_NEAR(rom.certificate.max_frequency_error, 0.0, 2e-2);
    }
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// Modes with loads fixed (mid-span, tip) and static patterns of these loads and the carriage's
// leave out of the lowest four frequencies what they leave out in any program: want, by numpy 2.4
// on 2026-11-23 (20 Hermite elements, Rayleigh and Ritz with K⁻¹ of the loads beside the modes, no
// interpolation, of eight modes without the carriage's pattern, which adds 4e-7 and is too little
// for a column). Bases of the bodies and interpolation change frequencies by 1e-6.
static void craig_bampton_errs_by_what_its_columns_leave_out(void)
{
  static const int modes[2] = { 4, 8 };
  static const double want[2] = { 1.166022e-2, 6.435915e-4 };
  for (int i = 0; i < 2; i++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, 33, modes[i], NULL, &f))) continue;
    f.model.reduction.craig_bampton = true;
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
      MW_NEAR(interpolation_error(&f, &rom, 4), want[i], 1e-6);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// Five points and eight modes: neighbours hold little of each other. Asked for, a finer table is
// refused; else it is left.
static void a_finer_table_that_modes_do_not_allow_is_left_unless_asked_for(void)
{
  for (int asked = 0; asked < 2; asked++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    if (!MW_CHECK(mw_fixture_beam("CF", 20, 2.0, 1.0, 5, 8, NULL, &f))) return;
    f.model.reduction.coordinate[0].refine = asked ? 4 : 0;
    mw_code rc = mw_reduce(&f.model, &f.mech, NULL, &rom, &err);
    if (asked) {
      MW_CHECK(rc == MW_ERR_NUMERIC && strstr(err.msg, "turn too fast") != NULL);
    } else {  // what then ends it is of the grid itself
      MW_CHECK(rc == MW_OK || strstr(err.msg, "turn too fast") == NULL);
      MW_CHECK(rc != MW_OK || rom.rom.n_grid[0] == 5);
    }
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

static void model_without_reduction_is_refused(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 8, 0.5, 1.0, 5, 2, NULL, &f))) return;
  f.model.reduction.present = false;
  MW_FAILS(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "reduction") != NULL);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "interpolated_frequencies_of_the_beam_meet_the_tolerance",
      interpolated_frequencies_of_the_beam_meet_the_tolerance },
    { "frequencies_at_grid_points_are_exact", frequencies_at_grid_points_are_exact },
    { "frequencies_at_table_points_are_exact_between_grid_points_too",
      frequencies_at_table_points_are_exact_between_grid_points_too },
    { "frequency_error_falls_with_the_fourth_power_of_the_grid",
      frequency_error_falls_with_the_fourth_power_of_the_grid },
    { "static_compliance_is_exact_at_grid_points_in_both_mode_sets",
      static_compliance_is_exact_at_grid_points_in_both_mode_sets },
    { "craig_bampton_errs_by_what_its_columns_leave_out",
      craig_bampton_errs_by_what_its_columns_leave_out },
    { "craig_bampton_fixes_what_is_independent_everywhere",
      craig_bampton_fixes_what_is_independent_everywhere },
    { "a_finer_table_that_modes_do_not_allow_is_left_unless_asked_for",
      a_finer_table_that_modes_do_not_allow_is_left_unless_asked_for },
    { "model_without_reduction_is_refused", model_without_reduction_is_refused },
  };
  return mw_test_run("reduce", cases, (int)(sizeof cases / sizeof *cases));
}
