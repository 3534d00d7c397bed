// SPDX-License-Identifier: BSD-3-Clause
// test_inp.c: the reader of Abaqus and CalculiX input files: what a file may say, units, sets and
// faces, included files; broken files are refused with their line and never crash.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/mesh.h"
#include "mw_test.h"

static const char *INP = "test_inp.tmp.inp", *PART = "test_inp.tmp.part.inp";

static bool put(const char *path, const char *text, size_t n)
{
  FILE *f = fopen(path, "wb");
  if (f == NULL) return false;
  bool okay = fwrite(text, 1, n, f) == n;
  return fclose(f) == 0 && okay;
}

static mw_code read_text(const char *text, double scale, mw_arena *mem, mw_mesh *m, mw_error *err)
{
  if (!put(INP, text, strlen(text))) return MW_ERR_IO;
  mw_code rc = mw_mesh_read(INP, scale, mem, m, err);
  if (rc == MW_OK) rc = mw_mesh_check(m, err);
  remove(INP);
  return rc;
}

static int find_set(const mw_mesh *m, const char *name)
{
  for (int k = 0; k < m->n_set; k++)
    if (strcmp(m->set[k].name, name) == 0) return k;
  return -1;
}

// the set has the nodes of these numbers, ascending, and no others
static void has_nodes(const mw_mesh *m, const char *name, int n, const int *tag)
{
  int k = find_set(m, name);
  if (!MW_CHECK(k >= 0)) {
    printf("  no set '%s'\n", name);
    return;
  }
  bool same = m->set[k].n == n;
  for (int i = 0; i < n && same; i++) same = m->tag[m->set[k].node[i]] == tag[i];
  if (!MW_CHECK(same)) printf("  set '%s' has %d nodes\n", name, m->set[k].n);
}

// ---- a file that says everything ----

// a hexahedron below a wedge-free gap, a tetrahedron, two shells, masses; unit mm
static const char FULL[] =
    "*Heading\n"
    " anything: *no keyword, in here\n"
    "** a comment\n"
    "*NODE, NSET=Nall\n"
    "1, 0, 0, 0\n 2, 100., 0, 0\n3, 1.D2, 1.0d+2, 0\r\n4 , 0, 1E2 , 0\n"
    "5, 0, 0, 100\n6, 100, 0, 100\n7, 100, 100, 100\n8, 0, 100, 100\n"
    "\n"
    "*node\n"
    "11, 0, 0, 101\n12, 50, 0, 101\n13, 0, 50, 101\n14, 0, 0, 150\n99, 1, 2, 3\n"
    "*Element , type = c3d8i, elset=Block\n"
    "1, 1, 2, 3, 4,\n5, 6, 7, 8\n"
    "*ELEMENT, ELSET=Tip,\n  TYPE=C3D4\n"
    "2, 11, 12, 13, 14\n"
    "*ELEMENT, TYPE=S4R, ELSET=SHEET\n"
    "31, 1, 2, 6, 5\n"
    "*ELEMENT, TYPE=S3, ELSET=SHEET\n"
    "32, 2, 3, 7\n"
    "*ELEMENT, TYPE=CPS4, ELSET=skin\n"
    "40, 5, 6, 7, 8\n"
    "*ELEMENT, TYPE=MASS, ELSET=ballast\n"
    "50, 14\n51, 1\n"
    "*NSET, NSET=foot, GENERATE\n"
    "1, 4\n5, 8, 2\n"
    "*NSET, NSET=\"two words\"\n"
    "FOOT, 14, 14,\n"
    "*ELSET, ELSET=solids\n"
    "block, 2\n"
    "*MATERIAL, NAME=Steel\n*DENSITY\n7.85e-9,\n*ELASTIC, TYPE=ISO\n210000., .3\n"
    "*EXPANSION\n1.2e-5\n"
    "*MATERIAL, NAME=alu\n*ELASTIC\n70000, .33\n*DENSITY\n2.7e-9\n"
    "*SOLID SECTION, ELSET=SOLIDS, MATERIAL=STEEL\n1.,\n"
    "*SHELL SECTION, MATERIAL=alu, ELSET=sheet\n2.5\n"
    "*MASS, ELSET=BALLAST\n0.001\n"
    "*SURFACE, NAME=upper, TYPE=ELEMENT\nblock, S2\n"
    "*SURFACE, NAME=lower\n2, s1\n"
    "*SURFACE, NAME=points, TYPE=NODE\nfoot\n14\n"
    "*SURFACE, NAME=plate\nsheet, SPOS\n"
    "*TIE, NAME=glue, POSITION TOLERANCE=1.5\nlower, upper\n"
    "*BOUNDARY\nfoot, 1, 3\n"
    "*STEP\n*FREQUENCY\n10\n*EQUATION\nnot read any more\n*END STEP\n";

