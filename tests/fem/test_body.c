// SPDX-License-Identifier: BSD-3-Clause
// test_body.c: bodies of beams and of tetrahedra: mass moments, rigid motions, frames, projection,
// bad input.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fixture_body.h"
#include "mw_test.h"

static const double EPS = DBL_EPSILON;

// An L of two members in space with a rigid patch carrying a mass, and a node with a mass.
static void bent_beam(fixture_body *f)
{
  fixture_init(f);
  int a = fixture_point(f, "a", 0.1, -0.2, 0.3), b = fixture_point(f, "b", 1.1, -0.2, 0.3),
      c = fixture_point(f, "c", 1.1, 0.4, 0.5);
  fixture_member(f, a, b, 6);
  fixture_member(f, b, c, 3);
  mw_attach *m = fixture_attach(f, "mid", MW_ATTACH_NODE, "b");
  m->mass = 2.0;
  m->inertia[0] = 0.02;
  m->inertia[1] = 0.03;
  m->inertia[2] = 0.04;
  m->inertia[3] = 0.004;
  mw_attach *t = fixture_attach(f, "tip", MW_ATTACH_RIGID, "c");
  t->has_x = true;
  t->x[0] = 1.2;
  t->x[1] = 0.5;
  t->x[2] = 0.45;
  t->mass = 1.5;
  fixture_guide(f, "rail", a, b);
}

// ε_ijk
static double levi(int i, int j, int k) { return 0.5 * (i - j) * (j - k) * (k - i); }

// Displacement of rigid mode k is u = a + B X (B skew): c_αβ = ∫ρ u_α u'_β from m, mX, J alone.
static void rigid_products(const mw_body *b, int k, int l, double c[9])
{
  for (int al = 0; al < 3; al++)
    for (int be = 0; be < 3; be++) {
      double sum = 0.0;
      if (k < 3 && l < 3) sum = (al == k) * (be == l) * b->m;
      for (int g = 0; g < 3; g++) {
        if (k < 3 && l >= 3) sum += (al == k) * levi(be, l - 3, g) * b->mX[g];
        if (k >= 3 && l < 3) sum += (be == l) * levi(al, k - 3, g) * b->mX[g];
        for (int d = 0; k >= 3 && l >= 3 && d < 3; d++)
          sum += levi(al, k - 3, g) * levi(be, l - 3, d) * b->J[3 * g + d];
      }
      c[3 * al + be] = sum;
    }
}

// s, h, M_αβ applied to rigid motions give m, mX, J: sums of n² terms of `scale` in all.
static void check_rigid_moments(const mw_body *b)
{
  size_t n = (size_t)b->n_u;
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *w = malloc(2 * n * sizeof *w);
  double scale = b->m + b->J[0] + b->J[4] + b->J[8], tol = mw_test_rounding((double)(n * n), scale),
         err_max = 0.0;
  for (int k = 0; k < 6; k++) {
    for (size_t i = 0; i < n; i++) x[i] = b->R[6 * i + (size_t)k];
    for (int l = 0; l < 6; l++) {
      double pairs[36], *c = pairs + 9, want[9];
      for (size_t i = 0; i < n; i++) y[i] = b->R[6 * i + (size_t)l];
      mw_body_mass_products(b, 2, (const double *[]){ x, y }, pairs, w);
      rigid_products(b, k, l, want);
      for (int i = 0; i < 9; i++) err_max = fmax(err_max, fabs(c[i] - want[i]));
    }
    // s·r: ∫ρ u_β ; h·r: ∫ρ X_α u_β
    for (int be = 0; be < 3; be++) {
      double want = k < 3 ? (be == k) * b->m : 0.0;
      for (int g = 0; k >= 3 && g < 3; g++) want += levi(be, k - 3, g) * b->mX[g];
      err_max = fmax(err_max, fabs(mw_dot(b->n_u, b->s + (size_t)be * n, x) - want));
      for (int al = 0; al < 3; al++) {
        double wanth = k < 3 ? (be == k) * b->mX[al] : 0.0;
        for (int g = 0; k >= 3 && g < 3; g++) wanth += levi(be, k - 3, g) * b->J[3 * al + g];
        err_max = fmax(err_max, fabs(mw_dot(b->n_u, b->h + (size_t)(3 * al + be) * n, x) - wanth));
      }
    }
  }
  MW_NEAR(err_max, 0.0, tol);
  free(x);
  free(y);
  free(w);
}

