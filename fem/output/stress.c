// SPDX-License-Identifier: BSD-3-Clause
// stress.c: stress at a point of an elastic body, body axes, Pa.
//
//   dev σ : dev σ = ⅓ ((σ_xx − σ_yy)² + (σ_yy − σ_zz)² + (σ_zz − σ_xx)²)
//               + 2 (σ_xy² + σ_yz² + σ_zx²)
//   σ_v = √(3/2 dev σ : dev σ)
#include <math.h>

#include "fem/output.h"

static double equivalent(const double s[6])
{
  double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  double normal = (xy * xy + yz * yz + zx * zx) / 3.0;
  double shear = 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  return sqrt(1.5 * (normal + shear));
}

extern const mw_output_class mw_output_stress;
const mw_output_class mw_output_stress = {
  .width = 6,
  .axis = { "xx", "yy", "zz", "xy", "yz", "zx" },
  .n_part = 1,
  .part = { { "", "Pa", 0, 6 } },
  .doc = "stress at points, body axes",
  .gauge = true,
  .equivalent = equivalent,
};
