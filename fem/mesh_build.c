// SPDX-License-Identifier: BSD-3-Clause
// mesh_build.c: the mesh made of a .msh file: its tetrahedra and their nodes, node sets, surface
// triangles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "mesh_priv.h"

static int by_tag(const void *a, const void *b)
{
  const msh_node *p = a, *q = b;
  if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
  return (p->index > q->index) - (p->index < q->index);
}

static int by_value(const void *a, const void *b)
{
  int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

mw_code mw_msh_sort_nodes(msh_reader *r, mw_error *err)
{
  qsort(r->node, (size_t)r->n_node, sizeof *r->node, by_tag);
  for (int k = 1; k < r->n_node; k++)
    if (r->node[k].tag == r->node[k - 1].tag) {
      mw_at at = { .file = r->path, .line = r->node[k].line };
      return mw_fail(err, MW_ERR_INPUT, at, "node %d is defined twice", r->node[k].tag);
    }
  return MW_OK;
}

int mw_msh_find_node(const msh_reader *r, int tag)
{
  int lo = 0, hi = r->n_node;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (r->node[mid].tag < tag)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < r->n_node && r->node[lo].tag == tag ? r->node[lo].index : -1;
}

static bool is_tet(const msh_block *b) { return b->dim == 3 && b->n_per == 10; }

static mw_code collect_tets(const msh_reader *r, mw_mesh *out, mw_error *err)
{
  size_t n = 0;
  int k = 0;
  for (int b = 0; b < r->n_block; b++) n += is_tet(&r->block[b]) ? (size_t)r->block[b].n : 0;
  mw_at at = { .file = r->path };
  if (n == 0)
    return mw_fail(err, MW_ERR_INPUT, at, "the mesh has no 10-node tetrahedra (gmsh -3 -order 2)");
  if (n > 200000000)
    return mw_fail(err, MW_ERR_INPUT, at, "the mesh has %zu tetrahedra, too many", n);
  out->n_tet = (int)n;
  out->tet = mw_arena_int(r->mem, 10 * n);
  out->tet_tag = mw_arena_int(r->mem, n);
  mw_code rc = mw_arena_check(r->mem, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < r->n_block; b++) {
    const msh_block *p = &r->block[b];
    for (int e = 0; is_tet(p) && e < p->n; e++, k++) {
      int *t = out->tet + 10 * (size_t)k;
      memcpy(t, p->node + 10 * (size_t)e, 10 * sizeof *t);
      int swap = t[8];  // gmsh: edge 34 before 24
      t[8] = t[9];
      t[9] = swap;
      out->tet_tag[k] = p->tag[e];
    }
  }
  return MW_OK;
}

static mw_code check_tags(msh_reader *r, const mw_mesh *m, mw_error *err)
{
  int *tag = mw_arena_int(&r->tmp, (size_t)m->n_tet);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(tag, m->tet_tag, (size_t)m->n_tet * sizeof *tag);
  qsort(tag, (size_t)m->n_tet, sizeof *tag, by_value);
  for (int k = 1; k < m->n_tet; k++)
    if (tag[k] == tag[k - 1])
      return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = r->path },
                     "tetrahedron %d is defined twice", tag[k]);
  return MW_OK;
}

// Keeps the nodes of tetrahedra, in file order; map [r->n_node] old to new index or -1.
static mw_code keep_nodes(const msh_reader *r, int *map, mw_mesh *out, mw_error *err)
{
  for (int i = 0; i < r->n_node; i++) map[i] = -1;
  for (size_t k = 0; k < 10 * (size_t)out->n_tet; k++) map[out->tet[k]] = 0;
  for (int i = 0; i < r->n_node; i++)
    if (map[i] == 0) map[i] = out->n_node++;
  out->x = mw_arena_f64(r->mem, 3 * (size_t)out->n_node);
  out->tag = mw_arena_int(r->mem, (size_t)out->n_node);
  mw_code rc = mw_arena_check(r->mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < r->n_node; k++) {
    int i = r->node[k].index, j = map[i];
    if (j < 0) continue;
    out->tag[j] = r->node[k].tag;
    for (int c = 0; c < 3; c++)
      out->x[3 * (size_t)j + (size_t)c] = r->scale * r->x[3 * (size_t)i + (size_t)c];
  }
  for (size_t k = 0; k < 10 * (size_t)out->n_tet; k++) out->tet[k] = map[out->tet[k]];
  return MW_OK;
}

static bool in_group(const msh_reader *r, const msh_block *b, const msh_group *g)
{
  if (b->dim != g->dim || b->entity < 0) return false;
  const msh_entity *e = &r->entity[b->entity];
  for (int k = 0; k < e->n; k++)
    if (abs(e->physical[k]) == abs(g->tag)) return true;
  return false;
}

// mark [n_node] holds the number of the last set that took the node
static mw_code fill_set(const msh_reader *r, const msh_group *g, int id, const int *map, int *mark,
                        mw_mesh_set *set, mw_error *err)
{
  set->name = g->name;
  set->dim = g->dim;
  for (int pass = 0; pass < 2; pass++) {
    int n = 0, stamp = 2 * id + pass + 1;
    for (int b = 0; b < r->n_block; b++) {
      const msh_block *p = &r->block[b];
      if (!in_group(r, p, g)) continue;
      for (size_t k = 0; k < (size_t)p->n * (size_t)p->n_per; k++) {
        int i = map[p->node[k]];
        if (i < 0 || mark[i] == stamp) continue;
        mark[i] = stamp;
        if (pass == 1) set->node[n] = i;
        n++;
      }
    }
    if (pass == 1) break;
    set->n = n;
    set->node = mw_arena_int(r->mem, (size_t)n);
    mw_code rc = mw_arena_check(r->mem, err);
    if (rc != MW_OK) return rc;
  }
  qsort(set->node, (size_t)set->n, sizeof *set->node, by_value);
  return MW_OK;
}

