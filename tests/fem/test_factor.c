// SPDX-License-Identifier: BSD-3-Clause
// test_factor.c: sparse factorizations against closed forms, LAPACK and CHOLMOD's own L D Lᵀ.
//
// The five-point Laplacian of an m1 × m2 grid has the eigenvalues
//   λ_ij = 4 − 2 cos(iπ/(m1+1)) − 2 cos(jπ/(m2+1)) ,  i = 1 … m1, j = 1 … m2                    (1)
#include <cholmod.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fem/factor.h"
#include "mw_test.h"

// Grids of fewer and of more points than LAPACK takes instead of MUMPS (factor_priv.h).
enum { M1 = 13, SMALL = 9, LARGE = 29, SIZES = 2 };
static const int width[SIZES] = { SMALL, LARGE };  // M2

// Laplacian of M1 × m2 minus sigma
static mw_csc laplacian(int m2, double sigma, mw_arena *a)
{
  mw_triplets t = { 0 };
  mw_csc A = { 0 };
  mw_error err;
  for (int i = 0; i < M1; i++)
    for (int j = 0; j < m2; j++) {
      int k = i * m2 + j;
      mw_triplets_add(&t, k, k, 4.0 - sigma);
      if (j + 1 < m2) mw_triplets_add(&t, k + 1, k, -1.0);
      if (i + 1 < M1) mw_triplets_add(&t, k + m2, k, -1.0);
    }
  MW_OKAY(mw_csc_build(&t, M1 * m2, M1 * m2, true, a, &A, &err));
  mw_triplets_free(&t);
  return A;
}

static double eigenvalue(int m2, int i, int j)  // (1)
{
  const double pi = acos(-1.0);
  return 4.0 - 2.0 * cos(i * pi / (M1 + 1)) - 2.0 * cos(j * pi / (m2 + 1));
}

static int eigenvalues_below(int m2, double sigma)
{
  int n = 0;
  for (int i = 1; i <= M1; i++)
    for (int j = 1; j <= m2; j++) n += eigenvalue(m2, i, j) < sigma;
  return n;
}

static int negative(const mw_csc *A)
{
  mw_factor *f = NULL;
  mw_error err;
  int n = -1, alone = -2;
  if (MW_OKAY(mw_factor_build(A, false, &f, &err))) n = mw_factor_negative(f);
  MW_OKAY(mw_factor_count(A, &alone, &err));
  MW_CHECK(alone == n);
  mw_factor_free(f);
  return n;
}

static double *dense(const mw_csc *A)
{
  double *D = calloc((size_t)A->n_col * (size_t)A->n_col, sizeof *D);
  for (int j = 0; D && j < A->n_col; j++)
    for (int k = A->ptr[j]; k < A->ptr[j + 1]; k++)
      D[A->row[k] * A->n_col + j] = D[j * A->n_col + A->row[k]] = A->val[k];
  return D;
}

static int negative_by_lapack(const mw_csc *A)
{
  double *D = dense(A);
  mw_error err;
  int neg = -1, zero = -1;
  MW_OKAY(mw_inertia(A->n_col, D, &neg, &zero, &err));
  free(D);
  return neg;
}

// L D Lᵀ without pivoting
static int negative_by_cholmod(const mw_csc *A)
{
  cholmod_common c;
  cholmod_start(&c);
  c.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_sparse S = { .nrow = (size_t)A->n_col,
                       .ncol = (size_t)A->n_col,
                       .nzmax = (size_t)A->ptr[A->n_col],
                       .p = A->ptr,
                       .i = A->row,
                       .x = A->val,
                       .stype = -1,
                       .itype = CHOLMOD_INT,
                       .xtype = CHOLMOD_REAL,
                       .sorted = 1,
                       .packed = 1 };
  cholmod_factor *L = cholmod_analyze(&S, &c);
  int neg = L && cholmod_factorize(&S, L, &c) && L->minor == L->n ? 0 : -1;
  for (int j = 0; neg >= 0 && j < A->n_col; j++)
    if (((double *)L->x)[((int *)L->p)[j]] < 0.0) neg++;
  cholmod_free_factor(&L, &c);
  cholmod_finish(&c);
  return neg;
}

static void negative_pivots_count_the_eigenvalues_below_a_shift(void)
{
  // shifts clear of every eigenvalue
  static const double sigma[] = { -1.0, 0.05, 0.3, 1.0, 2.3, 3.98, 5.1, 7.7, 9.0 };
  for (int m = 0; m < SIZES; m++)
    for (size_t k = 0; k < sizeof sigma / sizeof *sigma; k++) {
      mw_arena a = { 0 };
      mw_csc A = laplacian(width[m], sigma[k], &a);
      int want = eigenvalues_below(width[m], sigma[k]);
      MW_CHECK(negative(&A) == want);
      MW_CHECK(negative_by_lapack(&A) == want);
      MW_CHECK(negative_by_cholmod(&A) == want);
      mw_arena_free(&a);
    }
}

