// SPDX-License-Identifier: BSD-3-Clause
// lanczos.c: eigenpairs of largest |ν| of an operator that is symmetric in M, by block Lanczos.
//
//   OP x = ν x ,  OP = (K − σM)⁻¹ M on the space that constraints leave ,  λ = σ + 1/ν          (1)
//   OP Vᵀ = Vᵀ T + Qᵀ Rᵀ E ,   V M Vᵀ = 1 ,  V M Qᵀ = 0          rows of V: the basis, of Q:
//       its next block      (2)
//   T y = ν y :   |OP x − ν x|_M = |Rᵀ y_last| ,  x = Vᵀ y + Qᵀ Rᵀ y_last / ν                   (3)
//
// Every new block is orthogonalised twice against the whole basis, T is the projection that
// comes with it. A full basis is thinned to its best Ritz vectors (thick restart): then T =
// diag(ν), and the next block couples with all of them. The last term of x is one more step of OP,
// free of cost, which also keeps x on the constrained space. Start: OP applied to fixed
// pseudo-random vectors, so that two runs give the same bits.
//
// Why not one vector at a time: a right-hand side costs the reading of the factor, eight together
// cost twice that (measured with 150,000 unknowns of hexahedra: 0.18 s against 0.35 s); and a block
// holds all of several equal eigenvalues, of which the iteration with one vector may see but one.
// Completeness is proved elsewhere, prove.c.
// Cost: blocks × (solve with 8 right-hand sides + 3 products with M + O(n p)), p columns of basis;
// memory n (p + 24). Grimes, Lewis, Simon, SIAM J. Matrix Anal. Appl. 15 (1994) 228; Wu, Simon,
// ibid. 22 (2000) 602.
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/dense.h"
#include "lanczos_layer.h"

enum { BLOCK = 8, BLOCKS_MOST = 4000, WIDTH = 512 };
static const double TOL = 1e-13;                 // |OP x − ν x| over ν; x is better by (3)
static const double FLOOR = 10.0 * DBL_EPSILON;  // of the largest ν: what OP itself rounds to
static const double GONE =
    1e-11;  // what is left of a vector after orthogonalisation, in M: below, it is rounding

typedef struct lanczos {
  const mw_operator *op;
  double nu_least;    // pairs down to here are wanted, and one more; 0: `want` pairs
  int n, want, most;  // unknowns; modes; largest basis
  int p, last, b;     // basis; first row of its last block; rows of the next block
  double *V;          // [(most + BLOCK) × n]  M-orthonormal, the next block after the basis
  double *MQ;         // [BLOCK × n]  M times the next block
  double *T;          // [most × most]
  double *R;          // [BLOCK × BLOCK]  last block's rows (2): W = R Q
  double *Y;          // [most × most]  columns: eigenvectors of T, by descending |ν|
  double *nu;         // [most]
  double *H;          // [BLOCK × most]
  double *work;       // [2 × max(BLOCK × n, most × WIDTH)]
  double *small;      // [2 × most × most + BLOCK × most]
  unsigned long long seed;
  mw_arena mem;
} lanczos;

// Arrays for a basis of `most`, what is there taken along.
static mw_code lanczos_alloc(lanczos *z, int most, mw_error *err)
{
  lanczos old = *z;
  z->most = most;
  size_t N = (size_t)z->n, P = (size_t)z->most;
  z->mem = (mw_arena){ 0 };
  z->V = mw_arena_f64(&z->mem, (P + BLOCK) * N);
  z->MQ = mw_arena_f64(&z->mem, BLOCK * N);
  z->T = mw_arena_f64(&z->mem, P * P);
  z->R = mw_arena_f64(&z->mem, BLOCK * BLOCK);
  z->Y = mw_arena_f64(&z->mem, P * P);
  z->nu = mw_arena_f64(&z->mem, P);
  z->H = mw_arena_f64(&z->mem, BLOCK * P);
  z->work = mw_arena_f64(&z->mem, 2 * (BLOCK * N > P * WIDTH ? BLOCK * N : P * WIDTH));
  z->small = mw_arena_f64(&z->mem, 2 * P * P + BLOCK * P);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK && old.V) {
    memcpy(z->V, old.V, (size_t)(old.p + BLOCK) * N * sizeof *z->V);
    memcpy(z->MQ, old.MQ, BLOCK * N * sizeof *z->MQ);
    for (int i = 0; i < old.p; i++)
      memcpy(z->T + (size_t)i * P, old.T + i * old.most, (size_t)old.p * sizeof *z->T);
    memcpy(z->R, old.R, BLOCK * BLOCK * sizeof *z->R);
    memcpy(z->nu, old.nu, (size_t)old.p * sizeof *z->nu);
    memcpy(z->Y, old.Y, (size_t)old.p * (size_t)old.p * sizeof *z->Y);
  }
  mw_arena_free(&old.mem);
  return rc;
}

