// SPDX-License-Identifier: BSD-3-Clause
// lpv.c: linear systems on a grid of the reduced model's coordinates, (1) of lpv.h, and their
// files.
//
//   A = [ 0  1 ; ∂acc/∂x ] ,  B = [ 0 ; ∂acc/∂u ]            acc: accelerations of theta, delta (1)
//   C, D: derivatives of y, dy/dt, d²y/dt² by x, u
// at rest: theta″(theta, delta(u), u) = 0 for u by Newton's method, the least where drives are more
// than coordinates, with
//   delta(u) = K⁻¹ (−U1 + Σ u_k y1_k) ,  dtheta″/du = ∂theta″/∂u + ∂theta″/∂delta K⁻¹ y1ᵀ       (2)
// Cost: some evaluations of the model's Jacobian a grid point.
#include "sim/lpv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"

typedef struct linear {  // at work on one point
  const mw_rom_file *file;
  mw_rom rom;  // without its laws
  mw_rom_opt opt;
  double *acc, *acc_x, *acc_u;  // [n], [n × 2n], [n × n_u]
  double *shift;                // [n_u × m]  K⁻¹ y1 of each drive
  double *unit;                 // [n_u]
  double *J, *F, *step;         // [s × n_u], [s], [n_u]
  double *Y_x, *Y_u;            // [3 n_y × 2n], [3 n_y × n_u]
  void *work;
  mw_arena mem;
} linear;

// ---- setup --------------------------------------------------------------------------------------

static mw_code work_init(linear *w, const mw_rom_file *f, mw_error *err)
{
  *w = (linear){ .file = f, .rom = f->rom, .opt = mw_rom_opt_default() };
  w->rom.n_law = 0;
  w->opt.inertia = f->inertia;
  size_t s = (size_t)f->rom.s, n = s + (size_t)f->rom.m, nu = (size_t)f->rom.n_u,
         ny = (size_t)f->rom.n_y;
  w->acc = mw_arena_f64(&w->mem, n);
  w->acc_x = mw_arena_f64(&w->mem, 2 * n * n);
  w->acc_u = mw_arena_f64(&w->mem, n * nu);
  w->shift = mw_arena_f64(&w->mem, nu * n);
  w->unit = mw_arena_f64(&w->mem, nu);
  w->J = mw_arena_f64(&w->mem, s * nu);
  w->F = mw_arena_f64(&w->mem, s);
  w->step = mw_arena_f64(&w->mem, nu);
  w->Y_x = mw_arena_f64(&w->mem, 6 * ny * n);
  w->Y_u = mw_arena_f64(&w->mem, 3 * ny * nu);
  w->work = mw_arena_alloc(&w->mem, mw_rom_sens_bytes(&w->rom), 1);
  return mw_arena_check(&w->mem, err);
}

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

static const char *coordinate_unit(const mw_rom_file *f, int i)
{
  return f->unit && f->unit[i] ? f->unit[i] : "";
}

// The coordinate whose field has this name, -1: it is none of theta.
static int theta_of(const mw_rom_file *f, const char *field)
{
  for (int i = 0; strncmp(field, "s:", 2) == 0 && i < f->rom.s; i++)
    if (strcmp(f->coordinate[i], field + 2) == 0) return i;
  return -1;
}

static const char *output_unit(const mw_rom_file *f, int k)
{
  int i = theta_of(f, f->field[k]);
  if (f->field_unit && f->field_unit[k][0]) return f->field_unit[k];
  if (i >= 0) return coordinate_unit(f, i);
  return strncmp(f->field[k], "s:", 2) == 0 ? "" : "m";
}

static const char *input_unit(const mw_rom_file *f, int k)
{
  const char *along = output_unit(f, f->rom.u_field[k]);
  return strcmp(along, "m") == 0 ? "N" : strcmp(along, "rad") == 0 ? "N m" : "";
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
    const char *unit = i < s ? coordinate_unit(f, i) : "kg^0.5 m";
    l->state[i] = mw_arena_str(&l->mem, name);
    l->state[n + i] = mw_arena_printf(&l->mem, "d/dt %s", name);
    l->state_unit[i] = mw_arena_str(&l->mem, unit);
    l->state_unit[n + i] = mw_arena_printf(&l->mem, unit[0] ? "%s/s" : "%s", unit);
  }
  for (int k = 0; rc == MW_OK && k < l->n_u; k++) {
    l->input[k] = mw_arena_str(&l->mem, f->input[k]);
    l->input_unit[k] = input_unit(f, k);
  }
  for (int k = 0; rc == MW_OK && k < l->n_y; k++) {
    l->output[k] = mw_arena_str(&l->mem, f->field[k]);
    l->output_unit[k] = mw_arena_str(&l->mem, output_unit(f, k));
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

static mw_code explain(const linear *w, const double *theta, mw_rom_code code, mw_error *err)
{
  if (code == MW_ROM_OK) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "no linear system at %s = %g%s: %s",
                 w->file->coordinate[0], theta[0], w->rom.s > 1 ? ", …" : "",
                 mw_rom_code_name(code));
}

