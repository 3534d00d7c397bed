// SPDX-License-Identifier: BSD-3-Clause
// rigid_radau_table.c: the method Radau IIA of order 5.
//
// E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, 2nd ed. 1996, Table IV.5.6 and
// (IV.8.18) to (IV.8.20). T by elimination of A without exchange of rows;
// tests/sim/test_rigid_radau.c checks both, and the conditions of order.
#include "rigid_radau_priv.h"

const double mw_radau_c[] = { 0.1550510257216822, 0.64494897427831777, 1 };
const double mw_radau_a[][MW_RADAU_STAGES] = {
  { 0.19681547722366041, -0.065535425850198392, 0.023770974348220151 },
  { 0.39442431473908729, 0.29207341166522849, -0.041548752125997929 },
  { 0.37640306270046725, 0.51248582618842164, 0.1111111111111111 }
};
const double mw_radau_t[][MW_RADAU_STAGES] = { { 0.19681547722366041, 0, 0 },
                                               { 0.39442431473908729, 0.42340843570261305, 0 },
                                               { 0.37640306270046725, 0.6378201512799474,
                                                 0.20000000000000001 } };
const double mw_radau_e[] = { -10.048809399827416, 1.382142733160749, -0.33333333333333331 };
const double mw_radau_gamma = 0.27488882959567734;
