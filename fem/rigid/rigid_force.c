// SPDX-License-Identifier: BSD-3-Clause
// rigid_force.c: forces on rigid bodies as wrenches in their principal axes at the centre of mass.
//
//   gravity         m Eᵀ g                       gyroscopic      −ω × I ω
//   point force     F̂ = Eᵀ F, Y × F̂              torque          Eᵀ T
//   actuator        F e on b, −F e on a, e = d/|d|       on a coordinate   f = (∂s/∂v̂)ᵀ F
//   soft rows   −Jsᵀ (k gs + c ġs)   law   (∂s/∂v̂)ᵀ F(s, ṡ), friction and stops of law.h
//   friction        f = (∂s/∂v̂)ᵀ τ ,  τ = −μ(ṡ) N r tanh(ṡ/v_s) ,
//       μ = μ_c + (μ_s − μ_c) exp(−(ṡ/v_st)²)      (1)
//                   N: the joint's reaction force across its axis (travel), or all of it (angle),
//                     and the preload
#include <string.h>

#include "fem/law.h"
#include "rigid_mech_layer.h"

// ---- what there is ------------------------------------------------------------------------------

static void point_of(const mw_rigid *r, mw_ref ref, int *slot, double Y[3])
{
  const mw_frame *f = ref.attach < 0 ? NULL : &r->m->body[ref.body].frame[ref.attach];
  const double zero[3] = { 0.0 };
  *slot = r->slot[ref.body];
  mw_rigid_local(r, *slot, f ? f->X : zero, Y);
}

static void add_force(mw_rigid *r, const mw_force_in *in)
{
  mw_rforce *f = &r->force[r->n_force];
  bool ends = in->kind == MW_FORCE_SPRING || in->kind == MW_FORCE_COORDINATE;
  if (ends && !in->has_signal) return;  // springs and dampers are soft rows
  *f = (mw_rforce){
    .in = in, .drive = -1, .kind = in->kind, .coord = -1, .rotor = -1, .body_axes = in->body_axes
  };
  memcpy(f->dir, in->dir, sizeof f->dir);
  if (in->kind == MW_FORCE_COORDINATE) {
    f->coord = r->m->joint[in->joint].coord;
    r->need[f->coord] = 1;
  } else {
    point_of(r, in->a, &f->a, f->Xa);
    if (in->body_axes) mw_rigid_local_dir(r, f->a, in->dir, f->dir);
    if (in->kind == MW_FORCE_SPRING) point_of(r, in->b, &f->b, f->Xb);
  }
  r->n_force++;
}

static void add_drive(mw_rigid *r, int drive)
{
  const mw_drive_in *in = &r->m->model->drive[drive];
  mw_rforce *f = &r->force[r->n_force++];
  *f = (mw_rforce){ .drive = drive, .coord = -1, .rotor = -1 };
  if (in->joint < 0) {
    f->kind = MW_FORCE_POINT;
    point_of(r, in->on, &f->a, f->Xa);
    memcpy(f->dir, in->dir, sizeof f->dir);
    return;
  }
  f->kind = MW_FORCE_COORDINATE;
  f->coord = r->m->joint[in->joint].coord;
  r->need[f->coord] = 1;
  for (int k = 0; k < r->n.n_rotor; k++)
    if (r->rotor_drive[k] == drive) f->rotor = k;
}

// Friction of the joint that a node belongs to
static void add_friction(mw_rigid *r, int node)
{
  int j = r->node[node].joint;
  const mw_joint *jt = j < 0 ? NULL : &r->m->joint[j];
  if (!jt || !jt->in->friction.present || jt->coord < 0) return;
  int k = 0;
  while (k < r->n_friction && r->friction[k].joint != j) k++;
  mw_rfriction *p = &r->friction[k];
  if (k == r->n_friction) {
    *p = (mw_rfriction){
      .in = &jt->in->friction, .coord = jt->coord, .joint = j, .node = r->n_node, .soft = r->n_node
    };
    r->n_friction++;
    r->need[jt->coord] = 1;
  }
  const mw_rnode *n = &r->node[node];
  if (n->n_elem > 0 && r->elem[n->elem0].kind == MW_R_COORD) {
    p->slope = node;
    return;
  }
  int *first = node < r->n_hard ? &p->node : &p->soft;
  if (node < *first) *first = node;
}

