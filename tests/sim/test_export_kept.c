// SPDX-License-Identifier: BSD-3-Clause
// test_export_kept.c: parameters that exported C and functional mock-up units set themselves,
// against the library's own reduced model at the same values.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export_layer.h"
#include "fixture.h"
#include "fixture_export.h"
#include "fmu/fmu_priv.h"
#include "fmu_calls.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom/step.h"

enum { MOST = 64, STEPS = 50, WORK = 1 << 18, N_VALUE = 5 };
static const double STEP = 1e-3, PUSH = 1.0, ACCURATE = 1e-6;
static const double value[N_VALUE] = { 0.0, 0.07, 0.15, 0.2, 0.3 };

// An arm that turns on an elastic column and carries the payload.
static const char text[] =
    "modeway: 1\n"
    "gravity: [0, 0, -0.5]\n"
    "parameters: { payload: 0.15 }\n"
    "damping: { beta: 1e-5 }\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.03, height: 0.02 } } }\n"
    "bodies:\n"
    "  column:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.1, 0, 0.5] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 3 } ]\n"
    "    supports: [ { nodes: a } ]\n"
    "    frames: { top: { node: b } }\n"
    "  arm:\n"
    "    at: [0.1, 0, 0.5]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.4, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 3 } ]\n"
    "    frames: { hub: { node: a }, tip: { node: b, mass: 0.3 + $payload } }\n"
    "joints:\n"
    "  hub: { revolute: { a: column.top, b: arm.hub, axis: [0, 0.2, 1] }, coordinate: phi,\n"
    "         drive: swing }\n"
    "outputs: { tool: { frame: arm.tip } }\n"
    "reduction:\n"
    "  modes: { count: 2 }\n"
    "  coordinates: { phi: { range: [-0.8, 0.8], points: 7 } }\n"
    "  certificate: { points: 1, samples: 4 }\n"
    "  parameters: { payload: [0, 0.3] }\n";

typedef struct rig {
  mw_fixture f;
  mw_rom_file rom;
  mw_kept kept;
  mw_arena mem;
  char dir[FIX_PATH];
} rig;

static bool start(rig *r)
{
  mw_error err = { 0 };
  *r = (rig){ 0 };
  export_folder_make(r->dir);
  return MW_CHECK(mw_fixture_text(text, &r->f)) &&
         MW_OKAY(mw_reduce(&r->f.model, &r->f.mech, NULL, &r->rom, &err)) &&
         MW_OKAY(mw_export_kept_of(&r->rom, MW_EXPORT_KEPT_MOST, &r->mem, &r->kept, &err)) &&
         MW_CHECK(r->kept.n == 1 && r->kept.error <= ACCURATE && !r->kept.why);
}

static void end(rig *r)
{
  export_folder_remove(r->dir);
  mw_arena_free(&r->mem);
  mw_rom_file_free(&r->rom);
  mw_fixture_free(&r->f);
}

// The library's tool after STEPS steps at a payload.
static bool library(rig *r, double payload, const double *x0, double *y)
{
  mw_rom_opt opt = mw_rom_opt_default();
  mw_error err = { 0 };
  double x[MOST], u = PUSH;
  void *work = aligned_alloc(64, mw_rom_work_bytes(&r->rom.rom));
  mw_rom_info info = { 0 };
  bool fine = MW_CHECK(work != NULL) && MW_OKAY(mw_rom_set_parameter(&r->rom, 0, payload, &err));
  opt.inertia = r->rom.inertia;
  opt.method = MW_ROM_EXPONENTIAL;
  mw_rom_call call = { .rom = &r->rom.rom, .opt = &opt, .h = STEP, .u = &u, .work = work };
  call.info = &info;
  memcpy(x, x0, 2 * (size_t)(r->rom.rom.s + r->rom.rom.m) * sizeof *x);
  for (int k = 0; fine && k < STEPS; k++) {
    mw_rom_code code = mw_rom_step(&call, x);
    if (!(fine = MW_CHECK(code == MW_ROM_OK)))
      printf("%s %d\n", mw_rom_code_name(code), info.index);
  }
  fine = fine && MW_CHECK(mw_rom_outputs(&r->rom.rom, x, y, NULL, work, &info) == MW_ROM_OK);
  free(work);
  return fine;
}

// Coefficients are off by accurate of the largest of their kind, and the motion by some tens of
// that of what the payload is about: how far y is from y at the middle, and the deflection.
static void near(const char *what, double payload, double accurate, const double *y,
                 const double *want)
{
  double off = 0.0, size = 0.0;
  for (int i = 0; i < 3; i++) {
    off = fmax(off, fabs(y[i] - want[i]));
    size = fmax(size, fabs(want[i]));
  }
  printf("%s at %g: tool off by %.1e m\n", what, payload, off);
  MW_NEAR(off, 0.0, 30.0 * accurate * size);
}

