// SPDX-License-Identifier: BSD-3-Clause
// test_solid.c: solid elements of every kind, alone and in patches.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fixture_body.h"
#include "grid.h"
#include "mw_test.h"
#include "plate.h"

static const double EPS = DBL_EPSILON;
static const mw_material STEEL = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };

static double max_abs(int n, const double *x)
{
  double m = 0.0;
  for (int i = 0; i < n; i++) m = fmax(m, fabs(x[i]));
  return m;
}

// ---- shape functions ----

static void shapes_are_one_at_their_node_and_zero_at_others(void)
{
  for (int k = 0; k < GRID_KINDS; k++) {
    double xi[60], mid[3], N[20];
    int n = grid_crooked(grid_kind[k], 0.0, xi);
    grid_natural(grid_kind[k], xi, mid);
    for (int j = 0; j < n; j++) {
      mw_solid_shape(grid_kind[k], xi + 3 * j, N, NULL);
      for (int i = 0; i < n; i++) MW_NEAR(N[i], i == j, 4.0 * EPS);
    }
  }
}

// central differences: h²/6 N''' with third derivatives up to 2 (mixed 1 − ξ² times linear), and
// EPS/h
static void slopes_are_derivatives_of_shapes(void)
{
  const double h = ldexp(1.0, -15), tol = h * h + 4.0 * EPS / h;
  unsigned seed = 3;
  for (int k = 0; k < GRID_KINDS; k++) {
    double xi[3], up[20], down[20], dN[60], N[20];
    int n = grid_crooked(grid_kind[k], 0.0, dN);
    for (int trial = 0; trial < 5; trial++)
      for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) xi[i] = 0.9 * fixture_random(&seed);
        mw_solid_shape(grid_kind[k], xi, N, dN);
        xi[c] += h;
        mw_solid_shape(grid_kind[k], xi, up, NULL);
        xi[c] -= 2.0 * h;
        mw_solid_shape(grid_kind[k], xi, down, NULL);
        for (int i = 0; i < n; i++) MW_NEAR(dN[3 * i + c], (up[i] - down[i]) / (2.0 * h), tol);
      }
  }
}

// ---- mass ----

static double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }

// ∫ξ^a η^b ζ^c over the reference element: factorials over a tetrahedron and a triangle, 2/(a+1) or
// 0 over [−1, 1]
static double monomial(mw_elem_kind kind, const int p[3])
{
  double line[3];
  for (int c = 0; c < 3; c++) line[c] = p[c] % 2 == 0 ? 2.0 / (p[c] + 1) : 0.0;
  if (kind <= MW_ELEM_TET10)
    return factorial(p[0]) * factorial(p[1]) * factorial(p[2]) / factorial(p[0] + p[1] + p[2] + 3);
  if (kind <= MW_ELEM_HEX20R) return line[0] * line[1] * line[2];
  return factorial(p[0]) * factorial(p[1]) / factorial(p[0] + p[1] + 2) * line[2];
}

// Is the monomial in the space of the kind? Hexahedra of 20 nodes: degree 2 without counting
// factors that are linear.
static bool in_space(mw_elem_kind kind, const int p[3])
{
  int all = p[0] + p[1] + p[2], super = 0, most = 0;
  for (int c = 0; c < 3; c++) {
    super += p[c] > 1 ? p[c] : 0;
    most = p[c] > most ? p[c] : most;
  }
  switch (kind) {
  case MW_ELEM_TET4: return all <= 1;
  case MW_ELEM_TET10: return all <= 2;
  case MW_ELEM_HEX8: return most <= 1;
  case MW_ELEM_HEX20:
  case MW_ELEM_HEX20R: return super <= 2;
  case MW_ELEM_WEDGE6: return p[0] + p[1] <= 1 && p[2] <= 1;
  default: return (p[0] + p[1] <= 2 && p[2] <= 1) || (p[0] + p[1] <= 1 && p[2] <= 2);
  }
}

static double value(const int p[3], const double x[3])
{
  double v = 1.0;
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < p[c]; i++) v *= x[c];
  return v;
}

