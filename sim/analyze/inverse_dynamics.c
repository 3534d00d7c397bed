// SPDX-License-Identifier: BSD-3-Clause
// inverse_dynamics.c: drive forces at an instant and along a motion, and the equation of motion in
// minimal coordinates.
//
//   M(z) z̈ + h(z, ż) = Q ,  M = T M̂ Tᵀ ,  h = T (M̂ u'(z̈ = 0) − f̂)                          (2)
//   Q = (T Js_dᵀ) τ , |τ| least, or as drive_share.c                                            (3)
// T and u' by (1) of trace.c, τ by singular values: drives may be redundant. f̂: weight, springs,
// dampers, friction, forces of the model without a scenario. Along a motion of a tree whose
// coordinates are all given Q is by the recursion of Newton and Euler (recursion/newton_euler.c).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "inverse_priv.h"
#include "sim/newton_euler.h"
#include "trace_priv.h"

static const double RANK = 1e-9;  // as in mobility.c: rows close to 1e-13

// Room for what is evaluated at an instant.
typedef struct instant {
  mw_trace t;
  double *u, *u0, *f;  // [n_u]
  double *A, *B;       // [k × n_drive]  what drives give to z, a copy that is destroyed
} instant;

static mw_code open_instant(const mw_mech *m, const mw_position *at, const unsigned char *given,
                            instant *s, mw_error *err)
{
  mw_code rc = mw_trace_open(m, at, given, &s->t, err);
  if (rc != MW_OK) return rc;
  double **tangent[] = { &s->u, &s->u0, &s->f };
  for (int i = 0; i < 3; i++) *tangent[i] = mw_arena_f64(&s->t.mem, (size_t)s->t.n.n_u);
  size_t kd = (size_t)s->t.k * (size_t)m->model->n_drive;
  s->A = mw_arena_f64(&s->t.mem, kd);
  s->B = mw_arena_f64(&s->t.mem, kd);
  return mw_arena_check(&s->t.mem, err);
}

static mw_code equation_memory(const instant *s, mw_arena *mem, mw_equation *o, mw_error *err)
{
  size_t k = (size_t)s->t.k;
  o->k = s->t.k;
  o->coord = mw_arena_int(mem, k);
  double **vector[] = { &o->h, &o->g, &o->Q };
  for (int i = 0; i < 3; i++) *vector[i] = mw_arena_f64(mem, k);
  o->M = mw_arena_f64(mem, k * k);
  o->tau = mw_arena_f64(mem, (size_t)s->t.m->model->n_drive);
  return mw_arena_check(mem, err);
}

// (2)
static mw_code equation(instant *s, const double *rate, const double *acceleration, mw_equation *o,
                        mw_error *err)
{
  mw_trace *t = &s->t;
  int n = t->n.n_u, k = t->k;
  mw_code rc = mw_trace_basis(t, err);
  if (rc != MW_OK) return rc;
  memset(s->u, 0, (size_t)n * sizeof *s->u);
  for (int i = 0; i < k; i++) mw_axpy(n, rate[t->z[i]], t->T + i * n, s->u);
  mw_trace_force(t, NULL, s->f);
  for (int i = 0; i < k; i++) o->g[i] = -mw_dot(n, t->T + i * n, s->f);
  mw_trace_bias(t, s->u, s->u0);
  mw_trace_force(t, s->u, s->f);
  for (int i = 0; i < k; i++) {
    const double *T = t->T + i * n;
    o->coord[i] = t->z[i];
    o->h[i] = 0.0;
    for (int x = 0; x < n; x++) o->h[i] += T[x] * (t->mass[x] * s->u0[x] - s->f[x]);
    o->Q[i] = o->h[i];
    for (int j = 0; j < k; j++) {
      double sum = 0.0;
      for (int x = 0; x < n; x++) sum += T[x] * t->mass[x] * t->T[j * n + x];
      o->M[i * k + j] = sum;
      o->Q[i] += sum * acceleration[t->z[j]];
    }
  }
  return MW_OK;
}

