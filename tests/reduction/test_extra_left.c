// SPDX-License-Identifier: BSD-3-Clause
// test_extra_left.c: which terms of second order and of convective damping a model does without
// (extra_left.c), around the threshold: a damped boom pushed along its axis through two bearings.
//
// The model that declares nothing keeps every term. From its fields at the points of its table the
// test finds, by eigenvalues of (X, K) or of (XᵀK⁻¹X, K), at which acceleration or rate a term
// reaches the tolerance; models that declare a little less and a little more must leave it out and
// keep it, and forces of the former may err by no more than the tolerance of the elastic ones.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom/step.h"

enum { MOST = 16 };  // columns
static const double TOLERANCE = 1e-3;

static double place(const mw_rom *rom, int g)
{
  return rom->lo[0] + (rom->hi[0] - rom->lo[0]) * g / (rom->n_grid[0] - 1);
}

static const char *const BOOM =
    "modeway: 1\n"
    "name: boom\n"
    "gravity: [0, 0, 0]\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.04, height: 0.02 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  base: { ground: true, rigid: { mass: 0 }, frames: { bearing: { point: [0, 0, 0] } } }\n"
    "  boom:\n"
    "    at: [-0.6, 0, 0]\n"
    "    beams:\n"
    "      points: { back: [0, 0, 0], end: [1.6, 0, 0] }\n"
    "      members: [ { from: back, to: end, section: bar, material: alu, elements: 32 } ]\n"
    "    guides: { rail: { from: back, to: end, normal: [0, 0, 1] } }\n"
    "    frames: { end: { node: end, mass: 3, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0] } }\n"
    "joints:\n"
    "  s:\n"
    "    slide:\n"
    "      guide: boom.rail\n"
    "      on: base.bearing\n"
    "      orientation: free\n"
    "      runners:\n"
    "        - { offset: -0.12, shift: [0, 0, -0.02], length: 0.06, stiffness: 1e7 }\n"
    "        - { offset: -0.12, shift: [0, 0, 0.02], length: 0.06, stiffness: 1e7 }\n"
    "        - { offset: 0.12, shift: [0, 0, -0.02], length: 0.06, stiffness: 1e7 }\n"
    "        - { offset: 0.12, shift: [0, 0, 0.02], length: 0.06, stiffness: 1e7 }\n"
    "    coordinate: s\n"
    "    drive: motor\n"
    "damping: { beta: 1e-4 }\n"
    "outputs: { end: { frame: boom.end } }\n"
    "reduction:\n"
    "  coordinates: { s: { range: [0.3, 1.25], points: 9%s } }\n"
    "  modes: { count: 3 }\n"
    "  tolerance: 1e-3\n"
    "  certificate: { points: 1, samples: 0 }\n"
    "%s";

// The reduced boom with what is declared of s, and of the reduction.
static bool reduced(const char *of_s, const char *of_all, mw_fixture *f, mw_rom_file *rom)
{
  char text[4096];
  mw_error err = { 0 };
  *rom = (mw_rom_file){ 0 };
  snprintf(text, sizeof text, BOOM, of_s, of_all);
  return MW_CHECK(mw_fixture_text(text, f)) &&
         MW_OKAY(mw_reduce(&f->model, &f->mech, NULL, rom, &err)) &&
         MW_CHECK(rom->rom.s == 1 && rom->rom.m <= MOST);
}

static void release(mw_fixture *f, mw_rom_file *rom)
{
  mw_rom_file_free(rom);
  mw_fixture_free(f);
}

static void unpack(int m, const double *x, double *A)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) A[a * m + b] = A[b * m + a] = x[a * (a + 1) / 2 + b];
}

