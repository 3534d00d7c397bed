// SPDX-License-Identifier: BSD-3-Clause
// elastic_rest.c: equilibria of the unreduced elastic mechanism over a load factor.
//
// An equilibrium is that which a run of path full starts from (full/dae_static.c): strains of
// second order, joints at the deflected positions, coordinates held as far as mw_mech_hold_enough
// does. Each factor is begun anew from the undeformed configuration. Stable: no eigenvalue of
// K_T = ∂f_int/∂u of bodies at rest is below 0, counted by the signs of its pivots; forces keep
// their directions and have no part in it.
#include <math.h>
#include <string.h>

#include "fem/factor.h"
#include "fem/strain.h"
#include "run/loop_layer.h"
#include "sim/dae.h"
#include "sim/statics.h"

typedef struct rest {
  const mw_elastic_in *in;
  mw_model model;  // with the weight of the factor
  mw_mech mech;
  mw_scenario sc;
  mw_elastic_rest o;
  mw_arena *mem;
} rest;

// ---- scenario -----------------------------------------------------------------------------------

// A start at the position, with the held coordinates there, under the forces times the factor.
static mw_code scenario(rest *z, mw_error *err)
{
  const mw_mech *m = &z->mech;
  const mw_model *model = &z->model;
  size_t nc = (size_t)m->n_coord;
  z->sc = (mw_scenario){
    .name = "statics", .duration = 1e-3, .step = 1e-3, .store = 1e-3, .store_asked = 1e-3
  };
  z->sc.control_period = z->sc.step;
  z->sc.static_start = true;
  z->sc.start_joint = mw_arena_int(z->mem, nc);
  z->sc.start_s = mw_arena_f64(z->mem, nc);
  z->sc.start_v = mw_arena_f64(z->mem, nc);
  z->sc.action = mw_arena_alloc(z->mem, (size_t)model->n_drive, sizeof *z->sc.action);
  z->o.held = mw_arena_alloc(z->mem, nc, 1);
  mw_code rc = mw_arena_check(z->mem, err);
  if (rc != MW_OK) return rc;
  if (z->in->held) memcpy(z->o.held, z->in->held, nc);
  rc = mw_mech_hold_enough(m, z->in->at->p, z->in->at->s, z->o.held, err);
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++) {
    if (!z->o.held[c]) continue;
    z->sc.start_joint[z->sc.n_start] = m->coord_joint[c];
    z->sc.start_s[z->sc.n_start++] = z->in->at->s[c];
  }
  for (int d = 0; rc == MW_OK && d < model->n_drive; d++)
    z->sc.action[z->sc.n_action++] = (mw_action){ .drive = d, .kind = MW_ACTION_FORCE };
  return rc;
}

static void load(rest *z, double factor)
{
  for (int d = 0; d < z->model.n_drive; d++) {
    z->sc.action[d].signal.kind = MW_SIGNAL_CONSTANT;
    z->sc.action[d].signal.a = z->in->force ? factor * z->in->force[d] : 0.0;
  }
  for (int i = 0; i < 3; i++)
    z->model.gravity[i] = z->in->gravity[i] * (z->in->weight ? factor : 1.0);
}

// ---- stability ----------------------------------------------------------------------------------

// Why the tangent of the machine is not known as a whole, NULL: it is.
static const char *not_judged(const mw_mech *m, mw_arena *mem)
{
  for (int b = 0; b < m->n_body; b++)
    if (!m->body[b].ground) return mw_arena_printf(mem, "body %s moves", m->body[b].name);
  for (int j = 0; j < m->n_joint; j++)
    if (m->joint[j].n_row > 0)
      return mw_arena_printf(mem, "joint %s holds bodies", m->joint[j].in->name);
  return NULL;
}

// Eigenvalues below 0 of K_T at the state; -1: it is singular to rounding.
static mw_code count_unstable(const mw_loop *l, const mw_mech *m, int *out, mw_error *err)
{
  mw_snapshot at = { 0 };
  mw_code rc = MW_OK;
  l->path->show(l->p, &at);
  *out = 0;
  for (int b = 0; rc == MW_OK && *out >= 0 && b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    mw_arena tmp = { 0 };
    mw_csc T = body->K;
    size_t nz = body->n_u > 0 ? (size_t)body->K.ptr[body->n_u] : 0;
    int n = 0;
    mw_error why = { 0 };
    if (nz == 0) continue;
    T.val = mw_arena_f64(&tmp, nz);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) memcpy(T.val, body->K.val, nz * sizeof *T.val);
    if (rc == MW_OK && mw_body_has_stress(body) && !m->model->strain_linear)
      rc = mw_body_add_tangent(body, at.u[b], &T, err);
    mw_code sign = rc == MW_OK ? mw_factor_count(&T, &n, &why) : rc;
    if (rc == MW_OK && sign == MW_ERR_MEMORY) rc = mw_fail(err, sign, MW_NOWHERE, "%s", why.msg);
    *out = sign == MW_OK ? *out + n : -1;
    mw_arena_free(&tmp);
  }
  return rc;
}

