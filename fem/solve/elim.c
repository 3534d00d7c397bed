// SPDX-License-Identifier: BSD-3-Clause
// elim.c: the numbers of the block elimination planned in elim_order.c.
//
//   pivot k:   s_k A_kk = L D Lᵀ ,  X_i = L⁻¹ A_ki ,   A_ij −= s_k X_iᵀ D⁻¹ X_j        s = 1: body,
//       −1: rows      (1)
//   forward:   y_k = L⁻¹ b_k ,  b_i −= s_k X_iᵀ D⁻¹ y_k                                         (2)
//   backward:  Lᵀ x_k = s_k D⁻¹ (y_k − Σ X_i x_i)                                               (3)
// Rational Cholesky: no square roots, one division a row. Diagonal blocks are kept as s_k A_kk,
// positive, and become Lᵀ − 1, zero below the diagonal and on it. All blocks are [size × 8]. Bodies
// whose block is still diagonal need no factorization: X = A. What a group does outside itself goes
// to its border, from where the group above takes it, in the order of the groups: (1) to (3) are
// the equations of fem/elim.h with D = Σ s_k X_iᵀ D⁻¹ X_j, R = Σ s_k X_iᵀ D⁻¹ y_k.
#include "fem/elim.h"

#include <math.h>
#include <string.h>

#include "eight_layer.h"

enum { LD = MW_ELIM_LD };

mw_elim_num mw_elim_num_init(const mw_elim *e, mw_arena *mem)
{
  size_t n = (size_t)e->n_node * LD, border = (size_t)e->n_slot * LD;
  return (mw_elim_num){ .val = mw_arena_f64(mem, e->n_val),
                        .inv = mw_arena_f64(mem, n),
                        .scale = mw_arena_f64(mem, n + border),
                        .order = mw_arena_alloc(mem, n, 1),
                        .left = { mw_arena_f64(mem, border), mw_arena_f64(mem, border) },
                        .n_out = mw_arena_int(mem, (size_t)e->n_group),
                        .failed = -1 };
}

// to ∓= Xiᵀ D⁻¹ Xj over m rows of X; wi holds D⁻¹ Xi. Even and odd rows are summed apart: half the
// waiting for sums.
static inline __attribute__((always_inline)) void pair(double *to, const double *wi,
                                                       const double *xj, int n, int m, bool plus,
                                                       bool first)
{
  mw_eight x[LD];
  for (int r = 0; r < m; r++) mw_eight_get(xj + r * LD, &x[r]);
  for (int a = 0; a < n; a++) {
    mw_eight sum[2], t;
    for (int r = 0; r < m; r++) {
      t = x[r] * wi[r * LD + a];
      sum[r % 2] = r < 2 ? t : sum[r % 2] + t;
    }
    t = m > 1 ? sum[0] + sum[1] : sum[0];
    if (first)
      sum[0] = (mw_eight){ 0.0 };
    else
      mw_eight_get(to + a * LD, &sum[0]);
    t = plus ? sum[0] + t : sum[0] - t;
    mw_eight_put(to + a * LD, &t);
  }
}

// X = L⁻¹ A of the pivot's couplings. order: in which its rows went, NULL: as they are
static inline __attribute__((always_inline)) void couplings(const mw_elim *e,
                                                            const mw_elim_pivot *p, mw_elim_num *n,
                                                            int m, const unsigned char *order)
{
  const double *U = n->val + p->diag;
  for (int k = 0; k < p->n_next; k++) {
    double *X = n->val + e->block[p->next0 + k];
    mw_eight x[LD];
    for (int r = 0; r < m; r++) mw_eight_get(X + (order ? order[r] : r) * LD, &x[r]);
    for (int r = 0; r < m; r++)
      for (int i = r + 1; i < m; i++)
        x[i] -= x[r] * (order ? U[order[r] * LD + order[i]] : U[r * LD + i]);
    for (int r = 1; r < m; r++) mw_eight_put(X + (order ? order[r] : r) * LD, &x[r]);
  }
}

