// SPDX-License-Identifier: BSD-3-Clause
// body_patch.c: what a rigid patch's finite rotation adds to the motions of its nodes.
//
// With q = φ·φ and Stumpff's functions c_k(q) = Σ_n (−q)^n/(2n + k)!, c_k' = (k c_{k+2} −
// c_{k+1})/2:
//   c(φ)  = −q c3 φ × a + c2 φ × (φ × a)                                                        (1)
//   g·c   = −q c3 l + c2 Q ,   l = φ·(a × g) ,   Q = φᵀSφ − q a·g ,   S = sym(g aᵀ)             (2)
// (c1 = sin x/x, c2 = (1 − cos x)/x², x = |φ|; c1 − 1 = −q c3.)
#include "body_patch_priv.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

// c [7]: c_1 … c_6 of (1); c_k = 1/k! − q c_{k+2}
static void stumpff(double q, double c[7])
{
  static const double FACTORIAL[7] = { 1, 1, 2, 6, 24, 120, 720 };
  for (int k = 5; k <= 6; k++) {
    double term = 1.0 / FACTORIAL[k];
    c[k] = 0.0;
    for (int n = 1; n < 40 && c[k] + term != c[k]; n++) {
      c[k] += term;
      term *= -q / ((2 * n + k - 1) * (2 * n + k));
    }
  }
  for (int k = 4; k >= 1; k--) c[k] = 1.0 / FACTORIAL[k] - q * c[k + 2];
}

// ---- arms ---------------------------------------------------------------------------------------

static int unknown_of(const mw_body_work *w, int master)
{
  return w->unknown[w->ptr[mw_body_motion(w, w->n_node + master)]] + 3;
}

// arm [n ≥ number of arms of the node]; returns how many: its own, or by patch of those it follows
static int arms_of(const mw_body_work *w, int node, mw_arm *arm)
{
  int n = 0;
  bool tied = w->master[node] < 0 && w->tie_ptr;
  int lo = tied ? w->tie_ptr[node] : 0, hi = tied ? w->tie_ptr[node + 1] : 1;
  for (int k = lo; k < hi; k++) {
    int of = tied ? w->tie_node[k] : node, m = w->master[of], i = 0;
    if (m < 0) continue;
    int turn = unknown_of(w, m);
    while (i < n && arm[i].turn != turn) i++;
    if (i == n) arm[n++] = (mw_arm){ .motion = mw_body_motion(w, node), .turn = turn };
    for (int c = 0; c < 3; c++)
      arm[i].a[c] +=
          (tied ? w->tie_coef[k] : 1.0) * (w->X[3 * of + c] - w->X[3 * (w->n_node + m) + c]);
  }
  return n;
}

// Row i of C, behind it a place for φ of each of n arms.
static void put_row(const mw_body_work *w, int i, int n, mw_arm *arm, mw_patches *p)
{
  int at = p->ptr[i];
  for (int k = w->ptr[i]; k < w->ptr[i + 1]; k++, at++) {
    p->unknown[at] = w->unknown[k];
    p->coef[at] = w->coef[k];
  }
  for (int k = 0; k < n; k++) {
    arm[k].coef[i - arm[k].motion] = at;
    for (int c = 0; c < 3; c++) p->unknown[at++] = arm[k].turn + c;
  }
  p->ptr[i + 1] = at;
}

mw_code mw_patches_build(const mw_body_work *w, mw_patches *out, mw_error *err)
{
  mw_patches p = { .n_motion = w->n_node * w->dof };
  mw_arena tmp = { 0 };
  mw_arm *arm = mw_arena_alloc(&tmp, (size_t)w->n_master + 1, sizeof *arm);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && w->n_master > 0 && i < w->n_node; i++)
    p.n_arm += arms_of(w, i, arm);
  size_t n = (size_t)p.n_motion, nz = (size_t)w->ptr[n] + 9 * (size_t)p.n_arm;
  p.ptr = mw_arena_int(w->mem, n + 1);
  p.unknown = mw_arena_int(w->mem, nz);
  p.coef = mw_arena_f64(w->mem, nz);
  p.arm = mw_arena_alloc(w->mem, (size_t)p.n_arm, sizeof *p.arm);
  if (rc == MW_OK) rc = mw_arena_check(w->mem, err);
  int done = 0;
  for (int i = 0; rc == MW_OK && i < w->n_node; i++) {
    int k = w->n_master > 0 ? arms_of(w, i, arm) : 0;
    for (int c = 0; c < w->dof; c++) put_row(w, w->dof * i + c, c < 3 ? k : 0, arm, &p);
    for (int j = 0; j < k; j++) p.arm[done++] = arm[j];
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = p;
  return rc;
}

