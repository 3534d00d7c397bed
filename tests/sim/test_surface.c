// SPDX-License-Identifier: BSD-3-Clause
// test_surface.c: surfaces on which a value is constant: a plane through a cube and a sphere.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "draw/surface_layer.h"
#include "mw_test.h"

enum { N = 12 };

typedef struct cube {
  double x[N], value[N * N * N];
  mw_volume v;
} cube;

// The unit cube with a value of its points, whose third axis has a point less.
static void make(cube *c, double (*f)(const double x[3]))
{
  c->v = (mw_volume){
    .n = { N, N, N - 1 }, .value = c->value, .label = { "x", "y", "z" }, .title = ""
  };
  for (int i = 0; i < N; i++) c->x[i] = (double)i / (N - 1);
  for (int i = 0; i < 3; i++) c->v.x[i] = c->x;
  for (int k = 0; k < N * N * (N - 1); k++) {
    const double x[3] = { c->x[k / (N - 1) / N], c->x[k / (N - 1) % N], c->x[k % (N - 1)] };
    c->value[k] = f(x);
  }
}

static double plane(const double x[3]) { return x[0] + 0.5 * x[1] - x[2]; }
static double sphere(const double x[3])
{
  return (x[0] - 0.5) * (x[0] - 0.5) + (x[1] - 0.5) * (x[1] - 0.5) + (x[2] - 0.45) * (x[2] - 0.45);
}

static double area(int n, const double *x)
{
  double sum = 0.0;
  for (int t = 0; t < n; t++) {
    double u[3], w[3], a[3];
    for (int i = 0; i < 3; i++) {
      u[i] = x[9 * t + 3 + i] - x[9 * t + i];
      w[i] = x[9 * t + 6 + i] - x[9 * t + i];
    }
    mw_cross3(u, w, a);
    sum += 0.5 * mw_norm3(a);
  }
  return sum;
}

// x + y/2 − z = 1/4 over the cube up to z = Z = 10/11: seen from above z = x + y/2 − 1/4 within
// [0, Z]; areas are 3/2 times those. Of the unit square the corner below z = 0 has the legs 1/4 and
// 1/2, that above Z = x + y/2 − 1/4 the legs 1 − a and 2 (1 − a) with 1 − a = 5/4 − Z.
static void a_plane_is_cut_exactly(void)
{
  cube c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  int n = 0;
  double *x = NULL, Z = (double)(N - 2) / (N - 1), above = 1.25 - Z;
  make(&c, plane);
  if (!MW_OKAY(mw_surface_build(&c.v, 0.25, &mem, &n, &x, &err)) || !MW_CHECK(n > 0)) return;
  for (int k = 0; k < 3 * n; k++)
    MW_WITHIN(plane(x + 3 * k), 0.25, 8.0 * DBL_EPSILON, "a few sums of numbers up to 1");
  double want = 1.5 * (1.0 - 0.5 * 0.25 * 0.5 - 0.5 * above * fmin(2.0 * above, 1.0));
  MW_WITHIN(area(n, x), want, 1000.0 * DBL_EPSILON, "sums of some hundred triangles");
  mw_arena_free(&mem);
}

// The value bends by 2 along an edge of length l <= √3 h: between its ends it is off by l²/4 at
// most, and the radius by that over 2 r. Every edge of a surface without a rim is that of two.
static void a_sphere_is_closed_and_as_large_as_it_should_be(void)
{
  static const double R = 0.35;
  cube c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  int n = 0, open = 0;
  double *x = NULL, h = 1.0 / (N - 1), off = 0.75 * h * h / (2.0 * R) * 1.2;
  make(&c, sphere);
  if (!MW_OKAY(mw_surface_build(&c.v, R * R, &mem, &n, &x, &err)) || !MW_CHECK(n > 100)) return;
  for (int k = 0; k < 3 * n; k++)
    MW_WITHIN(sqrt(sphere(x + 3 * k)), R, off, "the bend of the value along an edge");
  for (int e = 0; e < 3 * n; e++) {
    const double *a = x + 9 * (e / 3) + 3 * (e % 3), *b = x + 9 * (e / 3) + 3 * ((e + 1) % 3);
    int same = 0;
    for (int g = 0; g < 3 * n; g++) {
      const double *p = x + 9 * (g / 3) + 3 * (g % 3), *q = x + 9 * (g / 3) + 3 * ((g + 1) % 3);
      same += (memcmp(a, p, 3 * sizeof *a) == 0 && memcmp(b, q, 3 * sizeof *a) == 0) ||
              (memcmp(a, q, 3 * sizeof *a) == 0 && memcmp(b, p, 3 * sizeof *a) == 0);
    }
    open += same != 2;
  }
  MW_CHECK(open == 0);
  // chords: triangles within a shell of that width
  double want = 4.0 * acos(-1.0) * R * R;
  MW_WITHIN(area(n, x), want, 4.0 * off / R * want, "the same off the radius, twice");
  mw_arena_free(&mem);
}

static void cells_without_a_value_have_no_surface(void)
{
  cube c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  int n = 0, all = 0;
  double *x = NULL;
  char *text = NULL;
  size_t size = 0;
  make(&c, plane);
  MW_OKAY(mw_surface_build(&c.v, 0.25, &mem, &all, &x, &err));
  c.value[(5 * N + 5) * (N - 1) + 5] = NAN;
  MW_OKAY(mw_surface_build(&c.v, 0.25, &mem, &n, &x, &err));
  MW_CHECK(n > 0 && n < all);
  for (int k = 0; k < 9 * n; k++) MW_CHECK(isfinite(x[k]));
  MW_OKAY(mw_surface_build(&c.v, 9.0, &mem, &n, &x, &err));
  MW_CHECK(n == 0);
  FILE *f = open_memstream(&text, &size);
  const double level[2] = { 0.25, 9.0 };
  MW_OKAY(mw_surface_draw(&c.v, 2, level, "m/N", 560, 660, f, &err));
  if (MW_CHECK(fclose(f) == 0))
    MW_CHECK(strstr(text, "0.25 m/N") && strstr(text, "</svg>") && !strstr(text, "nan"));
  free(text);
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_plane_is_cut_exactly", a_plane_is_cut_exactly },
    { "a_sphere_is_closed_and_as_large_as_it_should_be",
      a_sphere_is_closed_and_as_large_as_it_should_be },
    { "cells_without_a_value_have_no_surface", cells_without_a_value_have_no_surface },
  };
  return mw_test_run("surface", cases, (int)(sizeof cases / sizeof *cases));
}
