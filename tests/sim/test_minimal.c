// SPDX-License-Identifier: BSD-3-Clause
// test_minimal.c: equations of motion in minimal coordinates and at a tool against closed forms.
#include <float.h>
#include <math.h>
#include <string.h>

#include "mw_test.h"
#include "sim/case.h"
#include "sim/minimal.h"

// Extrapolated differences err by ε of what is evaluated over the last step, 0.04/64, at most.
static const double DIFFERENCE = 8.0 * DBL_EPSILON / (0.04 / 64.0);
static const double G = 9.81;

typedef struct rig {
  mw_case c;
  mw_arena mem;
  mw_position position;
  mw_linearize_at at;
  unsigned char named[4];
  double rate[4];
  mw_minimal o;
} rig;

static bool open_rig(const char *file, const double *q, const double *v, rig *r)
{
  mw_error err = { 0 };
  char path[512];
  *r = (rig){ .named = { 1, 1 } };
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, file);
  if (!MW_OKAY(mw_case_read(path, &r->c, &err))) return false;
  for (int i = 0; v && i < 2; i++) r->rate[i] = v[i];
  r->at = (mw_linearize_at){ .position = &r->position, .named = r->named, .rate = r->rate };
  return MW_OKAY(mw_position_find(&r->c.mech, q ? r->named : NULL, q, &r->mem, &r->position, &err));
}

static bool find(rig *r, int tool)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_minimal_find(&r->c.mech, &r->at, tool, &r->mem, &r->o, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_case_free(&r->c);
}

// ---- two rods -----------------------------------------------------------------------------------

static const double Q[2] = { 0.3, 0.5 }, V[2] = { 1.0, 2.0 };

static void rods_inertia(double q2, double M[4])
{
  M[0] = 5.0 / 3.0 + cos(q2);
  M[1] = M[2] = 1.0 / 3.0 + 0.5 * cos(q2);
  M[3] = 1.0 / 3.0;
}

// Rods of 1 m and 1 kg: C = ½ sin q2 [−v2, −(v1 + v2); v1, 0], that of Christoffel symbols.
static void two_rods_have_the_equations_of_the_closed_form(void)
{
  rig r;
  double M[4], s2 = sin(Q[1]), c1 = cos(Q[0]), c12 = cos(Q[0] + Q[1]);
  double C[4] = { -0.5 * s2 * V[1], -0.5 * s2 * (V[0] + V[1]), 0.5 * s2 * V[0], 0.0 };
  double g[2] = { G * (1.5 * c1 + 0.5 * c12), G * 0.5 * c12 };
  rods_inertia(Q[1], M);
  if (open_rig("2r.yaml", Q, V, &r) && find(&r, -1) && MW_CHECK(r.o.k == 2)) {
    double trace = M[0] + M[3], root = sqrt(0.25 * trace * trace - M[0] * M[3] + M[1] * M[1]);
    for (int i = 0; i < 4; i++) {
      MW_NEAR(r.o.M[i], M[i], mw_test_rounding(16.0, 3.0));
      MW_NEAR(r.o.C[i], C[i], DIFFERENCE);
    }
    for (int i = 0; i < 2; i++) {
      MW_NEAR(r.o.g[i], g[i], mw_test_rounding(32.0, 30.0));
      MW_NEAR(r.o.d[i], 0.0, DIFFERENCE);
    }
    MW_NEAR(r.o.least, 0.5 * trace - root, mw_test_rounding(16.0, 3.0));
    MW_NEAR(r.o.most, 0.5 * trace + root, mw_test_rounding(16.0, 3.0));
    MW_NEAR(r.o.skew, 0.0, 4.0 * DIFFERENCE);
  }
  close_rig(&r);
}

