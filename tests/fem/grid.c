// SPDX-License-Identifier: BSD-3-Clause
// grid.c: boxes of solid elements of every kind.
//
// Nodes sit on a lattice of half bricks, so that a mid-edge node has the mean of its corners'
// indices.
#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_body.h"
#include "mw_test.h"

const mw_elem_kind grid_kind[GRID_KINDS] = { MW_ELEM_TET4,   MW_ELEM_TET10,  MW_ELEM_HEX8,
                                             MW_ELEM_HEX20,  MW_ELEM_HEX20R, MW_ELEM_WEDGE6,
                                             MW_ELEM_WEDGE15 };

bool grid_is_quadratic(mw_elem_kind k)
{
  return k != MW_ELEM_TET4 && k != MW_ELEM_HEX8 && k != MW_ELEM_WEDGE6;
}

bool grid_is_inside(const grid *g, int node, const int n[3])
{
  for (int c = 0; c < 3; c++)
    if (g->lattice[3 * node + c] == 0 || g->lattice[3 * node + c] == 2 * n[c]) return false;
  return true;
}

static const int TET_EDGE[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
static const int WEDGE_EDGE[9][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 },
                                      { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } };
static const int HEX_EDGE[12][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 },
                                     { 6, 7 }, { 7, 4 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };

// corners of the elements of a brick, as numbers x + 2y + 4z of its corners
static const int HEX[1][8] = { { 0, 1, 3, 2, 4, 5, 7, 6 } };
static const int WEDGE[2][8] = { { 0, 1, 3, 4, 5, 7 }, { 0, 3, 2, 4, 7, 6 } };
static const int TET[6][8] = { { 0, 1, 3, 7 }, { 0, 5, 1, 7 }, { 0, 3, 2, 7 },
                               { 0, 2, 6, 7 }, { 0, 4, 5, 7 }, { 0, 6, 4, 7 } };

typedef struct family {
  int n_corner, n_in_brick, n_edge;
  const int (*corner)[8];
  const int (*edge)[2];
} family;

static family family_of(mw_elem_kind kind)
{
  family tet = { 4, 6, 6, TET, TET_EDGE }, hex = { 8, 1, 12, HEX, HEX_EDGE },
         wedge = { 6, 2, 9, WEDGE, WEDGE_EDGE };
  bool quadratic = kind != MW_ELEM_TET4 && kind != MW_ELEM_HEX8 && kind != MW_ELEM_WEDGE6;
  family f = kind <= MW_ELEM_TET10 ? tet : kind <= MW_ELEM_HEX20R ? hex : wedge;
  if (!quadratic) f.n_edge = 0;
  return f;
}

void grid_natural(mw_elem_kind kind, double *xi, double middle[3])
{
  family f = family_of(kind);
  for (int c = 0; c < 3; c++) middle[c] = 0.0;
  for (int i = 0; i < f.n_corner; i++)
    for (int c = 0; c < 3; c++) {
      double v;
      if (f.n_corner == 4)
        v = i == c + 1;
      else if (f.n_corner == 6)
        v = c == 2 ? (i < 3 ? -1.0 : 1.0) : i % 3 == c + 1;
      else
        v = (HEX[0][i] >> c & 1) ? 1.0 : -1.0;
      xi[3 * i + c] = v;
      middle[c] += v / f.n_corner;
    }
  for (int e = 0; e < f.n_edge; e++)
    for (int c = 0; c < 3; c++)
      xi[3 * (f.n_corner + e) + c] = 0.5 * (xi[3 * f.edge[e][0] + c] + xi[3 * f.edge[e][1] + c]);
}

// node on the lattice point l, made when it is new; X of corners by the map
static int node_at(grid *g, int *index, const int n[3], const int l[3], const double *mid,
                   grid_map *map)
{
  int at = (l[2] * (2 * n[1] + 1) + l[1]) * (2 * n[0] + 1) + l[0];
  if (index[at] >= 0) return index[at];
  double *X = g->X + 3 * g->n_node;
  for (int c = 0; c < 3; c++) {
    g->lattice[3 * g->n_node + c] = l[c];
    X[c] = mid ? mid[c] : 0.5 * l[c] / n[c];
  }
  if (!mid && map) map(X);
  return index[at] = g->n_node++;
}

