// SPDX-License-Identifier: BSD-3-Clause
// test_study.c: a study's points are the model with those values, by any number of processes, from
// the start or from where it was.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/blas.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/case.h"
#include "study/study_layer.h"

static char journal[96];

// The beam with a carriage whose E and density are varied.
static mw_study_in beam(int workers)
{
  mw_study_in in = { .model = MW_CASES_DIR "/beam-carriage.yaml",
                     .at = "x=0.3",
                     .of = MW_OF_DEFAULT,
                     .n_varied = 2,
                     .n_modes = 2,
                     .workers = workers,
                     .journal = journal };
  in.varied[0] = (mw_varied){ "materials.unit.E", 1e8, 4e8, 3 };
  in.varied[1] = (mw_varied){ "materials.unit.rho", 1, 2, 2 };
  snprintf(journal, sizeof journal, "/tmp/mw-study-%d.part", (int)getpid());
  return in;
}

static void points_scale_as_stiffness_does(void)
{
  mw_study s = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_study_in in = beam(1);
  mw_study_done(&in);
  MW_OKAY(mw_study_run(&in, &mem, &s, &err));
  if (!MW_CHECK(s.value != NULL)) return;
  MW_CHECK(s.n_point == 6 && s.n_varied == 2 && s.n_found == 0 && s.n_failed == 0);
  MW_CHECK(s.n_criterion > 2 && strcmp(s.name[0], "frequency 1") == 0);
  MW_CHECK(strcmp(s.unit[0], "Hz") == 0 && strcmp(s.name[2], "frequency 1 under the weight") == 0);
  MW_CHECK(s.n_criterion > 4 && strncmp(s.name[4], "compliance ", 11) == 0);
  for (int k = 0; k < s.n_point; k++) {
    MW_CHECK(s.x[2 * k] == 1e8 + 1.5e8 * (k / 2) && s.x[2 * k + 1] == 1 + k % 2);
    // all stiffness is E's: compliance is as 1/E; frequencies as √E at the same density. Solutions
    // err by the condition of K, below 1e8 for twenty elements, times ε
    const double *v = s.value + k * s.n_criterion, *w = s.value + (k % 2) * s.n_criterion;
    double ratio = s.x[2 * k] / 1e8;
    for (int i = 0; i < 2; i++)
      MW_WITHIN(v[i], w[i] * sqrt(ratio), 1e8 * DBL_EPSILON * v[i], "the condition of K");
    for (int i = 4; i < s.n_criterion; i++)
      MW_WITHIN(v[i] * ratio, w[i], 1e8 * DBL_EPSILON * w[i], "the condition of K");
  }
  MW_CHECK(s.value[0] > s.value[s.n_criterion]);  // the lighter one is faster
  mw_arena_free(&mem);
  mw_study_done(&in);
}

static void processes_and_restarts_change_nothing(void)
{
  mw_study s[2] = { { 0 }, { 0 } };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_study_in in = beam(1);
  mw_study_done(&in);
  MW_OKAY(mw_study_run(&in, &mem, &s[0], &err));
  // of the journal the head and two points stay, the second cut off within its numbers
  char text[4096], *line = text;
  FILE *f = fopen(journal, "r");
  if (!MW_CHECK(f != NULL)) return;
  size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[n] = '\0';
  for (int k = 0; k < 2; k++) line = strchr(line, '\n') + 1;
  MW_CHECK(truncate(journal, (off_t)(line - text) + 20) == 0);
  in.workers = 3;
  MW_OKAY(mw_study_run(&in, &mem, &s[1], &err));
  MW_CHECK(s[1].n_found == 1 && s[1].n_failed == 0);
  MW_SAME_BITS(s[1].value, s[0].value, s[0].n_point * s[0].n_criterion);
  MW_OKAY(mw_study_run(&in, &mem, &s[1], &err));
  MW_CHECK(s[1].n_found == s[1].n_point);  // nothing is left to do
  in.varied[0].hi = 3e8;                   // another study
  MW_OKAY(mw_study_run(&in, &mem, &s[1], &err));
  MW_CHECK(s[1].n_found == 0 && s[1].x[2 * 4] == 3e8);
  mw_study_done(&in);
  MW_CHECK(access(journal, F_OK) != 0);
  mw_arena_free(&mem);
}

