// SPDX-License-Identifier: BSD-3-Clause
// test_linearize.c: mechanisms linearized at a state against closed forms, and reduced models
// against their systems on a grid.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/control.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"
#include "sim/linearize.h"
#include "sim/lpv.h"

// Differences err by ε of what is evaluated over their step, with 8 to spare for what extrapolation
// adds: over the first step, 0.04, where functions are linear; over a quarter of it, or the last
// one, where they bend.
static const double LINEAR = 8.0 * DBL_EPSILON / 0.04, BENT = 8.0 * DBL_EPSILON / 0.01,
                    LAST = 8.0 * DBL_EPSILON / (0.04 / 64.0);

typedef struct rig {
  mw_case c;
  mw_arena mem;
  mw_position position;
  mw_linearize_at at;
  mw_state_space s;
} rig;

static bool open_rig(const char *file, rig *r)
{
  mw_error err = { 0 };
  char path[512];
  *r = (rig){ 0 };
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, file);
  return MW_OKAY(mw_case_read(path, &r->c, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_case_free(&r->c);
}

static bool linearize(const mw_mech *m, rig *r, const unsigned char *named, const double *value,
                      const double *rate)
{
  mw_error err = { 0 };
  r->at.named = named;
  r->at.rate = rate;
  r->at.position = &r->position;
  return MW_OKAY(mw_position_find(m, named, value, &r->mem, &r->position, &err)) &&
         MW_OKAY(mw_linearize_rigid(m, &r->at, &r->mem, &r->s, &err));
}

static bool poles(rig *r, mw_pole **p)
{
  mw_error err = { 0 };
  double zero;
  return MW_OKAY(mw_state_space_poles(&r->s, &r->mem, p, &zero, &err));
}

// ---- an elastic joint ---------------------------------------------------------------------------

static const double K = 1300.0, LINK = 1.0, MOTOR = 0.25;  // N m/rad, kg m²

// ω² = k (1/J_l + 1/J_m), the lectures' formula; with the link held the motor swings alone.
static void an_elastic_joint_swings_at_the_lectures_frequency(void)
{
  rig r;
  mw_pole *p;
  double want = sqrt(K * (1.0 / LINK + 1.0 / MOTOR)), alone = sqrt(K / MOTOR);
  unsigned char held[1] = { 1 };
  if (open_rig("elastic-joint.yaml", &r) && linearize(&r.c.mech, &r, NULL, NULL, NULL) &&
      poles(&r, &p)) {
    MW_CHECK(r.s.n_x == 4 && r.s.n_u == 1);
    MW_NEAR(want, 80.62257748298549, 64.0 * DBL_EPSILON * want);
    MW_NEAR(p[0].re, 0.0, 0.0);
    MW_NEAR(p[1].im, 0.0, 0.0);
    // λ² errs by what A does: K/J of 5200, λ by half of it over λ
    MW_NEAR(p[2].im, want, LINEAR * 5200.0 / want);
    MW_NEAR(p[3].im, -want, LINEAR * 5200.0 / want);
    MW_WITHIN(p[2].re, 0.0, LINEAR * 5200.0 / want, "as the imaginary part");
    r.at.held = held;
    if (linearize(&r.c.mech, &r, NULL, NULL, NULL) && poles(&r, &p)) {
      MW_CHECK(r.s.n_x == 2);
      MW_NEAR(p[0].im, alone, LINEAR * 5200.0 / alone);
    }
  }
  close_rig(&r);
}

// q/u = k/(J_l J_m s⁴ + k (J_l + J_m) s²)
static void its_response_is_that_of_the_closed_form(void)
{
  static const double W[4] = { 1.0, 30.0, 75.0, 300.0 };
  rig r;
  mw_error err = { 0 };
  double H[4 * 2 * 4];
  if (open_rig("elastic-joint.yaml", &r) && linearize(&r.c.mech, &r, NULL, NULL, NULL) &&
      MW_CHECK(r.s.n_y == 4 && strcmp(r.s.output[0], "q") == 0) &&
      MW_OKAY(mw_state_space_frf(&r.s, 4, W, H, &err)))
    for (int i = 0; i < 4; i++) {
      double w2 = W[i] * W[i], rigid = K * (LINK + MOTOR) * w2, swing = LINK * MOTOR * w2 * w2,
             want = K / (swing - rigid);
      // errors of A over the distance to the poles, which cancels digits of both terms
      double tol = fabs(want) * LINEAR * (swing + rigid) / fabs(swing - rigid) * 8.0;
      MW_NEAR(H[i], want, tol);
      MW_WITHIN(H[4 + i], 0.0, tol, "as the real part");
      MW_NEAR(H[2 * 8 + i], want, tol);  // tip.y turns with it, 1 m away
    }
  close_rig(&r);
}

// Feedback of q on the motor: J_l J_m s⁴ + k (J_l + J_m) s² + k g = 0
static void its_root_locus_is_that_of_the_characteristic_polynomial(void)
{
  static const double GAIN[3] = { 0.0, 50.0, 4000.0 };
  rig r;
  mw_error err = { 0 };
  double re[12], im[12];
  if (open_rig("elastic-joint.yaml", &r) && linearize(&r.c.mech, &r, NULL, NULL, NULL) &&
      MW_OKAY(mw_state_space_locus(&r.s, 0, 0, 3, GAIN, re, im, &err)))
    for (int g = 1; g < 3; g++)
      for (int i = 0; i < 4; i++) {
        double complex s = re[4 * g + i] + I * im[4 * g + i], s2 = s * s;
        double complex left = LINK * MOTOR * s2 * s2 + K * (LINK + MOTOR) * s2 + K * GAIN[g];
        double size = cabs(LINK * MOTOR * s2 * s2) + cabs(K * (LINK + MOTOR) * s2) + K * GAIN[g];
        // eigenvalues are those of a matrix ε of its norm away, 5200 over the slowest pole
        MW_NEAR(cabs(left), 0.0, size * 64.0 * DBL_EPSILON * 5200.0 / cabs(s));
      }
  close_rig(&r);
}

// At 1 N m from rest the whole turns at t²/(2 J), J = 1.25, and the motor leads by b (1 − cos ωt),
// b = u/(J_m ω²).
static void a_state_of_a_motion_is_that_of_the_closed_form(void)
{
  rig r;
  mw_error err = { 0 };
  if (open_rig("elastic-joint.yaml", &r) &&
      MW_OKAY(mw_linearize_motion(&r.c.mech, &r.c.model.scenario[0], 0.5, &r.mem, &r.at, &err)) &&
      MW_OKAY(mw_linearize_rigid(&r.c.mech, &r.at, &r.mem, &r.s, &err))) {
    double w = sqrt(K * (1.0 / LINK + 1.0 / MOTOR)), t = 0.5, b = 1.0 / (MOTOR * w * w),
           lead = b * (1.0 - cos(w * t));
    // rk4: phase errs by (ωh)⁴/120 of ωt
    double tol = b * w * t * pow(w * 1e-3, 4) / 120.0;
    MW_NEAR(r.s.x0[1] - r.s.x0[0], lead, tol);
    // rk4 is exact here; each of 500 steps rounds positions once, rates with each of four stages
    MW_NEAR(LINK * r.s.x0[0] + MOTOR * r.s.x0[1], 0.5 * t * t, 500.0 * DBL_EPSILON * 0.5 * t * t);
    MW_NEAR(LINK * r.s.x0[2] + MOTOR * r.s.x0[3], t, 2000.0 * DBL_EPSILON * t);
    MW_NEAR(r.s.u0[0], 1.0, 0.0);
    MW_NEAR(r.s.A[3 * 4 + 1], -K / MOTOR, LINEAR * K / MOTOR);
    MW_FAILS(mw_linearize_motion(&r.c.mech, &r.c.model.scenario[0], 0.5037, &r.mem, &r.at, &err),
             MW_ERR_INPUT);
  }
  close_rig(&r);
}

// ---- two rods -----------------------------------------------------------------------------------

static const double G = 9.81;

// At constant rates, held by its motors: δq̈ = −M⁻¹ (h_q δq + h_v δv), rods of 1 m and 1 kg.
static void two_rods(const double q[2], const double v[2], double M[4], double Az[4], double Av[4])
{
  double c2 = cos(q[1]), s2 = sin(q[1]), s1 = sin(q[0]), s12 = sin(q[0] + q[1]);
  double hz[4], hv[4], det;
  M[0] = 5.0 / 3.0 + c2;
  M[1] = M[2] = 1.0 / 3.0 + 0.5 * c2;
  M[3] = 1.0 / 3.0;
  hz[0] = -G * (1.5 * s1 + 0.5 * s12);
  hz[1] = -0.5 * c2 * (2.0 * v[0] * v[1] + v[1] * v[1]) - 0.5 * G * s12;
  hz[2] = -0.5 * G * s12;
  hz[3] = 0.5 * c2 * v[0] * v[0] - 0.5 * G * s12;
  hv[0] = -s2 * v[1];
  hv[1] = -s2 * (v[0] + v[1]);
  hv[2] = s2 * v[0];
  hv[3] = 0.0;
  det = M[0] * M[3] - M[1] * M[2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double a = i == 0 ? M[3] : -M[2], b = i == 0 ? -M[1] : M[0];
      Az[2 * i + j] = -(a * hz[j] + b * hz[2 + j]) / det;
      Av[2 * i + j] = -(a * hv[j] + b * hv[2 + j]) / det;
    }
}

static void two_rods_in_motion_have_the_matrices_of_the_closed_form(void)
{
  rig r;
  double q[2] = { 0.3, 0.5 }, v[2] = { 1.0, 2.0 }, M[4], Az[4], Av[4], most = 0.0;
  unsigned char named[2] = { 1, 1 };
  two_rods(q, v, M, Az, Av);
  for (int i = 0; i < 4; i++) most = fmax(most, fmax(fabs(Az[i]), fabs(Av[i])));
  if (open_rig("2r.yaml", &r) && linearize(&r.c.mech, &r, named, q, v)) {
    // accelerations of gravity, inertia and drives, some 10 rad/s² each, cancel
    double tol = LAST * 10.0, det = M[0] * M[3] - M[1] * M[2];
    MW_CHECK(tol < 1e-8 && r.s.error * most < 1e-8);  // what differences are to agree to
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        MW_NEAR(r.s.A[4 * (2 + i) + j], Az[2 * i + j], tol);
        MW_NEAR(r.s.A[4 * (2 + i) + 2 + j], Av[2 * i + j], LINEAR * 10.0);
        double inverse = (i == j ? M[3 - 3 * i] : -M[1]) / det;
        MW_NEAR(r.s.B[2 * (2 + i) + j], inverse, mw_test_rounding(100.0, 100.0));
      }
    // the tip's x = cos q1 + cos(q1 + q2)
    for (int j = 0; j < 2; j++)
      MW_NEAR(r.s.C[2 * 4 + j], (j == 0 ? -sin(0.3) : 0.0) - sin(0.8), BENT);
    MW_NEAR(r.s.rest, 0.0, mw_test_rounding(100.0, 100.0));
  }
  close_rig(&r);
}

