// SPDX-License-Identifier: BSD-3-Clause
#include "leg_cart.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fem/component.h"
#include "mw_test.h"

static char folder[64];

// A leg that bends with dry friction and play in its knee, and slides on stops, a spring and a
// damper in its foot; mount and tip are seen.
const char mw_leg[] =
    "modeway: 1\n"
    "parameters: { load: 0.4 }\n"
    "bodies:\n"
    "  hip_of_the_leg:\n"
    "    rigid: { mass: 0.8, com: [0, 0.01, 0], inertia: [4e-3, 5e-3, 3e-3, 2e-4, 0, 0] }\n"
    "    frames: { mount: { point: [0, 0, 0.05] }, knee: { point: [0, 0, -0.05] } }\n"
    "  thigh:\n"
    "    at: [0, 0, -0.05]\n"
    "    axes: { x: [0.96, 0, 0.28], y: [0, 1, 0] }\n"
    "    rigid: { mass: 0.5, com: [0, 0, -0.1], inertia: [3e-3, 3e-3, 6e-4, 0, 0, 0] }\n"
    "    frames: { pin: { point: [0, 0, 0] }, sole: { point: [0, 0, -0.3] } }\n"
    "  toe:\n"
    "    at: [0.07, 0, -0.29]\n"
    "    axes: { x: [0.96, 0, 0.28], y: [0, 1, 0] }\n"
    "    rigid: { mass: $load, com: [0, 0, -0.02], inertia: [1e-3, 1e-3, 4e-4, 0, 0, 0] }\n"
    "    frames: { tip: { point: [0, 0, -0.05] } }\n"
    "joints:\n"
    "  knee:\n"
    "    revolute: { a: hip_of_the_leg.knee, b: thigh.pin, axis: [0, 1, 0] }\n"
    "    coordinate: phi\n"
    "    friction: { coulomb: 0.1, static: 0.12, radius: 0.02, preload: 2, smooth: 0.05 }\n"
    "    play: { gap: 0.1, middle: 0.02, stiffness: 30, damping: 0.1 }\n"
    "  slot:\n"
    "    prismatic: { a: thigh, b: toe, axis: [0, 0, 1] }\n"
    "    coordinate: z\n"
    "    damping: 0.3\n"
    "    stops: { range: [-0.01, 0.015], stiffness: 5000, damping: 0.5 }\n"
    "drives:\n"
    "  lift: { coordinate: z, rotor: { inertia: 2e-5, ratio: 300, stiffness: 4e4, damping: 20 } }\n"
    "springs:\n"
    "  sole: { a: thigh.sole, b: toe.tip, stiffness: 30, damping: 0.05 }\n"
    "outputs:\n"
    "  shin: { body: thigh, point: [0.01, 0, -0.3] }\n"
    "  nail: { frame: toe.tip }\n"
    "  nail_rate: { velocity: nail }\n"
    "  stroke: { coordinate: z }\n"
    "  push: { drive_force: lift }\n"
    "ports: { mount: hip_of_the_leg.mount, tip: toe.tip }\n";

// Two of them, one mirrored, below a driven cart, their tips joined by a bar: a loop through both.
// %s: how the leg is used; %s: method.
static const char CART[] =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "definitions:\n"
    "  side:\n"
    "    parameters: { heavy: 0.5 }\n"
    "    assemblies:\n"
    "      leg: { %s, at: [0, 0.2, 0], set: { load: 0.8*$heavy } }\n"
    "    ports: { mount: leg.mount, tip: leg.tip }\n"
    "bodies:\n"
    "  cart:\n"
    "    rigid: { mass: 4, inertia: [0.1, 0.12, 0.1, 0, 0, 0] }\n"
    "    frames: { left: { point: [0, 0.2, 0.05] }, right: { point: [0, -0.2, 0.05] } }\n"
    "  bar:\n"
    "    at: [0.084, 0, -0.338]\n"
    "    axes: { x: [0.96, 0, 0.28], y: [0, 1, 0] }\n"
    "    rigid: { mass: 0.3, inertia: [0.01, 4e-4, 0.01, 0, 0, 0] }\n"
    "    frames: { left: { point: [0, 0.2, 0] }, right: { point: [0, -0.2, 0] } }\n"
    "joints:\n"
    "  x: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }, coordinate: x, damping: 2,\n"
    "       drive: motor }\n"
    "  left: { fixed: { a: cart.left, b: left.mount } }\n"
    "  right: { fixed: { a: cart.right, b: right.mount } }\n"
    "  below_left: { spherical: { a: bar.left, b: left.tip } }\n"
    "  below_right: { cylindrical: { a: bar.right, b: right.tip, axis: [0, 1, 0] } }\n"
    "assemblies:\n"
    "  left: { use: side, set: { heavy: 0.6 } }\n"
    "  right: { use: side, mirror: y }\n"
    "outputs: { cart: { body: cart }, bar: { body: bar, point: [0.1, 0, 0] } }\n"
    "scenarios:\n"
    "  go:\n"
    "    duration: 0.5\n"
    "    step: 5e-4\n"
    "    store: 5e-3\n"
    "    initial: undeformed\n"
    "    drives:\n"
    "      motor: { force: { sine: { amplitude: 8, frequency: 1.5 } } }\n"
    "      left.leg.lift: { force: { sine: { amplitude: 3, frequency: 2.5 } } }\n"
    "      right.leg.lift: { position: { sine: { amplitude: 4e-3, frequency: 3 } } }\n"
    "    rigid: { method: %s }\n";

_Static_assert(sizeof mw_leg <= MW_LEG && sizeof CART + 400 <= MW_LEG_CART, "texts of leg_cart.h");

const char *mw_leg_path(const char *name, char path[160])
{
  snprintf(path, 160, "%s/%s", folder, name);
  return path;
}

void mw_leg_put(const char *name, const char *text)
{
  char path[160];
  MW_CHECK(mw_test_write(mw_leg_path(name, path), text, strlen(text)));
}

bool mw_leg_get(const char *name, mw_case *c)
{
  char path[160];
  mw_error err = { 0 };
  return MW_OKAY(mw_case_read(mw_leg_path(name, path), c, &err));
}

void mw_leg_put_cart(const char *name, const char *use, const char *method)
{
  char text[MW_LEG_CART];
  mw_leg_put(name, mw_leg_cart(use, method, text));
}

bool mw_leg_run(const char *name, mw_case *c, mw_run *r)
{
  mw_error err = { 0 };
  mw_path_opt opt = { 0 };
  if (!mw_leg_get(name, c)) return false;
  return MW_OKAY(mw_path_run(c, &c->model.scenario[0], "rigid", &opt, r, &err));
}

char *mw_leg_cart(const char *use, const char *method, char text[MW_LEG_CART])
{
  snprintf(text, MW_LEG_CART, CART, use, method);
  return text;
}

bool mw_leg_open(const char *suite)
{
  char path[160], out[160];
  mw_error err = { 0 };
  snprintf(folder, sizeof folder, "/tmp/%s.%ld", suite, (long)getpid());
  if (mkdir(folder, 0700) != 0) return false;
  mw_leg_path("leg.yaml", path);
  if (!mw_test_write(path, mw_leg, strlen(mw_leg))) return false;
  if (mw_component_write(path, mw_leg_path("leg.so", out), &err) == MW_OK) return true;
  printf("%s\n", err.msg);
  return false;
}

void mw_leg_close(void)
{
  char path[400];
  DIR *d = opendir(folder);
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    (void)unlink(path);
  }
  if (d) closedir(d);
  rmdir(folder);
}
