// SPDX-License-Identifier: BSD-3-Clause
// test_judge.c: models compared elsewhere by the reduction they come from.
#include "reduction/judge.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "certify/fields_layer.h"
#include "certify/judge_layer.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"

enum { RANDOM = 40 };

// A copy of the model with its stiffness times 1 + eps; its tables are released by the caller.
static double *spoil(const mw_rom_file *f, double eps, mw_rom_file *out)
{
  size_t n = (size_t)mw_rom_n_knot(&f->rom, 0) * (size_t)f->rom.n_field;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  double *coef = malloc(n * sizeof *coef);
  *out = *f;
  if (!MW_CHECK(coef != NULL)) return NULL;
  memcpy(coef, f->rom.coef, n * sizeof *coef);
  for (size_t i = 0; i < n; i++) {
    int field = (int)(i % (size_t)f->rom.n_field);
    if (field >= L.K && field < L.C) coef[i] *= 1.0 + eps;
  }
  out->rom.coef = coef;
  return coef;
}

static bool same_certificate(const mw_certificate *a, const mw_certificate *b)
{
  mw_verdict v[MW_VERDICTS], w[MW_VERDICTS];
  int n = mw_certificate_verdicts(a, v);
  bool same = n == mw_certificate_verdicts(b, w);
  for (int i = 0; same && i < n; i++)
    same =
        strcmp(v[i].key, w[i].key) == 0 && memcmp(&v[i].error, &w[i].error, sizeof v[i].error) == 0;
  return same;
}

static double distance(const mw_certificate *a, const mw_certificate *b)
{
  return fabs(a->max_frequency_error - b->max_frequency_error);
}

// f's own certificate comes out again; other seeds are other points; on meshes as on bases but for
// what bases leave out, 1e-6 of receptances; a stiffness that is wrong by eps moves frequencies by
// eps / 2.
static mw_code look(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate own, one, two, again, mesh, wrong;
  mw_rom_file other;
  double eps = 0.01, *coef = spoil(f, eps, &other);
  *(int *)ctx += 1;
  mw_code rc = mw_judge_certify(j, f, &own, &mem, err);
  if (rc == MW_OK) MW_CHECK(same_certificate(&own, &f->certificate));
  if (rc == MW_OK) rc = mw_judge_random(j, f, RANDOM, 7, false, &one, &mem, err);
  if (rc == MW_OK) rc = mw_judge_random(j, f, RANDOM, 8, false, &two, &mem, err);
  if (rc == MW_OK) rc = mw_judge_random(j, f, RANDOM, 7, false, &again, &mem, err);
  if (rc == MW_OK) rc = mw_judge_random(j, f, RANDOM, 7, true, &mesh, &mem, err);
  if (rc == MW_OK) {
    MW_CHECK(one.n == RANDOM && one.theta[0] != two.theta[0]);
    MW_CHECK(same_certificate(&one, &again));
    MW_SAME_BITS(one.theta, mesh.theta, RANDOM);
    for (int i = 0; i < RANDOM; i++) MW_CHECK(one.theta[i] > 0.0 && one.theta[i] < 1.0);
    MW_WITHIN(distance(&one, &mesh), 0.0, 1e-6, "the tolerance of the bases");
    MW_CHECK(one.max_frequency_error > 0.0 && mw_certificate_met(&one));
  }
  if (rc == MW_OK) rc = mw_judge_motion(j, f, RANDOM, 7, &one, &mem, err);
  if (rc == MW_OK) {
    const mw_certificate *is = &f->certificate;
    MW_CHECK(one.n_force == RANDOM && one.n_force_random == RANDOM && one.n_force != is->n_force);
    MW_CHECK(one.force_error[MW_MOTION_CONVECTIVE] != is->force_error[MW_MOTION_CONVECTIVE]);
    MW_CHECK(one.n_weight == 0 || one.n_weight == RANDOM);
    MW_CHECK(mw_certificate_met(&one));
  }
  if (rc == MW_OK) rc = mw_judge_random(j, &other, RANDOM, 7, false, &wrong, &mem, err);
  if (rc == MW_OK) {
    MW_NEAR(wrong.max_frequency_error, eps / 2, eps * eps / 8 + 2 * one.max_frequency_error);
    MW_CHECK(!mw_certificate_met(&wrong));
  }
  if (rc == MW_OK) rc = mw_judge_certify(j, &other, &wrong, &mem, err);
  if (rc == MW_OK) MW_CHECK(!mw_certificate_met(&wrong));
  free(coef);
  mw_arena_free(&mem);
  return rc;
}

