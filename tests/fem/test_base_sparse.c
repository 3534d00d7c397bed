// SPDX-License-Identifier: BSD-3-Clause
// test_base_sparse.c: the arena, and CSC matrices against dense ones, on integers: every comparison
// is exact.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/csc.h"
#include "mw_test.h"

enum { R = 7, C = 5, K = 3 };

static void check_arena(void)
{
  mw_arena a = { 0 };
  mw_error err;
  unsigned char *before = NULL;
  for (size_t n = 0; n < 3000; n = n * 2 + 1) {
    unsigned char *p = mw_arena_alloc(&a, n, 3);
    MW_CHECK(p != NULL && (uintptr_t)p % 64 == 0);
    bool zero = true;
    for (size_t i = 0; p && i < 3 * n; i++) zero = zero && p[i] == 0;
    MW_CHECK(zero);
    if (p) memset(p, 255, 3 * n);
    if (p && before) MW_CHECK(p != before);
    before = p;
  }
  double *big = mw_arena_f64(&a, 1 << 20);
  MW_CHECK(big && big[0] == 0.0 && big[(1 << 20) - 1] == 0.0);
  if (big) memset(big, 255, sizeof *big << 20);
  int *k = mw_arena_int(&a, 3);
  MW_CHECK(k && k[0] == 0 && k[2] == 0);
  char *s = mw_arena_str(&a, "rail"), *t = mw_arena_printf(&a, "%s.%d", "node", 12);
  MW_CHECK(s && !strcmp(s, "rail") && t && !strcmp(t, "node.12"));
  MW_OKAY(mw_arena_check(&a, &err));
  mw_arena_free(&a);
  MW_CHECK(a.head == NULL && a.failed == 0);
  mw_arena_free(&a);
}

// Twice: the second time memory is what the first left, full of ones.
static void arena_memory_is_zero_aligned_and_apart(void)
{
  for (int again = 0; again < 2; again++) check_arena();
}

static void arena_takes_what_another_one_had(void)
{
  for (int empty = 0; empty < 2; empty++) {
    mw_arena a = { 0 }, b = { 0 };
    mw_error err;
    char *old = empty ? NULL : mw_arena_str(&a, "rail"), *s = mw_arena_str(&b, "boom");
    mw_arena_take(&a, &b);
    MW_CHECK(b.head == NULL && b.failed == 0 && s && !strcmp(s, "boom"));
    MW_CHECK(empty || !strcmp(old, "rail"));
    MW_CHECK(mw_arena_alloc(&b, SIZE_MAX, 8) == NULL);
    mw_arena_take(&a, &b);
    MW_FAILS(mw_arena_check(&a, &err), MW_ERR_MEMORY);
    mw_arena_free(&a);
  }
}

static void arena_refuses_sizes_that_overflow(void)
{
  static const size_t count[] = { SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 8, SIZE_MAX / 16 };
  for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
    mw_arena a = { 0 };
    mw_error err;
    MW_CHECK(mw_arena_f64(&a, 4) != NULL);
    MW_OKAY(mw_arena_check(&a, &err));
    MW_CHECK(mw_arena_alloc(&a, count[i], 8) == NULL);
    MW_CHECK(mw_arena_f64(&a, 1) == NULL);  // once failed, always failed
    MW_FAILS(mw_arena_check(&a, &err), MW_ERR_MEMORY);
    mw_arena_free(&a);
  }
}

// Small integers at irregular places, zero elsewhere; symmetric if asked.
static int entry(int r, int c, bool sym)
{
  if (sym && r < c) return entry(c, r, sym);
  return (3 * r + 5 * c) % 4 == 0 ? (7 * r + 11 * c) % 9 - 4 : 0;
}

// The matrix of entry(), added from the last place to the first, each value in two parts.
static mw_csc fixture(int n_row, int n_col, bool sym, mw_arena *a)
{
  mw_triplets t = { 0 };
  mw_csc A = { 0 };
  mw_error err;
  for (int r = n_row - 1; r >= 0; r--)
    for (int c = n_col - 1; c >= 0; c--)
      if (entry(r, c, sym) != 0) {
        mw_triplets_add(&t, r, c, entry(r, c, sym) - 100);
        mw_triplets_add(&t, r, c, 100);
      }
  MW_OKAY(mw_csc_build(&t, n_row, n_col, sym, a, &A, &err));
  MW_OKAY(mw_csc_check(&A, &err));
  mw_triplets_free(&t);
  return A;
}

