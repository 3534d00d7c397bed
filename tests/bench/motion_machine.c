// SPDX-License-Identifier: BSD-3-Clause
// motion_machine.c: whole machines: a slider-crank of flexible links, a beam that slides through a
// carriage; what motion at second order costs online.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loops.h"
#include "motion.h"
#include "reduction/reduce.h"

static double worst(double e, double d) { return e <= d || isnan(d) ? d : e; }

// Largest relative distance of n frequencies (Hz) of the full mechanism at theta, and of the
// reduced model, from ref.
static bool frequencies(const motion *m, const double *theta, int n, const double *ref,
                        double *direct, double *reduced)
{
  enum { MAX = 16 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double *f = NULL, r[MAX];
  bool good =
      mw_fixture_okay(mw_direct_modes(&m->f.mech, theta, n, 0, &mem, &f, NULL, NULL, &err), &err);
  good = good && mw_fixture_okay(mw_rom_frequencies(&m->rom, theta, false, n, r, &err), &err);
  for (int k = 0; good && k < n; k++) {
    *direct = worst(*direct, fabs(f[k] / ref[k] - 1.0));
    *reduced = worst(*reduced, fabs(r[k] / ref[k] - 1.0));
  }
  mw_arena_free(&mem);
  return good;
}

// Compliances (m/N) of the reduced model under a unit force of drive[k], along field[k] of the
// outputs (3 a point), against ref.
static bool compliances(const motion *m, const double *theta, int n, const char *const *drive,
                        const int *field, const double *ref, double *reduced)
{
  const mw_rom *rom = &m->rom.rom;
  mw_arena mem = { 0 };
  double *x = mw_arena_f64(&mem, 2 * (size_t)(rom->s + rom->m));
  double *u = mw_arena_f64(&mem, (size_t)rom->n_u), *y = mw_arena_f64(&mem, 2 * (size_t)rom->n_y);
  void *work = mw_arena_alloc(&mem, mw_rom_work_bytes(rom), 1);
  bool good = mw_arena_check(&mem, NULL) == MW_OK;
  for (int i = 0; good && i < rom->s; i++) x[i] = theta[i];
  for (int k = 0; good && k < n; k++) {
    double c[2];
    for (int sign = 0; good && sign < 2; sign++) {
      memset(u, 0, (size_t)rom->n_u * sizeof *u);
      u[motion_input(m, drive[k])] = sign ? -1.0 : 1.0;
      good = mw_rom_static(rom, theta, u, x + rom->s, work, NULL) == MW_ROM_OK &&
             mw_rom_outputs(rom, x, y, NULL, work, NULL) == MW_ROM_OK;
      c[sign] = y[field[k]];
    }
    if (good) *reduced = worst(*reduced, fabs(0.5 * (c[0] - c[1]) / ref[k] - 1.0));
  }
  mw_arena_free(&mem);
  return good;
}

// ---- slider-crank -------------------------------------------------------------------------------

// What is left is of third order, with the factor of large.c: 2.7 (w/l)² of the deflection w, l:
// the shortest link.
bool motion_loops(int *missed)
{
  static const char *const name[] = { "four-bar", "parallelogram", "slider-crank" };
  bool all = true;
  for (int k = MW_LOOP_FOUR_BAR; k <= MW_LOOP_SLIDER; k++)
    for (double torque = 120.0; torque > 20.0; torque *= 0.5) {
      motion m;
      char text[4096];
      double peak = 0.0, l = mw_loop_shortest((mw_loop)k);
      (void)mw_loop_text((mw_loop)k, torque, "", text, sizeof text);
      bool good = motion_text(&m, "%s", text) && motion_reduce(&m);
      double e = good ? motion_difference(&m, "push", "gmp", "full", &peak) : NAN;
      motion_row(missed, e, 2.7 * (peak / l) * (peak / l),
                 "  %s, %g N m: %.2g m of links of %g m, reduced", name[k], torque, peak, l);
      motion_close(&m);
      all = all && good;
    }
  return all;
}

bool motion_crank(int *missed)
{
  motion_swap swap[] = { { "outputs:\n", "drives:\n"
                                         "  fx: { force: { on: rod.mid, direction: [1, 0, 0] } }\n"
                                         "  fy: { force: { on: rod.mid, direction: [0, 1, 0] } }\n"
                                         "  fz: { force: { on: rod.mid, direction: [0, 0, 1] } }\n"
                                         "outputs:\n" },
                         { NULL, NULL } };
  const int field[3] = { 0, 1, 2 };
  const char *drive[3] = { "fx", "fy", "fz" };
  motion_table *t = malloc(sizeof *t);
  motion m = { 0 };
  double direct = 0.0, reduced = 0.0, soft = 0.0, peak;
  bool good = t && motion_read("R23_slidercrank.csv", t) && motion_case("slider-crank", swap, &m) &&
              motion_reduce(&m);
  for (int i = 0; good && i < t->n; i++) {
    double theta = t->v[i][0] * acos(-1.0) / 180.0;
    good = frequencies(&m, &theta, 4, t->v[i] + 2, &direct, &reduced) &&
           compliances(&m, &theta, 3, drive, field, t->v[i] + 8, &soft);
  }
  if (good) {
    motion_row(missed, direct, 1e-3, "  R23: four frequencies at 24 angles, direct");
    motion_row(missed, reduced, 1e-3, "  R23: four frequencies at 24 angles, reduced");
    motion_row(missed, soft, 1e-3, "  R23: compliance of the rod's middle along x, y, z, reduced");
  }
  motion_close(&m);
  good = good && motion_case("slider-crank", NULL, &m) && motion_reduce(&m);
  if (good) {
    double e = motion_difference(&m, "turn", "gmp", "full", &peak);
    motion_note(m.rom.rom.m, "  columns of the reduced model");
    motion_row(missed, e, 1e-2, "  a full turn: peak deflection %.2g m, reduced", peak);
  }
  motion_close(&m);
  free(t);
  return good;
}

// ---- flexcell -----------------------------------------------------------------------------------

static bool nine_places(int *missed, const char *file, const char *length, const char *what)
{
  char to[32];
  snprintf(to, sizeof to, "%s", length);
  motion_swap swap[] = { { ", length: 0.03", to },
                         { "gravity: [0, 0, -9.81]", "gravity: [0, 0, 0]" },
                         { "grid: auto", "grid: fixed" },
                         { "{ range: [0.2, 1.3],", "{ range: [0.2, 1.3], points: 17," },
                         { "{ range: [0.3, 1],", "{ range: [0.3, 1], points: 17," },
                         { "modes: { count: 4 }", "modes: { count: 6 }" },
                         { "certificate: { points: 12 }", "certificate: { points: 1 }" },
                         { NULL, NULL } };
  motion_table *t = malloc(sizeof *t);
  motion m = { 0 };
  double direct = 0.0, reduced = 0.0;
  bool good = t && motion_read(file, t) && motion_case("flexcell", swap, &m) && motion_reduce(&m);
  for (int i = 0; good && i < t->n; i++)
    good = frequencies(&m, t->v[i], 4, t->v[i] + 2, &direct, &reduced);
  if (good)
    motion_row(missed, direct, 1e-3, "  R22, %s: four frequencies at nine places, direct", what);
  if (good)
    motion_row(missed, reduced, 2e-3, "  R22, %s: the same, reduced on 17 x 17 points", what);
  motion_close(&m);
  free(t);
  return good;
}

// The linear, undamped response: full path without gravity, tool along x. The table leaves out what
// the tool's way upwards does: up to 77 N along a beam that buckles at 5.7 kN change its stiffness
// by 1.4e-2, besides the table's own 1e-2.
static bool response(int *missed)
{
  motion_swap swap[] = { { "gravity: [0, 0, -9.81]", "gravity: [0, 0, 0]" },
                         { "damping: { modal: 0.01 }\n", "" },
                         { "damping: 2e3", "damping: 0" },
                         { NULL, NULL } };
  motion_table *t = malloc(sizeof *t);
  motion m = { 0 };
  mw_run run[2] = { 0 };
  double e = 0.0, peak = 0.0;
  bool good = t && motion_read("R22_flexcell_response.csv", t) && motion_case("flexcell", swap, &m);
  const mw_scenario *sc = good ? motion_scenario(&m, "pick") : NULL;
  good = sc && motion_run(&m, sc, "full", &run[0]) && motion_run(&m, sc, "rigid", &run[1]);
  for (int i = 0; good && i < t->n; i++) {
    int k = (int)lround(t->v[i][0] / sc->store);
    if (k >= run[0].n_t) break;
    peak = fmax(peak, fabs(t->v[i][1]));
    e = worst(e, fabs(run[0].y[3 * k] - run[1].y[3 * k] - t->v[i][1]));
  }
  motion_row(missed, good ? e / peak : NAN, 2.4e-2,
             "  R22: tool along x in a linear response, full");
  mw_run_free(&run[0]);
  mw_run_free(&run[1]);
  motion_close(&m);
  free(t);
  return good;
}

bool motion_flexcell(int *missed)
{
  motion m = { 0 };
  double peak;
  bool good = nine_places(missed, "R22_flexcell_point.csv", "", "runners of a point");
  good =
      nine_places(missed, "R22_flexcell_uniform30mm.csv", ", length: 0.03", "runners of 30 mm") &&
      good;
  good = response(missed) && good;
  if (!motion_case("flexcell", NULL, &m) || !motion_reduce(&m)) {
    motion_close(&m);
    return false;
  }
  double e = motion_difference(&m, "pick", "gmp", "full", &peak);
  motion_row(missed, m.rom.rom.m, 14, "  pick: columns of the reduced model");
  motion_row(missed, e, 2e-3, "  pick: peak deflection %.2g m, reduced", peak);
  motion_close(&m);
  return good;
}

// ---- cost ---------------------------------------------------------------------------------------

// A right-hand side in the middle of the box.
typedef struct call {
  const mw_rom *rom;
  mw_rom_opt opt;
  double *x, *acc, *u;
  void *work;
  mw_arena mem;
} call;

static bool call_open(const mw_rom_file *f, call *c)
{
  const mw_rom *rom = &f->rom;
  size_t n = (size_t)(rom->s + rom->m);
  *c = (call){ .rom = rom, .opt = mw_rom_opt_default() };
  c->x = mw_arena_f64(&c->mem, 2 * n);
  c->acc = mw_arena_f64(&c->mem, n);
  c->u = mw_arena_f64(&c->mem, (size_t)rom->n_u + 1);
  c->work = mw_arena_alloc(&c->mem, mw_rom_work_bytes(rom), 1);
  c->opt.inertia = f->inertia;
  if (mw_arena_check(&c->mem, NULL) != MW_OK) return false;
  for (int i = 0; i < rom->s; i++) {
    c->x[i] = 0.5 * (rom->lo[i] + rom->hi[i]) + 0.01 * (rom->hi[i] - rom->lo[i]);
    c->x[n + (size_t)i] = 0.1 * (rom->hi[i] - rom->lo[i]);
  }
  return true;
}

// Nanoseconds of one of a batch.
static double nanoseconds(call *c)
{
  enum { CALLS = 2000 };
  struct timespec t[2];
  bool good = true;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t[0]);
  for (int k = 0; k < CALLS; k++)
    good = mw_rom_rhs(&(mw_rom_call){ .rom = c->rom, .opt = &c->opt, .u = c->u, .work = c->work },
                      c->x, c->acc) == MW_ROM_OK &&
           good;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t[1]);
  double ns = (double)(t[1].tv_sec - t[0].tv_sec) * 1e9 + (double)(t[1].tv_nsec - t[0].tv_nsec);
  return good ? ns / CALLS : NAN;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Right-hand side of a model with all inertia terms over that of one with those of first order:
// medians of batches in turn, for a machine that does other things meanwhile, and a clock that now
// and then misses some of a batch.
static bool ratio(int *missed, const char *name, const motion_swap *second,
                  const motion_swap *first, double limit, const char *what)
{
  enum { BATCHES = 61 };
  motion m[2] = { 0 };
  call c[2] = { 0 };
  double t[2][BATCHES], of[BATCHES];
  bool good = motion_case(name, second, &m[0]) && motion_case(name, first, &m[1]) &&
              motion_reduce(&m[0]) && motion_reduce(&m[1]) && call_open(&m[0].rom, &c[0]) &&
              call_open(&m[1].rom, &c[1]);
  for (int b = 0; good && b < BATCHES; b++) {
    for (int k = 0; k < 2; k++) t[k][b] = nanoseconds(&c[k]);
    of[b] = t[0][b] / t[1][b];
    good = of[b] > 0.0;
  }
  if (good) {
    qsort(t[1], BATCHES, sizeof t[1][0], ascending);
    qsort(of, BATCHES, sizeof of[0], ascending);
    motion_note(t[1][BATCHES / 2], "  %s: nanoseconds of first order, %d + %d coordinates", what,
                m[1].rom.rom.s, m[1].rom.rom.m);
    motion_row(missed, of[BATCHES / 2], limit, "  %s: second order over first order", what);
  }
  for (int k = 0; k < 2; k++) {
    mw_arena_free(&c[k].mem);
    motion_close(&m[k]);
  }
  return good;
}

bool motion_cost(int *missed)
{
  motion_swap arm[] = { { "modes: { count: 4 }", "modes: { count: 9 }" }, { NULL, NULL } };
  motion_swap arm1[] = { { "modes: { count: 4 }", "inertia: first_order\n  modes: { count: 9 }" },
                         { NULL, NULL } };
  motion_swap gantry[] = { { "gantry-arm.msh", MW_CASES_DIR "/gantry-arm.msh" },
                           { "certificate: { points: 20 }", "certificate: { points: 1 }" },
                           { NULL, NULL } };
  motion_swap gantry1[] = { { "gantry-arm.msh", MW_CASES_DIR "/gantry-arm.msh" },
                            { "certificate: { points: 20 }", "certificate: { points: 1 }" },
                            { "inertia: full", "inertia: first_order" },
                            { NULL, NULL } };
  bool good = ratio(missed, "two-link", arm, arm1, 1.5, "two-link arm");
  return ratio(missed, "gantry", gantry, gantry1, 1.05, "gantry") && good;
}
