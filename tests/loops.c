// SPDX-License-Identifier: BSD-3-Clause
// loops.c: closed loops of elastic links (loops.h). A crank from the origin to B, a coupler from B
// to C, a rocker from D to C or a slider at C.
#include "loops.h"

#include <math.h>
#include <stdio.h>

typedef struct shape {
  double B[2], C[2], D[2];  // m; a slider has no D
} shape;

static const shape shapes[] = {
  [MW_LOOP_FOUR_BAR] = { { 0.0, 0.25 }, { 0.55, 0.35 }, { 0.65, 0.0 } },
  [MW_LOOP_PARALLELOGRAM] = { { 0.0, 0.3 }, { 0.6, 0.3 }, { 0.6, 0.0 } },
  [MW_LOOP_SLIDER] = { { 0.0, 0.3 }, { 0.4, 0.0 }, { 0.4, 0.0 } },
};

static double length(const double a[2], const double b[2])
{
  return hypot(b[0] - a[0], b[1] - a[1]);
}

double mw_loop_shortest(mw_loop kind)
{
  static const double origin[2] = { 0.0, 0.0 };
  const shape *z = &shapes[kind];
  double l = fmin(length(origin, z->B), length(z->B, z->C));
  return kind == MW_LOOP_SLIDER ? l : fmin(l, length(z->D, z->C));
}

// A link from a to b, steel 10 mm × 20 mm, bent in its plane across the 10 mm.
static int link_text(const char *name, const double a[2], const double b[2], const char *at_a,
                     const char *at_mid, char *text, size_t n)
{
  double l = length(a, b), c = (b[0] - a[0]) / l, s = (b[1] - a[1]) / l;
  return snprintf(
      text, n,
      "  %s:\n"
      "    at: [%.17g, %.17g, 0]\n"
      "    axes: { x: [%.17g, %.17g, 0], y: [%.17g, %.17g, 0] }\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [%.17g, 0, 0], b: [%.17g, 0, 0] }\n"
      "      members: [ { from: a, to: m, section: bar, material: steel, elements: 4 },\n"
      "                 { from: m, to: b, section: bar, material: steel, elements: 4 } ]\n"
      "    frames: { a: { node: a%s }, m: { node: m%s }, b: { node: b } }\n",
      name, a[0], a[1], c, s, -s, c, 0.5 * l, l, at_a, at_mid);
}

int mw_loop_text(mw_loop kind, double amplitude, const char *limits, char *text, size_t n)
{
  static const double origin[2] = { 0.0, 0.0 };
  const shape *z = &shapes[kind];
  size_t at = 0;
  at += (size_t)snprintf(
      text, n,
      "modeway: 1\nname: loop\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { bar: { rectangle: { width: 0.01, height: 0.02 } } }\n"
      "bodies:\n"
      "  base: { ground: true, rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "          frames: { a: { point: [0, 0, 0] }, d: { point: [%.17g, %.17g, 0] } } }\n",
      z->D[0], z->D[1]);
  if (at < n)
    at += (size_t)link_text("crank", origin, z->B, ", mass: 1, inertia: [0.2, 0.2, 0.2, 0, 0, 0]",
                            "", text + at, n - at);
  if (at < n)
    at += (size_t)link_text("coupler", z->B, z->C, "",
                            ", mass: 2, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0]", text + at, n - at);
  if (at < n && kind != MW_LOOP_SLIDER)
    at += (size_t)link_text("rocker", z->D, z->C, "", "", text + at, n - at);
  if (at < n && kind == MW_LOOP_SLIDER)
    at += (size_t)snprintf(text + at, n - at,
                           "  slider: { at: [%.17g, %.17g, 0],\n"
                           "    rigid: { mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } }\n",
                           z->C[0], z->C[1]);
  if (at < n)
    at += (size_t)snprintf(
        text + at, n - at,
        "joints:\n"
        "  A: { revolute: { a: base.a, b: crank.a, axis: [0, 0, 1] }, coordinate: phi,\n"
        "       start: 1.5707963267948966, drive: motor }\n"
        "  B: { revolute: { a: crank.b, b: coupler.a, axis: [0, 0, 1] } }\n"
        "  C: { spherical: { a: coupler.b, b: %s } }\n"
        "  D: { %s }\n"
        "outputs: { mid: { frame: coupler.m } }\n"
        "reduction: { coordinates: { phi: { range: [0.9, 2.2], points: 17 } }, modes: { count: 6 "
        "}%s%s }\n"
        "scenarios:\n"
        "  push: { duration: 0.1, step: 5e-5, store: 5e-4, start: { phi: 1.5707963267948966 },\n"
        "    drives: { motor: { force: { sine: { amplitude: %.17g, frequency: 20, until: 0.05 } } "
        "} } }\n",
        kind == MW_LOOP_SLIDER ? "slider" : "rocker.b",
        kind == MW_LOOP_SLIDER ? "prismatic: { a: base.d, b: slider, axis: [1, 0, 0] }"
                               : "revolute: { a: base.d, b: rocker.a, axis: [0, 0, 1] }",
        limits[0] ? ", " : "", limits, amplitude);
  return (int)at;
}
