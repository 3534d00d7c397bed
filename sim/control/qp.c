// SPDX-License-Identifier: BSD-3-Clause
// qp.c: the dual active-set method.
//
//   H = L Lᵀ ,  J = L⁻ᵀ Q ,  Jᵀ N = [ R ; 0 ]  N [n × q]: normals of the active constraints  (1)
// starts at z = -H⁻¹ g with none active, and as long as a constraint a·z >= b is violated goes
// towards it,
//   d = Jᵀ a = [d1 ; d2] ,   p = J2 d2   in z ,   r = R⁻¹ d1   down in the multipliers          (2)
//   t = min( (b - a·z)/(p·a) ,  u_j/r_j over r_j > 0 )                                          (3)
// to meet it (then it becomes active: Q is turned so that one entry of d2 is left, the new column
// of R) or to where a multiplier vanishes (then that constraint leaves). Every z on the way is the
// minimum under its active set, so the method ends. Cost: n³/2 for (1), 5 n² a change of the active
// set.
//
// [GI83] Goldfarb and Idnani, A numerically stable dual method for solving strictly convex
//        quadratic programs, Mathematical Programming 27 (1983) 1-33.
#include "sim/qp.h"

#include <math.h>
#include <string.h>

static const double VIOLATED = 1e-10;   // of |bound| + |value|: what rounding leaves
static const double DEPENDENT = 1e-20;  // |d2|²/|d|² of a normal that depends on the active ones

const char *mw_qp_code_name(mw_qp_code code)
{
  switch (code) {
  case MW_QP_OK: return "ok";
  case MW_QP_INFEASIBLE: return "infeasible";
  case MW_QP_NOT_CONVEX: return "not convex";
  case MW_QP_TOO_LONG: return "too many changes of the active set";
  }
  return "unknown";
}

mw_code mw_qp_init(mw_qp *q, int n, int n_row, mw_arena *mem, mw_error *err)
{
  size_t un = (size_t)n, ur = (size_t)n_row;
  *q = (mw_qp){ .n = n, .n_row = n_row, .iter_max = 10 * (n + n_row) };
  q->H = mw_arena_f64(mem, un * un);
  q->J = mw_arena_f64(mem, un * un);
  q->R = mw_arena_f64(mem, un * un);
  q->A = mw_arena_f64(mem, ur * un);
  double **vector[] = { &q->g, &q->lb, &q->ub, &q->z, &q->d, &q->r, &q->p };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) *vector[i] = mw_arena_f64(mem, un);
  double **row[] = { &q->lo, &q->hi, &q->Az };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) *row[i] = mw_arena_f64(mem, ur);
  q->lambda = mw_arena_f64(mem, un + ur);
  q->u = mw_arena_f64(mem, un + 1);
  q->active = mw_arena_int(mem, un);
  q->side = mw_arena_alloc(mem, un + ur, 1);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    q->lb[i] = -INFINITY;
    q->ub[i] = INFINITY;
  }
  for (int i = 0; rc == MW_OK && i < n_row; i++) {
    q->lo[i] = -INFINITY;
    q->hi[i] = INFINITY;
  }
  return rc;
}

