// SPDX-License-Identifier: BSD-3-Clause
// quality.c: scaled Jacobians at the corners of elements.
//
//   t_d = J (ξ_d − ξ_c)          tangent at corner c of the edge to its neighbour d             (1)
//   q_c = sign(det J) |t_1·(t_2 × t_3)| / (|t_1| |t_2| |t_3|) / ideal                           (2)
//
// ideal: 1 hexahedron, ½√2 tetrahedron, ½√3 wedge. Facets: |t_1 × t_2| / (|t_1| |t_2|), ideal 1 or
// ½√3. Curved elements by the Jacobian at the corner. The element's quality is its worst corner's.
#include "quality_layer.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/element_class.h"

void mw_node_xi(mw_elem_kind kind, int node, double xi[3])
{
  const mw_elem_domain *f = mw_elem_classes[kind]->domain;
  if (node < f->n_corner) {
    memcpy(xi, f->corner[node], 3 * sizeof *xi);
    return;
  }
  const int *e = f->edge[node - f->n_corner];
  for (int i = 0; i < 3; i++) xi[i] = 0.5 * (f->corner[e[0]][i] + f->corner[e[1]][i]);
}

// (2) at one corner
static double solid_corner(const mw_elem_domain *f, mw_elem_kind kind, const double *X, int corner)
{
  double N[MW_SOLID_MAX_NODE], dN[3 * MW_SOLID_MAX_NODE], J[9] = { 0 }, t[3][3], c[3];
  int n = mw_elem_info_of(kind)->n_node, k = 0;
  mw_solid_shape(kind, f->corner[corner], N, dN);
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) J[3 * a + b] += X[3 * i + a] * dN[3 * i + b];
  for (int e = 0; e < f->n_edge && k < 3; e++) {
    if (f->edge[e][0] != corner && f->edge[e][1] != corner) continue;
    const double *to = f->corner[f->edge[e][0] == corner ? f->edge[e][1] : f->edge[e][0]];
    double d[3] = { to[0] - f->corner[corner][0], to[1] - f->corner[corner][1],
                    to[2] - f->corner[corner][2] };
    mw_mul33v(J, d, t[k++]);
  }
  double len = mw_norm3(t[0]) * mw_norm3(t[1]) * mw_norm3(t[2]);
  mw_cross3(t[1], t[2], c);
  double volume = fabs(mw_dot3(t[0], c));
  mw_cross3(J + 3, J + 6, c);
  return len > 0.0 ? copysign(volume, mw_dot3(J, c)) / len / f->ideal : 0.0;
}

static double facet(const double *X, int n, double ideal)
{
  double worst = INFINITY;
  for (int i = 0; i < n; i++) {
    double a[3], b[3], c[3];
    for (int k = 0; k < 3; k++) {
      a[k] = X[3 * ((i + 1) % n) + k] - X[3 * i + k];
      b[k] = X[3 * ((i + n - 1) % n) + k] - X[3 * i + k];
    }
    mw_cross3(a, b, c);
    double len = mw_norm3(a) * mw_norm3(b);
    worst = fmin(worst, len > 0.0 ? mw_norm3(c) / len / ideal : 0.0);
  }
  return worst;
}

double mw_elem_quality(mw_elem_kind kind, const double *X)
{
  const mw_elem_info *info = mw_elem_info_of(kind);
  const mw_elem_domain *f = mw_elem_classes[kind]->domain;
  if (info->dim == 2) return facet(X, info->n_node, f->ideal);
  double worst = INFINITY;
  for (int c = 0; c < f->n_corner; c++) worst = fmin(worst, solid_corner(f, kind, X, c));
  return worst;
}
