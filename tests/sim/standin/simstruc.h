// SPDX-License-Identifier: BSD-3-Clause
// simstruc.h: Simulink's block as far as exported S-functions see it. A stand-in for tests, written
// after the documentation of level-2 S-functions.
#ifndef MW_STANDIN_SIMSTRUC_H
#define MW_STANDIN_SIMSTRUC_H

#include "mex.h"

typedef int int_T;
enum { SS_DOUBLE, SS_OPTION_EXCEPTION_FREE_CODE = 1 };

typedef struct SimStruct {
  int expected, states, inputs, outputs, input_width, output_width[2], contiguous, through, times,
      works, work_width, work_type, options;
  mxArray parameter[2];
  double *x, *u, *y[2], *work;
  double sample, offset;
  const char *status;  // of an error
} SimStruct;

static inline void ssSetNumSFcnParams(SimStruct *S, int n) { S->expected = n; }
static inline int ssGetNumSFcnParams(const SimStruct *S) { return S->expected; }
static inline int ssGetSFcnParamsCount(const SimStruct *S)
{
  (void)S;
  return 2;
}
static inline const mxArray *ssGetSFcnParam(const SimStruct *S, int k) { return &S->parameter[k]; }
static inline void ssSetErrorStatus(SimStruct *S, const char *text) { S->status = text; }
static inline void ssSetNumContStates(SimStruct *S, int n) { S->states -= n; }
static inline void ssSetNumDiscStates(SimStruct *S, int n) { S->states += n; }
static inline int ssSetNumInputPorts(SimStruct *S, int n)
{
  S->inputs = n;
  return 1;
}
static inline int ssSetNumOutputPorts(SimStruct *S, int n)
{
  S->outputs = n;
  return 1;
}
static inline void ssSetInputPortWidth(SimStruct *S, int k, int n) { S->input_width = n + k; }
static inline void ssSetInputPortRequiredContiguous(SimStruct *S, int k, int is)
{
  S->contiguous = is + k;
}
static inline void ssSetInputPortDirectFeedThrough(SimStruct *S, int k, int is)
{
  S->through = is + k;
}
static inline void ssSetOutputPortWidth(SimStruct *S, int k, int n) { S->output_width[k] = n; }
static inline void ssSetNumSampleTimes(SimStruct *S, int n) { S->times = n; }
static inline void ssSetSampleTime(SimStruct *S, int k, double h) { S->sample = h + k; }
static inline void ssSetOffsetTime(SimStruct *S, int k, double t) { S->offset = t + k; }
static inline void ssSetNumDWork(SimStruct *S, int n) { S->works = n; }
static inline void ssSetDWorkWidth(SimStruct *S, int k, int n) { S->work_width = n + k; }
static inline void ssSetDWorkDataType(SimStruct *S, int k, int type) { S->work_type = type + k; }
static inline void ssSetOptions(SimStruct *S, int o) { S->options = o; }
static inline double *ssGetRealDiscStates(SimStruct *S) { return S->x; }
static inline const double *ssGetInputPortRealSignal(SimStruct *S, int k) { return S->u + k; }
static inline double *ssGetOutputPortRealSignal(SimStruct *S, int k) { return S->y[k]; }
static inline void *ssGetDWork(SimStruct *S, int k) { return S->work + k; }

#endif
