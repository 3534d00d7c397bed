// SPDX-License-Identifier: BSD-3-Clause
// rom_step.c: one step by any method, with its checks; the explicit one.
//
//   RK4: k_1 = f(x0), k_2 = f(x0 + h/2 k_1), k_3 = f(x0 + h/2 k_2), k_4 = f(x0 + h k_3)
//        x1 = x0 + h/6 (k_1 + 2 k_2 + 2 k_3 + k_4)                                              (1)
// EXPONENTIAL: rom_exp.c; MIDPOINT: rom_mid.c. Cost of RK4: four right-hand sides. Allocates
// nothing.
#include "core/rom_layer.h"

void rom_stage_inside(const mw_rom *rom, double *x)
{
  for (int i = 0; i < rom->s; i++)
    if (!(rom->cyclic >> i & 1u)) x[i] = rom_within(x[i], rom->lo[i], rom->hi[i]);
}

mw_rom_code rom_rk4_step(const mw_rom_call *call, const double *x0, double *x1, rom_work *w)
{
  const mw_rom *rom = call->rom;
  const double h = call->h;
  static const double AT[4] = { 0.0, 0.5, 0.5, 1.0 }, SHARE[4] = { 1.0, 2.0, 2.0, 1.0 };
  int n = rom->s + rom->m;
  double *x = w->mid, *k = w->gap;
  for (int i = 0; i < 2 * n; i++) x1[i] = 0.0;
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < 2 * n; i++) x[i] = stage == 0 ? x0[i] : x0[i] + AT[stage] * h * k[i];
    for (int i = 0; i < n; i++) k[i] = x[n + i];
    rom_stage_inside(rom, x);
    mw_rom_code rc = rom_accel(call, x, k + n, w);
    if (rc != MW_ROM_OK) return rc;
    for (int i = 0; i < 2 * n; i++) x1[i] += SHARE[stage] * k[i];
  }
  for (int i = 0; i < 2 * n; i++) x1[i] = x0[i] + h / 6.0 * x1[i];
  return MW_ROM_OK;
}

mw_rom_code mw_rom_step(const mw_rom_call *call, double *x)
{
  const mw_rom *rom = call->rom;
  mw_rom_info *info = call->info;
  mw_rom_code rc = rom_check_state(rom, x, info);
  if (rc == MW_ROM_OK) rc = rom_check_input(rom, call->opt, call->u, call->thdd_p, info);
  if (rc == MW_ROM_OK && (!isfinite(call->h) || call->h <= 0.0)) rc = MW_ROM_NAN;
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init(&w, rom, call->work);
  if (info) {
    info->iterations = 1;
    info->residual = 0.0;
  }
  if (call->opt->method == MW_ROM_MIDPOINT) {
    rc = rom_mid_step(call, x, w.next, &w);
  } else if (call->opt->method == MW_ROM_RK4) {
    rc = rom_rk4_step(call, x, w.next, &w);
  } else {
    rom_exp_step(call, call->u, x, w.next, ROM_FIRST | ROM_SECOND, &w);
  }
  if (rc == MW_ROM_OK) rc = rom_check_state(rom, w.next, info);
  for (int i = 0; rc == MW_ROM_OK && i < 2 * (rom->s + rom->m); i++) x[i] = w.next[i];
  return rc;
}
