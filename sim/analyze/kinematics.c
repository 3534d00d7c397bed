// SPDX-License-Identifier: BSD-3-Clause
// kinematics.c: positions, velocities and accelerations that independent coordinates give, and
// assembly modes.
//
//   u = Tᵀ ż ,  u' = u'(z̈ = 0) + Tᵀ z̈ ,  ṡ = Js u ,  s̈ = Js u' + bias              trace.c (1)
//   a = (E u'_o, E (ω'~ + ω~ ω~))            natural accelerations, linear in which points are  (1)
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "sim/kinematics.h"
#include "trace_priv.h"

static mw_code memory(const mw_mech *m, mw_arena *mem, mw_kinematics *o, mw_error *err)
{
  const mw_model *model = m->model;
  o->out = mw_arena_int(mem, (size_t)model->n_output);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < model->n_output; i++)
    if (model->output[i].kind == MW_OUTPUT_POSITION && !model->output[i].part)
      o->out[o->n_out++] = i;
  size_t n = (size_t)o->n;
  double **coord[] = { &o->s, &o->s_dot, &o->s_ddot }, **place[] = { &o->y, &o->y_dot, &o->y_ddot };
  for (int i = 0; i < 3; i++) {
    *coord[i] = mw_arena_f64(mem, n * (size_t)m->n_coord);
    *place[i] = mw_arena_f64(mem, n * 3 * (size_t)o->n_out);
  }
  o->t = mw_arena_f64(mem, n);
  return mw_arena_check(mem, err);
}

// a [n_q] of the twist's derivative ud, v of the twist: (1)
static void natural(const mw_trace *t, const double *u, const double *ud, const double *v,
                    double *a)
{
  mw_rigid_rates(t->r, t->q, ud, a);
  for (int b = 0; b < t->n.n_body; b++) {
    const double *w = u + 6 * b + 3, *E = v + 12 * b + 3;
    double *A = a + 12 * b + 3, W[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) A[3 * i + j] += E[3 * i + k] * W[3 * k + j];
  }
}

static mw_code instant(mw_trace *t, const double *rate, const double *acceleration, size_t i,
                       double *const x[4], mw_kinematics *o, mw_error *err)
{
  int n = t->n.n_u, nc = t->n.n_coord;
  double *u = x[0], *ud = x[1], *v = x[2], *a = x[3];
  mw_code rc = mw_trace_basis(t, err);
  if (rc != MW_OK) return rc;
  memset(u, 0, (size_t)n * sizeof *u);
  for (int k = 0; k < t->k; k++) mw_axpy(n, rate[t->z[k]], t->T + k * n, u);
  mw_trace_bias(t, u, ud);
  for (int k = 0; k < t->k; k++) mw_axpy(n, acceleration[t->z[k]], t->T + k * n, ud);
  for (int c = 0; c < nc; c++) {
    size_t at = i * (size_t)nc + (size_t)c;
    o->s[at] = t->s[c];
    o->s_dot[at] = mw_dot(n, t->Js + c * n, u);
    o->s_ddot[at] = mw_dot(n, t->Js + c * n, ud) + t->bias[c];
  }
  mw_rigid_rates(t->r, t->q, u, v);
  natural(t, u, ud, v, a);
  for (int k = 0; k < o->n_out; k++) {
    const mw_output_in *out = &t->m->model->output[o->out[k]];
    size_t at = 3 * (i * (size_t)o->n_out + (size_t)k);
    double unused[3];
    mw_rigid_point(t->r, out->ref, out->x, t->q, v, o->y + at, o->y_dot + at);
    mw_rigid_point(t->r, out->ref, out->x, t->q, a, unused, o->y_ddot + at);
  }
  return MW_OK;
}

mw_code mw_kinematics_find(const mw_mech *m, const unsigned char *given, int n, const double *t,
                           const double *value, const double *rate, const double *acceleration,
                           mw_arena *mem, mw_kinematics *out, mw_error *err)
{
  mw_trace w = { 0 };
  mw_position at;
  mw_kinematics o = { .n = n };
  double *x[4] = { NULL };
  mw_code rc = mw_position_find(m, given, value, mem, &at, err);
  if (rc == MW_OK) rc = memory(m, mem, &o, err);
  if (rc == MW_OK) rc = mw_trace_open(m, &at, given, &w, err);
  for (int i = 0; rc == MW_OK && i < 4; i++)
    x[i] = mw_arena_f64(&w.mem, (size_t)(i < 2 ? w.n.n_u : w.n.n_q));
  if (rc == MW_OK) rc = mw_arena_check(&w.mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int from = i * m->n_coord;
    w.t = o.t[i] = t[i];
    rc = mw_trace_go(&w, value + from, err);
    if (rc == MW_OK) rc = instant(&w, rate + from, acceleration + from, (size_t)i, x, &o, err);
  }
  mw_trace_close(&w);
  if (rc == MW_OK) *out = o;
  return rc;
}

// ---- assembly modes -----------------------------------------------------------------------------

typedef struct search {
  const mw_mech *m;
  mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  double size;
  double *q, *u;  // [n_q], [n_u]
  double *p, *s;  // [n_body × 12], [n_coord]
  mw_assemblies o;
  mw_arena mem;
} search;

