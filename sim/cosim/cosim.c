// SPDX-License-Identifier: BSD-3-Clause
// cosim.c: functional mock-up units of a scenario as what its drives do.
//
// At its sample k, t_k = t_0 + k h, the mechanism is there first: the unit takes its inputs as they
// are at t_k and goes from t_(k−1) to t_k under them; its outputs at t_k are held up to t_(k+1). At
// t_0 it is initialized under its inputs. So a unit that is a sampled law gives what a controller
// of modeway's with the same law gives, with no sample of delay.
//
// Each set of instances loads a copy of the binary of its own, from a folder of its own: what units
// keep in static variables is theirs alone.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim_layer.h"
#include "cosim_priv.h"

static const double NEAR = 1e-6;  // of a step: what samples may be off

typedef struct unit {
  const mw_unit_in *in;
  const mw_cosim_calls *call;
  mw_cosim_about about;
  mw_cosim_instance i;
  mw_cosim_log log;
  const char *dir;      // unpacked, NULL: not yet
  double h, t0;         // s, between two samples; of the first
  long k;               // the sample taken last, -1: none
  double *seen, *held;  // [n_input], [n_output]  of that sample
} unit;

struct mw_cosim {
  const mw_scenario *sc;
  unit *unit;             // [sc->n_unit]
  struct mw_cosim *next;  // the same units once more
  mw_arena mem;
};

// ---- messages -----------------------------------------------------------------------------------

void mw_cosim_say(mw_cosim_log *log, int status, const char *message)
{
  (void)snprintf(log->last, sizeof log->last, "%s", message);
  if (status != MW_COSIM_WARNING && status != MW_COSIM_ERROR && status != MW_COSIM_FATAL &&
      status != MW_COSIM_DISCARD)
    return;
  if (log->n++ == 0) (void)snprintf(log->first, sizeof log->first, "%s", message);
}

// A call that the unit could not do; what: which.
static mw_code refused(const unit *u, mw_cosim_status status, const char *what, double t,
                       mw_error *err)
{
  static const char *const words[] = { "ok", "warning", "discard", "error", "fatal" };
  const char *why = u->log.last;
  return mw_fail(err, MW_ERR_NUMERIC, u->in->at, "unit %.64s, t = %.9g s: %s gives \"%s\"%s%.200s",
                 u->in->name, t, what, words[status], why[0] ? ": " : "", why);
}

// ---- calls --------------------------------------------------------------------------------------

mw_cosim_status mw_cosim_done(mw_cosim_instance *i, int status)
{
  i->dead = i->dead || status == MW_COSIM_FATAL;
  return status >= MW_COSIM_OK && status <= MW_COSIM_FATAL ? (mw_cosim_status)status
                                                           : MW_COSIM_ERROR;
}

mw_cosim_status mw_cosim_simple(mw_cosim_instance *i, int k)
{
  int (*fn)(void *);
  MW_COSIM_FUNCTION(i, k, fn);
  return mw_cosim_done(i, fn(i->c));
}

static void free_instance(unit *u)
{
  void (*fn)(void *);
  MW_COSIM_FUNCTION(&u->i, u->call->free, fn);
  fn(u->i.c);
}

// The worst status of all; nothing is set behind one that is worse than a warning.
static mw_cosim_status set_all(unit *u, const mw_cosim_variable *v, int n, const double *x)
{
  mw_cosim_status worst = MW_COSIM_OK;
  for (int k = 0; k < n && worst <= MW_COSIM_WARNING; k++) {
    mw_cosim_status got = mw_cosim_done(&u->i, u->call->set(&u->i, &v[k], x[k]));
    if (got > worst) worst = got;
  }
  return worst;
}

static mw_cosim_status get_all(unit *u, const mw_cosim_variable *v, int n, double *x)
{
  mw_cosim_status worst = MW_COSIM_OK;
  for (int k = 0; k < n && worst <= MW_COSIM_WARNING; k++) {
    mw_cosim_status got = mw_cosim_done(&u->i, u->call->get(&u->i, &v[k], &x[k]));
    if (got > worst) worst = got;
  }
  return worst;
}

// ---- life of a unit -----------------------------------------------------------------------------

