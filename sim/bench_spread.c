// SPDX-License-Identifier: BSD-3-Clause
// bench_spread.c: how long single steps take, each of them between two readings of the clock.
//
// The clock's own time is in the figures. What the machine does meanwhile is in them, too: interrupts and other programs, whose
// turns are counted, make the tail. The motion begins anew every 100 steps, outside of the clock. O(n log n) for sorting.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench_rom_priv.h"

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

mw_code mw_bench_spread_eval(mw_bench_place *p, double h, int n, mw_bench_spread *out,
                             mw_error *err)
{
  enum { TURN = 100 };
  mw_arena mem = { 0 };
  double *ns = mw_arena_f64(&mem, (size_t)n);
  size_t size = 2 * (size_t)(p->rom->s + p->rom->m) * sizeof *p->x;
  mw_code rc = mw_arena_check(&mem, err);
  mw_rom_code code = MW_ROM_OK;
  long before = switches();
  for (int k = -TURN; rc == MW_OK && code == MW_ROM_OK && k < n; k++) {  // the first ones warm up
    if (k % TURN == 0) memcpy(p->x, p->x0, size);
    uint64_t start = mw_bench_clock();
    code = mw_bench_place_call(p, MW_COUNT_EXPONENTIAL, h, p->x, NULL);
    uint64_t end = mw_bench_clock();
    if (k >= 0) ns[k] = (double)(end - start);
  }
  if (rc == MW_OK && code != MW_ROM_OK)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "step of the reduced model: %s",
                 mw_rom_code_name(code));
  if (rc == MW_OK) {
    long after = switches();
    *out = (mw_bench_spread){ .n = n,
                              .switches = after - before,
                              .p50 = mw_bench_quantile(ns, n, 0.5) };
    out->p99 = at(ns, n, 0.99);
    out->p9999 = at(ns, n, 0.9999);
    out->worst = ns[n - 1];
    fill_bins(ns, out);
  }
  mw_arena_free(&mem);
  return rc;
}
