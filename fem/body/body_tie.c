// SPDX-License-Identifier: BSD-3-Clause
// body_tie.c: nodes of one surface follow another: what ties of the model and of the mesh file
// mean.
//
// Slave node s at X_s follows the element e under the nearest master face, not the face alone: with
// the natural coordinates ξ of X_s in e, found by Newton's method and outside the element where
// there is a gap,
//   Σ_j N_j(ξ) X_j = X_s ,   u_s = Σ_j N_j(ξ) u_j                                               (1)
// Hence every linear field passes unchanged, rigid motion and constant strain, whatever the gap: no
// moment arises from it and no node has to be moved. Where X_s is on the face only nodes of the
// face have N_j ≠ 0. A shell facet as master has no thickness to extrapolate in: its slaves must be
// in its plane. Translations are tied; a shell keeps its rotations. Nodes that (1) leads to may be
// slaves of another tie; they are replaced by what they follow.
// Nearest faces by a grid of boxes, each with the triangles that come nearer than the tie's
// distance. O(n) for surfaces meshed evenly.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "body_tie_priv.h"

static const double DISTANCE = 1e-3;    // of the body's size: default of a tie's distance
static const double IN_PLANE = 1e-6;    // of the body's size: a slave's distance from a shell facet
static const double NO_WEIGHT = 1e-14;  // rounding of a shape function that vanishes on the face

enum { MAX_MASTER = MW_SOLID_MAX_NODE };

// what a slave node follows before other ties are put in
typedef struct follower {
  int slave, n;
  int node[MAX_MASTER];
  double coef[MAX_MASTER];
} follower;

typedef struct tie {
  mw_at at;
  const char *slave_name, *master_name;
  int n_slave, n_master;
  const int *slave, *master;  // nodes
  double distance;            // m
  bool strict;                // farther slaves are an error; else they stay free
} tie;

typedef struct ties {
  mw_body_work *w;
  int n;         // followers
  follower *f;   // [number of slaves]
  int *of_node;  // [n_node]  into f, −1: not tied
  char *state;   // [n_node]  while chains are followed: 1 on the way, 2 done
  char *master;  // [n_node]  on the master surface at hand
} ties;

// ---- weights (1) --------------------------------------------------------------------------------

// Gauss-Newton for Σ N_j X_j = x on a flat facet; returns what remains of the distance, m
static double facet_weights(int n, const double *X, const double x[3], double N[4])
{
  double r[2] = { n == 3 ? 1.0 / 3.0 : 0.0, n == 3 ? 1.0 / 3.0 : 0.0 }, d[3] = { 0 };
  for (int step = 0; step < 20; step++) {
    static const double C[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    double T[2][3] = { { 0 } };
    memcpy(d, x, sizeof d);
    for (int i = 0; i < n; i++) {
      double g[2] = { i == 1 ? 1.0 : i == 0 ? -1.0 : 0.0, i == 2 ? 1.0 : i == 0 ? -1.0 : 0.0 };
      N[i] = i == 0 ? 1.0 - r[0] - r[1] : r[i == 1 ? 0 : 1];
      if (n == 4) {
        double u = 1.0 + C[i][0] * r[0], v = 1.0 + C[i][1] * r[1];
        N[i] = 0.25 * u * v;
        g[0] = 0.25 * C[i][0] * v;
        g[1] = 0.25 * C[i][1] * u;
      }
      for (int c = 0; c < 3; c++) {
        d[c] -= N[i] * X[3 * i + c];
        for (int k = 0; k < 2; k++) T[k][c] += g[k] * X[3 * i + c];
      }
    }
    double a = mw_dot3(T[0], T[0]), b = mw_dot3(T[0], T[1]), e = mw_dot3(T[1], T[1]),
           p = mw_dot3(T[0], d), q = mw_dot3(T[1], d), det = a * e - b * b;
    if (!(det > 0.0)) break;
    double s = (e * p - b * q) / det, t = (a * q - b * p) / det;
    if (fabs(s) + fabs(t) < 4.0 * DBL_EPSILON) break;
    r[0] += s;
    r[1] += t;
  }
  return mw_norm3(d);
}

static mw_code weigh(const mw_body_work *w, const tie *t, int elem, follower *f, mw_error *err)
{
  const mw_mesh *m = w->mesh;
  const int *node = m->elem_node + m->elem_ptr[elem];
  int n = m->elem_ptr[elem + 1] - m->elem_ptr[elem];
  mw_elem_kind kind = (mw_elem_kind)m->elem_kind[elem];
  double X[3 * MAX_MASTER], N[MAX_MASTER] = { 0 }, xi[3], outside;
  const double *x = w->X + 3 * f->slave;
  for (int i = 0; i < 3 * n; i++) X[i] = w->X[3 * node[i / 3] + i % 3];
  if (mw_elem_info_of(kind)->dim == 3) {
    if (!mw_solid_locate(kind, X, x, xi, &outside))
      return mw_fail(err, MW_ERR_NUMERIC, t->at,
                     "tie: node %d has no place in master element %d, which is too distorted",
                     w->tag[f->slave], m->elem_tag[elem]);
    mw_solid_shape(kind, xi, N, NULL);
  } else {
    double off = facet_weights(n, X, x, N);
    if (!(off <= IN_PLANE * w->size))
      return mw_fail(
          err, MW_ERR_INPUT, t->at,
          "tie: node %d lies %g m off the plane of shell element %d; as master expected a solid, "
          "or no gap",
          w->tag[f->slave], off, m->elem_tag[elem]);
  }
  for (int i = 0; i < n; i++) {
    if (fabs(N[i]) <= NO_WEIGHT) continue;
    f->node[f->n] = node[i];
    f->coef[f->n++] = N[i];
  }
  return MW_OK;
}

// ---- one tie ------------------------------------------------------------------------------------

static mw_code refuse(const ties *ts, const tie *t, int node, mw_error *err)
{
  const mw_body_work *w = ts->w;
  const char *why = NULL;
  if (ts->of_node[node] >= 0) why = "is already tied";
  if (w->master[node] >= 0) why = "is on a rigid patch";
  for (int c = 0; c < 3; c++)
    if (w->fixed[node * w->dof + c]) why = "is on a support";
  if (ts->master[node]) why = "is a node of the master surface too";
  if (!why) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, t->at, "tie: node %d of slave set '%s' %s", w->tag[node],
                 t->slave_name, why);
}

