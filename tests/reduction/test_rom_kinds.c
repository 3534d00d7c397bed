// SPDX-License-Identifier: BSD-3-Clause
// test_rom_kinds.c: what symmetries of a model ask for, and rollouts of models of every kind.
//
// No tolerances: signs and whole turns are exact, and rollouts have the bits of steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../reduction/rom/kernel/rom_kernel.h"
#include "mw_test.h"
#include "rom_kinds.h"

enum { S = 2, M = 4, N = S + M, NX = 2 * N };

static const double u_test[SYN_N_U] = { 0.4, -0.7 };

static const rom_kernel *kernel_of(int k)
{
  return rom_kernels[k] && rom_kernel_runs(k) ? rom_kernels[k] : NULL;
}

// ---- symmetries ---------------------------------------------------------------------------------

// A state, its inputs or what it gives in the mirror of axis i: x [q or v] and signs of columns.
static void reflect(const mw_rom *rom, int i, double *v)
{
  v[i] = -v[i];
  for (int a = 0; a < rom->m; a++) v[rom->s + a] *= rom->mirror[i * rom->m + a];
}

// In the mirror a model with a symmetric axis moves as its own picture: one of the two states is
// read from the table as it is, of the other one all signs are turned.
static void a_state_in_the_mirror_has_the_accelerations_in_the_mirror(void)
{
  static const int kinds[] = { KIND_SYMMETRIC, KIND_SYMMETRIC | KIND_SECOND,
                               KIND_SYMMETRIC | KIND_SECOND | KIND_TRAIN };
  uint64_t seed = 10;
  for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
    rom_kind k;
    if (!MW_CHECK(kind_make(S, M, 5, kinds[c], &k))) return;
    const mw_rom *rom = &k.rom;
    for (int q = 0; q < ROM_MAX_KERNEL; q++)
      for (int point = 0; kernel_of(q) && point < 8; point++) {
        mw_rom_opt opt = mw_rom_opt_default();
        opt.inertia = point % 2 ? MW_ROM_LEADING : MW_ROM_FULL;
        int i = point / 2 % 2;
        double x[NX], mirrored[NX], u[SYN_N_U] = { 0.7, -1.3 }, back[SYN_N_U], acc[2][N];
        mw_rom_call call = { .rom = rom, .opt = &opt, .u = u, .work = k.work };
        kind_random_state(rom, &seed, x);
        for (int j = 0; j < S; j++) x[j] = ldexp(round(ldexp(x[j], 20)), -20);  // -x is exact
        memcpy(mirrored, x, sizeof x);
        reflect(rom, i, mirrored);
        reflect(rom, i, mirrored + N);
        for (int j = 0; j < SYN_N_U; j++)
          back[j] = rom->mirror_y[i * rom->n_y + rom->u_field[j]] * u[j];
        MW_CHECK(kernel_of(q)->rhs(&call, x, acc[0]) == MW_ROM_OK);
        call.u = back;
        MW_CHECK(kernel_of(q)->rhs(&call, mirrored, acc[1]) == MW_ROM_OK);
        reflect(rom, i, acc[1]);
        for (int j = 0; j < N; j++) MW_CHECK(acc[0][j] == acc[1][j]);
      }
    kind_free(&k);
  }
}

// Turns of 2, and places whose distance to the next one is exact.
static void a_whole_turn_changes_no_step(void)
{
  static const int kinds[] = { KIND_CYCLIC, KIND_CYCLIC | KIND_SECOND, KIND_CYCLIC | KIND_FLAT };
  for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
    rom_kind k;
    if (!MW_CHECK(kind_make(S, M, 9, kinds[c], &k))) return;
    for (int q = 0; q < ROM_MAX_KERNEL; q++)
      for (int method = 0; kernel_of(q) && method < MW_ROM_N_METHOD; method++) {
        static double x_x[2][NX * NX], x_u[2][NX * SYN_N_U];
        mw_rom_opt opt = mw_rom_opt_default();
        opt.method = (mw_rom_method)method;
        opt.prescribed = 2u;  // rests: its places stay exact
        const mw_rom_call call = {
          .rom = &k.rom, .opt = &opt, .h = 1e-3, .u = u_test, .work = k.work
        };
        double x[2][NX];
        for (int turn = 0; turn < 2; turn++) {
          uint64_t seed = 12;
          kind_random_state(&k.rom, &seed, x[turn]);
          x[turn][1] = 0.375 + 2.0 * turn;
          x[turn][N + 1] = 0.0;
          memset(k.work, 0xff, mw_rom_sens_bytes(&k.rom));
          MW_CHECK(kernel_of(q)->step_sens(&call, x[turn], x_x[turn], x_u[turn]) == MW_ROM_OK);
        }
        MW_CHECK(x[1][1] - x[0][1] == 2.0);
        x[1][1] = x[0][1];
        MW_SAME_BITS(x[0], x[1], NX);
        MW_SAME_BITS(x_x[0], x_x[1], NX * NX);
        MW_SAME_BITS(x_u[0], x_u[1], NX * SYN_N_U);
      }
    double theta[S] = { 0.25, 4.5 }, at[2][S], turns[S];
    unsigned bits = mw_rom_fold(&k.rom, theta, at[0], turns);
    MW_CHECK(mw_rom_fold(&k.rom, theta, at[1], NULL) == bits);
    MW_SAME_BITS(at[0], at[1], S);
    MW_CHECK(turns[0] == 0.0 && turns[1] == 2.0);
    kind_free(&k);
  }
}

