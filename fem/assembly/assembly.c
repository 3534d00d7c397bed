// SPDX-License-Identifier: BSD-3-Clause
// assembly.c: the assemblies of a model file, expanded before anything is checked.
//
// The parts of each assembly are copied behind those of the model, under their paths, in the order
// in which they stand: its own first, then those of the assemblies in it. What follows (shapes,
// names, digests) knows parts alone: a model of assemblies is the flat model that has the same
// parts under the same names. Nodes keep their places in the files they are from. Definitions that
// nothing uses are expanded apart and held against the table of keys.
// Cost: linear in the nodes of all copies.
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "assembly_priv.h"

static const mw_place HERE = { .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                               .flip = { 1, 1, 1 },
                               .here = true };

static mw_code expand_level(mw_expander *x, const mw_level *l);

// ---- nodes --------------------------------------------------------------------------------------

mw_ynode *mw_entry_add(mw_expander *x, mw_ynode *map, mw_ynode *value, const char *key)
{
  mw_ynode *last = map->first;
  while (last && last->next) last = last->next;
  mw_ynode *name = mw_yaml_node(x->tree, MW_Y_SCALAR, map->at, key, strlen(key));
  if (!value || !name) return NULL;
  value->key = name;
  value->given = name->given = true;
  mw_yaml_append(map, value, &last);
  return value;
}

mw_ynode *mw_expander_copy(mw_expander *x, const mw_ynode *node, const mw_scope *scope)
{
  mw_ynode *c = mw_arena_alloc(x->tree, 1, sizeof *c), *last = NULL;
  if (!c) return NULL;
  *c = *node;
  c->first = c->next = NULL;
  c->n = 0;
  c->scope = scope;
  for (const mw_ynode *e = node->first; e; e = e->next) {
    mw_ynode *inner = mw_expander_copy(x, e, scope);
    if (!inner) return NULL;
    mw_yaml_append(c, inner, &last);
  }
  return c;
}

static const mw_key *key_of(const mw_shape *s, const char *name)
{
  const mw_key *k = s->keys;
  while (k->name && strcmp(k->name, name) != 0) k++;
  return k;
}

// A checked copy of the value under a key of an assembly, *out NULL without one.
static mw_code take_value(mw_expander *x, const mw_level *l, const mw_ynode *assembly,
                          const char *key, const mw_ynode **out)
{
  const mw_shape_env env = { x->tree, x->rd->err, l->scope, false };
  const mw_ynode *e = mw_y_find(assembly, key);
  mw_ynode *c = e ? mw_expander_copy(x, e, l->scope) : NULL;
  *out = c;
  if (e && !c) return mw_expander_ok(x);
  return e ? mw_shape_check(c, key_of(mw_assembly_shape, key)->shape, key, &env) : MW_OK;
}

// Keys of a mapping are those of the shape.
static mw_code check_keys(const mw_expander *x, const mw_ynode *map, const mw_shape *s,
                          const char *what)
{
  const mw_key *k;
  mw_code rc = MW_OK;
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next)
    rc = mw_shape_key(e, s, what, &k, x->rd->err);
  return rc;
}

static mw_code must_be_map(const mw_expander *x, const mw_ynode *node, const char *what)
{
  if (node->kind == MW_Y_MAP) return MW_OK;
  return mw_fail(x->rd->err, MW_ERR_INPUT, node->at, "%.64s: found %s, expected a mapping", what,
                 node->kind == MW_Y_LIST ? "a list"
                 : node->text[0]         ? "a value"
                                         : "nothing");
}

// ---- parts --------------------------------------------------------------------------------------

// The map of the tree that gets parts of key k, the i-th of a definition.
static mw_code find_map(mw_expander *x, int i, const mw_key *k)
{
  if (x->map[i]) return MW_OK;
  mw_ynode *map = mw_entry(x->root, k->name);
  if (!map)
    map = mw_entry_add(x, x->root, mw_yaml_node(x->tree, MW_Y_MAP, x->root->at, "", 0), k->name);
  if (!map) return mw_expander_ok(x);
  mw_code rc = must_be_map(x, map, k->name);
  if (rc != MW_OK) return rc;
  x->map[i] = map;
  x->last[i] = map->first;
  while (x->last[i] && x->last[i]->next) x->last[i] = x->last[i]->next;
  return MW_OK;
}

