// SPDX-License-Identifier: BSD-3-Clause
// element_priv.h: what the files of this folder share.
#ifndef MW_FEM_ELEMENT_PRIV_H
#define MW_FEM_ELEMENT_PRIV_H

#include "fem/element.h"

enum { MW_RULE_MAX = 27 };

// Quadrature in natural coordinates; weights add up to the volume of the reference element.
typedef struct mw_rule {
  int n;
  double xi[MW_RULE_MAX][3];
  double w[MW_RULE_MAX];
} mw_rule;

// The rule of the stiffness or of the mass of a solid (quadrature.c).
void mw_solid_rule(mw_elem_kind kind, bool mass, mw_rule *rule);
int mw_solid_nodes(mw_elem_kind kind);  // 0: no solid

// Jac [9] = ∂X/∂ξ row-major of n nodes X [n × 3] (m), dN [n × 3]; returns its determinant.
double mw_solid_jacobian(int n, const double *X, const double *dN, double Jac[9]);
// B := A⁻¹, det the determinant of A
void mw_invert33(const double A[9], double det, double B[9]);
// λ and G of the material, Pa
void mw_lame(const mw_material *material, double *lam, double *G);

// ---- flat facets, local axes: x along the first edge, z the normal ----

typedef struct mw_facet {
  int n;           // corners
  double X[12];    // [n × 3] m, in the plane
  double off[12];  // [n × 3] m, X − node
  double a[9];     // rows e1 e2 n
  double p[8];     // [n × 2] m, local
} mw_facet;

// Local axes, projection; returns what is wrong with it, or NULL. size: of the facet, m
const char *mw_facet_build(mw_elem_kind kind, const double *X, mw_facet *f, double *size);
// L [6 × 6] of corner i: local motion of the projected corner per motion of the node
void mw_facet_corner_map(const mw_facet *f, int i, double L[36]);

// Column of S [6 × n_col], body axes, from the strain e (xx yy xy, shear doubled) in the plane:
// strain or stress of a facet free of stress along its normal.
void mw_facet_tensor(const mw_facet *f, const mw_material *material, bool strain, const double e[3],
                     int n_col, double *S);

// Plane stress D [9] for unit thickness, Pa.
void mw_plane_stress(const mw_material *material, double D[9]);

// Membrane triangle with drilling rotations, corners p [3 × 2] (m), counter-clockwise; freedoms (u
// v θz) a node.
//   K [9 × 9], N/m ; B [3 × 9]: strain xx yy xy in the middle
void mw_tri_membrane(const double p[6], double thickness, const mw_material *material,
                     double K[81]);
void mw_tri_membrane_strain(const double p[6], double B[27]);

// Plates, freedoms (w θx θy) a node: K, and the curvatures xx yy xy in the middle (strain at height
// z: z times that).
//   triangle: K [9 × 9], B [3 × 9]; quadrilateral: K [12 × 12], B [3 × 12]
void mw_tri_plate(const double p[6], double thickness, const mw_material *material, double K[81]);
void mw_tri_plate_curvature(const double p[6], double B[27]);
void mw_quad_plate(const double p[8], double thickness, const mw_material *material, double K[144]);
void mw_quad_plate_curvature(const double p[8], double B[36]);
// The same membrane for quadrilaterals, both ways of cutting them into triangles: K [12 × 12], B [3
// × 12].
void mw_quad_membrane(const double p[8], double thickness, const mw_material *material,
                      double K[144]);
void mw_quad_membrane_strain(const double p[8], double B[36]);
// ∫N_i N_j dA of the bilinear functions, m²
void mw_quad_mass(const double p[8], double mu[16]);

#endif
