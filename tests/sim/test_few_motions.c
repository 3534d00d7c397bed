// SPDX-License-Identifier: BSD-3-Clause
// test_few_motions.c: machines that have fewer motions than modes are computed as a rule: a rigid
// rotor in springs.
//
// Rotor of mass m, moments I_a about the axis x and I_t across it, its centre l_1 behind the left
// spring and l_2 before the right one; stiffness k_a, c_a along and about x, k_1 and k_2 across.
// Along and about the axis ω² = k_a/m, c_a/I_a, each once; across, twice each (y and z alike), (ω²
// m - K11)(ω² I_t - K22) = K12² with
//   K11 = k_1 + k_2 ,  K12 = k_2 l_2 - k_1 l_1 ,  K22 = k_1 l_1² + k_2 l_2²                     (1)
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "sim/dae.h"

enum { TEXT = 4096, ALL = 6, MOST = 10 };
static const double M = 5.0, IA = 0.05, IT = 0.03, L1 = 0.15, L2 = 0.25;
static const double KA = 1e6, CA = 1e3, K1 = 2e5, K2 = 3e5, TOLERANCE = 1e-3;

// modes: the line of section reduction, "" for none; extra: lines of the model
static bool rotor(const char *modes, const char *extra, mw_fixture *f)
{
  static const char *const format =
      "modeway: 1\n"
      "%s"
      "bodies:\n"
      "  post: { ground: true, rigid: { mass: 0 }, frames: { a: { point: [0, 0, 0] } } }\n"
      "  hub: { rigid: { mass: 0.1, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] }, frames: {\n"
      "    a: { point: [0, 0, 0] }, b: { point: [%.17g, 0, 0] } } }\n"
      "  rotor: { at: [%.17g, 0, 0], rigid: { mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, "
      "0] },\n"
      "    frames: { a: { point: [-%.17g, 0, 0] }, b: { point: [%.17g, 0, 0] }, m: { point: [0, "
      "0, 0] } } }\n"
      "joints: { spin: { revolute: { a: post.a, b: hub.a, axis: [1, 0, 0] }, coordinate: phi, "
      "drive: motor } }\n"
      "springs:\n"
      "  left: { a: hub.a, b: rotor.a, stiffness: [%.17g, %.17g, %.17g, %.17g, 0, 0] }\n"
      "  right: { a: hub.b, b: rotor.b, stiffness: [0, %.17g, %.17g] }\n"
      "drives: { push: { force: { on: rotor.m, direction: [0, 0, 1] } } }\n"
      "outputs: { m: { frame: rotor.m } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
      "points: 9,\n"
      "                        max_rate: 40 } }\n"
      "  inputs: { push: 100 }\n"
      "  tolerance: %.17g\n"
      "  certificate: { points: 2, samples: 24 }\n"
      "%s"
      "scenarios:\n"
      "  whirl: { duration: 0.1, step: 5e-5, store: 1e-3, drives: { motor: { position: { ramp: { "
      "from: 0,\n"
      "    velocity: 40 } } }, push: { force: { table: { time: [0, 5e-3, 1e-2], value: [0, 40, 0] "
      "} } } } }\n"
      "  burst: { duration: 0.01, step: 1e-3, drives: { motor: { position: 0 }, push: { force: {\n"
      "    table: { time: [0, 5e-3], value: [0, 1e60] } } } } }\n";
  char text[TEXT];
  int n = snprintf(text, sizeof text, format, extra, L1 + L2, L1, M, IA, IT, IT, L1, L2, KA, K1, K1,
                   CA, K2, K2, TOLERANCE, modes);
  return n > 0 && n < TEXT && mw_fixture_text(text, f);
}

// (1), ascending, Hz
static void closed_form(double hz[ALL])
{
  double a = (K1 + K2) / M, c = (K1 * L1 * L1 + K2 * L2 * L2) / IT, b = K2 * L2 - K1 * L1;
  double mean = 0.5 * (a + c), half = sqrt(0.25 * (a - c) * (a - c) + b * b / (M * IT));
  double w[ALL] = { mean - half, mean - half, mean + half, mean + half, KA / M, CA / IA };
  for (int i = 1; i < ALL; i++)
    for (int j = i; j > 0 && w[j] < w[j - 1]; j--) {
      double t = w[j];
      w[j] = w[j - 1], w[j - 1] = t;
    }
  for (int i = 0; i < ALL; i++) hz[i] = sqrt(w[i]) / (2.0 * acos(-1.0));
}

