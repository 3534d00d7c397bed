// SPDX-License-Identifier: BSD-3-Clause
// elim.c: the numbers of the block elimination planned in elim_order.c.
//
//   pivot k:   s_k A_kk = Uᵀ U ,  X_i = U⁻ᵀ A_ki ,   A_ij −= s_k X_iᵀ X_j        s = 1: body, −1: rows           (1)
//   solve:     y_k = U⁻ᵀ b_k ,  b_i −= s_k X_iᵀ y_k ;   x_k = U⁻¹ s_k (… see below)                              (2)
//              x_k = U⁻¹ (s_k y_k − Σ X_i x_i)   with y_k of the pivot's own sign
// Diagonal blocks are kept as s_k A_kk, positive. All blocks are [size × 8], so that every inner loop runs over eight
// numbers, whatever the node. Bodies whose block stays diagonal need no factorization: X = A/√m.
#include "fem/elim.h"

#include <math.h>
#include <string.h>

enum { LD = MW_ELIM_LD };

mw_elim_num mw_elim_num_init(const mw_elim *e, mw_arena *mem)
{
  size_t n = (size_t)e->n_node * LD;
  return (mw_elim_num){ .val = mw_arena_f64(mem, e->n_val),
                        .inv = mw_arena_f64(mem, n),
                        .scale = mw_arena_f64(mem, n),
                        .y = mw_arena_f64(mem, n),
                        .failed = -1 };
}

void mw_elim_clear(const mw_elim *e, mw_elim_num *n, const double *diag)
{
  memset(n->val, 0, e->n_val * sizeof(double));
  memset(n->scale, 0, (size_t)e->n_node * LD * sizeof(double));
  for (int s = 0; s < e->n_node; s++) {
    const mw_elim_pivot *p = &e->pivot[s];
    if (p->plain) continue;
    for (int r = 0; r < p->size; r++)
      n->val[p->diag + (size_t)(r * LD + r)] = diag[p->node * LD + r];
  }
}

// row[i] −= f · by[i], eight numbers
static inline void eight_sub(double *restrict row, const double *restrict by, double f)
{
  for (int i = 0; i < LD; i++) row[i] -= f * by[i];
}

static inline void eight_scale(double *row, double f)
{
  for (int i = 0; i < LD; i++) row[i] *= f;
}

// to ∓= Xiᵀ Xj over m rows of X
static inline void pair(double *restrict to, const double *xi, const double *xj, int n, int m,
                        double sign)
{
  for (int a = 0; a < n; a++) {
    double sum[LD] = { 0.0 };
    for (int r = 0; r < m; r++) {
      double f = xi[r * LD + a];
      for (int i = 0; i < LD; i++) sum[i] += f * xj[r * LD + i];
    }
    for (int i = 0; i < LD; i++) to[a * LD + i] += sign * sum[i];
  }
}

// U of the pivot's block and X = U⁻ᵀ A of its couplings. Returns the number of dropped rows, −1: not positive.
static int factor_pivot(const mw_elim *e, const mw_elim_pivot *p, mw_elim_num *n, double drop)
{
  double *D = n->val + p->diag, *inv = n->inv + p->node * LD;
  const double *scale = n->scale + p->node * LD;
  int dropped = 0;
  for (int r = 0; r < p->size; r++) {
    double d = D[r * LD + r], f = 0.0;
    if (p->check && !(d > drop * scale[r])) {
      if (isnan(d)) return -1;
      dropped++;
    } else {
      if (!(d > 0.0)) return -1;
      f = 1.0 / sqrt(d);
    }
    inv[r] = f;
    eight_scale(D + r * LD, f);
    for (int i = r + 1; i < p->size; i++) eight_sub(D + i * LD, D + r * LD, D[r * LD + i]);
    for (int k = 0; k < p->n_next; k++) {
      double *X = n->val + e->block[p->next0 + k];
      eight_scale(X + r * LD, f);
      for (int i = r + 1; i < p->size; i++) eight_sub(X + i * LD, X + r * LD, D[r * LD + i]);
    }
  }
  return dropped;
}

