// SPDX-License-Identifier: BSD-3-Clause
// rigid_structure.h: which blocks the elimination of a rigid mechanism has, and which of them fill.
#ifndef MW_FEM_RIGID_STRUCTURE_H
#define MW_FEM_RIGID_STRUCTURE_H

#include "fem/rigid.h"

MW_API_BEGIN

// A block below the diagonal of  [ M  Jᵀ ; J  0 ]  with bodies and rows in the order in which they
// are eliminated.
typedef struct mw_rigid_block {
  int row, col;  // places in that order, row > col
  bool fill;     // nothing stands there before the elimination
} mw_rigid_block;

typedef struct mw_rigid_structure {
  int n, n_group;     // nodes: bodies and rows of joints; groups that are eliminated on their own
  int *size;          // [n]  unknowns, in the order of the elimination
  bool *rows;         // [n]  rows of a joint, else a body
  bool *loop;         // [n]  rows that close a loop: they may turn out redundant
  const char **name;  // [n]  of the body, joint, or drive of a rotor
  int n_block, n_fill;
  mw_rigid_block *block;  // [n_block]  column by column
  long entries,
      fill_entries;  // numbers in all blocks and on the diagonal (its lower half), in fill
} mw_rigid_structure;

// The constraints' elimination (mw_rigid_accel). Memory from mem.
MW_MUST_USE mw_code mw_rigid_structure_find(const mw_rigid *r, mw_arena *mem,
                                            mw_rigid_structure *out, mw_error *err);

MW_API_END

#endif
