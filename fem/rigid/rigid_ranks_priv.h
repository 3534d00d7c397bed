// SPDX-License-Identifier: BSD-3-Clause
// rigid_ranks_priv.h: what ranks share out (rigid_deal.c) and how it passes (rigid_ranks.c).
#ifndef MW_FEM_RIGID_RANKS_PRIV_H
#define MW_FEM_RIGID_RANKS_PRIV_H

#include "rigid_mech_layer.h"

enum { MW_RANKS_A = 12 };  // doubles of an acceleration

typedef struct mw_ranks_edge {  // between a group and the one above it, which are of two ranks
  int group, rank;              // the one below; the other rank
  bool up;                      // the group is of this rank: it sends upward
  int beside;                   // the next one below the same group, −1: none
  double *D, *x;                // [n_d], [2 n_x]  what goes up, what comes back
  size_t n_d, n_x;              // n_x: of one right-hand side
} mw_ranks_edge;

typedef struct mw_ranks_halo {  // accelerations between this rank and another
  int rank, n;
  bool out;   // from here
  int *body;  // [n]
  double *a;  // [n × 12]
} mw_ranks_halo;

struct mw_rigid_ranks {
  mw_team team;
  bool whole;  // each rank holds the whole state, and gets all of a solution
  bool alone;  // whole: accelerations are each rank's own for now
  int *owner;  // [n_group]
  int *edge;   // [n_group]  of a group of this rank: to the one above it, −1: that is here, too
  int *below;  // [n_group]  the first of those to groups below it that are elsewhere, −1
  int n_edge, n_halo, n_node, n_body;
  mw_ranks_edge *e;
  mw_ranks_halo *h;
  int *node, *body;     // [n_node], [n_body]  what is evaluated before the groups
  unsigned char *here;  // [bodies]
  unsigned char *row;   // [n_hard]  rows that this rank evaluates
  // whole: nodes of the elimination by their ranks, doubles of their part of a solution and of what
  // is said of rows besides; messages
  int *share, *share0;      // [elimination nodes], [team.n + 1]
  size_t *n_value, *n_row;  // [team.n]
  double *out, *in;
};

#endif
