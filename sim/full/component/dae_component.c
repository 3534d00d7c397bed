// SPDX-License-Identifier: BSD-3-Clause
// dae_component.c: components in the paths full and body: assemblies that eliminate their inside
// themselves (fem/component_abi.h).
//
// The frames of a component are bodies without mass of the DAE, integrated as others are; among
// the joints' rows it stands as elastic bodies do, by what it leaves between them,
//
//   F = J D Jᵀ/β'                                                                               (1)
//
// With the wrenches Q of rows and drives at an iterate, the component's accelerations
// a_c = solve(Q) obey M a_c + Jᵢᵀ μ = f + Q for some forces μ of the rows Jᵢ inside; so what the
// iterate lacks in M a + Jᵢᵀ λ = f + Q is M w β' but for forces of these rows, whatever M is. The
// Newton step of index 3, M Δ + Jᵢᵀ Δλ/β' = −M w + ΔQ/β' , Jᵢ Δ = −g , is
//
//   w = (a − a_c)/β'                                                                            (2)
//   Δ = −w + (position of −g) + (rates of −w closed) + D ΔQ/β'                                  (3)
//
// by the corrections of positions and velocities that the interface has: both closed by forces of
// the rows inside alone, Jᵢ(Δ + w) = −g + Jᵢ w. At its end g = 0 and M a + Jᵢᵀ λ = f + Q: the
// equations of the machine whose inside is seen. The stiffness of what swings inside is not in the
// matrix: an iteration leaves ω²/β' of an error there, and is combined with those before it
// (dae_anderson.c).
// Tangent vectors of frames are along the component's own axes, those of bodies along theirs:
// twist of the body = T twist of the frame. The symmetric part of EᵀΔE closes the rigid-body rows.
// Cost: an evaluation of the component and three solutions an iteration, 6 n_border where the
// joint system is built.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "full/dae_layer.h"

enum { LD = MW_ELIM_LD };

static double mass_factor(const mw_dae *d, const mw_dae_component *c)
{
  return d->block[c->first].beta;
}

// ---- frames and bodies --------------------------------------------------------------------------

// Frames for the bodies' parts of a flat vector of positions, rates or accelerations.
static void frames_of(const mw_dae *d, const mw_dae_component *c, const double *x, double *out)
{
  for (int k = 0; k < c->n; k++)
    mw_component_frame(&c->in->body[k], x + d->col[c->first + k], out + 12 * k);
}

// Tangent vector of rates or accelerations x [12] of a frame at p; the symmetric part of EᵀX rigid-
// body rows tell.
static void tangent(const double *p, const double *x, double out[6])
{
  mw_mul33tv(p + 3, x, out);
  mw_spin33(p + 3, x + 3, out + 3);
}

// y [12] += s (ô, Ê) of the twist T u of the body of frame k
static void add_motion(const mw_dae_component *c, int k, double s, const double *u, double *y)
{
  double t[6];
  mw_gemm('n', 'n', 6, 1, 6, s, c->T + 36 * k, u, 0.0, t);
  for (int i = 0; i < 3; i++) y[i] += t[i];
  y[3 + 7] += t[3];
  y[3 + 5] -= t[3];
  y[3 + 2] += t[4];
  y[3 + 6] -= t[4];
  y[3 + 3] += t[5];
  y[3 + 1] -= t[5];
}

// w [6] += s times the wrench on frame k of forces f [12] along (ô, Ê) of its body
static void add_wrench(const mw_dae_component *c, int k, double s, const double *f, double *w)
{
  double t[6];
  mw_dae_twist_row(f, t);
  for (int i = 0; i < 6; i++) mw_axpy(6, s * t[i], c->T + 36 * k + 6 * i, w);
}

// ---- at a state ---------------------------------------------------------------------------------

mw_code mw_dae_components_load(mw_dae *d, mw_error *err)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    char why[320] = "";
    frames_of(d, c, d->q, c->q);
    frames_of(d, c, d->v, c->v);
    c->call->restore(c->one, c->memory);
    c->gap = c->call->load(c->one, d->t, c->q, c->v);
    if (c->call->factor(c->one, why, sizeof why) != 0)
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "component %.64s: %.300s", c->in->name, why);
  }
  return MW_OK;
}

