// SPDX-License-Identifier: BSD-3-Clause
// test_weight.c: the weight's stiffness as an operator against the same projected by second.c;
// frequencies under the weight against the lateral buckling of a blade.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "fem/strain.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "second/second_layer.h"
#include "second/weight_layer.h"

// ---- the operator -------------------------------------------------------------------------------

enum { COLUMNS = 6 };

typedef struct pose {
  mw_fixture f;
  mw_blocks *blocks;
  mw_system *sys;
  mw_config q;
  unsigned char *locked;
  int s, n;
  double *Psi;  // [COLUMNS × n]
  mw_arena mem;
} pose;

static bool open_at(const double *theta, pose *c)
{
  const mw_mech *m = &c->f.mech;
  const mw_reduction_in *in = &c->f.model.reduction;
  mw_error err = { 0 };
  int coord[MW_ROM_MAX_S];
  double lambda[COLUMNS];
  c->s = in->n_coordinate;
  c->locked = mw_arena_alloc(&c->mem, (size_t)m->n_coord, 1);
  for (int i = 0; i < c->s; i++) {
    coord[i] = m->joint[in->coordinate[i].joint].coord;
    c->locked[coord[i]] = 1;
  }
  if (!MW_OKAY(mw_blocks_build(m, 0.0, false, &c->blocks, &err)) ||
      !MW_OKAY(mw_config_at(m, c->locked, c->s, coord, theta, NULL, &c->mem, &c->q, &err)) ||
      !MW_OKAY(mw_system_build(c->blocks, c->locked, false, c->q.p, c->q.s, &c->sys, &err)))
    return false;
  c->n = mw_blocks_size(c->blocks);
  c->Psi = mw_arena_f64(&c->mem, (size_t)COLUMNS * (size_t)c->n);
  return MW_OKAY(mw_system_modes(c->sys, COLUMNS, lambda, c->Psi, &err));
}

static void close_pose(pose *c)
{
  mw_system_free(c->sys);
  mw_blocks_free(c->blocks);
  mw_arena_free(&c->mem);
  mw_fixture_free(&c->f);
}

// G [COLUMNS × COLUMNS] := (1) of second_layer.h on the columns, of gravity or (drive >= 0) a unit
// input, by second.c and the elements
static bool projected(pose *c, int drive, double *G)
{
  const mw_mech *m = &c->f.mech;
  mw_second z;
  mw_error err = { 0 };
  enum { CC = COLUMNS * COLUMNS };
  bool good = MW_OKAY(mw_second_init(m, c->blocks, c->locked, c->s, COLUMNS, 0, &z, &err));
  if (!good) return false;
  mw_second_columns(&z, c->sys, c->Psi);
  good = MW_OKAY(mw_second_loads(&z, c->sys, &c->q, &err)) &&
         MW_OKAY(mw_second_frames(&z, &c->q, &err));
  size_t n = (size_t)c->n;
  double *X = mw_arena_f64(&c->mem, COLUMNS * n), *one = mw_arena_f64(&c->mem, CC);
  for (int k = 0; good && k < z.n_load; k++) {
    if (drive < 0 ? z.load[k].kind != MW_SECOND_REST : z.load[k].input != drive) continue;
    memcpy(G, z.Kg + (size_t)k * CC, CC * sizeof *G);
    double *P = z.P + (size_t)k * n;
    mw_second_split(c->blocks, 1, P, NULL, z.tmp);
    for (int b = 0; good && b < m->n_body; b++) {
      size_t nu = (size_t)m->body[b].n_u, o = (size_t)mw_blocks_offset(c->blocks, b);
      if (nu == 0) continue;
      for (size_t a = 0; a < COLUMNS; a++)
        memcpy(X + a * nu, z.elastic + a * n + o, nu * sizeof *X);
      good = MW_OKAY(mw_body_stress_stiffness(&m->body[b], P + o, COLUMNS, X, one, &err));
      for (int i = 0; i < CC; i++) G[i] += one[i];
    }
  }
  mw_second_free(&z);
  return good;
}

