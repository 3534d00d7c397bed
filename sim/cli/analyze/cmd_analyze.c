// SPDX-License-Identifier: BSD-3-Clause
// cmd_analyze.c: modeway analyze: mechanics of mechanisms, by topics.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze_priv.h"
#include "sim/accessible.h"

static mw_code no_coordinate(const mw_mech *m, const char *option, const char *name, int len,
                             mw_error *err)
{
  char known[160] = "";
  for (int c = 0; c < m->n_coord; c++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%.40s", c > 0 ? ", " : "",
             mw_mech_coord_name(m, c));
  }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--%s: found \"%.*s\", expected a coordinate of the mechanism: %s", option, len,
                 name, m->n_coord > 0 ? known : "it has none");
}

// The coordinate whose name text begins with, up to = or a comma; *rest: behind the name.
static mw_code find(const mw_mech *m, const char *option, const char *text, int *coord,
                    const char **rest, mw_error *err)
{
  size_t len = strcspn(text, "=,");
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)len, text);
  *rest = text + len;
  *coord = len < sizeof name ? mw_mech_coord(m, name) : -1;
  return *coord >= 0 ? MW_OK : no_coordinate(m, option, text, (int)len, err);
}

mw_code mw_args_coordinates(const mw_args *a, const char *option, const mw_mech *m,
                            unsigned char *given, double *value, mw_error *err)
{
  const char *text = mw_args_value(a, option), *rest;
  while (text && *text) {
    int c;
    mw_code rc = find(m, option, text, &c, &rest, err);
    if (rc != MW_OK) return rc;
    if (given[c])
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: %s is given twice", option,
                     mw_mech_coord_name(m, c));
    given[c] = 1;
    char *end = NULL;
    if (value) {
      value[c] = *rest == '=' ? strtod(rest + 1, &end) : 0.0;
      if (!end || end == rest + 1 || !isfinite(value[c])) end = NULL;
    } else {
      end = (char *)rest;
    }
    if (!end || (*end != ',' && *end != '\0'))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found \"%.60s\", expected %s%s", option,
                     text, mw_mech_coord_name(m, c), value ? "=NUMBER" : " alone");
    text = *end == ',' ? end + 1 : end;
  }
  return MW_OK;
}

mw_code mw_args_range(const mw_args *a, const char *option, double *lo, double *hi, mw_error *err)
{
  const char *text = mw_args_value(a, option);
  if (!text) return MW_OK;
  char *end = NULL;
  double x = strtod(text, &end), y = 0.0;
  bool good = end != text && *end == ',';
  const char *second = good ? end + 1 : text;
  if (good) y = strtod(second, &end);
  if (!good || end == second || *end != '\0' || !(x < y) || !isfinite(y - x))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found \"%.80s\", expected LO,HI", option,
                   text);
  *lo = x;
  *hi = y;
  return MW_OK;
}

mw_code mw_args_motion(const mw_args *a, const char *option, const mw_mech *m,
                       const unsigned char *given, mw_arena *mem, double **x, mw_error *err)
{
  unsigned char *named = mw_arena_alloc(mem, (size_t)m->n_coord, 1);
  *x = mw_arena_f64(mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, option, m, named, *x, err);
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++)
    if (named[c] && !given[c])
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--%s: %s is not among the coordinates of --at; expected those alone", option,
                   mw_mech_coord_name(m, c));
  return rc;
}

static mw_code mw_scenario_sample(const mw_mech *m, const mw_scenario *sc, int n, const double *t,
                                  unsigned char *given, double *const x[3], mw_error *err)
{
  for (int k = 0; k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    const mw_drive_in *d = &m->model->drive[a->drive];
    if (!mw_action_guides(a) || d->joint < 0)
      return mw_fail(err, MW_ERR_INPUT, a->at,
                     "found a force of %s, expected positions that drives follow: their forces are "
                     "what is looked for",
                     d->name);
    int c = m->joint[d->joint].coord;
    given[c] = 1;
    for (int i = 0; i < n; i++) {
      int to = i * m->n_coord + c;
      mw_signal_eval(&a->signal, t[i], &x[0][to], &x[1][to], &x[2][to]);
    }
  }
  return MW_OK;
}

