// SPDX-License-Identifier: BSD-3-Clause
// assembly_priv.h: the steps of expanding the assemblies of a model file.
#ifndef MW_FEM_ASSEMBLY_PRIV_H
#define MW_FEM_ASSEMBLY_PRIV_H

#include <string.h>
#include <sys/types.h>

#include "model/model_layer.h"

enum { MW_ASSEMBLY_DEPTH = 32, MW_ASSEMBLY_MOST = 1000000, MW_ASSEMBLY_KEYS = 16 };

// Where an assembly is: x_outside = A x + p. det A = −1 where it is mirrored; a body in it then is
// its own mirror image, X' = flip X (entrywise).
typedef struct mw_place {
  double A[9];     // row-major
  double p[3];     // m
  double flip[3];  // 1 or −1
  bool mirrored;
  bool here;  // A = 1, p = 0
} mw_place;

// A file: the model, or one that an assembly uses.
typedef struct mw_unit {
  const char *path, *dir;  // dir: its folder with '/', "" for the current one
  const char *from_model;  // the same from the model's folder
  mw_ynode *root;
  dev_t dev;
  ino_t ino;
  struct mw_unit *next;
} mw_unit;

// What parts stand in: the model, or an assembly. Levels stand in each other.
typedef struct mw_level {
  const struct mw_level *up;  // NULL: the model
  const char *path;           // "front.left", "" of the model
  const char *use;            // what is used, its path where it gives its own parts
  const mw_ynode *part;       // mapping of its parts, before it was copied
  mw_unit *unit;
  const mw_scope *scope;
  const mw_place *place;
  int depth;
} mw_level;

typedef struct mw_port {
  const char *path, *target;  // both from the model
  mw_at at, target_at;
  struct mw_port *next;
} mw_port;

typedef struct mw_used {
  const void *what;
  struct mw_used *next;
} mw_used;

typedef struct mw_expander {
  mw_reader *rd;
  mw_arena *tree;                                            // of the nodes
  mw_ynode *root;                                            // that gets the parts
  mw_ynode *map[MW_ASSEMBLY_KEYS], *last[MW_ASSEMBLY_KEYS];  // of it, by key of a definition
  mw_unit *unit;                                             // newest first
  mw_port *port;                                             // newest first
  mw_used *definition;  // mappings of definitions that are used
  mw_used *assembly;    // paths of assemblies, newest first
  int n_port, n_assembly;
} mw_expander;

// ---- trees --------------------------------------------------------------------------------------

static inline mw_code mw_expander_ok(const mw_expander *x)
{
  return mw_arena_check(x->tree, x->rd->err);
}

static inline mw_ynode *mw_entry(mw_ynode *map, const char *key)
{
  mw_ynode *e = map->kind == MW_Y_MAP ? map->first : NULL;
  while (e && strcmp(e->key->text, key) != 0) e = e->next;
  return e;
}

// Shape of entry e of a node that is not checked yet, NULL: none; *k: its key, NULL: none.
static inline const mw_shape *mw_inner_shape(const mw_ynode *node, const mw_ynode *e,
                                             const mw_shape *shape, const mw_key **k)
{
  *k = NULL;
  if (node->kind == MW_Y_LIST) return shape->item;
  if (!shape->keys) return shape->named;
  for (const mw_key *in = shape->keys; in->name && !*k; in++)
    if (strcmp(in->name, e->key->text) == 0) *k = in;
  return *k ? (*k)->shape : NULL;
}

// The path of a name in a level.
static inline const char *mw_level_name(const mw_expander *x, const mw_level *l, const char *name)
{
  return mw_arena_printf(x->tree, "%s%s%s", l->path, l->path[0] ? "." : "", name);
}

// A copy of a node and all in it, whose numbers are made of the parameters of scope; its key is
// shared. NULL when memory fails.
mw_ynode *mw_expander_copy(mw_expander *x, const mw_ynode *node, const mw_scope *scope);
// Puts a part of this name (its path, kept in the tree) behind those of the model's key, which
// definitions have, too.
MW_MUST_USE mw_code mw_expander_part(mw_expander *x, const char *key, mw_ynode *part,
                                     const char *name);
// Appends an entry with a key of its own to a map that was copied; NULL when memory fails.
mw_ynode *mw_entry_add(mw_expander *x, mw_ynode *map, mw_ynode *value, const char *key);

// ---- assembly_names.c: names of an assembly's parts become paths --------------------------------

// Of a copied part and all in it; shape: its own.
MW_MUST_USE mw_code mw_names_rename(mw_expander *x, const mw_level *l, mw_ynode *node,
                                    const mw_shape *shape);

// ---- assembly_place.c: where an assembly is -----------------------------------------------------

// Values of at, axes, mirror; NULL: not given.
MW_MUST_USE mw_code mw_place_read(mw_expander *x, const mw_ynode *at, const mw_ynode *axes,
                                  const mw_ynode *mirror, const mw_place *outer, mw_place *out);
// Origin and axes of a body.
MW_MUST_USE mw_code mw_place_body(mw_expander *x, const mw_level *l, mw_ynode *body);
// Directions in ground axes and, of a mirrored assembly, all that its image has otherwise.
MW_MUST_USE mw_code mw_place_turn(mw_expander *x, const mw_level *l, mw_ynode *node,
                                  const mw_shape *shape);

// ---- assembly_component.c: assemblies whose inside is not known ---------------------------------

// The frames of the component that e names, as bodies of the tree, and its ports.
MW_MUST_USE mw_code mw_component_expand(mw_expander *x, const mw_level *l, const mw_ynode *e,
                                        const mw_ynode *component);

// ---- assembly_ports.c: references to ports ------------------------------------------------------

MW_MUST_USE mw_code mw_ports_add(mw_expander *x, const mw_level *l, const mw_ynode *map);
// Puts what ports stand for in their place, and refuses references into assemblies that lead
// nowhere.
MW_MUST_USE mw_code mw_ports_resolve(mw_expander *x);

#endif
