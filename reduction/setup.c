// SPDX-License-Identifier: BSD-3-Clause
// setup.c: the grid of rigid configurations ρ(θ) and what every step of the reduction shares.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "reduce_layer.h"

enum { MOST_POINTS = 1000000, START_POINTS = 5 };

static mw_code config_alloc(const mw_mech *m, int n_s, mw_arena *mem, mw_config *out, mw_error *err)
{
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, ns = (size_t)n_s;
  *out = (mw_config){ 0 };
  out->p = mw_arena_f64(mem, 12 * nb);
  out->s = mw_arena_f64(mem, nc);
  out->v = mw_arena_f64(mem, 6 * nb * ns);
  out->s_dot = mw_arena_f64(mem, nc * ns);
  return mw_arena_check(mem, err);
}

// Rates that are nothing but rounding are none: a body that slides without turning has no ω.
static void drop_rounding(size_t n, double *v)
{
  static const double ROUNDING =
      1e-12;  // of the largest: a unit rate, least squares of condition 1e3
  double big = 0.0;
  for (size_t i = 0; i < n; i++) big = fmax(big, fabs(v[i]));
  for (size_t i = 0; i < n; i++)
    if (fabs(v[i]) < ROUNDING * big) v[i] = 0.0;
}

mw_code mw_config_at(const mw_mech *m, const unsigned char *locked, int n_s, const int *coord,
                     const double *theta, const mw_config *near, mw_arena *mem, mw_config *out,
                     mw_error *err)
{
  mw_config q;
  mw_code rc = mw_mech_check_elastic(m, true, err);
  if (rc == MW_OK) rc = config_alloc(m, n_s, mem, &q, err);
  if (rc != MW_OK) return rc;
  memcpy(q.p, near ? near->p : m->p0, 12 * (size_t)m->n_body * sizeof(double));
  memcpy(q.s, near ? near->s : m->s0, (size_t)m->n_coord * sizeof(double));
  mw_arena tmp = { 0 };
  double *to = mw_arena_f64(&tmp, (size_t)m->n_coord);
  rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < n_s; i++) to[coord[i]] = theta[i];
  if (rc == MW_OK) rc = mw_mech_rigid_solve(m, locked, to, q.p, q.s, err);
  mw_arena_free(&tmp);
  if (rc == MW_OK) rc = mw_mech_rigid_modes(m, locked, q.p, q.s, q.v, q.s_dot, err);
  if (rc != MW_OK) return rc;
  drop_rounding(6 * (size_t)m->n_body * (size_t)n_s, q.v);
  rc = mw_mech_springs(m, q.p, q.s, n_s, q.v, &q.loaded, err);
  if (rc != MW_OK) return rc;
  // the solver's rows are in the order of the mechanism's coordinates, the reduction's in the
  // user's order
  size_t vb = 6 * (size_t)m->n_body, nc = (size_t)m->n_coord;
  double *v = mw_arena_f64(mem, vb * (size_t)n_s), *s_dot = mw_arena_f64(mem, nc * (size_t)n_s);
  rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n_s; i++) {
    size_t rank = 0;
    for (int k = 0; k < n_s; k++) rank += coord[k] < coord[i];
    memcpy(v + vb * (size_t)i, q.v + vb * rank, vb * sizeof *v);
    memcpy(s_dot + nc * (size_t)i, q.s_dot + nc * rank, nc * sizeof *s_dot);
    q.theta[i] = theta[i];
    q.s[coord[i]] = theta[i];
  }
  q.v = v;
  q.s_dot = s_dot;
  if (rc == MW_OK) *out = q;
  return rc;
}

bool mw_config_turns(const mw_mech *m, int n_s, const mw_config *q)
{
  static const double ROUNDING = 1e-9;  // rad/m or 1, of unit rates
  double most = 0.0;
  for (int i = 0; i < n_s * m->n_body; i++) most = fmax(most, mw_norm3(q->v + 6 * i + 3));
  return most > ROUNDING;
}

int mw_reduction_spread(const mw_reduction *r, int i, int n)
{
  return (2 * i + 1) * r->n_point / (2 * n);
}

void mw_reduction_theta(const mw_reduction *r, int g, double theta[MW_ROM_MAX_S])
{
  for (int i = r->s - 1; i >= 0; i--) {
    theta[i] = mw_axis_theta(&r->axis[i], g % r->n_grid[i]);
    g /= r->n_grid[i];
  }
}