mw_code mw_args_followed(const mw_args *a, const mw_mech *m, const mw_scenario *sc,
                         unsigned char *given, mw_arena *mem, mw_followed *out, mw_error *err)
{
  static const char *const apart[] = { "at", "rate", "acceleration", "starts" };
  for (int i = 0; i < 4; i++)
    if (mw_args_value(a, apart[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s beside --scenario, expected one of them", apart[i]);
  int n = (int)nearbyint(sc->duration / sc->store) + 1;
  size_t nn = (size_t)n * (size_t)m->n_coord;
  double *t = mw_arena_f64(mem, (size_t)n);
  *out = (mw_followed){ .n = n, .t = t };
  for (int k = 0; k < 3; k++) out->x[k] = mw_arena_f64(mem, nn);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) t[i] = i * sc->store;
  return rc == MW_OK ? mw_scenario_sample(m, sc, n, t, given, out->x, err) : rc;
}

mw_code mw_args_drives(const mw_args *a, const char *option, const mw_model *m, double *value,
                       mw_error *err)
{
  const char *text = mw_args_value(a, option), *all = text;
  while (text && *text) {
    size_t len = strcspn(text, "=,");
    int d = mw_drive_named(m, text, len);
    if (d < 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--%s: found \"%.*s\", expected the name of a drive", option,
                     len < 60 ? (int)len : 60, text);
    mw_code rc = mw_drive_once(option, all, text, err);
    if (rc != MW_OK) return rc;
    char *end = NULL;
    const char *p = text + len + 1;
    if (text[len] == '=') value[d] = strtod(p, &end);
    if (!end || end == p || (*end != ',' && *end != '\0') || !isfinite(value[d]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found \"%.60s\", expected %s=NUMBER",
                     option, text, m->drive[d].name);
    text = *end == ',' ? end + 1 : end;
  }
  return MW_OK;
}

mw_code mw_args_limits(const mw_args *a, const char *option, const mw_model *m, double *lo,
                       double *hi, mw_error *err)
{
  return mw_limits_read(option, mw_args_value(a, option), m, lo, hi, err);
}

mw_code mw_args_position(const mw_args *a, const mw_mech *m, mw_arena *mem, mw_position *out,
                         mw_error *err)
{
  unsigned char *given = mw_arena_alloc(mem, (size_t)m->n_coord, 1);
  double *value = mw_arena_f64(mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, given, value, err);
  if (rc == MW_OK)
    rc = mw_position_find(m, mw_args_value(a, "at") ? given : NULL, value, mem, out, err);
  return rc;
}

void mw_print_coordinates(const mw_mech *m, const double *s)
{
  static const double CLOSED = 1e-13;  // rad, of the size: mw_mech_rigid_solve
  double size = mw_mech_size(m);
  for (int c = 0; c < m->n_coord; c++) {
    bool angle = mw_joint_in_turns(m->joint[m->coord_joint[c]].in);
    double x = fabs(s[c]) <= CLOSED * (angle ? 1.0 : size) ? 0.0 : s[c];
    printf("%s%s = %.12g", c > 0 ? ", " : "", mw_mech_coord_name(m, c), x);
  }
}

int mw_topic_run(const mw_args *a, const mw_topic_work *w)
{
  mw_error err = { 0 };
  mw_code rc = mw_args_case(a, a->operand, w->c, NULL, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = w->work(a, w->job, &err);
  if (rc == MW_OK) (a->json ? w->print_json : w->print_text)(w->job);
  mw_case_free(w->c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  if (a->topic->reduced || !mw_file_is_netcdf(a->operand)) return a->topic->run(a);
  (void)mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE,
                "analyze %s: found a netCDF file, expected a model; of reduced models there are "
                "linearize, reach and inverse",
                a->topic->name);
  return mw_cmd_fail(&err);
}

static const mw_topic *const topics[] = { &mw_topic_mobility,   &mw_topic_inverse,
                                          &mw_topic_reach,      &mw_topic_linearize,
                                          &mw_topic_statics,    &mw_topic_dynamics,
                                          &mw_topic_kinematics, NULL };

const mw_command mw_cmd_analyze = {
  .name = "analyze",
  .operand = "MODEL",
  .summary = "mechanics of a mechanism: mobility, kinematics, statics, dynamics, linearization",
  .doc =
      "WHAT is one of the topics below. The mechanism stands where the model assembles it, with\n"
      "the coordinates of --at at these values.\n",
  .option = { { 0, "at", "q1=0.3,..", "coordinates of the position, m or rad", 0 },
              { 0, "rate", "q1=2,..", "their rates, m/s or rad/s", 0 },
              { 0, "acceleration", "q1=5,..", "their accelerations, m/s2 or rad/s2", 0 },
              { 's', "scenario", "NAME", MW_OPTION_SCENARIO_HELP, 0 },
              { 0, "regressor", NULL, "combinations of inertial parameters in the forces", 0 },
              { 0, "hold", "q2,..", "coordinates that do not move", 0 },
              { 0, "along", "COORDINATE", "follow the motion through the position", 0 },
              { 0, "range", "LO,HI",
                "of this coordinate (default: two turns each way, or ten sizes)", 0 },
              { 0, "step", "X", "of the motion, rad and m over the size (default 0.02)", 0 },
              { 0, "path", "x=..,..|FILE.csv", "what the tool follows, of t from 0 to 1", 0 },
              { 0, "tool", "OUTPUT", "an output that is a position (default: the first that moves)",
                0 },
              { 0, "force", "m1=30,..", "of drives, N or N m; limits, or m1=LO:HI", 0 },
              { 0, "share", "norm|largest", "forces of least norm, or of the smallest largest", 0 },
              { 0, "power", "m1=500,..", "limits of their power, W", 0 },
              { 0, "speed", "m1=6,..", "limits of their coordinates, m/s or rad/s", 0 },
              { 0, "deflect", "tool=1e-5,..", "of ROM.nc: bounds of deflections, m", 0 },
              { 0, "moving", NULL, "beside the deflection at rest", 0 },
              { 0, "rise", "X", "rise time of accelerations over the lowest period (default 1)",
                0 },
              { 0, "time", "T", "the state of the scenario at T s, a stored instant", 0 },
              { 0, "modes", "N", "the unreduced elastic mechanism in its N lowest modes", 0 },
              { 0, "from", "DRIVE", "the input of one response, or of the loop", 0 },
              { 0, "to", "OUTPUT", "its output", 0 },
              { 0, "band", "LO,HI", "frequencies of responses, Hz (default: around the poles)", 0 },
              { 0, "gain", "LO,HI", "root locus: gains of feedback from OUTPUT to DRIVE", 0 },
              { 0, "factor", "LO,HI", "a path of equilibria: forces times a factor of this range",
                0 },
              { 0, "elastic", NULL, "bodies bend: the unreduced machine", 0 },
              { 0, "weight", NULL, "the factor takes the weight, too", 0 },
              { 0, "starts", "N", "from so many random positions besides", 0 },
              { 0, "over", "q1=0:1:11,..", "a work space: coordinates, each LO:HI:POINTS", 0 },
              { 0, "points", "N", "of the path (default 101), of the band (400)", 0 },
              { 'o', "output", "FILE.nc", "all numbers as netCDF", MW_OPT_WRITES },
              { 0, "picture", "FILE", "FILE.svg, .html or .png: what was found, drawn",
                MW_OPT_WRITES },
              MW_OPTION_SET },
  .run = run,
  .topic = topics,
};