static void points_that_fail_are_named(void)
{
  mw_study s = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_study_in in = beam(2);
  mw_study_done(&in);
  in.varied[0].lo = -1e8;
  in.varied[0].hi = 1e8;
  in.varied[0].n = 2;
  MW_OKAY(mw_study_run(&in, &mem, &s, &err));
  MW_CHECK(s.n_failed == 2 && s.reason[0] && s.reason[1] && !s.reason[2] && !s.reason[3]);
  MW_CHECK(isnan(s.value[0]) && isfinite(s.value[2 * s.n_criterion]));
  MW_CHECK(strstr(s.reason[0], "-1") != NULL);
  in.varied[0].hi = -1e7;
  MW_CHECK(mw_study_run(&in, &mem, &s, &err) == MW_ERR_INPUT && strstr(err.msg, "every point"));
  MW_CHECK(access(journal, F_OK) != 0);
  mw_arena_free(&mem);
}

static void what_is_varied_is_read_as_it_stands(void)
{
  mw_varied v;
  mw_error err = { 0 };
  const char *bad[] = { "a.b", "a=1", "a=1:2:", "a=2:1:3", "a=1:2:1", "=1:2:3", "a=1:2:3x", "" };
  MW_OKAY(mw_varied_read("a.b.0=1e-3:2:5,c=1", 14, &v, &err));
  MW_CHECK(strcmp(v.path, "a.b.0") == 0 && v.lo == 1e-3 && v.hi == 2.0 && v.n == 5);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    MW_CHECK(mw_varied_read(bad[k], strlen(bad[k]), &v, &err) == MW_ERR_INPUT);
  MW_OKAY(mw_varied_read("a=1:2", 5, &v, &err));
  MW_CHECK(v.n == 0);
  mw_study_in in = beam(1);
  mw_study s;
  mw_arena mem = { 0 };
  const char *wrong[] = { "lhs", "lhs:0", "sobol:4x", "grid:3" };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    MW_CHECK(mw_design_read(wrong[k], &in.design, &err) == MW_ERR_INPUT);
  in.varied[1].n = 0;
  MW_CHECK(mw_study_run(&in, &mem, &s, &err) == MW_ERR_INPUT && strstr(err.msg, "--design"));
  MW_OKAY(mw_design_read("sobol:4", &in.design, &err));
  MW_CHECK(mw_study_run(&in, &mem, &s, &err) == MW_ERR_INPUT && strstr(err.msg, "LO:HI with"));
  mw_arena_free(&mem);
}

// A design of eight points: E in [1e8, 2e8], density and area of the beam in [1, 2].
static bool design(const char *text, unsigned long long seed, mw_arena *mem, mw_study *s)
{
  static const char *const path[] = { "materials.unit.E", "materials.unit.rho",
                                      "sections.line.general.A" };
  mw_error err = { 0 };
  mw_study_in in = beam(2);
  in.n_varied = 3;
  for (int k = 0; k < 3; k++) {
    in.varied[k] = (mw_varied){ .lo = k == 0 ? 1e8 : 1, .hi = k == 0 ? 2e8 : 2 };
    snprintf(in.varied[k].path, sizeof in.varied[k].path, "%s", path[k]);
  }
  in.design.seed = seed;
  mw_study_done(&in);
  bool good = MW_OKAY(mw_design_read(text, &in.design, &err)) &&
              MW_OKAY(mw_study_run(&in, mem, s, &err)) && MW_CHECK(s->n_point == 8);
  mw_study_done(&in);
  return good;
}

// Where in its range value k of point i is.
static double share(const mw_study *s, int i, int k)
{
  return s->x[3 * i + k] / (k == 0 ? 1e8 : 1.0) - 1.0;
}

static void designs_have_a_point_in_each_part_of_every_range(void)
{
  static const char *const text[] = { "lhs:8", "sobol:8" };
  for (int d = 0; d < 2; d++) {
    mw_study s[3];
    mw_arena mem = { 0 };
    for (int i = 0; i < 3; i++)
      if (!design(text[d], i < 2 ? 7 : 8, &mem, &s[i])) return;
    for (int k = 0; k < 3; k++) {
      unsigned seen = 0;
      for (int i = 0; i < 8; i++) seen |= 1u << (int)(8.0 * share(&s[0], i, k));
      MW_CHECK(seen == 0xff);
    }
    MW_SAME_BITS(s[1].x, s[0].x, 24);  // of the same seed
    MW_SAME_BITS(s[1].value, s[0].value, 8 * s[0].n_criterion);
    MW_CHECK(memcmp(s[2].x, s[0].x, 24 * sizeof *s[0].x) != 0);
    mw_arena_free(&mem);
  }
}

