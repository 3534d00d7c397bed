// SPDX-License-Identifier: BSD-3-Clause
// cmd_modes.c: modeway modes: frequencies, shapes and static patterns at one configuration.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_layer.h"
#include "reduction/ncfile.h"
#include "reduction/reduce.h"
#include "view/picture_layer.h"
#include "view/vtu_layer.h"

static void json_at(mw_json *j, const mw_model *m, const double *theta)
{
  mw_json_object(j, "at");
  for (int i = 0; i < m->reduction.n_coordinate; i++)
    mw_json_num(j, m->reduction.coordinate[i].name, theta[i]);
  mw_json_end(j, '}');
}

static void text_at(const mw_model *m, const double *theta, const char *what)
{
  printf("%s%s", what, m->reduction.n_coordinate > 0 ? " at" : "");
  for (int i = 0; i < m->reduction.n_coordinate; i++)
    printf("%s %s = %g %s", i > 0 ? "," : "", m->reduction.coordinate[i].name, theta[i],
           mw_joint_unit(&m->joint[m->reduction.coordinate[i].joint]));
  printf("\n");
}

typedef struct frequencies {
  int n;
  double *hz, *loaded;  // [n]  without and with the stiffness of the weight; NULL: not known
  bool all;             // the mechanism has no more motions
} frequencies;

static void json_frequencies(mw_json *j, const char *key, int n, const double *hz)
{
  mw_json_array(j, key);
  for (int k = 0; k < n; k++) mw_json_num(j, NULL, hz[k]);
  mw_json_end(j, ']');
}

// frequencies_hz: what there is of a reduced model, without the weight's stiffness of the full one.
static void print_json(const mw_model *m, const double *theta, const frequencies *f)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  json_at(&j, m, theta);
  json_frequencies(&j, "frequencies_hz", f->n, f->hz ? f->hz : f->loaded);
  if (f->loaded) json_frequencies(&j, "under_weight_hz", f->n, f->loaded);
  mw_json_end(&j, '}');
}

static void print_text(const mw_model *m, const double *theta, const char *what,
                       const frequencies *f)
{
  bool buckles = false;
  text_at(m, theta, what);
  if (f->loaded)
    printf("%s\n", f->hz ? "      without the weight's stiffness, under the weight"
                         : "      under the weight");
  for (int k = 0; k < f->n; k++) {
    printf("%4d  %.9g Hz", k + 1, f->hz ? f->hz[k] : f->loaded[k]);
    if (f->hz && f->loaded) printf("   %.9g Hz", f->loaded[k]);
    printf("\n");
    buckles = buckles || (f->loaded && f->loaded[k] < 0.0);
  }
  if (f->all) printf("the mechanism has no %smotions\n", f->n > 0 ? "other " : "");
  if (buckles) printf("below 0 Hz: the mechanism buckles under its weight, by exp(2 pi |f| t)\n");
}

typedef struct picture {
  const char *vtk;  // file, NULL: none
  bool stress;
  const char *still, *film;  // of a mode, files; NULL: none
  int mode;                  // from 1
} picture;

// The mode as it stands farthest, and over a period of it.
static mw_code draw_mode(const mw_case *c, const picture *pic, const double *p, const double *shape,
                         int n_x, mw_arena *mem, double *by, mw_error *err)
{
  enum { FRAMES = 24, MS = 50 };
  static const double SHARE = 0.07;  // of the machine's size
  const double turn = 2.0 * acos(-1.0);
  double *x = mw_arena_f64(mem, (size_t)n_x);
  mw_film f;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_film_open(&f, &c->mech, n_x, FRAMES, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < FRAMES; k++) {
    for (int i = 0; i < n_x; i++) x[i] = shape[i] * sin(turn * k / FRAMES);
    mw_film_add(&f, k, p, NULL, x);
  }
  rc = mw_film_magnify(&f, SHARE, by, err);
  if (rc == MW_OK && pic->still) rc = mw_film_picture(&f, FRAMES / 4, *by, pic->still, err);
  if (rc == MW_OK && pic->film) rc = mw_film_write(&f, *by, MS, pic->film, err);
  mw_film_free(&f);
  return rc;
}

static mw_code draw_modes(const mw_case *c, const picture *pic, const double *p,
                          const double *shape, int n, mw_arena *mem, mw_error *err)
{
  mw_vtu_grid g;
  double by;
  mw_code rc = mw_vtu_grid_build(&c->mech, mem, &g, err);
  if (rc == MW_OK && pic->mode > n)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--mode: found %d, expected 1 to %d of --count",
                 pic->mode, n);
  const double *own = rc == MW_OK ? shape + (size_t)(pic->mode - 1) * (size_t)g.n_x : NULL;
  return rc == MW_OK ? draw_mode(c, pic, p, own, g.n_x, mem, &by, err) : rc;
}

