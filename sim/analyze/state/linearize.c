// SPDX-License-Identifier: BSD-3-Clause
// linearize.c: the rigid mechanism linearized at a state.
//
//   z̈ = a(z, ż, u) ,  y = c(z, ż, u):  columns of A, C by extrapolated differences (difference.h)
//   of accelerations on the constraints (chart.c); B, D: z̈ and y are linear in u
//   u0 = argmin |a(z0, ż0, u)|, of least norm                                                  (1)
// Cost: 28 k accelerations.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/difference.h"
#include "chart_priv.h"
#include "linearize_priv.h"
#include "run/loop_layer.h"
#include "sim/kinematics.h"
#include "sim/linearize.h"
#include "sim/rigidrun.h"
#include "state_space_priv.h"

static const double RANK = 1e-9;

// ---- outputs ------------------------------------------------------------------------------------

typedef struct seen {
  mw_output_kind kind;  // COORDINATE, POSITION, VELOCITY or ACCELERATION
  int of;               // coordinate, or the position output
} seen;

typedef struct work {
  mw_chart c;
  int n_seen;
  seen *seen;      // [n_seen]
  bool has_accel;  // accelerations are among them
  double *z, *zd;  // [k]
  int column;      // of the differences: z, then ż
  mw_state_space o;
  mw_arena *mem;
} work;

static int width(const seen *s) { return s->kind == MW_OUTPUT_COORDINATE ? 1 : 3; }

static mw_code find_outputs(work *w, mw_error *err)
{
  const mw_mech *m = w->c.m;
  const mw_model *model = m->model;
  w->seen = mw_arena_alloc(&w->c.mem, (size_t)(m->n_coord + model->n_output + model->n_observed),
                           sizeof *w->seen);
  mw_code rc = mw_arena_check(&w->c.mem, err);
  if (rc != MW_OK) return rc;
  for (int c = 0; c < m->n_coord; c++) w->seen[w->n_seen++] = (seen){ MW_OUTPUT_COORDINATE, c };
  for (int i = 0; i < model->n_output + model->n_observed; i++) {
    bool field = i < model->n_output;
    const mw_observed_in *b = field ? NULL : &model->observed[i - model->n_output];
    const mw_output_in *a = field ? &model->output[i] : NULL;
    if (field && a->part) continue;
    mw_output_kind kind = field ? a->kind : b->kind;
    if (kind == MW_OUTPUT_POSITION || kind == MW_OUTPUT_VELOCITY ||
        kind == MW_OUTPUT_ACCELERATION) {
      w->seen[w->n_seen++] = (seen){ kind, field ? i : b->of };
      w->has_accel = w->has_accel || kind == MW_OUTPUT_ACCELERATION;
    }
  }
  w->o.left_out = mw_kinematics_left_out(model, false, false, w->mem);
  return mw_arena_check(w->mem, err);
}

// y where the chart is, after mw_chart_accel where accelerations are seen
static void see(work *w, double *y)
{
  mw_chart *c = &w->c;
  mw_chart_coords(c, NULL);
  for (int i = 0; i < w->n_seen; y += width(&w->seen[i++])) {
    const seen *s = &w->seen[i];
    double x[3];
    if (s->kind == MW_OUTPUT_COORDINATE) {
      *y = c->s[s->of];
      continue;
    }
    const mw_output_in *out = &c->m->model->output[s->of];
    bool accel = s->kind == MW_OUTPUT_ACCELERATION, rate = accel || s->kind == MW_OUTPUT_VELOCITY;
    mw_rigid_point(c->r, out->ref, out->x, c->q, accel ? c->a : c->v, rate ? x : y, rate ? y : x);
  }
}

