// SPDX-License-Identifier: BSD-3-Clause
// test_tet.c: the 10-node tetrahedron alone and in boxes.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/element.h"
#include "fixture_body.h"
#include "mw_test.h"

static const double EPS = DBL_EPSILON;
static const mw_material STEEL = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };
static const char *MESH = "test_tet.tmp.msh";
static const int EDGE[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

static void straight_nodes(const double corner[12], double X[30])
{
  memcpy(X, corner, 12 * sizeof *X);
  for (int e = 0; e < 6; e++)
    for (int i = 0; i < 3; i++)
      X[12 + 3 * e + i] = 0.5 * (corner[3 * EDGE[e][0] + i] + corner[3 * EDGE[e][1] + i]);
}

static const double CORNER[12] = { 0.1, 0.2, -0.1, 0.9, 0.1, 0.0, 0.2, 1.1, 0.1, 0.3, 0.2, 0.8 };

// (2) of element.h: m = Σ μ_ij, mX = Σ X_i μ_ij, J = Xᵀ μ X
static void rigid_of(const mw_solid *e, const double *X, double *m, double mX[3], double J[9])
{
  *m = 0.0;
  memset(mX, 0, 3 * sizeof *mX);
  memset(J, 0, 9 * sizeof *J);
  for (int i = 0; i < e->n; i++)
    for (int j = 0; j < e->n; j++) {
      double mu = e->mu[i * e->n + j];
      *m += mu;
      for (int a = 0; a < 3; a++) mX[a] += mu * X[3 * i + a];
      for (int k = 0; k < 9; k++) J[k] += mu * X[3 * i + k / 3] * X[3 * j + k % 3];
    }
}

// ∫X Xᵀ over a tetrahedron: V/20 (Σ X_i X_iᵀ + S Sᵀ), S = Σ X_i
static void rigid_moments_are_exact(void)
{
  static mw_solid e;
  mw_error err = { 0 };
  double X[30], S[3] = { 0 }, d[3][3], c[3], got, mX[3], J[9];
  straight_nodes(CORNER, X);
  MW_OKAY(mw_solid_element(MW_ELEM_TET10, X, &STEEL, 1, MW_NOWHERE, &e, &err));
  rigid_of(&e, X, &got, mX, J);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) d[k][i] = CORNER[3 * (k + 1) + i] - CORNER[i];
  mw_cross3(d[1], d[2], c);
  double m = STEEL.rho * mw_dot3(d[0], c) / 6.0,
         tol = 100.0 * EPS * m;  // 24 points × products below 1
  for (int k = 0; k < 12; k++) S[k % 3] += CORNER[k];
  MW_NEAR(got, m, tol);
  for (int a = 0; a < 3; a++) {
    MW_NEAR(mX[a], m * S[a] / 4.0, tol);
    for (int b = 0; b < 3; b++) {
      double want = S[a] * S[b];
      for (int i = 0; i < 4; i++) want += CORNER[3 * i + a] * CORNER[3 * i + b];
      MW_NEAR(J[3 * a + b], m / 20.0 * want, tol);
    }
  }
}

static double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }

// On the reference tetrahedron ∫x^i y^j z^k = i! j! k!/(i+j+k+3)!: quadratic fields p, q have exact
// products ∫ρ p q.
static void moments_of_quadratic_fields_are_exact(void)
{
  static const int POW[10][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 2, 0, 0 },
                                  { 0, 2, 0 }, { 0, 0, 2 }, { 1, 1, 0 }, { 0, 1, 1 }, { 1, 0, 1 } };
  static const double REF[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  static mw_solid e;
  mw_error err = { 0 };
  double X[30], tol = 200.0 * EPS * STEEL.rho / 6.0;
  straight_nodes(REF, X);
  MW_OKAY(mw_solid_element(MW_ELEM_TET10, X, &STEEL, 1, MW_NOWHERE, &e, &err));
  for (int p = 0; p < 10; p++)
    for (int q = 0; q < 10; q++) {
      double P[10], Q[10], got = 0.0;
      const int *i = POW[p], *j = POW[q];
      for (int n = 0; n < 10; n++) {
        P[n] = pow(X[3 * n], i[0]) * pow(X[3 * n + 1], i[1]) * pow(X[3 * n + 2], i[2]);
        Q[n] = pow(X[3 * n], j[0]) * pow(X[3 * n + 1], j[1]) * pow(X[3 * n + 2], j[2]);
      }
      for (int a = 0; a < 10; a++)
        for (int b = 0; b < 10; b++) got += P[a] * e.mu[10 * a + b] * Q[b];
      int n = i[0] + i[1] + i[2] + j[0] + j[1] + j[2];
      double want = factorial(i[0] + j[0]) * factorial(i[1] + j[1]) * factorial(i[2] + j[2]) /
                    factorial(n + 3);
      MW_NEAR(got, STEEL.rho * want, tol);
    }
}

