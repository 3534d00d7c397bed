// SPDX-License-Identifier: BSD-3-Clause
// tree_graph.h: graphs of bodies and joints of five rows (ladders: four), how they are cut and
// eliminated, and how long that would take many cores.
#ifndef MW_TESTS_BENCH_TREE_GRAPH_H
#define MW_TESTS_BENCH_TREE_GRAPH_H

#include <stdbool.h>

#include "fem/elim.h"

typedef enum tree_kind { TREE_CHAIN, TREE_BINARY, TREE_LADDER, TREE_N_KIND } tree_kind;

extern const char *const tree_name[TREE_N_KIND];

typedef struct tree_plan {
  int n_body, n_rows;
  const int *ptr, *size;  // of the graph
  mw_elim e;
  mw_arena mem;
} tree_plan;

// A graph of about n bodies, cut into parts of at most `most` joints and bodies (0: one part), and
// the order and blocks of its elimination. Released by tree_plan_free. false: said why on stderr.
bool tree_plan_make(tree_kind kind, int n, int most, tree_plan *out);
void tree_plan_free(tree_plan *p);

// Pivots that wait for each other, as many as do at most; −1: out of memory.
int tree_path(const tree_plan *p);

// What a pivot takes one core: up, with its updates and a right-hand side; back down.
typedef struct tree_cost {
  double up, update, down, next;  // s a pivot, s an update; s a pivot, s a node coupled to it
  double misfit;                  // largest part of a measured time that this model errs by
} tree_cost;

// Measured on the graphs of about n bodies, cut and uncut: least squares.
bool tree_cost_measure(int n, tree_cost *out);

// Time of one elimination and solution by so many cores that hand pivots over at no cost, those on
// the longest path first, s; NaN: out of memory.
double tree_time(const tree_plan *p, const tree_cost *c, int cores);

#endif
