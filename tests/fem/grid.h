// SPDX-License-Identifier: BSD-3-Clause
// grid.h: boxes of solid elements of every kind, and their assembly into a dense matrix.
#ifndef MW_TEST_GRID_H
#define MW_TEST_GRID_H

#include "fem/element.h"

enum { GRID_KINDS = 7 };
extern const mw_elem_kind grid_kind[GRID_KINDS];  // of solids
bool grid_is_quadratic(mw_elem_kind kind);

typedef struct grid {
  mw_elem_kind kind;
  int n_node, n_elem, n;  // n: nodes an element
  double *X;              // [n_node × 3]  m
  int *lattice;           // [n_node × 3]  place on the lattice of half bricks
  int *node;              // [n_elem × n]
} grid;

// The map from the unit cube to the body, x [3] in place.
typedef void grid_map(double x[3]);

// n [3] bricks over the unit cube, each one hexahedron, two wedges or six tetrahedra; corners
// mapped, mid-edge nodes in the middle of their straight edges.
void grid_build(mw_elem_kind kind, const int n[3], grid_map *map, grid *out);
void grid_free(grid *g);
bool grid_is_inside(const grid *g, int node, const int n[3]);  // not on a face of the box
void grid_elem(const grid *g, int e, double *X);               // X [n × 3] of element e

// K [3 n_node × 3 n_node], M too if not NULL (consistent mass)
void grid_assemble(const grid *g, const mw_material *material, double *K, double *M);

// Natural coordinates of the nodes of a kind [n × 3] and of its middle.
void grid_natural(mw_elem_kind kind, double *xi, double middle[3]);

// One element of the kind with nodes off their regular places: corners by up to 0.15, mid-edge
// nodes by `curve` from the middle of their edge. Natural coordinates as positions: sides 1 to 2.
int grid_crooked(mw_elem_kind kind, double curve, double *X);

#endif
