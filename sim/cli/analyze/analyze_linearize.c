// SPDX-License-Identifier: BSD-3-Clause
// analyze_linearize.c: modeway analyze MODEL|ROM.nc linearize: matrices, poles, responses, loci.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"
#include "reduction/reduce.h"

static const double PI = 3.14159265358979323846;

typedef struct job {
  mw_case c;
  mw_rom_file f;
  bool reduced, modelled;  // f, c are there
  mw_analysis of;
  char where[256];  // the state, in words
  mw_state_space s;
  mw_pole *pole;
  double zero;  // 1/s, what counts as a pole at 0
  mw_linearized o;
  mw_arena mem;
} job;

// ---- text and JSON ------------------------------------------------------------------------------

static void print_rows(const char *what, const char *const *row, int n, int m, const double *M)
{
  printf("%s\n", what);
  for (int i = 0; i < n; i++) {
    printf("  %-20.20s", row[i]);
    for (int k = 0; k < m; k++) printf(" %14.7g", M[i * m + k]);
    printf("\n");
  }
}

static void print_names(const char *what, int n, const char *const *name, const char *const *unit,
                        const double *x)
{
  for (int i = 0; i < n; i++)
    printf("%-8s %-24s %16.9g %s\n", i == 0 ? what : "", name[i], x[i], unit[i]);
}

static void print_text(const job *j)
{
  enum { MOST = 8 };
  const mw_state_space *s = &j->s;
  printf("%s, linearized %s\n", j->of.name, j->where);
  print_names("states", s->n_x, s->state, s->state_unit, s->x0);
  print_names("inputs", s->n_u, s->input, s->input_unit, s->u0);
  print_names("outputs", s->n_y, s->output, s->output_unit, s->y0);
  if (s->left_out) printf("not among the outputs: %s\n", s->left_out);
  if (s->n_x <= MOST && s->n_u <= MOST) {
    print_rows("A", s->state, s->n_x, s->n_x, s->A);
    print_rows("B", s->state, s->n_x, s->n_u, s->B);
    print_rows("C", s->output, s->n_y, s->n_x, s->C);
    print_rows("D", s->output, s->n_y, s->n_u, s->D);
  } else {
    printf("A, B, C, D are in --json and in --output\n");
  }
  printf("poles: real, imaginary part, 1/s; |pole|, rad/s and Hz; damping ratio\n");
  for (int i = 0; i < s->n_x; i++) {
    const mw_pole *p = &j->pole[i];
    double size = hypot(p->re, p->im);
    printf("  %16.9g %16.9g %16.9g %14.7g", p->re, p->im, size, size / (2.0 * PI));
    if (isnan(p->zeta))
      printf(" %12s\n", "-");
    else
      printf(" %12.5g\n", p->zeta);
  }
  if (s->n_x > 0) printf("poles of up to %.2g/s count as 0\n", j->zero);
  if (s->rest > 0.0)
    printf("largest acceleration left: %.3g of %s\n", s->rest, s->where ? s->where : "");
  if (s->error > 0.0) printf("estimated error of the derivatives: %.2g of the largest\n", s->error);
}

static void json_matrix(mw_json *w, const char *key, int n, int m, const double *M)
{
  mw_json_array(w, key);
  for (int i = 0; i < n; i++) {
    mw_json_array(w, NULL);
    for (int k = 0; k < m; k++) mw_json_num(w, NULL, M[i * m + k]);
    mw_json_end(w, ']');
  }
  mw_json_end(w, ']');
}

static void json_names(mw_json *w, const char *key, int n, const char *const *name,
                       const char *const *unit, const double *x)
{
  mw_json_array(w, key);
  for (int i = 0; i < n; i++) {
    mw_json_object(w, NULL);
    mw_json_str(w, "name", name[i]);
    mw_json_str(w, "unit", unit[i]);
    mw_json_num(w, "at", x[i]);
    mw_json_end(w, '}');
  }
  mw_json_end(w, ']');
}

static void json_locus(mw_json *w, const job *j)
{
  const mw_linearized *o = &j->o;
  if (o->n_gain == 0) return;
  mw_json_object(w, "locus");
  mw_json_str(w, "from", j->s.input[o->from]);
  mw_json_str(w, "to", j->s.output[o->to]);
  json_matrix(w, "gain", 1, o->n_gain, o->gain);
  json_matrix(w, "re", o->n_gain, j->s.n_x, o->re);
  json_matrix(w, "im", o->n_gain, j->s.n_x, o->im);
  mw_json_end(w, '}');
}

