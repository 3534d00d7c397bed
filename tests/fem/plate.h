// SPDX-License-Identifier: BSD-3-Clause
// plate.h: plates of shell facets and their assembly into a dense matrix.
#ifndef MW_TEST_PLATE_H
#define MW_TEST_PLATE_H

#include <stdbool.h>

#include "fem/element.h"

typedef struct plate {
  mw_elem_kind kind;
  int n_node, n_elem, n;
  double *p;  // [n_node × 2]  m, in the plane
  double *X;  // [n_node × 3]  m
  double R[9];
  int *node;  // [n_elem × n]
} plate;

typedef void plate_map(double x[2]);

int plate_nodes(mw_elem_kind kind);
void plate_rotation(double R[9]);  // 0.7 rad about [1, 2, 2]/3
// nx × ny cells over the unit square, mapped, then turned out of z = 0 by plate_rotation; triangles
// cut cells along alternating diagonals
void plate_build(mw_elem_kind kind, int nx, int ny, plate_map *map, bool turned, plate *out);
void plate_free(plate *g);
// K [6 n_node × 6 n_node], body axes
void plate_assemble(const plate *g, double t, const mw_material *material, double *K);

#endif