static void name_outputs(const work *w, mw_state_space *o)
{
  const mw_model *model = w->c.m->model;
  static const char *const unit[] = { "m", "m/s", "m/s2" };
  int row = 0;
  for (int i = 0; i < w->n_seen; i++) {
    const seen *s = &w->seen[i];
    if (s->kind == MW_OUTPUT_COORDINATE) {
      o->output[row] = mw_arena_str(w->mem, mw_mech_coord_name(w->c.m, s->of));
      o->output_unit[row++] = mw_joint_unit(w->c.m->joint[w->c.m->coord_joint[s->of]].in);
      continue;
    }
    int order = s->kind == MW_OUTPUT_POSITION ? 0 : s->kind == MW_OUTPUT_VELOCITY ? 1 : 2;
    static const char *const what[] = { "", "velocity of ", "acceleration of " };
    for (int d = 0; d < 3; d++, row++) {
      o->output[row] =
          mw_arena_printf(w->mem, "%s%s.%c", what[order], model->output[s->of].name, "xyz"[d]);
      o->output_unit[row] = unit[order];
    }
  }
}

// ---- memory and names ---------------------------------------------------------------------------

static mw_code prepare(work *w, mw_error *err)
{
  mw_chart *c = &w->c;
  mw_state_space *o = &w->o;
  const mw_model *model = c->m->model;
  mw_code rc = find_outputs(w, err);
  if (rc != MW_OK) return rc;
  o->n_x = 2 * c->k;
  o->n_u = c->n_in;
  for (int i = 0; i < w->n_seen; i++) o->n_y += width(&w->seen[i]);
  w->z = mw_arena_f64(&c->mem, (size_t)c->k);
  w->zd = mw_arena_f64(&c->mem, (size_t)c->k);
  rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) rc = mw_state_space_init(o, w->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < c->k; i++) {
    o->state[i] = mw_arena_str(w->mem, c->name[i]);
    o->state_unit[i] = c->unit[i];
    o->state[c->k + i] = mw_arena_printf(w->mem, "d/dt %s", c->name[i]);
    o->state_unit[c->k + i] = mw_arena_printf(w->mem, "%s/s", c->unit[i]);
  }
  for (int i = 0; i < c->n_in; i++) {
    const mw_drive_in *d = &model->drive[c->input[i]];
    o->input[i] = d->name;
    o->input_unit[i] =
        d->joint >= 0 && strcmp(mw_joint_unit(c->m->joint[d->joint].in), "m") != 0 ? "N m" : "N";
  }
  name_outputs(w, o);
  return mw_arena_check(w->mem, err);
}

// ---- derivatives --------------------------------------------------------------------------------

// (z̈, y) at w->z, w->zd, into f [k + n_y]
static mw_code look(work *w, double *f, mw_error *err)
{
  mw_chart *c = &w->c;
  mw_code rc = mw_chart_go(c, w->z, w->zd, err);
  if (rc == MW_OK) rc = mw_chart_accel(c, f, err);
  if (rc == MW_OK) see(w, f + c->k);
  return rc;
}

static mw_code look_beside(void *ctx, double x, double *f, mw_error *err)
{
  work *w = ctx;
  int k = w->c.k;
  double *at = w->column < k ? &w->z[w->column] : &w->zd[w->column - k], keep = *at;
  *at += x;
  mw_code rc = look(w, f, err);
  *at = keep;
  return rc;
}

// How far differences go: enough for rounding, near enough for the next powers to fall.
static double reach(const work *w)
{
  static const double FAR = 0.04, FAST = 1.0;  // of a rad or the size; of these in a second
  int k = w->c.k;
  double unit = mw_chart_unit(&w->c, w->column % k);
  return unit * (w->column < k ? FAR : FAST);
}

// Puts d [k + n_y] of a column; its errors over the largest of their rows so far: in scale, worst.
static void put(const work *w, const double *d, double *M, int n, int col, double *N)
{
  size_t k = (size_t)w->c.k;
  for (size_t i = 0; i < k; i++) M[(k + i) * (size_t)n + (size_t)col] = d[i];
  for (int i = 0; i < w->o.n_y; i++) N[i * n + col] = d[(int)k + i];
}

