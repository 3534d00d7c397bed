// SPDX-License-Identifier: BSD-3-Clause
// judge_priv.h: what is kept of a reduction to judge models by it.
#ifndef MW_REDUCTION_JUDGE_PRIV_H
#define MW_REDUCTION_JUDGE_PRIV_H

#include "reduction/judge.h"
#include "samples_priv.h"

struct mw_judge {
  mw_reduction *r;
  mw_band band;
  const mw_samples *own;         // the certificate's own samples
  const struct mw_lines *lines;  // its forces (fields_priv.h)
  int n;                         // random samples of the last call
  uint64_t seed;
  bool meshes;
  mw_sample *sample;  // [n]
  mw_arena mem;       // of sample
};

#endif
