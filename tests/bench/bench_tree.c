// SPDX-License-Identifier: BSD-3-Clause
// bench_tree.c: elimination in a tree of groups: its longest path of blocks that wait for each
// other, and what it costs beside the elimination in one part, on one thread and on two.
//
//   bench_tree [N]      right-hand sides of examples of size N (default 10000)
//
// Paths: chain, binary tree and ladder of bodies and joints of five rows, cut as finely as can be;
// judged is at most 3 log2 N pivots that wait for each other. Right-hand sides: parts of 1/16 of
// the joints; accelerations of one part within 1e-12 of the largest, of threads bit for bit, at
// most 1.3 times the time of one part on one thread, and on two threads at least 1.7 times its
// speed. Wall time, the least of some rounds in turn. A line ends in `ok` or `FAILED`, exit status
// 1 if one failed; times of a busy machine say nothing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "fem/rigid.h"
#include "fixture.h"
#include "rigid_problems.h"

// ---- paths --------------------------------------------------------------------------------------

typedef struct graph {
  int n, rows, at;
  int *size, *ptr, *touch;
  unsigned char *ground, *full, *soft;
} graph;

static void join(graph *g, int a, int b)
{
  int k = g->rows++;
  if (a >= 0) g->touch[g->at++] = a;
  g->touch[g->at++] = b;
  g->ptr[k + 1] = g->at;
  g->ground[k] = a < 0;
  g->full[k] = 1;
}

static void make(graph *g, const char *kind)
{
  for (int i = 0; kind[0] != 'l' && i < g->n; i++)
    join(g, kind[0] == 'c' ? i - 1 : i == 0 ? -1 : (i - 1) / 2, i);
  for (int i = 0; kind[0] == 'l' && i + 2 < g->n; i += 3) {  // two stiles and a rung
    for (int k = 0; k < 2; k++) join(g, i == 0 ? -1 : i + k - 3, i + k);
    for (int k = 0; k < 2; k++) join(g, i + k, i + 2);
  }
}

// Pivots that wait for each other, as many as do at most.
static int longest(const mw_elim *e, int *wait)
{
  int most = 0;
  for (int s = 0; s < e->n_node; s++) {
    const mw_elim_pivot *p = &e->pivot[s];
    wait[s]++;
    if (wait[s] > most) most = wait[s];
    if (p->n_next == 0) continue;
    int up = e->place[e->next[p->next0]];
    if (wait[s] > wait[up]) wait[up] = wait[s];
  }
  return most;
}

static bool path(const char *kind, int n)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_elim_tree tree;
  mw_elim e;
  size_t rows = 2 * (size_t)n, all = rows + (size_t)n;
  graph g = { .n = kind[0] == 'l' ? n - n % 3 : n,
              .size = mw_arena_int(&mem, all),
              .ptr = mw_arena_int(&mem, rows + 1),
              .touch = mw_arena_int(&mem, 2 * rows),
              .ground = mw_arena_alloc(&mem, rows, 1),
              .full = mw_arena_alloc(&mem, rows, 1),
              .soft = mw_arena_alloc(&mem, rows, 1) };
  int *wait = mw_arena_int(&mem, all);
  if (!mw_fixture_okay(mw_arena_check(&mem, &err), &err)) return false;
  make(&g, kind);
  for (int i = 0; i < g.n + g.rows; i++) g.size[i] = i < g.n ? 6 : 5;
  mw_elim_graph v = { .n_body = g.n,
                      .n_rows = g.rows,
                      .size = g.size,
                      .ptr = g.ptr,
                      .touch = g.touch,
                      .ground = g.ground,
                      .full = g.full,
                      .soft = g.soft };
  mw_code rc = mw_elim_dissect(&v, 1, &mem, &tree, &err);
  v.tree = &tree;
  if (rc == MW_OK) rc = mw_elim_build(&v, &mem, &e, &err);
  bool fine = mw_fixture_okay(rc, &err);
  if (fine) {
    int most = longest(&e, wait);
    fine = most <= 3.0 * log2(n);
    printf("%-8s %8d bodies %8d groups: path %4d, %.2f log2 N <= 3  %s\n", kind, g.n, e.n_group,
           most, most / log2(n), fine ? "ok" : "FAILED");
  }
  mw_arena_free(&mem);
  return fine;
}

// ---- right-hand sides ---------------------------------------------------------------------------

typedef struct side {
  mw_rigid *r;
  mw_rigid_work *w;
  double *a, s;
} side;

static mw_code open_side(mw_fixture *f, const mw_scenario *sc, int part, mw_pool *pool, side *k,
                         mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.scenario = sc;
  opt.part = part;
  k->s = INFINITY;
  mw_code rc = mw_rigid_build(&f->mech, &opt, &k->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(k->r, &k->w, err);
  if (rc != MW_OK) return rc;
  mw_rigid_work_share(k->w, pool);
  k->a = mw_arena_f64(&f->mem, (size_t)mw_rigid_sizes(k->r).n_q);
  return mw_arena_check(&f->mem, err);
}

static mw_code time_side(side *k, const double *q, const double *v, int calls, mw_error *err)
{
  double start = mw_wall_time();
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < calls; i++)
    rc = mw_rigid_accel(k->r, k->w, 0.0, q, v, k->a, err);
  k->s = fmin(k->s, (mw_wall_time() - start) / calls);
  return rc;
}

