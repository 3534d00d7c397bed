// SPDX-License-Identifier: BSD-3-Clause
// law.c: dry friction, end stops and play, (1) to (3) of law.h, with derivatives. O(1).
// K. H. Hunt, F. R. E. Crossley: Coefficient of restitution interpreted as damping in vibroimpact,
// 1975.
#include "fem/law.h"

#include <math.h>

// d of (2) and dd/dp; nothing where there is no stop
static double depth(double p, double soft, double *d_p)
{
  *d_p = 0.0;
  if (isinf(p)) return 0.0;
  double root = sqrt(p * p + soft * soft);
  // p + root without cancellation on the free side
  double twice = p > 0.0 ? p + root : soft * soft / (root - p);
  *d_p = 0.5 * twice / root;
  return 0.5 * twice;
}

static double friction(const mw_law *l, double v, double *F_v)
{
  double x = v / l->stribeck, over = 1.0 + x * x, root = sqrt(v * v + l->smooth * l->smooth);
  double fall = (l->stiction - l->coulomb) / over, level = l->coulomb + fall, sign = v / root;
  *F_v = -2.0 * fall * x / (over * l->stribeck) * sign +
         level * (l->smooth / root) * (l->smooth / root) / root;
  return level * sign;
}

void mw_law_force(const mw_law *l, double s, double v, double f[3])
{
  double F_v, hi_p, lo_p, F = friction(l, v, &F_v);
  double hi = depth(s - l->hi, l->soft, &hi_p), lo = depth(l->lo - s, l->soft, &lo_p);
  double in = 1.0 + l->damping * v, out = 1.0 - l->damping * v;
  f[0] = -F - l->stiffness * (hi * in - lo * out);
  f[1] = -l->stiffness * (hi_p * in + lo_p * out);
  f[2] = -F_v - l->stiffness * l->damping * (hi + lo);
}

// ¼ (p² + p √(p² + soft²) + soft² asinh(p/soft))
static double spring(double p, double soft)
{
  if (isinf(p)) return 0.0;
  double d_p;
  return 0.25 * (2.0 * p * depth(p, soft, &d_p) + soft * soft * asinh(p / soft));
}

void mw_law_energy(const mw_law *l, double s, double v, double *V, double *lost)
{
  double F_v, d_p, hi = depth(s - l->hi, l->soft, &d_p), lo = depth(l->lo - s, l->soft, &d_p);
  if (V) *V = l->stiffness * (spring(s - l->hi, l->soft) + spring(l->lo - s, l->soft));
  if (lost) *lost = friction(l, v, &F_v) * v + l->stiffness * l->damping * (hi + lo) * v * v;
}

// f = −μ N r tanh(v/v_s) ,  μ = μ_c + (μ_s − μ_c) exp(−(v/v_st)²)
void mw_friction_force(const mw_friction_in *in, double N, double v, double f[2])
{
  double x = v / in->v_stribeck, fall = (in->mu_static - in->mu) * exp(-x * x);
  double sign = tanh(v / in->v_smooth), most = N * in->radius;
  f[0] = -(in->mu + fall) * most * sign;
  f[1] = 2.0 * fall * x / in->v_stribeck * most * sign -
         (in->mu + fall) * most * (1.0 - sign * sign) / in->v_smooth;
}

double mw_friction_slope(const mw_friction_in *in, double N, double v)
{
  double f[2];
  mw_friction_force(in, N, v, f);
  return fmax(0.0, -f[1]);
}

// lo = hi: d(p) − d(−p) = p
mw_law mw_law_taken_up(const mw_law *l)
{
  double middle = 0.5 * (l->lo + l->hi);
  mw_law out = { .stribeck = 1.0, .smooth = 1.0, .lo = -INFINITY, .hi = INFINITY, .soft = 1.0 };
  if (!l->play) return out;
  out.lo = out.hi = middle;
  out.stiffness = l->stiffness;
  out.soft = l->soft;
  out.play = true;
  return out;
}

void mw_law_tangent(const mw_law *l, double s, double v, double *k, double *c)
{
  double f[3];
  mw_law_force(l, s, v, f);
  *k = fmax(0.0, -f[1]);
  *c = fmax(0.0, -f[2]);
}
