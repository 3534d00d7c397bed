// SPDX-License-Identifier: BSD-3-Clause
// tree_ranks.c: see tree_ranks.h. What a rank computes is its processor time outside of exchanges,
// whatever else runs on the machine; exchanges are timed by the clock, waiting for others included.
#include "tree_ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/progress.h"
#include "fem/mpi.h"
#include "sim/rigidrun.h"
#include "tree_machine.h"

enum { PARTS = 16, ROUNDS = 20, PING = 1 };  // parts as bench_tree's; PING: a tag of no group

typedef struct timed {  // a team whose exchanges are timed
  mw_team team;
  double cpu, wall;  // s
  long messages;
  double bytes;
  size_t largest;  // doubles of a message
} timed;

typedef struct figures {  // a right-hand side; each the least of all rounds
  double one;             // s, processor time of one process
  double computed;        // s, of the rank that computes most
  double exchanged;       // s, by the clock, of the rank whose exchanges take longest
  double wall;            // s
} figures;

static double cpu_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(timed *z)
{
  z->cpu -= cpu_time();
  z->wall -= mw_wall_time();
}

static void end(timed *z)
{
  z->cpu += cpu_time();
  z->wall += mw_wall_time();
}

static void send(void *ctx, int to, int tag, const double *x, size_t n)
{
  timed *z = ctx;
  begin(z);
  z->team.send(z->team.ctx, to, tag, x, n);
  end(z);
  z->messages++;
  z->bytes += (double)(n * sizeof *x);
  if (n > z->largest) z->largest = n;
}

static void recv(void *ctx, int from, int tag, double *x, size_t n)
{
  timed *z = ctx;
  begin(z);
  z->team.recv(z->team.ctx, from, tag, x, n);
  end(z);
}

static void settle(void *ctx)
{
  timed *z = ctx;
  begin(z);
  z->team.settle(z->team.ctx);
  end(z);
}

static double most(void *ctx, double x)
{
  timed *z = ctx;
  begin(z);
  double y = z->team.most(z->team.ctx, x);
  end(z);
  return y;
}

static double largest(const timed *z, double x) { return z->team.most(z->team.ctx, x); }

// Half of the time there and back of a message of n doubles between ranks 0 and 1, s
static double ping(const timed *z, double *x, size_t n)
{
  enum { TRIPS = 200 };
  const mw_team *k = &z->team;
  double best = INFINITY;
  for (int i = 0; k->n > 1 && k->rank < 2 && i < TRIPS; i++) {
    double start = mw_wall_time();
    for (int leg = 0; leg < 2; leg++)
      if (leg == k->rank)
        k->send(k->ctx, 1 - k->rank, PING, x, n);
      else
        k->recv(k->ctx, 1 - k->rank, PING, x, n);
    k->settle(k->ctx);
    best = fmin(best, 0.5 * (mw_wall_time() - start));
  }
  (void)largest(z, 0.0);  // the others wait
  return k->n > 1 ? best : 0.0;
}

static mw_code time_one(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v,
                        double *a, int calls, double *took, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < ROUNDS; i++) {
    double start = cpu_time();
    for (int c = 0; rc == MW_OK && c < calls; c++) rc = mw_rigid_accel(r, w, 0.0, q, v, a, err);
    *took = fmin(*took, (cpu_time() - start) / calls);
  }
  return rc;
}

// All ranks together
static mw_code time_ranks(const mw_rigid *r, mw_rigid_work *w, timed *z, const double *q,
                          const double *v, double *a, int calls, figures *out, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; i < ROUNDS; i++) {
    (void)largest(z, 0.0);
    double wall = mw_wall_time(), cpu = cpu_time(), cpu0 = z->cpu, wall0 = z->wall;
    for (int c = 0; rc == MW_OK && c < calls; c++) rc = mw_rigid_accel(r, w, 0.0, q, v, a, err);
    double took = mw_wall_time() - wall, own = cpu_time() - cpu - (z->cpu - cpu0);
    out->wall = fmin(out->wall, largest(z, took) / calls);
    out->computed = fmin(out->computed, largest(z, own) / calls);
    out->exchanged = fmin(out->exchanged, largest(z, z->wall - wall0) / calls);
  }
  return rc;
}

