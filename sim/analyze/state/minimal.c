// SPDX-License-Identifier: BSD-3-Clause
// minimal.c: equations of motion in minimal coordinates at a state and over a work space.
//
//   M_ij = û_i M̂ û_j ,  û_i the twists of unit rate ż_i;  ∂M/∂z by extrapolated differences
//   C_ij = Σ_l ½ (∂_l M_ij + ∂_j M_il − ∂_i M_jl) ż_l                                          (1)
//   g = −M z̈(ż = 0) ,  d = −M z̈ − C ż − g ,  μ = −Λ ẍ    without forces of drives      (2)
//   Ṁ = dM/dt along ż, a difference of its own: Ṁ − 2C must be skew                             (3)
// Cost: 14 k² positions and rates at a state, one position a point of the map.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/difference.h"
#include "chart_priv.h"
#include "sim/minimal.h"
#include "usable_priv.h"

static const double PART = 1e-13;  // of the largest eigenvalue of W: what counts as 0

typedef struct work {
  mw_chart c;
  int tool;
  int column;  // of the differences; −1: along the rates
  double *z;   // [k]
  double *e;   // [k]        unit rates
  double *U;   // [k × n_u]  twists
  double *a;   // [k]
  double *M;   // [k × k]
  mw_minimal o;
} work;

// ---- at a position ------------------------------------------------------------------------------

// U, M of unit rates at z
static mw_code inertia_at(work *w, const double *z, double *M, mw_error *err)
{
  mw_chart *c = &w->c;
  size_t n = (size_t)c->n.n_u, k = (size_t)c->k;
  mw_code rc = MW_OK;
  for (size_t i = 0; rc == MW_OK && i < k; i++) {
    memset(w->e, 0, k * sizeof *w->e);
    w->e[i] = 1.0;
    rc = mw_chart_go(c, z, w->e, err);
    if (rc == MW_OK) memcpy(w->U + i * n, c->u, n * sizeof *w->U);
  }
  for (size_t i = 0; rc == MW_OK && i < k; i++)
    for (size_t j = 0; j < k; j++) {
      M[i * k + j] = 0.0;
      for (size_t x = 0; x < n; x++) M[i * k + j] += w->U[i * n + x] * c->mass[x] * w->U[j * n + x];
    }
  return rc;
}

// J [3 × k] of the tool where the chart is, from U there; its place
static void tool_jacobian(work *w, double *J, double x[3])
{
  mw_chart *c = &w->c;
  const mw_output_in *out = &c->m->model->output[w->tool];
  for (int i = 0; i < c->k; i++) {
    double v[3];
    mw_rigid_rates(c->r, c->q, w->U + (size_t)i * (size_t)c->n.n_u, c->v);
    mw_rigid_point(c->r, out->ref, out->x, c->q, c->v, x, v);
    for (int d = 0; d < 3; d++) J[d * c->k + i] = v[d];
  }
}

static mw_code bounds(int k, const double *M, double *least, double *most, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)k;
  double *A = mw_arena_f64(&tmp, n * n), *w = mw_arena_f64(&tmp, n), *V = mw_arena_f64(&tmp, n * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && k > 0) {
    memcpy(A, M, n * n * sizeof *A);
    rc = mw_eig_sym(k, A, w, V, err);
  }
  if (rc == MW_OK && k > 0) *least = w[0], *most = w[k - 1];
  mw_arena_free(&tmp);
  return rc;
}

