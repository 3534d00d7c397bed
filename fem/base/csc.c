// SPDX-License-Identifier: BSD-3-Clause
// csc.c: sparse matrices by compressed columns, and the triplets they are made of.
//
// Compression is two stable bucket sorts, by row and then by column, so that entries of one place
// stay in the order they were added and are summed in it: O(entries + rows + columns). Products are
// O(entries) a vector.
#include "base/csc.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"

static int grow(mw_triplets *t)
{
  if (t->cap > INT_MAX / 2) return 0;
  size_t cap = t->cap ? 2 * (size_t)t->cap : 256;
  int *row = realloc(t->row, cap * sizeof *row);
  if (row) t->row = row;
  int *col = realloc(t->col, cap * sizeof *col);
  if (col) t->col = col;
  double *val = realloc(t->val, cap * sizeof *val);
  if (val) t->val = val;
  if (!row || !col || !val) return 0;
  t->cap = (int)cap;
  return 1;
}

void mw_triplets_add(mw_triplets *t, int row, int col, double val)
{
  if (t->failed) return;
  if (t->n == t->cap && !grow(t)) {
    t->failed = 1;
    return;
  }
  t->row[t->n] = row;
  t->col[t->n] = col;
  t->val[t->n] = val;
  t->n++;
}

void mw_triplets_free(mw_triplets *t)
{
  free(t->row);
  free(t->col);
  free(t->val);
  *t = (mw_triplets){ 0 };
}

// Stable order of the entries from[0..n-1] by key in [0, n_key): to [n], count [n_key + 1] scratch,
// zero on entry.
static void bucket_sort(int n, const int *from, const int *key, int n_key, int *count, int *to)
{
  for (int i = 0; i < n; i++) count[key[from[i]] + 1]++;
  for (int k = 0; k < n_key; k++) count[k + 1] += count[k];
  for (int i = 0; i < n; i++) to[count[key[from[i]]]++] = from[i];
}

static mw_code check_triplets(const mw_triplets *t, int n_row, int n_col, bool sym, mw_error *err)
{
  if (t->failed) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory for matrix entries");
  if (n_row < 0 || n_col < 0 || (sym && n_row != n_col))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "a %s%d × %d matrix cannot be",
                   sym ? "symmetric " : "", n_row, n_col);
  for (int i = 0; i < t->n; i++)
    if (t->row[i] < 0 || t->row[i] >= n_row || t->col[i] < 0 || t->col[i] >= n_col)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "entry (%d, %d) lies outside the %d × %d matrix", t->row[i], t->col[i], n_row,
                     n_col);
  return MW_OK;
}

// Sums the sorted entries into out, whose arrays have room for all of them.
static void compress(const mw_triplets *t, int n, const int *order, mw_csc *out)
{
  int nz = 0, last_col = -1;
  for (int i = 0; i < n; i++) {
    int e = order[i], r = t->row[e], c = t->col[e];
    if (c == last_col && out->row[nz - 1] == r) {
      out->val[nz - 1] += t->val[e];
      continue;
    }
    last_col = c;
    out->row[nz] = r;
    out->val[nz] = t->val[e];
    out->ptr[c + 1]++;
    nz++;
  }
  for (int c = 0; c < out->n_col; c++) out->ptr[c + 1] += out->ptr[c];
}

mw_code mw_csc_build(const mw_triplets *t, int n_row, int n_col, bool sym, mw_arena *a, mw_csc *out,
                     mw_error *err)
{
  mw_code rc = check_triplets(t, n_row, n_col, sym, err);
  if (rc != MW_OK) return rc;
  mw_arena tmp = { 0 };
  mw_csc A = { .n_row = n_row, .n_col = n_col, .sym = sym };
  int *order = mw_arena_int(&tmp, (size_t)t->n), *by_row = mw_arena_int(&tmp, (size_t)t->n), n = 0;
  int *row_count = mw_arena_int(&tmp, (size_t)n_row + 1),
      *col_count = mw_arena_int(&tmp, (size_t)n_col + 1);
  rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int i = 0; i < t->n; i++)
      if (!sym || t->row[i] >= t->col[i]) order[n++] = i;
    bucket_sort(n, order, t->row, n_row, row_count, by_row);
    bucket_sort(n, by_row, t->col, n_col, col_count, order);
    // room for the places, not for the entries: matrices live long
    int nz = 0;
    for (int i = 0; i < n; i++)
      nz += i == 0 || t->row[order[i]] != t->row[order[i - 1]] ||
            t->col[order[i]] != t->col[order[i - 1]];
    A.ptr = mw_arena_int(a, (size_t)n_col + 1);
    A.row = mw_arena_int(a, (size_t)nz);
    A.val = mw_arena_f64(a, (size_t)nz);
    rc = mw_arena_check(a, err);
  }
  if (rc == MW_OK) {
    compress(t, n, order, &A);
    *out = A;
  }
  mw_arena_free(&tmp);
  return rc;
}

int mw_csc_place(const mw_csc *A, int i, int j, int near)
{
  if (near >= 0 && near + 1 < A->ptr[j + 1] && A->row[near + 1] == i) return near + 1;
  int lo = A->ptr[j], hi = A->ptr[j + 1] - 1;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (A->row[mid] < i)
      lo = mid + 1;
    else
      hi = mid;
  }
  assert(lo < A->ptr[j + 1] && A->row[lo] == i);
  return lo;
}

