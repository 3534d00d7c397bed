// SPDX-License-Identifier: BSD-3-Clause
// test_shell.c: flat shell facets alone, in patches and in plates.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/element.h"
#include "mw_test.h"
#include "plate.h"

static const double EPS = DBL_EPSILON;
static const mw_material STEEL = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };
static const mw_elem_kind KIND[2] = { MW_ELEM_TRI3, MW_ELEM_QUAD4 };

static const double TRI[9] = { 0.1, 0.2, 0.3, 1.2, 0.1, 0.5, 0.3, 0.9, 0.9 };
// a crooked quadrilateral in a plane: three corners and one between them
static const double FLAT_QUAD[12] = { 0.0, 0.0, 0.0, 1.2, 0.1, 0.3, 1.1, 1.0, 0.0, -0.1, 0.8, 0.0 };
static const double WARPED_QUAD[12] = { 0.0, 0.0, 0.03, 1.2,  0.1, -0.02,
                                        1.1, 1.0, 0.05, -0.1, 0.8, -0.03 };

// local motion (u v w θx θy θz) to body axes
static void turn_motion(const double R[9], const double local[6], double *u)
{
  mw_mul33v(R, local, u);
  mw_mul33v(R, local + 3, u + 3);
}

// ---- one element ----

static void facets_have_six_zero_modes(void)
{
  static mw_element s;
  mw_error err = { 0 };
  const double *X[3] = { TRI, FLAT_QUAD, WARPED_QUAD };
  double V[24 * 24], w[24];
  for (int k = 0; k < 3; k++) {
    int zero = 0;
    MW_OKAY(mw_shell_element(k == 0 ? MW_ELEM_TRI3 : MW_ELEM_QUAD4, X[k], 0.2, &STEEL, 1,
                             MW_NOWHERE, &s, &err));
    MW_OKAY(mw_eig_sym(s.n, s.K, w, V, &err));
    for (int i = 0; i < s.n; i++) zero += fabs(w[i]) < 1e2 * s.n * EPS * w[s.n - 1];
    MW_CHECK(zero == 6);
    MW_CHECK(w[zero] > 1e-4 * w[s.n - 1]);  // bending over membrane: (t/size)² = 0.03
  }
}

// motion of n nodes under rigid mode r: three translations, three rotations about the origin
static void rigid_motion(int n, const double *X, int r, double *u)
{
  double e[3] = { r % 3 == 0, r % 3 == 1, r % 3 == 2 };
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      u[6 * i + c] = r < 3 ? e[c] : 0.0;
      u[6 * i + 3 + c] = r < 3 ? 0.0 : e[c];
    }
    if (r >= 3) mw_cross3(e, X + 3 * i, u + 6 * i);
  }
}

static void rigid_motions_cost_nothing_even_when_warped(void)
{
  static mw_element s;
  mw_error err = { 0 };
  const double *X[3] = { TRI, FLAT_QUAD, WARPED_QUAD };
  for (int k = 0; k < 3; k++) {
    MW_OKAY(mw_shell_element(k == 0 ? MW_ELEM_TRI3 : MW_ELEM_QUAD4, X[k], 0.02, &STEEL, 1,
                             MW_NOWHERE, &s, &err));
    double k_max = 0.0, u[24];
    for (int i = 0; i < s.n * s.n; i++) k_max = fmax(k_max, fabs(s.K[i]));
    for (int r = 0; r < 6; r++) {
      rigid_motion(s.n / 6, X[k], r, u);
      for (int i = 0; i < s.n; i++)  // n terms of |K| |u|, |u| up to 2
        MW_NEAR(mw_dot(s.n, s.K + i * s.n, u), 0.0, 2.0 * s.n * 4.0 * EPS * k_max);
    }
  }
}

