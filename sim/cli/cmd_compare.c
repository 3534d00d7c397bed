// SPDX-License-Identifier: BSD-3-Clause
// cmd_compare.c: modeway compare: rigid, body-reduced, GMP and full paths of one scenario side by
// side.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "compare/compare_layer.h"
#include "compare_sets_priv.h"
#include "reducejob_priv.h"
#include "verdict/promise_layer.h"

static const char *const known[] = { "rigid", "body", "gmp", "full" };
enum { N_KNOWN = 4 };

// "rigid,gmp" into the paths of q, in the order of the table.
static mw_code read_paths(const char *text, bool halved, mw_comparison *q, mw_error *err)
{
  bool want[N_KNOWN] = { false };
  if (!text) text = "rigid,body,gmp,full";
  for (const char *p = text;;) {
    size_t len = strcspn(p, ",");
    int k = 0;
    while (k < N_KNOWN && (strlen(known[k]) != len || strncmp(known[k], p, len) != 0)) k++;
    if (k == N_KNOWN)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--paths: found \"%.*s\", expected rigid, body, gmp or full", (int)len, p);
    want[k] = true;
    if (p[len] == '\0') break;
    p += len + 1;
  }
  q->full = -1;
  for (int k = 0; k < N_KNOWN; k++) {
    if (!want[k]) continue;
    if (k == N_KNOWN - 1) q->full = q->n_path;
    q->label[q->n_path++] = known[k];
  }
  if (halved && q->full < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--halved repeats the path full; it is not among --paths");
  if (halved) mw_comparison_halve(q);
  return MW_OK;
}

// Options of path body are of no use without it.
static mw_code check_body(const mw_args *a, const mw_comparison *q, mw_error *err)
{
  static const char *const name[] = { "body-modes", "truncated" };
  for (int k = 0; mw_comparison_path(q, "body") < 0 && k < 2; k++)
    if (mw_args_value(a, name[k]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--%s is for the path body; it is not among --paths", name[k]);
  return MW_OK;
}

// Runs path i and writes its trajectory; n_run counts runs to be freed.
static mw_code run_path(mw_comparison *q, int i, const mw_path_opt *opt, const char *dir,
                        mw_error *err)
{
  char file[4096];
  mw_code rc = mw_comparison_run(q, i, opt, err);
  if (rc == MW_OK && q->run[i].event)
    fprintf(stderr, "modeway: path %s: %s; the run ends there\n", q->label[i], q->run[i].event);
  if (rc != MW_OK) {
    mw_error inner = *err;
    return mw_fail(err, rc, (mw_at){ inner.file[0] ? inner.file : NULL, inner.line, inner.col },
                   "path %s: %.480s", q->label[i], inner.msg);
  }
  if (q->halved[MW_HALVED_FULL] == 0 || i < q->halved[MW_HALVED_FULL])
    mw_cmd_warnings(&q->run[i], q->label[i]);
  q->run[i].command = q->command;
  snprintf(file, sizeof file, "%s/%s.nc", dir, q->label[i]);
  return mw_run_write(&q->run[i], file, err);
}

static void print_json(const mw_comparison *q)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "scenario", q->sc->name);
  mw_json_object(&j, "paths");
  for (int i = 0; i < q->n_path; i++) {
    const mw_run *r = &q->run[i];
    mw_json_object(&j, q->label[i]);
    mw_json_num(&j, "unknowns", r->unknowns);
    mw_json_num(&j, "steps", r->steps);
    mw_json_num(&j, "iterations", r->iterations);
    mw_json_num(&j, "step_s", r->step);
    mw_json_num(&j, "wall_s", r->wall_s);
    mw_json_num(&j, "real_time_factor", mw_run_real_time_factor(r));
    mw_json_num(&j, "energy_drift", r->energy_drift);
    mw_json_num(&j, "constraint_residual", mw_run_residual(r));
    mw_cmd_json_warnings(r, q->rom, &j);
    mw_json_object(&j, "error");
    for (int k = 0; k < q->n_quantity; k++) {
      size_t at = (size_t)i * (size_t)q->n_quantity + (size_t)k;
      mw_json_object(&j, q->quantity[k].name);
      mw_json_num(&j, "max", q->max[at]);
      mw_json_num(&j, "rms", q->rms[at]);
      mw_json_num(&j, "relative", q->relative[at]);
      mw_json_num(&j, "rest", q->rest[at]);
      mw_json_end(&j, '}');
    }
    mw_json_end(&j, '}');
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, '}');
  mw_promise_json(q, &j);
  mw_json_end(&j, '}');
}

