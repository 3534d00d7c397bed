// SPDX-License-Identifier: BSD-3-Clause
// wasm.c: the online model as one WebAssembly module without imports: the calls of modeway_rom.h
// (templates/table_api.c.in), and the equations of small motions for frequency responses.
//
// Compiled once, when modeway is built (page.cmake); a model is a table of bytes (rom/flat.h) that
// JavaScript puts into the module's memory. All that makes a state is + − × ÷ √ in a fixed order,
// none fused, and WebAssembly rounds each as IEEE 754 says: the bits are those of modeway's own
// steps.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/rom_real.h"
#include "rom/flat.h"
#include "small_motions_layer.h"
#include "templates/table.h.in"

static void *aligned(real *work)
{
  size_t over = (uintptr_t)work % 64;
  return (char *)work + (over ? 64 - over : 0);
}

#include "templates/table_api.c.in"

enum { MOST_LOADS = 3 };

// The model once more with n inputs more, the last: forces along the fields from `load` on.
typedef struct loaded {
  mw_rom rom;
  int field[MW_FLAT_MAX_Y + MOST_LOADS];
  double most[MW_FLAT_MAX_Y + MOST_LOADS];
} loaded;

static void load_at(const modeway_rom *rom, int load, int n_load, loaded *out)
{
  const mw_rom *r = &flat_of(rom)->rom;
  int n = r->n_u;
  out->rom = *r;
  for (int k = 0; k < n; k++) {
    out->field[k] = r->u_field[k];
    out->most[k] = r->u_max ? r->u_max[k] : (double)INFINITY;
  }
  for (int k = 0; k < n_load; k++) {
    out->field[n + k] = load + k;
    out->most[n + k] = INFINITY;
  }
  out->rom.n_u = n + n_load;
  out->rom.u_field = out->field;
  out->rom.u_max = out->most;
}

// Doubles of scratch that modeway_rom_driven and modeway_rom_linear need.
size_t modeway_rom_loaded_work(const modeway_rom *rom)
{
  loaded one;
  load_at(rom, 0, 0, &one);
  one.rom.n_u += MOST_LOADS;
  return mw_rom_sens_bytes(&one.rom) / sizeof(double) + 7;
}

// A step as modeway_rom_step's, with u [n_u + n_load], the last forces along the fields load,
// load + 1, …, three at most, and the coordinates of the bits in held given: they take their
// accelerations from theta_ddot [n_theta].
int modeway_rom_driven(const modeway_rom *rom, double h, const double *u, int load, int n_load,
                       unsigned held, const double *theta_ddot, double *x, double *work, int *blame)
{
  mw_rom_info info = { .index = -1 };
  mw_rom_opt opt = options(rom);
  loaded one;
  if (n_load < 0 || n_load > MOST_LOADS || load < 0 || load > flat_of(rom)->rom.n_y - n_load)
    return MODEWAY_INPUT;
  load_at(rom, load, n_load, &one);
  opt.prescribed = held;
  mw_rom_call call = { .rom = &one.rom, .opt = &opt, .h = h, .u = u, .thdd_p = theta_ddot };
  call.work = aligned(work);
  call.info = &info;
  return answer(rom, mw_rom_step(&call, x), &info, blame);
}

// The numbers that are linear in a model's coefficients where they lie in the block, n of them, for
// programs that put those at other values of parameters there: k = 0 those of a whole table, or
// those of the field of train k. NULL: there is no k.
double *modeway_rom_coefficients(const modeway_rom *rom, int k, size_t *n)
{
  const mw_rom *r = &flat_of(rom)->rom;
  const double *x = NULL;
  *n = 0;
  if (r->n_train == 0 && k == 0) {
    *n = mw_rom_bytes(r) / sizeof(double);
    x = r->coef;
  } else if (k >= 0 && k < r->n_train) {
    const mw_rom_train *t = &r->train[k];
    size_t rank = 1;
    for (int i = 0; i < r->s; i++)
      if (t->core[i]) rank = (size_t)t->rank[i];
    *n = rank * (size_t)t->n_field;
    x = t->field;
  }
  return (double *)(uintptr_t)x;
}

// Small motions about rest at theta (small_motions_layer.h) under a force along field `load`.
int modeway_rom_linear(const modeway_rom *rom, const double *theta, int load, double *x,
                       double *out, double *work)
{
  const mw_rom_opt opt = options(rom);
  if (load < 0 || load >= flat_of(rom)->rom.n_y) return MODEWAY_INPUT;
  return (int)modeway_rom_rest(&flat_of(rom)->rom, &opt, theta, load, x, out, aligned(work));
}

// ---- what the compiler calls --------------------------------------------------------------------

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
  return __builtin_memcpy(to, from, n);
}
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }

int memcmp(const void *a, const void *b, size_t n)
{
  const unsigned char *p = a, *q = b;
  for (size_t i = 0; i < n; i++)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}

size_t strlen(const char *s)
{
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