static mw_code tie_node(ties *ts, const tie *t, mw_tie_surface *s, int node, mw_error *err)
{
  double distance;
  mw_code rc = refuse(ts, t, node, err);
  if (rc != MW_OK) return rc;
  int elem = mw_tie_nearest(s, ts->w->X + 3 * node, t->strict, &distance);
  if (distance > t->distance && t->strict)
    return mw_fail(
        err, MW_ERR_INPUT, t->at,
        "tie: node %d of slave set '%s' is %g m from master set '%s', expected at most %g m",
        ts->w->tag[node], t->slave_name, distance, t->master_name, t->distance);
  if (elem < 0 || distance > t->distance) return MW_OK;
  follower *f = &ts->f[ts->n];
  *f = (follower){ .slave = node };
  rc = weigh(ts->w, t, elem, f, err);
  if (rc == MW_OK) ts->of_node[node] = ts->n++;
  return rc;
}

static mw_code add_tie(ties *ts, const tie *t, mw_error *err)
{
  mw_tie_surface s = { 0 };
  int before = ts->n;
  mw_code rc =
      mw_tie_surface_build(ts->w, t->n_master, t->master, t->distance, ts->master, &s, err);
  if (rc == MW_OK && s.n == 0)
    rc = mw_fail(
        err, MW_ERR_INPUT, t->at,
        "tie: master set '%s' has no face of an element, expected all nodes of at least one",
        t->master_name);
  for (int k = 0; rc == MW_OK && k < t->n_slave; k++) rc = tie_node(ts, t, &s, t->slave[k], err);
  if (rc == MW_OK && ts->n == before)
    rc = mw_fail(err, MW_ERR_INPUT, t->at,
                 "tie: no node of slave set '%s' is within %g m of master set '%s'", t->slave_name,
                 t->distance, t->master_name);
  return rc;
}

// tie k: of the model, then of the mesh file
static mw_code find_tie(mw_body_work *w, int k, tie *t, mw_error *err)
{
  if (k < w->in->n_tie) {
    const mw_tie_in *in = &w->in->tie[k];
    *t = (tie){ .at = in->at,
                .slave_name = in->slave,
                .master_name = in->master,
                .distance = in->distance > 0.0 ? in->distance : DISTANCE * w->size,
                .strict = true };
    mw_code rc = mw_body_find_set(w, in->slave, in->at, &t->n_slave, &t->slave, err);
    return rc == MW_OK ? mw_body_find_set(w, in->master, in->at, &t->n_master, &t->master, err)
                       : rc;
  }
  const mw_mesh_tie *in = &w->mesh->tie[k - w->in->n_tie];
  const mw_mesh_set *slave = &w->mesh->set[in->slave], *master = &w->mesh->set[in->master];
  *t = (tie){ .at = { .file = w->mesh->path },
              .slave_name = slave->name,
              .master_name = master->name,
              .n_slave = slave->n,
              .n_master = master->n,
              .slave = slave->node,
              .master = master->node,
              .distance = in->distance > 0.0 ? in->distance : DISTANCE * w->size };
  return MW_OK;
}

