// SPDX-License-Identifier: BSD-3-Clause
// frf.c: frequency response functions of a reduced model, (1) of frf.h, by two ways.
//
// Where all coordinates are held, the mass matrix is 1 and K and D are symmetric: of pairs of poles
// λ_k and shapes v_k in the eigenvectors of K (v_k,k = 1),
//   H(s) = Σ_k (α_k + s β_k)/(s² − 2 s Re λ_k + |λ_k|²) ,  s = iω                               (1)
//   α = −2 Re(R conj λ) ,  β = 2 Re R ,  R_ij = (c_i·v)(b_j·v)/vᵀ(2λ + D)v
// with the pairs by fixed-point iteration, since D is almost diagonal:
//   v_j = −λ Σ_{l≠j} D_jl v_l/(λ² + λ D_jj + κ_j) ,  λ² + λ Σ_l D_kl v_l + κ_k = 0              (2)
// Cost at n frequencies: 4 n (entries × columns) products in one matrix product. Where there is no
// such pair (free coordinates, overdamped, equal frequencies with coupled damping), the equations
// are solved at each frequency:
//   [K − ω²  −ωD ; ωD  K − ω²] [re; im] = [B; 0]                                                (3)
#include "sim/frf.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "lpv/linear_layer.h"

static const double PI = 3.14159265358979323846;

struct mw_frf {
  mw_linear lin;
  mw_frf_in in;
  int n, *active;              // unknowns that answer: coordinates, amplitudes; [n]
  double *K, *D, *B, *C;       // [n × n] twice, [n × n_from], [n_to × n]
  double *V, *kappa, *tmp;     // [n × n], [n], [n × n]  eigenvectors, eigenvalues of K
  double complex *lambda, *v;  // [n], [n × n]  pairs of (2), a row of v each
  double *R;                   // [n_to n_from × 2n]  α, β
  double *G;                   // [2n × 2 n_hz]
  double *Z, *X;               // [2n × 2n], [2n × n_from]  of (3)
  int *piv;                    // [2n]
  double *rest, *hz, *zeta;    // [s], [n], [n]
  bool pairs;                  // (1) holds at the last configuration
  mw_arena mem;
};

// ---- setup --------------------------------------------------------------------------------------

