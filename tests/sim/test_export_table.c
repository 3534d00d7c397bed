// SPDX-License-Identifier: BSD-3-Clause
// test_export_table.c: reduced models as blocks of bytes: read back as they were, by the library
// and by the text that goes with them, bit for bit; damaged, cut, and nonsense under a right
// digest.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_export.h"
#include "mw_test.h"
#include "rom/flat.h"

enum { N_STEP = 2000, MAX_X = 2 * (MW_ROM_MAX_S + SYN_MAX_M), FIRST = 32 };

typedef struct block {
  char *bytes;  // as exported, on a multiple of 8
  size_t n;
  void *memory;
  const mw_rom_flat *flat;
} block;

// Reads bytes [n] into b, which borrows them.
static mw_rom_flat_code read_block(char *bytes, size_t n, block *b)
{
  size_t size = 0;
  *b = (block){ .bytes = bytes, .n = n };
  mw_rom_flat_code code = mw_rom_flat_open(bytes, n, NULL, &size, &b->flat);
  if (code != MW_FLAT_OK) return code;
  b->memory = malloc(size);
  if (!MW_CHECK(b->memory != NULL)) exit(EXIT_FAILURE);
  code = mw_rom_flat_open(bytes, n, b->memory, &size, &b->flat);
  return code;
}

static bool make(const export_fixture *x, block *b)
{
  mw_error err = { 0 };
  char *bytes = NULL;
  size_t n = 0;
  if (!MW_OKAY(mw_export_block(&x->f, &bytes, &n, &err))) return false;
  return MW_CHECK(read_block(bytes, n, b) == MW_FLAT_OK);
}

static void free_block(block *b)
{
  free(b->memory);
  free(b->bytes);
}

static void start_state(const mw_rom *r, double *x)
{
  for (int k = 0; k < 2 * (r->s + r->m); k++) x[k] = 0.0;
  for (int i = 0; i < r->s; i++) x[i] = 0.1 + 0.2 * i;
  for (int a = 0; a < r->m; a++) x[r->s + a] = 1e-3 / (1.0 + a);
}

static void drive(const export_fixture *x, int k, double *u)
{
  for (int i = 0; i < x->f.rom.n_u; i++) u[i] = x->drive * ((k / 50 + i) % 4 < 2 ? 1.0 : -1.0);
}

// ---- as it was ----------------------------------------------------------------------------------

static void run_both(const export_fixture *x, const mw_rom *other)
{
  mw_rom_opt opt = mw_rom_opt_default();
  const mw_rom *r = &x->f.rom;
  double a[MAX_X], b[MAX_X], u[SYN_N_U];
  int n = r->s + r->m;
  mw_rom_code ca = MW_ROM_OK, cb = MW_ROM_OK;
  opt.inertia = x->f.inertia;
  start_state(r, a);
  start_state(r, b);
  bool same = true;
  int k = 0;
  for (; same && ca == MW_ROM_OK && k < N_STEP; k++) {
    drive(x, k, u);
    mw_rom_call call = { .rom = r, .opt = &opt, .h = 1e-3, .u = u, .work = x->sens };
    ca = mw_rom_step(&call, a);
    call.rom = other;
    cb = mw_rom_step(&call, b);
    same = ca == cb && memcmp(a, b, sizeof(double) * 2 * (size_t)n) == 0;
  }
  MW_CHECK(same && k > 300);
}

static void check_names(const mw_rom_file *f, const mw_rom_flat *flat)
{
  int n_x = 2 * (f->rom.s + f->rom.m);
  char text[64];
  MW_CHECK(strcmp(mw_rom_flat_name(flat, 0), f->model_name) == 0);
  MW_CHECK(strcmp(mw_rom_flat_name(flat, 1), f->coordinate[0]) == 0);
  MW_CHECK(strcmp(mw_rom_flat_name(flat, 1 + f->rom.s), f->column[0]) == 0);
  snprintf(text, sizeof text, "rate of %s", f->coordinate[0]);
  MW_CHECK(strcmp(mw_rom_flat_name(flat, 1 + n_x / 2), text) == 0);
  MW_CHECK(strcmp(mw_rom_flat_name(flat, 1 + n_x), f->unit[0]) == 0);
  MW_CHECK(strcmp(mw_rom_flat_name(flat, 1 + 2 * n_x), f->input[0]) == 0);
  MW_CHECK(strcmp(mw_rom_flat_name(flat, 1 + 2 * n_x + f->rom.n_u), f->field[0]) == 0);
}

