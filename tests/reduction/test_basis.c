// SPDX-License-Identifier: BSD-3-Clause
// test_basis.c: bodies' bases against dense algebra on the same mesh.
//
// Reference: all eigenpairs of (K, M) by LAPACK, with which a load f of an elastic motion has the
// receptance
//   H(ω) = Σ_k (φ_kᵀf)² / (λ_k − ω²) ,  k without rigid modes ;
//       D' = Σ (φ_kᵀf)²/λ_k over the modes not in the basis      (1)
// A basis errs by a form that is positive semidefinite below its first missing mode, so that loads
// f = Σ c_j f_j err by at most (Σ |c_j| √e_j)², e_j the errors of the f_j.
// Rounding of (1): eigenvalues are right to n ε λ_max (LAPACK) and 1e-12 λ (Lanczos; a solve rounds
// to ε λ_max/λ_1, 1e-11 at most here), what a term b²/(λ − ω²) makes of that is added to every
// bound.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fem/fixture_body.h"
#include "../fem/fixture_grid.h"
#include "../fixture.h"
#include "base/dense.h"
#include "body/basis_priv.h"
#include "mw_test.h"

static const char *TETS = "/tmp/modeway_test_basis_tets.msh",
                  *HEXES = "/tmp/modeway_test_basis_hexes.msh";
static const double TWO_PI = 6.283185307179586;
enum { CLAMPED = 1, FREE, BEAM, TINY };

// clamped: a bar of tetrahedra held at x = 0, with a guide along an edge and a patch at its end;
// free: a square bar of hexahedra with the pads of a guide on top, its bending modes in pairs;
// beam: a free beam with a guide; tiny: a free beam of 18 unknowns.
static const char *const MODEL =
    "modeway: 1\nname: bodies\ngravity: [0, 0, -9.81]\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.04, height: 0.03 } } }\n"
    "bodies:\n"
    "  clamped:\n"
    "    mesh: %s\n    material: steel\n    ground: true\n    supports: [ { nodes: x0 } ]\n"
    "    guides: { rail: { nodes: edge, normal: [0, 0, 1], start: [0, 0, 0] } }\n"
    "    frames: { tip: { rigid: x1, point: [0.5, 0.02, 0.03] } }\n"
    "  free:\n"
    "    mesh: %s\n    material: steel\n"
    "    guides: { rail: { points: [[0.1, 0.025, 0.05], [0.5, 0.025, 0.05]], normal: [0, 0, 1], "
    "pad: { length: 0.1, width: 0.03 } } }\n"
    "  beam:\n    at: [-0.4, -0.08, -0.17]\n"
    "    beams:\n      points: { a: [0, 0, 0], b: [0.9, 0.1, 0.2] }\n"
    "      members: [ { from: a, to: b, section: bar, material: steel, elements: 12, up: [0, 0, "
    "1] } "
    "]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "    frames: { tip: { node: b } }\n"
    "  tiny:\n    at: [0.1, 0.02, 0.03]\n"
    "    beams:\n      points: { a: [0, 0, 0], b: [0.4, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: steel, elements: 2, up: [0, 0, 1] "
    "} ]\n"
    "    frames: { foot: { node: a }, tip: { node: b } }\n"
    "  cart: { at: [0.3, 0.025, 0.05], rigid: { mass: 1, com: [0, 0, 0], inertia: [1e-3, 1e-3, "
    "1e-3, 0, "
    "0, 0] } }\n"
    "joints:\n"
    "  one: { slide: { guide: free.rail, on: cart, orientation: fixed, runners: [ { offset: 0 } ] "
    "}, "
    "coordinate: s }\n"
    "  two: { fixed: { a: clamped.tip, b: beam.tip } }\n"
    "  three: { fixed: { a: clamped.tip, b: tiny.tip } }\n";

typedef struct dense {  // a body in LAPACK's eigenbasis
  const mw_body *b;
  int n, n_load, n_rigid;
  double *K, *M;   // [n × n]
  double *lambda;  // [n]  ascending
  double *B;       // [n_load × n]  fᵀφ: functionals, then gravity on a body that is fixed
  double *F;       // [n_load × n]  the loads
} dense;

typedef struct bodies {
  mw_fixture f;
  mw_arena mem;
} bodies;

