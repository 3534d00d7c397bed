// SPDX-License-Identifier: BSD-3-Clause
// rigid_alpha.c: one step of the generalized-α method on R³ × SO(3) for each body.
//
//   q₁ = q₀ ∘ exp(X) ,  X = h y₀ + h² ((½ − β) a₀ + β a₁) [− M⁻¹ Jᵀ μ] ,
//       y₁ = y₀ + h ((1 − γ) a₀ + γ a₁)
//   (1 − α_m) a₁ + α_m a₀ = (1 − α_f) ẏ₁ + α_f ẏ₀   a: auxiliary accelerations   (1)
//   M ẏ₁ = f(t₁, q₁, y₁) − Jᵀ λ − Jsᵀ λs ,  λs = k gs + c ġs ,  g(t₁, q₁) = 0 [ , J y₁ + g_t = 0 ]
//   α_m = (2ρ − 1)/(ρ + 1) , α_f = ρ/(ρ + 1) , γ = ½ + α_f − α_m , β = ¼ (γ + ½)²   ρ = 1: none of
//     the modes is damped
//
// y: ȯ and ω (rigid_step_priv.h). [ ]: the stabilized form of index 2 (Gear, Gupta, Leimkuhler),
// whose velocities satisfy their constraints, too; without it these are violated by O(h²). Rows on
// velocities alone hold at that level in both.
//
// Newton's method for x = change of q₁ in its tangent space,  δX = T⁻¹(X) x , δy = γ' δX , δẏ = β'
//                                                             δX , δa = δX/(h² β):
//   [ β'M + Jsᵀ(k + γ'c)Js  Jᵀ ; J  0 ] [ x ; δλ ] = [ f − M ẏ₁ − Jᵀ λ − Jsᵀ λs ; −g ]          (2)
//   β' = (1 − α_m)/((1 − α_f) h² β) ,  γ' = γ/(h β)
// The derivatives of T, of the gyroscopic terms and of J are left out: the iteration contracts like
// h times the rates. The factors are renewed where it does not. In the stabilized form (2) has −(J
// y₁ + g_t)/γ' in its second row, and what then is left of g is taken by a second substitution, the
// step −M⁻¹ Jᵀ δμ (in the metric of (2)).
//
// Start: a₀ = ẏ₀ + (α_m − α_f) h ÿ₀ where ÿ₀ is a plain difference; where rows are soft, or rub, a₀
// = ẏ₀: the difference would see stiffness that the step does not follow.
// O. Brüls, A. Cardona: On the use of Lie group time integrators in multibody dynamics, 2010; for
// linear spaces Arnold and Brüls (dae_step.c).
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "rigid_step_priv.h"

typedef struct alpha {
  double h;  // s
  double am, af, beta, gamma;
  double b1, c1, ab;  // β' 1/s², γ' 1/s, 1/(h² β)
} alpha;

static alpha coefficients(double rho, double h)
{
  alpha c = { .h = h, .am = (2.0 * rho - 1.0) / (rho + 1.0), .af = rho / (rho + 1.0) };
  c.gamma = 0.5 + c.af - c.am;
  c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
  c.ab = 1.0 / (h * h * c.beta);
  c.b1 = (1.0 - c.am) / (1.0 - c.af) * c.ab;
  c.c1 = c.gamma / (h * c.beta);
  return c;
}

// ---- rotations ----------------------------------------------------------------------------------

// exp(x~) = 1 + (sin φ/φ) x~ + ((1 − cos φ)/φ²) x~²
static void exponential(const double x[3], double R[9])
{
  double f = mw_norm3(x), half = f > 0.0 ? sin(0.5 * f) / (0.5 * f) : 1.0;
  double s = f > 0.0 ? sin(f) / f : 1.0, c = 0.5 * half * half;
  double W[9] = { 0.0, -x[2], x[1], x[2], 0.0, -x[0], -x[1], x[0], 0.0 }, WW[9];
  mw_mul33(W, W, WW);
  for (int i = 0; i < 9; i++) R[i] = (i % 4 == 0 ? 1.0 : 0.0) + s * W[i] + c * WW[i];
}

