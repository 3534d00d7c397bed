// SPDX-License-Identifier: BSD-3-Clause
// nodes_layer.h: how the rows of a joint are put into nodes, for rigid_nodes.c and the files of
// ../joint/.
#ifndef MW_FEM_NODES_LAYER_H
#define MW_FEM_NODES_LAYER_H

#include "fem/joint.h"
#include "rigid_mech_layer.h"

typedef struct mw_rbuilder {
  mw_rigid *r;
  unsigned char *full, *ground, *soft;  // [nodes]  as mw_elim_graph has them
  int *size;                            // [elimination nodes]
  int *ptr;                             // [n_node + 1]
  int *stands;                          // [n_touch]  bodies touched, one for each component
  unsigned char *held;                  // [n_body]  of components: they hang on the ground
  double *axes;                         // [n_turn × 18]  of springs' rows against turns
  int n_turn;
} mw_rbuilder;

// A new node; full: its rows have full rank on each of its bodies alone.
mw_rnode *mw_rnode_open(mw_rbuilder *b, int joint, bool full);
// Where a body (slot; behind the slots: rotors) stands among those of the last node, −1: it is
// fixed.
int mw_rnode_touch(mw_rbuilder *b, int slot);
// An element of the last node on a coordinate.
mw_relem *mw_rnode_add_coord(mw_rbuilder *b, mw_relem_kind kind, int coord);
// A new node with the joint's own rows: its points, A3(a), A1(a) and A3(b), and the eval of its
// class.
mw_relem *mw_rnode_add_own(mw_rbuilder *b, int joint);

// ---- ../joint/ ----------------------------------------------------------------------------------

// Coordinates that are held and whose row is not there yet: in the node just made for their joint
// where there is room.
void mw_rigid_driven_rows(mw_rbuilder *b, int joint);
void mw_rigid_driven_rotors(mw_rbuilder *b);
void mw_rigid_find_driven(mw_rigid *r);

#endif
