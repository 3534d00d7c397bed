// SPDX-License-Identifier: BSD-3-Clause
// feed_run.c: a run of the reduced model with a feed-forward, and how far its tool is off.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "feed_priv.h"
#include "fem/control.h"
#include "sim/romrun.h"

typedef struct rig {
  const mw_model *model;
  const mw_mech *m;
  const mw_rom_file *rom;
  const mw_feed_forward *o;
  mw_scenario sc;
  mw_arena mem;
} rig;

// The spline through column k of x [n × width]
static mw_code spline(rig *g, const double *x, int width, int k, bool rest, mw_signal *out,
                      mw_error *err)
{
  int n = g->o->n;
  double *y = mw_arena_f64(&g->mem, (size_t)n);
  mw_code rc = mw_arena_check(&g->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n; i++) y[i] = x[(size_t)i * (size_t)width + (size_t)k];
  return mw_signal_spline(n, g->o->t, y, rest, &g->mem, out, err);
}

// Is coordinate k at rest at both ends? The spline's slope is 0 there then.
static bool at_rest(const mw_feed_forward *o, int k)
{
  static const double NONE = 1e-6;
  double most = 0.0, ends = fmax(fabs(o->rate[k]), fabs(o->rate[(o->n - 1) * o->s + k]));
  for (int i = 0; i < o->n; i++) most = fmax(most, fabs(o->rate[i * o->s + k]));
  return ends <= NONE * most;
}

static mw_code actions(rig *g, mw_feed_drive how, mw_error *err)
{
  const mw_feed_forward *o = g->o;
  const double *theta = how == MW_FEED_MOTOR ? o->motor : o->theta;
  size_t s = (size_t)o->s, nd = (size_t)o->n_drive;
  g->sc.n_action = g->sc.n_start = 0;
  g->sc.action = mw_arena_alloc(&g->mem, nd, sizeof *g->sc.action);
  g->sc.start_joint = mw_arena_int(&g->mem, s);
  g->sc.start_s = mw_arena_f64(&g->mem, s);
  g->sc.start_v = mw_arena_f64(&g->mem, s);
  mw_code rc = mw_arena_check(&g->mem, err);
  for (int d = 0; rc == MW_OK && d < o->n_drive; d++) {
    if (g->model->drive[d].joint < 0) continue;  // acts at a frame: given no force
    mw_action *a = &g->sc.action[g->sc.n_action++];
    int of = -1;
    for (int k = 0; k < o->s; k++) of = mw_feed_drive_of(g->m, g->rom, k) == d ? k : of;
    *a = (mw_action){ .drive = d, .kind = MW_ACTION_FORCE };
    if (of >= 0) {
      int i = g->sc.n_start++;
      g->sc.start_joint[i] = g->model->drive[d].joint;
      g->sc.start_s[i] = theta[of];
      g->sc.start_v[i] = at_rest(o, of) ? 0.0 : o->rate[of];
    }
    if (of >= 0 && how != MW_FEED_FORCE) {
      a->kind = MW_ACTION_POSITION;
      rc = spline(g, theta, o->s, of, at_rest(o, of), &a->signal, err);
    } else {
      rc = spline(g, o->force, o->n_drive, d, false, &a->signal, err);
    }
  }
  return rc;
}

static void measure(const mw_feed_forward *o, const mw_run *r, mw_feed_run *e)
{
  int k = 0;
  for (int j = 0; j < r->n_out; j++)
    if (r->out[j] == o->tool) k = j;
  for (int i = 0; i < o->n; i++) {
    double *x = e->error + 3 * (size_t)i;
    for (int a = 0; a < 3; a++)
      x[a] = r->y[3 * ((size_t)i * (size_t)r->n_out + (size_t)k) + (size_t)a] -
             o->reached[3 * (size_t)i + (size_t)a];
    double size = sqrt(mw_dot(3, x, x));
    if (size > e->largest) e->largest = size, e->at = o->t[i];
    if (o->t[i] >= o->t[o->n - 1] - 1.0 / o->hz) e->last = fmax(e->last, size);
  }
}

mw_code mw_feed_run_make(const mw_model *model, const mw_mech *m, const mw_rom_file *rom,
                         const mw_scenario *sc, mw_feed_drive how, mw_arena *mem,
                         mw_feed_forward *o, mw_error *err)
{
  rig g = { .model = model, .m = m, .rom = rom, .o = o, .sc = *sc };
  mw_rom_file free = *rom;  // without the limits that it is meant for: said by the run
  mw_rom_run_opt opt = mw_rom_run_opt_default();
  mw_feed_run *e = &o->run[how];
  mw_error why = { 0 };
  mw_run r = { 0 };
  free.rom.u_max = NULL;
  opt.step = g.sc.step = g.sc.control_period = g.sc.store = g.sc.store_asked = o->t[1];
  g.sc.duration = o->t[o->n - 1];
  g.sc.static_start = true;
  g.sc.n_mode_start = g.sc.n_load_start = 0;
  *e = (mw_feed_run){ .error = e->error ? e->error : mw_arena_f64(mem, 3 * (size_t)o->n) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = actions(&g, how, err);
  if (rc == MW_OK) {
    rc = mw_rom_run(model, m, &free, &g.sc, &opt, NULL, &r, &why);
    if (rc == MW_OK && (r.event || r.n_t != o->n))
      rc = mw_fail(&why, MW_ERR_RANGE, MW_NOWHERE, "it ends early: %s",
                   r.event ? r.event : "steps were divided");
    if (rc == MW_OK) measure(o, &r, e);
    if (rc == MW_OK && r.beyond) e->beyond = mw_arena_str(mem, r.beyond);
    if (rc == MW_ERR_MEMORY && err) *err = why;
    if (rc != MW_OK && rc != MW_ERR_MEMORY) {
      e->failed = mw_arena_str(mem, why.msg);
      rc = MW_OK;
    }
  }
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  mw_run_free(&r);
  mw_arena_free(&g.mem);
  return rc;
}
