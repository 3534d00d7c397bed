// SPDX-License-Identifier: BSD-3-Clause
// test_mpc.c: the receding horizon of cases/gantry-mpc on its small gantry: plan, estimate and
// programme against the model itself, and a whole move of the full mechanism.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/control_priv.h"
#include "demo.h"
#include "fem/control.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"

static const char *const model_file = MW_CASES_DIR "/gantry-mpc/small.yaml";
static const double H = 5e-4;  // s, of the plan

static mw_rom_file reduced;  // made by the first test, freed by main

typedef struct fixture {
  mw_case c;
  mw_rom_file rom;  // borrowed
  mw_scenario sc;
  mw_mpc_plan plan;
  mw_arena mem;
} fixture;

static bool make(fixture *f)
{
  mw_error err = { 0 };
  *f = (fixture){ 0 };
  if (!MW_OKAY(mw_case_read(model_file, &f->c, &err))) return false;
  f->sc = f->c.model.scenario[0];
  if (reduced.n_point == 0 && !MW_OKAY(mw_reduce(&f->c.model, &f->c.mech, NULL, &reduced, &err)))
    return false;
  f->rom = reduced;
  return MW_OKAY(mw_mpc_plan_build(&f->rom, &f->c.model, &f->sc, H, &f->mem, &f->plan, &err));
}

static void drop(fixture *f)
{
  mw_arena_free(&f->mem);
  mw_case_free(&f->c);
}

// ---- memory taken while `counting` --------------------------------------------------------------

static int counting, taken;
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_malloc(size_t n)
{
  taken += counting;
  return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
  taken += counting;
  return __real_calloc(n, size);
}

// ---- plan ---------------------------------------------------------------------------------------

static void the_plan_is_where_the_model_rests(void)
{
  fixture f;
  if (!make(&f)) return;
  const mw_rom *rom = &f.rom.rom;
  int n = rom->s + rom->m;
  double *acc = mw_arena_f64(&f.mem, (size_t)n), y[16];
  void *work = mw_arena_alloc(&f.mem, mw_rom_sens_bytes(rom), 1);
  mw_rom_opt opt = mw_rom_opt_default();
  MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &opt, .u = f.plan.u0, .work = work },
                      f.plan.x0, acc) == MW_ROM_OK);
  // forces of some 100 N a kilogram cancel, sums of n products of sums of n
  for (int i = 0; i < n; i++) MW_NEAR(acc[i], 0.0, mw_test_rounding(n * n, 100.0));
  MW_CHECK(mw_rom_outputs(rom, f.plan.x0, y, NULL, work, NULL) == MW_ROM_OK);
  for (int k = 0; k < f.plan.n_ref; k++) MW_NEAR(y[f.plan.field[k]], f.plan.y[k], 1e-15);
  for (int t = 0; t < f.plan.n_t; t += 20)
    for (int k = 0; k < rom->n_u; k++) {
      double r, r_dot;
      mw_signal_eval(&f.sc.action[k].signal, t * H, &r, &r_dot, NULL);
      // rounding of metres, and of seconds at some metres a second
      MW_NEAR(f.plan.y[t * f.plan.n_ref + f.plan.n_out + k], r, 8 * DBL_EPSILON);
      // central difference: H²/6 times the jerk, which is what it is off by in the jerk phases, and
      // rounding
      if (t > 0 && t + 1 < f.plan.n_t)
        MW_NEAR(f.plan.y_dot[t * f.plan.n_ref + f.plan.n_out + k], r_dot,
                H * H / 6.0 * 3000.0 + 1e-9);
    }
  // the longest of the moves: x, 0.1 m: twice √(0.1 m / 20 m/s²) and a jerk phase
  MW_NEAR(f.plan.end, 2.0 * sqrt(0.1 / 20.0 + pow(20.0 / 3000.0, 2) / 4.0) + 20.0 / 3000.0, H);
  drop(&f);
}

