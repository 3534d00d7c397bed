// SPDX-License-Identifier: BSD-3-Clause
// test_drive_paths.c: what a drive train is made of, feature by feature, in every path: each row
// runs by closed form or alike in all paths, or is refused by name and for its reason.
//
// A motor turns a screw of 0.01 m/rad, a spring along it pulls a table on its ways.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"

static const double MOTOR = 10.1, TABLE = 2.0, K = 2e5, LEAD = 0.01;  // kg at the nut; N/m; m/rad

// %s: gravity; bodies; keys of the motor's joint; joints, the table's among them; springs, that of
// the screw among them; keys of the drive; other keys of the model; coordinate of the reduction;
// others; modes; what the drive does. A mass on a spring beside it: a model has modes.
static const char TEXT[] =
    "modeway: 1\n"
    "gravity: [%s, 0, 0]\n"
    "bodies:\n"
    "  motor: { rigid: { mass: 1, inertia: [1e-3, 1, 1, 0, 0, 0] } }\n"
    "  nut: { rigid: { mass: 0.1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  table: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  beside: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "%s"
    "joints:\n"
    "  shaft: { revolute: { a: ground, b: motor, axis: [1, 0, 0] }, coordinate: phi%s }\n"
    "  screw: { screw: { a: motor, b: nut, axis: [1, 0, 0], pitch: -0.062831853071795865 } }\n"
    "  nut: { prismatic: { a: ground, b: nut, axis: [1, 0, 0] }, coordinate: n }\n"
    "  aside: { prismatic: { a: ground, b: beside, axis: [0, 1, 0] } }\n"
    "%s"
    "springs:\n"
    "  side: { a: ground, b: beside, stiffness: [0, 1e5, 0] }\n"
    "%s"
    "drives: { m: { coordinate: phi%s } }\n"
    "%s"
    "outputs: { table: { body: table } }\n"
    "reduction: { coordinates: { %s: { range: [-3, 3], points: 9 }%s }, modes: { count: %d },\n"
    "  certificate: { points: 1, samples: 4 } }\n"
    "scenarios: { run: { duration: 0.06, step: 2e-4, control_period: 4e-4, store: 1e-3,\n"
    "  start: { phi: 0, x: 0 }, initial: undeformed, drives: { m: { %s } } } }\n";

typedef struct row {
  const char *name, *gravity, *bodies, *motor, *joints, *springs, *rotor, *other, *theta, *second;
  const char *drive;
  double (*x)(double t);          // m, of the table; NULL: paths beside each other
  const char *elastic, *reduced;  // what paths full and body, what `reduce` says; NULL: they run
} row;

#define WAYS_WITH(keys)                                                                            \
  "  ways: { prismatic: { a: ground, b: table, axis: [1, 0, 0] }, coordinate: x" keys " }\n"
#define AXIAL_WITH(keys) "  axial: { a: nut, b: table, stiffness: [2e5, 0, 0]" keys " }\n"

#define MOVE "move: { to: 0.5, max_velocity: 20, max_acceleration: 4e2, max_jerk: 4e4 },"
#define SINE "force: { sine: { amplitude: 0.5, frequency: 20 } }"

// ---- closed forms -------------------------------------------------------------------------------

// Two masses under a force F at the first: x2 = ½ F t²/(m1 + m2) − m1/(m1 + m2) d, the spring's
// stretch d = F μ/(m1 k) (1 − cos ωt)
static double two_masses(double F, double t)
{
  double sum = MOTOR + TABLE, mu = MOTOR * TABLE / sum, w = sqrt(K / mu);
  return 0.5 * F * t * t / sum - MOTOR / sum * F * mu / (MOTOR * K) * (1.0 - cos(w * t));
}
static double by_torque(double t) { return two_masses(0.5 / LEAD, t); }

// ---- rows ---------------------------------------------------------------------------------------

