// SPDX-License-Identifier: BSD-3-Clause
// plate.c: plates of shell facets and their assembly into a dense matrix.
#include "plate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "mw_test.h"

int plate_nodes(mw_elem_kind kind) { return kind == MW_ELEM_TRI3 ? 3 : 4; }

void plate_rotation(double R[9])
{
  double k[3] = { 1.0 / 3, 2.0 / 3, 2.0 / 3 }, c = cos(0.7), s = sin(0.7);
  double S[9] = { 0, -k[2], k[1], k[2], 0, -k[0], -k[1], k[0], 0 };
  for (int i = 0; i < 9; i++)
    R[i] = (i % 4 == 0 ? c : 0.0) + (1 - c) * k[i / 3] * k[i % 3] + s * S[i];
}

void plate_build(mw_elem_kind kind, int nx, int ny, plate_map *map, bool turned, plate *out)
{
  memset(out, 0, sizeof *out);
  out->kind = kind;
  out->n = plate_nodes(kind);
  out->n_node = (nx + 1) * (ny + 1);
  out->p = malloc(2 * (size_t)out->n_node * sizeof *out->p);
  out->X = malloc(3 * (size_t)out->n_node * sizeof *out->X);
  out->node = malloc(6 * (size_t)(nx * ny) * sizeof *out->node);
  for (int k = 0; k < 9; k++) out->R[k] = k % 4 == 0;
  if (turned) plate_rotation(out->R);
  for (int k = 0; k < out->n_node; k++) {
    double *p = out->p + 2 * k;
    p[0] = (double)(k % (nx + 1)) / nx;
    p[1] = (double)(k / (nx + 1)) / ny;
    if (map) map(p);
    double x[3] = { p[0], p[1], 0.0 };
    mw_mul33v(out->R, x, out->X + 3 * k);
  }
  for (int c = 0; c < nx * ny; c++) {
    int a = c / nx * (nx + 1) + c % nx, q[4] = { a, a + 1, a + nx + 2, a + nx + 1 };
    int flip = (c % nx + c / nx) % 2, *node = out->node + out->n_elem * out->n;
    static const int CUT[2][6] = { { 0, 1, 2, 0, 2, 3 }, { 0, 1, 3, 1, 2, 3 } };
    for (int i = 0; i < (out->n == 4 ? 4 : 6); i++) node[i] = out->n == 4 ? q[i] : q[CUT[flip][i]];
    out->n_elem += out->n == 4 ? 1 : 2;
  }
}

void plate_free(plate *g)
{
  free(g->p);
  free(g->X);
  free(g->node);
}

static void elem_nodes(const plate *g, int e, double X[12])
{
  for (int i = 0; i < 3 * g->n; i++) X[i] = g->X[3 * g->node[e * g->n + i / 3] + i % 3];
}

void plate_assemble(const plate *g, double t, const mw_material *material, double *K)
{
  static mw_element s;
  mw_error err = { 0 };
  size_t nd = 6 * (size_t)g->n_node;
  memset(K, 0, nd * nd * sizeof *K);
  for (int e = 0; e < g->n_elem; e++) {
    double X[12];
    const int *node = g->node + e * g->n;
    elem_nodes(g, e, X);
    if (!MW_OKAY(mw_shell_element(g->kind, X, t, material, e, MW_NOWHERE, &s, &err))) return;
    for (int i = 0; i < s.n; i++)
      for (int j = 0; j < s.n; j++)
        K[(size_t)(6 * node[i / 6] + i % 6) * nd + (size_t)(6 * node[j / 6] + j % 6)] +=
            s.K[i * s.n + j];
  }
}
