// SPDX-License-Identifier: BSD-3-Clause
// mesher_priv.h: what the parts of the program modeway-mesher share. Only this folder knows gmsh.
//
// A job's lengths are metres. The geometry keeps the unit of the kernel (millimetres for STEP and
// IGES, for which OpenCASCADE's tolerances are made; the file's own otherwise): cad.unit metres
// each.
#ifndef MW_FEM_MESHER_PRIV_H
#define MW_FEM_MESHER_PRIV_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

typedef struct job_group {
  const char *name;
  int dim;      // 2: face, 1: edge
  double x[3];  // m
  int tag;      // of the face or edge, set by cad_groups
} job_group;

typedef struct job_refine {
  int group;              // into group, -1: the point x
  double x[3];            // m
  double size, distance;  // m
} job_refine;

typedef struct job {
  const char *file, *out;
  double size;   // m
  double scale;  // metres a unit of the file, 0: the file says
  int order;     // 1 or 2
  bool verbose;
  bool convert, parts;  // writes the geometry, or the list of solids, instead of a mesh
  int n_group, n_refine;
  job_group *group;
  job_refine *refine;
  mw_arena mem;
} job;

typedef struct cad {
  double unit;  // m
  int n_solid, n_face, n_edge;
  int *solid, *face, *edge;  // tags; faces of solids and edges of those only
  double lo[3], hi[3];       // bounding box, kernel units
  double diagonal;           // of the box, kernel units
  bool known;                // volume, centre and inertia
  double volume;             // m³
  double centre[3];          // m
  double inertia[6];         // m⁵ about the centre, unit density: xx yy zz xy xz yz
} cad;

typedef struct mesh_facts {
  int n_node, n_elem, n_straight;  // n_straight: elements made less curved
  double volume;                   // m³
} mesh_facts;

// mesher_job.c
MW_MUST_USE mw_code job_read(int argc, char **argv, job *out, mw_error *err);
void job_print_help(FILE *f);

// step.c, whole.c: the text of a file before OpenCASCADE sees it.
MW_MUST_USE mw_code step_check(job *j, mw_error *err);
MW_MUST_USE mw_code brep_check(job *j, mw_error *err);
MW_MUST_USE mw_code iges_check(job *j, mw_error *err);
// job.file into job.mem, with a zero byte behind its n bytes.
MW_MUST_USE mw_code text_load(job *j, char **text, size_t *n, mw_error *err);

// geometry.c: opens the file, finds solids, faces and edges, their integrals and the groups' tags.
MW_MUST_USE mw_code cad_read(job *j, cad *out, mw_error *err);
// Integrals of all solids of c.
void cad_integrate(cad *c);
MW_MUST_USE mw_code cad_groups(job *j, const cad *c, mw_error *err);
// Writes the geometry itself to job.out; STEP declares its lengths to be millimetres.
MW_MUST_USE mw_code cad_convert(job *j, mw_error *err);
// "FILE what: gmsh's reason"; returns code.
mw_code cad_fail(const job *j, mw_code code, const char *what, mw_error *err);

// generate.c: groups, element sizes, mesh, file.
MW_MUST_USE mw_code mesh_build(job *j, const cad *c, mesh_facts *out, mw_error *err);

// parts.c: writes the list of solids and of their flat and cylindrical faces to job.out.
MW_MUST_USE mw_code parts_write(job *j, const cad *c, mw_error *err);

// straighten.c: makes edges less curved where an element's Jacobian would come near zero; counts
// and measures.  order 1 or 2
MW_MUST_USE mw_code mesh_straighten(job *j, const cad *c, mesh_facts *out, mw_error *err);

#endif