// The first points of Joe and Kuo's program for three dimensions (their sobol.cc), which goes
// through the same eight in the order of Gray's code.
static void plain_sequence_is_that_of_joe_and_kuo(void)
{
  static const double table[8][3] = { { 0, 0, 0 },
                                      { 0.5, 0.5, 0.5 },
                                      { 0.75, 0.25, 0.25 },
                                      { 0.25, 0.75, 0.75 },
                                      { 0.375, 0.375, 0.625 },
                                      { 0.875, 0.875, 0.125 },
                                      { 0.625, 0.125, 0.875 },
                                      { 0.125, 0.625, 0.375 } };
  mw_study s;
  mw_arena mem = { 0 };
  if (!design("sobol:8", 0, &mem, &s)) return;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) MW_CHECK(share(&s, i ^ i >> 1, k) == table[i][k]);
  mw_arena_free(&mem);
}

// A slide of mass m that F moves L by: p'' = F/(m L) both ways, √(4 m L/F) s from rest to rest, the
// acceleration F/m. Nothing limits its speed.
static void criteria_of_drives_are_those_of_a_slide(void)
{
  static const char text[] =
      "modeway: 1\nname: slide\ngravity: [0, 0, 0]\nparameters: { m: 2 }\nbodies:\n"
      "  b: { rigid: { mass: $m, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
      "  A: { prismatic: { a: ground, b: b, axis: [0, 0, 1] }, coordinate: z, drive: f }\n"
      "outputs: { t: { body: b } }\n";
  static const double F = 50.0, L = 3.0;
  enum { INTERVALS = 400, N = 5 };
  char model[96];
  mw_study s = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  snprintf(model, sizeof model, "/tmp/mw-study-%d.yaml", (int)getpid());
  snprintf(journal, sizeof journal, "/tmp/mw-study-%d.part", (int)getpid());
  FILE *f = fopen(model, "w");
  if (!MW_CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0)) return;
  mw_study_in in = { .model = model, .n_varied = 1, .n_modes = 1, .workers = 2 };
  in.journal = journal;
  in.path = "z=3*t";
  in.limits.force = "f=50";
  in.varied[0] = (mw_varied){ "parameters.m", 1, 5, N };
  mw_study_done(&in);
  MW_OKAY(mw_criteria_read("acceleration,start,brake,speed,duration", &in.of, &err));
  MW_OKAY(mw_study_run(&in, &mem, &s, &err));
  MW_CHECK(s.n_criterion == 5 && s.n_failed == 0 && s.n_point == N);
  for (int k = 0; k < N && s.value; k++) {
    double m = 1.0 + k, *v = s.value + 5 * k;
    // inertia to rounding, by a few sums; acceleration by differences of forces, of 50 N
    MW_NEAR(v[0], F / m, 64.0 * DBL_EPSILON * F);
    MW_NEAR(v[1], F / (m * L), 64.0 * DBL_EPSILON * F);
    MW_NEAR(v[2], F / (m * L), 64.0 * DBL_EPSILON * F);
    MW_CHECK(isinf(v[3]));
    // the force jumps halfway, where an interval ends: roundings of as many sums are left
    double T = sqrt(4.0 * m * L / F);
    MW_NEAR(v[4], T, 4.0 * INTERVALS * DBL_EPSILON * T);
  }
  in.path = NULL;
  MW_CHECK(mw_study_run(&in, &mem, &s, &err) == MW_ERR_INPUT && strstr(err.msg, "--path"));
  MW_CHECK(mw_criteria_read("start,stop", &in.of, &err) == MW_ERR_INPUT && strstr(err.msg, "stop"));
  mw_arena_free(&mem);
  mw_study_done(&in);
  (void)remove(model);
}

