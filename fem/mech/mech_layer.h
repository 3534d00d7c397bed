// SPDX-License-Identifier: BSD-3-Clause
// mech_layer.h: what the joints share: a frame on a moving body, and the two primitives all joint
// rows are made of.
//
//   point:  w·x ,  x = o + E Y ,  Y = X + t        d(w·x) = ŵ·ô + ŵᵀ Ê Y + ŵ·dt          ŵ = Eᵀ w
//   axis:   w·A ,  A = E c ,      c = exp(r~) f     d(w·A) = ŵᵀ Ê c + Tᵀ (c × ŵ)·dr  T: base/vec3.h
//
// (ô, Ê) are variations in body axes, (t, r) the frame's elastic translation and rotation vector.
#ifndef MW_FEM_MECH_LAYER_H
#define MW_FEM_MECH_LAYER_H

#include "fem/joint.h"

typedef struct mw_side {  // one side of a joint
  const double *p;        // [12] frame of the body
  const double *z;        // functionals of the body, NULL: zero
  int z0;                 // first of the frame's six functionals, -1: rigid
  int n_z;                // functionals of the body: row length of Z
  double *J, *Z;          // [n × 12], [n × n_z] rows to fill
  double Y[3];            // m, body axes
  double x[3];            // m, ground axes
  double f[9], c[9],
      A[9];  // joint axes by rows: undeformed and deformed in body axes, deformed in ground axes
} mw_side;

// Fills Y, x, f, c, A for joint axes F (row-major, axes are columns) at X of the body.
void mw_side_init(mw_side *k, const double X[3], const double F[9]);
// Adds w·dx, or w·dA_i, to row `row` of J and Z.
void mw_side_add_point(mw_side *k, int row, const double w[3]);
void mw_side_add_axis(mw_side *k, int row, int i, const double w[3]);

// g[row] = A_i(a)·A_j(b)
void mw_row_axes(mw_side *a, mw_side *b, int i, int j, int row, double *g);
// g[row] = A_i(a)·(x_b − x_a)
void mw_row_along(mw_side *a, mw_side *b, int i, int row, double *g);
// g[row … row+2] = x_b − x_a
void mw_row_point(mw_side *a, mw_side *b, int row, double *g);
// g[row] = row r of joint/turn.c:  dg = Σ_i dA_i(a)·Σ_j W_ij A_j(b) + Σ_j dA_j(b)·Σ_i W_ij A_i(a)
void mw_row_turn(mw_side *a, mw_side *b, const mw_row *r, int row, double *g);

typedef struct mw_joint_sides {
  mw_side a, b;
  double s;  // joint coordinate
} mw_joint_sides;

// g, J, Z, Js of the rows of j->list and of its coordinate
void mw_joint_list_eval(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e);

// ---- fem/joint/: one file a joint, its equations above the code ---------------------------------

// Rows as they are described, at the joint's points unless moved.
typedef struct mw_row_list {
  mw_row *row;  // [n], room for MW_JOINT_ROWS
  int n;
} mw_row_list;
enum { MW_JOINT_ROWS = 160 };

mw_row *mw_row_add(mw_row_list *l, const mw_joint *j, mw_row_kind kind, int i, int k);
// [A3(a)·A2(b), A1(a)·A3(b), A2(a)·A1(b)], to first order the rotation of b against a about A1 A2
// A3
void mw_row_add_orientation(mw_row_list *l, const mw_joint *j);

// of a cylindrical joint, and of a screw
void mw_joint_cylindrical_rows(const mw_joint *j, mw_row_list *l);

#endif
