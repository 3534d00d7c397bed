// SPDX-License-Identifier: BSD-3-Clause
// guide_build.c: the nodes of a guide, its axes, and the matrix of its spline. Guides on faces of
// solids: guide_pad.c.
//
// Derivatives m_j = u''(s_j) of the not-a-knot cubic spline through u_j, h_j = s_{j+1} − s_j:
//   h_{j−1}/6 m_{j−1} + (h_{j−1} + h_j)/3 m_j + h_j/6 m_{j+1}
//     = (u_{j+1} − u_j)/h_j − (u_j − u_{j−1})/h_{j−1}                                           (1)
//   (m_1 − m_0)/h_0 = (m_2 − m_1)/h_1 ,  and the same at the other end (no jump of u''')     (2)
// Dense inverse: n is the number of nodes on one line. O(n³).
// [dB1978] de Boor, A Practical Guide to Splines, Springer 1978, ch. IV.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "guide_priv.h"

static const double ON_BEAM = 1e-9;  // of the guide's length: rounding of the node positions
static const double ON_MESH = 1e-6;  // of the guide's length: rounding in mesh files

typedef struct line_node {
  double s;
  int node;
} line_node;

static int by_s(const void *a, const void *b)
{
  const line_node *p = a, *q = b;
  if (p->s != q->s) return p->s < q->s ? -1 : 1;
  return (p->node > q->node) - (p->node < q->node);
}

mw_code mw_guide_axes(const mw_guide_in *in, const double normal[3], const double a[3],
                      const double b[3], mw_guide *g, mw_error *err)
{
  double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
  g->length = mw_norm3(d);
  if (!(g->length > 0.0))
    return mw_fail(err, MW_ERR_INPUT, in->at, "guide '%s' has no length", in->name);
  memcpy(g->X0, a, sizeof g->X0);
  for (int i = 0; i < 3; i++) g->t[i] = d[i] / g->length;
  double c = mw_dot3(normal, g->t), n0 = mw_norm3(normal);
  for (int i = 0; i < 3; i++) g->n1[i] = normal[i] - c * g->t[i];
  double n = mw_norm3(g->n1);
  if (!(n > 1e-6 * n0))
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "normal [%g, %g, %g] of guide '%s' is zero or along the guide", normal[0],
                   normal[1], normal[2], in->name);
  for (int i = 0; i < 3; i++) g->n1[i] /= n;
  mw_cross3(g->t, g->n1, g->n2);
  return MW_OK;
}

// arc length of X along the guide and its distance from the line
static double project(const mw_guide *g, const double X[3], double *off)
{
  double d[3] = { X[0] - g->X0[0], X[1] - g->X0[1], X[2] - g->X0[2] }, s = mw_dot3(d, g->t);
  for (int i = 0; i < 3; i++) d[i] -= s * g->t[i];
  *off = mw_norm3(d);
  return s;
}

static mw_code beam_line(const mw_body_work *w, const mw_guide_in *in, mw_guide *g, line_node *line,
                         mw_error *err)
{
  const mw_point *p = &w->in->point[in->from], *q = &w->in->point[in->to];
  if (!w->used[in->from] || !w->used[in->to])
    return mw_fail(err, MW_ERR_INPUT, in->at, "guide '%s': point '%s' is not the end of any beam",
                   in->name, w->used[in->from] ? q->name : p->name);
  mw_code rc = mw_guide_axes(in, in->normal, p->x, q->x, g, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < w->n_node; k++) {
    double off, s = project(g, w->X + 3 * k, &off), tol = ON_BEAM * g->length;
    if (w->used[k] && off <= tol && s >= -tol && s <= g->length + tol)
      line[g->n++] = (line_node){ s, k };
  }
  return MW_OK;
}

// The two ends: the node farthest from the first, then the one farthest from that.
static int farthest(const mw_body_work *w, int n, const int *node, int from)
{
  double best = -1.0;
  int far = from;
  for (int k = 0; k < n; k++) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = w->X[3 * node[k] + i] - w->X[3 * from + i];
    double r = mw_norm3(d);
    if (r > best) best = r, far = node[k];
  }
  return far;
}

// true when s = 0 belongs at b: nearest to the user's start, else the smaller coordinate along the
// dominant axis
static bool starts_at_b(const mw_guide_in *in, const double a[3], const double b[3])
{
  double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
  if (in->has_start) {
    double p[3], q[3];
    for (int i = 0; i < 3; i++) p[i] = a[i] - in->start[i], q[i] = b[i] - in->start[i];
    return mw_norm3(q) < mw_norm3(p);
  }
  int k = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(d[i]) > fabs(d[k]) * (1.0 + 1e-9)) k = i;
  return d[k] < 0.0;
}

