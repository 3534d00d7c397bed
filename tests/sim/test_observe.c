// SPDX-License-Identifier: BSD-3-Clause
// test_observe.c: outputs that are seen in what a path knows: velocities, accelerations, elastic
// parts, orientations, angular velocities, reactions, drive forces, coordinates, on every path.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "compare/compare_layer.h"
#include "fem/output.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/ncfile.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

#define PI 3.14159265358979324

// Observed output of that name.
static int observed(const mw_model *m, const char *name)
{
  for (int o = 0; o < m->n_observed; o++)
    if (strcmp(m->observed[o].name, name) == 0) return o;
  MW_CHECK(false);
  return 0;
}

static const double *at(const mw_run *r, const char *name, int t)
{
  return mw_run_seen(r, observed(r->model, name), t);
}

static void near3(const double *got, const double want[3], double tol)
{
  for (int i = 0; i < 3; i++) MW_NEAR(got[i], want[i], tol);
}

// ---- a point's motion ---------------------------------------------------------------------------

typedef struct moving_point {
  const mw_mech *m;
  mw_ref ref;
  double offset[3], p[3][12], z[3][64];  // value, rate, second derivative at t = 0
} moving_point;

static void place(const moving_point *k, double t, double x[3])
{
  double p[12], z[64];
  for (int i = 0; i < 12; i++) p[i] = k->p[0][i] + t * (k->p[1][i] + 0.5 * t * k->p[2][i]);
  for (int i = 0; i < 64; i++) z[i] = k->z[0][i] + t * (k->z[1][i] + 0.5 * t * k->z[2][i]);
  mw_mech_point(k->m, k->ref, k->offset, p, z, x, NULL, NULL);
}

static double noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

// First and second differences over h, of fourth order by those over 2h.
static void differences(const moving_point *k, double h, double v[3], double a[3])
{
  double x[5][3];
  for (int i = 0; i < 5; i++) place(k, (i - 2) * h, x[i]);
  for (int c = 0; c < 3; c++) {
    v[c] = (8.0 * (x[3][c] - x[1][c]) - (x[4][c] - x[0][c])) / (12.0 * h);
    a[c] = (16.0 * (x[3][c] + x[1][c]) - (x[4][c] + x[0][c]) - 30.0 * x[2][c]) / (12.0 * h * h);
  }
}

static void a_point_moves_as_its_positions_differ(void)
{
  static const double turn[] = { 0.0, 0.03, 0.8 };  // rad, of the frame
  const double h = 1e-3;
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_machine(NULL, &f))) return;
  moving_point k = { .m = &f.mech, .ref = f.model.output[0].ref, .offset = { 0.1, -0.05, 0.2 } };
  for (size_t c = 0; c < sizeof turn / sizeof *turn; c++) {
    unsigned seed = 7;
    for (int d = 0; d < 3; d++) {
      for (int i = 0; i < 12; i++) k.p[d][i] = noise(&seed);
      for (int i = 0; i < 64; i++) k.z[d][i] = (d ? 1.0 : turn[c]) * noise(&seed);
    }
    const mw_point_state s = { k.p[0], k.p[1], k.p[2], k.z[0], k.z[1], k.z[2] };
    double v[3], a[3], v_want[3], a_want[3];
    mw_mech_point_motion(&f.mech, k.ref, k.offset, &s, v, a);
    differences(&k, h, v_want, a_want);
    // h⁴/30 x⁽⁵⁾ and h⁴/90 x⁽⁶⁾ with derivatives below 1e3, and rounding of 30 terms over 12 h²
    near3(v, v_want, 1e-10);
    near3(a, a_want, 1e-8);
  }
  mw_fixture_free(&f);
}

// ---- a rigid arm that turns as it is told -------------------------------------------------------

static const double MASS = 3.0, COM = 0.4, IZZ = 0.3, ANGLE = 4.0, G = 9.81;
static const double TIP[3] = { 0.7, 0.1, 0.05 };

