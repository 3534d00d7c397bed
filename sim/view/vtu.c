// SPDX-License-Identifier: BSD-3-Clause
// vtu.c: VTK unstructured grids, XML with appended raw data, and their series in time.
//
// Behind the underscore of AppendedData every array is a length in bytes (8 bytes) and its numbers,
// all little endian; offsets in the XML count from behind the underscore. Little endian is written
// byte by byte, so that any machine writes the same file.
// [VTK] VTK file formats, docs.vtk.org, "XML file formats".
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "draw/plot_layer.h"
#include "reduction/ncfile.h"
#include "vtu_layer.h"

// ---- numbers ------------------------------------------------------------------------------------

static void put_le(FILE *f, uint64_t v, int bytes)
{
  unsigned char b[8];
  for (int i = 0; i < bytes; i++) b[i] = (unsigned char)(v >> 8 * i);
  fwrite(b, 1, (size_t)bytes, f);
}

static void put_f64(FILE *f, double x)
{
  uint64_t v;
  memcpy(&v, &x, sizeof v);
  put_le(f, v, 8);
}

static void put_f32(FILE *f, double x)
{
  float s = (float)x;
  uint32_t v;
  memcpy(&v, &s, sizeof v);
  put_le(f, v, 4);
}

// ---- arrays -------------------------------------------------------------------------------------

// Announces an array of n numbers; *offset moves behind it.
static void announce(FILE *f, const char *type, int bytes, const char *name, int n_comp, size_t n,
                     uint64_t *offset)
{
  fprintf(f, "<DataArray type=\"%s\" Name=\"", type);
  mw_plot_text(f, name);
  fprintf(f, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n", n_comp,
          (unsigned long long)*offset);
  *offset += 8 + (uint64_t)n * (uint64_t)bytes;
}

static void header(FILE *f, const mw_vtu_grid *g, int n_field, const mw_vtu_field *field)
{
  uint64_t at = 0;
  size_t np = (size_t)g->n_point, nc = (size_t)g->n_cell;
  fprintf(f,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
          "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
          "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n",
          g->n_point, g->n_cell);
  announce(f, "Float64", 8, "points", 3, 3 * np, &at);
  fputs("</Points>\n<Cells>\n", f);
  announce(f, "Int32", 4, "connectivity", 1, (size_t)g->ptr[g->n_cell], &at);
  announce(f, "Int32", 4, "offsets", 1, nc, &at);
  announce(f, "UInt8", 1, "types", 1, nc, &at);
  fputs("</Cells>\n<CellData>\n", f);
  announce(f, "Int32", 4, "body", 1, nc, &at);
  announce(f, "Int32", 4, "part", 1, nc, &at);
  fputs("</CellData>\n<PointData>\n", f);
  for (int k = 0; k < n_field; k++)
    announce(f, "Float32", 4, field[k].name, field[k].n_comp, np * (size_t)field[k].n_comp, &at);
  fputs("</PointData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_", f);
}

static void put_ints(FILE *f, size_t n, const int *x)
{
  put_le(f, 4 * (uint64_t)n, 8);
  for (size_t i = 0; i < n; i++) put_le(f, (uint32_t)x[i], 4);
}

static void appended(FILE *f, const mw_vtu_grid *g, const double *X, int n_field,
                     const mw_vtu_field *field)
{
  size_t np = (size_t)g->n_point, nc = (size_t)g->n_cell;
  put_le(f, 24 * (uint64_t)np, 8);
  for (size_t i = 0; i < 3 * np; i++) put_f64(f, X[i]);
  put_ints(f, (size_t)g->ptr[g->n_cell], g->node);
  put_ints(f, nc, g->ptr + 1);
  put_le(f, (uint64_t)nc, 8);
  fwrite(g->type, 1, nc, f);
  put_ints(f, nc, g->body);
  put_ints(f, nc, g->part);
  for (int k = 0; k < n_field; k++) {
    size_t n = np * (size_t)field[k].n_comp;
    put_le(f, 4 * (uint64_t)n, 8);
    for (size_t i = 0; i < n; i++) put_f32(f, field[k].x[i]);
  }
  fputs("\n</AppendedData>\n</VTKFile>\n", f);
}

// ---- files --------------------------------------------------------------------------------------

typedef struct memory_file {
  FILE *f;
  char *text;
  size_t len;
} memory_file;

