// SPDX-License-Identifier: BSD-3-Clause
// scaling_run.c: a reduction as modeway reduce does it, with the time of each unit and of each of
// the leader's stages.
//
// Units come in the log of work.h, a line each. Stages are measured from outside: the linker puts
// the wrappers below in front of the functions of reduction/ (--wrap), so that what is measured is
// what everybody runs. A stage has its own time without that of stages within it; what no wrapper
// sees is "rest". Line of a stage in the log: "stage NAME seconds calls". Stages, and units the
// leader does itself, are in seconds of the processor: other programs on the machine do not count.
#include "scaling_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "fem/mpi.h"
#include "reduce_layer.h"
#include "reduction/reduce.h"
#include "sample/sample_layer.h"
#include "sim/case.h"

// ---- stages -------------------------------------------------------------------------------------

enum {
  READ,
  KINEMATICS,
  UNITS,
  SYSTEMS,
  ALIGNMENT,
  PATTERNS,
  REFINING,
  LAGRANGIAN,
  TABLES,
  COMPARING,
  WRITING,
  REST,
  N_STAGE
};
static const char *const stage_name[N_STAGE] = { "reading",   "kinematics", "units",
                                                 "systems",   "alignment",  "patterns",
                                                 "refining",  "Lagrangian", "tables",
                                                 "comparing", "writing",    "rest" };
enum { DEPTH = 8 };

// The linker's wrappers get no context, so what they add up is static; one thread, one reduction a
// process.
static struct stages {
  double s[N_STAGE], since, units;  // s; units: on the clock
  int calls[N_STAGE], stack[DEPTH], n;
} at;

