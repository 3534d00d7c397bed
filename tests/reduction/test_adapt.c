// SPDX-License-Identifier: BSD-3-Clause
// test_adapt.c: grids that choose their own points; modes counted on all of them; bases that turn
// out too short.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "pass_layer.h"
#include "reduction/certificate.h"
#include "system/system_layer.h"

// A cantilever whose last part is thin, a mass sliding over it: nothing much happens before, much
// on the thin part.
static bool stepped_beam(mw_fixture *out)
{
  static const char *const text =
      "modeway: 1\n"
      "name: stepped beam and carriage\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections:\n"
      "  thick: { rectangle: { width: 0.04, height: 0.06 } }\n"
      "  thin: { rectangle: { width: 0.04, height: 0.012 } }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [0.75, 0, 0], b: [1, 0, 0] }\n"
      "      members:\n"
      "        - { from: a, to: m, section: thick, material: alu, elements: 12, up: [0, 0, 1] }\n"
      "        - { from: m, to: b, section: thin, material: alu, elements: 24, up: [0, 0, 1] }\n"
      "    supports: [ { nodes: a, dofs: all } ]\n"
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "  cart:\n"
      "    at: [0.5, 0, 0]\n"
      "    rigid: { mass: 0.5, com: [0, 0, 0], inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] }\n"
      "joints:\n"
      "  x: { slide: { guide: beam.rail, on: cart, orientation: fixed }, coordinate: x, drive: "
      "motor }\n"
      "outputs: { cart: { body: cart, point: [0, 0, 0] } }\n"
      "reduction:\n"
      "  grid: auto\n"
      "  coordinates: { x: { range: [0.1, 0.95] } }\n"
      "  modes: { count: 3 }\n"
      "  certificate: { points: 20 }\n";
  return mw_fixture_text(text, out);
}

// ---- grids --------------------------------------------------------------------------------------

// The same reduced by tables of the grid's points alone, once for all tests that look at it.
static mw_rom_file on_grid;
static bool reduced_on_grid(mw_fixture *f)
{
  mw_error err = { 0 };
  bool fits = stepped_beam(f);
  if (!fits || on_grid.n_point > 0) return fits;
  f->model.reduction.coordinate[0].refine = 1;
  fits = MW_OKAY(mw_reduce(&f->model, &f->mech, NULL, &on_grid, &err));
  if (!fits) mw_fixture_free(f);
  return fits;
}

static void a_stepped_beam_gets_its_points_where_it_is_thin_and_errs_less_than_a_finer_uniform_grid(
    void)
{
  mw_fixture f;
  mw_rom_file uniform = { 0 };
  mw_error err = { 0 };
  double narrow = INFINITY, wide = 0.0, at = 0.0;
  if (!MW_CHECK(reduced_on_grid(&f))) return;
  MW_CHECK(on_grid.certificate.max_frequency_error <= on_grid.certificate.tolerance);
  MW_CHECK(on_grid.certificate.n_mesh == 20);
  for (int k = 0; k + 1 < on_grid.n_grid[0]; k++) {
    double h = on_grid.grid[0][k + 1] - on_grid.grid[0][k];
    wide = fmax(wide, h);
    if (h > narrow) continue;
    narrow = h;
    at = on_grid.grid[0][k];
  }
  // the thin quarter begins at 0.75: 125 times softer, half as fast a bending wave
  MW_CHECK(at > 0.6);
  MW_CHECK(wide > 3.9 * narrow);
  // a third more points, but everywhere alike
  mw_reduce_opt opt = { .n_grid_override = on_grid.n_point * 4 / 3 };
  f.model.reduction.coordinate[0].refine = 1;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &uniform, &err)))
    MW_CHECK(uniform.certificate.max_frequency_error > on_grid.certificate.max_frequency_error);
  MW_CHECK(on_grid.grid_note != NULL && uniform.grid_note == NULL);
  mw_rom_file_free(&uniform);
  mw_fixture_free(&f);
}

// Points are what modes are followed by; what splines need besides, tables have between them.
static void tables_finer_than_the_grid_meet_the_tolerance_on_fewer_points(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(reduced_on_grid(&f))) return;
  f.model.reduction.coordinate[0].refine = 0;  // left open
  MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
  MW_CHECK(on_grid.rom.n_grid[0] >= on_grid.n_grid[0]);
  MW_CHECK(rom.rom.n_grid[0] > 2 * rom.n_grid[0]);
  MW_CHECK(rom.n_point < on_grid.n_point);
  MW_CHECK(rom.certificate.max_frequency_error <= rom.certificate.tolerance);
  MW_CHECK(rom.certificate.min_mac >= 1.0 - 2.0 * rom.certificate.tolerance);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A mass of 0.43 of the beam's moving along it, tables of the grid's points alone: convective