static mw_code mesh_line(mw_body_work *w, const mw_guide_in *in, mw_guide *g, line_node *line,
                         mw_error *err)
{
  int n = 0;
  const int *node = NULL;
  mw_code rc = mw_body_find_set(w, in->set, in->at, &n, &node, err);
  if (rc != MW_OK) return rc;
  const double *a = w->X + 3 * farthest(w, n, node, node[0]);
  const double *b = w->X + 3 * farthest(w, n, node, (int)((a - w->X) / 3));
  bool swap = starts_at_b(in, a, b);
  rc = mw_guide_axes(in, in->normal, swap ? b : a, swap ? a : b, g, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < n; k++) {
    double off, s = project(g, w->X + 3 * node[k], &off);
    if (off > ON_MESH * g->length)
      return mw_fail(err, MW_ERR_INPUT, in->at,
                     "guide '%s' is not straight: node %d lies %g m off the line", in->name,
                     w->tag[node[k]], off);
    line[g->n++] = (line_node){ s, node[k] };
  }
  return MW_OK;
}

// (1), (2) with lengths over the guide's, inverted against the identity
static mw_code spline_matrix(mw_body_work *w, mw_guide *g, mw_error *err)
{
  int n = g->n;
  size_t nn = (size_t)n * (size_t)n;
  double *A = mw_arena_f64(&w->tmp, nn), L = g->length;
  int *piv = mw_arena_int(&w->tmp, (size_t)n);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  for (int e = 0; e < 2; e++) {
    int r = e == 0 ? 0 : n - 1, c = e == 0 ? 0 : n - 3;
    double h0 = (g->s[c + 1] - g->s[c]) / L, h1 = (g->s[c + 2] - g->s[c + 1]) / L;
    A[r * n + c] = -h1;
    A[r * n + c + 1] = h0 + h1;
    A[r * n + c + 2] = -h0;
  }
  for (int j = 1; j < n - 1; j++) {
    double h0 = (g->s[j] - g->s[j - 1]) / L, h1 = (g->s[j + 1] - g->s[j]) / L;
    A[j * n + j - 1] = h0 / 6.0;
    A[j * n + j] = (h0 + h1) / 3.0;
    A[j * n + j + 1] = h1 / 6.0;
    g->spline[j * n + j - 1] = 1.0 / h0;
    g->spline[j * n + j] = -1.0 / h0 - 1.0 / h1;
    g->spline[j * n + j + 1] = 1.0 / h1;
  }
  rc = mw_lu_factor(n, A, piv, err);
  if (rc != MW_OK) return rc;
  mw_lu_solve(n, A, piv, n, g->spline);
  for (size_t k = 0; k < nn; k++) g->spline[k] /= L * L;
  return MW_OK;
}

static mw_code check_line(const mw_guide_in *in, const mw_guide *g, const line_node *line,
                          mw_error *err)
{
  if (g->n < 4)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "guide '%s' has %d nodes on its line, expected at least 4", in->name, g->n);
  for (int j = 1; j < g->n; j++)
    if (line[j].s - line[j - 1].s <= ON_BEAM * g->length)
      return mw_fail(err, MW_ERR_INPUT, in->at,
                     "guide '%s' has two nodes at the same place, %g m from its start", in->name,
                     line[j].s);
  return MW_OK;
}

static mw_code check_way(const mw_body_work *w, const mw_guide_in *in, mw_error *err)
{
  bool pad = in->pad[0] > 0.0;
  if (pad && w->mesh == NULL)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "guide '%s' has a pad, which needs the faces of a mesh, body '%s' has none",
                   in->name, w->in->name);
  if (in->set == NULL && !pad && (in->from < 0 || w->meshed))
    return mw_fail(err, MW_ERR_INPUT, in->at, "guide '%s' of elastic body '%s' needs %s", in->name,
                   w->in->name, w->meshed ? "a node set of the mesh, or a pad" : "two beam points");
  if (in->set != NULL && !w->meshed)
    return mw_fail(err, MW_ERR_INPUT, in->at, "guide '%s' of beam body '%s' needs two beam points",
                   in->name, w->in->name);
  return MW_OK;
}

// Γ of beam element e, which lies along the guide, in its n1, n2 (guide_beam.c)
static void element_shear(const mw_body_work *w, int e, double l, const mw_guide *g, double G[3])
{
  const mw_member *mb = &w->in->member[w->elem_member[e]];
  double Phi[2], a[2][3];  // the planes of bending: y and z of the section
  mw_beam_shear(&w->model->section[mb->section], &w->model->material[mb->material], l, Phi);
  mw_cross3(mb->up, g->t, a[0]);
  mw_cross3(g->t, a[0], a[1]);
  memset(G, 0, 3 * sizeof *G);
  for (int k = 0; k < 2; k++) {
    double n = mw_norm3(a[k]), p = mw_dot3(a[k], g->n1) / n, q = mw_dot3(a[k], g->n2) / n,
           f = Phi[k] / (1.0 + Phi[k]);
    G[0] += f * p * p;
    G[1] += f * p * q;
    G[2] += f * q * q;
  }
}

