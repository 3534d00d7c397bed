// SPDX-License-Identifier: BSD-3-Clause
// fixture_grid.h: meshes of boxes of any kind of solid element, side by side in one file.
#ifndef MW_FIXTURE_GRID_H
#define MW_FIXTURE_GRID_H

#include "fem/mesh.h"

typedef struct fixture_grid_box {
  mw_elem_kind kind;          // solids; HEX20R as HEX20
  int n[3];                   // bricks along each side (6 tetrahedra or 2 wedges each)
  double x0[3], l[3];         // m, corner and sides
  void (*warp)(double x[3]);  // moves every node of the box, NULL: nothing
} fixture_grid_box;

// Writes boxes as text .msh 2.2, each with nodes of its own; physical group of box k: "box<k>".
// Returns 0 on success.
int fixture_grid(const char *path, int n_box, const fixture_grid_box *box);

#endif
