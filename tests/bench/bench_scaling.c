// SPDX-License-Identifier: BSD-3-Clause
// bench_scaling.c: how far the offline stage scales.
//
//   1  measured: a positioner reduced at N configurations, alone, by -j 2, and by 1, 2,
//       3 ranks of mpirun
//   2  costs: units, the leader's stages, messages, finished units on disk
//   3  scaling_sim.c with these costs, first beside the measured runs, then for 10² to 10⁵ workers
//
// Prints figures, judges nothing. Options: --points N, --unknowns U, --samples S, --dir DIR (kept),
// --svg FILE.
// About a minute. Units done alone and stages are in seconds of the processor, whole runs on the
// clock, which is worth something on an idle machine only: load, and what two processes are worth
// before and after, are printed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/progress.h"
#include "draw/plot_layer.h"
#include "fem/mpi.h"
#include "positioner.h"
#include "scaling_measure.h"
#include "scaling_run.h"
#include "work/offline_layer.h"

enum {
  CHUNK = 16,
  N_RUN = 8,
  N_SIZE = 3,
  MAX_UNIT = 4096,
  MANY_SAMPLES = 200,
  MODES = 12,
  MAX_BODY = 64
};
static const double NET_LATENCY = 5e-6, NET_RATE = 1e10;  // s, B/s: assumed of a cluster

typedef struct run {
  scaling_how how;
  int n_point;
  scaling_log log;
} run;

typedef struct bench {
  const char *dir, *svg;
  int n_point, n_sample;
  double unknowns;
  long n_free;
  run run[N_RUN];
  int n_run;
  double modes[MAX_UNIT], sample[MAX_UNIT], cold[3][MAX_BODY], warm[3][MAX_BODY];
  scaling_cost cost, here_pool, here_ranks;  // of a cluster, and of this machine's two backends
} bench;

// ---- measured -----------------------------------------------------------------------------------

static const scaling_how ALONE = { "alone", 1, 0 }, POOL = { "-j 2", 2, 0 };

static bool measure(bench *b, scaling_how how, int n_point)
{
  run *r = &b->run[b->n_run];
  *r = (run){ .how = how, .n_point = n_point };
  if (!positioner_write(b->dir, "bar", b->unknowns, n_point, MODES, b->n_sample, "", &b->n_free))
    return false;
  bool okay = scaling_measure(b->dir, "bar", "--run", how, &r->log);
  b->n_run += okay;
  return okay;
}

// The cold run first; sizes N/4, N/2, N alone; N by two, and by ranks.
static bool measure_all(bench *b)
{
  int n = b->n_point;
  char forget[600];
  snprintf(forget, sizeof forget, "rm -rf '%s/bar.yaml.cache' '%s/run.parts'", b->dir, b->dir);
  bool okay = system(forget) == 0;
  okay = okay && measure(b, ALONE, n / 4) && measure(b, ALONE, n / 4) && measure(b, ALONE, n / 2) &&
         measure(b, ALONE, n) && measure(b, POOL, n);
  if (okay && mw_mpi_built() && system("mpirun --version > /dev/null 2>&1") == 0)
    for (int k = 1; okay && k <= 3; k++)
      okay = measure(b,
                     (scaling_how){ k == 1   ? "1 rank"
                                    : k == 2 ? "2 ranks"
                                             : "3 ranks",
                                    1, k },
                     n);
  return okay;
}

static double all(const run *r) { return scaling_stage(&r->log, "all"); }

static void print_runs(const bench *b)
{
  double s[MAX_UNIT];
  printf("\nmeasured runs, on the clock (all but the first find the bodies' bases in the cache)\n");
  printf("%-8s %8s %8s %8s %8s %8s  %10s %10s\n", "", "points", "all s", "units s", "store s",
         "leader s", "modes ms", "sample ms");
  for (int k = 0; k < b->n_run; k++) {
    const run *r = &b->run[k];
    double keep = 0.0, units = scaling_stage(&r->log, "units");
    for (int u = 0; u < r->log.n; u++) keep += r->log.unit[u].keep;
    int n = scaling_durations(&r->log, MW_UNIT_MODES, true, s);
    double modes = scaling_mean(n, s) / CHUNK;
    n = scaling_durations(&r->log, MW_UNIT_SAMPLE, true, s);
    printf("%-8s %8d %8.2f %8.2f %8.2f %8.2f  %10.2f %10.1f\n", r->how.name, r->n_point, all(r),
           units, keep, all(r) - units, 1e3 * modes, 1e3 * scaling_mean(n, s));
  }
}

