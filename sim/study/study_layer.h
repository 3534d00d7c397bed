// SPDX-License-Identifier: BSD-3-Clause
// study_layer.h: a model at all combinations of values of its parameters, and what it is there.
#ifndef MW_SIM_STUDY_LAYER_H
#define MW_SIM_STUDY_LAYER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

enum { MW_STUDY_MAX_VARIED = 8, MW_STUDY_MAX_POINTS = 100000, MW_STUDY_TEXT = 256 };

typedef struct mw_varied {
  char path[128];  // of the model file, as --set has it
  double lo, hi;   // in the model's units
  int n;           // values, lo to hi
} mw_varied;

typedef struct mw_study_in {
  const char *model;       // file
  int n_set;               // changes besides
  const char *const *set;  // [n_set]
  const char *at;          // coordinates of the reduction, as --at; NULL: there are none
  int n_varied, n_modes;
  mw_varied varied[MW_STUDY_MAX_VARIED];
  int workers;
  const char *journal;  // file that keeps finished points until the study is done
} mw_study_in;

typedef struct mw_study {
  int n_varied, n_criterion, n_point, n_failed, n_found;  // found: finished before
  const char **path;                                      // [n_varied]
  const char **name, **unit;                              // [n_criterion]
  double *x;                 // [n_point × n_varied]  the last one fastest
  double *value;             // [n_point × n_criterion]  NAN where a point failed
  const char **reason;       // [n_point]  why it failed; NULL: it did not
  const char *title, *hash;  // of the model as its file and --set have it
} mw_study;

// "section.bar.A=1e-4:3e-4:5" as one of in. MW_ERR_INPUT.
MW_MUST_USE mw_code mw_varied_read(const char *text, size_t n, mw_varied *out, mw_error *err);

// All combinations: frequencies with the coordinates held, without the weight's stiffness, and the
// static compliance of every unit load, by `workers` processes. Points that fail (a value that the
// model refuses) are kept with their reason; where nothing can be evaluated as the file has it,
// that is the error. Processes are forked: nothing may have computed by several threads of OpenMP
// before (mw_blas_serial). Arrays from mem. The journal is removed by mw_study_done.
MW_MUST_USE mw_code mw_study_run(const mw_study_in *in, mw_arena *mem, mw_study *out,
                                 mw_error *err);
void mw_study_done(const mw_study_in *in);

MW_MUST_USE mw_code mw_study_write(const mw_study *s, const char *command, const char *path,
                                   mw_error *err);
// Parallel coordinates and a table, one file without network.
MW_MUST_USE mw_code mw_study_page(const mw_study *s, const char *path, mw_error *err);

#endif
