// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_structure.c: blocks of the elimination against symbolic elimination of the matrix that
// bodies and joints make, all of it.
#include <stdio.h>
#include <string.h>

#include "fem/rigid_structure.h"
#include "fixture.h"
#include "mw_test.h"

static const mw_joint *joint_of(const mw_mech *m, const char *name)
{
  for (int j = 0; j < m->n_joint; j++)
    if (strcmp(m->joint[j].name, name) == 0) return &m->joint[j];
  return NULL;
}

// Does a node of rows touch a body, by the joint that both are named after?
static bool joined(const mw_mech *m, const mw_rigid_structure *o, int rows, int body)
{
  const mw_joint *j = o->rows[rows] && !o->rows[body] ? joint_of(m, o->name[rows]) : NULL;
  return j && (strcmp(m->body[j->a].name, o->name[body]) == 0 ||
               strcmp(m->body[j->b].name, o->name[body]) == 0);
}

// Eliminates node after node in a full table: whoever is coupled with the pivot is then coupled
// with each other. Every block that arises is listed, and no other; those that joints make
// themselves are no fill.
static void check(const mw_fixture *f, int groups)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_rigid *r = NULL;
  mw_rigid_structure o;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  opt.part = groups;
  if (!MW_OKAY(mw_rigid_build(&f->mech, &opt, &r, &err)) ||
      !MW_OKAY(mw_rigid_structure_find(r, &mem, &o, &err)))
    return;
  size_t n = (size_t)o.n;
  unsigned char *A = mw_arena_alloc(&mem, n * n, 1), *listed = mw_arena_alloc(&mem, n * n, 1);
  int wrong = 0, n_fill = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      A[i * n + k] = joined(&f->mech, &o, (int)i, (int)k) || joined(&f->mech, &o, (int)k, (int)i);
  for (int b = 0; b < o.n_block; b++) {
    size_t at = (size_t)o.block[b].row * n + (size_t)o.block[b].col;
    MW_CHECK(o.block[b].row > o.block[b].col && !listed[at]);
    listed[at] = 1;
    wrong += o.block[b].fill == (A[at] != 0);
    n_fill += o.block[b].fill;
  }
  for (size_t k = 0; k < n; k++)
    for (size_t i = k + 1; i < n; i++)
      for (size_t l = k + 1; l < n && A[i * n + k]; l++)
        if (A[l * n + k] && l != i) A[i * n + l] = 1;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++) wrong += A[i * n + k] != listed[i * n + k];
  printf("%s: %d nodes in %d groups, %d blocks, %d fill\n", f->model.name, o.n, o.n_group,
         o.n_block, o.n_fill);
  MW_CHECK(wrong == 0 && n_fill == o.n_fill);
  mw_rigid_free(r);
  mw_arena_free(&mem);
}

static void blocks_are_those_of_symbolic_elimination(void)
{
  static const char *const cases[] = { "bricard", "andrews", "six-bar", "hexapod", "2r", "puma" };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[512];
    mw_fixture f;
    snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, cases[i]);
    if (!MW_CHECK(mw_fixture_file(path, &f))) continue;
    check(&f, 0);
    check(&f, 2);
    mw_fixture_free(&f);
  }
}

// A chain: each joint is coupled with two bodies at most, and once they are eliminated with the
// next joint; none of its rows may depend on others.
static void chains_fill_along_themselves_alone(void)
{
  mw_fixture f;
  mw_rigid *r = NULL;
  mw_rigid_structure o;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/puma.yaml", &f))) return;
  if (MW_OKAY(mw_rigid_build(&f.mech, &opt, &r, &err)) &&
      MW_OKAY(mw_rigid_structure_find(r, &mem, &o, &err))) {
    MW_CHECK(o.n_block <= 3 * f.mech.n_joint && o.n_fill < f.mech.n_joint);
    for (int k = 0; k < o.n; k++) MW_CHECK(!o.loop[k]);
  }
  mw_rigid_free(r);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "blocks_are_those_of_symbolic_elimination", blocks_are_those_of_symbolic_elimination },
    { "chains_fill_along_themselves_alone", chains_fill_along_themselves_alone },
  };
  return mw_test_run("rigid_structure", cases, (int)(sizeof cases / sizeof *cases));
}