static void print_json(const job *j)
{
  const mw_state_space *s = &j->s;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", j->of.name);
  mw_json_str(&w, "where", j->where);
  json_names(&w, "states", s->n_x, s->state, s->state_unit, s->x0);
  json_names(&w, "inputs", s->n_u, s->input, s->input_unit, s->u0);
  json_names(&w, "outputs", s->n_y, s->output, s->output_unit, s->y0);
  json_matrix(&w, "A", s->n_x, s->n_x, s->A);
  json_matrix(&w, "B", s->n_x, s->n_u, s->B);
  json_matrix(&w, "C", s->n_y, s->n_x, s->C);
  json_matrix(&w, "D", s->n_y, s->n_u, s->D);
  mw_json_array(&w, "poles");
  for (int i = 0; i < s->n_x; i++) {
    mw_json_object(&w, NULL);
    mw_json_num(&w, "re", j->pole[i].re);
    mw_json_num(&w, "im", j->pole[i].im);
    mw_json_num(&w, "damping", j->pole[i].zeta);
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, ']');
  mw_json_num(&w, "zero", j->zero);
  json_locus(&w, j);
  mw_json_num(&w, "acceleration_left", s->rest);
  mw_json_num(&w, "estimated_error", s->error);
  if (s->left_out) mw_json_str(&w, "not_among_outputs", s->left_out);
  mw_json_end(&w, '}');
}

// ---- what is asked for --------------------------------------------------------------------------

static int index_of(int n, const char *const *name, const char *text)
{
  for (int i = 0; i < n; i++)
    if (strcmp(name[i], text) == 0) return i;
  return -1;
}

static mw_code read_end(const mw_args *a, const char *option, int n, const char *const *name,
                        int *out, mw_error *err)
{
  const char *text = mw_args_value(a, option);
  char known[160] = "";
  *out = text ? index_of(n, name, text) : n == 1 ? 0 : -1;
  if (!text || *out >= 0) return MW_OK;
  for (int i = 0; i < n; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%.40s", i > 0 ? ", " : "", name[i]);
  }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found \"%.60s\", expected one of: %s",
                 option, text, n > 0 ? known : "there is none");
}

// The band: a decade beyond the poles that are not 0, or 1 mHz to 100 Hz.
static mw_code read_band(const mw_args *a, job *j, mw_error *err)
{
  double lo = INFINITY, hi = 0.0;
  int n = 400;
  for (int i = 0; i < j->s.n_x; i++) {
    double hz = hypot(j->pole[i].re, j->pole[i].im) / (2.0 * PI);
    if (!(hz > 0.0)) continue;
    lo = fmin(lo, hz);
    hi = fmax(hi, hz);
  }
  lo = hi > 0.0 ? 0.1 * lo : 1e-3;
  hi = hi > 0.0 ? 10.0 * hi : 100.0;
  mw_code rc = mw_args_range(a, "band", &lo, &hi, err);
  if (rc == MW_OK) rc = mw_args_int(a, "points", 2, 100000, &n, err);
  if (rc == MW_OK && !(lo > 0.0))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--band: found %g Hz, expected LO above 0", lo);
  if (rc != MW_OK) return rc;
  size_t nw = (size_t)n;
  double *w = mw_arena_f64(&j->mem, nw),
         *H = mw_arena_f64(&j->mem, 2 * nw * (size_t)j->s.n_y * (size_t)j->s.n_u);
  rc = mw_arena_check(&j->mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) w[i] = 2.0 * PI * lo * pow(hi / lo, i / (n - 1.0));
  if (rc == MW_OK) rc = mw_state_space_frf(&j->s, n, w, H, err);
  j->o.n_w = n;
  j->o.w = w;
  j->o.H = H;
  return rc;
}

static mw_code read_locus(const mw_args *a, job *j, mw_error *err)
{
  enum { N = 400 };
  double lo = 0.0, hi = 0.0;
  mw_code rc = mw_args_range(a, "gain", &lo, &hi, err);
  if (rc != MW_OK || !mw_args_value(a, "gain")) return rc;
  if (j->o.to < 0 || j->o.from < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--gain: found no %s, expected --from DRIVE and --to OUTPUT of the loop",
                   j->o.from < 0 ? "--from" : "--to");
  size_t nx = (size_t)j->s.n_x;
  double *gain = mw_arena_f64(&j->mem, N), *re = mw_arena_f64(&j->mem, N * nx),
         *im = mw_arena_f64(&j->mem, N * nx);
  rc = mw_arena_check(&j->mem, err);
  for (int i = 0; rc == MW_OK && i < N; i++)
    gain[i] = lo > 0.0 ? lo * pow(hi / lo, i / (N - 1.0)) : lo + (hi - lo) * i / (N - 1.0);
  if (rc == MW_OK) rc = mw_state_space_locus(&j->s, j->o.to, j->o.from, N, gain, re, im, err);
  j->o.n_gain = N;
  j->o.gain = gain;
  j->o.re = re;
  j->o.im = im;
  return rc;
}

