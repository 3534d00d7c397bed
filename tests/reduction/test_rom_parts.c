// SPDX-License-Identifier: BSD-3-Clause
// test_rom_parts.c: models with some of the optional parts, with few and many inputs. A part that
// is absent is one that is 0, and all numbers are the same.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../reduction/rom/kernel/rom_kernel.h"
#include "mw_test.h"
#include "rom_kinds.h"

enum { S = 2, M = 4, N = S + M, NX = 2 * N, N_G = 2 };

static const double u_test[SYN_N_U] = { 0.4, -0.7 };

static const rom_kernel *kernel_of(int k)
{
  return rom_kernels[k] && rom_kernel_runs(k) ? rom_kernels[k] : NULL;
}

// All that one state gives: accelerations, outputs, energies, rest, steps by all methods, and the
// derivatives of these.
typedef struct results {
  double acc[N], acc_x[N * NX], acc_u[N * SYN_N_U], again[N];
  double y[SYN_N_Y], y_dot[SYN_N_Y], Y[3 * SYN_N_Y], Y_x[3 * SYN_N_Y * NX];
  double T, V, lost, rest[M];
  double x[MW_ROM_N_METHOD][NX], x_x[MW_ROM_N_METHOD][NX * NX], x_u[MW_ROM_N_METHOD][NX * SYN_N_U];
  double end[NX];  // of a rollout
} results;

// by_parts: the exponential step too, whose linear part may depend on what parts there are.
static void take(const rom_kernel *k, const mw_rom *rom, mw_rom_inertia inertia, int by_parts,
                 const double *u, results *out)
{
  mw_rom_opt opt = mw_rom_opt_default();
  size_t bytes = k->sens_bytes(rom);
  if (k->batch_bytes(rom) > bytes) bytes = k->batch_bytes(rom);
  void *work = aligned_alloc(64, bytes);
  const mw_rom_call call = { .rom = rom, .opt = &opt, .h = 1e-2, .u = u, .work = work };
  mw_rom_outputs_sens sens = { .Y = out->Y, .Y_x = out->Y_x };
  double x[NX];
  uint64_t seed = 6;
  memset(work, 0xff, bytes);  // NaN: nothing in it may matter
  memset(out, 0, sizeof *out);
  kind_random_state(rom, &seed, x);
  opt.inertia = inertia;
  MW_CHECK(k->rhs(&call, x, out->again) == MW_ROM_OK);
  MW_CHECK(k->jacobian(&call, x, out->acc, out->acc_x, out->acc_u) == MW_ROM_OK);
  MW_SAME_BITS(out->acc, out->again, N);
  MW_CHECK(k->outputs(rom, x, out->y, out->y_dot, work, NULL) == MW_ROM_OK);
  MW_CHECK(k->outputs_jacobian(&call, x, &sens) == MW_ROM_OK);
  MW_CHECK(k->energy(&call, x, &out->T, &out->V, &out->lost) == MW_ROM_OK);
  MW_CHECK(k->rest(rom, x, u, out->rest, work, NULL) == MW_ROM_OK);
  for (int method = by_parts ? 0 : 1; method < MW_ROM_N_METHOD; method++) {
    opt.method = (mw_rom_method)method;
    memcpy(out->x[method], x, sizeof x);
    MW_CHECK(k->step_sens(&call, out->x[method], out->x_x[method], out->x_u[method]) == MW_ROM_OK);
  }
  opt.method = by_parts ? MW_ROM_EXPONENTIAL : MW_ROM_RK4;
  mw_rom_code code;
  int done;
  memcpy(out->end, x, sizeof x);
  k->batch_run(rom, &opt, &(mw_rom_batch){ 1, 1e-2, u, out->end, NULL, &code, &done }, 0, 1, work);
  MW_CHECK(code == MW_ROM_OK && done == 1);
  MW_SAME_BITS(out->end, out->x[opt.method], NX);
  free(work);
}

// As numbers: a 0 that is added may turn -0 into 0.
static void same_numbers(const results *a, const results *b)
{
  const double *p = (const double *)a, *q = (const double *)b;
  size_t differ = 0;
  for (size_t k = 0; k < sizeof *a / sizeof *p; k++) differ += p[k] != q[k];
  MW_CHECK(differ == 0);
}

// ---- parts --------------------------------------------------------------------------------------

