// SPDX-License-Identifier: BSD-3-Clause
// cosim_law.c: the binary of a functional mock-up unit for test_cosim.c: the law of modeway's own
// controllers, u = kp e + ki ∫e + kd (r' − v), trapezoids, sampled at its steps. FMI 2.0, or 3.0
// with MW_FMI3. Its parameter `fault` says what goes wrong at the third step.
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { WANTED, WANTED_RATE, MEASURED, RATE, SPARE, FORCE, KP, KI, KD, N_REAL };
enum { FAULT = 30, REVERSED = 31 };
enum { FAULT_DISCARD = 1, FAULT_FATAL, FAULT_NAN, FAULT_END, FAULT_WARN, FAULT_EVENT };

typedef void log2_fn(void *, const char *, int, const char *, const char *, ...);
typedef void log3_fn(void *, int, const char *, const char *);

typedef struct law {
  double x[N_REAL], error, sum;
  int fault, reversed, steps;
  void *environment;
  log2_fn *log2;
  log3_fn *log3;
} law;

static void output(law *w)
{
  double u = w->x[KP] * w->error + w->x[KI] * w->sum + w->x[KD] * (w->x[WANTED_RATE] - w->x[RATE]);
  w->x[FORCE] = w->reversed ? -u : u;
}

static int say(law *w, int status, const char *text)
{
  if (w->log2) w->log2(w->environment, "law", status, "trouble", "%s %d", text, w->steps);
  if (w->log3) w->log3(w->environment, status, "trouble", text);
  if (status == FATAL) free(w);  // nothing may be called any more
  return status;
}

static int step(law *w, double h)
{
  double error = w->x[WANTED] - w->x[MEASURED];
  w->sum += 0.5 * h * (w->error + error);
  w->error = error;
  output(w);
  if (w->steps++ != 2) return OK;
  if (w->fault == FAULT_NAN) w->x[FORCE] = NAN;
  if (w->fault == FAULT_DISCARD) return say(w, DISCARD, "step is too long");
  if (w->fault == FAULT_FATAL) return say(w, FATAL, "the table is lost");
  if (w->fault == FAULT_WARN) return say(w, WARNING, "saturated");
  return w->fault == FAULT_END ? DISCARD : OK;
}

static int begin(law *w)
{
  w->error = w->x[WANTED] - w->x[MEASURED];
  output(w);
  return OK;
}

// Is there what the archive holds under resources/? dir ends without slash.
static law *made(const char *dir)
{
  char path[1200];
  (void)snprintf(path, sizeof path, "%s/note.txt", dir);
  FILE *f = fopen(path, "r");
  if (!f) return NULL;
  (void)fclose(f);
  return calloc(1, sizeof(law));
}

static int set_reals(law *w, const uint32_t *vr, size_t n, const double *v)
{
  for (size_t k = 0; k < n; k++) {
    if (vr[k] >= N_REAL || vr[k] == FORCE) return ERROR;
    w->x[vr[k]] = v[k];
  }
  return OK;
}

static int get_reals(const law *w, const uint32_t *vr, size_t n, double *v)
{
  for (size_t k = 0; k < n; k++) {
    if (vr[k] >= N_REAL) return ERROR;
    v[k] = w->x[vr[k]];
  }
  return OK;
}

#ifndef MW_FMI3

// The path of a URI file://…; false: a byte that has no place there is in it.
static bool path_of(const char *uri, char *path, size_t n)
{
  size_t at = 0;
  if (strncmp(uri, "file:///", 8) != 0) return false;
  for (const char *c = uri + 7; *c && at + 1 < n; c++) {
    unsigned byte = 0;
    if (*c == '%') {
      if (sscanf(c + 1, "%2x", &byte) != 1) return false;
      path[at++] = (char)byte;
      c += 2;
    } else {
      if (!isalnum((unsigned char)*c) && !strchr("-._~/", *c)) return false;
      path[at++] = *c;
    }
  }
  path[at] = '\0';
  return true;
}

typedef struct callbacks {
  log2_fn *log;
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, int);
  void *environment;
} callbacks;

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                      const callbacks *calls, int visible, int logging);
void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                      const callbacks *calls, int visible, int logging)
{
  (void)visible;
  (void)logging;
  char path[1000];
  bool fine = type == 1 && strcmp(guid, "{law}") == 0 && strcmp(name, "law") == 0 &&
              path_of(resources, path, sizeof path);
  law *w = fine ? made(path) : NULL;
  if (!w) return NULL;
  w->environment = calls->environment;
  w->log2 = calls->log;
  return w;
}

void fmi2FreeInstance(void *c);
void fmi2FreeInstance(void *c) { free(c); }

int fmi2SetupExperiment(void *c, int tol, double tolerance, double t0, int stop, double t1);
int fmi2SetupExperiment(void *c, int tol, double tolerance, double t0, int stop, double t1)
{
  (void)c;
  (void)tolerance;
  (void)t1;
  return tol || stop || t0 != 0.0 ? ERROR : OK;
}

int fmi2EnterInitializationMode(void *c);
int fmi2EnterInitializationMode(void *c)
{
  (void)c;
  return OK;
}

int fmi2ExitInitializationMode(void *c);
int fmi2ExitInitializationMode(void *c) { return begin(c); }

