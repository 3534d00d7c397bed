// SPDX-License-Identifier: BSD-3-Clause
// test_mesh.c: the reader of gmsh meshes: text and binary agree, broken files are refused and never
// crash.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fixture_body.h"
#include "mw_test.h"

static const char *MESH = "test_mesh.tmp.msh";

// ---- one mesh written both ways ----

typedef struct writer {
  FILE *f;
  bool binary;
} writer;

static void put_int(const writer *w, int i)
{
  int32_t v = i;
  if (w->binary)
    fwrite(&v, sizeof v, 1, w->f);
  else
    fprintf(w->f, "%d ", i);
}

static void put_size(const writer *w, unsigned i)
{
  uint64_t v = i;
  if (w->binary)
    fwrite(&v, sizeof v, 1, w->f);
  else
    fprintf(w->f, "%u ", i);
}

static void put_f64(const writer *w, double x)
{
  if (w->binary)
    fwrite(&x, sizeof x, 1, w->f);
  else
    fprintf(w->f, "%.17g ", x);
}

static void put_end(const writer *w, const char *name) { fprintf(w->f, "\n$End%s\n", name); }

// corners and mid-edges of a tetrahedron in gmsh's order (edges 12 23 31 41 34 24), then a node
// nobody uses
static const double NODE[11][3] = { { 0, 0, 0 },     { 1, 0, 0 },     { 0, 1, 0 },   { 0, 0, 1 },
                                    { 0.5, 0, 0 },   { 0.5, 0.5, 0 }, { 0, 0.5, 0 }, { 0, 0, 0.5 },
                                    { 0, 0.5, 0.5 }, { 0.5, 0, 0.5 }, { 7, 7, 7 } };
static const unsigned TAG[11] = { 12, 5, 7, 30, 31, 32, 33, 40, 41, 42, 90 };

static void put_entities(const writer *w)
{
  fprintf(w->f, "$Entities\n");
  for (int d = 0; d < 4; d++) put_size(w, d == 0 || d == 2 || d == 3);
  put_int(w, 9);
  for (int i = 0; i < 3; i++) put_f64(w, 0.25);
  put_size(w, 1);
  put_int(w, 4);
  for (int d = 2; d < 4; d++) {
    put_int(w, 3);
    for (int i = 0; i < 6; i++) put_f64(w, i < 3 ? 0.0 : 1.0);
    put_size(w, d == 2 ? 2 : 1);
    put_int(w, d == 2 ? -8 : 1);  // a reversed surface
    if (d == 2) put_int(w, -11);
    put_size(w, 1);
    put_int(w, -2);
  }
  put_end(w, "Entities");
}

// the first four nodes on a surface with parametric coordinates, the others on the volume
static void put_nodes(const writer *w)
{
  fprintf(w->f, "$Nodes\n");
  put_size(w, 2);
  put_size(w, 11);
  put_size(w, 5);
  put_size(w, 90);
  for (int b = 0; b < 2; b++) {
    int first = b == 0 ? 0 : 4, last = b == 0 ? 4 : 11;
    put_int(w, b == 0 ? 2 : 3);
    put_int(w, 3);
    put_int(w, b == 0);
    put_size(w, (unsigned)(last - first));
    for (int i = first; i < last; i++) put_size(w, TAG[i]);
    for (int i = first; i < last; i++) {
      for (int c = 0; c < 3; c++) put_f64(w, NODE[i][c]);
      for (int c = 0; b == 0 && c < 2; c++) put_f64(w, 0.125);
    }
  }
  put_end(w, "Nodes");
}

static void put_elements(const writer *w)
{
  static const int FACE[6] = { 0, 2, 1, 6, 5, 4 };
  fprintf(w->f, "$Elements\n");
  put_size(w, 3);
  put_size(w, 3);
  put_size(w, 1);
  put_size(w, 3);
  for (int b = 0; b < 3; b++) {
    static const int DIM[3] = { 0, 2, 3 }, ENTITY[3] = { 9, 3, 3 }, TYPE[3] = { 15, 9, 11 },
                     N[3] = { 1, 6, 10 };
    put_int(w, DIM[b]);
    put_int(w, ENTITY[b]);
    put_int(w, TYPE[b]);
    put_size(w, 1);
    put_size(w, (unsigned)(b + 1));
    for (int i = 0; i < N[b]; i++) put_size(w, TAG[b == 0 ? 3 : b == 1 ? FACE[i] : i]);
  }
  put_end(w, "Elements");
}

