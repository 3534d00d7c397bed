// SPDX-License-Identifier: BSD-3-Clause
// linearize_reduced.c: a reduced model linearized at rest, while coordinates go on, at an instant
// of a run.
//
//   x = (θ, δ, θ̇, δ̇) ,  A, B: derivatives of its accelerations, exact ones; C, D: of its fields
// At rest and while coordinates go on δ is where that puts it (lpv/linear.c); of a run it is what
// the run has, with the accelerations of coordinates that are prescribed.
#include <math.h>
#include <string.h>

#include "fem/control.h"
#include "linearize_priv.h"
#include "lpv/linear_layer.h"
#include "sim/linearize.h"
#include "sim/romrun.h"
#include "state_space_priv.h"

static mw_code name_reduced(const mw_rom_file *f, const int *z, mw_arena *mem, mw_state_space *o,
                            mw_error *err)
{
  int n = o->n_x / 2;
  for (int i = 0; i < n; i++) {
    int c = z[i] < f->rom.s ? z[i] : -1;
    const char *unit = c < 0 ? "kg^0.5 m" : f->unit && f->unit[c] ? f->unit[c] : "";
    o->state[i] = mw_arena_str(mem, c >= 0 ? f->coordinate[c] : f->column[z[i] - f->rom.s]);
    o->state[n + i] = mw_arena_printf(mem, "d/dt %s", o->state[i] ? o->state[i] : "");
    o->state_unit[i] = mw_arena_str(mem, unit);
    o->state_unit[n + i] = mw_arena_printf(mem, unit[0] != '\0' ? "%s/s" : "%s", unit);
  }
  for (int k = 0; k < o->n_u; k++) {
    o->input[k] = mw_arena_str(mem, f->input[k]);
    o->input_unit[k] = mw_linear_force_unit(f, f->rom.u_field[k]);
  }
  for (int k = 0; k < o->n_y; k++) {
    o->output[k] = mw_arena_str(mem, f->field[k]);
    o->output_unit[k] = mw_arena_str(mem, mw_linear_unit(f, k));
  }
  return mw_arena_check(mem, err);
}

// Rows and columns z [n] of what was linearized, those of held coordinates left out
static void take_reduced(const mw_linear *w, const int *z, mw_state_space *o)
{
  size_t n = (size_t)o->n_x / 2, nx = 2 * n, nu = (size_t)o->n_u,
         all = (size_t)w->rom.s + (size_t)w->rom.m;
  for (size_t i = 0; i < n; i++) {
    o->A[i * nx + n + i] = 1.0;
    o->x0[i] = w->x[z[i]];
    o->x0[n + i] = w->x[all + (size_t)z[i]];
    const double *row = w->acc_x + (size_t)z[i] * 2 * all;
    for (size_t j = 0; j < n; j++) {
      o->A[(n + i) * nx + j] = row[z[j]];
      o->A[(n + i) * nx + n + j] = row[all + (size_t)z[j]];
    }
    memcpy(o->B + (n + i) * nu, w->acc_u + (size_t)z[i] * nu, nu * sizeof *o->B);
  }
  for (size_t i = 0; i < (size_t)o->n_y; i++)
    for (size_t j = 0; j < n; j++) {
      o->C[i * nx + j] = w->Y_x[i * 2 * all + (size_t)z[j]];
      o->C[i * nx + n + j] = w->Y_x[i * 2 * all + all + (size_t)z[j]];
    }
  memcpy(o->D, w->Y_u, (size_t)o->n_y * nu * sizeof *o->D);
  memcpy(o->u0, w->u, nu * sizeof *o->u0);
  memcpy(o->y0, w->Y, (size_t)o->n_y * sizeof *o->y0);
}

mw_code mw_linearize_take(const mw_rom_file *f, const mw_linear *w, unsigned held,
                          const double *rest, mw_arena *mem, mw_state_space *out, mw_error *err)
{
  mw_state_space o = { .n_u = f->rom.n_u, .n_y = f->rom.n_y };
  int s = f->rom.s, n = 0, *z = mw_arena_int(mem, (size_t)(s + f->rom.m));
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < s + f->rom.m; i++)
    if (i >= s || !(held >> i & 1u)) z[n++] = i;
  o.n_x = 2 * n;
  if (rc == MW_OK) rc = mw_state_space_init(&o, mem, err);
  if (rc == MW_OK) rc = name_reduced(f, z, mem, &o, err);
  if (rc != MW_OK) return rc;
  take_reduced(w, z, &o);
  for (int i = 0; rest && i < s; i++) {
    if (held >> i & 1u || !(fabs(rest[i]) > o.rest)) continue;
    o.rest = fabs(rest[i]);
    o.where = mw_arena_str(mem, f->coordinate[i]);
  }
  *out = o;
  return mw_arena_check(mem, err);
}

