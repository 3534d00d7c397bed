// SPDX-License-Identifier: BSD-3-Clause
// test_modal.c: one meaning of damping.modal: the full and body paths damp the modes that the reduced path damps.
//
// Beam of mw_fixture_beam, EI = rho A = L = 1, a mass of ½ on it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"
#include "sim/romrun.h"

enum { N_MODE = 10 };

static const char *const extra =
    "damping: { modal: 0.05 }\n"
    "drives: { push: { force: { on: beam.mid, direction: [0, 0, 1] } } }\n"
    "scenarios:\n"
    "  rings: { duration: 1.5, step: 1e-3, store: 1e-2, start: { x: 0 }, initial: undeformed,\n"
    "           drives: { motor: { position: 0 }, push: { force: 1 } } }\n"
    "  stands: { duration: 1, step: 5e-4, store: 1e-2, start: { x: 0.37 }, initial: undeformed,\n"
    "            drives: { motor: { position: 0.37 }, push: { force: 1 } } }\n"
    "  crosses: { duration: 1, step: 5e-4, store: 1e-2, start: { x: 0.1 }, initial: static,\n"
    "             drives: { motor: { position: { cycloid: { from: 0.1, to: 0.9, start: 0, end: 0.8 } } } } }\n";

static bool run_dae(const mw_fixture *f, const mw_mech *m, const char *path, int scenario, int n,
                    mw_run *r)
{
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.n_modal = n;
  return MW_OKAY(mw_dae_run(m, &f->model.scenario[scenario], path, &opt, NULL, r, &err));
}

// Under a step at mid-span u = Σ 2 sin²(kπ/2)/ω² (1 − e^{−ζωt} (cos ω_d t + ζ/√(1−ζ²) sin ω_d t)), ω = (kπ)²; ten modes are
// damped, the eleventh and those above, 2/(11π)⁴ of 1/48 and less, ring on. 16 elements have the first mode to 1e-6.
static void modes_ring_out_by_their_ratio(void)
{
  static const double Z = 0.05;
  const double pi = acos(-1.0);
  mw_fixture f;
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.5, 0.0, 9, N_MODE, extra, &f))) return;
  if (run_dae(&f, &f.mech, "full", 0, N_MODE, &r)) {
    double worst = 0.0;
    for (int k = 0; k < r.n_t; k++) {
      double u = 0.0, t = r.t[k];
      for (int j = 1; j < 40; j += 2) {
        double w = pow(j * pi, 2.0), z = j <= N_MODE ? Z : 0.0, wd = w * sqrt(1.0 - z * z);
        u += 2.0 / (w * w) *
             (1.0 - exp(-z * w * t) * (cos(wd * t) + z / sqrt(1.0 - z * z) * sin(wd * t)));
      }
      worst = fmax(worst, fabs(r.y[3 * (size_t)k * (size_t)r.n_out + 2] - u));
    }
    double peak = 2.0 / 48.0, high = 0.0;
    for (int j = N_MODE + 1; j < 40; j += 2) high += 2.0 / pow(j * pi, 4.0);
    printf("ringing out: off by %.1e of the peak, energy %.1e\n", worst / peak, r.energy_drift);
    // twice what the modes from the eleventh on do, which the step does not follow; in the others the step of 1 ms has a phase of
    // (ω h)²/12 ω t, with e^{−ζωt} at most (ω h)²/(12 e ζ) of 2/ω²
    double phase = 0.0;
    for (int j = 1; j <= N_MODE; j += 2) {
      double w = pow(j * pi, 2.0);
      phase += 2.0 / (w * w) * fmin(2.0, pow(w * 1e-3, 2.0) / (12.0 * exp(1.0) * Z));
    }
    MW_NEAR(worst, 0.0, 2.0 * high + 2.0 * phase);
    MW_NEAR(r.energy_drift, 0.0, 1e-3);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// Largest difference of the mid-span deflection of two runs over the peak of the second.
static double difference(const mw_run *a, const mw_run *b)
{
  double worst = 0.0, peak = 0.0;
  for (int k = 0; k < a->n_t; k++) {
    size_t i = 3 * (size_t)k * (size_t)a->n_out + 2;
    worst = fmax(worst, fabs(a->y[i] - b->y[i]));
    peak = fmax(peak, fabs(b->y[i]));
  }
  return worst / peak;
}

// Held at x = 0.37 (stands), and while the mass crosses.
static void full_body_and_reduced_paths_damp_alike(int scenario, double tol)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_mech mech = { 0 };
  mw_run full = { 0 }, body = { 0 }, gmp = { 0 }, bare = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.5, 2.0, 33, N_MODE, extra, &f))) return;
  mw_body *b = mw_arena_alloc(&mem, (size_t)f.model.n_body, sizeof *b);
  bool good = MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
  for (int i = 0; good && i < f.model.n_body; i++)
    good = MW_OKAY(mw_body_basis(&f.body[i], 6, false, &mem, &b[i], NULL, &err));
  good = good && MW_OKAY(mw_mech_build(&f.model, b, &mem, &mech, &err)) &&
         run_dae(&f, &f.mech, "full", scenario, N_MODE, &full) &&
         run_dae(&f, &mech, "body", scenario, N_MODE, &body) &&
         run_dae(&f, &f.mech, "full", scenario, 0, &bare) &&
         MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[scenario], 5e-4, NULL, &gmp,
                            &err));
  if (good) {
    double b_f = difference(&body, &full), g_f = difference(&gmp, &full),
           effect = difference(&bare, &full);
    printf("damping of 5 %%: body %.1e, reduced %.1e of the peak; without damping %.1e\n", b_f, g_f,
           effect);
    MW_CHECK(effect > 2e-2);
    MW_NEAR(b_f, 0.0, 1e-6);
    MW_NEAR(g_f, 0.0, tol);
    MW_NEAR(full.energy_drift, 0.0, 1e-3);  // trapezoids of power where the force starts at once
  }
  mw_run_free(&full);
  mw_run_free(&body);
  mw_run_free(&gmp);
  mw_run_free(&bare);
  mw_rom_file_free(&rom);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Ten modes and the pattern of the force leave the modes from the eleventh on, 2/(11π)⁴ of 1/48 = 7e-5 each of what force and
