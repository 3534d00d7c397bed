// SPDX-License-Identifier: BSD-3-Clause
// test_guide_beam.c: displacement and rotation of a guide of beams: what they reproduce, how smooth
// they are, rows and derivatives, and the compliance under a contact against closed forms.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/factor.h"
#include "fixture_body.h"
#include "mw_test.h"

enum { N_MAX = 40, N_Z = 6 * N_MAX };

static const double EPS = DBL_EPSILON;

// A guide over two members: na elements on 0.5 m, then nb on 0.7 m, with shear (the fixture's
// section).
static const mw_guide *make_guide(int na, int nb, mw_arena *mem, mw_body *b)
{
  fixture_body f;
  mw_error err = { 0 };
  fixture_init(&f);
  int p = fixture_point(&f, "p", 0.1, 0.2, 0.3), q = fixture_point(&f, "q", 0.6, 0.2, 0.3),
      r = fixture_point(&f, "r", 1.3, 0.2, 0.3);
  fixture_member(&f, p, q, na);
  fixture_member(&f, q, r, nb);
  fixture_guide(&f, "rail", p, r);
  if (!MW_OKAY(mw_body_build(&f.model, 0, mem, b, &err))) return NULL;
  return &b->guide[0];
}

typedef struct field {
  double u[3], r[3];
} field;

static field at(const mw_guide *g, double s, double len, int order, const double *z)
{
  double W[3][N_MAX];
  mw_error err = { 0 };
  field x = { { 0 }, { 0 } };
  MW_OKAY(mw_guide_weights(g, s, len, W[0], W[1], W[2], &err));
  mw_guide_field(g, (mw_guide_place){ .s = s, .len = len, .order = order }, W[order], z, x.u, x.r);
  return x;
}

static void random_data(const mw_guide *g, unsigned *seed, double *z)
{
  for (int i = 0; i < 6 * g->n; i++) z[i] = fixture_random(seed);
}

// u = T + R × X, r = R at every node: the same at every s, whatever the length. Sums of some ten
// products of size one, curvatures of these divided by h² and multiplied by h² again.
static void rigid_motion_is_exact(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  const double T[3] = { 0.3, -0.7, 0.2 }, R[3] = { 0.4, 0.5, -0.6 };
  double z[N_Z], X[3], u[3];
  for (int j = 0; g != NULL && j < g->n; j++) {
    for (int i = 0; i < 3; i++) X[i] = g->X0[i] + g->s[j] * g->t[i];
    mw_cross3(R, X, u);
    for (int i = 0; i < 3; i++) z[6 * j + i] = T[i] + u[i], z[6 * j + 3 + i] = R[i];
  }
  for (int k = 0; g != NULL && k <= 50; k++)
    for (int l = 0; l < 3; l++) {
      // sums over some 24 unknowns, of slopes by 6/h
      double s = g->length * k / 50.0, tol = 1e3 * EPS, d[3],
             slope = mw_test_rounding(24.0, 6.0 * g->n / g->length);
      field x = at(g, s, 0.15 * l, 0, z), x1 = at(g, s, 0.15 * l, 1, z);
      for (int i = 0; i < 3; i++) X[i] = g->X0[i] + s * g->t[i];
      mw_cross3(R, X, u);
      mw_cross3(R, g->t, d);
      for (int i = 0; i < 3; i++) {
        MW_NEAR(x.u[i], T[i] + u[i], tol);
        MW_NEAR(x.r[i], R[i], tol);
        MW_NEAR(x1.u[i], d[i], slope);
        MW_NEAR(x1.r[i], 0.0, slope);
      }
    }
  mw_arena_free(&mem);
}

