// SPDX-License-Identifier: BSD-3-Clause
// model_mesh.c: what an elastic body of solids or shells is made of: mesh, CAD file or foreign
// matrices, its parts, node sets, ties, bushings, and what its CAD program says of it.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model_layer.h"

// metres a unit of length
static double unit_scale(const char *word)
{
  static const struct {
    const char *word;
    double scale;
  } UNIT[] = { { "m", 1.0 }, { "cm", 1e-2 }, { "mm", 1e-3 }, { "in", 0.0254 } };
  for (size_t k = 0; k < sizeof UNIT / sizeof *UNIT; k++)
    if (strcmp(UNIT[k].word, word) == 0) return UNIT[k].scale;
  return 1.0;
}

const char *mw_read_path(mw_reader *rd, const mw_ynode *v)
{
  return v->text[0] == '/' ? mw_read_str(rd, v->text)
                           : mw_arena_printf(rd->mem, "%s%s", rd->dir, v->text);
}

static mw_code read_material(mw_reader *rd, const mw_ynode *node, int *material)
{
  const mw_model *m = rd->m;
  *material = -1;
  if (!node) return MW_OK;
  return mw_name_read(rd, node, "material", m->material, m->n_material, sizeof *m->material,
                      material);
}

static mw_code read_cad(mw_reader *rd, const mw_ynode *v, mw_body_in *b)
{
  const mw_ynode *groups = mw_y_find(v, "groups"), *refine = mw_y_find(v, "refine"),
                 *file = mw_y_find(v, "file");
  mw_cad_in *c = NULL;
  mw_code rc = MW_NEW(rd, c, 1);
  if (rc == MW_OK) rc = MW_NEW(rd, c->group, groups->n);
  if (rc == MW_OK) rc = MW_NEW(rd, c->refine, refine ? refine->n : 0);
  if (rc != MW_OK) return rc;
  c->file = mw_read_path(rd, file);
  c->at = file->at;
  c->size = mw_y_num(v, "size");
  c->order = (int)mw_y_num(v, "order");
  c->scale = b->has_unit ? b->mesh_scale : 0.0;
  for (const mw_ynode *e = groups->first; e; e = e->next) {
    mw_cad_group_in *g = &c->group[c->n_group++];
    const mw_ynode *face = mw_y_find(e, "face");
    *g = (mw_cad_group_in){ .name = mw_read_str(rd, e->key->text),
                            .at = e->key->at,
                            .dim = face ? 2 : 1 };
    mw_y_vec(face ? face : mw_y_find(e, "edge"), 3, g->x);
  }
  for (const mw_ynode *e = refine ? refine->first : NULL; e && rc == MW_OK; e = e->next) {
    mw_cad_refine_in *r = &c->refine[c->n_refine++];
    const mw_ynode *group = mw_y_find(e, "group");
    int index;
    *r = (mw_cad_refine_in){ .at = e->at,
                             .size = mw_y_num(e, "size"),
                             .distance = mw_y_num(e, "distance") };
    mw_y_vec(mw_y_find(e, "at"), 3, r->x);
    if (!group) continue;
    rc = mw_name_read(rd, group, "group", c->group, c->n_group, sizeof *c->group, &index);
    r->group = mw_read_str(rd, group->text);
  }
  b->cad = c;
  return rc == MW_OK ? mw_arena_check(rd->mem, rd->err) : rc;
}

static mw_code read_matrices(mw_reader *rd, const mw_ynode *v, mw_body_in *b)
{
  const mw_ynode *stiffness = mw_y_find(v, "stiffness"), *mass = mw_y_find(v, "mass"),
                 *nodes = mw_y_find(v, "nodes"), *dofs = mw_y_find(v, "dofs");
  mw_code rc = MW_NEW(rd, b->matrices, 1);
  if (rc != MW_OK) return rc;
  *b->matrices = (mw_matrices_in){ .stiffness = mw_read_path(rd, stiffness),
                                   .mass = mw_read_path(rd, mass),
                                   .nodes = mw_read_path(rd, nodes),
                                   .dofs = dofs ? mw_read_path(rd, dofs) : NULL,
                                   .at = v->key->at,
                                   .stiffness_at = stiffness->at,
                                   .mass_at = mass->at,
                                   .nodes_at = nodes->at,
                                   .dofs_at = dofs ? dofs->at : v->key->at };
  return mw_arena_check(rd->mem, rd->err);
}

