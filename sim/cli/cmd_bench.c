// SPDX-License-Identifier: BSD-3-Clause
// cmd_bench.c: modeway bench: what a right-hand side and a step cost.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "bench/bench_layer.h"
#include "bench/bench_operations_layer.h"
#include "bench/bench_reduced_layer.h"
#include "cmd_layer.h"
#include "draw/plot_layer.h"
#include "sim/rigidrun.h"

enum { N_FIXED = 4 };
static const mw_method fixed_step[N_FIXED] = { MW_METHOD_RK4, MW_METHOD_LEAPFROG, MW_METHOD_ALPHA,
                                               MW_METHOD_MIDPOINT };

// ---- rigid mechanism of a model -----------------------------------------------------------------

typedef struct rigid_cost {
  const mw_scenario *sc;
  mw_rigid_size n;
  int joints, redundant;  // redundant rows at the start
  double step;            // s
  bool articulated;       // the right-hand side goes by articulated bodies
  int legs;               // in closed form
  double rhs_ns, step_ns[N_FIXED];
  int groups;
  double groups_ns,
      dense_ns;         // the right-hand side in groups, by dense matrices; NaN: not measured
  double dense_apart;   // accelerations of the latter
  double recursion_ns;  // of drive forces; NaN: no tree
  mw_bench_parts parts;
  mw_elim_count twists, natural;  // operations of the elimination
  int n_path;
  mw_path_count path[2];     // of --paths
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
  if (rc == MW_OK) rc = mw_rigid_sample(s->r, s->w, 0.0, s->q, s->v, err);
  return rc == MW_OK ? mw_rigid_sim_eval(s, err) : rc;
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

// Operations of the elimination as it is, and as it would be without the null-space step.
static mw_code count_rigid(const mw_rigid *r, rigid_cost *c, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_rigid_structure s;
  mw_code rc = mw_rigid_structure_find(r, &mem, &s, err);
  if (rc == MW_OK) mw_count_elimination(&s, &c->twists);
  if (rc == MW_OK) rc = mw_count_symbolic(&s, true, &c->natural, err);
  mw_arena_free(&mem);
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
    c->articulated = mw_rigid_articulates(s.r);
    c->legs = mw_rigid_leg_count(s.r);
    c->redundant = mw_rigid_redundant(s.r, s.w, rows);
    rc = mw_bench_rigid_rhs(&s, &c->rhs_ns, err);
    if (rc == MW_OK) rc = mw_bench_rigid_parts(&s, &c->parts, err);
    if (rc == MW_OK) rc = count_rigid(s.r, c, err);
    if (rc == MW_OK) rc = mw_bench_rigid_groups(&s, &c->groups, &c->groups_ns, err);
    if (rc == MW_OK) rc = mw_bench_rigid_dense(&s, &c->dense_ns, &c->dense_apart, err);
  }
  mw_arena_free(&mem);
  mw_rigid_sim_free(&s);
  if (rc == MW_OK) rc = mw_bench_recursion(m, &c->recursion_ns, err);
  for (int k = 0; rc == MW_OK && k < N_FIXED; k++) rc = measure_method(m, c, k, err);
  return rc;
}

static double real_time(double step, double ns) { return 1e9 * step / ns; }

static void json_path(mw_json *j, const mw_path_count *p)
{
  mw_json_object(j, NULL);
  mw_json_str(j, "path", p->path);
  if (p->failed[0]) {
    mw_json_str(j, "failed", p->failed);
  } else {
    mw_json_num(j, "unknowns", p->unknowns);
    mw_json_num(j, "steps", p->steps);
    mw_json_num(j, "iterations", p->iterations);
    mw_json_num(j, "bodies_flops", p->bodies);
    mw_json_num(j, "rows_flops", p->rows);
    mw_json_num(j, "step_flops", p->step);
    mw_json_num(j, "step_ns", p->step_ns);
  }
  mw_json_end(j, '}');
}

static void json_operations(mw_json *j, const rigid_cost *c)
{
  mw_json_num(j, "forces_ns", c->parts.forces);
  mw_json_num(j, "rows_ns", c->parts.rows);
  mw_json_num(j, "elimination_ns", c->parts.elimination);
  mw_json_num(j, "recursion_ns", c->recursion_ns);
  mw_json_num(j, "elimination_flops", c->twists.factor + c->twists.solve);
  mw_json_num(j, "natural_flops", c->natural.factor + c->natural.solve);
  if (c->n_path == 0) return;
  mw_json_array(j, "paths");
  for (int k = 0; k < c->n_path; k++) json_path(j, &c->path[k]);
  mw_json_end(j, ']');
}

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
  mw_json_bool(&j, "articulated", c->articulated);
  mw_json_num(&j, "legs", c->legs);
  mw_json_num(&j, "groups", c->groups);
  mw_json_num(&j, "groups_ns", c->groups_ns);
  mw_json_num(&j, "dense_ns", c->dense_ns);
  mw_json_num(&j, "dense_apart", c->dense_apart);
  json_operations(&j, c);
  mw_json_num(&j, "step_s", c->step);
  mw_json_array(&j, "methods");
  for (int k = 0; k < N_FIXED; k++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "method", mw_method_name(fixed_step[k]));
    mw_json_num(&j, "step_ns", c->step_ns[k]);
    mw_json_num(&j, "real_time_factor", real_time(c->step, c->step_ns[k]));
    if (c->failed[k].code != MW_OK) mw_json_str(&j, "failed", c->failed[k].msg);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

