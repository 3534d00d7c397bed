// SPDX-License-Identifier: BSD-3-Clause
// component_seen.c: what is seen of a component from outside: ports, drives, outputs, parameters,
// and the border frames that these make.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "component_inside_priv.h"
#include "fem/joint.h"
#include "fem/output.h"
#include "keys/shape_layer.h"
#include "keys/yaml_layer.h"

static const char PREFIX[] = "c.";  // of names in the wrapper

mw_code mw_inside_refuse(mw_error *err, mw_at at, const char *found)
{
  return mw_fail(err, MW_ERR_INPUT, at,
                 "component: found %s, expected rigid bodies, joints, drives of coordinates, "
                 "springs, forces without time, outputs of these, and ports on bodies that "
                 "move",
                 found);
}

const char *mw_inside_seen_of(const mw_model *m, const mw_observed_in *in)
{
  switch (in->kind) {
  case MW_OUTPUT_VELOCITY:
  case MW_OUTPUT_ACCELERATION: return m->output[in->of].name;
  case MW_OUTPUT_DRIVE_FORCE: return m->drive[in->of].name;
  case MW_OUTPUT_COORDINATE: break;
  default: return NULL;
  }
  for (int d = 0; d < m->n_drive; d++)
    if (m->drive[d].joint == in->of) return m->joint[in->of].coordinate;
  return NULL;
}

// The body and frame that the port's target names.
static mw_code find_port(mw_inside *c, const mw_port_in *in, mw_component_port *out, mw_error *err)
{
  const mw_model *m = &c->model;
  const mw_at at = { m->path, 1, 1 };
  for (int b = 1; b < m->n_body; b++) {
    const mw_body_in *body = &m->body[b];
    size_t n = strlen(body->name);
    if (strncmp(in->target, body->name, n) != 0 || (in->target[n] && in->target[n] != '.'))
      continue;
    *out = (mw_component_port){ .name = in->path + strlen(PREFIX), .frame = c->r->slot[b] };
    if (body->ground) return mw_inside_refuse(err, body->at, "a port on a body that is ground");
    if (!in->target[n]) return MW_OK;
    for (int a = 0; a < body->n_attach; a++)
      if (strcmp(body->attach[a].name, in->target + n + 1) == 0) {
        out->point = out->name;
        memcpy(out->x, c->mech.body[b].frame[a].X, sizeof out->x);
        return MW_OK;
      }
  }
  char found[192];
  snprintf(found, sizeof found, "port %.64s, %.64s, which is no body or frame",
           in->path + strlen(PREFIX), in->target + strlen(PREFIX));
  return mw_inside_refuse(err, at, found);
}

// Ports of the source itself: those of assemblies in it are inside.
static mw_code find_ports(mw_inside *c, unsigned char *is, mw_error *err)
{
  const mw_model *m = &c->model;
  c->port = mw_arena_alloc(&c->mem, (size_t)m->n_port, sizeof *c->port);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int k = 0; rc == MW_OK && k < m->n_port; k++) {
    mw_component_port *to = &c->port[c->size.n_port];
    if (strchr(m->port[k].path + strlen(PREFIX), '.')) continue;
    rc = find_port(c, &m->port[k], to, err);
    if (rc != MW_OK) return rc;
    is[to->frame] = 1;
    c->size.n_port++;
  }
  if (rc == MW_OK && c->size.n_port == 0)
    rc = mw_inside_refuse(err, (mw_at){ m->path, 1, 1 }, "no ports");
  return rc;
}

// What of drive d is seen: a coordinate between two frames.
static mw_code find_drive(const mw_inside *c, int d, mw_component_drive *out, mw_error *err)
{
  const mw_drive_in *in = &c->model.drive[d];
  const mw_joint *j = &c->mech.joint[in->joint];
  const mw_rcoord *s = &c->r->coord[j->coord];
  int nb = c->n.n_body;
  if (s->measure == MW_MEASURE_SECOND || s->curve || j->guide || mw_joint_class_of(j->in)->crossed)
    return mw_inside_refuse(err, in->at, "a drive of a universal joint, a guide or a curve");
  *out = (mw_component_drive){ .name = in->name + strlen(PREFIX),
                               .coordinate = j->in->coordinate + strlen(PREFIX),
                               .angle = s->measure == MW_MEASURE_ANGLE,
                               .a = s->a < nb ? s->a : -1,
                               .b = s->b < nb ? s->b : -1,
                               .start = c->mech.s0[j->coord],
                               .limits = { -INFINITY, INFINITY },
                               .rotor = out->rotor,
                               .inertia = in->inertia,
                               .ratio = in->gear,
                               .stiffness = in->stiffness,
                               .damping = in->damping };
  if (out->b < 0 && !out->angle)
    return mw_inside_refuse(err, in->at,
                            "a drive that moves a body against the ground as b of its joint");
  memcpy(out->point, j->Xb, sizeof out->point);
  for (int i = 0; i < 3; i++) {
    out->z[i] = j->Fa[3 * i + 2];
    out->x[i] = j->Fa[3 * i];
  }
  if (j->in->has_limits) memcpy(out->limits, j->in->limits, sizeof out->limits);
  return MW_OK;
}