static bool open_arm(mw_fixture *f)
{
  char text[2048];
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "gravity: [0, 0, -%g]\n"
           "bodies:\n"
           "  arm:\n"
           "    rigid: { mass: %g, com: [%g, 0, 0], inertia: [0.1, 0.2, %g, 0, 0, 0] }\n"
           "    frames: { hinge: { point: [0, 0, 0] }, tip: { point: [%g, %g, %g] } }\n"
           "joints: { hinge: { revolute: { a: ground, b: arm.hinge, axis: [0, 0, 1] }, "
           "coordinate: phi, drive: motor } }\n"
           "outputs:\n"
           "  v: { velocity: tip }\n"
           "  tip: { frame: arm.tip }\n"
           "  a: { acceleration: tip }\n"
           "  hand: { orientation: arm.tip, arm: 0.3 }\n"
           "  spin: { angular_velocity: hand }\n"
           "  angles: { cardan: hand }\n"
           "  euler: { zxz: hand }\n"
           "  vector: { rotation_vector: hand }\n"
           "  about: { axis_angle: hand }\n"
           "  pull: { reaction: hinge }\n"
           "  torque: { drive_force: motor }\n"
           "  angle: { coordinate: phi }\n"
           "scenarios: { turn: { duration: 1, step: 2e-4, store: 0.05, drives: { motor: { "
           "position: { cycloid: { from: 0, to: %g, end: 1 } } } } } }\n",
           G, MASS, COM, IZZ, TIP[0], TIP[1], TIP[2], ANGLE);
  return MW_CHECK(mw_fixture_text(text, f));
}

// Velocity and acceleration of the point X of the arm at angle s[0] with its derivatives.
static void arm_motion(const double X[3], const double s[3], double v[3], double a[3])
{
  double c = cos(s[0]), n = sin(s[0]), x = c * X[0] - n * X[1], y = n * X[0] + c * X[1];
  v[0] = -s[1] * y;
  v[1] = s[1] * x;
  a[0] = -s[2] * y - s[1] * s[1] * x;
  a[1] = s[2] * x - s[1] * s[1] * y;
  v[2] = a[2] = 0.0;
}

// Other forms of the turn by s about z, beyond half a turn: of Euler angles, where a and c are one,
// their sum; no axis before it turns.
static void check_forms(const mw_run *r, int t, double s, double tol)
{
  const double *euler = at(r, "euler", t), *about = at(r, "about", t);
  for (int i = 0; i < 3; i++) {
    MW_WITHIN(at(r, "angles", t)[i], i == 2 ? s : 0.0, tol, "what Newton's method may leave");
    MW_WITHIN(at(r, "vector", t)[i], i == 2 ? s : 0.0, tol, "what Newton's method may leave");
    if (s > 0.01)
      MW_WITHIN(about[i], i == 2 ? 1.0 : 0.0, 100.0 * tol, "what Newton's method may leave");
  }
  MW_WITHIN(about[3], s, tol, "what Newton's method may leave");
  MW_WITHIN(euler[0] + euler[2], s, 2.0 * tol, "what Newton's method may leave");
  MW_WITHIN(euler[1], 0.0, tol, "what Newton's method may leave");
}

// tol: of angles and their first and second derivatives
static void check_arm(const mw_run *r, const double tol[3])
{
  for (int t = 0; t < r->n_t; t++) {
    double x = 2.0 * PI * r->t[t], v[3], a[3];
    const double s[3] = { ANGLE * (r->t[t] - sin(x) / (2.0 * PI)), ANGLE * (1.0 - cos(x)),
                          ANGLE * 2.0 * PI * sin(x) };
    const double com[3] = { COM, 0.0, 0.0 };
    arm_motion(TIP, s, v, a);
    near3(at(r, "v", t), v, tol[1]);
    // tip within a metre: a = φ'' L and φ'² L, whose slope by φ' is at most 2·8
    near3(at(r, "a", t), a, tol[2] + 16.0 * tol[1]);
    const double q[4] = { cos(0.5 * s[0]), 0.0, 0.0, sin(0.5 * s[0]) };
    for (int i = 0; i < 4; i++)
      MW_WITHIN(at(r, "hand", t)[i], q[i], tol[0], "what Newton's method may leave");
    check_forms(r, t, s[0], tol[0]);
    near3(at(r, "spin", t), (double[3]){ 0.0, 0.0, s[1] }, tol[1]);
    arm_motion(com, s, v, a);
    const double *pull = at(r, "pull", t), cx = COM * cos(s[0]), cy = COM * sin(s[0]);
    double torque = (IZZ + MASS * COM * COM) * s[2];
    near3(pull, (double[3]){ MASS * a[0], MASS * a[1], MASS * G }, MASS * (tol[2] + 16.0 * tol[1]));
    // of the weight at its arm; of the drive about the hinge
    near3(pull + 3, (double[3]){ MASS * G * cy, -MASS * G * cx, torque },
          MASS * (G * tol[0] + tol[2] + 16.0 * tol[1]));
    MW_NEAR(at(r, "torque", t)[0], torque, tol[2] + 16.0 * tol[1]);
    MW_WITHIN(at(r, "angle", t)[0], s[0], tol[0], "what Newton's method may leave");
  }
}

