// SPDX-License-Identifier: BSD-3-Clause
// bodyreduce.c: body-level component mode synthesis u = T ζ (Craig and Bampton 1968), the peer of
// the system-level model.
//
//   S = K + σ M                        σ > 0 makes a free body's stiffness definite
//   C: K C = Pᵀ f, P C = 1             constraint modes, by C ← σ S⁻¹ M C + S⁻¹ Pᵀ f        (1)
//   Φ: eigenmodes with P Φ = 0         subspace iteration on S, the interface removed by C
//   T = [C, Φ]                         as it is: local shapes keep K well conditioned
//
// truncated: T is an M-orthonormal basis of R, of the leading combinations of S⁻¹Pᵀ and of free
// modes. Free bodies keep the floating-frame condition RᵀMu = 0; rigid motion is in the span of C.
// Cost: two factorizations, n_z solves an iteration of (1), n_modes an iteration for Φ.
#include "sim/bodyreduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/random.h"
#include "fem/factor.h"

static const double DROP = 1e-9;       // M-norm², relative, below which a combination is dropped
static const double HARMONIC = 1e-13;  // relative change of the constraint modes at the end of (1)
static const double TRUNCATE = 1e-3;   // interface compliance that truncation leaves out, relative
// relative pivot of the compliance of a functional that depends on others
static const double DEPENDENT = 1e-11;
enum { ITERATIONS = 30, HARMONIC_MAX = 100 };

typedef struct cms {
  const mw_body *b;
  mw_factor *S;
  double shift;
  int n_static, n_modes, n_rigid;
  double *T;  // [(6 + n_z + n_modes) × n_u] rows
  int *z_of;  // [n_static] functional of each static mode (all of them, not truncated)
  double *t, *z;
  mw_progress *progress;  // NULL: none is reported
  double solved;          // right-hand sides so far
  mw_arena mem;
} cms;

// X := S⁻¹ X, k rows
static mw_code solve(cms *c, int k, double *X, mw_error *err)
{
  enum { AT_ONCE = 32 };  // as mw_factor_solve takes them
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < k; i += AT_ONCE) {
    int m = k - i < AT_ONCE ? k - i : AT_ONCE;
    double *x = X + (size_t)i * (size_t)c->b->n_u;
    rc = mw_factor_solve(c->S, m, x, x, err);
    c->solved += m;
    mw_progress_step(c->progress, c->solved);
  }
  return rc;
}

static mw_code factor_shifted(cms *c, double shift, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_csc S;
  mw_factor_free(c->S);
  c->S = NULL;
  c->shift = shift;
  mw_code rc = mw_csc_add(1.0, &c->b->K, shift, &c->b->M, &tmp, &S, err);
  if (rc == MW_OK) rc = mw_factor_build(&S, true, &c->S, err);
  mw_arena_free(&tmp);
  return rc;
}

// First shift: far below the first elastic eigenvalue, far above the rounding errors of K over the
// body's mass.
static double small_shift(const mw_body *b)
{
  double big = 0.0;
  for (int j = 0; j < b->n_u; j++)
    if (b->K.ptr[j] < b->K.ptr[j + 1] && b->K.row[b->K.ptr[j]] == j)
      big = fmax(big, b->K.val[b->K.ptr[j]]);
  return 1e-10 * big / b->m;
}

// x := x − R (RᵀMR)⁻¹ RᵀM x, L the Cholesky factor of RᵀMR [6 × 6]
static void remove_rigid(cms *c, const double *L, double *x)
{
  double w[6] = { 0.0 };
  mw_csc_mul(&c->b->M, 1.0, x, 0.0, c->t);
  for (int i = 0; i < c->b->n_u; i++)
    for (int k = 0; k < 6; k++) w[k] += c->b->R[6 * i + k] * c->t[i];
  mw_chol_solve(6, L, 1, w);
  for (int i = 0; i < c->b->n_u; i++)
    for (int k = 0; k < 6; k++) x[i] -= c->b->R[6 * i + k] * w[k];
}

