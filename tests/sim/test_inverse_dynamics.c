// SPDX-License-Identifier: BSD-3-Clause
// test_inverse_dynamics.c: drive forces and minimal equations of motion against a closed loop's
// virtual work, a closed form and differences.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/analyze.h"
#include "sim/case.h"
#include "sim/newton_euler.h"

typedef struct rig {
  mw_case c;
  mw_arena mem;
  unsigned char given[6];
} rig;

static bool open_case(const char *path, rig *r)
{
  mw_error err = { 0 };
  *r = (rig){ .given = { 1, 1, 1, 1, 1, 1 } };
  return MW_OKAY(mw_case_read(path, &r->c, &err));
}

static bool open_rig(rig *r) { return open_case(MW_CASES_DIR "/parallelogram.yaml", r); }

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_case_free(&r->c);
}

static bool find(rig *r, const double *q, const double *v, const double *a, mw_equation *o)
{
  mw_error err = { 0 };
  mw_position at;
  return MW_OKAY(mw_position_find(&r->c.mech, r->given, q, &r->mem, &at, &err)) &&
         MW_OKAY(mw_equation_find(&r->c.mech, &at, r->given, v, a, NULL, &r->mem, o, &err));
}

// Virtual work with analytic derivatives, confirmed by forward dynamics of another program to
// 1.1e-14 (R26, parallelogram arm A); q1, q2, their rates and accelerations, torques.
static const double TABLE[4][8] = {
  { 5.583615851262423e-01, -8.367749494465708e-01, 6.909830056250525e-01, 7.485649227604737e-01,
    4.979720274569260e+00, 5.394696964116698e+00, 3.251612174948909e+01, 1.153442025485485e+01 },
  { 8.047772475043617e-01, -5.698246485369414e-01, 1.684547105928689e+00, 1.824926031422746e+00,
    3.816870807674236e+00, 4.134943374980423e+00, 2.832457983130012e+01, 1.209159396977236e+01 },
  { 1.1, -0.25, 2.0, 2.166666666666667, 6.412235645739300e-16, 6.946588616217574e-16,
    1.715783886244868e+01, 1.038042704258701e+01 },
  { 1.649574228439673e+00, 3.453720808096453e-01, 6.318754473153216e-01, 6.845317345915986e-01,
    -4.868298295911774e+00, -5.273989820571088e+00, -8.042696394552703e+00, 7.402621481911906e+00 },
};

static void motors_of_a_parallelogram_arm_need_the_published_torques(void)
{
  rig r;
  mw_equation o;
  // positions close to 1e-13 of 0.67 m, torques change by some 50 N m a radian
  double tol = 50.0 * 1e-12;
  if (open_rig(&r))
    for (int i = 0; i < 4; i++) {
      const double *x = TABLE[i];
      if (!find(&r, x, x + 2, x + 4, &o)) continue;
      MW_CHECK(o.k == 2 && o.drive_rank == 2);
      MW_NEAR(o.tau[0], x[6], tol);
      MW_NEAR(o.tau[1], x[7], tol);
      MW_NEAR(o.left, 0.0, 64.0 * DBL_EPSILON * 50.0);  // of forces up to 50
    }
  close_rig(&r);
}

// T of the closed form: M11 and M22 are constant, M12 = coupling cos(q1 − q2); M11 = 1.126, M22 =
// 0.5809, coupling 0.516 kg m², motors included.
static void its_inertia_is_that_of_the_closed_form(void)
{
  rig r;
  mw_equation o;
  double rest[2] = { 0.0, 0.0 };
  if (open_rig(&r))
    for (int i = 0; i < 4; i++) {
      if (!find(&r, TABLE[i], rest, rest, &o)) continue;
      MW_NEAR(o.M[0], 1.126, 1e-12);
      MW_NEAR(o.M[3], 0.5809, 1e-12);
      MW_NEAR(o.M[1], 0.516 * cos(TABLE[i][0] - TABLE[i][1]), 1e-12);
      MW_NEAR(o.M[2], o.M[1], 1e-15);
    }
  close_rig(&r);
}