static int basis_for(int want, int n)
{
  return 3 * want + 4 * BLOCK < n ? 3 * want + 4 * BLOCK : n;
}

static mw_code lanczos_init(const mw_operator *op, int want, double nu_least, lanczos *z,
                            mw_error *err)
{
  *z = (lanczos){ .op = op, .n = op->n, .want = want, .nu_least = nu_least, .seed = 20091 };
  return lanczos_alloc(z, basis_for(want, op->n), err);
}

// With a limit: one pair more than those above it is wanted; the basis grows with their number.
static mw_code look_at_limit(lanczos *z, mw_error *err)
{
  if (z->nu_least == 0.0) return MW_OK;
  int above = 0;
  while (above < z->p && fabs(z->nu[above]) >= z->nu_least) above++;
  if (above + 1 <= z->want) return MW_OK;
  z->want = above + 1;
  int most = basis_for(z->want + z->want / 2, z->n);
  if (basis_for(z->want, z->n) <= z->most || most <= z->most) return MW_OK;
  return lanczos_alloc(z, most, err);
}

// Next block before orthogonalisation: OP applied to pseudo-random vectors (Park and Miller's
// generator).
static mw_code random_block(lanczos *z, int rows, mw_error *err)
{
  double *W = z->V + (size_t)z->p * (size_t)z->n;
  for (size_t i = 0; i < (size_t)rows * (size_t)z->n; i++) {
    z->seed = z->seed * 16807 % 2147483647;
    W[i] = (double)z->seed / 2147483647.0 - 0.5;
  }
  z->op->mul_M(z->op->ctx, rows, W, z->MQ, z->work);
  return z->op->solve(z->op->ctx, rows, z->MQ, W, err);
}

// W −= (W M Vᵀ) V, H [rows × p] := W M Vᵀ; MQ holds W M on entry
static void project_out(lanczos *z, int rows, double *W, double *H)
{
  if (z->p == 0) return;
  mw_gemm('n', 't', rows, z->p, z->n, 1.0, z->MQ, z->V, 0.0, H);
  mw_gemm('n', 'n', rows, z->n, z->p, -1.0, H, z->V, 1.0, W);
}

// W = R Q inside the block, rows that vanish against size [rows] dropped; R [rows × BLOCK]. MQ
// holds W M on entry, Q M on return. Returns the rows of Q.
static int orthonormal_rows(lanczos *z, int rows, double *W, const double *size, double *R)
{
  int n = z->n, q = 0;
  memset(R, 0, BLOCK * BLOCK * sizeof *R);
  for (int i = 0; i < rows; i++) {
    double *w = W + (size_t)i * (size_t)n, *Mw = z->MQ + (size_t)i * (size_t)n;
    for (int twice = 0; twice < 2; twice++)
      for (int j = 0; j < q; j++) {
        const double *v = W + (size_t)j * (size_t)n, *Mv = z->MQ + (size_t)j * (size_t)n;
        double h = mw_dot(n, v, Mw);
        mw_axpy(n, -h, v, w);
        mw_axpy(n, -h, Mv, Mw);
        R[i * BLOCK + j] += h;
      }
    double norm = sqrt(fmax(mw_dot(n, w, Mw), 0.0));
    if (!(norm > GONE * size[i])) continue;
    double *to = W + (size_t)q * (size_t)n, *Mto = z->MQ + (size_t)q * (size_t)n;
    for (int l = 0; l < n; l++) {
      to[l] = w[l] / norm;
      Mto[l] = Mw[l] / norm;
    }
    R[i * BLOCK + q++] = norm;
  }
  return q;
}

// H [rows × p] += R [rows × BLOCK] H2 [q × p]
static void add_product(int rows, int q, int p, const double *R, const double *H2, double *H)
{
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < q; k++)
      mw_axpy(p, R[i * BLOCK + k], H2 + (size_t)k * (size_t)p, H + (size_t)i * (size_t)p);
}

// R [rows × BLOCK] := R S, S [q × BLOCK]
static void times(int rows, int q, double *R, const double *S)
{
  for (int i = 0; i < rows; i++) {
    double row[BLOCK] = { 0.0 };
    for (int k = 0; k < q; k++) mw_axpy(BLOCK, R[i * BLOCK + k], S + k * BLOCK, row);
    memcpy(R + i * BLOCK, row, sizeof row);
  }
}