// Eigenvalues of n = 12 unknowns err by some n² ε of the largest one; half of that, relative, the
// frequency.
static double rounding(const double hz[ALL], int k)
{
  return 0.5 * 12.0 * 12.0 * DBL_EPSILON * hz[ALL - 1] * hz[ALL - 1] / hz[k];
}

static void direct_modes_are_all_there_are_and_no_more(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double theta = 0.3, want[ALL], *hz = NULL;
  int n = MOST;
  closed_form(want);
  if (!MW_CHECK(rotor("", "", &f))) return;
  if (MW_OKAY(mw_direct_modes_loaded(&f.mech, &theta, &n, MW_MODES_AT_MOST, &mem, &hz, NULL, NULL,
                                     NULL, &err)) &&
      MW_CHECK(n == ALL))
    for (int k = 0; k < ALL; k++) MW_NEAR(hz[k], want[k], rounding(want, k));
  n = MOST;
  MW_FAILS(mw_direct_modes_loaded(&f.mech, &theta, &n, 0, &mem, &hz, NULL, NULL, NULL, &err),
           MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "expected at most 6") != NULL);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static bool whirl(const mw_fixture *f, const mw_rom_file *rom, mw_run *full, mw_run *gmp)
{
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.n_modal = rom->n_modes;
  return MW_OKAY(mw_dae_run(&f->mech, &f->model.scenario[0], "full", &opt, NULL, full, &err)) &&
         MW_OKAY(mw_rom_run(&f->model, &f->mech, rom, &f->model.scenario[0], MW_ROM_STEP(5e-5),
                            NULL, gmp, &err));
}

// Largest difference of the output from the full path's, over its peak
static double apart(const mw_run *full, const mw_run *gmp)
{
  double worst = 0.0, peak = 0.0;
  for (int k = 0; k < full->n_t; k++)
    for (int i = 0; i < 3; i++) {
      size_t at = 3 * (size_t)k * (size_t)full->n_out + (size_t)i;
      worst = fmax(worst, fabs(gmp->y[at] - full->y[at]));
      peak = fmax(peak, fabs(full->y[at]));
    }
  return worst / peak;
}

