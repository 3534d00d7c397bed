// SPDX-License-Identifier: BSD-3-Clause
// verdict.c: what a certificate judges, and how much each quantity may err for the tolerance ε of
// the model.
//
//   frequencies         ε, of the elastic machine
//   under weight        ε, frequencies of the model as it runs, with the stiffness of the weight
//                       (certificate_weight.c)
//   under inputs        ε, the same under declared forces at frames
//   shapes   1 − MAC ≤ 2 ε   a shape that errs by the angle α moves λ = ω² by sin²α times what λ
//                                         differs from its neighbours, relative, and dλ/λ = 2 df/f
//   static compliance   2 ε               it goes with 1/ω²
//   stress   10 ε   first order in what compliance is second order in; the factor is a choice
//   patterns lost       none (patterns.c)
//   third order         ε, relative change of a frequency as far as a declared load makes it swing,
//                       or half of what outputs
//                       err by then, or as long as the weight, rates and accelerations bend the
//                         machine (swing.c)
//   coordinates free    ε, frequencies there of the columns against those of the mechanism, or half
//                       of what outputs err by for the phase (swing_lost.c)
//   stretching          ε, the share of a declared load at rest that members held at both ends
//                       would carry (large.c)
//   receptances         as asked for, else min(ε/ζ, CAP): a peak displaced by df errs by df/(ζ f)
//   mass of columns     ε, the share of it that changes with deflection at the declared ranges and
//                       is left out (extra_mass.c)
//   tables              ε, at grid points, over the size of a coefficient's kind
//                       (certificate_tables.c): trains are given a tenth
//   stress stiffness    ε, what is left out of it over the stiffness (second_stress.c)
//   singular inertia    nowhere at rest under gravity, of coordinates that are free
//                       (certificate_motion.c)
//   runs                2 ε of the peak deflection, as static compliance; stresses 10 ε
//   forces of motion    2 ε, over those that make the largest deflection (certificate_fields.c),
//                       which goes with them
//   rigid positions     m, derived by rigid_axes.c from the deflection
//
// Coverage: a share x of the work space, by volume, errs by more than some e. N independent random
// points miss all of it with probability (1 − x)^N; where that is 5 %,
//   1 − x = 0.05^(1/N) ,                                                                        (1)
// so that with 95 % confidence at least this share errs by no more than the largest of the N.
// Points that were sought or that chose the grid are no random ones, Halton's are spread too evenly
// to be: they may raise the largest error, N they do not.
#include <math.h>

#include <string.h>

#include "reduction/certificate.h"

static const double SHAPE = 2.0, STRESS = 10.0;  // over the tolerance of frequencies
// Likewise: deflections at rest go with it, as with compliance; motions exp −pt err by 1/e of what
// p does.
static const double FORCE = 2.0;
static const double CAP = 0.1;  // of receptances without a tolerance of their own
enum { NOT_AT_SAMPLES = -1 };

// Point of the largest value of n × per, −1: none.
static int worst_of(int n, int per, const double *x, bool lowest)
{
  int at = -1;
  double most = 0.0;
  for (int k = 0; x && k < n * per; k++) {
    double v = lowest ? -x[k] : x[k];
    if (at >= 0 && v <= most) continue;
    most = v;
    at = k / per;
  }
  return at;
}

// kind: of mw_certificate.gap, or NOT_AT_SAMPLES; point: of c->theta, -1: none
static void add(mw_verdict *out, int *n, const mw_certificate *c, int kind, const char *key,
                const char *name, double error, double tolerance, int point)
{
  bool placed = c->theta && point >= 0 && point < c->n;
  out[(*n)++] = (mw_verdict){ .key = key,
                              .name = name,
                              .unit = "",
                              .error = error,
                              .tolerance = tolerance,
                              .theta = placed ? c->theta + point * c->s : NULL,
                              .met = error <= tolerance,
                              .gap = kind >= 0 && c->has_gap ? c->gap[kind] : -1.0 };
}

double mw_certificate_shape_tolerance(double eps) { return SHAPE * eps; }

double mw_certificate_static_tolerance(const mw_certificate *c) { return 2.0 * c->tolerance; }

double mw_certificate_receptance_tolerance(const mw_certificate *c)
{
  return c->receptance_tolerance > 0.0 ? c->receptance_tolerance
                                       : fmin(c->tolerance / c->zeta, CAP);
}

double mw_certificate_bandwidth(const mw_certificate *c)
{
  double end = 0.0, tolerance = mw_certificate_receptance_tolerance(c);
  if (c->n_io > 0 && c->n_band > 0) {
    for (int f = 0; f < c->n_band; f++) {
      for (int i = 0; i < c->n_io; i++)
        if (!(c->band_error[i * c->n_band + f] <= tolerance)) return end;
      end = c->band[f];
    }
    return end;
  }
  for (int k = 0; k < c->n && c->n_freq > 0; k++) {
    double hz = c->f_direct[(k + 1) * c->n_freq - 1];
    end = k == 0 ? hz : fmin(end, hz);
  }
  return end;
}