static bool write_mesh(bool binary, int one)
{
  writer w = { fopen(MESH, "wb"), binary };
  if (w.f == NULL) return false;
  fprintf(w.f, "$MeshFormat\n4.1 %d 8\n", binary);
  if (binary) put_int(&w, one);
  put_end(&w, "MeshFormat");
  fprintf(w.f, "$Comments\nanything $Nodes at all\n$EndComments\n");
  fprintf(w.f, "$PhysicalNames\n2\n0 4 \"tip of it\"\n2 8 \"base\"\n$EndPhysicalNames\n");
  put_entities(&w);
  put_nodes(&w);
  put_elements(&w);
  return fclose(w.f) == 0;
}

static void check_small_mesh(const mw_mesh *m)
{
  MW_CHECK(m->n_node == 10 && m->n_elem == 1 && m->n_face == 4 && m->n_set == 4);
  if (m->n_node != 10 || m->n_elem != 1 || m->n_set != 4 || m->n_part != 1) return;
  MW_CHECK(m->elem_kind[0] == MW_ELEM_TET10 && m->elem_ptr[1] == 10);
  MW_CHECK(strcmp(m->part[0].name, "3_1") == 0 && m->part[0].dim == 3 && m->elem_part[0] == 0);
  for (int i = 0; i < 10; i++) {
    MW_CHECK(m->tag[i] == (int)TAG[i]);
    for (int c = 0; c < 3; c++) MW_NEAR(m->x[3 * i + c], 0.001 * NODE[i][c], 0.0);
  }
  // gmsh's last two nodes are swapped
  for (int i = 0; i < 10; i++) MW_CHECK(m->elem_node[i] == (i == 8 ? 9 : i == 9 ? 8 : i));
  MW_CHECK(m->elem_tag[0] == 3);
  MW_CHECK(strcmp(m->set[0].name, "tip of it") == 0 && m->set[0].n == 1 && m->set[0].node[0] == 3);
  MW_CHECK(strcmp(m->set[1].name, "base") == 0 && m->set[1].dim == 2 && m->set[1].n == 6);
  static const int BASE[6] = { 0, 1, 2, 4, 5, 6 };
  for (int i = 0; i < 6 && m->set[1].n == 6; i++) MW_CHECK(m->set[1].node[i] == BASE[i]);
  MW_CHECK(strcmp(m->set[2].name, "2_11") == 0 && m->set[2].n == 6);
  MW_CHECK(strcmp(m->set[3].name, "3_1") == 0 && m->set[3].n == 10);
}

static void text_and_binary_give_the_same_mesh(void)
{
  for (int binary = 0; binary < 2; binary++) {
    mw_arena mem = { 0 };
    mw_mesh m;
    mw_error err = { 0 };
    MW_CHECK(write_mesh(binary == 1, 1));
    if (MW_OKAY(mw_mesh_read(MESH, 0.001, &mem, &m, &err))) {
      check_small_mesh(&m);
      MW_OKAY(mw_mesh_check(&m, &err));
    }
    mw_arena_free(&mem);
  }
  remove(MESH);
}

static void other_byte_order_is_refused(void)
{
  mw_arena mem = { 0 };
  mw_mesh m;
  mw_error err = { 0 };
  MW_CHECK(write_mesh(true, 1 << 24));
  MW_FAILS(mw_mesh_read(MESH, 1.0, &mem, &m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "byte order") != NULL);
  MW_CHECK(strcmp(err.file, MESH) == 0);
  mw_arena_free(&mem);
  remove(MESH);
}

static char *load_mesh(size_t *n)
{
  static char buf[8192];
  FILE *f = fopen(MESH, "rb");
  *n = 0;
  if (f == NULL) return buf;
  *n = fread(buf, 1, sizeof buf, f);
  fclose(f);
  return buf;
}

