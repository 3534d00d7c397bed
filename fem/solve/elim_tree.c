// SPDX-License-Identifier: BSD-3-Clause
// elim_tree.c: groups of bodies and rows for an elimination in a tree: those of assemblies, and
// those of the graph cut in halves.
//
// What is cut is what is left once bodies that not very many rows touch are gone, each a clique of
// its rows: joints, and the other bodies. Separators are nodes of that graph: joints, which may go
// as soon as the parts are gone, whereas a body as a separator holds up its joints. A body that is
// gone belongs to the lowest of its rows' groups (they are neighbours, hence above each other).
// [Karypis1998] Karypis, Kumar, A fast and high quality multilevel scheme for partitioning
// irregular graphs, SIAM J. Sci. Comput. 20 (1998) 359-392, called by CHOLMOD's nested dissection.
#include <cholmod.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fem/elim.h"

enum { LIGHT = 64 };  // rows of a body that is gone: its clique has a square of joints

// ---- assemblies ---------------------------------------------------------------------------------

// The lowest group that is above, or is, both.
static int meet(const int *above, int a, int b)
{
  while (a != b)
    if (a < b)
      a = above[a];
    else
      b = above[b];
  return a;
}

mw_code mw_elim_tree_of(const mw_elim_graph *g, int n_group, const int *above, const int *of,
                        mw_arena *mem, mw_elim_tree *out, mw_error *err)
{
  int *up = mw_arena_int(mem, (size_t)n_group),
      *to = mw_arena_int(mem, (size_t)(g->n_body + g->n_rows));
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(up, above, (size_t)n_group * sizeof *up);
  memcpy(to, of, (size_t)g->n_body * sizeof *to);
  for (int k = 0; k < g->n_rows; k++) {
    int low = -1, all = -1;
    for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++) {
      int c = of[g->touch[i]];
      all = all < 0 ? c : meet(up, all, c);
      low = low < 0 || c < low ? c : low;
    }
    // all of them above each other: the lowest; rows of nothing: the last group
    bool chain = true;
    for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++)
      chain = chain && meet(up, low, of[g->touch[i]]) == of[g->touch[i]];
    to[g->n_body + k] = low < 0 ? n_group - 1 : chain ? low : all;
  }
  *out = (mw_elim_tree){ .n_group = n_group, .above = up, .of = to };
  return MW_OK;
}

// ---- dissection ---------------------------------------------------------------------------------

typedef struct cut {
  const mw_elim_graph *g;
  int n;           // nodes of the graph that is cut
  int *vertex;     // [n_body + n_rows]  of it, −1: a light body
  int *b0, *row;   // [n_body + 1], rows that touch a body
  int *p, *i;      // its lower triangle
  int *group;      // [n]
  int *up, *perm;  // [n]
  int n_group;
} cut;

static bool is_light(const cut *c, int b)
{
  int rows = 0;
  for (int i = c->b0[b]; i < c->b0[b + 1]; i++) rows += c->g->size[c->g->n_body + c->row[i]];
  return rows <= LIGHT;
}

static mw_code list_rows(cut *c, mw_arena *tmp, mw_error *err)
{
  const mw_elim_graph *g = c->g;
  size_t nb = (size_t)g->n_body, nt = (size_t)g->ptr[g->n_rows];
  c->b0 = mw_arena_int(tmp, nb + 2);
  c->row = mw_arena_int(tmp, nt);
  c->vertex = mw_arena_int(tmp, nb + (size_t)g->n_rows);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < nt; i++) c->b0[g->touch[i] + 2]++;
  for (size_t b = 1; b <= nb; b++) c->b0[b + 1] += c->b0[b];
  for (int k = 0; k < g->n_rows; k++)
    for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++) c->row[c->b0[g->touch[i] + 1]++] = k;
  for (int b = 0; b < g->n_body; b++) c->vertex[b] = is_light(c, b) ? -1 : c->n++;
  for (int k = 0; k < g->n_rows; k++) c->vertex[g->n_body + k] = c->n++;
  return MW_OK;
}

// Edges, each once, to the column of the smaller vertex: counted (i NULL) or written.
static void put_edge(const cut *c, int *at, int *i, int a, int b)
{
  if (a == b) return;
  int col = a < b ? a : b, row = a < b ? b : a;
  if (i)
    i[at[col]++] = row;
  else
    c->p[col + 1]++;
}

static void put_edges(const cut *c, int *at, int *i)
{
  const mw_elim_graph *g = c->g;
  for (int b = 0; b < g->n_body; b++)
    for (int x = c->b0[b]; x < c->b0[b + 1]; x++) {
      int vx = c->vertex[g->n_body + c->row[x]];
      if (c->vertex[b] >= 0)
        put_edge(c, at, i, c->vertex[b], vx);
      else
        for (int y = c->b0[b]; y < x; y++) put_edge(c, at, i, c->vertex[g->n_body + c->row[y]], vx);
    }
}

