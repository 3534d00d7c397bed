// SPDX-License-Identifier: BSD-3-Clause
// rigid_table.c: records of coefficients between the grid points, where rigid motion needs a finer
// table.
//
// Rigid motion ρ(θ) is kinematics and known everywhere; columns Ψ(θ) are known on the grid of the
// eigenanalyses. At a point of the finer table
//   a, U0, y0; ρ_i, frames and loads in all other fields    exact                             (1)
//   Ψ(θ) = Σ_g w_g(θ) Ψ(g) ,  Ψ_,i(θ) = Σ_g w_g(θ) Ψ_,i(g)  in body axes, splines of the grid  (2)
//   d, U1, b, e, c, y1                                      of (1) and (2), as in lagrangian.c
//   K, C, what is of second order (in c, too), and what else has no rigid motion in it:
//                                                           splines of the grid
// In body axes columns turn with their bodies: along an angle that nothing elastic depends on (2)
// is exact, and sines of θ come from (1). Ψ_,i at grid points is of fourth order, and so it stays
// between them. On the grid records are those of lagrangian.c. Cost a point: a rigid configuration,
// products with M; no factorization.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "rigid_table_layer.h"

static const double FAR = 1e-13;  // weights of grid points too far away to matter

// ---- one configuration --------------------------------------------------------------------------

mw_code mw_motion_at_init(const mw_reduction *r, int n_y, mw_motion_at *out, mw_error *err)
{
  *out = (mw_motion_at){ .bare = *r };
  out->bare.m = out->bare.m_modes = 0;
  mw_rom_shape shape = { .s = r->s, .n_y = n_y };
  out->lay = mw_rom_layout_of(shape);
  return mw_lagrangian_init(&out->bare, shape, &out->lag, err);
}

mw_code mw_motion_at_eval(mw_motion_at *w, const double *theta, const mw_config *near, double *rec,
                          mw_error *err)
{
  const mw_reduction *r = &w->bare;
  mw_arena mem = { 0 };
  mw_grid_point pt = { 0 };
  memset(rec, 0, (size_t)w->lay.n * sizeof *rec);
  mw_code rc = mw_config_at(r->mech, r->locked, r->s, r->coord, theta, near, &mem, &pt.q, err);
  if (rc == MW_OK) rc = mw_system_view(r->blocks, r->locked, pt.q.p, pt.q.s, &pt.sys, err);
  if (rc == MW_OK) mw_lagrangian_motion(w->lag, &pt, NULL, rec);
  mw_system_free(pt.sys);
  mw_arena_free(&w->mem);  // near may have been there
  w->mem = mem;
  w->q = pt.q;
  return rc;
}

void mw_motion_at_free(mw_motion_at *w)
{
  mw_lagrangian_free(w->lag);
  mw_arena_free(&w->mem);
  *w = (mw_motion_at){ 0 };
}

const mw_config *mw_motion_near(const mw_reduction *r, const double *theta)
{
  int g = 0;
  for (int i = 0; i < r->s; i++) {
    int best = 0;
    for (int k = 1; k < r->n_grid[i]; k++)
      if (fabs(mw_axis_theta(&r->axis[i], k) - theta[i]) <
          fabs(mw_axis_theta(&r->axis[i], best) - theta[i]))
        best = k;
    g = g * r->n_grid[i] + best;
  }
  return &r->point[g].q;
}

// ---- all points ---------------------------------------------------------------------------------

typedef struct fill {
  mw_reduction *r;
  const mw_rom_file *f;
  const mw_motion *mo;
  const mw_tables *apart;
  mw_lagrangian *lag;
  int n_field;
  const double *records;  // [n_point × n_field]  of the grid
  double *out, *bare;     // [points × n_field]; [n_field] without columns
  double *c;              // [n_c]  what is of second order in c, from field at_c of a record
  int n_c, at_c;
  double *W[MW_ROM_MAX_S];        // [points of axis × n_grid]  cardinal splines
  int *on_grid[MW_ROM_MAX_S];     // [points of axis]  index of a grid point, −1 between
  size_t len;                     // of the columns and their derivatives at a point
  double *buf[MW_ROM_MAX_S];      // those of the grid, contracted over axes 0 … i
  int k[MW_ROM_MAX_S];            // the point
  size_t at;                      // its index
  mw_config start[MW_ROM_MAX_S];  // at the last point whose later indices are all 0
  mw_motion_at rigid;             // without columns
  mw_arena mem;
} fill;

