// SPDX-License-Identifier: BSD-3-Clause
// rigid_sim.c: what a run of the rigid path is made of, and what all its methods use.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "rigid_path_layer.h"

// ---- what is known of the mechanism -------------------------------------------------------------

// Largest distance of a joint's points from the centre of mass of a body it joins (guides by their
// length); of a mechanism of free bodies the largest distance from the origin.
static double size_of(const mw_rigid_sim *s)
{
  static const double LEAST = 1e-6;  // m
  const mw_mech *m = s->m;
  double size = 0.0, far = 0.0;
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *joint = &m->joint[j];
    const double *X[2] = { joint->Xa, joint->Xb };
    int body[2] = { joint->a, joint->b };
    for (int k = 0; k < 2; k++) {
      const mw_body *b = &m->body[body[k]];
      double d[3];
      if (b->ground || b->m <= 0.0) continue;
      for (int i = 0; i < 3; i++) d[i] = X[k][i] - b->mX[i] / b->m;
      size = fmax(size, mw_norm3(d));
    }
    if (joint->guide) size = fmax(size, joint->guide->length);
  }
  for (int b = 0; b < m->n_body; b++) far = fmax(far, mw_norm3(m->p0 + 12 * b));
  if (size <= LEAST) size = far;
  return size > LEAST ? size : 1.0;
}

static bool damps(const mw_joint *j)
{
  if (j->in->coordinate_damping != 0.0 || j->in->friction.present || j->in->has_law) return true;
  for (int i = 0; i < j->n_row; i++)
    if (isfinite(j->k[i]) && j->c[i] != 0.0) return true;
  return false;
}

// Actions, actuators, follower forces, dampers and friction; what only stores energy has no power.
static bool has_power(const mw_mech *m, const mw_scenario *sc)
{
  const mw_model *model = m->model;
  if (sc->n_action > 0 || model->n_component > 0) return true;
  for (int j = 0; j < m->n_joint; j++)
    if (damps(&m->joint[j])) return true;
  for (int k = 0; k < model->n_drive; k++)
    if (model->drive[k].rotor && model->drive[k].damping != 0.0) return true;
  for (int k = 0; k < model->n_force; k++) {
    const mw_force_in *f = &model->force[k];
    if (f->kind == MW_FORCE_POINT || f->kind == MW_FORCE_TORQUE) return true;
    if (f->has_signal || f->c != 0.0) return true;
  }
  return false;
}

static bool stiff(const mw_rigid_sim *s)
{
  if (s->n.n_soft > 0) return true;
  for (int j = 0; j < s->m->n_joint; j++)
    if (damps(&s->m->joint[j])) return true;
  for (int k = 0; k < s->m->model->n_force; k++)
    if (s->m->model->force[k].k != 0.0 || s->m->model->force[k].c != 0.0) return true;
  return false;
}

// ---- singular positions -------------------------------------------------------------------------

void mw_rigid_sim_name_singular(const mw_rigid_sim *s, double t, const double *q, char text[200])
{
  static const double NEAR =
      1e-3;  // of the sum a pivot is made of: its square root is the way to the position, rad
  mw_arena tmp = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_error ignored;
  opt.scenario = s->sc;
  int *rows[2] = { mw_arena_int(&tmp, (size_t)s->m->n_joint),
                   mw_arena_int(&tmp, (size_t)s->m->n_joint) },
      found = 0, n[2] = { 0, 0 };
  double *v = mw_arena_f64(&tmp, (size_t)s->n.n_q), *a = mw_arena_f64(&tmp, (size_t)s->n.n_q);
  for (int k = 0; k < 2 && mw_arena_check(&tmp, NULL) == MW_OK; k++) {
    mw_rigid *r = NULL;
    mw_rigid_work *w = NULL;
    if (k == 1) opt.drop = NEAR;
    if (mw_rigid_build(s->m, &opt, &r, &ignored) == MW_OK &&
        mw_rigid_work_build(r, &w, &ignored) == MW_OK &&
        mw_rigid_accel(r, w, t, q, v, a, &ignored) == MW_OK) {
      n[k] = mw_rigid_redundant(r, w, rows[k]);
      found++;
    }
    mw_rigid_work_free(w);
    mw_rigid_free(r);
  }
  text[0] = 0;
  for (int j = 0; found == 2 && n[1] > n[0] && j < s->m->n_joint && !text[0]; j++)
    if (rows[1][j] > rows[0][j])
      snprintf(
          text, 200,
          ": near a singular position, where %d more row%s (joint %.48s) nearly depend%s on the "
          "others; auto, rk4 and cvode go through such positions",
          n[1] - n[0], n[1] - n[0] > 1 ? "s" : "", s->m->joint[j].name, n[1] - n[0] > 1 ? "" : "s");
  mw_arena_free(&tmp);
}

