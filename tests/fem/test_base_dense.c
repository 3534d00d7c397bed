// SPDX-License-Identifier: BSD-3-Clause
// test_base_dense.c: products, factorizations, eigenvalues, singular values and inertia against
// identities.
//
// eps is DBL_EPSILON. [Higham2002] is Accuracy and Stability of Numerical Algorithms, 2nd ed. Where
// LAPACK promises a "modestly growing" p(n) times eps, p(n) = 10 n stands for it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "mw_test.h"

enum { N = 17, K = 3, M_TALL = 9, N_TALL = 6 };

// Numbers in [-1, 1) without structure, the same every time.
static double noise(int i)
{
  unsigned x = (unsigned)i * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return (double)x / 2147483648.0 - 1.0;
}

static void products_of_integers_are_exact(void)
{
  enum { P = 4, Q = 3, L = 5 };
  double A[L * P], B[L * Q], C[P * Q];
  for (int i = 0; i < L * P; i++) A[i] = i % 7 - 3;
  for (int i = 0; i < L * Q; i++) B[i] = i % 5 - 2;
  for (int way = 0; way < 4; way++) {
    bool ta = way & 1, tb = way & 2;
    for (int i = 0; i < P * Q; i++) C[i] = i;
    mw_gemm(ta ? 't' : 'n', tb ? 't' : 'n', P, Q, L, 2.0, A, B, 3.0, C);
    for (int i = 0; i < P; i++)
      for (int j = 0; j < Q; j++) {
        double want = 3.0 * (i * Q + j);
        for (int l = 0; l < L; l++)
          want += 2.0 * (ta ? A[l * P + i] : A[i * L + l]) * (tb ? B[j * L + l] : B[l * Q + j]);
        MW_NEAR(C[i * Q + j], want, 0.0);
      }
  }
  for (int i = 0; i < P * Q; i++) C[i] = (double)NAN;
  mw_gemm('n', 'n', P, Q, L, 0.0, A, B, 0.0, C);
  for (int i = 0; i < P * Q; i++) MW_NEAR(C[i], 0.0, 0.0);
  double x[9], y[9], sum = 0.0;
  for (int n = 0; n < 9; n++) {
    for (int i = 0; i < 9; i++) {
      x[i] = i + 1;
      y[i] = 2 * i - 3;
    }
    MW_NEAR(mw_dot(n, x, y), sum, 0.0);
    sum += x[n] * y[n];
    mw_axpy(n, 2.0, x, y);
    for (int i = 0; i < 9; i++) MW_NEAR(y[i], 2 * i - 3 + (i < n ? 2 * (i + 1) : 0), 0.0);
  }
}

// Largest |A X - B| and |X|, X and B row-major [n × k].
static double residual(int n, int k, const double *A, const double *X, const double *B,
                       double *big_x)
{
  double big = 0.0;
  *big_x = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) {
      double r = -B[i * k + j];
      for (int l = 0; l < n; l++) r += A[i * n + l] * X[l * k + j];
      big = fmax(big, fabs(r));
      *big_x = fmax(*big_x, fabs(X[i * k + j]));
    }
  return big;
}

// A matrix that needs its rows exchanged: dominant on a permuted diagonal. Growth of such a matrix
// is at most 2.
static void lu_solves_what_needs_pivots(void)
{
  double A[N * N], LU[N * N], B[N * K], X[N * K], big_x;
  int piv[N];
  mw_error err;
  for (int i = 0; i < N * N; i++) A[i] = noise(i);
  for (int i = 0; i < N; i++) A[i * N + (5 * i + 3) % N] = 2.0 * N;
  for (int i = 0; i < N * K; i++) X[i] = B[i] = noise(1000 + i);
  memcpy(LU, A, sizeof A);
  MW_OKAY(mw_lu_factor(N, LU, piv, &err));
  mw_lu_solve(N, LU, piv, K, X);
  // |B - A X| <= 3 n eps |L||U||X| (Higham2002, th. 9.4), |L||U| <= n · 2 max|A| an entry, n
  //   entries a row; as much
  // again, less than n eps |A||X|, for the residual itself
  double r = residual(N, K, A, X, B, &big_x), max_a = 2.0 * N;
  MW_WITHIN(r, 0.0, (3.0 * N * 2.0 * N * N + N * N) * DBL_EPSILON * max_a * big_x,
            "Higham's bound for the worst matrix");
}