static bool open_bodies(bodies *b)
{
  char text[8192];
  const double x0[3] = { 0.0 }, l[3] = { 0.5, 0.04, 0.06 };
  fixture_grid_box box = {
    .kind = MW_ELEM_HEX8, .n = { 12, 2, 2 }, .x0 = { 0 }, .l = { 0.6, 0.05, 0.05 }
  };
  *b = (bodies){ 0 };
  snprintf(text, sizeof text, MODEL, TETS, HEXES);
  return MW_CHECK(fixture_box(TETS, (int[3]){ 6, 1, 1 }, x0, l, NULL) == 0) &&
         MW_CHECK(fixture_grid(HEXES, 1, &box) == 0) && MW_CHECK(mw_fixture_text(text, &b->f));
}

static void close_bodies(bodies *b)
{
  mw_arena_free(&b->mem);
  mw_fixture_free(&b->f);
  unlink(TETS);
  unlink(HEXES);
}

static bool dense_of(bodies *s, int body, dense *d)
{
  const mw_body *b = &s->f.mech.body[body];
  mw_error err = { 0 };
  int n = b->n_u, heavy = b->ground && b->gravity ? 3 : 0;
  size_t nn = (size_t)n * (size_t)n;
  *d = (dense){ .b = b, .n = n, .n_load = b->n_z + heavy, .n_rigid = b->ground ? 0 : 6 };
  double *A = mw_arena_f64(&s->mem, nn), *C = mw_arena_f64(&s->mem, nn),
         *V = mw_arena_f64(&s->mem, nn);
  d->K = mw_arena_f64(&s->mem, nn);
  d->M = mw_arena_f64(&s->mem, nn);
  d->lambda = mw_arena_f64(&s->mem, (size_t)n);
  d->F = mw_arena_f64(&s->mem, (size_t)d->n_load * (size_t)n);
  d->B = mw_arena_f64(&s->mem, (size_t)d->n_load * (size_t)n);
  if (!MW_OKAY(mw_arena_check(&s->mem, &err))) return false;
  fixture_dense(&b->K, d->K);
  fixture_dense(&b->M, d->M);
  fixture_dense(&b->P, d->F);
  if (heavy) memcpy(d->F + (size_t)b->n_z * (size_t)n, b->s, 3 * (size_t)n * sizeof *d->F);
  memcpy(A, d->K, nn * sizeof *A);
  memcpy(C, d->M, nn * sizeof *C);
  bool good = MW_OKAY(mw_eig_gen(n, A, C, d->lambda, V, &err));
  if (good) mw_gemm('n', 'n', d->n_load, n, n, 1.0, d->F, V, 0.0, d->B);
  return good;
}

// (1) from row `first` of the modes on: Σ b²/(λ − ω²), and what rounding of λ by `eps` λ + `all`
// makes of it
static double receptance(int first, int n, const double *lambda, const double *b, double omega,
                         double eps, double all, double *rounding)
{
  double h = 0.0;
  for (int k = first; k < n; k++) {
    double d = lambda[k] - omega * omega;
    h += b[k] * b[k] / d;
    if (rounding) *rounding += b[k] * b[k] / (d * d) * (eps * fabs(lambda[k]) + all);
  }
  return h;
}

// Loads of a basis: [n_load × r]
static double *loads_in(const dense *d, const mw_basis *q, mw_arena *mem)
{
  double *B = mw_arena_f64(mem, (size_t)d->n_load * (size_t)q->r);
  if (!B) return NULL;
  fixture_dense(&q->body.P, B);
  if (d->n_load > d->b->n_z)
    memcpy(B + (size_t)d->b->n_z * (size_t)q->r, q->body.s, 3 * (size_t)q->r * sizeof *B);
  return B;
}

static bool make(const mw_body *b, double hz, double tolerance, mw_basis *q)
{
  mw_error err = { 0 };
  mw_body_stage *z = NULL;
  bool good = MW_OKAY(mw_body_stage_open(b, NULL, &z, &err)) &&
              MW_OKAY(mw_body_stage_basis(z, hz == 0.0, TWO_PI * hz, tolerance, q, &err));
  mw_body_stage_close(z);
  return good;
}

