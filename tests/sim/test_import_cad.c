// SPDX-License-Identifier: BSD-3-Clause
// test_import_cad.c: assemblies of a CAD program: masses and places of twenty solids against closed
// forms, names and placements of the file, joints proposed where faces lie on each other.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/fixture_cad.h"
#include "fixture.h"
#include "import/import_layer.h"
#include "mw_test.h"

#define ASSEMBLY FIXTURE_CAD "/assembly.step"

// what is promised of masses and places
#define PROMISE "accuracy promised: 1e-9 of mass, of the size and of mass times size squared"

enum { N = 20 };

static const double PI = 3.14159265358979323846, RHO = 2700.0;  // kg/m³

typedef struct solid {
  bool cylinder;
  double l[3];                // mm: edges; radius, -, height along z
  double axis[3], angle;      // turned about the origin, then
  double shift[3];            // mm, moved
  double mass, com[3], I[6];  // kg, m, kg m2
} solid;

static void turn_axes(const solid *s, double R[9])
{
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = s->angle * s->axis[i];
  for (int i = 0; i < 3; i++) {
    double e[3] = { i == 0, i == 1, i == 2 }, y[3];
    mw_turn3(r, e, y);
    for (int j = 0; j < 3; j++) R[3 * j + i] = y[j];
  }
}

// Closed forms: about the own centre along own axes, then turned.
static void weigh(solid *s)
{
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  double a = 1e-3 * s->l[0], b = 1e-3 * s->l[1], c = 1e-3 * s->l[2], R[9], J[3];
  double middle[3] = { a / 2, b / 2, c / 2 };
  s->mass = RHO * (s->cylinder ? PI * a * a * c : a * b * c);
  if (s->cylinder) {
    middle[0] = middle[1] = 0.0;
    J[0] = J[1] = s->mass * (3 * a * a + c * c) / 12;
    J[2] = s->mass * a * a / 2;
  } else {
    J[0] = s->mass * (b * b + c * c) / 12;
    J[1] = s->mass * (a * a + c * c) / 12;
    J[2] = s->mass * (a * a + b * b) / 12;
  }
  turn_axes(s, R);
  mw_mul33v(R, middle, s->com);
  for (int i = 0; i < 3; i++) s->com[i] += 1e-3 * s->shift[i];
  for (int i = 0; i < 6; i++) {
    s->I[i] = 0.0;
    for (int k = 0; k < 3; k++) s->I[i] += R[3 * row[i] + k] * J[k] * R[3 * col[i] + k];
  }
}

static int make_assembly(solid s[N])
{
  char text[3900] = "";
  size_t n = 0;
  for (int k = 0; k < N; k++) {
    s[k] = (solid){ .cylinder = k % 3 == 2,
                    .l = { 20 + k, 30 + 2 * k, 50 - k },
                    .axis = { 2.0 / 7, 3.0 / 7, 6.0 / 7 },
                    .angle = 0.3 * k,
                    .shift = { 150 * (k % 5), 160 * (k / 5), 10 * k } };
    weigh(&s[k]);
    const double *l = s[k].l, *d = s[k].shift;
    if (s[k].cylinder)
      n += (size_t)snprintf(text + n, sizeof text - n, "Cylinder(%d)={0,0,0,0,0,%g,%g};", k + 1,
                            l[2], l[0]);
    else
      n += (size_t)snprintf(text + n, sizeof text - n, "Box(%d)={0,0,0,%g,%g,%g};", k + 1, l[0],
                            l[1], l[2]);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "Rotate{{2/7,3/7,6/7},{0,0,0},0.3*%d}{Volume{%d};}"
                          "Translate{%g,%g,%g}{Volume{%d};}\n",
                          k, k + 1, d[0], d[1], d[2], k + 1);
  }
  return fixture_cad_step("assembly", text);
}