static mw_code open_search(const mw_mech *m, const unsigned char *given, const double *value,
                           search *h, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  h->m = m;
  h->size = mw_mech_size(m);
  unsigned char *springs = mw_arena_alloc(&h->mem, (size_t)m->n_joint, 1);
  mw_code rc = mw_arena_check(&h->mem, err);
  if (rc != MW_OK) return rc;
  (void)mw_mech_mark_springs(m, springs);
  opt.locked = given;
  opt.kinematics = true;
  opt.soft_is_rigid = true;
  opt.left_out = springs;
  rc = mw_rigid_build(m, &opt, &h->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(h->r, &h->w, err);
  if (rc != MW_OK) return rc;
  h->n = mw_rigid_sizes(h->r);
  h->q = mw_arena_f64(&h->mem, (size_t)h->n.n_q);
  h->u = mw_arena_f64(&h->mem, (size_t)h->n.n_u);
  h->p = mw_arena_f64(&h->mem, 12 * (size_t)m->n_body);
  h->s = mw_arena_f64(&h->mem, (size_t)m->n_coord);
  rc = mw_arena_check(&h->mem, err);
  if (rc == MW_OK) mw_rigid_hold(h->r, h->w, value, NULL);
  return rc;
}

static mw_code keep(search *h, const double *p, const double *s, mw_arena *mem, mw_error *err)
{
  size_t np = 12 * (size_t)h->m->n_body, nc = (size_t)h->m->n_coord;
  mw_position at = { mw_arena_f64(mem, np), mw_arena_f64(mem, nc) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(at.p, p, np * sizeof *p);
  memcpy(at.s, s, nc * sizeof *s);
  h->o.at[h->o.n++] = at;
  return MW_OK;
}

static bool known(const search *h, const double *p)
{
  static const double NEAR = 1e-6;  // of the size; beside singular positions rows close to √ε
  for (int i = 0; i < h->o.n; i++) {
    double off = 0.0;
    for (int k = 0; k < 12 * h->m->n_body; k++)
      off = fmax(off, fabs(h->o.at[i].p[k] - p[k]) / (k % 12 < 3 ? h->size : 1.0));
    if (off <= NEAR) return true;
  }
  return false;
}

// Bodies of the first position moved and turned at random, then assembled; MW_ERR_NUMERIC: not
static mw_code try_start(search *h, const double *value, unsigned *seed, mw_arena *mem,
                         mw_error *err)
{
  static const double TURN = 3.14159265358979323846, TOL = 1e-13;
  const mw_position *first = &h->o.at[0];
  mw_rigid_from_frames(h->r, first->p, h->q);
  for (int i = 0; i < h->n.n_u; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    double x = (double)(*seed >> 8) / 8388608.0 - 1.0;
    h->u[i] = x * (i % 6 < 3 ? h->size : TURN);
  }
  mw_rigid_move(h->r, h->q, h->u, h->q);
  memcpy(h->s, first->s, (size_t)h->n.n_coord * sizeof *h->s);
  mw_rigid_accept_coords(h->r, h->w, h->s);
  mw_rigid_hold(h->r, h->w, value, NULL);
  mw_code rc = mw_rigid_assemble(h->r, h->w, 0.0, h->q, TOL * h->size, err);
  if (rc != MW_OK) return rc;
  memcpy(h->p, h->m->p0, 12 * (size_t)h->m->n_body * sizeof *h->p);
  mw_rigid_to_frames(h->r, h->q, h->p);
  mw_rigid_coords(h->r, h->w, h->q, NULL, h->s, NULL);
  if (!known(h, h->p)) return keep(h, h->p, h->s, mem, err);
  h->o.n_same++;
  return MW_OK;
}

static mw_code check_held(const search *h, const unsigned char *given, const mw_position *at,
                          mw_error *err)
{
  int left = 0;
  mw_code rc = mw_mech_freedom(h->m, given, at->p, at->s, &left, err);
  if (rc != MW_OK || left == 0) return rc;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%d freedoms are left with the coordinates that are given held; expected none: "
                 "there would be assemblies without end",
                 left);
}

mw_code mw_assemblies_find(const mw_mech *m, const unsigned char *given, const double *value,
                           int n_start, mw_arena *mem, mw_assemblies *out, mw_error *err)
{
  search h = { .o = { .n_start = n_start } };
  mw_position first;
  unsigned seed = 1;
  h.o.at = mw_arena_alloc(mem, (size_t)n_start + 1, sizeof *h.o.at);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_position_find(m, given, value, mem, &first, err);
  if (rc == MW_OK) rc = open_search(m, given, value, &h, err);
  if (rc == MW_OK) rc = check_held(&h, given, &first, err);
  if (rc == MW_OK) rc = keep(&h, first.p, first.s, mem, err);
  for (int i = 0; rc == MW_OK && i < n_start; i++) {
    mw_error why = { 0 };
    rc = try_start(&h, value, &seed, mem, &why);
    if (rc == MW_ERR_NUMERIC) {
      h.o.n_lost++;
      rc = MW_OK;
    } else if (rc != MW_OK && err) {
      *err = why;
    }
  }
  mw_rigid_work_free(h.w);
  mw_rigid_free(h.r);
  mw_arena_free(&h.mem);
  if (rc == MW_OK) *out = h.o;
  return rc;
}