mw_code mw_reduction_grid(mw_reduction *r, mw_error *err)
{
  double n = 1.0;
  r->n_point = 1;
  for (int i = 0; i < r->s; i++) {
    r->n_grid[i] = r->axis[i].n;
    n *= r->n_grid[i];
    if (n > MOST_POINTS)
      return mw_fail(err, MW_ERR_INPUT, r->model->reduction.at,
                     "the grid has more than %d points, expected fewer points a coordinate",
                     MOST_POINTS);
    r->n_point *= r->n_grid[i];
  }
  r->point = mw_arena_alloc(&r->mem, (size_t)r->n_point, sizeof *r->point);
  return mw_arena_check(&r->mem, err);
}

// Index of grid point g in the grid it comes from, −1 for a new one.
static int old_index(const mw_reduction *r, const mw_reduction *old, int g, int *const *from)
{
  int index = 0, stride = 1;
  for (int i = r->s - 1; i >= 0; i--) {
    int k = g % r->n_grid[i];
    g /= r->n_grid[i];
    if (from[i]) k = from[i][k];
    if (k < 0) return -1;
    index += stride * k;
    stride *= old->n_grid[i];
  }
  return index;
}

mw_code mw_reduction_split(mw_reduction *r, unsigned char *const *split, int *from[MW_ROM_MAX_S],
                           mw_error *err)
{
  mw_reduction finer = *r;
  mw_code rc = MW_OK;
  for (int i = 0; i < r->s; i++) from[i] = NULL;
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (split[i])
      rc = mw_axis_split(&r->axis[i], split[i], &finer.mem, &finer.axis[i], &from[i], err);
  if (rc == MW_OK) rc = mw_reduction_grid(&finer, err);
  r->mem = finer.mem;
  if (rc != MW_OK) return rc;
  for (int g = 0; g < r->n_point; g++) {  // what the last pass made of the grid goes
    mw_arena_free(&r->point[g].mem_P);
    mw_arena_free(&r->point[g].mem_pass);
    r->point[g].Psi = r->point[g].P = NULL;
  }
  mw_arena_free(&finer.mem_pass);
  finer.align = (mw_align){ 0 };
  finer.local = (mw_local){ .m = 0 };
  finer.m = finer.m_modes = 0;
  for (int g = 0; g < finer.n_point; g++) {
    int old = old_index(&finer, r, g, from);
    if (old >= 0) finer.point[g] = r->point[old];
  }
  *r = finer;
  return MW_OK;
}

mw_code mw_reduction_init(const mw_model *model, const mw_mech *mech, const mw_reduce_opt *opt,
                          mw_reduction *out, mw_error *err)
{
  mw_reduction r = {
    .model = model, .full = mech, .mech = mech, .progress = opt ? opt->progress : NULL
  };
  const mw_reduction_in *in = &model->reduction;
  mw_at at = in->present ? in->at : (mw_at){ .file = model->path };
  if (!in->present || in->n_coordinate < 1)
    return mw_fail(err, MW_ERR_INPUT, at,
                   "the model has no reduction.coordinates, expected one to %d", MW_ROM_MAX_S);
  if (in->n_coordinate > MW_ROM_MAX_S)
    return mw_fail(err, MW_ERR_INPUT, at, "%d coordinates in the reduction, at most %d expected",
                   in->n_coordinate, MW_ROM_MAX_S);
  r.s = in->n_coordinate;
  r.locked = mw_arena_alloc(&r.mem, (size_t)mech->n_coord, 1);
  mw_code rc = mw_arena_check(&r.mem, err);
  for (int i = 0; rc == MW_OK && i < r.s; i++) {
    const mw_coordinate_in *c = &in->coordinate[i];
    int n = opt && opt->n_grid_override > 0 ? opt->n_grid_override
            : in->grid_auto                 ? START_POINTS
                                            : c->n_grid;
    r.coord[i] = mech->joint[c->joint].coord;
    r.lo[i] = c->lo;
    r.hi[i] = c->hi;
    r.locked[r.coord[i]] = 1;
    rc = mw_axis_uniform(c->lo, c->hi, c->cyclic, n, 1, &r.mem, &r.axis[i], err);
  }
  if (rc == MW_OK) rc = mw_laws_check(r.mech, r.s, r.coord, err);
  if (rc == MW_OK) rc = mw_reduction_grid(&r, err);
  *out = r;
  if (rc != MW_OK) mw_reduction_free(out);
  return rc;
}

void mw_reduction_free(mw_reduction *r)
{
  if (r->first.smooth) mw_reduction_coarsen(r);  // it has none of the first points
  for (int g = 0; r->point && g < r->n_point; g++) {
    mw_system_free(r->point[g].sys);
    mw_arena_free(&r->point[g].mem);
    mw_arena_free(&r->point[g].mem_modes);
    mw_arena_free(&r->point[g].mem_P);
    mw_arena_free(&r->point[g].mem_pass);
  }
  mw_arena_free(&r->mem_pass);
  mw_arena_free(&r->mem);
  *r = (mw_reduction){ 0 };
}
