// SPDX-License-Identifier: BSD-3-Clause
// assembly_names.c: names of an assembly's parts become paths: its own and those it refers to.
//
// Which values are names, and of what, the table of keys says (mw_shape.refers, .declares). Cost:
// linear in the nodes of the part.
#include <string.h>

#include "assembly_priv.h"

// A material or section: of the assembly, else of what it stands in.
static const char *seen_from(const mw_expander *x, const mw_level *l, const char *map,
                             const char *name)
{
  for (; l->up; l = l->up)
    if (mw_y_find(mw_y_find(l->part, map), name)) return mw_level_name(x, l, name);
  return name;
}

static mw_code refer(mw_expander *x, const mw_level *l, mw_ynode *node, mw_names what)
{
  const char *t = node->text;
  bool body = what == MW_NAMES_BODY || what == MW_NAMES_FRAME || what == MW_NAMES_GUIDE;
  if (what == MW_NAMES_MATERIAL)
    node->text = seen_from(x, l, "materials", t);
  else if (what == MW_NAMES_SECTION)
    node->text = seen_from(x, l, "sections", t);
  else if (body && strcmp(t, "ground") == 0) {
    if (l->place->here) return MW_OK;
    return mw_fail(x->rd->err, MW_ERR_INPUT, node->at,
                   "found ground in assembly %.64s, which is placed elsewhere, expected a body of "
                   "its own with ground: true",
                   l->path);
  } else if (what != MW_NAMES_NONE && t[0]) {
    node->text = mw_level_name(x, l, t);
  }
  return mw_expander_ok(x);
}

static mw_code rename_scalar(mw_expander *x, const mw_level *l, mw_ynode *node,
                             const mw_shape *shape)
{
  if (!shape->declares) return shape->scalar == MW_S_REF ? refer(x, l, node, shape->refers) : MW_OK;
  mw_code rc = mw_shape_name(node, node->key ? node->key->text : "a name", x->rd->err);
  if (rc != MW_OK) return rc;
  node->text = mw_level_name(x, l, node->text);
  node->path = true;
  return mw_expander_ok(x);
}

// Files are named from the folder of the file that names them.
static mw_code rename_file(mw_expander *x, const mw_level *l, mw_ynode *node)
{
  if (node->kind == MW_Y_SCALAR && node->text[0] && node->text[0] != '/')
    node->text = mw_arena_printf(x->tree, "%s%s", l->unit->from_model, node->text);
  return mw_expander_ok(x);
}

mw_code mw_names_rename(mw_expander *x, const mw_level *l, mw_ynode *node, const mw_shape *shape)
{
  mw_code rc = MW_OK;
  if (node->kind == MW_Y_SCALAR) return rename_scalar(x, l, node, shape);
  for (mw_ynode *e = node->first; e && rc == MW_OK; e = e->next) {
    const mw_key *k;
    const mw_shape *inner = mw_inner_shape(node, e, shape, &k);
    if (k && k->flags & MW_KEY_FILE) rc = rename_file(x, l, e);
    // what has no shape the check of shapes refuses
    if (rc == MW_OK && inner) rc = mw_names_rename(x, l, e, inner);
  }
  return rc;
}
