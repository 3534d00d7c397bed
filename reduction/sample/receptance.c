// SPDX-License-Identifier: BSD-3-Clause
// receptance.c: receptances between unit loads, θ held, modal damping ratio ζ.
//
//   H_ij(ω) = Σ_t b_ti b_tj g(λ_t) ,  g(λ) = 1/(λ − ω² + 2iζω√λ)                                (1)
// The modes a sample does not hold, all above λ_k, are known by two moments, static and first-order
// rest:
//   R0 = F0 − Σ b bᵀ/λ = Σ_{t>k} b bᵀ/λ_t ,   R1 = F1 − Σ b bᵀ/λ² = Σ_{t>k} b bᵀ/λ_t²           (2)
// R0 + ω² R1 is their sum to O(ω⁴). It is taken here as terms of (1) with the same two moments (a
// Gauss rule: the Ritz modes of the static solutions, deflated by the modes), so that the rest is
// damped and goes on smoothly:
//   R0 = L Lᵀ ,  L⁻¹ R1 L⁻ᵀ = V diag(ν) Vᵀ ,  λ_j = 1/ν_j ,  b_j = (L V)_j / √ν_j               (3)
// Error of a row i, ν̄ = 1/λ_k, ω² ν̄ < 1: what the rule may miss of Σ b² ω⁴ν³/(1 − ω²ν), and of
// 2ζω Σ b² ν^{3/2}, whose value lies between R1/√ν̄ and √(R0 R1) (Cauchy-Schwarz) for every measure
// with these moments; to first order in ζ
//   β_i = [ω⁴ ν̄ R1_ii + 2ζω (√(R0_ii R1_ii) − R1_ii/√ν̄)] / (1 − ω²ν̄) ,
//       |error of H_ij| <= √(β_i β_j)      (4)
// Cost: 4 n_term n_pair a frequency, by matrix products over blocks of frequencies.
#include "receptance_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"

// Part of a load's compliance below which the rest is rounding: solves err by some 1e-11, and two
// moments of what is below this would be noise.
static const double ROUNDING = 1e-9;
static const double NEGLIGIBLE = 1e-4;  // of the largest compliance of loads of the same kind
enum { BLOCK = 64 };

// ---- terms --------------------------------------------------------------------------------------

// (2), row-major [n_io × n_io], scaled by d_i d_j
static void moments(const mw_sample *z, const double *d, double *R0, double *R1)
{
  int n = z->n_io, nl = z->n_load;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double r0 = z->F0[i * nl + j], r1 = z->F1[i * nl + j];
      for (int t = 0; t < z->k; t++) {
        double bb = z->B[t * nl + i] * z->B[t * nl + j] / z->lambda[t];
        r0 -= bb;
        r1 -= bb / z->lambda[t];
      }
      R0[i * n + j] = R0[j * n + i] = d[i] * d[j] * r0;
      R1[i * n + j] = R1[j * n + i] = d[i] * d[j] * r1;
    }
}

typedef struct rest {
  int n, rank;
  double *d;                    // [n]  1/√F0_ii, 0: a load that does nothing
  double *R0, *R1, *U, *r, *T;  // [n × n], [n × n], [n × n], [n], [n × n]
  double *S, *V, *nu;           // [rank × rank], …, [rank]
  mw_arena mem;
} rest;

static mw_code rest_init(rest *w, const mw_sample *z, mw_error *err)
{
  size_t n = (size_t)z->n_io;
  *w = (rest){ .n = z->n_io };
  w->d = mw_arena_f64(&w->mem, n);
  w->r = mw_arena_f64(&w->mem, n);
  w->nu = mw_arena_f64(&w->mem, n);
  double **square[6] = { &w->R0, &w->R1, &w->U, &w->T, &w->S, &w->V };
  for (int i = 0; i < 6; i++) *square[i] = mw_arena_f64(&w->mem, n * n);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (int i = 0; rc == MW_OK && i < z->n_io; i++) {
    double f = z->F0[i * z->n_load + i];
    w->d[i] = f > 0.0 ? 1.0 / sqrt(f) : 0.0;
  }
  if (rc == MW_OK) moments(z, w->d, w->R0, w->R1);
  return rc;
}

