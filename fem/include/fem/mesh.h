// SPDX-License-Identifier: BSD-3-Clause
// mesh.h: finite-element meshes of one body, read from gmsh .msh files (2.2 and 4.1, text and
// binary) and from Abaqus and CalculiX .inp files.
#ifndef MW_FEM_MESH_H
#define MW_FEM_MESH_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/element_kinds.h"

MW_API_BEGIN

// What every element of a kind has (the others: element_class.h). Nodes in the order of VTK and
// Abaqus: corners, then mid-edge nodes (wedges and hexahedra: of the bottom, of the top, of the
// sides). gmsh numbers some mid-edge nodes otherwise.
typedef struct mw_elem_info {
  const char *name;  // "10-node tetrahedron"
  int n_node, dim;   // dim 3: solid, 2: shell
  int dof;           // degrees of freedom a node: 3 solid, 6 shell
  int vtk;           // VTK cell type
  int n_face;        // faces of a solid, 0 for shells
  // [n_face]: nodes of a face, corners outward in order then its mid-edge nodes, −1 beyond
  int face[6][8];
  int face_corner[6];  // corners of the face, 3 or 4
} mw_elem_info;
const mw_elem_info *mw_elem_info_of(mw_elem_kind kind);

// Physical group, NSET, ELSET or surface: the nodes of its elements (any dimension), ascending, no
// duplicates.
typedef struct mw_mesh_set {
  const char *name;
  int dim;
  int n;
  int *node;  // [n]  indices into x
} mw_mesh_set;

// Elements of one material: a physical group of volumes (surfaces, which are shells then, in a file
// without volumes), an ELSET with a section. Elements of groups a and b: part "a+b"; in no group or
// without a section: part "".
typedef struct mw_mesh_part {
  const char *name;
  int dim;
  bool has_material;  // the file gives it, in the units of the file times the mesh's scale: SI
  double E, nu, rho;  // Pa, 1, kg/m³
  double thickness;   // m, shells; 0: not given
} mw_mesh_part;

// Nodes of `slave` follow the elements whose faces have all their nodes in `master`.
typedef struct mw_mesh_tie {
  const char *name;
  int slave, master;  // into set
  double distance;    // m, nodes farther from the master surface are not tied; 0: default
} mw_mesh_tie;

typedef struct mw_mesh_mass {  // a point mass of the file
  int node;
  double mass;  // kg
} mw_mesh_mass;

typedef struct mw_mesh {
  const char *path;
  int n_node, n_elem, n_set, n_part, n_tie, n_mass;
  double *x;                 // [n_node × 3]  m (after scale); nodes no element uses are dropped
  int *tag;                  // [n_node]      the file's node number, for messages
  unsigned char *elem_kind;  // [n_elem]  mw_elem_kind
  int *elem_ptr;             // [n_elem + 1]  into elem_node
  int *elem_node;            // node indices
  int *elem_tag;             // [n_elem]  the file's element number
  int *elem_part;            // [n_elem]  into part
  mw_mesh_part *part;
  // named physical groups, NSETs, surfaces; unnamed groups get "dim_tag", e.g. "2_5"
  mw_mesh_set *set;
  mw_mesh_tie *tie;
  mw_mesh_mass *mass;
  // faces of solids that only one element has, once each, outward; shells are not in here
  int n_face;
  int *face_elem;  // [n_face]
  int *face_side;  // [n_face]  into mw_elem_info.face of the element's kind
} mw_mesh;

// Reads a mesh, coordinates times scale (metres a unit of length). The ending says what it is:
// .inp, else gmsh. Of an .inp file the model data count (nodes, elements, sets, surfaces, ties,
// materials, sections, masses); boundary conditions and everything from *STEP on are passed over. A
// material of the file is in the consistent units of that length with newton and second (mm: MPa,
// tonne/mm³).
// Errors: file:line (text) or file with the byte offset in the message (binary).
MW_MUST_USE mw_code mw_mesh_read(const char *path, double scale, mw_arena *mem, mw_mesh *out,
                                 mw_error *err);
// The files an .inp is read from: itself, then what it includes, up to its *STEP; file [n].
MW_MUST_USE mw_code mw_inp_files(const char *path, mw_arena *mem, int *n, const char ***file,
                                 mw_error *err);
// Ids in range, finite coordinates, every mid-edge node near the middle of its edge, every element
// of positive Jacobian at its corners (named by number and position), no element twice.
MW_MUST_USE mw_code mw_mesh_check(const mw_mesh *m, mw_error *err);
// Fills face_elem and face_side from the elements (readers call it last).
MW_MUST_USE mw_code mw_mesh_surface(mw_mesh *m, mw_arena *mem, mw_error *err);
// Nodes within tol (m) of one with a smaller index: their number n, and the first with its partner
// in pair (indices, the smaller first; -1 when there are none).
MW_MUST_USE mw_code mw_mesh_coincident(const mw_mesh *m, double tol, int *n, int pair[2],
                                       mw_error *err);
// Nodes of face k: [8], −1 beyond; returns their number.
int mw_mesh_face(const mw_mesh *m, int k, int node[8]);

MW_API_END

#endif
