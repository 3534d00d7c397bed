// SPDX-License-Identifier: BSD-3-Clause
// dae_first.c: what the first step needs besides q and v: accelerations, reactions, and start
// values of the method.
//
//   (M + (γ' C + K)/β') v̇ + Jᵀ λ = f ,  J v̇ = γ = −J̇ v                                       (1)
//   a₀ = v̇₀ + Δ h v̈₀ ,  J v₀ ← J (v₀ + c h² v̈₀) ,  Δ = α_m − α_f ,  c = 1/6 − β − Δ/2        (2)
//
// (1) gives the accelerations that a step of length h can see: modes well below 1/h get theirs to
// O(h²), those above, which the step cannot follow, start at rest. (2): along constraints the
// method's own velocities and auxiliary accelerations differ from v and v̇ by these amounts.
// Starting on them keeps the reactions of order 2; otherwise they ring, with an amplitude O(h) that
// dies as ρⁿ (Arnold, Brüls and Cardona, Numer. Math. 129 (2015) 149-179, treat this effect).
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "full/dae_layer.h"

// ---- accelerations ------------------------------------------------------------------------------

// ġ at q + eps v, rates v; false when a runner leaves its guide there. q is restored.
static bool rates_at(mw_dae *d, double eps, double *gd)
{
  mw_axpy(d->n_q, eps, d->v, d->q);
  bool ok = mw_dae_rows(d, NULL) == MW_OK;
  memcpy(gd, d->gd, (size_t)d->m->n_row * sizeof(double));
  mw_axpy(d->n_q, -eps, d->v, d->q);
  return ok;
}

// γ = −J̇ v of the joint rows by differences of ġ along v, one-sided at the end of a guide. Error
// O(eps²) or rounding of
// |v|²/size × 1e-11.
static mw_code second_rates(mw_dae *d, double *gamma, mw_error *err)
{
  static const double PART = 1e-5;  // of the size of the mechanism
  mw_arena tmp = { 0 };
  size_t n = (size_t)d->m->n_row;
  double *g1 = mw_arena_f64(&tmp, n), *g2 = mw_arena_f64(&tmp, n),
         *q = mw_arena_f64(&tmp, (size_t)d->n_q);
  double v = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; i < d->n_q; i++) v = fmax(v, fabs(d->v[i]));
  if (rc == MW_OK && v > 0.0) {
    double eps = PART * d->size / v;
    memcpy(q, d->q, (size_t)d->n_q * sizeof(double));
    bool plus = rates_at(d, eps, g1), minus = rates_at(d, -eps, g2);
    if (plus && minus) {
      for (size_t i = 0; i < n; i++) gamma[i] = -(g1[i] - g2[i]) / (2.0 * eps);
    } else if (plus || minus) {
      eps = plus ? eps : -eps;
      if (!rates_at(d, eps, g1) || !rates_at(d, 2.0 * eps, g2)) eps = INFINITY;
      memcpy(d->q, q, (size_t)d->n_q * sizeof(double));
      rc = mw_dae_rows(d, err);
      for (size_t i = 0; i < n; i++)
        gamma[i] = -(4.0 * g1[i] - g2[i] - 3.0 * d->gd[i]) / (2.0 * eps);
    }
    memcpy(d->q, q, (size_t)d->n_q * sizeof(double));
  }
  if (rc == MW_OK) rc = mw_dae_rows(d, err);
  mw_arena_free(&tmp);
  return rc;
}

