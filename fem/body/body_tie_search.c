// SPDX-License-Identifier: BSD-3-Clause
// body_tie_search.c: the master surface of a tie as triangles, and the one nearest to a point.
//
// A face is cut into triangles between all its nodes, so that a curved face is met to a quarter of
// its edges' sagitta. Each triangle is listed in every box of a grid its bounding box, widened by
// `reach`, meets: what is nearer to a point than `reach` is listed in the point's own box. Boxes
// are as wide as the mean triangle or `reach`, and no more than a few times as many as triangles.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "body_tie_priv.h"

static const double BOXES = 8.0;  // a triangle at most

// ---- triangles ----------------------------------------------------------------------------------

// corners 0 … c−1, then mid-edge nodes; local nodes of each triangle, −1 ends the list
static const int CUT3[][3] = { { 0, 1, 2 }, { -1, 0, 0 } };
static const int CUT4[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { -1, 0, 0 } };
static const int CUT6[][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 }, { 3, 4, 5 }, { -1, 0, 0 } };
static const int CUT8[][3] = { { 0, 4, 7 }, { 4, 1, 5 }, { 5, 2, 6 }, { 6, 3, 7 },
                               { 4, 5, 6 }, { 4, 6, 7 }, { -1, 0, 0 } };

static void add_face(mw_tie_surface *s, int elem, int n, const int *node)
{
  const int(*cut)[3] = n == 3 ? CUT3 : n == 4 ? CUT4 : n == 6 ? CUT6 : CUT8;
  for (int k = 0; cut[k][0] >= 0; k++) {
    if (s->triangle)
      s->triangle[s->n] =
          (mw_tie_triangle){ { node[cut[k][0]], node[cut[k][1]], node[cut[k][2]] }, elem };
    s->n++;
  }
}

// Counts, and with s->triangle lists, the faces whose nodes are all marked 1 or 2; those become 2.
static void add_faces(const mw_mesh *m, char *mark, mw_tie_surface *s)
{
  s->n = 0;
  for (int k = 0; k < m->n_face + m->n_elem; k++) {
    int node[8], n = 0, elem = k < m->n_face ? m->face_elem[k] : k - m->n_face;
    if (k < m->n_face) {
      n = mw_mesh_face(m, k, node);
    } else if (mw_elem_info_of((mw_elem_kind)m->elem_kind[elem])->dim == 2) {
      n = m->elem_ptr[elem + 1] - m->elem_ptr[elem];
      memcpy(node, m->elem_node + m->elem_ptr[elem], (size_t)n * sizeof *node);
    }
    bool all = n > 0;
    for (int i = 0; i < n; i++) all = all && mark[node[i]];
    if (!all) continue;
    for (int i = 0; i < n; i++) mark[node[i]] = 2;
    add_face(s, elem, n, node);
  }
}

// ---- distance -----------------------------------------------------------------------------------

static double to_segment(const double a[3], const double b[3], const double x[3])
{
  double t[3], d[3];
  for (int i = 0; i < 3; i++) t[i] = b[i] - a[i], d[i] = x[i] - a[i];
  double tt = mw_dot3(t, t), f = tt > 0.0 ? fmin(fmax(mw_dot3(t, d) / tt, 0.0), 1.0) : 0.0;
  for (int i = 0; i < 3; i++) d[i] -= f * t[i];
  return mw_norm3(d);
}

static double to_triangle(const mw_tie_surface *s, int k, const double x[3])
{
  const double *p[3];
  double e[3][3], n[3], best = INFINITY;
  for (int i = 0; i < 3; i++) p[i] = s->X + 3 * s->triangle[k].node[i];
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++) e[i][c] = p[(i + 1) % 3][c] - p[i][c];
  mw_cross3(e[0], e[1], n);
  bool inside = mw_norm3(n) > 0.0;
  for (int i = 0; i < 3; i++) {
    double d[3] = { x[0] - p[i][0], x[1] - p[i][1], x[2] - p[i][2] }, c[3];
    mw_cross3(e[i], d, c);
    inside = inside && mw_dot3(c, n) >= 0.0;
    best = fmin(best, to_segment(p[i], p[(i + 1) % 3], x));
    if (i == 2 && inside) best = fabs(mw_dot3(d, n)) / mw_norm3(n);
  }
  return best;
}

// ---- grid ---------------------------------------------------------------------------------------

static void bounds(const mw_tie_surface *s, int k, double lo[3], double hi[3])
{
  for (int c = 0; c < 3; c++) {
    lo[c] = INFINITY, hi[c] = -INFINITY;
    for (int i = 0; i < 3; i++) {
      lo[c] = fmin(lo[c], s->X[3 * s->triangle[k].node[i] + c]);
      hi[c] = fmax(hi[c], s->X[3 * s->triangle[k].node[i] + c]);
    }
  }
}

