// SPDX-License-Identifier: BSD-3-Clause
// arms.c: machines of arms.h.
//
//   two links, SCARA   x = l1 e(q1) + l2 e(q1 + q2) + (0, 0, z − drop) ,  e(φ) = (cos φ, sin φ, 0)
//   polar              x = r e(φ) + (0, 0, −0.1)
//   slider-crank       x = l1 cos φ + √(l2² − l1² sin² φ)
#include "arms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
  "modeway: 1\n"                                                                                   \
  "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"                                         \
  "sections: { bar: { rectangle: { width: 0.04, height: 0.05 } } }\n"
#define LINKS                                                                                      \
  "  upper:\n"                                                                                     \
  "    beams:\n"                                                                                   \
  "      points: { a: [0, 0, 0], b: [0.4, 0, 0] }\n"                                               \
  "      members: [{ from: a, to: b, section: bar, material: alu, elements: 4 }]\n"                \
  "    frames: { a: { node: a }, b: { node: b, mass: 1.5, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } " \
  "}\n"                                                                                            \
  "  fore:\n"                                                                                      \
  "    at: [0.4, 0, 0]\n"                                                                          \
  "    beams:\n"                                                                                   \
  "      points: { a: [0, 0, 0], b: [0.35, 0, 0] }\n"                                              \
  "      members: [{ from: a, to: b, section: bar, material: alu, elements: 4 }]\n"                \
  "    frames: { a: { node: a }, tip: { node: b, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } " \
  "}\n"
#define TURNS                                                                                      \
  "  q1: { revolute: { a: ground, b: upper.a, axis: [0, 0, 1] }, coordinate: q1, drive: m1 }\n"    \
  "  q2: { revolute: { a: upper.b, b: fore.a, axis: [0, 0, 1] }, coordinate: q2, drive: m2 }\n"

static const char *const TEXT[N_ARM] = {
  HEAD "bodies:\n" LINKS "joints:\n" TURNS "outputs: { tool: { frame: fore.tip } }\n"
       "reduction:\n"
       "  coordinates: { q1: { range: [-3, 3], points: 5 }, q2: { range: [-2.5, 2.5], points: 9 } "
       "}\n"
       "  modes: { count: 2 }\n"
       "  certificate: { points: 2 }\n",
  HEAD "gravity: [0, 0, -9.81]\n"
       "bodies:\n"
       "  arm:\n"
       "    beams:\n"
       "      points: { hub: [0, 0, 0], end: [1, 0, 0] }\n"
       "      members: [{ from: hub, to: end, section: bar, material: alu, elements: 10 }]\n"
       "    guides: { rail: { from: hub, to: end } }\n"
       "    frames: { hub: { node: hub, mass: 5, inertia: [0.3, 0.3, 0.5, 0, 0, 0] } }\n"
       "  carriage: { at: [0.5, 0, 0], rigid: { mass: 3, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
       "joints:\n"
       "  turn: { revolute: { a: ground, b: arm.hub, axis: [0, 0, 1] }, coordinate: phi, drive: m1 "
       "}\n"
       "  r: { slide: { guide: arm.rail, on: carriage, orientation: fixed }, drive: m2 }\n"
       "outputs: { tool: { body: carriage, point: [0, 0, -0.1] } }\n"
       "reduction:\n"
       "  coordinates:\n"
       "    phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, points: 5 }\n"
       "    r: { range: [0.1, 0.9], points: 9 }\n"
       "  modes: { count: 2 }\n"
       "  certificate: { points: 2 }\n",
  HEAD
  "bodies:\n"
  "  crank:\n"  // upright in the reference configuration
  "    axes: { x: [0, 1, 0], y: [-1, 0, 0] }\n"
  "    beams:\n"
  "      points: { o: [0, 0, 0], a: [0.15, 0, 0] }\n"
  "      members: [{ from: o, to: a, section: bar, material: alu, elements: 3 }]\n"
  "    frames: { o: { node: o }, a: { node: a } }\n"
  "  rod:\n"
  "    at: [0, 0.15, 0]\n"
  "    axes: { x: [0.8660254037844386, -0.5, 0], y: [0.5, 0.8660254037844386, 0] }\n"
  "    beams:\n"
  "      points: { a: [0, 0, 0], b: [0.3, 0, 0] }\n"
  "      members: [{ from: a, to: b, section: bar, material: alu, elements: 4 }]\n"
  "    frames: { a: { node: a }, b: { node: b } }\n"
  "  slider: { at: [0.2598076211353316, 0, 0], rigid: { mass: 0.5, inertia: [1e-4, 1e-4, 1e-4, "
  "0, "
  "0, 0] } }\n"
  "joints:\n"
  "  O: { revolute: { a: ground, b: crank.o, axis: [0, 0, 1] }, coordinate: phi, start: "
  "1.5707963267948966, drive: motor }\n"
  "  A: { revolute: { a: crank.a, b: rod.a, axis: [0, 0, 1] } }\n"
  "  B: { spherical: { a: rod.b, b: slider } }\n"
  "  x: { prismatic: { a: ground, b: slider, axis: [1, 0, 0] }, coordinate: x, start: "
  "0.2598076211353316 }\n"
  "outputs: { slider: { body: slider } }\n"
  "reduction:\n"
  "  coordinates: { phi: { range: [0, 6.283185307179586], cyclic: true, points: 25 } }\n"
  "  modes: { count: 2 }\n"
  "  certificate: { points: 2 }\n",
  HEAD "gravity: [0, 0, -9.81]\n"
       "bodies:\n" LINKS "  head:\n"
       "    at: [0.75, 0, 0]\n"
       "    rigid: { mass: 0.5, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] }\n"
       "    guides: { z: { points: [[0, 0, 0], [0, 0, 0.3]], normal: [1, 0, 0] } }\n"
       "  quill: { at: [0.75, 0, 0.1], rigid: { mass: 0.4, inertia: [1e-3, 1e-3, 1e-4, 0, 0, 0] } "
       "}\n"
       "joints:\n" TURNS "  tip: { fixed: { a: fore.tip, b: head } }\n"
       "  z: { slide: { guide: head.z, on: quill, orientation: fixed }, drive: m3 }\n"
       "outputs: { tool: { body: quill, point: [0, 0, -0.2] } }\n"
       "reduction:\n"
       "  coordinates:\n"
       "    q1: { range: [-2, 2], points: 5 }\n"
       "    q2: { range: [-2, 2], points: 7 }\n"
       "    z: { range: [0, 0.2], points: 4 }\n"
       "  modes: { count: 2 }\n"
       "  certificate: { points: 2 }\n"
};

