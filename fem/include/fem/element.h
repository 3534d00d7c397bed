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

#include "base/api.h"
#include "base/error.h"
#include "fem/mesh.h"
#include "fem/model.h"

MW_API_BEGIN

enum { MW_ELEMENT_MAX_DOF = 24, MW_SOLID_MAX_NODE = 20, MW_SOLID_MAX_DOF = 60 };

typedef struct mw_element {
  int n;                                              // degrees of freedom
  double K[MW_ELEMENT_MAX_DOF * MW_ELEMENT_MAX_DOF];  // [n × n] row-major, symmetric
  double M[9][MW_ELEMENT_MAX_DOF *
              MW_ELEMENT_MAX_DOF];  // [3α+β][n × n] row-major, kg (·m, ·m² for rotations)
  double s[3][MW_ELEMENT_MAX_DOF];  // [β][n]
  double h[9][MW_ELEMENT_MAX_DOF];  // [3α+β][n]
  double m, mX[3], J[9];            // kg, kg·m, kg·m² (row-major, symmetric)
} mw_element;

// Solid element: N_α = N ⊗ e_α, so that every mass moment follows from the scalar matrix μ:
//   M_αβ[3i+α][3j+β] = μ_ij ,  s_β[3j+β] = Σ_i μ_ij ,  h_αβ[3j+β] = Σ_i X_iα μ_ij               (2)
typedef struct mw_solid {
  int n;                                             // nodes
  double K[MW_SOLID_MAX_DOF * MW_SOLID_MAX_DOF];     // [3n × 3n] row-major, symmetric
  double mu[MW_SOLID_MAX_NODE * MW_SOLID_MAX_NODE];  // [n × n]  kg
} mw_solid;

// Timoshenko beam between x1 and x2 (m, body frame): 12 degrees of freedom (u v w rx ry rz at each
// end, body axes). Displacement of a material point at (x, y, z) of the section: u0 + z θy − y θz,
// v0 − z θx, w0 + y θx in local axes, with the shear-consistent cubic interpolation (Φ =
// 12EI/(κGAl²)); κ = 0: Euler-Bernoulli (Φ = 0). section->rotary false: of the section its
// torsional inertia alone, in all mass moments. up: approximate local z. MW_ERR_INPUT at `at` for
// zero length or up parallel to the axis.
MW_MUST_USE mw_code mw_beam_element(const double x1[3], const double x2[3], const double up[3],
                                    const mw_section *section, const mw_material *material,
                                    mw_at at, mw_element *out, mw_error *err);
// Φ of element/beam.c (1) of bending along the section's y and z, 0 without shear
void mw_beam_shear(const mw_section *section, const mw_material *material, double l, double Phi[2]);

// Solid element with nodes X [n × 3] (m, body frame). Isotropic linear elasticity; curved elements
// by the Jacobian at each point. MW_ERR_INPUT at `at` when a Jacobian is not positive, naming the
// element's kind, number id and place.
MW_MUST_USE mw_code mw_solid_element(mw_elem_kind kind, const double *X,
                                     const mw_material *material, int id, mw_at at, mw_solid *out,
                                     mw_error *err);
// The mass matrix mu [n × n] (kg) alone. stiffness_points: integrated where the stiffness is, as
// CalculiX does, for comparisons with it; else what mw_solid_element gives.
MW_MUST_USE mw_code mw_solid_mass(mw_elem_kind kind, const double *X, double rho,
                                  bool stiffness_points, int id, mw_at at, double *mu,
                                  mw_error *err);
// Shape functions N [n] and, if not NULL, their derivatives dN [n × 3] at natural coordinates xi:
// tetrahedra (L2, L3, L4), hexahedra (ξ, η, ζ) in [−1, 1]³, wedges (L2, L3, ζ).
void mw_solid_shape(mw_elem_kind kind, const double xi[3], double *N, double *dN);
// Natural coordinates of the point x (m) by Newton's method; inside <= 0: in the element, else how
// far outside in natural coordinates. false: no convergence.
bool mw_solid_locate(mw_elem_kind kind, const double *X, const double x[3], double xi[3],
                     double *outside);
// Stress at xi per nodal displacement, S [6 × 3n] row-major (Pa/m): xx yy zz xy yz zx, body axes;
// strain: the strains (engineering shear) instead. HEX8 without its incompatible modes' share.
MW_MUST_USE mw_code mw_solid_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                                    const double xi[3], bool strain, double *S, mw_error *err);
// The same of a HEX8 with its incompatible modes' share: what a brick that bends really has. S [6 ×
// 24].
MW_MUST_USE mw_code mw_hex8_stress(const double *X, const mw_material *material, const double xi[3],
                                   bool strain, double *S, mw_error *err);

// Flat shell facet: membrane with drilling rotations, bending by discrete Kirchhoff (TRI3: DKT) or
// mixed interpolation (QUAD4: MITC). Six degrees of freedom a node, body axes; X [n × 3] (m),
// thickness (m). MW_ERR_INPUT when it has no area, is not convex or warped by more than 5 % of its
// size.
MW_MUST_USE mw_code mw_shell_element(mw_elem_kind kind, const double *X, double thickness,
                                     const mw_material *material, int id, mw_at at, mw_element *out,
                                     mw_error *err);
