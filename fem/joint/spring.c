// SPDX-License-Identifier: BSD-3-Clause
// spring.c: a bushing: stiffness and damping along and about the axes of a.
//
//   g_i = A_i(a)·(x_b − x_a) ,  then the turn φ_i of b against a; those with a stiffness or a
//                               damper
//   V = ½ Σ k_i g_i² ,  reaction λ_i = k_i g_i + c_i ġ_i ,   zero in the reference configuration
// What φ is follows from the stiffness against turns (turn.c); it is the angle in any turn about
// one axis of a, so that the moment is k φ there:
//   against all three   the rotation vector of b against a, components along A_1 A_2 A_3
//   against two         the tilt of the third axis: b may turn about its own third axis as often as
//                       it likes
//   against one         the twist about it, beside any tilt
// A damper where there is no stiffness takes the rate of turn about that axis of a.
#include <math.h>

#include "mech/mech_layer.h"

// Measure of the turn about axis i.
static void add_turn(const mw_joint *j, int i, mw_row *r)
{
  const double *k = j->in->stiffness + 3;
  int n = (k[0] > 0.0) + (k[1] > 0.0) + (k[2] > 0.0);
  int loose = k[0] <= 0.0 ? 0 : k[1] <= 0.0 ? 1 : 2;  // of TILT
  if (k[i] <= 0.0)
    r->kind = MW_ROW_SPIN;
  else if (n == 1)
    r->kind = MW_ROW_TWIST;
  else if (n == 3)
    r->kind = MW_ROW_TURN;
  else
    r->kind = MW_ROW_TILT;
  r->i = i;
  r->j = loose;
}

static void rows(const mw_joint *j, mw_row_list *l)
{
  for (int i = 0; i < 6; i++) {
    if (j->in->stiffness[i] <= 0.0 && j->in->damping[i] <= 0.0) continue;
    mw_row *r = mw_row_add(l, j, MW_ROW_ALONG, i, 0);
    if (i >= 3) add_turn(j, i - 3, r);
    r->k = j->in->stiffness[i];
    r->d = j->in->damping[i];
  }
}

mw_code mw_joint_check_turn(const mw_joint *j, double t, const double *before, const double *g,
                            mw_error *err)
{
  static const double HALF = 3.14159265358979324;
  double sum = 0.0, jump = 0.0;
  if (j->in->kind != MW_JOINT_SPRING) return MW_OK;
  for (int i = 0; i < j->n_list; i++) {
    if (j->list[i].kind < MW_ROW_TURN) continue;
    sum += g[i] * g[i];
    if (before) jump = fmax(jump, fabs(g[i] - before[i]));
  }
  if (sum <= MW_TURN_MOST * MW_TURN_MOST && jump <= HALF) return MW_OK;
  return mw_fail(
      err, MW_ERR_RANGE, j->in->at,
      "at t = %.6g s spring %.64s is turned by %.3g rad, expected less than %g: its moment "
      "has no direction at half a turn",
      t, j->name, jump > HALF ? HALF : sqrt(sum), MW_TURN_MOST);
}

const mw_joint_class mw_joint_spring = {
  .draw = MW_DRAW_LINK,
  .rows = rows,
  .gap = mw_joint_gap_point,
};