// shear [n − 1 × 3] of the elements between neighbours on the line; none between them: 0
static mw_code line_shear(mw_body_work *w, const line_node *line, mw_guide *g, mw_error *err)
{
  int *on = mw_arena_int(&w->tmp, (size_t)w->n_node);  // place on the line and 1
  g->shear = mw_arena_f64(w->mem, 3 * (size_t)(g->n - 1));
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(w->mem, err);
  for (int j = 0; rc == MW_OK && j < g->n; j++) on[line[j].node] = j + 1;
  for (int e = 0; rc == MW_OK && e < w->n_elem; e++) {
    int a = on[w->elem[2 * e]] - 1, b = on[w->elem[2 * e + 1]] - 1, j = a < b ? a : b;
    if (j >= 0 && abs(a - b) == 1) element_shear(w, e, g->s[j + 1] - g->s[j], g, g->shear + 3 * j);
  }
  return rc;
}

// a guide's nodes: functionals are their motions
static mw_code node_guide(mw_body_work *w, const mw_guide_in *in, mw_triplets *P, mw_guide *g,
                          line_node *line, mw_error *err)
{
  qsort(line, (size_t)g->n, sizeof *line, by_s);
  mw_code rc = check_line(in, g, line, err);
  if (rc != MW_OK) return rc;
  g->s = mw_arena_f64(w->mem, (size_t)g->n);
  rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  g->rot = !w->meshed;
  int per_node = g->rot ? 6 : 3;
  for (int j = 0; j < g->n; j++) {
    g->s[j] = j == 0 ? 0.0 : j == g->n - 1 ? g->length : line[j].s;
    for (int c = 0; c < per_node; c++)
      mw_body_add_motion(w, P, g->z + per_node * j + c, mw_body_motion(w, line[j].node) + c, 1.0);
  }
  return g->rot ? line_shear(w, line, g, err) : MW_OK;
}

static mw_code elastic_guide(mw_body_work *w, const mw_guide_in *in, mw_triplets *P, mw_guide *g,
                             mw_error *err)
{
  bool pad = in->pad[0] > 0.0;
  line_node *line = mw_arena_alloc(&w->tmp, (size_t)w->n_node, sizeof *line);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc == MW_OK) rc = check_way(w, in, err);
  if (rc != MW_OK) return rc;
  rc = !w->meshed ? beam_line(w, in, g, line, err)
       : in->set  ? mesh_line(w, in, g, line, err)
                  : mw_guide_axes(in, in->normal, in->ends[0], in->ends[1], g, err);
  if (rc == MW_OK)
    rc =
        pad ? mw_guide_pads(w, in, in->set != NULL, P, g, err) : node_guide(w, in, P, g, line, err);
  if (rc != MW_OK) return rc;
  g->spline = mw_arena_f64(w->mem, (size_t)g->n * (size_t)g->n);
  rc = mw_arena_check(w->mem, err);
  return rc == MW_OK ? spline_matrix(w, g, err) : rc;
}

static mw_code rigid_guide(const mw_guide_in *in, mw_guide *g, mw_error *err)
{
  if (in->set != NULL || in->from >= 0 || in->pad[0] > 0.0)
    return mw_fail(err, MW_ERR_INPUT, in->at, "guide '%s' of a rigid body needs two points%s",
                   in->name, in->pad[0] > 0.0 ? " and no pad" : "");
  g->z = -1;
  return mw_guide_axes(in, in->normal, in->ends[0], in->ends[1], g, err);
}

mw_code mw_body_guides(mw_body_work *w, mw_triplets *P, mw_body *out, mw_error *err)
{
  out->n_guide = w->in->n_guide;
  out->guide = mw_arena_alloc(w->mem, (size_t)out->n_guide, sizeof *out->guide);
  mw_code rc = mw_arena_check(w->mem, err);
  for (int k = 0; k < out->n_guide && rc == MW_OK; k++) {
    const mw_guide_in *in = &w->in->guide[k];
    mw_guide *g = &out->guide[k];
    g->name = in->name;
    g->z = out->n_z;
    rc = w->in->rigid ? rigid_guide(in, g, err) : elastic_guide(w, in, P, g, err);
    out->n_z += (g->rot ? 6 : 3) * g->n;
  }
  return rc;
}