mw_code mw_csc_transpose(const mw_csc *A, mw_arena *a, mw_csc *out, mw_error *err)
{
  size_t nnz = A->ptr ? (size_t)A->ptr[A->n_col] : 0;
  mw_csc T = { .n_row = A->n_col, .n_col = A->n_row };
  T.ptr = mw_arena_int(a, (size_t)A->n_row + 2);
  T.row = mw_arena_int(a, nnz);
  T.val = mw_arena_f64(a, nnz);
  mw_code rc = mw_arena_check(a, err);
  if (rc != MW_OK) return rc;
  // ptr[r + 2] counts row r, its running sum in ptr[r + 1] is where the next entry of column r goes
  for (size_t e = 0; e < nnz; e++) T.ptr[A->row[e] + 2]++;
  for (int r = 0; r < A->n_row; r++) T.ptr[r + 2] += T.ptr[r + 1];
  for (int c = 0; c < A->n_col; c++)
    for (int e = A->ptr[c]; e < A->ptr[c + 1]; e++) {
      int to = T.ptr[A->row[e] + 1]++;
      T.row[to] = c;
      T.val[to] = A->val[e];
    }
  *out = T;
  return MW_OK;
}

mw_code mw_csc_check(const mw_csc *A, mw_error *err)
{
  const char *what = NULL;
  int at = 0;
  if (A->n_row < 0 || A->n_col < 0 || (A->sym && A->n_row != A->n_col))
    what = "has an impossible size";
  if (!what && (!A->ptr || A->ptr[0] != 0)) what = "has no first column pointer 0";
  for (int c = 0; c < A->n_col && !what; c++) {
    at = c;
    if (A->ptr[c + 1] < A->ptr[c]) what = "has a column pointer that falls";
    for (int e = A->ptr[c]; e < A->ptr[c + 1] && !what; e++) {
      if (A->row[e] < 0 || A->row[e] >= A->n_row)
        what = "has a row index outside";
      else if (e > A->ptr[c] && A->row[e] <= A->row[e - 1])
        what = "has rows unsorted or twice";
      else if (A->sym && A->row[e] < c)
        what = "is symmetric but stores its upper triangle";
      else if (!isfinite(A->val[e]))
        what = "has an entry that is not finite";
    }
  }
  if (!what) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "sparse matrix of %d × %d %s (column %d)",
                 A->n_row, A->n_col, what, at);
}

// y := beta y, where beta 0 forgets y
static void scale(size_t n, double beta, double *y)
{
  if (beta == 0.0)
    memset(y, 0, n * sizeof *y);
  else if (beta != 1.0)
    for (size_t i = 0; i < n; i++) y[i] *= beta;
}

// y += alpha A x, A lower: what lies below the diagonal serves its row and its column. Two sums a
// column, for each addition waits for the one before.
static void add_sym(const mw_csc *A, double alpha, const double *restrict x, double *restrict y)
{
  const int *row = A->row;
  const double *val = A->val;
  for (int c = 0; c < A->n_col; c++) {
    int e = A->ptr[c], end = A->ptr[c + 1];
    double xc = alpha * x[c], even = 0.0, odd = 0.0;
    if (e < end && row[e] == c) y[c] += val[e++] * xc;
    for (; e + 2 <= end; e += 2) {
      y[row[e]] += val[e] * xc;
      y[row[e + 1]] += val[e + 1] * xc;
      even += val[e] * x[row[e]];
      odd += val[e + 1] * x[row[e + 1]];
    }
    if (e < end) {
      y[row[e]] += val[e] * xc;
      even += val[e] * x[row[e]];
    }
    y[c] += alpha * (even + odd);
  }
}

void mw_csc_mul(const mw_csc *A, double alpha, const double *x, double beta, double *y)
{
  scale((size_t)A->n_row, beta, y);
  if (A->sym) {
    add_sym(A, alpha, x, y);
    return;
  }
  for (int c = 0; c < A->n_col; c++) {
    double xc = alpha * x[c];
    for (int e = A->ptr[c]; e < A->ptr[c + 1]; e++) y[A->row[e]] += A->val[e] * xc;
  }
}

void mw_csc_mul_t(const mw_csc *A, double alpha, const double *x, double beta, double *y)
{
  if (A->sym) {
    mw_csc_mul(A, alpha, x, beta, y);
    return;
  }
  scale((size_t)A->n_col, beta, y);
  for (int c = 0; c < A->n_col; c++) {
    double sum = 0.0;
    for (int e = A->ptr[c]; e < A->ptr[c + 1]; e++) sum += A->val[e] * x[A->row[e]];
    y[c] += alpha * sum;
  }
}

// y [k] += a x [k]
static void add_row(int k, double a, const double *x, double *y)
{
  for (int i = 0; i < k; i++) y[i] += a * x[i];
}

void mw_csc_mul_many(const mw_csc *A, int k, double alpha, const double *X, double beta, double *Y)
{
  size_t w = (size_t)k;
  // all entries are there, as of a body in a basis: val holds the transpose by rows
  if (!A->sym && A->ptr[A->n_col] > 0 &&
      (size_t)A->ptr[A->n_col] == (size_t)A->n_row * (size_t)A->n_col) {
    mw_gemm('t', 'n', A->n_row, k, A->n_col, alpha, A->val, X, beta, Y);
    return;
  }
  if (k == 1) {  // the other one keeps a sum in a register
    mw_csc_mul(A, alpha, X, beta, Y);
    return;
  }
  scale((size_t)A->n_row * w, beta, Y);
  for (int c = 0; c < A->n_col; c++)
    for (int e = A->ptr[c]; e < A->ptr[c + 1]; e++) {
      size_t r = (size_t)A->row[e], j = (size_t)c;
      double v = alpha * A->val[e];
      add_row(k, v, X + j * w, Y + r * w);
      if (A->sym && r != j) add_row(k, v, X + r * w, Y + j * w);
    }
}