// W = J M⁻¹ Jᵀ and Λ, its inverse on directions in which the tool moves
static mw_code tool_inertia(int k, const double *M, const double *J, double W[9], double Lambda[9],
                            int *n_direction, double *light, double *heavy, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)k;
  double *L = mw_arena_f64(&tmp, n * n), *X = mw_arena_f64(&tmp, 3 * n), A[9], w[3], V[9];
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    memcpy(L, M, n * n * sizeof *L);
    for (size_t i = 0; i < n; i++)
      for (size_t d = 0; d < 3; d++) X[i * 3 + d] = J[d * n + i];
    rc = mw_chol_factor(k, L, err);
  }
  if (rc == MW_OK) {
    mw_chol_solve(k, L, 3, X);
    mw_gemm('n', 'n', 3, 3, k, 1.0, J, X, 0.0, W);
    memcpy(A, W, sizeof A);
    rc = mw_eig_sym(3, A, w, V, err);
  }
  *n_direction = 0;
  *light = *heavy = (double)NAN;
  memset(Lambda, 0, 9 * sizeof *Lambda);
  for (int e = 2; rc == MW_OK && e >= 0 && w[e] > PART * w[2]; e--) {
    (*n_direction)++;
    *heavy = 1.0 / w[e];
    if (e == 2) *light = *heavy;
    for (int i = 0; i < 9; i++) Lambda[i] += V[i / 3 * 3 + e] * V[i % 3 * 3 + e] / w[e];
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- derivatives --------------------------------------------------------------------------------

static mw_code inertia_beside(void *ctx, double x, double *M, mw_error *err)
{
  work *w = ctx;
  mw_chart *c = &w->c;
  for (int i = 0; i < c->k; i++)
    w->z[i] = c->z0[i] + (w->column < 0    ? x * w->o.rate[i]
                          : i == w->column ? x * mw_chart_unit(c, i)
                                           : 0.0);
  return inertia_at(w, w->z, M, err);
}

static mw_code derivatives(work *w, mw_error *err)
{
  static const double FAR = 0.04;  // rad, of the size: as in linearize.c
  mw_chart *c = &w->c;
  mw_minimal *o = &w->o;
  size_t k = (size_t)c->k, kk = k * k;
  double *e = mw_arena_f64(&c->mem, kk), *Md = mw_arena_f64(&c->mem, kk), big = 0.0, fast = 0.0;
  const mw_curve_at f = { inertia_beside, w, (int)kk };
  mw_code rc = mw_arena_check(&c->mem, err);
  for (size_t i = 0; i < kk; i++) big = fmax(big, fabs(o->M[i]));
  for (w->column = 0; rc == MW_OK && w->column < c->k; w->column++) {
    double unit = mw_chart_unit(c, w->column), *dM = o->dM + (size_t)w->column * kk;
    rc = mw_difference(&f, FAR, dM, e, err);
    for (size_t i = 0; rc == MW_OK && i < kk; i++) {
      o->error = fmax(o->error, e[i] / big);
      dM[i] /= unit;
    }
  }
  for (size_t i = 0; rc == MW_OK && i < k; i++)
    for (size_t j = 0; j < k; j++)
      for (size_t l = 0; l < k; l++)
        o->C[i * k + j] +=
            0.5 * o->rate[l] *
            (o->dM[l * kk + i * k + j] + o->dM[j * kk + i * k + l] - o->dM[i * kk + j * k + l]);
  for (size_t i = 0; i < k; i++) fast = fmax(fast, fabs(o->rate[i]) / mw_chart_unit(c, (int)i));
  if (rc != MW_OK || fast == 0.0) return rc;
  w->column = -1;
  rc = mw_difference(&f, FAR / fast, Md, e, err);
  double most = 0.0;
  for (size_t i = 0; rc == MW_OK && i < kk; i++)
    most = fmax(most, fmax(fabs(Md[i]), fabs(o->C[i])));
  for (size_t i = 0; rc == MW_OK && most > 0.0 && i < kk; i++) {
    size_t t = i % k * k + i / k;
    double s = 0.5 * (Md[i] + Md[t]) - o->C[i] - o->C[t];
    o->skew = fmax(o->skew, fabs(s) / most);
  }
  return rc;
}

// ---- forces -------------------------------------------------------------------------------------

// −M z̈ at the rates, into f [k]; the tool's acceleration into xdd (NULL: no tool)
static mw_code forces_at(work *w, const double *rate, double *f, double *xdd, mw_error *err)
{
  mw_chart *c = &w->c;
  size_t k = (size_t)c->k;
  double x[3];
  mw_code rc = mw_chart_go(c, c->z0, rate, err);
  if (rc == MW_OK && xdd) {
    const mw_output_in *out = &c->m->model->output[w->tool];
    mw_rigid_point(c->r, out->ref, out->x, c->q, c->v, w->o.x, w->o.v);
  }
  if (rc == MW_OK) rc = mw_chart_accel(c, w->a, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < k; i++) f[i] = -mw_dot(c->k, w->o.M + i * k, w->a);
  if (xdd) {
    const mw_output_in *out = &c->m->model->output[w->tool];
    mw_rigid_point(c->r, out->ref, out->x, c->q, c->a, x, xdd);
  }
  return MW_OK;
}

static mw_code forces(work *w, mw_error *err)
{
  mw_minimal *o = &w->o;
  size_t k = (size_t)o->k;
  double xdd[3];
  mw_code rc = forces_at(w, NULL, o->g, NULL, err);
  if (rc == MW_OK) rc = forces_at(w, o->rate, o->d, w->tool >= 0 ? xdd : NULL, err);
  for (size_t i = 0; rc == MW_OK && i < k; i++)
    o->d[i] -= o->g[i] + mw_dot(o->k, o->C + i * k, o->rate);
  for (int i = 0; rc == MW_OK && w->tool >= 0 && i < 3; i++)
    o->mu[i] = -mw_dot(3, o->Lambda + 3 * i, xdd);
  return rc;
}

// ---- all of it ----------------------------------------------------------------------------------

static mw_code scratch(work *w, mw_error *err)
{
  mw_chart *c = &w->c;
  size_t k = (size_t)c->k;
  w->z = mw_arena_f64(&c->mem, k);
  w->e = mw_arena_f64(&c->mem, k);
  w->a = mw_arena_f64(&c->mem, k);
  w->M = mw_arena_f64(&c->mem, k * k);
  w->U = mw_arena_f64(&c->mem, k * (size_t)c->n.n_u);
  return mw_arena_check(&c->mem, err);
}

static mw_code prepare(work *w, const mw_linearize_at *at, mw_arena *mem, mw_error *err)
{
  mw_chart *c = &w->c;
  mw_minimal *o = &w->o;
  size_t k = (size_t)c->k;
  o->k = c->k;
  double **vector[] = { &o->z, &o->rate, &o->g, &o->d };
  for (int i = 0; i < 4; i++) *vector[i] = mw_arena_f64(mem, k);
  o->M = mw_arena_f64(mem, k * k);
  o->C = mw_arena_f64(mem, k * k);
  o->dM = mw_arena_f64(mem, k * k * k);
  o->J = mw_arena_f64(mem, 3 * k);
  o->name = mw_arena_alloc(mem, k, sizeof *o->name);
  o->unit = mw_arena_alloc(mem, k, sizeof *o->unit);
  mw_code rc = mw_arena_check(mem, err);
  for (size_t i = 0; rc == MW_OK && i < k; i++) {
    o->name[i] = mw_arena_str(mem, c->name[i]);
    o->unit[i] = c->unit[i];
    o->z[i] = c->z0[i];
    if (at->rate && c->kind[i] == MW_CHART_COORDINATE) o->rate[i] = at->rate[c->which[i]];
  }
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

static mw_code open_chart(const mw_mech *m, const mw_linearize_at *at, work *w, mw_error *err)
{
  const mw_model *model = m->model;
  if (model->n_component > 0)
    return mw_fail(err, MW_ERR_INPUT, model->component[0].at,
                   "component %.64s: its interface does not tell how inertia inside changes with "
                   "coordinates, expected the assembly's source (use:), or analyze linearize",
                   model->component[0].name);
  return mw_chart_open(m, at, &w->c, err);
}

mw_code mw_minimal_find(const mw_mech *m, const mw_linearize_at *at, int tool, mw_arena *mem,
                        mw_minimal *out, mw_error *err)
{
  work w = { .tool = tool };
  mw_minimal *o = &w.o;
  mw_code rc = open_chart(m, at, &w, err);
  if (rc == MW_OK) rc = scratch(&w, err);
  if (rc == MW_OK) rc = prepare(&w, at, mem, err);
  if (rc == MW_OK) rc = inertia_at(&w, w.c.z0, o->M, err);
  if (rc == MW_OK) rc = bounds(o->k, o->M, &o->least, &o->most, err);
  if (rc == MW_OK && tool >= 0) {
    tool_jacobian(&w, o->J, o->x);
    rc =
        tool_inertia(o->k, o->M, o->J, o->W, o->Lambda, &o->n_direction, &o->light, &o->heavy, err);
  }
  if (rc == MW_OK) rc = derivatives(&w, err);
  if (rc == MW_OK) rc = forces(&w, err);
  mw_chart_close(&w.c);
  if (rc == MW_OK) *out = *o;
  return rc;
}

// ---- over a work space --------------------------------------------------------------------------

int mw_over_points(const mw_over *o)
{
  int n = 1;
  for (int a = 0; a < o->n_axis; a++) n *= o->n[a];
  return n;
}

void mw_over_at(const mw_over *o, int point, double *value)
{
  for (int a = o->n_axis - 1; a >= 0; point /= o->n[a--])
    value[a] = o->lo[a] + (o->hi[a] - o->lo[a]) * (point % o->n[a]) / (o->n[a] - 1.0);
}

// Singular values sv [3] of J [3 × k]
static mw_code stretch(int k, const double *J, double *sv, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, 3 * (size_t)k), w[3] = { 0 };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) memcpy(A, J, 3 * (size_t)k * sizeof *A);
  if (rc == MW_OK) rc = mw_svd(3, k, A, w, NULL, NULL, err);
  if (rc == MW_OK) memcpy(sv, w, sizeof w);
  mw_arena_free(&tmp);
  return rc;
}