// (3): L = U √r over the rank kept; nu in (0, nu_max]
static mw_code gauss(rest *w, double nu_max, mw_error *err)
{
  int n = w->n;
  memcpy(w->T, w->R0, (size_t)n * (size_t)n * sizeof(double));
  mw_code rc = mw_eig_sym(n, w->T, w->r, w->U, err);
  if (rc != MW_OK) return rc;
  int first = 0;
  while (first < n && w->r[first] <= ROUNDING) first++;
  int k = w->rank = n - first;
  if (k == 0) return MW_OK;
  // columns of U that are kept, packed; T = R1 U / √r, S = (U/√r)ᵀ T
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) w->U[i * k + j] = w->U[i * n + first + j];
  for (int j = 0; j < k; j++) w->r[j] = w->r[first + j];
  mw_gemm('n', 'n', n, k, n, 1.0, w->R1, w->U, 0.0, w->T);
  mw_gemm('t', 'n', k, k, n, 1.0, w->U, w->T, 0.0, w->S);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) w->S[i * k + j] /= sqrt(w->r[i] * w->r[j]);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < i; j++)
      w->S[i * k + j] = w->S[j * k + i] = 0.5 * (w->S[i * k + j] + w->S[j * k + i]);
  rc = mw_eig_sym(k, w->S, w->nu, w->V, err);
  for (int j = 0; j < k; j++) w->nu[j] = fmin(fmax(w->nu[j], ROUNDING * nu_max), nu_max);
  return rc;
}

mw_code mw_receptance_of(const mw_sample *z, double zeta, mw_receptance *out, mw_arena *mem,
                         mw_error *err)
{
  int n = z->n_io;
  rest w;
  mw_code rc = rest_init(&w, z, err);
  if (rc == MW_OK && n > 0) rc = gauss(&w, 1.0 / z->lambda[z->k - 1], err);
  if (rc == MW_OK) {
    mw_receptance r = { .n_io = n, .n_term = z->k + w.rank, .zeta = zeta };
    r.lambda = mw_arena_f64(mem, (size_t)r.n_term);
    r.b = mw_arena_f64(mem, (size_t)r.n_term * (size_t)n);
    rc = mw_arena_check(mem, err);
    for (int t = 0; rc == MW_OK && t < z->k; t++) {
      r.lambda[t] = z->lambda[t];
      memcpy(r.b + t * n, z->B + t * z->n_load, (size_t)n * sizeof *r.b);
    }
    for (int j = 0; rc == MW_OK && j < w.rank; j++) {
      r.lambda[z->k + j] = 1.0 / w.nu[j];
      for (int i = 0; i < n; i++) {
        double lv = 0.0;
        for (int p = 0; p < w.rank; p++)
          lv += w.U[i * w.rank + p] * sqrt(w.r[p]) * w.V[p * w.rank + j];
        r.b[(z->k + j) * n + i] = w.d[i] > 0.0 ? lv / (w.d[i] * sqrt(w.nu[j])) : 0.0;
      }
    }
    if (rc == MW_OK) *out = r;
  }
  mw_arena_free(&w.mem);
  return rc;
}

// ---- values -------------------------------------------------------------------------------------

