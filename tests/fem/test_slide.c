// SPDX-License-Identifier: BSD-3-Clause
// test_slide.c: rows of slides on elastic guides: derivatives against finite differences, values
// against the geometry of a straight guide, rigid motions of the guide's body seen through its
// interface.
//
//   straight guide (z = 0), everything in ground axes, reference with all axes parallel:
//     x_a(σ, C) = o_a + E_a (X0 + t σ + C) ,   x_b = o_b + E_b (X0 + t (s0 + offset) + C − o_b0)
//     g = (E_a n)·(x_b − x_a) ;   orientation: (E_a f_i)·(E_b f_j) ,  f = t, n1, n2            (1)
//   a rigid motion (c, w) of the arm as seen by the interface, z = P R (c, w), against one of its
//   frame; the axes of slides, Ra, see the second alone:  Z z + Ra w = Ja (c, w~)               (2)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fixture.h"
#include "mw_test.h"

enum { ARM = 2, SLIDE = 1, MOST = 24, TEXT = 2048 };

typedef struct variant {
  const char *slide;
  double up;     // m, of the car's frame over the guide's line
  bool tangent;  // orientation
  bool locked;   // has rows of orientation
  int n_runner;  // as `slide` has them
  double offset[2], shift[2][3];
  int n_dir[2];  // rows a runner, from n1 on; 3: n2 alone
} variant;

static const variant variants[] = {
  { .slide = "orientation: fixed", .locked = true, .n_runner = 1, .n_dir = { 2 } },
  { .slide = "orientation: fixed, runners: [ { offset: -0.05, shift: [0, 0, 0.04] }, "
             "{ offset: 0.07, shift: [0.01, -0.03, 0.02], directions: [n2] } ]",
    .up = 0.15,
    .locked = true,
    .n_runner = 2,
    .offset = { -0.05, 0.07 },
    .shift = { { 0, 0, 0.04 }, { 0.01, -0.03, 0.02 } },
    .n_dir = { 2, 3 } },
  { .slide = "runners: [ { offset: -0.05, shift: [0, 0, 0.04], stiffness: 2e7 }, "
             "{ offset: 0.05, shift: [0, 0.02, -0.04], stiffness: 2e7, directions: [n1] } ]",
    .up = 0.15,
    .n_runner = 2,
    .offset = { -0.05, 0.05 },
    .shift = { { 0, 0, 0.04 }, { 0, 0.02, -0.04 } },
    .n_dir = { 2, 1 } },
  { .slide = "orientation: tangent",
    .tangent = true,
    .locked = true,
    .n_runner = 1,
    .n_dir = { 2 } },
  { .slide = "orientation: tangent, runners: [ { offset: -0.05, shift: [0, 0.01, 0.03], stiffness: "
             "5e6 }, { offset: 0.05, stiffness: 5e6 } ]",
    .up = 0.15,
    .tangent = true,
    .locked = true,
    .n_runner = 2,
    .offset = { -0.05, 0.05 },
    .shift = { { 0, 0.01, 0.03 } },
    .n_dir = { 2, 2 } },
};
enum { N_VARIANT = sizeof variants / sizeof *variants };

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

// A car on an elastic arm, all axes parallel in the reference.
static bool build(const variant *v, mw_fixture *f)
{
  static const char *const format =
      "modeway: 1\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { arm: { rectangle: { width: 0.03, height: 0.04 } } }\n"
      "bodies:\n"
      "  base: { ground: true, frames: { hub: { point: [0.1, -0.2, 0.3] } } }\n"
      "  arm:\n"
      "    beams:\n"
      "      points: { hub: [0.1, -0.2, 0.3], end: [1.1, -0.2, 0.3] }\n"
      "      members: [ { from: hub, to: end, section: arm, material: alu, elements: 10 } ]\n"
      "    guides: { rail: { from: hub, to: end } }\n"
      "    frames: { hub: { node: hub } }\n"
      "  car: { at: [0.5, -0.2, %.17g], rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  hold: { fixed: { a: base.hub, b: arm.hub } }\n"
      "  x: { slide: { guide: arm.rail, on: car, %s } }\n";
  char text[TEXT];
  int n = snprintf(text, sizeof text, format, 0.3 + v->up, v->slide);
  return n > 0 && n < TEXT && mw_fixture_text(text, f);
}

typedef struct state {
  double p[24];  // of arm and car
  double *z;     // [n_z]
  double s;
} state;