static void a_turning_arm_shows_what_its_closed_form_says(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run run = { 0 };
  if (!open_arm(&f)) return;
  // the coordinate is followed to the tolerance of its projection, 1e-10 of the size
  if (MW_OKAY(mw_rigid_run(&f.mech, &f.model.scenario[0], NULL, NULL, &run, &err)))
    check_arm(&run, (double[3]){ 1e-9, 1e-8, 1e-7 });
  mw_run_free(&run);
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = f.model.scenario[0].step;
  // rates and accelerations are of second order in the step, by the next two derivatives of the
  // angle: h² times 4 (2π)² and 4 (2π)³
  double h2 = opt.step * opt.step, third = ANGLE * 4.0 * PI * PI;
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &run, &err)))
    check_arm(&run, (double[3]){ 1e-9, h2 * third, h2 * third * 2.0 * PI });
  mw_run_free(&run);
  mw_fixture_free(&f);
}

// ---- an elastic arm -----------------------------------------------------------------------------

static const char *const elastic_text =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.03, height: 0.04 } } }\n"
    "bodies:\n"
    "  arm:\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 6 } ]\n"
    "    frames: { root: { node: a }, tip: { node: b, mass: 2, inertia: [1e-2, 1e-2, 1e-2, 0, 0, "
    "0] } }\n"
    "joints: { hinge: { revolute: { a: ground, b: arm.root, axis: [0, 0.6, 0.8] }, coordinate: "
    "phi, drive: motor } }\n"
    "outputs:\n"
    "  tip: { frame: arm.tip, point: [0.1, 0, 0.05] }\n"
    "  v: { velocity: tip }\n"
    "  a: { acceleration: tip }\n"
    "  bend: { elastic: tip }\n"
    "  hand: { orientation: arm.tip }\n"
    "  spin: { angular_velocity: hand }\n"
    "  pull: { reaction: hinge }\n"
    "  torque: { drive_force: motor }\n"
    "  angle: { coordinate: phi }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-0.5, 1.5], points: 9, max_rate: 6, max_acceleration: 20 } }\n"
    "  modes: { count: 6 }\n"
    "  certificate: { points: 2, samples: 24 }\n"
    "scenarios: { turn: { duration: 0.6, step: 5e-4, start: { phi: 0 }, drives: { motor: { "
    "position: { cycloid: { from: 0, to: 1, end: 0.5 } } } } } }\n";

// Largest |(x_{k+1} − x_{k−1})/2h − v_k| of component c over the largest second difference of v. A
// sixth of that is what the difference formula errs by.
static double differs(const mw_run *r, const double *(*x)(const mw_run *, int),
                      const double *(*v)(const mw_run *, int), int c)
{
  double worst = 0.0, curve = 0.0, h = r->t[1] - r->t[0];
  for (int t = 1; t + 1 < r->n_t; t++) {
    double d = (x(r, t + 1)[c] - x(r, t - 1)[c]) / (2.0 * h);
    worst = fmax(worst, fabs(d - v(r, t)[c]));
    curve = fmax(curve, fabs(v(r, t + 1)[c] - 2.0 * v(r, t)[c] + v(r, t - 1)[c]));
  }
  return worst / curve;
}

static const double *tip_at(const mw_run *r, int t) { return r->y + 3 * t; }
static const double *v_at(const mw_run *r, int t) { return at(r, "v", t); }
static const double *a_at(const mw_run *r, int t) { return at(r, "a", t); }
static const double *hand_at(const mw_run *r, int t) { return at(r, "hand", t); }

