// SPDX-License-Identifier: BSD-3-Clause
// cmd_bench.c: modeway bench: what a right-hand side and a step cost.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_priv.h"
#include "cmd_priv.h"
#include "sim/rigidrun.h"

enum { N_FIXED = 4 };
static const mw_method fixed_step[N_FIXED] = { MW_METHOD_RK4, MW_METHOD_LEAPFROG, MW_METHOD_ALPHA,
                                               MW_METHOD_MIDPOINT };

// ---- rigid mechanism of a model ---------------------------------------------------------------------

typedef struct rigid_cost {
  const mw_scenario *sc;
  mw_rigid_size n;
  int joints, redundant;  // redundant rows at the start
  double step;            // s
  double rhs_ns, step_ns[N_FIXED];
  mw_error failed[N_FIXED];  // code MW_OK: the method made its steps
} rigid_cost;

// A state at the start of the scenario; released by mw_rigid_sim_free.
static mw_code start(const mw_mech *m, const mw_scenario *sc, mw_method method, mw_rigid_sim *s,
                     mw_error *err)
{
  mw_rigid_in in = mw_rigid_run_opt_default(sc).rigid;
  in.method = method;
  mw_code rc = mw_rigid_sim_init(m, sc, in, s, err);
  if (rc == MW_OK) rc = mw_rigid_start(s, err);
  if (rc != MW_OK) return rc;
  mw_rigid_sample(s->r, s->w, 0.0, s->q, s->v);
  return mw_rigid_sim_eval(s, err);
}

// A method that fails leaves its reason, and nothing to the next one.
static mw_code measure_method(const mw_mech *m, rigid_cost *c, int k, mw_error *err)
{
  enum { TURN = 200 };  // steps between two starts
  int turn = (int)fmin(TURN, fmax(1.0, floor(c->sc->duration / c->step)));
  mw_rigid_sim s = { 0 };
  mw_code rc = start(m, c->sc, fixed_step[k], &s, err);
  c->step_ns[k] = NAN;
  if (rc == MW_OK)
    c->failed[k].code = mw_bench_rigid_step(&s, c->step, turn, &c->step_ns[k], &c->failed[k]);
  mw_rigid_sim_free(&s);
  return rc;
}

static mw_code measure_rigid(const mw_mech *m, rigid_cost *c, mw_error *err)
{
  mw_rigid_sim s = { 0 };
  mw_arena mem = { 0 };
  int *rows = mw_arena_int(&mem, (size_t)m->n_joint);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = start(m, c->sc, fixed_step[0], &s, err);
  if (rc == MW_OK) {
    c->n = s.n;
    c->joints = m->n_joint;
    c->redundant = mw_rigid_redundant(s.r, s.w, rows);
    rc = mw_bench_rigid_rhs(&s, &c->rhs_ns, err);
  }
  mw_arena_free(&mem);
  mw_rigid_sim_free(&s);
  for (int k = 0; rc == MW_OK && k < N_FIXED; k++) rc = measure_method(m, c, k, err);
  return rc;
}

static double real_time(double step, double ns) { return 1e9 * step / ns; }

static void json_rigid(const mw_model *m, const rigid_cost *c)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "name", m->name);
  mw_json_str(&j, "kind", "rigid");
  mw_json_str(&j, "scenario", c->sc->name);
  mw_json_num(&j, "bodies", c->n.n_body);
  mw_json_num(&j, "joints", c->joints);
  mw_json_num(&j, "rows", c->n.n_row);
  mw_json_num(&j, "redundant_rows", c->redundant);
  mw_json_num(&j, "rhs_ns", c->rhs_ns);
  mw_json_num(&j, "step_s", c->step);
  mw_json_array(&j, "methods");
  for (int k = 0; k < N_FIXED; k++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "method", mw_rigid_method_name(fixed_step[k]));
    mw_json_num(&j, "step_ns", c->step_ns[k]);
    mw_json_num(&j, "real_time_factor", real_time(c->step, c->step_ns[k]));
    if (c->failed[k].code != MW_OK) mw_json_str(&j, "failed", c->failed[k].msg);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

