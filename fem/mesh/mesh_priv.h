// SPDX-License-Identifier: BSD-3-Clause
// mesh_priv.h: what mesh files say, between their readers and the mesh made of it.
#ifndef MW_FEM_MESH_PRIV_H
#define MW_FEM_MESH_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "fem/mesh.h"

// ---- nodes and elements of a file (mesh_nodes.c) ----

typedef struct mesh_node {
  int tag, index;  // index into x
  int line, file;  // file: into mesh_nodes.path
} mesh_node;

typedef struct mesh_nodes {  // or, without x, the elements by their numbers
  const char *what;          // "node"
  const char *const *path;   // files they come from
  int n;
  mesh_node *node;  // [n]  ascending tags once sorted
  double *x;        // [n × 3]  units of the file
  int base, range;  // of at
  int *at;          // [range]  index of tag base + k, -1: none; NULL: tags too scattered
} mesh_nodes;

// Sorts nodes by tag; a tag that appears twice is an error with its line.
MW_MUST_USE mw_code mw_mesh_nodes_sort(mesh_nodes *t, mw_arena *tmp, mw_error *err);
int mw_mesh_nodes_find(const mesh_nodes *t, int tag);  // index into x, -1: no such node
// Room for n_elem elements of n_link nodes in all; a mesh too large for int is an error.
MW_MUST_USE mw_code mw_mesh_room(mw_mesh *m, size_t n_elem, size_t n_link, mw_arena *mem,
                                 mw_error *err);
// No element number twice.
MW_MUST_USE mw_code mw_mesh_tags_unique(const mw_mesh *m, mw_arena *tmp, mw_error *err);
// Keeps the nodes of elements in the order of the file, x times scale; map [t->n] old to new index
// or -1.
MW_MUST_USE mw_code mw_mesh_keep_nodes(const mesh_nodes *t, double scale, int *map, mw_arena *mem,
                                       mw_mesh *m, mw_error *err);
// Sorts a list of node indices and drops what is negative or twice; returns what is left.
int mw_mesh_unique(int *node, int n);

// The file as a whole with a zero byte behind it.
MW_MUST_USE mw_code mw_mesh_load(const char *path, mw_at from, mw_arena *tmp, const char **buf,
                                 size_t *size, mw_error *err);

// ---- gmsh ----

typedef struct msh_group {  // a named physical group
  int dim, tag;
  const char *name;
} msh_group;

typedef struct msh_entity {  // a point, curve, surface or volume of the geometry
  int dim, tag;
  int n, *physical;  // [n]  tags of its physical groups
} msh_entity;

typedef struct msh_type {  // a type of gmsh's elements
  int type, n, dim;        // number, nodes
  int kind;                // mw_elem_kind, -1: carries sets only
} msh_type;

typedef struct msh_elems {  // in the order of the file
  int n, cap;
  const msh_type **type;  // [n]
  int *tag;               // [n]
  int *entity;            // [n]  into msh_reader.entity, -1: none
  size_t *ptr;            // [n + 1]  into link
  int *link;              // [cap_link]  indices into nodes.x
  size_t cap_link;
} msh_elems;

typedef struct msh_reader {
  const char *path;
  const char *buf;  // [size], then a zero byte
  size_t size, pos;
  int line;
  bool binary, have_format, have_nodes, have_elems, v2;
  double scale;
  mw_arena *mem, tmp;  // mem: of the mesh
  int n_group, n_entity, cap_entity;
  mesh_nodes nodes;
  msh_group *group;
  msh_entity *entity;
  msh_elems elems;
  msh_type of_kind[MW_ELEM_KINDS];  // types met that become elements
} msh_reader;

// Characters and numbers, text or binary (mesh_scan.c). `what` names the number in messages.
mw_at mw_msh_at(const msh_reader *r);
mw_code mw_msh_fail(const msh_reader *r, mw_error *err, const char *what, const char *detail);
void mw_msh_skip_line(msh_reader *r);
void mw_msh_word(msh_reader *r, char *word, size_t n);  // empty at the end of the file
MW_MUST_USE mw_code mw_msh_expect(msh_reader *r, const char *want, mw_error *err);
MW_MUST_USE mw_code mw_msh_text(msh_reader *r, const char *what, double *x, mw_error *err);
MW_MUST_USE mw_code mw_msh_f64(msh_reader *r, const char *what, double *x, mw_error *err);
MW_MUST_USE mw_code mw_msh_int(msh_reader *r, const char *what, int *i, mw_error *err);
// a count or a tag, written as size_t; must fit an int
MW_MUST_USE mw_code mw_msh_size(msh_reader *r, const char *what, int *i, mw_error *err);
MW_MUST_USE mw_code mw_msh_quoted(msh_reader *r, const char **name, mw_error *err);
// n items of at least `bytes` each in a binary file (two characters in text) must still follow
MW_MUST_USE mw_code mw_msh_need(const msh_reader *r, int n, size_t bytes, const char *what,
                                mw_error *err);

// An element type that can be taken, or an error saying what to do (mesh_type.c).
MW_MUST_USE mw_code mw_msh_type_of(msh_reader *r, int type, const msh_type **out, mw_error *err);
// Node i of an element is node order[i] of gmsh's; NULL: the same order.
const int *mw_msh_order(const msh_type *type);

// Room for n nodes or elements in all; appends an element whose node numbers are read (mesh_msh.c).
MW_MUST_USE mw_code mw_msh_room_nodes(msh_reader *r, int n, mw_error *err);
MW_MUST_USE mw_code mw_msh_room_elems(msh_reader *r, int n, mw_error *err);
MW_MUST_USE mw_code mw_msh_element(msh_reader *r, const msh_type *type, int tag, int entity,
                                   mw_error *err);
// The sections of version 2.2 (mesh_msh2.c).
MW_MUST_USE mw_code mw_msh2_nodes(msh_reader *r, mw_error *err);
MW_MUST_USE mw_code mw_msh2_elems(msh_reader *r, mw_error *err);

// The mesh: elements, nodes, parts, sets, surface (mesh_build.c).
MW_MUST_USE mw_code mw_msh_build(msh_reader *r, mw_mesh *out, mw_error *err);
MW_MUST_USE mw_code mw_msh_read(const char *path, double scale, mw_arena *mem, mw_mesh *out,
                                mw_error *err);

#endif
