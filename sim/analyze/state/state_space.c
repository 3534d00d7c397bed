// SPDX-License-Identifier: BSD-3-Clause
// state_space.c: poles, frequency responses and root loci of linear systems.
//
//   H(iω) = C (iω − A)⁻¹ B + D :   [ −A  −ω ] [ Re X ]   [ B ]
//                                  [  ω  −A ] [ Im X ] = [ 0 ]                                  (1)
//   u = −g y_i on input j:  A − B_j (g/(1 + g D_ij)) C_i                                        (2)
// Cost: (2 n_x)³ a frequency, n_x³ a gain.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "sim/linearize.h"
#include "state_space_priv.h"

mw_code mw_state_space_init(mw_state_space *o, mw_arena *mem, mw_error *err)
{
  size_t nx = (size_t)o->n_x, nu = (size_t)o->n_u, ny = (size_t)o->n_y;
  o->A = mw_arena_f64(mem, nx * nx);
  o->B = mw_arena_f64(mem, nx * nu);
  o->C = mw_arena_f64(mem, ny * nx);
  o->D = mw_arena_f64(mem, ny * nu);
  o->x0 = mw_arena_f64(mem, nx);
  o->u0 = mw_arena_f64(mem, nu);
  o->y0 = mw_arena_f64(mem, ny);
  const char ***list[] = { &o->state,      &o->input,      &o->output,
                           &o->state_unit, &o->input_unit, &o->output_unit };
  for (int i = 0; i < 6; i++)
    *list[i] = mw_arena_alloc(mem, i % 3 == 0 ? nx : i % 3 == 1 ? nu : ny, sizeof **list[i]);
  return mw_arena_check(mem, err);
}

// ---- poles --------------------------------------------------------------------------------------

static int by_modulus(const void *a, const void *b)
{
  const mw_pole *p = a, *q = b;
  double x = hypot(p->re, p->im), y = hypot(q->re, q->im);
  if (x != y) return x < y ? -1 : 1;
  if (p->im != q->im) return p->im > q->im ? -1 : 1;
  return p->re < q->re ? -1 : p->re > q->re;
}

// A with positions in units of 1/ω, ω² the norm of what positions accelerate, ω at least that of
// what rates do (a spinning rotor without springs): entries of one size
static double balanced(const mw_state_space *s, double *A)
{
  int nx = s->n_x, n = nx / 2;
  double most[2] = { 0.0, 0.0 };
  for (int i = n; i < nx; i++) {
    double sum[2] = { 0.0, 0.0 };
    for (int j = 0; j < nx; j++) sum[j >= n] += fabs(s->A[i * nx + j]);
    for (int part = 0; part < 2; part++) most[part] = fmax(most[part], sum[part]);
  }
  double w = fmax(sqrt(most[0]), most[1]);
  if (w == 0.0) w = 1.0;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < nx; j++)
      A[i * nx + j] = s->A[i * nx + j] * (i < n ? w : 1.0) / (j < n ? w : 1.0);
  return w;
}

mw_code mw_state_space_poles(const mw_state_space *s, mw_arena *mem, mw_pole **out, double *zero,
                             mw_error *err)
{
  static const double PART = 1e-7;  // √ε of the norm, and some: a double pole at 0 splits so far
  size_t n = (size_t)s->n_x;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, n * n), *re = mw_arena_f64(&tmp, n), *im = mw_arena_f64(&tmp, n);
  mw_pole *p = mw_arena_alloc(mem, n, sizeof *p);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  *zero = 0.0;
  if (rc == MW_OK && n > 0) {
    *zero = PART * balanced(s, A);
    rc = mw_eig_any(s->n_x, A, re, im, err);
  }
  for (size_t i = 0; rc == MW_OK && i < n; i++) {
    double size = hypot(re[i], im[i]);
    p[i] = (mw_pole){ re[i] + 0.0, im[i] + 0.0, size > 0.0 ? 0.0 - re[i] / size : (double)NAN };
    if (size <= *zero) p[i] = (mw_pole){ 0.0, 0.0, (double)NAN };
  }
  if (rc == MW_OK) qsort(p, n, sizeof *p, by_modulus);
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = p;
  return rc;
}

// ---- frequency responses ------------------------------------------------------------------------

// (1) at one frequency: X [2n × n_u]; false: at a pole
static bool respond(const mw_state_space *s, double w, double *K, int *piv, double *X)
{
  size_t n = (size_t)s->n_x, nu = (size_t)s->n_u, N = 2 * n;
  memset(K, 0, N * N * sizeof *K);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) K[i * N + j] = K[(n + i) * N + n + j] = -s->A[i * n + j];
    K[i * N + n + i] = -w;
    K[(n + i) * N + i] = w;
  }
  memcpy(X, s->B, n * nu * sizeof *X);
  memset(X + n * nu, 0, n * nu * sizeof *X);
  if (mw_lu_factor((int)N, K, piv, NULL) != MW_OK) return false;
  mw_lu_solve((int)N, K, piv, s->n_u, X);
  return true;
}

mw_code mw_state_space_frf(const mw_state_space *s, int n, const double *w, double *H,
                           mw_error *err)
{
  size_t nx = (size_t)s->n_x, nu = (size_t)s->n_u, count = (size_t)n;
  mw_arena tmp = { 0 };
  double *K = mw_arena_f64(&tmp, 4 * nx * nx), *X = mw_arena_f64(&tmp, 2 * nx * nu);
  int *piv = mw_arena_int(&tmp, 2 * nx);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t f = 0; rc == MW_OK && f < count; f++) {
    bool good = nx == 0 || nu == 0 || respond(s, w[f], K, piv, X);
    for (size_t e = 0; e < (size_t)s->n_y * nu; e++) {
      size_t i = e / nu, j = e % nu;
      double re = s->D[e], im = 0.0;
      for (size_t x = 0; x < nx; x++) {
        re += s->C[i * nx + x] * X[x * nu + j];
        im += s->C[i * nx + x] * X[(nx + x) * nu + j];
      }
      H[2 * e * count + f] = good ? re : (double)NAN;
      H[(2 * e + 1) * count + f] = good ? im : (double)NAN;
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- root locus ---------------------------------------------------------------------------------

// Brings re, im [n] into the order in which they are nearest to those before.
static void follow(int n, const double *re0, const double *im0, double *re, double *im)
{
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int j = i + 1; j < n; j++)
      if (hypot(re[j] - re0[i], im[j] - im0[i]) < hypot(re[best] - re0[i], im[best] - im0[i]))
        best = j;
    double x = re[i], y = im[i];
    re[i] = re[best], im[i] = im[best];
    re[best] = x, im[best] = y;
  }
}

mw_code mw_state_space_locus(const mw_state_space *s, int i, int j, int n, const double *gain,
                             double *re, double *im, mw_error *err)
{
  int nx = s->n_x, nu = s->n_u;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, (size_t)nx * (size_t)nx);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = 0; rc == MW_OK && g < n; g++) {
    double k = gain[g] / (1.0 + gain[g] * s->D[i * nu + j]);
    for (int a = 0; a < nx; a++)
      for (int b = 0; b < nx; b++)
        A[a * nx + b] = s->A[a * nx + b] - s->B[a * nu + j] * k * s->C[i * nx + b];
    rc = mw_eig_any(nx, A, re + g * nx, im + g * nx, err);
    if (rc == MW_OK && g > 0)
      follow(nx, re + (g - 1) * nx, im + (g - 1) * nx, re + g * nx, im + g * nx);
  }
  mw_arena_free(&tmp);
  return rc;
}
