// SPDX-License-Identifier: BSD-3-Clause
// test_joint.c: joint rows against finite differences in random configurations; rigid kinematics
// against closed forms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/mech.h"
#include "fixture.h"
#include "mw_test.h"

enum { N_Z = 6, N_BODY = 3 };

static double uniform(unsigned long long *seed)
{
  *seed = *seed * 16807 % 2147483647;
  return 2.0 * (double)*seed / 2147483647.0 - 1.0;
}

// Rotation by the vector w (Rodrigues), row-major.
static void rotation(const double w[3], double R[9])
{
  double a = mw_norm3(w), s = a > 0.0 ? sin(a) / a : 1.0,
         c = a > 0.0 ? (1.0 - cos(a)) / (a * a) : 0.5;
  const double X[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
  double XX[9];
  mw_mul33(X, X, XX);
  for (int i = 0; i < 9; i++) R[i] = (i % 4 == 0) + s * X[i] + c * XX[i];
}

typedef struct fixture {
  mw_model model;
  mw_joint_in joint;
  mw_runner runner[2];
  mw_body_in body_in[N_BODY];
  mw_body body[N_BODY];
  mw_frame frame[N_BODY];
  mw_guide guide;
  mw_mech mech;
  mw_arena mem;
} fixture;

// Springs with stiffness against turns about three axes, two and one: three measures.
static const struct {
  mw_joint_kind kind;
  bool turn[3];
  mw_measure measure;
} kinds[] = {
  { .kind = MW_JOINT_FIXED },
  { .kind = MW_JOINT_REVOLUTE },
  { .kind = MW_JOINT_PRISMATIC },
  { .kind = MW_JOINT_SPHERICAL },
  { .kind = MW_JOINT_SLIDE },
  { .kind = MW_JOINT_SPRING, .turn = { true, true, true } },
  { .kind = MW_JOINT_SPRING, .turn = { true, false, true } },
  { .kind = MW_JOINT_SPRING, .turn = { false, true, false } },
  { .kind = MW_JOINT_UNIVERSAL, .measure = MW_MEASURE_ANGLE },
  { .kind = MW_JOINT_UNIVERSAL, .measure = MW_MEASURE_SECOND },
  { .kind = MW_JOINT_SCREW, .measure = MW_MEASURE_ANGLE },
  { .kind = MW_JOINT_SCREW, .measure = MW_MEASURE_TRAVEL },
  { .kind = MW_JOINT_DISTANCE },
  { .kind = MW_JOINT_CURVE },
};
enum { N_KIND = sizeof kinds / sizeof *kinds, MAX_ROW = 16 };

// Of a curve that bends slowly, out of its plane; it begins where bodies are described.
enum { N_CURVE = 9 };
static double curve[3 * N_CURVE];

static void curve_init(void)
{
  for (int k = 0; k < N_CURVE; k++) {
    double x = 0.5 * k, at[3] = { x, 0.1 * x * x, 0.02 * x * x * x };
    memcpy(curve + 3 * k, at, sizeof at);
  }
}

// Body 0 ground, bodies 1 and 2 with one elastic frame each, joined by one joint of the kind.
static void fixture_init(fixture *f, int trial)
{
  mw_joint_kind kind = kinds[trial].kind;
  static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  memset(f, 0, sizeof *f);
  curve_init();
  for (int b = 0; b < N_BODY; b++) {
    memcpy(f->body_in[b].axes, identity, sizeof identity);
    f->body[b] = (mw_body){ .name = b == 0   ? "ground"
                                    : b == 1 ? "one"
                                             : "two",
                            .ground = b == 0,
                            .n_u = b == 0 ? 0 : N_Z,
                            .n_z = b == 0 ? 0 : N_Z,
                            .n_frame = 1,
                            .frame = &f->frame[b] };
    f->frame[b].z = b == 0 ? -1 : 0;
  }
  f->frame[1] = (mw_frame){ .X = { 0.3, -0.2, 0.1 }, .z = 0 };
  f->frame[2] = (mw_frame){ .X = { -0.1, 0.4, 0.2 }, .z = 0 };
  // reference: the second body turned, its frame where the first body's is
  double w[3] = { 0.4, -0.7, 0.2 }, x[3];
  rotation(w, f->body_in[2].axes);
  mw_mul33v(f->body_in[2].axes, f->frame[2].X, x);
  for (int i = 0; i < 3; i++) f->body_in[2].origin[i] = f->frame[1].X[i] - x[i];
  static const double axis[3] = { 0.2, 0.5, 1.0 };
  if (kind == MW_JOINT_DISTANCE) f->body_in[2].origin[1] += 0.7;
  if (kind == MW_JOINT_SCREW)
    for (int i = 0; i < 3; i++) f->body_in[2].origin[i] += 0.1 * axis[i];
  f->guide = (mw_guide){ .name = "rail",
                         .X0 = { -1.0, 0.1, 0.0 },
                         .t = { 1, 0, 0 },
                         .n1 = { 0, 0, 1 },
                         .n2 = { 0, -1, 0 },
                         .length = 3.0,
                         .z = -1 };
  f->body[1].guide = &f->guide;
  f->body[1].n_guide = 1;
  f->joint = (mw_joint_in){ .name = "j",
                            .kind = kind,
                            .a = { .body = 1 },
                            .b = { .body = 2 },
                            .axis = { axis[0], axis[1], axis[2] },
                            .has_axis_b = kind == MW_JOINT_UNIVERSAL,
                            .pitch = 4.0,
                            .measure = kinds[trial].measure,
                            .coordinate = kind == MW_JOINT_DISTANCE ? NULL : "s",
                            .n_curve = N_CURVE,
                            .curve = curve,
                            .n_runner = 2,
                            .runner = f->runner,
                            .lock_rotation = true };
  mw_mul33tv(f->body_in[2].axes, (double[3]){ 1.0, 0.0, -0.2 }, f->joint.axis_b);  // ⊥ axis
  for (int i = 0; i < 6; i++)
    f->joint.stiffness[i] = i < 3 || kinds[trial].turn[i - 3] ? 1.0 + i : 0.0;
  for (int i = 0; i < 2; i++)
    f->runner[i] = (mw_runner){ .offset = 0.1 * i - 0.05,
                                .shift = { 0.01, 0.05, -0.03 },
                                .dir = { true, true },
                                .stiffness = { INFINITY, 1e6 } };
  f->model = (mw_model){
    .path = "fixture", .n_body = N_BODY, .body = f->body_in, .n_joint = 1, .joint = &f->joint
  };
  mw_error err = { 0 };
  MW_OKAY(mw_mech_build(&f->model, f->body, &f->mem, &f->mech, &err));
}

static void joint_rows_vanish_in_the_reference_configuration(void)
{
  for (int k = 0; k < N_KIND; k++) {
    fixture f;
    mw_error err = { 0 };
    fixture_init(&f, k);
    mw_joint_eval e = mw_joint_eval_init(&f.mech, &f.mem);
    MW_OKAY(mw_joint_eval_at(&f.mech, 0, f.mech.p0 + 12, NULL, f.mech.p0 + 24, NULL, f.mech.s0[0],
                             &e, &err));
    // rounding of a handful of products of numbers of size one
    for (int i = 0; i < f.mech.n_row; i++) MW_NEAR(e.g[i], 0.0, 32 * 2.2e-16);
    mw_arena_free(&f.mem);
  }
}

typedef struct state {
  double p[24], z[2 * N_Z], s;
} state;

static void move(const state *x, const double d[37], double h, state *y)
{
  *y = *x;
  for (int b = 0; b < 2; b++) {
    const double *E = x->p + 12 * b + 3;
    double o[3], W[9];
    mw_mul33v(E, d + 12 * b, o);
    mw_mul33(E, d + 12 * b + 3, W);
    for (int i = 0; i < 3; i++) y->p[12 * b + i] += h * o[i];
    for (int i = 0; i < 9; i++) y->p[12 * b + 3 + i] += h * W[i];
  }
  for (int i = 0; i < 2 * N_Z; i++) y->z[i] += h * d[24 + i];
  y->s += h * d[36];
}

static void rows_at(const fixture *f, const state *x, mw_joint_eval *e)
{
  mw_error err = { 0 };
  MW_OKAY(mw_joint_eval_at(&f->mech, 0, x->p, x->z, x->p + 12, x->z + N_Z, x->s, e, &err));
}

static void joint_derivative_is_the_derivative_of_g(void)
{
  unsigned long long seed = 7;
  for (int k = 0; k < N_KIND; k++)
    for (int trial = 0; trial < 5; trial++) {
      fixture f;
      fixture_init(&f, k);
      mw_joint_eval e = mw_joint_eval_init(&f.mech, &f.mem);
      state x = { .s = 1.2 + 0.3 * uniform(&seed) }, y;
      for (int b = 0; b < 2; b++) {
        double w[3];
        for (int i = 0; i < 3; i++) w[i] = 2.0 * uniform(&seed);
        rotation(w, x.p + 12 * b + 3);
        for (int i = 0; i < 3; i++) x.p[12 * b + i] = uniform(&seed);
      }
      for (int i = 0; i < 2 * N_Z; i++) x.z[i] = 0.1 * uniform(&seed);
      double d[37], gp[MAX_ROW], gm[MAX_ROW], dg[MAX_ROW];
      for (int i = 0; i < 37; i++) d[i] = uniform(&seed);
      int n = f.mech.n_row;
      const double h = 1e-5;
      move(&x, d, h, &y);
      rows_at(&f, &y, &e);
      memcpy(gp, e.g, (size_t)n * sizeof *gp);
      move(&x, d, -h, &y);
      rows_at(&f, &y, &e);
      memcpy(gm, e.g, (size_t)n * sizeof *gm);
      rows_at(&f, &x, &e);
      for (int i = 0; i < n; i++) {
        dg[i] = e.Js[i] * d[36];
        for (int l = 0; l < 12; l++)
          dg[i] += e.Ja[12 * i + l] * d[l] + e.Jb[12 * i + l] * d[12 + l];
        for (int l = 0; l < N_Z; l++)
          dg[i] += e.Za[N_Z * i + l] * d[24 + l] + e.Zb[N_Z * i + l] * d[24 + N_Z + l];
        // central difference: h²/6 times a third derivative of at most some tens, of angles atan(x)
        // with x' = dg of 2 |dg|³ besides, plus rounding 1e-16/h
        double third = 100.0 + fabs(dg[i] * dg[i] * dg[i]) / 3.0;
        MW_NEAR((gp[i] - gm[i]) / (2 * h), dg[i], third * h * h + 50 * 2.2e-16 / h);
      }
      mw_arena_free(&f.mem);
    }
}

static void guides_of_more_nodes_than_there_is_room_for_are_refused(void)
{
  int slide = 0;
  while (kinds[slide].kind != MW_JOINT_SLIDE) slide++;
  for (int more = 0; more < 2; more++) {
    fixture f;
    mw_error err = { 0 };
    fixture_init(&f, slide);
    mw_joint_eval e = mw_joint_eval_init(&f.mech, &f.mem);
    f.guide.n = MW_GUIDE_MAX_NODE + more;  // a straight line, which has none of its own
    mw_code rc =
        mw_joint_eval_at(&f.mech, 0, f.mech.p0 + 12, NULL, f.mech.p0 + 24, NULL, 1.2, &e, &err);
    MW_CHECK(rc == (more ? MW_ERR_INPUT : MW_OK));
    if (more) MW_CHECK(strstr(err.msg, "guide of 4097 nodes, at most 4096 expected") != NULL);
    mw_arena_free(&f.mem);
  }
}

// A planar four-bar of revolutes (axes along z) with ground; links as rigid bodies 1..3.
typedef struct fourbar {
  mw_model model;
  mw_joint_in joint[4];
  mw_body_in body_in[4];
  mw_body body[4];
  mw_frame frame[4][4];
  mw_mech mech;
  mw_arena mem;
} fourbar;

// Crank r = 1 at the origin, coupler 3, rocker 2.5, pivots 2 apart; reference at crank angle phi0.
static void fourbar_point(double phi, double B[2])
{
  const double A[2] = { cos(phi), sin(phi) };
  double dx = 2.0 - A[0], dy = -A[1], dist = hypot(dx, dy),
         a = (9.0 - 6.25 + dist * dist) / (2.0 * dist);
  double h = sqrt(9.0 - a * a);
  B[0] = A[0] + a * dx / dist - h * dy / dist;
  B[1] = A[1] + a * dy / dist + h * dx / dist;
}

static void fourbar_init(fourbar *f, double phi0)
{
  static const char *const names[4] = { "ground", "crank", "coupler", "rocker" };
  memset(f, 0, sizeof *f);
  double B[2];
  fourbar_point(phi0, B);
  const double A[2] = { cos(phi0), sin(phi0) };
  const double origin[4][2] = { { 0, 0 }, { 0, 0 }, { A[0], A[1] }, { 2, 0 } };
  const double tip[4][2] = { { 2, 0 }, { A[0], A[1] }, { B[0], B[1] }, { B[0], B[1] } };
  for (int b = 0; b < 4; b++) {
    double *E = f->body_in[b].axes,
           a = b == 0 ? 0.0 : atan2(tip[b][1] - origin[b][1], tip[b][0] - origin[b][0]);
    const double R[9] = { cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1 };
    memcpy(E, R, sizeof R);
    f->body_in[b].origin[0] = origin[b][0];
    f->body_in[b].origin[1] = origin[b][1];
    f->frame[b][0].z = f->frame[b][1].z = -1;
    f->frame[b][1].X[0] = hypot(tip[b][0] - origin[b][0], tip[b][1] - origin[b][1]);
    f->body[b] = (mw_body){
      .name = names[b], .ground = b == 0, .m = 1.0, .n_frame = 2, .frame = f->frame[b]
    };
  }
  const int ends[4][4] = { { 0, 0, 1, 0 }, { 1, 1, 2, 0 }, { 2, 1, 3, 1 }, { 0, 1, 3, 0 } };
  static const char *const joints[4] = { "crank pin", "knee", "elbow", "pivot" };
  for (int j = 0; j < 4; j++)
    f->joint[j] = (mw_joint_in){ .name = joints[j],
                                 .kind = MW_JOINT_REVOLUTE,
                                 .axis = { 0, 0, 1 },
                                 .a = { .body = ends[j][0], .attach = ends[j][1] },
                                 .b = { .body = ends[j][2], .attach = ends[j][3] },
                                 .coordinate = j == 0 ? "phi" : NULL,
                                 .start = phi0 };
  f->model = (mw_model){
    .path = "fourbar", .n_body = 4, .body = f->body_in, .n_joint = 4, .joint = f->joint
  };
  mw_error err = { 0 };
  MW_OKAY(mw_mech_build(&f->model, f->body, &f->mem, &f->mech, &err));
}

static void four_bar_follows_its_closed_form(void)
{
  fourbar f;
  mw_error err = { 0 };
  unsigned char locked[1] = { 1 };
  double p[48], s[1], v[24], s_dot[1];
  fourbar_init(&f, 0.7);
  memcpy(p, f.mech.p0, sizeof p);
  s[0] = f.mech.s0[0];
  for (int i = 0; i <= 8; i++) {
    double phi = 0.7 + 0.25 * i, B[2];
    MW_OKAY(mw_mech_rigid_solve(&f.mech, locked, &phi, p, s, &err));
    fourbar_point(phi, B);
    // constraints hold to 1e-11 of the size (100 × 1e-13 × 3); the loop's conditioning is below 10
    // here
    for (int k = 0; k < 2; k++)
      MW_WITHIN(p[36 + k] + p[36 + 3 + 3 * k] * f.frame[3][1].X[0], B[k], 3e-10,
                "what the closing of loops may leave");
    // ω of the rocker against a central difference of its closed-form angle
    MW_OKAY(mw_mech_rigid_modes(&f.mech, locked, p, s, v, s_dot, &err));
    double Bp[2], Bm[2], h = 1e-5;
    fourbar_point(phi + h, Bp);
    fourbar_point(phi - h, Bm);
    double rate = (atan2(Bp[1], Bp[0] - 2.0) - atan2(Bm[1], Bm[0] - 2.0)) / (2 * h);
    MW_NEAR(v[6 * 3 + 5], rate, 1e-8);  // h² × third derivative (below 50) and rounding 1e-16/h
    // linear equations of 24 unknowns and of a condition below 10
    MW_NEAR(v[6 * 1 + 5], 1.0, mw_test_rounding(24.0, 10.0));
    MW_NEAR(s_dot[0], 1.0, mw_test_rounding(24.0, 10.0));
  }
  mw_arena_free(&f.mem);
}

static void four_bar_has_one_degree_of_freedom_and_three_redundant_rows(void)
{
  fourbar f;
  mw_error err = { 0 };
  int mobility = 0, redundant[4], sum = 0;
  fourbar_init(&f, 0.7);
  MW_OKAY(mw_mech_mobility(&f.mech, f.mech.p0, f.mech.s0, &mobility, redundant, &err));
  for (int j = 0; j < 4; j++) sum += redundant[j];
  MW_CHECK(mobility == 1);
  MW_CHECK(sum == 3);
  MW_CHECK(redundant[0] ==
           0);  // the first joints of a loop are needed, the closing one repeats them
  mw_arena_free(&f.mem);
}

static void free_motion_is_named(void)
{
  fourbar f;
  mw_error err = { 0 };
  unsigned char none[1] = { 0 };
  double p[48], s[1], v[24], s_dot[1];
  fourbar_init(&f, 0.7);
  memcpy(p, f.mech.p0, sizeof p);
  s[0] = 0.7;
  MW_FAILS(mw_mech_rigid_modes(&f.mech, none, p, s, v, s_dot, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "joints that move: crank pin, knee, elbow, pivot)") != NULL);
  mw_arena_free(&f.mem);
}

// Of three links in a row the joint in the middle has no coordinate: the last link moves fastest,
// but by its own joint it does not.
static void the_joint_that_moves_is_named_not_what_it_carries(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  unsigned char locked[2] = { 1, 1 };
  double v[2 * 24], s_dot[4];
  const char *text =
      "modeway: 1\n"
      "bodies:\n"
      "  one: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "         frames: { e: { point: [0.2, 0, 0] } } }\n"
      "  two: { at: [0.2, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "         frames: { e: { point: [2, 0, 0] } } }\n"
      "  three: { at: [2.2, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  root: { revolute: { a: ground, b: one, axis: [0, 0, 1] }, coordinate: q }\n"
      "  middle: { revolute: { a: one.e, b: two, axis: [0, 0, 1] } }\n"
      "  last: { revolute: { a: two.e, b: three, axis: [0, 0, 1] }, coordinate: r }\n"
      "outputs: { tip: { body: three } }\n";
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  MW_FAILS(mw_mech_rigid_modes(&f.mech, locked, f.mech.p0, f.mech.s0, v, s_dot, &err),
           MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "body two can still move") && strstr(err.msg, "that move: middle)"));
  mw_fixture_free(&f);
}

