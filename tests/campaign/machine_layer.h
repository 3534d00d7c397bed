// SPDX-License-Identifier: BSD-3-Clause
// machine_layer.h: what the files that make a random machine share.
#ifndef MW_TEST_MACHINE_LAYER_H
#define MW_TEST_MACHINE_LAYER_H

#include "machine.h"

void machine_cross(const double *a, const double *b, double *c);
// A machine with elastic bodies, of numbers from state (machine_elastic.c).
void machine_make_elastic(unsigned long long *state, machine *m);

#endif
