// SPDX-License-Identifier: BSD-3-Clause
// reducejob.c: a reduction from the command line.
//
//   plain, or --shard     this process leads; units are done here, by -j workers (the first a
//                         thread of this process, the others processes), or by the ranks of mpirun
//   --worker, rank > 0    units are done for the leader; the model is read with the first of them
//
// A unit's name holds the digest of the program's own file: what another build has finished is not
// taken for ours.
#include "reducejob_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "fem/cache.h"
#include "fem/mpi.h"
#include "run/lockup_layer.h"

enum { MAX_WORKERS = 1024, MAX_SHARDS = 1000000 };

// ---- who does a unit ----------------------------------------------------------------------------

struct mw_reduce_worker {
  const mw_args *args;
  mw_reduce_opt opt;
  const mw_case *c;  // NULL: read with the first unit
  mw_case own;
  bool begun;  // c and ctx, or why they are not there
  void *ctx;
  mw_error e;
};

static mw_code begin(mw_reduce_worker *w)
{
  mw_code rc = MW_OK;
  w->begun = true;
  if (!w->c) {
    rc = mw_args_case_middle(w->args, w->args->operand, &w->own, &w->e);
    if (rc == MW_OK) w->c = &w->own;
  }
  if (rc == MW_OK) rc = mw_reduce_worker_init(&w->c->model, &w->c->mech, &w->opt, &w->ctx, &w->e);
  w->e.code = rc;
  return rc;
}

static mw_code do_unit(void *ctx, int kind, const unsigned char *args, size_t n, mw_bytes *result,
                       mw_error *err)
{
  mw_reduce_worker *w = ctx;
  if (!w->begun && begin(w) != MW_OK) w->ctx = NULL;
  if (w->e.code != MW_OK) {
    *err = w->e;
    return w->e.code;
  }
  return mw_reduce_unit(w->ctx, kind, args, n, result, err);
}

static void worker_free(mw_reduce_worker *w)
{
  if (w->ctx) mw_reduce_worker_free(w->ctx);
  if (w->c == &w->own) mw_case_free(&w->own);
}

// ---- options ------------------------------------------------------------------------------------

static mw_code read_shard(const mw_args *a, mw_reduce_job *job, mw_error *err)
{
  const char *text = mw_args_value(a, "shard");
  int i = 0, n = 0, used = 0;
  if (!text) return MW_OK;
  if (sscanf(text, "%d/%d%n", &i, &n, &used) != 2 || text[used] != '\0' || i < 1 || i > n ||
      n > MAX_SHARDS)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--shard: found \"%s\", expected i/N with 1 <= i <= N", text);
  job->shard = i;
  job->n_shard = n;
  return MW_OK;
}

// The list DIR,DIR,…: the first is ours to write to, the others are looked into.
static void read_parts(const char *text, mw_reduce_job *job)
{
  int n = 0;
  job->parts = job->own;
  if (!text) return;
  size_t len = strcspn(text, ",");
  job->parts = mw_arena_printf(&job->mem, "%.*s", (int)len, text);
  for (const char *p = text; *p; p++) n += *p == ',';
  job->also = mw_arena_alloc(&job->mem, (size_t)n + 1, sizeof *job->also);
  n = 0;
  for (const char *p = text + len; job->also && *p; p += len) {
    len = strcspn(++p, ",");
    if (len > 0) job->also[n++] = mw_arena_printf(&job->mem, "%.*s", (int)len, p);
  }
}

static mw_code read_folders(const mw_args *a, mw_reduce_job *job, mw_error *err)
{
  const char *parts = mw_args_value(a, "parts"), *cache = mw_args_value(a, "cache");
  bool no_parts = mw_args_value(a, "no-parts"), no_cache = mw_args_value(a, "no-cache");
  job->output = mw_args_value(a, "output");
  if (job->output[0] == '\0' || strstr(job->output, "://"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--output: found \"%s\", expected a file's name",
                   job->output);
  if (parts && (no_parts || parts[0] == '\0' || parts[0] == ','))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--parts: %s",
                   no_parts ? "not together with --no-parts" : "found no folder's name");
  if (cache && (no_cache || cache[0] == '\0'))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--cache: %s",
                   no_cache ? "not together with --no-cache" : "found no folder's name");
  if (no_parts && job->n_shard > 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--shard: not together with --no-parts, its units would be lost");
  job->own = mw_arena_printf(&job->mem, "%s.parts", job->output);
  if (!no_parts) read_parts(parts, job);
  return mw_arena_check(&job->mem, err);
}

