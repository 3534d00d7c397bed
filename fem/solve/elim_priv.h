// SPDX-License-Identifier: BSD-3-Clause
// elim_priv.h: from the order of elimination to the plan of blocks.
#ifndef MW_FEM_ELIM_PRIV_H
#define MW_FEM_ELIM_PRIV_H

#include "fem/elim.h"

typedef struct mw_elim_list {
  int n, cap;
  int *v;
} mw_elim_list;

// Appends x unless it is there; false: out of memory.
MW_MUST_USE bool mw_elim_push(mw_elim_list *l, int x);

typedef struct mw_elim_order {
  const int *sequence;          // [n_node]  nodes as they go
  const unsigned char *check;   // [n_node]  in that order: rows that close a loop
  const unsigned char *light;   // [n_node]  in that order: a body whose block is still diagonal
  mw_elim_list *next;           // [n_node]  in that order: nodes that follow; are sorted here
  const mw_elim_list *rows_of;  // [n_body]  nodes of rows that touch it
} mw_elim_order;

// ---- elim_plan.c --------------------------------------------------------------------------------

// e: n_node, n_body, size, n_group and group's pivots and `above` are set.
MW_MUST_USE mw_code mw_elim_plan(const mw_elim_graph *g, const mw_elim_order *o, mw_arena *mem,
                                 mw_elim *e, mw_error *err);

#endif
