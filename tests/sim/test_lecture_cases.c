// SPDX-License-Identifier: BSD-3-Clause
// test_lecture_cases.c: machines of lectures on multibody dynamics against their closed forms.
#include <float.h>
#include <math.h>
#include <string.h>

#include "mw_test.h"
#include "sim/analyze.h"
#include "sim/case.h"

static const double G = 9.81;

typedef struct rig {
  mw_case c;
  mw_arena mem;
} rig;

static bool open_rig(const char *name, rig *r)
{
  mw_error err = { 0 };
  *r = (rig){ 0 };
  const char *path = mw_arena_printf(&r->mem, "%s/%s.yaml", MW_CASES_DIR, name);
  return MW_CHECK(path != NULL) && MW_OKAY(mw_case_read(path, &r->c, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_case_free(&r->c);
}

static bool find(rig *r, const unsigned char *given, const double *q, const double *v,
                 const double *a, mw_equation *o)
{
  mw_error err = { 0 };
  mw_position at;
  return MW_OKAY(mw_position_find(&r->c.mech, given, q, &r->mem, &at, &err)) &&
         MW_OKAY(mw_equation_find(&r->c.mech, &at, given, v, a, NULL, &r->mem, o, &err));
}

// Both angles from the ground: what the belt carries does not turn with the upper arm, so that
//   M = [4/3, cos(q1 − q2)/2; ., 1/3] ,  h = [sin q2'²/2 + 3/2 g cos q1; −sin q1'²/2 + g cos q2/2]
// and 1e-3 kg m² of the pulley.
static void remote_motors_feel_angles_from_the_ground(void)
{
  static const double q[2] = { 0.3, 1.3 }, v[2] = { 1.1, -0.7 }, a[2] = { 0.4, 2.0 };
  static const unsigned char given[2] = { 1, 1 };
  double c = 0.5 * cos(q[0] - q[1]), s = 0.5 * sin(q[0] - q[1]);
  double want[2] = { 4.0 / 3.0 * a[0] + c * a[1] + s * v[1] * v[1] + 1.5 * G * cos(q[0]),
                     c * a[0] + (1.0 / 3.0 + 1e-3) * a[1] - s * v[0] * v[0] + 0.5 * G * cos(q[1]) };
  rig r;
  mw_equation o;
  if (open_rig("2r-remote", &r) && find(&r, given, q, v, a, &o)) {
    MW_NEAR(o.M[1], c, 1e-12);  // positions close to 1e-13 m
    // torques change by some 20 N m a radian
    for (int i = 0; i < 2; i++) MW_NEAR(o.tau[i], want[i], 20.0 * 1e-12);
  }
  close_rig(&r);
}

static void slides_across_each_other_are_not_coupled(void)
{
  static const double q[2] = { 0.3, 0.2 }, v[2] = { 1.1, -0.7 }, a[2] = { 0.4, 2.0 };
  static const unsigned char given[2] = { 1, 1 };
  rig r;
  mw_equation o;
  if (open_rig("cartesian-2dof", &r) && find(&r, given, q, v, a, &o)) {
    MW_NEAR(o.tau[0], 8.0 * a[0], 16.0 * DBL_EPSILON * 8.0);
    MW_NEAR(o.tau[1], 2.0 * (a[1] + G), 16.0 * DBL_EPSILON * 30.0);
    MW_NEAR(o.M[1], 0.0, 16.0 * DBL_EPSILON * 8.0);
  }
  close_rig(&r);
}

// A body of inertia c m r² rolls down a slope with the acceleration g sin 30°/(1 + c). A step errs
// by 1e-12 of what it integrates, of up to 50 rad; there are a hundred at most.
static void the_sphere_wins_and_the_hoop_is_last(void)
{
  static const double c[4] = { 0.4, 0.5, 1.0, 0.5 };
  rig r;
  mw_run run = { 0 };
  mw_error err = { 0 };
  if (!open_rig("rolling-race", &r)) return;
  mw_rigid_in in = mw_rigid_run_opt_default(&r.c.model.scenario[0]).rigid;
  const mw_path_opt opt = { .rigid = &in };
  in.tolerance = 1e-12;
  if (MW_OKAY(mw_path_run(&r.c, &r.c.model.scenario[0], "rigid", &opt, &run, &err))) {
    const double *y = run.y + 12 * (run.n_t - 1);
    for (int i = 0; i < 4; i++) {
      double x = 0.5 * 0.5 * G / (1.0 + c[i]);
      MW_WITHIN(y[3 * i], x, 1e-10 * 50.0 * 0.1, "a hundred steps of the tolerance");
    }
  }
  mw_run_free(&run);
  close_rig(&r);
}

// ---- 4-RRR --------------------------------------------------------------------------------------

static const double LINK = 0.45,
                    FEET[4][2] = { { 0.6, 0.6 }, { -0.6, 0.6 }, { -0.6, -0.6 }, { 0.6, -0.6 } },
                    PINS[4][2] = { { 0.1, 0.1 }, { -0.1, 0.1 }, { -0.1, -0.1 }, { 0.1, -0.1 } };

// Angles of a leg's links from the ground, their rates and accelerations, and what they turn by for
// a unit of each of the platform's x, y, phi.
typedef struct leg {
  double angle[2], rate[2], acceleration[2], by[2][3];
} leg;

// Rates w of both links that give their end the velocity p.
static void turn(const double *angle, const double *p, double *w)
{
  double s0 = sin(angle[0]), c0 = cos(angle[0]), s1 = sin(angle[1]), c1 = cos(angle[1]);
  double det = LINK * (c1 * s0 - s1 * c0);
  w[0] = -(c1 * p[0] + s1 * p[1]) / det;
  w[1] = (c0 * p[0] + s0 * p[1]) / det;
}

// pose, its rates and accelerations: x, y, phi
static leg leg_at(int i, const double *z, const double *v, const double *a)
{
  leg l;
  double c = cos(z[2]), s = sin(z[2]);
  double b[2] = { c * PINS[i][0] - s * PINS[i][1], s * PINS[i][0] + c * PINS[i][1] };
  double d[2] = { z[0] + b[0] - FEET[i][0], z[1] + b[1] - FEET[i][1] };
  double far = hypot(d[0], d[1]), to = atan2(d[1], d[0]), half = acos(0.5 * far / LINK);
  l.angle[0] = to + half;
  l.angle[1] = to - half;
  double p[2] = { v[0] - v[2] * b[1], v[1] + v[2] * b[0] };
  turn(l.angle, p, l.rate);
  double pp[2] = { a[0] - a[2] * b[1] - v[2] * v[2] * b[0],
                   a[1] + a[2] * b[0] - v[2] * v[2] * b[1] };
  for (int k = 0; k < 2; k++) {
    double w2 = l.rate[k] * l.rate[k];
    pp[0] += LINK * w2 * cos(l.angle[k]);
    pp[1] += LINK * w2 * sin(l.angle[k]);
  }
  turn(l.angle, pp, l.acceleration);
  for (int k = 0; k < 3; k++) {
    double unit[2] = { k == 0   ? 1.0
                       : k == 2 ? -b[1]
                                : 0.0,
                       k == 1   ? 1.0
                       : k == 2 ? b[0]
                                : 0.0 },
           w[2];
    turn(l.angle, unit, w);
    l.by[0][k] = w[0];
    l.by[1][k] = w[1];
  }
  return l;
}

// Virtual work of weight and inertia of a leg's links for a unit k of the platform.
static double work_of(const leg *l, int k)
{
  static const double mass[2] = { 2.0, 1.0 }, inertia[2] = { 0.12, 0.07 }, com[2] = { 0.2, 0.225 };
  double sum = 0.0, end[2] = { 0.0, G }, moved[2] = { 0.0 };
  for (int i = 0; i < 2; i++) {
    double c = cos(l->angle[i]), s = sin(l->angle[i]), w2 = l->rate[i] * l->rate[i];
    double step[2] = { -s * l->acceleration[i] - c * w2, c * l->acceleration[i] - s * w2 };
    double way[2] = { -s * l->by[i][k], c * l->by[i][k] };
    for (int d = 0; d < 2; d++) {
      sum += mass[i] * (end[d] + com[i] * step[d]) * (moved[d] + com[i] * way[d]);
      end[d] += LINK * step[d];
      moved[d] += LINK * way[d];
    }
    sum += inertia[i] * l->acceleration[i] * l->by[i][k];
  }
  return sum;
}

static double det3(const double *a, const double *b, const double *c)
{
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// What four motors give is what three freedoms need, and nothing of it idles against itself: it is
// across the forces that do no work.
static void compare_motors(const leg *l, const double *a, const double *tau)
{
  double idle = 0.0, size = 0.0;
  for (int k = 0; k < 3; k++) {
    double need = k < 2 ? 5.0 * (a[k] + (k == 1 ? G : 0.0)) : 0.05 * a[2], got = 0.0, terms = 0.0;
    for (int i = 0; i < 4; i++) {
      need += work_of(&l[i], k);
      got += tau[i] * l[i].by[0][k];
      terms += fabs(tau[i] * l[i].by[0][k]);
    }
    MW_WITHIN(got, need, 1e-10 * terms, "promised of drive forces");
  }
  for (int j = 0; j < 4; j++) {
    const double *by[3];
    for (int i = 0, n = 0; i < 4; i++)
      if (i != j) by[n++] = l[i].by[0];
    double minor = (j % 2 ? -1.0 : 1.0) * det3(by[0], by[1], by[2]);
    idle += minor * tau[j];
    size += fabs(minor * tau[j]);
  }
  MW_WITHIN(idle, 0.0, 1e-10 * size, "promised of drive forces");
}

static void four_motors_of_a_4_rrr_do_the_virtual_work_of_its_bodies(void)
{
  static const double z[3][3] = { { 0.0, 0.0, 0.0 }, { 0.05, -0.03, 0.1 }, { -0.08, 0.06, -0.2 } };
  static const double v[3][3] = { { 0.5, 0.2, 1.0 }, { -0.4, 0.6, -0.8 }, { 0.3, 0.3, 2.0 } };
  static const double a[3][3] = { { 3.0, -2.0, 5.0 }, { 1.0, 4.0, -6.0 }, { -5.0, 2.0, 1.0 } };
  static const unsigned char given[4] = { 1, 1, 1, 0 };
  rig r;
  if (open_rig("4-rrr", &r))
    for (int n = 0; n < 3; n++) {
      leg l[4];
      double q[4], rate[4], acceleration[4];
      mw_equation o;
      for (int i = 0; i < 4; i++) {
        l[i] = leg_at(i, z[n], v[n], a[n]);
        q[i] = l[i].angle[0];
        rate[i] = l[i].rate[0];
        acceleration[i] = l[i].acceleration[0];
        // turns as the reference configuration counts them
        q[i] += 2.0 * acos(-1.0) * round((r.c.mech.s0[i] - q[i]) / (2.0 * acos(-1.0)));
      }
      if (find(&r, given, q, rate, acceleration, &o) && MW_CHECK(o.drive_rank == 3))
        compare_motors(l, a[n], o.tau);
    }
  close_rig(&r);
}

static const mw_test_case cases[] = {
  { "remote_motors_feel_angles_from_the_ground", remote_motors_feel_angles_from_the_ground },
  { "slides_across_each_other_are_not_coupled", slides_across_each_other_are_not_coupled },
  { "the_sphere_wins_and_the_hoop_is_last", the_sphere_wins_and_the_hoop_is_last },
  { "four_motors_of_a_4_rrr_do_the_virtual_work_of_its_bodies",
    four_motors_of_a_4_rrr_do_the_virtual_work_of_its_bodies },
};

int main(void) { return mw_test_run("lecture cases", cases, (int)(sizeof cases / sizeof *cases)); }
