// SPDX-License-Identifier: BSD-3-Clause
// body_nodes.c: finding the nodes a model's names mean.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "body_priv.h"

static const double NODE_TOL = 1e-6;  // of the body's size: rounding of coordinates in mesh files

// The names a user could have meant, as many as fit in out [n]
static void list_names(const mw_body_work *w, char *out, size_t n)
{
  int count = w->solid ? w->mesh.n_set : w->in->n_point;
  size_t used = 0;
  out[0] = '\0';
  for (int k = 0; k < count; k++) {
    const char *name = w->solid ? w->mesh.set[k].name : w->in->point[k].name;
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
                 w->solid ? "physical group" : "point", set, names[0] ? names : "none");
}

static mw_code find_group(mw_body_work *w, const char *set, mw_at at, int *n, const int **node,
                          mw_error *err)
{
  int found = -1;
  for (int k = 0; k < w->mesh.n_set; k++) {
    if (strcmp(w->mesh.set[k].name, set) != 0) continue;
    if (found >= 0)
      return mw_fail(err, MW_ERR_INPUT, at,
                     "physical group '%s' exists for dimension %d and %d, rename one", set,
                     w->mesh.set[found].dim, w->mesh.set[k].dim);
    found = k;
  }
  if (found < 0) return unknown_set(w, set, at, err);
  if (w->mesh.set[found].n == 0)
    return mw_fail(err, MW_ERR_INPUT, at, "physical group '%s' has no node of a tetrahedron", set);
  *n = w->mesh.set[found].n;
  *node = w->mesh.set[found].node;
  return MW_OK;
}

mw_code mw_body_find_set(mw_body_work *w, const char *set, mw_at at, int *n, const int **node,
                         mw_error *err)
{
  if (w->solid) return find_group(w, set, at, n, node, err);
  for (int k = 0; k < w->in->n_point; k++) {
    if (strcmp(w->in->point[k].name, set) != 0) continue;
    if (!w->used[k])
      return mw_fail(err, MW_ERR_INPUT, at, "point '%s' of body '%s' is not the end of any beam",
                     set, w->in->name);
    int *one = mw_arena_int(&w->tmp, 1);
    if (one == NULL) return mw_arena_check(&w->tmp, err);
    *one = k;
    *n = 1;
    *node = one;
    return MW_OK;
  }
  return unknown_set(w, set, at, err);
}

mw_code mw_body_find_node(const mw_body_work *w, const double x[3], mw_at at, int *node,
                          mw_error *err)
{
  double best = INFINITY;
  for (int k = 0; k < w->n_node; k++) {
    double d[3] = { w->X[3 * k] - x[0], w->X[3 * k + 1] - x[1], w->X[3 * k + 2] - x[2] },
           r = mw_norm3(d);
    if (!w->used[k] || r >= best) continue;
    best = r;
    *node = k;
  }
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
