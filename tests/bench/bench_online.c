// SPDX-License-Identifier: BSD-3-Clause
// bench_online.c: the figures the online model must reach on one core, each with its limit and a
// verdict.
//
//   bench_online [--quick] ROM.nc [MODEL SCENARIO]     default: cases/gantry.yaml, pick; exit
//                                                      status 1: one was missed
//
// Right-hand sides of synthetic models with all axes in the table (4, 16 and 64 records of some
// 100, 420 and 1,070 fields); all else on the ROM given. Operations are counted
// (sim/bench_count.c), the rate of multiplying matrices is measured in this run.
// Stability: with theta held, the stiffest pattern alone is bent, and no energy may be won in
// 10,000 steps.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reduction/rom_synthetic.h"
#include "base/blas.h"
#include "base/dense.h"
#include "bench/bench_reduced_layer.h"
#include "online_error.h"
#include "sim/case.h"

static int n_missed;

// One row of the table; most: the value may not be above the limit, else not below it.
static void row(const char *what, double value, double limit, const char *unit, bool most)
{
  bool met = most ? value <= limit : value >= limit;
  n_missed += !met;
  printf("%-58s %10.4g %s %-8g %-9s %s\n", what, value, most ? "<=" : ">=", limit, unit,
         met ? "met" : "MISSED");
}

// ---- right-hand sides ---------------------------------------------------------------------------

static mw_code synthetic_rhs(int s, int m, double limit_us, const mw_bench_machine *machine,
                             mw_error *err)
{
  enum { N_GRID = 13 };
  synthetic syn;
  mw_bench_place p = { 0 };
  mw_bench_cost c = { 0 };
  char what[80];
  if (!synthetic_make(s, m, N_GRID, 125.0, 12500.0, 0.01, 0.02, &syn))
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  const mw_rom_file f = { .rom = syn.rom };
  mw_code rc = mw_bench_place_init(&f, &p, err);
  if (rc == MW_OK) {
    mw_bench_call_eval(&p, MW_COUNT_RHS, 0.0, &c);
    if (c.failed[0]) rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%s", c.failed);
  }
  if (rc == MW_OK) {
    int fields = mw_rom_layout_of((mw_rom_shape){ .s = s, .m = m }).n;
    snprintf(what, sizeof what, "right-hand side, s = %d m = %d, %d fields and outputs", s, m,
             fields);
    row(what, 1e-3 * c.ns, limit_us, "us", true);
    snprintf(what, sizeof what, "  %.0f operations, %.1f Gflop/s, of the peak", mw_bench_flops(&c),
             1e-9 * mw_bench_rate(&c));
    row(what, 100.0 * mw_bench_rate(&c) / machine->gemm, 20.0, "%", false);
  }
  mw_bench_place_free(&p);
  synthetic_free(&syn);
  return rc;
}

// Right-hand side of a rotating model of 2 + 10 with parts (H, third order), and G of n_G columns,
// over that of the same without, timed in turn, the best of each.
static mw_code second_order_rhs(int n_G, unsigned parts, double *ratio, mw_error *err)
{
  enum { ROUND = 9 };
  mw_rom_shape shape = { .s = 2, .m = 10, .n_y = SYN_N_Y };
  double best[2] = { INFINITY, INFINITY };
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < 2 * ROUND; k++) {
    synthetic syn;
    mw_bench_place p = { 0 };
    mw_bench_cost c = { 0 };
    shape.parts = k % 2 ? parts : 0;
    shape.n_G = k % 2 ? n_G : 0;
    if (!synthetic_make_parts(shape, 13, 125.0, 12500.0, 0.01, 0.02, &syn))
      return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
    const mw_rom_file f = { .rom = syn.rom };
    rc = mw_bench_place_init(&f, &p, err);
    if (rc == MW_OK) mw_bench_call_eval(&p, MW_COUNT_RHS, 0.0, &c);
    if (rc == MW_OK && c.failed[0]) rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%s", c.failed);
    best[k % 2] = fmin(best[k % 2], c.ns);
    mw_bench_place_free(&p);
    synthetic_free(&syn);
  }
  *ratio = best[1] / best[0];
  return rc;
}

// G is there beside light coordinates alone: what it costs is shown, not judged.
static mw_code rows_of_second_order(mw_error *err)
{
  double ratio[3];
  mw_code rc = second_order_rhs(0, MW_ROM_H, &ratio[0], err);
  if (rc == MW_OK) rc = second_order_rhs(6, MW_ROM_H, &ratio[1], err);
  if (rc == MW_OK) rc = second_order_rhs(6, MW_ROM_H | MW_ROM_THIRD, &ratio[2], err);
  if (rc != MW_OK) return rc;
  row("right-hand side, s = 2 m = 10 with H, over that without", ratio[0], 1.5, "", true);
  printf("%-58s %10.4g\n", "  the same with G of 6 columns, too", ratio[1]);
  printf("%-58s %10.4g\n", "  the same with their third order, too", ratio[2]);
  return rc;
}

