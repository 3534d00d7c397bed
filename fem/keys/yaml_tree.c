// SPDX-License-Identifier: BSD-3-Clause
// yaml_tree.c: YAML text to a tree of nodes, on the events of libyaml.
//
// The bytes are looked over first (UTF-8, control characters, tabs), because libyaml reports those
// without a place. Cost: linear in the text, and k log k comparisons for a map of k keys.
#include "yaml_layer.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct source {
  yaml_parser_t parser;
  const char *file;
  mw_arena *mem;
  mw_error *err;
} source;

// ---- the bytes ----------------------------------------------------------------------------------

// Length of the UTF-8 sequence at p (n bytes left), 0 if there is none (overlong forms and
// surrogates included).
static size_t utf8_length(const unsigned char *p, size_t n)
{
  if (p[0] < 0x80) return 1;
  size_t len = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
  if (p[0] < 0xC2 || p[0] > 0xF4 || len > n) return 0;
  for (size_t i = 1; i < len; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F)) return 0;
  if ((p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F)) return 0;
  return len;
}

static mw_code check_bytes(const char *text, size_t n, const char *file, mw_error *err)
{
  const unsigned char *p = (const unsigned char *)text;
  mw_at at = { file, 1, 1 };
  bool comment = false;
  for (size_t i = 0; i < n;) {
    size_t len = utf8_length(p + i, n - i);
    if (len == 0)
      return mw_fail(err, MW_ERR_INPUT, at, "found byte 0x%02X that is not UTF-8, expected text",
                     p[i]);
    if (p[i] == '\n') {
      at.line++;
      at.col = 0;
      comment = false;
    }
    if (p[i] == '#' && (at.col <= 1 || p[i - 1] == ' ' || p[i - 1] == '\t')) comment = true;
    if (p[i] == '\t' && !comment)
      return mw_fail(err, MW_ERR_INPUT, at, "found a tab, expected spaces");
    if ((p[i] < 0x20 && p[i] != '\n' && p[i] != '\r' && p[i] != '\t') || p[i] == 0x7F)
      return mw_fail(err, MW_ERR_INPUT, at, "found control character 0x%02X, expected text", p[i]);
    i += len;
    at.col++;
  }
  return MW_OK;
}

// ---- events -------------------------------------------------------------------------------------

static mw_at place(const source *s, yaml_mark_t mark)
{
  const size_t most = 1000000000;
  return (mw_at){ s->file, (int)(mark.line < most ? mark.line : most) + 1,
                  (int)(mark.column < most ? mark.column : most) + 1 };
}