static void beam_body_moves_rigidly(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double residual = 1.0;
  bent_beam(&f);
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
    // 10 nodes of 6, one of them slaved to a master of 6
    MW_CHECK(b.n_u == 60);
    MW_CHECK(b.n_z == 6 + 6 + 6 * 7);
    double A = f.section.A, rho = f.material.rho, m = rho * A * (1.0 + sqrt(0.4)) + 3.5;
    MW_NEAR(b.m, m, 200.0 * EPS * m);
    MW_OKAY(mw_body_check(&b, &residual, &err));
    // each row of K r sums n_u terms of K_max r_max, each rounded
    MW_NEAR(residual, 0.0, 60.0 * EPS);
    check_rigid_moments(&b);
  }
  mw_arena_free(&mem);
}

// ---- frames ----

static const char *MESH = "test_body.tmp.msh";
static const int BOX_N[3] = { 4, 1, 2 };
static const double BOX_X0[3] = { 0.1, -0.2, 0.3 }, BOX_L[3] = { 0.8, 0.1, 0.2 };

// A free box with a rigid patch (with mass) on one end, an average on the other, a node, and a
// guide.
static bool box_body(fixture_body *f, mw_arena *mem, mw_body *b)
{
  mw_error err = { 0 };
  fixture_init(f);
  f->body.mesh = MESH;
  mw_attach *a = fixture_attach(f, "left", MW_ATTACH_RIGID, "x0");
  a->mass = 0.7;
  a->inertia[0] = a->inertia[1] = a->inertia[2] = 0.01;
  a = fixture_attach(f, "right", MW_ATTACH_AVERAGE, "x1");
  a->has_x = true;
  a->x[0] = 1.1;
  a->x[1] = 0.3;
  a->x[2] = -0.2;
  a = fixture_attach(f, "corner", MW_ATTACH_NODE, NULL);
  memcpy(a->x, (double[3]){ 0.5, -0.1, 0.5 }, sizeof a->x);
  mw_guide_in *g = fixture_guide(f, "rail", -1, -1);
  g->set = "far_edge";
  if (!MW_CHECK(fixture_box(MESH, BOX_N, BOX_X0, BOX_L, NULL) == 0)) return false;
  bool okay = MW_OKAY(mw_body_build(&f->model, 0, mem, b, &err));
  remove(MESH);
  return okay;
}

static void rigid_motion(const double X[3], const double v[3], const double w[3], double u[3])
{
  mw_cross3(w, X, u);
  for (int i = 0; i < 3; i++) u[i] += v[i];
}

// t = v + ω × X, r = ω for every frame and guide node, u = v + ω × X for every node
static void check_rigid_functionals(const mw_body *b)
{
  double v[3] = { 0.3, -0.7, 0.2 }, w[3] = { -0.4, 0.6, 0.9 }, alpha[6], u[3];
  double tol =
      500.0 * EPS;  // functionals sum up to some 45 motions below 3, with weights up to 1/size
  double *x = malloc((size_t)b->n_u * sizeof *x), *z = malloc((size_t)b->n_z * sizeof *z);
  double *N = malloc(3 * (size_t)b->n_node * sizeof *N);
  memcpy(alpha, v, sizeof v);
  memcpy(alpha + 3, w, sizeof w);
  for (int i = 0; i < b->n_u; i++) x[i] = mw_dot(6, b->R + 6 * i, alpha);
  mw_csc_mul(&b->P, 1.0, x, 0.0, z);
  mw_csc_mul(&b->N, 1.0, x, 0.0, N);
  for (int k = 0; k < b->n_frame; k++) {
    rigid_motion(b->frame[k].X, v, w, u);
    for (int i = 0; i < 3; i++) {
      MW_NEAR(z[b->frame[k].z + i], u[i], tol);
      MW_NEAR(z[b->frame[k].z + 3 + i], w[i], tol);
    }
  }
  for (int k = 0; k < b->n_guide; k++)
    for (int j = 0; j < b->guide[k].n; j++) {
      const mw_guide *g = &b->guide[k];
      double X[3];
      for (int i = 0; i < 3; i++) X[i] = g->X0[i] + g->s[j] * g->t[i];
      rigid_motion(X, v, w, u);
      for (int i = 0; i < 3; i++) MW_NEAR(z[g->z + (g->rot ? 6 : 3) * j + i], u[i], tol);
      for (int i = 0; i < 3 && g->rot; i++) MW_NEAR(z[g->z + 6 * j + 3 + i], w[i], tol);
    }
  for (int k = 0; k < b->n_node; k++) {
    rigid_motion(b->X + 3 * k, v, w, u);
    for (int i = 0; i < 3; i++) MW_NEAR(N[3 * k + i], u[i], tol);
  }
  free(x);
  free(z);
  free(N);
}