// forces, which grow as the rate, miss 2 ε at one place of the grid that frequencies chose, and the
// interval there is halved. The range is no mirror image of itself: rounding would decide which of
// two places that are worth the same gets a point.
static void forces_that_move_get_points_where_they_err(void)
{
  static const double rate[2] = { 1e-3, 0.28 };
  mw_fixture f;
  mw_rom_file rom[2] = { 0 };
  mw_error err = { 0 };
  double near = -1.0, gap[2] = { 1.0, 1.0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 40, 0.43, 1.0, 5, 3, "damping: { beta: 1e-2 }\n", &f)))
    return;
  f.model.reduction.grid_auto = true;
  f.model.reduction.tolerance = 5e-3;
  f.model.reduction.coordinate[0].refine = 1;
  f.model.reduction.coordinate[0].lo = 0.01;
  for (int i = 0; i < 2; i++) {
    f.model.reduction.coordinate[0].max_rate = f.model.reduction.coordinate[0].max_acceleration =
        rate[i];
    MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom[i], &err));
  }
  if (MW_CHECK(rom[0].grid_note && rom[1].grid_note)) {
    const char *at =
        strstr(rom[1].grid_note, "for forces, last convective, second order near x = ");
    printf("%d and %d points; %s\n", rom[0].n_grid[0], rom[1].n_grid[0], rom[1].grid_note);
    MW_CHECK(strstr(rom[0].grid_note, "for forces") == NULL);
    MW_CHECK(rom[1].n_grid[0] > rom[0].n_grid[0]);
    MW_CHECK(at && sscanf(strchr(at, '='), "= %lf", &near) == 1);
    for (int i = 0; i < 2; i++)
      for (int k = 0; k + 1 < rom[i].n_grid[0]; k++)
        if (rom[i].grid[0][k] <= near && near < rom[i].grid[0][k + 1])
          gap[i] = rom[i].grid[0][k + 1] - rom[i].grid[0][k];
    MW_NEAR(gap[1], 0.5 * gap[0], 4.0 * DBL_EPSILON * rom[0].grid[0][rom[0].n_grid[0] - 1]);
    MW_CHECK(mw_certificate_met(&rom[0].certificate) && mw_certificate_met(&rom[1].certificate));
  }
  mw_rom_file_free(&rom[0]);
  mw_rom_file_free(&rom[1]);
  mw_fixture_free(&f);
}

// Three carriages, each on a beam of its own, the first over half of it, the others over a fifth.
static bool three_beams(mw_fixture *out)
{
  static const int thick[3] = { 10, 13, 17 };  // mm
  char text[8192], *to = text;
  to += sprintf(to, "modeway: 1\n"
                    "name: three beams\n"
                    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
                    "sections:\n");
  for (int i = 0; i < 3; i++)
    to += sprintf(to, "  s%d: { rectangle: { width: 0.08, height: 0.0%d } }\n", i, thick[i]);
  to += sprintf(to, "bodies:\n");
  for (int i = 0; i < 3; i++)
    to += sprintf(
        to,
        "  bed%d:\n"
        "    ground: true\n"
        "    beams:\n"
        "      points: { a: [0, %d, 0], b: [1, %d, 0] }\n"
        "      members: [ { from: a, to: b, section: s%d, material: alu, elements: 8, "
        "up: [0, 0, 1] } ]\n"
        "    supports: [ { nodes: a }, { nodes: b } ]\n"
        "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
        "  cart%d: { at: [0.5, %d, 0], rigid: { mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } "
        "}\n",
        i, i, i, i, i, i);
  to += sprintf(to, "joints:\n");
  for (int i = 0; i < 3; i++)
    to += sprintf(to,
                  "  j%d: { slide: { guide: bed%d.rail, on: cart%d, orientation: fixed }, "
                  "coordinate: x%d, drive: m%d }\n",
                  i, i, i, i, i);
  sprintf(to, "outputs: { cart: { body: cart0, point: [0, 0, 0] } }\n"
              "reduction:\n"
              "  coordinates:\n"
              "    x0: { range: [0.25, 0.75], max_rate: 0.01, max_acceleration: 0.1, points: 5 }\n"
              "    x1: { range: [0.4, 0.6], max_rate: 0.01, max_acceleration: 0.1, points: 5 }\n"
              "    x2: { range: [0.4, 0.6], max_rate: 0.01, max_acceleration: 0.1, points: 5 }\n"
              "  modes: { count: 3 }\n"
              "  certificate: { points: 1, samples: 24 }\n");
  return mw_fixture_text(text, out);
}