static mw_code check(const mw_rom_file *f, const mw_frf_in *in, mw_error *err)
{
  for (int j = 0; j < in->n_from; j++)
    if (!*mw_linear_force_unit(f, in->from[j].field[0]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "from: found %s, in %s, expected a position or an angle, along which a force "
                     "acts",
                     in->from[j].name, *in->from[j].unit ? in->from[j].unit : "no unit");
  for (int k = 0; k < in->n_hz; k++)
    if (!(in->hz[k] >= 0.0) || !isfinite(in->hz[k]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found a frequency of %g Hz, expected >= 0",
                     in->hz[k]);
  return MW_OK;
}

static mw_code allocate(mw_frf *w, mw_error *err)
{
  const mw_rom *r = &w->lin.rom;
  size_t n = (size_t)(r->s + r->m), to = (size_t)w->in.n_to, from = (size_t)w->in.n_from,
         hz = (size_t)w->in.n_hz;
  w->active = mw_arena_int(&w->mem, n);
  double **square[] = { &w->K, &w->D, &w->V, &w->tmp };
  for (size_t k = 0; k < sizeof square / sizeof *square; k++)
    *square[k] = mw_arena_f64(&w->mem, n * n);
  double **row[] = { &w->kappa, &w->hz, &w->zeta, &w->rest };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) *row[k] = mw_arena_f64(&w->mem, n);
  w->B = mw_arena_f64(&w->mem, n * from);
  w->C = mw_arena_f64(&w->mem, to * n);
  w->lambda = mw_arena_alloc(&w->mem, n, sizeof *w->lambda);
  w->v = mw_arena_alloc(&w->mem, n * n, sizeof *w->v);
  w->R = mw_arena_f64(&w->mem, to * from * 2 * n);
  w->G = mw_arena_f64(&w->mem, 2 * n * 2 * hz);
  w->Z = mw_arena_f64(&w->mem, 4 * n * n);
  w->X = mw_arena_f64(&w->mem, 2 * n * from);
  w->piv = mw_arena_int(&w->mem, 2 * n);
  return mw_arena_check(&w->mem, err);
}

static mw_code open_linear(mw_frf *w, const mw_rom_file *f, mw_error *err)
{
  int n = 0;
  int *load = mw_arena_int(&w->mem, (size_t)w->in.n_from * MW_FRF_MAX_TERM);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (int j = 0; rc == MW_OK && j < w->in.n_from; j++)
    for (int t = 0; t < w->in.from[j].n; t++) load[n++] = w->in.from[j].field[t];
  return rc == MW_OK ? mw_linear_open(f, n, load, &w->lin, err) : rc;
}

mw_code mw_frf_open(const mw_rom_file *f, const mw_frf_in *in, mw_frf **out, mw_error *err)
{
  mw_code rc = check(f, in, err);
  if (rc != MW_OK) return rc;
  mw_frf *w = calloc(1, sizeof *w);
  if (!w) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  w->in = *in;
  rc = open_linear(w, f, err);
  if (rc == MW_OK) rc = allocate(w, err);
  for (int i = 0; rc == MW_OK && i < f->rom.s + f->rom.m; i++)
    if (i >= f->rom.s || !(in->held >> i & 1u)) w->active[w->n++] = i;
  if (rc == MW_OK)
    *out = w;
  else
    mw_frf_close(w);
  return rc;
}

void mw_frf_close(mw_frf *w)
{
  if (!w) return;
  mw_linear_close(&w->lin);
  mw_arena_free(&w->mem);
  free(w);
}

// ---- the equations at one configuration ---------------------------------------------------------

void mw_frf_system(const mw_frf *w, double *K, double *D, double *B, double *C)
{
  const mw_linear *l = &w->lin;
  int n = w->n, all = l->rom.s + l->rom.m, n_u = l->rom.n_u, load = l->n_drive;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      const double *row = l->acc_x + 2 * all * w->active[a];
      K[a * n + b] = -row[w->active[b]];
      D[a * n + b] = -row[all + w->active[b]];
    }
  for (int j = 0; j < w->in.n_from; load += w->in.from[j++].n)
    for (int a = 0; a < n; a++) {
      double sum = 0.0;
      for (int t = 0; t < w->in.from[j].n; t++)
        sum += w->in.from[j].weight[t] * l->acc_u[w->active[a] * n_u + load + t];
      B[a * w->in.n_from + j] = sum;
    }
  for (int i = 0; i < w->in.n_to; i++)
    for (int a = 0; a < n; a++) {
      double sum = 0.0;
      for (int t = 0; t < w->in.to[i].n; t++)
        sum += w->in.to[i].weight[t] * l->Y_x[2 * all * w->in.to[i].field[t] + w->active[a]];
      C[i * n + a] = sum;
    }
}

int mw_frf_unknowns(const mw_frf *w) { return w->n; }

static void gather(mw_frf *w) { mw_frf_system(w, w->K, w->D, w->B, w->C); }

// ---- pairs of poles -----------------------------------------------------------------------------

static bool is_symmetric(int n, const double *A)
{
  double off = 0.0, size = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      off = fmax(off, fabs(A[i * n + j] - A[j * n + i]));
      size = fmax(size, fabs(A[i * n + j]));
    }
  return off <= 16.0 * n * DBL_EPSILON * size;
}

// K = V κ Vᵀ; D, B, C in these vectors.
static mw_code to_modes(mw_frf *w, mw_error *err)
{
  int n = w->n, from = w->in.n_from, to = w->in.n_to;
  memcpy(w->tmp, w->K, (size_t)(n * n) * sizeof *w->K);
  mw_code rc = mw_eig_sym(n, w->tmp, w->kappa, w->V, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 'n', n, n, n, 1.0, w->D, w->V, 0.0, w->tmp);
  mw_gemm('t', 'n', n, n, n, 1.0, w->V, w->tmp, 0.0, w->D);
  mw_gemm('t', 'n', n, from, n, 1.0, w->V, w->B, 0.0, w->X);
  memcpy(w->B, w->X, (size_t)(n * from) * sizeof *w->B);
  for (int i = 0; i < to; i++) {
    mw_gemm('n', 'n', 1, n, n, 1.0, w->C + i * n, w->V, 0.0, w->tmp);
    memcpy(w->C + i * n, w->tmp, (size_t)n * sizeof *w->tmp);
  }
  return MW_OK;
}