// At the tip Λ = J⁻ᵀ M J⁻¹, μ = J⁻ᵀ (C v + g) − Λ J̇ v
static void their_tip_has_the_inertia_of_the_closed_form(void)
{
  rig r;
  double s1 = sin(Q[0]), c1 = cos(Q[0]), s12 = sin(Q[0] + Q[1]), c12 = cos(Q[0] + Q[1]), M[4];
  double J[4] = { -s1 - s12, -s12, c1 + c12, c12 }, det = J[0] * J[3] - J[1] * J[2];
  double K[4] = { J[3] / det, -J[1] / det, -J[2] / det, J[0] / det };  // J⁻¹
  double w = V[0] + V[1],
         Jdv[2] = { -c1 * V[0] * V[0] - c12 * w * w, -s1 * V[0] * V[0] - s12 * w * w };
  double s2 = sin(Q[1]),
         h[2] = { -0.5 * s2 * (2.0 * V[0] * V[1] + V[1] * V[1]) + G * (1.5 * c1 + 0.5 * c12),
                  0.5 * s2 * V[0] * V[0] + 0.5 * G * c12 };
  rods_inertia(Q[1], M);
  if (open_rig("2r.yaml", Q, V, &r) && find(&r, 0) && MW_CHECK(r.o.n_direction == 2)) {
    // entries of J⁻¹ of up to 4 stand beside M twice
    double tol = mw_test_rounding(64.0, 16.0 * 3.0);
    for (int i = 0; i < 2; i++) {
      double mu = 0.0;
      for (int j = 0; j < 2; j++) {
        double L = 0.0;
        for (int a = 0; a < 2; a++)
          for (int b = 0; b < 2; b++) L += K[2 * a + i] * M[2 * a + b] * K[2 * b + j];
        MW_NEAR(r.o.Lambda[3 * i + j], L, tol);
        mu += K[2 * j + i] * h[j] - L * Jdv[j];
      }
      MW_NEAR(r.o.mu[i], mu, 16.0 * tol);
    }
    MW_NEAR(r.o.v[0], J[0] * V[0] + J[1] * V[1], mw_test_rounding(16.0, 6.0));
    MW_NEAR(r.o.light * r.o.heavy, (M[0] * M[3] - M[1] * M[1]) / (det * det), tol);
  }
  close_rig(&r);
}

// ẍ = J M⁻¹ (n − g) of the tip at rest: a parallelogram, its corners by the limits of both motors;
// least distance of 0 from its edges, 0: outside, or J is singular.
static double rods_usable(const double q[2], const double *lo, const double *hi)
{
  double s1 = sin(q[0]), c1 = cos(q[0]), s12 = sin(q[0] + q[1]), c12 = cos(q[0] + q[1]), M[4];
  double J[4] = { -s1 - s12, -s12, c1 + c12, c12 }, x[4][2], least = INFINITY, sign = 0.0;
  double g[2] = { G * (1.5 * c1 + 0.5 * c12), G * 0.5 * c12 };
  rods_inertia(q[1], M);
  double det = M[0] * M[3] - M[1] * M[1];
  if (fabs(sin(q[1])) < 1e-9) return 0.0;
  for (int k = 0; k < 4; k++) {  // round it
    double n0 = (k == 1 || k == 2 ? hi[0] : lo[0]) - g[0], n1 = (k >= 2 ? hi[1] : lo[1]) - g[1],
           a0 = (M[3] * n0 - M[1] * n1) / det, a1 = (M[0] * n1 - M[2] * n0) / det;
    for (int i = 0; i < 2; i++) x[k][i] = J[2 * i] * a0 + J[2 * i + 1] * a1;
  }
  for (int k = 0; k < 4; k++) {
    const double *a = x[k], *b = x[(k + 1) % 4];
    double side = (a[0] * b[1] - a[1] * b[0]) / hypot(b[0] - a[0], b[1] - a[1]);
    if (sign == 0.0) sign = side;
    if (side * sign <= 0.0) return 0.0;
    least = fmin(least, fabs(side));
  }
  return least;
}