static void models_are_read_back_as_they_were(void)
{
  export_fixture *(*const of[])(void) = { export_fixture_table, export_fixture_second,
                                          export_fixture_trains };
  for (int k = 0; k < 3; k++) {
    export_fixture *x = of[k]();
    block b = { 0 };
    if (make(x, &b)) {
      run_both(x, &b.flat->rom);
      check_names(&x->f, b.flat);
      MW_CHECK(b.flat->inertia == x->f.inertia);
      MW_CHECK(mw_rom_bytes(&b.flat->rom) == mw_rom_bytes(&x->f.rom));
    }
    free_block(&b);
    export_fixture_free(x);
  }
}

// ---- the text that goes with it -----------------------------------------------------------------

typedef int (*open_fn)(const void *bytes, size_t n, void *memory, size_t *size, const void **out);
typedef int (*step_fn)(const void *rom, double h, const double *u, double *x, double *work,
                       int *blame);
typedef const char *(*name_fn)(const void *rom, int k);

static void run_text(const export_fixture *x, void *library, block *b)
{
  enum { WORK = 1 << 16 };
  static double work[WORK];
  const mw_rom *r = &x->f.rom;
  mw_rom_opt opt = mw_rom_opt_default();
  double a[MAX_X], c[MAX_X], u[SYN_N_U];
  open_fn open_rom;
  step_fn step;
  name_fn y_name;
  const void *rom = NULL;
  size_t size = 0;
  int n = r->s + r->m, blame;
  export_symbol(library, "modeway_rom_open", &open_rom);
  export_symbol(library, "modeway_rom_step", &step);
  export_symbol(library, "modeway_rom_y_name", &y_name);
  MW_CHECK(open_rom(b->bytes, b->n, NULL, &size, &rom) == 0 && size > 0);
  MW_CHECK(open_rom(b->bytes, b->n, b->memory, &size, &rom) == 0 && rom != NULL);
  if (!rom) return;
  MW_CHECK(strcmp(y_name(rom, 1), x->f.field[1]) == 0);
  start_state(r, a);
  start_state(r, c);
  mw_rom_code code = MW_ROM_OK;
  bool same = true;
  int k = 0;
  opt.inertia = x->f.inertia;
  for (; same && code == MW_ROM_OK && k < N_STEP; k++) {
    drive(x, k, u);
    mw_rom_call call = { .rom = r, .opt = &opt, .h = 1e-3, .u = u, .work = x->sens };
    code = mw_rom_step(&call, a);
    same = step(rom, 1e-3, u, c, work + k % 8, &blame) == (int)code &&
           (blame == -1) == (code == MW_ROM_OK) &&
           memcmp(a, c, sizeof(double) * 2 * (size_t)n) == 0;
  }
  MW_CHECK(same && k > 300);
}

static void the_text_that_goes_with_tables_steps_as_the_library(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_export_list list;
  mw_export_opt opt = mw_export_opt_default();
  export_fixture *(*const of[])(void) = { export_fixture_second, export_fixture_trains };
  char dir[FIX_PATH];
  void *library = NULL;
  opt.name = "it";
  export_folder_make(dir);
  for (int k = 0; k < 2; k++) {
    export_fixture *x = of[k]();
    block b = { 0 };
    bool good = MW_OKAY(mw_export_table(&x->f, &opt, dir, &mem, &list, &err));
    MW_CHECK(list.n == 7);
    // one text for all models
    if (good && !library &&
        MW_CHECK(export_compile(dir, "cc", "-std=c99 -O1", "modeway_rom.c", "it.so") == 0))
      library = export_load(dir, "it.so");
    if (good && library && make(x, &b)) run_text(x, library, &b);
    free_block(&b);
    export_fixture_free(x);
  }
  if (library) (void)dlclose(library);
  export_folder_remove(dir);
  mw_arena_free(&mem);
}

// ---- broken ones --------------------------------------------------------------------------------

static void sign_anew(char *bytes, size_t n)
{
  unsigned long long digest = mw_rom_flat_digest(MW_FLAT_SEED, bytes + FIRST, n - FIRST);
  uint64_t size = n, word = digest;
  memcpy(bytes + 16, &size, sizeof size);
  memcpy(bytes + 24, &word, sizeof word);
}