// Stress in the middle of a facet at height z (m, along its normal) per motion, S [6 × 6n]; order
// and axes as above.
MW_MUST_USE mw_code mw_shell_stress(mw_elem_kind kind, const double *X, double z,
                                    const mw_material *material, bool strain, double *S,
                                    mw_error *err);

// ---- strains of second order (fem/strain.h): what elements have beyond K; u as the rows of K ----

typedef struct mw_beam_in {
  double x1[3], x2[3], up[3];  // m, m, 1: as mw_beam_element
  mw_section section;
  mw_material material;
} mw_beam_in;

// K_σ of the linear stress that u makes: A [12 × 12], [6n × 6n]; of solids S [n × n], times the
// unit matrix. N/m …
MW_MUST_USE mw_code mw_beam_stress_stiffness(const mw_beam_in *in, const double *u, double *A,
                                             mw_error *err);
MW_MUST_USE mw_code mw_solid_stress_stiffness(mw_elem_kind kind, const double *X,
                                              const mw_material *material, const double *u,
                                              double *S, mw_error *err);
// Pair l of rows a, b <= a: l = a (a + 1)/2 + b.
void mw_pair_of(int l, int *a, int *b);
// Forces f_ab with uᵀ f_ab = aᵀ K_σ(u) b for all u: of the pairs l = from …
// from + n − 1 of k displacements.
//   U  [k × 3 nodes]  in   m
//   F  [n × 3 nodes]  out  N m
MW_MUST_USE mw_code mw_solid_stress_pairs(mw_elem_kind kind, const double *X,
                                          const mw_material *material, int k, const double *U,
                                          int from, int n, double *F, mw_error *err);
// What k displacements stretch: BᵀDη and ½ ηᵀDη of each, strain.h (1).
//   U  [k × 3 nodes]  in   m
//   F  [k × 3 nodes]  out  N
//   V  [k]            out  J
MW_MUST_USE mw_code mw_solid_stretch(mw_elem_kind kind, const double *X,
                                     const mw_material *material, int k, const double *U, double *F,
                                     double *V, mw_error *err);
MW_MUST_USE mw_code mw_shell_stress_stiffness(mw_elem_kind kind, const double *X, double thickness,
                                              const mw_material *material, const double *u,
                                              double *A, mw_error *err);
// f := f_int − K u (N), V := energy − ½ uᵀKu (J)
MW_MUST_USE mw_code mw_beam_strain_force(const mw_beam_in *in, const double *u, double *f,
                                         double *V, mw_error *err);
MW_MUST_USE mw_code mw_solid_strain_force(mw_elem_kind kind, const double *X,
                                          const mw_material *material, const double *u, double *f,
                                          double *V, mw_error *err);
MW_MUST_USE mw_code mw_shell_strain_force(mw_elem_kind kind, const double *X, double thickness,
                                          const mw_material *material, const double *u, double *f,
                                          double *V, mw_error *err);
// f := (B + Q u)ᵀ D (B + Q u) v − K v (N): what stiffness-proportional damping has beyond K, for
// rates v
MW_MUST_USE mw_code mw_beam_strain_drag(const mw_beam_in *in, const double *u, const double *v,
                                        double *f, mw_error *err);
MW_MUST_USE mw_code mw_solid_strain_drag(mw_elem_kind kind, const double *X,
                                         const mw_material *material, const double *u,
                                         const double *v, double *f, mw_error *err);
MW_MUST_USE mw_code mw_shell_strain_drag(mw_elem_kind kind, const double *X, double thickness,
                                         const mw_material *material, const double *u,
                                         const double *v, double *f, mw_error *err);
// What E has beyond B u at a point: strain or its stress, y [6] as mw_solid_stress (with the modes
// of a HEX8) and mw_shell_stress, at any height
MW_MUST_USE mw_code mw_solid_second_stress(mw_elem_kind kind, const double *X,
                                           const mw_material *material, const double xi[3],
                                           bool strain, const double *u, double y[6],
                                           mw_error *err);
MW_MUST_USE mw_code mw_shell_second_stress(mw_elem_kind kind, const double *X,
                                           const mw_material *material, bool strain,
                                           const double *u, double y[6], mw_error *err);
// T := ∂f_int/∂u − K, square, row-major
MW_MUST_USE mw_code mw_beam_tangent(const mw_beam_in *in, const double *u, double *T,
                                    mw_error *err);
MW_MUST_USE mw_code mw_solid_tangent(mw_elem_kind kind, const double *X,
                                     const mw_material *material, const double *u, double *T,
                                     mw_error *err);
MW_MUST_USE mw_code mw_shell_tangent(mw_elem_kind kind, const double *X, double thickness,
                                     const mw_material *material, const double *u, double *T,
                                     mw_error *err);

// Point mass on a node with 3 or 6 degrees of freedom at X; inertia xx yy zz xy xz yz about X (used
// when n_dof is 6).
void mw_mass_element(const double X[3], int n_dof, double mass, const double inertia[6],
                     mw_element *out);

MW_API_END

#endif
