// SPDX-License-Identifier: BSD-3-Clause
// body.h: one body: rigid mass properties, and for an elastic body K, the mass moments and its
// interface.
//
// An elastic body's unknowns u [n_u] are what is left after fixed nodes (ground bodies) and nodes
// slaved to rigid patches (RBE2) or tied to other faces are eliminated. What joints can touch is a
// set of linear functionals z = P u, the interface: translations of guide nodes, translation and
// rotation of
// attachment frames.
//
// A body may be projected on a basis, u = T ζ: mw_body_project gives a body of the same type whose
// n_u is the number of columns of T; callers see no other difference.
#ifndef MW_FEM_BODY_H
#define MW_FEM_BODY_H

#include "base/api.h"
#include "base/csc.h"
#include "fem/mesh.h"
#include "fem/model.h"

MW_API_BEGIN

// Attachment frame: x = o + E (X + t), axes E exp(r~) in the body's reference orientation.
typedef struct mw_frame {
  const char *name;
  double X[3];  // m, body frame
  int z;        // first of six functionals (t then r), -1: rigid (t = r = 0)
  bool heavy;   // carries moments of inertia of its own:
  double J[9];  // kg·m² = ∫ρ r rᵀ of them, r from the frame's origin, body axes; else 0
} mw_frame;

enum { MW_GUIDE_MAX_NODE = 4096 };  // of an elastic guide a slide runs on

typedef struct mw_guide {  // straight guide: X(s) = X0 + t s, 0 <= s <= length
  const char *name;
  double X0[3];               // m, s = 0, body frame
  double t[3], n1[3], n2[3];  // orthonormal, n2 = t × n1
  double length;              // m
  double pad[2];  // m, length and width of a runner's contact on a face; 0: on the nodes' line
  int n;          // guide nodes or pad stations, 0: rigid
  // [n]  arc length of them, ascending; nodes: from 0 to length, pads: where they are on the face
  double *s;
  bool rot;  // beam nodes: six functionals each, translation then rotation; else three
  int z;     // node j, component α (body axes): functional z + (rot ? 6 : 3) j + α; -1: rigid
  double *spline;  // [n × n]  row j: d²u/ds² at s_j per nodal value, not-a-knot cubic spline
  // [n − 1 × 3]  beams: Γ of guide_beam.c (1) between node j and j + 1, n1 n1, n1 n2, n2 n2; else
  //              NULL
  double *shear;
} mw_guide;

// Stress or strain at a point: six rows of S, xx yy zz xy yz zx, body axes.
typedef struct mw_gauge_place {  // an element that has the point
  int elem;                      // of the body's mesh
  double xi[3];                  // natural coordinates, solids
  double weight;                 // of the mean over such elements
} mw_gauge_place;

typedef struct mw_gauge {
  int output;  // into the model's outputs
  int row;     // first row of S, -1: the body is rigid and has no stress
  bool strain;
  double z;  // m, height over the middle surface of shells
  int n_place;
  const mw_gauge_place *place;  // [n_place]  of bodies that are not projected
} mw_gauge;

typedef struct mw_body {
  const char *name;
  mw_at at;
  bool ground;  // frame fixed in space; u has fixed nodes
  bool gravity;
  double m, mX[3], J[9];  // kg; kg·m; kg·m² = ∫ρ X Xᵀ (not the inertia tensor), body frame
  int n_u;                // elastic unknowns, 0: rigid
  double *s;              // [3 × n_u]   s_β
  double *h;              // [9 × n_u]   h_αβ, row 3α+β
  mw_csc K, M;            // [n_u × n_u] symmetric, lower; M = Σ_α M_αα
  mw_csc Mab[6];  // M_xx M_yy M_zz (symmetric, lower), M_xy M_xz M_yz (general);  M_βα = M_αβᵀ
  double *R;      // [n_u × 6]   rigid modes: 3 translations, 3 rotations about the frame origin;
                  // NULL on ground bodies
  int n_z;        // functionals
  mw_csc P;       // [n_z × n_u] general
  int n_frame, n_guide;  // frame k of mw_body_in.attach is frame[k]
  mw_frame *frame;
  mw_guide *guide;
  int n_gauge;
  mw_gauge *gauge;
  mw_csc S;  // [6 n_gauge × n_u] general; stress Pa or strain 1 per unknown. Apart from P: no joint
             // can touch it
  double alpha, beta;  // Rayleigh damping, 1/s and s
  // for pictures, of elastic bodies that are not projected
  int n_node, n_edge, n_tri;
  double *X;  // [n_node × 3]  m, body frame
  mw_csc N;   // [3 n_node × n_u] nodal displacements
  mw_csc Nr;  // [3 n_node × n_u] nodal rotations, of meshes with shells; else without rows
  int *edge;  // [n_edge × 2]  beam elements
  int *tri;   // [n_tri × 3]   surface triangles (corner nodes)
  // of solids and shells, else NULL: the elements over these nodes and what their parts are made of
  const mw_mesh *mesh;
  const mw_material *part_material;     // [mesh->n_part]
  const double *part_thickness;         // [mesh->n_part]  m, shells
  const struct mw_strain_data *strain;  // elements for fem/strain.h, NULL: linear
  const struct mw_cad_props *cad;       // what the CAD program says, NULL without
} mw_body;

