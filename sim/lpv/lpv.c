// SPDX-License-Identifier: BSD-3-Clause
// lpv.c: linear systems on a grid of the reduced model's coordinates, (1) of lpv.h, and their
// files.
//
//   A = [ 0  1 ; ∂acc/∂x ] ,  B = [ 0 ; ∂acc/∂u ]            acc: accelerations of theta, delta (1)
//   C, D: derivatives of y, dy/dt, d²y/dt² by x, u
// at rest (linear.c). Cost: some evaluations of the model's Jacobian a grid point.
#include "sim/lpv.h"

#include <string.h>

#include "linear_layer.h"

// ---- setup --------------------------------------------------------------------------------------

static mw_code axes(const mw_rom_file *f, mw_lpv *l, mw_error *err)
{
  const mw_rom *r = &f->rom;
  double points = 1.0;
  for (int i = 0; i < r->s; i++) {
    bool flat = r->flat >> i & 1u;
    int n = l->n_grid[i] = flat ? 2 : f->n_grid[i];
    l->grid[i] = mw_arena_f64(&l->mem, (size_t)n);
    points *= n;
    for (int k = 0; l->grid[i] && k < n; k++)
      l->grid[i][k] =
          !flat && f->grid[i] ? f->grid[i][k] : r->lo[i] + (r->hi[i] - r->lo[i]) * k / (n - 1);
  }
  if (points > 1e8)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%.3g grid points are too many for a file",
                   points);
  l->n_point = (int)points;
  return mw_arena_check(&l->mem, err);
}

static mw_code names(const mw_rom_file *f, mw_lpv *l, mw_error *err)
{
  int s = f->rom.s, n = l->n_x / 2;
  const char ***list[] = { &l->state,      &l->state_unit, &l->input,
                           &l->input_unit, &l->output,     &l->output_unit };
  int size[] = { l->n_x, l->n_x, l->n_u, l->n_u, l->n_y, l->n_y };
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    *list[i] = mw_arena_alloc(&l->mem, (size_t)size[i], sizeof **list[i]);
  mw_code rc = mw_arena_check(&l->mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    const char *name = i < s ? f->coordinate[i] : f->column[i - s];
    const char *unit = i < s ? (f->unit && f->unit[i] ? f->unit[i] : "") : "kg^0.5 m";
    l->state[i] = mw_arena_str(&l->mem, name);
    l->state[n + i] = mw_arena_printf(&l->mem, "d/dt %s", name);
    l->state_unit[i] = mw_arena_str(&l->mem, unit);
    l->state_unit[n + i] = mw_arena_printf(&l->mem, unit[0] ? "%s/s" : "%s", unit);
  }
  for (int k = 0; rc == MW_OK && k < l->n_u; k++) {
    l->input[k] = mw_arena_str(&l->mem, f->input[k]);
    l->input_unit[k] = mw_linear_force_unit(f, f->rom.u_field[k]);
  }
  for (int k = 0; rc == MW_OK && k < l->n_y; k++) {
    l->output[k] = mw_arena_str(&l->mem, f->field[k]);
    l->output_unit[k] = mw_arena_str(&l->mem, mw_linear_unit(f, k));
  }
  return rc == MW_OK ? mw_arena_check(&l->mem, err) : rc;
}

static mw_code allocate(mw_lpv *l, mw_error *err)
{
  size_t np = (size_t)l->n_point, nx = (size_t)l->n_x, nu = (size_t)l->n_u, ny = (size_t)l->n_y;
  l->A = mw_arena_f64(&l->mem, np * nx * nx);
  l->B = mw_arena_f64(&l->mem, np * nx * nu);
  for (int k = 0; k < 3; k++) {
    l->C[k] = mw_arena_f64(&l->mem, np * ny * nx);
    l->D[k] = mw_arena_f64(&l->mem, np * ny * nu);
  }
  l->x0 = mw_arena_f64(&l->mem, np * nx);
  l->u0 = mw_arena_f64(&l->mem, np * nu);
  l->y0 = mw_arena_f64(&l->mem, np * ny);
  l->rest = mw_arena_f64(&l->mem, np * (size_t)l->s);
  return mw_arena_check(&l->mem, err);
}

// ---- one point ----------------------------------------------------------------------------------

static mw_code linearize(mw_linear *w, int point, const double *theta, mw_lpv *l, mw_error *err)
{
  size_t p = (size_t)point, nx = (size_t)l->n_x, n = nx / 2, nu = (size_t)l->n_u,
         ny = (size_t)l->n_y, s = (size_t)l->s;
  double *A = l->A + p * nx * nx;
  memset(w->u, 0, nu * sizeof *w->u);
  mw_code rc = mw_linear_at(w, theta, 0, l->rest + p * s, err);
  if (rc != MW_OK) return rc;
  memcpy(l->x0 + p * nx, w->x, nx * sizeof *w->x);
  memcpy(l->u0 + p * nu, w->u, nu * sizeof *w->u);
  memcpy(l->y0 + p * ny, w->Y, ny * sizeof *w->Y);
  for (size_t i = 0; i < n; i++) A[i * nx + n + i] = 1.0;
  memcpy(A + n * nx, w->acc_x, n * nx * sizeof *A);
  memcpy(l->B + (p * nx + n) * nu, w->acc_u, n * nu * sizeof *l->B);
  for (size_t k = 0; k < 3; k++) {
    memcpy(l->C[k] + p * ny * nx, w->Y_x + k * ny * nx, ny * nx * sizeof *l->C[k]);
    memcpy(l->D[k] + p * ny * nu, w->Y_u + k * ny * nu, ny * nu * sizeof *l->D[k]);
  }
  return MW_OK;
}

mw_code mw_lpv_build(const mw_rom_file *f, mw_lpv *out, mw_error *err)
{
  mw_lpv l = {
    .s = f->rom.s, .n_x = 2 * (f->rom.s + f->rom.m), .n_u = f->rom.n_u, .n_y = f->rom.n_y
  };
  mw_linear w;
  mw_code rc = mw_linear_open(f, 0, NULL, &w, err);
  if (rc == MW_OK) rc = axes(f, &l, err);
  if (rc == MW_OK) rc = names(f, &l, err);
  if (rc == MW_OK) rc = allocate(&l, err);
  for (int p = 0; rc == MW_OK && p < l.n_point; p++) {
    double theta[MW_ROM_MAX_S];
    for (int i = l.s - 1, rest = p; i >= 0; rest /= l.n_grid[i--])
      theta[i] = l.grid[i][rest % l.n_grid[i]];
    rc = linearize(&w, p, theta, &l, err);
  }
  mw_linear_close(&w);
  if (rc == MW_OK)
    *out = l;
  else
    mw_lpv_free(&l);
  return rc;
}

void mw_lpv_free(mw_lpv *l)
{
  mw_arena mem = l->mem;
  mw_arena_free(&mem);
  *l = (mw_lpv){ 0 };
}
