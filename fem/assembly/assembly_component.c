// SPDX-License-Identifier: BSD-3-Clause
// assembly_component.c: assemblies whose inside is not known. A frame of the component is a body
// without parts, called NAME.inside1, NAME.inside2, …, which nothing in the model can refer to but
// by the component's ports. Its mass is the component's affair: what the rigid mechanism is made of
// asks there (fem/rigid/rigid_component.c), all else refuses the model.
#include <math.h>
#include <stdlib.h>

#include "assembly_priv.h"
#include "base/vec3.h"
#include "fem/component.h"

#define DRIVEN "driven_point_of_component_"  // frames of the points that drives act at

// ---- what is asked of it ------------------------------------------------------------------------

static void place_of(const mw_place *z, mw_component_in *in)
{
  in->look = 1;
  memcpy(in->p, z->p, sizeof in->p);
  memcpy(in->A, z->A, sizeof in->A);
  for (int i = 0; z->mirrored && i < 3; i++)
    if (z->flip[i] < 0.0) in->mirror = i + 1;
}

// "name=value" of an entry of set, in memory of the model.
static mw_code setting(mw_expander *x, const mw_level *l, const mw_ynode *e, const char **out)
{
  const mw_shape_env env = { x->tree, x->rd->err, l->up->scope, true };
  mw_reader rd = *x->rd;
  mw_parameter p;
  rd.mem = x->tree;
  mw_ynode *value = mw_expander_copy(x, e, l->up->scope);
  if (!value) return mw_expander_ok(x);
  mw_code rc = mw_parameter_read(&rd, e->key, value, &env, &p);
  if (rc != MW_OK) return rc;
  mw_arena *mem = x->rd->mem;
  const char *text = mw_arena_printf(mem, "%s=%s", p.name, p.n > 0 ? "[" : "");
  for (int i = 0; text && i < (p.n > 0 ? p.n : 1); i++)
    text = mw_arena_printf(mem, "%s%s%.17g", text, i ? ", " : "", p.value[i]);
  if (text && p.n > 0) text = mw_arena_printf(mem, "%s]", text);
  *out = text;
  return mw_arena_check(mem, x->rd->err);
}

static mw_code settings(mw_expander *x, const mw_level *l, const mw_ynode *set, mw_component_in *in)
{
  const char **all = mw_arena_alloc(x->rd->mem, (size_t)(set ? set->n : 0), sizeof *all);
  mw_code rc = all ? MW_OK : mw_arena_check(x->rd->mem, x->rd->err);
  for (const mw_ynode *e = set ? set->first : NULL; e && rc == MW_OK; e = e->next)
    rc = setting(x, l, e, &all[in->n_set++]);
  in->set = all;
  return rc;
}

// ---- what it says of itself ---------------------------------------------------------------------

// Copies what an instance says into the model's memory.
static mw_code keep(mw_expander *x, const mw_component_calls *call, const void *c,
                    mw_component_use *u)
{
  mw_arena *mem = x->rd->mem;
  call->size(c, &u->size);
  int *border = mw_arena_int(mem, (size_t)u->size.n_border);
  mw_component_body *body = mw_arena_alloc(mem, (size_t)u->size.n_frame, sizeof *body);
  u->hash = mw_arena_str(mem, u->size.hash);
  mw_code rc = mw_arena_check(mem, x->rd->err);
  if (rc != MW_OK) return rc;
  memcpy(border, u->size.border, (size_t)u->size.n_border * sizeof *border);
  u->size.border = border;
  u->size.hash = u->hash;
  if (u->size.promise) u->size.promise = mw_arena_str(mem, u->size.promise);
  for (int k = 0; k < u->size.n_frame; k++) call->body(c, k, &body[k]);
  u->body = body;
  return MW_OK;
}