// (3)
static mw_code drives(instant *s, const mw_sharing *sharing, mw_equation *o, mw_error *err)
{
  int k = s->t.k, nd = s->t.m->model->n_drive;
  mw_code rc = MW_OK;
  mw_trace_drives(&s->t, s->A);
  memcpy(s->B, s->A, (size_t)(k * nd) * sizeof(double));
  o->drive_rank = 0;
  if (nd > 0 && sharing)
    rc = mw_share_forces(s->t.m->model, k, s->A, o->Q, sharing, o->tau, &o->drive_rank, err);
  else if (nd > 0)
    rc = mw_lstsq(k, nd, s->B, o->Q, RANK, o->tau, &o->drive_rank, err);
  o->left = 0.0;
  for (int i = 0; rc == MW_OK && i < k; i++)
    o->left = fmax(o->left, fabs(o->Q[i] - (nd > 0 ? mw_dot(nd, s->A + i * nd, o->tau) : 0.0)));
  return rc;
}

mw_code mw_equation_find(const mw_mech *m, const mw_position *at, const unsigned char *given,
                         const double *rate, const double *acceleration, const mw_sharing *sharing,
                         mw_arena *mem, mw_equation *out, mw_error *err)
{
  instant s = { 0 };
  mw_equation o = { 0 };
  mw_code rc = open_instant(m, at, given, &s, err);
  if (rc == MW_OK) rc = equation_memory(&s, mem, &o, err);
  if (rc == MW_OK) rc = equation(&s, rate, acceleration, &o, err);
  if (rc == MW_OK) rc = drives(&s, sharing, &o, err);
  mw_trace_close(&s.t);
  if (rc == MW_OK) *out = o;
  return rc;
}

// ---- along a motion -----------------------------------------------------------------------------

static mw_code motion_memory(const mw_mech *m, int k, mw_arena *mem, mw_drive_motion *o,
                             mw_error *err)
{
  size_t n = (size_t)o->n, nd = (size_t)m->model->n_drive;
  double **instants[] = { &o->t, &o->left };
  for (int i = 0; i < 2; i++) *instants[i] = mw_arena_f64(mem, n);
  double **drive[] = { &o->tau, &o->rate, &o->power };
  for (int i = 0; i < 3; i++) *drive[i] = mw_arena_f64(mem, n * nd);
  o->s = mw_arena_f64(mem, n * (size_t)m->n_coord);
  o->Q = mw_arena_f64(mem, n * (size_t)k);
  o->coord = mw_arena_int(mem, (size_t)k);
  return mw_arena_check(mem, err);
}

static void keep(const instant *s, const mw_equation *e, size_t i, mw_drive_motion *o)
{
  const mw_model *model = s->t.m->model;
  size_t nd = (size_t)model->n_drive, k = (size_t)s->t.k, nc = (size_t)s->t.n.n_coord;
  int n = s->t.n.n_u;
  memcpy(o->s + i * nc, s->t.s, nc * sizeof(double));
  memcpy(o->Q + i * k, e->Q, k * sizeof(double));
  memcpy(o->tau + i * nd, e->tau, nd * sizeof(double));
  for (size_t d = 0; d < nd; d++) {
    int j = model->drive[d].joint;
    double rate = j < 0 ? 0.0 : mw_dot(n, s->t.Js + s->t.m->joint[j].coord * n, s->u);
    o->rate[i * nd + d] = rate;
    o->power[i * nd + d] = rate * e->tau[d];
  }
  o->t[i] = s->t.t;
  o->left[i] = e->left;
  for (size_t c = 0; c < k; c++) o->most = fmax(o->most, fabs(e->Q[c]));
}

// Coordinate that a drive acts on, -1: none
static int tree_drive(const mw_mech *m, int d)
{
  int j = m->model->drive[d].joint;
  return j < 0 ? -1 : m->joint[j].coord;
}