// (2) for pair k; false: it does not converge to a motion that swings and is mostly this mode's.
static bool pair(mw_frf *w, int k)
{
  enum { ITER_MAX = 40 };
  static const double MOSTLY = 0.5;
  int n = w->n;
  const double *D = w->D;
  double complex *v = w->v + k * n, s = D[k * n + k];
  for (int j = 0; j < n; j++) v[j] = j == k;
  for (int i = 0; i < ITER_MAX; i++) {
    double change = 0.0;
    double complex root = csqrt(w->kappa[k] - 0.25 * s * s), lambda = -0.5 * s + I * root;
    for (int j = 0; j < n; j++) {
      if (j == k) continue;
      double complex sum = 0.0;
      for (int l = 0; l < n; l++)
        if (l != j) sum += D[j * n + l] * v[l];
      double complex next = -lambda * sum / (lambda * (lambda + D[j * n + j]) + w->kappa[j]);
      change = fmax(change, cabs(next - v[j]));
      v[j] = next;
      if (!(cabs(next) < MOSTLY)) return false;
    }
    s = D[k * n + k];
    for (int l = 0; l < n; l++)
      if (l != k) s += D[k * n + l] * v[l];
    w->lambda[k] = lambda;
    if (change <= 4.0 * DBL_EPSILON && i > 0) return cimag(lambda) > fabs(creal(lambda)) * 1e-6;
  }
  return false;
}

static bool find_pairs(mw_frf *w)
{
  for (int k = 0; k < w->n; k++)
    if (!(w->kappa[k] > 0.0) || !pair(w, k)) return false;
  return true;
}

static void residues(mw_frf *w)
{
  int n = w->n, from = w->in.n_from;
  for (int k = 0; k < n; k++) {
    const double complex *v = w->v + k * n, lambda = w->lambda[k];
    double complex norm = 0.0;
    for (int a = 0; a < n; a++) {
      double complex sum = 2.0 * lambda * v[a];
      for (int b = 0; b < n; b++) sum += w->D[a * n + b] * v[b];
      norm += v[a] * sum;
    }
    for (int i = 0; i < w->in.n_to; i++)
      for (int j = 0; j < from; j++) {
        double complex c = 0.0, b = 0.0;
        for (int a = 0; a < n; a++) {
          c += w->C[i * n + a] * v[a];
          b += w->B[a * from + j] * v[a];
        }
        double complex R = c * b / norm;
        double *to = w->R + (i * from + j) * 2 * n + 2 * k;
        to[0] = -2.0 * creal(R * conj(lambda));
        to[1] = 2.0 * creal(R);
      }
  }
}

// (1)
static void sum_pairs(mw_frf *w, int n_hz, const double *hz, double *H)
{
  int n = w->n;
  for (int k = 0; k < n; k++) {
    double re = creal(w->lambda[k]), size = re * re + cimag(w->lambda[k]) * cimag(w->lambda[k]);
    double *g = w->G + (size_t)(4 * k) * (size_t)n_hz, *g_im = g + n_hz, *sg = g + 2 * n_hz,
           *sg_im = g + 3 * n_hz;
    for (int f = 0; f < n_hz; f++) {
      double omega = 2.0 * PI * hz[f], p = size - omega * omega, q = -2.0 * omega * re,
             over = 1.0 / (p * p + q * q);
      g[f] = p * over;
      g_im[f] = -q * over;
      sg[f] = omega * q * over;
      sg_im[f] = omega * p * over;
    }
  }
  mw_gemm('n', 'n', w->in.n_to * w->in.n_from, 2 * n_hz, 2 * n, 1.0, w->R, w->G, 0.0, H);
}

// ---- frequency by frequency ---------------------------------------------------------------------

