// SPDX-License-Identifier: BSD-3-Clause
// test_body_parts.c: parts and materials of a mesh, node sets by place, pieces, and what cannot be
// meant is refused.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture_body.h"
#include "mw_test.h"

static const char *MESH = "test_body_parts.tmp.msh", *INP = "test_body_parts.tmp.inp";

// A box of 2 × 1 × 1 bricks of tetrahedra, corner at (0.1, 0, 0), sides 0.4 × 0.1 × 0.2 m, a free
// body
static void box_body(fixture_body *f)
{
  static const int n[3] = { 2, 1, 1 };
  static const double x0[3] = { 0.1, 0.0, 0.0 }, l[3] = { 0.4, 0.1, 0.2 };
  fixture_init(f);
  MW_CHECK(fixture_box(MESH, n, x0, l, NULL) == 0);
  f->body.mesh = MESH;
}

// Two unit cubes of one 8-node brick each, in millimetres: ELSETs A and B with the file's own
// materials; apart by `gap`.
static void two_cubes(double gap)
{
  FILE *f = fopen(INP, "w");
  if (!MW_CHECK(f != NULL)) return;
  fprintf(f, "*NODE\n");
  for (int k = 0; k < 16; k++)
    fprintf(f, "%d, %g, %d, %d\n", k + 1, (k % 2) * 100 + (k / 8) * (100 + gap), (k / 2 % 2) * 100,
            (k / 4 % 2) * 100);
  for (int c = 0; c < 2; c++) {
    int o = 8 * c;
    fprintf(f, "*ELEMENT, TYPE=C3D8, ELSET=%c\n%d, %d, %d, %d, %d, %d, %d, %d, %d\n", 'A' + c,
            c + 1, o + 1, o + 2, o + 4, o + 3, o + 5, o + 6, o + 8, o + 7);
  }
  fprintf(f, "*MATERIAL, NAME=M1\n*ELASTIC\n210000, 0.3\n*DENSITY\n7.8e-9\n");
  fprintf(f, "*MATERIAL, NAME=M2\n*ELASTIC\n70000, 0.3\n*DENSITY\n2.7e-9\n");
  fprintf(f, "*SOLID SECTION, ELSET=A, MATERIAL=M1\n*SOLID SECTION, ELSET=B, MATERIAL=M2\n");
  MW_CHECK(fclose(f) == 0);
}

static void cube_body(fixture_body *f, double gap)
{
  fixture_init(f);
  two_cubes(gap);
  f->body.mesh = INP;
  f->body.mesh_scale = 1e-3;
  f->body.has_unit = true;
  f->body.mesh_material = -1;
}

static void refused(const fixture_body *f, const char *part_of_message)
{
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  MW_FAILS(mw_body_build(&f->model, 0, &mem, &b, &err), MW_ERR_INPUT);
  if (!MW_CHECK(strstr(err.msg, part_of_message) != NULL))
    printf("want %s\ngot  %s\n", part_of_message, err.msg);
  mw_arena_free(&mem);
}

// ---- node sets ----------------------------------------------------------------------------------

// The frame `average` of the set: its nodes' mean is its origin.
static void check_centre(mw_node_set_in set, double x, double y, double z)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b = { 0 };
  mw_error err = { 0 };
  box_body(&f);
  set.name = "here";
  f.body.node_set = &set;
  f.body.n_node_set = 1;
  fixture_attach(&f, "mean", MW_ATTACH_AVERAGE, "here");
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
    // nodes of a regular box, about 30 of them, coordinates below 1
    double tol = 64.0 * DBL_EPSILON;
    MW_NEAR(b.frame[0].X[0], x, tol);
    MW_NEAR(b.frame[0].X[1], y, tol);
    MW_NEAR(b.frame[0].X[2], z, tol);
  }
  mw_arena_free(&mem);
}

static void sets_take_the_nodes_of_their_place(void)
{
  check_centre((mw_node_set_in){ .kind = MW_PICK_PLANE, .p = { 7, 0.1, 7 }, .q = { 0, -3, 0 } },
               0.3, 0.1, 0.1);
  check_centre(
      (mw_node_set_in){ .kind = MW_PICK_BOX, .p = { 0.2, 0.2, 0.3 }, .q = { 0.05, -1, 0 } }, 0.15,
      0.05, 0.1);
  // a circle of radius 0.1 about the middle of the left end meets the middles of its upper and
  // lower edges' lines
  check_centre(
      (mw_node_set_in){
          .kind = MW_PICK_CYLINDER, .p = { 0.0, 0.05, 0.1 }, .q = { 1.0, 0.05, 0.1 }, .r = 0.1 },
      0.3, 0.05, 0.1);
}

static void sets_without_nodes_or_with_a_name_of_the_mesh_are_refused(void)
{
  fixture_body f;
  int tag[3] = { 1, 2, 1000000 };
  mw_node_set_in set = {
    .name = "here", .kind = MW_PICK_PLANE, .p = { 9, 0, 0 }, .q = { 1, 0, 0 }
  };
  box_body(&f);
  f.body.node_set = &set;
  f.body.n_node_set = 1;
  refused(&f, "takes no node");
  set = (mw_node_set_in){ .name = "here", .kind = MW_PICK_TAGS, .n_tag = 3, .tag = tag };
  refused(&f, "names 3 nodes, of which body 'part' has 2");
  set.name = "edge";
  refused(&f, "has a set 'edge' of its own");
}