static void turned_facets_have_turned_stiffness(void)
{
  static mw_element a, b;
  mw_error err = { 0 };
  const double *X[3] = { TRI, FLAT_QUAD, WARPED_QUAD };
  double R[9], Y[12];
  plate_rotation(R);
  for (int k = 0; k < 3; k++) {
    mw_elem_kind kind = k == 0 ? MW_ELEM_TRI3 : MW_ELEM_QUAD4;
    int n = plate_nodes(kind);
    for (int i = 0; i < n; i++) mw_mul33v(R, X[k] + 3 * i, Y + 3 * i);
    MW_OKAY(mw_shell_element(kind, X[k], 0.1, &STEEL, 1, MW_NOWHERE, &a, &err));
    MW_OKAY(mw_shell_element(kind, Y, 0.1, &STEEL, 1, MW_NOWHERE, &b, &err));
    double k_max = 0.0, worst = 0.0;
    for (int i = 0; i < a.n * a.n; i++) k_max = fmax(k_max, fabs(a.K[i]));
    for (int i = 0; i < 2 * n; i++)
      for (int j = 0; j < 2 * n; j++)
        for (int c = 0; c < 9; c++) {
          double v = 0.0;
          for (int d = 0; d < 9; d++)
            v += R[3 * (c / 3) + d / 3] * a.K[(3 * i + d / 3) * a.n + 3 * j + d % 3] *
                 R[3 * (c % 3) + d % 3];
          worst = fmax(worst, fabs(v - b.K[(3 * i + c / 3) * a.n + 3 * j + c % 3]));
        }
    MW_NEAR(worst, 0.0,
            200.0 * EPS * k_max);  // rounded coordinates through gradients of size up to 10
  }
}

// A quadrilateral does not care where its numbering begins, a triangle neither.
static void numbering_may_begin_at_any_corner(void)
{
  static mw_element a, b;
  mw_error err = { 0 };
  const double *X[3] = { TRI, FLAT_QUAD, WARPED_QUAD };
  for (int k = 0; k < 3; k++) {
    mw_elem_kind kind = k == 0 ? MW_ELEM_TRI3 : MW_ELEM_QUAD4;
    int n = plate_nodes(kind);
    double Y[12], k_max = 0.0;
    MW_OKAY(mw_shell_element(kind, X[k], 0.1, &STEEL, 1, MW_NOWHERE, &a, &err));
    for (int i = 0; i < a.n * a.n; i++) k_max = fmax(k_max, fabs(a.K[i]));
    for (int i = 0; i < 3 * n; i++) Y[i] = X[k][3 * ((i / 3 + 1) % n) + i % 3];
    MW_OKAY(mw_shell_element(kind, Y, 0.1, &STEEL, 1, MW_NOWHERE, &b, &err));
    for (int i = 0; i < a.n; i++)
      for (int j = 0; j < a.n; j++)
        MW_NEAR(b.K[i * a.n + j], a.K[(i + 6) % a.n * a.n + (j + 6) % a.n], 200.0 * EPS * k_max);
  }
}

// ---- mass moments by a quadrature of the fields themselves ----

typedef struct moments {
  double M[9][576], s[3][24], h[9][24], m, mX[3], J[9];
} moments;

// A facet's plane by hand: the middle of the corners and the normal of the diagonals (triangle: of
// two sides).
static void plane_of(int n, const double *X, double mid[3], double normal[3])
{
  double d[3], e[3];
  for (int c = 0; c < 3; c++) {
    mid[c] = 0.0;
    for (int i = 0; i < n; i++) mid[c] += X[3 * i + c] / n;
    d[c] = n == 3 ? X[3 + c] - X[c] : X[6 + c] - X[c];
    e[c] = n == 3 ? X[6 + c] - X[c] : X[9 + c] - X[3 + c];
  }
  mw_cross3(d, e, normal);
  double l = mw_norm3(normal);
  for (int c = 0; c < 3; c++) normal[c] /= l;
}