// What directions say that the tool has somewhere, in rows sv [n × 3] and their numbers [n].
static void judge_directions(mw_minimal_map *o, const double *sv, const int *number)
{
  for (int p = 0; p < o->n; p++)
    if (number[p] > o->n_direction) o->n_direction = number[p];
  for (int p = 0; p < o->n; p++) {
    const double *s = sv + 3 * p;
    if (isnan(o->least[p]) || o->n_direction == 0) continue;
    bool all = number[p] == o->n_direction;
    o->n_singular += !all;
    o->condition[p] = all ? s[0] / s[o->n_direction - 1] : (double)INFINITY;
    o->manipulability[p] = all ? 1.0 : 0.0;
    for (int i = 0; all && i < o->n_direction; i++) o->manipulability[p] *= s[i];
    if (!all) o->heavy[p] = (double)INFINITY;
    if (!all && o->usable) o->usable[p] = 0.0;
  }
}

// ẍ of the tool at rest where the chart is
static mw_code tool_acceleration(work *w, double xdd[3], mw_error *err)
{
  mw_chart *c = &w->c;
  const mw_output_in *out = &c->m->model->output[w->tool];
  double x[3];
  mw_code rc = mw_chart_accel(c, w->a, err);
  if (rc == MW_OK) mw_rigid_point(c->r, out->ref, out->x, c->q, c->a, x, xdd);
  return rc;
}

