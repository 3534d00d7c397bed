// SPDX-License-Identifier: BSD-3-Clause
// fixture_grid.c: nodes at half-steps of each box; what no element uses the reader drops.
#include "fixture_grid.h"

#include <stdio.h>
#include <string.h>

// corners of an element at the corners of a brick (bit 0, 1, 2 of the number: along x, y, z)
static const int HEX[1][8] = { { 0, 1, 3, 2, 4, 5, 7, 6 } };
static const int WEDGE[2][6] = { { 0, 1, 3, 4, 5, 7 }, { 0, 3, 2, 4, 7, 6 } };
static const int TET[6][4] = { { 0, 1, 3, 7 }, { 0, 3, 2, 7 }, { 0, 2, 6, 7 },
                               { 0, 6, 4, 7 }, { 0, 4, 5, 7 }, { 0, 5, 1, 7 } };
// mid-edge nodes in the order of gmsh
static const int HEX_EDGE[12][2] = { { 0, 1 }, { 0, 3 }, { 0, 4 }, { 1, 2 }, { 1, 5 }, { 2, 3 },
                                     { 2, 6 }, { 3, 7 }, { 4, 5 }, { 4, 7 }, { 5, 6 }, { 6, 7 } };
static const int WEDGE_EDGE[9][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 4 },
                                      { 2, 5 }, { 3, 4 }, { 3, 5 }, { 4, 5 } };
static const int TET_EDGE[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 0 }, { 3, 2 }, { 3, 1 } };

typedef struct recipe {
  int type, pieces, n_corner, n_edge;  // gmsh's type, elements a brick
  const int *corner;                   // [pieces × n_corner]
  const int (*edge)[2];                // [n_edge]
} recipe;

static recipe recipe_of(mw_elem_kind kind)
{
  switch (kind) {
  case MW_ELEM_TET4: return (recipe){ 4, 6, 4, 0, TET[0], TET_EDGE };
  case MW_ELEM_TET10: return (recipe){ 11, 6, 4, 6, TET[0], TET_EDGE };
  case MW_ELEM_HEX20:
  case MW_ELEM_HEX20R: return (recipe){ 17, 1, 8, 12, HEX[0], HEX_EDGE };
  case MW_ELEM_WEDGE6: return (recipe){ 6, 2, 6, 0, WEDGE[0], WEDGE_EDGE };
  case MW_ELEM_WEDGE15: return (recipe){ 18, 2, 6, 9, WEDGE[0], WEDGE_EDGE };
  default: return (recipe){ 5, 1, 8, 0, HEX[0], HEX_EDGE };
  }
}

static int n_nodes(const fixture_grid_box *b)
{
  return (2 * b->n[0] + 1) * (2 * b->n[1] + 1) * (2 * b->n[2] + 1);
}

static int n_elements(const fixture_grid_box *b)
{
  return b->n[0] * b->n[1] * b->n[2] * recipe_of(b->kind).pieces;
}

// number of the node at half-steps h of a box whose nodes begin after `first`
static int node_at(const fixture_grid_box *b, int first, const int h[3])
{
  return first + 1 + h[0] + (2 * b->n[0] + 1) * (h[1] + (2 * b->n[1] + 1) * h[2]);
}

static void write_nodes(FILE *f, const fixture_grid_box *b, int first)
{
  int h[3];
  for (h[2] = 0; h[2] <= 2 * b->n[2]; h[2]++)
    for (h[1] = 0; h[1] <= 2 * b->n[1]; h[1]++)
      for (h[0] = 0; h[0] <= 2 * b->n[0]; h[0]++) {
        double x[3];
        for (int c = 0; c < 3; c++) x[c] = b->x0[c] + b->l[c] * h[c] / (2 * b->n[c]);
        if (b->warp) b->warp(x);
        fprintf(f, "%d %.17g %.17g %.17g\n", node_at(b, first, h), x[0], x[1], x[2]);
      }
}

static void write_brick(FILE *f, const fixture_grid_box *b, int first, const int cell[3], int group,
                        int *tag)
{
  recipe r = recipe_of(b->kind);
  for (int p = 0; p < r.pieces; p++) {
    const int *corner = r.corner + p * r.n_corner;
    int at[8][3];
    fprintf(f, "%d %d 2 %d %d", (*tag)++, r.type, group, group);
    for (int i = 0; i < r.n_corner; i++) {
      for (int c = 0; c < 3; c++) at[i][c] = 2 * cell[c] + 2 * (corner[i] >> c & 1);
      fprintf(f, " %d", node_at(b, first, at[i]));
    }
    for (int e = 0; e < r.n_edge; e++) {
      int mid[3];
      for (int c = 0; c < 3; c++) mid[c] = (at[r.edge[e][0]][c] + at[r.edge[e][1]][c]) / 2;
      fprintf(f, " %d", node_at(b, first, mid));
    }
    fprintf(f, "\n");
  }
}

int fixture_grid(const char *path, int n_box, const fixture_grid_box *box)
{
  FILE *f = fopen(path, "w");
  if (f == NULL) return 1;
  int nodes = 0, elements = 0, tag = 1, first = 0;
  for (int k = 0; k < n_box; k++) nodes += n_nodes(&box[k]), elements += n_elements(&box[k]);
  fprintf(f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n", n_box);
  for (int k = 0; k < n_box; k++) fprintf(f, "3 %d \"box%d\"\n", k + 1, k);
  fprintf(f, "$EndPhysicalNames\n$Nodes\n%d\n", nodes);
  for (int k = 0; k < n_box; first += n_nodes(&box[k]), k++) write_nodes(f, &box[k], first);
  fprintf(f, "$EndNodes\n$Elements\n%d\n", elements);
  first = 0;
  for (int k = 0; k < n_box; first += n_nodes(&box[k]), k++) {
    int c[3];
    for (c[2] = 0; c[2] < box[k].n[2]; c[2]++)
      for (c[1] = 0; c[1] < box[k].n[1]; c[1]++)
        for (c[0] = 0; c[0] < box[k].n[0]; c[0]++) write_brick(f, &box[k], first, c, k + 1, &tag);
  }
  fprintf(f, "$EndElements\n");
  return fclose(f) != 0;
}
