// SPDX-License-Identifier: BSD-3-Clause
// dae_law.c: dry friction and end stops of coordinates, met within an iteration of Newton's method.
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
// Cost: one substitution of the joint system a law when it is factored; then some ten evaluations
// of each law an iteration.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "dae_priv.h"
#include "fem/law.h"

static const mw_law *law_of(const mw_dae *d, int coord)
{
  return &d->m->joint[d->m->coord_joint[coord]].in->law;
}

void mw_dae_law_eval(mw_dae *d)
{
  for (int i = 0; i < d->n_law; i++) {
    int c = d->law_coord[i];
    double s = d->q[d->col_s + c], v = d->v[d->col_s + c], f[3];
    mw_law_force(law_of(d, c), s, v, f);
    d->law_force[c] = f[0];
    mw_law_tangent(law_of(d, c), s, v, &d->law_k[c], &d->law_c[c]);
  }
}

double mw_dae_coord_stiffness(const mw_dae *d, int coord)
{
  if (d->left_out) return 1.0;
  double c = d->c1 * d->m->joint[d->m->coord_joint[coord]].in->coordinate_damping;
  return d->no_elastic ? c : c + d->c1 * d->law_c[coord] + d->law_k[coord];
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
  double f[3], slope = d->law_slope[c];
  mw_law_force(law_of(d, c), d->q[d->col_s + c] + x, d->v[d->col_s + c] + d->c1 * x, f);
  *p_x = f[1] + d->c1 * f[2] + slope;
  return f[0] - d->law_force[c] + slope * x;
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
