// SPDX-License-Identifier: BSD-3-Clause
// test_joint_paths.c: every class of joint in every path: what runs moves alike, what is refused is
// refused by name and for the reason that fem/joint/README.md gives.
//
// A carriage on a rail pushes an elastic arm across its length. The joint of the row holds the arm
// at the carriage (o), what it leaves free is held at the arm's other end (a).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fem/joint.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"

static const char *const model_text =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.01, height: 0.012 } } }\n"
    "bodies:\n"
    "  base:\n"
    "    rigid: { mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0] }\n"
    "    frames: { o: { point: [0, 0, 0] }, m: { point: [0.15, 0, 0] },\n"
    "      h: { point: [0.3, 0, 0] }, up: { point: [0.3, 0.2, 0] },\n"
    "      axle: { point: [0, 0, 0.05] } }\n"
    "  arm:\n"
    "    beams:\n"
    "      points: { o: [0, 0, 0], m: [0.15, 0, 0], a: [0.3, 0, 0] }\n"
    "      members:\n"
    "        - { from: o, to: m, section: bar, material: steel, elements: 3 }\n"
    "        - { from: m, to: a, section: bar, material: steel, elements: 3 }\n"
    "    frames: { o: { node: o }, m: { node: m }, a: { node: a } }\n"
    "    guides: { line: { from: o, to: a, normal: [0, 0, 1] } }\n"
    "%s"
    "joints:\n"
    "  rail: { prismatic: { a: ground, b: base, axis: [0, 1, 0] }, coordinate: x, drive: motor }\n"
    "%s"
    "outputs: { o: { frame: arm.o }, m: { frame: arm.m }, a: { frame: arm.a } }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0, 0.1], points: 4, max_rate: 4, max_acceleration: 400 } }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 2, samples: 4 }\n"
    "scenarios:\n"
    "  push: { duration: 0.04, step: 1e-4, store: 4e-4, start: { x: 0 }, drives: { motor: { "
    "position: { cycloid: { from: 0, to: 0.05, end: 0.03 } } } } }\n";

typedef struct row {
  const char *bodies, *joints;
  const char *refused;  // what paths with elastic bodies and `reduce` say; NULL: they run
} row;

#define ARM_FIXED "  root: { fixed: { a: base.o, b: arm.o } }\n"
#define CART                                                                                       \
  "  cart: { at: [0.15, 0, 0], rigid: { mass: 0.2, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
#define DISK                                                                                       \
  "  disk: { at: [0, 0, 0.05], rigid: { mass: 0.2, inertia: [1e-4, 2e-4, 1e-4, 0, 0, 0] } }\n"

