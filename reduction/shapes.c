// SPDX-License-Identifier: BSD-3-Clause
// shapes.c: Ψ on the mesh as a file, and displacements from it.
//
//   x = Σ_g w_g(θ) Σ_a δ_a ψ_a(g) ,   w: tensor-product cardinal splines of the table           (1)
//
// The splines are those of the reduced model's coefficients, through the same points: what it gives
// for a displacement at an output is (1) at that point, up to the rounding of single precision.
// Cost: points × columns × unknowns.
#include "reduction/shapes.h"

#include <math.h>
#include <string.h>

#include "reduction/ncfile.h"
#include "work/offline_layer.h"

static const double SMALL = 1e-9;         // weights that single precision would not show
static const double MOST = 2147483648.0;  // bytes of Ψ: netCDF images are built in memory

// Ψ [m × n] of the reduction's coordinates as rows over the unknowns of the mesh, single precision
static void on_mesh(const mw_reduction *r, const double *Psi, size_t n, float *out)
{
  for (int a = 0; a < r->m; a++) {
    const double *x = Psi + (size_t)a * (size_t)r->n;
    float *y = out + (size_t)a * n;
    for (int b = 0; b < r->full->n_body; b++) {
      const mw_body *body = &r->full->body[b];
      const mw_basis *T = &r->offline->fine.basis[b];
      if (body->n_u == 0) {
        int own = body->ground ? 0 : 6;
        for (int i = 0; i < own; i++) *y++ = (float)*x++;
        continue;
      }
      for (int i = 0; i < body->n_u; i++) {
        double u = 0.0;
        for (int c = 0; c < T->r; c++)
          u += x[c] * (double)T->T[(size_t)c * (size_t)T->n_u + (size_t)i];
        *y++ = (float)u;
      }
      x += T->r;
    }
  }
}

// Ψ at table point t: a grid point's own, or between grid points the splines'
static mw_code columns_of(const mw_reduction *r, int t, double *Psi, mw_error *err)
{
  double theta[MW_ROM_MAX_S];
  bool same = true;
  int g = t;
  for (int i = 0; i < r->s; i++) same = same && r->axis[i].n == r->axis[i].n_table && !r->axis[i].C;
  if (same) {
    memcpy(Psi, r->point[t].Psi, (size_t)r->m * (size_t)r->n * sizeof *Psi);
    return MW_OK;
  }
  for (int i = r->s - 1; i >= 0; i--) {
    theta[i] = mw_axis_table_theta(&r->axis[i], g % r->axis[i].n_table);
    g /= r->axis[i].n_table;
  }
  return mw_columns_at(r, theta, r->m, Psi, err);
}

mw_code mw_shapes_write(const mw_reduction *r, const char *path, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_ncw w;
  int n = 0, n_point = 1, n_table[MW_ROM_MAX_S];
  for (int b = 0; b < r->full->n_body; b++)
    n += r->full->body[b].n_u > 0 ? r->full->body[b].n_u : r->full->body[b].ground ? 0 : 6;
  for (int i = 0; i < r->s; i++) n_point *= n_table[i] = r->axis[i].n_table;
  size_t mn = (size_t)r->m * (size_t)n, all = (size_t)n_point * mn;
  if (4.0 * (double)all > MOST)
    return mw_fail(
        err, MW_ERR_INPUT, (mw_at){ .file = path },
        "%d points of %d columns with %d unknowns take %.3g GB, at most %.3g GB expected "
        "(fewer grid points, or refine: 1)",
        n_point, r->m, n, 4e-9 * (double)all, 1e-9 * MOST);
  mw_code rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  if (rc != MW_OK) return rc;
  float *psi = mw_arena_alloc(&tmp, all, sizeof *psi);
  double *Psi = mw_arena_f64(&tmp, (size_t)r->m * (size_t)r->n);
  const char **name = mw_arena_alloc(&tmp, (size_t)r->s, sizeof *name);
  rc = mw_arena_check(&tmp, err);
  for (int t = 0; rc == MW_OK && t < n_point; t++) {
    rc = columns_of(r, t, Psi, err);
    if (rc == MW_OK) on_mesh(r, Psi, (size_t)n, psi + (size_t)t * mn);
  }
  if (rc != MW_OK) {
    mw_arena_free(&tmp);
    return rc;
  }
  for (int i = 0; i < r->s; i++) name[i] = r->model->reduction.coordinate[i].name;
  mw_ncw_open(&w, "shapes", r->model->name, MW_VERSION, NULL);
  mw_ncw_att_str(&w, NULL, "model_hash", r->model->hash);
  int ds = mw_ncw_dim(&w, "coordinate", r->s);
  int dim[3] = { mw_ncw_dim(&w, "point", n_point), mw_ncw_dim(&w, "column", r->m),
                 mw_ncw_dim(&w, "unknown", n) };
  mw_ncw_str(&w, "coordinate", ds, "coordinates of the rigid mechanism", name);
  mw_ncw_int(&w, "n_grid", 1, &ds, "points of the table an axis, the last axis fastest", n_table);
  mw_ncw_f64(&w, "lo", 1, &ds, NULL, "first point", r->lo);
  mw_ncw_f64(&w, "hi", 1, &ds, NULL, "last point", r->hi);
  mw_ncw_f32(&w, "Psi", 3, dim, NULL,
             "displacement a unit of each column, body axes, body after body: elastic unknowns, "
             "moving rigid bodies translation and rotation",
             psi);
  rc = mw_ncw_close(&w, path, err);
  mw_arena_free(&tmp);
  return rc;
}

// ---- reading ------------------------------------------------------------------------------------

