// SPDX-License-Identifier: BSD-3-Clause
// test_matrices_bad.c: readers of foreign matrices: fields of bulk data, broken files and what they
// must say.
#include <stdio.h>
#include <string.h>

#include "fem/matrices.h"
#include "fixture_body.h"
#include "mw_test.h"

#define STEM "test_matrices_bad.tmp"

static void clean(void)
{
  static const char *const END[] = { ".sti", ".mas", ".dof", ".nodes", ".inp",
                                     ".bdf", ".pch", ".dat", ".k.mtx", ".m.mtx" };
  char path[64];
  for (size_t k = 0; k < sizeof END / sizeof *END; k++) {
    snprintf(path, sizeof path, STEM "%s", END[k]);
    remove(path);
  }
}

typedef struct bad_input {
  const char *stiffness, *mass, *dofs, *nodes;
  const char *file;  // the one to blame
  int line;
  const char *msg;
} bad_input;

// two.*: two nodes, a spring and a mass each, with nothing wrong
static const bad_input BAD[] = {
  { "two.sti", "two.mas", "two.dof", "node-twice.nodes", "node-twice.nodes", 3,
    "node 1 is defined twice, first in line 1" },
  { "two.sti", "two.mas", "two.dof", "node-short.nodes", "node-short.nodes", 2,
    "the line ends here, expected a coordinate" },
  { "two.sti", "two.mas", "two.dof", "node-nan.nodes", "node-nan.nodes", 2, "found 'nan'" },
  { "two.sti", "two.mas", "two.dof", "node-none.nodes", "node-none.nodes", 0, "no nodes" },
  { "two.sti", "two.mas", "dof-direction.dof", "two.nodes", "dof-direction.dof", 2,
    "found '2.7', expected node.direction" },
  { "two.sti", "two.mas", "dof-unknown.dof", "two.nodes", "dof-unknown.dof", 2,
    "node 3 has no place in" },
  { "two.sti", "two.mas", "dof-twice.dof", "two.nodes", "dof-twice.dof", 2,
    "1.1 has a row already" },
  { "row-beyond.sti", "two.mas", "two.dof", "two.nodes", "row-beyond.sti", 3,
    "row 3, but there are the rows 1 to 2" },
  { "value-nan.sti", "two.mas", "two.dof", "two.nodes", "value-nan.sti", 2,
    "found 'nan', expected a value" },
  { "value-missing.sti", "two.mas", "two.dof", "two.nodes", "value-missing.sti", 2,
    "the line ends here, expected a value" },
  { "value-hex.sti", "two.mas", "two.dof", "two.nodes", "value-hex.sti", 1, "found '0x2'" },
  { "cut-off.sti", "two.mas", "two.dof", "two.nodes", "cut-off.sti", 0,
    "node 2 has stiffness 0 in direction 1" },
  { "entry-twice.sti", "two.mas", "two.dof", "two.nodes", "entry-twice.sti", 4,
    "entry 2.1, 1.1 is given twice, first in line 2" },
  { "two.sti", "mass-negative.mas", "two.dof", "two.nodes", "two.sti", 0,
    "node 2 has mass -1 in direction 1" },
  { "banner.mtx", "two.mtx", "two.dof", "two.nodes", "banner.mtx", 1,
    "expected '%%MatrixMarket matrix coordinate real symmetric'" },
  { "complex.mtx", "two.mtx", "two.dof", "two.nodes", "complex.mtx", 1, "found 'complex'" },
  { "skew.mtx", "two.mtx", "two.dof", "two.nodes", "skew.mtx", 1, "a 'skew-symmetric' matrix" },
  { "not-square.mtx", "two.mtx", "two.dof", "two.nodes", "not-square.mtx", 2,
    "2 rows and 3 columns" },
  { "two.mtx", "other-size.mtx", "two.dof", "two.nodes", "other-size.mtx", 2, "5 rows, but" },
  { "two.mtx", "two.mtx", NULL, "two.nodes", "two.mtx", 3, "2 rows, but" },
  { "fewer.mtx", "two.mtx", "two.dof", "two.nodes", "fewer.mtx", 4,
    "the file ends after 2 of 3 entries" },
  { "more.mtx", "two.mtx", "two.dof", "two.nodes", "more.mtx", 4, "more than the 1 entries" },
  { "asymmetric.mtx", "two.mtx", "two.dof", "two.nodes", "asymmetric.mtx", 4,
    "expected a symmetric matrix" },
  { "complex.pch", "two.pch", NULL, "two.bdf", "complex.pch", 1, "DMIG KAAX is complex" },
  { "form.pch", "two.pch", NULL, "two.bdf", "form.pch", 1, "form 1, expected 6" },
  { "no-header.pch", "two.pch", NULL, "two.bdf", "no-header.pch", 1, "begins without a header" },
  { "grid-unknown.pch", "two.pch", NULL, "two.bdf", "grid-unknown.pch", 4, "refers to grid 9" },
  { "scalar.pch", "two.pch", NULL, "two.bdf", "scalar.pch", 3,
    "scalar point 101: a modal coordinate has no mass moments" },
  { "component.pch", "two.pch", NULL, "two.bdf", "component.pch", 2, "component 8 of grid 1" },
  { "value.pch", "two.pch", NULL, "two.bdf", "value.pch", 2, "found '2.X', expected a value" },
  { "no-dmig.pch", "two.pch", NULL, "two.bdf", "no-dmig.pch", 0, "no DMIG cards" },
  { "three.pch", "two.pch", NULL, "two.bdf", "three.pch", 0, "3 DMIG matrices, 2 of them" },
  { "two.pch", "two.pch", NULL, "system.bdf", "system.bdf", 2, "its place in coordinate system 4" },
  { "two.pch", "two.pch", NULL, "motions.bdf", "motions.bdf", 2,
    "its motions in coordinate system 7" },
  { "two.pch", "two.pch", NULL, "grdset.bdf", "grdset.bdf", 1, "GRDSET is not read" },
  { "two.sti", "two.mas", "two.dof", "set-unknown.inp", "set-unknown.inp", 5,
    "unknown node set 'GUIDE'" },
  { "two.sti", "two.mas", "two.dof", "elsewhere.inp", "elsewhere.inp", 2, "nodes in another file" },
  { "two.sti", "two.mas", "two.dof", "moved.inp", "moved.inp", 3, "*SYSTEM moves nodes" },
  { "two.sti", "two.pch", NULL, "two.bdf", "model.yaml", 9,
    "only one of the two matrices is DMIG" },
  { "two.nodes", "two.mas", "two.dof", "two.nodes", "model.yaml", 8, "is no matrix file" },
  { "two.sti", "two.mas", NULL, "two.nodes", "model.yaml", 7, "dofs is missing" },
  { "two.pch", "two.pch", "two.dof", "two.bdf", "model.yaml", 10, "drop dofs" },
};

