// SPDX-License-Identifier: BSD-3-Clause
// test_export_seen.c: outputs besides the fields in exported C, against the run file of path gmp.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export_layer.h"
#include "fem/output.h"
#include "fixture.h"
#include "fixture_export.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/romrun.h"

enum { STEPS = 40, MOST = 64 };
static const double STEP = 1e-3, FORCE = 3.0;

// A cart on an elastic beam that a constant force pushes.
static const char *const seen_text =
    "scenarios:\n"
    "  push: { duration: 0.04, step: 1e-3, store: 1e-3, start: { x: 0.4 }, initial: undeformed, "
    "drives: { motor: { force: 3 } } }\n";

static const char *const model_text =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.02, height: 0.01 } } }\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { o: [0, 0, 0], e: [1, 0, 0] }\n"
    "      members: [ { from: o, to: e, section: bar, material: steel, elements: 8 } ]\n"
    "    supports: [ { nodes: o } ]\n"
    "    frames: { e: { node: e } }\n"
    "    guides: { line: { from: o, to: e, normal: [0, 0, 1] } }\n"
    "  cart: { at: [0.4, 0, 0], rigid: { mass: 0.5, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
    "joints:\n"
    "  way: { slide: { guide: beam.line, on: cart, orientation: fixed }, coordinate: x, drive: "
    "motor }\n"
    "outputs:\n"
    "  tip: { frame: beam.e }\n"
    "  cart: { body: cart }\n"
    "  tip_v: { velocity: tip }\n"
    "  tip_a: { acceleration: tip }\n"
    "  tip_e: { elastic: tip }\n"
    "  cart_v: { velocity: cart }\n"
    "  turned: { orientation: beam.e }\n"
    "  spin: { angular_velocity: turned }\n"
    "  hold: { reaction: way }\n"
    "  push: { drive_force: motor }\n"
    "  along: { coordinate: x }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0.2, 0.8], points: 9, max_rate: 2, max_acceleration: 20 } }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 2, samples: 4 }\n";

typedef struct rig {
  mw_fixture f;
  mw_rom_file rom;
  mw_run run;
  mw_export_seen seen;
  mw_arena mem;
  char dir[FIX_PATH];
  void *lib;
} rig;

typedef int (*step_fn)(double h, const double *u, double *x, double *work, int *blame);
typedef int (*observe_fn)(const double *x, const double *u, double *o, double *work, int *blame);
typedef int (*jacobian_fn)(const double *x, const double *u, double *o, double *o_x, double *o_u,
                           double *work, int *blame);
typedef int (*casadi_fn)(const double **arg, double **res, long long *iw, double *w, int mem);

static bool make_rig(rig *r)
{
  char text[4096];
  mw_error err = { 0 };
  mw_export_list list = { 0 };
  mw_export_opt opt = mw_export_opt_default();
  *r = (rig){ 0 };
  snprintf(text, sizeof text, "%s%s", model_text, seen_text);
  if (!MW_CHECK(mw_fixture_text(text, &r->f))) return false;
  const mw_scenario *sc = &r->f.model.scenario[0];
  mw_rom_run_opt how = mw_rom_run_opt_default();
  how.method = MW_ROM_EXPONENTIAL;  // that of exports
  if (!MW_OKAY(mw_reduce(&r->f.model, &r->f.mech, NULL, &r->rom, &err)) ||
      !MW_OKAY(mw_rom_run(&r->f.model, &r->f.mech, &r->rom, sc, &how, NULL, &r->run, &err)) ||
      !MW_OKAY(mw_export_seen_of(&r->f.model, &r->rom, &r->mem, &r->seen, &err)))
    return false;
  opt.name = "it";
  opt.seen = &r->seen;
  export_folder_make(r->dir);
  if (!MW_OKAY(mw_export_c(&r->rom, &opt, r->dir, &r->mem, &list, &err))) return false;
  if (!MW_CHECK(export_compile(r->dir, "cc", "-std=c99 -O0", "it.c", "it.so") == 0)) return false;
  r->lib = export_load(r->dir, "it.so");
  return r->lib != NULL;
}

// One rig serves all cases: exports are compiled once.
static rig the_rig;

static bool open_rig(rig *r)
{
  if (!the_rig.lib && !make_rig(&the_rig)) return false;
  *r = the_rig;
  return true;
}

static void remove_rig(void)
{
  rig *r = &the_rig;
  MW_CHECK(r->lib != NULL);
  if (r->dir[0]) export_folder_remove(r->dir);
  mw_run_free(&r->run);
  mw_rom_file_free(&r->rom);
  mw_fixture_free(&r->f);
  mw_arena_free(&r->mem);
}

