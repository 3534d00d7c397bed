// SPDX-License-Identifier: BSD-3-Clause
// promise_models.c: the machines of bench_promise: all cases that are reduced, and those that no
// case has: slides stacked three high, on a mount and as a portal, two carriages that pass each
// other on one rail, a four-bar of elastic links, pads on solids.
//
// Each has a fast and a slow run and one by forces, within the rates and inputs that the model
// declares, else such as its drives would give it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arms.h"
#include "positioner.h"
#include "promise.h"

// ---- texts --------------------------------------------------------------------------------------

#define HEAD                                                                                       \
  "modeway: 1\n"                                                                                   \
  "gravity: [0, 0, -9.81]\n"                                                                       \
  "materials:\n"                                                                                   \
  "  alu: { E: 70e9, nu: 0.33, rho: 2700 }\n"                                                      \
  "  steel: { E: 210e9, nu: 0.3, rho: 7850 }\n"

// Four runners about a carriage: two along the guide on both of its sides (n2).
#define RUNNERS                                                                                    \
  "{ offset: -0.06, shift: [0, 0, -0.03], stiffness: 2e8, damping: 2e3 },\n"                       \
  "      { offset: -0.06, shift: [0, 0, 0.03], stiffness: 2e8, damping: 2e3 },\n"                  \
  "      { offset: 0.06, shift: [0, 0, -0.03], stiffness: 2e8, damping: 2e3 },\n"                  \
  "      { offset: 0.06, shift: [0, 0, 0.03], stiffness: 2e8, damping: 2e3 }"

static const char *const STACKED = HEAD
    "sections:\n"
    "  rail: { rectangle: { width: 0.08, height: 0.1 } }\n"
    "  beam: { rectangle: { width: 0.06, height: 0.08 } }\n"
    "  quill: { rectangle: { width: 0.05, height: 0.04 } }\n"
    "bodies:\n"
    "  frame:\n"
    "    ground: true\n"
    "    beams: { points: { l: [0, 0, 0], r: [1.2, 0, 0] },\n"
    "             members: [{ from: l, to: r, section: rail, material: steel, elements: 24 }] }\n"
    "    supports: [{ nodes: l }, { nodes: r }]\n"
    "    guides: { x: { from: l, to: r, normal: [0, 0, 1] } }\n"
    "  saddle: { at: [0.6, 0, 0], rigid: { mass: 6, inertia: [0.04, 0.04, 0.04, 0, 0, 0] },\n"
    "            frames: { c: { point: [0, 0, 0.1] } } }\n"
    "  cross:\n"
    "    at: [0.6, 0, 0.1]\n"
    "    beams: { points: { l: [0, -0.4, 0], m: [0, 0, 0], r: [0, 0.4, 0] },\n"
    "             members: [{ from: l, to: m, section: beam, material: alu, elements: 10 },\n"
    "                       { from: m, to: r, section: beam, material: alu, elements: 10 }] }\n"
    "    guides: { y: { from: l, to: r, normal: [0, 0, 1] } }\n"
    "    frames: { m: { node: m } }\n"
    "  head: { at: [0.6, 0, 0.1], rigid: { mass: 4, inertia: [0.03, 0.03, 0.03, 0, 0, 0] },\n"
    "          frames: { c: { point: [0.08, 0, 0] } } }\n"
    "  quill:\n"
    "    at: [0.68, 0, -0.3]\n"
    "    beams: { points: { tool: [0, 0, 0], top: [0, 0, 0.7] },\n"
    "             members: [{ from: tool, to: top, section: quill, material: alu, elements: 28, "
    "up: [1, 0, 0] }] }\n"
    "    guides: { z: { from: tool, to: top, normal: [1, 0, 0] } }\n"
    "    frames: { tool: { node: tool, mass: 1.5, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0] } }\n"
    "joints:\n"
    "  x: { slide: { guide: frame.x, on: saddle, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: x, drive: mx }\n"
    "  mount: { fixed: { a: saddle.c, b: cross.m } }\n"
    "  y: { slide: { guide: cross.y, on: head, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: y, drive: my }\n"
    "  z: { slide: { guide: quill.z, on: head.c, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: z, drive: mz }\n"
    "outputs: { tool: { frame: quill.tool } }\n"
    "damping: { modal: 0.01 }\n"
    "reduction:\n"
    "  grid: auto\n"
    "  coordinates:\n"
    "    x: { range: [0.15, 1.05], max_rate: 2, max_acceleration: 20 }\n"
    "    y: { range: [0.15, 0.65], max_rate: 2, max_acceleration: 20 }\n"
    "    z: { range: [0.2, 0.55], max_rate: 2, max_acceleration: 20 }\n"
    "  modes: { count: 4 }\n"
    "  tolerance: 1e-3\n"
    "scenarios:\n";

