// SPDX-License-Identifier: BSD-3-Clause
// fmu_calls.c: see fmu_calls.h.
#include "fmu_calls.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mw_test.h"

// what the standards call fmi2CallbackFunctions and fmi2EventInfo
typedef struct callbacks {
  void (*logger)(void *env, const char *name, int status, const char *category, const char *format,
                 ...);
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, int);
  void *env;
} callbacks;
typedef struct event_info {
  int more, terminate, nominals, values, next_defined;
  double next;
} event_info;

static void keep(fmu_unit *u, int status, const char *text)
{
  snprintf(u->log, sizeof u->log, "%s", text);
  u->log_status = status;
  u->n_log++;
}

static void logger3(void *env, int status, const char *category, const char *text)
{
  MW_CHECK(category && strncmp(category, "logStatus", 9) == 0);
  keep(env, status, text);
}

static void logger2(void *env, const char *name, int status, const char *category,
                    const char *format, ...)
{
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  MW_CHECK(name && strcmp(name, "it") == 0 && category != NULL);
  keep(env, status, text);
}

static bool find(const fmu_unit *u, const char *name3, const char *name2, void *out)
{
  return fmu_import_symbol(&u->f, u->f.version == 3 ? name3 : name2, out);
}

// ---- instances ----------------------------------------------------------------------------------

static void *new3(fmu_unit *u, bool cosim, const char *token, bool logging)
{
  void *(*me)(const char *, const char *, const char *, bool, bool, void *,
              void (*)(void *, int, const char *, const char *));
  void *(*cs)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
              size_t, void *, void (*)(void *, int, const char *, const char *), void (*)(void));
  if (!cosim)
    return find(u, "fmi3InstantiateModelExchange", "", &me)
               ? me("it", token, NULL, false, logging, u, logger3)
               : NULL;
  return find(u, "fmi3InstantiateCoSimulation", "", &cs)
             ? cs("it", token, NULL, false, logging, false, false, NULL, 0, u, logger3, NULL)
             : NULL;
}

static void *new2(fmu_unit *u, bool cosim, const char *token, bool logging)
{
  static callbacks calls;  // must outlive the instance
  void *(*make)(const char *, int, const char *, const char *, const callbacks *, int, int);
  calls = (callbacks){ .logger = logger2, .env = u };
  return find(u, "", "fmi2Instantiate", &make)
             ? make("it", cosim ? 1 : 0, token, "file:///nowhere", &calls, 0, logging)
             : NULL;
}

bool fmu_instantiate(fmu_unit *u, bool cosim, const char *token, bool logging)
{
  u->log[0] = '\0';
  u->n_log = 0;
  u->c = (u->f.version == 3 ? new3 : new2)(u, cosim, token, logging);
  return u->c != NULL;
}

void fmu_free(fmu_unit *u)
{
  void (*f)(void *);
  if (find(u, "fmi3FreeInstance", "fmi2FreeInstance", &f)) f(u->c);
  u->c = NULL;
}

// A call of one argument.
static int call(fmu_unit *u, const char *name3, const char *name2)
{
  int (*f)(void *);
  return find(u, name3, name2, &f) ? f(u->c) : -1;
}

int fmu_reset(fmu_unit *u) { return call(u, "fmi3Reset", "fmi2Reset"); }
int fmu_terminate(fmu_unit *u) { return call(u, "fmi3Terminate", "fmi2Terminate"); }

int fmu_exit(fmu_unit *u)
{
  return call(u, "fmi3ExitInitializationMode", "fmi2ExitInitializationMode");
}

int fmu_enter(fmu_unit *u, double start, bool has_stop, double stop)
{
  int (*f3)(void *, bool, double, double, bool, double);
  int (*f2)(void *, int, double, double, int, double);
  if (u->f.version == 3)
    return find(u, "fmi3EnterInitializationMode", "", &f3)
               ? f3(u->c, false, 0.0, start, has_stop, stop)
               : -1;
  if (!find(u, "", "fmi2SetupExperiment", &f2)) return -1;
  int status = f2(u->c, 0, 0.0, start, has_stop, stop);
  return status != FMU_OK ? status : call(u, "", "fmi2EnterInitializationMode");
}