// Both go the same steps: what is off is the rounding of what outputs are made of, of which it is
// the difference or the sum.
static void exported_outputs_are_those_of_the_run(void)
{
  rig r;
  step_fn step = NULL;
  observe_fn observe = NULL;
  double x[MOST] = { 0.4 }, o[MOST], *work = calloc(1 << 16, sizeof *work);
  if (open_rig(&r) && MW_CHECK(work && 2 * (r.rom.rom.s + r.rom.rom.m) <= MOST &&
                               r.run.n_t == STEPS + 1 && r.seen.n <= MOST)) {
    export_symbol(r.lib, "it_step", &step);
    export_symbol(r.lib, "it_observe", &observe);
    for (int k = 0; k <= STEPS; k++) {
      int row = 0;
      if (k > 0) MW_CHECK(step(STEP, &FORCE, x, work, NULL) == 0);
      MW_CHECK(observe(x, &FORCE, o, work, NULL) == 0);
      for (int i = 0; i < r.f.model.n_observed; i++) {
        const mw_output_class *class = mw_output_classes[r.f.model.observed[i].kind];
        const double *want = mw_run_seen(&r.run, i, k);
        // the run's quaternions do not jump
        double by = class->rows == MW_ROWS_QUATERNION && want[0] * o[row] < 0.0 ? -1.0 : 1.0;
        for (int c = 0; class->rows != MW_ROWS_NONE && c < class->width; c++, row++)
          MW_NEAR(by * o[row], want[c], 1e-13 * fmax(1.0, fabs(want[c])));
      }
      MW_CHECK(row == r.seen.n);
    }
    // it moved, and was bent
    MW_CHECK(fabs(x[0] - 0.4) > 1e-3 && fabs(o[2]) > 1e-4 && fabs(o[5]) > 1e-2);
  }
  free(work);
}

// A state with all elastic coordinates and rates off zero.
static void bent(const rig *r, double *x)
{
  int n = r->rom.rom.s + r->rom.rom.m;
  x[0] = 0.43;
  for (int i = 1; i < n; i++) x[i] = 1e-4 * (i % 2 ? i : -i);
  for (int i = 0; i < n; i++) x[n + i] = 0.02 * (i % 3 + 1);
}

// Second differences say what first ones leave out: their error is a third of how far those of h
// and 2 h are apart, but for terms of h^4; o is off by rounding in each of two values, which are
// sums of some ten terms no larger than a few units.
static void jacobians_are_those_of_the_outputs(void)
{
  rig r;
  observe_fn observe = NULL;
  jacobian_fn jacobian = NULL;
  double x[MOST], o[MOST], o_x[MOST * MOST], o_u[MOST], *work = calloc(1 << 16, sizeof *work);
  if (open_rig(&r) && MW_CHECK(work && 2 * (r.rom.rom.s + r.rom.rom.m) <= MOST)) {
    const double h = 1e-4, rounding = 64.0 * DBL_EPSILON;
    int nx = 2 * (r.rom.rom.s + r.rom.rom.m);
    export_symbol(r.lib, "it_observe", &observe);
    export_symbol(r.lib, "it_observe_jacobian", &jacobian);
    bent(&r, x);
    MW_CHECK(jacobian(x, &FORCE, o, o_x, o_u, work, NULL) == 0);
    for (int j = 0; j < nx; j++) {
      double at[4][MOST], big = j < nx / 2 ? 0.1 * h : h;
      for (int k = 0; k < 4; k++) {
        double y[MOST];
        memcpy(y, x, sizeof y);
        y[j] += (k < 2 ? 1 : 2) * (k % 2 ? -big : big);
        MW_CHECK(observe(y, &FORCE, at[k], work, NULL) == 0);
      }
      for (int k = 0; k < r.seen.n; k++) {
        if (strcmp(r.seen.row[k].kind, "acceleration") == 0) continue;
        double once = (at[0][k] - at[1][k]) / (2.0 * big),
               twice = (at[2][k] - at[3][k]) / (4 * big);
        MW_NEAR(o_x[k * nx + j], once, fabs(once - twice) + rounding * fmax(1.0, fabs(o[k])) / big);
      }
    }
    // accelerations are linear in forces, drive forces are forces, all else does without
    double more = FORCE + 1.0, next[MOST];
    MW_CHECK(observe(x, &more, next, work, NULL) == 0);
    for (int k = 0; k < r.seen.n; k++)
      MW_NEAR(o_u[k], next[k] - o[k], rounding * fmax(1.0, fabs(o[k])));
  }
  free(work);
}

