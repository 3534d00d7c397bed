// SPDX-License-Identifier: BSD-3-Clause
// romplant.c: the reduced model between two samples of its controllers, linearized at a scenario's
// start.
//
// Steps as the run's (the next shorter ones that fill the period), each by its exact derivatives
// S, V with forces held:
//   X ← S X ,  U ← S U + V                                                                   (1)
//   C_s (ẍ + ∂ẍ/∂u f0) = 0      the forces that hold what controllers drive, where it starts   (2)
// (2) is (4) of rigid_plant.c: accelerations are least in M where those along the drives are none.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/law.h"
#include "romrun_priv.h"

// The model without what refuses states, its laws those of small motions (in the order of
// describe.c in reduction)
static mw_code smooth(const mw_rom_sim *q, mw_arena *tmp, mw_rom *rom, mw_error *err)
{
  mw_rom_law *law = mw_arena_alloc(tmp, (size_t)q->rom->n_law, sizeof *law);
  mw_code rc = mw_arena_check(tmp, err);
  *rom = *q->rom;
  rom->u_max = rom->rate_max = NULL;
  rom->law = law;
  for (int c = 0, k = 0; rc == MW_OK && c < q->mech->n_coord && k < rom->n_law; c++) {
    const mw_joint_in *j = q->mech->joint[q->mech->coord_joint[c]].in;
    if (!j->has_law) continue;
    const mw_law l = mw_law_taken_up(&j->law);
    law[k] = (mw_rom_law){ .field = q->rom->law[k].field,
                           .stribeck = l.stribeck,
                           .smooth = l.smooth,
                           .lo = l.lo,
                           .hi = l.hi,
                           .stiffness = l.stiffness,
                           .soft = l.soft };
    k++;
  }
  return rc;
}

// (2) into u [n_u], in the place of what controllers give
static mw_code rest(const mw_rom_sim *q, const mw_rom *rom, const double *x, const mw_plant *out,
                    double *u, mw_arena *tmp, mw_error *err)
{
  static const double RANK = 1e-9;
  size_t nx = (size_t)out->n_x, n = nx / 2, nu = (size_t)out->n_u;
  double thdd[MW_ROM_MAX_S] = { 0.0 }, *acc = mw_arena_f64(tmp, n), *f = mw_arena_f64(tmp, nu);
  double *acc_x = mw_arena_f64(tmp, n * nx), *acc_u = mw_arena_f64(tmp, n * nu);
  double *G = mw_arena_f64(tmp, nu * nu), *b = mw_arena_f64(tmp, nu);
  int *drive = mw_arena_int(tmp, nu), n_c = 0, rank;
  mw_rom_info info = { 0 };
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(u, q->u, nu * sizeof *u);
  for (int k = 0; k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    if (a->kind == MW_ACTION_CONTROL) u[drive[n_c++] = a->drive] = 0.0;
  }
  mw_rom_call call = { .rom = rom, .opt = &q->opt, .u = u, .thdd_p = thdd };
  call.work = q->work_sens;
  call.info = &info;
  mw_rom_code code = mw_rom_jacobian(&call, x, acc, acc_x, acc_u);
  if (code != MW_ROM_OK) return mw_rom_sim_explain(q, code, &info, 0.0, err);
  for (int i = 0; i < n_c; i++) {
    const double *C_s = out->C + (size_t)drive[i] * nx;
    b[i] = -mw_dot((int)n, C_s, acc);
    for (int j = 0; j < n_c; j++)
      for (size_t l = 0; l < n; l++) G[i * n_c + j] += C_s[l] * acc_u[l * nu + (size_t)drive[j]];
  }
  rc = mw_lstsq(n_c, n_c, G, b, RANK, f, &rank, err);
  for (int i = 0; rc == MW_OK && i < n_c; i++) u[drive[i]] = f[i];
  return rc;
}

