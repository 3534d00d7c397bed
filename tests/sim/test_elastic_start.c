// SPDX-License-Identifier: BSD-3-Clause
// test_elastic_start.c: what scenarios start with beyond rest: modes with amplitudes and rates,
// forces that are released, in the paths full, body and gmp.
//
// Beam of mw_fixture_beam, EI = rho A = L = 1: supported at both ends ω_k = (kπ)²; clamped at one,
// a force F at the tip deflects it by F/3. The carriage stands on a support, where it moves
// nothing.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "run/modestart_layer.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"
#include "sim/romrun.h"

static const double PI = 3.14159265358979323846;
static const char *const names[] = { "full", "body", "gmp" };
enum { FULL, BODY, GMP, N_PATH };

typedef struct machine {
  mw_fixture f;
  mw_mech mech;  // of projected bodies
  mw_rom_file rom;
  mw_arena mem;
} machine;

static bool reduce(machine *k)
{
  mw_error err = { 0 };
  mw_body *b = mw_arena_alloc(&k->mem, (size_t)k->f.model.n_body, sizeof *b);
  bool good = MW_OKAY(mw_reduce(&k->f.model, &k->f.mech, NULL, &k->rom, &err));
  for (int i = 0; good && i < k->f.model.n_body; i++) {
    b[i] = k->f.body[i];
    if (b[i].n_u > 0)
      good = MW_OKAY(mw_body_basis(&k->f.body[i], 8, false, &k->mem, &b[i], NULL, &err));
  }
  return good && MW_OKAY(mw_mech_build(&k->f.model, b, &k->mem, &k->mech, &err));
}

static void machine_free(machine *k)
{
  mw_rom_file_free(&k->rom);
  mw_fixture_free(&k->f);
  mw_arena_free(&k->mem);
}

static mw_code run(const machine *k, int path, int scenario, mw_run *r, mw_error *err)
{
  const mw_scenario *sc = &k->f.model.scenario[scenario];
  mw_dae_opt opt = mw_dae_opt_default();
  if (path == GMP) return mw_rom_run(&k->f.model, &k->f.mech, &k->rom, sc, NULL, NULL, r, err);
  return mw_dae_run(path == FULL ? &k->f.mech : &k->mech, sc, names[path], &opt, NULL, r, err);
}

static double y_of(const mw_run *r, int k, int out, int axis)
{
  return r->y[3 * ((size_t)k * (size_t)r->n_out + (size_t)out) + (size_t)axis];
}

// ---- closed forms -------------------------------------------------------------------------------

#define HELD "start: { x: 0 }, initial: undeformed, drives: { motor: { position: 0 } }"
static const char *const ringing =
    "scenarios:\n"
    "  bent: { duration: 0.64, step: 1e-3, store: 0.01, " HELD ",\n"
    "    elastic: { modes: [ { mode: 1, of: mid.z, amplitude: 1e-3 } ] } }\n"
    "  swung: { duration: 0.64, step: 1e-3, store: 0.01, " HELD ",\n"
    "    elastic: { modes: [ { mode: 1, of: mid.z, rate: 1e-2 } ] } }\n"
    "  both: { duration: 0.64, step: 1e-3, store: 0.01, " HELD ",\n"
    "    elastic: { modes: [ { mode: 1, of: mid.z, amplitude: 1e-3, rate: -2e-3 },\n"
    "                        { mode: 3, of: mid.z, rate: 3e-2 } ] } }\n"
    "  still: { duration: 0.1, " HELD ",\n"
    "    elastic: { modes: [ { mode: 2, of: mid.z, amplitude: 1e-3 } ] } }\n"
    "  beyond: { duration: 0.1, " HELD ",\n"
    "    elastic: { modes: [ { mode: 900, of: mid.z, amplitude: 1e-3 } ] } }\n";

// Mode k [n] of amplitude a and rate v at mid-span, in time.
static double swings(int n, const int *k, const double *a, const double *v, double t)
{
  double u = 0.0;
  for (int i = 0; i < n; i++) {
    double w = pow(k[i] * PI, 2.0);
    u += a[i] * cos(w * t) + v[i] / w * sin(w * t);
  }
  return u;
}