// T⁻¹(x) y = y + x × y/2 + κ x × (x × y) ,  κ = (1 − (φ/2) cot(φ/2))/φ² → 1/12
static void inverse_tangent(const double x[3], double y[3])
{
  static const double SMALL = 1e-2;  // rad²: the series' next term is below rounding
  double f2 = mw_dot3(x, x), half = 0.5 * sqrt(f2), a[3], b[3];
  double kappa = f2 < SMALL ? (1.0 + f2 / 60.0 * (1.0 + f2 / 42.0 * (1.0 + f2 / 40.0))) / 12.0
                            : (1.0 - half / tan(half)) / f2;
  mw_cross3(x, y, a);
  mw_cross3(x, a, b);
  for (int i = 0; i < 3; i++) y[i] += 0.5 * a[i] + kappa * b[i];
}

// ---- pieces of the step -------------------------------------------------------------------------

// aux0 += (α_m − α_f) h ÿ₀; ÿ₀ by the accelerations a step ahead, if there are any
static void foresee(mw_rigid_sim *s, const alpha *c)
{
  struct mw_rigid_scratch *k = s->scratch;
  mw_error ignored;
  for (int i = 0; i < s->n.n_q; i++) {
    k->qs[i] = s->q[i] + c->h * (s->v[i] + 0.5 * c->h * s->a[i]);
    k->vs[i] = s->v[i] + c->h * s->a[i];
  }
  if (mw_rigid_accel(s->r, s->w, s->t + c->h, k->qs, k->vs, k->as, &ignored) != MW_OK) return;
  mw_rigid_mixed(s, k->qs, k->as, k->d);
  for (int i = 0; i < s->n.n_u; i++) k->aux0[i] += (c->am - c->af) * (k->d[i] - k->d0[i]);
}

// Accelerations go on as they were.
static void predict(mw_rigid_sim *s, const alpha *c)
{
  struct mw_rigid_scratch *k = s->scratch;
  double h = c->h;
  mw_rigid_mixed(s, s->q, s->v, k->y0);
  mw_rigid_mixed(s, s->q, s->a, k->d0);
  mw_rigid_axes_turn(s, s->q, s->aux, false, k->aux0);
  if (s->t == k->start && s->n.n_soft == 0 && !k->friction) foresee(s, c);
  for (int i = 0; i < s->n.n_u; i++) {
    k->d[i] = k->d0[i];
    k->aux[i] = (k->d0[i] - c->am * k->aux0[i]) / (1.0 - c->am);
    k->X[i] = h * k->y0[i] + h * h * ((0.5 - c->beta) * k->aux0[i] + c->beta * k->aux[i]);
    k->y[i] = k->y0[i] + h * ((1.0 - c->gamma) * k->aux0[i] + c->gamma * k->aux[i]);
  }
  memcpy(k->l, s->lambda, (size_t)s->n.n_row * sizeof(double));
  memset(k->mu, 0, (size_t)s->n.n_row * sizeof(double));
}

// q₁ = q₀ ∘ exp(X)
static void place(const mw_rigid_sim *s)
{
  struct mw_rigid_scratch *k = s->scratch;
  int nb = s->n.n_body;
  for (int b = 0; b < nb; b++) {
    double R[9];
    for (int i = 0; i < 3; i++) k->q[12 * b + i] = s->q[12 * b + i] + k->X[6 * b + i];
    exponential(k->X + 6 * b + 3, R);
    mw_rigid_rotate(s->q + 12 * b + 3, R, k->q + 12 * b + 3);
  }
  for (int i = 0; i < s->n.n_rotor; i++) k->q[12 * nb + i] = s->q[12 * nb + i] + k->X[6 * nb + i];
}

// r = f − M ẏ₁ − Jᵀ λ − Jsᵀ λs and the rows at the end of the step
static void residual(mw_rigid_sim *s, double t)
{
  struct mw_rigid_scratch *k = s->scratch;
  const double *stiff = mw_rigid_soft_k(s->r), *damp = mw_rigid_soft_c(s->r);
  mw_rigid_axes_turn(s, k->q, k->y, true, k->u);
  mw_rigid_rows(s->r, s->w, t, k->q, k->u, k->g, k->gd, k->gs, k->gsd);
  for (int i = 0; i < s->n.n_soft; i++) k->ls[i] = stiff[i] * k->gs[i] + damp[i] * k->gsd[i];
  if (k->friction) mw_rigid_keep_reaction(s->r, s->w, k->l, k->ls);
  mw_rigid_force(s->r, s->w, t, k->q, k->u, true, k->r);
  mw_rigid_add_reaction(s->r, s->w, k->l, k->ls, k->r);
  mw_rigid_axes_turn(s, k->q, k->d, true, k->u);
  mw_rigid_sim_mass(s, k->u, k->f);
  for (int i = 0; i < s->n.n_u; i++) k->r[i] -= k->f[i];
}