static bool same_bits(const mw_rigid_work *w, const double *x, const double *y, int n_body)
{
  const unsigned char *here = mw_rigid_here(w);
  for (int b = 0; b < n_body; b++)
    if (here[b] && memcmp(x + 12 * b, y + 12 * b, 12 * sizeof *x) != 0) return false;
  return true;
}

static void print(const char *name, int n_body, const timed *z, const figures *f, double calls,
                  double trip, bool same)
{
  printf("%-11s %6d bodies on %d: one process computes %.1f us, the rank with most to do %.1f us, "
         "%.2f times less; exchanges %.1f us of %.1f us by the clock; up to %.1f messages a rank, "
         "%.1f kB, the largest, %.1f kB, alone %.1f us; %s bits  %s\n",
         name, n_body, z->team.n, 1e6 * f->one, 1e6 * f->computed, f->one / f->computed,
         1e6 * f->exchanged, 1e6 * f->wall, (double)z->messages / calls, 1e-3 * z->bytes / calls,
         8e-3 * (double)z->largest, 1e6 * trip, same ? "same" : "other", same ? "ok" : "FAILED");
  fflush(stdout);
}

typedef struct sides {
  mw_rigid *r;
  mw_rigid_work *one, *spread;
  double *q, *v, *a, *b;  // [n_q]  a of one process, b over ranks
} sides;