// Where modes are followed well enough and the tables alone err, these get finer, along the axis
// that errs, and the grid stays: the same grid given misses with two table intervals for one of its
// own, splines through equidistant points, and meets with six along the first axis.
static void where_splines_alone_err_tables_get_finer_and_the_grid_stays(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 }, given[2] = { { .n_point = 0 }, { .n_point = 0 } };
  mw_error err = { 0 };
  if (!MW_CHECK(three_beams(&f))) return;
  f.model.reduction.grid_auto = true;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    for (int i = 0; i < 3; i++) MW_CHECK(rom.n_grid[i] == 5);
    // 9 points and tables of 11 to begin with (axis_smooth.c)
    MW_CHECK(rom.rom.n_grid[0] > 11 && rom.rom.n_grid[1] == 11 && rom.rom.n_grid[2] == 11);
    MW_CHECK(mw_certificate_met(&rom.certificate));
    f.model.reduction.grid_auto = false;
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3; i++) f.model.reduction.coordinate[i].refine = k == 1 && i == 0 ? 6 : 2;
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &given[k], &err));
      MW_CHECK(mw_certificate_met(&given[k].certificate) == (k == 1));
    }
    for (int i = 0; i < 7; i++) {
      mw_arena mem = { 0 };
      double theta[3] = { 0.2613 + 0.0771 * i, 0.4133 + 0.0287 * i, 0.5871 - 0.0263 * i };
      double *direct = NULL, hz[3], hz_given[3];
      MW_OKAY(mw_direct_modes(&f.mech, theta, 3, 0, &mem, &direct, NULL, NULL, &err));
      MW_OKAY(mw_rom_frequencies(&rom, theta, false, 3, hz, &err));
      MW_OKAY(mw_rom_frequencies(&given[1], theta, false, 3, hz_given, &err));
      for (int k = 0; direct && k < 3; k++) {
        MW_WITHIN(hz[k] / direct[k], 1.0, 1e-3, "the tolerance asked for");
        MW_WITHIN(hz_given[k] / direct[k], 1.0, 1e-3, "the tolerance asked for");
      }
      mw_arena_free(&mem);
    }
  }
  mw_rom_file_free(&rom);
  for (int k = 0; k < 2; k++) mw_rom_file_free(&given[k]);
  mw_fixture_free(&f);
}

