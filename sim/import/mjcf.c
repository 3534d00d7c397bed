// SPDX-License-Identifier: BSD-3-Clause
// mjcf.c: the rigid part of a scene in MJCF (mujoco.readthedocs.io, XML
// reference): bodies with their inertials or the masses of their geoms, joints,
// classes of defaults, included files.
//
// Bodies without joints are part of the body around them, and a frame of it;
// what stands on the world is ground.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "mjcf_priv.h"

// Where an element of the tree is: in which body of the model, and where in it.
typedef struct spot {
  int body;             // of the model
  import_place inside;  // of the element in the body's frame
  const char *cls;      // class of defaults
  int depth;
} spot;

enum { MAX_JOINT = 6 };

typedef struct content {  // of one body element
  import_mass inertial, geoms;
  bool has_inertial;
  int n_joint, n_geom, n_site, n_camera, n_light;
  mjcf_joint joint[MAX_JOINT];
} content;

static mw_code collect(mjcf *w, const xml_node *e, const spot *at, bool masses, content *c);

static mw_code add_geom(mjcf *w, const xml_node *e, const spot *at, content *c)
{
  import_mass p, moved;
  mw_code rc = mjcf_geom(w, e, at->cls, &p);
  if (rc != MW_OK || !(p.m > 0.0)) return rc;
  moved = import_moved(&p, &at->inside);
  c->geoms = c->geoms.m > 0.0 ? import_sum(&c->geoms, &moved) : moved;
  return MW_OK;
}

static mw_code add_joint(mjcf *w, const xml_node *e, const spot *at, content *c)
{
  if (c->n_joint == MAX_JOINT)
    return mw_fail(w->err, MW_ERR_INPUT, e->at,
                   "found more than %d joints of a body, expected fewer", (int)MAX_JOINT);
  return mjcf_read_joint(w, e, at->cls, &at->inside, &c->joint[c->n_joint++]);
}

// A <frame>: its children seen from where it is.
static mw_code enter_frame(const mjcf *w, const xml_node *e, const spot *at, spot *in)
{
  const char *cls = xml_text(e, "childclass");
  import_place p;
  mw_code rc = mjcf_place(w, e, NULL, &p);
  *in = *at;
  in->inside = import_chain(&at->inside, &p);
  in->depth++;
  if (cls) in->cls = cls;
  if (rc == MW_OK && in->depth > MJCF_DEPTH)
    rc = mw_fail(w->err, MW_ERR_INPUT, e->at, "nested deeper than %d, expected less",
                 (int)MJCF_DEPTH);
  return rc;
}

// What belongs to a body element itself. masses: its geoms weigh.
static mw_code collect_one(mjcf *w, const xml_node *e, const spot *at, bool masses, content *c)
{
  spot in;
  mw_code rc = MW_OK;
  if (strcmp(e->name, "inertial") == 0) {
    import_mass p;
    rc = mjcf_inertial(w, e, &p);
    c->has_inertial = true;
    if (rc == MW_OK) c->inertial = import_moved(&p, &at->inside);
  } else if (strcmp(e->name, "geom") == 0) {
    c->n_geom++;
    if (masses) rc = add_geom(w, e, at, c);
  } else if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0) {
    rc = add_joint(w, e, at, c);
  } else if (strcmp(e->name, "frame") == 0) {
    rc = enter_frame(w, e, at, &in);
    if (rc == MW_OK) rc = collect(w, e, &in, masses, c);
  } else if (strcmp(e->name, "site") == 0 || strcmp(e->name, "camera") == 0 ||
             strcmp(e->name, "light") == 0) {
    c->n_site += e->name[0] == 's';
    c->n_camera += e->name[0] == 'c';
    c->n_light += e->name[0] == 'l';
  } else if (strcmp(e->name, "body") != 0) {
    import_note(w->m, e->at, "%s: not taken over, nor what is in it", e->name);
  }
  return rc;
}

