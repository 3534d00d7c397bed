// SPDX-License-Identifier: BSD-3-Clause
// criteria_run.c: what a study judges a model by in a run of a scenario, and how far its reduced
// model may err.
//
// The machine is told to stand still from the stored instant t_r on after which no reference and no
// force of the scenario changes. An output y comes to rest at its mean ȳ over the second half of
// what follows:
//   residual = max |y − ȳ|, t ≥ t_r ;  settling = t_s − t_r, |y − ȳ| ≤ within for all t ≥ t_s ≥ t_r
// Rounding of positions counts for nothing. A run that has not come to rest has residual vibration
// in ȳ, too: longer durations tell more.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fem/output.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "study_priv.h"

typedef struct run_of {
  const mw_study_in *in;
  const mw_scenario *sc;
  const mw_run *r;
  mw_arena *mem;
  mw_found *f;
} run_of;

static mw_code put(run_of *q, const char *what, const char *name, const char *part,
                   const char *unit, int aim, double value, mw_error *err)
{
  const char *full = mw_arena_printf(q->mem, "%s %s%s%s", what, name, *part ? " " : "", part);
  mw_code rc = mw_found_room(q->f, 1, q->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(q->mem, err);
  if (rc == MW_OK) mw_found_put(q->f, full, unit, aim, value);
  return rc;
}

// ---- largest values -----------------------------------------------------------------------------

static double far(const double *a, const double *b)
{
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = a[i] - b[i];
  return hypot(hypot(d[0], d[1]), d[2]);
}

static mw_code fields(run_of *q, mw_error *err)
{
  const mw_run *r = q->r;
  mw_code rc = MW_OK;
  for (int o = 0; rc == MW_OK && o < r->n_out; o++) {
    double most = 0.0;
    for (int k = 0; k < r->n_t; k++)
      most = fmax(most, far(r->y + 3 * (k * r->n_out + o), r->y + 3 * o));
    rc = put(q, "largest", r->model->output[r->out[o]].name, "off its start", "m", 0, most, err);
  }
  for (int g = 0; rc == MW_OK && r->stress && g < r->n_gauge; g++) {
    const mw_output_in *o = &r->model->output[r->gauge[g]];
    double most = 0.0;
    for (int k = 0; k < r->n_t; k++) most = fmax(most, mw_run_equivalent(r, g, k));
    rc = put(q, "largest", o->name, "equivalent", mw_output_unit(o), 1, most, err);
  }
  return rc;
}

// How large part p of observed output o is at most; NAN: the path does not see it.
static double largest_seen(const mw_run *r, int o, int p)
{
  const mw_observed_in *seen = &r->model->observed[o];
  const mw_output_part *part = &mw_output_classes[seen->kind]->part[p];
  double most = 0.0;
  for (int k = 0; k < r->n_t; k++) {
    double size = mw_observed_length(seen, p, mw_run_seen(r, o, k) + part->from);
    if (isnan(size)) return (double)NAN;
    most = fmax(most, size);
  }
  return most;
}

// What is seen besides, but for attitudes and coordinates, whose size says nothing.
static mw_code observed(run_of *q, mw_error *err)
{
  const mw_model *m = q->r->model;
  mw_code rc = MW_OK;
  for (int o = 0; rc == MW_OK && o < m->n_observed; o++) {
    const mw_output_class *c = mw_output_classes[m->observed[o].kind];
    for (int p = 0; rc == MW_OK && !c->travel && p < c->n_part; p++) {
      double most = largest_seen(q->r, o, p);
      if (!isnan(most))
        rc = put(q, "largest", m->observed[o].name, c->part[p].name,
                 mw_observed_unit(m, &m->observed[o], p), 1, most, err);
    }
  }
  return rc;
}

// ---- coming to rest -----------------------------------------------------------------------------

static bool moves(const mw_signal *g, double t)
{
  double y, rate;
  mw_signal_eval(g, t, &y, &rate, NULL);
  return rate != 0.0;
}

// Does a reference or a force of the scenario change at t?
static bool told(const run_of *q, double t)
{
  const mw_model *m = q->r->model;
  for (int k = 0; k < q->sc->n_action; k++)
    if (moves(&q->sc->action[k].signal, t)) return true;
  for (int k = 0; k < m->n_force; k++)
    if (m->force[k].has_signal && moves(&m->force[k].signal, t)) return true;
  return false;
}

// The last jump of a reference or force before the end; 0: there is none.
static double last_jump(const mw_signal *g, double end)
{
  double last = 0.0;
  for (double t = mw_signal_next_kink(g, 0.0); t < end; t = mw_signal_next_kink(g, t)) last = t;
  return last;
}

// The stored instant from which on nothing is told to move; n_t: none.
static int rest_from(const run_of *q)
{
  const mw_run *r = q->r;
  double end = r->t[r->n_t - 1], jump = 0.0;
  int first = r->n_t;
  while (first > 0 && !told(q, r->t[first - 1])) first--;
  for (int k = 0; k < q->sc->n_action; k++)
    jump = fmax(jump, last_jump(&q->sc->action[k].signal, end));
  while (first < r->n_t && r->t[first] < jump) first++;
  return first;
}

// Where output o comes to rest, what it is off that from instant `first` on, and when no more.
static void rest_of(const run_of *q, int first, int o, double *residual, double *settling)
{
  const mw_run *r = q->r;
  double mean[3] = { 0 }, most = 0.0;
  int half = (first + r->n_t) / 2, last = first - 1;
  for (int k = half; k < r->n_t; k++)
    for (int i = 0; i < 3; i++) mean[i] += r->y[3 * (k * r->n_out + o) + i] / (r->n_t - half);
  *residual = 0.0;
  for (int k = 0; k < r->n_t; k++) {
    double off = far(r->y + 3 * (k * r->n_out + o), mean);
    most = fmax(most, off);
    if (k >= first) *residual = fmax(*residual, off);
  }
  double within = q->in->within > 0.0 ? q->in->within : MW_STUDY_WITHIN * most;
  within = fmax(within, 100.0 * DBL_EPSILON * far(mean, (double[3]){ 0 }));
  for (int k = first; k < r->n_t; k++)
    if (far(r->y + 3 * (k * r->n_out + o), mean) > within) last = k;
  *settling = last + 1 < r->n_t ? r->t[last + 1] - r->t[first] : (double)NAN;
}

static mw_code rest(run_of *q, mw_error *err)
{
  const mw_run *r = q->r;
  int first = rest_from(q);
  mw_code rc = MW_OK;
  if (first > r->n_t - 3)
    return mw_fail(err, MW_ERR_INPUT, q->sc->at,
                   "scenario %.64s: a reference or force of it changes until its end, expected a "
                   "while of rest behind it for --of settling, residual",
                   q->sc->name);
  for (int o = 0; rc == MW_OK && o < r->n_out; o++) {
    const char *name = r->model->output[r->out[o]].name;
    double residual, settling;
    rest_of(q, first, o, &residual, &settling);
    if (q->in->of & MW_OF_SETTLING) rc = put(q, "settling", name, "", "s", 1, settling, err);
    if (rc == MW_OK && q->in->of & MW_OF_RESIDUAL)
      rc = put(q, "residual", name, "", "m", 1, residual, err);
  }
  return rc;
}

// ---- runs and certificates ----------------------------------------------------------------------

static mw_code run_criteria(const mw_study_in *in, const mw_case *c, const mw_rom_file *rom,
                            mw_arena *mem, mw_found *f, mw_error *err)
{
  const mw_path_opt opt = { .rom = rom };
  const mw_scenario *sc = NULL;
  mw_run r = { 0 };
  mw_code rc = mw_scenario_find(&c->model, in->scenario, &sc, err);
  if (rc == MW_OK) rc = mw_path_run(c, sc, in->run, &opt, &r, err);
  run_of q = { in, sc, &r, mem, f };
  if (rc == MW_OK && r.event)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the run ends early: %.200s", r.event);
  if (rc == MW_OK && in->of & MW_OF_LARGEST) rc = fields(&q, err);
  if (rc == MW_OK && in->of & MW_OF_LARGEST) rc = observed(&q, err);
  if (rc == MW_OK && in->of & (MW_OF_SETTLING | MW_OF_RESIDUAL)) rc = rest(&q, err);
  // what a run warns of is told by how much of it there is
  if (rc == MW_OK) rc = put(&q, "warnings", "of the run", "", "", 0, r.n_warning, err);
  mw_run_free(&r);
  return rc;
}

static mw_code certificate(const mw_rom_file *rom, mw_arena *mem, mw_found *f, mw_error *err)
{
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(&rom->certificate, v);
  double most = 0.0, frequency = (double)NAN;
  for (int k = 0; k < n; k++) {
    most = fmax(most, v[k].error / v[k].tolerance);
    if (strcmp(v[k].key, "frequencies") == 0) frequency = v[k].error;
  }
  mw_code rc = mw_found_room(f, 2, mem, err);
  if (rc != MW_OK) return rc;
  mw_found_put(f, "certificate over tolerance", "", 1, most);
  mw_found_put(f, "certificate frequencies", "", 1, frequency);
  return MW_OK;
}

mw_code mw_criteria_run(const mw_study_in *in, const mw_case *c, mw_arena *mem, mw_found *f,
                        mw_error *err)
{
  mw_rom_file rom = { 0 };
  bool runs = in->of & MW_OF_RUN, reduced = runs && strcmp(in->run, "gmp") == 0;
  mw_code rc = MW_OK;
  if ((in->of & MW_OF_CERTIFICATE || reduced) && c->model.reduction.n_kept > 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the reduction keeps parameters, over whose range reduce judges it; expected "
                   "none for --of certificate, --run gmp");
  if (in->of & MW_OF_CERTIFICATE || reduced) rc = mw_reduce(&c->model, &c->mech, NULL, &rom, err);
  if (rc == MW_OK && in->of & MW_OF_CERTIFICATE) rc = certificate(&rom, mem, f, err);
  if (rc == MW_OK && runs) rc = run_criteria(in, c, reduced ? &rom : NULL, mem, f, err);
  mw_rom_file_free(&rom);
  return rc;
}
