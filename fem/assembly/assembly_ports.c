// SPDX-License-Identifier: BSD-3-Clause
// assembly_ports.c: ports of assemblies: other names for bodies, frames and coordinates inside.
//
// When all parts are there, references to ports are replaced by what these stand for, which may be
// a port again. References into an assembly that lead nowhere are refused here, where its ports
// are known. Cost: n log n in names and references.
#include <stdlib.h>

#include "assembly_priv.h"

typedef struct resolver {
  mw_expander *x;
  mw_port **port;                               // [n_port]  by path
  const char **body, **coordinate, **assembly;  // sorted
  int n_port, n_body, n_coordinate, n_assembly;
} resolver;

// ---- tables -------------------------------------------------------------------------------------

mw_code mw_ports_add(mw_expander *x, const mw_level *l, const mw_ynode *map)
{
  const mw_shape_env env = { x->tree, x->rd->err, l->scope, false };
  const mw_shape *ref = REF_TO(MW_NAMES_NONE);
  for (const mw_ynode *e = map->first; e; e = e->next) {
    mw_port *p = mw_arena_alloc(x->tree, 1, sizeof *p);
    mw_ynode *copy = mw_arena_alloc(x->tree, 1, sizeof *copy);
    if (!p || !copy) return mw_expander_ok(x);
    *copy = *e;
    mw_code rc = mw_shape_name(e->key, "ports", x->rd->err);
    if (rc == MW_OK) rc = mw_shape_check(copy, ref, e->key->text, &env);
    if (rc != MW_OK) return rc;
    *p = (mw_port){ .path = mw_level_name(x, l, e->key->text),
                    .target = mw_level_name(x, l, e->text),
                    .at = e->key->at,
                    .target_at = e->at,
                    .next = x->port };
    x->port = p;
    x->n_port++;
  }
  return mw_expander_ok(x);
}

