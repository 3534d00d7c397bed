// SPDX-License-Identifier: BSD-3-Clause
// rigid_component.c: components in the rigid mechanism: assemblies that eliminate their inside
// themselves (fem/component.h).
//
// The frames of a component have their places in q, v and a like those of bodies; in the
// elimination it is one body of size 0 (fem/elim.h), for which the rows J on its border get
//
//   F = J D Jᵀ ,   γ − J R    and, once λ is known,   Q = −Jᵀ λ ,   a = D Q + R                 (1)
//
// D, R from the component (component_abi.h). Corrections of positions and velocities are the same
// with its B in place of R. Each work has an instance of its own. What it remembers is in w->memory
// and goes there and back with each call that reads or changes it: that memory is saved and
// restored with the rest (mw_rigid_work_parts).
// Cost: (6 n_border)² for each pair of nodes on a component, besides its own.
#include <math.h>
#include <string.h>

#include "rigid_mech_layer.h"

// ---- life ---------------------------------------------------------------------------------------

mw_code mw_rigid_components_open(mw_rigid *r, mw_error *err)
{
  const mw_model *m = r->m->model;
  if (m->n_component > 0 && !r->opt.components)
    return mw_fail(err, MW_ERR_INPUT, m->component[0].at,
                   "component %.64s: its inside is not known here, expected the rigid path by "
                   "auto, dop853, dopri5, rk4 or leapfrog",
                   m->component[0].name);
  r->component = mw_arena_alloc(&r->mem, (size_t)m->n_component, sizeof *r->component);
  mw_code rc = mw_arena_check(&r->mem, err);
  for (int k = 0; rc == MW_OK && k < m->n_component; k++) {
    mw_rcomponent *c = &r->component[r->n_component];
    *c = (mw_rcomponent){ .in = &m->component[k],
                          .first = r->slot[m->component[k].body0],
                          .n = m->component[k].size.n_frame };
    rc = mw_component_open(c->in->file, c->in->at, &c->c, err);
    if (rc == MW_OK) r->n_component++;
  }
  return rc;
}

void mw_rigid_components_close(mw_rigid *r)
{
  for (int k = 0; k < r->n_component; k++) mw_component_close(r->component[k].c);
}

static bool touches(const mw_rigid *r, int node, const mw_rcomponent *c)
{
  const mw_rnode *p = &r->node[node];
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++)
    if (r->touch[k] >= c->first && r->touch[k] < c->first + c->n) return true;
  return false;
}

mw_code mw_rigid_components_nodes(mw_rigid *r, mw_error *err)
{
  for (int k = 0; k < r->n_component; k++) {
    mw_rcomponent *c = &r->component[k];
    c->node = mw_arena_int(&r->mem, (size_t)r->n_hard);
    mw_code rc = mw_arena_check(&r->mem, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < r->n_hard; i++)
      if (touches(r, i, c)) c->node[c->n_node++] = i;
  }
  return MW_OK;
}

int mw_rigid_stands_for(const mw_rigid *r, int b)
{
  for (int k = 0; k < r->n_component; k++) {
    const mw_rcomponent *c = &r->component[k];
    if (b >= c->first && b < c->first + c->n) return c->first;
  }
  return b;
}

static mw_code open_one(const mw_rigid *r, const mw_rcomponent *c, mw_rcomponent_work *z,
                        mw_arena *mem, mw_error *err)
{
  mw_component_in in = c->in->in;
  mw_component_size size;
  in.kinematics = r->opt.kinematics;
  in.size = r->size;
  z->call = mw_component_calls_of(c->c);
  mw_code rc = mw_component_use_open(c->c, c->in, &in, &z->one, &size, err);
  if (rc != MW_OK) return rc;
  size_t n = 6 * (size_t)size.n_border;
  z->D = mw_arena_f64(mem, n * n);
  z->f = mw_arena_f64(mem, 6 * (size_t)c->n);
  z->x = mw_arena_f64(mem, 6 * (size_t)c->n);
  z->n_memory = size.n_memory;
  return mw_arena_check(mem, err);
}

mw_code mw_rigid_components_work(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  w->component = mw_arena_alloc(&w->mem, (size_t)r->n_component, sizeof *w->component);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc != MW_OK) return rc;
  w->n_component = r->n_component;
  for (int k = 0; rc == MW_OK && k < r->n_component; k++) {
    rc = open_one(r, &r->component[k], &w->component[k], &w->mem, err);
    w->n_memory += w->component[k].n_memory;
  }
  w->memory = mw_arena_alloc(&w->mem, w->n_memory, 1);
  if (rc == MW_OK) rc = mw_arena_check(&w->mem, err);
  unsigned char *at = w->memory;
  for (int k = 0; rc == MW_OK && k < r->n_component; at += w->component[k].n_memory, k++) {
    w->component[k].memory = at;
    w->component[k].call->save(w->component[k].one, at);
  }
  return rc;
}

