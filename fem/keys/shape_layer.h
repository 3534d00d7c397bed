// SPDX-License-Identifier: BSD-3-Clause
// shape_layer.h: trees of YAML nodes against the table of keys.
//
// From the one table in model_keys.c come the checks of model_shape.c, the JSON Schema and the
// reference of model_print.c, and the defaults.
#ifndef MW_FEM_SHAPE_LAYER_H
#define MW_FEM_SHAPE_LAYER_H

#include "fem/model.h"
#include "fem/suggest.h"
#include "key_layer.h"
#include "yaml_layer.h"

extern const mw_shape mw_model_shape;            // the whole file
extern const mw_shape *const mw_named_shapes[];  // those with a name of their own, ended by NULL
extern const mw_key mw_axes_keys[];              // of a body's frame, of an assembly
extern const mw_shape *const mw_definition_shape, *const mw_assembly_shape;
extern const mw_shape mw_definition_file_shape;  // a file of its own

// What a shape expects, e.g. "a number above 0 [kg]"; returns out.
const char *mw_shape_text(const mw_shape *s, char *out, size_t n);

// Parameters that numbers may be made of: those of an assembly hide those of what it stands in.
typedef struct mw_scope {
  const mw_parameter *parameter;  // [n]
  int n;
  const struct mw_scope *outer;  // NULL: none
} mw_scope;

typedef struct mw_shape_env {  // what nodes are checked with
  mw_arena *mem;               // of the nodes
  mw_error *err;
  const mw_scope *scope;  // of nodes that have none of their own
  bool free;              // numbers may be expressions without a $
} mw_shape_env;

// Checks node against shape, fills in numbers, parameters and the defaults of absent keys. what:
// the node's name in messages.
MW_MUST_USE mw_code mw_shape_check(mw_ynode *node, const mw_shape *s, const char *what,
                                   const mw_shape_env *env);
// The key of a table that entry e of a mapping has; MW_ERR_INPUT "unknown key" when there is none.
MW_MUST_USE mw_code mw_shape_key(const mw_ynode *e, const mw_shape *s, const char *what,
                                 const mw_key **out, mw_error *err);
// The name of entry e of a mapping of names (what): letters, digits, _ and -.
MW_MUST_USE mw_code mw_shape_name(const mw_ynode *name, const char *what, mw_error *err);
// rc; where the entry of a mapping that it is about is a part of an assembly, the message gets its
// path: its place is one of the definition, which has several uses with values of their own.
mw_code mw_shape_part(const mw_ynode *e, mw_code rc, mw_error *err);
// A node from the default text of a key: a scalar, "[a, b, …]" or "{}"; NULL when memory fails.
mw_ynode *mw_shape_fallback(const char *text, mw_at at, mw_arena *mem);

// ---- parameters (../model/model_parameter.c) ----------------------------------------------------

extern const mw_shape mw_parameter_shape;  // of one parameter
// The expression that a scalar's text is; time: t may stand in it.
MW_MUST_USE mw_code mw_parameter_expr(const mw_shape_env *env, const mw_ynode *node, bool time,
                                      mw_expr *out);
// The text of an expression with values in place of $names.
MW_MUST_USE mw_code mw_parameter_values(const mw_shape_env *env, mw_ynode *node);
// A scalar $name of a parameter that is a list becomes that list; others stay.
MW_MUST_USE mw_code mw_parameter_list(const mw_shape_env *env, mw_ynode *node);

// ---- after mw_shape_check -----------------------------------------------------------------------

// Entry of a map; NULL: neither given nor a default, or no map.
const mw_ynode *mw_y_find(const mw_ynode *map, const char *key);
bool mw_y_given(const mw_ynode *map, const char *key);
double mw_y_num(const mw_ynode *map, const char *key);    // 0 when absent
void mw_y_vec(const mw_ynode *list, int n, double *out);  // n numbers of a list; node NULL: zeros
// First of the keys (ended by NULL) that is given, *which its index; NULL and -1: none.
const mw_ynode *mw_y_one(const mw_ynode *map, const char *const *keys, int *which);

#endif
