// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_tree.c: the rigid mechanism eliminated group by group against the same in one part,
// and by threads against the same alone.
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/rigid.h"
#include "fixture.h"
#include "links.h"
#include "mw_test.h"
#include "rigid_problems.h"

static const double SAME = 1e-12;  // promised

typedef struct rig {
  mw_rigid *r;
  mw_rigid_work *w;
  double *q, *v, *a;
  int redundant;
} rig;

static bool rig_open(mw_fixture *f, int part, bool assemblies, rig *k)
{
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  *k = (rig){ 0 };
  opt.scenario = f->model.n_scenario > 0 ? &f->model.scenario[0] : NULL;
  opt.part = part;
  opt.assemblies = assemblies;
  if (!MW_OKAY(mw_rigid_build(&f->mech, &opt, &k->r, &err)) ||
      !MW_OKAY(mw_rigid_work_build(k->r, &k->w, &err)))
    return false;
  size_t n = (size_t)mw_rigid_sizes(k->r).n_q;
  double **v[] = { &k->q, &k->v, &k->a };
  for (size_t i = 0; i < sizeof v / sizeof *v; i++) *v[i] = mw_arena_f64(&f->mem, n);
  return MW_OKAY(mw_arena_check(&f->mem, &err));
}

static void rig_close(rig *k)
{
  mw_rigid_work_free(k->w);
  mw_rigid_free(k->r);
}

// Moved by arbitrary 1e-3, closed by projections of positions and velocities, then accelerations;
// the gap that remains must be rounding.
static void rig_move(rig *k, const mw_fixture *f)
{
  mw_error err = { 0 };
  mw_rigid_size n = mw_rigid_sizes(k->r);
  double *u = calloc((size_t)n.n_u, sizeof *u), gap = NAN;
  mw_rigid_from_frames(k->r, f->mech.p0, k->q);
  for (int i = 0; i < n.n_u; i++) u[i] = 1e-3 * sin(1.7 * i + 0.3);
  mw_rigid_move(k->r, k->q, u, k->q);
  for (int i = 0; i < n.n_u; i++) u[i] = cos(2.3 * i + 0.1);
  MW_OKAY(mw_rigid_project_q(k->r, k->w, 0.0, k->q, 1e-13, 20, true, &gap, &err));
  MW_CHECK(gap <= 1e-12);
  mw_rigid_rates(k->r, k->q, u, k->v);
  MW_OKAY(mw_rigid_project_v(k->r, k->w, 0.0, k->q, k->v, true, &err));
  MW_OKAY(mw_rigid_accel(k->r, k->w, 0.0, k->q, k->v, k->a, &err));
  k->redundant = mw_rigid_redundant(k->r, k->w, NULL);
  free(u);
}

// Largest difference, over the largest entry or 1
static double apart(const double *x, const double *y, int n)
{
  double d = 0.0, size = 1.0;
  for (int i = 0; i < n; i++) {
    d = fmax(d, fabs(x[i] - y[i]));
    size = fmax(size, fabs(y[i]));
  }
  return d / size;
}

// same: part of the largest entry that motions may differ by
static void compare(mw_fixture *f, int part, bool assemblies, int groups, double same)
{
  mw_error err = { 0 };
  rig flat, tree, shared;
  mw_pool *pool = NULL;
  if (!rig_open(f, 0, false, &flat) || !rig_open(f, part, assemblies, &tree) ||
      !rig_open(f, part, assemblies, &shared))
    return;
  int n = mw_rigid_sizes(flat.r).n_q;
  MW_CHECK(mw_rigid_plan(flat.r)->n_group == 1);
  MW_CHECK(mw_rigid_plan(tree.r)->n_group >= groups);
  rig_move(&flat, f);
  rig_move(&tree, f);
  MW_WITHIN(apart(tree.q, flat.q, n), 0.0, same,
            "promised; where rows repeat others, what kept pivots allow");
  MW_WITHIN(apart(tree.v, flat.v, n), 0.0, same,
            "promised; where rows repeat others, what kept pivots allow");
  MW_WITHIN(apart(tree.a, flat.a, n), 0.0, same,
            "promised; where rows repeat others, what kept pivots allow");
  MW_CHECK(tree.redundant == flat.redundant);
  for (int threads = 2; threads <= 5; threads += 3) {
    if (!MW_OKAY(mw_pool_build(threads, &pool, &err))) return;
    mw_rigid_work_share(shared.w, pool);
    for (int k = 0; k < 5; k++) {
      rig_move(&shared, f);
      MW_CHECK(memcmp(shared.q, tree.q, (size_t)n * sizeof(double)) == 0);
      MW_CHECK(memcmp(shared.v, tree.v, (size_t)n * sizeof(double)) == 0);
      MW_CHECK(memcmp(shared.a, tree.a, (size_t)n * sizeof(double)) == 0);
    }
    mw_pool_free(pool);
  }
  rig_close(&flat);
  rig_close(&tree);
  rig_close(&shared);
}

