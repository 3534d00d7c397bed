// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_shared.c: whole runs of path rigid by ranks, threads here, against those of one
// process: bits, limits, errors of one of them.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fem/links.h"
#include "fem/thread_team.h"
#include "fixture.h"
#include "mw_test.h"
#include "sim/rigidrun.h"

enum { LINKS = 520, MOST_RANKS = 4 };

typedef struct crew {
  const mw_fixture *f;
  const mw_scenario *sc;
  mw_rigid_run_opt opt;
  double start;  // rad/s, of a rank other than 0 in place of what the scenario says; 0: none
  mw_run run[MOST_RANKS];
  mw_code code[MOST_RANKS];
  mw_error err[MOST_RANKS];
} crew;

// A disk that is full at the second stored instant.
static mw_code refuse(void *ctx, const mw_snapshot *s, mw_error *err)
{
  (void)ctx;
  return s->t > 0.0 ? mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the disk is full") : MW_OK;
}

static const mw_watch full_disk = { .every = 1, .put = refuse };

static void be_rank(const mw_team *team, void *ctx)
{
  crew *k = ctx;
  int me = team->rank;
  mw_rigid_run_opt opt = k->opt;
  mw_scenario sc = *k->sc;
  double other[] = { k->start };
  if (me > 0 && k->start != 0.0 && sc.n_start != 1) abort();
  opt.team = team;
  if (me > 0) opt.watch = NULL;
  if (me > 0 && k->start != 0.0) sc.start_v = other;
  k->code[me] =
      mw_rigid_run(&k->f->mech, me > 0 ? &sc : k->sc, &opt, NULL, &k->run[me], &k->err[me]);
}

static void release(crew *k)
{
  for (int i = 0; i < MOST_RANKS; i++)
    if (k->code[i] == MW_OK) mw_run_free(&k->run[i]);
  memset(k->run, 0, sizeof k->run);
}

static void same_series(const mw_run *a, const mw_run *b)
{
  size_t n = (size_t)a->n_t;
  if (!MW_CHECK(a->n_t == b->n_t && a->steps == b->steps && a->n_note == b->n_note)) return;
  MW_SAME_BITS(a->t, b->t, n);
  MW_SAME_BITS(a->s, b->s, n * (size_t)a->n_coord);
  MW_SAME_BITS(a->s_dot, b->s_dot, n * (size_t)a->n_coord);
  MW_SAME_BITS(a->y, b->y, n * 3 * (size_t)a->n_out);
  MW_SAME_BITS(a->force, b->force, n * (size_t)a->n_drive);
  MW_SAME_BITS(a->reaction, b->reaction, n * 6 * (size_t)a->n_joint);
  MW_SAME_BITS(a->work, b->work, n);
  MW_SAME_BITS(a->residual_a, b->residual_a, n);
  MW_CHECK(!a->event == !b->event && (!a->event || strcmp(a->event, b->event) == 0));
}

static void compare(crew *k)
{
  mw_run one;
  mw_error err = { 0 };
  if (!MW_OKAY(mw_rigid_run(&k->f->mech, k->sc, &k->opt, NULL, &one, &err))) return;
  for (int n = 2; n <= MOST_RANKS; n++) {
    if (!MW_CHECK(thread_team_run(n, be_rank, k))) break;
    for (int i = 0; i < n; i++)
      if (MW_OKAY(k->code[i])) same_series(&k->run[i], &one);
    release(k);
  }
  mw_run_free(&one);
}

static crew ready(const mw_fixture *f, int scenario, mw_method method)
{
  crew k = { .f = f, .sc = &f->model.scenario[scenario] };
  k.opt = mw_rigid_run_opt_default(k.sc);
  k.opt.rigid.method = method;
  k.opt.rigid.threads = 1;  // the groups
  for (int i = 0; i < MOST_RANKS; i++) k.code[i] = MW_ERR_INPUT;
  return k;
}

static void runs_by_ranks_have_the_bits_of_one_process(void)
{
  static const mw_method METHOD[] = { MW_METHOD_AUTO, MW_METHOD_DOPRI5, MW_METHOD_RK4,
                                      MW_METHOD_LEAPFROG };
  mw_fixture f;
  if (!MW_CHECK(links_driven_open(LINKS, false, &f))) return;
  for (size_t i = 0; i < sizeof METHOD / sizeof *METHOD; i++) {
    crew k = ready(&f, 0, METHOD[i]);
    compare(&k);
  }
  mw_fixture_free(&f);
}

