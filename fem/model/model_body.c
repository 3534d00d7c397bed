// SPDX-License-Identifier: BSD-3-Clause
// model_body.c: bodies: rigid, by numbers or by a CAD file, made of beams, or elastic otherwise
// (model_mesh.c); what holds them.
#include <math.h>
#include <string.h>

#include "base/attitude.h"
#include "base/vec3.h"
#include "fem/cad.h"
#include "model_layer.h"

static const double ORTHOGONAL =
    1e-3;  // |cos| of the angle between two axes the user calls orthogonal

static const char *const DOFS[] = { "x", "y", "z", "rx", "ry", "rz" };

// E of a form other than x and y
static mw_code read_attitude(const mw_reader *rd, const mw_ynode *axes, double E[9])
{
  static const struct {
    const char *key;
    mw_attitude form;
  } forms[] = { { "cardan", MW_ATTITUDE_CARDAN },
                { "zxz", MW_ATTITUDE_ZXZ },
                { "quaternion", MW_ATTITUDE_QUATERNION },
                { "rotation_vector", MW_ATTITUDE_VECTOR },
                { "turn", MW_ATTITUDE_AXIS } };
  const mw_ynode *y = mw_y_find(axes, "y");
  if (y)
    return mw_fail(rd->err, MW_ERR_INPUT, y->key->at,
                   "axes: found y without x, expected both, or another form alone");
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    const mw_ynode *v = mw_y_find(axes, forms[k].key);
    double x[MW_ATTITUDE_SIZE];
    if (!v) continue;
    bool turn = forms[k].form == MW_ATTITUDE_AXIS;
    mw_y_vec(turn ? mw_y_find(v, "axis") : v, turn ? 3 : mw_attitude_size(forms[k].form), x);
    if (turn) x[3] = mw_y_find(v, "angle")->num;
    if (!mw_attitude_matrix(forms[k].form, x, E))
      return mw_fail(rd->err, MW_ERR_INPUT, v->at, "%s: found zeros alone, expected %s",
                     forms[k].key, turn ? "an axis" : "a quaternion w x y z");
  }
  return MW_OK;
}

mw_code mw_frame_axes_read(const mw_reader *rd, const mw_ynode *axes, double E[9])
{
  double e[3][3], nx, ny;
  for (int i = 0; i < 9; i++) E[i] = i % 4 == 0;
  if (!axes) return MW_OK;
  if (!mw_y_find(axes, "x")) return read_attitude(rd, axes, E);
  if (!mw_y_find(axes, "y"))
    return mw_fail(rd->err, MW_ERR_INPUT, axes->at, "axes: found x without y, expected both");
  mw_y_vec(mw_y_find(axes, "x"), 3, e[0]);
  mw_y_vec(mw_y_find(axes, "y"), 3, e[1]);
  nx = mw_norm3(e[0]);
  ny = mw_norm3(e[1]);
  if (!(nx > 0.0) || !(ny > 0.0))
    return mw_fail(rd->err, MW_ERR_INPUT, axes->at,
                   "axes: found a zero vector, expected directions x and y");
  for (int i = 0; i < 3; i++) {
    e[0][i] /= nx;
    e[1][i] /= ny;
  }
  double c = mw_dot3(e[0], e[1]);
  if (fabs(c) > ORTHOGONAL)
    return mw_fail(rd->err, MW_ERR_INPUT, axes->at,
                   "axes: x and y have a cosine of %.3g, expected at most %g", c, ORTHOGONAL);
  mw_cross3(e[0], e[1], e[2]);
  double nz = mw_norm3(e[2]);
  for (int i = 0; i < 3; i++) e[2][i] /= nz;
  mw_cross3(e[2], e[0], e[1]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) E[3 * i + j] = e[j][i];
  return MW_OK;
}