static mw_code load(unit *u, mw_arena *mem, mw_error *err)
{
  const mw_unit_in *in = u->in;
  mw_code rc = mw_cosim_unpack(in->file, in->file_at, u->about.platform, mem, &u->dir, err);
  if (rc != MW_OK) return rc;
  if (strlen(u->dir) > MW_COSIM_FOLDER)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = u->dir },
                   "found a folder for units of %zu characters, expected at most %d (TMPDIR)",
                   strlen(u->dir), MW_COSIM_FOLDER);
  const char *path =
      mw_arena_printf(mem, "%s/binaries/%s/%s.so", u->dir, u->about.platform, u->about.identifier);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  u->i.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char *why = u->i.library ? NULL : dlerror();
  if (!u->i.library)
    return mw_fail(err, MW_ERR_INPUT, in->file_at, "unit %.160s cannot be loaded: %.260s", in->file,
                   why ? why : "no reason given");
  for (int k = 0; u->call->name[k]; k++) {
    u->i.function[k] = dlsym(u->i.library, u->call->name[k]);
    if (!u->i.function[k])
      return mw_fail(err, MW_ERR_INPUT, in->file_at, "unit %.200s has no function %s, expected it",
                     in->file, u->call->name[k]);
  }
  return MW_OK;
}

static void stop(unit *u)
{
  if (u->i.c && !u->i.dead) {
    if (u->k >= 0) (void)mw_cosim_simple(&u->i, u->call->terminate);
    if (!u->i.dead) free_instance(u);
  }
  free(u->i.memory);
  u->i.memory = NULL;
  u->i.c = NULL;
  u->i.dead = false;
  u->k = -1;
}

static void unload(unit *u)
{
  stop(u);
  if (u->i.library) dlclose(u->i.library);
  mw_cosim_remove(u->dir);
}

// A new instance, initialized under the inputs in at t.
static mw_code begin(unit *u, double t, const double *in, mw_error *err)
{
  const mw_cosim_calls *c = u->call;
  const mw_unit_in *to = u->in;
  char resources[MW_COSIM_FOLDER + 16];
  stop(u);
  (void)snprintf(resources, sizeof resources, "%s/resources", u->dir);
  if (!c->instantiate(&u->i, to->name, u->about.token, resources))
    return mw_fail(err, MW_ERR_INPUT, to->file_at,
                   "unit %.160s makes no instance of its model%s%.200s", to->file,
                   u->log.last[0] ? ": " : "", u->log.last);
  const char *what = "setting parameters";
  mw_cosim_status s = MW_COSIM_OK;
  for (int k = 0; k < to->n_parameter && s <= MW_COSIM_WARNING; k++)
    s = set_all(u, &u->about.parameter[k], 1, &to->parameter[k].value);
  if (s <= MW_COSIM_WARNING) s = c->enter(&u->i, t), what = "entering initialization";
  if (s <= MW_COSIM_WARNING)
    s = set_all(u, u->about.input, to->n_input, in), what = "setting inputs";
  if (s <= MW_COSIM_WARNING) s = mw_cosim_simple(&u->i, c->exit), what = "leaving initialization";
  if (s > MW_COSIM_WARNING) return refused(u, s, what, t, err);
  u->t0 = t;
  u->k = 0;
  return MW_OK;
}

// From sample k to k + 1 under the inputs there
static mw_code advance(unit *u, const double *in, mw_error *err)
{
  bool ended = false, short_of = false;
  double t = u->t0 + (double)u->k * u->h;
  mw_cosim_status s = set_all(u, u->about.input, u->in->n_input, in);
  if (s > MW_COSIM_WARNING) return refused(u, s, "setting inputs", t, err);
  s = u->call->step(&u->i, t, u->h, &ended, &short_of);
  if (ended)
    return mw_fail(err, MW_ERR_NUMERIC, u->in->at,
                   "unit %.64s ends the simulation at t = %.9g s, expected one that goes on",
                   u->in->name, t);
  if (s > MW_COSIM_WARNING) return refused(u, s, "a step", t, err);
  if (short_of)
    return mw_fail(err, MW_ERR_NUMERIC, u->in->at,
                   "unit %.64s took only part of its step from t = %.9g s, expected %g s",
                   u->in->name, t, u->h);
  u->k++;
  return MW_OK;
}

// ---- samples ------------------------------------------------------------------------------------

static mw_code read_outputs(unit *u, double t, mw_error *err)
{
  const mw_unit_in *in = u->in;
  mw_cosim_status s = get_all(u, u->about.output, in->n_output, u->held);
  if (s > MW_COSIM_WARNING) return refused(u, s, "asking for outputs", t, err);
  for (int k = 0; k < in->n_output; k++)
    if (!isfinite(u->held[k]))
      return mw_fail(err, MW_ERR_NUMERIC, in->output[k].at,
                     "unit %.64s, t = %.9g s: %.64s is %g, expected a finite number", in->name, t,
                     in->output[k].variable, u->held[k]);
  return MW_OK;
}