static mw_code read_bytes(const char *buf, size_t n, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_mesh m;
  if (!mw_test_write(MESH, buf, n)) return MW_ERR_IO;
  mw_code rc = mw_mesh_read(MESH, 1.0, &mem, &m, err);
  if (rc == MW_OK) rc = mw_mesh_check(&m, err);
  mw_arena_free(&mem);
  return rc;
}

// Only the last newline and the end of the last word may be missed without harm.
static void every_truncation_is_an_error(void)
{
  for (int binary = 0; binary < 2; binary++) {
    size_t size;
    MW_CHECK(write_mesh(binary == 1, 1));
    const char *buf = load_mesh(&size);
    for (size_t n = 0; n + 1 < size; n++) {
      mw_error err = { 0 };
      MW_FAILS(read_bytes(buf, n, &err), MW_ERR_INPUT);
      MW_CHECK(err.msg[0] != '\0');
    }
  }
  remove(MESH);
}

// Any byte set to 0, 0xff, '9' or '-': an error or a valid mesh, never a crash or a huge
// allocation.
static void corrupted_bytes_never_crash(void)
{
  static const char BYTE[4] = { 0, (char)0xff, '9', '-' };
  int n_error = 0;
  for (int binary = 0; binary < 2; binary++) {
    size_t size;
    MW_CHECK(write_mesh(binary == 1, 1));
    char *buf = load_mesh(&size);
    for (size_t i = 0; i < size; i++)
      for (int k = 0; k < 4; k++) {
        mw_error err = { 0 };
        char old = buf[i];
        buf[i] = BYTE[k];
        mw_code rc = read_bytes(buf, size, &err);
        buf[i] = old;
        n_error += rc == MW_ERR_INPUT;
        if (rc != MW_OK && rc != MW_ERR_INPUT) MW_FAILS(rc, MW_ERR_INPUT);
      }
  }
  MW_CHECK(n_error > 1000);
  remove(MESH);
}

// tests/bad/mesh: the line and a part of the message each file must give
static const struct {
  const char *file;
  int line;
  const char *msg;
} BAD[] = {
  { "empty.msh", 0, "the file is empty" },
  { "not-a-mesh.msh", 1, "expected a section" },
  { "no-format.msh", 1, "does not begin with $MeshFormat" },
  { "version-4.0.msh", 2, "mesh format 4, expected 4.1 or 2.2" },
  { "no-elements.msh", 0, "has no $Elements section" },
  { "huge-count.msh", 5, "2000000000 nodes announced" },
  { "negative-count.msh", 5, "not a whole number" },
  { "word-for-number.msh", 18, "found '0.x', expected a coordinate" },
  { "not-finite.msh", 18, "expected a coordinate" },
  { "duplicate-node.msh", 10, "node 3 is defined twice" },
  { "fewer-nodes.msh", 26, "fewer nodes than announced" },
  { "missing-node.msh", 31, "element 1 refers to node 77" },
  { "unknown-type.msh", 30, "unknown element type 99" },
  { "hexahedra-27.msh", 30, "27-node hexahedra (element type 12) cannot be used" },
  { "shells-6.msh", 0, "element 1 is a surface of 6 nodes in a file without volumes" },
  { "unknown-entity.msh", 34, "entity 5 of dimension 3, which does not exist" },
  { "unclosed-name.msh", 6, "not closed by a quote" },
  { "inverted.msh", 0,
    "element 1 (10-node tetrahedron at (0.25, 0.25, 0.25) m): the Jacobian at node 2" },
  { "duplicate-element.msh", 0, "element 1 is defined twice" },
  { "version2-cut.msh", 14, "the file is cut off, expected the node of an element" },
  { "version2-huge.msh", 12, "2000000000 elements announced" },
  { "version2-lines.msh", 0, "no volumes and no surfaces" },
  { "version2-more-elements.msh", 14, "found '$EndElements', expected an element number" },
  { "version2-more-nodes.msh", 10, "found '$EndNodes', expected a node number" },
  { "version2-pyramid.msh", 13, "5-node pyramids (element type 7) cannot be used" },
  { "version2-reversed.msh", 0, "it is inside out or folded" },
  { "version2-tags.msh", 13, "fewer tags than none" },
  { "version2-twice.msh", 0, "has the nodes of element 1: it is there twice" },
};