// Lᵀ of the pivot's block, its inverse D, X of its couplings. False: a pivot is not positive
// (any_sign: is zero).
static inline __attribute__((always_inline)) bool factor_pivot(const mw_elim *e,
                                                               const mw_elim_pivot *p,
                                                               mw_elim_num *n, int m, bool any_sign)
{
  double *D = n->val + p->diag;
  mw_eight d[LD], inv = { 0.0 };
  for (int r = 0; r < m; r++) mw_eight_get(D + r * LD, &d[r]);
  MW_UNROLL for (int r = 0; r < m; r++)
  {
    double v = d[r][r];
    if (!(v > 0.0) && !(any_sign && v < 0.0)) return false;
    v = 1.0 / v;
    // products first: they do not wait for the division
    MW_UNROLL for (int i = r + 1; i < m; i++)
    {
      mw_eight by;
      mw_eight_lane(&d[r], i, &by);
      d[i] -= d[r] * by * v;
    }
    d[r] = d[r] * v;
    mw_eight_clear_to(&d[r], r);
    mw_eight_put(D + r * LD, &d[r]);
    inv[r] = v;
  }
  mw_eight_put(n->inv + p->node * LD, &inv);
  couplings(e, p, n, m, NULL);
  return true;
}

// The row of a checked block with the largest pivot of the sum it was made of, among order[r] and
// those behind it; it is swapped to order[r]. −1: not a number
static int largest_pivot(const double *D, const double *scale, unsigned char *order, int r, int m,
                         bool any_sign)
{
  int best = r;
  for (int i = r; i < m; i++) {
    int x = order[i], y = order[best];
    if (isnan(D[x * LD + x])) return -1;
    double a = D[x * LD + x] * scale[y], b = D[y * LD + y] * scale[x];
    if (any_sign ? fabs(a) > fabs(b) : a > b) best = i;
  }
  unsigned char c = order[best];
  order[best] = order[r];
  order[r] = c;
  return c;
}

// The same for rows that close a loop: the largest pivot first, so that what is left out is what
// repeats the others, however the loop turns. A row left out has inverse zero. Returns their
// number, −1: not a number, or (any_sign) zero.
static inline __attribute__((always_inline)) int factor_checked(const mw_elim *e,
                                                                const mw_elim_pivot *p,
                                                                mw_elim_num *n,
                                                                const mw_elim_task *task, int m)
{
  double *D = n->val + p->diag, *inv = n->inv + p->node * LD;
  const double *scale = n->scale + p->node * LD;
  unsigned char *order = n->order + p->node * LD;
  mw_eight_lanes done = { 0 };
  int dropped = 0;
  for (int r = 0; r < m; r++) order[r] = (unsigned char)r;
  for (int r = 0; r < m; r++) {
    int c = largest_pivot(D, scale, order, r, m, task->any_sign);
    if (c < 0) return -1;
    double d = D[c * LD + c];
    bool kept = task->any_sign || (d > task->drop * scale[c] && d > 0.0);
    if (task->any_sign && d == 0.0) return -1;
    double f = kept ? 1.0 / d : 0.0;
    dropped += !kept;
    inv[c] = f;
    mw_eight row;
    mw_eight_get(D + c * LD, &row);
    for (int i = r + 1; i < m; i++) {
      mw_eight t;
      mw_eight_get(D + order[i] * LD, &t);
      t -= row * D[c * LD + order[i]] * f;
      mw_eight_put(D + order[i] * LD, &t);
    }
    row = row * f;
    mw_eight_join(&done, c);
    mw_eight_clear(&row, &done);
    mw_eight_put(D + c * LD, &row);
  }
  couplings(e, p, n, m, order);
  return dropped;
}

