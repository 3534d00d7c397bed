// SPDX-License-Identifier: BSD-3-Clause
// test_cad_mass.c: rigid bodies whose mass, centre and inertia a CAD file says, against closed
// forms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture_cad.h"
#include "mw_test.h"

#define MODEL FIXTURE_CAD "/model.yaml"

static const double PI = 3.14159265358979323846, RHO = 7850.0;  // kg/m³

// what is promised of masses and places
#define PROMISE "accuracy promised: 1e-9 of mass, of the size and of mass times size squared"

// Reads a model of one body on a hinge.
static mw_code read_body(const char *rigid, mw_model *m, mw_error *err)
{
  char text[1024];
  snprintf(text, sizeof text,
           "modeway: 1\nbodies:\n  part: { %s }\njoints:\n  hinge: { revolute: { a: ground, b: "
           "part, axis: [0, 0, 1] } }\n",
           rigid);
  if (fixture_cad_write(MODEL, text) != 0)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "no model can be written");
  return mw_model_read(MODEL, m, err);
}

// size: m, of the part with its distance from the origin
static void check_part(const char *rigid, double mass, const double com[3], const double inertia[6],
                       double size)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  if (!MW_OKAY(read_body(rigid, &m, &err))) return;
  const mw_body_in *b = &m.body[1];
  MW_CHECK(b->rigid && b->solid != NULL);
  MW_WITHIN(b->mass, mass, 1e-9 * mass, PROMISE);
  for (int i = 0; i < 3; i++) MW_WITHIN(b->com[i], com[i], 1e-9 * size, PROMISE);
  for (int i = 0; i < 6; i++)
    MW_WITHIN(b->inertia[i], inertia[i], 1e-9 * mass * size * size, PROMISE);
  mw_model_free(&m);
}

static void box_away_from_the_origin(void)
{
  double a = 0.1, b = 0.2, c = 0.3, m = RHO * a * b * c, com[3] = { 1.05, -0.4, 0.15 };
  double I[6] = { m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12 };
  MW_CHECK(fixture_cad_step("box", "Box(1) = {1000, -500, 0, 100, 200, 300};\n") == 0);
  check_part("rigid: { cad: box.step, density: 7850 }", m, com, I, 1.3);
}

static void hollow_cylinder(void)
{
  double R = 0.05, r = 0.03, h = 0.2, m = RHO * PI * (R * R - r * r) * h;
  double com[3] = { 0.0, 0.0, 0.1 }, across = m * (3 * (R * R + r * r) + h * h) / 12;
  double I[6] = { across, across, m * (R * R + r * r) / 2 };
  MW_CHECK(fixture_cad_step("tube", "Cylinder(1) = {0, 0, 0, 0, 0, 200, 50};\n"
                                    "Cylinder(2) = {0, 0, -1, 0, 0, 202, 30};\n"
                                    "BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; "
                                    "Delete; };\n") == 0);
  check_part("rigid: { cad: tube.step, density: 7850 }", m, com, I, 0.3);
}

// R of an axis and an angle (Rodrigues), columns are where x, y, z go
static void rotation(const double axis[3], double angle, double R[9])
{
  double c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) R[3 * i + j] = (i == j) * c + (1 - c) * axis[i] * axis[j];
  R[1] -= s * axis[2], R[2] += s * axis[1], R[3] += s * axis[2];
  R[5] -= s * axis[0], R[6] -= s * axis[1], R[7] += s * axis[0];
}

static void box_turned_about_an_oblique_axis(void)
{
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  static const double axis[3] = { 1.0 / 3, 2.0 / 3, 2.0 / 3 }, middle[3] = { 0.05, 0.1, 0.15 };
  double a = 0.1, b = 0.2, c = 0.3, m = RHO * a * b * c, com[3], R[9], I[6] = { 0 };
  double J[3] = { m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12 };
  rotation(axis, 0.7, R);
  for (int i = 0; i < 3; i++) {
    com[i] = 0.0;
    for (int k = 0; k < 3; k++) com[i] += R[3 * i + k] * middle[k];
  }
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) I[i] += R[3 * row[i] + k] * J[k] * R[3 * col[i] + k];
  MW_CHECK(fixture_cad_step("turned", "Box(1) = {0, 0, 0, 100, 200, 300};\n"
                                      "Rotate {{1/3, 2/3, 2/3}, {0, 0, 0}, 0.7} { Volume{1}; "
                                      "}\n") == 0);
  check_part("rigid: { cad: turned.step, density: 7850 }", m, com, I, 0.4);
}

