// SPDX-License-Identifier: BSD-3-Clause
// test_fmu_motion.c: what functional mock-up units compute, against the library and against
// themselves.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_rig.h"

enum { N_STEP = 1000 };

// ---- co-simulation ------------------------------------------------------------------------------

// Communication steps of 1 and of 2.5 ms, which are one step and three of the library.
static void check_bits(rig *r)
{
  mw_rom_opt opt = mw_rom_opt_default();
  double x[RIG_MAX_X], got[RIG_MAX_X], u[SYN_N_U + 1], y[SYN_N_Y], y_dot[SYN_N_Y], y_got[SYN_N_Y],
      t = 0.0;
  const mw_rom *rom = &r->x->f.rom;
  if (!rig_start(r, true, 0.0)) return;
  uint64_t seed = 3;
  rig_random(r, &seed, x);
  MW_CHECK(fmu_set(&r->u, r->state, (size_t)r->n_x, x) == FMU_OK);
  MW_CHECK(fmu_exit(&r->u) == FMU_OK);
  for (int k = 0; k < N_STEP; k++) {
    double h = k % 7 == 0 ? 2.5e-3 : 1e-3;
    int n = k % 7 == 0 ? 3 : 1;
    rig_drive(r, k, u);
    MW_CHECK(fmu_set(&r->u, r->input, (size_t)r->n_u, u) == FMU_OK);
    if (!MW_CHECK(fmu_step(&r->u, t, h) == FMU_OK && !r->u.terminated)) break;
    for (int i = 0; i < n; i++)
      MW_CHECK(mw_rom_step(
                   &(mw_rom_call){ .rom = rom, .opt = &opt, .h = h / n, .u = u, .work = r->work },
                   x) == MW_ROM_OK);
    t += h;
    MW_CHECK(r->u.reached == t);
    MW_CHECK(fmu_get(&r->u, r->state, (size_t)r->n_x, got) == FMU_OK);
    if (!MW_SAME_BITS(got, x, r->n_x)) break;
  }
  MW_CHECK(mw_rom_outputs(rom, x, y, y_dot, r->work, NULL) == MW_ROM_OK);
  MW_CHECK(fmu_get(&r->u, r->y, (size_t)r->n_y, y_got) == FMU_OK);
  MW_SAME_BITS(y_got, y, r->n_y);
  MW_CHECK(fmu_get(&r->u, r->y_dot, (size_t)r->n_y, y_got) == FMU_OK);
  MW_SAME_BITS(y_got, y_dot, r->n_y);
  MW_CHECK(fmu_terminate(&r->u) == FMU_OK);
  fmu_free(&r->u);
}

static void co_simulation_gives_the_bits_of_the_library(void) { rig_each(check_bits); }

// Of a refused step: status, message with the word, and nothing moved.
static void refuse(rig *r, double t, double h, int status, const char *word)
{
  double before[RIG_MAX_X], after[RIG_MAX_X];
  MW_CHECK(fmu_get(&r->u, r->state, (size_t)r->n_x, before) == FMU_OK);
  r->u.log[0] = '\0';
  MW_CHECK(fmu_step(&r->u, t, h) == status);
  if (!MW_CHECK(strstr(r->u.log, word) != NULL)) printf("%s\n", r->u.log);
  MW_CHECK(r->u.log_status == status);
  MW_CHECK(fmu_get(&r->u, r->state, (size_t)r->n_x, after) == FMU_OK);
  MW_SAME_BITS(after, before, r->n_x);
}

// One wrong step a start; after the message the unit can be reset and started again.
static void refuse_one(rig *r, double t, double h, const char *word)
{
  MW_CHECK(fmu_enter(&r->u, 2.0, true, 3.0) == FMU_OK && fmu_exit(&r->u) == FMU_OK);
  refuse(r, t, h, FMU_ERROR, word);
  MW_CHECK(fmu_step(&r->u, 2.0, 1e-3) == FMU_ERROR);  // terminated
  MW_CHECK(fmu_reset(&r->u) == FMU_OK);
}