// K⁻¹ y1 of each drive at theta: what a unit of its force deflects.
static mw_rom_code shifts(linear *w, const double *theta)
{
  int m = w->rom.m, nu = w->rom.n_u;
  double *rest = w->acc;
  mw_rom_code code = mw_rom_static(&w->rom, theta, NULL, rest, w->work, NULL);
  for (int k = 0; code == MW_ROM_OK && k < nu; k++) {
    memset(w->unit, 0, (size_t)nu * sizeof *w->unit);
    w->unit[k] = 1.0;
    code = mw_rom_static(&w->rom, theta, w->unit, w->shift + k * m, w->work, NULL);
    for (int a = 0; a < m; a++) w->shift[k * m + a] -= rest[a];
  }
  return code;
}

// Accelerations and their derivatives at rest under u; x: theta is given.
static mw_rom_code at_rest(linear *w, double *x, const double *u)
{
  int s = w->rom.s, m = w->rom.m;
  mw_rom_code code = mw_rom_static(&w->rom, x, u, x + s, w->work, NULL);
  memset(x + s + m, 0, (size_t)(s + m) * sizeof *x);
  if (code == MW_ROM_OK)
    code =
        mw_rom_jacobian(&(mw_rom_call){ .rom = &w->rom, .opt = &w->opt, .u = u, .work = w->work },
                        x, w->acc, w->acc_x, w->acc_u);
  return code;
}

// (2); leaves accelerations and derivatives there.
static mw_code hold(linear *w, double *x, double *u, mw_error *err)
{
  enum { ITER_MAX = 20 };
  static const double RANK = 1e-10, TOL = 1e-12;  // of the largest force
  int s = w->rom.s, m = w->rom.m, nu = w->rom.n_u, rank = 0;
  mw_rom_code code = shifts(w, x);
  for (int i = 0; i < ITER_MAX; i++) {
    if (code == MW_ROM_OK) code = at_rest(w, x, u);
    if (code != MW_ROM_OK || nu == 0) break;
    for (int j = 0; j < s; j++) {
      w->F[j] = -w->acc[j];
      for (int k = 0; k < nu; k++)
        w->J[j * nu + k] =
            w->acc_u[j * nu + k] + mw_dot(m, w->acc_x + (size_t)j * 2 * (size_t)(s + m) + s,
                                          w->shift + (size_t)k * (size_t)m);
    }
    mw_code rc = mw_lstsq(s, nu, w->J, w->F, RANK, w->step, &rank, err);
    if (rc != MW_OK) return rc;
    double change = 0.0, size = 0.0;
    for (int k = 0; k < nu; k++) {
      u[k] += w->step[k];
      change = fmax(change, fabs(w->step[k]));
      size = fmax(size, fabs(u[k]));
    }
    if (change <= TOL * size) break;
  }
  return explain(w, x, code, err);
}

static mw_code linearize(linear *w, int point, const double *theta, mw_lpv *l, mw_error *err)
{
  size_t p = (size_t)point, nx = (size_t)l->n_x, n = nx / 2, nu = (size_t)l->n_u,
         ny = (size_t)l->n_y, s = (size_t)l->s;
  double *x = l->x0 + p * nx, *u = l->u0 + p * nu, *A = l->A + p * nx * nx;
  memcpy(x, theta, s * sizeof *x);
  mw_code rc = hold(w, x, u, err);
  if (rc != MW_OK) return rc;
  mw_rom_code code = at_rest(w, x, u);
  const mw_rom_outputs_sens out = { .Y = NULL, .Y_x = w->Y_x, .Y_u = w->Y_u };
  if (code == MW_ROM_OK) code = mw_rom_outputs(&w->rom, x, l->y0 + p * ny, NULL, w->work, NULL);
  if (code == MW_ROM_OK)
    code = mw_rom_outputs_jacobian(
        &(mw_rom_call){ .rom = &w->rom, .opt = &w->opt, .u = u, .work = w->work }, x, &out);
  if (code != MW_ROM_OK) return explain(w, x, code, err);
  memcpy(l->rest + p * s, w->acc, s * sizeof *w->acc);
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
  linear w;
  mw_code rc = work_init(&w, f, err);
  if (rc == MW_OK) rc = axes(f, &l, err);
  if (rc == MW_OK) rc = names(f, &l, err);
  if (rc == MW_OK) rc = allocate(&l, err);
  for (int p = 0; rc == MW_OK && p < l.n_point; p++) {
    double theta[MW_ROM_MAX_S];
    for (int i = l.s - 1, rest = p; i >= 0; rest /= l.n_grid[i--])
      theta[i] = l.grid[i][rest % l.n_grid[i]];
    rc = linearize(&w, p, theta, &l, err);
  }
  mw_arena_free(&w.mem);
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
