// SPDX-License-Identifier: BSD-3-Clause
// check.c: the whole model: where it is assembled, its mobility, redundant rows, and every body.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "check_layer.h"
#include "cosim/cosim_layer.h"
#include "rigid/rigid_carried_layer.h"
#include "run/stability_layer.h"

static mw_code assemble(const mw_mech *m, mw_check *r, mw_error *err)
{
  memcpy(r->p, m->p0, 12 * (size_t)m->n_body * sizeof *r->p);
  if (m->n_coord > 0) memcpy(r->s, m->s0, (size_t)m->n_coord * sizeof *r->s);
  if (!m->model->assemble) return MW_OK;
  mw_code rc = mw_mech_rigid_solve(m, NULL, m->s0, r->p, r->s, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    const double *from = m->p0 + 12 * b, *to = r->p + 12 * b;
    double d[3] = { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
    r->moved = fmax(r->moved, mw_norm3(d));
    r->turned = fmax(r->turned, mw_angle33(from + 3, to + 3));
  }
  return rc;
}

// Judges the loops of controllers at the start of their scenarios.
static mw_code loops(const mw_mech *m, mw_arena *mem, mw_check *r, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < m->model->n_scenario; k++)
    rc = mw_cosim_check(&m->model->scenario[k], err);
  for (int k = 0; rc == MW_OK && k < m->model->n_scenario; k++) {
    const mw_scenario *sc = &m->model->scenario[k];
    const char *turned = NULL;
    if (m->model->n_component > 0) rc = mw_rigid_carried(m, sc, mem, &turned, err);
    if (rc == MW_OK) rc = mw_stability_rigid(m, sc, sc->control_period, mem, &r->loop[k], err);
    if (turned) r->loop[k].unstable = turned;
  }
  return rc;
}

bool mw_gravity_warning(const mw_model *model, char *text, size_t n)
{
  static const double EARTH = 9.81, MUCH = 100.0;  // m/s²; times: a thousand in mm/s²
  double g = mw_norm3(model->gravity);
  if (!(g > MUCH * EARTH)) return false;
  snprintf(text, n, "gravity is %.4g m/s2, the earth's is %.3g: is it in mm/s2?", g, EARTH);
  return true;
}

mw_code mw_check_run(const mw_mech *m, bool deep, mw_arena *mem, mw_check *out, mw_error *err)
{
  mw_check r = { 0 };
  size_t nb = (size_t)m->n_body;
  r.redundant = mw_arena_int(mem, (size_t)m->n_joint);
  r.body = mw_arena_alloc(mem, nb, sizeof *r.body);
  r.p = mw_arena_f64(mem, 12 * nb);
  r.s = mw_arena_f64(mem, (size_t)m->n_coord);
  r.loop = mw_arena_alloc(mem, (size_t)m->model->n_scenario, sizeof *r.loop);
  mw_code rc = mw_arena_check(mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    if (!mw_model_component_of(m->model, b)) r.mass += m->body[b].m;
    rc = mw_body_examine(m, b, deep, &r.body[b], err);
  }
  if (rc == MW_OK) rc = assemble(m, &r, err);
  if (rc == MW_OK) rc = mw_mech_mobility(m, r.p, r.s, &r.mobility, r.redundant, err);
  if (rc == MW_OK) rc = loops(m, mem, &r, err);
  mw_error why = { 0 };
  if (rc == MW_OK && mw_ripples(m, true, mem, &r.ripple, &why) != MW_OK)
    snprintf(r.unjudged, sizeof r.unjudged, "%s", why.msg);
  if (rc == MW_OK) *out = r;
  return rc;
}
