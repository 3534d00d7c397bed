// SPDX-License-Identifier: BSD-3-Clause
// transport.c: the columns of a cluster carried over the grid, smoothly and around cyclic axes once
// more to where they were.
//
//   Q(g) = polar(O(g⁻, g)ᵀ Q(g⁻)) ,  g⁻ parent on the comb   discrete parallel transport   (1)
// Around a cyclic axis the columns F = Φ Q come back turned, F(lo) = F(hi) H: the plane they span
// moves in space, as a plane carried along a circle on a sphere does. The turn is spread evenly,
//   F(θ) := F(θ) R(t) ,  t = (θ − θ_root) / (hi − lo) ,
//       R(t) = exp(t L_0) exp(t log(exp(−L_0) H)) ,  L_0 = log H_0      (2)
// H_0 that of the first line of the axis: the second factor is near one and smooth over the lines,
// whatever the angle of H_0. t = 0 … 1 from the axis' first point: R(0) = 1, R(1) = H. A symmetric
// axis has its root in the middle and R(t) = exp(t log H), t = −½ … ½: mirrored there Σ log H Σ =
// −log H, so that the columns stay mirror images. A cluster with det H = −1 has changed its sign:
// no smooth columns close. Cost: O(n_c³) a point.
// Berry, Proc. R. Soc. A 392 (1984) 45; Wilczek, Zee, Phys. Rev. Lett. 52 (1984) 2111 (frames that
// come back turned).
#include <math.h>
#include <string.h>

#include "align_priv.h"
#include "base/dense.h"
#include "rotation_priv.h"

typedef struct cluster {
  const mw_align_work *w;
  int n;            // modes
  const int *mode;  // [n]  tracked
  const int *col;   // [n]  of Q
  mw_align *out;
  double *X, *H, *L, *L0, *R;  // [n × n]  scratch
  double *cols;                // [n × n]  columns of a point, in its modes of this cluster
  mw_arena mem;
} cluster;

static double *entry(const cluster *c, int g, int i, int j)
{
  int k = c->w->in->k, m = c->out->m;
  return c->out->Q + ((size_t)g * (size_t)k + (size_t)c->w->perm[g * k + c->mode[i]]) * (size_t)m +
         (size_t)c->col[j];
}

// (1) at one point
static mw_code step(cluster *c, int g, mw_error *err)
{
  int n = c->n, k = c->w->in->k, parent = c->w->parent[g];
  mw_align_step to = mw_align_to_parent(c->w, g);
  const int *pa = c->w->perm + parent * k, *pb = c->w->perm + g * k;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = 0.0;
      for (int l = 0; l < n; l++)
        x += to.O[pa[c->mode[l]] * to.of_parent + pb[c->mode[i]] * to.of_child] *
             *entry(c, parent, l, j);
      c->X[i * n + j] = x;
    }
  mw_code rc = mw_rotation_nearest(n, c->X, err);
  for (int i = 0; rc == MW_OK && i < n; i++)
    for (int j = 0; j < n; j++) *entry(c, g, i, j) = c->X[i * n + j];
  return rc;
}

// H of the line of axis i through a point at the axis' root; 1 × 1: its sign.
static mw_code holonomy(cluster *c, int i, int base, mw_error *err)
{
  const mw_align_work *w = c->w;
  int n = c->n, k = w->in->k, first = base - w->root[i] * w->stride[i];
  int last = first + (w->in->n_grid[i] - 1) * w->stride[i];
  const double *O = w->edge[w->edge_of[last * w->in->s + i]].O;
  const int *pl = w->perm + last * k, *pf = w->perm + first * k;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double x = 0.0;
      for (int l = 0; l < n; l++)
        x += O[pl[c->mode[a]] * k + pf[c->mode[l]]] * *entry(c, first, l, b);
      c->X[a * n + b] = x;
    }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double x = 0.0;
      for (int l = 0; l < n; l++) x += *entry(c, last, l, a) * c->X[l * n + b];
      c->H[a * n + b] = x;
    }
  mw_code rc = mw_rotation_nearest(n, c->H, err);
  double det = 1.0;
  if (rc == MW_OK) rc = mw_rotation_det(n, c->H, &det, err);
  if (rc == MW_OK && !(det > 0.0))
    rc = mw_fail(
        err, MW_ERR_NUMERIC, MW_NOWHERE,
        "mode %d%s changes its sign around a full turn of coordinate %d, which therefore cannot be "
        "declared cyclic (unless more modes are wanted: another one may do so with it)",
        c->mode[0] + 1, n > 1 ? " with those it veers with" : "", i + 1);
  return rc;
}