static void check_full(const mw_mesh *m)
{
  static const int KIND[] = { MW_ELEM_HEX8, MW_ELEM_TET4, MW_ELEM_QUAD4, MW_ELEM_TRI3 };
  MW_CHECK(m->n_node == 12 && m->n_part == 2);  // node 99 is of no element
  if (!MW_CHECK(m->n_elem == 4)) return;
  for (int e = 0; e < 4; e++) MW_CHECK(m->elem_kind[e] == KIND[e]);
  MW_NEAR(m->x[3 * 2], 100.0 * 0.001, 0.0);
  MW_CHECK(m->elem_part[0] == m->elem_part[1] && m->elem_part[2] == m->elem_part[3]);
  has_nodes(m, "Nall", 8, (int[]){ 1, 2, 3, 4, 5, 6, 7, 8 });
  has_nodes(m, "foot", 6, (int[]){ 1, 2, 3, 4, 5, 7 });
  has_nodes(m, "two words", 7, (int[]){ 1, 2, 3, 4, 5, 7, 14 });
  has_nodes(m, "Tip", 4, (int[]){ 11, 12, 13, 14 });
  has_nodes(m, "skin", 4, (int[]){ 5, 6, 7, 8 });
  has_nodes(m, "ballast", 2, (int[]){ 1, 14 });
  has_nodes(m, "solids", 12, (int[]){ 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14 });
  has_nodes(m, "lower", 3, (int[]){ 11, 12, 13 });
  has_nodes(m, "upper", 4, (int[]){ 5, 6, 7, 8 });
  has_nodes(m, "points", 7, (int[]){ 1, 2, 3, 4, 5, 7, 14 });
  has_nodes(m, "plate", 6, (int[]){ 1, 2, 3, 5, 6, 7 });
  if (!MW_CHECK(m->n_tie == 1 && m->n_mass == 2)) return;
  MW_CHECK(strcmp(m->tie[0].name, "glue") == 0);
  MW_CHECK(m->tie[0].slave == find_set(m, "lower") && m->tie[0].master == find_set(m, "upper"));
  MW_NEAR(m->tie[0].distance, 0.0015, DBL_EPSILON * 0.0015);
  MW_CHECK(m->tag[m->mass[0].node] == 14 && m->tag[m->mass[1].node] == 1);
}

// a dozen products and quotients, each off by half an eps: 8 eps bound them
static void near(double got, double want) { MW_NEAR(got, want, 8.0 * DBL_EPSILON * want); }

static void a_file_may_say_all_this(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_mesh m;
  if (MW_OKAY(read_text(FULL, 0.001, &mem, &m, &err))) {
    check_full(&m);
    const mw_mesh_part *p = &m.part[m.elem_part[0]], *q = &m.part[m.elem_part[2]];
    MW_CHECK(strcmp(p->name, "SOLIDS") == 0 && p->dim == 3 && p->has_material);
    MW_CHECK(strcmp(q->name, "sheet") == 0 && q->dim == 2 && q->has_material);
    near(p->E, 210e9), near(p->nu, 0.3), near(p->rho, 7850.0);
    near(q->E, 70e9), near(q->nu, 0.33), near(q->rho, 2700.0), near(q->thickness, 0.0025);
    near(m.mass[0].mass, 1.0), near(m.mass[1].mass, 1.0);
    MW_CHECK(p->thickness == 0.0);
  }
  mw_arena_free(&mem);
}

