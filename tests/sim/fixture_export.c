// SPDX-License-Identifier: BSD-3-Clause
// fixture_export.c: see fixture_export.h.
#include "fixture_export.h"

#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"

static void set_names(export_fixture *x, const char *title)
{
  static const char *const unit[] = { "m", "rad", "m" };
  mw_rom *r = &x->syn.rom;
  mw_rom_file *f = &x->f;
  for (int i = 0; i < r->s; i++) {
    x->coordinate[i] = mw_arena_printf(&x->mem, "s%d", i);
    x->unit[i] = unit[i];
  }
  for (int k = 0; k < r->n_y; k++) x->field[k] = mw_arena_printf(&x->mem, "tool \"%d\"\\", k);
  for (int k = 0; k < r->m; k++) x->column[k] = mw_arena_printf(&x->mem, "mode %d", k + 1);
  for (int k = 0; k < r->n_u; k++) x->input[k] = mw_arena_printf(&x->mem, "push%d", k);
  f->rom = *r;
  f->coordinate = x->coordinate;
  f->unit = x->unit;
  f->field = x->field;
  f->column = x->column;
  f->input = x->input;
  f->model_name = title;
  f->command = "modeway reduce \\";
  f->version = "0";
  snprintf(f->model_hash, sizeof f->model_hash, "none");
  x->sens = aligned_alloc(64, mw_rom_sens_bytes(&f->rom));
  if (!MW_CHECK(x->sens != NULL)) exit(EXIT_FAILURE);
}

// second: with all optional parts of the record.
static export_fixture *start(int s, int m, int n_grid, bool second)
{
  export_fixture *x = calloc(1, sizeof *x);
  if (!MW_CHECK(x != NULL)) exit(EXIT_FAILURE);
  int made = second ? synthetic_make_second(s, m, n_grid, 60.0, 3e4, 0.02, 0.1, &x->syn)
                    : synthetic_make(s, m, n_grid, 60.0, 3e4, 0.02, 0.1, &x->syn);
  if (!MW_CHECK(made)) exit(EXIT_FAILURE);
  // rom_synthetic.h: the model points into the object, which has moved
  x->syn.rom.coef = x->syn.coef;
  x->syn.rom.u_field = x->syn.u_field;
  x->syn.rom.Y_field = x->syn.Y_field;
  x->syn.rom.c_theta = x->syn.c_theta;
  x->syn.rom.delta_max = x->syn.delta_max;
  return x;
}

static export_fixture *make_table(bool second)
{
  export_fixture *x = start(2, 7, 6, second);
  for (int i = 0; i < 2; i++) x->syn.c_theta[i] = 0.3;
  for (int a = 0; a < 7; a++) x->syn.delta_max[a] = 3.0;
  x->drive = 0.02;
  x->law[0] = (mw_rom_law){ .field = 0,
                            .coulomb = 0.002,
                            .stiction = 0.003,
                            .stribeck = 0.02,
                            .smooth = 0.01,
                            .lo = -INFINITY,
                            .hi = INFINITY,
                            .soft = 1.0 };
  x->law[1] = (mw_rom_law){ .field = SYN_N_Y - 1,
                            .stribeck = 1.0,
                            .smooth = 1.0,
                            .lo = -INFINITY,
                            .hi = 0.01,
                            .stiffness = 3.0,
                            .damping = 0.1,
                            .soft = 1e-3 };
  x->syn.rom.n_law = 2;
  x->syn.rom.law = x->law;
  set_names(x, "2 modes: a \"test\" */ ?\?/");
  return x;
}

export_fixture *export_fixture_table(void) { return make_table(false); }

export_fixture *export_fixture_second(void) { return make_table(true); }

