// SPDX-License-Identifier: BSD-3-Clause
// model_edit.c: what changes a model as it is read, before anything is checked: scenarios from a
// file of their own, and values set by the path of their keys.
//
// A text "path=value" is read as YAML in which the path is blank, so that places in messages are
// columns of that text.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_layer.h"

typedef struct editor {
  mw_arena *tree;  // of the nodes
  mw_reader *rd;
  mw_at at;  // of the path's segment in hand
} editor;

static mw_ynode *entry_of(const mw_ynode *map, const char *key, size_t n)
{
  for (mw_ynode *e = map->first; e; e = e->next)
    if (strlen(e->key->text) == n && memcmp(e->key->text, key, n) == 0) return e;
  return NULL;
}

static void append(mw_ynode *map, mw_ynode *node)
{
  mw_ynode *last = map->first;
  while (last && last->next) last = last->next;
  mw_yaml_append(map, node, &last);
}

// Puts what `with` is in the place of node, which keeps its key and its neighbours.
static void replace(mw_ynode *node, const mw_ynode *with)
{
  mw_ynode *key = node->key, *next = node->next;
  *node = *with;
  node->key = key;
  node->next = next;
}

// A new entry of a map, itself an empty map.
static mw_code new_entry(editor *e, mw_ynode *map, const char *key, size_t n, mw_ynode **out)
{
  mw_ynode *node = mw_yaml_node(e->tree, MW_Y_MAP, e->at, "", 0);
  if (node) node->key = mw_yaml_node(e->tree, MW_Y_SCALAR, e->at, key, n);
  if (!node || !node->key) return mw_arena_check(e->tree, e->rd->err);
  node->given = node->key->given = true;
  append(map, node);
  *out = node;
  return MW_OK;
}

// An entry that a map lacks, and that holds more of the path: not one that is called almost as
// another.
static mw_code check_typing(editor *e, const mw_ynode *map, const char *key, size_t n)
{
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)n, key);
  mw_suggest s = mw_suggest_init(word);
  for (const mw_ynode *k = map->first; k; k = k->next) mw_suggest_add(&s, k->key->text);
  if (!s.best) return MW_OK;
  return mw_fail(e->rd->err, MW_ERR_INPUT, e->at, "found no %s in the model, did you mean \"%s\"?",
                 word, s.best);
}

// Follows one segment of a path; a map gets the entry it lacks. last: of the path.
static mw_code follow(editor *e, const char *key, size_t n, bool last, mw_ynode **node)
{
  static const char *const kinds[] = {
    [MW_Y_SCALAR] = "one value", [MW_Y_LIST] = "a list", [MW_Y_MAP] = "a mapping"
  };
  mw_ynode *in = *node;
  if (n == 0)
    return mw_fail(e->rd->err, MW_ERR_INPUT, e->at, "found no key, expected one between the dots");
  if (in->kind == MW_Y_MAP) {
    *node = entry_of(in, key, n);
    mw_code rc = *node || last ? MW_OK : check_typing(e, in, key, n);
    return rc != MW_OK || *node ? rc : new_entry(e, in, key, n, node);
  }
  char *end;
  long i = isdigit((unsigned char)*key) ? strtol(key, &end, 10) : -1;
  if (in->kind == MW_Y_LIST && i >= 0 && i < in->n && end == key + n) {
    for (*node = in->first; i > 0; i--) *node = (*node)->next;
    return MW_OK;
  }
  if (in->kind == MW_Y_LIST)
    return mw_fail(e->rd->err, MW_ERR_INPUT, e->at,
                   "found %.*s in a list, expected the number of an entry, 0 to %d", (int)n, key,
                   in->n - 1);
  return mw_fail(e->rd->err, MW_ERR_INPUT, e->at,
                 "found %.*s below %s (line %d of the model), expected a mapping or a list", (int)n,
                 key, kinds[in->kind], in->at.line);
}

// A parameter that is set must be one of the model's.
static mw_code check_parameter(editor *e, const mw_ynode *root, const char *path, size_t n)
{
  static const char head[] = "parameters.";
  size_t k = sizeof head - 1;
  if (n <= k || memcmp(path, head, k) != 0) return MW_OK;
  const mw_ynode *map = entry_of(root, head, k - 1);
  if (map && map->kind != MW_Y_MAP) return MW_OK;
  size_t name = strcspn(path + k, ".=");
  if (map && entry_of(map, path + k, name)) return MW_OK;
  e->at.col = (int)k + 1;
  mw_code rc = map ? check_typing(e, map, path + k, name) : MW_OK;
  return rc != MW_OK ? rc
                     : mw_fail(e->rd->err, MW_ERR_INPUT, e->at,
                               "found no parameter %.*s in the model, expected one of its own",
                               (int)name, path + k);
}

