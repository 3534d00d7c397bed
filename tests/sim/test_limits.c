// SPDX-License-Identifier: BSD-3-Clause
// test_limits.c: limits of joints and ends of guides end a run, in every path at the same place and
// in the same words; stops turn a cart back at the same instants.
//
// The cart of force_step.h under a constant force: x = 0.2 + ½ a τ² , a = F/m = 1.2 m/s², from 0.1
// s on.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "force_step.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"

static mw_force_rig rig;
static const double T0 = 0.1, ACC = 1.2, X0 = 0.2;

static mw_scenario *push(double duration)
{
  mw_scenario *sc = &rig.light.model.scenario[MW_FORCE_PUSH];
  sc->duration = duration;
  sc->action[0].signal.t0 = T0;
  return sc;
}

static void set_limit(double hi)
{
  mw_joint_in *j = &rig.light.model.joint[0];
  j->has_limits = hi > 0.0;
  j->limits[0] = -1.0;
  j->limits[1] = hi;
}

static double last(const mw_run *r, const double *x) { return x[r->n_t - 1]; }

// The beam gives way along its axis by up to 6e-9 m and a limit has a slack of 1e-9 of its range,
// at most 1.5 m: at the speed of 0.8 m/s and more that is 1e-8 s. The motion within a step is a
// parabola: interpolation adds nothing.
static void end_at(double x, const char *words)
{
  double want = T0 + sqrt(2.0 * (x - X0) / ACC), v = ACC * (want - T0);
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    if (MW_OKAY(mw_force_try(&rig, path, 0, push(2.0), 1e-3, &r, &err))) {
      printf("%-22s %s\n", mw_force_path(path), r.event ? r.event : "no event");
      MW_CHECK(r.event != NULL && strstr(r.event, words) != NULL && strstr(r.event, "joint x"));
      MW_NEAR(last(&r, r.t), want, 1e-8);
      MW_NEAR(last(&r, r.s), x, 1e-8);
      MW_NEAR(last(&r, r.s_dot), v, 1e-6);
      MW_NEAR(last(&r, r.work), 0.6 * (x - X0), 1e-8);
      MW_CHECK(r.n_t == 2 + (int)floor(want / 0.02));
    }
    mw_run_free(&r);
  }
}

static void limit_ends_the_run_in_every_path(void)
{
  set_limit(0.5037);
  end_at(0.5037, "reached its limit 0.5037 m");
  set_limit(0.0);
}

static void end_of_a_guide_ends_the_run_in_every_path(void)
{
  end_at(1.0, "reached the end of its guide, 1 m");
}

static void start_outside_of_a_limit_is_refused_in_every_path(void)
{
  set_limit(0.15);
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    MW_FAILS(mw_force_try(&rig, path, 0, push(0.5), 1e-3, &r, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "joint x outside of its limits, expected -1 to 0.15 m") ||
             strstr(err.msg, "expected 0 to 0.15 m"));
    MW_CHECK(err.line > 0);
    mw_run_free(&r);
  }
  set_limit(0.0);
}

// A limit that is not reached changes no bit.
static void limit_out_of_reach_changes_nothing(void)
{
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_error err = { 0 };
    mw_run r[2] = { { 0 }, { 0 } };
    bool good = true;
    for (int i = 0; i < 2; i++) {
      set_limit(i == 0 ? 0.0 : 0.9);
      good = MW_OKAY(mw_force_try(&rig, path, 0, push(0.5), 1e-3, &r[i], &err)) && good;
    }
    if (good && MW_CHECK(r[0].n_t == r[1].n_t && !r[0].event && !r[1].event))
      MW_SAME_BITS(r[0].s, r[1].s, r[0].n_t);
    mw_run_free(&r[0]);
    mw_run_free(&r[1]);
  }
  set_limit(0.0);
}

// ---- stops --------------------------------------------------------------------------------------

