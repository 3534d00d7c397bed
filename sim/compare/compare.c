// SPDX-License-Identifier: BSD-3-Clause
// compare.c: differences of reduced and rigid paths from the full mechanism.
//
//   e(t) = |y(t) − y_full(t)|                                        outputs, coordinates of theta
//   relative = max_t e / max_t |y_full(t) − y_rigid(θ_full(t))|      of the peak elastic deflection
//   relative = max_t e / (max_t θ_full − min_t θ_full)               coordinates: of the travel
//   relative = max_t e / max_t |y_full(t) − y_full(0)|               outputs that move, and deflect
//     by no more than the largest deflection may err by: of the travel
//   relative = NaN                                                   of what stands still (STILL)
//   e(t) = σ_v(σ − σ_full) ,  relative = max_t e / max_t σ_v(σ_full) stresses and strains
//   relative = max_t e / max_t |y_full|                              observed outputs; orientations
//     and coordinates: of the travel, max_t |y_full(t) − y_full(0)|
// What of it is the paths' own error in time: compare_time.c.
//
// σ_v, von Mises' measure, is a norm of what distorts: e bounds the difference of the von Mises
// stresses and sees the directions as well. The rigid path has no stress.
// y_rigid: rigid kinematics at the full path's theta, so that relative measures what the elastic
// model is there for.
#include <math.h>
#include <string.h>

#include "compare_layer.h"
#include "fem/output.h"
#include "reduction/certificate.h"
#include "run/observe_layer.h"
#include "run/series_layer.h"

static const double STILL = 1e-11;  // of the machine's size, or rad: motions that are rounding

int mw_comparison_path(const mw_comparison *q, const char *label)
{
  for (int i = 0; i < q->n_path; i++)
    if (strcmp(q->label[i], label) == 0) return i;
  return -1;
}

static const char *const halved_path[MW_HALVED] = { "full", "gmp" };

int mw_comparison_halved_path(const mw_comparison *q, int halved)
{
  return mw_comparison_path(q, halved_path[halved]);
}

void mw_comparison_halve(mw_comparison *q)
{
  static const char *const label[MW_HALVED][2] = { { "full_halved", "full_quartered" },
                                                   { "gmp_halved", "gmp_quartered" } };
  for (int h = 0; h < MW_HALVED; h++) {
    if (mw_comparison_halved_path(q, h) < 0) continue;
    q->halved[h] = q->n_path;
    for (int i = 0; i < 2; i++) q->label[q->n_path++] = label[h][i];
  }
}

void mw_comparison_film(mw_comparison *q)
{
  static const double BYTES = 5e8;  // of the displacements of all paths
  enum { MOST = 401 };
  double one = (double)sizeof(double) * q->n_path * mw_mech_unknowns(&q->c->mech);
  q->frames = (int)fmax(2.0, fmin(MOST, BYTES / one));
}

static mw_code run_filmed(mw_comparison *q, int i, const char *path, mw_path_opt *opt,
                          mw_error *err)
{
  mw_series_opt film = { .frames = q->frames, .film = true };
  mw_series series;
  if (q->frames == 0 || (q->halved[MW_HALVED_FULL] > 0 && i >= q->halved[MW_HALVED_FULL]))
    return mw_path_run(q->c, q->sc, path, opt, &q->run[i], err);
  if (strcmp(path, "gmp") == 0) film.n_state = 2 * (opt->rom->rom.s + opt->rom->rom.m);
  mw_code rc = mw_series_open(&series, &q->c->mech, mw_run_instants(q->sc), &film, err);
  if (rc != MW_OK) return rc;
  opt->series = &series;
  rc = mw_path_run(q->c, q->sc, path, opt, &q->run[i], err);
  q->every = series.watch.every;
  if (rc == MW_OK) {
    q->film[i] = series.film;
    series.film = (mw_film){ 0 };
  }
  mw_series_free(&series);
  return rc;
}

mw_code mw_comparison_run(mw_comparison *q, int i, const mw_path_opt *opt, mw_error *err)
{
  mw_path_opt o = *opt;
  const char *path = q->label[i];
  for (int h = 0; h < MW_HALVED; h++) {
    if (q->halved[h] == 0 || i < q->halved[h] || i > q->halved[h] + 1) continue;
    path = halved_path[h];
    // the step that was taken: a whole number of them makes up a store interval
    o.step = (i == q->halved[h] ? 0.5 : 0.25) * q->run[mw_comparison_halved_path(q, h)].step;
  }
  return run_filmed(q, i, path, &o, err);
}

