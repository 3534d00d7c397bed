// SPDX-License-Identifier: BSD-3-Clause
// test_lobes.c: depths of stable cuts: one motion in closed form and as tables, a carriage on a
// beam, and what holds for any machine.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/frf.h"
#include "sim/lobes.h"

enum { N_HZ = 4000 };
static const double PI = 3.14159265358979323846;

// ---- one motion: x'' + 2ζω x' + ω² x = F/m along the end x --------------------------------------

typedef struct motion {
  double mass, omega, zeta;
  int ends;  // 1: x; 2: x, y that does not move
} motion;

static void receptance(const motion *m, double hz, double *re, double *im)
{
  double w = 2.0 * PI * hz, a = m->omega * m->omega - w * w, b = 2.0 * m->zeta * m->omega * w,
         over = 1.0 / (m->mass * (a * a + b * b));
  *re = a * over;
  *im = -b * over;
}

static mw_code at(void *ctx, double hz, double *H, mw_error *err)
{
  const motion *m = ctx;
  (void)err;
  memset(H, 0, (size_t)(2 * m->ends * m->ends) * sizeof *H);
  receptance(m, hz, &H[0], &H[1]);
  return MW_OK;
}

static double hz[N_HZ], H[8 * N_HZ];

static mw_lobes_response response(motion *m, double lo, double hi)
{
  memset(H, 0, sizeof H);
  for (int k = 0; k < N_HZ; k++) {
    hz[k] = lo + (hi - lo) * k / (N_HZ - 1);
    receptance(m, hz[k], &H[k], &H[N_HZ + k]);
  }
  return (mw_lobes_response){ .n_hz = N_HZ, .hz = hz, .H = H, .at = at, .ctx = m };
}

// The boundary is where b = −1/(2 K Re G): bisection ends at neighbouring frequencies, and db/b
// follows from the slope of Re G there, at most 1/(ζω) of it but where Re G → 0.
static const double BOUNDARY = 1e-9;

static void turning_is_stable_at_any_speed_up_to_2kz_1pz_over_kf(void)
{
  mw_error err = { 0 };
  motion m = { 10.0, 2.0 * PI * 120.0, 0.03, 1 };
  mw_cutting cut = { .force = 1.2e9 };
  mw_lobes_response r = response(&m, 1.0, 400.0);
  mw_lobes_limit any;
  double k = m.mass * m.omega * m.omega, want = 2.0 * k * m.zeta * (1.0 + m.zeta) / cut.force;
  if (!MW_OKAY(mw_lobes(&cut, &r, 0, NULL, NULL, &any, &err))) return;
  // at a minimum the depth is exact to the square of the frequency's error, 1e-10
  MW_NEAR(any.depth, want, mw_test_rounding(20.0, want / m.zeta));
  // golden section tells frequencies apart as far as depths differ by rounding, √ε of the width
  MW_NEAR(any.hz, 120.0 * sqrt(1.0 + 2.0 * m.zeta), 120.0 * 8.0 * sqrt(DBL_EPSILON));
}

static void depths_of_turning_are_those_of_the_delayed_equation(void)
{
  enum { ROWS = 38 };
  mw_error err = { 0 };
  double x[ROWS * 3], rpm[ROWS];
  motion m = { 10.0, 2.0 * PI * 120.0, 0.03, 1 };
  mw_cutting cut = { .force = 1.2e9 };
  mw_lobes_response r = response(&m, 1.0, 400.0);
  mw_lobes_limit out[ROWS], any;
  int n = mw_fixture_table(MW_TESTS_DIR "/references/R24_turning_boundary.csv", 3, ROWS, x);
  MW_CHECK(n == ROWS);
  for (int k = 0; k < n; k++) rpm[k] = x[3 * k];
  if (!MW_OKAY(mw_lobes(&cut, &r, n, rpm, out, &any, &err))) return;
  for (int k = 0; k < n; k++) {
    MW_WITHIN(out[k].depth, x[3 * k + 1], BOUNDARY * x[3 * k + 1], "digits of the table");
    MW_WITHIN(out[k].hz, x[3 * k + 2], BOUNDARY * x[3 * k + 2], "digits of the table");
  }
}