// Sample at t: the next one, a first one, or the last one once more
static mw_code sample(unit *u, double t, const double *in, mw_error *err)
{
  size_t n = (size_t)u->in->n_input * sizeof *in;
  double last = u->t0 + (double)u->k * u->h;
  bool again = u->k >= 0 && fabs(t - last) <= NEAR * u->h;
  mw_code rc = MW_OK;
  if (again && memcmp(in, u->seen, n) == 0) return MW_OK;
  if (again && u->k > 0)
    return mw_fail(err, MW_ERR_NUMERIC, u->in->at,
                   "unit %.64s is sampled twice at t = %.9g s with other inputs, which it cannot "
                   "take back",
                   u->in->name, t);
  if (again || u->k < 0 || t < last)
    rc = begin(u, t, in, err);
  else if (fabs(t - (last + u->h)) <= NEAR * u->h)
    rc = advance(u, in, err);
  else
    rc = mw_fail(err, MW_ERR_NUMERIC, u->in->at,
                 "unit %.64s is sampled at t = %.9g s, expected a step of %g s after %.9g s",
                 u->in->name, t, u->h, last);
  if (rc == MW_OK) rc = read_outputs(u, t, err);
  if (rc == MW_OK) memcpy(u->seen, in, n);
  return rc;
}

static mw_code eval(void *ctx, int k, double t, const double *in, double *out, mw_error *err)
{
  mw_cosim *c = ctx;
  unit *u = &c->unit[k];
  mw_code rc = sample(u, t, in, err);
  if (rc == MW_OK) memcpy(out, u->held, (size_t)u->in->n_output * sizeof *out);
  return rc;
}

mw_units mw_cosim_units(mw_cosim *c) { return c ? (mw_units){ eval, c } : (mw_units){ 0 }; }

// ---- all of them --------------------------------------------------------------------------------

static mw_code open_unit(mw_cosim *c, const mw_unit_in *in, unit *u, mw_error *err)
{
  *u = (unit){ .in = in, .h = in->every * c->sc->control_period, .k = -1, .i = { .log = &u->log } };
  u->seen = mw_arena_f64(&c->mem, (size_t)in->n_input);
  u->held = mw_arena_f64(&c->mem, (size_t)in->n_output);
  mw_code rc = mw_cosim_describe(in, &c->mem, &u->about, err);
  u->call = u->about.version == 2 ? &mw_cosim_fmi2 : &mw_cosim_fmi3;
  return rc == MW_OK ? load(u, &c->mem, err) : rc;
}

mw_code mw_cosim_open(const mw_scenario *sc, mw_cosim **out, mw_error *err)
{
  *out = NULL;
  if (sc->n_unit == 0) return MW_OK;
  mw_cosim *c = calloc(1, sizeof *c);
  if (!c) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  c->sc = sc;
  c->unit = mw_arena_alloc(&c->mem, (size_t)sc->n_unit, sizeof *c->unit);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int k = 0; rc == MW_OK && k < sc->n_unit; k++)
    rc = open_unit(c, &sc->unit[k], &c->unit[k], err);
  if (rc == MW_OK)
    *out = c;
  else
    mw_cosim_close(c);
  return rc;
}

mw_code mw_cosim_another(mw_cosim *c, mw_cosim **out, mw_error *err)
{
  *out = NULL;
  if (!c) return MW_OK;
  mw_cosim *more = NULL;
  mw_code rc = mw_cosim_open(c->sc, &more, err);
  if (rc != MW_OK) return rc;
  more->next = c->next;
  c->next = more;
  *out = more;
  return MW_OK;
}

void mw_cosim_close(mw_cosim *c)
{
  while (c) {
    mw_cosim *next = c->next;
    for (int k = 0; c->unit && k < c->sc->n_unit; k++) unload(&c->unit[k]);
    mw_arena_free(&c->mem);
    free(c);
    c = next;
  }
}

mw_code mw_cosim_tell(const mw_cosim *c, mw_run *r, mw_error *err)
{
  for (int k = 0; c && k < c->sc->n_unit; k++) {
    const unit *u = &c->unit[k];
    if (u->about.unset)
      mw_run_add_note(r, "unit %s: inputs that nothing sets keep their starts: %s", u->in->name,
                      u->about.unset);
    if (u->log.n > 0)
      mw_run_add_warning(r, "unit %s has said %d warning%s, first: %s", u->in->name, u->log.n,
                         u->log.n == 1 ? "" : "s", u->log.first);
  }
  return mw_arena_check(&r->mem, err);
}

mw_code mw_cosim_check(const mw_scenario *sc, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < sc->n_unit; k++) {
    mw_arena mem = { 0 };
    mw_cosim_about about;
    rc = mw_cosim_describe(&sc->unit[k], &mem, &about, err);
    mw_arena_free(&mem);
  }
  return rc;
}
