// SPDX-License-Identifier: BSD-3-Clause
// test_mesh_kind.c: every kind of element through every gmsh format; which elements are refused;
// faces; nodes in one place.
//
// One element, the image of the reference element under an affine map, so that volumes are
// determinants and mid-edge nodes are exact means; gmsh's node order from the pictures of its
// manual (4.8, "Node ordering"), the order wanted from VTK's file format document. gmsh_*.msh and
// .inp were written by gmsh 4.8.4 from a prism over the quadrilateral (0,0) (1,0) (1.2,1) (0,1)
// extruded by (0.1, 0, 0.5), -order 2 -setnumber Mesh.SecondOrderIncomplete 1: volume 1.1 · 0.5.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fixture_body.h"
#include "mw_test.h"

static const char *MESH = "test_mesh_kind.tmp.msh";

typedef struct shape {
  int kind, type, n_corner, n_edge, dim;
  double volume;        // of the reference element
  double corner[8][3];  // reference element
  int gmsh[12][2];      // edges whose middles gmsh lists, in its order
  int vtk[12][2];       // in VTK's order
} shape;

// clang-format off
#define TET_CORNERS { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
#define HEX_CORNERS { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, \
                      { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } }
#define WEDGE_CORNERS { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, \
                        { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 } }
#define NONE { { 0 } }
static const shape SHAPE[] = {
  { MW_ELEM_TET4, 4, 4, 0, 3, 1.0 / 6.0, TET_CORNERS, NONE, NONE },
  { MW_ELEM_TET10, 11, 4, 6, 3, 1.0 / 6.0, TET_CORNERS,
    { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 0 }, { 2, 3 }, { 1, 3 } },
    { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } } },
  { MW_ELEM_HEX8, 5, 8, 0, 3, 1.0, HEX_CORNERS, NONE, NONE },
  { MW_ELEM_HEX20, 17, 8, 12, 3, 1.0, HEX_CORNERS,
    { { 0, 1 }, { 0, 3 }, { 0, 4 }, { 1, 2 }, { 1, 5 }, { 2, 3 },
      { 2, 6 }, { 3, 7 }, { 4, 5 }, { 4, 7 }, { 5, 6 }, { 6, 7 } },
    { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 },
      { 6, 7 }, { 7, 4 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } } },
  { MW_ELEM_WEDGE6, 6, 6, 0, 3, 0.5, WEDGE_CORNERS, NONE, NONE },
  { MW_ELEM_WEDGE15, 18, 6, 9, 3, 0.5, WEDGE_CORNERS,
    { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 4 }, { 2, 5 }, { 3, 4 }, { 3, 5 }, { 4, 5 } },
    { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 }, { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } } },
  { MW_ELEM_TRI3, 2, 3, 0, 2, 0.0, { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, NONE, NONE },
  { MW_ELEM_QUAD4, 3, 4, 0, 2, 0.0, { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } }, NONE,
      NONE },
};
// clang-format on
enum { N_SHAPE = sizeof SHAPE / sizeof *SHAPE };

static const double MAP[9] = { 1.5, 0.25, -0.125, 0.375, 0.75, 0.5, -0.25, 0.125, 2.0 };

// x [20 × 3]: nodes in the order of edges `edge`; returns their number
static int place(const shape *s, const double A[9], const int edge[12][2], double x[60])
{
  for (int i = 0; i < s->n_corner; i++) mw_mul33v(A, s->corner[i], x + 3 * i);
  for (int k = 0; k < s->n_edge; k++)
    for (int c = 0; c < 3; c++)
      x[3 * (s->n_corner + k) + c] = 0.5 * (x[3 * edge[k][0] + c] + x[3 * edge[k][1] + c]);
  return s->n_corner + s->n_edge;
}

// ---- one element as a file ----

typedef struct writer {
  FILE *f;
  bool binary, v2;
} writer;

static void put_int(const writer *w, int i)
{
  int32_t v = i;
  if (w->binary)
    fwrite(&v, sizeof v, 1, w->f);
  else
    fprintf(w->f, "%d ", i);
}

// counts and tags: 8 bytes in version 4.1, 4 in 2.2
static void put_size(const writer *w, int i)
{
  uint64_t v = (uint64_t)i;
  if (w->binary && !w->v2)
    fwrite(&v, sizeof v, 1, w->f);
  else
    put_int(w, i);
}

