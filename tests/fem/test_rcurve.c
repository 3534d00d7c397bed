// SPDX-License-Identifier: BSD-3-Clause
// test_rcurve.c: splines that curves of joints are, and the coordinate along them.
//
//   P(t) = c(u(t)) ,  u = u0 + v t + a t²/2 :  Ṗ = c' v ,  P̈ = c'' v² + c' a        (1)
//
// Points are far from evenly spaced, so that |c'| is not 1.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "mw_test.h"
#include "rigid/rigid_row_layer.h"

enum { POINTS = 5 };

static const double points[3 * POINTS] = { 0.0, 0.0, 0.0, 0.1,  0.3, 0.05, 0.9, 0.2,
                                           0.3, 1.1, 0.8, -0.1, 0.4, 1.3,  0.2 };

static bool build(bool closed, mw_arena *mem, mw_rcurve *k)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_rcurve_build(POINTS, points, closed, mem, k, &err));
}

// What the curve and its three derivatives are at most, times the rounding of their sums and of the
// system that the bends come from.
static const double SIZE[4] = { 2.0, 4.0, 60.0, 600.0 }, ROUND = 16.0 * DBL_EPSILON;

static void curves_pass_through_their_points_and_bend_without_a_jump(void)
{
  for (int closed = 0; closed < 2; closed++) {
    mw_arena mem = { 0 };
    mw_rcurve k = { 0 };
    if (build(closed, &mem, &k)) {
      MW_CHECK(k.n == POINTS - !closed);
      double first[3][3], last[3][3], c[3], c1[3], l[3][3], r[3][3];
      for (int i = 0; i < k.n; i++) {
        mw_rcurve_at(&k, k.u[i], c, c1, r[2]);
        for (int x = 0; x < 3; x++) MW_NEAR(c[x], points[3 * i + x], SIZE[0] * ROUND);
        if (i == 0) continue;
        // one rounding before the knot is the interval before
        double h = k.u[i] * DBL_EPSILON;
        mw_rcurve_at(&k, k.u[i] - h, l[0], l[1], l[2]);
        mw_rcurve_at(&k, k.u[i], r[0], r[1], r[2]);
        for (int d = 0; d < 3; d++)
          for (int x = 0; x < 3; x++) MW_NEAR(l[d][x], r[d][x], SIZE[d] * ROUND);
      }
      mw_rcurve_at(&k, 0.0, first[0], first[1], first[2]);
      mw_rcurve_at(&k, k.u[k.n], last[0], last[1], last[2]);
      for (int d = 0; d < 3; d++)
        for (int x = 0; x < 3; x++) {
          if (closed) MW_NEAR(last[d][x], first[d][x], SIZE[d] * ROUND);
          if (!closed && d == 2) MW_NEAR(first[d][x], 0.0, SIZE[d] * ROUND);
          if (!closed && d == 2) MW_NEAR(last[d][x], 0.0, SIZE[d] * ROUND);
        }
    }
    mw_arena_free(&mem);
  }
}

// Central differences of a cubic: h² times a sixth of its constant third derivative, below 600.
static void tangents_and_bends_are_derivatives(void)
{
  static const double h = 1e-5;
  mw_arena mem = { 0 };
  mw_rcurve k = { 0 };
  if (build(true, &mem, &k))
    for (int i = 0; i < 40; i++) {
      double u = k.u[k.n] * (i + 0.37) / 40, p[3][3], m[3][3], c[3][3];
      mw_rcurve_at(&k, u + h, p[0], p[1], p[2]);
      mw_rcurve_at(&k, u - h, m[0], m[1], m[2]);
      mw_rcurve_at(&k, u, c[0], c[1], c[2]);
      for (int d = 0; d < 2; d++)
        for (int x = 0; x < 3; x++)
          MW_NEAR((p[d][x] - m[d][x]) / (2.0 * h), c[d + 1][x],
                  SIZE[3] / 6.0 * h * h + SIZE[d] * ROUND / h);
    }
  mw_arena_free(&mem);
}