// One a class of joint.
static const row rows[MW_JOINT_KINDS] = {
  [MW_JOINT_SLIDE] = { CART,
                       ARM_FIXED
                       "  tested: { slide: { guide: arm.line, on: cart, orientation: fixed } }\n"
                       "  end: { primitives: { a: base.m, b: cart, hold: [x] } }\n",
                       NULL },
  [MW_JOINT_FIXED] = { "", "  tested: { fixed: { a: base.o, b: arm.o } }\n", NULL },
  [MW_JOINT_REVOLUTE] = { "",
                          "  tested: { revolute: { a: base.o, b: arm.o, axis: [0, 0, 1] } }\n"
                          "  end: { primitives: { a: base.h, b: arm.a, hold: [y] } }\n",
                          NULL },
  [MW_JOINT_PRISMATIC] = { "",
                           "  tested: { prismatic: { a: base.o, b: arm.o, axis: [1, 0, 0] } }\n"
                           "  end: { primitives: { a: base.h, b: arm.a, hold: [x] } }\n",
                           NULL },
  [MW_JOINT_SPHERICAL] = { "",
                           "  tested: { spherical: { a: base.o, b: arm.o } }\n"
                           "  end: { primitives: { a: base.h, b: arm.a, hold: [y, z, yz] } }\n",
                           NULL },
  [MW_JOINT_CYLINDRICAL] = { "",
                             "  tested: { cylindrical: { a: base.o, b: arm.o, axis: [1, 0, 0] } }\n"
                             "  end: { primitives: { a: base.h, b: arm.a, hold: [x, yz] } }\n",
                             NULL },
  [MW_JOINT_UNIVERSAL] = { "",
                           "  tested: { universal: { a: base.o, b: arm.o, axis: [0, 0, 1], axis_b: "
                           "[0, 1, 0] } }\n"
                           "  end: { primitives: { a: base.h, b: arm.a, hold: [y, z] } }\n",
                           NULL },
  [MW_JOINT_PLANAR] = { "",
                        "  tested: { planar: { a: base.o, b: arm.o, normal: [0, 0, 1] } }\n"
                        "  end: { primitives: { a: base.h, b: arm.a, hold: [x, y, xy] } }\n",
                        NULL },
  [MW_JOINT_PRIMITIVES] = { "",
                            "  tested: { primitives: { a: base.o, b: arm.o, hold: [x, y, z] } }\n"
                            "  end: { primitives: { a: base.h, b: arm.a, hold: [y, z, yz] } }\n",
                            NULL },
  [MW_JOINT_SCREW] = { "",
                       "  tested: { screw: { a: base.o, b: arm.o, axis: [1, 0, 0], pitch: 0.05 } "
                       "}\n"
                       "  end: { primitives: { a: base.h, b: arm.a, hold: [x] } }\n",
                       NULL },
  [MW_JOINT_DISTANCE] = { "",
                          "  hinge: { revolute: { a: base.o, b: arm.o, axis: [0, 0, 1] } }\n"
                          "  tested: { distance: { a: base.up, b: arm.a } }\n",
                          NULL },
  [MW_JOINT_CURVE] = { "",
                       "  hinge: { revolute: { a: base.o, b: arm.o, axis: [0, 0, 1] } }\n"
                       "  tested: { curve: { a: base.h, b: arm.a, points: [[-0.1, 0, 0], [0, "
                       "0, 0], [0.1, 0.02, 0]] } }\n",
                       NULL },
  [MW_JOINT_ROLLING] = { DISK,
                         ARM_FIXED
                         "  tested: { rolling: { a: ground, b: disk, normal: [0, 0, 1], axis_b: "
                         "[1, 0, 0], radius: 0.05 } }\n"
                         "  hub: { revolute: { a: base.axle, b: disk, axis: [1, 0, 0] } }\n",
                         "rolling tested is known to the rigid path only (--path rigid): it "
                         "holds velocities, and no columns of positions keep what holds on them "
                         "alone" },
  [MW_JOINT_WHEELS] = { CART
                        "  second: { at: [0.3, 0, 0], rigid: { mass: 0.1, inertia: [2e-4, 2e-4, "
                        "3e-4, 0, 0, 0] } }\n",
                        ARM_FIXED
                        "  hub: { revolute: { a: arm.m, b: cart, axis: [0, 0, 1] } }\n"
                        "  tip: { revolute: { a: arm.a, b: second, axis: [0, 0, 1] } }\n"
                        "  drive: { rack: { a: ground, b: cart, axis: [0, 0, 1], along: [0, 1, 0] "
                        "} }\n"
                        "  tested: { wheels: { a: cart, b: second, axis: [0, 0, 1], teeth: [20, "
                        "30] } }\n",
                        NULL },
  [MW_JOINT_RACK] = { CART,
                      ARM_FIXED
                      "  hub: { revolute: { a: arm.m, b: cart, axis: [0, 0, 1] } }\n"
                      "  tested: { rack: { a: ground, b: cart, axis: [0, 0, 1], along: [0, 1, 0] "
                      "} }\n",
                      NULL },
  [MW_JOINT_GEAR] = { CART,
                      ARM_FIXED
                      "  hub: { revolute: { a: base.m, b: cart, axis: [0, 0, 1] }, coordinate: phi "
                      "}\n"
                      "  tested: { gear: { first: x, second: phi, ratio: 20 } }\n",
                      "gear tested is known to the rigid path only (--path rigid): its row passes "
                      "moments between two joints without the force of the teeth, which bends what "
                      "is elastic (joints of wheels and racks have it)" },
  [MW_JOINT_SPRING] = { CART,
                        ARM_FIXED
                        "  end: { prismatic: { a: base.m, b: cart, axis: [0, 1, 0] "
                        "} }\n"
                        "springs:\n"
                        "  tested: { a: arm.m, b: cart, stiffness: [0, 2e4, 0, 0, 0, 0] }\n",
                        NULL },
};

// ---- one row ------------------------------------------------------------------------------------