static void check_refused(rig *r)
{
  static const double bad[] = { NAN, INFINITY };
  double x[RIG_MAX_X] = { 0.0 }, u[SYN_N_U + 1] = { 0.0 };
  const mw_rom *rom = &r->x->f.rom;
  int last = rom->s - 1;  // a coordinate with a box
  char name[32];
  snprintf(name, sizeof name, "theta.s%d", last);
  if (!MW_CHECK(fmu_instantiate(&r->u, true, r->u.f.token, false))) return;
  refuse_one(r, 2.0, 0.0, "must be positive");
  refuse_one(r, 2.0, -1e-3, "must be positive");
  refuse_one(r, 2.0, NAN, "must be positive");
  refuse_one(r, 2.001, 1e-3, "communication point");
  refuse_one(r, 2.0, 1.1, "stop time");
  fmu_free(&r->u);
  // out of the box with one step
  if (!rig_start(r, true, 0.0)) return;
  x[last] = rom->hi[last] - 1e-4;
  x[r->n + last] = 1e3;
  MW_CHECK(fmu_set(&r->u, r->state, (size_t)r->n_x, x) == FMU_OK && fmu_exit(&r->u) == FMU_OK);
  refuse(r, 0.0, 1e-3, FMU_DISCARD, name);
  MW_CHECK(r->u.reached == 0.0);
  for (int k = 0; k < 2; k++) {
    u[0] = bad[k];
    MW_CHECK(fmu_set(&r->u, r->input, (size_t)r->n_u, u) == FMU_DISCARD);
    MW_CHECK(strstr(r->u.log, "u.push0") != NULL);
  }
  MW_CHECK(fmu_get(&r->u, r->input, 1, u) == FMU_OK && u[0] == 0.0);
  MW_CHECK(fmu_set(&r->u, r->y, 1, u) == FMU_ERROR);
  fmu_free(&r->u);
}

static void bad_steps_are_refused_and_the_variable_named(void) { rig_each(check_refused); }

static void check_wrong_starts(rig *r)
{
  double value = 0.0;
  uint32_t none = 100000;
  MW_CHECK(!fmu_instantiate(&r->u, true, "{another}", false) && r->u.n_log == 1);
  if (!MW_CHECK(fmu_instantiate(&r->u, false, r->u.f.token, false))) return;
  MW_CHECK(fmu_step(&r->u, 0.0, 1e-3) == FMU_ERROR && r->u.n_log == 1);  // of the other interface
  MW_CHECK(fmu_reset(&r->u) == FMU_OK);
  MW_CHECK(fmu_get(&r->u, &none, 1, &value) == FMU_ERROR);
  MW_CHECK(fmu_reset(&r->u) == FMU_OK);
  MW_CHECK(fmu_enter(&r->u, 1.0, true, 0.5) == FMU_ERROR);
  MW_CHECK(fmu_reset(&r->u) == FMU_OK);
  value = 1.0;  // s, longer than an internal step may be
  MW_CHECK(fmu_set(&r->u, &r->step, 1, &value) == FMU_DISCARD);
  fmu_free(&r->u);
}

static void wrong_calls_are_errors_with_a_message(void) { rig_each(check_wrong_starts); }

// ---- model exchange -----------------------------------------------------------------------------

// Outputs besides the fields at a state, by the library.
static void check_seen(rig *r, const mw_rom_opt *opt, const double *x, const double *u)
{
  double Z[4 * SYN_N_Y + SYN_N_U], rest[RIG_MAX_X] = { 0.0 }, o[RIG_SEEN];
  const mw_rom *rom = &r->x->f.rom;
  const mw_rom_outputs_sens out = { .Y = Z };
  memcpy(rest, x, (size_t)rom->s * sizeof *x);
  const mw_rom_call call = { .rom = rom, .opt = opt, .u = u, .work = r->work };
  MW_CHECK(mw_rom_outputs_jacobian(&call, x, &out) == MW_ROM_OK);
  MW_CHECK(mw_rom_outputs(rom, rest, Z + 3 * r->n_y, NULL, r->work, NULL) == MW_ROM_OK);
  MW_CHECK(fmu_get(&r->u, r->o, RIG_SEEN, o) == FMU_OK);
  const double want[RIG_SEEN] = { Z[r->n_y + 1], Z[2 * r->n_y], Z[1] - Z[3 * r->n_y + 1], Z[0],
                                  u[0] };
  MW_SAME_BITS(o, want, RIG_SEEN);
}

