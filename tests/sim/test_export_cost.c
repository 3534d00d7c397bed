// SPDX-License-Identifier: BSD-3-Clause
// test_export_cost.c: what COST.md of exported C says, against the exported C itself: stack that
// calls were seen to use, bytes that its object has, operations at states of our own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <ucontext.h>

#include "bench/bench_export_layer.h"
#include "fixture_export.h"
#include "mw_test.h"

enum { PAINTED = 1 << 20, PAINT = 0xa5 };  // bytes

typedef int (*step_fn)(double h, const double *u, double *x, double *work, int *blame);

typedef struct rig {
  export_fixture *x;
  char dir[FIX_PATH];
  mw_bench_export cost;
  mw_arena mem;
} rig;

static bool make_rig(export_fixture *x, rig *r)
{
  mw_error err = { 0 };
  mw_export_list list = { 0 };
  mw_export_opt opt = mw_export_opt_default();
  *r = (rig){ .x = x };
  export_folder_make(r->dir);
  opt.name = "gadget";
  return MW_CHECK(x != NULL) && MW_OKAY(mw_export_c(&x->f, &opt, r->dir, &r->mem, &list, &err)) &&
         MW_OKAY(mw_bench_export_count(&x->f, "gadget", NULL, &r->mem, &r->cost, &err));
}

static void free_rig(rig *r)
{
  export_folder_remove(r->dir);
  export_fixture_free(r->x);
  mw_arena_free(&r->mem);
}

static long long total(mw_flops f) { return f.add + f.mul + f.div + f.root; }

// ---- operations ---------------------------------------------------------------------------------

// At states that are not those of the table: the middle and the thirds, at rest and moving.
static void check_counts(export_fixture *x)
{
  static const mw_count_call call[MW_BENCH_COUNTED] = { MW_COUNT_RHS, MW_COUNT_EXPONENTIAL,
                                                        MW_COUNT_JACOBIAN, MW_COUNT_SENS };
  rig r;
  if (!make_rig(x, &r)) return;
  const mw_rom *rom = &x->f.rom;
  mw_rom_opt opt = mw_rom_opt_default();
  opt.inertia = x->f.inertia;
  double *state = mw_arena_f64(&r.mem, 2 * (size_t)(rom->s + rom->m)),
         *u = mw_arena_f64(&r.mem, (size_t)rom->n_u);
  for (int k = 0; k < 6 && !r.mem.failed; k++) {
    for (int i = 0; i < rom->s; i++) {
      state[i] = rom->lo[i] + (rom->hi[i] - rom->lo[i]) * (0.25 + 0.1 * (k % 3 + i));
      state[rom->s + rom->m + i] = k < 3 ? 0.0 : 0.01 * (rom->hi[i] - rom->lo[i]);
    }
    for (int c = 0; c < MW_BENCH_COUNTED; c++) {
      mw_flops n;
      mw_error err = { 0 };
      // the step of the table is 1 ms: the count does not hang on it
      if (!MW_OKAY(mw_count_flops(rom, &opt, call[c], 2e-4, state, u, &n, &err))) continue;
      MW_CHECK(total(n) <= total(r.cost.call[c].most));
      MW_CHECK(total(n) >= total(r.cost.call[c].least));
    }
  }
  free_rig(&r);
}

static void counts_of_the_table_hold_at_other_states(void)
{
  check_counts(export_fixture_trains());
  check_counts(export_fixture_second());
}

// ---- stack --------------------------------------------------------------------------------------

// makecontext hands over int alone
static struct stack_run {
  step_fn step;  // NULL: nothing is called
  double *x, *work, *u;
  ucontext_t back, own;
} run;

static void on_own_stack(void)
{
  if (run.step) (void)run.step(1e-3, run.u, run.x, run.work, NULL);
}

// Bytes that a call writes below where its stack begins.
static long stack_used(step_fn step)
{
  unsigned char *stack = malloc(PAINTED);
  long left = 0;
  if (!MW_CHECK(stack != NULL)) return -1;
  memset(stack, PAINT, PAINTED);
  run.step = step;
  getcontext(&run.own);
  run.own.uc_stack.ss_sp = stack;
  run.own.uc_stack.ss_size = PAINTED;
  run.own.uc_link = &run.back;
  makecontext(&run.own, on_own_stack, 0);
  MW_CHECK(swapcontext(&run.back, &run.own) == 0);
  while (left < PAINTED && stack[left] == PAINT) left++;
  free(stack);
  return PAINTED - left;
}

