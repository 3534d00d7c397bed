// SPDX-License-Identifier: BSD-3-Clause
// test_guide_paths.c: sliders on guides of elastic bodies that move: one meaning in every path.
//
// The axes in which a slide is read are those of the guide's body: of an elastic one its mean axes,
// RᵀM u = 0. The DAE holds them as unknowns of its own, the reduced paths as rows over the absolute
// displacement (mw_joint_eval.Ra); the two must agree wherever a row turns with these axes.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"

enum { TEXT = 4096 };

// A slender arm held at its hub; a car on it, its frame `up` metres over the guide's line.
typedef struct variant {
  const char *name, *slide;
  double up;
} variant;

static const variant variants[] = {
  { "orientation fixed, one runner", "orientation: fixed, runners: [ { offset: 0 } ]", 0.0 },
  { "orientation fixed, two runners",
    "orientation: fixed, runners: [ { offset: -0.05 }, { offset: 0.05 } ]", 0.0 },
  { "high frame, two runners with orientation fixed",
    "orientation: fixed, runners: [ { offset: -0.05 }, { offset: 0.05 } ]", 0.15 },
  { "high frame, four bearings",
    "runners: [ { offset: -0.05, shift: [0, 0, 0.04], stiffness: 2e7 }, "
    "{ offset: 0.05, shift: [0, 0, 0.04], stiffness: 2e7 }, "
    "{ offset: -0.05, shift: [0, 0, -0.04], stiffness: 2e7 }, "
    "{ offset: 0.05, shift: [0, 0, -0.04], stiffness: 2e7 } ]",
    0.15 },
  { "tangent", "orientation: tangent", 0.0 },
  { "high frame, tangent, two bearings",
    "orientation: tangent, runners: [ { offset: -0.05, stiffness: 5e6 }, { offset: 0.05, "
    "stiffness: 5e6 } ]",
    0.15 },
};
enum { N_VARIANT = sizeof variants / sizeof *variants };

static bool build(const variant *v, const char *push, mw_fixture *f)
{
  static const char *const format =
      "modeway: 1\n"
      "name: car on an arm\n"
      "gravity: [0, 0, -0.01]\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { arm: { rectangle: { width: 0.03, height: 0.04 } } }\n"
      "bodies:\n"
      "  arm:\n"
      "    at: [0, 0, 0]\n"
      "    beams:\n"
      "      points: { hub: [0, 0, 0], end: [1, 0, 0] }\n"
      "      members: [ { from: hub, to: end, section: arm, material: alu, elements: 10 } ]\n"
      "    guides: { rail: { from: hub, to: end } }\n"
      "    frames: { hub: { node: hub }, end: { node: end } }\n"
      "  car:\n"
      "    at: [0.4, 0, %.17g]\n"
      "    rigid: { mass: 2, com: [0, 0, 0], inertia: [5e-3, 5e-3, 5e-3, 0, 0, 0] }\n"
      "joints:\n"
      "  turn: { fixed: { a: ground, b: arm.hub } }\n"
      "  r: { slide: { guide: arm.rail, on: car, %s }, drive: mr }\n"
      "drives: { push: { force: { on: car, direction: [%s] } } }\n"
      "outputs: { car: { body: car, point: [0, 0, 0] }, end: { frame: arm.end } }\n"
      "reduction: { coordinates: { r: [0.3, 0.7] }, modes: { count: 4 } }\n"
      "scenarios:\n"
      "  up: { duration: 1e-4, step: 1e-4, start: { r: 0.4 }, initial: static, drives: { mr: { "
      "position: 0.4 }, push: { force: 50 } } }\n"
      "  down: { duration: 1e-4, step: 1e-4, start: { r: 0.4 }, initial: static, drives: { mr: { "
      "position: 0.4 }, push: { force: -50 } } }\n"
      "  move: { duration: 0.3, step: 2e-4, store: 1e-3, start: { r: 0.4 }, drives: { mr: { "
      "position: { cycloid: { from: 0.4, to: 0.6, end: 0.1 } } }, push: { force: { sine: { "
      "amplitude: 50, frequency: 40 } } } } }\n";
  char text[TEXT];
  int n = snprintf(text, sizeof text, format, v->up, v->slide, push);
  return n > 0 && n < TEXT && mw_fixture_text(text, f);
}