// What a worker is started with: what decides about its units, and what the command cannot do
// without.
static void make_worker_argv(mw_reduce_job *job)
{
  const char *const grid = mw_args_value(job->args, "grid"), *const cache =
                                                                 mw_args_value(job->args, "cache");
  const char **v = job->worker_argv =
      mw_arena_alloc(&job->mem, 16 + 2 * (size_t)job->args->n_set, sizeof *v);
  if (!v) return;
  *v++ = "/proc/self/exe";
  *v++ = "reduce";
  *v++ = "--worker";
  *v++ = "-o";
  *v++ = job->output;
  if (grid) *v++ = "--grid";
  if (grid) *v++ = grid;
  if (cache) *v++ = "--cache";
  if (cache) *v++ = cache;
  if (mw_args_value(job->args, "no-cache")) *v++ = "--no-cache";
  for (int k = 0; k < job->args->n_set; k++) {
    *v++ = "--set";
    *v++ = job->args->set[k];
  }
  *v++ = "--";
  *v++ = job->args->operand;
}

static void make_command(mw_reduce_job *job)
{
  const mw_args *a = job->args;
  const char *grid = mw_args_value(a, "grid"), *shapes = job->opt.shapes;
  job->command = mw_arena_printf(&job->mem, "modeway reduce %s -o %s%s%s%s%s", a->operand,
                                 job->output, grid ? " --grid " : "", grid ? grid : "",
                                 shapes ? " --shapes " : "", shapes ? shapes : "");
  for (int k = 0; job->command && k < a->n_set; k++)
    job->command = mw_arena_printf(&job->mem, "%s --set %s", job->command, a->set[k]);
}

mw_code mw_reduce_job_read(const mw_args *a, mw_reduce_how how, mw_reduce_job *job, mw_error *err)
{
  *job = (mw_reduce_job){ .args = a, .how = how, .command = a->line };
  if (how == MW_REDUCE_WITHIN) return MW_OK;
  job->opt.shapes = mw_args_value(a, "shapes");
  mw_code rc = mw_args_int(a, "grid", 4, 10000, &job->opt.n_grid_override, err);
  if (rc == MW_OK) rc = mw_args_int(a, "jobs", 1, MAX_WORKERS, &job->n_worker, err);
  if (rc == MW_OK) rc = read_shard(a, job, err);
  if (rc == MW_OK) rc = read_folders(a, job, err);
  if (rc == MW_OK && job->n_worker > 1 && mw_mpi_size() > 1)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "-j: under mpirun the ranks are the workers; take one of the two");
  if (rc != MW_OK) return rc;
  if (job->n_shard > 0) job->opt.shapes = NULL;  // merge writes them
  make_worker_argv(job);
  make_command(job);
  return mw_arena_check(&job->mem, err);
}

// ---- start and end ------------------------------------------------------------------------------

// Model, settings and program; a program whose file cannot be read is known by its version alone.
static mw_code make_context(mw_reduce_job *job, mw_error *err)
{
  static const size_t piece = 1 << 16;
  mw_sha256 sha;
  uint8_t digest[32];
  char hex[65];
  FILE *f = fopen("/proc/self/exe", "rb");
  unsigned char *buf = malloc(piece);
  mw_sha256_init(&sha);
  for (size_t n; f && buf && (n = fread(buf, 1, piece, f)) > 0;) mw_sha256_add(&sha, buf, n);
  if (f) fclose(f);
  free(buf);
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, hex);
  job->context = mw_arena_printf(&job->mem, "modeway %s %s\nmodel %s\ngrid %d\n", MW_VERSION, hex,
                                 job->c->model.hash, job->opt.n_grid_override);
  return mw_arena_check(&job->mem, err);
}