// x = c + A ξ
static const double A33[9] = { 0.9, 0.2, -0.1, 0.1, 1.2, 0.3, -0.2, 0.1, 0.8 };
static const double C3[3] = { 0.3, -0.2, 0.5 };

static int affine(mw_elem_kind kind, double *X, double *det)
{
  double mid[3], c[3];
  int n = grid_crooked(kind, 0.0, X);
  grid_natural(kind, X, mid);
  for (int i = 0; i < n; i++) {
    mw_mul33v(A33, X + 3 * i, X + 3 * i);
    for (int k = 0; k < 3; k++) X[3 * i + k] += C3[k];
  }
  mw_cross3(A33 + 3, A33 + 6, c);
  *det = mw_dot3(A33, c);
  return n;
}

// Every function of the element's space has its exact ∫ρ p q on tetrahedra, prisms and
// parallelepipeds.
static void products_of_the_spaces_functions_are_exact(void)
{
  static mw_solid s;
  mw_error err = { 0 };
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60], xi[60], mid[3], det;
    int n = affine(grid_kind[k], X, &det), count = 0;
    grid_natural(grid_kind[k], xi, mid);
    MW_OKAY(mw_solid_element(grid_kind[k], X, &STEEL, 1, MW_NOWHERE, &s, &err));
    for (int a = 0; a < 27; a++)
      for (int b = 0; b < 27; b++) {
        int p[3] = { a % 3, a / 3 % 3, a / 9 }, q[3] = { b % 3, b / 3 % 3, b / 9 },
            pq[3] = { p[0] + q[0], p[1] + q[1], p[2] + q[2] };
        if (!in_space(grid_kind[k], p) || !in_space(grid_kind[k], q)) continue;
        count++;
        double got = 0.0;
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++)
            got += value(p, xi + 3 * i) * s.mu[i * n + j] * value(q, xi + 3 * j);
        // n² terms up to ρ·8·det, 27 points each
        MW_NEAR(got, STEEL.rho * det * monomial(grid_kind[k], pq),
                400.0 * EPS * 8.0 * STEEL.rho * det);
      }
    MW_CHECK(count == n * n);
  }
}

// m, ∫ρX, ∫ρXXᵀ by element.h (2), from the reference element's moments
static void volume_centre_and_inertia_are_exact(void)
{
  static mw_solid s;
  mw_error err = { 0 };
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60], det, m = 0.0, mX[3] = { 0 }, J[9] = { 0 }, V, first[3], second[9], want[3];
    int n = affine(grid_kind[k], X, &det), none[3] = { 0 };
    MW_OKAY(mw_solid_element(grid_kind[k], X, &STEEL, 1, MW_NOWHERE, &s, &err));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double mu = s.mu[i * n + j];
        m += mu;
        for (int a = 0; a < 3; a++) mX[a] += mu * X[3 * i + a];
        for (int c = 0; c < 9; c++) J[c] += mu * X[3 * i + c / 3] * X[3 * j + c % 3];
      }
    V = monomial(grid_kind[k], none) * det * STEEL.rho;
    for (int a = 0; a < 3; a++) {
      int p[3] = { a == 0, a == 1, a == 2 };
      first[a] = monomial(grid_kind[k], p) * det * STEEL.rho;
      for (int b = 0; b < 3; b++) {
        int q[3] = { p[0] + (b == 0), p[1] + (b == 1), p[2] + (b == 2) };
        second[3 * a + b] = monomial(grid_kind[k], q) * det * STEEL.rho;
      }
    }
    double tol = 1000.0 * EPS * 8.0 * STEEL.rho * det, AS[9], At[9],
           B[9];  // as above, coordinates to 1.6
    mw_mul33v(A33, first, want);
    for (int c = 0; c < 9; c++) At[c] = A33[3 * (c % 3) + c / 3];
    mw_mul33(A33, second, AS);
    mw_mul33(AS, At, B);
    MW_NEAR(m, V, tol);
    for (int a = 0; a < 3; a++) {
      MW_NEAR(mX[a], V * C3[a] + want[a], tol);
      for (int b = 0; b < 3; b++)
        MW_NEAR(J[3 * a + b], B[3 * a + b] + V * C3[a] * C3[b] + C3[a] * want[b] + want[a] * C3[b],
                tol);
    }
  }
}