static mw_code add_port(mw_expander *x, const mw_level *l, const mw_component_port *p, mw_at at)
{
  mw_port *port = mw_arena_alloc(x->tree, 1, sizeof *port);
  if (!port) return mw_expander_ok(x);
  *port = (mw_port){ .path = mw_level_name(x, l, p->name),
                     .target = mw_arena_printf(x->tree, "%s.inside%d%s%s", l->path, p->frame + 1,
                                               p->point ? "." : "", p->point ? p->point : ""),
                     .at = at,
                     .target_at = at,
                     .next = x->port };
  x->port = port;
  x->n_port++;
  return mw_expander_ok(x);
}

// The text of a frame's body: its mass stands for what nobody outside knows.
static const char *body_text(mw_expander *x, const mw_component_calls *call, const void *c, int k,
                             const mw_component_size *n)
{
  mw_component_port p;
  mw_component_drive d;
  const char *t = "rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }\nframes:\n", *head = t;
  for (int i = 0; t && i < n->n_port; i++) {
    call->port(c, i, &p);
    if (p.frame == k && p.point)
      t = mw_arena_printf(x->tree, "%s  %s: { point: [%.17g, %.17g, %.17g] }\n", t, p.point, p.x[0],
                          p.x[1], p.x[2]);
  }
  for (int i = 0; t && i < n->n_drive; i++) {
    call->drive(c, i, &d);
    if (d.b == k)
      t = mw_arena_printf(x->tree, "%s  " DRIVEN "%d: { point: [%.17g, %.17g, %.17g] }\n", t, i + 1,
                          d.point[0], d.point[1], d.point[2]);
  }
  return t == head ? "rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }\n" : t;
}

// Adds a part that was written as text, under this name of the component.
static mw_code add_text(mw_expander *x, const mw_component_use *u, const char *key,
                        const char *name, const char *text)
{
  mw_ynode *part = NULL;
  mw_code rc = mw_expander_ok(x);
  if (rc == MW_OK) rc = mw_yaml_read(text, strlen(text), u->file, x->tree, &part, x->rd->err);
  if (rc != MW_OK) return rc;
  // names that it declares are paths
  for (mw_ynode *e = part->first; e; e = e->next)
    if (strcmp(key, "joints") == 0 &&
        (strcmp(e->key->text, "coordinate") == 0 || strcmp(e->key->text, "drive") == 0))
      e->path = true;
  return mw_expander_part(x, key, part, name);
}

// Where the parts refer to, which nothing that users write can: no name has a #.
static mw_code add_inner_ports(mw_expander *x, const mw_level *l, const mw_component_calls *call,
                               const void *c, const mw_component_use *u)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < u->size.n_frame; k++) {
    const mw_component_port p = { mw_arena_printf(x->tree, "#%d", k + 1), k, NULL, { 0.0 } };
    rc = add_port(x, l, &p, u->at);
  }
  for (int k = 0; rc == MW_OK && k < u->size.n_drive; k++) {
    mw_component_drive d;
    call->drive(c, k, &d);
    if (d.b < 0) continue;
    const mw_component_port p = { mw_arena_printf(x->tree, "#" DRIVEN "%d", k + 1),
                                  d.b,
                                  mw_arena_printf(x->tree, DRIVEN "%d", k + 1),
                                  { 0.0 } };
    rc = add_port(x, l, &p, u->at);
  }
  return rc;
}

static mw_code add_rotor(mw_expander *x, const mw_level *l, const mw_component_drive *d,
                         const char *coordinate, const mw_component_use *u)
{
  const char *text = mw_arena_printf(
      x->tree,
      "coordinate: \"%s\"\nrotor: { inertia: %.17g, ratio: %.17g, stiffness: %.17g, damping: %.17g "
      "}\n",
      coordinate, d->inertia, d->ratio, d->stiffness, d->damping);
  return add_text(x, u, "drives", mw_level_name(x, l, d->name), text);
}

