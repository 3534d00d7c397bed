// SPDX-License-Identifier: BSD-3-Clause
// criteria.c: what a study judges a model by: frequencies, compliances, and what its drives make of
// it (Horacek, Sika, Valasek 2014: accessible dynamics as criteria of synthesis).
//
// The last ones are of the rigid mechanism: acceleration at a position in every direction
// (sim/minimal.h), ranges at rest, largest speeds and the fastest traversal of a path
// (sim/accessible.h).
#include <math.h>
#include <string.h>

#include "reduction/reduce.h"
#include "sim/accessible.h"
#include "sim/minimal.h"
#include "study_priv.h"

static const mw_criterion_word words[] = {
  { "frequencies", MW_OF_FREQUENCIES, NULL },
  { "compliances", MW_OF_COMPLIANCES, "compliance" },
  { "acceleration", MW_OF_ACCELERATION, NULL },
  { "start", MW_OF_START, NULL },
  { "brake", MW_OF_BRAKE, NULL },
  { "speed", MW_OF_SPEED, NULL },
  { "duration", MW_OF_DURATION, NULL },
  { "largest", MW_OF_LARGEST, "largest" },
  { "settling", MW_OF_SETTLING, "settling" },
  { "residual", MW_OF_RESIDUAL, "residual" },
  { "certificate", MW_OF_CERTIFICATE, NULL },
};
enum { N_WORD = sizeof words / sizeof *words };

const mw_criterion_word *mw_criterion_word_at(const char *p)
{
  size_t n = strcspn(p, ",:");
  for (int k = 0; k < N_WORD; k++)
    if (strlen(words[k].word) == n && strncmp(words[k].word, p, n) == 0) return &words[k];
  return NULL;
}

mw_code mw_criteria_read(const char *text, unsigned *of, mw_error *err)
{
  *of = 0;
  for (const char *p = text; *p;) {
    size_t n = strcspn(p, ","), len = strcspn(p, ",:");
    const mw_criterion_word *w = mw_criterion_word_at(p);
    if (!w)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--of: found \"%.*s\", expected frequencies, compliances, acceleration, "
                     "start, brake, speed, duration, largest, settling, residual, certificate",
                     n < 60 ? (int)n : 60, p);
    if (p[len] == ':' && (!w->begins || len + 1 == n))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--of: found \"%.*s\", expected the name of an output behind compliances, "
                     "largest, settling or residual alone",
                     n < 60 ? (int)n : 60, p);
    *of |= w->of;
    p += n + (p[n] == ',');
  }
  if (*of == 0) return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--of: found nothing");
  return MW_OK;
}

mw_code mw_found_room(mw_found *f, int n, mw_arena *mem, mw_error *err)
{
  size_t most = (size_t)(f->n + n), had = (size_t)f->n;
  double *value = mw_arena_f64(mem, most);
  const char **name = mw_arena_alloc(mem, most, sizeof *name),
             **unit = mw_arena_alloc(mem, most, sizeof *unit);
  int *aim = mw_arena_int(mem, most);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  if (had > 0) {
    memcpy(value, f->value, had * sizeof *value);
    memcpy(name, f->name, had * sizeof *name);
    memcpy(unit, f->unit, had * sizeof *unit);
    memcpy(aim, f->aim, had * sizeof *aim);
  }
  *f = (mw_found){ f->n, value, name, unit, aim };
  return MW_OK;
}

void mw_found_put(mw_found *f, const char *name, const char *unit, int aim, double value)
{
  f->name[f->n] = name;
  f->unit[f->n] = unit;
  f->aim[f->n] = aim;
  f->value[f->n++] = value;
}

// Does the study vary gravity, which may be zero at some points? They have the same criteria.
static bool varies_gravity(const mw_study_in *in)
{
  for (int i = 0; i < in->n_varied; i++)
    if (strncmp(in->varied[i].path, "gravity", 7) == 0) return true;
  return false;
}