static double distance3(const double *a, const double *b)
{
  double d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

const double *mw_quantity_at(const mw_run *r, const mw_quantity *a, int t, int *n)
{
  size_t at = (size_t)t;
  *n = a->output >= 0 ? 3 : a->gauge >= 0 ? 6 : 1;
  if (a->observed >= 0) {
    const mw_output_class *c = mw_output_classes[r->model->observed[a->observed].kind];
    *n = c->part[a->part].n;
    return c->needs & r->unseen ? NULL : mw_run_seen(r, a->observed, t) + c->part[a->part].from;
  }
  if (a->output >= 0) return r->y + 3 * (at * (size_t)r->n_out + (size_t)a->output);
  if (a->coord >= 0) return r->s + at * (size_t)r->n_coord + (size_t)a->coord;
  return r->stress ? r->stress + 6 * (at * (size_t)r->n_gauge + (size_t)a->gauge) : NULL;
}

double mw_quantity_length(const mw_run *full, const mw_quantity *a, const double *d)
{
  static const double zero[3] = { 0.0, 0.0, 0.0 };
  if (a->observed >= 0) return mw_observed_length(&full->model->observed[a->observed], a->part, d);
  if (a->output >= 0) return distance3(d, zero);
  if (a->coord >= 0) return fabs(d[0]);
  return mw_output_equivalent(full->model->output[full->gauge[a->gauge]].kind, d);
}

// All parts of the observed outputs.
static void list_observed(mw_comparison *q)
{
  const mw_model *m = &q->c->model;
  for (int o = 0; o < m->n_observed; o++) {
    const mw_observed_in *in = &m->observed[o];
    const mw_output_class *c = mw_output_classes[in->kind];
    for (int p = 0; p < c->n_part; p++)
      q->quantity[q->n_quantity++] =
          (mw_quantity){ .name = c->n_part == 1
                                     ? in->name
                                     : mw_arena_printf(&q->mem, "%s.%s", in->name, c->part[p].name),
                         .unit = mw_observed_unit(m, in, p),
                         .output = -1,
                         .gauge = -1,
                         .coord = -1,
                         .observed = o,
                         .part = p,
                         .scale = (double)NAN };
  }
}

// Has an output this name?
static bool is_of_output(const mw_model *m, const char *name)
{
  for (int k = 0; k < m->n_output; k++)
    if (strcmp(m->output[k].name, name) == 0) return true;
  for (int o = 0; o < m->n_observed; o++)
    if (strcmp(m->observed[o].name, name) == 0) return true;
  return false;
}

mw_code mw_comparison_list(mw_comparison *q, mw_error *err)
{
  const mw_model *m = &q->c->model;
  const mw_reduction_in *in = &m->reduction;
  q->n_quantity = 0;
  q->quantity = mw_arena_alloc(&q->mem,
                               (size_t)m->n_output + (size_t)in->n_coordinate +
                                   (size_t)MW_OUTPUT_PARTS * (size_t)m->n_observed,
                               sizeof *q->quantity);
  mw_code rc = mw_arena_check(&q->mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0, n_out = 0, n_gauge = 0; k < m->n_output; k++) {
    bool gauge = mw_output_is_gauge(&m->output[k]);
    if (m->output[k].part) continue;
    q->quantity[q->n_quantity++] = (mw_quantity){ .name = m->output[k].name,
                                                  .unit = mw_output_unit(&m->output[k]),
                                                  .output = gauge ? -1 : n_out++,
                                                  .gauge = gauge ? n_gauge++ : -1,
                                                  .coord = -1,
                                                  .observed = -1,
                                                  .scale = (double)NAN };
  }
  for (int i = 0; in->present && i < in->n_coordinate; i++) {
    const char *name = in->coordinate[i].name;
    int c = mw_mech_coord(&q->c->mech, name);
    if (is_of_output(m, name)) name = mw_arena_printf(&q->mem, "theta.%s", name);
    q->quantity[q->n_quantity++] = (mw_quantity){ .name = name,
                                                  .unit = mw_run_coord_unit(m, c),
                                                  .output = -1,
                                                  .gauge = -1,
                                                  .coord = c,
                                                  .observed = -1,
                                                  .scale = (double)NAN };
  }
  q->n_judged = q->n_quantity;
  list_observed(q);
  for (int k = 0; k < q->n_quantity; k++)
    for (int h = 0; h < MW_HALVED; h++)
      q->quantity[k].time[h] = (mw_own_error){ (double)NAN, (double)NAN, (double)NAN };
  return mw_arena_check(&q->mem, err);
}

// Outputs of the undeformed mechanism along the full path; each instant starts from the one before.
static mw_code rigid_outputs(mw_comparison *q, mw_error *err)
{
  const mw_mech *m = &q->c->mech;
  const mw_run *full = &q->run[q->full];
  mw_arena tmp = { 0 };
  mw_rest z;
  size_t nc = (size_t)m->n_coord, no = (size_t)full->n_out;
  mw_code rc = mw_rest_init(m, &tmp, &z, err);
  for (int t = 0; rc == MW_OK && t < q->n_t; t++) {
    rc = mw_rest_at(&z, full->s + (size_t)t * nc, err);
    for (size_t o = 0; rc == MW_OK && o < no; o++) {
      const mw_output_in *out = &q->c->model.output[full->out[o]];
      mw_mech_point(m, out->ref, out->x, z.p + 12 * (size_t)out->ref.body, NULL,
                    q->base + 3 * ((size_t)t * no + o), NULL, NULL);
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

// Farthest place of an output from the origin, m
static double farthest(const mw_run *r, int n_t)
{
  double most = 0.0, zero[3] = { 0.0, 0.0, 0.0 };
  for (size_t i = 0; i < (size_t)n_t * (size_t)r->n_out; i++)
    most = fmax(most, distance3(r->y + 3 * i, zero));
  return most;
}

// Peak or travel of the full path, 0: it stands still but for rounding. size: m
static void set_scale(const mw_comparison *q, double size, mw_quantity *a)
{
  const mw_run *full = &q->run[q->full];
  double lo = INFINITY, hi = -INFINITY, peak = 0.0;
  for (int t = 0; t < q->n_t; t++) {
    if (a->output >= 0) {
      size_t i = 3 * ((size_t)t * (size_t)full->n_out + (size_t)a->output);
      peak = fmax(peak, distance3(full->y + i, q->base + i));
    } else if (a->gauge >= 0) {
      peak = fmax(peak, mw_run_equivalent(full, a->gauge, t));
    } else {
      double s = full->s[(size_t)t * (size_t)full->n_coord + (size_t)a->coord];
      lo = fmin(lo, s);
      hi = fmax(hi, s);
    }
  }
  a->scale = a->coord < 0 ? peak : hi - lo;
  a->still = a->gauge >= 0 ? 0.0 : STILL * (strcmp(a->unit, "rad") == 0 ? 1.0 : size);
  if (a->scale <= a->still) a->scale = 0.0;
}

// Largest length of an observed part on the full path, or how far it goes from its start.
static double observed_scale(const mw_comparison *q, const mw_quantity *a, bool travel)
{
  const mw_run *full = &q->run[q->full];
  double most = 0.0;
  for (int t = 0; t < q->n_t; t++) {
    int n;
    const double *y = mw_quantity_at(full, a, t, &n), *y0 = mw_quantity_at(full, a, 0, &n);
    double d[6];
    for (int i = 0; i < n; i++) d[i] = y[i] - (travel ? y0[i] : 0.0);
    most = fmax(most, mw_quantity_length(full, a, d));
  }
  return most;
}

// Scale of an observed part. What is rounding beside the others of its kind stands still; a moment,
// beside its force at the machine's size.
static void set_observed_scale(const mw_comparison *q, double size, mw_quantity *a)
{
  const mw_observed_in *all = q->c->model.observed, *in = &all[a->observed];
  const mw_output_class *c = mw_output_classes[in->kind];
  a->scale = observed_scale(q, a, c->travel);
  for (int k = 0; k < q->n_quantity; k++) {
    const mw_quantity *b = &q->quantity[k];
    if (b->observed < 0 || all[b->observed].kind != in->kind || b->part > a->part) continue;
    double by = b->part == a->part ? 1.0 : size;
    a->still = fmax(a->still, STILL * by * observed_scale(q, b, c->travel));
  }
  if (c->travel && strcmp(a->unit, "rad") == 0) a->still = fmax(a->still, STILL);
  if (a->scale <= a->still) a->scale = 0.0;
}

// Outputs that go with the coordinates and deflect by no more than what the largest deflection may
// err by: their error is that of the coordinates, and is measured as theirs is.
static void scales_by_travel(mw_comparison *q)
{
  const mw_run *full = &q->run[q->full];
  double most = 0.0;
  for (int k = 0; k < q->n_quantity; k++)
    if (q->quantity[k].output >= 0) most = fmax(most, q->quantity[k].scale);
  double least = q->rom ? mw_certificate_least_deflection(&q->rom->certificate, most) : 0.0;
  for (int k = 0; k < q->n_quantity; k++) {
    mw_quantity *a = &q->quantity[k];
    double travel = 0.0;
    if (a->output < 0 || a->scale > least) continue;
    for (int t = 0; t < q->n_t; t++)
      travel = fmax(travel,
                    distance3(full->y + 3 * ((size_t)t * (size_t)full->n_out + (size_t)a->output),
                              full->y + 3 * a->output));
    if (travel > a->still) a->scale = travel;
  }
}

// e(t) of path i, quantity k
static void differ(mw_comparison *q, int i, int k)
{
  const mw_run *r = &q->run[i], *full = &q->run[q->full];
  const mw_quantity *a = &q->quantity[k];
  size_t at = (size_t)i * (size_t)q->n_quantity + (size_t)k;
  double *e = q->diff + at * (size_t)q->n_t, largest = 0.0, sum = 0.0;
  for (int t = 0; t < q->n_t; t++) {
    int n;
    double d[6];
    const double *y = mw_quantity_at(r, a, t, &n), *ref = mw_quantity_at(full, a, t, &n);
    for (int j = 0; y && j < n; j++) d[j] = y[j] - ref[j];
    e[t] = y ? mw_quantity_length(full, a, d) : (double)NAN;
    sum += e[t] * e[t];
    if (!(e[t] <= largest)) largest = e[t];
  }
  q->max[at] = largest;
  q->rms[at] = sqrt(sum / q->n_t);
  q->relative[at] = a->scale > 0.0 ? largest / a->scale : (double)NAN;
}

double mw_comparison_error(const mw_comparison *q, int i, int k)
{
  size_t at = (size_t)i * (size_t)q->n_quantity + (size_t)k;
  const mw_quantity *a = &q->quantity[k];
  double x = isnan(q->rest[at]) ? q->max[at] : q->rest[at];
  if (isnan(x) || isnan(a->scale)) return (double)NAN;
  return a->scale > 0.0 ? x / a->scale : x > a->still ? INFINITY : 0.0;
}

// Runs end where they meet a limit of a joint: instants, of the first n of a, that b has as well.
static int common_instants(const mw_run *a, int n, const mw_run *b)
{
  static const double SAME = 1e-9;  // of the time that has passed
  int k = 0;
  while (k < n && k < b->n_t && fabs(a->t[k] - b->t[k]) <= SAME * a->t[k]) k++;
  return k;
}

mw_code mw_comparison_build(mw_comparison *q, mw_error *err)
{
  mw_code rc = mw_comparison_list(q, err);
  if (rc != MW_OK) return rc;
  q->n_t = q->run[0].n_t;
  for (int i = 1; i < q->n_path; i++) q->n_t = common_instants(&q->run[0], q->n_t, &q->run[i]);
  size_t n = (size_t)q->n_path * (size_t)q->n_quantity, nt = (size_t)q->n_t,
         no = (size_t)q->run[0].n_out;
  q->base = mw_arena_f64(&q->mem, 3 * nt * no);
  q->diff = mw_arena_f64(&q->mem, n * nt);
  q->max = mw_arena_f64(&q->mem, n);
  q->rms = mw_arena_f64(&q->mem, n);
  q->relative = mw_arena_f64(&q->mem, n);
  q->rest = mw_arena_f64(&q->mem, n);
  rc = mw_arena_check(&q->mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < n; k++) q->rest[k] = (double)NAN;
  if (q->full < 0) {
    for (size_t k = 0; k < n; k++) q->max[k] = q->rms[k] = q->relative[k] = (double)NAN;
    for (size_t k = 0; k < n * nt; k++) q->diff[k] = (double)NAN;
    return MW_OK;
  }
  if (q->c->model.reduction.present) {
    rc = rigid_outputs(q, err);
  } else {  // no theta: the start takes the place of the undeformed mechanism
    for (size_t t = 0; t < nt; t++)
      memcpy(q->base + 3 * no * t, q->run[q->full].y, 3 * no * sizeof(double));
  }
  double size = farthest(&q->run[q->full], q->n_t);
  for (int k = 0; rc == MW_OK && k < q->n_quantity; k++) {
    mw_quantity *a = &q->quantity[k];
    if (a->observed >= 0)
      set_observed_scale(q, size, a);
    else
      set_scale(q, size, a);
  }
  if (rc == MW_OK && q->c->model.reduction.present) scales_by_travel(q);
  for (int k = 0; rc == MW_OK && k < q->n_quantity; k++)
    for (int i = 0; i < q->n_path; i++) differ(q, i, k);
  return rc == MW_OK && q->halved[MW_HALVED_FULL] > 0 ? mw_comparison_time(q, err) : rc;
}

void mw_comparison_free(mw_comparison *q)
{
  for (int i = 0; i < q->n_path; i++) mw_run_free(&q->run[i]);
  for (int i = 0; i < MW_COMPARE_MAX_PATH; i++) mw_film_free(&q->film[i]);
  mw_arena_free(&q->mem);
  q->n_path = 0;
}