static mw_code read_parts(mw_reader *rd, const mw_ynode *map, mw_body_in *b)
{
  mw_code rc = MW_NEW(rd, b->part, map->n);
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    mw_part_in *p = &b->part[b->n_part++];
    *p = (mw_part_in){ .name = mw_read_str(rd, e->key->text),
                       .at = e->key->at,
                       .thickness = mw_y_num(e, "thickness") };
    rc = read_material(rd, mw_y_find(e, "material"), &p->material);
  }
  return rc;
}

static mw_code read_numbers(mw_reader *rd, const mw_ynode *list, mw_node_set_in *s)
{
  mw_code rc = MW_NEW(rd, s->tag, list->n);
  for (const mw_ynode *e = list->first; e && rc == MW_OK; e = e->next)
    s->tag[s->n_tag++] = (int)e->num;
  return rc;
}

static mw_code read_pick(mw_reader *rd, const mw_ynode *e, mw_node_set_in *s)
{
  static const char *const kinds[] = { "box",     "plane",   "line", "cylinder",
                                       "nearest", "numbers", NULL };
  static const mw_pick_kind kind_of_key[] = { MW_PICK_BOX,      MW_PICK_PLANE,   MW_PICK_LINE,
                                              MW_PICK_CYLINDER, MW_PICK_NEAREST, MW_PICK_TAGS };
  int kind;
  const mw_ynode *v = mw_y_one(e, kinds, &kind);
  s->kind = kind_of_key[kind];
  if (s->kind == MW_PICK_TAGS) return read_numbers(rd, v, s);
  if (s->kind == MW_PICK_NEAREST) {
    mw_y_vec(v, 3, s->p);
    return MW_OK;
  }
  bool plane = s->kind == MW_PICK_PLANE;
  mw_y_vec(mw_y_find(v, plane ? "point" : "from"), 3, s->p);
  mw_y_vec(mw_y_find(v, plane ? "normal" : "to"), 3, s->q);
  s->within = mw_y_num(v, "within");
  if (s->kind == MW_PICK_CYLINDER) s->r = mw_y_num(v, "radius");
  double d[3] = { s->q[0] - s->p[0], s->q[1] - s->p[1], s->q[2] - s->p[2] };
  if (s->kind != MW_PICK_BOX && !(mw_norm3(plane ? s->q : d) > 0.0))
    return mw_fail(rd->err, MW_ERR_INPUT, v->key->at, "set %.64s: %s", s->name,
                   plane ? "normal is zero, expected a direction"
                         : "from and to coincide, expected a length above 0");
  return MW_OK;
}

static mw_code read_sets(mw_reader *rd, const mw_ynode *map, mw_body_in *b)
{
  mw_code rc = MW_NEW(rd, b->node_set, map->n);
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    mw_node_set_in *s = &b->node_set[b->n_node_set++];
    *s = (mw_node_set_in){ .name = mw_read_str(rd, e->key->text), .at = e->key->at };
    rc = read_pick(rd, e, s);
  }
  return rc;
}

static mw_code read_ties(mw_reader *rd, const mw_ynode *list, mw_body_in *b)
{
  mw_code rc = MW_NEW(rd, b->tie, list ? list->n : 0);
  for (const mw_ynode *e = list ? list->first : NULL; e && rc == MW_OK; e = e->next) {
    b->tie[b->n_tie++] = (mw_tie_in){ .at = e->at,
                                      .slave = mw_read_str(rd, mw_y_find(e, "slave")->text),
                                      .master = mw_read_str(rd, mw_y_find(e, "master")->text),
                                      .distance = mw_y_num(e, "distance") };
    rc = mw_arena_check(rd->mem, rd->err);
  }
  return rc;
}