static mw_code period_of(const mw_rom_sim *q, const mw_rom *rom, const double *x, const double *u,
                         mw_plant *out, mw_arena *tmp, mw_error *err)
{
  size_t nx = (size_t)out->n_x, nu = (size_t)out->n_u;
  double thdd[MW_ROM_MAX_S] = { 0.0 }, *S = mw_arena_f64(tmp, nx * nx);
  double *V = mw_arena_f64(tmp, nx * nu), *next = mw_arena_f64(tmp, nx * (nx + nu));
  double *end = mw_arena_f64(tmp, nx), T = q->control.period;
  int steps = (int)fmax(1.0, ceil(T / q->h - 1e-6));
  mw_rom_info info = { 0 };
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(end, x, nx * sizeof *x);
  mw_rom_call call = { .rom = rom, .opt = &q->opt, .h = T / steps, .u = u, .thdd_p = thdd };
  call.work = q->work_sens;
  call.info = &info;
  mw_rom_code code = mw_rom_step_sens(&call, end, S, V);
  if (code != MW_ROM_OK) return mw_rom_sim_explain(q, code, &info, 0.0, err);
  memcpy(out->X, S, nx * nx * sizeof *S);
  memcpy(out->U, V, nx * nu * sizeof *V);
  for (int k = 1; k < steps; k++) {
    mw_gemm('n', 'n', out->n_x, out->n_x, out->n_x, 1.0, S, out->X, 0.0, next);
    memcpy(out->X, next, nx * nx * sizeof *next);
    memcpy(next, V, nx * nu * sizeof *V);
    mw_gemm('n', 'n', out->n_x, out->n_u, out->n_x, 1.0, S, out->U, 1.0, next);
    memcpy(out->U, next, nx * nu * sizeof *next);
  }
  return MW_OK;
}

// Rows of s, ṡ, e, ė of all drives
static mw_code seen(const mw_rom_sim *q, const mw_rom *rom, const double *x, mw_plant *out,
                    mw_arena *tmp, mw_error *err)
{
  size_t nx = (size_t)out->n_x, ny = (size_t)q->rom->n_y, nu = (size_t)out->n_u;
  double thdd[MW_ROM_MAX_S] = { 0.0 }, *Y_x = mw_arena_f64(tmp, 3 * ny * nx);
  mw_rom_info info = { 0 };
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  const mw_rom_outputs_sens sens = { .Y_x = Y_x };
  mw_rom_call call = { .rom = rom, .opt = &q->opt, .u = q->u, .thdd_p = thdd };
  call.work = q->work_sens;
  call.info = &info;
  mw_rom_code code = mw_rom_outputs_jacobian(&call, x, &sens);
  if (code != MW_ROM_OK) return mw_rom_sim_explain(q, code, &info, 0.0, err);
  for (size_t d = 0; d < nu; d++) {
    int joint = mw_control_encoder(&q->control, (int)d), s = q->rom->u_field[d];
    int e = joint >= 0 ? q->y_coord[q->mech->joint[joint].coord] : s;
    for (size_t part = 0; part < 4; part++) {
      size_t row = part % 2 * ny + (size_t)(part < 2 ? s : e);
      memcpy(out->C + (part * nu + d) * nx, Y_x + row * nx, nx * sizeof *Y_x);
    }
  }
  return MW_OK;
}

mw_code mw_rom_sim_plant(const mw_rom_sim *q, mw_arena *mem, mw_plant *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)(q->rom->s + q->rom->m), nx = 2 * n, nu = (size_t)q->rom->n_u;
  double *x = mw_arena_f64(&tmp, nx), *u = mw_arena_f64(&tmp, nu);
  mw_rom rom;
  *out = (mw_plant){ .n_x = (int)nx,
                     .n_u = (int)nu,
                     .X = mw_arena_f64(mem, nx * nx),
                     .U = mw_arena_f64(mem, nx * nu),
                     .C = mw_arena_f64(mem, 4 * nu * nx) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = smooth(q, &tmp, &rom, err);
  if (rc == MW_OK) {
    memcpy(x, q->x, n * sizeof *x);
    rc = seen(q, &rom, x, out, &tmp, err);
  }
  if (rc == MW_OK) rc = rest(q, &rom, x, out, u, &tmp, err);
  if (rc == MW_OK) rc = period_of(q, &rom, x, u, out, &tmp, err);
  mw_arena_free(&tmp);
  return rc;
}
