// SPDX-License-Identifier: BSD-3-Clause
// test_dampers.c: dampers of runners and springs that resist more than the springs beside them:
// complex frequencies of reduced models against the roots of the machine's own characteristic
// equation, runs against the full path.
//
// A beam (EI = ρA = L = 1) on two supports, a carriage m at x on a spring k with a damper c,
// another damper d at mid-span:
//   H_ab(s) = Σ_n 2 sin(nπa) sin(nπb)/(s² + (nπ)⁴)        beam
//   Z_x = 1/(1/(m s²) + 1/(k + c s)) ,  Z_mid = d s       what is attached
//   det(1 + diag(Z) H(s)) = 0                                                                   (1)
// Roots that swing, within the band of the modes asked for, are compared: at most twice the
// tolerance is what (1) of damper.c lets modulus and decay err by together.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/romrun.h"

enum { GROW = 400, NEWTON = 40, MODES = 4, MOST = 16, TEXT = 4096 };
static const double MASS = 0.5, SPRING = 400.0, TOLERANCE = 1e-3;

typedef double complex cplx;

// ---- the machine --------------------------------------------------------------------------------

// H_ab, summed: with λ⁴ = -s², a not beyond b
//   (sin λa sin λ(1 - b)/sin λ - sinh λa sinh λ(1 - b)/sinh λ)/(2 λ³)
static cplx beam(cplx s, double a, double b)
{
  const double near = fmin(a, b), far = 1.0 - fmax(a, b);
  const cplx l = csqrt(csqrt(-s * s));
  return (csin(l * near) * csin(l * far) / csin(l) - csinh(l * near) * csinh(l * far) / csinh(l)) /
         (2.0 * l * l * l);
}

// (1)
static cplx characteristic(cplx s, double x, double c, double d)
{
  cplx Z = 1.0 / (1.0 / (MASS * s * s) + 1.0 / (SPRING + c * s)), W = d * s, H = beam(s, x, 0.5);
  return (1.0 + Z * beam(s, x, x)) * (1.0 + W * beam(s, 0.5, 0.5)) - Z * W * H * H;
}

static cplx root_near(cplx s, double x, double c, double d)
{
  for (int i = 0; i < NEWTON; i++) {
    cplx h = 1e-5 * cabs(s),
         slope = (characteristic(s + h, x, c, d) - characteristic(s - h, x, c, d)) / (2.0 * h),
         step = characteristic(s, x, c, d) / slope;
    s -= step;
    if (cabs(step) < 1e-12 * cabs(s)) break;
  }
  return s;
}

// From the undamped machine, or from one whose carriage sits on the beam, what c > 2 √(k m) comes
// close to.
static cplx root_of(double omega, double x, double c, double d)
{
  const double locked = 1e8;
  bool over = c > 2.0 * sqrt(SPRING * MASS);
  cplx s = root_near(I * omega, x, over ? locked : 0.0, 0.0);
  for (int i = 1; i <= GROW; i++) {
    double f = (double)i / GROW;
    s = root_near(s, x, over ? c * pow(locked / c, 1.0 - f) : pow(f, 3.0) * c, pow(f, 3.0) * d);
  }
  return s;
}

// ---- the model ----------------------------------------------------------------------------------

