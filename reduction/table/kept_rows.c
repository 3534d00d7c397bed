// SPDX-License-Identifier: BSD-3-Clause
// kept_rows.c: what springs, runners and dampers that follow a parameter add to the mechanism's
// rows and to the strain energy of its columns.
//
//   K_ab += Σ k_r h_ra h_rb ,   ψ_aᵀKψ_b,i += Σ k_r h_ra h_rb,i                                (1)
// h_ra: gap of row r along column a; k_r: stiffness of row r a unit of the parameter. (1) is exact,
// the gaps being linear in the columns; rows that the motion itself stretches would change U too,
// and are refused.
#include <math.h>

#include "base/dense.h"
#include "kept_rows_layer.h"
#include "second/extra_layer.h"
#include "system/system_layer.h"

// rad, or of the machine's size where that is below a metre: what kinematics leave of rigid motion
static const double UNSTRETCHED = 1e-9;

mw_code mw_kept_rows(const mw_reduction *r, int k, bool stiff, double *by, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_reduction_in *in = &r->model->reduction;
  double to[MW_MODEL_MAX_KEPT];
  mw_model model;
  mw_mech mech;
  for (int i = 0; i < in->n_kept; i++) to[i] = 0.5 * (in->kept[i].lo + in->kept[i].hi);
  double step = in->kept[k].hi - to[k];
  to[k] = in->kept[k].hi;
  mw_code rc = mw_model_rows_at(r->model, to, &tmp, &model, err);
  if (rc == MW_OK) rc = mw_mech_build(&model, r->mech->body, &tmp, &mech, err);
  for (int j = 0; rc == MW_OK && j < mech.n_joint; j++)
    for (int i = 0; i < mech.joint[j].n_row; i++) {
      const mw_joint *high = &mech.joint[j], *middle = &r->mech->joint[j];
      double change = stiff ? high->k[i] - middle->k[i] : high->c[i] - middle->c[i];
      by[high->row0 + i] = stiff && isinf(middle->k[i]) ? 0.0 : change / step;
    }
  mw_arena_free(&tmp);
  return rc;
}

bool mw_kept_has(const mw_kept_in *k, bool stiff)
{
  for (int i = 0; i < k->n_row; i++)
    if (k->row[i].stiff == stiff) return true;
  return false;
}

// Gaps of rows [m × n_row] at grid point g, those of springs alone
static void gaps_at(const mw_reduction *r, int g, double *gap)
{
  size_t rows = (size_t)r->mech->n_row;
  for (int a = 0; a < r->m; a++) {
    double *to = gap + (size_t)a * rows;
    mw_system_stretch(r->point[g].sys, r->point[g].Psi + (size_t)a * (size_t)r->n, to);
    for (int j = 0; j < r->mech->n_joint; j++)
      for (int i = 0; i < r->mech->joint[j].n_row; i++)
        if (to[r->mech->joint[j].row0 + i] != 0.0)
          to[r->mech->joint[j].row0 + i] /= sqrt(r->mech->joint[j].k[i]);
  }
}

// Rows by [n_row] that the configuration of grid point g stretches.
static mw_code check_unstretched(const mw_reduction *r, int k, int g, const double *by,
                                 mw_error *err)
{
  const mw_kept_in *in = &r->model->reduction.kept[k];
  double least = UNSTRETCHED * fmin(1.0, mw_mech_size(r->mech));
  for (int j = 0; j < r->mech->n_joint; j++)
    for (int i = 0; i < r->mech->joint[j].n_row; i++) {
      const mw_joint *jt = &r->mech->joint[j];
      double pull = by[jt->row0 + i] != 0.0 ? r->point[g].sys->preload[jt->row0 + i] : 0.0;
      if (fabs(pull) <= least * jt->k[i]) continue;
      return mw_fail(err, MW_ERR_INPUT, in->at,
                     "reduction.parameters: %.64s is the stiffness of a row of %s that the motion "
                     "itself stretches, by %.2g, expected one that only deflections stretch",
                     in->name, jt->name, pull / jt->k[i]);
    }
  return MW_OK;
}

// (1) at grid point g, to [n_start]; gap [n_point], D [s] derivative matrices, slope [m × n_row]
static void add_energy(const mw_reduction *r, int g, const double *by, const double *const *gap,
                       double *const *D, double *slope, double *to)
{
  size_t m = (size_t)r->m, rows = (size_t)r->mech->n_row, mm = m * (m + 1) / 2;
  const double *h = gap[g];
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b <= a; b++)
      for (size_t q = 0; q < rows; q++)
        to[a * (a + 1) / 2 + b] += by[q] * h[a * rows + q] * h[b * rows + q];
  for (int i = 0; i < r->s; i++) {
    mw_grid_slope(r, D[i], i, g, gap, m * rows, slope);
    for (size_t a = 0; a < m; a++)
      for (size_t b = 0; b < m; b++)
        for (size_t q = 0; q < rows; q++)
          to[mm + ((size_t)i * m + a) * m + b] += by[q] * h[a * rows + q] * slope[b * rows + q];
  }
}

mw_code mw_kept_stiffness(const mw_reduction *r, int k, int n_start, double *energy, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t np = (size_t)r->n_point, wide = (size_t)r->m * (size_t)r->mech->n_row;
  double *by = mw_arena_f64(&tmp, (size_t)r->mech->n_row), *all = mw_arena_f64(&tmp, np * wide),
         *slope = mw_arena_f64(&tmp, wide), *D[MW_ROM_MAX_S];
  const double **gap = mw_arena_alloc(&tmp, np, sizeof *gap);
  for (int i = 0; i < r->s; i++)
    D[i] = mw_arena_f64(&tmp, (size_t)r->n_grid[i] * (size_t)r->n_grid[i]);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++) rc = mw_axis_derivative(&r->axis[i], D[i], err);
  if (rc == MW_OK) rc = mw_kept_rows(r, k, true, by, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    gap[g] = all + (size_t)g * wide;
    gaps_at(r, g, all + (size_t)g * wide);
    rc = check_unstretched(r, k, g, by, err);
  }
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    add_energy(r, g, by, gap, D, slope, energy + (size_t)g * (size_t)n_start);
  mw_arena_free(&tmp);
  return rc;
}