static void frequencies_between_chosen_points_meet_the_tolerance_at_places_no_certificate_looks_at(
    void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("CF", 40, 0.5, 1.0, 5, 4, NULL, &f))) return;
  f.model.reduction.grid_auto = true;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    for (int i = 0; i < 13; i++) {
      mw_arena mem = { 0 };
      double theta[1] = { 0.0171 + 0.0737 * i }, *direct = NULL, hz[4];
      MW_OKAY(mw_direct_modes(&f.mech, theta, 4, 0, &mem, &direct, NULL, NULL, &err));
      MW_OKAY(mw_rom_frequencies(&rom, theta, false, 4, hz, &err));
      for (int k = 0; direct && k < 4; k++)
        MW_WITHIN(hz[k] / direct[k], 1.0, 1e-3, "the tolerance asked for");
      mw_arena_free(&mem);
    }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void an_axis_nothing_depends_on_stays_at_its_fewest_points(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_machine("  grid: auto\n", &f))) return;
  f.model.reduction.coordinate[1].refine =
      1;  // phi wants more points of tables that have no others
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(mw_certificate_met(&rom.certificate));
    MW_CHECK(rom.rom.flat == 1u);  // x: a rigid rail
    MW_CHECK(rom.n_grid[0] == 5);
    MW_CHECK(rom.n_grid[1] > 5);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void a_grid_too_coarse_to_follow_the_modes_gets_more_points(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("CF", 20, 5.0, 1.0, 5, 6, NULL, &f))) return;
  mw_reduce_opt five = { .n_grid_override = 5 };
  f.model.reduction.coordinate[0].lo = 0.2;
  f.model.reduction.grid_auto = true;
  MW_FAILS(mw_reduce(&f.model, &f.mech, &five, &rom, &err), MW_ERR_NUMERIC);
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(rom.n_grid[0] > 5);
    MW_CHECK(rom.certificate.max_frequency_error <= rom.certificate.tolerance);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void what_cannot_be_met_ends_and_says_why(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char text[256];
  if (!MW_CHECK(mw_fixture_beam("CF", 8, 0.5, 1.0, 5, 2, NULL, &f))) return;
  f.model.reduction.grid_auto = true;
  f.model.reduction.tolerance = 1e-11;  // bodies' bases are right to 1e-6 of receptances
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(!mw_certificate_met(&rom.certificate));
    MW_CHECK(rom.n_point <= 257);
    MW_CHECK(strstr(rom.grid_note, "interpolation errs by") != NULL);
    // which quantity, along which coordinate, where: within its range
    const char *most = strstr(rom.grid_note, ", most in "), *near = NULL;
    double place = NAN;
    if (MW_CHECK(most != NULL)) near = strstr(most, " along x near ");
    if (MW_CHECK(near != NULL)) MW_CHECK(sscanf(near, " along x near %lg", &place) == 1);
    MW_CHECK(place > rom.rom.lo[0] && place < rom.rom.hi[0]);
    mw_certificate_advice(&rom, text, sizeof text);
    MW_CHECK(strlen(text) > 20);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// ---- modes and bands ----------------------------------------------------------------------------

static void modes_below_a_frequency_are_counted_at_all_grid_points(void)
{
  // Second mode of the simple beam: (2π)² / 2π = 6.283 Hz where the mass rides on its node or a
  // support, which is where the ends and the middle of the range are; in between the mass drags it
  // below 6 Hz.
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.5, 1.0, 17, 4, NULL, &f))) return;
  f.model.reduction.n_modes = 0;
  f.model.reduction.modes_below = 6.0;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    int below[3] = { 0 }, at[3] = { 0, 4, 8 };
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < rom.n_freq; k++) below[i] += rom.frequency[at[i] * rom.n_freq + k] <= 6.0;
    MW_CHECK(below[0] == 1 && below[1] == 2 && below[2] == 1);
    MW_CHECK(rom.n_freq == 2);
    MW_CHECK(rom.certificate.n_freq == 2);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A reduction with bases for `band` and n_want modes on its grid; the grid's kinematics are there.
static bool begin(const mw_fixture *f, double band, int n_want, mw_reduction *r, mw_pass *p)
{
  mw_error err = { 0 };
  mw_offline *z = NULL;
  mw_work *w = NULL;
  mw_code rc = mw_reduction_init(&f->model, &f->mech, NULL, r, &err);
  if (rc == MW_OK) rc = mw_offline_init(&f->model, &f->mech, NULL, &z, &err);
  mw_work_opt opt = { .fn = mw_reduce_unit, .ctx = z, .context = "" };
  if (rc == MW_OK) rc = mw_work_init(&opt, &w, &err);
  r->offline = z;
  r->work = w;
  r->n_want = n_want;
  *p = (mw_pass){ .band = { .band = band, .tolerance = 1e-6 }, .extra = MW_MODES_EXTRA };
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    double theta[MW_ROM_MAX_S];
    mw_reduction_theta(r, g, theta);
    rc = mw_config_at(r->full, r->locked, r->s, r->coord, theta, g > 0 ? &r->point[g - 1].q : NULL,
                      &r->point[g].mem, &r->point[g].q, &err);
  }
  if (rc == MW_OK) rc = mw_units_bodies(r, p->band, 0, NULL, NULL, &err);
  if (rc == MW_OK) mw_pass_use(r, &z->fine);
  return MW_OKAY(rc);
}

static void end(mw_reduction *r)
{
  mw_offline *z = r->offline;
  mw_work *w = r->work;
  mw_reduction_free(r);
  if (w) mw_work_free(w);
  mw_offline_free(z);
}

