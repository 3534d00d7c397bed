// SPDX-License-Identifier: BSD-3-Clause
// xml_layer.h: an XML file as a tree of elements and attributes, each with its
// place.
#ifndef MW_SIM_XML_LAYER_H
#define MW_SIM_XML_LAYER_H

#include "base/arena.h"

typedef struct xml_attr {
  const char *name, *value;
  mw_at at;  // of the value
  struct xml_attr *next;
} xml_attr;

typedef struct xml_node {
  const char *name;
  mw_at at;
  xml_attr *attr;
  struct xml_node *parent, *first, *last, *next;
} xml_node;

// Text between elements, comments and processing instructions are skipped.
// MW_ERR_INPUT at the place where the file ceases to be XML; declarations in a
// document type are refused.
MW_MUST_USE mw_code xml_read(const char *path, mw_arena *mem, xml_node **root, mw_error *err);
// The same of a text of n bytes with a zero behind them, which is called path.
MW_MUST_USE mw_code xml_parse(const char *path, const char *text, size_t n, mw_arena *mem,
                              xml_node **root, mw_error *err);

const xml_attr *xml_find(const xml_node *e,
                         const char *name);  // NULL: not given
const char *xml_text(const xml_node *e,
                     const char *name);  // its value, NULL: not given
const xml_node *xml_child(const xml_node *e,
                          const char *name);  // the first, NULL: none
const xml_node *xml_next(const xml_node *e,
                         const char *name);  // the next sibling of that name
// Numbers in an attribute, finite, lo to hi of them; *n: how many. What is
// behind them is an error.
MW_MUST_USE mw_code xml_list(const xml_attr *a, int lo, int hi, double *x, int *n, mw_error *err);
// Exactly n numbers of the attribute into x, which stays where it is not given.
MW_MUST_USE mw_code xml_vec(const xml_node *e, const char *name, int n, double *x, mw_error *err);
// The attribute's text, which must be there and not be empty.
MW_MUST_USE mw_code xml_need(const xml_node *e, const char *name, const char **text, mw_error *err);

#endif
