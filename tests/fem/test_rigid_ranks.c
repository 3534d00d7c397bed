// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_ranks.c: right-hand sides of the rigid mechanism by ranks, threads here, against those
// of one process with the same groups.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fem/rigid.h"
#include "fixture.h"
#include "links.h"
#include "mw_test.h"
#include "rigid_problems.h"
#include "thread_team.h"

enum { BODY = 12, CALLS = 3, MOST_RANKS = 8 };

typedef struct claim {  // of all ranks
  const mw_rigid *r;
  int n_q;
  const double *q[CALLS], *v[CALLS], *a[CALLS];  // [n_q]  of one process; a NULL: none there
  int own[MOST_RANKS], needed[MOST_RANKS];       // bodies
  bool same[MOST_RANKS], failed[MOST_RANKS][CALLS];
} claim;

// The entries of bodies of this rank's concern; all others are no numbers.
static void take(const unsigned char *here, const double *x, int n_q, double *out)
{
  for (int i = 0; i < n_q; i++) out[i] = here[i / BODY] ? x[i] : NAN;
}

static bool same_bits(const unsigned char *here, const double *x, const double *y, int n_q)
{
  for (int i = 0; i < n_q; i += BODY)
    if (here[i / BODY] && memcmp(x + i, y + i, BODY * sizeof *x) != 0) return false;
  return true;
}

static void be_rank(const mw_team *team, void *ctx)
{
  claim *z = ctx;
  mw_error err = { 0 };
  mw_rigid_work *w = NULL;
  int me = team->rank;
  double *x = calloc(3 * (size_t)z->n_q, sizeof *x), *v = x + z->n_q, *a = v + z->n_q;
  if (!x || mw_rigid_work_build(z->r, &w, &err) != MW_OK ||
      mw_rigid_work_spread(z->r, w, team, &err) != MW_OK)
    abort();  // the others would wait
  const unsigned char *here = mw_rigid_here(w);
  for (int b = 0; b < z->n_q / BODY; b++) {
    z->own[me] += (here[b] & MW_RIGID_OWN) != 0;
    z->needed[me] += here[b] != 0;
  }
  z->same[me] = true;
  for (int i = 0; i < CALLS; i++) {
    take(here, z->q[i], z->n_q, x);
    take(here, z->v[i], z->n_q, v);
    z->failed[me][i] = mw_rigid_accel(z->r, w, 0.0, x, v, a, &err) != MW_OK;
    if (z->a[i]) z->same[me] = z->same[me] && same_bits(here, a, z->a[i], z->n_q);
  }
  mw_rigid_work_free(w);
  free(x);
}

// States near the reference configuration, and what one process makes of them.
static bool begin(mw_fixture *f, int part, mw_rigid **r, claim *z)
{
  mw_error err = { 0 };
  mw_rigid_work *w = NULL;
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.part = part;
  if (!MW_OKAY(mw_rigid_build(&f->mech, &opt, r, &err)) ||
      !MW_OKAY(mw_rigid_work_build(*r, &w, &err)))
    return false;
  mw_rigid_size n = mw_rigid_sizes(*r);
  *z = (claim){ .r = *r, .n_q = n.n_q };
  double *u = mw_arena_f64(&f->mem, (size_t)n.n_u);
  for (int i = 0; i < CALLS; i++) {
    double *q = mw_arena_f64(&f->mem, (size_t)n.n_q), *v = mw_arena_f64(&f->mem, (size_t)n.n_q),
           *a = mw_arena_f64(&f->mem, (size_t)n.n_q);
    if (!MW_OKAY(mw_arena_check(&f->mem, &err))) return false;
    mw_rigid_from_frames(*r, f->mech.p0, q);
    for (int k = 0; k < n.n_u; k++) u[k] = 1e-3 * sin(1.7 * k + i);
    mw_rigid_move(*r, q, u, q);
    MW_OKAY(mw_rigid_assemble(*r, w, 0.0, q, 1e-12, &err));
    mw_rigid_rates(*r, q, u, v);
    MW_OKAY(mw_rigid_project_v(*r, w, 0.0, q, v, true, &err));
    MW_OKAY(mw_rigid_accel(*r, w, 0.0, q, v, a, &err));
    z->q[i] = q;
    z->v[i] = v;
    z->a[i] = a;
  }
  mw_rigid_work_free(w);
  return true;
}

