// SPDX-License-Identifier: BSD-3-Clause
// bench.c: see bench_layer.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_layer.h"
#include "sim/newton_euler.h"

static int ascending(const void *x, const void *y)
{
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

double mw_bench_cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

mw_code mw_bench_time(mw_bench_call call, void *context, double *ns, mw_error *err)
{
  enum { BATCHES = 15, LEAST = 3, MOST = 100000000 };
  static const double SPAN = 15e-3;  // s of a batch
  double batch[BATCHES];
  int calls = LEAST, k = 0;
  mw_code rc = MW_OK;
  // the first batch warms up and says how many calls the others take
  for (int b = -1; rc == MW_OK && b < BATCHES; b++) {
    double start = mw_bench_cpu();
    for (int i = 0; rc == MW_OK && i < calls; i++) rc = call(context, k++ & 0xffffff, err);
    double each = (mw_bench_cpu() - start) / calls;
    if (b >= 0)
      batch[b] = each;
    else
      calls = (int)fmin(MOST, fmax(LEAST, SPAN / fmax(each, 1e-9)));
  }
  if (rc != MW_OK) return rc;
  qsort(batch, BATCHES, sizeof *batch, ascending);
  *ns = 1e9 * batch[BATCHES / 2];
  return MW_OK;
}

typedef struct rhs {
  mw_rigid_sim *s;
  double q0;  // m
} rhs;

// The coordinates change a little every time.
static mw_code call_rhs(void *context, int k, mw_error *err)
{
  static const double NUDGE = 1e-12;  // m
  const rhs *c = context;
  mw_rigid_sim *s = c->s;
  s->q[0] = c->q0 + NUDGE * (k & 1);
  return mw_rigid_accel(s->r, s->w, s->t, s->q, s->v, s->a, err);
}

mw_code mw_bench_rigid_rhs(mw_rigid_sim *s, double *ns, mw_error *err)
{
  rhs c = { s, s->n.n_q > 0 ? s->q[0] : 0.0 };
  if (s->n.n_q == 0) return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "nothing moves in this model");
  mw_code rc = mw_bench_time(call_rhs, &c, ns, err);
  s->q[0] = c.q0;
  return rc;
}

// ---- parts of a right-hand side -----------------------------------------------------------------

typedef struct parts {
  mw_rigid_sim *s;
  double *u, *f, *x;           // [n_u]
  double *g, *rate, *lambda;   // [n_row]
  double *gs, *gs_dot, *soft;  // [n_soft]
} parts;

static mw_code call_forces(void *context, int k, mw_error *err)
{
  const parts *p = context;
  (void)k;
  (void)err;
  mw_rigid_force(p->s->r, p->s->w, p->s->t, p->s->q, p->u, true, p->f);
  return MW_OK;
}

static mw_code call_rows(void *context, int k, mw_error *err)
{
  const parts *p = context;
  (void)k;
  (void)err;
  mw_rigid_rows(p->s->r, p->s->w, p->s->t, p->s->q, p->u, p->g, p->rate, p->gs, p->gs_dot);
  return MW_OK;
}

static mw_code call_elimination(void *context, int k, mw_error *err)
{
  const parts *p = context;
  (void)k;
  (void)err;
  mw_rigid_kkt_factor(p->s->r, p->s->w, 1.0, 0.0);
  mw_rigid_kkt_solve(p->s->r, p->s->w, p->f, p->rate, p->gs, p->x, p->lambda, p->soft);
  return MW_OK;
}

mw_code mw_bench_rigid_parts(mw_rigid_sim *s, mw_bench_parts *out, mw_error *err)
{
  size_t nu = (size_t)s->n.n_u, rows = (size_t)s->n.n_row, ns = (size_t)s->n.n_soft;
  mw_arena mem = { 0 };
  parts p = { .s = s };
  double **tangent[] = { &p.u, &p.f, &p.x }, **row[] = { &p.g, &p.rate, &p.lambda },
         **soft[] = { &p.gs, &p.gs_dot, &p.soft };
  for (int i = 0; i < 3; i++) {
    *tangent[i] = mw_arena_f64(&mem, nu);
    *row[i] = mw_arena_f64(&mem, rows);
    *soft[i] = mw_arena_f64(&mem, ns);
  }
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) mw_rigid_twist(s->r, s->q, s->v, p.u);
  if (rc == MW_OK) rc = mw_bench_time(call_forces, &p, &out->forces, err);
  if (rc == MW_OK) rc = mw_bench_time(call_rows, &p, &out->rows, err);
  if (rc == MW_OK) rc = mw_bench_time(call_elimination, &p, &out->elimination, err);
  mw_arena_free(&mem);
  return rc;
}

// ---- inverse dynamics ---------------------------------------------------------------------------

typedef struct recursion {
  mw_newton_euler *n;
  double *q, *v, *Q;  // [n_coord]
} recursion;

