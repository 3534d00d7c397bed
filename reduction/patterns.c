// SPDX-License-Identifier: BSD-3-Clause
// patterns.c: static patterns, θ held, and which of them the whole grid keeps.
//
//   P_j = K⁻¹ f_j ,   f_j: unit force at an output or drive, inertia force −M ρ_θ of unit acceleration, gravity     (1)
//
// Heirman, Brüls, Desmet 2009, section 2 (loads); the acceleration and gravity patterns make quasi-static deflection
// exact. Candidates are made M-orthogonal to the modes; loads first, then inertia and gravity, the one whose residual holds
// the largest strain energy is taken, the others are made orthogonal to it, and so on. One is kept for the whole grid or
// not at all:
//   share:  its energy reaches SHARE × tolerance of the largest energy of its group
//   smooth: normalised and signed, it overlaps itself by at least one half along every edge of the grid
// Where a residual vanishes (a load over a support, a carriage right under another load) its direction is continued by
// the cubic through its neighbours along an axis: the residual passes through zero there, its direction does not.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "reduce_priv.h"

static const double SHARE = 0.01;  // of the tolerance asked for
static const double HEALTHY =
    1e-8;  // residual relative to the pattern, in M-norm: below, it has no direction of its own
static const double SMOOTH = 0.5;  // least overlap with a neighbour

static void add_candidate(mw_reduction *r, mw_pattern p, const char *what, const char *name,
                          const char *axis)
{
  p.name = mw_arena_printf(&r->mem, "pattern %s%s%s", what, name, axis);
  r->cand[r->n_cand++] = p;
}

mw_code mw_patterns_list(mw_reduction *r, mw_error *err)
{
  static const char *const axes[3] = { ".x", ".y", ".z" };
  const mw_model *m = r->model;
  const mw_reduction_in *in = &m->reduction;
  r->cand =
      mw_arena_alloc(&r->mem, (size_t)(3 * m->n_output + m->n_drive + r->s + 1), sizeof *r->cand);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK) return rc;
  for (int o = 0; in->pattern_outputs && o < m->n_output; o++)
    for (int k = 0; k < 3 && !mw_output_is_gauge(&m->output[o]); k++)  // a stress is no load
      add_candidate(r, (mw_pattern){ .kind = MW_PATTERN_OUTPUT, .index = o, .axis = k }, "",
                    m->output[o].name, axes[k]);
  for (int d = 0; in->pattern_drives && d < m->n_drive; d++) {
    int joint = m->drive[d].joint;
    if (joint >= 0 && r->locked[r->mech->joint[joint].coord]) continue;  // held: it moves nothing
    add_candidate(r, (mw_pattern){ .kind = MW_PATTERN_DRIVE, .index = d }, "", m->drive[d].name,
                  "");
  }
  for (int i = 0; in->pattern_acceleration && i < r->s; i++)
    add_candidate(r, (mw_pattern){ .kind = MW_PATTERN_ACCELERATION, .index = i }, "acceleration ",
                  m->reduction.coordinate[i].name, "");
  if (in->pattern_gravity)
    add_candidate(r, (mw_pattern){ .kind = MW_PATTERN_GRAVITY }, "gravity", "", "");
  return mw_arena_check(&r->mem, err);
}

static void load_of(const mw_reduction *r, mw_system *sys, const mw_config *q, const mw_pattern *c,
                    double *f, double *tmp)
{
  const mw_model *m = r->model;
  const double none[3] = { 0.0, 0.0, 0.0 }, e[3] = { c->axis == 0, c->axis == 1, c->axis == 2 };
  switch (c->kind) {
  case MW_PATTERN_OUTPUT:
    mw_system_load_point(sys, m->output[c->index].ref, m->output[c->index].x, e, f);
    break;
  case MW_PATTERN_DRIVE: {
    const mw_drive_in *d = &m->drive[c->index];
    if (d->joint >= 0)
      mw_system_load_coord(sys, r->mech->joint[d->joint].coord, f);
    else
      mw_system_load_point(sys, d->on, none, d->dir, f);
    break;
  }
  case MW_PATTERN_ACCELERATION:
    mw_system_rigid(sys, q->v + 6 * (size_t)r->mech->n_body * (size_t)c->index, tmp);
    mw_system_mul_M(sys, tmp, f);
    for (int i = 0; i < r->n; i++) f[i] = -f[i];
    break;
  case MW_PATTERN_GRAVITY: mw_system_load_gravity(sys, f); break;
  }
}