// ---- chains -------------------------------------------------------------------------------------

// entries of a slave's row when tied masters are replaced; −1: it comes back to itself
static int chain_length(ties *ts, int node)
{
  int n = 0;
  if (ts->of_node[node] < 0) return 1;
  if (ts->state[node] == 1) return -1;
  const follower *f = &ts->f[ts->of_node[node]];
  ts->state[node] = 1;
  for (int i = 0; i < f->n; i++) {
    int k = chain_length(ts, f->node[i]);
    if (k < 0) return -1;
    n += k;
  }
  ts->state[node] = 2;
  return n;
}

// adds c × node to the entries [*n] from p on, equal nodes merged
static void add_chain(const ties *ts, int node, double c, int *p, double *q, int *n)
{
  if (ts->of_node[node] >= 0) {
    const follower *f = &ts->f[ts->of_node[node]];
    for (int i = 0; i < f->n; i++) add_chain(ts, f->node[i], c * f->coef[i], p, q, n);
    return;
  }
  int i = 0;
  while (i < *n && p[i] != node) i++;
  if (i == *n) {
    p[i] = node;
    q[i] = 0.0;
    (*n)++;
  }
  q[i] += c;
}

static mw_code flatten(ties *ts, mw_error *err)
{
  mw_body_work *w = ts->w;
  size_t most = 0;
  for (int k = 0; k < ts->n; k++) {
    int n = chain_length(ts, ts->f[k].slave);
    if (n < 0)
      return mw_fail(err, MW_ERR_INPUT, w->in->n_tie > 0 ? w->in->tie[0].at : w->in->mesh_at,
                     "ties of body '%s' go round in a circle: node %d follows itself", w->in->name,
                     w->tag[ts->f[k].slave]);
    most += (size_t)n;
  }
  w->tie_ptr = mw_arena_int(&w->tmp, (size_t)w->n_node + 1);
  w->tie_node = mw_arena_int(&w->tmp, most);
  w->tie_coef = mw_arena_f64(&w->tmp, most);
  mw_code rc = mw_arena_check(&w->tmp, err);
  for (int i = 0; rc == MW_OK && i < w->n_node; i++) {
    int at = w->tie_ptr[i], n = 0;
    if (ts->of_node[i] >= 0) add_chain(ts, i, 1.0, w->tie_node + at, w->tie_coef + at, &n);
    w->tie_ptr[i + 1] = at + n;
  }
  return rc;
}

mw_code mw_body_ties(mw_body_work *w, mw_error *err)
{
  int n_tie = w->in->n_tie + (w->mesh ? w->mesh->n_tie : 0);
  size_t n_slave = 0, n_node = (size_t)w->n_node;
  tie t;
  if (n_tie == 0) return MW_OK;
  if (!w->mesh)
    return mw_fail(err, MW_ERR_INPUT, w->in->tie[0].at,
                   "tie: body '%s' has no elements of a mesh, expected solids or shells",
                   w->in->name);
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < n_tie; k++) {
    rc = find_tie(w, k, &t, err);
    n_slave += rc == MW_OK ? (size_t)t.n_slave : 0;
  }
  if (rc != MW_OK) return rc;
  ties ts = { .w = w };
  ts.f = mw_arena_alloc(&w->tmp, n_slave, sizeof *ts.f);
  ts.of_node = mw_arena_int(&w->tmp, n_node);
  ts.state = mw_arena_alloc(&w->tmp, n_node, 1);
  ts.master = mw_arena_alloc(&w->tmp, n_node, 1);
  rc = mw_arena_check(&w->tmp, err);
  for (int i = 0; rc == MW_OK && i < w->n_node; i++) ts.of_node[i] = -1;
  for (int k = 0; rc == MW_OK && k < n_tie; k++) {
    rc = find_tie(w, k, &t, err);
    if (rc == MW_OK) rc = add_tie(&ts, &t, err);
  }
  return rc == MW_OK ? flatten(&ts, err) : rc;
}