static void frames_and_guides_follow_rigid_motions(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  bent_beam(&f);
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) check_rigid_functionals(&b);
  if (box_body(&f, &mem, &b)) {
    check_rigid_functionals(&b);
    check_rigid_moments(&b);
    MW_CHECK(b.guide[0].n == 9 && !b.guide[0].rot);
    MW_NEAR(b.guide[0].X0[0], 0.1, 4.0 * EPS);  // starts at the smaller x
  }
  mw_arena_free(&mem);
}

// motions of the master alone: the slaved end moves by t + φ × (X_c − X)
static void rigid_patch_moves_its_slaves(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  bent_beam(&f);
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
    double *u = calloc((size_t)b.n_u, sizeof *u), *N = malloc(3 * (size_t)b.n_node * sizeof *N);
    const double X[3] = { 1.2, 0.5, 0.45 }, C[3] = { 1.1, 0.4, 0.5 }, v[3] = { 1, 2, 3 },
                 w[3] = { -1, 0.5, 2 };
    double d[3] = { C[0] - X[0], C[1] - X[1], C[2] - X[2] }, want[3];
    // the master's six unknowns are the last
    for (int i = 0; i < 3; i++) u[b.n_u - 6 + i] = v[i], u[b.n_u - 3 + i] = w[i];
    mw_csc_mul(&b.N, 1.0, u, 0.0, N);
    rigid_motion(d, v, w, want);
    for (int i = 0; i < 3; i++) MW_NEAR(N[3 * 2 + i], want[i], 8.0 * EPS * 4.0);
    for (int i = 0; i < 3; i++) MW_NEAR(b.frame[1].X[i], X[i], 0.0);
    free(u);
    free(N);
  }
  mw_arena_free(&mem);
}

// ---- mass operator and projection ----

static void random_vector(int n, unsigned seed, double *x)
{
  for (int i = 0; i < n; i++) x[i] = fixture_random(&seed);
}

// |A| |x|, for the sizes of what A x sums
static void mul_sizes(const mw_csc *A, const double *x, double *y)
{
  int nz = A->ptr[A->n_col];
  mw_csc B = *A;
  double *val = malloc((size_t)nz * sizeof *val), *size = malloc((size_t)A->n_col * sizeof *size);
  for (int i = 0; i < nz; i++) val[i] = fabs(A->val[i]);
  for (int i = 0; i < A->n_col; i++) size[i] = fabs(x[i]);
  B.val = val;
  mw_csc_mul(&B, 1.0, size, 0.0, y);
  free(val);
  free(size);
}

// Rounding of sums of random terms of this size in all: of n of them partial sums stay near
// size/√n.
static double rounding(double size) { return mw_test_rounding(1.0, size); }

// Σ |x_i y_i|
static double size_of_dot(int n, const double *x, const double *y)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += fabs(x[i] * y[i]);
  return sum;
}

