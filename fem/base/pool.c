// SPDX-License-Identifier: BSD-3-Clause
// pool.c: see pool.h. Items that wait for nothing stand on a stack; a thread that has done one puts
// there what waited for it. O(n) a call.
#include "base/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef struct job {
  int n;
  const char *above;
  size_t stride;
  bool up;
  mw_pool_fn fn;
  void *ctx;
  int done, failed;  // items; the first that failed, n: none
  mw_code rc;        // of that one
} job;

struct mw_pool {
  int n_thread;  // besides the caller's
  pthread_t *thread;
  pthread_mutex_t lock;         // of all below
  pthread_cond_t work;          // there are items, or the last one is done
  bool started, ends;           // lock and work are there; threads are to end
  job *job;                     // NULL: none
  int *ready, n_ready;          // [cap]  stack
  int *waits, *below, *beside;  // [cap]  up: items still below; down: lists of those below
  int cap;
  struct slot {    // [n_slot]  threads that are simulated
    int item;      // −1: none
    double until;  // s, from the start of the call
  } * slot;
  int n_slot;          // 0: none is
  double items, path;  // s, see mw_pool_simulated
};

static int above_of(const job *j, int i)
{
  return *(const int *)(j->above + (size_t)i * j->stride);
}

// What waited for item i.
static void release(mw_pool *p, const job *j, int i)
{
  int before = p->n_ready, up = above_of(j, i);
  if (j->up) {
    if (up >= 0 && --p->waits[up] == 0) p->ready[p->n_ready++] = up;
  } else {
    for (int k = p->below[i]; k >= 0; k = p->beside[k]) p->ready[p->n_ready++] = k;
  }
  if (p->n_ready - before > 1) pthread_cond_broadcast(&p->work);
}

// Does items as long as there are some; the lock is held.
static void serve(mw_pool *p)
{
  while (p->job && p->n_ready > 0) {
    job *j = p->job;
    int i = p->ready[--p->n_ready];
    pthread_mutex_unlock(&p->lock);
    mw_code rc = j->fn(j->ctx, i);
    pthread_mutex_lock(&p->lock);
    if (rc != MW_OK && i < j->failed) {
      j->failed = i;
      j->rc = rc;
    }
    release(p, j, i);
    if (++j->done == j->n) {
      p->job = NULL;
      pthread_cond_broadcast(&p->work);
    }
  }
}

