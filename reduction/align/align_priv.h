// SPDX-License-Identifier: BSD-3-Clause
// align_priv.h: the grid's edges, the comb and the tracked modes, shared by the steps of the
// alignment.
#ifndef MW_REDUCTION_ALIGN_PRIV_H
#define MW_REDUCTION_ALIGN_PRIV_H

#include "reduction/align.h"

typedef struct mw_align_edge {
  int a, b;   // grid points, b one step further; of a cyclic axis also its last and its first point
  double *O;  // [k × k]
} mw_align_edge;

typedef struct mw_align_work {
  const mw_align_in *in;
  int n_point, n_edge;
  int stride[MW_ALIGN_MAX_S];  // from a point to the next one along an axis
  int root[MW_ALIGN_MAX_S];    // index where the comb starts
  mw_align_edge *edge;
  int *edge_of;  // [n_point × s]  edge to the next point along an axis, −1: none
  // The comb: order [n_point] with parents first; those whose axes from i + 1 on stand at their
  // roots are the first n_order[i] of them.
  int *order, n_order[MW_ALIGN_MAX_S];
  int *parent, *parent_edge;  // [n_point]  −1 at the root
  int *perm;                  // [n_point × k]  tracked mode → mode of the point
  double *link;               // [(k+1) × (k+1)]  k: outside
  char *wanted;               // [k]
  int *label;                 // [k+1]
  mw_arena mem;
} mw_align_work;

// What stands between a point and its parent: O[i * of_parent + j * of_child], i mode of the
// parent, j of the child.
typedef struct mw_align_step {
  const double *O;
  int of_parent, of_child;
} mw_align_step;
mw_align_step mw_align_to_parent(const mw_align_work *w, int g);

// transport.c: columns of one cluster carried along the comb, and turned back along cyclic axes.
// mode [n_c] tracked modes, col [n_c] their columns of out->Q. MW_ERR_NUMERIC: the cluster changes
// its sign around a cyclic axis.
MW_MUST_USE mw_code mw_align_carry(const mw_align_work *w, int n_c, const int *mode, const int *col,
                                   mw_align *out, mw_error *err);

// span.c: instead of single modes a span that holds the n_want lowest everywhere, as one cluster;
// out->span is false, and out as it was, where none is found that turns by less than 45 degrees
// along each edge, or where an axis is cyclic.
MW_MUST_USE mw_code mw_align_span(mw_align_work *w, mw_arena *mem, mw_align *out, mw_error *err);

#endif