// xᵀ (Σ z_βα M_βα y) = Σ z_βα c_βα, and M is the trace
static void mass_operator_agrees_with_products(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  if (box_body(&f, &mem, &b)) {
    size_t n = (size_t)b.n_u;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *r = malloc(n * sizeof *r),
           *w = malloc(2 * n * sizeof *w);
    double z[9], pairs[36], *c = pairs + 9, sum = 0.0;
    random_vector(b.n_u, 3, x);
    random_vector(b.n_u, 4, y);
    random_vector(9, 5, z);
    mul_sizes(&b.M, y, w);
    double tol = rounding(size_of_dot(b.n_u, x, w));
    mw_body_mul_mass(&b, z, y, r, w);
    mw_body_mass_products(&b, 2, (const double *[]){ x, y }, pairs, w);
    for (int i = 0; i < 9; i++) sum += z[i] * c[i];
    MW_NEAR(mw_dot(b.n_u, x, r), sum, tol);
    mw_csc_mul(&b.M, 1.0, y, 0.0, w);
    MW_NEAR(mw_dot(b.n_u, x, w), c[0] + c[4] + c[8], tol);
    free(x);
    free(y);
    free(r);
    free(w);
  }
  mw_arena_free(&mem);
}

// Compares K, M, s, h of b at v, u with those of p at eta, zeta; U, V: sizes of v = T η, u = T ζ.
static void compare_products(const mw_body *b, const mw_body *p, const double *const on_b[4],
                             const double *const on_p[2])
{
  const double *v = on_b[0], *u = on_b[1], *V = on_b[2], *U = on_b[3], *eta = on_p[0],
               *zeta = on_p[1];
  int n = b->n_u, k = p->n_u;
  double *w = malloc(2 * (size_t)n * sizeof *w), f[16], pairs[36], pairs_p[36], *c = pairs + 9,
         *cp = pairs_p + 9;
  mul_sizes(&b->K, U, w);
  double tol = rounding(size_of_dot(n, V, w));
  mw_csc_mul(&b->K, 1.0, u, 0.0, w);
  mw_csc_mul(&p->K, 1.0, zeta, 0.0, f);
  MW_NEAR(mw_dot(k, eta, f), mw_dot(n, v, w), tol);
  mul_sizes(&b->M, U, w);
  tol = rounding(size_of_dot(n, V, w));
  mw_body_mass_products(b, 2, (const double *[]){ u, v }, pairs, w);
  mw_body_mass_products(p, 2, (const double *[]){ zeta, eta }, pairs_p, f);
  for (int i = 0; i < 9; i++) MW_NEAR(cp[i], c[i], tol);
  for (int i = 0; i < 3; i++) {
    const double *s = b->s + i * n;
    MW_NEAR(mw_dot(k, p->s + i * k, zeta), mw_dot(n, s, u), rounding(size_of_dot(n, s, U)));
  }
  for (int i = 0; i < 9; i++) {
    const double *h = b->h + i * n;
    MW_NEAR(mw_dot(k, p->h + i * k, zeta), mw_dot(n, h, u), rounding(size_of_dot(n, h, U)));
  }
  free(w);
}

// The condition of the reference: R_rᵀ M_r ζ = Rᵀ M u. R_r solves with M_r, which leaves
// ε |R_r| |M_r|.
static void compare_reference(const mw_body *b, const mw_body *p, const double *u, const double *U,
                              const double *zeta)
{
  int n = b->n_u, k = p->n_u;
  double *w = malloc(2 * (size_t)n * sizeof *w), *W = w + n, f[16], F[16];
  mw_csc_mul(&b->M, 1.0, u, 0.0, w);
  mul_sizes(&b->M, U, W);
  mw_csc_mul(&p->M, 1.0, zeta, 0.0, f);
  mul_sizes(&p->M, zeta, F);
  for (int r = 0; r < 6; r++) {
    double want = 0.0, got = 0.0, size = 0.0, solve = 0.0;
    for (int i = 0; i < n; i++) {
      want += b->R[6 * i + r] * w[i];
      size += fabs(b->R[6 * i + r] * W[i]);
    }
    for (int i = 0; i < k; i++) {
      got += p->R[6 * i + r] * f[i];
      solve += fabs(p->R[6 * i + r] * F[i]);
    }
    MW_NEAR(got, want, rounding(size) + mw_test_rounding(k, solve));
  }
  free(w);
}