// One number of a relative difference, – where there is no scale
static const char *relative(double x, char text[24])
{
  if (isfinite(x))
    snprintf(text, 24, "%11.3e", x);
  else
    snprintf(text, 24, "          –");
  return text;
}

static void print_text(const mw_comparison *q, const char *dir)
{
  printf("%s, scenario %s, %g s\n\n%-12s %9s %7s %11s %12s %15s %10s %10s\n", q->c->model.name,
         q->sc->name, q->sc->duration, "path", "unknowns", "steps", "iterations", "wall time, s",
         "times real time", "energy", "residual");
  for (int i = 0; i < q->n_path; i++) {
    const mw_run *r = &q->run[i];
    char energy[16] = "-", gap[16] = "none";  // a prescribed velocity jumps: there is no balance
    double residual = mw_run_residual(r);
    if (!isnan(residual)) snprintf(gap, sizeof gap, "%.1e", residual);
    if (!isnan(r->energy_drift)) snprintf(energy, sizeof energy, "%.1e", r->energy_drift);
    printf("%-12s %9d %7d %11d %12.4g %15.3g %10s %10s\n", q->label[i], r->unknowns, r->steps,
           r->iterations, r->wall_s, mw_run_real_time_factor(r), energy, gap);
  }
  bool beside = q->full >= 0 && q->n_path > 1;  // else paths were left out, and said to be
  if (beside)
    printf("\n%-20s %-12s %11s %11s %6s %11s\n", "difference from full", "path", "largest", "rms",
           "unit", "relative");
  for (int k = 0; beside && k < q->n_quantity; k++)
    for (int i = 0; i < q->n_path; i++) {
      size_t at = (size_t)i * (size_t)q->n_quantity + (size_t)k;
      if (i == q->full) continue;
      char text[24];
      if (isnan(q->max[at])) continue;  // the path does not have it
      printf("%-20s %-12s %11.3e %11.3e %6s %s\n", q->quantity[k].name, q->label[i], q->max[at],
             q->rms[at], q->quantity[k].unit, relative(q->relative[at], text));
    }
  mw_promise_print(q);
  printf("\n%s/report.html\n", dir);
}

static mw_code reduce(const mw_args *a, const mw_case *c, mw_progress *p, mw_rom_file *out,
                      mw_error *err)
{
  bool complete;
  mw_reduce_job job;
  mw_code rc = mw_reduce_job_read(a, MW_REDUCE_WITHIN, &job, err);
  if (rc == MW_OK) rc = mw_reduce_job_start(&job, c, p, err);
  if (rc == MW_OK) rc = mw_reduce_job_rom(&job, out, &complete, err);
  mw_reduce_job_end(&job, false);
  return rc;
}

// Path i is not compared.
static void leave_out(mw_comparison *q, int i)
{
  mw_run_free(&q->run[i]);
  mw_film_free(&q->film[i]);
  q->n_path--;
  for (int k = i; k < q->n_path; k++) {
    q->label[k] = q->label[k + 1];
    q->run[k] = q->run[k + 1];
    q->film[k] = q->film[k + 1];
  }
  q->run[q->n_path] = (mw_run){ 0 };
  q->film[q->n_path] = (mw_film){ 0 };
  if (q->full > i) q->full--;
}

// The paths as they were asked for. A path beside the full one that diverges or leaves its range is
// left out, the others go on: ended is its error, the first one's if there are several.
static mw_code run_asked(mw_comparison *q, const mw_path_opt *opt, const char *dir, mw_error *ended,
                         mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < q->n_path; i++) {
    rc = run_path(q, i, opt, dir, err);
    bool own = rc == MW_ERR_NUMERIC || rc == MW_ERR_RANGE;
    if (!own || i == q->full || q->n_path == 1 || q->halved[MW_HALVED_FULL] > 0) continue;
    fprintf(stderr, "modeway: note: %s; the other paths go on without it\n", err->msg);
    if (ended->code == MW_OK) *ended = *err;
    *err = (mw_error){ 0 };
    leave_out(q, i--);
    rc = MW_OK;
  }
  return rc;
}

