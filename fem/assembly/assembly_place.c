// SPDX-License-Identifier: BSD-3-Clause
// assembly_place.c: where an assembly is, and what its bodies, joints and forces are there.
//
//   x_outside = A x + p ,   A = A_outer E M ,   p = A_outer at + p_outer
//     E: its axes ;  M = diag(±1): mirror, −1 across its plane
//   body (o, E_b):  o' = A o + p ,  E_b' = A E_b F                            both proper rotations
//     F = 1, of a mirrored assembly (det A = −1) the reflection diag(flip) in the body's own frame
//   of a mirrored assembly:
//     vectors in body axes         v' = F v           inertia I' = F I F
//     axis of a joint, coordinate a travel: F v, else −F v: an angle about it counts the image
//     torques                      in body axes −F v, in ground axes −A v (else A v)
//     n2 = t × n1 of a guide, hands of screws and teeth: change their sign
// A coordinate of the image has the value that the original has, and so has each force on it.
#include <string.h>

#include "assembly_priv.h"
#include "base/vec3.h"
#include "fem/joint.h"

static const mw_shape VECTOR3 = { .item = NUMBER(""), .n_min = 3, .n_max = 3 };

static mw_shape_env env_of(const mw_expander *x, const mw_level *l)
{
  return (mw_shape_env){ x->tree, x->rd->err, l->scope, false };
}

// ---- numbers ------------------------------------------------------------------------------------

static mw_code set_number(mw_expander *x, mw_ynode *node, double value)
{
  node->num = value + 0.0;  // one zero
  node->text = mw_arena_printf(x->tree, "%.17g", node->num);
  node->number = node->plain = node->given = true;
  return mw_expander_ok(x);
}

static mw_code set_numbers(mw_expander *x, mw_ynode *list, const double *value)
{
  mw_code rc = MW_OK;
  for (mw_ynode *e = list->first; e && rc == MW_OK; e = e->next) rc = set_number(x, e, *value++);
  return rc;
}

// A vector under a key that the map lacks.
static mw_code add_vector(mw_expander *x, mw_ynode *map, const char *key, const double v[3])
{
  mw_ynode *list = mw_yaml_node(x->tree, MW_Y_LIST, map->at, "", 0), *last = NULL;
  for (int i = 0; list && i < 3; i++) {
    mw_ynode *e = mw_yaml_node(x->tree, MW_Y_SCALAR, map->at, "", 0);
    if (!e) break;
    mw_yaml_append(list, e, &last);
  }
  if (!mw_entry_add(x, map, list, key)) return mw_expander_ok(x);
  return set_numbers(x, list, v);
}

// ---- assemblies ---------------------------------------------------------------------------------

mw_code mw_place_read(mw_expander *x, const mw_ynode *at, const mw_ynode *axes,
                      const mw_ynode *mirror, const mw_place *outer, mw_place *out)
{
  double E[9], p[3], M[3] = { 1.0, 1.0, 1.0 };
  mw_code rc = mw_frame_axes_read(x->rd, axes, E);
  if (rc != MW_OK) return rc;
  mw_place z = { .mirrored = outer->mirrored != (mirror != NULL), .flip = { 1.0, 1.0, 1.0 } };
  if (mirror) M[mirror->text[0] - 'x'] = -1.0;
  mw_y_vec(at, 3, p);
  mw_mul33v(outer->A, p, z.p);
  z.here = true;
  for (int i = 0; i < 3; i++) {
    z.p[i] += outer->p[i];
    if (z.mirrored) z.flip[i] = mirror ? M[i] : outer->flip[i];
    z.here = z.here && z.p[i] == 0.0;
  }
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++) z.A[i] += outer->A[i - i % 3 + k] * E[3 * k + i % 3];
    z.A[i] *= M[i % 3];
    z.here = z.here && z.A[i] == (i % 4 == 0 ? 1.0 : 0.0);
  }
  *out = z;
  return MW_OK;
}

// ---- bodies -------------------------------------------------------------------------------------