static mw_code find_drives(mw_inside *c, unsigned char *is, mw_error *err)
{
  const mw_model *m = &c->model;
  mw_code rc = MW_OK;
  for (int d = 0; rc == MW_OK && d < m->n_drive; d++) {
    rc = find_drive(c, d, &c->drive[d], err);
    if (rc == MW_OK && c->drive[d].a >= 0) is[c->drive[d].a] = 1;
    if (rc == MW_OK && c->drive[d].b >= 0) is[c->drive[d].b] = 1;
  }
  c->size.n_drive = m->n_drive;
  return rc;
}

static mw_code find_outputs(mw_inside *c, const unsigned char *is, mw_error *err)
{
  const mw_model *m = &c->model;
  c->output = mw_arena_alloc(&c->mem, (size_t)(m->n_output + m->n_observed), sizeof *c->output);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int k = 0; rc == MW_OK && k < m->n_output; k++) {
    const mw_output_in *in = &m->output[k];
    const mw_body *of = &c->mech.body[in->ref.body];
    mw_component_output *out = &c->output[k];
    if (of->ground) return mw_inside_refuse(err, in->at, "an output of a body that is ground");
    *out = (mw_component_output){ .name = in->name + strlen(PREFIX),
                                  .kind = "position",
                                  .frame = c->r->slot[in->ref.body] };
    const mw_rigid_body *b = &c->r->body[out->frame];
    double X[3];
    for (int i = 0; i < 3; i++)
      X[i] = in->x[i] + (in->ref.attach < 0 ? 0.0 : of->frame[in->ref.attach].X[i]);
    if (is[out->frame]) {
      memcpy(out->x, X, sizeof out->x);
      continue;
    }
    for (int i = 0; i < 3; i++) X[i] -= b->c[i];
    mw_mul33tv(b->R, X, out->x);
  }
  for (int k = 0; rc == MW_OK && k < m->n_observed; k++) {
    const mw_observed_in *in = &m->observed[k];
    c->output[m->n_output + k] =
        (mw_component_output){ .name = in->name + strlen(PREFIX),
                               .kind = mw_output_key(in->kind),
                               .of = mw_inside_seen_of(m, in) + strlen(PREFIX) };
  }
  c->size.n_output = m->n_output + m->n_observed;
  return rc;
}

// Parameters of the source, whatever they are set to.
static mw_code find_parameters(mw_inside *c, const mw_component_source *s, mw_error *err)
{
  mw_ynode *root = NULL;
  const mw_model_text *f = &s->file[0];
  mw_code rc = mw_yaml_read(f->text, f->n, f->path, &c->mem, &root, err);
  const mw_ynode *map = rc == MW_OK ? mw_y_find(root, "parameters") : NULL;
  c->parameter = mw_arena_alloc(&c->mem, (size_t)(map ? map->n : 0), sizeof *c->parameter);
  if (rc == MW_OK) rc = mw_arena_check(&c->mem, err);
  for (const mw_ynode *e = rc == MW_OK && map ? map->first : NULL; e; e = e->next)
    c->parameter[c->size.n_parameter++] =
        (mw_component_parameter){ e->key->text, e->kind == MW_Y_SCALAR ? e->text : "a list" };
  return rc;
}

mw_code mw_inside_border(mw_inside *c, const mw_component_source *s, mw_error *err)
{
  int nb = c->n.n_body, n = 0;
  unsigned char *is = mw_arena_alloc(&c->mem, (size_t)nb, 1);
  int *border = mw_arena_int(&c->mem, (size_t)nb);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) rc = find_ports(c, is, err);
  if (rc == MW_OK) rc = find_drives(c, is, err);
  if (rc == MW_OK) rc = find_outputs(c, is, err);
  if (rc == MW_OK) rc = find_parameters(c, s, err);
  for (int b = 0; rc == MW_OK && b < nb; b++)
    if (is[b]) border[n++] = b;
  c->size.border = border;
  c->size.n_border = n;
  return rc;
}
