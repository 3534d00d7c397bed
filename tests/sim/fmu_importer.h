// SPDX-License-Identifier: BSD-3-Clause
// fmu_importer.h: a small importer of functional mock-up units: unpacks the archive, reads its
// description, loads the binary. Everything here follows the text of the standards, nothing the
// exporter's sources.
#ifndef MW_FMU_IMPORTER_H
#define MW_FMU_IMPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FMU_PATH = 512, FMU_MAX_FILE = 32, FMU_MAX_UNIT = 32 };

typedef struct fmu_var {
  char *name, *causality, *variability, *initial, *unit, *type;  // NULL: not there
  uint32_t vr;
  long derivative;  // as it is written: value reference (3), index (2); -1: none
  bool has_start, has_min, has_max;
  double start, min, max, nominal;
} fmu_var;

// One unknown of ModelStructure: where its variable is in var, the knowns and their kinds.
typedef struct fmu_unknown {
  int var, n_known;
  int *known;   // [n_known]  into var; NULL: all
  char **kind;  // [n_known]  NULL: not said
} fmu_unknown;

typedef struct fmu_import {
  int version;  // 2, 3
  char dir[FMU_PATH];
  int n_file;
  char *file[FMU_MAX_FILE];     // names in the archive
  char *identifier[2], *token;  // of model exchange, co-simulation; NULL: it has no such interface
  bool can_copy, can_serialize, has_directional, has_adjoint, variable_step;  // said by both
  int n_var, n_output, n_derivative, n_initial, n_unit, n_type;
  fmu_var *var;
  fmu_unknown *output, *derivative, *initial;
  char *unit[FMU_MAX_UNIT], *type[FMU_MAX_UNIT];
  void *library;
} fmu_import;

// Unpacks and reads; checks of mw_test.h fail where something is missing. false: it cannot be used.
bool fmu_import_open(const char *path, fmu_import *out);
void fmu_import_close(fmu_import *f);  // and removes what was unpacked
bool fmu_import_has(const fmu_import *f, const char *file);
int fmu_import_find(const fmu_import *f, const char *name);  // index of a variable, -1
// Loads the archive's binary; or, with cc, compiles the sources that it lists, with these flags.
bool fmu_import_load(fmu_import *f, const char *cc, const char *flags);
// A function by its name in the standard: *out, a pointer to a function pointer. false: it is not
// there.
bool fmu_import_symbol(const fmu_import *f, const char *name, void *out);

// All functions that the headers of the standards declare; NULL ends.
extern const char *const fmu_names2[], *const fmu_names3[];

#endif