// Drives of a tree act on coordinates alone: each shares what its coordinate needs with the others
// there, the least norm.
static void tree_drives(const mw_mech *m, size_t i, const double *rate, mw_drive_motion *o)
{
  const mw_model *model = m->model;
  size_t nd = (size_t)model->n_drive, nc = (size_t)m->n_coord;
  o->drive_rank = 0;
  for (int c = 0; c < m->n_coord; c++) {
    int n = 0;
    double Q = o->Q[i * nc + (size_t)c];
    for (int d = 0; d < model->n_drive; d++) n += tree_drive(m, d) == c;
    for (int d = 0; d < model->n_drive; d++)
      if (tree_drive(m, d) == c) {
        size_t at = i * nd + (size_t)d;
        o->tau[at] = Q / n;
        o->rate[at] = rate[c];
        o->power[at] = rate[c] * o->tau[at];
      }
    o->drive_rank += n > 0;
    if (n == 0) o->left[i] = fmax(o->left[i], fabs(Q));
    o->most = fmax(o->most, fabs(Q));
  }
}

// A tree whose coordinates are all given, by the recursion; *known: it is one.
static mw_code along_tree(const mw_mech *m, const unsigned char *given, int n, const double *t,
                          const double *value, const double *rate, const double *acceleration,
                          mw_arena *mem, bool *known, mw_drive_motion *out, mw_error *err)
{
  mw_newton_euler *tree = NULL;
  mw_error why = { 0 };
  mw_drive_motion o = { .n = n, .k = m->n_coord };
  size_t nc = (size_t)m->n_coord;
  *known = m->n_coord > 0;
  for (int c = 0; c < m->n_coord; c++) *known = *known && given[c];
  if (*known && mw_newton_euler_build(m, mem, &tree, &why) != MW_OK) *known = false;
  if (!*known) return MW_OK;
  mw_code rc = motion_memory(m, o.k, mem, &o, err);
  if (rc != MW_OK) return rc;
  for (int c = 0; c < m->n_coord; c++) o.coord[c] = c;
  memcpy(o.t, t, (size_t)n * sizeof *t);
  memcpy(o.s, value, (size_t)n * nc * sizeof *value);
  for (size_t i = 0; i < (size_t)n; i++) {
    size_t at = i * nc;
    mw_newton_euler_eval(tree, value + at, rate + at, acceleration + at, o.Q + at);
    tree_drives(m, i, rate + at, &o);
  }
  *out = o;
  return MW_OK;
}

mw_code mw_drive_motion_find(const mw_mech *m, const unsigned char *given, int n, const double *t,
                             const double *value, const double *rate, const double *acceleration,
                             const mw_sharing *sharing, mw_arena *mem, mw_drive_motion *out,
                             mw_error *err)
{
  instant s = { 0 };
  mw_equation e = { 0 };
  mw_drive_motion o = { .n = n };
  mw_position at;
  bool tree = false;
  mw_code rc = mw_position_find(m, given, value, mem, &at, err);
  if (rc == MW_OK && !sharing)
    rc = along_tree(m, given, n, t, value, rate, acceleration, mem, &tree, out, err);
  if (rc != MW_OK || tree) return rc;
  rc = open_instant(m, &at, given, &s, err);
  if (rc == MW_OK) rc = equation_memory(&s, &s.t.mem, &e, err);
  if (rc == MW_OK) rc = motion_memory(m, s.t.k, mem, &o, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int from = i * m->n_coord;
    s.t.t = t[i];
    rc = mw_trace_go(&s.t, value + from, err);
    if (rc == MW_OK) rc = equation(&s, rate + from, acceleration + from, &e, err);
    if (rc == MW_OK) rc = drives(&s, sharing, &e, err);
    if (rc == MW_OK) keep(&s, &e, (size_t)i, &o);
  }
  if (rc == MW_OK) {
    o.k = s.t.k;
    memcpy(o.coord, s.t.z, (size_t)o.k * sizeof *o.coord);
    o.drive_rank = e.drive_rank;
    *out = o;
  }
  mw_trace_close(&s.t);
  return rc;
}
