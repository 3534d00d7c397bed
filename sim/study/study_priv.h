// SPDX-License-Identifier: BSD-3-Clause
// study_priv.h: what the files of a study share.
#ifndef MW_SIM_STUDY_PRIV_H
#define MW_SIM_STUDY_PRIV_H

#include "sim/case.h"
#include "study_layer.h"

// What a model is: values [n], with names, units and aims.
typedef struct mw_found {
  int n;
  double *value;
  const char **name, **unit;
  int *aim;  // 1: the smaller the better, -1: the larger
} mw_found;

// The criteria in->of of a model. Memory from mem.
MW_MUST_USE mw_code mw_criteria_find(const mw_study_in *in, const mw_case *c, mw_arena *mem,
                                     mw_found *out, mw_error *err);

#endif