static mw_code import_step(const char *path, mw_arena *mem, mw_import_result *out, mw_error *err)
{
  mw_import_opt opt = { .density = RHO };
  return mw_import_read(path, &opt, mem, out, err);
}

// The proposals of the text as joints, its first body on ground; freed by the caller.
static char *confirm(const char *text)
{
  char *out = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&out, &n);
  const char *from = strstr(text, "# joints:"), *body = strstr(text, "\n    at:");
  for (const char *p = text; *p != '\0'; p++) {
    if (p == body) fputs("\n    ground: true", f);
    bool comment = from && p >= from && (p == from || p[-1] == '\n') && p[0] == '#' && p[1] == ' ';
    if (comment)
      p++;
    else
      fputc(*p, f);
  }
  fclose(f);
  return out;
}

// Bodies as a model reads them: without joints each flies, which a force says.
static bool read_bodies(const mw_import_result *r, mw_fixture *f)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  const char *tail = strstr(r->text, "\n# ");
  for (const char *p = tail; p; p = strstr(p + 1, "\n# "))
    if (strncmp(p, "\n# Proposed", 11) == 0 || strncmp(p, "\n# No faces", 11) == 0) tail = p;
  fprintf(out, "%.*s\nforces:\n", (int)(tail - r->text), r->text);
  // names stand at the beginning of lines with two blanks
  for (const char *p = strstr(r->text, "\nbodies:\n") + 8; p < tail; p = strchr(p + 1, '\n')) {
    size_t length = strcspn(p + 3, ":");
    if (p[1] == ' ' && p[2] == ' ' && p[3] != ' ')
      fprintf(out, "  f_%.*s: { point: { on: %.*s, direction: [0, 0, 1] } }\n", (int)length, p + 3,
              (int)length, p + 3);
    if (!strchr(p + 1, '\n')) break;
  }
  fclose(out);
  bool okay = mw_fixture_text(text, f);
  free(text);
  return okay;
}

static const mw_body_in *nearest(const mw_model *m, const double x[3])
{
  const mw_body_in *best = NULL;
  double least = INFINITY;
  for (int b = 1; b < m->n_body; b++) {
    const double *o = m->body[b].origin;
    double d[3] = { o[0] - x[0], o[1] - x[1], o[2] - x[2] };
    if (mw_norm3(d) >= least) continue;
    least = mw_norm3(d);
    best = &m->body[b];
  }
  return best;
}

static void check_solid(const mw_body_in *b, const solid *s)
{
  double size = 0.0;
  for (int i = 0; i < 3; i++) size = hypot(size, 1e-3 * s->l[i]);
  MW_WITHIN(b->mass, s->mass, 1e-9 * s->mass, PROMISE);
  for (int i = 0; i < 3; i++) MW_WITHIN(b->origin[i], s->com[i], 1e-9, "places to 1e-9 m");
  for (int i = 0; i < 3; i++) MW_CHECK(b->com[i] == 0.0);
  for (int i = 0; i < 6; i++)
    MW_WITHIN(b->inertia[i], s->I[i], 1e-9 * s->mass * size * size, PROMISE);
}

static void masses_and_places_of_twenty_solids_are_the_cads(void)
{
  solid s[N];
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_import_result r;
  mw_fixture f;
  MW_CHECK(make_assembly(s) == 0);
  if (MW_OKAY(import_step(ASSEMBLY, &mem, &r, &err)) && MW_CHECK(r.n_body == N && !r.whole) &&
      MW_CHECK(read_bodies(&r, &f))) {
    MW_CHECK(f.model.n_body == N + 1);
    for (int k = 0; k < N; k++) check_solid(nearest(&f.model, s[k].com), &s[k]);
    mw_fixture_free(&f);
  }
  mw_arena_free(&mem);
}

// ---- names and placements -----------------------------------------------------------------------

// The text of entity #id, behind its "=".
static char *entity(char *text, const char *id)
{
  char mark[32];
  snprintf(mark, sizeof mark, "\n#%.*s = ", (int)strspn(id, "0123456789"), id);
  char *at = strstr(text, mark);
  return at ? at + strlen(mark) : NULL;
}

