// SPDX-License-Identifier: BSD-3-Clause
// flank.c: where teeth would have to pull (flank_layer.h).
#include "flank_layer.h"

#include <math.h>

// of the largest moment: less than what warnings are about
static const double LEAST = 1e-3;

static bool leans(const mw_joint *j)
{
  bool teeth = j->in->kind == MW_JOINT_WHEELS || j->in->kind == MW_JOINT_RACK;
  return teeth && j->in->pressure_angle > 0.0;
}

bool mw_run_has_flank(const mw_run *r, const mw_joint *j) { return r->flank && leans(j); }

mw_code mw_run_init_flanks(mw_run *r, const mw_mech *m, mw_error *err)
{
  bool any = false;
  for (int j = 0; j < m->n_joint; j++) any = any || leans(&m->joint[j]);
  if (!any) return MW_OK;
  r->n_flank = m->n_joint;
  r->flank = mw_arena_f64(&r->mem, 3 * (size_t)m->n_joint);
  return mw_arena_check(&r->mem, err);
}

void mw_run_flank(mw_run *r, const mw_joint *j, int index, double t, const double p[12],
                  const double y[6])
{
  double *kept = r->flank + 3 * index, moment = 0.0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) moment += y[3 + i] * p[3 + 3 * i + k] * j->Fa[3 * k + 2];
  if (j->in->moment_below) moment = -moment;
  kept[0] = fmax(kept[0], moment);
  if (-moment <= kept[1]) return;
  kept[1] = -moment;
  kept[2] = t;
}

void mw_run_warn_flanks(mw_run *r, const mw_mech *m)
{
  for (int j = 0; j < r->n_flank; j++) {
    const mw_joint *jt = &m->joint[j];
    const double *kept = r->flank + 3 * j;
    if (!leans(jt) || kept[1] <= LEAST * fmax(kept[0], kept[1])) continue;
    mw_run_add_warning(r,
                       "joint %s: its teeth put a %s moment on body %s, of up to %.3g N m (at %.6g "
                       "s; of the sense of `moment` up to %.3g): the other flanks touch then, and "
                       "the radial part of their force has the wrong sign",
                       jt->name, jt->in->moment_below ? "positive" : "negative",
                       m->body[jt->b].name, kept[1], kept[2], kept[0]);
  }
}
