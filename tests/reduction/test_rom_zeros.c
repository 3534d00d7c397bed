// SPDX-License-Identifier: BSD-3-Clause
// Parts of the record that are 0 everywhere: found, and left out without a trace.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../reduction/rom/kernel/rom_kernel.h"
#include "mw_test.h"
#include "rom_synthetic.h"

enum { N_ROLL = 11, N_STEP = 5, MAX_N = 3 + 12, MAX_X = 2 * (3 + 12), BATCH_X = N_ROLL * MAX_X };

static size_t n_record(const mw_rom *rom)
{
  size_t n = 1;
  for (int i = 0; i < rom->s; i++) n *= (size_t)mw_rom_n_knot(rom, i);
  return n;
}

static void clear_part(synthetic *syn, int from, int n)
{
  size_t nf = (size_t)syn->rom.n_field;
  for (size_t k = 0; k < n_record(&syn->rom); k++)
    memset(syn->coef + k * nf + (size_t)from, 0, (size_t)n * sizeof *syn->coef);
}

// e_i and H_i of the bits of e, c_ij of the bits of c.
static void clear_parts(synthetic *syn, unsigned e, unsigned c)
{
  int s = syn->rom.s, m = syn->rom.m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&syn->rom));
  for (int i = 0; i < s; i++)
    if (e >> i & 1u) clear_part(syn, l.e + i * mk, mk);
  for (int i = 0; (syn->rom.parts & MW_ROM_H) && i < s; i++)
    if (e >> i & 1u) clear_part(syn, l.H + i * mm, mm);
  for (int p = 0; p < s * (s + 1) / 2; p++)
    if (c >> p & 1u) clear_part(syn, l.c + p * mm, mm);
}

static void parts_that_are_0_are_found(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(3, 5, 6, 60.0, 5e3, 0.01, 0.2, &syn))) return;
  mw_rom_note_zeros(&syn.rom);
  MW_CHECK(syn.rom.zero_e == 0 && syn.rom.zero_c == 0);
  clear_parts(&syn, 5, 11);
  mw_rom_note_zeros(&syn.rom);
  MW_CHECK(syn.rom.zero_e == 5 && syn.rom.zero_c == 11);
  // one coefficient of the last record
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&syn.rom));
  syn.coef[(n_record(&syn.rom) - 1) * (size_t)syn.rom.n_field + (size_t)l.c] = 1e-300;
  mw_rom_note_zeros(&syn.rom);
  MW_CHECK(syn.rom.zero_e == 5 && syn.rom.zero_c == 10);
  synthetic_free(&syn);
}

// flat: theta_0 has no core then, and the trains have the ranks of theta_1 alone.
static void check_trains(unsigned flat)
{
  enum { S = 2, M = 3 };
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = S, .m = M });
  double core[8], field[2 * 64];
  mw_rom_train train[2] = { { 0 } };
  mw_rom rom = {
    .s = S, .m = M, .n_field = l.n, .n_grid = { 4, 4 }, .n_train = 2, .train = train, .flat = flat
  };
  if (!MW_CHECK(l.n <= 64)) return;
  for (int k = 0; k < 8; k++) core[k] = 1.0;
  for (int k = 0; k < 2 * l.n; k++) field[k] = 1.0;
  // a train up to e_1, one of the rest; the second's last rank is 2
  train[0] = (mw_rom_train){ .first = 0, .n_field = l.e + 3, .rank = { 1, 1 } };
  train[1] = (mw_rom_train){ .first = l.e + 3, .n_field = l.n - l.e - 3, .rank = { 1, 2 } };
  for (int k = 0; k < 2; k++) {
    if (flat) train[k].rank[0] = 0;
    train[k].core[0] = flat ? NULL : core;
    train[k].core[1] = core;
    train[k].field = k == 0 ? field : field + l.e + 3;
  }
  for (int f = l.e; f < l.e + 3; f++) field[f] = 0.0;  // e_0: the end of the first
  double *second = field + l.e + 3;
  int at = l.c + 6 - train[1].first, n = train[1].n_field;  // c_10, in both rows
  for (int f = at; f < at + 6; f++) second[f] = second[n + f] = 0.0;
  mw_rom_note_zeros(&rom);
  MW_CHECK(rom.zero_e == 1 && rom.zero_c == 2);
  second[n + at] = 1.0;
  mw_rom_note_zeros(&rom);
  MW_CHECK(rom.zero_e == 1 && rom.zero_c == 0);
}