static bool group_known(const msh_group *g, int n, int dim, int tag)
{
  for (int k = 0; k < n; k++)
    if (g[k].dim == dim && abs(g[k].tag) == abs(tag)) return true;
  return false;
}

// named groups, then unnamed ones called dim_tag
static mw_code all_groups(msh_reader *r, int *n, msh_group **out, mw_error *err)
{
  size_t cap = (size_t)r->n_group;
  for (int k = 0; k < r->n_entity; k++) cap += (size_t)r->entity[k].n;
  *out = mw_arena_alloc(&r->tmp, cap, sizeof **out);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  if (r->n_group > 0) memcpy(*out, r->group, (size_t)r->n_group * sizeof **out);
  *n = r->n_group;
  for (int k = 0; k < r->n_entity; k++)
    for (int i = 0; i < r->entity[k].n; i++) {
      int dim = r->entity[k].dim, tag = abs(r->entity[k].physical[i]);
      if (group_known(*out, *n, dim, tag)) continue;
      (*out)[(*n)++] = (msh_group){ dim, tag, mw_arena_printf(r->mem, "%d_%d", dim, tag) };
    }
  return mw_arena_check(r->mem, err);
}

static mw_code build_sets(msh_reader *r, const int *map, mw_mesh *out, mw_error *err)
{
  msh_group *group = NULL;
  mw_code rc = all_groups(r, &out->n_set, &group, err);
  if (rc != MW_OK) return rc;
  out->set = mw_arena_alloc(r->mem, (size_t)out->n_set, sizeof *out->set);
  int *mark = mw_arena_int(&r->tmp, (size_t)out->n_node);
  rc = mw_arena_check(r->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&r->tmp, err);
  for (int k = 0; k < out->n_set && rc == MW_OK; k++)
    rc = fill_set(r, &group[k], k, map, mark, &out->set[k], err);
  return rc;
}

typedef struct face {
  int key[3];   // corner nodes, ascending
  int node[6];  // corners and mid-edge nodes, outward
} face;

static int by_key(const void *a, const void *b)
{
  const face *p = a, *q = b;
  for (int i = 0; i < 3; i++)
    if (p->key[i] != q->key[i]) return p->key[i] < q->key[i] ? -1 : 1;
  return 0;
}

// faces that only one tetrahedron has
static mw_code build_surface(msh_reader *r, mw_mesh *out, mw_error *err)
{
  // corners, then edges 12 23 31 14 24 34 = 4 … 9
  static const int FACE[4][6] = {
    { 0, 2, 1, 6, 5, 4 }, { 0, 1, 3, 4, 8, 7 }, { 1, 2, 3, 5, 9, 8 }, { 2, 0, 3, 6, 7, 9 }
  };
  size_t n = 4 * (size_t)out->n_tet;
  face *f = mw_arena_alloc(&r->tmp, n, sizeof *f);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < n; k++) {
    for (int i = 0; i < 6; i++) f[k].node[i] = out->tet[10 * (k / 4) + (size_t)FACE[k % 4][i]];
    memcpy(f[k].key, f[k].node, sizeof f[k].key);
    qsort(f[k].key, 3, sizeof(int), by_value);
  }
  qsort(f, n, sizeof *f, by_key);
  size_t kept = 0;
  for (size_t k = 0; k < n; k++) {
    bool twin =
        (k > 0 && by_key(&f[k], &f[k - 1]) == 0) || (k + 1 < n && by_key(&f[k], &f[k + 1]) == 0);
    if (!twin) {
      memcpy(f[kept].node, f[k].node, sizeof f[k].node);
      kept++;
    }
  }
  out->n_tri = (int)kept;
  out->tri = mw_arena_int(r->mem, 6 * kept);
  rc = mw_arena_check(r->mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < kept; k++) memcpy(out->tri + 6 * k, f[k].node, sizeof f[k].node);
  return MW_OK;
}

mw_code mw_msh_build(msh_reader *r, mw_mesh *out, mw_error *err)
{
  int *map = mw_arena_int(&r->tmp, (size_t)r->n_node);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc == MW_OK) rc = collect_tets(r, out, err);
  if (rc == MW_OK) rc = check_tags(r, out, err);
  if (rc == MW_OK) rc = keep_nodes(r, map, out, err);
  if (rc == MW_OK) rc = build_sets(r, map, out, err);
  return rc == MW_OK ? build_surface(r, out, err) : rc;
}

mw_code mw_mesh_check(const mw_mesh *m, const char *path, mw_error *err)
{
  mw_at at = { .file = path };
  for (size_t k = 0; k < 3 * (size_t)m->n_node; k++)
    if (!isfinite(m->x[k]))
      return mw_fail(err, MW_ERR_INPUT, at, "node %d is not finite", m->tag[k / 3]);
  for (int e = 0; e < m->n_tet; e++) {
    const int *t = m->tet + 10 * (size_t)e;
    double d[3][3], c[3];
    for (int i = 0; i < 10; i++)
      if (t[i] < 0 || t[i] >= m->n_node)
        return mw_fail(err, MW_ERR_INPUT, at, "tetrahedron %d refers to a node that does not exist",
                       m->tet_tag[e]);
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) d[k][i] = m->x[3 * t[k + 1] + i] - m->x[3 * t[0] + i];
    mw_cross3(d[1], d[2], c);
    double v = mw_dot3(d[0], c) / 6.0;
    if (!(v > 0.0))
      return mw_fail(err, MW_ERR_INPUT, at, "tetrahedron %d has volume %g m³, must be positive",
                     m->tet_tag[e], v);
  }
  return MW_OK;
}
