// SPDX-License-Identifier: BSD-3-Clause
// rigid_inside.c: rows that stand for what is inside of components, for analyses that look at all
// rows at once (rigid_dense.c).
//
//   R N = 0: rows of the ways in which a component can move (fem/component_linear.h)          (1)
//   R x of corrections x that close positions, or rates u, inside: what (1) lack              (2)
// Cost: that of mw_component_ways_find; a solution of each component.
#include <string.h>

#include "base/dense.h"
#include "rigid_mech_layer.h"

mw_code mw_rigid_inside_rows(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                             double *J, int *n_row, mw_error *err)
{
  size_t n_u = (size_t)r->n.n_u;
  mw_code rc = MW_OK;
  *n_row = 0;
  w->factored = 0;
  for (int k = 0; rc == MW_OK && k < r->n_component; k++) {
    const mw_rcomponent *c = &r->component[k];
    mw_rcomponent_work *z = &w->component[k];
    mw_arena tmp = { 0 };
    mw_component_ways way;
    const mw_component_at at = {
      .use = c->in, .call = z->call, .one = z->one, .size = r->size, .t = t, .q = q + 12 * c->first
    };
    z->call->restore(z->one, z->memory);
    rc = mw_component_ways_find(&at, &tmp, &way, err);
    for (int i = 0; rc == MW_OK && i < way.n - way.f; i++) {
      double *to = J + (size_t)(*n_row)++ * n_u;
      memset(to, 0, n_u * sizeof *to);
      memcpy(to + 6 * c->first, way.rows + (size_t)i * (size_t)way.n, (size_t)way.n * sizeof *to);
    }
    mw_arena_free(&tmp);
  }
  return rc;
}

int mw_rigid_inside_most(const mw_rigid *r)
{
  int n = 0;
  for (int k = 0; k < r->n_component; k++) n += 6 * r->component[k].n;
  return n;
}

// x of the frames of component k by what closes
static mw_code close_one(const mw_rigid *r, mw_rigid_work *w, int k, double t, const double *q,
                         const double *u, double *x, mw_error *err)
{
  const mw_rcomponent *c = &r->component[k];
  mw_rcomponent_work *z = &w->component[k];
  const double *v = u ? u + 6 * c->first : NULL;
  char why[320] = "";
  z->call->restore(z->one, z->memory);
  (void)z->call->load(z->one, t, q + 12 * c->first, NULL);
  if (z->call->factor(z->one, why, sizeof why) != 0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "component %.64s: %.300s", c->in->name, why);
  memset(z->f, 0, 6 * (size_t)c->n * sizeof *z->f);
  z->call->solve(z->one, u ? MW_COMPONENT_VELOCITY : MW_COMPONENT_POSITION, v, 0.0, z->f,
                 x + 6 * c->first);
  return MW_OK;
}

mw_code mw_rigid_inside_gaps(const mw_rigid *r, mw_rigid_work *w, const mw_rigid_inside *in,
                             double *gap, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *x = mw_arena_f64(&tmp, (size_t)r->n.n_u);
  mw_code rc = mw_arena_check(&tmp, err);
  w->factored = 0;
  for (int k = 0; rc == MW_OK && k < r->n_component; k++)
    rc = close_one(r, w, k, in->t, in->q, in->u, x, err);
  for (int i = 0; rc == MW_OK && i < in->n_row; i++)
    gap[i] = -mw_dot(r->n.n_u, in->J + (size_t)i * (size_t)r->n.n_u, x);
  mw_arena_free(&tmp);
  return rc;
}