// Fields first … first + n - 1 as a train over axes 1 and 2: rank 1 of the constant record, and a
// small random rest.
static void set_train(export_fixture *x, mw_rom_train *t, int first, int n, uint64_t *seed)
{
  enum { RANK = 3 };
  const mw_rom *r = &x->syn.rom;
  size_t k1 = (size_t)mw_rom_n_knot(r, 1), k2 = (size_t)mw_rom_n_knot(r, 2);
  double *c1 = mw_arena_f64(&x->mem, k1 * RANK), *c2 = mw_arena_f64(&x->mem, k2 * RANK * RANK);
  double *field = mw_arena_f64(&x->mem, (size_t)(RANK * n));
  for (size_t k = 0; k < k1 * RANK; k++) c1[k] = k % RANK == 0 ? 1.0 : 0.1 * synthetic_random(seed);
  for (size_t k = 0; k < k2 * RANK * RANK; k++)
    c2[k] = k % (RANK * RANK) == 0 ? 1.0 : 0.1 * synthetic_random(seed);
  for (int k = 0; k < n; k++) {
    field[k] = x->syn.coef[first + k];
    for (int q = 1; q < RANK; q++) field[q * n + k] = 0.1 * field[k] * synthetic_random(seed);
  }
  *t = (mw_rom_train){ .first = first,
                       .n_field = n,
                       .rank = { 0, RANK, RANK },
                       .core = { NULL, c1, c2 },
                       .field = field };
}

export_fixture *export_fixture_trains(void)
{
  export_fixture *x = start(3, 5, 5, false);
  x->syn.rom.slow = 7u;  // nothing is said to turn
  mw_rom *r = &x->syn.rom;
  uint64_t seed = 7;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(r));
  r->flat = 1u;
  r->cyclic = r->symmetric = 2u;
  set_train(x, &x->train[0], 0, l.K, &seed);
  set_train(x, &x->train[1], l.K, l.n - l.K, &seed);
  r->coef = NULL;
  r->n_train = 2;
  r->train = x->train;
  for (int k = 0; k < r->s * r->n_y; k++) {
    x->y_slope[k] = synthetic_random(&seed);
    x->y_shift[k] = synthetic_random(&seed);
    x->mirror_y[k] = synthetic_random(&seed) < 0.0 ? -1 : 1;
  }
  for (int k = 0; k < r->s * r->m; k++) x->mirror[k] = synthetic_random(&seed) < 0.0 ? -1 : 1;
  r->y_slope = x->y_slope;
  r->y_shift = x->y_shift;
  r->mirror = x->mirror;
  r->mirror_y = x->mirror_y;
  x->drive = 0.6;
  set_names(x, "trains");
  return x;
}

void export_fixture_free(export_fixture *x)
{
  synthetic_free(&x->syn);
  free(x->sens);
  mw_arena_free(&x->mem);
  free(x);
}

// ---- folders and compilers ----------------------------------------------------------------------

void export_folder_make(char dir[FIX_PATH])
{
  const char *tmp = getenv("TMPDIR");
  snprintf(dir, FIX_PATH, "%s/modeway-export-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!MW_CHECK(mkdtemp(dir) != NULL)) exit(EXIT_FAILURE);
}

void export_folder_remove(const char *dir)
{
  char path[2 * FIX_PATH];
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    snprintf(path, sizeof path, "%s/%.200s", dir, e->d_name);
    if (e->d_name[0] != '.') (void)unlink(path);
  }
  if (d) (void)closedir(d);
  (void)rmdir(dir);
}

bool export_has_compiler(const char *cc)
{
  char line[FIX_PATH];
  snprintf(line, sizeof line, "command -v %s > /dev/null 2>&1", cc);
  return system(line) == 0;
}

int export_compile(const char *dir, const char *cc, const char *flags, const char *sources,
                   const char *library)
{
#ifdef MW_TEST_CC
  static const char *const last = "-O0";
#else
  static const char *const last = "";
#endif
  char line[4 * FIX_PATH];
  snprintf(line, sizeof line,
           "cd '%s' && %s %s %s -Wall -Wextra -Werror -fPIC -shared -o %s %s -lm", dir, cc, flags,
           last, library, sources);
  return system(line);
}

void *export_load(const char *dir, const char *library)
{
  char path[2 * FIX_PATH];
  snprintf(path, sizeof path, "%s/%s", dir, library);
  void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!MW_CHECK(h != NULL)) printf("%s\n", dlerror());
  return h;
}

void export_symbol(void *library, const char *name, void *out)
{
  void *p = library ? dlsym(library, name) : NULL;
  if (!MW_CHECK(p != NULL)) {
    printf("%s is missing\n", name);
    exit(EXIT_FAILURE);
  }
  memcpy(out, &p, sizeof p);
}
