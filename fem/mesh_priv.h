// SPDX-License-Identifier: BSD-3-Clause
// mesh_priv.h: what a .msh file says, between its reader (mesh_msh.c) and the mesh made of it
// (mesh_build.c).
#ifndef MW_FEM_MESH_PRIV_H
#define MW_FEM_MESH_PRIV_H

#include <stdbool.h>
#include <stdio.h>

#include "fem/mesh.h"

typedef struct msh_group {  // a named physical group
  int dim, tag;
  const char *name;
} msh_group;

typedef struct msh_entity {  // a point, curve, surface or volume of the geometry
  int dim, tag;
  int n, *physical;  // [n]  tags of its physical groups
} msh_entity;

typedef struct msh_node {
  int tag, index;  // index into x
  int line;
} msh_node;

typedef struct msh_block {      // elements of one type on one entity
  int dim, entity_tag, entity;  // entity: into msh_reader.entity, -1: none
  int n, n_per;                 // elements, nodes of each
  int *tag;                     // [n]
  int *node;                    // [n × n_per]  indices into x
  int line;
} msh_block;

typedef struct msh_reader {
  const char *path;
  const char *buf;  // [size], then a zero byte
  size_t size, pos;
  int line;
  bool binary, have_format;
  double scale;
  mw_arena *mem, tmp;  // mem: of the mesh
  int n_group, n_entity, n_node, n_block;
  msh_group *group;
  msh_entity *entity;
  msh_node *node;  // ascending tags once read
  double *x;       // [n_node × 3]
  msh_block *block;
} msh_reader;

// Sorts nodes by tag; a tag that appears twice is an error.
MW_MUST_USE mw_code mw_msh_sort_nodes(msh_reader *r, mw_error *err);
int mw_msh_find_node(const msh_reader *r, int tag);  // index into x, -1: no such node
// Tetrahedra, their nodes, sets and surface.
MW_MUST_USE mw_code mw_msh_build(msh_reader *r, mw_mesh *out, mw_error *err);

#endif