static void read_table(mw_ncr *r, mw_shapes *f)
{
  f->s = mw_ncr_dim(r, "coordinate");
  f->m = mw_ncr_dim(r, "column");
  f->n = mw_ncr_dim(r, "unknown");
  f->n_point = mw_ncr_dim(r, "point");
  if (f->s < 1 || f->s > MW_ROM_MAX_S || f->m < 1 || f->n < 1) {
    mw_ncr_fail(r, "found %d coordinates, %d columns, %d unknowns, expected 1 to %d and some", f->s,
                f->m, f->n, MW_ROM_MAX_S);
    return;
  }
  int *n_grid = mw_ncr_int(r, "n_grid", 1, &f->s);
  double *lo = mw_ncr_f64(r, "lo", 1, &f->s, true), *hi = mw_ncr_f64(r, "hi", 1, &f->s, true);
  double points = 1.0;
  for (int i = 0; r->e.code == MW_OK && i < f->s; i++) {
    if (n_grid[i] < 4 || !(hi[i] > lo[i])) {
      mw_ncr_fail(r, "axis %d has %d points from %g to %g, expected 4 or more and a range", i + 1,
                  n_grid[i], lo[i], hi[i]);
      return;
    }
    f->n_grid[i] = n_grid[i];
    f->lo[i] = lo[i];
    f->hi[i] = hi[i];
    points *= n_grid[i];
  }
  if (r->e.code == MW_OK && points != f->n_point)
    mw_ncr_fail(r, "the table has %g points, there are shapes for %d", points, f->n_point);
}

mw_code mw_shapes_read(const char *path, mw_shapes *out, mw_error *err)
{
  mw_shapes f = { 0 };
  mw_ncr r;
  mw_code rc = mw_ncr_open(&r, path, "shapes", &f.mem, err);
  if (rc != MW_OK) {
    mw_arena_free(&f.mem);
    return rc;
  }
  read_table(&r, &f);
  if (r.e.code == MW_OK) {
    int len[3] = { f.n_point, f.m, f.n };
    f.psi = mw_ncr_f32(&r, "Psi", 3, len);
    snprintf(f.model_hash, sizeof f.model_hash, "%s", mw_ncr_att_str(&r, "model_hash"));
  }
  rc = mw_ncr_close(&r, err);
  if (rc == MW_OK)
    *out = f;
  else
    mw_arena_free(&f.mem);
  return rc;
}

void mw_shapes_free(mw_shapes *f)
{
  mw_arena_free(&f->mem);
  *f = (mw_shapes){ 0 };
}

mw_code mw_shapes_match(const mw_shapes *f, const mw_rom_file *rom, const char *path, mw_error *err)
{
  bool same = strcmp(f->model_hash, rom->model_hash) == 0 && f->s == rom->rom.s &&
              f->m == rom->rom.m && f->n == rom->unknowns;
  for (int i = 0; same && i < f->s; i++)
    same =
        f->n_grid[i] == rom->n_table[i] && f->lo[i] == rom->rom.lo[i] && f->hi[i] == rom->rom.hi[i];
  if (same) return MW_OK;
  return mw_fail(
      err, MW_ERR_INPUT, (mw_at){ .file = path },
      "these shapes belong to another reduced model (%d columns with %d unknowns on %d "
      "points; the reduced model has %d with %d); make both with modeway reduce --shapes",
      f->m, f->n, f->n_point, rom->rom.m, rom->unknowns);
}

// ---- evaluation ---------------------------------------------------------------------------------

// (1)
static mw_code columns(const mw_shapes *f, const double *theta, const double *delta, double *x,
                       mw_error *err)
{
  mw_arena tmp = { 0 };
  double *w[MW_ROM_MAX_S];
  for (int i = 0; i < f->s; i++) w[i] = mw_arena_f64(&tmp, (size_t)f->n_grid[i]);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < f->s; i++) {
    mw_axis axis;
    rc = mw_axis_uniform(f->lo[i], f->hi[i], false, f->n_grid[i], 1, &tmp, &axis, err);
    if (rc == MW_OK) rc = mw_axis_weights(&axis, theta[i], w[i], err);
  }
  size_t n = (size_t)f->n, m = (size_t)f->m;
  memset(x, 0, n * sizeof *x);
  for (int g = 0; rc == MW_OK && g < f->n_point; g++) {
    double c = 1.0;
    for (int i = f->s - 1, rest = g; i >= 0; rest /= f->n_grid[i], i--)
      c *= w[i][rest % f->n_grid[i]];
    for (size_t a = 0; fabs(c) > SMALL && a < m; a++) {
      const float *psi = f->psi + ((size_t)g * m + a) * n;
      double by = c * delta[a];
      for (size_t k = 0; k < n; k++) x[k] += by * (double)psi[k];
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_shapes_eval(const mw_shapes *f, const mw_mech *mech, const double *theta,
                       const double *delta, double *p, double *s, double *x, mw_error *err)
{
  const mw_reduction_in *in = &mech->model->reduction;
  mw_arena tmp = { 0 };
  int coord[MW_ROM_MAX_S];
  unsigned char *locked = mw_arena_alloc(&tmp, (size_t)mech->n_coord, 1);
  mw_config near = { .p = p, .s = s }, q;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < f->s; i++) {
    coord[i] = mech->joint[in->coordinate[i].joint].coord;
    locked[coord[i]] = 1;
  }
  if (rc == MW_OK) rc = mw_config_at(mech, locked, f->s, coord, theta, &near, &tmp, &q, err);
  if (rc == MW_OK) rc = columns(f, theta, delta, x, err);
  if (rc == MW_OK) {
    memcpy(p, q.p, 12 * (size_t)mech->n_body * sizeof *p);
    memcpy(s, q.s, (size_t)mech->n_coord * sizeof *s);
  }
  mw_arena_free(&tmp);
  return rc;
}
