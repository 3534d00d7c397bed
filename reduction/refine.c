// SPDX-License-Identifier: BSD-3-Clause
// refine.c: tables finer than the grid of eigenanalyses.
//
// The eigenanalyses and their alignment cost; splines of the coefficients want points closer than the modes do. So the
// aligned modes are carried to the points of a refined grid without another eigenanalysis:
//   X_0 = Σ_g w_g(θ) Φ(g)                 cardinal splines through the aligned modes                            (1)
//   X_{i+1} = (K − σM)⁻¹ M X_i            subspace iteration on the exact mechanism at θ: it satisfies the joints  (2)
//   Φ(θ) = Q polar(Qᵀ M X_0)              Q: M-orthonormal basis of the result; the frame nearest to (1)           (3)
// (2) shrinks what (1) has outside the wanted space by λ_k / λ_{m+1} a step; frequencies then err by its square. A span of modes
// that change into others (span.c) is not invariant and would differ from that of the first grid's points after (2): it takes
// X_1 = K⁻¹ K X_0 in the mechanism at θ, the nearest columns in strain energy that satisfy the joints. Points of the
// first grid keep their modes. Cost: m × ITERATIONS solves a point, against 2 m + 12 and more for an eigenanalysis.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_priv.h"
#include "reduction/spline.h"

enum { ITERATIONS = 2, REFINE = 8, CHEAP = 1000 };
static const double SAME = 1e-6;  // of the columns' largest entry: they do not change
static const double FAR = 1e-18;  // weights of points too far away to be seen in double precision

