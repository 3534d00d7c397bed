// SPDX-License-Identifier: BSD-3-Clause
// test_driven.c: rotors of elastic drives that follow functions of time, beside coordinates that
// are held.
//
//   σ = A sin ω t ,  F = I n² σ̈ + k (σ − x) ,  P = F σ̇ ,  m ẍ = k (σ − x)                    (1)
#include <float.h>
#include <math.h>
#include <string.h>

#include "fem/rigid.h"
#include "fixture.h"
#include "mw_test.h"

static const double MASS = 2.0, INERTIA = 4.0, STIFFNESS = 500.0, PI = 3.14159265358979323846;
static const double A = 0.5, T = 0.2, X = 0.7, X_DOT = 0.3;

// Motor - spring - mass; inertia I n² = 0.01 · 20²
static const char *const machine =
    "modeway: 1\n"
    "bodies: { b: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
    "joints: { slide: { prismatic: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: x } }\n"
    "drives: { m: { coordinate: x, rotor: { inertia: 0.01, ratio: 20, stiffness: 500 } } }\n"
    "scenarios: { s: { duration: 1, drives: { m: { position: { sine: { amplitude: 0.5,\n"
    "  frequency: 0.5 } } } } } }\n";

typedef struct rig {
  mw_fixture f;
  mw_rigid *r;
  mw_rigid_work *w;
  double q[16], v[16], a[16], force[1];
} rig;

// At T, the mass at X with its rate; held: at X, by no drive.
static bool rig_init(bool held, rig *k)
{
  static const unsigned char locked[1] = { 1 };
  static const double s[1] = { 0.7 };
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  *k = (rig){ 0 };
  if (!MW_CHECK(mw_fixture_text(machine, &k->f))) return false;
  opt.scenario = &k->f.model.scenario[0];
  opt.locked = held ? locked : NULL;
  if (!MW_OKAY(mw_rigid_build(&k->f.mech, &opt, &k->r, &err)) ||
      !MW_OKAY(mw_rigid_work_build(k->r, &k->w, &err)))
    return false;
  mw_rigid_size n = mw_rigid_sizes(k->r);
  if (!MW_CHECK(n.n_q == 13 && n.n_row == 5 + 1 + held)) return false;
  if (held) mw_rigid_hold(k->r, k->w, s, NULL);
  mw_rigid_from_frames(k->r, k->f.mech.p0, k->q);
  k->q[0] += X;
  k->v[0] = held ? 0.0 : X_DOT;
  return MW_OKAY(mw_rigid_project_q(k->r, k->w, T, k->q, 1e-14, 20, true, NULL, &err)) &&
         MW_OKAY(mw_rigid_project_v(k->r, k->w, T, k->q, k->v, true, &err)) &&
         MW_OKAY(mw_rigid_accel(k->r, k->w, T, k->q, k->v, k->a, &err));
}

static void rig_free(rig *k)
{
  mw_rigid_work_free(k->w);
  mw_rigid_free(k->r);
  mw_fixture_free(&k->f);
}

// Ten roundings of forces up to 350 N, masses are above 1; four of places and rates up to 1.3.
static const double ROUND = 10.0 * 350.0 * DBL_EPSILON, PLACE = 4.0 * 1.3 * DBL_EPSILON;

static void a_rotor_follows_and_its_drive_gives_what_that_takes(void)
{
  rig k;
  double angle = PI * T, sigma = A * sin(angle), rate = A * PI * cos(angle),
         pull = STIFFNESS * (sigma - X), want = INERTIA * -A * PI * PI * sin(angle) + pull;
  if (rig_init(false, &k)) {
    mw_rigid_energy e;
    mw_rigid_drive_forces(k.r, k.w, k.force);
    mw_rigid_energies(k.r, k.w, T, k.q, k.v, &e);
    MW_NEAR(k.q[12], sigma, PLACE);
    MW_NEAR(k.v[12], rate, PLACE);
    MW_NEAR(k.a[0], pull / MASS, ROUND);
    MW_NEAR(k.force[0], want, ROUND);
    MW_NEAR(e.power, want * rate, 2.0 * ROUND);
  }
  rig_free(&k);
}

// The drive prescribes its rotor, not the coordinate behind it.
static void a_coordinate_can_be_held_against_a_rotor_that_follows(void)
{
  rig k;
  double sigma = A * sin(PI * T), pull = STIFFNESS * (sigma - X),
         want = INERTIA * -PI * PI * sigma + pull;
  if (rig_init(true, &k)) {
    mw_rigid_drive_forces(k.r, k.w, k.force);
    MW_NEAR(k.q[0], X, PLACE);
    MW_NEAR(k.q[12], sigma, PLACE);
    MW_WITHIN(k.a[0], 0.0, ROUND, "of the pull; what is subtracted from itself leaves none");
    MW_NEAR(k.force[0], want, ROUND);
  }
  rig_free(&k);
}

// Two of the machine side by side, the second on an axis of its own.
static void rotors_follow_beside_each_other(void)
{
  static const char *const two =
      "modeway: 1\n"
      "bodies:\n"
      "  b: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  c: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { prismatic: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: x }\n"
      "  y: { prismatic: { a: ground, b: c, axis: [0, 1, 0] }, coordinate: y }\n"
      "drives:\n"
      "  m: { coordinate: x, rotor: { inertia: 0.01, ratio: 20, stiffness: 500 } }\n"
      "  n: { coordinate: y, rotor: { inertia: 0.01, ratio: 20, stiffness: 500 } }\n"
      "scenarios: { s: { duration: 1, drives: {\n"
      "  m: { position: { sine: { amplitude: 0.5, frequency: 0.5 } } },\n"
      "  n: { position: { sine: { amplitude: 0.25, frequency: 0.5 } } } } } }\n";
  mw_fixture f;
  mw_rigid *r = NULL;
  mw_rigid_work *w = NULL;
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  double q[32] = { 0.0 }, v[32] = { 0.0 }, a[32] = { 0.0 }, force[2] = { 0.0 };
  if (!MW_CHECK(mw_fixture_text(two, &f))) return;
  opt.scenario = &f.model.scenario[0];
  if (MW_OKAY(mw_rigid_build(&f.mech, &opt, &r, &err)) &&
      MW_OKAY(mw_rigid_work_build(r, &w, &err)) && MW_CHECK(mw_rigid_sizes(r).n_q == 26)) {
    mw_rigid_from_frames(r, f.mech.p0, q);
    MW_OKAY(mw_rigid_project_q(r, w, T, q, 1e-14, 20, true, NULL, &err));
    MW_OKAY(mw_rigid_project_v(r, w, T, q, v, true, &err));
    MW_OKAY(mw_rigid_accel(r, w, T, q, v, a, &err));
    mw_rigid_drive_forces(r, w, force);
    for (int k = 0; k < 2; k++) {
      double sigma = A / (1 + k) * sin(PI * T), pull = STIFFNESS * sigma;
      MW_NEAR(q[24 + k], sigma, PLACE);
      MW_NEAR(a[12 * k + k], pull / MASS, ROUND);
      MW_NEAR(force[k], pull - INERTIA * PI * PI * sigma, ROUND);
    }
  }
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_rotor_follows_and_its_drive_gives_what_that_takes",
      a_rotor_follows_and_its_drive_gives_what_that_takes },
    { "a_coordinate_can_be_held_against_a_rotor_that_follows",
      a_coordinate_can_be_held_against_a_rotor_that_follows },
    { "rotors_follow_beside_each_other", rotors_follow_beside_each_other },
  };
  return mw_test_run("driven", cases, (int)(sizeof cases / sizeof *cases));
}