// Ṁ − 2C is skew: żᵀ (h − g − damping) = ½ żᵀ Ṁ ż, Ṁ by central differences over d (1e-4 s): d²/6
// of third derivatives of some 50 kg m²/s³, and rounding 1e-13/d.
static void coriolis_terms_work_as_much_as_the_inertia_changes(void)
{
  static const double D = 1e-4, DAMPING = 0.5;
  rig r;
  mw_equation o, side[2];
  double zero[2] = { 0.0, 0.0 };
  if (open_rig(&r))
    for (int i = 0; i < 4; i++) {
      const double *q = TABLE[i], *v = q + 2;
      bool good = find(&r, q, v, zero, &o);
      for (int k = 0; good && k < 2; k++) {
        double d = k == 0 ? -D : D, x[2] = { q[0] + d * v[0], q[1] + d * v[1] };
        good = find(&r, x, zero, zero, &side[k]);
      }
      if (!good) continue;
      double power = 0.0, change = 0.0;
      for (int a = 0; a < 2; a++) {
        power += v[a] * (o.h[a] - o.g[a] - DAMPING * v[a]);
        for (int b = 0; b < 2; b++)
          change += v[a] * v[b] * (side[1].M[2 * a + b] - side[0].M[2 * a + b]) / (4.0 * D);
      }
      MW_NEAR(power, change, 50.0 * D * D / 6.0 + 10.0 * 1e-13 / D);
    }
  close_rig(&r);
}

static void coordinates_that_do_not_say_all_of_the_motion_are_refused(void)
{
  rig r;
  mw_error err = { 0 };
  mw_position at;
  mw_equation o;
  double zero[2] = { 0.0, 0.0 };
  if (open_rig(&r)) {
    r.given[1] = 0;
    MW_OKAY(mw_position_find(&r.c.mech, NULL, NULL, &r.mem, &at, &err));
    MW_FAILS(mw_equation_find(&r.c.mech, &at, r.given, zero, zero, NULL, &r.mem, &o, &err),
             MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "given: 1, freedoms left with them held: 1") != NULL);
  }
  close_rig(&r);
}

// Newton and Euler's equations along the chain, confirmed by Lagrange's (R14).
static void joints_of_a_puma_560_need_the_torques_of_newton_and_euler(void)
{
  double x[5 * 24], torque = 35.0;
  rig r;
  mw_equation o;
  int n = mw_fixture_table(MW_TESTS_DIR "/references/R14_puma560.csv", 24, 5, x);
  MW_CHECK(n == 5);
  if (open_case(MW_CASES_DIR "/puma.yaml", &r))
    for (int i = 0; i < n; i++) {
      const double *q = x + 24 * i;
      if (!find(&r, q, q + 6, q + 12, &o)) continue;
      // joints close to 1e-13 of 0.9 m, torques change by as much as they are a radian
      for (int k = 0; k < 6; k++) MW_NEAR(o.tau[k], q[18 + k], torque * 1e-12);
    }
  close_rig(&r);
}

// ---- regressor ----------------------------------------------------------------------------------

static double random_one(unsigned *seed)  // in −1 … 1
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 8388608.0 - 1.0;
}