static void sets_alike_are_one_set(void)
{
  static const char TEXT[] = "*NODE, NSET=A\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"
                             "*ELEMENT, TYPE=C3D4, ELSET=a\n1,1,2,3,4\n*ELSET, ELSET=b\n1\n"
                             "*NSET, NSET=b\n1\n";
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_mesh m;
  if (MW_OKAY(read_text(TEXT, 1.0, &mem, &m, &err))) {
    MW_CHECK(m.n_set == 3);  // A; b of one node, b of four
    MW_CHECK(strcmp(m.set[0].name, "A") == 0 && m.set[0].dim == 3);
    MW_CHECK(m.n_part == 1 && strcmp(m.part[0].name, "") == 0 && !m.part[0].has_material);
  }
  mw_arena_free(&mem);
}

// A density in N s²/L⁴, a modulus in N/L² and a mass in N s²/L of one and the same steel.
static void units_follow_from_length_newton_and_second(void)
{
  static const double L[] = { 1.0, 0.01, 0.001, 0.0254 };
  for (int k = 0; k < 4; k++) {
    char text[1024];
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_mesh m;
    snprintf(text, sizeof text,
             "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT, TYPE=C3D4, ELSET=e\n1,1,2,3,4\n"
             "*ELEMENT, TYPE=MASS, ELSET=m\n2,1\n*MASS, ELSET=m\n%.17g\n"
             "*MATERIAL, NAME=s\n*ELASTIC\n%.17g,0.3\n*DENSITY\n%.17g\n"
             "*SOLID SECTION, ELSET=e, MATERIAL=s\n",
             2.5 * L[k], 210e9 * L[k] * L[k], 7850.0 * L[k] * L[k] * L[k] * L[k]);
    if (MW_OKAY(read_text(text, L[k], &mem, &m, &err))) {
      near(m.part[0].E, 210e9), near(m.part[0].rho, 7850.0), near(m.mass[0].mass, 2.5);
    }
    mw_arena_free(&mem);
  }
}

// ---- elements of every type ----

// corners of the reference elements, mid-edge nodes in Abaqus' order
static const struct {
  const char *type;
  int kind, n_corner, n_edge, corner[8][3], edge[12][2];
} TYPE[] = {
  { "C3D10M",
    MW_ELEM_TET10,
    4,
    6,
    { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 1, 2 }, { 2, 3 }, { 3, 1 }, { 1, 4 }, { 2, 4 }, { 3, 4 } } },
  { "C3D20R",
    MW_ELEM_HEX20R,
    8,
    12,
    { { 0, 0, 0 },
      { 1, 0, 0 },
      { 1, 1, 0 },
      { 0, 1, 0 },
      { 0, 0, 1 },
      { 1, 0, 1 },
      { 1, 1, 1 },
      { 0, 1, 1 } },
    { { 1, 2 },
      { 2, 3 },
      { 3, 4 },
      { 4, 1 },
      { 5, 6 },
      { 6, 7 },
      { 7, 8 },
      { 8, 5 },
      { 1, 5 },
      { 2, 6 },
      { 3, 7 },
      { 4, 8 } } },
  { "C3D20",
    MW_ELEM_HEX20,
    8,
    12,
    { { 0, 0, 0 },
      { 1, 0, 0 },
      { 1, 1, 0 },
      { 0, 1, 0 },
      { 0, 0, 1 },
      { 1, 0, 1 },
      { 1, 1, 1 },
      { 0, 1, 1 } },
    { { 1, 2 },
      { 2, 3 },
      { 3, 4 },
      { 4, 1 },
      { 5, 6 },
      { 6, 7 },
      { 7, 8 },
      { 8, 5 },
      { 1, 5 },
      { 2, 6 },
      { 3, 7 },
      { 4, 8 } } },
  { "C3D15",
    MW_ELEM_WEDGE15,
    6,
    9,
    { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 } },
    { { 1, 2 }, { 2, 3 }, { 3, 1 }, { 4, 5 }, { 5, 6 }, { 6, 4 }, { 1, 4 }, { 2, 5 }, { 3, 6 } } },
};

// Corners of face S1 … S6 as Abaqus lists them ("Solid element library", element faces).
static const struct {
  const char *type;
  const char *face[6];
  int n_corner;
} FACES[] = {
  { "C3D4", { "123", "142", "243", "341", NULL, NULL }, 4 },
  { "C3D10", { "123", "142", "243", "341", NULL, NULL }, 4 },
  { "C3D6", { "123", "465", "1452", "2563", "3641", NULL }, 6 },
  { "C3D15", { "123", "465", "1452", "2563", "3641", NULL }, 6 },
  { "C3D8R", { "1234", "5876", "1562", "2673", "3784", "4851" }, 8 },
  { "C3D20R", { "1234", "5876", "1562", "2673", "3784", "4851" }, 8 },
};