// Largest entry of H2 [q × p] and of W M Wᵀ − 1, MQ = W M
static double defect(const lanczos *z, int q, const double *W, const double *H2)
{
  double d = 0.0, G[BLOCK * BLOCK];
  for (int i = 0; i < q * z->p; i++) d = fmax(d, fabs(H2[i]));
  mw_gemm('n', 't', q, q, z->n, 1.0, W, z->MQ, 0.0, G);
  for (int i = 0; i < q * q; i++) d = fmax(d, fabs(G[i] - (i % (q + 1) == 0 ? 1.0 : 0.0)));
  return d;
}

// Rows p … p + rows of V made M-orthonormal to the basis and among themselves: H [rows × p] what
// the basis held, R the rest, MQ = Q M. z->b: their number that is left.
static void orthonormalise(lanczos *z, int rows, double *H, double *R)
{
  enum { PASSES = 4 };
  double *W = z->V + (size_t)z->p * (size_t)z->n, *H2 = z->small, size[BLOCK], S[BLOCK * BLOCK];
  z->op->mul_M(z->op->ctx, rows, W, z->MQ, z->work);
  for (int i = 0; i < rows; i++) {
    size_t o = (size_t)i * (size_t)z->n;
    size[i] = sqrt(fmax(mw_dot(z->n, W + o, z->MQ + o), 0.0));
  }
  project_out(z, rows, W, H);
  z->op->mul_M(z->op->ctx, rows, W, z->MQ, z->work);
  z->b = orthonormal_rows(z, rows, W, size, R);
  // again until nothing is left to take away: little may have remained of W
  for (int i = 0; i < BLOCK; i++) size[i] = 1.0;
  for (int pass = 0; pass < PASSES && z->b > 0; pass++) {
    int q = z->b;
    z->op->mul_M(z->op->ctx, q, W, z->MQ, z->work);
    project_out(z, q, W, H2);
    add_product(rows, q, z->p, R, H2, H);
    if (defect(z, q, W, H2) <= TOL) return;
    z->op->mul_M(z->op->ctx, q, W, z->MQ, z->work);
    z->b = orthonormal_rows(z, q, W, size, S);
    times(rows, q, R, S);
  }
}

// The next block joins the basis; (2) gives T's new rows and the block after it.
static mw_code step(lanczos *z, mw_error *err)
{
  int rows = z->b, first = z->p;
  z->last = first;
  z->p += rows;
  double *W = z->V + (size_t)z->p * (size_t)z->n;
  mw_code rc = z->op->solve(z->op->ctx, rows, z->MQ, W, err);
  if (rc != MW_OK) return rc;
  orthonormalise(z, rows, z->H, z->R);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < z->p; j++) {
      double h = z->H[i * z->p + j];
      if (j >= first) h = 0.5 * (h + z->H[(j - first) * z->p + first + i]);
      z->T[(first + i) * z->most + j] = z->T[j * z->most + first + i] = h;
    }
  return MW_OK;
}

// Eigenpairs of T by descending |ν|: nu [p], columns of Y [p × p].
static mw_code ritz(lanczos *z, mw_error *err)
{
  int p = z->p;
  double *A = z->small, *V = z->small + (size_t)p * (size_t)p, *w = z->H;
  for (int i = 0; i < p; i++) memcpy(A + i * p, z->T + i * z->most, (size_t)p * sizeof *A);
  mw_code rc = mw_eig_sym(p, A, w, V, err);
  for (int i = 0, lo = 0, hi = p - 1; rc == MW_OK && i < p; i++) {
    int from = fabs(w[lo]) > fabs(w[hi]) ? lo++ : hi--;
    z->nu[i] = w[from];
    for (int j = 0; j < p; j++) z->Y[j * p + i] = V[j * p + from];
  }
  return rc;
}

// t [BLOCK] := Rᵀ y_last of Ritz pair i
static void last_term(const lanczos *z, int i, double *t)
{
  memset(t, 0, BLOCK * sizeof *t);
  for (int r = z->last; r < z->p; r++)
    mw_axpy(BLOCK, z->Y[r * z->p + i], z->R + (r - z->last) * BLOCK, t);
}

static bool converged(const lanczos *z)
{
  double t[BLOCK];
  if (z->p < z->want) return false;
  for (int i = 0; i < z->want; i++) {
    last_term(z, i, t);
    if (!(sqrt(mw_dot(BLOCK, t, t)) <= fmax(TOL * fabs(z->nu[i]), FLOOR * fabs(z->nu[0]))))
      return false;
  }
  return true;
}