// Everything a projected body says about ζ equals what the body says about T ζ.
static void compare_projection(const mw_body *b, const mw_body *p, const double *T)
{
  size_t n = (size_t)b->n_u;
  int k = p->n_u;
  double *u = calloc(4 * n, sizeof *u), *v = u + n, *U = v + n, *V = U + n, zeta[16], eta[16];
  double *z = malloc(3 * (size_t)b->n_z * sizeof *z), *zp = z + b->n_z, *Z = zp + b->n_z;
  random_vector(k, 7, zeta);
  random_vector(k, 8, eta);
  mw_gemm('n', 'n', b->n_u, 1, k, 1.0, T, zeta, 0.0, u);
  mw_gemm('n', 'n', b->n_u, 1, k, 1.0, T, eta, 0.0, v);
  for (size_t i = 0; i < n * (size_t)k; i++) {
    U[i / (size_t)k] += fabs(T[i] * zeta[i % (size_t)k]);
    V[i / (size_t)k] += fabs(T[i] * eta[i % (size_t)k]);
  }
  compare_products(b, p, (const double *const[4]){ v, u, V, U },
                   (const double *const[2]){ eta, zeta });
  mw_csc_mul(&b->P, 1.0, u, 0.0, z);
  mw_csc_mul(&p->P, 1.0, zeta, 0.0, zp);
  mul_sizes(&b->P, U, Z);
  for (int i = 0; i < b->n_z; i++) MW_NEAR(zp[i], z[i], mw_test_rounding(5.0, Z[i]));
  compare_reference(b, p, u, U, zeta);
  free(u);
  free(z);
}

static void projected_body_is_the_body_on_the_basis(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b, p;
  mw_error err = { 0 };
  if (box_body(&f, &mem, &b)) {
    double *T = malloc((size_t)b.n_u * 5 * sizeof *T), residual = 1.0;
    random_vector(b.n_u * 5, 11, T);
    if (MW_OKAY(mw_body_project(&b, T, 5, &mem, &p, &err))) {
      MW_CHECK(p.n_u == 5 && p.n_node == 0 && p.n_z == b.n_z && p.m == b.m);
      MW_OKAY(mw_body_check(&p, &residual, &err));
      compare_projection(&b, &p, T);
    }
    // a column twice
    for (int i = 0; i < b.n_u; i++) T[5 * i + 1] = T[5 * i];
    MW_FAILS(mw_body_project(&b, T, 5, &mem, &p, &err), MW_ERR_NUMERIC);
    if (MW_OKAY(mw_body_project(&b, NULL, 0, &mem, &p, &err))) {
      MW_CHECK(p.n_u == 0 && p.n_z == 0 && p.frame[0].z == -1 && p.guide[0].z == -1 &&
               p.guide[0].n == 0);
      MW_OKAY(mw_body_check(&p, &residual, &err));
    }
    free(T);
  }
  mw_arena_free(&mem);
}

// ---- rigid and ground bodies ----

static void rigid_body_has_given_mass_properties(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double residual = 1.0;
  fixture_init(&f);
  f.body.rigid = true;
  f.body.mass = 2.0;
  memcpy(f.body.com, (double[3]){ 0.1, 0.2, 0.3 }, sizeof f.body.com);
  memcpy(f.body.inertia, (double[6]){ 0.05, 0.06, 0.07, -0.01, 0.004, 0.002 },
         sizeof f.body.inertia);
  mw_attach *a = fixture_attach(&f, "tool", MW_ATTACH_POINT, NULL);
  a->x[2] = -0.3;
  mw_guide_in *g = fixture_guide(&f, "rail", -1, -1);
  g->ends[1][1] = 0.5;
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
    // tensor about the origin: tr(J) 1 − J = I + m (c² 1 − c cᵀ)
    double tr = b.J[0] + b.J[4] + b.J[8], tol = 16.0 * EPS;
    MW_NEAR(tr - b.J[0], 0.05 + 2.0 * (0.04 + 0.09), tol);
    MW_NEAR(-b.J[1], -0.01 - 2.0 * 0.02, tol);
    MW_NEAR(-b.J[5], 0.002 - 2.0 * 0.06, tol);
    MW_NEAR(b.mX[1], 0.4, tol);
    MW_CHECK(b.n_u == 0 && b.frame[0].z == -1 && b.guide[0].z == -1 && b.guide[0].n == 0);
    MW_NEAR(b.guide[0].length, 0.5, tol);
    MW_OKAY(mw_guide_weights(&b.guide[0], 0.2, 0.0, NULL, NULL, NULL, &err));
    MW_OKAY(mw_body_check(&b, &residual, &err));
  }
  mw_arena_free(&mem);
}

