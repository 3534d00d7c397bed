// SPDX-License-Identifier: BSD-3-Clause
// extra_left.c: terms of second order and of convective damping that a model does without: those
// that declared rates, accelerations, forces and deflections keep small.
//
// Each changes the stiffness by a share of it, the largest over the grid, a: max_acceleration, v:
// max_rate, u: inputs:
//   H_i    a_i |K^-½ H_i K^-½|          H_ij   v_i v_j |K^-½ H_ij K^-½| , twice where i ≠ j
//   Y_k    u_k |K^-½ Y_k K^-½|          CE_i   v_i |K^-½ CE_i K^-½|                             (1)
// CC_ij acts on the coordinates alone, by v_j δᵀCC_ij δ ≤ v_j |K^-½ CC_ij K^-½| w²/c, to be judged
// against A_ii a_i; w: max_deflection, c: the largest compliance of an output, w²/c: δᵀKδ where
// that output is deflected by w. CE_i and all CC_ij of a coordinate go together, with the larger
// share: what is left is the power of the other rates, still never negative.
// From the smallest share on terms are left out as long as all shares add up to less than the
// tolerance, so that frequencies move by less than half of it, deflections by less than it. A term
// that no declaration bounds stays.
// Cost: an eigenproblem of the columns a term and grid point.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "extra_layer.h"
#include "work/offline_layer.h"

static const double SEEN = 1e-9;  // of the tolerance: shares below are rounding and not named

static void unpack(int m, const double *x, double *A)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) A[a * m + b] = A[b * m + a] = x[a * (a + 1) / 2 + b];
}

typedef struct sharing {
  const mw_extra_grid *z;
  mw_extra_form form;
  const double *X;
  int n, q;
  double *share;  // [n_point]
} sharing;

// K := L⁻¹ of K = L Lᵀ, zero above the diagonal
static mw_code whiten(int m, double *K, double *L, mw_error *err)
{
  memcpy(L, K, (size_t)m * (size_t)m * sizeof *L);
  mw_code rc = mw_chol_factor(m, L, err);
  if (rc != MW_OK) return rc;
  memset(K, 0, (size_t)m * (size_t)m * sizeof *K);
  for (int i = 0; i < m; i++) {
    double *to = K + (size_t)i * (size_t)m;
    for (int j = 0; j < i; j++) mw_axpy(j + 1, -L[i * m + j], K + (size_t)j * (size_t)m, to);
    to[i] = 1.0;
    for (int j = 0; j <= i; j++) to[j] /= L[i * m + i];
  }
  return MW_OK;
}

