// SPDX-License-Identifier: BSD-3-Clause
// inp_priv.h: what an Abaqus or CalculiX input file says, between its reader and the mesh made of
// it.
#ifndef MW_FEM_INP_PRIV_H
#define MW_FEM_INP_PRIV_H

#include "mesh_priv.h"

enum { INP_DEPTH = 16, INP_PARAM = 24, INP_CARD = 4096, INP_WORD = 128 };
enum { INP_SETS_ONLY = -1, INP_MASS = -2 };  // instead of a mw_elem_kind

typedef struct inp_file {  // an open file, the innermost last
  const char *path;
  const char *buf;  // [size], then a zero byte
  size_t size, pos;
  int line, id;  // id: into inp_reader.path
} inp_file;

typedef struct inp_list {
  int n, cap;
  int *v;
} inp_list;

typedef struct inp_set {  // NSET or ELSET
  const char *name;
  mw_at at;
  inp_list tag;  // numbers of nodes or elements, some twice
} inp_set;

typedef struct inp_sets {
  int n, cap;
  inp_set *v;
} inp_sets;

typedef struct inp_type {  // element type
  const char *name;
  int n, dim;  // nodes
  int kind;    // mw_elem_kind, INP_SETS_ONLY or INP_MASS
} inp_type;

typedef struct inp_elems {  // in the order of the file
  int n, cap;
  mesh_node *id;          // [n]  number and place
  const inp_type **type;  // [n]
  int *ptr;               // [n + 1]  into link
  inp_list link;          // node numbers, later indices
} inp_elems;

typedef struct inp_material {
  const char *name;
  mw_at at, elastic_at, density_at;  // file NULL: not given
  double E, nu, rho;                 // units of the file
} inp_material;

typedef struct inp_section {
  mw_at at;
  const char *elset, *material;
  bool shell;
  double thickness;  // unit of the file
} inp_section;

typedef struct inp_item {  // of a surface
  mw_at at;
  int set, tag;  // ELSET or NSET, −1: the element or node of number tag
  int face;      // S1 is 0; −1: all nodes (shells), nodes of a surface of nodes
} inp_item;

typedef struct inp_surface {
  const char *name;
  mw_at at;
  bool nodes;
  int n, cap;
  inp_item *item;
} inp_surface;

typedef struct inp_tie {
  const char *name, *slave, *master;
  mw_at at;
  double distance;  // unit of the file
} inp_tie;

typedef struct inp_mass {
  mw_at at;
  const char *elset;
  double mass;  // unit of the file
} inp_mass;

typedef struct inp_reader {
  double scale;
  mw_arena *mem, tmp;  // mem: of the mesh
  // files and the line at hand
  int n_open, n_path, cap_path;
  inp_file open[INP_DEPTH];
  const char **path;    // every file that was read
  const char *p, *end;  // what is left of the line
  int line, file;       // of this line
  bool held;            // the line was put back
  bool comma;           // the last field ended with a comma
  // the keyword line at hand
  char card[INP_CARD];
  mw_at at;
  const char *keyword;  // capitals without blanks
  int n_param;
  struct {
    const char *name, *value;
  } param[INP_PARAM];
  // what was read
  int cap_node, n_material, cap_material, n_section, cap_section, n_surface, cap_surface, n_tie,
      cap_tie, n_mass, cap_mass;
  mesh_nodes nodes;
  double *x;  // [cap_node × 3]
  inp_elems elems;
  mesh_nodes number;  // elements by their numbers, set by mw_inp_build
  inp_sets nset, elset;
  inp_material *material;
  inp_section *section;
  inp_surface *surface;
  inp_tie *tie;
  inp_mass *mass;
} inp_reader;

// ---- lines (inp_scan.c) ----