static void put_f64(const writer *w, double x)
{
  if (w->binary)
    fwrite(&x, sizeof x, 1, w->f);
  else
    fprintf(w->f, "%.17g ", x);
}

static void put_ints(const writer *w, int n, const int *v)
{
  for (int i = 0; i < n; i++) put_int(w, v[i]);
}

static int node_tag(int i) { return 3 + 10 * i; }

static void put_node(const writer *w, int i, const double *x)
{
  if (w->v2) put_size(w, node_tag(i));
  for (int c = 0; c < 3; c++) put_f64(w, x[3 * i + c]);
  if (!w->binary) fprintf(w->f, "\n");
}

// the last node first
static void put_nodes(const writer *w, int dim, int n, const double *x)
{
  fprintf(w->f, "$Nodes\n");
  if (w->v2)
    fprintf(w->f, "%d\n", n);
  else {
    put_size(w, 1), put_size(w, n), put_size(w, 3), put_size(w, node_tag(n - 1));
    put_ints(w, 3, (int[3]){ dim, 1, 0 });
    put_size(w, n);
    for (int i = n - 1; i >= 0; i--) put_size(w, node_tag(i));
  }
  for (int i = n - 1; i >= 0; i--) put_node(w, i, x);
  fprintf(w->f, "\n$EndNodes\n");
}

// element of n nodes from the first on, in the groups of version 2.2 given
static void put_element(const writer *w, int number, int type, int dim, int group, int n)
{
  if (w->v2 && w->binary) put_ints(w, 4, (int[4]){ type, 1, 2, number });
  if (w->v2 && !w->binary) put_ints(w, 3, (int[3]){ number, type, 2 });
  if (w->v2) put_ints(w, 2, (int[2]){ group, 1 });
  if (!w->v2) {
    put_ints(w, 3, (int[3]){ dim, 1, type });
    put_size(w, 1), put_size(w, number);
  }
  for (int i = 0; i < n; i++) put_size(w, node_tag(i));
  if (!w->binary) fprintf(w->f, "\n");
}

static void put_entities(const writer *w, int dim)
{
  fprintf(w->f, "$Entities\n");
  for (int d = 0; d < 4; d++) put_size(w, d == 0 || d == dim);
  for (int d = 0; d < 4; d++) {
    if (d != 0 && d != dim) continue;
    put_int(w, 1);
    for (int i = 0; i < (d == 0 ? 3 : 6); i++) put_f64(w, 0.5);
    put_size(w, 1);
    put_int(w, d == 0 ? 4 : 7);
    if (d > 0) put_size(w, 0);
  }
  fprintf(w->f, "\n$EndEntities\n");
}

// copies: element 2 is written once in each of the groups 7 and 9 (version 2.2)
static bool write_one(const shape *s, bool v2, bool binary, bool copies, const double *x)
{
  writer w = { fopen(MESH, "wb"), binary, v2 };
  int n = s->n_corner + s->n_edge, n_elem = copies ? 3 : 2;
  if (w.f == NULL) return false;
  fprintf(w.f, "$MeshFormat\n%s %d 8\n", v2 ? "2.2" : "4.1", binary);
  if (binary) put_int(&w, 1);
  fprintf(w.f, "\n$EndMeshFormat\n$PhysicalNames\n%d\n0 4 \"tip\"\n%d 7 \"part\"\n", copies ? 3 : 2,
          s->dim);
  fprintf(w.f, "%s$EndPhysicalNames\n", copies ? "3 9 \"all\"\n" : "");
  if (!v2) put_entities(&w, s->dim);
  put_nodes(&w, s->dim, n, x);
  fprintf(w.f, "$Elements\n");
  if (v2)
    fprintf(w.f, "%d\n", n_elem);
  else
    put_size(&w, 2), put_size(&w, 2), put_size(&w, 1), put_size(&w, 2);
  put_element(&w, 1, 15, 0, 4, 1);
  put_element(&w, 2, s->type, s->dim, 7, n);
  if (copies) put_element(&w, 3, s->type, s->dim, 9, n);
  fprintf(w.f, "\n$EndElements\n");
  return fclose(w.f) == 0;
}

// writes and reads element s at x; the verdict of reader and check
static mw_code judge(const shape *s, const double *x, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_mesh m;
  MW_CHECK(write_one(s, true, false, false, x));
  mw_code rc = mw_mesh_read(MESH, 1.0, &mem, &m, err);
  if (rc == MW_OK) rc = mw_mesh_check(&m, err);
  mw_arena_free(&mem);
  remove(MESH);
  return rc;
}