static void check_derivatives(rig *r)
{
  mw_rom_opt opt = mw_rom_opt_default();
  double x[RIG_MAX_X], dx[RIG_MAX_X], acc[RIG_MAX_X], got[RIG_MAX_X], u[SYN_N_U + 1];
  uint64_t seed = 11;
  if (!rig_start(r, false, 0.0)) return;
  MW_CHECK(fmu_exit(&r->u) == FMU_OK && fmu_events(&r->u) == FMU_OK);
  for (int k = 0; k < 20; k++) {
    rig_random(r, &seed, x);
    rig_drive(r, 50 * k, u);
    MW_CHECK(fmu_set_time(&r->u, 1e-3 * k) == FMU_OK);
    MW_CHECK(fmu_set_states(&r->u, x, (size_t)r->n_x) == FMU_OK);
    MW_CHECK(fmu_set(&r->u, r->input, (size_t)r->n_u, u) == FMU_OK);
    MW_CHECK(fmu_derivatives(&r->u, dx, (size_t)r->n_x) == FMU_OK);
    MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = &r->x->f.rom, .opt = &opt, .u = u, .work = r->work },
                        x, acc) == MW_ROM_OK);
    MW_SAME_BITS(dx, x + r->n, r->n);
    MW_SAME_BITS(dx + r->n, acc, r->n);
    MW_CHECK(fmu_get(&r->u, r->derivative, (size_t)r->n_x, got) == FMU_OK);
    MW_SAME_BITS(got, dx, r->n_x);
    check_seen(r, &opt, x, u);
    MW_CHECK(fmu_completed(&r->u) == FMU_OK);
  }
  MW_CHECK(fmu_get_nominals(&r->u, x, (size_t)r->n_x) == FMU_OK);
  for (int k = 0; k < r->n_x; k++) MW_CHECK(x[k] > 0.0 && x[k] < INFINITY);
  MW_CHECK(fmu_get_nominals(&r->u, x, (size_t)r->n_x - 1) == FMU_ERROR);
  fmu_free(&r->u);
}

static void model_exchange_gives_the_derivatives_of_the_library(void)
{
  rig_each(check_derivatives);
}

static void check_outside(rig *r)
{
  double x[RIG_MAX_X] = { 0.0 }, dx[RIG_MAX_X];
  int last = r->x->f.rom.s - 1;
  if (!rig_start(r, false, 0.0)) return;
  MW_CHECK(fmu_exit(&r->u) == FMU_OK && fmu_events(&r->u) == FMU_OK);
  x[last] = 2.0 * r->x->f.rom.hi[last];
  MW_CHECK(fmu_set_states(&r->u, x, (size_t)r->n_x) == FMU_OK);
  MW_CHECK(fmu_derivatives(&r->u, dx, (size_t)r->n_x) == FMU_DISCARD);
  MW_CHECK(strstr(r->u.log, "theta.s") != NULL && strstr(r->u.log, "range") != NULL);
  x[last] = 0.0;
  MW_CHECK(fmu_set_states(&r->u, x, (size_t)r->n_x) == FMU_OK);
  MW_CHECK(fmu_derivatives(&r->u, dx, (size_t)r->n_x) == FMU_OK);
  x[r->n_x - 1] = NAN;
  MW_CHECK(fmu_set_states(&r->u, x, (size_t)r->n_x) == FMU_DISCARD);
  fmu_free(&r->u);
}

static void states_outside_the_model_are_discarded_and_named(void) { rig_each(check_outside); }

// Classical Runge-Kutta over T, by the derivatives of the unit.
static void integrate(rig *r, double *x, double h, int n)
{
  static const double c[4] = { 0.0, 0.5, 0.5, 1.0 }, b[4] = { 1.0, 2.0, 2.0, 1.0 };
  double k[4][RIG_MAX_X], at[RIG_MAX_X];
  for (int step = 0; step < n; step++) {
    for (int q = 0; q < 4; q++) {
      for (int i = 0; i < r->n_x; i++) at[i] = q ? x[i] + c[q] * h * k[q - 1][i] : x[i];
      MW_CHECK(fmu_set_time(&r->u, (step + c[q]) * h) == FMU_OK);
      MW_CHECK(fmu_set_states(&r->u, at, (size_t)r->n_x) == FMU_OK);
      MW_CHECK(fmu_derivatives(&r->u, k[q], (size_t)r->n_x) == FMU_OK);
    }
    for (int q = 0; q < 4; q++)
      for (int i = 0; i < r->n_x; i++) x[i] += h / 6.0 * b[q] * k[q][i];
  }
}