static mw_code open_sides(mw_fixture *f, timed *z, sides *k, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.part = f->model.n_joint / PARTS + 1;
  mw_code rc = mw_rigid_build(&f->mech, &opt, &k->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(k->r, &k->one, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(k->r, &k->spread, err);
  if (rc == MW_OK) rc = mw_mpi_team_open(&z->team, err);
  if (rc != MW_OK) return rc;
  const mw_team team = { z->team.n, z->team.rank, z, send, recv, settle, most };
  double **x[] = { &k->q, &k->v, &k->a, &k->b };
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    *x[i] = mw_arena_f64(&f->mem, (size_t)mw_rigid_sizes(k->r).n_q);
  rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK) rc = mw_rigid_work_spread(k->r, k->spread, &team, err);
  return rc == MW_OK ? tree_move(k->r, k->one, &f->mech, &f->mem, k->q, k->v, err) : rc;
}

// Ranks fail together: what fails on one fails on all.
static bool ride(const char *name, mw_fixture *f)
{
  static const double CALLS = 2e4;  // bodies of all calls of a round
  mw_error err = { 0 };
  timed z = { 0 };
  sides k = { 0 };
  figures fig = { INFINITY, INFINITY, INFINITY, INFINITY };
  mw_code rc = open_sides(f, &z, &k, &err);
  int n_body = rc == MW_OK ? mw_rigid_sizes(k.r).n_body : 1, calls = (int)(CALLS / n_body) + 1;
  if (rc == MW_OK) rc = time_one(k.r, k.one, k.q, k.v, k.a, calls, &fig.one, &err);
  if (rc == MW_OK) rc = time_ranks(k.r, k.spread, &z, k.q, k.v, k.b, calls, &fig, &err);
  bool same = mw_fixture_okay(rc, &err) && same_bits(k.spread, k.a, k.b, n_body);
  if (rc == MW_OK) {
    same = largest(&z, same ? 0.0 : 1.0) == 0.0;
    fig.one = -largest(&z, -fig.one);
    z.messages = lround(largest(&z, (double)z.messages));
    z.bytes = largest(&z, z.bytes);
    z.largest = (size_t)largest(&z, (double)z.largest);
    double trip = ping(&z, k.q, z.largest);
    if (z.team.rank == 0) print(name, n_body, &z, &fig, (double)ROUNDS * calls, trip, same);
  }
  mw_mpi_team_close(&z.team);
  mw_rigid_work_free(k.one);
  mw_rigid_work_free(k.spread);
  mw_rigid_free(k.r);
  mw_fixture_free(f);
  return same;
}

// ---- runs ---------------------------------------------------------------------------------------

typedef struct trip {
  mw_run run;
  double cpu;  // s, of this thread outside of exchanges, start and stored instants included
} trip;

// 20 steps of rk4 by so many threads, z NULL, or by all ranks.
static mw_code travel(const mw_fixture *f, int threads, timed *z, trip *out, mw_error *err)
{
  const mw_scenario sc = {
    .name = "run", .duration = 2e-2, .step = 1e-3, .control_period = 1e-3, .store = 1e-2
  };
  mw_rigid_run_opt opt = mw_rigid_run_opt_default(&sc);
  mw_team team = { 0 };
  opt.rigid.method = MW_METHOD_RK4;
  opt.rigid.threads = threads;
  if (z) {
    team = (mw_team){ z->team.n, z->team.rank, z, send, recv, settle, most };
    opt.team = &team;
  }
  double start = cpu_time(), exchanged = z ? z->cpu : 0.0;
  mw_code rc = mw_rigid_run(&f->mech, &sc, &opt, NULL, &out->run, err);
  out->cpu = cpu_time() - start - (z ? z->cpu - exchanged : 0.0);
  return rc;
}

static bool same_runs(const mw_run *a, const mw_run *b)
{
  size_t n = (size_t)a->n_t * (size_t)a->n_coord;
  return a->n_t == b->n_t && memcmp(a->s, b->s, n * sizeof *a->s) == 0 &&
         memcmp(a->s_dot, b->s_dot, n * sizeof *a->s_dot) == 0;
}

static bool ride_run(const mw_fixture *f)
{
  mw_error err = { 0 };
  timed z = { 0 };
  trip one = { 0 }, many = { 0 };
  mw_code rc = mw_mpi_team_open(&z.team, &err);
  bool ranks = rc == MW_OK && z.team.n > 1;
  if (rc == MW_OK) rc = travel(f, 1, NULL, &one, &err);
  if (rc == MW_OK) rc = travel(f, ranks ? 1 : 2, ranks ? &z : NULL, &many, &err);
  bool same = mw_fixture_okay(rc, &err) && same_runs(&one.run, &many.run);
  if (rc == MW_OK) {
    same = largest(&z, same ? 0.0 : 1.0) == 0.0;
    double alone = -largest(&z, -one.cpu), own = largest(&z, many.cpu),
           wall = largest(&z, many.run.wall_s);
    if (z.team.rank == 0)
      printf(
          "run of 20 steps by rk4, %d bodies: one process computes %.3f s, its steps take %.3f s "
          "by the clock; of %d %s the one with most to do %.3f s, %.2f times less, steps %.3f s "
          "by the clock; %s bits  %s\n",
          f->mech.n_body - 1, alone, one.run.wall_s, ranks ? z.team.n : 2,
          ranks ? "ranks" : "threads (the caller's)", own, alone / own, wall,
          same ? "same" : "other", same ? "ok" : "FAILED");
  }
  mw_run_free(&one.run);
  mw_run_free(&many.run);
  mw_mpi_team_close(&z.team);
  return same;
}

bool tree_ranks(int n)
{
  mw_fixture f;
  mw_mpi_start();
  bool fine = tree_chain_open(n, &f) && ride_run(&f);
  if (fine) mw_fixture_free(&f);
  fine = fine && tree_chain_open(n, &f) && ride("chain", &f);
  enum { MANY = 20000 };  // the chain alone: a text of all links is longer than a model may be
  if (n < MANY) fine = tree_loops_open(n / 2, &f) && ride("tree, loops", &f) && fine;
  return fine;
}