static bool machine(double c, double d, bool patterns, mw_fixture *f)
{
  static const char *const format =
      "modeway: 1\n"
      "strain: linear\n"
      "gravity: [0, 0, -0.01]\n"
      "materials: { unit: { E: 1e8, nu: 0.0, rho: 1 } }\n"
      "sections: { line: { general: { A: 1, Iy: 1e-8, Iz: 1, It: 1 }, shear: false, rotary: false "
      "} }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    gravity: false\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [0.5, 0, 0], b: [1, 0, 0] }\n"
      "      members: [{ from: a, to: m, section: line, material: unit, elements: 20, up: [0, 0, "
      "1] },\n"
      "                { from: m, to: b, section: line, material: unit, elements: 20, up: [0, 0, "
      "1] }]\n"
      "    supports: [{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] }]\n"
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "    frames: { mid: { node: m } }\n"
      "  post: { ground: true, rigid: { mass: 0 }, frames: { top: { point: [0.5, 0, 0] } } }\n"
      "  box: { at: [0.3, 0, 0], rigid: { mass: %.17g, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] },\n"
      "         frames: { c: { point: [0, 0, 0] } } }\n"
      "joints:\n"
      "  x: { slide: { guide: beam.rail, on: box, orientation: fixed, runners: [\n"
      "       { stiffness: [%.17g, rigid], damping: [%.17g, 0] } ] }, drive: motor }\n"
      "%s"
      "drives: { push: { force: { on: box.c, direction: [0, 0, 1] } } }\n"
      "outputs: { box: { body: box } }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [0.25, 0.7], points: 17, max_rate: 1.5, max_acceleration: 10 "
      "} }\n"
      "  modes: { count: %d }\n"
      "  tolerance: %.17g\n"
      "  patterns: { dampers: %s }\n"
      "  certificate: { samples: 24 }\n"
      "scenarios:\n"
      "  cross: { duration: 0.5, step: 2e-4, store: 2e-3, start: { x: 0.3 }, drives: { motor: { "
      "position: {\n"
      "    cycloid: { from: 0.3, to: 0.65, end: 0.5 } } },\n"
      "    push: { force: { sine: { amplitude: 0.1, frequency: 8 } } } } }\n";
  char text[TEXT], spring[256] = "";
  if (d > 0.0)
    snprintf(spring, sizeof spring,
             "springs: { dash: { a: post.top, b: beam.mid, damping: [0, 0, %.17g] } }\n", d);
  int n = snprintf(text, sizeof text, format, MASS, SPRING, c, spring, MODES, TOLERANCE,
                   patterns ? "true" : "false");
  return n > 0 && n < TEXT && mw_fixture_text(text, f);
}

// trace of A⁻¹ B, both [n × n], by elimination with pivots
static cplx trace_of(int n, cplx A[MOST][MOST], cplx B[MOST][MOST])
{
  cplx sum = 0.0;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (cabs(A[i][k]) > cabs(A[p][k])) p = i;
    for (int j = 0; j < n; j++) {
      cplx a = A[k][j], b = B[k][j];
      A[k][j] = A[p][j], A[p][j] = a;
      B[k][j] = B[p][j], B[p][j] = b;
    }
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      cplx f = A[i][k] / A[k][k];
      for (int j = 0; j < n; j++) {
        A[i][j] -= f * A[k][j];
        B[i][j] -= f * B[k][j];
      }
    }
  }
  for (int k = 0; k < n; k++) sum += B[k][k] / A[k][k];
  return sum;
}

// Root of det(s² + s C + K) near s
static cplx model_root(int m, const double *K, const double *C, cplx s)
{
  for (int i = 0; i < NEWTON; i++) {
    cplx A[MOST][MOST], B[MOST][MOST];
    for (int a = 0; a < m; a++)
      for (int b = 0; b < m; b++) {
        int hi = a > b ? a : b, lo = a > b ? b : a, k = hi * (hi + 1) / 2 + lo;
        A[a][b] = (a == b ? s * s : 0.0) + s * C[k] + K[k];
        B[a][b] = (a == b ? 2.0 * s : 0.0) + C[k];
      }
    cplx step = 1.0 / trace_of(m, A, B);
    s -= step;
    if (cabs(step) < 1e-12 * cabs(s)) break;
  }
  return s;
}

// Largest error of the complex frequencies at x that swing, in the band; *n: how many they are
static double error_at(const mw_rom_file *f, double x, double c, double d, int *n)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  mw_arena mem = { 0 };
  double *v = mw_arena_f64(&mem, (size_t)f->rom.n_field), zero[MOST * (MOST + 1) / 2] = { 0.0 },
         omega[MODES] = { 0.0 }, band = 0.0, worst = 0.0;
  if (MW_CHECK(v && f->rom.m <= MOST && mw_rom_fields(&f->rom, &x, v, NULL, NULL) == MW_ROM_OK)) {
    for (int k = 0; k < MODES; k++) {
      omega[k] = cimag(model_root(f->rom.m, v + L.K, zero, I * sqrt(v[L.K + k * (k + 3) / 2])));
      band = fmax(band, omega[k]);
    }
    for (int k = 0; k < MODES; k++) {
      cplx want = root_of(omega[k], x, c, d), got = model_root(f->rom.m, v + L.K, v + L.C, want);
      if (cabs(want) > band || cimag(want) < fabs(creal(want))) continue;
      worst = fmax(worst, cabs(got - want) / cabs(want));
      ++*n;
    }
  }
  mw_arena_free(&mem);
  return worst;
}

