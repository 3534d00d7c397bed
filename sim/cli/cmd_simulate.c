// SPDX-License-Identifier: BSD-3-Clause
// cmd_simulate.c: modeway simulate: one scenario by one path.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_layer.h"
#include "draw/plot_layer.h"
#include "fem/mpi.h"
#include "reduction/ncfile.h"
#include "run/series_layer.h"
#include "sim/rigidrun.h"
#include "view/runpicture_layer.h"

static double largest(const double *x, int n)
{
  double most = 0.0;
  for (int k = 0; k < n; k++)
    if (!(x[k] <= most)) most = x[k];
  return most;
}

// Most redundant rows at any instant.
static int redundant(const mw_run *r)
{
  int most = 0;
  for (int k = 0; k < r->n_t; k++) {
    int sum = 0;
    for (int j = 0; j < r->n_joint; j++)
      sum += r->redundant[(size_t)k * (size_t)r->n_joint + (size_t)j];
    most = sum > most ? sum : most;
  }
  return most;
}

static void print_json(const mw_run *r, const mw_rom_file *rom, const char *file)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "scenario", r->scenario);
  mw_json_str(&j, "path", r->path);
  mw_json_str(&j, "file", file);
  mw_json_num(&j, "unknowns", r->unknowns);
  mw_json_num(&j, "instants", r->n_t);
  mw_json_num(&j, "steps", r->steps);
  mw_json_num(&j, "iterations", r->iterations);
  mw_json_num(&j, "step_s", r->step);
  mw_json_num(&j, "wall_s", r->wall_s);
  mw_json_num(&j, "real_time_factor", mw_run_real_time_factor(r));
  mw_json_num(&j, "energy_drift", r->energy_drift);
  mw_json_num(&j, "constraint_residual", mw_run_residual(r));
  if (r->method) {
    mw_json_str(&j, "method", r->method);
    mw_json_num(&j, "velocity_residual", largest(r->residual_v, r->n_t));
    mw_json_num(&j, "acceleration_residual", largest(r->residual_a, r->n_t));
    mw_json_num(&j, "redundant_rows", redundant(r));
    mw_json_num(&j, "active_set_changes", r->set_changes);
    mw_json_num(&j, "end_s", r->t[r->n_t - 1]);
  }
  if (r->event) mw_json_str(&j, "event", r->event);
  mw_cmd_json_warnings(r, rom, &j);
  mw_json_end(&j, '}');
}

static void print_text(const mw_run *r, const char *file)
{
  printf("%s: scenario %s, path %s, %d unknowns\n", file, r->scenario, r->path, r->unknowns);
  printf("  %d steps of %g s, %d iterations, %.3f s, %.3g times real time\n", r->steps, r->step,
         r->iterations, r->wall_s, mw_run_real_time_factor(r));
  if (!isnan(r->energy_drift)) printf("  energy balance %.2e,", r->energy_drift);
  if (isnan(mw_run_residual(r)))
    printf("  constraint residual none: columns keep the joints\n");
  else
    printf("  constraint residual %.2e\n", mw_run_residual(r));
  if (!r->method) return;
  printf("  method %s, velocity residual %.2e, acceleration residual %.2e, %d redundant rows\n",
         r->method, largest(r->residual_v, r->n_t), largest(r->residual_a, r->n_t), redundant(r));
  if (r->set_changes > 1) printf("  the rows left out changed %d times\n", r->set_changes);
}

// --method, --tolerance, --projection, --rho-inf, --ggl, --threads over what the scenario says
static mw_code rigid_options(const mw_args *a, mw_rigid_in *in, mw_error *err)
{
  const char *method = mw_args_value(a, "method");
  if (method && !mw_method_find(method, &in->method))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--method: found \"%s\", expected auto, cvode, adams, ida, "
                   "dopri5, dop853, radau, rk4, euler, leapfrog, alpha or midpoint",
                   method);
  if (mw_args_value(a, "ggl")) in->ggl = true;
  mw_code rc = mw_args_f64(a, "tolerance", 1e-14, 1e-1, &in->tolerance, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "projection", 1e-15, 1.0, &in->projection, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "rho-inf", 0.0, 1.0, &in->rho_inf, err);
  return rc == MW_OK ? mw_args_int(a, "threads", 0, 1024, &in->threads, err) : rc;
}