// Upright both poles of each pair are real: s² = eigenvalues of M⁻¹ G, G = g [2 .5; .5 .5].
static void rods_on_their_end_fall_at_the_rates_of_the_closed_form(void)
{
  rig r;
  mw_pole *p;
  double q[2] = { acos(0.0), 0.0 }, zero[2] = { 0.0, 0.0 }, M[4], Az[4], Av[4];
  unsigned char named[2] = { 1, 1 };
  two_rods(q, zero, M, Az, Av);
  if (open_rig("2r.yaml", &r) && linearize(&r.c.mech, &r, named, q, NULL) && poles(&r, &p)) {
    double trace = Az[0] + Az[3], det = Az[0] * Az[3] - Az[1] * Az[2],
           root = sqrt(0.25 * trace * trace - det), slow = sqrt(0.5 * trace - root),
           fast = sqrt(0.5 * trace + root);
    // λ² errs as A's entries of up to 30 1/s² do
    MW_NEAR(hypot(p[0].re, p[0].im), slow, BENT * 30.0 / slow);
    MW_NEAR(fmax(p[2].re, p[3].re), fast, BENT * 30.0 / fast);
    MW_NEAR(fmin(p[2].re, p[3].re), -fast, BENT * 30.0 / fast);
    MW_NEAR(p[2].im, 0.0, 0.0);
  }
  close_rig(&r);
}

