// SPDX-License-Identifier: BSD-3-Clause
// positioner.c: a carriage on two rails of a steel boom of hexahedra.
#include "positioner.h"

#include <stdio.h>

#include "bar.h"

static const double LENGTH = 1.2;  // m
enum { BOOM_MODES = 10 };

static const char model[] =
    "modeway: 1\n"
    "name: two-body positioner\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  boom:\n"
    "    ground: true\n"
    "    mesh: %s.inp\n"
    "    unit: m\n"
    "    supports: [ { nodes: FIX } ]\n"
    "    guides:\n"
    "      left: { points: [[0.02, 0.03, 0.15], [1.18, 0.03, 0.15]], normal: [0, 0, 1], pad: { "
    "length: 0.2, width: 0.04 } }\n"
    "      right: { points: [[0.02, 0.17, 0.15], [1.18, 0.17, 0.15]], normal: [0, 0, 1], pad: { "
    "length: 0.2, width: 0.04 } }\n"
    "  carriage:\n"
    "    at: [0.6, 0.1, 0.2]\n"
    "    rigid: { mass: 12, com: [0, 0, 0.05], inertia: [0.1, 0.1, 0.1, 0, 0, 0] }\n"
    "    frames:\n"
    "      l: { point: [0, -0.07, -0.05] }\n"
    "      r: { point: [0, 0.07, -0.05] }\n"
    "      tool: { point: [0, 0, 0.3] }\n"
    "joints:\n"
    "  x:\n"
    "    slide:\n"
    "      guide: boom.left\n"
    "      on: carriage.l\n"
    "      orientation: free\n"
    "      runners: [ { offset: -0.1, stiffness: 4e8, damping: 2e3 }, { offset: 0.1, stiffness: "
    "4e8, damping: 2e3 } ]\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "  x2:\n"
    "    slide:\n"
    "      guide: boom.right\n"
    "      on: carriage.r\n"
    "      orientation: free\n"
    "      runners: [ { offset: -0.1, stiffness: 4e8, damping: 2e3 }, { offset: 0.1, stiffness: "
    "4e8, damping: 2e3 } ]\n"
    "    coordinate: x2\n"
    "outputs: { tool: { frame: carriage.tool } }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0.2, 1.0], points: %d, refine: 1, max_rate: 2, "
    "max_acceleration: 20 } }\n"
    "  modes: { count: %d }\n"
    "  certificate: { points: %d }\n"
    "%s";

bool positioner_write(const char *dir, const char *name, double unknowns, int points, int modes,
                      int certificate, const char *extra, long *n)
{
  bar b = bar_of_size("C3D20", LENGTH, unknowns);
  char path[512];
  if (!bar_write(&b, BOOM_MODES, dir, name, n)) return false;
  snprintf(path, sizeof path, "%s/%s.yaml", dir, name);
  FILE *f = fopen(path, "w");
  if (!f) {
    fprintf(stderr, "cannot write %s\n", path);
    return false;
  }
  fprintf(f, model, name, points, modes, certificate, extra);
  return fclose(f) == 0;
}
