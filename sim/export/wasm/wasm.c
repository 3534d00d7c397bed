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
#include "templates/table.h.in"

static void *aligned(real *work)
{
  size_t over = (uintptr_t)work % 64;
  return (char *)work + (over ? 64 - over : 0);
}

#include "templates/table_api.c.in"

// The model once more with one input more, the last: a force along field `load`.
typedef struct loaded {
  mw_rom rom;
  int field[MW_FLAT_MAX_Y + 1];
  double most[MW_FLAT_MAX_Y + 1];
} loaded;

static void load_at(const modeway_rom *rom, int load, loaded *out)
{
  const mw_rom *r = &flat_of(rom)->rom;
  int n = r->n_u;
  out->rom = *r;
  for (int k = 0; k < n; k++) {
    out->field[k] = r->u_field[k];
    out->most[k] = r->u_max ? r->u_max[k] : (double)INFINITY;
  }
  out->field[n] = load;
  out->most[n] = INFINITY;
  out->rom.n_u = n + 1;
  out->rom.u_field = out->field;
  out->rom.u_max = out->most;
}

// Doubles of scratch that modeway_rom_driven and modeway_rom_linear need.
size_t modeway_rom_loaded_work(const modeway_rom *rom)
{
  loaded one;
  load_at(rom, 0, &one);
  return mw_rom_sens_bytes(&one.rom) / sizeof(double) + 7;
}

// A step as modeway_rom_step's, with u [n_u + 1], the last a force along field `load`, and the
// coordinates of the bits in held given: they take their accelerations from theta_ddot [n_theta].
int modeway_rom_driven(const modeway_rom *rom, double h, const double *u, int load, unsigned held,
                       const double *theta_ddot, double *x, double *work, int *blame)
{
  mw_rom_info info = { .index = -1 };
  mw_rom_opt opt = options(rom);
  loaded one;
  if (load < 0 || load >= flat_of(rom)->rom.n_y) return MODEWAY_INPUT;
  load_at(rom, load, &one);
  opt.prescribed = held;
  mw_rom_call call = { .rom = &one.rom, .opt = &opt, .h = h, .u = u, .thdd_p = theta_ddot };
  call.work = aligned(work);
  call.info = &info;
  return answer(rom, mw_rom_step(&call, x), &info, blame);
}

// At rest at theta, held there, without drive forces and laws: x [n_x]; derivatives of
// accelerations acc_x [n_acc × n_x] and acc_u [n_acc × (n_u + 1)], the last column by a force along
// field `load`; of outputs, their rates and accelerations y [3 n_y], y_x [3 n_y × n_x], y_u [3 n_y
// × (n_u + 1)]. u [n_u + 1] is set to 0, acc [n_acc] is scratch.
int modeway_rom_linear(const modeway_rom *rom, const double *theta, int load, double *u, double *x,
                       double *acc, double *acc_x, double *acc_u, double *y, double *y_x,
                       double *y_u, double *work)
{
  mw_rom_opt opt = options(rom);
  const mw_rom_outputs_sens out = { .Y = y, .Y_x = y_x, .Y_u = y_u };
  loaded one;
  if (load < 0 || load >= flat_of(rom)->rom.n_y) return MODEWAY_INPUT;
  load_at(rom, load, &one);
  mw_rom *r = &one.rom;
  r->n_law = 0;
  opt.prescribed = (1u << r->s) - 1u;
  mw_rom_call call = { .rom = r, .opt = &opt, .u = u, .work = aligned(work) };
  memset(u, 0, (size_t)r->n_u * sizeof *u);
  memset(x, 0, 2 * (size_t)(r->s + r->m) * sizeof *x);
  memcpy(x, theta, (size_t)r->s * sizeof *x);
  mw_rom_code code = mw_rom_static(r, theta, NULL, x + r->s, call.work, NULL);
  if (code == MW_ROM_OK) code = mw_rom_jacobian(&call, x, acc, acc_x, acc_u);
  if (code == MW_ROM_OK) code = mw_rom_outputs_jacobian(&call, x, &out);
  return (int)code;
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