static mw_code direct(const mw_case *c, const double *theta, int n, int how, const picture *pic,
                      mw_arena *mem, frequencies *f, mw_error *err)
{
  double *shape = NULL, *p = mw_arena_f64(mem, 12 * (size_t)c->mech.n_body);
  const char **name = mw_arena_alloc(mem, (size_t)n, sizeof *name);
  mw_code rc = mw_arena_check(mem, err);
  f->n = n;
  if (rc == MW_OK)
    rc = mw_direct_modes_loaded(&c->mech, theta, &f->n, how, mem, &f->hz, &f->loaded,
                                pic->vtk || pic->still || pic->film ? &shape : NULL, p, err);
  f->all = f->n < n;
  n = f->n;
  if (rc == MW_OK && (pic->still || pic->film)) rc = draw_modes(c, pic, p, shape, n, mem, err);
  if (rc != MW_OK || !pic->vtk) return rc;
  for (int k = 0; k < n; k++) name[k] = mw_arena_printf(mem, "mode %d: %.6g Hz", k + 1, f->hz[k]);
  rc = mw_arena_check(mem, err);
  return rc == MW_OK ? mw_vtu_shapes(&c->mech, p, n, name, shape, pic->stress, pic->vtk, err) : rc;
}

static mw_code reduced(const mw_case *c, const char *path, const double *theta, int n,
                       bool free_drives, mw_arena *mem, frequencies *out, mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_code rc = mw_rom_of_case(c, path, &f, err);
  if (rc != MW_OK) return rc;
  mw_cmd_warn_missed(&f, path);
  out->n = n < f.rom.m ? n : f.rom.m;
  double *hz = mw_arena_f64(mem, (size_t)out->n);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_rom_frequencies(&f, theta, free_drives, out->n, hz, err);
  *(mw_weight_counts(&c->mech) ? &out->loaded : &out->hz) = hz;
  mw_rom_file_free(&f);
  return rc;
}

// Unit of a pattern's compliance: motion a unit force, or energy.
static const char *unit_of(const mw_model *m, int joint)
{
  if (joint == -2) return "J";
  return joint >= 0 && strcmp(mw_joint_unit(&m->joint[joint]), "rad") == 0 ? "rad/(N m)" : "m/N";
}

static void print_patterns(const mw_args *a, const mw_model *m, const double *theta,
                           const mw_statics *s)
{
  if (a->json) {
    mw_json j = { .f = stdout };
    mw_json_object(&j, NULL);
    json_at(&j, m, theta);
    mw_json_array(&j, "patterns");
    for (int k = 0; k < s->n; k++) {
      mw_json_object(&j, NULL);
      mw_json_str(&j, "name", s->name[k]);
      mw_json_num(&j, "compliance", s->compliance[k]);
      mw_json_str(&j, "unit", unit_of(m, s->joint[k]));
      mw_json_end(&j, '}');
    }
    mw_json_end(&j, ']');
    mw_json_end(&j, '}');
    return;
  }
  text_at(m, theta, "static patterns");
  for (int k = 0; k < s->n; k++)
    printf("  %-32s %.9g %s\n", s->name[k], s->compliance[k], unit_of(m, s->joint[k]));
}

static mw_code patterns(const mw_args *a, const mw_case *c, const double *theta, const picture *pic,
                        mw_arena *mem, mw_error *err)
{
  mw_statics s = { 0 };
  mw_code rc = mw_direct_statics(&c->model, &c->mech, theta, mem, &s, err);
  if (rc == MW_OK && pic->vtk)
    rc = mw_vtu_shapes(&c->mech, s.p, s.n, s.name, s.x, pic->stress, pic->vtk, err);
  if (rc == MW_OK && !mw_pattern_inertia_known(&c->mech))
    fprintf(stderr,
            "modeway: note: patterns of accelerations and rates of coordinates are left out: how "
            "parts inside of component %.64s move with coordinates is not known\n",
            c->model.component[0].name);
  if (rc == MW_OK) print_patterns(a, &c->model, theta, &s);
  return rc;
}

// Flags of mw_direct_modes.
static int how_of(const mw_args *a)
{
  return (mw_args_value(a, "free") ? MW_MODES_FREE : 0) |
         (mw_args_value(a, "unproved") ? MW_MODES_UNPROVED : 0) |
         (mw_args_value(a, "count") ? 0 : MW_MODES_AT_MOST);
}

