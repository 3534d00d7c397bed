// SPDX-License-Identifier: BSD-3-Clause
// rom_work.c: checks of what is handed in. O(n).
#include "rom_layer.h"

mw_rom_code rom_blame(mw_rom_info *info, mw_rom_code code, int index)
{
  if (info) info->index = index;
  return code;
}

mw_rom_code rom_check_theta(const mw_rom *rom, const double *theta, mw_rom_info *info)
{
  for (int i = 0; i < rom->s; i++) {
    double slack = ROM_BOX_SLACK * (rom->hi[i] - rom->lo[i]);
    if (!isfinite(theta[i])) return rom_blame(info, MW_ROM_NAN, i);
    if (rom->cyclic >> i & 1u) continue;
    if (theta[i] < rom->lo[i] - slack || theta[i] > rom->hi[i] + slack)
      return rom_blame(info, MW_ROM_THETA, i);
  }
  return rom_blame(info, MW_ROM_OK, -1);
}

// Is all of x within its ranges? Without a word: states mostly are.
static int is_inside(const mw_rom *rom, const double *x)
{
  const int s = rom->s, m = rom->m;
  const double *delta = x + s, *thd = delta + m;
  double finite = 0.0;  // NaN behind a number that is not
  int in = 1;
  for (int k = 0; k < 2 * (s + m); k++) finite += 0.0 * x[k];
  for (int a = 0; a < m; a++) in &= fabs(delta[a]) <= rom->delta_max[a];
  for (int i = 0; i < s; i++) {
    const double slack = ROM_BOX_SLACK * (rom->hi[i] - rom->lo[i]);
    const int turns = (int)(rom->cyclic >> i & 1u);
    in &= turns | (x[i] >= rom->lo[i] - slack && x[i] <= rom->hi[i] + slack);
    if (rom->rate_max) in &= fabs(thd[i]) <= (1.0 + ROM_RATE_SLACK) * rom->rate_max[i];
  }
  return in && finite == 0.0;
}

mw_rom_code rom_check_state(const mw_rom *rom, const double *x, mw_rom_info *info)
{
  int s = rom->s, m = rom->m;
  if (is_inside(rom, x)) return rom_blame(info, MW_ROM_OK, -1);
  for (int k = 0; k < 2 * (s + m); k++)
    if (!isfinite(x[k])) return rom_blame(info, MW_ROM_NAN, k);
  for (int a = 0; a < m; a++)
    if (fabs(x[s + a]) > rom->delta_max[a]) return rom_blame(info, MW_ROM_DELTA, a);
  for (int i = 0; rom->rate_max && i < s; i++)
    if (fabs(x[s + m + i]) > (1.0 + ROM_RATE_SLACK) * rom->rate_max[i])
      return rom_blame(info, MW_ROM_RATE, i);
  return rom_check_theta(rom, x, info);
}

mw_rom_code rom_check_input(const mw_rom *rom, const mw_rom_opt *opt, const double *u,
                            const double *thdd_p, mw_rom_info *info)
{
  int n_x = 2 * (rom->s + rom->m);
  for (int k = 0; k < rom->n_u; k++)
    if (!isfinite(u[k])) return rom_blame(info, MW_ROM_NAN, n_x + k);
  for (int k = 0; rom->u_max && k < rom->n_u; k++)
    if (fabs(u[k]) > rom->u_max[k]) return rom_blame(info, MW_ROM_INPUT, k);
  for (int i = 0; thdd_p && i < rom->s; i++)
    if ((opt->prescribed >> i & 1u) && !isfinite(thdd_p[i]))
      return rom_blame(info, MW_ROM_NAN, n_x + rom->n_u + i);
  return rom_blame(info, MW_ROM_OK, -1);
}

size_t mw_rom_work_bytes(const mw_rom *rom)
{
  rom_work w;
  return rom_work_layout(&w, rom, NULL);
}