static const char *const stopped =
    "modeway: 1\n"
    "name: cart that meets a stop\n"
    "strain: linear\n"
    "materials: { unit: { E: 1e8, nu: 0.0, rho: 1 } }\n"
    "sections:\n"
    "  line: { general: { A: 1, Iy: 1e-8, Iz: 1, It: 1 }, shear: false, rotary: false }\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
    "      members:\n"
    "        - { from: a, to: b, section: line, material: unit, elements: 8, up: [0, 0, 1] }\n"
    "    supports: [{ nodes: a, dofs: [x, y, z, rx, ry, rz] }]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "  carriage: { at: [0.2, 0, 0], rigid: { mass: 0.5, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
    "joints:\n"
    "  x:\n"
    "    slide: { guide: beam.rail, on: carriage, orientation: fixed, runners: [{ offset: 0 }] }\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "    stops: { range: [-1, 0.5], stiffness: 1e4, soft: 1e-6 }\n"
    "outputs: { cart: { body: carriage } }\n"
    "reduction: { coordinates: { x: { range: [0, 1], points: 9 } }, modes: { count: 3 },\n"
    "             certificate: { points: 2, samples: 8 } }\n"
    "scenarios:\n"
    "  push: { duration: 1.1, step: 1e-3, store: 1e-2, start: { x: 0.2 },\n"
    "          drives: { motor: { force: 0.6 } } }\n";

// The cart under F = m a from x0: at x1 after √(2(x1 − x0)/a), with v1; on the stop, ω² = k/m,
//   x − x1 = F/k (1 − cos ωτ) + v1/ω sin ωτ    until tan(ωτ/2) = −v1 k/(ω F) ,
// and back with −v1.
static double on_the_way(double t, double m, double k, double F)
{
  double x0 = 0.2, x1 = 0.5, a = F / m, w = sqrt(k / m), t1 = sqrt(2.0 * (x1 - x0) / a),
         v1 = a * t1;
  double contact = 2.0 / w * (acos(-1.0) - atan(v1 * k / (w * F))), tau = t - t1;
  if (tau < 0.0) return x0 + 0.5 * a * t * t;
  if (tau < contact) return x1 + F / k * (1.0 - cos(w * tau)) + v1 / w * sin(w * tau);
  tau -= contact;
  return x1 - v1 * tau + 0.5 * a * tau * tau;
}

typedef struct way {
  const char *path;
  mw_rom_method rom;
  mw_method rigid;
} way;

static void meet_stop(const mw_case *c, const mw_rom_file *rom, const way *w)
{
  mw_error err = { 0 };
  mw_run r = { 0 };
  const mw_scenario *sc = &c->model.scenario[0];
  mw_rigid_in rigid = mw_rigid_run_opt_default(sc).rigid;
  rigid.method = w->rigid;
  mw_path_opt opt = { .rom = rom, .method = &w->rom, .rigid = &rigid, .body_modes = 4 };
  double most = 0.0, v1 = 1.2 * sqrt(0.5);
  if (MW_OKAY(mw_path_run(c, sc, w->path, &opt, &r, &err))) {
    for (int k = 0; k < r.n_t; k++)
      most = fmax(most, fabs(r.s[k] - on_the_way(r.t[k], 0.5, 1e4, 0.6)));
    printf("%-6s %d %d: off by %.2e s\n", w->path, (int)w->rom, (int)w->rigid, most / v1);
    MW_CHECK(r.n_t == 111 && !r.event);
    // the instants at which it comes to the stop and leaves it, known to a step
    MW_NEAR(most, 0.0, v1 * sc->step);
  }
  mw_run_free(&r);
}

static void stop_turns_the_cart_back_at_the_same_instant_in_every_path(void)
{
  static const way ways[] = {
    { "full", 0, 0 },
    { "body", 0, 0 },
    { "gmp", MW_ROM_MIDPOINT, 0 },
    { "gmp", MW_ROM_EXPONENTIAL, 0 },
    { "rigid", 0, MW_METHOD_RK4 },
    { "rigid", 0, MW_METHOD_LEAPFROG },
    { "rigid", 0, MW_METHOD_ALPHA },
    { "rigid", 0, MW_METHOD_MIDPOINT },
    { "rigid", 0, MW_METHOD_CVODE },
    { "rigid", 0, MW_METHOD_IDA },
    { "rigid", 0, MW_METHOD_DOPRI5 },
    { "rigid", 0, MW_METHOD_DOP853 },
    { "rigid", 0, MW_METHOD_RADAU },
    { "rigid", 0, MW_METHOD_ADAMS },
  };
  char path[] = "/tmp/modeway_limits_XXXXXX";
  int fd = mkstemp(path);
  size_t n = strlen(stopped);
  mw_case c;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(fd >= 0 && write(fd, stopped, n) == (ssize_t)n)) return;
  close(fd);
  if (MW_OKAY(mw_case_read(path, &c, &err)) &&
      MW_OKAY(mw_reduce(&c.model, &c.mech, NULL, &rom, &err)))
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) meet_stop(&c, &rom, &ways[i]);
  unlink(path);
  mw_rom_file_free(&rom);
  mw_case_free(&c);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "limit_ends_the_run_in_every_path", limit_ends_the_run_in_every_path },
    { "end_of_a_guide_ends_the_run_in_every_path", end_of_a_guide_ends_the_run_in_every_path },
    { "start_outside_of_a_limit_is_refused_in_every_path",
      start_outside_of_a_limit_is_refused_in_every_path },
    { "limit_out_of_reach_changes_nothing", limit_out_of_reach_changes_nothing },
    { "stop_turns_the_cart_back_at_the_same_instant_in_every_path",
      stop_turns_the_cart_back_at_the_same_instant_in_every_path },
  };
  if (!mw_force_open(&rig)) return 1;
  int failed = mw_test_run("limits", cases, (int)(sizeof cases / sizeof *cases));
  mw_force_close(&rig);
  return failed;
}
