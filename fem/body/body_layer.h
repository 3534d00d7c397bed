// SPDX-License-Identifier: BSD-3-Clause
// body_layer.h: what the files that build a body share: its nodes and the map from their motions to
// the unknowns.
#ifndef MW_FEM_BODY_LAYER_H
#define MW_FEM_BODY_LAYER_H

#include "base/names_layer.h"
#include "fem/body.h"
#include "fem/element.h"

// A spring over unknowns: K += k g gᵀ
typedef struct mw_spring_row {
  int n;
  int *unknown;  // [n]
  double *coef;  // [n]  g
  double k;      // N/m, or by what g says
} mw_spring_row;

// Nodes come first, dof each (3 solids, 6 beams and shells), then the masters of rigid patches with
// six each. Motion d is a linear combination of unknowns: row d of (ptr, unknown, coef), empty when
// fixed or dead, several entries when slaved to a master or tied.
typedef struct mw_body_work {
  const mw_model *model;
  const mw_body_in *in;
  mw_arena *mem;                 // of the result
  mw_arena tmp;                  // of this build
  mw_mesh *mesh;                 // solids and shells, NULL: beams and foreign matrices
  mw_material *part_material;    // [mesh->n_part]
  double *part_thickness;        // [mesh->n_part]  m
  struct mw_cad_props *cad;      // NULL without CAD file
  struct mw_matrices *matrices;  // NULL: elements
  bool meshed;                   // names mean node sets (solids, shells, matrices), not beam points
  mw_name_table names;           // of points
  int n_set;
  mw_mesh_set *set;     // [n_set]  node sets: of the file, then of the model
  const int *tag;       // [n_node]  numbers in the file, meshed bodies
  double lo[3], hi[3];  // m, bounding box
  double size;          // m, its diagonal
  int n_node, dof;      // finite-element nodes, motions each
  char *live;           // [n_node × dof]  the motion belongs to an element
  // nodes that follow others: translation of node i = Σ tie_coef × translation of tie_node, over
  // tie_ptr[i] … tie_ptr[i + 1]; none of these is tied itself. tie_ptr NULL: no ties
  int *tie_ptr, *tie_node;
  double *tie_coef;
  int n_spring;
  mw_spring_row *spring;
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

// Finds the nodes named `set` (a beam point or a node set); node is borrowed or allocated in
// w->tmp.
MW_MUST_USE mw_code mw_body_find_set(mw_body_work *w, const char *set, mw_at at, int *n,
                                     const int **node, mw_error *err);
// Finds the node within 1e-6 of the body's size of x.
MW_MUST_USE mw_code mw_body_find_node(const mw_body_work *w, const double x[3], mw_at at, int *node,
                                      mw_error *err);
// Gives the origin of an attachment: the user's point, else the centroid of its set.
MW_MUST_USE mw_code mw_body_attach_origin(mw_body_work *w, const mw_attach *a, double X[3],
                                          mw_error *err);

// Makes the masters of rigid patches, fixed motions, the map to the unknowns and rigid modes;
// checks that supports hold and that all hangs together (body_map.c).
MW_MUST_USE mw_code mw_body_map(mw_body_work *w, mw_error *err);
MW_MUST_USE mw_code mw_body_rigid_modes(const mw_body_work *w, mw_body *out, mw_error *err);
// Makes the node sets that the model gives by their place (body_nodes.c).
MW_MUST_USE mw_code mw_body_sets(mw_body_work *w, mw_error *err);
// Gives each part its material and thickness; the second checks that sizes and masses are plausible
// (body_parts.c).
MW_MUST_USE mw_code mw_body_parts(mw_body_work *w, mw_error *err);
MW_MUST_USE mw_code mw_body_plausible(const mw_body_work *w, const mw_body *b, mw_error *err);
// Makes tie_ptr, tie_node, tie_coef from the ties of the model and of the mesh (body_tie.c).
MW_MUST_USE mw_code mw_body_ties(mw_body_work *w, mw_error *err);
// Appends springs between frames, over the rows of P, to w->spring; comes after mw_body_frames
// (body_bushing.c).
MW_MUST_USE mw_code mw_body_bushings(mw_body_work *w, const mw_triplets *P, const mw_body *out,
                                     mw_error *err);
// Makes stress and strain outputs, mw_body.gauge and S (body_gauge.c).
MW_MUST_USE mw_code mw_body_gauges(mw_body_work *w, mw_body *out, mw_error *err);
// Fills A [6 × motions]: stress or strain of a gauge per motion of the nodes X of an element, at
// xi.
MW_MUST_USE mw_code mw_gauge_rows(mw_elem_kind kind, const double *X, const mw_material *material,
                                  const mw_gauge *g, const double xi[3], double *A, mw_error *err);
// Make nodes, dof, live and tag of a body of foreign matrices, and its K and mass moments
// (body_matrices.c).
MW_MUST_USE mw_code mw_body_matrix_nodes(mw_body_work *w, mw_error *err);
MW_MUST_USE mw_code mw_body_matrix_assemble(mw_body_work *w, mw_body *out, mw_error *err);
void mw_body_matrix_near(const mw_body_work *w, int node,
                         char *near);  // near [n_node] := 1 of coupled nodes
// Adds the frames: their rows of P and mw_body.frame (body_frame.c).
MW_MUST_USE mw_code mw_body_frames(mw_body_work *w, mw_triplets *P, mw_body *out, mw_error *err);
// Adds the guides: their rows of P and mw_body.guide; of rigid bodies with w->n_node = 0
// (guide_build.c).
MW_MUST_USE mw_code mw_body_guides(mw_body_work *w, mw_triplets *P, mw_body *out, mw_error *err);
// Keeps of the elements what fem/strain.h needs (body_strain.c).
MW_MUST_USE mw_code mw_body_strain_build(const mw_body_work *w, mw_body *out, mw_error *err);
// Assembles K, M_αβ, s, h, m, mX, J from elements and point masses (body_assemble.c).
MW_MUST_USE mw_code mw_body_assemble(mw_body_work *w, mw_body *out, mw_error *err);

#endif