// ---- the rigid mechanism ------------------------------------------------------------------------

static void say_position(const mw_mech *m, const unsigned char *named, const double *s, char *text,
                         size_t size)
{
  size_t used = (size_t)snprintf(text, size, "at rest where it is assembled");
  for (int c = 0, any = 0; c < m->n_coord; c++)
    if (named[c]) {
      if (any == 0) used = (size_t)snprintf(text, size, "at ");
      if (used < size)
        used += (size_t)snprintf(text + used, size - used, "%s%s = %.9g", any++ ? ", " : "",
                                 mw_mech_coord_name(m, c), s[c]);
    }
}

static mw_code at_position(const mw_args *a, job *j, mw_linearize_at *at, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  size_t nc = (size_t)m->n_coord;
  unsigned char *named = mw_arena_alloc(&j->mem, nc, 1), *moved = mw_arena_alloc(&j->mem, nc, 1);
  double *value = mw_arena_f64(&j->mem, nc), *rate = mw_arena_f64(&j->mem, nc);
  mw_position *position = mw_arena_alloc(&j->mem, 1, sizeof *position);
  mw_code rc = mw_arena_check(&j->mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, named, value, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "rate", m, moved, rate, err);
  if (rc == MW_OK)
    rc = mw_position_find(m, mw_args_value(a, "at") ? named : NULL, value, &j->mem, position, err);
  if (rc != MW_OK) return rc;
  at->position = position;
  say_position(m, named, position->s, j->where, sizeof j->where);
  for (size_t c = 0; c < nc; c++) named[c] = named[c] || moved[c];
  at->named = named;
  at->rate = rate;
  return MW_OK;
}

