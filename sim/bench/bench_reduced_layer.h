// SPDX-License-Identifier: BSD-3-Clause
// bench_reduced_layer.h: what the calls of the reduced model cost: times, counted operations,
// spread, memory, beside the machine.
#ifndef MW_SIM_BENCH_ROM_LAYER_H
#define MW_SIM_BENCH_ROM_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "bench_count_priv.h"
#include "reduction/romfile.h"

// ---- machine, bench_machine.c -------------------------------------------------------------------

typedef struct mw_bench_machine {
  double gemm;        // flop/s of one core, multiplication of matrices
  double copy;        // byte/s read and written by a copy
  size_t copy_bytes;  // of each of its two arrays
  double clock_ns;    // of a reading of the clock
} mw_bench_machine;
uint64_t mw_bench_clock(void);  // ns, monotonic
// What one core can do; a second or two.
MW_MUST_USE mw_code mw_bench_machine_eval(bool quick, mw_bench_machine *out, mw_error *err);
// The value that share p of x [n] does not exceed; sorts x.
double mw_bench_quantile(double *x, int n, double p);

// ---- calls --------------------------------------------------------------------------------------

enum { MW_BENCH_BIN = 10, MW_BENCH_BINS = 40 };

typedef struct mw_bench_cost {
  char failed[512];   // why there are no figures, "": there are
  double h;           // s of a step, 0: the call is no step
  double ns;          // median
  mw_flops flops;     // counted at the state in the middle, all 0: not counted
  int table_bytes;    // of coefficients that the result depends on
  int work_bytes;     // of scratch that the call writes
  double iterations;  // of a step that iterates, 0: it does not
} mw_bench_cost;

// Single steps, each between two readings of the clock: in one run, and each the best of several
// runs of the same steps, which leaves out what the machine does now and then.
typedef struct mw_bench_spread {
  int n, runs;
  double p50, p99, p9999, worst;  // ns, in the first run
  double best_p50, best_worst;    // ns, each step the best of all runs
  double fixed_p50, fixed_worst;  // ns, a loop of as many sums instead of the step, in one run
  int beyond;                     // steps above five times the median in the first run
  long switches;                  // times that the system let others run meanwhile
  // steps by time: bin k from 2^(k/MW_BENCH_BIN) to 2^((k+1)/MW_BENCH_BIN) of half the median, the
  // last one and beyond
  int bin[MW_BENCH_BINS];
} mw_bench_spread;

// Rollouts under random inputs by mw_rom_batch_run, and the same ones by mw_rom_step.
typedef struct mw_bench_rollouts {
  int n, n_step;
  int passes;               // 1 to 3; medians over slices of all of them
  long steps;               // made by all of them: those that left the model's range end early
  double batch_ns, one_ns;  // a rollout and step
  bool same;                // end states of both, bit for bit
} mw_bench_rollouts;

typedef struct mw_bench_rom {
  const mw_rom_file *file;
  double step;       // s
  double omega_max;  // rad/s, of the stiffest pattern in the middle of the range
  mw_bench_cost call[MW_COUNT_N];
  mw_bench_spread spread;
  mw_bench_rollouts near, far;  // all from the middle; from anywhere
  mw_bench_machine machine;
  size_t table_bytes, work_bytes, sens_bytes, batch_bytes;
} mw_bench_rom;

// Fills all but file and step, which are given. quick: a tenth of the single steps, few rollouts.
MW_MUST_USE mw_code mw_bench_rom_eval(bool quick, mw_progress *progress, mw_bench_rom *b,
                                      mw_error *err);
const char *mw_bench_call_name(mw_count_call call);
void mw_bench_rom_print(const mw_bench_rom *b);
void mw_bench_rom_json(const mw_bench_rom *b);

// What the measurements share: a state in the middle of the range, a tenth of which it crosses in a
// second; all patterns swing a little.
typedef struct mw_bench_place {
  const mw_rom *rom;
  mw_rom_opt opt;
  double *x0, *x;              // [2n]  n = s + m
  double *u;                   // [n_u]  0
  double *acc, *value, *grad;  // [n], [n_field], [s × n_field]
  double *x_x, *x_u;           // [2n × 2n], [2n × n_u]
  void *work;                  // mw_rom_sens_bytes
  mw_arena mem;
} mw_bench_place;
MW_MUST_USE mw_code mw_bench_place_init(const mw_rom_file *f, mw_bench_place *p, mw_error *err);
void mw_bench_place_free(mw_bench_place *p);
mw_rom_code mw_bench_place_call(mw_bench_place *p, mw_count_call call, double h, double *x,
                                mw_rom_info *info);
// All figures of a call, or why there are none; h (s) of a step.
void mw_bench_call_eval(mw_bench_place *p, mw_count_call call, double h, mw_bench_cost *c);
double mw_bench_flops(const mw_bench_cost *c);  // sums, products, quotients and roots alike
double mw_bench_rate(const mw_bench_cost *c);   // flop/s
// table_bytes and work_bytes of one call from the middle, bench_bytes.c; h (s) of a step.
MW_MUST_USE mw_code mw_bench_bytes(mw_bench_place *p, mw_count_call call, double h,
                                   mw_bench_cost *out, mw_error *err);
// n steps of h (s) of the exponential method, three times, bench_spread.c. MW_ERR_NUMERIC when one
// of them fails.
MW_MUST_USE mw_code mw_bench_spread_eval(mw_bench_place *p, double h, int n, mw_bench_spread *out,
                                         mw_error *err);

#endif