// x of (2), and x2, what of it positions alone take (stabilized form)
static void solve(mw_rigid_sim *s, const alpha *c)
{
  struct mw_rigid_scratch *k = s->scratch;
  bool ggl = s->in.ggl;
  for (int i = 0; i < s->n.n_row; i++) k->c[i] = ggl || k->rate[i] ? -k->gd[i] / c->c1 : -k->g[i];
  mw_rigid_kkt_solve(s->r, s->w, k->r, k->c, k->cs, k->x, k->dl, k->dls);
  for (int i = 0; i < s->n.n_row; i++) k->l[i] += k->dl[i];
  memset(k->x2, 0, (size_t)s->n.n_u * sizeof(double));
  if (!ggl) return;
  for (int i = 0; i < s->n.n_row; i++) k->c[i] = k->rate[i] ? 0.0 : -k->g[i] - k->c[i];
  memset(k->f, 0, (size_t)s->n.n_u * sizeof(double));
  mw_rigid_kkt_solve(s->r, s->w, k->f, k->c, k->cs, k->x2, k->dl, k->dls);
  for (int i = 0; i < s->n.n_row; i++) k->mu[i] += k->dl[i] / c->b1;
}

// takes the correction; its size
static double take(mw_rigid_sim *s, const alpha *c)
{
  struct mw_rigid_scratch *k = s->scratch;
  for (int i = 0; i < s->n.n_u; i++) k->u[i] = k->x[i] + k->x2[i];
  double size = fmax(mw_rigid_newton_size(s, k->u), mw_rigid_newton_size(s, k->x));
  mw_rigid_axes_turn(s, k->q, k->x, false, k->x);
  mw_rigid_axes_turn(s, k->q, k->x2, false, k->x2);
  for (int b = 0; b < s->n.n_body; b++) {
    inverse_tangent(k->X + 6 * b + 3, k->x + 6 * b + 3);
    inverse_tangent(k->X + 6 * b + 3, k->x2 + 6 * b + 3);
  }
  for (int i = 0; i < s->n.n_u; i++) {
    k->X[i] += k->x[i] + k->x2[i];
    k->y[i] += c->c1 * k->x[i];
    k->d[i] += c->b1 * k->x[i];
    k->aux[i] += c->ab * k->x[i];
  }
  return size;
}

// What may be left of a correction: the projection's tolerance (stabilized: of velocities, too),
// and of accelerations the relative tolerance; not below rounding.
static double enough(const mw_rigid_sim *s, const alpha *c)
{
  double a = mw_norm3(s->m->model->gravity) / s->size;
  a = fmax(a, mw_rigid_newton_size(s, s->scratch->d));
  double tol = fmin(s->in.projection, s->in.tolerance * a / c->b1);
  if (s->in.ggl) tol = fmin(tol, s->in.projection / c->c1);
  return fmax(8.0 * DBL_EPSILON, tol);
}

static const double FLOOR = 1e-8;  // 1: far below what a step of use is off by

mw_code mw_rigid_alpha(mw_rigid_sim *s, double h, mw_error *err)
{
  struct mw_rigid_scratch *k = s->scratch;
  alpha c = coefficients(s->in.rho_inf, h);
  mw_rigid_newton n = mw_rigid_newton_init(FLOOR);
  predict(s, &c);
  while (!n.done) {
    place(s);
    residual(s, s->t + h);
    if (mw_rigid_newton_slow(&n)) mw_rigid_kkt_factor(s->r, s->w, c.b1, c.c1);
    solve(s, &c);
    double size = take(s, &c);
    mw_rigid_newton_take(&n, size, mw_rigid_newton_size(s, k->X), enough(s, &c));
    s->iterations++;
    if (n.failed) return mw_rigid_newton_fail(&n, err);
  }
  place(s);
  mw_rigid_natural(s, k->q, k->y, k->v);
  mw_rigid_natural2(s, k->q, k->y, k->d, k->a);
  mw_rigid_axes_turn(s, k->q, k->aux, true, k->aux);
  return MW_OK;
}