static int factor_sized(const mw_elim *e, const mw_elim_pivot *p, mw_elim_num *n,
                        const mw_elim_task *task)
{
  bool fine, any = task->any_sign;
  if (p->check) switch (p->size) {
    case 3: return factor_checked(e, p, n, task, 3);
    case 5: return factor_checked(e, p, n, task, 5);
    default: return factor_checked(e, p, n, task, p->size);
    }
  switch (p->size) {
  case 3: fine = factor_pivot(e, p, n, 3, any); break;
  case 4: fine = factor_pivot(e, p, n, 4, any); break;
  case 5: fine = factor_pivot(e, p, n, 5, any); break;
  case 6: fine = factor_pivot(e, p, n, 6, any); break;
  default: fine = factor_pivot(e, p, n, p->size, any); break;
  }
  return fine ? 0 : -1;
}

static inline const double *inverse_of(const mw_elim_pivot *p, const mw_elim_num *n)
{
  return (p->plain ? n->inverse : n->inv) + p->node * LD;
}

static inline __attribute__((always_inline)) void updates(const mw_elim *e, const mw_elim_pivot *p,
                                                          mw_elim_num *n, int m)
{
  const mw_elim_update *u = &e->update[p->up0];
  const double *inv = inverse_of(p, n);
  for (int i = 0; i < p->n_next; i++) {
    double w[LD * LD];
    const double *xi = n->val + e->block[p->next0 + i];
    for (int r = 0; r < m; r++) {
      mw_eight t;
      mw_eight_get(xi + r * LD, &t);
      t = t * inv[r];
      mw_eight_put(w + r * LD, &t);
    }
    if (u->scale >= 0) {
      mw_eight sum, a, b;
      sum = (mw_eight){ 0.0 };
      if (!u->first) mw_eight_get(n->scale + u->scale * LD, &sum);
      for (int r = 0; r < m; r++) {
        mw_eight_get(w + r * LD, &a);
        mw_eight_get(xi + r * LD, &b);
        sum += a * b;
      }
      mw_eight_put(n->scale + u->scale * LD, &sum);
    }
    for (int j = i; j < p->n_next; j++, u++)
      pair(n->val + (size_t)u->to * LD, w, n->val + (size_t)u->xj * LD, u->n, m, u->sign > 0,
           u->first);
  }
}

static void run_updates(const mw_elim *e, const mw_elim_pivot *p, mw_elim_num *n)
{
  switch (p->size) {
  case 3: updates(e, p, n, 3); break;
  case 4: updates(e, p, n, 4); break;
  case 5: updates(e, p, n, 5); break;
  case 6: updates(e, p, n, 6); break;
  default: updates(e, p, n, p->size); break;
  }
}

// (2)  left: what is for the borders
static inline __attribute__((always_inline)) void forward(const mw_elim *e, const mw_elim_pivot *p,
                                                          const mw_elim_num *n, double *x,
                                                          double *left, int m)
{
  const double *U = n->val + p->diag;
  const unsigned char *order = n->order + p->node * LD;
  double *y = x + p->node * LD;
  mw_eight t, u, v, w;
  mw_eight_get(y, &w);
  if (!p->plain) {
    for (int r = 0; r < m; r++) {
      int c = p->check ? order[r] : r;
      mw_eight_get(U + c * LD, &u);
      mw_eight_lane(&w, r, &t);
      w -= u * (p->check ? w[c] : t[0]);
    }
    mw_eight_put(y, &w);
  }
  mw_eight_get(inverse_of(p, n), &u);
  w = w * u * p->sign;
  for (int k = 0; k < p->n_next; k++) {
    const double *X = n->val + e->block[p->next0 + k];
    int slot = e->into[p->next0 + k];
    double *b = slot < e->n_node ? x + slot * LD : left + (slot - e->n_node) * LD;
    mw_eight_get(b, &t);
    for (int r = 0; r < m; r++) {
      mw_eight_get(X + r * LD, &u);
      mw_eight_lane(&w, r, &v);
      t -= u * v;
    }
    mw_eight_put(b, &t);
  }
}

