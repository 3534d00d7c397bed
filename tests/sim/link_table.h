// SPDX-License-Identifier: BSD-3-Clause
// link_table.h: texts of assemblies that become components, and of elastic machines that they are
// in: a link that hangs at a cantilever, a table on a beam that moves itself.
#ifndef MW_TEST_LINK_TABLE_H
#define MW_TEST_LINK_TABLE_H

#include "leg_cart.h"

// A link whose knee is held by a spring and damped; knee: what else its joint has.
#define LINK_OF(knee)                                                                              \
  "modeway: 1\n"                                                                                   \
  "bodies:\n"                                                                                      \
  "  upper:\n"                                                                                     \
  "    rigid: { mass: 0.3, com: [0, 0.01, -0.05], inertia: [4e-4, 5e-4, 3e-4, 2e-5, 0, 0] }\n"     \
  "    frames: { mount: { point: [0, 0, 0] }, pin: { point: [0, 0, -0.1] } }\n"                    \
  "  lower:\n"                                                                                     \
  "    at: [0, 0, -0.1]\n"                                                                         \
  "    rigid: { mass: 0.2, com: [0.02, 0, -0.08], inertia: [3e-4, 3e-4, 6e-5, 0, 0, 0] }\n"        \
  "    frames: { pin: { point: [0, 0, 0] }, tip: { point: [0, 0, -0.15] } }\n"                     \
  "joints:\n"                                                                                      \
  "  knee: { revolute: { a: upper.pin, b: lower.pin, axis: [0, 1, 0] }, coordinate: phi" knee      \
  " }\n"                                                                                           \
  "springs:\n"                                                                                     \
  "  hold: { a: upper.pin, b: lower.pin, stiffness: [30, 30, 30, 0.5, 1.5, 0.5],\n"                \
  "          damping: [0.1, 0.1, 0.1, 3e-3, 3e-3, 3e-3] }\n"                                       \
  "ports: { mount: upper.mount, tip: lower.tip }\n"

#define ALU                                                                                        \
  "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\nsections:\n"                              \
  "  rod: { general: { A: 4e-4, Iy: 2e-8, Iz: 2e-8, It: 4e-8, ky: 0.8, kz: 0.8 } }\n"

// The link at the end of a cantilever. %s: how it is used.
#define HANGS_THERE                                                                                \
  ALU "bodies:\n"                                                                                  \
      "  beam:\n"                                                                                  \
      "    ground: true\n"                                                                         \
      "    beams:\n"                                                                               \
      "      points: { a: [0, 0, 0], b: [0.6, 0, 0] }\n"                                           \
      "      members: [{ from: a, to: b, section: rod, material: alu, elements: 6,\n"              \
      "                  up: [0, 0, 1] }]\n"                                                       \
      "    damping: { alpha: 0, beta: 1e-4 }\n"                                                    \
      "    supports: [{ nodes: a }]\n"                                                             \
      "    frames: { tip: { node: b } }\n"                                                         \
      "joints:\n"                                                                                  \
      "  hang: { revolute: { a: beam.tip, b: link.mount, axis: [0, 1, 0] }, coordinate: psi,\n"    \
      "          drive: m, damping: 0.02 }\n"                                                      \
      "assemblies: { link: { %s, at: [0.6, 0, 0] } }\n"                                            \
      "outputs: { tip: { frame: beam.tip }, link: { frame: link.tip } }\n"

// A table that rolls along a beam that moves itself, as far as the springs that hold both; then how
// it is used (%s).
#define ROLLS_ON                                                                                   \
  ALU "bodies:\n"                                                                                  \
      "  beam:\n"                                                                                  \
      "    beams:\n"                                                                               \
      "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"                                             \
      "      members: [{ from: a, to: b, section: rod, material: alu, elements: 8,\n"              \
      "                  up: [0, 0, 1] }]\n"                                                       \
      "    damping: { alpha: 0, beta: 1e-4 }\n"                                                    \
      "    frames: { a: { node: a }, b: { node: b } }\n"                                           \
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"                              \
      "  base: { ground: true, frames: { a: { point: [0, 0, 0] }, b: { point: [1, 0, 0] },\n"      \
      "                                  tool: { point: [0.3, 0, -0.12] } } }\n"                   \
      "joints:\n"                                                                                  \
      "  y: { prismatic: { a: base.a, b: beam.a, axis: [0, 1, 0] }, coordinate: y,\n"              \
      "       drive: motor_y }\n"                                                                  \
      "  x: { slide: { guide: beam.rail, on: cart.base,\n"                                         \
      "                runners: [{ offset: -0.05 }, { offset: 0.05 }] },\n"                        \
      "       coordinate: x, drive: motor_x, damping: 3 }\n"                                       \
      "springs:\n"
#define ROLLS_AS                                                                                   \
  "assemblies: { cart: { %s, at: [0.3, 0, 0] } }\n"                                                \
  "outputs: { cart: { frame: cart.base }, tool: { frame: cart.tool }, end: { frame: beam.b } }\n"

#endif
