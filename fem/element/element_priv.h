// SPDX-License-Identifier: BSD-3-Clause
// element_priv.h: what the files of this folder share.
#ifndef MW_FEM_ELEMENT_PRIV_H
#define MW_FEM_ELEMENT_PRIV_H

#include "fem/element_class.h"

#define MW_ELEM_DECLARE(KIND, name) extern const mw_elem_class mw_elem_##name;
MW_ELEM_LIST(MW_ELEM_DECLARE)
#undef MW_ELEM_DECLARE

enum { MW_RULE_MAX = 27 };

// Quadrature in natural coordinates; weights add up to the volume of the reference element.
typedef struct mw_rule {
  int n;
  double xi[MW_RULE_MAX][3];
  double w[MW_RULE_MAX];
} mw_rule;

// Gauss-Legendre on [−1, 1] with 1, 2, 3 points.
extern const double MW_GAUSS_X[3][3], MW_GAUSS_W[3][3];
void mw_rule_add(mw_rule *r, double x, double y, double z, double w);

// Gives the rule of the stiffness or of the mass of a solid (quadrature.c).
void mw_solid_rule(mw_elem_kind kind, bool mass, mw_rule *rule);
int mw_solid_nodes(mw_elem_kind kind);  // 0: no solid
// Evaluate the stress of mw_elem_class: of solids without modes of their own, of facets.
mw_code mw_solid_point_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                              const double xi[3], double z, bool strain, double *S, mw_error *err);
mw_code mw_facet_point_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                              const double xi[3], double z, bool strain, double *S, mw_error *err);

// Jac [9] = ∂X/∂ξ row-major of n nodes X [n × 3] (m), dN [n × 3]; returns its determinant.
double mw_solid_jacobian(int n, const double *X, const double *dN, double Jac[9]);
// B := A⁻¹, det the determinant of A
void mw_invert33(const double A[9], double det, double B[9]);
// Gives λ and G of the material, Pa.
void mw_lame(const mw_material *material, double *lam, double *G);

// ---- flat facets, local axes: x along the first edge, z the normal ----

// What distinguishes one facet from another; p: corners, local.
typedef struct mw_facet_class {
  int across[2][2];  // from corner to corner: two vectors whose product is the normal
  bool flat;         // its corners lie in a plane
  // K over the freedoms (u v θz) and (w θx θy) of the corners, strains and curvatures in the middle
  void (*membrane)(const double *p, double thickness, const mw_material *material, double *K);
  void (*plate)(const double *p, double thickness, const mw_material *material, double *K);
  void (*membrane_strain)(const double *p, double *B);
  void (*plate_curvature)(const double *p, double *B);
  void (*mass)(const double *p, double *mu);  // ∫N_i N_j dA, m²
} mw_facet_class;

typedef struct mw_facet {
  const mw_facet_class *class;
  int n;           // corners
  double X[12];    // [n × 3] m, in the plane
  double off[12];  // [n × 3] m, X − node
  double a[9];     // rows e1 e2 n
  double p[8];     // [n × 2] m, local
} mw_facet;

// Finds local axes and projects the corners; returns what is wrong with the facet, or NULL. size:
// of the facet, m
const char *mw_facet_build(mw_elem_kind kind, const double *X, mw_facet *f, double *size);
// Fills L [6 × 6] of corner i: local motion of the projected corner per motion of the node.
void mw_facet_corner_map(const mw_facet *f, int i, double L[36]);

// Writes a column of S [6 × n_col], body axes, from the strain e (xx yy xy, shear doubled) in the
// plane: strain or stress of a facet free of stress along its normal.
void mw_facet_tensor(const mw_facet *f, const mw_material *material, bool strain, const double e[3],
                     int n_col, double *S);

// Gives D [9] of plane stress for unit thickness, Pa.
void mw_plane_stress(const mw_material *material, double D[9]);

// Membrane triangle with drilling rotations, corners p [3 × 2] (m), counter-clockwise; freedoms (u
// v θz) a node.
//   K [9 × 9], N/m ; B [3 × 9]: strain xx yy xy in the middle
void mw_tri_membrane(const double p[6], double thickness, const mw_material *material,
                     double K[81]);
void mw_tri_membrane_strain(const double p[6], double B[27]);

#endif