// From the reference configuration to a consistent state nearby that moves. Assembled, for far from
// consistent positions redundant rows contradict each other, and each order leaves out others.
static mw_code move(const side *k, double *q, double *v, mw_arena *mem, mw_error *err)
{
  int n = mw_rigid_sizes(k->r).n_u;
  double *u = mw_arena_f64(mem, (size_t)n);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) u[i] = 1e-3 * sin(1.7 * i + 0.3);
  if (rc != MW_OK) return rc;
  mw_rigid_move(k->r, q, u, q);
  rc = mw_rigid_assemble(k->r, k->w, 0.0, q, 1e-12, err);
  if (rc != MW_OK) return rc;
  mw_rigid_rates(k->r, q, u, v);
  return mw_rigid_project_v(k->r, k->w, 0.0, q, v, true, err);
}

static bool judge(const char *name, int n, const side *k, int n_q)
{
  double apart = 0.0, size = 1.0;
  for (int i = 0; i < n_q; i++) {
    apart = fmax(apart, fabs(k[1].a[i] - k[0].a[i]));
    size = fmax(size, fabs(k[0].a[i]));
  }
  bool same = memcmp(k[1].a, k[2].a, (size_t)n_q * sizeof(double)) == 0;
  bool fine = apart <= 1e-12 * size && same && k[1].s <= 1.3 * k[0].s && k[2].s * 1.7 <= k[1].s;
  printf("%-11s %7d: one part %9.1f us, %3d groups %9.1f us, %.2f <= 1.3; apart %.1e <= 1e-12; two "
         "threads %9.1f us, %.2f >= 1.7, %s bits  %s\n",
         name, n, 1e6 * k[0].s, mw_rigid_plan(k[1].r)->n_group, 1e6 * k[1].s, k[1].s / k[0].s,
         apart / size, 1e6 * k[2].s, k[1].s / k[2].s, same ? "same" : "other",
         fine ? "ok" : "FAILED");
  return fine;
}

static bool ride(const char *example, int n, mw_pool *pool)
{
  enum { ROUNDS = 15, CALLS = 3, PARTS = 16 };
  mw_problem p = { .example = example, .n = n };
  mw_fixture f;
  mw_error err = { 0 };
  side k[3] = { 0 };
  if (!mw_problem_open(&p, &f)) return false;
  const mw_scenario *sc = f.model.n_scenario > 0 ? &f.model.scenario[0] : NULL;
  int part = f.model.n_joint / PARTS + 1;
  mw_code rc = open_side(&f, sc, 0, NULL, &k[0], &err);
  if (rc == MW_OK) rc = open_side(&f, sc, part, NULL, &k[1], &err);
  if (rc == MW_OK) rc = open_side(&f, sc, part, pool, &k[2], &err);
  int n_q = rc == MW_OK ? mw_rigid_sizes(k[0].r).n_q : 0;
  double *q = mw_arena_f64(&f.mem, (size_t)n_q), *v = mw_arena_f64(&f.mem, (size_t)n_q);
  if (rc == MW_OK) rc = mw_arena_check(&f.mem, &err);
  if (rc == MW_OK) mw_rigid_from_frames(k[0].r, f.mech.p0, q);
  if (rc == MW_OK) rc = move(&k[0], q, v, &f.mem, &err);
  for (int i = 0; rc == MW_OK && i < ROUNDS; i++)
    for (int s = 0; rc == MW_OK && s < 3; s++) rc = time_side(&k[s], q, v, CALLS, &err);
  bool fine = mw_fixture_okay(rc, &err) && judge(example, n, k, n_q);
  for (int s = 0; s < 3; s++) {
    mw_rigid_work_free(k[s].w);
    mw_rigid_free(k[s].r);
  }
  mw_fixture_free(&f);
  return fine;
}

int main(int argc, char **argv)
{
  static const char *KIND[] = { "chain", "tree", "ladder" };
  bool fine = true;
  mw_error err = { 0 };
  mw_pool *pool = NULL;
  for (int k = 0; k < 3; k++)
    for (int n = 1000; n <= 100000; n *= 10) fine = path(KIND[k], n) && fine;
  if (!mw_fixture_okay(mw_pool_build(2, &pool, &err), &err)) return 1;
  int n = argc > 1 ? atoi(argv[1]) : 10000;
  fine = ride("chain", n, pool) && fine;
  fine = ride("n-four-bar", n / 20, pool) && fine;
  mw_pool_free(pool);
  return fine ? 0 : 1;
}
