// SPDX-License-Identifier: BSD-3-Clause
// rigid_radau.c: steps of the implicit Runge-Kutta method Radau IIA of order 5.
//
//   Y_i = y_0 + Z_i ,   Z_i = h Σ_j a_ij f(t_0 + c_j h, Y_j) ,   y_1 = Y_3                      (1)
//
// Collocation at three places; stiffly accurate, L-stable. Its equations are solved by
// iteration with a lower triangle in place of A: A = T U, U with ones on its diagonal,
//   Σ_j≤i (δ_ij − h t_ij J_j) Δ_j = h Σ_j a_ij f(Y_j) − Z_i ,   Z_i ← Z_i + Δ_i                 (2)
// so that each stage is one system of the size of the mechanism, with derivatives J_i of its own
// (rigid_stiff.c) at the place where the stage is expected. Bodies that turn within the step
// carry their springs with them. h J_j Δ_j follows from the system of stage j. For stiff parts the
// iteration ends by itself (1 − U is nilpotent).
//
// Expected is what the extension of the last step goes on with, at first
//   q_0 + c h v_0 + (c h)² a_0/2 ,  v_0 + c h a_0
// Error, of order 3 (embedded with y_0; γ₀ the inverse of the real eigenvalue of A⁻¹):
//   (1 − h γ₀ J) e = γ₀ (h f(y_0) + Σ e_i Z_i)                                                  (3)
// Extension: q by q, v, a at both ends (quintic, error of order h⁶), v by its derivative, W cubic.
// E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, 2nd ed. 1996, IV.5, IV.8.
// P. J. van der Houwen, J. J. B. de Swart: Triangularly implicit iteration methods for ODE-IVP
// solvers, SIAM J. Sci. Comput. 18 (1997) 41-55.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rigid_onestep_priv.h"
#include "rigid_radau_priv.h"
#include "rigid_stiff_priv.h"

enum { N = MW_RADAU_STAGES };

struct mw_radau {
  mw_rigid_stiff at[N + 1];  // of each stage, and of (3) at the start
  double *z[N], *d[N];       // [n]  Z; Δ, then h J Δ
  double *sum;               // [n]  right-hand side of (2)
};

static const mw_erk radau5 = { .name = "radau",
                               .n_stage = N,
                               .n_all = N + 1,
                               .n_dense = 2,
                               .power = 4.0,
                               .limit = { 0.2, 8.0 },
                               .beta = 0.0 };

// ---- equations (2) ------------------------------------------------------------------------------

// Z of where the stages are expected, and the factors there.
static void expect(mw_rigid_adapt *a, double h)
{
  struct mw_radau *r = a->radau;
  size_t nq = (size_t)a->s->n.n_q;
  for (int j = 0; j < N; j++) {
    double x = mw_radau_c[j] * h, *z = r->z[j];
    if (a->span > 0.0) {
      mw_onestep_within(a, 1.0 + x / a->span, a->y);
      for (int i = 0; i < a->n; i++) z[i] = a->y[i] - a->y0[i];
    } else {
      for (int i = 0; i < a->n; i++) z[i] = x * a->k[0][i];
      for (size_t i = 0; i < nq; i++) z[i] += 0.5 * x * x * a->k[0][nq + i];
    }
    for (int i = 0; i < a->n; i++) a->y[i] = a->y0[i] + z[i];
    mw_rigid_stiff_begin(&r->at[j]);
    mw_rigid_stiff_factor(&r->at[j], a->t0 + x, a->y, mw_radau_t[j][j] * h);
  }
}

// Rates of all stages.
static mw_code evaluate(mw_rigid_adapt *a, double h)
{
  mw_code rc = MW_OK;
  for (int j = 0; rc == MW_OK && j < N; j++) {
    for (int i = 0; i < a->n; i++) a->y[i] = a->y0[i] + a->radau->z[j][i];
    rc = mw_onestep_eval(a, a->t0 + mw_radau_c[j] * h, a->y, a->k[1 + j], &a->why);
  }
  return rc;
}

// Corrections of all stages; size of the largest.
static double correct(mw_rigid_adapt *a, double h)
{
  struct mw_radau *r = a->radau;
  double size = 0.0;
  int last = a->n - 1;
  for (int j = 0; j < N; j++) {
    double g = mw_radau_t[j][j];
    for (int i = 0; i < a->n; i++) {
      double x = -r->z[j][i];
      for (int k = 0; k < N; k++) x += h * mw_radau_a[j][k] * a->k[1 + k][i];
      for (int k = 0; k < j; k++) x += mw_radau_t[j][k] * r->d[k][i];
      r->sum[i] = x;
    }
    mw_rigid_stiff_solve(&r->at[j], g * h, r->sum, r->d[j]);
    r->d[j][last] = r->sum[last];
    double part = mw_onestep_norm(a, r->d[j], a->y0, a->y0);
    if (!(part <= size)) size = part;
    for (int i = 0; i < a->n; i++) {
      r->z[j][i] += r->d[j][i];
      r->d[j][i] = (r->d[j][i] - r->sum[i]) / g;
    }
  }
  return size;
}