void mw_dae_components_border(mw_dae *d)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    const mw_component_size *s = &c->in->size;
    int n = 6 * s->n_border;
    if (c->S)
      mw_dae_component_border(d, c);
    else
      c->call->border(c->one, c->D);
    for (int b = 0; b < s->n_border; b++) {
      mw_dae_block *own = &d->block[c->first + s->border[b]];
      for (int i = 0; i < 12; i++) {
        double unit[12] = { 0.0 }, w[6] = { 0.0 }, x[6];
        unit[i] = 1.0;
        add_wrench(c, s->border[b], 1.0, unit, w);
        for (int r = 0; r < 6; r++) x[r] = mw_dot(6, c->D + (6 * b + r) * n + 6 * b, w);
        memset(own->G + 12 * i, 0, 12 * sizeof *own->G);
        add_motion(c, s->border[b], 1.0 / own->beta, x, own->G + 12 * i);
      }
    }
  }
}

// c->x of wrenches c->f; u: of rates
static void ask(mw_dae_component *c, int what, const double *u)
{
  c->call->solve(c->one, what, u, 0.0, c->f, c->x);
}

// The same of wrenches alone
static void push(const mw_dae *d, mw_dae_component *c)
{
  if (c->S)
    mw_dae_component_give(d, c);
  else
    ask(c, MW_COMPONENT_NOTHING, NULL);
}

static bool takes_forces(mw_dae_component *c)
{
  for (int i = 0; i < 6 * c->n; i++)
    if (c->f[i] != 0.0) return true;
  return false;
}

// ---- residuals ----------------------------------------------------------------------------------

// c->f: wrenches of what is outside, whose forces stand with the other sign in the residual
static void take_forces(mw_dae *d, mw_dae_component *c)
{
  memset(c->f, 0, (size_t)(6 * c->n) * sizeof *c->f);
  for (int k = 0; k < c->n; k++) {
    double *r = d->r[c->first + k];
    add_wrench(c, k, -1.0, r, c->f + 6 * k);
    memset(r, 0, 12 * sizeof *r);
  }
}

// a_c to c->x: with friction inside that goes with normal forces, until these stay.
static mw_code accelerate(const mw_dae *d, mw_dae_component *c, mw_error *err)
{
  enum { ITER_MAX = 100 };
  static const double TOL = 1e-12;  // of the largest normal force
  for (int i = 0; i < ITER_MAX; i++) {
    double change = 0.0, largest = 0.0;
    ask(c, MW_COMPONENT_ACCELERATION, NULL);
    c->call->normals(c->one, &change, &largest);
    c->call->save(c->one, c->memory);
    if (change <= TOL * largest) return MW_OK;
  }
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "at t = %.6g s friction of component %.64s finds no balance with its normal force "
                 "(jamming?)",
                 d->t, c->in->name);
}

// c->x: takes out what the load has not reached yet of the accelerations by what acts inside
static void lighten(const mw_dae *d, mw_dae_component *c)
{
  size_t n = 6 * (size_t)c->n;
  memcpy(c->free, c->x, n * sizeof *c->x);
  memset(c->f, 0, n * sizeof *c->f);
  ask(c, MW_COMPONENT_ACCELERATION, NULL);
  for (size_t i = 0; i < n; i++) c->x[i] = c->free[i] - (1.0 - d->load) * c->x[i];
}

// (2), and the free motion of (3)
static mw_code lacking(mw_dae *d, mw_dae_component *c, mw_error *err)
{
  size_t n = 6 * (size_t)c->n;
  double b = mass_factor(d, c);
  frames_of(d, c, d->a, c->a);
  take_forces(d, c);
  mw_code rc = accelerate(d, c, err);
  if (rc != MW_OK) return rc;
  if (c->S) {
    if (d->load != 1.0) lighten(d, c);
    mw_dae_component_settle(c);
    memset(c->f, 0, n * sizeof *c->f);
    ask(c, MW_COMPONENT_POSITION, NULL);
    mw_axpy((int)n, 1.0, c->x, c->free);
    return MW_OK;
  }
  for (int k = 0; k < c->n; k++) {
    double a[6];
    tangent(c->q + 12 * k, c->a + 12 * k, a);
    for (int i = 0; i < 6; i++) c->lack[6 * k + i] = (a[i] - c->x[6 * k + i]) / b;
  }
  memset(c->f, 0, n * sizeof *c->f);
  for (size_t i = 0; i < n; i++) c->free[i] = -c->lack[i];
  ask(c, MW_COMPONENT_VELOCITY, c->free);
  mw_axpy((int)n, 1.0, c->x, c->free);
  ask(c, MW_COMPONENT_POSITION, NULL);
  mw_axpy((int)n, 1.0, c->x, c->free);
  return MW_OK;
}

mw_code mw_dae_components_residual(mw_dae *d, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < d->n_component; k++) rc = lacking(d, &d->component[k], err);
  return rc;
}

