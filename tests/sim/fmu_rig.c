// SPDX-License-Identifier: BSD-3-Clause
// fmu_rig.c: see fmu_rig.h.
#include "fmu_rig.h"

#include <stdlib.h>
#include <string.h>

enum { N_RIG = 2 };  // version 2 of trains, version 3 of a table
static rig *rigs;    // [N_RIG]

// The unit's own calls end here too, as it finds these names first; not where a sanitizer has put
// its own.
#ifndef MW_TEST_CC
extern void *__libc_malloc(size_t n);  // NOLINT: glibc's names of what stands behind
extern void *__libc_calloc(size_t n, size_t size);
static long n_allocation;

void *malloc(size_t n)
{
  n_allocation++;
  return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
  n_allocation++;
  return __libc_calloc(n, size);
}

long rig_allocations(void) { return n_allocation; }
#else
long rig_allocations(void) { return -1; }
#endif

static uint32_t reference(const rig *r, const char *name)
{
  int k = fmu_import_find(&r->u.f, name);
  if (!MW_CHECK(k >= 0)) printf("there is no %s\n", name);
  return k >= 0 ? r->u.f.var[k].vr : 0;
}

// Names as DESIGN of the unit promises them: a field of the fixture is  tool "k"\  .
static void find_variables(rig *r)
{
  static const char *const part[] = { "theta.s", "delta[", "thd.s", "deld[" };
  int s = r->x->f.rom.s, m = r->x->f.rom.m;
  char name[64], der[80];
  for (int k = 0; k < r->n_x; k++) {
    int half = k / r->n, i = k % r->n;
    bool rigid = i < s;
    snprintf(name, sizeof name, "%s%d%s", part[2 * half + !rigid], rigid ? i : i - s + 1,
             rigid ? "" : "]");
    snprintf(der, sizeof der, "der(%s)", name);
    r->state[k] = reference(r, name);
    r->derivative[k] = reference(r, der);
  }
  MW_CHECK(m > 0);
  for (int k = 0; k < r->n_u; k++) {
    snprintf(name, sizeof name, "u.push%d", k);
    r->input[k] = reference(r, name);
  }
  for (int k = 0; k < r->n_y; k++) {
    snprintf(name, sizeof name, "'tool \\\"%d\\\"\\\\'", k);
    snprintf(der, sizeof der, "der(%s)", name);
    r->y[k] = reference(r, name);
    r->y_dot[k] = reference(r, der);
  }
  for (int k = 0; k < RIG_SEEN; k++) r->o[k] = reference(r, r->row[k].name);
  r->time = reference(r, "time");
  r->step = reference(r, "step");
}

mw_fmu_job rig_job(const rig *r)
{
  return (mw_fmu_job){ .rom = &r->x->f, .name = "it", .version = r->u.f.version, .seen = &r->seen };
}

// Compiles the sources as the suite itself is where that is sanitized, unoptimized (a tenth of the
// time); else takes the archive's own binary.
static bool load(rig *r)
{
#ifdef MW_TEST_CC
  return fmu_import_load(&r->u.f, MW_TEST_CC,
                         "-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all");
#else
  return fmu_import_load(&r->u.f, NULL, "");
#endif
}

// A row of each kind of the model's outputs besides its fields.
static void set_seen(rig *r)
{
  const mw_export_row row[RIG_SEEN] = {
    { "v", "m/s", "velocity", MW_EXPORT_DIFFERENCE, r->n_y + 1, -1 },
    { "a.x", "m/s2", "acceleration", MW_EXPORT_DIFFERENCE, 2 * r->n_y, -1 },
    { "e", "m", "elastic", MW_EXPORT_DIFFERENCE, 1, 3 * r->n_y + 1 },
    { "c", "rad", "coordinate", MW_EXPORT_DIFFERENCE, 0, -1 },
    { "f", "N m", "drive_force", MW_EXPORT_DIFFERENCE, 4 * r->n_y, -1 },
  };
  memcpy(r->row, row, sizeof row);
  r->seen = (mw_export_seen){ .n = RIG_SEEN, .row = r->row };
}

static void open_rig(rig *r, int version, bool trains)
{
  bool compiled = false;
  mw_error err = { 0 };
  r->x = trains ? export_fixture_trains() : export_fixture_table();
  for (int i = 0; i < r->x->f.rom.s; i++) r->x->f.n_grid[i] = r->x->f.rom.n_grid[i];
  r->n = r->x->f.rom.s + r->x->f.rom.m;
  r->n_x = 2 * r->n;
  r->n_u = r->x->f.rom.n_u;
  r->n_y = r->x->f.rom.n_y;
  r->work = aligned_alloc(64, mw_rom_sens_bytes(&r->x->f.rom));
  if (!MW_CHECK(r->work != NULL)) exit(EXIT_FAILURE);
  export_folder_make(r->dir);
  snprintf(r->path, sizeof r->path, "%s/it.fmu", r->dir);
  r->u.f.version = version;
  set_seen(r);
  mw_fmu_job job = rig_job(r);
  MW_OKAY(mw_fmu_write(&job, r->path, &compiled, &err));
  MW_CHECK(compiled);
  if (!fmu_import_open(r->path, &r->u.f) || !load(r)) exit(EXIT_FAILURE);
  MW_CHECK(r->u.f.version == version);
  find_variables(r);
}

// Checks may fail within a case alone: the first case makes the units, the last removes them. The
// archives' own binaries are not timed: optimizing them by -O3 would take most of a suite's time.
static void make(void)
{
#ifdef MW_TEST_CC
  (void)setenv("CFLAGS", "-O0", 1);
#else
  (void)setenv("CFLAGS", "-O1", 1);
#endif
  rigs = calloc(N_RIG, sizeof *rigs);
  if (!MW_CHECK(rigs != NULL)) exit(EXIT_FAILURE);
  for (int k = 0; k < N_RIG; k++) open_rig(&rigs[k], 2 + k, k == 0);
}

void rig_remove(void)
{
  for (int k = 0; rigs && k < N_RIG; k++) {
    fmu_import_close(&rigs[k].u.f);
    export_folder_remove(rigs[k].dir);
    export_fixture_free(rigs[k].x);
    free(rigs[k].work);
  }
  free(rigs);
  rigs = NULL;
}

void rig_each(void (*check)(rig *r))
{
  if (!rigs) make();
  for (int k = 0; k < N_RIG; k++) check(&rigs[k]);
}

bool rig_start(rig *r, bool cosim, double from)
{
  return MW_CHECK(fmu_instantiate(&r->u, cosim, r->u.f.token, true)) &&
         MW_CHECK(fmu_enter(&r->u, from, false, 0.0) == FMU_OK);
}

void rig_drive(const rig *r, int k, double *u)
{
  for (int i = 0; i < r->n_u; i++) u[i] = r->x->drive * ((k / 50 + i) % 4 < 2 ? 1.0 : -1.0);
}

void rig_random(const rig *r, uint64_t *seed, double *x)
{
  for (int k = 0; k < r->n_x; k++) x[k] = (k < r->n ? 0.3 : 0.5) * synthetic_random(seed);
}

void rig_steps(rig *r, int from, int n, double *x)
{
  double u[SYN_N_U + 1];
  for (int k = from; k < from + n; k++) {
    rig_drive(r, k, u);
    MW_CHECK(fmu_set(&r->u, r->input, (size_t)r->n_u, u) == FMU_OK);
    MW_CHECK(fmu_step(&r->u, 1e-3 * k, 1e-3) == FMU_OK);
  }
  MW_CHECK(fmu_get(&r->u, r->state, (size_t)r->n_x, x) == FMU_OK);
}
