// SPDX-License-Identifier: BSD-3-Clause
// test_joint_places.c: what joints keep of the configuration in which bodies are described.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/mech.h"
#include "fem/rigid.h"
#include "fixture.h"
#include "mw_test.h"

static const double TWO_PI = 6.283185307179586477;

// R := exp(angle n) R, n of any length (Rodrigues)
static void turn(const double n[3], double angle, double R[9])
{
  double l = mw_norm3(n), s = sin(angle) / l, c = (1.0 - cos(angle)) / (l * l), old[9], T[9], XX[9];
  const double X[9] = { 0.0, -n[2], n[1], n[2], 0.0, -n[0], -n[1], n[0], 0.0 };
  memcpy(old, R, sizeof old);
  mw_mul33(X, X, XX);
  for (int i = 0; i < 9; i++) T[i] = (i % 4 == 0) + s * X[i] + c * XX[i];
  mw_mul33(T, old, R);
}

// Two bodies at one place, joined by j, both turned out of the axes of the ground
static bool pair(const char *joints, mw_fixture *f)
{
  static const double askew[3] = { 0.4, -0.7, 0.2 };
  char text[1024];
  snprintf(text, sizeof text,
           "modeway: 1\nbodies:\n"
           "  a: { at: [0.3, 0, 0.1], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
           "  b: { at: [0.3, 0, 0.1], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
           "%s\n",
           joints);
  if (!MW_CHECK(mw_fixture_text(text, f))) return false;
  for (int b = 0; b < 2; b++) turn(askew, 1.1, f->model.body[f->mech.joint[0].a + b].axes);
  return true;
}

static bool build(mw_fixture *f)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_mech_build(&f->model, f->body, &f->mem, &f->mech, &err));
}

// By how much a number of the joint grows where b is described turned by `angle` about an axis, of
// a or of b
static double growth(mw_fixture *f, const double axis[3], bool of_b, double angle, bool is_screw)
{
  double before, n[3], *R = f->model.body[f->mech.joint[0].b].axes;
  if (!build(f)) return NAN;
  const mw_joint *j = f->mech.joint;
  before = is_screw ? j->gap[1] : j->phi0;
  mw_mul33v(of_b ? R : f->model.body[j->a].axes, axis, n);
  turn(n, angle, R);
  if (!build(f)) return NAN;
  j = f->mech.joint;
  return (is_screw ? j->gap[1] : j->phi0) - before;
}

// Some dozens of products of numbers of size one
static const double ROUNDING = 64.0 * DBL_EPSILON;

static const char
    UNIVERSAL[] = "joints: { j: { universal: { a: a, b: b, axis: [0.2, 0.5, 1],\n"
                  "  axis_b: [1, 0, -0.2] }, coordinate: s } }",
    SCREW[] = "joints: { j: { screw: { a: a, b: b, axis: [0.2, 0.5, 1], axis_b: [0.2, 0.5, 1],\n"
              "  zero: [1, 0, -0.2], zero_b: [1, 0, -0.2], pitch: 4 }, coordinate: s } }";

static void reference_angles_are_those_that_bodies_are_turned_by(void)
{
  static const double axis[3] = { 0.2, 0.5, 1.0 }, axis_b[3] = { 1.0, 0.0, -0.2 };
  const double angle = 0.3, pitch = 4.0;
  for (int i = 0; i < 3; i++) {
    mw_fixture f;
    if (!pair(i == 2 ? SCREW : UNIVERSAL, &f)) continue;
    if (i == 1) f.model.joint[0].measure = MW_MEASURE_SECOND;
    double is = growth(&f, i == 1 ? axis_b : axis, i == 1, angle, i == 2);
    MW_NEAR(is, i == 2 ? -pitch * angle / TWO_PI : angle, ROUNDING);
    mw_fixture_free(&f);
  }
}