static void moves_that_cannot_be_followed_are_refused(void)
{
  fixture f;
  mw_error err = { 0 };
  mw_mpc_plan plan = { 0 };
  if (!make(&f)) return;
  mw_action *a = f.sc.action;
  a[0].signal.b = 5.0;  // beyond the rails
  a[1].signal.b = 5.0;
  f.sc.duration = 4.0;
  MW_FAILS(mw_mpc_plan_build(&f.rom, &f.c.model, &f.sc, H, &f.mem, &plan, &err), MW_ERR_RANGE);
  f.sc.n_action = 2;
  MW_FAILS(mw_mpc_plan_build(&f.rom, &f.c.model, &f.sc, H, &f.mem, &plan, &err), MW_ERR_INPUT);
  MW_CHECK(strcmp(err.msg, "drive motor_y has no controlled move") == 0);
  drop(&f);
}

// ---- fields -------------------------------------------------------------------------------------

// A state on the way, deflected and vibrating.
static void some_state(const fixture *f, double *x)
{
  int s = f->rom.rom.s, m = f->rom.rom.m, n = s + m;
  memcpy(x, f->plan.x0, 2 * (size_t)n * sizeof(double));
  x[0] += 0.03;
  x[1] += 0.05;
  for (int i = 0; i < s; i++) x[n + i] = 1.0 - 0.4 * i;
  for (int a = 0; a < m; a++) {
    x[s + a] += 1e-4 * cos(1.0 + a);
    x[n + s + a] = 2e-2 * sin(2.0 + 3.0 * a);
  }
}

// At x: y, y_dot, J, J_dot against outputs and their differences. Rates of the fields' slopes are
// left out of J_dot, whose columns of theta are therefore exact at delta = 0 alone.
static void compare_fields(fixture *f, double *x, bool deflected)
{
  enum { MOST = 16 };
  const mw_rom *rom = &f->rom.rom;
  int n = rom->s + rom->m, nr = f->plan.n_ref;
  double y[MOST], y_dot[MOST], all[MOST], all_dot[MOST], up[MOST], up_dot[MOST], lo[MOST],
      lo_dot[MOST];
  double *J = mw_arena_f64(&f->mem, (size_t)(nr * n)), *D = mw_arena_f64(&f->mem, (size_t)(nr * n));
  double *value = mw_arena_f64(&f->mem, (size_t)rom->n_field),
         *gradient = mw_arena_f64(&f->mem, (size_t)(rom->s * rom->n_field));
  void *work = mw_arena_alloc(&f->mem, mw_rom_sens_bytes(rom), 1);
  MW_CHECK(mw_mpc_fields(rom, x, nr, f->plan.field, y, y_dot, J, D, value, gradient) == MW_ROM_OK);
  MW_CHECK(mw_rom_outputs(rom, x, all, all_dot, work, NULL) == MW_ROM_OK);
  for (int k = 0; k < nr; k++) {
    MW_NEAR(y[k], all[f->plan.field[k]], 8 * DBL_EPSILON);
    MW_NEAR(y_dot[k], all_dot[f->plan.field[k]], 32 * DBL_EPSILON);
  }
  for (int j = 0; j < n; j++) {
    double e = 1e-5, x0 = x[j];
    x[j] = x0 + e;
    (void)mw_rom_outputs(rom, x, up, up_dot, work, NULL);
    x[j] = x0 - e;
    (void)mw_rom_outputs(rom, x, lo, lo_dot, work, NULL);
    x[j] = x0;
    // fields are quadratic in delta and cubic in theta on a grid of 0.1 m: rounding ε/e of values
    // of order 1, and e² times third derivatives: of places, which bend by millimetres, 1e-3/0.1³,
    // of rates below 1e3
    double rounding = 4.0 * DBL_EPSILON / e, tol = rounding + 1e3 * e * e;
    for (int k = 0; k < nr; k++) {
      int r = f->plan.field[k];
      MW_NEAR(J[k * n + j], (up[r] - lo[r]) / (2.0 * e), rounding + e * e);
      if (deflected && j < rom->s) continue;
      MW_NEAR(D[k * n + j], (up_dot[r] - lo_dot[r]) / (2.0 * e), 4.0 * tol);
    }
  }
}