static void compare(mw_fixture *f, int part)
{
  mw_rigid *r = NULL;
  claim z;
  if (begin(f, part, &r, &z)) {
    for (int n = 1; n <= MOST_RANKS; n++) {
      claim one = z;
      int own = 0;
      if (!MW_CHECK(thread_team_run(n, be_rank, &one))) break;
      for (int k = 0; k < n; k++) {
        MW_CHECK(one.same[k]);
        for (int i = 0; i < CALLS; i++) MW_CHECK(!one.failed[k][i]);
        own += one.own[k];
        MW_CHECK(n == 1 || one.needed[k] < z.n_q / BODY);
      }
      MW_CHECK(own == z.n_q / BODY);
    }
  }
  mw_rigid_free(r);
  mw_fixture_free(f);
}

static void ranks_give_a_tree_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_open(60, false, &f))) return;
  compare(&f, 4);
}

static void ranks_give_loops_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_open(60, true, &f))) return;
  compare(&f, 6);
}

// Three of a window's rows repeat others.
static void ranks_give_redundant_rows_the_bits_of_one_process(void)
{
  const mw_problem p = { .example = "n-four-bar", .n = 60 };
  mw_fixture f;
  if (!MW_CHECK(mw_problem_open(&p, &f))) return;
  compare(&f, 12);
}

static void more_ranks_than_groups_give_the_same_bits(void)
{
  const mw_problem p = { .example = "chain", .n = 9 };
  mw_fixture f;
  mw_rigid *r = NULL;
  claim z;
  if (!MW_CHECK(mw_problem_open(&p, &f))) return;
  if (begin(&f, 4, &r, &z) && MW_CHECK(thread_team_run(MOST_RANKS, be_rank, &z)))
    for (int k = 0; k < MOST_RANKS; k++) MW_CHECK(z.same[k]);
  mw_rigid_free(r);
  mw_fixture_free(&f);
}

// What is no number in one of them stops all, and the next call finds its bits again.
static void ranks_fail_together_and_go_on(void)
{
  mw_fixture f;
  mw_rigid *r = NULL;
  claim z;
  if (!MW_CHECK(links_open(60, true, &f))) return;
  if (begin(&f, 6, &r, &z)) {
    double *q = mw_arena_f64(&f.mem, (size_t)z.n_q);
    if (MW_CHECK(q != NULL)) {
      memcpy(q, z.q[1], (size_t)z.n_q * sizeof *q);
      q[0] = NAN;
      z.q[1] = q;
      z.a[1] = NULL;
      MW_CHECK(thread_team_run(4, be_rank, &z));
      for (int k = 0; k < 4; k++) {
        MW_CHECK(z.failed[k][1] && !z.failed[k][0] && !z.failed[k][2]);
        MW_CHECK(z.same[k]);
      }
    }
  }
  mw_rigid_free(r);
  mw_fixture_free(&f);
}

static void forces_are_refused_over_ranks(void)
{
  static const mw_team alone = { .n = 1 };
  mw_fixture f;
  mw_error err = { 0 };
  mw_rigid *r = NULL;
  mw_rigid_work *w = NULL;
  mw_rigid_opt opt = mw_rigid_opt_default();
  if (!MW_CHECK(mw_fixture_text(
          "modeway: 1\nname: damped\ngravity: [0, 0, -9.81]\nbodies:\n"
          "  a: { rigid: { mass: 1, com: [0.5, 0, 0], inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
          "  h: { revolute: { a: ground, b: a, axis: [0, 1, 0] }, coordinate: phi, damping: 1 }\n",
          &f)))
    return;
  if (MW_OKAY(mw_rigid_build(&f.mech, &opt, &r, &err)) &&
      MW_OKAY(mw_rigid_work_build(r, &w, &err))) {
    MW_CHECK(mw_rigid_work_spread(r, w, &alone, &err) == MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "found forces, springs or dampers") != NULL);
  }
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "ranks_give_a_tree_the_bits_of_one_process", ranks_give_a_tree_the_bits_of_one_process },
    { "ranks_give_loops_the_bits_of_one_process", ranks_give_loops_the_bits_of_one_process },
    { "ranks_give_redundant_rows_the_bits_of_one_process",
      ranks_give_redundant_rows_the_bits_of_one_process },
    { "more_ranks_than_groups_give_the_same_bits", more_ranks_than_groups_give_the_same_bits },
    { "ranks_fail_together_and_go_on", ranks_fail_together_and_go_on },
    { "forces_are_refused_over_ranks", forces_are_refused_over_ranks },
  };
  return mw_test_run("rigid_ranks", cases, (int)(sizeof cases / sizeof *cases));
}