static void modes_swing_as_cosine_and_sine(void)
{
  static const int mode[] = { 1, 3 };
  static const double a[][2] = { { 1e-3, 0 }, { 0, 0 }, { 1e-3, 0 } },
                      v[][2] = { { 0, 0 }, { 1e-2, 0 }, { -2e-3, 3e-2 } };
  machine k = { 0 };
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_beam("SS", 32, 0.5, 0.0, 9, 6, ringing, &k.f)) && reduce(&k))
    for (int path = 0; path < N_PATH; path++)
      for (int i = 0; i < 3; i++) {
        mw_run r = { 0 };
        double worst = 0.0, peak = 0.0, phase = 0.0, h = 1e-3, most = 0.0;
        if (!MW_OKAY(run(&k, path, i, &r, &err))) continue;
        for (int n = 0; n < r.n_t; n++) {
          double want = swings(2, mode, a[i], v[i], r.t[n]), got = y_of(&r, n, 0, 2);
          worst = fmax(worst, fabs(got - want));
          peak = fmax(peak, fabs(want));
        }
        // a step of the mid-point rule slows ω by (ω h)²/12 of it, one of generalized-α with ρ =
        // 0.8 by less than (ω h)²/6; 32 elements quicken it by (kπ/32)⁴/720
        for (int j = 0; j < 2; j++) {
          double w = pow(mode[j] * PI, 2.0), u = hypot(a[i][j], v[i][j] / w);
          phase += u * w * 0.64 * (pow(w * h, 2.0) / 6.0 + pow(mode[j] * PI / 32.0, 4.0) / 720.0);
          most += u;
        }
        MW_NEAR(worst, 0.0, phase);
        MW_CHECK(peak > 0.4 * most);
        mw_run_free(&r);
      }
  machine_free(&k);
}

static void modes_that_do_not_move_the_component_are_refused(void)
{
  machine k = { 0 };
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_beam("SS", 16, 0.5, 0.0, 9, 6, ringing, &k.f)) && reduce(&k))
    for (int path = 0; path < N_PATH; path++) {
      mw_run r = { 0 };
      if (MW_FAILS(run(&k, path, 3, &r, &err), MW_ERR_INPUT))
        MW_CHECK(strstr(err.msg, "does not move mid.z") && err.line > 0);
      if (MW_FAILS(run(&k, path, 4, &r, &err), MW_ERR_INPUT))
        MW_CHECK(strstr(err.msg, "found mode 900, expected 1 to "));
      mw_run_free(&r);
    }
  machine_free(&k);
}

// ω_1 of the clamped beam is 1.8751²; the deflection under a force at the tip is no single mode:
// the sum over its modes is w(t) = F Σ 4/ω_k² cos(ω_k t), the first having 0.9707 of it.
static void a_released_force_leaves_its_deflection(void)
{
  static const char *const text =
      "scenarios:\n"
      "  released: { duration: 1.2, step: 1e-3, store: 0.02, " HELD ",\n"
      "    elastic: { release: { tip: [0, 0, 3e-3] } } }\n";
  static const double root[] = { 1.875104068711961, 4.694091132974175, 7.854757438237613,
                                 10.995540734875467, 14.13716839104647 };
  machine k = { 0 };
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_beam("CF", 32, 0.5, 0.0, 9, 6, text, &k.f)) && reduce(&k))
    for (int path = 0; path < N_PATH; path++) {
      mw_run r = { 0 };
      double worst = 0.0, h = 1e-3, bound = 0.0, left = 1.0 / 3.0;
      if (!MW_OKAY(run(&k, path, 0, &r, &err))) continue;
      // beam elements meet forces at their nodes exactly; the condition of 32 of them is some 32⁴
      MW_NEAR(y_of(&r, 0, 1, 2), 1e-3, 4e-3 * pow(32.0, 4.0) * DBL_EPSILON);
      for (int n = 0; n < r.n_t; n++) {
        double u = 0.0;
        for (int j = 0; j < 5; j++) {
          double w = root[j] * root[j];
          u += 3e-3 * 4.0 / (w * w) * cos(w * r.t[n]);
        }
        worst = fmax(worst, fabs(y_of(&r, n, 1, 2) - u));
      }
      // phases as above, at most twice the amplitude; what is above the fifth mode both ways
      for (int j = 0; j < 5; j++) {
        double w = root[j] * root[j], u = 4.0 / (w * w);
        bound +=
            u * fmin(2.0, w * 1.2 * (pow(w * h, 2.0) / 6.0 + pow(root[j] / 32.0, 4.0) / 720.0));
        left -= u;
      }
      MW_NEAR(worst, 0.0, 3e-3 * (bound + 2.0 * left));
      mw_run_free(&r);
    }
  machine_free(&k);
}

// ---- bodies that move ---------------------------------------------------------------------------

#define PLACE "duration: 0.025, step: 1e-4, store: 1e-3, start: { x: 0.8, phi: 0.3 }"
static const char *const machines =
    "scenarios:\n"
    "  rest:  { " PLACE ", initial: undeformed, drives: { motor: { position: 0.8 },\n"
    "    swing: { position: 0.3 } } }\n"
    "  bent:  { " PLACE ", initial: undeformed, drives: { motor: { position: 0.8 },\n"
    "    swing: { position: 0.3 } },\n"
    "    elastic: { modes: [ { mode: 2, of: tool.z, amplitude: 1e-5, rate: 2e-3 } ] } }\n"
    "  sags:  { " PLACE ", drives: { motor: { position: 0.8 }, swing: { position: 0.3 } } }\n"
    "  swung: { " PLACE ", drives: { motor: { position: 0.8 }, swing: { position: 0.3 } },\n"
    "    elastic: { modes: [ { mode: 1, of: tool.y, amplitude: 1e-5, rate: 1e-3 } ],\n"
    "               release: { tool: [1, 2, -3] } } }\n";