// The same slides on a portal: the cross beam stands on carriages at both of its ends, so that no
// runner passes where something is fixed, and its elements are as short as modeway check asks.
static const char *const PORTAL = HEAD
    "sections:\n"
    "  rail: { rectangle: { width: 0.1, height: 0.12 } }\n"
    "  beam: { rectangle: { width: 0.08, height: 0.1 } }\n"
    "  ram: { rectangle: { width: 0.06, height: 0.06 } }\n"
    "bodies:\n"
    "  frame:\n"
    "    ground: true\n"
    "    beams: { points: { l1: [0, -0.5, 0], r1: [1.2, -0.5, 0], l2: [0, 0.5, 0],\n"
    "                       r2: [1.2, 0.5, 0] },\n"
    "             members: [{ from: l1, to: r1, section: rail, material: steel, elements: 36 },\n"
    "                       { from: l2, to: r2, section: rail, material: steel, elements: 36 }] }\n"
    "    supports: [{ nodes: l1 }, { nodes: r1 }, { nodes: l2 }, { nodes: r2 }]\n"
    "    guides: { x1: { from: l1, to: r1, normal: [0, 0, 1] },\n"
    "              x2: { from: l2, to: r2, normal: [0, 0, 1] } }\n"
    "  left: { at: [0.6, -0.5, 0], rigid: { mass: 4, inertia: [0.03, 0.03, 0.03, 0, 0, 0] },\n"
    "          frames: { c: { point: [0, 0, 0.1] } } }\n"
    "  right: { at: [0.6, 0.5, 0], rigid: { mass: 4, inertia: [0.03, 0.03, 0.03, 0, 0, 0] },\n"
    "           frames: { c: { point: [0, 0, 0.1] } } }\n"
    "  cross:\n"
    "    at: [0.6, 0, 0.1]\n"
    "    beams: { points: { l: [0, -0.5, 0], r: [0, 0.5, 0] },\n"
    "             members: [{ from: l, to: r, section: beam, material: steel, elements: 40 }] }\n"
    "    guides: { y: { from: l, to: r, normal: [0, 0, 1] } }\n"
    "    frames: { l: { node: l }, r: { node: r } }\n"
    "  head: { at: [0.6, 0, 0.1], rigid: { mass: 4, inertia: [0.03, 0.03, 0.03, 0, 0, 0] },\n"
    "          frames: { c: { point: [0.08, 0, 0] } } }\n"
    "  ram:\n"
    "    at: [0.68, 0, -0.3]\n"
    "    beams: { points: { tool: [0, 0, 0], top: [0, 0, 0.7] },\n"
    "             members: [{ from: tool, to: top, section: ram, material: steel, elements: 56, "
    "up: [1, 0, 0] }] }\n"
    "    guides: { z: { from: tool, to: top, normal: [1, 0, 0] } }\n"
    "    frames: { tool: { node: tool, mass: 1.5, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0] } }\n"
    "joints:\n"
    "  x: { slide: { guide: frame.x1, on: left, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: x, drive: mx }\n"
    "  x2: { slide: { guide: frame.x2, on: right, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: x2 }\n"
    "  mount1: { fixed: { a: left.c, b: cross.l } }\n"
    "  mount2: { fixed: { a: right.c, b: cross.r } }\n"
    "  y: { slide: { guide: cross.y, on: head, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: y, drive: my }\n"
    "  z: { slide: { guide: ram.z, on: head.c, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: z, drive: mz }\n"
    "outputs: { tool: { frame: ram.tool } }\n"
    "damping: { modal: 0.01 }\n"
    "reduction:\n"
    "  grid: auto\n"
    "  coordinates:\n"
    "    x: { range: [0.2, 1.0], max_rate: 2, max_acceleration: 20 }\n"
    "    y: { range: [0.2, 0.8], max_rate: 2, max_acceleration: 20 }\n"
    "    z: { range: [0.25, 0.5], max_rate: 2, max_acceleration: 20 }\n"
    "  modes: { count: 4 }\n"
    "  tolerance: 1e-3\n"
    "scenarios:\n";