// ---- reading ----

// volume inside the faces, ∮ x·n dA / 3, and the vector ∮ n dA
static double inside(const mw_mesh *m, double sum[3])
{
  double volume = 0.0;
  for (int i = 0; i < 3; i++) sum[i] = 0.0;
  for (int k = 0; k < m->n_face; k++) {
    int node[8], e = m->face_elem[k];
    (void)mw_mesh_face(m, k, node);
    int n = mw_elem_info_of((mw_elem_kind)m->elem_kind[e])->face_corner[m->face_side[k]];
    const double *a = m->x + 3 * node[0];
    for (int i = 1; i + 1 < n; i++) {
      double p[3], q[3], c[3];
      for (int j = 0; j < 3; j++) {
        p[j] = m->x[3 * node[i] + j] - a[j];
        q[j] = m->x[3 * node[i + 1] + j] - a[j];
      }
      mw_cross3(p, q, c);
      volume += mw_dot3(c, a) / 6.0;
      for (int j = 0; j < 3; j++) sum[j] += 0.5 * c[j];
    }
  }
  return volume;
}

// Sums of some 12 triangles of size below 3 m: rounding.
static const double ROUNDING = 200.0 * DBL_EPSILON;

static void check_one(const shape *s, const mw_mesh *m, const double *want)
{
  int n = s->n_corner + s->n_edge;
  double sum[3], c[3];
  if (!MW_CHECK(m->n_node == n && m->n_elem == 1 && m->n_part == 1 && m->n_set == 2)) return;
  MW_CHECK(m->elem_kind[0] == s->kind && m->elem_ptr[1] == n && m->elem_tag[0] == 2);
  MW_CHECK(strcmp(m->part[0].name, "part") == 0 && m->part[0].dim == s->dim);
  MW_CHECK(strcmp(m->set[0].name, "tip") == 0 && m->set[0].n == 1 && m->set[0].dim == 0);
  MW_CHECK(m->set[0].node[0] == m->elem_node[0] && m->tag[m->elem_node[0]] == node_tag(0));
  MW_CHECK(strcmp(m->set[1].name, "part") == 0 && m->set[1].n == n);
  for (int i = 0; i < n; i++)  // means of two doubles come out the same
    for (int j = 0; j < 3; j++) MW_NEAR(m->x[3 * m->elem_node[i] + j], want[3 * i + j], 0.0);
  mw_cross3(MAP, MAP + 3, c);
  MW_NEAR(inside(m, sum), s->volume * mw_dot3(c, MAP + 6), ROUNDING);
  MW_WITHIN(mw_norm3(sum), 0.0, ROUNDING, "a few roundings, none by chance");
  MW_CHECK(m->n_face == mw_elem_info_of((mw_elem_kind)s->kind)->n_face);
}

static void every_kind_reads_the_same_from_all_formats(void)
{
  for (int k = 0; k < N_SHAPE; k++)
    for (int f = 0; f < 4; f++) {
      mw_arena mem = { 0 };
      mw_error err = { 0 };
      mw_mesh m;
      double x[60], want[60];
      place(&SHAPE[k], MAP, SHAPE[k].gmsh, x);
      place(&SHAPE[k], MAP, SHAPE[k].vtk, want);
      MW_CHECK(write_one(&SHAPE[k], f / 2 == 1, f % 2 == 1, false, x));
      if (MW_OKAY(mw_mesh_read(MESH, 1.0, &mem, &m, &err))) {
        check_one(&SHAPE[k], &m, want);
        MW_OKAY(mw_mesh_check(&m, &err));
      }
      mw_arena_free(&mem);
    }
  remove(MESH);
}

static void faces_list_mid_edge_nodes_between_their_corners(void)
{
  for (int k = 0; k < N_SHAPE; k++) {
    const mw_elem_info *info = mw_elem_info_of((mw_elem_kind)SHAPE[k].kind);
    double x[60];
    place(&SHAPE[k], MAP, SHAPE[k].vtk, x);
    for (int f = 0; f < info->n_face; f++) {
      int n = info->face_corner[f];
      const int *node = info->face[f];
      for (int i = 0; i < 8; i++) MW_CHECK((node[i] >= 0) == (i < (SHAPE[k].n_edge ? 2 * n : n)));
      for (int i = 0; i < n && SHAPE[k].n_edge > 0; i++)
        for (int c = 0; c < 3; c++)
          MW_NEAR(x[3 * node[n + i] + c], 0.5 * (x[3 * node[i] + c] + x[3 * node[(i + 1) % n] + c]),
                  0.0);
    }
  }
}

