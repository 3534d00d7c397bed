// SPDX-License-Identifier: BSD-3-Clause
// drift.c: how far coordinates that run free drift by what forces along them err by at rest.
//
// What gravity bends pushes along a coordinate, by the slope of its energy. The certificate says
// what that force errs by, Q_i, and over which length L_i of the coordinate it comes and goes
// (certificate_fields.c, 3): mostly the spacing of a guide's nodes, from one to the next of which
// a mesh's compliance ripples, and no table knows. Nothing brings a free coordinate back:
//   d_i'' = (A⁻¹)_ii Q_i cos(2π θ_i/L_i + φ) ,  d_i = d_i' = 0 at the start,
//       A of the free coordinates, φ the worst      (1)
//   an output errs by Σ_i |∂_i y0| |d_i|                                                       (2)
// (1) is linear in the wave: |d_i| is the length of what cos and sin make of it. A coordinate that
// stays where it is drifts by ½ Q t²/A; one that passes many waves hardly. Where springs, friction
// or gravity bring it back (a pendulum), (1) is too much. Coordinates with controllers are left
// out.
// Cost: the inverse of A a part, an evaluation of the fields a stored instant.
#include "drift_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "reduction/certificate.h"

mw_code mw_drift_init(mw_drift *z, const mw_modal *modal, unsigned free, int n_out, const int *row,
                      mw_arena *mem, mw_error *err)
{
  const mw_rom *rom = &modal->file->rom;
  const double *Q = modal->file->certificate.rest_force;
  bool any = false;
  *z = (mw_drift){ .free = free, .row = row, .n_out = n_out };
  for (int i = 0; Q && i < rom->s; i++) any = any || ((free >> i & 1u) && Q[i] > 0.0);
  if (!any || rom->m == 0 || n_out == 0) return MW_OK;
  z->value = mw_arena_f64(mem, (size_t)rom->n_field);
  z->gradient = mw_arena_f64(mem, (size_t)rom->n_field * (size_t)rom->s);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) z->modal = modal;
  return rc;
}

// 1/mass [s] of the free coordinates, diagonal of A⁻¹ at the fields `value`; 0: A is singular
static void mobility(const mw_drift *z, const double *value, double *out)
{
  const mw_rom *rom = &z->modal->file->rom;
  const double *a = value + mw_rom_layout_of(mw_rom_shape_of(rom)).a;
  double A[MW_ROM_MAX_S * MW_ROM_MAX_S], x[MW_ROM_MAX_S];
  int n = 0, at[MW_ROM_MAX_S];
  for (int i = 0; i < rom->s; i++) {
    out[i] = 0.0;
    if (z->free >> i & 1u) at[n++] = i;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) A[i * n + j] = A[j * n + i] = a[at[i] * (at[i] + 1) / 2 + at[j]];
  if (mw_chol_factor(n, A, NULL) != MW_OK) return;
  for (int i = 0; i < n; i++) {
    memset(x, 0, sizeof x);
    x[i] = 1.0;
    mw_chol_solve(n, A, 1, x);
    out[at[i]] = x[i];
  }
}

// (1) over a part, its phase in the middle
void mw_drift_end(mw_drift *z, double h)
{
  if (!z->modal) return;
  const mw_certificate *c = &z->modal->file->certificate;
  int s = z->modal->file->rom.s;
  double per_mass[MW_ROM_MAX_S];
  mobility(z, z->modal->value, per_mass);
  for (int i = 0; i < s; i++) {
    double phase = c->rest_length[i] > 0.0
                       ? 2.0 * acos(-1.0) * z->modal->state[i] / c->rest_length[i]
                       : 0.0,
           wave[2] = { cos(phase), sin(phase) };
    for (int k = 0; k < 2; k++) {
      double a = per_mass[i] * c->rest_force[i] * wave[k];
      z->d[i][k] += h * (z->v[i][k] + 0.5 * h * a);
      z->v[i][k] += h * a;
    }
  }
}

// (2), and the deflection
void mw_drift_look(mw_drift *z, const double *x, double t)
{
  if (!z->modal) return;
  const mw_rom *rom = &z->modal->file->rom;
  int m = rom->m, y = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  if (mw_rom_fields(rom, x, z->value, z->gradient, NULL) != MW_ROM_OK) return;
  for (int o = 0; o < z->n_out; o++) {
    double bent[3], error = 0.0, most = 0.0;
    int worst = 0;
    for (int k = 0; k < 3; k++)
      bent[k] = mw_dot(m, z->value + y + z->row[3 * o + k] * (1 + m) + 1, x + rom->s);
    z->peak = fmax(z->peak, mw_norm3(bent));
    for (int i = 0; i < rom->s; i++) {
      double by[3];
      for (int k = 0; k < 3; k++)
        by[k] = z->gradient[i * rom->n_field + y + z->row[3 * o + k] * (1 + m)];
      double e = mw_norm3(by) * hypot(z->d[i][0], z->d[i][1]);
      error += e;
      if (e > most) worst = i;
      most = fmax(most, e);
    }
    if (!(error > z->error)) continue;
    z->error = error;
    z->when = t;
    z->worst = worst;
  }
}

int mw_drift_parts(mw_drift *z, mw_part *part)
{
  if (!z->modal) return 0;
  const mw_part all[] = { { z->v, sizeof z->v },        { z->d, sizeof z->d },
                          { &z->peak, sizeof z->peak }, { &z->error, sizeof z->error },
                          { &z->when, sizeof z->when }, { &z->worst, sizeof z->worst } };
  memcpy(part, all, sizeof all);
  return (int)(sizeof all / sizeof *all);
}

mw_code mw_drift_warn(const mw_drift *z, mw_run *r, mw_error *err)
{
  if (!z->modal || !(z->peak > 0.0)) return MW_OK;
  const mw_rom_file *f = z->modal->file;
  double share = z->error / z->peak, tolerance = mw_certificate_run_tolerance(&f->certificate, "m");
  if (!(share > tolerance)) return MW_OK;
  int i = z->worst;
  const char *unit = f->unit && f->unit[i] ? f->unit[i] : "";
  mw_run_add_warning(
      r,
      "%s runs free and nothing brings it back: what gravity bends pushes along it by up to %.2g "
      "N%s more or less than the model knows, within %.2g %s or from node to node of a guide, by "
      "which outputs may drift by some %.2g of their peak deflection (at %.6g s), more than %.2g; "
      "shorter elements along the guide, a controller or a shorter run would help",
      f->coordinate[i], f->certificate.rest_force[i], strcmp(unit, "rad") == 0 ? " m" : "",
      f->certificate.rest_length[i], unit, share, z->when, tolerance);
  mw_run_add_beyond(r, "%s runs free for so long that outputs may drift", f->coordinate[i]);
  return mw_arena_check(&r->mem, err);
}