static const char *const PASSING = HEAD
    "sections: { rail: { rectangle: { width: 0.06, height: 0.08 } } }\n"
    "bodies:\n"
    "  frame:\n"
    "    ground: true\n"
    "    beams: { points: { l: [0, 0, 0], r: [2, 0, 0] },\n"
    "             members: [{ from: l, to: r, section: rail, material: alu, elements: 40 }] }\n"
    "    supports: [{ nodes: l }, { nodes: r }]\n"
    "    guides: { x: { from: l, to: r, normal: [0, 0, 1] } }\n"
    "  one: { at: [0.5, 0, 0], rigid: { mass: 5, inertia: [0.02, 0.02, 0.02, 0, 0, 0] } }\n"
    "  two: { at: [1.5, 0, 0], rigid: { mass: 8, inertia: [0.04, 0.04, 0.04, 0, 0, 0] } }\n"
    "joints:\n"
    "  x1: { slide: { guide: frame.x, on: one, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: x1, drive: m1 }\n"
    "  x2: { slide: { guide: frame.x, on: two, orientation: free, runners: [\n"
    "      " RUNNERS " ] }, coordinate: x2, drive: m2 }\n"
    "outputs: { one: { body: one }, two: { body: two, point: [0, 0, 0.1] } }\n"
    "damping: { modal: 0.01 }\n"
    "reduction:\n"
    "  grid: auto\n"
    "  coordinates:\n"
    "    x1: { range: [0.2, 1.8], max_rate: 3, max_acceleration: 20 }\n"
    "    x2: { range: [0.2, 1.8], max_rate: 3, max_acceleration: 20 }\n"
    "  modes: { count: 4 }\n"
    "  tolerance: 1e-3\n"
    "scenarios:\n";

// Crank 0.2 m, coupler 0.5 m, rocker 0.4 m, frame 0.5 m; drawn with the crank along x and the
// rocker upright.
static const char *const FOUR_BAR = HEAD
    "sections: { bar: { rectangle: { width: 0.02, height: 0.02 } } }\n"
    "bodies:\n"
    "  base: { ground: true, rigid: { mass: 0 }, frames: { d: { point: [0.5, 0, 0] } } }\n"
    "  crank:\n"
    "    beams: { points: { o: [0, 0, 0], a: [0.2, 0, 0] },\n"
    "             members: [{ from: o, to: a, section: bar, material: steel, elements: 8 }] }\n"
    "    frames: { o: { node: o }, a: { node: a } }\n"
    "  coupler:\n"
    "    at: [0.2, 0, 0]\n"
    "    axes: { x: [0.6, 0.8, 0], y: [-0.8, 0.6, 0] }\n"
    "    beams: { points: { a: [0, 0, 0], m: [0.25, 0, 0], b: [0.5, 0, 0] },\n"
    "             members: [{ from: a, to: m, section: bar, material: alu, elements: 8 },\n"
    "                       { from: m, to: b, section: bar, material: alu, elements: 8 }] }\n"
    "    frames: { a: { node: a }, m: { node: m, mass: 0.5 }, b: { node: b } }\n"
    "  rocker:\n"
    "    at: [0.5, 0, 0]\n"
    "    axes: { x: [0, 1, 0], y: [-1, 0, 0] }\n"
    "    beams: { points: { d: [0, 0, 0], b: [0.4, 0, 0] },\n"
    "             members: [{ from: d, to: b, section: bar, material: alu, elements: 12 }] }\n"
    "    frames: { d: { node: d }, b: { node: b } }\n"
    "joints:\n"
    "  o: { revolute: { a: ground, b: crank.o, axis: [0, 0, 1] }, coordinate: phi, drive: motor }\n"
    "  a: { revolute: { a: crank.a, b: coupler.a, axis: [0, 0, 1] } }\n"
    "  b: { spherical: { a: coupler.b, b: rocker.b } }\n"
    "  d: { revolute: { a: base.d, b: rocker.d, axis: [0, 0, 1] } }\n"
    "outputs: { middle: { frame: coupler.m }, end: { frame: rocker.b } }\n"
    "reduction:\n"
    "  grid: auto\n"
    "  coordinates:\n"
    "    phi: { range: [0, 6.283185307179586], cyclic: true, max_rate: 40, max_acceleration: 400 "
    "}\n"
    "  modes: { count: 4 }\n"
    "  tolerance: 1e-3\n"
    "scenarios:\n";

// ---- how they are opened ------------------------------------------------------------------------