mw_code mw_bushings_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b)
{
  mw_code rc = MW_NEW(rd, b->bushing, map->n);
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    mw_bushing_in *k = &b->bushing[b->n_bushing++];
    const mw_ynode *to = mw_y_find(e, "b");
    *k = (mw_bushing_in){ .name = mw_read_str(rd, e->key->text), .at = e->key->at };
    mw_y_vec(mw_y_find(e, "stiffness"), 6, k->stiffness);
    rc = mw_name_read(rd, mw_y_find(e, "a"), "frame", b->attach, b->n_attach, sizeof *b->attach,
                      &k->a);
    if (rc == MW_OK)
      rc = mw_name_read(rd, to, "frame", b->attach, b->n_attach, sizeof *b->attach, &k->b);
    if (rc == MW_OK && k->a == k->b)
      rc = mw_fail(rd->err, MW_ERR_INPUT, to->at,
                   "bushing %.64s: found the same frame twice, expected two frames", k->name);
  }
  return rc;
}

static void read_expected(const mw_ynode *v, mw_expected_in *x)
{
  *x = (mw_expected_in){ .present = true,
                         .at = v->key->at,
                         .mass = mw_y_num(v, "mass"),
                         .has_com = mw_y_given(v, "com"),
                         .has_inertia = mw_y_given(v, "inertia"),
                         .tolerance = mw_y_num(v, "tolerance") };
  mw_y_vec(mw_y_find(v, "com"), 3, x->com);
  mw_y_vec(mw_y_find(v, "inertia"), 6, x->inertia);
}

// A gmsh or CAD file gives no material: the body or its parts must.
static mw_code check_material(const mw_reader *rd, const mw_ynode *v, const mw_body_in *b)
{
  const char *dot = b->mesh ? strrchr(b->mesh, '.') : NULL;
  if (b->mesh_material >= 0 || b->n_part > 0 || b->matrices || (dot && strcmp(dot, ".inp") == 0))
    return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, v->key->at,
                 "body %.64s: found a mesh without material, expected its name", b->name);
}

mw_code mw_unit_read(const mw_reader *rd, const mw_ynode *e, mw_body_in *b)
{
  const mw_ynode *unit = mw_y_find(e, "unit");
  bool scaled = mw_y_given(e, "scale");
  if (unit && scaled)
    return mw_fail(rd->err, MW_ERR_INPUT, unit->key->at,
                   "body %.64s: found unit and scale, expected one of them", b->name);
  b->has_unit = unit || scaled;
  if (unit) b->mesh_scale = unit_scale(unit->text);
  return MW_OK;
}

mw_code mw_mesh_body_read(mw_reader *rd, const mw_ynode *e, const mw_ynode *v, mw_body_in *b)
{
  const mw_ynode *expected = mw_y_find(e, "expected");
  mw_code rc = mw_unit_read(rd, e, b);
  if (rc == MW_OK) rc = read_material(rd, mw_y_find(e, "material"), &b->mesh_material);
  if (rc != MW_OK) return rc;
  b->mesh_at = v->at;
  if (strcmp(v->key->text, "mesh") == 0) b->mesh = mw_read_path(rd, v);
  if (strcmp(v->key->text, "cad") == 0) rc = read_cad(rd, v, b);
  if (strcmp(v->key->text, "matrices") == 0) rc = read_matrices(rd, v, b);
  if (rc == MW_OK) rc = read_parts(rd, mw_y_find(e, "parts"), b);
  if (rc == MW_OK) rc = check_material(rd, v, b);
  if (rc == MW_OK) rc = read_sets(rd, mw_y_find(e, "sets"), b);
  if (rc == MW_OK) rc = read_ties(rd, mw_y_find(e, "ties"), b);
  if (expected) read_expected(expected, &b->expected);
  return rc == MW_OK ? mw_arena_check(rd->mem, rd->err) : rc;
}
