// SPDX-License-Identifier: BSD-3-Clause
// cad.h: a body's CAD file as a mesh, made by the program modeway-mesher.
#ifndef MW_FEM_CAD_H
#define MW_FEM_CAD_H

#include "base/arena.h"
#include "fem/model.h"

// What the CAD kernel says of a part, for a density of one.
typedef struct mw_cad_props {
  double volume;      // m³
  double com[3];      // m
  double inertia[6];  // m⁵ about the centre: xx yy zz xy xz yz (tensor components)
} mw_cad_props;

// Path of a gmsh mesh (in metres) of body->cad, made now or taken from the cache. Errors at
// body->cad->at.
MW_MUST_USE mw_code mw_cad_mesh(const mw_body_in *body, mw_arena *mem, const char **msh_path,
                                mw_cad_props *props, mw_error *err);

#endif