// Q := Q R at a point
static void turn(cluster *c, int g)
{
  int n = c->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) c->cols[i * n + j] = *entry(c, g, i, j);
  mw_gemm('n', 'n', n, n, n, 1.0, c->cols, c->R, 0.0, c->X);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) *entry(c, g, i, j) = c->X[i * n + j];
}

// L and L0 of (2) for one line; reference: the first one of the axis.
static mw_code logarithms(cluster *c, int i, bool reference, mw_error *err)
{
  int n = c->n;
  size_t nn = (size_t)n * (size_t)n;
  bool half_turn = false;
  if (c->w->in->symmetric >> i & 1u) {
    memset(c->L0, 0, nn * sizeof(double));
    mw_code rc = mw_rotation_log(n, c->H, c->L, &half_turn, err);
    if (rc == MW_OK && half_turn)
      rc = mw_fail(
          err, MW_ERR_NUMERIC, MW_NOWHERE,
          "mode %d comes back upside down with another one after a full turn of coordinate %d, "
          "which "
          "therefore cannot be declared cyclic and symmetric at once",
          c->mode[0] + 1, i + 1);
    return rc;
  }
  mw_code rc = MW_OK;
  if (reference) rc = mw_rotation_log(n, c->H, c->L0, &half_turn, err);
  if (rc == MW_OK) rc = mw_rotation_exp(n, -1.0, c->L0, c->R, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 'n', n, n, n, 1.0, c->R, c->H, 0.0, c->X);
  return mw_rotation_log(n, c->X, c->L, &half_turn, err);
}

// (2) along all lines of axis i that the comb has reached
static mw_code unwind(cluster *c, int i, mw_error *err)
{
  const mw_align_work *w = c->w;
  int n = c->n, n_line = i > 0 ? w->n_order[i - 1] : 1;
  const mw_axis *axis = w->in->axis ? &w->in->axis[i] : NULL;
  mw_code rc = MW_OK;
  for (int line = 0; rc == MW_OK && line < n_line; line++) {
    rc = holonomy(c, i, w->order[line], err);
    if (rc == MW_OK && n > 1) rc = logarithms(c, i, line == 0, err);
    for (int k = 0; rc == MW_OK && n > 1 && k < w->in->n_grid[i]; k++) {
      int from = k - w->root[i];
      double t = (double)from / (w->in->n_grid[i] - 1);
      if (axis)
        t = (mw_axis_theta(axis, k) - mw_axis_theta(axis, w->root[i])) / (axis->hi - axis->lo);
      rc = mw_rotation_exp(n, t, c->L0, c->cols, err);
      if (rc == MW_OK) rc = mw_rotation_exp(n, t, c->L, c->X, err);
      if (rc != MW_OK) break;
      mw_gemm('n', 'n', n, n, n, 1.0, c->cols, c->X, 0.0, c->R);
      turn(c, w->order[line] + from * w->stride[i]);
    }
  }
  return rc;
}

mw_code mw_align_carry(const mw_align_work *w, int n_c, const int *mode, const int *col,
                       mw_align *out, mw_error *err)
{
  cluster c = { .w = w, .n = n_c, .mode = mode, .col = col, .out = out };
  size_t cc = (size_t)n_c * (size_t)n_c;
  double **scratch[] = { &c.X, &c.H, &c.L, &c.L0, &c.R, &c.cols };
  for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
    *scratch[i] = mw_arena_f64(&c.mem, cc);
  mw_code rc = mw_arena_check(&c.mem, err);
  for (int i = 0; rc == MW_OK && i < n_c; i++) *entry(&c, w->order[0], i, i) = 1.0;
  for (int i = 0, o = 1; rc == MW_OK && i < w->in->s; i++) {
    for (; rc == MW_OK && o < w->n_order[i]; o++) rc = step(&c, w->order[o], err);
    if (rc == MW_OK && w->in->cyclic >> i & 1u) rc = unwind(&c, i, err);
  }
  mw_arena_free(&c.mem);
  return rc;
}
