// SPDX-License-Identifier: BSD-3-Clause
// seven_axes.c: the arm of seven axes as a model file.
#include "seven_axes.h"

#include <stdio.h>

bool seven_axes_open(mw_fixture *f)
{
  char text[8192];
  size_t n = sizeof text, used = 0;
  used += (size_t)snprintf(
      text, n, "modeway: 1\nname: arm of seven axes\ngravity: [0, 0, -9.81]\nbodies:\n");
  for (int k = 0; k < 7; k++)
    used += (size_t)snprintf(
        text + used, n - used,
        "  link%d: { at: [0, 0, %.17g], rigid: { mass: %g, com: [0, 0, 0.15], "
        "inertia: [0.02, 0.02, 0.01, 0, 0, 0] }, frames: { end: { point: [0, 0, 0.3] } } }\n",
        k, 0.3 * k, 1.0 + 0.5 * (7 - k));
  used += (size_t)snprintf(text + used, n - used, "joints:\n");
  for (int k = 0; k < 7; k++) {
    char a[16] = "ground";
    if (k > 0) snprintf(a, sizeof a, "link%d.end", k - 1);
    used +=
        (size_t)snprintf(text + used, n - used,
                         "  j%d: { revolute: { a: %s, b: link%d, axis: %s }, coordinate: q%d }\n",
                         k, a, k, k % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]", k);
  }
  used += (size_t)snprintf(text + used, n - used,
                           "scenarios:\n  swing:\n    duration: 1\n    step: 1e-3\n    start:\n");
  for (int k = 0; k < 7; k++)
    used += (size_t)snprintf(text + used, n - used, "      q%d: { at: 0.3, velocity: 0.5 }\n", k);
  return used < n && mw_fixture_text(text, f);
}