static void files_of_gmsh_read_right(void)
{
  static const struct {
    const char *file;
    int kind;
  } GOLD[] = { { "gmsh_tet10.msh", MW_ELEM_TET10 },
               { "gmsh_hex20.msh", MW_ELEM_HEX20 },
               { "gmsh_wedge15.msh", MW_ELEM_WEDGE15 },
               { "gmsh_wedge15.inp", MW_ELEM_WEDGE15 } };
  for (size_t k = 0; k < sizeof GOLD / sizeof *GOLD; k++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_mesh m;
    char path[512];
    double sum[3];
    snprintf(path, sizeof path, "%s/fem/%s", MW_TESTS_DIR, GOLD[k].file);
    if (MW_OKAY(mw_mesh_read(path, 1.0, &mem, &m, &err))) {
      MW_OKAY(mw_mesh_check(&m, &err));
      for (int e = 0; e < m.n_elem; e++) MW_CHECK(m.elem_kind[e] == GOLD[k].kind);
      // gmsh writes 16 digits: every coordinate is off by 1e-16 of some 1 m at most; some hundred
      // products a face
      MW_NEAR(inside(&m, sum), 1.1 * 0.5, mw_test_rounding(100.0 * m.n_face, 1.0));
    }
    mw_arena_free(&mem);
  }
}

static void an_element_of_two_groups_is_one_element(void)
{
  for (int binary = 0; binary < 2; binary++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_mesh m;
    double x[60];
    place(&SHAPE[1], MAP, SHAPE[1].gmsh, x);
    MW_CHECK(write_one(&SHAPE[1], true, binary == 1, true, x));
    if (MW_OKAY(mw_mesh_read(MESH, 1.0, &mem, &m, &err))) {
      MW_CHECK(m.n_elem == 1 && m.n_part == 1 && m.n_set == 3);
      MW_CHECK(strcmp(m.part[0].name, "part+all") == 0);
      MW_CHECK(m.set[1].n == 10 && m.set[2].n == 10);
    }
    mw_arena_free(&mem);
  }
  remove(MESH);
}

// ---- what is refused ----

static void mid_edge_nodes_in_another_order_are_refused(void)
{
  for (int k = 0; k < N_SHAPE; k++) {
    mw_error err = { 0 };
    double x[60];
    if (SHAPE[k].n_edge == 0) continue;
    place(&SHAPE[k], MAP, SHAPE[k].vtk, x);  // as if gmsh had VTK's order
    MW_FAILS(judge(&SHAPE[k], x, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "element 2 (") != NULL && strstr(err.msg, "mid-edge node") != NULL);
  }
}

// column c of the map times f
static void scale_column(double A[9], int c, double f)
{
  memcpy(A, MAP, sizeof MAP);
  for (int i = 0; i < 3; i++) A[3 * i + c] *= f;
}

static void solids_inside_out_or_flat_are_refused(void)
{
  for (int k = 0; k < N_SHAPE; k++) {
    static const struct {
      double f;
      const char *msg;
    } CASE[] = { { -1.0, "inside out" }, { 0.0, "flat" }, { 1e-11, "flat" }, { 1e-6, NULL } };
    for (int c = 0; c < 4 && SHAPE[k].dim == 3; c++) {
      mw_error err = { 0 };
      double A[9], x[60];
      scale_column(A, 2, CASE[c].f);
      place(&SHAPE[k], A, SHAPE[k].gmsh, x);
      mw_code rc = judge(&SHAPE[k], x, &err);
      MW_FAILS(rc, CASE[c].msg != NULL ? MW_ERR_INPUT : MW_OK);
      if (CASE[c].msg != NULL) MW_CHECK(strstr(err.msg, CASE[c].msg) != NULL);
    }
  }
}

