// SPDX-License-Identifier: BSD-3-Clause
// damped.c: what the steps of a run of a reduced model take of amplitudes by themselves.
//
// A vibration e^iωt of the linear part loses of its amplitude, a step h of the exponential method,
//   1 − |P(iωh)| = (ωh)⁶/7200 + … ,  P Padé's (2, 3) of e^w (rom_exp.c)                         (1)
// (iω)⁶ = −ω⁶ is a sixth derivative: with sixth differences of the columns, which know every
// frequency at which they swing, in turning axes, too (a whirl of ω in a rotor of spin Ω swings at
// ω + Ω there),
//   d = π/2 |Δ⁶δ|/7200 ,  |x|² = xᵀx, columns have unit mass ,  lost ← e^(−ch/2) lost + d       (2)
// π/2: of what swings to and fro |Δ⁶δ| is 2/π of its largest in the mean (whirls, where it stays:
// too large by it). c: the least damping v_jᵀCv_j of the modes, which takes lost amplitudes along.
// Free vibrations that the steps damp lose what (2) adds up, whatever they are left with.
// Differences are smaller than derivatives, 2 sin(ωh/2) for ωh: two thirds at ωh = 1.4. What is
// forced to swing that fast does not lose all of it: there (2) is too large.
// Cost: some m a part.
#include "damped_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/certificate.h"

static const double SAME = 1e-9;                             // of a length of time
static const double PER_STEP = 1.5707963267948966 / 7200.0;  // (1), (2)

mw_code mw_damped_init(mw_damped *z, const mw_modal *modal, mw_rom_method method, mw_arena *mem,
                       mw_error *err)
{
  size_t m = (size_t)modal->file->rom.m;
  *z = (mw_damped){ 0 };
  if (m == 0 || method != MW_ROM_EXPONENTIAL) return MW_OK;
  z->last = mw_arena_f64(mem, MW_DAMPED_POINTS * m);
  z->d = mw_arena_f64(mem, m);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) z->modal = modal;
  return rc;
}

// |x| of (2)
static double size(const mw_damped *z, const double *x)
{
  int m = z->modal->file->rom.m;
  return sqrt(mw_dot(m, x, x));
}

void mw_damped_end(mw_damped *z, const double *x, double t, double h)
{
  static const double weight[MW_DAMPED_POINTS] = { 1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0 };
  if (!z->modal) return;
  const mw_rom *rom = &z->modal->file->rom;
  size_t m = (size_t)rom->m;
  if (!(fabs(h - z->h) <= SAME * h)) z->n = 0;
  z->h = h;
  memcpy(z->last + (size_t)(z->n++ % MW_DAMPED_POINTS) * m, x + rom->s, m * sizeof *x);
  z->peak = fmax(z->peak, size(z, x + rom->s));
  double c = INFINITY;
  for (size_t j = 0; j < m; j++) c = fmin(c, z->modal->c[j]);
  z->lost *= exp(-0.5 * fmax(c, 0.0) * h);
  if (z->n < MW_DAMPED_POINTS) return;
  memset(z->d, 0, m * sizeof *z->d);
  for (int k = 0; k < MW_DAMPED_POINTS; k++)
    mw_axpy(rom->m, weight[k], z->last + (size_t)((z->n + k) % MW_DAMPED_POINTS) * m, z->d);
  z->lost += PER_STEP * size(z, z->d);
  if (z->lost <= z->worst) return;
  z->worst = z->lost;
  z->when = t;
}

int mw_damped_parts(mw_damped *z, mw_part *part)
{
  if (!z->modal) return 0;
  size_t f64 = sizeof(double), m = (size_t)z->modal->file->rom.m;
  const mw_part all[] = {
    { z->last, MW_DAMPED_POINTS * m * f64 },
    { &z->n, sizeof z->n },
    { &z->h, f64 },
    { &z->lost, f64 },
    { &z->worst, f64 },
    { &z->peak, f64 },
    { &z->when, f64 },
  };
  memcpy(part, all, sizeof all);
  return (int)(sizeof all / sizeof *all);
}

mw_code mw_damped_warn(const mw_damped *z, double h, mw_run *r, mw_error *err)
{
  if (!z->modal || !(z->peak > 0.0)) return MW_OK;
  double lost = z->worst / z->peak,
         tolerance = mw_certificate_run_tolerance(&z->modal->file->certificate, "m");
  if (!(lost > tolerance)) return MW_OK;
  mw_run_add_warning(
      r,
      "exponential steps of %.4g s damp what swings fast: vibrations lose some %.2g of the "
      "largest deflection by %.6g s, "
      "more than %.2g, which the balance of energy need not show; the midpoint method keeps "
      "amplitudes, shorter steps "
      "lose less (with their fifth power)",
      h, lost, z->when, tolerance);
  return mw_arena_check(&r->mem, err);
}
