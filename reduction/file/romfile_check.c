// SPDX-License-Identifier: BSD-3-Clause
// romfile_check.c: what every reduced model must satisfy; its start table at one theta.
//
// Of a symmetric axis (rom.h, 6) the start table covers the half too; beyond mid
//   G'_ab = sigma_a sigma_b G_ab ,  e'_jab = (j) sigma_a sigma_b e_jab                          (1)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "romfile_priv.h"

static const double SAME = 1e-9;  // of the range: positions that were rounded twice

static mw_code check_sizes(const mw_rom_file *f, mw_at at, mw_error *err)
{
  const mw_rom *r = &f->rom;
  if (r->s < 1 || r->s > MW_ROM_MAX_S || r->m < 0 || r->m > MW_ROMFILE_MAX_M || r->n_y < 0 ||
      r->n_u < 0)
    return mw_fail(err, MW_ERR_INPUT, at, "%d coordinates and %d columns are not a reduced model",
                   r->s, r->m);
  if (r->n_field != mw_rom_n_field(mw_rom_shape_of(r)))
    return mw_fail(err, MW_ERR_INPUT, at, "%d numbers a knot, expected %d", r->n_field,
                   mw_rom_n_field(mw_rom_shape_of(r)));
  if (f->n_modes < 0 || f->n_patterns < 0 || f->n_modes + f->n_patterns != r->m)
    return mw_fail(err, MW_ERR_INPUT, at, "%d modes and %d patterns for %d columns", f->n_modes,
                   f->n_patterns, r->m);
  if (r->n_G < 0 || r->n_G > MW_ROM_MAX_G || r->n_G > r->m ||
      (r->n_G > 0 && !(r->parts & MW_ROM_H)))
    return mw_fail(err, MW_ERR_INPUT, at, "the mass of %d of %d columns changes", r->n_G, r->m);
  for (int k = 0; k < r->n_u; k++)
    if (r->u_field[k] < 0 || r->u_field[k] >= r->n_y)
      return mw_fail(err, MW_ERR_INPUT, at, "input %s acts on field %d of %d", f->input[k],
                     r->u_field[k], r->n_y);
  for (int k = 0; k < r->n_Y; k++)
    if (r->Y_field[k] < 0 || r->Y_field[k] >= r->n_y ||
        (k > 0 && r->Y_field[k] <= r->Y_field[k - 1]))
      return mw_fail(err, MW_ERR_INPUT, at, "second derivatives %d are of field %d of %d", k,
                     r->Y_field[k], r->n_y);
  for (int i = 0; r->rate_max && i < r->s; i++)
    if (!(r->rate_max[i] > 0.0))
      return mw_fail(err, MW_ERR_INPUT, at, "limit of the rate of %s is %g, must be positive",
                     f->coordinate[i], r->rate_max[i]);
  for (int k = 0; r->u_max && k < r->n_u; k++)
    if (!(r->u_max[k] > 0.0))
      return mw_fail(err, MW_ERR_INPUT, at, "limit of input %s is %g, must be positive",
                     f->input[k], r->u_max[k]);
  for (int k = 0; k < r->m; k++)
    if (!(r->delta_max[k] > 0.0))
      return mw_fail(err, MW_ERR_INPUT, at, "limit of column %s is %g, must be positive",
                     f->column[k], r->delta_max[k]);
  return MW_OK;
}

static mw_code check_grid(const mw_rom_file *f, int i, mw_at at, mw_error *err)
{
  const mw_rom *r = &f->rom;
  const double *x = f->grid[i];
  int n = f->n_grid[i];
  double near = SAME * (r->hi[i] - r->lo[i]);
  bool good = n >= 4;
  if (good && x) good = fabs(x[0] - r->lo[i]) <= near && fabs(x[n - 1] - r->hi[i]) <= near;
  for (int k = 1; good && x && k < n; k++) good = x[k] > x[k - 1];
  if (good) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, at, "grid points of %s do not ascend from %g to %g",
                 f->coordinate[i], r->lo[i], r->hi[i]);
}