// A material point of weight dm: place x, and N [3 × 6n] of motions u + θ × (x_i − X_i) + z θ ×
// normal, x_i: corner in the plane
static void add_point(int n, const double *X, const double *Y, const double *shape, double z,
                      const double normal[3], double dm, moments *o)
{
  double N[3][24], x[3] = { z * normal[0], z * normal[1], z * normal[2] };
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 6; j++) {
      double th[3] = { j == 3, j == 4, j == 5 }, arm[3], v[3];
      for (int c = 0; c < 3; c++) arm[c] = Y[3 * i + c] - X[3 * i + c] + z * normal[c];
      mw_cross3(th, arm, v);
      for (int c = 0; c < 3; c++) N[c][6 * i + j] = shape[i] * (j == c ? 1.0 : v[c]);
    }
  for (int i = 0; i < 3 * n; i++) x[i % 3] += shape[i / 3] * Y[i];
  o->m += dm;
  for (int a = 0; a < 3; a++) {
    o->mX[a] += dm * x[a];
    for (int i = 0; i < 6 * n; i++) o->s[a][i] += dm * N[a][i];
    for (int b = 0; b < 3; b++) {
      o->J[3 * a + b] += dm * x[a] * x[b];
      for (int i = 0; i < 6 * n; i++) {
        o->h[3 * a + b][i] += dm * x[a] * N[b][i];
        for (int j = 0; j < 6 * n; j++) o->M[3 * a + b][6 * n * i + j] += dm * N[a][i] * N[b][j];
      }
    }
  }
}