static void exchanged(rig *r, const double *x0, const double *u, double T, int n, double *x)
{
  if (!rig_start(r, false, 0.0)) return;
  MW_CHECK(fmu_set(&r->u, r->input, (size_t)r->n_u, u) == FMU_OK);
  MW_CHECK(fmu_exit(&r->u) == FMU_OK && fmu_events(&r->u) == FMU_OK);
  memcpy(x, x0, sizeof *x * (size_t)r->n_x);
  integrate(r, x, T / n, n);
  fmu_free(&r->u);
}

static void simulated(rig *r, const double *x0, const double *u, double T, int n, double *x)
{
  double step = T / n;
  if (!rig_start(r, true, 0.0)) return;
  MW_CHECK(fmu_set(&r->u, r->state, (size_t)r->n_x, x0) == FMU_OK);
  MW_CHECK(fmu_set(&r->u, r->input, (size_t)r->n_u, u) == FMU_OK);
  MW_CHECK(fmu_set(&r->u, &r->step, 1, &step) == FMU_OK);
  MW_CHECK(fmu_exit(&r->u) == FMU_OK);
  MW_CHECK(fmu_step(&r->u, 0.0, T) == FMU_OK);
  MW_CHECK(fmu_get(&r->u, r->state, (size_t)r->n_x, x) == FMU_OK);
  fmu_free(&r->u);
}

// Two methods, one of order 4 and one of order 2: they differ by no more than both errors, each at
// most what halving the step changes (a third of it or less in the limit).
static void check_agree(rig *r)
{
  enum { N_RK4 = 500, N_CS = 1000 };
  const double T = 5e-3;
  double x0[RIG_MAX_X] = { 0.0 }, u[SYN_N_U + 1], a[2][RIG_MAX_X], b[2][RIG_MAX_X];
  for (int i = 0; i < r->x->f.rom.s; i++) x0[i] = 0.1;
  x0[r->n] = 0.2;
  rig_drive(r, 0, u);
  for (int k = 0; k < 2; k++) {
    exchanged(r, x0, u, T, N_RK4 << k, a[k]);
    simulated(r, x0, u, T, N_CS << k, b[k]);
  }
  for (int i = 0; i < r->n_x; i++)
    MW_NEAR(b[1][i], a[1][i],
            fabs(a[1][i] - a[0][i]) + fabs(b[1][i] - b[0][i]) +
                4.0 * N_CS * DBL_EPSILON * (fabs(a[1][i]) + 1e-3));
}

static void both_interfaces_describe_the_same_motion(void) { rig_each(check_agree); }

// ---- derivatives --------------------------------------------------------------------------------

// All unknowns and knowns of a unit at one state.
typedef struct lists {
  int n_unknown, n_known;
  uint32_t unknown[RIG_MAX_VAR], known[RIG_MAX_VAR];
} lists;

static lists lists_of(const rig *r)
{
  lists l = { 0 };
  for (int k = 0; k < r->n_x; k++) l.unknown[l.n_unknown++] = r->derivative[k];
  for (int k = 0; k < r->n_y; k++) l.unknown[l.n_unknown++] = r->y[k];
  for (int k = 0; k < r->n_y; k++) l.unknown[l.n_unknown++] = r->y_dot[k];
  for (int k = 0; k < RIG_SEEN; k++) l.unknown[l.n_unknown++] = r->o[k];
  for (int k = 0; k < r->n_x; k++) l.known[l.n_known++] = r->state[k];
  for (int k = 0; k < r->n_u; k++) l.known[l.n_known++] = r->input[k];
  return l;
}

// J [n_unknown × n_known], a column a call.
static void matrix(rig *r, const lists *l, double *J)
{
  double out[RIG_MAX_VAR], one = 1.0;
  for (int k = 0; k < l->n_known; k++) {
    MW_CHECK(fmu_directional(&r->u, l->unknown, (size_t)l->n_unknown, &l->known[k], 1, &one, out) ==
             FMU_OK);
    for (int i = 0; i < l->n_unknown; i++) J[i * l->n_known + k] = out[i];
  }
}

static void set_all(rig *r, const double *x, const double *u)
{
  MW_CHECK(fmu_set_states(&r->u, x, (size_t)r->n_x) == FMU_OK);
  MW_CHECK(fmu_set(&r->u, r->input, (size_t)r->n_u, u) == FMU_OK);
}

