// SPDX-License-Identifier: BSD-3-Clause
// test_patterns.c: static patterns that turn, vanish or cannot be followed: reduced against direct
// compliance off the grid.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "rom/step.h"

static int column_of(const mw_rom_file *f, const char *name)
{
  for (int k = 0; k < f->rom.m; k++)
    if (strncmp(f->column[k], name, strlen(name)) == 0) return k;
  return -1;
}

static int field_of(const mw_rom_file *f, const char *name)
{
  for (int k = 0; k < f->rom.n_y; k++)
    if (strcmp(f->field[k], name) == 0) return k;
  return -1;
}

static double direct_compliance(const mw_statics *s, const char *name)
{
  for (int k = 0; k < s->n; k++)
    if (strcmp(s->name[k] + strlen("pattern "), name) == 0) return s->compliance[k];
  return NAN;
}

// Largest error of the compliance of a load, field and pattern of the same name, over the largest
// of `all`, at n configurations.
static double static_error(mw_fixture *f, const mw_rom_file *rom, int n, const char *const *load,
                           int n_load, const char *const *field)
{
  static double v[4096];
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom->rom));
  int m = rom->rom.m;
  double worst = 0.0, most = 0.0;
  if (!MW_CHECK(rom->rom.n_field <= 4096)) return NAN;
  for (int k = 0; k < n; k++) {
    double theta[MW_ROM_MAX_S], K[400], x[20];
    mw_statics s = { 0 };
    mw_error err = { 0 };
    for (int i = 0; i < rom->rom.s; i++) {
      double h = fmod(0.37 + (k + 1) * (i == 0 ? 0.6180339887 : 0.7548776662), 1.0);
      theta[i] = rom->rom.lo[i] + (rom->rom.hi[i] - rom->rom.lo[i]) * h;
    }
    if (!MW_OKAY(mw_direct_statics(&f->model, &f->mech, theta, &f->mem, &s, &err))) return NAN;
    MW_CHECK(mw_rom_fields(&rom->rom, theta, v, NULL, NULL) == MW_ROM_OK);
    for (int l = 0; l < n_load; l++) {
      int y = field_of(rom, field[l]);
      if (!MW_CHECK(y >= 0 && m <= 20)) return NAN;
      const double *y1 = v + L.y + y * (1 + m) + 1;
      double F = 0.0, want = direct_compliance(&s, load[l]);
      // y1 K⁻¹ y1ᵀ by Cholesky: |L⁻¹ y1|²
      for (int a = 0; a < m; a++) {
        x[a] = y1[a];
        for (int b = 0; b <= a; b++) {
          double q = v[L.K + a * (a + 1) / 2 + b];
          for (int c = 0; c < b; c++) q -= K[a * m + c] * K[b * m + c];
          K[a * m + b] = a == b ? sqrt(q) : q / K[b * m + b];
          if (b < a) x[a] -= K[a * m + b] * x[b];
        }
        x[a] /= K[a * m + a];
        F += x[a] * x[a];
      }
      most = fmax(most, want);
      if (!(fabs(F - want) <= worst)) worst = fabs(F - want);
    }
  }
  return worst / most;
}

// ---- an arm that turns --------------------------------------------------------------------------