const char *arm_name(arm_kind kind)
{
  static const char *const name[N_ARM] = { "two links", "polar", "slider-crank", "SCARA" };
  return name[kind];
}

bool arm_open(arm_kind kind, const char *extra, mw_fixture *out)
{
  char all[8192];
  int n = snprintf(all, sizeof all, "%s%s", TEXT[kind], extra ? extra : "");
  return n > 0 && n < (int)sizeof all && mw_fixture_text(all, out);
}

void arm_tool(arm_kind kind, const double *theta, double x[3], double *D)
{
  const double l1 = 0.4, l2 = 0.35, crank = 0.15, rod = 0.3;
  double d[9] = { 0.0 }, a = theta[0];
  int s = kind == ARM_SLIDER_CRANK ? 1 : kind == ARM_SCARA ? 3 : 2;
  x[2] = 0.0;
  if (kind == ARM_POLAR) {
    double r = theta[1];
    x[0] = r * cos(a);
    x[1] = r * sin(a);
    x[2] = -0.1;
    d[0] = -x[1], d[1] = cos(a), d[2] = x[0], d[3] = sin(a);
  } else if (kind == ARM_SLIDER_CRANK) {
    double h = crank * sin(a), w = sqrt(rod * rod - h * h);
    x[0] = crank * cos(a) + w;
    x[1] = 0.0;
    d[0] = -h - h * crank * cos(a) / w;
  } else {
    double b = a + theta[1];
    x[0] = l1 * cos(a) + l2 * cos(b);
    x[1] = l1 * sin(a) + l2 * sin(b);
    d[0] = -x[1], d[1] = -l2 * sin(b), d[s] = x[0], d[s + 1] = l2 * cos(b);
    if (kind == ARM_SCARA) {
      x[2] = theta[2] - 0.2;
      d[8] = 1.0;
    }
  }
  if (D) memcpy(D, d, 3 * (size_t)s * sizeof *D);
}