// The unknowns at a state, one known moved by d.
static void values(rig *r, const lists *l, const double *x, const double *u, int k, double d,
                   double *out)
{
  double at[RIG_MAX_X], input[SYN_N_U + 1];
  memcpy(at, x, sizeof *at * (size_t)r->n_x);
  memcpy(input, u, sizeof *u * (size_t)r->n_u);
  if (k < r->n_x)
    at[k] += d;
  else
    input[k - r->n_x] += d;
  set_all(r, at, input);
  MW_CHECK(fmu_get(&r->u, l->unknown, (size_t)l->n_unknown, out) == FMU_OK);
}

// Central differences D with h and h/2: the better is wrong by a third of their difference, and by
// rounding of the values, 2 (n + 50) ε of the largest term of theirs, over h. Those terms cancel: K
// delta is the largest.
static void check_column(rig *r, const lists *l, const double *x, const double *u, int k,
                         const double *J)
{
  const double h = 1e-4;
  double v[4][RIG_MAX_VAR];
  for (int q = 0; q < 4; q++)
    values(r, l, x, u, k, (q % 2 ? -1.0 : 1.0) * (q < 2 ? h : 0.5 * h), v[q]);
  set_all(r, x, u);
  double largest = 0.0;
  for (int i = 0; i < l->n_unknown; i++) largest = fmax(largest, fabs(v[0][i]));
  for (int i = 0; i < l->n_unknown; i++) {
    double d1 = (v[0][i] - v[1][i]) / (2.0 * h), d2 = (v[2][i] - v[3][i]) / h;
    MW_NEAR(J[i * l->n_known + k], d2,
            fabs(d1 - d2) + 2.0 * (r->n + 50) * DBL_EPSILON * largest / h);
  }
}

static void continuous(rig *r)
{
  if (!rig_start(r, false, 0.0)) exit(EXIT_FAILURE);
  MW_CHECK(fmu_exit(&r->u) == FMU_OK && fmu_events(&r->u) == FMU_OK);
}

static void check_differences(rig *r)
{
  double x[RIG_MAX_X], u[SYN_N_U + 1], *J = calloc(RIG_MAX_VAR * RIG_MAX_VAR, sizeof *J);
  uint64_t seed = 5;
  lists l = lists_of(r);
  continuous(r);
  rig_random(r, &seed, x);
  rig_drive(r, 0, u);
  set_all(r, x, u);
  matrix(r, &l, J);
  for (int k = 0; k < l.n_known; k++) check_column(r, &l, x, u, k, J);
  free(J);
  fmu_free(&r->u);
}

static void directional_derivatives_are_those_of_the_unknowns(void) { rig_each(check_differences); }

// ȳᵀ (J ẋ) = (Jᵀ ȳ)ᵀ ẋ to rounding of both sums; all seeds at once is the sum of columns.
static void check_adjoint(rig *r)
{
  double x[RIG_MAX_X], u[SYN_N_U + 1], seed_k[RIG_MAX_VAR], seed_u[RIG_MAX_VAR], fwd[RIG_MAX_VAR],
      adj[RIG_MAX_VAR];
  double *J = calloc(RIG_MAX_VAR * RIG_MAX_VAR, sizeof *J), left = 0.0, right = 0.0, size = 0.0;
  uint64_t seed = 9;
  lists l = lists_of(r);
  continuous(r);
  rig_random(r, &seed, x);
  rig_drive(r, 0, u);
  set_all(r, x, u);
  matrix(r, &l, J);
  for (int k = 0; k < l.n_known; k++) seed_k[k] = synthetic_random(&seed);
  for (int i = 0; i < l.n_unknown; i++) seed_u[i] = synthetic_random(&seed);
  MW_CHECK(fmu_directional(&r->u, l.unknown, (size_t)l.n_unknown, l.known, (size_t)l.n_known,
                           seed_k, fwd) == FMU_OK);
  for (int i = 0; i < l.n_unknown; i++) {
    double want = 0.0, sum = 0.0;
    for (int k = 0; k < l.n_known; k++) {
      want += J[i * l.n_known + k] * seed_k[k];
      sum += fabs(J[i * l.n_known + k] * seed_k[k]);
    }
    MW_NEAR(fwd[i], want, 2.0 * l.n_known * DBL_EPSILON * sum);
    left += seed_u[i] * fwd[i];
    size += fabs(seed_u[i]) * sum;
  }
  if (r->u.f.version == 3) {
    MW_CHECK(fmu_adjoint(&r->u, l.unknown, (size_t)l.n_unknown, l.known, (size_t)l.n_known, seed_u,
                         adj) == FMU_OK);
    for (int k = 0; k < l.n_known; k++) right += adj[k] * seed_k[k];
    MW_NEAR(right, left, 2.0 * (l.n_known + l.n_unknown) * DBL_EPSILON * size);
  }
  MW_CHECK(fmu_directional(&r->u, &r->step, 1, l.known, 1, seed_k, fwd) == FMU_ERROR);
  free(J);
  fmu_free(&r->u);
}