static mw_code no_position(const mw_args *a, mw_error *err)
{
  static const char *const apart[] = { "at", "rate" };
  for (int i = 0; i < 2; i++)
    if (mw_args_value(a, apart[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s beside --scenario, expected one of them", apart[i]);
  return MW_OK;
}

static mw_code time_has_scenario(const mw_args *a, mw_error *err)
{
  if (!mw_args_value(a, "time") || mw_args_value(a, "scenario")) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--time belongs to --scenario NAME");
}

static mw_code at_time(const mw_args *a, job *j, const char *scenario, mw_linearize_at *at,
                       mw_error *err)
{
  const mw_scenario *sc;
  double t = 0.0;
  mw_code rc = no_position(a, err);
  if (rc == MW_OK) rc = mw_scenario_find(&j->c.model, scenario, &sc, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "time", 0.0, 1e9, &t, err);
  if (rc == MW_OK) rc = mw_linearize_motion(&j->c.mech, sc, t, &j->mem, at, err);
  snprintf(j->where, sizeof j->where, "at %.9g s of %.200s", t, scenario);
  return rc;
}

static mw_code work_rigid(const mw_args *a, job *j, mw_error *err)
{
  const char *scenario = mw_args_value(a, "scenario");
  mw_linearize_at at = { 0 };
  mw_code rc = mw_args_case(a, a->operand, &j->c, scenario ? &scenario : NULL, err);
  if (rc != MW_OK) return rc;
  j->modelled = true;
  const mw_mech *m = &j->c.mech;
  unsigned char *held = mw_arena_alloc(&j->mem, (size_t)m->n_coord, 1);
  j->of = (mw_analysis){ "linearize", m->model->name, m->model->hash, a->line };
  rc = mw_arena_check(&j->mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "hold", m, held, NULL, err);
  if (rc == MW_OK) rc = time_has_scenario(a, err);
  if (rc == MW_OK) rc = scenario ? at_time(a, j, scenario, &at, err) : at_position(a, j, &at, err);
  at.held = held;
  return rc == MW_OK ? mw_linearize_rigid(m, &at, &j->mem, &j->s, err) : rc;
}

// ---- the unreduced mechanism --------------------------------------------------------------------

// While coordinates of the reduction go on: value, named, held [n_coord] of --at and --hold
static mw_code moving(const mw_args *a, job *j, const double *value, const unsigned char *named,
                      const unsigned char *held, int n, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  const mw_reduction_in *r = &j->c.model.reduction;
  double theta[MW_ROM_MAX_S], rate[MW_ROM_MAX_S], *all = mw_arena_f64(&j->mem, (size_t)m->n_coord);
  unsigned char *moved = mw_arena_alloc(&j->mem, (size_t)m->n_coord, 1);
  unsigned hold = 0;
  mw_code rc = mw_arena_check(&j->mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "rate", m, moved, all, err);
  for (int i = 0; rc == MW_OK && i < r->n_coordinate; i++) {
    int c = m->joint[r->coordinate[i].joint].coord;
    theta[i] = named[c] ? value[c] : 0.5 * (r->coordinate[i].lo + r->coordinate[i].hi);
    rate[i] = all[c];
    moved[c] = 2;
    if (held[c]) hold |= 1u << i;
  }
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++)
    if (moved[c] != 2 && (moved[c] || named[c] || held[c]))
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found %s with --modes and --rate, expected coordinates of the reduction alone",
                   mw_mech_coord_name(m, c));
  if (rc == MW_OK) rc = mw_linearize_full_moving(m, theta, rate, hold, n, &j->mem, &j->s, err);
  size_t used =
      (size_t)snprintf(j->where, sizeof j->where,
                       "reduced around the position, going on at the rates of --rate, at");
  for (int i = 0; rc == MW_OK && i < r->n_coordinate && used < sizeof j->where; i++)
    used += (size_t)snprintf(j->where + used, sizeof j->where - used, "%s %s = %.9g",
                             i > 0 ? "," : "", r->coordinate[i].name, theta[i]);
  return rc;
}

// At --time of a run of --scenario by path full
static mw_code full_at_time(const mw_args *a, job *j, const unsigned char *held, int n,
                            mw_error *err)
{
  const char *name = mw_args_value(a, "scenario");
  const mw_mech *m = &j->c.mech;
  const mw_scenario *sc;
  double t = 0.0;
  mw_code rc = no_position(a, err);
  if (rc == MW_OK) rc = mw_scenario_find(&j->c.model, name, &sc, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "time", 0.0, 1e9, &t, err);
  if (rc == MW_OK) rc = mw_linearize_full_motion(m, sc, t, held, n, &j->mem, &j->s, err);
  snprintf(j->where, sizeof j->where,
           "reduced around the position, at %.9g s of %.120s by path full, without what swings "
           "there",
           t, name);
  return rc;
}

static mw_code work_full(const mw_args *a, job *j, mw_error *err)
{
  const char *scenario = mw_args_value(a, "scenario");
  int n = 0;
  mw_code rc = mw_args_int(a, "modes", 0, 1000, &n, err);
  if (rc == MW_OK) rc = time_has_scenario(a, err);
  if (rc == MW_OK) rc = mw_args_case(a, a->operand, &j->c, scenario ? &scenario : NULL, err);
  if (rc != MW_OK) return rc;
  j->modelled = true;
  const mw_mech *m = &j->c.mech;
  unsigned char *named = mw_arena_alloc(&j->mem, (size_t)m->n_coord, 1),
                *held = mw_arena_alloc(&j->mem, (size_t)m->n_coord, 1);
  double *value = mw_arena_f64(&j->mem, (size_t)m->n_coord);
  mw_position at;
  j->of = (mw_analysis){ "linearize", m->model->name, m->model->hash, a->line };
  rc = mw_arena_check(&j->mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "hold", m, held, NULL, err);
  if (rc == MW_OK && scenario) return full_at_time(a, j, held, n, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, named, value, err);
  if (rc == MW_OK && mw_args_value(a, "rate")) return moving(a, j, value, named, held, n, err);
  if (rc == MW_OK) rc = mw_args_position(a, m, &j->mem, &at, err);
  if (rc == MW_OK) rc = mw_linearize_full(m, &at, held, n, &j->mem, &j->s, err);
  if (rc != MW_OK) return rc;
  size_t used = (size_t)snprintf(j->where, sizeof j->where, "unreduced%s, ",
                                 mw_weight_counts(m) ? ", without the weight's stiffness" : "");
  say_position(m, named, at.s, j->where + used, sizeof j->where - used);
  return MW_OK;
}

// ---- a reduced model ----------------------------------------------------------------------------

// The coordinate that the first len characters of text name, -1: none
static int coordinate(const mw_rom_file *f, const char *text, size_t len)
{
  for (int i = 0; i < f->rom.s; i++)
    if (strlen(f->coordinate[i]) == len && strncmp(f->coordinate[i], text, len) == 0) return i;
  return -1;
}

static mw_code read_held(const mw_args *a, const mw_rom_file *f, unsigned *held, mw_error *err)
{
  const char *p = mw_args_value(a, "hold");
  while (p) {
    size_t len = strcspn(p, ",");
    int at = coordinate(f, p, len);
    if (at < 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--hold: found \"%.*s\", expected a coordinate of the reduction",
                     len < 60 ? (int)len : 60, p);
    *held |= 1u << at;
    p = p[len] != '\0' ? p + len + 1 : NULL;
  }
  return MW_OK;
}

static mw_code read_rates(const mw_args *a, const mw_rom_file *f, double *rate, mw_error *err)
{
  const char *p = mw_args_value(a, "rate");
  while (p && *p) {
    size_t len = strcspn(p, "=,");
    int at = coordinate(f, p, len);
    char *end = NULL;
    double x = at >= 0 && p[len] == '=' ? strtod(p + len + 1, &end) : NAN;
    if (!end || end == p + len + 1 || (*end != ',' && *end != '\0') || !isfinite(x))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--rate: found \"%.60s\", expected COORDINATE=NUMBER of the reduction", p);
    rate[at] = x;
    p = *end == ',' ? end + 1 : end;
  }
  return MW_OK;
}

