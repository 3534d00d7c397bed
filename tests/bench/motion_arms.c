// SPDX-License-Identifier: BSD-3-Clause
// motion_arms.c: arms whose tool must be where the angles put it, at rest and in motion; soft
// bearings on one.
//
// At rest and unloaded the tool's position is the closed form of the rigid arm; the reduced model's
// y at δ = 0 must be it at any θ, on the grid or between: 1000 places of the range by a fixed
// sequence.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "motion.h"
#include "rom/step.h"

typedef void (*tool_at)(const double *theta, double x[3]);

static void two_link(const double *q, double x[3])
{
  x[0] = 1.1 * cos(q[0]) + 0.9 * cos(q[0] + q[1]);
  x[1] = 1.1 * sin(q[0]) + 0.9 * sin(q[0] + q[1]);
  x[2] = 0.0;
}

static void polar(const double *q, double x[3])
{
  x[0] = q[1] * cos(q[0]);
  x[1] = q[1] * sin(q[0]);
  x[2] = -0.1;
}

static void scara(const double *q, double x[3])
{
  x[0] = 0.5 * cos(q[0]) + 0.4 * cos(q[0] + q[1]);
  x[1] = 0.5 * sin(q[0]) + 0.4 * sin(q[0] + q[1]);
  x[2] = q[2] - 0.3;
}

// Largest distance (m) of output 0 at δ = 0 from the closed form.
static double rest(const motion *m, tool_at tool)
{
  enum { PLACES = 1000 };
  const mw_rom *rom = &m->rom.rom;
  uint64_t seed = 88172645463325252u;
  mw_arena mem = { 0 };
  double *x = mw_arena_f64(&mem, 2 * (size_t)(rom->s + rom->m));
  double *y = mw_arena_f64(&mem, (size_t)rom->n_y), e = 0.0;
  void *work = mw_arena_alloc(&mem, mw_rom_work_bytes(rom), 1);
  bool good = mw_arena_check(&mem, NULL) == MW_OK;
  for (int k = 0; good && k < PLACES; k++) {
    double at[3], d = 0.0;
    for (int i = 0; i < rom->s; i++) {
      seed ^= seed << 13;
      seed ^= seed >> 7;
      seed ^= seed << 17;
      x[i] = rom->lo[i] + (rom->hi[i] - rom->lo[i]) * (double)(seed >> 11) * 0x1p-53;
    }
    good = mw_rom_outputs(rom, x, y, NULL, work, NULL) == MW_ROM_OK;
    tool(x, at);
    for (int c = 0; good && c < 3; c++) d = hypot(d, y[c] - at[c]);
    if (!(d <= e)) e = d;
  }
  mw_arena_free(&mem);
  return good ? e : NAN;
}

bool motion_scara_model(motion *m, const char *scenarios)
{
  return motion_text(
      m,
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { link: { rectangle: { width: 0.05, height: 0.06 } } }\n"
      "bodies:\n"
      "  upper: { beams: { points: { a: [0, 0, 0], b: [0.5, 0, 0] }, members: [{ from: a, to: b,\n"
      "             section: link, material: alu, elements: 8 }] },\n"
      "           frames: { a: { node: a }, b: { node: b, mass: 2, inertia: [5e-3, 5e-3, 5e-3, 0, "
      "0, 0] } } }\n"
      "  fore: { at: [0.5, 0, 0], beams: { points: { a: [0, 0, 0], b: [0.4, 0, 0] }, members: [{ "
      "from: a, to: b,\n"
      "             section: link, material: alu, elements: 8 }] },\n"
      "          frames: { a: { node: a }, b: { node: b, mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, "
      "0, 0] } } }\n"
      "  quill: { at: [0.9, 0, 0], rigid: { mass: 1.5, com: [0, 0, -0.1], inertia: [0.02, 0.02, "
      "2e-3, 0, 0, 0] } }\n"
      "joints:\n"
      "  q1: { revolute: { a: ground, b: upper.a, axis: [0, 0, 1] }, coordinate: q1, drive: m1 }\n"
      "  q2: { revolute: { a: upper.b, b: fore.a, axis: [0, 0, 1] }, coordinate: q2, drive: m2 }\n"
      "  z: { prismatic: { a: fore.b, b: quill, axis: [0, 0, 1] }, coordinate: z, drive: m3 }\n"
      "outputs: { tool: { body: quill, point: [0, 0, -0.3] } }\n"
      "reduction:\n"
      "  coordinates: { q1: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
      "points: 9 },\n"
      "                 q2: { range: [-2.5, 2.5], points: 27 },\n"
      "                 z: { range: [-0.1, 0.1], points: 9 } }\n"
      "  modes: { count: 5 }\n"
      "scenarios:\n"
      "  pick: { duration: 0.6, step: 2e-4, store: 1e-3, start: { q1: -0.6, q2: 1.2, z: 0.05 }, "
      "drives: {\n"
      "    m1: { position: { cycloid: { from: -0.6, to: 0.7, end: 0.4 } } },\n"
      "    m2: { position: { cycloid: { from: 1.2, to: -0.5, end: 0.4 } } },\n"
      "    m3: { position: { cycloid: { from: 0.05, to: -0.05, start: 0.1, end: 0.4 } } } } }\n"
      "%s",
      scenarios);
}