static mw_code collect(mjcf *w, const xml_node *e, const spot *at, bool masses, content *c)
{
  mw_code rc = MW_OK;
  for (const xml_node *k = e->first; k && rc == MW_OK; k = k->next)
    rc = collect_one(w, k, at, masses, c);
  return rc;
}

static bool has_inertial(const xml_node *e, int depth)
{
  for (const xml_node *k = e->first; k && depth <= MJCF_DEPTH; k = k->next)
    if (strcmp(k->name, "inertial") == 0 ||
        (strcmp(k->name, "frame") == 0 && has_inertial(k, depth + 1)))
      return true;
  return false;
}

static void name_shapes(mjcf *w, const xml_node *e, const char *name, const content *c,
                        bool weighed)
{
  if (c->n_geom > 0)
    import_note(w->m, e->at, "body %s: not taken over: geoms (%d)%s", name, c->n_geom,
                weighed ? " but for their mass" : "");
  if (c->n_site + c->n_camera + c->n_light > 0)
    import_note(w->m, e->at, "body %s: not taken over: sites (%d), cameras (%d), lights (%d)", name,
                c->n_site, c->n_camera, c->n_light);
  mjcf_name_rest(w, e, mw_arena_printf(w->m->mem, "body %s", name),
                 " name pos quat axisangle xyaxes zaxis euler childclass ");
}

static mw_code walk(mjcf *w, const xml_node *e, const spot *at);

// A body element; at: where it is, of its own pos and orientation.
static mw_code add_body(mjcf *w, const xml_node *e, const spot *at)
{
  const char *text = xml_text(e, "name");
  spot own = { .body = at->body, .inside = import_here, .cls = at->cls };
  content c = { .n_joint = 0 };
  bool weighed = w->from_geom > 0 || (w->from_geom < 0 && !has_inertial(e, 0));
  if (!text) text = mw_arena_printf(w->m->mem, "body_%d", w->m->n_body);
  mw_code rc = mw_arena_check(w->m->mem, w->err);
  if (rc == MW_OK) rc = collect(w, e, &own, weighed, &c);
  if (rc != MW_OK) return rc;
  import_mass mass = weighed ? c.geoms : c.inertial;
  name_shapes(w, e, text, &c, weighed);
  spot in = *at;
  if (c.n_joint == 0) {
    import_mass moved = import_moved(&mass, &at->inside);
    import_body *b = &w->m->body[at->body];
    if (mass.m > 0.0) b->mass = b->mass.m > 0.0 ? import_sum(&b->mass, &moved) : moved;
    import_add_frame(w->m, at->body, import_name(w->m, 'f', at->body, text, e->at), at->inside.x);
    import_note(w->m, e->at, "body %s has no joint: it is a frame of body %s", text, b->name);
  } else {
    const import_place *up = &w->m->body[at->body].place;
    import_place place = import_chain(up, &at->inside);
    import_body *b = import_add_body(w->m, import_name(w->m, 'b', -1, text, e->at), e->at);
    if (!b) return mw_arena_check(w->m->mem, w->err);
    b->place = place;
    b->mass = mass;
    in = (spot){ (int)(b - w->m->body), import_here, at->cls, at->depth };
    rc = mjcf_make_joint(w, c.joint, c.n_joint, at->body, in.body, &at->inside);
  }
  return rc == MW_OK ? walk(w, e, &in) : rc;
}

// Body elements in e, frames gone through.
static mw_code walk(mjcf *w, const xml_node *e, const spot *at)
{
  mw_code rc = MW_OK;
  for (const xml_node *k = e->first; k && rc == MW_OK; k = k->next) {
    spot in;
    if (strcmp(k->name, "body") != 0 && strcmp(k->name, "frame") != 0) continue;
    rc = enter_frame(w, k, at, &in);
    if (rc == MW_OK) rc = k->name[0] == 'b' ? add_body(w, k, &in) : walk(w, k, &in);
  }
  return rc;
}