static mw_code next_event(source *s, yaml_event_t *ev)
{
  if (yaml_parser_parse(&s->parser, ev)) return MW_OK;
  const yaml_parser_t *p = &s->parser;
  if (p->error == YAML_MEMORY_ERROR)
    return mw_fail(s->err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (p->error == YAML_READER_ERROR)
    return mw_fail(s->err, MW_ERR_INPUT, (mw_at){ s->file, 0, 0 }, "not YAML: %s",
                   p->problem ? p->problem : "unreadable");
  return mw_fail(s->err, MW_ERR_INPUT, place(s, p->problem_mark), "not YAML: %s%s%s",
                 p->problem ? p->problem : "unreadable", p->context ? " " : "",
                 p->context ? p->context : "");
}

mw_ynode *mw_yaml_node(mw_arena *mem, mw_ykind kind, mw_at at, const char *text, size_t len)
{
  mw_ynode *node = mw_arena_alloc(mem, 1, sizeof *node + len + 1);
  if (!node) return NULL;
  char *copy = (char *)(node + 1);
  if (len) memcpy(copy, text, len);
  copy[len] = '\0';
  *node = (mw_ynode){ .kind = kind, .at = at, .text = copy, .plain = true };
  return node;
}

void mw_yaml_append(mw_ynode *parent, mw_ynode *child, mw_ynode **last)
{
  if (*last)
    (*last)->next = child;
  else
    parent->first = child;
  *last = child;
  parent->n++;
}

static mw_code refuse_extras(const source *s, const yaml_event_t *ev)
{
  const yaml_char_t *anchor = NULL, *tag = NULL;
  if (ev->type == YAML_SCALAR_EVENT) {
    anchor = ev->data.scalar.anchor;
    tag = ev->data.scalar.tag;
  } else if (ev->type == YAML_SEQUENCE_START_EVENT) {
    anchor = ev->data.sequence_start.anchor;
    tag = ev->data.sequence_start.tag;
  } else if (ev->type == YAML_MAPPING_START_EVENT) {
    anchor = ev->data.mapping_start.anchor;
    tag = ev->data.mapping_start.tag;
  }
  mw_at at = place(s, ev->start_mark);
  if (ev->type == YAML_ALIAS_EVENT)
    return mw_fail(s->err, MW_ERR_INPUT, at, "found an alias, expected the value itself");
  if (anchor) return mw_fail(s->err, MW_ERR_INPUT, at, "found an anchor, expected a plain value");
  if (tag)
    return mw_fail(s->err, MW_ERR_INPUT, at, "found a tag (%.64s), expected a plain value",
                   (const char *)tag);
  return MW_OK;
}

static int by_text(const void *a, const void *b)
{
  const mw_ynode *x = *(mw_ynode *const *)a, *y = *(mw_ynode *const *)b;
  int order = strcmp(x->text, y->text);
  if (order == 0) order = (x->at.line > y->at.line) - (x->at.line < y->at.line);
  if (order == 0) order = (x->at.col > y->at.col) - (x->at.col < y->at.col);
  return order;
}

static mw_code refuse_duplicates(const source *s, const mw_ynode *map)
{
  if (map->n < 2) return MW_OK;
  const mw_ynode **key = malloc((size_t)map->n * sizeof *key);
  if (!key) return mw_fail(s->err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  int n = 0;
  const mw_ynode *worst = NULL, *before = NULL;
  for (const mw_ynode *e = map->first; e; e = e->next) key[n++] = e->key;
  qsort(key, (size_t)n, sizeof *key, by_text);
  for (int i = 1; i < n; i++)
    if (strcmp(key[i]->text, key[i - 1]->text) == 0 &&
        (!worst || key[i]->at.line < worst->at.line ||
         (key[i]->at.line == worst->at.line && key[i]->at.col < worst->at.col))) {
      worst = key[i];
      before = key[i - 1];
    }
  free(key);
  if (!worst) return MW_OK;
  return mw_fail(s->err, MW_ERR_INPUT, worst->at,
                 "duplicate key \"%.64s\", already given at line %d", worst->text, before->at.line);
}

// ---- the tree -----------------------------------------------------------------------------------

static mw_code build(source *s, const yaml_event_t *ev, int depth, mw_ynode **out);

static mw_code build_scalar(source *s, const yaml_event_t *ev, mw_ynode **out)
{
  const char *text = (const char *)ev->data.scalar.value;
  mw_at at = place(s, ev->start_mark);
  if (strlen(text) != ev->data.scalar.length)
    return mw_fail(s->err, MW_ERR_INPUT, at, "found a NUL character inside a text, expected text");
  *out = mw_yaml_node(s->mem, MW_Y_SCALAR, at, text, ev->data.scalar.length);
  if (!*out) return mw_arena_check(s->mem, s->err);
  (*out)->plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  return MW_OK;
}

// Entries up to the end event; each entry of a map is a scalar key and its value.
static mw_code build_entries(source *s, mw_ynode *node, int depth)
{
  bool map = node->kind == MW_Y_MAP;
  mw_ynode *last = NULL;
  for (;;) {
    yaml_event_t ev;
    mw_ynode *key = NULL, *child = NULL;
    mw_code rc = next_event(s, &ev);
    if (rc != MW_OK) return rc;
    bool end = ev.type == YAML_MAPPING_END_EVENT || ev.type == YAML_SEQUENCE_END_EVENT;
    if (map && !end) {
      rc = refuse_extras(s, &ev);
      if (rc == MW_OK && ev.type != YAML_SCALAR_EVENT)
        rc = mw_fail(s->err, MW_ERR_INPUT, place(s, ev.start_mark),
                     "found a list or mapping as a key, expected a name");
      if (rc == MW_OK) rc = build_scalar(s, &ev, &key);
      yaml_event_delete(&ev);
      if (rc == MW_OK) rc = next_event(s, &ev);
      if (rc != MW_OK) return rc;
    }
    if (!end) rc = build(s, &ev, depth + 1, &child);
    yaml_event_delete(&ev);
    if (rc != MW_OK || end) return rc;
    child->key = key;
    mw_yaml_append(node, child, &last);
  }
}

static mw_code build(source *s, const yaml_event_t *ev, int depth, mw_ynode **out)
{
  mw_code rc = refuse_extras(s, ev);
  mw_at at = place(s, ev->start_mark);
  if (rc == MW_OK && depth > MW_YAML_DEPTH)
    rc = mw_fail(s->err, MW_ERR_INPUT, at, "nested deeper than %d levels", MW_YAML_DEPTH);
  if (rc != MW_OK) return rc;
  mw_ynode *node = NULL;
  if (ev->type == YAML_SCALAR_EVENT) {
    rc = build_scalar(s, ev, &node);
  } else {
    node = mw_yaml_node(s->mem, ev->type == YAML_MAPPING_START_EVENT ? MW_Y_MAP : MW_Y_LIST, at, "",
                        0);
    if (!node) return mw_arena_check(s->mem, s->err);
    rc = build_entries(s, node, depth);
    if (rc == MW_OK && node->kind == MW_Y_MAP) rc = refuse_duplicates(s, node);
  }
  if (rc != MW_OK) return rc;
  node->given = true;
  *out = node;
  return MW_OK;
}

static mw_code build_document(source *s, mw_ynode **root)
{
  for (bool end = false; !end;) {
    yaml_event_t ev;
    mw_code rc = next_event(s, &ev);
    if (rc != MW_OK) return rc;
    bool node = ev.type == YAML_SCALAR_EVENT || ev.type == YAML_MAPPING_START_EVENT ||
                ev.type == YAML_SEQUENCE_START_EVENT || ev.type == YAML_ALIAS_EVENT;
    if (ev.type == YAML_DOCUMENT_START_EVENT && *root)
      rc = mw_fail(s->err, MW_ERR_INPUT, place(s, ev.start_mark),
                   "found a second document, expected one a file");
    if (node) rc = build(s, &ev, 1, root);
    end = ev.type == YAML_STREAM_END_EVENT || ev.type == YAML_NO_EVENT;
    yaml_event_delete(&ev);
    if (rc != MW_OK) return rc;
  }
  return MW_OK;
}

mw_code mw_yaml_read(const char *text, size_t n, const char *file, mw_arena *mem, mw_ynode **root,
                     mw_error *err)
{
  source s = { .file = file, .mem = mem, .err = err };
  *root = NULL;
  mw_code rc = check_bytes(text, n, file, err);
  if (rc != MW_OK) return rc;
  if (!yaml_parser_initialize(&s.parser))
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  yaml_parser_set_input_string(&s.parser, (const unsigned char *)text, n);
  yaml_parser_set_encoding(&s.parser, YAML_UTF8_ENCODING);
  rc = build_document(&s, root);
  yaml_parser_delete(&s.parser);
  if (rc == MW_OK && !*root)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ file, 1, 1 }, "the file is empty, expected a model");
  return rc;
}
