// SPDX-License-Identifier: BSD-3-Clause
// control.c: what the drives of a scenario do.
//
//   FORCE     f = signal(t)
//   POSITION  s = signal(t), f follows from the equations of motion
//   CONTROL   sampled every period T and held; r, r', r'' of the signal at the sample
//     p = s ,  or with an encoder elsewhere  p = s_0 + ratio (e − e_0)  from the first sample on
//     u = kp (r − p) + ki ∫(r − p) + kd (r' − p')                                            (1)
//     cascade:  w = r' + kp (r − p) within ±max_speed ,  u = v_kp (w − s') + v_ki ∫(w − s')  (2)
//     f = F(z) u + ff r'' + gravity + feed                                                   (3)
//     within ±min(max_force, max_power/|s'|)                                                 (4)
//            or the outputs of a unit of another program, sampled every n T
// Integrals are trapezoids over samples; the interval behind a sample does not count where (4)
// holds back what the error asks for (no wind-up). The filters F are analog ones by the bilinear
// rule, exact at their own frequency:
//     low-pass  ω/(p + ω) ,  ω²/(p² + √2 ω p + ω²)                                           (5)
//     notch     (p² + depth β p + ω²)/(p² + β p + ω²) ,  β = 2π width                        (6)
//     p = ω/tan(ωT/2) (z − 1)/(z + 1)                                                        (7)
// G. F. Franklin, J. D. Powell, M. L. Workman: Digital Control of Dynamic Systems, 3rd ed.,
// chapter 6.
#include "fem/control.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// ---- filters ------------------------------------------------------------------------------------

// (5), (6) by (7)
static mw_control_filter filter_of(const mw_filter_in *in, double T)
{
  double w = 2.0 * PI * in->f, c = w / tan(0.5 * w * T), width = 2.0 * PI * in->width;
  double d = in->notch ? width : sqrt(2.0) * w;  // of the denominator p² + d p + ω²
  if (!in->notch && in->order == 1)
    return (mw_control_filter){ .b = { w / (c + w), w / (c + w) },
                                .a = { 1.0, (w - c) / (c + w) } };
  double B2 = in->notch ? c * c : 0.0, B1 = in->notch ? in->depth * width * c : 0.0, B0 = w * w;
  double a0 = c * c + d * c + w * w;
  return (
      mw_control_filter){ .b = { (B2 + B1 + B0) / a0, 2.0 * (B0 - B2) / a0, (B2 - B1 + B0) / a0 },
                          .a = { 1.0, 2.0 * (w * w - c * c) / a0, (c * c - d * c + w * w) / a0 } };
}

static double filtered(const mw_control_filter *f, double z[2], double u)
{
  double y = f->b[0] * u + z[0];
  z[0] = f->b[1] * u - f->a[1] * y + z[1];
  z[1] = f->b[2] * u - f->a[2] * y;
  return y;
}

// ---- life ---------------------------------------------------------------------------------------

static mw_code filters_of(const mw_action *a, double T, mw_control_loop *l, mw_error *err)
{
  for (int i = 0; i < a->n_filter; i++) {
    const mw_filter_in *in = &a->filter[i];
    if (!(2.0 * in->f * T < 1.0))
      return mw_fail(err, MW_ERR_INPUT, in->at,
                     "filter at %g Hz, but the controller samples every %g s, expected less than "
                     "half its rate, %g Hz",
                     in->f, T, 0.5 / T);
    l->filter[i] = filter_of(in, T);
  }
  return MW_OK;
}

// Coordinates that units see, into watch (NULL: counts); their number.
static int watched(const mw_scenario *sc, int *watch)
{
  int n = 0;
  for (int k = 0; sc && k < sc->n_unit; k++)
    for (int i = 0; i < sc->unit[k].n_input; i++) {
      const mw_unit_input *in = &sc->unit[k].input[i];
      if (in->source != MW_UNIT_COORDINATE && in->source != MW_UNIT_RATE) continue;
      if (watch) watch[n] = in->joint;
      n++;
    }
  return n;
}

static void lay_out_units(const mw_scenario *sc, mw_arena *mem, mw_control *c)
{
  int n_in = 0, n_out = 0;
  for (int k = 0; sc && k < sc->n_unit; k++) {
    if (sc->unit[k].n_input > n_in) n_in = sc->unit[k].n_input;
    if (sc->unit[k].n_output > n_out) n_out = sc->unit[k].n_output;
  }
  c->n_watch = watched(sc, NULL);
  c->watch = mw_arena_int(mem, (size_t)c->n_watch);
  c->w = mw_arena_f64(mem, (size_t)c->n_watch);
  c->w_dot = mw_arena_f64(mem, (size_t)c->n_watch);
  c->in = mw_arena_f64(mem, (size_t)n_in);
  c->out = mw_arena_f64(mem, (size_t)n_out);
  if (c->watch) (void)watched(sc, c->watch);
}