static void bases_that_turn_out_too_short_are_made_anew(void)
{
  mw_fixture f;
  mw_reduction r = { 0 };
  mw_pass pass;
  mw_error err = { 0 };
  int n = 0;
  double two_pi = 2.0 * acos(-1.0);
  if (!MW_CHECK(mw_fixture_beam("CF", 40, 0.5, 1.0, 5, 6, NULL, &f))) return;
  // the sixth mode of the free cantilever: ω = β² = 17.3²; bases for a tenth of it
  if (begin(&f, 0.1 * 17.278759657 * 17.278759657, 6, &r, &pass)) {
    n = r.n;
    MW_OKAY(mw_pass_modes_in_band(&r, &pass, &err));
    MW_CHECK(pass.enlarged >= 1);
    MW_CHECK(r.n > n);
    for (int g = 0; g < r.n_point && r.point[g].lambda; g++) {
      mw_arena mem = { 0 };
      double *direct = NULL;
      MW_CHECK(sqrt(r.point[g].lambda[5]) <= pass.band.band);
      MW_OKAY(mw_direct_modes(&f.mech, r.point[g].q.theta, 6, 0, &mem, &direct, NULL, NULL, &err));
      // modes within the band of bases of 1e-6: as good as these, and K's condition
      for (int k = 0; direct && k < 6; k++)
        MW_WITHIN(sqrt(r.point[g].lambda[k]) / two_pi, direct[k], 1e-6 * direct[k],
                  "the tolerance of the bases");
      mw_arena_free(&mem);
    }
  }
  end(&r);
  mw_fixture_free(&f);
}

// Finer tables that did not help go before the grid gets its points, and are not asked for again.
static void tables_that_do_not_help_are_given_up_before_the_grid_gets_points(void)
{
  mw_fixture f;
  mw_reduction r = { 0 };
  mw_pass pass;
  mw_made made = { 0 };
  mw_adapt a = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  bool more = false;
  if (!MW_CHECK(three_beams(&f))) return;
  if (begin(&f, 3000.0, 3, &r, &pass) && MW_OKAY(mw_adapt_init(&r, &made, &a, &err))) {
    r.finer[2] = 2;
    MW_CHECK(mw_adapt_ask_table(&a, 0, 10.0));
    for (int k = 0; k < 2; k++) {  // 0: tables go, 1: points come
      MW_CHECK(MW_OKAY(mw_adapt_everywhere(&a, &rom, &more, &err)) && more && a.everywhere == k);
      for (int i = 0; i < 3; i++) MW_CHECK(r.n_grid[i] == (k ? 9 : 5) && r.finer[i] == 0);
      MW_CHECK(!mw_adapt_ask_table(&a, 0, 10.0) && !mw_adapt_give_up_tables(&a));
    }
  }
  mw_adapt_free(&a);
  end(&r);
  mw_fixture_free(&f);
}

static void a_band_the_model_states_is_left_alone(void)
{
  mw_fixture f;
  mw_reduction r = { 0 };
  mw_pass pass;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, 5, 6, NULL, &f))) return;
  f.model.reduction.body_band = 5.0;
  if (begin(&f, 30.0, 6, &r, &pass)) MW_OKAY(mw_pass_modes_in_band(&r, &pass, &err));
  MW_CHECK(pass.enlarged == 0 && pass.band.band == 30.0);
  end(&r);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_stepped_beam_gets_its_points_where_it_is_thin_and_errs_less_than_a_finer_uniform_grid",
      a_stepped_beam_gets_its_points_where_it_is_thin_and_errs_less_than_a_finer_uniform_grid },
    { "tables_finer_than_the_grid_meet_the_tolerance_on_fewer_points",
      tables_finer_than_the_grid_meet_the_tolerance_on_fewer_points },
    { "forces_that_move_get_points_where_they_err", forces_that_move_get_points_where_they_err },
    { "where_splines_alone_err_tables_get_finer_and_the_grid_stays",
      where_splines_alone_err_tables_get_finer_and_the_grid_stays },
    { "frequencies_between_chosen_points_meet_the_tolerance_at_places_no_certificate_looks_at",
      frequencies_between_chosen_points_meet_the_tolerance_at_places_no_certificate_looks_at },
    { "an_axis_nothing_depends_on_stays_at_its_fewest_points",
      an_axis_nothing_depends_on_stays_at_its_fewest_points },
    { "a_grid_too_coarse_to_follow_the_modes_gets_more_points",
      a_grid_too_coarse_to_follow_the_modes_gets_more_points },
    { "what_cannot_be_met_ends_and_says_why", what_cannot_be_met_ends_and_says_why },
    { "modes_below_a_frequency_are_counted_at_all_grid_points",
      modes_below_a_frequency_are_counted_at_all_grid_points },
    { "bases_that_turn_out_too_short_are_made_anew", bases_that_turn_out_too_short_are_made_anew },
    { "tables_that_do_not_help_are_given_up_before_the_grid_gets_points",
      tables_that_do_not_help_are_given_up_before_the_grid_gets_points },
    { "a_band_the_model_states_is_left_alone", a_band_the_model_states_is_left_alone },
  };
  int status = mw_test_run("adapt", cases, (int)(sizeof cases / sizeof *cases));
  mw_rom_file_free(&on_grid);
  return status;
}
