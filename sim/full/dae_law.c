// SPDX-License-Identifier: BSD-3-Clause
// dae_law.c: dry friction, end stops and play of coordinates, met within an iteration of Newton's
// method.
//
// A coordinate has no mass of its own: behind it is what of an elastic body moves at once, and
// against that friction is steep however gentle it is for the machine. Newton's method with its
// slope overshoots and comes back. So the joint system, linear but for these few forces, is solved
// with the forces themselves. With slopes k_s in the matrix, its solution x0 and its answers U_c to
// unit forces on coordinates,
//   x = x0 + Σ_c p_c U_c ,   p_c = f_c(s + Δs, ṡ + γ' Δs) − f_c(s, ṡ) + k_s Δs_c ,
//       Δs part of x      (1)
// coordinate after coordinate, one unknown each: where friction does not fall with speed x
// minimizes a convex function (kinetic, elastic and dissipated together), and this goes down to it.
// The root of one unknown is bracketed.
// Friction in proportion to a joint's reaction has the normal force N of the multipliers that the
// iteration started with (across the coordinate's direction, of an angle all of it, and the
// preload): N follows from iteration to iteration, and none is the last before what the change of
// N still moves is within the tolerance, although positions may stand long before that.
// Accelerations at the start meet the forces at the state to which a step takes them, s + x, ṡ +
// γ' x for x = a/β' (law_from): by the slope at rest, friction that is steep there would hold the
// coordinate whatever pulls.
// Cost: one substitution of the joint system a law when it is factored; then some ten evaluations
// of each law an iteration.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_layer.h"
#include "fem/law.h"

static const mw_joint_in *joint_of(const mw_dae *d, int coord)
{
  return d->m->joint[d->m->coord_joint[coord]].in;
}

bool mw_dae_rubs(const mw_dae *d, int coord) { return joint_of(d, coord)->friction.present; }

// Along the coordinate of joint j in ground axes, of any length; 0: an angle. Rows of a position
// that s moves are off it by −Js.
static void direction(const mw_dae *d, int j, double axis[3])
{
  const mw_joint *jt = &d->m->joint[j];
  const mw_joint_eval *e = &d->e[j];
  double x[3] = { 0.0 };
  for (int i = 0; i < jt->n_row; i++)
    for (int k = 0; k < 3; k++) x[k] += e->Js[i] * e->Jb[12 * i + k];
  mw_mul33v(mw_dae_frame(d, d->q, jt->b) + 3, x, axis);
}

static double normal_force(const mw_dae *d, int coord)
{
  int j = d->m->coord_joint[coord];
  double F[6], axis[3];
  mw_dae_reaction(d, j, F);
  direction(d, j, axis);
  double a2 = mw_dot3(axis, axis), along = a2 > 0.0 ? mw_dot3(F, axis) / a2 : 0.0;
  for (int k = 0; k < 3; k++) F[k] -= along * axis[k];
  return mw_norm3(F) + joint_of(d, coord)->friction.preload;
}

// f = { force, its derivative by s, by v } of all laws of a coordinate
static void force_of(const mw_dae *d, int coord, double s, double v, double f[3])
{
  const mw_joint_in *in = joint_of(d, coord);
  double x[2];
  f[0] = f[1] = f[2] = 0.0;
  if (in->has_law) mw_law_force(&in->law, s, v, f);
  if (!in->friction.present) return;
  mw_friction_force(&in->friction, d->normal[coord], v, x);
  f[0] += x[0];
  f[2] += x[1];
}

double mw_dae_law_lag(const mw_dae *d)
{
  double most = 0.0;
  size_t rows = (size_t)(d->m->n_row + d->m->n_coord);
  for (int i = 0; i < d->n_law; i++) {
    int c = d->law_coord[i];
    double v = d->v[d->col_s + c] + d->c1 * d->law_from[c], was[2], is[2];
    if (!mw_dae_rubs(d, c)) continue;
    const double *Us = d->law_answer + (size_t)i * (rows + (size_t)d->m->n_coord) + rows;
    mw_friction_force(&joint_of(d, c)->friction, d->normal[c], v, was);
    mw_friction_force(&joint_of(d, c)->friction, normal_force(d, c), v, is);
    double lag = fabs(Us[c] * (is[0] - was[0]));
    if (!(lag <= most)) most = lag;
  }
  return most;
}

void mw_dae_tell_friction(const mw_dae *d, mw_run *r)
{
  const char *rubs = NULL, *redundant = NULL;
  for (int j = 0; j < d->m->n_joint; j++) {
    const mw_joint *p = &d->m->joint[j];
    if (!rubs && d->m->model->joint[j].friction.present) rubs = p->name;
    for (int row = 0; row < p->n_row && d->rows_known; row++)
      if (!redundant && !d->keep[p->row0 + row]) redundant = p->name;
  }
  if (rubs && redundant)
    mw_run_add_warning(r,
                       "friction of joint %s follows its reaction, while rows of joint %s are "
                       "redundant: where they share a load reactions are not unique, and friction "
                       "is that of the rows that are kept",
                       rubs, redundant);
}

double mw_dae_friction_lost(const mw_dae *d, int c)
{
  const mw_joint_in *in = joint_of(d, c);
  double v = d->v[d->col_s + c], f[2];
  if (!in->friction.present) return 0.0;
  mw_friction_force(&in->friction, d->normal[c], v, f);
  return -f[0] * v;
}

void mw_dae_law_eval(mw_dae *d)
{
  for (int i = 0; i < d->n_law; i++) {
    int c = d->law_coord[i];
    double f[3];
    if (mw_dae_rubs(d, c)) d->normal[c] = normal_force(d, c);
    force_of(d, c, d->q[d->col_s + c], d->v[d->col_s + c], f);
    d->law_force[c] = f[0];
    d->law_k[c] = fmax(0.0, -f[1]);
    d->law_c[c] = fmax(0.0, -f[2]);
  }
}