static mw_code find_cache(const mw_args *a, mw_arena *mem, const char **cache, mw_error *err)
{
  *cache = mw_args_value(a, "cache");
  if (mw_args_value(a, "no-cache")) return MW_OK;
  return *cache ? mw_cache_make(MW_NOWHERE, *cache, err)
                : mw_cache_folder(MW_NOWHERE, mem, cache, err);
}

mw_code mw_reduce_job_start(mw_reduce_job *job, const mw_case *c, mw_progress *p, mw_error *err)
{
  const mw_model *m = &c->model;
  job->c = c;
  job->opt.progress = p;
  if (!m->reduction.present)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                   "the model has no section reduction");
  mw_code rc = find_cache(job->args, &job->mem, &job->opt.cache, err);
  if (rc == MW_OK) rc = make_context(job, err);
  if (rc == MW_OK) job->worker = mw_arena_alloc(&job->mem, 1, sizeof *job->worker);
  if (rc == MW_OK) rc = mw_arena_check(&job->mem, err);
  // shards do not write the output
  bool apart = job->own && job->n_shard == 0 && (!job->parts || strcmp(job->parts, job->own) != 0);
  if (rc == MW_OK && apart) rc = mw_lock_take(job->own, 0, 0, &job->lock, err);
  if (rc != MW_OK) return rc;
  job->worker->c = c;
  job->worker->opt = job->opt;
  mw_work_opt w = { .fn = do_unit,
                    .ctx = job->worker,
                    .folder = job->parts,
                    .also = job->also,
                    .context = job->context,
                    .n_worker = job->n_worker,
                    .worker_argv = job->worker_argv,
                    .thread = true,
                    .shard = job->shard,
                    .n_shard = job->n_shard,
                    .merge = job->how == MW_REDUCE_MERGE,
                    .progress = p };
  return mw_work_init(&w, &job->work, err);
}

mw_code mw_reduce_job_rom(mw_reduce_job *job, mw_rom_file *out, bool *complete, mw_error *err)
{
  const mw_model *m = &job->c->model;
  mw_rom_file f = { 0 };
  job->opt.work = job->work;
  if (!job->worker->begun && begin(job->worker) != MW_OK) {
    *err = job->worker->e;
    return err->code;
  }
  job->opt.ctx = job->worker->ctx;
  mw_code rc = mw_reduce(m, &job->c->mech, &job->opt, &f, err);
  *complete = mw_work_stats_of(job->work).missing == 0;
  if (!*complete) {
    if (rc == MW_OK) mw_rom_file_free(&f);
    return MW_OK;
  }
  if (rc == MW_ERR_NUMERIC) {
    char dead[160];
    mw_lockup_of_range(&job->c->mech, dead, sizeof dead);
    rc = mw_lockup_append(rc, dead, err);
  }
  if (rc != MW_OK) return rc;
  f.command = mw_arena_str(&f.mem, job->command);
  f.unit = mw_arena_alloc(&f.mem, (size_t)f.rom.s, sizeof *f.unit);
  for (int i = 0; f.unit && i < f.rom.s; i++)
    f.unit[i] = mw_joint_unit(&m->joint[m->reduction.coordinate[i].joint]);
  rc = mw_arena_check(&f.mem, err);
  if (rc == MW_OK)
    *out = f;
  else
    mw_rom_file_free(&f);
  return rc;
}

void mw_reduce_job_end(mw_reduce_job *job, bool safe)
{
  if (job->work) job->stats = mw_work_stats_of(job->work);
  if (safe)
    mw_work_done(job->work);
  else
    mw_work_free(job->work);
  if (job->worker) worker_free(job->worker);
  mw_lock_free(&job->lock);
  mw_arena_free(&job->mem);
  job->work = NULL;
  job->worker = NULL;
}

int mw_reduce_job_serve(const mw_args *a)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_reduce_worker w = { .args = a };
  // what is wrong with these the leader says
  if (mw_args_int(a, "grid", 4, 10000, &w.opt.n_grid_override, &w.e) == MW_OK &&
      find_cache(a, &mem, &w.opt.cache, &w.e) != MW_OK)
    w.begun = true;
  mw_code rc = mw_work_serve(do_unit, &w, &err);
  worker_free(&w);
  mw_arena_free(&mem);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}
