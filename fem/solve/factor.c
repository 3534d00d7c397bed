// SPDX-License-Identifier: BSD-3-Clause
// factor.c: sparse factorizations of symmetric matrices, kept and used again.
//
//   A = P' L L' P   (definite: CHOLMOD, supernodal)
//   A = P' L D L' P   (otherwise: LAPACK where A is small, factor_dense.c; else, and where that
//       does not know a pivot's sign, MUMPS, factor_mumps.c)
//
// Unknowns of a node have the same neighbours: nodes are ordered, a ninth of the entries and some
// half of the time (150,000 unknowns of hexahedra: 1.3 s instead of 2.2, same fill).
//
// Cost: one factorization O(fill), one solve O(nnz(L)). Chen, Davis, Hager, Rajamanickam, Algorithm
// 887: CHOLMOD, ACM Trans. Math. Softw. 35 (2008) 22.
#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

#include "factor_priv.h"

enum { NODES_FROM = 5000 };  // unknowns from which it pays to order nodes

struct mw_factor {
  int n;
  mw_dense_ldl *dense;  // indefinite and small; else NULL
  mw_ldl *ldl;          // indefinite and large; else NULL and the rest is CHOLMOD's
  bool started;         // common is
  cholmod_common common;
  cholmod_factor *L;
  cholmod_dense *X, *Y, *E;  // workspaces of cholmod_l_solve2, kept between calls
};

// A as a CHOLMOD matrix with 64-bit indices, the values borrowed; p, i NULL without memory.
static cholmod_sparse borrow(const mw_csc *A)
{
  size_t n = (size_t)A->n_col, nnz = (size_t)A->ptr[n];
  SuiteSparse_long *p = malloc((n + 1) * sizeof *p), *i = malloc((nnz + 1) * sizeof *i);
  for (size_t k = 0; p && k <= n; k++) p[k] = A->ptr[k];
  for (size_t k = 0; i && k < nnz; k++) i[k] = A->row[k];
  return (cholmod_sparse){ .nrow = n,
                           .ncol = n,
                           .nzmax = nnz,
                           .p = p,
                           .i = i,
                           .x = A->val,
                           .stype = -1,
                           .itype = CHOLMOD_LONG,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE,
                           .sorted = 1,
                           .packed = 1 };
}

// Consecutive columns of one pattern below them: group [n_col] of each column. Returns the groups.
static int group_columns(const mw_csc *A, SuiteSparse_long *group)
{
  int n = 0;
  for (int j = 0; j < A->n_col; j++) {
    int at = A->ptr[j], len = A->ptr[j + 1] - at;
    bool same = j > 0 && at - A->ptr[j - 1] == len + 1 &&
                memcmp(A->row + A->ptr[j - 1] + 1, A->row + at, (size_t)len * sizeof(int)) == 0;
    if (!same) n++;
    group[j] = n - 1;
  }
  return n;
}

// Pattern of the groups: that of the first column of each; p [n_group + 1], i [entries of A]
static void quotient(const mw_csc *A, const SuiteSparse_long *group, SuiteSparse_long *p,
                     SuiteSparse_long *i)
{
  SuiteSparse_long n = 0, g = -1;
  for (int j = 0; j < A->n_col; j++) {
    if (group[j] == g) continue;
    p[g = group[j]] = n;
    for (int e = A->ptr[j]; e < A->ptr[j + 1]; e++) {
      SuiteSparse_long h = group[A->row[e]];
      if (n == p[g] || i[n - 1] != h) i[n++] = h;
    }
  }
  p[g + 1] = n;
}

// Order of the columns [n] := that of their groups, order [n_group]; work [n_group + 1]
static void spread(int n, const SuiteSparse_long *group, size_t n_group,
                   const SuiteSparse_long *order, SuiteSparse_long *work, SuiteSparse_long *out)
{
  SuiteSparse_long next = 0;
  for (int j = n; j-- > 0;) work[group[j]] = j;  // first column of each
  for (size_t k = 0; k < n_group; k++)
    for (SuiteSparse_long j = work[order[k]]; j < n && group[j] == order[k]; j++) out[next++] = j;
}

