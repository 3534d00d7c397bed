// SPDX-License-Identifier: BSD-3-Clause
// urdf.c: the rigid part of a robot in URDF (wiki.ros.org/urdf/XML): links with
// their inertials, joints with axes, limits, damping and friction.
//
// A joint of URDF has its origin in the parent link, and its frame is the frame
// of the child link at coordinate 0: bodies have the frames of their links.
// Links that fixed joints hold together are one body, the upmost one; the
// others are its frames: they may lack mass. Fixed-axis angles:
//
//   R(rpy) = R_z(yaw) R_y(pitch) R_x(roll) (1)
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "import_priv.h"
#include "xml_layer.h"

typedef struct link {
  const xml_node *e;
  const char *name;
  int up;               // joint that leads to it, -1: none
  int body;             // it belongs to, -1: not placed yet
  import_place place;   // in ground axes
  import_place inside;  // in its body
  import_mass mass;     // in its own frame
  mw_at mass_at;
} link;

typedef struct joint {
  const xml_node *e;
  const char *name, *type;
  int parent, child;
  import_place place;  // in the parent link
  double axis[3];      // in its own frame, a unit vector
} joint;

typedef struct robot {
  import_model *m;
  int n_link, n_joint;
  link *link;    // [n_link]
  joint *joint;  // [n_joint]
  int *order;    // [n_link]  from the root down
  mw_error *err;
} robot;

static mw_code read_origin(const xml_node *e, import_place *p, mw_error *err)
{
  static const double axis[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  double rpy[3] = { 0 }, turn[9];
  const xml_node *origin = xml_child(e, "origin");
  *p = import_here;
  mw_code rc = xml_vec(origin, "xyz", 3, p->x, err);
  if (rc == MW_OK) rc = xml_vec(origin, "rpy", 3, rpy, err);
  // equation (1); no angles leave the frame untouched, bit for bit
  for (int k = 2; rc == MW_OK && k >= 0; k--) {
    if (rpy[k] == 0.0) continue;
    import_turn(axis[k], rpy[k], turn);
    mw_mul33(p->R, turn, p->R);
  }
  return rc;
}

// ---- links
// --------------------------------------------------------------------------------------

static mw_code need_number(const xml_node *e, const char *name, double *x, mw_error *err)
{
  const char *text = NULL;
  mw_code rc = xml_need(e, name, &text, err);
  return rc == MW_OK ? xml_vec(e, name, 1, x, err) : rc;
}

static mw_code read_inertial(robot *r, link *l)
{
  static const char *const name[6] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };
  const xml_node *e = xml_child(l->e, "inertial"), *mass = xml_child(e, "mass"),
                 *inertia = xml_child(e, "inertia");
  import_mass p = { 0 };
  import_place at;
  bool unphysical = false;
  l->mass_at = e ? e->at : l->e->at;
  if (!e) return MW_OK;
  if (!mass)
    return mw_fail(r->err, MW_ERR_INPUT, e->at,
                   "inertial of link %.64s: found no mass, expected "
                   "<mass value=\"...\"/>",
                   l->name);
  mw_code rc = need_number(mass, "value", &p.m, r->err);
  if (rc == MW_OK && p.m > 0.0 && !inertia)
    rc = mw_fail(r->err, MW_ERR_INPUT, e->at,
                 "inertial of link %.64s: found no inertia, expected <inertia "
                 "ixx=\"...\" .../>",
                 l->name);
  for (int k = 0; rc == MW_OK && inertia && k < 3; k++)
    rc = need_number(inertia, name[k], &p.inertia[k], r->err);
  for (int k = 3; rc == MW_OK && inertia && k < 6; k++)
    rc = xml_vec(inertia, name[k], 1, &p.inertia[k], r->err);
  if (rc == MW_OK) rc = read_origin(e, &at, r->err);
  if (rc == MW_OK)
    rc = import_mass_check(&p, l->name, (inertia && !(p.m < 0.0) ? inertia : mass)->at, &unphysical,
                           r->err);
  if (rc != MW_OK) return rc;
  if (unphysical)
    import_note(r->m, inertia->at,
                "inertia of link %s: a principal moment exceeds the sum of the "
                "two others, taken "
                "as it is",
                l->name);
  l->mass = import_moved(&p, &at);
  return MW_OK;
}

static mw_code read_links(robot *r, const xml_node *root)
{
  mw_code rc = MW_OK;
  for (const xml_node *e = xml_child(root, "link"); e && rc == MW_OK; e = xml_next(e, "link")) {
    link *l = &r->link[r->n_link];
    *l = (link){ .e = e, .up = -1, .body = -1 };
    rc = xml_need(e, "name", &l->name, r->err);
    for (int k = 0; rc == MW_OK && k < r->n_link; k++)
      if (strcmp(r->link[k].name, l->name) == 0)
        rc = mw_fail(r->err, MW_ERR_INPUT, e->at,
                     "found a second link %.64s, expected another name", l->name);
    if (rc == MW_OK) rc = read_inertial(r, l);
    r->n_link++;
  }
  return rc;
}

