// SPDX-License-Identifier: BSD-3-Clause
// bench_tree.c: elimination in a tree of groups: its longest path of blocks that wait for each
// other, what many cores would gain, and what it costs beside the elimination in one part, on one
// thread and on two.
//
//   bench_tree [--most N] [--links N] [--cores N] [--svg FILE]
//   mpirun -n N bench_tree --ranks LINKS
//     --most   bodies of the largest graph whose paths are counted (default 1000000)
//     --links  size of the mechanisms whose right-hand sides are timed (default 10000, 0: none;
//              from 20000 on the chain alone)
//     --cores  bodies of the graphs of the simulated cores (default 100000, 0: none)
//     --svg    the simulated speed as a picture
//     --ranks  right-hand sides and a run over MPI's ranks instead of all else (tree_ranks.h);
//              without mpirun the run by two threads
//
// Paths: chain, binary tree and ladder of bodies and joints, cut as finely as can be; judged is at
// most 3 log2 N pivots that wait for each other. Cores: what pivots take is measured on one core
// (tree_graph.h); simulated cores take pivots as they become ready, those on the longest path
// first, and hand them over at no cost; speed is the time of one core that eliminates in one part
// over theirs, of the best of some cuts. Right-hand sides: parts of 1/16 of the joints, the car in
// its assemblies; accelerations within 1e-12 of the largest of those in one part, of threads bit
// for bit; on one thread at most 1.3 times the processor time of one part; mechanisms of 512 joints
// and more on two threads at least 1.7 times as fast, by the processor time of what these wait for
// (mw_pool_simulate), whatever else runs on the machine. By the clock they are timed, too, which
// says nothing where the machine is busy. Best of some rounds in turn. A line ends in `ok` or
// `FAILED`, exit status 1 if one failed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/progress.h"
#include "draw/plot_layer.h"
#include "fem/rigid.h"
#include "fixture.h"
#include "rigid_problems.h"
#include "tree_graph.h"
#include "tree_machine.h"
#include "tree_ranks.h"

// ---- paths --------------------------------------------------------------------------------------

static bool path(tree_kind kind, int n)
{
  tree_plan p;
  if (!tree_plan_make(kind, n, 1, &p)) return false;
  int most = tree_path(&p);
  bool fine = most >= 0 && most <= 3.0 * log2(n);
  printf("%-8s %8d bodies %8d groups: path %4d, %.2f log2 N <= 3  %s\n", tree_name[kind], p.n_body,
         p.e.n_group, most, most / log2(n), fine ? "ok" : "FAILED");
  fflush(stdout);
  tree_plan_free(&p);
  return fine;
}

// ---- many cores ---------------------------------------------------------------------------------

enum { N_CORES = 11, N_CUTS = 5 };  // 1 … 10⁵

static bool draw(const char *file, int n, double speed[TREE_N_KIND][N_CORES])
{
  double x[N_CORES], y[TREE_N_KIND][N_CORES];
  mw_curve curve[TREE_N_KIND];
  for (int j = 0; j < N_CORES; j++) x[j] = 0.5 * j;
  for (int k = 0; k < TREE_N_KIND; k++) {
    mw_shape shape;
    curve[k] = (mw_curve){ .name = tree_name[k], .width = 1.6, .y = y[k] };
    mw_plot_pen(k, &curve[k].color, &curve[k].dash, &shape);
    for (int j = 0; j < N_CORES; j++) y[k][j] = speed[k][j];
  }
  mw_panel panel = { .x_label = "cores, powers of ten",
                     .y_label = "times the speed of one core, one part",
                     .log_y = true,
                     .dip = 1e-6,
                     .n = N_CORES,
                     .x = x,
                     .n_curve = TREE_N_KIND,
                     .curve = curve };
  (void)snprintf(panel.title, sizeof panel.title,
                 "%d bodies: simulated, from what pivots take one core", n);
  FILE *f = fopen(file, "w");
  if (!f) return false;
  mw_plot_write(f, 1, 1, &panel);
  return fclose(f) == 0;
}

// Speeds of the graph on so many cores, the best of some cuts.
static bool speeds(tree_kind kind, int n, const tree_cost *c, double *speed)
{
  double alone = NAN;
  for (int i = 0; i < N_CUTS; i++) {
    tree_plan p;
    int most = i == 0 ? 0 : i == N_CUTS - 1 ? 1 : n / (int)lround(pow(16.0, i)) + 1;
    if (!tree_plan_make(kind, n, most, &p)) return false;
    if (i == 0) alone = tree_time(&p, c, 1);
    for (int j = 0; j < N_CORES; j++) {
      double t = tree_time(&p, c, (int)lround(pow(10.0, 0.5 * j)));
      speed[j] = fmax(i == 0 ? 0.0 : speed[j], alone / t);
    }
    tree_plan_free(&p);
  }
  printf("%-8s", tree_name[kind]);
  for (int j = 0; j < N_CORES; j += 2) printf(" %9.1f", speed[j]);
  printf("\n");
  return true;
}

