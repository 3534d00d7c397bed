// SPDX-License-Identifier: BSD-3-Clause
// use_rom.c: does with a reduced model what the program does, whatever its numbers are.
#include "use_rom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/certificate.h"

static const size_t MOST = (size_t)1 << 25;  // bytes; larger models are not run

// x [2n], n = s + m: coordinates at `part` of their ranges, small amplitudes and rates.
static void place(const mw_rom *r, double part, double *x)
{
  int n = r->s + r->m;
  for (int k = 0; k < 2 * n; k++) x[k] = 1e-3 * (k % 3);
  for (int i = 0; i < r->s; i++) x[i] = r->lo[i] + part * (r->hi[i] - r->lo[i]);
}

static void call_all(const mw_rom *r, void *work, double *x, double *y, double *wide)
{
  int n = r->s + r->m;
  double T, V, D;
  mw_rom_info info = { 0 };
  for (int method = 0; method < MW_ROM_N_METHOD; method++) {
    mw_rom_opt opt = mw_rom_opt_default();
    opt.method = (mw_rom_method)method;
    opt.inertia = method % 2 ? MW_ROM_LEADING : MW_ROM_FULL;
    double *u = y + r->n_y;
    memset(u, 0, (size_t)r->n_u * sizeof *u);
    mw_rom_call call = { .rom = r, .opt = &opt, .h = 1e-4, .u = u, .work = work, .info = &info };
    (void)mw_rom_rhs(&call, x, y + r->n_y + r->n_u);
    (void)mw_rom_jacobian(&call, x, y + r->n_y + r->n_u, wide, wide + 2 * n * n);
    (void)mw_rom_energy(&call, x, &T, &V, &D);
    (void)mw_rom_step(&call, x);
  }
  (void)mw_rom_outputs(r, x, y, y + r->n_y, work, &info);
}

void use_rom(const mw_rom *r)
{
  static const double PART[] = { 0.0, 0.37, 0.5, 1.0, 1.5, -3.0, 1e300, NAN };
  size_t n = (size_t)(r->s + r->m), bytes = mw_rom_sens_bytes(r),
         y = 2 * (size_t)r->n_y + (size_t)r->n_u + 2 * n, wide = 2 * n * (2 * n + (size_t)r->n_u);
  if (bytes > MOST || wide > MOST / 8 || y > MOST / 8) return;
  void *work = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
  double *x = calloc(2 * n + y + wide + 1, sizeof *x);
  for (size_t k = 0; work && x && k < sizeof PART / sizeof *PART; k++) {
    place(r, PART[k], x);
    call_all(r, work, x, x + 2 * n, x + 2 * n + y);
  }
  free(work);
  free(x);
}

static void use_start(const mw_rom_file *f)
{
  mw_error err;
  double theta[MW_ROM_MAX_S], *v = calloc((size_t)f->n_start + 1, sizeof *v);
  for (int k = -1; v && k < 4; k++) {
    for (int i = 0; i < f->rom.s; i++)
      theta[i] = f->rom.lo[i] + k / 2.0 * (f->rom.hi[i] - f->rom.lo[i]);
    (void)!mw_rom_file_start(f, theta, v, &err);
  }
  free(v);
}

void use_rom_file(const mw_rom_file *f)
{
  mw_error err;
  mw_verdict v[MW_VERDICTS];
  use_rom(&f->rom);
  use_start(f);
  (void)mw_certificate_verdicts(&f->certificate, v);
  for (int k = 0; k < f->n_parameter; k++) {
    mw_rom_file view = { 0 };
    if (mw_rom_file_view(f, &view, &err) != MW_OK) continue;
    if (mw_rom_set_parameter(&view, k, f->parameter[k].hi, &err) == MW_OK) use_rom(&view.rom);
    mw_rom_file_free(&view);
  }
}
