// SPDX-License-Identifier: BSD-3-Clause
// rigid_event.c: instants a run must step onto, and the limits at which it ends.
//
// A signal has a kink where its value, slope or curvature jumps: no step crosses it. Controllers see their signals at
// samples alone, which are stepped onto anyway.
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "rigid_priv.h"

// ---- kinks ------------------------------------------------------------------------------------------------------------

static int all_kinks(const mw_rigid_sim *s, double *t)
{
  const mw_model *model = s->m->model;
  int n = 0;
  for (int k = 0; k < s->sc->n_action; k++)
    if (s->sc->action[k].kind != MW_ACTION_CONTROL)
      n += mw_signal_kinks(&s->sc->action[k].signal, t ? t + n : NULL);
  for (int k = 0; k < model->n_force; k++)
    if (model->force[k].has_signal) n += mw_signal_kinks(&model->force[k].signal, t ? t + n : NULL);
  return n;
}

static int ascending(const void *x, const void *y)
{
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}

// Sorted, within the run, each once.
static int tidy(double *t, int n, double end)
{
  int kept = 0;
  qsort(t, (size_t)n, sizeof *t, ascending);
  for (int i = 0; i < n; i++)
    if (t[i] > 0.0 && t[i] < end && (kept == 0 || t[i] > t[kept - 1])) t[kept++] = t[i];
  return kept;
}

// ---- limits -----------------------------------------------------------------------------------------------------------

// Length of the chords of an open curve, what its coordinate counts; 0: no such curve.
static double curve_length(const mw_joint_in *in)
{
  double l = 0.0;
  if (in->kind != MW_JOINT_CURVE || in->closed) return 0.0;
  for (int i = 1; i < in->n_curve; i++) {
    const double *p = in->curve + 3 * (i - 1), *q = p + 3;
    double d[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
    l += mw_norm3(d);
  }
  return l;
}

static void ends_at(mw_rigid_limit *l, double lo, double hi)
{
  l->ends[0] |= lo > l->lo;
  l->ends[1] |= hi < l->hi;
  l->lo = fmax(l->lo, lo);
  l->hi = fmin(l->hi, hi);
}

static void limit_of(const mw_rigid_sim *s, int coord, mw_rigid_limit *l)
{
  static const double SLACK = 1e-9;  // of the range: as far off may the model's start be
  int joint = s->m->coord_joint[coord];
  const mw_joint *j = &s->m->joint[joint];
  *l = (mw_rigid_limit){ .coord = coord,
                         .joint = joint,
                         .lo = -INFINITY,
                         .hi = INFINITY,
                         .angle = j->in->measure == MW_MEASURE_ANGLE ||
                                  j->in->measure == MW_MEASURE_SECOND };
  if (j->in->has_limits) {
    l->lo = j->in->limits[0];
    l->hi = j->in->limits[1];
  }
  for (int i = 0; j->guide && i < j->in->n_runner; i++)
    ends_at(l, 0.0 - j->in->runner[i].offset, j->guide->length - j->in->runner[i].offset);
  double curve = curve_length(j->in);
  if (curve > 0.0) ends_at(l, 0.0, curve);
  double range = l->hi - l->lo;
  l->slack = SLACK * (isfinite(range) ? range : l->angle ? 1.0 : s->size);
}

mw_code mw_rigid_events_build(const mw_rigid_sim *s, mw_arena *mem, mw_rigid_events *out,
                              mw_error *err)
{
  size_t nc = (size_t)s->m->n_coord;
  mw_rigid_events e = { .n_kink = all_kinks(s, NULL) };
  e.kink = mw_arena_f64(mem, (size_t)e.n_kink);
  e.limit = mw_arena_alloc(mem, nc, sizeof *e.limit);
  e.s = mw_arena_f64(mem, nc);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  e.n_kink = tidy(e.kink, all_kinks(s, e.kink), s->sc->duration);
  for (int c = 0; c < s->m->n_coord; c++) {
    limit_of(s, c, &e.limit[e.n_limit]);
    if (isfinite(e.limit[e.n_limit].lo) || isfinite(e.limit[e.n_limit].hi)) e.n_limit++;
  }
  for (int k = 0; k < s->sc->n_action; k++) e.control |= s->sc->action[k].kind == MW_ACTION_CONTROL;
  *out = e;
  return MW_OK;
}

void mw_rigid_events_eval(const mw_rigid_sim *s, const mw_rigid_events *e, const double *q,
                          double *g)
{
  static const double FAR = 1e300;  // stands for an open side
  if (e->n_limit == 0) return;
  mw_rigid_coords(s->r, s->w, q, NULL, e->s, NULL);
  for (int i = 0; i < e->n_limit; i++) {
    const mw_rigid_limit *l = &e->limit[i];
    double x = e->s[l->coord];
    g[2 * i] = isfinite(l->lo) ? x - l->lo + l->slack : FAR;
    g[2 * i + 1] = isfinite(l->hi) ? l->hi - x + l->slack : FAR;
  }
}

int mw_rigid_events_outside(const mw_rigid_sim *s, const mw_rigid_events *e, const double *q)
{
  if (e->n_limit == 0) return -1;
  mw_rigid_coords(s->r, s->w, q, NULL, e->s, NULL);
  for (int i = 0; i < e->n_limit; i++) {
    const mw_rigid_limit *l = &e->limit[i];
    double x = e->s[l->coord];
    if (x < l->lo - l->slack) return 2 * i;
    if (x > l->hi + l->slack) return 2 * i + 1;
  }
  return -1;
}

int mw_rigid_events_found(const mw_rigid_events *e, const int *root)
{
  for (int i = 0; i < 2 * e->n_limit; i++)
    if (root[i] != 0) return i;
  return -1;
}

const char *mw_rigid_event_text(const mw_rigid_sim *s, const mw_rigid_events *e, int g, double t,
                                mw_arena *mem)
{
  const mw_rigid_limit *l = &e->limit[g / 2];
  const char *unit = l->angle ? "rad" : "m", *name = s->m->joint[l->joint].name;
  return mw_arena_printf(mem, "joint %.100s %s %g %s at t = %.9g s", name,
                         l->ends[g % 2] ? "reached the end of its guide," : "reached its limit",
                         g % 2 ? l->hi : l->lo, unit, t);
}