// q' = ½ ω ⊗ q
static const double *hand_rate(const mw_run *r, int t)
{
  static double rate[4];
  const double *q = at(r, "hand", t), *w = at(r, "spin", t);
  double c[3];
  mw_cross3(w, q + 1, c);
  rate[0] = -0.5 * mw_dot3(w, q + 1);
  for (int i = 0; i < 3; i++) rate[1 + i] = 0.5 * (w[i] * q[0] + c[i]);
  return rate;
}

// Rates are those of what they are rates of.
static void check_rates(const mw_run *r)
{
  for (int c = 0; c < 3; c++) {
    // of second order in the step, as the difference formula is
    MW_CHECK(differs(r, tip_at, v_at, c) < 1.0);
    MW_CHECK(differs(r, v_at, a_at, c) < 1.0);
  }
  double worst = 0.0, h = r->t[1] - r->t[0], most = 0.0, rate = 0.0;
  for (int t = 1; t + 1 < r->n_t; t++)
    for (int c = 0; c < 4; c++) {
      double d = (hand_at(r, t + 1)[c] - hand_at(r, t - 1)[c]) / (2.0 * h);
      double before = hand_rate(r, t - 1)[c], here = hand_rate(r, t)[c],
             next = hand_rate(r, t + 1)[c];
      worst = fmax(worst, fabs(d - here));
      most = fmax(most, fabs(next - 2.0 * here + before));
      rate = fmax(rate, fabs(here));
    }
  MW_CHECK(worst < most && most < 0.1 * rate);
}

// Position of the undeformed tip at angle s: turned about the axis.
static void tip_of(double s, double x[3])
{
  const double r[3] = { 0.0, 0.6 * s, 0.8 * s }, X[3] = { 1.1, 0.0, 0.05 };
  mw_turn3(r, X, x);
}

static void check_elastic(const mw_run *r, double tol)
{
  for (int t = 0; t < r->n_t; t++) {
    double x[3];
    tip_of(at(r, "angle", t)[0], x);
    for (int i = 0; i < 3; i++) MW_NEAR(at(r, "bend", t)[i], tip_at(r, t)[i] - x[i], tol);
  }
}

// Largest difference of an observed output over its largest value.
static double apart(const mw_run *a, const mw_run *b, const char *name)
{
  const mw_observed_in *o = &a->model->observed[observed(a->model, name)];
  double most = 0.0, size = 0.0, d[MW_OUTPUT_WIDTH];
  for (int t = 0; t < a->n_t; t++) {
    for (int i = 0; i < mw_observed_width(o); i++) d[i] = at(a, name, t)[i] - at(b, name, t)[i];
    most = fmax(most, mw_observed_length(o, 0, d));
    size = fmax(size, mw_observed_length(o, 0, at(a, name, t)));
  }
  return most / size;
}

static void check_reduced(const mw_run *full, const mw_run *gmp)
{
  static const char *const name[] = { "v", "a", "bend", "hand", "spin", "torque", "angle" };
  for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
    double e = apart(full, gmp, name[k]);
    printf("%s: reduced against full %.2e of its largest\n", name[k], e);
    MW_CHECK(e < 2e-3);  // what a certificate of 1e-3 promises
  }
  MW_CHECK(isnan(at(gmp, "pull", 0)[0]) && gmp->unseen == MW_SEES_REACTION);
  MW_CHECK(gmp->n_note > 0 && strstr(gmp->note[gmp->n_note - 1], "(pull)"));
}

// dims of a variable in a run file
static void check_file(const mw_run *r, const char *variable, int width)
{
  static const char *const file = "test_observe.tmp.nc";
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_ncr in;
  if (MW_OKAY(mw_run_write(r, file, &err)) && MW_OKAY(mw_ncr_open(&in, file, NULL, &mem, &err))) {
    char component[64];
    snprintf(component, sizeof component, "%s_component", variable);
    MW_CHECK(mw_ncr_has(&in, variable) == (width > 0));
    if (width > 1) {
      int len[3] = { r->n_t, 1, width };
      MW_CHECK(mw_ncr_dim(&in, component) == width);
      const double *y = mw_ncr_f64(&in, variable, 3, len, true);
      if (MW_CHECK(y != NULL)) MW_SAME_BITS(y + width, at(r, "hand", 1), width);
    }
    MW_OKAY(mw_ncr_close(&in, &err));
  }
  mw_arena_free(&mem);
  remove(file);
}

