// SPDX-License-Identifier: BSD-3-Clause
// coarse.c: what a run of a reduced model errs by in time, by its steps.
//
// The mid-point rule errs by e = c h² + O(h⁴) (Richardson). The same scenario is followed by steps
// of another length beside the run, with controllers of its own that sample when the run's do:
//   of 2 h:  e = (y_2h − y_h)/3 ,     of h/2:  e = 4/3 (y_h − y_h/2)                            (1)
// Steps of 2 h are two parts of the run of one length between which nothing happens: no controller
// samples, no signal has a kink. What is taken otherwise is taken as the run takes it and errs
// alike: where pairs are the share σ of the time, e is 1/σ of (1). Where that leaves too little
// (controllers that sample every step, signals of many points) it goes by halves.
// Nothing is linearized: coordinates that run free, rotation and large errors are in it. Where
// modes swing that a step hardly resolves, the order p is less than two, and steps of 2 h say (2ᵖ −
// 1)/3 of e: a third of it at p = 1.
// Cost: half a step of the run, or two, and the outputs' fields.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/control.h"
#include "reduction/certificate.h"
#include "romrun_priv.h"

static const double SAME = 1e-9;  // of a length of time
static const double TURNS = 0.1;  // rad a step, worth a word
static const double PAIRS = 0.5;  // least share of the time that may be taken by pairs
static const double TWICE = 1.0 / 3.0, HALF = 4.0 / 3.0;  // (1)

// Do controllers or kinks of forces leave less than PAIRS of the steps to be taken by pairs?
static bool crowded(const mw_rom_sim *q)
{
  double gap = 2.0 * q->h / (1.0 - PAIRS), most = q->sc->duration / gap;
  int kinks = 0;
  for (int k = 0; k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    if (a->kind != MW_ACTION_FORCE) continue;
    for (double t = mw_signal_next_kink(&a->signal, 0.0); t < q->sc->duration && kinks <= most;
         t = mw_signal_next_kink(&a->signal, t))
      kinks++;
  }
  return kinks > most || (q->coarse.controlled && q->sc->control_period < (2.0 - SAME) * q->h);
}

static void look(mw_coarse *z)
{
  mw_rom_sim *o = z->other;
  if (z->code == MW_ROM_OK)
    z->code = mw_rom_outputs(o->rom, o->x, o->y, o->y_dot, o->work, &z->info);
}

// What follows q by other steps: q with a state of its own.
static mw_code follower(mw_rom_sim *q, mw_arena *mem, mw_error *err)
{
  mw_coarse *z = &q->coarse;
  size_t m = (size_t)q->rom->m, n = m + (size_t)q->rom->s, n_u = (size_t)q->rom->n_u,
         n_y = (size_t)q->rom->n_y;
  mw_rom_sim *o = mw_arena_alloc(mem, 1, sizeof *o);
  double *most = mw_arena_f64(mem, m), *x = mw_arena_f64(mem, 2 * n);
  double *u = mw_arena_f64(mem, n_u);
  double *y = mw_arena_f64(mem, n_y), *y_dot = mw_arena_f64(mem, n_y);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t a = 0; a < m; a++) most[a] = INFINITY;
  memcpy(x, q->x, 2 * n * sizeof *x);
  *o = *q;
  o->x = x;
  o->u = u;
  o->y = y;
  o->y_dot = y_dot;
  z->rom = *q->rom;
  z->rom.delta_max = most;
  z->rom.rate_max = z->rom.u_max = NULL;
  o->rom = &z->rom;
  z->other = o;
  look(z);
  rc = mw_control_copy(&q->control, mem, &o->control, err);
  if (rc == MW_OK) rc = mw_cosim_another(q->cosim, &o->cosim, err);
  if (rc == MW_OK) o->control.units = mw_cosim_units(o->cosim);
  return rc;
}

mw_code mw_coarse_init(mw_rom_sim *q, int n_out, const int *row, mw_arena *mem, mw_error *err)
{
  mw_coarse *z = &q->coarse;
  size_t n = (size_t)(q->rom->s + q->rom->m), n_o = (size_t)n_out;
  *z = (mw_coarse){ .turns = -1, .row = row, .n_out = n_out };
  for (int k = 0; k < q->sc->n_action; k++)
    z->controlled = z->controlled || q->sc->action[k].kind == MW_ACTION_CONTROL;
  z->halves = crowded(q);
  if (q->rom->m == 0 || n_out == 0) return MW_OK;
  z->worst = mw_arena_f64(mem, n_o);
  z->peak = mw_arena_f64(mem, n_o);
  z->when = mw_arena_f64(mem, n_o);
  z->e = mw_arena_f64(mem, n_o * n);
  z->x = mw_arena_f64(mem, n_o * n);
  mw_code rc = mw_arena_check(mem, err);
  return rc == MW_OK ? follower(q, mem, err) : rc;
}

