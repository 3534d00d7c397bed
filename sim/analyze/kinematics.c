// SPDX-License-Identifier: BSD-3-Clause
// kinematics.c: positions, velocities and accelerations that independent coordinates give.
//
//   u = Tᵀ ż ,  u' = u'(z̈ = 0) + Tᵀ z̈ ,  ṡ = Js u ,  s̈ = Js u' + bias              trace.c (1)
//   a = (E u'_o, E (ω'~ + ω~ ω~))            natural accelerations, linear in which points are  (1)
// Attitudes and angular velocities are seen in positions of three points of their frames
// (fem/output/turned.c).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "sim/kinematics.h"
#include "trace_priv.h"

// Is it seen in positions of a frame's points, or, with rates, in these and their rates?
static bool seen_in(mw_output_kind kind, bool rates)
{
  const mw_output_class *c = mw_output_classes[kind];
  return (c->of == MW_OF_FRAME || c->of == MW_OF_ORIENTATION) &&
         (c->needs | MW_SEES_RATE) == MW_SEES_RATE && (rates || !(c->needs & MW_SEES_RATE));
}

// Observed outputs that are attitudes or, with rates, angular velocities.
static mw_code find_turned(const mw_mech *m, bool rates, mw_arena *mem, mw_kinematics *o,
                           mw_error *err)
{
  const mw_model *model = m->model;
  o->turned = mw_arena_int(mem, (size_t)model->n_observed);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < model->n_observed; i++) {
    mw_output_kind kind = model->observed[i].kind;
    if (!seen_in(kind, rates)) continue;
    o->turned[o->n_turned++] = i;
    o->n_row += mw_observed_width(&model->observed[i]);
  }
  return rc;
}

static mw_code memory(const mw_mech *m, mw_arena *mem, mw_kinematics *o, mw_error *err)
{
  const mw_model *model = m->model;
  o->out = mw_arena_int(mem, (size_t)model->n_output);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < model->n_output; i++)
    if (model->output[i].kind == MW_OUTPUT_POSITION && !model->output[i].part)
      o->out[o->n_out++] = i;
  rc = find_turned(m, true, mem, o, err);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)o->n;
  o->x = mw_arena_f64(mem, n * (size_t)o->n_row);
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

// What is seen of rows of fields y, y_dot [all fields] into x [n_row]; before [n_row]: the instant
// before, NULL: none.
static void see(const mw_mech *m, const double *y, const double *y_dot, const double *before,
                const mw_kinematics *o, double *x)
{
  const mw_seen seen = { .m = m, .y = y, .y_dot = y_dot };
  for (int k = 0; k < o->n_turned; k++) {
    const mw_observed_in *b = &m->model->observed[o->turned[k]];
    int width = mw_observed_width(b);
    mw_output_classes[b->kind]->see(b, &seen, before, x);
    x += width;
    if (before) before += width;
  }
}

// Attitudes and angular velocities at instant i, from rows of fields y, y_dot [all fields]
static void turn(const mw_trace *t, size_t i, const double *v, double *y, double *y_dot,
                 mw_kinematics *o)
{
  const mw_model *model = t->m->model;
  double *x = o->x + i * (size_t)o->n_row;
  for (int k = 0; o->n_turned > 0 && k < model->n_output; k++) {
    const mw_output_in *out = &model->output[k];
    int row = mw_output_row(model, k);
    if (out->kind != MW_OUTPUT_POSITION) continue;
    mw_rigid_point(t->r, out->ref, out->x, t->q, v, y + row, y_dot + row);
  }
  see(t->m, y, y_dot, i > 0 ? x - o->n_row : NULL, o, x);
}

static mw_code instant(mw_trace *t, const double *rate, const double *acceleration, size_t i,
                       double *const x[6], mw_kinematics *o, mw_error *err)
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
  turn(t, i, v, x[4], x[5], o);
  return MW_OK;
}

mw_code mw_kinematics_find(const mw_mech *m, const unsigned char *given, int n, const double *t,
                           const double *value, const double *rate, const double *acceleration,
                           mw_arena *mem, mw_kinematics *out, mw_error *err)
{
  mw_trace w = { 0 };
  mw_position at;
  mw_kinematics o = { .n = n };
  double *x[6] = { NULL };
  mw_code rc = mw_position_find(m, given, value, mem, &at, err);
  if (rc == MW_OK) rc = memory(m, mem, &o, err);
  if (rc == MW_OK) rc = mw_trace_open(m, &at, given, &w, err);
  int rows = mw_output_row(m->model, m->model->n_output);
  for (int i = 0; rc == MW_OK && i < 6; i++)
    x[i] = mw_arena_f64(&w.mem, (size_t)(i < 2 ? w.n.n_u : i < 4 ? w.n.n_q : rows));
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

mw_code mw_attitudes_find(const mw_mech *m, const double *p, mw_arena *mem, mw_kinematics *out,
                          mw_error *err)
{
  const mw_model *model = m->model;
  size_t rows = (size_t)mw_output_row(model, model->n_output);
  mw_kinematics o = { .n = 1 };
  double *y = mw_arena_f64(mem, rows), *y_dot = mw_arena_f64(mem, rows);
  mw_code rc = find_turned(m, false, mem, &o, err);
  o.x = mw_arena_f64(mem, (size_t)o.n_row);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < model->n_output; k++) {
    const mw_output_in *in = &model->output[k];
    if (in->kind == MW_OUTPUT_POSITION)
      mw_mech_point(m, in->ref, in->x, p + 12 * in->ref.body, NULL, y + mw_output_row(model, k),
                    NULL, NULL);
  }
  if (rc != MW_OK) return rc;
  see(m, y, y_dot, NULL, &o, o.x);
  *out = o;
  return MW_OK;
}

static bool told(mw_output_kind kind)
{
  return kind == MW_OUTPUT_POSITION || kind == MW_OUTPUT_VELOCITY ||
         kind == MW_OUTPUT_ACCELERATION || kind == MW_OUTPUT_COORDINATE;
}

const char *mw_kinematics_left_out(const mw_model *model, bool attitudes, bool rates, mw_arena *mem)
{
  const char *names = NULL;
  for (int i = 0; i < model->n_output + model->n_observed; i++) {
    bool field = i < model->n_output;
    const mw_output_in *a = field ? &model->output[i] : NULL;
    const mw_observed_in *b = field ? NULL : &model->observed[i - model->n_output];
    if ((field && a->part) || told(field ? a->kind : b->kind)) continue;
    if (!field && seen_in(b->kind, rates) && attitudes) continue;
    const char *name = field ? a->name : b->name;
    names = mw_arena_printf(mem, "%s%s%s", names ? names : "", names ? ", " : "", name);
  }
  return names;
}
