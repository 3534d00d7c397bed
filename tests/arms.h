// SPDX-License-Identifier: BSD-3-Clause
// arms.h: machines that turn, small and coarse, whose rigid motion has a closed form.
#ifndef MW_TESTS_ARMS_H
#define MW_TESTS_ARMS_H

#include "fixture.h"

typedef enum arm_kind {
  ARM_TWO_LINK,      // q1, q2; links of 0.4 and 0.35 m
  ARM_POLAR,         // phi, cyclic, and r: a carriage on an arm that turns, gravity
  ARM_SLIDER_CRANK,  // phi, cyclic: crank of 0.15, rod of 0.3 m, a closed loop
  ARM_SCARA,         // q1, q2, z: links of 0.4 and 0.35 m, a quill
  N_ARM
} arm_kind;

// The machine; extra: more YAML lines of its section reduction. False after printing what went
// wrong.
bool arm_open(arm_kind kind, const char *extra, mw_fixture *out);
const char *arm_name(arm_kind kind);
// Position x (m) of the first output at rest, unloaded, at theta; D [3 × s] its derivatives (NULL:
// not wanted).
void arm_tool(arm_kind kind, const double *theta, double x[3], double *D);

#endif
