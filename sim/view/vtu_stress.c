// SPDX-License-Identifier: BSD-3-Clause
// vtu_stress.c: stress at the nodes of solids and shells, for pictures.
//
//   σ_k = (1/n_k) Σ_e S_e(ξ_k) u_e        over the n_k elements e at node k                     (1)
//   von Mises: σ² = ½ ((xx − yy)² + (yy − zz)² + (zz − xx)²) + 3 (xy² + yz² + zx²)              (2)
//
// S_e is formed once for all vectors. What elements differ by at a node is the usual sign of a mesh
// that is too coarse; the mean hides it, and jumps between materials with it. Cost O(elements ×
// nodes² × vectors).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "check/quality_layer.h"
#include "fem/element.h"
#include "vtu_layer.h"

enum { MOST = MW_SOLID_MAX_NODE, MOST_DOF = MW_SOLID_MAX_DOF };

double mw_vtu_von_mises(const double s[6])
{
  double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

// ---- one body -----------------------------------------------------------------------------------

typedef struct stressed {
  const mw_body *b;
  int n;          // vectors
  size_t stride;  // of a vector in out
  double *u, *r;  // [n × 3 n_node]  displacement, rotation of the nodes; r NULL without shells
  int *count;     // [n_node]  elements at the node
  double *out;    // [n] × stride, first point of the body
} stressed;

// σ [6] = S q, q gathered from vector k: three motions a node, or six
static void apply(const stressed *w, int k, const int *node, int n, int dof, const double *S,
                  double s[6])
{
  double q[MOST_DOF];
  size_t first = (size_t)k * 3 * (size_t)w->b->n_node;
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      size_t at = first + 3 * (size_t)node[i] + (size_t)c;
      q[dof * i + c] = w->u[at];
      if (dof == 6) q[dof * i + 3 + c] = w->r[at];
    }
  mw_gemm('n', 'n', 6, 1, dof * n, 1.0, S, q, 0.0, s);
}

static void put(stressed *w, int k, int node, const double s[6])
{
  double *out = w->out + (size_t)k * w->stride + 6 * (size_t)node;
  for (int c = 0; c < 6; c++) out[c] += s[c];
}

static mw_code solid(stressed *w, mw_elem_kind kind, const int *node, int n, const double *X,
                     const mw_material *material, mw_error *err)
{
  double S[6 * MOST_DOF], s[6], xi[3];
  for (int i = 0; i < n; i++) {
    mw_node_xi(kind, i, xi);
    mw_code rc = mw_solid_stress(kind, X, material, xi, false, S, err);
    if (rc != MW_OK) return rc;
    for (int k = 0; k < w->n; k++) {
      apply(w, k, node, n, 3, S, s);
      put(w, k, node[i], s);
    }
  }
  return MW_OK;
}

static mw_code facet(stressed *w, mw_elem_kind kind, const int *node, int n, const double *X,
                     double thickness, const mw_material *material, mw_error *err)
{
  double S[2][6 * MW_ELEMENT_MAX_DOF], s[2][6];
  for (int side = 0; side < 2; side++) {
    mw_code rc = mw_shell_stress(kind, X, (side - 0.5) * thickness, material, false, S[side], err);
    if (rc != MW_OK) return rc;
  }
  for (int k = 0; k < w->n; k++) {
    for (int side = 0; side < 2; side++) apply(w, k, node, n, 6, S[side], s[side]);
    int worse = mw_vtu_von_mises(s[1]) > mw_vtu_von_mises(s[0]);
    for (int i = 0; i < n; i++) put(w, k, node[i], s[worse]);
  }
  return MW_OK;
}

static mw_code elements(stressed *w, mw_error *err)
{
  const mw_mesh *m = w->b->mesh;
  mw_code rc = MW_OK;
  for (int e = 0; rc == MW_OK && e < m->n_elem; e++) {
    mw_elem_kind kind = (mw_elem_kind)m->elem_kind[e];
    const mw_elem_info *info = mw_elem_info_of(kind);
    const int *node = m->elem_node + m->elem_ptr[e];
    const mw_material *material = &w->b->part_material[m->elem_part[e]];
    double X[3 * MOST];
    for (int i = 0; i < info->n_node; i++) {
      memcpy(X + 3 * i, w->b->X + 3 * (size_t)node[i], 3 * sizeof *X);
      w->count[node[i]]++;
    }
    rc = info->dim == 3 ? solid(w, kind, node, info->n_node, X, material, err)
                        : facet(w, kind, node, info->n_node, X,
                                w->b->part_thickness[m->elem_part[e]], material, err);
  }
  return rc;
}

static mw_code body_stress(const mw_vtu_grid *g, int b, int n, const double *x, double *stress,
                           mw_error *err)
{
  const mw_body *body = &g->m->body[b];
  mw_arena tmp = { 0 };
  size_t nn = (size_t)body->n_node;
  bool shells = body->Nr.n_row > 0;
  stressed w = { .b = body,
                 .n = n,
                 .stride = 6 * (size_t)g->n_point,
                 .u = mw_arena_f64(&tmp, (size_t)n * 3 * nn),
                 .r = shells ? mw_arena_f64(&tmp, (size_t)n * 3 * nn) : NULL,
                 .count = mw_arena_int(&tmp, nn),
                 .out = stress + 6 * (size_t)g->point0[b] };
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    const double *xb = x + (size_t)k * (size_t)g->n_x + g->x0[b];
    mw_csc_mul(&body->N, 1.0, xb, 0.0, w.u + (size_t)k * 3 * nn);
    if (shells) mw_csc_mul(&body->Nr, 1.0, xb, 0.0, w.r + (size_t)k * 3 * nn);
  }
  if (rc == MW_OK) rc = elements(&w, err);
  for (int k = 0; rc == MW_OK && k < n; k++)
    for (size_t i = 0; i < 6 * nn; i++)
      w.out[(size_t)k * w.stride + i] =
          w.count[i / 6] > 0 ? w.out[(size_t)k * w.stride + i] / w.count[i / 6] : (double)NAN;
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_vtu_stress(const mw_vtu_grid *g, int n, const double *x, double *stress, mw_error *err)
{
  mw_code rc = MW_OK;
  size_t all = (size_t)n * 6 * (size_t)g->n_point;
  memset(stress, 0, all * sizeof *stress);
  for (int b = 0; rc == MW_OK && b < g->m->n_body; b++) {
    const mw_body *body = &g->m->body[b];
    if (body->n_u > 0 && body->mesh && body->part_material) {
      rc = body_stress(g, b, n, x, stress, err);
      continue;
    }
    for (int k = 0; k < n; k++)
      for (int i = 6 * g->point0[b]; i < 6 * g->point0[b + 1]; i++)
        stress[(size_t)k * 6 * (size_t)g->n_point + (size_t)i] = (double)NAN;
  }
  return rc;
}
