// SPDX-License-Identifier: BSD-3-Clause
// regressor.c: what is needed of the drives as a linear function of the bodies' inertial
// parameters, and which of their combinations can be known from it.
//
//   Q = Y(z, ż, z̈) π ,  π_b = (m, m X, J) about the origin and in the axes of the body's frame (1)
//   f = m (a − g) + ω' × mX + ω × (ω × mX) ,  n = mX × (a − g) + J ω' + ω × J ω
//   Q_i = Σ_b f·v_i + n·ω_i                                                                 (2)
//
// v, a: of the origin, v_i, ω_i its rates for ż_i = 1, all in the body's axes. Base parameters are
// those whose columns of all instants do not depend on columns before them:
//
//   Y = Y_base [1 B] ,  β = π_base + B π_rest                                                   (3)
//
// by orthogonalization in the order of the parameters, columns divided by their norms.
// M. Gautier, Numerical calculation of the base inertial parameters of robots, 1991.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "trace_priv.h"

enum { N_PARAM = MW_INERTIAL };

// Of a moving body: its acceleration less the weight's, rates.
typedef struct motion {
  double a[3], w[3], wd[3];  // m/s², rad/s, rad/s²
} motion;

// Velocity of the origin and rate of a body from its twist [6] in principal axes.
static void origin_rates(const mw_rigid_body *b, const double *u, double v[3], double w[3])
{
  double turn[3];
  mw_mul33v(b->R, u, v);
  mw_mul33v(b->R, u + 3, w);
  mw_cross3(w, b->c, turn);
  for (int i = 0; i < 3; i++) v[i] -= turn[i];
}

static motion motion_of(const mw_trace *t, int k, const double *u, const double *ud)
{
  const mw_rigid_body *b = &mw_rigid_bodies(t->r)[k];
  motion m;
  double v[3], turn[3], g[3];
  origin_rates(b, u + 6 * k, v, m.w);
  // ud: acceleration of the centre of mass, in the body's axes, and ω'
  origin_rates(b, ud + 6 * k, m.a, m.wd);
  mw_cross3(m.w, b->c, turn);
  mw_cross3(m.w, turn, turn);
  mw_mul33tv(t->q + 12 * k + 3, t->m->model->gravity, g);
  mw_mul33v(b->R, g, g);
  for (int i = 0; i < 3; i++) m.a[i] -= turn[i] + (b->gravity ? g[i] : 0.0);
  return m;
}