static void functions_for_casadi_are_those_in_c(void)
{
  rig r;
  jacobian_fn jacobian = NULL;
  casadi_fn value = NULL, derived = NULL;
  mw_error err = { 0 };
  mw_export_list list = { 0 };
  mw_export_opt opt = mw_export_opt_default();
  mw_arena mem = { 0 };
  char dir[FIX_PATH] = "";
  double x[MOST], o[2][MOST], o_x[2][MOST * MOST], o_u[2][MOST],
      *work = calloc(1 << 16, sizeof *work);
  if (open_rig(&r) && MW_CHECK(work && 2 * (r.rom.rom.s + r.rom.rom.m) <= MOST)) {
    int nx = 2 * (r.rom.rom.s + r.rom.rom.m), n = r.seen.n;
    opt.name = "of";
    opt.seen = &r.seen;
    export_folder_make(dir);
    MW_CHECK(setenv("CFLAGS", "-O0", 1) == 0);
    MW_OKAY(mw_export_casadi(&r.rom, &opt, dir, &mem, &list, &err));
    void *lib = export_load(dir, "of.so");
    export_symbol(r.lib, "it_observe_jacobian", &jacobian);
    export_symbol(lib, "of_o", &value);
    export_symbol(lib, "jac_of_o", &derived);
    bent(&r, x);
    const double *arg[] = { x, &FORCE, NULL };
    double *column = o_x[1];
    MW_CHECK(jacobian(x, &FORCE, o[0], o_x[0], o_u[0], work, NULL) == 0);
    MW_CHECK(value(arg, (double *[]){ o[1] }, NULL, work, 0) == 0);
    MW_SAME_BITS(o[0], o[1], n);
    MW_CHECK(derived(arg, (double *[]){ column, o_u[1] }, NULL, work, 0) == 0);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < nx; j++) MW_SAME_BITS(&o_x[0][k * nx + j], &column[j * n + k], 1);
    MW_SAME_BITS(o_u[0], o_u[1], n);
  }
  if (dir[0]) export_folder_remove(dir);
  mw_arena_free(&mem);
  free(work);
}

static void what_is_not_exported_is_named(void)
{
  static const char *const name[] = {
    "tip_v.x",  "tip_v.y",  "tip_v.z",  "tip_a.x",  "tip_a.y",  "tip_a.z",  "tip_e.x",
    "tip_e.y",  "tip_e.z",  "cart_v.x", "cart_v.y", "cart_v.z", "turned.w", "turned.x",
    "turned.y", "turned.z", "spin.x",   "spin.y",   "spin.z",   "push",     "along",
  };
  static const char *const unit[] = { "m/s", "m/s", "m/s",   "m/s2",  "m/s2",  "m/s2", "m",
                                      "m",   "m",   "m/s",   "m/s",   "m/s",   "1",    "1",
                                      "1",   "1",   "rad/s", "rad/s", "rad/s", "N",    "m" };
  rig r;
  if (open_rig(&r) && MW_CHECK(r.seen.n == (int)(sizeof name / sizeof *name))) {
    for (int k = 0; k < r.seen.n; k++)
      MW_CHECK(strcmp(r.seen.row[k].name, name[k]) == 0 &&
               strcmp(r.seen.row[k].unit, unit[k]) == 0);
    MW_CHECK(strcmp(r.seen.left_out,
                    "hold (reaction): the columns of a reduced model keep the joints") == 0);
  }
}

static void every_kind_has_rows_or_says_why_not(void)
{
  for (int k = 0; k < MW_OUTPUT_KINDS; k++) {
    const mw_output_class *c = mw_output_classes[k];
    if (c->of != MW_OF_NOTHING) MW_CHECK((c->rows == MW_ROWS_NONE) == (c->not_exported != NULL));
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "exported_outputs_are_those_of_the_run", exported_outputs_are_those_of_the_run },
    { "jacobians_are_those_of_the_outputs", jacobians_are_those_of_the_outputs },
    { "functions_for_casadi_are_those_in_c", functions_for_casadi_are_those_in_c },
    { "what_is_not_exported_is_named", what_is_not_exported_is_named },
    { "every_kind_has_rows_or_says_why_not", every_kind_has_rows_or_says_why_not },
    { "rig_can_be_removed", remove_rig },
  };
  return mw_test_run("export_seen", cases, (int)(sizeof cases / sizeof *cases));
}
