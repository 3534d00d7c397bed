// SPDX-License-Identifier: BSD-3-Clause
// test_starts.c: static starts: constant forces, freedoms that nothing holds, and what has no
// equilibrium.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

static const double G = 9.81;

// A mass on a clamped beam, pushed by 1000 N from t = 0 on, no gravity.
static const char *const pushed =
    "modeway: 1\n"
    "strain: linear\n"  // as the closed form it is compared with
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { arm: { general: { A: 48e-4, Iy: 256e-8, Iz: 144e-8, It: 1e-6 }, shear: false } }\n"
    "bodies:\n"
    "  arm:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { hub: [0,0,0], end: [1,0,0] }\n"
    "      members: [ { from: hub, to: end, section: arm, material: alu, elements: 10, up: "
    "[0,0,1] } ]\n"
    "    supports: [ { nodes: hub } ]\n"
    "    guides: { rail: { from: hub, to: end } }\n"
    "  car: { at: [0.5, 0, 0], rigid: { mass: 3, inertia: [0.01,0.01,0.01,0,0,0] } }\n"
    "joints:\n"
    "  r: { slide: { guide: arm.rail, on: car, orientation: fixed }, coordinate: r, drive: mr }\n"
    "outputs: { car: { body: car } }\n"
    "drives: { push: { force: { on: car, direction: [0,0,1] } } }\n"
    "scenarios:\n"
    "  stand: { duration: 0.1, step: 1e-3, store: 1e-2, start: { r: 0.5 }, initial: static,\n"
    "           drives: { mr: { position: 0.5 }, push: { force: 1000 } } }\n";