static void lay_out(const mw_model *m, const mw_scenario *sc, mw_arena *mem, mw_control *c)
{
  size_t n = (size_t)m->n_drive;
  lay_out_units(sc, mem, c);
  double **row[] = { &c->s, &c->s_dot, &c->e, &c->e_dot, &c->force };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) *row[i] = mw_arena_f64(mem, n);
  c->loop = mw_arena_alloc(mem, sc ? (size_t)sc->n_action : 0, sizeof *c->loop);
}

mw_code mw_control_build(const mw_model *m, const mw_scenario *sc, double period, mw_arena *mem,
                         mw_control *out, mw_error *err)
{
  mw_control c = { .model = m, .sc = sc, .period = period, .t = -INFINITY };
  lay_out(m, sc, mem, &c);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && sc && k < sc->n_action; k++)
    rc = filters_of(&sc->action[k], period, &c.loop[k], err);
  if (rc == MW_OK) *out = c;
  return rc;
}

mw_code mw_control_copy(const mw_control *c, mw_arena *mem, mw_control *out, mw_error *err)
{
  mw_control to = *c;
  size_t n = (size_t)c->model->n_drive * sizeof(double);
  lay_out(c->model, c->sc, mem, &to);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  const double *from[] = { c->s, c->s_dot, c->e, c->e_dot, c->force };
  double *row[] = { to.s, to.s_dot, to.e, to.e_dot, to.force };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) memcpy(row[i], from[i], n);
  if (c->n_watch > 0) memcpy(to.w, c->w, (size_t)c->n_watch * sizeof *to.w);
  if (c->n_watch > 0) memcpy(to.w_dot, c->w_dot, (size_t)c->n_watch * sizeof *to.w_dot);
  if (c->sc) memcpy(to.loop, c->loop, (size_t)c->sc->n_action * sizeof *c->loop);
  *out = to;
  return MW_OK;
}

int mw_control_parts(mw_control *c, mw_part *part)
{
  size_t n = (size_t)c->model->n_drive * sizeof(double);
  size_t loops = (c->sc ? (size_t)c->sc->n_action : 0) * sizeof *c->loop;
  const mw_part all[MW_CONTROL_PARTS] = {
    { &c->t, sizeof c->t },
    { &c->n_sample, sizeof c->n_sample },
    { c->s, n },
    { c->s_dot, n },
    { c->e, n },
    { c->e_dot, n },
    { c->force, n },
    { c->loop, loops },
    { c->w, (size_t)c->n_watch * sizeof(double) },
    { c->w_dot, (size_t)c->n_watch * sizeof(double) },
  };
  memcpy(part, all, sizeof all);
  return MW_CONTROL_PARTS;
}

int mw_control_encoder(const mw_control *c, int d)
{
  for (int k = 0; c->sc && k < c->sc->n_action; k++)
    if (c->sc->action[k].drive == d && c->sc->action[k].encoder)
      return c->sc->action[k].encoder_joint;
  return -1;
}

// ---- a sample -----------------------------------------------------------------------------------

static double within(double x, double most) { return fmin(fmax(x, -most), most); }

// ∫ by one interval more: the trapezoid between the error before and this one
static double integral(const mw_control *c, double sum, double before, double now)
{
  return c->n_sample > 0 ? sum + 0.5 * c->period * (before + now) : 0.0;
}

// u of (1) or (2), with the integrals of x; cascade: x->lag, else x->error drives them
static double loops(const mw_control *c, const mw_action *a, const double r[3], bool homed,
                    mw_control_memory *x)
{
  double s = c->s[a->drive], v = c->s_dot[a->drive], p = s, rate = v;
  if (!homed) x->s0 = s, x->e0 = c->e[a->drive];
  if (a->encoder) {
    p = x->s0 + a->encoder_ratio * (c->e[a->drive] - x->e0);
    rate = a->encoder_ratio * c->e_dot[a->drive];
  }
  double error = r[0] - p;
  if (!a->cascade) {
    x->outer = integral(c, x->outer, x->error, error);
    x->error = error;
    return a->kp * error + a->ki * x->outer + a->kd * (r[1] - rate);
  }
  double w = r[1] + a->kp * error;
  if (a->max_speed > 0.0) w = within(w, a->max_speed);
  double lag = w - v;
  x->inner = integral(c, x->inner, x->lag, lag);
  x->error = error;
  x->lag = lag;
  return a->v_kp * lag + a->v_ki * x->inner;
}

// Largest force of (4)
static double most(const mw_action *a, double v)
{
  double F = a->max_force > 0.0 ? a->max_force : INFINITY;
  return a->max_power > 0.0 ? fmin(F, a->max_power / fabs(v)) : F;
}

// Force of inverse dynamics at t, a sample; after the last one as there
static double feed(const mw_control *c, int drive, double t)
{
  if (!c->feed) return 0.0;
  double k = fmin(fmax(floor(t / c->period + 0.5), 0.0), c->n_feed - 1);
  return c->feed[(size_t)k * (size_t)c->model->n_drive + (size_t)drive];
}