static void a_nearly_singular_matrix_is_counted_on_the_right_side(void)
{
  // eigenvalue 1e-10 away: rounding of the factorization is below n ε growth |A| = 377 × 2e-16 × 10
  // × 8 = 7e-12
  for (int m = 0; m < SIZES; m++) {
    double lambda = eigenvalue(width[m], 2, 3);
    mw_arena a = { 0 };
    mw_csc below = laplacian(width[m], lambda - 1e-10, &a),
           above = laplacian(width[m], lambda + 1e-10, &a);
    int n = eigenvalues_below(width[m], lambda - 1e-6);
    MW_CHECK(eigenvalues_below(width[m], lambda + 1e-6) == n + 1);
    MW_CHECK(negative(&below) == n);
    MW_CHECK(negative(&above) == n + 1);
    MW_CHECK(negative_by_lapack(&above) == n + 1);
    mw_arena_free(&a);
  }
}

// [A Cᵀ; C 0] with A definite and C of full rank m has m negative eigenvalues and a zero diagonal
// block
static void bordered_matrices_have_a_negative_pivot_a_constraint(void)
{
  enum { ROWS = 5 };
  for (int m = 0; m < SIZES; m++) {
    mw_arena a = { 0 };
    mw_triplets t = { 0 };
    mw_csc A = laplacian(width[m], 0.0, &a), B = { 0 };
    mw_error err;
    int n = A.n_col;
    for (int j = 0; j < n; j++)
      for (int k = A.ptr[j]; k < A.ptr[j + 1]; k++) mw_triplets_add(&t, A.row[k], j, A.val[k]);
    for (int r = 0; r < ROWS; r++) {
      mw_triplets_add(&t, n + r, 7 * r, 1.0);
      mw_triplets_add(&t, n + r, 7 * r + 3, -2.0);
    }
    MW_OKAY(mw_csc_build(&t, n + ROWS, n + ROWS, true, &a, &B, &err));
    MW_CHECK(negative(&B) == ROWS);
    MW_CHECK(negative_by_lapack(&B) == ROWS);
    mw_triplets_free(&t);
    mw_arena_free(&a);
  }
}

// residual of A X = B over what a backward stable solve leaves, c n ε (|A||X| + |B|) with c = 10
static void solves_leave_rounding(int m2, bool definite, int k, size_t more, bool in_place)
{
  mw_arena a = { 0 };
  mw_error err;
  mw_factor *f = NULL;
  double sigma = definite ? 0.0 : 2.3;
  mw_csc A = laplacian(m2, sigma, &a);
  size_t n = (size_t)A.n_col, ld = n + more;
  double *B = mw_arena_f64(&a, (size_t)k * ld), *X = mw_arena_f64(&a, (size_t)k * ld),
         *R = mw_arena_f64(&a, n);
  for (size_t i = 0; i < (size_t)k * ld; i++) B[i] = (double)((i * 7919) % 101) / 50.0 - 1.0;
  for (size_t i = 0; i < (size_t)k * ld; i++) X[i] = in_place ? B[i] : NAN;
  MW_OKAY(mw_factor_build(&A, definite, &f, &err));
  MW_OKAY(mw_factor_solve_ld(f, k, ld, in_place ? X : B, X, &err));
  for (int i = 0; i < k; i++) {
    double x = 0.0, *Xi = X + (size_t)i * ld, *Bi = B + (size_t)i * ld;
    for (size_t j = 0; j < n; j++) x = fmax(x, fabs(Xi[j]));
    memcpy(R, Bi, n * sizeof *R);
    mw_csc_mul(&A, -1.0, Xi, 1.0, R);
    double tol = 10.0 * (double)n * DBL_EPSILON * ((8.0 + fabs(sigma)) * x + 1.0);
    for (size_t j = 0; j < n; j++)
      if (!(fabs(R[j]) <= tol)) {
        MW_NEAR(R[j], 0.0, tol);
        break;
      }
    for (size_t j = n; j < ld; j++) MW_CHECK(in_place ? Xi[j] == Bi[j] : isnan(Xi[j]));
  }
  mw_factor_free(f);
  mw_arena_free(&a);
}

static void solutions_satisfy_the_equations(void)
{
  for (int kind = 0; kind < 4 * SIZES; kind++) {
    int m2 = width[kind / 4];
    bool definite = kind % 4 / 2, in_place = kind % 2;
    solves_leave_rounding(m2, definite, 1, 0, in_place);
    solves_leave_rounding(m2, definite, 33, 0, in_place);
    solves_leave_rounding(m2, definite, 65, 4, in_place);
  }
}

