// SPDX-License-Identifier: BSD-3-Clause
// large_swings.c: what third order makes of swings, and of what stays bent.
//
// Swings. What third order makes of the frequencies of the softest modes, and of outputs, as far as
// declared loads deflect them at rest, is judged (swing.c), with coordinates free that a scenario
// of the model leaves free, and with them held as others hold them. Where some are free, what the
// columns leave out of frequencies there is judged (swing_lost.c): columns are made with all held.
// What stays. Under the weight, the largest rates, and accelerations held with them, outputs err as
// long as it lasts (swing.c, 7): a centrifugal load that bends an arm falls by what the arm draws
// in, of which the model knows no third order. Where accelerations jump, swings are judged; not
// covered: what inputs at frames bend and stays.
#include <math.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "large_priv.h"
#include "swing_priv.h"

static const double MOST_PHASE = 2.0;  // outputs err by no more than twice what a mode moves them

// ---- swings -------------------------------------------------------------------------------------

// Free coordinates have no controller to hold them: over the longest scenario of the model that
// leaves one free a mode's phase errs by
//   φ(t) = |Δω/ω| ω (1 − e^(−2δt))/(2δ) ,   outputs by e^(−δt) φ(t) of what it moves them       (1)
// as Δω goes with the square of its amplitude, which decays with δ = ½ vᵀCv; most where δt = ½ ln
// 3. Rad, of shift Δω/ω.
static double phase_at_most(const large *z, int mode, double shift)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  const double *C = z->value + L.C;
  double decay = 0.0, t = z->longest, w = sqrt(z->w2[mode]);
  if (z->all_held) return 0.0;
  for (int a = 0; a < z->r->m; a++)
    for (int b = 0; b <= a; b++)
      decay += (a == b ? 0.5 : 1.0) * *C++ * z->V[a * z->r->m + mode] * z->V[b * z->r->m + mode];
  if (!(decay * t > 1e-6)) return fabs(shift) * w * t;
  t = fmin(t, 0.5 * log(3.0) / decay);
  return fabs(shift) * w * exp(-decay * t) * (1.0 - exp(-2.0 * decay * t)) / (2.0 * decay);
}

// Amplitude of mode i's shape that forces F [m] bend at rest
static double at_rest(const large *z, int i, const double *F)
{
  int m = z->r->m;
  double f = 0.0;
  for (int a = 0; a < m; a++) f += z->V[a * m + i] * F[a];
  return f / (z->w2[i] * z->to[m + z->n_load + i]);
}

// Free coordinates swing with a mode, of amplitude h, by ω h u of their rates and ω² h u of their
// accelerations, u their rates for h' = 1. A run within what is declared of both has no more than
//   h_max = min over free i of  v_i/ω|u_i| , a_i/ω²|u_i|                                        (2)
// however its inputs jump; one that goes beyond is refused or named (sim/run/reach.c). The lighter
// a hub, the less of the deflection that a steady acceleration makes can swing. Not covered by (2):
// what coordinates that the weight accelerates jump by as they are let go.
static double swing_at_most(const large *z, const mw_swing *s, int mode)
{
  double w = sqrt(z->w2[mode]), most = INFINITY;
  for (int i = 0; i < z->r->s; i++) {
    const mw_coordinate_in *c = &z->r->model->reduction.coordinate[i];
    double u = fabs(s->rate[i]);
    if (u > 0.0 && c->max_rate > 0.0) most = fmin(most, c->max_rate / (w * u));
    if (u > 0.0 && c->max_acceleration > 0.0) most = fmin(most, c->max_acceleration / (w * w * u));
  }
  return fmax(most, MW_LARGE_JUMP * fabs(at_rest(z, mode, z->let_go)));
}

// What load l, of amplitude h of a mode's shape k at rest, makes of it: one that jumps on and off
// at the worst instants swings twice as far, none further than (2), and what the weight bends while
// coordinates are held swings as far once they are free.
static void judge_swing(const large *z, const mw_swing *s, int k, int mode, int l, double h)
{
  mw_certificate *cert = &z->f->certificate;
  bool weight = l == 0, steady = mw_motion_load_is_rate(z->r, l);
  if (!weight) h = fmin((steady ? 1 : MW_LARGE_JUMP) * fabs(h), swing_at_most(z, s, mode));
  double shift = weight && z->all_held ? mw_swing_shift_about(s, h) : mw_swing_shift(s) * h * h,
         phase = phase_at_most(z, mode, shift),
         share = s->bends > s->moves ? s->moves / s->bends : 1.0,
         error = fmax(fabs(shift), 0.5 * share * (s->third * h * h + fmin(phase, MOST_PHASE)));
  int body;
  if (!(error > cert->third_error)) return;
  cert->third_error = error;
  cert->third_shift = shift;
  cert->third_phase = phase;
  cert->third_hz = sqrt(z->w2[mode]) / (2.0 * acos(-1.0));
  cert->third_deflection = mw_large_furthest(z, k, &body) * fabs(h);
  cert->third_body = z->r->full->body[body].name;
  cert->third_load = mw_motion_load_name(z->r, l, z->keep);
}

