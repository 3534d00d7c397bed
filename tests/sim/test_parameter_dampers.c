// SPDX-License-Identifier: BSD-3-Clause
// test_parameter_dampers.c: a reduced model that keeps the damping of springs and runners as a
// parameter is, at any value of it, what a reduction of the machine with these dampers is; beside a
// payload that it keeps, too; its certificate says so over the range, and its file brings it back.
//
// An elastic arm turns on an elastic column on a cart on soft, damped runners; a damped spring
// holds the column's tip.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "beside_full.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"

// %g: c, payload; %s: what the reduction keeps
static const char *const format =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: { c: %g, payload: %g }\n"
    "damping: { beta: 1e-5 }\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.04, height: 0.03 } } }\n"
    "bodies:\n"
    "  rail: { ground: true, rigid: { mass: 0 }, frames: { p: { point: [0.9, 0.6, 0.4] } },\n"
    "          guides: { x: { points: [[0, 0, 0], [2, 0, 0]], normal: [0, 0, 1] } } }\n"
    "  cart:\n"
    "    at: [0.7, 0, 0]\n"
    "    rigid: { mass: 3, com: [0, 0, 0.02], inertia: [0.02, 0.03, 0.03, 0, 0, 0] }\n"
    "    frames: { top: { point: [0, 0, 0.1] } }\n"
    "  beam:\n"
    "    at: [0.7, 0, 0.1]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.2, 0.6, 0.3] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 4,\n"
    "                   up: [0, 0, 1] } ]\n"
    "    frames: { foot: { node: a }, tip: { node: b } }\n"
    "  arm:\n"
    "    at: [0.9, 0.6, 0.4]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.4, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 4,\n"
    "                   up: [0, 0, 1] } ]\n"
    "    frames: { hub: { node: a }, tip: { node: b, mass: 0.1 + $payload } }\n"
    "joints:\n"
    "  x:\n"
    "    slide:\n"
    "      guide: rail.x\n"
    "      on: cart\n"
    "      orientation: free\n"
    "      runners:\n"
    "        - { offset: -0.1, shift: [0, 0, 0.05], stiffness: 1e7, damping: $c }\n"
    "        - { offset: 0.1, shift: [0, 0, 0.05], stiffness: 2e7, damping: [100 + 2*$c, 50] }\n"
    "        - { offset: 0.0, shift: [0, 0, -0.05], directions: [n1], stiffness: 1e7 }\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "  foot: { fixed: { a: cart.top, b: beam.foot } }\n"
    "  hub: { revolute: { a: beam.tip, b: arm.hub, axis: [0, 0.2, 1] }, coordinate: phi,\n"
    "         drive: swing }\n"
    "springs:\n"
    "  stay: { a: rail.p, b: beam.tip, stiffness: [0, 0, 1000], damping: [0, $c/40, $c/20] }\n"
    "outputs: { tool: { frame: arm.tip } }\n"
    "reduction:\n"
    "  modes: { count: 3 }\n"
    "  coordinates: { x: { range: [0.3, 1.6], points: 5 },\n"
    "                 phi: { range: [-0.8, 0.8], points: 9 } }\n"
    "  certificate: { points: 2, samples: 8 }\n"
    "%s"
    "scenarios:\n"
    "  move:\n"
    "    duration: 0.3\n"
    "    step: 5e-4\n"
    "    drives:\n"
    "      motor: { position: { move: { from: 0.5, to: 0.7, max_velocity: 3,\n"
    "                                   max_acceleration: 9, max_jerk: 400 } } }\n"
    "      swing: { position: { move: { from: -0.3, to: 0.1, max_velocity: 2.5,\n"
    "                                   max_acceleration: 20, max_jerk: 1000 } } }\n";

static const double LO = 1000.0, MIDDLE = 2500.0, HI = 4000.0, TOLERANCE = 1e-3;
static const char DAMPED[] = "  parameters: { c: [1000, 4000] }\n  patterns: { dampers: false }\n";
static const char BOTH[] = "  parameters: { c: [1000, 4000], payload: [0, 0.6] }\n";
static const char FRESH[] = "  patterns: { dampers: false }\n";

static bool reduced(double c, double payload, const char *more, mw_fixture *f, mw_rom_file *rom)
{
  char text[8192];
  mw_error err = { 0 };
  snprintf(text, sizeof text, format, c, payload, more);
  return MW_CHECK(mw_fixture_text(text, f)) &&
         MW_OKAY(mw_reduce(&f->model, &f->mech, NULL, rom, &err));
}

// Largest coefficient of C, CE and CC, and the largest difference there and elsewhere.
static void differences(const mw_rom *a, const mw_rom *b, double *size, double *damped,
                        double *other)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(a));
  size_t n = mw_rom_bytes(a) / sizeof(double);
  *size = *damped = *other = 0.0;
  for (size_t i = 0; i < n; i++) {
    int k = (int)(i % (size_t)L.n);
    bool own = (k >= L.C && k < L.e) || (k >= L.CE && k < L.y);
    double off = fabs(a->coef[i] - b->coef[i]);
    if (own) *size = fmax(*size, fabs(b->coef[i]));
    *(own ? damped : other) = fmax(own ? *damped : *other, off);
  }
}