static void cholesky_solves_and_leaves_the_upper_triangle(void)
{
  double G[N * N], A[N * N], L[N * N], B[N * K], X[N * K], big_x, max_a = 0.0;
  mw_error err;
  for (int i = 0; i < N * N; i++) G[i] = noise(i);
  mw_gemm('n', 't', N, N, N, 1.0, G, G, 0.0, A);
  for (int i = 0; i < N; i++) max_a = fmax(max_a, A[i * N + i] += 1.0);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) A[j * N + i] = A[i * N + j];
  memcpy(L, A, sizeof A);
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) L[i * N + j] = 77.0;
  for (int i = 0; i < N * K; i++) X[i] = B[i] = noise(1000 + i);
  MW_OKAY(mw_chol_factor(N, L, &err));
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) MW_NEAR(L[i * N + j], 77.0, 0.0);
  mw_chol_solve(N, L, K, X);
  // |B - A X| <= (3 n + 1) eps |L||L'||X| (Higham2002, th. 10.4), |L||L'| <= max a_ii an entry
  //   (Cauchy-Schwarz)
  double r = residual(N, K, A, X, B, &big_x);
  MW_WITHIN(r, 0.0, (3.0 * N + 1.0 + N) * N * DBL_EPSILON * max_a * big_x,
            "Higham's bound for the worst matrix");
}

// Fixed chain: λ_k = 2 - 2 cos(kπ/(n+1)).
static void chain(double *A)
{
  memset(A, 0, N * N * sizeof *A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 2.0;
    if (i > 0) A[i * N + i - 1] = A[(i - 1) * N + i] = -1.0;
  }
}

// Consistent mass of linear rods: (1, 4, 1)/6, eigenvalues in [1/3, 1].
static void rod_mass(double *B)
{
  memset(B, 0, N * N * sizeof *B);
  for (int i = 0; i < N; i++) {
    B[i * N + i] = 4.0 / 6.0;
    if (i > 0) B[i * N + i - 1] = B[(i - 1) * N + i] = 1.0 / 6.0;
  }
}

// |A V - B V Λ| and |Vᵀ B V - I| stay below tol.
static void check_pairs(const double *A, const double *B, const double *w, const double *V,
                        double tol)
{
  double AV[N * N], BV[N * N], G[N * N];
  mw_gemm('n', 'n', N, N, N, 1.0, A, V, 0.0, AV);
  mw_gemm('n', 'n', N, N, N, 1.0, B, V, 0.0, BV);
  mw_gemm('t', 'n', N, N, N, 1.0, V, BV, 0.0, G);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      MW_NEAR(AV[i * N + j], BV[i * N + j] * w[j], tol);
      MW_NEAR(G[i * N + j], i == j, tol);
    }
}

static void eigenpairs_of_a_chain_are_known(void)
{
  double A[N * N], S[N * N], I[N * N] = { 0 }, V[N * N], w[N], pi = acos(-1.0);
  mw_error err;
  for (int i = 0; i < N; i++) I[i * N + i] = 1.0;
  chain(A);
  chain(S);
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) S[i * N + j] = (double)NAN;  // the lower triangle is enough
  MW_OKAY(mw_eig_sym(N, S, w, V, &err));
  double tol = 10.0 * N * DBL_EPSILON * 4.0;  // p(n) eps |A|, |A| < 4
  for (int k = 0; k < N; k++) MW_NEAR(w[k], 2.0 - 2.0 * cos((k + 1) * pi / (N + 1)), tol);
  check_pairs(A, I, w, V, tol);
  chain(S);
  for (int k = 0; k < N; k++) w[k] = (double)NAN;
  MW_OKAY(mw_eig_sym(N, S, w, NULL, &err));  // the values alone
  for (int k = 0; k < N; k++) MW_NEAR(w[k], 2.0 - 2.0 * cos((k + 1) * pi / (N + 1)), tol);
}