// Bodies that two rows share give their edge twice. seen [n] is scratch.
static void drop_doubles(cut *c, int *seen)
{
  int n = 0, from = 0;
  for (int k = 0; k < c->n; k++) seen[k] = -1;
  for (int k = 0; k < c->n; k++) {
    int to = c->p[k + 1];
    for (; from < to; from++) {
      if (seen[c->i[from]] == k) continue;
      seen[c->i[from]] = k;
      c->i[n++] = c->i[from];
    }
    c->p[k + 1] = n;
  }
}

static mw_code make_graph(cut *c, mw_arena *tmp, mw_error *err)
{
  size_t n = (size_t)c->n;
  c->p = mw_arena_int(tmp, n + 1);
  int *at = mw_arena_int(tmp, n + 1);
  c->group = mw_arena_int(tmp, n);
  c->up = mw_arena_int(tmp, n);
  c->perm = mw_arena_int(tmp, n);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  put_edges(c, NULL, NULL);
  for (size_t k = 0; k < n; k++) c->p[k + 1] += c->p[k];
  c->i = mw_arena_int(tmp, (size_t)c->p[n]);
  rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(at, c->p, n * sizeof *at);
  put_edges(c, at, c->i);
  drop_doubles(c, at);
  return MW_OK;
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;  // of METIS's random numbers

// Components of CHOLMOD's separator tree: group, up.
static mw_code dissect(cut *c, int most, mw_error *err)
{
  cholmod_common common;
  cholmod_sparse A = { .nrow = (size_t)c->n,
                       .ncol = (size_t)c->n,
                       .nzmax = (size_t)c->p[c->n],
                       .p = c->p,
                       .i = c->i,
                       .stype = -1,
                       .itype = CHOLMOD_INT,
                       .xtype = CHOLMOD_PATTERN,
                       .packed = 1 };
  if (!cholmod_start(&common)) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  common.print = 0;
  common.nmethods = 1;
  common.current = 0;
  common.method[0].nd_small = (size_t)(most > 4 ? most : 4);
  common.method[0].nd_camd = 0;
  common.method[0].nd_compress = 0;
  common.method[0].nd_components = 0;
  pthread_mutex_lock(&turn);
  SuiteSparse_long n = cholmod_nested_dissection(&A, NULL, 0, c->perm, c->up, c->group, &common);
  pthread_mutex_unlock(&turn);
  bool no_memory = common.status == CHOLMOD_OUT_OF_MEMORY;
  cholmod_finish(&common);
  if (n < 0)
    return no_memory ? mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory")
                     : mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                               "CHOLMOD cut no groups (built without METIS?)");
  c->n_group = (int)n;
  return MW_OK;
}

// Groups renumbered such that those below a group come before it.
static mw_code number_groups(cut *c, int *up, mw_arena *tmp, mw_error *err)
{
  int n = c->n_group, at = n;
  int *head = mw_arena_int(tmp, (size_t)n + 1), *next = mw_arena_int(tmp, (size_t)n + 1),
      *stack = mw_arena_int(tmp, (size_t)n + 1), *place = mw_arena_int(tmp, (size_t)n + 1), top = 0;
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < n; k++) head[k] = -1;
  for (int k = 0; k < n; k++)
    if (c->up[k] < 0) {
      stack[top++] = k;
    } else {
      next[k] = head[c->up[k]];
      head[c->up[k]] = k;
    }
  while (top > 0) {  // each before what is below it, from the last place on
    int k = stack[--top];
    place[k] = --at;
    for (int i = head[k]; i >= 0; i = next[i]) stack[top++] = i;
  }
  for (int k = 0; k < n; k++) up[place[k]] = c->up[k] < 0 ? -1 : place[c->up[k]];
  for (int v = 0; v < c->n; v++) c->group[v] = place[c->group[v]];
  return MW_OK;
}

mw_code mw_elim_dissect(const mw_elim_graph *g, int most, mw_arena *mem, mw_elim_tree *out,
                        mw_error *err)
{
  cut c = { .g = g };
  mw_arena tmp = { 0 };
  int *up = NULL, *of = mw_arena_int(mem, (size_t)(g->n_body + g->n_rows));
  mw_code rc = list_rows(&c, &tmp, err);
  if (rc == MW_OK) rc = make_graph(&c, &tmp, err);
  if (rc == MW_OK && c.n > 0) rc = dissect(&c, most, err);
  if (rc == MW_OK) {
    up = mw_arena_int(mem, (size_t)c.n_group + 1);
    rc = mw_arena_check(mem, err);
  }
  if (rc == MW_OK && c.n_group == 0) up[c.n_group++] = c.up[0] = -1;
  if (rc == MW_OK && c.n > 0) rc = number_groups(&c, up, &tmp, err);
  for (int x = 0; rc == MW_OK && x < g->n_body + g->n_rows; x++) {
    if (c.vertex[x] >= 0) {
      of[x] = c.group[c.vertex[x]];
      continue;
    }
    int low = c.n_group - 1;
    for (int i = c.b0[x]; i < c.b0[x + 1]; i++) {
      int k = c.group[c.vertex[g->n_body + c.row[i]]];
      low = k < low ? k : low;
    }
    of[x] = low;
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = (mw_elim_tree){ .n_group = c.n_group, .above = up, .of = of };
  return rc;
}