mw_code mw_receptance_eval(const mw_receptance *r, int n, const double *hz, double *H, double *E,
                           mw_error *err)
{
  mw_arena tmp = { 0 };
  int n_io = r->n_io, n_pair = n_io * (n_io + 1) / 2, n_term = r->n_term;
  size_t nt = (size_t)n_term, nf = (size_t)n, half = nf * (size_t)n_pair;
  double *re = mw_arena_f64(&tmp, nf * nt), *im = mw_arena_f64(&tmp, nf * nt);
  double *size = mw_arena_f64(&tmp, nf * nt);
  double *pair = mw_arena_f64(&tmp, nt * (size_t)n_pair),
         *square = mw_arena_f64(&tmp, nt * (size_t)n_io);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int t = 0; rc == MW_OK && t < n_term; t++) {
    const double *b = r->b + t * n_io;
    double *q = pair + (size_t)t * (size_t)n_pair;
    for (int i = 0; i < n_io; i++) {
      for (int j = 0; j <= i; j++) *q++ = b[i] * b[j];
      square[t * n_io + i] = b[i] * b[i];
    }
  }
  // g = conj(den) / |den|²
  for (int f = 0; rc == MW_OK && f < n; f++) {
    double omega = 2.0 * acos(-1.0) * hz[f];
    for (int t = 0; t < n_term; t++) {
      double a = r->lambda[t] - omega * omega, c = 2.0 * r->zeta * omega * sqrt(r->lambda[t]);
      double den = a * a + c * c;
      re[(size_t)f * nt + (size_t)t] = a / den;
      im[(size_t)f * nt + (size_t)t] = -c / den;
      size[(size_t)f * nt + (size_t)t] = 1.0 / sqrt(den);
    }
  }
  if (rc == MW_OK && n_term > 0 && n_io > 0) {
    mw_gemm('n', 'n', n, n_pair, n_term, 1.0, re, pair, 0.0, H);
    mw_gemm('n', 'n', n, n_pair, n_term, 1.0, im, pair, 0.0, H + half);
    mw_gemm('n', 'n', n, n_io, n_term, 1.0, size, square, 0.0, E);
  }
  mw_arena_free(&tmp);
  return rc;
}

void mw_receptance_largest(int n, const mw_sample *z, const mw_unit_load *load, double *largest)
{
  enum { OTHER = 2, KINDS };
  double big[KINDS] = { 0.0 };
  for (int i = 0; i < n; i++)
    for (int l = 0; l < z[i].n_load; l++) {
      double *b = &big[l < z[i].n_io ? load[l].angle : OTHER];
      *b = fmax(*b, z[i].F0[l * z[i].n_load + l]);
    }
  for (int l = 0; n > 0 && l < z[0].n_load; l++)
    largest[l] = big[l < z[0].n_io ? load[l].angle : OTHER];
}

double mw_compliance_error(double f, double f0, double largest)
{
  static const double SMALL = 0.01;
  return largest > 0.0 ? fabs(f - f0) / fmax(f0, SMALL * largest) : 0.0;
}

void mw_receptance_negligible(const mw_sample *z, const double *largest, unsigned char *skip)
{
  for (int i = 0; i < z->n_io; i++) skip[i] = !(z->F0[i * z->n_load + i] > NEGLIGIBLE * largest[i]);
}

// (4) without its division by E; nothing where the modes are all motions
static double left_open(const mw_sample *z, double zeta, double omega, double r0, double r1)
{
  if (z->k == z->motions) return 0.0;
  if (omega * omega >= z->lambda[z->k - 1]) return INFINITY;
  double nu = 1.0 / z->lambda[z->k - 1], x = omega * omega * nu;
  r0 = fmax(r0, 0.0);
  r1 = fmin(fmax(r1, 0.0), nu * r0);  // rounding aside it is between the two
  double damping = 2.0 * zeta * omega * (sqrt(r0 * r1) - r1 / sqrt(nu));
  return (omega * omega * x * r1 + damping) / (1.0 - x);
}