int fmi2Terminate(void *c);
int fmi2Terminate(void *c)
{
  (void)c;
  return OK;
}

int fmi2SetReal(void *c, const uint32_t *vr, size_t n, const double *v);
int fmi2SetReal(void *c, const uint32_t *vr, size_t n, const double *v)
{
  return set_reals(c, vr, n, v);
}

int fmi2GetReal(void *c, const uint32_t *vr, size_t n, double *v);
int fmi2GetReal(void *c, const uint32_t *vr, size_t n, double *v) { return get_reals(c, vr, n, v); }

int fmi2SetInteger(void *c, const uint32_t *vr, size_t n, const int *v);
int fmi2SetInteger(void *c, const uint32_t *vr, size_t n, const int *v)
{
  if (n != 1 || vr[0] != FAULT) return ERROR;
  ((law *)c)->fault = v[0];
  return OK;
}

int fmi2SetBoolean(void *c, const uint32_t *vr, size_t n, const int *v);
int fmi2SetBoolean(void *c, const uint32_t *vr, size_t n, const int *v)
{
  if (n != 1 || vr[0] != REVERSED) return ERROR;
  ((law *)c)->reversed = v[0];
  return OK;
}

int fmi2DoStep(void *c, double t, double h, int no_set);
int fmi2DoStep(void *c, double t, double h, int no_set)
{
  (void)no_set;
  // steps follow each other
  if (fabs(t - ((law *)c)->steps * h) > 1e-9) return ERROR;
  return step(c, h);
}

int fmi2GetBooleanStatus(void *c, int kind, int *value);
int fmi2GetBooleanStatus(void *c, int kind, int *value)
{
  *value = kind == 3 && ((law *)c)->fault == FAULT_END;
  return OK;
}

#else

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                  bool visible, bool logging, bool events, bool early,
                                  const uint32_t *required, size_t n, void *environment,
                                  log3_fn *log, void (*intermediate)(void));
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                  bool visible, bool logging, bool events, bool early,
                                  const uint32_t *required, size_t n, void *environment,
                                  log3_fn *log, void (*intermediate)(void))
{
  (void)visible;
  (void)logging;
  (void)required;
  (void)intermediate;
  bool fine = strcmp(token, "{law}") == 0 && strcmp(name, "law") == 0 && !events && !early &&
              n == 0 && resources[0] == '/' && resources[strlen(resources) - 1] == '/';
  law *w = fine ? made(resources) : NULL;
  if (!w) return NULL;
  w->environment = environment;
  w->log3 = log;
  return w;
}

void fmi3FreeInstance(void *c);
void fmi3FreeInstance(void *c) { free(c); }

int fmi3EnterInitializationMode(void *c, bool tol, double tolerance, double t0, bool stop,
                                double t1);
int fmi3EnterInitializationMode(void *c, bool tol, double tolerance, double t0, bool stop,
                                double t1)
{
  (void)c;
  (void)tolerance;
  (void)t1;
  return tol || stop || t0 != 0.0 ? ERROR : OK;
}

int fmi3ExitInitializationMode(void *c);
int fmi3ExitInitializationMode(void *c) { return begin(c); }

int fmi3Terminate(void *c);
int fmi3Terminate(void *c)
{
  (void)c;
  return OK;
}

int fmi3SetFloat64(void *c, const uint32_t *vr, size_t n, const double *v, size_t nv);
int fmi3SetFloat64(void *c, const uint32_t *vr, size_t n, const double *v, size_t nv)
{
  return n == nv ? set_reals(c, vr, n, v) : ERROR;
}

int fmi3GetFloat64(void *c, const uint32_t *vr, size_t n, double *v, size_t nv);
int fmi3GetFloat64(void *c, const uint32_t *vr, size_t n, double *v, size_t nv)
{
  return n == nv ? get_reals(c, vr, n, v) : ERROR;
}

int fmi3SetInt32(void *c, const uint32_t *vr, size_t n, const int32_t *v, size_t nv);
int fmi3SetInt32(void *c, const uint32_t *vr, size_t n, const int32_t *v, size_t nv)
{
  if (n != 1 || nv != 1 || vr[0] != FAULT) return ERROR;
  ((law *)c)->fault = v[0];
  return OK;
}

int fmi3SetBoolean(void *c, const uint32_t *vr, size_t n, const bool *v, size_t nv);
int fmi3SetBoolean(void *c, const uint32_t *vr, size_t n, const bool *v, size_t nv)
{
  if (n != 1 || nv != 1 || vr[0] != REVERSED) return ERROR;
  ((law *)c)->reversed = v[0];
  return OK;
}

int fmi3DoStep(void *c, double t, double h, bool no_set, bool *event, bool *end, bool *early,
               double *last);
int fmi3DoStep(void *c, double t, double h, bool no_set, bool *event, bool *end, bool *early,
               double *last)
{
  law *w = c;
  (void)no_set;
  if (fabs(t - w->steps * h) > 1e-9) return ERROR;
  *event = w->fault == FAULT_EVENT && w->steps == 2;
  *early = false;
  *end = w->fault == FAULT_END && w->steps == 2;
  *last = t + h;
  int status = step(w, h);
  return *end ? OK : status;
}

#endif