// ---- joints
// -------------------------------------------------------------------------------------

static mw_code find_link(const robot *r, const joint *j, const char *key, int *out)
{
  const xml_node *e = xml_child(j->e, key);
  const char *name = NULL;
  if (!e)
    return mw_fail(r->err, MW_ERR_INPUT, j->e->at,
                   "joint %.64s: found no %s, expected <%s link=\""
                   "...\"/>",
                   j->name, key, key);
  mw_code rc = xml_need(e, "link", &name, r->err);
  for (int k = 0; rc == MW_OK && k < r->n_link; k++)
    if (strcmp(r->link[k].name, name) == 0) {
      *out = k;
      return MW_OK;
    }
  if (rc != MW_OK) return rc;
  return mw_fail(r->err, MW_ERR_INPUT, xml_find(e, "link")->at,
                 "joint %.64s: found %s %.64s, expected the name of a link", j->name, key, name);
}

static mw_code read_joint(robot *r, joint *j)
{
  static const char known[] = " revolute continuous prismatic fixed floating planar ";
  char word[32];
  mw_code rc = xml_need(j->e, "name", &j->name, r->err);
  if (rc == MW_OK) rc = xml_need(j->e, "type", &j->type, r->err);
  if (rc == MW_OK) {
    snprintf(word, sizeof word, " %.28s ", j->type);
    if (!strstr(known, word))
      rc = mw_fail(r->err, MW_ERR_INPUT, xml_find(j->e, "type")->at,
                   "joint %.64s: found type %.64s, expected one of:%s", j->name, j->type, known);
  }
  if (rc == MW_OK) rc = find_link(r, j, "parent", &j->parent);
  if (rc == MW_OK) rc = find_link(r, j, "child", &j->child);
  if (rc == MW_OK) rc = read_origin(j->e, &j->place, r->err);
  if (rc != MW_OK) return rc;
  link *child = &r->link[j->child];
  if (child->up >= 0)
    return mw_fail(r->err, MW_ERR_INPUT, j->e->at,
                   "joint %.64s: link %.64s is the child of joint %.64s "
                   "already, expected a tree "
                   "(loops are closed by joints of the model file)",
                   j->name, child->name, r->joint[child->up].name);
  child->up = (int)(j - r->joint);
  j->axis[0] = 1.0;
  const xml_node *axis = xml_child(j->e, "axis");
  rc = xml_vec(axis, "xyz", 3, j->axis, r->err);
  double n = mw_norm3(j->axis);
  bool axial = strcmp(j->type, "fixed") != 0 && strcmp(j->type, "floating") != 0;
  if (rc == MW_OK && axial && !(n > 0.0))
    rc = mw_fail(r->err, MW_ERR_INPUT, xml_find(axis, "xyz")->at,
                 "joint %.64s: found an axis of length 0, expected a direction", j->name);
  for (int i = 0; i < 3 && n > 0.0; i++) j->axis[i] /= n;
  return rc;
}

static mw_code read_joints(robot *r, const xml_node *root)
{
  mw_code rc = MW_OK;
  for (const xml_node *e = xml_child(root, "joint"); e && rc == MW_OK; e = xml_next(e, "joint")) {
    joint *j = &r->joint[r->n_joint];
    *j = (joint){ .e = e };
    rc = read_joint(r, j);
    for (int k = 0; rc == MW_OK && k < r->n_joint; k++)
      if (strcmp(r->joint[k].name, j->name) == 0)
        rc = mw_fail(r->err, MW_ERR_INPUT, e->at,
                     "found a second joint %.64s, expected another name", j->name);
    r->n_joint++;
  }
  return rc;
}

