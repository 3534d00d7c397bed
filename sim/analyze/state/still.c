// SPDX-License-Identifier: BSD-3-Clause
// still.c: Newton's method for equilibria, at a load factor or along a path of them.
//
//   r(ζ, τ) = z̈ at rest ,  ζ = z over its units, τ = factor over its scale
//   at a factor:     J Δζ = −r                                                                  (1)
//   along the path:  [J  r_τ; tᵀ] [Δζ; Δτ] = [−r; 0]                                            (2)
//   its tangent:     [J  r_τ; t_beforeᵀ] t = [0; 1] ,  |t| = 1                                  (3)
//   where (1) goes around in circles:  (I/δ − J') Δζ = r' ,  δ = δ₀ |r'₀|/|r'|                  (4)
// J by extrapolated differences; singular values below 1e-10 are left out: in a branch point (2)
// stays on the branch that it comes from. A state is the chart's; after every step it is the new
// origin. (4) follows the mechanism as it gives way to its forces, velocities taken away all the
// time, r' and J' over units, and becomes (1) where forces vanish: it leads to stable equilibria.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/difference.h"
#include "still_priv.h"

static const double RANK = 1e-10;

mw_code mw_still_open(const mw_mech *m, const mw_statics_in *in, mw_still *out, mw_error *err)
{
  *out = (mw_still){ .in = in, .model = *m->model, .mech = *m, .scale = 1.0 };
  out->mech.model = &out->model;
  memcpy(out->gravity, m->model->gravity, sizeof out->gravity);
  if (in->weight && m->model->n_component > 0)
    return mw_fail(err, MW_ERR_INPUT, m->model->component[0].at,
                   "component %.64s: found a factor of the weight, which stays as it is inside; "
                   "expected one of forces alone",
                   m->model->component[0].name);
  const mw_linearize_at at = { .position = in->at, .held = in->held };
  mw_code rc = mw_chart_open(&out->mech, &at, &out->c, err);
  if (rc != MW_OK) return rc;
  mw_arena *mem = &out->c.mem;
  size_t n = (size_t)out->c.n.n_u + 1;
  double **vector[] = { &out->z, &out->r, &out->by, &out->e, &out->t, &out->x, &out->b };
  for (int i = 0; i < 7; i++) *vector[i] = mw_arena_f64(mem, n);
  out->J = mw_arena_f64(mem, n * n);
  out->A = mw_arena_f64(mem, n * n);
  out->q = mw_arena_f64(mem, (size_t)out->c.n.n_q);
  out->s = mw_arena_f64(mem, (size_t)out->c.n.n_coord);
  return mw_arena_check(mem, err);
}

void mw_still_close(mw_still *s) { mw_chart_close(&s->c); }

void mw_still_load(mw_still *s, double factor)
{
  s->factor = factor;
  for (int i = 0; i < s->c.n_in; i++)
    *mw_chart_force(&s->c, i) = s->in->force ? factor * s->in->force[s->c.input[i]] : 0.0;
  for (int i = 0; i < 3; i++) s->model.gravity[i] = s->gravity[i] * (s->in->weight ? factor : 1.0);
}

// ---- derivatives --------------------------------------------------------------------------------

static mw_code look(void *ctx, double x, double *f, mw_error *err)
{
  mw_still *s = ctx;
  double *z = &s->z[s->column], keep = *z;
  *z += x * mw_chart_unit(&s->c, s->column);
  mw_code rc = mw_chart_go(&s->c, s->z, NULL, err);
  *z = keep;
  return rc == MW_OK ? mw_chart_accel(&s->c, f, err) : rc;
}

// z̈ at the state under another factor
static mw_code under(mw_still *s, double factor, double *f, mw_error *err)
{
  double keep = s->factor;
  mw_still_load(s, factor);
  mw_code rc = mw_chart_go(&s->c, s->c.z0, NULL, err);
  if (rc == MW_OK) rc = mw_chart_accel(&s->c, f, err);
  mw_still_load(s, keep);
  return rc;
}