// On a machine of a tenth of a millimetre, the line of centres along none of the axes
static void wheels_of_any_size_keep_the_distance_of_their_centres(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(
          "modeway: 1\nbodies:\n"
          "  a: { at: [0, 0, 0], rigid: { mass: 1e-9, inertia: [1e-18, 1e-18, 1e-18, 0, 0, 0] } }\n"
          "  b: { at: [0, 6e-5, 8e-5],\n"
          "       rigid: { mass: 1e-9, inertia: [1e-18, 1e-18, 1e-18, 0, 0, 0] } }\n"
          "  hub: { at: [0, 6e-5, 8e-5], ground: true, rigid: { mass: 0 } }\n"
          "joints:\n"
          "  x: { revolute: { a: ground, b: a, axis: [1, 0, 0] }, coordinate: x }\n"
          "  y: { revolute: { a: hub, b: b, axis: [1, 0, 0] }, coordinate: y }\n"
          "  m: { wheels: { a: a, b: b, axis: [1, 0, 0], teeth: [20, 30] } }\n",
          &f)))
    return;
  for (int i = 0; i < 3; i++) {
    if (i > 0) {
      turn((double[3]){ 1, 0, 0 }, 0.5, f.model.body[f.mech.joint[2].a].axes);
      if (!build(&f)) break;
    }
    MW_NEAR(f.mech.joint[2].gap[0] / 1e-4, 1.0, ROUNDING);
  }
  mw_fixture_free(&f);
}

// Gaps where bodies are described, the first one moved by `up` along z, and their rates for u,
// [n_row] each, and the coordinates s; how many rows there are, or 0.
static int rows_of(const char *text, const double *u, double up, double g[64], double gd[64],
                   double s[64])
{
  mw_fixture f;
  mw_rigid *r = NULL;
  mw_rigid_work *w = NULL;
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  double q[64] = { 0.0 };
  int rows = 0;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return 0;
  if (MW_OKAY(mw_rigid_build(&f.mech, &opt, &r, &err)) &&
      MW_OKAY(mw_rigid_work_build(r, &w, &err))) {
    mw_rigid_size n = mw_rigid_sizes(r);
    if (MW_CHECK(n.n_q <= 64 && n.n_row <= 64)) {
      mw_rigid_from_frames(r, f.mech.p0, q);
      mw_rigid_accept(r, w, q);
      q[2] += up;
      mw_rigid_rows(r, w, 0.0, q, u, g, gd, NULL, NULL);
      mw_rigid_coords(r, w, q, NULL, s, NULL);
      rows = n.n_row;
    }
  }
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  mw_fixture_free(&f);
  return rows;
}

// A coordinate that is not zero where bodies are described: 2 m along a guide. A car that moves by
// 1 m/s and a disk that turns by 2 rad/s are apart by 2 − 5·1 there.
static void gears_mesh_in_the_reference_configuration(void)
{
  static const double u[64] = { [0] = 1.0, [6] = 1.0, [6 + 4] = 2.0 };
  double g[64], gd[64], at[64], apart = 0.0;
  int rows =
      rows_of("modeway: 1\nbodies:\n"
              "  rail: { ground: true, rigid: { mass: 0 },\n"
              "          guides: { g: { points: [[-2, 0, 0], [3, 0, 0]] } } }\n"
              "  car: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
              "  disk: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
              "joints:\n"
              "  x: { slide: { guide: rail.g, on: car, orientation: fixed }, coordinate: x }\n"
              "  y: { revolute: { a: car, b: disk, axis: [0, 1, 0] }, coordinate: y }\n"
              "  z: { gear: { first: x, second: y, ratio: 5 } }\n",
              u, 0.0, g, gd, at);
  MW_CHECK(rows == 11);
  for (int i = 0; i < rows; i++) {
    MW_WITHIN(g[i], 0.0, ROUNDING, "of places of 3 m; numbers that are exact leave none");
    apart += fabs(gd[i]);
  }
  MW_NEAR(apart, 3.0, ROUNDING);
}

static const double none[64] = { 0.0 };

// The coordinate's value in the reference configuration is no travel of the nut, nor are whole
// turns, which rows do not count.
static void screws_mesh_wherever_their_angle_begins(void)
{
  double g[64], gd[64], at[64];
  for (int turns = 0; turns < 4; turns++) {
    int rows =
        rows_of("modeway: 1\nbodies:\n"
                "  nut: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
                "joints:\n"
                "  j: { screw: { a: ground, b: nut, axis: [0, 0, 1], pitch: 0.4 }, coordinate: s,\n"
                "       start: 0.9 }\n",
                none, 0.4 * turns, g, gd, at);
    MW_CHECK(rows == 5);
    for (int i = 0; i < rows; i++)
      MW_WITHIN(g[i], 0.0, ROUNDING, "of places of 2 m; numbers that are exact leave none");
  }
}

