// SPDX-License-Identifier: BSD-3-Clause
// fixture_body.c: small models for the tests of bodies.
#include "fixture_body.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

void fixture_init(fixture_body *f)
{
  memset(f, 0, sizeof *f);
  f->material = (mw_material){ .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };
  f->section = (mw_section){ .name = "bar",
                             .A = 0.04 * 0.06,
                             .Iy = 0.04 * 0.06 * 0.06 * 0.06 / 12.0,
                             .Iz = 0.06 * 0.04 * 0.04 * 0.04 / 12.0,
                             .It = 7.5e-7,
                             .ky = 5.0 / 6.0,
                             .kz = 5.0 / 6.0,
                             .rotary = true };
  f->body = (mw_body_in){ .name = "part",
                          .gravity = true,
                          .axes = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                          .mesh_scale = 1.0,
                          .point = f->point,
                          .member = f->member,
                          .attach = f->attach,
                          .guide = f->guide,
                          .support = f->support };
  f->model.n_body = f->model.n_material = f->model.n_section = 1;
  f->model.material = &f->material;
  f->model.section = &f->section;
  f->model.body = &f->body;
}

int fixture_point(fixture_body *f, const char *name, double x, double y, double z)
{
  f->point[f->body.n_point] = (mw_point){ .name = name, .x = { x, y, z } };
  return f->body.n_point++;
}

void fixture_member(fixture_body *f, int from, int to, int n_elem)
{
  f->member[f->body.n_member++] =
      (mw_member){ .from = from, .to = to, .n_elem = n_elem, .up = { 0.1, 0.2, 1.0 } };
}

mw_attach *fixture_attach(fixture_body *f, const char *name, mw_attach_kind kind, const char *set)
{
  mw_attach *a = &f->attach[f->body.n_attach++];
  *a = (mw_attach){ .name = name, .kind = kind, .set = set };
  return a;
}

void fixture_support(fixture_body *f, const char *set)
{
  f->support[f->body.n_support++] = (mw_support){ .set = set, .dof = { 1, 1, 1, 1, 1, 1 } };
}

mw_guide_in *fixture_guide(fixture_body *f, const char *name, int from, int to)
{
  mw_guide_in *g = &f->guide[f->body.n_guide++];
  *g = (mw_guide_in){ .name = name, .from = from, .to = to, .normal = { 0.3, 0.1, 1.0 } };
  return g;
}

// ---- box of tetrahedra ----

typedef struct box {
  const int *n;
  const double *x0, *l, *rotate;
  FILE *f;
} box;

// node tag at half-steps i, j, k
static int box_tag(const box *b, int i, int j, int k)
{
  return 1 + i + (2 * b->n[0] + 1) * (j + (2 * b->n[1] + 1) * k);
}

static void box_nodes(const box *b)
{
  int m[3] = { 2 * b->n[0] + 1, 2 * b->n[1] + 1, 2 * b->n[2] + 1 }, n = m[0] * m[1] * m[2];
  fprintf(b->f, "$Nodes\n1 %d 1 %d\n3 1 0 %d\n", n, n, n);
  for (int t = 1; t <= n; t++) fprintf(b->f, "%d\n", t);
  for (int k = 0; k < m[2]; k++)
    for (int j = 0; j < m[1]; j++)
      for (int i = 0; i < m[0]; i++) {
        double x[3] = { b->x0[0] + b->l[0] * i / (m[0] - 1), b->x0[1] + b->l[1] * j / (m[1] - 1),
                        b->x0[2] + b->l[2] * k / (m[2] - 1) };
        if (b->rotate != NULL) mw_mul33v(b->rotate, x, x);
        fprintf(b->f, "%.17g %.17g %.17g\n", x[0], x[1], x[2]);
      }
  fprintf(b->f, "$EndNodes\n");
}