// What drives give the tool in its n directions, those of W
static mw_code usable(work *w, const mw_sharing *limits, const double W[9], int n, double *out,
                      mw_error *err)
{
  mw_chart *c = &w->c;
  mw_arena tmp = { 0 };
  size_t nd = (size_t)c->n_in;
  double *P = mw_arena_f64(&tmp, 3 * nd), *lo = mw_arena_f64(&tmp, nd),
         *hi = mw_arena_f64(&tmp, nd), A[9], lambda[3], V[9], x0[3], x1[3], along[3];
  mw_code rc = mw_arena_check(&tmp, err);
  memcpy(A, W, sizeof A);
  if (rc == MW_OK) rc = mw_eig_sym(3, A, lambda, V, err);
  if (rc == MW_OK) rc = mw_chart_go(c, c->z0, NULL, err);
  if (rc == MW_OK) rc = tool_acceleration(w, x0, err);
  for (int j = 0; rc == MW_OK && j < c->n_in; j++) {
    double *force = mw_chart_force(c, j), before = *force;
    *force = before + 1.0;
    rc = tool_acceleration(w, x1, err);
    *force = before;
    lo[j] = limits->lo[c->input[j]];
    hi[j] = limits->hi[c->input[j]];
    for (int i = 0; i < n; i++) {
      P[(size_t)i * nd + (size_t)j] = 0.0;
      for (int d = 0; d < 3; d++)
        P[(size_t)i * nd + (size_t)j] += V[3 * d + 2 - i] * (x1[d] - x0[d]);
    }
  }
  for (int i = 0; rc == MW_OK && i < n; i++) {
    along[i] = 0.0;
    for (int d = 0; d < 3; d++) along[i] += V[3 * d + 2 - i] * x0[d];
  }
  if (rc == MW_OK) *out = mw_usable(n, c->n_in, along, P, lo, hi);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code at_point(const mw_mech *m, const mw_linearize_at *at, int tool,
                        const mw_sharing *limits, mw_minimal_map *o, size_t p, double *sv,
                        int *number, mw_error *err)
{
  work w = { .tool = tool };
  mw_arena tmp = { 0 };
  double W[9], Lambda[9], *J;
  mw_code rc = open_chart(m, at, &w, err);
  if (rc == MW_OK) rc = scratch(&w, err);
  if (rc == MW_OK) rc = inertia_at(&w, w.c.z0, w.M, err);
  if (rc == MW_OK) rc = bounds(w.c.k, w.M, &o->least[p], &o->most[p], err);
  if (rc == MW_OK && tool >= 0) {
    J = mw_arena_f64(&tmp, 3 * (size_t)w.c.k);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) tool_jacobian(&w, J, o->x + 3 * p);
    if (rc == MW_OK)
      rc = tool_inertia(w.c.k, w.M, J, W, Lambda, number, &o->light[p], &o->heavy[p], err);
    if (rc == MW_OK) rc = stretch(w.c.k, J, sv, err);
    if (rc == MW_OK && limits) rc = usable(&w, limits, W, *number, &o->usable[p], err);
  }
  mw_arena_free(&tmp);
  mw_chart_close(&w.c);
  return rc;
}