// A beam loaded at its ends by F along n2 (Timoshenko): ψ = s³/6 − L s²/2, v = ψ − g ψ'', θ = ψ',
// in units of F/EI, g = EI/κGA. Slope and curvature of the two elements of a node agree: the
// interpolant is v.
static void beam_under_end_loads_is_exact(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  fixture_body f;
  fixture_init(&f);
  const mw_guide *g = make_guide(4, 3, &mem, &b);
  double z[N_Z], n2[3], L = g != NULL ? g->length : 0.0;
  if (g == NULL) return;
  // the plane of bending that is the section's own: z of the section
  const double up[3] = { 0.1, 0.2, 1.0 };
  double a2[3], a3[3],
      EI = f.material.E * f.section.Iy,
      kGA = f.section.kz * f.section.A * f.material.E / (2.0 + 2.0 * f.material.nu),
      shear = EI / kGA;
  mw_cross3(up, g->t, a2);
  for (int i = 0; i < 3; i++) n2[i] = a2[i] / mw_norm3(a2);
  mw_cross3(g->t, n2, a3);
  for (int j = 0; j < g->n; j++) {
    double s = g->s[j], v = s * s * s / 6.0 - L * s * s / 2.0 - shear * (s - L),
           th = s * s / 2.0 - L * s, r[3];
    mw_cross3(g->t, a3, r);  // slope along a3: (r × t)·a3 = th with r = th (t × a3)
    for (int i = 0; i < 3; i++) z[6 * j + i] = v * a3[i], z[6 * j + 3 + i] = th * r[i];
  }
  for (int k = 0; k <= 40; k++)
    for (int l = 0; l < 2; l++) {
      // the mean over len adds v'' len²/24, v''' is constant; kept off the ends
      double len = 0.1 * l, s = 0.1 + (L - 0.2) * k / 40.0,
             v = s * s * s / 6.0 - L * s * s / 2.0 - shear * (s - L) + (s - L) * len * len / 24.0;
      field x = at(g, s, len, 0, z), x1 = at(g, s, len, 1, z);
      MW_NEAR(mw_dot3(x.u, a3), v, 1e3 * EPS);
      MW_NEAR(mw_dot3(x.u, n2), 0.0, mw_test_rounding(24.0, v));
      MW_NEAR(mw_dot3(x1.u, a3), s * s / 2.0 - L * s - shear + len * len / 24.0,
              mw_test_rounding(24.0, 6.0 * g->n / L));
    }
  mw_arena_free(&mem);
}

// n·u + m·r by the row and by the field
static void row_is_the_field_transposed(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  unsigned seed = 3;
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  for (int k = 0; g != NULL && k <= 30; k++)
    for (int l = 0; l < 3; l++)
      for (int order = 0; order < 3; order++) {
        double s = g->length * k / 30.0, len = 0.2 * l, z[N_Z], row[N_Z] = { 0 }, W[3][N_MAX], n[3],
               m[3], sum = 0.0, size = 0.0;
        random_data(g, &seed, z);
        for (int i = 0; i < 3; i++) n[i] = fixture_random(&seed), m[i] = fixture_random(&seed);
        MW_OKAY(mw_guide_weights(g, s, len, W[0], W[1], W[2], &err));
        mw_guide_row(g, (mw_guide_place){ s, len, order }, W[order], n, m, row);
        for (int i = 0; i < 6 * g->n; i++) sum += row[i] * z[i], size += fabs(row[i] * z[i]);
        field x = at(g, s, len, order, z);
        MW_NEAR(mw_dot3(n, x.u) + mw_dot3(m, x.r), sum, 100.0 * EPS * (1.0 + size));
      }
  mw_arena_free(&mem);
}

// Central differences of random data: third derivatives are of size 60/h³ (h the shortest element)
// and jump at nodes, so that the second differs by δ of it; rounding / δ.
static void derivatives_match_finite_differences(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  unsigned seed = 5;
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  const double delta = 1e-6;
  double z[N_Z], h = 0.08, third = 1e3 / (h * h * h);
  if (g != NULL) random_data(g, &seed, z);
  for (int k = 1; g != NULL && k < 60; k++)
    for (int l = 0; l < 3; l++) {
      double s = g->length * k / 60.0, len = 0.13 * l;
      field p[2], m[2], x1 = at(g, s, len, 1, z), x2 = at(g, s, len, 2, z);
      for (int o = 0; o < 2; o++) {
        p[o] = at(g, s + delta, len, o, z);
        m[o] = at(g, s - delta, len, o, z);
      }
      for (int i = 0; i < 3; i++) {
        MW_NEAR((p[0].u[i] - m[0].u[i]) / (2.0 * delta), x1.u[i],
                delta * delta * third + 1e2 * EPS / delta);
        MW_NEAR((p[1].u[i] - m[1].u[i]) / (2.0 * delta), x2.u[i],
                delta * third + 1e2 * EPS / (h * delta));
        MW_NEAR((p[0].r[i] - m[0].r[i]) / (2.0 * delta), x1.r[i],
                delta * delta * third + 1e2 * EPS / delta);
      }
    }
  mw_arena_free(&mem);
}