mw_code mw_rigid_forces_build(mw_rigid *r, mw_error *err)
{
  const mw_model *m = r->m->model;
  r->force = mw_arena_alloc(&r->mem, (size_t)(m->n_force + m->n_drive), sizeof *r->force);
  r->friction = mw_arena_alloc(&r->mem, (size_t)r->m->n_joint, sizeof *r->friction);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK || r->opt.kinematics) return rc;
  for (int i = 0; i < m->n_force; i++) add_force(r, &m->force[i]);
  for (int d = 0; d < m->n_drive; d++) add_drive(r, d);
  for (int i = 0; i < r->n_node && !r->opt.small; i++) add_friction(r, i);
  return rc;
}

// ---- helpers ------------------------------------------------------------------------------------

// force F (ground axes) at Y of a body; returns its power
static double push(const mw_rigid *r, const mw_rigid_work *w, int slot, const double Y[3],
                   const double F[3], double *f)
{
  const mw_rkin *k = &w->kin[slot];
  double Fh[3], T[3], v[3];
  if (slot >= r->n.n_body) return 0.0;
  mw_mul33tv(k->E, F, Fh);
  mw_cross3(Y, Fh, T);
  for (int i = 0; i < 3; i++) {
    f[6 * slot + i] += Fh[i];
    f[6 * slot + 3 + i] += T[i];
  }
  mw_rspin(k, Y, v);
  for (int i = 0; i < 3; i++) v[i] += k->v[i];
  return mw_dot3(F, v);
}

static double turn(const mw_rigid *r, const mw_rigid_work *w, int slot, const double T[3],
                   double *f)
{
  double Th[3];
  if (slot >= r->n.n_body) return 0.0;
  mw_mul33tv(w->kin[slot].E, T, Th);
  for (int i = 0; i < 3; i++) f[6 * slot + 3 + i] += Th[i];
  return mw_dot3(Th, w->kin[slot].w);
}

double mw_rigid_on_coord(const mw_rigid *r, const mw_rigid_work *w, int c, double F, double *f)
{
  const mw_rcoord_eval *e = &w->ce[c];
  int a = r->coord[c].a, b = r->coord[c].b;
  for (int i = 0; i < 6; i++) {
    if (a < r->n.n_body) f[6 * a + i] += e->Ja[i] * F;
    if (b < r->n.n_body) f[6 * b + i] += e->Jb[i] * F;
  }
  return F * e->s_dot;
}

static double apply_one(const mw_rigid *r, mw_rigid_work *w, const mw_rforce *p, double F,
                        const double *v_rotor, double *f)
{
  double x[3];
  switch (p->kind) {
  case MW_FORCE_COORDINATE:
    if (p->rotor < 0) return mw_rigid_on_coord(r, w, p->coord, F, f);
    f[6 * r->n.n_body + p->rotor] += F;
    return v_rotor ? F * v_rotor[p->rotor] : 0.0;
  case MW_FORCE_SPRING: {
    const mw_rkin *a = &w->kin[p->a], *b = &w->kin[p->b];
    double xa[3], xb[3], minus[3];
    mw_mul33v(a->E, p->Xa, xa);
    mw_mul33v(b->E, p->Xb, xb);
    for (int i = 0; i < 3; i++) x[i] = b->o[i] + xb[i] - a->o[i] - xa[i];
    double l = mw_norm3(x);
    for (int i = 0; i < 3; i++) {
      x[i] *= l > 0.0 ? F / l : 0.0;
      minus[i] = -x[i];
    }
    return push(r, w, p->b, p->Xb, x, f) + push(r, w, p->a, p->Xa, minus, f);
  }
  default: break;
  }
  for (int i = 0; i < 3; i++) x[i] = F * p->dir[i];
  if (p->body_axes) mw_mul33v(w->kin[p->a].E, x, x);
  return p->kind == MW_FORCE_TORQUE ? turn(r, w, p->a, x, f) : push(r, w, p->a, p->Xa, x, f);
}

static double drive_value(const mw_rigid *r, const mw_rigid_work *w, int drive, double t)
{
  const mw_scenario *sc = r->opt.scenario;
  double F = 0.0, y;
  for (int k = 0; sc && k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    if (a->drive != drive || a->kind == MW_ACTION_POSITION) continue;
    if (a->kind == MW_ACTION_CONTROL) {
      F += w->control.force[drive];
      continue;
    }
    mw_signal_eval(&a->signal, t, &y, NULL, NULL);
    F += y;
  }
  return F;
}

// ---- all of them --------------------------------------------------------------------------------