static void copy_part(double *to, int at, const double *from, int from_at, int n)
{
  for (int k = 0; k < n; k++) to[at + k] = from[from_at + k];
}

// Records of `less` into those of `all`, whose further parts are 0.
static void spread_records(const synthetic *less, synthetic *all)
{
  mw_rom_layout a = mw_rom_layout_of(mw_rom_shape_of(&less->rom)),
                b = mw_rom_layout_of(mw_rom_shape_of(&all->rom));
  size_t n = 1;
  for (int i = 0; i < less->rom.s; i++) n *= (size_t)mw_rom_n_knot(&less->rom, i);
  for (size_t k = 0; k < n; k++) {
    const double *from = less->coef + k * (size_t)a.n;
    double *to = all->coef + k * (size_t)b.n;
    memset(to, 0, (size_t)b.n * sizeof *to);
    copy_part(to, b.a, from, a.a, a.H);
    copy_part(to, b.H, from, a.H, a.G - a.H);
    copy_part(to, b.G, from, a.G, a.A3 - a.G);
    copy_part(to, b.A3, from, a.A3, a.B2 - a.A3);
    copy_part(to, b.B2, from, a.B2, a.CE - a.B2);
    copy_part(to, b.CE, from, a.CE, a.CC - a.CE);
    copy_part(to, b.CC, from, a.CC, a.y - a.CC);
    copy_part(to, b.y, from, a.y, a.Y - a.y);
    copy_part(to, b.Y, from, a.Y, a.n - a.Y);
  }
}

static void compare_parts(unsigned parts, int n_Y)
{
  static results less_out, all_out;
  mw_rom_shape shape = { .s = S,
                         .m = M,
                         .n_y = SYN_N_Y,
                         .n_Y = n_Y,
                         .n_G = parts & MW_ROM_H ? N_G : 0,
                         .parts = parts },
               whole = shape;
  synthetic less, all;
  whole.parts = MW_ROM_ALL_PARTS;
  if (!MW_CHECK(synthetic_make_parts(shape, 5, 2.0, 40.0, 0.02, 0.1, &less))) return;
  if (!MW_CHECK(synthetic_make_parts(whole, 5, 2.0, 40.0, 0.02, 0.1, &all))) return;
  spread_records(&less, &all);
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    for (int inertia = 0; inertia < 2; inertia++) {
      // of LEADING terms it is CE and CC alone that turn
      int turns = inertia == MW_ROM_FULL || (parts & (MW_ROM_CE | MW_ROM_CC)) != 0;
      take(kernel_of(k), &less.rom, (mw_rom_inertia)inertia, turns, u_test, &less_out);
      take(kernel_of(k), &all.rom, (mw_rom_inertia)inertia, turns, u_test, &all_out);
      same_numbers(&less_out, &all_out);
    }
  }
  synthetic_free(&less);
  synthetic_free(&all);
}

static void a_part_that_is_absent_is_one_that_is_0(void)
{
  static const unsigned parts[] = { MW_ROM_H,
                                    MW_ROM_CE,
                                    MW_ROM_CC,
                                    MW_ROM_H | MW_ROM_THIRD,
                                    MW_ROM_H | MW_ROM_CE,
                                    MW_ROM_CE | MW_ROM_CC,
                                    MW_ROM_H | MW_ROM_THIRD | MW_ROM_CC };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) compare_parts(parts[k], k % 2 ? 4 : 0);
}

// e and c are 0 and said to be, H is not: the step's linear part turns by it alone.
static void terms_of_H_alone_are_those_beside_zeros(void)
{
  static results said, unsaid;
  mw_rom_shape shape = { .s = S, .m = M, .n_y = SYN_N_Y, .parts = MW_ROM_H };
  synthetic syn;
  if (!MW_CHECK(synthetic_make_parts(shape, 5, 2.0, 40.0, 0.02, 0.1, &syn))) return;
  mw_rom_layout l = mw_rom_layout_of(shape);
  for (size_t k = 0; k < 7 * 7; k++)
    memset(syn.coef + k * (size_t)l.n + l.e, 0, (size_t)(l.H - l.e) * sizeof(double));
  mw_rom noted = syn.rom;
  mw_rom_note_zeros(&noted);
  MW_CHECK(noted.zero_e == 3 && noted.zero_c == 7 && noted.zero_H == 0);
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    take(kernel_of(k), &syn.rom, MW_ROM_FULL, 1, u_test, &unsaid);
    take(kernel_of(k), &noted, MW_ROM_FULL, 1, u_test, &said);
    same_numbers(&said, &unsaid);
  }
  synthetic_free(&syn);
}