static int by_text(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_path(const void *a, const void *b)
{
  return strcmp((*(mw_port *const *)a)->path, (*(mw_port *const *)b)->path);
}

static bool has(const char **sorted, int n, const char *text)
{
  return n > 0 && bsearch(&text, sorted, (size_t)n, sizeof *sorted, by_text);
}

static const mw_port *port_at(const resolver *r, const char *path)
{
  const mw_port key = { .path = path }, *k = &key;
  mw_port **p =
      r->n_port ? bsearch(&k, r->port, (size_t)r->n_port, sizeof(mw_port *), by_path) : NULL;
  return p ? *p : NULL;
}

// Name of the coordinate of a joint's entry, NULL: none.
static const char *coordinate_of(const mw_ynode *joint)
{
  const mw_ynode *c = mw_y_find(joint, "coordinate");
  if (c) return c->text;
  return mw_y_find(joint, "slide") ? joint->key->text : NULL;
}

static const char **names(mw_expander *x, const char *key, int *n,
                          const char *name_of(const mw_ynode *e))
{
  mw_ynode *map = mw_entry(x->root, key);
  int most = map && map->kind == MW_Y_MAP ? map->n : 0;
  const char **all = mw_arena_alloc(x->tree, (size_t)most, sizeof *all);
  *n = 0;
  for (const mw_ynode *e = all && most ? map->first : NULL; e; e = e->next) {
    const char *name = name_of(e);
    if (name) all[(*n)++] = name;
  }
  if (*n) qsort(all, (size_t)*n, sizeof *all, by_text);
  return all;
}

static const char *own_name(const mw_ynode *e) { return e->key->text; }

static mw_code build(resolver *r)
{
  mw_expander *x = r->x;
  r->body = names(x, "bodies", &r->n_body, own_name);
  r->coordinate = names(x, "joints", &r->n_coordinate, coordinate_of);
  r->assembly = mw_arena_alloc(x->tree, (size_t)x->n_assembly, sizeof *r->assembly);
  r->port = mw_arena_alloc(x->tree, (size_t)x->n_port, sizeof(mw_port *));
  mw_code rc = mw_expander_ok(x);
  if (rc != MW_OK) return rc;
  for (const mw_used *u = x->assembly; u; u = u->next) r->assembly[r->n_assembly++] = u->what;
  for (mw_port *p = x->port; p; p = p->next) r->port[r->n_port++] = p;
  if (r->n_assembly) qsort(r->assembly, (size_t)r->n_assembly, sizeof *r->assembly, by_text);
  if (r->n_port) qsort(r->port, (size_t)r->n_port, sizeof(mw_port *), by_path);
  return MW_OK;
}

// ---- references ---------------------------------------------------------------------------------

// The text before the last dot, NULL without one.
static const char *head_of(const resolver *r, const char *text)
{
  const char *dot = strrchr(text, '.');
  return dot ? mw_arena_printf(r->x->tree, "%.*s", (int)(dot - text), text) : NULL;
}

// What a text stands for when all ports in it are replaced; itself without any.
static mw_code follow(const resolver *r, const char **text, mw_at at)
{
  for (int k = 0; k <= r->n_port; k++) {
    const char *head = head_of(r, *text);
    const mw_port *p = port_at(r, *text), *h = !p && head ? port_at(r, head) : NULL;
    mw_code rc = mw_expander_ok(r->x);
    if (rc != MW_OK || (!p && !h)) return rc;
    *text = p ? p->target : mw_arena_printf(r->x->tree, "%s%s", h->target, *text + strlen(head));
    if (!*text) return mw_expander_ok(r->x);
  }
  return mw_fail(r->x->rd->err, MW_ERR_INPUT, at, "port %.64s stands for itself in the end", *text);
}

// A frame or guide of a body.
static bool is_frame(const resolver *r, const char *body, const char *name)
{
  const mw_ynode *e = mw_y_find(mw_y_find(r->x->root, "bodies"), body);
  return mw_y_find(mw_y_find(e, "frames"), name) || mw_y_find(mw_y_find(e, "guides"), name);
}

static bool is_component(const resolver *r, const char *path)
{
  const mw_model *m = r->x->rd->m;
  for (int k = 0; k < m->n_component; k++)
    if (strcmp(m->component[k].name, path) == 0) return true;
  return false;
}

static mw_code unknown(const resolver *r, const mw_at at, const char *text)
{
  const char *in = head_of(r, text);
  while (in && !has(r->assembly, r->n_assembly, in)) in = head_of(r, in);
  mw_code rc = mw_expander_ok(r->x);
  if (rc != MW_OK || !in) return rc;  // into no assembly: the reader says so
  size_t n = strlen(in);
  mw_suggest g = mw_suggest_init(text);
  for (int k = 0; k < r->n_port; k++)
    if (strncmp(r->port[k]->path, in, n) == 0 && r->port[k]->path[n] == '.' &&
        r->port[k]->path[n + 1] != '#')  // what a component hides
      mw_suggest_add(&g, r->port[k]->path);
  for (int k = 0; k < r->n_body && !is_component(r, in); k++)
    if (strncmp(r->body[k], in, n) == 0 && r->body[k][n] == '.') mw_suggest_add(&g, r->body[k]);
  if (g.best)
    return mw_fail(r->x->rd->err, MW_ERR_INPUT, at,
                   "assembly %.64s has no body or port \"%.64s\", did you mean \"%.64s\"?", in,
                   text + n + 1, g.best + n + 1);
  return mw_fail(r->x->rd->err, MW_ERR_INPUT, at,
                 "assembly %.64s has no body or port \"%.64s\", expected one of its own", in,
                 text + n + 1);
}

// Is it in a component and no port of that?
static bool is_hidden(const resolver *r, const char *text)
{
  const mw_model *m = r->x->rd->m;
  for (int k = 0; k < m->n_component; k++) {
    size_t n = strlen(m->component[k].name);
    if (strncmp(text, m->component[k].name, n) == 0 && text[n] == '.' && !port_at(r, text) &&
        !has(r->coordinate, r->n_coordinate, text))
      return true;
  }
  return false;
}

static mw_code refer(const resolver *r, mw_ynode *node, mw_names what)
{
  bool body = what == MW_NAMES_BODY || what == MW_NAMES_FRAME || what == MW_NAMES_GUIDE;
  if (!(body || what == MW_NAMES_COORDINATE) || !strchr(node->text, '.')) return MW_OK;
  if (is_hidden(r, node->text)) return unknown(r, node->at, node->text);
  mw_code rc = follow(r, &node->text, node->at);
  if (rc != MW_OK || !body || has(r->body, r->n_body, node->text)) return rc;
  const char *head = what == MW_NAMES_BODY ? NULL : head_of(r, node->text);
  if (head && has(r->body, r->n_body, head)) return mw_expander_ok(r->x);
  return unknown(r, node->at, node->text);
}

// Replaces the ports that a node refers to, and all in it.
static mw_code resolve(const resolver *r, mw_ynode *node, const mw_shape *shape)
{
  mw_code rc = MW_OK;
  if (node->kind == MW_Y_SCALAR)
    return shape->scalar == MW_S_REF ? refer(r, node, shape->refers) : MW_OK;
  bool named = node->kind == MW_Y_MAP && !shape->keys && shape->refers != MW_NAMES_NONE;
  for (mw_ynode *e = node->first; e && rc == MW_OK; e = e->next) {
    const mw_key *k;
    const mw_shape *inner = mw_inner_shape(node, e, shape, &k);
    if (named) rc = refer(r, e->key, shape->refers);
    if (rc == MW_OK && inner) rc = resolve(r, e, inner);
  }
  return rc;
}

// ---- ports --------------------------------------------------------------------------------------

// Keeps the port, which stands for text, for those who ask for ports of the model.
static mw_code keep_port(const resolver *r, const mw_port *p, const char *text)
{
  mw_model *m = r->x->rd->m;
  mw_arena *mem = r->x->rd->mem;
  if (strchr(p->path, '#')) return MW_OK;  // of a component's parts (assembly_component.c)
  if (!m->port) {
    mw_port_in *all = mw_arena_alloc(mem, (size_t)r->n_port, sizeof *all);
    if (!all) return mw_arena_check(mem, r->x->rd->err);
    m->port = all;
  }
  m->port[m->n_port++] =
      (mw_port_in){ .path = mw_arena_str(mem, p->path), .target = mw_arena_str(mem, text) };
  return mw_arena_check(mem, r->x->rd->err);
}

static mw_code check_port(const resolver *r, const mw_port *p)
{
  const char *text = p->target;
  if (has(r->body, r->n_body, p->path) || has(r->coordinate, r->n_coordinate, p->path) ||
      has(r->assembly, r->n_assembly, p->path))
    return mw_fail(r->x->rd->err, MW_ERR_INPUT, p->at,
                   "port %.64s has the name of a body, joint coordinate or assembly, expected "
                   "another name",
                   p->path);
  mw_code rc = follow(r, &text, p->target_at);
  if (rc != MW_OK) return rc;
  if (has(r->body, r->n_body, text) || has(r->coordinate, r->n_coordinate, text))
    return keep_port(r, p, text);
  const char *head = head_of(r, text);
  if (head && has(r->body, r->n_body, head) && is_frame(r, head, text + strlen(head) + 1))
    return keep_port(r, p, text);
  rc = mw_expander_ok(r->x);
  return rc != MW_OK ? rc
                     : mw_fail(r->x->rd->err, MW_ERR_INPUT, p->target_at,
                               "port %.64s: found nothing called %.64s, expected a body, a frame "
                               "(body.frame) or a joint coordinate of its assembly",
                               p->path, text);
}

mw_code mw_ports_resolve(mw_expander *x)
{
  resolver r = { .x = x };
  mw_code rc = build(&r);
  for (int k = 0; k < r.n_port && rc == MW_OK; k++) rc = check_port(&r, r.port[k]);
  return rc == MW_OK ? resolve(&r, x->root, &mw_model_shape) : rc;
}
