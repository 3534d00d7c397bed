// SPDX-License-Identifier: BSD-3-Clause
// promise.h: machines whose certificates are held against what happens, and spoiled reduced models
// that none may pass.
#ifndef MW_TESTS_BENCH_PROMISE_H
#define MW_TESTS_BENCH_PROMISE_H

#include "motion.h"

enum { PROMISE_RUNS = 3, PROMISE_SAMPLES = 300 };

typedef struct promise_model {
  const char *name, *what;
  bool (*open)(const struct promise_model *p, motion *m);
  const char *of;                 // name of its case; NULL: made by open
  const motion_swap *swap;        // in the case's text
  const char *scenarios;          // more of them, after the line "scenarios:"
  const char *run[PROMISE_RUNS];  // fast, slow, forced
  bool named;                     // takes so long that it is done when it is named alone
  int on_meshes;                  // fresh samples there, the others on bases; 0: all on meshes
} promise_model;

// All machines; returns their number.
int promise_models(const promise_model **list);

// Reduces a model and holds it against fresh samples and runs; counts what was promised and not
// kept. False: not computed.
bool promise_check(const promise_model *p, int *lies);
// Largest difference of reduced runs of b from those of a, over the scenarios of their model,
// relative (compare.c); INFINITY where b does not run. name: scenario and quantity.
double promise_difference(const motion *m, const mw_rom_file *a, const mw_rom_file *b,
                          char name[64]);
// Spoiled models of the machines named (none: of all), a line each; counts those that are neither
// missed nor refused. False: one could not be computed, or no machine has that name.
bool promise_mutants(int n, char **name, int *lies);

#endif