// Mass, centre and inertia of the CAD file: of all its solids together, at one density.
static mw_code read_solid(mw_reader *rd, const mw_ynode *e, const mw_ynode *v, mw_body_in *b)
{
  const mw_ynode *file = mw_y_find(v, "cad"), *density = mw_y_find(v, "density");
  static const char *const instead[] = { "com", "inertia", "unphysical_inertia", NULL };
  mw_arena tmp = { 0 };
  mw_cad_props p;
  for (int k = 0; instead[k]; k++)
    if (mw_y_given(v, instead[k]))
      return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(v, instead[k])->key->at,
                     "rigid: found %s beside cad, which says it; expected it with mass",
                     instead[k]);
  if (!density)
    return mw_fail(rd->err, MW_ERR_INPUT, file->key->at,
                   "rigid: found cad without density, expected both");
  mw_code rc = mw_unit_read(rd, e, b);
  if (rc == MW_OK) rc = MW_NEW(rd, b->solid, 1);
  if (rc != MW_OK) return rc;
  *b->solid = (mw_cad_in){ .file = mw_read_path(rd, file),
                           .at = file->at,
                           .scale = b->has_unit ? b->mesh_scale : 0.0 };
  rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = mw_cad_solids(b->solid, &tmp, NULL, &p, rd->err);
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  if (!p.known)
    return mw_fail(rd->err, MW_ERR_INPUT, file->at,
                   "%.200s: found no volume, expected solids of OpenCASCADE", b->solid->file);
  b->mass = density->num * p.volume;
  b->mass_at = file->at;
  for (int i = 0; i < 3; i++) b->com[i] = p.com[i];
  for (int i = 0; i < 6; i++) b->inertia[i] = density->num * p.inertia[i];
  return MW_OK;
}

// e: entry of the body, v: rigid in it
static mw_code read_rigid(mw_reader *rd, const mw_ynode *e, const mw_ynode *v, mw_body_in *b)
{
  if (mw_y_find(v, "cad")) return read_solid(rd, e, v, b);
  const mw_ynode *density = mw_y_find(v, "density");
  if (density)
    return mw_fail(rd->err, MW_ERR_INPUT, density->key->at,
                   "rigid: found density beside mass, expected it with cad");
  const mw_ynode *mass = mw_y_find(v, "mass"), *inertia = mw_y_find(v, "inertia");
  b->mass = mass->num;
  b->mass_at = mass->at;
  mw_y_vec(mw_y_find(v, "com"), 3, b->com);
  mw_y_vec(inertia, 6, b->inertia);
  if (!b->ground && !(b->mass > 0.0))
    return mw_fail(rd->err, MW_ERR_INPUT, mass->at, "mass of body %.64s is %g kg, expected above 0",
                   b->name, b->mass);
  if (!b->ground && !inertia)
    return mw_fail(rd->err, MW_ERR_INPUT, v->key->at,
                   "rigid: found no inertia, expected 6 numbers [kg m2]");
  bool unphysical = mw_y_num(v, "unphysical_inertia") > 0.0;
  return inertia ? mw_inertia_check(rd, b->inertia, unphysical, inertia->at) : MW_OK;
}

static mw_code read_member(mw_reader *rd, const mw_ynode *e, mw_body_in *b, mw_member *mb)
{
  const mw_model *m = rd->m;
  const mw_ynode *to = mw_y_find(e, "to"), *up = mw_y_find(e, "up");
  double d[3], cross[3];
  *mb = (mw_member){ .at = e->at, .n_elem = (int)mw_y_num(e, "elements") };
  mw_y_vec(up, 3, mb->up);
  mw_code rc = mw_name_read(rd, mw_y_find(e, "from"), "point", b->point, b->n_point,
                            sizeof *b->point, &mb->from);
  if (rc == MW_OK)
    rc = mw_name_read(rd, to, "point", b->point, b->n_point, sizeof *b->point, &mb->to);
  if (rc == MW_OK)
    rc = mw_name_read(rd, mw_y_find(e, "section"), "section", m->section, m->n_section,
                      sizeof *m->section, &mb->section);
  if (rc == MW_OK)
    rc = mw_name_read(rd, mw_y_find(e, "material"), "material", m->material, m->n_material,
                      sizeof *m->material, &mb->material);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < 3; i++) d[i] = b->point[mb->to].x[i] - b->point[mb->from].x[i];
  double l = mw_norm3(d), n = mw_norm3(mb->up);
  if (!(l > 0.0))
    return mw_fail(rd->err, MW_ERR_INPUT, to->at,
                   "member from %.64s to %.64s has no length, expected two distinct points",
                   b->point[mb->from].name, b->point[mb->to].name);
  mw_cross3(d, mb->up, cross);
  if (mw_norm3(cross) <= MW_PARALLEL * l * n)
    return mw_fail(
        rd->err, MW_ERR_INPUT, up->given ? up->at : mb->at,
        "up [%g, %g, %g] is zero or parallel to the member, expected a direction across it",
        mb->up[0], mb->up[1], mb->up[2]);
  return MW_OK;
}