static bool open_case(const promise_model *p, motion *m)
{
  enum { MOST = 8 };
  char scenarios[2048];
  motion_swap swap[MOST + 2] = { { NULL, NULL } };
  int n = 0;
  for (const motion_swap *s = p->swap; s && s->from && n < MOST; s++) swap[n++] = *s;
  if (p->scenarios) {
    snprintf(scenarios, sizeof scenarios, "\nscenarios:\n%s", p->scenarios);
    swap[n++] = (motion_swap){ "\nscenarios:\n", scenarios };
  }
  return motion_case(p->of, swap, m);
}

static bool open_stacked(const promise_model *p, motion *m)
{
  return motion_text(m, "%s%s", STACKED, p->scenarios);
}

static bool open_portal(const promise_model *p, motion *m)
{
  return motion_text(m, "%s%s", PORTAL, p->scenarios);
}

static bool open_passing(const promise_model *p, motion *m)
{
  return motion_text(m, "%s%s", PASSING, p->scenarios);
}

static bool open_four_bar(const promise_model *p, motion *m)
{
  return motion_text(m, "%s%s", FOUR_BAR, p->scenarios);
}

static bool open_soft(const promise_model *p, motion *m)
{
  return motion_soft_model(m, p->scenarios);
}

static bool open_scara(const promise_model *p, motion *m)
{
  return motion_scara_model(m, p->scenarios);
}

static bool open_arm(const promise_model *p, motion *m)
{
  char extra[2048];
  *m = (motion){ 0 };
  snprintf(extra, sizeof extra, "scenarios:\n%s", p->scenarios);
  return arm_open(ARM_POLAR, extra, &m->f);
}

// The positioner of the offline benches on a coarse mesh.
static bool open_pads(const promise_model *p, motion *m)
{
  enum { UNKNOWNS = 2500, POINTS = 17, MODES = 4, CERTIFICATE = 8 };
  char dir[] = "/tmp/modeway_promise_XXXXXX", path[64], extra[2048];
  long n;
  *m = (motion){ 0 };
  if (!mkdtemp(dir)) return false;
  snprintf(extra, sizeof extra, "scenarios:\n%s", p->scenarios);
  snprintf(path, sizeof path, "%s/pads.yaml", dir);
  bool good = positioner_write(dir, "pads", UNKNOWNS, POINTS, MODES, CERTIFICATE, extra, &n) &&
              mw_fixture_file(path, &m->f);
  unlink(path);
  snprintf(path, sizeof path, "%s/pads.inp", dir);
  unlink(path);
  rmdir(dir);
  return good;
}

// ---- the table ----------------------------------------------------------------------------------

static const motion_swap gantry_swap[] = { { "gantry-arm.msh", MW_CASES_DIR "/gantry-arm.msh" },
                                           { NULL, NULL } };
static const motion_swap tool_swap[] = {
  { "file: machine-tool/", "file: " MW_CASES_DIR "/machine-tool/" }, { NULL, NULL }
};

