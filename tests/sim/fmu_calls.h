// SPDX-License-Identifier: BSD-3-Clause
// fmu_calls.h: one set of calls for units of both versions, by signatures written down here from
// the standards.
//
// All give the unit's status: 0 ok, 1 warning, 2 discard, 3 error, 4 fatal.
#ifndef MW_FMU_CALLS_H
#define MW_FMU_CALLS_H

#include "fmu_importer.h"

enum { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR };

typedef struct fmu_unit {
  fmu_import f;
  void *c;         // instance
  char log[1024];  // last message
  int log_status, n_log;
  bool terminated;  // what the last step said
  double reached;   // s, where it ended
} fmu_unit;

bool fmu_instantiate(fmu_unit *u, bool cosim, const char *token, bool logging);
void fmu_free(fmu_unit *u);
int fmu_reset(fmu_unit *u);
int fmu_terminate(fmu_unit *u);
// Initialization from start to end; has_stop false: stop means nothing.
int fmu_enter(fmu_unit *u, double start, bool has_stop, double stop);
int fmu_exit(fmu_unit *u);
int fmu_get(fmu_unit *u, const uint32_t *vr, size_t n, double *value);
int fmu_set(fmu_unit *u, const uint32_t *vr, size_t n, const double *value);
int fmu_step(fmu_unit *u, double t, double h);
// model exchange
int fmu_events(fmu_unit *u);  // event mode to continuous time
int fmu_set_time(fmu_unit *u, double t);
int fmu_set_states(fmu_unit *u, const double *x, size_t n);
int fmu_get_states(fmu_unit *u, double *x, size_t n);
int fmu_get_nominals(fmu_unit *u, double *x, size_t n);
int fmu_derivatives(fmu_unit *u, double *dx, size_t n);
int fmu_completed(fmu_unit *u);
// copies
int fmu_copy(fmu_unit *u, void **state);
int fmu_restore(fmu_unit *u, void *state);
int fmu_forget(fmu_unit *u, void **state);
int fmu_bytes(fmu_unit *u, void *state, size_t *n);
int fmu_write(fmu_unit *u, void *state, void *bytes, size_t n);
int fmu_read(fmu_unit *u, const void *bytes, size_t n, void **state);
// derivatives
int fmu_directional(fmu_unit *u, const uint32_t *unknown, size_t n_unknown, const uint32_t *known,
                    size_t n_known, const double *seed, double *out);
int fmu_adjoint(fmu_unit *u, const uint32_t *unknown, size_t n_unknown, const uint32_t *known,
                size_t n_known, const double *seed, double *out);

#endif
