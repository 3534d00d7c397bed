// SPDX-License-Identifier: BSD-3-Clause
// test_mpc_qp.c: the quadratic programmes of cases/gantry-mpc against the conditions of optimality
// and two other ways to solve them: every active set tried, and Hildreth's iteration on the dual.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "mw_test.h"
#include "sim/qp.h"

static uint64_t seed;

// uniform in [-1, 1]
static double uniform(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(seed >> 11) / 4503599627370496.0 - 1.0;
}

// A programme of random data: H = BᵀB + 0.1, bounds on both sides of a random point that meets all
// of them (feasible).
static bool make(int n, int n_row, mw_arena *mem, mw_qp *q)
{
  mw_error err = { 0 };
  if (!MW_OKAY(mw_qp_init(q, n, n_row, mem, &err))) return false;
  double *B = mw_arena_f64(mem, (size_t)n * (size_t)n), *z = mw_arena_f64(mem, (size_t)n);
  for (int i = 0; i < n * n; i++) B[i] = uniform();
  mw_gemm('t', 'n', n, n, n, 1.0, B, B, 0.0, q->H);
  for (int i = 0; i < n; i++) {
    q->H[i * n + i] += 0.1;
    q->g[i] = 5.0 * uniform();
    z[i] = uniform();
    q->lb[i] = z[i] - fabs(uniform());
    q->ub[i] = z[i] + fabs(uniform());
  }
  for (int i = 0; i < n_row; i++) {
    for (int j = 0; j < n; j++) q->A[i * n + j] = uniform();
    double v = mw_dot(n, q->A + i * n, z);
    q->lo[i] = v - fabs(uniform());
    q->hi[i] = v + fabs(uniform());
  }
  return true;
}

static double value_at(int n, const double *H, const double *g, const double *z)
{
  double f = mw_dot(n, g, z);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) f += 0.5 * z[i] * H[i * n + j] * z[j];
  return f;
}

// Solves q and checks (2) of qp.h; H: a copy of the matrix.
//   stationarity: n products and the solution's own error, cond(H) eps of the multipliers' size
static void check_optimal(mw_qp *q, const double *H)
{
  int n = q->n;
  if (!MW_CHECK(mw_qp_solve(q) == MW_QP_OK)) return;
  double size = 1.0, worst = 0.0, outside = 0.0, slack = 0.0;
  int n_active = 0;
  for (int i = 0; i < n + q->n_row; i++) size = fmax(size, fabs(q->lambda[i]));
  for (int i = 0; i < n; i++) {
    double r = mw_dot(n, H + i * n, q->z) + q->g[i] - q->lambda[i];
    for (int k = 0; k < q->n_row; k++) r -= q->A[k * n + i] * q->lambda[n + k];
    worst = fmax(worst, fabs(r));
  }
  for (int i = 0; i < n + q->n_row; i++) {
    double v = i < n ? q->z[i] : mw_dot(n, q->A + (i - n) * n, q->z), l = q->lambda[i];
    double lo = i < n ? q->lb[i] : q->lo[i - n], hi = i < n ? q->ub[i] : q->hi[i - n];
    outside = fmax(outside, fmax(lo - v, v - hi));
    if (l > 0.0) slack = fmax(slack, fabs(v - lo));
    if (l < 0.0) slack = fmax(slack, fabs(v - hi));
    n_active += l != 0.0;
  }
  double tol = 1e3 * n * DBL_EPSILON;
  MW_NEAR(worst, 0.0, tol * size * n);
  // of values below 10
  MW_WITHIN(outside > 0.0 ? outside : 0.0, 0.0, 1e-9, "what qp.c calls violated");
  MW_NEAR(slack, 0.0, tol * n);
  MW_CHECK(n_active <= q->n_active && q->n_active <= n);
}

static void random_programmes_meet_the_conditions_of_optimality(void)
{
  static const int size[][2] = { { 1, 0 }, { 2, 3 }, { 7, 4 }, { 20, 20 }, { 48, 48 }, { 72, 72 } };
  seed = 1;
  for (size_t s = 0; s < sizeof size / sizeof *size; s++)
    for (int k = 0; k < 20; k++) {
      mw_arena mem = { 0 };
      mw_qp q;
      int n = size[s][0];
      if (!make(n, size[s][1], &mem, &q)) return;
      double *H = mw_arena_f64(&mem, (size_t)n * (size_t)n);
      memcpy(H, q.H, (size_t)n * (size_t)n * sizeof(double));
      check_optimal(&q, H);
      mw_arena_free(&mem);
    }
}