static void cut_and_flipped_tables_are_refused(void)
{
  enum { N_FLIP = 2000, N_CUT = 300 };
  export_fixture *x = export_fixture_trains();
  block b = { 0 }, other;
  uint64_t seed = 1;
  if (make(x, &b)) {
    for (int k = 0; k < N_CUT; k++) {
      size_t n = k < 64 ? (size_t)k : b.n - 1 - (b.n - 65) / N_CUT * (size_t)(k - 64);
      char *part = malloc(n ? n : 1);  // so that what is read beyond it is seen
      if (!MW_CHECK(part != NULL)) break;
      memcpy(part, b.bytes, n);
      mw_rom_flat_code code = read_block(part, n, &other);
      MW_CHECK(code == (n < FIRST ? MW_FLAT_FOREIGN : MW_FLAT_CUT));
      free(part);
    }
    for (int k = 0; k < N_FLIP; k++) {
      size_t bit = (size_t)(fabs(synthetic_random(&seed)) * 8.0 * (double)b.n) % (8 * b.n);
      b.bytes[bit / 8] ^= (char)(1 << bit % 8);
      mw_rom_flat_code code = read_block(b.bytes, b.n, &other);
      MW_CHECK(code != MW_FLAT_OK && *mw_rom_flat_code_name(code));
      b.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
  }
  free_block(&b);
  export_fixture_free(x);
}

// Numbers of the head and behind it changed at random, signed as if they were meant: refused, or a
// model that steps without reading what is not there.
static void nonsense_under_a_right_digest_is_read_within_its_bytes(void)
{
  enum { N_TRY = 3000, N_HEAD = 27 };
  static const int value[] = { -1,  0,   1,    2,       3,       5,         6,        7,
                               100, 513, 4096, 1 << 20, 1 << 30, INT32_MAX, INT32_MIN };
  enum { N_VALUE = sizeof value / sizeof *value };
  export_fixture *(*const of[])(void) = { export_fixture_trains, export_fixture_second };
  int refused = 0, read = 0;
  for (int which = 0; which < 2; which++) {
    export_fixture *x = of[which]();
    block b = { 0 }, other = { 0 };
    uint64_t seed = 7;
    mw_rom_opt opt = mw_rom_opt_default();
    bool good = make(x, &b);
    char *bytes = malloc(b.n);
    for (int k = 0; good && bytes && k < N_TRY; k++) {
      memcpy(bytes, b.bytes, b.n);
      for (int twice = 0; twice <= k % 2; twice++) {
        double at = fabs(synthetic_random(&seed)), what = fabs(synthetic_random(&seed));
        size_t words = k % 3 ? N_HEAD : (b.n - FIRST) / 4;
        int v = value[(int)(what * N_VALUE) % N_VALUE];
        memcpy(bytes + FIRST + 4 * ((size_t)(at * (double)words) % words), &v, sizeof v);
      }
      sign_anew(bytes, b.n);
      mw_rom_flat_code code = read_block(bytes, b.n, &other);
      refused += code != MW_FLAT_OK;
      if (code == MW_FLAT_OK) {
        const mw_rom *r = &other.flat->rom;
        double state[MAX_X] = { 0 }, u[64] = { 0 };
        read++;
        if (r->s + r->m <= MW_ROM_MAX_S + SYN_MAX_M && r->n_u <= 64) {
          void *work = aligned_alloc(64, mw_rom_work_bytes(r));
          mw_rom_call call = { .rom = r, .opt = &opt, .h = 1e-3, .u = u, .work = work };
          if (work) (void)mw_rom_step(&call, state);
          free(work);
        }
      }
      free(other.memory);
      other.memory = NULL;
    }
    free(bytes);
    free_block(&b);
    export_fixture_free(x);
  }
  MW_CHECK(refused > N_TRY && read > 0 && refused + read == 2 * N_TRY);
}

static void memory_is_asked_for_and_checked(void)
{
  export_fixture *x = export_fixture_table();
  block b = { 0 };
  const mw_rom_flat *flat = NULL;
  if (make(x, &b)) {
    size_t size = 0;
    MW_CHECK(mw_rom_flat_open(b.bytes, b.n, NULL, &size, &flat) == MW_FLAT_OK && size > 0);
    size--;
    MW_CHECK(mw_rom_flat_open(b.bytes, b.n, b.memory, &size, &flat) == MW_FLAT_MEMORY);
    char *odd = malloc(b.n + 8);
    if (MW_CHECK(odd != NULL)) {
      memcpy(odd + 4, b.bytes, b.n);
      MW_CHECK(mw_rom_flat_open(odd + 4, b.n, NULL, &size, &flat) == MW_FLAT_UNALIGNED);
    }
    free(odd);
    b.bytes[8]++;
    MW_CHECK(mw_rom_flat_open(b.bytes, b.n, NULL, &size, &flat) == MW_FLAT_NEWER);
  }
  free_block(&b);
  export_fixture_free(x);
}

static const mw_test_case cases[] = {
  { "models_are_read_back_as_they_were", models_are_read_back_as_they_were },
  { "the_text_that_goes_with_tables_steps_as_the_library",
    the_text_that_goes_with_tables_steps_as_the_library },
  { "cut_and_flipped_tables_are_refused", cut_and_flipped_tables_are_refused },
  { "nonsense_under_a_right_digest_is_read_within_its_bytes",
    nonsense_under_a_right_digest_is_read_within_its_bytes },
  { "memory_is_asked_for_and_checked", memory_is_asked_for_and_checked },
};

int main(void) { return mw_test_run("export_table", cases, (int)(sizeof cases / sizeof *cases)); }
