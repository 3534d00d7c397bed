// SPDX-License-Identifier: BSD-3-Clause
// elim.h: block elimination of  [ B  Cᵀ ; C  −R − F ]  over the graph of bodies and rows.
//
// B holds one small positive definite block a body, R ≥ 0 a diagonal (zero: constraint rows,
// positive: rows with a stiffness), C one block for each body a node of rows touches. Large bodies
// (meshes) enter by their interface: of size 0, eliminated by the caller, who writes what they
// leave, F = C S⁻¹ Cᵀ, into the blocks between the nodes that touch them. The order is fixed once:
// bodies and rows alternate from the leaves, so that a tree has no fill and loops have fill along
// themselves only: O(N) at a fixed number of loops.
#ifndef MW_FEM_ELIM_H
#define MW_FEM_ELIM_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"

MW_API_BEGIN

enum { MW_ELIM_LD = 8 };  // most unknowns of a node, and the length of its part of every vector

// Nodes 0 … n_body − 1 are bodies, the others rows; node n_body + k touches the bodies
// touch[ptr[k]] … touch[ptr[k+1] − 1].
typedef struct mw_elim_graph {
  int n_body, n_rows;
  const int *size;  // [n_body + n_rows]  unknowns of each node, 1 to MW_ELIM_LD; bodies: or 0
  const int *ptr, *touch;       // [n_rows + 1], [ptr[n_rows]]
  const unsigned char *ground;  // [n_rows]  touches what does not move, too
  const unsigned char *full;    // [n_rows]  of full rank on each of its bodies alone
  const unsigned char *soft;    // [n_rows]  R > 0
  const unsigned char *held;    // [n_body]  of size 0: fixed to the ground; NULL: none is
} mw_elim_graph;

typedef struct mw_elim_pivot {
  size_t diag;  // [size × 8] in the values
  int node;
  int next0, up0;  // first entries in next, block and in update
  int n_next;      // nodes coupled to it that follow
  unsigned char size;
  signed char sign;  // 1: body, −1: rows
  bool plain;        // a body whose block is still diagonal
  bool bare;         // receives nothing: its block is zeroed
  bool check;        // rows that close a loop: they may turn out redundant
} mw_elim_pivot;

typedef struct mw_elim_update {
  unsigned to, xj;   // block that receives ∓ Xiᵀ D⁻¹ Xj, and Xj: offsets in eights
  int scale;         // node whose scale sums the diagonal of what is added, −1
  short n;           // rows of the receiving block
  signed char sign;  // 1 or −1
  bool first;        // nothing was there before
} mw_elim_update;

typedef struct mw_elim {
  int n_node, n_body;
  const int *size;       // [n_node]
  mw_elim_pivot *pivot;  // [n_node]  in the order of elimination
  int *next;             // nodes
  size_t *block;         // their blocks [size of the pivot × 8]
  mw_elim_update *update;
  int *place;             // [n_node]  of a node in the order
  size_t *diag;           // [n_node]  where a node's own block lies
  size_t *couple;         // [ptr[n_rows]]  where C's blocks lie
  unsigned char *across;  // [ptr[n_rows]]  1: as C ([rows × bodies]), 0: as Cᵀ
  size_t n_val;           // doubles of all blocks
} mw_elim;

// Numbers of one factorization.
typedef struct mw_elim_num {
  double *val;  // [n_val]         blocks; before mw_elim_factor B, C, R as described there
  const double *inverse;  // [n_node × 8]  of plain bodies, as handed to mw_elim_factor (borrowed)
  double *inv;            // [n_node × 8]    inverse pivots, 0: dropped row
  double *scale;          // [n_node × 8]    what the pivots of checked rows were summed from
  unsigned char *order;   // [n_node × 8]  in which order a checked node's rows were eliminated
  double *y;              // [n_node × 8]    scratch of solves
  int n_dropped;
  int failed;  // node whose pivot is not positive, −1
} mw_elim_num;

// Order, fill and plan. Borrows g->size.
MW_MUST_USE mw_code mw_elim_build(const mw_elim_graph *g, mw_arena *mem, mw_elim *out,
                                  mw_error *err);
// Where the block between nodes a and b, coupled by a body of size 0, lies in the values: [size of
// the one that goes first × 8]. *swapped: b goes first.
size_t mw_elim_between(const mw_elim *e, int a, int b, bool *swapped);
mw_elim_num mw_elim_num_init(const mw_elim *e, mw_arena *mem);

// Factors the pivots first … last − 1 (all: 0, n_node), C's blocks written before (couple, across);
// those in which a plain body couples with rows are not changed. Of nodes that touch bodies of size
// 0 these are written, too: F in full at diag, its diagonal in n->scale, and −F between two nodes
// (mw_elim_between). diag [n_node × 8]: B's diagonal of
// bodies, R's of rows. Bodies that stay plain use 1/diag from inverse [n_node × 8]. Of checked rows
// the one with the largest pivot (of the sum it was made of) goes first; one whose pivot is below
// `drop` of that sum is redundant: it is left out, its unknown will be zero. With any_sign F need
// not be positive: pivots below zero are taken as they are, none is left out.
// x and x2 (NULL: none) are carried along: mw_elim_backward then makes the solutions of them.
// MW_ERR_NUMERIC without a text: n->failed names the node.
typedef struct mw_elim_task {
  const double *diag, *inverse;
  double drop, *x, *x2;
  int first, last;
  bool hard;  // R = 0: diag is read for bodies alone
  bool any_sign;
} mw_elim_task;
MW_MUST_USE mw_code mw_elim_factor(const mw_elim *e, mw_elim_num *n, const mw_elim_task *task);
void mw_elim_backward(const mw_elim *e, const mw_elim_num *n, double *x, double *x2);
// x := solution for the right-hand side x, [n_node × 8]
void mw_elim_solve(const mw_elim *e, const mw_elim_num *n, double *x);

MW_API_END

#endif
