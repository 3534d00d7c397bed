// SPDX-License-Identifier: BSD-3-Clause
// cg_sfun.h: stands where Simulink's own ends an S-function's source: a caller that does as
// Simulink does, in sfunction_shim.c.
#ifndef MW_STANDIN_CG_SFUN_H
#define MW_STANDIN_CG_SFUN_H

// n steps from x [size[0]] with u [n × inputs]; X, Y [n × …]: states and outputs before each step;
// size: of states, inputs and both outputs. Returns what the block says wrong, NULL: nothing.
const char *shim_run(int n, double h, double *x, double *u, double *X, double *Y, int size[4]);

#endif
