// SPDX-License-Identifier: BSD-3-Clause
// linear.c: a reduced model linearized at rest at one configuration.
//
//   theta″(theta, delta(u), u) = 0 for u by Newton's method, the least where drives are more than
//   coordinates, with
//   delta(u) = K⁻¹ (−U1 + Σ u_k y1_k) ,  dtheta″/du = ∂theta″/∂u + ∂theta″/∂delta K⁻¹ y1ᵀ       (1)
// While theta goes on at theta′, delta′ = 0: (delta, u) of delta″ = 0, theta″ = 0 by Newton's
// method, delta eliminated:
//   S du = −(theta″ − J_θδ J_δδ⁻¹ delta″) ,  S = J_θu − J_θδ J_δδ⁻¹ J_δu                       (2)
// Cost: some evaluations of the model's Jacobian.
#include "linear_layer.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/dense.h"

// ---- names --------------------------------------------------------------------------------------

// The coordinate whose field has this name, -1: it is none of theta.
static int theta_of(const mw_rom_file *f, const char *field)
{
  for (int i = 0; strncmp(field, "s:", 2) == 0 && i < f->rom.s; i++)
    if (strcmp(f->coordinate[i], field + 2) == 0) return i;
  return -1;
}

const char *mw_linear_unit(const mw_rom_file *f, int k)
{
  int i = theta_of(f, f->field[k]);
  if (f->field_unit && f->field_unit[k][0]) return f->field_unit[k];
  if (i >= 0) return f->unit && f->unit[i] ? f->unit[i] : "";
  return strncmp(f->field[k], "s:", 2) == 0 ? "" : "m";
}

const char *mw_linear_force_unit(const mw_rom_file *f, int k)
{
  const char *along = mw_linear_unit(f, k);
  return strcmp(along, "m") == 0 ? "N" : strcmp(along, "rad") == 0 ? "N m" : "";
}

// ---- setup --------------------------------------------------------------------------------------

// The model's inputs and behind them forces along the loads' fields.
static mw_code widen(mw_linear *w, int n_load, const int *load, mw_error *err)
{
  const mw_rom *r = &w->file->rom;
  size_t nu = (size_t)r->n_u, n = nu + (size_t)n_load;
  int *field = mw_arena_int(&w->mem, n);
  double *most = mw_arena_f64(&w->mem, n);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < n; k++) {
    field[k] = k < nu ? r->u_field[k] : load[k - nu];
    most[k] = k < nu && r->u_max ? r->u_max[k] : (double)INFINITY;
  }
  w->rom.n_u = (int)n;
  w->rom.u_field = field;
  w->rom.u_max = most;
  return MW_OK;
}

mw_code mw_linear_open(const mw_rom_file *f, int n_load, const int *load, mw_linear *w,
                       mw_error *err)
{
  *w = (mw_linear){ .file = f, .rom = f->rom, .opt = mw_rom_opt_default(), .n_drive = f->rom.n_u };
  w->rom.n_law = 0;
  w->opt.inertia = f->inertia;
  mw_code rc = widen(w, n_load, load, err);
  if (rc != MW_OK) return rc;
  size_t s = (size_t)f->rom.s, n = s + (size_t)f->rom.m, nu = (size_t)w->rom.n_u,
         ny = (size_t)f->rom.n_y, drives = (size_t)w->n_drive;
  w->u = mw_arena_f64(&w->mem, nu);
  w->x = mw_arena_f64(&w->mem, 2 * n);
  w->acc = mw_arena_f64(&w->mem, n);
  w->acc_x = mw_arena_f64(&w->mem, 2 * n * n);
  w->acc_u = mw_arena_f64(&w->mem, n * nu);
  w->Y = mw_arena_f64(&w->mem, 3 * ny);
  w->Y_x = mw_arena_f64(&w->mem, 6 * ny * n);
  w->Y_u = mw_arena_f64(&w->mem, 3 * ny * nu);
  w->shift = mw_arena_f64(&w->mem, drives * n);
  w->unit = mw_arena_f64(&w->mem, nu);
  w->J = mw_arena_f64(&w->mem, s * drives);
  w->F = mw_arena_f64(&w->mem, s);
  w->step = mw_arena_f64(&w->mem, drives);
  w->work = mw_arena_alloc(&w->mem, mw_rom_sens_bytes(&w->rom), 1);
  return mw_arena_check(&w->mem, err);
}

