// SPDX-License-Identifier: BSD-3-Clause
// guide_priv.h: faces of solids in the plane of a guide, and a runner's pad on them.
#ifndef MW_FEM_GUIDE_PRIV_H
#define MW_FEM_GUIDE_PRIV_H

#include "body/body_layer.h"

typedef struct mw_pad_face {
  int n, n_corner;      // nodes, corners
  int node[8];          // of the mesh; corners, then mid-edge nodes
  double x[8][2];       // m, along the guide and across it (n2), from the guide's start
  double lo[2], hi[2];  // m, of x
  bool affine;          // mw_pad_face_is_affine: the parameters map linearly
} mw_pad_face;

typedef struct mw_pad_place {
  double s, y, length, width;  // m, centre and sides
  bool smooth;                 // the kernel (1) of guide_face.c; else 1 on the pad
} mw_pad_place;

bool mw_pad_face_is_affine(const mw_pad_face *f);
// Evaluates the cubic B-spline of unit area on [−2, 2].
double mw_pad_kernel(double x);
// Integrates over the face: w [n × 3] := ∫ B (1, (x − s)/length, (y − y0)/width) N_i dA. false: the
// face is not under the pad, w = 0.
bool mw_pad_integrate(const mw_pad_face *f, const mw_pad_place *at, double w[8][3]);

// Finds the interval [s_j, s_{j+1}] that holds s, the end ones continued outwards (guide.c).
int mw_guide_interval(const mw_guide *g, double s);
// Evaluates the displacement across a guide of beams, along n1 and n2, or its derivative; the
// second adds the row n·v to z (guide_beam.c).
void mw_guide_across(const mw_guide *g, mw_guide_place at, const double *z, double v[2]);
void mw_guide_across_row(const mw_guide *g, mw_guide_place at, const double n[2], double *z);

// Makes the axes from two ends: t, n1 from `normal` made normal to it, n2 = t × n1 (guide_build.c).
MW_MUST_USE mw_code mw_guide_axes(const mw_guide_in *in, const double normal[3], const double a[3],
                                  const double b[3], mw_guide *g, mw_error *err);
// Makes the stations of a guide with pads and their rows of P, once the axes are known from its two
// ends. Turns n1 into the normal of the face and moves the line onto it. edge: the line is given by
// nodes and may be the border of its face (guide_pad.c).
MW_MUST_USE mw_code mw_guide_pads(mw_body_work *w, const mw_guide_in *in, bool edge, mw_triplets *P,
                                  mw_guide *g, mw_error *err);

#endif
