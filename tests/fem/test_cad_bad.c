// SPDX-License-Identifier: BSD-3-Clause
// test_cad_bad.c: CAD files and jobs that cannot be meshed are refused, at the right place of the
// model, whatever they do to gmsh.
//
// tests/bad/cad: STEP files written by gmsh 4.8.4 (OpenCASCADE 7.6) of a block of 100 × 50 × 20 mm
// and then damaged by hand, each in the way its name says; scripts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fixture_cad.h"
#include "mw_test.h"

#define BAD   MW_TESTS_DIR "/bad/cad/"
#define BLOCK FIXTURE_CAD "/block.step"

static mw_code mesh(fixture_cad *c, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_cad_props p;
  const char *path = NULL;
  mw_code rc = mw_cad_mesh(&c->f.body, &mem, &path, &p, err);
  mw_arena_free(&mem);
  return rc;
}

// line: of the fixture's model
static void refuses(fixture_cad *c, mw_code code, int line, const char *msg)
{
  mw_error err = { 0 };
  MW_FAILS(mesh(c, &err), code);
  bool right = strcmp(err.file, "model.yaml") == 0 && err.line == line && err.col > 0 &&
               strstr(err.msg, msg) != NULL;
  if (!MW_CHECK(right))
    printf("  %s:%d:%d: %s\n  expected line %d: %s\n", err.file, err.line, err.col, err.msg, line,
           msg);
}

enum { BODY = 7, GROUP = 10, REFINE = 20 };  // lines

static const struct {
  const char *file;
  double scale;
  const char *msg;
} FILES[] = {
  { BAD "truncated.step", 0, "line 82: the file ends without END-ISO-10303-21" },
  { BAD "surface.step", 0, "has no solids (1 loose faces, 4 edges)" },
  { BAD "not-cad.step", 0, "is not a step file: it does not begin with ISO-10303-21" },
  { BAD "empty.step", 0, "is empty" },
  { BAD "not-a-number.step", 0, "line 171: 'NaN' is neither number nor entity" },
  { BAD "missing-entity.step", 0, "line 29: #9999 is defined nowhere" },
  { BAD "defined-twice.step", 0, "#16 is defined twice" },
  { BAD "unknown-entity.step", 0, "line 28: OpenCASCADE knows no CLOSED_SHELF (#16)" },
  { BAD "truncated.brep", 1e-3, "line 150: the file ends after 12 of 35 shapes" },
  { BAD "truncated.igs", 0, "is not the terminate section of an IGES file" },
  { BAD "part.stl", 0, "expected .step, .stp, .iges, .igs, .brep or .geo" },
  { BAD "syntax.geo", 1e-3, "line 2: syntax error" },
  { BAD "two-pieces.geo", 1e-3, "has 2 solids in 2 pieces that share no face" },
  { BAD "two-pieces.geo", 0, "unit or scale is needed" },
  { BAD "surface.step", 1e-3, "no unit or scale here" },
  { "no/such/part.step", 0, "cannot be read: No such file" },
};

static void bad_files_are_refused_at_the_body(void)
{
  for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
    fixture_cad c;
    fixture_cad_init(&c, FILES[k].file, 0.01);
    c.cad.scale = FILES[k].scale;
    refuses(&c, MW_ERR_INPUT, BODY, FILES[k].msg);
  }
}

// A prefix of one of these is never whole.
static void every_truncation_is_an_error(void)
{
  enum { CUTS = 6 };  // a process each
  static const struct {
    const char *from, *to;
    double scale;
  } F[] = { { BLOCK, FIXTURE_CAD "/part.step", 0 },
            { FIXTURE_CAD "/block.brep", FIXTURE_CAD "/part.brep", 1e-3 },
            { MW_TESTS_DIR "/fem/cad_faces.igs", FIXTURE_CAD "/part.igs", 0 } };
  MW_CHECK(system("'" MW_MESHER "' " BLOCK " -o " FIXTURE_CAD "/block.brep") == 0);
  for (int i = 0; i < 3; i++) {
    size_t n;
    char *text = fixture_cad_load(F[i].from, &n);
    for (size_t k = 1; k <= CUTS && text != NULL; k++) {
      fixture_cad c;
      mw_error err = { 0 };
      MW_CHECK(mw_test_write(F[i].to, text, k < CUTS ? n * k / CUTS : n - 5));
      fixture_cad_init(&c, F[i].to, 0.01);
      c.cad.scale = F[i].scale;
      MW_FAILS(mesh(&c, &err), MW_ERR_INPUT);
      MW_CHECK(err.line == BODY && err.msg[0] != '\0');
    }
    MW_CHECK(n > CUTS);
    free(text);
  }
}

static void bad_groups_are_refused_where_they_stand(void)
{
  static const struct {
    const char *name;
    int dim;
    double x[3];
    const char *msg;
  } G[] = {
    { "far", 2, { 0.05, 0.025, 0.2 }, "nearest to (0.05, 0.025, 0.2) m is 0.18 m away" },
    { "far", 1, { 0.05, 0.025, 0.02 }, "is 0.025 m away (the part measures 0.1 x 0.05 x 0.02 m)" },
    { "millimetres", 2, { 50, 25, 20 }, "m away" },
    { "two", 2, { 0.05, 0.0, 0.02 }, "take a point inside one" },
    { "corner", 1, { 0.1, 0.0, 0.02 }, "take a point inside one" },
    { "face_3", 2, { 0.05, 0.025, 0.02 }, "names the mesher gives itself" },
    { "solid", 2, { 0.05, 0.025, 0.02 }, "names the mesher gives itself" },
    { "same", 2, { 0.05, 0.025, 0.02 }, "defined twice" },
  };
  for (size_t k = 0; k < sizeof G / sizeof *G; k++) {
    fixture_cad c;
    fixture_cad_init(&c, BLOCK, 0.02);
    fixture_cad_group(&c, "same", 2, 0.05, 0.025, 0.0);
    fixture_cad_group(&c, G[k].name, G[k].dim, G[k].x[0], G[k].x[1], G[k].x[2]);
    refuses(&c, MW_ERR_INPUT, GROUP + 1, G[k].msg);
  }
}