// weight bring, and what they ring by, as much again: some hundreds of millionths.
static void held_mechanism_is_damped_alike(void)
{
  full_body_and_reduced_paths_damp_alike(1, 1e-3);
}

// The dissipation while θ moves is in the reduced model's CE and CC; what is left is that of the held mechanism.
static void moving_mechanism_is_damped_alike(void)
{
  full_body_and_reduced_paths_damp_alike(2, 1e-3);
}

// Largest distance of the tool of two runs, m
static double tool_distance(const mw_run *a, const mw_run *b)
{
  double worst = 0.0;
  for (int k = 0; k < 3 * a->n_t * a->n_out; k++) worst = fmax(worst, fabs(a->y[k] - b->y[k]));
  return worst;
}

// The arm of mw_fixture_machine swings freely. A rigid turn strains nothing, so damping takes next to nothing of the swing; what
// it changes are the arm's vibrations, and there both paths agree to a tenth of them (three modes a side, patterns in the reduced
// one).
static void turning_mechanism_is_not_braked(void)
{
  static const char *const swing =
      "damping: { modal: 0.05 }\n"
      "scenarios:\n"
      "  free: { duration: 0.2, step: 5e-4, store: 1e-3, initial: undeformed,\n"
      "          start: { x: 0.9, phi: { at: -0.3, velocity: 1.5 } } }\n";
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_run full = { 0 }, bare = { 0 }, gmp = { 0 };
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    int n = 0;
    for (int k = 0; k < rom.rom.m; k++) n += strncmp(rom.column[k], "mode ", 5) == 0;
    if (run_dae(&f, &f.mech, "full", 0, n, &full) && run_dae(&f, &f.mech, "full", 0, 0, &bare) &&
        MW_OKAY(
            mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], 5e-4, NULL, &gmp, &err))) {
      double effect = tool_distance(&full, &bare), off = tool_distance(&full, &gmp);
      int c = f.mech.joint[2].coord, last = (full.n_t - 1) * full.n_coord + c;
      double turned = fabs(bare.s[last] + 0.3), braked = fabs(full.s[last] - bare.s[last]);
      printf(
          "swing: damping moves the tool by %.1e m, full against reduced %.1e m; %.1e of the turn\n",
          effect, off, braked / turned);
      MW_CHECK(effect > 1e-5);
      MW_CHECK(off < 0.1 * effect);
      MW_CHECK(braked < 1e-2 * turned);
    }
  }
  mw_run_free(&full);
  mw_run_free(&bare);
  mw_run_free(&gmp);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_ring_out_by_their_ratio", modes_ring_out_by_their_ratio },
    { "held_mechanism_is_damped_alike", held_mechanism_is_damped_alike },
    { "moving_mechanism_is_damped_alike", moving_mechanism_is_damped_alike },
    { "turning_mechanism_is_not_braked", turning_mechanism_is_not_braked },
  };
  return mw_test_run("modal", cases, (int)(sizeof cases / sizeof *cases));
}