// Difference of outputs of scenarios i and i0 at instant n, [3].
static void beyond(const mw_run *r, const mw_run *r0, int n, double d[3])
{
  for (int c = 0; c < 3; c++) d[c] = y_of(r, n, 0, c) - y_of(r0, n, 0, c);
}

// Beyond rest, or the weight's deflection: what was asked for at t = 0, and the same motion in all
// paths.
static void moving_bodies_start_alike(void)
{
  enum { STORED = 26 };
  machine k = { 0 };
  mw_error err = { 0 };
  double d[2][N_PATH][STORED][3], peak[2] = { 0.0 };
  if (!MW_CHECK(mw_fixture_machine(machines, &k.f)) || !reduce(&k)) {
    machine_free(&k);
    return;
  }
  bool good = true;
  for (int path = 0; good && path < N_PATH; path++)
    for (int i = 0; good && i < 2; i++) {
      mw_run r = { 0 }, r0 = { 0 };
      good = MW_OKAY(run(&k, path, 2 * i + 1, &r, &err)) &&
             MW_OKAY(run(&k, path, 2 * i, &r0, &err)) && MW_CHECK(r.n_t == STORED);
      for (int n = 0; good && n < STORED; n++) {
        beyond(&r, &r0, n, d[i][path][n]);
        for (int c = 0; c < 3; c++) peak[i] = fmax(peak[i], fabs(d[i][path][n][c]));
      }
      mw_run_free(&r);
      mw_run_free(&r0);
    }
  for (int path = 0; good && path < N_PATH; path++) {
    // turned by up to 1e-5/0.4, the shape is bent by that part of itself in three joints' axes; of
    // the reduced model the weight's stiffness is in its modes
    MW_NEAR(d[0][path][0][2], 1e-5, 1e-5 * 1e-4);
    for (int i = 0; i < 2; i++) {
      double worst = 0.0;
      for (int n = 0; n < STORED; n++)
        for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(d[i][path][n][c] - d[i][FULL][n][c]));
      MW_NEAR(worst, 0.0, 1e-2 * peak[i]);  // three modes, and patterns for all others
    }
  }
  machine_free(&k);
}

// ---- modes of one frequency ---------------------------------------------------------------------

// Any basis of the span gives the same: displacement (3, 4) by a first mode and (-4, 3) by a
// second, turned by any angle.
static void modes_of_one_frequency_share_alike(void)
{
  static const char *const text =
      "scenarios:\n"
      "  bent: { duration: 0.1, " HELD ", elastic: { modes: [ { mode: 1, of: mid.z,\n"
      "          amplitude: 1e-3 } ] } }\n";
  mw_fixture f;
  mw_error err = { 0 };
  enum { ROWS = 9 };
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.5, 0.0, 9, 4, text, &f))) return;
  for (int turn = 0; turn < 4; turn++) {
    double hz[] = { 10.0, 10.0 + 1e-3 * turn, 30.0 }, y[3 * ROWS] = { 0.0 }, share[3];
    double c = cos(turn), s = sin(turn), got[2] = { 0.0 };
    const double at[2][2] = { { 3.0, 4.0 }, { -4.0, 3.0 } };
    for (int i = 0; i < 2; i++) {
      y[1 + i] = c * at[0][i] + s * at[1][i];
      y[ROWS + 1 + i] = -s * at[0][i] + c * at[1][i];
    }
    y[2 * ROWS + 2] = 7.0;
    mw_start_modes modes = { .n = 3, .hz = hz, .y = y };
    if (!MW_OKAY(mw_mode_start_share(&f.mech, &f.model.scenario[0], 0, &modes, share, &err)))
      continue;
    for (int i = 0; i < 2; i++) got[i] = share[0] * y[1 + i] + share[1] * y[ROWS + 1 + i];
    MW_NEAR(got[0], 0.0, 8 * DBL_EPSILON);
    MW_NEAR(got[1], 1.0, 8 * DBL_EPSILON);
    MW_CHECK(share[2] == 0.0);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_swing_as_cosine_and_sine", modes_swing_as_cosine_and_sine },
    { "modes_that_do_not_move_the_component_are_refused",
      modes_that_do_not_move_the_component_are_refused },
    { "a_released_force_leaves_its_deflection", a_released_force_leaves_its_deflection },
    { "moving_bodies_start_alike", moving_bodies_start_alike },
    { "modes_of_one_frequency_share_alike", modes_of_one_frequency_share_alike },
  };
  return mw_test_run("elastic_start", cases, (int)(sizeof cases / sizeof *cases));
}
