// SPDX-License-Identifier: BSD-3-Clause
// vtu_grid.c: points and cells of the mechanism, and where its unknowns move them.
//
//   elastic: x = o + E (X + N u) ,  displacement E N u                                          (1)
//   rigid:   x = o + E c ,          displacement E (v + ω × c)          c: centre of mass       (2)
#include <string.h>

#include "base/vec3.h"
#include "vtu_layer.h"

enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_WEDGE = 13, VTK_QUADRATIC_WEDGE = 26 };

static int points_of(const mw_body *b) { return b->n_u > 0 ? b->n_node : !b->ground; }
static int unknowns_of(const mw_body *b) { return b->n_u > 0 ? b->n_u : b->ground ? 0 : 6; }

static void centre(const mw_body *b, double c[3])
{
  for (int i = 0; i < 3; i++) c[i] = b->m > 0.0 ? b->mX[i] / b->m : 0.0;
}

// Node k of a cell among those of our element. VTK's wedges have the first triangle's normal
// outward: nodes 1 and 2 of both triangles change places, and their edges with them.
static int renumbered(int type, int k)
{
  static const int wedge[15] = { 0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13 };
  return type == VTK_WEDGE || type == VTK_QUADRATIC_WEDGE ? wedge[k] : k;
}

// One cell; with g->ptr NULL it is only counted.
static void add(mw_vtu_grid *g, int body, int part, int type, int n, const int *node)
{
  if (g->ptr) {
    int *out = g->node + g->ptr[g->n_cell];
    for (int k = 0; k < n; k++) out[k] = g->point0[body] + node[renumbered(type, k)];
    g->type[g->n_cell] = (unsigned char)type;
    g->body[g->n_cell] = body;
    g->part[g->n_cell] = part;
    g->ptr[g->n_cell + 1] = g->ptr[g->n_cell] + n;
  }
  g->n_cell++;
}

static int cells_of(mw_vtu_grid *g, int b, char *used)
{
  const mw_body *body = &g->m->body[b];
  int n = 0, zero = 0;
  if (body->n_u == 0) {
    if (points_of(body) > 0) add(g, b, 0, VTK_VERTEX, 1, &zero);
    return points_of(body);
  }
  memset(used, 0, (size_t)body->n_node);
  for (int e = 0; e < body->n_edge; e++) {
    const int *end = body->edge + 2 * e;
    used[end[0]] = used[end[1]] = 1;
    add(g, b, 0, VTK_LINE, 2, end);
    n += 2;
  }
  const mw_mesh *m = body->mesh;
  for (int e = 0; m && e < m->n_elem; e++) {
    const mw_elem_info *info = mw_elem_info_of((mw_elem_kind)m->elem_kind[e]);
    const int *node = m->elem_node + m->elem_ptr[e];
    for (int k = 0; k < info->n_node; k++) used[node[k]] = 1;
    add(g, b, m->elem_part[e], info->vtk, info->n_node, node);
    n += info->n_node;
  }
  for (int k = 0; k < body->n_node; k++)
    if (!used[k]) {
      add(g, b, 0, VTK_VERTEX, 1, &k);
      n++;
    }
  return n;
}

mw_code mw_vtu_grid_build(const mw_mech *m, mw_arena *mem, mw_vtu_grid *out, mw_error *err)
{
  mw_vtu_grid g = { .m = m };
  size_t nb = (size_t)m->n_body;
  g.point0 = mw_arena_int(mem, nb + 1);
  g.x0 = mw_arena_int(mem, nb + 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  int most = 1, n_conn = 0;
  for (int b = 0; b < m->n_body; b++) {
    g.point0[b + 1] = g.point0[b] + points_of(&m->body[b]);
    g.x0[b + 1] = g.x0[b] + unknowns_of(&m->body[b]);
    if (m->body[b].n_node > most) most = m->body[b].n_node;
  }
  g.n_point = g.point0[m->n_body];
  g.n_x = g.x0[m->n_body];
  char *used = mw_arena_alloc(mem, (size_t)most, 1);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < m->n_body; b++) n_conn += cells_of(&g, b, used);
  size_t nc = (size_t)g.n_cell;
  g.node = mw_arena_int(mem, (size_t)n_conn);
  g.type = mw_arena_alloc(mem, nc, 1);
  g.body = mw_arena_int(mem, nc);
  g.part = mw_arena_int(mem, nc);
  g.ptr = mw_arena_int(mem, nc + 1);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  g.n_cell = 0;
  for (int b = 0; b < m->n_body; b++) (void)cells_of(&g, b, used);
  *out = g;
  return MW_OK;
}

void mw_vtu_points(const mw_vtu_grid *g, const double *p, double *X)
{
  for (int b = 0; b < g->m->n_body; b++) {
    const mw_body *body = &g->m->body[b];
    const double *o = p + 12 * (size_t)b;
    double c[3];
    centre(body, c);
    for (int k = g->point0[b]; k < g->point0[b + 1]; k++) {
      double *x = X + 3 * (size_t)k;
      mw_mul33v(o + 3, body->n_u > 0 ? body->X + 3 * (size_t)(k - g->point0[b]) : c, x);
      for (int i = 0; i < 3; i++) x[i] += o[i];
    }
  }
}

size_t mw_vtu_work(const mw_vtu_grid *g)
{
  int most = 1;
  for (int b = 0; b < g->m->n_body; b++)
    if (g->m->body[b].n_node > most) most = g->m->body[b].n_node;
  return 3 * (size_t)most;
}

void mw_vtu_displacement(const mw_vtu_grid *g, const double *p, const double *x, double *work,
                         double *d)
{
  for (int b = 0; b < g->m->n_body; b++) {
    const mw_body *body = &g->m->body[b];
    const double *E = p + 12 * (size_t)b + 3, *xb = x + g->x0[b];
    if (body->n_u > 0) {
      mw_csc_mul(&body->N, 1.0, xb, 0.0, work);
    } else if (!body->ground) {
      double c[3];
      centre(body, c);
      mw_cross3(xb + 3, c, work);
      for (int i = 0; i < 3; i++) work[i] += xb[i];
    }
    for (int k = g->point0[b]; k < g->point0[b + 1]; k++)
      mw_mul33v(E, work + 3 * (size_t)(k - g->point0[b]), d + 3 * (size_t)k);
  }
}