static void *stay(void *ctx)
{
  mw_pool *p = ctx;
  pthread_mutex_lock(&p->lock);
  while (!p->ends) {
    serve(p);
    if (!p->ends) pthread_cond_wait(&p->work, &p->lock);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

void mw_pool_free(mw_pool *p)
{
  if (!p) return;
  if (p->started) {
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->n_thread; i++) pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
  }
  free(p->thread);
  free(p->ready);
  free(p->waits);
  free(p->below);
  free(p->beside);
  free(p->slot);
  free(p);
}

static bool start(mw_pool *p)
{
  if (pthread_mutex_init(&p->lock, NULL) != 0) return false;
  if (pthread_cond_init(&p->work, NULL) == 0) return p->started = true;
  pthread_mutex_destroy(&p->lock);
  return false;
}

mw_code mw_pool_build(int n_thread, mw_pool **out, mw_error *err)
{
  mw_pool *p = calloc(1, sizeof *p);
  int others = n_thread > 1 ? n_thread - 1 : 0;
  if (p) p->thread = calloc((size_t)others + 1, sizeof *p->thread);
  if (!p || !p->thread || !start(p)) {
    mw_pool_free(p);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  while (p->n_thread < others && pthread_create(&p->thread[p->n_thread], NULL, stay, p) == 0)
    p->n_thread++;
  if (p->n_thread < others) {
    int n = p->n_thread + 1;
    mw_pool_free(p);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "the system gives %d threads, expected %d", n,
                   n_thread);
  }
  *out = p;
  return MW_OK;
}

mw_code mw_pool_simulate(int n_thread, mw_pool **out, mw_error *err)
{
  mw_pool *p = NULL;
  mw_code rc = mw_pool_build(1, &p, err);
  if (rc != MW_OK) return rc;
  p->n_slot = n_thread > 1 ? n_thread : 1;
  p->slot = calloc((size_t)p->n_slot, sizeof *p->slot);
  if (!p->slot) {
    mw_pool_free(p);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  *out = p;
  return MW_OK;
}

void mw_pool_simulated(const mw_pool *p, double *items, double *path)
{
  *items = p->items;
  *path = p->path;
}

static bool grow(mw_pool *p, int n)
{
  if (n <= p->cap) return true;
  int **part[] = { &p->ready, &p->waits, &p->below, &p->beside };
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    int *v = realloc(*part[k], (size_t)n * sizeof *v);
    if (!v) return false;
    *part[k] = v;
  }
  p->cap = n;
  return true;
}

static void fill(mw_pool *p, const job *j)
{
  p->n_ready = 0;
  for (int i = 0; i < j->n; i++) {
    p->waits[i] = 0;
    p->below[i] = -1;
  }
  for (int i = 0; i < j->n; i++) {
    int up = above_of(j, i);
    if (up < 0) continue;
    p->waits[up]++;
    p->beside[i] = p->below[up];
    p->below[up] = i;
  }
  // the first item, or the last, on top
  for (int k = 0; k < j->n; k++) {
    int i = j->up ? j->n - 1 - k : k;
    if (j->up ? p->waits[i] == 0 : above_of(j, i) < 0) p->ready[p->n_ready++] = i;
  }
}

static mw_code alone(job *j)
{
  for (int k = 0; k < j->n; k++) {
    int i = j->up ? k : j->n - 1 - k;
    mw_code rc = j->fn(j->ctx, i);
    if (rc == MW_OK || i > j->failed) continue;
    j->failed = i;
    j->rc = rc;
  }
  return j->rc;
}

// Processor time of this thread, s
static double spent(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Does the item on top, which slot s takes at `now`.
static void take(mw_pool *p, job *j, struct slot *s, double now)
{
  double start = spent();
  s->item = p->ready[--p->n_ready];
  mw_code rc = j->fn(j->ctx, s->item);
  double took = spent() - start;
  if (rc != MW_OK && s->item < j->failed) {
    j->failed = s->item;
    j->rc = rc;
  }
  s->until = now + took;
  p->items += took;
}

// Each slot takes an item as soon as it is free and there is one; items release others when their
// slot is through with them.
static mw_code simulate(mw_pool *p, job *j)
{
  double now = 0.0;
  fill(p, j);
  for (int k = 0; k < p->n_slot; k++) p->slot[k].item = -1;
  while (j->done < j->n) {
    struct slot *first = NULL;
    for (int k = 0; k < p->n_slot; k++)
      if (p->slot[k].item < 0 && p->n_ready > 0) take(p, j, &p->slot[k], now);
    for (int k = 0; k < p->n_slot; k++)
      if (p->slot[k].item >= 0 && (!first || p->slot[k].until < first->until)) first = &p->slot[k];
    now = first->until;
    release(p, j, first->item);
    first->item = -1;
    j->done++;
  }
  p->path += now;
  return j->rc;
}

static mw_code run(mw_pool *p, job *j)
{
  if (p && p->n_slot > 0 && grow(p, j->n)) return simulate(p, j);
  // without memory for the lists this thread does all of it
  if (!p || p->n_thread == 0 || j->n < 2 || !grow(p, j->n)) return alone(j);
  pthread_mutex_lock(&p->lock);
  fill(p, j);
  p->job = j;
  pthread_cond_broadcast(&p->work);
  while (j->done < j->n) {
    serve(p);
    // items that others are at may still release some
    if (j->done < j->n) pthread_cond_wait(&p->work, &p->lock);
  }
  pthread_mutex_unlock(&p->lock);
  return j->rc;
}

mw_code mw_pool_up(mw_pool *p, int n, const int *above, size_t stride, mw_pool_fn fn, void *ctx)
{
  job j = { n, (const char *)above, stride, true, fn, ctx, 0, n, MW_OK };
  return run(p, &j);
}

mw_code mw_pool_down(mw_pool *p, int n, const int *above, size_t stride, mw_pool_fn fn, void *ctx)
{
  job j = { n, (const char *)above, stride, false, fn, ctx, 0, n, MW_OK };
  return run(p, &j);
}