// The element of TYPE t as text, `per` node numbers a line, `comma` at the ends of lines that go
// on.
static size_t element_text(size_t t, int per, bool comma, char *text, size_t n)
{
  int count = TYPE[t].n_corner + TYPE[t].n_edge;
  size_t k = (size_t)snprintf(text, n, "*NODE\n");
  for (int i = 0; i < TYPE[t].n_corner; i++)
    k += (size_t)snprintf(text + k, n - k, "%d, %d, %d, %d\n", i + 1, TYPE[t].corner[i][0],
                          TYPE[t].corner[i][1], TYPE[t].corner[i][2]);
  for (int e = 0; e < TYPE[t].n_edge; e++) {
    const int *a = TYPE[t].corner[TYPE[t].edge[e][0] - 1],
              *b = TYPE[t].corner[TYPE[t].edge[e][1] - 1];
    k += (size_t)snprintf(text + k, n - k, "%d, %g, %g, %g\n", TYPE[t].n_corner + e + 1,
                          0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]));
  }
  k += (size_t)snprintf(text + k, n - k, "*ELEMENT, TYPE=%s, ELSET=e\n7", TYPE[t].type);
  for (int i = 1; i <= count; i++) {
    bool cut = i > 1 && (i - 1) % per == 0;
    k += (size_t)snprintf(text + k, n - k, "%s%d", cut ? (comma ? ",\n" : "\n") : ", ", i);
  }
  return k + (size_t)snprintf(text + k, n - k, "\n");
}

static void long_elements_go_on_in_the_next_line(void)
{
  for (size_t t = 0; t < sizeof TYPE / sizeof *TYPE; t++)
    for (int way = 0; way < 3; way++) {  // 4 or 8 a line with commas; 15 after the number without
      static const int PER[3] = { 4, 8, 15 };
      char text[2048];
      mw_arena mem = { 0 };
      mw_error err = { 0 };
      mw_mesh m;
      element_text(t, PER[way], way < 2, text, sizeof text);
      if (MW_OKAY(read_text(text, 1.0, &mem, &m, &err))) {
        MW_CHECK(m.n_elem == 1 && m.elem_kind[0] == TYPE[t].kind && m.elem_tag[0] == 7);
        for (int i = 0; i < m.elem_ptr[1]; i++) MW_CHECK(m.tag[m.elem_node[i]] == i + 1);
      }
      mw_arena_free(&mem);
    }
}

// S1 … S6 of every type name the corners Abaqus says, and the nodes between them.
static void face_labels_are_those_of_abaqus(void)
{
  for (size_t k = 0; k < sizeof FACES / sizeof *FACES; k++)
    for (int f = 0; f < 6 && FACES[k].face[f] != NULL; f++) {
      size_t t = FACES[k].n_corner == 4 ? 0 : FACES[k].n_corner == 8 ? 1 : 3;
      bool quadratic = strcmp(FACES[k].type, "C3D4") != 0 && strcmp(FACES[k].type, "C3D6") != 0 &&
                       strcmp(FACES[k].type, "C3D8R") != 0;
      char text[2048];
      mw_arena mem = { 0 };
      mw_error err = { 0 };
      mw_mesh m;
      int n = 0, want[8], corner[9] = { 0 };
      size_t used = element_text(t, 8, true, text, sizeof text);
      if (!quadratic) {
        used = (size_t)(strstr(text, "*ELEMENT") - text);
        used += (size_t)snprintf(text + used, sizeof text - used, "*ELEMENT, TYPE=%s\n7",
                                 FACES[k].type);
        for (int i = 1; i <= FACES[k].n_corner; i++)
          used += (size_t)snprintf(text + used, sizeof text - used, ", %d", i);
      }
      snprintf(text + used, sizeof text - used, "\n*SURFACE, NAME=face\n7, S%d\n", f + 1);
      for (const char *c = FACES[k].face[f]; *c != '\0'; c++) corner[*c - '0'] = 1;
      for (int i = 1; i <= FACES[k].n_corner; i++)
        if (corner[i]) want[n++] = i;
      for (int e = 0; e < TYPE[t].n_edge && quadratic; e++)
        if (corner[TYPE[t].edge[e][0]] && corner[TYPE[t].edge[e][1]])
          want[n++] = TYPE[t].n_corner + e + 1;
      if (MW_OKAY(read_text(text, 1.0, &mem, &m, &err))) has_nodes(&m, "face", n, want);
      mw_arena_free(&mem);
    }
}

