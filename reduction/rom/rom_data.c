// SPDX-License-Identifier: BSD-3-Clause
// rom_data.c: the record's layout, sizes, settings, names. O(1).
#include "rom_priv.h"

mw_rom_layout mw_rom_layout_of(int s, int m, int n_y) { return rom_layout(s, m, n_y); }

int mw_rom_n_field(int s, int m, int n_y) { return mw_rom_layout_of(s, m, n_y).n; }

mw_rom_opt mw_rom_opt_default(void)
{
  return (mw_rom_opt){ .inertia = MW_ROM_FULL,
                       .method = MW_ROM_EXPONENTIAL,
                       .iter_max = 20,
                       .tol = 1e-9,
                       .prescribed = 0 };
}

const char *mw_rom_code_name(mw_rom_code code)
{
  switch (code) {
  case MW_ROM_OK: return "ok";
  case MW_ROM_THETA: return "theta outside its box";
  case MW_ROM_DELTA: return "deflection above its limit";
  case MW_ROM_NAN: return "not a finite number";
  case MW_ROM_DIVERGED: return "iteration did not converge";
  case MW_ROM_SINGULAR: return "matrix not positive definite";
  }
  return "unknown";
}

const char *mw_rom_method_name(mw_rom_method method)
{
  switch (method) {
  case MW_ROM_EXPONENTIAL: return "exponential";
  case MW_ROM_RK4: return "rk4";
  case MW_ROM_MIDPOINT: return "midpoint";
  case MW_ROM_N_METHOD: break;
  }
  return "unknown";
}

int mw_rom_n_knot(const mw_rom *rom, int i) { return rom->flat >> i & 1u ? 1 : rom->n_grid[i] + 2; }

size_t mw_rom_bytes(const mw_rom *rom)
{
  size_t n = rom->n_train > 0 ? 0 : (size_t)rom->n_field;
  for (int i = 0; i < rom->s; i++) n *= (size_t)mw_rom_n_knot(rom, i);
  for (int k = 0; k < rom->n_train; k++) {
    const mw_rom_train *t = &rom->train[k];
    size_t r = 1;
    for (int i = 0; i < rom->s; i++) {
      if (rom->flat >> i & 1u) continue;
      n += (size_t)mw_rom_n_knot(rom, i) * r * (size_t)t->rank[i];
      r = (size_t)t->rank[i];
    }
    n += r * (size_t)t->n_field;
  }
  return n * sizeof(double);
}
