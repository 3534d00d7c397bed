// SPDX-License-Identifier: BSD-3-Clause
// test_cad_step.c: what STEP files say beside solids: assemblies of assemblies, units, and entities
// that the reader does not know.
//
// A block of a × b × c mm, written by the mesher, is put twice into an assembly and that twice into
// another by entities written here by hand. With R_i, x_i and Q_k, y_k the turns and shifts of the
// inner and the outer occurrences and m the middle of the block, its four copies have
//
//   volume abc ,   centre y_k + Q_k (x_i + R_i m) ,   inertia T J Tᵀ ,   T = Q_k R_i     (1)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_cad.h"
#include "mw_test.h"

#define BLOCK   FIXTURE_CAD "/block.step"
#define NESTED  FIXTURE_CAD "/nested.step"
#define CHANGED FIXTURE_CAD "/changed.step"

static const double edge[3] = { 10, 20, 30 };  // mm

// What is promised of masses and places.
#define PROMISE "accuracy promised: 1e-9 of the volume, of a metre, of volume times size squared"

typedef struct place {
  double axis[3], ref[3];  // z and x of the occurrence
  double shift[3];         // mm
} place;

static const place inner[2] = { { { 0, 0, 1 }, { 1, 0, 0 }, { 100, 0, 0 } },
                                { { 0, 0, 1 }, { 0.6, 0.8, 0 }, { 0, 200, 40 } } };
static const place outer[2] = { { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 0, -300 } },
                                { { 1, 0, 0 }, { 0, 0.8, 0.6 }, { 50, 60, 700 } } };

// ---- the files ----

// Number of the first entity that begins so; 0: none.
static int number_of(const char *text, const char *keyword)
{
  char mark[96];
  snprintf(mark, sizeof mark, " = %s", keyword);
  const char *p = strstr(text, mark);
  while (p && p > text && *p != '#') p--;
  return p ? atoi(p + 1) : 0;
}

static void print_axes(FILE *f, int id, const place *p)
{
  fprintf(f,
          "#%d=AXIS2_PLACEMENT_3D('',#%d,#%d,#%d);\n#%d=CARTESIAN_POINT('',(%.1f,%.1f,%.1f));\n"
          "#%d=DIRECTION('',(%.1f,%.1f,%.1f));\n#%d=DIRECTION('',(%.1f,%.1f,%.1f));\n",
          id, id + 1, id + 2, id + 3, id + 1, p->shift[0], p->shift[1], p->shift[2], id + 2,
          p->axis[0], p->axis[1], p->axis[2], id + 3, p->ref[0], p->ref[1], p->ref[2]);
}

typedef struct product {
  int definition, shape;
} product;

// A product of two occurrences of another, by entities from #id on.
static product print_assembly(FILE *f, int id, const char *text, product of, const place at[2])
{
  static const place origin = { .axis = { 0, 0, 1 }, .ref = { 1, 0, 0 } };
  product all = { id + 2, id + 4 };
  fprintf(f,
          "#%d=PRODUCT('assembly %d','assembly %d','',(#%d));\n"
          "#%d=PRODUCT_DEFINITION_FORMATION('','',#%d);\n#%d=PRODUCT_DEFINITION('','',#%d,#%d);\n"
          "#%d=PRODUCT_DEFINITION_SHAPE('','',#%d);\n"
          "#%d=SHAPE_REPRESENTATION('',(#%d,#%d,#%d),#%d);\n"
          "#%d=SHAPE_DEFINITION_REPRESENTATION(#%d,#%d);\n",
          id, id, id, number_of(text, "PRODUCT_CONTEXT("), id + 1, id, id + 2, id + 1,
          number_of(text, "PRODUCT_DEFINITION_CONTEXT("), id + 3, id + 2, id + 4, id + 10, id + 20,
          id + 30, number_of(text, "( GEOMETRIC_REPRESENTATION_CONTEXT(3)"), id + 5, id + 3,
          id + 4);
  print_axes(f, id + 10, &origin);
  for (int k = 0; k < 2; k++) {
    int n = id + 40 + 10 * k, axes = id + 20 + 10 * k;
    print_axes(f, axes, &at[k]);
    fprintf(
        f,
        "#%d=NEXT_ASSEMBLY_USAGE_OCCURRENCE('%d','','',#%d,#%d,$);\n"
        "#%d=PRODUCT_DEFINITION_SHAPE('','',#%d);\n"
        "#%d=CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#%d,#%d);\n"
        "#%d=(REPRESENTATION_RELATIONSHIP('','',#%d,#%d)"
        "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#%d)"
        "SHAPE_REPRESENTATION_RELATIONSHIP());\n#%d=ITEM_DEFINED_TRANSFORMATION('','',#%d,#%d);\n",
        n, n, all.definition, of.definition, n + 1, n, n + 2, n + 3, n + 1, n + 3, of.shape,
        all.shape, n + 4, n + 4, id + 10, axes);
  }
  return all;
}