void mw_rigid_components_work_close(mw_rigid_work *w)
{
  for (int k = 0; k < w->n_component; k++)
    if (w->component[k].one) w->component[k].call->close(w->component[k].one);
}

// ---- rows and factors ---------------------------------------------------------------------------

static mw_code trouble(const mw_rcomponent *c, const char *why, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "component %.64s: %.300s", c->in->name, why);
}

void mw_rigid_components_eval(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                              const double *v)
{
  for (int k = 0; k < r->n_component; k++) {
    int first = 12 * r->component[k].first;
    mw_rcomponent_work *z = &w->component[k];
    z->call->restore(z->one, z->memory);
    z->gap = z->call->load(z->one, t, q + first, v ? v + first : NULL);
  }
}

// J of a node on frame b of the mechanism, NULL: none; [6 × 8] as columns.
static const double *rows_on(const mw_rigid *r, const mw_rigid_work *w, int node, int b)
{
  const mw_rnode *p = &r->node[node];
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++)
    if (r->touch[k] == b) return w->Jt[k];
  return NULL;
}

// F [8 × 8] += J_i D J_jᵀ of one component.
static void add_pair(const mw_rigid *r, const mw_rigid_work *w, int k, int i, int j, double *F)
{
  const mw_rcomponent *c = &r->component[k];
  const mw_component_size *s = &c->in->size;
  int n = 6 * s->n_border;
  for (int p = 0; p < s->n_border; p++) {
    const double *Ji = rows_on(r, w, i, c->first + s->border[p]);
    if (!Ji) continue;
    for (int o = 0; o < s->n_border; o++) {
      const double *Jj = rows_on(r, w, j, c->first + s->border[o]);
      const double *D = w->component[k].D + 6 * p * n + 6 * o;
      double DJ[6 * LD] = { 0.0 };
      if (!Jj) continue;
      for (int x = 0; x < 6; x++)
        for (int y = 0; y < 6; y++)
          for (int b = 0; b < LD; b++) DJ[x * LD + b] += D[x * n + y] * Jj[y * LD + b];
      for (int x = 0; x < 6; x++)
        for (int a = 0; a < LD; a++)
          for (int b = 0; b < LD; b++) F[a * LD + b] += Ji[x * LD + a] * DJ[x * LD + b];
    }
  }
}

// The block of nodes i and j, of all components that both touch.
static void write_pair(const mw_rigid *r, mw_rigid_work *w, int i, int j)
{
  int first = r->n.n_body + r->n.n_rotor;
  double F[LD * LD] = { 0.0 };
  for (int k = 0; k < r->n_component; k++)
    if (touches(r, i, &r->component[k]) && touches(r, j, &r->component[k]))
      add_pair(r, w, k, i, j, F);
  if (i == j) {
    double *D = w->hard.val + r->hard.diag[first + i], *scale = w->hard.scale + (first + i) * LD;
    for (int a = 0; a < r->node[i].n; a++) {
      memcpy(D + a * LD, F + a * LD, LD * sizeof *D);
      scale[a] = F[a * LD + a];
    }
    return;
  }
  bool swapped;
  double *to = w->hard.val + mw_elim_between(&r->hard, first + i, first + j, &swapped);
  int n = r->node[swapped ? j : i].n;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < LD; b++) to[a * LD + b] = swapped ? -F[b * LD + a] : -F[a * LD + b];
}

mw_code mw_rigid_components_factor(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  char why[320] = "";
  for (int k = 0; k < r->n_component; k++) {
    mw_rcomponent_work *z = &w->component[k];
    if (z->call->factor(z->one, why, sizeof why) != 0) return trouble(&r->component[k], why, err);
    z->call->border(z->one, z->D);
  }
  for (int k = 0; k < r->n_component; k++) {
    const mw_rcomponent *c = &r->component[k];
    for (int i = 0; i < c->n_node; i++)
      for (int j = 0; j <= i; j++) write_pair(r, w, c->node[i], c->node[j]);
  }
  return MW_OK;
}

// ---- solutions ----------------------------------------------------------------------------------

// What the component makes of wrenches z->f, to z->x.
static void ask(const mw_rigid *r, const mw_rigid_work *w, int k)
{
  const mw_rcomponent *c = &r->component[k];
  mw_rcomponent_work *z = &w->component[k];
  const double *u = w->side.u ? w->side.u + 6 * c->first : NULL;
  z->call->solve(z->one, w->side.what, u, w->side.h, z->f, z->x);
}

void mw_rigid_components_before(const mw_rigid *r, mw_rigid_work *w, double *x)
{
  int first = r->n.n_body + r->n.n_rotor;
  for (int k = 0; k < r->n_component; k++) {
    const mw_rcomponent *c = &r->component[k];
    mw_rcomponent_work *z = &w->component[k];
    for (int b = 0; b < c->n; b++) memcpy(z->f + 6 * b, x + (c->first + b) * LD, 6 * sizeof *x);
    ask(r, w, k);
    for (int i = 0; i < c->n_node; i++)
      for (int b = 0; b < c->n; b++) {
        const double *J = rows_on(r, w, c->node[i], c->first + b);
        for (int y = 0; J && y < 6; y++)
          for (int row = 0; row < r->node[c->node[i]].n; row++)
            x[(first + c->node[i]) * LD + row] -= J[y * LD + row] * z->x[6 * b + y];
      }
  }
}