static int quantity(const mw_comparison *q, const char *name)
{
  for (int k = 0; k < q->n_quantity; k++)
    if (strcmp(q->quantity[k].name, name) == 0) return k;
  MW_CHECK(false);
  return 0;
}

static void check_comparison(const mw_fixture *f, const mw_run *full, const mw_run *gmp)
{
  const mw_case c = { .model = f->model, .mech = f->mech };
  mw_error err = { 0 };
  mw_comparison q = { .c = &c,
                      .sc = &f->model.scenario[0],
                      .n_path = 2,
                      .label = { "gmp", "full" },
                      .run = { *gmp, *full },
                      .full = 1 };
  if (MW_OKAY(mw_comparison_build(&q, &err))) {
    int tip = quantity(&q, "tip"), bend = quantity(&q, "bend"), angle = quantity(&q, "angle");
    // tip, phi; v, a, bend, hand, spin, two of pull, torque, angle
    MW_CHECK(q.n_judged == 2 && q.n_quantity == 11);
    MW_NEAR(q.quantity[bend].scale, q.quantity[tip].scale,
            4.0 * DBL_EPSILON * q.quantity[tip].scale);
    MW_WITHIN(q.quantity[angle].scale, 1.0, 1e-12, "what Newton's method may leave");  // its travel
    MW_CHECK(q.relative[bend] < 2e-3 && q.relative[quantity(&q, "hand")] < 2e-3);
    MW_CHECK(isnan(q.relative[quantity(&q, "pull.force")]));
    MW_CHECK(q.quantity[quantity(&q, "pull.moment")].scale > 0.0);
  }
  mw_arena_free(&q.mem);
}

static void an_elastic_arm_is_seen_alike_on_all_paths(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  mw_run full = { 0 }, gmp = { 0 }, rigid = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  if (!MW_CHECK(mw_fixture_text(elastic_text, &f))) return;
  const mw_scenario *sc = &f.model.scenario[0];
  opt.step = sc->step;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &full, &err)) &&
      MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &gmp, &err)) &&
      MW_OKAY(mw_rigid_run(&f.mech, sc, NULL, NULL, &rigid, &err))) {
    check_rates(&full);
    check_rates(&gmp);
    check_elastic(&full, 1e-12);  // what rigid positions are closed to
    check_elastic(&gmp, 1e-6);    // tables of rigid positions: within a tenth of the tolerance
    check_elastic(&rigid, 1e-12);
    check_reduced(&full, &gmp);
    check_comparison(&f, &full, &gmp);
    check_file(&gmp, "orientation", 4);
    check_file(&gmp, "joint_reaction", 0);
  }
  mw_run_free(&rigid);
  mw_run_free(&gmp);
  mw_run_free(&full);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// ---- what reduced models are bound to -----------------------------------------------------------

static void only_orientations_bind_reduced_models(void)
{
  static const char *const outputs[] = {
    "{ o: { body: a } }", "{ o: { body: a }, v: { velocity: o }, r: { reaction: j } }",
    "{ o: { body: a }, q: { orientation: a } }"
  };
  char hash[3][65];
  for (int k = 0; k < 3; k++) {
    char text[512];
    mw_fixture f;
    snprintf(text, sizeof text,
             "modeway: 1\n"
             "bodies: { a: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
             "joints: { j: { revolute: { a: ground, b: a, axis: [1, 0, 0] } } }\n"
             "outputs: %s\n",
             outputs[k]);
    hash[k][0] = '\0';
    if (!MW_CHECK(mw_fixture_text(text, &f))) continue;
    memcpy(hash[k], f.model.hash, sizeof hash[k]);
    mw_fixture_free(&f);
  }
  MW_CHECK(strcmp(hash[0], hash[1]) == 0 && strcmp(hash[0], hash[2]) != 0);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_point_moves_as_its_positions_differ", a_point_moves_as_its_positions_differ },
    { "a_turning_arm_shows_what_its_closed_form_says",
      a_turning_arm_shows_what_its_closed_form_says },
    { "an_elastic_arm_is_seen_alike_on_all_paths", an_elastic_arm_is_seen_alike_on_all_paths },
    { "only_orientations_bind_reduced_models", only_orientations_bind_reduced_models },
  };
  return mw_test_run("observe", cases, (int)(sizeof cases / sizeof *cases));
}
