// SPDX-License-Identifier: BSD-3-Clause
// loops.h: closed loops of elastic links in the plane, driven by a torque on a crank whose hub is
// about as heavy as the links.
#ifndef MW_TESTS_LOOPS_H
#define MW_TESTS_LOOPS_H

#include <stddef.h>

typedef enum mw_loop { MW_LOOP_FOUR_BAR, MW_LOOP_PARALLELOGRAM, MW_LOOP_SLIDER } mw_loop;

// Length of the shortest link, m.
double mw_loop_shortest(mw_loop kind);
// Model text: scenario "push", one period of a sine torque in 0.05 s and as long again after it,
// amplitude in N·m; output "mid", the middle of the coupler or rod. limits: what the reduction
// declares ("" or "max_deflection: 1e-3, …"), in the syntax of the file. Returns its length without
// the closing zero, at least n where the text is too short.
int mw_loop_text(mw_loop kind, double amplitude, const char *limits, char *text, size_t n);

#endif
