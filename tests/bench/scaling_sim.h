// SPDX-License-Identifier: BSD-3-Clause
// scaling_sim.h: the time of a reduction by any number of workers, from the costs of its parts
// (scaling_sim.c).
#ifndef MW_TESTS_BENCH_SCALING_SIM_H
#define MW_TESTS_BENCH_SCALING_SIM_H

#include <stdbool.h>

// Measured durations to draw from.
typedef struct scaling_draw {
  int n;
  const double *s;  // [n]  s
} scaling_draw;

// What a message and a finished unit cost the leader, in s and s/B.
typedef struct scaling_leader {
  double send, send_b;   // a unit's arguments
  double take, take_b;   // a result received
  double put, put_b;     // a result written
  double sync, sync_b;   // a written one on the disk
  double get, get_b;     // a finished one read back, its digest checked
  double sync_work;      // s of work that may wait for a sync
  int sync_files;        // at most, that wait for one
  bool sync_by_workers;  // sync_work is each worker's
} scaling_leader;

typedef struct scaling_cost {
  scaling_draw modes;        // of a chunk of chunk_measured configurations
  int chunk_measured;        //
  scaling_draw sample;       // of a sample of the full mechanism
  scaling_draw rough, fine;  // of the bodies' bases, each body once; rough ones come first
  scaling_draw count;        // of the bodies' counts of modes, each once, beside the fine ones
  double begin;              // s, once a worker: model and bases read
  double direct;             // s, once a worker: the mesh factored for samples
  double digest_b;           // s/B, digest of a result, by who made it
  double modes_args, modes_result;    // B a configuration
  double sample_args, sample_result;  // B
  double record;                      // B a configuration: coefficients of the Lagrangian
  double before, before_point;        // s, and s a configuration: the leader before the units
  double after, after_point;          // the same after them
  double latency, rate;               // s, B/s of the network; rate 0: no limit
  scaling_leader leader;
} scaling_cost;

// What is asked, and what is tried.
typedef struct scaling_case {
  double n_point;  // configurations
  int n_sample, n_worker;
  int chunk;       // configurations a unit of modes
  int n_shard;     // leaders, each with its share of the workers; 0 and 1: one
  bool own_files;  // workers keep what they made, the leader reads it
  // what the leader does for each configuration is done in the units; modes stay with who made
  // them, on disk
  bool point_units;
} scaling_case;

typedef enum scaling_part {
  SCALING_SERIAL,    // the leader's own stages
  SCALING_BODIES,    // fewer bodies than workers
  SCALING_START,     // what each worker makes for itself first
  SCALING_MESSAGES,  // the leader's messages
  SCALING_STORE,     // the leader's writing
  SCALING_BALANCE,   // units that are long or do not go round
  SCALING_N_PART
} scaling_part;
extern const char *const scaling_part_name[SCALING_N_PART];

// s, the reduction.
double scaling_time(const scaling_cost *c, const scaling_case *k);
// s, by one process that does all of it itself.
double scaling_alone(const scaling_cost *c, const scaling_case *k);
// Seconds that go when a part costs nothing (that of balance: what is left above the work over the
// workers, when none of the others costs anything).
void scaling_blame(const scaling_cost *c, const scaling_case *k, double lost[SCALING_N_PART]);

// A list of n units alone: durations drawn from d, `factor` times each; the leader as in c, args
// and result in B.
double scaling_list(const scaling_cost *c, scaling_draw d, double factor, int n, int n_worker,
                    double args, double result);

#endif