// A mass of 2 kg on a spring of 800 N/m, let go at 0.1 m, and moved by 0.5 m in a second.
static bool write_oscillator(char path[96])
{
  snprintf(path, 96, "/tmp/mw-study-%d-spring.yaml", (int)getpid());
  FILE *f = fopen(path, "w");
  if (!MW_CHECK(f != NULL)) return false;
  fputs("modeway: 1\ngravity: [0, 0, 0]\nbodies:\n  base: { ground: true }\n"
        "  cart: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
        "  rail: { prismatic: { a: base, b: cart, axis: [1, 0, 0] }, coordinate: x, drive: motor "
        "}\nforces:\n  spring: { coordinate: x, stiffness: 800, damping: 4, free: 0 }\n"
        "outputs:\n  tip: { frame: cart }\n  rate: { velocity: tip }\nscenarios:\n"
        "  release: { duration: 4, step: 1e-3, start: { x: 0.1 }, rigid: { tolerance: 1e-11 } }\n"
        "  go: { duration: 2, step: 1e-3, drives: { motor: { position: { cycloid: { from: 0, to: "
        "0.5, end: 1 } } } } }\n"
        "  swing: { duration: 2, step: 1e-3, drives: { motor: { force: { sine: { amplitude: 1, "
        "frequency: 2 } } } } }\n",
        f);
  return MW_CHECK(fclose(f) == 0);
}

static mw_study_in oscillator(const char *model, const char *scenario)
{
  mw_study_in in = beam(2);
  in.model = model;
  in.at = NULL;
  in.n_varied = 1;
  in.varied[0] = (mw_varied){ "forces.spring.damping", 4, 8, 2 };
  in.of = MW_OF_RUN;
  in.scenario = scenario;
  in.run = "rigid";
  return in;
}

// x = a e^(-d t) (cos w t + d/w sin w t), d = c/(2 m), w^2 = k/m - d^2; its rate; every ms
enum { N_INSTANT = 4001 };
static void swing(double c, double *x, double *rate)
{
  double d = c / 4.0, w = sqrt(400.0 - d * d);
  for (int k = 0; k < N_INSTANT; k++) {
    double t = 1e-3 * k, e = 0.1 * exp(-d * t);
    x[k] = e * (cos(w * t) + d / w * sin(w * t));
    rate[k] = -e * (w + d * d / w) * sin(w * t);
  }
}

// A study of the oscillator in a scenario, without a journal of an earlier one.
typedef struct rig {
  char model[96];
  mw_study_in in;
  mw_study s;
  mw_arena mem;
} rig;

static bool open_rig(const char *scenario, rig *r)
{
  *r = (rig){ 0 };
  if (!write_oscillator(r->model)) return false;
  r->in = oscillator(r->model, scenario);
  mw_study_done(&r->in);
  return true;
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_study_done(&r->in);
  (void)remove(r->model);
}

static void criteria_of_runs_are_those_of_a_damped_oscillator(void)
{
  static double x[N_INSTANT], rate[N_INSTANT];
  // of steps that err by 1e-11 each, some thousand of them
  static const double OFF = 1e-8, WITHIN = 2e-3;
  rig r;
  mw_error err = { 0 };
  if (!open_rig("release", &r)) return;
  r.in.within = WITHIN;
  MW_OKAY(mw_study_run(&r.in, &r.mem, &r.s, &err));
  if (!MW_CHECK(r.s.n_criterion == 5 && r.s.n_failed == 0)) {
    close_rig(&r);
    return;
  }
  MW_CHECK(strcmp(r.s.name[0], "largest tip off its start") == 0 && r.s.aim[0] == 0);
  MW_CHECK(strcmp(r.s.name[1], "largest rate") == 0 && strcmp(r.s.unit[1], "m/s") == 0);
  for (int p = 0; p < 2; p++) {
    const double *v = r.s.value + 5 * p;
    double mean = 0.0, far = 0.0, fast = 0.0, swings = 0.0;
    int last = -1;
    swing(4.0 + 4.0 * p, x, rate);
    for (int k = N_INSTANT / 2; k < N_INSTANT; k++) mean += x[k] / (N_INSTANT - N_INSTANT / 2);
    for (int k = 0; k < N_INSTANT; k++) {
      far = fmax(far, fabs(x[k] - x[0]));
      fast = fmax(fast, fabs(rate[k]));
      swings = fmax(swings, fabs(x[k] - mean));
      if (fabs(x[k] - mean) > WITHIN) last = k;
    }
    MW_WITHIN(v[0], far, OFF, "steps of the method");
    MW_WITHIN(v[1], fast, 20.0 * OFF, "steps of the method");
    // a stored instant sooner or later where it passes the bound within OFF
    MW_WITHIN(v[2], 1e-3 * (last + 1), 1.001e-3, "a stored instant");
    MW_WITHIN(v[3], swings, OFF, "steps of the method");
    MW_CHECK(v[4] == 0.0);
  }
  close_rig(&r);
}