// ---- stability ----------------------------------------------------------------------------------

// Largest energy over that at the start, theta held, when the stiffest pattern alone is bent by a
// micrometre.
static mw_code energy_growth(const mw_rom_file *f, double h, double *growth, mw_error *err)
{
  enum { STEPS = 10000 };
  static const double BENT = 1e-6;  // amplitude of the mass-normalised pattern, m √kg
  mw_bench_place p = { 0 };
  mw_arena mem = { 0 };
  size_t m = (size_t)f->rom.m, s = (size_t)f->rom.s;
  double *K = mw_arena_f64(&mem, m * m), *V = mw_arena_f64(&mem, m * m), *w = mw_arena_f64(&mem, m);
  double thdd[MW_ROM_MAX_S] = { 0 }, T, U, start, least;
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_bench_place_init(f, &p, err);
  if (rc == MW_OK && mw_rom_fields(&f->rom, p.x0, p.value, NULL, NULL) == MW_ROM_OK)
    for (size_t i = 0, k = (size_t)mw_rom_layout_of(mw_rom_shape_of(&f->rom)).K; i < m; i++)
      for (size_t j = 0; j <= i; j++, k++) K[i * m + j] = K[j * m + i] = p.value[k];
  if (rc == MW_OK) rc = mw_eig_sym((int)m, K, w, V, err);
  if (rc == MW_OK) {
    p.opt.prescribed = (1u << s) - 1;
    memset(p.x0 + s + m, 0, (s + m) * sizeof *p.x0);
    (void)mw_rom_static(&f->rom, p.x0, NULL, p.x0 + s, p.work, NULL);
    (void)mw_rom_energy(&(mw_rom_call){ .rom = &f->rom, .opt = &p.opt, .work = p.work }, p.x0, &T,
                        &least, NULL);
    for (size_t a = 0; a < m; a++) p.x0[s + a] += BENT * V[a * m + m - 1];
    (void)mw_rom_energy(&(mw_rom_call){ .rom = &f->rom, .opt = &p.opt, .work = p.work }, p.x0, &T,
                        &start, NULL);
    *growth = 0.0;
    for (int k = 0; k < STEPS; k++) {
      if (mw_rom_step(
              &(mw_rom_call){
                  .rom = &f->rom, .opt = &p.opt, .h = h, .u = p.u, .thdd_p = thdd, .work = p.work },
              p.x0) != MW_ROM_OK ||
          mw_rom_energy(&(mw_rom_call){ .rom = &f->rom, .opt = &p.opt, .work = p.work }, p.x0, &T,
                        &U, NULL) != MW_ROM_OK)
        *growth = INFINITY;
      *growth = fmax(*growth, (T + U - least) / (start - least));
    }
  }
  mw_bench_place_free(&p);
  mw_arena_free(&mem);
  return rc;
}

// ---- all of it ----------------------------------------------------------------------------------

static void rows_of_rom(const mw_bench_rom *b)
{
  const mw_bench_cost *step = &b->call[MW_COUNT_EXPONENTIAL], *sens = &b->call[MW_COUNT_SENS];
  const mw_bench_cost *rhs = &b->call[MW_COUNT_RHS];
  char what[80];
  printf("\n%s: %d coordinates, %d modes and patterns up to %.0f Hz; code for %s\n",
         b->file->model_name, b->file->rom.s, b->file->rom.m, b->omega_max / (2.0 * acos(-1.0)),
         mw_rom_kernel_name());
  row("right-hand side", 1e-3 * rhs->ns, 2.5, "us", true);
  snprintf(what, sizeof what, "  %.0f operations, %.1f Gflop/s, of the peak", mw_bench_flops(rhs),
           1e-9 * mw_bench_rate(rhs));
  row(what, 100.0 * mw_bench_rate(rhs) / b->machine.gemm, 20.0, "%", false);
  snprintf(what, sizeof what, "step of %g ms", 1e3 * step->h);
  row(what, step->failed[0] ? NAN : 1e-3 * step->ns, 4.0, "us", true);
  // two evaluations, a real and a complex matrix eliminated
  row("  over a right-hand side", step->failed[0] ? NAN : step->ns / rhs->ns, 4.5, "", true);
  snprintf(what, sizeof what, "  times real time (%.0f operations, %.1f Gflop/s)",
           mw_bench_flops(step), 1e-9 * mw_bench_rate(step));
  row(what, step->failed[0] ? NAN : 1e9 * step->h / step->ns, 250.0, "", false);
  row("step with sensitivities", sens->failed[0] ? NAN : 1e-3 * sens->ns, 20.0, "us", true);
  snprintf(what, sizeof what, "batch of %d rollouts x %d steps, from one place", b->near.n,
           b->near.n_step);
  row(what, b->near.one_ns / b->near.batch_ns, 3.0, "x single", false);
  printf("  %.3f us a step and rollout, %.0f x real time; from anywhere %.2f x single\n",
         1e-3 * b->near.batch_ns, 1e9 * b->step / b->near.batch_ns,
         b->far.one_ns / b->far.batch_ns);
  row("  end states of other bits", !b->near.same + !b->far.same, 0.0, "", true);
  const mw_bench_spread *d = &b->spread;
  snprintf(what, sizeof what, "worst of %d steps, each the best of %d runs", d->n, d->runs);
  row(what, d->best_worst / d->best_p50, 5.0, "x median", true);
  printf(
      "  in one run, with what else the machine does: median %.2f us, 99.99 %% %.1f x, worst %.0f "
      "x; "
      "%d above 5 x,\n  others had %ld turns on this core; a loop of sums as long: worst %.0f x\n",
      1e-3 * d->p50, d->p9999 / d->p50, d->worst / d->p50, d->beyond, d->switches,
      d->fixed_worst / d->fixed_p50);
}