// Torques are linear in the 60 parameters of six bodies; of these combinations 36 can be known
// (Gautier and Khalil, Direct calculation of minimum set of inertial parameters of serial robots,
// 1990). Combinations alone, with the rest of the parameters zero, give the same torques.
static void torques_of_a_puma_560_depend_on_36_combinations_of_inertial_parameters(void)
{
  enum { N = 40, WIDTH = 6 * MW_INERTIAL };
  static double x[3][6 * N];
  unsigned seed = 1;
  rig r;
  mw_error err = { 0 };
  mw_regressor o;
  mw_equation e;
  for (int i = 0; i < 3 * 6 * N; i++) x[i % 3][i / 3] = 3.0 * random_one(&seed);
  if (open_case(MW_CASES_DIR "/puma.yaml", &r) &&
      MW_OKAY(mw_regressor_find(&r.c.mech, r.given, N, x[0], x[1], x[2], &r.mem, &o, &err))) {
    MW_CHECK(o.n_body == 6 && o.k == 6 && o.n_base == 36);
    MW_CHECK(o.condition > 1.0 && o.condition < 1e6);
    for (int i = 0; i < N; i++) {
      if (!find(&r, x[0] + 6 * i, x[1] + 6 * i, x[2] + 6 * i, &e)) continue;
      for (int k = 0; k < 6; k++) {
        const double *Y = o.Y + (6 * i + k) * WIDTH;
        double all = 0.0, few = 0.0, size = 0.0;
        for (int p = 0; p < WIDTH; p++) {
          all += Y[p] * o.pi[p];
          size += fabs(Y[p] * o.pi[p]);
        }
        for (int b = 0; b < o.n_base; b++) {
          double sum = 0.0;
          for (int p = 0; p < WIDTH; p++) sum += o.share[b * WIDTH + p] * o.pi[p];
          few += Y[o.base[b]] * sum;
        }
        MW_WITHIN(all, e.Q[k], 1e-10, "promised of the regressor");
        // of columns that are told apart to 1e-9 of their norm
        MW_WITHIN(few, all, 1e-9 * (1.0 + size), "the rank's tolerance");
      }
    }
  }
  close_rig(&r);
}

// Virtual work of the closed loop, confirmed by forward dynamics of another program (R26).
static void motors_of_a_five_bar_need_the_published_torques_along_a_circle(void)
{
  double x[21 * 9], t[21], in[3][42], torque = 25.0;
  rig r;
  mw_error err = { 0 };
  mw_drive_motion o;
  int n = mw_fixture_table(MW_TESTS_DIR "/references/R26_fivebar_A.csv", 9, 21, x);
  MW_CHECK(n == 21);
  for (int i = 0; i < n; i++) {
    t[i] = x[9 * i];
    for (int k = 0; k < 6; k++) in[k / 2][2 * i + k % 2] = x[9 * i + 1 + k];
  }
  if (open_case(MW_CASES_DIR "/five-bar.yaml", &r) &&
      MW_OKAY(mw_drive_motion_find(&r.c.mech, r.given, n, t, in[0], in[1], in[2], NULL, &r.mem, &o,
                                   &err)))
    for (int i = 0; i < n; i++) {
      double power = 0.0;
      // positions converge beyond 1e-13 to rounding; torques change by 25 N m each 0.1 rad
      for (int k = 0; k < 2; k++) {
        MW_NEAR(o.tau[2 * i + k], x[9 * i + 7 + k], mw_test_rounding(24.0, 10.0 * torque));
        power = x[9 * i + 7 + k] * x[9 * i + 3 + k];
        MW_NEAR(o.power[2 * i + k], power, mw_test_rounding(24.0, 40.0 * torque));
      }
      MW_NEAR(o.left[i], 0.0, 64.0 * DBL_EPSILON * torque);
    }
  close_rig(&r);
}