// ---- what no coordinate says --------------------------------------------------------------------

static const char *const ON_SPRINGS =
    "modeway: 1\nname: on springs\ngravity: [0, 0, 0]\nbodies:\n"
    "  base: { ground: true, rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }, "
    "frames: { p: { point: [0, 0, 0] } } }\n"
    "  block: { rigid: { mass: 2, inertia: [0.5, 0.5, 0.5, 0, 0, 0] }, "
    "frames: { p: { point: [0, 0, 0] } } }\n"
    "springs: { s: { a: base.p, b: block.p, stiffness: [200, 800, 1800, 800, 1250, 1800] } }\n";

// A block on springs at its centre: √(k/m) 10, 20, 30 rad/s and √(k/I) 40, 50, 60 rad/s.
static void a_block_on_springs_swings_along_its_directions(void)
{
  rig r = { 0 };
  mw_fixture f;
  mw_pole *p;
  if (MW_CHECK(mw_fixture_text(ON_SPRINGS, &f)) && linearize(&f.mech, &r, NULL, NULL, NULL) &&
      poles(&r, &p)) {
    MW_CHECK(r.s.n_x == 12);
    for (int i = 0; i < 6; i++) {
      double want = 10.0 * (i + 1);
      MW_NEAR(fabs(p[2 * i].im), want, LINEAR * 3600.0 / want);
    }
  }
  mw_arena_free(&r.mem);
  mw_fixture_free(&f);
}