static mw_code read_beams(mw_reader *rd, const mw_ynode *v, mw_body_in *b)
{
  const mw_ynode *points = mw_y_find(v, "points"), *members = mw_y_find(v, "members");
  b->divide = (int)mw_y_num(v, "divide");
  mw_code rc = MW_NEW(rd, b->point, points->n);
  if (rc == MW_OK) rc = MW_NEW(rd, b->member, members->n);
  for (const mw_ynode *e = points->first; e && rc == MW_OK; e = e->next) {
    mw_point *p = &b->point[b->n_point++];
    *p = (mw_point){ .name = mw_read_str(rd, e->key->text), .at = e->key->at };
    mw_y_vec(e, 3, p->x);
    rc = mw_arena_check(rd->mem, rd->err);
  }
  for (const mw_ynode *e = members->first; e && rc == MW_OK; e = e->next)
    rc = read_member(rd, e, b, &b->member[b->n_member++]);
  return rc;
}

// Keys that have no meaning for this kind of body.
static mw_code refuse_strays(const mw_reader *rd, const mw_ynode *e, const mw_body_in *b)
{
  static const char *const mesh_only[] = { "material", "parts", "sets", "ties", "expected", NULL };
  static const char *const file_only[] = { "scale", "unit", NULL };
  static const char *const elastic_only[] = { "supports", "damping", "bushings", NULL };
  const char *stray = NULL, *needs = NULL;
  for (int k = 0; mesh_only[k] && !mw_meshed(b); k++)
    if (mw_y_given(e, mesh_only[k])) stray = mesh_only[k], needs = "a mesh, cad or matrices";
  for (int k = 0; file_only[k] && !mw_meshed(b) && !b->solid; k++)
    if (mw_y_given(e, file_only[k])) stray = file_only[k], needs = "a mesh, cad or matrices";
  for (int k = 0; elastic_only[k] && b->rigid; k++)
    if (mw_y_given(e, elastic_only[k])) stray = elastic_only[k], needs = "beams or a mesh";
  if (!b->ground && mw_y_given(e, "supports")) stray = "supports", needs = "ground: true";
  if (!stray) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, stray)->key->at,
                 "body %.64s: found %s, expected it only with %s", b->name, stray, needs);
}

static mw_code read_supports(mw_reader *rd, const mw_ynode *list, mw_body_in *b)
{
  if (b->ground && !b->rigid && !b->matrices && !list)
    return mw_fail(rd->err, MW_ERR_INPUT, b->at,
                   "body %.64s is elastic and on ground: found no supports, expected some",
                   b->name);
  if (!list) return MW_OK;
  mw_code rc = MW_NEW(rd, b->support, list->n);
  for (const mw_ynode *e = list->first; e && rc == MW_OK; e = e->next) {
    mw_support *s = &b->support[b->n_support++];
    const mw_ynode *nodes = mw_y_find(e, "nodes"), *dofs = mw_y_find(e, "dofs");
    int index;
    *s = (mw_support){ .at = nodes->at, .set = mw_read_str(rd, nodes->text) };
    for (int i = 0; i < 6; i++) {
      s->dof[i] = dofs->kind == MW_Y_SCALAR;
      for (const mw_ynode *d = dofs->first; d; d = d->next)
        s->dof[i] = s->dof[i] || strcmp(d->text, DOFS[i]) == 0;
    }
    if (!mw_meshed(b))
      rc = mw_name_read(rd, nodes, "point", b->point, b->n_point, sizeof *b->point, &index);
  }
  return rc;
}