static void add_element(grid *g, int *index, const int n[3], const int brick[3], const int *corner,
                        const family *f, grid_map *map)
{
  int *node = g->node + g->n_elem++ * g->n, l[8][3];
  for (int i = 0; i < f->n_corner; i++) {
    for (int c = 0; c < 3; c++) l[i][c] = 2 * brick[c] + (corner[i] >> c & 1) * 2;
    node[i] = node_at(g, index, n, l[i], NULL, map);
  }
  for (int e = 0; e < f->n_edge; e++) {
    int a = f->edge[e][0], b = f->edge[e][1], m[3];
    double mid[3];
    for (int c = 0; c < 3; c++) {
      m[c] = (l[a][c] + l[b][c]) / 2;
      mid[c] = 0.5 * (g->X[3 * node[a] + c] + g->X[3 * node[b] + c]);
    }
    node[f->n_corner + e] = node_at(g, index, n, m, mid, map);
  }
}

void grid_build(mw_elem_kind kind, const int n[3], grid_map *map, grid *out)
{
  family f = family_of(kind);
  size_t points = 1, bricks = (size_t)(n[0] * n[1] * n[2]);
  for (int c = 0; c < 3; c++) points *= (size_t)(2 * n[c] + 1);
  memset(out, 0, sizeof *out);
  out->kind = kind;
  out->n = f.n_corner + f.n_edge;
  out->X = malloc(3 * points * sizeof *out->X);
  out->lattice = malloc(3 * points * sizeof *out->lattice);
  out->node = malloc(bricks * (size_t)(f.n_in_brick * out->n) * sizeof *out->node);
  int *index = malloc(points * sizeof *index);
  for (size_t i = 0; i < points; i++) index[i] = -1;
  for (size_t b = 0; b < bricks; b++) {
    int k = (int)b, brick[3] = { k % n[0], k / n[0] % n[1], k / n[0] / n[1] };
    for (int e = 0; e < f.n_in_brick; e++) add_element(out, index, n, brick, f.corner[e], &f, map);
  }
  free(index);
}

void grid_free(grid *g)
{
  free(g->X);
  free(g->lattice);
  free(g->node);
}

void grid_elem(const grid *g, int e, double *X)
{
  for (int i = 0; i < g->n; i++) memcpy(X + 3 * i, g->X + 3 * g->node[e * g->n + i], 3 * sizeof *X);
}

void grid_assemble(const grid *g, const mw_material *material, double *K, double *M)
{
  static mw_solid s;
  mw_error err = { 0 };
  size_t nd = 3 * (size_t)g->n_node;
  memset(K, 0, nd * nd * sizeof *K);
  if (M) memset(M, 0, nd * nd * sizeof *M);
  for (int e = 0; e < g->n_elem; e++) {
    double X[3 * MW_SOLID_MAX_NODE];
    const int *node = g->node + e * g->n;
    grid_elem(g, e, X);
    if (!MW_OKAY(mw_solid_element(g->kind, X, material, e, MW_NOWHERE, &s, &err))) return;
    for (int i = 0; i < 3 * g->n; i++)
      for (int j = 0; j < 3 * g->n; j++) {
        size_t at = (size_t)(3 * node[i / 3] + i % 3) * nd + (size_t)(3 * node[j / 3] + j % 3);
        K[at] += s.K[i * 3 * g->n + j];
        if (M && i % 3 == j % 3) M[at] += s.mu[i / 3 * g->n + j / 3];
      }
  }
}

int grid_crooked(mw_elem_kind kind, double curve, double *X)
{
  family f = family_of(kind);
  double mid[3];
  unsigned seed = 7;
  grid_natural(kind, X, mid);
  for (int i = 0; i < 3 * f.n_corner; i++) X[i] += 0.15 * fixture_random(&seed);
  for (int e = 0; e < f.n_edge; e++)
    for (int c = 0; c < 3; c++)
      X[3 * (f.n_corner + e) + c] =
          0.5 * (X[3 * f.edge[e][0] + c] + X[3 * f.edge[e][1] + c]) + curve * fixture_random(&seed);
  return f.n_corner + f.n_edge;
}