static void print_strong_weak(const bench *b)
{
  const run *half = &b->run[2], *one = &b->run[3], *two = &b->run[4];
  double u1 = scaling_stage(&one->log, "units"), u2 = scaling_stage(&two->log, "units"),
         uh = scaling_stage(&half->log, "units");
  printf("\nstrong: %d points by 2 workers instead of 1: all %.2f, units %.2f times as fast\n",
         one->n_point, all(one) / all(two), u1 / u2);
  printf("weak: %d points by 1 worker, %d by 2: all %.2f, units %.2f of the time\n", half->n_point,
         two->n_point, all(two) / all(half), u2 / uh);
}

// ---- the leader's stages ------------------------------------------------------------------------

// t = fixed + point × n by least squares over the runs alone
static void fit(const bench *b, const char *name, double *fixed, double *point)
{
  double n = 0.0, x = 0.0, xx = 0.0, y = 0.0, xy = 0.0;
  for (int k = 1; k <= N_SIZE; k++) {
    double a = b->run[k].n_point, t = scaling_stage(&b->run[k].log, name);
    n += 1.0;
    x += a;
    xx += a * a;
    y += t;
    xy += a * t;
  }
  *point = fmax(0.0, (n * xy - x * y) / (n * xx - x * x));
  *fixed = fmax(0.0, (y - *point * x) / n);
}

static void stages(bench *b)
{
  const scaling_log *l = &b->run[N_SIZE].log;
  scaling_cost *c = &b->cost;
  printf(
      "\nthe leader's own stages, s of the processor, and their order between the last two\n%-12s",
      "points");
  for (int k = 1; k <= N_SIZE; k++) printf(" %8d", b->run[k].n_point);
  printf(" %7s %10s %10s\n", "order", "fixed s", "ms/point");
  for (int i = 0; i < l->n_stage; i++) {
    const char *name = l->stage[i].name;
    double fixed, point, t[N_SIZE];
    if (strcmp(name, "all") == 0 || strcmp(name, "units") == 0) continue;
    fit(b, name, &fixed, &point);
    for (int k = 0; k < N_SIZE; k++) t[k] = scaling_stage(&b->run[k + 1].log, name);
    bool reading = strcmp(name, "reading") == 0;
    bool before = reading || strcmp(name, "kinematics") == 0;
    if (reading) {  // the model: no matter how many points
      fixed = scaling_mean(N_SIZE, t);
      point = 0.0;
    }
    *(before ? &c->before : &c->after) += fixed;
    *(before ? &c->before_point : &c->after_point) += point;
    printf("%-12s %8.3f %8.3f %8.3f %7.2f %10.3f %10.4f\n", name, t[0], t[1], t[2],
           t[2] > 1e-3 ? log2(t[2] / t[1]) : 0.0, fixed, 1e3 * point);
  }
  printf("%-12s %8s %8s %8s %7s %10.3f %10.4f\n", "together", "", "", "", "", c->before + c->after,
         1e3 * (c->before_point + c->after_point));
}

// ---- costs --------------------------------------------------------------------------------------

// Durations of the bodies' units of a kind, those in the list of rough bases or the others, in s.
static scaling_draw bodies(const scaling_log *l, bool rough, int kind, double *s)
{
  int n = 0;
  for (int u = 0; u < l->n && n < MAX_BODY; u++) {
    bool first = strncmp(l->unit[u].list, "bodies,_roughly", 15) == 0;
    if (l->unit[u].kind == kind && first == rough) s[n++] = l->unit[u].cpu;
  }
  return (scaling_draw){ n, s };
}

static void all_bodies(const scaling_log *l, double s[3][MAX_BODY], scaling_cost *c)
{
  c->rough = bodies(l, true, MW_UNIT_BODY, s[0]);
  c->fine = bodies(l, false, MW_UNIT_BODY, s[1]);
  c->count = bodies(l, false, MW_UNIT_COUNT, s[2]);
}

