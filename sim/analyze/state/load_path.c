// SPDX-License-Identifier: BSD-3-Clause
// load_path.c: equilibria over a load factor, through folds, and where they become critical.
//
// From a point the path goes on by ds along its tangent and back to equilibrium across it. Between
// two points
//   τ' changes its sign            a fold                                                       (1)
//   a real eigenvalue of ∂z̈/∂z does, τ' does not    a branch                                   (2)
// either is located by false position (Illinois) in ds: factors of folds to the square of what ds
// is known to.
#include <math.h>
#include <string.h>

#include "still_priv.h"

static const char *const critical_name[] = {
  [MW_CRITICAL_FOLD] = "fold", [MW_CRITICAL_BRANCH] = "branch"
};

const char *mw_critical_name(mw_critical_kind kind) { return critical_name[kind]; }

typedef struct place {  // a point of the path
  double *q, *s, *t;    // [n_q], [n_coord], [n_u]
  double tf, factor;
  double near;  // eigenvalue of least modulus
  mw_equilibrium e;
} place;

typedef struct follower {
  mw_still s;
  const mw_load_path_opt *opt;
  double step;
  place now, next, mid;
  double *x;  // [n_u]
  mw_load_path o;
  mw_arena *mem;
} follower;

static mw_code place_memory(follower *f, place *p, mw_error *err)
{
  mw_arena *mem = &f->s.c.mem;
  const mw_rigid_size *n = &f->s.c.n;
  p->q = mw_arena_f64(mem, (size_t)n->n_q);
  p->s = mw_arena_f64(mem, (size_t)n->n_coord);
  p->t = mw_arena_f64(mem, (size_t)n->n_u);
  p->e.mu = mw_arena_f64(mem, (size_t)n->n_u);
  return mw_arena_check(mem, err);
}

static mw_code keep(follower *f, place *p, mw_error *err)
{
  const mw_chart *c = &f->s.c;
  memcpy(p->q, c->q0, (size_t)c->n.n_q * sizeof *p->q);
  memcpy(p->s, c->s0, (size_t)c->n.n_coord * sizeof *p->s);
  memcpy(p->t, f->s.t, (size_t)c->n.n_u * sizeof *p->t);
  p->tf = f->s.tf;
  p->factor = f->s.factor;
  return mw_still_judge(&f->s, &p->e, &p->near, err);
}

static mw_code go_back(follower *f, const place *p, mw_error *err)
{
  memcpy(f->s.t, p->t, (size_t)f->s.c.n.n_u * sizeof *p->t);
  f->s.tf = p->tf;
  mw_still_load(&f->s, p->factor);
  return mw_chart_put(&f->s.c, p->q, NULL, p->s, err);
}

// The point ds beyond p, into `to`
static mw_code advance(follower *f, const place *p, double ds, place *to, mw_error *err)
{
  double step;
  mw_code rc = go_back(f, p, err);
  if (rc != MW_OK) return rc;
  mw_still_rates(&f->s, f->x);
  for (int i = 0; i < f->s.c.k; i++) f->x[i] *= ds;
  rc = mw_still_move(&f->s, f->x, err);
  mw_still_load(&f->s, p->factor + ds * p->tf * f->s.scale);
  if (rc == MW_OK) rc = mw_still_find(&f->s, true, &step, err);
  if (rc == MW_OK) rc = mw_still_tangent(&f->s, err);
  return rc == MW_OK ? keep(f, to, err) : rc;
}

// ---- critical points ----------------------------------------------------------------------------

// What vanishes: of a fold the factor's part of the tangent, of a branch the eigenvalue
static double test(const place *p, mw_critical_kind kind)
{
  return kind == MW_CRITICAL_FOLD ? p->tf : p->near;
}