// Both bodies turned and moved at random, the arm bent where `bend` is not 0.
static state start(const mw_fixture *f, double bend, unsigned long long *seed, mw_arena *mem)
{
  int nz = f->mech.body[ARM].n_z;
  state x = { .s = 0.4 + 0.1 * uniform(seed), .z = mw_arena_f64(mem, (size_t)nz) };
  for (int b = 0; b < 2; b++) {
    double w[3];
    for (int i = 0; i < 3; i++) w[i] = 2.0 * uniform(seed);
    rotation(w, x.p + 12 * b + 3);
    for (int i = 0; i < 3; i++) x.p[12 * b + i] = uniform(seed);
  }
  for (int i = 0; x.z && i < nz; i++) x.z[i] = bend * uniform(seed);
  if (!x.z) abort();
  return x;
}

static void rows_at(const mw_fixture *f, const state *x, mw_joint_eval *e)
{
  mw_error err = { 0 };
  MW_OKAY(mw_joint_eval_at(&f->mech, SLIDE, x->p, x->z, x->p + 12, NULL, x->s, e, &err));
}

// y := x moved by h d, d [24 + n_z + 1]: frames as of mw_joint_eval, z, s
static void move(const state *x, int nz, const double *d, double h, state *y)
{
  for (int b = 0; b < 2; b++) {
    const double *E = x->p + 12 * b + 3;
    double o[3], W[9];
    mw_mul33v(E, d + 12 * b, o);
    mw_mul33(E, d + 12 * b + 3, W);
    for (int i = 0; i < 3; i++) y->p[12 * b + i] = x->p[12 * b + i] + h * o[i];
    for (int i = 0; i < 9; i++) y->p[12 * b + 3 + i] = x->p[12 * b + 3 + i] + h * W[i];
  }
  for (int i = 0; i < nz; i++) y->z[i] = x->z[i] + h * d[24 + i];
  y->s = x->s + h * d[24 + nz];
}

