// SPDX-License-Identifier: BSD-3-Clause
// rigid_midpoint.c: one step of the energy-momentum conserving mid-point rule in natural
// coordinates.
//
// A step moves each body by Δo and by Cayley's rotation, E stays orthonormal, and its change is
// linear in the middle:
//   E₁ = E₀ cay(Θ~) ,  cay(x) = (1 − x/2)⁻¹ (1 + x/2) ,  E₁ − E₀ = E₀Θ × E_m ,
//       E_m = (E₀ + E₁)/2      (1)
//   Δo = h (ȯ₀ + ȯ₁)/2 ,  Θ = h (ω₀ + ω₁)/2                ω in body axes, EΘ the same in E₀ and E₁
// Gaps at most quadratic in o, E then change by their gradient in the middle, exactly (Betsch &
// Steinmann's discrete gradient):
//   g(q₁) − g(q₀) = ∂g/∂o(q_m)·Δo + ∂g/∂E(q_m) : (E₀Θ × E_m)                                    (2)
// so forces −∂g/∂q(q_m)ᵀ λ with moments (∂g/∂E(q_m) : e_i × E_m) do no work in a step from g = 0 to
// g = 0, and their sums of forces and moments are zero over the bodies. Balances of momentum and
// angular momentum in ground axes (Simo & Wong),
//   m (ȯ₁ − ȯ₀) = h F ,  E₁ I ω₁ − E₀ I ω₀ = h T                                                (3)
// give ½ω₁·Iω₁ − ½ω₀·Iω₀ = E₀Θ·T: energy, momentum and angular momentum are kept, to rounding.
// Rates are twists here, 6 a body: with Betsch & Steinmann's 12 the rigid-body rows hold between
// steps only, and energy is another quadratic form of Ė.
//
// In the engine's axes: E_m = E_h S, E_h half of the rotation,  S = c 1 + κ Θ Θᵀ ,
//     c = (1 + |Θ|²/4)^(−½) , κ = c²/(4 (1 + c)).
// The rows at q_m are those of rigid bodies at E_h with points and directions stretched by S; with
// (1 − Θ~/2) E₀ᵀE_h = S⁻¹ (3) is
//   (2/h) m E_hᵀ (ȯ_m − ȯ₀) = F̂ ,  (2/h) S [I (ω_m − ω₀) + ½ Θ × I ω_m] = T̂ ,  Δo = h ȯ_m ,
//       Θ = h ω_m      (4)
// The unknowns are the mean rates y_m: a rate that does not change then stays as it is, bit for
// bit. Newton's method by the system of rigid.h with the rows of the middle for both J, twice (4):
// β' = 4/h², γ' = 2/h. It contracts like h times the rates and goes on to rounding of X, not of q:
// what is left of X changes energy by 1/h of it, every step. A step through a singular position at
// time t* does not contract, for J's small pivot has another size at the end than in the middle: ρ
// = (h/2)/(t_m − t*). One mode is left then, and Aitken's formula sums it up.
//
// Exact: energy for gravity and rows of points, axes, distances (all joints but those below), for
// rolling's rows on velocities; angular momentum for all of these and springs. Of second order, but
// symmetric in time: energy with springs between points and against turns (mean force of both ends)
// and other forces (taken in the middle), and with screw, gear, curve, rolling and held rows, which
// are not quadratic. Rates satisfy J_m (y₀ + y₁)/2 = 0: at the ends of a step they are off by
// O(h²), changing sign. P. Betsch, P. Steinmann: Constrained integration of rigid body dynamics,
// 2001.
// J. C. Simo, K. K. Wong: Unconditionally stable algorithms for rigid body dynamics that exactly
// preserve energy and momentum, 1991.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "rigid_step_priv.h"

// 1 + a Θ~ + b Θ~²
static void turn(const double th[3], double a, double b, double R[9])
{
  double W[9] = { 0.0, -th[2], th[1], th[2], 0.0, -th[0], -th[1], th[0], 0.0 }, WW[9];
  mw_mul33(W, W, WW);
  for (int i = 0; i < 9; i++) R[i] = (i % 4 == 0 ? 1.0 : 0.0) + a * W[i] + b * WW[i];
}