static const char *in_bad(const char *name, char path[256])
{
  if (name == NULL) return NULL;
  snprintf(path, 256, "%s/bad/matrices/%s", MW_TESTS_DIR, name);
  return path;
}

static mw_code read_bad(const bad_input *b, mw_error *err)
{
  char path[4][256];
  mw_arena mem = { 0 };
  mw_matrices m = { 0 };
  mw_matrices_in in = { .stiffness = in_bad(b->stiffness, path[0]),
                        .mass = in_bad(b->mass, path[1]),
                        .dofs = in_bad(b->dofs, path[2]),
                        .nodes = in_bad(b->nodes, path[3]),
                        .at = { "model.yaml", 7, 5 },
                        .stiffness_at = { "model.yaml", 8, 5 },
                        .mass_at = { "model.yaml", 9, 5 },
                        .dofs_at = { "model.yaml", 10, 5 },
                        .nodes_at = { "model.yaml", 11, 5 } };
  mw_code rc = mw_matrices_read(&in, 1.0, &mem, &m, err);
  if (rc != MW_OK) MW_CHECK(m.n_node == 0 && m.x == NULL);
  mw_arena_free(&mem);
  return rc;
}

static void bad_files_say_where_and_what(void)
{
  static const bad_input GOOD[4] = {
    { .stiffness = "two.mtx", .mass = "two.mas", .dofs = "two.dof", .nodes = "two.inp" },
    { .stiffness = "two.sti", .mass = "two.mas", .dofs = "two.dof", .nodes = "two.nodes" },
    { .stiffness = "two.sti", .mass = "two.mtx", .dofs = "two.dof", .nodes = "two.nodes" },
    { .stiffness = "two.pch", .mass = "two.pch", .nodes = "two.bdf" },
  };
  for (size_t k = 0; k < sizeof GOOD / sizeof *GOOD; k++) {
    mw_error err = { 0 };
    MW_OKAY(read_bad(&GOOD[k], &err));
  }
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    mw_error err = { 0 };
    size_t n = strlen(BAD[k].file);
    MW_FAILS(read_bad(&BAD[k], &err), MW_ERR_INPUT);
    bool right = err.line == BAD[k].line && strstr(err.msg, BAD[k].msg) != NULL &&
                 strlen(err.file) >= n && strcmp(err.file + strlen(err.file) - n, BAD[k].file) == 0;
    if (!MW_CHECK(right)) printf("  %s: %s:%d: %s\n", BAD[k].file, err.file, err.line, err.msg);
  }
}