static void products_equal_dense_ones(int n_row, int n_col, bool sym)
{
  mw_arena a = { 0 };
  mw_csc A = fixture(n_row, n_col, sym, &a);
  double x[R * K], y[R * K], y0[R * K];
  for (int i = 0; i < R * K; i++) {
    x[i] = i % 7 - 3;
    y0[i] = i % 5 - 2;
  }
  for (int beta = 0; beta <= 2; beta++) {
    for (int i = 0; i < R * K; i++) y[i] = beta ? y0[i] : (double)NAN;
    mw_csc_mul_many(&A, K, 2.0, x, beta, y);
    for (int r = 0; r < n_row; r++)
      for (int k = 0; k < K; k++) {
        double want = beta * y0[r * K + k];
        for (int c = 0; c < n_col; c++) want += 2.0 * entry(r, c, sym) * x[c * K + k];
        MW_NEAR(y[r * K + k], want, 0.0);
      }
    for (int i = 0; i < R * K; i++) y[i] = beta ? y0[i] : (double)NAN;
    mw_csc_mul(&A, 2.0, x, beta, y);
    for (int r = 0; r < n_row; r++) {
      double want = beta * y0[r];
      for (int c = 0; c < n_col; c++) want += 2.0 * entry(r, c, sym) * x[c];
      MW_NEAR(y[r], want, 0.0);
    }
    for (int i = 0; i < R * K; i++) y[i] = beta ? y0[i] : (double)NAN;
    mw_csc_mul_t(&A, 2.0, x, beta, y);
    for (int c = 0; c < n_col; c++) {
      double want = beta * y0[c];
      for (int r = 0; r < n_row; r++) want += 2.0 * entry(r, c, sym) * x[r];
      MW_NEAR(y[c], want, 0.0);
    }
  }
  mw_arena_free(&a);
}

static void rectangular_products_equal_dense_ones(void) { products_equal_dense_ones(R, C, false); }

static void symmetric_products_equal_dense_ones(void) { products_equal_dense_ones(R, R, true); }

static void compression_keeps_zeros_and_the_order_of_sums(void)
{
  mw_arena a = { 0 };
  mw_triplets t = { 0 };
  mw_csc A = { 0 };
  mw_error err;
  mw_triplets_add(&t, 2, 1, 1e16);
  mw_triplets_add(&t, 0, 1, 0.0);
  mw_triplets_add(&t, 2, 1, 1.0);  // lost in 1e16, and only in this order
  mw_triplets_add(&t, 2, 1, -1e16);
  MW_OKAY(mw_csc_build(&t, 3, 2, false, &a, &A, &err));
  MW_OKAY(mw_csc_check(&A, &err));
  MW_CHECK(A.ptr[0] == 0 && A.ptr[1] == 0 && A.ptr[2] == 2);
  MW_CHECK(A.row[0] == 0 && A.row[1] == 2 && A.val[0] == 0.0 && A.val[1] == 0.0);
  mw_triplets_free(&t);
  MW_OKAY(mw_csc_build(&t, 0, 0, true, &a, &A, &err));
  MW_OKAY(mw_csc_check(&A, &err));
  mw_arena_free(&a);
}

static void bad_entries_are_refused(void)
{
  mw_arena a = { 0 };
  mw_triplets t = { 0 };
  mw_csc A = { 0 };
  mw_error err;
  mw_triplets_add(&t, 3, 0, 1.0);
  MW_FAILS(mw_csc_build(&t, 3, 1, false, &a, &A, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "(3, 0)") != NULL && A.ptr == NULL);
  MW_FAILS(mw_csc_build(&t, 4, 3, true, &a, &A, &err), MW_ERR_INPUT);
  t.failed = 1;
  MW_FAILS(mw_csc_build(&t, 4, 1, false, &a, &A, &err), MW_ERR_MEMORY);
  mw_triplets_free(&t);
  mw_arena_free(&a);
}

static void check_finds_each_broken_invariant(void)
{
  int ptr[3] = { 0, 2, 3 }, row[3] = { 0, 1, 1 };
  double val[3] = { 1, 2, 3 };
  mw_csc A = { 2, 2, true, ptr, row, val };
  mw_error err;
  MW_OKAY(mw_csc_check(&A, &err));
  row[2] = 0;  // above the diagonal
  MW_FAILS(mw_csc_check(&A, &err), MW_ERR_NUMERIC);
  row[2] = 2;  // outside
  MW_FAILS(mw_csc_check(&A, &err), MW_ERR_NUMERIC);
  row[2] = 1;
  row[0] = 1;  // twice
  MW_FAILS(mw_csc_check(&A, &err), MW_ERR_NUMERIC);
  row[0] = 0;
  val[1] = (double)NAN;
  MW_FAILS(mw_csc_check(&A, &err), MW_ERR_NUMERIC);
  val[1] = 2;
  ptr[2] = 1;  // falls
  MW_FAILS(mw_csc_check(&A, &err), MW_ERR_NUMERIC);
  ptr[2] = 3;
  A.n_row = 3;  // symmetric, not square
  MW_FAILS(mw_csc_check(&A, &err), MW_ERR_NUMERIC);
  A.n_row = 2;
  ptr[0] = 1;
  MW_FAILS(mw_csc_check(&A, &err), MW_ERR_NUMERIC);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "arena_memory_is_zero_aligned_and_apart", arena_memory_is_zero_aligned_and_apart },
    { "arena_takes_what_another_one_had", arena_takes_what_another_one_had },
    { "arena_refuses_sizes_that_overflow", arena_refuses_sizes_that_overflow },
    { "rectangular_products_equal_dense_ones", rectangular_products_equal_dense_ones },
    { "symmetric_products_equal_dense_ones", symmetric_products_equal_dense_ones },
    { "compression_keeps_zeros_and_the_order_of_sums",
      compression_keeps_zeros_and_the_order_of_sums },
    { "bad_entries_are_refused", bad_entries_are_refused },
    { "check_finds_each_broken_invariant", check_finds_each_broken_invariant },
  };
  return mw_test_run("base_sparse", cases, (int)(sizeof cases / sizeof *cases));
}