static void what_follows_its_reference_is_still_when_that_is(void)
{
  rig r;
  mw_error err = { 0 };
  if (!open_rig("go", &r)) return;
  MW_OKAY(mw_study_run(&r.in, &r.mem, &r.s, &err));
  for (int p = 0; p < 2 && r.s.value; p++) {
    const double *v = r.s.value + 5 * p;
    // gaps of joints after a step: 1e-12
    MW_WITHIN(v[0], 0.5, 2e-12, "gaps of joints");
    MW_WITHIN(v[1], 1.0, 1e-9, "gaps of joints over a step");  // 2 x 0.5 m in 1 s
    MW_CHECK(v[2] == 0.0 && v[3] <= 2e-12);
  }
  r.in = oscillator(r.model, "swing");  // never told to stand still
  MW_CHECK(mw_study_run(&r.in, &r.mem, &r.s, &err) == MW_ERR_INPUT &&
           strstr(err.msg, "a while of rest"));
  close_rig(&r);
}

// Of largest values those of one output, of what comes to rest all; bits as in a study of all.
static void criteria_of_one_output_are_those_among_all(void)
{
  static const char *const wrong[] = { "largest:tap", "largest:tip,settling:rate", "residual:ti" };
  static const char *const worse[] = { "frequencies:tip", "largest:", "largest:,settling" };
  rig all, one;
  mw_error err = { 0 };
  unsigned of = 0;
  if (!open_rig("go", &all)) return;
  MW_OKAY(mw_study_run(&all.in, &all.mem, &all.s, &err));
  mw_study_done(&all.in);
  one = (rig){ .in = all.in };
  one.in.only = "largest:rate,settling,residual:tip";
  MW_OKAY(mw_criteria_read(one.in.only, &of, &err));
  MW_CHECK(of == MW_OF_RUN);
  MW_OKAY(mw_study_run(&one.in, &one.mem, &one.s, &err));
  if (MW_CHECK(one.s.n_criterion == 4 && all.s.n_criterion == 5) &&
      MW_CHECK(strcmp(one.s.name[0], "largest rate") == 0))
    for (int p = 0; p < 2; p++) MW_SAME_BITS(one.s.value + 4 * p, all.s.value + 5 * p + 1, 4);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    one.in.only = wrong[k];
    MW_FAILS(mw_study_run(&one.in, &one.mem, &one.s, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, strrchr(wrong[k], ',') ? "settling:rate" : wrong[k]) != NULL);
  }
  for (size_t k = 0; k < sizeof worse / sizeof *worse; k++)
    MW_FAILS(mw_criteria_read(worse[k], &of, &err), MW_ERR_INPUT);
  mw_arena_free(&one.mem);
  close_rig(&all);
}

// A journal of another scenario, or of other gains, is none of this study.
static void the_whole_file_counts_for_runs(void)
{
  rig r;
  mw_error err = { 0 };
  if (!open_rig("go", &r)) return;
  MW_OKAY(mw_study_run(&r.in, &r.mem, &r.s, &err));
  MW_OKAY(mw_study_run(&r.in, &r.mem, &r.s, &err));
  MW_CHECK(r.s.n_found == 2);
  r.in.n_set = 1;
  r.in.set = (const char *const[]){ "scenarios.go.drives.motor.position.cycloid.to=0.25" };
  MW_OKAY(mw_study_run(&r.in, &r.mem, &r.s, &err));
  MW_CHECK(r.s.n_found == 0);
  if (r.s.value) MW_WITHIN(r.s.value[0], 0.25, 2e-12, "gaps of joints");
  close_rig(&r);
}