// How far the car gives way along `axis` to a unit force there: half the difference of two static
// starts.
static double give(const mw_mech *m, const mw_scenario *up, const mw_scenario *down, int axis)
{
  const mw_scenario *sc[2] = { up, down };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  double y[2] = { NAN, NAN };
  for (int i = 0; i < 2; i++) {
    mw_run r = { 0 };
    if (MW_OKAY(mw_dae_run(m, sc[i], "full", &opt, NULL, &r, &err))) y[i] = r.y[axis];
    mw_run_free(&r);
  }
  return (y[0] - y[1]) / 100.0;
}

static double body_give(const mw_fixture *f, int axis)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_mech m;
  mw_body body[8];
  double y = NAN;
  bool fine = true;
  for (int b = 0; fine && b < f->model.n_body; b++)
    fine = MW_OKAY(mw_body_basis(&f->body[b], 6, false, &mem, &body[b], NULL, &err));
  if (fine && MW_OKAY(mw_mech_build(&f->model, body, &mem, &m, &err)))
    y = give(&m, &f->model.scenario[0], &f->model.scenario[1], axis);
  mw_arena_free(&mem);
  return y;
}

// displacement of the car's output under the pattern of the push, by the linear system of the
// reduction
static double direct_give(const mw_fixture *f)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_statics s = { 0 };
  double theta = 0.4, y = NAN;
  if (MW_OKAY(mw_direct_statics(&f->model, &f->mech, &theta, &mem, &s, &err)))
    for (int k = 0; k < s.n; k++)
      if (strcmp(s.name[k], "pattern push") == 0) y = s.compliance[k];
  mw_arena_free(&mem);
  return y;
}

// Bounds: a static start ends at corrections of 1e-9 of the machine's size 1 m and converges
// quadratically; halves of differences are free of even powers of the load, the third is of order
// (deflection / length)².
static void statics_are_the_same_in_every_path(void)
{
  static const char *const push[3] = { "1, 0, 0", "0, 1, 0", "0, 0, 1" };
  for (int k = 0; k < N_VARIANT; k++)
    for (int axis = 0; axis < 3; axis++) {
      mw_fixture f;
      if (!MW_CHECK(build(&variants[k], push[axis], &f))) continue;
      double full = give(&f.mech, &f.model.scenario[0], &f.model.scenario[1], axis),
             body = body_give(&f, axis), direct = direct_give(&f);
      printf("%s, axis %d: full %.7e, body %.7e, direct %.7e m/N\n", variants[k].name, axis, full,
             body, direct);
      MW_NEAR(body, full, 1e-5 * full);
      MW_NEAR(direct, full, 1e-5 * full);
      mw_fixture_free(&f);
    }
}

// largest distance of the first output
static double distance(const mw_run *a, const mw_run *b)
{
  double worst = 0.0;
  for (int k = 0; k < a->n_t; k++) {
    double d = 0.0;
    for (int i = 0; i < 3; i++)
      d += pow(a->y[k * 3 * a->n_out + i] - b->y[k * 3 * b->n_out + i], 2.0);
    worst = fmax(worst, sqrt(d));
  }
  return worst;
}