// The right-hand side by other ways.
static void print_ways(const rigid_cost *c)
{
  if (!isnan(c->groups_ns))
    printf("in %d groups %.0f ns, %.2f times that in one\n", c->groups, c->groups_ns,
           c->groups_ns / c->rhs_ns);
  if (isnan(c->dense_ns)) return;
  printf("undistributed, by matrices of %d rows, %.0f ns: %.1f times that in one part",
         c->n.n_row - c->redundant, c->dense_ns, c->dense_ns / c->rhs_ns);
  if (!isnan(c->groups_ns)) printf(", %.1f times that in groups", c->dense_ns / c->groups_ns);
  printf("; accelerations %.1e apart\n", c->dense_apart);
}

// Shares of the parts, operations of the elimination by formula.
static void print_operations(const rigid_cost *c)
{
  const mw_bench_parts *p = &c->parts;
  double all = (p->forces + p->rows + p->elimination) / 100.0,
         n = c->twists.factor + c->twists.solve, natural = c->natural.factor + c->natural.solve;
  printf("%s, each on its own: forces %.0f %%, rows with their right-hand sides gamma %.0f "
         "%%, elimination %.0f %%\n",
         c->articulated || c->legs > 0 ? "parts of one with reactions" : "its parts",
         p->forces / all, p->rows / all, p->elimination / all);
  if (!isnan(c->recursion_ns))
    printf("inverse dynamics by Newton and Euler's recursion %.0f ns\n", c->recursion_ns);
  printf("elimination by formula %.0f operations, %.0f a body", n, n / c->n.n_body);
  if (!isnan(natural))
    printf("; with natural coordinates in place of twists (no null-space step) %.0f, %.1f times as "
           "many",
           natural, natural / n);
  printf("\n");
}

static void print_paths(const rigid_cost *c)
{
  if (c->n_path == 0) return;
  printf("\n%-6s %9s %11s %15s %15s %15s %12s %9s\n", "path", "unknowns", "iterations",
         "bodies, each", "rows, at most", "a step", "ns a step", "Gflop/s");
  for (int k = 0; k < c->n_path; k++) {
    const mw_path_count *p = &c->path[k];
    if (p->failed[0])
      printf("%-6s %s\n", p->path, p->failed);
    else
      printf("%-6s %9d %11.2f %15.0f %15.0f %15.0f %12.0f %9.2f\n", p->path, p->unknowns,
             p->iterations, p->bodies, p->rows, p->step, p->step_ns, p->step / p->step_ns);
  }
  printf(
      "operations by formula: of bodies in an iteration, of joints' rows in a step as if dense\n");
}

static void print_rigid(const mw_model *m, const rigid_cost *c)
{
  printf("%s, scenario %s: %d moving bodies, %d joints, %d rows, %d redundant\n", m->name,
         c->sc->name, c->n.n_body, c->joints, c->n.n_row, c->redundant);
  printf("right-hand side %.0f ns, %.0f ns a body%s\n", c->rhs_ns, c->rhs_ns / c->n.n_body,
         c->articulated ? ", by articulated bodies, without reactions"
         : c->legs > 0  ? ", legs in closed form, without reactions"
                        : "");
  print_operations(c);
  print_ways(c);
  printf("\n");
  printf("%-10s %24s %17s\n", "method", "ns a step", "times real time");
  for (int k = 0; k < N_FIXED; k++) {
    printf("%-10s", mw_method_name(fixed_step[k]));
    if (c->failed[k].code == MW_OK)
      printf(" %24.0f %17.3g\n", c->step_ns[k], real_time(c->step, c->step_ns[k]));
    else
      printf(" %s\n", c->failed[k].msg);
  }
  printf("\nsteps of %g s\n", c->step);
  print_paths(c);
}

