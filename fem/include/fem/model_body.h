// SPDX-License-Identifier: BSD-3-Clause
// model_body.h: bodies of the user's model file, what they are made of and the places on them.
#ifndef MW_FEM_MODEL_BODY_H
#define MW_FEM_MODEL_BODY_H

#include <stdbool.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

typedef struct mw_material {
  const char *name;
  mw_at at;
  double E, nu, rho;  // Pa, 1, kg/m³
} mw_material;

// Beam section, local axes x along the beam, y and z principal; width along y, height along z.
typedef struct mw_section {
  const char *name;
  mw_at at;
  double A;       // m²
  double Iy, Iz;  // m⁴, ∫z² dA and ∫y² dA
  double It;      // m⁴, torsion constant
  double ky, kz;  // shear correction factors; 0: no shear flexibility (Euler-Bernoulli)
  bool rotary;    // rotary inertia of the section counts (default true)
} mw_section;

typedef struct mw_point {  // a named node of a beam body
  const char *name;
  mw_at at;
  double x[3];  // m, body frame
} mw_point;

typedef struct mw_member {  // a straight line of equal beam elements
  mw_at at;
  int from, to;           // into points
  int section, material;  // into sections, materials
  int n_elem;
  double up[3];  // approximate local z axis, body frame; projected normal to the beam
} mw_member;

typedef enum mw_attach_kind {
  MW_ATTACH_POINT,   // rigid body (or the frame of a ground body): a point of it
  MW_ATTACH_NODE,    // a beam point, or the node nearest to x (within 1e-6 of the body's size)
  MW_ATTACH_RIGID,   // RBE2: the node set moves rigidly with the frame (eliminated)
  MW_ATTACH_AVERAGE  // RBE3: the frame follows the set in the least-squares sense
} mw_attach_kind;

typedef struct mw_attach {  // a frame that joints, outputs and springs refer to as body.name
  const char *name;
  mw_at at;
  mw_attach_kind kind;
  const char *set;    // beam point or mesh set name, NULL for POINT
  double x[3];        // m, body frame, origin of the frame (NODE: filled by mw_body_build)
  bool has_x;         // the user gave x
  double mass;        // kg, point mass carried there (NODE, RIGID), 0 if none
  double inertia[6];  // kg·m² about x: xx yy zz xy xz yz, body axes
} mw_attach;

typedef struct mw_guide_in {
  const char *name;
  mw_at at;
  const char *set;    // mesh set name of the nodes, or NULL
  int from, to;       // beam points: all beam nodes on the straight line between them; else -1
  double ends[2][3];  // two points (set == NULL, from < 0): guide of a rigid body, or on a face of
                      // a solid with a pad; m, body frame
  double pad[2];  // m, length and width of a runner's contact on a solid's face; 0: the nodes' line
  double normal[3];  // approximate first normal n1, projected normal to the guide
  double start[3];   // has_start: s = 0 is the end nearest to this point, else the first node
  bool has_start;
} mw_guide_in;

typedef struct mw_support {  // ground body: nodes of the set are fixed
  mw_at at;
  const char *set;  // beam point or mesh set
  bool dof[6];      // x y z rx ry rz
} mw_support;

typedef enum mw_pick_kind {  // which nodes a set of the model takes
  MW_PICK_BOX,               // between corners p and q
  MW_PICK_PLANE,             // on the plane through p with normal q
  MW_PICK_LINE,              // on the segment from p to q
  MW_PICK_CYLINDER,          // at distance r from the axis p to q
  MW_PICK_NEAREST,           // the node nearest to p
  MW_PICK_TAGS               // by the numbers of the file
} mw_pick_kind;

typedef struct mw_node_set_in {  // a set of nodes by their place
  const char *name;
  mw_at at;
  mw_pick_kind kind;
  double p[3], q[3], r;  // m, body frame
  double within;         // m, tolerance; 0: 1e-6 of the body's size
  int n_tag, *tag;
} mw_node_set_in;

typedef struct mw_part_in {  // what a physical group or ELSET of elements is made of
  const char *name;
  mw_at at;
  int material;      // into materials, -1: the body's, or the file's own
  double thickness;  // m, shells; 0: the file's own
} mw_part_in;