// ---- parts --------------------------------------------------------------------------------------

static void parts_have_the_materials_of_file_body_and_part(void)
{
  fixture_body f;
  mw_material light = { .name = "light", .E = 1e9, .nu = 0.3, .rho = 1000.0 };
  mw_part_in part = { .name = "B", .material = 0 };
  mw_error err = { 0 };
  cube_body(&f, 0.0);
  f.body.ground = true;
  mw_node_set_in set = { .name = "ends", .kind = MW_PICK_PLANE, .q = { 0, 0, 1 } };
  f.body.node_set = &set;
  f.body.n_node_set = 1;
  fixture_support(&f, "ends");
  // the file's materials, in tonne, mm, N; 0.1 m cubes: 1e-3 m³
  static const double want[4] = { 7.8 + 2.7, 7.8 + 1.0, 2.0, 1.0 + 7.85 };
  for (int k = 0; k < 4; k++) {
    mw_arena mem = { 0 };
    mw_body b = { 0 };
    if (k == 1) f.model.material = &light, f.body.part = &part, f.body.n_part = 1;
    if (k == 2) f.body.mesh_material = 0, f.body.n_part = 0;
    mw_material both[2] = { light, f.material };
    if (k == 3) f.model.material = both, f.model.n_material = 2, f.body.mesh_material = 1;
    if (k == 3) f.body.n_part = 1, part.material = 0;
    // a product of a handful of numbers, sums over 2 × 64 terms
    if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err)))
      MW_NEAR(b.m, want[k], 200.0 * DBL_EPSILON * want[k]);
    mw_arena_free(&mem);
  }
}

static void parts_that_are_not_there_are_refused(void)
{
  fixture_body f;
  mw_part_in part = { .name = "C", .material = 0 };
  cube_body(&f, 0.0);
  f.body.part = &part;
  f.body.n_part = 1;
  refused(&f, "has no part 'C', it has: A, B");
  part = (mw_part_in){ .name = "A", .material = 0, .thickness = 0.001 };
  refused(&f, "made of solids, it has no thickness");
}

// ---- pieces, units, expectations ----------------------------------------------------------------

static void pieces_must_hang_together_or_be_held(void)
{
  fixture_body f;
  cube_body(&f, 1.0);
  refused(&f, "falls into 2 pieces");
  mw_node_set_in set = { .name = "end", .kind = MW_PICK_PLANE, .q = { 1, 0, 0 } };
  f.body.node_set = &set;
  f.body.n_node_set = 1;
  f.body.ground = true;
  fixture_support(&f, "end");
  refused(&f, "1 pieces of body 'part' are held by no support");
}

static void lengths_in_a_unit_nobody_declared_are_refused(void)
{
  fixture_body f;
  box_body(&f);
  f.body.mesh_scale = 1000.0;
  refused(&f, "say in which unit its file is");
  f.body.mesh_scale = 1e-3;
  refused(&f, "say in which unit its file is");
  f.body.has_unit = true;
  mw_arena mem = { 0 };
  mw_body b = { 0 };
  mw_error err = { 0 };
  MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err));
  mw_arena_free(&mem);
}

static void bodies_that_are_not_what_cad_says_are_refused(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b = { 0 };
  mw_error err = { 0 };
  double m = 7850.0 * 0.4 * 0.1 * 0.2;
  box_body(&f);
  // closed forms of a brick: a² + b² over 12
  mw_expected_in right = { .present = true,
                           .mass = m,
                           .has_com = true,
                           .com = { 0.3, 0.05, 0.1 },
                           .has_inertia = true,
                           .inertia = { m * (0.01 + 0.04) / 12.0, m * (0.16 + 0.04) / 12.0,
                                        m * (0.16 + 0.01) / 12.0 },
                           .tolerance = 1e-12 };
  f.body.expected = right;
  MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err));
  mw_arena_free(&mem);
  f.body.expected.mass *= 1.0 + 1e-9;
  refused(&f, "expected 62.8 kg");
  f.body.expected.mass = 1e-9 * m;
  refused(&f, "is the unit of the file right?");
  f.body.expected = right;
  f.body.expected.com[1] += 1e-9;
  refused(&f, "centre of mass");
  f.body.expected = right;
  f.body.expected.inertia[5] = 1e-9;
  refused(&f, "Iyz");
}

static const mw_test_case cases[] = {
  { "sets_take_the_nodes_of_their_place", sets_take_the_nodes_of_their_place },
  { "sets_without_nodes_or_with_a_name_of_the_mesh_are_refused",
    sets_without_nodes_or_with_a_name_of_the_mesh_are_refused },
  { "parts_have_the_materials_of_file_body_and_part",
    parts_have_the_materials_of_file_body_and_part },
  { "parts_that_are_not_there_are_refused", parts_that_are_not_there_are_refused },
  { "pieces_must_hang_together_or_be_held", pieces_must_hang_together_or_be_held },
  { "lengths_in_a_unit_nobody_declared_are_refused",
    lengths_in_a_unit_nobody_declared_are_refused },
  { "bodies_that_are_not_what_cad_says_are_refused",
    bodies_that_are_not_what_cad_says_are_refused },
};

int main(void)
{
  int rc = mw_test_run("body_parts", cases, (int)(sizeof cases / sizeof *cases));
  remove(MESH);
  remove(INP);
  return rc;
}