// ---- equilibria ---------------------------------------------------------------------------------

static mw_code find(rest *z, double factor, mw_error *err)
{
  mw_elastic_rest *o = &z->o;
  const mw_dae_opt opt = mw_dae_opt_default();
  const mw_path_in in = { .model = &z->model,
                          .mech = &z->mech,
                          .sc = &z->sc,
                          .name = "full",
                          .step = z->sc.step,
                          .opt = &opt };
  mw_loop l;
  size_t nc = (size_t)z->mech.n_coord, ny = 3 * (size_t)o->n_out, k = (size_t)o->n;
  load(z, factor);
  mw_code rc = mw_loop_open(&mw_path_full, &in, NULL, NULL, &l, err);
  if (rc != MW_OK) return rc;
  o->factor[k] = factor;
  memcpy(o->s + k * nc, l.r->s, nc * sizeof *o->s);
  memcpy(o->y + k * ny, l.r->y, ny * sizeof *o->y);
  o->potential[k] = l.r->potential[0];
  o->turn[k] = 0.0;
  for (int b = 0; b < l.r->n_body; b++) o->turn[k] = fmax(o->turn[k], l.r->turn[b]);
  o->n_unstable[k] = -1;
  if (!o->not_judged) rc = count_unstable(&l, &z->mech, &o->n_unstable[k], err);
  o->n++;
  mw_loop_close(&l);
  return rc;
}

static bool is_place(const mw_output_in *in) { return in->kind == MW_OUTPUT_POSITION && !in->part; }

static mw_code memory(rest *z, mw_error *err)
{
  const mw_model *m = &z->model;
  mw_elastic_rest *o = &z->o;
  size_t n = (size_t)z->in->n, nc = (size_t)z->mech.n_coord;
  o->out = mw_arena_int(z->mem, (size_t)m->n_output);
  mw_code rc = mw_arena_check(z->mem, err);
  for (int i = 0; rc == MW_OK && i < m->n_output; i++)
    if (is_place(&m->output[i])) o->out[o->n_out++] = i;
  size_t ny = 3 * (size_t)o->n_out;
  double **series[] = { &o->factor, &o->potential, &o->turn };
  for (int i = 0; i < 3; i++) *series[i] = mw_arena_f64(z->mem, n);
  o->n_unstable = mw_arena_int(z->mem, n);
  o->not_judged = not_judged(&z->mech, z->mem);
  o->s = mw_arena_f64(z->mem, n * nc);
  o->y = mw_arena_f64(z->mem, n * ny);
  o->y0 = mw_arena_f64(z->mem, ny);
  if (rc == MW_OK) rc = mw_arena_check(z->mem, err);
  for (int i = 0; rc == MW_OK && i < o->n_out; i++) {
    const mw_output_in *in = &m->output[o->out[i]];
    mw_mech_point(&z->mech, in->ref, in->x, z->in->at->p + 12 * in->ref.body, NULL, o->y0 + 3 * i,
                  NULL, NULL);
  }
  return rc;
}

mw_code mw_elastic_rest_find(const mw_mech *m, const mw_elastic_in *in, mw_arena *mem,
                             mw_elastic_rest *out, mw_error *err)
{
  rest z = { .in = in, .model = *m->model, .mech = *m, .mem = mem };
  mw_error why = { 0 };
  z.mech.model = &z.model;
  mw_code rc = mw_mech_check_elastic(m, false, err);
  if (rc == MW_OK) rc = memory(&z, err);
  if (rc == MW_OK) rc = scenario(&z, err);
  for (int i = 0; rc == MW_OK && i < in->n; i++) {
    double part = in->n > 1 ? i / (in->n - 1.0) : 0.0;
    rc = find(&z, in->lo + part * (in->hi - in->lo), &why);
  }
  if (rc == MW_ERR_NUMERIC && z.o.n > 0) {
    z.o.end = mw_arena_str(mem, why.msg);
    rc = mw_arena_check(mem, err);
  } else if (rc != MW_OK && why.code != MW_OK && err) {
    *err = why;
  }
  if (rc == MW_OK) *out = z.o;
  return rc;
}
