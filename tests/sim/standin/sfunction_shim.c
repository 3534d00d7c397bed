// SPDX-License-Identifier: BSD-3-Clause
// sfunction_shim.c: calls an exported S-function as Simulink does. Compiled with the export.
#include <stdlib.h>

#include "it_sfun.c"

const char *shim_run(int n, double h, double *x, double *u, double *X, double *Y, int size[4])
{
  SimStruct S = { .parameter = { { 1, &h }, { (size_t)size[0], x } } };
  mdlInitializeSizes(&S);
  if (S.status) return S.status;
  mdlInitializeSampleTimes(&S);
  size[0] = S.states;
  size[1] = S.inputs * S.input_width;
  size[2] = S.output_width[0];
  size[3] = S.output_width[1];
  S.x = calloc((size_t)S.states, sizeof(double));
  S.work = calloc((size_t)S.work_width, sizeof(double));
  if (!S.x || !S.work) abort();
  if (S.sample != h || S.through || !S.contiguous) S.status = "sample or ports are wrong";
  mdlInitializeConditions(&S);
  for (int k = 0; !S.status && k < n; k++) {
    S.u = u + k * size[1];
    S.y[0] = Y + k * size[2];
    S.y[1] = X + k * size[3];
    mdlOutputs(&S, 0);
    if (!S.status) mdlUpdate(&S, 0);
  }
  mdlTerminate(&S);
  free(S.x);
  free(S.work);
  return S.status;
}