// Puts x and y in place of another form of a body's axes.
static mw_code axes_as_vectors(mw_expander *x, const mw_level *l, mw_ynode *axes)
{
  static const mw_shape shape = { .keys = mw_axes_keys };
  const mw_shape_env env = env_of(x, l);
  double E[9];
  mw_code rc = mw_shape_check(axes, &shape, "axes", &env);
  if (rc == MW_OK) rc = mw_frame_axes_read(x->rd, axes, E);
  if (rc != MW_OK) return rc;
  axes->first = NULL;
  axes->n = 0;
  rc = add_vector(x, axes, "x", (double[3]){ E[0], E[3], E[6] });
  return rc == MW_OK ? add_vector(x, axes, "y", (double[3]){ E[1], E[4], E[7] }) : rc;
}

// x and y of the body's axes; without a key `axes` those of ground.
static mw_code place_axes(mw_expander *x, const mw_level *l, mw_ynode *body)
{
  static const char *const names[2] = { "x", "y" };
  const mw_shape_env env = env_of(x, l);
  const mw_place *z = l->place;
  mw_ynode *axes = mw_entry(body, "axes"), *map = axes;
  double v[2][3] = { { 1, 0, 0 }, { 0, 1, 0 } }, w[2][3];
  bool same = true;
  if (axes && axes->kind != MW_Y_MAP) return MW_OK;  // what it is instead the check says
  if (axes && !mw_entry(axes, "x")) {
    mw_code rc = axes_as_vectors(x, l, axes);
    if (rc != MW_OK) return rc;
  }
  for (int k = 0; k < 2; k++) {
    mw_ynode *e = axes ? mw_entry(axes, names[k]) : NULL;
    if (axes && !e) return MW_OK;
    mw_code rc = e ? mw_shape_check(e, &VECTOR3, names[k], &env) : MW_OK;
    if (rc != MW_OK) return rc;
    if (e) mw_y_vec(e, 3, v[k]);
    mw_mul33v(z->A, v[k], w[k]);
    for (int i = 0; i < 3; i++) {
      w[k][i] *= z->flip[k];
      same = same && w[k][i] == v[k][i];
    }
  }
  if (same) return MW_OK;
  if (!axes) map = mw_yaml_node(x->tree, MW_Y_MAP, body->at, "", 0);
  if (!axes && !mw_entry_add(x, body, map, "axes")) return mw_expander_ok(x);
  mw_code rc = MW_OK;
  for (int k = 0; k < 2 && rc == MW_OK; k++)
    rc = axes ? set_numbers(x, mw_entry(map, names[k]), w[k]) : add_vector(x, map, names[k], w[k]);
  return rc;
}

mw_code mw_place_body(mw_expander *x, const mw_level *l, mw_ynode *body)
{
  const mw_shape_env env = env_of(x, l);
  const mw_place *z = l->place;
  double o[3] = { 0.0 }, to[3];
  if (z->here || body->kind != MW_Y_MAP) return MW_OK;
  mw_ynode *at = mw_entry(body, "at");
  mw_code rc = at ? mw_shape_check(at, &VECTOR3, "at", &env) : MW_OK;
  if (rc != MW_OK) return rc;
  if (at) mw_y_vec(at, 3, o);
  mw_mul33v(z->A, o, to);
  for (int i = 0; i < 3; i++) to[i] += z->p[i];
  rc = at ? set_numbers(x, at, to) : add_vector(x, body, "at", to);
  return rc == MW_OK ? place_axes(x, l, body) : rc;
}

// ---- vectors ------------------------------------------------------------------------------------

typedef struct turner {
  mw_expander *x;
  const mw_level *l;
  bool travel;             // the coordinate of the joint in hand is one
  const mw_ynode *beside;  // mapping of the value in hand
} turner;

// Is the coordinate of a joint (its entry) a travel?
static bool is_travel(const mw_ynode *joint)
{
  const mw_ynode *word = mw_y_find(joint, "measure");
  for (int k = 0; k < MW_JOINT_SPRING; k++)
    if (mw_y_find(joint, mw_joint_key((mw_joint_kind)k)))
      return word ? strcmp(word->text, "travel") == 0
                  : mw_joint_classes[k]->measure[0] == MW_MEASURE_TRAVEL;
  return false;
}