// Least value over all sets of at most n constraints held at one of their ends, feasible solutions
// only.
static double try_all(const mw_qp *q, const double *H, double *best_z)
{
  enum { MOST = 5 };
  mw_error err;
  int n = q->n, nc = n + q->n_row, state[2 * MOST] = { 0 };
  double best = INFINITY;
  for (;;) {
    double K[4 * MOST * MOST] = { 0 }, b[2 * MOST] = { 0 };
    int piv[2 * MOST], na = 0;
    for (int c = 0; c < nc; c++) na += state[c] != 0;
    if (na <= n) {
      int N = n + na;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) K[i * N + j] = H[i * n + j];
        b[i] = -q->g[i];
      }
      for (int c = 0, r = n; c < nc; c++) {
        if (state[c] == 0) continue;
        for (int j = 0; j < n; j++)
          K[r * N + j] = K[j * N + r] = c < n ? (j == c) : q->A[(c - n) * n + j];
        b[r++] =
            state[c] == 1 ? (c < n ? q->lb[c] : q->lo[c - n]) : (c < n ? q->ub[c] : q->hi[c - n]);
      }
      bool in = mw_lu_factor(N, K, piv, &err) == MW_OK;
      if (in) mw_lu_solve(N, K, piv, 1, b);
      for (int c = 0; in && c < nc; c++) {
        double v = c < n ? b[c] : mw_dot(n, q->A + (c - n) * n, b);
        double lo = c < n ? q->lb[c] : q->lo[c - n], hi = c < n ? q->ub[c] : q->hi[c - n];
        in = v >= lo - 1e-9 && v <= hi + 1e-9;
      }
      double f = in ? value_at(n, H, q->g, b) : INFINITY;
      if (f < best) {
        best = f;
        memcpy(best_z, b, (size_t)n * sizeof(double));
      }
    }
    int c = 0;
    while (c < nc && state[c] == 2) state[c++] = 0;
    if (c == nc) return best;
    state[c]++;
  }
}

static void no_active_set_gives_less(void)
{
  seed = 2;
  for (int k = 0; k < 60; k++) {
    mw_arena mem = { 0 };
    mw_qp q;
    int n = 1 + k % 5;
    double z[5], H[25];
    if (!make(n, 5 - n + k % 2 * (n > 1), &mem, &q)) return;
    memcpy(H, q.H, (size_t)(n * n) * sizeof(double));
    double best = try_all(&q, H, z);
    if (MW_CHECK(mw_qp_solve(&q) == MW_QP_OK)) {
      // feasible to 1e-9 there: the value may be lower by that times the multipliers, of order 10
      MW_WITHIN(value_at(n, H, q.g, q.z), best, 1e-8, "what qp.c calls violated");
      // 1e-9 over the least eigenvalue 0.1
      for (int i = 0; i < n; i++) MW_WITHIN(q.z[i], z[i], 1e-8, "what qp.c calls violated");
    }
    mw_arena_free(&mem);
  }
}

// Hildreth: the dual, one multiplier after the other, until nothing changes. z = H⁻¹ (Nᵀ λ − g).
static void hildreth(const mw_qp *q, const double *H, double *z)
{
  enum { N = 12, C = 24 };
  mw_error err;
  int n = q->n, nc = n + q->n_row;
  double L[N * N], a[C * N] = { 0 }, Ha[N * C], lambda[C] = { 0 };
  memcpy(L, H, (size_t)(n * n) * sizeof(double));
  if (!MW_OKAY(mw_chol_factor(n, L, &err))) return;
  for (int c = 0; c < nc; c++)
    for (int j = 0; j < n; j++) a[c * n + j] = c < n ? (j == c) : q->A[(c - n) * n + j];
  for (int c = 0; c < nc; c++)
    for (int j = 0; j < n; j++) Ha[j * nc + c] = a[c * n + j];
  mw_chol_solve(n, L, nc, Ha);
  for (int j = 0; j < n; j++) z[j] = -q->g[j];
  mw_chol_solve(n, L, 1, z);
  for (int sweep = 0; sweep < 20000; sweep++) {
    double change = 0.0;
    for (int c = 0; c < nc; c++) {
      double lo = c < n ? q->lb[c] : q->lo[c - n], hi = c < n ? q->ub[c] : q->hi[c - n], s = 0.0;
      for (int j = 0; j < n; j++) s += a[c * n + j] * Ha[j * nc + c];
      double v = mw_dot(n, a + c * n, z), at_lo = lambda[c] + (lo - v) / s,
             at_hi = lambda[c] + (hi - v) / s;
      double new = at_lo > 0.0 ? at_lo : at_hi < 0.0 ? at_hi : 0.0;
      for (int j = 0; j < n; j++) z[j] += (new - lambda[c]) * Ha[j * nc + c];
      change = fmax(change, fabs(new - lambda[c]));
      lambda[c] = new;
    }
    if (change < 1e-13) break;
  }
}