// --picture: the right-hand side with its parts and other ways, steps.
static mw_code picture_rigid(const mw_args *a, const mw_model *m, const rigid_cost *c,
                             mw_error *err)
{
  const char *name[7 + N_FIXED] = { "right-hand side",
                                    "its forces on bodies",
                                    "its rows, with gamma",
                                    "its elimination",
                                    "right-hand side in groups",
                                    "right-hand side, dense",
                                    "inverse dynamics by recursion" };
  double ns[7 + N_FIXED] = { c->rhs_ns,    c->parts.forces, c->parts.rows,  c->parts.elimination,
                             c->groups_ns, c->dense_ns,     c->recursion_ns };
  char step[N_FIXED][48], title[192];
  if (!mw_args_value(a, "picture")) return MW_OK;
  for (int k = 0; k < N_FIXED; k++) {
    snprintf(step[k], sizeof step[k], "a step of %s", mw_method_name(fixed_step[k]));
    name[7 + k] = step[k];
    ns[7 + k] = c->failed[k].code == MW_OK ? c->step_ns[k] : (double)NAN;
  }
  snprintf(title, sizeof title, "%.100s, scenario %.60s", m->name, c->sc->name);
  return mw_bench_picture(title, 7 + N_FIXED, name, ns, mw_args_value(a, "picture"), err);
}

static mw_code bench_rigid(const mw_args *a, mw_error *err)
{
  mw_case m;
  rigid_cost cost = { 0 };
  const char *name;
  if (mw_args_value(a, "quick"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--quick is for reduced models, found a model");
  mw_code rc = mw_args_case(a, a->operand, &m, &name, err);
  if (rc != MW_OK) return rc;
  if (name)
    rc = mw_scenario_find(&m.model, name, &cost.sc, err);
  else if (m.model.n_scenario > 0)
    cost.sc = &m.model.scenario[0];
  else
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m.model.path },
                 "found no scenario to start from; expected one in section scenarios");
  if (rc == MW_OK) cost.step = cost.sc->step;
  if (rc == MW_OK) rc = mw_args_f64(a, "step", 1e-12, DBL_MAX, &cost.step, err);
  if (rc == MW_OK) rc = measure_rigid(&m.mech, &cost, err);
  for (int k = 0; rc == MW_OK && mw_args_value(a, "paths") && k < 2; k++)
    rc = mw_count_path(&m, cost.sc, k ? "body" : "full", &cost.path[cost.n_path++], err);
  if (rc == MW_OK) rc = picture_rigid(a, &m.model, &cost, err);
  if (rc == MW_OK) {
    if (a->json)
      json_rigid(&m.model, &cost);
    else
      print_rigid(&m.model, &cost);
  }
  mw_case_free(&m);
  return rc;
}

// ---- reduced model ------------------------------------------------------------------------------

static mw_code picture_rom(const mw_args *a, const mw_bench_rom *b, mw_error *err)
{
  const char *name[MW_COUNT_N + 2];
  double ns[MW_COUNT_N + 2];
  if (!mw_args_value(a, "picture")) return MW_OK;
  for (int k = 0; k < MW_COUNT_N; k++) {
    name[k] = mw_bench_call_name((mw_count_call)k);
    ns[k] = b->call[k].failed[0] ? (double)NAN : b->call[k].ns;
  }
  name[MW_COUNT_N] = "a step of a rollout, by itself";
  name[MW_COUNT_N + 1] = "a step of a rollout, of many at once";
  ns[MW_COUNT_N] = b->near.n > 0 ? b->near.one_ns : (double)NAN;
  ns[MW_COUNT_N + 1] = b->near.n > 0 ? b->near.batch_ns : (double)NAN;
  return mw_bench_picture(b->file->model_name, MW_COUNT_N + 2, name, ns,
                          mw_args_value(a, "picture"), err);
}