mw_code mw_patterns_build(const mw_reduction *r, mw_system *sys, const mw_config *q, double *P,
                          mw_error *err)
{
  mw_arena tmp = { 0 };
  double *w = mw_arena_f64(&tmp, (size_t)r->n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int j = 0; rc == MW_OK && j < r->n_cand; j++)
    load_of(r, sys, q, &r->cand[j], P + (size_t)j * (size_t)r->n, w);
  if (rc == MW_OK) rc = mw_system_solve_many(sys, r->n_cand, P, P, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_patterns_free(mw_reduction *r, mw_grid_point *pt, mw_error *err)
{
  if (r->hold == 0) return mw_patterns_build(r, pt->sys, &pt->q, pt->P, err);
  mw_system *free_sys = NULL;
  mw_code rc = mw_system_build(r->blocks, r->locked, false, pt->q.p, pt->q.s, &free_sys, err);
  if (rc != MW_OK) return rc;
  mw_system_free(pt->sys);
  pt->sys = free_sys;
  return mw_patterns_build(r, pt->sys, &pt->q, pt->P, err);
}

typedef struct select_work {
  double *Mp, *res;         // [n], [n_point × n] residuals, normalised
  double *norm;             // [n_point × n_cand]  M-norm of the candidates
  double *energy;           // [n_cand]  largest strain energy pᵀKp on the grid
  char *healthy, *reached;  // [n_point]
  int *queue;               // [n_point]
} select_work;

static double m_norm(mw_system *sys, int n, const double *x, double *Mx)
{
  mw_system_mul_M(sys, x, Mx);
  return sqrt(mw_dot(n, x, Mx));
}

static double k_energy(mw_system *sys, int n, const double *x, double *Kx)
{
  mw_system_mul_K(sys, x, Kx);
  return mw_dot(n, x, Kx);
}

static void scale(int n, double a, double *x)
{
  for (int i = 0; i < n; i++) x[i] *= a;
}

// x := x − Σ_{i in [from, to)} ψ_i ψ_iᵀ M x, twice
static void deflate(const mw_grid_point *pt, int n, int from, int to, double *x, double *Mx)
{
  for (int twice = 0; twice < 2; twice++) {
    mw_system_mul_M(pt->sys, x, Mx);
    for (int i = from; i < to; i++) {
      const double *psi = pt->Psi + (size_t)i * (size_t)n;
      mw_axpy(n, -mw_dot(n, psi, Mx), psi, x);
    }
  }
}

static bool is_load(const mw_pattern *p)
{
  return p->kind == MW_PATTERN_OUTPUT || p->kind == MW_PATTERN_DRIVE;
}

// Largest energy of the candidate's group: unit loads, or inertia and gravity loads.
static double group_energy(const mw_reduction *r, const select_work *w, int j)
{
  double big = 0.0;
  for (int k = 0; k < r->n_cand; k++)
    if (is_load(&r->cand[k]) == is_load(&r->cand[j])) big = fmax(big, w->energy[k]);
  return big;
}

// Takes columns [from, to) of Psi out of candidate j everywhere; returns the largest strain energy that is left of it.
static double take_out(mw_reduction *r, select_work *w, int j, int from, int to)
{
  double energy = 0.0;
  for (int g = 0; g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double *x = pt->P + (size_t)j * (size_t)r->n;
    deflate(pt, r->n, from, to, x, w->Mp);
    energy = fmax(energy, k_energy(pt->sys, r->n, x, w->Mp));
  }
  return energy;
}

// Normalised residuals of candidate j where they are healthy.
static void residuals(mw_reduction *r, select_work *w, int j)
{
  size_t n = (size_t)r->n;
  for (int g = 0; g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double *x = w->res + (size_t)g * n, whole = w->norm[(size_t)g * (size_t)r->n_cand + (size_t)j];
    memcpy(x, pt->P + (size_t)j * n, n * sizeof *x);
    double left = m_norm(pt->sys, r->n, x, w->Mp);
    w->healthy[g] = left > HEALTHY * whole && whole > 0.0;
    if (w->healthy[g]) scale(r->n, 1.0 / left, x);
  }
}

static double overlap(const mw_reduction *r, select_work *w, int g, int h)
{
  mw_system_mul_M(r->point[g].sys, w->res + (size_t)g * (size_t)r->n, w->Mp);
  return mw_dot(r->n, w->res + (size_t)h * (size_t)r->n, w->Mp);
}

// Grid point `step` further along an axis of stride `stride`, −1 outside.
static int along(const mw_reduction *r, int axis, int stride, int g, int step)
{
  int k = g / stride % r->n_grid[axis] + step;
  return k < 0 || k >= r->n_grid[axis] ? -1 : g + step * stride;
}

// Signs from the first healthy point on, over neighbours and over one point in between (a residual changes its sign where
// it passes through zero); false when some healthy point cannot be reached.
static bool continue_signs(mw_reduction *r, select_work *w)
{
  int head = 0, tail = 0, healthy = 0;
  memset(w->reached, 0, (size_t)r->n_point);
  for (int g = 0; g < r->n_point; g++) healthy += w->healthy[g];
  for (int g = 0; g < r->n_point && tail == 0; g++)
    if (w->healthy[g]) {
      w->queue[tail++] = g;
      w->reached[g] = 1;
    }
  while (head < tail) {
    int g = w->queue[head++], stride = 1;
    for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--)
      for (int k = 0; k < 4; k++) {
        static const int steps[4] = { 1, -1, 2, -2 };
        int h = along(r, i, stride, g, steps[k]);
        if (h < 0 || !w->healthy[h] || w->reached[h]) continue;
        if (overlap(r, w, g, h) < 0.0) scale(r->n, -1.0, w->res + (size_t)h * (size_t)r->n);
        w->reached[h] = 1;
        w->queue[tail++] = h;
      }
  }
  return tail == healthy && healthy > 0;
}

// The residual at an unhealthy point by Lagrange's polynomial through up to four healthy neighbours along an axis.
static bool fill_point(mw_reduction *r, select_work *w, int g)
{
  int best_axis = -1, node[4], best[4], n_best = 0, stride = 1;
  for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--) {
    int k = 0;
    for (int d = 1; d < r->n_grid[i] && k < 4; d++)
      for (int sign = -1; sign <= 1 && k < 4; sign += 2) {
        int h = along(r, i, stride, g, sign * d);
        if (h >= 0 && w->healthy[h] == 1) node[k++] = sign * d;
      }
    if (k <= n_best) continue;
    n_best = k;
    best_axis = stride;
    memcpy(best, node, sizeof best);
  }
  if (n_best < 3) return false;
  double *x = w->res + (size_t)g * (size_t)r->n;
  memset(x, 0, (size_t)r->n * sizeof *x);
  for (int a = 0; a < n_best; a++) {
    double c = 1.0;
    for (int b = 0; b < n_best; b++)
      if (b != a) c *= (double)best[b] / (double)(best[b] - best[a]);
    mw_axpy(r->n, c, w->res + ((size_t)(g + best[a] * best_axis)) * (size_t)r->n, x);
  }
  // the nearest in strain energy that keeps this point's joints: K⁻¹ K x on the constrained space
  mw_system_mul_K(r->point[g].sys, x, w->Mp);
  if (mw_system_solve(r->point[g].sys, w->Mp, x, NULL) != MW_OK) return false;
  deflate(&r->point[g], r->n, 0, r->m, x, w->Mp);
  double norm = m_norm(r->point[g].sys, r->n, x, w->Mp);
  if (!(norm > SMOOTH)) return false;
  scale(r->n, 1.0 / norm, x);
  return true;
}