// All paths and their differences. Where the reduced one seems to exceed what its certificate
// promises, it and the full one by half and by a quarter of their steps besides: whose error is it?
static mw_code run_paths(mw_comparison *q, const mw_path_opt *opt, const char *dir, mw_error *ended,
                         mw_error *err)
{
  mw_code rc = run_asked(q, opt, dir, ended, err);
  int n = q->n_path;
  if (rc == MW_OK) rc = mw_comparison_build(q, err);
  if (rc != MW_OK || q->halved[MW_HALVED_FULL] > 0 || !mw_promise_exceeded(q)) return rc;
  fprintf(stderr,
          "modeway: note: the reduced path seems to exceed what its certificate promises; it and "
          "the full path are run by half and a quarter of their steps to know what of it is theirs "
          "in time\n");
  mw_comparison_halve(q);
  for (int i = n; rc == MW_OK && i < q->n_path; i++) rc = run_path(q, i, opt, dir, err);
  return rc == MW_OK ? mw_comparison_build(q, err) : rc;
}

static mw_code compare(mw_comparison *q, const mw_args *a, const char *name, const mw_case *c,
                       mw_path_opt *opt, mw_error *err)
{
  mw_rom_file rom = { 0 };
  mw_error ended = { 0 };
  const char *dir = mw_args_value(a, "output"), *rom_path = mw_args_value(a, "rom"),
             *page = mw_args_value(a, "page");
  mw_code rc = mw_scenario_find(&c->model, name, &q->sc, err);
  if (rc == MW_OK && page && mw_args_value(a, "sets"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--page is of paths; leave out --sets");
  if (rc == MW_OK && mw_args_value(a, "sets")) return mw_compare_sets(a, c, q->sc, opt, err);
  if (page) mw_comparison_film(q);
  if (rc == MW_OK && rom_path) rc = mw_rom_of_case(c, rom_path, &rom, err);
  if (rc == MW_OK) rc = mw_folder_make(dir, err);
  if (rc == MW_OK && !rom_path && mw_comparison_path(q, "gmp") >= 0)
    rc = reduce(a, c, opt->progress, &rom, err);
  opt->rom = &rom;
  if (mw_comparison_path(q, "gmp") >= 0) q->rom = &rom;
  rc = rc == MW_OK ? run_paths(q, opt, dir, &ended, err) : rc;
  if (rc == MW_OK) rc = mw_comparison_write(q, dir, err);
  if (rc == MW_OK && page) rc = mw_comparison_page(q, page, err);
  if (rc == MW_OK) {
    if (a->json)
      print_json(q);
    else
      print_text(q, dir);
    if (mw_promise_broken(q, err)) rc = MW_ERR_NUMERIC;
    for (int i = 0; rc == MW_OK && i < q->n_path; i++) rc = mw_cmd_judge_run(&q->run[i], dir, err);
    if (rc == MW_OK && ended.code != MW_OK) {
      *err = ended;
      rc = ended.code;
    }
  }
  mw_rom_file_free(&rom);
  opt->rom = NULL;
  q->rom = NULL;
  return rc;
}

static int run(const mw_args *a)
{
  mw_case c;
  mw_error err = { 0 };
  const char *name;
  mw_comparison q = { .c = &c, .command = a->line };
  mw_progress progress = mw_progress_default(a->quiet);
  mw_path_opt opt = { .progress = &progress,
                      .body_modes = 10,
                      .truncated = mw_args_value(a, "truncated") != NULL };
  mw_code rc = read_paths(mw_args_value(a, "paths"), mw_args_value(a, "halved") != NULL, &q, &err);
  if (rc == MW_OK) rc = check_body(a, &q, &err);
  if (rc == MW_OK) rc = mw_args_f64(a, "step", 1e-12, DBL_MAX, &opt.step, &err);
  if (rc == MW_OK) rc = mw_args_int(a, "body-modes", 0, 10000, &opt.body_modes, &err);
  if (rc == MW_OK) rc = mw_args_case(a, a->operand, &c, &name, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = compare(&q, a, name, &c, &opt, &err);
  mw_comparison_free(&q);
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

static const char *const files[] = { "rigid.nc",
                                     "body.nc",
                                     "gmp.nc",
                                     "full.nc",
                                     "full_halved.nc",
                                     "full_quartered.nc",
                                     "gmp_halved.nc",
                                     "gmp_quartered.nc",
                                     "compare.nc",
                                     "compare.svg",
                                     "report.html",
                                     "sets.svg",
                                     NULL };

const mw_command mw_cmd_compare = {
  .name = "compare",
  .operand = "MODEL",
  .summary = "one scenario by all paths, and their differences from the full mechanism",
  .doc =
      "Writes PATH.nc of every path, compare.nc, compare.svg and report.html (which needs\n"
      "no other file) to a folder. The path gmp uses --rom, or reduces the model first.\n\n"
      "What the reduced path errs by stands beside what its certificate promises: 2 x its "
      "tolerance\n"
      "of the full path's peak deflection (of stress 10 x), where all of it is met. If that seems\n"
      "to be exceeded, or with --halved, the full and the reduced path are also run by half and a\n"
      "quarter of their steps (six times their cost): their own errors in time, by the orders "
      "that\n"
      "are measured, are said, and not charged to the reduction. Exit status 1: exceeded by more\n"
      "than 1.5, or the certificate of the reduced model or of a component is missed. A path\n"
      "beside the full one that diverges or leaves its range is left out and named,\n"
      "with exit status 1 in the end; the others are compared.\n"
      "--sets reduces the model by each set of modes, N of them (with the patterns of its\n"
      "reduction, or none), and prints errors over columns, with sets.svg; no other files.\n\n"
      "--json: {\"scenario\", \"paths\": {rigid, body, gmp, full, full_halved, full_quartered,\n"
      "  gmp_halved, gmp_quartered: {\"unknowns\" of a step, \"steps\", \"iterations\", "
      "\"step_s\", \"wall_s\" of the stepping,\n"
      "  \"real_time_factor\": simulated over wall time, \"energy_drift\": largest change of\n"
      "  energy less work, relative, \"constraint_residual\": m or 1, null of path gmp, "
      "\"warnings\":\n"
      "  bodies that turned too far against their frames, \"notes\": what is not as it was asked "
      "for or is\n"
      "  left out, \"error\": {OUTPUT or\n"
      "  COORDINATE: {\"max\", \"rms\": of the difference from full over the stored instants,\n"
      "  \"relative\": max over the full path's peak elastic deflection, for a coordinate\n"
      "  and an output that does not deflect over its travel, \"rest\": max without the full "
      "path's own error in time, of gmp without\n"
      "  its own as well}}}},\n"
      "  \"time\": {OUTPUT or COORDINATE: {\"own\": error of the full path in time, \"known\":\n"
      "  how exactly the motion without it is known, \"order\" in the step, \"gmp\": the same of\n"
      "  the reduced path}}, \"promise\": {OUTPUT\n"
      "  or COORDINATE: {\"promised\" (null: the certificate is missed, or the run left its "
      "ranges), \"error\", both relative,\n"
      "  \"judged\" by the certificate's own run, \"below_known\", \"met\", \"broken\": by more "
      "than\n"
      "  1.5}}} A coordinate with the name of an output is called theta.NAME.\n"
      "  Of stress and strain outputs the von Mises measure of the difference is taken, over the\n"
      "  full path's peak; the path rigid has none.\n"
      "  With --sets {\"scenario\", \"sets\": [{\"name\", \"columns\", \"wall_s\", \"relative\":\n"
      "  {OUTPUT: largest error}}]}.\n"
      "  null: there is no full path, or no scale: the full path stands still there (– in the "
      "table).\n",
  .option = { { 's', "scenario", "NAME", MW_OPTION_SCENARIO_HELP, MW_OPT_REQUIRED },
              MW_OPTION_SET,
              { 'o', "output", "DIR", "folder for the results, made if missing",
                MW_OPT_REQUIRED | MW_OPT_FOLDER },
              { 'r', "rom", "ROM.nc", "the reduced model, made from MODEL by modeway reduce",
                MW_OPT_READS },
              { 'p', "paths", "LIST", "of rigid,body,gmp,full (default: all)", 0 },
              { 0, "sets", "LIST", "mode sets: rubin:N, craig-bampton:N, nopatterns:N", 0 },
              { 0, "page", "FILE.html",
                "the runs side by side over time with their differences, one file without network",
                MW_OPT_WRITES },
              { 0, "step", "SECONDS", "integration step of all paths (default: the scenario's)",
                0 },
              { 0, "halved", NULL,
                "also full and gmp with half and a quarter of the step: their own errors", 0 },
              { 0, "body-modes", "N",
                "modes of each body with its interface fixed, path body (default 10)", 0 },
              { 0, "truncated", NULL, "path body: interface shapes cut to 1e-3 of the compliance",
                0 } },
  .run = run,
  .files = files,
};