// Table coefficients of the grid's splines to their values at the points of mo->axis, in place.
static void to_values(const mw_motion *mo, int s, size_t n_field, double *c)
{
  size_t outer = 1;
  for (int i = 0; i < s; i++) {
    const mw_axis *a = &mo->axis[i];
    size_t inner = n_field, knots = (size_t)a->n_table + 2;
    for (int j = i + 1; j < s; j++) inner *= (size_t)mo->axis[j].n_table + 2;
    for (size_t o = 0; o < outer; o++)
      for (int k = 0; k < a->n; k++) {
        const double *x = c + (o * knots + (size_t)a->at[k]) * inner;
        double *y = c + (o * (size_t)a->n + (size_t)k) * inner;
        for (size_t l = 0; l < inner; l++)
          y[l] = (x[l] + 4.0 * x[inner + l] + x[2 * inner + l]) / 6.0;
      }
    outer *= (size_t)a->n;
  }
}

static mw_code weights(fill *z, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < z->r->s; i++) {
    const mw_axis *a = &z->mo->axis[i], *grid = &z->mo->grid[i];
    z->W[i] = mw_arena_f64(&z->mem, (size_t)a->n * (size_t)grid->n);
    z->on_grid[i] = mw_arena_int(&z->mem, (size_t)a->n);
    rc = mw_arena_check(&z->mem, err);
    for (int k = 0, g = 0; rc == MW_OK && k < a->n; k++) {
      while (g < grid->n - 1 && grid->at[g] < a->at[k]) g++;
      z->on_grid[i][k] = grid->at[g] == a->at[k] ? g : -1;
      rc = mw_axis_weights(&z->r->axis[i], mw_axis_theta(a, k), z->W[i] + k * grid->n, err);
    }
  }
  return rc;
}

static mw_code fill_init(fill *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t body = 12 * (size_t)r->mech->n_body, coord = (size_t)r->mech->n_coord;
  size_t rest = z->len;
  mw_code rc = weights(z, err);
  for (int i = r->s - 1; i >= 0; i--) {
    z->buf[i] = mw_arena_f64(&z->mem, rest);
    rest *= (size_t)r->n_grid[i];
    z->start[i].p = mw_arena_f64(&z->mem, body);
    z->start[i].s = mw_arena_f64(&z->mem, coord);
  }
  z->bare = mw_arena_f64(&z->mem, (size_t)z->n_field);
  z->at_c = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom)).c;
  z->n_c = r->s * (r->s + 1) / 2 * (r->m * (r->m + 1) / 2);
  z->c = mw_arena_f64(&z->mem, (size_t)z->n_c);
  if (rc == MW_OK) rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK && z->mo->columns)
    rc = mw_lagrangian_init(z->r, mw_rom_shape_of(&z->f->rom), &z->lag, err);
  if (rc == MW_OK && !z->mo->columns) rc = mw_motion_at_init(r, z->f->rom.n_y, &z->rigid, err);
  return rc;
}

// Ψ and Ψ_,i of all grid points, one point after the other
static mw_code columns(fill *z, double **out, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t mn = (size_t)r->m * (size_t)r->n;
  *out = mw_arena_f64(&z->mem, (size_t)r->n_point * z->len);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int g = 0; rc == MW_OK && z->len > 0 && g < r->n_point; g++) {
    double *x = *out + (size_t)g * z->len;
    memcpy(x, r->point[g].Psi, mn * sizeof *x);
    mw_lagrangian_slopes(z->lag, g, x + mn);
  }
  return rc;
}

// The grid point at the current indices, −1: between grid points.
static int grid_point(const fill *z)
{
  int g = 0;
  for (int i = 0; i < z->r->s; i++) {
    int k = z->on_grid[i][z->k[i]];
    if (k < 0) return -1;
    g = g * z->r->n_grid[i] + k;
  }
  return g;
}

// The configuration q is where the points behind it start.
static void remember(fill *z, const mw_config *q)
{
  const mw_mech *m = z->r->mech;
  for (int i = z->r->s - 1; i >= 0; i--) {
    memcpy(z->start[i].p, q->p, 12 * (size_t)m->n_body * sizeof *q->p);
    memcpy(z->start[i].s, q->s, (size_t)m->n_coord * sizeof *q->s);
    if (z->k[i] > 0) break;
  }
}

// The closest configuration that is there: one point back along the last axis whose index is not 0.
static const mw_config *before(const fill *z)
{
  for (int i = z->r->s - 1; i >= 0; i--)
    if (z->k[i] > 0) return &z->start[i];
  return &z->r->point[0].q;
}

// Fields without columns into a record with them.
static void spread(const fill *z, const mw_rom_layout *from, const double *x, double *rec)
{
  const mw_reduction *r = z->r;
  const mw_rom_layout to = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  memcpy(rec + to.a, x + from->a, (size_t)(from->U0 - from->a) * sizeof *rec);
  rec[to.U0] = x[from->U0];
  for (int k = 0; k < z->f->rom.n_y; k++) rec[to.y + k * (1 + r->m)] = x[from->y + k];
}