static void forward_sized(const mw_elim *e, const mw_elim_pivot *p, const mw_elim_num *n, double *x,
                          double *left)
{
  switch (p->size) {
  case 3: forward(e, p, n, x, left, 3); break;
  case 4: forward(e, p, n, x, left, 4); break;
  case 5: forward(e, p, n, x, left, 5); break;
  case 6: forward(e, p, n, x, left, 6); break;
  default: forward(e, p, n, x, left, p->size); break;
  }
}

// What the block begins with: its own diagonal, on top of what the updates brought.
static void add_diagonal(const mw_elim_pivot *p, mw_elim_num *n, const mw_elim_task *task)
{
  double *D = n->val + p->diag;
  if (p->bare) memset(D, 0, (size_t)(p->size * LD) * sizeof(double));
  if (p->sign < 0 && task->hard) return;
  for (int r = 0; r < p->size; r++) D[r * LD + r] += task->diag[p->node * LD + r];
}

// ---- groups -------------------------------------------------------------------------------------

// What the groups below left at their borders is the group's, or its border's.
static void take_blocks(const mw_elim *e, const mw_elim_group *g, mw_elim_num *n)
{
  for (const mw_elim_add *a = e->add + g->add0; a < e->add + g->add0 + g->n_add; a++) {
    double *to = n->val + (size_t)a->to * LD;
    const double *from = n->val + (size_t)a->from * LD;
    size_t m = (size_t)(a->n * LD);
    if (a->first)
      memcpy(to, from, m * sizeof(double));
    else
      for (size_t i = 0; i < m; i++) to[i] += from[i];
    if (a->scale < 0) continue;
    double *scale = n->scale + (size_t)a->scale * LD;
    for (int i = 0; i < LD; i++)
      scale[i] = (a->first ? 0.0 : scale[i]) + n->scale[(size_t)a->scale0 * LD + (size_t)i];
  }
}

static void take_side(const mw_elim *e, const mw_elim_group *g, double *x, double *left)
{
  memset(left + (size_t)g->slot0 * LD, 0, (size_t)g->n_slot * LD * sizeof(double));
  for (const mw_elim_pass *a = e->pass + g->pass0; a < e->pass + g->pass0 + g->n_pass; a++) {
    double *to = a->to < e->n_node ? x + a->to * LD : left + (a->to - e->n_node) * LD;
    const double *from = left + (a->from - e->n_node) * LD;
    for (int i = 0; i < LD; i++) to[i] += from[i];
  }
}

void mw_elim_begin(const mw_elim *e, mw_elim_num *n, const mw_elim_task *task)
{
  n->inverse = task->inverse;
  n->failed = -1;
  n->n_dropped = 0;
  memset(n->n_out, 0, (size_t)e->n_group * sizeof *n->n_out);
}

mw_code mw_elim_factor_group(const mw_elim *e, mw_elim_num *n, const mw_elim_task *task, int group)
{
  const mw_elim_group *g = &e->group[group];
  int out = 0;
  if (task->first == g->first) {
    take_blocks(e, g, n);
    if (task->x) take_side(e, g, task->x, n->left[0]);
    if (task->x2) take_side(e, g, task->x2, n->left[1]);
  }
  for (int s = task->first; s < task->last; s++) {
    const mw_elim_pivot *p = &e->pivot[s];
    if (!p->plain) {
      add_diagonal(p, n, task);
      int dropped = factor_sized(e, p, n, task);
      if (dropped < 0) {
        n->n_out[group] = -1 - p->node;
        return MW_ERR_NUMERIC;
      }
      out += dropped;
    }
    run_updates(e, p, n);
    // at once: waits less than a pass of its own
    if (task->x) forward_sized(e, p, n, task->x, n->left[0]);
    if (task->x2) forward_sized(e, p, n, task->x2, n->left[1]);
  }
  n->n_out[group] += out;
  return MW_OK;
}

mw_code mw_elim_end(const mw_elim *e, mw_elim_num *n)
{
  n->n_dropped = 0;
  for (int g = 0; g < e->n_group && n->failed < 0; g++)
    if (n->n_out[g] < 0)
      n->failed = -1 - n->n_out[g];
    else
      n->n_dropped += n->n_out[g];
  return n->failed < 0 ? MW_OK : MW_ERR_NUMERIC;
}

