// SPDX-License-Identifier: BSD-3-Clause
// certificate_columns.c: columns made directly at a configuration off the grid (fields_layer.h).
//
//   modes      polar(Q M X) Q, Q the span of K⁻¹M K⁻¹M X          as refine.c,
//       X the spline of the grid's columns
//   patterns   X's M-orthogonal projection on the span of K⁻¹f_j without the modes, f_j the loads
//              of all candidates
// made M-orthonormal, the nearest ones: the frame is X's. A pattern that is continued where its
// load has none (patterns.c) is not in that span: there K⁻¹K X, the nearest in strain energy that
// keeps the joints.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fields_layer.h"

static const double SEEN = 1e-10;  // of a pattern's own M-norm, squared: less is rounding
// of a direction of the patterns' span: weaker ones take part by less
static const double WEAK = 1e-6;
static const double LOST = 0.01;  // of a column, squared: outside the patterns' span

mw_code mw_columns_nearest(mw_system *sys, int k, int n, double *X, double *MX, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t kk = (size_t)k * (size_t)k;
  double *G = mw_arena_f64(&tmp, kk), *V = mw_arena_f64(&tmp, kk),
         *w = mw_arena_f64(&tmp, (size_t)k);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int a = 0; rc == MW_OK && a < k; a++)
    mw_system_mul_M(sys, X + (size_t)a * (size_t)n, MX + (size_t)a * (size_t)n);
  if (rc == MW_OK) mw_gemm('n', 't', k, k, n, 1.0, X, MX, 0.0, G);
  if (rc == MW_OK) rc = mw_eig_sym(k, G, w, V, err);
  if (rc == MW_OK && !(w[0] > 0.05))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "columns degenerate between grid points");
  for (size_t i = 0; rc == MW_OK && i < kk; i++) {
    size_t a = i / (size_t)k, b = i % (size_t)k;
    G[i] = 0.0;
    for (size_t j = 0; j < (size_t)k; j++)
      G[i] += V[a * (size_t)k + j] * V[b * (size_t)k + j] / sqrt(w[j]);
  }
  if (rc == MW_OK) {
    memcpy(MX, X, (size_t)k * (size_t)n * sizeof *X);
    mw_gemm('n', 'n', k, n, k, 1.0, G, MX, 0.0, X);
  }
  mw_arena_free(&tmp);
  return rc;
}

// X [k × n] less what the M-orthonormal rows of Q [m × n] have of them; MX [n] scratch
static void deflate(mw_system *sys, int m, int n, const double *Q, int k, double *X, double *MX)
{
  for (int a = 0; a < k; a++)
    for (int twice = 0; twice < 2; twice++) {
      double *x = X + (size_t)a * (size_t)n;
      mw_system_mul_M(sys, x, MX);
      for (int i = 0; i < m; i++) {
        const double *q = Q + (size_t)i * (size_t)n;
        mw_axpy(n, -mw_dot(n, q, MX), q, x);
      }
    }
}

// P [k × n] less the modes Q [m × n], of M-norm 1 each; returns how many are more than rounding.
static int residuals(mw_system *sys, int m, int n, const double *Q, int k, double *P, double *Mx)
{
  int left = 0;
  for (int j = 0; j < k; j++) {
    double *x = P + (size_t)j * (size_t)n, *to = P + (size_t)left * (size_t)n;
    mw_system_mul_M(sys, x, Mx);
    double whole = mw_dot(n, x, Mx);
    deflate(sys, m, n, Q, 1, x, Mx);
    mw_system_mul_M(sys, x, Mx);
    double rest = mw_dot(n, x, Mx);
    if (!(rest > SEEN * whole)) continue;
    for (int i = 0; i < n; i++) to[i] = x[i] / sqrt(rest);
    left++;
  }
  return left;
}