// ---- stiffness of one element ----

// A rigid body has six motions without energy. HEX20R: 8 points × 6 strains leave 60 − 48 = 12, six
// of them too many.
static void elements_have_six_zero_modes(void)
{
  static mw_solid s;
  static double V[3600];
  mw_error err = { 0 };
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60], w[60];
    int n = 3 * grid_crooked(grid_kind[k], 0.03, X), zero = 0;
    MW_OKAY(mw_solid_element(grid_kind[k], X, &STEEL, 1, MW_NOWHERE, &s, &err));
    MW_OKAY(mw_eig_sym(n, s.K, w, V, &err));
    for (int i = 0; i < n; i++) zero += fabs(w[i]) < 1e2 * n * EPS * w[n - 1];
    MW_CHECK(zero == (grid_kind[k] == MW_ELEM_HEX20R ? 12 : 6));
    // the next one is no rounding: the softest strain of an element without locking or hourglass
    MW_CHECK(w[zero] > 1e-4 * w[n - 1]);
  }
}

// The six hourglass motions of a HEX20R cannot spread: four elements have rigid modes only.
static void neighbours_hold_the_hourglass_modes_of_hex20r(void)
{
  grid g;
  mw_error err = { 0 };
  grid_build(MW_ELEM_HEX20R, (const int[3]){ 2, 2, 1 }, NULL, &g);
  int n = 3 * g.n_node, zero = 0;
  double *K = malloc((size_t)(n * n) * sizeof *K), *V = malloc((size_t)(n * n) * sizeof *V),
         *w = malloc((size_t)n * sizeof *w);
  grid_assemble(&g, &STEEL, K, NULL);
  MW_OKAY(mw_eig_sym(n, K, w, V, &err));
  for (int i = 0; i < n; i++) zero += fabs(w[i]) < 1e2 * n * EPS * w[n - 1];
  MW_CHECK(zero == 6);
  free(K);
  free(V);
  free(w);
  grid_free(&g);
}

// K' = T K Tᵀ, μ' = μ
static void turned_elements_have_turned_stiffness(void)
{
  static mw_solid a, b;
  mw_error err = { 0 };
  double R[9];
  plate_rotation(R);
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60];
    int n = grid_crooked(grid_kind[k], 0.03, X);
    MW_OKAY(mw_solid_element(grid_kind[k], X, &STEEL, 1, MW_NOWHERE, &a, &err));
    for (int i = 0; i < n; i++) mw_mul33v(R, X + 3 * i, X + 3 * i);
    MW_OKAY(mw_solid_element(grid_kind[k], X, &STEEL, 1, MW_NOWHERE, &b, &err));
    double k_max = max_abs(9 * n * n, a.K), mu_max = max_abs(n * n, a.mu), worst = 0.0, mass = 0.0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        mass = fmax(mass, fabs(a.mu[i * n + j] - b.mu[i * n + j]));
        for (int c = 0; c < 9; c++) {
          double turned = 0.0;
          for (int d = 0; d < 9; d++)
            turned += R[3 * (c / 3) + d / 3] * a.K[(3 * i + d / 3) * 3 * n + 3 * j + d % 3] *
                      R[3 * (c % 3) + d % 3];
          worst = fmax(worst, fabs(turned - b.K[(3 * i + c / 3) * 3 * n + 3 * j + c % 3]));
        }
      }
    // rounded coordinates (some EPS of a size of 1 to 2), amplified by the shortest side over the
    // longest: below 10
    MW_NEAR(worst, 0.0, 100.0 * EPS * k_max);
    MW_NEAR(mass, 0.0, 100.0 * EPS * mu_max);
  }
}

