// SPDX-License-Identifier: BSD-3-Clause
// body_cells_priv.h: everything that has stiffness or mass as cells over motions, and where their
// matrices' entries go.
#ifndef MW_FEM_BODY_CELLS_PRIV_H
#define MW_FEM_BODY_CELLS_PRIV_H

#include "body_layer.h"

enum { MW_N_MAT = 8 };  // K, M, and the six M_αβ of mw_body.Mab

typedef enum mw_cell_kind {
  MW_CELL_SOLID,   // three motions a node, M_αβ couples component α with β
  MW_CELL_FRAME,   // beam or shell, six motions a node
  MW_CELL_MASS,    // mass on a node, no stiffness
  MW_CELL_SPRING,  // one motion of its own: the spring's combination of unknowns
} mw_cell_kind;

// Cells in this order: beams, elements of the mesh, springs, masses of the mesh, masses of frames.
// Motions n_motion + k are those of spring k.
typedef struct mw_cells {
  int n;
  int first_mesh, first_spring, first_mesh_mass, first_mass;
  int *ptr;             // [n + 1]  into motion
  int *motion;          // motions of each cell
  unsigned char *kind;  // [n]  mw_cell_kind
  int *mass;            // [n - first_mass]  attachments with a mass
  int *mass_node;       // [n - first_mass]  their node
  // entry [a][b] of frames and masses: bit 3α+β is set when some M_αβ couples component a of a node
  // with b
  int couples[6][6];
} mw_cells;

typedef struct mw_combination {  // Σ coef × unknown
  int n;
  const int *unknown;
  const double *coef;
} mw_combination;

static inline mw_combination mw_cell_motion(const mw_body_work *w, int d)
{
  if (d < w->n_motion)
    return (mw_combination){ w->ptr[d + 1] - w->ptr[d], w->unknown + w->ptr[d],
                             w->coef + w->ptr[d] };
  const mw_spring_row *s = &w->spring[d - w->n_motion];
  return (mw_combination){ s->n, s->unknown, s->coef };
}

// α, β of M_αβ in the order of mw_body.Mab, as 3α+β
extern const int MW_MAB[6];

MW_MUST_USE mw_code mw_cells_build(mw_body_work *w, mw_cells *out, mw_error *err);
// Matrices of a frame or mass cell.
MW_MUST_USE mw_code mw_cell_element(const mw_body_work *w, const mw_cells *c, int e,
                                    mw_element *out, mw_error *err);
// Patterns of all matrices with zeros as values, memory from w->mem. MW_ERR_INPUT: more entries
// than can be counted.
MW_MUST_USE mw_code mw_cells_patterns(mw_body_work *w, const mw_cells *c, mw_csc *A[MW_N_MAT],
                                      mw_error *err);

#endif