// Names the products after the first `part K`; moves the first component by 9, 8, 7 mm.
static bool edit(const char *path, const char *to)
{
  size_t n;
  int k = 0;
  char *text = fixture_cad_load(path, &n), *p = text, *at = NULL;
  FILE *f = text ? fopen(to, "wb") : NULL;
  if (f) at = strstr(text, "ITEM_DEFINED_TRANSFORMATION(");
  if (at) at = strchr(strchr(at, '#') + 1, '#');
  if (at) at = entity(text, at + 1);               // AXIS2_PLACEMENT3D('',#...
  if (at) at = entity(text, strchr(at, '#') + 1);  // CARTESIAN_POINT('',(0.,0.,0.))
  if (at) at = strstr(at, "(0.,0.,0.)");
  if (at) memcpy(at, "(9.,8.,7.)", 10);
  for (char *hit; f && (hit = strstr(p, " = PRODUCT('")) != NULL; p = hit) {
    hit = strchr(strchr(hit + strlen(" = PRODUCT('"), '\'') + 1, '\'') + 1;  // ('id','name',
    fwrite(p, 1, (size_t)(hit - p), f);
    if (k++ == 0) continue;
    fprintf(f, "part %d", k - 1);
    hit = strchr(hit, '\'');
  }
  if (f) fputs(p, f);
  bool okay = f && fclose(f) == 0 && at;
  free(text);
  return okay;
}

static void names_and_placements_are_the_files(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_import_result r;
  mw_fixture f;
  // both about the z axis; the second is the first once more
  MW_CHECK(fixture_cad_step("two", "Box(1) = {0, 0, 0, 10, 20, 30};\n"
                                   "Box(2) = {100, 0, 0, 10, 20, 30};\n") == 0);
  if (MW_CHECK(edit(FIXTURE_CAD "/two.step", FIXTURE_CAD "/named.step")) &&
      MW_OKAY(import_step(FIXTURE_CAD "/named.step", &mem, &r, &err)) &&
      MW_CHECK(read_bodies(&r, &f))) {
    static const double at[2][3] = { { 0.014, 0.018, 0.022 }, { 0.105, 0.01, 0.015 } };
    MW_CHECK(strcmp(f.model.body[1].name, "part_1") == 0);
    MW_CHECK(strcmp(f.model.body[2].name, "part_2") == 0);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++)
        MW_WITHIN(f.model.body[1 + k].origin[i], at[k][i], 1e-9, "places to 1e-9 m");
    MW_CHECK(r.n_note == 2 && strstr(r.note[0].text, "\"part 1\" is called part_1"));
    mw_fixture_free(&f);
  }
  mw_arena_free(&mem);
}

// ---- proposals ----------------------------------------------------------------------------------

// What is proposed of two solids: the key of the joint, "" nothing; confirmed, a model.
static void proposes(const char *name, const char *script, const char *kind)
{
  char path[128], key[64];
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_import_result r;
  mw_fixture f;
  snprintf(path, sizeof path, FIXTURE_CAD "/%s.step", name);
  snprintf(key, sizeof key, "\n#     %s: {", kind);
  MW_CHECK(fixture_cad_step(name, script) == 0);
  if (MW_OKAY(import_step(path, &mem, &r, &err))) {
    int wanted = kind[0] != '\0';
    if (!MW_CHECK(r.n_proposed == wanted && (!wanted || strstr(r.text, key))))
      printf("%s: wanted %s\n%s\n", name, kind, r.text);
    char *text = confirm(r.text);
    if (wanted && MW_CHECK(mw_fixture_text(text, &f))) {
      MW_CHECK(f.model.n_joint == 1 && f.model.body[1].ground);
      mw_fixture_free(&f);
    }
    free(text);
  }
  mw_arena_free(&mem);
}