// Rows of C [k × p] V into the first k rows of V, columns by columns.
static void combine(lanczos *z, int k, const double *C)
{
  size_t n = (size_t)z->n;
  double *old = z->work, *new = z->work + (size_t)z->most *WIDTH;
  for (size_t o = 0; o < n; o += WIDTH) {
    size_t m = n - o < WIDTH ? n - o : WIDTH;
    for (size_t i = 0; i < (size_t)z->p; i++)
      memcpy(old + i * m, z->V + i * n + o, m * sizeof *old);
    mw_gemm('n', 'n', k, (int)m, z->p, 1.0, C, old, 0.0, new);
    for (size_t i = 0; i < (size_t)k; i++) memcpy(z->V + i * n + o, new + i *m, m * sizeof *old);
  }
}

// Thick restart: the best Ritz vectors, then the next block.
static void restart(lanczos *z)
{
  int p = z->p, k = z->want + (z->most - z->want - BLOCK) / 2;
  size_t n = (size_t)z->n;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < p; j++) z->small[i * p + j] = z->Y[j * p + i];
  combine(z, k, z->small);
  memmove(z->V + (size_t)k * n, z->V + (size_t)p * n, (size_t)z->b * n * sizeof *z->V);
  memset(z->T, 0, (size_t)z->most * (size_t)z->most * sizeof *z->T);
  for (int i = 0; i < k; i++) z->T[i * z->most + i] = z->nu[i];
  z->p = k;
}

static mw_code iterate(lanczos *z, mw_error *err)
{
  mw_code rc = random_block(z, BLOCK < z->most ? BLOCK : z->most, err);
  if (rc == MW_OK) orthonormalise(z, BLOCK < z->most ? BLOCK : z->most, z->H, z->R);
  for (int blocks = 0; rc == MW_OK && blocks < BLOCKS_MOST; blocks++) {
    if (z->p + z->b > z->n) z->b = z->n - z->p;  // more would be rounding
    if (z->p == z->n) return MW_OK;              // T is all of OP
    if (z->b == 0) {                             // the basis is an invariant space: another one
      int rows = z->most - z->p < BLOCK ? z->most - z->p : BLOCK;
      rc = random_block(z, rows, err);
      if (rc == MW_OK) orthonormalise(z, rows, z->H, z->R);
      if (rc == MW_OK && z->b == 0) break;
    } else if (z->p + z->b > z->most) {
      restart(z);
    }
    if (rc == MW_OK) rc = step(z, err);
    if (rc == MW_OK) rc = ritz(z, err);
    if (rc == MW_OK) rc = look_at_limit(z, err);
    if (rc == MW_OK && converged(z)) return MW_OK;
  }
  if (rc != MW_OK) return rc;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "%d modes asked for, the iteration found %d motions and no more", z->want, z->p);
}

// X [want × n] of (3), by descending |ν|
static void extract(lanczos *z, double *X)
{
  int m = z->p + z->b;
  double *C = z->small;  // [want × m]
  for (int i = 0; i < z->want; i++) {
    double t[BLOCK];
    last_term(z, i, t);
    for (int j = 0; j < z->p; j++) C[i * m + j] = z->Y[j * z->p + i];
    for (int j = 0; j < z->b; j++) C[i * m + z->p + j] = t[j] / z->nu[i];
  }
  mw_gemm('n', 'n', z->want, z->n, m, 1.0, C, z->V, 0.0, X);
}

mw_code mw_lanczos(const mw_operator *op, int want, double nu_least, mw_arena *mem, int *n_found,
                   double **nu, double **X, mw_error *err)
{
  lanczos z;
  if (want > op->n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d modes asked for, there are %d unknowns", want,
                   op->n);
  mw_code rc = lanczos_init(op, want, nu_least, &z, err);
  if (rc == MW_OK) rc = iterate(&z, err);
  if (rc == MW_OK) {
    if (z.want > z.p) z.want = z.p;  // all there are
    *n_found = z.want;
    *nu = mw_arena_f64(mem, (size_t)z.want);
    *X = mw_arena_f64(mem, (size_t)z.want * (size_t)z.n);
    rc = mw_arena_check(mem, err);
  }
  if (rc == MW_OK) {
    memcpy(*nu, z.nu, (size_t)z.want * sizeof **nu);
    extract(&z, *X);
  }
  mw_arena_free(&z.mem);
  return rc;
}