// v [3] or of inertia [6] as the image has it
static void image(const turner *t, mw_mirror how, double *v)
{
  static const int pair[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
  const mw_place *z = t->l->place;
  const mw_ynode *axes = mw_y_find(t->beside, "axes");
  bool ground = how == MW_MIRROR_GROUND || how == MW_MIRROR_GROUND_TORQUE;
  bool turned =
      z->mirrored && (how == MW_MIRROR_GROUND_TORQUE || (how == MW_MIRROR_AXIS && !t->travel));
  double sign = turned ? -1.0 : 1.0, w[3];
  if (ground && !(axes && strcmp(axes->text, "body") == 0)) {
    mw_mul33v(z->A, v, w);
    for (int i = 0; i < 3; i++) v[i] = sign * w[i];
  } else if (how == MW_MIRROR_GUIDE) {
    v[2] *= z->mirrored ? -1.0 : 1.0;
  } else if (how == MW_MIRROR_INERTIA) {
    for (int k = 0; k < 3; k++) v[3 + k] *= z->flip[pair[k][0]] * z->flip[pair[k][1]];
  } else {
    for (int i = 0; i < 3; i++) v[i] *= sign * z->flip[i];
  }
}

static mw_code turn_value(const turner *t, mw_ynode *node, const mw_shape *shape)
{
  const mw_shape_env env = env_of(t->x, t->l);
  const char *key = node->key ? node->key->text : "a vector";
  double v[6];
  if (shape->mirror == MW_MIRROR_REFUSED)
    return mw_fail(
        t->x->rd->err, MW_ERR_INPUT, node->key ? node->key->at : node->at,
        "found %.64s in the mirrored assembly %.64s, expected rigid or beams: a file has "
        "no mirror image",
        key, t->l->path);
  mw_code rc = mw_shape_check(node, shape, key, &env);
  if (rc != MW_OK) return rc;
  if (shape->mirror == MW_MIRROR_HAND) return set_number(t->x, node, -node->num);
  mw_y_vec(node, shape->n_min, v);
  image(t, shape->mirror, v);
  return set_numbers(t->x, node, v);
}

// A default that the image has otherwise.
static mw_code turn_fallback(const turner *t, mw_ynode *map, const mw_key *k)
{
  mw_mirror how = k->shape->mirror;
  if (!k->fallback || (how != MW_MIRROR_VECTOR && how != MW_MIRROR_AXIS)) return MW_OK;
  const mw_shape_env env = env_of(t->x, t->l);
  mw_ynode *node = mw_shape_fallback(k->fallback, map->at, t->x->tree);
  double v[3], w[3];
  if (!node) return mw_expander_ok(t->x);
  mw_code rc = mw_shape_check(node, &VECTOR3, k->name, &env);
  if (rc != MW_OK) return rc;
  mw_y_vec(node, 3, v);
  memcpy(w, v, sizeof w);
  image(t, how, w);
  if (w[0] == v[0] && w[1] == v[1] && w[2] == v[2]) return MW_OK;
  return add_vector(t->x, map, k->name, w);
}

static mw_code turn(turner t, mw_ynode *node, const mw_shape *shape)
{
  mw_mirror how = shape->mirror;
  bool ground = how == MW_MIRROR_GROUND || how == MW_MIRROR_GROUND_TORQUE;
  if (how != MW_MIRROR_SAME && (t.l->place->mirrored || ground)) return turn_value(&t, node, shape);
  mw_code rc = MW_OK;
  if (node->kind == MW_Y_MAP) t.beside = node;
  for (mw_ynode *e = node->first; e && rc == MW_OK; e = e->next) {
    const mw_key *k;
    const mw_shape *inner = mw_inner_shape(node, e, shape, &k);
    if (inner) rc = turn(t, e, inner);
  }
  bool map = node->kind == MW_Y_MAP && shape->keys && t.l->place->mirrored;
  for (const mw_key *k = map ? shape->keys : NULL; k && k->name && rc == MW_OK; k++)
    if (!mw_y_find(node, k->name)) rc = turn_fallback(&t, node, k);
  return rc;
}

mw_code mw_place_turn(mw_expander *x, const mw_level *l, mw_ynode *node, const mw_shape *shape)
{
  if (l->place->here) return MW_OK;
  return turn((turner){ .x = x, .l = l, .travel = is_travel(node), .beside = node }, node, shape);
}