void mw_rigid_weight(const mw_rigid *r, const mw_rkin *k, int b, bool gyro, double *f)
{
  const double *m = r->diag + b * LD, *I = m + 3;
  mw_mul33tv(k->E, r->m->model->gravity, f);
  for (int i = 0; i < 3; i++) {
    f[i] *= m[MW_WEIGHT];
    f[3 + i] = 0.0;
  }
  if (!gyro) return;
  f[3] = (I[1] - I[2]) * k->w[1] * k->w[2];
  f[4] = (I[2] - I[0]) * k->w[2] * k->w[0];
  f[5] = (I[0] - I[1]) * k->w[0] * k->w[1];
}

void mw_rigid_apply(const mw_rigid *r, mw_rigid_work *w, double t, const double *v_rotor, bool gyro,
                    double *f)
{
  memset(f + 6 * r->n.n_body, 0, (size_t)r->n.n_rotor * sizeof(double));
  for (int b = 0; b < r->n.n_body; b++) mw_rigid_weight(r, &w->kin[b], b, gyro, f + 6 * b);
  w->power = 0.0;
  for (int i = 0; i < r->n_force; i++) {
    const mw_rforce *p = &r->force[i];
    double F = 1.0;
    if (p->in && p->in->has_signal) mw_signal_eval(&p->in->signal, t, &F, NULL, NULL);
    if (p->drive >= 0) F = w->drive_force[p->drive] = drive_value(r, w, p->drive, t);
    if (F != 0.0) w->power += apply_one(r, w, p, F, v_rotor, f);
  }
  for (int i = 0; i < r->n_law; i++) {
    const mw_rlaw *p = &r->law[i];
    const mw_rcoord_eval *e = &w->ce[p->coord];
    double F[3], lost;
    mw_law_force(&p->in, e->s, e->s_dot, F);
    mw_law_energy(&p->in, e->s, e->s_dot, NULL, &lost);
    (void)mw_rigid_on_coord(r, w, p->coord, F[0], f);
    w->power -= lost;
  }
}

bool mw_rigid_drives_jump(const mw_rigid *r, mw_rigid_work *w, double t, double *f)
{
  bool any = false;
  memset(f, 0, (size_t)r->n.n_u * sizeof(double));
  for (int i = 0; i < r->n_force; i++) {
    const mw_rforce *p = &r->force[i];
    if (p->drive < 0) continue;
    double F = drive_value(r, w, p->drive, t), dF = F - w->drive_force[p->drive];
    if (dF == 0.0) continue;
    w->power += apply_one(r, w, p, dF, NULL, f);
    w->drive_force[p->drive] = F;
    any = true;
  }
  return any;
}

void mw_rigid_node_rate(const mw_rigid *r, const mw_rigid_work *w, int node, const double *u,
                        double y[MW_ELIM_LD])
{
  const mw_rnode *n = &r->node[node];
  memset(y, 0, LD * sizeof(double));
  for (int k = 0; k < n->n_touch; k++) {
    const double *Jt = w->Jt[n->touch0 + k];
    int e = r->touch[n->touch0 + k], m = mw_rigid_touched(r, e);
    const double *ub = u + mw_rigid_first_of(r, e);
    for (int i = 0; i < m; i++)
      for (int c = 0; c < LD; c++) y[c] += Jt[i * LD + c] * ub[i];
  }
}

void mw_rigid_node_pull(const mw_rigid *r, const mw_rigid_work *w, int node, const double *y,
                        double *f)
{
  const mw_rnode *n = &r->node[node];
  for (int k = 0; k < n->n_touch; k++) {
    const double *Jt = w->Jt[n->touch0 + k];
    int e = r->touch[n->touch0 + k], m = mw_rigid_touched(r, e);
    double *fb = f + mw_rigid_first_of(r, e);
    for (int i = 0; i < m; i++) {
      double s = 0.0;
      for (int c = 0; c < n->n; c++) s += Jt[i * LD + c] * y[c];
      fb[i] -= s;
    }
  }
  for (int c = 0; n->stroke && c < n->n; c++)
    (void)mw_rigid_on_coord(r, w, n->stroke_coord, -w->stroke_js[node * LD + c] * y[c], f);
}

void mw_rigid_apply_soft(const mw_rigid *r, mw_rigid_work *w, const double *u, double *f)
{
  for (int i = r->n_hard; i < r->n_node; i++) {
    double rate[LD], lambda[LD];
    mw_rigid_node_rate(r, w, i, u, rate);
    for (int c = 0; c < r->node[i].n; c++) {
      int s = r->node[i].row0 + c;
      lambda[c] = r->k[s] * w->g[i * LD + c] + r->d[s] * rate[c];
      w->power -= r->d[s] * rate[c] * rate[c];
      w->lambda[i * LD + c] = lambda[c];
    }
    mw_rigid_node_pull(r, w, i, lambda, f);
  }
}