static const char *const ROLLS =
    "modeway: 1\nname: coin\nbodies:\n"
    "  base: { ground: true, rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }, "
    "frames: { p: { point: [0, 0, 0] } } }\n"
    "  coin: { at: [0, 0, 0.3], rigid: { mass: 2, inertia: [0.5, 0.5, 0.5, 0, 0, 0] } }\n"
    "joints:\n"
    "  j: { rolling: { a: base.p, b: coin, normal: [0, 0, 1], axis_b: [0, 1, 0], radius: 0.3 } }\n";

static void rolling_is_refused(void)
{
  rig r = { 0 };
  mw_fixture f;
  mw_error err = { 0 };
  r.at.position = &r.position;
  if (MW_CHECK(mw_fixture_text(ROLLS, &f)) &&
      MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &r.mem, &r.position, &err))) {
    MW_FAILS(mw_linearize_rigid(&f.mech, &r.at, &r.mem, &r.s, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "rolling") != NULL);
  }
  mw_arena_free(&r.mem);
  mw_fixture_free(&f);
}

// ---- reduced models -----------------------------------------------------------------------------

// The systems on the grid come from the same Jacobians.
static void a_reduced_model_has_the_system_of_its_grid(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_lpv l = { 0 };
  mw_error err = { 0 };
  rig r = { 0 };
  if (MW_CHECK(mw_fixture_beam("SS", 8, 0.5, 9.81, 5, 3, "", &f)) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_OKAY(mw_lpv_build(&rom, &l, &err)) &&
      MW_OKAY(mw_linearize_reduced(&rom, &l.grid[0][2], NULL, 0, &r.mem, &r.s, &err))) {
    size_t nx = (size_t)l.n_x;
    MW_CHECK(r.s.n_x == l.n_x && r.s.n_u == l.n_u && r.s.n_y == l.n_y);
    MW_SAME_BITS(r.s.A, l.A + 2 * nx * nx, nx * nx);
    MW_SAME_BITS(r.s.B, l.B + 2 * nx * (size_t)l.n_u, nx * (size_t)l.n_u);
    MW_SAME_BITS(r.s.C, l.C[0] + 2 * (size_t)l.n_y * nx, (size_t)l.n_y * nx);
    // at rates of 0 the other search finds the same: accelerations of columns, K/m, by rounding
    static const double still[1] = { 0.0 };
    mw_state_space s = { 0 };
    double size = 0.0;
    if (MW_OKAY(mw_linearize_reduced(&rom, &l.grid[0][2], still, 0, &r.mem, &s, &err))) {
      for (size_t i = 0; i < nx * nx; i++) size = fmax(size, fabs(r.s.A[i]));
      for (size_t i = 0; i < nx * nx; i++) MW_NEAR(s.A[i], r.s.A[i], 16.0 * DBL_EPSILON * size);
    }
    // x held: the cart's row and column are gone, columns keep their stiffness
    if (MW_OKAY(mw_linearize_reduced(&rom, &l.grid[0][2], NULL, 1, &r.mem, &r.s, &err))) {
      MW_CHECK((size_t)r.s.n_x == nx - 2);
      MW_CHECK(strcmp(r.s.state[0], "x") != 0);
    }
  }
  mw_lpv_free(&l);
  mw_rom_file_free(&rom);
  mw_arena_free(&r.mem);
  mw_fixture_free(&f);
}