// Flat and clamped to a cyclic angle, a point load in ground axes at its tip: the pattern of tip.x
// is that of tip.y a quarter of a turn later, and each vanishes (but for 1e-6) where the load
// points along the arm.
static void loads_in_ground_axes_on_a_body_that_turns_are_kept_as_a_span(void)
{
  static const char *const load[] = { "tip.x", "tip.y", "tip.z" };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  const char *text =
      "modeway: 1\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { bar: { rectangle: { width: 0.03, height: 0.05 } } }\n"
      "bodies:\n"
      "  arm: { beams: { points: { a: [0, 0, 0], b: [0.6, 0, 0] }, members: [{ from: a, to: b,\n"
      "           section: bar, material: alu, elements: 6 }] },\n"
      "         frames: { a: { node: a }, b: { node: b, mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, "
      "0, 0] } } }\n"
      "joints:\n"
      "  q: { revolute: { a: ground, b: arm.a, axis: [0, 0, 1] }, coordinate: q, drive: motor }\n"
      "outputs: { tip: { frame: arm.b } }\n"
      "reduction:\n"
      "  coordinates: { q: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
      "points: 9 } }\n"
      "  modes: { count: 3 }\n"
      "  tolerance: 1e-3\n";
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(column_of(&rom, "patterns tip.") >= 0);
    MW_CHECK(rom.certificate.n_lost == 0 && rom.lost == NULL);
    // the columns are the same at all angles; their rows y1, of cos q and sin q, are splines of n
    // points: each errs by 5/384 h⁴, a compliance by twice that
    double h = 2.0 * acos(-1.0) / (rom.rom.n_grid[0] - 1);
    MW_NEAR(static_error(&f, &rom, 40, load, 3, load), 0.0, 2.0 * 5.0 / 384.0 * pow(h, 4) + 1e-8);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A stick hangs on the end of an arm that turns about the vertical, and swings: beside the load on
// the arm's end that on the stick's bends it, but where it hangs straight it stretches it alone,
// 1e-4 as much. Followed by itself its pattern would turn into the stiff one and back between
// neighbours, and K between them with it, whose spline is negative there.
static void loads_at_both_ends_of_a_stick_that_swings_are_kept_as_a_span(void)
{
  static const char *const load[] = { "tip.x", "tip.y", "tip.z", "elbow.x", "elbow.y", "elbow.z" };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  const char *text =
      "modeway: 1\n"
      "materials: { st: { E: 2.05e11, nu: 0.29, rho: 7800 } }\n"
      "sections: { arm: { tube: { diameter: 0.04, wall: 0.003 } }, "
      "stick: { circle: { diameter: 0.012 } } }\n"
      "bodies:\n"
      "  arm: { beams: { points: { a: [0, 0, 0], b: [0.7, 0, 0.1] },\n"
      "         members: [{ from: a, to: b, section: arm, material: st, elements: 6 }] },\n"
      "         frames: { a: { node: a }, b: { node: b } } }\n"
      "  stick: { at: [0.7, 0, 0.1], beams: { points: { a: [0, 0, 0], b: [0, 0, -0.3] }, members:\n"
      "         [{ from: a, to: b, section: stick, material: st, elements: 4, up: [1, 0, 0] }] },\n"
      "         frames: { a: { node: a }, b: { node: b, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3, 0, "
      "0, 0] } } }\n"
      "joints:\n"
      "  yaw: { revolute: { a: ground, b: arm.a, axis: [0, 0, 1] }, coordinate: yaw, drive: m }\n"
      "  sw: { revolute: { a: arm.b, b: stick.a, axis: [1, 0, 0] }, coordinate: sw }\n"
      "outputs: { tip: { frame: stick.b }, elbow: { frame: arm.b } }\n"
      "reduction:\n"
      "  coordinates:\n"
      "    yaw: { range: [0, 1], points: 5 }\n"
      "    sw: { range: [-1.2, 1.2], points: 9 }\n"
      "  modes: { count: 5 }\n"
      "  certificate: { samples: 8, points: 2 }\n";
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    int k = column_of(&rom, "patterns elbow.");
    MW_CHECK(k >= 0 && strstr(rom.column[k], "tip.z") && rom.certificate.n_lost == 0);
    // as above, splines in two angles
    double h[2];
    for (int i = 0; i < 2; i++) h[i] = (rom.rom.hi[i] - rom.rom.lo[i]) / (rom.rom.n_grid[i] - 1);
    MW_NEAR(static_error(&f, &rom, 40, load, 6, load), 0.0,
            2.0 * 5.0 / 384.0 * (pow(h[0], 4) + pow(h[1], 4)) + 1e-8);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A round shaft with a ball at its end, oblique in ground axes: every mode in bending is double,
// its two columns any two of a plane, and what a load leaves beside them is small and turns.
static void double_modes_and_loads_of_an_oblique_shaft_close_after_a_turn(void)
{
  static const char *const load[] = { "end.x", "end.y", "end.z" };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  const char *text =
      "modeway: 1\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { shaft: { circle: { diameter: 0.024 } } }\n"
      "bodies:\n"
      "  rotor: { beams: { points: { a: [0, 0, 0], b: [0.3, 0.4, 0] }, members: [{ from: a, to: "
      "b,\n"
      "             section: shaft, material: steel, elements: 8 }] },\n"
      "           frames: { a: { node: a }, b: { node: b, mass: 5, inertia: [0.03, 0.03, 0.03, 0, "
      "0, 0] } } }\n"
      "joints:\n"
      "  q: { revolute: { a: ground, b: rotor.a, axis: [0.6, 0.8, 0] }, coordinate: q, drive: "
      "motor }\n"
      "outputs: { end: { frame: rotor.b } }\n"
      "reduction:\n"
      "  coordinates: { q: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
      "points: 17 } }\n"
      "  modes: { count: 4 }\n"
      "  tolerance: 1e-3\n";
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(rom.rom.m >= 5 &&
             strncmp(rom.column[4], "mode 5", 6) == 0);  // torsion between two pairs
    MW_CHECK(rom.certificate.n_lost == 0);
    double h = 2.0 * acos(-1.0) / (rom.rom.n_grid[0] - 1);
    MW_NEAR(static_error(&f, &rom, 40, load, 3, load), 0.0, 2.0 * 5.0 / 384.0 * pow(h, 4) + 1e-8);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// ---- what is lost -------------------------------------------------------------------------------

// Five points along a beam are too few to follow what a cart's load leaves beside the modes.
static void a_pattern_that_is_lost_is_named_and_is_a_miss(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char advice[256];
  if (!MW_CHECK(mw_fixture_beam("SS", 24, 0.5, 0.0, 5, 1, "  tolerance: 1e-3\n", &f))) return;
  f.model.reduction.coordinate[0].refine = 1;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_CHECK(rom.certificate.n_lost > 0 && rom.lost != NULL)) {
    MW_CHECK(strstr(rom.lost, "pattern cart.z: ") != NULL && strstr(rom.lost, " x = ") != NULL);
    MW_CHECK(!mw_certificate_met(&rom.certificate));
    mw_certificate_advice(&rom, advice, sizeof advice);
    MW_CHECK(advice[0] != '\0');
    // that alone is enough
    mw_certificate c = { .tolerance = 1e-3, .n_lost = 1 };
    MW_CHECK(!mw_certificate_met(&c));
    c.n_lost = 0;
    MW_CHECK(mw_certificate_met(&c));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static bool says(const char *text, const char *name) { return text && strstr(text, name); }

// Two carriages on one beam, whose loads vanish at supports and coincide where they meet: of each
// candidate it is said whether it is a column, alone or with others, held by other columns, not
// followed, or lost; the same from the file. Where the ranges keep them apart none is lost.
static void every_pattern_is_accounted_for(void)
{
  static const char *const name[] = { "one.x",          "one.y",          "one.z",
                                      "two.x",          "two.y",          "two.z",
                                      "acceleration p", "acceleration q", "gravity" };
  static const char *const format =
      "modeway: 1\ngravity: [0, 0, -9.81]\n"
      "materials: { alu: { E: 7e10, nu: 0.33, rho: 2700 } }\n"
      "sections: { box: { rectangle: { width: 0.05, height: 0.05 } } }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [{ from: a, to: b, section: box, material: alu, elements: 12 }]\n"
      "    supports: [{ nodes: a, dofs: [x, y, z, rx, rz] }, { nodes: b, dofs: [y, z] }]\n"
      "    guides: { rail: { from: a, to: b } }\n"
      "  one: { at: [0.3, 0, 0], rigid: { mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
      "  two: { at: [0.7, 0, 0], rigid: { mass: 4, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
      "joints:\n"
      "  p: { slide: { guide: beam.rail, on: one, orientation: fixed }, coordinate: p, drive: mp "
      "}\n"
      "  q: { slide: { guide: beam.rail, on: two, orientation: fixed }, coordinate: q, drive: mq "
      "}\n"
      "outputs: { one: { body: one }, two: { body: two } }\n"
      "reduction:\n"
      "  coordinates:\n"
      "    p: { range: [%s], points: 9 }\n"
      "    q: { range: [%s], points: 9 }\n"
      "  modes: { count: 3 }\n"
      "  certificate: { samples: 8, points: 2 }\n";
  for (int apart = 0; apart < 2; apart++) {
    mw_fixture f = { 0 };
    mw_rom_file rom = { 0 }, read = { 0 };
    mw_error err = { 0 };
    char text[4096], advice[320], path[] = "/tmp/mw_patterns_XXXXXX";
    int fd = mkstemp(path);
    snprintf(text, sizeof text, format, apart ? "0.05, 0.45" : "0, 1",
             apart ? "0.55, 0.95" : "0, 1");
    if (!MW_CHECK(fd >= 0) || !MW_CHECK(mw_fixture_text(text, &f)) ||
        !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) ||
        !MW_OKAY(mw_rom_file_write(&rom, path, &err)) ||
        !MW_OKAY(mw_rom_file_read(path, &read, &err)))
      return;
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
      int columns = 0;
      for (int a = rom.n_modes; a < rom.rom.m; a++) columns += says(rom.column[a], name[k]);
      int places = (columns > 0) + says(rom.held, name[k]) + says(rom.given_up, name[k]) +
                   says(rom.lost, name[k]);
      if (!MW_CHECK(places == 1)) printf("%s stands in %d places\n", name[k], places);
    }
    MW_CHECK((rom.lost != NULL) == !apart && (rom.certificate.n_lost > 0) == !apart);
    MW_CHECK(!rom.held == !read.held && (!rom.held || strcmp(rom.held, read.held) == 0));
    MW_CHECK(!rom.given_up == !read.given_up &&
             (!rom.given_up || strcmp(rom.given_up, read.given_up) == 0));
    mw_certificate_advice(&rom, advice, sizeof advice);
    MW_CHECK(says(advice, "static patterns are lost") == !apart);
    printf("two carriages, ranges %s: held by others: %s; not followed: %s; lost: %s\n",
           apart ? "apart" : "the same", rom.held ? rom.held : "-",
           rom.given_up ? rom.given_up : "-", rom.lost ? rom.lost : "-");
    close(fd);
    unlink(path);
    mw_rom_file_free(&read);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// A force at the root of a cantilever bends nothing, and is the only load: no other says how large
// rounding is.
static void loads_that_are_held_entirely_have_no_column(void)
{
  static const char text[] =
      "modeway: 1\nname: held\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { r: { rectangle: { width: 0.02, height: 0.01 }, shear: false, rotary: false } }\n"
      "bodies:\n"
      "  sled: { rigid: { mass: 5, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
      "  beam:\n"
      "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },\n"
      "             members: [ { from: a, to: b, section: r, material: alu, elements: 8 } ] }\n"
      "    frames: { a: { node: a } }\n"
      "joints:\n"
      "  y: { prismatic: { a: ground, b: sled, axis: [0, 1, 0.3] }, coordinate: y, drive: m }\n"
      "  foot: { fixed: { a: sled, b: beam.a } }\n"
      "outputs: { foot: { frame: beam.a } }\n"
      "reduction: { coordinates: { y: [-0.2, 0.2] }, modes: { count: 3 } }\n";
  // EI/(rho A) = E h²/12 rho, bending across h = 0.01 m; Hermite's elements of h = L/8 add
  // (1.875 h/L)⁴/1440 to the frequency
  const double beta = 1.8751040687119611, c2 = 70e9 * 1e-4 / (12.0 * 2700.0),
               coarse = pow(beta / 8.0, 4.0) / 1440.0, theta[1] = { 0.03 };
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  double value[512];
  if (!MW_CHECK(mw_fixture_text(text, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  MW_CHECK(column_of(&rom, "pattern foot") < 0 && mw_certificate_met(&rom.certificate));
  if (MW_CHECK(rom.rom.n_field <= 512) &&
      MW_CHECK(mw_rom_fields(&rom.rom, theta, value, NULL, NULL) == MW_ROM_OK)) {
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
    double of = beta * beta * sqrt(c2), is = sqrt(value[L.K]);
    MW_NEAR(is, of * (1.0 + coarse), 0.1 * coarse * of);  // of next order, (h/L)⁶
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "loads_in_ground_axes_on_a_body_that_turns_are_kept_as_a_span",
      loads_in_ground_axes_on_a_body_that_turns_are_kept_as_a_span },
    { "loads_at_both_ends_of_a_stick_that_swings_are_kept_as_a_span",
      loads_at_both_ends_of_a_stick_that_swings_are_kept_as_a_span },
    { "double_modes_and_loads_of_an_oblique_shaft_close_after_a_turn",
      double_modes_and_loads_of_an_oblique_shaft_close_after_a_turn },
    { "a_pattern_that_is_lost_is_named_and_is_a_miss",
      a_pattern_that_is_lost_is_named_and_is_a_miss },
    { "every_pattern_is_accounted_for", every_pattern_is_accounted_for },
    { "loads_that_are_held_entirely_have_no_column", loads_that_are_held_entirely_have_no_column },
  };
  return mw_test_run("patterns", cases, (int)(sizeof cases / sizeof *cases));
}
