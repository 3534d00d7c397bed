// SPDX-License-Identifier: BSD-3-Clause
// body_nodes.c: finding the nodes a model's names mean.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "body_layer.h"
#include "fem/matrices.h"

static const double NODE_TOL = 1e-6;  // of the body's size: rounding of coordinates in mesh files

// The names a user could have meant, as many as fit in out [n]
static void list_names(const mw_body_work *w, char *out, size_t n)
{
  int count = w->meshed ? w->n_set : w->in->n_point;
  size_t used = 0;
  out[0] = '\0';
  for (int k = 0; k < count; k++) {
    const char *name = w->meshed ? w->set[k].name : w->in->point[k].name;
    size_t len = strlen(name) + (k > 0 ? 2 : 0);
    if (used + len + 4 > n) {
      snprintf(out + used, n - used, "…");
      return;
    }
    used += (size_t)snprintf(out + used, n - used, "%s%s", k > 0 ? ", " : "", name);
  }
}

static mw_code unknown_set(const mw_body_work *w, const char *set, mw_at at, mw_error *err)
{
  char names[200];
  list_names(w, names, sizeof names);
  return mw_fail(err, MW_ERR_INPUT, at, "body '%s' has no %s '%s', it has: %s", w->in->name,
                 w->meshed ? "node set" : "point", set, names[0] ? names : "none");
}

static mw_code find_group(mw_body_work *w, const char *set, mw_at at, int *n, const int **node,
                          mw_error *err)
{
  int found = -1;
  for (int k = 0; k < w->n_set; k++) {
    if (strcmp(w->set[k].name, set) != 0) continue;
    if (found >= 0)
      return mw_fail(err, MW_ERR_INPUT, at,
                     "node set '%s' exists for dimension %d and %d, rename one", set,
                     w->set[found].dim, w->set[k].dim);
    found = k;
  }
  if (found < 0) return unknown_set(w, set, at, err);
  if (w->set[found].n == 0)
    return mw_fail(err, MW_ERR_INPUT, at, "node set '%s' has no node of an element", set);
  *n = w->set[found].n;
  *node = w->set[found].node;
  return MW_OK;
}

mw_code mw_body_find_set(mw_body_work *w, const char *set, mw_at at, int *n, const int **node,
                         mw_error *err)
{
  if (w->meshed) return find_group(w, set, at, n, node, err);
  int point = mw_name_find(&w->names, w->in->point, w->in->n_point, sizeof *w->in->point, set);
  if (point < 0) return unknown_set(w, set, at, err);
  if (!w->used[point])
    return mw_fail(err, MW_ERR_INPUT, at, "point '%s' of body '%s' is not the end of any beam", set,
                   w->in->name);
  int *one = mw_arena_int(&w->tmp, 1);
  if (one == NULL) return mw_arena_check(&w->tmp, err);
  *one = point;
  *n = 1;
  *node = one;
  return MW_OK;
}

// ---- sets by place ------------------------------------------------------------------------------

// s: along the segment from p to q, 0 to 1; returns the distance of x from its line
static double off_axis(const mw_node_set_in *p, const double x[3], double *s)
{
  double t[3], d[3], l2 = 0.0;
  for (int i = 0; i < 3; i++) {
    t[i] = p->q[i] - p->p[i];
    d[i] = x[i] - p->p[i];
    l2 += t[i] * t[i];
  }
  *s = mw_dot3(t, d) / l2;
  for (int i = 0; i < 3; i++) d[i] -= *s * t[i];
  return mw_norm3(d);
}

static bool picked(const mw_node_set_in *p, const double x[3], int tag, double tol)
{
  double d[3] = { x[0] - p->p[0], x[1] - p->p[1], x[2] - p->p[2] }, s, r, l[3];
  for (int i = 0; i < 3; i++) l[i] = p->q[i] - p->p[i];
  switch (p->kind) {
  case MW_PICK_BOX:
    for (int i = 0; i < 3; i++)
      if (x[i] < fmin(p->p[i], p->q[i]) - tol || x[i] > fmax(p->p[i], p->q[i]) + tol) return false;
    return true;
  case MW_PICK_PLANE: return fabs(mw_dot3(d, p->q)) <= tol * mw_norm3(p->q);
  case MW_PICK_LINE:
  case MW_PICK_CYLINDER:
    r = off_axis(p, x, &s);
    if (s < -tol / mw_norm3(l) || s > 1.0 + tol / mw_norm3(l)) return false;
    return fabs(r - p->r) <= tol;
  case MW_PICK_TAGS:
    for (int k = 0; k < p->n_tag; k++)
      if (p->tag[k] == tag) return true;
    return false;
  case MW_PICK_NEAREST: break;
  }
  return false;
}

