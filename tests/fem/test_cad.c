// SPDX-License-Identifier: BSD-3-Clause
// test_cad.c: CAD files become meshes: integrals and units, groups, refinement, curved elements,
// the cache, and frequencies against a mesh made by hand.
//
// The part of most tests: a plate a × b × c with a hole of radius r along c, in millimetres.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/factor.h"
#include "fixture_cad.h"
#include "mw_test.h"

#define PLATE FIXTURE_CAD "/plate.step"

static const double PI = 3.14159265358979323846;

// The plate with its lengths times f.
static int make_plate(const char *name, double f)
{
  char text[512];
  snprintf(text, sizeof text,
           "Box(1) = {0, 0, 0, %.17g, %.17g, %.17g};\n"
           "Cylinder(2) = {%.17g, %.17g, %.17g, 0, 0, %.17g, %.17g};\n"
           "BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };\n",
           100 * f, 50 * f, 20 * f, 30 * f, 25 * f, -f, 22 * f, 10 * f);
  return fixture_cad_step(name, text);
}

// volume, centre and inertia about it of the plate in metres, unit density
static void plate_integrals(double *V, double c[3], double I[6])
{
  static const double l[3] = { 0.1, 0.05, 0.02 }, hole[3] = { 0.03, 0.025, 0.01 };
  double r = 0.01, v = l[0] * l[1] * l[2], w = PI * r * r * l[2], dx, ex;
  *V = v - w;
  for (int i = 0; i < 3; i++) c[i] = (v * 0.5 * l[i] - w * hole[i]) / *V;
  dx = 0.5 * l[0] - c[0];
  ex = hole[0] - c[0];
  // box and cylinder about their own centres, then the shift along x
  I[0] = v * (l[1] * l[1] + l[2] * l[2]) / 12 - w * (3 * r * r + l[2] * l[2]) / 12;
  I[1] = v * (l[0] * l[0] + l[2] * l[2]) / 12 + v * dx * dx - w * (3 * r * r + l[2] * l[2]) / 12 -
         w * ex * ex;
  I[2] = v * (l[0] * l[0] + l[1] * l[1]) / 12 + v * dx * dx - w * r * r / 2 - w * ex * ex;
  I[3] = I[4] = I[5] = 0.0;
}

// why bounds hold for what a file describes
#define ACCURACY "the accuracy that the file states"

// u: what the file says of its own accuracy (m): each of its faces may lie that far off
static void check_plate(const mw_cad_props *p, double u)
{
  double V, c[3], I[6], area = 0.0166283, far = 0.06;  // m², m: surface, largest distance from c
  plate_integrals(&V, c, I);
  MW_CHECK(p->known && p->n_solid == 1 && p->n_face == 7 && p->n_edge == 15);
  MW_WITHIN(p->volume, V, area * u, ACCURACY);
  for (int i = 0; i < 3; i++) MW_WITHIN(p->com[i], c[i], 2 * area * u * far / V, ACCURACY);
  for (int i = 0; i < 6; i++) MW_WITHIN(p->inertia[i], I[i], area * u * far * far, ACCURACY);
}

static void integrals_are_those_of_a_plate_with_a_hole(void)
{
  fixture_cad c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_cad_props p;
  mw_mesh mesh;
  fixture_cad_init(&c, PLATE, 0.02);
  if (MW_OKAY(fixture_cad_mesh(&c, &mem, &mesh, &p, &err))) {
    check_plate(&p, 1e-10);  // the file: UNCERTAINTY 1e-7 mm
    // the rim is n parabolas instead of arcs of the angle t = 2π/n: n chords would leave out
    // r² (t − sin t)/2 each; parabolas are better by t²/40 at least, flanks between the rims are
    // made of curved edges of the same length: a tenth of the chords' error bounds them
    const mw_mesh_set *rim = fixture_cad_set(&mesh, "edge_10");
    int n = rim ? rim->n / 2 : 0;
    MW_CHECK(n >= 6);
    double t = 2 * PI / n, chords = 0.02 * n * 1e-4 * (t - sin(t)) / 2;
    MW_NEAR(p.mesh_volume, p.volume, 0.1 * chords);
    MW_CHECK(mesh.n_part == 1 && strcmp(mesh.part[0].name, "solid") == 0);
  }
  mw_arena_free(&mem);
}