// Builds body b of the model (reads its mesh). Memory from mem; borrows names from the model.
MW_MUST_USE mw_code mw_body_build(const mw_model *model, int b, mw_arena *mem, mw_body *out,
                                  mw_error *err);

// T [n_u × k] row-major. The projected body (K, M, M_αβ stored full) shares names, frames and
// guides with `body` (borrowed: body must outlive it); X, N, edge, tri are left empty. With k = 0
// and T NULL: the rigid body.
MW_MUST_USE mw_code mw_body_project(const mw_body *body, const double *T, int k, mw_arena *mem,
                                    mw_body *out, mw_error *err);

// Invariants: sizes, finite values, symmetry by storage, R consistent with P; and reports
//   rigid_residual: max over the six rigid modes of |K r|_inf / (|K|_max |r|_inf),
//                   0 for ground and rigid bodies
MW_MUST_USE mw_code mw_body_check(const mw_body *body, double *rigid_residual, mw_error *err);

// Weights of a guide's nodes at arc length s for contact length len (m), and their first and second
// s-derivatives, exact ones of each other.  W, W1, W2 [n], W1 and W2 may be NULL. The cubic-spline
// interpolant of nodal values, its mean over len: C² in s, ΣW = 1, ΣW s_j = s. Outside [0, length]
// (by more than 1e-9 length) MW_ERR_RANGE. Guides with pads: the pad's length is in their
// functionals, len is that or 0; outside [s[0], s[n-1]] MW_ERR_RANGE. Rigid guide: nothing to do.
MW_MUST_USE mw_code mw_guide_weights(const mw_guide *g, double s, double len, double *W, double *W1,
                                     double *W2, mw_error *err);

typedef struct mw_guide_place {  // where on a guide, and which derivative
  double s, len;                 // m; a place and length mw_guide_weights has accepted
  int order;                     // of the s-derivative: 0, 1, 2
} mw_guide_place;

// Displacement u (m) and rotation r (rad) of an elastic guide at a place, or their s-derivatives,
// body axes. Beams: across the guide from nodal displacements and rotations (guide_beam.c), along
// it and r from nodal values by W; meshes: u by W, r = 0. C² in s.
//   W [n]  the weights of at.order;  z  the body's functionals from g->z on
void mw_guide_field(const mw_guide *g, mw_guide_place at, const double *W, const double *z,
                    double u[3], double r[3]);
// The same as a row: z [functionals from g->z on] += coefficients of n·u + m·r
void mw_guide_row(const mw_guide *g, mw_guide_place at, const double *W, const double n[3],
                  const double m[3], double *z);

// y := Σ_βα z_βα M_βα x  (z [9] row-major, 3β+α), the convective mass operator; work [2 n_u]
void mw_body_mul_mass(const mw_body *body, const double z[9], const double *x, double *y,
                      double *work);
// Of every pair of k vectors: c [k × k × 9], c_αβ = x_iᵀ M_αβ x_j row-major; work [n_u]
void mw_body_mass_products(const mw_body *body, int k, const double *const *x, double *c,
                           double *work);

MW_API_END

#endif