// End and middle of the step: q, qs, S of X.
static void place(const mw_rigid_sim *s)
{
  struct mw_rigid_scratch *k = s->scratch;
  int nb = s->n.n_body;
  for (int b = 0; b < nb; b++) {
    const double *q0 = s->q + 12 * b, *X = k->X + 6 * b, *th = X + 3;
    double *q = k->q + 12 * b, *qs = k->qs + 12 * b, *S = k->S + 9 * b, R[9];
    double c = 1.0 / sqrt(1.0 + 0.25 * mw_dot3(th, th)), kappa = 0.25 * c * c / (1.0 + c);
    for (int i = 0; i < 3; i++) {
      q[i] = q0[i] + X[i];
      qs[i] = q0[i] + 0.5 * X[i];
    }
    turn(th, c * c, 0.5 * c * c, R);
    mw_rigid_rotate(q0 + 3, R, q + 3);
    turn(th, 0.5 * c, kappa, R);
    mw_rigid_rotate(q0 + 3, R, qs + 3);
    for (int i = 0; i < 9; i++) S[i] = (i % 4 == 0 ? c : 0.0) + kappa * th[i / 3] * th[i % 3];
  }
  for (int i = 0; i < s->n.n_rotor; i++) {
    k->q[12 * nb + i] = s->q[12 * nb + i] + k->X[6 * nb + i];
    k->qs[12 * nb + i] = s->q[12 * nb + i] + 0.5 * k->X[6 * nb + i];
  }
}

// f = left-hand sides of (4)
static void inertia(const mw_rigid_sim *s, double h)
{
  struct mw_rigid_scratch *k = s->scratch;
  for (int i = 0; i < s->n.n_u; i++) k->u[i] = k->y[i] - k->y0[i];
  mw_rigid_axes_turn(s, k->qs, k->u, true, k->u);
  mw_rigid_sim_mass(s, k->u, k->f);
  mw_rigid_sim_mass(s, k->y, k->x);  // I ω; the translations are not used
  for (int b = 0; b < s->n.n_body; b++) {
    double t[3], *f = k->f + 6 * b + 3;
    mw_cross3(k->X + 6 * b + 3, k->x + 6 * b + 3, t);
    for (int i = 0; i < 3; i++) f[i] += 0.5 * t[i];
    mw_mul33v(k->S + 9 * b, f, f);
  }
  for (int i = 0; i < s->n.n_u; i++) k->f[i] *= 2.0 / h;
}

// r = 2 (forces − inertia) in the middle, g at the end
static void residual(mw_rigid_sim *s, double h)
{
  struct mw_rigid_scratch *k = s->scratch;
  const double *stiff = mw_rigid_soft_k(s->r), *damp = mw_rigid_soft_c(s->r);
  double t = s->t + 0.5 * h;
  mw_rigid_rows(s->r, s->w, s->t + h, k->q, NULL, k->g, NULL, k->gs, NULL);
  inertia(s, h);
  mw_rigid_axes_turn(s, k->qs, k->y, true, k->u);
  mw_rigid_stretch(s->w, k->S);
  mw_rigid_rows(s->r, s->w, t, k->qs, k->u, NULL, k->gd, NULL, k->gsd);
  mw_rigid_stretch(s->w, NULL);
  for (int i = 0; i < s->n.n_soft; i++)
    k->ls[i] = stiff[i] * 0.5 * (k->gs0[i] + k->gs[i]) + damp[i] * k->gsd[i];
  if (k->friction) mw_rigid_keep_reaction(s->r, s->w, k->l, k->ls);
  mw_rigid_force(s->r, s->w, t, k->qs, k->u, false, k->r);
  mw_rigid_add_reaction(s->r, s->w, k->l, k->ls, k->r);
  for (int i = 0; i < s->n.n_u; i++) k->r[i] = 2.0 * (k->r[i] - k->f[i]);
}