static bool is_smooth(mw_reduction *r, select_work *w)
{
  if (!continue_signs(r, w)) return false;
  for (int g = 0; g < r->n_point; g++)
    if (!w->healthy[g] && !fill_point(r, w, g)) return false;
  for (int g = 0; g < r->n_point; g++) {
    int stride = 1;
    for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--) {
      int h = along(r, i, stride, g, 1);
      if (h >= 0 && !(overlap(r, w, g, h) >= SMOOTH)) return false;
    }
  }
  return true;
}

static void append(mw_reduction *r, const select_work *w)
{
  size_t n = (size_t)r->n, col = (size_t)r->m * n;
  for (int g = 0; g < r->n_point; g++)
    memcpy(r->point[g].Psi + col, w->res + (size_t)g * n, n * sizeof(double));
  r->m++;
}

// The candidate to try next: of the loads first, then of the others, the one with the largest energy left; −1: none.
static int next_candidate(const mw_reduction *r, const double *left)
{
  for (int loads = 1; loads >= 0; loads--) {
    int best = -1;
    for (int j = 0; j < r->n_cand; j++)
      if (is_load(&r->cand[j]) == (loads == 1) && left[j] > 0.0 &&
          (best < 0 || left[j] > left[best]))
        best = j;
    if (best >= 0) return best;
  }
  return -1;
}

