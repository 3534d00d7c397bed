// SPDX-License-Identifier: BSD-3-Clause
// strain.c: strain at a point of an elastic body, body axes; engineering shear, twice the tensor's
// component.
//
//   dev ε : dev ε = ⅓ ((ε_xx − ε_yy)² + …) + ½ (γ_xy² + γ_yz² + γ_zx²)
//   ε_v = √(2/3 dev ε : dev ε)
#include <math.h>

#include "fem/output.h"

static double equivalent(const double s[6])
{
  double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  double normal = (xy * xy + yz * yz + zx * zx) / 3.0;
  double shear = 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  return sqrt(2.0 / 3.0 * (normal + 0.25 * shear));
}

extern const mw_output_class mw_output_strain;
const mw_output_class mw_output_strain = {
  .width = 6,
  .axis = { "xx", "yy", "zz", "xy", "yz", "zx" },
  .n_part = 1,
  .part = { { "", "1", 0, 6 } },
  .doc = "strain at points, body axes, engineering shear",
  .gauge = true,
  .equivalent = equivalent,
};