// (2) until what is left is a part of the tolerance that the method's error lies below.
static mw_code iterate(mw_rigid_adapt *a, double h)
{
  enum { MOST = 12 };
  static const double LEFT = 1e-2;
  double last = INFINITY;
  for (int n = 0; n < MOST; n++) {
    mw_code rc = evaluate(a, h);
    if (rc != MW_OK) return rc;
    double size = correct(a, h), theta = size / last;  // 0 at first
    a->s->iterations++;
    if (!isfinite(size) || theta >= 1.0) break;
    // corrections to come are a geometric series, of which the first tells nothing
    if (n > 0 ? size * theta / (1.0 - theta) <= LEFT : size <= 0.01 * LEFT) return MW_OK;
    last = size;
  }
  return mw_fail(&a->why, MW_ERR_NUMERIC, MW_NOWHERE, "the equations of the step do not converge");
}

// ---- steps --------------------------------------------------------------------------------------

// (3) into a->y
static double error_of(mw_rigid_adapt *a, double h)
{
  struct mw_radau *r = a->radau;
  int last = a->n - 1;
  double g = mw_radau_gamma * h;
  for (int i = 0; i < a->n; i++) {
    double x = h * a->k[0][i];
    for (int j = 0; j < N; j++) x += mw_radau_e[j] * r->z[j][i];
    r->sum[i] = mw_radau_gamma * x;
  }
  mw_rigid_stiff_begin(&r->at[N]);
  mw_rigid_stiff_factor(&r->at[N], a->t0, a->y0, g);
  mw_rigid_stiff_solve(&r->at[N], g, r->sum, a->y);
  a->y[last] = r->sum[last];
  return mw_onestep_norm(a, a->y, a->y0, a->y1);
}

static mw_code attempt(mw_rigid_adapt *a, double h, double *error)
{
  static const double CLOSED = 0.1;  // of the tolerance: gaps rounding may leave
  mw_rigid_sim *s = a->s;
  size_t nq = (size_t)s->n.n_q;
  expect(a, h);
  mw_code rc = iterate(a, h);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < a->n; i++) a->y1[i] = a->y0[i] + a->radau->z[N - 1][i];
  *error = error_of(a, h);
  if (!isfinite(*error))
    return mw_fail(&a->why, MW_ERR_NUMERIC, MW_NOWHERE, "rates are not finite");
  if (*error > 1.0) return MW_OK;
  rc = mw_rigid_sim_close(s, a->t0 + h, a->y1, a->y1 + nq, CLOSED * s->in.tolerance * s->size,
                          false, &a->why);
  return rc == MW_OK ? mw_onestep_eval(a, a->t0 + h, a->y1, a->k_end, &a->why) : rc;
}

static mw_code taken(mw_rigid_adapt *a, double h)
{
  a->span = h;
  return mw_onestep_extend(a);
}

// ---- continuous extension -----------------------------------------------------------------------

// Beside the cubic of both values and rates x² (1 − x)² (r_4 + x r_5): of q so that accelerations
// fit, of v the derivative of q's.
static mw_code extend(mw_rigid_adapt *a)
{
  size_t nq = (size_t)a->s->n.n_q;
  double h = a->t1 - a->t0, *const *r = a->term;
  memset(r[4], 0, (size_t)a->n * sizeof **r);
  memset(r[5], 0, (size_t)a->n * sizeof **r);
  for (size_t i = 0; i < nq; i++) {
    // second derivatives of the cubic are 2 (r_3 − r_2) and −2 r_2 − 4 r_3
    double c0 = 2.0 * (r[3][i] - r[2][i]), c1 = -2.0 * r[2][i] - 4.0 * r[3][i];
    r[4][i] = 0.5 * (h * h * a->k[0][nq + i] - c0);
    r[5][i] = 0.5 * (h * h * a->k_end[nq + i] - c1) - r[4][i];
    r[4][nq + i] = 5.0 * r[5][i] / h;
  }
  return MW_OK;
}

// ---- life ---------------------------------------------------------------------------------------

static void close(mw_rigid_adapt *a)
{
  if (!a->radau) return;
  for (int j = 0; j <= N; j++) mw_rigid_stiff_free(&a->radau->at[j]);
}

static mw_code open(mw_rigid_adapt *a, mw_error *err)
{
  struct mw_radau *r = mw_arena_alloc(&a->mem, 1, sizeof *r);
  if (!r) return mw_arena_check(&a->mem, err);
  a->radau = r;
  for (int j = 0; j < N; j++) {
    r->z[j] = mw_arena_f64(&a->mem, (size_t)a->n);
    r->d[j] = mw_arena_f64(&a->mem, (size_t)a->n);
  }
  r->sum = mw_arena_f64(&a->mem, (size_t)a->n);
  mw_code rc = mw_arena_check(&a->mem, err);
  for (int j = 0; rc == MW_OK && j <= N; j++) rc = mw_rigid_stiff_build(a->s, &r->at[j], err);
  return rc;
}

const mw_onestep_kind mw_onestep_radau = { .table = &radau5,
                                           .open = open,
                                           .attempt = attempt,
                                           .taken = taken,
                                           .extend = extend,
                                           .close = close };
