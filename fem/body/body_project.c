// SPDX-License-Identifier: BSD-3-Clause
// body_project.c: a body on a basis, u = T ζ, and the products with its mass moments.
//
//   K_r = Tᵀ K T ,  M_αβ,r = Tᵀ M_αβ T ,  s_r = s T ,  h_r = h T ,  P_r = P T ,  S_r = S T      (1)
//   R_r = M_r⁻¹ Tᵀ M R :  R_rᵀ M_r ζ = Rᵀ M T ζ ,  so Rᵀ M u = 0 keeps its meaning             (2)
// T R_r is the M-orthogonal projection of the rigid modes on T (0 when T is orthogonal to them).
// O(nnz k + n_u k²).
#include <string.h>

#include "base/dense.h"
#include "fem/body.h"

static const double DEPENDENT =
    1e-12;  // squared sine of the angle between columns, rounding ~1e-15

// dense row-major A [m × n] as CSC with every entry (lower triangle with sym)
static mw_code csc_from_dense(int m, int n, const double *A, bool sym, mw_arena *mem, mw_csc *out,
                              mw_error *err)
{
  size_t nnz = sym ? (size_t)n * ((size_t)n + 1) / 2 : (size_t)m * (size_t)n, p = 0;
  mw_csc C = { .n_row = m, .n_col = n, .sym = sym };
  C.ptr = mw_arena_int(mem, (size_t)n + 1);
  C.row = mw_arena_int(mem, nnz);
  C.val = mw_arena_f64(mem, nnz);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < n; j++) {
    for (int i = sym ? j : 0; i < m; i++, p++) {
      C.row[p] = i;
      C.val[p] = A[(size_t)i * (size_t)n + (size_t)j];
    }
    C.ptr[j + 1] = (int)p;
  }
  *out = C;
  return MW_OK;
}

typedef struct projection {
  const double *T;  // [n_u × k]
  int n, k;
  double *AT;  // [max(n_u, n_z, 6 n_gauge) × k]
  double *B;   // [k × k]
} projection;

static mw_code project_matrix(const projection *p, const mw_csc *A, mw_arena *mem, mw_csc *out,
                              mw_error *err)
{
  int k = p->k;
  mw_csc_mul_many(A, k, 1.0, p->T, 0.0, p->AT);
  mw_gemm('t', 'n', k, k, p->n, 1.0, p->T, p->AT, 0.0, p->B);
  for (int i = 0; A->sym && i < k; i++)
    for (int j = 0; j < i; j++) p->B[i * k + j] = 0.5 * (p->B[i * k + j] + p->B[j * k + i]);
  return csc_from_dense(k, k, p->B, A->sym, mem, out, err);
}

// (2); p->B holds M_r on entry
static mw_code project_rigid(const projection *p, const mw_body *body, mw_arena *mem, mw_body *out,
                             mw_error *err)
{
  out->R = mw_arena_f64(mem, 6 * (size_t)p->k);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  rc = mw_chol_factor(p->k, p->B, err);
  // pivot over diagonal: squared sine of the angle to the columns before
  for (int i = 0; i < p->k && rc == MW_OK; i++) {
    double pivot = p->B[i * p->k + i], diag = out->M.val[out->M.ptr[i]];
    if (pivot * pivot < DEPENDENT * diag) rc = MW_ERR_NUMERIC;
  }
  if (rc != MW_OK)
    return mw_fail(err, MW_ERR_NUMERIC, body->at, "the basis of body '%s' has dependent columns",
                   body->name);
  mw_gemm('t', 'n', p->k, 6, p->n, 1.0, p->AT, body->R, 0.0, out->R);
  mw_chol_solve(p->k, p->B, 6, out->R);
  return MW_OK;
}

static mw_code project_elastic(const projection *p, const mw_body *body, mw_arena *mem,
                               mw_body *out, mw_error *err)
{
  int n = p->n, k = p->k;
  out->s = mw_arena_f64(mem, 3 * (size_t)k);
  out->h = mw_arena_f64(mem, 9 * (size_t)k);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 'n', 3, k, n, 1.0, body->s, p->T, 0.0, out->s);
  mw_gemm('n', 'n', 9, k, n, 1.0, body->h, p->T, 0.0, out->h);
  rc = project_matrix(p, &body->K, mem, &out->K, err);
  for (int i = 0; i < 6 && rc == MW_OK; i++)
    rc = project_matrix(p, &body->Mab[i], mem, &out->Mab[i], err);
  if (rc == MW_OK) rc = project_matrix(p, &body->M, mem, &out->M, err);
  if (rc == MW_OK && body->R != NULL) rc = project_rigid(p, body, mem, out, err);
  if (rc != MW_OK) return rc;
  mw_csc_mul_many(&body->P, k, 1.0, p->T, 0.0, p->AT);
  rc = csc_from_dense(body->n_z, k, p->AT, false, mem, &out->P, err);
  if (rc != MW_OK || body->n_gauge == 0) return rc;
  mw_csc_mul_many(&body->S, k, 1.0, p->T, 0.0, p->AT);
  return csc_from_dense(6 * body->n_gauge, k, p->AT, false, mem, &out->S, err);
}

