// SPDX-License-Identifier: BSD-3-Clause
// test_judge_rows.c: what a certificate's rows are made of, each beside another way to it.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "certify/fields_layer.h"
#include "certify/judge_layer.h"
#include "mw_test.h"
#include "pass_layer.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"

// Reduces f and calls look once
static void reduce_and(mw_fixture *f,
                       mw_code (*look)(void *, mw_judge *, const mw_rom_file *, mw_error *))
{
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  mw_reduce_opt opt = { .judge = look, .judge_ctx = &calls };
  MW_OKAY(mw_reduce(&f->model, &f->mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(f);
}

// A copy of f with tables of its own, released by the caller; x added to fields from … to to − 1
static double *added(const mw_rom_file *f, int from, int to, double x, mw_rom_file *out)
{
  size_t n = (size_t)mw_rom_n_knot(&f->rom, 0), nf = (size_t)f->rom.n_field;
  double *coef = malloc(n * nf * sizeof *coef);
  *out = *f;
  if (!MW_CHECK(coef != NULL && f->rom.s == 1)) return NULL;
  memcpy(coef, f->rom.coef, n * nf * sizeof *coef);
  for (size_t k = 0; k < n; k++)
    for (int i = from; i < to; i++) coef[k * nf + (size_t)i] += x;
  out->rom.coef = coef;
  return coef;
}

// ---- convective terms ---------------------------------------------------------------------------

// √(xᵀ K⁻¹ x) by the factor L of K
static double energy(int m, const double *L, const double *x, double *tmp)
{
  memcpy(tmp, x, (size_t)m * sizeof *x);
  mw_chol_solve(m, L, 1, tmp);
  return sqrt(mw_dot(m, tmp, x));
}

// What γ in the first entry of c alone makes of the convective row, from the lines' own records:
// the largest of γ v² V_0k V_0l over the larger λ, and of γ v² |δ_0| √(K⁻¹)_00 over Σ |F_l| + |Q|
// with δ_l = K⁻¹ F_l at rest, F gravity and the largest acceleration.
static double expected(const mw_judge *j, double gamma, double *share)
{
  const mw_lines *z = j->lines;
  int m = j->r->m;
  double force = 0.0, load = 0.0;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  size_t M = (size_t)m;
  double *K = mw_arena_f64(&mem, M * M), *V = mw_arena_f64(&mem, M * M),
         *L = mw_arena_f64(&mem, M * M), *w = mw_arena_f64(&mem, M), *F = mw_arena_f64(&mem, M),
         *d = mw_arena_f64(&mem, M);
  *share = 0.0;
  for (int i = 0; i < z->n; i++) {
    const mw_line *l = &z->line[i];
    const double *rec = l->record, *mid = rec + MW_LINE_MID * z->lay.n;
    double g = gamma * l->rate[0] * l->rate[0], one[64] = { g }, sum = 0.0;
    for (int a = 0, k = z->lay.K; a < m; a++)
      for (int b = 0; b <= a; b++, k++) K[a * m + b] = K[b * m + a] = mid[k];
    memcpy(L, K, M * M * sizeof *K);
    if (!MW_OKAY(mw_chol_factor(m, L, &err)) || !MW_OKAY(mw_eig_sym(m, K, w, V, &err))) break;
    for (int k = 0; k < m; k++)
      for (int n = 0; n <= k; n++) *share = fmax(*share, g * fabs(V[k] * V[n]) / w[k]);
    for (int c = 0; c < 3; c++) {  // gravity, acceleration, Q
      for (int a = 0; a < m; a++) {
        const double *x = rec + z->lay.d + a, h = 12.0 * l->step;
        size_t n = (size_t)z->lay.n;
        F[a] = c == 0 ? -mid[z->lay.U1 + a]
               : c == 1
                   ? -j->r->range.acceleration[0] *
                         l->d[(size_t)(MW_LINE_MID * j->r->s) * M + (size_t)a]
                   : (x[0] - 8.0 * x[n] + 8.0 * x[3 * n] - x[4 * n]) / h - 0.5 * mid[z->lay.b + a];
      }
      sum += energy(m, L, F, d);
      if (c == 2) break;
      memcpy(d, F, M * sizeof *F);
      mw_chol_solve(m, L, 1, d);
      double d0 = fabs(d[0]);
      force = fmax(force, d0 * energy(m, L, one, d));
    }
    load = fmax(load, sum);
  }
  mw_arena_free(&mem);
  return force / load;
}

static mw_code constant_c(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate c, own;
  mw_rom_file other;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  double share, force = expected(j, 1.0, &share), gamma = 0.5 / fmax(share, force);
  double *coef = added(f, L.c, L.c + 1, gamma, &other);
  *(int *)ctx += 1;
  mw_code rc = mw_judge_certify(j, f, &own, &mem, err);
  if (coef && rc == MW_OK) rc = mw_judge_certify(j, &other, &c, &mem, err);
  if (coef && rc == MW_OK) {
    double e = c.force_error[MW_MOTION_CONVECTIVE];
    MW_CHECK(share > force && force > 0.6 * share);  // twice as much force would be seen
    MW_WITHIN(e, 0.5, own.force_error[MW_MOTION_CONVECTIVE], "what the model errs by itself");
  }
  free(coef);
  mw_arena_free(&mem);
  return rc;
}

static bool beam(const char *extra, mw_fixture *f)
{
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 25, 3, extra, f))) return false;
  f->model.reduction.coordinate[0].max_rate = acos(-1.0) / 2.0;
  f->model.reduction.coordinate[0].max_acceleration = 1.0;
  f->model.reduction.n_sample = 8;
  return true;
}