// The recursion against elimination over the joints at random states: bodies close to 1e-13 of
// their size there, forces change by some ten times their size a radian.
static void compare_recursion(const char *name)
{
  rig r;
  uint64_t seed = 5;
  mw_error err = { 0 };
  mw_newton_euler *n = NULL;
  char path[512];
  snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, name);
  if (open_case(path, &r) && MW_OKAY(mw_newton_euler_build(&r.c.mech, &r.mem, &n, &err)))
    for (int k = 0; k < 5; k++) {
      double q[6], v[6], a[6], Q[6], most = 0.0;
      mw_equation o;
      for (int i = 0; i < r.c.mech.n_coord; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double x = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
        q[i] = r.c.mech.s0[i] + x;
        v[i] = 3.0 * x - 0.4;
        a[i] = 2.0 - 5.0 * x;
      }
      if (!find(&r, q, v, a, &o)) continue;
      mw_newton_euler_eval(n, q, v, a, Q);
      for (int i = 0; i < o.k; i++) most = fmax(most, fabs(o.Q[i]));
      for (int i = 0; i < o.k; i++) MW_NEAR(Q[o.coord[i]], o.Q[i], 1e-13 * 10.0 * most);
      // along a motion drives of trees are by the recursion, unless forces are shared out
      static const double t = 0.0;
      double lo[6], hi[6];
      const mw_sharing norm = { .lo = lo, .hi = hi };
      for (int d = 0; d < 6; d++) lo[d] = -(hi[d] = INFINITY);
      mw_drive_motion by[2];
      for (int e = 0; e < 2; e++)
        if (!MW_OKAY(mw_drive_motion_find(&r.c.mech, r.given, 1, &t, q, v, a, e == 0 ? NULL : &norm,
                                          &r.mem, &by[e], &err)))
          goto end;
      MW_SAME_BITS(by[0].Q, Q, (size_t)o.k);
      for (int d = 0; d < r.c.model.n_drive; d++) {
        MW_NEAR(by[0].tau[d], by[1].tau[d], 1e-13 * 10.0 * most);
        MW_NEAR(by[0].power[d], by[1].power[d], 1e-13 * 10.0 * most * 3.0);
      }
      MW_NEAR(by[0].left[0], by[1].left[0], 1e-13 * 10.0 * most);
    }
end:
  close_rig(&r);
}

static void recursion_along_a_tree_is_elimination_over_its_joints(void)
{
  compare_recursion("2r");
  compare_recursion("puma");
  compare_recursion("cartesian-2dof");
}