// Of a curve in a plane it is the plane's normal, which none of the axes is; tangents of the second
// one are opposite half a turn apart.
static void the_direction_across_a_plane_curve_is_its_normal(void)
{
  static const double e1[3] = { 0.8, 0.0, -0.6 }, e2[3] = { 0.36, 0.8, 0.48 };
  static const double in[2][POINTS][2] = {
    { { 1.0, 0.0 }, { 0.5, 1.1 }, { -0.9, 0.6 }, { -0.8, -0.7 }, { 0.4, -1.0 } },
    { { 1.0, 0.0 }, { 0.3, 1.1 }, { -1.0, 0.0 }, { -0.3, -1.1 } },
  };
  for (int shape = 0; shape < 2; shape++) {
    double p[3 * POINTS], normal[3];
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    mw_rcurve k = { 0 };
    for (int i = 0; i < 3 * POINTS; i++)
      p[i] = e1[i % 3] * in[shape][i / 3][0] + e2[i % 3] * in[shape][i / 3][1];
    mw_cross3(e1, e2, normal);
    if (MW_OKAY(mw_rcurve_build(POINTS - shape, p, true, &mem, &k, &err)))
      // products of tangents a quarter of the curve apart, of which none is short
      MW_NEAR(fabs(mw_dot3(k.across, normal)), 1.0, 8.0 * DBL_EPSILON);
    mw_arena_free(&mem);
  }
}

// A curve that runs along each of the axes, one after the other: along none of them and across no
// part of it alone. n_1 is made of c' × e, which loses a digit at most.
static void no_tangent_of_a_curve_through_space_comes_near_the_direction_across(void)
{
  static const double corner[] = { 0, 0, 0, 1, 0, 0, 2, 0,   0,   3, 0, 0, 3.7, 0.3, 0,
                                   4, 1, 0, 4, 2, 0, 4, 2.7, 0.3, 4, 3, 1, 4,   3,   2 };
  enum { N = sizeof corner / sizeof *corner / 3, SEEN = 1000 };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_rcurve k = { 0 };
  double least = 1.0, c[3], t[3], b[3], x[3];
  if (MW_OKAY(mw_rcurve_build(N, corner, false, &mem, &k, &err)))
    for (int i = 0; i <= SEEN; i++) {
      mw_rcurve_at(&k, k.u[k.n] * i / SEEN, c, t, b);
      mw_cross3(t, k.across, x);
      least = fmin(least, mw_norm3(x) / mw_norm3(t));
    }
  MW_CHECK(least > 0.1);
  mw_arena_free(&mem);
}

// ρ = R (1 + 0.07 cos 6φ) seen from its centre: a foot in the midst of each lobe, between two
// places that are farthest away. Points and the spline through them have the mirrors of the lobes,
// whose middles are knots. Where a lobe is steepest Newton's step is longer than a lobe, and a
// tenth of the curve takes the point past the foot.
static void the_foot_is_that_of_the_lobe_in_which_the_search_begins(void)
{
  enum { LOBES = 6, EACH = 8, N = LOBES * EACH };
  static const double radius[] = { 0.02, 30.0 }, PI = 3.14159265358979323846,
                      start[] = { -0.45, -0.35, -0.25, -0.1, 0.1, 0.25, 0.35, 0.45 };
  for (int r = 0; r < 2; r++) {
    double p[3 * N] = { 0.0 }, centre[3] = { 0.0 }, R = radius[r];
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    mw_rcurve k = { 0 };
    for (int i = 0; i < N; i++) {
      double phi = 2.0 * PI * i / N, rho = R * (1.0 + 0.07 * cos(LOBES * phi));
      p[3 * i] = rho * cos(phi);
      p[3 * i + 1] = rho * sin(phi);
    }
    bool built = MW_OKAY(mw_rcurve_build(N, p, true, &mem, &k, &err));
    for (int i = 0; built && i < 8 * LOBES; i++) {
      double foot = k.u[i / 8 * EACH + EACH / 2], u = foot + start[i % 8] * k.u[k.n] / LOBES;
      // c'·(P − c) rounds as its products do, over its slope, which is above 1/4 there
      MW_NEAR(mw_rcurve_foot(&k, centre, u) / R, foot / R, 4.0 * SIZE[0] * ROUND);
    }
    mw_arena_free(&mem);
  }
}