static mw_code locate(follower *f, mw_critical_kind kind, double ds, mw_error *err)
{
  enum { ITER = 60 };
  static const double TOL = 1e-12;  // of ds
  double a = 0.0, b = ds, ga = test(&f->now, kind), gb = test(&f->next, kind);
  int side = 0;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < ITER && b - a > TOL * ds; i++) {
    double x = (a * gb - b * ga) / (gb - ga);
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    rc = advance(f, &f->now, x, &f->mid, err);
    double g = test(&f->mid, kind);
    if (g == 0.0) break;
    if ((g > 0.0) == (gb > 0.0)) {
      b = x, gb = g;
      if (side == 1) ga *= 0.5;
      side = 1;
    } else {
      a = x, ga = g;
      if (side == -1) gb *= 0.5;
      side = -1;
    }
    if (fabs(g) <= 1e-14 * fmax(fabs(test(&f->now, kind)), fabs(test(&f->next, kind)))) break;
  }
  return rc;
}

static mw_code add_critical(follower *f, mw_critical_kind kind, double ds, mw_error *err)
{
  enum { MOST = 64 };
  size_t nc = (size_t)f->s.c.n.n_coord;
  if (f->o.n_critical == MOST)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "more than %d critical points", MOST);
  if (!f->o.critical) f->o.critical = mw_arena_alloc(f->mem, MOST, sizeof *f->o.critical);
  mw_critical k = { .kind = kind, .s = mw_arena_f64(f->mem, nc), .mode = mw_arena_f64(f->mem, nc) };
  mw_code rc = mw_arena_check(f->mem, err);
  if (rc == MW_OK) rc = locate(f, kind, ds, err);
  if (rc == MW_OK) rc = mw_still_mode(&f->s, k.mode, err);
  if (rc != MW_OK) return rc;
  memcpy(k.s, f->mid.s, nc * sizeof *k.s);
  k.factor = f->mid.factor;
  k.mu = f->mid.near;
  f->o.critical[f->o.n_critical++] = k;
  return MW_OK;
}

static mw_code examine(follower *f, double ds, mw_error *err)
{
  const place *a = &f->now, *b = &f->next;
  if ((a->tf > 0.0) != (b->tf > 0.0)) return add_critical(f, MW_CRITICAL_FOLD, ds, err);
  if (a->e.n_unstable != b->e.n_unstable && (a->near > 0.0) != (b->near > 0.0))
    return add_critical(f, MW_CRITICAL_BRANCH, ds, err);
  return MW_OK;
}

// ---- the path -----------------------------------------------------------------------------------

static void store(follower *f, const place *p, double arc)
{
  mw_load_path *o = &f->o;
  size_t nc = (size_t)f->s.c.n.n_coord;
  o->arc[o->n] = arc;
  o->factor[o->n] = p->factor;
  o->mu[o->n] = f->o.k > 0 ? p->e.mu[0] : 0.0;
  o->n_unstable[o->n] = p->e.n_unstable;
  memcpy(o->s + (size_t)o->n * nc, p->s, nc * sizeof *p->s);
  o->n++;
}

static mw_code begin(follower *f, mw_error *err)
{
  double step, start = f->opt->lo <= 0.0 && f->opt->hi > 0.0 ? 0.0 : f->opt->lo;
  f->s.scale = f->opt->hi - f->opt->lo;
  mw_still_load(&f->s, start);
  mw_code rc = mw_still_find(&f->s, false, &step, err);
  if (rc != MW_OK) return rc;
  memset(f->s.t, 0, (size_t)f->s.c.n.n_u * sizeof *f->s.t);
  f->s.tf = 1.0;
  rc = mw_still_tangent(&f->s, err);
  return rc == MW_OK ? keep(f, &f->now, err) : rc;
}