// f, n of (2) for parameter p = 1, all others 0.
static void unit_wrench(const motion *m, int p, double f[3], double n[3])
{
  static const int at[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
  double x[3] = { 0.0 }, y[3];
  memset(f, 0, 3 * sizeof *f);
  memset(n, 0, 3 * sizeof *n);
  if (p == 0) {
    memcpy(f, m->a, 3 * sizeof *f);
  } else if (p < 4) {
    x[p - 1] = 1.0;
    mw_cross3(m->wd, x, f);
    mw_cross3(m->w, x, y);
    mw_cross3(m->w, y, y);
    for (int i = 0; i < 3; i++) f[i] += y[i];
    mw_cross3(x, m->a, n);
  } else {
    int i = at[p - 4][0], j = at[p - 4][1];
    x[i] = m->w[j];
    x[j] = m->w[i];
    mw_cross3(m->w, x, n);
    n[i] += m->wd[j];
    if (i != j) n[j] += m->wd[i];
  }
}

// Rows of Y [k × 10 n_body] where t is, at rates and accelerations [n_coord]; u, ud [n_u] scratch.
static mw_code rows_at(mw_trace *t, const double *rate, const double *acceleration, double *u,
                       double *ud, double *Y, mw_error *err)
{
  int n = t->n.n_u, width = N_PARAM * t->n.n_body;
  mw_code rc = mw_trace_basis(t, err);
  if (rc != MW_OK) return rc;
  memset(u, 0, (size_t)n * sizeof *u);
  for (int i = 0; i < t->k; i++) mw_axpy(n, rate[t->z[i]], t->T + i * n, u);
  mw_trace_bias(t, u, ud);
  for (int i = 0; i < t->k; i++) mw_axpy(n, acceleration[t->z[i]], t->T + i * n, ud);
  for (int b = 0; b < t->n.n_body; b++) {
    motion m = motion_of(t, b, u, ud);
    for (int i = 0; i < t->k; i++) {
      double v[3], w[3], f[3], moment[3];
      origin_rates(&mw_rigid_bodies(t->r)[b], t->T + i * n + 6 * b, v, w);
      for (int p = 0; p < N_PARAM; p++) {
        unit_wrench(&m, p, f, moment);
        Y[i * width + N_PARAM * b + p] = mw_dot3(f, v) + mw_dot3(moment, w);
      }
    }
  }
  return MW_OK;
}

// π of the bodies as the model has them.
static void parameters(const mw_trace *t, double *pi)
{
  static const int at[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
  for (int k = 0; k < t->n.n_body; k++, pi += N_PARAM) {
    const mw_rigid_body *b = &mw_rigid_bodies(t->r)[k];
    double c2 = mw_dot3(b->c, b->c);
    pi[0] = b->m;
    for (int i = 0; i < 3; i++) pi[1 + i] = b->m * b->c[i];
    for (int e = 0; e < 6; e++) {
      int i = at[e][0], j = at[e][1];
      double J = b->m * ((i == j ? c2 : 0.0) - b->c[i] * b->c[j]);
      for (int a = 0; a < 3; a++) J += b->R[3 * i + a] * b->I[a] * b->R[3 * j + a];
      pi[4 + e] = J;
    }
  }
}

// ---- base parameters ----------------------------------------------------------------------------

// Takes what columns Qt [n × m] have out of x [m], twice; adds the parts to part [n] (may be NULL).
static void take_out(int n, int m, const double *Qt, double *x, double *part)
{
  for (int twice = 0; twice < 2; twice++)
    for (int j = 0; j < n; j++) {
      double a = mw_dot(m, Qt + (size_t)j * (size_t)m, x);
      mw_axpy(m, -a, Qt + (size_t)j * (size_t)m, x);
      if (part) part[j] += a;
    }
}

// (3), and the condition of Y_base by its triangular factor.
static mw_code find_base(mw_regressor *o, mw_error *err)
{
  static const double RANK = 1e-9, NONE = 1e-14;  // of a column, and of the largest one
  int m = o->n * o->k, width = N_PARAM * o->n_body, n = 0;
  size_t w = (size_t)width;
  mw_arena tmp = { 0 };
  double *Qt = mw_arena_f64(&tmp, w * (size_t)m), *R = mw_arena_f64(&tmp, w * w);
  double *x = mw_arena_f64(&tmp, (size_t)m), *sv = mw_arena_f64(&tmp, w), most = 0.0;
  double *A = mw_arena_f64(&tmp, w * w);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int pass = 0; rc == MW_OK && pass < 2; pass++)
    for (int p = 0; p < width; p++) {
      for (int i = 0; i < m; i++) x[i] = o->Y[(size_t)i * w + (size_t)p];
      double norm = sqrt(mw_dot(m, x, x)), *part = R + (size_t)p * w, left;
      most = fmax(most, norm);
      if (pass == 0 || norm <= NONE * most) continue;  // no part in Q at all: share 0
      take_out(n, m, Qt, x, part);
      left = sqrt(mw_dot(m, x, x));
      if (left > RANK * norm) {
        for (int i = 0; i < m; i++) Qt[(size_t)n * (size_t)m + (size_t)i] = x[i] / left;
        part[n] = left;
        o->base[n++] = p;
      }
    }
  o->n_base = n;
  // R_base B = parts of the others, from below
  for (int p = 0; rc == MW_OK && p < width; p++)
    for (int i = n - 1; i >= 0; i--) {
      double sum = R[(size_t)p * w + (size_t)i];
      for (int j = i + 1; j < n; j++)
        sum -= R[(size_t)o->base[j] * w + (size_t)i] * o->share[(size_t)j * w + (size_t)p];
      o->share[(size_t)i * w + (size_t)p] = sum / R[(size_t)o->base[i] * w + (size_t)i];
    }
  for (int i = 0; rc == MW_OK && i < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] = R[(size_t)o->base[i] * w + (size_t)j];
  if (rc == MW_OK && n > 0) rc = mw_svd(n, n, A, sv, NULL, NULL, err);
  if (rc == MW_OK) o->condition = n > 0 ? sv[0] / sv[n - 1] : 1.0;
  mw_arena_free(&tmp);
  return rc;
}

static mw_code memory(const mw_trace *t, mw_arena *mem, mw_regressor *o, mw_error *err)
{
  size_t w = (size_t)(N_PARAM * t->n.n_body);
  o->k = t->k;
  o->n_body = t->n.n_body;
  o->body = mw_arena_int(mem, (size_t)o->n_body);
  o->Y = mw_arena_f64(mem, (size_t)o->n * (size_t)o->k * w);
  o->pi = mw_arena_f64(mem, w);
  o->base = mw_arena_int(mem, w);
  o->share = mw_arena_f64(mem, w * w);
  return mw_arena_check(mem, err);
}

mw_code mw_regressor_find(const mw_mech *m, const unsigned char *given, int n, const double *value,
                          const double *rate, const double *acceleration, mw_arena *mem,
                          mw_regressor *out, mw_error *err)
{
  mw_trace t = { 0 };
  mw_regressor o = { .n = n };
  mw_position at;
  double *u = NULL, *ud = NULL;
  mw_code rc = mw_position_find(m, given, value, mem, &at, err);
  if (rc == MW_OK) rc = mw_trace_open(m, &at, given, &t, err);
  if (rc == MW_OK) rc = memory(&t, mem, &o, err);
  if (rc == MW_OK) {
    u = mw_arena_f64(&t.mem, (size_t)t.n.n_u);
    ud = mw_arena_f64(&t.mem, (size_t)t.n.n_u);
    rc = mw_arena_check(&t.mem, err);
  }
  for (int b = 0; rc == MW_OK && b < o.n_body; b++) o.body[b] = mw_rigid_bodies(t.r)[b].body;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int from = i * m->n_coord;
    size_t rows = (size_t)i * (size_t)o.k * (size_t)(N_PARAM * o.n_body);
    rc = mw_trace_go(&t, value + from, err);
    if (rc == MW_OK) rc = rows_at(&t, rate + from, acceleration + from, u, ud, o.Y + rows, err);
  }
  if (rc == MW_OK) parameters(&t, o.pi);
  if (rc == MW_OK) rc = find_base(&o, err);
  mw_trace_close(&t);
  if (rc == MW_OK) *out = o;
  return rc;
}
