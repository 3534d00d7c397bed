// SPDX-License-Identifier: BSD-3-Clause
// test_parameter_stiffness.c: a reduced model that keeps the stiffness of runners and springs as a
// parameter has, at any value of it, the static compliance and the frequencies of the machine with
// these runners; its runs are those of the full path there, also from a start that moves on a
// deflected state; its certificate says so over the range, and its file brings it back.
//
// An elastic column on a cart on soft runners carries an elastic arm on a bushing.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dense.h"
#include "beside_full.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "reduction/system.h"

// %g: gravity, k; %s: more springs, what the reduction keeps
static const char *const format =
    "modeway: 1\n"
    "gravity: [0, 0, %g]\n"
    "parameters: { k: %.17g }\n"
    "damping: { beta: 1e-5 }\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.04, height: 0.03 } } }\n"
    "bodies:\n"
    "  rail: { ground: true, rigid: { mass: 0 }, frames: { p: { point: [0.9, 0.6, 0.4] } },\n"
    "          guides: { x: { points: [[0, 0, 0], [2, 0, 0]], normal: [0, 0, 1] } } }\n"
    "  cart:\n"
    "    at: [0.7, 0, 0]\n"
    "    rigid: { mass: 3, com: [0, 0, 0.02], inertia: [0.02, 0.03, 0.03, 0, 0, 0] }\n"
    "    frames: { top: { point: [0, 0, 0.1] } }\n"
    "  beam:\n"
    "    at: [0.7, 0, 0.1]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.2, 0.6, 0.3] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 4,\n"
    "                   up: [0, 0, 1] } ]\n"
    "    frames: { foot: { node: a }, tip: { node: b } }\n"
    "  hand: { at: [0.9, 0.6, 0.4], frames: { axle: { point: [0, 0, 0] } },\n"
    "    rigid: { mass: 0.2, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
    "  arm:\n"
    "    at: [0.9, 0.6, 0.4]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.4, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 4,\n"
    "                   up: [0, 0, 1] } ]\n"
    "    frames: { hub: { node: a }, tip: { node: b, mass: 0.3 } }\n"
    "joints:\n"
    "  x:\n"
    "    slide:\n"
    "      guide: rail.x\n"
    "      on: cart\n"
    "      orientation: free\n"
    "      runners:\n"
    "        - { offset: -0.1, shift: [0, 0, 0.05], stiffness: 1e7*$k, damping: 2000 }\n"
    "        - { offset: 0.1, shift: [0, 0, 0.05], stiffness: [2e7*$k, 1e7 + 1e7*$k],\n"
    "            damping: 1000 }\n"
    "        - { offset: 0.0, shift: [0, 0, -0.05], directions: [n1], stiffness: 1e7*$k }\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "  foot: { fixed: { a: cart.top, b: beam.foot } }\n"
    "  hub: { revolute: { a: hand.axle, b: arm.hub, axis: [0, 0.2, 1] }, coordinate: phi,\n"
    "         drive: swing }\n"
    "springs:\n"
    "  bush: { a: beam.tip, b: hand.axle,\n"
    "          stiffness: [1e6*$k, 1e6*$k, 1e6*$k, 1e4, 1e4, 1e4] }\n"
    "%s"
    "outputs: { tool: { frame: arm.tip } }\n"
    "reduction:\n"
    "  modes: { count: 3 }\n"
    "  coordinates: { x: { range: [0.3, 1.6], points: 5 },\n"
    "                 phi: { range: [-0.8, 0.8], points: 9 } }\n"
    "  certificate: { points: 2, samples: 8 }\n"
    "%s"
    "scenarios:\n"
    "  move:\n"
    "    duration: 0.3\n"
    "    step: 5e-4\n"
    "    drives:\n"
    "      motor: { position: { move: { from: 0.5, to: 0.7, max_velocity: 3,\n"
    "                                   max_acceleration: 9, max_jerk: 400 } } }\n"
    "      swing: { position: { ramp: { from: -0.3, velocity: 1.5 } } }\n";