// Symbolic factorization of S, A in CHOLMOD's form, in an order of nodes where A has nodes. NULL:
// not enough memory.
static cholmod_factor *analyse(const mw_csc *A, cholmod_sparse *S, cholmod_common *c)
{
  size_t n = (size_t)A->n_col, n_group = n;
  SuiteSparse_long *group = malloc(n * sizeof *group), *p = malloc((n + 1) * sizeof *p),
                   *i = malloc((S->nzmax + 1) * sizeof *i), *order = malloc(n * sizeof *order);
  cholmod_factor *L = NULL, *Q = NULL;
  bool room = group && p && i && order;
  if (room && n >= NODES_FROM) n_group = (size_t)group_columns(A, group);
  if (room && n_group <= n / 2) {
    quotient(A, group, p, i);
    cholmod_sparse nodes = *S;
    nodes.nrow = nodes.ncol = n_group;
    nodes.p = p;
    nodes.i = i;
    nodes.x = NULL;
    nodes.xtype = CHOLMOD_PATTERN;
    c->nmethods = 2;  // both: what CHOLMOD decides by is other on few entries
    c->method[0].ordering = CHOLMOD_AMD;
    c->method[1].ordering = CHOLMOD_METIS;
    Q = cholmod_l_analyze(&nodes, c);
    if (Q) spread(A->n_col, group, n_group, Q->Perm, p, order);
    c->nmethods = 1;
    c->method[0].ordering = CHOLMOD_GIVEN;
    if (Q) L = cholmod_l_analyze_p(S, order, NULL, 0, c);
    cholmod_l_free_factor(&Q, c);
  } else if (room) {
    L = cholmod_l_analyze(S, c);
  } else {
    c->status = CHOLMOD_OUT_OF_MEMORY;
  }
  free(group);
  free(p);
  free(i);
  free(order);
  return L;
}

static mw_code build_definite(const mw_csc *A, mw_factor *f, mw_error *err)
{
  cholmod_l_start(&f->common);
  f->started = true;
  f->common.print = 0;
  f->common.supernodal = CHOLMOD_SUPERNODAL;
  f->common.quick_return_if_not_posdef = 1;
  cholmod_sparse S = borrow(A);
  if (S.p && S.i) f->L = analyse(A, &S, &f->common);
  int ok = f->L && cholmod_l_factorize(&S, f->L, &f->common), status = f->common.status;
  free(S.p);
  free(S.i);
  if (f->L && (status == CHOLMOD_NOT_POSDEF || f->L->minor < f->L->n))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "matrix of order %d is not positive definite at pivot %zu", f->n, f->L->minor);
  if (!ok)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                   "factorization of order %d failed (CHOLMOD status %d)", f->n, status);
  return MW_OK;
}

// What is singular to rounding is left to MUMPS, whose bound is lower.
static mw_code build_indefinite(const mw_csc *A, mw_factor *f, mw_error *err)
{
  mw_code rc = MW_ERR_NUMERIC;
  if (f->n <= MW_DENSE_LDL_MOST) rc = mw_dense_ldl_build(A, &f->dense, NULL);
  return rc == MW_OK ? rc : mw_ldl_build(A, &f->ldl, err);
}

mw_code mw_factor_build(const mw_csc *A, bool definite, mw_factor **out, mw_error *err)
{
  *out = NULL;
  mw_factor *f = calloc(1, sizeof *f);
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a factorization");
  f->n = A->n_col;
  mw_code rc = MW_OK;
  if (f->n > 0) rc = definite ? build_definite(A, f, err) : build_indefinite(A, f, err);
  if (rc == MW_OK)
    *out = f;
  else
    mw_factor_free(f);
  return rc;
}

static void copy_rows(int k, size_t n, size_t from, const double *B, size_t to, double *X)
{
  for (size_t i = 0; i < (size_t)k; i++) memmove(X + i * to, B + i * from, n * sizeof *X);
}