static mw_code point(fill *z, double *Q, mw_error *err)
{
  mw_reduction *r = z->r;
  int g = grid_point(z);
  double *rec = z->out + z->at++ * (size_t)z->n_field, theta[MW_ROM_MAX_S];
  if (g >= 0) {
    memcpy(rec, z->records + (size_t)g * (size_t)z->n_field, (size_t)z->n_field * sizeof *rec);
    remember(z, &r->point[g].q);
    return MW_OK;
  }
  for (int i = 0; i < r->s; i++) theta[i] = mw_axis_theta(&z->mo->axis[i], z->k[i]);
  if (!z->mo->columns) {
    mw_code rc = mw_motion_at_eval(&z->rigid, theta, before(z), z->bare, err);
    if (rc != MW_OK) return rc;
    spread(z, &z->rigid.lay, z->bare, rec);
    remember(z, &z->rigid.q);
    return MW_OK;
  }
  mw_grid_point pt = { .Psi = Q };
  mw_code rc =
      mw_config_at(r->mech, r->locked, r->s, r->coord, theta, before(z), &pt.mem, &pt.q, err);
  if (rc == MW_OK) rc = mw_system_view(r->blocks, r->locked, pt.q.p, pt.q.s, &pt.sys, err);
  if (rc == MW_OK) mw_lagrangian_motion(z->lag, &pt, Q + (size_t)r->m * (size_t)r->n, rec);
  if (rc == MW_OK) rc = mw_second_of_c(r, z->apart, theta, z->c, err);
  if (rc == MW_OK) mw_axpy(z->n_c, 1.0, z->c, rec + z->at_c);
  if (rc == MW_OK) remember(z, &pt.q);
  mw_system_free(pt.sys);
  mw_arena_free(&pt.mem);
  return rc;
}

// All points with the indices of axes before this one; Q: the columns contracted over those.
static mw_code along(fill *z, int axis, const double *Q, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t rest = z->len;
  int n = r->n_grid[axis];
  mw_code rc = MW_OK;
  for (int j = axis + 1; j < r->s; j++) rest *= (size_t)r->n_grid[j];
  for (int k = 0; rc == MW_OK && k < z->mo->axis[axis].n; k++) {
    const double *w = z->W[axis] + k * n;
    double *x = z->buf[axis];
    z->k[axis] = k;
    memset(x, 0, rest * sizeof *x);
    for (int g = 0; g < n; g++)
      if (fabs(w[g]) > FAR) mw_axpy((int)rest, w[g], Q + (size_t)g * rest, x);
    if (axis == 0) mw_progress_step(r->progress, k);
    rc = axis + 1 < r->s ? along(z, axis + 1, x, err) : point(z, x, err);
  }
  return rc;
}

mw_code mw_motion_records(mw_reduction *r, const mw_rom_file *f, const mw_motion *mo,
                          const mw_tables *apart, const double *records, mw_arena *mem,
                          double **out, mw_error *err)
{
  fill z = {
    .r = r, .f = f, .mo = mo, .apart = apart, .n_field = f->rom.n_field, .records = records
  };
  double *Q = NULL;
  z.out = mw_arena_f64(mem, mw_axis_n_coef(r->s, mo->grid, z.n_field));
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_axis_fit(r->s, mo->grid, z.n_field, records, z.out, err);
  if (rc != MW_OK) return rc;
  to_values(mo, r->s, (size_t)z.n_field, z.out);
  z.len = mo->columns ? (1 + (size_t)r->s) * (size_t)r->m * (size_t)r->n : 0;
  rc = fill_init(&z, err);
  if (rc == MW_OK) rc = columns(&z, &Q, err);
  mw_progress_start(r->progress, "rigid motion between grid points", mo->axis[0].n);
  if (rc == MW_OK) rc = along(&z, 0, Q, err);
  mw_progress_end(r->progress);
  mw_lagrangian_free(z.lag);
  mw_motion_at_free(&z.rigid);
  mw_arena_free(&z.mem);
  if (rc == MW_OK) *out = z.out;
  return rc;
}

void mw_motion_elastic(const mw_reduction *r, const mw_rom_file *f, const mw_motion *mo,
                       unsigned char *mask)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  int m = r->m, k = 0;
  memset(mask, 1, (size_t)L.n);
  memset(mask + L.a, 0, (size_t)((mo->columns ? L.K : L.d) - L.a));
  if (mo->columns) memset(mask + L.e, 0, (size_t)(L.H - L.e));
  for (int i = L.y; i < L.y + f->rom.n_y * (1 + m); i++)
    mask[i] = !mo->columns && (i - L.y) % (1 + m) != 0;
  for (int o = 0; o < r->model->n_output; o++) {
    int width = mw_output_width(&r->model->output[o]);
    if (mw_output_is_gauge(&r->model->output[o]))
      memset(mask + L.y + k * (1 + m), 1, (size_t)width * (size_t)(1 + m));
    k += width;
  }
}
