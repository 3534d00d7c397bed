// SPDX-License-Identifier: BSD-3-Clause
// thread_team.c: see thread_team.h. Messages lie in a list until they are taken; what is sent is
// read where it lies, so that a sender that touches it too early is found by what arrives.
#include "thread_team.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };  // messages on their way

typedef struct message {
  int from, to, tag;
  const double *x;
  size_t n;
} message;

typedef struct post {
  pthread_mutex_t lock;
  pthread_cond_t news;
  int n_rank, n;
  message m[MOST];
  int asked, round;  // ranks that have come to most(), its rounds so far
  double largest, found;
  void (*fn)(const mw_team *team, void *ctx);
  void *ctx;
} post;

typedef struct member {
  post *p;
  int rank;
} member;

static void send(void *ctx, int to, int tag, const double *x, size_t n)
{
  member *k = ctx;
  pthread_mutex_lock(&k->p->lock);
  if (k->p->n == MOST) abort();
  k->p->m[k->p->n++] = (message){ k->rank, to, tag, x, n };
  pthread_cond_broadcast(&k->p->news);
  pthread_mutex_unlock(&k->p->lock);
}

static int find(const post *p, int from, int to, int tag)
{
  for (int i = 0; i < p->n; i++)
    if (p->m[i].from == from && p->m[i].to == to && p->m[i].tag == tag) return i;
  return -1;
}

static void recv(void *ctx, int from, int tag, double *x, size_t n)
{
  member *k = ctx;
  post *p = k->p;
  int i;
  pthread_mutex_lock(&p->lock);
  while ((i = find(p, from, k->rank, tag)) < 0) pthread_cond_wait(&p->news, &p->lock);
  if (p->m[i].n != n) abort();
  memcpy(x, p->m[i].x, n * sizeof *x);
  p->n--;  // those behind it stay in order: two of a pair may have the same tag
  memmove(&p->m[i], &p->m[i + 1], (size_t)(p->n - i) * sizeof *p->m);
  pthread_cond_broadcast(&p->news);
  pthread_mutex_unlock(&p->lock);
}

static void settle(void *ctx)
{
  member *k = ctx;
  post *p = k->p;
  pthread_mutex_lock(&p->lock);
  for (int i = 0; i < p->n;)
    if (p->m[i++].from == k->rank) {
      pthread_cond_wait(&p->news, &p->lock);
      i = 0;
    }
  pthread_mutex_unlock(&p->lock);
}

static double most(void *ctx, double x)
{
  member *k = ctx;
  post *p = k->p;
  pthread_mutex_lock(&p->lock);
  int round = p->round;
  p->largest = p->asked == 0 ? x : fmax(p->largest, x);
  if (++p->asked == p->n_rank) {
    p->found = p->largest;
    p->asked = 0;
    p->round++;
    pthread_cond_broadcast(&p->news);
  }
  while (p->round == round) pthread_cond_wait(&p->news, &p->lock);
  double found = p->found;
  pthread_mutex_unlock(&p->lock);
  return found;
}

static void *be(void *ctx)
{
  member *k = ctx;
  const mw_team team = { k->p->n_rank, k->rank, k, send, recv, settle, most };
  k->p->fn(&team, k->p->ctx);
  return NULL;
}

bool thread_team_run(int n, void (*fn)(const mw_team *team, void *ctx), void *ctx)
{
  post *p = calloc(1, sizeof *p);
  member *k = calloc((size_t)n, sizeof *k);
  pthread_t *thread = calloc((size_t)n, sizeof *thread);
  bool fine = p && k && thread;
  if (fine) {
    *p = (post){ .n_rank = n, .fn = fn, .ctx = ctx };
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->news, NULL);
  }
  // with some of them alone all would wait
  for (int i = 0; fine && i < n; i++) {
    k[i] = (member){ p, i };
    if (pthread_create(&thread[i], NULL, be, &k[i]) != 0) abort();
  }
  for (int i = 0; fine && i < n; i++) pthread_join(thread[i], NULL);
  free(p);
  free(k);
  free(thread);
  return fine;
}
