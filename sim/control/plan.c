// SPDX-License-Identifier: BSD-3-Clause
// plan.c: the moves of the drives as places of the tool.
//
// At each instant the model rests with its drives at their references r [n_u]: delta = delta(theta,
// u) of mw_rom_static, and u solves
//   thdd_i(theta, delta, 0, 0, u) = 0   drives of coordinates of theta,
//   y_k(theta, delta) = r_k             all others                                          (1)
// which is affine in u but for the small product of u and delta: Newton's method, twice.
// Rates are central differences. Offline.
#include "sim/mpc.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/control.h"
typedef struct planner {
  const mw_rom_file *file;
  const mw_rom *rom;
  int theta_of[MW_MPC_MAX_U];           // coordinate of theta a drive moves, -1
  const mw_signal *move[MW_MPC_MAX_U];  // of each drive
  double *x, *acc, *y;                  // [2n], [n], [n_y]
  void *work;
  mw_rom_opt opt;
} planner;

// ---- setting up ---------------------------------------------------------------------------------

static mw_code find_moves(planner *p, const mw_model *model, const mw_scenario *sc, mw_error *err)
{
  const mw_rom *rom = p->rom;
  if (rom->n_u > MW_MPC_MAX_U || rom->n_u != model->n_drive)
    return mw_fail(err, MW_ERR_INPUT, sc->at, "there are %d drives, 1 to %d expected", rom->n_u,
                   (int)MW_MPC_MAX_U);
  for (int k = 0; k < sc->n_action; k++)
    if (sc->action[k].kind == MW_ACTION_CONTROL && !sc->action[k].unit)
      p->move[sc->action[k].drive] = &sc->action[k].signal;
  for (int k = 0; k < rom->n_u; k++) {
    const char *field = p->file->field[rom->u_field[k]];
    if (!p->move[k] || strncmp(field, "s:", 2) != 0)
      return mw_fail(err, MW_ERR_INPUT, sc->at, "drive %s has no controlled move",
                     p->file->input[k]);
    p->theta_of[k] = -1;
    for (int i = 0; i < rom->s; i++)
      if (strcmp(field + 2, p->file->coordinate[i]) == 0) p->theta_of[k] = i;
  }
  for (int i = 0; i < rom->s; i++) {
    int driven = 0;
    for (int k = 0; k < rom->n_u; k++) driven += p->theta_of[k] == i;
    if (driven != 1)
      return mw_fail(err, MW_ERR_INPUT, sc->at, "coordinate %s has %d drives, 1 expected",
                     p->file->coordinate[i], driven);
  }
  return MW_OK;
}

// Outputs are the fields before the first that is a coordinate or a force drive.
static mw_code list_fields(const planner *p, mw_arena *mem, mw_mpc_plan *plan, mw_error *err)
{
  const mw_rom *rom = p->rom;
  plan->n_out = 0;
  while (plan->n_out < rom->n_y && !strchr(p->file->field[plan->n_out], ':')) plan->n_out++;
  plan->n_ref = plan->n_out + rom->n_u;
  plan->field = mw_arena_int(mem, (size_t)plan->n_ref);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && plan->n_ref > MW_MPC_MAX_REF)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "the model has %d fields to follow, at most %d expected", plan->n_ref,
                 (int)MW_MPC_MAX_REF);
  for (int k = 0; rc == MW_OK && k < plan->n_ref; k++)
    plan->field[k] = k < plan->n_out ? k : rom->u_field[k - plan->n_out];
  return rc;
}

// ---- rest ---------------------------------------------------------------------------------------

// Residual of (1) at u; fills x
static mw_rom_code residual(planner *p, const double *u, const double *r, double *F)
{
  const mw_rom *rom = p->rom;
  mw_rom_code code = mw_rom_static(rom, p->x, u, p->x + rom->s, p->work, NULL);
  if (code == MW_ROM_OK)
    code = mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &p->opt, .u = u, .work = p->work }, p->x,
                      p->acc);
  if (code == MW_ROM_OK) code = mw_rom_outputs(rom, p->x, p->y, NULL, p->work, NULL);
  for (int k = 0; code == MW_ROM_OK && k < rom->n_u; k++)
    F[k] = p->theta_of[k] >= 0 ? p->acc[p->theta_of[k]] : p->y[rom->u_field[k]] - r[k];
  return code;
}

