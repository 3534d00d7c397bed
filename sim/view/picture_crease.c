// SPDX-License-Identifier: BSD-3-Clause
// picture_crease.c: the edges one would draw of a surface of triangles.
//
// An edge (i, j), i < j, is sorted next to its other triangles; it is drawn when it has one
// triangle, more than two, or two whose normals enclose more than 30 degrees. O(n log n).
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "picture_layer.h"

static const double BEND = 0.86602540378443865;  // cos 30°

typedef struct side {
  int i, j, tri;
} side;

static int compare(const void *a, const void *b)
{
  const side *p = a, *q = b;
  if (p->i != q->i) return p->i < q->i ? -1 : 1;
  if (p->j != q->j) return p->j < q->j ? -1 : 1;
  return (p->tri > q->tri) - (p->tri < q->tri);
}

// cos of the angle between two triangles' normals; 1 for degenerate ones
static double bend(const mw_body *b, int t1, int t2)
{
  double n[2][3];
  for (int k = 0; k < 2; k++) {
    const int *t = b->tri + 3 * (size_t)(k ? t2 : t1);
    double u[3], v[3];
    for (int c = 0; c < 3; c++) {
      u[c] = b->X[3 * (size_t)t[1] + (size_t)c] - b->X[3 * (size_t)t[0] + (size_t)c];
      v[c] = b->X[3 * (size_t)t[2] + (size_t)c] - b->X[3 * (size_t)t[0] + (size_t)c];
    }
    mw_cross3(u, v, n[k]);
  }
  double len = mw_norm3(n[0]) * mw_norm3(n[1]);
  // shells have no outside: their facets may be numbered either way round
  double cosine = len > 0.0 ? mw_dot3(n[0], n[1]) / len : 1.0;
  return b->Nr.n_row > 0 ? fabs(cosine) : cosine;
}

mw_code mw_scene_creases(const mw_body *b, mw_arena *mem, int **edge, int *n, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t all = 3 * (size_t)b->n_tri;
  side *s = mw_arena_alloc(&tmp, all, sizeof *s);
  int *out = mw_arena_int(mem, 2 * all), count = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (size_t k = 0; rc == MW_OK && k < all; k++) {
    int i = b->tri[k], j = b->tri[k % 3 == 2 ? k - 2 : k + 1];
    s[k] = (side){ i < j ? i : j, i < j ? j : i, (int)(k / 3) };
  }
  if (rc == MW_OK && all > 0) qsort(s, all, sizeof *s, compare);
  for (size_t k = 0, next; rc == MW_OK && k < all; k = next) {
    next = k + 1;
    while (next < all && s[next].i == s[k].i && s[next].j == s[k].j) next++;
    if (next - k == 2 && bend(b, s[k].tri, s[k + 1].tri) > BEND) continue;
    out[2 * count] = s[k].i;
    out[2 * count + 1] = s[k].j;
    count++;
  }
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  *edge = out;
  *n = count;
  return MW_OK;
}