mw_code mw_grid_weights(const mw_reduction *r, const double *theta, double *c, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *w[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++) w[i] = mw_arena_f64(&tmp, (size_t)r->n_grid[i]);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    rc = mw_axis_weights(&r->axis[i], theta[i], w[i], err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    c[g] = 1.0;
    for (int i = r->s - 1, rest = g; i >= 0; rest /= r->n_grid[i], i--)
      c[g] *= w[i][rest % r->n_grid[i]];
    if (!(fabs(c[g]) > FAR)) c[g] = 0.0;
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_columns_at(const mw_reduction *r, const double *theta, int m, double *X, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t mn = (size_t)m * (size_t)r->n;
  double *c = mw_arena_f64(&tmp, (size_t)r->n_point);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_grid_weights(r, theta, c, err);
  if (rc == MW_OK) memset(X, 0, mn * sizeof(double));
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    if (c[g] != 0.0) mw_axpy((int)mn, c[g], r->point[g].Psi, X);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_orthonormal(mw_system *sys, int m, int n, double *X, double *MX, double *G,
                       mw_error *err)
{
  mw_code rc = MW_OK;
  for (int twice = 0; rc == MW_OK && twice < 2; twice++) {
    for (int a = 0; a < m; a++)
      mw_system_mul_M(sys, X + (size_t)a * (size_t)n, MX + (size_t)a * (size_t)n);
    mw_gemm('n', 't', m, m, n, 1.0, X, MX, 0.0, G);
    rc = mw_chol_factor(m, G, err);
    // X := L⁻¹ X by rows
    for (int a = 0; rc == MW_OK && a < m; a++) {
      double *x = X + (size_t)a * (size_t)n;
      for (int b = 0; b < a; b++) mw_axpy(n, -G[a * m + b], X + (size_t)b * (size_t)n, x);
      for (int i = 0; i < n; i++) x[i] /= G[a * m + a];
    }
  }
  return rc;
}

// (2) once, of K X in place of M X for a span of modes (span.c): as it is, held to the joints.
static mw_code step(const mw_reduction *r, mw_system *sys, int m, double *X, double *MX,
                    mw_error *err)
{
  size_t n = (size_t)r->n;
  for (int a = 0; a < m; a++)
    (r->align.span ? mw_system_mul_K : mw_system_mul_M)(sys, X + (size_t)a * n, MX + (size_t)a * n);
  return mw_system_solve_many(sys, m, MX, X, err);
}

mw_code mw_modes_carry(const mw_reduction *r, mw_system *sys, int m, double theta, double *Psi,
                       mw_error *err)
{
  int n = r->n;
  size_t mn = (size_t)m * (size_t)n, mm = (size_t)m * (size_t)m;
  mw_arena tmp = { 0 };
  double *X = mw_arena_f64(&tmp, mn), *MX = mw_arena_f64(&tmp, mn), *G = mw_arena_f64(&tmp, mm);
  double *sv = mw_arena_f64(&tmp, (size_t)m), *U = mw_arena_f64(&tmp, mm),
         *Vt = mw_arena_f64(&tmp, mm);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) memcpy(X, Psi, mn * sizeof *X);
  for (int it = 0; rc == MW_OK && it < (r->align.span ? 1 : ITERATIONS); it++) {
    rc = step(r, sys, m, X, MX, err);
    if (rc == MW_OK) rc = mw_orthonormal(sys, m, n, X, MX, G, err);
  }
  // polar factor of Q M X_0ᵀ: rows of Psi = (U Vt)ᵀ Q
  for (int a = 0; rc == MW_OK && a < m; a++)
    mw_system_mul_M(sys, X + (size_t)a * (size_t)n, MX + (size_t)a * (size_t)n);
  if (rc == MW_OK) {
    mw_gemm('n', 't', m, m, n, 1.0, MX, Psi, 0.0, G);
    rc = mw_svd(m, m, G, sv, U, Vt, err);
  }
  if (rc == MW_OK && !(sv[m - 1] > 0.5))
    rc = mw_fail(
        err, MW_ERR_NUMERIC, MW_NOWHERE,
        "the modes turn too fast between grid points to be interpolated (overlap %.2g near %s = %g); more grid "
        "points are needed",
        sv[m - 1], r->model->reduction.coordinate[0].name, theta);
  if (rc == MW_OK) {
    mw_gemm('n', 'n', m, m, m, 1.0, U, Vt, 0.0, G);
    mw_gemm('t', 'n', m, n, m, 1.0, G, X, 0.0, Psi);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Index in the first grid of a refined point, −1 between its points.
static int first_index(const mw_reduction *fine, const mw_reduction *first, int g,
                       const int *factor)
{
  int index = 0, stride = 1;
  for (int i = fine->s - 1; i >= 0; i--) {
    int k = g % fine->n_grid[i];
    g /= fine->n_grid[i];
    if (k % factor[i] != 0) return -1;
    index += stride * (k / factor[i]);
    stride *= first->n_grid[i];
  }
  return index;
}

static mw_code new_point(mw_reduction *fine, const mw_reduction *first, int g, int near,
                         mw_error *err)
{
  mw_grid_point *pt = &fine->point[g];
  double theta[MW_ROM_MAX_S];
  mw_reduction_theta(fine, g, theta);
  mw_code rc = mw_config_at(fine->mech, fine->locked, fine->s, fine->coord, theta,
                            &fine->point[near].q, &pt->mem, &pt->q, err);
  if (rc == MW_OK)
    rc = mw_system_build(fine->blocks, fine->locked, fine->hold, pt->q.p, pt->q.s, &pt->sys, err);
  pt->Psi = mw_arena_f64(&pt->mem_pass,
                         (size_t)(fine->m_modes + fine->n_cand + MW_SPAN_SPARE) * (size_t)fine->n);
  pt->P = mw_arena_f64(&pt->mem_pass, (size_t)fine->n_cand * (size_t)fine->n);
  if (rc == MW_OK) rc = mw_arena_check(&pt->mem_pass, err);
  if (rc == MW_OK) rc = mw_columns_at(first, theta, fine->m_modes, pt->Psi, err);
  if (rc == MW_OK) rc = mw_modes_carry(fine, pt->sys, fine->m_modes, theta[0], pt->Psi, err);
  if (rc == MW_OK) rc = mw_patterns_free(fine, pt, err);
  return rc;
}

bool mw_modes_change(const mw_reduction *r, int axis)
{
  size_t mn = (size_t)r->m_modes * (size_t)r->n;
  int stride = 1;
  for (int j = axis + 1; j < r->s; j++) stride *= r->n_grid[j];
  for (int g = 0; g < r->n_point; g++) {
    int k = g / stride % r->n_grid[axis];
    const double *x = r->point[g].Psi, *x0 = r->point[g - k * stride].Psi;
    double most = 0.0, apart = 0.0;
    for (size_t i = 0; i < mn; i++) {
      most = fmax(most, fabs(x[i]));
      apart = fmax(apart, fabs(x[i] - x0[i]));
    }
    if (!(apart <= SAME * most)) return true;
  }
  return false;
}

// Intervals for one of the grid's along each axis: as the model says; else the same for all axes along which columns change,
// as many as the points are cheap.
static bool factors(const mw_reduction *r, int factor[MW_ROM_MAX_S])
{
  const mw_reduction_in *in = &r->model->reduction;
  bool open[MW_ROM_MAX_S], any = false;
  double points = INFINITY;
  for (int i = 0; i < r->s; i++) {
    open[i] = in->coordinate[i].refine == 0 && mw_modes_change(r, i);
    factor[i] = in->coordinate[i].refine > 0 ? in->coordinate[i].refine : 1;
  }
  for (int f = REFINE; f >= 1 && points > CHEAP; f--) {
    points = 1.0;
    for (int i = 0; i < r->s; i++) {
      if (open[i]) factor[i] = f;
      points *= (r->n_grid[i] - 1) * factor[i] + 1;
    }
  }
  for (int i = 0; i < r->s; i++) any = any || factor[i] > 1;
  return any && !r->choosing;
}

// Did nobody ask for a finer table?
static bool automatic(const mw_reduction *r)
{
  for (int i = 0; i < r->s; i++)
    if (r->model->reduction.coordinate[i].refine > 1) return false;
  return true;
}

mw_code mw_reduction_refine(mw_reduction *r, mw_error *err)
{
  int factor[MW_ROM_MAX_S];
  mw_reduction fine = *r;
  mw_code rc = MW_OK;
  if (!factors(r, factor)) return MW_OK;
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (factor[i] > 1) rc = mw_axis_subdivide(&r->axis[i], factor[i], &r->mem, &fine.axis[i], err);
  if (rc != MW_OK) return rc;
  fine.mem = r->mem;
  rc = mw_reduction_grid(&fine, err);
  r->mem = fine.mem;
  if (rc != MW_OK) return rc;
  fine.mem = r->mem;
  mw_progress_start(r->progress, "refining the tables", fine.n_point);
  int last = 0;
  for (int g = 0; rc == MW_OK && g < fine.n_point; g++) {
    int k = first_index(&fine, r, g, factor);
    if (k >= 0)
      fine.point[g] = r->point[k];  // shared until all new points are made
    else
      rc = new_point(&fine, r, g, last, err);
    last = g;
    mw_progress_step(r->progress, g + 1);
  }
  mw_progress_end(r->progress);
  if (rc != MW_OK) {  // the shared points belong to r; free the new ones alone
    for (int g = 0; fine.point && g < fine.n_point; g++) {
      if (first_index(&fine, r, g, factor) >= 0) continue;
      mw_system_free(fine.point[g].sys);
      mw_arena_free(&fine.point[g].mem);
      mw_arena_free(&fine.point[g].mem_pass);
    }
    if (rc != MW_ERR_NUMERIC || !automatic(r)) return rc;
    mw_progress_note(r->progress,
                     "modes turn too fast for a table finer than the grid: it stays as it is");
    if (err) *err = (mw_error){ 0 };
    return MW_OK;
  }
  *r = fine;
  return MW_OK;
}