// Y [k × n] := projection of X [k × n] on the rows of P [c × n], M-normed, c > 0; weak directions
// take part by less
static mw_code project(mw_system *sys, int k, int n, const double *X, int c, const double *P,
                       double *Y, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t C = (size_t)c, N = (size_t)n;
  double *MP = mw_arena_f64(&tmp, C * N), *G = mw_arena_f64(&tmp, C * C),
         *V = mw_arena_f64(&tmp, C * C), *w = mw_arena_f64(&tmp, C),
         *b = mw_arena_f64(&tmp, (size_t)k * C), *e = mw_arena_f64(&tmp, (size_t)k * C);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t j = 0; rc == MW_OK && j < C; j++) mw_system_mul_M(sys, P + j * N, MP + j * N);
  if (rc == MW_OK) mw_gemm('n', 't', c, c, n, 1.0, P, MP, 0.0, G);
  if (rc == MW_OK) rc = mw_eig_sym(c, G, w, V, err);
  if (rc == MW_OK) {
    mw_gemm('n', 't', k, c, n, 1.0, X, MP, 0.0, b);
    mw_gemm('n', 'n', k, c, c, 1.0, b, V, 0.0, e);
    for (size_t i = 0; i < (size_t)k * C; i++) e[i] /= fmax(w[i % C], 0.0) + WEAK;
    mw_gemm('n', 't', k, c, c, 1.0, e, V, 0.0, b);
    mw_gemm('n', 'n', k, n, c, 1.0, b, P, 0.0, Y);
  }
  mw_arena_free(&tmp);
  return rc;
}

// K⁻¹K x
static mw_code keep_joints(mw_system *sys, const double *x, double *y, mw_error *err)
{
  mw_system_mul_K(sys, x, y);
  return mw_system_solve(sys, y, y, err);
}

// The pattern columns, the last k of Psi, which holds the spline's
static mw_code patterns(const mw_direct_columns *in, int k, double *Psi, mw_error *err)
{
  const mw_reduction *r = in->r;
  int mo = r->m_modes, n = r->n;
  size_t N = (size_t)n, kn = (size_t)k * N;
  mw_arena tmp = { 0 };
  double *P = mw_arena_f64(&tmp, (size_t)in->cand->n * N + N), *Y = mw_arena_f64(&tmp, kn),
         *Mx = mw_arena_f64(&tmp, kn), *X = Psi + (size_t)mo * N;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_patterns_build(r, in->cand, in->sys, in->q, P, err);
  if (rc == MW_OK) rc = mw_patterns_weight_build(r, in->cand, in->sys, in->q, Psi, P, err);
  if (rc == MW_OK) deflate(in->sys, mo, n, Psi, k, X, Mx);
  int c = rc == MW_OK ? residuals(in->sys, mo, n, Psi, in->cand->n, P, Mx) : 0;
  if (rc == MW_OK && c > 0) rc = project(in->sys, k, n, X, c, P, Y, err);
  for (int a = 0; rc == MW_OK && a < k; a++) {
    double *x = X + (size_t)a * N, *y = Y + (size_t)a * N;
    for (int i = 0; i < n; i++) x[i] -= y[i];
    mw_system_mul_M(in->sys, x, Mx);
    if (in->first) in->apart[mo + a] = mw_dot(n, x, Mx) > LOST;
    if (in->apart[mo + a]) {
      rc = keep_joints(in->sys, x, Mx, err);
      mw_axpy(n, 1.0, Mx, y);
    }
    memcpy(x, y, N * sizeof *x);
  }
  if (rc == MW_OK) deflate(in->sys, mo, n, Psi, k, X, Mx);
  if (rc == MW_OK) rc = mw_columns_nearest(in->sys, k, n, X, Mx, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_columns_direct(const mw_direct_columns *in, double *Psi, mw_error *err)
{
  const mw_reduction *r = in->r;
  const double *theta = in->q->theta;
  mw_reduction held = *r;
  held.align.span = held.align.span || r->hold != 0;  // no modes of this system
  mw_code rc = mw_columns_at(r, theta, r->m, Psi, err);
  if (rc == MW_OK) rc = mw_modes_carry(&held, in->sys, r->m_modes, theta[0], Psi, err);
  if (rc == MW_OK && r->m > r->m_modes) rc = patterns(in, r->m - r->m_modes, Psi, err);
  return rc;
}