mw_code mw_patterns_select(mw_reduction *r, mw_error *err)
{
  mw_arena mem = { 0 };
  size_t n = (size_t)r->n, np = (size_t)r->n_point, nc = (size_t)r->n_cand;
  select_work w = { .Mp = mw_arena_f64(&mem, n),
                    .res = mw_arena_f64(&mem, np * n),
                    .norm = mw_arena_f64(&mem, np * nc),
                    .energy = mw_arena_f64(&mem, nc),
                    .healthy = mw_arena_alloc(&mem, np, 1),
                    .reached = mw_arena_alloc(&mem, np, 1),
                    .queue = mw_arena_int(&mem, np) };
  double *left = mw_arena_f64(&mem, nc);
  mw_code rc = mw_arena_check(&mem, err);
  for (int j = 0; rc == MW_OK && j < r->n_cand; j++) {
    for (size_t g = 0; g < np; g++) {
      const double *x = r->point[g].P + (size_t)j * n;
      w.energy[j] = fmax(w.energy[j], k_energy(r->point[g].sys, r->n, x, w.Mp));
      w.norm[g * nc + (size_t)j] = m_norm(r->point[g].sys, r->n, x, w.Mp);
    }
    left[j] = take_out(r, &w, j, 0, r->m_modes);
  }
  for (int j; rc == MW_OK && (j = next_candidate(r, left)) >= 0;) {
    double share = SHARE * r->model->reduction.tolerance * group_energy(r, &w, j);
    bool enough = left[j] >= share;
    left[j] = 0.0;
    if (!enough) continue;
    residuals(r, &w, j);
    if (!is_smooth(r, &w)) continue;
    r->cand[j].column = r->m;
    r->cand[j].kept = true;
    append(r, &w);
    for (int k = 0; k < r->n_cand; k++)
      if (left[k] > 0.0) left[k] = take_out(r, &w, k, r->m - 1, r->m);
  }
  mw_arena_free(&mem);
  return rc;
}