mw_code mw_linearize_reduced(const mw_rom_file *f, const double *theta, const double *rate,
                             unsigned held, mw_arena *mem, mw_state_space *out, mw_error *err)
{
  mw_linear w;
  double rest[MW_ROM_MAX_S];
  mw_code rc = mw_linear_open(f, 0, NULL, &w, err);
  if (rc == MW_OK)
    rc = rate ? mw_linear_moving(&w, theta, rate, held, rest, err)
              : mw_linear_at(&w, theta, held, rest, err);
  if (rc == MW_OK) rc = mw_linearize_take(f, &w, held, rest, mem, out, err);
  mw_linear_close(&w);
  return rc;
}

// ---- at an instant of a run ---------------------------------------------------------------------

typedef struct caught {
  int k, seen;  // the instant wanted, instants seen so far over `every`
  size_t n;
  double *x;  // [n]
} caught;

static mw_code keep_state(void *ctx, const mw_snapshot *f, mw_error *err)
{
  caught *c = ctx;
  (void)err;
  if (c->k == 0 ? c->seen == 0 : c->seen == 1) memcpy(c->x, f->x, c->n * sizeof *c->x);
  c->seen++;
  return MW_OK;
}

// State x and forces u of the run at stored instant k
static mw_code run_to(const mw_model *model, const mw_mech *m, const mw_rom_file *f,
                      const mw_scenario *sc, int k, double *x, double *u, mw_error *err)
{
  mw_scenario cut = *sc;
  mw_rom_run_opt opt = mw_rom_run_opt_default();
  caught c = { .k = k, .n = 2 * (size_t)(f->rom.s + f->rom.m), .x = x };
  const mw_watch watch = { k > 0 ? k : 1, keep_state, &c };
  mw_run r = { 0 };
  cut.duration = sc->store * (k > 0 ? k : 1);
  opt.watch = &watch;
  mw_code rc = mw_rom_run(model, m, f, &cut, &opt, NULL, &r, err);
  if (rc == MW_OK && r.event)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the motion ends before %g s: %s", k * sc->store,
                 r.event);
  if (rc == MW_OK)
    memcpy(u, r.force + (size_t)k * (size_t)r.n_drive, (size_t)r.n_drive * sizeof *u);
  mw_run_free(&r);
  return rc;
}

unsigned mw_linearize_prescribed(const mw_mech *m, const mw_rom_file *f, const mw_scenario *sc,
                                 double t, double *thdd)
{
  unsigned bits = 0;
  for (int d = 0; d < m->model->n_drive; d++) {
    int joint = m->model->drive[d].joint;
    double r[3];
    if (joint < 0 || !mw_control_prescribed(sc, d, t, r)) continue;
    for (int i = 0; i < f->rom.s; i++)
      if (mw_mech_coord(m, f->coordinate[i]) == m->joint[joint].coord) {
        bits |= 1u << i;
        thdd[i] = r[2];
      }
  }
  return bits;
}

mw_code mw_linearize_reduced_motion(const mw_mech *m, const mw_rom_file *f, const mw_scenario *sc,
                                    double t, unsigned held, mw_arena *mem, mw_state_space *out,
                                    mw_error *err)
{
  mw_linear w;
  double thdd[MW_ROM_MAX_S] = { 0.0 };
  int k;
  mw_code rc = mw_linearize_instant(sc, t, &k, err);
  if (rc != MW_OK) return rc;
  rc = mw_linear_open(f, 0, NULL, &w, err);
  if (rc == MW_OK) rc = run_to(m->model, m, f, sc, k, w.x, w.u, err);
  unsigned given = mw_linearize_prescribed(m, f, sc, t, thdd);
  if (rc == MW_OK) rc = mw_linear_state(&w, given, thdd, err);
  if (rc == MW_OK && (held & ~given) != 0) {  // those that are held besides go on as they do
    for (int i = 0; i < f->rom.s; i++) thdd[i] = w.acc[i];
    rc = mw_linear_state(&w, held | given, thdd, err);
  }
  if (rc == MW_OK) rc = mw_linearize_take(f, &w, held | given, NULL, mem, out, err);
  mw_linear_close(&w);
  return rc;
}