// A, C; error of each row over its largest entry
static mw_code columns(work *w, mw_error *err)
{
  mw_state_space *o = &w->o;
  mw_chart *c = &w->c;
  size_t rows = (size_t)(c->k + o->n_y), k = (size_t)c->k, nx = 2 * k;
  double *d = mw_arena_f64(&c->mem, rows), *e = mw_arena_f64(&c->mem, rows),
         *most = mw_arena_f64(&c->mem, rows), *wrong = mw_arena_f64(&c->mem, rows);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (size_t i = 0; rc == MW_OK && i < k; i++) o->A[i * nx + k + i] = 1.0;
  const mw_curve_at f = { look_beside, w, (int)rows };
  for (w->column = 0; rc == MW_OK && w->column < 2 * c->k; w->column++) {
    rc = mw_difference_within(&f, reach(w), d, e, err);
    if (rc != MW_OK) break;
    put(w, d, o->A, o->n_x, w->column, o->C);
    for (size_t i = 0; i < rows; i++) {
      most[i] = fmax(most[i], fabs(d[i]));
      wrong[i] = fmax(wrong[i], e[i]);
    }
  }
  double z = 0.0, y = 0.0;  // largest of accelerations, and of outputs
  for (size_t i = 0; rc == MW_OK && i < rows; i++)
    *(i < k ? &z : &y) = fmax(i < k ? z : y, most[i]);
  for (size_t i = 0; rc == MW_OK && i < rows; i++) {
    double over = i < k ? z : y;
    if (over > 0.0) o->error = fmax(o->error, wrong[i] / over);
  }
  return rc;
}

// B, D, at the forces that are set; exact but for rounding
static mw_code inputs(work *w, mw_error *err)
{
  mw_state_space *o = &w->o;
  size_t rows = (size_t)(w->c.k + o->n_y);
  double *lo = mw_arena_f64(&w->c.mem, rows), *hi = mw_arena_f64(&w->c.mem, rows);
  mw_code rc = mw_arena_check(&w->c.mem, err);
  for (int i = 0; rc == MW_OK && i < o->n_u; i++) {
    double *u = mw_chart_force(&w->c, i), keep = *u;
    *u = keep + 1.0;
    rc = look(w, hi, err);
    *u = keep - 1.0;
    if (rc == MW_OK) rc = look(w, lo, err);
    *u = keep;
    for (size_t x = 0; rc == MW_OK && x < rows; x++) hi[x] = 0.5 * (hi[x] - lo[x]);
    if (rc == MW_OK) put(w, hi, o->B, o->n_u, i, o->D);
  }
  return rc;
}

// (1), from B; z̈ that is left
static mw_code hold(work *w, const mw_linearize_at *at, mw_error *err)
{
  mw_state_space *o = &w->o;
  mw_chart *c = &w->c;
  size_t k = (size_t)c->k, nu = (size_t)o->n_u;
  double *f = mw_arena_f64(&c->mem, k + (size_t)o->n_y), *G = mw_arena_f64(&c->mem, k * nu);
  int rank = 0;
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) rc = look(w, f, err);
  for (size_t i = 0; i < k && rc == MW_OK; i++) f[i] = -f[i];
  if (rc == MW_OK) memcpy(G, o->B + k * nu, k * nu * sizeof *G);
  if (rc == MW_OK && k > 0 && nu > 0 && !at->force)
    rc = mw_lstsq((int)k, (int)nu, G, f, RANK, o->u0, &rank, err);
  for (size_t i = 0; rc == MW_OK && i < nu; i++) {
    if (at->force) o->u0[i] = at->force[c->input[i]];
    *mw_chart_force(c, (int)i) = o->u0[i];
  }
  if (rc == MW_OK) rc = look(w, f, err);
  for (size_t i = 0; rc == MW_OK && i < k; i++)
    if (fabs(f[i]) > o->rest || i == 0) o->rest = fabs(f[i]), o->where = o->state[i];
  if (rc == MW_OK) memcpy(o->y0, f + k, (size_t)o->n_y * sizeof *f);
  return rc;
}

static void begin(work *w, const mw_linearize_at *at)
{
  mw_chart *c = &w->c;
  for (int i = 0; i < c->k; i++) {
    w->z[i] = w->o.x0[i] = c->z0[i];
    w->zd[i] = c->zd0[i];
    if (at->rate && c->kind[i] == MW_CHART_COORDINATE) w->zd[i] = at->rate[c->which[i]];
    w->o.x0[c->k + i] = w->zd[i];
  }
}

