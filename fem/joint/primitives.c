// SPDX-License-Identifier: BSD-3-Clause
// primitives.c: a joint of the user's own, made of rows that its `hold` names.
//
//   x y z         A_i(a)·d ,  d = x_b − x_a                                            in m
//   xy xz … zy    A_i(a)·A_j(b)                                                        without unit
// A1 A2 A3 (x y z): axes of b that agree with those of a in the reference configuration. xy or yx
// hold the turn about A3, xz or zx that about A2, yz or zy that about A1, to first order; two rows
// with a letter in common keep this axis of both bodies together, three all of them.
//   J, γ as in prismatic.c and revolute.c
//   coordinate: the travel along A3, or the angle from A1(a) to A1(b) about A3 (coord.c)
#include <math.h>

#include "keys/key_layer.h"
#include "mech/mech_layer.h"

static void rows(const mw_joint *j, mw_row_list *l)
{
  for (int i = 0; i < 3; i++)
    if (j->in->hold & MW_HOLD_ALONG(i)) mw_row_add(l, j, MW_ROW_ALONG, i, 0);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      if (i != k && j->in->hold & MW_HOLD_AXES(i, k)) mw_row_add(l, j, MW_ROW_AXES, i, k);
}

static double gap(const mw_joint *j, const double d[3])
{
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    if (j->in->hold & MW_HOLD_ALONG(i)) sum += d[i] * d[i];
  return sqrt(sum);
}

const mw_key mw_joint_primitives_keys[] = {
  PAIR,
  { "z", 0, AXIS_VECTOR, "[0, 0, 1]", "axis of its coordinate, in the axes of a's body" },
  { "x", 0, VECTOR(""), "[1, 0, 0]", "direction across z, in the axes of a's body; y = z x x" },
  { "hold", REQUIRED, LIST(1, 6, WORDS(MW_HOLD_WORDS)), NULL,
    "rows: x y z keep the points together along an axis; xy keeps axis x of a across axis y of b, "
    "which holds the turn about z, and so on" },
  { .name = NULL },
};

const mw_joint_class mw_joint_primitives = {
  .measure = { MW_MEASURE_TRAVEL, MW_MEASURE_ANGLE },
  .rows = rows,
  .gap = gap,
};