// s, of this process on the processors
static double cpu_time(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pass_time(void)
{
  double t = cpu_time();
  if (at.n > 0) at.s[at.stack[at.n - 1]] += t - at.since;
  at.since = t;
}

// False: within units, or nothing is measured (a worker)
static bool enter(int stage)
{
  if (at.n == 0 || at.n == DEPTH || at.stack[at.n - 1] == UNITS) return false;
  pass_time();
  at.calls[stage]++;
  if (stage == UNITS) at.units -= mw_wall_time();
  at.stack[at.n++] = stage;
  return true;
}

static void leave(bool entered)
{
  if (!entered) return;
  pass_time();
  if (at.stack[--at.n] == UNITS) at.units += mw_wall_time();
}

#define TIMED(stage, name, params, args)                                                           \
  mw_code __real_##name params;                                                                    \
  mw_code __wrap_##name params;                                                                    \
  mw_code __wrap_##name params                                                                     \
  {                                                                                                \
    bool entered = enter(stage);                                                                   \
    mw_code rc = __real_##name args;                                                               \
    leave(entered);                                                                                \
    return rc;                                                                                     \
  }

TIMED(KINEMATICS, mw_config_at,
      (const mw_mech *m, const unsigned char *locked, int n_s, const int *coord,
       const double *theta, const mw_config *near, mw_arena *mem, mw_config *out, mw_error *err),
      (m, locked, n_s, coord, theta, near, mem, out, err))
TIMED(UNITS, mw_work_run,
      (mw_work * w, const char *what, int n, const mw_unit *unit, mw_bytes *result, int *missing,
       mw_error *err),
      (w, what, n, unit, result, missing, err))
TIMED(SYSTEMS, mw_system_build,
      (const mw_blocks *blocks, const unsigned char *locked, uint64_t hold, const double *p,
       const double *s, mw_system **out, mw_error *err),
      (blocks, locked, hold, p, s, out, err))
TIMED(ALIGNMENT, mw_align_modes,
      (const mw_align_in *in, mw_arena *mem, mw_align *out, mw_error *err), (in, mem, out, err))
TIMED(PATTERNS, mw_patterns_free,
      (const mw_reduction *r, const mw_patterns *p, mw_grid_point *pt, mw_error *err),
      (r, p, pt, err))
TIMED(PATTERNS, mw_patterns_select, (mw_reduction * r, mw_patterns *p, mw_error *err), (r, p, err))
TIMED(REFINING, mw_reduction_refine, (mw_reduction * r, const mw_patterns *p, mw_error *err),
      (r, p, err))
TIMED(LAGRANGIAN, mw_lagrangian_build,
      (mw_reduction * r, mw_rom_shape shape, double *records, double *start, mw_error *err),
      (r, shape, records, start, err))
TIMED(TABLES, mw_tables_build, (mw_reduction * r, mw_rom_file *f, mw_tables *out, mw_error *err),
      (r, f, out, err))
TIMED(COMPARING, mw_certificate_compare,
      (const mw_reduction *r, const mw_tables *t, const mw_rom_file *rom, int n,
       const mw_sample *sample, mw_certificate *c, mw_arena *mem, mw_error *err),
      (r, t, rom, n, sample, c, mem, err))
TIMED(WRITING, mw_rom_file_write, (const mw_rom_file *f, const char *path, mw_error *err),
      (f, path, err))

// ---- units --------------------------------------------------------------------------------------

typedef struct worker {
  const char *model;
  char cache[512];
  mw_case c;
  bool read;
  void *ctx;
  FILE *log;  // of the leader: a line "cpu SECONDS" before that of each unit it does itself
} worker;

static mw_code open_worker(worker *w, mw_error *err)
{
  mw_reduce_opt opt = { .cache = w->cache };
  mw_code rc = mw_case_read(w->model, &w->c, err);
  if (rc != MW_OK) return rc;
  w->read = true;
  return mw_reduce_worker_init(&w->c.model, &w->c.mech, &opt, &w->ctx, err);
}

static mw_code do_toy(const unsigned char *args, size_t n, mw_bytes *result, mw_error *err)
{
  double bytes = 0.0;
  mw_unpack u = { .p = args, .left = n };
  mw_unpack_f64(&u, 1, &bytes);
  *result = (mw_bytes){ .p = malloc((size_t)bytes + 1), .n = (size_t)bytes };
  if (!result->p) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a toy");
  memset(result->p, 1, result->n);
  return MW_OK;
}

static mw_code do_unit(void *ctx, int kind, const unsigned char *args, size_t n, mw_bytes *result,
                       mw_error *err)
{
  worker *w = ctx;
  if (kind >= SCALING_TOY) return do_toy(args, n, result, err);
  mw_code rc = w->ctx ? MW_OK : open_worker(w, err);
  double t = cpu_time();
  if (rc == MW_OK) rc = mw_reduce_unit(w->ctx, kind, args, n, result, err);
  if (w->log) fprintf(w->log, "cpu %.9g\n", cpu_time() - t);
  return rc;
}

static void close_worker(worker *w)
{
  if (w->ctx) mw_reduce_worker_free(w->ctx);
  if (w->read) mw_case_free(&w->c);
}

// ---- one run ------------------------------------------------------------------------------------

static int complain(const mw_error *e)
{
  fprintf(stderr, "bench_scaling: %s\n", e->msg);
  return EXIT_FAILURE;
}

static mw_code open_work(worker *w, const char *out, int n_worker, FILE *log,
                         const char *const *argv, mw_work **work, mw_error *err)
{
  char parts[512];
  snprintf(parts, sizeof parts, "%s.parts", out);
  mw_work_opt o = { .fn = do_unit,
                    .ctx = w,
                    .folder = parts,
                    .context = out,
                    .n_worker = n_worker,
                    .worker_argv = argv,
                    .log = log };
  return mw_work_init(&o, work, err);
}

static mw_code reduce(worker *w, const char *out, mw_work *work, mw_error *err)
{
  char path[512];
  mw_rom_file f = { 0 };
  at.stack[at.n++] = READ;
  at.since = cpu_time();
  mw_code rc = open_worker(w, err);
  pass_time();
  at.stack[at.n - 1] = REST;
  mw_reduce_opt opt = { .work = work, .ctx = w->ctx, .cache = w->cache };
  if (rc == MW_OK) rc = mw_reduce(&w->c.model, &w->c.mech, &opt, &f, err);
  snprintf(path, sizeof path, "%s.nc", out);
  f.command = "bench_scaling";
  const char *unit[MW_ROM_MAX_S] = { "m", "m", "m", "m", "m", "m" };
  f.unit = unit;
  if (rc == MW_OK) rc = mw_rom_file_write(&f, path, err);
  pass_time();
  at.n--;
  mw_rom_file_free(&f);
  return rc;
}

static int run_reduction(worker *w, const char *out, int n_worker, FILE *log,
                         const char *const *argv)
{
  mw_error err = { 0 };
  mw_work *work = NULL;
  double start = mw_wall_time();
  mw_code rc = open_work(w, out, n_worker, log, argv, &work, &err);
  if (rc == MW_OK) rc = reduce(w, out, work, &err);
  fprintf(log, "stage all %.9g 1\n", mw_wall_time() - start);
  for (int k = 0; k < N_STAGE; k++)
    fprintf(log, "stage %s %.9g %d\n", stage_name[k], k == UNITS ? at.units : at.s[k], at.calls[k]);
  mw_work_done(work);
  return rc == MW_OK ? EXIT_SUCCESS : complain(&err);
}

// What handing out costs the leader's processor: toys of 4 kB and 1 MB with arguments of 8 B and 64
// kB, each 200 times.
static int run_toys(worker *w, const char *out, int n_worker, FILE *log, const char *const *argv)
{
  enum { N = 200, LARGE = 8192 };
  static const struct {
    const char *name;
    size_t n_args;
    double bytes;
  } toy[] = {
    { "warm", 1, 4e3 }, { "small", 1, 4e3 }, { "args", LARGE, 4e3 }, { "large", 1, 1e6 }
  };
  mw_error err = { 0 };
  mw_work *work = NULL;
  mw_unit unit[N];
  mw_bytes result[N];
  double *x = calloc(LARGE, sizeof *x);
  mw_work_opt o = {
    .fn = do_unit, .ctx = w, .context = out, .n_worker = n_worker, .worker_argv = argv
  };
  mw_code rc = x ? mw_work_init(&o, &work, &err) : MW_ERR_MEMORY;
  for (int k = 0; rc == MW_OK && k < 4; k++) {
    int missing = 0;
    x[0] = toy[k].bytes;
    for (int i = 0; i < N; i++)
      unit[i] = (mw_unit){ .kind = SCALING_TOY + k,
                           .args = { .p = (unsigned char *)x, .n = toy[k].n_args * sizeof *x } };
    double t = cpu_time();
    rc = mw_work_run(work, toy[k].name, N, unit, result, &missing, &err);
    fprintf(log, "stage %s %.9g %d\n", toy[k].name, cpu_time() - t, N);
    for (int i = 0; rc == MW_OK && i < N; i++) free(result[i].p);
  }
  free(x);
  mw_work_done(work);
  return rc == MW_OK ? EXIT_SUCCESS : complain(&err);
}

static int serve(worker *w)
{
  mw_error err = { 0 };
  mw_code rc = mw_work_serve(do_unit, w, &err);
  close_worker(w);
  return rc == MW_OK ? EXIT_SUCCESS : complain(&err);
}

int scaling_run(int argc, char **argv)
{
  worker w = { 0 };
  char log_path[512];
  bool worker_process = argc == 3 && strcmp(argv[1], "--worker") == 0;
  bool toys = argc == 5 && strcmp(argv[1], "--toys") == 0;
  if (!worker_process && !toys && !(argc == 5 && strcmp(argv[1], "--run") == 0)) return -1;
  w.model = argv[2];
  snprintf(w.cache, sizeof w.cache, "%s.cache", w.model);
  (void)mkdir(w.cache, 0777);  // there already, or the run says that it is missing
  if (mw_mpi_launched()) mw_mpi_start();
  if (worker_process || mw_mpi_rank() > 0) return serve(&w);
  const char *const worker_argv[] = { "/proc/self/exe", "--worker", w.model, NULL };
  snprintf(log_path, sizeof log_path, "%s.log", argv[3]);
  FILE *log = fopen(log_path, "w");
  if (!log) return EXIT_FAILURE;
  w.log = log;
  int n = atoi(argv[4]), status;
  status = toys ? run_toys(&w, argv[3], n, log, worker_argv)
                : run_reduction(&w, argv[3], n, log, worker_argv);
  fclose(log);
  close_worker(&w);
  return status;
}
