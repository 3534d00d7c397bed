// SPDX-License-Identifier: BSD-3-Clause
// bench_operations.c: operations of the elimination of a rigid mechanism, by formula and by
// symbolic elimination; formulas in bench_operations_layer.h.
#include "bench_operations_layer.h"

#include <math.h>
#include <string.h>

// One node of m unknowns, N of nodes behind it coupled with it. O(m)
static void add_node(int m, double N, bool diagonal, mw_elim_count *out)
{
  for (int r = 0; r < m; r++) {
    double c = N + (diagonal ? 0.0 : m - 1.0 - r);
    out->factor += (c + 1.0) * (c + 1.0);
    out->solve += 4.0 * c + 1.0;
  }
}

void mw_count_elimination(const mw_rigid_structure *s, mw_elim_count *out)
{
  *out = (mw_elim_count){ 0 };
  for (int k = 0, b = 0; k < s->n; k++) {
    double N = 0.0;
    bool first = true;
    for (; b < s->n_block && s->block[b].col == k; b++) N += s->size[s->block[b].row];
    for (int i = 0; i < s->n_block && s->block[i].col < k; i++) first &= s->block[i].row != k;
    add_node(s->size[k], N, first && !s->rows[k], out);
  }
}

// ---- symbolic -----------------------------------------------------------------------------------

typedef struct graph {
  int n;
  int *size, *at;       // [n]  at: of a node of the structure, its place here
  bool *rows;           // [n]
  unsigned char *near;  // [n × n]
} graph;

// Nodes in their order, with natural coordinates each body's 6 rows behind it.
static void nodes(const mw_rigid_structure *s, bool natural, graph *g)
{
  for (int k = 0; k < s->n; k++) {
    bool body = !s->rows[k] && s->size[k] == 6;
    g->at[k] = g->n;
    g->rows[g->n] = s->rows[k];
    g->size[g->n++] = natural && body ? 12 : s->size[k];
    if (!natural || !body) continue;
    g->rows[g->n] = true;
    g->size[g->n++] = 6;
  }
}

static void couple(graph *g, int i, int j) { g->near[i * g->n + j] = g->near[j * g->n + i] = 1; }

static void edges(const mw_rigid_structure *s, graph *g)
{
  for (int k = 0; k < s->n; k++)
    if (g->size[g->at[k]] == 12) couple(g, g->at[k], g->at[k] + 1);
  for (int b = 0; b < s->n_block; b++)
    if (!s->block[b].fill) couple(g, g->at[s->block[b].row], g->at[s->block[b].col]);
}

static void eliminate(graph *g, int *behind, mw_elim_count *out)
{
  for (int k = 0; k < g->n; k++) {
    int n = 0;
    bool first = !g->rows[k];
    double N = 0.0;
    for (int i = 0; i < k; i++) first &= !g->near[k * g->n + i];
    for (int i = k + 1; i < g->n; i++) {
      if (!g->near[k * g->n + i]) continue;
      behind[n++] = i;
      N += g->size[i];
    }
    add_node(g->size[k], N, first, out);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) couple(g, behind[i], behind[j]);
  }
}

mw_code mw_count_symbolic(const mw_rigid_structure *s, bool natural, mw_elim_count *out,
                          mw_error *err)
{
  size_t most = 2 * (size_t)s->n;
  mw_arena mem = { 0 };
  graph g = { .size = mw_arena_int(&mem, most),
              .at = mw_arena_int(&mem, most),
              .rows = mw_arena_alloc(&mem, most, sizeof *g.rows) };
  int *behind = mw_arena_int(&mem, most);
  *out = (mw_elim_count){ 0 };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) nodes(s, natural, &g);
  if (rc == MW_OK && g.n > MW_COUNT_NODES) {
    *out = (mw_elim_count){ NAN, NAN };
  } else if (rc == MW_OK) {
    g.near = mw_arena_alloc(&mem, (size_t)g.n * (size_t)g.n, 1);
    rc = mw_arena_check(&mem, err);
    if (rc == MW_OK) edges(s, &g);
    if (rc == MW_OK) eliminate(&g, behind, out);
  }
  mw_arena_free(&mem);
  return rc;
}