static void field_derivatives_are_those_of_differences(void)
{
  fixture f;
  double x[64];
  if (!make(&f)) return;
  some_state(&f, x);
  compare_fields(&f, x, true);
  for (int a = 0; a < f.rom.rom.m; a++) x[f.rom.rom.s + a] = 0.0;
  compare_fields(&f, x, false);
  drop(&f);
}

// ---- observer -----------------------------------------------------------------------------------

static void the_observer_finds_state_and_disturbing_force(void)
{
  enum { PERIODS = 250, PARTS = 4 };
  fixture f;
  mw_error err = { 0 };
  mw_observer o;
  if (!make(&f)) return;
  const mw_rom *rom = &f.rom.rom;
  int n = rom->s + rom->m, nu = rom->n_u;
  double x[64], y[16], y_dot[16], s[8], s_dot[8], u[8], seen[16];
  mw_rom_opt opt = mw_rom_opt_default(), fine = opt;
  fine.method = MW_ROM_MIDPOINT;
  void *work = mw_arena_alloc(&f.mem, mw_rom_sens_bytes(rom), 1);
  if (!MW_OKAY(mw_observer_init(&o, rom, &opt, f.plan.x0, &f.mem, &err))) return;
  memcpy(x, f.plan.x0, 2 * (size_t)n * sizeof(double));
  for (int k = 0; k < PERIODS; k++) {
    (void)mw_rom_outputs(rom, x, y, y_dot, work, NULL);
    for (int i = 0; i < nu; i++) {
      s[i] = y[rom->u_field[i]];
      s_dot[i] = y_dot[rom->u_field[i]];
      u[i] = f.plan.u0[i] + 3.0 * sin(0.1 * k + i);
    }
    MW_CHECK(mw_observer_update(&o, s, s_dot) == MW_ROM_OK);
    MW_CHECK(mw_observer_step(&o, 1e-3, u) == MW_ROM_OK);
    u[1] += 0.7;  // what the observer is not told
    u[2] -= 1.5;
    for (int i = 0; i < PARTS; i++)
      MW_CHECK(
          mw_rom_step(
              &(mw_rom_call){ .rom = rom, .opt = &fine, .h = 1e-3 / PARTS, .u = u, .work = work },
              x) == MW_ROM_OK);
  }
  // the model is exact but for its step: errors of second order, some 1e-3 of the 3 N that shake it
  MW_NEAR(o.d[0], 0.0, 0.05);
  MW_NEAR(o.d[1], 0.7, 0.05);
  MW_NEAR(o.d[2], -1.5, 0.05);
  (void)mw_rom_outputs(rom, x, y, NULL, work, NULL);
  (void)mw_rom_outputs(rom, o.x, seen, NULL, work, NULL);
  // the tool is not measured; 3 N bend it by some 10 µm
  for (int k = 0; k < 3; k++) MW_NEAR(seen[k], y[k], 1e-6);
  drop(&f);
}

// ---- the programme ------------------------------------------------------------------------------

// (3) of mpc.c by a roll-out from x0 under u [n_v], held at `before` until then; t: of x0
static double cost_of(const fixture *f, const mw_mpc *c, const double *x0, const double *d,
                      const double *before, double t, const double *u)
{
  const mw_rom *rom = &f->rom.rom;
  const mw_mpc_opt *o = &c->opt;
  int nu = rom->n_u, nr = f->plan.n_ref;
  double x[64], y[16], y_dot[16], force[8], cost = 0.0;
  static _Alignas(64) unsigned char work[1 << 20];
  if (!MW_CHECK(mw_rom_sens_bytes(rom) <= sizeof work)) return NAN;
  memcpy(x, x0, 2 * (size_t)(rom->s + rom->m) * sizeof(double));
  for (int k = 0; k < o->n_step; k++) {
    for (int i = 0; i < nu; i++) force[i] = u[k * nu + i] + d[i];
    if (mw_rom_step(
            &(mw_rom_call){ .rom = rom, .opt = &c->step, .h = o->h[k], .u = force, .work = work },
            x) != MW_ROM_OK)
      return NAN;
    (void)mw_rom_outputs(rom, x, y, y_dot, work, NULL);
    t += o->h[k];
    int at = (int)lround(t / H), last = f->plan.n_t - 1;
    const double *r = f->plan.y + (at < last ? at : last) * nr,
                 *r_dot = f->plan.y_dot + (at < last ? at : last) * nr;
    for (int j = 0; j < nr; j++) {
      bool tool = j < f->plan.n_out;
      double e = (tool ? o->tool : o->drive) * (y[f->plan.field[j]] - r[j]);
      double e_dot = (tool ? o->tool_rate : o->drive_rate) * (y_dot[f->plan.field[j]] - r_dot[j]);
      cost += 0.5 * o->h[k] / o->period * (e * e + e_dot * e_dot);
    }
    double tau = 0.5 * ((k > 0 ? o->h[k - 1] : o->period) + o->h[k]);
    for (int i = 0; i < nu; i++) {
      double change = o->slew_weight * (u[k * nu + i] - (k > 0 ? u[(k - 1) * nu + i] : before[i]));
      cost += 0.5 * o->period / tau * change * change;
    }
  }
  return cost;
}