// The path leaves the range: to its end, at that factor.
static mw_code arrive(follower *f, double end, double *arc, mw_error *err)
{
  double step, part = (end - f->now.factor) / (f->next.factor - f->now.factor);
  mw_code rc = go_back(f, part > 0.5 ? &f->next : &f->now, err);
  mw_still_load(&f->s, end);
  if (rc == MW_OK) rc = mw_still_find(&f->s, false, &step, err);
  if (rc == MW_OK) rc = keep(f, &f->mid, err);
  if (rc == MW_OK) store(f, &f->mid, *arc + part * f->step);
  f->o.end = end == f->opt->hi ? "the upper end of the range" : "the lower end of the range";
  return rc;
}

static mw_code follow(follower *f, int most, mw_error *err)
{
  static const double LEAST = 1e-7, AGREE = 0.9;  // of the step; cosine of tangents
  double arc = 0.0, full = f->step;
  store(f, &f->now, arc);
  while (f->o.n < most) {
    mw_error why = { 0 };
    mw_code rc = advance(f, &f->now, f->step, &f->next, &why);
    double turn = f->now.tf * f->next.tf;
    mw_still_rates(&f->s, f->x);
    for (int i = 0; rc == MW_OK && i < f->s.c.k; i++) {
      double x = 0.0;  // of the tangent before, in the coordinates of now
      const double *S = f->s.c.S + (size_t)i * (size_t)f->s.c.n.n_u;
      for (int u = 0; u < f->s.c.n.n_u; u++) x += S[u] * f->now.t[u];
      turn += f->x[i] * x / mw_chart_unit(&f->s.c, i);
    }
    if (rc == MW_ERR_MEMORY) return mw_fail(err, rc, MW_NOWHERE, "%s", why.msg);
    if (rc != MW_OK || turn < AGREE) {
      f->step *= 0.5;
      if (f->step > LEAST * full) continue;
      f->o.end = "it cannot be followed on";
      return MW_OK;
    }
    bool high = f->next.factor > f->opt->hi, low = f->next.factor < f->opt->lo;
    if (high || low) return arrive(f, high ? f->opt->hi : f->opt->lo, &arc, err);
    rc = examine(f, f->step, err);
    if (rc != MW_OK) return rc;
    arc += f->step;
    store(f, &f->next, arc);
    place p = f->now;
    f->now = f->next;
    f->next = p;
    f->step = fmin(full, 1.5 * f->step);
  }
  f->o.end = "the largest number of points";
  return MW_OK;
}

static mw_code path_memory(follower *f, int most, mw_error *err)
{
  size_t n = (size_t)most + 1;
  double **series[] = { &f->o.arc, &f->o.factor, &f->o.mu };
  for (int i = 0; i < 3; i++) *series[i] = mw_arena_f64(f->mem, n);
  f->o.s = mw_arena_f64(f->mem, n * (size_t)f->s.c.n.n_coord);
  f->o.n_unstable = mw_arena_int(f->mem, n);
  f->x = mw_arena_f64(&f->s.c.mem, (size_t)f->s.c.n.n_u);
  f->o.k = f->s.c.k;
  mw_code rc = mw_arena_check(f->mem, err);
  place *p[] = { &f->now, &f->next, &f->mid };
  for (int i = 0; rc == MW_OK && i < 3; i++) rc = place_memory(f, p[i], err);
  return rc;
}

mw_code mw_load_path_follow(const mw_mech *m, const mw_statics_in *in, const mw_load_path_opt *opt,
                            mw_arena *mem, mw_load_path *out, mw_error *err)
{
  follower f = { .opt = opt, .mem = mem, .step = opt->step > 0.0 ? opt->step : 0.02 };
  int most = opt->most > 0 ? opt->most : 2000;
  mw_code rc = mw_still_open(m, in, &f.s, err);
  if (rc == MW_OK) rc = path_memory(&f, most, err);
  if (rc == MW_OK) rc = begin(&f, err);
  if (rc == MW_OK) rc = follow(&f, most, err);
  mw_still_close(&f.s);
  if (rc == MW_OK) *out = f.o;
  return rc;
}