static bool met(const mw_certificate *c, const char *key)
{
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  bool met = false;
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].key, key) == 0) met = v[i].met;
  return met;
}

static int damper_columns(const mw_rom_file *f)
{
  int n = 0;
  for (int k = 0; k < f->rom.m; k++) n += strstr(f->column[k], "damper") != NULL;
  return n;
}

static bool reduce(double c, double d, bool patterns, mw_rom_file *f)
{
  mw_fixture m;
  mw_error err = { 0 };
  if (!MW_CHECK(machine(c, d, patterns, &m))) return false;
  bool good = MW_OKAY(mw_reduce(&m.model, &m.mech, NULL, f, &err));
  mw_fixture_free(&m);
  return good;
}

// The largest error at places off the grid
static double worst_error(double c, double d, bool patterns, bool *damping, int *columns)
{
  static const double at[] = { 0.283, 0.4567, 0.61 };
  mw_rom_file f = { 0 };
  double worst = NAN;
  int n = 0;
  if (reduce(c, d, patterns, &f)) {
    worst = 0.0;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
      worst = fmax(worst, error_at(&f, at[i], c, d, &n));
    *damping = met(&f.certificate, "damping");
    *columns = damper_columns(&f);
  }
  mw_rom_file_free(&f);
  MW_CHECK(n > MODES);
  printf("dampers: c %g, d %g, patterns %d: %.2e of %d, %d columns\n", c, d, patterns, worst, n,
         *columns);
  return worst;
}

// ---- claims -------------------------------------------------------------------------------------

static void complex_frequencies_are_those_of_the_machine(void)
{
  // cω/k of the fourth mode, ω = 92: 0.5, 2.3, 4.6, 23; from the third on the carriage on its
  // spring does not swing
  static const double c[] = { 2.0, 10.0, 20.0, 100.0, 0.0 }, d[] = { 0.0, 0.0, 0.0, 0.0, 20.0 };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    bool met = false;
    int columns = 0;
    double e = worst_error(c[i], d[i], true, &met, &columns);
    MW_CHECK(met && columns > 0);
    MW_NEAR(e, 0.0, 2.0 * TOLERANCE);
  }
}

static void models_without_the_patterns_err_and_say_so(void)
{
  static const double c[] = { 10.0, 0.0 }, d[] = { 0.0, 20.0 };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    bool met = true;
    int columns = 0;
    double e = worst_error(c[i], d[i], false, &met, &columns);
    MW_CHECK(!met && columns == 0 && e > 4.0 * TOLERANCE);
  }
}

static void dampers_that_do_not_matter_cost_nothing(void)
{
  bool met = false;
  int columns = -1;
  // cω/k = 0.016, squared below the tolerance
  MW_WITHIN(worst_error(0.04, 0.0, true, &met, &columns), 0.0, 2.0 * TOLERANCE,
            "twice what the certificate promises");
  MW_CHECK(met && columns == 0);
}

// Largest distance of the carriage's heights in two runs over the largest change of one
static double apart(const mw_run *a, const mw_run *b)
{
  double most = 0.0, peak = 0.0;
  for (int i = 0; i < a->n_t; i++) {
    most = fmax(most, fabs(a->y[3 * i + 2] - b->y[3 * i + 2]));
    peak = fmax(peak, fabs(a->y[3 * i + 2] - a->y[2]));
  }
  return most / peak;
}

