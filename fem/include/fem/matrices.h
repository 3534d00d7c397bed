// SPDX-License-Identifier: BSD-3-Clause
// matrices.h: stiffness and mass matrix of a body as another finite-element program wrote them.
//
//   CalculiX        .sti and .mas (*FREQUENCY, SOLVER=MATRIXSTORAGE) with the rows' .dof
//   Matrix Market   .mtx, coordinate, real or integer, symmetric or general (then symmetric to
//                   1e-10
//                   of its largest entry)
//   Nastran         DMIG, real, symmetric, in .pch .bdf .dat .nas: small, large and free field
// Rows are motions of nodes, node.direction, directions 1 … 6: x y z rx ry rz. Nodes come from an
// .inp (its *NODE and *NSET), from GRID cards, or from a table of lines "number x y z". Matrix
// Market without dofs: x y z (or all six, as their number tells) of each node in the order of the
// file.
#ifndef MW_FEM_MATRICES_H
#define MW_FEM_MATRICES_H

#include "base/api.h"
#include "base/csc.h"
#include "fem/mesh.h"
#include "fem/model.h"

MW_API_BEGIN

typedef struct mw_matrices {
  int n_node, n_row, n_set;
  double *x;         // [n_node × 3]  m; only nodes with a row
  int *tag;          // [n_node]  the file's numbers, ascending
  int *row;          // [n_node × 6]  row of each motion, -1: none
  int *motion;       // [n_row]  6 node + direction, ascending
  mw_mesh_set *set;  // node sets of an .inp, of those nodes
  mw_csc K;          // [n_row × n_row] lower; N/m, N (translation with rotation), N·m
  mw_csc M;          // [n_row × n_row] lower; kg, kg·m, kg·m²
} mw_matrices;

// Reads the files. scale: metres a unit of length of the files; newton and second are theirs, too
// (mm: N/mm and tonnes). Errors name file, line and column.
MW_MUST_USE mw_code mw_matrices_read(const mw_matrices_in *in, double scale, mw_arena *mem,
                                     mw_matrices *out, mw_error *err);
// Sizes, rows and motions each other's inverse, finite values, a stiffness above zero on every row
// and no negative mass.
MW_MUST_USE mw_code mw_matrices_check(const mw_matrices *m, mw_at at, mw_error *err);

MW_API_END

#endif