// Aitken's factor for a correction x that follows d, of which `scale` was taken: where one mode is
// left, that shrinks or grows by ρ, the sum of all that would follow is x/(1 − ρ).
static double extrapolation(const mw_rigid_sim *s, const double *x, const double *d, double scale)
{
  static const double MOST = 1e3;
  double xd = 0.0, dd = 0.0;
  for (int i = 0; i < s->n.n_u; i++) {
    double w = i < 6 * s->n.n_body && i % 6 < 3 ? 1.0 / (s->size * s->size) : 1.0;
    xd += w * x[i] * d[i];
    dd += w * d[i] * d[i];
  }
  double one_less_rho = dd > 0.0 ? (1.0 - xd / dd) / scale : 1.0;
  return fabs(one_less_rho) > 1.0 / MOST ? 1.0 / one_less_rho : 1.0;
}

// One correction of y_m and λ; its size. slow: corrections do not shrink, sum them up.
static double correct(mw_rigid_sim *s, double h, bool slow, double *scale)
{
  struct mw_rigid_scratch *k = s->scratch;
  for (int i = 0; i < s->n.n_row; i++) k->c[i] = k->rate[i] ? -h * k->gd[i] : -k->g[i];
  mw_rigid_kkt_solve(s->r, s->w, k->r, k->c, k->cs, k->x, k->dl, k->dls);
  double size = mw_rigid_newton_size(s, k->x);
  mw_rigid_axes_turn(s, k->qs, k->x, false, k->x);
  *scale = slow ? extrapolation(s, k->x, k->x2, *scale) : 1.0;
  memcpy(k->x2, k->x, (size_t)s->n.n_u * sizeof(double));
  for (int i = 0; i < s->n.n_u; i++) {
    k->y[i] += *scale * k->x[i] / h;
    k->X[i] = h * k->y[i];
  }
  for (int i = 0; i < s->n.n_row; i++) k->l[i] += *scale * 0.5 * k->dl[i];
  return size;
}

static const double FLOOR = 1e-10;  // 1: energy changes by 1/h of what is left

mw_code mw_rigid_midpoint(mw_rigid_sim *s, double h, mw_error *err)
{
  struct mw_rigid_scratch *k = s->scratch;
  mw_rigid_newton n = mw_rigid_newton_init(FLOOR);
  double scale = 1.0;
  mw_rigid_mixed(s, s->q, s->v, k->y0);
  mw_rigid_mixed(s, s->q, s->a, k->d0);
  for (int i = 0; i < s->n.n_u; i++) {
    k->y[i] = k->y0[i] + 0.5 * h * k->d0[i];
    k->X[i] = h * k->y[i];
  }
  memcpy(k->l, s->lambda, (size_t)s->n.n_row * sizeof(double));
  if (s->n.n_soft > 0) mw_rigid_rows(s->r, s->w, s->t, s->q, NULL, k->g, NULL, k->gs0, NULL);
  while (!n.done) {
    place(s);
    residual(s, h);
    if (mw_rigid_newton_slow(&n)) mw_rigid_kkt_factor(s->r, s->w, 4.0 / (h * h), 2.0 / h);
    double size = correct(s, h, n.i > 0 && mw_rigid_newton_slow(&n), &scale),
           motion = mw_rigid_newton_size(s, k->X);
    mw_rigid_newton_take(&n, size, motion, DBL_EPSILON * motion);
    s->iterations++;
    if (n.failed) return mw_rigid_newton_fail(&n, err);
  }
  place(s);
  // rates at the end; a: the mean acceleration of the step, where the next one starts its iteration
  for (int i = 0; i < s->n.n_u; i++) {
    k->y[i] = 2.0 * k->y[i] - k->y0[i];
    k->d[i] = (k->y[i] - k->y0[i]) / h;
  }
  mw_rigid_natural(s, k->q, k->y, k->v);
  mw_rigid_natural2(s, k->q, k->y, k->d, k->a);
  memcpy(k->aux, s->aux, (size_t)s->n.n_u * sizeof(double));
  return MW_OK;
}