// A step from where it is.
static void step(mw_coarse *z, double part)
{
  if (z->code != MW_ROM_OK) return;
  z->code = mw_rom_sim_step(z->other, z->t, part, &z->info);
  if (z->code != MW_ROM_OK) return;
  z->t += part;
  z->all += part;
}

// What is pending, as the run took it
static void flush(mw_coarse *z)
{
  if (!(z->pending > 0.0)) return;
  step(z, z->pending);
  look(z);
  z->pending = 0.0;
}

// How far outputs of q are from those of what follows it
static void compare(mw_rom_sim *q)
{
  mw_coarse *z = &q->coarse;
  int n = q->rom->s + q->rom->m;
  look(z);
  for (int o = 0; z->code == MW_ROM_OK && o < z->n_out; o++) {
    double off[3];
    for (int i = 0; i < 3; i++) off[i] = z->other->y[z->row[3 * o + i]] - q->y[z->row[3 * o + i]];
    if (mw_norm3(off) <= z->worst[o]) continue;
    z->worst[o] = mw_norm3(off);
    z->when[o] = z->t;
    for (int i = 0; i < n; i++) z->e[o * n + i] = z->other->x[i] - q->x[i];
    memcpy(z->x + o * n, q->x, (size_t)n * sizeof *z->x);
  }
}

// Largest deflections, and how far coordinates turn in the part that ended
static void watch(mw_rom_sim *q)
{
  mw_coarse *z = &q->coarse;
  const mw_modal *p = &q->modal;
  int s = q->rom->s, m = q->rom->m, first = mw_rom_layout_of(mw_rom_shape_of(q->rom)).y;
  for (int o = 0; o < z->n_out; o++) {
    double y[3];
    for (int i = 0; i < 3; i++)
      y[i] = mw_dot(m, p->value + first + z->row[3 * o + i] * (1 + m) + 1, p->state + s);
    z->peak[o] = fmax(z->peak[o], mw_norm3(y));
  }
  for (int i = 0; i < s; i++) {
    double turn = fabs(p->state[s + m + i]) * q->part;
    if (!q->file->unit || strcmp(q->file->unit[i], "rad") != 0 || turn <= z->turn) continue;
    z->turn = turn;
    z->turns = i;
  }
}

mw_code mw_coarse_end(mw_rom_sim *q, double t, bool sampled, bool kink, mw_error *err)
{
  mw_coarse *z = &q->coarse;
  double part = q->part;
  if (!z->other || !(part > 0.0)) return MW_OK;
  watch(q);
  sampled = sampled && z->controlled;
  if (sampled || kink) flush(z);
  mw_code rc = sampled ? mw_rom_sim_sample(z->other, t, err) : MW_OK;
  if (rc != MW_OK) return rc;
  if (z->halves) {
    step(z, 0.5 * part);
    step(z, 0.5 * part);
    compare(q);
  } else if (z->pending > 0.0 && fabs(part - z->pending) <= SAME * q->h) {
    step(z, z->pending + part);
    z->twice += z->code == MW_ROM_OK ? z->pending + part : 0.0;
    z->pending = 0.0;
    compare(q);
  } else {
    flush(z);
    z->pending = part;
  }
  return MW_OK;
}

int mw_coarse_parts(mw_rom_sim *q, mw_part *part)
{
  mw_coarse *z = &q->coarse;
  mw_rom_sim *o = z->other;
  if (!o) return 0;
  size_t f64 = sizeof(double), out = (size_t)z->n_out * f64, n_u = (size_t)q->rom->n_u * f64;
  size_t n = (size_t)(q->rom->s + q->rom->m), n_y = (size_t)q->rom->n_y * f64;
  const mw_part all[] = {
    { o->x, 2 * n * f64 },
    { o->u, n_u },
    { o->y, n_y },
    { o->y_dot, n_y },
    { &z->pending, f64 },
    { &z->all, f64 },
    { &z->twice, f64 },
    { &z->code, sizeof z->code },
    { &z->info, sizeof z->info },
    { &z->t, f64 },
    { z->worst, out },
    { z->peak, out },
    { z->when, out },
    { z->e, out * n },
    { z->x, out * n },
    { &z->turn, f64 },
    { &z->turns, sizeof z->turns },
  };
  memcpy(part, all, sizeof all);
  int n_part = (int)(sizeof all / sizeof *all);
  return n_part + mw_control_parts(&o->control, part + n_part);
}

// Largest part of the difference at output o: its frequency (Hz), or the coordinate that it is of
typedef struct part_of {
  double hz;
  int coordinate;  // -1: none
} part_of;