mw_code mw_linearize_rigid(const mw_mech *m, const mw_linearize_at *at, mw_arena *mem,
                           mw_state_space *out, mw_error *err)
{
  work w = { .mem = mem };
  mw_code rc = mw_chart_open(m, at, &w.c, err);
  if (rc == MW_OK) rc = prepare(&w, err);
  if (rc == MW_OK) begin(&w, at);
  if (rc == MW_OK) rc = inputs(&w, err);
  if (rc == MW_OK) rc = hold(&w, at, err);
  if (rc == MW_OK) rc = columns(&w, err);
  mw_chart_close(&w.c);
  if (rc == MW_OK) *out = w.o;
  return rc;
}

// ---- a motion -----------------------------------------------------------------------------------

typedef struct instant {
  const mw_mech *m;
  double t;
  mw_arena *mem;
  mw_linearize_at *at;
} instant;

static mw_code keep_state(void *ctx, const mw_snapshot *f, mw_error *err)
{
  instant *i = ctx;
  if (f->t > i->t) return MW_OK;
  double *q = mw_arena_f64(i->mem, (size_t)f->n_q), *v = mw_arena_f64(i->mem, (size_t)f->n_q);
  mw_code rc = mw_arena_check(i->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(q, f->q, (size_t)f->n_q * sizeof *q);
  memcpy(v, f->v, (size_t)f->n_q * sizeof *v);
  i->at->q = q;
  i->at->v = v;
  i->at->t = f->t;
  return MW_OK;
}

static mw_code run_there(const mw_mech *m, const mw_scenario *sc, int n, instant *i, mw_error *err)
{
  mw_scenario cut = *sc;
  cut.duration = sc->store * (n > 0 ? n : 1);
  mw_rigid_run_opt opt = mw_rigid_run_opt_default(&cut);
  const mw_watch watch = { n > 0 ? n : 1, keep_state, i };
  opt.watch = &watch;
  mw_run r;
  mw_code rc = mw_rigid_run(m, &cut, &opt, NULL, &r, err);
  if (rc == MW_OK && r.event)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the motion ends before %g s: %s", i->t, r.event);
  if (rc == MW_OK) {
    size_t nc = (size_t)r.n_coord, nd = (size_t)r.n_drive, k = (size_t)n;
    double *s = mw_arena_f64(i->mem, nc), *force = mw_arena_f64(i->mem, nd);
    rc = mw_arena_check(i->mem, err);
    if (rc == MW_OK) memcpy(s, r.s + k * nc, nc * sizeof *s);
    if (rc == MW_OK) memcpy(force, r.force + k * nd, nd * sizeof *force);
    i->at->s = s;
    i->at->force = force;
  }
  mw_run_free(&r);
  return rc;
}

mw_code mw_linearize_instant(const mw_scenario *sc, double t, int *k, mw_error *err)
{
  static const double ROUNDING = 1e-9;  // of the interval
  double n = nearbyint(t / sc->store);
  if (!(t >= 0.0 && t <= sc->duration * (1.0 + ROUNDING)) ||
      fabs(t / sc->store - n) > ROUNDING * fmax(1.0, n))
    return mw_fail(err, MW_ERR_INPUT, sc->at,
                   "found %g s, expected a stored instant of scenario %s: a multiple of %g s up to "
                   "%g s",
                   t, sc->name, sc->store, sc->duration);
  *k = (int)n;
  return MW_OK;
}

mw_code mw_linearize_motion(const mw_mech *m, const mw_scenario *sc, double t, mw_arena *mem,
                            mw_linearize_at *at, mw_error *err)
{
  static const double ROUNDING = 1e-9;
  int n = 0;
  mw_code rc = mw_linearize_instant(sc, t, &n, err);
  instant i = { m, (n + ROUNDING) * sc->store, mem, at };
  if (rc != MW_OK) return rc;
  at->scenario = sc;
  return run_there(m, sc, n, &i, err);
}