// At the middle of a cantilever F a³/3EI; the accelerations there are 0, and the forces hold each
// other to rounding: of the stiffest unknowns, EA/l against F/u 1e4 times as much, n·eps of each.
static void constant_force_from_the_start_holds_a_structure_at_rest(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  if (!MW_CHECK(mw_fixture_text(pushed, &f))) return;
  double want = 1000.0 * pow(0.5, 3.0) / (3.0 * 70e9 * 256e-8);
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &r, &err))) {
    for (int k = 0; k < r.n_t; k++) {
      MW_NEAR(r.y[3 * k + 2], want, 1e-9 * want);
      MW_NEAR(r.y[3 * k + 2], r.y[2], 1e-10 * want);
    }
    MW_NEAR(r.energy_drift, 0.0, 1e-9);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// A block on a spring at its centre of mass: three translations are sprung, three rotations are
// neutral; beside it a wheel on a revolute joint without a coordinate, on another block that is
// sprung in the same way.
static const char *const sprung =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  block: { rigid: { mass: 2, inertia: [1,1,1,0,0,0] } }\n"
    "  hub: { rigid: { mass: 4, inertia: [1,1,1,0,0,0] } }\n"
    "  wheel: { rigid: { mass: 3, inertia: [1,2,1,0,0,0] } }\n"
    "joints:\n"
    "  axle: { revolute: { a: hub, b: wheel, axis: [0,1,0] } }\n"
    "springs:\n"
    "  k: { a: ground, b: block, stiffness: [1e4,1e4,1e4], damping: 10 }\n"
    "  k2: { a: ground, b: hub, stiffness: [2e4,2e4,2e4,1e3,1e3,1e3], damping: 10 }\n"
    "outputs: { block: { body: block }, wheel: { body: wheel } }\n"
    "scenarios:\n"
    "  stand: { duration: 0.2, step: 1e-3, store: 1e-2, initial: static, rigid: { method: rk4 } "
    "}\n";

static bool run(const mw_fixture *f, int scenario, bool rigid, mw_run *r, mw_error *err)
{
  const mw_scenario *sc = &f->model.scenario[scenario];
  mw_dae_opt opt = mw_dae_opt_default();
  mw_code rc = rigid ? mw_rigid_run(&f->mech, sc, NULL, NULL, r, err)
                     : mw_dae_run(&f->mech, sc, "full", &opt, NULL, r, err);
  return rc == MW_OK;
}

// m g/k below where the spring is loose, and nothing turns; to what the iterations leave, 1e-12 of
// the size of 1 m, and their rounding in neutral freedoms (1e-9 of the size at most), which springs
// 1e4 times stiffer than the pseudo-mass do not feel.
static void neutral_freedoms_do_not_keep_from_a_static_start(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(sprung, &f))) return;
  for (int rigid = 0; rigid < 2; rigid++) {
    mw_run r = { 0 };
    if (MW_CHECK(run(&f, 0, rigid != 0, &r, &err))) {
      for (int k = 0; k < r.n_t; k++) {
        MW_NEAR(r.y[6 * k + 2], -2.0 * G / 1e4, 1e-11);
        MW_NEAR(r.y[6 * k + 5], -7.0 * G / 2e4, 1e-11);
      }
      MW_WITHIN(r.energy_drift, 0.0, 1e-9, "what the static start may leave");
    } else {
      fprintf(stderr, "%s\n", err.msg);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// A damper holds nothing: the block falls: no equilibrium, and the block is named.
static void what_nothing_holds_is_named(void)
{
  static const char *const text =
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n"
      "  block: { rigid: { mass: 2, inertia: [1,1,1,0,0,0] } }\n"
      "  other: { rigid: { mass: 2, inertia: [1,1,1,0,0,0] } }\n"
      "springs: { k: { a: ground, b: other, stiffness: [1e4,1e4,1e4] }, d: { a: ground, b: block, "
      "damping: 10 } }\n"
      "outputs: { block: { body: block } }\n"
      "scenarios:\n"
      "  stand: { duration: 0.2, step: 1e-3, store: 1e-2, initial: static }\n";
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (int rigid = 0; rigid < 2; rigid++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    MW_CHECK(!run(&f, 0, rigid != 0, &r, &err));
    MW_CHECK(err.code == MW_ERR_NUMERIC && strstr(err.msg, "no static equilibrium found"));
    MW_CHECK(strstr(err.msg, "body block") != NULL);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

static void springs_hold_no_freedom(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  int mobility = 0, redundant[8];
  if (!MW_CHECK(mw_fixture_text(sprung, &f))) return;
  if (MW_OKAY(mw_mech_mobility(&f.mech, f.mech.p0, f.mech.s0, &mobility, redundant, &err)))
    MW_CHECK(mobility == 13);  // three bodies, five rows of the axle
  mw_fixture_free(&f);
}

// A cart of 2 kg in a spring of 200 N/m: 10 rad/s.
static const char *const stretched =
    "modeway: 1\n"
    "bodies: { car: { rigid: { mass: 2, inertia: [0.02,0.02,0.02,0,0,0] } } }\n"
    "joints: { x: { prismatic: { a: ground, b: car, axis: [1,0,0] }, coordinate: x, drive: m } }\n"
    "springs: { k: { a: ground, b: car, stiffness: [200,0,0] } }\n"
    "outputs: { e: { body: car } }\n"
    "scenarios:\n"
    "  off: { duration: 1, step: 1e-3, store: 1e-2, initial: undeformed,\n"
    "         start: { x: { at: 0.2, velocity: 1 } } }\n";

// A spring is a force, no constraint of a start: x = 0.2 cos 10 t + 0.1 sin 10 t. The trapezoidal
// rule errs by t ω (ωh)²/12 of phase, generalized-α with its damping by some more: within three
// times that, 2.5e-4 of the 0.224 m; the rigid path by far less.
static void springs_do_not_keep_a_start_from_its_place(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(stretched, &f))) return;
  for (int rigid = 0; rigid < 2; rigid++) {
    mw_run r = { 0 };
    if (MW_CHECK(run(&f, 0, rigid != 0, &r, &err)))
      for (int k = 0; k < r.n_t; k++) {
        double wt = 10.0 * r.t[k];
        MW_NEAR(r.y[3 * k], 0.2 * cos(wt) + 0.1 * sin(wt), 2.5e-4 * 0.224);
      }
    else
      fprintf(stderr, "%s\n", err.msg);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// A carriage that a spring ties to the ground, and on it a load that hangs in a bushing alone.
static const char *const suspended =
    "modeway: 1\n"
    "bodies:\n"
    "  car: { rigid: { mass: 2, inertia: [0.02,0.02,0.02,0,0,0] } }\n"
    "  arm: { rigid: { mass: 1, inertia: [0.02,0.02,0.02,0,0,0] } }\n"
    "  load: { at: [0.3,0,0], rigid: { mass: 1, inertia: [0.02,0.02,0.02,0,0,0] }, frames: { a: { "
    "point: [-0.3,0,0] } } }\n"
    "joints:\n"
    "  x: { prismatic: { a: ground, b: car, axis: [1,0,0] }, coordinate: x }\n"
    "  q: { revolute: { a: car, b: arm, axis: [0,0,1] }, coordinate: q }\n"
    "springs:\n"
    "  guy: { a: ground, b: car, stiffness: [200,100,300] }\n"
    "  mount: { a: arm, b: load.a, stiffness: [1e4,1e4,1e4,10,10,10] }\n"
    "outputs: { load: { body: load } }\n"
    "reduction: { coordinates: { x: { range: [0, 1] }, q: { range: [0, 2] } }, modes: { count: 1 "
    "} }\n";

// The guy closes nothing, the mount holds the load to the arm: it goes with x and q, o = (x, 0) +
// 0.3 (cos q, sin q), and so do its rates and second derivatives; to rounding of some ten
// operations.
static void what_hangs_in_springs_follows_and_what_stretches_them_does_not_stop(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  unsigned char held[2] = { 1, 1 }, left_out[8];
  double p[48], s[2], v[48], s_dot[4], p_ij[144];
  if (!MW_CHECK(mw_fixture_text(suspended, &f))) return;
  const mw_mech *m = &f.mech;
  MW_CHECK(m->n_body == 4 && m->n_coord == 2);
  MW_OKAY(mw_mech_loose_springs(m, held, left_out, &err));
  for (int j = 0; j < m->n_joint; j++)
    MW_CHECK(left_out[j] == (strcmp(m->joint[j].name, "guy") == 0 ? 7 : 0));
  // what was kept for the reduction's coordinates is what is found anew
  mw_mech bare = *m;
  unsigned char again[8], x_free[2] = { 0, 1 };
  MW_CHECK(m->loose != NULL);
  bare.loose = NULL;
  MW_OKAY(mw_mech_loose_springs(&bare, held, again, &err));
  MW_CHECK(memcmp(again, left_out, (size_t)m->n_joint) == 0);
  // with x free the guy holds the car along x, by its first row alone
  MW_OKAY(mw_mech_loose_springs(m, x_free, again, &err));
  for (int j = 0; j < m->n_joint; j++)
    MW_CHECK(again[j] == (strcmp(m->joint[j].name, "guy") == 0 ? 6 : 0));
  int load = 0;
  while (strcmp(m->body[load].name, "load") != 0) load++;
  memcpy(p, m->p0, sizeof p);
  memcpy(s, m->s0, sizeof s);
  for (int i = 1; i <= 4; i++) {
    const double to[2] = { 0.15 * i, 0.3 * i };
    MW_OKAY(mw_mech_rigid_solve(m, held, to, p, s, &err));
  }
  double c = 0.3 * cos(1.2), d = 0.3 * sin(1.2);
  const double *o = p + 12 * load, want[3] = { 0.6 + c, d, 0.0 };
  for (int i = 0; i < 3; i++)
    MW_WITHIN(o[i], want[i], 1e-12, "what the closing of loops may leave");
  if (MW_OKAY(mw_mech_rigid_modes(m, held, p, s, v, s_dot, &err)) &&
      MW_OKAY(mw_mech_rigid_second(m, held, p, s, 2, v, s_dot, p_ij, &err))) {
    const double *w =
        v + 24 + 6 * load;  // unit rate of q, body axes turned by q: (0, 0.3, 0), (0, 0, 1)
    for (int i = 0; i < 6; i++)
      MW_WITHIN(w[i],
                i == 1   ? 0.3
                : i == 5 ? 1.0
                         : 0.0,
                1e-12, "what the closing of loops may leave");
    const double *qq = p_ij + 2 * 48 + 12 * load;  // −(c, d)
    MW_WITHIN(qq[0], -c, 1e-11, "what the closing of loops may leave");
    MW_WITHIN(qq[1], -d, 1e-11, "what the closing of loops may leave");
  }
  bool loaded = false;  // by x alone
  MW_CHECK(MW_OKAY(mw_mech_springs(m, p, m->s0, 2, v, &loaded, &err)) && loaded);
  MW_OKAY(mw_mech_rigid_solve(m, held, (double[]){ 0.0, 1.2 }, p, s, &err));
  MW_CHECK(MW_OKAY(mw_mech_springs(m, p, m->s0, 2, v, &loaded, &err)) && !loaded);
  mw_fixture_free(&f);
}

// Both methods keep a part in 1e11 a step; errors add up over some thousand steps and grow with the
// motion: 1e-7 of a metre is far from either's.
static void ida_keeps_tight_tolerances(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/six-bar.yaml", &f))) return;
  mw_scenario sc = f.model.scenario[0];
  sc.duration = 0.2 < sc.duration ? 0.2 : sc.duration;
  mw_run r[2] = { { 0 }, { 0 } };
  bool good = true;
  for (int i = 0; i < 2; i++) {
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(&sc);
    opt.rigid.method = i == 0 ? MW_METHOD_IDA : MW_METHOD_CVODE;
    opt.rigid.tolerance = 1e-11;
    good = MW_OKAY(mw_rigid_run(&f.mech, &sc, &opt, NULL, &r[i], &err)) && good;
  }
  if (good) {
    double worst = 0.0;
    for (int k = 0; k < r[0].n_t * 3 * r[0].n_out; k++)
      worst = fmax(worst, fabs(r[0].y[k] - r[1].y[k]));
    printf("ida and cvode at 1e-11: %.1e m apart after %g s\n", worst, sc.duration);
    MW_NEAR(worst, 0.0, 1e-7);
  }
  for (int i = 0; i < 2; i++) mw_run_free(&r[i]);
  mw_fixture_free(&f);
}

// A bar about an oblique axis, cut into bodies fixed to each other, turned by 2.3 rad from where it
// is drawn.
static const char *const divided =
    "modeway: 1\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { r: { rectangle: { width: 0.05, height: 0.012 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  bar:\n"
    "    beams:\n"
    "      points: { a: [0,0,0], b: [1.2,0,0] }\n"
    "      members: [ { from: a, to: b, section: r, material: alu, elements: 12 } ]\n"
    "      divide: %d\n"
    "    frames: { a: { node: a }, b: { node: b, mass: 0.2 } }\n"
    "joints: { spin: { revolute: { a: ground, b: bar.a, axis: [0,3,4] }, coordinate: phi, drive: "
    "m } }\n"
    "outputs: { tip: { frame: bar.b } }\n"
    "reduction: { coordinates: { phi: { range: [-3, 3] } }, modes: { count: 1 } }\n"
    "scenarios:\n"
    "  stand: { duration: 1e-3, step: 1e-3, start: { phi: 2.3 }, drives: { m: { position: 2.3 } } "
    "}\n";

// The tip x of a bar of 1.2 m about e = (0, 3, 4)/5, x ⟂ e: x cos φ + e × x sin φ, in both paths;
// to closings of 1e-10 m a body (rigid_start.c, the least tight).
static void chains_of_fixed_bodies_start_turned_as_one(void)
{
  static const double PHI = 2.3;
  const double want[3] = { 1.2 * cos(PHI), 1.2 * 0.8 * sin(PHI), -1.2 * 0.6 * sin(PHI) };
  for (int n = 3; n <= 6; n++) {
    char text[2048];
    mw_fixture f;
    mw_error err = { 0 };
    double tol = 2e-10 * n;
    snprintf(text, sizeof text, divided, n);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    for (int path = 0; path < 2; path++) {
      mw_run r = { 0 };
      if (MW_CHECK(run(&f, 0, path == 0, &r, &err)))
        for (int i = 0; i < 3; i++)
          MW_WITHIN(r.y[i], want[i], tol, "what the closing of loops may leave");
      mw_run_free(&r);
    }
    mw_fixture_free(&f);
  }
}

// A crank, a coupler that a torsion bar cuts in two, and a rocker, with nothing that acts on them.
static const char *const unloaded =
    "modeway: 1\n"
    "bodies:\n"
    "  crank: { rigid: { mass: 4, inertia: [0.2, 0.2, 0.3, 0, 0, 0] }, frames: { e: { point: "
    "[0.2, 0, 0] } } }\n"
    "  c1: { at: [0.2, 0, 0], axes: { x: [0.6, 0.8, 0], y: [-0.8, 0.6, 0] },\n"
    "        rigid: { mass: 0.6, com: [0.2, 0, 0], inertia: [0.001, 0.008, 0.008, 0, 0, 0] },\n"
    "        frames: { r: { point: [0, 0, 0] }, e: { point: [0.4, 0, 0] } } }\n"
    "  c2: { at: [0.44, 0.32, 0], axes: { x: [0.6, 0.8, 0], y: [-0.8, 0.6, 0] },\n"
    "        rigid: { mass: 0.6, com: [0.2, 0, 0], inertia: [0.001, 0.008, 0.008, 0, 0, 0] },\n"
    "        frames: { r: { point: [0, 0, 0] }, e: { point: [0.4, 0, 0] } } }\n"
    "  rocker: { at: [0.9, 0, 0], rigid: { mass: 1, com: [-0.11, 0.32, 0], inertia: [0.02, 0.02, "
    "0.03, 0, 0, 0] },\n"
    "            frames: { r: { point: [0, 0, 0] }, e: { point: [-0.22, 0.64, 0] } } }\n"
    "  post: { ground: true, at: [0.9, 0, 0] }\n"
    "joints:\n"
    "  q: { revolute: { a: ground, b: crank, axis: [0, 0, 1] }, coordinate: q, drive: m }\n"
    "  a: { revolute: { a: crank.e, b: c1.r, axis: [0, 0, 1] } }\n"
    "  b: { revolute: { a: c1.e, b: c2.r, axis: [0, 0, 1] } }\n"
    "  c: { revolute: { a: rocker.e, b: c2.e, axis: [0, 0, 1] } }\n"
    "  d: { revolute: { a: post, b: rocker.r, axis: [0, 0, 1] } }\n"
    "springs: { k: { a: c1.e, b: c2.r, stiffness: [0, 0, 0, 0, 0, 400], damping: [0, 0, 0, 0, 0, "
    "0.05] } }\n"
    "outputs: { mid: { frame: c2.r } }\n"
    "reduction: { coordinates: { q: { range: [-1, 1] } }, modes: { count: 1 } }\n"
    "scenarios:\n"
    "  stay: { duration: 1e-2, step: 1e-3, store: 1e-3, start: { q: 0 },\n"
    "          drives: { m: { position: { spin_up: { rate: 5.5, start: 1, end: 1.4 } } } } }\n";

// Accelerations that are nothing have converged, though there is nothing to compare them with;
// places stay, to 1e-12 of the size.
static void what_nothing_acts_on_starts_at_rest(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  if (!MW_CHECK(mw_fixture_text(unloaded, &f))) return;
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &r, &err)))
    for (int k = 1; k < r.n_t; k++)
      for (int i = 0; i < 3; i++)
        MW_WITHIN(r.y[3 * k + i], r.y[i], 1e-12, "what Newton's method may leave");
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// An arm on a hinge and a cord of 5 N/m and no length of its own from its tip to where the tip is
// drawn.
static const char *const corded =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.02, height: 0.02 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  anchor: { ground: true, frames: { p: { point: [1, 0, 0] } } }\n"
    "  arm:\n"
    "    beams:\n"
    "      points: { foot: [0, 0, 0], tip: [1, 0, 0] }\n"
    "      members: [{ from: foot, to: tip, section: bar, material: steel, elements: %d }]\n"
    "    frames: { foot: { node: foot }, tip: { node: tip, mass: 2 } }\n"
    "joints: { h: { revolute: { a: ground, b: arm.foot, axis: [0, 0, 1] }, coordinate: q, drive: "
    "m } }\n"
    "springs: { cord: { a: anchor.p, b: arm.tip, stiffness: [5, 5, 5] } }\n"
    "outputs: { tip: { frame: arm.tip } }\n"
    "reduction: { coordinates: { q: { range: [-1, 1] } }, modes: { count: 4 } }\n"
    "scenarios:\n"
    "  stay: { duration: 2e-2, step: %g, store: 1e-2, start: { q: -0.9 }, drives: { m: { "
    "position: -0.9 } } }\n";

// The mechanism of a model's bodies on six modes each.
static bool on_modes(const mw_fixture *f, mw_arena *mem, mw_mech *out)
{
  mw_error err = { 0 };
  mw_body *b = mw_arena_alloc(mem, (size_t)f->model.n_body, sizeof *b);
  for (int i = 0; i < f->model.n_body; i++)
    if (!MW_OKAY(mw_body_basis(&f->body[i], 6, false, mem, &b[i], NULL, &err))) return false;
  return MW_OKAY(mw_mech_build(&f->model, b, mem, out, &err));
}

// Turned by −φ the arm is bent by F = k (sin φ − w) across it and pressed by P = k (1 − cos φ), φ =
// 0.9:
//   w = F (tan κ/κ − 1)/P ,  κ² = P/EI ,  shorter by d = 0.6 w² + P/EA ,  tip (1 − d)(cos φ,
//       −sin φ) + w (sin φ, cos φ)
// but for squares of its slopes, 1.5 w, 5e-7 of w. Strains on bodies' modes are linear in axes that
// turn with the mean of the arm, without P (0.4 P/EI of w) and to squares of slopes in places (2.25
// w² of 1 m).
// Nothing acts but the cord and what it bends: accelerations are the rounding of their difference,
// and places stay to what steps are iterated to, 1e-9 of the size.
static void stays(int elements, double step, bool modes)
{
  static const double PHI = 0.9, K = 5.0;
  const double EI = 210e9 * 0.02 * 8e-6 / 12.0, P = K * (1.0 - cos(PHI)), kappa = sqrt(P / EI),
               c = K * (tan(kappa) / kappa - 1.0) / P, w = c * sin(PHI) / (1.0 + c),
               d = 0.6 * w * w + P / (210e9 * 4e-4), linear = 2.25 * w + 0.4 * P / EI;
  const double want[3] = { (1.0 - d) * cos(PHI) + w * sin(PHI), w * cos(PHI) - (1.0 - d) * sin(PHI),
                           0.0 };
  char text[2048];
  mw_fixture f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_mech small = { 0 };
  mw_run r = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  snprintf(text, sizeof text, corded, elements, step);
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if ((!modes || on_modes(&f, &mem, &small)) &&
      MW_OKAY(mw_dae_run(modes ? &small : &f.mech, &f.model.scenario[0], modes ? "body" : "full",
                         &opt, NULL, &r, &err))) {
    double off = 0.0, moved = 0.0;
    for (int k = 0; k < 3 * r.n_t; k++) {
      off = fmax(off, fabs(r.y[k] - want[k % 3]) / w);
      moved = fmax(moved, fabs(r.y[k] - r.y[k % 3]));
    }
    printf("%d elements at %g s, %s: tip off by %.1e of %.3e m, moved by %.1e m\n", elements, step,
           modes ? "body" : "full", off, w, moved);
    MW_NEAR(off, 0.0, modes ? linear : 1e-6);
    MW_NEAR(moved, 0.0, opt.tol);
  }
  mw_run_free(&r);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static void preloaded_springs_hold_from_the_start(void)
{
  stays(12, 2.5e-4, false);
  stays(12, 2.5e-4, true);
  stays(30, 2.5e-4, false);
  stays(100, 5e-3, false);
}

// ---- springs of the ground ----------------------------------------------------------------------

// A bed without mass, clamped at one end, 30 kg and a foot of 2e4 N/m under its other end; a ball
// moves beside it.
static const char *const footed =
    "modeway: 1\n"
    "strain: linear\n"  // as the closed form
    "gravity: [0, 0, -10]\n"
    "materials: { m: { E: 2e11, nu: 0.3, rho: 1e-6, unusual: true } }\n"
    "sections: { s: { rectangle: { width: 0.02, height: 0.03 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  base: { ground: true, frames: { foot: { point: [1, 0, 0] } } }\n"
    "  bed:\n"
    "    ground: true\n"
    "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },\n"
    "             members: [{ from: a, to: b, section: s, material: m, elements: 2 }] }\n"
    "    supports: [{ nodes: a }]\n"
    "    frames: { tip: { node: b, mass: 30 } }\n"
    "  ball: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints: { x: { prismatic: { a: ground, b: ball, axis: [1, 0, 0] }, coordinate: x, drive: m "
    "} }\n"
    "springs: { foot: { a: base.foot, b: bed.tip, stiffness: 2e4 } }\n"
    "outputs: { tip: { frame: bed.tip } }\n"
    "scenarios: { run: { duration: 1e-3, step: 1e-3, drives: { m: { position: 0.1 } } } }\n";

static void springs_between_bodies_of_the_ground_hold_what_bends(void)
{
  mw_fixture f;
  mw_run r = { 0 };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  if (!MW_CHECK(mw_fixture_text(footed, &f))) return;
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &r, &err))) {
    double I = 0.02 * 0.03 * 0.03 * 0.03 / 12.0, want = -300.0 / (2e4 + 3.0 * 2e11 * I);
    // the bed's own 6e-10 kg; Newton's method stops at opt.tol of what bends
    MW_NEAR(r.y[2], want, (1e-10 + opt.tol) * fabs(want));
    mw_run_free(&r);
  }
  if (MW_OKAY(mw_rigid_run(&f.mech, &f.model.scenario[0], NULL, NULL, &r, &err))) {
    MW_CHECK(r.y[2] == 0.0);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "constant_force_from_the_start_holds_a_structure_at_rest",
      constant_force_from_the_start_holds_a_structure_at_rest },
    { "neutral_freedoms_do_not_keep_from_a_static_start",
      neutral_freedoms_do_not_keep_from_a_static_start },
    { "what_nothing_holds_is_named", what_nothing_holds_is_named },
    { "springs_hold_no_freedom", springs_hold_no_freedom },
    { "springs_do_not_keep_a_start_from_its_place", springs_do_not_keep_a_start_from_its_place },
    { "what_hangs_in_springs_follows_and_what_stretches_them_does_not_stop",
      what_hangs_in_springs_follows_and_what_stretches_them_does_not_stop },
    { "what_nothing_acts_on_starts_at_rest", what_nothing_acts_on_starts_at_rest },
    { "preloaded_springs_hold_from_the_start", preloaded_springs_hold_from_the_start },
    { "springs_between_bodies_of_the_ground_hold_what_bends",
      springs_between_bodies_of_the_ground_hold_what_bends },
    { "chains_of_fixed_bodies_start_turned_as_one", chains_of_fixed_bodies_start_turned_as_one },
    { "ida_keeps_tight_tolerances", ida_keeps_tight_tolerances },
  };
  return mw_test_run("starts", cases, (int)(sizeof cases / sizeof *cases));
}