// Links from the root down; links that it does not reach hang in a loop.
static mw_code find_order(robot *r)
{
  int n = 0, root = -1;
  for (int k = 0; k < r->n_link; k++) {
    if (r->link[k].up >= 0) continue;
    if (root >= 0)
      return mw_fail(r->err, MW_ERR_INPUT, r->link[k].e->at,
                     "link %.64s is no joint's child, nor is link %.64s: "
                     "expected one root",
                     r->link[k].name, r->link[root].name);
    root = k;
  }
  if (root < 0)
    return mw_fail(r->err, MW_ERR_INPUT, r->link[0].e->at,
                   "every link is a joint's child: the joints form a loop, "
                   "expected a tree");
  // children by their parents: a list of joints each
  int *first = mw_arena_int(r->m->mem, (size_t)r->n_link),
      *next = mw_arena_int(r->m->mem, (size_t)r->n_joint + 1);
  mw_code rc = mw_arena_check(r->m->mem, r->err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < r->n_link; k++) first[k] = -1;
  for (int k = r->n_joint - 1; k >= 0; k--) {
    next[k] = first[r->joint[k].parent];
    first[r->joint[k].parent] = k;
  }
  r->order[n++] = root;
  for (int at = 0; at < n; at++)
    for (int k = first[r->order[at]]; k >= 0; k = next[k]) r->order[n++] = r->joint[k].child;
  for (int k = 0; n < r->n_link && k < r->n_link; k++) {
    bool found = false;
    for (int i = 0; i < n; i++) found = found || r->order[i] == k;
    if (!found)
      return mw_fail(r->err, MW_ERR_INPUT, r->link[k].e->at,
                     "link %.64s hangs in a loop of joints, expected a tree "
                     "below link %.64s",
                     r->link[k].name, r->link[root].name);
  }
  return MW_OK;
}

// ---- bodies and joints of the model
// -------------------------------------------------------------

static bool is_fixed(const robot *r, const link *l)
{
  return l->up >= 0 && strcmp(r->joint[l->up].type, "fixed") == 0;
}

static void place_link(robot *r, link *l, const mw_import_opt *opt)
{
  const joint *j = l->up >= 0 ? &r->joint[l->up] : NULL;
  const link *parent = j ? &r->link[j->parent] : NULL;
  l->place = parent ? import_chain(&parent->place, &j->place) : import_here;
  if (!is_fixed(r, l)) {
    import_body *b = import_add_body(r->m, import_name(r->m, 'b', -1, l->name, l->e->at), l->e->at);
    if (!b) return;
    b->place = l->place;
    b->mass = l->mass;
    b->ground = !parent && !opt->free_base;
    l->body = (int)(b - r->m->body);
    l->inside = import_here;
    return;
  }
  import_body *b = &r->m->body[parent->body];
  l->body = parent->body;
  l->inside = import_chain(&parent->inside, &j->place);
  import_mass moved = import_moved(&l->mass, &l->inside);
  if (l->mass.m > 0.0) b->mass = b->mass.m > 0.0 ? import_sum(&b->mass, &moved) : moved;
  import_add_frame(r->m, l->body, import_name(r->m, 'f', l->body, l->name, l->e->at), l->inside.x);
  import_note(r->m, j->e->at, "joint %s is fixed: link %s is the frame %s.%s%s", j->name, l->name,
              b->name, r->m->frame[r->m->n_frame - 1].name,
              memcmp(l->inside.R, import_here.R, sizeof l->inside.R) != 0 ? ", without its own axes"
                                                                          : "");
}

static mw_code read_limits(robot *r, const joint *j, import_joint *out)
{
  const xml_node *e = xml_child(j->e, "limit"), *d = xml_child(j->e, "dynamics");
  bool revolute = strcmp(j->type, "revolute") == 0, prismatic = strcmp(j->type, "prismatic") == 0;
  const char *effort = xml_text(e, "effort"), *velocity = xml_text(e, "velocity");
  mw_code rc = xml_vec(e, "lower", 1, &out->lo, r->err);
  if (rc == MW_OK) rc = xml_vec(e, "upper", 1, &out->hi, r->err);
  if (rc == MW_OK) rc = xml_vec(d, "damping", 1, &out->damping, r->err);
  if (rc == MW_OK) rc = xml_vec(d, "friction", 1, &out->friction, r->err);
  if (rc != MW_OK) return rc;
  if (out->damping < 0.0 || out->friction < 0.0)
    return mw_fail(r->err, MW_ERR_INPUT, d->at,
                   "joint %.64s: damping is %g, friction %g, expected none below 0", j->name,
                   out->damping, out->friction);
  out->limited = (revolute || prismatic) && out->hi > out->lo;
  if ((revolute || prismatic) && e && out->hi < out->lo)
    return mw_fail(r->err, MW_ERR_INPUT, e->at,
                   "joint %.64s: limits are %g to %g, expected lower below upper", j->name, out->lo,
                   out->hi);
  if ((revolute || prismatic) && !out->limited)
    import_note(r->m, j->e->at, "joint %s has no limits (lower and upper)", j->name);
  if (effort || velocity)
    import_note(r->m, e->at, "limit of joint %s: not taken over:%s%s%s%s", j->name,
                effort ? " effort " : "", effort ? effort : "", velocity ? " velocity " : "",
                velocity ? velocity : "");
  return MW_OK;
}

