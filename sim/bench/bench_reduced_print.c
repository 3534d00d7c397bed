// SPDX-License-Identifier: BSD-3-Clause
// bench_reduced_print.c: what bench_reduced.c measured, as text and as JSON.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "bench_reduced_layer.h"

double mw_bench_flops(const mw_bench_cost *c)
{
  return (double)(c->flops.add + c->flops.mul + c->flops.div + c->flops.root);
}

double mw_bench_rate(const mw_bench_cost *c) { return 1e9 * mw_bench_flops(c) / c->ns; }

static double real_time(const mw_bench_cost *c) { return 1e9 * c->h / c->ns; }

// ---- text ---------------------------------------------------------------------------------------

static void print_calls(const mw_bench_rom *b)
{
  printf("%-26s %9s %9s %6s %8s %6s %9s %6s %9s %10s\n", "call", "ns", "flops", "/ root", "Gflop/s",
         "% peak", "table B", "GB/s", "work B", "real time");
  for (int k = 0; k < MW_COUNT_N; k++) {
    const mw_bench_cost *c = &b->call[k];
    printf("%-26s", mw_bench_call_name((mw_count_call)k));
    if (c->failed[0]) {
      printf(" %s\n", c->failed);
      continue;
    }
    printf(" %9.0f %9.0f %6lld %8.2f %6.1f %9d %6.1f %9d", c->ns, mw_bench_flops(c),
           c->flops.div + c->flops.root, 1e-9 * mw_bench_rate(c),
           100.0 * mw_bench_rate(c) / b->machine.gemm, c->table_bytes, c->table_bytes / c->ns,
           c->work_bytes);
    if (c->h > 0.0) printf(" %9.3gx", real_time(c));
    if (c->h > 0.0 && c->h != b->step) printf("  h = %.3g s", c->h);
    if (c->iterations > 0.0) printf("  %.1f iterations", c->iterations);
    printf("\n");
  }
}

