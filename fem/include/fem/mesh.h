// SPDX-License-Identifier: BSD-3-Clause
// mesh.h: quadratic tetrahedral meshes read from gmsh .msh files (4.1, text and binary).
#ifndef MW_FEM_MESH_H
#define MW_FEM_MESH_H

#include "base/arena.h"

// A physical group: the nodes of its elements (any dimension), ascending, no duplicates.
typedef struct mw_mesh_set {
  const char *name;
  int dim;
  int n;
  int *node;  // [n]  indices into x
} mw_mesh_set;

typedef struct mw_mesh {
  int n_node, n_tet, n_set;
  double *x;         // [n_node × 3]  m (after scale); nodes no tetrahedron uses are dropped
  int *tag;          // [n_node]      gmsh node tag, for messages
  int *tet;          // [n_tet × 10]  node indices, order of mw_tet10_element
  int *tet_tag;      // [n_tet]       gmsh element tag
  mw_mesh_set *set;  // [n_set]       named physical groups; unnamed ones get "dim_tag", e.g. "2_5"
  int n_tri;         // surface triangles of the tets (each boundary face once), for pictures
  int *tri;          // [n_tri × 6]
} mw_mesh;

// Reads a mesh, coordinates times scale. Errors: file:line (text) or file with the byte offset in
// the message (binary). Only 10-node tetrahedra are taken as volume elements (4-node ones: an error
// that says to use order 2).
MW_MUST_USE mw_code mw_mesh_read(const char *path, double scale, mw_arena *mem, mw_mesh *out,
                                 mw_error *err);
// Ids in range, finite coordinates, every tetrahedron of positive volume.
MW_MUST_USE mw_code mw_mesh_check(const mw_mesh *m, const char *path, mw_error *err);

#endif