// ---- included files ----

static void included_files_may_hold_bare_data(void)
{
  static const char DATA[] = "** nodes from elsewhere\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n";
  static const char TEXT[] = "*NODE, NSET=all\n*INCLUDE, INPUT=test_inp.tmp.part.inp\n"
                             "*ELEMENT, TYPE=C3D4\n1,1,2,3,4\n";
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_mesh m;
  MW_CHECK(put(PART, DATA, strlen(DATA)));
  if (MW_OKAY(read_text(TEXT, 1.0, &mem, &m, &err))) {
    MW_CHECK(m.n_node == 4 && m.n_elem == 1);
    has_nodes(&m, "all", 4, (int[]){ 1, 2, 3, 4 });
  }
  mw_arena_free(&mem);
  remove(PART);
}

static void errors_in_an_included_file_name_it(void)
{
  static const char DATA[] = "1,0,0,0\n2,1,0,0\n3,0,1,x\n";
  static const char TEXT[] = "*NODE\n*INCLUDE, INPUT=test_inp.tmp.part.inp\n";
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_mesh m;
  MW_CHECK(put(PART, DATA, strlen(DATA)));
  MW_FAILS(read_text(TEXT, 1.0, &mem, &m, &err), MW_ERR_INPUT);
  MW_CHECK(err.line == 3 && strcmp(err.file, PART) == 0);
  mw_arena_free(&mem);
  remove(PART);
}

// Sets of sets of sets double with every line unless what is there twice is dropped: 2^40 numbers
// here.
static void sets_of_sets_do_not_explode(void)
{
  char text[8192];
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_mesh m;
  size_t k = (size_t)snprintf(text, sizeof text,
                              "*NODE, NSET=s0\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"
                              "*ELEMENT, TYPE=C3D4\n1,1,2,3,4\n");
  for (int i = 1; i <= 40; i++)
    k +=
        (size_t)snprintf(text + k, sizeof text - k, "*NSET, NSET=s%d\ns%d, s%d\n", i, i - 1, i - 1);
  if (MW_OKAY(read_text(text, 1.0, &mem, &m, &err))) has_nodes(&m, "s40", 4, (int[]){ 1, 2, 3, 4 });
  mw_arena_free(&mem);
}

// ---- broken files ----