static bool many_cores(int n, const char *svg)
{
  enum { MEASURED = 20000 };
  double speed[TREE_N_KIND][N_CORES];
  tree_cost c;
  if (!tree_cost_measure(MEASURED, &c)) return false;
  printf("a pivot takes %.0f ns and %.0f an update, back %.0f and %.0f a node coupled to it "
         "(measured times to %.0f %%)\n",
         1e9 * c.up, 1e9 * c.update, 1e9 * c.down, 1e9 * c.next, 100.0 * c.misfit);
  printf("%d bodies, simulated speed on 1, 10, … 10^5 cores:\n", n);
  for (int k = 0; k < TREE_N_KIND; k++)
    if (!speeds((tree_kind)k, n, &c, speed[k])) return false;
  if (svg && !draw(svg, n, speed)) {
    fprintf(stderr, "%s cannot be written\n", svg);
    return false;
  }
  return true;
}

// ---- right-hand sides ---------------------------------------------------------------------------

enum { ONE_PART, GROUPS, THREADS, SIMULATED, N_SIDE };

typedef struct side {
  mw_rigid *r;
  mw_rigid_work *w;
  double *q, *v, *a;  // [n_q]  its start
  double wall, cpu;   // s
  double gain;        // SIMULATED: cpu over what it is on two threads, largest
} side;

static mw_code open_side(mw_fixture *f, int part, bool assemblies, mw_pool *pool, side *k,
                         mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.scenario = f->model.n_scenario > 0 ? &f->model.scenario[0] : NULL;
  opt.part = part;
  opt.assemblies = assemblies;
  opt.eliminate = true;
  k->wall = k->cpu = INFINITY;
  mw_code rc = mw_rigid_build(&f->mech, &opt, &k->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(k->r, &k->w, err);
  if (rc != MW_OK) return rc;
  mw_rigid_work_share(k->w, pool);
  double **v[] = { &k->q, &k->v, &k->a };
  for (size_t i = 0; i < sizeof v / sizeof *v; i++)
    *v[i] = mw_arena_f64(&f->mem, (size_t)mw_rigid_sizes(k->r).n_q);
  return mw_arena_check(&f->mem, err);
}

// Processor time of this thread, s
static double cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// At the state q, v, the same for all
static mw_code time_side(side *k, const double *q, const double *v, int calls,
                         const mw_pool *simulated, mw_error *err)
{
  double items = 0.0, path = 0.0, items1 = 0.0, path1 = 0.0;
  if (simulated) mw_pool_simulated(simulated, &items, &path);
  double wall = mw_wall_time(), start = cpu();
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < calls; i++)
    rc = mw_rigid_accel(k->r, k->w, 0.0, q, v, k->a, err);
  double took = cpu() - start;
  k->wall = fmin(k->wall, (mw_wall_time() - wall) / calls);
  k->cpu = fmin(k->cpu, took / calls);
  if (!simulated) return rc;
  // all but the items is done by one thread
  mw_pool_simulated(simulated, &items1, &path1);
  k->gain = fmax(k->gain, took / (took - (items1 - items) + path1 - path));
  return rc;
}

// All sides do it: what has never run is slower at first.
static mw_code move(side *k, const mw_mech *m, mw_arena *mem, mw_error *err)
{
  return tree_move(k->r, k->w, m, mem, k->q, k->v, err);
}

static bool judge(const char *name, const side *k, int n_joint)
{
  enum { SHARED = 512 };  // joints, see the top
  double apart = 0.0, size = 1.0, gain = k[SIMULATED].gain;
  mw_rigid_size n = mw_rigid_sizes(k->r);
  for (int i = 0; i < n.n_q; i++) {
    apart = fmax(apart, fabs(k[GROUPS].a[i] - k[ONE_PART].a[i]));
    size = fmax(size, fabs(k[ONE_PART].a[i]));
  }
  size_t bytes = (size_t)n.n_q * sizeof(double);
  bool same = memcmp(k[GROUPS].a, k[THREADS].a, bytes) == 0 &&
              memcmp(k[GROUPS].a, k[SIMULATED].a, bytes) == 0;
  bool few = n_joint < SHARED, fine = apart <= 1e-12 * size && same &&
                                      k[GROUPS].cpu <= 1.3 * k[ONE_PART].cpu &&
                                      (few || gain >= 1.7);
  printf("%-11s %6d bodies: one part %8.1f us, %3d groups %8.1f us, %.2f <= 1.3; apart %.1e <= "
         "1e-12; two threads %.2f%s by processor time, %.2f by the clock, %s bits  %s\n",
         name, n.n_body, 1e6 * k[ONE_PART].cpu, mw_rigid_plan(k[GROUPS].r)->n_group,
         1e6 * k[GROUPS].cpu, k[GROUPS].cpu / k[ONE_PART].cpu, apart / size, gain,
         few ? "" : " >= 1.7", k[GROUPS].wall / k[THREADS].wall, same ? "same" : "other",
         fine ? "ok" : "FAILED");
  fflush(stdout);
  return fine;
}