static int nearest(const mw_body_work *w, const double x[3])
{
  double best = INFINITY;
  int node = 0;
  for (int k = 0; k < w->n_node; k++) {
    double d[3] = { w->X[3 * k] - x[0], w->X[3 * k + 1] - x[1], w->X[3 * k + 2] - x[2] },
           r = mw_norm3(d);
    if (!w->used[k] || r >= best) continue;
    best = r;
    node = k;
  }
  return node;
}

static mw_code pick(mw_body_work *w, const mw_node_set_in *p, mw_mesh_set *out, mw_error *err)
{
  double tol = p->within > 0.0 ? p->within : NODE_TOL * w->size;
  *out = (mw_mesh_set){ .name = p->name, .dim = -1 };
  out->node = mw_arena_int(&w->tmp, (size_t)w->n_node);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  if (p->kind == MW_PICK_NEAREST) out->node[out->n++] = nearest(w, p->p);
  for (int k = 0; k < w->n_node && p->kind != MW_PICK_NEAREST; k++)
    if (w->used[k] && picked(p, w->X + 3 * k, w->tag[k], tol)) out->node[out->n++] = k;
  if (out->n == 0)
    return mw_fail(err, MW_ERR_INPUT, p->at, "set '%s' of body '%s' takes no node", p->name,
                   w->in->name);
  if (p->kind == MW_PICK_TAGS && out->n != p->n_tag)
    return mw_fail(err, MW_ERR_INPUT, p->at,
                   "set '%s' names %d nodes, of which body '%s' has %d (once each)", p->name,
                   p->n_tag, w->in->name, out->n);
  return MW_OK;
}

mw_code mw_body_sets(mw_body_work *w, mw_error *err)
{
  const mw_mesh_set *file = w->mesh ? w->mesh->set : w->matrices ? w->matrices->set : NULL;
  int n = w->mesh ? w->mesh->n_set : w->matrices ? w->matrices->n_set : 0;
  if (!w->meshed) return MW_OK;
  w->n_set = n + w->in->n_node_set;
  w->set = mw_arena_alloc(&w->tmp, (size_t)w->n_set, sizeof *w->set);
  mw_code rc = mw_arena_check(&w->tmp, err);
  for (int k = 0; k < n && rc == MW_OK; k++) w->set[k] = file[k];
  for (int k = 0; k < w->in->n_node_set && rc == MW_OK; k++) {
    const mw_node_set_in *p = &w->in->node_set[k];
    for (int i = 0; i < n; i++)
      if (strcmp(w->set[i].name, p->name) == 0)
        return mw_fail(err, MW_ERR_INPUT, p->at, "the mesh of body '%s' has a set '%s' of its own",
                       w->in->name, p->name);
    rc = pick(w, p, &w->set[n + k], err);
  }
  return rc;
}

mw_code mw_body_find_node(const mw_body_work *w, const double x[3], mw_at at, int *node,
                          mw_error *err)
{
  *node = nearest(w, x);
  const double *X = w->X + 3 * *node;
  double d[3] = { X[0] - x[0], X[1] - x[1], X[2] - x[2] }, best = mw_norm3(d);
  if (best <= NODE_TOL * w->size) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, at,
                 "no node of body '%s' at [%g, %g, %g] m, the nearest is %g m away", w->in->name,
                 x[0], x[1], x[2], best);
}

mw_code mw_body_attach_origin(mw_body_work *w, const mw_attach *a, double X[3], mw_error *err)
{
  int n = 0;
  const int *node = NULL;
  if (a->has_x || a->set == NULL) {
    memcpy(X, a->x, 3 * sizeof *X);
    return MW_OK;
  }
  mw_code rc = mw_body_find_set(w, a->set, a->at, &n, &node, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < 3; i++) {
    X[i] = 0.0;
    for (int k = 0; k < n; k++) X[i] += w->X[3 * node[k] + i] / n;
  }
  return MW_OK;
}
