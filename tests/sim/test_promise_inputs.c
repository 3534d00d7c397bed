// SPDX-License-Identifier: BSD-3-Clause
// test_promise_inputs.c: what inputs may have: blows and signals above the modes of a reduced
// model, against a struck beam in closed form.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "beam_blow.h"
#include "compare/run_scope_layer.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "run/reach_layer.h"
#include "sim/romrun.h"
#include "verdict/promise_layer.h"

// The reduced model of three modes: it is of the beam, whatever strikes it. Made once.
static mw_rom_file three;

static bool three_modes(void)
{
  const beam_blow b = {
    .n_elem = 40, .count = 3, .F = 1.0, .tau = 1.0, .duration = 0.5, .step = 2e-4
  };
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  if (three.rom.m > 0) return true;
  bool made = MW_CHECK(beam_blow_model(&b, &f)) &&
              MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &three, &err));
  mw_fixture_free(&f);
  return made;
}

// ---- above the modes ----------------------------------------------------------------------------

// A blow on three modes and all patterns: what the reduced path errs by, from the closed form, and
// what the run says it may: it is an estimate, within a factor of 2.5, over three decades of
// errors. The third mode's period is 0.071 s.
static void blows_above_the_modes_err_by_what_is_said(void)
{
  static const double tau[] = { 1.0, 0.3, 0.1, 0.05, 0.03, 0.01, 0.003 };  // s
  mw_error err = { 0 };
  if (!three_modes() || !MW_CHECK(mw_certificate_met(&three.certificate))) return;
  for (size_t i = 0; i < sizeof tau / sizeof *tau; i++) {
    beam_blow b = { .n_elem = 40,
                    .count = 3,
                    .F = 1.0,
                    .tau = tau[i],
                    .duration = 1.5 * tau[i] + 0.3,
                    .step = fmin(2e-4, 0.02 * tau[i]) };
    mw_fixture f = { 0 };
    mw_run r = { 0 };
    double most = 0.0, said = 0.0;
    if (!MW_CHECK(beam_blow_model(&b, &f)) ||
        !MW_OKAY(mw_rom_run(&f.model, &f.mech, &three, &f.model.scenario[0], NULL, NULL, &r, &err)))
      return;
    for (int o = 0; o < 2; o++) {
      double worst, peak;
      beam_blow_error(&b, &r, o, &worst, &peak);
      printf("blow of %.3g s, three modes, output %d: errs by %.2e, said %.2e\n", tau[i], o,
             worst / peak, r.above[o]);
      MW_CHECK(r.above[o] < 2.5 * worst / peak && worst / peak < 2.5 * r.above[o]);
      most = fmax(most, worst / peak);
      said = fmax(said, r.above[o]);
    }
    // 2 x the tolerance of 1e-3
    MW_CHECK((r.n_warning > 0) == (said > 2e-3));
    // what is above the bandwidth is not promised
    MW_CHECK((r.beyond != NULL) == (said > 2e-3));
    MW_CHECK(!r.beyond || strstr(r.beyond, "bandwidth of inputs"));
    if (most > 2e-3) MW_CHECK(r.n_warning == 1 && strstr(r.warning[0], "drive blow"));
    if (most < 1e-3) MW_CHECK(r.n_warning == 0);
    mw_run_free(&r);
    mw_fixture_free(&f);
  }
}

// ---- what inputs may have -----------------------------------------------------------------------

// The bandwidth ends where the first row of receptances errs by more than it may, or where the band
// does.
static void bandwidth_ends_where_receptances_do(void)
{
  double band[] = { 0.0, 10.0, 20.0, 30.0 },
         error[] = { 0.0, 0.01, 0.02, 0.04, 0.01, 0.01, 0.05, 0.01 }, hz[] = { 5.0, 9.0, 6.0, 8.0 };
  mw_certificate c = { .n = 2, .n_freq = 2, .f_direct = hz, .tolerance = 1e-3, .zeta = 0.02 };
  MW_CHECK(mw_certificate_bandwidth(&c) == 8.0);  // nothing compared: the lowest of the highest
  c.n_io = 2;
  c.n_band = 4;
  c.band = band;
  c.band_error = error;
  c.receptance_tolerance = 0.05;
  MW_CHECK(mw_certificate_bandwidth(&c) == 30.0);
  c.receptance_tolerance = 0.03;
  MW_CHECK(mw_certificate_bandwidth(&c) == 10.0);
  c.receptance_tolerance = 0.005;
  MW_CHECK(mw_certificate_bandwidth(&c) == 0.0);
}