bool mw_run_is_gauge(const char *unit) { return strcmp(unit, "Pa") == 0 || strcmp(unit, "1") == 0; }

double mw_certificate_run_tolerance(const mw_certificate *c, const char *unit)
{
  return mw_run_is_gauge(unit) ? STRESS * c->tolerance : mw_certificate_static_tolerance(c);
}

double mw_certificate_least_deflection(const mw_certificate *c, double most)
{
  return most * mw_certificate_run_tolerance(c, "m");
}

int mw_certificate_run(const mw_certificate *c, const char *hash)
{
  for (int i = 0; i < c->runs.n; i++)
    if (strcmp(c->runs.hash[i], hash) == 0) return i;
  return -1;
}

double mw_certificate_promise(const mw_certificate *c, int run, int k, const char *unit)
{
  double tolerance = mw_certificate_run_tolerance(c, unit);
  if (mw_certificate_met(c)) return tolerance;
  if (run < 0 || k >= c->runs.n_quantity) return (double)NAN;
  double error = c->runs.error[run * c->runs.n_quantity + k];
  return isfinite(error) ? fmax(error, tolerance) : (double)NAN;
}

// The largest error of all runs in outputs and coordinates, or in stresses and strains.
static void add_runs(mw_verdict *out, int *n, const mw_certificate *c, bool gauge)
{
  const mw_run_proofs *p = &c->runs;
  double most = -1.0, tolerance = 0.0;
  for (int k = 0; k < p->n_quantity; k++) {
    if (mw_run_is_gauge(p->unit[k]) != gauge) continue;
    tolerance = mw_certificate_run_tolerance(c, p->unit[k]);
    for (int i = 0; i < p->n; i++) most = fmax(most, p->error[i * p->n_quantity + k]);
  }
  if (most >= 0.0)
    add(out, n, c, NOT_AT_SAMPLES, gauge ? "run_stress" : "runs",
        gauge ? "stresses and strains in runs" : "runs", most, tolerance, -1);
}

const char *mw_certificate_motion_key(int motion)
{
  static const char *const key[MW_MOTIONS] = { "inertia", "gravity", "convective", "damping",
                                               "coordinate_forces" };
  return key[motion];
}

// Over the ranges of parameters; a model that keeps some and was not judged there is missed.
static void add_range(mw_verdict *out, int *n, const mw_certificate *c)
{
  const mw_range_proof *p = &c->range;
  if (p->n_parameter > 0 && p->n == 0)
    add(out, n, c, NOT_AT_SAMPLES, "parameters", "parameters, not judged over their ranges", 1.0,
        0.0, -1);
  for (int k = 0; k < p->n_quantity; k++) {
    add(out, n, c, NOT_AT_SAMPLES, p->key[k], p->name[k], p->error[k], p->tolerance[k], -1);
    out[*n - 1].unit = p->unit[k];
    out[*n - 1].at = p->at[k];
    if (p->placed[k]) out[*n - 1].theta = p->theta + k * c->s;
  }
}

