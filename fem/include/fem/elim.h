// SPDX-License-Identifier: BSD-3-Clause
// elim.h: block elimination of  [ B  Cᵀ ; C  −R − F ]  over the graph of bodies and rows.
//
// B holds one small positive definite block a body, R ≥ 0 a diagonal (zero: constraint rows,
// positive: rows with a stiffness), C one block for each body a node of rows touches. Large bodies
// (meshes) enter by their interface: of size 0, eliminated by the caller, who writes what they
// leave, F = C S⁻¹ Cᵀ, into the blocks between the nodes that touch them. The order is fixed once:
// bodies whose block is diagonal and that few rows touch go first, which couples the rows on both
// of their sides (a chain of such bodies has a block of fill a body); all others and the rows
// alternate from the leaves, without fill on a tree, with fill along themselves in loops. O(N) at a
// fixed number of loops.
//
// Nodes may stand in groups (assemblies) that form a tree: a group eliminates what is its own and
// hands the group above the block D between the nodes it borders on, and the right-hand side R
// there,
//
//   D = Σ C A⁻¹ Cᵀ ,  R = b − Σ C A⁻¹ f        A: the group's own system, those below it included
//
// so that the border obeys D Q + R = a, Q the forces that act in it from outside; going back, each
// group takes the border's solution from above (Kasper, Vlasenko: Component Based Virtual Models of
// Mechanical Parts of Mechatronic Systems, sections 3.1 to 3.3; with the right-hand sides of
// positions and velocities 4.1 to 4.3). Groups that are not above each other share nothing they
// write: they may be worked off at once, and the numbers depend on the tree alone.
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
  // groups of nodes, NULL: one of all; with groups no body has size 0
  const struct mw_elim_tree *tree;
} mw_elim_graph;

// Groups: those below a group come before it. A node's neighbours are in its own group, or in
// groups above or below it.
typedef struct mw_elim_tree {
  int n_group;
  const int *above;  // [n_group]         the group that takes what this one leaves, −1: none
  const int *of;     // [n_body + n_rows] group of a node; rows that cannot go there yet (they would
                     // hang on what remains) go in a group above
} mw_elim_tree;

// Groups of the graph by dissection: separators of joints, or of bodies that many joints touch, cut
// it in halves until a part has at most `most` of them (METIS by CHOLMOD). The same graph gives the
// same groups. Lives in mem.
MW_MUST_USE mw_code mw_elim_dissect(const mw_elim_graph *g, int most, mw_arena *mem,
                                    mw_elim_tree *out, mw_error *err);
// Groups of all nodes from those of bodies, of [n_body]: rows between groups belong to the lowest
// one that is above, or is, each of them. Groups as in mw_elim_tree, the last one above all others.
MW_MUST_USE mw_code mw_elim_tree_of(const mw_elim_graph *g, int n_group, const int *above,
                                    const int *of, mw_arena *mem, mw_elim_tree *out, mw_error *err);

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
  int scale;         // slot whose scale sums the diagonal of what is added, −1
  short n;           // rows of the receiving block
  signed char sign;  // 1 or −1
  bool first;        // nothing was there before
} mw_elim_update;

// What a group takes from one below: a block that is added to one of its own or of its border, and
// a part of the right-hand side.
typedef struct mw_elim_add {
  unsigned to, from;  // offsets in eights
  int scale, scale0;  // slots of the scale that is added to, and where it comes from; −1
  short n;            // rows of the block
  bool first;         // nothing was there before
} mw_elim_add;

typedef struct mw_elim_pass {
  int to, from;  // slots
} mw_elim_pass;

typedef struct mw_elim_group {
  int first, last;    // pivots first … last − 1
  int above;          // −1: none
  int slot0, n_slot;  // its border: slots n_node + slot0 …
  int add0, n_add;    // what it takes before it begins, in add
  int pass0, n_pass;  // in pass
  size_t val0, val1;  // blocks that it leaves at its border, in the values
} mw_elim_group;