// tests/bad/mesh, read in mm: the line and a part of the message each file must give
static const struct {
  const char *file;
  int line;
  const char *msg;
} BAD[] = {
  { "cut-off.inp", 8, "element 1 has 2 nodes, C3D4 has 4" },
  { "duplicate-element.inp", 10, "element 1 is defined twice" },
  { "duplicate-node.inp", 7, "node 4 is defined twice" },
  { "equation.inp", 16, "*EQUATION is not read" },
  { "face-none.inp", 17, "element 1 of type C3D4 has no such face" },
  { "face-s9.inp", 17, "found 'S9', expected the label of a face" },
  { "few-nodes.inp", 9, "element 2 has 3 nodes, C3D4 has 4" },
  { "flat.inp", 0, "element 1 (4-node tetrahedron at (0.000375, 0.000375, 2.5e-16) m)" },
  { "generate-huge.inp", 17, "GENERATE makes 2000000000 numbers" },
  { "heavy.inp", 14, "a thousand times too heavy: with newton and mm, masses are in tonnes" },
  { "include-bare.inp", 16, "*INCLUDE has no INPUT=" },
  { "include-itself.inp", 16, "includes itself" },
  { "include-missing.inp", 16, "not-there.inp' cannot be opened" },
  { "many-nodes.inp", 9, "element 2 has more than the 4 nodes of C3D4" },
  { "mass-none.inp", 17, "element 3 of type MASS has no *MASS" },
  { "mass-nowhere.inp", 20, "mass element 3 is on a node that no solid or shell uses" },
  { "metres.inp", 14, "in metres it would be usual" },
  { "mid-node.inp", 0, "mid-edge node 8 is 0.0006 m from the middle of its edge of 0.001 m" },
  { "missing-node.inp", 9, "element 2 refers to node 6, which does not exist" },
  { "nan.inp", 5, "found 'NaN', expected a coordinate" },
  { "no-density.inp", 10, "material 'steel' has no *DENSITY" },
  { "no-elements.inp", 0, "the file has no *ELEMENT" },
  { "no-material.inp", 15, "material 'steel' of the section is not in the file" },
  { "no-solids.inp", 0, "the file has no solids and no shells" },
  { "not-inp.inp", 1, "found 'solid cube', expected a keyword" },
  { "parts.inp", 3, "*PART is not read: write the file without parts" },
  { "poisson.inp", 12, "Poisson's ratio 0.5" },
  { "pyramid.inp", 7, "element type C3D5: pyramids are not read" },
  { "reversed.inp", 0, "element 1 (4-node tetrahedron at (0.00025, 0.00025, 0.00025) m)" },
  { "section-no-set.inp", 15, "ELSET 'body' of the section is not defined" },
  { "set-unknown-element.inp", 16, "element 77 of ELSET 'more' does not exist" },
  { "set-unknown-node.inp", 16, "node 44 of NSET 'tip' does not exist" },
  { "set-unknown-set.inp", 17, "set 'end' is not defined before this line" },
  { "shell-of-solids.inp", 15, "element 1 of the section is of type C3D4, no shell" },
  { "shell-thickness.inp", 16, "shell thickness 0, must be positive" },
  { "stiff.inp", 12, "Young's modulus 2.1e+13 is 2.1e+19 Pa with a unit of length of 0.001 m" },
  { "temperature.inp", 13, "elasticity that depends on temperature" },
  { "tie-one.inp", 19, "expected the slave and the master surface" },
  { "tie-unknown.inp", 19, "surface 'bottom' of the tie is not defined" },
  { "two-coordinates.inp", 5, "node 4 has 2 coordinates, expected 3" },
  { "two-sections.inp", 18, "element 2 is in ELSET 'half' and in 'part' of another section" },
  { "unknown-element.inp", 7, "unknown element type 'C3D99'" },
  { "unknown-keyword.inp", 16, "unknown keyword *SOILDSECTION" },
};

static void bad_files_say_where_and_what(void)
{
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    mw_arena mem = { 0 };
    mw_mesh m;
    mw_error err = { 0 };
    char path[512];
    snprintf(path, sizeof path, "%s/bad/mesh/%s", MW_TESTS_DIR, BAD[k].file);
    mw_code rc = mw_mesh_read(path, 0.001, &mem, &m, &err);
    if (rc == MW_OK) rc = mw_mesh_check(&m, &err);
    MW_FAILS(rc, MW_ERR_INPUT);
    bool right = err.line == BAD[k].line && strcmp(err.file, path) == 0 &&
                 strstr(err.msg, BAD[k].msg) != NULL;
    if (!MW_CHECK(right)) printf("  %s: %d: %s\n", BAD[k].file, err.line, err.msg);
    mw_arena_free(&mem);
  }
}

static void a_missing_file_is_an_io_error(void)
{
  mw_arena mem = { 0 };
  mw_mesh m;
  mw_error err = { 0 };
  MW_FAILS(mw_mesh_read("no/such/file.inp", 1.0, &mem, &m, &err), MW_ERR_IO);
  MW_CHECK(strcmp(err.file, "no/such/file.inp") == 0);
  mw_arena_free(&mem);
}

static mw_code judge(const char *text, size_t n, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_mesh m;
  if (!put(INP, text, n)) return MW_ERR_IO;
  mw_code rc = mw_mesh_read(INP, 0.001, &mem, &m, err);
  if (rc == MW_OK) rc = mw_mesh_check(&m, err);
  mw_arena_free(&mem);
  return rc;
}