static mw_code bench_rom(const mw_args *a, mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_bench_rom b = { .file = &f, .step = 1e-3 };
  mw_progress progress = mw_progress_default(a->quiet);
  if (mw_args_value(a, "scenario"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--scenario is for models, found a reduced model");
  if (mw_args_value(a, "paths"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--paths is for models, found a reduced model");
  if (a->n_set > 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--set is for models, found a reduced model");
  mw_code rc = mw_args_f64(a, "step", 1e-12, DBL_MAX, &b.step, err);
  if (rc == MW_OK) rc = mw_rom_file_read(a->operand, &f, err);
  if (rc == MW_OK) rc = mw_bench_rom_eval(mw_args_value(a, "quick") != NULL, &progress, &b, err);
  if (rc == MW_OK) rc = picture_rom(a, &b, err);
  if (rc == MW_OK) {
    if (a->json)
      mw_bench_rom_json(&b);
    else
      mw_bench_rom_print(&b);
  }
  mw_rom_file_free(&f);
  return rc;
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  mw_code rc =
      mw_args_value(a, "picture") ? mw_plot_name(mw_args_value(a, "picture"), &err) : MW_OK;
  if (rc == MW_OK) rc = mw_file_is_netcdf(a->operand) ? bench_rom(a, &err) : bench_rigid(a, &err);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_bench = {
  .name = "bench",
  .operand = "MODEL|ROM.nc",
  .summary = "what a right-hand side and a step cost on this machine",
  .doc =
      "MODEL: the rigid mechanism at the start of a scenario: one right-hand side (all\n"
      "accelerations and, but of trees of revolute and prismatic joints and of bodies on\n"
      "legs that go in closed form, reactions) and a step\n"
      "of each fixed-step method, samples of controllers included; beside it the right-hand side\n"
      "in groups (assemblies, or sixteenths of the joints) and undistributed, by matrices of all\n"
      "rows (up to 2000; without friction and stops). Processor time, medians of batches of\n"
      "15 ms. Its parts are measured on their own; operations of the elimination are those of\n"
      "its blocks (sim/bench/README.md), beside those of natural coordinates with rows that keep\n"
      "bodies rigid. --paths: steps of the paths full and body, operations by formula beside\n"
      "iterations and time.\n\n"
      "ROM.nc: each call of the reduced model, from the middle of its range: time, operations\n"
      "(counted by running it with numbers that count), coefficients needed and scratch\n"
      "written, share of what one core reaches multiplying matrices in the same minute; the\n"
      "explicit method takes its longest stable fraction of the step. Then a million steps one\n"
      "by one, and rollouts in batches beside the same rollouts one after the other.\n\n"
      "--json: {\"name\", \"kind\": rigid or rom, \"rhs_ns\", \"step_s\"; rigid: \"scenario\",\n"
      "  \"bodies\": moving ones, \"joints\", \"rows\": of all joints, \"redundant_rows\" at the\n"
      "  start, \"articulated\": the right-hand side goes by articulated bodies, without\n"
      "  reactions, \"legs\": it goes by so many in closed form, without reactions,\n"
      "  \"groups\", \"groups_ns\": the right-hand side in so many groups,\n"
      "  \"dense_ns\",\n"
      "  \"dense_apart\": by matrices, and how far its accelerations are off, \"forces_ns\",\n"
      "  \"rows_ns\", \"elimination_ns\": its parts, \"recursion_ns\": drive forces of a tree,\n"
      "  \"elimination_flops\", \"natural_flops\": by\n"
      "  formula, \"paths\": [{\"path\", \"unknowns\", \"steps\", \"iterations\": a step,\n"
      "  \"bodies_flops\": an iteration, \"rows_flops\", \"step_flops\", \"step_ns\"}],\n"
      "  \"methods\":\n"
      "  [{\"method\", \"step_ns\", \"real_time_factor\": step_s over the time\n"
      "  of a step, \"failed\": why there are no figures}]; rom: \"kernel\", \"coordinates\",\n"
      "  \"modes\": elastic coordinates, \"highest_hz\", \"table_bytes\", \"work_bytes\",\n"
      "  \"sens_bytes\", \"batch_bytes\": memory, \"peak_flops_per_s\", \"copy_bytes_per_s\",\n"
      "  \"clock_ns\": of this core, \"step_ns\", \"real_time_factor\": of the exponential step,\n"
      "  \"calls\": [{\"call\", \"ns\", \"additions\", \"products\", \"quotients\", \"roots\",\n"
      "  \"flops\", \"flops_per_s\", \"share_of_peak\", \"table_bytes\", \"table_bytes_per_s\",\n"
      "  \"work_bytes\", \"step_s\", \"real_time_factor\", \"iterations\", \"formula_flops\",\n"
      "  \"failed\"}],\n"
      "  \"steps\": {\"n\", \"p50_ns\", \"p99_ns\", \"p9999_ns\", \"worst_ns\",\n"
      "  \"above_5_medians\", \"others_turns\"}, \"rollouts_near\", \"rollouts_far\":\n"
      "  {\"rollouts\", \"steps_each\", \"steps_made\", \"batch_ns\", \"single_ns\": a step,\n"
      "  \"ratio\", \"same_bits\"}}\n",
  .option = { { 's', "scenario", "NAME", "MODEL: where to start (default: its first); or FILE:NAME",
                0 },
              MW_OPTION_SET,
              { 0, "step", "SECONDS", "of a step (default: the scenario's; ROM.nc: 1e-3)", 0 },
              { 0, "paths", NULL, "MODEL: steps of the paths full and body, too", 0 },
              { 0, "picture", "FILE", "times as bars, FILE.svg, .html or .png", MW_OPT_WRITES },
              { 0, "quick", NULL, "ROM.nc: a tenth of the steps, few rollouts", 0 } },
  .run = run,
};
