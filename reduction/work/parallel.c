// SPDX-License-Identifier: BSD-3-Clause
// parallel.c: independent items of the process that leads, on threads while its workers wait.
//
// Each item writes what is its own, and the caller puts that together in the order of the items:
// who did them and when leaves no trace. As many threads as there are workers, so that no more
// processors are taken than were given; items that have items of their own share them. Blocks of
// points are as large whatever the number of threads, so that what goes from point to point within
// a block goes as far.
#include <pthread.h>
#include <stdlib.h>

#include "offline_layer.h"

static _Thread_local int share;  // processors that this thread may take; 0: all there are

typedef struct crew {
  int n, next, failed;  // items; the next one; the first that failed, n: none
  int share;            // processors for each thread
  mw_item_fn fn;
  void *ctx;
  mw_code rc;  // of the one that failed
  mw_error e;
  pthread_mutex_t lock;  // of next, failed, rc, e
} crew;

// The next item there is to do, -1: none. Items behind one that failed are left out.
static int next_item(crew *z)
{
  pthread_mutex_lock(&z->lock);
  int i = z->next < z->n && z->next < z->failed ? z->next++ : -1;
  pthread_mutex_unlock(&z->lock);
  return i;
}

static void *serve(void *p)
{
  crew *z = p;
  int before = share;
  share = z->share;
  for (int i = next_item(z); i >= 0; i = next_item(z)) {
    mw_error e = { 0 };
    mw_code rc = z->fn(z->ctx, i, &e);
    if (rc == MW_OK) continue;
    pthread_mutex_lock(&z->lock);
    if (i < z->failed) {
      z->failed = i;
      z->rc = rc;
      z->e = e;
    }
    pthread_mutex_unlock(&z->lock);
  }
  share = before;
  return NULL;
}

mw_code mw_parallel(const mw_work *w, int n, mw_item_fn fn, void *ctx, mw_error *err)
{
  crew z = { .n = n, .failed = n, .fn = fn, .ctx = ctx, .rc = MW_OK };
  int given = share > 0 ? share : mw_work_threads(w), most = n < given ? n : given, n_thread = 0;
  z.share = most > 0 ? given / most : given;
  pthread_t *thread = most > 1 ? malloc((size_t)most * sizeof *thread) : NULL;
  if (pthread_mutex_init(&z.lock, NULL) != 0) {
    free(thread);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a lock");
  }
  // with fewer threads than that, or none, this one does the rest
  while (thread && n_thread < most - 1 && pthread_create(&thread[n_thread], NULL, serve, &z) == 0)
    n_thread++;
  (void)serve(&z);
  for (int i = 0; i < n_thread; i++) pthread_join(thread[i], NULL);
  pthread_mutex_destroy(&z.lock);
  free(thread);
  if (z.rc != MW_OK && err) *err = z.e;
  return z.rc;
}

// ---- points in blocks ---------------------------------------------------------------------------

enum { BLOCK = 16 };

typedef struct blocks {
  const mw_points *p;
  int size;              // points of a block
  double done;           // steps of progress
  pthread_mutex_t lock;  // of done
} blocks;

static mw_code one_block(void *ctx, int i, mw_error *err)
{
  blocks *z = ctx;
  const mw_points *p = z->p;
  int from = z->size * i, to = from + z->size < p->n ? from + z->size : p->n;
  mw_code rc = p->fn(p->ctx, from, to, err);
  pthread_mutex_lock(&z->lock);
  z->done += to - from;
  mw_progress_step(p->progress, z->done);
  pthread_mutex_unlock(&z->lock);
  return rc;
}

mw_code mw_parallel_points(const mw_work *w, const mw_points *p, mw_error *err)
{
  blocks z = { .p = p, .size = p->block > 0 ? p->block : BLOCK, .done = p->before };
  if (pthread_mutex_init(&z.lock, NULL) != 0)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a lock");
  mw_code rc = mw_parallel(w, (p->n + z.size - 1) / z.size, one_block, &z, err);
  pthread_mutex_destroy(&z.lock);
  return rc;
}
