// SPDX-License-Identifier: BSD-3-Clause
// cosim_fmi3.c: calls of FMI 3.0 co-simulation (Functional Mock-up Interface Specification 3.0,
// chapters 2 and 4), by declarations written down here. Without event mode and early return: a
// unit that asks for events nevertheless (eventHandlingNeeded) ends the run.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cosim_priv.h"

enum {
  INSTANTIATE,
  FREE,
  ENTER,
  EXIT,
  TERMINATE,
  SET_FLOAT64,
  SET_INT32,
  SET_BOOLEAN,
  GET_FLOAT64,
  STEP
};
static const char *const names[] = { "fmi3InstantiateCoSimulation",
                                     "fmi3FreeInstance",
                                     "fmi3EnterInitializationMode",
                                     "fmi3ExitInitializationMode",
                                     "fmi3Terminate",
                                     "fmi3SetFloat64",
                                     "fmi3SetInt32",
                                     "fmi3SetBoolean",
                                     "fmi3GetFloat64",
                                     "fmi3DoStep",
                                     NULL };

typedef void log_fn(void *environment, int status, const char *category, const char *message);
typedef void *instantiate_fn(const char *name, const char *token, const char *resources,
                             bool visible, bool logging, bool event_mode, bool early_return,
                             const uint32_t *required, size_t n_required, void *environment,
                             log_fn *log, void (*intermediate)(void));

static void log_message(void *environment, int status, const char *category, const char *message)
{
  (void)category;
  mw_cosim_say(environment, status, message ? message : "");
}

static bool instantiate(mw_cosim_instance *i, const char *name, const char *token,
                        const char *resources)
{
  instantiate_fn *fn;
  char path[MW_COSIM_FOLDER + 32];
  (void)snprintf(path, sizeof path, "%s/", resources);  // ends in a slash (2.2.4)
  MW_COSIM_FUNCTION(i, INSTANTIATE, fn);
  i->c = fn(name, token, path, false, false, false, false, NULL, 0, i->log, log_message, NULL);
  return i->c != NULL;
}

static int set(const mw_cosim_instance *i, const mw_cosim_variable *v, double x)
{
  if (v->type == MW_COSIM_REAL) {
    int (*fn)(void *, const uint32_t *, size_t, const double *, size_t);
    MW_COSIM_FUNCTION(i, SET_FLOAT64, fn);
    return fn(i->c, &v->reference, 1, &x, 1);
  }
  if (v->type == MW_COSIM_BOOLEAN) {
    int (*fn)(void *, const uint32_t *, size_t, const bool *, size_t);
    const bool yes = x != 0.0;
    MW_COSIM_FUNCTION(i, SET_BOOLEAN, fn);
    return fn(i->c, &v->reference, 1, &yes, 1);
  }
  int (*fn)(void *, const uint32_t *, size_t, const int32_t *, size_t);
  const int32_t whole = (int32_t)x;
  MW_COSIM_FUNCTION(i, SET_INT32, fn);
  return fn(i->c, &v->reference, 1, &whole, 1);
}

static int get(const mw_cosim_instance *i, const mw_cosim_variable *v, double *x)
{
  int (*fn)(void *, const uint32_t *, size_t, double *, size_t);
  MW_COSIM_FUNCTION(i, GET_FLOAT64, fn);
  return fn(i->c, &v->reference, 1, x, 1);
}

static mw_cosim_status enter(mw_cosim_instance *i, double start)
{
  int (*fn)(void *, bool, double, double, bool, double);
  MW_COSIM_FUNCTION(i, ENTER, fn);
  return mw_cosim_done(i, fn(i->c, false, 0.0, start, false, 0.0));
}

static mw_cosim_status step(mw_cosim_instance *i, double t, double h, bool *ended, bool *short_of)
{
  static const double NEAR = 1e-6;  // of the step
  int (*fn)(void *, double, double, bool, bool *, bool *, bool *, double *);
  bool event = false, early = false;
  double last = t + h;
  *ended = false;
  MW_COSIM_FUNCTION(i, STEP, fn);
  mw_cosim_status status = mw_cosim_done(i, fn(i->c, t, h, true, &event, ended, &early, &last));
  if (event && status <= MW_COSIM_WARNING) {
    (void)snprintf(i->log->last, sizeof i->log->last,
                   "it asks for event mode, which it was told is not used");
    return MW_COSIM_ERROR;
  }
  *short_of = early || fabs(last - (t + h)) > NEAR * h;
  return status;
}

const mw_cosim_calls mw_cosim_fmi3 = { .name = names,
                                       .free = FREE,
                                       .exit = EXIT,
                                       .terminate = TERMINATE,
                                       .instantiate = instantiate,
                                       .set = set,
                                       .get = get,
                                       .enter = enter,
                                       .step = step };