mw_code mw_minimal_map_find(const mw_mech *m, const mw_linearize_at *at, int tool,
                            const mw_over *over, const mw_sharing *limits, mw_arena *mem,
                            mw_minimal_map *out, mw_error *err)
{
  mw_minimal_map o = { .n = mw_over_points(over) };
  size_t n = (size_t)o.n, nc = (size_t)m->n_coord;
  double **map[] = { &o.least,     &o.most,           &o.light, &o.heavy,
                     &o.condition, &o.manipulability, &o.usable };
  int n_map = limits && tool >= 0 ? 7 : 6;
  for (int i = 0; i < n_map; i++) *map[i] = mw_arena_f64(mem, n);
  o.x = mw_arena_f64(mem, 3 * n);
  unsigned char *named = mw_arena_alloc(mem, nc, 1);
  int *number = mw_arena_int(mem, n);
  double *sv = mw_arena_f64(mem, 3 * n), *value = mw_arena_f64(mem, nc), axis[MW_OVER_AXES];
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t c = 0; c < nc; c++) {
    named[c] = at->named && at->named[c];
    value[c] = at->position->s[c];
  }
  for (int a = 0; a < over->n_axis; a++) named[over->coord[a]] = 1;
  for (size_t p = 0; p < n; p++) {
    mw_arena tmp = { 0 };
    mw_position position;
    mw_linearize_at there = *at;
    mw_error why = { 0 };
    mw_over_at(over, (int)p, axis);
    for (int a = 0; a < over->n_axis; a++) value[over->coord[a]] = axis[a];
    for (int i = 0; i < n_map; i++) (*map[i])[p] = (double)NAN;
    for (int i = 0; i < 3; i++) o.x[3 * p + (size_t)i] = (double)NAN;
    there.position = &position;
    there.named = named;
    rc = mw_position_find(m, named, value, &tmp, &position, &why);
    if (rc == MW_OK) rc = at_point(m, &there, tool, limits, &o, p, sv + 3 * p, &number[p], &why);
    if (rc != MW_OK) {
      o.n_missing++;
      for (int i = 0; i < n_map; i++) (*map[i])[p] = (double)NAN;
      number[p] = 0;
    }
    mw_arena_free(&tmp);
    if ((rc == MW_ERR_MEMORY || o.n_missing == o.n) && err) *err = why;
    if (rc == MW_ERR_MEMORY) return rc;
  }
  if (o.n_missing == o.n) return MW_ERR_NUMERIC;
  judge_directions(&o, sv, number);
  *out = o;
  return MW_OK;
}