// What a run errs by beside the full path, by the same step.
static double run_error(bool patterns)
{
  mw_fixture m;
  mw_error err = { 0 };
  mw_rom_file f = { 0 };
  mw_run full = { 0 }, gmp = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  double e = NAN;
  if (!MW_CHECK(machine(10.0, 0.0, patterns, &m))) return e;
  const mw_scenario *sc = &m.model.scenario[0];
  if (MW_OKAY(mw_reduce(&m.model, &m.mech, NULL, &f, &err)) &&
      MW_OKAY(mw_dae_run(&m.mech, sc, "full", &opt, NULL, &full, &err)) &&
      MW_OKAY(mw_rom_run(&m.model, &m.mech, &f, sc, NULL, NULL, &gmp, &err)))
    e = apart(&full, &gmp);
  printf("dampers: a run with patterns %d: %.2e of the peak\n", patterns, e);
  mw_run_free(&gmp);
  mw_run_free(&full);
  mw_rom_file_free(&f);
  mw_fixture_free(&m);
  return e;
}

// The promise of a certificate that is met: twice the tolerance of the peak.
static void runs_are_those_of_the_full_path(void)
{
  MW_NEAR(run_error(true), 0.0, 2.0 * TOLERANCE);
  MW_CHECK(run_error(false) > 4.0 * TOLERANCE);
}

// Rates of motions that do not swing, where the model errs most, against the real roots of (1):
// they err by what the certificate says.
static void rates_of_what_does_not_swing_err_by_what_is_said(void)
{
  static const struct row {
    double c;
    bool patterns, met;
  } rows[] = { { 20.0, true, true }, { 100.0, true, true }, { 20.0, false, false } };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    mw_rom_file f = { 0 };
    mw_arena mem = { 0 };
    if (!reduce(rows[i].c, 0.0, rows[i].patterns, &f)) return;
    const mw_certificate *t = &f.certificate;
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f.rom));
    double *v = mw_arena_f64(&mem, (size_t)f.rom.n_field), nearest = INFINITY, want = 0.0;
    if (!MW_CHECK(v && t->n_decay > 0) ||
        !MW_CHECK(mw_rom_fields(&f.rom, t->decay_theta, v, NULL, NULL) == MW_ROM_OK))
      return;
    // changes of sign of the characteristic along the negative axis
    double x = t->decay_theta[0], before = 0.0, step = 1.002;
    for (double p = 0.5 * t->decay_rate; p < 2.0 * t->decay_rate; p *= step) {
      double now = creal(characteristic(-p, x, rows[i].c, 0.0));
      if (before * now < 0.0) {
        double root = -creal(root_near(-p / sqrt(step), x, rows[i].c, 0.0));
        if (fabs(root - t->decay_rate) < fabs(nearest - t->decay_rate)) nearest = root;
      }
      before = now;
    }
    double got = -creal(model_root(f.rom.m, v + L.K, v + L.C, -1.001 * t->decay_rate));
    want = fabs(got - nearest) / nearest;
    printf("dampers: c %g, patterns %d: %d rates, %.4g 1/s at x = %.3g errs by %.2e, said %.2e\n",
           rows[i].c, rows[i].patterns, t->n_decay, t->decay_rate, x, want, t->decay_error);
    // the certificate knows the machine on its bodies' bases, which err by less than half of the
    // tolerance, to first order in Δp
    if (rows[i].met) MW_NEAR(t->decay_error, want, 0.5 * TOLERANCE);
    MW_CHECK(rows[i].met || want > 0.1);
    MW_CHECK(met(t, "decay_rates") == rows[i].met);
    mw_arena_free(&mem);
    mw_rom_file_free(&f);
  }
}

static const mw_test_case cases[] = {
  { "rates_of_what_does_not_swing_err_by_what_is_said",
    rates_of_what_does_not_swing_err_by_what_is_said },
  { "complex_frequencies_are_those_of_the_machine", complex_frequencies_are_those_of_the_machine },
  { "models_without_the_patterns_err_and_say_so", models_without_the_patterns_err_and_say_so },
  { "runs_are_those_of_the_full_path", runs_are_those_of_the_full_path },
  { "dampers_that_do_not_matter_cost_nothing", dampers_that_do_not_matter_cost_nothing },
};

int main(void) { return mw_test_run("dampers", cases, (int)(sizeof cases / sizeof *cases)); }