// A car that starts and stops rings its arm for a dozen periods after: frequencies that differ part
// the runs. Halving the step tells what the integrators err by (second order: the whole difference
// bounds both); the reduction holds 1e-3 of frequencies and statics.
static void motions_are_the_same_in_every_path(void)
{
  for (int k = 0; k < N_VARIANT; k++) {
    mw_fixture f;
    mw_error err = { 0 };
    mw_rom_file rom = { 0 };
    mw_run full[2] = { 0 }, gmp = { 0 }, still = { 0 };
    if (!MW_CHECK(build(&variants[k], "0.5, 0.5, 1", &f))) continue;
    const mw_scenario *sc = &f.model.scenario[2];
    mw_dae_opt opt = mw_dae_opt_default();
    bool fine = MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
    for (int i = 0; fine && i < 2; i++) {
      opt.step = i == 0 ? 4e-4 : 2e-4;
      fine = MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &full[i], &err));
    }
    fine = fine &&
           MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, sc, MW_ROM_STEP(2e-4), NULL, &gmp, &err));
    if (fine) {
      double off = distance(&full[1], &gmp), half = distance(&full[0], &full[1]), peak = 0.0;
      for (int i = 0; i < gmp.n_t; i++)
        peak = fmax(peak, hypot(full[1].y[6 * i + 1], full[1].y[6 * i + 2] - full[1].y[2]));
      printf("%s: full against reduced %.1e m, step halved %.1e m, peak %.1e m\n", variants[k].name,
             off, half, peak);
      MW_NEAR(off, 0.0, half + 1e-2 * peak);
    }
    for (int i = 0; i < 2; i++) mw_run_free(&full[i]);
    mw_run_free(&gmp);
    mw_run_free(&still);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// ---- rows and their derivatives ----------------------------------------------------------------

enum { N_Z_MAX = 128, N_ROW_MAX = 16 };

typedef struct place {
  double p[2][12], z[N_Z_MAX], s;
} place;

static double uniform(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return 2.0 * (*seed >> 8) / 16777216.0 - 1.0;
}

// y := x moved by h along d: (ô, Ê) of both bodies, s, z
static void move(const place *x, const double d[25 + N_Z_MAX], int n_z, double h, place *y)
{
  *y = *x;
  for (int b = 0; b < 2; b++) {
    double o[3], E[9];
    mw_mul33v(x->p[b] + 3, d + 12 * b, o);
    mw_mul33(x->p[b] + 3, d + 12 * b + 3, E);
    for (int i = 0; i < 3; i++) y->p[b][i] += h * o[i];
    for (int i = 0; i < 9; i++) y->p[b][3 + i] += h * E[i];
  }
  y->s += h * d[24];
  for (int i = 0; i < n_z; i++) y->z[i] += h * d[25 + i];
}