// Linear rods: λ_k = 6 (2 - 2c)/(4 + 2c), c = cos(kπ/(n+1)).
static void generalized_eigenpairs_of_rods_are_known(void)
{
  double A[N * N], B[N * N], S[N * N], T[N * N], V[N * N], w[N], pi = acos(-1.0);
  mw_error err;
  chain(A);
  chain(S);
  rod_mass(B);
  rod_mass(T);
  MW_OKAY(mw_eig_gen(N, S, T, w, V, &err));
  // p(n) eps (|A||B⁻¹| + cond(B) λ), with |A| < 4, |B⁻¹| < 3, cond(B) < 3, λ < 12
  double tol = 10.0 * N * DBL_EPSILON * (4.0 * 3.0 + 3.0 * 12.0);
  for (int k = 0; k < N; k++) {
    double c = cos((k + 1) * pi / (N + 1));
    MW_NEAR(w[k], 6.0 * (2.0 - 2.0 * c) / (4.0 + 2.0 * c), tol);
  }
  check_pairs(A, B, w, V, tol);
  memset(T, 0, sizeof T);
  chain(S);
  MW_FAILS(mw_eig_gen(N, S, T, w, V, &err), MW_ERR_NUMERIC);
}

// A = H1 diag(s) H2 with reflections H = I - 2 v vᵀ/|v|², s = min, ..., 2, 1.
static void reflected(int m, int n, double *A)
{
  double v1[M_TALL], v2[M_TALL], q1 = 0.0, q2 = 0.0;
  int k = m < n ? m : n;
  for (int i = 0; i < M_TALL; i++) {
    v1[i] = i < m ? 1.0 + noise(i) : 0.0;
    v2[i] = i < n ? 1.0 + noise(50 + i) : 0.0;
    q1 += v1[i] * v1[i];
    q2 += v2[i] * v2[i];
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = 0.0;
      for (int l = 0; l < k; l++)
        A[i * n + j] +=
            ((i == l) - 2.0 * v1[i] * v1[l] / q1) * (k - l) * ((l == j) - 2.0 * v2[l] * v2[j] / q2);
    }
}

static void check_svd(int m, int n)
{
  double A[M_TALL * M_TALL], S[M_TALL * M_TALL], U[M_TALL * M_TALL], Vt[M_TALL * M_TALL];
  double sv[M_TALL], only[M_TALL];
  int k = m < n ? m : n;
  size_t bytes = (size_t)(m * n) * sizeof *A;
  mw_error err;
  reflected(m, n, A);
  memcpy(S, A, bytes);
  MW_OKAY(mw_svd(m, n, S, sv, U, Vt, &err));
  double tol = 10.0 * (m + n) * DBL_EPSILON *
               k;  // p(m, n) eps |A|, |A| = k; the fixture's own rounding included
  for (int i = 0; i < k; i++) MW_NEAR(sv[i], k - i, tol);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double a = 0.0;
      for (int l = 0; l < k; l++) a += U[i * k + l] * sv[l] * Vt[l * n + j];
      MW_NEAR(a, A[i * n + j], tol);
    }
  for (int p = 0; p < k; p++)
    for (int q = 0; q < k; q++) {
      double u = 0.0;
      for (int i = 0; i < m; i++) u += U[i * k + p] * U[i * k + q];
      MW_NEAR(u, p == q, tol);
      MW_NEAR(mw_dot(n, Vt + p * n, Vt + q * n), p == q, tol);
    }
  memcpy(S, A, bytes);
  MW_OKAY(mw_svd(m, n, S, only, NULL, NULL, &err));
  for (int i = 0; i < k; i++) MW_NEAR(only[i], k - i, tol);
  memcpy(S, A, bytes);
  memset(Vt, 0, sizeof Vt);
  MW_OKAY(mw_svd(m, n, S, only, NULL, Vt, &err));
  MW_NEAR(mw_dot(n, Vt, Vt), 1.0, tol);
}

static void singular_values_of_reflected_diagonals_are_known(void)
{
  check_svd(M_TALL, N_TALL);
  check_svd(N_TALL, M_TALL);
  check_svd(N_TALL, N_TALL);
}