// the six tetrahedra around the diagonal of brick (i, j, k): one for each order of the axes
static void box_brick(const box *b, int i, int j, int k, int *tag)
{
  static const int ORDER[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
                                   { 1, 0, 2 }, { 0, 2, 1 }, { 2, 1, 0 } };
  static const int GMSH[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 0 }, { 2, 3 }, { 1, 3 } };
  for (int o = 0; o < 6; o++) {
    int c[4][3] = { { 2 * i, 2 * j, 2 * k } };
    for (int s = 0; s < 3; s++) {
      memcpy(c[s + 1], c[s], sizeof c[s]);
      c[s + 1][ORDER[o][s]] += 2;
    }
    for (int a = 0; a < 3 && o >= 3; a++) {  // odd orders are left-handed
      int t = c[1][a];
      c[1][a] = c[2][a];
      c[2][a] = t;
    }
    fprintf(b->f, "%d", (*tag)++);
    for (int a = 0; a < 4; a++) fprintf(b->f, " %d", box_tag(b, c[a][0], c[a][1], c[a][2]));
    for (int e = 0; e < 6; e++) {
      const int *p = c[GMSH[e][0]], *q = c[GMSH[e][1]];
      fprintf(b->f, " %d", box_tag(b, (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2));
    }
    fprintf(b->f, "\n");
  }
}

// points (type 15) stand for the faces and edges: a set is made of the nodes of its elements,
// whatever they are
static void box_sets(const box *b, int *tag)
{
  int m[3] = { 2 * b->n[0] + 1, 2 * b->n[1] + 1, 2 * b->n[2] + 1 };
  for (int side = 0; side < 2; side++) {
    fprintf(b->f, "2 %d 15 %d\n", side + 1, m[1] * m[2]);
    for (int k = 0; k < m[2]; k++)
      for (int j = 0; j < m[1]; j++)
        fprintf(b->f, "%d %d\n", (*tag)++, box_tag(b, side * (m[0] - 1), j, k));
  }
  for (int side = 0; side < 2; side++) {
    fprintf(b->f, "1 %d 15 %d\n", side + 1, m[0]);
    for (int i = 0; i < m[0]; i++)
      fprintf(b->f, "%d %d\n", (*tag)++, box_tag(b, i, side * (m[1] - 1), side * (m[2] - 1)));
  }
}

int fixture_box(const char *path, const int n[3], const double x0[3], const double l[3],
                const double *rotate)
{
  box b = { n, x0, l, rotate, fopen(path, "w") };
  if (b.f == NULL) return 1;
  int n_tet = 6 * n[0] * n[1] * n[2], tag = 1;
  int n_set = 2 * (2 * n[1] + 1) * (2 * n[2] + 1) + 2 * (2 * n[0] + 1);
  fprintf(b.f, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n");
  fprintf(
      b.f,
      "1 1 \"edge\"\n1 2 \"far_edge\"\n2 1 \"x0\"\n2 2 \"x1\"\n3 1 \"body\"\n$EndPhysicalNames\n");
  fprintf(b.f, "$Entities\n0 2 2 1\n");
  for (int d = 1; d <= 3; d++)
    for (int k = 1; k <= (d < 3 ? 2 : 1); k++) fprintf(b.f, "%d 0 0 0 1 1 1 1 %d 0\n", k, k);
  fprintf(b.f, "$EndEntities\n");
  box_nodes(&b);
  fprintf(b.f, "$Elements\n5 %d 1 %d\n3 1 11 %d\n", n_tet + n_set, n_tet + n_set, n_tet);
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) box_brick(&b, i, j, k, &tag);
  box_sets(&b, &tag);
  fprintf(b.f, "$EndElements\n");
  return fclose(b.f) != 0;
}

void fixture_dense(const mw_csc *A, double *D)
{
  memset(D, 0, (size_t)A->n_row * (size_t)A->n_col * sizeof *D);
  for (int j = 0; j < A->n_col; j++)
    for (int p = A->ptr[j]; p < A->ptr[j + 1]; p++) {
      D[(size_t)A->row[p] * (size_t)A->n_col + (size_t)j] = A->val[p];
      if (A->sym) D[(size_t)j * (size_t)A->n_col + (size_t)A->row[p]] = A->val[p];
    }
}

double fixture_random(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}