static void loop_that_cannot_close_names_its_joint(void)
{
  fourbar f;
  mw_error err = { 0 };
  unsigned char locked[1] = { 1 };
  double p[48], s[1] = { 0.7 };
  fourbar_init(&f, 0.7);
  // a coupler far too long
  f.frame[2][1].X[0] = 9.0;
  f.model.assemble = true;
  MW_OKAY(mw_mech_build(&f.model, f.body, &f.mem, &f.mech, &err));
  memcpy(p, f.mech.p0, sizeof p);
  MW_FAILS(mw_mech_rigid_solve(&f.mech, locked, f.mech.s0, p, s, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "joint") != NULL);
  mw_arena_free(&f.mem);
}

static void points_that_do_not_meet_are_refused(void)
{
  fourbar f;
  mw_error err = { 0 };
  mw_mech m;
  fourbar_init(&f, 0.7);
  // both at the ground's origin, but for rounding of the crank pin: the machine's 2 m measure it
  f.frame[1][0].X[1] = 1e-19;
  MW_OKAY(mw_mech_build(&f.model, f.body, &f.mem, &m, &err));
  f.frame[1][0].X[1] = 1e-4;
  MW_FAILS(mw_mech_build(&f.model, f.body, &f.mem, &m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "joint crank pin") != NULL);
  f.frame[1][0].X[1] = 0.0;
  f.body_in[3].origin[1] = 0.01;
  MW_FAILS(mw_mech_build(&f.model, f.body, &f.mem, &m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "apart") != NULL);
  mw_arena_free(&f.mem);
}

