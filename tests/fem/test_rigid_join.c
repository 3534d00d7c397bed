// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_join.c: steps of the rigid mechanism by ranks that hold the whole state each, threads
// here, against those of one process with the same groups: whatever a run asks for, bit for bit.
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

enum { STEPS = 3, MOST_RANKS = 5 };

typedef struct walk {  // what one rank sees of some steps
  double *x;           // [size]
  size_t n, size;
  mw_code last;
  mw_error err;
} walk;

typedef struct claim {  // of all ranks
  const mw_rigid *r;
  const double *q, *u;  // [n_q], [n_u]  where the steps start
  bool broken;          // positions of the second step are no numbers
  walk alone, rank[MOST_RANKS];
} claim;

static void see(walk *z, const double *x, size_t n)
{
  if (z->n + n > z->size) abort();
  memcpy(z->x + z->n, x, n * sizeof *x);
  z->n += n;
}

static void see_one(walk *z, double x) { see(z, &x, 1); }

// Accelerations, positions closed and velocities corrected with their factors, and the same as
// leapfrog does it, at positions a little off.
static mw_code step(const mw_rigid *r, mw_rigid_work *w, double t, double *q, double *v, double *a,
                    double *u, walk *z)
{
  static const double H = 1e-3;  // s
  mw_rigid_size n = mw_rigid_sizes(r);
  size_t nq = (size_t)n.n_q;
  double gap = 0.0, moved = 0.0;
  mw_code rc = mw_rigid_accel(r, w, t, q, v, a, &z->err);
  if (rc != MW_OK) return rc;
  see(z, a, nq);
  see_one(z, mw_rigid_power(r, w));
  see_one(z, mw_rigid_changes(w));
  for (int i = 0; i < n.n_q; i++) q[i] += H * v[i];
  rc = mw_rigid_project_q(r, w, t + H, q, 1e-12, 20, false, &gap, &z->err);
  if (rc == MW_OK) rc = mw_rigid_accel(r, w, t + H, q, v, a, &z->err);
  if (rc == MW_OK) rc = mw_rigid_project_v(r, w, t + H, q, v, false, &z->err);
  see_one(z, gap);
  see(z, q, nq);
  see(z, v, nq);
  mw_rigid_twist(r, q, v, u);
  for (int i = 0; i < n.n_u; i++) u[i] += 1e-9 * sin(i);
  if (rc == MW_OK) rc = mw_rigid_accel_close(r, w, t + H, H, q, v, u, a, &gap, &moved, &z->err);
  see_one(z, gap);
  see_one(z, moved);
  see(z, u, (size_t)n.n_u);
  see(z, a, nq);
  return rc;
}

// What a stored instant asks for.
static mw_code look(const mw_rigid *r, mw_rigid_work *w, double t, const double *q, const double *v,
                    double *a, double *wrench, int n_joint, walk *z)
{
  mw_rigid_work_alone(w, true);
  mw_code rc = mw_rigid_accel(r, w, t, q, v, a, &z->err);
  if (rc == MW_OK) see_one(z, mw_rigid_redundant(r, w, NULL));
  if (rc == MW_OK) rc = mw_rigid_reactions(r, w, wrench, &z->err);
  if (rc == MW_OK) see(z, wrench, 6 * (size_t)n_joint);
  if (rc == MW_OK) rc = mw_rigid_accel(r, w, t, q, v, a, &z->err);
  mw_rigid_work_alone(w, false);
  return rc;
}

static void go(const claim *c, mw_rigid_work *w, int n_joint, walk *z)
{
  mw_rigid_size n = mw_rigid_sizes(c->r);
  size_t nq = (size_t)n.n_q, nu = (size_t)n.n_u;
  double *x = calloc(3 * nq + nu + 6 * (size_t)n_joint, sizeof *x), *q = x, *v = q + nq,
         *a = v + nq, *u = a + nq, *wrench = u + nu;
  z->size = STEPS * (5 * nq + nu + 6 * (size_t)n_joint + 16);
  z->x = calloc(z->size, sizeof *z->x);
  if (!x || !z->x) abort();  // the others would wait
  memcpy(q, c->q, nq * sizeof *q);
  mw_rigid_rates(c->r, q, c->u, v);
  z->last = mw_rigid_project_v(c->r, w, 0.0, q, v, true, &z->err);
  for (int i = 0; z->last == MW_OK && i < STEPS; i++) {
    if (c->broken && i == 1) q[nq / 2] = NAN;
    z->last = step(c->r, w, 1e-3 * i, q, v, a, u, z);
    if (z->last == MW_OK) z->last = look(c->r, w, 1e-3 * (i + 1), q, v, a, wrench, n_joint, z);
  }
  free(x);
}

typedef struct crew {
  claim *c;
  int n_joint;
} crew;

static void be_rank(const mw_team *team, void *ctx)
{
  crew *k = ctx;
  mw_error err = { 0 };
  mw_rigid_work *w = NULL;
  if (mw_rigid_work_build(k->c->r, &w, &err) != MW_OK ||
      mw_rigid_work_join(k->c->r, w, team, &err) != MW_OK)
    abort();
  go(k->c, w, k->n_joint, &k->c->rank[team->rank]);
  mw_rigid_work_free(w);
}

static void judge(claim *c, int n)
{
  for (int k = 0; k < n; k++) {
    walk *z = &c->rank[k];
    MW_CHECK(z->last == c->alone.last);
    MW_CHECK(strcmp(z->err.msg, c->alone.err.msg) == 0);
    if (MW_CHECK(z->n == c->alone.n)) MW_CHECK(memcmp(z->x, c->alone.x, z->n * sizeof *z->x) == 0);
    free(z->x);
    *z = (walk){ 0 };
  }
}