static void convective_forces_err_by_what_c_is_off_by(void)
{
  mw_fixture f;
  if (beam(NULL, &f)) reduce_and(&f, constant_c);
}

// b of a model that runs without it (inertia: leading) may be anything.
static mw_code leading(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate c, own;
  mw_rom_file other, is = *f;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  is.inertia = MW_ROM_LEADING;
  double *coef = added(&is, L.b, L.b + 1, 1.0, &other);
  *(int *)ctx += 1;
  mw_code rc = mw_judge_certify(j, &is, &own, &mem, err);
  if (coef && rc == MW_OK) rc = mw_judge_certify(j, &other, &c, &mem, err);
  if (coef && rc == MW_OK) {
    MW_CHECK(own.force_error[MW_MOTION_CONVECTIVE] >
             f->certificate.force_error[MW_MOTION_CONVECTIVE]);
    MW_SAME_BITS(c.force_error, own.force_error, MW_MOTIONS);
  }
  free(coef);
  mw_arena_free(&mem);
  return rc;
}

static void what_a_model_runs_without_takes_no_part(void)
{
  mw_fixture f;
  if (beam(NULL, &f)) reduce_and(&f, leading);
}

// What couples rates to deflections by dampers (CE) is no convective term.
static mw_code damped(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate c;
  mw_rom_file other;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  double *coef = added(f, L.CE, L.CC, 100.0, &other);
  *(int *)ctx += 1;
  mw_code rc = mw_judge_certify(j, &other, &c, &mem, err);
  if (coef && rc == MW_OK) {
    const double *own = f->certificate.force_error;
    MW_SAME_BITS(&c.force_error[MW_MOTION_CONVECTIVE], &own[MW_MOTION_CONVECTIVE], 1);
  }
  free(coef);
  mw_arena_free(&mem);
  return rc;
}

static void damping_is_no_convective_term(void)
{
  mw_fixture f;
  if (beam("damping: { beta: 4e-3 }\n", &f)) reduce_and(&f, damped);
}

// ---- inputs and outputs -------------------------------------------------------------------------

static const char RAIL[] =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.05, height: 0.03 } } }\n"
    "bodies:\n"
    "  rail:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { l: [0, 0, 0], r: [1, 0, 0] }\n"
    "      members: [ { from: l, to: r, section: bar, material: steel, elements: 20 } ]\n"
    "    supports: [ { nodes: l } ]\n"
    "    guides: { g: { from: l, to: r } }\n"
    "    frames: { end: { node: r } }\n"
    "  car: { at: [0.5, 0, 0], rigid: { mass: 4, inertia: [5e-3, 6e-3, 7e-3, 0, 0, 0] } }\n"
    "joints:\n"
    "  x: { slide: { guide: rail.g, on: car, orientation: fixed }, coordinate: x }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0.1, 0.9], points: 17, max_rate: 2 } }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 2, samples: 8 }\n";