// The first elastic eigenvalue, roughly: Rayleigh quotient after a few inverse iterations.
static mw_code first_eigenvalue(cms *c, double *lambda, mw_error *err)
{
  enum { INVERSE_STEPS = 6 };
  const mw_body *b = c->b;
  double L[36] = { 0.0 }, *x = mw_arena_f64(&c->mem, (size_t)b->n_u);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int k = 0; rc == MW_OK && k < c->n_rigid; k++) {
    for (int i = 0; i < b->n_u; i++) x[i] = b->R[6 * i + k];
    mw_csc_mul(&b->M, 1.0, x, 0.0, c->t);
    for (int i = 0; i < b->n_u; i++)
      for (int l = 0; l < 6; l++) L[6 * k + l] += b->R[6 * i + l] * c->t[i];
  }
  if (rc == MW_OK && c->n_rigid > 0) rc = mw_chol_factor(6, L, err);
  unsigned long long seed = 1969;
  for (int i = 0; rc == MW_OK && i < b->n_u; i++) {
    seed = seed * 16807 % 2147483647;
    x[i] = (double)seed / 2147483647.0 - 0.5;
  }
  for (int it = 0; rc == MW_OK && it < INVERSE_STEPS; it++) {
    if (c->n_rigid > 0) remove_rigid(c, L, x);
    mw_csc_mul(&b->M, 1.0, x, 0.0, c->t);
    rc = mw_factor_solve(c->S, 1, c->t, x, err);
    double norm = sqrt(mw_dot(b->n_u, x, x));
    for (int i = 0; i < b->n_u; i++) x[i] /= norm;
  }
  if (rc != MW_OK) return rc;
  if (c->n_rigid > 0) remove_rigid(c, L, x);
  mw_csc_mul(&b->K, 1.0, x, 0.0, c->t);
  double V = mw_dot(b->n_u, x, c->t);
  mw_csc_mul(&b->M, 1.0, x, 0.0, c->t);
  *lambda = V / mw_dot(b->n_u, x, c->t);
  return MW_OK;
}

// S = K + σ M with σ the first elastic eigenvalue of a free body: then rigid and elastic parts of
// S⁻¹Pᵀ are of one size. A hundredth of it for a body whose nodes are fixed.
static mw_code factor(cms *c, mw_error *err)
{
  double lambda = 0.0;
  mw_code rc = factor_shifted(c, small_shift(c->b), err);
  if (rc == MW_OK) rc = first_eigenvalue(c, &lambda, err);
  return rc == MW_OK ? factor_shifted(c, c->n_rigid > 0 ? lambda : 0.01 * lambda, err) : rc;
}

// (1): C [n_static × n_u], at the start combinations of S⁻¹Pᵀ with P C = 1.
static mw_code make_harmonic(cms *c, double *C, mw_error *err)
{
  const mw_body *b = c->b;
  size_t n = (size_t)b->n_u, k = (size_t)c->n_static;
  double *C0 = mw_arena_f64(&c->mem, k * n), *X = mw_arena_f64(&c->mem, k * n), change = 1.0;
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) memcpy(C0, C, k * n * sizeof *C);
  for (int it = 0; rc == MW_OK && change > HARMONIC && it < HARMONIC_MAX; it++) {
    for (size_t j = 0; j < k; j++) mw_csc_mul(&b->M, c->shift, C + j * n, 0.0, X + j * n);
    rc = solve(c, c->n_static, X, err);
    change = 0.0;
    for (size_t j = 0; rc == MW_OK && j < k; j++) {
      double top = 0.0, moved = 0.0;
      mw_csc_mul(&b->P, 1.0, X + j * n, 0.0, c->z);
      for (size_t i = 0; i < k; i++)
        mw_axpy(b->n_u, (double)(i == j) - c->z[c->z_of[i]], C0 + i * n, X + j * n);
      for (size_t i = 0; i < n; i++) {
        top = fmax(top, fabs(X[j * n + i]));
        moved = fmax(moved, fabs(X[j * n + i] - C[j * n + i]));
        C[j * n + i] = X[j * n + i];
      }
      change = fmax(change, moved / top);
    }
  }
  return rc;
}

