// SPDX-License-Identifier: BSD-3-Clause
// mjcf_joint.c: joints of MJCF. A body element may hold several, whose motions
// add up one inside the other; what they make together is one joint here where
// its relative motions are the same:
//
//   hinge                revolute       two hinges across each other at a point
//   universal slide                prismatic      three hinges at a point
//   spherical ball                 spherical      slide and hinge on one axis
//   cylindrical free                 nothing        two slides across, a hinge
//   across both     planar
//                                       two or three slides primitives three
//                                       slides, a ball or three hinges nothing
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "mjcf_priv.h"

// Sine of an angle, and a share of a metre, that count as none.
static const double parallel = 1e-9, apart = 1e-9;

static bool is_word(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

static mw_code read_limits(mjcf *w, const xml_node *e, const char *cls, mjcf_joint *j)
{
  import_joint *law = &j->law;
  double unit = j->kind == 'h' ? w->angle : 1.0, ref = 0.0, spring = 0.0, range[2] = { 0 };
  const char *limited = mjcf_text(w, e, cls, "limited");
  bool given = mjcf_attr(w, e, cls, "range") != NULL;
  mw_code rc = mjcf_vec(w, e, cls, "range", 2, range);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "damping", 1, &law->damping);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "frictionloss", 1, &law->friction);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "stiffness", 1, &law->stiffness);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "ref", 1, &ref);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "springref", 1, &spring);
  if (rc != MW_OK) return rc;
  if (law->damping < 0.0 || law->friction < 0.0 || law->stiffness < 0.0)
    return mw_fail(w->err, MW_ERR_INPUT, e->at,
                   "joint %.64s: damping is %g, frictionloss %g, stiffness %g, "
                   "expected none "
                   "below 0",
                   j->name, law->damping, law->friction, law->stiffness);
  law->limited = is_word(limited, "true") || (!is_word(limited, "false") && given && w->autolimits);
  if (law->limited && j->kind != 'b' && !(range[1] > range[0]))
    return mw_fail(w->err, MW_ERR_INPUT, e->at,
                   "joint %.64s: limits are %g to %g, expected the first below the second", j->name,
                   range[0], range[1]);
  law->lo = (range[0] - ref) * unit;
  law->hi = (range[1] - ref) * unit;
  law->free = (spring - ref) * unit;
  if (ref != 0.0)
    import_note(w->m, e->at, "joint %s: its coordinate is 0 at ref %g of the file", j->name, ref);
  return MW_OK;
}

mw_code mjcf_read_joint(mjcf *w, const xml_node *e, const char *cls, const import_place *at,
                        mjcf_joint *j)
{
  static const char *const word[] = { "hinge", "slide", "ball", "free" };
  const char *type = mjcf_text(w, e, cls, "type"), *name = xml_text(e, "name");
  double armature = 0.0, axis[3] = { 0.0, 0.0, 1.0 };
  *j = (mjcf_joint){ .e = e, .cls = cls, .kind = 'h' };
  j->name = name ? name : mw_arena_printf(w->m->mem, "joint_%d", w->m->n_joint + 1);
  if (strcmp(e->name, "freejoint") == 0) type = "free";
  for (int k = 0; k < 4; k++)
    if (is_word(type, word[k])) j->kind = word[k][0], type = NULL;
  if (type)
    return mw_fail(w->err, MW_ERR_INPUT, mjcf_attr(w, e, cls, "type")->at,
                   "joint %.64s: found type %.32s, expected hinge, slide, ball or free", j->name,
                   type);
  mw_code rc = mjcf_vec(w, e, cls, "pos", 3, j->pos);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "axis", 3, axis);
  if (rc == MW_OK) rc = mjcf_vec(w, e, cls, "armature", 1, &armature);
  double n = mw_norm3(axis);
  if (rc == MW_OK && !(n > 0.0))
    rc = mw_fail(w->err, MW_ERR_INPUT, mjcf_attr(w, e, cls, "axis")->at,
                 "joint %.64s: found an axis of length 0, expected a direction", j->name);
  if (rc == MW_OK && j->kind != 'f') rc = read_limits(w, e, cls, j);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < 3; i++) axis[i] /= n;
  mw_mul33v(at->R, axis, j->axis);
  mw_mul33v(at->R, j->pos, j->pos);
  for (int i = 0; i < 3; i++) j->pos[i] += at->x[i];
  if (armature != 0.0)
    import_note(w->m, e->at, "joint %s: not taken over: armature %g (inertia of the rotor)",
                j->name, armature);
  return MW_OK;
}

// ---- several at once
// ----------------------------------------------------------------------------

static bool is_across(const double a[3], const double b[3])
{
  return fabs(mw_dot3(a, b)) <= parallel;
}

static bool is_along(const double a[3], const double b[3])
{
  double c[3];
  mw_cross3(a, b, c);
  return mw_norm3(c) <= parallel;
}

static bool at_one_point(const mjcf_joint *a, const mjcf_joint *b)
{
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = a->pos[i] - b->pos[i];
  return mw_norm3(d) <= apart;
}

