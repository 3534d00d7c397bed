// SPDX-License-Identifier: BSD-3-Clause
// cmd_study.c: modeway study: a model at all combinations of values of its parameters.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_layer.h"
#include "draw/plot_layer.h"
#include "study/study_layer.h"

// Paths that get a value twice: the last one would count, under the names of all.
static mw_code check_varied(const mw_args *a, const mw_study_in *in, mw_error *err)
{
  for (int k = 0; k < in->n_varied; k++) {
    const char *path = in->varied[k].path;
    size_t n = strlen(path);
    for (int i = 0; i < k; i++)
      if (strcmp(in->varied[i].path, path) == 0)
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--vary: %s is given twice", path);
    for (int i = 0; i < a->n_set; i++)
      if (strncmp(a->set[i], path, n) == 0 && a->set[i][n] == '=')
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                       "--vary and --set: found %s in both, expected one of them", path);
  }
  return MW_OK;
}

static mw_code read_varied(const mw_args *a, mw_study_in *in, mw_error *err)
{
  for (const char *p = mw_args_value(a, "vary"); *p;) {
    size_t n = strcspn(p, ",");
    if (in->n_varied == MW_STUDY_MAX_VARIED)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--vary: found more, expected at most %d paths",
                     (int)MW_STUDY_MAX_VARIED);
    mw_code rc = mw_varied_read(p, n, &in->varied[in->n_varied++], err);
    if (rc != MW_OK) return rc;
    p += n + (p[n] == ',');
  }
  return in->n_varied > 0 ? check_varied(a, in, err)
                          : mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                                    "--vary: found nothing, expected PATH=LO:HI:N");
}

// Smallest and largest value of criterion c, the points of them; -1: no point has it.
static void range_of(const mw_study *s, int c, int at[2])
{
  at[0] = at[1] = -1;
  for (int k = 0; k < s->n_point; k++) {
    double v = s->value[k * s->n_criterion + c];
    if (isnan(v)) continue;
    if (at[0] < 0 || v < s->value[at[0] * s->n_criterion + c]) at[0] = k;
    if (at[1] < 0 || v > s->value[at[1] * s->n_criterion + c]) at[1] = k;
  }
}

static void print_place(const mw_study *s, int point)
{
  for (int i = 0; i < s->n_varied; i++)
    printf("%s%s = %.6g", i ? ", " : "", s->path[i], s->x[point * s->n_varied + i]);
}

static void print_text(const mw_study *s)
{
  printf("%s: %d points, %d of them finished before, %d failed\n", s->title, s->n_point, s->n_found,
         s->n_failed);
  for (int c = 0; c < s->n_criterion; c++) {
    int at[2];
    range_of(s, c, at);
    if (at[0] < 0) continue;
    printf("  %-24s", s->name[c]);
    for (int k = 0; k < 2; k++) {
      printf("%s %.6g %s at ", k ? " to" : "", s->value[at[k] * s->n_criterion + c], s->unit[c]);
      print_place(s, at[k]);
    }
    printf("\n");
  }
}

// The points that none beats in all aims: the first ones.
static void print_unbeaten(const mw_study *s, const unsigned char *best)
{
  enum { SHOWN = 12 };
  int n = 0;
  printf("none beats in");
  for (int c = 0, k = 0; c < s->n_criterion; c++)
    if (s->aim[c] != 0)
      printf("%s %s (%s)", k++ > 0 ? "," : "", s->name[c], s->aim[c] > 0 ? "small" : "large");
  printf(":\n");
  for (int k = 0; k < s->n_point; k++) {
    if (!best[k] || n++ >= SHOWN) continue;
    printf("  ");
    print_place(s, k);
    for (int c = 0; c < s->n_criterion; c++)
      if (s->aim[c] != 0)
        printf("; %s %.6g %s", s->name[c], s->value[k * s->n_criterion + c], s->unit[c]);
    printf("\n");
  }
  if (n > SHOWN) printf("  and %d more\n", n - SHOWN);
}

static void print_json(const mw_study *s, const unsigned char *best)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_num(&j, "points", s->n_point);
  mw_json_num(&j, "found", s->n_found);
  mw_json_num(&j, "failed", s->n_failed);
  mw_json_bool(&j, "alone", s->alone);
  mw_json_array(&j, "criteria");
  for (int c = 0; c < s->n_criterion; c++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "name", s->name[c]);
    mw_json_str(&j, "unit", s->unit[c]);
    mw_json_num(&j, "aim", s->aim[c]);
    mw_json_array(&j, "value");
    for (int k = 0; k < s->n_point; k++) mw_json_num(&j, NULL, s->value[k * s->n_criterion + c]);
    mw_json_end(&j, ']');
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_array(&j, "unbeaten");
  for (int k = 0; k < s->n_point; k++)
    if (best[k]) mw_json_num(&j, NULL, k);
  mw_json_end(&j, ']');
  mw_json_array(&j, "parameters");
  for (int i = 0; i < s->n_varied; i++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "path", s->path[i]);
    mw_json_array(&j, "value");
    for (int k = 0; k < s->n_point; k++) mw_json_num(&j, NULL, s->x[k * s->n_varied + i]);
    mw_json_end(&j, ']');
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