static void print_rigid(const mw_model *m, const rigid_cost *c)
{
  printf("%s, scenario %s: %d moving bodies, %d joints, %d rows, %d redundant\n", m->name,
         c->sc->name, c->n.n_body, c->joints, c->n.n_row, c->redundant);
  printf("right-hand side %.0f ns, %.0f ns a body\n\n", c->rhs_ns, c->rhs_ns / c->n.n_body);
  printf("%-10s %24s %17s\n", "method", "ns a step", "times real time");
  for (int k = 0; k < N_FIXED; k++) {
    printf("%-10s", mw_rigid_method_name(fixed_step[k]));
    if (c->failed[k].code == MW_OK)
      printf(" %24.0f %17.3g\n", c->step_ns[k], real_time(c->step, c->step_ns[k]));
    else
      printf(" %s\n", c->failed[k].msg);
  }
  printf("\nsteps of %g s\n", c->step);
}

static mw_code bench_rigid(const mw_args *a, mw_error *err)
{
  mw_case m;
  rigid_cost cost = { 0 };
  const char *name = mw_args_value(a, "scenario");
  mw_code rc = mw_case_read(a->operand, &m, err);
  if (rc != MW_OK) return rc;
  if (name)
    rc = mw_scenario_find(&m.model, name, &cost.sc, err);
  else if (m.model.n_scenario > 0)
    cost.sc = &m.model.scenario[0];
  else
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m.model.path },
                 "the model has no scenario to start from");
  if (rc == MW_OK) cost.step = cost.sc->step;
  if (rc == MW_OK) rc = mw_args_f64(a, "step", 1e-12, DBL_MAX, &cost.step, err);
  if (rc == MW_OK) rc = measure_rigid(&m.mech, &cost, err);
  if (rc == MW_OK) {
    if (a->json)
      json_rigid(&m.model, &cost);
    else
      print_rigid(&m.model, &cost);
  }
  mw_case_free(&m);
  return rc;
}

// ---- reduced model ----------------------------------------------------------------------------------

typedef struct rom_cost {
  size_t bytes, work_bytes;  // of the tables; of the scratch of a step
  double rhs_ns, step_ns, step;
  int iterations;  // of all steps measured
  int steps;
} rom_cost;

typedef struct rom_bench {
  const mw_rom *rom;
  mw_rom_opt opt;
  double *x0, *x;   // [2 (s + m)]  m or rad, amplitudes, their rates
  double *u, *acc;  // [n_u], [s + m]
  void *work;
  rom_cost *cost;
} rom_bench;

static mw_code fail(mw_rom_code code, const char *what, mw_error *err)
{
  return code == MW_ROM_OK ? MW_OK
                           : mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%s of the reduced model: %s",
                                     what, mw_rom_code_name(code));
}

// In the middle of its range, a tenth of which it crosses in a second, as it hangs at rest.
static mw_code rom_start(const rom_bench *b, mw_error *err)
{
  int s = b->rom->s, m = b->rom->m;
  for (int i = 0; i < s; i++) {
    b->x0[i] = 0.5 * (b->rom->lo[i] + b->rom->hi[i]);
    b->x0[s + m + i] = 0.1 * (b->rom->hi[i] - b->rom->lo[i]);
  }
  return fail(mw_rom_static(b->rom, b->x0, NULL, b->x0 + s, b->work, NULL), "rest", err);
}

static mw_code rom_rhs(void *context, int k, mw_error *err)
{
  const rom_bench *b = context;
  (void)k;
  return fail(mw_rom_rhs(b->rom, &b->opt, b->x0, b->u, NULL, b->acc, b->work, NULL),
              "right-hand side", err);
}

static mw_code rom_step(void *context, int k, mw_error *err)
{
  enum { TURN = 100 };  // steps between two starts
  const rom_bench *b = context;
  mw_rom_info info = { 0 };
  if (k % TURN == 0) memcpy(b->x, b->x0, 2 * (size_t)(b->rom->s + b->rom->m) * sizeof *b->x);
  mw_rom_code code = mw_rom_step(b->rom, &b->opt, b->cost->step, b->u, NULL, b->x, b->work, &info);
  b->cost->iterations += info.iterations;
  b->cost->steps++;
  return fail(code, "step", err);
}