// Those under the weight are below zero where the machine buckles (mw_direct_modes_loaded).
static mw_code frequencies(const mw_study_in *in, const mw_case *c, const double *theta,
                           mw_arena *mem, mw_found *f, mw_error *err)
{
  double *hz = NULL, *loaded = NULL;
  int n = in->n_modes;
  if (varies_gravity(in) && !mw_weight_known(&c->mech))
    return mw_fail(err, MW_ERR_INPUT, c->model.component[0].at,
                   "component %.64s: found gravity varied for frequencies, expected none of it: "
                   "what the weight inside stiffens is not known",
                   c->model.component[0].name);
  mw_code rc = mw_direct_modes_loaded(&c->mech, theta, &n, 0, mem, &hz, &loaded, NULL, NULL, err);
  bool weight = loaded || varies_gravity(in);
  if (rc == MW_OK) rc = mw_found_room(f, weight ? 2 * n : n, mem, err);
  for (int k = 0; rc == MW_OK && k < n; k++)
    mw_found_put(f, mw_arena_printf(mem, "frequency %d", k + 1), "Hz", -1, hz[k]);
  for (int k = 0; rc == MW_OK && weight && k < n; k++)
    mw_found_put(f, mw_arena_printf(mem, "frequency %d under the weight", k + 1), "Hz", -1,
                 loaded ? loaded[k] : hz[k]);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

static mw_code compliances(const mw_case *c, const double *theta, mw_arena *mem, mw_found *f,
                           mw_error *err)
{
  mw_statics s = { 0 };
  mw_code rc = mw_direct_statics(&c->model, &c->mech, theta, mem, &s, err);
  if (rc == MW_OK) rc = mw_found_room(f, s.n, mem, err);
  for (int k = 0; rc == MW_OK && k < s.n; k++) {
    if (s.joint[k] == -2) continue;  // no unit force
    bool turns = s.joint[k] >= 0 && strcmp(mw_joint_unit(&c->model.joint[s.joint[k]]), "rad") == 0;
    const char *name = strncmp(s.name[k], "pattern ", 8) == 0 ? s.name[k] + 8 : s.name[k];
    mw_found_put(f, mw_arena_printf(mem, "compliance %s", name), turns ? "rad/(N m)" : "m/N", 1,
                 s.compliance[k]);
  }
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

// ---- drives -------------------------------------------------------------------------------------

// Where coordinates of the reduction have the values of --at; without it the reference.
static mw_code position(const mw_study_in *in, const mw_case *c, const double *theta, mw_arena *mem,
                        mw_position *out, mw_error *err)
{
  const mw_mech *m = &c->mech;
  unsigned char *given = mw_arena_alloc(mem, (size_t)m->n_coord, 1);
  double *value = mw_arena_f64(mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && in->at && i < c->model.reduction.n_coordinate; i++) {
    int k = m->joint[c->model.reduction.coordinate[i].joint].coord;
    given[k] = 1;
    value[k] = theta[i];
  }
  return rc == MW_OK ? mw_position_find(m, in->at ? given : NULL, value, mem, out, err) : rc;
}

static mw_code acceleration(const mw_study_in *in, const mw_case *c, const mw_position *at,
                            const mw_drive_limits *limits, mw_arena *mem, mw_found *f,
                            mw_error *err)
{
  const mw_over here = { 0 };  // one point
  const mw_sharing sharing = { .lo = limits->lo, .hi = limits->hi };
  const mw_linearize_at there = { .position = at };
  mw_minimal_map map;
  int tool = -1;
  mw_code rc = mw_tool_output(&c->mech, in->tool, &tool, err);
  if (rc == MW_OK && tool < 0)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--of acceleration: the model has no output that is a position and moves");
  if (rc == MW_OK)
    rc = mw_minimal_map_find(&c->mech, &there, tool, &here, &sharing, mem, &map, err);
  if (rc == MW_OK) rc = mw_found_room(f, 1, mem, err);
  if (rc == MW_OK) mw_found_put(f, "acceleration", "m/s2", -1, map.usable[0]);
  return rc;
}

// The least over the path; where it cannot stand there is none.
static mw_code ranges(const mw_study_in *in, const mw_regions *r, const double *p, mw_arena *mem,
                      mw_found *f, mw_error *err)
{
  double start = INFINITY, brake = INFINITY, speed = INFINITY;
  mw_code rc = mw_found_room(f, 3, mem, err);
  for (int i = 0; rc == MW_OK && i < r->n; i++) {
    if (!(r->rest[2 * i] <= 0.0 && r->rest[2 * i + 1] >= 0.0))
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "it cannot stand on the path at p = %.6g",
                     p[i]);
    brake = fmin(brake, -r->rest[2 * i]);
    start = fmin(start, r->rest[2 * i + 1]);
    speed = fmin(speed, r->fastest[i]);
  }
  if (rc == MW_OK && in->of & MW_OF_START) mw_found_put(f, "start", "1/s2", -1, start);
  if (rc == MW_OK && in->of & MW_OF_BRAKE) mw_found_put(f, "brake", "1/s2", -1, brake);
  if (rc == MW_OK && in->of & MW_OF_SPEED) mw_found_put(f, "speed", "1/s", -1, speed);
  return rc;
}

static mw_code along(const mw_study_in *in, const mw_case *c, const mw_position *at,
                     const mw_drive_limits *limits, mw_arena *mem, mw_found *f, mw_error *err)
{
  enum { INTERVALS = 400, N = 2 * INTERVALS + 1 };
  mw_tool_path path;
  mw_path_dynamics d;
  mw_regions r;
  mw_traversal t;
  double *p = mw_arena_f64(mem, N);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_traversal_points(INTERVALS, p);
  rc = mw_tool_path_from(&c->mech, in->path, in->tool, mem, &path, err);
  if (rc == MW_OK) rc = mw_path_dynamics_find(&c->mech, at, &path, N, p, mem, &d, err);
  if (rc == MW_OK && in->of & (MW_OF_START | MW_OF_BRAKE | MW_OF_SPEED)) {
    rc = mw_regions_find(&d, limits, mem, &r, err);
    if (rc == MW_OK) rc = ranges(in, &r, p, mem, f, err);
  }
  if (rc == MW_OK && in->of & MW_OF_DURATION) {
    rc = mw_traversal_find(&d, limits, mem, &t, err);
    if (rc == MW_OK) rc = mw_found_room(f, 1, mem, err);
    if (rc == MW_OK) mw_found_put(f, "duration", "s", 1, t.duration);
  }
  return rc;
}

static mw_code drives(const mw_study_in *in, const mw_case *c, const double *theta, mw_arena *mem,
                      mw_found *f, mw_error *err)
{
  mw_position at;
  mw_drive_limits limits;
  mw_code rc = position(in, c, theta, mem, &at, err);
  if (rc == MW_OK) rc = mw_drive_limits_find(&c->model, &in->limits, mem, &limits, err);
  if (rc == MW_OK && in->of & MW_OF_ACCELERATION)
    rc = acceleration(in, c, &at, &limits, mem, f, err);
  if (rc == MW_OK && in->of & MW_OF_PATH) rc = along(in, c, &at, &limits, mem, f, err);
  return rc;
}

mw_code mw_criteria_find(const mw_study_in *in, const mw_case *c, mw_arena *mem, mw_found *out,
                         mw_error *err)
{
  double theta[MW_ROM_MAX_S] = { 0.0 };
  mw_code rc = MW_OK;
  *out = (mw_found){ 0 };
  if (in->of & MW_OF_PATH && !in->path)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--of start, brake, speed, duration: found no --path to be of");
  if (in->of & MW_OF_DEFAULT || in->at) rc = mw_theta_read(&c->model, in->at, theta, err);
  if (rc == MW_OK && in->of & MW_OF_FREQUENCIES) rc = frequencies(in, c, theta, mem, out, err);
  if (rc == MW_OK && in->of & MW_OF_COMPLIANCES) rc = compliances(c, theta, mem, out, err);
  if (rc == MW_OK && in->of & (MW_OF_ACCELERATION | MW_OF_PATH))
    rc = drives(in, c, theta, mem, out, err);
  if (rc == MW_OK && in->of & (MW_OF_RUN | MW_OF_CERTIFICATE))
    rc = mw_criteria_run(in, c, mem, out, err);
  return rc == MW_OK && in->only ? mw_criteria_only(in->only, out, err) : rc;
}