// ---- one configuration --------------------------------------------------------------------------

static mw_code explain(const mw_linear *w, const double *theta, mw_rom_code code, mw_error *err)
{
  if (code == MW_ROM_OK) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "no linear system at %s = %g%s: %s",
                 w->file->coordinate[0], theta[0], w->rom.s > 1 ? ", …" : "",
                 mw_rom_code_name(code));
}

// K⁻¹ y1 of each drive at theta: what a unit of its force deflects.
static mw_rom_code shifts(mw_linear *w, const double *theta)
{
  int m = w->rom.m;
  double *rest = w->acc;
  mw_rom_code code = mw_rom_static(&w->rom, theta, NULL, rest, w->work, NULL);
  for (int k = 0; code == MW_ROM_OK && k < w->n_drive; k++) {
    memset(w->unit, 0, (size_t)w->rom.n_u * sizeof *w->unit);
    w->unit[k] = 1.0;
    code = mw_rom_static(&w->rom, theta, w->unit, w->shift + k * m, w->work, NULL);
    for (int a = 0; a < m; a++) w->shift[k * m + a] -= rest[a];
  }
  return code;
}

// Accelerations and their derivatives at rest under u, at the theta of x.
static mw_rom_code at_rest(mw_linear *w, unsigned held)
{
  int s = w->rom.s, n = s + w->rom.m;
  w->opt.prescribed = held;
  mw_rom_code code = mw_rom_static(&w->rom, w->x, w->u, w->x + s, w->work, NULL);
  memset(w->x + n, 0, (size_t)n * sizeof *w->x);
  if (code == MW_ROM_OK)
    code = mw_rom_jacobian(
        &(mw_rom_call){ .rom = &w->rom, .opt = &w->opt, .u = w->u, .work = w->work }, w->x, w->acc,
        w->acc_x, w->acc_u);
  return code;
}

// (1); leaves accelerations and derivatives there.
static mw_code hold(mw_linear *w, mw_error *err)
{
  enum { ITER_MAX = 20 };
  static const double RANK = 1e-10, TOL = 1e-12;  // of the largest force
  int s = w->rom.s, n = s + w->rom.m, nu = w->n_drive, rank = 0;
  mw_rom_code code = shifts(w, w->x);
  for (int i = 0; i < ITER_MAX; i++) {
    if (code == MW_ROM_OK) code = at_rest(w, 0);
    if (code != MW_ROM_OK || nu == 0) break;
    for (int j = 0; j < s; j++) {
      w->F[j] = -w->acc[j];
      for (int k = 0; k < nu; k++)
        w->J[j * nu + k] = w->acc_u[j * w->rom.n_u + k] +
                           mw_dot(n - s, w->acc_x + 2 * n * j + s, w->shift + k * (n - s));
    }
    mw_code rc = mw_lstsq(s, nu, w->J, w->F, RANK, w->step, &rank, err);
    if (rc != MW_OK) return rc;
    double change = 0.0, size = 0.0;
    for (int k = 0; k < nu; k++) {
      w->u[k] += w->step[k];
      change = fmax(change, fabs(w->step[k]));
      size = fmax(size, fabs(w->u[k]));
    }
    if (change <= TOL * size) break;
  }
  return explain(w, w->x, code, err);
}

bool mw_linear_drives_stiffen(const mw_rom *rom, int n_drive)
{
  for (int k = 0; k < n_drive; k++)
    for (int j = 0; j < rom->n_Y; j++)
      if (rom->Y_field[j] == rom->u_field[k]) return true;
  return false;
}

