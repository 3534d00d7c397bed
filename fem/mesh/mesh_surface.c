// SPDX-License-Identifier: BSD-3-Clause
// mesh_surface.c: the faces of solids that only one element has.
//
// Faces are gathered by their smallest corner, then equal ones are found by sorting the few at each
// node. Two faces are equal when they have the same corners. O(n_face log(faces at a node)).
#include <stdlib.h>
#include <string.h>

#include "mesh_priv.h"

typedef struct face {
  int key[4];      // corner nodes, ascending; triangles: -1 first
  int elem, side;  // whose
} face;

static int by_key(const void *a, const void *b)
{
  const face *p = a, *q = b;
  for (int i = 0; i < 4; i++)
    if (p->key[i] != q->key[i]) return p->key[i] < q->key[i] ? -1 : 1;
  return p->elem != q->elem ? (p->elem > q->elem) - (p->elem < q->elem) : p->side - q->side;
}

static bool same(const face *p, const face *q)
{
  return memcmp(p->key, q->key, sizeof p->key) == 0;
}

// corners of a face, ascending; returns the smallest
static int face_key(const mw_mesh *m, int e, int side, int key[4])
{
  const mw_elem_info *info = mw_elem_info_of(m->elem_kind[e]);
  int n = info->face_corner[side];
  key[0] = -1;
  for (int i = 0, at = 4 - n; i < n; i++, at++) {  // insertion sort
    int node = m->elem_node[m->elem_ptr[e] + info->face[side][i]], k = at;
    for (; k > 4 - n && key[k - 1] > node; k--) key[k] = key[k - 1];
    key[k] = node;
  }
  return key[4 - n];
}

// ptr [n_node + 1]: faces whose smallest corner is node i are f[ptr[i] … ptr[i+1]]
static mw_code gather(const mw_mesh *m, mw_arena *tmp, size_t **ptr, face **out, mw_error *err)
{
  int key[4];
  size_t n = 0;
  *ptr = mw_arena_alloc(tmp, (size_t)m->n_node + 2, sizeof **ptr);
  for (int e = 0; e < m->n_elem; e++) n += (size_t)mw_elem_info_of(m->elem_kind[e])->n_face;
  *out = mw_arena_alloc(tmp, n, sizeof **out);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  size_t *fill = *ptr + 1;  // one ahead, so that filling leaves the starts in ptr
  for (int e = 0; e < m->n_elem; e++)
    for (int s = 0; s < mw_elem_info_of(m->elem_kind[e])->n_face; s++)
      fill[face_key(m, e, s, key) + 1]++;
  for (int i = 0; i < m->n_node; i++) fill[i + 1] += fill[i];
  for (int e = 0; e < m->n_elem; e++)
    for (int s = 0; s < mw_elem_info_of(m->elem_kind[e])->n_face; s++) {
      face f = { .elem = e, .side = s };
      int i = face_key(m, e, s, f.key);
      (*out)[fill[i]++] = f;
    }
  return MW_OK;
}

// Marks the faces f [n] at one node that have no twin in side (else -1); counts them.
static mw_code lonely(const mw_mesh *m, face *f, size_t n, int *count, mw_error *err)
{
  if (n > 1) qsort(f, n, sizeof *f, by_key);
  for (size_t k = 0, next; k < n; k = next) {
    for (next = k + 1; next < n && same(&f[k], &f[next]);) next++;
    if (next - k > 2)
      return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                     "elements %d, %d and %d share one face, two at most can",
                     m->elem_tag[f[k].elem], m->elem_tag[f[k + 1].elem],
                     m->elem_tag[f[k + 2].elem]);
    if (next - k == 1)
      (*count)++;
    else
      f[k].side = f[k + 1].side = -1;
  }
  return MW_OK;
}

mw_code mw_mesh_surface(mw_mesh *m, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t *ptr = NULL;
  face *f = NULL;
  int n = 0;
  mw_code rc = gather(m, &tmp, &ptr, &f, err);
  for (int i = 0; i < m->n_node && rc == MW_OK; i++)
    rc = lonely(m, f + ptr[i], ptr[i + 1] - ptr[i], &n, err);
  if (rc == MW_OK) {
    m->n_face = 0;
    m->face_elem = mw_arena_int(mem, (size_t)n);
    m->face_side = mw_arena_int(mem, (size_t)n);
    rc = mw_arena_check(mem, err);
  }
  for (size_t k = 0; rc == MW_OK && k < ptr[m->n_node]; k++) {
    if (f[k].side < 0) continue;
    m->face_elem[m->n_face] = f[k].elem;
    m->face_side[m->n_face++] = f[k].side;
  }
  mw_arena_free(&tmp);
  return rc;
}

int mw_mesh_face(const mw_mesh *m, int k, int node[8])
{
  const mw_elem_info *info = mw_elem_info_of(m->elem_kind[m->face_elem[k]]);
  const int *local = info->face[m->face_side[k]];
  int n = 0;
  for (int i = 0; i < 8; i++) {
    node[i] = local[i] < 0 ? -1 : m->elem_node[m->elem_ptr[m->face_elem[k]] + local[i]];
    n += local[i] >= 0;
  }
  return n;
}
