// SPDX-License-Identifier: BSD-3-Clause
// check_zero.c: motions of a body that cost no energy.
//
//   (K − σ₀M)⁻¹ M x = ν x ,  λ = σ₀ + 1/ν ,
//       σ₀ < 0 small beside the stiffness against translations Λ_β      (1)
//   Λ_β = Σ_j K_jj v_j² / Σ_j M_jj v_j² ,  v_j = s_βj / M_jj                                    (2)
//   condition κ(x) = Σ_ij |x_i K_ij x_j| / xᵀK x ;   zero: 1/κ < 1e3 ε                          (3)
//   number of λ below σ = ½ λ_e (λ_e the lowest that is not zero) = neg(K − σM)                 (4)
//
// κ is what relative errors of K's entries are magnified by in λ; whatever the scales of a body's
// directions, a motion that costs nothing has 1/κ of some ε, while a bending beam of n = 1000
// elements has 10/n⁴ = 1e-11, still fifty times the bound. Matrices of other programs have fewer
// digits: there the bound is a hundred times what a rigid motion misses. σ₀ starts small and grows
// until K − σ₀M is definite to rounding. (4) is Sylvester's law of inertia: it proves that no
// further motion is missing.
// Cost: a definite and an indefinite factorization, some thirty solutions.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "check_layer.h"
#include "reduction/system.h"

static const double SHIFT = 1e-10, SHIFT_MOST = 1e-6,
                    GROWTH = 100.0;  // of the least and the largest Λ
static const double ROUND = 1e3 * DBL_EPSILON, RESIDUAL = 100.0;
enum { MORE = 2, TRIES = 4 };

// the body alone, without interface, as a mechanism
typedef struct alone {
  mw_body body;
  mw_model model;
  mw_mech mech;
  double p[12];
} alone;