static mw_code add_part(mw_expander *x, const mw_level *l, const mw_ynode *e, const mw_key *k,
                        int i)
{
  mw_code rc = mw_shape_name(e->key, k->name, x->rd->err);
  if (rc == MW_OK && strcmp(k->name, "bodies") == 0 && strcmp(e->key->text, "ground") == 0)
    rc = mw_fail(x->rd->err, MW_ERR_INPUT, e->key->at,
                 "body ground is always there, expected another name (with ground: true)");
  if (rc != MW_OK) return rc;
  mw_ynode *c = mw_expander_copy(x, e, l->scope), *key = mw_expander_copy(x, e->key, NULL);
  if (key) key->text = mw_level_name(x, l, e->key->text);
  if (!c || !key || !key->text) return mw_expander_ok(x);
  key->path = true;
  c->key = key;
  mw_yaml_append(x->map[i], c, &x->last[i]);
  rc = mw_names_rename(x, l, c, k->shape->named);
  if (rc == MW_OK && strcmp(k->name, "bodies") == 0) rc = mw_place_body(x, l, c);
  return rc == MW_OK ? mw_place_turn(x, l, c, k->shape->named) : rc;
}

mw_code mw_expander_part(mw_expander *x, const char *of, mw_ynode *part, const char *name)
{
  const mw_key *k = mw_definition_shape->keys;
  int i = 0;
  for (; strcmp(k->name, of) != 0; k++) i++;
  mw_code rc = name ? find_map(x, i, k) : mw_expander_ok(x);
  mw_ynode *key = name ? mw_yaml_node(x->tree, MW_Y_SCALAR, part->at, name, strlen(name)) : NULL;
  if (rc != MW_OK || !key) return rc != MW_OK ? rc : mw_expander_ok(x);
  key->path = true;
  part->key = key;
  mw_yaml_append(x->map[i], part, &x->last[i]);
  return MW_OK;
}

static mw_code add_parts(mw_expander *x, const mw_level *l)
{
  mw_code rc = MW_OK;
  int i = 0;
  for (const mw_key *k = mw_definition_shape->keys; k->name && rc == MW_OK; k++, i++) {
    const mw_ynode *map = k->flags & MW_KEY_PART ? mw_y_find(l->part, k->name) : NULL;
    if (!map) continue;
    rc = must_be_map(x, map, k->name);
    if (rc == MW_OK) rc = find_map(x, i, k);
    for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next)
      rc = add_part(x, l, e, k, i);
  }
  return rc;
}

// ---- files and definitions ----------------------------------------------------------------------

