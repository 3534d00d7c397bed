// SPDX-License-Identifier: BSD-3-Clause
// tree_graph.c: see tree_graph.h.
#include "tree_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"

// Rows of a ladder: five would be more than its bodies have freedoms.
enum { LD = MW_ELIM_LD, BODY = 6, JOINT = 5, LADDER_JOINT = 4 };

const char *const tree_name[TREE_N_KIND] = { "chain", "tree", "ladder" };

// ---- graphs -------------------------------------------------------------------------------------

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

static void join_all(graph *g, tree_kind kind)
{
  for (int i = 0; kind != TREE_LADDER && i < g->n; i++)
    join(g, kind == TREE_CHAIN ? i - 1 : i == 0 ? -1 : (i - 1) / 2, i);
  for (int i = 0; kind == TREE_LADDER && i + 2 < g->n; i += 3) {  // two stiles and a rung
    for (int k = 0; k < 2; k++) join(g, i == 0 ? -1 : i + k - 3, i + k);
    for (int k = 0; k < 2; k++) join(g, i + k, i + 2);
  }
}

bool tree_plan_make(tree_kind kind, int n, int most, tree_plan *out)
{
  mw_error err = { 0 };
  mw_elim_tree tree;
  *out = (tree_plan){ 0 };
  size_t rows = 2 * (size_t)n, all = rows + (size_t)n;
  graph g = { .n = kind == TREE_LADDER ? n - n % 3 : n,
              .size = mw_arena_int(&out->mem, all),
              .ptr = mw_arena_int(&out->mem, rows + 1),
              .touch = mw_arena_int(&out->mem, 2 * rows),
              .ground = mw_arena_alloc(&out->mem, rows, 1),
              .full = mw_arena_alloc(&out->mem, rows, 1),
              .soft = mw_arena_alloc(&out->mem, rows, 1) };
  mw_code rc = mw_arena_check(&out->mem, &err);
  if (rc == MW_OK) {
    join_all(&g, kind);
    for (int i = 0; i < g.n + g.rows; i++)
      g.size[i] = i < g.n ? BODY : kind == TREE_LADDER ? LADDER_JOINT : JOINT;
    mw_elim_graph v = { .n_body = g.n,
                        .n_rows = g.rows,
                        .size = g.size,
                        .ptr = g.ptr,
                        .touch = g.touch,
                        .ground = g.ground,
                        .full = g.full,
                        .soft = g.soft };
    if (most > 0) rc = mw_elim_dissect(&v, most, &out->mem, &tree, &err);
    if (most > 0) v.tree = &tree;
    if (rc == MW_OK) rc = mw_elim_build(&v, &out->mem, &out->e, &err);
  }
  out->n_body = g.n;
  out->n_rows = g.rows;
  out->ptr = g.ptr;
  out->size = g.size;
  if (rc != MW_OK) tree_plan_free(out);
  return mw_fixture_okay(rc, &err);
}

void tree_plan_free(tree_plan *p)
{
  mw_arena_free(&p->mem);
  *p = (tree_plan){ 0 };
}

// ---- paths --------------------------------------------------------------------------------------

// The pivot that waits for pivot s last, −1: none does.
static int above(const mw_elim *e, int s)
{
  const mw_elim_pivot *p = &e->pivot[s];
  return p->n_next == 0 ? -1 : e->place[e->next[p->next0]];
}

int tree_path(const tree_plan *p)
{
  const mw_elim *e = &p->e;
  int most = 0, *wait = calloc((size_t)e->n_node + 1, sizeof *wait);
  if (!wait) return -1;
  for (int s = 0; s < e->n_node; s++) {
    int up = above(e, s);
    wait[s]++;
    if (wait[s] > most) most = wait[s];
    if (up >= 0 && wait[s] > wait[up]) wait[up] = wait[s];
  }
  free(wait);
  return most;
}

// ---- measured costs -----------------------------------------------------------------------------

static double cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct numbers {
  mw_elim_num num;
  double *diag, *inverse, *x;  // [n_node × 8]
} numbers;

// Arbitrary rows: entries of C between −1 and 1.
static void fill(const tree_plan *p, numbers *z)
{
  const mw_elim *e = &p->e;
  unsigned seed = 1;
  for (int k = 0; k < p->n_rows; k++)
    for (int i = p->ptr[k]; i < p->ptr[k + 1]; i++) {
      int rows = p->size[p->n_body + k];
      int m = e->across[i] ? rows : BODY, n = e->across[i] ? BODY : rows;
      for (int r = 0; r < m; r++)
        for (int c = 0; c < LD; c++) {
          seed = seed * 1664525u + 1013904223u;
          z->num.val[e->couple[i] + (size_t)(r * LD + c)] =
              c < n ? (seed >> 8) * 0x1p-23 - 1.0 : 0.0;
        }
    }
  for (int i = 0; i < e->n_node * LD; i++) z->x[i] = 1.0;
}

