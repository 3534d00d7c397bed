// SPDX-License-Identifier: BSD-3-Clause
// test_turn.c: how springs measure turns: closed forms, derivatives by differences, and machines
// that such springs close.
#include "joint/turn_layer.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../fixture.h"
#include "base/vec3.h"
#include "mw_test.h"
#include "rigid/rigid_row_layer.h"

enum { TRIES = 200 };

static double uniform(uint64_t *seed)  // in −1 … 1
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// exp(φ~), column by column
static void exponential(const double phi[3], double P[9])
{
  for (int j = 0; j < 3; j++) {
    double e[3] = { j == 0, j == 1, j == 2 }, x[3];
    mw_turn3(phi, e, x);
    for (int i = 0; i < 3; i++) P[3 * i + j] = x[i];
  }
}

// A rotation vector of length `angle`, across axis f (f < 0: any).
static void vector(uint64_t *seed, double angle, int f, double phi[3])
{
  double l;
  do {
    for (int i = 0; i < 3; i++) phi[i] = i == f ? 0.0 : uniform(seed);
    l = mw_norm3(phi);
  } while (l < 0.1 || l > 1.0);
  for (int i = 0; i < 3; i++) phi[i] *= angle / l;
}

static mw_row row_of(mw_row_kind kind, int i, int j)
{
  return (mw_row){ .kind = kind, .i = i, .j = j };
}

// Rounding of the nine products, ε, over |sin φ| where v gives the direction, and the length 3 of φ
// over it once more.
static double rounding(double angle) { return 64.0 * DBL_EPSILON * (1.0 + 3.0 / fabs(sin(angle))); }

static void rotation_vector_is_the_exponentials(void)
{
  uint64_t seed = 1;
  for (int k = 0; k < TRIES; k++) {
    double phi[3], P[9], angle = k < 20 ? 1e-9 * k : 3.1 * k / TRIES;
    mw_turn t;
    vector(&seed, angle, -1, phi);
    exponential(phi, P);
    for (int i = 0; i < 3; i++) {
      mw_row r = row_of(MW_ROW_TURN, i, 0);
      mw_turn_eval(&r, P, NULL, &t);
      MW_NEAR(t.g, phi[i], angle > 1.0 ? rounding(angle) : 64.0 * DBL_EPSILON);
    }
  }
}