// two members in line, held at one end, force at the other: w = F L³/3EI + F L/κGA in the plane of
// height
static void ground_body_is_held_by_its_supports(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  fixture_init(&f);
  f.body.ground = true;
  int p = fixture_point(&f, "p", 0, 0, 0), q = fixture_point(&f, "q", 0.5, 0, 0),
      r = fixture_point(&f, "r", 1.2, 0, 0);
  fixture_member(&f, p, q, 3);
  fixture_member(&f, q, r, 2);
  f.member[0].up[0] = f.member[1].up[0] = f.member[0].up[1] = f.member[1].up[1] = 0.0;
  fixture_support(&f, "p");
  fixture_attach(&f, "tip", MW_ATTACH_NODE, "r");
  fixture_attach(&f, "base", MW_ATTACH_NODE, "p");
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
    MW_CHECK(b.n_u == 30 && b.R == NULL);
    double K[900], u[30], z[12] = { 0, 0, 1000.0 }, L = 1.2;
    mw_csc_mul_t(&b.P, 1.0, z, 0.0, u);
    fixture_dense(&b.K, K);
    MW_OKAY(mw_chol_factor(30, K, &err));
    mw_chol_solve(30, K, 1, u);
    mw_csc_mul(&b.P, 1.0, u, 0.0, z);
    double EI = 210e9 * f.section.Iy, GA = 5.0 / 6.0 * f.section.A * 210e9 / 2.6;
    double w = 1000.0 * (L * L * L / (3.0 * EI) + L / GA);
    // eps times the condition of K: (axial stiffness / tip stiffness) below 1e6
    MW_WITHIN(z[2], w, 1e6 * EPS * w, "worst of a solve, by the condition");
    for (int i = 6; i < 12; i++) MW_NEAR(z[i], 0.0, 0.0);
    double m = 7850.0 * f.section.A * L;
    MW_NEAR(b.m, m, 50.0 * EPS * m);
  }
  mw_arena_free(&mem);
}

// ---- bad input ----

typedef void spoil_fn(fixture_body *f);

static void no_elements(fixture_body *f) { f->body.n_member = 0; }
static void free_with_support(fixture_body *f) { fixture_support(f, "a"); }
static void ground_without_support(fixture_body *f) { f->body.ground = true; }
static void half_held(fixture_body *f)
{
  f->body.ground = true;
  fixture_support(f, "a");
  for (int i = 3; i < 6; i++) f->support[0].dof[i] = false;
}
static void support_on_patch(fixture_body *f)
{
  f->body.ground = true;
  fixture_support(f, "c");
}
static void unknown_set(fixture_body *f) { f->attach[0].set = "nowhere"; }
static void patches_meet(fixture_body *f) { fixture_attach(f, "again", MW_ATTACH_RIGID, "c"); }
static void bare_point(fixture_body *f) { fixture_attach(f, "bare", MW_ATTACH_POINT, NULL); }
static void lonely_average(fixture_body *f) { fixture_attach(f, "mean", MW_ATTACH_AVERAGE, "a"); }
static void no_node_there(fixture_body *f) { fixture_attach(f, "there", MW_ATTACH_NODE, NULL); }
static void short_guide(fixture_body *f) { f->member[0].n_elem = 2; }
static void bent_guide(fixture_body *f) { f->guide[0].to = 2; }
static void guide_along_normal(fixture_body *f)
{
  f->guide[0].normal[0] = 2.0;
  f->guide[0].normal[1] = f->guide[0].normal[2] = 0.0;
}
static void two_pieces(fixture_body *f)
{
  int p = fixture_point(f, "p", 5, 0, 0), q = fixture_point(f, "q", 6, 0, 0);
  fixture_member(f, p, q, 1);
}
static void idle_point(fixture_body *f)
{
  fixture_point(f, "idle", 5, 0, 0);
  f->attach[0].set = "idle";
}
static void beams_and_mesh(fixture_body *f) { f->body.mesh = "any.msh"; }
static void mass_on_average(fixture_body *f) { f->attach[0].kind = MW_ATTACH_AVERAGE; }
static void rigid_with_node(fixture_body *f) { f->body.rigid = true; }