static bool make_nested(void)
{
  size_t n = 0;
  char script[64];
  snprintf(script, sizeof script, "Box(1) = {0, 0, 0, %g, %g, %g};\n", edge[0], edge[1], edge[2]);
  char *text = fixture_cad_step("block", script) == 0 ? fixture_cad_load(BLOCK, &n) : NULL;
  char *tail = text ? strstr(text, "ENDSEC;\nEND-ISO") : NULL;
  FILE *f = tail ? fopen(NESTED, "w") : NULL;
  if (f) {
    product block = { number_of(text, "PRODUCT_DEFINITION("),
                      number_of(text, "ADVANCED_BREP_SHAPE_REPRESENTATION(") };
    fprintf(f, "%.*s", (int)(tail - text), text);
    product middle = print_assembly(f, 10000, text, block, inner);
    print_assembly(f, 20000, text, middle, outer);
    fputs(tail, f);
  }
  free(text);
  return f && fclose(f) == 0;
}

// `from` with each of a keyword's uses changed.
static bool change(const char *from, const char *what, const char *with)
{
  size_t n;
  char *text = fixture_cad_load(from, &n);
  bool okay = text && fixture_cad_write(CHANGED, text) == 0;
  free(text);
  return okay && fixture_cad_replace(CHANGED, what, with) > 0;
}

// ---- what is read ----

typedef struct solid {
  double volume, centre[3], inertia[6];  // m³, m, m⁵
} solid;

static mw_code read_solids(const char *file, int room, solid *s, int *n, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_cad_in cad = { .file = file, .at = { "model.yaml", 7, 5 } };
  mw_cad_props props;
  const char *path = NULL;
  char line[512];
  *n = 0;
  mw_code rc = mw_cad_solids(&cad, &mem, &path, &props, err);
  FILE *f = rc == MW_OK ? fopen(path, "r") : NULL;
  while (f && fgets(line, sizeof line, f)) {
    *n += strncmp(line, "solid ", 6) == 0;
    if (*n < 1 || *n > room) continue;
    solid *t = &s[*n - 1];
    double *c = t->centre, *I = t->inertia;
    sscanf(line, "volume %lf", &t->volume);
    sscanf(line, "centre %lf %lf %lf", &c[0], &c[1], &c[2]);
    sscanf(line, "inertia %lf %lf %lf %lf %lf %lf", &I[0], &I[1], &I[2], &I[3], &I[4], &I[5]);
  }
  if (f) fclose(f);
  mw_arena_free(&mem);
  return rc;
}

// ---- equation (1) ----

static void turn(const place *p, double R[3][3])
{
  const double *x = p->ref, *z = p->axis;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    R[i][0] = x[i];
    R[i][1] = z[j] * x[k] - z[k] * x[j];
    R[i][2] = z[i];
  }
}

// y = shift + R x, m; T = R S
static void put(const place *p, double x[3], double S[3][3])
{
  double R[3][3], y[3], T[3][3];
  turn(p, R);
  for (int i = 0; i < 3; i++) {
    y[i] = 1e-3 * p->shift[i];
    for (int k = 0; k < 3; k++) y[i] += R[i][k] * x[k];
    for (int j = 0; j < 3; j++) {
      T[i][j] = 0.0;
      for (int k = 0; k < 3; k++) T[i][j] += R[i][k] * S[k][j];
    }
  }
  memcpy(x, y, sizeof y);
  memcpy(S, T, sizeof T);
}

static solid block_at(const place *in, const place *out)
{
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  double a = 1e-3 * edge[0], b = 1e-3 * edge[1], c = 1e-3 * edge[2];
  double T[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  solid s = { .volume = a * b * c, .centre = { a / 2, b / 2, c / 2 } };
  double J[3] = { b * b + c * c, a * a + c * c, a * a + b * b };
  put(in, s.centre, T);
  put(out, s.centre, T);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) s.inertia[i] += s.volume / 12 * T[row[i]][k] * J[k] * T[col[i]][k];
  return s;
}

// Whether one of the solids is that; scale: of lengths.
static void has(const solid *s, int n, const solid *wanted, double scale)
{
  double size = scale * 1e-3 * sqrt(edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]);
  double volume = wanted->volume * scale * scale * scale, least = INFINITY;
  const solid *t = &s[0];
  for (int k = 0; k < n; k++) {
    double d = 0.0;
    for (int i = 0; i < 3; i++) d = hypot(d, s[k].centre[i] - scale * wanted->centre[i]);
    if (d < least) least = d, t = &s[k];
  }
  MW_WITHIN(t->volume, volume, 1e-9 * volume, PROMISE);
  for (int i = 0; i < 3; i++) MW_WITHIN(t->centre[i], scale * wanted->centre[i], 1e-9, PROMISE);
  for (int i = 0; i < 6; i++)
    MW_WITHIN(t->inertia[i], wanted->inertia[i] * pow(scale, 5), 1e-9 * volume * size * size,
              PROMISE);
}

static void has_four(const char *file, double scale)
{
  solid s[4] = { 0 };
  int n = 0;
  mw_error err = { 0 };
  if (!MW_OKAY(read_solids(file, 4, s, &n, &err)) || !MW_CHECK(n == 4)) return;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      solid wanted = block_at(&inner[i], &outer[k]);
      has(s, n, &wanted, scale);
    }
}