static mw_code call_recursion(void *context, int k, mw_error *err)
{
  static const double NUDGE = 1e-12;
  const recursion *z = context;
  (void)err;
  z->q[0] += k & 1 ? NUDGE : -NUDGE;
  mw_newton_euler_eval(z->n, z->q, z->v, z->v, z->Q);
  return MW_OK;
}

mw_code mw_bench_recursion(const mw_mech *m, double *ns, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_error why = { 0 };
  size_t nc = (size_t)m->n_coord;
  recursion z = { .q = mw_arena_f64(&mem, nc), .v = mw_arena_f64(&mem, nc) };
  z.Q = mw_arena_f64(&mem, nc);
  *ns = NAN;
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && nc > 0 && mw_newton_euler_build(m, &mem, &z.n, &why) == MW_OK) {
    memcpy(z.q, m->s0, nc * sizeof *z.q);
    for (size_t i = 0; i < nc; i++) z.v[i] = 1.0;
    rc = mw_bench_time(call_recursion, &z, ns, err);
  }
  mw_arena_free(&mem);
  return rc;
}

// ---- steps --------------------------------------------------------------------------------------

typedef struct stepping {
  mw_rigid_sim *s;
  double h;                         // s
  int turn, sample;                 // steps from the start on, and between samples (0: none)
  const double *q, *v, *a, *coord;  // the start
  double *before, *u;               // [n_q], [n_u]  scratch
} stepping;

// The state of the start.
static mw_code rewind_state(const stepping *c, mw_error *err)
{
  mw_rigid_sim *s = c->s;
  size_t n = (size_t)s->n.n_q * sizeof(double);
  memcpy(s->q, c->q, n);
  memcpy(s->v, c->v, n);
  memcpy(s->a, c->a, n);
  s->t = s->work = 0.0;
  mw_rigid_accept_coords(s->r, s->w, c->coord);
  mw_code rc = mw_rigid_sample(s->r, s->w, s->t, s->q, s->v, err);
  if (rc == MW_OK) rc = mw_rigid_sim_eval(s, err);
  return rc == MW_OK ? mw_rigid_step_init(s, err) : rc;
}

// Controllers get the state; accelerations jump, auxiliary ones with them.
static mw_code sample(const stepping *c, mw_error *err)
{
  mw_rigid_sim *s = c->s;
  memcpy(c->before, s->a, (size_t)s->n.n_q * sizeof(double));
  mw_code rc = mw_rigid_sim_sample(s, err);
  for (int i = 0; i < s->n.n_q; i++) c->before[i] = s->a[i] - c->before[i];
  mw_rigid_twist(s->r, s->q, c->before, c->u);
  for (int i = 0; i < s->n.n_u; i++) s->aux[i] += c->u[i];
  return rc;
}

// A step as a run makes it: positions are accepted behind it, controllers sampled.
static mw_code call_step(void *context, int k, mw_error *err)
{
  const stepping *c = context;
  mw_rigid_sim *s = c->s;
  int i = k % c->turn;
  mw_code rc = i == 0 ? rewind_state(c, err) : MW_OK;
  if (rc == MW_OK) rc = mw_rigid_step(s, c->h, err);
  if (rc != MW_OK) return rc;
  mw_rigid_accept(s->r, s->w, s->q);
  return c->sample > 0 && (i + 1) % c->sample == 0 ? sample(c, err) : MW_OK;
}

// Steps between two samples of controllers, 0: there are none.
static int steps_a_sample(const mw_scenario *sc, double h)
{
  bool control = false;
  for (int i = 0; i < sc->n_action; i++) control |= sc->action[i].kind == MW_ACTION_CONTROL;
  return control ? (int)fmax(1.0, round(sc->control_period / h)) : 0;
}

mw_code mw_bench_rigid_step(mw_rigid_sim *s, double h, int turn, double *ns, mw_error *err)
{
  size_t n = (size_t)s->n.n_q, nc = (size_t)s->n.n_coord;
  mw_arena mem = { 0 };
  double *q = mw_arena_f64(&mem, n), *v = mw_arena_f64(&mem, n), *a = mw_arena_f64(&mem, n);
  double *coord = mw_arena_f64(&mem, nc);
  stepping c = { .s = s, .h = h, .turn = turn, .q = q, .v = v, .a = a, .coord = coord };
  c.sample = steps_a_sample(s->sc, h);
  c.before = mw_arena_f64(&mem, n);
  c.u = mw_arena_f64(&mem, (size_t)s->n.n_u);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) {
    mw_error later;
    memcpy(q, s->q, n * sizeof *q);
    memcpy(v, s->v, n * sizeof *v);
    memcpy(a, s->a, n * sizeof *a);
    memcpy(coord, mw_rigid_accepted(s->w), nc * sizeof *coord);
    rc = mw_bench_time(call_step, &c, ns, err);
    mw_code back = rewind_state(&c, rc == MW_OK ? err : &later);
    if (rc == MW_OK) rc = back;
  }
  mw_arena_free(&mem);
  return rc;
}