// ---- life ---------------------------------------------------------------------------------------

mw_code mw_rigid_sim_init(const mw_mech *m, const mw_scenario *sc, mw_rigid_in in,
                          mw_rigid_sim *out, mw_error *err)
{
  mw_rigid_sim s = { .m = m, .sc = sc, .in = in };
  mw_code rc = mw_rigid_sim_build(&s, err);
  if (rc == MW_OK) {
    s.n = mw_rigid_sizes(s.r);
    s.size = size_of(&s);
    s.has_power = has_power(m, sc);
    s.stiff = stiff(&s);
    s.q = mw_arena_f64(&s.mem, (size_t)s.n.n_q);
    s.v = mw_arena_f64(&s.mem, (size_t)s.n.n_q);
    s.a = mw_arena_f64(&s.mem, (size_t)s.n.n_q);
    s.x = mw_arena_f64(&s.mem, (size_t)s.n.n_q);
    s.lambda = mw_arena_f64(&s.mem, (size_t)s.n.n_row);
    s.lambda_s = mw_arena_f64(&s.mem, (size_t)s.n.n_soft);
    s.mu = mw_arena_f64(&s.mem, (size_t)s.n.n_row);
    s.aux = mw_arena_f64(&s.mem, (size_t)s.n.n_u);
    rc = mw_arena_check(&s.mem, err);
  }
  if (rc == MW_OK)
    *out = s;
  else
    mw_rigid_sim_free(&s);
  return rc;
}

void mw_rigid_sim_free(mw_rigid_sim *s)
{
  mw_arena_free(&s->step_mem);
  mw_arena_free(&s->mem);
  mw_rigid_work_free(s->w);
  mw_rigid_free(s->r);
  mw_pool_free(s->pool);
  *s = (mw_rigid_sim){ 0 };
}

// ---- at the state -------------------------------------------------------------------------------

// Velocities with the factors at hand, until what a pass still changes is rounding. Passes gain the
// less the closer the mechanism is to a singular position; where one gains less than a digit, only
// new factors help.
static mw_code close_rates(mw_rigid_sim *s, double t, const double *q, double *v, mw_error *err)
{
  enum { PASSES = 5 };
  static const double LEFT = 1e-13, GAIN = 0.1;  // of the largest rate
  size_t n = (size_t)s->n.n_q;
  double last = INFINITY;
  for (int pass = 0; pass < PASSES; pass++) {
    double largest = 0.0, change = 0.0;
    memcpy(s->x, v, n * sizeof *v);
    mw_code rc = mw_rigid_project_v(s->r, s->w, t, q, v, false, err);
    if (rc != MW_OK) return rc;
    for (size_t i = 0; i < n; i++) {
      largest = fmax(largest, fabs(v[i]));
      change = fmax(change, fabs(v[i] - s->x[i]));
    }
    if (change <= fmax(LEFT * largest, s->in.projection)) return MW_OK;
    if (!(change <= GAIN * last)) break;
    last = change;
  }
  return mw_rigid_project_v(s->r, s->w, t, q, v, true, err);
}