void mw_cmd_weight_note(const mw_mech *m)
{
  const mw_model *model = m->model;
  if (!mw_weight_counts(m) || mw_weight_known(m)) return;
  fprintf(stderr,
          "modeway: note: frequencies under the weight are left out: what weight stiffens or "
          "softens inside of component %.64s is not known%s\n",
          model->component[0].name, model->n_component > 1 ? ", and of others" : "");
  for (int k = 0; k < model->n_component; k++)
    if (model->component[k].size.n_state > 0)
      fprintf(stderr,
              "modeway: note: the stiffness of component %.64s has that of its own weight, as it "
              "was reduced\n",
              model->component[k].name);
}

static mw_code modes(const mw_args *a, const mw_case *c, const double *theta, const picture *pic,
                     int n, mw_arena *mem, mw_error *err)
{
  frequencies f = { 0 };
  const char *rom = mw_args_value(a, "rom");
  bool free_drives = mw_args_value(a, "free") != NULL;
  mw_code rc = rom ? reduced(c, rom, theta, n, free_drives, mem, &f, err)
                   : direct(c, theta, n, how_of(a), pic, mem, &f, err);
  if (rc != MW_OK) return rc;
  if (!rom && !free_drives) mw_cmd_weight_note(&c->mech);
  if (a->json)
    print_json(&c->model, theta, &f);
  else
    print_text(&c->model, theta, rom ? "modes of the reduced model" : "direct modes", &f);
  return MW_OK;
}

// The picture and the film of a mode.
static mw_code read_picture(const mw_args *a, picture *pic, mw_error *err)
{
  bool sweep = mw_args_value(a, "sweep");
  mw_code rc = MW_OK;
  pic->still = sweep ? NULL : mw_args_value(a, "picture");
  pic->film = mw_args_value(a, "animation");
  pic->mode = 1;
  if ((pic->still || pic->film) && (mw_args_value(a, "rom") || mw_args_value(a, "patterns")))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--picture and --animation draw a direct mode; leave out --rom and --patterns, "
                   "or take --sweep");
  if (mw_args_value(a, "mode") && !pic->still && !pic->film)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--mode says which one --picture and --animation draw: found none of them");
  if (pic->still) rc = mw_picture_ending(pic->still, err);
  if (rc == MW_OK && pic->film && !mw_file_ends_in(pic->film, ".png"))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--animation: found a name without .png, expected this ending: animated PNG");
  return rc == MW_OK ? mw_args_int(a, "mode", 1, 1000, &pic->mode, err) : rc;
}