static mw_code study(const mw_args *a, mw_study_in *in, mw_arena *mem, mw_error *err)
{
  const char *file = mw_args_value(a, "output"), *page = mw_args_value(a, "page"),
             *pareto = mw_args_value(a, "pareto"), *aims = mw_args_value(a, "aims"),
             *picture = mw_args_value(a, "picture");
  mw_study s = { 0 };
  in->journal = mw_arena_printf(mem, "%s.part", file);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && pareto) rc = mw_plot_name(pareto, err);
  if (rc == MW_OK && picture) rc = mw_plot_name(picture, err);
  if (rc == MW_OK) rc = mw_study_run(in, mem, &s, err);
  if (rc == MW_OK && aims) rc = mw_study_aims(aims, &s, err);
  if (rc == MW_OK) rc = mw_study_write(&s, a->line, file, err);
  if (rc == MW_OK && page) rc = mw_study_page(&s, page, err);
  if (rc == MW_OK && picture) rc = mw_study_parallel(&s, picture, err);
  if (rc == MW_OK && pareto) rc = mw_study_picture(&s, pareto, err);
  unsigned char *best = mw_arena_alloc(mem, (size_t)s.n_point, 1);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_study_done(in);
  if (s.alone)
    fprintf(stderr,
            "modeway: note: one process did all points in place of %d: the model's largest bodies "
            "started MPI, which does not go through forks\n",
            in->workers);
  (void)mw_study_unbeaten(&s, best);
  if (a->json)
    print_json(&s, best);
  else
    print_text(&s);
  if (!a->json && (aims || pareto)) print_unbeaten(&s, best);
  for (int k = 0; k < s.n_point; k++)
    if (s.reason[k])
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%d of %d points failed, first point %d: %s",
                     s.n_failed, s.n_point, k + 1, s.reason[k]);
  return MW_OK;
}

// A scenario belongs to criteria of runs, and they need one.
static mw_code unused_run(const mw_study_in *in, mw_error *err)
{
  static const char *const path[] = { "rigid", "body", "full", "gmp" };
  bool runs = in->of & MW_OF_RUN, known = false;
  if (runs && !in->scenario)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--of largest, settling, residual: found no --scenario to run");
  if (!runs && in->scenario)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found --scenario, expected --of largest, settling or residual with it");
  for (size_t k = 0; k < sizeof path / sizeof *path; k++)
    known = known || strcmp(in->run, path[k]) == 0;
  if (!known)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--run: found \"%.64s\", expected rigid, body, full or gmp", in->run);
  return MW_OK;
}