// --method of the reduced model; false: not given
static mw_code rom_method(const mw_args *a, mw_rom_method *method, bool *given, mw_error *err)
{
  const char *name = mw_args_value(a, "method");
  *given = name != NULL;
  for (int k = 0; name && k < MW_ROM_N_METHOD; k++)
    if (strcmp(name, mw_rom_method_name((mw_rom_method)k)) == 0) {
      *method = (mw_rom_method)k;
      return MW_OK;
    }
  if (!name) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--method: found \"%s\", expected exponential, rk4 or midpoint with --path gmp",
                 name);
}

// Options of the rigid path, but --method, are of no use to others.
static mw_code not_rigid(const mw_args *a, const char *path, mw_error *err)
{
  static const char *const name[] = { "tolerance", "projection", "rho-inf",
                                      "ggl",       "threads",    "method" };
  int n = strcmp(path, "rigid") == 0 ? 0 : strcmp(path, "gmp") == 0 ? 5 : 6;
  for (int i = 0; i < n; i++)
    if (mw_args_value(a, name[i]))
      return mw_fail(
          err, MW_ERR_INPUT, MW_NOWHERE,
          "--tolerance, --projection, --rho-inf, --ggl and --threads are for --path rigid, "
          "--method for rigid and gmp; found --%s with --path %s",
          name[i], path);
  return MW_OK;
}

