// SPDX-License-Identifier: BSD-3-Clause
// position.c: position of a point in ground axes, m.
#include "fem/output.h"

extern const mw_output_class mw_output_position;
const mw_output_class mw_output_position = {
  .width = 3,
  .axis = { "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "m", 0, 3 } },
  .doc = "positions of the outputs in ground axes",
};