static void isolate(const mw_body *b, alone *a)
{
  *a = (alone){ .body = *b, .p = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  a->body.n_z = a->body.n_frame = a->body.n_guide = a->body.n_gauge = 0;
  a->body.P = (mw_csc){ 0 };
  a->mech = (mw_mech){ .model = &a->model, .n_body = 1, .body = &a->body, .p0 = a->p };
}

static double diagonal(const mw_csc *A, int j)
{
  int k = A->ptr[j];
  return k < A->ptr[j + 1] && A->row[k] == j ? A->val[k] : 0.0;
}

// Least and largest Λ of (2)
static void stiffness(const mw_body *b, double *least, double *most)
{
  *least = INFINITY;
  *most = 0.0;
  for (int be = 0; be < 3; be++) {
    const double *s = b->s + (size_t)be * (size_t)b->n_u;
    double k = 0.0, mm = 0.0;
    for (int j = 0; j < b->n_u; j++) {
      double m = diagonal(&b->M, j), v = m > 0.0 ? s[j] / m : 0.0;
      k += diagonal(&b->K, j) * v * v;
      mm += m * v * v;
    }
    if (!(mm > 0.0)) continue;
    *least = fmin(*least, k / mm);
    *most = fmax(*most, k / mm);
  }
}

// (3); INFINITY when there is no energy at all
static double condition(const mw_body *b, const double *x)
{
  double sum = 0.0, energy = 0.0;
  for (int j = 0; j < b->n_u; j++)
    for (int k = b->K.ptr[j]; k < b->K.ptr[j + 1]; k++) {
      double e = x[b->K.row[k]] * b->K.val[k] * x[j] * (b->K.row[k] == j ? 1.0 : 2.0);
      sum += fabs(e);
      energy += e;
    }
  return fabs(energy) > 0.0 ? sum / fabs(energy) : INFINITY;
}

static mw_code lowest_at(const alone *a, double sigma, int n, double *lambda, double *X,
                         mw_error *err)
{
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  mw_code rc = mw_blocks_build(&a->mech, sigma, false, &bl, err);
  if (rc == MW_OK) rc = mw_system_build(bl, NULL, false, a->p, a->p, &sys, err);
  if (rc == MW_OK) rc = mw_system_modes(sys, n, lambda, X, err);
  mw_system_free(sys);
  mw_blocks_free(bl);
  return rc;
}

static mw_code lowest(const alone *a, int n, double *lambda, double *X, mw_error *err)
{
  double least, most;
  mw_code rc = MW_ERR_NUMERIC;
  stiffness(&a->body, &least, &most);
  for (double s = SHIFT * least; rc == MW_ERR_NUMERIC && s <= SHIFT_MOST * most; s *= GROWTH)
    rc = lowest_at(a, -s, n, lambda, X, err);
  return rc;
}

// expected: where it is 0, K − σM is positive definite, which CHOLMOD shows sooner than any L D Lᵀ
static mw_code count_below(const alone *a, double sigma, int expected, int *count, mw_error *err)
{
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  mw_code rc = MW_ERR_NUMERIC;
  if (expected == 0) rc = mw_blocks_build(&a->mech, sigma, false, &bl, NULL);
  if (rc == MW_ERR_NUMERIC) rc = mw_blocks_build(&a->mech, sigma, true, &bl, err);
  if (rc == MW_OK) rc = mw_system_build(bl, NULL, false, a->p, a->p, &sys, err);
  if (rc == MW_OK) rc = mw_system_count_below(sys, count, err);
  mw_system_free(sys);
  mw_blocks_free(bl);
  return rc;
}

// x − R (RᵀMR)⁻¹ RᵀM x; returns the part of its M-norm that is left
static double without_rigid(const mw_body *b, double *x, double *work)
{
  double G[36], r[6], *MR = work, *Mx = work + 6 * (size_t)b->n_u;
  mw_csc_mul(&b->M, 1.0, x, 0.0, Mx);
  double before = mw_dot(b->n_u, x, Mx);
  if (b->R) {
    mw_csc_mul_many(&b->M, 6, 1.0, b->R, 0.0, MR);
    mw_gemm('t', 'n', 6, 6, b->n_u, 1.0, b->R, MR, 0.0, G);
    mw_gemm('t', 'n', 6, 1, b->n_u, 1.0, b->R, Mx, 0.0, r);
    if (mw_chol_factor(6, G, NULL) != MW_OK) return 0.0;
    mw_chol_solve(6, G, 1, r);
    mw_gemm('n', 'n', b->n_u, 1, 6, -1.0, b->R, r, 1.0, x);
  }
  mw_csc_mul(&b->M, 1.0, x, 0.0, Mx);
  double after = mw_dot(b->n_u, x, Mx);
  return before > 0.0 ? sqrt(fmax(after, 0.0) / before) : 0.0;
}

// Of the zero modes X [n × n_u] the one that is least a rigid motion, and the node it moves most.
static mw_code locate(const mw_body *b, int n, double *X, mw_zero_modes *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nu = (size_t)b->n_u;
  double *work = mw_arena_f64(&tmp, 7 * nu), *u = mw_arena_f64(&tmp, 3 * (size_t)b->n_node);
  mw_code rc = mw_arena_check(&tmp, err);
  double best = -1.0;
  int mode = -1, node = -1;
  for (int k = 0; rc == MW_OK && k < n; k++) {
    double left = without_rigid(b, X + (size_t)k * nu, work);
    if (left <= best) continue;
    best = left;
    mode = k;
  }
  if (mode >= 0 && b->N.n_col == b->n_u) {
    double most = -1.0;
    mw_csc_mul(&b->N, 1.0, X + (size_t)mode * nu, 0.0, u);
    for (int i = 0; i < b->n_node; i++) {
      double d = mw_norm3(u + 3 * i);
      if (d <= most * (1.0 + 1e-6)) continue;
      most = d;
      node = i;
    }
  }
  if (node >= 0) {
    out->node = b->mesh ? b->mesh->tag[node] : node;
    memcpy(out->x, b->X + 3 * (size_t)node, sizeof out->x);
  }
  mw_arena_free(&tmp);
  return rc;
}

// One attempt with n modes computed; *again: it does not decide.
static mw_code attempt(const alone *a, int n, double bound, mw_zero_modes *out, bool *again,
                       mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_body *b = &a->body;
  size_t nu = (size_t)b->n_u;
  double *lambda = mw_arena_f64(&tmp, (size_t)n), *X = mw_arena_f64(&tmp, (size_t)n * nu);
  int zeros = 0, count = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = lowest(a, n, lambda, X, err);
  while (rc == MW_OK && zeros < n && 1.0 / condition(b, X + (size_t)zeros * nu) < bound) zeros++;
  out->found = count = zeros;
  *again = rc == MW_OK && zeros == n;
  if (rc == MW_OK && zeros < n) {
    out->lowest_hz = sqrt(fmax(lambda[zeros], 0.0)) / (2.0 * acos(-1.0));
    out->condition = condition(b, X + (size_t)zeros * nu);
    rc = count_below(a, 0.5 * lambda[zeros], zeros, &count, err);
    *again = rc == MW_OK && count != zeros;
  }
  if (rc == MW_OK && out->found > out->expected) rc = locate(b, zeros, X, out, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_body_zero_modes(const mw_body *body, double rigid_residual, mw_zero_modes *out,
                           mw_error *err)
{
  alone a;
  mw_zero_modes z = {
    .expected = body->ground ? 0 : 6, .node = -1, .lowest_hz = (double)NAN, .condition = (double)NAN
  };
  bool again = true;
  isolate(body, &a);
  mw_code rc = MW_OK;
  for (int t = 0, n = z.expected + MORE; rc == MW_OK && again && t < TRIES; t++, n = 3 * n) {
    if (n >= body->n_u) n = body->n_u - 1;
    if (n < 1) break;
    rc = attempt(&a, n, fmax(ROUND, RESIDUAL * rigid_residual), &z, &again, err);
  }
  z.done = rc == MW_OK && (!again || z.found > z.expected);
  *out = z;
  return rc == MW_ERR_NUMERIC ? MW_OK : rc;
}