// Options of the path body, for no other.
static mw_code not_body(const mw_args *a, const char *path, mw_error *err)
{
  static const char *const name[] = { "body-modes", "truncated" };
  for (int i = 0; strcmp(path, "body") != 0 && i < 2; i++)
    if (mw_args_value(a, name[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s is for --path body, found --path %s",
                     name[i], path);
  return MW_OK;
}

static mw_code options(const mw_args *a, const char *rom, const char **path, mw_path_opt *opt,
                       mw_error *err)
{
  *path = mw_args_value(a, "path");
  if (!*path) *path = rom ? "gmp" : "full";
  opt->body_modes = 10;
  opt->truncated = mw_args_value(a, "truncated") != NULL;
  if (strcmp(*path, "full") != 0 && strcmp(*path, "body") != 0 && strcmp(*path, "rigid") != 0 &&
      strcmp(*path, "gmp") != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--path: found \"%s\", expected full, body, rigid or gmp", *path);
  if (mw_mpi_size() > 1 && strcmp(*path, "rigid") != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "simulate: mpirun is for --path rigid alone: path %s is run by one process",
                   *path);
  mw_rigid_in in = { 0 };
  mw_rom_method method;
  bool given;
  mw_code rc = not_rigid(a, *path, err);
  if (rc == MW_OK) rc = not_body(a, *path, err);
  if (rc == MW_OK && strcmp(*path, "rigid") == 0) rc = rigid_options(a, &in, err);
  if (rc == MW_OK && strcmp(*path, "gmp") == 0) rc = rom_method(a, &method, &given, err);
  if (rc != MW_OK) return rc;
  if ((strcmp(*path, "gmp") == 0) != (rom != NULL))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--path gmp and --rom ROM.nc belong together");
  rc = mw_args_f64(a, "step", 1e-12, DBL_MAX, &opt->step, err);
  return rc == MW_OK ? mw_args_int(a, "body-modes", 0, 10000, &opt->body_modes, err) : rc;
}

// Does the option belong to the files of --vtk alone?
static bool of_vtk(const char *name) { return strcmp(name, "stress") == 0; }

// --vtk, --animation, --frames, --magnify, --stress, --shapes, before anything is read
static mw_code series_options(const mw_args *a, const char *path, mw_series_opt *o, mw_error *err)
{
  static const char *const name[] = { "frames", "magnify", "stress", "shapes" };
  bool gmp = strcmp(path, "gmp") == 0;
  const char *shapes = mw_args_value(a, "shapes");
  *o = (mw_series_opt){ .dir = mw_args_value(a, "vtk"),
                        .frames = 50,
                        .magnify = 1.0,
                        .stress = mw_args_value(a, "stress") != NULL,
                        .film = mw_args_value(a, "animation") != NULL };
  for (size_t i = 0; !o->dir && i < sizeof name / sizeof *name; i++)
    if (mw_args_value(a, name[i]) && !(o->film && !of_vtk(name[i])))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s belongs to --vtk DIR%s", name[i],
                     of_vtk(name[i]) ? "" : " or --animation FILE.png");
  if (o->film && !mw_file_ends_in(mw_args_value(a, "animation"), ".png"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--animation: found a name without .png, expected this ending: animated PNG");
  if ((o->dir || o->film) && gmp && !shapes)
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "--vtk and --animation with a reduced model need its columns on the mesh: modeway reduce "
        "MODEL "
        "-o ROM.nc --shapes SHAPES.nc, then simulate with --shapes SHAPES.nc");
  if (shapes && !gmp)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--shapes is for --path gmp, found --path %s",
                   path);
  mw_code rc = mw_args_int(a, "frames", 2, 1000000, &o->frames, err);
  return rc == MW_OK ? mw_args_f64(a, "magnify", 0.0, DBL_MAX, &o->magnify, err) : rc;
}

typedef struct pictures {
  mw_series_opt opt;
  mw_series series;
  mw_shapes shapes;
  char name[256];
} pictures;

static mw_code open_pictures(pictures *pic, const mw_args *a, const mw_case *c,
                             const mw_scenario *sc, const char *path, const mw_rom_file *rom,
                             mw_error *err)
{
  const char *shapes = mw_args_value(a, "shapes");
  mw_code rc = MW_OK;
  if (!pic->opt.dir && !pic->opt.film) return MW_OK;
  snprintf(pic->name, sizeof pic->name, "%s-%s", sc->name, path);
  pic->opt.name = pic->name;
  if (shapes) rc = mw_shapes_read(shapes, &pic->shapes, err);
  if (rc == MW_OK && shapes) rc = mw_shapes_match(&pic->shapes, rom, shapes, err);
  if (rc == MW_OK) rc = mw_series_open(&pic->series, &c->mech, mw_run_instants(sc), &pic->opt, err);
  pic->series.shapes = &pic->shapes;
  return rc;
}

// --animation: what the run went through, at the pace of real time, or of as many pictures a second
// as are seen.
static mw_code animate(const mw_args *a, const mw_series *v, mw_error *err)
{
  static const double SHARE = 0.05, LEAST = 20.0, MOST = 60000.0;  // of the size; ms
  const char *path = mw_args_value(a, "animation");
  const mw_film *f = &v->film;
  double by = v->opt.magnify;
  if (!path) return MW_OK;
  mw_code rc = mw_args_value(a, "magnify") ? MW_OK : mw_film_magnify(f, SHARE, &by, err);
  double real = f->n > 1 ? 1e3 * (f->t[f->n - 1] - f->t[0]) / (f->n - 1) : LEAST,
         ms = fmin(fmax(real, LEAST), MOST);
  if (rc == MW_OK) rc = mw_film_write(f, by, (int)ms, path, err);
  if (rc == MW_OK && !a->json)
    printf("%s: %d pictures of %d ms, %.3g times slower than real time, displacements %.3g times "
           "as large\n",
           path, f->n, (int)ms, ms / real, by);
  return rc;
}

// ---- the command --------------------------------------------------------------------------------

typedef struct job {
  const mw_args *a;
  mw_case c;
  const mw_scenario *sc;
  const char *path;
  mw_path_opt opt;
  mw_progress progress;
  mw_rom_file rom;
  mw_rom_method method;
  mw_rigid_in in;
  pictures pic;
  mw_cmd_ranks ranks;
  mw_run r;
} job;

// The options of path rigid over what the scenario says.
static mw_code prepare_rigid(job *j, mw_error *err)
{
  j->in = mw_rigid_run_opt_default(j->sc).rigid;
  j->opt.rigid = &j->in;
  mw_code rc = rigid_options(j->a, &j->in, err);
  bool ranks = rc == MW_OK && mw_mpi_size() > 1;
  return ranks ? mw_rigid_run_ranks_check(j->sc, &j->in, err) : rc;
}

// All that comes before the run.
static mw_code prepare(job *j, mw_error *err)
{
  const mw_args *a = j->a;
  const char *name, *rom_path = mw_args_value(a, "rom"), *picture = mw_args_value(a, "picture");
  char model[1024];
  bool given = false;
  snprintf(model, sizeof model, "%s", a->operand);
  mw_code rc = MW_OK;
  if (mw_file_is_netcdf(a->operand)) {
    rom_path = a->operand;
    rc = mw_cmd_model_of(rom_path, model, sizeof model, err);
  }
  if (rc == MW_OK) rc = options(a, rom_path, &j->path, &j->opt, err);
  if (rc == MW_OK && picture) rc = mw_plot_name(picture, err);
  if (rc == MW_OK) rc = series_options(a, j->path, &j->pic.opt, err);
  if (rc == MW_OK) rc = mw_args_case(a, model, &j->c, &name, err);
  if (rc == MW_OK) rc = mw_scenario_find(&j->c.model, name, &j->sc, err);
  if (rc == MW_OK && rom_path) rc = mw_rom_of_case(&j->c, rom_path, &j->rom, err);
  if (rc == MW_OK && strcmp(j->path, "rigid") == 0) rc = prepare_rigid(j, err);
  if (rc == MW_OK && strcmp(j->path, "gmp") == 0) rc = rom_method(a, &j->method, &given, err);
  if (given) j->opt.method = &j->method;
  if (rc != MW_OK || mw_mpi_rank() > 0) return rc;
  if (j->pic.opt.dir || j->pic.opt.film) j->opt.series = &j->pic.series;
  return open_pictures(&j->pic, a, &j->c, j->sc, j->path, &j->rom, err);
}

static mw_code write_all(job *j, mw_error *err)
{
  const mw_args *a = j->a;
  const char *picture = mw_args_value(a, "picture");
  j->r.command = a->line;
  mw_code rc = mw_run_write(&j->r, mw_args_value(a, "output"), err);
  if (rc == MW_OK && picture) rc = mw_run_picture(&j->r, picture, err);
  if (rc == MW_OK && j->opt.series) rc = mw_series_write(j->opt.series, err);
  return rc == MW_OK && j->opt.series ? animate(a, j->opt.series, err) : rc;
}

// What is said of the run; fails where its certificate is missed.
static mw_code tell(job *j, mw_error *err)
{
  const char *out = mw_args_value(j->a, "output");
  if (j->ranks.why[0])
    mw_run_add_note(&j->r, "one process instead of %d ranks: %s", j->ranks.n, j->ranks.why);
  if (j->r.event) fprintf(stderr, "modeway: %s; the run ends there\n", j->r.event);
  mw_cmd_warnings(&j->r, j->path);
  if (j->a->json)
    print_json(&j->r, &j->rom, out);
  else
    print_text(&j->r, out);
  return mw_cmd_judge_run(&j->r, out, err);
}

// Of ranks that make it together all come here; rank 0 writes and tells.
static mw_code simulate(job *j, mw_error *err)
{
  if (j->ranks.joined) j->opt.team = &j->ranks.team;
  mw_code rc = mw_path_run(&j->c, j->sc, j->path, &j->opt, &j->r, err);
  if (rc != MW_OK || mw_mpi_rank() > 0) return rc;
  rc = write_all(j, err);
  return rc == MW_OK ? tell(j, err) : rc;
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  job j = { .a = a,
            .method = MW_ROM_N_METHOD,
            .progress = mw_progress_default(a->quiet || mw_mpi_rank() > 0) };
  int status = EXIT_SUCCESS;
  j.opt.progress = &j.progress;
  j.opt.rom = &j.rom;
  mw_code rc = mw_cmd_agree(prepare(&j, &err), &err);
  if (rc == MW_OK) {
    if (j.opt.rigid) rc = mw_cmd_ranks_open(&j.c, j.sc, &j.in, &j.ranks, &err);
    if (rc == MW_OK && !j.ranks.idle) rc = simulate(&j, &err);
    if (rc != MW_OK) status = mw_cmd_ranks_fail(&err);
    mw_cmd_ranks_close(&j.ranks);
  } else {
    status = mw_cmd_fail(&err);
  }
  mw_series_free(&j.pic.series);
  mw_shapes_free(&j.pic.shapes);
  mw_run_free(&j.r);
  mw_rom_file_free(&j.rom);
  mw_case_free(&j.c);
  return status;
}

const mw_command mw_cmd_simulate = {
  .name = "simulate",
  .operand = "MODEL|ROM.nc",
  .summary = "run a scenario: the full mechanism, a reduced or a rigid one",
  .doc =
      "Paths: full (all elastic unknowns), body (each body on its own Craig-Bampton basis),\n"
      "rigid, gmp (the reduced model of the whole mechanism, with --rom ROM.nc or given as\n"
      "ROM.nc itself, which names the model it was made from: the file of that name beside\n"
      "ROM.nc, else the path that it had).\n\n"
      "The rigid path takes its method from the scenario (key rigid) or from the options:\n"
      "auto (default: dop853, and radau from where stability limits its steps), cvode, adams\n"
      "(may end with an error at tolerances below 1e-8 on loops),\n"
      "ida, dopri5, dop853, radau (adaptive), rk4, euler, leapfrog, alpha, midpoint (fixed\n"
      "step). A run ends at the first joint limit it meets and says so on stderr; that is no\n"
      "failure.\n"
      "--threads N shares right-hand sides of 512 joints and more out, with the same bits for any\n"
      "N; so do the ranks of\n"
      "  mpirun -n N modeway simulate MODEL --path rigid ...\n"
      "by auto, dop853, dopri5, rk4 and leapfrog: the bits of --threads 1; rank 0 writes. Other\n"
      "methods and paths, and units of other programs, are refused there; mechanisms of fewer\n"
      "joints, or with components, are run by rank 0 alone, which is said.\n"
      "Exit status 1, the run is written: the certificate of the reduced model, or of a\n"
      "component, is missed.\n\n"
      "Methods of gmp: midpoint (implicit, keeps energy), exponential (of fixed cost, what "
      "exports\n"
      "and controllers call), rk4. Default: midpoint, exponential with friction or stops.\n\n"
      "--vtk: the real elements at places that include the displacement, magnified where\n"
      "asked for, with the field \"displacement\" relative to the floating frames (gmp: to the\n"
      "rigid motion of the coordinates); a series of files with the times in one .pvd.\n\n"
      "--json: {\"scenario\", \"path\", \"file\", \"unknowns\" of a step, \"instants\" stored,\n"
      "  \"steps\", \"iterations\", \"step_s\", \"wall_s\" of the stepping, \"real_time_factor\":\n"
      "  simulated over wall time, \"energy_drift\": largest change of energy less work,\n"
      "  relative, \"constraint_residual\": largest gap of a joint, m or 1 (null of path gmp),\n"
      "  \"warnings\": bodies that turned too far against their frames, \"notes\": what is not as "
      "it was asked for or is left\n"
      "  out (\"energy_drift\" is null where a prescribed velocity jumps); path gmp besides: "
      "\"above\":\n"
      "  {OUTPUT: what it may err by, of its deflection, where the motion excites what lies above\n"
      "  the modes}, \"coarse\": {OUTPUT: likewise, in time, for the steps' sake}; path rigid "
      "besides:\n"
      "  \"method\", \"velocity_residual\", \"acceleration_residual\": of the constraints' rates,\n"
      "  \"redundant_rows\": most at any stored instant, \"active_set_changes\": how often other "
      "rows\n"
      "  were left out, \"end_s\", \"event\": what ended the run}\n",
  .option = { { 's', "scenario", "NAME", MW_OPTION_SCENARIO_HELP, MW_OPT_REQUIRED },
              MW_OPTION_SET,
              { 'o', "output", "RUN.nc", "the trajectory, netCDF",
                MW_OPT_REQUIRED | MW_OPT_WRITES },
              { 'p', "path", "PATH", "full, body, rigid or gmp (default: full, gmp with --rom)",
                0 },
              { 'r', "rom", "ROM.nc", "the reduced model, made from MODEL by modeway reduce",
                MW_OPT_READS },
              { 0, "step", "SECONDS", "integration step (default: the scenario's)", 0 },
              { 0, "body-modes", "N",
                "modes of each body with its interface fixed, path body (default 10)", 0 },
              { 0, "truncated", NULL, "path body: interface shapes cut to 1e-3 of the compliance",
                0 },
              { 0, "method", "METHOD",
                "path rigid: auto, cvode, adams, ida, dopri5, dop853, radau, rk4, euler, leapfrog, "
                "alpha, "
                "midpoint; gmp: exponential, rk4, midpoint",
                0 },
              { 0, "tolerance", "X", "path rigid: relative error of a step, or of Newton's method",
                0 },
              { 0, "projection", "X", "path rigid: gaps of the constraints after a step, m or 1",
                0 },
              { 0, "rho-inf", "X", "path rigid, alpha: spectral radius at infinity, 0 to 1", 0 },
              { 0, "ggl", NULL, "path rigid, alpha: velocities keep the constraints, too", 0 },
              { 0, "threads", "N",
                "path rigid: share right-hand sides of 512 joints and more; same bits for any N "
                "from 1 on",
                0 },
              { 0, "vtk", "DIR", "frames of the motion for ParaView: DIR/SCENARIO-PATH.pvd",
                MW_OPT_FOLDER },
              { 0, "picture", "FILE", "what was recorded over time, as FILE.svg, .html or .png",
                MW_OPT_WRITES },
              { 0, "animation", "FILE.png",
                "the machine in motion, animated PNG, real time unless that is too fast to see",
                MW_OPT_WRITES },
              { 0, "frames", "N", "at most so many (default 50)", 0 },
              { 0, "magnify", "X",
                "displacements in the frames' places, times (default 1; --animation: to a "
                "twentieth of the machine)",
                0 },
              { 0, "stress", NULL, "nodal stress in the frames, too", 0 },
              { 0, "shapes", "SHAPES.nc",
                "path gmp: columns on the mesh, by modeway reduce --shapes", MW_OPT_READS } },
  .run = run,
};