// Static modes X [n_z × n_u] of the functionals that are independent: one of a fixed node moves
// nothing, a node on a guide that carries a frame counts twice. F [n_z × n_z]: compliance P X.
static mw_code constraint_modes(cms *c, const double *X, const double *F, mw_error *err)
{
  const mw_body *b = c->b;
  size_t n = (size_t)b->n_u, nz = (size_t)b->n_z;
  double *A = mw_arena_f64(&c->mem, nz * nz);
  int *keep = mw_arena_int(&c->mem, nz), rank = 0;
  c->z_of = mw_arena_int(&c->mem, nz);
  int *piv = mw_arena_int(&c->mem, nz);
  double *PT = mw_arena_f64(&c->mem, nz * nz);
  mw_code rc = mw_arena_check(&c->mem, err);
  // unit diagonal, so that metres and radians count alike
  for (size_t i = 0; rc == MW_OK && i < nz; i++)
    for (size_t j = 0; j < nz; j++) {
      double s = sqrt(F[i * nz + i] * F[j * nz + j]);
      A[i * nz + j] = s > 0.0 ? F[i * nz + j] / s : 0.0;
    }
  if (rc == MW_OK) rc = mw_chol_pivoted(b->n_z, A, DEPENDENT, keep, &rank, err);
  for (int i = 0; rc == MW_OK && i < b->n_z; i++) {
    if (!keep[i]) continue;
    memcpy(c->T + (size_t)(c->n_rigid + c->n_static) * n, X + (size_t)i * n, n * sizeof *X);
    c->z_of[c->n_static++] = i;
  }
  // constraint modes: T with P T = 1, shapes as local as can be
  size_t k = (size_t)c->n_static;
  for (size_t i = 0; rc == MW_OK && i < k; i++)
    for (size_t j = 0; j < k; j++) PT[i * k + j] = F[(size_t)c->z_of[j] * nz + (size_t)c->z_of[i]];
  if (rc == MW_OK && k > 0) rc = mw_lu_factor(c->n_static, PT, piv, err);
  if (rc == MW_OK && k > 0)
    mw_lu_solve(c->n_static, PT, piv, b->n_u, c->T + (size_t)c->n_rigid * n);
  if (rc == MW_OK && k > 0) rc = make_harmonic(c, c->T + (size_t)c->n_rigid * n, err);
  return rc;
}

// Static modes: all of them, or the leading combinations of the interface compliance P S⁻¹ Pᵀ.
static mw_code static_modes(cms *c, bool truncated, mw_error *err)
{
  const mw_body *b = c->b;
  size_t n = (size_t)b->n_u, nz = (size_t)b->n_z;
  double *X = mw_arena_f64(&c->mem, nz * n), *F = mw_arena_f64(&c->mem, nz * nz);
  double *w = mw_arena_f64(&c->mem, nz), *V = mw_arena_f64(&c->mem, nz * nz);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < b->P.n_col; j++)
    for (int k = b->P.ptr[j]; k < b->P.ptr[j + 1]; k++)
      X[(size_t)b->P.row[k] * n + (size_t)j] += b->P.val[k];
  rc = solve(c, b->n_z, X, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < nz; i++) mw_csc_mul(&b->P, 1.0, X + i * n, 0.0, F + i * nz);
  if (!truncated) return constraint_modes(c, X, F, err);
  double *T = c->T + (size_t)c->n_rigid * n;
  // combinations by descending compliance
  rc = mw_eig_sym(b->n_z, F, w, V, err);
  for (int k = b->n_z - 1; rc == MW_OK && k >= 0 && w[k] > TRUNCATE * w[b->n_z - 1]; k--) {
    double *row = T + (size_t)c->n_static++ * n;
    memset(row, 0, n * sizeof *row);
    for (size_t i = 0; i < nz; i++) mw_axpy(b->n_u, V[i * nz + (size_t)k], X + i * n, row);
  }
  return rc;
}