static void sample(mw_control *c, const mw_action *a, mw_control_loop *l, double t)
{
  mw_control_memory *x = &l->now;
  double r[3];
  mw_signal_eval(&a->signal, t, &r[0], &r[1], &r[2]);
  double u = loops(c, a, r, c->n_sample > 0, x);
  for (int i = 0; i < a->n_filter; i++) u = filtered(&l->filter[i], x->state[i], u);
  double f = u + a->ff * r[2] + a->gravity + feed(c, a->drive, t);
  double held = within(f, most(a, c->s_dot[a->drive]));
  c->force[a->drive] = held;
  l->limited = held != f;
  if (!l->limited) return;
  if ((f - held) * (a->cascade ? x->lag : x->error) > 0.0) {
    x->outer = l->before.outer;
    x->inner = l->before.inner;
  }
}

// Inputs of unit k at t; *watch: the first of the coordinates it sees.
static void set_inputs(mw_control *c, int k, double t, int *watch)
{
  const mw_unit_in *u = &c->sc->unit[k];
  for (int i = 0; i < u->n_input; i++) {
    const mw_unit_input *in = &u->input[i];
    switch (in->source) {
    case MW_UNIT_COORDINATE: c->in[i] = c->w[(*watch)++]; break;
    case MW_UNIT_RATE: c->in[i] = c->w_dot[(*watch)++]; break;
    case MW_UNIT_MOTOR: c->in[i] = c->s[in->drive]; break;
    case MW_UNIT_MOTOR_RATE: c->in[i] = c->s_dot[in->drive]; break;
    default: mw_signal_eval(&in->signal, t, &c->in[i], NULL, NULL); break;
    }
  }
}

// Forces of units at sample number n_sample
static mw_code sample_units(mw_control *c, double t, mw_error *err)
{
  mw_code rc = MW_OK;
  int watch = 0, n = c->sc ? c->sc->n_unit : 0;
  for (int k = 0; rc == MW_OK && k < n; k++) {
    const mw_unit_in *u = &c->sc->unit[k];
    set_inputs(c, k, t, &watch);
    if (!c->units.eval || c->n_sample % u->every != 0) continue;
    rc = c->units.eval(c->units.ctx, k, t, c->in, c->out, err);
    for (int i = 0; rc == MW_OK && i < u->n_output; i++) c->force[u->output[i].drive] = c->out[i];
  }
  return rc;
}

// A run that begins anew.
static void forget(mw_control *c)
{
  c->n_sample = 0;
  for (int k = 0; k < c->sc->n_action; k++) {
    c->loop[k].before = c->loop[k].now = (mw_control_memory){ 0 };
    c->loop[k].n_limited = 0;
    c->loop[k].limited = false;
  }
}

mw_code mw_control_sample(mw_control *c, double t, mw_error *err)
{
  bool again = t == c->t;
  int n = c->sc ? c->sc->n_action : 0;
  if (n > 0 && t < c->t) forget(c);
  if (again) c->n_sample--;
  for (int k = 0; k < n; k++) {
    const mw_action *a = &c->sc->action[k];
    mw_control_loop *l = &c->loop[k];
    if (a->kind != MW_ACTION_CONTROL || a->unit) continue;
    if (again) {
      if (l->limited) l->n_limited--;
      l->now = l->before;
    }
    l->before = l->now;
    sample(c, a, l, t);
    if (l->limited && l->n_limited++ == 0) l->t_limited = t;
  }
  mw_code rc = sample_units(c, t, err);
  c->t = t;
  c->n_sample++;
  return rc;
}

bool mw_action_guides(const mw_action *a) { return a->kind != MW_ACTION_FORCE && !a->unit; }

void mw_control_force(const mw_control *c, double t, double *force)
{
  for (int d = 0; d < c->model->n_drive; d++) force[d] = 0.0;
  for (int k = 0; c->sc && k < c->sc->n_action; k++) {
    const mw_action *a = &c->sc->action[k];
    if (a->kind == MW_ACTION_FORCE) mw_signal_eval(&a->signal, t, &force[a->drive], NULL, NULL);
    if (a->kind == MW_ACTION_CONTROL) force[a->drive] = c->force[a->drive];
  }
}

void mw_control_force_before(const mw_control *c, double t, double h, double *force)
{
  mw_control_force(c, t, force);
  for (int k = 0; c->sc && k < c->sc->n_action; k++) {
    const mw_action *a = &c->sc->action[k];
    if (a->kind == MW_ACTION_FORCE) force[a->drive] = mw_signal_left(&a->signal, t, h, NULL);
  }
}

bool mw_control_prescribed(const mw_scenario *sc, int drive, double t, double y[3])
{
  for (int k = 0; k < sc->n_action; k++)
    if (sc->action[k].drive == drive && sc->action[k].kind == MW_ACTION_POSITION) {
      mw_signal_eval(&sc->action[k].signal, t, &y[0], &y[1], &y[2]);
      return true;
    }
  return false;
}
