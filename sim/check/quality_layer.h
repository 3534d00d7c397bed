// SPDX-License-Identifier: BSD-3-Clause
// quality_layer.h: places of nodes in the reference elements, and how far an element is from a good
// one.
#ifndef MW_SIM_QUALITY_LAYER_H
#define MW_SIM_QUALITY_LAYER_H

#include "fem/mesh.h"

// Natural coordinates of a solid's node (mw_solid_shape).
void mw_node_xi(mw_elem_kind kind, int node, double xi[3]);

// Smallest corner Jacobian of a solid or facet with nodes X [n × 3] (m), each over the product of
// the lengths of the edges there, 1 for the ideal corner (cube, square, equilateral); 0 and below:
// degenerate.
double mw_elem_quality(mw_elem_kind kind, const double *X);

#endif