// Six modes by default, three of them by count; damped in the springs alone, by their modes.
static void rotors_are_reduced_and_judged(void)
{
  static const char *const modes[] = { "", "  modes: { count: 6 }\n", "  modes: { below: 1e4 }\n",
                                       "  modes: { count: 3 }\n", "  modes: { band: 60 }\n" };
  for (int i = 0; i < 5; i++) {
    mw_fixture f;
    mw_error err = { 0 };
    mw_rom_file rom = { 0 };
    mw_run full = { 0 }, gmp = { 0 };
    double want[ALL];
    closed_form(want);
    if (!MW_CHECK(rotor(modes[i], "damping: { modal: 0.02 }\n", &f))) return;
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
      MW_CHECK(rom.n_freq == (i < 3 ? ALL : 3));
      MW_CHECK((rom.modes_note && strstr(rom.modes_note, "has 6 motions")) == (i < 3));
      MW_CHECK(mw_certificate_met(&rom.certificate));
      MW_CHECK(rom.certificate.n_freq == rom.n_freq);
      for (int k = 0; k < rom.n_freq; k++) MW_NEAR(rom.frequency[k], want[k], rounding(want, k));
      if (whirl(&f, &rom, &full, &gmp)) {
        double e = apart(&full, &gmp);
        printf("rotor, %d modes: off by %.1e of the peak\n", rom.n_modes, e);
        // of compliance and forces of motion
        MW_WITHIN(e, 0.0, 2.0 * TOLERANCE, "what the certificate promises");
      }
    }
    mw_run_free(&full);
    mw_run_free(&gmp);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

static void iterates_beyond_all_numbers_are_said_to_be(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  mw_run run = { 0 };
  if (!MW_CHECK(rotor("  inertia: full\n", "", &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    rom.rom.u_max = NULL;  // what it is declared for
    MW_FAILS(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[1], MW_ROM_STEP(1e-3), NULL,
                        &run, &err),
             MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "left all numbers") && !strstr(err.msg, "nan") &&
             !strstr(err.msg, "inf"));
  }
  mw_run_free(&run);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void more_modes_than_motions_are_refused_by_their_number(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  if (!MW_CHECK(rotor("  modes: { count: 7 }\n", "", &f))) return;
  MW_FAILS(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "has 6 motions") != NULL);
  MW_CHECK(err.line > 0 && err.col > 0);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Two links on torsion springs, an arm bent at its elbow: two motions, that change with the angle
// there. Columns are all of them at every point of the tables, which have eight intervals for one
// of 2 rad/12; what is left is of their splines, with l = 2 rad/96
//   l⁴/384 = 5e-10 of fourth derivatives, of functions of sin and cos below 1e3 rad⁻⁴           (2)
static void arms_on_springs_err_by_their_splines_alone(void)
{
  static const char *const text =
      "modeway: 1\n"
      "bodies:\n"
      "  hub: { rigid: { mass: 8, inertia: [0.4, 0.4, 0.4, 0, 0, 0] } }\n"
      "  l1: { rigid: { mass: 2, com: [0.3, 0, 0], inertia: [0.001, 0.06, 0.06, 0, 0, 0] },\n"
      "        frames: { e: { point: [0.6, 0, 0] } } }\n"
      "  elbow: { at: [0.6, 0, 0], rigid: { mass: 1, inertia: [0.02, 0.02, 0.02, 0, 0, 0] } }\n"
      "  l2: { at: [0.6, 0, 0], rigid: { mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.025, "
      "0.025, 0, 0, 0] },\n"
      "        frames: { t: { point: [0.5, 0, 0] } } }\n"
      "joints:\n"
      "  q1: { revolute: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: q1, drive: m1 }\n"
      "  t1: { revolute: { a: hub, b: l1, axis: [0, 0, 1] } }\n"
      "  q2: { revolute: { a: l1.e, b: elbow, axis: [0, 0, 1] }, coordinate: q2, drive: m2 }\n"
      "  t2: { revolute: { a: elbow, b: l2, axis: [0, 0, 1] } }\n"
      "springs:\n"
      "  k1: { a: hub, b: l1, stiffness: [0, 0, 0, 0, 0, 900] }\n"
      "  k2: { a: elbow, b: l2, stiffness: [0, 0, 0, 0, 0, 150] }\n"
      "outputs: { tip: { frame: l2.t } }\n"
      "reduction:\n"
      "  coordinates:\n"
      "    q1: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, points: 5 }\n"
      "    q2: { range: [0.5, 2.5], points: 13 }\n"
      "  certificate: { points: 2, samples: 24 }\n";
  static const double SPLINE = 5e-7;  // (2)
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    mw_verdict v[MW_VERDICTS];
    int n = mw_certificate_verdicts(&rom.certificate, v), seen = 0;
    for (int i = 0; i < n; i++) {
      bool of_modes = strcmp(v[i].key, "frequencies") == 0 || strcmp(v[i].key, "shapes") == 0 ||
                      strcmp(v[i].key, "static_compliance") == 0;
      if (!of_modes) continue;
      seen++;
      printf("arm on springs: %s %.2e\n", v[i].name, v[i].error);
      MW_CHECK(v[i].error < SPLINE);
    }
    MW_CHECK(seen == 3);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "direct_modes_are_all_there_are_and_no_more", direct_modes_are_all_there_are_and_no_more },
  { "rotors_are_reduced_and_judged", rotors_are_reduced_and_judged },
  { "iterates_beyond_all_numbers_are_said_to_be", iterates_beyond_all_numbers_are_said_to_be },
  { "more_modes_than_motions_are_refused_by_their_number",
    more_modes_than_motions_are_refused_by_their_number },
  { "arms_on_springs_err_by_their_splines_alone", arms_on_springs_err_by_their_splines_alone },
};

int main(void) { return mw_test_run("few_motions", cases, (int)(sizeof cases / sizeof *cases)); }