// Least times of some eliminations and solutions, s.
static bool time_plan(tree_plan *p, double *up, double *down)
{
  enum { ROUNDS = 7 };
  mw_error err = { 0 };
  size_t n = (size_t)p->e.n_node * LD;
  numbers z = { mw_elim_num_init(&p->e, &p->mem), mw_arena_f64(&p->mem, n),
                mw_arena_f64(&p->mem, n), mw_arena_f64(&p->mem, n) };
  mw_code rc = mw_arena_check(&p->mem, &err);
  if (rc != MW_OK) return mw_fixture_okay(rc, &err);
  for (size_t i = 0; i < n; i++) z.diag[i] = z.inverse[i] = 1.0;
  const mw_elim_task task = {
    .diag = z.diag, .inverse = z.inverse, .drop = 1e-9, .x = z.x, .hard = true
  };
  *up = *down = INFINITY;
  for (int k = 0; rc == MW_OK && k < ROUNDS; k++) {
    fill(p, &z);
    double t0 = cpu();
    rc = mw_elim_factor(&p->e, &z.num, &task);
    double t1 = cpu();
    if (rc == MW_OK) mw_elim_backward(&p->e, &z.num, z.x, NULL);
    *up = fmin(*up, t1 - t0);
    *down = fmin(*down, cpu() - t1);
  }
  if (rc != MW_OK) fprintf(stderr, "a pivot of arbitrary rows is not positive\n");
  return rc == MW_OK;
}

static int n_update(const mw_elim_pivot *p) { return p->n_next * (p->n_next + 1) / 2; }

// a, b of  t ≈ a x + b y  over n measurements, relative errors squared least; the largest of them.
static double fit(int n, const double *x, const double *y, const double *t, double *a, double *b)
{
  double xx = 0.0, xy = 0.0, yy = 0.0, xt = 0.0, yt = 0.0, worst = 0.0;
  for (int i = 0; i < n; i++) {
    double u = x[i] / t[i], v = y[i] / t[i];
    xx += u * u;
    xy += u * v;
    yy += v * v;
    xt += u;
    yt += v;
  }
  double det = xx * yy - xy * xy;
  *a = (xt * yy - yt * xy) / det;
  *b = (yt * xx - xt * xy) / det;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(*a * x[i] + *b * y[i] - t[i]) / t[i]);
  return worst;
}

bool tree_cost_measure(int n, tree_cost *out)
{
  enum { CUTS = 3, N = CUTS * TREE_N_KIND };
  const int most[CUTS] = { 0, n / 16 + 1, 1 };
  double pivots[N] = { 0.0 }, updates[N] = { 0.0 }, nexts[N] = { 0.0 }, up[N], down[N];
  for (int i = 0; i < N; i++) {
    tree_plan p;
    if (!tree_plan_make((tree_kind)(i / CUTS), n, most[i % CUTS], &p)) return false;
    bool fine = time_plan(&p, &up[i], &down[i]);
    for (int s = 0; s < p.e.n_node; s++) {
      pivots[i] += 1.0;
      updates[i] += n_update(&p.e.pivot[s]);
      nexts[i] += p.e.pivot[s].n_next;
    }
    tree_plan_free(&p);
    if (!fine) return false;
  }
  double a = fit(N, pivots, updates, up, &out->up, &out->update);
  double b = fit(N, pivots, nexts, down, &out->down, &out->next);
  out->misfit = fmax(a, b);
  return true;
}

// ---- many cores ---------------------------------------------------------------------------------

typedef struct entry {
  double key;
  int item;
} entry;

typedef struct heap {  // the least key on top
  int n;
  entry *v;
} heap;

static void heap_put(heap *h, double key, int item)
{
  int i = h->n++;
  for (; i > 0 && key < h->v[(i - 1) / 2].key; i = (i - 1) / 2) h->v[i] = h->v[(i - 1) / 2];
  h->v[i] = (entry){ key, item };
}

static entry heap_take(heap *h)
{
  entry top = h->v[0], x = h->v[--h->n];
  int i = 0;
  for (int k = 1; k < h->n; k = 2 * i + 1) {
    if (k + 1 < h->n && h->v[k + 1].key < h->v[k].key) k++;
    if (h->v[k].key >= x.key) break;
    h->v[i] = h->v[k];
    i = k;
  }
  h->v[i] = x;
  return top;
}

// When the last of the items is done. Down is up backwards: the same times, cost by cost.
static double span(const mw_elim *e, const double *cost, int cores)
{
  size_t n = (size_t)e->n_node + 1;
  double *left = calloc(n, sizeof *left), t = 0.0;  // from an item to the end of its path
  int *waits = calloc(n, sizeof *waits);
  heap ready = { 0, calloc(n, sizeof *ready.v) }, busy = { 0, calloc(n, sizeof *busy.v) };
  bool fine = left && waits && ready.v && busy.v;
  for (int s = e->n_node - 1; fine && s >= 0; s--) {
    int up = above(e, s);
    left[s] = cost[s] + (up < 0 ? 0.0 : left[up]);
    if (up >= 0) waits[up]++;
  }
  for (int s = 0; fine && s < e->n_node; s++)
    if (waits[s] == 0) heap_put(&ready, -left[s], s);
  while (fine && ready.n + busy.n > 0) {
    while (ready.n > 0 && busy.n < cores) {
      int s = heap_take(&ready).item;
      heap_put(&busy, t + cost[s], s);
    }
    entry done = heap_take(&busy);
    int up = above(e, done.item);
    t = done.key;
    if (up >= 0 && --waits[up] == 0) heap_put(&ready, -left[up], up);
  }
  free(left);
  free(waits);
  free(ready.v);
  free(busy.v);
  return fine ? t : NAN;
}

double tree_time(const tree_plan *p, const tree_cost *c, int cores)
{
  const mw_elim *e = &p->e;
  double *cost = calloc((size_t)e->n_node + 1, sizeof *cost), t;
  if (!cost) return NAN;
  for (int s = 0; s < e->n_node; s++) cost[s] = c->up + c->update * n_update(&e->pivot[s]);
  t = span(e, cost, cores);
  for (int s = 0; s < e->n_node; s++) cost[s] = c->down + c->next * e->pivot[s].n_next;
  t += span(e, cost, cores);
  free(cost);
  return t;
}