// By the reduced model that is made at each point, and by its certificate, as they are alone.
static void certificates_are_those_of_the_models_reduced_there(void)
{
  mw_study s = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_case c = { 0 };
  mw_rom_file rom = { 0 };
  mw_verdict v[MW_VERDICTS];
  mw_study_in in = beam(2);
  in.n_varied = 1;
  in.varied[0].n = 2;
  in.of = MW_OF_CERTIFICATE | MW_OF_LARGEST;
  in.scenario = "half";
  in.run = "gmp";
  mw_study_done(&in);
  MW_OKAY(mw_study_run(&in, &mem, &s, &err));
  const mw_model_edit edit = { .n_set = 1, .set = (const char *const[]){ "materials.unit.E=4e8" } };
  MW_OKAY(mw_case_read_edited(in.model, &edit, &c, &err));
  mw_blas_threads before = mw_blas_serial();  // as a study computes
  MW_OKAY(mw_reduce(&c.model, &c.mech, NULL, &rom, &err));
  mw_blas_restore(before);
  double most = 0.0;
  int n = mw_certificate_verdicts(&rom.certificate, v);
  for (int k = 0; k < n; k++) most = fmax(most, v[k].error / v[k].tolerance);
  if (MW_CHECK(s.value && n > 0 && s.n_criterion > 3)) {
    const double *x = s.value + s.n_criterion;
    MW_CHECK(x[0] == most && x[1] == v[0].error && strcmp(v[0].key, "frequencies") == 0);
    MW_CHECK(x[1] > 0.0 && x[1] < 1e-3);  // the tolerance
    MW_CHECK(strncmp(s.name[2], "largest ", 8) == 0 && x[2] > 0.0);
  }
  mw_rom_file_free(&rom);
  mw_case_free(&c);
  mw_arena_free(&mem);
  mw_study_done(&in);
}

// Points on a quarter of a circle, a third of it, and beside one of them: those on the circle beat
// those within, and none of them another one.
static void points_that_none_beats_are_those_on_the_outer_circle(void)
{
  enum { N = 12, NAMED = 3 };
  const char *name[NAMED] = { "right", "up", "other" }, *unit[NAMED] = { "m", "m", "m" };
  int aim[NAMED] = { -1, -1, 1 };
  double value[N * NAMED];
  const char *reason[N] = { NULL };
  unsigned char best[N];
  mw_error err = { 0 };
  mw_study s = { .n_criterion = NAMED, .n_point = N, .name = name, .unit = unit, .aim = aim };
  s.title = "circles";
  s.value = value;
  s.reason = reason;
  for (int k = 0; k < N; k++) {
    double r = k % 2 ? 1.0 : 0.3, x = 1.5 * (k / 2) / (N / 2 - 1.0);
    value[NAMED * k] = r * cos(x);
    value[NAMED * k + 1] = r * sin(x);
    value[NAMED * k + 2] = k;
  }
  value[NAMED * 11] = NAN;
  MW_OKAY(mw_study_aims("right,up=large", &s, &err));
  MW_CHECK(aim[0] == -1 && aim[1] == -1 && aim[2] == 0);
  MW_CHECK(mw_study_unbeaten(&s, best) == 5);
  for (int k = 0; k < N; k++) MW_CHECK(best[k] == (k % 2 && k < 11));
  MW_OKAY(mw_study_aims("other=small", &s, &err));
  MW_CHECK(mw_study_unbeaten(&s, best) == 1 && best[0]);
  MW_CHECK(mw_study_picture(&s, "/tmp/mw-none.svg", &err) == MW_ERR_INPUT);
  MW_CHECK(mw_study_aims("left", &s, &err) == MW_ERR_INPUT && strstr(err.msg, "left"));
}