// Names as paths of assemblies.
static void name_assemblies(mw_fixture *f)
{
  for (int b = 0; b < f->model.n_body; b++) {
    char *name = mw_arena_str(&f->mem, f->mech.body[b].name);
    for (char *c = name; c && *c; c++)
      if (*c == '_') *c = '.';
    f->mech.body[b].name = name;
  }
}

static void parts_of_a_tree_give_the_same_motion(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_open(24, false, &f))) return;
  compare(&f, 4, false, 5, SAME);
  compare(&f, 12, false, 3, SAME);
  mw_fixture_free(&f);
}

static void parts_of_loops_give_the_same_motion(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_open(24, true, &f))) return;
  compare(&f, 4, false, 5, SAME);
  compare(&f, 12, false, 3, SAME);
  mw_fixture_free(&f);
}

static void assemblies_of_names_give_the_same_motion(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_open(24, true, &f))) return;
  name_assemblies(&f);
  compare(&f, 0, true, 3, SAME);
  mw_fixture_free(&f);
}

// Bricard's mechanism: one of its rows is redundant wherever it is cut. Which one is left out
// depends on the cut; a pivot that is kept amplifies roundings by up to 1/drop.
static void redundant_rows_are_found_whatever_is_cut(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/bricard.yaml", &f))) return;
  compare(&f, 2, false, 2, DBL_EPSILON / mw_rigid_opt_default().drop);
  mw_fixture_free(&f);
}

// Windows of bars side by side, three redundant rows each. Their starting places are assembled: far
// from consistent ones the rows contradict each other, and accelerations depend on which of them an
// order leaves out.
static void many_windows_accelerate_alike(void)
{
  enum { WINDOWS = 500, PART = 94 };  // joints: 1501
  const mw_problem p = { .example = "n-four-bar", .n = WINDOWS };
  mw_error err = { 0 };
  mw_fixture f;
  rig flat, tree;
  if (!MW_CHECK(mw_problem_open(&p, &f)) || !rig_open(&f, 0, false, &flat) ||
      !rig_open(&f, PART, false, &tree))
    return;
  mw_rigid_size n = mw_rigid_sizes(flat.r);
  double *u = mw_arena_f64(&f.mem, (size_t)n.n_u);
  if (!MW_OKAY(mw_arena_check(&f.mem, &err))) return;
  mw_rigid_from_frames(flat.r, f.mech.p0, flat.q);
  for (int i = 0; i < n.n_u; i++) u[i] = 1e-3 * sin(1.7 * i + 0.3);
  mw_rigid_move(flat.r, flat.q, u, flat.q);
  MW_OKAY(mw_rigid_assemble(flat.r, flat.w, 0.0, flat.q, 1e-12, &err));
  mw_rigid_rates(flat.r, flat.q, u, flat.v);
  MW_OKAY(mw_rigid_project_v(flat.r, flat.w, 0.0, flat.q, flat.v, true, &err));
  MW_OKAY(mw_rigid_accel(flat.r, flat.w, 0.0, flat.q, flat.v, flat.a, &err));
  MW_OKAY(mw_rigid_accel(tree.r, tree.w, 0.0, flat.q, flat.v, tree.a, &err));
  MW_CHECK(mw_rigid_redundant(flat.r, flat.w, NULL) == 3 * WINDOWS);
  MW_CHECK(mw_rigid_redundant(tree.r, tree.w, NULL) == 3 * WINDOWS);
  MW_WITHIN(apart(tree.a, flat.a, n.n_q), 0.0, SAME, "promised");
  rig_close(&flat);
  rig_close(&tree);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "parts_of_a_tree_give_the_same_motion", parts_of_a_tree_give_the_same_motion },
    { "parts_of_loops_give_the_same_motion", parts_of_loops_give_the_same_motion },
    { "assemblies_of_names_give_the_same_motion", assemblies_of_names_give_the_same_motion },
    { "redundant_rows_are_found_whatever_is_cut", redundant_rows_are_found_whatever_is_cut },
    { "many_windows_accelerate_alike", many_windows_accelerate_alike },
  };
  return mw_test_run("rigid_tree", cases, (int)(sizeof cases / sizeof *cases));
}
