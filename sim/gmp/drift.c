// SPDX-License-Identifier: BSD-3-Clause
// drift.c: how far coordinates that run free drift by what forces along them err by at rest.
//
// What gravity bends pushes along a coordinate, by the slope of its energy. The certificate says
// what that force errs by, Q_i, and over which length L_i of the coordinate it comes and goes
// (certificate_fields.c, 3): mostly the spacing of a guide's nodes, from one to the next of which
// a mesh's compliance ripples, and no table knows. Of a wave along i the free coordinates drift by
//   A d'' + K d = e_i Q_i cos(2π θ_i/L_i + φ) ,  d = d' = 0 at the start,
//       A, K = ∂²U0/∂θ² of the free coordinates, φ the worst      (1)
//   an output errs by Σ_i |Σ_j ∂_j y0 d_j|                                                     (2)
// (1) is linear in the wave: (2) takes the length of what cos and sin make of it. A coordinate that
// nothing holds and that stays where it is drifts by ½ Q t²/A; one that passes many waves hardly.
// K is what weight and springs bring back (a pendulum) or drive on (one that stands). Where
// friction, dampers or play hold it, (1) is too much. Coordinates with controllers are left out.
// K is the difference of the tables' exact ∂U0/∂θ over 2e-3 of the range.
// Cost: 2 evaluations of the fields a free coordinate and a part, one a stored instant.
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

void mw_drift_stiffness(mw_drift *z, const double *theta, double *K)
{
  if (!z->modal) return;
  const mw_rom *rom = &z->modal->file->rom;
  int s = rom->s, U0 = mw_rom_layout_of(mw_rom_shape_of(rom)).U0;
  memset(K, 0, (size_t)(s * s) * sizeof *K);
  for (int j = 0; j < s; j++) {
    double at[MW_ROM_MAX_S], span = 1e-3 * (rom->hi[j] - rom->lo[j]), way = 0.0;
    if (!(z->free >> j & 1u)) continue;
    for (int side = 0; side < 2; side++) {  // below, above; within the table
      memcpy(at, theta, (size_t)s * sizeof *at);
      at[j] += side ? span : -span;
      if (!(rom->cyclic >> j & 1u)) at[j] = fmin(fmax(at[j], rom->lo[j]), rom->hi[j]);
      if (mw_rom_fields(rom, at, z->value, z->gradient, NULL) != MW_ROM_OK) {
        memset(K, 0, (size_t)(s * s) * sizeof *K);
        return;
      }
      way += side ? at[j] : -at[j];
      for (int i = 0; i < s; i++) {
        double slope = z->gradient[i * rom->n_field + U0];
        K[i * s + j] += side ? slope : -slope;
      }
    }
    for (int i = 0; i < s; i++) K[i * s + j] = way > 0.0 ? K[i * s + j] / way : 0.0;
  }
}

// (1) over a part by the mid-point rule: A + h²/4 K is factored; false: it is singular
static bool masses(const mw_drift *z, const double *K, double h, int n, const int *at, double *A)
{
  const mw_rom *rom = &z->modal->file->rom;
  const double *a = z->modal->value + mw_rom_layout_of(mw_rom_shape_of(rom)).a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double k = 0.5 * (K[at[i] * rom->s + at[j]] + K[at[j] * rom->s + at[i]]);
      A[i * n + j] = A[j * n + i] = a[at[i] * (at[i] + 1) / 2 + at[j]] + 0.25 * h * h * k;
    }
  return mw_chol_factor(n, A, NULL) == MW_OK;
}

void mw_drift_end(mw_drift *z, const double *K, double h)
{
  if (!z->modal) return;
  const mw_certificate *c = &z->modal->file->certificate;
  int s = z->modal->file->rom.s, n = 0, at[MW_ROM_MAX_S];
  double A[MW_ROM_MAX_S * MW_ROM_MAX_S], f[MW_ROM_MAX_S];
  for (int i = 0; i < s; i++)
    if (z->free >> i & 1u) at[n++] = i;
  if (!masses(z, K, h, n, at, A)) return;
  for (int p = 0; p < n; p++)
    for (int k = 0; k < 2; k++) {
      double *d = z->d[at[p]][k], *v = z->v[at[p]][k], length = c->rest_length[at[p]],
             phase = length > 0.0 ? 2.0 * acos(-1.0) * z->modal->state[at[p]] / length : 0.0;
      for (int i = 0; i < n; i++) {
        f[i] = i == p ? c->rest_force[at[p]] * (k ? sin(phase) : cos(phase)) : 0.0;
        for (int j = 0; j < n; j++) f[i] -= K[at[i] * s + at[j]] * (d[at[j]] + 0.5 * h * v[at[j]]);
      }
      mw_chol_solve(n, A, 1, f);
      for (int i = 0; i < n; i++) {
        d[at[i]] += h * (v[at[i]] + 0.5 * h * f[i]);
        v[at[i]] += h * f[i];
      }
    }
}

// m, by how much output o errs for the wave along coordinate i; z->gradient: there
static double moved(const mw_drift *z, int o, int i)
{
  const mw_rom *rom = &z->modal->file->rom;
  int y = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  double sum = 0.0;
  for (int k = 0; k < 3; k++)
    for (int w = 0; w < 2; w++) {
      double by = 0.0;
      for (int j = 0; j < rom->s; j++)
        by += z->gradient[j * rom->n_field + y + z->row[3 * o + k] * (1 + rom->m)] * z->d[i][w][j];
      sum += by * by;
    }
  return sqrt(sum);
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
      double e = moved(z, o, i);
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
      "%s runs free: what gravity bends pushes along it by up to %.2g N%s more or less than the "
      "model knows, within %.2g %s or from node to node of a guide, and where weight and springs "
      "do not bring it back outputs may drift by some %.2g of their peak deflection (at %.6g s), "
      "more than %.2g; shorter elements along the guide, a controller or a shorter run would help",
      f->coordinate[i], f->certificate.rest_force[i], strcmp(unit, "rad") == 0 ? " m" : "",
      f->certificate.rest_length[i], unit, share, z->when, tolerance);
  mw_run_add_beyond(r, "%s runs free for so long that outputs may drift", f->coordinate[i]);
  return mw_arena_check(&r->mem, err);
}