// k = 0: frames, guides and gauges without functionals
static mw_code make_rigid(const mw_body *body, mw_arena *mem, mw_body *out, mw_error *err)
{
  out->n_z = 0;
  out->s = out->h = NULL;
  out->frame = mw_arena_alloc(mem, (size_t)body->n_frame, sizeof *out->frame);
  out->guide = mw_arena_alloc(mem, (size_t)body->n_guide, sizeof *out->guide);
  out->gauge = mw_arena_alloc(mem, (size_t)body->n_gauge, sizeof *out->gauge);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < body->n_frame; i++) {
    out->frame[i] = body->frame[i];
    out->frame[i].z = -1;
  }
  for (int i = 0; i < body->n_guide; i++) {
    out->guide[i] = body->guide[i];
    out->guide[i].n = 0;
    out->guide[i].z = -1;
    out->guide[i].s = out->guide[i].spline = out->guide[i].shear = NULL;
  }
  for (int i = 0; i < body->n_gauge; i++)
    out->gauge[i] = (mw_gauge){ .output = body->gauge[i].output, .row = -1 };
  return MW_OK;
}

mw_code mw_body_project(const mw_body *body, const double *T, int k, mw_arena *mem, mw_body *out,
                        mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_body b = *body;
  int n_max = body->n_u > body->n_z ? body->n_u : body->n_z;
  if (6 * body->n_gauge > n_max) n_max = 6 * body->n_gauge;
  b.n_u = k;
  b.n_node = b.n_edge = b.n_tri = 0;
  b.X = b.R = NULL;
  b.edge = b.tri = NULL;
  b.strain = NULL;
  b.N = b.Nr = b.K = b.M = b.P = b.S = (mw_csc){ 0 };
  for (int i = 0; i < 6; i++) b.Mab[i] = (mw_csc){ 0 };
  projection p = { .T = T, .n = body->n_u, .k = k };
  p.AT = mw_arena_f64(&tmp, (size_t)n_max * (size_t)k);
  p.B = mw_arena_f64(&tmp, (size_t)k * (size_t)k);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK)
    rc = k == 0 ? make_rigid(body, mem, &b, err) : project_elastic(&p, body, mem, &b, err);
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = b;
  return rc;
}

// place in mw_body.Mab of M_αβ, α <= β
static int moment(int al, int be) { return al == be ? al : 2 + al + be; }

void mw_body_mul_mass(const mw_body *body, const double z[9], const double *x, double *y,
                      double *work)
{
  (void)work;
  if (body->n_u == 0) return;
  memset(y, 0, (size_t)body->n_u * sizeof *y);
  for (int be = 0; be < 3; be++)
    for (int al = 0; al < 3; al++) {
      if (z[3 * be + al] == 0.0) continue;
      if (be <= al)
        mw_csc_mul(&body->Mab[moment(be, al)], z[3 * be + al], x, 1.0, y);
      else
        mw_csc_mul_t(&body->Mab[moment(al, be)], z[3 * be + al], x, 1.0, y);
    }
}

void mw_body_mass_products(const mw_body *body, int k, const double *const *x, double *c,
                           double *work)
{
  int n = body->n_u;
  memset(c, 0, 9 * (size_t)k * (size_t)k * sizeof *c);
  if (n == 0) return;
  for (int al = 0; al < 3; al++)
    for (int be = al; be < 3; be++)
      for (int j = 0; j < k; j++) {
        mw_csc_mul(&body->Mab[moment(al, be)], 1.0, x[j], 0.0, work);
        for (int i = 0; i < k; i++) {
          double xMx = mw_dot(n, x[i], work);
          c[9 * (i * k + j) + 3 * al + be] = xMx;
          if (be != al) c[9 * (j * k + i) + 3 * be + al] = xMx;
        }
      }
}