// Rigid-body rows of body b twice differentiated, over β'; the elastic forces a step ahead.
static void acceleration_residual(mw_dae *d, int b)
{
  const mw_dae_block *k = &d->block[b];
  const mw_body *body = k->body;
  double *r = d->r[b];
  if (d->moving[b]) {
    const double *E = mw_dae_frame(d, d->q, b) + 3, *V = d->v + d->col[b] + 3,
                 *A = d->a + d->col[b] + 3;
    for (int c = 0; c < 6; c++) {
      int i = mw_dae_pair[c][0], j = mw_dae_pair[c][1];
      double g = 0.0;
      for (int l = 0; l < 9; l += 3)
        g += A[l + i] * E[l + j] + E[l + i] * A[l + j] + 2.0 * V[l + i] * V[l + j];
      r[12 + c] = k->c_phi * (i == j ? 0.5 : 1.0) * g / d->b1;
    }
    for (int c = 0; c < k->n_ref; c++)
      r[18 + c] = k->c_ref / d->b1 *
                  mw_dot(k->n_u, k->Q + (size_t)c * (size_t)k->n_u, mw_dae_u(d, d->a, b));
  }
  if (k->n_u == 0) return;
  mw_csc_mul(&body->K, (1.0 + d->c1 * body->beta) / d->b1, mw_dae_u(d, d->a, b), 1.0, r + k->n_d);
  if (!d->moving[b])
    mw_csc_mul(&body->M, d->c1 * body->alpha / d->b1, mw_dae_u(d, d->a, b), 1.0, r + k->n_d);
}

// One correction of a and λ; its size in m/s².
static mw_code correct_accelerations(mw_dae *d, const double *gamma, double *Ja, double *size,
                                     mw_error *err)
{
  const mw_mech *m = d->m;
  mw_dae_residual(d, true);
  mw_code rc = mw_dae_components_residual(d, err);
  if (rc != MW_OK) return rc;
  mw_dae_components_lack(d);
  for (int b = 0; b < m->n_body; b++) acceleration_residual(d, b);
  mw_dae_drag_add(d, d->a, d->c1 / d->b1);
  for (int c = 0; c < m->n_coord; c++)
    d->r_s[c] +=
        d->c1 * m->joint[m->coord_joint[c]].in->coordinate_damping / d->b1 * d->a[d->col_s + c];
  mw_dae_law_ahead(d, d->a);
  mw_dae_rows_mul(d, d->a, Ja);
  mw_dae_row_residual(d, true);
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      int row = m->joint[j].row0 + i;
      if (isinf(m->joint[j].k[i]))
        d->rho[row] = (Ja[row] - gamma[row]) / d->b1;
      else
        d->rho[row] += Ja[row] / d->b1;
    }
  for (int k = 0; k < d->n_hold; k++)
    d->rho[m->n_row + k] = (d->a[d->col_s + d->hold[k]] - d->target[3 * k + 2]) / d->b1;
  rc = mw_dae_solve(d, err);
  if (rc == MW_OK) *size = d->b1 * mw_dae_update(d, 0.0, 0.0, d->b1);
  return rc;
}

// of the largest acceleration, far below the O(h²) that is neglected
static const double ACCURATE = 1e-9;

// What accelerations are measured by, m/s²: gravity, and what the drives' forces alone would bring.
// In equilibrium they hold each other, and what is left is the rounding of their difference.
static mw_code scale_of_forces(mw_dae *d, double *scale, mw_error *err)
{
  double least = 0.0;
  *scale = d->g_norm;
  for (int k = 0; k < d->m->model->n_drive; k++) least = fmax(least, fabs(d->force[k]));
  if (least == 0.0) return MW_OK;
  size_t rows = (size_t)(d->m->n_row + d->m->n_coord), border = 12 * (size_t)d->m->n_body;
  memcpy(d->kept, d->lambda, rows * sizeof(double));
  memcpy(d->kept + rows, d->lam, border * sizeof(double));
  mw_code rc = mw_dae_answer(d, d->force, err);
  if (rc == MW_OK) *scale = fmax(*scale, d->b1 * mw_dae_update(d, 0.0, 0.0, 0.0));
  memcpy(d->lambda, d->kept, rows * sizeof(double));
  memcpy(d->lam, d->kept + rows, border * sizeof(double));
  return rc;
}

