// SPDX-License-Identifier: BSD-3-Clause
// yaml_layer.h: a YAML document as a tree of nodes that know where they stand in the file.
#ifndef MW_FEM_YAML_LAYER_H
#define MW_FEM_YAML_LAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { MW_YAML_DEPTH = 64 };

typedef enum mw_ykind { MW_Y_SCALAR, MW_Y_LIST, MW_Y_MAP } mw_ykind;

typedef struct mw_ynode {
  mw_ykind kind;
  mw_at at;                      // 1-based, columns in characters
  const char *text;              // scalar: its text; else ""
  bool plain;                    // scalar without quotes: may be a number or true/false
  bool given;                    // stands in the file (false: filled in from a default)
  double num;                    // set by mw_shape_check for numbers, and 0 or 1 for true/false
  bool number;                   // set by mw_shape_check: num is its value, whatever the text
  bool path;                     // a name of a part of an assembly: may have dots
  const struct mw_scope *scope;  // parameters that it sees, NULL: the model's
  struct mw_ynode *key;          // entry of a map: its key, else NULL
  struct mw_ynode *next;         // next entry of the same list or map
  struct mw_ynode *first;        // list, map: first entry
  int n;                         // list, map: number of entries
} mw_ynode;

// Reads one document of n bytes of text. file is borrowed by the nodes; memory from mem. root NULL
// never with MW_OK. Refused: bytes that are not UTF-8, control characters, tabs outside comments,
// aliases, anchors, tags, several documents, duplicate keys, keys that are not scalars, nesting
// deeper than MW_YAML_DEPTH, an empty file.
MW_MUST_USE mw_code mw_yaml_read(const char *text, size_t n, const char *file, mw_arena *mem,
                                 mw_ynode **root, mw_error *err);

// A node that is not in the file, placed at `at`; NULL when memory fails.
mw_ynode *mw_yaml_node(mw_arena *mem, mw_ykind kind, mw_at at, const char *text, size_t len);
void mw_yaml_append(mw_ynode *parent, mw_ynode *child, mw_ynode **last);

#endif