static void they_are_found_in_tensor_trains(void)
{
  check_trains(0);
  check_trains(1);
}

// ---- the same bits ------------------------------------------------------------------------------

typedef struct results {
  double acc[MAX_X], step[MAX_X], batch[BATCH_X];
  mw_rom_code code[3];
} results;

static void fill_state(const mw_rom *rom, uint64_t seed, double *x)
{
  int s = rom->s, n = s + rom->m;
  for (int i = 0; i < 2 * n; i++)
    x[i] = synthetic_random(&seed) * (i < s ? 0.5 : (i < n ? 1e-3 : 0.5));
}

static void evaluate(const rom_kernel *k, const mw_rom *rom, mw_rom_inertia inertia, results *out)
{
  mw_rom_opt opt = mw_rom_opt_default();
  opt.inertia = inertia;
  size_t nx = 2 * (size_t)(rom->s + rom->m), bytes = k->batch_bytes(rom);
  double x[MAX_X], u[N_ROLL * N_STEP * SYN_N_U];
  mw_rom_code code[N_ROLL];
  int done[N_ROLL];
  uint64_t seed = 5;
  void *work = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset(out, 0, sizeof *out);
  memset(work, 0xff, bytes);  // NaN: nothing in it may matter
  for (int i = 0; i < N_ROLL * N_STEP * SYN_N_U; i++) u[i] = synthetic_random(&seed);
  fill_state(rom, 1, x);
  out->code[0] =
      k->rhs(&(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = work }, x, out->acc);
  memcpy(out->step, x, nx * sizeof *x);
  out->code[1] = k->step(&(mw_rom_call){ .rom = rom, .opt = &opt, .h = 1e-3, .u = u, .work = work },
                         out->step);
  for (size_t r = 0; r < N_ROLL; r++) fill_state(rom, r < 8 ? 1 : r, out->batch + r * nx);
  mw_rom_batch b = { N_STEP, 1e-3, u, out->batch, NULL, code, done };
  k->batch_run(rom, &opt, &b, 0, N_ROLL, work);
  for (int r = 0; r < N_ROLL; r++) MW_CHECK(code[r] == MW_ROM_OK && done[r] == N_STEP);
  free(work);
}

static void compare(synthetic *syn, unsigned e, unsigned c)
{
  static results with, without;
  clear_parts(syn, e, c);
  syn->rom.slow =
      (c & 1u) ? 7u : 0u;  // without any of them nothing turns: not a choice of theirs here
  mw_rom noted = syn->rom;
  mw_rom_note_zeros(&noted);
  MW_CHECK(noted.zero_e == e && noted.zero_c == c);
  MW_CHECK(noted.zero_H == (syn->rom.parts & MW_ROM_H ? e : 0u));
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!rom_kernels[k] || !rom_kernel_runs(k)) continue;
    for (int inertia = 0; inertia < 2; inertia++) {
      evaluate(rom_kernels[k], &syn->rom, inertia ? MW_ROM_FULL : MW_ROM_LEADING, &without);
      evaluate(rom_kernels[k], &noted, inertia ? MW_ROM_FULL : MW_ROM_LEADING, &with);
      MW_CHECK(without.code[0] == MW_ROM_OK && without.code[1] == MW_ROM_OK);
      MW_CHECK(memcmp(&with, &without, sizeof with) == 0);
    }
  }
}

// Derivatives of the accelerations, of steps by all methods and of outputs.
typedef struct slopes {
  double acc[MAX_N], acc_x[MAX_N * MAX_X], acc_u[MAX_N * SYN_N_U];
  double x[MW_ROM_N_METHOD][MAX_X], x_x[MW_ROM_N_METHOD][MAX_X * MAX_X],
      x_u[MW_ROM_N_METHOD][MAX_X * SYN_N_U];
  double Y[3 * SYN_N_Y], Y_x[3 * SYN_N_Y * MAX_X];
} slopes;

