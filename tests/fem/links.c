// SPDX-License-Identifier: BSD-3-Clause
// links.c: see links.h.
#include "links.h"

#include <stdio.h>
#include <stdlib.h>

// The assembly of a link, with a letter that names take in files in place of the dot.
static const char *side_of(int k, int n)
{
  return k < n / 3 ? "front_left_" : k < n / 2 ? "front_" : "rear_";
}

static void print_bodies(FILE *to, int k, int n, bool rod)
{
  static const char *KIND[] = { "link", "arm", "rod" };
  for (int i = 0; i < (rod ? 3 : 2); i++)
    fprintf(to,
            "  %s%s%d: { at: [%g, %g, %d], rigid: { mass: %g, com: [0.5, 0.1, 0], inertia: "
            "[2e-2, 0.085, 0.09, 0, 0, 0] }, frames: { end: { point: [%d, 0, 0] }, side: { point: "
            "[0.5, 0.5, 0] }, top: { point: [0.5, 0, 1] } } }\n",
            side_of(k, n), KIND[i], k, i > 0 ? k + 0.5 : k, i == 1 ? 0.5 : 0.0, i == 2,
            1.0 + 0.1 * (k % 3), i == 2 ? 2 : 1);
}

static void print_joints(FILE *to, int k, int n, bool rod)
{
  const char *of = side_of(k, n), *on = side_of(k + 2, n);
  if (k == 0) fprintf(to, "  h0: { revolute: { a: ground, b: %slink0, axis: [0, 0, 1] } }\n", of);
  if (k > 0)
    fprintf(to, "  h%d: { revolute: { a: %slink%d.end, b: %slink%d, axis: %s } }\n", k,
            side_of(k - 1, n), k - 1, of, k, k % 2 ? "[0, 1, 0]" : "[0, 0, 1]");
  fprintf(to, "  g%d: { revolute: { a: %slink%d.side, b: %sarm%d, axis: [1, 0, 0] } }\n", k, of, k,
          of, k);
  if (!rod) return;
  fprintf(to, "  s%d: { spherical: { a: %slink%d.top, b: %srod%d } }\n", k, of, k, of, k);
  fprintf(to, "  e%d: { spherical: { a: %srod%d.end, b: %slink%d.top } }\n", k, of, k, on, k + 2);
}

bool links_open(int n, bool loops, mw_fixture *f)
{
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return false;
  fputs("modeway: 1\nname: machine\ngravity: [0, 1, -9.81]\nbodies:\n", to);
  for (int k = 0; k < n; k++) print_bodies(to, k, n, loops && k % 5 == 0 && k + 2 < n);
  fputs("joints:\n", to);
  for (int k = 0; k < n; k++) print_joints(to, k, n, loops && k % 5 == 0 && k + 2 < n);
  fclose(to);
  bool ok = mw_fixture_text(text, f);
  free(text);
  return ok;
}

static void print_chain(FILE *to, int n, bool rubs)
{
  fputs("modeway: 1\nname: driven\ngravity: [0, 1, -9.81]\nbodies:\n", to);
  for (int i = 0; i < n; i++)
    fprintf(to,
            "  l%d: { at: [%d, 0, 0], rigid: { mass: 1, com: [0.5, 0.1, 0], inertia: [2e-2, 0.08, "
            "0.09, 0, 0, 0] }, frames: { end: { point: [1, 0, 0] } } }\n",
            i, i);
  fputs("joints:\n", to);
  for (int i = 0; i < n; i++) {
    fprintf(to, "  h%d: { revolute: { a: ", i);
    fprintf(to, i > 0 ? "l%d.end" : "ground", i - 1);
    fprintf(to, ", b: l%d, axis: [0, %d, %d] }, coordinate: c%d%s%s%s }\n", i, i % 2, 1 - i % 2, i,
            i % 7 == 3 ? ", damping: 0.3, stops: { range: [-2, 3], stiffness: 500 }" : "",
            rubs && i % 9 == 4
                ? ", friction: { coulomb: 0.1, static: 0.15, stribeck: 2e-2, smooth: 3e-2, radius: "
                  "0.04, preload: 50 }"
                : "",
            i == 1 ? ", limits: [-3, 0.01]" : "");
  }
}

bool links_driven_open(int n, bool rubs, mw_fixture *f)
{
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return false;
  print_chain(to, n, rubs);
  fputs(
      "drives:\n  m0: { coordinate: c20 }\n  m1: { coordinate: c31 }\n"
      "  m3: { coordinate: c33 }\n"
      "  m2: { coordinate: c40, rotor: { inertia: 1e-3, ratio: 50, stiffness: 2e4, damping: 3 } }"
      "\nforces:\n"
      "  coil: { coordinate: c9, stiffness: 20, damping: 1 }\n"
      "  rope: { spring: { a: l5.end, b: l30.end }, stiffness: 5, damping: 0.2 }\n"
      "  jet: { point: { on: l45.end, direction: [1, 0, 0], axes: body }, force: 3 }\n"
      "outputs:\n  tip: { frame: l45.end }\n"
      "scenarios:\n  ride:\n    initial: undeformed\n    duration: 6e-3\n    step: 1e-3\n"
      "    control_period: 2e-3\n    store: 2e-3\n    drives:\n"
      "      m3: { follow: { sine: { amplitude: 0.1, frequency: 3 } }, kp: 50, kd: 2 }\n"
      "      m0: { position: { ramp: { from: 0, velocity: 0.5 } } }\n"
      "      m1: { force: { sine: { amplitude: 2, frequency: 3 } } }\n"
      "  fall: { initial: undeformed, duration: 1, step: 2e-3, store: 4e-3, start: { c1: { at: 0, "
      "velocity: 5 } } }\n",
      to);
  fclose(to);
  bool ok = mw_fixture_text(text, f);
  free(text);
  return ok;
}