// The mass of the body built on it is the volume the mesher found times density: two codes
// integrate
static void body_has_the_mass_of_the_mesh(void)
{
  fixture_cad c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_body b;
  fixture_cad_init(&c, PLATE, 0.02);
  if (MW_OKAY(mw_body_build(&c.f.model, 0, &mem, &b, &err)) && MW_CHECK(b.cad != NULL)) {
    // some 1000 elements of equal sign; coordinates are written in full
    double want = 7850.0 * b.cad->mesh_volume;
    MW_NEAR(b.m, want, 1e4 * 2.3e-16 * want);
  }
  mw_arena_free(&mem);
}

// ---- units ----

static void check_file(const char *file, double scale, double size, double u)
{
  fixture_cad c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_cad_props p;
  mw_mesh mesh;
  fixture_cad_init(&c, file, size);
  c.cad.scale = scale;
  if (MW_OKAY(fixture_cad_mesh(&c, &mem, &mesh, &p, &err))) {
    double hi[3] = { 0 };
    check_plate(&p, u);
    for (int k = 0; k < 3 * mesh.n_node; k++) hi[k % 3] = fmax(hi[k % 3], mesh.x[k]);
    static const double want[3] = { 0.1, 0.05, 0.02 };
    for (int i = 0; i < 3; i++) MW_WITHIN(hi[i], want[i], u, ACCURACY);
  }
  mw_arena_free(&mem);
}

#define UNIT_MM   "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) )"
#define UNIT_M    "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) )"
#define UNIT_INCH "( CONVERSION_BASED_UNIT('INCH',#90001) LENGTH_UNIT() NAMED_UNIT(#90003) )"
// an inch by its length in millimetres
#define DEFINED_INCH                                                                               \
  "#90001 = LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#90002);\n#90002 = " UNIT_MM             \
  ";\n#90003 = DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);\nENDSEC;\nEND-ISO"

static void inches_metres_and_millimetres_give_the_same_part(void)
{
  MW_CHECK(make_plate("inch", 1 / 25.4) == 0 && make_plate("metre", 1e-3) == 0);
  MW_CHECK(fixture_cad_replace(FIXTURE_CAD "/inch.step", UNIT_MM, UNIT_INCH) == 1);
  MW_CHECK(fixture_cad_replace(FIXTURE_CAD "/inch.step", "ENDSEC;\nEND-ISO", DEFINED_INCH) == 1);
  MW_CHECK(fixture_cad_replace(FIXTURE_CAD "/metre.step", UNIT_MM, UNIT_M) == 1);
  // the files say 1e-7 of their units
  check_file(FIXTURE_CAD "/inch.step", 0.0, 0.02, 2.54e-9);
  check_file(FIXTURE_CAD "/metre.step", 0.0, 0.02, 1e-7);
  check_file(PLATE, 0.0, 0.02, 1e-10);
}

static void scripts_and_iges_give_the_same_part(void)
{
  // a script has no unit; its boxes are exact up to the rounding of OpenCASCADE's curves
  check_file(FIXTURE_CAD "/plate.geo", 1e-3, 0.02, 1e-10);
  // made by occt-draw 7.6.3: box b 100 50 20; pcylinder c 10 22; ttranslate c 30 25 -1; bcut r b c;
  // brepiges r: faces without solids that have to be sewn, to 1e-6 m
  check_file(MW_TESTS_DIR "/fem/cad_faces.igs", 0.0, 0.02, 1e-6);
}

// ---- groups and sizes ----

