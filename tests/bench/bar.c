// SPDX-License-Identifier: BSD-3-Clause
// bar.c: a clamped bar of second-order solids as a CalculiX input file, and as a model that reads
// it.
//
// Nodes sit at half cells: all of them for tetrahedra (whose edges are also the diagonals of faces
// and cells), those with at most one odd index for hexahedra.
#include "bar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double WIDTH = 0.2, HEIGHT = 0.15;  // m

static bool is_hex(const bar *b) { return strcmp(b->type, "C3D20") == 0; }

static bool has_node(const bar *b, int i, int j, int k)
{
  return !is_hex(b) || i % 2 + j % 2 + k % 2 <= 1;
}

static long count_free(const bar *b)
{
  long n[3] = { b->n[0], b->n[1], b->n[2] };
  if (!is_hex(b)) return 3 * 2 * n[0] * (2 * n[1] + 1) * (2 * n[2] + 1);
  long corners = (n[1] + 1) * (n[2] + 1), edges = n[1] * (n[2] + 1) + (n[1] + 1) * n[2];
  return 3 * n[0] *
         (2 * corners + edges);  // a layer of corners and of edges along x, and edges across
}

bar bar_of_size(const char *type, double length, double unknowns)
{
  bar b = { .type = type, .length = length }, best = b;
  double off = INFINITY;
  for (int m = 2; m < 200; m++) {
    b.n[2] = m;
    b.n[1] = (int)lround(WIDTH / HEIGHT * m);
    b.n[0] = (int)lround(length / HEIGHT * m);
    for (int d = -m; d <= m; d++) {  // the length takes up what the cross-section cannot
      bar c = b;
      c.n[0] += d;
      double e = fabs(log((double)count_free(&c) / unknowns)) + 0.1 * fabs((double)d / c.n[0]);
      if (c.n[0] < 1 || e >= off) continue;
      off = e;
      best = c;
    }
  }
  return best;
}

static int grid(const bar *b, int i, int j, int k)
{
  return (i * (2 * b->n[1] + 1) + j) * (2 * b->n[2] + 1) + k;
}

static void write_nodes(const bar *b, FILE *f, int *id)
{
  int n = 0;
  fputs("*NODE, NSET=NALL\n", f);
  for (int i = 0; i <= 2 * b->n[0]; i++)
    for (int j = 0; j <= 2 * b->n[1]; j++)
      for (int k = 0; k <= 2 * b->n[2]; k++) {
        if (!has_node(b, i, j, k)) continue;
        id[grid(b, i, j, k)] = ++n;
        fprintf(f, "%d, %.17g, %.17g, %.17g\n", n, b->length * i / (2 * b->n[0]),
                WIDTH * j / (2 * b->n[1]), HEIGHT * k / (2 * b->n[2]));
      }
}

// node of the cell at (i, j, k) at the half-steps x
static int node_at(const bar *b, const int *id, const int cell[3], const int x[3])
{
  return id[grid(b, 2 * cell[0] + x[0], 2 * cell[1] + x[1], 2 * cell[2] + x[2])];
}

static void write_hex(const bar *b, FILE *f, const int *id, const int cell[3], int *e)
{
  static const int X[20][3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0, 2, 0 }, { 0, 0, 2 },
                                { 2, 0, 2 }, { 2, 2, 2 }, { 0, 2, 2 }, { 1, 0, 0 }, { 2, 1, 0 },
                                { 1, 2, 0 }, { 0, 1, 0 }, { 1, 0, 2 }, { 2, 1, 2 }, { 1, 2, 2 },
                                { 0, 1, 2 }, { 0, 0, 1 }, { 2, 0, 1 }, { 2, 2, 1 }, { 0, 2, 1 } };
  fprintf(f, "%d", ++*e);
  for (int a = 0; a < 20; a++) fprintf(f, a == 15 ? ",\n%d" : ", %d", node_at(b, id, cell, X[a]));
  fputs("\n", f);
}

// Kuhn's six tetrahedra of a cell: paths along the axes from corner (0, 0, 0) to (1, 1, 1)
static void write_tets(const bar *b, FILE *f, const int *id, const int cell[3], int *e)
{
  static const int path[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
                                  { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
  static const int edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
  for (int t = 0; t < 6; t++) {
    int X[4][3] = { { 0 } };
    for (int s = 1; s < 4; s++) {
      memcpy(X[s], X[s - 1], sizeof X[s]);
      X[s][path[t][s - 1]] = 2;
    }
    for (int c = 0; c < 3 && t > 2; c++) {  // odd permutations are turned round
      int x = X[1][c];
      X[1][c] = X[2][c];
      X[2][c] = x;
    }
    fprintf(f, "%d", ++*e);
    for (int a = 0; a < 10; a++) {
      int x[3];
      for (int c = 0; c < 3; c++)
        x[c] = a < 4 ? X[a][c] : (X[edge[a - 4][0]][c] + X[edge[a - 4][1]][c]) / 2;
      fprintf(f, ", %d", node_at(b, id, cell, x));
    }
    fputs("\n", f);
  }
}

static void write_input(const bar *b, int n_modes, FILE *f, int *id)
{
  int e = 0;
  write_nodes(b, f, id);
  fprintf(f, "*ELEMENT, TYPE=%s, ELSET=EALL\n", b->type);
  for (int i = 0; i < b->n[0]; i++)
    for (int j = 0; j < b->n[1]; j++)
      for (int k = 0; k < b->n[2]; k++)
        (is_hex(b) ? write_hex : write_tets)(b, f, id, (int[]){ i, j, k }, &e);
  fputs("*NSET, NSET=FIX\n", f);
  for (int j = 0; j <= 2 * b->n[1]; j++)
    for (int k = 0; k <= 2 * b->n[2]; k++)
      if (has_node(b, 0, j, k)) fprintf(f, "%d,\n", id[grid(b, 0, j, k)]);
  fprintf(f,
          "*MATERIAL, NAME=STEEL\n*ELASTIC\n210e9, 0.3\n*DENSITY\n7850\n"
          "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n*BOUNDARY\nFIX, 1, 3\n"
          "*STEP\n*FREQUENCY\n%d\n*END STEP\n",
          n_modes);
}

static FILE *open_in(const char *dir, const char *name, const char *ending)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s%s", dir, name, ending);
  FILE *f = fopen(path, "w");
  if (!f) fprintf(stderr, "cannot write %s\n", path);
  return f;
}

bool bar_write(const bar *b, int n_modes, const char *dir, const char *name, long *unknowns)
{
  size_t n = (size_t)(2 * b->n[0] + 1) * (size_t)(2 * b->n[1] + 1) * (size_t)(2 * b->n[2] + 1);
  int *id = calloc(n, sizeof *id);
  FILE *f = id ? open_in(dir, name, ".inp") : NULL;
  if (f) write_input(b, n_modes, f, id);
  free(id);
  bool good = f && fclose(f) == 0;
  f = good ? open_in(dir, name, ".yaml") : NULL;
  if (!f) return false;
  fprintf(f,
          "modeway: 1\nname: clamped bar\nbodies:\n  bar: { ground: true, mesh: %s.inp, unit: m, "
          "supports: [ { nodes: FIX } ] }\n",
          name);
  *unknowns = count_free(b);
  return fclose(f) == 0;
}
