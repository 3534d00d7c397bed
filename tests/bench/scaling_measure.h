// SPDX-License-Identifier: BSD-3-Clause
// scaling_measure.h: measured reductions and what their parts cost.
#ifndef MW_TESTS_BENCH_SCALING_MEASURE_H
#define MW_TESTS_BENCH_SCALING_MEASURE_H

#include "scaling_sim.h"

enum { SCALING_MAX_STAGE = 24 };

typedef struct scaling_unit {
  char list[48];
  int index, kind, worker;
  double args, result;   // B
  double s, send, keep;  // s
  double cpu;            // s of the processor where the leader did it, else s
  double sent, back;     // s, when
} scaling_unit;

typedef struct scaling_log {
  int n;
  scaling_unit *unit;  // [n]
  int n_stage;
  struct {
    char name[24];
    double s;
    int calls;
  } stage[SCALING_MAX_STAGE];
} scaling_log;

// How a run is done: by -j workers, or by ranks of mpirun (0: without it).
typedef struct scaling_how {
  const char *name;
  int n_worker, n_rank;
} scaling_how;

// A run of the model DIR/NAME.yaml (what: "--run" or "--toys"), its log; false: it failed. Release
// with scaling_log_free.
bool scaling_measure(const char *dir, const char *name, const char *what, scaling_how how,
                     scaling_log *out);
void scaling_log_free(scaling_log *l);
double scaling_stage(const scaling_log *l, const char *name);  // s, 0 where there is none

// Durations of units of a kind in s [l->n]; returns how many. again: without the first of each
// worker.
int scaling_durations(const scaling_log *l, int kind, bool again, double *s);
double scaling_median(int n, const double *s);
double scaling_mean(int n, const double *s);

// Costs of finished units on the disk of dir, and of their digests (s/B).
bool scaling_store(const char *dir, scaling_leader *out, double *digest_b);

#endif