// What frequencies err by where coordinates are free, of the lowest modes
static mw_code lost_of(large *z, const mw_config *q, mw_error *err)
{
  const mw_swing_lost_in in = {
    .r = z->r, .sys = z->sys, .q = q, .m = z->r->m, .X = z->X, .free = z->free
  };
  return mw_swing_lost(&in, z->n_mode, z->lost, err);
}

// What load l deflects outputs by at rest, m, of the one that it deflects most
static double deflects(const large *z, int l)
{
  const mw_reduction *r = z->r;
  const mw_model *model = r->model;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  double most = 0.0;
  for (int o = 0; o < model->n_output; o++) {
    double y[3];
    if (mw_output_is_gauge(&model->output[o])) continue;
    for (int i = 0; i < 3; i++)
      y[i] = mw_dot(r->m, z->value + L.y + (mw_output_row(model, o) + i) * (1 + r->m) + 1,
                    z->c + (size_t)(r->m + l) * (size_t)r->m) /
             z->to[r->m + l];
    most = fmax(most, mw_norm3(y));
  }
  return most;
}

// What mode errs by, of those up to the highest one asked for with all held: a share of what a load
// deflects outputs by at rest errs by the phase (1). Where it jumps, or is let go, the mode's swing
// and the deflection double alike. Of all modes these may add up, in z->off.
static void add_lost(large *z, const mw_swing *s, int mode)
{
  mw_certificate *cert = &z->f->certificate;
  double shift = z->lost[mode], phase = fmin(phase_at_most(z, mode, shift), MOST_PHASE),
         most = shift;
  if (z->w2[mode] > z->band) return;
  for (int l = 0; l <= z->n_load; l++) {
    bool let_go = l == z->n_load;  // of what the weight deflects
    double y = z->to[z->r->m + (let_go ? 0 : l)] > 0.0 ? deflects(z, let_go ? 0 : l) : 0.0,
           h = at_rest(z, mode, let_go ? z->let_go : z->F + l * z->r->m),
           off = y > 0.0 ? fmin(fabs(h) * s->moves / y, 1.0) * phase : 0.0;
    z->off[l] += off;
    most = fmax(most, 0.5 * off);
  }
  cert->free_error = fmax(cert->free_error, shift);
  if (cert->free_hz > 0.0 && !(most > z->most_off)) return;
  z->most_off = most;
  cert->free_shift = shift;
  cert->free_phase = phase;
  cert->free_hz = sqrt(z->w2[mode]) / (2.0 * acos(-1.0));
}

// The loads by which outputs err most at this place
static void judge_lost(large *z)
{
  mw_certificate *cert = &z->f->certificate;
  for (int l = 0; l <= z->n_load; l++) {
    cert->free_error = fmax(cert->free_error, 0.5 * z->off[l]);
    z->off[l] = 0.0;
  }
}

// The mode that changes most of the places looked at, by number
static void keep_swing(large *z, const mw_swing *s, int k, int mode)
{
  const mw_reduction *r = z->r;
  size_t m = (size_t)r->m, i = (size_t)mode;
  double to = z->to[k], shift = mw_swing_shift(s) / (to * to);
  int body;
  if (z->free != z->most) return;  // of runs with all free that may be
  if (z->omega[i] > 0.0 && !(fabs(shift) > fabs(z->shift[i]))) return;
  z->omega[i] = sqrt(z->w2[i]);
  z->shift[i] = shift;
  for (size_t a = 0; a < m; a++) z->mode[i * m + a] = z->P[a * m + i];
  z->output[i] = s->moves / to;
  z->bends[i] = s->bends / to;
  z->third[i] = s->third / (to * to);
  z->moved[i] = mw_large_furthest(z, k, &body) / to;
  z->moved_body[i] = r->full->body[body].name;
}