static bool rail(const char *extra, mw_fixture *f)
{
  char text[2048];
  snprintf(text, sizeof text, "%s%s", RAIL, extra);
  return MW_CHECK(mw_fixture_text(text, f));
}

// Two drives that are the same force
static mw_code twins(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  size_t m = (size_t)f->rom.m;
  (void)err;
  *(int *)ctx += 1;
  MW_CHECK(j->lines->n > 0);
  for (int i = 0; i < j->lines->n; i++)
    for (size_t k = 0; k < MW_LINE; k++) {
      const double *u = j->lines->line[i].input + 2 * k * m;
      MW_CHECK(mw_dot((int)m, u, u) > 0.0);
      MW_SAME_BITS(u, u + m, m);
    }
  return MW_OK;
}

static void forces_at_one_place_are_one_input_each(void)
{
  mw_fixture f;
  if (rail("drives: { a: { force: { on: rail.end, direction: [0, 0, 1] } },\n"
           "          b: { force: { on: rail.end, direction: [0, 0, 1] } } }\n"
           "outputs: { car: { body: car } }\n",
           &f))
    reduce_and(&f, twins);
}

static mw_code no_band(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  (void)j;
  (void)err;
  *(int *)ctx += 1;
  MW_CHECK(f->certificate.n_io == 0 && f->certificate.n_band == 0 && f->certificate.n_freq == 4);
  return MW_OK;
}

static void without_inputs_and_outputs_there_is_no_band_to_compare_in(void)
{
  mw_fixture f;
  if (rail("", &f)) reduce_and(&f, no_band);
}

// ---- probes -------------------------------------------------------------------------------------

// A probe's errors are those of a certificate of its place alone.
static mw_code probed(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate c;
  mw_adapt a = { 0 };
  mw_probe p = { .axis = -1 };
  double tolerance = j->r->model->reduction.tolerance;
  *(int *)ctx += 1;
  mw_code rc = mw_judge_random(j, f, 1, 5, false, &c, &mem, err);
  if (rc == MW_OK) rc = mw_adapt_init(j->r, j->made, &a, err);
  if (rc == MW_OK) p.theta[0] = c.theta[0];
  if (rc == MW_OK) rc = mw_probes_eval(&a, f, 1, &p, err);
  if (rc == MW_OK) {
    double shape = p.e[MW_PROBE_SHAPE] * mw_certificate_shape_tolerance(tolerance);
    double frequency = p.e[MW_PROBE_FREQUENCY] * tolerance;
    MW_CHECK(c.min_mac < 1.0 && c.max_frequency_error > 0.0);
    // quotients near one of the same numbers
    MW_NEAR(1.0 - shape, c.min_mac, 4.0 * DBL_EPSILON);
    MW_NEAR(1.0 + frequency, 1.0 + c.max_frequency_error, 4.0 * DBL_EPSILON);
  }
  mw_adapt_free(&a);
  mw_arena_free(&mem);
  return rc;
}

static void probes_err_as_certificates_of_their_places(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, 9, 3, NULL, &f))) return;
  f.model.reduction.n_sample = 8;
  reduce_and(&f, probed);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "convective_forces_err_by_what_c_is_off_by", convective_forces_err_by_what_c_is_off_by },
    { "what_a_model_runs_without_takes_no_part", what_a_model_runs_without_takes_no_part },
    { "damping_is_no_convective_term", damping_is_no_convective_term },
    { "forces_at_one_place_are_one_input_each", forces_at_one_place_are_one_input_each },
    { "without_inputs_and_outputs_there_is_no_band_to_compare_in",
      without_inputs_and_outputs_there_is_no_band_to_compare_in },
    { "probes_err_as_certificates_of_their_places", probes_err_as_certificates_of_their_places },
  };
  return mw_test_run("judge_rows", cases, (int)(sizeof cases / sizeof *cases));
}