static const row rows[] = {
  { .name = "motor's inertia by a screw", .drive = "force: 0.5", .x = by_torque },
  { .name = "motor's inertia by a gear",
    .bodies = "  wheel: { rigid: { mass: 1, inertia: [1e-4, 1, 1, 0, 0, 0] } }\n",
    .joints = WAYS_WITH("") "  axle: { revolute: { a: ground, b: wheel, axis: [1, 0, 0] },\n"
                            "    coordinate: psi }\n"
                            "  teeth: { gear: { first: phi, second: psi, ratio: 5 } }\n",
    .drive = SINE,
    .elastic = "gear teeth is known to the rigid path only (--path rigid): its row passes moments "
               "between two joints without the force of the teeth, which bends what is elastic "
               "(joints of wheels and racks have it)" },
  { .name = "rotor of a drive",
    .rotor = ", rotor: { inertia: 1e-3, stiffness: 50, damping: 1e-3 }",
    .drive = SINE,
    .elastic = "the rotor of drive m is known to the rigid path only (--path rigid): it is no body "
               "that could move with what bends, expected a body on a joint, and a spring" },
  { .name = "stiffness over the stroke",
    .springs = AXIAL_WITH(", over: { coordinate: n, at: [-0.03, 0, 0.03], factor: [1.5, 1, 0.7] }"),
    .drive = "force: 0.5" },
  { .name = "damping of the transmission",
    .springs = AXIAL_WITH(", damping: [100, 0, 0]"),
    .drive = SINE },
  { .name = "viscous friction, motor", .motor = ", damping: 0.01", .drive = SINE },
  { .name = "viscous friction, load",
    .joints = WAYS_WITH(", damping: 50"),
    .drive = SINE,
    .reduced =
        "joint ways has damping on a coordinate that is not one of the reduction's, expected "
        "none (put it on one of reduction.coordinates, or damp the runners)" },
  { .name = "viscous friction, a damper",
    .springs = AXIAL_WITH("") "  oil: { a: ground, b: table, damping: [50, 0, 0] }\n",
    .drive = SINE,
    .reduced = "damping of spring oil resists the motion of the coordinates of the reduction: "
               "reduced models know dampers there of coordinates alone (joints: damping), expected "
               "none (simulate runs it by the other paths)" },
  { .name = "dry friction, motor",
    .motor = ", drive_friction: { coulomb: 0.1, smooth: 0.1 }",
    .drive = SINE },
  { .name = "dry friction, load",
    .joints = WAYS_WITH(", drive_friction: { coulomb: 3, smooth: 1e-3 }"),
    .drive = SINE },
  { .name = "dry friction by reaction",
    .joints = WAYS_WITH(", friction: { coulomb: 0.3, smooth: 1e-3, preload: 10 }"),
    .drive = SINE,
    .reduced = "friction of joint ways is in proportion to the joint's reaction, which reduced "
               "models do not have, expected drive_friction, or path rigid, body or full" },
  { .name = "spring on a joint",
    .springs = AXIAL_WITH("") "  twist: { a: ground, b: motor, stiffness: [0, 0, 0, 20, 0, 0] }\n",
    .drive = SINE },
  { .name = "force of the mechanism",
    .other = "forces: { f: { coordinate: phi, stiffness: 20 } }\n",
    .drive = SINE,
    .elastic = "force f is known to the rigid path only (--path rigid): expected a drive for what "
               "acts, springs for what holds" },
  { .name = "end stops",
    .motor = ", stops: { range: [-0.1, 0.1], stiffness: 50, soft: 0.01 }",
    .drive = SINE },
  { .name = "backlash",
    .joints = "  gap: { prismatic: { a: nut, b: table, axis: [1, 0, 0] }, coordinate: x,\n"
              "    play: { gap: 4e-4, stiffness: 2e5 } }\n",
    .springs = "",
    .second = ", x: { range: [-0.01, 0.01], points: 5 }",
    .drive = SINE },
  { .name = "PD, encoder on the motor", .drive = MOVE " kp: 12, kd: 0.2" },
  { .name = "encoder on the load",
    .drive = MOVE " kp: 3, kd: 0.06, encoder: { coordinate: x, ratio: 100 }" },
  { .name = "PID", .drive = MOVE " kp: 12, kd: 0.2, ki: 200" },
  { .name = "limit of force", .drive = MOVE " kp: 12, kd: 0.2, ki: 200, limits: { force: 0.2 }" },
  { .name = "limit of power", .drive = MOVE " kp: 12, kd: 0.2, ki: 200, limits: { power: 1 }" },
  { .name = "cascade", .drive = MOVE " kp: 60, velocity: { kp: 0.2, ki: 5 }" },
  { .name = "limit of speed",
    .drive = MOVE " kp: 60, velocity: { kp: 0.2, ki: 5 }, limits: { speed: 5 }" },
  { .name = "feed-forward of gravity",
    .gravity = "-9.81",
    .drive = "follow: 0, kp: 12, kd: 0.2, inverse_dynamics: { acceleration: false }" },
  { .name = "feed-forward of acceleration", .drive = MOVE " kp: 12, kd: 0.2, feedforward: 1.2e-3" },
  { .name = "notch",
    .drive = MOVE " kp: 12, kd: 0.2, filters: [{ notch: { frequency: 55, width: 30 } }]" },
  { .name = "low-pass",
    .drive = MOVE " kp: 12, kd: 0.2, filters: [{ low_pass: { frequency: 500, order: 2 } }]" },
  { .name = "coordinate of the load", .theta = "x", .drive = SINE },
  { .name = "its viscous friction",
    .joints = WAYS_WITH(", damping: 50"),
    .theta = "x",
    .drive = SINE },
};
enum { N_ROW = sizeof rows / sizeof *rows };

static const char * or (const char *text, const char *other) { return text ? text : other; }

