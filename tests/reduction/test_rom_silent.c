// SPDX-License-Identifier: BSD-3-Clause
// test_rom_silent.c: the loop of a controller allocates nothing and asks nothing of the operating
// system.
//
// Memory: malloc and its kin are wrapped by the linker and counted between two marks. System: a
// child process enters the kernel's strict mode (seccomp), in which every system call but read,
// write and exit ends it, and then makes the steps. Both traps are shown to close first.
#define _DEFAULT_SOURCE
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mw_test.h"
#include "rom_synthetic.h"

#if defined(__SANITIZE_ADDRESS__)
enum { N_STEP = 5000 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { N_STEP = 5000 };
#else
enum { N_STEP = 100000 };
#endif
#else
enum { N_STEP = 100000 };
#endif
enum {
  S = 2,
  M = 10,
  N = S + M,
  FEW = N_STEP / 20,
  N_ROLLOUT = 19,
  N_BATCH_STEP = 50,
  N_HORIZON = 20
};

// ---- malloc and its kin -------------------------------------------------------------------------

static volatile int n_alloc;  // compilers take malloc for a function that changes nothing they know
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void __wrap_free(void *p);

void *__wrap_malloc(size_t size)
{
  n_alloc++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  n_alloc++;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
  n_alloc++;
  return __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
  n_alloc++;
  return __real_aligned_alloc(align, size);
}

void __wrap_free(void *p)
{
  n_alloc++;
  __real_free(p);
}

// ---- the loop -----------------------------------------------------------------------------------

typedef struct loop {
  synthetic syn;
  double start[2 * N], x[2 * N], acc[N], x_x[4 * N * N], x_u[2 * N * SYN_N_U], acc_x[2 * N * N],
      acc_u[N * SYN_N_U], y[SYN_N_Y], y_dot[SYN_N_Y];
  double path[(N_HORIZON + 1) * 2 * N], path_u[N_HORIZON * SYN_N_U], g_x[(N_HORIZON + 1) * 2 * N],
      g_u[N_HORIZON * SYN_N_U], lambda[2 * N];
  double batch_u[N_ROLLOUT * N_BATCH_STEP * SYN_N_U], batch_x[N_ROLLOUT * 2 * N];
  mw_rom_code code[N_ROLLOUT];
  int done[N_ROLLOUT];
  void *work, *batch_work;
} loop;

// Damped patterns of 20 to 2,000 Hz that begin bent; the motion stays in the box for the 200 steps
// it is let run.
static bool loop_init(loop *l)
{
  memset(l, 0, sizeof *l);
  if (!synthetic_make(S, M, 9, 125.0, 12500.0, 0.01, 0.02, &l->syn)) return false;
  for (int i = 0; i < S; i++) l->start[N + i] = 0.5 - 0.3 * i;
  for (int a = 0; a < M; a++) l->start[S + a] = 1e-3 / (1 + a);
  for (int k = 0; k < N_ROLLOUT; k++)
    memcpy(l->batch_x + (size_t)k * 2 * N, l->start, sizeof l->start);
  l->work = aligned_alloc(64, mw_rom_sens_bytes(&l->syn.rom));
  l->batch_work = aligned_alloc(64, mw_rom_batch_bytes(&l->syn.rom));
  return l->work && l->batch_work;
}

static void loop_free(loop *l)
{
  free(l->work);
  free(l->batch_work);
  synthetic_free(&l->syn);
}

// Everything a controller may call; returns how many calls failed.
static int loop_run(loop *l)
{
  enum { TURN = 200 };
  const mw_rom *rom = &l->syn.rom;
  const double u[SYN_N_U] = { 1.0, -0.5 };
  double T, V, lost;
  int bad = 0;
  mw_rom_info info;
  mw_rom_opt opt = mw_rom_opt_default();
  for (int method = 0; method < MW_ROM_N_METHOD; method++) {
    int n = method == MW_ROM_EXPONENTIAL ? N_STEP : FEW;
    double h = method == MW_ROM_RK4 ? 1e-4 : 1e-3;
    opt.method = (mw_rom_method)method;
    for (int k = 0; k < n; k++) {
      if (k % TURN == 0) memcpy(l->x, l->start, sizeof l->x);
      bad += mw_rom_step(
                 &(mw_rom_call){
                     .rom = rom, .opt = &opt, .h = h, .u = u, .work = l->work, .info = &info },
                 l->x) != MW_ROM_OK;
      if (k % (n / FEW) != 0) continue;
      bad += mw_rom_rhs(
                 &(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = l->work, .info = &info },
                 l->x, l->acc) != MW_ROM_OK;
      bad += mw_rom_outputs(rom, l->x, l->y, l->y_dot, l->work, &info) != MW_ROM_OK;
      bad +=
          mw_rom_energy(&(mw_rom_call){ .rom = rom, .opt = &opt, .work = l->work, .info = &info },
                        l->x, &T, &V, &lost) != MW_ROM_OK;
      bad += mw_rom_jacobian(
                 &(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = l->work, .info = &info },
                 l->x, l->acc, l->acc_x, l->acc_u) != MW_ROM_OK;
      memcpy(l->acc_x, l->x, sizeof l->x);  // a step with derivatives from here, the motion goes on
      bad += mw_rom_step_sens(
                 &(mw_rom_call){
                     .rom = rom, .opt = &opt, .h = h, .u = u, .work = l->work, .info = &info },
                 l->acc_x, l->x_x, l->x_u) != MW_ROM_OK;
    }
  }
  opt.method = MW_ROM_EXPONENTIAL;
  memcpy(l->path, l->start, sizeof l->start);
  for (int k = 0; k < N_HORIZON; k++) {
    double *x = l->path + (size_t)(k + 1) * 2 * N;
    memcpy(x, x - 2 * N, sizeof l->start);
    bad += mw_rom_step(&(mw_rom_call){ .rom = rom,
                                       .opt = &opt,
                                       .h = 1e-3,
                                       .u = l->path_u,
                                       .work = l->work,
                                       .info = &info },
                       x) != MW_ROM_OK;
  }
  bad +=
      mw_rom_adjoint(
          &(mw_rom_call){
              .rom = rom, .opt = &opt, .h = 1e-3, .u = l->path_u, .work = l->work, .info = &info },
          N_HORIZON, l->path, l->g_x, l->g_u, l->lambda) != MW_ROM_OK;
  const mw_rom_batch b = { N_BATCH_STEP, 1e-3, l->batch_u, l->batch_x, NULL, l->code, l->done };
  mw_rom_batch_run(rom, &opt, &b, 0, N_ROLLOUT, l->batch_work);
  for (int k = 0; k < N_ROLLOUT; k++) bad += l->code[k] != MW_ROM_OK;
  return bad;
}

static void the_loop_allocates_nothing(void)
{
  loop *l = malloc(sizeof *l);
  if (!MW_CHECK(l && loop_init(l))) return;
  int before = n_alloc;
  void *volatile p = malloc(8);          // else the compiler leaves it out
  MW_CHECK(p && n_alloc == before + 1);  // the trap closes
  free(p);
  before = n_alloc;
  int bad = loop_run(l), after = n_alloc;
  MW_CHECK(bad == 0);
  MW_CHECK(after == before);
  loop_free(l);
  free(l);
}

// ---- strict mode --------------------------------------------------------------------------------

enum { ALL_WELL = 0, CALLS_FAILED = 3, NO_STRICT_MODE = 4 };

// Ends a child by the one call that strict mode leaves it, which is not that of _exit.
static void leave(int status)
{
  (void)syscall(SYS_exit, status);
  _exit(status);
}

// Runs the loop (l NULL: a harmless system call instead) in a child in strict mode; its status as
// of waitpid.
static int in_strict_mode(loop *l)
{
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) leave(NO_STRICT_MODE);
    int bad = 0;
    if (l)
      bad = loop_run(l);
    else
      (void)syscall(SYS_getppid);
    leave(bad == 0 ? ALL_WELL : CALLS_FAILED);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return status;
}

static void the_loop_makes_no_system_call(void)
{
  int trap = in_strict_mode(NULL);
  MW_CHECK(WIFSIGNALED(trap) && WTERMSIG(trap) == SIGKILL);  // the trap closes
  loop *l = malloc(sizeof *l);
  if (!MW_CHECK(l && loop_init(l))) return;
  int status = in_strict_mode(l);
  MW_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == ALL_WELL);
  loop_free(l);
  free(l);
}

static const mw_test_case cases[] = {
  { "the_loop_allocates_nothing", the_loop_allocates_nothing },
  { "the_loop_makes_no_system_call", the_loop_makes_no_system_call },
};

int main(void) { return mw_test_run("rom_silent", cases, (int)(sizeof cases / sizeof *cases)); }
