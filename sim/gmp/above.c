// SPDX-License-Identifier: BSD-3-Clause
// above.c: what a run excites above the modes of a reduced model, where it has static patterns
// alone.
//
// Above its n modes a reduced model has the eigenpairs (ω_j, v_j), j > n, of its patterns: of all
// that it leaves out they keep two moments a load, the static compliance R0 and R1 (receptance.c),
// one oscillator of ν_j = 1/ω_j² = R1/R0 in the place of many. What many with these moments and all
// above the highest mode may do instead is seen at the other end: those at the highest mode itself,
// ν̄ = 1/ω_n², as few as give R1, and the rest static (the extreme measures of Chebyshev, Markov
// and Stieltjes):
//   η'_j = ν_j [(ν_j/ν̄) z_j + (1 − ν_j/ν̄) f_j] ,   e = Σ_j v_j (η'_j − η_j)                   (1)
//   Z'' + 2ζ ω_n Z' + ω_n² Z = ω_n² f ,   z_j = v_jᵀ Z ,   f = δ̈ + C δ̇ + K δ ,   f_j = v_jᵀ f (2)
// The estimate is twice what outputs deflect by under e: the true modes lie on the other side of η
// as well as on this one (struck beams err by 1 to 2.3 times e, from slow blows of 1e-4 to short
// ones of 0.2; test_promise.c). Where a load meets a support while patterns vanish there it is too
// large (a mass at 0.9 of the critical speed: 1.3e-2 for 1.8e-3). f is what acts on the columns,
// from inputs and from the motion of theta; it is constant over a part of a step, in which (2) is
// solved exactly, and e is taken in its middle. What an output deflects by under e is the error to
// expect: of fourth order in the frequency for slow forces, as the true one, and of the size of the
// patterns' own deflection after a jump.
// Eigenpairs and f: modal.c. Cost: some m² a part.
#include "above_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/control.h"
#include "reduction/certificate.h"

static const double BOTH_SIDES = 2.0;

mw_code mw_above_init(mw_above *z, const mw_modal *modal, int n_out, const int *row,
                      const double *x, mw_arena *mem, mw_error *err)
{
  const mw_rom_file *f = modal->file;
  const mw_rom *rom = &f->rom;
  size_t m = (size_t)rom->m;
  *z = (mw_above){ .met = -INFINITY };
  if (f->n_modes < 1 || f->n_patterns < 1 || n_out == 0) return MW_OK;
  z->row = row;
  z->n_out = n_out;
  z->hz = INFINITY;
  double **vector[] = { &z->Z, &z->Zd, &z->e, &z->off };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) *vector[i] = mw_arena_f64(mem, m);
  double **output[] = { &z->worst, &z->peak, &z->when, &z->when_met, &z->when_law };
  for (size_t i = 0; i < sizeof output / sizeof *output; i++)
    *output[i] = mw_arena_f64(mem, (size_t)n_out);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  z->modal = modal;
  // at rest with the deflection it starts with
  const double *K = modal->value + mw_rom_layout_of(mw_rom_shape_of(rom)).K;
  mw_modal_product(rom->m, K, x + rom->s, z->Z);
  mw_modal_product(rom->m, K, x + 2 * rom->s + rom->m, z->Zd);
  return MW_OK;
}

// (2) over h; what Z was in the middle, as the mean of its ends, into e
static void swing(mw_above *z, double h)
{
  int m = z->modal->file->rom.m, n = z->modal->file->n_modes - 1;
  const double *f = z->modal->force;
  double w = sqrt(fmax(z->modal->w[n], 0.0)), c = z->modal->c[n];
  double decay = fmin(0.5 * c, 0.99 * w), wd = sqrt(w * w - decay * decay), d = exp(-decay * h),
         co = d * cos(wd * h), si = d * sin(wd * h) / wd;
  for (int a = 0; a < m; a++) {
    double x = z->Z[a] - f[a], v = z->Zd[a], from = z->Z[a];
    z->Z[a] = f[a] + co * x + si * (v + decay * x);
    z->Zd[a] = co * v - si * (decay * v + w * w * x);
    z->e[a] = 0.5 * (from + z->Z[a]);
  }
}

// (1); e holds Z
static void expect(mw_above *z)
{
  const mw_modal *q = z->modal;
  int m = q->file->rom.m, n = q->file->n_modes;
  for (int j = n; j < m; j++) {
    double zj = 0.0, fj = 0.0, eta = 0.0, nu = 1.0 / q->w[j], part = q->w[n - 1] / q->w[j];
    for (int a = 0; a < m; a++) {
      double v = q->V[a * m + j];
      zj += v * z->e[a];
      fj += v * q->force[a];
      eta += v * q->state[q->file->rom.s + a];
    }
    z->off[j] = nu * (part * zj + (1.0 - part) * fj) - eta;
  }
  memset(z->e, 0, (size_t)m * sizeof *z->e);
  for (int j = n; j < m; j++)
    for (int a = 0; a < m; a++) z->e[a] += q->V[a * m + j] * z->off[j];
}

int mw_above_parts(mw_above *z, mw_part *part)
{
  if (!z->modal) return 0;
  size_t f64 = sizeof(double), m = (size_t)z->modal->file->rom.m * f64,
         out = (size_t)z->n_out * f64;
  const mw_part all[] = { { z->Z, m },          { z->Zd, m },        { &z->hz, f64 },
                          { z->worst, out },    { z->peak, out },    { z->when, out },
                          { &z->met, f64 },     { &z->law, f64 },    { &z->inside, f64 },
                          { z->when_met, out }, { z->when_law, out } };
  memcpy(part, all, sizeof all);
  return (int)(sizeof all / sizeof *all);
}