static void inverted_elements_are_refused(void)
{
  static mw_solid e;
  mw_error err = { 0 };
  double X[30], corner[12];
  memcpy(corner, CORNER, sizeof corner);
  for (int i = 0; i < 3; i++) {
    corner[i] = CORNER[3 + i];
    corner[3 + i] = CORNER[i];
  }
  straight_nodes(corner, X);
  MW_FAILS(mw_solid_element(MW_ELEM_TET10, X, &STEEL, 4711, MW_NOWHERE, &e, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "4711") != NULL);
  // a mid-edge node pulled beyond its corner folds the element
  straight_nodes(CORNER, X);
  for (int i = 0; i < 3; i++) X[12 + i] = 1.2 * CORNER[3 + i] - 0.2 * CORNER[i];
  MW_FAILS(mw_solid_element(MW_ELEM_TET10, X, &STEEL, 1, MW_NOWHERE, &e, &err), MW_ERR_INPUT);
}

// ---- boxes ----

static bool box_body(fixture_body *f, const int n[3], const double x0[3], const double l[3],
                     const double *rotate, mw_arena *mem, mw_body *b)
{
  mw_error err = { 0 };
  f->body.mesh = MESH;
  if (!MW_CHECK(fixture_box(MESH, n, x0, l, rotate) == 0)) return false;
  bool okay = MW_OKAY(mw_body_build(&f->model, 0, mem, b, &err));
  remove(MESH);
  return okay;
}

static const int N[3] = { 3, 2, 2 };
static const double X0[3] = { 0.2, -0.1, 0.3 }, SIDE[3] = { 0.6, 0.2, 0.3 };

static void box_has_exact_mass_and_inertia(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double residual = 1.0;
  fixture_init(&f);
  if (box_body(&f, N, X0, SIDE, NULL, &mem, &b)) {
    MW_CHECK(b.n_u == 3 * 7 * 5 * 5 && b.n_tri == 4 * (3 * 2 * 2 + 2 * 2));
    double m = STEEL.rho * SIDE[0] * SIDE[1] * SIDE[2], tol = 24.0 * 72.0 * EPS * m;
    MW_NEAR(b.m, m, tol);
    for (int i = 0; i < 9; i++) {
      double p = X0[i / 3] + SIDE[i / 3] / 2, q = X0[i % 3] + SIDE[i % 3] / 2;
      MW_NEAR(b.J[i], m * (p * q + (i % 4 == 0 ? SIDE[i / 3] * SIDE[i / 3] / 12 : 0.0)), tol);
    }
    for (int i = 0; i < 3; i++) MW_NEAR(b.mX[i], m * (X0[i] + SIDE[i] / 2), tol);
    // rows of K: up to 3 · 65 entries, each from up to 24 elements
    MW_OKAY(mw_body_check(&b, &residual, &err));
    MW_NEAR(residual, 0.0, 200.0 * EPS);
  }
  mw_arena_free(&mem);
}

typedef void field_fn(const double X[3], double u[3]);

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

