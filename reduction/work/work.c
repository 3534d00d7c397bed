// SPDX-License-Identifier: BSD-3-Clause
// work.c: a list of units, done by any backend.
//
//   find the finished ones → hand out the others in their order, the next to an idle worker →
//     keep each result → order
//
// Results stand in the order of the units, so who did them and when leaves no trace. A result is
// kept before its maker gets the next unit. After a failure nothing more is handed out, but what is
// at work is waited for and kept. A unit whose worker ends goes to another one, once. Messages and
// disk: O(bytes) of the results, through this one process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/mpi.h"
#include "work_priv.h"

enum { LIVES = 2 };  // workers a unit may end

struct mw_work {
  mw_work_opt opt;
  char *context;
  mw_store store;
  mw_backend *backend;  // opened with the first unit there is to do
  mw_work_stats stats;
  int n_run;  // lists done
};

typedef struct job {
  mw_work *w;
  const char *what;
  int n;
  const mw_unit *unit;               // [n]
  mw_bytes *result;                  // [n]
  unsigned char (*name)[MW_DIGEST];  // [n]
  unsigned char *found;              // [n]  is its result there?
  unsigned char *ended;              // [n]  workers it ended
  int *todo, n_todo, next;           // [n]  units to hand out, from next on
  int *at_worker, n_busy;            // [n_worker]  unit at work
  int *idle, n_idle;                 // [n_worker]  workers without one, the next at the end
  double *sent, *sending;  // [n_worker]  s, when the unit was sent, and how long that took
  int missing;             // units of other shards that are not there
  int maker[2];  // a shard that did one of the found units: its number, of how many; 0: none
  int failed;    // unit of the error in e, n: no unit's, −1: none
  mw_error e;
} job;

// ---- life ---------------------------------------------------------------------------------------