// At --time of a run of --scenario
static mw_code on_run(const mw_args *a, job *j, mw_error *err)
{
  static const char *const apart[] = { "at", "rate", "modes" };
  const char *name = mw_args_value(a, "scenario");
  const mw_scenario *sc;
  char model[1024];
  unsigned held = 0;
  double t = 0.0;
  for (int i = 0; i < 3; i++)
    if (mw_args_value(a, apart[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s beside --scenario of a reduced model, expected one of them",
                     apart[i]);
  mw_code rc = mw_cmd_model_of(a->operand, model, sizeof model, err);
  if (rc == MW_OK) rc = mw_args_case(a, model, &j->c, &name, err);
  if (rc != MW_OK) return rc;
  j->modelled = true;
  rc = mw_scenario_find(&j->c.model, name, &sc, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "time", 0.0, 1e9, &t, err);
  if (rc == MW_OK) rc = mw_rom_of_case(&j->c, a->operand, &j->f, err);
  if (rc != MW_OK) return rc;
  j->reduced = true;
  j->of = (mw_analysis){ "linearize", j->f.model_name, j->f.model_hash, a->line };
  rc = read_held(a, &j->f, &held, err);
  if (rc == MW_OK)
    rc = mw_linearize_reduced_motion(&j->c.mech, &j->f, sc, t, held, &j->mem, &j->s, err);
  snprintf(j->where, sizeof j->where, "reduced, at %.9g s of %.200s", t, name);
  return rc;
}

static mw_code work_reduced(const mw_args *a, job *j, mw_error *err)
{
  static const char *const rigid[] = { "time", "modes" };
  double theta[MW_ROM_MAX_S], rate[MW_ROM_MAX_S] = { 0.0 };
  bool moves = mw_args_value(a, "rate") != NULL;
  unsigned held = 0;
  if (mw_args_value(a, "scenario")) return on_run(a, j, err);
  for (int i = 0; i < 2; i++)
    if (mw_args_value(a, rigid[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s with a reduced model; expected --at, and --rate of its "
                     "coordinates, or --scenario with --time",
                     rigid[i]);
  mw_code rc = mw_rom_file_read(a->operand, &j->f, err);
  if (rc != MW_OK) return rc;
  mw_cmd_warn_missed(&j->f, a->operand);
  j->reduced = true;
  j->of = (mw_analysis){ "linearize", j->f.model_name, j->f.model_hash, a->line };
  rc = mw_cmd_rom_theta(&j->f, mw_args_value(a, "at"), theta, err);
  if (rc == MW_OK) rc = read_held(a, &j->f, &held, err);
  if (rc == MW_OK) rc = read_rates(a, &j->f, rate, err);
  if (rc == MW_OK)
    rc = mw_linearize_reduced(&j->f, theta, moves ? rate : NULL, held, &j->mem, &j->s, err);
  size_t used = (size_t)snprintf(j->where, sizeof j->where, "%s, reduced, at",
                                 moves ? "going on at the rates of --rate" : "at rest");
  for (int i = 0; rc == MW_OK && i < j->f.rom.s && used < sizeof j->where; i++)
    used += (size_t)snprintf(j->where + used, sizeof j->where - used, "%s %s = %.9g %s%s",
                             i > 0 ? "," : "", j->f.coordinate[i], theta[i], mw_cmd_unit(&j->f, i),
                             held >> i & 1u ? " (held)" : "");
  return rc;
}

// ---- command ------------------------------------------------------------------------------------

static mw_code work(const mw_args *a, job *j, mw_error *err)
{
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  bool modes = mw_args_value(a, "modes") != NULL;
  mw_code rc = mw_file_is_netcdf(a->operand) ? work_reduced(a, j, err)
               : modes                       ? work_full(a, j, err)
                                             : work_rigid(a, j, err);
  if (rc == MW_OK) rc = mw_state_space_poles(&j->s, &j->mem, &j->pole, &j->zero, err);
  j->o.s = &j->s;
  j->o.pole = j->pole;
  if (rc == MW_OK) rc = read_end(a, "from", j->s.n_u, j->s.input, &j->o.from, err);
  if (rc == MW_OK) rc = read_end(a, "to", j->s.n_y, j->s.output, &j->o.to, err);
  if (rc == MW_OK) rc = read_band(a, j, err);
  if (rc == MW_OK) rc = read_locus(a, j, err);
  if (rc == MW_OK && out) rc = mw_linearized_write(&j->of, &j->o, out, err);
  if (rc == MW_OK && picture) rc = mw_linearized_picture(&j->o, picture, err);
  return rc;
}

static int run(const mw_args *a)
{
  job j = { 0 };
  mw_error err = { 0 };
  mw_code rc = work(a, &j, &err);
  if (rc == MW_OK) (a->json ? print_json : print_text)(&j);
  if (j.reduced) mw_rom_file_free(&j.f);
  if (j.modelled) mw_case_free(&j.c);
  mw_arena_free(&j.mem);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_topic mw_topic_linearize = {
  .name = "linearize",
  .summary = "A, B, C, D at a state, poles, frequency responses, root locus; of ROM.nc, too",
  .doc =
      "MODEL is linearized as the rigid mechanism, elastic runners and bearings free, at --at and\n"
      "--rate with the forces of drives that come nearest to no acceleration (of least norm), or\n"
      "at --time of --scenario with those it has there. States are independent joint coordinates,\n"
      "those of --at first, rotors of drives, directions of what no coordinate says, and their\n"
      "rates; inputs forces of drives that are not prescribed; outputs joint coordinates, then\n"
      "positions, velocities, accelerations of the model's outputs. Dry friction and end stops\n"
      "are left out. Derivatives are extrapolated differences, their error is estimated and said.\n"
      "--modes N: MODEL unreduced, elastic bodies included, at rest, as its free motions and N\n"
      "lowest modes; how higher modes give way is in D, the weight's stiffness is left out. With\n"
      "--rate: while coordinates of the reduction go on, reduced around --at alone, with N modes\n"
      "and its patterns, stiffness of weight and rotation in it; with --scenario and --time: so\n"
      "at an instant of a run by path full, rates, accelerations and forces those of the run,\n"
      "without what swings there.\n"
      "ROM.nc is linearized by its exact derivatives, in coordinates and columns, at rest, or,\n"
      "with --rate, while coordinates go on and columns stay where that puts them; --hold:\n"
      "coordinates that do not move, or go on as they do; or at --time of a run of --scenario,\n"
      "as amplitudes and forces are there. --picture shows poles, moduli and\n"
      "phases, --gain the poles of u = -gain y from one output to one input.\n\n"
      "--json: {\"name\", \"where\": the state, \"states\", \"inputs\", \"outputs\": [{\"name\",\n"
      "  \"unit\", \"at\"}], \"A\", \"B\", \"C\", \"D\": rows, \"poles\": [{\"re\", \"im\": 1/s,\n"
      "  \"damping\": ratio}], \"zero\": 1/s, up to which poles count as 0, \"locus\": {\"from\",\n"
      "  \"to\", \"gain\", \"re\", \"im\": rows a gain}, \"acceleration_left\",\n"
      "  \"estimated_error\", \"not_among_outputs\": names}\n",
  .options = " at rate scenario time hold modes from to band gain points output picture ",
  .reduced = true,
  .run = run,
};