// Largest share of K over the points of the table: of H by eigenvalues of (H, K), else of CE by
// those of (CEᵀ K⁻¹ CE, K).
static double share(const mw_rom *rom, bool of_H)
{
  static double v[8192];
  double K[MOST * MOST], X[MOST * MOST], Y[MOST * MOST], V[MOST * MOST], w[MOST], most = 0.0;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(rom));
  int m = rom->m;
  if (!MW_CHECK(rom->n_field <= 8192)) return NAN;
  for (int g = 0; g < rom->n_grid[0]; g++) {
    double theta = place(rom, g);
    MW_CHECK(mw_rom_fields(rom, &theta, v, NULL, NULL) == MW_ROM_OK);
    unpack(m, v + l.K, K);
    if (of_H) {
      unpack(m, v + l.H, X);
    } else {
      MW_CHECK(mw_chol_factor(m, K, NULL) == MW_OK);
      memcpy(Y, v + l.CE, (size_t)(m * m) * sizeof *Y);
      mw_chol_solve(m, K, m, Y);
      mw_gemm('t', 'n', m, m, m, 1.0, v + l.CE, Y, 0.0, X);
      unpack(m, v + l.K, K);
    }
    MW_CHECK(mw_eig_gen(m, X, K, w, V, NULL) == MW_OK);
    double largest = fmax(fabs(w[0]), fabs(w[m - 1]));
    most = fmax(most, of_H ? largest : sqrt(largest));
  }
  return most;
}

static bool names(const mw_rom_file *rom, const char *what)
{
  return rom->left_out && strstr(rom->left_out, what);
}

// Largest |K^-½ (r - r')| / |K^½ δ| over these points and deflections: forces of two models at
// acceleration a, rate v.
static double force_error(const mw_rom *x, const mw_rom *y, double a, double v)
{
  static double fields[8192], work[2][65536];
  static const double u[1] = { 0.0 };
  double most = 0.0, K[MOST * MOST], d[MOST];
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(x));
  mw_rom_opt opt = mw_rom_opt_default();
  int m = x->m, n = m + 1;
  opt.prescribed = 1;
  if (!MW_CHECK(x->m == y->m && mw_rom_work_bytes(x) <= sizeof work[0] &&
                mw_rom_work_bytes(y) <= sizeof work[1]))
    return NAN;
  for (int g = 0; g < x->n_grid[0]; g++)
    for (int k = 0; k < 2 * m; k++) {
      double s[2 * (MOST + 1)] = { 0 }, acc[2][MOST + 1], energy = 0.0;
      s[0] = place(x, g);
      s[n] = v;
      for (int b = 0; b < m; b++)
        s[1 + b] = k < m ? (b == k) * 1e-6 : 1e-6 * sin(1.7 * k + 2.3 * b);
      MW_CHECK(mw_rom_fields(x, s, fields, NULL, NULL) == MW_ROM_OK);
      unpack(m, fields + l.K, K);
      for (int b = 0; b < m; b++)
        for (int c = 0; c < m; c++) energy += s[1 + b] * K[b * m + c] * s[1 + c];
      MW_CHECK(
          mw_rom_rhs(&(mw_rom_call){ .rom = x, .opt = &opt, .u = u, .thdd_p = &a, .work = work[0] },
                     s, acc[0]) == MW_ROM_OK);
      MW_CHECK(
          mw_rom_rhs(&(mw_rom_call){ .rom = y, .opt = &opt, .u = u, .thdd_p = &a, .work = work[1] },
                     s, acc[1]) == MW_ROM_OK);
      for (int b = 0; b < m; b++) d[b] = acc[0][1 + b] - acc[1][1 + b];
      MW_CHECK(mw_chol_factor(m, K, NULL) == MW_OK);
      double r[MOST], size = 0.0;
      memcpy(r, d, sizeof r);
      mw_chol_solve(m, K, 1, r);
      for (int b = 0; b < m; b++) size += d[b] * r[b];
      most = fmax(most, sqrt(size / energy));
    }
  return most;
}