// P = exp(τ~) exp(ψ e_f~), τ across e_f: tilt τ and twist ψ, whatever the other is; the rate of
// turn about A_f.
static void tilt_and_twist_are_parts_of_a_turn(void)
{
  uint64_t seed = 2;
  for (int k = 0; k < TRIES; k++) {
    int f = k % 3;
    double tau[3], psi[3] = { 0.0 }, T[9], S[9], P[9], angle = 3.0 * (k + 1) / (TRIES + 1);
    mw_turn t;
    vector(&seed, angle, f, tau);
    psi[f] = 3.0 * uniform(&seed);
    exponential(tau, T);
    exponential(psi, S);
    mw_mul33(T, S, P);
    for (int i = 0; i < 3; i++) {
      mw_row r = row_of(i == f ? MW_ROW_TWIST : MW_ROW_TILT, i, f);
      mw_turn_eval(&r, P, NULL, &t);
      // the twist is seen in what is left of two columns, 1 + cos τ
      double tol = i == f        ? 64.0 * DBL_EPSILON / (1.0 + cos(angle))
                   : angle > 1.0 ? rounding(angle)
                                 : 64.0 * DBL_EPSILON;
      MW_NEAR(t.g, i == f ? psi[f] : tau[i], tol);
    }
    double w[3], Pd[9], sum = 0.0;
    for (int i = 0; i < 3; i++) w[i] = uniform(&seed);
    const double W[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
    mw_mul33(W, P, Pd);
    mw_row r = row_of(MW_ROW_SPIN, f, 0);
    mw_turn_eval(&r, P, NULL, &t);
    for (int i = 0; i < 9; i++) sum += t.W[i] * Pd[i];
    MW_NEAR(sum, w[f], 64.0 * DBL_EPSILON);
  }
}

static void turns_about_one_axis_are_measured_by_their_angle(void)
{
  for (int k = -30; k <= 30; k++)
    for (int f = 0; f < 3; f++) {
      double phi[3] = { 0.0 }, P[9], angle = 0.1 * k;
      phi[f] = angle;
      exponential(phi, P);
      const mw_row row[3] = { row_of(MW_ROW_TURN, f, 0), row_of(MW_ROW_TILT, f, (f + 1) % 3),
                              row_of(MW_ROW_TWIST, f, 0) };
      for (int i = 0; i < 3; i++) {
        mw_turn t;
        mw_turn_eval(&row[i], P, NULL, &t);
        MW_NEAR(t.g, angle, 64.0 * DBL_EPSILON * (1.0 + 3.0 / fmax(fabs(sin(angle)), 0.1)));
      }
    }
}

// A tilt of half a turn has no direction of its own: it has its length all the same, across e_f.
static void half_turns_have_their_length(void)
{
  static const double PI = 3.14159265358979323846;
  for (int axis = 0; axis < 3; axis++) {
    double P[9] = { 0.0 };
    for (int i = 0; i < 3; i++) P[4 * i] = i == axis ? 1.0 : -1.0;
    for (int f = 0; f < 3; f++) {
      if (f == axis) continue;
      double square = 0.0;
      for (int i = 0; i < 3; i++) {
        mw_row r = row_of(MW_ROW_TILT, i, f);
        mw_turn t;
        if (i == f) continue;
        mw_turn_eval(&r, P, NULL, &t);
        square += t.g * t.g;
      }
      MW_NEAR(square, PI * PI, 16.0 * DBL_EPSILON * PI * PI);
    }
  }
}

// g and Σ W Ṗ at P + h Ṗ, P near a rotation by `angle` and no rotation itself
static double at(const mw_row *r, const double *P, const double *Pd, double h, double *rate)
{
  double Q[9];
  mw_turn t;
  for (int i = 0; i < 9; i++) Q[i] = P[i] + h * Pd[i];
  mw_turn_eval(r, Q, NULL, &t);
  *rate = 0.0;
  for (int i = 0; i < 9; i++) *rate += t.W[i] * Pd[i];
  return t.g;
}

// Central differences of order 4 with step H err by H⁴/30 of a fifth derivative (of the rate: a
// sixth) and round to ε/H. Of angles that move by `fast` and lie `near` their singularity that is
// n! (fast/near)^(n + 1) with n = 4, 5: X, Y of the twist move by 2 each and are 1 + cos 1.5 away,
// v and c by less and are 1 away.
static void first_and_second_derivatives_are_those_of_the_measures(void)
{
  static const double H = 1e-3;
  static const mw_row_kind kind[3] = { MW_ROW_TURN, MW_ROW_TILT, MW_ROW_TWIST };
  uint64_t seed = 3;
  for (int k = 0; k < TRIES; k++)
    for (int n = 0; n < 3; n++) {
      double phi[3], P[9], Pd[9], g[4], rate[4], here;
      vector(&seed, 1.5 * k / TRIES, -1, phi);
      exponential(phi, P);
      for (int i = 0; i < 9; i++) {
        P[i] += 0.01 * uniform(&seed);
        Pd[i] = uniform(&seed);
      }
      mw_row r = row_of(kind[n], k % 3, (k + 1) % 3);
      mw_turn t;
      static const double step[4] = { 1.0, -1.0, 2.0, -2.0 };
      for (int i = 0; i < 4; i++) g[i] = at(&r, P, Pd, step[i] * H, &rate[i]);
      mw_turn_eval(&r, P, Pd, &t);
      (void)at(&r, P, Pd, 0.0, &here);
      double fast = sqrt(8.0) / (1.0 + cos(1.5)), cut = H * H * H * H / 30.0,
             tol = 24.0 * pow(fast, 5.0) * cut + 20.0 * DBL_EPSILON / H,
             tol2 = 120.0 * pow(fast, 6.0) * cut + 100.0 * DBL_EPSILON / H;
      MW_NEAR((8.0 * (g[0] - g[1]) - g[2] + g[3]) / (12.0 * H), here, tol);
      MW_NEAR((8.0 * (rate[0] - rate[1]) - rate[2] + rate[3]) / (12.0 * H), t.bend, tol2);
    }
}

// ---- machines that springs close ----------------------------------------------------------------

// Three hinges about x, y, z in a chain; the first two are given, the third hangs in a spring of
// the ground: its twist about z, or, with stiffness against all turns, the third component of the
// rotation vector.
static const char *const chain =
    "modeway: 1\n"
    "bodies:\n"
    "  a: { rigid: { mass: 1, inertia: [1,1,1,0,0,0] } }\n"
    "  b: { rigid: { mass: 1, inertia: [1,1,1,0,0,0] } }\n"
    "  c: { rigid: { mass: 1, inertia: [1,1,1,0,0,0] } }\n"
    "joints:\n"
    "  q: { revolute: { a: ground, b: a, axis: [1,0,0] }, coordinate: q }\n"
    "  p: { revolute: { a: a, b: b, axis: [0,1,0] }, coordinate: p }\n"
    "  r: { revolute: { a: b, b: c, axis: [0,0,1] }, coordinate: r }\n"
    "springs: { s: { a: ground, b: c, stiffness: [0,0,0,%s,5] } }\n"
    "outputs: { c: { body: c } }\n";

// The chain closed at q, p: frames and r.
static bool closed(const mw_fixture *f, double q, double p, double *frames, double *s)
{
  const unsigned char locked[3] = { 1, 1, 0 };
  mw_error err = { 0 };
  memcpy(frames, f->mech.p0, 12 * (size_t)f->mech.n_body * sizeof *frames);
  const double to[3] = { q, p, 0.0 };
  memcpy(s, f->mech.s0, 3 * sizeof *s);
  return MW_OKAY(mw_mech_rigid_solve(&f->mech, locked, to, frames, s, &err));
}

// ∂²(frames)/∂q∂p, ∂²/∂q², ∂²/∂p² against differences of order 2, H²/12 of fourth derivatives of
// some tens, rounding of the closing, 1e-13, over H²
static void springs_that_close_a_chain_have_its_second_derivatives(void)
{
  static const char *const stiff[2] = { "0,0", "5,5" };
  static const double H = 2e-3, Q = 0.7, B = 0.4;
  static const unsigned char locked[3] = { 1, 1, 0 };
  enum { N = 4 * 12 };
  for (int k = 0; k < 2; k++) {
    char text[2048];
    mw_fixture f = { 0 };
    mw_error err = { 0 };
    double x[9][N], s[3], v[2 * 6 * 4], s_dot[2 * 3], p_ij[3 * N];
    snprintf(text, sizeof text, chain, stiff[k]);
    if (!MW_CHECK(mw_fixture_text(text, &f) && f.mech.n_body == 4)) return;
    bool good = true;
    for (int i = 0; good && i < 9; i++)
      good = closed(&f, Q + (i / 3 - 1) * H, B + (i % 3 - 1) * H, x[i], s);
    good = good && closed(&f, Q, B, x[4], s);
    // twist 0 of Rx Ry Rz(r): tan r = −sin q sin p/(cos q + cos p)
    if (good && k == 0)
      MW_WITHIN(s[2], -atan2(sin(Q) * sin(B), cos(Q) + cos(B)), 1e-12,
                "what the closing of loops may leave");
    if (good && MW_OKAY(mw_mech_rigid_modes(&f.mech, locked, x[4], s, v, s_dot, &err)) &&
        MW_OKAY(mw_mech_rigid_second(&f.mech, locked, x[4], s, 2, v, s_dot, p_ij, &err)))
      for (int i = 0; i < N; i++) {
        double tol = 30.0 * H * H / 12.0 + 1e-12 / (H * H);
        MW_NEAR((x[7][i] - 2.0 * x[4][i] + x[1][i]) / (H * H), p_ij[i], tol);
        MW_NEAR((x[8][i] - x[6][i] - x[2][i] + x[0][i]) / (4.0 * H * H), p_ij[N + i], tol);
        MW_NEAR((x[5][i] - 2.0 * x[4][i] + x[3][i]) / (H * H), p_ij[2 * N + i], tol);
      }
    mw_fixture_free(&f);
  }
}

static void springs_turned_too_far_are_named(void)
{
  char text[2048];
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  snprintf(text, sizeof text, chain, "5,5");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  const mw_joint *j = &f.mech.joint[3];
  const double half[3] = { 0.0, 0.0, 3.0 }, far[3] = { 2.0, 1.5, 2.0 },
               back[3] = { 0.0, 0.0, -3.0 };
  MW_OKAY(mw_joint_check_turn(j, 0.1, NULL, half, &err));
  MW_OKAY(mw_joint_check_turn(j, 0.1, half, half, &err));
  MW_FAILS(mw_joint_check_turn(j, 0.1, half, far, &err), MW_ERR_RANGE);
  MW_CHECK(strstr(err.msg, "at t = 0.1 s spring s is turned by 3.2") != NULL && err.line == 10);
  MW_FAILS(mw_joint_check_turn(j, 0.1, half, back, &err), MW_ERR_RANGE);
  MW_OKAY(mw_joint_check_turn(j, 0.1, NULL, back, &err));
  mw_fixture_free(&f);
}

// ---- angles between bodies that no joint holds --------------------------------------------------

// A body at time t that turns by constant W (ground axes) from E0: E = exp(W~ t) E0, [9].
static void turned(const double W[3], double t, const double E0[9], double E[9], mw_rkin *k)
{
  double phi[3] = { W[0] * t, W[1] * t, W[2] * t }, P[9];
  exponential(phi, P);
  mw_mul33(P, E0, E);
  memcpy(k->W, W, sizeof k->W);
  mw_mul33tv(E, W, k->w);
}

// Angle, rate and bias at time t.
static mw_rcoord_eval angle_at(const mw_rcoord *c, const double *W, const double *E0, double t)
{
  static const double none[3] = { 0.0 };
  double E[2][9];
  mw_rkin k[2] = { { .o = none, .E = E[0] }, { .o = none, .E = E[1] } };
  mw_rcoord_eval e;
  for (int b = 0; b < 2; b++) turned(W + 3 * b, t, E0 + 9 * b, E[b], &k[b]);
  mw_rigid_coord_eval(c, &k[0], &k[1], 0.0, &e);
  return e;
}

// Central differences of step h, and what they err by: their change from the step 2h, of which
// errors of second order leave a third, and rounding of what is subtracted.
static double slope(const double f[4], double h, double *error)
{
  double near = (f[2] - f[1]) / (2.0 * h), far = (f[3] - f[0]) / (4.0 * h), most = 0.0;
  for (int i = 0; i < 4; i++) most = fmax(most, fabs(f[i]));
  *error = fabs(near - far) + 64.0 * DBL_EPSILON * (1.0 + most) / h;
  return near;
}

// Rates of turn in body axes into the rate of the coordinate.
static double rate_by_turns(const mw_rcoord_eval *e, const double *W, const double *E0)
{
  double w[3], rate = 0.0;
  for (int b = 0; b < 2; b++) {
    mw_mul33tv(E0 + 9 * b, W + 3 * b, w);
    rate += mw_dot3((b == 0 ? e->Ja : e->Jb) + 3, w);
  }
  return rate;
}

// The arm B leans out of the plane across the axis: its part there, ρ, is not 1 and changes. Angles
// seen from b are counted backwards.
static void angles_of_leaning_arms_have_their_rate_and_bias(void)
{
  static const double H = 1e-4, times[] = { -2.0, -1.0, 1.0, 2.0 };
  uint64_t seed = 4;
  for (int n = 0; n < 50; n++) {
    double E0[18], W[6], phi[3], s[4], rate[4], error;
    mw_rcoord c = { .measure = MW_MEASURE_ANGLE, .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    c.sign = n % 2 == 0 ? 1.0 : -1.0;
    for (int b = 0; b < 2; b++) {
      vector(&seed, 0.2, -1, phi);
      exponential(phi, E0 + 9 * b);
      vector(&seed, 1.5, -1, W + 3 * b);
    }
    c.B[0] = 0.6;
    c.B[1] = 0.3 * uniform(&seed);
    c.B[2] = 0.5 * uniform(&seed);
    for (int i = 0; i < 4; i++) {
      mw_rcoord_eval e = angle_at(&c, W, E0, times[i] * H);
      s[i] = e.s;
      rate[i] = e.s_dot;
    }
    mw_rcoord_eval now = angle_at(&c, W, E0, 0.0);
    double want = slope(s, H, &error);
    MW_NEAR(now.s_dot, want, error);
    want = slope(rate, H, &error);
    MW_NEAR(now.bias, want, error);
    // products of directions over ρ², which is 0.3 and more
    MW_NEAR(rate_by_turns(&now, W, E0), now.s_dot, 64.0 * DBL_EPSILON / 0.3);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "half_turns_have_their_length", half_turns_have_their_length },
    { "rotation_vector_is_the_exponentials", rotation_vector_is_the_exponentials },
    { "tilt_and_twist_are_parts_of_a_turn", tilt_and_twist_are_parts_of_a_turn },
    { "turns_about_one_axis_are_measured_by_their_angle",
      turns_about_one_axis_are_measured_by_their_angle },
    { "first_and_second_derivatives_are_those_of_the_measures",
      first_and_second_derivatives_are_those_of_the_measures },
    { "springs_that_close_a_chain_have_its_second_derivatives",
      springs_that_close_a_chain_have_its_second_derivatives },
    { "angles_of_leaning_arms_have_their_rate_and_bias",
      angles_of_leaning_arms_have_their_rate_and_bias },
    { "springs_turned_too_far_are_named", springs_turned_too_far_are_named },
  };
  return mw_test_run("turn", cases, (int)(sizeof cases / sizeof *cases));
}