static void mean_bytes(const scaling_log *l, int kind, double *args, double *result)
{
  double n = 0.0;
  *args = *result = 0.0;
  for (int u = 0; u < l->n; u++)
    if (l->unit[u].kind == kind) {
      *args += l->unit[u].args;
      *result += l->unit[u].result;
      n += 1.0;
    }
  *args /= fmax(n, 1.0);
  *result /= fmax(n, 1.0);
}

// What a worker takes longer for the first unit it does: model and bases
static double begin_of(const scaling_log *l, double modes, double sample, double direct)
{
  double most = 0.0;
  for (int worker = 0; worker < 2; worker++)
    for (int u = 0; u < l->n; u++) {
      const scaling_unit *q = &l->unit[u];
      if (q->worker != worker) continue;
      if (q->kind == MW_UNIT_MODES) most = fmax(most, q->s - modes);
      if (q->kind == MW_UNIT_SAMPLE) most = fmax(most, q->s - sample - direct);
      break;
    }
  return most;
}

static void units(bench *b)
{
  const scaling_log *one = &b->run[3].log, *two = &b->run[4].log;
  scaling_cost *c = &b->cost;
  double s[MAX_UNIT], file;
  int n = scaling_durations(one, MW_UNIT_MODES, true, b->modes);
  c->modes = (scaling_draw){ n, b->modes };
  c->chunk_measured = CHUNK;
  n = scaling_durations(one, MW_UNIT_SAMPLE, true, b->sample);
  c->sample = (scaling_draw){ n, b->sample };
  all_bodies(&b->run[0].log, b->cold, c);
  double modes = scaling_median(c->modes.n, b->modes), first = 0.0,
         sample = scaling_median(c->sample.n, b->sample);
  n = scaling_durations(one, MW_UNIT_SAMPLE, false, s);
  if (n > 1) first = s[0] - sample;
  c->direct = fmax(0.0, first);
  c->begin = begin_of(two, modes, sample, c->direct);
  mean_bytes(one, MW_UNIT_MODES, &c->modes_args, &c->modes_result);
  c->modes_args /= CHUNK;
  c->modes_result /= CHUNK;
  mean_bytes(one, MW_UNIT_SAMPLE, &c->sample_args, &c->sample_result);
  struct stat st;
  char path[512];
  snprintf(path, sizeof path, "%s/run.nc", b->dir);
  file = stat(path, &st) == 0 ? (double)st.st_size : 0.0;
  c->record = file / b->n_point;
}

static double spread(scaling_draw d)
{
  double m = scaling_mean(d.n, d.s), sum = 0.0;
  for (int i = 0; i < d.n; i++) sum += (d.s[i] - m) * (d.s[i] - m);
  return d.n > 1 ? sqrt(sum / (d.n - 1)) : 0.0;
}

// Send and take from toys: c of a small one halves, the slopes by size
static bool messages(const bench *b, scaling_how how, scaling_leader *out)
{
  scaling_log l = { 0 };
  if (!scaling_measure(b->dir, "bar", "--toys", how, &l)) return false;
  double n = 200.0, small = scaling_stage(&l, "small") / n;
  out->send = out->take = 0.5 * small;
  out->send_b = fmax(0.0, (scaling_stage(&l, "args") / n - small) / 65536.0);
  out->take_b = fmax(0.0, (scaling_stage(&l, "large") / n - small) / 1e6);
  scaling_log_free(&l);
  return true;
}