// A line of eight shades' worth of bars: the square root of each bin's share of the largest one.
static void print_bins(const mw_bench_spread *s)
{
  static const char *const bar[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  int most = 1;
  for (int k = 0; k < MW_BENCH_BINS; k++) most = s->bin[k] > most ? s->bin[k] : most;
  printf("%7.0f ns |", 0.5 * s->p50);
  for (int k = 0; k < MW_BENCH_BINS; k++) {
    double share = sqrt((double)s->bin[k] / most);
    printf("%s", bar[s->bin[k] > 0 ? (int)fmax(1.0, ceil(8.0 * share)) : 0]);
  }
  printf("| %.0f ns, beyond it in the last bar\n",
         0.5 * s->p50 * exp2((double)MW_BENCH_BINS / MW_BENCH_BIN));
}

static void print_rollouts(const char *where, const mw_bench_rollouts *r)
{
  printf("%-13s %10.0f %10.0f %8.2f   %s", where, r->batch_ns, r->one_ns, r->one_ns / r->batch_ns,
         r->same ? "the same bits" : "OTHER BITS");
  if (r->steps < (long)r->n * r->n_step)
    printf(", %.1f %% of the steps made", 100.0 * (double)r->steps / ((double)r->n * r->n_step));
  printf("\n");
}

void mw_bench_rom_print(const mw_bench_rom *b)
{
  const mw_rom *rom = &b->file->rom;
  const mw_bench_spread *s = &b->spread;
  printf("%s, reduced: %d coordinates, %d modes and patterns up to %.0f Hz, inertia %s\n",
         b->file->model_name, rom->s, rom->m, b->omega_max / (2.0 * acos(-1.0)),
         b->file->inertia == MW_ROM_FULL ? "full" : "leading");
  printf("code for %s; step of %g s\n", mw_rom_kernel_name(), b->step);
  printf("memory: table %zu bytes, scratch %zu, with derivatives %zu, of a batch %zu\n",
         b->table_bytes, b->work_bytes, b->sens_bytes, b->batch_bytes);
  printf("one core here: %.1f Gflop/s multiplying matrices (the peak below), %.1f GB/s copying, "
         "clock %.0f ns\n\n",
         1e-9 * b->machine.gemm, 1e-9 * b->machine.copy, b->machine.clock_ns);
  print_calls(b);
  double formula = mw_bench_step_formula(rom),
         counted = mw_bench_flops(&b->call[MW_COUNT_EXPONENTIAL]);
  if (!isnan(formula) && counted > 0.0)
    printf(
        "\nstep, exponential, by formula: %.0f operations (leading terms; %.2f times as many are "
        "counted)\n",
        formula, counted / formula);
  printf("\n%d steps one by one, ns: 50 %% %.0f, 99 %% %.0f, 99.99 %% %.0f, worst %.0f (%.1f times "
         "the "
         "median)\n",
         s->n, s->p50, s->p99, s->p9999, s->worst, s->worst / s->p50);
  print_bins(s);
  printf("%d above five times the median; others had %ld turns meanwhile\n", s->beyond,
         s->switches);
  printf("each the best of %d runs of the same steps: 50 %% %.0f, worst %.0f (%.1f times the "
         "median); a loop of sums as "
         "long,\nin one run: worst %.0f times its median\n",
         s->runs, s->best_p50, s->best_worst, s->best_worst / s->best_p50,
         s->fixed_worst / s->fixed_p50);
  printf("\n%d rollouts of %d steps under random inputs, ns a step: %s %10s %8s\n", b->near.n,
         b->near.n_step, "batch", "single", "ratio");
  print_rollouts("from one place", &b->near);
  print_rollouts("from anywhere", &b->far);
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_call(mw_json *j, const mw_bench_rom *b, mw_count_call call)
{
  const mw_bench_cost *c = &b->call[call];
  mw_json_object(j, NULL);
  mw_json_str(j, "call", mw_bench_call_name(call));
  if (c->failed[0]) {
    mw_json_str(j, "failed", c->failed);
  } else {
    mw_json_num(j, "ns", c->ns);
    mw_json_num(j, "additions", (double)c->flops.add);
    mw_json_num(j, "products", (double)c->flops.mul);
    mw_json_num(j, "quotients", (double)c->flops.div);
    mw_json_num(j, "roots", (double)c->flops.root);
    mw_json_num(j, "flops", mw_bench_flops(c));
    mw_json_num(j, "flops_per_s", mw_bench_rate(c));
    mw_json_num(j, "share_of_peak", mw_bench_rate(c) / b->machine.gemm);
    mw_json_num(j, "table_bytes", c->table_bytes);
    mw_json_num(j, "table_bytes_per_s", 1e9 * c->table_bytes / c->ns);
    mw_json_num(j, "work_bytes", c->work_bytes);
    if (c->h > 0.0) {
      mw_json_num(j, "step_s", c->h);
      mw_json_num(j, "real_time_factor", real_time(c));
    }
    if (c->iterations > 0.0) mw_json_num(j, "iterations", c->iterations);
    double formula = call == MW_COUNT_EXPONENTIAL ? mw_bench_step_formula(&b->file->rom) : NAN;
    if (!isnan(formula)) mw_json_num(j, "formula_flops", formula);
  }
  mw_json_end(j, '}');
}

static void json_spread(mw_json *j, const mw_bench_spread *s)
{
  mw_json_object(j, "steps");
  mw_json_num(j, "n", s->n);
  mw_json_num(j, "p50_ns", s->p50);
  mw_json_num(j, "p99_ns", s->p99);
  mw_json_num(j, "p9999_ns", s->p9999);
  mw_json_num(j, "worst_ns", s->worst);
  mw_json_num(j, "above_5_medians", s->beyond);
  mw_json_num(j, "runs", s->runs);
  mw_json_num(j, "best_of_runs_p50_ns", s->best_p50);
  mw_json_num(j, "best_of_runs_worst_ns", s->best_worst);
  mw_json_num(j, "fixed_loop_p50_ns", s->fixed_p50);
  mw_json_num(j, "fixed_loop_worst_ns", s->fixed_worst);
  mw_json_num(j, "others_turns", (double)s->switches);
  mw_json_end(j, '}');
}

static void json_rollouts(mw_json *j, const char *key, const mw_bench_rollouts *r)
{
  mw_json_object(j, key);
  mw_json_num(j, "rollouts", r->n);
  mw_json_num(j, "steps_each", r->n_step);
  mw_json_num(j, "steps_made", (double)r->steps);
  mw_json_num(j, "batch_ns", r->batch_ns);
  mw_json_num(j, "single_ns", r->one_ns);
  mw_json_num(j, "ratio", r->one_ns / r->batch_ns);
  mw_json_bool(j, "same_bits", r->same);
  mw_json_end(j, '}');
}

void mw_bench_rom_json(const mw_bench_rom *b)
{
  mw_json j = { .f = stdout };
  const mw_bench_cost *step = &b->call[MW_COUNT_EXPONENTIAL];
  mw_json_object(&j, NULL);
  mw_json_str(&j, "name", b->file->model_name);
  mw_json_str(&j, "kind", "rom");
  mw_json_str(&j, "kernel", mw_rom_kernel_name());
  mw_json_num(&j, "coordinates", b->file->rom.s);
  mw_json_num(&j, "modes", b->file->rom.m);
  mw_json_num(&j, "highest_hz", b->omega_max / (2.0 * acos(-1.0)));
  mw_json_num(&j, "table_bytes", (double)b->table_bytes);
  mw_json_num(&j, "work_bytes", (double)b->work_bytes);
  mw_json_num(&j, "sens_bytes", (double)b->sens_bytes);
  mw_json_num(&j, "batch_bytes", (double)b->batch_bytes);
  mw_json_num(&j, "peak_flops_per_s", b->machine.gemm);
  mw_json_num(&j, "copy_bytes_per_s", b->machine.copy);
  mw_json_num(&j, "clock_ns", b->machine.clock_ns);
  mw_json_num(&j, "step_s", b->step);
  mw_json_num(&j, "rhs_ns", b->call[MW_COUNT_RHS].ns);
  mw_json_num(&j, "step_ns", step->ns);
  mw_json_num(&j, "real_time_factor", real_time(step));
  mw_json_array(&j, "calls");
  for (int k = 0; k < MW_COUNT_N; k++) json_call(&j, b, (mw_count_call)k);
  mw_json_end(&j, ']');
  json_spread(&j, &b->spread);
  json_rollouts(&j, "rollouts_near", &b->near);
  json_rollouts(&j, "rollouts_far", &b->far);
  mw_json_end(&j, '}');
}