static void the_programme_expands_the_cost_of_a_roll_out(void)
{
  enum { MOST = MW_MPC_MAX_STEP * MW_MPC_MAX_U };
  fixture f;
  mw_error err = { 0 };
  mw_mpc c;
  if (!make(&f)) return;
  mw_mpc_opt opt = mw_mpc_opt_default();
  int nu = f.rom.rom.n_u;
  if (!MW_OKAY(mw_mpc_init(&c, &f.rom, &f.plan, &opt, &f.mem, &err))) return;
  double u[8], before[8], s[8] = { 0.4, 0.4, 0.4 }, s_dot[8] = { 0.0 }, planned[MOST], next[MOST];
  // a few samples at the start of the move, where all there is moves; measured as if it stood still
  for (int k = 0; k < 3; k++) {
    memcpy(planned, c.u, (size_t)c.n_v * sizeof(double));
    MW_CHECK(mw_mpc_eval(&c, k * opt.period, s, s_dot, u));
    memcpy(before, u, sizeof before);
  }
  const double *x0 = c.observer.x, *d = c.observer.d;
  double t = 3 * opt.period, cost = cost_of(&f, &c, x0, d, before, t, planned), largest = 0.0;
  for (int j = 0; j < c.n_v; j++) largest = fmax(largest, fabs(c.qp.g[j]));
  for (int j = 0; j < c.n_v; j += 5) {
    double e = 1.0, up, lo;  // N
    memcpy(next, planned, sizeof next);
    next[j] += e;
    up = cost_of(&f, &c, x0, d, before, t, next);
    next[j] -= 2.0 * e;
    lo = cost_of(&f, &c, x0, d, before, t, next);
    // the cost is quadratic but for the machine's own curvature: millimetres on a spline of
    // decimetres, squared
    MW_WITHIN(c.qp.g[j], (up - lo) / (2.0 * e), 1e-4 * largest, "the most that curvature may be");
  }
  // what the programme expects of its solution z is what a roll-out finds:  q(z) = ½ (g·z + λ·z) at
  //     its minimum, free of bounds
  double expected = 0.0;
  for (int j = 0; j < c.n_v; j++) {
    expected += 0.5 * c.qp.g[j] * c.qp.z[j];
    next[j] = planned[j] + c.qp.z[j];
    MW_CHECK(c.qp.lambda[j] == 0.0);
  }
  double found = cost_of(&f, &c, x0, d, before, t, next) - cost;
  MW_CHECK(expected < 0.0);
  MW_WITHIN(found, expected, 1e-2 * fabs(expected), "the most that curvature may be, ten times");
  MW_CHECK(nu == 3);
  drop(&f);
}