// (1): s = u, ṡ = v, s̈ = a
static void the_coordinate_of_a_point_that_moves_along_a_curve_is_its_parameter(void)
{
  static const double one[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, none[3] = { 0.0 };
  static const double R[9] = { 0.8, 0.36, 0.48, 0.0, 0.8, -0.6, -0.6, 0.48, 0.64 };
  static const double v = 0.7, a = -1.3, THERE[3] = { 0.5, -2.0, 1.0 };
  mw_arena mem = { 0 };
  mw_rcurve k = { 0 };
  double off = 0.0;
  if (build(true, &mem, &k))
    for (int i = 0; i < 20; i++) {
      double u = k.u[k.n] * (i + 0.5) / 20, at[3][3], c[3], c1[3], c2[3], acc = 0.0;
      mw_rcurve_at(&k, u, at[0], at[1], at[2]);
      // in ground axes: the body of the curve is turned by R
      mw_mul33v(R, at[0], c);
      mw_mul33v(R, at[1], c1);
      mw_mul33v(R, at[2], c2);
      off = fmax(off, fabs(mw_norm3(c1) - 1.0));
      mw_rkin ground = { .o = none, .E = R }, car = { .o = c, .E = one };
      mw_rcoord on = { .curve = &k };
      mw_rcoord_eval e;
      memcpy(on.A, one, sizeof one);
      for (int x = 0; x < 3; x++) car.v[x] = v * c1[x];
      mw_rigid_coord_eval(&on, &ground, &car, u + 0.01, &e);
      for (int x = 0; x < 3; x++) acc += e.Jb[x] * (c2[x] * v * v + c1[x] * a);
      // the foot is found to rounding of its equation over |c'|², above 1/4; rates follow it
      double foot = 4.0 * SIZE[0] * ROUND;
      MW_NEAR(e.s, u, foot);
      MW_NEAR(mw_rcurve_start(&on, &ground, &car), u, foot);
      MW_NEAR(e.s_dot, v, 4.0 * SIZE[2] * foot);
      // moved together they stay where they are
      double with[3];
      mw_mul33v(R, e.Ja, with);
      for (int x = 0; x < 3; x++) MW_NEAR(with[x], -e.Jb[x], 4.0 * SIZE[1] * ROUND);
      MW_NEAR(acc + e.bias, a, 4.0 * SIZE[3] * foot);
      // where the body of the curve stands changes nothing but roundings, nor from where in it the
      // curve is counted
      static const double FROM[3] = { 0.3, 0.2, -0.4 };
      double moved[3], from[3];
      memcpy(on.Xa, FROM, sizeof FROM);
      mw_mul33v(R, FROM, from);
      for (int x = 0; x < 3; x++) moved[x] = c[x] + THERE[x] + from[x];
      ground.o = THERE;
      car.o = moved;
      MW_NEAR(mw_rcurve_start(&on, &ground, &car), u, 4.0 * (SIZE[0] + 2.0) * ROUND);
    }
  // where a closed curve meets itself it begins
  mw_rkin ground = { .o = none, .E = one }, at_first = { .o = points, .E = one };
  mw_rcoord on = { .curve = &k };
  memcpy(on.A, one, sizeof one);
  if (k.n > 0)
    MW_WITHIN(mw_rcurve_start(&on, &ground, &at_first), 0.0, 4.0 * SIZE[0] * ROUND,
              "that of the foot; numbers that are exact leave none");
  MW_CHECK(off > 0.1);
  mw_arena_free(&mem);
}

// On a circle of radius R by angles of h/R the chord is 2 R sin(h/2R) of an arc of h: shorter by
// h²/24R² (1 − h²/80R² + ..)
static void coordinates_are_shorter_than_arcs_by_a_24th_of_the_squared_angle_between_points(void)
{
  enum { N = 33 };
  static const double R = 0.3, angle = 0.05;
  double circle[3 * N];
  for (int i = 0; i < N; i++) {
    circle[3 * i] = R * cos(angle * i);
    circle[3 * i + 1] = R * sin(angle * i);
    circle[3 * i + 2] = 0.0;
  }
  mw_arena mem = { 0 };
  mw_rcurve k = { 0 };
  mw_error err = { 0 };
  if (MW_OKAY(mw_rcurve_build(N, circle, false, &mem, &k, &err))) {
    double arc = R * angle * (N - 1), off = angle * angle / 24.0;
    MW_NEAR(1.0 - k.u[k.n] / arc, off, off * angle * angle / 80.0 + N * DBL_EPSILON);
  }
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "curves_pass_through_their_points_and_bend_without_a_jump",
      curves_pass_through_their_points_and_bend_without_a_jump },
    { "tangents_and_bends_are_derivatives", tangents_and_bends_are_derivatives },
    { "the_direction_across_a_plane_curve_is_its_normal",
      the_direction_across_a_plane_curve_is_its_normal },
    { "no_tangent_of_a_curve_through_space_comes_near_the_direction_across",
      no_tangent_of_a_curve_through_space_comes_near_the_direction_across },
    { "the_foot_is_that_of_the_lobe_in_which_the_search_begins",
      the_foot_is_that_of_the_lobe_in_which_the_search_begins },
    { "the_coordinate_of_a_point_that_moves_along_a_curve_is_its_parameter",
      the_coordinate_of_a_point_that_moves_along_a_curve_is_its_parameter },
    { "coordinates_are_shorter_than_arcs_by_a_24th_of_the_squared_angle_between_points",
      coordinates_are_shorter_than_arcs_by_a_24th_of_the_squared_angle_between_points },
  };
  return mw_test_run("rcurve", cases, (int)(sizeof cases / sizeof *cases));
}
