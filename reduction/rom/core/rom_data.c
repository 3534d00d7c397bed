// SPDX-License-Identifier: BSD-3-Clause
// rom_data.c: the record's layout, sizes, settings, names. O(1).
#include "rom_layer.h"

mw_rom_layout mw_rom_layout_of(mw_rom_shape x)
{
  return rom_layout(x.s, x.m, x.n_y, x.n_Y, x.n_G, x.parts);
}

mw_rom_shape mw_rom_shape_of(const mw_rom *rom)
{
  return (mw_rom_shape){
    .s = rom->s, .m = rom->m, .n_y = rom->n_y, .n_Y = rom->n_Y, .n_G = rom->n_G, .parts = rom->parts
  };
}

int mw_rom_n_field(mw_rom_shape shape) { return mw_rom_layout_of(shape).n; }

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
  case MW_ROM_RATE: return "rate above its limit";
  case MW_ROM_INPUT: return "input above its limit";
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

// Fields f0 … f1-1 are 0 in all n rows of x, n_field apart.
static int are_zero(const double *x, size_t n, int n_field, int f0, int f1)
{
  for (size_t k = 0; k < n; k++)
    for (int f = f0; f < f1; f++)
      if (x[k * (size_t)n_field + (size_t)f] != 0.0) return 0;
  return 1;
}

// The same of the table, or of all trains that hold some of them.
static int part_is_zero(const mw_rom *rom, int f0, int f1)
{
  size_t n = 1;
  for (int i = 0; i < rom->s; i++) n *= (size_t)mw_rom_n_knot(rom, i);
  if (rom->n_train == 0) return are_zero(rom->coef, n, rom->n_field, f0, f1);
  int zero = 1;
  for (int k = 0; zero && k < rom->n_train; k++) {
    const mw_rom_train *t = &rom->train[k];
    int from = f0 - t->first, end = f1 - t->first, rank = 1;
    if (from < 0) from = 0;
    if (end > t->n_field) end = t->n_field;
    for (int i = 0; i < rom->s; i++)
      if (!(rom->flat >> i & 1u)) rank = t->rank[i];
    zero = are_zero(t->field, (size_t)rank, t->n_field, from, end);
  }
  return zero;
}

void mw_rom_note_zeros(mw_rom *rom)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  mw_rom_layout l = rom_layout_of(rom, s, m);
  rom->zero_e = 0;
  rom->zero_c = 0;
  rom->zero_H = 0;
  for (int i = 0; i < s; i++)
    if (part_is_zero(rom, l.e + i * mk, l.e + (i + 1) * mk)) rom->zero_e |= 1u << i;
  for (int i = 0; (rom->parts & MW_ROM_H) && i < s; i++)
    if (part_is_zero(rom, l.H + i * mm, l.H + (i + 1) * mm)) rom->zero_H |= 1u << i;
  for (int p = 0; p < s * (s + 1) / 2; p++)
    if (part_is_zero(rom, l.c + p * mm, l.c + (p + 1) * mm)) rom->zero_c |= 1ull << p;
}