// A carriage of 3 kg that is prescribed carries 2 kg on a spring of 2e4 N/m that stiffens nothing:
// δ″ = −ω² δ − √m θ″ on a run, poles ± iω; forces of the drive are m₁ θ″ − k (x₂ − x₁).
static void an_instant_of_a_run_is_linearized_as_it_is(void)
{
  static const char text[] =
      "modeway: 1\nname: load on a spring\ngravity: [0, 0, 0]\nbodies:\n"
      "  carriage: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  load: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
      "  way: { prismatic: { a: ground, b: carriage, axis: [1, 0, 0] }, coordinate: x, drive: f }\n"
      "  top: { prismatic: { a: carriage, b: load, axis: [1, 0, 0] } }\n"
      "springs: { s: { a: carriage, b: load, stiffness: [2e4, 0, 0] } }\n"
      "outputs: { tool: { body: load } }\n"
      "reduction: { coordinates: { x: { range: [-1, 2], points: 9 } }, modes: { count: 1 },\n"
      "  certificate: { points: 1, samples: 4 } }\n"
      "scenarios: { go: { duration: 0.4, step: 1e-3, start: { x: 0.2 }, drives: { f: { position: "
      "{ cycloid: { from: 0.2, to: 0.7, start: 0, end: 0.4 } } } } } }\n";
  static const double T[2] = { 0.0, 0.1 }, OMEGA = 100.0, STIFF = 2e4, M1 = 3.0;
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  rig r = { 0 };
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    for (int i = 0; i < 2; i++) {
      const mw_scenario *sc = &f.model.scenario[0];
      double dd;
      mw_signal_eval(&sc->action[0].signal, T[i], &(double){ 0 }, &(double){ 0 }, &dd);
      if (!MW_OKAY(mw_linearize_reduced_motion(&f.mech, &rom, sc, T[i], 0, &r.mem, &r.s, &err)) ||
          !MW_CHECK(r.s.n_x == 2 && r.s.n_u == 1))
        continue;
      MW_NEAR(-r.s.A[2], OMEGA * OMEGA, mw_test_rounding(64.0, OMEGA * OMEGA));
      MW_CHECK(r.s.A[1] == 1.0 && (i == 0) == (r.s.x0[0] == 0.0));
      // outputs x, y, z of the tool, then the coordinate
      MW_NEAR(r.s.u0[0], M1 * dd - STIFF * (r.s.y0[0] - r.s.y0[3]),
              mw_test_rounding(64.0, STIFF * 0.3));
    }
  mw_state_space s;
  MW_FAILS(mw_linearize_reduced_motion(&f.mech, &rom, &f.model.scenario[0], 0.10051, 0, &r.mem, &s,
                                       &err),
           MW_ERR_INPUT);
  mw_rom_file_free(&rom);
  mw_arena_free(&r.mem);
  mw_fixture_free(&f);
}

// A mass m on a round shaft: in axes that turn at Ω its poles are at ω − Ω and ω + Ω, ω those at
// rest, but for what sections of the shaft tilt by, ρ I_p ∫θ² = 1.2 ρ I_p/L of m, in Ω.
static void a_reduced_rotor_whirls_in_axes_that_turn(void)
{
  static const char text[] =
      "modeway: 1\nname: rotor\ngravity: [0, 0, 0]\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { shaft: { circle: { diameter: 0.024 }, shear: false, rotary: false } }\n"
      "bodies:\n"
      "  rotor:\n"
      "    beams:\n"
      "      points: { bearing: [0, 0, 0], end: [0.5, 0, 0] }\n"
      "      members: [{ from: bearing, to: end, section: shaft, material: steel, elements: 4 }]\n"
      "    frames:\n"
      "      bearing: { node: bearing }\n"
      "      mass: { node: end, mass: 5e4 }\n"
      "joints:\n"
      "  spin: { revolute: { a: ground, b: rotor.bearing, axis: [1, 0, 0] }, coordinate: phi,\n"
      "          drive: motor }\n"
      "outputs: { mass: { frame: rotor.mass } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true,\n"
      "                        points: 9 } }\n"
      "  modes: { count: 2 }\n";
  static const double TURNS = 0.4, theta = 0.3, L = 0.5, D = 0.024;
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  rig r = { 0 };
  mw_state_space rest;
  mw_pole *p = NULL, *q = NULL;
  double zero;
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_OKAY(mw_linearize_reduced(&rom, &theta, NULL, 1, &r.mem, &rest, &err)) &&
      MW_OKAY(mw_linearize_reduced(&rom, &theta, &TURNS, 1, &r.mem, &r.s, &err)) &&
      MW_OKAY(mw_state_space_poles(&rest, &r.mem, &q, &zero, &err)) &&
      MW_OKAY(mw_state_space_poles(&r.s, &r.mem, &p, &zero, &err)) && MW_CHECK(r.s.n_x >= 4)) {
    double w = q[0].im;
    printf("at rest %.9g, turning %.9g and %.9g rad/s\n", w, p[0].im, p[2].im);
    double tilt = 1.2 * 7850.0 * acos(-1.0) * pow(D, 4) / 32.0 / (L * 5e4);
    MW_CHECK(w > 2.0 * TURNS);
    MW_NEAR(p[0].im, w - TURNS, tilt * TURNS);
    MW_NEAR(p[2].im, w + TURNS, tilt * TURNS);
  }
  mw_rom_file_free(&rom);
  mw_arena_free(&r.mem);
  mw_fixture_free(&f);
}

