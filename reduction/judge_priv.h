// SPDX-License-Identifier: BSD-3-Clause
// judge_priv.h: what is kept of a reduction to judge models by it.
#ifndef MW_REDUCTION_JUDGE_PRIV_H
#define MW_REDUCTION_JUDGE_PRIV_H

#include "offline_priv.h"
#include "reduction/judge.h"

struct mw_judge {
  mw_reduction *r;
  mw_band band;
  int n_own;                     // the certificate's own samples
  const mw_sample *own;          // [n_own]
  const struct mw_lines *lines;  // its forces (fields_priv.h)
  int n;                         // random samples of the last call
  uint64_t seed;
  bool meshes;
  mw_sample *sample;  // [n]
  mw_arena mem;       // of sample
};

#endif
