// SPDX-License-Identifier: BSD-3-Clause
// patterns.c: static patterns, θ held, and which of them the whole grid keeps.
//
//   P_j = K⁻¹ f_j ,   f_j: unit force at an output or drive, inertia force −M ρ_θ of unit acceleration, gravity     (1)
//
// Heirman, Brüls, Desmet 2009, section 2 (loads); the acceleration and gravity patterns make quasi-static deflection
// exact. Candidates are taken in this order; each is made M-orthogonal to the modes and to the patterns kept before it
// (Gram-Schmidt twice) and kept for the whole grid or not at all:
//   energy: the residual's strain energy reaches ENERGY_MIN of the largest energy of its group somewhere on the grid
//   independent: everywhere on the grid its residual is at least INDEPENDENT_MIN of what the modes left of it
// A pattern that vanishes at a grid point (a load over a support) keeps its direction: it is computed a little inside
// the grid (NUDGE of the way to the centre) instead. Signs are continued along the comb of the grid.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_priv.h"

static const double ENERGY_MIN = 1e-6;
static const double INDEPENDENT_MIN = 0.02;
static const double VANISH = 1e-8;  // M-norm relative to the largest on the grid
static const double NUDGE = 1e-5;

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
    for (int k = 0; k < 3; k++)
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
  double *f = mw_arena_f64(&tmp, (size_t)r->n), *w = mw_arena_f64(&tmp, (size_t)r->n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int j = 0; rc == MW_OK && j < r->n_cand; j++) {
    load_of(r, sys, q, &r->cand[j], f, w);
    rc = mw_system_solve(sys, f, P + (size_t)j * (size_t)r->n, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

typedef struct select_work {
  double *Mp, *res;  // [n], [n_point × n]
  double *norm;      // [n_point × n_cand]  M-norm of the candidates
  double *energy;    // [n_point × n_cand]  strain energy pᵀKp
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

// All candidates at a point a little inside the grid.
static mw_code nudged(mw_reduction *r, int g, double *P, mw_error *err)
{
  mw_grid_point *pt = &r->point[g];
  double theta[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++)
    theta[i] = pt->q.theta[i] + NUDGE * (0.5 * (r->lo[i] + r->hi[i]) - pt->q.theta[i]);
  mw_arena mem = { 0 };
  mw_config q;
  mw_system *sys = NULL;
  mw_code rc = mw_config_at(r->mech, r->locked, r->s, r->coord, theta, &pt->q, &mem, &q, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, false, q.p, q.s, &sys, err);
  if (rc == MW_OK) rc = mw_patterns_build(r, sys, &q, P, err);
  mw_system_free(sys);
  mw_arena_free(&mem);
  return rc;
}

// Candidates whose norm vanishes at a grid point are replaced by their neighbours' limit.
static mw_code continue_vanishing(mw_reduction *r, select_work *w, mw_error *err)
{
  size_t n = (size_t)r->n, nc = (size_t)r->n_cand;
  mw_arena mem = { 0 };
  double *P = mw_arena_f64(&mem, nc * n);
  mw_code rc = mw_arena_check(&mem, err);
  for (int j = 0; rc == MW_OK && j < r->n_cand; j++) {
    double big = 0.0;
    for (int g = 0; g < r->n_point; g++) big = fmax(big, w->norm[(size_t)g * nc + (size_t)j]);
    for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
      if (w->norm[(size_t)g * nc + (size_t)j] > VANISH * big || big == 0.0) continue;
      mw_grid_point *pt = &r->point[g];
      rc = nudged(r, g, P, err);
      if (rc != MW_OK) break;
      memcpy(pt->P + (size_t)j * n, P + (size_t)j * n, n * sizeof *P);
      w->norm[(size_t)g * nc + (size_t)j] = m_norm(pt->sys, r->n, P + (size_t)j * n, w->Mp);
    }
  }
  mw_arena_free(&mem);
  return rc;
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

// Largest energy of the candidate's group: unit loads, or inertia and gravity loads.
static double group_energy(const mw_reduction *r, const select_work *w, int j)
{
  bool loads = r->cand[j].kind == MW_PATTERN_OUTPUT || r->cand[j].kind == MW_PATTERN_DRIVE;
  double big = 0.0;
  for (int k = 0; k < r->n_cand; k++) {
    bool l = r->cand[k].kind == MW_PATTERN_OUTPUT || r->cand[k].kind == MW_PATTERN_DRIVE;
    if (l != loads) continue;
    for (int g = 0; g < r->n_point; g++)
      big = fmax(big, w->energy[(size_t)g * (size_t)r->n_cand + (size_t)k]);
  }
  return big;
}

// Residuals of candidate j at all grid points into w->res; decides whether it is kept.
static bool examine(mw_reduction *r, select_work *w, int j)
{
  size_t n = (size_t)r->n;
  double energy = 0.0, independent = 1.0, big = group_energy(r, w, j);
  if (big == 0.0) return false;
  for (int g = 0; g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double *x = w->res + (size_t)g * n;
    if (w->norm[(size_t)g * (size_t)r->n_cand + (size_t)j] == 0.0) return false;
    memcpy(x, pt->P + (size_t)j * n, n * sizeof *x);
    deflate(pt, r->n, 0, r->m_modes, x, w->Mp);
    double before = m_norm(pt->sys, r->n, x, w->Mp);
    deflate(pt, r->n, r->m_modes, r->m, x, w->Mp);
    double after = m_norm(pt->sys, r->n, x, w->Mp);
    energy = fmax(energy, k_energy(pt->sys, r->n, x, w->Mp));
    double whole = w->norm[(size_t)g * (size_t)r->n_cand + (size_t)j];
    // what rounding leaves of a pattern the modes hold completely is no direction at all
    if (!(before > 1e-9 * whole)) return false;
    independent = fmin(independent, after / before);
  }
  return energy >= ENERGY_MIN * big && independent >= INDEPENDENT_MIN;
}

// Neighbour earlier on the comb (first axis of the first lines, then each line of the next axis), −1 at the first point.
static int comb_parent(const mw_reduction *r, int g)
{
  int stride = 1;
  for (int i = r->s - 1; i >= 0; i--) {
    if (g / stride % r->n_grid[i] > 0) return g - stride;
    stride *= r->n_grid[i];
  }
  return -1;
}

static void append(mw_reduction *r, select_work *w)
{
  size_t n = (size_t)r->n, col = (size_t)r->m * n;
  for (int g = 0; g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double *x = w->res + (size_t)g * n, norm = m_norm(pt->sys, r->n, x, w->Mp);
    int parent = comb_parent(r, g);
    double sign = parent >= 0 && mw_dot(r->n, r->point[parent].Psi + col, w->Mp) < 0.0 ? -1.0 : 1.0;
    for (size_t i = 0; i < n; i++) pt->Psi[col + i] = sign * x[i] / norm;
  }
  r->m++;
}

mw_code mw_patterns_select(mw_reduction *r, mw_error *err)
{
  mw_arena mem = { 0 };
  size_t n = (size_t)r->n, np = (size_t)r->n_point, nc = (size_t)r->n_cand;
  select_work w = { .Mp = mw_arena_f64(&mem, n),
                    .res = mw_arena_f64(&mem, np * n),
                    .norm = mw_arena_f64(&mem, np * nc),
                    .energy = mw_arena_f64(&mem, np * nc) };
  mw_code rc = mw_arena_check(&mem, err);
  for (size_t g = 0; rc == MW_OK && g < np; g++)
    for (size_t j = 0; j < nc; j++) {
      mw_grid_point *pt = &r->point[g];
      w.norm[g * nc + j] = m_norm(pt->sys, r->n, pt->P + j * n, w.Mp);
      w.energy[g * nc + j] = k_energy(pt->sys, r->n, pt->P + j * n, w.Mp);
    }
  if (rc == MW_OK) rc = continue_vanishing(r, &w, err);
  for (int j = 0; rc == MW_OK && j < r->n_cand; j++) {
    r->cand[j].kept = examine(r, &w, j);
    if (r->cand[j].kept) append(r, &w);
  }
  mw_arena_free(&mem);
  return rc;
}