// ---- controllers --------------------------------------------------------------------------------

// s and ṡ of a joint's coordinate, turns counted from what was accepted; joint -1: none
static void look(const mw_rigid *r, const mw_rigid_work *w, int joint, double *s, double *s_dot)
{
  int c = joint >= 0 ? r->m->joint[joint].coord : -1;
  mw_rcoord_eval e = { 0 };
  if (c >= 0)
    mw_rigid_coord_eval(&r->coord[c], &w->kin[r->coord[c].a], &w->kin[r->coord[c].b],
                        w->accepted[c], &e);
  *s = e.s;
  *s_dot = e.s_dot;
}

mw_code mw_rigid_sample(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                        const double *v, mw_error *err)
{
  const mw_model *m = r->m->model;
  mw_control *c = &w->control;
  mw_rigid_kin(r, w, q, v);
  for (int d = 0; d < m->n_drive; d++) {
    look(r, w, m->drive[d].joint, &c->s[d], &c->s_dot[d]);
    look(r, w, mw_control_encoder(c, d), &c->e[d], &c->e_dot[d]);
  }
  for (int k = 0; k < r->n.n_rotor; k++) {
    c->s[r->rotor_drive[k]] = q[12 * r->n.n_body + k];
    c->s_dot[r->rotor_drive[k]] = v[12 * r->n.n_body + k];
  }
  for (int i = 0; i < c->n_watch; i++) look(r, w, c->watch[i], &c->w[i], &c->w_dot[i]);
  return mw_control_sample(c, t, err);
}

void mw_rigid_take_units(mw_rigid_work *w, mw_units units) { w->control.units = units; }

const mw_control *mw_rigid_control(const mw_rigid_work *w) { return &w->control; }

// ---- energy -------------------------------------------------------------------------------------

void mw_rigid_energies(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                       const double *v, mw_rigid_energy *out)
{
  const double *g = r->m->model->gravity, *sigma = q + 12 * r->n.n_body;
  double T = 0.0, V = 0.0;
  mw_rigid_kin(r, w, q, v);
  mw_rigid_eval(r, w, t, sigma, 0, r->n_node);
  mw_rigid_twist(r, q, v, w->f);
  double *u = w->f, *f = w->f + r->n.n_u;
  for (int b = 0; b < r->n.n_body; b++) {
    const mw_rigid_body *p = &r->body[b];
    const mw_rkin *k = &w->kin[b];
    T += 0.5 * p->m * mw_dot3(k->v, k->v);
    for (int i = 0; i < 3; i++) T += 0.5 * p->I[i] * k->w[i] * k->w[i];
    if (p->gravity) V -= p->m * mw_dot3(g, k->o);
  }
  for (int k = 0; k < r->n.n_rotor; k++) {
    double s = v[12 * r->n.n_body + k];
    T += 0.5 * r->rotor_inertia[k] * s * s;
  }
  mw_rigid_apply(r, w, t, v + 12 * r->n.n_body, false, f);
  for (int i = r->n_hard; i < r->n_node; i++) {
    double rate[LD];
    mw_rigid_node_rate(r, w, i, u, rate);
    for (int c = 0; c < r->node[i].n; c++) {
      int s = r->node[i].row0 + c;
      V += 0.5 * r->k[s] * w->g[i * LD + c] * w->g[i * LD + c];
      w->power -= r->d[s] * rate[c] * rate[c];
    }
  }
  for (int i = 0; i < r->n_law; i++) {
    double spring;
    mw_law_energy(&r->law[i].in, w->ce[r->law[i].coord].s, 0.0, &spring, NULL);
    V += spring;
  }
  *out = (mw_rigid_energy){ .kinetic = T, .potential = V };
  mw_rigid_components_energy(r, w, t, q, v, out);
  out->power = mw_rigid_power(r, w);
}

void mw_rigid_drive_forces(const mw_rigid *r, const mw_rigid_work *w, double *force)
{
  memcpy(force, w->drive_force, (size_t)r->n.n_drive * sizeof(double));
  for (int h = 0; h < r->n_held; h++)
    if (r->held[h].drive >= 0)
      force[r->held[h].drive] = -w->lambda[r->held[h].node * LD + r->held[h].row];
}
