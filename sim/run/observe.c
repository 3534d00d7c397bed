// SPDX-License-Identifier: BSD-3-Clause
// observe.c: observed outputs of a run, the same for every path.
#include "observe_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"

// ---- the undeformed mechanism -------------------------------------------------------------------

mw_code mw_rest_init(const mw_mech *m, mw_arena *mem, mw_rest *out, mw_error *err)
{
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord;
  const mw_reduction_in *in = &m->model->reduction;
  *out = (mw_rest){ .m = m,
                    .locked = mw_arena_alloc(mem, nc, 1),
                    .p = mw_arena_f64(mem, 12 * nb),
                    .s = mw_arena_f64(mem, nc) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(out->p, m->p0, 12 * nb * sizeof *out->p);
  memcpy(out->s, m->s0, nc * sizeof *out->s);
  for (int i = 0; in->present && i < in->n_coordinate; i++)
    out->locked[mw_mech_coord(m, in->coordinate[i].name)] = 1;
  return MW_OK;
}

mw_code mw_rest_at(mw_rest *z, const double *s, mw_error *err)
{
  return mw_mech_rigid_solve(z->m, z->locked, s, z->p, z->s, err);
}

// ---- what is observed ---------------------------------------------------------------------------

mw_code mw_observing_init(const mw_mech *m, mw_arena *mem, mw_observing *out, mw_error *err)
{
  const mw_model *model = m->model;
  size_t rows = (size_t)mw_output_row(model, model->n_output);
  *out = (mw_observing){ .needs = mw_observed_needs(model), .on = model->n_observed > 0 };
  if (!out->on) return MW_OK;
  double **row[] = { &out->y, &out->y_dot, &out->y_ddot, &out->y_rest };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) *row[i] = mw_arena_f64(mem, rows);
  out->reaction = mw_arena_f64(mem, 6 * (size_t)m->n_joint);
  return mw_rest_init(m, mem, &out->rest, err);
}

int mw_observing_parts(mw_observing *z, mw_part *part)
{
  const mw_mech *m = z->rest.m;
  if (!(z->needs & MW_SEES_REST)) return 0;
  part[0] = (mw_part){ z->rest.p, 12 * (size_t)m->n_body * sizeof(double) };
  part[1] = (mw_part){ z->rest.s, (size_t)m->n_coord * sizeof(double) };
  return MW_OBSERVING_PARTS;
}

mw_code mw_observing_rest(mw_observing *z, const double *s, mw_error *err)
{
  if (!(z->needs & MW_SEES_REST)) return MW_OK;
  const mw_mech *m = z->rest.m;
  mw_code rc = mw_rest_at(&z->rest, s, err);
  double *y = z->y_rest;
  for (int o = 0; rc == MW_OK && o < m->model->n_output; o++) {
    const mw_output_in *out = &m->model->output[o];
    if (!mw_output_is_gauge(out))
      mw_mech_point(m, out->ref, out->x, z->rest.p + 12 * (size_t)out->ref.body, NULL, y, NULL,
                    NULL);
    y += mw_output_width(out);
  }
  return rc;
}

void mw_observing_put(const mw_observing *z, int k, const double *reaction, mw_run *r)
{
  const mw_model *m = r->model;
  if (!z->on) return;
  const mw_seen x = { .m = z->rest.m,
                      .y = z->y,
                      .y_dot = z->y_dot,
                      .y_ddot = z->y_ddot,
                      .y_rest = z->y_rest,
                      .s = r->s + (size_t)k * (size_t)r->n_coord,
                      .force = r->force + (size_t)k * (size_t)r->n_drive,
                      .reaction = reaction };
  for (int o = 0; o < m->n_observed; o++) {
    double *y = mw_run_seen(r, o, k), *before = k > 0 ? mw_run_seen(r, o, k - 1) : NULL;
    mw_output_classes[m->observed[o].kind]->see(&m->observed[o], &x, before, y);
  }
}
