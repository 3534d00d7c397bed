// SPDX-License-Identifier: BSD-3-Clause
// bench_spread.c: how long single steps take, each of them between two readings of the clock.
//
// The clock's own time is in the figures. What the machine does meanwhile is in them, too:
// interrupts and other programs, whose turns are counted, make the tail. It is told from the step's
// own by two more measurements: the same steps again, of which each keeps its best time (an
// interrupt falls on others every time), and a loop of sums that takes as long, which has no tail
// of its own. The motion begins anew every 100 steps, outside of the clock. O(n log n) for sorting.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench_reduced_layer.h"

static int ascending(const void *x, const void *y)
{
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static double at(const double *sorted, int n, double p)
{
  int k = (int)ceil(p * n) - 1;
  return sorted[k < 0 ? 0 : (k < n ? k : n - 1)];
}

double mw_bench_quantile(double *x, int n, double p)
{
  qsort(x, (size_t)n, sizeof *x, ascending);
  return at(x, n, p);
}

static void fill_bins(const double *sorted, mw_bench_spread *out)
{
  for (int i = 0; i < out->n; i++) {
    double bin = MW_BENCH_BIN * log2(fmax(sorted[i], 1.0) / (0.5 * out->p50));
    out->beyond += sorted[i] > 5.0 * out->p50;
    out->bin[(int)fmin(fmax(bin, 0.0), MW_BENCH_BINS - 1)]++;
  }
}

// Times that this process had to make room for others.
static long switches(void)
{
  struct rusage used = { 0 };
  return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_nivcsw : 0;
}

// The motion once: ns [n], the first steps warm up.
static mw_rom_code run_steps(mw_bench_place *p, double h, int n, double *ns)
{
  enum { TURN = 100 };
  size_t size = 2 * (size_t)(p->rom->s + p->rom->m) * sizeof *p->x;
  mw_rom_code code = MW_ROM_OK;
  for (int k = -TURN; code == MW_ROM_OK && k < n; k++) {
    if (k % TURN == 0) memcpy(p->x, p->x0, size);
    uint64_t start = mw_bench_clock();
    code = mw_bench_place_call(p, MW_COUNT_EXPONENTIAL, h, p->x, NULL);
    uint64_t end = mw_bench_clock();
    if (k >= 0) ns[k] = (double)(end - start);
  }
  return code;
}

static void add_up(long turns)
{
  static volatile double sink;
  double sum = sink;
  for (long i = 0; i < turns; i++) sum = 0.5 * sum + 1.0;
  sink = sum;
}

// A loop of about `each` ns, n times.
static void run_fixed(double each, int n, double *ns)
{
  enum { TRIAL = 100000 };
  uint64_t start = mw_bench_clock();
  add_up(TRIAL);
  double turn = (double)(mw_bench_clock() - start) / TRIAL;
  long turns = (long)fmax(1.0, each / fmax(turn, 1e-3));
  for (int k = 0; k < n; k++) {
    start = mw_bench_clock();
    add_up(turns);
    ns[k] = (double)(mw_bench_clock() - start);
  }
}

mw_code mw_bench_spread_eval(mw_bench_place *p, double h, int n, mw_bench_spread *out,
                             mw_error *err)
{
  enum { RUNS = 3 };
  mw_arena mem = { 0 };
  double *ns = mw_arena_f64(&mem, (size_t)n), *best = mw_arena_f64(&mem, (size_t)n);
  mw_code rc = mw_arena_check(&mem, err);
  mw_rom_code code = MW_ROM_OK;
  long before = switches(), after = before;
  for (int run = 0; rc == MW_OK && code == MW_ROM_OK && run < RUNS; run++) {
    code = run_steps(p, h, n, ns);
    for (int k = 0; k < n; k++) best[k] = run == 0 ? ns[k] : fmin(best[k], ns[k]);
    if (run > 0) continue;
    after = switches();
    *out = (mw_bench_spread){
      .n = n, .runs = RUNS, .switches = after - before, .p50 = mw_bench_quantile(ns, n, 0.5)
    };
    out->p99 = at(ns, n, 0.99);
    out->p9999 = at(ns, n, 0.9999);
    out->worst = ns[n - 1];
    fill_bins(ns, out);
  }
  if (rc == MW_OK && code != MW_ROM_OK)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "step of the reduced model: %s",
                 mw_rom_code_name(code));
  if (rc == MW_OK) {
    out->best_p50 = mw_bench_quantile(best, n, 0.5);
    out->best_worst = best[n - 1];
    run_fixed(out->p50, n, ns);
    out->fixed_p50 = mw_bench_quantile(ns, n, 0.5);
    out->fixed_worst = ns[n - 1];
  }
  mw_arena_free(&mem);
  return rc;
}