// Rows of T: M-orthonormal, nearly dependent combinations dropped; returns the number left in *k.
static mw_code orthonormalise(cms *c, double *T, int *k, mw_error *err)
{
  size_t n = (size_t)c->b->n_u, q = (size_t)*k;
  mw_arena tmp = { 0 };
  double *MT = mw_arena_f64(&tmp, q * n), *G = mw_arena_f64(&tmp, q * q),
         *w = mw_arena_f64(&tmp, q);
  double *V = mw_arena_f64(&tmp, q * q);
  mw_code rc = mw_arena_check(&tmp, err);
  int kept = *k;
  for (int pass = 0; rc == MW_OK && pass < 2; pass++) {
    q = (size_t)kept;
    // unit M-norm first, so that dropping does not depend on the units of a row
    for (size_t i = 0; i < q; i++) {
      mw_csc_mul(&c->b->M, 1.0, T + i * n, 0.0, c->t);
      double norm = sqrt(mw_dot(c->b->n_u, T + i * n, c->t));
      for (size_t j = 0; norm > 0.0 && j < n; j++) T[i * n + j] /= norm;
      for (size_t j = 0; norm > 0.0 && j < n; j++) MT[i * n + j] = c->t[j] / norm;
    }
    mw_gemm('n', 't', kept, kept, c->b->n_u, 1.0, T, MT, 0.0, G);
    rc = mw_eig_sym(kept, G, w, V, err);
    if (rc != MW_OK) break;
    int out = 0;
    for (int e = kept - 1; e >= 0 && w[e] > DROP * w[kept - 1]; e--, out++) {
      double *row = MT + (size_t)out * n;
      memset(row, 0, n * sizeof *row);
      for (size_t i = 0; i < q; i++)
        mw_axpy(c->b->n_u, V[i * q + (size_t)e] / sqrt(w[e]), T + i * n, row);
    }
    memcpy(T, MT, (size_t)out * n * sizeof *T);
    kept = out;
  }
  *k = kept;
  mw_arena_free(&tmp);
  return rc;
}

// x [n_u] less the static modes of its interface displacement
static void remove_interface(cms *c, double *x)
{
  size_t n = (size_t)c->b->n_u;
  mw_csc_mul(&c->b->P, 1.0, x, 0.0, c->z);
  for (int i = 0; i < c->n_static; i++)
    mw_axpy(c->b->n_u, -c->z[c->z_of[i]], c->T + (size_t)(c->n_rigid + i) * n, x);
}

// X [n_modes × n_u] := S⁻¹ M X with its interface displacement removed
static mw_code fixed_iterate(cms *c, double *X, mw_error *err)
{
  const mw_body *b = c->b;
  size_t n = (size_t)b->n_u, k = (size_t)c->n_modes;
  for (size_t j = 0; j < k; j++) {
    mw_csc_mul(&b->M, 1.0, X + j * n, 0.0, c->t);
    memcpy(X + j * n, c->t, n * sizeof *X);
  }
  mw_code rc = solve(c, c->n_modes, X, err);
  for (size_t j = 0; rc == MW_OK && c->z_of && j < k; j++) remove_interface(c, X + j * n);
  return rc;
}

static double mass_norm(cms *c, const double *x)
{
  mw_csc_mul(&c->b->M, 1.0, x, 0.0, c->t);
  return sqrt(mw_dot(c->b->n_u, x, c->t));
}

// Rows from `kept` on of X [n_all × n_u]: random, without interface displacement, M-orthonormal and
// so to the rows before. An iteration shrinks the highest modes beside the lowest by the ratio of
// their eigenvalues: those that it drops for that are made up here, where all are asked for.
// Returns how many rows there are: fewer than n_all where shapes are left that have no mass.
static int complete(cms *c, double *X, int kept, int n_all)
{
  static const double MASSLESS = 1e-6;  // M-norm of what is left, of that of a random shape
  size_t n = (size_t)c->b->n_u;
  uint64_t seed = 1970;
  for (int j = kept; j < n_all; j++) {
    double *x = X + (size_t)j * n;
    for (size_t i = 0; i < n; i++) x[i] = mw_random_unit(&seed) - 0.5;
    remove_interface(c, x);
    double before = mass_norm(c, x);
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < j; i++) {
        mw_csc_mul(&c->b->M, 1.0, x, 0.0, c->t);
        mw_axpy(c->b->n_u, -mw_dot(c->b->n_u, X + (size_t)i * n, c->t), X + (size_t)i * n, x);
      }
    double norm = mass_norm(c, x);
    if (!(norm > MASSLESS * before)) return j;
    for (size_t i = 0; i < n; i++) x[i] /= norm;
  }
  return n_all;
}

// Fixed-interface modes by subspace iteration; they need not be exact, the span of the lowest is
// what counts.
static mw_code fixed_modes(cms *c, double *modes, mw_error *err)
{
  size_t n = (size_t)c->b->n_u;
  int n_asked = c->n_modes;
  unsigned long long seed = 1968;
  for (size_t i = 0; i < (size_t)c->n_modes * n; i++) {
    seed = seed * 16807 % 2147483647;
    modes[i] = (double)seed / 2147483647.0 - 0.5;
  }
  mw_code rc = MW_OK;
  for (int it = 0; rc == MW_OK && it < ITERATIONS; it++) {
    rc = fixed_iterate(c, modes, err);
    if (rc == MW_OK) rc = orthonormalise(c, modes, &c->n_modes, err);
  }
  if (rc == MW_OK && c->z_of && n_asked == c->b->n_u - c->n_static)
    c->n_modes = complete(c, modes, c->n_modes, n_asked);
  return rc;
}