mw_code mw_elim_factor(const mw_elim *e, mw_elim_num *n, const mw_elim_task *task)
{
  mw_elim_task part = *task;
  mw_elim_begin(e, n, task);
  for (int g = 0; g < e->n_group; g++) {
    part.first = e->group[g].first;
    part.last = e->group[g].last;
    if (mw_elim_factor_group(e, n, &part, g) != MW_OK) break;
  }
  return mw_elim_end(e, n);
}

void mw_elim_forward_group(const mw_elim *e, const mw_elim_num *n, int group, double *x)
{
  const mw_elim_group *g = &e->group[group];
  take_side(e, g, x, n->left[0]);
  for (int s = g->first; s < g->last; s++) forward_sized(e, &e->pivot[s], n, x, n->left[0]);
}

// The triangle of (3): the unknown found last enters last, which is what the next one waits for.
// order: in which its rows went, NULL: as they are
static inline __attribute__((always_inline)) void triangle(const double *U, double *y, int m,
                                                           const unsigned char *order)
{
  for (int k = m - 2; k >= 0; k--) {
    int r = order ? order[k] : k;
    double v = y[r];
    for (int i = m - 1; i > k; i--) {
      int c = order ? order[i] : i;
      v -= U[r * LD + c] * y[c];
    }
    y[r] = v;
  }
}

// (3)
static inline __attribute__((always_inline)) void backward(const mw_elim *e, const mw_elim_pivot *p,
                                                           const mw_elim_num *n, double *x, int m)
{
  const double *U = n->val + p->diag;
  double *y = x + p->node * LD;
  mw_eight sum[LD], t, u;
  MW_UNROLL for (int r = 0; r < LD; r++) sum[r] = (mw_eight){ 0.0 };
  for (int k = 0; k < p->n_next; k++) {
    const double *X = n->val + e->block[p->next0 + k];
    mw_eight_get(x + e->next[p->next0 + k] * LD, &t);
    MW_UNROLL for (int r = 0; r < m; r++)
    {
      mw_eight_get(X + r * LD, &u);
      sum[r] += u * t;
    }
  }
  mw_eight_sums(sum, &u);
  mw_eight_get(y, &t);
  t = (t - u) * p->sign;
  mw_eight_get(inverse_of(p, n), &u);
  t = t * u;
  mw_eight_put(y, &t);
  if (p->plain) return;
  if (p->check)
    triangle(U, y, m, n->order + p->node * LD);
  else
    triangle(U, y, m, NULL);
}

static void backward_sized(const mw_elim *e, const mw_elim_pivot *p, const mw_elim_num *n,
                           double *x)
{
  switch (p->size) {
  case 3: backward(e, p, n, x, 3); break;
  case 4: backward(e, p, n, x, 4); break;
  case 5: backward(e, p, n, x, 5); break;
  case 6: backward(e, p, n, x, 6); break;
  default: backward(e, p, n, x, p->size); break;
  }
}

// Two at once wait for each other's latencies only.
void mw_elim_backward_group(const mw_elim *e, const mw_elim_num *n, int group, double *x,
                            double *x2)
{
  for (int s = e->group[group].last - 1; s >= e->group[group].first; s--) {
    backward_sized(e, &e->pivot[s], n, x);
    if (x2) backward_sized(e, &e->pivot[s], n, x2);
  }
}

void mw_elim_backward(const mw_elim *e, const mw_elim_num *n, double *x, double *x2)
{
  for (int g = e->n_group - 1; g >= 0; g--) mw_elim_backward_group(e, n, g, x, x2);
}

void mw_elim_solve(const mw_elim *e, const mw_elim_num *n, double *x)
{
  for (int g = 0; g < e->n_group; g++) mw_elim_forward_group(e, n, g, x);
  mw_elim_backward(e, n, x, NULL);
}