static void shells_that_are_lines_or_concave_are_refused(void)
{
  const shape *tri = &SHAPE[N_SHAPE - 2], *quad = &SHAPE[N_SHAPE - 1];
  mw_error err = { 0 };
  double line[9] = { 0, 0, 0, 1, 1, 1, 3, 3, 3 };
  MW_FAILS(judge(tri, line, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "flat or a line") != NULL);
  double dart[12] = { 0, 0, 0, 1, 0, 0, 0.2, 0.2, 0, 0, 1, 0 };  // corner 3 points inward
  MW_FAILS(judge(quad, dart, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "inside out or folded") != NULL);
  MW_CHECK(strstr(err.msg, "node 23") != NULL);
}

// An edge along x from 0 to 1 with its middle node displaced by (along, across).
static mw_code bent(double along, double across, mw_error *err)
{
  double x[60], A[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  place(&SHAPE[1], A, SHAPE[1].gmsh, x);
  x[3 * 4] += along;
  x[3 * 4 + 1] -= across;
  return judge(&SHAPE[1], x, err);
}

// The tangent of a quadratic edge is 4 m − 3 a − b at a: it vanishes when the middle node comes to
// the quarter point, the well-known singular element. Sagitta over chord of an arc φ is tan(φ/4)/2.
static void middle_nodes_may_bend_an_edge_but_not_fold_it(void)
{
  mw_error err = { 0 };
  const double third = 2.0 * acos(-1.0) / 3.0;
  MW_FAILS(bent(-0.249, 0.0, &err), MW_OK);
  MW_FAILS(bent(-0.251, 0.0, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "Jacobian at node 3") != NULL);
  MW_FAILS(bent(0.251, 0.0, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "Jacobian at node 13") != NULL);
  MW_FAILS(bent(0.0, 0.5 * tan(third / 4.0), &err), MW_OK);  // three edges around a hole
  MW_FAILS(bent(0.0, 0.5, &err), MW_ERR_INPUT);              // half a circle
  MW_CHECK(strstr(err.msg, "mid-edge node 43 is 0.5 m from the middle") != NULL);
}

// ---- meshes by hand ----

// tetrahedra over the triangle 0 1 2 with the tips given, alternately above and below
static mw_mesh fan(int n, unsigned char *kind, int *ptr, int *node, int *tag, int *part,
                   mw_mesh_part *one)
{
  static double x[18] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0.1, 0.1, 1 };
  static int node_number[6] = { 1, 2, 3, 4, 5, 6 };
  for (int e = 0; e < n; e++) {
    int up[4] = { 0, 1, 2, 3 + e }, down[4] = { 0, 2, 1, 3 + e };
    kind[e] = MW_ELEM_TET4;
    ptr[e + 1] = 4 * (e + 1);
    memcpy(node + 4 * e, e == 1 ? down : up, sizeof up);
    tag[e] = 100 + e;
  }
  return (mw_mesh){ .path = "by hand",
                    .n_node = 3 + n,
                    .n_elem = n,
                    .n_part = 1,
                    .x = x,
                    .tag = node_number,
                    .elem_kind = kind,
                    .elem_ptr = ptr,
                    .elem_node = node,
                    .elem_tag = tag,
                    .elem_part = part,
                    .part = one };
}

static void faces_between_two_elements_are_inside(void)
{
  unsigned char kind[3];
  int ptr[4] = { 0 }, node[12], tag[3], part[3] = { 0 };
  mw_mesh_part one = { .name = "", .dim = 3 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double sum[3];
  mw_mesh m = fan(2, kind, ptr, node, tag, part, &one);
  MW_OKAY(mw_mesh_check(&m, &err));
  if (MW_OKAY(mw_mesh_surface(&m, &mem, &err))) {
    MW_CHECK(m.n_face == 6);
    MW_NEAR(inside(&m, sum), 2.0 / 6.0, ROUNDING);
    MW_WITHIN(mw_norm3(sum), 0.0, ROUNDING, "a few roundings, none by chance");
  }
  m = fan(3, kind, ptr, node, tag, part, &one);
  MW_FAILS(mw_mesh_surface(&m, &mem, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "elements 100, 101 and 102 share one face") != NULL);
  mw_arena_free(&mem);
}

static void an_element_that_is_there_twice_is_refused(void)
{
  unsigned char kind[3];
  int ptr[4] = { 0 }, node[12], tag[3], part[3] = { 0 };
  mw_mesh_part one = { .name = "", .dim = 3 };
  mw_error err = { 0 };
  mw_mesh m = fan(2, kind, ptr, node, tag, part, &one);
  memcpy(node + 4, (int[4]){ 1, 2, 0, 3 }, 4 * sizeof(int));  // the first one, turned
  MW_FAILS(mw_mesh_check(&m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "element 101 (") != NULL);
  MW_CHECK(strstr(err.msg, "has the nodes of element 100") != NULL);
}

// all pairs
static int count_near(const double *x, int n, double tol, int pair[2])
{
  int count = 0;
  pair[0] = pair[1] = -1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) {
      double d[3] = { x[3 * i] - x[3 * k], x[3 * i + 1] - x[3 * k + 1],
                      x[3 * i + 2] - x[3 * k + 2] };
      if (mw_dot3(d, d) > tol * tol) continue;
      if (++count == 1) pair[0] = k, pair[1] = i;
      break;
    }
  return count;
}