static mw_code check_masses(const mjcf *w)
{
  for (int b = 0; b < w->m->n_body; b++) {
    const import_body *p = &w->m->body[b];
    if (!p->ground && !(p->mass.m > 0.0))
      return mw_fail(w->err, MW_ERR_INPUT, p->at,
                     "body %.64s moves and has no mass: expected <inertial> or "
                     "geoms with mass",
                     p->name);
  }
  return MW_OK;
}

// All masses times one factor, where the file says what they add up to.
static void scale_masses(const mjcf *w)
{
  double sum = 0.0;
  for (int b = 0; b < w->m->n_body; b++) sum += w->m->body[b].mass.m;
  if (!(w->total_mass > 0.0) || !(sum > 0.0)) return;
  for (int b = 0; b < w->m->n_body; b++) {
    import_mass *p = &w->m->body[b].mass;
    p->m *= w->total_mass / sum;
    for (int i = 0; i < 6; i++) p->inertia[i] *= w->total_mass / sum;
  }
}

// Sections that hold nothing rigid, and what connects bodies otherwise, one by
// one.
static void name_sections(mjcf *w)
{
  static const char taken[] = " compiler option default worldbody ";
  static const char each[] = " equality tendon actuator sensor contact deformable ";
  char word[64];
  for (const xml_node *e = w->root->first; e; e = e->next) {
    snprintf(word, sizeof word, " %.60s ", e->name);
    if (strstr(taken, word)) continue;
    if (!strstr(each, word)) {
      import_note(w->m, e->at, "%s: not taken over", e->name);
      continue;
    }
    for (const xml_node *c = e->first; c; c = c->next) {
      const char *name = xml_text(c, "name");
      import_note(w->m, c->at, "%s%s%s of %s: not taken over", c->name, name ? " " : "",
                  name ? name : "", e->name);
    }
  }
}

mw_code import_mjcf(xml_node *root, import_model *m, mw_error *err)
{
  mjcf w = { .m = m,
             .root = root,
             .angle = PI / 180.0,
             .eulerseq = "xyz",
             .autolimits = true,
             .from_geom = -1,
             .err = err };
  spot at = { .body = 0, .inside = import_here };
  content c = { .n_joint = 0 };
  mw_code rc = mjcf_include(&w, root);
  if (xml_text(root, "model")) m->name = xml_text(root, "model");
  if (rc == MW_OK) rc = mjcf_settings(&w);
  const xml_node *world = xml_child(root, "worldbody");
  if (rc == MW_OK && !world)
    rc = mw_fail(err, MW_ERR_INPUT, root->at, "mujoco: found no worldbody, expected one");
  if (rc != MW_OK) return rc;
  import_body *ground = import_add_body(m, import_name(m, 'b', -1, "world", world->at), world->at);
  if (!ground) return mw_arena_check(m->mem, err);
  ground->ground = true;
  for (; world && rc == MW_OK; world = xml_next(world, "worldbody")) {
    rc = collect(&w, world, &at, false, &c);
    if (rc == MW_OK && c.n_joint > 0)
      rc =
          mw_fail(err, MW_ERR_INPUT, c.joint[0].e->at, "found a joint of the world, expected none");
    if (rc == MW_OK) rc = walk(&w, world, &at);
  }
  if (rc == MW_OK && m->n_body == 1)
    rc = mw_fail(err, MW_ERR_INPUT, root->at, "worldbody: found no body that moves, expected one");
  if (rc == MW_OK) rc = check_masses(&w);
  if (rc != MW_OK) return rc;
  scale_masses(&w);
  m->body[0].mass.m = 0.0;  // of what is welded to the world
  if (c.n_geom > 0) import_note(m, root->at, "world: not taken over: geoms (%d)", c.n_geom);
  name_sections(&w);
  return mw_arena_check(m->mem, err);
}
