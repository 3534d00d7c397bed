// SPDX-License-Identifier: BSD-3-Clause
// refine.c: tables finer than the grid whose modes are aligned.
//
// Following modes wants some points; splines of the coefficients, and of their slopes even more,
// want closer ones. So the aligned columns are carried to the points of a refined grid:
//   X_0 = Σ_g w_g(θ) Φ(g)                 cardinal splines through the aligned modes            (1)
//   Q = the modes φ_i of the mechanism at θ with |φ_iᵀ M X_0|² > ½ ,
//       as many as there are columns      (2)
//   Φ(θ) = Q polar(Qᵀ M X_0)              the frame nearest to (1)                              (3)
// Columns at all points are then modes to rounding: what iterations leave of (1), differently from
// point to point, is nothing to frequencies, but all of the error of slopes. Where (2) does not
// tell modes apart, and for columns that are compared with others (certificate_lines.c),
//   X_{i+1} = (K − σM)⁻¹ M X_i            subspace iteration on the exact mechanism at θ:
//       it satisfies the joints      (4)
// takes its place, which shrinks what (1) has outside the wanted space by λ_k / λ_{m+1} a step. A
// span of modes that change into others (span.c) is not invariant and would differ from that of the
// first grid's points after (2) or (4): it takes X_1 = K⁻¹ K X_0 in the mechanism at θ, the nearest
// columns in strain energy that satisfy the joints, and only where a finer table is asked for.
// Points of the first grid keep their modes. Cost: the highest mode used and a few more, each from
// the last point's (track.c), along runs of points that threads share.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_layer.h"
#include "reduction/spline.h"
#include "system/track_layer.h"
#include "work/offline_layer.h"

enum { ITERATIONS = 2, GUARDS = 4 };  // GUARDS: vectors beyond the modes looked for
enum { RUN = 16 };                    // points of a run, at least
// Intervals of a table for one of the grid's, and along an axis at least: the only one, of a grid
// that is chosen, one of several, one along which bodies turn and nothing else changes; points in
// all.
enum { REFINE = 8, FINE = 128, FINE_CHOSEN = 256, FINE_MANY = 96, TURN = 16, CHEAP = 1000 };
enum { SMOOTH_MOST = 17 };        // points of a smooth axis: with more, splines are as good
static const double HALF = 0.5;   // of a mode, squared: it is among those that columns are made of
static const double SAME = 1e-6;  // of the columns' largest entry: they do not change

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

