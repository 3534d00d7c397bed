// SPDX-License-Identifier: BSD-3-Clause
// rigid_event.c: instants a run must step onto, and the limits at which it ends.
//
// A signal has a kink where its value, slope or curvature jumps: no step crosses it. Controllers
// see their signals at samples alone, which are stepped onto anyway.
#include <math.h>
#include <stdlib.h>

#include "rigid_path_layer.h"

// ---- kinks --------------------------------------------------------------------------------------

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

// ---- limits -------------------------------------------------------------------------------------

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
  e.n_limit = mw_limits_of(s->m, s->size, e.limit);
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
    const mw_limit *l = &e->limit[i];
    double x = e->s[l->coord];
    g[2 * i] = isfinite(l->lo) ? x - l->lo + l->slack : FAR;
    g[2 * i + 1] = isfinite(l->hi) ? l->hi - x + l->slack : FAR;
  }
}

int mw_rigid_events_outside(const mw_rigid_sim *s, const mw_rigid_events *e, const double *q)
{
  if (e->n_limit == 0) return -1;
  mw_rigid_coords(s->r, s->w, q, NULL, e->s, NULL);
  return mw_limits_outside(e->limit, e->n_limit, e->s);
}

int mw_rigid_events_found(const mw_rigid_events *e, const int *root)
{
  for (int i = 0; i < 2 * e->n_limit; i++)
    if (root[i] != 0) return i;
  return -1;
}