static void print_costs(const bench *b)
{
  const scaling_cost *c = &b->cost;
  const scaling_leader *p = &b->here_pool.leader, *r = &b->here_ranks.leader;
  printf("\ncosts\n");
  printf(
      "  modes of %d points   %8.1f ms, spread %.1f ms, %d measured; %.1f kB there, %.1f kB back\n",
      CHUNK, 1e3 * scaling_mean(c->modes.n, c->modes.s), 1e3 * spread(c->modes), c->modes.n,
      1e-3 * CHUNK * c->modes_args, 1e-3 * CHUNK * c->modes_result);
  printf(
      "  sample              %8.1f ms, spread %.1f ms, %d measured; %.1f kB there, %.1f kB back\n",
      1e3 * scaling_mean(c->sample.n, c->sample.s), 1e3 * spread(c->sample), c->sample.n,
      1e-3 * c->sample_args, 1e-3 * c->sample_result);
  printf("  bodies              %8.2f s rough, %.2f s fine, %.2f s counts\n",
         c->rough.n * scaling_mean(c->rough.n, c->rough.s),
         c->fine.n * scaling_mean(c->fine.n, c->fine.s),
         c->count.n * scaling_mean(c->count.n, c->count.s));
  printf("  once a worker       %8.2f s model and bases read, %.2f s mesh factored for samples\n",
         c->begin, c->direct);
  printf("  message, processes  %8.1f us and %.3f ns/B sent, %.3f ns/B taken\n",
         1e6 * (p->send + p->take), 1e9 * p->send_b, 1e9 * p->take_b);
  printf("  message, ranks      %8.1f us and %.3f ns/B sent, %.3f ns/B taken\n",
         1e6 * (r->send + r->take), 1e9 * r->send_b, 1e9 * r->take_b);
  printf("  kept on disk        %8.1f us and %.3f ns/B written, %.1f us and %.3f ns/B synced\n",
         1e6 * p->put, 1e9 * p->put_b, 1e6 * p->sync, 1e9 * p->sync_b);
  printf("  read back           %8.1f us and %.3f ns/B; digest %.3f ns/B\n", 1e6 * p->get,
         1e9 * p->get_b, 1e9 * c->digest_b);
}

static bool costs(bench *b)
{
  scaling_leader disk = { .sync_work = 0.5, .sync_files = 64, .sync_by_workers = true };
  bool ranks = b->n_run == N_RUN;
  stages(b);
  units(b);
  if (!scaling_store(b->dir, &disk, &b->cost.digest_b)) return false;
  b->cost.leader = disk;
  b->here_pool = b->here_ranks = b->cost;
  if (!messages(b, POOL, &b->here_pool.leader)) return false;
  if (ranks && !messages(b, (scaling_how){ "3 ranks", 1, 3 }, &b->here_ranks.leader)) return false;
  b->cost.leader = ranks ? b->here_ranks.leader : b->here_pool.leader;
  b->cost.latency = NET_LATENCY;
  b->cost.rate = NET_RATE;
  print_costs(b);
  return true;
}

// ---- predicted beside measured ------------------------------------------------------------------

static void print_check(bench *b)
{
  printf("\npredicted beside measured, s\n%-8s %8s %10s %10s %10s\n", "", "points", "predicted",
         "measured", "off");
  for (int k = 1; k < b->n_run; k++) {
    const run *r = &b->run[k];
    scaling_cost c = r->how.n_rank > 0 ? b->here_ranks : b->here_pool;
    int n_worker = r->how.n_rank > 1 ? r->how.n_rank - 1 : r->how.n_worker;
    bool here = r->how.n_rank <= 1 && r->how.n_worker <= 1;
    all_bodies(&b->run[3].log, b->warm, &c);
    scaling_case q = {
      .n_point = r->n_point, .n_sample = b->n_sample, .n_worker = n_worker, .chunk = CHUNK
    };
    double t = here ? scaling_alone(&c, &q) : scaling_time(&c, &q), m = all(r);
    printf("%-8s %8d %10.2f %10.2f %9.1f%%\n", r->how.name, r->n_point, t, m,
           100.0 * (t / m - 1.0));
  }
}

// ---- many workers -------------------------------------------------------------------------------

enum { N_POINTS = 4, N_WORKERS = 6 };
static const double POINTS[N_POINTS] = { 1e3, 1e4, 1e5, 1e6 };

static scaling_case usual(double n_point, int n_worker)
{
  return (scaling_case){
    .n_point = n_point, .n_sample = MANY_SAMPLES, .n_worker = n_worker, .chunk = CHUNK
  };
}

static double efficiency(const scaling_cost *c, const scaling_case *k)
{
  return scaling_alone(c, k) / (k->n_worker * scaling_time(c, k));
}

// The workers up to which efficiency stays above one half, to 3 %
static int half(const scaling_cost *c, scaling_case k)
{
  double lo = 1.0, hi = 1e6;
  k.n_worker = 1000000;
  if (efficiency(c, &k) >= 0.5) return k.n_worker;
  while (hi / lo > 1.03) {
    double mid = sqrt(lo * hi);
    k.n_worker = (int)mid;
    if (efficiency(c, &k) >= 0.5)
      lo = mid;
    else
      hi = mid;
  }
  return (int)lo;
}