// (3)
static mw_code solve_at(mw_frf *w, double omega, mw_error *err)
{
  int n = w->n, from = w->in.n_from, nn = 2 * n;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double stiff = w->K[a * n + b] - (a == b ? omega * omega : 0.0),
             damp = omega * w->D[a * n + b];
      w->Z[a * nn + b] = w->Z[(n + a) * nn + n + b] = stiff;
      w->Z[a * nn + n + b] = -damp;
      w->Z[(n + a) * nn + b] = damp;
    }
  memcpy(w->X, w->B, (size_t)(n * from) * sizeof *w->B);
  memset(w->X + n * from, 0, (size_t)(n * from) * sizeof *w->X);
  mw_code rc = mw_lu_factor(nn, w->Z, w->piv, err);
  if (rc == MW_OK) mw_lu_solve(nn, w->Z, w->piv, from, w->X);
  return rc;
}

static mw_code solve_all(mw_frf *w, int n_hz, const double *hz, double *H, mw_error *err)
{
  int n = w->n, from = w->in.n_from;
  for (int f = 0; f < n_hz; f++) {
    // singular: at the frequency of an undamped motion, at 0 Hz with a coordinate free
    mw_code rc = n > 0 ? solve_at(w, 2.0 * PI * hz[f], NULL) : MW_OK;
    if (rc == MW_ERR_MEMORY) return mw_fail(err, rc, MW_NOWHERE, "out of memory");
    for (int i = 0; i < w->in.n_to; i++)
      for (int j = 0; j < from; j++)
        for (int part = 0; part < 2; part++) {
          double sum = rc == MW_OK ? 0.0 : (double)NAN;
          for (int a = 0; a < n; a++) sum += w->C[i * n + a] * w->X[(part * n + a) * from + j];
          H[((i * from + j) * 2 + part) * n_hz + f] = sum;
        }
  }
  return MW_OK;
}

// Times (iω)^p.
static void differentiate(const mw_frf *w, int n_hz, const double *hz, double *H)
{
  for (int e = 0; w->in.kind != MW_FRF_RECEPTANCE && e < w->in.n_to * w->in.n_from; e++) {
    double *re = H + 2 * e * n_hz, *im = re + n_hz;
    for (int f = 0; f < n_hz; f++) {
      double omega = 2.0 * PI * hz[f], x = re[f], y = im[f];
      bool rate = w->in.kind == MW_FRF_MOBILITY;
      re[f] = rate ? -omega * y : -omega * omega * x;
      im[f] = rate ? omega * x : -omega * omega * y;
    }
  }
}

mw_code mw_frf_at(mw_frf *w, const double *theta, double *H, mw_error *err)
{
  mw_code rc = mw_linear_at(&w->lin, theta, w->in.held, w->rest, err);
  if (rc != MW_OK) return rc;
  gather(w);
  w->pairs = w->n == w->lin.rom.m && is_symmetric(w->n, w->K) && is_symmetric(w->n, w->D);
  if (w->pairs) {
    rc = to_modes(w, err);
    if (rc != MW_OK) return rc;
    w->pairs = find_pairs(w);
    if (!w->pairs) gather(w);
  }
  if (w->pairs) residues(w);
  return mw_frf_more(w, w->in.n_hz, w->in.hz, H, err);
}

mw_code mw_frf_more(mw_frf *w, int n_hz, const double *hz, double *H, mw_error *err)
{
  mw_code rc = MW_OK;
  if (w->pairs)
    sum_pairs(w, n_hz, hz, H);
  else
    rc = solve_all(w, n_hz, hz, H, err);
  if (rc == MW_OK) differentiate(w, n_hz, hz, H);
  return rc;
}

bool mw_frf_by_pairs(const mw_frf *w) { return w->pairs; }

// ---- poles --------------------------------------------------------------------------------------