// H := U with H = Uᵀ U, rows of J := those of L⁻¹ = U⁻ᵀ
static int factor(mw_qp *q)
{
  int n = q->n;
  for (int k = 0; k < n; k++) {
    double *Uk = q->H + k * n;
    if (!(Uk[k] > 0.0) || !isfinite(Uk[k])) return 0;
    double s = 1.0 / sqrt(Uk[k]);
    for (int j = k; j < n; j++) Uk[j] *= s;
    for (int i = k + 1; i < n; i++) {
      double *Hi = q->H + i * n, f = Uk[i];
      for (int j = i; j < n; j++) Hi[j] -= f * Uk[j];
    }
  }
  memset(q->J, 0, (size_t)n * (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) {
    double *Ji = q->J + i * n, s = 1.0 / q->H[i * n + i];
    Ji[i] = 1.0;
    for (int k = 0; k < i; k++) {
      const double *Jk = q->J + k * n;
      double f = q->H[k * n + i];
      for (int j = 0; j <= k; j++) Ji[j] -= f * Jk[j];
    }
    for (int j = 0; j <= i; j++) Ji[j] *= s;
  }
  return 1;
}

// z := -J Jᵀ g
static int unconstrained(mw_qp *q)
{
  int n = q->n;
  double sum = 0.0;
  memset(q->z, 0, (size_t)n * sizeof(double));
  for (int k = 0; k < n; k++) {
    const double *Jk = q->J + k * n;
    double f = 0.0;
    for (int j = 0; j <= k; j++) f += Jk[j] * q->g[j];
    for (int j = 0; j <= k; j++) q->z[j] -= f * Jk[j];
  }
  for (int j = 0; j < n; j++) sum += q->z[j];
  return isfinite(sum);
}

static void set_Az(mw_qp *q)
{
  int n = q->n;
  for (int i = 0; i < q->n_row; i++) {
    const double *a = q->A + i * n;
    double s = 0.0;
    for (int j = 0; j < n; j++) s += a[j] * q->z[j];
    q->Az[i] = s;
  }
}

// Value of constraint c and its bounds.
static double value_of(const mw_qp *q, int c, double *lo, double *hi)
{
  int bound = c < q->n;
  *lo = bound ? q->lb[c] : q->lo[c - q->n];
  *hi = bound ? q->ub[c] : q->hi[c - q->n];
  return bound ? q->z[c] : q->Az[c - q->n];
}

// The inactive constraint that is violated most, -1: none; side, and by how much.
static int most_violated(const mw_qp *q, int *side, double *by)
{
  int worst = -1;
  *by = 0.0;
  for (int c = 0; c < q->n + q->n_row; c++) {
    double lo, hi, v = value_of(q, c, &lo, &hi);
    if (q->side[c] != 0) continue;
    if (lo - v > *by && lo - v > VIOLATED * (fabs(lo) + fabs(v))) {
      *by = lo - v;
      *side = 1;
      worst = c;
    }
    if (v - hi > *by && v - hi > VIOLATED * (fabs(hi) + fabs(v))) {
      *by = v - hi;
      *side = -1;
      worst = c;
    }
  }
  return worst;
}

// (2): d, p, r; returns |d2|², or 0 where the normal depends on the active ones
static double directions(mw_qp *q, int c, int side)
{
  int n = q->n, na = q->n_active;
  double all = 0.0, d2 = 0.0;
  for (int k = 0; k < n; k++) {
    const double *Jk = q->J + k * n;
    double s = 0.0;
    if (c < n) {
      s = Jk[c];
    } else {
      const double *a = q->A + (c - n) * n;
      for (int j = 0; j < n; j++) s += Jk[j] * a[j];
    }
    q->d[k] = side * s;
    all += s * s;
    if (k >= na) d2 += s * s;
  }
  memset(q->p, 0, (size_t)n * sizeof(double));
  for (int k = na; k < n; k++) {
    const double *Jk = q->J + k * n;
    for (int j = 0; j < n; j++) q->p[j] += q->d[k] * Jk[j];
  }
  memcpy(q->r, q->d, (size_t)na * sizeof(double));
  for (int k = na - 1; k >= 0; k--) {
    const double *Rk = q->R + k * n;
    q->r[k] /= Rk[k];
    for (int i = 0; i < k; i++) q->r[i] -= Rk[i] * q->r[k];
  }
  return d2 > DEPENDENT * all ? d2 : 0.0;
}

// Turns rows a and b of J by (c, s).
static void turn(int n, double *a, double *b, double c, double s)
{
  for (int j = 0; j < n; j++) {
    double x = a[j], y = b[j];
    a[j] = c * x + s * y;
    b[j] = c * y - s * x;
  }
}

// Constraint c becomes active: d2 turned into one entry.
static void add(mw_qp *q, int c, int side)
{
  int n = q->n, na = q->n_active;
  for (int k = n - 1; k > na; k--) {
    double x = q->d[k - 1], y = q->d[k], len = sqrt(x * x + y * y);
    if (y == 0.0) continue;
    turn(n, q->J + (k - 1) * n, q->J + k * n, x / len, y / len);
    q->d[k - 1] = len;
    q->d[k] = 0.0;
  }
  memcpy(q->R + na * n, q->d, (size_t)(na + 1) * sizeof(double));
  q->active[na] = c;
  q->side[c] = (signed char)side;
  q->n_active++;
}

// The active constraint at place l leaves; R made triangular again.
static void drop(mw_qp *q, int l)
{
  int n = q->n, na = --q->n_active;
  q->side[q->active[l]] = 0;
  for (int k = l; k < na; k++) {
    memcpy(q->R + k * n, q->R + (k + 1) * n, (size_t)(k + 2) * sizeof(double));
    q->active[k] = q->active[k + 1];
    q->u[k] = q->u[k + 1];
  }
  q->u[na] = q->u[na + 1];
  for (int k = l; k < na; k++) {
    double x = q->R[k * n + k], y = q->R[k * n + k + 1], len = sqrt(x * x + y * y);
    if (y == 0.0) continue;
    double c = x / len, s = y / len;
    turn(n, q->J + k * n, q->J + (k + 1) * n, c, s);
    for (int i = k; i < na; i++) {
      double *R = q->R + i * n, a = R[k], b = R[k + 1];
      R[k] = c * a + s * b;
      R[k + 1] = c * b - s * a;
    }
  }
}

// Makes constraint c, violated on its side by `by`, active; others may leave on the way.
static mw_qp_code take(mw_qp *q, int c, int side, double by)
{
  int n = q->n;
  q->u[q->n_active] = 0.0;
  while (q->iterations++ < q->iter_max) {
    double d2 = directions(q, c, side), t = d2 > 0.0 ? by / d2 : INFINITY, t1 = INFINITY;
    int leaves = -1;
    for (int k = 0; k < q->n_active; k++)
      if (q->r[k] > 0.0 && q->u[k] < t1 * q->r[k]) {
        t1 = q->u[k] / q->r[k];
        leaves = k;
      }
    int full = t <= t1;
    if (!full) t = t1;
    if (isinf(t)) return MW_QP_INFEASIBLE;
    for (int k = 0; k < q->n_active; k++) q->u[k] -= t * q->r[k];
    q->u[q->n_active] += t;
    if (d2 > 0.0) {
      for (int j = 0; j < n; j++) q->z[j] += t * q->p[j];
      by -= t * d2;
    }
    if (full) {
      add(q, c, side);
      return MW_QP_OK;
    }
    drop(q, leaves);
  }
  return MW_QP_TOO_LONG;
}

mw_qp_code mw_qp_solve(mw_qp *q)
{
  int c, side = 0;
  double by;
  mw_qp_code code = MW_QP_OK;
  q->iterations = q->n_active = 0;
  memset(q->side, 0, (size_t)(q->n + q->n_row));
  if (!factor(q) || !unconstrained(q)) return MW_QP_NOT_CONVEX;
  do {
    set_Az(q);
    c = most_violated(q, &side, &by);
    if (c >= 0) code = take(q, c, side, by);
  } while (c >= 0 && code == MW_QP_OK);
  memset(q->lambda, 0, (size_t)(q->n + q->n_row) * sizeof(double));
  for (int k = 0; k < q->n_active; k++) q->lambda[q->active[k]] = q->side[q->active[k]] * q->u[k];
  return code;
}
