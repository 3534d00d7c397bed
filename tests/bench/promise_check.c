// SPDX-License-Identifier: BSD-3-Clause
// promise_check.c: a certificate against fresh samples of the full mechanism and against runs.
//
//   factor = error at N fresh random configurations / error of the certificate        each
//     quantity; more than FACTOR: a lie, unless both are below NEGLIGIBLE of the tolerance
//   e = max over quantities and instants of |reduced − full| / scale                   definition
//     and scales: sim/compare.c
//   e > MOST ε: a lie, unless the certificate is missed, or the run is refused or leaves, by name,
//     what the certificate speaks for (mw_run.beyond); a warning alone does not excuse it
//
// Where e > MOST ε both paths are run by parts of their steps, too, and what they err by in time is
// taken off by the order that is measured (compare_time.c): e is what is left, known within what
// the extrapolation leaves open. The reduced path starts from a FINER-th of the step, which it can
// afford: half the step of a controlled gantry moves it by as much as it errs, and not yet by a
// quarter of what the step does. e − known > MOST ε where both orders have settled: told apart from
// the steps; e alone: not, and the run counts as not computed.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "certify/judge_layer.h"
#include "compare/compare_layer.h"
#include "fem/output.h"
#include "promise.h"
#include "reduction/certificate.h"
#include "sample/sample_layer.h"
#include "table/rigid_table_layer.h"

enum { FINER = 16 };
static const double FACTOR = 1.5, NEGLIGIBLE = 1e-2, MOST = 2.0;

// ---- samples ------------------------------------------------------------------------------------

typedef struct check {
  const promise_model *p;
  int *lies;
} check;

// Largest distance of an output at rest from where kinematics puts it, at theta [n × s].
static mw_code rigid_error(const mw_reduction *r, const mw_rom_file *f, int n, const double *theta,
                           double *error, mw_error *err)
{
  const mw_model *m = r->model;
  mw_motion_at w;
  mw_arena tmp = { 0 };
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom)),
                bare = mw_rom_layout_of((mw_rom_shape){ .s = r->s, .n_y = f->rom.n_y });
  mw_code rc = mw_motion_at_init(r, f->rom.n_y, &w, err);
  double *value = mw_arena_f64(&tmp, (size_t)f->rom.n_field);
  double *rec = mw_arena_f64(&tmp, (size_t)w.lay.n);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  *error = 0.0;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    const double *at = theta + i * r->s;
    rc = mw_motion_at_eval(&w, at, mw_motion_near(r, at), rec, err);
    if (rc == MW_OK && mw_rom_fields(&f->rom, at, value, NULL, NULL) != MW_ROM_OK)
      rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a fresh point lies outside the grid");
    for (int o = 0, k = 0; rc == MW_OK && o < m->n_output; k += mw_output_width(&m->output[o++])) {
      double d[3];
      if (mw_output_is_gauge(&m->output[o])) continue;
      for (int c = 0; c < 3; c++) d[c] = value[L.y + (k + c) * (1 + r->m)] - rec[bare.y + k + c];
      if (!(mw_norm3(d) <= *error)) *error = mw_norm3(d);
    }
  }
  mw_motion_at_free(&w);
  mw_arena_free(&tmp);
  return rc;
}

static void print_place(int s, const double *theta, const char *before)
{
  if (!theta) return;
  printf("%s", before);
  for (int i = 0; i < s; i++) printf(" %.4g", theta[i]);
}

// Was the row taken from the certificate (mw_judge_random: what is not judged at samples)?
static bool copied(const mw_verdict *said, const mw_verdict *now)
{
  return now && now->theta == said->theta && now->error == said->error;
}

// The verdicts of a certificate beside those of fresh samples.
static void print_verdicts(const check *c, const mw_certificate *said, const mw_certificate *fresh)
{
  mw_verdict v[MW_VERDICTS], w[MW_VERDICTS];
  int n = mw_certificate_verdicts(said, v), k = mw_certificate_verdicts(fresh, w);
  for (int i = 0; i < n; i++) {
    const mw_verdict *now = NULL;
    for (int j = 0; j < k && !now; j++)
      if (strcmp(w[j].key, v[i].key) == 0) now = &w[j];
    double got = now ? now->error : (double)NAN, factor = got / v[i].error;
    if (copied(&v[i], now)) {
      printf("  %-34s promised %9.2e (%.0e, %s)  not judged at samples\n", v[i].name, v[i].error,
             v[i].tolerance, v[i].met ? "met" : "missed");
      continue;
    }
    bool nothing = fmax(got, v[i].error) <= NEGLIGIBLE * v[i].tolerance;
    bool lie = !nothing && !(got <= FACTOR * v[i].error);
    printf("  %-34s promised %9.2e (%.0e, %s)  fresh %9.2e  %s", v[i].name, v[i].error,
           v[i].tolerance, v[i].met ? "met" : "missed", got, lie ? "LIE, factor" : "factor");
    if (v[i].error > 0.0)
      printf(" %.2f", factor);
    else
      printf(" -");
    print_place(said->s, lie ? v[i].theta : NULL, ", at");
    print_place(said->s, lie && now ? now->theta : NULL, " and at");
    printf("\n");
    *c->lies += lie;
  }
  fflush(stdout);
}

