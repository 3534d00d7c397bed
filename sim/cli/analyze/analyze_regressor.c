// SPDX-License-Identifier: BSD-3-Clause
// analyze_regressor.c: modeway analyze MODEL inverse --regressor: which combinations of inertial
// parameters drive forces depend on.
#include <math.h>

#include "analyze_priv.h"

static const char *const part[MW_INERTIAL] = { "m",   "mX",  "mY",  "mZ",  "Jxx",
                                               "Jyy", "Jzz", "Jxy", "Jxz", "Jyz" };

static const char *body_of(const mw_mech *m, const mw_regressor *o, int p)
{
  return m->model->body[o->body[p / MW_INERTIAL]].name;
}

// Does parameter p count in combination b? Shares below what its rank is told by are rounding.
static bool counts(const mw_regressor *o, int b, int p)
{
  static const double NONE = 1e-9;
  return p != o->base[b] && fabs(o->share[b * MW_INERTIAL * o->n_body + p]) > NONE;
}

static double value_of(const mw_regressor *o, int b)
{
  double sum = 0.0;
  int width = MW_INERTIAL * o->n_body;
  for (int p = 0; p < width; p++) sum += o->share[b * width + p] * o->pi[p];
  return sum;
}

static void print_text(const mw_mech *m, const mw_regressor *o)
{
  int width = MW_INERTIAL * o->n_body;
  printf("%s: %d combinations of %d inertial parameters, condition %.4g at %d instants\n",
         m->model->name, o->n_base, width, o->condition, o->n);
  for (int b = 0; b < o->n_base; b++) {
    printf("%16.9g  %s.%s", value_of(o, b), body_of(m, o, o->base[b]),
           part[o->base[b] % MW_INERTIAL]);
    for (int p = 0; p < width; p++)
      if (counts(o, b, p))
        printf(" %+.6g %s.%s", o->share[b * width + p], body_of(m, o, p), part[p % MW_INERTIAL]);
    printf("\n");
  }
}

static void print_json(const mw_mech *m, const mw_regressor *o)
{
  int width = MW_INERTIAL * o->n_body;
  char name[256];
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", m->model->name);
  mw_json_num(&w, "parameters", width);
  mw_json_num(&w, "instants", o->n);
  mw_json_num(&w, "condition", o->condition);
  mw_json_array(&w, "combinations");
  for (int b = 0; b < o->n_base; b++) {
    mw_json_object(&w, NULL);
    mw_json_num(&w, "value", value_of(o, b));
    mw_json_object(&w, "shares");
    for (int p = 0; p < width; p++) {
      snprintf(name, sizeof name, "%s.%s", body_of(m, o, p), part[p % MW_INERTIAL]);
      if (p == o->base[b] || counts(o, b, p)) mw_json_num(&w, name, o->share[b * width + p]);
    }
    mw_json_end(&w, '}');
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, ']');
  mw_json_end(&w, '}');
}

static double random_one(unsigned *seed)  // in −1 … 1
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 8388608.0 - 1.0;
}

// States around value [n_coord], the same ones every time: twice as many as there are parameters.
static mw_code around(const mw_mech *m, const double *value, mw_arena *mem, mw_followed *f,
                      mw_error *err)
{
  static const double ANGLE = 1.0, PART = 0.1, RATE = 3.0;  // rad; of the size; 1/s
  unsigned seed = 1;
  f->n = 2 * MW_INERTIAL * m->n_body;
  for (int k = 0; k < 3; k++) f->x[k] = mw_arena_f64(mem, (size_t)f->n * (size_t)m->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < f->n * m->n_coord; i++) {
    int c = i % m->n_coord;
    bool angle = mw_joint_in_turns(m->joint[m->coord_joint[c]].in);
    double most = angle ? ANGLE : PART * mw_mech_size(m);
    f->x[0][i] = value[c] + (i < m->n_coord ? 0.0 : most * random_one(&seed));
    f->x[1][i] = RATE * most * random_one(&seed);
    f->x[2][i] = RATE * RATE * most * random_one(&seed);
  }
  return rc;
}

mw_code mw_analyze_regressor(const mw_args *a, const mw_mech *m, const mw_scenario *sc,
                             unsigned char *given, mw_arena *mem, mw_error *err)
{
  mw_followed f = { 0 };
  mw_regressor o;
  mw_code rc = MW_OK;
  if (mw_args_value(a, "output") || mw_args_value(a, "picture"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found --output or --picture beside --regressor, which prints");
  if (sc) {
    rc = mw_args_followed(a, m, sc, given, mem, &f, err);
  } else if (!mw_args_value(a, "at")) {
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "analyze inverse: found neither --at nor --scenario, expected --at with as many "
                 "coordinates as there are freedoms, or a motion");
  } else {
    double *value = mw_arena_f64(mem, (size_t)m->n_coord);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, given, value, err);
    if (rc == MW_OK) rc = around(m, value, mem, &f, err);
  }
  if (rc == MW_OK) rc = mw_regressor_find(m, given, f.n, f.x[0], f.x[1], f.x[2], mem, &o, err);
  if (rc == MW_OK) (a->json ? print_json : print_text)(m, &o);
  return rc;
}