// Fields 2 and 5 are bent by delta, inputs act along 0 and 7, or along 3 and 4 between them.
static void fields_that_bend_cost_the_motion_nothing_where_nothing_acts_along_them(void)
{
  static results bent_out, out;
  static const int bent[] = { 2, 5 }, between[SYN_N_U] = { 3, 4 };
  static const mw_rom_law law = { 3, 0.3, 0.5, 0.7, 0.5, -0.2, 0.3, 20.0, 0.4, 0.3 };
  mw_rom_shape shape = { .s = S, .m = M, .n_y = SYN_N_Y };
  for (int c = 0; c < 8; c++) {
    synthetic with, without;
    shape.n_Y = 2;
    if (!MW_CHECK(synthetic_make_parts(shape, 5, 2.0, 40.0, 0.02, 0.1, &with))) return;
    shape.n_Y = 0;
    if (!MW_CHECK(synthetic_make_parts(shape, 5, 2.0, 40.0, 0.02, 0.1, &without))) return;
    with.rom.Y_field = bent;
    mw_rom *rom[2] = { &with.rom, &without.rom };
    for (int i = 0; i < 2; i++) {
      if (c & 1) rom[i]->u_field = between;
      if (c & 2) rom[i]->law = &law;
      rom[i]->n_law = c & 2 ? 1 : 0;
      rom[i]->slow = c & 4 ? 3u : 0u;  // else the exponential step has its turning terms anyway
    }
    mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&with.rom)),
                  a = mw_rom_layout_of(mw_rom_shape_of(&without.rom));
    for (size_t k = 0; k < 7 * 7; k++)
      memcpy(without.coef + k * (size_t)a.n, with.coef + k * (size_t)l.n,
             (size_t)a.n * sizeof(double));
    for (int k = 0; k < ROM_MAX_KERNEL; k++) {
      if (!kernel_of(k)) continue;
      for (int inertia = 0; inertia < 2; inertia++) {
        take(kernel_of(k), &with.rom, (mw_rom_inertia)inertia, 1, u_test, &bent_out);
        take(kernel_of(k), &without.rom, (mw_rom_inertia)inertia, 1, u_test, &out);
        // the bent ones differ, and what hangs on them
        for (int f = 0; f < 2; f++) MW_CHECK(bent_out.y[bent[f]] != out.y[bent[f]]);
        memcpy(bent_out.y, out.y, sizeof out.y);
        memcpy(bent_out.y_dot, out.y_dot, sizeof out.y_dot);
        memcpy(bent_out.Y, out.Y, sizeof out.Y);
        memcpy(bent_out.Y_x, out.Y_x, sizeof out.Y_x);
        same_numbers(&bent_out, &out);
      }
    }
    synthetic_free(&with);
    synthetic_free(&without);
  }
}

// ---- inputs -------------------------------------------------------------------------------------

static void models_without_inputs_move_as_with_inputs_of_0(void)
{
  static const double none[SYN_N_U] = { 0.0, 0.0 };
  for (int c = 0; c < 4; c++) {
    mw_rom_shape shape = { .s = 1 + c % 2, .m = M, .n_y = SYN_N_Y, .n_Y = c < 2 ? 0 : 2 };
    synthetic syn;
    if (!MW_CHECK(synthetic_make_parts(shape, 5, 2.0, 40.0, 0.02, 0.1, &syn))) return;
    mw_rom without = syn.rom;
    without.n_u = 0;
    int nx = 2 * (shape.s + shape.m);
    void *work = aligned_alloc(64, mw_rom_sens_bytes(&syn.rom));
    for (int k = 0; k < ROM_MAX_KERNEL; k++)
      for (int method = 0; kernel_of(k) && method < MW_ROM_N_METHOD; method++) {
        mw_rom_opt opt = mw_rom_opt_default();
        opt.method = (mw_rom_method)method;
        double x[2][NX], acc[2][N], rest[2][M];
        for (int i = 0; i < 2; i++) {
          const mw_rom *rom = i ? &without : &syn.rom;
          const double *u = i ? NULL : none;
          const mw_rom_call call = { .rom = rom, .opt = &opt, .h = 1e-2, .u = u, .work = work };
          uint64_t seed = 8;
          kind_random_state(rom, &seed, x[i]);
          MW_CHECK(kernel_of(k)->rhs(&call, x[i], acc[i]) == MW_ROM_OK);
          MW_CHECK(kernel_of(k)->rest(rom, x[i], u, rest[i], work, NULL) == MW_ROM_OK);
          MW_CHECK(kernel_of(k)->step(&call, x[i]) == MW_ROM_OK);
        }
        for (int i = 0; i < nx; i++) MW_CHECK(x[0][i] == x[1][i]);
        for (int i = 0; i < nx / 2; i++) MW_CHECK(acc[0][i] == acc[1][i]);
        for (int i = 0; i < M; i++) MW_CHECK(rest[0][i] == rest[1][i]);
      }
    free(work);
    synthetic_free(&syn);
  }
}

