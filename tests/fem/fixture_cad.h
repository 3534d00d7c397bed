// SPDX-License-Identifier: BSD-3-Clause
// fixture_cad.h: CAD files for tests, made by gmsh scripts and the mesher's own STEP writer, in a
// folder of their own with a cache of its own.
#ifndef MW_FIXTURE_CAD_H
#define MW_FIXTURE_CAD_H

#include "fem/cad.h"
#include "fixture_body.h"

#define FIXTURE_CAD "test_cad.tmp"

// A body with a CAD file: size as given, order 2, no groups; room for some.
typedef struct fixture_cad {
  fixture_body f;
  mw_cad_in cad;
  mw_cad_group_in group[4];
  mw_cad_refine_in refine[4];
} fixture_cad;

// An empty folder FIXTURE_CAD, the cache inside it. Returns 0 on success.
int fixture_cad_begin(void);
void fixture_cad_end(void);  // the folder goes

int fixture_cad_write(const char *path, const char *text);
// text of a gmsh script (OpenCASCADE, millimetres) as FIXTURE_CAD/name.step
int fixture_cad_step(const char *name, const char *script);
// The whole file, zero-terminated; freed by the caller. NULL: there is none.
char *fixture_cad_load(const char *path, size_t *n);
// Every `what` in the file becomes `with`; returns how many there were, -1: failed.
int fixture_cad_replace(const char *path, const char *what, const char *with);

// The fixture is linked to itself: it must not move.
void fixture_cad_init(fixture_cad *c, const char *file, double size);
mw_cad_group_in *fixture_cad_group(fixture_cad *c, const char *name, int dim, double x, double y,
                                   double z);
// mw_cad_mesh, then mw_mesh_read and mw_mesh_check.
mw_code fixture_cad_mesh(fixture_cad *c, mw_arena *mem, mw_mesh *mesh, mw_cad_props *props,
                         mw_error *err);
const mw_mesh_set *fixture_cad_set(const mw_mesh *mesh, const char *name);  // NULL: none

#endif