// ---- variables ----------------------------------------------------------------------------------

int fmu_get(fmu_unit *u, const uint32_t *vr, size_t n, double *value)
{
  int (*f3)(void *, const uint32_t *, size_t, double *, size_t);
  int (*f2)(void *, const uint32_t *, size_t, double *);
  if (u->f.version == 3) return find(u, "fmi3GetFloat64", "", &f3) ? f3(u->c, vr, n, value, n) : -1;
  return find(u, "", "fmi2GetReal", &f2) ? f2(u->c, vr, n, value) : -1;
}

int fmu_set(fmu_unit *u, const uint32_t *vr, size_t n, const double *value)
{
  int (*f3)(void *, const uint32_t *, size_t, const double *, size_t);
  int (*f2)(void *, const uint32_t *, size_t, const double *);
  if (u->f.version == 3) return find(u, "fmi3SetFloat64", "", &f3) ? f3(u->c, vr, n, value, n) : -1;
  return find(u, "", "fmi2SetReal", &f2) ? f2(u->c, vr, n, value) : -1;
}

int fmu_step(fmu_unit *u, double t, double h)
{
  int (*f3)(void *, double, double, bool, bool *, bool *, bool *, double *);
  int (*f2)(void *, double, double, int);
  int (*status2)(void *, int, double *);
  enum { LAST_SUCCESSFUL_TIME = 2 };
  if (u->f.version == 3) {
    bool event = true, end = true, early = true;
    if (!find(u, "fmi3DoStep", "", &f3)) return -1;
    int status = f3(u->c, t, h, true, &event, &end, &early, &u->reached);
    u->terminated = event || end || early;
    return status;
  }
  if (!find(u, "", "fmi2DoStep", &f2) || !find(u, "", "fmi2GetRealStatus", &status2)) return -1;
  int status = f2(u->c, t, h, 1);
  MW_CHECK(status2(u->c, LAST_SUCCESSFUL_TIME, &u->reached) == FMU_OK);
  u->terminated = false;
  return status;
}

// ---- model exchange -----------------------------------------------------------------------------

int fmu_events(fmu_unit *u)
{
  int (*f3)(void *, bool *, bool *, bool *, bool *, bool *, double *);
  int (*f2)(void *, event_info *);
  if (u->f.version == 3) {
    bool said[5] = { true, true, true, true, true }, any = false;
    double next;
    if (!find(u, "fmi3UpdateDiscreteStates", "", &f3)) return -1;
    int status = f3(u->c, said, said + 1, said + 2, said + 3, said + 4, &next);
    for (int k = 0; k < 5; k++) any = any || said[k];
    if (status != FMU_OK) return status;
    MW_CHECK(!any);
  } else {
    event_info said = { 1, 1, 1, 1, 1, 1.0 };
    if (!find(u, "", "fmi2NewDiscreteStates", &f2)) return -1;
    int status = f2(u->c, &said);
    if (status != FMU_OK) return status;
    MW_CHECK(!said.more && !said.terminate && !said.nominals && !said.values && !said.next_defined);
  }
  return call(u, "fmi3EnterContinuousTimeMode", "fmi2EnterContinuousTimeMode");
}

int fmu_set_time(fmu_unit *u, double t)
{
  int (*f)(void *, double);
  return find(u, "fmi3SetTime", "fmi2SetTime", &f) ? f(u->c, t) : -1;
}

int fmu_set_states(fmu_unit *u, const double *x, size_t n)
{
  int (*f)(void *, const double *, size_t);
  return find(u, "fmi3SetContinuousStates", "fmi2SetContinuousStates", &f) ? f(u->c, x, n) : -1;
}

// Functions that fill an array.
static int fill(fmu_unit *u, const char *name3, const char *name2, double *x, size_t n)
{
  int (*f)(void *, double *, size_t);
  return find(u, name3, name2, &f) ? f(u->c, x, n) : -1;
}