mw_code mw_linear_at(mw_linear *w, const double *theta, unsigned held, double *rest, mw_error *err)
{
  size_t s = (size_t)w->rom.s;
  memcpy(w->x, theta, s * sizeof *theta);
  bool all = held == (1u << s) - 1u && !mw_linear_drives_stiffen(&w->rom, w->n_drive);
  mw_code rc = all ? MW_OK : hold(w, err);
  if (rc != MW_OK) return rc;
  mw_rom_code code = MW_ROM_OK;
  if (rest && all) memset(rest, 0, s * sizeof *rest);
  if (!all) code = at_rest(w, 0);
  if (rest && !all && code == MW_ROM_OK) memcpy(rest, w->acc, s * sizeof *rest);
  if (held && code == MW_ROM_OK) code = at_rest(w, held);
  const mw_rom_outputs_sens out = { .Y = w->Y, .Y_x = w->Y_x, .Y_u = w->Y_u };
  if (code == MW_ROM_OK)
    code = mw_rom_outputs_jacobian(
        &(mw_rom_call){ .rom = &w->rom, .opt = &w->opt, .u = w->u, .work = w->work }, w->x, &out);
  return explain(w, theta, code, err);
}

// ---- in motion ----------------------------------------------------------------------------------

// thdd [s]: accelerations of held coordinates, NULL: none.
static mw_rom_code jacobian(mw_linear *w, unsigned held, const double *thdd)
{
  w->opt.prescribed = held;
  return mw_rom_jacobian(
      &(mw_rom_call){ .rom = &w->rom, .opt = &w->opt, .u = w->u, .thdd_p = thdd, .work = w->work },
      w->x, w->acc, w->acc_x, w->acc_u);
}

typedef struct steady {
  double *Jdd, *X;  // [m × m] LU, [(1 + n_drive) × m]  J_δδ⁻¹ of delta″ and of J_δu
  int *piv;         // [m]
} steady;

// J_δδ⁻¹ of what follows, at the Jacobian at hand.
static mw_code eliminate(mw_linear *w, steady *z, mw_error *err)
{
  int s = w->rom.s, m = w->rom.m, n = s + m, nu = w->rom.n_u;
  for (int a = 0; a < m; a++) {
    const double *row = w->acc_x + (size_t)(s + a) * 2 * (size_t)n + s;
    memcpy(z->Jdd + a * m, row, (size_t)m * sizeof *row);
    z->X[a] = w->acc[s + a];
    for (int k = 0; k < w->n_drive; k++) z->X[(1 + k) * m + a] = w->acc_u[(s + a) * nu + k];
  }
  mw_code rc = mw_lu_factor(m, z->Jdd, z->piv, err);
  for (int k = 0; rc == MW_OK && k <= w->n_drive; k++)
    mw_lu_solve(m, z->Jdd, z->piv, 1, z->X + k * m);
  return rc;
}

// One step of (2); forces: u, too. *change: largest of delta and u over their sizes.
static mw_code step_steady(mw_linear *w, steady *z, bool forces, double *change, mw_error *err)
{
  static const double RANK = 1e-10;
  int s = w->rom.s, m = w->rom.m, n = s + m, nd = forces ? w->n_drive : 0, rank = 0;
  double most[2] = { 0.0 }, size[2] = { 0.0 };
  mw_code rc = eliminate(w, z, err);
  for (int j = 0; rc == MW_OK && j < s; j++) {
    const double *row = w->acc_x + (size_t)j * 2 * (size_t)n + s;
    w->F[j] = -(w->acc[j] - mw_dot(m, row, z->X));
    for (int k = 0; k < nd; k++)
      w->J[j * nd + k] = w->acc_u[j * w->rom.n_u + k] - mw_dot(m, row, z->X + (1 + k) * m);
  }
  if (rc == MW_OK && nd > 0) rc = mw_lstsq(s, nd, w->J, w->F, RANK, w->step, &rank, err);
  for (int k = 0; rc == MW_OK && k < nd; k++) {
    w->u[k] += w->step[k];
    most[1] = fmax(most[1], fabs(w->step[k]));
    size[1] = fmax(size[1], fabs(w->u[k]));
    mw_axpy(m, w->step[k], z->X + (1 + k) * m, z->X);
  }
  for (int a = 0; rc == MW_OK && a < m; a++) {
    w->x[s + a] -= z->X[a];
    most[0] = fmax(most[0], fabs(z->X[a]));
    size[0] = fmax(size[0], fabs(w->x[s + a]));
  }
  *change = fmax(size[0] > 0.0 ? most[0] / size[0] : 0.0, size[1] > 0.0 ? most[1] / size[1] : 0.0);
  return rc;
}