enum { S = 2, LOADS = 3, MODES = 3, MOST = 24, FIELDS = 8192 };  // S: coordinates
static const double LO = 0.5, MIDDLE = 1.25, HI = 2.0, TOLERANCE = 1e-3;
static const char KEPT[] = "  parameters: { k: [0.5, 2] }\n";

static bool machine(double gravity, double k, const char *spring, const char *more, mw_fixture *f)
{
  char text[8192];
  snprintf(text, sizeof text, format, gravity, k, spring, more);
  return MW_CHECK(mw_fixture_text(text, f));
}

// Static compliances of the tool along x, y, z and the lowest frequencies squared of the machine at
// theta.
static bool direct(const mw_fixture *f, const double *theta, double compliance[LOADS],
                   double lambda[MODES])
{
  mw_arena mem = { 0 };
  mw_statics st;
  mw_blocks *blocks = NULL;
  mw_system *sys = NULL;
  mw_error err = { 0 };
  unsigned char locked[8] = { 0 };
  for (int i = 0; i < S; i++)
    locked[f->mech.joint[f->model.reduction.coordinate[i].joint].coord] = 1;
  bool good = MW_CHECK(f->mech.n_coord <= 8) &&
              MW_OKAY(mw_direct_statics(&f->model, &f->mech, theta, &mem, &st, &err)) &&
              MW_OKAY(mw_blocks_build(&f->mech, 0.0, false, &blocks, &err)) &&
              MW_OKAY(mw_system_build(blocks, locked, 0, st.p, st.s, &sys, &err));
  size_t n = good ? (size_t)mw_blocks_size(blocks) : 0;
  double *X = mw_arena_f64(&mem, (MODES + 2) * n), *load = X + MODES * n, *x = load + n;
  good = good && MW_OKAY(mw_arena_check(&mem, &err)) &&
         MW_OKAY(mw_system_modes(sys, MODES, lambda, X, &err));
  for (int i = 0; good && i < LOADS; i++) {
    const double e[3] = { i == 0, i == 1, i == 2 };
    mw_system_load_point(sys, f->model.output[0].ref, f->model.output[0].x, e, load);
    good = MW_OKAY(mw_system_solve(sys, load, x, &err));
    compliance[i] = mw_dot((int)n, load, x);
  }
  mw_system_free(sys);
  mw_blocks_free(blocks);
  mw_arena_free(&mem);
  return good;
}

// The same of the reduced model
static bool reduced(const mw_rom *r, const double *theta, double compliance[LOADS],
                    double lambda[MODES])
{
  double value[FIELDS], K[MOST * MOST], Q[MOST * MOST], w[MOST];
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(r));
  mw_error err = { 0 };
  int m = r->m;
  if (!MW_CHECK(m <= MOST && r->n_field <= FIELDS) ||
      !MW_CHECK(mw_rom_fields(r, theta, value, NULL, NULL) == MW_ROM_OK))
    return false;
  for (int a = 0, k = L.K; a < m; a++)
    for (int b = 0; b <= a; b++, k++) K[a * m + b] = K[b * m + a] = value[k];
  if (!MW_OKAY(mw_eig_sym(m, K, w, Q, &err))) return false;
  for (int i = 0; i < MODES; i++) lambda[i] = w[i];
  for (int i = 0; i < LOADS; i++) {
    const double *y = value + L.y + i * (1 + m) + 1;
    compliance[i] = 0.0;
    for (int j = 0; j < m; j++) {
      double g = 0.0;
      for (int a = 0; a < m; a++) g += Q[a * m + j] * y[a];
      compliance[i] += g * g / w[j];
    }
  }
  return true;
}