// Two equal columns: the least-norm solution shares their coefficient evenly.
static void least_squares_is_of_least_norm(void)
{
  double A[M_TALL * 3], S[M_TALL * 3], b[M_TALL], x[3];
  int rank = -1;
  mw_error err;
  for (int i = 0; i < M_TALL; i++) {
    A[i * 3] = A[i * 3 + 2] = 1.0;
    A[i * 3 + 1] = i - 4;
    b[i] = 5.0 + 3.0 * (i - 4) + (i == 0 || i == 8) -
           2.0 * (i == 4);  // the rest is orthogonal to 1 and i - 4
  }
  memcpy(S, A, sizeof A);
  MW_OKAY(mw_lstsq(M_TALL, 3, S, b, 1e-12, x, &rank, &err));
  MW_CHECK(rank == 2);
  // error <= p eps cond |x|, and p eps cond² |r|/|A| (Higham2002, th. 20.1); cond² = 60/18, |r| <
  // 3, |b| < 40
  double tol = 10.0 * M_TALL * DBL_EPSILON * 40.0 * (60.0 / 18.0);
  MW_WITHIN(x[0], 2.5, tol, "Higham's bound for the worst matrix");
  MW_WITHIN(x[1], 3.0, tol, "Higham's bound for the worst matrix");
  MW_WITHIN(x[2], 2.5, tol, "Higham's bound for the worst matrix");
  memset(S, 0, sizeof S);
  MW_OKAY(mw_lstsq(M_TALL, 3, S, b, 1e-12, x, &rank, &err));
  MW_CHECK(rank == 0 && x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
  memcpy(S, A, sizeof A);
  MW_OKAY(mw_lstsq(2, 3, S, b, 1e-12, x, NULL, &err));  // fewer rows than unknowns
  double exact = 100.0 * DBL_EPSILON * 40.0;            // p eps cond |b|, cond < 10
  MW_NEAR(x[0] + x[2] - 4.0 * x[1], b[0], exact);
  MW_NEAR(x[0] - x[2], 0.0, exact);
}

static void expect_inertia(int n, double *A, int want_neg, int want_zero)
{
  int neg = -1, zero = -1;
  mw_error err;
  MW_OKAY(mw_inertia(n, A, &neg, &zero, &err));
  MW_CHECK(neg == want_neg);
  MW_CHECK(zero == want_zero);
}

// L D Lᵀ with unit lower L of small integers is exact, so its inertia is that of D.
static void inertia_is_that_of_the_diagonal(void)
{
  double L[N * N] = { 0 }, LD[N * N], A[N * N];
  for (int n_zero = 0; n_zero <= 4; n_zero += 2) {
    int neg = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++) L[i * N + j] = i == j ? 1.0 : (i - j) % 5 == 1 ? 1.0 : 0.0;
    for (int j = 0; j < N; j++) {
      double d = j < n_zero ? 0.0 : j % 3 == 0 ? -2.0 : 3.0;
      neg += d < 0.0;
      for (int i = 0; i < N; i++) LD[i * N + j] = L[i * N + j] * d;
    }
    mw_gemm('n', 't', N, N, N, 1.0, LD, L, 0.0, A);
    expect_inertia(N, A, neg, n_zero);
  }
  double swap[4] = { 0, 1, 1, 0 }, none[9] = { 0 }, one[1] = { -3 };
  expect_inertia(2, swap, 1, 0);
  expect_inertia(3, none, 0, 3);
  expect_inertia(1, one, 1, 0);
}

// [K Cᵀ; C 0] with definite K and c independent rows has c negative values, a repeated row one zero
// more; whatever the units: K in N/m, C without.
static void inertia_counts_constraints_in_any_units(void)
{
  enum { NK = 6, NC = 3, NS = NK + NC };
  double stiffness[3] = { 1.0, 1e11, 1e-9 };
  for (int u = 0; u < 3; u++)
    for (int twice = 0; twice <= 1; twice++) {
      double A[NS * NS] = { 0 };
      for (int i = 0; i < NK; i++) {
        A[i * NS + i] = 2.0 * stiffness[u];
        if (i > 0) A[i * NS + i - 1] = A[(i - 1) * NS + i] = -stiffness[u];
      }
      for (int c = 0; c < NC; c++) {
        int at = twice && c == 2 ? 0 : 2 * c;
        A[(NK + c) * NS + at] = A[at * NS + NK + c] = 1.0;
      }
      expect_inertia(NS, A, twice ? NC - 1 : NC, twice);
    }
}