// n fresh samples, on the meshes or on the bodies' bases; with forces of motion, the rest that is
// judged at random
static mw_code fresh_ones(const check *c, mw_judge *j, const mw_rom_file *f, int n, bool meshes,
                          bool forces, mw_error *err)
{
  enum { SEED = 20091115 };
  uint64_t state = SEED;
  mw_arena mem = { 0 };
  mw_certificate fresh;
  double *theta = mw_arena_f64(&mem, (size_t)n * (size_t)j->r->s);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_judge_random(j, f, n, SEED, meshes, &fresh, &mem, err);
  if (rc == MW_OK && forces) rc = mw_judge_motion(j, f, n, SEED, &fresh, &mem, err);
  if (rc == MW_OK) mw_points_random(j->r, n, &state, theta);
  if (rc == MW_OK && forces && fresh.n_motion > 0)
    rc = rigid_error(j->r, f, n, theta, &fresh.motion_error, err);
  if (rc == MW_OK) {
    printf("  certificate of %d samples, %d fresh ones on the %s; %d columns, %d configurations\n",
           f->certificate.n, n, meshes ? "meshes" : "bodies' bases", f->rom.m, j->r->n_point);
    print_verdicts(c, &f->certificate, &fresh);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code look(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  const check *c = ctx;
  int on = c->p->on_meshes;
  mw_code rc = fresh_ones(c, j, f, PROMISE_SAMPLES, on == 0, true, err);
  return rc == MW_OK && on > 0 ? fresh_ones(c, j, f, on, true, false, err) : rc;
}

// ---- runs ---------------------------------------------------------------------------------------

// Runs path i of q at `step` (s, 0: the scenario's).
static mw_code run(mw_comparison *q, int i, const char *label, const char *path,
                   const mw_rom_file *rom, double step, mw_error *err)
{
  mw_path_opt opt = { .step = step, .rom = rom, .body_modes = 10 };
  q->label[i] = label;
  mw_code rc = mw_path_run(q->c, q->sc, path, &opt, &q->run[i], err);
  if (rc == MW_OK) q->n_path = i + 1;
  return rc;
}

// Largest relative difference of path i from the full one; its quantity.
static double largest(const mw_comparison *q, int i, const char **name)
{
  double e = 0.0;
  *name = "";
  for (int k = 0; k < q->n_quantity; k++) {
    double x = q->relative[i * q->n_quantity + k];
    if (isnan(x) && !(q->quantity[k].scale > 0.0)) continue;  // stands still
    if (x <= e) continue;
    e = x;
    *name = q->quantity[k].name;
  }
  return e;
}

static void first_line(const char *text, char out[100])
{
  snprintf(out, 100, "%.99s", text);
  out[strcspn(out, "\n")] = '\0';
}

// What is left of an error without what the steps err by: the largest that is told apart from them
// and more than a run may err by, else the largest.
typedef struct rest {
  double e, known;  // of its peak
  bool over;        // e − known is more
  const char *name;
} rest;

// Is the error of both paths seen to fall with their steps? An order at its lower bound is not
// (compare_time.c, 1): what is known is no bound then.
static bool settled(const mw_quantity *a)
{
  static const double LOWEST = 0.5;
  for (int h = 0; h < MW_HALVED; h++)
    if (a->time[h].order <= LOWEST) return false;
  return true;
}

// Runs both paths of q by parts of their steps, into q.
static mw_code without_step(mw_comparison *q, const mw_rom_file *rom, double limit, rest *out,
                            mw_error *err)
{
  mw_path_opt opt = { .rom = rom, .body_modes = 10 };
  double step = q->run[1].step;
  *out = (rest){ .name = "" };
  mw_run_free(&q->run[1]);
  mw_code rc = run(q, 1, "gmp", "gmp", rom, step / FINER, err);
  mw_comparison_halve(q);
  for (int i = 2; rc == MW_OK && i < q->n_path; i++) rc = mw_comparison_run(q, i, &opt, err);
  if (rc == MW_OK) rc = mw_comparison_build(q, err);
  for (int k = 0; rc == MW_OK && k < q->n_quantity; k++) {
    double e = mw_comparison_error(q, 1, k), of = q->quantity[k].scale,
           known = of > 0.0 ? mw_comparison_known(q, k) / of : 0.0;
    bool over = e - known > limit && settled(&q->quantity[k]);
    if (over > out->over || (over == out->over && e > out->e))
      *out = (rest){ e, known, over, q->quantity[k].name };
  }
  return rc;
}

// What the reduced path says of itself at the scenario's step.
typedef struct said {
  bool missed, outside, warned;
  char text[100];
} said;

static said said_by(const mw_run *r, bool missed)
{
  said z = { missed, r->beyond != NULL, r->n_warning > 0, "" };
  if (z.outside)
    first_line(r->beyond, z.text);
  else if (z.warned)
    first_line(r->warning[0], z.text);
  return z;
}

// The line of a run; false: it cannot be told apart from the steps' errors.
static bool judge_run(const check *c, const said *z, double limit, const rest *left)
{
  bool excused = z->missed || z->outside, open = !left->over && left->e > limit && !excused,
       lie = left->over && !excused;
  printf("  %s%s%s%s\n",
         lie          ? "LIE"
         : left->over ? "told"
         : open       ? "NOT TOLD APART"
                      : "within",
         z->missed ? ", certificate missed" : "",
         z->outside  ? ", nothing promised: "
         : z->warned ? ", warned: "
                     : "",
         z->text);
  fflush(stdout);
  *c->lies += lie;
  return !open;
}

// Both paths at the scenario's step, and what is made of that. false: not computed.
static bool compare_run(const check *c, const mw_case *of, const mw_rom_file *rom, const char *name,
                        bool missed)
{
  char text[100] = "";
  const char *what = "";
  mw_error err = { 0 };
  mw_comparison q = { .c = of, .full = 0 };
  double limit = MOST * rom->certificate.tolerance;
  rest left = { .name = "" };
  mw_code rc = mw_scenario_find(&of->model, name, &q.sc, &err);
  if (rc == MW_OK) rc = run(&q, 0, "full", "full", rom, 0.0, &err);
  if (!mw_fixture_okay(rc, &err)) return false;
  rc = run(&q, 1, "gmp", "gmp", rom, 0.0, &err);
  if (rc != MW_OK) {
    first_line(err.msg, text);
    printf("  run %-12s refused: %s\n", name, text);
    mw_comparison_free(&q);
    return true;
  }
  said z = said_by(&q.run[1], missed);
  rc = mw_comparison_build(&q, &err);
  if (rc == MW_OK) left.e = largest(&q, 1, &what);
  printf("  run %-12s %-10s %9.2e of its peak", name, what, left.e);
  if (rc == MW_OK && !(left.e <= limit)) {
    rc = without_step(&q, rom, limit, &left, &err);
    printf(", %s %.2e without the steps' errors, known within %.0e", left.name, left.e, left.known);
  }
  bool told = rc == MW_OK && judge_run(c, &z, limit, &left);
  mw_comparison_free(&q);
  return mw_fixture_okay(rc, &err) && told;
}

double promise_difference(const motion *m, const mw_rom_file *a, const mw_rom_file *b,
                          char name[64])
{
  const mw_case of = { .model = m->f.model, .body = m->f.body, .mech = m->f.mech };
  double most = 0.0;
  name[0] = '\0';
  for (int i = 0; i < of.model.n_scenario && !isinf(most); i++) {
    mw_error err = { 0 };
    const char *what = "";
    mw_comparison q = { .c = &of, .full = 0, .sc = &of.model.scenario[i] };
    mw_code rc = run(&q, 0, "a", "gmp", a, 0.0, &err);
    bool runs = rc == MW_OK;  // else nothing is to be learnt from this one
    if (runs) rc = run(&q, 1, "b", "gmp", b, 0.0, &err);
    if (rc == MW_OK) rc = mw_comparison_build(&q, &err);
    double e = rc == MW_OK ? largest(&q, 1, &what) : INFINITY;
    if (runs && e > most) {
      most = e;
      snprintf(name, 64, "%.30s, %.30s", of.model.scenario[i].name, rc == MW_OK ? what : "stopped");
    }
    mw_comparison_free(&q);
  }
  return most;
}

// ---- all of it ----------------------------------------------------------------------------------

bool promise_check(const promise_model *p, int *lies)
{
  motion m = { 0 };
  mw_error err = { 0 };
  check c = { .p = p, .lies = lies };
  const mw_reduce_opt opt = { .judge = look, .judge_ctx = &c };
  bool good = p->open(p, &m);
  good = good && mw_fixture_okay(mw_reduce(&m.f.model, &m.f.mech, &opt, &m.rom, &err), &err);
  if (good) {
    // the same four things under another name (sim/case.c)
    const mw_case of = { .model = m.f.model, .body = m.f.body, .mech = m.f.mech };
    bool missed = !mw_certificate_met(&m.rom.certificate);
    printf("  the certificate says %s (%.0e)\n", missed ? "missed" : "met",
           m.rom.certificate.tolerance);
    for (int k = 0; k < PROMISE_RUNS && p->run[k]; k++)
      good = compare_run(&c, &of, &m.rom, p->run[k], missed) && good;
  }
  motion_close(&m);
  return good;
}