// The most that the force of one row would bring to its two bodies alone, β' F λ, m/s² (of turns:
// at the machine's size). Springs and elastic bodies hold each other by forces like these.
static double pull_of_rows(mw_dae *d)
{
  double most = 0.0;
  for (int j = 0; j < d->m->n_joint; j++)
    for (int i = 0; i < d->m->joint[j].n_row; i++) {
      const double *a = d->e[j].Ja + 12 * i, *b = d->e[j].Jb + 12 * i;
      size_t row = (size_t)(d->m->joint[j].row0 + i);
      double F = mw_dae_row_yield(d, j, i), place = 0.0;
      for (int c = 0; c < 3; c++) place = fmax(place, fmax(fabs(a[c]), fabs(b[c])));
      most = fmax(most, d->b1 * F * fabs(d->lambda[row]) * (place > 0.0 ? 1.0 : d->size));
    }
  return most;
}

// What corrections of accelerations end in where forces hold each other, m/s²: the rounding of
// their difference, far below ACCURATE of one of them, or places that no step tells apart
// (dae_step.c).
static double rounding(mw_dae *d)
{
  return fmax(ACCURATE * pull_of_rows(d), 4.0 * DBL_EPSILON * d->size * d->b1);
}

// Friction, and its slope in the matrix, at the normal forces of the present multipliers.
static mw_code follow_reactions(mw_dae *d, mw_error *err)
{
  mw_dae_law_eval(d);
  return mw_dae_joint_build(d, err);
}