void mw_rigid_components_after(const mw_rigid *r, mw_rigid_work *w, double *x)
{
  int first = r->n.n_body + r->n.n_rotor;
  for (int k = 0; k < r->n_component; k++) {
    const mw_rcomponent *c = &r->component[k];
    mw_rcomponent_work *z = &w->component[k];
    for (int i = 0; i < c->n_node; i++)
      for (int b = 0; b < c->n; b++) {
        const double *J = rows_on(r, w, c->node[i], c->first + b);
        for (int y = 0; J && y < 6; y++)
          for (int row = 0; row < r->node[c->node[i]].n; row++)
            z->f[6 * b + y] -= J[y * LD + row] * x[(first + c->node[i]) * LD + row];
      }
    ask(r, w, k);
    for (int b = 0; b < c->n; b++) memcpy(x + (c->first + b) * LD, z->x + 6 * b, 6 * sizeof *x);
  }
}

double mw_rigid_components_normals(const mw_rigid *r, mw_rigid_work *w, double *largest)
{
  double all = 0.0;
  for (int k = 0; k < r->n_component; k++) {
    mw_rcomponent_work *z = &w->component[k];
    double change, most;
    z->call->normals(z->one, &change, &most);
    all = isnan(change) ? NAN : fmax(all, change);
    *largest = fmax(*largest, most);
    z->call->save(z->one, z->memory);
  }
  return all;
}

// ---- what is seen of them -----------------------------------------------------------------------

double mw_rigid_components_power(const mw_rigid *r, const mw_rigid_work *w)
{
  double P = 0.0;
  for (int k = 0; k < r->n_component; k++) P += w->component[k].call->power(w->component[k].one);
  return P;
}

void mw_rigid_components_energy(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                const double *v, mw_rigid_energy *out)
{
  for (int k = 0; k < r->n_component; k++) {
    int first = 12 * r->component[k].first;
    double T, V;
    w->component[k].call->energy(w->component[k].one, t, q + first, v + first, &T, &V);
    out->kinetic += T;
    out->potential += V;
  }
}

void mw_rigid_components_residual(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                  const double *v, const double *a, mw_rigid_residual *out)
{
  for (int k = 0; k < r->n_component; k++) {
    int first = 12 * r->component[k].first;
    double e[3];
    w->component[k].call->residual(w->component[k].one, t, q + first, v + first, a + first, e);
    out->position = fmax(out->position, e[0]);
    out->velocity = fmax(out->velocity, e[1]);
    out->acceleration = fmax(out->acceleration, e[2]);
  }
}

void mw_rigid_components_accept(const mw_rigid *r, mw_rigid_work *w, const double *q)
{
  for (int k = 0; k < r->n_component; k++) {
    mw_rcomponent_work *z = &w->component[k];
    z->call->restore(z->one, z->memory);
    z->call->accept(z->one, q + 12 * r->component[k].first);
    z->call->save(z->one, z->memory);
  }
}

mw_code mw_rigid_components_turns(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                  mw_error *err)
{
  char why[320] = "";
  for (int k = 0; k < r->n_component; k++) {
    mw_rcomponent_work *z = &w->component[k];
    z->call->restore(z->one, z->memory);
    int failed = z->call->turns(z->one, t, q + 12 * r->component[k].first, why, sizeof why);
    z->call->save(z->one, z->memory);
    if (failed) return trouble(&r->component[k], why, err);
  }
  return MW_OK;
}

mw_code mw_rigid_component_step(const mw_rigid *r, double h, bool leapfrog, mw_error *err)
{
  static const double LEAPFROG = 2.0 / 2.78;  // h ω up to which it is stable, over that of RK4
  for (int k = 0; k < r->n_component; k++) {
    const mw_component_use *u = r->component[k].in;
    double most = leapfrog ? LEAPFROG * u->size.step : u->size.step;
    if (most > 0.0 && h > most)
      return mw_fail(err, MW_ERR_INPUT, u->at,
                     "component %.64s: found steps of %.3g s, expected %.3g s or less: what swings "
                     "inside is not stable otherwise",
                     u->name, h, most);
  }
  return MW_OK;
}

bool mw_rigid_component_promise(const mw_rigid_work *w, int k, char *left, size_t n)
{
  const mw_rcomponent_work *z = &w->component[k];
  if (n > 0) left[0] = '\0';
  if (!z->call->left) return false;
  z->call->restore(z->one, z->memory);
  (void)z->call->left(z->one, left, n);
  return true;
}