int mw_certificate_verdicts(const mw_certificate *c, mw_verdict out[MW_VERDICTS])
{
  int n = 0;
  double eps = c->tolerance;
  if (c->n > 0 && c->n_freq > 0) {
    add(out, &n, c, MW_ERROR_FREQUENCY, "frequencies",
        c->n_weight > 0 ? "frequencies, unloaded" : "frequencies", c->max_frequency_error, eps,
        c->worst);
    add(out, &n, c, MW_ERROR_SHAPE, "shapes", "mode shapes (1 - assurance)", 1.0 - c->min_mac,
        SHAPE * eps, worst_of(c->n, c->n_freq, c->mac, true));
  }
  if (c->n > 0)
    add(out, &n, c, MW_ERROR_STATIC, "static_compliance", "static compliance", c->max_static_error,
        mw_certificate_static_tolerance(c), worst_of(c->n, 1, c->static_error, false));
  if (c->stress_error)
    add(out, &n, c, MW_ERROR_STRESS, "stress", "static stresses and strains", c->max_stress_error,
        STRESS * eps, worst_of(c->n, 1, c->stress_error, false));
  if (c->n_io > 0)
    add(out, &n, c, MW_ERROR_RECEPTANCE, "receptances", "receptances", c->max_receptance_error,
        mw_certificate_receptance_tolerance(c), c->worst_receptance);
  add(out, &n, c, NOT_AT_SAMPLES, "lost_patterns", "static patterns lost", c->n_lost, 0.0, -1);
  add(out, &n, c, NOT_AT_SAMPLES, "stretching", "stretching left out", c->stretch_error, eps, -1);
  if (c->n_table > 0) {
    add(out, &n, c, NOT_AT_SAMPLES, "tables", "tables at grid points", c->table_error, eps, -1);
    out[n - 1].theta = c->table_field ? c->table_theta : NULL;
    out[n - 1].at = c->table_field;
  }
  if (!(c->stress_stiffness_error <= 0.0))
    add(out, &n, c, NOT_AT_SAMPLES, "stress_stiffness", "stress stiffness left out",
        c->stress_stiffness_error, eps, -1);
  if (c->stuck > 0.0)
    add(out, &n, c, NOT_AT_SAMPLES, "singular_at_rest",
        "inertia singular at rest (share of places)", c->stuck, 0.0, -1);
  if (c->n_weight > 0) {
    add(out, &n, c, NOT_AT_SAMPLES, "weight",
        c->weight_buckles ? "buckling under the weight" : "frequencies under weight",
        c->weight_error, eps, -1);
    out[n - 1].theta = c->weight_theta;
  }
  if (c->n_push > 0) {
    add(out, &n, c, NOT_AT_SAMPLES, "pushed",
        c->push_buckles ? "buckling under a declared input" : "frequencies under inputs",
        c->push_error, eps, -1);
    out[n - 1].theta = c->push_input ? c->push_theta : NULL;
    out[n - 1].at = c->push_input;
  }
  if (c->mass_error > 0.0)
    add(out, &n, c, NOT_AT_SAMPLES, "column_mass", "mass of columns left out", c->mass_error, eps,
        -1);
  add(out, &n, c, NOT_AT_SAMPLES, "third_order", "third order left out", c->third_error, eps, -1);
  if (c->free_hz > 0.0)
    add(out, &n, c, NOT_AT_SAMPLES, "free_frequencies", "frequencies, coordinates free",
        c->free_error, eps, -1);
  if (c->n_motion > 0) {
    add(out, &n, c, NOT_AT_SAMPLES, "rigid_positions", "rigid positions of outputs",
        c->motion_error, c->motion_tolerance, -1);
    out[n - 1].unit = "m";
  }
  add_runs(out, &n, c, false);
  add_runs(out, &n, c, true);
  static const char *const name[MW_MOTIONS] = { "inertia forces", "gravity",
                                                "convective, second order", "damping forces",
                                                "forces along coordinates" };
  if (c->n_decay > 0) {
    add(out, &n, c, NOT_AT_SAMPLES, "decay_rates", "rates of what does not swing", c->decay_error,
        exp(1.0) * FORCE * eps, -1);
    out[n - 1].theta = c->decay_theta;
  }
  for (int k = 0; k < MW_MOTIONS && c->n_force > 0; k++) {
    add(out, &n, c, NOT_AT_SAMPLES, mw_certificate_motion_key(k), name[k], c->force_error[k],
        FORCE * eps, -1);
    if (c->force_theta) out[n - 1].theta = c->force_theta + k * c->s;
  }
  add_range(out, &n, c);
  return n;
}

bool mw_certificate_met(const mw_certificate *c)
{
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  for (int i = 0; i < n; i++)
    if (!v[i].met) return false;
  return true;
}

void mw_certificate_errors(const mw_certificate *c, int point, double e[MW_ERROR_KINDS])
{
  for (int k = 0; k < MW_ERROR_KINDS; k++) e[k] = 0.0;
  for (int k = 0; k < c->n_freq; k++) {
    int at = point * c->n_freq + k;
    double f = fabs(c->f_rom[at] - c->f_direct[at]) / c->f_direct[at] / c->tolerance,
           shape = (1.0 - c->mac[at]) / (SHAPE * c->tolerance);
    if (!(f <= e[MW_ERROR_FREQUENCY])) e[MW_ERROR_FREQUENCY] = f;
    if (!(shape <= e[MW_ERROR_SHAPE])) e[MW_ERROR_SHAPE] = shape;
  }
  e[MW_ERROR_STATIC] = c->static_error[point] / mw_certificate_static_tolerance(c);
  if (c->stress_error) e[MW_ERROR_STRESS] = c->stress_error[point] / (STRESS * c->tolerance);
  if (c->n_io > 0)
    e[MW_ERROR_RECEPTANCE] = c->receptance_error[point] / mw_certificate_receptance_tolerance(c);
}

int mw_certificate_samples(const mw_certificate *c, int kind)
{
  int n = 0;
  if (!c->kind) return kind == MW_POINT_MESH ? c->n : 0;
  for (int i = 0; i < c->n; i++) n += c->kind[i] == kind;
  return n;
}

int mw_certificate_solved(const mw_certificate *c, int solver)
{
  int n = 0;
  if (!c->solver) return -1;
  for (int i = 0; i < c->n; i++) n += c->solver[i] == solver;
  return n;
}

// Share of the work space (1) that the largest of n random configurations covers
static double covered_by(int n) { return n > 0 ? pow(1.0 - MW_CONFIDENCE, 1.0 / n) : 0.0; }

double mw_certificate_covered(const mw_certificate *c)
{
  return covered_by(mw_certificate_samples(c, MW_POINT_RANDOM));
}

double mw_certificate_covered_forces(const mw_certificate *c)
{
  return covered_by(c->n_force_random);
}