static void models_are_compared_elsewhere_by_their_reduction(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  mw_reduce_opt opt = { .judge = look, .judge_ctx = &calls };
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// What samples are, in their order, and what the random ones alone say: 0.05^(1/N), by (1 − x)^N =
// 0.05.
static void samples_say_what_they_are(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  f.model.reduction.n_sample = 200;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    const mw_certificate *c = &rom.certificate;
    int n = 0, count[MW_POINT_KINDS];
    for (int k = 0; k < MW_POINT_KINDS; k++) n += count[k] = mw_certificate_samples(c, k);
    MW_CHECK(n == c->n && count[MW_POINT_MESH] == 8 && c->n_mesh == 8);
    // every fourth sample on the meshes by ARPACK; rounding as in test_arpack.c, λ/λ_1 some
    // thousands
    MW_CHECK(mw_certificate_solved(c, MW_SOLVER_ARPACK) == 2 && c->arpack[0] != '\0');
    MW_CHECK(c->solver[0] == MW_SOLVER_ARPACK && c->solver[4] == MW_SOLVER_ARPACK);
    MW_CHECK(c->arpack_proved >= c->n_freq && c->arpack_missed == 0);
    MW_CHECK(c->arpack_apart > 0.0 && c->arpack_apart <= 1e-9);
    MW_CHECK(count[MW_POINT_SPREAD] == 50 && count[MW_POINT_RANDOM] == 200);
    MW_CHECK(count[MW_POINT_SOUGHT] > 0 && count[MW_POINT_SOUGHT] <= 50);
    for (int i = 0; i < 8; i++) MW_CHECK(c->kind[i] == MW_POINT_MESH);
    MW_NEAR(log(mw_certificate_covered(c)) * 200.0, log(0.05), 1e-13);
    MW_NEAR(mw_certificate_covered(c), 0.985, 5e-4);
    // bases of beams of 20 elements leave out next to nothing
    MW_CHECK(c->has_gap && c->n_push == 0);  // no input is declared
    for (int k = 0; k < MW_ERROR_KINDS; k++) MW_NEAR(c->gap[k], 0.0, 1e-2);
  }
  mw_rom_file_free(&rom);
  f.model.reduction.n_sample = 0;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(rom.certificate.n == 8 && !rom.certificate.has_gap);
    MW_CHECK(mw_certificate_covered(&rom.certificate) == 0.0);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// The sample with the widest gap to the next one.
static double before_gap(const mw_samples *z)
{
  double widest = 0.0, at = 0.0;
  for (int i = 0; i < z->n + z->n_random; i++) {
    double x = z->sample[i].theta[0], gap = 1.0 - x;
    for (int k = 0; k < z->n + z->n_random; k++) {
      double y = z->sample[k].theta[0];
      if (y > x) gap = fmin(gap, y - x);
    }
    if (gap <= widest) continue;
    widest = gap;
    at = x;
  }
  return at;
}

// A hill of stiffness over four intervals of the table, its top beside a sample: the search goes to
// the top. Tops lie between points that are 1/8 of a table interval apart at last, where a cubic
// B-spline falls by (1/16)² · 3/2 of its height.
static mw_code hill(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate before, after, all;
  mw_rom_file other;
  double *coef = spoil(f, 0.0, &other), x = before_gap(j->own);
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  int cells = f->rom.n_grid[0] - 1, knot = 1 + (int)ceil(x * cells + 1.0);
  (void)ctx;
  for (int i = L.K; coef && i < L.C; i++) coef[knot * f->rom.n_field + i] *= 1.05;
  mw_code rc = mw_judge_certify(j, &other, &before, &mem, err);
  // the test owns the reduction
  if (rc == MW_OK)
    rc = mw_samples_seek(j->r, &j->made->tables, &other, (mw_samples *)(size_t)j->own, err);
  if (rc == MW_OK) rc = mw_judge_certify(j, &other, &after, &mem, err);
  if (rc == MW_OK) rc = mw_judge_random(j, &other, 3000, 5, false, &all, &mem, err);
  if (rc == MW_OK) {
    printf("hill: %.3e, sought %.3e, there is %.3e\n", before.max_frequency_error,
           after.max_frequency_error, all.max_frequency_error);
    MW_CHECK(before.max_frequency_error < 0.9 * all.max_frequency_error);
    MW_CHECK(after.max_frequency_error > 0.98 * all.max_frequency_error);
  }
  free(coef);
  mw_arena_free(&mem);
  return rc;
}

// An energy V that is off by F everywhere is of the length 2π F / Q, Q the force of the tables' own
// errors, which err in V by own.rest_length · Q / 2π at most; sums of V are rounded.
static mw_code level_of_rest(mw_judge *j, const mw_rom_file *f, mw_rom_file *other, double F,
                             const mw_certificate *own, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate level = f->certificate;
  const mw_rom *rom = &f->rom;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  double *coef = spoil(f, 0.0, other), length = 2.0 * acos(-1.0) * F;
  for (int k = 0; coef && k < mw_rom_n_knot(rom, 0); k++) coef[k * rom->n_field + L.U0] += F;
  mw_code rc = mw_judge_motion(j, other, own->n_force, 7, &level, &mem, err);
  if (rc == MW_OK)
    MW_NEAR(level.rest_length[0] * level.rest_force[0], length,
            own->rest_length[0] * own->rest_force[0] + 16.0 * DBL_EPSILON * length);
  free(coef);
  mw_arena_free(&mem);
  return rc;
}

// An energy F θ too much at rest is a force F along the coordinate; the tables' own error beside it
// is there without it, too. Coefficients of a line in θ are its values where B-splines have their
// middles.
static mw_code slope_of_rest(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  enum { LINES = 10 };
  mw_arena mem = { 0 };
  mw_certificate own = f->certificate, wrong = f->certificate;
  mw_rom_file other;
  double *coef = spoil(f, 0.0, &other), F = 1e-2;
  const mw_rom *rom = &f->rom;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  double h = (rom->hi[0] - rom->lo[0]) / (rom->n_grid[0] - 1);
  *(int *)ctx += 1;
  for (int k = 0; coef && k < mw_rom_n_knot(rom, 0); k++)
    coef[k * rom->n_field + L.U0] += F * (rom->lo[0] + (k - 1) * h);
  mw_code rc = mw_judge_motion(j, f, LINES, 7, &own, &mem, err);
  if (rc == MW_OK) rc = mw_judge_motion(j, &other, LINES, 7, &wrong, &mem, err);
  if (rc == MW_OK) {
    // 18/12 of the values' rounding over a step of at least 0.02 of the table's interval
    double rounding = 1.5 * DBL_EPSILON * F * rom->hi[0] / (0.02 * h);
    MW_CHECK(own.rest_force[0] > 0.0 && own.rest_force[0] < 0.1 * F);
    MW_NEAR(wrong.rest_force[0], F, own.rest_force[0] + rounding);
    MW_CHECK(wrong.rest_length[0] > 0.0 && wrong.rest_length[0] < 2.0 * acos(-1.0) * rom->hi[0]);
    rc = level_of_rest(j, f, &other, F, &own, err);
  }
  free(coef);
  mw_arena_free(&mem);
  return rc;
}

static void energy_at_rest_that_errs_is_a_force_along_the_coordinate(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  mw_reduce_opt opt = { .judge = slope_of_rest, .judge_ctx = &calls };
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 13, 3, NULL, &f))) return;
  f.model.gravity[1] = -9.81;
  f.model.gravity[2] = -9.81;
  f.model.reduction.n_sample = 20;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void the_worst_place_is_found_from_a_sample_beside_it(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  mw_reduce_opt opt = { .judge = hill };
  if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, 13, 3, NULL, &f))) return;
  f.model.reduction.n_sample = 80;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// What is promised holds at ten times as many points that took no part, on meshes too. Factor: the