static void compare(pose *c, int drive)
{
  mw_error err = { 0 };
  mw_weight w;
  enum { CC = COLUMNS * COLUMNS };
  double want[CC] = { 0.0 }, is[CC], most = 0.0, off = 0.0;
  double *Y = mw_arena_f64(&c->mem, (size_t)COLUMNS * (size_t)c->n);
  if (!projected(c, drive, want)) return;
  mw_weight_push push = { 0 };
  if (drive >= 0) {
    push.on = c->f.model.drive[drive].on;
    memcpy(push.f, c->f.model.drive[drive].dir, sizeof push.f);
  }
  if (!MW_OKAY(
          mw_weight_build(c->sys, &c->q, &c->f.mech, NULL, drive < 0 ? NULL : &push, &w, &err)))
    return;
  MW_OKAY(mw_weight_mul(&w, COLUMNS, c->Psi, Y, &err));
  mw_weight_free(&w);
  mw_gemm('n', 't', COLUMNS, COLUMNS, c->n, 1.0, c->Psi, Y, 0.0, is);
  for (int i = 0; i < CC; i++) {
    most = fmax(most, fabs(want[i]));
    off = fmax(off, fabs(want[i] - is[i]));
  }
  MW_CHECK(most > 0.0);
  // both difference the rows of joints (second_rows.c: 9e-12 of a row), by other steps
  MW_NEAR(off / most, 0.0, 1e-9);
}

// Beams that turn on joints: frames, rows and stress take part.
static void operator_is_what_second_order_projects(void)
{
  pose c = { 0 };
  if (mw_fixture_machine(NULL, &c.f) && open_at((double[2]){ 0.9, 0.5 }, &c)) compare(&c, -1);
  close_pose(&c);
}

// ---- lateral buckling ---------------------------------------------------------------------------

// A blade h × b (m), clamped, of length 1 m, on a cart that is held; g (m/s²) on a mass of 10 kg at
// its tip. EI about the weak axis and G I_t below.
static double E = 210e9;
static const double NU = 0.3, IZ = 4.266666666666667e-10, IT = 1.6529066946666668e-09;

static bool blade(double g, int divide, pose *c)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "modeway: 1\ngravity: [0, 0, %.17g]\n"
      "materials: { st: { E: %.17g, nu: %.17g, rho: 1, unusual: true } }\n"
      "sections: { s: { general: { A: 3.2e-4, Iy: 1.7066666667e-7, Iz: %.17g, It: %.17g } } }\n"
      "bodies:\n"
      "  base: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  bl:\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], e: [1, 0, 0] }\n"
      "      members: [ { from: a, to: e, section: s, material: st, elements: 32 } ]\n"
      "      divide: %d\n"
      "    frames: { a: { node: a }, e: { node: e, mass: 10, inertia: [0.01, 0.01, 0.01, 0, 0, 0] "
      "} }\n"
      "joints:\n"
      "  x: { prismatic: { a: ground, b: base, axis: [1, 0, 0] }, coordinate: x, drive: m }\n"
      "  f: { fixed: { a: base, b: bl.a } }\n"
      "drives: { side: { force: { on: bl.e, direction: [0, 1, 0] } } }\n"
      "outputs: { tip: { frame: bl.e } }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [-0.5, 0.5], points: 5 } }\n"
      "  modes: { count: 4 }\n"
      "  certificate: { points: 1, samples: 4 }\n",
      -g, E, NU, IZ, IT, divide);
  return MW_CHECK(mw_fixture_text(text, &c->f));
}

// Lowest frequency under the weight squared, below zero beyond buckling
static double square(double g, int divide)
{
  pose c = { 0 };
  mw_error err = { 0 };
  int n = 2;
  double x = 0.0, *hz = NULL, *loaded = NULL, at = 0.0;
  if (blade(g, divide, &c) && MW_OKAY(mw_direct_modes_loaded(&c.f.mech, &at, &n, 0, &c.mem, &hz,
                                                             &loaded, NULL, NULL, &err)))
    x = loaded[0] * fabs(loaded[0]);
  close_pose(&c);
  return x;
}

// Michell, Prandtl 1899: F = 4.0126 √(EI GJ)/L² (Timoshenko, Gere, Theory of Elastic Stability,
// 6.4)
static double critical(void)
{
  double G = E / (2.0 * (1.0 + NU));
  return 4.0126 * sqrt(E * IZ * G * IT) / 10.0;
}

static void blade_buckles_at_the_closed_form(void)
{
  for (int divide = 1; divide <= 4; divide += 3) {
    double a = 0.97 * critical(), b = 1.03 * critical(), fa = square(a, divide),
           fb = square(b, divide);
    MW_CHECK(fa > 0.0 && fb < 0.0);
    for (int i = 0; i < 4; i++) {  // secant: the square is smooth in the load
      double g = a - fa * (b - a) / (fb - fa);
      a = b, fa = fb;
      b = g, fb = square(g, divide);
      if (fabs(b - a) < 1e-8 * b) break;
    }
    // 32 elements err by less than 1e-3 (their h² over 12), the constant is rounded to 1e-5, the
    // blade weighs 3e-5 of the mass
    MW_NEAR(b / critical(), 1.0, 1e-3);
  }
}