static void size_grid(mw_tie_surface *s)
{
  double hi[3] = { -INFINITY, -INFINITY, -INFINITY }, mean = 0.0, boxes = INFINITY;
  for (int c = 0; c < 3; c++) s->lo[c] = INFINITY;
  for (int k = 0; k < s->n; k++) {
    double a[3], b[3], d[3];
    bounds(s, k, a, b);
    for (int c = 0; c < 3; c++) {
      s->lo[c] = fmin(s->lo[c], a[c] - s->reach);
      hi[c] = fmax(hi[c], b[c] + s->reach);
      d[c] = b[c] - a[c];
    }
    mean += mw_norm3(d) / s->n;
  }
  s->side = fmax(fmax(mean, s->reach), 1e-300);
  for (; boxes > BOXES * s->n + 64.0; s->side *= 1.25) {
    boxes = 1.0;
    for (int c = 0; c < 3; c++) boxes *= floor((hi[c] - s->lo[c]) / s->side) + 1.0;
  }
  s->side /= 1.25;  // the last one tried
  for (int c = 0; c < 3; c++) s->dim[c] = (int)floor((hi[c] - s->lo[c]) / s->side) + 1;
}

static int clamp(double x, int n) { return x < 0.0 ? 0 : x >= n ? n - 1 : (int)x; }

// Counts the triangles of each box into ptr[box + 1], or lists them at ptr[box]++.
static void enter(mw_tie_surface *s, bool list)
{
  for (int k = 0; k < s->n; k++) {
    double lo[3], hi[3];
    int a[3], b[3], i[3];
    bounds(s, k, lo, hi);
    for (int c = 0; c < 3; c++) {
      a[c] = clamp((lo[c] - s->reach - s->lo[c]) / s->side, s->dim[c]);
      b[c] = clamp((hi[c] + s->reach - s->lo[c]) / s->side, s->dim[c]);
    }
    for (i[2] = a[2]; i[2] <= b[2]; i[2]++)
      for (i[1] = a[1]; i[1] <= b[1]; i[1]++)
        for (i[0] = a[0]; i[0] <= b[0]; i[0]++) {
          int box = i[0] + s->dim[0] * (i[1] + s->dim[1] * i[2]);
          if (list)
            s->item[s->ptr[box]++] = k;
          else
            s->ptr[box + 1]++;
        }
  }
}

static mw_code fill_grid(mw_tie_surface *s, mw_arena *mem, mw_error *err)
{
  size_t boxes = (size_t)s->dim[0] * (size_t)s->dim[1] * (size_t)s->dim[2];
  s->ptr = mw_arena_int(mem, boxes + 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  enter(s, false);
  for (size_t i = 0; i < boxes; i++) s->ptr[i + 1] += s->ptr[i];
  s->item = mw_arena_int(mem, (size_t)s->ptr[boxes]);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  enter(s, true);
  for (size_t i = boxes; i > 0; i--) s->ptr[i] = s->ptr[i - 1];
  s->ptr[0] = 0;
  return MW_OK;
}

mw_code mw_tie_surface_build(mw_body_work *w, int n, const int *node, double reach,
                             char *on_surface, mw_tie_surface *out, mw_error *err)
{
  mw_tie_surface s = { .X = w->X, .reach = reach };
  memset(on_surface, 0, (size_t)w->n_node);
  for (int i = 0; i < n; i++) on_surface[node[i]] = 1;
  add_faces(w->mesh, on_surface, &s);
  if (s.n == 0) return MW_OK;
  s.triangle = mw_arena_alloc(&w->tmp, (size_t)s.n, sizeof *s.triangle);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  add_faces(w->mesh, on_surface, &s);
  for (int i = 0; i < w->n_node; i++) on_surface[i] = on_surface[i] == 2;
  size_grid(&s);
  rc = fill_grid(&s, &w->tmp, err);
  if (rc == MW_OK) *out = s;
  return rc;
}

int mw_tie_nearest(const mw_tie_surface *s, const double x[3], bool anyway, double *distance)
{
  int best = -1, box = 0, stride = 1;
  bool in = true;
  *distance = INFINITY;
  for (int c = 0; c < 3; c++) {
    double f = floor((x[c] - s->lo[c]) / s->side);
    in = in && f >= 0.0 && f < s->dim[c];
    box += stride * clamp(f, s->dim[c]);
    stride *= s->dim[c];
  }
  for (int p = s->ptr[box]; in && p < s->ptr[box + 1]; p++) {
    double d = to_triangle(s, s->item[p], x);
    if (d < *distance) *distance = d, best = s->item[p];
  }
  if (*distance > s->reach) best = -1, *distance = INFINITY;
  for (int k = 0; best < 0 && anyway && k < s->n; k++)
    *distance = fmin(*distance, to_triangle(s, k, x));
  for (int k = 0; best < 0 && anyway && k < s->n; k++)
    if (to_triangle(s, k, x) <= *distance) best = k;
  return best < 0 ? -1 : s->triangle[best].elem;
}