// A slide of 2 kg on an arm that turns, which hangs on body b of its joint, beside a fixed weight:
//   T = ½ (0.5 + 2 s² + 1·0.3²) φ'² + s'² ,  V = −g (2 s + 0.3) cos φ
// with dampers of 0.7 N m s and 1.3 N s/m.
static void a_slide_on_an_arm_needs_what_lagrange_says(void)
{
  static const char text[] =
      "modeway: 1\nname: slide on an arm\ngravity: [0, -9.81, 0]\nbodies:\n"
      "  arm: { rigid: { mass: 1e-9, inertia: [0.5, 0.5, 0.5, 0, 0, 0] },\n"
      "         frames: { hook: { point: [0, -0.3, 0] } } }\n"
      "  weight: { at: [0, -0.3, 0], rigid: { mass: 1, inertia: [1e-12, 1e-12, 1e-12, 0, 0, 0] } "
      "}\n"
      "  slide: { at: [0, -0.2, 0], rigid: { mass: 2, inertia: [1e-12, 1e-12, 1e-12, 0, 0, 0] } }\n"
      "joints:\n"
      "  hinge: { revolute: { a: arm, b: ground, axis: [0, 0, -1] }, coordinate: phi,\n"
      "           damping: 0.7 }\n"
      "  bolt: { fixed: { a: arm.hook, b: weight } }\n"
      "  rail: { prismatic: { a: arm, b: slide, axis: [0, -1, 0] }, coordinate: s, start: 0.2,\n"
      "          damping: 1.3 }\n";
  static const double q[2] = { 0.4, 0.35 }, v[2] = { 1.1, -0.6 }, a[2] = { 2.0, 3.0 }, G = 9.81;
  double s = q[1], Q[2],
         want[2] = { (0.59 + 2e-12 + 2.0 * s * s) * a[0] + 4.0 * s * v[1] * v[0] +
                         G * (2.0 * s + 0.3) * sin(q[0]) + 0.7 * v[0],
                     2.0 * a[1] - 2.0 * s * v[0] * v[0] - 2.0 * G * cos(q[0]) + 1.3 * v[1] };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_newton_euler *n = NULL;
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_newton_euler_build(&f.mech, &mem, &n, &err))) {
    mw_newton_euler_eval(n, q, v, a, Q);
    for (int i = 0; i < 2; i++) MW_NEAR(Q[i], want[i], 64.0 * DBL_EPSILON * 30.0);
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static void recursion_refuses_what_it_does_not_know(void)
{
  static const char *const name[3] = { "five-bar", "arm", "hexapod" };
  static const char *const why[3] = { "loop closed by joint", "of joint", "joint" };
  for (int i = 0; i < 3; i++) {
    rig r;
    mw_error err = { 0 };
    mw_newton_euler *n = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, name[i]);
    if (open_case(path, &r)) {
      MW_FAILS(mw_newton_euler_build(&r.c.mech, &r.mem, &n, &err), MW_ERR_INPUT);
      MW_CHECK(strstr(err.msg, why[i]) != NULL);
    }
    close_rig(&r);
  }
  static const char hinge[] =
      "modeway: 1\nname: hinge\n"
      "bodies: { rod: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
      "joints: { A: { revolute: { a: ground, b: rod, axis: [0, 0, 1] } } }\n";
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_newton_euler *no = NULL;
  mw_error why_not = { 0 };
  if (MW_CHECK(mw_fixture_text(hinge, &f)))
    MW_FAILS(mw_newton_euler_build(&f.mech, &mem, &no, &why_not), MW_ERR_INPUT);
  MW_CHECK(strstr(why_not.msg, "joint without a coordinate A") != NULL);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
  rig r;  // a tree, but for what is inside
  mw_error err = { 0 };
  mw_newton_euler *n = NULL;
  mw_component_use inside = { .name = "axis" };
  if (open_case(MW_CASES_DIR "/2r.yaml", &r)) {
    MW_OKAY(mw_newton_euler_build(&r.c.mech, &r.mem, &n, &err));
    r.c.model.component = &inside;
    r.c.model.n_component = 1;
    MW_FAILS(mw_newton_euler_build(&r.c.mech, &r.mem, &n, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "component axis") != NULL);
    r.c.model.component = NULL;
    r.c.model.n_component = 0;
  }
  close_rig(&r);
}

static const mw_test_case cases[] = {
  { "recursion_along_a_tree_is_elimination_over_its_joints",
    recursion_along_a_tree_is_elimination_over_its_joints },
  { "a_slide_on_an_arm_needs_what_lagrange_says", a_slide_on_an_arm_needs_what_lagrange_says },
  { "recursion_refuses_what_it_does_not_know", recursion_refuses_what_it_does_not_know },
  { "torques_of_a_puma_560_depend_on_36_combinations_of_inertial_parameters",
    torques_of_a_puma_560_depend_on_36_combinations_of_inertial_parameters },
  { "joints_of_a_puma_560_need_the_torques_of_newton_and_euler",
    joints_of_a_puma_560_need_the_torques_of_newton_and_euler },
  { "motors_of_a_five_bar_need_the_published_torques_along_a_circle",
    motors_of_a_five_bar_need_the_published_torques_along_a_circle },
  { "motors_of_a_parallelogram_arm_need_the_published_torques",
    motors_of_a_parallelogram_arm_need_the_published_torques },
  { "its_inertia_is_that_of_the_closed_form", its_inertia_is_that_of_the_closed_form },
  { "coriolis_terms_work_as_much_as_the_inertia_changes",
    coriolis_terms_work_as_much_as_the_inertia_changes },
  { "coordinates_that_do_not_say_all_of_the_motion_are_refused",
    coordinates_that_do_not_say_all_of_the_motion_are_refused },
};

int main(void)
{
  return mw_test_run("inverse dynamics", cases, (int)(sizeof cases / sizeof *cases));
}
