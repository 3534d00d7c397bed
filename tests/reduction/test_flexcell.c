// SPDX-License-Identifier: BSD-3-Clause
// test_flexcell.c: runners of a point and of a length on elastic guides, one of which slides
// itself: the machine of cases/flexcell.yaml at nine places against tables made by other means.
//
// References tests/references/R22_flexcell_*.csv: Timoshenko finite elements with nodes under every
// runner, Cowper's shear factor. Point runners are known there to 2e-6; runners of 30 mm, the plain
// mean over that length, to 7e-4 of the frequencies and 2e-4 of the compliances (their own mesh,
// halved).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"

enum { N_PLACE = 9, N_MODE = 6, N_COLUMN = 11 };

static const double PI = 3.14159265358979323846;

// St Venant's torsion constant of a rectangle a > b
static double torsion(double a, double b)
{
  double sum = 0.0;
  for (int n = 1; n < 40; n += 2) sum += tanh(n * PI * a / (2.0 * b)) / pow(n, 5.0);
  return a * b * b * b / 3.0 * (1.0 - 192.0 * b / a / pow(PI, 5.0) * sum);
}

// A section of width w along its y, height h along its z, with Cowper's factor
static void section(double w, double h, double nu, char *text, size_t n)
{
  double k = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
  snprintf(
      text, n, "{ general: { A: %.17g, Iy: %.17g, Iz: %.17g, It: %.17g, ky: %.17g, kz: %.17g } }",
      w * h, w * h * h * h / 12.0, h * w * w * w / 12.0, torsion(fmax(w, h), fmin(w, h)), k, k);
}

// Four runners at -a, a along and -c, c across
static void runners(double a, int axis, double c, double length, char *text, size_t n)
{
  size_t at = 0;
  for (int k = 0; k < 4 && at < n; k++) {
    double shift[3] = { 0.0, 0.0, 0.0 };
    shift[axis] = k % 2 ? c : -c;
    at += (size_t)snprintf(text + at, n - at,
                           "%s{ offset: %g, shift: [%g, %g, %g], length: %g, stiffness: 2e8 }",
                           k > 0 ? ", " : "", k < 2 ? -a : a, shift[0], shift[1], shift[2], length);
  }
}

static bool build(int fine, double length, mw_fixture *f)
{
  static const char *const format =
      "modeway: 1\n"
      "name: flexcell\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 }, steel: { E: 210e9, nu: 0.3, rho: 7850 "
      "} }\n"
      "sections:\n  rail: %s\n  bar: %s\n"
      "bodies:\n"
      "  frame:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { l: [0, 0, 1], r: [1.5, 0, 1] }\n"
      "      members: [{ from: l, to: r, section: rail, material: steel, elements: %d }]\n"
      "    supports: [{ nodes: l }, { nodes: r }]\n"
      "    guides: { x: { from: l, to: r, normal: [0, 0, 1] } }\n"
      "  carriage:\n"
      "    at: [0.75, 0, 1]\n"
      "    rigid: { mass: 8, inertia: [0.05, 0.05, 0.05, 0, 0, 0] }\n"
      "    frames: { c: { point: [0, 0.1, 0] } }\n"
      "  beam:\n"
      "    at: [0.75, 0.1, 0.3]\n"
      "    beams:\n"
      "      points: { tool: [0, 0, 0], top: [0, 0, 1.2] }\n"
      "      members: [{ from: tool, to: top, section: bar, material: alu, elements: %d, up: [1, "
      "0, 0] }]\n"
      "    guides: { z: { from: tool, to: top, normal: [1, 0, 0] } }\n"
      "    frames: { tool: { node: tool, mass: 2, inertia: [5e-3, 5e-3, 5e-3, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { slide: { guide: frame.x, on: carriage, runners: [%s] }, coordinate: x }\n"
      "  z: { slide: { guide: beam.z, on: carriage.c, runners: [%s] }, coordinate: z }\n"
      "outputs: { tool: { frame: beam.tool } }\n"
      "reduction: { coordinates: { x: [0.2, 1.3], z: [0.3, 1.0] }, modes: { count: 4 } }\n";
  char rail[256], bar[256], on_rail[512], on_bar[512], text[4096];
  section(0.08, 0.12, 0.3, rail, sizeof rail);
  section(0.04, 0.02, 0.33, bar, sizeof bar);
  runners(0.06, 2, 0.03, length, on_rail, sizeof on_rail);
  runners(0.08, 2, 0.02, length, on_bar, sizeof on_bar);
  int n = snprintf(text, sizeof text, format, rail, bar, 40 * fine, 60 * fine, on_rail, on_bar);
  return n > 0 && n < (int)sizeof text && mw_fixture_text(text, f);
}