// What says how drives are judged belongs to criteria of them.
static mw_code unused(const mw_study_in *in, mw_error *err)
{
  const mw_limits_text *l = &in->limits;
  if (in->path && !(in->of & MW_OF_PATH))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found --path, expected --of start, brake, speed or duration with it");
  if ((l->force || l->speed || l->power || in->tool) &&
      !(in->of & (MW_OF_PATH | MW_OF_ACCELERATION)))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found limits of drives, or a tool, expected --of acceleration, start, brake, "
                   "speed or duration with them");
  return unused_run(in, err);
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_study_in in = { .model = a->operand,
                     .n_set = a->n_set,
                     .set = a->set,
                     .at = mw_args_value(a, "at"),
                     .of = MW_OF_DEFAULT,
                     .path = mw_args_value(a, "path"),
                     .tool = mw_args_value(a, "tool"),
                     .limits = { mw_args_value(a, "force"), mw_args_value(a, "speed"),
                                 mw_args_value(a, "power") },
                     .scenario = mw_args_value(a, "scenario"),
                     .run = mw_args_value(a, "run") ? mw_args_value(a, "run") : "full",
                     .n_modes = 1,
                     .workers = 1 };
  int seed = 1;
  mw_code rc = mw_args_int(a, "count", 1, 100, &in.n_modes, &err);
  if (rc == MW_OK) rc = mw_args_int(a, "jobs", 1, 1024, &in.workers, &err);
  if (rc == MW_OK) rc = mw_args_f64(a, "within", 1e-300, 1e300, &in.within, &err);
  if (rc == MW_OK && mw_args_value(a, "of"))
    rc = mw_criteria_read(mw_args_value(a, "of"), &in.of, &err);
  in.only =
      mw_args_value(a, "of") && strchr(mw_args_value(a, "of"), ':') ? mw_args_value(a, "of") : NULL;
  if (rc == MW_OK) rc = unused(&in, &err);
  if (rc == MW_OK && mw_args_value(a, "design"))
    rc = mw_design_read(mw_args_value(a, "design"), &in.design, &err);
  if (rc == MW_OK) rc = mw_args_int(a, "seed", 0, 1000000000, &seed, &err);
  in.design.seed = (unsigned long long)seed;
  if (rc == MW_OK) rc = read_varied(a, &in, &err);
  if (rc == MW_OK) rc = study(a, &in, &mem, &err);
  mw_arena_free(&mem);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_study = {
  .name = "study",
  .operand = "MODEL",
  .summary = "frequencies, compliances, reach, runs, certificates over values of parameters",
  .doc =
      "Reads the model with each combination of the values, or at N points of a design (--design:\n"
      "Latin hypercube, Sobol's sequence), as --set would, and computes what\n"
      "--of names. frequencies: the lowest, with the coordinates held, without the stiffness of\n"
      "the weight and under the weight, below zero where the machine buckles. compliances: static\n"
      "ones of every unit load, without the weight (modeway modes --patterns). Of the\n"
      "rigid mechanism within limits of its drives, as in modeway analyze reach and dynamics:\n"
      "acceleration of --tool in every direction at rest, at --at (m/s2, without dry friction),\n"
      "and along --path, t from 0 to 1, the least p'' from the slowest motion on (start, brake),\n"
      "the least of the largest p' (speed), and the fastest traversal from rest to rest\n"
      "(duration). Of a run of --scenario by --run: the largest values of outputs, stresses as\n"
      "von Mises', positions off their start (largest; attitudes and coordinates are left out);\n"
      "from where no reference changes any more, the time until positions stay --within of where\n"
      "they come to rest (settling), and how far they swing about it (residual); how many\n"
      "warnings the run gave. certificate: the largest error of the model reduced there over what\n"
      "it may be, and that of frequencies, without runs of scenarios.\n"
      "compliances, largest, settling and residual also of one output: --of settling:tool\n\n"
      "A study that was killed\n"
      "goes on where it was: finished points are in FILE.nc.part until it is done. Points that\n"
      "fail (a value that the model refuses) are named, with exit status 1 in the end.\n"
      "A point that none beats is one that no other is as good as in all aims, and better in one:\n"
      "compliances and durations small, others large, or as --aims has them.\n\n"
      "--json: {\"points\", \"found\": finished before, \"failed\", \"alone\": by one process\n"
      "  though more were asked for, \"criteria\": [{\"name\",\n"
      "  \"unit\", \"aim\": 1 small, -1 large, 0 none, \"value\": [of each point, null where it\n"
      "  failed]}], \"unbeaten\": [points, from 0 on], \"parameters\":\n"
      "  [{\"path\", \"value\": [..]}]}, of all combinations the last parameter fastest\n",
  .option = { { 0, "vary", "PATH=LO:HI:N,…",
                "what is varied: paths as those of --set; with --design PATH=LO:HI",
                MW_OPT_REQUIRED },
              { 0, "design", "lhs:N|sobol:N", "N points in place of all combinations", 0 },
              { 0, "seed", "K", "of the design (default 1); sobol: 0 is the plain sequence", 0 },
              MW_OPTION_SET,
              { 'a', "at", "x=0.3,y=0.1", "where: every coordinate of the reduction, m or rad", 0 },
              { 0, "of", "CRITERIA", "what is computed (default: frequencies,compliances)", 0 },
              { 0, "path", "x=..,..|FILE.csv", "what the tool follows, of t from 0 to 1", 0 },
              { 0, "tool", "OUTPUT", "an output that is a position (default: the first that moves)",
                0 },
              { 0, "force", "m1=30,..", "limits of drives, N or N m; or m1=LO:HI", 0 },
              { 0, "speed", "m1=6,..", "limits of their coordinates, m/s or rad/s", 0 },
              { 0, "power", "m1=500,..", "limits of their power, W", 0 },
              { 's', "scenario", "NAME", "of the model, that is run", 0 },
              { 0, "run", "PATH", "rigid, body, full, or gmp: reduced at each point (default full)",
                0 },
              { 0, "within", "M", "of settling, m (default: a thousandth of how far it was off)",
                0 },
              { 0, "aims", "NAME=small,..", "criteria to weigh, small or large (default: all)", 0 },
              { 'n', "count", "N", "frequencies (default 1)", 0 },
              { 'j', "jobs", "N", "processes (default 1)", 0 },
              { 'o', "output", "FILE.nc", "all points, netCDF", MW_OPT_REQUIRED | MW_OPT_WRITES },
              { 0, "page", "FILE.html", "parallel coordinates, one file without network",
                MW_OPT_WRITES },
              { 0, "picture", "FILE", "parallel coordinates as FILE.svg, .html or .png",
                MW_OPT_WRITES },
              { 0, "pareto", "FILE",
                "FILE.svg, .html or .png: aims over each other, points that none beats",
                MW_OPT_WRITES } },
  .run = run,
};
