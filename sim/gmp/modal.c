// SPDX-License-Identifier: BSD-3-Clause
// modal.c: the eigenpairs of a reduced model and what acts on its columns, part by part of a run's
// steps.
//
//   K(θ) v_j = ω_j² v_j                    columns have unit mass: V is orthogonal
//   f = δ̈ + C δ̇ + K δ   what acts, from inputs and from the motion of theta   (1)
// δ̈ is the change of the rates over the part, δ and δ̇ are means of its ends: what the mid-point
// rule solves.
// Cost: the fields and some m² a part; an eigenanalysis where theta has moved by a hundredth of its
// range.
#include "modal_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "reduction/certificate.h"

static const double MOVED = 0.01;  // of a coordinate's range, after which modes are computed anew

void mw_modal_product(int m, const double *A, const double *x, double *out)
{
  memset(out, 0, (size_t)m * sizeof *out);
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) {
      double k = A[a * (a + 1) / 2 + b];
      out[a] += k * x[b];
      if (b < a) out[b] += k * x[a];
    }
}

// v_jᵀ C v_j
static double damping(const mw_modal *z, int j)
{
  int m = z->file->rom.m;
  const double *C = z->value + mw_rom_layout_of(mw_rom_shape_of(&z->file->rom)).C;
  double c = 0.0;
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++)
      c += (a == b ? 1.0 : 2.0) * C[a * (a + 1) / 2 + b] * z->V[a * m + j] * z->V[b * m + j];
  return c;
}

static mw_code look(mw_modal *z, const double *theta, mw_error *err)
{
  const mw_rom *rom = &z->file->rom;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  bool near = z->decomposed;
  if (mw_rom_fields(rom, theta, z->value, NULL, NULL) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a coordinate left the reduced model");
  for (int i = 0; i < rom->s; i++)
    near = near && fabs(theta[i] - z->theta[i]) <= MOVED * (rom->hi[i] - rom->lo[i]);
  if (near) return MW_OK;
  for (int a = 0; a < rom->m; a++)
    for (int b = 0; b <= a; b++)
      z->K[a * rom->m + b] = z->K[b * rom->m + a] = z->value[L.K + a * (a + 1) / 2 + b];
  mw_code rc = mw_eig_sym(rom->m, z->K, z->w, z->V, err);
  if (rc != MW_OK) return rc;
  memcpy(z->theta, theta, (size_t)rom->s * sizeof *theta);
  z->decomposed = true;
  for (int j = 0; j < rom->m; j++) z->c[j] = damping(z, j);
  return MW_OK;
}

mw_code mw_modal_init(mw_modal *z, const mw_rom_file *f, const double *x, mw_arena *mem,
                      mw_error *err)
{
  size_t m = (size_t)f->rom.m, n = m + (size_t)f->rom.s;
  *z = (mw_modal){ .file = f };
  double **vector[] = { &z->w, &z->c, &z->force, &z->loss };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) *vector[i] = mw_arena_f64(mem, m);
  z->state = mw_arena_f64(mem, 2 * n);
  z->acceleration = mw_arena_f64(mem, n);
  z->K = mw_arena_f64(mem, m * m);
  z->V = mw_arena_f64(mem, m * m);
  z->value = mw_arena_f64(mem, (size_t)f->rom.n_field);
  mw_code rc = mw_arena_check(mem, err);
  return rc == MW_OK && m > 0 ? look(z, x, err) : rc;
}

void mw_modal_begin(mw_modal *z, const double *x)
{
  memcpy(z->state, x, 2 * (size_t)(z->file->rom.s + z->file->rom.m) * sizeof *x);
}

mw_code mw_modal_end(mw_modal *z, const double *x, double h, mw_error *err)
{
  const mw_rom *rom = &z->file->rom;
  int s = rom->s, m = rom->m, n = s + m;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  if (m == 0) return MW_OK;
  mw_code rc = look(z, x, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n; i++) z->acceleration[i] = (x[n + i] - z->state[n + i]) / h;
  for (int i = 0; i < 2 * n; i++) z->state[i] = 0.5 * (z->state[i] + x[i]);
  // (1)
  mw_modal_product(m, z->value + L.C, z->state + n + s, z->loss);
  mw_modal_product(m, z->value + L.K, z->state + s, z->force);
  for (int a = 0; a < m; a++) z->force[a] += z->acceleration[s + a] + z->loss[a];
  return MW_OK;
}

int mw_modal_parts(mw_modal *z, mw_part *part)
{
  size_t f64 = sizeof(double), m = (size_t)z->file->rom.m;
  const mw_part all[MW_MODAL_PARTS] = {
    { z->K, m * m * f64 },
    { z->V, m * m * f64 },
    { z->w, m * f64 },
    { z->c, m * f64 },
    { z->value, (size_t)z->file->rom.n_field * f64 },
    { z->theta, sizeof z->theta },
    { &z->decomposed, sizeof z->decomposed },
  };
  memcpy(part, all, sizeof all);
  return MW_MODAL_PARTS;
}

double mw_modal_deflects(const mw_modal *z, int n, const int *row, const double *peak)
{
  static const double STILL = 1e-11;  // of the size of positions: deflections that are rounding
  double most = 0.0, size = 0.0, y[3];
  int m = z->file->rom.m, first = mw_rom_layout_of(mw_rom_shape_of(&z->file->rom)).y;
  for (int o = 0; o < n; o++) {
    for (int i = 0; i < 3; i++) y[i] = z->value[first + row[3 * o + i] * (1 + m)];
    most = fmax(most, peak[o]);
    size = fmax(size, mw_norm3(y));
  }
  return fmax(mw_certificate_least_deflection(&z->file->certificate, most), STILL * size);
}
