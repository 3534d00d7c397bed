// SPDX-License-Identifier: BSD-3-Clause
// nafems_priv.h: a body of elements with held motions, its static solutions and its modes.
#ifndef MW_TEST_NAFEMS_PRIV_H
#define MW_TEST_NAFEMS_PRIV_H

#include "fem/body.h"
#include "fem/grid.h"
#include "nafems.h"

typedef struct part {
  mw_arena mem;
  mw_model model;
  mw_body_in in;
  mw_section section[2];
  mw_material material[2];
  mw_body b;
  int *unknown;         // [n_node × 6]  unknown of a motion, −1: none
  unsigned char *held;  // [n_u]
} part;

// nx × ny flat facets over the unit square, at z = 0; like grid_build, which makes the solids.
void part_flat_grid(mw_elem_kind kind, int nx, int ny, grid *out);
// Body of a grid: writes an .inp file with its material (and thickness of shells), reads it and
// builds a free body.
bool part_of_grid(const grid *g, const mw_material *material, double thickness, part *p);
// Body of p->in (beams), free.
bool part_build(part *p);
// M with the mass of its solids where CalculiX integrates it.
bool part_mass_as_calculix(part *p, const mw_material *material);
void part_free(part *p);

void part_hold(part *p, int node, int motion);
// free unknowns of K and M: the lowest n frequencies above 1e-3 Hz, Hz, M-orthonormal shapes [n ×
// n_u] if not NULL. proved: K − σM has as many negative pivots as there are eigenvalues below the
// last.
bool part_modes(part *p, int n, double *hz, double *shape, bool *proved);
bool part_static(part *p, const double *f, double *u);  // [n_u]

#endif