static double sum(int n, const double *a, const double *b)
{
  double s = 0.0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

static void differences(const mw_fixture *f, unsigned long long *seed)
{
  // m of elements: the directions' share of s keeps (0.05/0.1)³ of quintics below one
  static const double h = 1e-5, SLOW = 0.05;
  mw_arena mem = { 0 };
  int nz = f->mech.body[ARM].n_z, n = f->mech.joint[SLIDE].n_row;
  mw_joint_eval e = mw_joint_eval_init(&f->mech, &mem);
  state x = start(f, 0.02, seed, &mem), y = start(f, 0.0, seed, &mem);
  double *d = mw_arena_f64(&mem, 25 + (size_t)nz), gp[MOST], gm[MOST];
  if (!d || n > MOST) abort();
  for (int i = 0; i < 24 + nz; i++) d[i] = uniform(seed);
  d[24 + nz] = SLOW * uniform(seed);
  move(&x, nz, d, h, &y);
  rows_at(f, &y, &e);
  memcpy(gp, e.g, (size_t)n * sizeof *gp);
  move(&x, nz, d, -h, &y);
  rows_at(f, &y, &e);
  memcpy(gm, e.g, (size_t)n * sizeof *gm);
  rows_at(f, &x, &e);
  for (int i = 0; i < n; i++) {
    double dg = sum(12, e.Ja + 12 * i, d) + sum(12, e.Jb + 12 * i, d + 12) +
                sum(nz, e.Za + nz * i, d + 24) + e.Js[i] * d[24 + nz];
    // central difference: h²/6 of a third derivative of some tens from products of three frames'
    // and a hundred from quintics of nodes' motions (60/L³ SLOW³ and 6·10/L² SLOW²), and rounding
    MW_NEAR((gp[i] - gm[i]) / (2 * h), dg, 100.0 * h * h + 50 * 2.2e-16 / h);
  }
  mw_arena_free(&mem);
}

static void rows_of_slides_have_the_derivatives_of_their_gaps(void)
{
  unsigned long long seed = 11;
  for (int k = 0; k < N_VARIANT; k++) {
    mw_fixture f;
    if (!MW_CHECK(build(&variants[k], &f))) continue;
    for (int trial = 0; trial < 5; trial++) differences(&f, &seed);
    mw_fixture_free(&f);
  }
}

// (1) of the contact at σ = s + offset with the section offset C, along n
static double gap(const mw_fixture *f, const state *x, double offset, const double C[3],
                  const double o_b0[3], const double n[3])
{
  const mw_guide *g = f->mech.joint[SLIDE].guide;
  double s0 = f->mech.s0[f->mech.joint[SLIDE].coord], a[3], b[3], xa[3], xb[3], w[3], d[3];
  for (int i = 0; i < 3; i++) {
    a[i] = g->X0[i] + g->t[i] * (x->s + offset) + C[i];
    b[i] = g->X0[i] + g->t[i] * (s0 + offset) + C[i] - o_b0[i];
  }
  mw_mul33v(x->p + 3, a, xa);
  mw_mul33v(x->p + 15, b, xb);
  mw_mul33v(x->p + 3, n, w);
  for (int i = 0; i < 3; i++) d[i] = x->p[12 + i] + xb[i] - x->p[i] - xa[i];
  return mw_dot3(w, d);
}

static void check_straight(const variant *v, const mw_fixture *f, const state *x,
                           const mw_joint_eval *e)
{
  static const int pairs[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
  const mw_guide *g = f->mech.joint[SLIDE].guide;
  const double *dir[3] = { g->t, g->n1, g->n2 }, zero[3] = { 0.0, 0.0, 0.0 };
  // coordinates of size one, some twenty products and sums each
  const double tol = 40 * 2.2e-16;
  // row 0 is of the frame, or where the slider meets the line
  const double s0 = f->mech.s0[f->mech.joint[SLIDE].coord];
  double o_b0[3] = { 0.5, -0.2, 0.3 + v->up }, meets[3];
  for (int i = 0; i < 3; i++) meets[i] = g->X0[i] + g->t[i] * s0;
  MW_NEAR(e->g[0], gap(f, x, 0.0, zero, v->tangent ? o_b0 : meets, g->t), tol);
  int row = 1;
  for (int r = 0; r < v->n_runner; r++) {
    double C[3];
    for (int i = 0; i < 3; i++)
      C[i] = g->t[i] * v->shift[r][0] + g->n1[i] * v->shift[r][1] + g->n2[i] * v->shift[r][2];
    for (int k = v->n_dir[r] == 3 ? 2 : 1; k <= (v->n_dir[r] == 1 ? 1 : 2); k++)
      MW_NEAR(e->g[row++], gap(f, x, v->offset[r], C, o_b0, dir[k]), tol);
  }
  for (int k = 0; v->locked && k < 3; k++) {
    double a[3], b[3];
    mw_mul33v(x->p + 3, dir[pairs[k][0]], a);
    mw_mul33v(x->p + 15, dir[pairs[k][1]], b);
    MW_NEAR(e->g[row++], mw_dot3(a, b), tol);
  }
  MW_CHECK(row == f->mech.joint[SLIDE].n_row);
}

static void gaps_on_a_straight_guide_are_those_of_its_geometry(void)
{
  unsigned long long seed = 5;
  for (int k = 0; k < N_VARIANT; k++) {
    mw_fixture f;
    mw_arena mem = { 0 };
    if (!MW_CHECK(build(&variants[k], &f))) continue;
    mw_joint_eval e = mw_joint_eval_init(&f.mech, &mem);
    for (int trial = 0; trial < 3; trial++) {
      state x = start(&f, 0.0, &seed, &mem);
      rows_at(&f, &x, &e);
      check_straight(&variants[k], &f, &x, &e);
      size_t n_Za = (size_t)f.mech.joint[SLIDE].n_row * (size_t)f.mech.body[ARM].n_z;
      double *Za = mw_arena_f64(&mem, n_Za);
      if (!Za) abort();
      memcpy(Za, e.Za, n_Za * sizeof *Za);
      x.z = NULL;  // the same
      rows_at(&f, &x, &e);
      check_straight(&variants[k], &f, &x, &e);
      MW_SAME_BITS(Za, e.Za, n_Za);
    }
    mw_arena_free(&mem);
    mw_fixture_free(&f);
  }
}

// The rate of row i as the interface sees a turn w of the arm: (1) with u = w × Y; rows of
// orientation where they are tangent
static double turned(const variant *v, const mw_fixture *f, const state *x, int i, const double *w)
{
  static const int pairs[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
  const mw_guide *g = f->mech.joint[SLIDE].guide;
  const double *dir[3] = { g->t, g->n1, g->n2 };
  double Y[3], d[3];
  int row = 1;
  for (int k = 0; k < 3; k++) Y[k] = g->X0[k] + g->t[k] * x->s;
  mw_cross3(w, Y, d);
  if (i == 0) return -mw_dot3(g->t, d);
  for (int r = 0; r < v->n_runner; r++)
    for (int k = v->n_dir[r] == 3 ? 2 : 1; k <= (v->n_dir[r] == 1 ? 1 : 2); k++) {
      const double *C = v->shift[r];
      for (int l = 0; l < 3; l++)
        Y[l] =
            g->X0[l] + g->t[l] * (x->s + v->offset[r] + C[0]) + g->n1[l] * C[1] + g->n2[l] * C[2];
      mw_cross3(w, Y, d);
      if (i == row++) return -mw_dot3(dir[k], d);
    }
  double a[3], b[3];
  mw_cross3(w, dir[pairs[i - row][0]], d);
  mw_mul33v(x->p + 3, d, a);
  mw_mul33v(x->p + 15, dir[pairs[i - row][1]], b);
  return v->tangent ? mw_dot3(a, b) : 0.0;
}

// (2) for the motion r (c, w)
static void check_rigid(const variant *v, const mw_fixture *f, const state *x,
                        const mw_joint_eval *e, const double r[6], mw_arena *mem)
{
  const mw_body *arm = &f->mech.body[ARM];
  size_t nu = (size_t)arm->n_u;
  double *u = mw_arena_f64(mem, nu), *z = mw_arena_f64(mem, (size_t)arm->n_z);
  const double *w = r + 3;
  const double frame[12] = {
    r[0], r[1], r[2], 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0
  };
  if (!u || !z) abort();
  for (size_t i = 0; i < nu; i++) u[i] = sum(6, arm->R + 6 * i, r);
  mw_csc_mul(&arm->P, 1.0, u, 0.0, z);
  for (int i = 0; i < f->mech.joint[SLIDE].n_row; i++) {
    // sums of n_z products of weights of size one (10 for slopes over an element of 0.1 m, times
    // its length) and motions of size two, which are rounded themselves
    const double tol = (arm->n_z + 40) * 2 * 2.2e-16;
    double seen = sum(arm->n_z, e->Za + arm->n_z * i, z);
    MW_NEAR(seen + mw_dot3(e->Ra + 3 * i, w), sum(12, e->Ja + 12 * i, frame), tol);
    if (mw_norm3(r) == 0.0) MW_NEAR(seen, turned(v, f, x, i, w), tol);
  }
}

static void rigid_motions_of_the_guide_act_as_those_of_its_frame(void)
{
  unsigned long long seed = 3;
  for (int k = 0; k < N_VARIANT; k++) {
    mw_fixture f;
    mw_arena mem = { 0 };
    if (!MW_CHECK(build(&variants[k], &f))) continue;
    mw_joint_eval e = mw_joint_eval_init(&f.mech, &mem);
    for (int trial = 0; trial < 3; trial++) {
      double r[6];
      state x = start(&f, 0.0, &seed, &mem);
      for (int i = 0; i < 6; i++) r[i] = i < 3 && trial == 0 ? 0.0 : uniform(&seed);
      rows_at(&f, &x, &e);
      check_rigid(&variants[k], &f, &x, &e, r, &mem);
    }
    mw_arena_free(&mem);
    mw_fixture_free(&f);
  }
}

// A runner of 0.1 m on a guide of 1 m: its middle stands from 0.05 to 0.95 m.
static void runners_leave_rigid_guides_by_half_their_length(void)
{
  static const char *text =
      "modeway: 1\n"
      "bodies:\n"
      "  rail: { ground: true, guides: { g: { points: [[0, 0, 0], [1, 0, 0]] } } }\n"
      "  car: { at: [0.5, 0, 0], rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { slide: { guide: rail.g, on: car, runners: [ { length: 0.1 } ] } }\n";
  static const struct {
    double s;
    bool on;
  } place[] = { { 0.049, false }, { 0.05, true }, { 0.051, true },
                { 0.949, true },  { 0.95, true }, { 0.951, false } };
  mw_fixture f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  const mw_joint *j = &f.mech.joint[0];
  mw_joint_eval e = mw_joint_eval_init(&f.mech, &mem);
  for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
    mw_code rc = mw_joint_eval_at(&f.mech, 0, f.mech.p0 + 12 * j->a, NULL, f.mech.p0 + 12 * j->b,
                                  NULL, place[k].s, &e, &err);
    MW_CHECK(rc == (place[k].on ? MW_OK : MW_ERR_RANGE));
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "runners_leave_rigid_guides_by_half_their_length",
      runners_leave_rigid_guides_by_half_their_length },
    { "rows_of_slides_have_the_derivatives_of_their_gaps",
      rows_of_slides_have_the_derivatives_of_their_gaps },
    { "gaps_on_a_straight_guide_are_those_of_its_geometry",
      gaps_on_a_straight_guide_are_those_of_its_geometry },
    { "rigid_motions_of_the_guide_act_as_those_of_its_frame",
      rigid_motions_of_the_guide_act_as_those_of_its_frame },
  };
  return mw_test_run("slide", cases, (int)(sizeof cases / sizeof *cases));
}