mw_code mw_still_eval(mw_still *s, mw_error *err)
{
  static const double FAR = 0.04;  // rad, of the size: as in linearize.c
  int k = s->c.k;
  const mw_curve_at f = { look, s, k };
  memcpy(s->z, s->c.z0, (size_t)k * sizeof *s->z);
  mw_code rc = under(s, s->factor, s->r, err);
  if (rc == MW_OK) rc = under(s, s->factor + s->scale, s->by, err);
  if (rc == MW_OK) rc = under(s, s->factor - s->scale, s->x, err);
  for (int i = 0; rc == MW_OK && i < k; i++) s->by[i] = 0.5 * (s->by[i] - s->x[i]);
  for (s->column = 0; rc == MW_OK && s->column < k; s->column++) {
    rc = mw_difference_within(&f, FAR, s->x, s->e, err);
    for (int i = 0; rc == MW_OK && i < k; i++) s->J[i * k + s->column] = s->x[i];
  }
  return rc;
}

// ---- steps --------------------------------------------------------------------------------------

mw_code mw_still_move(mw_still *s, const double *x, mw_error *err)
{
  mw_chart *c = &s->c;
  for (int i = 0; i < c->k; i++) s->z[i] = c->z0[i] + x[i] * mw_chart_unit(c, i);
  mw_code rc = mw_chart_go(c, s->z, NULL, err);
  if (rc != MW_OK) return rc;
  mw_chart_coords(c, s->s);
  memcpy(s->q, c->q, (size_t)c->n.n_q * sizeof *s->q);
  return mw_chart_put(c, s->q, NULL, s->s, err);
}

void mw_still_rates(const mw_still *s, double *x)
{
  const mw_chart *c = &s->c;
  int n = c->n.n_u;
  for (int i = 0; i < c->k; i++)
    x[i] = mw_dot(n, c->S + (size_t)i * (size_t)n, s->t) / mw_chart_unit(c, i);
}

// A := [J  r_τ; tᵀ] or J, its size
static int matrix(mw_still *s, bool along)
{
  int k = s->c.k, n = along ? k + 1 : k;
  for (int i = 0; i < k; i++) {
    memcpy(s->A + i * n, s->J + i * k, (size_t)k * sizeof *s->A);
    if (along) s->A[i * n + k] = s->by[i];
  }
  if (!along) return n;
  mw_still_rates(s, s->A + k * n);
  s->A[k * n + k] = s->tf;
  // rows of one size: the tangent is not to be lost beside stiff ones
  for (int i = 0; i < n; i++) {
    double len = sqrt(mw_dot(n, s->A + i * n, s->A + i * n));
    s->b[i] /= len > 0.0 ? len : 1.0;
    for (int j = 0; j < n; j++) s->A[i * n + j] /= len > 0.0 ? len : 1.0;
  }
  return n;
}

// Moves by s->x [k], and by x[k] of the factor, cut to a third of a radian or of the size.
static mw_code go(mw_still *s, bool along, int n, double *step, mw_error *err)
{
  static const double MOST = 0.3;
  int k = s->c.k;
  *step = 0.0;
  for (int i = 0; i < n; i++) *step = fmax(*step, fabs(s->x[i]));
  if (!isfinite(*step)) return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "accelerations not finite");
  double part = *step > MOST ? MOST / *step : 1.0;
  for (int i = 0; i < n; i++) s->x[i] *= part;
  if (along) mw_still_load(s, s->factor + s->scale * s->x[k]);
  memcpy(s->b, s->x, (size_t)k * sizeof *s->b);
  mw_code rc = mw_still_move(s, s->b, err);
  for (int half = 0; rc == MW_ERR_NUMERIC && half < 6; half++) {
    for (int i = 0; i < k; i++) s->b[i] *= 0.5;
    rc = mw_still_move(s, s->b, err);
  }
  return rc;
}

// One step of (1) or (2); its largest part
static mw_code correct(mw_still *s, bool along, double *step, mw_error *err)
{
  int k = s->c.k, rank = 0;
  mw_code rc = mw_still_eval(s, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < k; i++) s->b[i] = -s->r[i];
  s->b[k] = 0.0;
  int n = matrix(s, along);
  rc = n > 0 ? mw_lstsq(n, n, s->A, s->b, RANK, s->x, &rank, err) : MW_OK;
  return rc == MW_OK ? go(s, along, n, step, err) : rc;
}