// A force that swings below the bandwidth is answered as promised; one that swings above it is
// named, and only where an output errs by more than is promised.
static void signals_above_the_bandwidth_are_named(void)
{
  const beam_blow b = {
    .n_elem = 40, .count = 3, .F = 1.0, .tau = 1.0, .duration = 0.5, .step = 2e-4
  };
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_rom_file read = { 0 };
  char path[] = "/tmp/mw_promise_XXXXXX";
  int fd = mkstemp(path);
  if (!MW_CHECK(fd >= 0) || !MW_CHECK(beam_blow_model(&b, &f)) || !three_modes() ||
      !MW_OKAY(mw_rom_file_write(&three, path, &err)) ||
      !MW_OKAY(mw_rom_file_read(path, &read, &err)))
    return;
  const mw_certificate *c = &three.certificate;
  double hz = mw_certificate_bandwidth(c), pi = acos(-1.0);
  // of the third mode, 9π/2 Hz, which is the last one kept
  MW_NEAR(hz, 4.5 * pi, 1e-3 * hz);
  MW_CHECK(mw_certificate_bandwidth(&read.certificate) == hz);
  MW_SAME_BITS(read.certificate.force_rate, c->force_rate, 1);
  MW_SAME_BITS(read.certificate.force_acceleration, c->force_acceleration, 1);
  MW_SAME_BITS(read.certificate.rest_force, c->rest_force, 1);
  MW_SAME_BITS(read.certificate.rest_length, c->rest_length, 1);
  mw_signal *g = NULL;
  for (int k = 0; k < f.model.scenario[0].n_action; k++)
    if (f.model.scenario[0].action[k].kind == MW_ACTION_FORCE)
      g = &f.model.scenario[0].action[k].signal;
  static const double part[] = { 0.05, 1.6 };
  for (int i = 0; MW_CHECK(g != NULL) && i < 2; i++) {
    mw_run r = { 0 };
    bool named = false;
    g->f = part[i] * hz;
    g->t1 = 1.0;
    if (!MW_OKAY(mw_rom_run(&f.model, &f.mech, &three, &f.model.scenario[0], NULL, NULL, &r, &err)))
      break;
    for (int k = 0; k < r.n_warning; k++)
      named = named || strstr(r.warning[k], "the signal of drive blow swings at");
    printf("a force of %.3g of the bandwidth: may err by %.1e\n", part[i], r.above[0]);
    MW_CHECK(named == (i == 1) && (r.above[0] > 2e-3) == (i == 1));
    mw_run_free(&r);
  }
  close(fd);
  unlink(path);
  mw_rom_file_free(&read);
  mw_fixture_free(&f);
}