// energy of a nodal field, and the largest force on nodes inside the box relative to |K|max |u|max
static void nodal_field(const mw_body *b, field_fn *fn, double *energy, double *inner)
{
  double *u = malloc((size_t)b->n_u * sizeof *u), *f = malloc((size_t)b->n_u * sizeof *f),
         k_max = 0.0, u_max = 0.0;
  for (int i = 0; i < b->n_node; i++) fn(b->X + 3 * i, u + 3 * i);
  mw_csc_mul(&b->K, 1.0, u, 0.0, f);
  *energy = 0.5 * mw_dot(b->n_u, u, f);
  *inner = 0.0;
  for (int p = 0; p < b->K.ptr[b->n_u]; p++) k_max = fmax(k_max, fabs(b->K.val[p]));
  for (int i = 0; i < b->n_u; i++) u_max = fmax(u_max, fabs(u[i]));
  for (int i = 0; i < b->n_node; i++) {
    bool inside = true;
    for (int c = 0; c < 3; c++)
      inside &= b->X[3 * i + c] > X0[c] + 1e-9 && b->X[3 * i + c] < X0[c] + SIDE[c] - 1e-9;
    for (int c = 0; c < 3 && inside; c++) *inner = fmax(*inner, fabs(f[3 * i + c]));
  }
  *inner /= k_max * u_max;
  free(u);
  free(f);
}

static void linear_and_bending_patches_are_exact(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  double energy, inner, V = SIDE[0] * SIDE[1] * SIDE[2];
  fixture_init(&f);
  if (box_body(&f, N, X0, SIDE, NULL, &mem, &b)) {
    double lam = STEEL.E * 0.3 / (1.3 * 0.4), G = STEEL.E / 2.6, tr = GRAD[0] + GRAD[4] + GRAD[8],
           ee = 0.0;
    for (int i = 0; i < 9; i++) ee += pow(0.5 * (GRAD[i] + GRAD[3 * (i % 3) + i / 3]), 2);
    double want = V * (0.5 * lam * tr * tr + G * ee);
    nodal_field(&b, linear_field, &energy, &inner);
    MW_NEAR(energy, want,
            1000.0 * EPS * want);  // the energy of terms k_max u² cancels to about a hundredth
    MW_NEAR(inner, 0.0, 200.0 * EPS);
    // ½ E ∫z² dV
    double z0 = X0[2], z1 = X0[2] + SIDE[2];
    want = 0.5 * STEEL.E * SIDE[0] * SIDE[1] * (z1 * z1 * z1 - z0 * z0 * z0) / 3.0;
    nodal_field(&b, bending_field, &energy, &inner);
    MW_NEAR(energy, want, 1000.0 * EPS * want);
    MW_NEAR(inner, 0.0, 200.0 * EPS);
  }
  mw_arena_free(&mem);
}

// R of 0.7 rad about [1, 2, 2]/3
static void rotation(double R[9])
{
  double k[3] = { 1.0 / 3, 2.0 / 3, 2.0 / 3 }, c = cos(0.7), s = sin(0.7);
  double S[9] = { 0, -k[2], k[1], k[2], 0, -k[0], -k[1], k[0], 0 };
  for (int i = 0; i < 9; i++)
    R[i] = (i % 4 == 0 ? c : 0.0) + (1 - c) * k[i / 3] * k[i % 3] + s * S[i];
}