static void plain_pivot(const mw_elim *e, const mw_elim_pivot *p, mw_elim_num *n,
                        const double *root)
{
  for (int r = 0; r < p->size; r++) n->inv[p->node * LD + r] = root[p->node * LD + r];
  for (int k = 0; k < p->n_next; k++) {
    double *X = n->val + e->block[p->next0 + k];
    for (int r = 0; r < p->size; r++) eight_scale(X + r * LD, root[p->node * LD + r]);
  }
}

static void run_updates(const mw_elim *e, const mw_elim_pivot *p, mw_elim_num *n)
{
  for (int k = 0; k < p->n_up; k++) {
    const mw_elim_update *u = &e->update[p->up0 + k];
    const double *xi = n->val + u->xi, *xj = n->val + u->xj;
    switch (p->size) {
    case 6: pair(n->val + u->to, xi, xj, u->n, 6, u->sign); break;
    case 5: pair(n->val + u->to, xi, xj, u->n, 5, u->sign); break;
    default: pair(n->val + u->to, xi, xj, u->n, p->size, u->sign); break;
    }
    if (u->scale < 0) continue;
    double *scale = n->scale + u->scale * LD;
    for (int r = 0; r < p->size; r++)
      for (int i = 0; i < LD; i++) scale[i] += xi[r * LD + i] * xi[r * LD + i];
  }
}

mw_code mw_elim_factor(const mw_elim *e, mw_elim_num *n, const double *root, double drop)
{
  n->n_dropped = 0;
  n->failed = -1;
  for (int s = 0; s < e->n_node; s++) {
    const mw_elim_pivot *p = &e->pivot[s];
    if (p->plain) {
      plain_pivot(e, p, n, root);
    } else {
      int dropped = factor_pivot(e, p, n, drop);
      if (dropped < 0) {
        n->failed = p->node;
        return MW_ERR_NUMERIC;
      }
      n->n_dropped += dropped;
    }
    run_updates(e, p, n);
  }
  return MW_OK;
}

// y := U⁻ᵀ y; plain blocks have U = diag(1/inv)
static inline void forward(const mw_elim_pivot *p, const double *U, const double *inv, double *y)
{
  for (int r = 0; r < p->size; r++) {
    y[r] *= inv[r];
    if (p->plain) continue;
    for (int i = r + 1; i < p->size; i++) y[i] -= U[r * LD + i] * y[r];
  }
}

static inline void backward(const mw_elim_pivot *p, const double *U, const double *inv, double *x)
{
  for (int r = p->size - 1; r >= 0; r--) {
    if (!p->plain)
      for (int i = r + 1; i < p->size; i++) x[r] -= U[r * LD + i] * x[i];
    x[r] *= inv[r];
  }
}

void mw_elim_solve(const mw_elim *e, mw_elim_num *n, double *x)
{
  for (int s = 0; s < e->n_node; s++) {
    const mw_elim_pivot *p = &e->pivot[s];
    double *y = x + p->node * LD;
    forward(p, n->val + p->diag, n->inv + p->node * LD, y);
    for (int k = 0; k < p->n_next; k++) {
      const double *X = n->val + e->block[p->next0 + k];
      double *b = x + e->next[p->next0 + k] * LD;
      for (int r = 0; r < p->size; r++) eight_sub(b, X + r * LD, p->sign * y[r]);
    }
  }
  for (int s = e->n_node - 1; s >= 0; s--) {
    const mw_elim_pivot *p = &e->pivot[s];
    double *y = x + p->node * LD;
    double sum[LD][LD] = { { 0.0 } };
    for (int k = 0; k < p->n_next; k++) {
      const double *X = n->val + e->block[p->next0 + k], *b = x + e->next[p->next0 + k] * LD;
      for (int r = 0; r < p->size; r++)
        for (int i = 0; i < LD; i++) sum[r][i] += X[r * LD + i] * b[i];
    }
    for (int r = 0; r < p->size; r++) {
      const double *t = sum[r];
      double all = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
      y[r] = p->sign * (y[r] - all);
    }
    backward(p, n->val + p->diag, n->inv + p->node * LD, y);
  }
}