// What goes with --sweep, and without.
static mw_code check_sweep(const mw_args *a, mw_error *err)
{
  static const char *const none[] = { "vtk", "patterns", "animation" };
  bool sweep = mw_args_value(a, "sweep");
  for (int k = 0; k < 3; k++)
    if (sweep && mw_args_value(a, none[k]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s is for one configuration, not --sweep",
                     none[k]);
  if (!sweep && mw_args_value(a, "output"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--output belongs to --sweep");
  if (sweep && mw_args_value(a, "rom") && mw_args_value(a, "free"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--sweep follows shapes of the reduced model with the drives held; leave out "
                   "--free or --rom");
  return MW_OK;
}

// What the options leave open.
static mw_code check_options(const mw_args *a, mw_error *err)
{
  bool rom = mw_args_value(a, "rom"), vtk = mw_args_value(a, "vtk");
  bool patterns = mw_args_value(a, "patterns"), stress = mw_args_value(a, "stress");
  if (rom && vtk)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--vtk draws the direct modes; leave out --rom");
  if (rom && patterns)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--patterns are those of the full mechanism; leave out --rom");
  if (patterns && (mw_args_value(a, "free") || mw_args_value(a, "count")))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--patterns come with the coordinates held, one a load; leave out --free and "
                   "--count");
  if (mw_args_value(a, "unproved") && (rom || patterns))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--unproved is for direct modes; leave out --rom and --patterns");
  return stress && !vtk ? mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                                  "--stress goes into the file of --vtk FILE.vtu")
                        : check_sweep(a, err);
}

static int run(const mw_args *a)
{
  mw_case c;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double theta[MW_ROM_MAX_S];
  int n = 10;
  picture pic = { .vtk = mw_args_value(a, "vtk"), .stress = mw_args_value(a, "stress") != NULL };
  mw_code rc = mw_args_int(a, "count", 1, 1000, &n, &err);
  if (rc == MW_OK) rc = read_picture(a, &pic, &err);
  if (rc == MW_OK) rc = check_options(a, &err);
  if (rc == MW_OK) rc = mw_args_case(a, a->operand, &c, NULL, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  if (mw_args_value(a, "sweep")) {
    rc = mw_cmd_modes_sweep(a, &c, n, how_of(a), &err);
    mw_case_free(&c);
    return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
  }
  rc = mw_theta_read(&c.model, mw_args_value(a, "at"), theta, &err);
  for (int i = 0; rc == MW_OK && i < c.model.reduction.n_coordinate; i++) {
    const mw_coordinate_in *x = &c.model.reduction.coordinate[i];
    if (x->cyclic) mw_cmd_turns_note(x->name, theta[i], x->lo, x->hi);
  }
  if (rc == MW_OK)
    rc = mw_args_value(a, "patterns") ? patterns(a, &c, theta, &pic, &mem, &err)
                                      : modes(a, &c, theta, &pic, n, &mem, &err);
  mw_arena_free(&mem);
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_modes = {
  .name = "modes",
  .operand = "MODEL",
  .summary = "frequencies and mode shapes at one configuration",
  .doc =
      "Direct modes of the full mechanism with the coordinates of the reduction held,\n"
      "complete by an inertia count; with --rom those of the interpolated reduced model.\n"
      "Both are given under the weight, which softens or stiffens; those of the full mechanism\n"
      "without its stiffness, too. Shapes are without it.\n"
      "With --patterns instead the static patterns: the mechanism under a unit force at each\n"
      "output and drive, unit accelerations of the coordinates, and gravity.\n"
      "--picture and --animation draw one of them, its largest displacement a fourteenth of the\n"
      "machine.\n"
      "With --sweep the frequencies along a coordinate, each with its mode: a shape of which more\n"
      "than half is a shape of the point before goes on as that mode, others begin a new one.\n\n"
      "--vtk: the real elements; body and part of each as cell data; a vector field a shape.\n"
      "--stress adds for solids and shells \"NAME stress\" (xx yy zz xy yz zx in body axes, mean\n"
      "at the nodes) and \"NAME von Mises\", Pa for the shape as it is drawn.\n\n"
      "--json: {\"at\": {COORDINATE: value}, \"frequencies_hz\": [ascending; of MODEL without the\n"
      "  stiffness of the weight], \"under_weight_hz\": [with it, below 0 where it buckles; there\n"
      "  with gravity and coordinates held]}; --patterns:\n"
      "  {\"at\", \"patterns\": [{\"name\", \"compliance\": work of the load on its own pattern,\n"
      "  \"unit\": m/N, rad/(N m), or J of loads that are no unit force}]}; --sweep:\n"
      "  {\"sweep\": COORDINATE, \"at\": the others, \"values\": [..], \"frequencies_hz\",\n"
      "  \"under_weight_hz\", \"modes\": numbers from 1 on, \"shares_kept\" of the shape\n"
      "  before (0: a new mode): [[a row a value]], \"shapes_lost\": new behind the first}\n",
  .option = { MW_OPTION_SET,
              { 'a', "at", "x=0.3,y=0.1",
                "where: every coordinate of the reduction, m or rad; not for a model without one",
                0 },
              { 'n', "count", "N",
                "how many (default 10 or all there are; with --rom at most its columns)", 0 },
              { 0, "free", NULL, "drives free instead of held; rigid motions are left out", 0 },
              { 0, "unproved", NULL, "without the proof that none is missing, in half the time",
                0 },
              { 'r', "rom", "ROM.nc", "those of a reduced model made from MODEL", MW_OPT_READS },
              { 0, "sweep", "x=LO:HI:N",
                "along this coordinate, of a name alone its whole range; --at: the others", 0 },
              { 'o', "output", "FILE.csv", "--sweep: a row a frequency", MW_OPT_WRITES },
              { 0, "picture", "FILE",
                "a direct mode as FILE.png, .svg or .html; --sweep: frequencies, a colour a mode, "
                ".svg, .html or .png",
                MW_OPT_WRITES },
              { 0, "animation", "FILE.png", "a direct mode in motion, animated PNG",
                MW_OPT_WRITES },
              { 0, "mode", "K", "which one these draw (default 1)", 0 },
              { 0, "patterns", NULL, "static patterns and their compliance, no modes", 0 },
              { 0, "vtk", "FILE.vtu",
                "the direct shapes for ParaView, each with largest displacement 1 m",
                MW_OPT_WRITES },
              { 0, "stress", NULL, "their stress at the nodes of solids and shells, too", 0 } },
  .run = run,
};