// Errors of all loads at one frequency, and of random combinations of them.
static void compare(const dense *d, const mw_basis *q, const double *B, double omega,
                    double tolerance, double *error)
{
  int first = d->n_rigid + q->n_mode;
  double lift = d->n * DBL_EPSILON * d->lambda[d->n - 1];
  for (int i = 0; i < d->n_load; i++) {
    double rounding = 0.0;
    const double *b = d->B + (size_t)i * (size_t)d->n, *br = B + (size_t)i * (size_t)q->r;
    double left = receptance(first, d->n, d->lambda, b, 0.0, 0.0, 0.0, NULL);
    double full = receptance(d->n_rigid, d->n, d->lambda, b, omega, 1e-12, lift, &rounding);
    double have = receptance(q->n_rigid, q->r, q->body.K.val, br, omega, 1e-12, 0.0, &rounding);
    error[i] = tolerance * left + rounding;
    MW_NEAR(have, full, error[i]);
  }
}

static void compare_random(const dense *d, const mw_basis *q, const double *B, double omega,
                           const double *error)
{
  enum { TRIES = 10 };
  unsigned seed = 5;
  double *b = calloc((size_t)(d->n + q->r), sizeof *b), *br = b + d->n;
  for (int t = 0; b && t < TRIES; t++) {
    double bound = 0.0;
    memset(b, 0, (size_t)(d->n + q->r) * sizeof *b);
    for (int i = 0; i < d->n_load; i++) {
      double c = fixture_random(&seed);
      mw_axpy(d->n, c, d->B + (size_t)i * (size_t)d->n, b);
      mw_axpy(q->r, c, B + (size_t)i * (size_t)q->r, br);
      bound += fabs(c) * sqrt(error[i]);
    }
    MW_WITHIN(receptance(q->n_rigid, q->r, q->body.K.val, br, omega, 0.0, 0.0, NULL),
              receptance(d->n_rigid, d->n, d->lambda, b, omega, 0.0, 0.0, NULL), bound * bound,
              "the error that the basis states");
  }
  free(b);
}

static void loads_respond_in_the_band_but_for_the_tolerance(void)
{
  static const double tolerance[3] = { 1e-3, 1e-5, 1e-7 }, hz[2] = { 900.0, 2500.0 };
  bodies s;
  if (!open_bodies(&s)) return;
  for (int body = CLAMPED; body < TINY; body++) {
    dense d;
    if (!dense_of(&s, body, &d)) continue;
    double *error = mw_arena_f64(&s.mem, (size_t)d.n_load);
    for (int i = 0; i < 6; i++) {
      mw_basis q = { 0 };
      double band = TWO_PI * hz[i % 2];
      if (!make(d.b, hz[i % 2], tolerance[i / 2], &q)) continue;
      double *B = loads_in(&d, &q, &s.mem);
      MW_CHECK(q.left <= tolerance[i / 2]);
      for (int w = 0; B && w <= 4; w++) {
        compare(&d, &q, B, band * w / 4.0, tolerance[i / 2], error);
        compare_random(&d, &q, B, band * w / 4.0, error);
      }
      mw_basis_free(&q);
    }
  }
  close_bodies(&s);
}

static void all_modes_to_beyond_the_band_are_there(void)
{
  bodies s;
  if (!open_bodies(&s)) return;
  for (int body = CLAMPED; body < TINY; body++) {
    dense d;
    mw_basis q = { 0 };
    double hz = 3000.0, top = pow(MW_BASIS_MODES_TO * TWO_PI * hz, 2.0);
    if (!dense_of(&s, body, &d) || !make(d.b, hz, 1e-4, &q)) continue;
    int below = 0, pairs = 0;
    for (int k = d.n_rigid; k < d.n && d.lambda[k] <= top; k++) below++;
    MW_CHECK(q.n_rigid == d.n_rigid && q.n_mode == below && below > 4);
    MW_CHECK(q.r == q.n_rigid + q.n_mode + q.n_pattern && q.n_u == d.n);
    for (int k = 0; k < below && k < q.n_mode; k++) {
      double want = d.lambda[d.n_rigid + k];
      // LAPACK's n ε λ_max, Lanczos' 1e-12
      MW_NEAR(q.body.K.val[q.n_rigid + k], want,
              d.n * DBL_EPSILON * d.lambda[d.n - 1] + 1e-12 * want);
      pairs += k > 0 && fabs(want / d.lambda[d.n_rigid + k - 1] - 1.0) < 1e-9;
    }
    MW_CHECK(body != FREE || pairs >= 2);  // bending in y and in z
    mw_basis_free(&q);
  }
  close_bodies(&s);
}