// The least depth, b = 2kζ(1 + ζ)/K at ω² = ω_n²(1 + 2ζ), is that of the speeds whose lobe j passes
// through it: τ ω = 2πj + ε. Damped by 5e-4 the resonance is narrower than the steps of the band.
static void narrow_resonances_are_found_at_every_speed(void)
{
  enum { LOBES = 6, N = 1000 };
  static double f[N + MW_LOBES_NEAR], h[2 * (N + MW_LOBES_NEAR)];
  mw_error err = { 0 };
  motion m = { 10.0, 2.0 * PI * 68.0, 5e-4, 1 };
  mw_cutting cut = { .force = 1.2e9 };
  double k = m.mass * m.omega * m.omega, want = 2.0 * k * m.zeta * (1.0 + m.zeta) / cut.force,
         least = 68.0 * sqrt(1.0 + 2.0 * m.zeta), pole = 68.0, re, im, rpm[LOBES];
  int n = mw_lobes_band(1.0, 400.0, N, 1, &pole, &m.zeta, f);
  for (int i = 0; i < n; i++) receptance(&m, f[i], &h[i], &h[n + i]);
  receptance(&m, least, &re, &im);
  for (int j = 0; j < LOBES; j++)
    rpm[j] = 60.0 * least / (j + 1.5 + atan2(im, re) / PI);  // (1) of lobes.c, arg in (−π, −π/2)
  mw_lobes_response r = { .n_hz = n, .hz = f, .H = h, .at = at, .ctx = &m };
  mw_lobes_limit out[LOBES], any;
  MW_CHECK(f[1] - f[0] > 4.0 * m.zeta * 68.0);
  if (!MW_OKAY(mw_lobes(&cut, &r, LOBES, rpm, out, &any, &err))) return;
  for (int j = 0; j < LOBES; j++) {
    // a minimum: exact to the square of the frequency's error, which is of some roundings
    MW_NEAR(out[j].depth, want, mw_test_rounding(20.0, want));
    MW_NEAR(out[j].hz, least, mw_test_rounding(20.0, least));
  }
}

// ---- milling ------------------------------------------------------------------------------------

typedef struct mill {
  double K[1], D[1], B[2], C[2];
} mill;

static mw_lobes_system system_of(const motion *m, mill *s)
{
  *s = (mill){
    { m->omega * m->omega }, { 2.0 * m->zeta * m->omega }, { 1.0 / m->mass, 0.0 }, { 1.0, 0.0 }
  };
  return (mw_lobes_system){ .n = 1, .K = s->K, .D = s->D, .B = s->B, .C = s->C };
}

static mw_cutting mill_cut(double up, double immersion)
{
  mw_cutting c = { .force = 6e8, .radial = 1.0 / 3.0, .teeth = 2, .entry = 0.0, .exit = PI };
  if (up > 0.0)
    c.exit = acos(1.0 - 2.0 * immersion);
  else
    c.entry = acos(2.0 * immersion - 1.0);
  return c;
}

static motion mill_motion(void) { return (motion){ 0.03993, 5793.096853219578, 0.011, 2 }; }

static void depths_of_milling_are_those_of_the_delayed_equation(void)
{
  enum { ROWS = 63 };
  static const double TOLERANCE = 1e-3;
  mw_error err = { 0 };
  double x[ROWS * 4], depth = 0.0;
  motion m = mill_motion();
  mill of;
  mw_lobes_system s = system_of(&m, &of);
  int n = mw_fixture_table(MW_TESTS_DIR "/references/R24_milling_boundary.csv", 4, ROWS, x);
  MW_CHECK(n == ROWS);
  for (int k = 0; k < n; k++) {
    const double *row = x + 4 * k;
    mw_cutting cut = mill_cut(row[0], row[1]);
    if (!MW_OKAY(mw_lobes_floquet(&cut, &s, row[2], 5e-5, 2e-2, TOLERANCE, &depth, &err))) break;
    MW_WITHIN(depth, row[3], TOLERANCE * row[3], "what is asked for");
  }
}

// The multiplier at the boundary is of size 1, and the error falls with the square of the interval.
static void multipliers_are_of_second_order_in_the_interval(void)
{
  mw_error err = { 0 };
  motion m = mill_motion();
  mill of;
  mw_lobes_system s = system_of(&m, &of);
  mw_cutting cut = mill_cut(1.0, 0.5);
  double size[3] = { 0 };
  for (int k = 0; k < 3; k++)
    if (!MW_OKAY(mw_lobes_multiplier(&cut, &s, 9000.0, 1.601949447355e-3, 20 << k, &size[k], &err)))
      return;
  double ratio = (size[1] - 1.0) / (size[2] - 1.0);
  MW_WITHIN(ratio, 4.0, 0.4, "second order, up to the terms of fourth");
}

// With all of a revolution's mean the two ways are one where many teeth cut at once: W is constant.
static void both_ways_agree_where_the_force_is_even(void)
{
  static const double TOLERANCE = 1e-4;
  mw_error err = { 0 };
  motion m = mill_motion();
  mill of;
  mw_lobes_system s = system_of(&m, &of);
  // of four teeth that cut half a turn, always two: sums of sin², cos², sin cos over them are even
  mw_cutting cut = { .force = 6e8, .radial = 1.0 / 3.0, .teeth = 4, .entry = 0.0, .exit = PI };
  mw_lobes_response r = response(&m, 10.0, 3000.0);
  double rpm[] = { 6000.0, 9000.0, 12000.0 }, depth = 0.0;
  mw_lobes_limit out[3], any;
  if (!MW_OKAY(mw_lobes(&cut, &r, 3, rpm, out, &any, &err))) return;
  for (int k = 0; k < 3; k++) {
    if (!MW_OKAY(mw_lobes_floquet(&cut, &s, rpm[k], 0.5 * any.depth, 1.0, TOLERANCE, &depth, &err)))
      return;
    MW_WITHIN(depth, out[k].depth, TOLERANCE * depth, "what is asked for");
    MW_CHECK(out[k].depth >= any.depth);
  }
}