// A carriage moved by a cycloid of length d in T goes at 2 d/T and 2π d/T² at most: what is beyond
// the ranges that the certificate assumed is noted, with both, and nothing of what is declared.
static void motions_beyond_assumed_ranges_are_noted(void)
{
  const beam_blow b = {
    .n_elem = 40, .count = 3, .F = 1.0, .tau = 1.0, .duration = 0.5, .step = 2e-4
  };
  enum { STEPS = 4000 };
  static const double part[] = { 0.99, 1.01 };  // of what is judged
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(beam_blow_model(&b, &f)) || !three_modes()) return;
  const mw_certificate *c = &three.certificate;
  mw_coordinate_in *in = &f.model.reduction.coordinate[0];
  double pi = acos(-1.0), v = c->force_rate[0], a = c->force_acceleration[0];
  for (int i = 0; i < 8; i++) {
    bool fast = i & 1, quick = i >> 1 & 1, declared = i >> 2 & 1;
    // 2 d/T = V, 2π d/T² = A
    double V = part[fast] * v, A = part[quick] * a, T = pi * V / A, d = 0.5 * V * T, h = T / STEPS;
    mw_fast_seen seen = { 0 };
    mw_run r = { 0 };
    in->max_rate = declared ? 2.0 * v : 0.0;
    in->max_acceleration = declared ? 2.0 * a : 0.0;
    for (int k = 1; k <= STEPS; k++) {
      double before = d / T * (1.0 - cos(2.0 * pi * (k - 1) / STEPS)),
             after = d / T * (1.0 - cos(2.0 * pi * k / STEPS));
      mw_fast_look(&f.model.reduction, &before, &after, h, k * h, &seen);
    }
    // a difference over a step falls short of the steepest rate by (π/STEPS)²/6 of it at most
    MW_NEAR(seen.rate[0], V, 4.0 * DBL_EPSILON * V);
    MW_NEAR(seen.acceleration[0], A, pi * pi / STEPS / STEPS * A);
    if (MW_OKAY(mw_fast_warn(&f.mech, &three, &seen, &r, &err))) {
      MW_CHECK(r.n_warning == 0 && !r.beyond);
      MW_CHECK(r.n_note == (!declared && (fast || quick)));
      MW_CHECK(r.n_note == 0 || (strstr(r.note[0], "rate of") != NULL) == fast);
      MW_CHECK(r.n_note == 0 || (strstr(r.note[0], "acceleration of") != NULL) == quick);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// The certificate names the scenarios that it does not speak for: a short blow is one, a slow one
// is not; one that the reduced path cannot run is.
static void scenarios_outside_of_the_promise_are_named(void)
{
  static const struct row {
    double tau, limit;  // s; m, of every amplitude
    const char *why;    // NULL: none
  } rows[] = { { 1.0, INFINITY, NULL },
               { 0.01, INFINITY, "bandwidth of inputs" },
               { 1.0, 1e-12, "path gmp does not run it: at t =" } };
  double limit[8];
  mw_error err = { 0 };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const beam_blow b = { .n_elem = 40,
                          .count = 3,
                          .F = 1.0,
                          .tau = rows[i].tau,
                          .duration = 0.2,
                          .step = fmin(2e-4, 0.02 * rows[i].tau) };
    mw_fixture f = { 0 };
    if (!MW_CHECK(beam_blow_model(&b, &f)) || !three_modes()) return;
    mw_rom_file rom = three;
    mw_case c = { .model = f.model, .body = f.body, .mech = f.mech };
    for (int a = 0; a < 8; a++) limit[a] = rows[i].limit;
    if (MW_CHECK(rom.rom.m <= 8) && isfinite(rows[i].limit)) rom.rom.delta_max = limit;
    if (MW_OKAY(mw_run_scope_build(&c, &rom, &err))) {
      const mw_run_scope *z = &rom.certificate.outside;
      MW_CHECK(z->n == (rows[i].why != NULL));
      MW_CHECK(z->n == 0 ||
               (strcmp(z->scenario[0], "blow") == 0 && strstr(z->why[0], rows[i].why)));
    }
    three.mem = rom.mem;  // the texts are there
    mw_fixture_free(&f);
  }
}

// A cart that carries a bar and is pushed into an end stop from 0.1 m away, at 4 m/s².
static const char pushed[] =
    "modeway: 1\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.02, height: 0.02 } } }\n"
    "bodies:\n"
    "  rail: { ground: true, rigid: { mass: 0 },\n"
    "          guides: { x: { points: [[0, 0, 0], [2, 0, 0]], normal: [0, 0, 1] } } }\n"
    "  cart: { at: [1, 0, 0], frames: { top: { point: [0, 0, 0] } },\n"
    "          rigid: { mass: 3, inertia: [0.02, 0.03, 0.03, 0, 0, 0] } }\n"
    "  bar:\n"
    "    at: [1, 0, 0]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0, 0, 0.5] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 4,\n"
    "                   up: [1, 0, 0] } ]\n"
    "    frames: { foot: { node: a }, tip: { node: b } }\n"
    "joints:\n"
    "  x: { slide: { guide: rail.x, on: cart, orientation: fixed }, coordinate: x, drive: motor,\n"
    "       stops: { range: [0.2, 1.1], stiffness: 1e7, damping: 0.1 } }\n"
    "  foot: { fixed: { a: cart.top, b: bar.foot } }\n"
    "outputs: { tip: { frame: bar.tip } }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0.1, 1.2], points: 4 } }\n"
    "  modes: { count: 1 }\n"
    "scenarios:\n"
    "  push: { duration: 0.3, step: 2e-5, store: 1e-3, start: { x: 1 },\n"
    "          drives: { motor: { force: { step: { value: 14.16, at: 0 } } } } }\n";

// Blamed is the stop, not the step of the force at the start. Rigid, 3.54 kg at 4 m/s²: first met
// after sqrt(2 0.1/4) s, for half a period of 1.9 ms of the stop's stiffness, and again as the bar
// swings on.
static void blows_of_end_stops_are_blamed_on_these(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_run r = { 0 };
  mw_error err = { 0 };
  bool named = false;
  double at = 0.0;
  if (MW_CHECK(mw_fixture_text(pushed, &f)) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], NULL, NULL, &r, &err)))
    for (int k = 0; k < r.n_warning; k++) {
      const char *stop = strstr(r.warning[k], "after coordinate x met a stop at ");
      named = named || stop;
      if (stop) at = strtod(strpbrk(stop, "0123456789"), NULL);
      MW_CHECK(!strstr(r.warning[k], "jump or kink of drive"));
    }
  MW_CHECK(named);
  MW_CHECK(at > sqrt(0.05) - 1e-4 && at < sqrt(0.05) + 5e-3);
  mw_run_free(&r);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "blows_above_the_modes_err_by_what_is_said", blows_above_the_modes_err_by_what_is_said },
  { "bandwidth_ends_where_receptances_do", bandwidth_ends_where_receptances_do },
  { "signals_above_the_bandwidth_are_named", signals_above_the_bandwidth_are_named },
  { "blows_of_end_stops_are_blamed_on_these", blows_of_end_stops_are_blamed_on_these },
  { "motions_beyond_assumed_ranges_are_noted", motions_beyond_assumed_ranges_are_noted },
  { "scenarios_outside_of_the_promise_are_named", scenarios_outside_of_the_promise_are_named },
};

int main(void)
{
  int rc = mw_test_run("promise_inputs", cases, (int)(sizeof cases / sizeof *cases));
  mw_rom_file_free(&three);
  return rc;
}