// A state near the reference configuration, where the steps of one process and of ranks begin.
static bool place(mw_fixture *f, const mw_rigid *r, mw_rigid_work *w, claim *c)
{
  mw_rigid_size n = mw_rigid_sizes(r);
  mw_error err = { 0 };
  double *q = mw_arena_f64(&f->mem, (size_t)n.n_q), *u = mw_arena_f64(&f->mem, (size_t)n.n_u);
  if (!MW_OKAY(mw_arena_check(&f->mem, &err))) return false;
  mw_rigid_from_frames(r, f->mech.p0, q);
  for (int k = 0; k < n.n_u; k++) u[k] = 1e-3 * sin(1.7 * k);
  mw_rigid_move(r, q, u, q);
  for (int k = 0; k < n.n_u; k++) u[k] *= 100.0;
  c->r = r;
  c->q = q;
  c->u = u;
  return MW_OKAY(mw_rigid_assemble(r, w, 0.0, q, 1e-12, &err));
}

// With scenario 0, where there is one; part 0: in assemblies.
static void compare(mw_fixture *f, int part, bool broken)
{
  mw_error err = { 0 };
  mw_rigid *r = NULL;
  mw_rigid_work *w = NULL;
  claim c = { .broken = broken };
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.part = part;
  opt.assemblies = part == 0;
  opt.scenario = f->model.n_scenario > 0 ? &f->model.scenario[0] : NULL;
  crew k = { &c, f->mech.n_joint };
  if (MW_OKAY(mw_rigid_build(&f->mech, &opt, &r, &err)) &&
      MW_OKAY(mw_rigid_work_build(r, &w, &err)) && place(f, r, w, &c)) {
    MW_CHECK(mw_rigid_plan(r)->n_group > MOST_RANKS);
    go(&c, w, k.n_joint, &c.alone);
    MW_CHECK((c.alone.last == MW_OK) == !broken);
    for (int n = 1; n <= MOST_RANKS; n++)
      if (MW_CHECK(thread_team_run(n, be_rank, &k))) judge(&c, n);
    free(c.alone.x);
  }
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  mw_fixture_free(f);
}

static void joined_ranks_step_a_tree_with_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (MW_CHECK(links_open(60, false, &f))) compare(&f, 4, false);
}

static void joined_ranks_step_loops_with_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (MW_CHECK(links_open(60, true, &f))) compare(&f, 6, false);
}

static void joined_ranks_step_redundant_rows_with_the_bits_of_one_process(void)
{
  const mw_problem p = { .example = "n-four-bar", .n = 60 };
  mw_fixture f;
  if (MW_CHECK(mw_problem_open(&p, &f))) compare(&f, 12, false);
}

// The car in its assemblies: tyres, springs and dampers, loops.
static void joined_ranks_step_the_car_with_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (MW_CHECK(mw_fixture_file(MW_CASES_DIR "/car.yaml", &f))) compare(&f, 0, false);
}

static void joined_ranks_step_drives_and_springs_with_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (MW_CHECK(links_driven_open(48, false, &f))) compare(&f, 6, false);
}

static void joined_ranks_step_friction_with_the_bits_of_one_process(void)
{
  mw_fixture f;
  if (MW_CHECK(links_driven_open(48, true, &f))) compare(&f, 6, false);
}

static void joined_ranks_fail_together_with_the_error_of_one_process(void)
{
  mw_fixture f;
  if (MW_CHECK(links_open(60, true, &f))) compare(&f, 6, true);
  if (MW_CHECK(links_driven_open(48, true, &f))) compare(&f, 6, true);
}

static void ranks_do_not_join_for_a_recursion(void)
{
  static const mw_team alone = { .n = 1 };
  const mw_problem p = { .example = "chain", .n = 9 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_rigid *r = NULL;
  mw_rigid_work *w = NULL;
  mw_error err = { 0 };
  mw_fixture f;
  if (!MW_CHECK(mw_problem_open(&p, &f))) return;
  if (MW_OKAY(mw_rigid_build(&f.mech, &opt, &r, &err)) && MW_OKAY(mw_rigid_work_build(r, &w, &err)))
    MW_CHECK(mw_rigid_work_join(r, w, &alone, &err) == MW_ERR_INPUT);
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "joined_ranks_step_a_tree_with_the_bits_of_one_process",
      joined_ranks_step_a_tree_with_the_bits_of_one_process },
    { "joined_ranks_step_loops_with_the_bits_of_one_process",
      joined_ranks_step_loops_with_the_bits_of_one_process },
    { "joined_ranks_step_redundant_rows_with_the_bits_of_one_process",
      joined_ranks_step_redundant_rows_with_the_bits_of_one_process },
    { "joined_ranks_step_the_car_with_the_bits_of_one_process",
      joined_ranks_step_the_car_with_the_bits_of_one_process },
    { "joined_ranks_step_drives_and_springs_with_the_bits_of_one_process",
      joined_ranks_step_drives_and_springs_with_the_bits_of_one_process },
    { "joined_ranks_step_friction_with_the_bits_of_one_process",
      joined_ranks_step_friction_with_the_bits_of_one_process },
    { "joined_ranks_fail_together_with_the_error_of_one_process",
      joined_ranks_fail_together_with_the_error_of_one_process },
    { "ranks_do_not_join_for_a_recursion", ranks_do_not_join_for_a_recursion },
  };
  return mw_test_run("rigid_join", cases, (int)(sizeof cases / sizeof *cases));
}
