// SPDX-License-Identifier: BSD-3-Clause
// test_loops.c: closed loops of elastic links that a torque drives, reduced against full; what is
// said of the mass of columns that changes with deflection where it is left out, and where it
// cannot be kept.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "loops.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "rom/step.h"
#include "sim/dae.h"
#include "sim/romrun.h"

static bool open_loop(mw_loop kind, double amplitude, const char *limits, mw_fixture *f)
{
  char text[4096];
  int n = mw_loop_text(kind, amplitude, limits, text, sizeof text);
  return MW_CHECK(n < (int)sizeof text) && mw_fixture_text(text, f);
}

// Distance of output 0 from where the undeformed loop has it at the run's coordinate, instant k, m.
static double deflection(const mw_rom *rom, const mw_run *run, int k, double *x, void *work)
{
  double y[8] = { 0.0 };
  memset(x, 0, 2 * (size_t)(rom->s + rom->m) * sizeof *x);
  x[0] = run->s[(size_t)k * (size_t)run->n_coord];
  if (!MW_CHECK(rom->n_y <= 8 && mw_rom_outputs(rom, x, y, NULL, work, NULL) == MW_ROM_OK))
    return 0.0;
  const double *p = run->y + 3 * (size_t)k;
  return hypot(p[0] - y[0], p[1] - y[1]);
}

// What is compared: largest error of the output, largest deflection of it, m.
typedef struct outcome {
  double error, deflection;
} outcome;

static bool follow(mw_loop kind, double amplitude, const char *limits, mw_rom_file *rom,
                   outcome *out)
{
  mw_error err = { 0 };
  mw_fixture f = { 0 };
  mw_run full = { 0 }, gmp = { 0 };
  mw_arena mem = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  *out = (outcome){ 0 };
  bool good = open_loop(kind, amplitude, limits, &f) &&
              MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, rom, &err));
  const mw_scenario *sc = good ? &f.model.scenario[0] : NULL;
  good = good && MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &full, &err)) &&
         MW_OKAY(mw_rom_run(&f.model, &f.mech, rom, sc, NULL, NULL, &gmp, &err)) &&
         MW_CHECK(full.n_t == gmp.n_t && full.n_t > 2);
  double *x = mw_arena_f64(&mem, 2 * (size_t)(rom->rom.s + rom->rom.m));
  void *work = good ? mw_arena_alloc(&mem, mw_rom_work_bytes(&rom->rom), 1) : NULL;
  good = good && MW_OKAY(mw_arena_check(&mem, &err));
  for (int k = 0; good && k < full.n_t; k++) {
    const double *a = full.y + 3 * (size_t)k, *b = gmp.y + 3 * (size_t)k;
    out->error = fmax(out->error, hypot(a[0] - b[0], a[1] - b[1]));
    out->deflection = fmax(out->deflection, deflection(&rom->rom, &full, k, x, work));
  }
  mw_arena_free(&mem);
  mw_run_free(&full);
  mw_run_free(&gmp);
  mw_fixture_free(&f);
  return good;
}

static void print(const char *name, const outcome *o)
{
  printf("%s: deflection %.4f m, error %.2e m, %.1e of it\n", name, o->deflection, o->error,
         o->error / o->deflection);
}

// What is left is of third order, with the factor that large.c has for it (measured on arms): 2.7
// (w/l)² of the deflection w. Order 3 between two torques (2 with the mass of columns constant),
// and above it as far as fourth order takes part.
static void a_four_bar_errs_in_third_order(void)
{
  outcome o[2];
  double l = mw_loop_shortest(MW_LOOP_FOUR_BAR);
  for (int k = 0; k < 2; k++) {
    mw_rom_file rom = { 0 };
    bool good = follow(MW_LOOP_FOUR_BAR, k ? 60.0 : 120.0, "", &rom, &o[k]);
    MW_CHECK(rom.rom.n_G > 0 && !rom.light);
    mw_rom_file_free(&rom);
    if (!good) return;
    print("four-bar", &o[k]);
    double w = o[k].deflection;
    MW_NEAR(o[k].error, 0.0, 2.7 * w * (w / l) * (w / l));
  }
  MW_CHECK(o[0].deflection > 0.02 * l && o[0].deflection < 0.1 * l);
  double order = log2(o[0].error / o[1].error);
  MW_CHECK(order > 2.5 && order < 4.0);
}

static void parallelograms_and_slider_cranks_do_likewise(void)
{
  static const mw_loop kinds[2] = { MW_LOOP_PARALLELOGRAM, MW_LOOP_SLIDER };
  for (int i = 0; i < 2; i++) {
    outcome o;
    mw_rom_file rom = { 0 };
    bool good = follow(kinds[i], 60.0, "", &rom, &o);
    mw_rom_file_free(&rom);
    if (!good) return;
    print(i ? "slider-crank" : "parallelogram", &o);
    double w = o.deflection, l = mw_loop_shortest(kinds[i]);
    MW_CHECK(w > 0.01 * l);
    MW_NEAR(o.error, 0.0, 2.7 * w * (w / l) * (w / l));
  }
}

// A tolerance that does without: the share that is named is, within a factor of three, what
// vibrations err by at that deflection (it is an estimate from one shape; inertia forces err by it,
// and phases add up over a few periods).
static void what_is_left_out_is_named_by_what_it_errs(void)
{
  outcome o;
  mw_rom_file rom = { 0 };
  bool good = follow(MW_LOOP_FOUR_BAR, 120.0, "max_deflection: 0.015, tolerance: 0.2", &rom, &o) &&
              MW_CHECK(rom.rom.n_G == 0 && rom.left_out &&
                       strstr(rom.left_out, "change of the columns' mass (")) &&
              MW_CHECK(strstr(rom.left_out, " of it at the declared ranges)")) &&
              MW_CHECK(rom.certificate.mass_error > 0.0 && mw_certificate_met(&rom.certificate));
  if (good) {
    print("four-bar, mass of columns constant", &o);
    double share = rom.certificate.mass_error * o.deflection / 0.015;
    printf("share of the mass at that deflection: %.1e\n", share);
    MW_NEAR(log(o.error / o.deflection / share), 0.0, log(3.0));
  }
  mw_rom_file_free(&rom);
}

// Declared ranges at which the mass of more than six columns matters.
static void what_cannot_be_kept_misses_the_certificate(void)
{
  mw_error err = { 0 };
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_verdict v[MW_VERDICTS];
  bool named = false;
  if (open_loop(MW_LOOP_FOUR_BAR, 60.0, "max_deflection: 0.1, tolerance: 1e-4", &f) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    int n = mw_certificate_verdicts(&rom.certificate, v);
    for (int i = 0; i < n; i++)
      if (strcmp(v[i].key, "column_mass") == 0) named = !v[i].met && v[i].error > 1e-4;
    MW_CHECK(named && rom.rom.n_G == 6 && !mw_certificate_met(&rom.certificate));
    MW_CHECK(rom.left_out && strstr(rom.left_out, "mass of columns after the first 6 ("));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_four_bar_errs_in_third_order", a_four_bar_errs_in_third_order },
    { "parallelograms_and_slider_cranks_do_likewise",
      parallelograms_and_slider_cranks_do_likewise },
    { "what_is_left_out_is_named_by_what_it_errs", what_is_left_out_is_named_by_what_it_errs },
    { "what_cannot_be_kept_misses_the_certificate", what_cannot_be_kept_misses_the_certificate },
  };
  return mw_test_run("loops", cases, (int)(sizeof cases / sizeof *cases));
}