// Notes the stop that a coordinate has met since the part before, which began at t.
static void note_stops(mw_above *z, double t)
{
  const mw_modal *q = z->modal;
  const mw_rom *rom = &q->file->rom;
  int m = rom->m, first = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  bool inside = false;
  for (int k = 0; k < rom->n_law; k++) {
    const double *y = q->value + first + rom->law[k].field * (1 + m);
    double at = y[0] + mw_dot(m, y + 1, q->state + rom->s);
    if (at >= rom->law[k].lo && at <= rom->law[k].hi) continue;
    inside = true;
    if (z->inside > 0.0) continue;
    z->met = t;
    z->law = (double)k;
  }
  z->inside = inside ? 1.0 : 0.0;
}

void mw_above_end(mw_above *z, double t, double h)
{
  const mw_modal *q = z->modal;
  if (!q || !(h > 0.0)) return;
  z->hz = fmin(z->hz, sqrt(fmax(q->w[q->file->n_modes - 1], 0.0)) / (2.0 * acos(-1.0)));
  swing(z, h);
  expect(z);
  note_stops(z, t - h);
  const mw_rom *rom = &q->file->rom;
  int m = rom->m, first = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  for (int o = 0; o < z->n_out; o++) {
    double e[3], y[3];
    for (int i = 0; i < 3; i++) {
      const double *gradient = q->value + first + z->row[3 * o + i] * (1 + m) + 1;
      e[i] = mw_dot(m, gradient, z->e);
      y[i] = mw_dot(m, gradient, q->state + rom->s);
    }
    z->peak[o] = fmax(z->peak[o], mw_norm3(y));
    if (mw_norm3(e) <= z->worst[o]) continue;
    z->worst[o] = mw_norm3(e);
    z->when[o] = t;
    z->when_met[o] = z->met;
    z->when_law[o] = z->law;
  }
}

// The drive whose signal last had a kink before t; NULL: none.
static const mw_action *kinked(const mw_scenario *sc, double t, double *at)
{
  const mw_action *found = NULL;
  *at = -INFINITY;
  for (int k = 0; k < sc->n_action; k++)
    for (double u = mw_signal_next_kink(&sc->action[k].signal, -1.0); u <= t;
         u = mw_signal_next_kink(&sc->action[k].signal, u))
      if (u > *at) {
        *at = u;
        found = &sc->action[k];
      }
  return found;
}

// What is to blame for what is wrong with output o: a drive's signal that swings above hz, else
// what came last, a stop that a coordinate met or a signal's jump or kink; "" : none
static const char *blame(const mw_above *z, int o, const mw_scenario *sc, double hz, mw_run *r)
{
  double at, t = z->when[o];
  const mw_rom_file *file = z->modal->file;
  for (int k = 0; k < sc->n_action; k++) {
    double f = mw_signal_frequency(&sc->action[k].signal, t);
    if (f > hz)
      return mw_arena_printf(&r->mem, ", while the signal of drive %s swings at %.4g Hz",
                             r->model->drive[sc->action[k].drive].name, f);
  }
  const mw_action *a = kinked(sc, t, &at);
  if (z->when_met[o] >= at && z->when_met[o] > -INFINITY)
    return mw_arena_printf(&r->mem, ", after coordinate %s met a stop at %.6g s",
                           file->field[file->rom.law[(int)z->when_law[o]].field] + strlen("s:"),
                           z->when_met[o]);
  return a ? mw_arena_printf(&r->mem, ", after a jump or kink of drive %s at %.6g s",
                             r->model->drive[a->drive].name, at)
           : "";
}

mw_code mw_above_warn(const mw_above *z, const mw_scenario *sc, mw_run *r, mw_error *err)
{
  int worst = -1;
  double most = 0.0;
  if (!z->modal) return MW_OK;
  const mw_rom_file *f = z->modal->file;
  double tolerance = mw_certificate_run_tolerance(&f->certificate, "m"),
         hz = mw_certificate_bandwidth(&f->certificate);
  r->above = mw_arena_f64(&r->mem, (size_t)z->n_out);
  mw_code rc = mw_arena_check(&r->mem, err);
  double least = mw_modal_deflects(z->modal, z->n_out, z->row, z->peak);
  for (int o = 0; rc == MW_OK && o < z->n_out; o++) {
    if (z->peak[o] > least) r->above[o] = BOTH_SIDES * z->worst[o] / z->peak[o];
    if (r->above[o] <= most) continue;
    most = r->above[o];
    worst = o;
  }
  if (rc != MW_OK || !(most > tolerance)) return rc;
  if (!(hz > 0.0)) hz = z->hz;  // without a certificate's receptances: of the highest mode
  mw_run_add_warning(
      r,
      "the motion excites what lies above the %d modes of the reduced model (bandwidth of inputs: "
      "%.4g Hz): "
      "output %s may err by some %.2g of its deflection (at %.6g s%s), more than %.2g; more modes "
      "(reduction.modes) or smoother inputs would help",
      f->n_modes, hz, r->model->output[r->out[worst]].name, most, z->when[worst],
      blame(z, worst, sc, hz, r), tolerance);
  mw_run_add_beyond(r, "the motion excites what lies above the bandwidth of inputs, %.4g Hz", hz);
  return mw_arena_check(&r->mem, err);
}