static mw_code open_memory(memory_file *m, mw_error *err)
{
  *m = (memory_file){ 0 };
  m->f = open_memstream(&m->text, &m->len);
  return m->f ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
}

// What was written becomes the file at path.
static mw_code close_memory(memory_file *m, const char *path, mw_error *err)
{
  int bad = ferror(m->f);
  mw_code rc = MW_OK;
  if (fclose(m->f) != 0 || bad)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (rc == MW_OK) rc = mw_file_replace(path, m->text, m->len, false, err);
  free(m->text);
  return rc;
}

mw_code mw_vtu_write(const mw_vtu_grid *g, const double *X, int n_field, const mw_vtu_field *field,
                     const char *path, mw_error *err)
{
  memory_file m;
  mw_code rc = open_memory(&m, err);
  if (rc != MW_OK) return rc;
  header(m.f, g, n_field, field);
  appended(m.f, g, X, n_field, field);
  return close_memory(&m, path, err);
}

mw_code mw_pvd_write(int n, const double *t, const char *const *file, const char *path,
                     mw_error *err)
{
  memory_file m;
  mw_code rc = open_memory(&m, err);
  if (rc != MW_OK) return rc;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
        "byte_order=\"LittleEndian\">\n<Collection>\n",
        m.f);
  for (int k = 0; k < n; k++) {
    fprintf(m.f, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", t[k]);
    mw_plot_text(m.f, file[k]);
    fputs("\"/>\n", m.f);
  }
  fputs("</Collection>\n</VTKFile>\n", m.f);
  return close_memory(&m, path, err);
}

// ---- shapes -------------------------------------------------------------------------------------

static double largest(size_t n_point, const double *d)
{
  double most = 0.0;
  for (size_t k = 0; k < n_point; k++) most = fmax(most, mw_norm3(d + 3 * k));
  return most;
}

static mw_code shape_fields(const mw_vtu_grid *g, const double *p, int n, const char *const *name,
                            const double *x, bool stress, mw_arena *mem, mw_vtu_field *field,
                            mw_error *err)
{
  size_t np = (size_t)g->n_point, nx = (size_t)g->n_x, all = (size_t)n;
  double *d = mw_arena_f64(mem, all * 3 * np), *work = mw_arena_f64(mem, mw_vtu_work(g));
  double *s = stress ? mw_arena_f64(mem, all * 6 * np) : NULL;
  double *mises = stress ? mw_arena_f64(mem, all * np) : NULL;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && stress) rc = mw_vtu_stress(g, n, x, s, err);
  for (size_t k = 0; rc == MW_OK && k < all; k++, field++) {
    mw_vtu_displacement(g, p, x + k * nx, work, d + k * 3 * np);
    double most = largest(np, d + k * 3 * np), scale = most > 0.0 ? 1.0 / most : 1.0;
    for (size_t i = 0; i < 3 * np; i++) d[k * 3 * np + i] *= scale;
    *field = (mw_vtu_field){ name[k], 3, d + k * 3 * np };
    if (!stress) continue;
    for (size_t i = 0; i < 6 * np; i++) s[k * 6 * np + i] *= scale;
    for (size_t i = 0; i < np; i++) mises[k * np + i] = mw_vtu_von_mises(s + (k * np + i) * 6);
    *++field = (mw_vtu_field){ mw_arena_printf(mem, "%s stress", name[k]), 6, s + k * 6 * np };
    *++field = (mw_vtu_field){ mw_arena_printf(mem, "%s von Mises", name[k]), 1, mises + k * np };
  }
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

mw_code mw_vtu_shapes(const mw_mech *m, const double *p, int n, const char *const *name,
                      const double *x, bool stress, const char *path, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_vtu_grid g;
  int per = stress ? 3 : 1;
  mw_code rc = mw_vtu_grid_build(m, &mem, &g, err);
  if (rc == MW_OK) {
    double *X = mw_arena_f64(&mem, 3 * (size_t)g.n_point);
    mw_vtu_field *field = mw_arena_alloc(&mem, (size_t)per * (size_t)n, sizeof *field);
    rc = mw_arena_check(&mem, err);
    if (rc == MW_OK) mw_vtu_points(&g, p, X);
    if (rc == MW_OK) rc = shape_fields(&g, p, n, name, x, stress, &mem, field, err);
    if (rc == MW_OK) rc = mw_vtu_write(&g, X, per * n, field, path, err);
  }
  mw_arena_free(&mem);
  return rc;
}