static bool open_row(const row *r, mw_case *c)
{
  char path[] = "/tmp/modeway_drive_XXXXXX", text[4096];
  mw_error err = { 0 };
  const char *joints = or (r->joints, WAYS_WITH("")), *springs = or (r->springs, AXIAL_WITH(""));
  int n = snprintf(text, sizeof text, TEXT, or (r->gravity, "0"), or (r->bodies, ""),
                   or (r->motor, ""), joints, springs, or (r->rotor, ""), or (r->other, ""),
                   or (r->theta, "phi"), or (r->second, ""), r->second ? 1 : 2, r->drive);
  int fd = mkstemp(path);
  if (!MW_CHECK(fd >= 0 && n > 0 && (size_t)n < sizeof text)) return false;
  bool ok = MW_CHECK(write(fd, text, (size_t)n) == n);
  close(fd);
  ok = ok && MW_OKAY(mw_case_read(path, c, &err));
  unlink(path);
  return ok;
}

// ---- one row ------------------------------------------------------------------------------------

enum { RIGID, FULL, BODY, GMP, N_PATH };
static const char *const PATHS[N_PATH] = { "rigid", "full", "body", "gmp" };

// By a path's steps (0: the scenario's); exact: path rigid to 1e-10
static mw_code run(const mw_case *c, int path, double step, bool exact, const mw_rom_file *rom,
                   mw_run *out, mw_error *err)
{
  const mw_scenario *sc = &c->model.scenario[0];
  mw_rigid_in rigid = sc->rigid;
  mw_path_opt opt = { .step = step, .rom = rom, .body_modes = 20, .rigid = &rigid };
  rigid.method = exact ? MW_METHOD_CVODE : MW_METHOD_ALPHA;
  rigid.tolerance = 1e-10;
  *out = (mw_run){ 0 };
  return mw_path_run(c, sc, PATHS[path], &opt, out, err);
}

static double apart(const mw_run *a, const mw_run *b)
{
  double worst = a->n_t == b->n_t && a->n_t > 50 ? 0.0 : NAN;
  for (int k = 0; k < a->n_t; k++) worst = fmax(worst, fabs(a->y[3 * k] - b->y[3 * k]));
  return worst;
}

static double peak(const mw_run *a)
{
  double most = 0.0;
  for (int k = 0; k < a->n_t; k++) most = fmax(most, fabs(a->y[3 * k]));
  return most;
}

// Steps of second order err by a third of what halving them changed: by twice that here, and by
// what stops Newton's method. Friction, stops and backlash are smooth over some steps.
static void runs_alike(const mw_case *c, int path, const mw_rom_file *rom, const mw_run *exact)
{
  mw_error err = { 0 };
  mw_run coarse = { 0 }, fine = { 0 };
  if (MW_OKAY(run(c, path, 0.0, false, rom, &coarse, &err)) &&
      MW_OKAY(run(c, path, 1e-4, false, rom, &fine, &err))) {
    double half = apart(&coarse, &fine), off = apart(&fine, exact), most = peak(exact);
    printf("  %-5s %.1e, halving %.1e", PATHS[path], off / most, half / most);
    MW_WITHIN(off / most, 0.0, 2.0 / 3.0 * half / most + 1e-7, "order of the method");
  }
  mw_run_free(&coarse);
  mw_run_free(&fine);
}

static void is_refused(const char *want, mw_code rc, const mw_error *err, const char *path)
{
  MW_FAILS(rc, MW_ERR_INPUT);
  MW_CHECK(err->line > 0);
  if (!MW_CHECK(strcmp(err->msg, want) == 0)) printf("\n  found: %s\n", err->msg);
  printf("  %-5s refused", path);
}

static void row_by_row(const row *r)
{
  mw_case c = { 0 };
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  mw_run exact = { 0 }, none = { 0 };
  printf("%-28s", r->name);
  if (!open_row(r, &c) || !MW_OKAY(run(&c, RIGID, 0.0, true, NULL, &exact, &err))) return;
  for (int k = 0; r->x && k < exact.n_t; k++)
    MW_WITHIN(exact.y[3 * k] / peak(&exact), r->x(exact.t[k]) / peak(&exact), 1e-7,
              "steps of cvode to 1e-10, a thousand of them");
  runs_alike(&c, RIGID, NULL, &exact);
  for (int path = FULL; path <= BODY; path++)
    if (r->elastic)
      is_refused(r->elastic, run(&c, path, 0.0, false, NULL, &none, &err), &err, PATHS[path]);
    else
      runs_alike(&c, path, NULL, &exact);
  mw_code rc = mw_reduce(&c.model, &c.mech, NULL, &rom, &err);
  if (r->elastic || r->reduced)
    is_refused(r->elastic ? r->elastic : r->reduced, rc, &err, PATHS[GMP]);
  else if (MW_OKAY(rc))
    runs_alike(&c, GMP, &rom, &exact);
  printf("\n");
  mw_rom_file_free(&rom);
  mw_run_free(&exact);
  mw_case_free(&c);
}

static void every_feature_runs_alike_or_is_refused_by_name(void)
{
  for (int k = 0; k < N_ROW; k++) row_by_row(&rows[k]);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "every_feature_runs_alike_or_is_refused_by_name",
      every_feature_runs_alike_or_is_refused_by_name },
  };
  return mw_test_run("drive_paths", cases, (int)(sizeof cases / sizeof *cases));
}
