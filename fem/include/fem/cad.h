// SPDX-License-Identifier: BSD-3-Clause
// cad.h: a CAD file as a mesh, or as a list of its solids, made by the program modeway-mesher.
#ifndef MW_FEM_CAD_H
#define MW_FEM_CAD_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/model.h"

MW_API_BEGIN

// What the CAD kernel says of a part, for a density of one, and what became of it.
typedef struct mw_cad_props {
  bool known;         // volume, com, inertia; a gmsh script without OpenCASCADE has none
  double volume;      // m³
  double com[3];      // m
  double inertia[6];  // m⁵ about the centre: xx yy zz xy xz yz (tensor components)
  int n_solid, n_face, n_edge;
  double mesh_volume;  // m³, of a mesh
  int n_straight;      // its curved elements made less curved to stay valid
} mw_cad_props;

// Path of a gmsh mesh (in metres) of body->cad, made now or taken from the cache: the folder
// $MODEWAY_CACHE, else $XDG_CACHE_HOME/modeway, else ~/.cache/modeway. Sets of the mesh: the
// groups, face_N and edge_N; parts: solid, or solid_1, solid_2, ... (a script's own groups stay).
// Errors at body->cad->at, or at the group or refinement to blame; a mesh whose volume is 1 % off
// the CAD's is one.
MW_MUST_USE mw_code mw_cad_mesh(const mw_body_in *body, mw_arena *mem, const char **msh_path,
                                mw_cad_props *props, mw_error *err);

// What the CAD kernel says of all solids of cad->file together, which need not touch each other;
// from the same cache. path: of the list of the solids one by one (fem/mesher/parts.c), may be
// NULL. Only file, at and scale of cad count. Errors at cad->at.
MW_MUST_USE mw_code mw_cad_solids(const mw_cad_in *cad, mw_arena *mem, const char **path,
                                  mw_cad_props *props, mw_error *err);

MW_API_END

#endif