static mw_code add_unit(mw_expander *x, const char *path, const char *from_model, mw_ynode *root,
                        const struct stat *st)
{
  mw_unit *u = mw_arena_alloc(x->tree, 1, sizeof *u);
  const char *slash = strrchr(path, '/'), *tail = strrchr(from_model, '/');
  if (!u) return mw_expander_ok(x);
  *u = (mw_unit){
    .path = path, .root = root, .dev = st->st_dev, .ino = st->st_ino, .next = x->unit
  };
  u->dir = mw_arena_printf(x->tree, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
  u->from_model =
      mw_arena_printf(x->tree, "%.*s", tail ? (int)(tail - from_model) + 1 : 0, from_model);
  x->unit = u;
  return mw_expander_ok(x);
}

// The file is one that the model was read from, too: messages and outputs name it.
static mw_code add_source(mw_expander *x, const char *path, mw_at at)
{
  mw_model *m = x->rd->m;
  mw_source *all = mw_arena_alloc(x->rd->mem, (size_t)m->n_source + 1, sizeof *all);
  if (!all) return mw_arena_check(x->rd->mem, x->rd->err);
  if (m->n_source) memcpy(all, m->source, (size_t)m->n_source * sizeof *all);
  all[m->n_source++] = (mw_source){ path, at };
  m->source = all;
  return MW_OK;
}

static const mw_model_text *in_memory(const mw_expander *x, const char *path)
{
  for (int k = 0; k < x->rd->n_file; k++)
    if (strcmp(x->rd->file[k].path, path) == 0) return &x->rd->file[k];
  return NULL;
}

static mw_code read_unit(mw_expander *x, const char *path, const char *from_model, mw_at at,
                         const struct stat *st)
{
  char *read = NULL;
  const mw_model_text *held = in_memory(x, path);
  const char *text = held ? held->text : NULL;
  size_t n = held ? held->n : 0;
  mw_ynode *root = NULL;
  mw_code rc = MW_OK;
  if (!held) rc = mw_model_bytes(path, "file of an assembly", &read, &n, x->rd->err);
  if (rc == MW_OK) rc = mw_yaml_read(held ? text : read, n, path, x->tree, &root, x->rd->err);
  free(read);
  if (rc != MW_OK) return rc;
  const mw_shape_env env = { x->tree, x->rd->err, NULL, false };
  mw_ynode *version = root->kind == MW_Y_MAP ? mw_entry(root, "modeway") : NULL;
  if (!version)
    return mw_fail(x->rd->err, MW_ERR_INPUT, (mw_at){ path, 1, 1 },
                   "found no key modeway, expected modeway: 1");
  rc =
      mw_shape_check(version, key_of(&mw_definition_file_shape, "modeway")->shape, "modeway", &env);
  if (rc == MW_OK)
    rc = check_keys(x, root, &mw_definition_file_shape, "a file that an assembly uses");
  if (rc == MW_OK) rc = add_source(x, path, at);
  return rc == MW_OK ? add_unit(x, path, from_model, root, st) : rc;
}

// The file that `use` names, from the folder of the file it stands in.
static mw_code open_unit(mw_expander *x, const mw_unit *in, const mw_ynode *use, mw_unit **out)
{
  bool whole = use->text[0] == '/';
  const char *path = mw_arena_printf(x->rd->mem, "%s%s", whole ? "" : in->dir, use->text);
  const char *rel = mw_arena_printf(x->tree, "%s%s", whole ? "" : in->from_model, use->text);
  struct stat st;
  mw_code rc = mw_arena_check(x->rd->mem, x->rd->err);
  if (rc == MW_OK) rc = mw_expander_ok(x);
  if (rc != MW_OK) return rc;
  mw_unit *u = x->unit;
  if (x->rd->file) {
    st = (struct stat){ .st_ino = (ino_t)-1 };
    if (!in_memory(x, path))
      return mw_fail(x->rd->err, MW_ERR_INPUT, use->at,
                     "use: found no file %.160s, expected it under the path that it has elsewhere",
                     path);
    while (u && strcmp(u->path, path) != 0) u = u->next;
    if (!u) rc = read_unit(x, path, rel, use->at, &st);
    *out = u ? u : x->unit;
    return rc;
  }
  if (stat(path, &st) != 0 || S_ISDIR(st.st_mode))
    return mw_fail(x->rd->err, MW_ERR_INPUT, use->at,
                   "use: cannot open the file %.160s: %s, expected a file or a definition", path,
                   errno ? strerror(errno) : "it is a folder");
  while (u && (u->dev != st.st_dev || u->ino != st.st_ino)) u = u->next;
  if (!u) rc = read_unit(x, path, rel, use->at, &st);
  *out = u ? u : x->unit;
  return rc;
}

static mw_code unknown_definition(const mw_expander *x, const mw_ynode *use, const mw_ynode *all)
{
  mw_suggest g = mw_suggest_init(use->text);
  for (const mw_ynode *e = all ? all->first : NULL; e; e = e->next)
    mw_suggest_add(&g, e->key->text);
  return mw_fail(x->rd->err, MW_ERR_INPUT, use->at,
                 g.best ? "unknown definition \"%.64s\", did you mean \"%.64s\"?"
                        : "unknown definition \"%.64s\", expected one of this file's or a file "
                          "(a name with a dot or /)%.0s",
                 use->text, g.best ? g.best : "");
}

// What an assembly uses: the mapping of its parts, and the file it is in.
static mw_code find_definition(mw_expander *x, const mw_level *up, const mw_ynode *use, mw_level *l)
{
  mw_error not = { 0 };
  if (mw_shape_name(use, "use", &not ) != MW_OK) {
    mw_code rc = open_unit(x, up->unit, use, &l->unit);
    if (rc == MW_OK) l->part = l->unit->root;
    return rc;
  }
  const mw_ynode *all = mw_y_find(up->unit->root, "definitions"), *e = mw_y_find(all, use->text);
  if (!e) {
    mw_code rc = all ? must_be_map(x, all, "definitions") : MW_OK;
    return rc == MW_OK ? unknown_definition(x, use, all) : rc;
  }
  mw_used *used = mw_arena_alloc(x->tree, 1, sizeof *used);
  if (!used) return mw_expander_ok(x);
  *used = (mw_used){ e, x->definition };
  x->definition = used;
  l->part = e;
  mw_code rc = must_be_map(x, e, use->text);
  return rc == MW_OK ? check_keys(x, e, mw_definition_shape, use->text) : rc;
}

// ---- assemblies ---------------------------------------------------------------------------------

// A definition that is used within itself.
static mw_code check_circle(const mw_expander *x, const mw_level *l, mw_at at)
{
  char chain[300] = "";
  const mw_level *from = l->up;
  while (from && from->part != l->part) from = from->up;
  if (l->depth > MW_ASSEMBLY_DEPTH)
    return mw_fail(x->rd->err, MW_ERR_INPUT, at,
                   "assembly %.160s stands in more than %d others, expected fewer", l->path,
                   MW_ASSEMBLY_DEPTH);
  if (!from) return MW_OK;
  for (const mw_level *k = l;; k = k->up) {
    char rest[300];
    memcpy(rest, chain, sizeof rest);
    snprintf(chain, sizeof chain, "%.90s%s%.200s", k->use, rest[0] ? " uses " : "", rest);
    if (k == from) break;
  }
  return mw_fail(x->rd->err, MW_ERR_INPUT, at, "%s: expected no circle", chain);
}

// A parameter of a definition, with the value of `set` where that has it.
static mw_code read_parameter(mw_expander *x, const mw_level *up, const mw_ynode *e,
                              const mw_ynode *set, const mw_scope *before, mw_parameter *p)
{
  const mw_shape_env env = { x->tree, x->rd->err, before, true };
  const mw_ynode *other = mw_y_find(set, e->key->text);
  mw_reader rd = *x->rd;
  rd.mem = x->tree;  // kept with the nodes
  mw_ynode *value = mw_expander_copy(x, other ? other : e, other ? up->scope : before);
  if (!value) return mw_expander_ok(x);
  bool list = e->kind == MW_Y_LIST;
  mw_code rc = mw_parameter_read(&rd, e->key, value, &env, p);
  if (rc == MW_OK && other && list != (p->n > 0) && (list || strchr(e->text, '$') == NULL))
    rc = mw_fail(x->rd->err, MW_ERR_INPUT, other->at,
                 "set: %.64s is %s, expected %s as in the definition", e->key->text,
                 p->n ? "a list" : "a number", list ? "a list" : "a number");
  return rc;
}

static mw_code check_set(const mw_expander *x, const mw_ynode *set, const mw_ynode *own,
                         const char *use)
{
  for (const mw_ynode *e = set ? set->first : NULL; e; e = e->next) {
    if (mw_y_find(own, e->key->text)) continue;
    mw_suggest g = mw_suggest_init(e->key->text);
    for (const mw_ynode *k = own ? own->first : NULL; k; k = k->next)
      mw_suggest_add(&g, k->key->text);
    return mw_fail(x->rd->err, MW_ERR_INPUT, e->key->at,
                   "set: %.64s has no parameter \"%.64s\"%s%.64s%s", use, e->key->text,
                   g.best ? ", did you mean \"" : "", g.best ? g.best : ", expected one of its own",
                   g.best ? "\"?" : "");
  }
  return MW_OK;
}

// The parameters that the parts of an assembly see.
static mw_code read_scope(mw_expander *x, mw_level *l, const mw_ynode *set)
{
  const mw_ynode *own = mw_y_find(l->part, "parameters");
  mw_scope *scope = mw_arena_alloc(x->tree, 1, sizeof *scope);
  if (!scope) return mw_expander_ok(x);
  mw_code rc = own ? must_be_map(x, own, "parameters") : MW_OK;
  if (rc == MW_OK && set) rc = must_be_map(x, set, "set");
  if (rc == MW_OK) rc = check_set(x, set, own, l->use);
  if (rc != MW_OK) return rc;
  mw_parameter *p = mw_arena_alloc(x->tree, (size_t)(own ? own->n : 0), sizeof *p);
  if (!p) return mw_expander_ok(x);
  *scope = (mw_scope){ p, 0, l->up->scope };
  for (const mw_ynode *e = own ? own->first : NULL; e && rc == MW_OK; e = e->next) {
    rc = read_parameter(x, l->up, e, set, scope, &p[scope->n]);
    scope->n++;
  }
  l->scope = scope;
  return rc;
}

static mw_code check_name(const mw_expander *x, const mw_level *up, const mw_ynode *key)
{
  const mw_ynode *body = mw_y_find(mw_y_find(up->part, "bodies"), key->text);
  mw_code rc = mw_shape_name(key, "assemblies", x->rd->err);
  if (rc != MW_OK || (!body && strcmp(key->text, "ground") != 0)) return rc;
  return mw_fail(x->rd->err, MW_ERR_INPUT, key->at,
                 "assembly \"%.64s\" has the name of a body, expected another name", key->text);
}

// Keys of an assembly that gives a definition, or parts.
static mw_code check_choice(const mw_expander *x, const mw_ynode *e, const mw_ynode *use)
{
  const mw_ynode *set = mw_y_find(e, "set");
  if (use && mw_y_find(e, "use") && mw_y_find(e, "component"))
    return mw_fail(x->rd->err, MW_ERR_INPUT, mw_y_find(e, "component")->key->at,
                   "assembly %.64s: found component beside use, expected one of them",
                   e->key->text);
  if (!use && set)
    return mw_fail(x->rd->err, MW_ERR_INPUT, set->key->at,
                   "assembly %.64s: found set without use or component, expected both",
                   e->key->text);
  for (const mw_ynode *k = use ? e->first : NULL; k; k = k->next)
    if (key_of(mw_definition_shape, k->key->text)->name)
      return mw_fail(x->rd->err, MW_ERR_INPUT, k->key->at,
                     "assembly %.64s: found %.64s beside %s, expected parts in the definition "
                     "alone",
                     e->key->text, k->key->text, use->key->text);
  return MW_OK;
}

static mw_code enter_place(mw_expander *x, const mw_level *up, const mw_ynode *e, mw_level *l)
{
  const mw_ynode *at, *axes, *mirror;
  mw_place *place = mw_arena_alloc(x->tree, 1, sizeof *place);
  if (!place) return mw_expander_ok(x);
  mw_code rc = take_value(x, up, e, "at", &at);
  if (rc == MW_OK) rc = take_value(x, up, e, "axes", &axes);
  if (rc == MW_OK) rc = take_value(x, up, e, "mirror", &mirror);
  if (rc == MW_OK) rc = mw_place_read(x, at, axes, mirror, up->place, place);
  l->place = place;
  return rc;
}

static mw_code count_assembly(mw_expander *x, const mw_level *l, mw_at at)
{
  mw_used *a = mw_arena_alloc(x->tree, 1, sizeof *a);
  if (!a) return mw_expander_ok(x);
  *a = (mw_used){ l->path, x->assembly };
  x->assembly = a;
  if (++x->n_assembly <= MW_ASSEMBLY_MOST) return MW_OK;
  return mw_fail(x->rd->err, MW_ERR_INPUT, at, "found more than %d assemblies, expected fewer",
                 MW_ASSEMBLY_MOST);
}

static mw_code add_assembly(mw_expander *x, const mw_level *up, const mw_ynode *e)
{
  const mw_ynode *use, *component;
  mw_level l = { .up = up, .part = e, .unit = up->unit, .depth = up->depth + 1 };
  mw_code rc = check_name(x, up, e->key);
  if (rc == MW_OK) rc = must_be_map(x, e, e->key->text);
  if (rc == MW_OK) rc = check_keys(x, e, mw_assembly_shape, e->key->text);
  if (rc == MW_OK) rc = take_value(x, up, e, "component", &component);
  if (rc == MW_OK) rc = take_value(x, up, e, "use", &use);
  if (rc == MW_OK) rc = check_choice(x, e, component ? component : use);
  if (rc != MW_OK) return rc;
  l.path = mw_level_name(x, up, e->key->text);
  l.use = use ? use->text : l.path;
  rc = mw_expander_ok(x);
  if (rc == MW_OK && component) {
    rc = count_assembly(x, &l, e->key->at);
    if (rc == MW_OK) rc = enter_place(x, up, e, &l);
    return rc == MW_OK ? mw_component_expand(x, &l, e, component) : rc;
  }
  if (rc == MW_OK && use) rc = find_definition(x, up, use, &l);
  if (rc == MW_OK) rc = check_circle(x, &l, use ? use->at : e->key->at);
  if (rc == MW_OK) rc = count_assembly(x, &l, e->key->at);
  if (rc == MW_OK) rc = read_scope(x, &l, mw_y_find(e, "set"));
  if (rc == MW_OK) rc = enter_place(x, up, e, &l);
  return rc == MW_OK ? expand_level(x, &l) : rc;
}

static mw_code add_assemblies(mw_expander *x, const mw_level *l)
{
  const mw_ynode *map = mw_y_find(l->part, "assemblies");
  mw_code rc = map ? must_be_map(x, map, "assemblies") : MW_OK;
  for (const mw_ynode *e = map ? map->first : NULL; e && rc == MW_OK; e = e->next)
    rc = add_assembly(x, l, e);
  return rc;
}

static mw_code expand_level(mw_expander *x, const mw_level *l)
{
  const mw_ynode *ports = mw_y_find(l->part, "ports");
  mw_code rc = add_parts(x, l);
  if (rc == MW_OK && ports) rc = must_be_map(x, ports, "ports");
  if (rc == MW_OK && ports) rc = mw_ports_add(x, l, ports);
  return rc == MW_OK ? add_assemblies(x, l) : rc;
}

// ---- definitions that nothing uses --------------------------------------------------------------

static bool is_used(const mw_expander *x, const mw_ynode *definition)
{
  const mw_used *u = x->definition;
  while (u && u->what != definition) u = u->next;
  return u != NULL;
}

// Expands it into a tree of its own, whose maps are held against the table of keys.
static mw_code check_unused(mw_expander *x, const mw_level *model, mw_unit *unit, const mw_ynode *e)
{
  mw_expander apart = { .rd = x->rd, .tree = x->tree, .unit = x->unit };
  const mw_level in = { .path = "",
                        .use = unit->path,
                        .part = unit->root,
                        .unit = unit,
                        .scope = model->scope,
                        .place = &HERE };
  mw_level l = { .up = &in,
                 .path = e->key->text,
                 .use = e->key->text,
                 .part = e,
                 .unit = unit,
                 .place = &HERE,
                 .depth = 1 };
  const mw_shape_env env = { x->tree, x->rd->err, model->scope, false };
  mw_code rc = mw_shape_name(e->key, "definitions", x->rd->err);
  if (rc == MW_OK) rc = must_be_map(x, e, e->key->text);
  if (rc == MW_OK) rc = check_keys(x, e, mw_definition_shape, e->key->text);
  apart.root = mw_yaml_node(x->tree, MW_Y_MAP, e->at, "", 0);
  if (!apart.root) return mw_expander_ok(x);
  if (rc == MW_OK) rc = read_scope(&apart, &l, NULL);
  if (rc == MW_OK) rc = expand_level(&apart, &l);
  for (mw_ynode *map = apart.root->first; map && rc == MW_OK; map = map->next)
    rc = mw_shape_check(map, key_of(&mw_model_shape, map->key->text)->shape, map->key->text, &env);
  for (mw_used *u = apart.definition, *next; u; u = next) {
    next = u->next;
    u->next = x->definition;
    x->definition = u;
  }
  x->unit = apart.unit;
  return rc;
}

static mw_code check_definitions(mw_expander *x, const mw_level *model)
{
  mw_code rc = MW_OK;
  for (mw_unit *u = x->unit; u && rc == MW_OK; u = u->next) {
    const mw_ynode *all = mw_y_find(u->root, "definitions");
    if (all) rc = must_be_map(x, all, "definitions");
    for (const mw_ynode *e = all ? all->first : NULL; e && rc == MW_OK; e = e->next)
      if (!is_used(x, e)) rc = check_unused(x, model, u, e);
  }
  return rc;
}

// ---- the tree -----------------------------------------------------------------------------------

static void take_off(mw_ynode *root, const char *key)
{
  mw_ynode **at = &root->first;
  while (*at && strcmp((*at)->key->text, key) != 0) at = &(*at)->next;
  if (!*at) return;
  *at = (*at)->next;
  root->n--;
}

mw_code mw_assemblies_expand(mw_reader *rd, mw_ynode *root, const mw_scope *scope, mw_arena *tree)
{
  mw_expander x = { .rd = rd, .tree = tree, .root = root };
  struct stat st = { 0 };
  if (!mw_y_find(root, "assemblies") && !mw_y_find(root, "definitions")) return MW_OK;
  bool known = stat(rd->m->path, &st) == 0;
  mw_ynode *kept = mw_arena_alloc(tree, 1, sizeof *kept);  // with its definitions
  if (!kept) return mw_arena_check(tree, rd->err);
  *kept = *root;
  mw_code rc = add_unit(&x, rd->m->path, "", root, &st);
  if (rc != MW_OK) return rc;
  if (!known) x.unit->ino = (ino_t)-1;
  const mw_level model = {
    .path = "", .use = rd->m->path, .part = root, .unit = x.unit, .scope = scope, .place = &HERE
  };
  rc = add_assemblies(&x, &model);
  if (rc == MW_OK) rc = check_definitions(&x, &model);
  if (rc == MW_OK) rc = mw_ports_resolve(&x);
  take_off(root, "definitions");
  take_off(root, "assemblies");
  return rc;
}