// Shape k for swing.c; its mass and stiffness are the caller's
static mw_swing_in swing_in(large *z, const mw_config *q, int k)
{
  const mw_reduction *r = z->r;
  size_t at = (size_t)k * z->n;
  double quartic = 0.0;
  for (int b = 0; b < r->full->n_body; b++) quartic += z->own[k * r->full->n_body + b];
  for (size_t j = 0; j < z->n; j++) z->W[at + j] *= -2.0;  // w of (1) of large_shapes.c, for h² / 2
  return (mw_swing_in){ .r = r,
                        .sys = z->sys,
                        .q = q,
                        .x = z->X + at,
                        .strained = z->W + at,
                        .b = z->B + at,
                        .lambda = z->lambda,
                        .preload = z->preload,
                        .quartic = quartic,
                        .linear = z->f->rom.n_G > 0 };
}

// *out: nothing where a runner would leave its guide there
static mw_code swing_or_leave(const mw_swing_in *in, mw_swing *out, bool *left, mw_error *err)
{
  mw_code rc = mw_swing_at(in, out, err);
  *left = rc == MW_ERR_RANGE;
  if (!*left) return rc;
  if (err) *err = (mw_error){ .code = MW_OK };
  return MW_OK;
}

mw_code mw_large_swings(large *z, const mw_config *q, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_code rc = MW_OK;
  if (z->free && !z->all_held) rc = lost_of(z, q, err);
  for (int i = 0; rc == MW_OK && i < z->n_mode; i++) {
    int k = r->m + z->n_load + i;
    double to = z->to[k];
    mw_swing s;
    bool left;
    if (!(to > 0.0)) continue;
    mw_swing_in in = swing_in(z, q, k);
    in.free = z->all_held ? 0 : z->free;
    in.quadratic = (z->f->rom.parts & MW_ROM_THIRD) && !z->f->light;
    in.mass = to * to;
    in.stiffness = z->w2[i] * to * to;
    rc = swing_or_leave(&in, &s, &left, err);
    if (rc != MW_OK || left) continue;
    for (int l = 0; l < z->n_load; l++) judge_swing(z, &s, k, i, l, at_rest(z, i, z->F + l * r->m));
    if (z->free && !z->all_held) add_lost(z, &s, i);
    keep_swing(z, &s, k, i);
  }
  judge_lost(z);
  return rc;
}

// ---- what stays bent ----------------------------------------------------------------------------

static const char *stay_name(const large *z, int k)
{
  mw_large_stay set = mw_large_stay_at(k);
  bool weight = set.weight && z->to[z->r->m] > 0.0, rates = false;
  for (int i = 0; i < z->r->s; i++) rates = rates || (set.rates && z->moves.rate[i] > 0.0);
  const char *also = weight ? " with " : "";
  return mw_arena_printf(z->keep, "%s%s%s%s%s", weight ? mw_rest_name(z->r) : "", rates ? also : "",
                         rates ? "the largest rates" : "",
                         set.accelerated == 0.0 ? ""
                         : weight || rates      ? " and "
                                                : "",
                         set.accelerated == 0.0 ? "" : "the largest accelerations");
}

mw_code mw_large_stays(large *z, const mw_config *q, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_certificate *cert = &z->f->certificate;
  bool third = z->f->rom.parts & MW_ROM_THIRD;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < z->n_stay; k++) {
    int at = r->m + z->n_load + z->n_mode + k, body;
    double rate[MW_ROM_MAX_S], a[MW_ROM_MAX_S], to = z->to[at];
    mw_large_stay set = mw_large_stay_at(k);
    mw_swing s;
    bool left;
    if (!(to > 0.0)) continue;
    for (int i = 0; i < r->s; i++) {
      rate[i] = set.rates ? z->moves.rate[i] : 0.0;
      a[i] = set.accelerated * z->moves.acceleration[i];
    }
    mw_swing_in of = swing_in(z, q, at);
    of.free = 0;
    of.mass = mw_dot(r->m, z->c + at * r->m, z->c + at * r->m);
    of.stiffness = mw_large_energy(z, z->c + at * r->m);
    of.rate = rate;
    of.acceleration = a;
    of.amplitude = 1.0 / to;
    of.cubic = third;
    of.square = third && !z->f->light;
    rc = swing_or_leave(&of, &s, &left, err);
    if (rc != MW_OK || left || !(0.5 * s.stays > cert->third_error)) continue;
    cert->third_error = 0.5 * s.stays;
    cert->third_shift = cert->third_phase = 0.0;
    cert->third_hz = -1.0;
    cert->third_deflection = mw_large_furthest(z, at, &body) / to;
    cert->third_body = r->full->body[body].name;
    cert->third_load = stay_name(z, k);
  }
  return rc;
}
