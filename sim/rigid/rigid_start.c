// SPDX-License-Identifier: BSD-3-Clause
// rigid_start.c: where a run of the rigid path starts.
//
//   q   frames of the reference configuration;
//       the given coordinates go to their values in small steps, the rest of the
//       mechanism follows by the shortest way. A model with rough positions is assembled on the way
//         there.
//   q   static equilibrium, where the scenario asks for it and something is elastic:
//       given coordinates stay; with components by differences of accelerations
//   v   J v̂ = 0 and ṡ = given with the least kinetic energy;
//       what is elastic moves as if it were rigid
//
// Which coordinates stay in a static start: those given; then, in the model's order, as many of the
// others as leave no more freedom than there are springs to settle it.
#include <math.h>
#include <string.h>

#include "rigid_path_layer.h"
#include "sim/statics.h"

typedef struct start {
  mw_rigid_sim *s;
  unsigned char *held;       // [n_coord]
  unsigned char *left_out;   // [n_joint]  rows of springs that hold nothing (mw_rigid_opt)
  double *at, *rate, *goal;  // [n_coord]  m or rad; m/s or rad/s; where to go
  mw_rigid *r;               // held coordinates locked
  mw_rigid_work *w;
  mw_arena mem;
} start;

static const double TOL = 1e-10;    // m or 1: gaps before the run's own projection
static const double CLOSED = 1e-8;  // of the size: given coordinates may disagree by as much
static const double LEAST = 1e-14;  // 1: what rounding leaves of gaps between axes

// ---- engines with locked coordinates ------------------------------------------------------------

static mw_code lock(start *k, const unsigned char *held, bool kinematics, mw_error *err)
{
  mw_rigid_work_free(k->w);
  mw_rigid_free(k->r);
  k->w = NULL;
  k->r = NULL;
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.locked = held;
  opt.kinematics = opt.soft_is_rigid = kinematics;
  opt.components = true;
  mw_code rc = MW_OK;
  if (kinematics) {
    opt.left_out = k->left_out;
    rc = mw_mech_loose_springs(k->s->m, held, k->left_out, err);
  }
  if (rc == MW_OK) rc = mw_rigid_build(k->s->m, &opt, &k->r, err);
  return rc == MW_OK ? mw_rigid_work_build(k->r, &k->w, err) : rc;
}

