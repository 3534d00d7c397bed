// SPDX-License-Identifier: BSD-3-Clause
// test_motion.c: rigid motion of reduced models of machines that turn: closed forms of their tools,
// fields that only frames turn, tables that keep the grid's splines.
#include <float.h>
#include <math.h>
#include <string.h>

#include "arms.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "table/records_layer.h"

// Configurations off every grid: steps of the golden ratio's powers (Kronecker).
static void place(const mw_fixture *f, int k, double *theta)
{
  static const double step[3] = { 0.6180339887498949, 0.7548776662466927, 0.5698402909980532 };
  for (int i = 0; i < f->model.reduction.n_coordinate; i++) {
    const mw_coordinate_in *c = &f->model.reduction.coordinate[i];
    double x = 0.5 + (k + 1) * step[i];
    theta[i] = c->lo + (c->hi - c->lo) * (x - floor(x));
  }
}

// Largest errors of the tool and of its velocities for unit rates over 400 configurations.
static void tool_errors(const mw_fixture *f, const mw_rom *rom, arm_kind kind, double e[2])
{
  static double v[4096], grad[3 * 4096];
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  e[0] = e[1] = 0.0;
  if (!MW_CHECK(rom->n_field <= 4096)) return;
  for (int k = 0; k < 400; k++) {
    double theta[3], x[3], D[9];
    place(f, k, theta);
    arm_tool(kind, theta, x, D);
    MW_CHECK(mw_rom_fields(rom, theta, v, grad, NULL) == MW_ROM_OK);
    for (int i = 0; i < 3; i++) {
      int y = L.y + i * (1 + rom->m);
      e[0] = fmax(e[0], fabs(v[y] - x[i]));
      for (int j = 0; j < rom->s; j++)
        e[1] = fmax(e[1], fabs(grad[j * rom->n_field + y] - D[i * rom->s + j]));
    }
  }
}