// Says what the basis costs: a pass of (1) shrinks what is left by σ/(λ + σ), λ the first elastic
// eigenvalue, where σ is λ (free bodies) or λ/100.
static void announce(cms *c, bool truncated)
{
  enum { LONGEST = 300 };
  char text[LONGEST];
  double gain = log(c->b->ground ? 101.0 : 2.0), passes = truncated ? 0.0 : -log(HARMONIC) / gain;
  double n = c->b->n_z * (1.0 + ceil(passes)) + (double)ITERATIONS * c->n_modes;
  if (!c->progress) return;
  snprintf(text, sizeof text,
           "basis of %.64s: %d unknowns, %d interface functionals, %d modes: two factorizations, "
           "some %.0f solutions",
           c->b->name, c->b->n_u, c->b->n_z, c->n_modes, n);
  mw_progress_note(c->progress, text);
  mw_progress_start(c->progress, "basis", n);
}

static mw_code build(cms *c, bool truncated, mw_arena *mem, mw_body *out, double **basis,
                     mw_error *err)
{
  const mw_body *b = c->b;
  size_t n = (size_t)b->n_u, nz = (size_t)b->n_z;
  c->n_rigid = b->ground ? 0 : 6;
  c->T = mw_arena_f64(&c->mem, ((size_t)c->n_rigid + nz + (size_t)c->n_modes) * n);
  c->t = mw_arena_f64(&c->mem, n);
  c->z = mw_arena_f64(&c->mem, nz);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) announce(c, truncated);
  if (rc == MW_OK) rc = factor(c, err);
  for (int k = 0; rc == MW_OK && k < c->n_rigid; k++)
    for (size_t i = 0; i < n; i++) c->T[(size_t)k * n + i] = b->R[6 * i + (size_t)k];
  if (rc == MW_OK) rc = static_modes(c, truncated, err);
  // no more modes than unknowns that the interface leaves
  if (!truncated && c->n_modes > b->n_u - c->n_static) c->n_modes = b->n_u - c->n_static;
  double *modes = c->T + (size_t)(c->n_rigid + c->n_static) * n;
  if (rc == MW_OK) rc = fixed_modes(c, modes, err);
  const double *T = c->T;
  int k = c->n_rigid + c->n_static + c->n_modes;
  if (rc == MW_OK && truncated) rc = orthonormalise(c, c->T, &k, err);
  if (!truncated) {
    T += (size_t)c->n_rigid * n;
    k -= c->n_rigid;
  }
  mw_arena *keep = basis ? mem : &c->mem;
  double *columns = mw_arena_f64(keep, n * (size_t)k);
  if (rc == MW_OK) rc = mw_arena_check(keep, err);
  if (basis) *basis = columns;
  for (size_t i = 0; rc == MW_OK && i < n; i++)
    for (size_t j = 0; j < (size_t)k; j++) columns[i * (size_t)k + j] = T[j * n + i];
  return rc == MW_OK ? mw_body_project(b, columns, k, mem, out, err) : rc;
}

mw_code mw_body_basis(const mw_body *full, int n_modes, bool truncated, mw_arena *mem, mw_body *out,
                      double **T, mw_error *err)
{
  const mw_basis_opt opt = { .n_modes = n_modes, .truncated = truncated };
  return mw_body_basis_by(full, &opt, mem, out, T, err);
}

mw_code mw_body_basis_by(const mw_body *full, const mw_basis_opt *opt, mw_arena *mem, mw_body *out,
                         double **T, mw_error *err)
{
  if (T) *T = NULL;
  if (full->n_u == 0) {
    *out = *full;
    return MW_OK;
  }
  cms c = { .b = full,
            .n_modes = opt->n_modes < full->n_u ? opt->n_modes : full->n_u,
            .progress = opt->progress };
  mw_code rc = build(&c, opt->truncated, mem, out, T, err);
  mw_progress_end(opt->progress);
  mw_factor_free(c.S);
  mw_arena_free(&c.mem);
  return rc;
}