static void bent(const mw_rom *r, double *x)
{
  int n = r->s + r->m;
  memset(x, 0, MOST * sizeof *x);
  x[0] = 0.2;
  for (int i = 1; i < n; i++) x[i] = 1e-6 * i;
}

// ---- tables -------------------------------------------------------------------------------------

// Entries a, b of a stiffness are off by 1e-4 of what they matter by at most, so that ω² is by m
// times that, m columns, and ω by half.
static void frequencies_are_the_librarys_between_nodes(void)
{
  static const double at[] = { -0.7, 0.05, 0.6 };
  enum { N_AT = sizeof at / sizeof *at };
  rig r;
  mw_rom_file own = { 0 };
  mw_error err = { 0 };
  double worst = 0.0, a[MOST], b[MOST];
  if (start(&r) && MW_OKAY(mw_rom_file_view(&r.rom, &own, &err))) {
    int m = own.rom.m;
    double *coef = mw_arena_f64(&r.mem, r.kept.n_coef);
    for (int k = 0; k < N_VALUE * N_AT; k++) {
      const double *theta = &at[k % N_AT];
      if (!MW_OKAY(mw_rom_set_parameter(&own, 0, value[k / N_AT], &err)) ||
          !MW_OKAY(mw_rom_frequencies(&own, theta, false, m, a, &err)))
        break;
      const double *kept = own.rom.coef;
      mw_kept_at(&r.kept, &value[k / N_AT], coef);
      own.rom.coef = coef;
      MW_OKAY(mw_rom_frequencies(&own, theta, false, m, b, &err));
      own.rom.coef = kept;
      for (int i = 0; i < m; i++) worst = fmax(worst, fabs(b[i] / a[i] - 1.0));
    }
    printf("frequencies off by %.1e\n", worst);
    MW_NEAR(worst, 0.0, 0.5e-4 * m);
  }
  mw_arena_free(&own.mem);
  end(&r);
}

// ---- C ------------------------------------------------------------------------------------------

typedef int (*set_fn)(const double *p, double *work, int *blame);
typedef int (*step_fn)(double h, const double *u, double *x, double *work, int *blame);
typedef int (*outputs_fn)(const double *x, double *y, double *y_dot, double *work, int *blame);

static void use_c(rig *r, void *lib)
{
  set_fn set = NULL;
  step_fn step = NULL;
  outputs_fn outputs = NULL;
  double x0[MOST], x[MOST], y[MOST], want[MOST], other[MOST], u = PUSH;
  double *work = calloc(WORK, sizeof *work);
  int blame = 7;
  export_symbol(lib, "it_set", &set);
  export_symbol(lib, "it_step", &step);
  export_symbol(lib, "it_outputs", &outputs);
  bent(&r->rom.rom, x0);
  if (!MW_CHECK(work && set && step && outputs)) return;
  memcpy(x, x0, sizeof x);
  MW_CHECK(step(STEP, &u, x, work, &blame) == 8 && memcmp(x, x0, sizeof x) == 0);  // not set
  const double wrong[] = { -1e-9, 0.300001, NAN };
  for (int k = 0; k < 3; k++) MW_CHECK(set(&wrong[k], work, &blame) == 8 && blame == 0);
  for (int k = 0; k < N_VALUE; k++) {
    memcpy(x, x0, sizeof x);
    MW_CHECK(set(&value[k], work, &blame) == 0 && blame == -1);
    for (int i = 0; i < STEPS; i++)
      if (!MW_CHECK(step(STEP, &u, x, work, NULL) == 0)) break;
    MW_CHECK(outputs(x, y, NULL, work, NULL) == 0);
    if (!library(r, value[k], x0, want)) break;
    near("C", value[k], r->kept.error, y, want);
    // a parameter that did nothing would be seen
    if (k == 0) memcpy(other, y, sizeof other);
    if (k == N_VALUE - 1) MW_CHECK(fabs(other[1] - y[1]) > 300.0 * ACCURATE);
  }
  free(work);
}

static void c_sets_the_parameters(void)
{
  rig r;
  mw_error err = { 0 };
  mw_export_list list;
  mw_export_opt opt = mw_export_opt_default();
  if (start(&r)) {
    opt.name = "it";
    opt.kept = &r.kept;
    if (MW_OKAY(mw_export_c(&r.rom, &opt, r.dir, &r.mem, &list, &err)) &&
        MW_CHECK(export_compile(r.dir, "cc", "-std=c99 -O1", "it.c", "it.so") == 0)) {
      void *lib = export_load(r.dir, "it.so");
      if (lib) use_c(&r, lib);
    }
    MW_CHECK(export_compile(r.dir, "cc", "-std=c99 -O0 -DIT_SINGLE", "it.c", "one.so") == 0);
  }
  end(&r);
}