static void no_cut_is_too_deep_for_what_never_gives_way(void)
{
  mw_error err = { 0 };
  motion m = { 10.0, 2.0 * PI * 120.0, 0.03, 1 };
  mw_cutting cut = { .force = 1.2e9 };
  mw_lobes_response r = response(&m, 1.0, 100.0);  // Re G > 0 below the frequency
  double rpm = 3000.0;
  mw_lobes_limit out, any;
  if (!MW_OKAY(mw_lobes(&cut, &r, 1, &rpm, &out, &any, &err))) return;
  MW_CHECK(isinf(any.depth) && isinf(out.depth) && any.hz == 0.0);
}

// ---- a carriage on a beam ----------------------------------------------------------------------

static const char *const CARRIAGE =
    "modeway: 1\n"
    "damping: { modal: 0.02 }\n"
    "materials: { steel: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.05, height: 0.03 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },\n"
    "             members: [{ from: a, to: b, section: bar, material: steel, elements: 40,\n"
    "                         up: [0, 0, 1] }] }\n"
    "    supports: [{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] }]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "  carriage: { at: [0.5, 0, 0], rigid: { mass: 3, inertia: [1e-9, 1e-9, 1e-9, 0, 0, 0] } }\n"
    "joints:\n"
    "  x: { slide: { guide: beam.rail, on: carriage, orientation: fixed,\n"
    "                runners: [{ offset: 0 }] },\n"
    "       coordinate: x, drive: motor }\n"
    "outputs: { tool: { body: carriage, point: [0, 0, 0] } }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0.05, 0.95], points: 37 } }\n"
    "  modes: { count: 6 }\n"
    "  certificate: { samples: 24 }\n";

static mw_code of_model(void *ctx, double f, double *out, mw_error *err)
{
  return mw_frf_more(ctx, 1, &f, out, err);
}

static void compare_places(const mw_rom_file *rom, int n, const double *x)
{
  static const double GRID = 1e-3;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_frf_end *tool = NULL;
  mw_frf *w = NULL;
  mw_frf_in in = { .held = 1u, .n_hz = N_HZ, .hz = hz };
  const mw_cutting cut = { .force = 2e9 };
  for (int k = 0; k < N_HZ; k++) hz[k] = 0.1 * (k + 1);
  bool good = MW_OKAY(mw_frf_ends(rom, "to", "tool.z", &mem, &in.n_to, &tool, &err));
  in.n_from = in.n_to;
  in.to = in.from = tool;
  good = good && MW_OKAY(mw_frf_open(rom, &in, &w, &err));
  for (int k = 0; k < n && good; k++) {
    const double *row = x + 5 * k;
    mw_lobes_limit any;
    good = MW_OKAY(mw_frf_at(w, &row[0], H, &err));
    const mw_lobes_response r = { N_HZ, hz, H, of_model, w };
    good = good && MW_OKAY(mw_lobes(&cut, &r, 0, NULL, NULL, &any, &err));
    if (!good) break;
    MW_WITHIN(any.depth, row[3], GRID * row[3], "elements, columns and grid: 1e-3 is promised");
    MW_WITHIN(any.hz, row[4], GRID * row[4], "elements, columns and grid: 1e-3 is promised");
  }
  mw_frf_close(w);
  mw_arena_free(&mem);
}

static void a_carriage_cuts_as_deep_as_the_beam_under_it_allows(void)
{
  enum { ROWS = 17 };
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  double x[ROWS * 5];
  int n = mw_fixture_table(MW_TESTS_DIR "/references/R24_position_A.csv", 5, ROWS, x);
  MW_CHECK(n == ROWS);
  bool good = mw_fixture_text(CARRIAGE, &f);
  MW_CHECK(good);
  if (good && MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) compare_places(&rom, n, x);
  mw_rom_file_free(&rom);
  if (good) mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "turning_is_stable_at_any_speed_up_to_2kz_1pz_over_kf",
    turning_is_stable_at_any_speed_up_to_2kz_1pz_over_kf },
  { "narrow_resonances_are_found_at_every_speed", narrow_resonances_are_found_at_every_speed },
  { "depths_of_turning_are_those_of_the_delayed_equation",
    depths_of_turning_are_those_of_the_delayed_equation },
  { "depths_of_milling_are_those_of_the_delayed_equation",
    depths_of_milling_are_those_of_the_delayed_equation },
  { "multipliers_are_of_second_order_in_the_interval",
    multipliers_are_of_second_order_in_the_interval },
  { "both_ways_agree_where_the_force_is_even", both_ways_agree_where_the_force_is_even },
  { "no_cut_is_too_deep_for_what_never_gives_way", no_cut_is_too_deep_for_what_never_gives_way },
  { "a_carriage_cuts_as_deep_as_the_beam_under_it_allows",
    a_carriage_cuts_as_deep_as_the_beam_under_it_allows },
};

int main(void) { return mw_test_run("lobes", cases, (int)(sizeof cases / sizeof *cases)); }