// Columns do not depend on dampers without patterns of their own: the tables are those of the
// reduction made there, C, CE and CC but for rounding of sums over 66 unknowns and seven dampers,
// in splines, whose coefficients are up to three times the values.
static void at_any_value_it_is_the_reduction_made_there(void)
{
  static const double value[] = { LO, MIDDLE, 3100.0, HI };
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  bool good = reduced(MIDDLE, 0.3, DAMPED, &f, &rom) && MW_CHECK(rom.damped != NULL);
  for (size_t k = 0; good && k < sizeof value / sizeof *value; k++) {
    mw_fixture own = { 0 };
    mw_rom_file fresh = { 0 };
    if (reduced(value[k], 0.3, FRESH, &own, &fresh) &&
        MW_OKAY(mw_rom_set_parameter(&rom, 0, value[k], &err)) &&
        MW_CHECK(mw_rom_bytes(&rom.rom) == mw_rom_bytes(&fresh.rom) &&
                 rom.rom.n_field == fresh.rom.n_field)) {
      double size, damped, other;
      differences(&rom.rom, &fresh.rom, &size, &damped, &other);
      printf("c = %g: C, CE, CC differ by %.1e of %.3g, others by %.1e\n", value[k], damped, size,
             other);
      MW_NEAR(damped, 0.0, mw_test_rounding(73, 3.0 * size));
      MW_CHECK(other == 0.0);
      // and they are not those of the middle
      if (value[k] != MIDDLE) MW_CHECK(rom.rom.coef != rom.made_coef && rom.parameter_note);
    }
    mw_rom_file_free(&fresh);
    mw_fixture_free(&own);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A run beside the full mechanism with these dampers and this mass: 2 ε of the largest deflection.
static void beside_a_payload_it_runs_as_the_mechanism_does(void)
{
  static const double at[2][2] = { { LO, 0.5 }, { HI, 0.1 } };
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  bool good = reduced(MIDDLE, 0.3, BOTH, &f, &rom);
  for (int k = 0; good && k < 2; k++) {
    char text[8192];
    double apart, most;
    mw_fixture own = { 0 };
    snprintf(text, sizeof text, format, at[k][0], at[k][1], FRESH);
    if (MW_CHECK(mw_fixture_text(text, &own)) &&
        MW_OKAY(mw_rom_set_parameter(&rom, 0, at[k][0], &err)) &&
        MW_OKAY(mw_rom_set_parameter(&rom, 1, at[k][1], &err)) &&
        beside_full(&f, &rom, &own, &apart, &most)) {
      printf("c = %g, payload %g: runs differ by %.1e of %.2g m\n", at[k][0], at[k][1],
             apart / most, most);
      MW_WITHIN(apart / most, 0.0, 2.0 * TOLERANCE, "what the certificate promises");
      MW_CHECK(most > 1e-4);
    }
    mw_fixture_free(&own);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void the_certificate_judges_the_range_and_the_file_brings_it_back(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 }, back = { 0 };
  mw_error err = { 0 };
  char path[64];
  snprintf(path, sizeof path, "/tmp/test_parameter_dampers.%ld.nc", (long)getpid());
  if (reduced(MIDDLE, 0.3, "  parameters: { c: [1000, 4000] }\n", &f, &rom)) {
    mw_verdict v[MW_VERDICTS];
    bool judged = false;
    int n = mw_certificate_verdicts(&rom.certificate, v);
    for (int i = 0; i < n; i++)
      if (strcmp(v[i].key, "parameters_damping") == 0) {
        printf("damping forces over the range: %.2e\n", v[i].error);
        judged = v[i].met && v[i].error > 0.0 && strstr(v[i].at, "c = ");
      }
    MW_CHECK(judged && rom.certificate.range.n == 4);
    if (MW_OKAY(mw_rom_file_write(&rom, path, &err)) &&
        MW_OKAY(mw_rom_file_read(path, &back, &err)) &&
        MW_OKAY(mw_rom_set_parameter(&rom, 0, HI, &err)) &&
        MW_OKAY(mw_rom_set_parameter(&back, 0, HI, &err))) {
      MW_CHECK(back.parameter[0].field == -1 && back.parameter[0].mass == 0.0);
      MW_SAME_BITS(rom.rom.coef, back.rom.coef, mw_rom_bytes(&back.rom) / sizeof(double));
      MW_OKAY(mw_rom_set_parameter(&back, 0, MIDDLE, &err));
      MW_CHECK(back.rom.coef == back.made_coef && !back.parameter_note);
    }
    (void)remove(path);
  }
  mw_rom_file_free(&back);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "at_any_value_it_is_the_reduction_made_there", at_any_value_it_is_the_reduction_made_there },
    { "beside_a_payload_it_runs_as_the_mechanism_does",
      beside_a_payload_it_runs_as_the_mechanism_does },
    { "the_certificate_judges_the_range_and_the_file_brings_it_back",
      the_certificate_judges_the_range_and_the_file_brings_it_back },
  };
  return mw_test_run("parameter_dampers", cases, (int)(sizeof cases / sizeof *cases));
}