// A rotated mesh has K' = T K Tᵀ, J' = R J Rᵀ, and M_αβ' = Σ R_αγ R_βδ T M_γδ Tᵀ
static void rotated_box_has_rotated_matrices(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body a, b;
  double R[9], J[9], Rt[9];
  rotation(R);
  fixture_init(&f);
  bool okay = box_body(&f, N, X0, SIDE, NULL, &mem, &a) && box_body(&f, N, X0, SIDE, R, &mem, &b);
  if (okay) {
    size_t n = (size_t)a.n_u;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *u = malloc(n * sizeof *u),
           *v = malloc(n * sizeof *v);
    double pa[36], pb[36], *ca = pa + 9, *cb = pb + 9, ea, eb, k_max = 0.0;
    double tol = mw_test_rounding(30.0, a.m);  // rows of 30
    unsigned seed = 1;
    for (size_t i = 0; i < n; i++) x[i] = fixture_random(&seed), y[i] = fixture_random(&seed);
    mw_csc_mul(&a.K, 1.0, y, 0.0, u);
    ea = mw_dot(a.n_u, x, u);
    mw_body_mass_products(&a, 2, (const double *[]){ x, y }, pa, u);
    for (int i = 0; i < a.n_node; i++) {
      mw_mul33v(R, x + 3 * i, x + 3 * i);
      mw_mul33v(R, y + 3 * i, y + 3 * i);
    }
    mw_csc_mul(&b.K, 1.0, y, 0.0, v);
    eb = mw_dot(a.n_u, x, v);
    mw_body_mass_products(&b, 2, (const double *[]){ x, y }, pb, u);
    for (int p = 0; p < a.K.ptr[n]; p++) k_max = fmax(k_max, fabs(a.K.val[p]));
    MW_NEAR(eb, ea, 1e4 * EPS * k_max);  // sum of n row sums of size k_max with random signs
    for (int i = 0; i < 9; i++) Rt[i] = R[3 * (i % 3) + i / 3];
    mw_mul33(R, ca, ca);
    mw_mul33(ca, Rt, ca);
    mw_mul33(R, a.J, J);
    mw_mul33(J, Rt, J);
    for (int i = 0; i < 9; i++) {
      MW_NEAR(cb[i], ca[i], tol);
      MW_NEAR(b.J[i], J[i], tol);
    }
    free(x);
    free(y);
    free(u);
    free(v);
  }
  mw_arena_free(&mem);
}

// deflection of the mean of the end face under a unit transverse force there
static double tip_deflection(int nx, int nz)
{
  static const double x0[3] = { 0, 0, 0 }, l[3] = { 1.0, 0.05, 0.1 };
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  int n[3] = { nx, 1, nz };
  double w = (double)NAN;
  fixture_init(&f);
  f.body.ground = true;
  fixture_support(&f, "x0");
  fixture_attach(&f, "tip", MW_ATTACH_AVERAGE, "x1");
  if (box_body(&f, n, x0, l, NULL, &mem, &b)) {
    size_t m = (size_t)b.n_u;
    double *K = malloc(m * m * sizeof *K), *u = malloc(m * sizeof *u),
           *z = calloc((size_t)b.n_z, sizeof *z);
    z[b.frame[0].z + 2] = 1.0;
    mw_csc_mul_t(&b.P, 1.0, z, 0.0, u);
    fixture_dense(&b.K, K);
    MW_OKAY(mw_chol_factor(b.n_u, K, &err));
    mw_chol_solve(b.n_u, K, 1, u);
    mw_csc_mul(&b.P, 1.0, u, 0.0, z);
    w = z[b.frame[0].z + 2];
    free(K);
    free(u);
    free(z);
  }
  mw_arena_free(&mem);
  return w;
}

// F L³/3EI + F L/κGA; what the clamped section adds or takes reaches one height into the beam:
// relative h/L · ν. A displacement method is too stiff: refinement only adds.
static void solid_cantilever_approaches_the_beam(void)
{
  double E = STEEL.E, I = 0.05 * 0.1 * 0.1 * 0.1 / 12.0, kGA = 5.0 / 6.0 * 0.005 * E / 2.6;
  double want = 1.0 / (3.0 * E * I) + 1.0 / kGA, coarse = tip_deflection(4, 1),
         fine = tip_deflection(10, 2);
  MW_CHECK(coarse < fine);
  MW_NEAR(fine, want, 0.3 * 0.1 * want);
  MW_CHECK(fabs(fine - want) < fabs(coarse - want));
}

static const mw_test_case cases[] = {
  { "rigid_moments_are_exact", rigid_moments_are_exact },
  { "moments_of_quadratic_fields_are_exact", moments_of_quadratic_fields_are_exact },
  { "inverted_elements_are_refused", inverted_elements_are_refused },
  { "box_has_exact_mass_and_inertia", box_has_exact_mass_and_inertia },
  { "linear_and_bending_patches_are_exact", linear_and_bending_patches_are_exact },
  { "rotated_box_has_rotated_matrices", rotated_box_has_rotated_matrices },
  { "solid_cantilever_approaches_the_beam", solid_cantilever_approaches_the_beam },
};

int main(void) { return mw_test_run("tet", cases, (int)(sizeof cases / sizeof *cases)); }