static void differentiate(const mw_rom *rom, mw_rom_inertia inertia, slopes *out)
{
  static const double u[SYN_N_U] = { 0.4, -0.7 };
  mw_rom_opt opt = mw_rom_opt_default();
  opt.inertia = inertia;
  opt.prescribed = 1u;
  size_t bytes = mw_rom_sens_bytes(rom);
  void *work = aligned_alloc(64, bytes);
  memset(work, 0xff, bytes);
  memset(out, 0, sizeof *out);
  const mw_rom_call call = { .rom = rom, .opt = &opt, .h = 1e-4, .u = u, .work = work };
  double x[MAX_X];
  fill_state(rom, 3, x);
  MW_CHECK(mw_rom_jacobian(&call, x, out->acc, out->acc_x, out->acc_u) == MW_ROM_OK);
  mw_rom_outputs_sens to = { .Y = out->Y, .Y_x = out->Y_x };
  MW_CHECK(mw_rom_outputs_jacobian(&call, x, &to) == MW_ROM_OK);
  for (int method = 0; method < MW_ROM_N_METHOD; method++) {
    opt.method = (mw_rom_method)method;
    fill_state(rom, 3, out->x[method]);
    MW_CHECK(mw_rom_step_sens(&call, out->x[method], out->x_x[method], out->x_u[method]) ==
             MW_ROM_OK);
  }
  free(work);
}

// As numbers: a 0 that is added may turn -0 into 0.
static void compare_slopes(synthetic *syn, unsigned e, unsigned c)
{
  static slopes with, without;
  clear_parts(syn, e, c);
  syn->rom.slow = e == 3u ? 3u : 0u;  // as above
  mw_rom noted = syn->rom;
  mw_rom_note_zeros(&noted);
  MW_CHECK(noted.zero_e == e && noted.zero_c == c);
  for (int inertia = 0; inertia < 2; inertia++) {
    differentiate(&syn->rom, inertia ? MW_ROM_LEADING : MW_ROM_FULL, &without);
    differentiate(&noted, inertia ? MW_ROM_LEADING : MW_ROM_FULL, &with);
    const double *a = (const double *)&with, *b = (const double *)&without;
    size_t differ = 0;
    for (size_t k = 0; k < sizeof with / sizeof *a; k++) differ += a[k] != b[k];
    MW_CHECK(differ == 0);
  }
}

static void what_is_left_out_changes_no_derivative(void)
{
  static const unsigned parts[][2] = { { 0, 1 }, { 1, 0 }, { 1, 5 }, { 3, 5 }, { 3, 7 } };
  for (int second = 0; second < 2; second++) {
    synthetic syn;
    int made = second ? synthetic_make_second(2, 5, 6, 60.0, 5e3, 0.01, 0.2, &syn)
                      : synthetic_make(2, 5, 6, 60.0, 5e3, 0.01, 0.2, &syn);
    if (!MW_CHECK(made)) return;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
      if (k == 1) {  // anew: what was 0 is not any more
        synthetic_free(&syn);
        made = second ? synthetic_make_second(2, 5, 6, 60.0, 5e3, 0.01, 0.2, &syn)
                      : synthetic_make(2, 5, 6, 60.0, 5e3, 0.01, 0.2, &syn);
        if (!MW_CHECK(made)) return;
      }
      compare_slopes(&syn, parts[k][0], parts[k][1]);
    }
    synthetic_free(&syn);
  }
}

static void what_is_left_out_changes_no_bit(void)
{
  static const int size[][2] = { { 1, 6 }, { 2, 10 }, { 3, 12 }, { 3, 5 }, { 2, 1 } };
  for (int c = 0; c < 10; c++) {
    int s = size[c % 5][0], m = size[c % 5][1], ss = s * (s + 1) / 2;
    synthetic syn;
    int made = c < 5 ? synthetic_make(s, m, 6, 60.0, 5e3, 0.01, 0.2, &syn)
                     : synthetic_make_second(s, m, 6, 60.0, 5e3, 0.01, 0.2, &syn);
    if (!MW_CHECK(made)) return;
    if (m == 1) {  // no e
      compare(&syn, 3, 1);
    } else {  // one part after the other, until none is left
      compare(&syn, 0, 0);
      compare(&syn, 0, 1);
      for (int p = 1; p < ss; p++) compare(&syn, (1u << (p < s ? p : s)) - 1, (1u << p) - 1);
      compare(&syn, (1u << s) - 1, (1u << ss) - 1);
    }
    synthetic_free(&syn);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "parts_that_are_0_are_found", parts_that_are_0_are_found },
    { "they_are_found_in_tensor_trains", they_are_found_in_tensor_trains },
    { "what_is_left_out_changes_no_bit", what_is_left_out_changes_no_bit },
    { "what_is_left_out_changes_no_derivative", what_is_left_out_changes_no_derivative },
  };
  return mw_test_run("rom_zeros", cases, (int)(sizeof cases / sizeof *cases));
}