static bool ride(const char *name, mw_fixture *f, bool assemblies, mw_pool *pool)
{
  enum { ROUNDS = 40, PARTS = 16 };
  static const double CALLS = 2e4;  // bodies of all calls of a round
  mw_error err = { 0 };
  side k[N_SIDE] = { 0 };
  int part = assemblies ? 0 : f->model.n_joint / PARTS + 1;
  mw_pool *simulated = NULL;
  mw_code rc = mw_pool_simulate(2, &simulated, &err);
  if (rc == MW_OK) rc = open_side(f, 0, false, NULL, &k[ONE_PART], &err);
  if (rc == MW_OK) rc = open_side(f, part, assemblies, NULL, &k[GROUPS], &err);
  if (rc == MW_OK) rc = open_side(f, part, assemblies, pool, &k[THREADS], &err);
  if (rc == MW_OK) rc = open_side(f, part, assemblies, simulated, &k[SIMULATED], &err);
  for (int s = 0; rc == MW_OK && s < N_SIDE; s++) rc = move(&k[s], &f->mech, &f->mem, &err);
  int calls = rc == MW_OK ? (int)(CALLS / mw_rigid_sizes(k[0].r).n_body) + 1 : 0;
  for (int i = 0; rc == MW_OK && i < ROUNDS; i++)
    for (int s = 0; rc == MW_OK && s < N_SIDE; s++)
      rc = time_side(&k[s], k[ONE_PART].q, k[ONE_PART].v, calls, s == SIMULATED ? simulated : NULL,
                     &err);
  bool fine = mw_fixture_okay(rc, &err) && judge(name, k, f->model.n_joint);
  for (int s = 0; s < N_SIDE; s++) {
    mw_rigid_work_free(k[s].w);
    mw_rigid_free(k[s].r);
  }
  mw_pool_free(simulated);
  mw_fixture_free(f);
  return fine;
}

static bool ride_example(const char *example, int n, mw_pool *pool)
{
  mw_problem p = { .example = example, .n = n };
  mw_fixture f;
  return mw_problem_open(&p, &f) && ride(example, &f, false, pool);
}

static bool ride_car(mw_pool *pool)
{
  mw_fixture f;
  return mw_fixture_file(MW_CASES_DIR "/car.yaml", &f) && ride("car", &f, true, pool);
}

static bool ride_open(const char *name, bool opened, mw_fixture *f, mw_pool *pool)
{
  return opened && ride(name, f, false, pool);
}

static bool ride_all(int n)
{
  enum { MANY = 20000 };  // the chain alone
  mw_error err = { 0 };
  mw_pool *pool = NULL;
  if (!mw_fixture_okay(mw_pool_build(2, &pool, &err), &err)) return false;
  mw_fixture f;
  bool fine = ride_open("chain", tree_chain_open(n, &f), &f, pool);
  if (n < MANY) {
    fine = ride_example("n-four-bar", n / 20, pool) && fine;
    fine = ride_open("tree, loops", tree_loops_open(n / 5, &f), &f, pool) && fine;
    fine = ride_car(pool) && fine;
  }
  mw_pool_free(pool);
  return fine;
}

int main(int argc, char **argv)
{
  int most = 1000000, links = 10000, cores = 100000, ranks = 0;
  const char *svg = NULL;
  bool fine = true;
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--most") == 0)
      most = atoi(value);
    else if (strcmp(argv[i], "--links") == 0)
      links = atoi(value);
    else if (strcmp(argv[i], "--cores") == 0)
      cores = atoi(value);
    else if (strcmp(argv[i], "--ranks") == 0)
      ranks = atoi(value);
    else if (strcmp(argv[i], "--svg") == 0 && value[0])
      svg = value;
    else
      return fprintf(stderr, "bench_tree [--most N] [--links N] [--cores N] [--svg FILE]\n"
                             "mpirun -n N bench_tree --ranks LINKS\n"),
             2;
  }
  if (ranks >= 100) return tree_ranks(ranks) ? 0 : 1;
  for (int k = 0; k < TREE_N_KIND; k++)
    for (int n = 1000; n <= most; n *= 10) fine = path((tree_kind)k, n) && fine;
  if (cores >= 1000) fine = many_cores(cores, svg) && fine;
  if (links >= 100) fine = ride_all(links) && fine;
  return fine ? 0 : 1;
}