static void inverted_and_flat_elements_are_refused_by_name(void)
{
  static mw_solid s;
  mw_error err = { 0 };
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60], Y[60];
    int n = grid_crooked(grid_kind[k], 0.0, X);
    for (int i = 0; i < 3 * n; i++) Y[i] = i % 3 == 0 ? 4.0 - X[i] : X[i];
    MW_FAILS(mw_solid_element(grid_kind[k], Y, &STEEL, 4711, MW_NOWHERE, &s, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "4711 at (") && strstr(err.msg, mw_elem_info_of(grid_kind[k])->name));
    MW_CHECK(strstr(err.msg, "inverted") != NULL);
    for (int i = 0; i < 3 * n; i++) Y[i] = i % 3 == 2 ? 1e-10 * X[i] : X[i];
    MW_FAILS(mw_solid_element(grid_kind[k], Y, &STEEL, 4711, MW_NOWHERE, &s, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "flat") != NULL);
  }
}

// ---- patches ----

static const double GRAD[9] = { 1.0, 0.3, -0.2, 0.5, -0.7, 0.1, 0.4, 0.6, 0.9 };

static void linear_field(const double X[3], double u[3]) { mw_mul33v(GRAD, X, u); }

// pure bending about y, curvature 1: stress E z along x, nothing else
static void bending_field(const double X[3], double u[3])
{
  double nu = 0.3, x = X[0], y = X[1], z = X[2];
  u[0] = x * z;
  u[1] = -nu * y * z;
  u[2] = -0.5 * (x * x + nu * (z * z - y * y));
}

// Box 1 × 1 × 1 with its faces where they are; nodes inside by up to 0.13 in each direction, on
// faces along them.
static void crooked_map(double x[3])
{
  double b = 4.0 * x[0] * (1.0 - x[0]), c = 4.0 * x[1] * (1.0 - x[1]),
         d = 4.0 * x[2] * (1.0 - x[2]);
  x[0] += 0.13 * b * (0.6 + 0.4 * c - 0.5 * d * x[1]);
  x[1] -= 0.12 * c * (0.5 + 0.5 * d * x[0]);
  x[2] += 0.10 * d * (1.0 - 0.8 * b * c);
}

// energy of a nodal field, and the largest force on nodes inside over |K|max |u|max
static void patch(mw_elem_kind kind, grid_map *map, void field(const double X[3], double u[3]),
                  double *energy, double *inner)
{
  const int n[3] = { 2, 2, 2 };
  grid g;
  grid_build(kind, n, map, &g);
  int nd = 3 * g.n_node, seen = 0;
  double *K = malloc((size_t)(nd * nd) * sizeof *K), *u = malloc((size_t)nd * sizeof *u);
  grid_assemble(&g, &STEEL, K, NULL);
  for (int i = 0; i < g.n_node; i++) field(g.X + 3 * i, u + 3 * i);
  double scale = max_abs(nd * nd, K) * max_abs(nd, u);
  *energy = *inner = 0.0;
  for (int i = 0; i < nd; i++) {
    double f = mw_dot(nd, K + (size_t)i * (size_t)nd, u);
    *energy += 0.5 * u[i] * f;
    if (!grid_is_inside(&g, i / 3, n)) continue;
    *inner = fmax(*inner, fabs(f) / scale);
    seen++;
  }
  MW_CHECK(seen >= 3);
  free(K);
  free(u);
  grid_free(&g);
}

static void constant_strain_passes_crooked_patches(void)
{
  double lam = STEEL.E * 0.3 / (1.3 * 0.4), G = STEEL.E / 2.6, tr = GRAD[0] + GRAD[4] + GRAD[8],
         ee = 0.0, energy, inner;
  for (int i = 0; i < 9; i++) ee += pow(0.5 * (GRAD[i] + GRAD[3 * (i % 3) + i / 3]), 2);
  double want = 0.5 * lam * tr * tr + G * ee;
  for (int k = 0; k < GRID_KINDS; k++) {
    patch(grid_kind[k], crooked_map, linear_field, &energy, &inner);
    // sums of some hundred terms |K| u² that cancel to a hundredth
    MW_NEAR(energy, want, 2000.0 * EPS * want);
    MW_NEAR(inner, 0.0, 200.0 * EPS);
  }
}