static size_t load(const char *name, char *buf, size_t n)
{
  char path[256];
  FILE *f = fopen(in_bad(name, path), "rb");
  size_t got = f != NULL ? fread(buf, 1, n, f) : 0;
  if (f != NULL) fclose(f);
  return got;
}

// Any byte may be anything, any end may be missing: a result or an error, never a crash.
static void corrupted_bytes_never_crash(void)
{
  static const char *const FILES[3][4] = { { "two.sti", "two.mas", "two.dof", "two.nodes" },
                                           { "two.mtx", "two.mtx", "two.dof", "two.inp" },
                                           { "two.pch", "two.pch", NULL, "two.bdf" } };
  static const char *const TO[3][4] = { { STEM ".sti", STEM ".mas", STEM ".dof", STEM ".nodes" },
                                        { STEM ".k.mtx", STEM ".m.mtx", STEM ".dof", STEM ".inp" },
                                        { STEM ".pch", STEM ".dat", NULL, STEM ".bdf" } };
  unsigned seed = 11;
  int refused = 0;
  for (int round = 0; round < 3000; round++) {
    const char *const *from = FILES[round % 3], *const *to = TO[round % 3];
    mw_arena mem = { 0 };
    mw_matrices m;
    mw_error err = { 0 };
    mw_matrices_in in = { .stiffness = to[0], .mass = to[1], .dofs = to[2], .nodes = to[3] };
    int bad = round / 3 % 4;
    for (int k = 0; k < 4; k++) {
      char buf[4096];
      if (from[k] == NULL) continue;
      size_t n = load(from[k], buf, sizeof buf);
      for (int hit = 0; k == bad && hit < 1 + round % 4 && n > 0; hit++)
        buf[(size_t)((fixture_random(&seed) + 1.0) * 0.5 * (double)n)] =
            (char)(127.0 * fixture_random(&seed));
      if (k == bad && round % 5 == 0) n = (size_t)((fixture_random(&seed) + 1.0) * 0.5 * (double)n);
      if (!MW_CHECK(mw_test_write(to[k], buf, n))) return;
    }
    mw_code rc = mw_matrices_read(&in, 1.0, &mem, &m, &err);
    refused += rc != MW_OK;
    if (rc == MW_OK) {
      MW_OKAY(mw_matrices_check(&m, MW_NOWHERE, &err));
    } else {
      MW_CHECK(rc == MW_ERR_INPUT && err.msg[0] != '\0');
    }
    mw_arena_free(&mem);
  }
  MW_CHECK(refused > 1500);  // half the changes are noticed, at least
  clean();
}