// Psi [m × n] := of the frames that span the M-orthonormal rows of X the nearest: (3). MX [m × n]
// scratch
static mw_code nearest_frame(const mw_reduction *r, mw_system *sys, int m, double theta,
                             const double *X, double *MX, double *Psi, mw_error *err)
{
  int n = r->n;
  size_t mm = (size_t)m * (size_t)m;
  mw_arena tmp = { 0 };
  double *G = mw_arena_f64(&tmp, mm), *sv = mw_arena_f64(&tmp, (size_t)m),
         *U = mw_arena_f64(&tmp, mm), *Vt = mw_arena_f64(&tmp, mm);
  mw_code rc = mw_arena_check(&tmp, err);
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
        "the modes turn too fast between grid points to be interpolated (overlap %.2g near %s = "
        "%g); more grid "
        "points are needed",
        sv[m - 1], r->model->reduction.coordinate[0].name, theta);
  if (rc == MW_OK) {
    mw_gemm('n', 'n', m, m, m, 1.0, U, Vt, 0.0, G);
    mw_gemm('t', 'n', m, n, m, 1.0, G, X, 0.0, Psi);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_modes_carry(const mw_reduction *r, mw_system *sys, int m, double theta, double *Psi,
                       mw_error *err)
{
  size_t mn = (size_t)m * (size_t)r->n;
  mw_arena tmp = { 0 };
  double *X = mw_arena_f64(&tmp, mn), *MX = mw_arena_f64(&tmp, mn),
         *G = mw_arena_f64(&tmp, (size_t)m * (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) memcpy(X, Psi, mn * sizeof *X);
  for (int it = 0; rc == MW_OK && it < (r->align.span ? 1 : ITERATIONS); it++) {
    rc = step(r, sys, m, X, MX, err);
    if (rc == MW_OK) rc = mw_orthonormal(sys, m, r->n, X, MX, G, err);
  }
  if (rc == MW_OK) rc = nearest_frame(r, sys, m, theta, X, MX, Psi, err);
  mw_arena_free(&tmp);
  return rc;
}

// Index in the first grid of a refined point, −1 between its points.
static int first_index(const mw_reduction *fine, const mw_first_grid *first, int g)
{
  int index = 0, stride = 1;
  if (first->smooth) return -1;
  for (int i = fine->s - 1; i >= 0; i--) {
    int k = g % fine->n_grid[i];
    g /= fine->n_grid[i];
    if (k % first->factor[i] != 0) return -1;
    index += stride * (k / first->factor[i]);
    stride *= first->axis[i].n;
  }
  return index;
}

const mw_axis *mw_first_axis(const mw_reduction *r, int i)
{
  return r->first.n_point > 0 ? &r->first.axis[i] : &r->axis[i];
}

int mw_first_factor(const mw_reduction *r, int i)
{
  return r->first.n_point > 0 ? r->first.factor[i] : 1;
}

static int nearest_index(const mw_axis *a, double theta)
{
  int best = 0;
  for (int k = 1; k < a->n; k++)
    if (fabs(mw_axis_theta(a, k) - theta) < fabs(mw_axis_theta(a, best) - theta)) best = k;
  return best;
}

double mw_first_theta(const mw_reduction *r, int i, int k)
{
  double theta = mw_axis_theta(mw_first_axis(r, i), k);
  return r->axis[i].C ? mw_axis_theta(&r->axis[i], nearest_index(&r->axis[i], theta)) : theta;
}

// Index of the table point of mw_first_inner: of a smooth axis the last one before the middle
static int inner_index(const mw_reduction *r, int i, int k)
{
  const mw_axis *a = &r->axis[i], *first = mw_first_axis(r, i);
  int factor = mw_first_factor(r, i), at = k * factor + factor / 2;
  if (!a->C) return at;
  double middle = 0.5 * (mw_axis_theta(first, k) + mw_axis_theta(first, k + 1));
  for (at = 0; at + 2 < a->n && mw_axis_theta(a, at + 1) <= middle;) at++;
  return at;
}

double mw_first_inner(const mw_reduction *r, int i, int k)
{
  return mw_axis_theta(&r->axis[i], inner_index(r, i, k));
}

double mw_first_middle(const mw_reduction *r, int i, int k)
{
  int at = inner_index(r, i, k);
  return 0.5 * (mw_axis_theta(&r->axis[i], at) + mw_axis_theta(&r->axis[i], at + 1));
}

// Frees the points that a refined grid has between those of the first one.
static void free_between(mw_reduction *fine, const mw_first_grid *first)
{
  for (int g = 0; fine->point && g < fine->n_point; g++) {
    if (first_index(fine, first, g) >= 0) continue;
    mw_system_free(fine->point[g].sys);
    mw_arena_free(&fine->point[g].mem);
    mw_arena_free(&fine->point[g].mem_P);
    mw_arena_free(&fine->point[g].mem_pass);
  }
}

void mw_reduction_coarsen(mw_reduction *r)
{
  mw_first_grid first = r->first;
  if (first.n_point == 0) return;
  free_between(r, &first);
  for (int g = 0; g < r->n_point; g++) {
    int k = first_index(r, &first, g);
    if (k >= 0) first.point[k] = r->point[g];
  }
  for (int i = 0; i < r->s; i++) {
    r->axis[i] = first.axis[i];
    r->n_grid[i] = first.axis[i].n;
  }
  r->n_point = first.n_point;
  r->point = first.point;
  r->first.n_point = 0;
}

// ---- modes between the points -------------------------------------------------------------------

// Points between those of the first grid, in runs along the last axis: each run by itself.
typedef struct refining {
  mw_reduction *fine;
  const mw_reduction *r;  // of the first grid
  const mw_first_grid *first;
  const mw_patterns *p;
  int k, all;  // modes that columns are made of, proved; vectors
  int n_run;   // runs of a line along the last axis
} refining;

// Modes from point to point of a run, each from the last one's vectors.
typedef struct walk {
  int k, all;
  bool any;                // there are vectors
  double *lambda, *Y, *X;  // [all], [all × n], [m × n]
  double *C;               // [all × m]
  mw_arena mem;
} walk;

// One mode more than the highest that columns are made of anywhere.
static int modes_used(const mw_reduction *r)
{
  int k = 0;
  size_t m = (size_t)r->m_modes;
  for (int g = 0; g < r->n_point; g++)
    for (int i = k; i < r->align.k; i++) {
      const double *row = r->align.Q + ((size_t)g * (size_t)r->align.k + (size_t)i) * m;
      if (mw_dot(r->m_modes, row, row) > HALF) k = i + 1;
    }
  return k + 1;
}

// Vectors beyond the modes looked for: of those that the first grid's points have, where they have
// enough.
static void count_vectors(refining *z)
{
  int most = z->r->modes_most, have = z->r->point[0].k, k = modes_used(z->r);
  z->k = k < most ? k : most;
  z->all = z->k + GUARDS < most ? z->k + GUARDS : most;
  if (z->k <= have && have < z->all) z->all = have;
}

static mw_code walk_init(const refining *z, walk *w, mw_error *err)
{
  size_t n = (size_t)z->r->n, m = (size_t)z->r->m_modes, all = (size_t)z->all;
  *w = (walk){ .k = z->k, .all = z->all };
  w->lambda = mw_arena_f64(&w->mem, all);
  w->Y = mw_arena_f64(&w->mem, all * n);
  w->C = mw_arena_f64(&w->mem, all * m);
  w->X = mw_arena_f64(&w->mem, m * n);
  return mw_arena_check(&w->mem, err);
}

// Goes on from the modes of a point of the first grid, if they are as many.
static void walk_from(walk *w, const mw_grid_point *pt, int n)
{
  w->any = pt->Phi && pt->k >= w->all;
  if (w->any) memcpy(w->Y, pt->Phi, (size_t)w->all * (size_t)n * sizeof *w->Y);
}

// The m modes that the columns Psi are made of, into w->X; false where they are not m modes. MX [m
// × n] scratch
static bool chosen_modes(walk *w, mw_system *sys, int m, int n, const double *Psi, double *MX)
{
  int kept = 0;
  for (int a = 0; a < m; a++)
    mw_system_mul_M(sys, Psi + (size_t)a * (size_t)n, MX + (size_t)a * (size_t)n);
  mw_gemm('n', 't', w->k, m, n, 1.0, w->Y, MX, 0.0, w->C);
  for (int i = 0; i < w->k; i++) {
    const double *row = w->C + (size_t)i * (size_t)m;
    if (!(mw_dot(m, row, row) > HALF)) continue;
    if (kept == m) return false;
    memcpy(w->X + (size_t)kept++ * (size_t)n, w->Y + (size_t)i * (size_t)n,
           (size_t)n * sizeof *w->X);
  }
  return kept == m;
}

// Psi [m × n] of a new point: (1) to columns of its modes
static mw_code modes_of_point(const mw_reduction *r, walk *w, mw_grid_point *pt, double theta,
                              mw_error *err)
{
  int m = r->m_modes;
  mw_arena tmp = { 0 };
  double *MX = mw_arena_f64(&tmp, (size_t)m * (size_t)r->n);
  mw_code rc = mw_arena_check(&tmp, err);
  bool complete = w->all == r->motions;  // all motions there are: none to be told from
  if (rc == MW_OK &&
      !(w->any && !complete && mw_system_track(pt->sys, w->k, w->all, w->Y, w->lambda, w->Y, err)))
    rc = mw_system_modes(pt->sys, w->all, w->lambda, w->Y, err);
  w->any = rc == MW_OK;
  if (rc == MW_OK && chosen_modes(w, pt->sys, m, r->n, pt->Psi, MX))
    rc = nearest_frame(r, pt->sys, m, theta, w->X, MX, pt->Psi, err);
  else if (rc == MW_OK)
    rc = mw_modes_carry(r, pt->sys, m, theta, pt->Psi, err);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code new_point(const refining *z, walk *w, int g, const mw_config *near, mw_error *err)
{
  mw_reduction *fine = z->fine;
  const mw_patterns *p = z->p;
  mw_grid_point *pt = &fine->point[g];
  double theta[MW_ROM_MAX_S];
  mw_reduction_theta(fine, g, theta);
  mw_code rc = mw_config_at(fine->mech, fine->locked, fine->s, fine->coord, theta, near, &pt->mem,
                            &pt->q, err);
  if (rc == MW_OK)
    rc = mw_system_build(fine->blocks, fine->locked, fine->hold, pt->q.p, pt->q.s, &pt->sys, err);
  pt->Psi =
      mw_arena_f64(&pt->mem_pass, (size_t)(fine->m_modes + p->n + MW_SPAN_SPARE) * (size_t)fine->n);
  pt->P = mw_arena_f64(&pt->mem_P, (size_t)p->n * (size_t)fine->n);
  if (rc == MW_OK) rc = mw_arena_check(&pt->mem_P, err);
  if (rc == MW_OK) rc = mw_arena_check(&pt->mem_pass, err);
  if (rc == MW_OK) rc = mw_columns_at(z->r, theta, fine->m_modes, pt->Psi, err);
  if (rc == MW_OK && fine->align.span)
    rc = mw_modes_carry(fine, pt->sys, fine->m_modes, theta[0], pt->Psi, err);
  else if (rc == MW_OK)
    rc = modes_of_point(fine, w, pt, theta[0], err);
  if (rc == MW_OK) rc = mw_patterns_free(fine, p, pt, err);
  return rc;
}

// The point of the first grid that is nearest to a refined one.
static int nearest_first(const refining *z, int g)
{
  int index = 0, stride = 1;
  for (int i = z->fine->s - 1; i >= 0; i--) {
    const mw_axis *first = &z->first->axis[i];
    double theta = mw_axis_theta(&z->fine->axis[i], g % z->fine->n_grid[i]);
    g /= z->fine->n_grid[i];
    index += stride * nearest_index(first, theta);
    stride *= first->n;
  }
  return index;
}

static mw_code one_run(const refining *z, int i, mw_error *err)
{
  int n = z->fine->n_grid[z->fine->s - 1], line = i / z->n_run, j = i % z->n_run;
  int from = line * n + j * n / z->n_run, to = line * n + (j + 1) * n / z->n_run;
  const mw_grid_point *last = &z->r->point[nearest_first(z, from)];
  walk w;
  mw_code rc = walk_init(z, &w, err);
  if (rc == MW_OK) walk_from(&w, last, z->r->n);
  for (int g = from; rc == MW_OK && g < to; g++) {
    int k = first_index(z->fine, z->first, g);
    if (k >= 0) {
      z->fine->point[g] = z->r->point[k];  // shared until all new points are made
      walk_from(&w, &z->r->point[k], z->r->n);
    } else {
      rc = new_point(z, &w, g, &last->q, err);
    }
    last = &z->fine->point[g];
  }
  mw_arena_free(&w.mem);
  return rc;
}

static mw_code some_runs(void *ctx, int from, int to, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = from; rc == MW_OK && i < to; i++) rc = one_run(ctx, i, err);
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

// Does a body turn along an axis?
static bool turns(const mw_reduction *r, int axis)
{
  const double *v = r->point[0].q.v + (size_t)axis * (size_t)r->mech->n_body * 6;
  for (int b = 0; b < r->mech->n_body; b++)
    for (int k = 3; k < 6; k++)
      if (v[6 * b + k] != 0.0) return true;
  return false;
}

// Intervals for one of the grid's along each axis: as the model says; else as many as the points
// are cheap, one more at a time for the axis with the fewest, of those along which columns change;
// as many as a grid that chooses itself wants at least.
static bool factors(const mw_reduction *r, mw_first_grid *first)
{
  const mw_reduction_in *in = &r->model->reduction;
  bool open[MW_ROM_MAX_S], any = false;
  double points = 1.0;
  int *factor = first->factor;
  int fine = r->s > 1 ? FINE_MANY : in->grid_auto ? FINE_CHOSEN : FINE;
  for (int i = 0; i < r->s; i++) {
    bool change = mw_modes_change(r, i);
    // what a span exchanges it does not know between the points of its grid
    open[i] = in->coordinate[i].refine == 0 && change && !r->align.span;
    factor[i] = in->coordinate[i].refine > 0 ? in->coordinate[i].refine : 1;
    // tables that are no drafts get points between for what turns with the bodies alone
    if (r->choosing && !change && turns(r, i)) {
      factor[i] = (TURN - 1) / (r->n_grid[i] - 1) + 1;
      first->draft = true;
    }
    if (r->finer[i] > factor[i] && !r->align.span) factor[i] = r->finer[i];
    points *= (r->n_grid[i] - 1) * factor[i] + 1;
  }
  for (;;) {
    int least = -1;
    for (int i = 0; i < r->s; i++)
      if (open[i] &&
          (least < 0 || (r->n_grid[i] - 1) * factor[i] < (r->n_grid[least] - 1) * factor[least]))
        least = i;
    if (least < 0) break;
    int n = r->n_grid[least] - 1, f = factor[least];
    double more = points / (n * f + 1) * (n * (f + 1) + 1);
    open[least] = more <= CHEAP && (f < REFINE || n * (f + 1) <= fine);
    if (!open[least]) continue;
    factor[least]++;
    points = more;
  }
  for (int i = 0; i < r->s; i++) any = any || factor[i] > 1;
  return any;
}

// Not those of spans, which know nothing between the grid's points, those that could not be as fine
// as they were to be, and those of one coordinate, which have all points that are of use.
bool mw_table_may_have(const mw_reduction *r, int axis, int factor)
{
  int n = mw_first_axis(r, axis)->n - 1;
  return r->s > 1 && !r->align.span && r->model->reduction.coordinate[axis].refine == 0 &&
         mw_first_factor(r, axis) >= r->finer[axis] && factor <= REFINE && factor * n <= FINE_MANY;
}

// Is a finer table asked for nowhere?
static bool automatic(const mw_reduction *r)
{
  for (int i = 0; i < r->s; i++)
    if (r->model->reduction.coordinate[i].refine > 1) return false;
  return true;
}

// May tables have smooth axes (axis_smooth.c)? Those of a grid that is chosen, in three coordinates
// or more, which are dear, and of a mechanism that slides.
static bool may_be_smooth(const mw_reduction *r)
{
  bool may = r->s >= 3 && r->model->reduction.grid_auto;
  for (int i = 0; i < r->s; i++) {
    const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
    may = may && c->refine == 0 && !c->symmetric && !r->axis[i].cyclic && !turns(r, i);
  }
  return may;
}

// Intervals of one width
static bool is_even(const mw_axis *a)
{
  bool even = !a->C;
  for (int k = 1; even && k + 1 < a->n; k++) even = a->at[k + 1] - a->at[k] == a->at[1];
  return even;
}

// The finer axes; sets first->smooth.
static mw_code finer_axes(mw_reduction *r, mw_first_grid *first, mw_axis *fine, mw_error *err)
{
  mw_code rc = MW_OK;
  bool smooth = may_be_smooth(r);
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    const mw_axis *a = &r->axis[i];
    int n = (a->n - 1) * first->factor[i] + 1;
    if (first->factor[i] == 1) continue;
    if (smooth && n <= SMOOTH_MOST && is_even(a)) {
      rc = mw_axis_smooth(a->lo, a->hi, n, &r->mem, &fine[i], err);
      first->smooth = true;
    } else {
      rc = mw_axis_subdivide(a, first->factor[i], &r->mem, &fine[i], err);
    }
  }
  return rc;
}

mw_code mw_reduction_refine(mw_reduction *r, const mw_patterns *p, mw_error *err)
{
  mw_first_grid first = { .n_point = r->n_point, .point = r->point };
  mw_reduction fine = *r;
  mw_code rc = MW_OK;
  if (!factors(r, &first)) return MW_OK;
  memcpy(first.axis, r->axis, sizeof first.axis);
  rc = finer_axes(r, &first, fine.axis, err);
  if (rc != MW_OK) return rc;
  fine.mem = r->mem;
  rc = mw_reduction_grid(&fine, err);
  r->mem = fine.mem;
  if (rc != MW_OK) return rc;
  fine.first = first;
  refining z = { .fine = &fine, .r = r, .first = &first, .p = p };
  int n = fine.n_grid[fine.s - 1];
  count_vectors(&z);
  z.n_run = n > RUN ? n / RUN : 1;
  mw_points runs = {
    .n = fine.n_point / n * z.n_run, .block = 1, .fn = some_runs, .ctx = &z, .progress = r->progress
  };
  mw_progress_start(r->progress, "refining the tables", runs.n);
  rc = mw_parallel_points(r->work, &runs, err);
  mw_progress_end(r->progress);
  if (rc != MW_OK) {  // the shared points belong to r
    free_between(&fine, &first);
    if (rc != MW_ERR_NUMERIC || !automatic(r)) return rc;
    mw_progress_note(r->progress,
                     "modes turn too fast for a table finer than the grid: it stays as it is");
    if (err) *err = (mw_error){ 0 };
    return MW_OK;
  }
  *r = fine;
  return MW_OK;
}