// A slot is a node, or n_node + an entry of the border of a group.
typedef struct mw_elim {
  int n_node, n_body;
  int n_group, n_slot;   // slots of all borders
  mw_elim_group *group;  // [n_group]  those below a group come before it
  mw_elim_add *add;
  mw_elim_pass *pass;
  int *border;           // [n_slot]  nodes
  const int *size;       // [n_node]
  mw_elim_pivot *pivot;  // [n_node]  in the order of elimination
  int *next;             // nodes
  int *into;             // slots that take their part of a right-hand side
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
  double *scale;  // [(n_node + n_slot) × 8]  what the pivots of checked rows were summed from
  unsigned char *order;  // [n_node × 8]  in which order a checked node's rows were eliminated
  double *left[2];       // [n_slot × 8]    right-hand sides that groups leave at their borders
  int *n_out;            // [n_group]       rows left out
  int n_dropped;         // of all groups
  int failed;            // node whose pivot is not positive, −1
} mw_elim_num;

// Order, fill and plan. Borrows g->size.
MW_MUST_USE mw_code mw_elim_build(const mw_elim_graph *g, mw_arena *mem, mw_elim *out,
                                  mw_error *err);
// Where the block between nodes a and b, coupled by a body of size 0, lies in the values: [size of
// the one that goes first × 8]. *swapped: b goes first.
size_t mw_elim_between(const mw_elim *e, int a, int b, bool *swapped);
mw_elim_num mw_elim_num_init(const mw_elim *e, mw_arena *mem);

// Factors all pivots, C's blocks written before (couple, across); those in which a plain body
// couples with rows are not changed. Of nodes that touch bodies of size 0 these are written, too: F
// in full at diag, its diagonal in n->scale, and −F between two nodes (mw_elim_between). diag
// [n_node × 8]: B's diagonal of bodies, R's of rows. Bodies that stay plain use 1/diag from inverse
// [n_node × 8]. Of checked rows the one with the largest pivot (of the sum it was made of) goes
// first; one whose pivot is below `drop` of that sum is redundant: it is left out, its unknown will
// be zero. With any_sign F need not be positive: pivots below zero are taken as they are, none is
// left out. x and x2 (NULL: none) are carried along: mw_elim_backward then makes the solutions of
// them. MW_ERR_NUMERIC without a text: n->failed names the node.
typedef struct mw_elim_task {
  const double *diag, *inverse;
  double drop, *x, *x2;
  int first, last;  // pivots of mw_elim_factor_group
  bool hard;        // R = 0: diag is read for bodies alone
  bool any_sign;
} mw_elim_task;
MW_MUST_USE mw_code mw_elim_factor(const mw_elim *e, mw_elim_num *n, const mw_elim_task *task);
void mw_elim_backward(const mw_elim *e, const mw_elim_num *n, double *x, double *x2);
// The same in pieces: begin; pivots first … last − 1 of a group, all of them in turn, once the
// groups below it are done; end, which says what failed. Groups not above each other may be worked
// off at once, by threads of one mw_elim_num. Back from the last group to the first, each after the
// one above it.
void mw_elim_begin(const mw_elim *e, mw_elim_num *n, const mw_elim_task *task);
MW_MUST_USE mw_code mw_elim_factor_group(const mw_elim *e, mw_elim_num *n, const mw_elim_task *task,
                                         int group);
MW_MUST_USE mw_code mw_elim_end(const mw_elim *e, mw_elim_num *n);
void mw_elim_forward_group(const mw_elim *e, const mw_elim_num *n, int group, double *x);
void mw_elim_backward_group(const mw_elim *e, const mw_elim_num *n, int group, double *x,
                            double *x2);
// x := solution for the right-hand side x, [n_node × 8]
void mw_elim_solve(const mw_elim *e, const mw_elim_num *n, double *x);

MW_API_END

#endif
