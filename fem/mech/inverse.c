// SPDX-License-Identifier: BSD-3-Clause
// inverse.c: what drives must give for the rigid mechanism to follow the references of a scenario:
// feed-forward of gravity and acceleration.
//
// With the coordinates of all drives that have references at these, what joints and springs leave
// elastic rigid, nothing is free. V_d: the motion of all bodies at unit rate of coordinate d, the
// others at rest. Accelerations, in the axes of the bodies, follow from the rows of the joints,
//   v̂' = a0(r, r') + Σ V_d r_d''
//   f_d = Σ_bodies V_dᵀ ( M v̂' + ω × Iω − (m Eᵀg, 0) ) + J_d r_d''                            (1)
// with J_d of the drive's rotor. Friction, dampers and what springs pull at are none of it.
// References depend on time alone: forces are computed for all samples of a scenario as it begins.
// Cost: a sample some n_drive + 3 projections of the rigid mechanism, none where references rest.
// J. J. Craig: Introduction to Robotics, 3rd ed., chapter 10.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/rigid.h"

typedef struct inverse {
  const mw_mech *m;
  const mw_scenario *sc;
  mw_rigid *body;  // masses
  mw_rigid *r;     // references locked
  mw_rigid_work *w;
  mw_rigid_size n;
  unsigned char *held;          // [n_coord]
  unsigned char *left_out;      // [n_joint]  rows of springs (mw_rigid_opt)
  double *at, *s, *rate, *acc;  // [n_coord]  where q is; references
  double *one;                  // [n_coord]  0 but for one
  double *q, *v, *a;            // [n_q]
  double *u, *u_dot;            // [n_u]
  double *V;                    // [n_action × n_u]
  mw_arena mem;
} inverse;

static bool asks(const mw_action *a)
{
  return a->kind == MW_ACTION_CONTROL && (a->weight || a->inertia);
}

static int coord_of(const inverse *p, const mw_action *a)
{
  int joint = p->m->model->drive[a->drive].joint;
  return joint >= 0 && mw_action_guides(a) ? p->m->joint[joint].coord : -1;
}

static void references(inverse *p, double t)
{
  for (int k = 0; k < p->sc->n_action; k++) {
    int c = coord_of(p, &p->sc->action[k]);
    if (c >= 0) mw_signal_eval(&p->sc->action[k].signal, t, &p->s[c], &p->rate[c], &p->acc[c]);
  }
}