static mw_code check_axes(const mw_rom_file *f, mw_at at, mw_error *err)
{
  const mw_rom *r = &f->rom;
  int n_point = 1;
  for (int i = 0; i < r->s; i++) {
    if (r->n_grid[i] < 4 || !(r->lo[i] < r->hi[i]) || !(r->c_theta[i] >= 0.0))
      return mw_fail(err, MW_ERR_INPUT, at,
                     "axis %s is not a grid: %d points from %g to %g, damping %g", f->coordinate[i],
                     r->n_grid[i], r->lo[i], r->hi[i], r->c_theta[i]);
    mw_code rc = check_grid(f, i, at, err);
    if (rc != MW_OK) return rc;
    n_point *= f->n_grid[i];
    if (r->flat & r->symmetric & 1u << i)
      return mw_fail(err, MW_ERR_INPUT, at, "axis %s is flat and symmetric, expected one of them",
                     f->coordinate[i]);
    for (int k = 0; (r->symmetric >> i & 1u) && k < r->m + r->n_y; k++) {
      int sign = k < r->m ? r->mirror[i * r->m + k] : r->mirror_y[i * r->n_y + k - r->m];
      if (sign != 1 && sign != -1)
        return mw_fail(err, MW_ERR_INPUT, at, "sign %d of the mirror of axis %s is %d, must be ±1",
                       k, f->coordinate[i], sign);
    }
  }
  if ((r->flat | r->cyclic | r->symmetric) >> r->s)
    return mw_fail(err, MW_ERR_INPUT, at, "axes beyond the %d there are", r->s);
  if (n_point != f->n_point || n_point < 1)
    return mw_fail(err, MW_ERR_INPUT, at, "%d grid points, expected %d", f->n_point, n_point);
  size_t n = (size_t)n_point * (size_t)f->n_freq;
  for (size_t k = 0; f->identity && k < n; k++)
    if (f->identity[k] < -1 || f->identity[k] >= f->n_modes)
      return mw_fail(err, MW_ERR_INPUT, at, "frequency %zu belongs to mode %d of %d", k,
                     f->identity[k], f->n_modes);
  return MW_OK;
}

static mw_code check_finite(const char *what, size_t n, const double *x, mw_at at, mw_error *err)
{
  for (size_t k = 0; k < n; k++)
    if (!isfinite(x[k]))
      return mw_fail(err, MW_ERR_INPUT, at, "%s %zu is %g, which is not finite", what, k, x[k]);
  return MW_OK;
}

// Trains of a record of n_record fields over axes of n_knot [s] knots, flat where there is one.
static mw_code check_trains(int s, const int *n_knot, int n_record, int n, const mw_rom_train *t,
                            mw_at at, mw_error *err)
{
  mw_code rc = MW_OK;
  int next = 0;
  for (int k = 0; rc == MW_OK && k < n; k++) {
    size_t r = 0;
    if (t[k].first != next || t[k].n_field < 1 || t[k].n_field > n_record - next)
      return mw_fail(err, MW_ERR_INPUT, at, "tensor train %d has %d fields from %d of %d on", k,
                     t[k].n_field, t[k].first, n_record);
    next += t[k].n_field;
    for (int i = 0; rc == MW_OK && i < s; i++) {
      int rank = t[k].rank[i];
      if (n_knot[i] == 1) continue;
      if (rank < 1 || rank > MW_ROM_MAX_RANK || !t[k].core[i])
        return mw_fail(err, MW_ERR_INPUT, at, "rank %d of tensor train %d, must be 1 to %d", rank,
                       k, MW_ROM_MAX_RANK);
      size_t len = (size_t)n_knot[i] * (r ? r : 1) * (size_t)rank;
      rc = check_finite("coefficient of a tensor train", len, t[k].core[i], at, err);
      r = (size_t)rank;
    }
    if (rc == MW_OK && r == 0)
      return mw_fail(err, MW_ERR_INPUT, at, "a tensor train where all axes are flat");
    if (rc == MW_OK)
      rc =
          check_finite("coefficient of a last core", (size_t)t[k].n_field * r, t[k].field, at, err);
  }
  if (rc == MW_OK && next != n_record)
    return mw_fail(err, MW_ERR_INPUT, at, "tensor trains have %d fields, expected %d", next,
                   n_record);
  return rc;
}

static mw_code check_tables(const mw_rom_file *f, mw_at at, mw_error *err)
{
  const mw_rom *r = &f->rom;
  int n_knot[MW_ROM_MAX_S], n_start[MW_ROM_MAX_S];
  size_t rows = 1, start = (size_t)f->n_start;
  for (int i = 0; i < r->s; i++) {
    n_knot[i] = mw_rom_n_knot(r, i);
    n_start[i] = f->n_table[i] + 2;
    rows *= (size_t)n_knot[i];
    start *= (size_t)n_start[i];
  }
  mw_code rc;
  if (!r->coef == (r->n_train == 0))
    return mw_fail(err, MW_ERR_INPUT, at, "a table and tensor trains, expected one of them");
  if (r->coef)
    rc = check_finite("coefficient", rows * (size_t)r->n_field, r->coef, at, err);
  else
    rc = check_trains(r->s, n_knot, r->n_field, r->n_train, r->train, at, err);
  if (rc == MW_OK && f->start) rc = check_finite("start coefficient", start, f->start, at, err);
  if (rc == MW_OK && f->n_start_train > 0)
    rc = check_trains(r->s, n_start, f->n_start, f->n_start_train, f->start_train, at, err);
  if (rc == MW_OK && (r->flat | r->cyclic))
    rc = check_finite("slope", (size_t)r->s * (size_t)r->n_y, r->y_slope, at, err);
  if (rc == MW_OK && r->symmetric)
    rc = check_finite("shift", (size_t)r->s * (size_t)r->n_y, r->y_shift, at, err);
  return rc;
}