static mw_code measure_rom(const mw_rom_file *f, rom_cost *c, mw_error *err)
{
  const mw_rom *rom = &f->rom;
  size_t n = (size_t)(rom->s + rom->m);
  mw_arena mem = { 0 };
  rom_bench b = { .rom = rom, .opt = mw_rom_opt_default(), .cost = c };
  b.opt.inertia = f->inertia;
  c->bytes = mw_rom_bytes(rom);
  c->work_bytes = mw_rom_work_bytes(rom);
  b.x0 = mw_arena_f64(&mem, 2 * n);
  b.x = mw_arena_f64(&mem, 2 * n);
  b.u = mw_arena_f64(&mem, (size_t)rom->n_u);
  b.acc = mw_arena_f64(&mem, n);
  b.work = mw_arena_alloc(&mem, c->work_bytes, 1);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = rom_start(&b, err);
  if (rc == MW_OK) rc = mw_bench_time(rom_rhs, &b, &c->rhs_ns, err);
  if (rc == MW_OK) rc = mw_bench_time(rom_step, &b, &c->step_ns, err);
  mw_arena_free(&mem);
  return rc;
}

static void json_rom(const mw_rom_file *f, const rom_cost *c)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "name", f->model_name);
  mw_json_str(&j, "kind", "rom");
  mw_json_num(&j, "coordinates", f->rom.s);
  mw_json_num(&j, "modes", f->rom.m);
  mw_json_num(&j, "table_bytes", (double)c->bytes);
  mw_json_num(&j, "work_bytes", (double)c->work_bytes);
  mw_json_num(&j, "rhs_ns", c->rhs_ns);
  mw_json_num(&j, "step_s", c->step);
  mw_json_num(&j, "step_ns", c->step_ns);
  mw_json_num(&j, "iterations", (double)c->iterations / c->steps);
  mw_json_num(&j, "real_time_factor", real_time(c->step, c->step_ns));
  mw_json_end(&j, '}');
}

static void print_rom(const mw_rom_file *f, const rom_cost *c)
{
  printf(
      "%s, reduced: %d coordinates, %d modes and patterns, tables of %zu bytes, %zu of scratch\n",
      f->model_name, f->rom.s, f->rom.m, c->bytes, c->work_bytes);
  printf("right-hand side %.0f ns\n", c->rhs_ns);
  printf("step of %g s %.0f ns, %.1f iterations, %.3g times real time\n", c->step, c->step_ns,
         (double)c->iterations / c->steps, real_time(c->step, c->step_ns));
}

static mw_code bench_rom(const mw_args *a, mw_error *err)
{
  mw_rom_file f = { 0 };
  rom_cost c = { .step = 1e-3 };
  if (mw_args_value(a, "scenario"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--scenario is for models, found a reduced model");
  mw_code rc = mw_args_f64(a, "step", 1e-12, DBL_MAX, &c.step, err);
  if (rc == MW_OK) rc = mw_rom_file_read(a->operand, &f, err);
  if (rc == MW_OK) rc = measure_rom(&f, &c, err);
  if (rc == MW_OK) {
    if (a->json)
      json_rom(&f, &c);
    else
      print_rom(&f, &c);
  }
  mw_rom_file_free(&f);
  return rc;
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  mw_code rc = mw_file_is_netcdf(a->operand) ? bench_rom(a, &err) : bench_rigid(a, &err);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_bench = {
  .name = "bench",
  .operand = "MODEL|ROM.nc",
  .summary = "what a right-hand side and a step cost on this machine",
  .doc =
      "MODEL: the rigid mechanism at the start of a scenario: one right-hand side (all\n"
      "accelerations and reactions) and a step of each fixed-step method, samples of\n"
      "controllers included. ROM.nc: the same of the reduced model, from the middle of its\n"
      "range. Medians of batches of 15 ms; run it on an idle machine.\n\n"
      "--json: {\"name\", \"kind\": rigid or rom, \"rhs_ns\", \"step_s\"; rigid: \"scenario\",\n"
      "  \"bodies\": moving ones, \"joints\", \"rows\": of all joints, \"redundant_rows\" at the\n"
      "  start, \"methods\": [{\"method\", \"step_ns\", \"real_time_factor\": step_s over the time\n"
      "  of a step, \"failed\": why there are no figures}]; rom: \"coordinates\", \"modes\":\n"
      "  elastic coordinates, \"table_bytes\", \"work_bytes\": scratch of a step, \"step_ns\",\n"
      "  \"iterations\" of a step, \"real_time_factor\"}\n",
  .option = { { 's', "scenario", "NAME", "MODEL: where to start (default: its first)", false },
              { 0, "step", "SECONDS", "of a step (default: the scenario's; ROM.nc: 1e-3)",
                false } },
  .run = run,
};