static void reduced_blade_sways_as_the_whole_one(void)
{
  pose c = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  double g = 0.7 * critical(), hz[4], at = 0.1, f = sqrt(square(g, 1));
  if (blade(g, 1, &c) && MW_OKAY(mw_reduce(&c.f.model, &c.f.mech, NULL, &rom, &err)) &&
      MW_OKAY(mw_rom_frequencies(&rom, &at, false, 4, hz, &err))) {
    const mw_certificate *z = &rom.certificate;
    MW_WITHIN(hz[0] / f, 1.0, z->tolerance, "the tolerance asked for");
    MW_CHECK(z->n_weight == 11 && !z->weight_buckles);
    MW_CHECK(z->weight_error <= z->tolerance && fabs(hz[0] / f - 1.0) <= 1.01 * z->weight_error);
    bool named = false;
    for (int a = 0; a < rom.rom.m; a++)
      named = named || strncmp(rom.column[a], "pattern weight on mode", 22) == 0;
    MW_CHECK(named);
  }
  mw_rom_file_free(&rom);
  close_pose(&c);
}

static void reduced_blade_that_buckles_is_refused(void)
{
  pose c = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (blade(1.1 * critical(), 1, &c)) {
    MW_CHECK(mw_reduce(&c.f.model, &c.f.mech, NULL, &rom, &err) == MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "buckles under its own weight at x = ") != NULL);
  }
  mw_rom_file_free(&rom);
  close_pose(&c);
}

// A light blade under a tenth of its load needs no column of its own, and certificates say that
// frequencies were compared.
static void columns_are_added_where_they_are_needed(void)
{
  pose c = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (blade(1e-3 * critical(), 1, &c) &&
      MW_OKAY(mw_reduce(&c.f.model, &c.f.mech, NULL, &rom, &err))) {
    for (int a = 0; a < rom.rom.m; a++)
      MW_CHECK(strncmp(rom.column[a], "pattern weight on", 17) != 0);
    MW_CHECK(rom.certificate.n_weight == 11 && rom.certificate.weight_error < 2e-4);
  }
  mw_rom_file_free(&rom);
  close_pose(&c);
}

// A force down at its tip, without weight: the same of second order, and the load where it buckles.
// What the certificate errs by.
static double pushed(double part)
{
  double off = 0.0;
  pose c = { 0 };
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  double u = part * 10.0 * critical();
  if (blade(0.0, 1, &c)) {
    mw_drive_in *d = &c.f.model.drive[0];
    d->dir[1] = 0.0;
    d->dir[2] = -1.0;
    c.f.model.reduction.max_input[0] = u;
    if (MW_OKAY(mw_reduce(&c.f.model, &c.f.mech, NULL, &rom, &err))) {
      const mw_certificate *z = &rom.certificate;
      MW_CHECK(z->n_push == 5 && z->n_weight == 0);
      MW_CHECK(z->push_buckles == (part > 1.0) && strcmp(z->push_input, "side") == 0);
      // four modes, none of which twists as it sways: by one that did next to no stiffness would be
      // left
      MW_CHECK(z->push_error > 0.1 && !mw_certificate_met(z));
      off = z->push_error;
    }
    mw_rom_file_free(&rom);
  }
  close_pose(&c);
  return off;
}

static void forces_across_blades_are_judged(void)
{
  pose c = { 0 };
  if (blade(0.0, 1, &c) && open_at((double[1]){ 0.1 }, &c)) compare(&c, 0);
  close_pose(&c);
  pushed(0.98);
  pushed(1.02);
}

// A blade that is 2^20 times as soft sways 2^10 times as slowly, below 1 rad/s, and errs as much.
static void slow_blades_err_as_quick_ones(void)
{
  const double steel = E, quick = pushed(0.98);
  E = steel / 1048576.0;
  const double slow = pushed(0.98);
  E = steel;
  MW_CHECK(quick > 1.5);
  MW_WITHIN((1.0 + slow) / (1.0 + quick), 1.0, 2e-6, "the tolerance of the bases");
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "operator_is_what_second_order_projects", operator_is_what_second_order_projects },
    { "blade_buckles_at_the_closed_form", blade_buckles_at_the_closed_form },
    { "reduced_blade_sways_as_the_whole_one", reduced_blade_sways_as_the_whole_one },
    { "reduced_blade_that_buckles_is_refused", reduced_blade_that_buckles_is_refused },
    { "columns_are_added_where_they_are_needed", columns_are_added_where_they_are_needed },
    { "forces_across_blades_are_judged", forces_across_blades_are_judged },
    { "slow_blades_err_as_quick_ones", slow_blades_err_as_quick_ones },
  };
  return mw_test_run("weight", cases, (int)(sizeof cases / sizeof *cases));
}