// Positions with the factors at hand; near a singular position these may lead astray: then again,
// with new ones.
static mw_code close_gaps(mw_rigid_sim *s, double t, double *q, bool fresh, double *gap,
                          mw_error *err)
{
  enum { ITERATIONS = 20 };
  static const double FAR = 1e-3;  // of the size: nobody was that far off
  size_t n = (size_t)s->n.n_q;
  double moved = 0.0, tol = s->in.projection;
  memcpy(s->x, q, n * sizeof *q);
  mw_code rc = mw_rigid_project_q(s->r, s->w, t, q, tol, ITERATIONS, fresh, gap, err);
  for (size_t i = 0; i < n; i++) moved = fmax(moved, fabs(q[i] - s->x[i]));
  if (fresh || (rc == MW_OK && *gap <= tol && moved <= FAR * fmin(1.0, s->size))) return rc;
  memcpy(q, s->x, n * sizeof *q);
  return mw_rigid_project_q(s->r, s->w, t, q, tol, ITERATIONS, true, gap, err);
}

mw_code mw_rigid_sim_close(mw_rigid_sim *s, double t, double *q, double *v, double most, bool fresh,
                           mw_error *err)
{
  double gap = 0.0;
  mw_code rc = close_gaps(s, t, q, fresh, &gap, err);
  if (rc == MW_OK && !(gap <= fmax(s->in.projection, most)))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the joints do not close, a gap of %.3g (m or 1) stays", gap);
  if (rc == MW_OK && fresh) return mw_rigid_project_v(s->r, s->w, t, q, v, true, err);
  return rc == MW_OK ? close_rates(s, t, q, v, err) : rc;
}

mw_code mw_rigid_sim_project(mw_rigid_sim *s, bool fresh, mw_error *err)
{
  static const double CLOSED = 1e-9;  // of the size: what rounding may leave of positions
  return mw_rigid_sim_close(s, s->t, s->q, s->v, CLOSED * s->size, fresh, err);
}

mw_code mw_rigid_sim_sample(mw_rigid_sim *s, mw_error *err)
{
  mw_code rc = mw_rigid_sample(s->r, s->w, s->t, s->q, s->v, err);
  if (rc != MW_OK) return rc;
  if (!mw_rigid_accel_jump(s->r, s->w, s->t, s->q, s->a)) return mw_rigid_sim_eval(s, err);
  if (s->has_power) s->power = mw_rigid_power(s->r, s->w);
  return MW_OK;
}

mw_code mw_rigid_sim_eval(mw_rigid_sim *s, mw_error *err)
{
  mw_code rc = mw_rigid_accel(s->r, s->w, s->t, s->q, s->v, s->a, err);
  s->power = 0.0;
  if (rc != MW_OK || !s->has_power) return rc;
  mw_rigid_energy e;
  mw_rigid_energies(s->r, s->w, s->t, s->q, s->v, &e);
  s->power = e.power;
  return MW_OK;
}

void mw_rigid_sim_mass(const mw_rigid_sim *s, const double *u, double *f)
{
  const mw_rigid_body *body = mw_rigid_bodies(s->r);
  int n = 6 * s->n.n_body, rotor = 0;
  for (int b = 0; b < s->n.n_body; b++)
    for (int i = 0; i < 3; i++) {
      f[6 * b + i] = body[b].m * u[6 * b + i];
      f[6 * b + 3 + i] = body[b].I[i] * u[6 * b + 3 + i];
    }
  // rotors in the order of their drives, measured at their coordinates: φ/n
  for (int k = 0; k < s->m->model->n_drive && rotor < s->n.n_rotor; k++) {
    const mw_drive_in *d = &s->m->model->drive[k];
    if (!d->rotor) continue;
    f[n + rotor] = d->inertia * d->gear * d->gear * u[n + rotor];
    rotor++;
  }
}

void mw_rigid_sim_scales(const mw_rigid_sim *s, double *x)
{
  int n = s->n.n_q;
  for (int i = 0; i < n; i++)
    x[i] = x[n + i] = s->in.tolerance * (i < 12 * s->n.n_body && i % 12 < 3 ? s->size : 1.0);
}

double mw_rigid_sim_joule(const mw_rigid_sim *s)
{
  const mw_rigid_body *body = mw_rigid_bodies(s->r);
  double mass = 0.0;
  for (int b = 0; b < s->n.n_body; b++) mass += body[b].m;
  if (mass == 0.0) mass = 1.0;  // bodies inside components tell none
  return mass * (mw_norm3(s->m->model->gravity) * s->size + s->size * s->size);
}