static int by_hz(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Eigenvalues of [0 1; −K −D] that swing, as (hz, zeta) one after the other.
static mw_code eigenvalues(mw_frf *w, mw_arena *mem, double *pole, int *count, mw_error *err)
{
  int n = w->n, nn = 2 * n;
  double *A = mw_arena_f64(mem, (size_t)(nn * nn)), *re = mw_arena_f64(mem, (size_t)nn),
         *im = mw_arena_f64(mem, (size_t)nn);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int a = 0; a < n; a++) {
    A[a * nn + n + a] = 1.0;
    for (int b = 0; b < n; b++) {
      A[(n + a) * nn + b] = -w->K[a * n + b];
      A[(n + a) * nn + n + b] = -w->D[a * n + b];
    }
  }
  rc = mw_eig_any(nn, A, re, im, err);
  for (int k = 0; rc == MW_OK && k < nn; k++)
    if (im[k] > 0.0) {
      double omega = hypot(re[k], im[k]);
      pole[2 * *count] = omega / (2.0 * PI);
      pole[2 * *count + 1] = -re[k] / omega;
      (*count)++;
    }
  return rc;
}

mw_code mw_frf_poles_of(mw_frf *w, mw_frf_poles *out, mw_error *err)
{
  mw_arena mem = { 0 };
  int count = 0;
  double *pole = mw_arena_f64(&mem, 2 * (size_t)w->n + 2);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && !w->pairs)
    rc = eigenvalues(w, &mem, pole, &count, err);
  else
    for (int k = 0; rc == MW_OK && k < w->n; k++, count++) {
      double omega = cabs(w->lambda[k]);
      pole[2 * k] = omega / (2.0 * PI);
      pole[2 * k + 1] = -creal(w->lambda[k]) / omega;
    }
  if (rc == MW_OK) qsort(pole, (size_t)count, 2 * sizeof *pole, by_hz);
  for (int k = 0; rc == MW_OK && k < count; k++) {
    w->hz[k] = pole[2 * k];
    w->zeta[k] = pole[2 * k + 1];
  }
  mw_arena_free(&mem);
  *out = (mw_frf_poles){
    .n = count, .n_other = w->n - count, .hz = w->hz, .zeta = w->zeta, .rest = w->rest
  };
  return rc;
}

// ---- directions and units -----------------------------------------------------------------------

mw_code mw_frf_worst(const mw_frf_in *in, const double *H, double *worst, mw_error *err)
{
  int to = in->n_to, from = in->n_from, n_hz = in->n_hz, least = to < from ? to : from;
  mw_arena mem = { 0 };
  double *A = mw_arena_f64(&mem, 4 * (size_t)(to * from)),
         *sv = mw_arena_f64(&mem, 2 * (size_t)least);
  mw_code rc = mw_arena_check(&mem, err);
  for (int f = 0; rc == MW_OK && f < n_hz; f++) {
    bool finite = true;
    for (int i = 0; i < to; i++)
      for (int j = 0; j < from; j++) {
        double re = H[(i * from + j) * 2 * n_hz + f], im = H[((i * from + j) * 2 + 1) * n_hz + f];
        finite = finite && isfinite(re) && isfinite(im);
        A[i * 2 * from + j] = A[(to + i) * 2 * from + from + j] = re;
        A[(to + i) * 2 * from + j] = im;
        A[i * 2 * from + from + j] = -im;
      }
    if (finite) rc = mw_svd(2 * to, 2 * from, A, sv, NULL, NULL, err);
    worst[f] = finite ? sv[0] : (double)NAN;
  }
  mw_arena_free(&mem);
  return rc;
}

const char *mw_frf_kind_name(mw_frf_kind kind)
{
  static const char *const name[] = { "receptance", "mobility", "accelerance" };
  return name[kind];
}

const char *mw_frf_unit(const mw_frf_in *in, int to, int from, char text[64])
{
  static const char *const over[] = { "", "/s", "/s²" };
  const char *y = in->to[to].unit, *x = in->from[from].unit;
  const char *force = strcmp(x, "m") == 0 ? "N" : "(N m)";
  if (!*y) return strcpy(text, "");
  if (in->kind == MW_FRF_RECEPTANCE)
    snprintf(text, 64, "%s/%s", y, force);
  else
    snprintf(text, 64, "(%s%s)/%s", y, over[in->kind], force);
  return text;
}