static void print_table(const scaling_cost *c, const char *title, bool units_alone)
{
  scaling_cost d = *c;
  if (units_alone) d.before = d.before_point = d.after = d.after_point = 0.0;
  printf("\n%s: efficiency by workers, %d samples\n%10s %10s", title, MANY_SAMPLES, "points",
         "alone s");
  for (int r = 0; r < N_WORKERS; r++) printf(" %9.0f", pow(10.0, r));
  printf(" %10s  blame there\n", "half at");
  for (int i = 0; i < N_POINTS; i++) {
    scaling_case k = usual(POINTS[i], 1);
    printf("%10.0f %10.4g", POINTS[i], scaling_alone(&d, &k));
    for (int r = 0; r < N_WORKERS; r++) {
      k.n_worker = (int)lround(pow(10.0, r));
      printf(" %9.4f", efficiency(&d, &k));
    }
    double lost[SCALING_N_PART], t;
    k.n_worker = half(&d, k);
    t = scaling_time(&d, &k);
    scaling_blame(&d, &k, lost);
    printf(" %10d ", k.n_worker);
    for (int p = 0; p < SCALING_N_PART; p++)
      if (lost[p] > 0.1 * t) printf(" %s %.0f%%", scaling_part_name[p], 100.0 * lost[p] / t);
    printf("\n");
  }
}

typedef struct variant {
  const char *name;
  double sync_s;  // a file
  bool own_files, point_units;
  int chunk, n_shard;
} variant;

static const variant VARIANT[] = {
  { .name = "as it is" },
  { .name = "each unit synced by itself, 3 ms", .sync_s = 3e-3 },
  { .name = "units of 64 points", .chunk = 64 },
  { .name = "10 leaders (shards)", .n_shard = 10 },
  { .name = "workers keep their units", .own_files = true },
  { .name = "all work on a point in units", .point_units = true },
  { .name = "the last, and 10 leaders", .point_units = true, .n_shard = 10 },
};
enum { N_VARIANT = sizeof VARIANT / sizeof *VARIANT };

static void apply(const variant *v, scaling_cost *c, scaling_case *k)
{
  if (v->sync_s > 0.0) c->leader.sync = v->sync_s;
  if (v->chunk) k->chunk = v->chunk;
  k->own_files = v->own_files;
  k->point_units = v->point_units;
  k->n_shard = v->n_shard;
}

static void print_variants(const scaling_cost *cost)
{
  printf("\nwhat if: 100000 points, seconds by workers, and the workers at half efficiency\n%-36s",
         "");
  for (int r = 1; r < 5; r++) printf(" %9.0f", pow(10.0, r));
  printf(" %10s\n", "half at");
  for (int v = 0; v < N_VARIANT; v++) {
    scaling_cost c = *cost;
    scaling_case k = usual(1e5, 1);
    apply(&VARIANT[v], &c, &k);
    printf("%-36s", VARIANT[v].name);
    for (int r = 1; r < 5; r++) {
      k.n_worker = (int)lround(pow(10.0, r));
      printf(" %9.1f", scaling_time(&c, &k));
    }
    printf(" %10d\n", half(&c, k));
  }
}

// ---- picture ------------------------------------------------------------------------------------

enum { N_X = 41 };

static bool draw(const scaling_cost *c, const char *path)
{
  static const char *const name[N_POINTS] = { "1,000 points", "10,000 points", "100,000 points",
                                              "1,000,000 points" };
  double x[N_X], y[2][N_POINTS][N_X];
  mw_curve curve[2][N_POINTS];
  mw_panel panel[2] = { { .title = "as it is" }, { .title = "all work on a point in units" } };
  for (int p = 0; p < 2; p++) {
    for (int i = 0; i < N_POINTS; i++) {
      mw_shape shape;
      curve[p][i] = (mw_curve){ .name = name[i], .width = 1.6, .y = y[p][i] };
      mw_plot_pen(i, &curve[p][i].color, &curve[p][i].dash, &shape);
      for (int j = 0; j < N_X; j++) {
        scaling_case k = usual(POINTS[i], (int)lround(pow(10.0, 5.0 * j / (N_X - 1))));
        x[j] = log10(k.n_worker);
        k.point_units = p == 1;
        y[p][i][j] = efficiency(c, &k);
      }
    }
    snprintf(panel[p].x_label, sizeof panel[p].x_label, "workers, powers of ten");
    snprintf(panel[p].y_label, sizeof panel[p].y_label, "efficiency");
    panel[p].y_hi = 1.1;
    panel[p].n = N_X;
    panel[p].x = x;
    panel[p].n_curve = N_POINTS;
    panel[p].curve = curve[p];
    panel[p].rule = 0.5;
  }
  FILE *f = fopen(path, "w");
  if (!f) return false;
  mw_plot_write(f, 2, 2, panel);
  return fclose(f) == 0;
}