static mw_code accelerations(mw_dae *d, mw_error *err)
{
  enum { ITER_MAX = 30 };
  mw_arena tmp = { 0 };
  size_t n = (size_t)(d->m->n_row + d->m->n_coord);
  double *gamma = mw_arena_f64(&tmp, n), *Ja = mw_arena_f64(&tmp, n), size = INFINITY, last;
  double forces = 0.0, rest = DBL_EPSILON * d->size / (d->h * d->h);  // places in double precision
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = second_rates(d, gamma, err);
  if (rc == MW_OK) rc = mw_dae_joint_build(d, err);
  if (rc == MW_OK) rc = scale_of_forces(d, &forces, err);
  bool done = false;
  d->law_exact = true;
  for (int i = 0; rc == MW_OK && !done && i < ITER_MAX; i++) {
    double big = fmax(forces, rest);
    last = size;
    rc = correct_accelerations(d, gamma, Ja, &size, err);
    for (int k = 0; k < d->n_q; k++) big = fmax(big, fabs(d->a[k]));
    double lag = rc == MW_OK ? d->b1 * mw_dae_law_lag(d) : 0.0;
    if (lag > 0.0) rc = follow_reactions(d, err);
    size = fmax(size, lag);
    done = size <= ACCURATE * big ||
           (i > 3 && size > 0.5 * last && size <= fmax(1e3 * ACCURATE * big, rounding(d)));
  }
  d->law_exact = false;
  mw_dae_law_ahead(d, NULL);
  if (rc == MW_OK && !done) {
    char worst[128];
    mw_dae_name_worst(d, worst);
    rc = mw_fail(err, MW_ERR_NUMERIC, d->sc->at,
                 "initial accelerations did not converge (last correction %.3g m/s² of %s)", size,
                 worst);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- start values of the method -----------------------------------------------------------------

typedef struct snapshot {
  double *q, *v, *a, *lambda, *lam;
} snapshot;

static void copy_state(mw_dae *d, snapshot *s, bool back)
{
  size_t n = (size_t)d->n_q, rows = (size_t)(d->m->n_row + d->m->n_coord),
         nb = (size_t)d->m->n_body;
  double *here[5] = { d->q, d->v, d->a, d->lambda, d->lam },
         *there[5] = { s->q, s->v, s->a, s->lambda, s->lam };
  size_t size[5] = { n, n, n, rows, 12 * nb };
  for (int i = 0; i < 5; i++)
    memcpy(back ? here[i] : there[i], back ? there[i] : here[i], size[i] * sizeof(double));
}

// Residuals for mw_dae_solve whose solution y is the least change with Ĵ y = Ĵ x along constraints;
// x flat, ground axes.
static void constraint_part(mw_dae *d, const double *x, double *Jx)
{
  const mw_mech *m = d->m;
  mw_dae_clear_residuals(d);
  (void)mw_dae_components_rates(d, x, -1.0);
  mw_dae_rows_mul(d, x, Jx);
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      int row = m->joint[j].row0 + i;
      d->rho[row] = isinf(m->joint[j].k[i]) ? -Jx[row] : 0.0;
    }
  for (int k = 0; k < d->n_hold; k++) d->rho[m->n_row + k] = -x[d->col_s + d->hold[k]];
  for (int b = 0; b < m->n_body; b++) {
    if (!d->moving[b]) continue;
    const double *E = mw_dae_frame(d, d->q, b) + 3, *X = x + d->col[b] + 3;
    for (int c = 0; c < 6; c++) {
      int i = mw_dae_pair[c][0], j = mw_dae_pair[c][1];
      double g = 0.0;
      for (int l = 0; l < 9; l += 3) g += X[l + i] * E[l + j] + E[l + i] * X[l + j];
      d->r[b][12 + c] = -d->block[b].c_phi * (i == j ? 0.5 : 1.0) * g;
    }
  }
}

// (2); v̈₀ h by the accelerations at the state a step ahead. Where these fail (a guide may end
// there) aux = a has to do.
static mw_code start_values(mw_dae *d, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)d->n_q, rows = (size_t)(d->m->n_row + d->m->n_coord);
  snapshot s = { .q = mw_arena_f64(&tmp, n),
                 .v = mw_arena_f64(&tmp, n),
                 .a = mw_arena_f64(&tmp, n),
                 .lambda = mw_arena_f64(&tmp, rows),
                 .lam = mw_arena_f64(&tmp, 12 * (size_t)d->m->n_body) };
  double *x = mw_arena_f64(&tmp, n), *Jx = mw_arena_f64(&tmp, rows), h = d->h;
  double delta = d->alpha_m - d->alpha_f, c = 1.0 / 6.0 - d->beta - 0.5 * delta;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(d->aux, d->a, n * sizeof(double));
  copy_state(d, &s, false);
  for (size_t i = 0; i < n; i++) {
    d->q[i] += h * (s.v[i] + 0.5 * h * s.a[i]);
    d->v[i] += h * s.a[i];
  }
  mw_dae_targets(d, h);
  mw_dae_forces_ahead(d);
  mw_error ignored;
  bool known = accelerations(d, &ignored) == MW_OK;
  for (size_t i = 0; known && i < n; i++) {
    d->aux[i] += delta * (d->a[i] - s.a[i]);
    x[i] = c * h * (d->a[i] - s.a[i]);
  }
  copy_state(d, &s, true);
  mw_dae_targets(d, 0.0);
  mw_dae_forces(d, 0.0);
  rc = mw_dae_rows(d, err);
  if (rc == MW_OK && known) {
    constraint_part(d, x, Jx);
    d->no_elastic = true;
    rc = mw_dae_joint_build(d, err);
    if (rc == MW_OK) rc = mw_dae_solve(d, err);
    if (rc == MW_OK) (void)mw_dae_update(d, 0.0, 1.0, 0.0);
    d->no_elastic = false;
    memcpy(d->lambda, s.lambda, rows * sizeof(double));
    memcpy(d->lam, s.lam, 12 * (size_t)d->m->n_body * sizeof(double));
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_dae_first(mw_dae *d, mw_error *err)
{
  mw_code rc = mw_dae_modal_at(d, err);
  if (rc == MW_OK) rc = accelerations(d, err);
  return rc == MW_OK ? start_values(d, err) : rc;
}