static void runs_with_friction_by_ranks_have_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_driven_open(LINKS, true, &f))) return;
  crew k = ready(&f, 0, MW_METHOD_RK4);
  compare(&k);
  mw_fixture_free(&f);
}

static void ranks_meet_a_limit_as_one_process_does(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_driven_open(LINKS, false, &f))) return;
  for (int i = 0; i < 2; i++) {
    crew k = ready(&f, 1, i ? MW_METHOD_RK4 : MW_METHOD_AUTO);
    compare(&k);
    if (MW_CHECK(thread_team_run(2, be_rank, &k)) && MW_CHECK(k.code[1] == MW_OK))
      MW_CHECK(k.run[1].event != NULL && k.run[1].t[k.run[1].n_t - 1] < 0.1);
    release(&k);
  }
  mw_fixture_free(&f);
}

static void an_error_of_one_rank_ends_all_and_is_told_once(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_driven_open(LINKS, false, &f))) return;
  crew k = ready(&f, 0, MW_METHOD_RK4);
  k.opt.watch = &full_disk;
  MW_CHECK(thread_team_run(3, be_rank, &k));
  for (int i = 0; i < 3; i++) {
    MW_FAILS(k.code[i], MW_ERR_IO);
    MW_CHECK(strcmp(k.err[i].msg, i == 0 ? "the disk is full" : "") == 0);
  }
  release(&k);
  mw_fixture_free(&f);
}

static void ranks_with_other_numbers_are_found(void)
{
  mw_fixture f;
  if (!MW_CHECK(links_driven_open(LINKS, false, &f))) return;
  crew k = ready(&f, 1, MW_METHOD_RK4);
  k.start = 5.0 + 1e-9;
  MW_CHECK(thread_team_run(3, be_rank, &k));
  for (int i = 0; i < 3; i++) {
    MW_FAILS(k.code[i], MW_ERR_NUMERIC);
    MW_CHECK(strstr(k.err[i].msg, "ranks have come to different numbers at t = 0 s") != NULL);
  }
  release(&k);
  mw_fixture_free(&f);
}

static void refused(mw_scenario sc, mw_rigid_in in, const char *what)
{
  mw_error err = { 0 };
  MW_FAILS(mw_rigid_run_ranks_check(&sc, &in, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, what) != NULL);
}

static void what_ranks_do_not_do_is_refused_by_name(void)
{
  static const mw_method OTHER[] = { MW_METHOD_CVODE,   MW_METHOD_ADAMS, MW_METHOD_IDA,
                                     MW_METHOD_RADAU,   MW_METHOD_EULER, MW_METHOD_ALPHA,
                                     MW_METHOD_MIDPOINT };
  mw_scenario sc = { .name = "ride" };
  mw_rigid_in in = { .method = MW_METHOD_AUTO };
  mw_error err = { 0 };
  MW_OKAY(mw_rigid_run_ranks_check(&sc, &in, &err));
  for (size_t i = 0; i < sizeof OTHER / sizeof *OTHER; i++) {
    in.method = OTHER[i];
    refused(sc, in, mw_method_name(OTHER[i]));
  }
  in.method = MW_METHOD_RK4;
  in.threads = 2;
  refused(sc, in, "found 2 threads");
  in.threads = 1;
  sc.n_unit = 1;
  refused(sc, in, "scenario ride steps units of other programs");
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "runs_by_ranks_have_the_bits_of_one_process", runs_by_ranks_have_the_bits_of_one_process },
    { "runs_with_friction_by_ranks_have_the_bits_of_one_process",
      runs_with_friction_by_ranks_have_the_bits_of_one_process },
    { "ranks_meet_a_limit_as_one_process_does", ranks_meet_a_limit_as_one_process_does },
    { "an_error_of_one_rank_ends_all_and_is_told_once",
      an_error_of_one_rank_ends_all_and_is_told_once },
    { "ranks_with_other_numbers_are_found", ranks_with_other_numbers_are_found },
    { "what_ranks_do_not_do_is_refused_by_name", what_ranks_do_not_do_is_refused_by_name },
  };
  return mw_test_run("rigid_shared", cases, (int)(sizeof cases / sizeof *cases));
}