// Δζ of (4) into s->x, for r' = s->b and 1/δ = rate
static mw_code solve_flow(mw_still *s, double rate, mw_error *err)
{
  int k = s->c.k, rank = 0;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      s->A[i * k + j] = (i == j ? rate : 0.0) - s->J[i * k + j] / mw_chart_unit(&s->c, i);
  return k > 0 ? mw_lstsq(k, k, s->A, s->b, RANK, s->x, &rank, err) : MW_OK;
}

// One step of (4); *first: |r'₀|, set by the first one
static mw_code give_way(mw_still *s, double *first, double *step, mw_error *err)
{
  static const double BEGIN = 0.1;  // rad, of the size: what the first step is at most
  int k = s->c.k;
  mw_code rc = mw_still_eval(s, err);
  if (rc != MW_OK) return rc;
  double size = 0.0, steep = 0.0;
  for (int i = 0; i < k; i++) {
    double unit = mw_chart_unit(&s->c, i);
    s->b[i] = s->r[i] / unit;
    size = hypot(size, s->b[i]);
    for (int j = 0; j < k; j++) steep = hypot(steep, s->J[i * k + j] / unit);
  }
  if (*first <= 0.0) *first = size;
  double rate = size > 0.0 ? size / BEGIN * (size / *first) : 0.0;
  rc = solve_flow(s, rate, err);
  // against the forces, back to where they push away: with a δ that is short enough for J'
  if (rc == MW_OK && mw_dot(k, s->x, s->b) < 0.0) rc = solve_flow(s, rate + 2.0 * steep, err);
  return rc == MW_OK ? go(s, false, k, step, err) : rc;
}

// Newton's steps leave out what no coordinate gives way to: accelerations there must vanish, too,
// to what steps of 1e-11 leave, or rounding of the weight and of the forces.
static bool at_rest(const mw_still *s)
{
  static const double PART = 1e-10, ROUNDING = 1e-12;
  const mw_chart *c = &s->c;
  const double *g = s->model.gravity;
  double weight = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  for (int i = 0; i < c->k; i++) {
    double stiff = 0.0, forces = fabs(s->factor / s->scale * s->by[i]);
    for (int j = 0; j < c->k; j++) stiff += fabs(s->J[i * c->k + j]);
    forces += weight * mw_chart_unit(c, i) / c->size;
    if (!(fabs(s->r[i]) <= PART * stiff + ROUNDING * forces)) return false;
  }
  return true;
}

mw_code mw_still_find(mw_still *s, bool along, double *step, mw_error *err)
{
  enum { ITER = 60, AHEAD = 15, FLOW = 300 };
  static const double TOL = 1e-11;
  double first = 0.0;
  bool rest = false, gives = false;
  mw_code rc = MW_OK;
  *step = INFINITY;
  for (int i = 0; rc == MW_OK && i < (along ? AHEAD : ITER) && !(*step <= TOL); i++)
    rc = correct(s, along, step, err);
  for (int i = 0; rc == MW_OK && !rest && i <= FLOW; i++) {
    if (*step <= TOL) rc = mw_still_eval(s, err);
    rest = rc == MW_OK && *step <= TOL && at_rest(s);
    gives = gives || (rc == MW_OK && *step <= TOL && !rest);
    if (along || i == FLOW) break;
    if (rc == MW_OK && !rest) rc = give_way(s, &first, step, err);
  }
  if (rc != MW_OK || rest) return rc;
  if (!gives)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "no equilibrium: steps of Newton's method stay at %.3g rad, or of the size",
                   *step);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "no equilibrium: the mechanism gives way to forces that nothing takes");
}

