// SPDX-License-Identifier: BSD-3-Clause
// fixture_part.c: see fixture_part.h.
#include "fixture_part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fem/strain.h"
#include "fixture_grid.h"
#include "mw_test.h"

static const mw_elem_kind SOLID[FIXTURE_SOLIDS] = {
  MW_ELEM_TET4, MW_ELEM_TET10, MW_ELEM_HEX8, MW_ELEM_HEX20, MW_ELEM_WEDGE6, MW_ELEM_WEDGE15
};

const char *fixture_part_mesh(void)
{
  static char path[64];
  snprintf(path, sizeof path, "fixture_part_%ld.msh", (long)getpid());
  return path;
}

void fixture_part_init(fixture_part *t, bool ground)
{
  memset(t, 0, sizeof *t);
  fixture_init(&t->f);
  t->f.body.ground = ground;
  t->f.body.node_set = t->set;
  t->f.body.tie = &t->tie;
  t->f.body.part = &t->mesh_part;
}

void fixture_part_free(fixture_part *t) { mw_arena_free(&t->mem); }

void fixture_part_set(fixture_part *t, const char *name, double lo, double hi)
{
  t->set[t->f.body.n_node_set++] = (mw_node_set_in){ .name = name,
                                                     .kind = MW_PICK_BOX,
                                                     .p = { lo, -10.0, -10.0 },
                                                     .q = { hi, 10.0, 10.0 },
                                                     .within = 1e-9 };
}

bool fixture_part_build(fixture_part *t)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_body_build(&t->f.model, 0, &t->mem, &t->b, &err));
}

void fixture_part_hold_ends(fixture_part *t, double L)
{
  fixture_part_set(t, "end", 0.0, 0.0);
  fixture_part_set(t, "far", L, L);
  fixture_support(&t->f, "end");
  fixture_attach(&t->f, "plate", MW_ATTACH_RIGID, "far");
}

bool fixture_part_box(fixture_part *t, mw_elem_kind kind, const int n[3], const double l[3],
                      bool ground, void (*warp)(double *))
{
  fixture_grid_box box = { kind, { n[0], n[1], n[2] }, { 0, 0, 0 }, { l[0], l[1], l[2] }, warp };
  fixture_part_init(t, ground);
  if (!MW_CHECK(fixture_grid(fixture_part_mesh(), 1, &box) == 0)) return false;
  t->f.body.mesh = fixture_part_mesh();
  if (ground) fixture_part_hold_ends(t, l[0]);
  return fixture_part_build(t);
}

bool fixture_part_plate(fixture_part *t, mw_elem_kind kind, const int n[2], const double l[2],
                        double thick, bool ground, double fold)
{
  int nx = n[0], ny = n[1], tri = kind == MW_ELEM_TRI3, tag = 1;
  fixture_part_init(t, ground);
  FILE *f = fopen(fixture_part_mesh(), "w");
  if (!MW_CHECK(f != NULL)) return false;
  fprintf(f,
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"skin\"\n"
          "$EndPhysicalNames\n$Nodes\n%d\n",
          (nx + 1) * (ny + 1));
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++)
      fprintf(f, "%d %.17g %.17g %.17g\n", 1 + i + (nx + 1) * j, l[0] * i / nx, l[1] * j / ny,
              fold * fabs(l[1] * j / ny - 0.5 * l[1]));
  fprintf(f, "$EndNodes\n$Elements\n%d\n", nx * ny * (tri ? 2 : 1));
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int a = 1 + i + (nx + 1) * j, b = a + 1, c = b + nx + 1, d = a + nx + 1;
      if (!tri) {
        fprintf(f, "%d 3 2 1 1 %d %d %d %d\n", tag++, a, b, c, d);
      } else if ((i + j) % 2) {
        fprintf(f, "%d 2 2 1 1 %d %d %d\n%d 2 2 1 1 %d %d %d\n", tag, a, b, c, tag + 1, a, c, d);
        tag += 2;
      } else {
        fprintf(f, "%d 2 2 1 1 %d %d %d\n%d 2 2 1 1 %d %d %d\n", tag, a, b, d, tag + 1, b, c, d);
        tag += 2;
      }
    }
  fprintf(f, "$EndElements\n");
  if (!MW_CHECK(fclose(f) == 0)) return false;
  t->f.body.mesh = fixture_part_mesh();
  t->mesh_part = (mw_part_in){ .name = "skin", .material = -1, .thickness = thick };
  t->f.body.n_part = 1;
  if (ground) fixture_part_hold_ends(t, l[0]);
  return fixture_part_build(t);
}