static bool open_row(const row *r, mw_case *c)
{
  char path[] = "/tmp/modeway_joint_XXXXXX", text[4096];
  mw_error err = { 0 };
  int n = snprintf(text, sizeof text, model_text, r->bodies, r->joints), fd = mkstemp(path);
  if (!MW_CHECK(fd >= 0 && n > 0 && (size_t)n < sizeof text)) return false;
  bool ok = MW_CHECK(write(fd, text, (size_t)n) == n);
  close(fd);
  ok = ok && MW_OKAY(mw_case_read(path, c, &err));
  unlink(path);
  return ok;
}

// By `path`, to the rigid path's accuracy or that of the scenario's steps.
static mw_code run(const mw_case *c, const char *path, const mw_rom_file *rom, mw_run *out,
                   mw_error *err)
{
  const mw_scenario *sc = &c->model.scenario[0];
  mw_rigid_in rigid = sc->rigid;
  mw_path_opt opt = { .rom = rom, .body_modes = 20, .rigid = &rigid };
  rigid.tolerance = 1e-10;
  return mw_path_run(c, sc, path, &opt, out, err);
}

static double largest_gap(const mw_run *a, const mw_run *b)
{
  double worst = a->n_t == b->n_t ? 0.0 : NAN;
  for (int i = 0; worst >= 0.0 && i < 3 * a->n_t * a->n_out; i++)
    worst = fmax(worst, fabs(a->y[i] - b->y[i]));
  return worst;
}

static void runs_everywhere(const char *name, const mw_case *c)
{
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  mw_run full = { 0 }, body = { 0 }, gmp = { 0 }, rigid = { 0 };
  if (MW_OKAY(run(c, "rigid", NULL, &rigid, &err)) && MW_OKAY(run(c, "full", NULL, &full, &err)) &&
      MW_OKAY(run(c, "body", NULL, &body, &err)) &&
      MW_OKAY(mw_reduce(&c->model, &c->mech, NULL, &rom, &err)) &&
      MW_OKAY(run(c, "gmp", &rom, &gmp, &err))) {
    double bend = largest_gap(&full, &rigid), reduced = largest_gap(&full, &gmp);
    double based = largest_gap(&full, &body);
    printf("%-12s bends by %.2e m; of it body errs by %.1e, gmp by %.1e\n", name, bend,
           based / bend, reduced / bend);
    MW_CHECK(bend > 1e-6 && based < 5e-3 * bend && reduced < 5e-3 * bend);
  }
  mw_run_free(&gmp);
  mw_run_free(&body);
  mw_run_free(&full);
  mw_run_free(&rigid);
  mw_rom_file_free(&rom);
}

static void is_refused(const char *name, const char *why, const mw_case *c)
{
  static const char *const path[] = { "full", "body" };
  mw_error err = { 0 };
  mw_run r = { 0 };
  mw_rom_file rom = { 0 };
  MW_OKAY(run(c, "rigid", NULL, &r, &err));
  mw_run_free(&r);
  for (int i = 0; i < 2; i++) {
    MW_FAILS(run(c, path[i], NULL, &r, &err), MW_ERR_INPUT);
    if (!MW_CHECK(strcmp(err.msg, why) == 0)) printf("  found: %s\n", err.msg);
    mw_run_free(&r);
  }
  MW_FAILS(mw_reduce(&c->model, &c->mech, NULL, &rom, &err), MW_ERR_INPUT);
  if (!MW_CHECK(strcmp(err.msg, why) == 0)) printf("  found: %s\n", err.msg);
  mw_rom_file_free(&rom);
  printf("%-12s path rigid; %s\n", name, err.msg);
}

// ---- all rows -----------------------------------------------------------------------------------

static void every_class_runs_or_is_refused_by_name(void)
{
  for (int k = 0; k < MW_JOINT_KINDS; k++) {
    mw_case c = { 0 };
    bool tested = false;
    const char *name = mw_joint_key((mw_joint_kind)k), *only = mw_joint_classes[k]->rigid_only;
    if (!MW_CHECK(rows[k].joints != NULL) || !open_row(&rows[k], &c)) continue;
    for (int j = 0; j < c.model.n_joint; j++)
      tested |= strcmp(c.model.joint[j].name, "tested") == 0 && (int)c.model.joint[j].kind == k;
    MW_CHECK(tested && (only != NULL) == (rows[k].refused != NULL));
    if (rows[k].refused)
      is_refused(name, rows[k].refused, &c);
    else
      runs_everywhere(name, &c);
    mw_case_free(&c);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "every_class_runs_or_is_refused_by_name", every_class_runs_or_is_refused_by_name },
  };
  return mw_test_run("joint_paths", cases, (int)(sizeof cases / sizeof *cases));
}