// hills of interpolation differ by less than that from cell to cell once the tops of the highest
// are known.
static mw_code promise(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate fresh;
  const mw_certificate *own = &f->certificate;
  double factor = 1.5;
  (void)ctx;
  for (int meshes = 0; meshes < 2; meshes++) {
    mw_code rc = mw_judge_random(j, f, meshes ? 40 : 300, 99, meshes, &fresh, &mem, err);
    if (rc != MW_OK) return rc;
    MW_CHECK(fresh.max_frequency_error <= factor * own->max_frequency_error);
    MW_CHECK(fresh.max_static_error <= factor * own->max_static_error);
    MW_CHECK(fresh.max_receptance_error <= factor * own->max_receptance_error);
    MW_CHECK(1.0 - fresh.min_mac <= factor * (1.0 - own->min_mac));
  }
  mw_arena_free(&mem);
  return MW_OK;
}

static void what_is_promised_holds_at_fresh_points(void)
{
  for (int i = 0; i < 2; i++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    mw_reduce_opt opt = { .judge = promise };
    bool good = i == 0 ? mw_fixture_beam("CF", 20, 0.5, 1.0, 13, 3, NULL, &f)
                       : mw_fixture_machine("  grid: auto\n", &f);
    if (!MW_CHECK(good)) continue;
    f.model.reduction.n_sample = 120;
    MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// What errs in the outermost interval alone: a spline's first coefficient acts there and nowhere
// else, in its middle by 1/48, and of the points of the grid on the outermost one alone, by 1/6.
static mw_code at_the_end(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate c;
  mw_rom_file other;
  double *coef = spoil(f, 0.0, &other), most = 0.0, cell = 1.0 / (f->rom.n_grid[0] - 1);
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  size_t last = (size_t)(mw_rom_n_knot(&f->rom, 0) - 1) * (size_t)f->rom.n_field;
  *(int *)ctx += 1;
  for (size_t i = 0; coef && i <= last; i += (size_t)f->rom.n_field)
    most = fmax(most, fabs(coef[i + (size_t)L.U1]));
  for (int end = 0; coef && end < 2; end++) {
    size_t at = (end ? last : 0) + (size_t)L.U1;
    double was = coef[at];
    coef[at] += most;
    mw_code rc = mw_judge_certify(j, &other, &c, &mem, err);
    if (rc != MW_OK) return rc;
    double theta = c.force_theta[MW_MOTION_GRAVITY * f->rom.s];
    MW_CHECK(c.force_error[MW_MOTION_GRAVITY] > 2.0 * c.tolerance);
    MW_CHECK(end ? theta > 1.0 - cell : theta < cell);
    MW_CHECK(c.table_error > 1e-3 && c.table_theta[0] == (end ? f->rom.hi[0] : f->rom.lo[0]));
    coef[at] = was;
  }
  free(coef);
  mw_arena_free(&mem);
  return MW_OK;
}

static void forces_are_judged_at_the_ends_of_the_range(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  mw_reduce_opt opt = { .judge = at_the_end, .judge_ctx = &calls };
  if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Where the turning of columns has a peak as narrow as one B-spline, lines go; of 200 samples the
// first 96 are random ones.
static mw_code at_the_peak(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_lines lines = { 0 };
  mw_rom_file other;
  double *coef = spoil(f, 0.0, &other), cell = 1.0 / (f->rom.n_grid[0] - 1), nearest = 1.0;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  int knot = f->rom.n_grid[0] / 3, fields = f->rom.n_field, field = L.e;
  double at = (knot - 1) * cell, most = 0.0;
  *(int *)ctx += 1;
  for (int k = 0; coef && k < mw_rom_n_knot(&f->rom, 0); k++)
    most = fmax(most, fabs(coef[k * fields + field]));
  MW_CHECK(L.c > L.e && most > 0.0);
  if (coef) coef[knot * fields + field] += 10.0 * most;
  // a straight line turns nowhere
  for (int k = 0; coef && k < mw_rom_n_knot(&f->rom, 0); k++)
    coef[k * fields + field] += 64.0 * k * most;
  mw_code rc = mw_lines_certify(j->r, &j->made->patterns, &other, &lines, err);
  for (int i = 0; rc == MW_OK && i < lines.n; i++) {
    double d = fabs(lines.line[i].theta[0] - at);
    if (i >= 96) nearest = fmin(nearest, d);
  }
  MW_CHECK(nearest <= cell);
  free(coef);
  mw_lines_free(&lines);
  return rc;
}

static void forces_are_judged_where_columns_turn_suddenly(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  mw_reduce_opt opt = { .judge = at_the_peak, .judge_ctx = &calls };
  if (!MW_CHECK(mw_fixture_beam("CF", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  f.model.reduction.n_sample = 200;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static mw_code refuse(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  (void)ctx;
  (void)j;
  (void)f;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "refused");
}

static void an_error_of_the_judge_ends_the_reduction(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  mw_reduce_opt opt = { .judge = refuse };
  if (!MW_CHECK(mw_fixture_beam("SS", 8, 0.5, 1.0, 7, 2, NULL, &f))) return;
  MW_CHECK(mw_reduce(&f.model, &f.mech, &opt, &rom, &err) == MW_ERR_NUMERIC);
  MW_CHECK(strcmp(err.msg, "refused") == 0 && rom.rom.s == 0);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A column with the wrong sign beyond the middle is as good there as with the right one, but for
// the jump.
static mw_code wrong_mirror(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_certificate c;
  mw_error e = { 0 };
  mw_rom_file other = *f;
  int sign[64];
  MW_CHECK(f->rom.symmetric == 1 && f->rom.m <= 64);
  *(int *)ctx += 1;
  for (int a = 0; a < f->rom.m && a < 64; a++) {
    memcpy(sign, f->rom.mirror, (size_t)f->rom.m * sizeof *sign);
    sign[a] = -sign[a];
    other.rom.mirror = sign;
    MW_CHECK(mw_judge_certify(j, &other, &c, &mem, &e) == MW_ERR_NUMERIC);
    MW_CHECK(strstr(e.msg, "symmetric coordinate x") != NULL);
  }
  mw_code rc = mw_judge_certify(j, f, &c, &mem, err);
  if (rc == MW_OK) MW_CHECK(mw_certificate_met(&c));
  mw_arena_free(&mem);
  return rc;
}

static void columns_mirrored_with_a_wrong_sign_are_refused(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  mw_reduce_opt opt = { .judge = wrong_mirror, .judge_ctx = &calls };
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  f.model.reduction.coordinate[0].symmetric = true;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A carriage that turns with its rail, which is clamped at both ends, on two runners: in the middle
// all inertia of columns along x passes through zero, and the rail's twist moves no output but to
// second order.
static void a_carriage_that_turns_with_its_rail_is_mirrored(void)
{
  static const char TEXT[] =
      "modeway: 1\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { bar: { rectangle: { width: 0.05, height: 0.03 } } }\n"
      "bodies:\n"
      "  rail:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { l: [0, 0, 0], r: [1, 0, 0] }\n"
      "      members: [ { from: l, to: r, section: bar, material: steel, elements: 20 } ]\n"
      "    supports: [ { nodes: l }, { nodes: r } ]\n"
      "    guides: { g: { from: l, to: r } }\n"
      "  car: { at: [0.5, 0, 0], rigid: { mass: 4, inertia: [5e-3, 6e-3, 7e-3, 0, 0, 0] } }\n"
      "joints:\n"
      "  x:\n"
      "    slide: { guide: rail.g, on: car, orientation: tangent,\n"
      "             runners: [ { offset: -0.02, length: 0.1 }, { offset: 0.02, length: 0.1 } ] }\n"
      "    coordinate: x\n"
      "    drive: m\n"
      "outputs: { car: { body: car } }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [0.1, 0.9], points: 17, symmetric: true, max_rate: 2 } }\n"
      "  modes: { count: 6 }\n"
      "  certificate: { points: 2, samples: 20 }\n";
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  mw_reduce_opt opt = { .judge = wrong_mirror, .judge_ctx = &calls };
  if (!MW_CHECK(mw_fixture_text(TEXT, &f))) return;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "models_are_compared_elsewhere_by_their_reduction",
      models_are_compared_elsewhere_by_their_reduction },
    { "samples_say_what_they_are", samples_say_what_they_are },
    { "the_worst_place_is_found_from_a_sample_beside_it",
      the_worst_place_is_found_from_a_sample_beside_it },
    { "energy_at_rest_that_errs_is_a_force_along_the_coordinate",
      energy_at_rest_that_errs_is_a_force_along_the_coordinate },
    { "what_is_promised_holds_at_fresh_points", what_is_promised_holds_at_fresh_points },
    { "forces_are_judged_at_the_ends_of_the_range", forces_are_judged_at_the_ends_of_the_range },
    { "forces_are_judged_where_columns_turn_suddenly",
      forces_are_judged_where_columns_turn_suddenly },
    { "an_error_of_the_judge_ends_the_reduction", an_error_of_the_judge_ends_the_reduction },
    { "a_carriage_that_turns_with_its_rail_is_mirrored",
      a_carriage_that_turns_with_its_rail_is_mirrored },
    { "columns_mirrored_with_a_wrong_sign_are_refused",
      columns_mirrored_with_a_wrong_sign_are_refused },
  };
  return mw_test_run("judge", cases, (int)(sizeof cases / sizeof *cases));
}
