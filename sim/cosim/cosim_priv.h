// SPDX-License-Identifier: BSD-3-Clause
// cosim_priv.h: a functional mock-up unit that others made: archive, description, binary.
#ifndef MW_SIM_COSIM_PRIV_H
#define MW_SIM_COSIM_PRIV_H

#include <stdint.h>

#include "base/arena.h"
#include "fem/model_scenario.h"

// ---- archive (cosim_archive.c) ------------------------------------------------------------------

// The entry of an archive as text with a zero behind it, from mem. at: of what names the archive.
MW_MUST_USE mw_code mw_cosim_entry(const char *file, mw_at at, const char *entry, mw_arena *mem,
                                   char **text, size_t *n, mw_error *err);
// Folders below binaries/ of the archive, "linux64, win64"; *there: one of them is platform.
MW_MUST_USE mw_code mw_cosim_platforms(const char *file, mw_at at, const char *platform,
                                       mw_arena *mem, bool *there, const char **all, mw_error *err);
// Unpacks binaries/<platform>/ and resources/ into a new folder that is ours alone; *dir: its path,
// from mem. MW_ERR_INPUT: entries that lead elsewhere, or are links.
MW_MUST_USE mw_code mw_cosim_unpack(const char *file, mw_at at, const char *platform, mw_arena *mem,
                                    const char **dir, mw_error *err);
void mw_cosim_remove(const char *dir);  // and all that is in it

// ---- modelDescription.xml (cosim_describe.c) ----------------------------------------------------

typedef enum mw_cosim_type { MW_COSIM_REAL, MW_COSIM_INTEGER, MW_COSIM_BOOLEAN } mw_cosim_type;

typedef struct mw_cosim_variable {
  uint32_t reference;
  mw_cosim_type type;
} mw_cosim_variable;

typedef struct mw_cosim_about {
  int version;                   // of FMI: 2 or 3
  const char *identifier;        // of the binary
  const char *token;             // guid, instantiationToken
  const char *platform;          // folder of this machine's binary
  mw_cosim_variable *input;      // [n_input]  those of the unit's entry in the model file
  mw_cosim_variable *output;     // [n_output]
  mw_cosim_variable *parameter;  // [n_parameter]
  const char *unset;             // inputs that nothing sets, "a, b"; NULL: none
} mw_cosim_about;

MW_MUST_USE mw_code mw_cosim_describe(const mw_unit_in *u, mw_arena *mem, mw_cosim_about *out,
                                      mw_error *err);

// ---- calls (cosim_fmi2.c, cosim_fmi3.c) ---------------------------------------------------------

typedef enum mw_cosim_status {  // fmi2Status, fmi3Status
  MW_COSIM_OK,
  MW_COSIM_WARNING,
  MW_COSIM_DISCARD,
  MW_COSIM_ERROR,
  MW_COSIM_FATAL
} mw_cosim_status;

enum { MW_COSIM_LOG = 400, MW_COSIM_FOLDER = 480 };  // characters: of a message, of a path

typedef struct mw_cosim_log {
  int n;                     // messages of warnings and worse
  char first[MW_COSIM_LOG];  // the first of them, "" none
  char last[MW_COSIM_LOG];   // the last of any kind
} mw_cosim_log;

// An instance of a unit. All functions give the status of the standard.
typedef struct mw_cosim_instance {
  void *library;       // of dlopen, NULL: none
  void *c;             // the instance, NULL: none
  mw_cosim_log *log;   // outlives it
  void *memory;        // of the calls, from malloc; NULL: none
  void *function[24];  // by the order of the names of a version
  bool dead;           // after a fatal error nothing may be called
} mw_cosim_instance;

// What is of one version alone.
typedef struct mw_cosim_calls {
  const char *const *name;    // functions that are needed, ended by NULL
  int free, exit, terminate;  // places of those that take the instance alone
  bool (*instantiate)(mw_cosim_instance *i, const char *name, const char *token,
                      const char *resources);
  int (*set)(const mw_cosim_instance *i, const mw_cosim_variable *v, double x);
  int (*get)(const mw_cosim_instance *i, const mw_cosim_variable *v, double *x);
  mw_cosim_status (*enter)(mw_cosim_instance *i, double start);
  // *ended: the unit asks to end the run; *short_of: it did not go all of the step
  mw_cosim_status (*step)(mw_cosim_instance *i, double t, double h, bool *ended, bool *short_of);
} mw_cosim_calls;
extern const mw_cosim_calls mw_cosim_fmi2, mw_cosim_fmi3;

// fn = function k of i, a pointer to a function
#define MW_COSIM_FUNCTION(i, k, fn) memcpy(&(fn), &(i)->function[k], sizeof(fn))

// What a call gave, as a status; notes that nothing may be called any more.
mw_cosim_status mw_cosim_done(mw_cosim_instance *i, int status);
// Calls function k, which takes the instance alone.
mw_cosim_status mw_cosim_simple(mw_cosim_instance *i, int k);

// Keeps a message of a unit.
void mw_cosim_say(mw_cosim_log *log, int status, const char *message);

#endif