static void an_acceleration_counts_from_the_tolerance_on(void)
{
  mw_fixture f, f1, f2;
  mw_rom_file all, less, more;
  char text[80];
  bool good = reduced("", "", &f, &all);
  double a = good ? TOLERANCE / share(&all.rom, true) : NAN;
  MW_CHECK(good && (all.rom.parts & MW_ROM_H) && !names(&all, "acceleration"));
  snprintf(text, sizeof text, ", max_acceleration: %.17g", 0.999 * a);
  good = reduced(text, "", &f1, &less) && good;
  snprintf(text, sizeof text, ", max_acceleration: %.17g", 1.001 * a);
  good = reduced(text, "", &f2, &more) && good;
  MW_CHECK(!(less.rom.parts & MW_ROM_H) && names(&less, "acceleration of s"));
  MW_CHECK((more.rom.parts & MW_ROM_H) && !names(&more, "acceleration of s"));
  // what is left out, at rest: a H δ against K δ; rounding of accelerations of 1e-6 K over 1e-3 of
  // it
  if (good) {
    double e = force_error(&all.rom, &less.rom, 0.999 * a, 0.0);
    MW_NEAR(e, 0.0, TOLERANCE * (1.0 + 1e-6));
    MW_CHECK(e > 0.5 * TOLERANCE);  // columns and combinations of them come near the worst
    MW_CHECK(force_error(&all.rom, &more.rom, 0.999 * a, 0.0) == 0.0);  // the same model
  }
  release(&f, &all);
  release(&f1, &less);
  release(&f2, &more);
}

// A rate whose damping is left out: with an acceleration that braking is small beside.
static void a_rate_counts_from_the_tolerance_on(void)
{
  mw_fixture f, f1, f2;
  mw_rom_file all, less, more;
  char text[120];
  const char *deflection = "  max_deflection: 1e-5\n";
  bool good = reduced(", max_acceleration: 1e-3", deflection, &f, &all);
  MW_CHECK(good && (all.rom.parts & MW_ROM_CE) && (all.rom.parts & MW_ROM_CC));
  double spent = good ? 1e-3 : NAN, v = NAN;
  release(&f, &all);
  // all of the tolerance but H's share is left for the damping
  good = reduced("", "", &f, &all) && good;
  if (good) {
    spent *= share(&all.rom, true);
    v = (TOLERANCE - spent) / share(&all.rom, false);
  }
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text, ", max_acceleration: 1e-3, max_rate: %.17g",
             (k == 0 ? 0.999 : 1.001) * v);
    good = reduced(text, deflection, k == 0 ? &f1 : &f2, k == 0 ? &less : &more) && good;
  }
  MW_CHECK(!(less.rom.parts & (MW_ROM_CE | MW_ROM_CC)) &&
           names(&less, "damping at the rate of s") && names(&less, "acceleration of s"));
  MW_CHECK((more.rom.parts & MW_ROM_CE) && (more.rom.parts & MW_ROM_CC) &&
           !names(&more, "damping at the rate of s"));
  // H_ss of an axial push is 0: what differs is v CE δ alone
  if (good) {
    double e = force_error(&all.rom, &less.rom, 0.0, 0.999 * v);
    MW_NEAR(e, 0.0, TOLERANCE * (1.0 + 1e-6));
    MW_CHECK(e > 0.2 * TOLERANCE);
  }
  release(&f, &all);
  release(&f1, &less);
  release(&f2, &more);
}

// Without a declared deflection nothing bounds what damping takes from the motion of s.
static void damping_stays_where_no_deflection_is_declared(void)
{
  mw_fixture f;
  mw_rom_file rom;
  if (reduced(", max_rate: 1e-6, max_acceleration: 1", "", &f, &rom))
    MW_CHECK((rom.rom.parts & MW_ROM_CE) && !names(&rom, "damping"));
  release(&f, &rom);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "an_acceleration_counts_from_the_tolerance_on",
      an_acceleration_counts_from_the_tolerance_on },
    { "a_rate_counts_from_the_tolerance_on", a_rate_counts_from_the_tolerance_on },
    { "damping_stays_where_no_deflection_is_declared",
      damping_stays_where_no_deflection_is_declared },
  };
  return mw_test_run("extra_left", cases, (int)(sizeof cases / sizeof *cases));
}