// the rotation by angle a about axis k, times E
static void turn(int k, double a, double E[9])
{
  int i = (k + 1) % 3, j = (k + 2) % 3;
  double R[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  R[3 * i + i] = R[3 * j + j] = cos(a);
  R[3 * j + i] = sin(a);
  R[3 * i + j] = -sin(a);
  mw_mul33(R, E, E);
}

static void random_place(const mw_fixture *f, const mw_joint *j, int n_z, unsigned *seed, place *x)
{
  *x = (place){ .s = 0.45 + 0.1 * uniform(seed) };
  for (int b = 0; b < 2; b++) {
    memcpy(x->p[b], f->mech.p0 + 12 * (b == 0 ? j->a : j->b), sizeof x->p[b]);
    for (int i = 0; i < 3; i++) x->p[b][i] += 0.1 * uniform(seed);
    for (int k = 0; k < 3; k++) turn(k, uniform(seed), x->p[b] + 3);
  }
  for (int i = 0; i < n_z; i++) x->z[i] = 1e-3 * uniform(seed);
}

// Central differences along random directions: h²/6 of a third derivative, that of the weights
// 60/l³ on data of size 1e-3 and elements of l = 0.1 m, some hundreds; rounding over h.
static void rows_are_derivatives_of_their_gaps(void)
{
  unsigned seed = 11;
  for (int v = 0; v < N_VARIANT; v++) {
    mw_fixture f;
    mw_error err = { 0 };
    if (!MW_CHECK(build(&variants[v], "0, 0, 1", &f))) continue;
    const mw_joint *j = &f.mech.joint[1];
    mw_joint_eval e = mw_joint_eval_init(&f.mech, &f.mem);
    int nz = f.body[j->a].n_z;
    for (int trial = 0; trial < 4 && MW_CHECK(nz <= N_Z_MAX && j->n_row <= N_ROW_MAX); trial++) {
      place x, y;
      double d[25 + N_Z_MAX], g[2][N_ROW_MAX], h = 1e-5;
      random_place(&f, j, nz, &seed, &x);
      for (int i = 0; i < 25 + nz; i++) d[i] = uniform(&seed);
      for (int k = 0; k < 2; k++) {
        move(&x, d, nz, k == 0 ? h : -h, &y);
        MW_OKAY(mw_joint_eval_at(&f.mech, 1, y.p[0], y.z, y.p[1], NULL, y.s, &e, &err));
        memcpy(g[k], e.g, (size_t)j->n_row * sizeof e.g[0]);
      }
      MW_OKAY(mw_joint_eval_at(&f.mech, 1, x.p[0], x.z, x.p[1], NULL, x.s, &e, &err));
      for (int i = 0; i < j->n_row; i++) {
        double dg = e.Js[i] * d[24];
        for (int l = 0; l < 12; l++) dg += e.Ja[12 * i + l] * d[l] + e.Jb[12 * i + l] * d[12 + l];
        for (int l = 0; l < nz; l++) dg += e.Za[i * nz + l] * d[25 + l];
        MW_NEAR((g[0][i] - g[1][i]) / (2.0 * h), dg, 1e3 * h * h + 100.0 * DBL_EPSILON / h);
      }
    }
    mw_fixture_free(&f);
  }
}

// ---- orientation tangent against closed forms --------------------------------------------------

// A clamped-free beam, E I = ρ A = L = 1 in the x-z plane (stiff else), with a rigid block clamped
// to its section, or ("frame") with the block's mass in a frame at the beam's middle.
static bool build_block(const char *how, double s, double mass, double inertia, mw_fixture *f)
{
  static const char *const format =
      "modeway: 1\n"
      "name: block on a beam\n"
      "materials: { unit: { E: 1e8, nu: 0.3, rho: 1 } }\n"
      "sections: { line: { general: { A: 1, Iy: 1e-8, Iz: 1, It: 1 }, shear: false, rotary: false "
      "} }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [0.5, 0, 0], b: [1, 0, 0] }\n"
      "      members:\n"
      "        - { from: a, to: m, section: line, material: unit, elements: 20, up: [0, 0, 1] }\n"
      "        - { from: m, to: b, section: line, material: unit, elements: 20, up: [0, 0, 1] }\n"
      "    supports: [ { nodes: a } ]\n"
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "    frames: { m: { node: m%s } }\n"
      "  block: { at: [%.17g, 0, 0], rigid: { mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, "
      "0] } }\n"
      "joints:\n"
      "  x: { slide: { guide: beam.rail, on: block, orientation: %s }, coordinate: x }\n"
      "outputs: { block: { body: block, point: [0, 0, 0] } }\n"
      "reduction: { coordinates: { x: [0, 1] }, modes: { count: 4 } }\n";
  char text[TEXT], own[256] = "";
  bool frame = strcmp(how, "frame") == 0;
  if (frame)
    snprintf(own, sizeof own, ", mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, 0]", mass,
             inertia, inertia, inertia);
  double m = frame ? 1e-9 : mass, I = frame ? 1e-9 : inertia;
  int n = snprintf(text, sizeof text, format, own, s, m, I, I, I, frame ? "fixed" : how);
  return n > 0 && n < TEXT && mw_fixture_text(text, f);
}

// Determinant of w = A (cos bx − cosh bx) + B (sin bx − sinh bx) with, at x = 1, M = w2 = b⁴ J w1
// and w3 = −b⁴ m w (w1, w2, w3: derivatives)
static double tip_determinant(double b, double m, double J)
{
  double c = cos(b), C = cosh(b), s = sin(b), S = sinh(b), k = b * b * b * b;
  double w[2] = { c - C, s - S }, w1[2] = { b * (-s - S), b * (c - C) },
         w2[2] = { b * b * (-c - C), b * b * (-s - S) },
         w3[2] = { b * b * b * (s - S), b * b * b * (-c - C) };
  double p[2], q[2];
  for (int i = 0; i < 2; i++) {
    p[i] = w2[i] - k * J * w1[i];
    q[i] = w3[i] + k * m * w[i];
  }
  return p[0] * q[1] - p[1] * q[0];
}

// Roots by bisection over steps of 0.01; 40 cubic elements: (b/40)⁴/720 of ω², below 1e-6 for b <
// 6.
static void block_clamped_to_a_tip_has_the_closed_forms_frequencies(void)
{
  const double m = 0.7, J = 0.05, PI = 3.14159265358979323846;
  mw_fixture f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double *hz = NULL, s = 1.0;
  int found = 0;
  if (!MW_CHECK(build_block("tangent", s, m, J, &f))) return;
  MW_OKAY(mw_direct_modes(&f.mech, &s, 3, 0, &mem, &hz, NULL, NULL, &err));
  for (double b = 0.5; hz && found < 3 && b < 12.0; b += 0.01) {
    double lo = b, hi = b + 0.01, at_lo = tip_determinant(lo, m, J);
    if ((at_lo > 0.0) == (tip_determinant(hi, m, J) > 0.0)) continue;
    for (int i = 0; i < 60; i++) {
      double mid = 0.5 * (lo + hi);
      if ((tip_determinant(mid, m, J) > 0.0) == (at_lo > 0.0))
        lo = mid;
      else
        hi = mid;
    }
    MW_NEAR(2.0 * PI * hz[found], lo * lo, 1e-6 * lo * lo);
    found++;
  }
  MW_CHECK(found == 3);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Where a node is, the section under the block is that node's: as if its mass were the frame's. The
// slider of the other model weighs 1e-9 of the block.
static void block_clamped_at_a_node_is_the_nodes_mass(void)
{
  mw_fixture f[2];
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double *hz[2] = { NULL, NULL }, s[2] = { 0.5, 0.3 };
  bool fine = MW_CHECK(build_block("tangent", 0.5, 0.7, 0.05, &f[0]));
  fine = MW_CHECK(build_block("frame", 0.3, 0.7, 0.05, &f[1])) && fine;
  for (int k = 0; fine && k < 2; k++)
    fine = MW_OKAY(mw_direct_modes(&f[k].mech, &s[k], 4, 0, &mem, &hz[k], NULL, NULL, &err));
  for (int i = 0; fine && i < 4; i++) MW_NEAR(hz[0][i], hz[1][i], 1e-7 * hz[0][i]);
  mw_arena_free(&mem);
  mw_fixture_free(&f[0]);
  mw_fixture_free(&f[1]);
}

static void lines_of_meshes_are_refused_by_name(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_mech m;
  if (!MW_CHECK(build(&variants[N_VARIANT - 1], "0, 0, 1", &f))) return;
  f.body[f.mech.joint[1].a].guide[0].rot = false;  // as a line of a mesh has it
  MW_FAILS(mw_mech_build(&f.model, f.body, &f.mem, &m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "tangent") && strstr(err.msg, "'rail'"));
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "statics_are_the_same_in_every_path", statics_are_the_same_in_every_path },
  { "motions_are_the_same_in_every_path", motions_are_the_same_in_every_path },
  { "rows_are_derivatives_of_their_gaps", rows_are_derivatives_of_their_gaps },
  { "block_clamped_to_a_tip_has_the_closed_forms_frequencies",
    block_clamped_to_a_tip_has_the_closed_forms_frequencies },
  { "block_clamped_at_a_node_is_the_nodes_mass", block_clamped_at_a_node_is_the_nodes_mass },
  { "lines_of_meshes_are_refused_by_name", lines_of_meshes_are_refused_by_name },
};

int main(void) { return mw_test_run("guide_paths", cases, (int)(sizeof cases / sizeof *cases)); }