// The coordinate that drive k acts on: a joint whose rows are inside (mw_components_read takes them
// away).
static mw_code add_drive(mw_expander *x, const mw_level *l, const mw_component_drive *d, int k,
                         mw_component_use *u)
{
  mw_arena *mem = x->tree;
  const char *a = d->a < 0 ? "ground" : mw_arena_printf(mem, "\"%s.#%d\"", l->path, d->a + 1),
             *b =
                 d->b < 0 ? "ground" : mw_arena_printf(mem, "\"%s.#" DRIVEN "%d\"", l->path, k + 1),
             *name = mw_level_name(x, l, d->coordinate), *limits = "";
  if (isfinite(d->limits[0]) || isfinite(d->limits[1]))
    limits = mw_arena_printf(mem, "limits: [%.17g, %.17g]\n", d->limits[0], d->limits[1]);
  const char *drive = d->rotor ? "" : mw_arena_printf(mem, "drive: \"%s.%s\"\n", l->path, d->name);
  mw_code rc = mw_expander_ok(x);
  const char *text =
      rc == MW_OK
          ? mw_arena_printf(
                mem,
                "primitives: { a: %s, b: %s, z: [%.17g, %.17g, %.17g], x: [%.17g, %.17g, %.17g], "
                "hold: [%s] }\ncoordinate: \"%s\"\nmeasure: %s\nstart: %.17g\n%s%s",
                a, b, d->z[0], d->z[1], d->z[2], d->x[0], d->x[1], d->x[2],
                d->angle ? "xz, yz" : "x, y", name, d->angle ? "angle" : "travel", d->start, limits,
                drive)
          : NULL;
  u->coordinate[k] = mw_arena_str(x->rd->mem, name);
  if (rc == MW_OK) rc = add_text(x, u, "joints", name, text);
  return rc == MW_OK && d->rotor ? add_rotor(x, l, d, name, u) : rc;
}

static mw_code add_output(mw_expander *x, const mw_level *l, const mw_component_output *o,
                          const mw_component_use *u)
{
  const char *text =
      strcmp(o->kind, "position") == 0
          ? mw_arena_printf(x->tree, "body: \"%s.#%d\"\npoint: [%.17g, %.17g, %.17g]\n", l->path,
                            o->frame + 1, o->x[0], o->x[1], o->x[2])
          : mw_arena_printf(x->tree, "%s: \"%s.%s\"\n", o->kind, l->path, o->of);
  return add_text(x, u, "outputs", mw_level_name(x, l, o->name), text);
}

static mw_code add_seen(mw_expander *x, const mw_level *l, const mw_component_calls *call,
                        const void *c, mw_component_use *u)
{
  u->coordinate = mw_arena_alloc(x->rd->mem, (size_t)u->size.n_drive, sizeof *u->coordinate);
  mw_code rc = mw_arena_check(x->rd->mem, x->rd->err);
  if (rc == MW_OK) rc = add_inner_ports(x, l, call, c, u);
  for (int k = 0; rc == MW_OK && k < u->size.n_drive; k++) {
    mw_component_drive d;
    call->drive(c, k, &d);
    rc = add_drive(x, l, &d, k, u);
  }
  for (int k = 0; rc == MW_OK && k < u->size.n_output; k++) {
    mw_component_output o;
    call->output(c, k, &o);
    rc = add_output(x, l, &o, u);
  }
  return rc;
}

static mw_code add_frames(mw_expander *x, const mw_level *l, const mw_component_calls *call,
                          const void *c, mw_component_use *u)
{
  mw_code rc = MW_OK;
  mw_component_port p;
  for (int k = 0; rc == MW_OK && k < u->size.n_frame; k++) {
    const char *text = body_text(x, call, c, k, &u->size);
    rc = add_text(x, u, "bodies", mw_arena_printf(x->tree, "%s.inside%d", l->path, k + 1), text);
  }
  for (int k = 0; rc == MW_OK && k < u->size.n_port; k++) {
    call->port(c, k, &p);
    rc = add_port(x, l, &p, u->at);
  }
  return rc == MW_OK ? add_seen(x, l, call, c, u) : rc;
}