// ---- all of it ----------------------------------------------------------------------------------

static bool read_options(int argc, char **argv, bench *b)
{
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 >= argc) return false;
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--points") == 0)
      b->n_point = atoi(value);
    else if (strcmp(argv[i], "--samples") == 0)
      b->n_sample = atoi(value);
    else if (strcmp(argv[i], "--unknowns") == 0)
      b->unknowns = atof(value);
    else if (strcmp(argv[i], "--dir") == 0)
      b->dir = value;
    else if (strcmp(argv[i], "--svg") == 0)
      b->svg = value;
    else
      return false;
  }
  return b->n_point >= 64 && b->n_point <= 1000 && b->n_sample >= 4 && b->n_sample <= 1000 &&
         b->unknowns >= 1000.0;
}

// s, wall, of a loop in each of n processes at once
static double spin(int n)
{
  double t = mw_wall_time();
  for (int k = 0; k < n; k++) {
    pid_t pid = fork();
    if (pid < 0) return NAN;
    if (pid > 0) continue;
    volatile double x = 0.0;
    for (long i = 0; i < 100000000; i++) x = 0.5 * x + 1.0;
    _exit(0);
  }
  while (wait(NULL) > 0) continue;
  return mw_wall_time() - t;
}

// What two processes get done beside each other in the time of one: 2 where both have a core of
// their own.
static void print_cores(const char *when)
{
  double one = spin(1), two = spin(2);
  printf("two processes are worth %.2f of one %s the measurements\n", 2.0 * one / two, when);
  (void)fflush(stdout);
}

static void print_head(const bench *b)
{
  double load = NAN;
  FILE *f = fopen("/proc/loadavg", "r");
  if (f && fscanf(f, "%lf", &load) != 1) load = NAN;
  if (f) fclose(f);
  printf(
      "positioner on a bed of %ld unknowns, %d points, %d samples; %ld cores, load %.2f before\n",
      b->n_free, b->n_point, b->n_sample, sysconf(_SC_NPROCESSORS_ONLN), load);
  print_cores("before");
}

int main(int argc, char **argv)
{
  static bench b = { .n_point = 512, .n_sample = 16, .unknowns = 6000.0 };
  static char dir[] = "/tmp/bench-scaling-XXXXXX";
  char remove[64];
  int status = scaling_run(argc, argv);
  if (status >= 0) return status;
  if (!read_options(argc, argv, &b)) {
    fputs(
        "usage: bench_scaling [--points N] [--unknowns U] [--samples S] [--dir DIR] [--svg FILE]\n",
        stderr);
    return EXIT_FAILURE;
  }
  if (!b.dir) b.dir = mkdtemp(dir);
  bool okay = b.dir && positioner_write(b.dir, "bar", b.unknowns, b.n_point, MODES, b.n_sample, "",
                                        &b.n_free);
  print_head(&b);
  okay = okay && measure_all(&b);
  print_cores("after");
  if (okay) print_runs(&b);
  if (okay) print_strong_weak(&b);
  okay = okay && costs(&b);
  if (okay) print_check(&b);
  if (okay) print_table(&b.cost, "simulated", false);
  if (okay) print_table(&b.cost, "simulated, units alone (no serial stages)", true);
  if (okay) print_variants(&b.cost);
  if (okay && b.svg && !draw(&b.cost, b.svg)) okay = false;
  for (int k = 0; k < b.n_run; k++) scaling_log_free(&b.run[k].log);
  if (okay && b.dir == dir) {
    snprintf(remove, sizeof remove, "rm -r '%s'", dir);
    okay = system(remove) == 0;
  }
  return okay ? EXIT_SUCCESS : EXIT_FAILURE;
}