int fmu_get_states(fmu_unit *u, double *x, size_t n)
{
  return fill(u, "fmi3GetContinuousStates", "fmi2GetContinuousStates", x, n);
}

int fmu_get_nominals(fmu_unit *u, double *x, size_t n)
{
  return fill(u, "fmi3GetNominalsOfContinuousStates", "fmi2GetNominalsOfContinuousStates", x, n);
}

int fmu_derivatives(fmu_unit *u, double *dx, size_t n)
{
  return fill(u, "fmi3GetContinuousStateDerivatives", "fmi2GetDerivatives", dx, n);
}

int fmu_completed(fmu_unit *u)
{
  int (*f3)(void *, bool, bool *, bool *);
  int (*f2)(void *, int, int *, int *);
  if (u->f.version == 3) {
    bool event = true, end = true;
    if (!find(u, "fmi3CompletedIntegratorStep", "", &f3)) return -1;
    int status = f3(u->c, true, &event, &end);
    return event || end ? -1 : status;
  }
  int event = 1, end = 1;
  if (!find(u, "", "fmi2CompletedIntegratorStep", &f2)) return -1;
  int status = f2(u->c, 1, &event, &end);
  return event || end ? -1 : status;
}

// ---- copies -------------------------------------------------------------------------------------

int fmu_copy(fmu_unit *u, void **state)
{
  int (*f)(void *, void **);
  return find(u, "fmi3GetFMUState", "fmi2GetFMUstate", &f) ? f(u->c, state) : -1;
}

int fmu_restore(fmu_unit *u, void *state)
{
  int (*f)(void *, void *);
  return find(u, "fmi3SetFMUState", "fmi2SetFMUstate", &f) ? f(u->c, state) : -1;
}

int fmu_forget(fmu_unit *u, void **state)
{
  int (*f)(void *, void **);
  return find(u, "fmi3FreeFMUState", "fmi2FreeFMUstate", &f) ? f(u->c, state) : -1;
}

int fmu_bytes(fmu_unit *u, void *state, size_t *n)
{
  int (*f)(void *, void *, size_t *);
  return find(u, "fmi3SerializedFMUStateSize", "fmi2SerializedFMUstateSize", &f) ? f(u->c, state, n)
                                                                                 : -1;
}

int fmu_write(fmu_unit *u, void *state, void *bytes, size_t n)
{
  int (*f)(void *, void *, void *, size_t);
  return find(u, "fmi3SerializeFMUState", "fmi2SerializeFMUstate", &f) ? f(u->c, state, bytes, n)
                                                                       : -1;
}

int fmu_read(fmu_unit *u, const void *bytes, size_t n, void **state)
{
  int (*f)(void *, const void *, size_t, void **);
  return find(u, "fmi3DeserializeFMUState", "fmi2DeSerializeFMUstate", &f)
             ? f(u->c, bytes, n, state)
             : -1;
}

// ---- derivatives --------------------------------------------------------------------------------

int fmu_directional(fmu_unit *u, const uint32_t *unknown, size_t n_unknown, const uint32_t *known,
                    size_t n_known, const double *seed, double *out)
{
  int (*f3)(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t,
            double *, size_t);
  int (*f2)(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, double *);
  if (u->f.version == 3)
    return find(u, "fmi3GetDirectionalDerivative", "", &f3)
               ? f3(u->c, unknown, n_unknown, known, n_known, seed, n_known, out, n_unknown)
               : -1;
  return find(u, "", "fmi2GetDirectionalDerivative", &f2)
             ? f2(u->c, unknown, n_unknown, known, n_known, seed, out)
             : -1;
}

int fmu_adjoint(fmu_unit *u, const uint32_t *unknown, size_t n_unknown, const uint32_t *known,
                size_t n_known, const double *seed, double *out)
{
  int (*f3)(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t,
            double *, size_t);
  return find(u, "fmi3GetAdjointDerivative", "", &f3)
             ? f3(u->c, unknown, n_unknown, known, n_known, seed, n_unknown, out, n_known)
             : -1;
}