static void an_assembly_of_assemblies_has_each_solid_where_its_turns_put_it(void)
{
  has_four(NESTED, 1.0);
}

static void a_file_in_inches_is_as_much_larger(void)
{
  MW_CHECK(change(NESTED, "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );",
                  "(CONVERSION_BASED_UNIT('INCH',#30001)LENGTH_UNIT()NAMED_UNIT(#30002));") &&
           fixture_cad_replace(CHANGED, "ENDSEC;\nEND-ISO",
                               "#30001=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#30003);\n"
                               "#30002=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);\n"
                               "#30003=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n"
                               "ENDSEC;\nEND-ISO") == 1);
  has_four(CHANGED, 25.4);
}

// ---- entities of other names ----

static void what_a_place_a_solid_or_a_unit_needs_is_refused_by_name_if_unknown(void)
{
  static const char *const word[] = { "ITEM_DEFINED_TRANSFORMATION",
                                      "NEXT_ASSEMBLY_USAGE_OCCURRENCE",
                                      "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION",
                                      "SHAPE_DEFINITION_REPRESENTATION",
                                      "PRODUCT_DEFINITION_SHAPE",
                                      "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION",
                                      "AXIS2_PLACEMENT_3D",
                                      "DIRECTION",
                                      "ADVANCED_FACE",
                                      "MANIFOLD_SOLID_BREP",
                                      "LENGTH_UNIT" };
  for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
    char from[80], to[80], said[128];
    solid s;
    int n;
    mw_error err = { 0 };
    snprintf(from, sizeof from, "%s(", word[k]);
    snprintf(to, sizeof to, "X_%s(", word[k]);
    snprintf(said, sizeof said, "OpenCASCADE knows no X_%s (#", word[k]);
    MW_CHECK(change(NESTED, from, to));
    MW_FAILS(read_solids(CHANGED, 1, &s, &n, &err), MW_ERR_INPUT);
    if (!MW_CHECK(strstr(err.msg, said) && strstr(err.msg, " line ")))
      printf("%s: %s\n", word[k], err.msg);
  }
}

// A context without a unit of length, with other units or none.
static void a_context_without_a_unit_of_length_is_refused_by_line(void)
{
  static const char *const what[][2] = {
    { "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) )",
      "( MASS_UNIT() NAMED_UNIT(*) SI_UNIT(.KILO.,.GRAM.) )" },
    { "GLOBAL_UNIT_ASSIGNED_CONTEXT", "GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT" }
  };
  for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
    solid s;
    int n;
    char said[96], *text;
    mw_error err = { 0 };
    if (!MW_CHECK(change(NESTED, what[k][0], what[k][1]))) continue;
    MW_FAILS(read_solids(CHANGED, 1, &s, &n, &err), MW_ERR_INPUT);
    text = fixture_cad_load(CHANGED, &(size_t){ 0 });
    snprintf(said, sizeof said, "#%d, the context of a shape, has no unit of length",
             text ? number_of(text, "( GEOMETRIC_REPRESENTATION_CONTEXT(3)") : 0);
    free(text);
    if (!MW_CHECK(strstr(err.msg, said) && strstr(err.msg, " line "))) printf("%s\n", err.msg);
  }
}

// Entities of which no solid is made; one stands between a shape and something else.
static void what_nothing_needs_may_be_unknown(void)
{
  char text[256];
  size_t n;
  char *nested = fixture_cad_load(NESTED, &n);
  if (!MW_CHECK(nested != NULL)) return;
  snprintf(text, sizeof text,
           "#30001=X_NOTE('a',#%d,#30002);\n#30002=X_VIEW('b',(1.,2.));\nENDSEC;\nEND-ISO",
           number_of(nested, "ADVANCED_BREP_SHAPE_REPRESENTATION("));
  free(nested);
  MW_CHECK(change(NESTED, "ENDSEC;\nEND-ISO", text));
  has_four(CHANGED, 1.0);
}

static const mw_test_case cases[] = {
  { "an_assembly_of_assemblies_has_each_solid_where_its_turns_put_it",
    an_assembly_of_assemblies_has_each_solid_where_its_turns_put_it },
  { "a_file_in_inches_is_as_much_larger", a_file_in_inches_is_as_much_larger },
  { "what_a_place_a_solid_or_a_unit_needs_is_refused_by_name_if_unknown",
    what_a_place_a_solid_or_a_unit_needs_is_refused_by_name_if_unknown },
  { "a_context_without_a_unit_of_length_is_refused_by_line",
    a_context_without_a_unit_of_length_is_refused_by_line },
  { "what_nothing_needs_may_be_unknown", what_nothing_needs_may_be_unknown },
};

int main(void)
{
  if (fixture_cad_begin() != 0 || !make_nested()) {
    printf("the mesher " MW_MESHER " makes no STEP file\n");
    return 1;
  }
  int status = mw_test_run("cad_step", cases, (int)(sizeof cases / sizeof *cases));
  fixture_cad_end();
  return status;
}