mw_code mw_work_init(const mw_work_opt *opt, mw_work **out, mw_error *err)
{
  const char *context = opt->context ? opt->context : "";
  size_t len = strlen(context) + 1;
  mw_work *w = calloc(1, sizeof *w);
  char *copy = malloc(len);
  if (!w || !copy) {
    free(w);
    free(copy);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  memcpy(copy, context, len);
  w->opt = *opt;
  w->opt.context = w->context = copy;
  mw_code rc = mw_store_open(&w->opt, &w->store, err);
  if (rc != MW_OK) {
    free(copy);
    free(w);
    return rc;
  }
  if (mw_mpi_size() > 1) w->store.n_worker = mw_mpi_size() - 1;
  *out = w;
  return MW_OK;
}

void mw_work_free(mw_work *w)
{
  if (w) {
    if (w->backend) w->backend->close(w->backend);
    mw_store_close(&w->store);
    free(w->context);
    free(w);
  }
  mw_ranks_dismiss();
}

void mw_work_done(mw_work *w)
{
  if (w) mw_store_remove(&w->store);
  mw_work_free(w);
}

int mw_work_threads(const mw_work *w)
{
  bool apart = w && mw_mpi_size() == 1 && w->opt.n_worker > 1;
  return apart ? w->opt.n_worker : 1;
}

int mw_work_reused(const mw_work *w) { return w->stats.reused; }
mw_work_stats mw_work_stats_of(const mw_work *w) { return w->stats; }

mw_code mw_work_serve(mw_unit_fn fn, void *ctx, mw_error *err)
{
  return mw_mpi_rank() > 0 ? mw_ranks_serve(fn, ctx, err) : mw_pool_serve(fn, ctx, err);
}

static mw_code open_backend(mw_work *w, mw_error *err)
{
  if (w->backend) return MW_OK;
  if (mw_mpi_size() > 1) return mw_ranks_open(&w->backend, err);
  if (w->opt.n_worker > 1)
    return mw_pool_open(w->opt.n_worker, w->opt.worker_argv, w->opt.thread ? w->opt.fn : NULL,
                        w->opt.ctx, &w->backend, err);
  return mw_here_open(w->opt.fn, w->opt.ctx, &w->backend, err);
}

// ---- what is there already ----------------------------------------------------------------------

static bool find(job *j, int u)
{
  int of[2];
  double t = mw_wall_time();
  bool there = mw_store_get(&j->w->store, j->name[u], &j->result[u], of);
  j->w->stats.store_s += mw_wall_time() - t;
  if (!there) return false;
  j->found[u] = 1;
  if (of[1] > 0) memcpy(j->maker, of, sizeof of);
  j->w->stats.reused++;
  return true;
}

static void find_all(job *j)
{
  const mw_work_opt *o = &j->w->opt;
  for (int u = 0; u < j->n; u++) {
    mw_store_name(o->context, &j->unit[u], j->name[u]);
    if (find(j, u)) continue;
    if (o->n_shard <= 0 || u % o->n_shard == o->shard - 1) j->todo[j->n_todo++] = u;
  }
}

// Merging: what the jobs of an array have begun, they finish; what none has begun is done here.
static mw_code check_merge(const job *j, mw_error *err)
{
  const mw_work *w = j->w;
  int N = j->maker[1];
  if (!w->opt.merge || j->n_todo == 0) return MW_OK;
  if (w->n_run == 0 && j->n_todo == j->n)
    return mw_fail(err, MW_ERR_NUMERIC, (mw_at){ .file = w->store.folder },
                   "no finished unit of this model is here (%s: %d units); "
                   "modeway reduce with --shard 1/N, 2/N, … makes them",
                   j->what, j->n);
  if (N == 0) return MW_OK;
  char list[200] = "";
  size_t used = 0;
  for (int i = 1; i <= N; i++) {
    bool missing = false;
    for (int k = 0; k < j->n_todo; k++) missing |= j->todo[k] % N == i - 1;
    if (!missing) continue;
    if (used > sizeof list - 32) {
      (void)snprintf(list + used, sizeof list - used, ", …");
      break;
    }
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%d/%d", used ? ", " : "", i, N);
  }
  return mw_fail(err, MW_ERR_NUMERIC, (mw_at){ .file = w->store.folder },
                 "%s: %d of %d units are missing; modeway reduce with --shard %s makes them",
                 j->what, j->n_todo, j->n, list);
}

// ---- handing out --------------------------------------------------------------------------------

// Keeps the error of the first unit in the list that has one.
static void fail(job *j, int u, const mw_error *e)
{
  if (j->failed >= 0 && j->failed <= u) return;
  j->failed = u;
  j->e = *e;
}

// Brings the next unit for worker k to the front of those left: the first that asks for this
// worker, else the first that asks for none.
static void choose(job *j, int k)
{
  int any = -1, n_worker = j->w->backend->n_worker;
  for (int i = j->next; i < j->n_todo; i++) {
    int wanted = j->unit[j->todo[i]].worker;
    bool ours = wanted > 0 && (wanted - 1) % n_worker == k;
    if (wanted == 0 && any < 0) any = i;
    if (!ours) continue;
    any = i;
    break;
  }
  if (any < 0) return;
  int u = j->todo[any];
  memmove(j->todo + j->next + 1, j->todo + j->next, (size_t)(any - j->next) * sizeof *j->todo);
  j->todo[j->next] = u;
}

static void hand_out(job *j)
{
  mw_backend *d = j->w->backend;
  while (j->n_idle > 0 && j->next < j->n_todo && j->failed < 0) {
    mw_error e = { 0 };
    int k = j->idle[j->n_idle - 1];
    choose(j, k);
    int u = j->todo[j->next];
    double t = mw_wall_time();
    mw_head h = { .what = MW_HEAD_UNIT, .kind = j->unit[u].kind, .n = j->unit[u].args.n };
    memcpy(h.name, j->name[u], MW_DIGEST);
    if (d->send(d, k, &h, j->unit[u].args.p, &e) != MW_OK) {
      fail(j, j->n, &e);
      return;
    }
    j->sending[k] = mw_wall_time() - t;
    j->sent[k] = t;
    j->next++;
    j->n_idle--;
    j->at_worker[k] = u;
    j->n_busy++;
  }
}

// A worker ended with unit u: another one tries.
static void again(job *j, int u, const char *how)
{
  mw_error e = { 0 };
  j->w->stats.lost++;
  if (++j->ended[u] < LIVES) {
    j->todo[--j->next] = u;
    return;
  }
  (void)mw_fail(&e, MW_ERR_NUMERIC, MW_NOWHERE,
                "%s: unit %d of %d ended %d workers, the last by %s (no memory left?)", j->what,
                u + 1, j->n, LIVES, how);
  fail(j, u, &e);
}

static void log_unit(const job *j, int u, const mw_answer *a, double back, double kept)
{
  FILE *f = j->w->opt.log;
  if (!f) return;
  for (const char *p = j->what; *p; p++) (void)putc(*p == ' ' ? '_' : *p, f);
  fprintf(f, " %d %d %d %zu %zu %.9g %.9g %.9g %.9f %.9f\n", u, j->unit[u].kind, a->worker,
          j->unit[u].args.n, a->body.n, a->head.seconds, j->sending[a->worker], kept - back,
          j->sent[a->worker], back);
  (void)fflush(f);
}

static void keep(job *j, int u, mw_answer *a)
{
  mw_work *w = j->w;
  mw_error e = { 0 };
  if (a->head.what != MW_HEAD_RESULT) {
    if (a->head.n == sizeof e)
      memcpy(&e, a->body.p, sizeof e);
    else
      (void)mw_fail(&e, MW_ERR_MEMORY, MW_NOWHERE, "%s: no memory for unit %d", j->what, u + 1);
    free(a->body.p);
    fail(j, u, &e);
    return;
  }
  double t = mw_wall_time();
  if (mw_store_put(&w->store, &a->head, a->body, &e) != MW_OK) fail(j, j->n, &e);
  double kept = mw_wall_time();
  w->stats.store_s += kept - t;
  w->stats.unit_s += a->head.seconds;
  w->stats.bytes += (double)a->body.n;
  w->stats.made++;
  log_unit(j, u, a, t, kept);
  j->result[u] = a->body;
  j->found[u] = 1;
}

static void distribute(job *j)
{
  mw_backend *d = j->w->backend;
  mw_progress *p = j->w->opt.progress;
  int done = 0;
  mw_progress_start(p, j->what, j->n_todo);
  for (;;) {
    mw_answer a;
    mw_error e = { 0 };
    hand_out(j);
    if (j->n_busy == 0) break;
    if (d->wait(d, &a, &e) != MW_OK) {
      fail(j, j->n, &e);
      if (a.worker < 0) break;
      a.dead = true;
    }
    int u = j->at_worker[a.worker];
    j->idle[j->n_idle++] = a.worker;
    j->n_busy--;
    if (!a.dead)
      keep(j, u, &a);
    else if (e.code == MW_OK)
      again(j, u, a.how);
    if (!a.dead) mw_progress_step(p, ++done);
  }
  mw_progress_end(p);
}

// ---- a list -------------------------------------------------------------------------------------

static mw_code do_units(job *j, mw_error *err)
{
  mw_work *w = j->w;
  mw_code rc = open_backend(w, err);
  if (rc != MW_OK) return rc;
  size_t ns = (size_t)w->backend->n_worker;
  j->at_worker = malloc(ns * sizeof *j->at_worker);
  j->idle = malloc(ns * sizeof *j->idle);
  j->sent = malloc(ns * sizeof *j->sent);
  j->sending = malloc(ns * sizeof *j->sending);
  if (!j->at_worker || !j->idle || !j->sent || !j->sending)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  for (int k = w->backend->n_worker - 1; k >= 0; k--) j->idle[j->n_idle++] = k;
  distribute(j);
  if (j->failed >= 0) {
    if (err) *err = j->e;
    rc = j->e.code;
  }
  // what is finished is on disk, whatever happened
  mw_code synced = mw_store_sync(&w->store, rc == MW_OK ? err : NULL);
  return rc == MW_OK ? synced : rc;
}

static void release(job *j)
{
  for (int u = 0; u < j->n; u++) {
    free(j->result[u].p);
    j->result[u] = (mw_bytes){ 0 };
  }
}

static mw_code run(job *j, mw_error *err)
{
  mw_work *w = j->w;
  char note[128];
  int before = w->stats.reused;
  find_all(j);
  if (w->stats.reused > before) {
    snprintf(note, sizeof note, "%.60s: %d of %d units found finished", j->what,
             w->stats.reused - before, j->n);
    mw_progress_note(w->opt.progress, note);
  }
  mw_code rc = check_merge(j, err);
  if (rc == MW_OK && j->n_todo > 0) rc = do_units(j, err);
  // what other shards have finished meanwhile
  for (int u = 0; rc == MW_OK && u < j->n; u++)
    if (!j->found[u] && !find(j, u)) j->missing++;
  return rc;
}

mw_code mw_work_run(mw_work *w, const char *what, int n, const mw_unit *unit, mw_bytes *result,
                    int *missing, mw_error *err)
{
  size_t ns = (size_t)n + 1;
  job j = { .w = w,
            .what = what,
            .n = n,
            .unit = unit,
            .result = result,
            .name = malloc(ns * sizeof *j.name),
            .found = calloc(ns, 1),
            .ended = calloc(ns, 1),
            .todo = malloc(ns * sizeof *j.todo),
            .failed = -1 };
  for (int u = 0; u < n; u++) result[u] = (mw_bytes){ 0 };
  mw_code rc = MW_OK;
  if (!j.name || !j.found || !j.ended || !j.todo)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = run(&j, err);
  if (rc != MW_OK || j.missing > 0) release(&j);
  if (missing) *missing = j.missing;
  w->stats.missing += j.missing;
  if (rc == MW_OK) w->n_run++;
  free(j.name);
  free(j.found);
  free(j.ended);
  free(j.todo);
  free(j.at_worker);
  free(j.idle);
  free(j.sent);
  free(j.sending);
  return rc;
}