mw_code mw_factor_solve_ld(mw_factor *f, int k, size_t ld, const double *B, double *X,
                           mw_error *err)
{
  enum { AT_ONCE = 64 };  // bounds the workspaces of CHOLMOD: three such blocks
  size_t n = (size_t)f->n;
  if (f->n == 0 || k == 0) return MW_OK;
  if ((f->dense || f->ldl) && B != X) copy_rows(k, n, ld, B, ld, X);
  if (f->dense) return mw_dense_ldl_solve(f->dense, k, ld, X, err);
  if (f->ldl) return mw_ldl_solve(f->ldl, k, ld, X, err);
  for (int i = 0; i < k; i += AT_ONCE) {
    int m = k - i < AT_ONCE ? k - i : AT_ONCE;
    cholmod_dense rhs = { .nrow = n,
                          .ncol = (size_t)m,
                          .nzmax = ld * (size_t)m,
                          .d = ld,
                          .x = (double *)B + (size_t)i * ld,  // read only
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE };
    if (!cholmod_l_solve2(CHOLMOD_A, f->L, &rhs, NULL, &f->X, NULL, &f->Y, &f->E, &f->common))
      return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "solve failed (CHOLMOD status %d)",
                     f->common.status);
    copy_rows(m, n, n, f->X->x, ld, X + (size_t)i * ld);
  }
  return MW_OK;
}

mw_code mw_factor_solve(mw_factor *f, int k, const double *B, double *X, mw_error *err)
{
  return mw_factor_solve_ld(f, k, (size_t)f->n, B, X, err);
}

mw_code mw_factor_count(const mw_csc *A, int *count, mw_error *err)
{
  mw_factor *f = NULL;
  *count = 0;
  if (A->n_col > MW_DENSE_LDL_MOST) return mw_ldl_count(A, count, err);
  mw_code rc = mw_factor_build(A, false, &f, err);
  if (rc == MW_OK) *count = mw_factor_negative(f);
  mw_factor_free(f);
  return rc;
}

int mw_factor_negative(const mw_factor *f)
{
  if (f->dense) return mw_dense_ldl_negative(f->dense);
  return f->ldl ? mw_ldl_negative(f->ldl) : 0;
}

size_t mw_factor_bytes(const mw_factor *f)
{
  if (f->n == 0) return 0;
  if (f->dense) return mw_dense_ldl_bytes(f->dense);
  if (f->ldl) return mw_ldl_bytes(f->ldl);
  const cholmod_factor *L = f->L;
  return L->xsize * sizeof(double) +
         (L->ssize + 3 * (L->nsuper + 1) + 2 * L->n) * sizeof(SuiteSparse_long);
}

double mw_factor_entries(const mw_factor *f)
{
  double sum = 0.0;
  if (f->dense) return 0.5 * f->n * (f->n + 1.0);
  if (f->ldl) return (double)(mw_ldl_bytes(f->ldl) / sizeof(double));
  const SuiteSparse_long *count = f->n > 0 ? f->L->ColCount : NULL;
  for (int j = 0; j < f->n; j++) sum += (double)count[j];
  return sum;
}

void mw_factor_free(mw_factor *f)
{
  if (!f) return;
  mw_dense_ldl_free(f->dense);
  mw_ldl_free(f->ldl);
  if (f->started) {
    cholmod_l_free_factor(&f->L, &f->common);
    cholmod_l_free_dense(&f->X, &f->common);
    cholmod_l_free_dense(&f->Y, &f->common);
    cholmod_l_free_dense(&f->E, &f->common);
    cholmod_l_finish(&f->common);
  }
  free(f);
}

mw_code mw_csc_add(double a, const mw_csc *A, double b, const mw_csc *B, mw_arena *mem, mw_csc *out,
                   mw_error *err)
{
  int n = A->n_col;
  *out = (mw_csc){ .n_row = A->n_row, .n_col = n, .sym = A->sym };
  out->ptr = mw_arena_int(mem, (size_t)n + 1);
  out->row = mw_arena_int(mem, (size_t)A->ptr[n] + (size_t)B->ptr[n]);
  out->val = mw_arena_f64(mem, (size_t)A->ptr[n] + (size_t)B->ptr[n]);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  // merge of two sorted columns
  int k = 0;
  for (int j = 0; j < n; j++) {
    int p = A->ptr[j], q = B->ptr[j];
    while (p < A->ptr[j + 1] || q < B->ptr[j + 1]) {
      int rp = p < A->ptr[j + 1] ? A->row[p] : A->n_row,
          rq = q < B->ptr[j + 1] ? B->row[q] : B->n_row;
      double v = 0.0;
      if (rp <= rq) v += a * A->val[p++];
      if (rq <= rp) v += b * B->val[q++];
      out->row[k] = rp < rq ? rp : rq;
      out->val[k++] = v;
    }
    out->ptr[j + 1] = k;
  }
  return MW_OK;
}