static void nodes_in_one_place_are_found(void)
{
  enum { N = 600 };
  static const double TOL[] = { 0.0, 1e-9, 0.01, 0.05, 3.0 };
  static double x[3 * N];
  unsigned seed = 7;
  for (int i = 0; i < 3 * N; i++) x[i] = fixture_random(&seed);
  for (int i = 0; i < 20; i++)  // copies, and copies that are off a little
    for (int c = 0; c < 3; c++)
      x[3 * (N - 1 - i) + c] = x[3 * (17 * i) + c] + (i % 2 == 0 ? 0.0 : 4e-10);
  mw_mesh m = { .path = "by hand", .n_node = N, .x = x };
  for (size_t k = 0; k < sizeof TOL / sizeof *TOL; k++) {
    mw_error err = { 0 };
    int n, pair[2], want[2], count = count_near(x, N, TOL[k], want);
    MW_OKAY(mw_mesh_coincident(&m, TOL[k], &n, pair, &err));
    MW_NEAR(n, count, 0.0);
    MW_CHECK(pair[1] == want[1]);
    if (k < 2) MW_CHECK(pair[0] == want[0]);  // one partner only
  }
}

// A partner is found in whichever of the 26 cubes around it lies, and in its own. Nodes far away
// make the hash table so large that cubes seldom share a place in it.
static void partners_are_found_in_every_direction(void)
{
  enum { FAR = 4000 };
  static double x[3 * (FAR + 3)];
  for (int i = 0; i < FAR; i++) x[9 + 3 * i] = 10.0 + i;
  for (int k = 0; k < 27; k++) {
    mw_error err = { 0 };
    // cubes of edge 0.1 from the corner at 0: one node in a cube, its partner beyond a side, edge
    // or corner
    for (int i = 0, p = k; i < 3; i++, p /= 3) {
      x[3 + i] = 0.45 + 0.03 * (p % 3 - 1);
      x[6 + i] = 0.45 + 0.07 * (p % 3 - 1);
    }
    mw_mesh m = { .path = "by hand", .n_node = FAR + 3, .x = x };
    int n, pair[2];
    MW_OKAY(mw_mesh_coincident(&m, 0.1, &n, pair, &err));
    MW_CHECK(n == 1 && pair[0] == 1 && pair[1] == 2);
  }
}

static const mw_test_case cases[] = {
  { "every_kind_reads_the_same_from_all_formats", every_kind_reads_the_same_from_all_formats },
  { "faces_list_mid_edge_nodes_between_their_corners",
    faces_list_mid_edge_nodes_between_their_corners },
  { "files_of_gmsh_read_right", files_of_gmsh_read_right },
  { "an_element_of_two_groups_is_one_element", an_element_of_two_groups_is_one_element },
  { "mid_edge_nodes_in_another_order_are_refused", mid_edge_nodes_in_another_order_are_refused },
  { "solids_inside_out_or_flat_are_refused", solids_inside_out_or_flat_are_refused },
  { "shells_that_are_lines_or_concave_are_refused", shells_that_are_lines_or_concave_are_refused },
  { "middle_nodes_may_bend_an_edge_but_not_fold_it",
    middle_nodes_may_bend_an_edge_but_not_fold_it },
  { "faces_between_two_elements_are_inside", faces_between_two_elements_are_inside },
  { "an_element_that_is_there_twice_is_refused", an_element_that_is_there_twice_is_refused },
  { "nodes_in_one_place_are_found", nodes_in_one_place_are_found },
  { "partners_are_found_in_every_direction", partners_are_found_in_every_direction },
};

int main(void) { return mw_test_run("mesh_kind", cases, (int)(sizeof cases / sizeof *cases)); }