// The second derivative changes by 2 δ of the third across a node; a kink of the slope would be of
// 1/h².
static void second_derivative_is_continuous_across_nodes(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  unsigned seed = 9;
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  const double delta = 1e-9, h = 0.08;
  double z[N_Z];
  if (g != NULL) random_data(g, &seed, z);
  for (int j = 1; g != NULL && j + 1 < g->n; j++)
    for (int l = 0; l < 2; l++) {
      // a contact whose end passes the node, or the point itself
      double len = 0.1 * l, s = g->s[j] + 0.5 * len;
      if (s > g->length - 0.01) continue;
      field a = at(g, s - delta, len, 2, z), c = at(g, s + delta, len, 2, z);
      for (int i = 0; i < 3; i++)
        MW_NEAR(a.u[i], c.u[i], 2.0 * delta * 1e3 / (h * h * h) + 1e4 * EPS / (h * h));
    }
  mw_arena_free(&mem);
}

// ---- compliance ---------------------------------------------------------------------------------

// n elements on 1 m between simple supports or clamps; compliance across at s, contact of length
// len
static double compliance(int n, bool clamped, double ky, double s, double len)
{
  fixture_body f;
  mw_body b;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_factor *K = NULL;
  double W[N_MAX], c = NAN;
  static const bool pin[6] = { true, true, true, true, false, false };
  fixture_init(&f);
  f.body.ground = true;
  f.section.ky = f.section.kz = ky;
  int p = fixture_point(&f, "p", 0, 0, 0), q = fixture_point(&f, "q", 1, 0, 0);
  fixture_member(&f, p, q, n);
  fixture_guide(&f, "rail", p, q);
  fixture_support(&f, "p");
  fixture_support(&f, "q");
  for (int k = 0; k < 2 && !clamped; k++) memcpy(f.support[k].dof, pin, sizeof pin);
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err)) &&
      MW_OKAY(mw_factor_build(&b.K, true, &K, &err))) {
    const mw_guide *g = &b.guide[0];
    const double none[3] = { 0.0 };
    double *z = mw_arena_f64(&mem, (size_t)b.n_z), *x = mw_arena_f64(&mem, (size_t)b.n_u),
           *y = mw_arena_f64(&mem, (size_t)b.n_u);
    MW_OKAY(mw_guide_weights(g, s, len, W, NULL, NULL, &err));
    mw_guide_row(g, (mw_guide_place){ .s = s, .len = len }, W, g->n1, none, z + g->z);
    mw_csc_mul_t(&b.P, 1.0, z, 1.0, x);
    MW_OKAY(mw_factor_solve(K, 1, x, y, &err));
    c = 0.0;
    for (int i = 0; i < b.n_u; i++) c += x[i] * y[i];
  }
  mw_factor_free(K);
  mw_arena_free(&mem);
  return c;
}

// Deflection at x under a unit force at y of a beam of length 1 between simple supports or clamps,
// bending alone, times EI (closed forms, x <= y).
static double green(bool clamped, double x, double y)
{
  if (x > y) return green(clamped, y, x);
  double b = 1.0 - y;
  if (!clamped) return x * b * (1.0 - x * x - b * b) / 6.0;
  return x * x * b * b * (3.0 * y - x - 2.0 * x * y) / 6.0;
}

// Mean of green over a contact of length len at s: len 0 the point. Midpoints: relative error 1/M².
static double mean_green(bool clamped, double s, double len)
{
  enum { M = 400 };
  double sum = 0.0;
  if (!(len > 0.0)) return green(clamped, s, s);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      sum += green(clamped, s + len * ((i + 0.5) / M - 0.5), s + len * ((j + 0.5) / M - 0.5));
  return sum / (M * M);
}

typedef struct plane {
  double share, EI, kGA;  // (n1·a)² of the section's plane, N m², N
} plane;