static void bad_sizes_are_refused(void)
{
  static const struct {
    double size;
    int order;
    const char *msg;
  } S[] = {
    { 0.0, 2, "size is 0, must be positive" },
    { -1.0, 2, "must be positive" },
    { 1e-5, 2, "is it in metres?" },
    { 0.02, 3, "order is 3, must be 1 or 2" },
  };
  for (size_t k = 0; k < sizeof S / sizeof *S; k++) {
    fixture_cad c;
    fixture_cad_init(&c, BLOCK, S[k].size);
    c.cad.order = S[k].order;
    refuses(&c, MW_ERR_INPUT, BODY, S[k].msg);
  }
  fixture_cad c;
  fixture_cad_init(&c, BLOCK, 0.02);
  c.cad.n_refine = 2;
  c.refine[0] =
      (mw_cad_refine_in){ .at = { "model.yaml", REFINE, 3 }, .size = 0.01, .distance = 0.01 };
  c.refine[1] = c.refine[0];
  c.refine[1].at.line++;
  c.refine[1].group = "nowhere";
  refuses(&c, MW_ERR_INPUT, REFINE + 1, "no face or edge before it is called nowhere");
}

// Ten chords a turn leave out 1 − sin(t)/t = 6.4 % of a cylinder's volume, t = 36°; flat triangles
// between the rims somewhat more.
static void a_mesh_with_another_volume_is_refused(void)
{
  fixture_cad c;
  mw_error err = { 0 };
  MW_CHECK(fixture_cad_step("rod", "Cylinder(1) = {0, 0, 0, 0, 0, 30, 10};\n") == 0);
  fixture_cad_init(&c, FIXTURE_CAD "/rod.step", 0.006);
  c.cad.order = 1;
  refuses(&c, MW_ERR_INPUT, BODY, "too coarse for its curved faces, reduce size or take order: 2");
  c.cad.order = 2;
  MW_OKAY(mesh(&c, &err));
}

// ---- the mesher itself ----

static int use_script(const char *text)
{
  return fixture_cad_write(FIXTURE_CAD "/mesher", text) != 0 ||
         chmod(FIXTURE_CAD "/mesher", 0755) != 0 ||
         setenv("MODEWAY_MESHER", FIXTURE_CAD "/mesher", 1) != 0;
}

static void a_mesher_that_crashes_or_talks_nonsense_is_an_error(void)
{
  fixture_cad c;
  fixture_cad_init(&c, BLOCK, 0.02);
  MW_CHECK(use_script("#!/bin/sh\nkill -SEGV $$\n") == 0);
  refuses(&c, MW_ERR_NUMERIC, BODY, "gmsh ended by signal 11");
  MW_CHECK(use_script("#!/bin/sh\necho volume 1\n") == 0);
  refuses(&c, MW_ERR_IO, BODY, "another version");
  MW_CHECK(use_script("#!/bin/sh\nexit 1\n") == 0);
  refuses(&c, MW_ERR_NUMERIC, BODY, "gives no reason");
  MW_CHECK(use_script("no program at all\n") == 0 && chmod(FIXTURE_CAD "/mesher", 0644) == 0);
  refuses(&c, MW_ERR_INPUT, BODY, "is not a program");
  setenv("MODEWAY_MESHER", MW_MESHER, 1);
}

static void a_cache_that_cannot_be_is_named(void)
{
  fixture_cad c;
  fixture_cad_init(&c, BLOCK, 0.02);
  setenv("MODEWAY_CACHE", BLOCK "/cache", 1);  // inside a file
  refuses(&c, MW_ERR_IO, BODY, BLOCK "/cache cannot be made");
  setenv("MODEWAY_CACHE", FIXTURE_CAD "/cache", 1);
}

static const mw_test_case cases[] = {
  { "bad_files_are_refused_at_the_body", bad_files_are_refused_at_the_body },
  { "every_truncation_is_an_error", every_truncation_is_an_error },
  { "bad_groups_are_refused_where_they_stand", bad_groups_are_refused_where_they_stand },
  { "bad_sizes_are_refused", bad_sizes_are_refused },
  { "a_mesh_with_another_volume_is_refused", a_mesh_with_another_volume_is_refused },
  { "a_mesher_that_crashes_or_talks_nonsense_is_an_error",
    a_mesher_that_crashes_or_talks_nonsense_is_an_error },
  { "a_cache_that_cannot_be_is_named", a_cache_that_cannot_be_is_named },
};

int main(void)
{
  if (fixture_cad_begin() != 0 ||
      fixture_cad_step("block", "Box(1) = {0, 0, 0, 100, 50, 20};\n") != 0) {
    printf("the mesher " MW_MESHER " makes no STEP file\n");
    return 1;
  }
  int status = mw_test_run("cad_bad", cases, (int)(sizeof cases / sizeof *cases));
  fixture_cad_end();
  return status;
}