// A x = b with the zero block and the units of above: after scaling, where entries are below 2,
// what is left of row i is that of a backward stable solve, 10 n ε (|S A S| |S⁻¹ x| + |S b|).
static void symmetric_indefinite_matrices_are_solved_in_any_units(void)
{
  enum { NK = 6, NC = 3, NS = NK + NC, RHS = 2, LD = NS + 1 };
  static const double stiffness[3] = { 1.0, 1e11, 1e-9 };
  for (int u = 0; u < 3; u++) {
    double A[NS * NS] = { 0 }, F[NS * NS], scale[NS], b[RHS * LD], x[RHS * LD];
    int piv[NS], neg = -1, zero = -1;
    mw_error err;
    for (int i = 0; i < NK; i++) {
      A[i * NS + i] = 2.0 * stiffness[u];
      if (i > 0) A[i * NS + i - 1] = A[(i - 1) * NS + i] = -stiffness[u];
    }
    for (int c = 0; c < NC; c++) A[(NK + c) * NS + 2 * c] = A[2 * c * NS + NK + c] = 1.0;
    for (int i = 0; i < RHS * LD; i++) b[i] = x[i] = i % 5 - 1.5;
    memcpy(F, A, sizeof A);
    MW_OKAY(mw_sym_factor(NS, F, scale, piv, &neg, &zero, &err));
    MW_CHECK(neg == NC && zero == 0);
    mw_sym_solve(NS, F, scale, piv, RHS, LD, x);
    for (int k = 0; k < RHS; k++) {
      double y = 0.0, c = 0.0;
      const double *xk = x + k * LD, *bk = b + k * LD;
      for (int i = 0; i < NS; i++) y = fmax(y, fabs(xk[i] / scale[i]));
      for (int i = 0; i < NS; i++) c = fmax(c, fabs(scale[i] * bk[i]));
      for (int i = 0; i < NS; i++) {
        double left = -bk[i];
        for (int j = 0; j < NS; j++) left += A[i * NS + j] * xk[j];
        double bound = 10.0 * NS * DBL_EPSILON * (4.0 * 2.0 * y + c);  // four entries a row
        MW_WITHIN(scale[i] * left, 0.0, bound, "Higham's bound for the worst matrix");
      }
      MW_CHECK(xk[NS] == bk[NS]);
    }
  }
}

static void pivoted_cholesky_drops_dependent_rows(void)
{
  // rows: x, y, x + y, z, 2 y
  double J[5 * 3] = { 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 2, 0 }, A[25];
  int keep[5], rank = -1;
  mw_error err;
  mw_gemm('n', 't', 5, 5, 3, 1.0, J, J, 0.0, A);
  MW_OKAY(mw_chol_pivoted(5, A, 1e-10, keep, &rank, &err));
  MW_CHECK(rank == 3);
  MW_CHECK(keep[0] + keep[1] + keep[2] + keep[3] + keep[4] == 3);
  MW_CHECK(keep[4] == 1 && keep[3] == 1);  // the largest pivot, and the only row with z
  memset(A, 0, sizeof A);
  MW_OKAY(mw_chol_pivoted(5, A, 1e-10, keep, &rank, &err));
  MW_CHECK(rank == 0 && keep[0] == 0 && keep[4] == 0);
  A[6] = -1.0;
  MW_FAILS(mw_chol_pivoted(5, A, 1e-10, keep, &rank, &err), MW_ERR_NUMERIC);
}