static void moves(int *missed, motion *m, const char *name, const char *scenario, double limit)
{
  double peak = 0.0, e = motion_difference(m, scenario, "gmp", "full", &peak);
  motion_row(missed, e, limit, "  %s, %s: peak deflection %.2g m, reduced", name, scenario, peak);
}

bool motion_arms(int *missed)
{
  motion m;
  bool good = motion_case("two-link", NULL, &m) && motion_reduce(&m), all = good;
  if (good) {
    motion_row(missed, rest(&m, two_link), 1e-6, "  two-link: tool at rest, m");
    moves(missed, &m, "two-link", "turn", 2e-3);
    moves(missed, &m, "two-link", "fast", 2e-2);
  }
  motion_close(&m);
  good = motion_case("polar", NULL, &m) && motion_reduce(&m);
  all = all && good;
  if (good) {
    motion_row(missed, rest(&m, polar), 1e-6, "  polar: tool at rest, m");
    moves(missed, &m, "polar", "spin", 2e-3);
  }
  motion_close(&m);
  good = motion_scara_model(&m, "") && motion_reduce(&m);
  all = all && good;
  if (good) {
    motion_row(missed, rest(&m, scara), 1e-6, "  SCARA: tool at rest, m");
    moves(missed, &m, "SCARA", "pick", 2e-3);
  }
  motion_close(&m);
  return all;
}

bool motion_soft_model(motion *m, const char *scenarios)
{
  const char *runner = "stiffness: 2e4, damping: 20";
  char runners[512];
  snprintf(
      runners, sizeof runners,
      "{ offset: -0.1, shift: [0, -0.05, 0], %s }, { offset: -0.1, shift: [0, 0.05, 0], %s },\n"
      "      { offset: 0.1, shift: [0, -0.05, 0], %s }, { offset: 0.1, shift: [0, 0.05, 0], %s }",
      runner, runner, runner, runner);
  return motion_text(
      m,
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { arm: { rectangle: { width: 0.06, height: 0.08 } } }\n"
      "bodies:\n"
      "  arm:\n"
      "    beams: { points: { hub: [0, 0, 0], end: [1, 0, 0] },\n"
      "             members: [{ from: hub, to: end, section: arm, material: alu, elements: 25 }] "
      "}\n"
      "    guides: { rail: { from: hub, to: end } }\n"
      "    frames: { hub: { node: hub, mass: 5, inertia: [0.3, 0.3, 0.5, 0, 0, 0] } }\n"
      "  carriage: { at: [0.5, 0, 0], rigid: { mass: 3, com: [0, 0, 0.4], inertia: [0.02, 0.02, "
      "0.01, 0, 0, 0] } }\n"
      "joints:\n"
      "  turn: { revolute: { a: ground, b: arm.hub, axis: [0, 0, 1] }, coordinate: phi, drive: "
      "mphi }\n"
      "  r: { slide: { guide: arm.rail, on: carriage, runners: [%s] }, drive: mr }\n"
      "outputs: { top: { body: carriage, point: [0, 0, 0.5] } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
      "points: 9 },\n"
      "                 r: { range: [0.2, 0.8], points: 13 } }\n"
      "  modes: { count: 8 }\n"
      "scenarios:\n"
      "  spin: { duration: 1.5, step: 5e-4, store: 2e-3, start: { phi: 0, r: 0.4 }, drives: {\n"
      "    mphi: { position: { cycloid: { from: 0, to: 3, end: 1.2 } } },\n"
      "    mr: { position: { cycloid: { from: 0.4, to: 0.6, start: 0.2, end: 1 } } } } }\n"
      "%s",
      runners, scenarios);
}

bool motion_soft(int *missed)
{
  motion m;
  bool good = motion_soft_model(&m, "") && motion_reduce(&m);
  if (good) moves(missed, &m, "soft bearings", "spin", 5e-3);
  motion_close(&m);
  return good;
}
