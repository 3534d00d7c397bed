// SPDX-License-Identifier: BSD-3-Clause
// Rollouts of rom_cuda.cu on the host's stand-in for a device: the very text that nvcc compiles. On
// a device: tests/bench/bench_cuda.c.
#include "cuda_on_host.h"

#include "../../reduction/rom/cuda/rom_cuda.cu"

#include "mw_test.h"
#include "rom_kinds.h"

enum { N_ROLL = 21, N_STEP = 6, MAX_X = 2 * (3 + 10), MAX_U = N_ROLL * N_STEP * SYN_N_U };

// Rollouts of one model.
typedef struct rolls {
  double x[N_ROLL * MAX_X], path[N_ROLL * N_STEP * MAX_X];
  mw_rom_code code[N_ROLL];
  int done[N_ROLL];
} rolls;

// Starts and inputs: one rollout out of the box, one with an input that is not finite.
static void set_rolls(const mw_rom *rom, rolls *r, double *u)
{
  size_t nx = 2 * (size_t)(rom->s + rom->m), nu = (size_t)rom->n_u;
  uint64_t seed = 5;
  memset(r, 0, sizeof *r);
  for (size_t k = 0; k < N_ROLL; k++) kind_random_state(rom, &seed, r->x + k * nx);
  for (size_t k = 0; k < N_ROLL * N_STEP * nu; k++) u[k] = synthetic_random(&seed);
  if (!(rom->cyclic & 1u)) r->x[4 * nx] = 5.0;
  u[(9 * N_STEP + 3) * nu] = NAN;
  for (size_t k = 0; k < N_ROLL * N_STEP * nx; k++) r->path[k] = (double)k;  // what stays
}

static mw_rom_batch batch_of(rolls *r, const double *u, bool with_path)
{
  return (mw_rom_batch){ N_STEP, 1e-3, u, r->x, with_path ? r->path : NULL, r->code, r->done };
}

static void check_same(const mw_rom *rom, const rolls *got, const rolls *want)
{
  int nx = 2 * (rom->s + rom->m);
  MW_SAME_BITS(got->x, want->x, N_ROLL * nx);
  MW_SAME_BITS(got->path, want->path, N_ROLL * N_STEP * nx);
  for (int k = 0; k < N_ROLL; k++)
    MW_CHECK(got->code[k] == want->code[k] && got->done[k] == want->done[k]);
}

// The host's model is spoiled between open and run: whatever still looked at it would differ.
static void spoil(rom_kind *m)
{
  size_t n = (size_t)m->rom.n_field;
  for (int i = 0; i < m->rom.s; i++) n *= (size_t)mw_rom_n_knot(&m->rom, i);
  for (size_t k = 0; k < n; k++) m->syn.coef[k] = NAN;
  for (int k = 0; k < MW_ROM_MAX_S * SYN_N_Y; k++) m->slope[k] = m->shift[k] = NAN;
  memset(m->sign, 0, sizeof m->sign);
  memset(m->sign_y, 0, sizeof m->sign_y);
  memset(m->law, 0, sizeof m->law);
  for (int c = 0; c < 2; c++)
    if (m->rom.n_train > 0) m->train[c].field = NULL;
  for (int k = 0; k < SYN_MAX_M; k++) m->syn.delta_max[k] = 0.0;
}

static void compare(int s, int n_mode, int kind, mw_rom_opt opt)
{
  static double u[MAX_U];
  static rolls want, got;
  const char *why = NULL, *name = NULL;
  rom_kind m;
  if (!MW_CHECK(kind_make(s, n_mode, 5, kind, &m))) return;
  mw_rom rom = m.rom;
  void *work = aligned_alloc(64, mw_rom_batch_bytes(&rom));
  set_rolls(&rom, &want, u);
  mw_rom_batch host = batch_of(&want, u, true), device = batch_of(&got, u, true);
  mw_rom_batch_run(&rom, &opt, &host, 0, N_ROLL, work);
  MW_CHECK(want.code[9] == MW_ROM_NAN && want.done[9] == 3 && want.code[0] == MW_ROM_OK);
  set_rolls(&rom, &got, u);
  mw_rom_cuda *gpu = mw_rom_cuda_open(&rom, &name, &why);
  if (MW_CHECK(gpu != NULL)) {
    MW_CHECK(strcmp(name, "host") == 0);
    spoil(&m);
    host_launches = 0;
    turn t;
    host_room =
        4 * lay_turn(gpu, &device, 4, NULL, &t);  // of which three quarters: some rollouts a turn
    MW_CHECK(mw_rom_cuda_batch_run(gpu, &opt, &device, 0, 8, &why) == 0);
    MW_CHECK(mw_rom_cuda_batch_run(gpu, &opt, &device, 8, N_ROLL - 8, &why) == 0);
    MW_CHECK(host_launches > 2);
    host_room = (size_t)1 << 30;
    check_same(&rom, &got, &want);
  }
  mw_rom_cuda_close(gpu);
  free(work);
  kind_free(&m);
}

