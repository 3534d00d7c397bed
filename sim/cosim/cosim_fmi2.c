// SPDX-License-Identifier: BSD-3-Clause
// cosim_fmi2.c: calls of FMI 2.0 co-simulation (Functional Mock-up Interface for Model Exchange and
// Co-Simulation 2.0, chapters 2 and 4), by declarations written down here.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim_priv.h"

enum { CO_SIMULATION = 1, TERMINATED = 3 };  // fmi2CoSimulation, fmi2Terminated

typedef struct callbacks {  // fmi2CallbackFunctions
  void (*logger)(void *environment, const char *instance, int status, const char *category,
                 const char *message, ...);
  void *(*allocate)(size_t n, size_t size);
  void (*release)(void *p);
  void (*step_finished)(void *environment, int status);
  void *environment;
} callbacks;

enum {
  INSTANTIATE,
  FREE,
  SETUP,
  ENTER,
  EXIT,
  TERMINATE,
  SET_REAL,
  SET_INTEGER,
  SET_BOOLEAN,
  GET_REAL,
  STEP,
  STATUS
};
static const char *const names[] = { "fmi2Instantiate",
                                     "fmi2FreeInstance",
                                     "fmi2SetupExperiment",
                                     "fmi2EnterInitializationMode",
                                     "fmi2ExitInitializationMode",
                                     "fmi2Terminate",
                                     "fmi2SetReal",
                                     "fmi2SetInteger",
                                     "fmi2SetBoolean",
                                     "fmi2GetReal",
                                     "fmi2DoStep",
                                     "fmi2GetBooleanStatus",
                                     NULL };

static void log_message(void *environment, const char *instance, int status, const char *category,
                        const char *message, ...)
{
  char text[MW_COSIM_LOG];
  va_list args;
  (void)instance;
  (void)category;
  va_start(args, message);
  (void)vsnprintf(text, sizeof text, message ? message : "", args);
  va_end(args);
  mw_cosim_say(environment, status, text);
}

// The URI of a file (RFC 8089) into uri, with room for 8 + 3 letters a byte: bytes that are not
// unreserved are written as %XX (RFC 3986, sections 2.1 to 2.3).
static void uri_of(const char *path, char *uri)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/",
                    hex[] = "0123456789ABCDEF", scheme[] = "file://";
  char *to = uri + sizeof scheme - 1;
  memcpy(uri, scheme, sizeof scheme - 1);
  for (const char *c = path; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if (strchr(plain, *c)) {
      *to++ = *c;
      continue;
    }
    *to++ = '%';
    *to++ = hex[byte / 16];
    *to++ = hex[byte % 16];
  }
  *to = '\0';
}

static bool instantiate(mw_cosim_instance *i, const char *name, const char *token,
                        const char *resources)
{
  // outlives the instance, which may keep its address
  callbacks *calls = i->memory = malloc(sizeof *calls);
  char uri[3 * (MW_COSIM_FOLDER + 32)];
  void *(*fn)(const char *, int, const char *, const char *, const void *, int, int);
  if (!calls) return false;
  *calls = (callbacks){ log_message, calloc, free, NULL, i->log };
  uri_of(resources, uri);
  MW_COSIM_FUNCTION(i, INSTANTIATE, fn);
  i->c = fn(name, CO_SIMULATION, token, uri, calls, 0, 0);
  return i->c != NULL;
}

static int set(const mw_cosim_instance *i, const mw_cosim_variable *v, double x)
{
  int whole = v->type == MW_COSIM_REAL ? 0 : (int)x;
  if (v->type == MW_COSIM_REAL) {
    int (*fn)(void *, const unsigned *, size_t, const double *);
    MW_COSIM_FUNCTION(i, SET_REAL, fn);
    return fn(i->c, &v->reference, 1, &x);
  }
  int (*fn)(void *, const unsigned *, size_t, const int *);
  MW_COSIM_FUNCTION(i, v->type == MW_COSIM_BOOLEAN ? SET_BOOLEAN : SET_INTEGER, fn);
  return fn(i->c, &v->reference, 1, &whole);
}

static int get(const mw_cosim_instance *i, const mw_cosim_variable *v, double *x)
{
  int (*fn)(void *, const unsigned *, size_t, double *);
  MW_COSIM_FUNCTION(i, GET_REAL, fn);
  return fn(i->c, &v->reference, 1, x);
}

static mw_cosim_status enter(mw_cosim_instance *i, double start)
{
  int (*fn)(void *, int, double, double, int, double);
  MW_COSIM_FUNCTION(i, SETUP, fn);
  mw_cosim_status status = mw_cosim_done(i, fn(i->c, 0, 0.0, start, 0, 0.0));
  return status <= MW_COSIM_WARNING ? mw_cosim_simple(i, ENTER) : status;
}

static mw_cosim_status step(mw_cosim_instance *i, double t, double h, bool *ended, bool *short_of)
{
  int (*fn)(void *, double, double, int), (*ask)(void *, int, int *), yes = 0;
  MW_COSIM_FUNCTION(i, STEP, fn);
  MW_COSIM_FUNCTION(i, STATUS, ask);
  mw_cosim_status status = mw_cosim_done(i, fn(i->c, t, h, 1));
  *short_of = false;
  // a unit that wants to end discards the step, and says so
  *ended = status == MW_COSIM_DISCARD && ask(i->c, TERMINATED, &yes) == MW_COSIM_OK && yes;
  return status;
}

const mw_cosim_calls mw_cosim_fmi2 = { .name = names,
                                       .free = FREE,
                                       .exit = EXIT,
                                       .terminate = TERMINATE,
                                       .instantiate = instantiate,
                                       .set = set,
                                       .get = get,
                                       .enter = enter,
                                       .step = step };