// A = L ⊗ S, S = 2 + ones of order 3: three unknowns a node of an m1 × m2 grid, enough of them that
// nodes are ordered (factor.c).
//   A (u ⊗ 1) = 5 λ u ⊗ 1 ,  u_kl = sin(ikπ/(m1+1)) sin(jlπ/(m2+1)) of (1)                     (2)
static void nodes_of_three_unknowns_are_solved_by_their_eigenvectors(void)
{
  enum { S1 = 60, S2 = 50, I = 2, J = 3, UNKNOWNS = 3, ALL = UNKNOWNS * S1 * S2 };
  const double pi = acos(-1.0), a1 = pi / (S1 + 1), a2 = pi / (S2 + 1),
               lambda = 4.0 - 2.0 * cos(I * a1) - 2.0 * cos(J * a2),
               least = 4.0 - 2.0 * cos(a1) - 2.0 * cos(a2);
  mw_arena a = { 0 };
  mw_error err;
  mw_factor *f = NULL;
  mw_triplets t = { 0 };
  mw_csc A = { 0 };
  double *x = mw_arena_f64(&a, ALL), *want = mw_arena_f64(&a, ALL), worst = 0.0;
  for (int node = 0; node < S1 * S2; node++)
    for (int i = 0; i < UNKNOWNS; i++)
      for (int j = 0; j < UNKNOWNS; j++) {
        int r = UNKNOWNS * node + i, c = UNKNOWNS * node + j;
        double s = i == j ? 3.0 : 1.0;
        if (i >= j) mw_triplets_add(&t, r, c, 4.0 * s);
        if (node % S2 + 1 < S2) mw_triplets_add(&t, r + UNKNOWNS, c, -s);
        if (node / S2 + 1 < S1) mw_triplets_add(&t, r + UNKNOWNS * S2, c, -s);
      }
  MW_OKAY(mw_csc_build(&t, ALL, ALL, true, &a, &A, &err));
  for (int i = 0; i < ALL; i++) {
    int node = i / UNKNOWNS;
    x[i] = sin(I * a1 * (node / S2 + 1)) * sin(J * a2 * (node % S2 + 1));
    want[i] = x[i] / (5.0 * lambda);
  }
  MW_OKAY(mw_factor_build(&A, true, &f, &err));
  MW_OKAY(mw_factor_solve(f, 1, x, x, &err));
  // a backward stable solve errs by 10 n ε times the condition number: of S 5/2, of L 8/λ_min
  double tol = 10.0 * ALL * DBL_EPSILON * 2.5 * 8.0 / least / (5.0 * lambda);
  for (int i = 0; i < ALL; i++) worst = fmax(worst, fabs(x[i] - want[i]));
  MW_WITHIN(worst, 0.0, tol, "worst of a solve, by the condition");
  mw_factor_free(f);
  mw_triplets_free(&t);
  mw_arena_free(&a);
}

static void orders_zero_and_one_are_matrices_too(void)
{
  static const double value[] = { 2.0, -3.0 };
  for (int definite = 0; definite < 2; definite++) {
    int ptr0[1] = { 0 };
    mw_csc none = { .sym = true, .ptr = ptr0 };
    mw_error err;
    mw_factor *f = NULL;
    int count = -1;
    MW_OKAY(mw_factor_count(&none, &count, &err));
    MW_CHECK(count == 0);
    MW_OKAY(mw_factor_build(&none, definite, &f, &err));
    MW_OKAY(mw_factor_solve(f, 3, NULL, NULL, &err));
    MW_CHECK(mw_factor_negative(f) == 0 && mw_factor_bytes(f) == 0);
    mw_factor_free(f);
    for (int i = 0; i < 2 - definite; i++) {
      int ptr[2] = { 0, 1 }, row[1] = { 0 };
      double val[1] = { value[i] }, x[2] = { 6.0, 12.0 };
      mw_csc one = { .n_row = 1, .n_col = 1, .sym = true, .ptr = ptr, .row = row, .val = val };
      MW_OKAY(mw_factor_build(&one, definite, &f, &err));
      MW_OKAY(mw_factor_solve(f, 2, x, x, &err));
      MW_NEAR(x[0], 6.0 / value[i], 4.0 * DBL_EPSILON);
      MW_NEAR(x[1], 12.0 / value[i], 8.0 * DBL_EPSILON);
      MW_CHECK(mw_factor_negative(f) == i);
      MW_OKAY(mw_factor_count(&one, &count, &err));
      MW_CHECK(count == i);
      mw_factor_free(f);
    }
  }
}