static mw_code rows_of_motion(const mw_rom_file *f, const char *model, const char *scenario,
                              mw_error *err)
{
  mw_case c;
  online_error e = { .model = &c.model, .mech = &c.mech, .file = f, .output = "tool" };
  char what[80];
  mw_code rc = mw_case_read(model, &c, err);
  if (rc != MW_OK) return rc;
  rc = mw_rom_file_match(f, &c.model, model, err);
  if (rc == MW_OK) rc = mw_scenario_find(&c.model, scenario, &e.sc, err);
  if (rc == MW_OK) rc = online_error_eval(&e, err);
  if (rc == MW_OK) {
    snprintf(what, sizeof what, "error of the deflection, of its peak of %.3f mm", 1e3 * e.peak);
    row(what, 100.0 * e.error / e.peak, 0.1, "%", true);
    snprintf(what, sizeof what, "  of the peak without statics, %.3f mm", 1e3 * e.peak_move);
    row(what, 100.0 * e.error / e.peak_move, 0.1, "%", true);
    printf("  error %.3g um, of the position %.3g um; between references of 1/64 and 1/128 %.3g "
           "um\n",
           1e6 * e.error, 1e6 * e.position, 1e6 * e.reference);
  }
  mw_case_free(&c);
  return rc;
}

static mw_code bench(bool quick, const char *path, const char *model, const char *scenario,
                     mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_bench_rom b = { .file = &f, .step = 1e-3 };
  double growth = NAN;
  mw_progress progress = mw_progress_default(false);
  mw_code rc = mw_rom_file_read(path, &f, err);
  if (rc == MW_OK) rc = mw_bench_rom_eval(quick, &progress, &b, err);
  if (rc == MW_OK) {
    printf(
        "one core here: %.1f Gflop/s multiplying matrices (the peak below), %.1f GB/s copying\n\n",
        1e-9 * b.machine.gemm, 1e-9 * b.machine.copy);
    rc = synthetic_rhs(1, 6, 0.25, &b.machine, err);
  }
  if (rc == MW_OK) rc = synthetic_rhs(2, 10, 2.5, &b.machine, err);
  if (rc == MW_OK) rc = synthetic_rhs(3, 12, 12.0, &b.machine, err);
  if (rc == MW_OK) rc = rows_of_second_order(err);
  if (rc == MW_OK) rows_of_rom(&b);
  if (rc == MW_OK) rc = energy_growth(&f, b.step, &growth, err);
  // rounding of 10,000 steps on the energy
  if (rc == MW_OK)
    row("stiffest pattern: largest energy of the first, 10,000 steps", growth, 1.0 + 1e-9, "",
        true);
  if (rc == MW_OK) rc = rows_of_motion(&f, model, scenario, err);
  mw_rom_file_free(&f);
  return rc;
}

int main(int argc, char **argv)
{
  mw_error err = { 0 };
  bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  int at = quick ? 2 : 1;
  mw_blas_start(argv);
  if (argc <= at || (argc > at + 1 && argc != at + 3)) {
    fprintf(stderr, "usage: bench_online [--quick] ROM.nc [MODEL SCENARIO]\n");
    return 2;
  }
  mw_code rc = bench(quick, argv[at], argc > at + 1 ? argv[at + 1] : MW_CASES_DIR "/gantry.yaml",
                     argc > at + 1 ? argv[at + 2] : "pick", &err);
  if (rc != MW_OK) {
    fprintf(stderr, "bench_online: %s: %s\n", err.file, err.msg);
    return 2;
  }
  printf("\n%d missed\n", n_missed);
  return n_missed > 0;
}
