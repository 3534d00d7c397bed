// SPDX-License-Identifier: BSD-3-Clause
// dae_component_open.c: components of the paths full and body: instances, what they remember, what
// they cannot do there.
#include <math.h>
#include <string.h>

#include "full/dae_layer.h"

// ---- life ---------------------------------------------------------------------------------------

static mw_code allocate(mw_dae *d, mw_dae_component *c, mw_error *err)
{
  size_t n = (size_t)c->n, nb = 6 * (size_t)c->in->size.n_border;
  double **six[] = { &c->lack, &c->free, &c->f, &c->x },
         **twelve[] = { &c->q, &c->v, &c->a, &c->move };
  for (size_t i = 0; i < sizeof six / sizeof *six; i++) *six[i] = mw_arena_f64(&d->mem, 6 * n);
  for (size_t i = 0; i < sizeof twelve / sizeof *twelve; i++)
    *twelve[i] = mw_arena_f64(&d->mem, 12 * n);
  for (int i = 0; i < 2; i++) c->row[i] = mw_arena_f64(&d->mem, nb);
  c->D = mw_arena_f64(&d->mem, nb * nb);
  c->T = mw_arena_f64(&d->mem, 36 * n);
  mw_code rc = mw_arena_check(&d->mem, err);
  for (int k = 0; rc == MW_OK && k < c->n; k++) mw_component_twist(&c->in->body[k], c->T + 36 * k);
  return rc;
}

static mw_code open_one(mw_dae *d, mw_dae_component *c, mw_error *err)
{
  const mw_component_use *u = c->in;
  mw_component_in in = u->in;
  mw_component_size size;
  mw_code rc = mw_component_open(u->file, u->at, &c->c, err);
  in.size = mw_mech_size(d->m);
  if (rc == MW_OK) rc = mw_component_use_open(c->c, u, &in, &c->one, &size, err);
  if (rc != MW_OK) return rc;
  c->call = mw_component_calls_of(c->c);
  c->n_memory = size.n_memory;
  return allocate(d, c, err);
}

mw_code mw_dae_components_open(mw_dae *d, mw_error *err)
{
  const mw_model *m = d->m->model;
  d->component = mw_arena_alloc(&d->mem, (size_t)m->n_component, sizeof *d->component);
  mw_code rc = mw_arena_check(&d->mem, err);
  for (int k = 0; rc == MW_OK && k < m->n_component; k++) {
    mw_dae_component *c = &d->component[d->n_component++];
    *c = (mw_dae_component){ .in = &m->component[k],
                             .first = m->component[k].body0,
                             .n = m->component[k].size.n_frame };
    rc = open_one(d, c, err);
    d->n_inside += c->n_memory;
  }
  d->inside = mw_arena_alloc(&d->mem, d->n_inside, 1);
  if (rc == MW_OK) rc = mw_arena_check(&d->mem, err);
  unsigned char *at = d->inside;
  for (int k = 0; rc == MW_OK && k < d->n_component; at += d->component[k].n_memory, k++) {
    d->component[k].memory = at;
    d->component[k].call->save(d->component[k].one, at);
  }
  return rc;
}

void mw_dae_components_close(mw_dae *d)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    if (c->one) mw_component_calls_of(c->c)->close(c->one);
    mw_component_close(c->c);
  }
}

mw_dae_component *mw_dae_component_of(const mw_dae *d, int b)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    if (b >= c->first && b < c->first + c->n) return c;
  }
  return NULL;
}

int mw_dae_stands_for(const mw_dae *d, int b)
{
  const mw_dae_component *c = mw_dae_component_of(d, b);
  return c ? c->first : b;
}

// ---- what they cannot do ------------------------------------------------------------------------

static bool drags(const mw_dae *d)
{
  for (int b = 0; b < d->m->n_body; b++)
    if (d->moving[b] && d->m->body[b].n_u > 0 && d->m->body[b].alpha != 0.0) return true;
  return false;
}

mw_code mw_dae_components_check(const mw_dae *d, mw_error *err)
{
  for (int k = 0; k < d->n_component; k++) {
    const mw_component_use *u = d->component[k].in;
    if (d->m->model->modal > 0.0 || drags(d))
      return mw_fail(err, MW_ERR_INPUT, u->at,
                     "component %.64s: found damping by modal ratios or in proportion to mass (of "
                     "what moves), whose modes nobody knows with its inside; expected damping in "
                     "proportion to stiffness, or path rigid",
                     u->name);
  }
  return MW_OK;
}

// Turns of coordinates inside count from the reference configuration.
static mw_code check_turns(const mw_dae *d, const mw_component_use *u, mw_error *err)
{
  static const double HALF = 3.14159265358979323846;
  for (int k = 0; k < u->size.n_drive; k++)
    for (int c = 0; c < d->m->n_coord; c++) {
      const mw_joint_in *in = d->m->joint[d->m->coord_joint[c]].in;
      double turned = fabs(d->q[d->col_s + c] - d->m->s0[c]);
      if (strcmp(in->name, u->coordinate[k]) != 0 || in->measure == MW_MEASURE_TRAVEL) continue;
      if (turned >= HALF)
        return mw_fail(err, MW_ERR_INPUT, d->sc->at,
                       "component %.64s: found coordinate %.64s to begin %.3g rad from its "
                       "reference, expected less than half a turn beside elastic bodies",
                       u->name, mw_mech_coord_name(d->m, c), turned);
    }
  return MW_OK;
}

mw_code mw_dae_components_check_start(const mw_dae *d, mw_error *err)
{
  mw_code rc = MW_OK;
  if (d->n_component == 0) return MW_OK;
  if (d->lean || d->ring)
    return mw_fail(err, MW_ERR_INPUT, d->sc->at,
                   "scenario %.64s: found modes or loads to start with beside component %.64s, "
                   "of whose inside they say nothing; expected none",
                   d->sc->name, d->component[0].in->name);
  for (int k = 0; rc == MW_OK && k < d->n_component; k++)
    rc = check_turns(d, d->component[k].in, err);
  return rc;
}

// ---- along a run --------------------------------------------------------------------------------

mw_code mw_dae_components_accept(mw_dae *d, mw_error *err)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    char why[320] = "";
    c->call->restore(c->one, c->memory);
    c->call->accept(c->one, c->q);
    int failed = c->call->turns(c->one, d->t, c->q, why, sizeof why);
    c->call->save(c->one, c->memory);
    if (failed)
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "at t = %.6g s component %.64s: %.300s", d->t,
                     c->in->name, why);
  }
  return MW_OK;
}

bool mw_dae_component_promise(void *dae, int k, char *left, size_t n)
{
  const mw_dae *d = dae;
  const mw_dae_component *c = &d->component[k];
  if (n > 0) left[0] = '\0';
  if (!c->call->left) return false;
  c->call->restore(c->one, c->memory);
  (void)c->call->left(c->one, left, n);
  return true;
}