static const struct {
  spoil_fn *spoil;
  const char *msg;
} BAD[] = {
  { no_elements, "no rigid, mesh, cad, matrices or beams" },
  { free_with_support, "only a ground body" },
  { ground_without_support, "nothing holds it" },
  { half_held, "leave 3 rigid motions free" },
  { support_on_patch, "shares a node with rigid patch 'tip'" },
  { unknown_set, "no point 'nowhere', it has: a, b, c" },
  { patches_meet, "rigid patches 'again' and 'tip' share a node" },
  { bare_point, "is a bare point" },
  { lonely_average, "lie on a line" },
  { no_node_there, "no node of body 'part'" },
  { short_guide, "3 nodes on its line, expected at least 4" },
  { bent_guide, "2 nodes on its line" },
  { guide_along_normal, "zero or along the guide" },
  { two_pieces, "falls into 2 pieces" },
  { idle_point, "not the end of any beam" },
  { beams_and_mesh, "beams and a mesh" },
  { mass_on_average, "needs a node or a rigid patch" },
  { rigid_with_node, "must be a point" },
};

static void bad_bodies_are_refused_by_name(void)
{
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    fixture_body f;
    mw_arena mem = { 0 };
    mw_body b;
    mw_error err = { 0 };
    bent_beam(&f);
    BAD[k].spoil(&f);
    MW_FAILS(mw_body_build(&f.model, 0, &mem, &b, &err), MW_ERR_INPUT);
    if (!MW_CHECK(strstr(err.msg, BAD[k].msg) != NULL)) printf("  case %zu: %s\n", k, err.msg);
    mw_arena_free(&mem);
  }
}

static void crooked_mesh_guide_is_refused(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  fixture_init(&f);
  f.body.mesh = MESH;
  fixture_guide(&f, "rail", -1, -1)->set = "x0";
  MW_CHECK(fixture_box(MESH, BOX_N, BOX_X0, BOX_L, NULL) == 0);
  MW_FAILS(mw_body_build(&f.model, 0, &mem, &b, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "is not straight") != NULL);
  f.guide[0].set = "edge";
  f.guide[0].has_start = true;
  f.guide[0].start[0] = 2.0;
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err)))
    MW_NEAR(b.guide[0].X0[0], 0.9, 8.0 * EPS);
  f.guide[0].set = "rim";
  MW_FAILS(mw_body_build(&f.model, 0, &mem, &b, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "no node set 'rim', it has: edge, far_edge, x0, x1, body") != NULL);
  mw_arena_free(&mem);
  remove(MESH);
}

static const mw_test_case cases[] = {
  { "beam_body_moves_rigidly", beam_body_moves_rigidly },
  { "frames_and_guides_follow_rigid_motions", frames_and_guides_follow_rigid_motions },
  { "rigid_patch_moves_its_slaves", rigid_patch_moves_its_slaves },
  { "mass_operator_agrees_with_products", mass_operator_agrees_with_products },
  { "projected_body_is_the_body_on_the_basis", projected_body_is_the_body_on_the_basis },
  { "rigid_body_has_given_mass_properties", rigid_body_has_given_mass_properties },
  { "ground_body_is_held_by_its_supports", ground_body_is_held_by_its_supports },
  { "bad_bodies_are_refused_by_name", bad_bodies_are_refused_by_name },
  { "crooked_mesh_guide_is_refused", crooked_mesh_guide_is_refused },
};

int main(void) { return mw_test_run("body", cases, (int)(sizeof cases / sizeof *cases)); }