static void bounds_hold_and_a_sample_takes_no_memory(void)
{
  fixture f;
  mw_error err = { 0 };
  mw_mpc c;
  if (!make(&f)) return;
  mw_mpc_opt opt = mw_mpc_opt_default();
  for (int i = 0; i < f.rom.rom.n_u; i++) {
    opt.force[i] = 30.0;
    opt.slew[i] = 4.0;
  }
  if (!MW_OKAY(mw_mpc_init(&c, &f.rom, &f.plan, &opt, &f.mem, &err))) return;
  double u[8], last[8], s[8] = { 0.4, 0.4, 0.4 }, s_dot[8] = { 0.0 };
  memcpy(last, f.plan.u0, sizeof last[0] * (size_t)f.rom.rom.n_u);
  int at_force = 0, at_slew = 0;
  taken = 0;
  for (int k = 0; k < 30; k++) {
    counting = 1;
    bool done = mw_mpc_eval(&c, k * opt.period, s, s_dot, u);
    counting = 0;
    if (!MW_CHECK(done)) break;
    for (int i = 0; i < f.rom.rom.n_u; i++) {
      // bounds of the programme to 1e-10 of what it deals with (qp.c)
      MW_CHECK(fabs(u[i]) <= 30.0 + 1e-7);
      MW_CHECK(fabs(u[i] - last[i]) <= 4.0 + 1e-7);
      at_force += fabs(u[i]) >= 30.0 - 1e-7;
      at_slew += fabs(u[i] - last[i]) >= 4.0 - 1e-7;
      last[i] = u[i];
    }
  }
  MW_CHECK(at_force > 0 && at_slew > 0);
  MW_CHECK(taken == 0);
  drop(&f);
}

// ---- the whole ----------------------------------------------------------------------------------

static void the_tool_of_the_full_mechanism_settles_in_half_the_time(void)
{
  fixture f;
  mw_error err = { 0 };
  static mw_demo d;
  if (!make(&f)) return;
  mw_demo_opt o = { .scenario = "pick",
                    .duration = 0.5,
                    .band = 20e-6,
                    .deadline = 0.8e-3,
                    .solves = 600,
                    .quiet = true };
  if (MW_OKAY(mw_demo_run(&d, &f.c, &f.rom, &o, &err))) {
    const mw_demo_figures *pd = &d.figure[MW_DEMO_PD], *mpc = &d.figure[MW_DEMO_MPC];
    printf("settled %.4f s and %.4f s, the move ends at %.4f s; ringing %.3g and %.3g m\n",
           pd->settled, mpc->settled, d.plan.end, pd->ringing, mpc->ringing);
    MW_CHECK(pd->after > 0.0);
    MW_CHECK(mpc->after <= 0.5 * pd->after);
    MW_CHECK(mpc->ringing < 0.2 * pd->ringing);
    for (int k = 0; k < f.rom.rom.n_u; k++) {
      MW_CHECK(mpc->force[k] <= pd->force[k] + 1e-6);
      MW_CHECK(mpc->slew[k] <= pd->slew[k] + 1e-6);
    }
    MW_CHECK(d.n_sample == 500 && d.n_timed >= 600);
    MW_CHECK(mw_demo_percentile(&d, MW_DEMO_WALL, 0.5) > 0.0);
    MW_CHECK(mw_demo_percentile(&d, MW_DEMO_WALL, 1.0) == d.time[MW_DEMO_WALL][d.n_timed - 1]);
    int late = 0;
    for (int k = 0; k < d.n_timed; k++) late += d.time[MW_DEMO_WALL][k] > o.deadline;
    MW_CHECK(late == d.n_late);
  }
  mw_demo_free(&d);
  drop(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "the_plan_is_where_the_model_rests", the_plan_is_where_the_model_rests },
    { "moves_that_cannot_be_followed_are_refused", moves_that_cannot_be_followed_are_refused },
    { "field_derivatives_are_those_of_differences", field_derivatives_are_those_of_differences },
    { "the_observer_finds_state_and_disturbing_force",
      the_observer_finds_state_and_disturbing_force },
    { "the_programme_expands_the_cost_of_a_roll_out",
      the_programme_expands_the_cost_of_a_roll_out },
    { "bounds_hold_and_a_sample_takes_no_memory", bounds_hold_and_a_sample_takes_no_memory },
    { "the_tool_of_the_full_mechanism_settles_in_half_the_time",
      the_tool_of_the_full_mechanism_settles_in_half_the_time },
  };
  int status = mw_test_run("mpc", cases, (int)(sizeof cases / sizeof *cases));
  mw_rom_file_free(&reduced);
  return status;
}
