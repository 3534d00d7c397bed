// SPDX-License-Identifier: BSD-3-Clause
// body_priv.h: what the files that build a body share: its nodes and the map from their motions to
// the unknowns.
#ifndef MW_FEM_BODY_PRIV_H
#define MW_FEM_BODY_PRIV_H

#include "fem/body.h"
#include "fem/element.h"

// Nodes come first, dof each (3 solid, 6 beam), then the masters of rigid patches with six each.
// Motion d is a linear combination of unknowns: row d of (ptr, unknown, coef), empty when fixed,
// several entries when slaved to a master.
typedef struct mw_body_work {
  const mw_model *model;
  const mw_body_in *in;
  mw_arena *mem;  // of the result
  mw_arena tmp;   // of this build
  mw_mesh mesh;   // solid bodies
  bool solid;
  double size;      // m, diagonal of the bounding box
  int n_node, dof;  // finite-element nodes, motions each
  int n_master;
  int n_elem;          // beam elements
  int *elem;           // [n_elem × 2]  nodes
  int *elem_member;    // [n_elem]
  double *X;           // [(n_node + n_master) × 3]  m
  int *master;         // [n_node]  rigid patch of the node, -1: none
  int *master_attach;  // [n_master]  index of the attachment
  char *fixed;         // [n_node × dof]
  char *used;          // [n_node]  the node belongs to an element
  int n_motion, n_u;
  int *ptr, *unknown;  // [n_motion + 1], [ptr[n_motion]]
  double *coef;        // [ptr[n_motion]]
} mw_body_work;

static inline int mw_body_motion(const mw_body_work *w,
                                 int node)  // first motion of a node or master
{
  return node < w->n_node ? w->dof * node : w->dof * w->n_node + 6 * (node - w->n_node);
}

// Adds coef × motion to row `row` of the functionals.
void mw_body_add_motion(const mw_body_work *w, mw_triplets *P, int row, int motion, double coef);

// Nodes named `set` (a beam point or a physical group); node is borrowed from the mesh or allocated
// in w->tmp.
MW_MUST_USE mw_code mw_body_find_set(mw_body_work *w, const char *set, mw_at at, int *n,
                                     const int **node, mw_error *err);
// The node within 1e-6 of the body's size of x.
MW_MUST_USE mw_code mw_body_find_node(const mw_body_work *w, const double x[3], mw_at at, int *node,
                                      mw_error *err);
// Origin of an attachment: the user's point, else the centroid of its set.
MW_MUST_USE mw_code mw_body_attach_origin(mw_body_work *w, const mw_attach *a, double X[3],
                                          mw_error *err);

// body_frame.c: frames (their rows of P and mw_body.frame)
MW_MUST_USE mw_code mw_body_frames(mw_body_work *w, mw_triplets *P, mw_body *out, mw_error *err);
// guide_build.c: guides (their rows of P and mw_body.guide); rigid bodies: w->n_node = 0
MW_MUST_USE mw_code mw_body_guides(mw_body_work *w, mw_triplets *P, mw_body *out, mw_error *err);
// body_assemble.c: K, M_αβ, s, h, m, mX, J from elements and point masses
MW_MUST_USE mw_code mw_body_assemble(mw_body_work *w, mw_body *out, mw_error *err);

#endif