// T [r × n] in double precision as the stage makes it, with the basis it belongs to.
static bool with_columns(const mw_body *b, double hz, double tolerance, mw_arena *mem, mw_basis *q,
                         double **T)
{
  mw_error err = { 0 };
  mw_body_stage *z = NULL;
  basis_rows u = { 0 };
  double left;
  int m = 0;
  bool good = MW_OKAY(mw_body_stage_open(b, NULL, &z, &err)) &&
              MW_OKAY(mw_body_stage_basis(z, false, TWO_PI * hz, tolerance, q, &err)) &&
              MW_OKAY(basis_patterns(z, TWO_PI * hz, tolerance, false, &u, &left, &err));
  size_t n = (size_t)b->n_u, head = (size_t)u.head;
  if (good) {
    double *C = mw_arena_f64(mem, (size_t)u.q * (size_t)u.q),
           *lambda = mw_arena_f64(mem, (size_t)u.q);
    *T = mw_arena_f64(mem, (size_t)q->r * n);
    good = MW_OKAY(mw_arena_check(mem, &err)) && MW_OKAY(basis_ritz(&u, &m, C, lambda, &err)) &&
           MW_CHECK(u.head + m == q->r);
    if (good) memcpy(*T, u.U, head * n * sizeof **T);
    if (good) mw_gemm('n', 'n', m, b->n_u, u.q, 1.0, C, u.U + head * n, 0.0, *T + head * n);
  }
  basis_rows_free(&u);
  mw_body_stage_close(z);
  return good;
}

// G [r × r] := T A Tᵀ
static void triple(int n, int r, const double *A, const double *T, double *work, double *G)
{
  mw_gemm('n', 'n', r, n, n, 1.0, T, A, 0.0, work);
  mw_gemm('n', 't', r, r, n, 1.0, work, T, 0.0, G);
}

// p [r]: largest share of a column in the energy D' of any load, at most 1; 1 for rigid modes and
// modes
static double *shares(const dense *d, const mw_basis *q, mw_arena *mem)
{
  double *p = mw_arena_f64(mem, (size_t)q->r), *B = loads_in(d, q, mem);
  int head = q->n_rigid + q->n_mode;
  for (int j = 0; p && j < head; j++) p[j] = 1.0;
  for (int i = 0; p && B && i < d->n_load; i++) {
    const double *b = d->B + (size_t)i * (size_t)d->n, *br = B + (size_t)i * (size_t)q->r;
    double left = receptance(d->n_rigid + q->n_mode, d->n, d->lambda, b, 0.0, 0.0, 0.0, NULL);
    for (int j = head; left > 0.0 && j < q->r; j++)
      p[j] = fmax(p[j], br[j] * br[j] / q->body.K.val[j] / left);
  }
  return p;
}

// T M Tᵀ = 1 + E, T K Tᵀ = Λ + G: a load, of which column i has the share p_i, has then a
// receptance that errs by at most
//   D' Σ √(p_i p_j) (|G_ij| + ω² |E_ij|) / √(λ_i λ_j)
// This must be less than the tolerance, and E and G of rigid modes and modes among themselves
// rounding: of Lanczos, 1e-12.
static void columns_are_orthonormal_and_their_stiffness_diagonal(void)
{
  static const double TOLERANCE = 1e-6, HZ = 1500.0;
  bodies s;
  if (!open_bodies(&s)) return;
  for (int body = CLAMPED; body < TINY; body++) {
    dense d;
    mw_basis q = { 0 };
    double *T = NULL, sum_E = 0.0, sum_G = 0.0, omega = TWO_PI * HZ;
    if (!dense_of(&s, body, &d) || !with_columns(d.b, HZ, TOLERANCE, &s.mem, &q, &T)) continue;
    int r = q.r, head = q.n_rigid + q.n_mode;
    size_t rr = (size_t)r * (size_t)r;
    double *E = mw_arena_f64(&s.mem, rr), *G = mw_arena_f64(&s.mem, rr),
           *work = mw_arena_f64(&s.mem, (size_t)r * (size_t)d.n), *p = shares(&d, &q, &s.mem);
    const double *k = q.body.K.val;
    triple(d.n, r, d.M, T, work, E);
    triple(d.n, r, d.K, T, work, G);
    for (int i = 0; p && i < r; i++)
      for (int j = 0; j < r; j++) {
        double e = fabs(E[i * r + j] - (i == j)), g = fabs(G[i * r + j] - (i == j ? k[i] : 0.0));
        double scale = fmax(sqrt(k[i] * k[j]), omega * omega);
        if (i < head && j < head) {
          MW_NEAR(e, 0.0, 1e-12);
          // K of a rigid mode is no rounder than K's entries: ε λ_max
          MW_NEAR(g, 0.0, 1e-12 * scale + d.n * DBL_EPSILON * d.lambda[d.n - 1]);
        } else {
          sum_E += sqrt(p[i] * p[j]) * e * omega * omega / scale;
          sum_G += i >= q.n_rigid && j >= q.n_rigid ? sqrt(p[i] * p[j]) * g / scale : 0.0;
        }
      }
    MW_NEAR(sum_E + sum_G, 0.0, TOLERANCE);
    mw_basis_free(&q);
  }
  close_bodies(&s);
}