// At grid points compliance is exact by the patterns of outputs and of all rows (Woodbury);
// frequencies err by squares of what modes change, and are held to the certificate's tolerance.
static void at_any_value_it_has_the_machines_compliance_and_frequencies(void)
{
  static const double value[] = { LO, 0.8, MIDDLE, HI }, theta[] = { 0.95, 0.4 };
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  bool good = machine(0.0, MIDDLE, "", KEPT, &f) &&
              MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
              MW_CHECK(rom.stiff != NULL && rom.damped == NULL);
  for (size_t k = 0; good && k < sizeof value / sizeof *value; k++) {
    mw_fixture own = { 0 };
    double c[2][LOADS], w[2][MODES], soft = 0.0, hz = 0.0;
    if (machine(0.0, value[k], "", "", &own) &&
        MW_OKAY(mw_rom_set_parameter(&rom, 0, value[k], &err)) && direct(&own, theta, c[0], w[0]) &&
        reduced(&rom.rom, theta, c[1], w[1])) {
      for (int i = 0; i < LOADS; i++) soft = fmax(soft, fabs(c[1][i] / c[0][i] - 1.0));
      for (int i = 0; i < MODES; i++) hz = fmax(hz, fabs(sqrt(w[1][i] / w[0][i]) - 1.0));
      printf("k = %g: compliance off by %.1e, frequencies by %.1e\n", value[k], soft, hz);
      MW_WITHIN(soft, 0.0, 1e-9, "exact but for solvers of stiffness 1e4 apart");
      MW_WITHIN(hz, 0.0, TOLERANCE, "what the certificate promises");
    }
    mw_fixture_free(&own);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A run beside the full mechanism with these runners, from static equilibrium while the arm turns:
// 2 ε of the largest deflection.
static void it_runs_as_the_mechanism_does(void)
{
  static const double at[] = { LO, HI };
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  bool good = machine(-9.81, MIDDLE, "", KEPT, &f) &&
              MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
  for (int k = 0; good && k < 2; k++) {
    double apart, most;
    mw_fixture own = { 0 };
    if (machine(-9.81, at[k], "", "", &own) &&
        MW_OKAY(mw_rom_set_parameter(&rom, 0, at[k], &err)) &&
        beside_full(&f, &rom, &own, &apart, &most)) {
      printf("k = %g: runs differ by %.1e of %.2g m\n", at[k], apart / most, most);
      MW_WITHIN(apart / most, 0.0, 2.0 * TOLERANCE, "what the certificate promises");
      MW_CHECK(most > 1e-4);
    }
    mw_fixture_free(&own);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void the_certificate_judges_the_range_and_the_file_brings_it_back(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 }, back = { 0 };
  mw_error err = { 0 };
  char path[64];
  snprintf(path, sizeof path, "/tmp/test_parameter_stiffness.%ld.nc", (long)getpid());
  if (machine(-9.81, MIDDLE, "", KEPT, &f) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    mw_verdict v[MW_VERDICTS];
    int judged = 0, n = mw_certificate_verdicts(&rom.certificate, v);
    for (int i = 0; i < n; i++) {
      if (strcmp(v[i].key, "parameters_frequencies") != 0 &&
          strcmp(v[i].key, "parameters_static_compliance") != 0)
        continue;
      printf("%s: %.2e\n", v[i].key, v[i].error);
      judged += v[i].met && v[i].error > 0.0 && strstr(v[i].at, "k = ");
    }
    MW_CHECK(judged == 2 && rom.certificate.range.n == 4);
    if (MW_OKAY(mw_rom_file_write(&rom, path, &err)) &&
        MW_OKAY(mw_rom_file_read(path, &back, &err)) &&
        MW_OKAY(mw_rom_set_parameter(&rom, 0, HI, &err)) &&
        MW_OKAY(mw_rom_set_parameter(&back, 0, HI, &err))) {
      double theta[S] = { 0.9, 0.2 }, *a, *b;
      mw_arena mem = { 0 };
      a = mw_arena_f64(&mem, (size_t)rom.n_start);
      b = mw_arena_f64(&mem, (size_t)rom.n_start);
      MW_SAME_BITS(rom.rom.coef, back.rom.coef, mw_rom_bytes(&back.rom) / sizeof(double));
      if (MW_OKAY(mw_arena_check(&mem, &err)) && MW_OKAY(mw_rom_file_start(&rom, theta, a, &err)) &&
          MW_OKAY(mw_rom_file_start(&back, theta, b, &err)))
        MW_SAME_BITS(a, b, (size_t)rom.n_start);
      mw_arena_free(&mem);
      MW_OKAY(mw_rom_set_parameter(&back, 0, MIDDLE, &err));
      MW_CHECK(back.rom.coef == back.made_coef && !back.parameter_note);
    }
    (void)remove(path);
  }
  mw_rom_file_free(&back);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Largest relative error of the frequencies asked for: the model at k beside the machine with it.
static double frequencies_off(mw_rom_file *rom, double k, const double *theta)
{
  mw_fixture own = { 0 };
  mw_error err = { 0 };
  double c[2][LOADS], w[2][MODES], most = NAN;
  if (machine(0.0, k, "", "", &own) && MW_OKAY(mw_rom_set_parameter(rom, 0, k, &err)) &&
      direct(&own, theta, c[0], w[0]) && reduced(&rom->rom, theta, c[1], w[1])) {
    most = 0.0;
    for (int i = 0; i < MODES; i++) most = fmax(most, fabs(sqrt(w[1][i] / w[0][i]) - 1.0));
  }
  mw_fixture_free(&own);
  return most;
}

// Where the middle's frequencies err most, and where those of any value do, none errs by more than
// is said of the range, at any value that is judged.
static void no_value_errs_by_more_where_another_errs_most(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!machine(0.0, MIDDLE, "", KEPT, &f) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(&rom.certificate, v), looked = 0;
  double said = NAN, most = 0.0;
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].key, "parameters_frequencies") == 0) said = v[i].error;
  for (int i = 0; i < n; i++) {
    const char *key = v[i].key;
    bool sampled = strcmp(key, "frequencies") == 0 || strcmp(key, "shapes") == 0 ||
                   strcmp(key, "static_compliance") == 0 || strcmp(key, "receptances") == 0;
    for (int k = 0; sampled && v[i].theta && k < rom.certificate.range.n; k++, looked++)
      most = fmax(most, frequencies_off(&rom, rom.certificate.range.value[k], v[i].theta));
  }
  printf("frequencies off by up to %.3e there, said %.3e, more by %.1e\n", most, said, most - said);
  // bodies of four elements are on their bases what they are: roundings of stiffness 1e4 apart
  MW_CHECK(looked > 0 && most <= said + 1e-10);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A spring between ground and what coordinates move has energy of its own that the parameter
// changes.
static void springs_that_the_motion_stretches_are_refused(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (machine(-9.81, MIDDLE,
              "  stay: { a: rail.p, b: beam.tip, stiffness: [100*$k, 0, 0, 0, 0, 0] }\n", KEPT,
              &f) &&
      MW_FAILS(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), MW_ERR_INPUT))
    MW_CHECK(
        strstr(err.msg, "k is the stiffness of a row of stay that the motion itself stretches") &&
        err.line > 0 && err.col > 0);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "at_any_value_it_has_the_machines_compliance_and_frequencies",
      at_any_value_it_has_the_machines_compliance_and_frequencies },
    { "it_runs_as_the_mechanism_does", it_runs_as_the_mechanism_does },
    { "the_certificate_judges_the_range_and_the_file_brings_it_back",
      the_certificate_judges_the_range_and_the_file_brings_it_back },
    { "no_value_errs_by_more_where_another_errs_most",
      no_value_errs_by_more_where_another_errs_most },
    { "springs_that_the_motion_stretches_are_refused",
      springs_that_the_motion_stretches_are_refused },
  };
  return mw_test_run("parameter_stiffness", cases, (int)(sizeof cases / sizeof *cases));
}