// ---- rollouts -----------------------------------------------------------------------------------

enum { N_ROLL = 11, N_STEP = 4, LARGEST = 2 * (3 + SYN_MAX_M) };

static void compare_rollouts(const rom_kind *kind, const rom_kernel *k)
{
  const mw_rom *rom = &kind->rom;
  mw_rom_opt opt = mw_rom_opt_default();
  size_t nx = 2 * (size_t)(rom->s + rom->m), nu = (size_t)rom->n_u, bytes = k->batch_bytes(rom);
  double x[N_ROLL * LARGEST], want[N_ROLL * LARGEST], u[N_ROLL * N_STEP * SYN_N_U];
  mw_rom_code code[N_ROLL];
  int done[N_ROLL];
  uint64_t seed = 14;
  for (size_t i = 0; i < N_ROLL * N_STEP * nu; i++) u[i] = synthetic_random(&seed);
  for (size_t r = 0; r < N_ROLL; r++) kind_random_state(rom, &seed, x + r * nx);
  memcpy(want, x, N_ROLL * nx * sizeof *x);
  void *work = aligned_alloc(64, bytes);
  memset(work, 0xff, bytes);
  k->batch_run(rom, &opt, &(mw_rom_batch){ N_STEP, 1e-3, u, x, NULL, code, done }, 0, N_ROLL, work);
  for (size_t r = 0; r < N_ROLL; r++) {
    MW_CHECK(code[r] == MW_ROM_OK && done[r] == N_STEP);
    for (size_t i = 0; i < N_STEP; i++)
      MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = rom,
                                           .opt = &opt,
                                           .h = 1e-3,
                                           .u = u + (r * N_STEP + i) * nu,
                                           .work = kind->work },
                           want + r * nx) == MW_ROM_OK);
  }
  MW_SAME_BITS(x, want, N_ROLL * nx);
  free(work);
}

static void rollouts_of_models_of_every_kind_have_the_bits_of_steps(void)
{
  static const int of[][3] = { { 2, 3, KIND_CYCLIC | KIND_LAWS },
                               { 2, 3, KIND_SYMMETRIC | KIND_FLAT },
                               { 2, 3, KIND_TRAIN | KIND_SECOND },
                               { 2, 10, KIND_TRAIN | KIND_FLAT },
                               { 2, 10, KIND_FLAT },
                               { 1, 3, KIND_FLAT },
                               { 1, 3, KIND_FLAT | KIND_SECOND },
                               { 3, 2, 0 },
                               { 3, 2, KIND_FLAT } };
  static const int inner[SYN_N_U] = { 3, 4 };
  for (size_t c = 0; c < sizeof of / sizeof *of; c++)
    for (int variant = 0; variant < 3; variant++) {
      rom_kind k;
      if (!MW_CHECK(kind_make(of[c][0], of[c][1], 5, of[c][2], &k))) return;
      if (variant == 1) k.rom.u_field = inner;
      if (variant == 2) k.rom.n_u = 0;
      for (int q = 0; q < ROM_MAX_KERNEL; q++)
        if (kernel_of(q)) compare_rollouts(&k, kernel_of(q));
      kind_free(&k);
    }
}

// Of one coordinate that bodies slide along beside one that only translates: the sliding one alone
// has c, and what is skew belongs to either.
static void rollouts_of_few_live_parts_have_the_bits_of_steps(void)
{
  for (unsigned flat = 1; flat <= 2; flat++)
    for (unsigned zero_e = 0; zero_e < 4; zero_e++) {
      rom_kind k;
      if (!MW_CHECK(kind_make(2, 5, 5, KIND_FLAT, &k))) return;
      k.rom.flat = flat;
      for (int i = 0; i < SYN_N_Y; i++) k.slope[SYN_N_Y + i] = k.slope[i];
      k.rom.zero_e = zero_e;
      k.rom.zero_c = flat == 1 ? 3u : 6u;
      for (int q = 0; q < ROM_MAX_KERNEL; q++)
        if (kernel_of(q)) compare_rollouts(&k, kernel_of(q));
      kind_free(&k);
    }
}

static void the_work_of_a_rollout_is_room_for_a_step(void)
{
  for (int s = 1; s <= 3; s++)
    for (int m = 0; m < 12; m++) {
      rom_kind k;
      if (!MW_CHECK(kind_make(s, m, 4, 0, &k))) return;
      for (int q = 0; q < ROM_MAX_KERNEL; q++)
        if (kernel_of(q))
          MW_CHECK(kernel_of(q)->batch_bytes(&k.rom) >= kernel_of(q)->work_bytes(&k.rom));
      kind_free(&k);
    }
}

static const mw_test_case cases[] = {
  { "a_state_in_the_mirror_has_the_accelerations_in_the_mirror",
    a_state_in_the_mirror_has_the_accelerations_in_the_mirror },
  { "a_whole_turn_changes_no_step", a_whole_turn_changes_no_step },
  { "rollouts_of_models_of_every_kind_have_the_bits_of_steps",
    rollouts_of_models_of_every_kind_have_the_bits_of_steps },
  { "rollouts_of_few_live_parts_have_the_bits_of_steps",
    rollouts_of_few_live_parts_have_the_bits_of_steps },
  { "the_work_of_a_rollout_is_room_for_a_step", the_work_of_a_rollout_is_room_for_a_step },
};

int main(void) { return mw_test_run("rom_kinds", cases, (int)(sizeof cases / sizeof *cases)); }