// rows x, z, f1 … f6, Cxx, Cyy, Czz
static int read_table(const char *name, double row[N_PLACE][N_COLUMN])
{
  char path[512], line[1024];
  snprintf(path, sizeof path, "%s/references/R22_flexcell_%s.csv", MW_TESTS_DIR, name);
  FILE *f = fopen(path, "r");
  int n = 0;
  if (!MW_CHECK(f != NULL)) return 0;
  while (n < N_PLACE && fgets(line, sizeof line, f)) {
    char *p = line, *end = line;
    int k = 0;
    for (; k < N_COLUMN; k++, p = end + 1) {
      row[n][k] = strtod(p, &end);
      if (end == p) break;
    }
    n += k == N_COLUMN;
  }
  fclose(f);
  return n;
}

static void compliance(const mw_fixture *f, const double *theta, double C[3])
{
  static const char *const name[3] = { "pattern tool.x", "pattern tool.y", "pattern tool.z" };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_statics s = { 0 };
  C[0] = C[1] = C[2] = NAN;
  if (MW_OKAY(mw_direct_statics(&f->model, &f->mech, theta, &mem, &s, &err)))
    for (int k = 0; k < s.n; k++)
      for (int i = 0; i < 3; i++)
        if (strcmp(s.name[k], name[i]) == 0) C[i] = s.compliance[k];
  mw_arena_free(&mem);
}

static void compare(const char *table, int fine, double length, double tol_f, const double tol_C[3])
{
  mw_fixture f;
  double row[N_PLACE][N_COLUMN], worst[4] = { 0.0 };
  mw_error err = { 0 };
  if (!MW_CHECK(read_table(table, row) == N_PLACE) || !MW_CHECK(build(fine, length, &f))) return;
  for (int k = 0; k < N_PLACE; k++) {
    mw_arena mem = { 0 };
    double *hz = NULL, C[3];
    if (MW_OKAY(mw_direct_modes(&f.mech, row[k], N_MODE, 0, &mem, &hz, NULL, NULL, &err)))
      for (int i = 0; i < N_MODE; i++) {
        MW_NEAR(hz[i], row[k][2 + i], tol_f * row[k][2 + i]);
        worst[0] = fmax(worst[0], fabs(hz[i] / row[k][2 + i] - 1.0));
      }
    compliance(&f, row[k], C);
    for (int i = 0; i < 3; i++) {
      MW_NEAR(C[i], row[k][8 + i], tol_C[i] * row[k][8 + i]);
      worst[1 + i] = fmax(worst[1 + i], fabs(C[i] / row[k][8 + i] - 1.0));
    }
    mw_arena_free(&mem);
  }
  printf("%s, %d elements: frequencies %.1e, compliances %.1e %.1e %.1e\n", table, 40 * fine,
         worst[0], worst[1], worst[2], worst[3]);
  mw_fixture_free(&f);
}

// What a runner within an element loses of it: of the bending l³/192 EI, of the shear l/4 κGA at
// most (guide_beam.c); the rail, 0.12 m high, has elements of 37.5 mm: 1.4e-11 m/N of shear a
// runner, four of them under a compliance of 2.7e-8 m/N along z, 9e-6 m/N along the others; the
// drive's own point along the beam loses l/4 EA, 9e-11 m/N at 20 mm, of the z compliance 3e-3 at
// most.
static void point_runners_agree_with_nodes_under_them(void)
{
  compare("point", 1, 0.0, 2e-4, (const double[3]){ 1e-4, 1e-4, 3e-3 });
  compare("point", 2, 0.0, 1e-4, (const double[3]){ 5e-5, 5e-5, 1.5e-3 });
}

// The reference errs by 7e-4 of the frequencies, 2e-4 of the compliances; what runners lose, as
// above.
static void runners_of_a_length_take_the_mean_over_it(void)
{
  compare("uniform30mm", 1, 0.03, 1.5e-3, (const double[3]){ 5e-4, 5e-4, 3e-3 });
  compare("uniform30mm", 2, 0.03, 1e-3, (const double[3]){ 5e-4, 5e-4, 1.5e-3 });
}

static const mw_test_case cases[] = {
  { "point_runners_agree_with_nodes_under_them", point_runners_agree_with_nodes_under_them },
  { "runners_of_a_length_take_the_mean_over_it", runners_of_a_length_take_the_mean_over_it },
};

int main(void) { return mw_test_run("flexcell", cases, (int)(sizeof cases / sizeof *cases)); }