static void travel_of_a_screw_is_its_start_where_bodies_are_described(void)
{
  double g[64], gd[64], at[64] = { 0.0 };
  int rows =
      rows_of("modeway: 1\nbodies:\n"
              "  nut: { at: [0, 0, 0.3], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
              "joints:\n"
              "  j: { screw: { a: ground, b: nut, axis: [0, 0, 1], pitch: 0.4 }, coordinate: s,\n"
              "       measure: travel, start: 0.25 }\n",
              none, 0.0, g, gd, at);
  MW_CHECK(rows == 5);
  MW_NEAR(at[0], 0.25, ROUNDING);
}

// Of any pitch radius, one metre, too; with a helix, what is beside the rack counts.
static void racks_mesh_wherever_their_pinion_stands(void)
{
  static const char *const radius[] = { "1", "0.7" };
  for (int i = 0; i < 2; i++) {
    char text[1024];
    double g[64], gd[64], at[64];
    snprintf(text, sizeof text,
             "modeway: 1\nbodies:\n"
             "  a: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
             "  b: { at: [0.01, 0.0137, %s], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
             "joints:\n"
             "  j: { rack: { a: a, b: b, axis: [1, 0, 0], along: [0, 1, 0], helix: 0.3 } }\n",
             radius[i]);
    int rows = rows_of(text, none, 0.0, g, gd, at);
    MW_CHECK(rows == 1);
    MW_WITHIN(g[0], 0.0, ROUNDING, "of places of a metre; numbers that are exact leave none");
  }
}

// Which turns of a bushing are measured how depends on which stiffnesses it has, not on their size;
// a damper without one takes the rate of turn.
static void soft_bushings_measure_turns_as_stiff_ones(void)
{
  for (int which = 1; which < 8; which++) {
    mw_fixture f;
    mw_row list[2][6];
    int n[2];
    if (!pair("springs: { s: { a: a, b: b, stiffness: [9, 9, 9, 9, 9, 9] } }", &f)) continue;
    for (int soft = 0; soft < 2; soft++) {
      for (int i = 0; i < 3; i++)
        f.model.joint[0].stiffness[3 + i] = which >> i & 1 ? (soft ? 0.25 : 4.0) : 0.0;
      for (int i = 0; i < 3; i++) f.model.joint[0].damping[3 + i] = 1.0;
      if (!build(&f)) break;
      n[soft] = f.mech.joint[0].n_list;
      for (int i = 0; i < n[soft] && i < 6; i++) list[soft][i] = f.mech.joint[0].list[i];
    }
    for (int i = 0; i < 3 && n[0] == 6; i++) {
      const mw_row *row = &list[0][3 + i];
      MW_CHECK((row->kind == MW_ROW_SPIN) == !(which >> i & 1));
      MW_CHECK(row->kind != MW_ROW_TILT || !(which >> row->j & 1));  // of the axis that is free
    }
    if (MW_CHECK(n[0] == 6 && n[1] == 6))
      for (int i = 0; i < n[0]; i++)
        MW_CHECK(list[0][i].kind == list[1][i].kind && list[0][i].i == list[1][i].i &&
                 list[0][i].j == list[1][i].j);
    mw_fixture_free(&f);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "reference_angles_are_those_that_bodies_are_turned_by",
      reference_angles_are_those_that_bodies_are_turned_by },
    { "wheels_of_any_size_keep_the_distance_of_their_centres",
      wheels_of_any_size_keep_the_distance_of_their_centres },
    { "gears_mesh_in_the_reference_configuration", gears_mesh_in_the_reference_configuration },
    { "screws_mesh_wherever_their_angle_begins", screws_mesh_wherever_their_angle_begins },
    { "travel_of_a_screw_is_its_start_where_bodies_are_described",
      travel_of_a_screw_is_its_start_where_bodies_are_described },
    { "racks_mesh_wherever_their_pinion_stands", racks_mesh_wherever_their_pinion_stands },
    { "soft_bushings_measure_turns_as_stiff_ones", soft_bushings_measure_turns_as_stiff_ones },
  };
  return mw_test_run("joint_places", cases, (int)(sizeof cases / sizeof *cases));
}