// A strut, hinged at both ends, under a mass m: f² = f0² (1 − m g/P), P Euler's load π² EI/L²;
// below zero it falls.
static void frequencies_under_the_weight_fall_to_zero_at_eulers_load(void)
{
  static const char text[] =
      "modeway: 1\nname: strut\ngravity: [-9.81, 0, 0]\nparameters: { m: 100 }\n"
      "materials: { steel: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
      "sections:\n"
      "  s: { general: { A: 4e-4, Iy: 1e-8, Iz: 4e-8, It: 3e-8 }, rotary: false }\n"
      "bodies:\n"
      "  sled: { rigid: { mass: 5, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
      "  strut:\n    gravity: false\n"
      "    beams:\n      points: { a: [0, 0, 0], b: [2, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: s, material: steel, elements: 16 } ]\n"
      "    frames: { a: { node: a }, b: { node: b } }\n"
      "  press: { at: [2, 0, 0], rigid: { mass: $m, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  y: { prismatic: { a: ground, b: sled, axis: [0, 1, 0] }, coordinate: y }\n"
      "  foot: { revolute: { a: sled, b: strut.a, axis: [0, 1, 0] } }\n"
      "  head: { revolute: { a: press, b: strut.b, axis: [0, 1, 0] } }\n"
      "  guide: { prismatic: { a: sled, b: press, axis: [1, 0, 0] } }\n"
      "outputs: { p: { body: press } }\n"
      "reduction: { coordinates: { y: [-1, 1] }, modes: { count: 2 } }\n";
  enum { N = 3 };
  const double pi = acos(-1.0), EI = 2.1e11 * 1e-8, P = pi * pi * EI / 4.0,
               f0 = pi / 8.0 * sqrt(EI / (7850.0 * 4e-4)),
               coarse = pow(pi / 16.0, 4.0) / 720.0;  // of Hermite's elements, in either stiffness
  char model[96];
  mw_study s = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  snprintf(model, sizeof model, "/tmp/mw-study-%d.yaml", (int)getpid());
  snprintf(journal, sizeof journal, "/tmp/mw-study-%d.part", (int)getpid());
  FILE *f = fopen(model, "w");
  if (!MW_CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0)) return;
  mw_study_in in = { .model = model, .at = "y=0", .n_varied = 1, .n_modes = 1, .workers = 1 };
  in.journal = journal;
  in.of = MW_OF_FREQUENCIES;
  in.varied[0] = (mw_varied){ "parameters.m", 100, 600, N };
  mw_study_done(&in);
  MW_OKAY(mw_study_run(&in, &mem, &s, &err));
  if (MW_CHECK(s.value && s.n_criterion == 2 && s.n_failed == 0) &&
      MW_CHECK(strcmp(s.name[1], "frequency 1 under the weight") == 0))
    for (int k = 0; k < N; k++) {
      double rest = s.value[2 * k], under = s.value[2 * k + 1], r = s.x[k] * 9.81 / P;
      MW_NEAR(rest * rest, f0 * f0, coarse * f0 * f0);
      MW_NEAR(under * fabs(under), f0 * f0 * (1.0 - r), coarse * f0 * f0 * (1.0 + r));
      MW_CHECK((under < 0.0) == (k == N - 1));
    }
  mw_arena_free(&mem);
  mw_study_done(&in);
  unlink(model);
}

static const mw_test_case cases[] = {
  { "points_scale_as_stiffness_does", points_scale_as_stiffness_does },
  { "processes_and_restarts_change_nothing", processes_and_restarts_change_nothing },
  { "points_that_fail_are_named", points_that_fail_are_named },
  { "frequencies_under_the_weight_fall_to_zero_at_eulers_load",
    frequencies_under_the_weight_fall_to_zero_at_eulers_load },
  { "criteria_of_drives_are_those_of_a_slide", criteria_of_drives_are_those_of_a_slide },
  { "criteria_of_runs_are_those_of_a_damped_oscillator",
    criteria_of_runs_are_those_of_a_damped_oscillator },
  { "what_follows_its_reference_is_still_when_that_is",
    what_follows_its_reference_is_still_when_that_is },
  { "criteria_of_one_output_are_those_among_all", criteria_of_one_output_are_those_among_all },
  { "the_whole_file_counts_for_runs", the_whole_file_counts_for_runs },
  { "certificates_are_those_of_the_models_reduced_there",
    certificates_are_those_of_the_models_reduced_there },
  { "points_that_none_beats_are_those_on_the_outer_circle",
    points_that_none_beats_are_those_on_the_outer_circle },
  { "what_is_varied_is_read_as_it_stands", what_is_varied_is_read_as_it_stands },
  { "designs_have_a_point_in_each_part_of_every_range",
    designs_have_a_point_in_each_part_of_every_range },
  { "plain_sequence_is_that_of_joe_and_kuo", plain_sequence_is_that_of_joe_and_kuo },
};

int main(void) { return mw_test_run("study", cases, (int)(sizeof cases / sizeof *cases)); }