// ---- motions ------------------------------------------------------------------------------------

// s: Stumpff's functions of q = φ·φ, which is returned; x = φ × a, y = φ × (φ × a)
static double turned(const mw_arm *arm, const double *phi, double s[7], double x[3], double y[3])
{
  double q = mw_dot3(phi, phi);
  stumpff(q, s);
  mw_cross3(phi, arm->a, x);
  mw_cross3(phi, x, y);
  return q;
}

void mw_patches_shift(const mw_patches *p, const double *u, double *c)
{
  memset(c, 0, (size_t)p->n_motion * sizeof *c);
  for (int k = 0; k < p->n_arm; k++) {
    const mw_arm *arm = &p->arm[k];
    const double *phi = u + arm->turn;
    double s[7], x[3], y[3], q = turned(arm, phi, s, x, y);
    for (int i = 0; i < 3; i++) c[arm->motion + i] += s[2] * y[i] - q * s[3] * x[i];
  }
}

void mw_patches_rows(const mw_patches *p, const double *u, double *rows)
{
  memcpy(rows, p->coef, (size_t)p->ptr[p->n_motion] * sizeof *rows);
  for (int k = 0; k < p->n_arm; k++) {
    const mw_arm *arm = &p->arm[k];
    const double *phi = u + arm->turn;
    double s[7], x[3], y[3], q = turned(arm, phi, s, x, y);
    for (int j = 0; j < 3; j++) {
      double e[3] = { j == 0, j == 1, j == 2 }, ea[3], ex[3], pea[3];
      mw_cross3(e, arm->a, ea);
      mw_cross3(e, x, ex);
      mw_cross3(phi, ea, pea);
      for (int i = 0; i < 3; i++)
        rows[arm->coef[i] + j] = phi[j] * ((s[3] - s[2]) * x[i] + (2.0 * s[4] - s[3]) * y[i]) -
                                 q * s[3] * ea[i] + s[2] * (ex[i] + pea[i]);
    }
  }
}

void mw_patches_rate(const mw_patches *p, const double *rows, const double *v, double *c)
{
  memset(c, 0, (size_t)p->n_motion * sizeof *c);
  for (int k = 0; k < p->n_arm; k++)
    for (int i = 0; i < 3; i++)
      c[p->arm[k].motion + i] += mw_dot3(rows + p->arm[k].coef[i], v + p->arm[k].turn);
}

void mw_patches_pull(const mw_patches *p, const double *rows, double factor, const double *g,
                     double *f)
{
  for (int k = 0; k < p->n_arm; k++) {
    const mw_arm *arm = &p->arm[k];
    for (int i = 0; i < 9; i++)
      f[arm->turn + i % 3] += factor * rows[arm->coef[i / 3] + i % 3] * g[arm->motion + i / 3];
  }
}

void mw_arm_bend(const mw_arm *arm, const double phi[3], const double g[3], double H[9])
{
  const double *a = arm->a;
  double s[7], S[9], c[3], dQ[3], q = mw_dot3(phi, phi), ag = mw_dot3(a, g);
  stumpff(q, s);
  for (int k = 0; k < 9; k++) S[k] = 0.5 * (g[k / 3] * a[k % 3] + a[k / 3] * g[k % 3]);
  mw_cross3(a, g, c);
  mw_mul33v(S, phi, dQ);
  double l = mw_dot3(phi, c), Q = mw_dot3(phi, dQ) - q * ag;
  for (int i = 0; i < 3; i++) dQ[i] = 2.0 * (dQ[i] - ag * phi[i]);
  // of c1 and c2 by q: first and second derivatives
  double d1 = 0.5 * (s[3] - s[2]), d2 = 0.5 * (2.0 * s[4] - s[3]),
         dd1 = 0.25 * (3.0 * s[5] - 3.0 * s[4] + s[3]),
         dd2 = 0.25 * (8.0 * s[6] - 5.0 * s[5] + s[4]);
  for (int k = 0; k < 9; k++) {
    int i = k / 3, j = k % 3;
    double one = i == j ? 1.0 : 0.0;
    H[k] = 4.0 * (dd1 * l + dd2 * Q) * phi[i] * phi[j] + 2.0 * (d1 * l + d2 * Q) * one +
           2.0 * d1 * (phi[i] * c[j] + c[i] * phi[j]) +
           2.0 * d2 * (phi[i] * dQ[j] + dQ[i] * phi[j]) + 2.0 * s[2] * (S[k] - ag * one);
  }
}