// Quadratic displacements are in the space of straight quadratic elements; of HEX8 by its modes,
// when it is a box.
static void bending_is_exact_where_the_space_holds_it(void)
{
  double energy, inner, want = 0.5 * STEEL.E / 3.0;  // ½ E ∫z² dV
  for (int k = 0; k < GRID_KINDS; k++) {
    if (!grid_is_quadratic(grid_kind[k]) && grid_kind[k] != MW_ELEM_HEX8) continue;
    patch(grid_kind[k], grid_kind[k] == MW_ELEM_TET10 ? crooked_map : NULL, bending_field, &energy,
          &inner);
    MW_NEAR(energy, want, 2000.0 * EPS * want);
    MW_NEAR(inner, 0.0, 200.0 * EPS);
  }
}

// ---- points ----

static void located_points_are_where_they_were_put(void)
{
  unsigned seed = 11;
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60], natural[60], mid[3], N[20];
    int n = grid_crooked(grid_kind[k], 0.03, X);
    grid_natural(grid_kind[k], natural, mid);
    for (int trial = 0; trial < 40; trial++) {
      // between the middle and a node, up to a quarter beyond
      double xi[3], got[3] = { 9, 9, 9 }, x[3] = { 0 }, out = 9.0,
                    f = 0.625 + 0.625 * fixture_random(&seed);
      const double *node = natural + 3 * (trial % n);
      for (int c = 0; c < 3; c++) xi[c] = mid[c] + f * (node[c] - mid[c]);
      mw_solid_shape(grid_kind[k], xi, N, NULL);
      for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) x[c] += N[i] * X[3 * i + c];
      MW_CHECK(mw_solid_locate(grid_kind[k], X, x, got, &out));
      // rounding of x, some EPS, through J⁻¹ of size below 10
      for (int c = 0; c < 3; c++) MW_NEAR(got[c], xi[c], 200.0 * EPS);
      if (trial % n < 4) MW_CHECK((out > 0.0) == (f > 1.0));  // nodes 0 … 3 are corners
    }
  }
}

// hexahedron: a point at ξ = 1.3 is 0.3 outside
static void outside_is_a_distance_in_natural_coordinates(void)
{
  double X[60], det, xi[3], out, x[3], far[3] = { 1.3, 0.2, -0.9 }, tet[3] = { 0.5, 0.6, 0.2 };
  (void)affine(MW_ELEM_HEX20, X, &det);
  mw_mul33v(A33, far, x);
  for (int c = 0; c < 3; c++) x[c] += C3[c];
  MW_CHECK(mw_solid_locate(MW_ELEM_HEX20, X, x, xi, &out));
  MW_NEAR(out, 0.3, 100.0 * EPS);
  (void)affine(MW_ELEM_TET4, X, &det);
  mw_mul33v(A33, tet, x);
  for (int c = 0; c < 3; c++) x[c] += C3[c];
  MW_CHECK(mw_solid_locate(MW_ELEM_TET4, X, x, xi, &out));
  MW_NEAR(out, 0.3, 100.0 * EPS);  // L1 = −0.3
}

// Small and far away: 1 mm at a distance of 10 m
static void small_elements_far_away_are_located(void)
{
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60], x[3] = { 0 }, xi[3], out, natural[60], mid[3], N[20];
    int n = grid_crooked(grid_kind[k], 0.03, X);
    grid_natural(grid_kind[k], natural, mid);
    for (int i = 0; i < 3 * n; i++) X[i] = 10.0 + 1e-3 * X[i];
    mw_solid_shape(grid_kind[k], mid, N, NULL);
    for (int i = 0; i < 3 * n; i++) x[i % 3] += N[i / 3] * X[i];
    MW_CHECK(mw_solid_locate(grid_kind[k], X, x, xi, &out));
    for (int c = 0; c < 3; c++)
      MW_NEAR(xi[c], mid[c], 200.0 * EPS * 1e4);  // as above, times distance over size
  }
}