// Entries of A [n × r] and of the reference W that differ by more than rounding: of rows in the
// basis as they are `head`, of combined ones `patterns`, relative to the largest entry.
static void same_matrix(int n, int r, int head, bool square, const double *A, const double *W,
                        double patterns)
{
  double big = 0.0;
  for (int i = 0; i < n * r; i++) big = fmax(big, fabs(W[i]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < r; j++) {
      double tol = 1e-12;
      if (j >= head) tol += patterns;
      if (square && i >= head) tol = j >= head ? patterns * patterns : 1e-12 + patterns;
      MW_NEAR(A[i * r + j], W[i * r + j], tol * big);
    }
}

static void same_csc(const mw_csc *A, const mw_csc *W, int head, double patterns, mw_arena *mem)
{
  size_t n = (size_t)W->n_row * (size_t)W->n_col;
  double *a = mw_arena_f64(mem, n), *w = mw_arena_f64(mem, n);
  if (!MW_CHECK(a && w && A->n_row == W->n_row && A->n_col == W->n_col)) return;
  fixture_dense(A, a);
  fixture_dense(W, w);
  same_matrix(W->n_row, W->n_col, head, W->n_row == W->n_col, a, w, patterns);
}

static void projected_body_is_that_of_plain_projection(void)
{
  static const double TOLERANCE = 1e-4;
  bodies s;
  if (!open_bodies(&s)) return;
  for (int body = CLAMPED; body < TINY; body++) {
    const mw_body *b = &s.f.mech.body[body];
    mw_basis q = { 0 };
    mw_body want;
    mw_error err = { 0 };
    double *T = NULL;
    if (!with_columns(b, 1500.0, TOLERANCE, &s.mem, &q, &T)) continue;
    int r = q.r, head = q.n_rigid + q.n_mode, n = b->n_u;
    double *Tt = mw_arena_f64(&s.mem, (size_t)r * (size_t)n);
    for (int i = 0; i < r; i++)
      for (int j = 0; j < n; j++) Tt[j * r + i] = T[(size_t)i * (size_t)n + (size_t)j];
    if (!MW_OKAY(mw_body_project(b, Tt, r, &s.mem, &want, &err))) continue;
    // a column of unit rows' combinations is right to n ε over the least norm of these,
    // basis_rows.dependent, 1e-2 tolerance
    double patterns = sqrt(n * DBL_EPSILON / (1e-2 * TOLERANCE));
    same_csc(&q.body.P, &want.P, head, patterns, &s.mem);
    same_matrix(3, r, head, false, q.body.s, want.s, patterns);
    same_matrix(9, r, head, false, q.body.h, want.h, patterns);
    for (int k = 0; k < 6 && !b->ground; k++)
      same_csc(&q.body.Mab[k], &want.Mab[k], head, patterns, &s.mem);
    MW_CHECK(mw_body_check(&q.body, NULL, &err) == MW_OK);
    for (size_t i = 0; i < (size_t)r * (size_t)n; i++)  // rounded to single precision
      if (!(fabs((double)q.T[i] - T[i]) <= 0.5 * FLT_EPSILON * fabs(T[i]) + FLT_MIN))
        MW_NEAR((double)q.T[i], T[i], 0.5 * FLT_EPSILON * fabs(T[i]));
    mw_basis_free(&q);
  }
  close_bodies(&s);
}

static void rigid_modes_are_in_the_basis(void)
{
  bodies s;
  if (!open_bodies(&s)) return;
  for (int body = FREE; body <= TINY; body++) {
    const mw_body *b = &s.f.mech.body[body];
    mw_basis q = { 0 };
    if (!make(b, 1500.0, 1e-4, &q)) continue;
    int r = q.r;
    double big = 0.0;
    for (int i = 0; i < 6 * b->n_u; i++) big = fmax(big, fabs(b->R[i]));
    // R = T R_r; T in single precision, |T R_r| <= sum of at most six terms of the size of R,
    // patterns have no share
    for (int i = 0; i < b->n_u; i++)
      for (int a = 0; a < 6; a++) {
        double x = 0.0;
        for (int c = 0; c < r; c++)
          x += (double)q.T[(size_t)c * (size_t)b->n_u + (size_t)i] * q.body.R[6 * c + a];
        MW_NEAR(x, b->R[6 * i + a], 12.0 * FLT_EPSILON * big);
      }
    for (int c = 0; c < q.n_rigid; c++) MW_CHECK(q.body.K.val[c] == 0.0);
    double m = 0.0;
    for (int c = 0; c < r; c++) m += q.body.R[6 * c] * q.body.R[6 * c];
    MW_NEAR(m, b->m, 1e-12 * b->m);  // RᵀMR of a translation: the mass, sums of some hundred terms
    mw_basis_free(&q);
  }
  close_bodies(&s);
}

static void a_body_of_few_unknowns_keeps_all_of_them(void)
{
  bodies s;
  dense d;
  mw_basis q = { 0 };
  if (!open_bodies(&s)) return;
  if (dense_of(&s, TINY, &d) && make(d.b, 500.0, 1e-2, &q)) {
    double *error = mw_arena_f64(&s.mem, (size_t)d.n_load), *B = loads_in(&d, &q, &s.mem);
    MW_CHECK(q.r == d.n && d.n == 18);
    // all frequencies, whatever the tolerance asked for
    for (int k = 6; k < d.n; k++)
      MW_WITHIN(q.body.K.val[k] / d.lambda[k], 1.0, 1e-9,
                "worst of dense eigenproblems, by their condition");
    for (int w = 0; B && w < 3; w++) compare(&d, &q, B, TWO_PI * 700.0 * w, 0.0, error);
    mw_basis_free(&q);
  }
  close_bodies(&s);
}

// ---- on disk ------------------------------------------------------------------------------------

static bool kept(const mw_body *b, const char *folder, bool shapes, mw_basis *q)
{
  mw_error err = { 0 };
  mw_body_stage *z = NULL;
  *q = (mw_basis){ 0 };
  bool good = MW_OKAY(mw_body_stage_open(b, folder, &z, &err)) &&
              MW_OKAY(mw_body_stage_basis(z, false, TWO_PI * 900.0, 1e-4, q, &err)) &&
              (!shapes || MW_OKAY(mw_basis_shapes(q, &err)));
  mw_body_stage_close(z);
  return good;
}

static void same_basis(const mw_basis *a, const mw_basis *b)
{
  if (!MW_CHECK(a->r == b->r && a->n_mode == b->n_mode && a->n_rigid == b->n_rigid)) return;
  size_t r = (size_t)a->r;
  MW_SAME_BITS(a->body.K.val, b->body.K.val, r);
  MW_SAME_BITS(a->body.M.val, b->body.M.val, r);
  MW_SAME_BITS(a->body.P.val, b->body.P.val, a->body.P.ptr[r]);
  MW_SAME_BITS(a->body.s, b->body.s, 3 * r);
  MW_SAME_BITS(a->body.h, b->body.h, 9 * r);
  for (int k = 0; k < 6; k++)
    MW_SAME_BITS(a->body.Mab[k].val, b->body.Mab[k].val, a->body.Mab[k].ptr[r]);
  if (a->body.R) MW_SAME_BITS(a->body.R, b->body.R, 6 * r);
  MW_CHECK(memcmp(a->T, b->T, r * (size_t)a->n_u * sizeof *a->T) == 0);
  MW_CHECK(a->left == b->left && a->band == b->band && a->n_pattern == b->n_pattern);
}

// The file of a basis, or with ending ".shapes" that of its T.
static void path_of(const char *folder, const mw_body *b, const char *ending, char *path, size_t n)
{
  char key[65];
  basis_key(b, key);
  snprintf(path, n, "%s/%s-%.9g-%.9g.basis%s", folder, key, TWO_PI * 900.0, 1e-4, ending);
}

// Turns one bit in the middle, or cuts the last byte off.
static void spoil(const char *path, bool cut)
{
  FILE *f = fopen(path, "r+b");
  if (!MW_CHECK(f != NULL)) return;
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  fseek(f, n / 2, SEEK_SET);
  int c = fgetc(f);
  fseek(f, n / 2, SEEK_SET);
  if (!cut) fputc(c ^ 4, f);
  fclose(f);
  if (cut) MW_CHECK(truncate(path, n - 1) == 0);
}

static void a_kept_basis_has_the_bits_of_a_fresh_one_and_a_broken_file_is_made_again(void)
{
  bodies s;
  char folder[] = "/tmp/modeway_test_basis_XXXXXX", path[512];
  mw_error err = { 0 };
  if (!open_bodies(&s) || !MW_CHECK(mkdtemp(folder) != NULL)) return;
  for (int body = CLAMPED; body <= TINY; body++) {
    const mw_body *b = &s.f.mech.body[body];
    mw_basis fresh = { 0 }, first, again;
    if (!make(b, 900.0, 1e-4, &fresh)) continue;
    if (kept(b, folder, true, &first)) {
      MW_CHECK(!first.cached);
      same_basis(&fresh, &first);
    }
    mw_basis_free(&first);
    for (int t = 0; t < 3; t++) {  // as it is, then broken in two ways
      path_of(folder, b, "", path, sizeof path);
      if (t > 0) spoil(path, t == 2);
      if (kept(b, folder, true, &again)) {
        MW_CHECK(again.cached == (t == 0));
        same_basis(&fresh, &again);
      }
      mw_basis_free(&again);
    }
    path_of(folder, b, ".shapes", path, sizeof path);
    spoil(path, false);
    if (kept(b, folder, false, &again) && MW_CHECK(again.cached && !again.T))
      MW_FAILS(mw_basis_shapes(&again, &err), MW_ERR_IO);
    mw_basis_free(&again);
    MW_CHECK(unlink(path) == 0);
    path_of(folder, b, "", path, sizeof path);
    MW_CHECK(unlink(path) == 0);
    mw_basis_free(&fresh);
  }
  MW_CHECK(rmdir(folder) == 0);  // nothing else is left there
  close_bodies(&s);
}

static void other_content_has_another_key(void)
{
  bodies s;
  char key[65], other[65];
  if (!open_bodies(&s)) return;
  mw_body *b = &s.f.mech.body[FREE];
  double *entry[] = { &b->K.val[7],  &b->M.val[b->M.ptr[b->n_u] - 1],
                      &b->P.val[3],  &b->s[5],
                      &b->h[b->n_u], &b->R[11] };
  basis_key(b, key);
  for (size_t i = 0; i < sizeof entry / sizeof *entry; i++) {
    double old = *entry[i];
    *entry[i] = nextafter(old, INFINITY);
    basis_key(b, other);
    MW_CHECK(strcmp(key, other) != 0);
    *entry[i] = old;
  }
  b->gravity = !b->gravity;
  basis_key(b, other);
  MW_CHECK(strcmp(key, other) != 0);
  b->gravity = !b->gravity;
  b->name = "of no weight";
  basis_key(b, other);
  MW_CHECK(strcmp(key, other) == 0);
  close_bodies(&s);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "loads_respond_in_the_band_but_for_the_tolerance",
      loads_respond_in_the_band_but_for_the_tolerance },
    { "all_modes_to_beyond_the_band_are_there", all_modes_to_beyond_the_band_are_there },
    { "columns_are_orthonormal_and_their_stiffness_diagonal",
      columns_are_orthonormal_and_their_stiffness_diagonal },
    { "projected_body_is_that_of_plain_projection", projected_body_is_that_of_plain_projection },
    { "rigid_modes_are_in_the_basis", rigid_modes_are_in_the_basis },
    { "a_body_of_few_unknowns_keeps_all_of_them", a_body_of_few_unknowns_keeps_all_of_them },
    { "a_kept_basis_has_the_bits_of_a_fresh_one_and_a_broken_file_is_made_again",
      a_kept_basis_has_the_bits_of_a_fresh_one_and_a_broken_file_is_made_again },
    { "other_content_has_another_key", other_content_has_another_key },
  };
  return mw_test_run("basis", cases, (int)(sizeof cases / sizeof *cases));
}