// Fields of n_y that every second one is driven of, in more runs than derivatives keep apart, and
// the same fields with the driven ones side by side.
static void the_order_of_fields_changes_no_derivative(void)
{
  enum { MANY = 40, DRIVEN = MANY / 2, FEW_N = 1 + 2, COLS = 2 * FEW_N + DRIVEN, KNOT = 4 + 2 };
  mw_rom_shape shape = { .s = 1, .m = 2, .n_y = MANY };
  mw_rom_layout l = mw_rom_layout_of(shape);
  static double coef[2][KNOT * 256], slope[2][FEW_N * COLS];
  int field[2][DRIVEN];
  double c_theta = 0.3, delta_max[2] = { INFINITY, INFINITY }, u[DRIVEN];
  uint64_t seed = 9;
  if (!MW_CHECK(l.n <= 256)) return;
  for (int k = 0; k < KNOT * l.n; k++) coef[0][k] = 0.1 * synthetic_random(&seed);
  for (int k = 0; k < KNOT; k++) {
    double *r = coef[0] + k * l.n;
    r[l.a] += 2.0, r[l.K] += 4.0, r[l.K + 2] += 9.0;
    memcpy(coef[1] + k * l.n, r, (size_t)l.n * sizeof *r);
    for (int f = 0; f < MANY; f++)  // even ones first
      memcpy(coef[1] + k * l.n + l.y + (f % 2 ? DRIVEN + f / 2 : f / 2) * 3, r + l.y + f * 3,
             3 * sizeof *r);
  }
  for (int k = 0; k < DRIVEN; k++) {
    field[0][k] = 2 * k;
    field[1][k] = k;
    u[k] = synthetic_random(&seed);
  }
  for (int i = 0; i < 2; i++) {
    mw_rom rom = { .s = 1,
                   .m = 2,
                   .n_y = MANY,
                   .n_u = DRIVEN,
                   .n_field = l.n,
                   .n_grid = { 4 },
                   .lo = { -1.0 },
                   .hi = { 1.0 },
                   .coef = coef[i],
                   .u_field = field[i],
                   .c_theta = &c_theta,
                   .delta_max = delta_max };
    mw_rom_opt opt = mw_rom_opt_default();
    double x[2 * FEW_N] = { 0.3, 0.1, -0.2, 0.7, 0.4, -0.5 }, acc[FEW_N];
    void *work = aligned_alloc(64, mw_rom_sens_bytes(&rom));
    const mw_rom_call call = { .rom = &rom, .opt = &opt, .u = u, .work = work };
    MW_CHECK(mw_rom_jacobian(&call, x, acc, slope[i], slope[i] + FEW_N * 2 * FEW_N) == MW_ROM_OK);
    free(work);
  }
  MW_SAME_BITS(slope[0], slope[1], FEW_N * COLS);
}

static const mw_test_case cases[] = {
  { "a_part_that_is_absent_is_one_that_is_0", a_part_that_is_absent_is_one_that_is_0 },
  { "terms_of_H_alone_are_those_beside_zeros", terms_of_H_alone_are_those_beside_zeros },
  { "fields_that_bend_cost_the_motion_nothing_where_nothing_acts_along_them",
    fields_that_bend_cost_the_motion_nothing_where_nothing_acts_along_them },
  { "models_without_inputs_move_as_with_inputs_of_0",
    models_without_inputs_move_as_with_inputs_of_0 },
  { "the_order_of_fields_changes_no_derivative", the_order_of_fields_changes_no_derivative },
};

int main(void) { return mw_test_run("rom_parts", cases, (int)(sizeof cases / sizeof *cases)); }