static void singular_and_indefinite_matrices_are_refused(void)
{
  double A[9] = { 1, 2, 3, 2, 4, 6, 1, 0, 1 }, S[4] = { 1, 2, 2, 1 };
  int piv[3];
  mw_error err;
  MW_FAILS(mw_lu_factor(3, A, piv, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_chol_factor(2, S, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "pivot 2") != NULL);
}

static void what_is_not_finite_is_refused(void)
{
  double A[4] = { 1, 2, (double)NAN, 1 }, B[4] = { 1, 0, 0, 1 }, w[2], V[4], b[2] = { 1, 1 };
  double bad[2] = { 1, (double)INFINITY };
  int piv[2], k1, k2;
  mw_error err;
  MW_FAILS(mw_lu_factor(2, A, piv, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_chol_factor(2, A, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_eig_sym(2, A, w, V, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_eig_gen(2, A, B, w, V, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_eig_gen(2, B, A, w, V, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_svd(2, 2, A, w, NULL, NULL, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_lstsq(2, 2, A, b, 0.0, w, &k1, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_lstsq(2, 2, B, bad, 0.0, w, &k1, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_inertia(2, A, &k1, &k2, &err), MW_ERR_NUMERIC);
  MW_FAILS(mw_chol_pivoted(2, A, 0.0, piv, &k1, &err), MW_ERR_NUMERIC);
}

static void empty_matrices_are_no_trouble(void)
{
  mw_error err;
  int k1 = -1, k2 = -1;
  double x[1] = { 7.0 };
  mw_gemm('n', 'n', 0, 0, 0, 1.0, x, x, 0.0, x);
  mw_gemm('n', 't', 1, 1, 0, 1.0, x, x, 2.0, x);  // no inner length: C := beta C
  MW_NEAR(x[0], 14.0, 0.0);
  MW_OKAY(mw_lu_factor(0, NULL, NULL, &err));
  mw_lu_solve(0, NULL, NULL, 2, NULL);
  MW_OKAY(mw_chol_factor(0, NULL, &err));
  mw_chol_solve(0, NULL, 2, NULL);
  MW_OKAY(mw_eig_sym(0, NULL, NULL, NULL, &err));
  MW_OKAY(mw_eig_gen(0, NULL, NULL, NULL, NULL, &err));
  MW_OKAY(mw_svd(0, 3, NULL, NULL, NULL, NULL, &err));
  MW_OKAY(mw_lstsq(0, 1, NULL, NULL, 0.0, x, &k1, &err));
  MW_CHECK(x[0] == 0.0 && k1 == 0);
  MW_OKAY(mw_inertia(0, NULL, &k1, &k2, &err));
  MW_CHECK(k1 == 0 && k2 == 0);
  MW_OKAY(mw_chol_pivoted(0, NULL, 0.0, NULL, &k1, &err));
}

static void normals_span_the_plane_across(void)
{
  static const double axis[4][3] = { { 1, 0, 0 }, { 0, -2, 0 }, { 3, 4, 12 }, { -1, 1e-9, 1 } };
  for (int a = 0; a < 4; a++) {
    double n = mw_norm3(axis[a]), R[9], RT[9], G[9], x[3] = { 1, 2, 3 }, y[3], z[3], c[3];
    mw_normals3(axis[a], R, R + 3);
    for (int i = 0; i < 3; i++) R[6 + i] = axis[a][i] / n;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) RT[3 * j + i] = R[3 * i + j];
    mw_mul33(R, RT, G);
    double tol =
        8.0 *
        DBL_EPSILON;  // two normalizations and one product, each a few roundings of numbers below 1
    for (int i = 0; i < 9; i++) MW_NEAR(G[i], i % 4 == 0, tol);
    mw_cross3(R, R + 3, c);
    for (int i = 0; i < 3; i++) MW_NEAR(c[i], R[6 + i], tol);
    mw_mul33v(R, x, y);
    mw_mul33tv(R, y, z);
    for (int i = 0; i < 3; i++) MW_NEAR(z[i], x[i], 4.0 * tol * mw_norm3(x));
  }
}

// exp(r~) leaves lengths and its axis alone, and turns by |r|; the moment along dr is the
// derivative of the work m·turn
static void rotation_vectors_turn_by_their_length(void)
{
  static const double size[5] = { 0.0, 1e-9, 0.049, 0.051, 2.5 },
                      u[3] = { 2.0 / 7, 3.0 / 7, 6.0 / 7 };
  for (int k = 0; k < 5; k++) {
    double r[3], x[3] = { 3.0 / 7, -6.0 / 7, 2.0 / 7 }, y[3], c[3], m[3], f[3];
    for (int i = 0; i < 3; i++) r[i] = size[k] * u[i];
    mw_turn3(r, x, y);  // x is across the axis
    mw_cross3(u, x, c);
    // a dozen roundings of numbers of size one; sizes 0.049 and 0.051: the series leaves out 1e-16
    for (int i = 0; i < 3; i++)
      MW_NEAR(y[i], cos(size[k]) * x[i] + sin(size[k]) * c[i], 16 * DBL_EPSILON);
    mw_turn3(r, u, y);
    for (int i = 0; i < 3; i++) MW_NEAR(y[i], u[i], 16 * DBL_EPSILON);
    static const double w[3] = { 0.3, -0.5, 0.7 }, v[3] = { -0.2, 0.9, 0.4 };
    mw_turn3(r, v, y);
    mw_cross3(y, w, m);
    mw_turn_moment3(r, m, f);
    for (int i = 0; i < 3; i++) {
      const double h = 1e-4;
      double W[4];
      for (int s = 0; s < 4; s++) {
        static const double at[4] = { 1.0, -1.0, 2.0, -2.0 };
        double q[3] = { r[0], r[1], r[2] };
        q[i] += at[s] * h;
        mw_turn3(q, v, y);
        W[s] = mw_dot3(w, y);
      }
      // differences of fourth order: h⁴/30 of a fifth derivative below ten, rounding ε/h
      MW_NEAR((8.0 * (W[0] - W[1]) - (W[2] - W[3])) / (12.0 * h), f[i],
              h * h * h * h + 8 * DBL_EPSILON / h);
    }
  }
}

static void eigenvalues_of_any_matrix(void)
{
  // companion of (z − 2)(z² − 2z + 5): 2, 1 ± 2i
  double A[9] = { 4.0, -9.0, 10.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0 }, re[3], im[3];
  mw_error err = { 0 };
  int real = 0, pairs = 0;
  if (!MW_OKAY(mw_eig_any(3, A, re, im, &err))) return;
  for (int i = 0; i < 3; i++) {
    bool is_real = im[i] == 0.0;
    real += is_real;
    pairs += !is_real;
    MW_NEAR(re[i], is_real ? 2.0 : 1.0, 1e-13);
    MW_NEAR(fabs(im[i]), is_real ? 0.0 : 2.0, 1e-13);
  }
  MW_CHECK(real == 1 && pairs == 2);
  A[4] = NAN;
  MW_FAILS(mw_eig_any(3, A, re, im, &err), MW_ERR_NUMERIC);
}

// exp of [σ −ω; ω σ] t is e^(σt) times a turn by ωt; each of its s squarings doubles what rounding
// did: 2^s ε of the norm before, |A| t = 2^s/4.
static void exponential_of_a_turn(void)
{
  const double sigma = -0.3, w = 40.0;
  double A[4] = { sigma, -w, w, sigma }, E[4];
  mw_error err = { 0 };
  if (!MW_OKAY(mw_exp_any(2, A, E, &err))) return;
  MW_NEAR(E[0], exp(sigma) * cos(w), 1e-12);
  MW_NEAR(E[2], exp(sigma) * sin(w), 1e-12);
  MW_NEAR(E[1], -E[2], 1e-15);
  A[0] = INFINITY;
  MW_FAILS(mw_exp_any(2, A, E, &err), MW_ERR_NUMERIC);
}

// Sums of rows have the bits of one row after the other, whatever their number and distance.
static void sums_of_rows_are_those_of_one_after_the_other(void)
{
  enum { LONG = 37, ROWS = 11, APART = 40 };
  double X[ROWS * APART], alpha[ROWS], y[LONG], z[LONG];
  for (int i = 0; i < ROWS * APART; i++) X[i] = sin(1.0 + 3.7 * i);
  for (int a = 0; a < ROWS; a++) alpha[a] = cos(2.0 + 1.3 * a);
  for (int k = 0; k <= ROWS; k++) {
    for (int i = 0; i < LONG; i++) y[i] = z[i] = 0.1 * i;
    for (int a = 0; a < k; a++) mw_axpy(LONG, alpha[a], X + a * APART, y);
    mw_axpy_rows(LONG, k, alpha, X, APART, z);
    MW_SAME_BITS(y, z, LONG);
  }
}

// Rows of rank 3 need three others; of rows that are left more than tol, more are taken. (V − V QᵀQ
// has the squares of `left`; products of 17 numbers of size 2 round by 17·4 eps.)
static void spans_leave_no_row_more_than_the_tolerance(void)
{
  enum { ROWS = 12, RANK = 3 };
  double V[ROWS * N], W[ROWS * N], Q[ROWS * N], left[ROWS];
  for (int i = 0; i < ROWS * N; i++) V[i] = 0.0;
  for (int i = 0; i < ROWS; i++)
    for (int r = 0; r < RANK; r++)
      for (int k = 0; k < N; k++) V[i * N + k] += noise(ROWS * r + i) * noise(1000 + N * r + k);
  memcpy(W, V, sizeof V);
  double round = 100.0 * N * DBL_EPSILON;
  MW_CHECK(mw_span_choose(ROWS, N, W, round, ROWS, left, Q) == RANK);
  for (int i = 0; i < ROWS; i++) V[i * N + i] += 1e-3 * (i + 1);
  memcpy(W, V, sizeof V);
  int rank = mw_span_choose(ROWS, N, W, 4e-3, ROWS, left, Q);
  MW_CHECK(rank > RANK && rank < ROWS);
  for (int a = 0; a < rank; a++)
    for (int b = 0; b < rank; b++)
      MW_WITHIN(mw_dot(N, Q + a * N, Q + b * N), a == b, round / 4e-3, "rows as small as the tol");
  for (int i = 0; i < ROWS; i++) {
    for (int a = 0; a < rank; a++) {
      double by = mw_dot(N, Q + a * N, V + i * N);
      mw_axpy(N, -by, Q + a * N, V + i * N);
    }
    double rest = sqrt(mw_dot(N, V + i * N, V + i * N));
    MW_CHECK(rest <= 4e-3);
    MW_WITHIN(rest, sqrt(left[i]), round / 4e-3, "rows as small as the tolerance");
  }
  MW_CHECK(mw_span_choose(ROWS, N, W, 0.0, 1, left, Q) == 1);
  MW_CHECK(mw_span_choose(0, N, W, 0.0, 1, left, Q) == 0);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "spans_leave_no_row_more_than_the_tolerance", spans_leave_no_row_more_than_the_tolerance },
    { "sums_of_rows_are_those_of_one_after_the_other",
      sums_of_rows_are_those_of_one_after_the_other },
    { "products_of_integers_are_exact", products_of_integers_are_exact },
    { "lu_solves_what_needs_pivots", lu_solves_what_needs_pivots },
    { "cholesky_solves_and_leaves_the_upper_triangle",
      cholesky_solves_and_leaves_the_upper_triangle },
    { "eigenpairs_of_a_chain_are_known", eigenpairs_of_a_chain_are_known },
    { "generalized_eigenpairs_of_rods_are_known", generalized_eigenpairs_of_rods_are_known },
    { "singular_values_of_reflected_diagonals_are_known",
      singular_values_of_reflected_diagonals_are_known },
    { "least_squares_is_of_least_norm", least_squares_is_of_least_norm },
    { "inertia_is_that_of_the_diagonal", inertia_is_that_of_the_diagonal },
    { "inertia_counts_constraints_in_any_units", inertia_counts_constraints_in_any_units },
    { "symmetric_indefinite_matrices_are_solved_in_any_units",
      symmetric_indefinite_matrices_are_solved_in_any_units },
    { "pivoted_cholesky_drops_dependent_rows", pivoted_cholesky_drops_dependent_rows },
    { "singular_and_indefinite_matrices_are_refused",
      singular_and_indefinite_matrices_are_refused },
    { "what_is_not_finite_is_refused", what_is_not_finite_is_refused },
    { "empty_matrices_are_no_trouble", empty_matrices_are_no_trouble },
    { "normals_span_the_plane_across", normals_span_the_plane_across },
    { "rotation_vectors_turn_by_their_length", rotation_vectors_turn_by_their_length },
    { "eigenvalues_of_any_matrix", eigenvalues_of_any_matrix },
    { "exponential_of_a_turn", exponential_of_a_turn },
  };
  return mw_test_run("base_dense", cases, (int)(sizeof cases / sizeof *cases));
}