static void adjoint_derivatives_are_the_transposed_ones(void) { rig_each(check_adjoint); }

static const fmu_unknown *unknown_of(const fmu_import *f, uint32_t vr)
{
  for (int k = 0; k < f->n_derivative; k++)
    if (f->var[f->derivative[k].var].vr == vr) return &f->derivative[k];
  for (int k = 0; k < f->n_output; k++)
    if (f->var[f->output[k].var].vr == vr) return &f->output[k];
  return NULL;
}

// 0: not declared; 1: it may change; 2: constant
static int declared(const fmu_import *f, const fmu_unknown *u, uint32_t known)
{
  for (int k = 0; u && k < u->n_known; k++)
    if (f->var[u->known[k]].vr == known)
      return u->kind && strcmp(u->kind[k], "constant") == 0 ? 2 : 1;
  return 0;
}

static void check_dependencies(rig *r)
{
  double x[RIG_MAX_X], u[SYN_N_U + 1], *J[2];
  uint64_t seed = 21;
  lists l = lists_of(r);
  int n_absent = 0, n_constant = 0;
  continuous(r);
  rig_drive(r, 0, u);
  for (int q = 0; q < 2; q++) {
    J[q] = calloc(RIG_MAX_VAR * RIG_MAX_VAR, sizeof **J);
    rig_random(r, &seed, x);
    set_all(r, x, u);
    matrix(r, &l, J[q]);
  }
  for (int i = 0; i < l.n_unknown; i++)
    for (int k = 0; k < l.n_known; k++) {
      int kind = declared(&r->u.f, unknown_of(&r->u.f, l.unknown[i]), l.known[k]);
      double a = J[0][i * l.n_known + k], b = J[1][i * l.n_known + k];
      n_absent += kind == 0;
      n_constant += kind == 2;
      MW_CHECK(kind != 0 || (a == 0.0 && b == 0.0));
      MW_CHECK(kind != 2 || (a == b && a != 0.0));
    }
  // rates of the states, the force; the flat coordinate of one fixture moves nothing
  MW_CHECK(n_constant == r->n + 1 && n_absent > r->n * (r->n_x - 1));
  free(J[0]);
  free(J[1]);
  fmu_free(&r->u);
}

static void unknowns_depend_on_nothing_that_is_not_declared(void) { rig_each(check_dependencies); }

static const mw_test_case cases[] = {
  { "co_simulation_gives_the_bits_of_the_library", co_simulation_gives_the_bits_of_the_library },
  { "bad_steps_are_refused_and_the_variable_named", bad_steps_are_refused_and_the_variable_named },
  { "wrong_calls_are_errors_with_a_message", wrong_calls_are_errors_with_a_message },
  { "model_exchange_gives_the_derivatives_of_the_library",
    model_exchange_gives_the_derivatives_of_the_library },
  { "states_outside_the_model_are_discarded_and_named",
    states_outside_the_model_are_discarded_and_named },
  { "both_interfaces_describe_the_same_motion", both_interfaces_describe_the_same_motion },
  { "directional_derivatives_are_those_of_the_unknowns",
    directional_derivatives_are_those_of_the_unknowns },
  { "adjoint_derivatives_are_the_transposed_ones", adjoint_derivatives_are_the_transposed_ones },
  { "unknowns_depend_on_nothing_that_is_not_declared",
    unknowns_depend_on_nothing_that_is_not_declared },
  { RIG_LAST, rig_remove },
};

int main(void) { return mw_test_run("fmu_motion", cases, (int)(sizeof cases / sizeof *cases)); }