typedef struct mw_tie_in {  // slave nodes follow the elements under the master set
  mw_at at;
  const char *slave, *master;  // sets
  double distance;             // m, farther nodes are an error; 0: 1e-3 of the body's size
} mw_tie_in;

typedef struct mw_bushing_in {  // a spring between two frames of one body
  const char *name;
  mw_at at;
  int a, b;             // into attach
  double stiffness[6];  // N/m, N·m/rad: x y z rx ry rz, body axes
} mw_bushing_in;

typedef struct mw_cad_group_in {  // a face or an edge of a CAD model that gets a name
  const char *name;
  mw_at at;
  int dim;      // 2: face, 1: edge
  double x[3];  // m, on it or near it
} mw_cad_group_in;

typedef struct mw_cad_refine_in {  // finer elements near a place
  mw_at at;
  const char *group;  // a face or edge of groups, or NULL: the point x
  double x[3];        // m
  double size;        // m, elements there
  double distance;    // m, up to where; the body's size takes over at twice the distance
} mw_cad_refine_in;

typedef struct mw_cad_in {  // STEP, BREP, IGES or gmsh script, meshed by gmsh
  const char *file;         // resolved against the model's folder
  mw_at at;
  double size;  // m, of the elements
  int order;    // 1 or 2
  // metres a unit of length of files that declare none; 0: the file declares it (STEP)
  double scale;
  int n_group, n_refine;
  mw_cad_group_in *group;
  mw_cad_refine_in *refine;
} mw_cad_in;

typedef struct mw_matrices_in {  // matrices of another finite-element program
  const char *stiffness, *mass;  // .sti, .mas, .mtx, or punched DMIG (.pch, .bdf, .dat)
  const char *dofs;              // .dof, NULL without
  const char *nodes;             // .inp, .bdf with GRID, or a table "number x y z"
  mw_at at, stiffness_at, mass_at, dofs_at, nodes_at;
} mw_matrices_in;

typedef struct mw_expected_in {  // what the CAD program says
  bool present;
  mw_at at;
  double mass;  // kg, 0: not given
  bool has_com, has_inertia;
  double com[3];      // m, body frame
  double inertia[6];  // kg·m² about the centre of mass: xx yy zz xy xz yz
  double tolerance;   // relative
} mw_expected_in;

typedef struct mw_body_in {
  const char *name;
  mw_at at;
  bool ground;          // fixed to ground: its frame never moves
  bool gravity;         // feels gravity (default true)
  double origin[3];     // m, frame in the reference configuration
  double axes[9];       // row-major, columns are the body's base vectors in ground axes
  bool rigid;           // mass properties given directly (or a massless ground body)
  double mass, com[3];  // kg; m, body frame
  double inertia[6];    // kg·m² about the centre of mass: xx yy zz xy xz yz (tensor components)
  mw_at mass_at;
  // the CAD file that mass, com and inertia of a rigid body were taken from, NULL if none
  mw_cad_in *solid;
  // path of a .msh or .inp file (resolved against the model's folder), NULL if none
  const char *mesh;
  mw_at mesh_at;
  double mesh_scale;         // metres a unit of length, default 1
  bool has_unit;             // the user declared unit or scale
  int mesh_material;         // into materials, -1: the file's or the parts' own
  mw_cad_in *cad;            // NULL if none
  mw_matrices_in *matrices;  // NULL if none
  mw_expected_in expected;
  int n_part, n_node_set, n_tie, n_bushing;
  mw_part_in *part;
  mw_node_set_in *node_set;
  mw_tie_in *tie;
  mw_bushing_in *bushing;
  int n_point, n_member, n_attach, n_guide, n_support;
  mw_point *point;
  mw_member *member;
  int divide;  // bodies the user wants it cut into; 1 once the model is read (model_divide.c)
  mw_attach *attach;
  mw_guide_in *guide;
  mw_support *support;
  double alpha, beta;  // C = alpha M + beta K of this body, 1/s and s (default: the model's)
} mw_body_in;

MW_API_END

#endif