static mw_code push_use(mw_expander *x, const mw_component_use *u)
{
  mw_model *m = x->rd->m;
  mw_component_use *all = mw_arena_alloc(x->rd->mem, (size_t)m->n_component + 1, sizeof *all);
  if (!all) return mw_arena_check(x->rd->mem, x->rd->err);
  if (m->n_component) memcpy(all, m->component, (size_t)m->n_component * sizeof *all);
  all[m->n_component++] = *u;
  m->component = all;
  return MW_OK;
}

mw_code mw_component_expand(mw_expander *x, const mw_level *l, const mw_ynode *e,
                            const mw_ynode *component)
{
  mw_arena *mem = x->rd->mem;
  const char *text = component->text;
  mw_component_use u = { .name = mw_arena_str(mem, l->path),
                         .file =
                             mw_arena_printf(mem, "%s%s", text[0] == '/' ? "" : l->unit->dir, text),
                         .at = component->at };
  mw_component *c = NULL;
  void *one = NULL;
  mw_code rc = mw_arena_check(mem, x->rd->err);
  place_of(l->place, &u.in);
  if (rc == MW_OK) rc = settings(x, l, mw_y_find(e, "set"), &u.in);
  if (rc == MW_OK) rc = mw_component_open(u.file, u.at, &c, x->rd->err);
  if (rc == MW_OK) rc = mw_component_instance(c, &u.in, u.at, &one, x->rd->err);
  if (rc == MW_OK) {
    const mw_component_calls *call = mw_component_calls_of(c);
    rc = keep(x, call, one, &u);
    if (rc == MW_OK) rc = add_frames(x, l, call, one, &u);
    if (rc == MW_OK) rc = push_use(x, &u);
    call->close(one);
  }
  mw_component_close(c);
  return rc;
}

// ---- after the bodies are read ------------------------------------------------------------------

const mw_component_use *mw_model_component_of(const mw_model *m, int body)
{
  for (int k = 0; k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    if (body >= u->body0 && body < u->body0 + u->size.n_frame) return u;
  }
  return NULL;
}

const mw_component_use *mw_model_component_inside(const mw_model *m, int joint)
{
  for (int k = 0; k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    for (int d = 0; d < u->size.n_drive; d++)
      if (strcmp(m->joint[joint].name, u->coordinate[d]) == 0) return u;
  }
  return NULL;
}

// Where the frames are, to the last bit.
static mw_code place_bodies(mw_reader *rd, mw_component_use *u)
{
  mw_model *m = rd->m;
  const char *first = mw_arena_printf(rd->mem, "%s.inside1", u->name);
  u->body0 = first ? mw_name_find(rd->names, m->body, m->n_body, sizeof *m->body, first) : -1;
  if (u->body0 < 0) return mw_arena_check(rd->mem, rd->err);
  memcpy(u->in.gravity, m->gravity, sizeof u->in.gravity);
  u->in.look = 0;
  for (int k = 0; k < u->size.n_frame; k++) {
    mw_body_in *b = &m->body[u->body0 + k];
    b->at = b->mass_at = u->at;
    memcpy(b->origin, u->body[k].p, sizeof b->origin);
    memcpy(b->axes, u->body[k].p + 3, sizeof b->axes);
    memcpy(b->com, u->body[k].c, sizeof b->com);
  }
  for (int k = 0; k < u->size.n_drive; k++) {
    int j = mw_name_find(rd->names, m->joint, m->n_joint, sizeof *m->joint, u->coordinate[k]);
    if (j >= 0) m->joint[j].hold = 0;  // the component's own joint holds
  }
  return MW_OK;
}

mw_code mw_components_read(mw_reader *rd)
{
  mw_model *m = rd->m;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < m->n_component; k++) rc = place_bodies(rd, &m->component[k]);
  if (rc == MW_OK && m->n_component > 0 && m->assemble)
    rc = mw_fail(rd->err, MW_ERR_INPUT, m->assemble_at,
                 "assemble: found it beside component %.64s, expected closed positions",
                 m->component[0].name);
  return rc;
}
