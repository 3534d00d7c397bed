// SPDX-License-Identifier: BSD-3-Clause
// rigid_friction.c: friction of joints in proportion to their reaction, in the rigid mechanism.
#include <math.h>

#include "fem/law.h"
#include "rigid_mech_layer.h"

// F += what the hard nodes of a joint, or its soft ones, from first on do to a body, its axes
static void pull_of_joint(const mw_rigid *r, const mw_rigid_work *w, int joint, int first, int body,
                          double F[3])
{
  int end = first < r->n_hard ? r->n_hard : r->n_node;
  for (int i = first; i < end && r->node[i].joint == joint; i++)
    for (int t = 0; t < r->node[i].n_touch; t++) {
      if (r->touch[r->node[i].touch0 + t] != body) continue;
      const double *Jt = w->Jt[r->node[i].touch0 + t];
      for (int x = 0; x < 3; x++)
        for (int row = 0; row < r->node[i].n; row++)
          F[x] += Jt[x * LD + row] * w->lambda[i * LD + row];
    }
}

// Normal force of friction k by w->lambda, N.
static double normal_of(const mw_rigid *r, const mw_rigid_work *w, int k)
{
  const mw_rfriction *p = &r->friction[k];
  const mw_rcoord *c = &r->coord[p->coord];
  bool on_b = c->b < r->n.n_body;
  int body = on_b ? c->b : c->a;
  const double *axis = on_b ? w->ce[p->coord].Jb : w->ce[p->coord].Ja;
  double F[3] = { 0.0 };
  pull_of_joint(r, w, p->joint, p->node, body, F);
  pull_of_joint(r, w, p->joint, p->soft, body, F);
  double a2 = mw_dot3(axis, axis);
  if (c->measure == MW_MEASURE_TRAVEL && a2 > 0.0) {
    double along = mw_dot3(F, axis) / a2;
    for (int x = 0; x < 3; x++) F[x] -= along * axis[x];
  }
  return mw_norm3(F) + p->in->preload;
}

double mw_rigid_normals(const mw_rigid *r, mw_rigid_work *w)
{
  double change = 0.0;
  for (int k = 0; k < r->n_friction; k++) {
    double N = normal_of(r, w, k);
    change = fmax(change, fabs(N - w->normal[k]));
    if (isnan(N)) change = NAN;
    w->normal[k] = isfinite(N) ? N : 0.0;  // the next acceleration begins with it
  }
  return change;
}

int mw_rigid_friction_unsure(const mw_rigid *r, const mw_rigid_work *w, double N[2])
{
  // above what (2) of rigid_accel.c and rounding of redundant rows leave
  static const double ROUNDING = 1e-6;
  int joint = -1;
  N[0] = N[1] = 0.0;
  for (int k = 0; k < r->n_friction; k++) {
    double is = w->normal[k], least = normal_of(r, w, k), apart = fabs(is - least);
    if (!(apart > ROUNDING * fmax(is, least)) || apart <= fabs(N[0] - N[1])) continue;
    N[0] = is;
    N[1] = least;
    joint = r->friction[k].joint;
  }
  return joint;
}

static double friction_force(const mw_friction_in *p, double rate, double N)
{
  double f[2];
  mw_friction_force(p, N, rate, f);
  return f[0];
}

void mw_rigid_apply_friction(const mw_rigid *r, const mw_rigid_work *w, double *f)
{
  for (int k = 0; k < r->n_friction; k++) {
    const mw_rfriction *p = &r->friction[k];
    (void)mw_rigid_on_coord(r, w, p->coord,
                            friction_force(p->in, w->ce[p->coord].s_dot, w->normal[k]), f);
  }
}

double mw_rigid_friction_power(const mw_rigid *r, const mw_rigid_work *w)
{
  double P = 0.0;
  for (int k = 0; k < r->n_friction; k++) {
    double rate = w->ce[r->friction[k].coord].s_dot;
    P += rate * friction_force(r->friction[k].in, rate, w->normal[k]);
  }
  return P;
}