// Manipulability |sin q2|; outstretched and folded rods move their tip in one direction.
static void a_map_over_their_elbow_follows_the_closed_form(void)
{
  rig r;
  mw_error err = { 0 };
  mw_minimal_map o;
  mw_over over = {
    .n_axis = 2, .coord = { 0, 1 }, .n = { 2, 7 }, .lo = { 0.1, -1.5 }, .hi = { 1.0, 1.5 }
  };
  static const double lo[2] = { -40.0, -20.0 }, hi[2] = { 50.0, 15.0 };
  const mw_sharing limits = { .lo = lo, .hi = hi };
  if (open_rig("2r.yaml", Q, NULL, &r) &&
      MW_OKAY(mw_minimal_map_find(&r.c.mech, &r.at, 0, &over, &limits, &r.mem, &o, &err))) {
    MW_CHECK(o.n == 14 && o.n_missing == 0 && o.n_direction == 2 && o.n_singular == 2);
    for (int p = 0; p < o.n; p++) {
      double q[2], M[4];
      mw_over_at(&over, p, q);
      rods_inertia(q[1], M);
      MW_NEAR(o.least[p] * o.most[p], M[0] * M[3] - M[1] * M[1], mw_test_rounding(32.0, 3.0));
      MW_NEAR(o.manipulability[p], fabs(sin(q[1])), mw_test_rounding(32.0, 2.0));
      MW_CHECK(isinf(o.heavy[p]) == (fabs(q[1]) < 0.1));
      MW_NEAR(o.usable[p], rods_usable(q, lo, hi), mw_test_rounding(256.0, 1e3));
      MW_NEAR(o.x[3 * p], cos(q[0]) + cos(q[0] + q[1]), mw_test_rounding(16.0, 2.0));
    }
  }
  close_rig(&r);
}

// ---- others -------------------------------------------------------------------------------------

// T = ½ (1.126 v1² + 2 0.516 cos(q1 − q2) v1 v2 + 0.5809 v2²) (R26, parallelogram), 0.5 N m s/rad
// in both motors: C = 0.516 sin(q1 − q2) [0, v2; −v1, 0].
static void a_parallelogram_has_the_equations_of_the_closed_form(void)
{
  static const double q[2] = { 1.1, -0.25 }, v[2] = { 2.0, 2.5 };
  rig r;
  double s = 0.516 * sin(q[0] - q[1]);
  double M[4] = { 1.126, 0.516 * cos(q[0] - q[1]), 0.0, 0.5809 },
         C[4] = { 0.0, s * v[1], -s * v[0], 0.0 };
  M[2] = M[1];
  if (open_rig("parallelogram.yaml", q, v, &r) && find(&r, -1) && MW_CHECK(r.o.k == 2)) {
    for (int i = 0; i < 4; i++) {
      MW_WITHIN(r.o.M[i], M[i], 1e-12, "what the closing of loops may leave");
      MW_NEAR(r.o.C[i], C[i], 4.0 * DIFFERENCE);
    }
    for (int i = 0; i < 2; i++) MW_NEAR(r.o.d[i], 0.5 * v[i], 8.0 * DIFFERENCE);
    MW_NEAR(r.o.skew, 0.0, 8.0 * DIFFERENCE);
  }
  close_rig(&r);
}

static void a_rotor_is_a_coordinate_of_its_own(void)
{
  rig r;
  double want[4] = { 1.0, 0.0, 0.0, 0.25 };
  if (open_rig("elastic-joint.yaml", NULL, NULL, &r) && find(&r, 0) && MW_CHECK(r.o.k == 2)) {
    for (int i = 0; i < 4; i++) MW_NEAR(r.o.M[i], want[i], mw_test_rounding(8.0, 1.0));
    MW_NEAR(r.o.heavy, 1.0, mw_test_rounding(8.0, 1.0));  // of the link about its hinge, 1 m away
    MW_CHECK(r.o.n_direction == 1);
  }
  close_rig(&r);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "two_rods_have_the_equations_of_the_closed_form",
      two_rods_have_the_equations_of_the_closed_form },
    { "their_tip_has_the_inertia_of_the_closed_form",
      their_tip_has_the_inertia_of_the_closed_form },
    { "a_map_over_their_elbow_follows_the_closed_form",
      a_map_over_their_elbow_follows_the_closed_form },
    { "a_parallelogram_has_the_equations_of_the_closed_form",
      a_parallelogram_has_the_equations_of_the_closed_form },
    { "a_rotor_is_a_coordinate_of_its_own", a_rotor_is_a_coordinate_of_its_own },
  };
  return mw_test_run("minimal", cases, (int)(sizeof cases / sizeof *cases));
}