void mw_dae_components_lack(mw_dae *d)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    for (int i = 0; i < 6 * c->n; i++) c->free[i] = -c->lack[i];
  }
}

double mw_dae_components_rates(mw_dae *d, const double *x, double s)
{
  double most = 0.0;
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    frames_of(d, c, x, c->a);
    for (int i = 0; i < c->n; i++) {
      tangent(c->q + 12 * i, c->a + 12 * i, c->lack + 6 * i);
      for (int j = 0; j < 6; j++) c->lack[6 * i + j] *= s;
    }
    memset(c->f, 0, (size_t)(6 * c->n) * sizeof *c->f);
    ask(c, MW_COMPONENT_VELOCITY, c->lack);
    memcpy(c->free, c->x, (size_t)(6 * c->n) * sizeof *c->free);
    for (int i = 0; i < 6 * c->n; i++) most = fmax(most, fabs(c->free[i]));
  }
  return most;
}

void mw_dae_components_rest(mw_dae *d)
{
  for (int k = 0; k < d->n_component; k++)
    memset(d->component[k].free, 0, (size_t)(6 * d->component[k].n) * sizeof(double));
}

// c->lack: what accelerations lack by friction whose normal forces follow the wrenches of the
// residual; the largest of it, m/s² or rad/s², to *most where that is more
static mw_code follow_normals(mw_dae *d, mw_dae_component *c, double *most, mw_error *err)
{
  size_t n = 6 * (size_t)c->n;
  take_forces(d, c);
  ask(c, MW_COMPONENT_ACCELERATION, NULL);
  memcpy(c->lack, c->x, n * sizeof *c->x);
  mw_code rc = accelerate(d, c, err);
  for (size_t i = 0; i < n; i++) {
    c->lack[i] -= c->x[i];
    *most = fmax(*most, fabs(c->lack[i]));
    c->lack[i] /= mass_factor(d, c);
  }
  return rc;
}

mw_code mw_dae_components_jump(mw_dae *d, mw_error *err)
{
  enum { ITER_MAX = 200 };
  static const double TOL = 1e-10, SETTLED = 1e-6;  // of the first; what is left at the end
  double first = 0.0, most = 0.0;
  for (int i = 0; i < ITER_MAX && d->n_component > 0; i++) {
    mw_code rc = MW_OK;
    mw_dae_residual(d, true);
    most = 0.0;
    for (int k = 0; rc == MW_OK && k < d->n_component; k++)
      rc = follow_normals(d, &d->component[k], &most, err);
    if (i == 0) first = most;
    if (rc != MW_OK || most <= TOL * first) return rc;
    mw_dae_clear_residuals(d);
    memset(d->rho, 0, (size_t)d->n_all * sizeof(double));
    mw_dae_components_lack(d);
    rc = mw_dae_solve(d, err);
    if (rc != MW_OK) return rc;
    (void)mw_dae_update(d, 0.0, 0.0, d->b1);
  }
  if (most <= SETTLED * first) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "at t = %.6g s friction inside of components does not settle where a force jumps "
                 "(jamming?)",
                 d->t);
}

// ---- solutions ----------------------------------------------------------------------------------

void mw_dae_component_free(mw_dae *d, mw_dae_component *c)
{
  double b = mass_factor(d, c);
  take_forces(d, c);
  bool forced = takes_forces(c);
  if (forced) push(d, c);
  for (int k = 0; k < c->n; k++) {
    double *y = d->y[c->first + k], *r = d->r[c->first + k], c_phi = d->block[c->first + k].c_phi;
    memset(y, 0, (size_t)d->block[c->first + k].n_y * sizeof *y);
    add_motion(c, k, -1.0, c->free + 6 * k, y);
    if (forced) add_motion(c, k, -1.0 / b, c->x + 6 * k, y);
    for (int i = 0; i < 6; i++) {
      int l = mw_dae_pair[i][0], m = mw_dae_pair[i][1];
      double e = r[12 + i] / c_phi;
      y[3 + 3 * l + m] += l == m ? e : 0.5 * e;
      if (l != m) y[3 + 3 * m + l] += 0.5 * e;
    }
    memcpy(d->sys.x_f[c->first + k], y, 12 * sizeof *y);
  }
}