mw_code mw_receptance_bound(const mw_sample *z, double zeta, int n, const double *hz,
                            const unsigned char *skip, double *bound, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_receptance r = { 0 };
  rest w = { 0 };
  int n_io = z->n_io;
  size_t nf = (size_t)n;
  double two_pi = 2.0 * acos(-1.0), worst = 0.0;
  mw_code rc = mw_receptance_of(z, zeta, &r, &tmp, err);
  double *H = mw_arena_f64(&tmp, nf * (size_t)n_io * (size_t)(n_io + 1));
  double *E = mw_arena_f64(&tmp, nf * (size_t)n_io);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_receptance_eval(&r, n, hz, H, E, err);
  if (rc == MW_OK) rc = rest_init(&w, z, err);
  for (int f = 0; rc == MW_OK && f < n; f++) {
    double omega = two_pi * hz[f];
    for (int i = 0; i < n_io; i++) {
      if ((skip && skip[i]) || !(w.d[i] > 0.0)) continue;
      double scale = w.d[i] * w.d[i], r0 = w.R0[i * n_io + i] / scale,
             r1 = w.R1[i * n_io + i] / scale;
      double e = left_open(z, zeta, omega, r0, r1) / E[f * n_io + i];
      if (!(e <= worst)) worst = e;
    }
  }
  mw_arena_free(&w.mem);
  mw_arena_free(&tmp);
  if (rc == MW_OK) *bound = worst;
  return rc;
}

// ---- comparison ---------------------------------------------------------------------------------

// Errors of one frequency out of a block: H of both [2 × n × n_pair], E [n × n_io] of the direct
// one.
static void rows_error(int n_io, size_t half, const double *A, const double *B, const double *E,
                       const unsigned char *skip, double *error)
{
  for (int i = 0, p = 0; i < n_io; i++)
    for (int j = 0; j <= i; j++, p++) {
      if (skip[i] || skip[j]) continue;
      double e = hypot(A[p] - B[p], A[half + (size_t)p] - B[half + (size_t)p]) / sqrt(E[i] * E[j]);
      if (!(e <= error[i])) error[i] = e;
      if (!(e <= error[j])) error[j] = e;
    }
}

mw_code mw_receptance_compare(const mw_receptance *direct, const mw_receptance *rom,
                              const unsigned char *skip, int n, const double *hz, double *error,
                              mw_error *err)
{
  mw_arena tmp = { 0 };
  int n_io = direct->n_io, n_pair = n_io * (n_io + 1) / 2;
  size_t all = 2 * BLOCK * (size_t)n_pair;
  double *A = mw_arena_f64(&tmp, all), *B = mw_arena_f64(&tmp, all),
         *row = mw_arena_f64(&tmp, (size_t)n_io);
  double *E = mw_arena_f64(&tmp, BLOCK * (size_t)n_io),
         *E_rom = mw_arena_f64(&tmp, BLOCK * (size_t)n_io);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int f = 0; rc == MW_OK && f < n; f += BLOCK) {
    int k = n - f < BLOCK ? n - f : BLOCK;
    rc = mw_receptance_eval(direct, k, hz + f, A, E, err);
    if (rc == MW_OK) rc = mw_receptance_eval(rom, k, hz + f, B, E_rom, err);
    for (int l = 0; rc == MW_OK && l < k; l++) {
      size_t at = (size_t)l * (size_t)n_pair;
      memset(row, 0, (size_t)n_io * sizeof *row);
      rows_error(n_io, (size_t)k * (size_t)n_pair, A + at, B + at, E + l * n_io, skip, row);
      for (int i = 0; i < n_io; i++) error[i * n + f + l] = row[i];
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_receptance_diagonal(const mw_receptance *r, int n, const double *hz, double *magnitude,
                               mw_error *err)
{
  mw_arena tmp = { 0 };
  int n_io = r->n_io, n_pair = n_io * (n_io + 1) / 2;
  size_t half = (size_t)n * (size_t)n_pair;
  double *H = mw_arena_f64(&tmp, 2 * half), *E = mw_arena_f64(&tmp, (size_t)n * (size_t)n_io);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_receptance_eval(r, n, hz, H, E, err);
  for (int f = 0; rc == MW_OK && f < n; f++)
    for (int i = 0; i < n_io; i++) {
      size_t p = (size_t)f * (size_t)n_pair + (size_t)(i * (i + 3) / 2);
      magnitude[i * n + f] = hypot(H[p], H[half + p]);
    }
  mw_arena_free(&tmp);
  return rc;
}
