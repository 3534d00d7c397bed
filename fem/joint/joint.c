// SPDX-License-Identifier: BSD-3-Clause
// joint.c: the table of joint classes.
#include "fem/joint.h"

#include <math.h>

#include "base/vec3.h"

#define DECLARE(KIND, name, what) extern const mw_joint_class mw_joint_##name;
MW_JOINT_LIST(DECLARE)
DECLARE(SPRING, spring, "")

#define ROW(KIND, name, what) [MW_JOINT_##KIND] = &mw_joint_##name,
const mw_joint_class *const mw_joint_classes[] = { MW_JOINT_LIST(ROW) ROW(SPRING, spring, "") };
_Static_assert(sizeof mw_joint_classes / sizeof *mw_joint_classes == MW_JOINT_KINDS,
               "a class for each kind of joint");

const char *mw_joint_key(mw_joint_kind kind)
{
#define KEY(KIND, name, what) [MW_JOINT_##KIND] = #name,
  static const char *const keys[] = { MW_JOINT_LIST(KEY) KEY(SPRING, spring, "") };
  _Static_assert(sizeof keys / sizeof *keys == MW_JOINT_KINDS, "a key for each kind of joint");
  return keys[kind];
}

double mw_joint_gap_point(const mw_joint *j, const double d[3])
{
  (void)j;
  return mw_norm3(d);
}

double mw_joint_gap_axis(const mw_joint *j, const double d[3])
{
  (void)j;
  return hypot(d[0], d[1]);
}