static const promise_model models[] = {
  { .name = "beam-carriage",
    .what = "moving mass on a simply supported beam",
    .of = "beam-carriage",
    .scenarios =
        "  forced: { duration: 1.5, step: 5e-4, store: 3e-3, start: { x: { at: 0.3, velocity: 0 } "
        "}, drives: {\n"
        "    motor_x: { force: { sine: { amplitude: 0.5, frequency: 1 } } } } }\n",
    .run = { "nine_tenths", "tenth", "forced" } },
  { .name = "beam-carriage-light",
    .what = "the same with a light mass",
    .of = "beam-carriage-light",
    .scenarios =
        "  slow: { duration: 2.5, step: 5e-4, store: 5e-3, start: { x: { at: 0.1, velocity: 0.3 } "
        "}, drives: {\n"
        "    motor_x: { position: { ramp: { from: 0.1, velocity: 0.3 } } } } }\n"
        "  forced: { duration: 1.5, step: 5e-4, store: 3e-3, start: { x: { at: 0.3, velocity: 0 } "
        "}, drives: {\n"
        "    motor_x: { force: { sine: { amplitude: 0.1, frequency: 1 } } } } }\n",
    .run = { "nine_tenths", "slow", "forced" } },
  { .name = "cantilever-carriage",
    .what = "moving mass on a cantilever",
    .of = "cantilever-carriage",
    .scenarios = "  fast: { duration: 1.5, step: 5e-4, store: 5e-3, start: { x: 0.2 }, drives: {\n"
                 "    motor_x: { position: { cycloid: { from: 0.2, to: 0.8, end: 0.8 } } } } }\n",
    .run = { "fast", "cycloid", "force" } },
  { .name = "carriage-free",
    .what = "free carriage on a beam",
    .of = "carriage-free",
    .scenarios =
        "  roll: { duration: 3, step: 5e-4, store: 1e-2, start: { x: { at: 0.3, velocity: 0 } } "
        "}\n",
    .run = { "undriven", "roll", "force" } },
  { .name = "steel-beam",
    .what = "a carriage crossing a steel beam",
    .of = "steel-beam",
    .scenarios =
        "  forced: { duration: 0.9, step: 1e-3, store: 1e-3, start: { x: { at: 3, velocity: 0 } "
        "}, drives: {\n"
        "    motor_x: { force: { sine: { amplitude: 5000, frequency: 2 } } } } }\n",
    .run = { "cross", "settled", "forced" } },
  { .name = "gantry",
    .what = "pick-and-place gantry",
    .of = "gantry",
    .swap = gantry_swap,
    .scenarios =
        "  slow:\n"
        "    duration: 0.7\n"
        "    step: 5e-4\n"
        "    control_period: 1e-3\n"
        "    store: 1e-3\n"
        "    start: { x: 0.4, x2: 0.4, y: 0.3 }\n"
        "    drives:\n"
        "      motor_x1: { move: { from: 0.4, to: 0.6, max_velocity: 0.6, max_acceleration: 5, "
        "max_jerk: 200 },\n"
        "                  kp: 1.15e5, kd: 1460, feedforward: 7.25 }\n"
        "      motor_x2: { move: { from: 0.4, to: 0.6, max_velocity: 0.6, max_acceleration: 5, "
        "max_jerk: 200 },\n"
        "                  kp: 1.15e5, kd: 1460, feedforward: 7.25 }\n"
        "      motor_y: { move: { from: 0.3, to: 0.5, max_velocity: 0.6, max_acceleration: 5, "
        "max_jerk: 200 },\n"
        "                 kp: 8.6e4, kd: 1090, feedforward: 5.43 }\n"
        "  forced: { duration: 0.3, step: 5e-4, store: 1e-3, start: { x: 0.5, x2: 0.5, y: 0.4 }, "
        "drives: {\n"
        "    motor_x1: { force: { sine: { amplitude: 60, frequency: 5 } } },\n"
        "    motor_x2: { force: { sine: { amplitude: 60, frequency: 5 } } },\n"
        "    motor_y: { force: { sine: { amplitude: 40, frequency: 8 } } } } }\n",
    .run = { "pick", "slow", "forced" } },
  { .name = "boom",
    .what = "a boom pushed through its bearings",
    .of = "boom",
    .scenarios =
        "  slow: { duration: 1.5, step: 5e-4, store: 3e-3, start: { s: 1.2 }, drives: {\n"
        "    motor: { position: { cycloid: { from: 1.2, to: 0.4, end: 1.4 } } } } }\n"
        "  forced: { duration: 1, step: 2e-4, store: 2e-3, start: { s: { at: 0.6, velocity: 0 } "
        "}, drives: {\n"
        "    motor: { force: { sine: { amplitude: 20, frequency: 2 } } } } }\n",
    .run = { "push", "slow", "forced" } },
  { .name = "column",
    .what = "heavy column on a sled",
    .of = "column",
    .scenarios =
        "  fast: { duration: 2, step: 1e-3, store: 1e-2, start: { x: 0 }, drives: {\n"
        "    motor: { position: { cycloid: { from: 0, to: 0.06, end: 0.3 } } } } }\n"
        "  forced: { duration: 2, step: 1e-3, store: 1e-2, start: { x: { at: 0.3, velocity: 0 } "
        "}, drives: {\n"
        "    motor: { force: { sine: { amplitude: 10, frequency: 0.5 } } } } }\n",
    .run = { "fast", "sway", "forced" } },
  { .name = "arm-spin-up",
    .what = "arm of 8 m spun up",
    .of = "arm-spin-up",
    .scenarios =
        "  forced: { duration: 10, step: 5e-3, store: 5e-2, start: { phi: { at: 0, velocity: 0 } "
        "}, drives: {\n"
        "    motor: { force: { sine: { amplitude: 10, frequency: 0.2 } } } } }\n",
    .run = { "spin", "slow", "forced" } },
  { .name = "rotor-disk",
    .what = "overhung rotor",
    .of = "rotor-disk",
    .scenarios = "  slow: { duration: 0.3, step: 1e-4, store: 1e-3, start: { phi: 0 }, drives: {\n"
                 "    motor: { position: { ramp: { from: 0, velocity: 40 } } },\n"
                 "    push: { force: { sine: { amplitude: 30, frequency: 12 } } } } }\n",
    .run = { "fast", "slow", "whirl" } },
  { .name = "polar",
    .what = "polar positioner",
    .of = "polar",
    .scenarios =
        "  slow: { duration: 2, step: 5e-4, store: 4e-3, start: { phi: 0, r: 0.8 }, drives: {\n"
        "    motor_phi: { position: { cycloid: { from: 0, to: 3, end: 1.9 } } },\n"
        "    motor_r: { position: { cycloid: { from: 0.8, to: 0.2, end: 1.9 } } } } }\n"
        "  forced: { duration: 1, step: 2e-4, store: 2e-3, start: { phi: { at: 0, velocity: 0 }, "
        "r: 0.4 }, drives: {\n"
        "    motor_phi: { force: { sine: { amplitude: 60, frequency: 1 } } },\n"
        "    motor_r: { position: { cycloid: { from: 0.4, to: 0.6, end: 0.8 } } } } }\n",
    .run = { "spin", "slow", "forced" } },
  { .name = "two-link",
    .what = "planar two-link arm",
    .of = "two-link",
    .scenarios =
        "  forced: { duration: 1, step: 5e-4, store: 2e-3,\n"
        "    start: { q1: { at: 0, velocity: 0 }, q2: { at: 0.8, velocity: 0 } }, drives: {\n"
        "    m1: { force: { sine: { amplitude: 30, frequency: 2 } } },\n"
        "    m2: { force: { sine: { amplitude: 8, frequency: 3 } } } } }\n",
    .run = { "fast", "turn", "forced" } },
  { .name = "slider-crank",
    .what = "flexible slider-crank",
    .of = "slider-crank",
    .scenarios =
        "  slow: { duration: 0.8, step: 1e-4, store: 1e-3, start: { phi: 0.5 }, drives: {\n"
        "    motor: { position: { cycloid: { from: 0.5, to: 6.783185307179586, end: 0.7 } } } } }\n"
        "  forced: { duration: 0.3, step: 5e-5, store: 5e-4, start: { phi: { at: 1, velocity: 0 } "
        "}, drives: {\n"
        "    motor: { force: { sine: { amplitude: 1, frequency: 6 } } } } }\n",
    .run = { "turn", "slow", "forced" } },
  { .name = "flexcell",
    .what = "a beam sliding through a carriage",
    .of = "flexcell",
    .scenarios =
        "  slow: { duration: 1.2, step: 4e-4, store: 2e-3, start: { x: 1.1, z: 0.9 }, drives: {\n"
        "    motor_x: { position: { cycloid: { from: 1.1, to: 0.4, end: 1.1 } } },\n"
        "    motor_z: { position: { cycloid: { from: 0.9, to: 0.4, end: 1.1 } } } } }\n"
        "  forced: { duration: 0.6, step: 2e-4, store: 1e-3, start: { x: { at: 0.6, velocity: 0 "
        "}, z: 0.5 }, drives: {\n"
        "    motor_x: { force: { sine: { amplitude: 40, frequency: 3 } } },\n"
        "    motor_z: { position: { cycloid: { from: 0.5, to: 0.8, end: 0.5 } } } } }\n",
    .run = { "pick", "slow", "forced" } },
  { .name = "stacked",
    .what = "three slides stacked",
    .open = open_stacked,
    .scenarios =
        "  fast: { duration: 0.6, step: 2e-4, store: 1e-3, start: { x: 0.3, y: 0.2, z: 0.3 }, "
        "drives: {\n"
        "    mx: { position: { cycloid: { from: 0.3, to: 0.8, end: 0.55 } } },\n"
        "    my: { position: { cycloid: { from: 0.2, to: 0.55, end: 0.4 } } },\n"
        "    mz: { position: { cycloid: { from: 0.3, to: 0.5, start: 0.1, end: 0.4 } } } } }\n"
        "  slow: { duration: 1.2, step: 4e-4, store: 2e-3, start: { x: 0.9, y: 0.6, z: 0.5 }, "
        "drives: {\n"
        "    mx: { position: { cycloid: { from: 0.9, to: 0.3, end: 1.1 } } },\n"
        "    my: { position: { cycloid: { from: 0.6, to: 0.25, end: 1 } } },\n"
        "    mz: { position: { cycloid: { from: 0.5, to: 0.25, end: 1.1 } } } } }\n"
        "  forced: { duration: 0.6, step: 2e-4, store: 1e-3, start: { x: 0.5, y: 0.4, z: 0.4 }, "
        "drives: {\n"
        "    mx: { force: { sine: { amplitude: 60, frequency: 4 } } },\n"
        "    my: { force: { sine: { amplitude: 30, frequency: 5 } } },\n"
        "    mz: { position: { cycloid: { from: 0.4, to: 0.3, end: 0.4 } } } } }\n",
    .run = { "fast", "slow", "forced" } },
  { .name = "portal",
    .what = "three slides stacked on a portal",
    .open = open_portal,
    .scenarios =
        "  fast: { duration: 0.6, step: 2e-4, store: 1e-3, start: { x: 0.3, x2: 0.3, y: 0.25, z: "
        "0.3 }, drives: {\n"
        "    mx: { position: { cycloid: { from: 0.3, to: 0.8, end: 0.55 } } },\n"
        "    my: { position: { cycloid: { from: 0.25, to: 0.6, end: 0.4 } } },\n"
        "    mz: { position: { cycloid: { from: 0.3, to: 0.48, start: 0.1, end: 0.4 } } } } }\n"
        "  slow: { duration: 1.2, step: 4e-4, store: 2e-3, start: { x: 0.9, x2: 0.9, y: 0.7, z: "
        "0.48 }, drives: {\n"
        "    mx: { position: { cycloid: { from: 0.9, to: 0.3, end: 1.1 } } },\n"
        "    my: { position: { cycloid: { from: 0.7, to: 0.3, end: 1 } } },\n"
        "    mz: { position: { cycloid: { from: 0.48, to: 0.28, end: 1.1 } } } } }\n"
        "  forced: { duration: 0.6, step: 2e-4, store: 1e-3, start: { x: 0.5, x2: 0.5, y: 0.5, z: "
        "0.4 }, drives: {\n"
        "    mx: { force: { sine: { amplitude: 60, frequency: 4 } } },\n"
        "    my: { force: { sine: { amplitude: 30, frequency: 5 } } },\n"
        "    mz: { position: { cycloid: { from: 0.4, to: 0.3, end: 0.4 } } } } }\n",
    .run = { "fast", "slow", "forced" } },
  { .name = "passing",
    .what = "two carriages passing on one guide",
    .open = open_passing,
    .scenarios =
        "  fast: { duration: 1, step: 2e-4, store: 1e-3, start: { x1: 0.4, x2: 1.6 }, drives: {\n"
        "    m1: { position: { cycloid: { from: 0.4, to: 1.6, end: 0.8 } } },\n"
        "    m2: { position: { cycloid: { from: 1.6, to: 0.5, end: 0.8 } } } } }\n"
        "  slow: { duration: 2.5, step: 5e-4, store: 2e-3, start: { x1: 0.4, x2: 1.6 }, drives: {\n"
        "    m1: { position: { cycloid: { from: 0.4, to: 1.5, end: 2.2 } } },\n"
        "    m2: { position: { cycloid: { from: 1.6, to: 0.6, end: 2.4 } } } } }\n"
        "  forced: { duration: 1, step: 2e-4, store: 1e-3, start: { x1: 0.7, x2: 1.1 }, drives: {\n"
        "    m1: { force: { sine: { amplitude: 20, frequency: 3 } } },\n"
        "    m2: { force: { sine: { amplitude: -30, frequency: 2.5 } } } } }\n",
    .run = { "fast", "slow", "forced" } },
  { .name = "arm-carriage",
    .what = "a carriage on a rotating arm, coarse",
    .open = open_arm,
    .scenarios =
        "  fast: { duration: 0.8, step: 2e-4, store: 1e-3, start: { phi: 0, r: 0.3 }, drives: {\n"
        "    m1: { position: { cycloid: { from: 0, to: 2, end: 0.6 } } },\n"
        "    m2: { position: { cycloid: { from: 0.3, to: 0.7, end: 0.5 } } } } }\n"
        "  slow: { duration: 2, step: 5e-4, store: 4e-3, start: { phi: 0, r: 0.8 }, drives: {\n"
        "    m1: { position: { cycloid: { from: 0, to: 2, end: 1.9 } } },\n"
        "    m2: { position: { cycloid: { from: 0.8, to: 0.3, end: 1.9 } } } } }\n"
        "  forced: { duration: 0.6, step: 2e-4, store: 1e-3, start: { phi: { at: 0, velocity: 0 "
        "}, r: 0.5 }, drives: {\n"
        "    m1: { force: { sine: { amplitude: 10, frequency: 2 } } },\n"
        "    m2: { position: { cycloid: { from: 0.5, to: 0.7, end: 0.5 } } } } }\n",
    .run = { "fast", "slow", "forced" } },
  { .name = "four-bar",
    .what = "elastic four-bar",
    .open = open_four_bar,
    .scenarios =
        "  fast: { duration: 0.5, step: 1e-4, store: 1e-3, start: { phi: 0.5 }, drives: {\n"
        "    motor: { position: { cycloid: { from: 0.5, to: 6.783185307179586, end: 0.4 } } } } }\n"
        "  slow: { duration: 1.5, step: 3e-4, store: 3e-3, start: { phi: 0.5 }, drives: {\n"
        "    motor: { position: { cycloid: { from: 0.5, to: 6.783185307179586, end: 1.3 } } } } }\n"
        "  forced: { duration: 0.4, step: 1e-4, store: 1e-3, start: { phi: 1 }, drives: {\n"
        "    motor: { force: { sine: { amplitude: 8, frequency: 5 } } } } }\n",
    .run = { "fast", "slow", "forced" } },
  { .name = "soft",
    .what = "soft bearings under a high centre of mass on a rotating arm",
    .open = open_soft,
    .scenarios =
        "  slow: { duration: 2, step: 1e-3, store: 4e-3, start: { phi: 0, r: 0.7 }, drives: {\n"
        "    mphi: { position: { cycloid: { from: 0, to: 1, end: 1.8 } } },\n"
        "    mr: { position: { cycloid: { from: 0.7, to: 0.3, end: 1.8 } } } } }\n"
        "  forced: { duration: 1, step: 5e-4, store: 2e-3, start: { phi: { at: 0, velocity: 0 }, "
        "r: 0.5 }, drives: {\n"
        "    mphi: { force: { sine: { amplitude: 10, frequency: 1 } } },\n"
        "    mr: { position: { cycloid: { from: 0.5, to: 0.6, end: 0.8 } } } } }\n",
    .run = { "spin", "slow", "forced" } },
  { .name = "scara",
    .what = "SCARA",
    .open = open_scara,
    .scenarios =
        "  slow: { duration: 1.5, step: 5e-4, store: 3e-3, start: { q1: -0.6, q2: 1.2, z: 0.05 }, "
        "drives: {\n"
        "    m1: { position: { cycloid: { from: -0.6, to: 0.7, end: 1.4 } } },\n"
        "    m2: { position: { cycloid: { from: 1.2, to: -0.5, end: 1.4 } } },\n"
        "    m3: { position: { cycloid: { from: 0.05, to: -0.05, end: 1.4 } } } } }\n"
        "  forced: { duration: 0.6, step: 2e-4, store: 1e-3,\n"
        "    start: { q1: { at: 0, velocity: 0 }, q2: { at: 0.8, velocity: 0 }, z: 0 }, drives: {\n"
        "    m1: { force: { sine: { amplitude: 10, frequency: 3 } } },\n"
        "    m2: { force: { sine: { amplitude: 3, frequency: 4 } } }, m3: { position: 0 } } }\n",
    .run = { "pick", "slow", "forced" } },
  { .name = "pads",
    .what = "pads on a boom of solids",
    .open = open_pads,
    .scenarios =
        "  fast: { duration: 0.8, step: 5e-4, store: 1e-3, start: { x: 0.3, x2: 0.3 }, drives: {\n"
        "    motor: { position: { cycloid: { from: 0.3, to: 0.9, end: 0.65 } } } } }\n"
        "  slow: { duration: 1.2, step: 1e-3, store: 2e-3, start: { x: 0.9, x2: 0.9 }, drives: {\n"
        "    motor: { position: { cycloid: { from: 0.9, to: 0.3, end: 1.1 } } } } }\n"
        "  forced: { duration: 0.5, step: 5e-4, store: 1e-3, start: { x: { at: 0.6, velocity: 0 "
        "}, x2: 0.6 }, drives: {\n"
        "    motor: { force: { sine: { amplitude: 40, frequency: 4 } } } } }\n",
    .run = { "fast", "slow", "forced" } },
  { .name = "machine-tool",
    .what = "machine tool of cast parts",
    .of = "machine-tool",
    .swap = tool_swap,
    .run = { "approach" },
    .named = true,
    .on_meshes = 4 },
};

int promise_models(const promise_model **list)
{
  enum { N = sizeof models / sizeof *models };
  static promise_model all[N];
  for (int k = 0; k < N; k++) {
    all[k] = models[k];
    if (!all[k].open) all[k].open = open_case;
  }
  *list = all;
  return N;
}