// Two cubes that do not touch, of one rigid body: by Steiner's theorem
static void solids_need_not_touch(void)
{
  double a = 0.1, m = RHO * a * a * a, own = m * a * a / 6, com[3] = { 0.0, 0.05, 0.05 };
  double I[6] = { 2 * own, 2 * own + 2 * m * 0.25 * 0.25, 2 * own + 2 * m * 0.25 * 0.25 };
  MW_CHECK(fixture_cad_step("dumbbell", "Box(1) = {200, 0, 0, 100, 100, 100};\n"
                                        "Box(2) = {-300, 0, 0, 100, 100, 100};\n") == 0);
  check_part("rigid: { cad: dumbbell.step, density: 7850 }", 2 * m, com, I, 0.6);
}

// A script says no unit: the body does
static void files_without_unit_take_that_of_the_body(void)
{
  double m = RHO * 0.001, com[3] = { 0.05, 0.05, 0.05 }, own = m * 0.01 / 6;
  double I[6] = { own, own, own };
  MW_CHECK(fixture_cad_write(FIXTURE_CAD "/cube.geo", "SetFactory(\"OpenCASCADE\");\n"
                                                      "Box(1) = {0, 0, 0, 10, 10, 10};\n") == 0);
  check_part("unit: cm, rigid: { cad: cube.geo, density: 7850 }", m, com, I, 0.2);
  check_part("scale: 0.01, rigid: { cad: cube.geo, density: 7850 }", m, com, I, 0.2);
}

static void refuses(const char *rigid, int line, int col, const char *msg)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_FAILS(read_body(rigid, &m, &err), MW_ERR_INPUT);
  if (!MW_CHECK(err.line == line && err.col == col && strstr(err.msg, msg) != NULL))
    printf("  got %d:%d: %s\n", err.line, err.col, err.msg);
}

static void wrong_files_are_named_where_the_model_names_them(void)
{
  MW_CHECK(fixture_cad_write(FIXTURE_CAD "/text.step", "no CAD file\n") == 0);
  MW_CHECK(fixture_cad_write(FIXTURE_CAD "/face.geo", "SetFactory(\"OpenCASCADE\");\n"
                                                      "Rectangle(1) = {0, 0, 0, 1, 1};\n") == 0);
  refuses("rigid: { cad: none.step, density: 7850 }", 3, 25, "none.step cannot be read");
  refuses("rigid: { cad: text.step, density: 7850 }", 3, 25, "is not a step file");
  refuses("rigid: { cad: cube.geo, density: 7850 }", 3, 25, "unit or scale is needed");
  refuses("unit: mm, rigid: { cad: box.step, density: 7850 }", 3, 35, "no unit or scale here");
  refuses("unit: mm, rigid: { cad: face.geo, density: 7850 }", 3, 35, "has no solids");
  refuses("rigid: { cad: box.step, density: -1 }", 3, 44, "expected a number above 0");
}

// The model's digest is that of the file's bytes, whatever its name
static void digest_follows_the_file(void)
{
  mw_model m[3] = { { 0 } };
  mw_error err = { 0 };
  MW_CHECK(fixture_cad_step("same", "Box(1) = {0, 0, 0, 100, 100, 100};\n") == 0);
  MW_OKAY(read_body("rigid: { cad: same.step, density: 7850 }", &m[0], &err));
  MW_CHECK(rename(FIXTURE_CAD "/same.step", FIXTURE_CAD "/other.step") == 0);
  MW_OKAY(read_body("rigid: { cad: other.step, density: 7850 }", &m[1], &err));
  MW_CHECK(fixture_cad_step("other", "Box(1) = {0, 0, 0, 100, 100, 101};\n") == 0);
  MW_OKAY(read_body("rigid: { cad: other.step, density: 7850 }", &m[2], &err));
  MW_CHECK(strcmp(m[0].hash, m[1].hash) == 0 && strcmp(m[0].hash, m[2].hash) != 0);
  for (int k = 0; k < 3; k++) mw_model_free(&m[k]);
}

static const mw_test_case cases[] = {
  { "box_away_from_the_origin", box_away_from_the_origin },
  { "hollow_cylinder", hollow_cylinder },
  { "box_turned_about_an_oblique_axis", box_turned_about_an_oblique_axis },
  { "solids_need_not_touch", solids_need_not_touch },
  { "files_without_unit_take_that_of_the_body", files_without_unit_take_that_of_the_body },
  { "wrong_files_are_named_where_the_model_names_them",
    wrong_files_are_named_where_the_model_names_them },
  { "digest_follows_the_file", digest_follows_the_file },
};

int main(void)
{
  if (fixture_cad_begin() != 0) {
    printf("the folder " FIXTURE_CAD " cannot be made\n");
    return 1;
  }
  int status = mw_test_run("cad_mass", cases, (int)(sizeof cases / sizeof *cases));
  fixture_cad_end();
  return status;
}