static void a_tool_at_rest_is_where_its_angles_say(void)
{
  for (int kind = 0; kind < ARM_SCARA; kind++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    double e[2];
    if (!MW_CHECK(arm_open((arm_kind)kind, NULL, &f))) continue;
    f.model.reduction.n_sample = 0;  // of frequencies and such
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
      tool_errors(&f, &rom.rom, (arm_kind)kind, e);
      // CAP of rigid_axes.c, of a machine of less than two metres' size; derivatives: p = 1e-4 of
      // the largest, some 1 m/rad
      MW_NEAR(e[0], 0.0, 5e-7);
      MW_NEAR(e[1], 0.0, 1e-4);
      const mw_certificate *c = &rom.certificate;
      MW_CHECK(c->n_motion == 1000 && c->motion_error > 0.0 && c->motion_error <= 5e-7);
      MW_CHECK(c->motion_tolerance >= 1e-7 && c->motion_tolerance < 1e-2);
    }
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// Along phi nothing elastic changes and its grid has 5 points: gravity along x turns with the arm
// in U0, a closed form, and d of phi stays what it is.
static void fields_that_frames_turn_are_right_between_points_of_an_angle(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  static double v[4096], w[4096];
  if (!MW_CHECK(arm_open(ARM_POLAR, "  tolerance: 1e-3\n", &f))) return;
  f.model.reduction.n_sample = 0;
  f.model.gravity[0] = 4.0;  // along x: −M g·x in U0, and across the arm where it points along y
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_CHECK(rom.rom.n_field <= 4096)) {
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
    int m = rom.rom.m;
    double most = 0.0, apart = 0.0;
    for (int k = 0; k < 100; k++) {
      double theta[2], turned[2];
      place(&f, k, theta);
      memcpy(turned, theta, sizeof turned);
      turned[0] = theta[0] + 1.0;
      MW_CHECK(mw_rom_fields(&rom.rom, theta, v, NULL, NULL) == MW_ROM_OK);
      MW_CHECK(mw_rom_fields(&rom.rom, turned, w, NULL, NULL) == MW_ROM_OK);
      double r = theta[1], mass = 2700 * 0.04 * 0.05;  // arm of 1 m, its middle at 0.5, height 0
      // slopes err by 1e-4 of the largest, some 20 J/rad, over a fraction of an interval of 0.07
      // rad
      MW_NEAR(v[L.U0], -(mass * 0.5 + 3.0 * r) * 4.0 * cos(theta[0]), 1e-4);
      for (int a = 0; a < m; a++) {  // d of phi: nothing of it turns
        most = fmax(most, fabs(v[L.d + a]));
        apart = fmax(apart, fabs(v[L.d + a] - w[L.d + a]));
      }
    }
    // constant along phi but for rounding and what modes at 5 points differ by (1e-7: flatten.c)
    MW_WITHIN(apart / most, 0.0, 1e-6, "ten times what flatten.c takes for constant");
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Two fields along two axes: one elastic, known on the coarse grid; its spline on the finer table
// is the grid's to rounding.
static void knots_that_are_inserted_leave_a_spline_as_it_is(void)
{
  enum { N0 = 6, N1 = 5, F0 = 3, F1 = 4, M0 = (N0 - 1) * F0 + 1, M1 = (N1 - 1) * F1 + 1 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_axis coarse[2], grid[2], fine[2];
  MW_OKAY(mw_axis_uniform(0.0, 1.0, false, N0, F0, &mem, &grid[0], &err));
  MW_OKAY(mw_axis_uniform(-1.0, 2.0, false, N1, F1, &mem, &grid[1], &err));
  MW_OKAY(mw_axis_uniform(0.0, 1.0, false, M0, 1, &mem, &fine[0], &err));
  MW_OKAY(mw_axis_uniform(-1.0, 2.0, false, M1, 1, &mem, &fine[1], &err));
  MW_OKAY(mw_axis_uniform(0.0, 1.0, false, N0, 1, &mem, &coarse[0], &err));
  MW_OKAY(mw_axis_uniform(-1.0, 2.0, false, N1, 1, &mem, &coarse[1], &err));
  // a record of s = 2, m = 0, n_y = 1: a [3], U0, y0; the last is elastic here
  enum { NF = 5 };
  unsigned char elastic[NF] = { 0, 0, 0, 0, 1 };
  static double data[M0 * M1 * NF], first[N0 * N1], c[(M0 + 2) * (M1 + 2) * NF];
  static double want[(M0 + 2) * (M1 + 2)];
  for (int i = 0; i < M0; i++)
    for (int j = 0; j < M1; j++) {
      double x = mw_axis_theta(&fine[0], i), y = mw_axis_theta(&fine[1], j);
      double *rec = data + (i * M1 + j) * NF;
      for (int k = 0; k < NF - 1; k++) rec[k] = cos(2 * x + k) * sin(y);
      rec[NF - 1] = NAN;  // between grid points nobody looks
      if (i % F0 == 0 && j % F1 == 0)
        rec[NF - 1] = first[i / F0 * N1 + j / F1] = exp(x) * cos(3 * y);
    }
  mw_records r = { .s = 2, .n_y = 1, .axis = fine, .grid = grid, .elastic = elastic, .data = data };
  MW_OKAY(mw_records_fit(&r, c, &err));
  MW_OKAY(mw_axis_fit(2, grid, 1, first, want, &err));
  for (int k = 0; k < (M0 + 2) * (M1 + 2); k++)
    MW_NEAR(c[k * NF + NF - 1], want[k], 0.0);  // the same sums
  mw_arena_free(&mem);
}

static void a_slide_alone_leaves_the_table_as_it_is(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 8, 0.5, 1.0, 9, 2, NULL, &f))) return;
  f.model.reduction.coordinate[0].refine = 1;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(rom.rom.n_grid[0] == 9);
    // positions are linear in x: rounding of the spline's sums
    MW_NEAR(rom.certificate.motion_error, 0.0, 32 * DBL_EPSILON);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void declared_ranges_are_kept_with_the_model(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(arm_open(ARM_TWO_LINK, "  inputs: { m2: 40 }\n  max_deflection: 0.01\n", &f)))
    return;
  f.model.reduction.coordinate[1].max_rate = 3.0;
  f.model.reduction.n_sample = 0;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    const mw_rom *r = &rom.rom;
    MW_CHECK(r->rate_max && isinf(r->rate_max[0]) && r->rate_max[1] == 3.0);
    MW_CHECK(r->u_max && isinf(r->u_max[0]) && r->u_max[1] == 40.0);
    // at its largest amplitude a column moves the tool by no more than the declared deflection
    static double v[4096];
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(r));
    double theta[2] = { 0.0, 0.0 };
    MW_CHECK(mw_rom_fields(r, theta, v, NULL, NULL) == MW_ROM_OK);
    for (int a = 0; a < r->m; a++) {
      double x = 0.0;
      for (int i = 0; i < 3; i++) x += pow(v[L.y + i * (1 + r->m) + 1 + a] * r->delta_max[a], 2);
      MW_CHECK(sqrt(x) <= 0.01 * (1.0 + 1e-9) && isfinite(r->delta_max[a]));
    }
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// The slider's place as coordinate: unit forces on it bend nothing, what is left of them is
// rounding of either sign.
static void an_output_that_theta_holds_does_not_end_a_reduction(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(arm_open(ARM_SLIDER_CRANK, "", &f))) return;
  // the slider's place instead of the crank's angle
  mw_coordinate_in *c = &f.model.reduction.coordinate[0];
  *c = (mw_coordinate_in){
    .name = "x", .joint = 3, .lo = 0.2, .hi = 0.42, .n_grid = 9, .refine = 1
  };
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    // the drive of the angle, which is free now, has its pattern; asked of grids is 1e-3, and at
    // rest no more than ten times that
    MW_NEAR(rom.certificate.max_static_error, 0.0, 1e-2);
    MW_NEAR(rom.certificate.max_frequency_error, 0.0, 1e-3);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_tool_at_rest_is_where_its_angles_say", a_tool_at_rest_is_where_its_angles_say },
    { "fields_that_frames_turn_are_right_between_points_of_an_angle",
      fields_that_frames_turn_are_right_between_points_of_an_angle },
    { "knots_that_are_inserted_leave_a_spline_as_it_is",
      knots_that_are_inserted_leave_a_spline_as_it_is },
    { "a_slide_alone_leaves_the_table_as_it_is", a_slide_alone_leaves_the_table_as_it_is },
    { "declared_ranges_are_kept_with_the_model", declared_ranges_are_kept_with_the_model },
    { "an_output_that_theta_holds_does_not_end_a_reduction",
      an_output_that_theta_holds_does_not_end_a_reduction },
  };
  return mw_test_run("motion", cases, (int)(sizeof cases / sizeof *cases));
}