// ---- functional mock-up units -------------------------------------------------------------------

static uint32_t reference(const fmu_unit *u, const char *name)
{
  int k = fmu_import_find(&u->f, name);
  MW_CHECK(k >= 0);
  return k >= 0 ? u->f.var[k].vr : 0;
}

static void use_fmu(rig *r, fmu_unit *u)
{
  int n = r->rom.rom.s + r->rom.rom.m, at = fmu_import_find(&u->f, "p.payload");
  if (!MW_CHECK(at >= 0)) return;
  const fmu_var *v = &u->f.var[at];
  uint32_t p = v->vr, push = reference(u, "u.swing"), phi = reference(u, "theta.phi");
  uint32_t tool[3] = { reference(u, "tool.x"), reference(u, "tool.y"), reference(u, "tool.z") };
  const double wrong = 0.31;
  double x0[MOST], y[3], want[MOST], got;
  MW_CHECK(strcmp(v->causality, "parameter") == 0 && strcmp(v->variability, "fixed") == 0);
  MW_CHECK(v->min == 0.0 && v->max == 0.3 && v->start == 0.15);
  bent(&r->rom.rom, x0);
  for (int k = 0; k < N_VALUE; k++) {
    void *kept = NULL;
    if (!MW_CHECK(fmu_instantiate(u, true, u->f.token, true))) return;
    MW_CHECK(fmu_enter(u, 0.0, false, 0.0) == FMU_OK);
    MW_CHECK(fmu_set(u, &p, 1, &wrong) == FMU_DISCARD);
    MW_CHECK(fmu_set(u, &p, 1, &value[k]) == FMU_OK);
    for (int i = 0; i < n; i++) {
      char name[32];
      snprintf(name, sizeof name, "delta[%d]", i);
      uint32_t vr = i == 0 ? phi : reference(u, name);
      MW_CHECK(fmu_set(u, &vr, 1, &x0[i]) == FMU_OK);
    }
    MW_CHECK(fmu_set(u, &push, 1, &PUSH) == FMU_OK && fmu_exit(u) == FMU_OK);
    MW_CHECK(fmu_get(u, &p, 1, &got) == FMU_OK && got == value[k]);
    for (int i = 0; i < STEPS; i++)
      if (!MW_CHECK(fmu_step(u, STEP * i, STEP) == FMU_OK)) break;
    MW_CHECK(fmu_get(u, tool, 3, y) == FMU_OK);
    if (library(r, value[k], x0, want))
      near(u->f.version == 2 ? "FMI 2" : "FMI 3", value[k], r->kept.error, y, want);
    // a copy of the state brings its parameter along; afterwards it is fixed
    MW_CHECK(fmu_copy(u, &kept) == FMU_OK && fmu_reset(u) == FMU_OK);
    MW_CHECK(fmu_get(u, &p, 1, &got) == FMU_OK && got == 0.15);
    MW_CHECK(fmu_restore(u, kept) == FMU_OK && fmu_get(u, tool, 3, want) == FMU_OK);
    MW_CHECK(memcmp(y, want, sizeof y) == 0);
    MW_CHECK(fmu_forget(u, &kept) == FMU_OK);
    MW_CHECK(fmu_set(u, &p, 1, &value[0]) == FMU_ERROR);
    fmu_free(u);
  }
}

static void units_set_the_parameters(void)
{
  for (int version = 2; version <= 3; version++) {
    rig r;
    fmu_unit u = { 0 };
    bool compiled = false;
    char path[2 * FIX_PATH];
    mw_error err = { 0 };
    (void)setenv("CFLAGS", "-O1", 1);
    if (start(&r)) {
      const mw_fmu_job job = { .rom = &r.rom, .name = "it", .version = version, .kept = &r.kept };
      snprintf(path, sizeof path, "%s/it.fmu", r.dir);
      if (MW_OKAY(mw_fmu_write(&job, path, &compiled, &err)) && MW_CHECK(compiled) &&
          fmu_import_open(path, &u.f) && fmu_import_load(&u.f, NULL, ""))
        use_fmu(&r, &u);
      fmu_import_close(&u.f);
    }
    end(&r);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "frequencies_are_the_librarys_between_nodes", frequencies_are_the_librarys_between_nodes },
    { "c_sets_the_parameters", c_sets_the_parameters },
    { "units_set_the_parameters", units_set_the_parameters },
  };
  return mw_test_run("export_kept", cases, (int)(sizeof cases / sizeof *cases));
}