static void planes_of(double ky, plane out[2])
{
  fixture_body f;
  fixture_init(&f);
  const double t[3] = { 1, 0, 0 }, up[3] = { 0.1, 0.2, 1.0 }, normal[3] = { 0.0, 0.1, 1.0 };
  double a[2][3];
  mw_cross3(up, t, a[0]);
  mw_cross3(t, a[0], a[1]);
  for (int k = 0; k < 2; k++) {
    double c = mw_dot3(a[k], normal) / mw_norm3(a[k]) / mw_norm3(normal);
    out[k] = (plane){ c * c, f.material.E * (k == 0 ? f.section.Iz : f.section.Iy),
                      ky * f.section.A * f.material.E / (2.0 + 2.0 * f.material.nu) };
  }
}

// What an element loses of its own deflection under a load within it, at most: l³/192 EI, with
// shear l/4 κGA. The guide stays within it (beside a support, at 0.03 of the span, 3.6 % at 8
// elements, 0.5 % at 16), and away from the ends it converges with l³ and more.
static void contact_beside_a_support_is_as_soft_as_the_closed_form(void)
{
  static const double places[] = { 0.01, 0.03, 0.0625, 0.09, 0.2, 0.31, 0.5 };
  for (int v = 0; v < 4; v++) {
    bool clamped = v % 2 == 1;
    double ky = v < 2 ? 0.0 : 5.0 / 6.0, worst[2] = { 0.0, 0.0 };
    plane p[2];
    planes_of(ky, p);
    for (int k = 0; k < (int)(sizeof places / sizeof *places); k++)
      for (int n = 8; n <= 16; n *= 2) {
        double s = places[k], l = 1.0 / n, want = 0.0, lost = 0.0;
        for (int i = 0; i < 2; i++) {
          double own = l * l * l / (192.0 * p[i].EI);
          want += p[i].share * green(clamped, s, s) / p[i].EI;
          if (ky > 0.0) {
            own += 0.25 * l / p[i].kGA;
            want += p[i].share * s * (1.0 - s) / p[i].kGA;
          }
          lost += p[i].share * own;
        }
        if (ky > 0.0 && clamped) continue;  // no sum of bending and shear
        double c = compliance(n, clamped, ky, s, 0.0);
        MW_NEAR(c, want, lost + 1e-9 * want);
        if (s >= 0.2) worst[n > 8] = fmax(worst[n > 8], fabs(c / want - 1.0));
      }
    if (ky == 0.0) MW_CHECK(worst[0] > 8.0 * worst[1]);
    printf("%s, %s: %.1e and %.1e away from the ends, 8 and 16 elements\n",
           clamped ? "clamped" : "supported", ky > 0.0 ? "shear" : "bending", worst[0], worst[1]);
  }
}

// Runners of a length, over several elements and within one.
static void length_is_the_mean_over_it(void)
{
  static const double places[] = { 0.1, 0.2, 0.37, 0.5 }, lens[] = { 0.02, 0.05, 0.15 };
  plane p[2];
  planes_of(0.0, p);
  for (int v = 0; v < 2; v++)
    for (int k = 0; k < 4; k++)
      for (int m = 0; m < 3; m++) {
        double want = 0.0, lost = 0.0;
        for (int i = 0; i < 2; i++) {
          want += p[i].share * mean_green(v == 1, places[k], lens[m]) / p[i].EI;
          lost += p[i].share * pow(1.0 / 16.0, 3.0) / (192.0 * p[i].EI);
        }
        MW_NEAR(compliance(16, v == 1, 0.0, places[k], lens[m]), want, lost + 1e-5 * want);
      }
}

static const mw_test_case cases[] = {
  { "rigid_motion_is_exact", rigid_motion_is_exact },
  { "beam_under_end_loads_is_exact", beam_under_end_loads_is_exact },
  { "row_is_the_field_transposed", row_is_the_field_transposed },
  { "derivatives_match_finite_differences", derivatives_match_finite_differences },
  { "second_derivative_is_continuous_across_nodes", second_derivative_is_continuous_across_nodes },
  { "contact_beside_a_support_is_as_soft_as_the_closed_form",
    contact_beside_a_support_is_as_soft_as_the_closed_form },
  { "length_is_the_mean_over_it", length_is_the_mean_over_it },
};

int main(void) { return mw_test_run("guide_beam", cases, (int)(sizeof cases / sizeof *cases)); }