// Cut before the last element or in the middle of a word: an error or a valid mesh, never a crash.
static void truncated_files_never_crash(void)
{
  size_t size = strlen(FULL), first = (size_t)(strstr(FULL, "5, 6, 7, 8") - FULL);
  for (size_t n = 0; n < size; n++) {
    mw_error err = { 0 };
    mw_code rc = judge(FULL, n, &err);
    if (rc != MW_OK || n < first) MW_FAILS(rc, MW_ERR_INPUT);
    MW_CHECK((rc == MW_OK) == (err.msg[0] == '\0'));
  }
  remove(INP);
}

static void corrupted_bytes_never_crash(void)
{
  static const char BYTE[6] = { 0, (char)0xff, '9', '-', ',', '\n' };
  static char text[sizeof FULL];
  int n_error = 0;
  memcpy(text, FULL, sizeof FULL);
  for (size_t i = 0; i + 1 < sizeof FULL; i++)
    for (int k = 0; k < 6; k++) {
      mw_error err = { 0 };
      text[i] = BYTE[k];
      mw_code rc = judge(text, sizeof FULL - 1, &err);
      text[i] = FULL[i];
      n_error += rc == MW_ERR_INPUT;
      if (rc != MW_OK && rc != MW_ERR_INPUT) MW_FAILS(rc, MW_ERR_INPUT);
    }
  MW_CHECK(n_error > 1000);
  remove(INP);
}

// ---- memory ----

// The linker sends every malloc and calloc of this program here (tests/CMakeLists.txt).
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
static int calls_left = -1;  // -1: all succeed

static bool one_is_left(void)
{
  if (calls_left == 0) return false;
  if (calls_left > 0) calls_left--;
  return true;
}

void *__wrap_malloc(size_t size) { return one_is_left() ? __real_malloc(size) : NULL; }

void *__wrap_calloc(size_t count, size_t size)
{
  return one_is_left() ? __real_calloc(count, size) : NULL;
}

// Reads, checks and looks for coincident nodes while the (n + 1)-th allocation and all later ones
// fail.
static mw_code starved(const char *path, int n)
{
  mw_arena mem = { 0 };
  mw_mesh m;
  mw_error err = { 0 };
  int count, pair[2];
  calls_left = n;
  mw_code rc = mw_mesh_read(path, 0.001, &mem, &m, &err);
  if (rc == MW_OK) rc = mw_mesh_check(&m, &err);
  if (rc == MW_OK) rc = mw_mesh_coincident(&m, 1e-9, &count, pair, &err);
  calls_left = -1;
  mw_arena_free(&mem);
  return rc;
}

static void every_failed_allocation_is_an_error(void)
{
  char path[512];
  MW_CHECK(put(INP, FULL, strlen(FULL)));
  for (int file = 0; file < 3; file++) {
    static const char *NAME[] = { "gmsh_hex20.msh", "gmsh_tet10.msh" };
    if (file < 2) snprintf(path, sizeof path, "%s/fem/%s", MW_TESTS_DIR, NAME[file]);
    int n = 0;
    mw_code rc = MW_ERR_MEMORY;
    for (; rc == MW_ERR_MEMORY && n < 1000; n++) rc = starved(file < 2 ? path : INP, n);
    MW_FAILS(rc, MW_OK);
    MW_CHECK(n > 3);
  }
  remove(INP);
}

static const mw_test_case cases[] = {
  { "a_file_may_say_all_this", a_file_may_say_all_this },
  { "sets_alike_are_one_set", sets_alike_are_one_set },
  { "units_follow_from_length_newton_and_second", units_follow_from_length_newton_and_second },
  { "long_elements_go_on_in_the_next_line", long_elements_go_on_in_the_next_line },
  { "face_labels_are_those_of_abaqus", face_labels_are_those_of_abaqus },
  { "included_files_may_hold_bare_data", included_files_may_hold_bare_data },
  { "errors_in_an_included_file_name_it", errors_in_an_included_file_name_it },
  { "sets_of_sets_do_not_explode", sets_of_sets_do_not_explode },
  { "bad_files_say_where_and_what", bad_files_say_where_and_what },
  { "a_missing_file_is_an_io_error", a_missing_file_is_an_io_error },
  { "truncated_files_never_crash", truncated_files_never_crash },
  { "corrupted_bytes_never_crash", corrupted_bytes_never_crash },
  { "every_failed_allocation_is_an_error", every_failed_allocation_is_an_error },
};

int main(void) { return mw_test_run("inp", cases, (int)(sizeof cases / sizeof *cases)); }
