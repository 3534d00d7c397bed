// SPDX-License-Identifier: BSD-3-Clause
// element.h: finite elements: stiffness and the mass moments of DESIGN's formulation x = o + E (X +
// N u).
//
//   K = ∫ Bᵀ D B dV ,  M_αβ = ∫ρ N_αᵀ N_β dV ,  s_β = ∫ρ N_β dV ,  h_αβ = ∫ρ X_α N_β dV         (1)
//   m = ∫ρ dV ,  mX = ∫ρ X dV ,  J = ∫ρ X Xᵀ dV
//
// N_α is row α of the 3 × n displacement interpolation in body axes, X the undeformed position in
// the body frame.
#ifndef MW_FEM_ELEMENT_H
#define MW_FEM_ELEMENT_H

#include "base/error.h"
#include "fem/model.h"

enum { MW_ELEMENT_MAX_DOF = 30 };

typedef struct mw_element {
  int n;                                              // degrees of freedom
  double K[MW_ELEMENT_MAX_DOF * MW_ELEMENT_MAX_DOF];  // [n × n] row-major, symmetric
  double M[9][MW_ELEMENT_MAX_DOF *
              MW_ELEMENT_MAX_DOF];  // [3α+β][n × n] row-major, kg (·m, ·m² for rotations)
  double s[3][MW_ELEMENT_MAX_DOF];  // [β][n]
  double h[9][MW_ELEMENT_MAX_DOF];  // [3α+β][n]
  double m, mX[3], J[9];            // kg, kg·m, kg·m² (row-major, symmetric)
} mw_element;

// Timoshenko beam between x1 and x2 (m, body frame): 12 degrees of freedom (u v w rx ry rz at each
// end, body axes). Displacement of a material point at (x, y, z) of the section: u0 + z θy − y θz,
// v0 − z θx, w0 + y θx in local axes, with the shear-consistent cubic interpolation (Φ =
// 12EI/(κGAl²)); κ = 0: Euler-Bernoulli (Φ = 0). section->rotary false: Iy = Iz = 0 in the mass
// moments (torsional inertia kept). up: approximate local z. MW_ERR_INPUT at `at` for zero length
// or up parallel to the axis.
MW_MUST_USE mw_code mw_beam_element(const double x1[3], const double x2[3], const double up[3],
                                    const mw_section *section, const mw_material *material,
                                    mw_at at, mw_element *out, mw_error *err);

// Quadratic tetrahedron, 10 nodes X [10 × 3] (m) in the order 4 corners, then edges 12 23 31 14 24
// 34 (1-based corners; VTK/Abaqus order), 30 degrees of freedom (3 a node). Exact for straight
// edges (K: degree-2 integrand, 4 points; mass moments: degree up to 6). Curved elements: same
// formulas with the Jacobian at each point. MW_ERR_INPUT when a Jacobian is not positive (message
// names element `id` and the volume).
MW_MUST_USE mw_code mw_tet10_element(const double *X, const mw_material *material, int id, mw_at at,
                                     mw_element *out, mw_error *err);

// Point mass on a node with 3 or 6 degrees of freedom at X; inertia xx yy zz xy xz yz about X (used
// when n_dof is 6).
void mw_mass_element(const double X[3], int n_dof, double mass, const double inertia[6],
                     mw_element *out);

#endif