// Degrees of freedom at q with the coordinates in held locked; what is elastic in joints counts as
// rigid.
static mw_code mobility(const mw_mech *m, const unsigned char *held, const double *q, int *out,
                        mw_error *err)
{
  mw_rigid *r = NULL;
  mw_rigid_work *w = NULL;
  mw_arena mem = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.locked = held;
  opt.kinematics = opt.soft_is_rigid = opt.components = true;
  mw_code rc = mw_rigid_build(m, &opt, &r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(r, &w, err);
  if (rc == MW_OK) {
    mw_rigid_size n = mw_rigid_sizes(r);
    double *v = mw_arena_f64(&mem, (size_t)n.n_q);
    rc = mw_arena_check(&mem, err);
    if (rc == MW_OK) rc = mw_rigid_project_v(r, w, 0.0, q, v, true, err);
    if (rc == MW_OK) *out = n.n_u - n.n_row + mw_rigid_redundant(r, w, NULL);
    for (int c = 0; rc == MW_OK && c < m->model->n_component; c++)
      *out -= m->model->component[c].size.n_row;
  }
  mw_arena_free(&mem);
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  return rc;
}

// ---- positions ----------------------------------------------------------------------------------

// Coordinates the scenario gives: held, where to, how fast.
static void given(start *k)
{
  const mw_scenario *sc = k->s->sc;
  const mw_mech *m = k->s->m;
  for (int i = 0; i < sc->n_start; i++) {
    int c = m->joint[sc->start_joint[i]].coord;
    if (c < 0) continue;
    k->held[c] = 1;
    k->goal[c] = sc->start_s[i];
    k->rate[c] = sc->start_v[i];
  }
  for (int i = 0; i < sc->n_action; i++) {
    int j = m->model->drive[sc->action[i].drive].joint, c = j >= 0 ? m->joint[j].coord : -1;
    double y[3];
    if (c < 0 || !mw_control_prescribed(sc, sc->action[i].drive, 0.0, y)) continue;
    k->held[c] = 1;
    k->goal[c] = y[0];
    k->rate[c] = y[1];
  }
}

// Held coordinates from at to goal in small steps (mw_rigid_steps).
static mw_code move_there(start *k, mw_error *err)
{
  enum { ITERATIONS = 50 };
  mw_rigid_sim *s = k->s;
  int nc = s->m->n_coord;
  double gap = 0.0, tol = fmax(TOL * fmin(1.0, s->size), LEAST);
  int n = mw_rigid_steps(k->r, k->at, k->goal);
  double *now = mw_arena_f64(&k->mem, (size_t)nc);
  mw_code rc = mw_arena_check(&k->mem, err);
  for (int i = 1; rc == MW_OK && i <= n; i++) {
    for (int c = 0; c < nc; c++)
      now[c] = i == n ? k->goal[c] : k->at[c] + (k->goal[c] - k->at[c]) * i / n;
    mw_rigid_hold(k->r, k->w, now, NULL);
    rc = mw_rigid_project_q(k->r, k->w, 0.0, s->q, tol, ITERATIONS, true, &gap, err);
    if (rc == MW_OK && !(gap <= fmax(CLOSED * s->size, tol)))
      rc =
          mw_fail(err, MW_ERR_INPUT, s->sc->at,
                  "scenario %.64s: the start coordinates cannot be reached, a gap of %.3g (m or 1) "
                  "stays open",
                  s->sc->name, gap);
    if (rc == MW_OK) rc = mw_rigid_check_axes(k->r, s->q, err);
    if (rc != MW_OK) break;
    mw_rigid_accept(k->r, k->w, s->q);
    mw_rigid_accept(s->r, s->w, s->q);
  }
  return rc;
}

static mw_code positions(start *k, mw_error *err)
{
  mw_rigid_sim *s = k->s;
  mw_code rc = lock(k, k->held, true, err);
  if (rc != MW_OK) return rc;
  mw_rigid_from_frames(s->r, s->m->p0, s->q);
  if (!s->m->model->assemble) return move_there(k, err);
  mw_rigid_coords(s->r, s->w, s->q, NULL, k->at, NULL);
  rc = mw_rigid_reach(k->r, k->w, k->at, k->goal, TOL, s->q, err);
  if (rc == MW_OK) mw_rigid_accept(s->r, s->w, s->q);
  return rc;
}

// A rotor behind a flexible drive stands where its coordinate does.
static void rotors(const mw_rigid_sim *s, const double *value, double *x)
{
  const mw_model *model = s->m->model;
  int k = 12 * s->n.n_body;
  for (int d = 0; d < model->n_drive && k < s->n.n_q; d++)
    if (model->drive[d].rotor) x[k++] = value[s->m->joint[model->drive[d].joint].coord];
}

// ---- statics ------------------------------------------------------------------------------------

// As many freedoms as springs may settle, all of those inside of components that have any, beside
// motions of the whole.
static int springs(const mw_model *model)
{
  int n = 0;
  for (int i = 0; i < model->n_force; i++) n += model->force[i].k > 0.0;
  for (int c = 0; c < model->n_component; c++) {
    const mw_component_size *z = &model->component[c].size;
    if (z->springs && z->n_state == 0) n += 6 * (z->n_frame - !z->grounded) - z->n_row;
  }
  return n;
}

static bool soft_joints(const mw_mech *m)
{
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++)
      if (isfinite(m->joint[j].k[i]) && m->joint[j].k[i] > 0.0) return true;
  return false;
}

static bool sprung(const mw_model *model, int joint)
{
  for (int i = 0; i < model->n_force; i++)
    if (model->force[i].kind == MW_FORCE_COORDINATE && model->force[i].joint == joint &&
        model->force[i].k > 0.0)
      return true;
  return false;
}

// Adds coordinates to held until no more is free than springs settle.
static mw_code hold_enough(const mw_rigid_sim *s, unsigned char *held, mw_error *err)
{
  int most = springs(s->m->model), free_now = 0;
  mw_code rc = mobility(s->m, held, s->q, &free_now, err);
  for (int c = 0; rc == MW_OK && free_now > most && c < s->m->n_coord; c++) {
    int then = 0;
    if (held[c] || sprung(s->m->model, s->m->coord_joint[c])) continue;
    held[c] = 1;
    rc = mobility(s->m, held, s->q, &then, err);
    if (then < free_now)
      free_now = then;
    else
      held[c] = 0;
  }
  return rc;
}

// Stops and play, without which equilibria beside components are found
static mw_code check_laws(const mw_rigid_sim *s, const double *at, mw_error *err)
{
  for (int c = 0; c < s->m->n_coord; c++) {
    const mw_joint_in *in = s->m->joint[s->m->coord_joint[c]].in;
    if (!in->has_law || (!in->law.play && at[c] > in->law.lo && at[c] < in->law.hi)) continue;
    return mw_fail(
        err, MW_ERR_INPUT, s->sc->at,
        "scenario %.64s: found play or a stop in the way of coordinate %.64s in a static "
        "start beside component %.64s, expected none or initial: undeformed",
        s->sc->name, mw_mech_coord_name(s->m, c), s->m->model->component[0].name);
  }
  return MW_OK;
}