static mw_code loudest(const mw_rom_sim *q, int o, mw_arena *mem, part_of *out, mw_error *err)
{
  const mw_coarse *z = &q->coarse;
  const mw_rom *rom = q->rom;
  int s = rom->s, m = rom->m, first = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  const double *e = z->e + o * (s + m), *x = z->x + o * (s + m);
  double most = -1.0, *slope = mw_arena_f64(mem, (size_t)s * (size_t)rom->n_field);
  mw_modal p;
  mw_code rc = mw_modal_init(&p, q->file, x, mem, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  if (mw_rom_fields(rom, x, p.value, slope, NULL) != MW_ROM_OK) return MW_OK;
  for (int k = 0; k < s + m; k++) {
    double y[3] = { 0.0, 0.0, 0.0 }, part = k < s ? e[k] : 0.0;
    for (int a = 0; k >= s && a < m; a++) part += p.V[a * m + k - s] * e[s + a];
    for (int i = 0; i < 3; i++) {
      int at = first + z->row[3 * o + i] * (1 + m);
      const double *g = slope + k * rom->n_field + at;
      if (k < s) y[i] = g[0] + mw_dot(m, g + 1, x + s);
      for (int a = 0; k >= s && a < m; a++) y[i] += p.V[a * m + k - s] * p.value[at + 1 + a];
    }
    if (fabs(part) * mw_norm3(y) <= most) continue;
    most = fabs(part) * mw_norm3(y);
    *out = (part_of){ .coordinate = k < s ? k : -1,
                      .hz = k < s ? 0.0 : sqrt(fmax(p.w[k - s], 0.0)) / (2.0 * acos(-1.0)) };
  }
  return MW_OK;
}

static mw_code warn_of_output(const mw_rom_sim *q, int o, double tolerance, mw_run *r,
                              mw_error *err)
{
  const mw_coarse *z = &q->coarse;
  const double two_pi = 2.0 * acos(-1.0);
  part_of p = { .coordinate = -1 };
  char most[160];
  mw_arena tmp = { 0 };
  mw_code rc = loudest(q, o, &tmp, &p, err);
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  if (p.coordinate >= 0)
    snprintf(most, sizeof most, "in coordinate %.100s", q->file->coordinate[p.coordinate]);
  else
    snprintf(most, sizeof most, "at %.4g Hz, %.2g rad of which are a step", p.hz,
             two_pi * p.hz * q->h);
  const char *turn =
      z->turn > TURNS ? mw_arena_printf(&r->mem, ", coordinate %s turns by up to %.2g rad in one",
                                        q->file->coordinate[z->turns], z->turn)
                      : "";
  mw_run_add_warning(
      r,
      "steps of %.4g s are coarse for what the run excites: output %s may err in time by some "
      "%.2g of its "
      "deflection (at %.6g s; most of that %s%s), more than %.2g; steps of "
      "%.2g s would do where errors fall with the square of the step",
      q->h, r->model->output[r->out[o]].name, r->coarse[o], z->when[o], most, turn, tolerance,
      q->h * sqrt(tolerance / r->coarse[o]));
  return mw_arena_check(&r->mem, err);
}

// Where it ended before the run did
static mw_code warn_of_end(const mw_rom_sim *q, mw_run *r, mw_error *err)
{
  const mw_coarse *z = &q->coarse;
  mw_error why = { 0 };
  if (mw_rom_sim_explain(z->other, z->code, &z->info, z->t, &why) == MW_OK) return MW_OK;
  mw_run_add_warning(
      r, "what steps of %.4g s err by is not known from %.6g s on: by steps %s as long, %s", q->h,
      z->t, z->halves ? "half" : "twice", why.msg);
  return mw_arena_check(&r->mem, err);
}

mw_code mw_coarse_warn(const mw_rom_sim *q, mw_run *r, mw_error *err)
{
  const mw_coarse *z = &q->coarse;
  int o = -1;
  if (!z->other) return MW_OK;
  double most = 0.0, tolerance = mw_certificate_run_tolerance(&q->file->certificate, "m");
  r->coarse = mw_arena_f64(&r->mem, (size_t)z->n_out);
  r->deflection = mw_arena_f64(&r->mem, (size_t)z->n_out);
  mw_code rc = mw_arena_check(&r->mem, err);
  double e = z->halves ? HALF : TWICE * z->all / z->twice;  // NaN: no pair
  double least = mw_modal_deflects(&q->modal, z->n_out, z->row, z->peak);
  for (int k = 0; rc == MW_OK && k < z->n_out; k++) {
    r->deflection[k] = z->peak[k];
    if (z->peak[k] > least) r->coarse[k] = e * z->worst[k] / z->peak[k];
    if (!(r->coarse[k] > most)) continue;
    most = r->coarse[k];
    o = k;
  }
  if (rc == MW_OK && most > tolerance) rc = warn_of_output(q, o, tolerance, r, err);
  return rc == MW_OK ? warn_of_end(q, r, err) : rc;
}