void mw_dae_law_ahead(mw_dae *d, const double *a)
{
  for (int i = 0; i < d->n_law; i++) {
    int c = d->law_coord[i];
    double f[3], x = d->law_from[c] = a ? a[d->col_s + c] / d->b1 : 0.0;
    force_of(d, c, d->q[d->col_s + c] + x, d->v[d->col_s + c] + d->c1 * x, f);
    d->law_there[c] = f[0] - d->law_force[c];
    if (a) d->r_s[c] -= d->law_there[c];
  }
}

double mw_dae_coord_stiffness(const mw_dae *d, int coord)
{
  if (d->left_out) return 0.0;
  double c = d->c1 * d->m->joint[d->m->coord_joint[coord]].in->coordinate_damping;
  return d->no_elastic ? c : c + d->c1 * d->law_c[coord] + d->law_k[coord];
}

mw_code mw_dae_law_jump(mw_dae *d, mw_error *err)
{
  enum { ITER_MAX = 50 };
  static const double TOL = 1e-10;  // of the first
  double first = mw_dae_law_lag(d), lag = first;
  for (int i = 0; i < ITER_MAX && lag > TOL * first; i++) {
    memcpy(d->law_p, d->law_force, (size_t)d->m->n_coord * sizeof(double));
    mw_dae_law_eval(d);
    mw_dae_clear_residuals(d);
    memset(d->rho, 0, (size_t)d->n_all * sizeof(double));
    for (int c = 0; c < d->m->n_coord; c++) d->r_s[c] = d->law_p[c] - d->law_force[c];
    mw_code rc = mw_dae_solve(d, err);
    if (rc != MW_OK) return rc;
    (void)mw_dae_update(d, 0.0, 0.0, d->b1);
    lag = mw_dae_law_lag(d);
  }
  return MW_OK;
}

void mw_dae_law_answers(mw_dae *d)
{
  size_t nc = (size_t)d->m->n_coord, rows = (size_t)d->m->n_row + nc;
  memcpy(d->law_slope, d->law_k, nc * sizeof(double));
  mw_axpy(d->m->n_coord, d->c1, d->law_c, d->law_slope);
  if (d->n_law == 0) return;
  memset(d->law_rho, 0, rows * sizeof(double));
  memset(d->sys.r_s, 0, nc * sizeof(double));
  for (int i = 0; i < d->n_law; i++) {
    double *U = d->law_answer + (size_t)i * (rows + nc);
    mw_dae_clear_interfaces(d);
    d->sys.r_s[d->law_coord[i]] = -1.0;
    mw_dae_system_solve(d, d->law_rho, d->sys.r_s, U, U + rows);
    d->sys.r_s[d->law_coord[i]] = 0.0;
  }
}

// p of (1) for a correction x of coordinate c, and its derivative
static double beyond(const mw_dae *d, int c, double x, double *p_x)
{
  double f[3], slope = d->law_slope[c], all = d->law_from[c] + x;
  force_of(d, c, d->q[d->col_s + c] + all, d->v[d->col_s + c] + d->c1 * all, f);
  *p_x = f[1] + d->c1 * f[2] + slope;
  return f[0] - d->law_force[c] - d->law_there[c] + slope * x;
}

// x = a + H p(x): Newton's method between bounds, which start where the sign changes.
static double root(const mw_dae *d, int c, double a, double H)
{
  enum { WIDEN = 200, ITER_MAX = 100 };
  double p_x, r = -H * beyond(d, c, a, &p_x), step = -r, lo = a, hi = a, x = a;
  if (!(H > 0.0) || r == 0.0) return a;
  for (int i = 0; i < WIDEN; i++, step *= 2.0) {
    x = a + step;
    double r1 = x - a - H * beyond(d, c, x, &p_x);
    if (r1 * r <= 0.0) break;
    lo = hi = x;
  }
  // r < 0 at lo, r > 0 at hi
  if (r < 0.0)
    hi = x;
  else
    lo = x;
  x = 0.5 * (lo + hi);
  for (int i = 0; i < ITER_MAX && hi - lo > 2.0 * DBL_EPSILON * fabs(x); i++) {
    r = x - a - H * beyond(d, c, x, &p_x);
    if (r == 0.0) break;
    if (r < 0.0)
      lo = x;
    else
      hi = x;
    double next = x - r / (1.0 - H * p_x), last = x;
    x = next > lo && next < hi ? next : 0.5 * (lo + hi);
    if (fabs(x - last) <= DBL_EPSILON * fabs(x)) break;
  }
  return x;
}

void mw_dae_law_correct(mw_dae *d)
{
  enum { SWEEPS = 100 };
  static const double TOL = 1e-13;  // of a correction
  size_t nc = (size_t)d->m->n_coord, rows = (size_t)d->m->n_row + nc;
  memset(d->law_p, 0, (size_t)d->n_law * sizeof(double));
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    bool done = true;
    for (int i = 0; i < d->n_law; i++) {
      int c = d->law_coord[i];
      const double *U = d->law_answer + (size_t)i * (rows + nc), *Us = U + rows;
      double H = Us[c], x0 = d->ds[c], p_x, x = root(d, c, x0 - H * d->law_p[i], H);
      double change = beyond(d, c, x, &p_x) - d->law_p[i];
      d->law_p[i] += change;
      mw_axpy(d->n_all, change, U, d->dlam);
      mw_axpy(d->m->n_coord, change, Us, d->ds);
      done = done && fabs(x - x0) <= TOL * fabs(x);
    }
    if (done || d->n_law < 2) break;
  }
}