// The step as the compiler made it for this processor, on a stack of its own. The bound holds, and
// is not far off: frames that a call does not reach are all that it may have too much of, and the
// step goes through the largest, the tables' (half is asked for). With sanitizers what is loaded is
// another program: then the bound alone is looked at.
static void check_used(rig *r, const char *compiler, long bound)
{
#ifdef MW_TEST_CC
  (void)r;
  (void)compiler;
  (void)bound;
  (void)stack_used;
#else
  static const double SHARE = 0.5;
  const mw_rom *rom = &r->x->f.rom;
  step_fn step;
  run.u = mw_arena_f64(&r->mem, (size_t)rom->n_u + 1);
  run.x = mw_arena_f64(&r->mem, 2 * (size_t)(rom->s + rom->m));
  run.work = mw_arena_f64(&r->mem, r->cost.work);
  if (!MW_CHECK(!r->mem.failed) || !MW_CHECK(export_compile(r->dir, compiler, "-O2 -march=x86-64",
                                                            "gadget.c", "gadget.so") == 0))
    return;
  void *lib = export_load(r->dir, "gadget.so");
  export_symbol(lib, "gadget_step", &step);
  for (int i = 0; i < rom->s; i++) run.x[i] = 0.5 * (rom->lo[i] + rom->hi[i]);
  (void)stack_used(step);  // the loader finds libm's functions in the first call, on this stack
  long used = stack_used(step) - stack_used(NULL);
  printf("  step of %d coordinates: %ld bytes of stack, bound %ld\n", rom->s, used, bound);
  MW_CHECK(used <= bound);
  MW_CHECK((double)used >= SHARE * (double)bound);
#endif
}

static void check_stack(export_fixture *x)
{
  rig r;
  mw_error err = { 0 };
  if (!make_rig(x, &r)) return;
  const mw_bench_object *o = &r.cost.object[0];
  MW_OKAY(mw_bench_export_compile(r.dir, "x86-64", &r.mem, &r.cost, &err));
  if (o->compiler && MW_CHECK(!o->failed)) {
    for (int c = 0; c < MW_BENCH_CALLS; c++) MW_CHECK(o->stack[c] > 0);
    MW_CHECK(o->flash > 0 && o->ram >= 0);
    check_used(&r, o->compiler, o->stack[1]);
  }
  free_rig(&r);
}

static void stack_of_a_step_keeps_the_bound(void) { check_stack(export_fixture_trains()); }

// ---- text ---------------------------------------------------------------------------------------

// A processor without a compiler is named, and its places are left empty.
static void table_names_what_is_missing(void)
{
  char *text = NULL;
  size_t n = 0;
  mw_bench_export b = { .name = "gadget", .n_state = 1, .n_object = 1, .work = 10, .sens = 20 };
  b.object[0] = (mw_bench_object){ .processor = "Cortex-A53" };
  FILE *f = open_memstream(&text, &n);
  if (!MW_CHECK(f != NULL)) return;
  mw_bench_export_print(&b, f);
  fclose(f);
  MW_CHECK(strstr(text, "| Cortex-A53, double | no gcc for it here | | | 80 | 160 |") != NULL);
  b.object[0].compiler = "gcc";
  b.object[0].stack[1] = -1;
  free(text);
  text = NULL;
  f = open_memstream(&text, &n);
  if (!MW_CHECK(f != NULL)) return;
  mw_bench_export_print(&b, f);
  fclose(f);
  MW_CHECK(strstr(text, "| 0 | no bound | 0 |") != NULL);
  free(text);
}

static const mw_test_case cases[] = {
  { "counts_of_the_table_hold_at_other_states", counts_of_the_table_hold_at_other_states },
  { "stack_of_a_step_keeps_the_bound", stack_of_a_step_keeps_the_bound },
  { "table_names_what_is_missing", table_names_what_is_missing },
};

int main(void) { return mw_test_run("export_cost", cases, (int)(sizeof cases / sizeof *cases)); }