// Equilibrium of a machine with components, whose stiffness is in no matrix: by differences of
// accelerations (sim/statics.h).
static mw_code settle_components(start *k, const unsigned char *held, mw_error *err)
{
  mw_rigid_sim *s = k->s;
  const mw_mech *m = s->m;
  mw_arena tmp = { 0 };
  double *p = mw_arena_f64(&tmp, 12 * (size_t)m->n_body),
         *force = mw_arena_f64(&tmp, (size_t)m->model->n_drive),
         *at = mw_arena_f64(&tmp, (size_t)m->n_coord);
  mw_equilibria o = { 0 };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    mw_rigid_to_frames(s->r, s->q, p);
    mw_rigid_coords(s->r, s->w, s->q, NULL, at, NULL);
    mw_control_force(mw_rigid_control(s->w), 0.0, force);
    const mw_position position = { p, at };
    const mw_statics_in in = { .at = &position, .held = held, .force = force, .factor = 1.0 };
    rc = mw_equilibria_find(m, &in, 0, &tmp, &o, err);
  }
  if (rc == MW_OK) rc = check_laws(s, o.at[0].s, err);
  if (rc == MW_OK) memcpy(s->q, o.at[0].q, (size_t)s->n.n_q * sizeof *s->q);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code statics(start *k, mw_error *err)
{
  mw_rigid_sim *s = k->s;
  const mw_model *model = s->m->model;
  bool elastic = springs(model) > 0 || soft_joints(s->m) || s->n.n_rotor > 0;
  for (int c = 0; c < model->n_component; c++) elastic |= model->component[c].size.springs != 0;
  if (!s->sc->static_start || !elastic) return MW_OK;
  unsigned char *held = mw_arena_alloc(&k->mem, (size_t)s->m->n_coord, 1);
  mw_code rc = mw_arena_check(&k->mem, err);
  if (rc == MW_OK) {
    memcpy(held, k->held, (size_t)s->m->n_coord);
    rc = hold_enough(s, held, err);
  }
  if (rc == MW_OK)
    rc = model->n_component > 0 ? settle_components(k, held, err)
                                : mw_rigid_statics(s->r, s->w, 0.0, held, s->q, err);
  if (rc == MW_OK) mw_rigid_accept(s->r, s->w, s->q);
  return rc;
}

// ---- velocities ---------------------------------------------------------------------------------

static mw_code velocities(start *k, mw_error *err)
{
  mw_rigid_sim *s = k->s;
  bool moves = false;
  for (int c = 0; c < s->m->n_coord; c++) moves |= k->held[c] && k->rate[c] != 0.0;
  if (!moves) return MW_OK;
  mw_code rc = MW_OK;
  for (int pass = soft_joints(s->m) ? 0 : 1; rc == MW_OK && pass < 2; pass++) {
    rc = lock(k, k->held, pass == 0, err);
    if (rc != MW_OK) break;
    mw_rigid_accept_coords(k->r, k->w, mw_rigid_accepted(s->w));
    mw_rigid_accept(k->r, k->w, s->q);
    mw_rigid_hold(k->r, k->w, k->at, k->rate);
    rc = mw_rigid_project_v(k->r, k->w, 0.0, s->q, s->v, true, err);
  }
  if (rc != MW_OK) return rc;
  double *s_dot = mw_arena_f64(&k->mem, (size_t)s->m->n_coord);
  rc = mw_arena_check(&k->mem, err);
  if (rc != MW_OK) return rc;
  mw_rigid_coords(s->r, s->w, s->q, s->v, k->at, s_dot);
  rotors(s, s_dot, s->v);
  return MW_OK;
}

// ---- all of it ----------------------------------------------------------------------------------

mw_code mw_rigid_start(mw_rigid_sim *s, mw_error *err)
{
  size_t nc = (size_t)s->m->n_coord;
  start k = { .s = s };
  k.held = mw_arena_alloc(&k.mem, nc, 1);
  k.left_out = mw_arena_alloc(&k.mem, (size_t)s->m->n_joint, 1);
  k.at = mw_arena_f64(&k.mem, nc);
  k.rate = mw_arena_f64(&k.mem, nc);
  k.goal = mw_arena_f64(&k.mem, nc);
  mw_code rc = mw_arena_check(&k.mem, err);
  if (rc == MW_OK) {
    memcpy(k.at, s->m->s0, nc * sizeof(double));
    memcpy(k.goal, s->m->s0, nc * sizeof(double));
    given(&k);
    s->t = 0.0;
    rc = positions(&k, err);
  }
  if (rc == MW_OK) {
    mw_rigid_coords(s->r, s->w, s->q, NULL, k.at, NULL);
    rotors(s, k.at, s->q);
    rc = statics(&k, err);
  }
  if (rc == MW_OK) rc = velocities(&k, err);
  if (rc == MW_OK) rc = mw_rigid_sim_project(s, true, err);
  mw_rigid_work_free(k.w);
  mw_rigid_free(k.r);
  mw_arena_free(&k.mem);
  return rc;
}