static void groups_are_the_nodes_on_their_face_and_edge(void)
{
  fixture_cad c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_cad_props p;
  mw_mesh mesh;
  fixture_cad_init(&c, PLATE, 0.005);
  fixture_cad_group(&c, "bore", 2, 0.03, 0.035, 0.008);
  fixture_cad_group(&c, "rail", 1, 0.06, 0.0004, 0.0203);  // 0.5 mm off the edge
  if (MW_OKAY(fixture_cad_mesh(&c, &mem, &mesh, &p, &err))) {
    const mw_mesh_set *bore = fixture_cad_set(&mesh, "bore"),
                      *rail = fixture_cad_set(&mesh, "rail");
    int n_bore = 0, n_rail = 0;
    // curved elements have their nodes on the CAD surface, to the file's 1e-10 m
    for (int k = 0; k < mesh.n_node; k++) {
      const double *x = mesh.x + 3 * (size_t)k;
      n_bore += fabs(hypot(x[0] - 0.03, x[1] - 0.025) - 0.01) < 1e-10;
      n_rail += fabs(x[1]) < 1e-10 && fabs(x[2] - 0.02) < 1e-10;
    }
    MW_CHECK(p.n_straight == 0);
    MW_CHECK(bore != NULL && bore->dim == 2 && bore->n == n_bore && n_bore > 40);
    MW_CHECK(rail != NULL && rail->dim == 1 && rail->n == n_rail && n_rail >= 21);
    for (int k = 0; bore != NULL && k < bore->n; k++) {
      const double *x = mesh.x + 3 * (size_t)bore->node[k];
      MW_WITHIN(hypot(x[0] - 0.03, x[1] - 0.025), 0.01, 1e-10, ACCURACY);
    }
    for (int k = 0; rail != NULL && k < rail->n; k++) {
      const double *x = mesh.x + 3 * (size_t)rail->node[k];
      MW_WITHIN(x[1], 0.0, 1e-10, ACCURACY);
      MW_WITHIN(x[2], 0.02, 1e-10, ACCURACY);
    }
  }
  mw_arena_free(&mem);
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// corners of the edges, mid-edge nodes 4 to 9
static const int mid_end[6][2] = { { 0, 1 }, { 1, 2 }, { 0, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

// Median edge of the elements whose centre is between lo and hi away from the hole's axis. m
static double median_edge(const mw_mesh *m, double lo, double hi)
{
  double *edge = malloc(6 * (size_t)m->n_elem * sizeof *edge), median = NAN;
  int n = 0;
  for (int e = 0; edge != NULL && e < m->n_elem; e++) {
    const int *node = m->elem_node + m->elem_ptr[e];
    double c[2] = { 0 };
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 2; k++) c[k] += 0.25 * m->x[3 * (size_t)node[i] + (size_t)k];
    double d = hypot(c[0] - 0.03, c[1] - 0.025);
    for (int i = 0; i < 6 && d >= lo && d <= hi; i++) {
      const double *a = m->x + 3 * (size_t)node[mid_end[i][0]];
      const double *b = m->x + 3 * (size_t)node[mid_end[i][1]];
      edge[n++] = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    }
  }
  if (n > 0) qsort(edge, (size_t)n, sizeof *edge, by_value);
  if (n > 0) median = edge[n / 2];
  free(edge);
  return median;
}

// Sizes are goals: meshers split edges above 1.4 of it and merge those below 0.7, the median lies
// between
static void elements_are_small_where_asked_and_only_there(void)
{
  for (int point = 0; point < 2; point++) {
    fixture_cad c;
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_cad_props p;
    mw_mesh mesh;
    fixture_cad_init(&c, PLATE, 0.01);
    fixture_cad_group(&c, "bore", 2, 0.03, 0.035, 0.01);
    // 3 mm from the mantle, or 16 mm around the middle of the hole, where no material is
    c.refine[0] = point ? (mw_cad_refine_in){ .x = { 0.03, 0.025, 0.01 }, .distance = 0.016 }
                        : (mw_cad_refine_in){ .group = "bore", .distance = 0.004 };
    c.refine[0].size = 0.002;
    c.cad.n_refine = 1;
    if (MW_OKAY(fixture_cad_mesh(&c, &mem, &mesh, &p, &err))) {
      MW_NEAR(median_edge(&mesh, 0.01, 0.013), 0.002, 0.4 * 0.002);
      // at most beyond twice the distance: the general size
      MW_NEAR(median_edge(&mesh, point ? 0.04 : 0.03, 0.08), 0.01, 0.4 * 0.01);
    }
    mw_arena_free(&mem);
  }
}

// STEP files keep solids apart; a script glues them where they touch
static void several_solids_that_share_faces_are_parts(void)
{
  fixture_cad c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_cad_props p;
  mw_mesh mesh;
  MW_CHECK(fixture_cad_step("pair", "Box(1) = {0, 0, 0, 10, 10, 10};\n"
                                    "Box(2) = {10, 0, 0, 20, 10, 10};\n") == 0);
  MW_CHECK(fixture_cad_write(FIXTURE_CAD "/glued.geo",
                             "SetFactory(\"OpenCASCADE\");\nMerge \"pair.step\";\nCoherence;\n") ==
           0);
  fixture_cad_init(&c, FIXTURE_CAD "/pair.step", 0.01);
  MW_FAILS(fixture_cad_mesh(&c, &mem, &mesh, &p, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "2 solids in 2 pieces") != NULL);
  fixture_cad_init(&c, FIXTURE_CAD "/glued.geo", 0.01);
  c.cad.scale = 1e-3;
  if (MW_OKAY(fixture_cad_mesh(&c, &mem, &mesh, &p, &err))) {
    MW_CHECK(p.n_solid == 2 && p.n_face == 11 && mesh.n_part == 2);
    MW_CHECK(strcmp(mesh.part[0].name, "solid_1") == 0 &&
             strcmp(mesh.part[1].name, "solid_2") == 0);
    // two cuboids of 10 and 20 mm in a row: centre at 15 mm, I_xx and I_yy of 30 × 10 × 10 mm
    double V = 3e-6;
    MW_WITHIN(p.volume, V, 1.4e-3 * 1e-10, ACCURACY);
    MW_WITHIN(p.com[0], 0.015, 1e-10, ACCURACY);
    MW_WITHIN(p.inertia[0], V * 2e-4 / 12, 1e-13 * 4e-4, ACCURACY);
    MW_WITHIN(p.inertia[1], V * (9e-4 + 1e-4) / 12, 1.4e-13 * 4e-4, ACCURACY);
    // flat faces: the mesh is exact; a hundred operations an element
    MW_NEAR(p.mesh_volume, V, mw_test_rounding(100.0 * mesh.n_elem, V));
  }
  mw_arena_free(&mem);
}

// det ∂x/∂(λ1, λ2, λ3) at l [4] by the derivatives of the ten shape functions
static double jacobian(const mw_mesh *mesh, int e, const double l[4])
{
  const int *node = mesh->elem_node + mesh->elem_ptr[e];
  double G[3][3] = { { 0 } }, c[3];
  for (int k = 0; k < 10; k++)
    for (int m = 1; m < 4; m++) {
      const int *end = k < 4 ? NULL : mid_end[k - 4];
      double dN = 0.0;  // ∂N_k/∂λ_m − ∂N_k/∂λ_0
      if (k < 4) dN = (4 * l[k] - 1) * ((k == m) - (k == 0));
      for (int s = 0; s < 2 && end != NULL; s++)
        dN += 4 * l[end[1 - s]] * ((end[s] == m) - (end[s] == 0));
      for (int i = 0; i < 3; i++) G[m - 1][i] += dN * mesh->x[3 * node[k] + i];
    }
  mw_cross3(G[1], G[2], c);
  return mw_dot3(G[0], c);
}

// at the 35 points with barycentric coordinates k/4 of each element
static double least_jacobian(const mw_mesh *mesh)
{
  double least = INFINITY;
  for (int e = 0; e < mesh->n_elem; e++)
    for (int a = 0; a <= 4; a++)
      for (int b = 0; a + b <= 4; b++)
        for (int c = 0; a + b + c <= 4; c++) {
          double l[4] = { (4 - a - b - c) / 4.0, a / 4.0, b / 4.0, c / 4.0 };
          least = fmin(least, jacobian(mesh, e, l));
        }
  return least;
}

// mid-edge nodes four times as far from the middle of their edges
static void exaggerate(mw_mesh *mesh)
{
  char *done = calloc((size_t)mesh->n_node, 1);
  for (int e = 0; done != NULL && e < mesh->n_elem; e++) {
    const int *node = mesh->elem_node + mesh->elem_ptr[e];
    for (int m = 0; m < 6; m++) {
      double *x = mesh->x + 3 * node[4 + m];
      for (int i = 0; i < 3 && !done[node[4 + m]]; i++) {
        double middle =
            0.5 * (mesh->x[3 * node[mid_end[m][0]] + i] + mesh->x[3 * node[mid_end[m][1]] + i]);
        x[i] = middle + 4.0 * (x[i] - middle);
      }
      done[node[4 + m]] = 1;
    }
  }
  free(done);
}

// A thin tube in few elements: curved outer edges run through the inner ones, if nothing is done
static void curved_elements_keep_positive_jacobians(void)
{
  fixture_cad c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_cad_props p;
  mw_mesh mesh;
  MW_CHECK(fixture_cad_step(
               "tube",
               "Cylinder(1) = {0, 0, 0, 0, 0, 30, 10};\n"
               "Cylinder(2) = {0, 0, 0, 0, 0, 30, 9.8};\n"
               "BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };\n") == 0);
  fixture_cad_init(&c, FIXTURE_CAD "/tube.step", 0.002);
  if (MW_OKAY(fixture_cad_mesh(&c, &mem, &mesh, &p, &err))) {
    MW_CHECK(p.n_straight > 0 && p.n_straight < mesh.n_elem / 10);
    MW_CHECK(least_jacobian(&mesh) > 0.0);
    exaggerate(&mesh);  // the check above can fail
    MW_CHECK(least_jacobian(&mesh) < 0.0);
  }
  mw_arena_free(&mem);
}

// ---- the cache ----

static bool same_file(const char *path, const char *bytes, size_t n)
{
  size_t n2;
  char *now = fixture_cad_load(path, &n2);
  bool same = now != NULL && n2 == n && memcmp(now, bytes, n) == 0;
  free(now);
  return same;
}

static int lines_of(const char *path)
{
  size_t n;
  int lines = 0;
  char *text = fixture_cad_load(path, &n);
  for (size_t k = 0; text != NULL && k < n; k++) lines += text[k] == '\n';
  free(text);
  return lines;
}

// A mesher that writes down each of its runs.
static int count_runs(void)
{
  const char *path = FIXTURE_CAD "/counting";
  return fixture_cad_write(path, "#!/bin/sh\necho run >> " FIXTURE_CAD "/runs\nexec '" MW_MESHER
                                 "' \"$@\"\n") != 0 ||
         system("chmod +x " FIXTURE_CAD "/counting") != 0 ||
         setenv("MODEWAY_MESHER", FIXTURE_CAD "/counting", 1) != 0;
}

static void mesh_again(fixture_cad *c, const char **path, int runs)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_cad_props p = { 0 };
  static char kept[4096];
  MW_OKAY(mw_cad_mesh(&c->f.body, &mem, path, &p, &err));
  snprintf(kept, sizeof kept, "%s", *path ? *path : "");
  *path = kept;
  if (!MW_CHECK(lines_of(FIXTURE_CAD "/runs") == runs)) printf("  %d runs expected\n", runs);
  check_plate(&p, 1e-10);
  mw_arena_free(&mem);
}

static void meshes_are_made_once_and_again_when_damaged(void)
{
  fixture_cad c;
  const char *path = NULL;
  size_t n, n_text;
  fixture_cad_init(&c, PLATE, 0.02);
  MW_CHECK(count_runs() == 0);
  mesh_again(&c, &path, 1);
  char *bytes = fixture_cad_load(path, &n);
  mesh_again(&c, &path, 1);
  MW_CHECK(bytes != NULL && n > 1000 && same_file(path, bytes, n));
  // one byte of the mesh, then the end of the text beside it, then no mesh at all
  char text_path[4096];
  snprintf(text_path, sizeof text_path, "%.*s.txt", (int)(strlen(path) - 4), path);
  for (int damage = 0; damage < 3 && bytes != NULL; damage++) {
    char *text = fixture_cad_load(text_path, &n_text);
    FILE *f = fopen(damage == 1 ? text_path : path, "wb");
    if (damage == 0) bytes[n / 2] ^= 1;
    if (f != NULL && damage == 0) fwrite(bytes, 1, n, f);
    if (f != NULL && damage == 1) fwrite(text, 1, n_text - 9, f);
    if (f != NULL) fclose(f);
    if (damage == 0) bytes[n / 2] ^= 1;
    if (damage == 2) remove(path);
    free(text);
    mesh_again(&c, &path, 2 + damage);
    MW_CHECK(same_file(path, bytes, n));  // same job, same bytes
  }
  // another size, another file, another group: another mesh
  c.cad.size = 0.021;
  mesh_again(&c, &path, 5);
  c.cad.size = 0.02;
  c.cad.file = FIXTURE_CAD "/copy.step";
  MW_CHECK(system("cp " PLATE " " FIXTURE_CAD "/copy.step") == 0);
  mesh_again(&c, &path, 5);  // the bytes count, not the name
  MW_CHECK(fixture_cad_replace(c.cad.file, "FILE_NAME('", "FILE_NAME('a ") == 1);
  mesh_again(&c, &path, 6);
  fixture_cad_group(&c, "bore", 2, 0.03, 0.035, 0.008);
  mesh_again(&c, &path, 7);
  // nothing but meshes and their texts stays behind
  MW_CHECK(system("test -z \"$(ls -d " FIXTURE_CAD "/cache/tmp-* 2>/dev/null)\"") == 0);
  free(bytes);
  setenv("MODEWAY_MESHER", MW_MESHER, 1);
}

static void scripts_that_include_others_are_meshed_again(void)
{
  fixture_cad c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_cad_props p;
  const char *path;
  fixture_cad_init(&c, FIXTURE_CAD "/outer.geo", 0.01);
  c.cad.scale = 1e-3;
  MW_CHECK(fixture_cad_write(c.cad.file, "Include \"inner.geo\";\n") == 0);
  for (int k = 1; k <= 2; k++) {
    char text[128];
    snprintf(text, sizeof text, "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 10, 10, %d};\n",
             10 * k);
    MW_CHECK(fixture_cad_write(FIXTURE_CAD "/inner.geo", text) == 0);
    if (MW_OKAY(mw_cad_mesh(&c.f.body, &mem, &path, &p, &err)))
      MW_WITHIN(p.volume, k * 1e-6, 1e-3 * 1e-10, ACCURACY);
  }
  mw_arena_free(&mem);
}

// ---- frequencies ----

// The lowest n eigenvalues of K x = λ M x by inverse iteration with 2 n vectors; the error falls by
// (λ_n/λ_2n+1)² < 1/4 a step.
static mw_code lowest(const mw_body *b, int n, double *lambda, mw_error *err)
{
  enum { MAX = 8, STEPS = 40 };
  int k = 2 * n, nu = b->n_u;
  double *X = calloc((size_t)(2 * MAX * nu), sizeof *X), *Y = X + MAX * nu, w[MAX];
  double Kr[MAX * MAX], Mr[MAX * MAX], V[MAX * MAX];
  mw_factor *f = NULL;
  unsigned seed = 1;
  mw_code rc = mw_factor_build(&b->K, true, &f, err);
  for (int i = 0; i < k * nu; i++) X[i] = fixture_random(&seed);
  for (int step = 0; rc == MW_OK && step < STEPS; step++) {
    // Y := K⁻¹ M X, then Rayleigh-Ritz: Yᵀ K Y = Yᵀ M X
    for (int i = 0; i < k; i++) mw_csc_mul(&b->M, 1.0, X + i * nu, 0.0, Y + i * nu);
    memcpy(X, Y, (size_t)(k * nu) * sizeof *X);
    rc = mw_factor_solve(f, k, X, Y, err);
    if (rc != MW_OK) break;
    mw_gemm('n', 't', k, k, nu, 1.0, Y, X, 0.0, Kr);
    for (int i = 0; i < k; i++) mw_csc_mul(&b->M, 1.0, Y + i * nu, 0.0, X + i * nu);
    mw_gemm('n', 't', k, k, nu, 1.0, Y, X, 0.0, Mr);
    rc = mw_eig_gen(k, Kr, Mr, w, V, err);
    if (rc == MW_OK) mw_gemm('t', 'n', k, nu, k, 1.0, V, Y, 0.0, X);
  }
  for (int i = 0; rc == MW_OK && i < n; i++) lambda[i] = w[i];
  mw_factor_free(f);
  free(X);
  return rc;
}

static void clamp(fixture_cad *c, const char *set)
{
  c->f.body.ground = true;
  fixture_support(&c->f, set);
  for (int i = 3; i < 6; i++) c->f.support[0].dof[i] = false;
}

// A clamped block 120 × 60 × 20 mm: from CAD with elements of 20 mm, and by hand with bricks of 20
// and of 10 mm. All three contain rigid motion and are conforming, so all are stiffer than the
// truth (Rayleigh-Ritz). The finer hand mesh contains the coarser one. Six tetrahedra around the
// diagonal of a brick of 20 mm are longer (35 mm) than those of gmsh: CAD's eigenvalues lie below
// the coarse ones, and above the truth, which is as far below the fine ones as a third of what the
// halving gained (order 2 and better: errors fall to a quarter and less).
static void frequencies_are_those_of_a_mesh_made_by_hand(void)
{
  enum { MODES = 4 };
  static const double x0[3] = { 0 }, l[3] = { 0.12, 0.06, 0.02 };
  const char *hand = FIXTURE_CAD "/hand.msh";
  double lambda[3][MODES] = { { 0 } };
  MW_CHECK(fixture_cad_step("block", "Box(1) = {0, 0, 0, 120, 60, 20};\n") == 0);
  for (int k = 0; k < 3; k++) {
    fixture_cad c;
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_body b;
    fixture_cad_init(&c, FIXTURE_CAD "/block.step", 0.02);
    if (k == 0) {
      fixture_cad_group(&c, "root", 2, 0.0, 0.03, 0.01);
      clamp(&c, "root");
    } else {
      int n[3] = { 6 * k, 3 * k, k };
      MW_CHECK(fixture_box(hand, n, x0, l, NULL) == 0);
      c.f.body.cad = NULL;
      c.f.body.mesh = hand;
      clamp(&c, "x0");
    }
    if (MW_OKAY(mw_body_build(&c.f.model, 0, &mem, &b, &err)))
      MW_OKAY(lowest(&b, MODES, lambda[k], &err));
    mw_arena_free(&mem);
  }
  for (int i = 0; i < MODES; i++) {
    double coarse = lambda[1][i], fine = lambda[2][i], truth = fine - (coarse - fine) / 3;
    bool between = lambda[0][i] <= coarse && lambda[0][i] >= truth;
    MW_CHECK(coarse > fine && fine > 0.0);
    if (!MW_CHECK(between))
      printf("  mode %d: CAD %.6g, by hand %.6g and %.6g\n", i + 1, lambda[0][i], coarse, fine);
  }
}

static const mw_test_case cases[] = {
  { "integrals_are_those_of_a_plate_with_a_hole", integrals_are_those_of_a_plate_with_a_hole },
  { "body_has_the_mass_of_the_mesh", body_has_the_mass_of_the_mesh },
  { "inches_metres_and_millimetres_give_the_same_part",
    inches_metres_and_millimetres_give_the_same_part },
  { "scripts_and_iges_give_the_same_part", scripts_and_iges_give_the_same_part },
  { "groups_are_the_nodes_on_their_face_and_edge", groups_are_the_nodes_on_their_face_and_edge },
  { "elements_are_small_where_asked_and_only_there",
    elements_are_small_where_asked_and_only_there },
  { "several_solids_that_share_faces_are_parts", several_solids_that_share_faces_are_parts },
  { "curved_elements_keep_positive_jacobians", curved_elements_keep_positive_jacobians },
  { "meshes_are_made_once_and_again_when_damaged", meshes_are_made_once_and_again_when_damaged },
  { "scripts_that_include_others_are_meshed_again", scripts_that_include_others_are_meshed_again },
  { "frequencies_are_those_of_a_mesh_made_by_hand", frequencies_are_those_of_a_mesh_made_by_hand },
};

int main(void)
{
  if (fixture_cad_begin() != 0 || make_plate("plate", 1.0) != 0) {
    printf("the mesher " MW_MESHER " makes no STEP file\n");
    return 1;
  }
  int status = mw_test_run("cad", cases, (int)(sizeof cases / sizeof *cases));
  fixture_cad_end();
  return status;
}