// x and u [n_u] at rest with the drives at r [n_u]; y holds all fields there
static mw_code rest(planner *p, const double *r, double *u, mw_error *err)
{
  enum { N = MW_MPC_MAX_U, TIMES = 3 };
  int n = p->rom->n_u, piv[N];
  double A[N * N], F[N], F1[N];
  mw_rom_code code = MW_ROM_OK;
  memset(p->x, 0, 2 * (size_t)(p->rom->s + p->rom->m) * sizeof(double));
  for (int k = 0; k < n; k++)
    if (p->theta_of[k] >= 0) p->x[p->theta_of[k]] = r[k];
  for (int i = 0; i < TIMES; i++) {
    code = residual(p, u, r, F);
    for (int k = 0; code == MW_ROM_OK && k < n; k++) {
      u[k] += 1.0;
      code = residual(p, u, r, F1);
      u[k] -= 1.0;
      for (int j = 0; j < n; j++) A[j * n + k] = F1[j] - F[j];
    }
    if (code != MW_ROM_OK)
      return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "the move cannot be followed: %s",
                     mw_rom_code_name(code));
    mw_code rc = mw_lu_factor(n, A, piv, err);
    if (rc != MW_OK) return rc;
    mw_lu_solve(n, A, piv, 1, F);
    for (int k = 0; k < n; k++) u[k] -= F[k];
  }
  code = residual(p, u, r, F);
  return code == MW_ROM_OK ? MW_OK
                           : mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                                     "the move cannot be followed: %s", mw_rom_code_name(code));
}

// ---- all of it ----------------------------------------------------------------------------------

// When the moves have come to their ends
static double end_of(const planner *p, double duration, double h)
{
  double t = duration;
  for (; t > 0.0; t -= h)
    for (int k = 0; k < p->rom->n_u; k++) {
      double y, dy, end;
      mw_signal_eval(p->move[k], t, &y, &dy, NULL);
      mw_signal_eval(p->move[k], duration, &end, NULL, NULL);
      if (fabs(y - end) > 1e-9 || fabs(dy) > 1e-9) return t + h;
    }
  return 0.0;
}

static mw_code fill(planner *p, mw_mpc_plan *plan, mw_error *err)
{
  int nr = plan->n_ref;
  double r[MW_MPC_MAX_U], u[MW_MPC_MAX_U] = { 0.0 };
  mw_code rc = MW_OK;
  for (int t = 0; rc == MW_OK && t < plan->n_t; t++) {
    for (int k = 0; k < p->rom->n_u; k++)
      mw_signal_eval(p->move[k], t * plan->h, &r[k], NULL, NULL);
    rc = rest(p, r, u, err);
    for (int k = 0; rc == MW_OK && k < nr; k++) plan->y[t * nr + k] = p->y[plan->field[k]];
    if (rc != MW_OK || t > 0) continue;
    memcpy(plan->x0, p->x, 2 * (size_t)(p->rom->s + p->rom->m) * sizeof(double));
    memcpy(plan->u0, u, (size_t)p->rom->n_u * sizeof(double));
  }
  for (int t = 1; rc == MW_OK && t + 1 < plan->n_t; t++)
    for (int k = 0; k < nr; k++)
      plan->y_dot[t * nr + k] =
          0.5 * (plan->y[(t + 1) * nr + k] - plan->y[(t - 1) * nr + k]) / plan->h;
  return rc;
}

mw_code mw_mpc_plan_build(const mw_rom_file *rom, const mw_model *model, const mw_scenario *sc,
                          double h, mw_arena *mem, mw_mpc_plan *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)(rom->rom.s + rom->rom.m);
  planner p = { .file = rom, .rom = &rom->rom, .opt = mw_rom_opt_default() };
  p.opt.inertia = rom->inertia;
  mw_mpc_plan plan = { .h = h };
  mw_code rc = find_moves(&p, model, sc, err);
  if (rc == MW_OK) rc = list_fields(&p, mem, &plan, err);
  if (rc != MW_OK) return rc;
  plan.end = end_of(&p, sc->duration, h);
  plan.n_t = (int)ceil(plan.end / h) + 2;
  p.x = mw_arena_f64(&tmp, 2 * n);
  p.acc = mw_arena_f64(&tmp, n);
  p.y = mw_arena_f64(&tmp, (size_t)rom->rom.n_y);
  p.work = mw_arena_alloc(&tmp, mw_rom_work_bytes(&rom->rom), 1);
  plan.y = mw_arena_f64(mem, (size_t)plan.n_t * (size_t)plan.n_ref);
  plan.y_dot = mw_arena_f64(mem, (size_t)plan.n_t * (size_t)plan.n_ref);
  plan.x0 = mw_arena_f64(mem, 2 * n);
  plan.u0 = mw_arena_f64(mem, (size_t)rom->rom.n_u);
  rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = fill(&p, &plan, err);
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = plan;
  return rc;
}