// What the joints make: a key of the model file, "" nothing that holds, NULL:
// none of ours. first: the joint whose point it takes, and whose coordinate it
// has.
static const char *together(const mjcf_joint *j, int n, int *first)
{
  char kind[8] = "";
  int hinge = -1, slide = -1;
  for (int k = 0; k < n && k < 7; k++) {
    kind[k] = j[k].kind;
    if (j[k].kind == 'h' && hinge < 0) hinge = k;
    if (j[k].kind == 's' && slide < 0) slide = k;
  }
  *first = 0;
  if (strcmp(kind, "h") == 0) return "revolute";
  if (strcmp(kind, "s") == 0) return "prismatic";
  if (strcmp(kind, "b") == 0) return "spherical";
  if (strcmp(kind, "f") == 0) return "";
  if (strcmp(kind, "hh") == 0)
    return at_one_point(j, j + 1) && is_across(j->axis, j[1].axis) ? "universal" : NULL;
  if (strcmp(kind, "hs") == 0 || strcmp(kind, "sh") == 0) {
    *first = hinge;
    return is_along(j->axis, j[1].axis) ? "cylindrical" : NULL;
  }
  if (strcmp(kind, "hhh") == 0) {
    bool fine = at_one_point(j, j + 1) && at_one_point(j, j + 2) &&
                is_across(j[0].axis, j[1].axis) && is_across(j[1].axis, j[2].axis);
    return fine ? "spherical" : NULL;
  }
  int n_slide = 0, n_hinge = 0, n_ball = 0, s[3] = { 0 };
  for (int k = 0; k < n; k++) {
    if (j[k].kind == 's' && n_slide < 3) s[n_slide] = k;
    n_slide += j[k].kind == 's';
    n_hinge += j[k].kind == 'h';
    n_ball += j[k].kind == 'b';
  }
  for (int a = 0; a < n_slide && n_slide <= 3; a++)
    for (int b = 0; b < a; b++)
      if (!is_across(j[s[a]].axis, j[s[b]].axis)) return NULL;
  if (n_slide == 2 && n == 3 && n_hinge == 1) {
    *first = hinge;
    return is_across(j[hinge].axis, j[s[0]].axis) && is_across(j[hinge].axis, j[s[1]].axis)
               ? "planar"
               : NULL;
  }
  *first = slide;
  if (n_slide == n && n <= 3) return "primitives";
  return n_slide == 3 && ((n == 4 && n_ball == 1) || (n == 6 && n_hinge == 3)) ? "" : NULL;
}

static mw_code refuse(const mjcf *w, const mjcf_joint *j, int n, int b)
{
  return mw_fail(w->err, MW_ERR_INPUT, j->e->at,
                 "body %.64s has %d joints that make no joint of the model file together: "
                 "expected one, hinges across each other at one point, slides across each "
                 "other, "
                 "or bodies with mass between them",
                 w->m->body[b].name, n);
}

// What joints lose whose coordinates the model has not.
static void name_lost(mjcf *w, const mjcf_joint *j, const char *kind)
{
  const import_joint *l = &j->law;
  import_note(w->m, j->e->at, "joint %s has no coordinate of its own in %s%s%s%s%s%s", j->name,
              kind[0] ? kind : "free motion", l->limited ? "; not taken over: limits" : "",
              l->damping > 0.0 ? "; not taken over: damping" : "",
              l->friction > 0.0 ? "; not taken over: frictionloss" : "",
              l->stiffness > 0.0 ? "; not taken over: stiffness" : "", "");
}

mw_code mjcf_make_joint(mjcf *w, const mjcf_joint *j, int n, int a, int b,
                        const import_place *place)
{
  int first = 0, with = -1;
  const char *kind = together(j, n, &first);
  if (!kind) return refuse(w, j, n, b);
  bool one = n == 1, free = kind[0] == '\0', turns = strcmp(kind, "spherical") == 0;
  if (!free && !turns) with = first;
  if (strcmp(kind, "cylindrical") == 0) with = j[0].kind == 's' ? 0 : 1;  // its travel
  if (strcmp(kind, "planar") == 0) with = -1;
  for (int k = 0; k < n; k++)
    if (k != with && !(one && free)) name_lost(w, &j[k], kind);
  if (free) {
    import_note(w->m, j->e->at, "body %s moves freely", w->m->body[b].name);
    return MW_OK;
  }
  const mjcf_joint *p = &j[first];
  const char *name = import_name(w->m, 'j', -1, j[with >= 0 ? with : first].name, p->e->at);
  import_joint *out = import_add_joint(w->m, name);
  if (!out) return mw_arena_check(w->m->mem, w->err);
  if (with >= 0) *out = j[with].law;
  out->name = name;
  out->kind = kind;
  out->coordinate = with >= 0;
  out->a = a;
  out->b = b;
  double in_a[3];
  mw_mul33v(place->R, p->pos, in_a);
  for (int i = 0; i < 3; i++) in_a[i] += place->x[i];
  if (!turns) mw_mul33v(place->R, p->axis, out->axis);
  if (strcmp(kind, "universal") == 0) memcpy(out->axis_b, j[1].axis, sizeof out->axis_b);
  if (strcmp(kind, "primitives") == 0) {
    mw_mul33v(place->R, j[1].axis, out->across);
    out->hold = n == 2 ? "y, xy, yz, zx" : "xy, yz, zx";
  }
  out->frame_a = import_point(w->m, a, name, in_a, p->e->at);
  out->frame_b = import_point(w->m, b, name, p->pos, p->e->at);
  return mw_arena_check(w->m->mem, w->err);
}