mw_at mw_inp_at(const inp_reader *r);  // of the line at hand
MW_MUST_USE mw_code mw_inp_open(inp_reader *r, const char *path, mw_at from, mw_error *err);
// The next keyword with its parameters; keyword NULL at the end.
MW_MUST_USE mw_code mw_inp_card(inp_reader *r, mw_error *err);
// The next line of data into p, end; *more false before a keyword and at the end.
MW_MUST_USE mw_code mw_inp_data(inp_reader *r, bool *more, mw_error *err);
// The next field of the line without blanks around it; false: no more.
bool mw_inp_field(inp_reader *r, char word[INP_WORD]);
MW_MUST_USE mw_code mw_inp_f64(const inp_reader *r, const char *word, const char *what, double *x,
                               mw_error *err);
MW_MUST_USE mw_code mw_inp_int(const inp_reader *r, const char *word, const char *what, int *i,
                               mw_error *err);
bool mw_inp_is_number(const char *word);
const char *mw_inp_param(const inp_reader *r,
                         const char *name);  // "" without value, NULL: not there
// The value of a parameter the keyword cannot do without.
MW_MUST_USE mw_code mw_inp_want(const inp_reader *r, const char *name, const char **value,
                                mw_error *err);
bool mw_inp_same(const char *a, const char *b);  // whatever the case
// Room for one more item after n in array *v of items of `size` bytes; the array doubles.
MW_MUST_USE mw_code mw_inp_grow(inp_reader *r, void **v, int n, int *cap, size_t size,
                                mw_error *err);
MW_MUST_USE mw_code mw_inp_append(inp_reader *r, inp_list *l, int value, mw_error *err);

// ---- keywords ----

MW_MUST_USE mw_code mw_inp_keyword(inp_reader *r, bool *step, mw_error *err);  // inp_read.c
MW_MUST_USE mw_code mw_inp_type_of(inp_reader *r, const char *name, const inp_type **out,
                                   mw_error *err);                              // inp_type.c
int mw_inp_set_find(const inp_sets *s, const char *name);                       // −1: not there
MW_MUST_USE mw_code mw_inp_read_set(inp_reader *r, bool elems, mw_error *err);  // inp_set.c
MW_MUST_USE mw_code mw_inp_set_room(inp_reader *r, inp_sets *s, const char *name, int *out,
                                    mw_error *err);
MW_MUST_USE mw_code mw_inp_read_surface(inp_reader *r, mw_error *err);
MW_MUST_USE mw_code mw_inp_read_tie(inp_reader *r, mw_error *err);
MW_MUST_USE mw_code mw_inp_read_material(inp_reader *r, mw_error *err);  // inp_material.c
MW_MUST_USE mw_code mw_inp_read_elastic(inp_reader *r, mw_error *err);
MW_MUST_USE mw_code mw_inp_read_density(inp_reader *r, mw_error *err);
MW_MUST_USE mw_code mw_inp_read_section(inp_reader *r, mw_error *err);
MW_MUST_USE mw_code mw_inp_read_mass(inp_reader *r, mw_error *err);
// Part of a section, its material in SI, or an error naming the line.
MW_MUST_USE mw_code mw_inp_part(const inp_reader *r, const inp_section *s, mw_mesh_part *out,
                                mw_error *err);

// ---- the mesh ----

MW_MUST_USE mw_code mw_inp_build(inp_reader *r, mw_mesh *out, mw_error *err);  // inp_build.c
// Sets, ties, masses; map [nodes.n] index in the file to index in the mesh (inp_sets.c).
MW_MUST_USE mw_code mw_inp_build_sets(inp_reader *r, const int *map, mw_mesh *out, mw_error *err);
MW_MUST_USE mw_code mw_inp_build_masses(inp_reader *r, const int *map, mw_mesh *out, mw_error *err);
// Elements of an ELSET: the k-th as an index into elems, or an error at the set.
MW_MUST_USE mw_code mw_inp_elem(const inp_reader *r, const inp_set *s, int k, int *elem,
                                mw_error *err);
MW_MUST_USE mw_code mw_inp_read(const char *path, double scale, mw_arena *mem, mw_mesh *out,
                                mw_error *err);

#endif