static mw_code read_body(mw_reader *rd, const mw_ynode *e, mw_body_in *b)
{
  static const char *const kinds[] = { "rigid", "beams", "mesh", "cad", "matrices", NULL };
  const mw_ynode *damping = mw_y_find(e, "damping");
  int kind;
  const mw_ynode *v = mw_y_one(e, kinds, &kind);
  *b = (mw_body_in){ .name = mw_read_str(rd, e->key->text),
                     .at = e->key->at,
                     .mass_at = e->key->at,
                     .mesh_at = e->key->at,
                     .ground = mw_y_num(e, "ground") > 0.0,
                     .gravity = mw_y_num(e, "gravity") > 0.0,
                     .mesh_scale = mw_y_num(e, "scale"),
                     .mesh_material = -1,
                     .alpha = damping ? mw_y_num(damping, "alpha") : rd->m->alpha,
                     .beta = damping ? mw_y_num(damping, "beta") : rd->m->beta };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc != MW_OK) return rc;
  if (strcmp(b->name, "ground") == 0)
    return mw_fail(rd->err, MW_ERR_INPUT, b->at,
                   "body ground is always there, expected another name (with ground: true)");
  if (!v && !b->ground)
    return mw_fail(
        rd->err, MW_ERR_INPUT, b->at,
        "body %.64s: expected one of: rigid, beams, mesh, cad, matrices, or ground: true", b->name);
  b->rigid = !v || kind == 0;
  mw_y_vec(mw_y_find(e, "at"), 3, b->origin);
  rc = mw_frame_axes_read(rd, mw_y_find(e, "axes"), b->axes);
  if (rc == MW_OK && v && kind == 0) rc = read_rigid(rd, e, v, b);
  if (rc == MW_OK && kind == 1) rc = read_beams(rd, v, b);
  if (rc == MW_OK && kind >= 2) rc = mw_mesh_body_read(rd, e, v, b);
  if (rc == MW_OK) rc = refuse_strays(rd, e, b);
  if (rc == MW_OK) rc = read_supports(rd, mw_y_find(e, "supports"), b);
  if (rc == MW_OK) rc = mw_guides_read(rd, mw_y_find(e, "guides"), b);
  if (rc == MW_OK) rc = mw_frames_read(rd, mw_y_find(e, "frames"), b);
  if (rc == MW_OK) rc = mw_bushings_read(rd, mw_y_find(e, "bushings"), b);
  return rc;
}

mw_code mw_read_bodies(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *bodies = mw_y_find(root, "bodies");
  mw_model *m = rd->m;
  if (bodies->n == 0 && !bodies->given)
    return mw_fail(rd->err, MW_ERR_INPUT, root->at,
                   "the model: found no bodies, expected a mapping of names");
  mw_code rc = MW_NEW(rd, m->body, bodies->n + 1);
  if (rc != MW_OK) return rc;
  mw_at at = { m->path, 0, 0 };
  m->body[m->n_body++] = (mw_body_in){ .name = "ground",
                                       .at = at,
                                       .ground = true,
                                       .gravity = true,
                                       .rigid = true,
                                       .axes = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                       .mass_at = at,
                                       .mesh_at = at,
                                       .mesh_scale = 1.0,
                                       .mesh_material = -1 };
  for (const mw_ynode *e = bodies->first; e && rc == MW_OK; e = e->next)
    rc = mw_shape_part(e, read_body(rd, e, &m->body[m->n_body++]), rd->err);
  return rc == MW_OK ? mw_arena_check(rd->mem, rd->err) : rc;
}