static void joints_are_proposed_where_faces_lie_on_each_other(void)
{
  static const char plate[] =
      "Box(1) = {0, 0, 0, 200, 100, 20};\nCylinder(10) = {50, 50, -1, 0, 0, 40, 15};\n"
      "BooleanDifference(2) = { Volume{1}; Delete; }{ Volume{10}; Delete; };\n";
  char text[2048];
  // a shaft through the plate, without and with a collar; in a bore askew to all axes
  snprintf(text, sizeof text, "%sCylinder(11) = {50, 50, -10, 0, 0, 60, 15};\n", plate);
  proposes("shaft", text, "cylindrical");
  snprintf(text, sizeof text,
           "%sCylinder(11) = {50, 50, -10, 0, 0, 60, 14};\nCylinder(12) = {50, 50, 20, 0, 0, 10, "
           "30};\nBooleanUnion(13) = { Volume{11}; Delete; }{ Volume{12}; Delete; };\n",
           plate);
  proposes("collar", text, "revolute");
  snprintf(text + strlen(text), sizeof text - strlen(text),
           "Rotate{{2/7, 3/7, 6/7}, {0, 0, 0}, 0.7} { Volume{2, 13}; }\n");
  proposes("askew", text, "revolute");
  snprintf(text, sizeof text, "%sCylinder(11) = {50, 50, -10, 0, 0, 60, 15.1};\n", plate);
  proposes("thick", text, "");
  proposes("block", "Box(1) = {0, 0, 0, 200, 100, 20};\nBox(2) = {20, 20, 20, 50, 50, 50};\n",
           "planar");
  proposes("apart", "Box(1) = {0, 0, 0, 200, 100, 20};\nBox(2) = {20, 20, 20.1, 50, 50, 50};\n",
           "");
  proposes("edge", "Box(1) = {0, 0, 0, 20, 20, 20};\nBox(2) = {20, 20, 20, 50, 50, 50};\n", "");
  proposes("flush", "Box(1) = {0, 0, 0, 20, 20, 20};\nBox(2) = {20.1, 0, 0, 20, 20, 20};\n", "");
  // a slider in a channel
  proposes("channel",
           "Box(1) = {0, 0, 0, 300, 60, 10};\nBox(2) = {0, 0, 10, 300, 10, 20};\nBox(3) = {0, 50, "
           "10, 300, 10, 20};\nBooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2, 3}; Delete; };\n"
           "Box(5) = {100, 10, 10, 50, 40, 40};\n",
           "prismatic");
}

static void wrong_files_are_named(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_import_result r;
  mw_import_opt none = { .density = 0.0 };
  MW_CHECK(fixture_cad_write(FIXTURE_CAD "/text.step", "no CAD file\n") == 0);
  MW_FAILS(import_step(FIXTURE_CAD "/text.step", &mem, &r, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "is not a step file") && strstr(err.file, "text.step"));
  MW_FAILS(import_step(FIXTURE_CAD "/none.step", &mem, &r, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "cannot be read"));
  MW_FAILS(mw_import_read(ASSEMBLY, &none, &mem, &r, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "expected --density"));
  mw_arena_free(&mem);
}

static const mw_test_case cases[] = {
  { "masses_and_places_of_twenty_solids_are_the_cads",
    masses_and_places_of_twenty_solids_are_the_cads },
  { "names_and_placements_are_the_files", names_and_placements_are_the_files },
  { "joints_are_proposed_where_faces_lie_on_each_other",
    joints_are_proposed_where_faces_lie_on_each_other },
  { "wrong_files_are_named", wrong_files_are_named },
};

int main(void)
{
  if (fixture_cad_begin() != 0) {
    printf("the folder " FIXTURE_CAD " cannot be made\n");
    return 1;
  }
  int status = mw_test_run("import_cad", cases, (int)(sizeof cases / sizeof *cases));
  fixture_cad_end();
  return status;
}
