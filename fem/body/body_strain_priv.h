// SPDX-License-Identifier: BSD-3-Clause
// body_strain_priv.h: elements of a body that is strained beyond its linear stiffness, shared by
// body_strain.c and body_stress.c.
#ifndef MW_FEM_BODY_STRAIN_PRIV_H
#define MW_FEM_BODY_STRAIN_PRIV_H

#include "body_patch_priv.h"
#include "fem/strain.h"

struct mw_strain_data {
  int n_motion;  // dof × nodes
  int dof;
  mw_patches patch;  // C by rows
  double **K;        // [cells]  K_e of the elements on patches, else NULL
  int n_beam;
  mw_beam_in *beam;  // [n_beam]
  int *beam_node;    // [n_beam × 2]
};

typedef struct mw_cell {  // an element of the body
  mw_elem_kind kind;
  bool beam, solid;
  int n, nd;                // nodes, motions
  int d[MW_SOLID_MAX_DOF];  // its motions
  double X[MW_SOLID_MAX_DOF];
  const mw_material *material;
  double thickness;
} mw_cell;

int mw_cell_count(const mw_body *b);
void mw_cell_of(const mw_body *b, int e, mw_cell *c);
// y := y + K_e x of a cell, both [n_motion]
void mw_cell_multiply(const mw_cell *c, const double *K, const double *x, double *y);
// d [n_motion] := C u
void mw_patches_motions(const mw_patches *p, const double *u, double *d);

#endif