static mw_code check_certificate(const mw_certificate *c, mw_at at, mw_error *err)
{
  if (c->n > 0 && (c->worst < 0 || c->worst >= c->n))
    return mw_fail(err, MW_ERR_INPUT, at, "worst point of the certificate is %d of %d", c->worst,
                   c->n);
  if (c->n_io == 0) return MW_OK;
  if (c->worst_receptance < 0 || c->worst_receptance >= c->n || c->worst_io < 0 ||
      c->worst_io >= c->n_io)
    return mw_fail(err, MW_ERR_INPUT, at, "worst receptance is at point %d of %d, row %d of %d",
                   c->worst_receptance, c->n, c->worst_io, c->n_io);
  for (int k = 0; k < c->n_band; k++)
    if (!(c->band[k] >= 0.0) || (k > 0 && !(c->band[k] > c->band[k - 1])))
      return mw_fail(err, MW_ERR_INPUT, at, "frequency %d of the certificate's band is %g Hz", k,
                     c->band[k]);
  return MW_OK;
}

static mw_code check_parameters(const mw_rom_file *f, mw_at at, mw_error *err)
{
  for (int k = 0; k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    if (!(p->lo < p->hi) || p->field < (f->damped || f->stiff ? -1 : 0) ||
        p->field > f->rom.n_y - 3)
      return mw_fail(err, MW_ERR_INPUT, at,
                     "parameter %s from %g to %g is a mass at field %d of %d, expected a range and "
                     "a position",
                     p->name, p->lo, p->hi, p->field, f->rom.n_y);
    if (f->rom.n_train > 0 || (f->rom.parts & MW_ROM_THIRD))
      return mw_fail(err, MW_ERR_INPUT, at,
                     "parameter %s with compressed tables or the third order of the motion, "
                     "expected neither",
                     p->name);
  }
  return MW_OK;
}

mw_code mw_romfile_check(const mw_rom_file *f, const char *path, mw_error *err)
{
  mw_at at = { .file = path };
  mw_code rc = check_sizes(f, at, err);
  if (rc == MW_OK) rc = check_axes(f, at, err);
  if (rc == MW_OK) rc = mw_romfile_check_laws(f, at, err);
  if (rc == MW_OK) rc = check_tables(f, at, err);
  if (rc == MW_OK) rc = check_parameters(f, at, err);
  if (rc == MW_OK) rc = check_certificate(&f->certificate, at, err);
  return rc;
}

mw_code mw_rom_file_match(const mw_rom_file *f, const mw_model *model, const char *path,
                          mw_error *err)
{
  if (strcmp(f->model_hash, model->hash) == 0) return MW_OK;
  char with[200] = "";
  mw_arena mem = { 0 };
  const char *now = mw_model_parameter_text(model, &mem);
  if (f->parameters && now && strcmp(f->parameters, now) != 0)
    snprintf(with, sizeof with, "; parameters were %.80s and are %.80s", f->parameters, now);
  mw_arena_free(&mem);
  return mw_fail(
      err, MW_ERR_INPUT, (mw_at){ .file = path },
      "was made from model \"%.64s\" as it was (hash %.12s); %s, \"%.64s\", has other bodies, "
      "joints, drives, outputs or another reduction (hash %.12s)%s; scenarios and comments do not "
      "count; reduce it again, or --set what it was made with",
      f->model_name, f->model_hash, model->path, model->name, model->hash, with);
}

// (1) of axis i on the record v.
static void mirror_start(const mw_rom *r, int i, double *v)
{
  const int *sigma = r->mirror + i * r->m;
  for (int a = 0; a < r->m; a++)
    for (int b = 0; b <= a; b++) *v++ *= sigma[a] * sigma[b];
  for (int j = 0; j < r->s; j++)
    for (int a = 0; a < r->m; a++)
      for (int b = 0; b < r->m; b++) *v++ *= (j == i ? -1 : 1) * sigma[a] * sigma[b];
}

mw_code mw_rom_file_start(const mw_rom_file *f, const double *theta, double *v, mw_error *err)
{
  const mw_rom *r = &f->rom;
  mw_rom table = { .s = r->s,
                   .n_field = f->n_start,
                   .coef = f->start,
                   .n_train = f->n_start_train,
                   .train = f->start_train };
  double at[MW_ROM_MAX_S];
  unsigned mirrored = mw_rom_fold(r, theta, at, NULL);
  mw_rom_info info = { 0 };
  for (int i = 0; i < r->s; i++) {
    table.n_grid[i] = f->n_table[i];
    table.lo[i] = r->lo[i];
    table.hi[i] = mw_romfile_end(r, i);
  }
  if (mw_rom_fields(&table, at, v, NULL, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "coordinate %s is %g, outside the reduced model's range [%g, %g]",
                   f->coordinate[info.index], theta[info.index], r->lo[info.index],
                   r->hi[info.index]);
  for (int i = 0; i < r->s; i++)
    if (mirrored >> i & 1u) mirror_start(r, i, v);
  return MW_OK;
}