static void every_kind_of_model_gives_the_bits_of_the_host(void)
{
  static const int kinds[] = { 0,
                               KIND_FLAT,
                               KIND_CYCLIC,
                               KIND_SYMMETRIC,
                               KIND_TRAIN,
                               KIND_LAWS,
                               KIND_FLAT | KIND_TRAIN | KIND_LAWS,
                               KIND_CYCLIC | KIND_SYMMETRIC,
                               KIND_SECOND,
                               KIND_SECOND | KIND_FLAT | KIND_TRAIN | KIND_LAWS };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    compare(2, 4, kinds[k], mw_rom_opt_default());
  compare(1, 6, 0, mw_rom_opt_default());
  compare(2, 10, 0, mw_rom_opt_default());
  compare(3, 3, 0, mw_rom_opt_default());
}

static void every_method_gives_the_bits_of_the_host(void)
{
  mw_rom_opt opt = mw_rom_opt_default();
  opt.inertia = MW_ROM_LEADING;
  compare(2, 4, 0, opt);
  opt = mw_rom_opt_default();
  opt.prescribed = 1;
  compare(2, 4, KIND_LAWS, opt);
  compare(2, 4, KIND_SECOND, opt);
  opt = mw_rom_opt_default();
  opt.method = MW_ROM_RK4;
  compare(2, 4, 0, opt);
  opt.method = MW_ROM_MIDPOINT;
  compare(2, 4, 0, opt);
}

static void a_device_that_fails_is_told_and_changes_nothing(void)
{
  static double u[MAX_U];
  static rolls before, got;
  rom_kind m;
  mw_rom_opt opt = mw_rom_opt_default();
  const char *why = NULL;
  if (!MW_CHECK(kind_make(2, 3, 5, 0, &m))) return;
  host_devices = 0;
  MW_CHECK(mw_rom_cuda_open(&m.rom, NULL, &why) == NULL &&
           strcmp(why, "there is no CUDA device") == 0);
  host_devices = 1;
  set_rolls(&m.rom, &before, u);
  int failures = 0;
  for (host_fail_at = 1; host_fail_at < 40; host_fail_at++) {
    host_calls = 0;
    why = NULL;
    got = before;
    mw_rom_batch device = batch_of(&got, u, false);
    mw_rom_cuda *gpu = mw_rom_cuda_open(&m.rom, NULL, &why);
    int rc = gpu ? mw_rom_cuda_batch_run(gpu, &opt, &device, 0, N_ROLL, &why) : -1;
    mw_rom_cuda_close(gpu);
    if (rc == 0) break;
    failures++;
    MW_CHECK(strcmp(why, "made to fail") == 0);
    MW_SAME_BITS(got.x, before.x, N_ROLL * 10);
  }
  MW_CHECK(failures >= 12 && failures < 39);
  host_fail_at = 0;
  // no room for one rollout
  host_room = 100;
  got = before;
  mw_rom_batch device = batch_of(&got, u, false);
  mw_rom_cuda *gpu = mw_rom_cuda_open(&m.rom, NULL, &why);
  if (MW_CHECK(gpu != NULL)) {
    MW_CHECK(mw_rom_cuda_batch_run(gpu, &opt, &device, 0, 0, &why) == 0);
    MW_CHECK(mw_rom_cuda_batch_run(gpu, &opt, &device, 0, N_ROLL, &why) == -1 &&
             strstr(why, "does not fit"));
  }
  mw_rom_cuda_close(gpu);
  host_room = (size_t)1 << 30;
  kind_free(&m);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "every_kind_of_model_gives_the_bits_of_the_host",
      every_kind_of_model_gives_the_bits_of_the_host },
    { "every_method_gives_the_bits_of_the_host", every_method_gives_the_bits_of_the_host },
    { "a_device_that_fails_is_told_and_changes_nothing",
      a_device_that_fails_is_told_and_changes_nothing },
  };
  return mw_test_run("rom_cuda", cases, (int)(sizeof cases / sizeof *cases));
}