// xx yy zz xy yz zx of a displacement gradient H
static void stress_of(const double H[9], bool strain, double s[6])
{
  double lam = STEEL.E * 0.3 / (1.3 * 0.4), G = STEEL.E / 2.6, tr = H[0] + H[4] + H[8],
         e[6] = { H[0], H[4], H[8], H[1] + H[3], H[5] + H[7], H[6] + H[2] };
  for (int k = 0; k < 6; k++) s[k] = strain ? e[k] : k < 3 ? lam * tr + 2.0 * G * e[k] : G * e[k];
}

static void check_stress(mw_elem_kind kind, int n, const double *X, const double xi[3],
                         void field(const double X[3], double u[3]), const double H[9])
{
  mw_error err = { 0 };
  double S[6 * 60], want[6], u[60];
  for (int i = 0; i < n; i++) field(X + 3 * i, u + 3 * i);
  for (int strain = 0; strain < 2; strain++) {
    MW_OKAY(mw_solid_stress(kind, X, &STEEL, xi, strain, S, &err));
    stress_of(H, strain, want);
    for (int k = 0; k < 6; k++)  // n terms of |J⁻¹| up to 10 times coordinates up to 2
      MW_NEAR(mw_dot(3 * n, S + 3 * n * k, u), want[k], 1000.0 * EPS * (strain ? 1.0 : STEEL.E));
  }
}

static void stress_of_linear_fields_is_exact_in_curved_elements(void)
{
  for (int k = 0; k < GRID_KINDS; k++) {
    double X[60], xi[3] = { 0.2, 0.3, 0.15 };
    int n = grid_crooked(grid_kind[k], 0.05, X);
    check_stress(grid_kind[k], n, X, xi, linear_field, GRAD);
  }
}

static void stress_of_bending_is_exact_in_straight_quadratic_elements(void)
{
  for (int k = 0; k < GRID_KINDS; k++) {
    if (!grid_is_quadratic(grid_kind[k])) continue;
    double X[60], det, xi[3] = { 0.2, 0.3, 0.15 }, x[3];
    int n = affine(grid_kind[k], X, &det);
    mw_mul33v(A33, xi, x);
    for (int c = 0; c < 3; c++) x[c] += C3[c];
    double H[9] = {
      x[2], 0.0, x[0], 0.0, -0.3 * x[2], -0.3 * x[1], -x[0], 0.3 * x[1], -0.3 * x[2]
    };
    check_stress(grid_kind[k], n, X, xi, bending_field, H);
  }
}

static const mw_test_case cases[] = {
  { "shapes_are_one_at_their_node_and_zero_at_others",
    shapes_are_one_at_their_node_and_zero_at_others },
  { "slopes_are_derivatives_of_shapes", slopes_are_derivatives_of_shapes },
  { "products_of_the_spaces_functions_are_exact", products_of_the_spaces_functions_are_exact },
  { "volume_centre_and_inertia_are_exact", volume_centre_and_inertia_are_exact },
  { "elements_have_six_zero_modes", elements_have_six_zero_modes },
  { "neighbours_hold_the_hourglass_modes_of_hex20r",
    neighbours_hold_the_hourglass_modes_of_hex20r },
  { "turned_elements_have_turned_stiffness", turned_elements_have_turned_stiffness },
  { "inverted_and_flat_elements_are_refused_by_name",
    inverted_and_flat_elements_are_refused_by_name },
  { "constant_strain_passes_crooked_patches", constant_strain_passes_crooked_patches },
  { "bending_is_exact_where_the_space_holds_it", bending_is_exact_where_the_space_holds_it },
  { "located_points_are_where_they_were_put", located_points_are_where_they_were_put },
  { "outside_is_a_distance_in_natural_coordinates", outside_is_a_distance_in_natural_coordinates },
  { "small_elements_far_away_are_located", small_elements_far_away_are_located },
  { "stress_of_linear_fields_is_exact_in_curved_elements",
    stress_of_linear_fields_is_exact_in_curved_elements },
  { "stress_of_bending_is_exact_in_straight_quadratic_elements",
    stress_of_bending_is_exact_in_straight_quadratic_elements },
};

int main(void) { return mw_test_run("solid", cases, (int)(sizeof cases / sizeof *cases)); }
