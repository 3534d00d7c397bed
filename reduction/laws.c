// SPDX-License-Identifier: BSD-3-Clause
// laws.c: damping, friction and end stops of joint coordinates in a reduced model.
//
//   c_theta_i of each coordinate of theta; a law of (8), (9) of rom.h along the field of each joint
//   coordinate that has one
//
// They stand beside the tables, and neither columns nor coefficients nor samples depend on them: a
// machine whose joints have others has the same reduced model with other numbers here. The hash of
// a model (model_hash.c) leaves them out.
#include <stdio.h>
#include <string.h>

#include "reduce_layer.h"

mw_code mw_laws_check(const mw_mech *m, int s, const int *coord, mw_error *err)
{
  for (int c = 0; c < m->n_coord; c++) {
    const mw_joint_in *in = m->joint[m->coord_joint[c]].in;
    bool of_theta = false;
    if (in->friction.present)
      return mw_fail(err, MW_ERR_INPUT, in->friction.at,
                     "friction of joint %.64s is in proportion to the joint's reaction, which "
                     "reduced models do not have, expected drive_friction, or path rigid, body or "
                     "full",
                     in->name);
    for (int i = 0; i < s; i++) of_theta = of_theta || coord[i] == c;
    if (in->coordinate_damping > 0.0 && !of_theta)
      return mw_fail(
          err, MW_ERR_INPUT, in->at,
          "joint %s has damping on a coordinate that is not one of the reduction's, expected none "
          "(put it on one of reduction.coordinates, or damp the runners)",
          in->name);
  }
  return MW_OK;
}

static bool same(const mw_rom *r, const double *c_theta, int n_law, const mw_rom_law *law)
{
  bool is = r->n_law == n_law;
  for (int i = 0; is && i < r->s; i++) is = r->c_theta[i] == c_theta[i];
  for (int k = 0; is && k < n_law; k++) {
    const mw_rom_law *a = &r->law[k], *b = &law[k];
    is = a->field == b->field && a->coulomb == b->coulomb && a->stiction == b->stiction &&
         a->stribeck == b->stribeck && a->smooth == b->smooth && a->lo == b->lo && a->hi == b->hi &&
         a->stiffness == b->stiffness && a->damping == b->damping && a->soft == b->soft;
  }
  return is;
}

static mw_rom_law law_of(const mw_law *l, int field)
{
  return (mw_rom_law){ .field = field,
                       .coulomb = l->coulomb,
                       .stiction = l->stiction,
                       .stribeck = l->stribeck,
                       .smooth = l->smooth,
                       .lo = l->lo,
                       .hi = l->hi,
                       .stiffness = l->stiffness,
                       .damping = l->damping,
                       .soft = l->soft };
}

// The field of coordinate c, -1: there is none.
static int field_of(const mw_rom_file *f, const char *coordinate)
{
  for (int k = 0; k < f->rom.n_y; k++)
    if (strncmp(f->field[k], "s:", 2) == 0 && strcmp(f->field[k] + 2, coordinate) == 0) return k;
  return -1;
}

// Scenarios that the certificate ran, or looked at, were those of another machine.
static mw_code forget_runs(mw_rom_file *f, mw_error *err)
{
  mw_certificate *c = &f->certificate;
  const char *of = c->runs.n > 0 || c->outside.n > 0
                       ? "; what its certificate says of scenarios does not count"
                       : "";
  f->law_note = mw_arena_printf(&f->mem,
                                "the reduced model was made with other damping, friction or stops "
                                "of joint coordinates; it takes those of the model%s",
                                of);
  c->runs = (mw_run_proofs){ 0 };
  c->outside = (mw_run_scope){ 0 };
  return mw_arena_check(&f->mem, err);
}

mw_code mw_rom_file_laws(const mw_mech *m, mw_rom_file *f, mw_error *err)
{
  mw_rom *r = &f->rom;
  int n = 0, coord[MW_ROM_MAX_S];
  double *c_theta = mw_arena_f64(&f->mem, (size_t)r->s);
  mw_rom_law *law = mw_arena_alloc(&f->mem, (size_t)m->n_coord, sizeof *law);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < r->s; i++) {
    coord[i] = mw_mech_coord(m, f->coordinate[i]);
    if (coord[i] >= 0) c_theta[i] = m->joint[m->coord_joint[coord[i]]].in->coordinate_damping;
  }
  rc = mw_laws_check(m, r->s, coord, err);
  if (rc != MW_OK) return rc;
  for (int c = 0; c < m->n_coord; c++) {
    const mw_joint_in *j = m->joint[m->coord_joint[c]].in;
    int k = j->has_law ? field_of(f, mw_mech_coord_name(m, c)) : -1;
    if (k >= 0) law[n++] = law_of(&j->law, k);
  }
  bool changed = r->c_theta && !same(r, c_theta, n, law);
  r->c_theta = c_theta;
  r->n_law = n;
  r->law = law;
  return changed ? forget_runs(f, err) : MW_OK;
}