// x: theta, rate and delta of delta″ = 0; u of theta″ = 0 unless thdd gives all of theta″.
static mw_code settle(mw_linear *w, const double *theta, const double *rate, const double *thdd,
                      unsigned held, mw_error *err)
{
  enum { ITER_MAX = 40 };
  static const double TOL = 1e-12;
  size_t s = (size_t)w->rom.s, m = (size_t)w->rom.m, n = s + m;
  bool all = held == (1u << s) - 1u;
  mw_arena tmp = { 0 };
  steady z = { .Jdd = mw_arena_f64(&tmp, m * m), .piv = mw_arena_int(&tmp, m) };
  z.X = mw_arena_f64(&tmp, (1 + (size_t)w->n_drive) * m);
  mw_code rc = mw_arena_check(&tmp, err);
  memset(w->x, 0, 2 * n * sizeof *w->x);
  memcpy(w->x, theta, s * sizeof *theta);
  memcpy(w->x + n, rate, s * sizeof *rate);
  mw_rom_code code = MW_ROM_OK;
  double change = INFINITY;
  for (int i = 0; rc == MW_OK && code == MW_ROM_OK && i < ITER_MAX && change > TOL; i++) {
    code = jacobian(w, all ? held : 0, thdd);
    if (code == MW_ROM_OK) rc = step_steady(w, &z, !all, &change, err);
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK && code == MW_ROM_OK && change > TOL)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "columns find no place at these rates: the last step changed it by %.2g of itself",
                 change);
  return rc == MW_OK ? explain(w, theta, code, err) : rc;
}

mw_code mw_linear_moving(mw_linear *w, const double *theta, const double *rate, unsigned held,
                         double *rest, mw_error *err)
{
  int s = w->rom.s;
  bool all = held == (1u << s) - 1u;
  mw_rom_code code = MW_ROM_OK;
  mw_code rc = settle(w, theta, rate, NULL, held, err);
  if (rc == MW_OK) code = jacobian(w, 0, NULL);
  for (int i = 0; rc == MW_OK && rest && i < s; i++) rest[i] = all ? 0.0 : w->acc[i];
  if (rc == MW_OK && code == MW_ROM_OK && held) code = jacobian(w, held, NULL);
  const mw_rom_outputs_sens out = { .Y = w->Y, .Y_x = w->Y_x, .Y_u = w->Y_u };
  if (rc == MW_OK && code == MW_ROM_OK)
    code = mw_rom_outputs_jacobian(
        &(mw_rom_call){ .rom = &w->rom, .opt = &w->opt, .u = w->u, .work = w->work }, w->x, &out);
  return rc == MW_OK ? explain(w, theta, code, err) : rc;
}

mw_code mw_linear_driven(mw_linear *w, const double *theta, const double *rate, const double *thdd,
                         unsigned held, mw_error *err)
{
  mw_code rc = settle(w, theta, rate, thdd, (1u << w->rom.s) - 1u, err);
  return rc == MW_OK ? mw_linear_state(w, held, thdd, err) : rc;
}

mw_code mw_linear_state(mw_linear *w, unsigned held, const double *thdd, mw_error *err)
{
  const mw_rom_call call = {
    .rom = &w->rom, .opt = &w->opt, .u = w->u, .thdd_p = thdd, .work = w->work
  };
  const mw_rom_outputs_sens out = { .Y = w->Y, .Y_x = w->Y_x, .Y_u = w->Y_u };
  w->opt.prescribed = held;
  mw_rom_code code = mw_rom_jacobian(&call, w->x, w->acc, w->acc_x, w->acc_u);
  if (code == MW_ROM_OK) code = mw_rom_outputs_jacobian(&call, w->x, &out);
  return explain(w, w->x, code, err);
}

void mw_linear_close(mw_linear *w)
{
  mw_arena_free(&w->mem);
  *w = (mw_linear){ 0 };
}