static void the_point_that_a_refusal_names_lets_them_meet(void)
{
  fourbar f;
  mw_error err = { 0 };
  mw_mech m;
  fourbar_init(&f, 0.7);
  double *X = f.frame[3][1].X;  // of the turned rocker's end
  X[0] = 0.3;
  X[1] = 0.2;
  X[2] = -0.1;
  MW_FAILS(mw_mech_build(&f.model, f.body, &f.mem, &m, &err), MW_ERR_INPUT);
  const char *at = strstr(err.msg, "a frame of body rocker with point: [");
  if (MW_CHECK(at != NULL) &&
      MW_CHECK(sscanf(strchr(at, '['), "[%lf, %lf, %lf]", &X[0], &X[1], &X[2]) == 3)) {
    MW_OKAY(mw_mech_build(&f.model, f.body, &f.mem, &m, &err));
    MW_WITHIN(X[0], 2.5, 0.5e-8, "nine digits are printed");
    MW_WITHIN(X[1], 0.0, 0.5e-8, "nine digits are printed");
    MW_WITHIN(X[2], 0.0, 0.5e-8, "nine digits are printed");
  }
  mw_arena_free(&f.mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "joint_rows_vanish_in_the_reference_configuration",
      joint_rows_vanish_in_the_reference_configuration },
    { "joint_derivative_is_the_derivative_of_g", joint_derivative_is_the_derivative_of_g },
    { "guides_of_more_nodes_than_there_is_room_for_are_refused",
      guides_of_more_nodes_than_there_is_room_for_are_refused },
    { "four_bar_follows_its_closed_form", four_bar_follows_its_closed_form },
    { "four_bar_has_one_degree_of_freedom_and_three_redundant_rows",
      four_bar_has_one_degree_of_freedom_and_three_redundant_rows },
    { "free_motion_is_named", free_motion_is_named },
    { "the_joint_that_moves_is_named_not_what_it_carries",
      the_joint_that_moves_is_named_not_what_it_carries },
    { "loop_that_cannot_close_names_its_joint", loop_that_cannot_close_names_its_joint },
    { "points_that_do_not_meet_are_refused", points_that_do_not_meet_are_refused },
    { "the_point_that_a_refusal_names_lets_them_meet",
      the_point_that_a_refusal_names_lets_them_meet },
  };
  return mw_test_run("joint", cases, (int)(sizeof cases / sizeof *cases));
}