static void bad_files_say_where_and_what(void)
{
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    mw_arena mem = { 0 };
    mw_mesh m;
    mw_error err = { 0 };
    char path[512];
    snprintf(path, sizeof path, "%s/bad/mesh/%s", MW_TESTS_DIR, BAD[k].file);
    mw_code rc = mw_mesh_read(path, 1.0, &mem, &m, &err);
    if (rc == MW_OK) rc = mw_mesh_check(&m, &err);
    MW_FAILS(rc, MW_ERR_INPUT);
    bool right = err.line == BAD[k].line && strstr(err.msg, BAD[k].msg) != NULL;
    if (!MW_CHECK(right)) printf("  %s: %d: %s\n", BAD[k].file, err.line, err.msg);
    mw_arena_free(&mem);
  }
}

static void missing_file_is_an_io_error(void)
{
  mw_arena mem = { 0 };
  mw_mesh m;
  mw_error err = { 0 };
  MW_FAILS(mw_mesh_read("no/such/file.msh", 1.0, &mem, &m, &err), MW_ERR_IO);
  MW_CHECK(strcmp(err.file, "no/such/file.msh") == 0);
  mw_arena_free(&mem);
}

// Area 2 (ab + bc + ca) of a closed surface whose normals sum to zero, every mid-edge node in the
// middle of its edge
static void surface_of_a_box_is_closed(void)
{
  static const int N[3] = { 3, 2, 2 }, MID[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
  static const double X0[3] = { 0, 0, 0 }, L[3] = { 0.6, 0.2, 0.3 };
  mw_arena mem = { 0 };
  mw_mesh m;
  mw_error err = { 0 };
  double area = 0.0, sum[3] = { 0 }, off = 0.0, volume = 0.0, size = 0.0;
  MW_CHECK(fixture_box(MESH, N, X0, L, NULL) == 0);
  bool okay = MW_OKAY(mw_mesh_read(MESH, 1.0, &mem, &m, &err));
  for (int k = 0; okay && k < m.n_face; k++) {
    const double *x[6];
    int node[8];
    if (!MW_CHECK(mw_mesh_face(&m, k, node) == 6)) continue;
    double d[2][3], c[3];
    for (int i = 0; i < 6; i++) x[i] = m.x + 3 * node[i];
    for (int i = 0; i < 3; i++) d[0][i] = x[1][i] - x[0][i], d[1][i] = x[2][i] - x[0][i];
    mw_cross3(d[0], d[1], c);
    area += 0.5 * mw_norm3(c);
    volume += mw_dot3(c, x[0]) / 6.0;
    size += fabs(mw_dot3(c, x[0])) / 6.0;
    for (int i = 0; i < 3; i++) sum[i] += c[i];
    for (int e = 0; e < 3; e++)
      for (int i = 0; i < 3; i++)
        off = fmax(off, fabs(x[3 + e][i] - 0.5 * (x[MID[e][0]][i] + x[MID[e][1]][i])));
  }
  double tol = 100.0 * DBL_EPSILON;  // some 60 triangles of size below 1
  MW_NEAR(area, 2.0 * (0.6 * 0.2 + 0.2 * 0.3 + 0.3 * 0.6), tol);
  MW_NEAR(volume, 0.6 * 0.2 * 0.3, mw_test_rounding(60.0, size));  // outward normals
  MW_NEAR(mw_norm3(sum), 0.0, tol);
  MW_WITHIN(off, 0.0, tol, "a few roundings, none by chance");
  mw_arena_free(&mem);
  remove(MESH);
}

static const mw_test_case cases[] = {
  { "text_and_binary_give_the_same_mesh", text_and_binary_give_the_same_mesh },
  { "other_byte_order_is_refused", other_byte_order_is_refused },
  { "every_truncation_is_an_error", every_truncation_is_an_error },
  { "corrupted_bytes_never_crash", corrupted_bytes_never_crash },
  { "bad_files_say_where_and_what", bad_files_say_where_and_what },
  { "missing_file_is_an_io_error", missing_file_is_an_io_error },
  { "surface_of_a_box_is_closed", surface_of_a_box_is_closed },
};

int main(void) { return mw_test_run("mesh", cases, (int)(sizeof cases / sizeof *cases)); }