// A rotor of 9 N m s in two gimbals, no spring anywhere: nutation at H/√(I_a I_b), four poles at 0,
// which rounding splits by √ε of the gyroscopic terms.
static void a_gyroscope_nutates_and_does_nothing_else(void)
{
  static const char text[] =
      "modeway: 1\nname: gyroscope\nbodies:\n"
      "  outer: { rigid: { mass: 1, inertia: [0.01, 0.02, 0.03, 0, 0, 0] } }\n"
      "  inner: { rigid: { mass: 1, inertia: [0.02, 0.01, 0.02, 0, 0, 0] } }\n"
      "  rotor: { rigid: { mass: 3, inertia: [0.05, 0.05, 0.09, 0, 0, 0] } }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: outer, axis: [1, 0, 0] }, coordinate: a }\n"
      "  B: { revolute: { a: outer, b: inner, axis: [0, 1, 0] }, coordinate: b }\n"
      "  C: { revolute: { a: inner, b: rotor, axis: [0, 0, 1] }, coordinate: c }\n";
  static const double value[3] = { 0.0 }, rate[3] = { 0.0, 0.0, 100.0 };
  static const unsigned char named[3] = { 1, 1, 1 };
  const double want = 9.0 / sqrt((0.01 + 0.02 + 0.05) * (0.01 + 0.05));
  rig r = { 0 };
  mw_fixture f;
  mw_pole *p;
  if (MW_CHECK(mw_fixture_text(text, &f)) && linearize(&f.mech, &r, named, value, rate) &&
      poles(&r, &p) && MW_CHECK(r.s.n_x == 6)) {
    for (int i = 0; i < 4; i++) MW_CHECK(p[i].re == 0.0 && p[i].im == 0.0);
    // accelerations are linear in the small rates: the terms of size 150 1/s over the first step
    MW_NEAR(p[4].im, want, 150.0 * LINEAR);
    MW_WITHIN(p[4].re, 0.0, 150.0 * LINEAR, "differences may err along the rates; here both alike");
  }
  mw_arena_free(&r.mem);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "an_elastic_joint_swings_at_the_lectures_frequency",
      an_elastic_joint_swings_at_the_lectures_frequency },
    { "its_response_is_that_of_the_closed_form", its_response_is_that_of_the_closed_form },
    { "its_root_locus_is_that_of_the_characteristic_polynomial",
      its_root_locus_is_that_of_the_characteristic_polynomial },
    { "a_state_of_a_motion_is_that_of_the_closed_form",
      a_state_of_a_motion_is_that_of_the_closed_form },
    { "two_rods_in_motion_have_the_matrices_of_the_closed_form",
      two_rods_in_motion_have_the_matrices_of_the_closed_form },
    { "rods_on_their_end_fall_at_the_rates_of_the_closed_form",
      rods_on_their_end_fall_at_the_rates_of_the_closed_form },
    { "a_block_on_springs_swings_along_its_directions",
      a_block_on_springs_swings_along_its_directions },
    { "a_gyroscope_nutates_and_does_nothing_else", a_gyroscope_nutates_and_does_nothing_else },
    { "rolling_is_refused", rolling_is_refused },
    { "an_instant_of_a_run_is_linearized_as_it_is", an_instant_of_a_run_is_linearized_as_it_is },
    { "a_reduced_rotor_whirls_in_axes_that_turn", a_reduced_rotor_whirls_in_axes_that_turn },
    { "a_reduced_model_has_the_system_of_its_grid", a_reduced_model_has_the_system_of_its_grid },
  };
  return mw_test_run("linearize", cases, (int)(sizeof cases / sizeof *cases));
}