// Row i of joint j along the border's tangent vectors, shifted as in (3) of dae_joint.c.
static void row_of(const mw_dae *d, const mw_dae_component *c, int j, int i, double *t)
{
  const mw_joint *jt = &d->m->joint[j];
  const mw_joint_eval *e = &d->e[j];
  const mw_component_size *s = &c->in->size;
  double mix = d->sys.mix[jt->row0 + i];
  memset(t, 0, (size_t)(6 * s->n_border) * sizeof *t);
  for (int b = 0; b < s->n_border; b++)
    for (int side = 0; side < (jt->a == jt->b ? 1 : 2); side++) {
      const double *J = side == 0 ? e->Ja : e->Jb;
      if ((side == 0 ? jt->a : jt->b) != c->first + s->border[b]) continue;
      add_wrench(c, s->border[b], 1.0, J + 12 * i, t + 6 * b);
      if (mix != 0.0) add_wrench(c, s->border[b], -mix, J + 12 * jt->coord_row, t + 6 * b);
    }
}

// Adds row i of node a times all nodes from a on: what its force moves is in c->row[1].
static void add_row(mw_dae *d, const mw_dae_component *c, int a, int i)
{
  mw_dae_system *s = &d->sys;
  const mw_dae_large *l = &s->large[c->first];
  int n = 6 * c->in->size.n_border;
  for (int o = a; o < l->n; o++) {
    const mw_dae_node *q = &s->node[l->node[o]];
    const mw_dae_between *at = &l->pair[a * l->n + o];
    double *to = s->num.val + at->at;
    for (int k = o == a ? i : 0; k < q->n; k++) {
      if (!d->active[d->m->joint[q->joint].row0 + q->first + k]) continue;
      row_of(d, c, q->joint, q->first + k, c->row[0]);
      double F = mw_dot(n, c->row[0], c->row[1]);
      if (o != a) {
        to[at->swapped ? k * LD + i : i * LD + k] -= F;
        continue;
      }
      to[i * LD + k] += F;
      if (k != i) to[k * LD + i] += F;
    }
  }
}

void mw_dae_component_pairs(mw_dae *d, mw_dae_component *c)
{
  const mw_dae_large *l = &d->sys.large[c->first];
  int n = 6 * c->in->size.n_border;
  for (int a = 0; a < l->n; a++) {
    const mw_dae_node *p = &d->sys.node[l->node[a]];
    for (int i = 0; i < p->n; i++) {
      if (!d->active[d->m->joint[p->joint].row0 + p->first + i]) continue;
      row_of(d, c, p->joint, p->first + i, c->row[0]);
      mw_gemm('n', 'n', n, 1, n, 1.0 / mass_factor(d, c), c->D, c->row[0], 0.0, c->row[1]);
      add_row(d, c, a, i);
    }
  }
}

void mw_dae_component_push(mw_dae *d, int b, int j, int i, double lam)
{
  mw_dae_component *c = mw_dae_component_of(d, b);
  const mw_joint_eval *e = &d->e[j];
  const double *J = d->m->joint[j].a == b ? e->Ja : e->Jb;
  memset(c->f, 0, (size_t)(6 * c->n) * sizeof *c->f);
  add_wrench(c, b - c->first, lam, J + 12 * i, c->f + 6 * (b - c->first));
  push(d, c);
  for (int k = 0; k < c->n; k++)
    add_motion(c, k, 1.0 / mass_factor(d, c), c->x + 6 * k, d->sys.x_f[c->first + k]);
}

void mw_dae_components_move(mw_dae *d)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    memset(c->f, 0, (size_t)(6 * c->n) * sizeof *c->f);
    memset(c->move, 0, (size_t)(12 * c->n) * sizeof *c->move);
    for (int b = 0; b < c->n; b++) add_wrench(c, b, 1.0, d->sys.f[c->first + b], c->f + 6 * b);
    if (!takes_forces(c)) continue;
    push(d, c);
    for (int b = 0; b < c->n; b++)
      add_motion(c, b, 1.0 / mass_factor(d, c), c->x + 6 * b, c->move + 12 * b);
  }
}

// ---- what is seen of them -----------------------------------------------------------------------

void mw_dae_components_energy(mw_dae *d, double *kinetic, double *potential)
{
  for (int k = 0; k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    double T, V;
    c->call->energy(c->one, d->t, c->q, c->v, &T, &V);
    *kinetic += T;
    *potential += V;
  }
}

double mw_dae_components_power(const mw_dae *d)
{
  double P = 0.0;
  for (int k = 0; k < d->n_component; k++) P += d->component[k].call->power(d->component[k].one);
  return P;
}

double mw_dae_components_gap(const mw_dae *d)
{
  double gap = 0.0;
  for (int k = 0; k < d->n_component; k++) gap = fmax(gap, d->component[k].gap);
  return gap;
}