mw_code mw_still_tangent(mw_still *s, mw_error *err)
{
  mw_chart *c = &s->c;
  int k = c->k, n = c->n.n_u, rank = 0;
  for (int i = 0; i <= k; i++) s->b[i] = i == k;
  (void)matrix(s, true);
  mw_code rc = mw_lstsq(k + 1, k + 1, s->A, s->b, RANK, s->x, &rank, err);
  if (rc != MW_OK) return rc;
  double len = sqrt(mw_dot(k + 1, s->x, s->x));
  memset(s->t, 0, (size_t)n * sizeof *s->t);
  for (int i = 0; i < k; i++) {
    double rate = s->x[i] / len * mw_chart_unit(c, i);
    size_t m = (size_t)c->n_row + (size_t)k, col = (size_t)c->n_row + (size_t)i;
    for (int x = 0; x < n; x++) s->t[x] += c->P[(size_t)x * m + col] * rate;
  }
  s->tf = s->x[k] / len;
  return MW_OK;
}

// ---- stability ----------------------------------------------------------------------------------

mw_code mw_still_judge(mw_still *s, mw_equilibrium *o, double *near, mw_error *err)
{
  // of the largest eigenvalue, and of the weight over the size: what differences leave
  static const double STILL = 1e-9;
  mw_chart *c = &s->c;
  int k = c->k;
  const double *g = s->model.gravity;
  double *im = s->x, most = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / c->size;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)  // ∂z̈/∂z
      s->A[i * k + j] = 0.0 - s->J[i * k + j] / mw_chart_unit(c, j);
  mw_code rc = k > 0 ? mw_eig_any(k, s->A, o->mu, im, err) : MW_OK;
  if (rc != MW_OK) return rc;
  bool flutter = false;
  *near = k > 0 ? o->mu[0] : 0.0;
  for (int i = 0; i < k; i++) {
    most = fmax(most, hypot(o->mu[i], im[i]));
    if (fabs(o->mu[i]) < fabs(*near)) *near = o->mu[i];
  }
  o->still = STILL * most;
  o->n_unstable = 0;
  bool flat = false;
  for (int i = 0; i < k; i++) {
    flutter = flutter || fabs(im[i]) > 1e-6 * most;
    flat = flat || fabs(o->mu[i]) <= o->still;
    o->n_unstable += o->mu[i] < -o->still;
    for (int j = i; j > 0 && o->mu[j] < o->mu[j - 1]; j--) {
      double x = o->mu[j];
      o->mu[j] = o->mu[j - 1];
      o->mu[j - 1] = x;
    }
  }
  o->kind = o->n_unstable > 0 ? MW_UNSTABLE
            : flutter         ? MW_FLUTTER
            : flat            ? MW_INDIFFERENT
                              : MW_STABLE;
  return MW_OK;
}

mw_code mw_still_mode(mw_still *s, double *mode, mw_error *err)
{
  mw_chart *c = &s->c;
  size_t k = (size_t)c->k, n = (size_t)c->n.n_u, m = (size_t)c->n_row + k;
  mw_arena tmp = { 0 };
  double *sv = mw_arena_f64(&tmp, k), *V = mw_arena_f64(&tmp, k * k), *u = mw_arena_f64(&tmp, n);
  const mw_rigid_dense d = { c->J, c->gamma, c->Js, c->bias };
  mw_code rc = mw_arena_check(&tmp, err);
  memcpy(s->A, s->J, k * k * sizeof *s->A);
  if (rc == MW_OK && k > 0) rc = mw_svd(c->k, c->k, s->A, sv, NULL, V, err);
  for (size_t i = 0; rc == MW_OK && i < k; i++)
    for (size_t x = 0; x < n; x++)
      u[x] += c->P[x * m + (size_t)c->n_row + i] * V[(k - 1) * k + i] * mw_chart_unit(c, (int)i);
  if (rc == MW_OK) mw_rigid_matrices(c->r, c->w, c->t, c->q0, NULL, &d);
  double most = 0.0;
  for (int i = 0; rc == MW_OK && i < c->n.n_coord; i++) {
    mode[i] = mw_dot((int)n, c->Js + (size_t)i * n, u);
    if (fabs(mode[i]) > fabs(most)) most = mode[i];
  }
  for (int i = 0; rc == MW_OK && most != 0.0 && i < c->n.n_coord; i++) mode[i] /= most;
  mw_arena_free(&tmp);
  return rc;
}
