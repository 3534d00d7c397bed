// SPDX-License-Identifier: BSD-3-Clause
// mesh_coincident.c: nodes in the same place, as they are left where parts were meshed apart.
//
// Cubes of edge tol in a hash table; a node looks for earlier ones in the 27 cubes around it. O(n).
#include <math.h>
#include <stdint.h>

#include "mesh_priv.h"

// Cubes are not smaller than this part of the mesh, so that their numbers stay exact.
static const double SMALLEST = 1e-12;

typedef struct grid {
  const mw_mesh *m;
  double x0[3], h, tol;  // m
  size_t mask;
  int *head, *next;  // [mask + 1], [n_node]  index + 1, 0: none
} grid;

static size_t cell_hash(const grid *g, const int64_t c[3])
{
  uint64_t h = 0;
  for (int i = 0; i < 3; i++) {
    h = (h ^ (uint64_t)c[i]) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return (size_t)h & g->mask;
}

static void cell_of(const grid *g, int node, int64_t c[3])
{
  for (int i = 0; i < 3; i++)
    c[i] = (int64_t)floor((g->m->x[3 * (size_t)node + (size_t)i] - g->x0[i]) / g->h);
}

static bool near(const grid *g, int a, int b)
{
  const double *x = g->m->x + 3 * (size_t)a, *y = g->m->x + 3 * (size_t)b;
  double d2 = 0.0;
  for (int i = 0; i < 3; i++) d2 += (x[i] - y[i]) * (x[i] - y[i]);
  return d2 <= g->tol * g->tol;
}

// an earlier node within tol, -1: none
static int earlier(const grid *g, int node)
{
  int64_t c[3], d[3];
  cell_of(g, node, c);
  for (int k = 0; k < 27; k++) {
    for (int i = 0, p = k; i < 3; i++, p /= 3) d[i] = c[i] + p % 3 - 1;
    for (int j = g->head[cell_hash(g, d)]; j > 0; j = g->next[j - 1])
      if (near(g, node, j - 1)) return j - 1;
  }
  return -1;
}

static void insert(grid *g, int node)
{
  int64_t c[3];
  cell_of(g, node, c);
  size_t h = cell_hash(g, c);
  g->next[node] = g->head[h];
  g->head[h] = node + 1;
}

// x0 and h from the box around the mesh
static void place(grid *g, double tol)
{
  const mw_mesh *m = g->m;
  double size = 0.0;
  for (size_t i = 0; i < 3; i++) {
    double lo = m->n_node > 0 ? m->x[i] : 0.0, hi = lo;
    for (size_t k = 0; k < (size_t)m->n_node; k++) {
      lo = fmin(lo, m->x[3 * k + i]);
      hi = fmax(hi, m->x[3 * k + i]);
    }
    g->x0[i] = lo;
    size = fmax(size, hi - lo);
  }
  g->tol = tol;
  g->h = fmax(tol, SMALLEST * size);
  if (!(g->h > 0.0)) g->h = 1.0;  // all nodes in one point
}

mw_code mw_mesh_coincident(const mw_mesh *m, double tol, int *n, int pair[2], mw_error *err)
{
  mw_arena tmp = { 0 };
  grid g = { .m = m, .mask = 1 };
  while (g.mask < 2 * (size_t)m->n_node) g.mask = 2 * g.mask + 1;
  g.head = mw_arena_int(&tmp, g.mask + 1);
  g.next = mw_arena_int(&tmp, (size_t)m->n_node);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    place(&g, tol);
    *n = 0;
    pair[0] = pair[1] = -1;
  }
  for (int i = 0; i < m->n_node && rc == MW_OK; i++) {
    int k = earlier(&g, i);
    if (k >= 0 && ++*n == 1) pair[0] = k, pair[1] = i;
    insert(&g, i);
  }
  mw_arena_free(&tmp);
  return rc;
}
