// SPDX-License-Identifier: BSD-3-Clause
// body_tie_priv.h: the master surface of a tie, and what of it is nearest to a point.
#ifndef MW_FEM_BODY_TIE_PRIV_H
#define MW_FEM_BODY_TIE_PRIV_H

#include "body_layer.h"

typedef struct mw_tie_triangle {
  int node[3], elem;  // of the mesh
} mw_tie_triangle;

// Boxes of a regular grid; box i lists the triangles item[ptr[i]] … that come within `reach` of it.
typedef struct mw_tie_surface {
  const double *X;  // [n_node × 3]  m, borrowed from the body's work
  int n;
  mw_tie_triangle *triangle;  // [n]
  double reach, lo[3], side;  // m
  int dim[3];                 // boxes along x, y, z
  int *ptr, *item;            // [boxes + 1], [ptr[boxes]]
} mw_tie_surface;

// Collects faces and facets all of whose nodes are in `node` [n]; on_surface [n_node]: 1 for their
// nodes, else 0. Memory of the body's work. Without any face n = 0.
MW_MUST_USE mw_code mw_tie_surface_build(mw_body_work *w, int n, const int *node, double reach,
                                         char *on_surface, mw_tie_surface *out, mw_error *err);
// Finds the element under the triangle nearest to x, and how far that is (m). Beyond reach: −1 and
// INFINITY, or with `anyway` the nearest of all.
int mw_tie_nearest(const mw_tie_surface *s, const double x[3], bool anyway, double *distance);

#endif