bool fixture_part_frame(fixture_part *t)
{
  fixture_part_init(t, false);
  int o = fixture_point(&t->f, "o", 0.1, 0.2, -0.1), a = fixture_point(&t->f, "a", 1.0, 0.3, 0.2),
      b = fixture_point(&t->f, "b", 0.3, 1.1, 0.4), c = fixture_point(&t->f, "c", -0.2, 0.4, 0.9);
  fixture_member(&t->f, o, a, 3);
  fixture_member(&t->f, o, b, 2);
  fixture_member(&t->f, c, o, 2);
  fixture_member(&t->f, a, b, 2);
  return fixture_part_build(t);
}

bool fixture_part_beam(fixture_part *t, int n, double L, bool ground)
{
  fixture_part_init(t, ground);
  int a = fixture_point(&t->f, "end", 0, 0, 0), b = fixture_point(&t->f, "tip", L, 0, 0);
  fixture_member(&t->f, a, b, n);
  t->f.member[0].up[0] = t->f.member[0].up[1] = 0.0;
  if (ground) fixture_support(&t->f, "end");
  fixture_attach(&t->f, "plate", MW_ATTACH_NODE, "tip");
  return fixture_part_build(t);
}

static void warp(double x[3])
{
  double y = x[1], z = x[2];
  x[0] += 0.1 * y * z + 0.03 * x[0] * x[0];
  x[1] += 0.07 * x[0] * z - 0.05 * z;
  x[2] += 0.04 * x[0] + 0.06 * y * y;
}

bool fixture_part_any(fixture_part *t, int k)
{
  const int n3[3] = { 2, 1, 1 }, n2[2] = { 3, 2 };
  const double l3[3] = { 1.0, 0.5, 0.4 }, l2[2] = { 1.0, 0.6 };
  if (k < FIXTURE_SOLIDS) return fixture_part_box(t, SOLID[k], n3, l3, false, warp);
  if (k == FIXTURE_SOLIDS) return fixture_part_plate(t, MW_ELEM_TRI3, n2, l2, 0.02, false, 0.3);
  if (k == FIXTURE_SOLIDS + 1)
    return fixture_part_plate(t, MW_ELEM_QUAD4, n2, l2, 0.02, false, 0.0);
  if (k == FIXTURE_SOLIDS + 2) return fixture_part_frame(t);
  if (k == FIXTURE_PATCHED) return fixture_part_plate(t, MW_ELEM_QUAD4, n2, l2, 0.02, true, 0.0);
  fixture_grid_box box[2] = {
    { MW_ELEM_HEX8, { 2, 2, 1 }, { 0, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL },
    { MW_ELEM_TET10, { 2, 1, 1 }, { 0.101, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL }
  };
  fixture_part_init(t, true);
  if (!MW_CHECK(fixture_grid(fixture_part_mesh(), 2, box) == 0)) return false;
  t->f.body.mesh = fixture_part_mesh();
  t->f.body.n_tie = 1;
  t->tie = (mw_tie_in){ .slave = "right", .master = "left", .distance = 0.005 };
  fixture_part_set(t, "left", 0.1, 0.1);
  fixture_part_set(t, "right", 0.101, 0.101);
  fixture_part_hold_ends(t, 0.201);
  return fixture_part_build(t);
}

double *fixture_part_vector(fixture_part *t, unsigned seed, double size)
{
  double *u = mw_arena_f64(&t->mem, (size_t)t->b.n_u);
  for (int i = 0; i < t->b.n_u; i++) u[i] = size * fixture_random(&seed);
  return u;
}

double fixture_part_force(fixture_part *t, const double *u, double *f)
{
  mw_error err = { 0 };
  double V = 0.0, *work = mw_arena_f64(&t->mem, (size_t)mw_body_strain_work(&t->b));
  memset(f, 0, (size_t)t->b.n_u * sizeof *f);
  MW_OKAY(mw_body_strain_force(&t->b, u, f, &V, work, &err));
  return V;
}