static mw_code set(mw_reader *rd, mw_ynode *root, const char *text, mw_arena *tree)
{
  size_t n = strlen(text), path = strcspn(text, "=");
  const char *file = mw_arena_printf(rd->mem, "--set %s", text);
  char *value = mw_arena_str(tree, text);
  mw_ynode *new = NULL, *node = root;
  if (!file || !value) return mw_arena_check(file ? tree : rd->mem, rd->err);
  editor e = { tree, rd, { file, 1, 1 } };
  if (path == n || path == 0)
    return mw_fail(rd->err, MW_ERR_INPUT, e.at,
                   "found no path and value, expected PATH=VALUE as in scenarios.move.step=1e-4");
  memset(value, ' ', path + 1);
  if (strspn(value, " ") == n)
    return mw_fail(rd->err, MW_ERR_INPUT, e.at, "found no value behind =, expected one");
  mw_code rc = mw_yaml_read(value, n, file, tree, &new, rd->err);
  if (rc == MW_OK) rc = check_parameter(&e, root, text, path);
  for (size_t k = 0, len; rc == MW_OK && k < path; k += len + 1) {
    len = strcspn(text + k, ".=");
    e.at.col = (int)k + 1;
    rc = follow(&e, text + k, len, k + len == path, &node);
    if (rc == MW_OK && k + len + 1 == path) {  // a dot before =
      e.at.col = (int)path + 1;
      rc = follow(&e, text + path, 0, true, &node);
    }
  }
  if (rc == MW_OK) replace(node, new);
  return rc;
}

// The scenarios of a file, in place of the model's of the same names or behind them.
static mw_code take_scenarios(mw_reader *rd, mw_ynode *root, const char *path, mw_arena *tree)
{
  char *text = NULL;
  size_t n = 0;
  mw_ynode *other = NULL, *from, *to;
  const char *file = mw_arena_str(rd->mem, path);
  if (!file) return mw_arena_check(rd->mem, rd->err);
  mw_code rc = mw_model_bytes(file, "file of scenarios", &text, &n, rd->err);
  if (rc == MW_OK) rc = mw_yaml_read(text, n, file, tree, &other, rd->err);
  free(text);
  if (rc != MW_OK) return rc;
  from = other->kind == MW_Y_MAP ? entry_of(other, "scenarios", strlen("scenarios")) : NULL;
  if (!from || from->kind != MW_Y_MAP)
    return mw_fail(rd->err, MW_ERR_INPUT, from ? from->at : other->at,
                   "found no scenarios, expected the key scenarios with a mapping as in a model");
  for (const mw_ynode *k = other->first; k; k = k->next)
    if (k != from)
      return mw_fail(rd->err, MW_ERR_INPUT, k->key->at,
                     "found %.64s in a file of scenarios, expected scenarios alone", k->key->text);
  editor e = { tree, rd, from->at };
  to = entry_of(root, "scenarios", strlen("scenarios"));
  if (!to) rc = new_entry(&e, root, "scenarios", strlen("scenarios"), &to);
  if (rc != MW_OK || to->kind != MW_Y_MAP) return rc;
  for (mw_ynode *k = from->first, *next; k; k = next) {
    next = k->next;
    mw_ynode *same = entry_of(to, k->key->text, strlen(k->key->text));
    k->next = NULL;
    if (same)
      replace(same, k);
    else
      append(to, k);
  }
  return MW_OK;
}

mw_code mw_model_edit_apply(mw_reader *rd, mw_ynode *root, const mw_model_edit *edit,
                            mw_arena *tree)
{
  mw_code rc = MW_OK;
  if (!edit || root->kind != MW_Y_MAP) return MW_OK;
  if (edit->scenarios) rc = take_scenarios(rd, root, edit->scenarios, tree);
  for (int k = 0; rc == MW_OK && k < edit->n_set; k++) rc = set(rd, root, edit->set[k], tree);
  return rc;
}