// 3 × 3 Gauss points (triangles: of the square folded onto it) times two through the thickness:
// exact
static void integrate(int n, const double *X, double t, moments *o)
{
  static const double G[3] = { -0.77459666924148337704, 0.0, 0.77459666924148337704 },
                      W[3] = { 5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0 };
  double mid[3], normal[3], Y[12];
  plane_of(n, X, mid, normal);
  for (int i = 0; i < n; i++) {
    double d[3] = { X[3 * i] - mid[0], X[3 * i + 1] - mid[1], X[3 * i + 2] - mid[2] },
           z = mw_dot3(d, normal);
    for (int c = 0; c < 3; c++) Y[3 * i + c] = X[3 * i + c] - z * normal[c];
  }
  memset(o, 0, sizeof *o);
  for (int q = 0; q < 18; q++) {
    double a = 0.5 + 0.5 * G[q % 3], b = 0.5 + 0.5 * G[q / 3 % 3],
           z = (q < 9 ? -0.5 : 0.5) * t / sqrt(3.0), g[3], h[3], c[3];
    double quad[4] = { (1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b },
           tri[3] = { (1 - a), a * (1 - b), a * b }, *shape = n == 3 ? tri : quad;
    for (int k = 0; k < 3; k++) {
      if (n == 3) {
        g[k] = (1 - b) * Y[3 + k] + b * Y[6 + k] - Y[k];
        h[k] = a * (Y[6 + k] - Y[3 + k]);
      } else {
        g[k] = (1 - b) * (Y[3 + k] - Y[k]) + b * (Y[6 + k] - Y[9 + k]);
        h[k] = (1 - a) * (Y[9 + k] - Y[k]) + a * (Y[6 + k] - Y[3 + k]);
      }
    }
    mw_cross3(g, h, c);
    double dm = STEEL.rho * 0.5 * t * 0.25 * W[q % 3] * W[q / 3 % 3] * mw_norm3(c);
    add_point(n, X, Y, shape, z, normal, dm, o);
  }
}

static void mass_moments_are_integrals_of_the_motion(void)
{
  static mw_element s;
  static moments o;
  mw_error err = { 0 };
  const double *X[3] = { TRI, FLAT_QUAD, WARPED_QUAD };
  for (int k = 0; k < 3; k++) {
    double t = 0.2;
    MW_OKAY(mw_shell_element(k == 0 ? MW_ELEM_TRI3 : MW_ELEM_QUAD4, X[k], t, &STEEL, 1, MW_NOWHERE,
                             &s, &err));
    integrate(s.n / 6, X[k], t, &o);
    double tol = 100.0 * EPS * o.m;  // 18 terms of products of lengths up to 1.3
    MW_NEAR(s.m, o.m, tol);
    for (int a = 0; a < 9; a++) {
      if (a < 3) MW_NEAR(s.mX[a], o.mX[a], tol);
      MW_NEAR(s.J[a], o.J[a], tol);
      for (int i = 0; i < s.n; i++) {
        if (a < 3) MW_NEAR(s.s[a][i], o.s[a][i], tol);
        MW_NEAR(s.h[a][i], o.h[a][i], tol);
        for (int j = 0; j < s.n; j++) MW_NEAR(s.M[a][i * s.n + j], o.M[a][i * s.n + j], tol);
      }
    }
  }
}

// ---- patches ----

// unit square with its boundary kept, nodes inside moved by up to a tenth
static void crooked_map(double x[2])
{
  double b = 4.0 * x[0] * (1.0 - x[0]), c = 4.0 * x[1] * (1.0 - x[1]);
  x[0] += 0.1 * b * (c - 0.4 * x[1]);
  x[1] -= 0.09 * c * (b - 0.5 * x[0]);
}

typedef void motion_fn(const double p[2], double u[6]);

static void membrane_motion(const double p[2], double u[6])
{
  u[0] = 0.7 * p[0] + 0.4 * p[1];
  u[1] = 0.1 * p[0] - 0.5 * p[1];
  u[5] = 0.5 * (0.1 - 0.4);
}

static void bending_motion(const double p[2], double u[6])
{
  double x = p[0], y = p[1];
  u[2] = 0.5 * (0.8 * x * x - 0.6 * y * y) + 0.3 * x * y;
  u[3] = -0.6 * y + 0.3 * x;  // θx = w,y
  u[4] = -(0.8 * x + 0.3 * y);
}

static void shear_motion(const double p[2], double u[6]) { u[2] = 0.7 * p[0] - 0.4 * p[1]; }

// energy of a motion of the unit plate, its rounding, and the largest force inside over |K|max
// |u|max
static void patch(mw_elem_kind kind, motion_fn *fn, double t, double *energy, double *rounding,
                  double *inner)
{
  plate g;
  plate_build(kind, 3, 3, crooked_map, true, &g);
  int nd = 6 * g.n_node;
  double *K = malloc((size_t)(nd * nd) * sizeof *K), *u = malloc((size_t)nd * sizeof *u),
         k_max = 0.0, u_max = 0.0, size = 0.0;
  plate_assemble(&g, t, &STEEL, K);
  for (int i = 0; i < g.n_node; i++) {
    double local[6] = { 0.0 };
    fn(g.p + 2 * i, local);
    turn_motion(g.R, local, u + 6 * i);
  }
  for (int i = 0; i < nd * nd; i++) k_max = fmax(k_max, fabs(K[i]));
  for (int i = 0; i < nd; i++) u_max = fmax(u_max, fabs(u[i]));
  for (int i = 0; i < nd * nd; i++) size += 0.5 * fabs(u[i / nd] * K[i] * u[i % nd]);
  *rounding = mw_test_rounding(nd, size);
  *energy = *inner = 0.0;
  for (int i = 0; i < nd; i++) {
    double f = mw_dot(nd, K + i * nd, u);
    int x = i / 6 % 4, y = i / 24;
    *energy += 0.5 * u[i] * f;
    if (x > 0 && x < 3 && y > 0 && y < 3) *inner = fmax(*inner, fabs(f) / (k_max * u_max));
  }
  free(K);
  free(u);
  plate_free(&g);
}

static void constant_membrane_strain_passes_crooked_patches(void)
{
  double t = 0.1, energy, rounding, inner, e[3] = { 0.7, -0.5, 0.5 }, c = STEEL.E / (1.0 - 0.09);
  double want = 0.5 * t * c * (e[0] * e[0] + e[1] * e[1] + 0.6 * e[0] * e[1] + 0.35 * e[2] * e[2]);
  for (int k = 0; k < 2; k++) {
    patch(KIND[k], membrane_motion, t, &energy, &rounding, &inner);
    MW_NEAR(energy, want, rounding);
    MW_NEAR(inner, 0.0, mw_test_rounding(96.0, 1.0));  // 16 nodes' unknowns
  }
}

// κ = (−w,xx, −w,yy, −2 w,xy). The forces are t² smaller than those of the membrane that K is
// measured by; their rounding is that of the shear of the quadrilateral, of order t.
static void constant_curvature_passes_crooked_patches(void)
{
  double t = 0.1, energy, rounding, inner, k[3] = { -0.8, 0.6, -0.6 },
         D = STEEL.E * t * t * t / (12.0 * (1.0 - 0.09));
  double want = 0.5 * D * (k[0] * k[0] + k[1] * k[1] + 0.6 * k[0] * k[1] + 0.35 * k[2] * k[2]);
  for (int i = 0; i < 2; i++) {
    patch(KIND[i], bending_motion, t, &energy, &rounding, &inner);
    MW_NEAR(energy, want, rounding);
    MW_NEAR(inner, 0.0, mw_test_rounding(96.0, 1.0));
  }
}

// w,x and w,y without rotation: γ constant. Triangles are thin plates and know no shear.
static void constant_shear_costs_its_energy(void)
{
  double t = 0.1, energy, rounding, inner,
         want = 0.5 * 5.0 / 6.0 * STEEL.E / 2.6 * t * (0.49 + 0.16);
  patch(MW_ELEM_QUAD4, shear_motion, t, &energy, &rounding, &inner);
  MW_NEAR(energy, want, rounding);
}

// ---- stress ----

static void stress_of_patches_is_exact(void)
{
  mw_error err = { 0 };
  double R[9], c = STEEL.E / (1.0 - 0.09), G = STEEL.E / 2.6, z = 0.03;
  plate_rotation(R);
  for (int k = 0; k < 2; k++) {
    double X[12], u[24], S[6 * 24], p[8] = { 0.0, 0.0, 1.2, 0.1, 1.1, 1.0, -0.1, 0.8 };
    int n = plate_nodes(KIND[k]);
    for (int i = 0; i < n; i++) {
      double x[3] = { p[2 * i], p[2 * i + 1], 0.0 }, local[6] = { 0.0 };
      membrane_motion(p + 2 * i, local);
      bending_motion(p + 2 * i, local);
      mw_mul33v(R, x, X + 3 * i);
      turn_motion(R, local, u + 6 * i);
    }
    // e = ε + z κ in the plane
    double e[3] = { 0.7 - 0.8 * z, -0.5 + 0.6 * z, 0.5 - 0.6 * z };
    for (int strain = 0; strain < 2; strain++) {
      double g = 0.5 * e[2], T[9] = { e[0], g, 0, g, e[1], 0, 0, 0, -0.3 / 0.7 * (e[0] + e[1]) },
             P[9] = { c * (e[0] + 0.3 * e[1]),
                      G * e[2],
                      0,
                      G * e[2],
                      c * (e[1] + 0.3 * e[0]),
                      0,
                      0,
                      0,
                      0 },
             A[9], Rt[9], B[9];
      for (int i = 0; i < 9; i++) Rt[i] = R[3 * (i % 3) + i / 3];
      mw_mul33(R, strain ? T : P, A);
      mw_mul33(A, Rt, B);
      double f = strain ? 2.0 : 1.0, want[6] = { B[0], B[4], B[8], f * B[1], f * B[5], f * B[6] };
      MW_OKAY(mw_shell_stress(KIND[k], X, z, &STEEL, strain, S, &err));
      for (int i = 0; i < 6; i++)  // 6n terms, gradients up to 5, motions up to 2
        MW_NEAR(mw_dot(6 * n, S + 6 * n * i, u), want[i], 1000.0 * EPS * (strain ? 1.0 : STEEL.E));
    }
  }
}

// ---- plates ----

static void free_rest(int n, double *K, double *b, const unsigned char *held, double *u)
{
  mw_error err = { 0 };
  int m = 0;
  for (int i = 0; i < n; i++) {
    if (held[i]) continue;
    int c = 0;
    for (int j = 0; j < n; j++)
      if (!held[j]) K[(size_t)m * (size_t)n + (size_t)c++] = K[(size_t)i * (size_t)n + (size_t)j];
    b[m++] = b[i];
  }
  for (int i = 1; i < m; i++)
    memmove(K + (size_t)i * (size_t)m, K + (size_t)i * (size_t)n, (size_t)m * sizeof *K);
  if (MW_OKAY(mw_chol_factor(m, K, &err))) mw_chol_solve(m, K, 1, b);
  for (int i = 0, k = 0; i < n; i++) u[i] = held[i] ? 0.0 : b[k++];
}

// Middle deflection over q a⁴/D of a square plate, thin, under pressure; only a quarter is meshed.
static double plate_deflection(mw_elem_kind kind, int cells, bool clamped)
{
  const double t = 1e-3;  // side 2: shear adds (t/a)² or so, 1e-6
  plate g;
  plate_build(kind, cells, cells, NULL, false, &g);
  int nd = 6 * g.n_node, line = cells + 1;
  double *K = malloc((size_t)(nd * nd) * sizeof *K), *b = calloc((size_t)nd, sizeof *b),
         *u = malloc((size_t)nd * sizeof *u), D = STEEL.E * t * t * t / (12.0 * 0.91);
  unsigned char *held = calloc((size_t)nd, 1);
  plate_assemble(&g, t, &STEEL, K);
  for (int e = 0; e < g.n_elem; e++)
    for (int i = 0; i < g.n; i++)
      b[6 * g.node[e * g.n + i] + 2] += 1.0 / (g.n_elem * g.n);  // equal areas
  for (int k = 0; k < g.n_node; k++) {
    int x = k % line, y = k / line;
    unsigned char *d = held + 6 * k;
    d[0] = d[1] = d[5] = 1;  // no membrane
    if (x == 0) d[4] = 1;    // symmetry: w,x = 0
    if (y == 0) d[3] = 1;
    if (x == cells || y == cells) d[2] = 1;
    if (x == cells)
      d[3] = 1, d[4] = (unsigned char)(d[4] | clamped);  // tangential slope of the support is 0
    if (y == cells) d[4] = 1, d[3] = (unsigned char)(d[3] | clamped);
  }
  free_rest(nd, K, b, held, u);
  double w = u[2] * D / 16.0;
  free(K);
  free(b);
  free(u);
  free(held);
  plate_free(&g);
  return w;
}

// Timoshenko and Woinowsky-Krieger, tables 8 and 35: 0.00406235 and 0.00126532 q a⁴/D (Kirchhoff).
// Error O(h²): a mesh twice as fine errs by a quarter, and the finest, 16 cells a half side, by no
// more than h² = 0.4 % of it.
static void thin_plates_converge_with_the_square_of_the_size(void)
{
  for (int k = 0; k < 2; k++)
    for (int clamped = 0; clamped < 2; clamped++) {
      double want = clamped ? 0.00126532 : 0.00406235, e[3];
      for (int i = 0; i < 3; i++) e[i] = plate_deflection(KIND[k], 4 << i, clamped) / want - 1.0;
      MW_NEAR(e[2], 0.0, 1.0 / 256.0);
      MW_NEAR(log2(e[1] / e[2]), 2.0, 0.35);
    }
}

// Tip motion of a strip of nx × ny cells (map makes its shape), clamped at x = 0, by a force spread
// over the tip and a torque by forces along z at its corners, unit lever; returns the mean of
// component dir there.
typedef void space_map(double x[3]);
static double tip(mw_elem_kind kind, int nx, int ny, space_map *map, double t,
                  const mw_material *material, const double load[4], int dir)
{
  plate g;
  plate_build(kind, nx, ny, NULL, false, &g);
  for (int k = 0; k < g.n_node; k++) map(g.X + 3 * k);
  int nd = 6 * g.n_node, line = nx + 1;
  double *K = malloc((size_t)(nd * nd) * sizeof *K), *b = calloc((size_t)nd, sizeof *b),
         *u = malloc((size_t)nd * sizeof *u), mean = 0.0;
  unsigned char *held = calloc((size_t)nd, 1);
  plate_assemble(&g, t, material, K);
  for (int y = 0; y <= ny; y++) {
    double share = (y == 0 || y == ny ? 0.5 : 1.0) / ny;
    for (int c = 0; c < 6; c++) held[6 * y * line + c] = 1;
    for (int c = 0; c < 3; c++) b[6 * (y * line + nx) + c] += share * load[c];
  }
  b[6 * (ny * line + nx) + 2] += load[3];
  b[6 * nx + 2] -= load[3];
  free_rest(nd, K, b, held, u);
  for (int y = 0; y <= ny; y++)
    mean += (y == 0 || y == ny ? 0.5 : 1.0) / ny * u[6 * (y * line + nx) + dir];
  free(K);
  free(b);
  free(u);
  free(held);
  plate_free(&g);
  return mean;
}

static void slender_map(double x[3])
{
  x[0] *= 10.0;
  x[1] = x[1] - 0.5;
}

// Bending in the plane, u = xy, v = −(x² + ν y²)/2, θ = −x: energy ½ E t ∫y² dA, exact for
// rectangles of any ratio of sides, which fixes every coefficient of the membrane's higher part.
static void bending_in_the_plane_is_exact_for_slender_rectangles(void)
{
  for (int k = 0; k < 2; k++)
    for (double a = 1.0; a <= 16.0; a *= 4.0) {
      plate g;
      double t = 0.1, energy = 0.0, size = 0.0, *K, u[24] = { 0.0 };
      plate_build(KIND[k], 1, 1, NULL, false, &g);
      for (int i = 0; i < 4; i++) {
        double x = a * (g.p[2 * i] - 0.5), y = g.p[2 * i + 1] - 0.5;
        g.X[3 * i] = x;
        g.X[3 * i + 1] = y;
        u[6 * i] = x * y;
        u[6 * i + 1] = -0.5 * (x * x + 0.3 * y * y);
        u[6 * i + 5] = -x;
      }
      K = malloc(24 * 24 * sizeof *K);
      plate_assemble(&g, t, &STEEL, K);
      for (int i = 0; i < 24; i++) energy += 0.5 * u[i] * mw_dot(24, K + 24 * i, u);
      for (int i = 0; i < 576; i++) size += 0.5 * fabs(u[i / 24] * K[i] * u[i % 24]);
      MW_NEAR(energy, 0.5 * STEEL.E * t * a / 12.0, mw_test_rounding(24.0, size));
      free(K);
      plate_free(&g);
    }
}

// In its plane: F l³/3EI + F l/κGA. Left out: the clamped end holds the section's contraction, over
// its height h a share ν² h/l = 0.9 %.
static void strips_bend_in_their_plane_like_beams(void)
{
  double t = 0.1, I = t / 12.0, kGA = 5.0 / 6.0 * t * STEEL.E / 2.6,
         want = 1000.0 / (3.0 * STEEL.E * I) + 10.0 / kGA, F[4] = { 0.0, 1.0, 0.0, 0.0 };
  for (int k = 0; k < 2; k++)
    MW_NEAR(tip(KIND[k], 40, 4, slender_map, t, &STEEL, F, 1), want, 0.009 * want);
}

// 10 × 1 × 0.02 under a torque of 1: T l/(G b t³/3). Left out: the free edges, 0.63 t/b = 1.3 %,
// and the clamped end, where the section cannot warp over a quarter of the width or so, 3 % of the
// length.
static void strips_twist_as_saint_venant_says(void)
{
  double t = 0.02, T[4] = { 0.0, 0.0, 0.0, 1.0 }, want = 10.0 / (STEEL.E / 2.6 * t * t * t / 3.0);
  for (int k = 0; k < 2; k++) {
    double got = tip(KIND[k], 40, 4, slender_map, t, &STEEL, T, 3);
    MW_NEAR(got, want, 0.043 * want);
  }
}

static void twisted_map(double x[3])
{
  double a = x[0] * acos(-1.0) / 2.0, b = 1.1 * (x[1] - 0.5);
  x[0] *= 12.0;
  x[1] = b * cos(a);
  x[2] = b * sin(a);
}

// MacNeal and Harder's twisted beam, 12 × 1.1 × 0.32, turned by 90 degrees along its length: tip
// 5.424e-3 in the direction of the tip's width, 1.754e-3 along its thickness, unit force each.
static void twisted_beam_bends_as_published(void)
{
  mw_material m = { .name = "unit", .E = 29e6, .nu = 0.22, .rho = 1.0 };
  double along[4] = { 0.0, 0.0, 1.0, 0.0 }, across[4] = { 0.0, 1.0, 0.0, 0.0 };
  for (int k = 0; k < 2; k++) {
    double a = tip(KIND[k], 24, 4, twisted_map, 0.32, &m, along, 2),
           b = tip(KIND[k], 24, 4, twisted_map, 0.32, &m, across, 1);
    MW_NEAR(a, 5.424e-3, 0.02 * 5.424e-3);
    MW_NEAR(b, 1.754e-3, 0.02 * 1.754e-3);
  }
}

static void bad_facets_are_refused_by_name(void)
{
  static mw_element s;
  mw_error err = { 0 };
  static const double LINE[12] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0 },
                      DART[12] = { 0, 0, 0, 1, 0, 0, 0.2, 0.2, 0, 0, 1, 0 },
                      WARPED[12] = { 0, 0, 0.1, 1, 0, -0.1, 1, 1, 0.1, 0, 1, -0.1 };
  const struct {
    mw_elem_kind kind;
    const double *X;
    const char *msg;
  } BAD[] = { { MW_ELEM_TRI3, LINE, "no area" },
              { MW_ELEM_QUAD4, LINE, "no area" },
              { MW_ELEM_QUAD4, DART, "not convex" },
              { MW_ELEM_QUAD4, WARPED, "warped by more than 5 %" } };
  for (int k = 0; k < 4; k++) {
    MW_FAILS(mw_shell_element(BAD[k].kind, BAD[k].X, 0.1, &STEEL, 4711, MW_NOWHERE, &s, &err),
             MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, BAD[k].msg) && strstr(err.msg, "4711 at ("));
  }
  MW_FAILS(mw_shell_element(MW_ELEM_TRI3, TRI, 0.0, &STEEL, 1, MW_NOWHERE, &s, &err), MW_ERR_INPUT);
}

