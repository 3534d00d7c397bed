// SPDX-License-Identifier: BSD-3-Clause
// vtu.c: mode shapes as a VTK unstructured grid, XML with ASCII data.
//
//   x = o + E X ,   displacement = E N u (elastic, u in body axes), E v (rigid: frame origin)   (1)
#include "vtu_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "reduction/ncfile.h"

enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_TRIANGLE = 5 };

// Points of a body: its nodes, or its frame origin (rigid bodies that move).
static int n_points(const mw_body *b) { return b->n_u > 0 ? b->n_node : !b->ground; }
static int n_shape(const mw_body *b) { return b->n_u > 0 ? b->n_u : b->ground ? 0 : 6; }

// The range of the cells of one kind: call with f for writing, kind by size of a cell.
static void write_cells(const mw_mech *m, int size, FILE *f)
{
  int first = 0;
  for (int i = 0; i < m->n_body; i++) {
    const mw_body *b = &m->body[i];
    const int *cell = size == 2 ? b->edge : b->tri;
    int n = b->n_u == 0 ? (size == 1 ? n_points(b) : 0)
            : size == 2 ? b->n_edge
            : size == 3 ? b->n_tri
                        : 0;
    for (int k = 0; k < size * n; k++)
      fprintf(f, "%d%c", first + (size == 1 ? k : cell[k]), (k + 1) % size ? ' ' : '\n');
    first += n_points(b);
  }
}

static int n_cells(const mw_mech *m, int size)
{
  int n = 0;
  for (int i = 0; i < m->n_body; i++) {
    const mw_body *b = &m->body[i];
    n += b->n_u == 0 ? (size == 1 ? n_points(b) : 0)
         : size == 2 ? b->n_edge
         : size == 3 ? b->n_tri
                     : 0;
  }
  return n;
}

static void write_mesh(const mw_mech *m, const double *p, FILE *f)
{
  fputs("<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n", f);
  for (int i = 0; i < m->n_body; i++) {
    const mw_body *b = &m->body[i];
    const double *o = p + 12 * (size_t)i;
    for (int k = 0; k < n_points(b); k++) {
      double x[3] = { 0.0, 0.0, 0.0 };
      if (b->n_u > 0) mw_mul33v(o + 3, b->X + 3 * (size_t)k, x);
      fprintf(f, "%.9g %.9g %.9g\n", o[0] + x[0], o[1] + x[1], o[2] + x[2]);
    }
  }
  fputs(
      "</DataArray>\n</Points>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n",
      f);
  for (int size = 1; size <= 3; size++) write_cells(m, size, f);
  fputs("</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n", f);
  for (int size = 1, end = 0; size <= 3; size++)
    for (int k = 0; k < n_cells(m, size); k++) fprintf(f, "%d\n", end += size);
  fputs("</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n", f);
  static const int type[4] = { 0, VTK_VERTEX, VTK_LINE, VTK_TRIANGLE };
  for (int size = 1; size <= 3; size++)
    for (int k = 0; k < n_cells(m, size); k++) fprintf(f, "%d\n", type[size]);
  fputs("</DataArray>\n</Cells>\n", f);
}

// (1) for one shape into d [3 × points], ground axes, scaled to largest length 1; un [3 × nodes]
// scratch.
static void displacement(const mw_mech *m, const double *p, const double *shape, double *un,
                         double *d)
{
  double largest = 0.0;
  size_t n = 0;
  for (int i = 0; i < m->n_body; i++) {
    const mw_body *b = &m->body[i];
    if (b->n_u > 0) mw_csc_mul(&b->N, 1.0, shape, 0.0, un);
    for (int k = 0; k < n_points(b); k++, n++) {
      mw_mul33v(p + 12 * (size_t)i + 3, b->n_u > 0 ? un + 3 * (size_t)k : shape, d + 3 * n);
      largest = fmax(largest, mw_norm3(d + 3 * n));
    }
    shape += n_shape(b);
  }
  for (size_t k = 0; largest > 0.0 && k < 3 * n; k++) d[k] /= largest;
}

static void write_modes(const mw_mech *m, const double *p, int n_mode, const double *freq_hz,
                        const double *shape, double *un, double *d, FILE *f)
{
  size_t n = 0, np = 0;
  for (int i = 0; i < m->n_body; i++) {
    n += (size_t)n_shape(&m->body[i]);
    np += (size_t)n_points(&m->body[i]);
  }
  fputs("<PointData>\n", f);
  for (int k = 0; k < n_mode; k++) {
    displacement(m, p, shape + (size_t)k * n, un, d);
    fprintf(
        f,
        "<DataArray type=\"Float64\" Name=\"mode %d: %.6g Hz\" NumberOfComponents=\"3\" format=\"ascii\">\n",
        k + 1, freq_hz[k]);
    for (size_t i = 0; i < np; i++)
      fprintf(f, "%.6g %.6g %.6g\n", d[3 * i], d[3 * i + 1], d[3 * i + 2]);
    fputs("</DataArray>\n", f);
  }
  fputs("</PointData>\n", f);
}

mw_code mw_vtu_write(const mw_mech *m, const double *p, int n_mode, const double *freq_hz,
                     const double *shape, const char *path, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t np = 0, most = 0;
  char *text = NULL;
  size_t len = 0;
  for (int i = 0; i < m->n_body; i++) {
    np += (size_t)n_points(&m->body[i]);
    if ((size_t)m->body[i].n_node > most) most = (size_t)m->body[i].n_node;
  }
  double *d = mw_arena_f64(&tmp, 3 * np), *un = mw_arena_f64(&tmp, 3 * most);
  mw_code rc = mw_arena_check(&tmp, err);
  FILE *f = rc == MW_OK ? open_memstream(&text, &len) : NULL;
  if (rc == MW_OK && !f) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (f) {
    fprintf(
        f,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n<UnstructuredGrid>\n"
        "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%d\">\n",
        np, n_cells(m, 1) + n_cells(m, 2) + n_cells(m, 3));
    write_modes(m, p, n_mode, freq_hz, shape, un, d, f);
    write_mesh(m, p, f);
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", f);
    int bad = ferror(f);
    if (fclose(f) != 0 || bad)
      rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  }
  if (rc == MW_OK) rc = mw_file_replace(path, text, len, false, err);
  free(text);
  mw_arena_free(&tmp);
  return rc;
}
