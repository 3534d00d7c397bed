// SPDX-License-Identifier: BSD-3-Clause
// angular_velocity.c: angular velocity of a frame, ground axes, rad/s.
//
//   e_x, e_y as orientation.c has them:   Σ (|e|² 1 − e eᵀ) ω = Σ e × ė                (1)
// ω is that of the rigid turn that is nearest to the rates of both.
#include "base/vec3.h"
#include "fem/output.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  int row = mw_output_row(x->m->model, o->of);
  const double *p = x->y + row, *v = x->y_dot + row;
  double A[9] = { 0.0 }, b[3] = { 0.0, 0.0, 0.0 }, minor[9];
  (void)before;
  for (int k = 1; k < MW_ORIENTATION_POINTS; k++) {
    double e[3], e_dot[3], c[3];
    for (int i = 0; i < 3; i++) {
      e[i] = p[3 * k + i] - p[i];
      e_dot[i] = v[3 * k + i] - v[i];
    }
    mw_cross3(e, e_dot, c);
    for (int i = 0; i < 3; i++) {
      b[i] += c[i];
      for (int j = 0; j < 3; j++) A[3 * i + j] += (i == j ? mw_dot3(e, e) : 0.0) - e[i] * e[j];
    }
  }
  // A⁻¹ by its minors: A is symmetric
  for (int i = 0; i < 3; i++)
    mw_cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), minor + 3 * i);
  double det = mw_dot3(A, minor);
  for (int i = 0; i < 3; i++) y[i] = mw_dot3(minor + 3 * i, b) / det;
}

extern const mw_output_class mw_output_angular_velocity;
const mw_output_class mw_output_angular_velocity = {
  .width = 3,
  .axis = { "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "rad/s", 0, 3 } },
  .doc = "angular velocities of frames, ground axes",
  .of = MW_OF_ORIENTATION,
  .needs = MW_SEES_RATE,
  .see = see,
  .not_exported = "the rates of its orientation's three points are there",
};