static mw_code begin(inverse *p, mw_error *err)
{
  size_t nc = (size_t)p->m->n_coord;
  p->held = mw_arena_alloc(&p->mem, nc, 1);
  p->left_out = mw_arena_alloc(&p->mem, (size_t)p->m->n_joint, 1);
  double **row[] = { &p->at, &p->s, &p->rate, &p->acc, &p->one };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) *row[i] = mw_arena_f64(&p->mem, nc);
  mw_code rc = mw_arena_check(&p->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(p->at, p->m->s0, nc * sizeof(double));
  memcpy(p->s, p->m->s0, nc * sizeof(double));
  for (int k = 0; k < p->sc->n_action; k++)
    if (coord_of(p, &p->sc->action[k]) >= 0) p->held[coord_of(p, &p->sc->action[k])] = 1;
  mw_rigid_opt opt = mw_rigid_opt_default();
  rc = mw_rigid_build(p->m, &opt, &p->body, err);
  opt.locked = p->held;
  opt.left_out = p->left_out;
  opt.kinematics = opt.soft_is_rigid = true;
  if (rc == MW_OK) rc = mw_mech_loose_springs(p->m, p->held, p->left_out, err);
  if (rc == MW_OK) rc = mw_rigid_build(p->m, &opt, &p->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(p->r, &p->w, err);
  if (rc != MW_OK) return rc;
  p->n = mw_rigid_sizes(p->r);
  size_t nq = (size_t)p->n.n_q, nu = (size_t)p->n.n_u;
  p->q = mw_arena_f64(&p->mem, nq);
  p->v = mw_arena_f64(&p->mem, nq);
  p->a = mw_arena_f64(&p->mem, nq);
  p->u = mw_arena_f64(&p->mem, nu);
  p->u_dot = mw_arena_f64(&p->mem, nu);
  p->V = mw_arena_f64(&p->mem, (size_t)p->sc->n_action * nu);
  rc = mw_arena_check(&p->mem, err);
  if (rc == MW_OK) mw_rigid_from_frames(p->r, p->m->p0, p->q);
  return rc;
}

// Rates u [n_u] of the bodies where held coordinates have these
static mw_code rates(inverse *p, const double *rate, double *u, mw_error *err)
{
  mw_rigid_hold(p->r, p->w, p->s, rate);
  memset(p->v, 0, (size_t)p->n.n_q * sizeof *p->v);
  mw_code rc = mw_rigid_project_v(p->r, p->w, 0.0, p->q, p->v, true, err);
  mw_rigid_twist(p->r, p->q, p->v, u);
  return rc;
}

// Nothing may be free with the references held.
static mw_code settled(const inverse *p, mw_at at, mw_error *err)
{
  int left = p->n.n_u - p->n.n_row + mw_rigid_redundant(p->r, p->w, NULL);
  if (left == 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, at,
                 "inverse_dynamics: %d motions are left free with the references of the "
                 "scenario's drives held, expected none: drives with move, follow or position for "
                 "them",
                 left);
}

// Positions, V_d, v̂' and rates at the references
static mw_code motion(inverse *p, mw_at at, mw_error *err)
{
  static const double CLOSED = 1e-10;  // m or 1
  int nu = p->n.n_u;
  mw_code rc = mw_rigid_reach(p->r, p->w, p->at, p->s, CLOSED, p->q, err);
  if (rc != MW_OK) return rc;
  memcpy(p->at, p->s, (size_t)p->m->n_coord * sizeof *p->at);
  for (int k = 0; rc == MW_OK && k < p->sc->n_action; k++) {
    int c = coord_of(p, &p->sc->action[k]);
    if (c < 0) continue;
    p->one[c] = 1.0;
    rc = rates(p, p->one, p->V + k * nu, err);
    p->one[c] = 0.0;
  }
  if (rc == MW_OK) rc = rates(p, p->rate, p->u, err);
  if (rc == MW_OK) rc = settled(p, at, err);
  if (rc == MW_OK) rc = mw_rigid_accel(p->r, p->w, 0.0, p->q, p->v, p->a, err);
  if (rc != MW_OK) return rc;
  mw_rigid_twist(p->r, p->q, p->a, p->u_dot);
  memset(p->one, 0, (size_t)p->m->n_coord * sizeof *p->one);
  for (int k = 0; k < p->sc->n_action; k++) {
    int c = coord_of(p, &p->sc->action[k]);
    bool first = c >= 0 && p->one[c] == 0.0;  // drives may share a coordinate
    if (!first) continue;
    p->one[c] = 1.0;
    for (int i = 0; i < nu; i++) p->u_dot[i] += p->V[k * nu + i] * p->acc[c];
  }
  memset(p->one, 0, (size_t)p->m->n_coord * sizeof *p->one);
  return MW_OK;
}

// The sum of (1) for the motion V
static double sum(const inverse *p, const mw_action *a, const double *V)
{
  const mw_rigid_body *body = mw_rigid_bodies(p->body);
  double f = 0.0;
  for (int b = 0; b < p->n.n_body; b++) {
    const double *w = p->u + 6 * b + 3, *acc = p->u_dot + 6 * b, *I = body[b].I;
    double g[3], F[6] = { 0.0 }, Iw[3] = { I[0] * w[0], I[1] * w[1], I[2] * w[2] }, turn[3];
    mw_mul33tv(p->q + 12 * b + 3, p->m->model->gravity, g);
    mw_cross3(w, Iw, turn);
    for (int i = 0; i < 3; i++) {
      if (a->inertia) F[i] = body[b].m * acc[i];
      if (a->inertia) F[3 + i] = I[i] * acc[3 + i] + turn[i];
      if (a->weight && body[b].gravity) F[i] -= body[b].m * g[i];
    }
    for (int i = 0; i < 6; i++) f += V[6 * b + i] * F[i];
  }
  return f;
}

// Drives that give the force along coordinate c between them
static int sharing(const inverse *p, int c)
{
  int n = 0;
  for (int k = 0; k < p->sc->n_action; k++)
    n += asks(&p->sc->action[k]) && coord_of(p, &p->sc->action[k]) == c;
  return n;
}

static mw_code sample(inverse *p, mw_at at, double *f, mw_error *err)
{
  mw_code rc = motion(p, at, err);
  for (int k = 0; rc == MW_OK && k < p->sc->n_action; k++) {
    const mw_action *a = &p->sc->action[k];
    const mw_drive_in *d = &p->m->model->drive[a->drive];
    if (!asks(a)) continue;
    int c = coord_of(p, a);
    f[a->drive] = sum(p, a, p->V + k * p->n.n_u) / sharing(p, c);
    if (a->inertia && d->rotor) f[a->drive] += d->inertia * d->gear * d->gear * p->acc[c];
  }
  return rc;
}

// Do the references stand where they stood a sample before?
static bool resting(const inverse *p)
{
  for (int c = 0; c < p->m->n_coord; c++)
    if (p->held[c] && (p->s[c] != p->at[c] || p->rate[c] != 0.0 || p->acc[c] != 0.0)) return false;
  return true;
}

mw_code mw_control_feed(mw_control *c, const mw_mech *m, mw_arena *mem, mw_error *err)
{
  enum { MOST = 100000000 };
  inverse p = { .m = m, .sc = c->sc };
  const mw_action *any = NULL;
  for (int k = 0; c->sc && k < c->sc->n_action && !any; k++)
    if (asks(&c->sc->action[k])) any = &c->sc->action[k];
  if (!any) return MW_OK;
  size_t nd = (size_t)m->model->n_drive;
  double n = floor(c->sc->duration / c->period * (1.0 + 1e-12)) + 1.0;
  if (!(n * (double)nd < MOST))
    return mw_fail(err, MW_ERR_INPUT, any->at,
                   "inverse_dynamics: %.3g samples of %d drives, at most %d forces are kept", n,
                   (int)nd, MOST);
  double *feed = mw_arena_f64(mem, (size_t)n * nd);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = begin(&p, err);
  bool rested = false;
  for (int i = 0; rc == MW_OK && i < (int)n; i++) {
    references(&p, i * c->period);
    bool rests = i > 0 && resting(&p);
    if (rests && rested)
      memcpy(feed + (size_t)i * nd, feed + (size_t)(i - 1) * nd, nd * sizeof *feed);
    else
      rc = sample(&p, any->at, feed + (size_t)i * nd, err);
    rested = rests;
  }
  if (rc == MW_OK) {
    c->feed = feed;
    c->n_feed = (int)n;
  }
  mw_rigid_work_free(p.w);
  mw_rigid_free(p.r);
  mw_rigid_free(p.body);
  mw_arena_free(&p.mem);
  return rc;
}