static void missing_file_is_an_io_error(void)
{
  mw_arena mem = { 0 };
  mw_matrices m;
  mw_error err = { 0 };
  mw_matrices_in in = { .stiffness = "no/such.mtx", .mass = "no/such.mtx", .nodes = "no/such" };
  MW_FAILS(mw_matrices_read(&in, 1.0, &mem, &m, &err), MW_ERR_IO);
  MW_CHECK(strcmp(err.file, "no/such") == 0);
  mw_arena_free(&mem);
}

// Small field, exponents without E, tabs, continuations, free and large field in one file: the same
// three-node chain as its plain text.
static void fields_of_bulk_data_are_read_alike(void)
{
  static const char PUNCH[] = "BEGIN BULK\n"
                              "DMIG    KQ             0       6       1       0\n"
                              "DMIG    KQ             3       1               3       1  1.25+3\n"
                              "+              7       1 -1.25+3              12       1-1.25-20\n"
                              "DMIG,KQ,7,1,,7,1,2.5E3\n"
                              "DMIG*\tKQ                            12               1\n"
                              "*                      7               1        -1250.D0\n"
                              "$ a comment between\n"
                              "*                     12               1         1.25D+3\n"
                              "DMIG    MQ             0       6       1       0\n"
                              "dmig    mq             3       1               3       1     .25\n"
                              "DMIG\tMQ\t7\t1\t\t7\t1\t2.5-1\n"
                              "DMIG    MQ            12       1              12       1   0.250\n";
  static const char GRIDS[] =
      "GRID           3              0.      0.     1.5\n"
      "GRID*                  7                             1.0           2.0-1\n"
      "*                    -.5               0\n"
      "GRID,12,0,2.,,1.D1\n";
  static const double X[9] = { 0, 0, 1.5, 1, 0.2, -0.5, 2, 0, 10 },
                      K[9] = { 1250, -1250, -1.25e-20, -1250, 2500, -1250, -1.25e-20, -1250, 1250 };
  mw_arena mem = { 0 };
  mw_matrices m;
  mw_error err = { 0 };
  mw_matrices_in in = { .stiffness = STEM ".pch", .mass = STEM ".pch", .nodes = STEM ".bdf" };
  double D[9];
  FILE *f = fopen(in.stiffness, "w"), *g = fopen(in.nodes, "w");
  if (!MW_CHECK(f != NULL && g != NULL)) return;
  fputs(PUNCH, f);
  fputs(GRIDS, g);
  fclose(f);
  fclose(g);
  if (MW_OKAY(mw_matrices_read(&in, 1.0, &mem, &m, &err)) && MW_CHECK(m.n_row == 3)) {
    MW_SAME_BITS(m.x, X, 9);
    fixture_dense(&m.K, D);
    MW_SAME_BITS(D, K, 9);
    fixture_dense(&m.M, D);
    for (int k = 0; k < 9; k++) MW_NEAR(D[k], k % 4 == 0 ? 0.25 : 0.0, 0.0);
    for (int k = 0; k < 3; k++) MW_CHECK(m.motion[k] == 6 * k && m.row[6 * k] == k);
  }
  mw_arena_free(&mem);
  clean();
}

static const mw_test_case cases[] = {
  { "fields_of_bulk_data_are_read_alike", fields_of_bulk_data_are_read_alike },
  { "bad_files_say_where_and_what", bad_files_say_where_and_what },
  { "corrupted_bytes_never_crash", corrupted_bytes_never_crash },
  { "missing_file_is_an_io_error", missing_file_is_an_io_error },
};

int main(void) { return mw_test_run("matrices_bad", cases, (int)(sizeof cases / sizeof *cases)); }