static mw_code make_joint(robot *r, const joint *j)
{
  const link *a = &r->link[j->parent], *b = &r->link[j->child];
  bool planar = strcmp(j->type, "planar") == 0, travel = strcmp(j->type, "prismatic") == 0;
  import_place in_a = import_chain(&a->inside, &j->place);
  if (strcmp(j->type, "fixed") == 0) return MW_OK;
  if (strcmp(j->type, "floating") == 0) {
    import_note(r->m, j->e->at, "joint %s is floating: nothing holds body %s", j->name,
                r->m->body[b->body].name);
    return MW_OK;
  }
  import_joint *out = import_add_joint(r->m, import_name(r->m, 'j', -1, j->name, j->e->at));
  if (!out) return mw_arena_check(r->m->mem, r->err);
  out->kind = planar ? "planar" : travel ? "prismatic" : "revolute";
  out->a = a->body;
  out->b = b->body;
  out->coordinate = !planar;
  mw_mul33v(in_a.R, j->axis, out->axis);
  out->frame_a = import_point(r->m, out->a, out->name, in_a.x, j->e->at);
  return planar ? MW_OK : read_limits(r, j, out);
}

static mw_code check_masses(const robot *r)
{
  for (int b = 0; b < r->m->n_body; b++) {
    const import_body *p = &r->m->body[b];
    if (!p->ground && !(p->mass.m > 0.0))
      return mw_fail(r->err, MW_ERR_INPUT, p->at,
                     "link %.64s moves and has no mass, nor have links fixed "
                     "to it: expected "
                     "<inertial>",
                     p->name);
  }
  return MW_OK;
}

// ---- what is not taken over
// ---------------------------------------------------------------------

static void name_rest(robot *r, const xml_node *e, const char *what, const char *of,
                      const char *taken)
{
  char word[64];
  for (const xml_node *c = e->first; c; c = c->next) {
    snprintf(word, sizeof word, " %.60s ", c->name);
    if (strstr(taken, word)) continue;
    const char *name = xml_text(c, "name");
    import_note(r->m, c->at, "%s%s%s%s%s%s: not taken over", c->name, name ? " " : "",
                name ? name : "", what[0] ? " of " : "", what, of);
  }
}

static mw_code refuse_macros(const robot *r, const xml_node *root)
{
  for (const xml_node *c = root->first; c; c = c->next)
    if (strncmp(c->name, "xacro:", 6) == 0)
      return mw_fail(r->err, MW_ERR_INPUT, c->at,
                     "found <%.64s>, a macro, expected plain URDF: xacro FILE "
                     "> robot.urdf",
                     c->name);
  return MW_OK;
}

mw_code import_urdf(const xml_node *root, const mw_import_opt *opt, import_model *m, mw_error *err)
{
  robot r = { .m = m, .err = err };
  size_t n = 1;
  for (const xml_node *c = root->first; c; c = c->next) n++;
  r.link = mw_arena_alloc(m->mem, n, sizeof *r.link);
  r.joint = mw_arena_alloc(m->mem, n, sizeof *r.joint);
  r.order = mw_arena_int(m->mem, n);
  mw_code rc = mw_arena_check(m->mem, err);
  if (xml_text(root, "name")) m->name = xml_text(root, "name");
  if (rc == MW_OK) rc = refuse_macros(&r, root);
  if (rc == MW_OK) rc = read_links(&r, root);
  if (rc == MW_OK && r.n_link == 0)
    rc = mw_fail(err, MW_ERR_INPUT, root->at, "robot: found no link, expected one");
  if (rc == MW_OK) rc = read_joints(&r, root);
  if (rc == MW_OK) rc = find_order(&r);
  for (int k = 0; rc == MW_OK && k < r.n_link; k++) {
    place_link(&r, &r.link[r.order[k]], opt);
    rc = mw_arena_check(m->mem, err);
  }
  for (int k = 0; rc == MW_OK && k < r.n_joint; k++) rc = make_joint(&r, &r.joint[k]);
  if (rc == MW_OK) rc = check_masses(&r);
  if (rc != MW_OK) return rc;
  if (!opt->free_base)
    import_note(m, r.link[r.order[0]].e->at,
                "link %s, the root, is fixed to ground (--free-base lets it move)",
                r.link[r.order[0]].name);
  name_rest(&r, root, "", "", " link joint ");
  for (int k = 0; k < r.n_link; k++)
    name_rest(&r, r.link[k].e, "link ", r.link[k].name, " inertial ");
  for (int k = 0; k < r.n_joint; k++)
    name_rest(&r, r.joint[k].e, "joint ", r.joint[k].name,
              " origin parent child axis limit dynamics ");
  return mw_arena_check(m->mem, err);
}