// |K^-½ X K^-½| = |L⁻¹ X L⁻ᵀ| at some grid points, K = L Lᵀ: K^-½ and L⁻¹ differ by a rotation
static mw_code some_shares(void *ctx, int from, int to, mw_error *err)
{
  const sharing *c = ctx;
  const mw_extra_grid *z = c->z;
  mw_arena tmp = { 0 };
  int m = z->r->m;
  size_t size = (size_t)m * (size_t)m,
         width = c->form == MW_EXTRA_WHOLE ? size : (size_t)(m * (m + 1) / 2);
  double *K = mw_arena_f64(&tmp, size), *V = mw_arena_f64(&tmp, size),
         *A = mw_arena_f64(&tmp, size), *B = mw_arena_f64(&tmp, size),
         *w = mw_arena_f64(&tmp, (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t g = (size_t)from; rc == MW_OK && g < (size_t)to; g++) {
    const double *at = c->X + (g * (size_t)c->n + (size_t)c->q) * width;
    unpack(m, z->records + g * (size_t)z->lay.n + (size_t)z->lay.K, K);
    rc = whiten(m, K, V, err);
    if (rc != MW_OK) break;
    if (c->form == MW_EXTRA_WHOLE)
      memcpy(A, at, size * sizeof *A);
    else
      unpack(m, at, A);
    mw_gemm('n', 't', m, m, m, 1.0, A, K, 0.0, B);
    mw_gemm('n', 'n', m, m, m, 1.0, K, B, 0.0, A);
    mw_gemm('t', 'n', m, m, m, 1.0, A, A, 0.0, B);
    rc = mw_eig_sym(m, B, w, NULL, err);
    if (rc == MW_OK) c->share[g] = sqrt(fmax(w[m - 1], 0.0));
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_extra_share(const mw_extra_grid *z, mw_extra_form form, const double *X, int n, int q,
                       double *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t np = (size_t)z->r->n_point;
  sharing c = { z, form, X, n, q, mw_arena_f64(&tmp, np) };
  mw_points of = { .n = z->r->n_point, .fn = some_shares, .ctx = &c };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_parallel_points(z->r->work, &of, err);
  if (rc == MW_OK) *out = 0.0;
  for (size_t g = 0; rc == MW_OK && g < np; g++) *out = fmax(*out, c.share[g]);
  mw_arena_free(&tmp);
  return rc;
}

// ---- terms and their shares ---------------------------------------------------------------------

typedef enum kind { ACCELERATION, RATES, INPUT, DAMPING } kind;
typedef struct term {
  kind kind;
  int i, j;      // coordinates; of INPUT i: which Y
  double share;  // (1); INFINITY: nothing bounds it
} term;

static const mw_coordinate_in *coordinate(const mw_extra_grid *z, int i)
{
  return &z->r->model->reduction.coordinate[i];
}

static int pair_of(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

static double declared(double x) { return x > 0.0 ? x : INFINITY; }

// A bound that is not declared times a part that is not there is nothing.
static double times(double share, double bound) { return share > 0.0 ? share * bound : 0.0; }

static double least_inertia(const mw_extra_grid *z, int i)
{
  double least = INFINITY;
  for (size_t g = 0; g < (size_t)z->r->n_point; g++)
    least = fmin(least, z->records[g * (size_t)z->lay.n + (size_t)(z->lay.a + i * (i + 3) / 2)]);
  return least;
}

// What CC_ij takes from the motion of coordinate i, over what moves it.
static double braking(const mw_extra_grid *z, double share, int i, int j)
{
  double w = z->r->model->reduction.max_deflection;
  double energy = w > 0.0 && z->soft > 0.0 ? w * w / z->soft : INFINITY;
  double moves = least_inertia(z, i) * coordinate(z, i)->max_acceleration;
  if (!(moves > 0.0)) return times(share, INFINITY);
  return times(share, declared(coordinate(z, j)->max_rate) * energy / moves);
}

static mw_code damping_share(const mw_extra_grid *z, const mw_extra *x, int i, double *out,
                             mw_error *err)
{
  double e = 0.0;
  int s = x->s;
  mw_code rc = mw_extra_share(z, MW_EXTRA_WHOLE, x->CE, s, i, &e, err);
  *out = times(e, declared(coordinate(z, i)->max_rate));
  for (int j = 0; rc == MW_OK && j < s; j++) {
    rc = mw_extra_share(z, MW_EXTRA_PACKED, x->CC, s * (s + 1) / 2, pair_of(i, j), &e, err);
    *out = fmax(*out, fmax(braking(z, e, i, j), braking(z, e, j, i)));
  }
  return rc;
}

static mw_code share(const mw_extra_grid *z, const mw_extra *x, term *t, mw_error *err)
{
  const mw_reduction_in *in = &z->r->model->reduction;
  double e = 0.0, bound = INFINITY;
  int s = x->s, ij = t->i * (t->i + 1) / 2 + t->j;
  mw_code rc = MW_OK;
  if (t->kind == DAMPING) return damping_share(z, x, t->i, &t->share, err);
  if (t->kind == ACCELERATION) {
    bound = declared(coordinate(z, t->i)->max_acceleration);
    rc = mw_extra_share(z, MW_EXTRA_PACKED, x->H, s, t->i, &e, err);
  } else if (t->kind == RATES) {
    bound = declared(coordinate(z, t->i)->max_rate) * declared(coordinate(z, t->j)->max_rate) *
            (t->i == t->j ? 1.0 : 2.0);
    rc = mw_extra_share(z, MW_EXTRA_PACKED, x->Hij, s * (s + 1) / 2, ij, &e, err);
  } else {
    bound = declared(in->max_input[x->Y_input[t->i]]);
    rc = mw_extra_share(z, MW_EXTRA_PACKED, x->Y, x->n_Y, t->i, &e, err);
  }
  t->share = times(e, bound);
  return rc;
}

// All terms of x into t, which holds as many; returns how many.
static int list(const mw_extra *x, term *t)
{
  int n = 0;
  for (int i = 0; x->second && i < x->s; i++) {
    t[n++] = (term){ .kind = ACCELERATION, .i = i };
    for (int j = 0; j <= i; j++) t[n++] = (term){ .kind = RATES, .i = i, .j = j };
  }
  for (int k = 0; k < x->n_Y; k++)
    if (x->Y_input[k] >= 0) t[n++] = (term){ .kind = INPUT, .i = k };
  for (int i = 0; x->CE && i < x->s; i++) t[n++] = (term){ .kind = DAMPING, .i = i };
  return n;
}

// ---- leaving out --------------------------------------------------------------------------------

static void leave_out(const mw_extra_grid *z, const term *t, mw_extra *x)
{
  int s = x->s, pairs = s * (s + 1) / 2, ij = t->i * (t->i + 1) / 2 + t->j;
  size_t m = (size_t)x->m, mm = m * (m + 1) / 2;
  if (t->kind == ACCELERATION) mw_extra_clear(z->r, x->H, s, t->i, mm);
  if (t->kind == RATES) mw_extra_clear(z->r, x->Hij, pairs, ij, mm);
  if (t->kind == INPUT) mw_extra_clear(z->r, x->Y, x->n_Y, t->i, mm);
  if (t->kind != DAMPING) return;
  mw_extra_clear(z->r, x->CE, s, t->i, m * m);
  for (int j = 0; j < s; j++) mw_extra_clear(z->r, x->CC, pairs, pair_of(t->i, j), mm);
}

static void name(const mw_extra_grid *z, const term *t, const mw_extra *x, const mw_rom_file *f,
                 char *to, size_t n)
{
  const char *i = t->kind == INPUT ? "" : coordinate(z, t->i)->name;
  if (t->kind == ACCELERATION) snprintf(to, n, "acceleration of %s", i);
  if (t->kind == RATES && t->i == t->j) snprintf(to, n, "rate of %s", i);
  if (t->kind == RATES && t->i != t->j)
    snprintf(to, n, "rates of %s and %s", i, coordinate(z, t->j)->name);
  if (t->kind == INPUT) snprintf(to, n, "force along %s", f->field[x->Y_field[t->i]]);
  if (t->kind == DAMPING) snprintf(to, n, "damping at the rate of %s", i);
}

static int by_share(const void *a, const void *b)
{
  const term *x = a, *y = b;
  if (x->share != y->share) return x->share < y->share ? -1 : 1;
  return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind)
         : x->i != y->i     ? (x->i > y->i) - (x->i < y->i)
                            : (x->j > y->j) - (x->j < y->j);
}

mw_code mw_extra_leave_out(const mw_extra_grid *z, mw_extra *x, const mw_rom_file *f,
                           mw_extra_note *note, void *to, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t s = (size_t)x->s, most = 2 * s + s * (s + 1) / 2 + (size_t)x->n_Y;
  term *t = mw_arena_alloc(&tmp, most, sizeof *t);
  double tolerance = z->r->model->reduction.tolerance, sum = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  int n = rc == MW_OK ? list(x, t) : 0;
  for (int k = 0; rc == MW_OK && k < n; k++) rc = share(z, x, &t[k], err);
  if (rc == MW_OK && n > 0) qsort(t, (size_t)n, sizeof *t, by_share);
  for (int k = 0; rc == MW_OK && k < n && sum + t[k].share < tolerance; k++) {
    char text[160];
    sum += t[k].share;
    name(z, &t[k], x, f, text, sizeof text);
    if (t[k].share > SEEN * tolerance) note(to, text);
    leave_out(z, &t[k], x);
  }
  mw_arena_free(&tmp);
  return rc;
}