static void hildreths_iteration_ends_at_the_same_point(void)
{
  seed = 3;
  for (int k = 0; k < 20; k++) {
    mw_arena mem = { 0 };
    mw_qp q;
    double z[12], H[144];
    if (!make(12, 12, &mem, &q)) return;
    memcpy(H, q.H, sizeof H);
    hildreth(&q, H, z);
    // linear convergence, stopped at changes of 1e-13; worst rate seen 0.999: a thousand times
    // that, over 0.1
    if (MW_CHECK(mw_qp_solve(&q) == MW_QP_OK))
      for (int i = 0; i < 12; i++) MW_NEAR(q.z[i], z[i], 1e-9);
    mw_arena_free(&mem);
  }
}

// Bounds and rows z_k − z_{k−1} whose normals depend on each other at corners, as the controller
// has them.
static void dependent_normals_do_no_harm(void)
{
  enum { N = 12 };
  seed = 4;
  for (int k = 0; k < 50; k++) {
    mw_arena mem = { 0 };
    mw_qp q;
    double H[N * N];
    if (!make(N, N, &mem, &q)) return;
    memset(q.A, 0, sizeof H);
    for (int i = 0; i < N; i++) {
      q.g[i] *= 20.0;
      q.lb[i] = -1.0;
      q.ub[i] = 1.0;
      q.A[i * N + i] = 1.0;
      if (i > 0) q.A[i * N + i - 1] = -1.0;
      q.lo[i] = -0.25;  // 0, 0.25, …, 1: bounds and rows meet
      q.hi[i] = 0.25;
    }
    memcpy(H, q.H, sizeof H);
    check_optimal(&q, H);
    mw_arena_free(&mem);
  }
}

static void bounds_alone_of_a_diagonal_cut_the_free_minimum(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_qp q;
  if (!MW_OKAY(mw_qp_init(&q, 3, 0, &mem, &err))) return;
  for (int i = 0; i < 3; i++) {
    q.H[4 * i] = 2.0;
    q.g[i] = -2.0 * (i - 1);  // free minimum: -1, 0, 1
    q.lb[i] = -0.5;
    q.ub[i] = 0.25;
  }
  MW_CHECK(mw_qp_solve(&q) == MW_QP_OK);
  static const double z[3] = { -0.5, 0.0, 0.25 }, lambda[3] = { 1.0, 0.0, -1.5 };  // 2 (z − free)
  for (int i = 0; i < 3; i++) {
    MW_NEAR(q.z[i], z[i], 4 * DBL_EPSILON);
    MW_NEAR(q.lambda[i], lambda[i], 8 * DBL_EPSILON);
  }
  MW_CHECK(q.n_active == 2);
  mw_arena_free(&mem);
}

static void what_cannot_be_solved_is_said(void)
{
  mw_arena mem = { 0 };
  mw_qp q;
  seed = 5;
  if (!make(4, 2, &mem, &q)) return;
  memcpy(q.A + 4, q.A, 4 * sizeof(double));
  q.lo[1] = q.hi[0] + 1.0;  // the same row asked to be above what it must stay below
  q.hi[1] = INFINITY;
  MW_CHECK(mw_qp_solve(&q) == MW_QP_INFEASIBLE);
  memset(q.H, 0, 16 * sizeof(double));
  MW_CHECK(mw_qp_solve(&q) == MW_QP_NOT_CONVEX);
  mw_arena_free(&mem);
  if (!make(4, 2, &mem, &q)) return;
  q.g[2] = NAN;
  MW_CHECK(mw_qp_solve(&q) == MW_QP_NOT_CONVEX);
  mw_arena_free(&mem);
  if (!make(30, 30, &mem, &q)) return;
  q.iter_max = 3;
  MW_CHECK(mw_qp_solve(&q) == MW_QP_TOO_LONG);
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "random_programmes_meet_the_conditions_of_optimality",
      random_programmes_meet_the_conditions_of_optimality },
    { "no_active_set_gives_less", no_active_set_gives_less },
    { "hildreths_iteration_ends_at_the_same_point", hildreths_iteration_ends_at_the_same_point },
    { "dependent_normals_do_no_harm", dependent_normals_do_no_harm },
    { "bounds_alone_of_a_diagonal_cut_the_free_minimum",
      bounds_alone_of_a_diagonal_cut_the_free_minimum },
    { "what_cannot_be_solved_is_said", what_cannot_be_solved_is_said },
  };
  return mw_test_run("mpc_qp", cases, (int)(sizeof cases / sizeof *cases));
}