static const mw_test_case cases[] = {
  { "facets_have_six_zero_modes", facets_have_six_zero_modes },
  { "rigid_motions_cost_nothing_even_when_warped", rigid_motions_cost_nothing_even_when_warped },
  { "turned_facets_have_turned_stiffness", turned_facets_have_turned_stiffness },
  { "numbering_may_begin_at_any_corner", numbering_may_begin_at_any_corner },
  { "mass_moments_are_integrals_of_the_motion", mass_moments_are_integrals_of_the_motion },
  { "constant_membrane_strain_passes_crooked_patches",
    constant_membrane_strain_passes_crooked_patches },
  { "constant_curvature_passes_crooked_patches", constant_curvature_passes_crooked_patches },
  { "constant_shear_costs_its_energy", constant_shear_costs_its_energy },
  { "stress_of_patches_is_exact", stress_of_patches_is_exact },
  { "thin_plates_converge_with_the_square_of_the_size",
    thin_plates_converge_with_the_square_of_the_size },
  { "bending_in_the_plane_is_exact_for_slender_rectangles",
    bending_in_the_plane_is_exact_for_slender_rectangles },
  { "strips_bend_in_their_plane_like_beams", strips_bend_in_their_plane_like_beams },
  { "strips_twist_as_saint_venant_says", strips_twist_as_saint_venant_says },
  { "twisted_beam_bends_as_published", twisted_beam_bends_as_published },
  { "bad_facets_are_refused_by_name", bad_facets_are_refused_by_name },
};

int main(void) { return mw_test_run("shell", cases, (int)(sizeof cases / sizeof *cases)); }