static void singular_and_indefinite_matrices_are_refused(void)
{
  // [1 1; 1 1], [0], no entries, [1 2; 2 1]
  int ptr2[3] = { 0, 2, 3 }, row2[3] = { 0, 1, 1 }, ptr1[2] = { 0, 1 }, row1[1] = { 0 },
      ptr0[3] = { 0, 0, 0 };
  double ones[3] = { 1, 1, 1 }, zero[1] = { 0 }, saddle[3] = { 1, 2, 1 };
  mw_csc A[] = {
    { .n_row = 2, .n_col = 2, .sym = true, .ptr = ptr2, .row = row2, .val = ones },
    { .n_row = 1, .n_col = 1, .sym = true, .ptr = ptr1, .row = row1, .val = zero },
    { .n_row = 2, .n_col = 2, .sym = true, .ptr = ptr0, .row = row1, .val = zero },
    { .n_row = 2, .n_col = 2, .sym = true, .ptr = ptr2, .row = row2, .val = saddle },
  };
  for (int k = 0; k < 4; k++)
    for (int definite = 0; definite < 2; definite++) {
      mw_error err;
      mw_factor *f = NULL;
      if (k == 3 && !definite) {
        MW_CHECK(negative(&A[k]) == 1);
        continue;
      }
      MW_FAILS(mw_factor_build(&A[k], definite, &f, &err), MW_ERR_NUMERIC);
      MW_CHECK(f == NULL);
    }
}

static void a_factor_is_no_smaller_than_its_matrix(void)
{
  mw_arena a = { 0 };
  mw_error err;
  mw_factor *f = NULL;
  for (int kind = 0; kind < 2 * SIZES; kind++) {
    mw_csc A = laplacian(width[kind / 2], 0.0, &a);
    MW_OKAY(mw_factor_build(&A, kind % 2, &f, &err));
    MW_CHECK(mw_factor_bytes(f) >= (size_t)A.ptr[A.n_col] * sizeof(double));
    mw_factor_free(f);
  }
  mw_arena_free(&a);
}

static void same_matrix_gives_the_same_bits(void)
{
  for (int kind = 0; kind < 2 * SIZES; kind++) {
    double x[2][M1 * LARGE];
    int definite = kind % 2, n = M1 * width[kind / 2];
    for (int k = 0; k < 2; k++) {
      mw_arena a = { 0 };
      mw_error err;
      mw_factor *f = NULL;
      mw_csc A = laplacian(width[kind / 2], definite ? 0.0 : 2.3, &a);
      for (int i = 0; i < n; i++) x[k][i] = i % 5 - 2.0;
      MW_OKAY(mw_factor_build(&A, definite, &f, &err));
      MW_OKAY(mw_factor_solve(f, 1, x[k], x[k], &err));
      mw_factor_free(f);
      mw_arena_free(&a);
    }
    MW_SAME_BITS(x[0], x[1], n);
  }
}

// A chain's factor has an entry below each pivot but the last, in whatever order from its ends.
static void a_chain_has_the_entries_of_its_links(void)
{
  enum { N = 1000 };
  mw_arena a = { 0 };
  mw_triplets t = { 0 };
  mw_csc A = { 0 };
  mw_factor *f = NULL;
  mw_error err;
  for (int i = 0; i < N; i++) {
    mw_triplets_add(&t, i, i, 2.5);
    if (i + 1 < N) mw_triplets_add(&t, i + 1, i, -1.0);
  }
  if (MW_OKAY(mw_csc_build(&t, N, N, true, &a, &A, &err)) &&
      MW_OKAY(mw_factor_build(&A, true, &f, &err)))
    MW_CHECK(mw_factor_entries(f) == 2.0 * N - 1.0);
  mw_factor_free(f);
  mw_triplets_free(&t);
  mw_arena_free(&a);
}

static const mw_test_case cases[] = {
  { "negative_pivots_count_the_eigenvalues_below_a_shift",
    negative_pivots_count_the_eigenvalues_below_a_shift },
  { "a_nearly_singular_matrix_is_counted_on_the_right_side",
    a_nearly_singular_matrix_is_counted_on_the_right_side },
  { "bordered_matrices_have_a_negative_pivot_a_constraint",
    bordered_matrices_have_a_negative_pivot_a_constraint },
  { "solutions_satisfy_the_equations", solutions_satisfy_the_equations },
  { "nodes_of_three_unknowns_are_solved_by_their_eigenvectors",
    nodes_of_three_unknowns_are_solved_by_their_eigenvectors },
  { "orders_zero_and_one_are_matrices_too", orders_zero_and_one_are_matrices_too },
  { "singular_and_indefinite_matrices_are_refused", singular_and_indefinite_matrices_are_refused },
  { "a_chain_has_the_entries_of_its_links", a_chain_has_the_entries_of_its_links },
  { "a_factor_is_no_smaller_than_its_matrix", a_factor_is_no_smaller_than_its_matrix },
  { "same_matrix_gives_the_same_bits", same_matrix_gives_the_same_bits },
};

int main(void) { return mw_test_run("factor", cases, (int)(sizeof cases / sizeof *cases)); }
