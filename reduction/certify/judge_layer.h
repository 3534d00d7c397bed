// SPDX-License-Identifier: BSD-3-Clause
// judge_layer.h: what is kept of a reduction to judge models by it.
#ifndef MW_REDUCTION_JUDGE_LAYER_H
#define MW_REDUCTION_JUDGE_LAYER_H

#include "reduction/judge.h"
#include "samples_layer.h"

struct mw_judge {
  mw_reduction *r;
  mw_made *made;
  mw_band band;
  const mw_samples *own;         // the certificate's own samples
  const struct mw_lines *lines;  // its forces (fields_layer.h)
  int n;                         // random samples of the last call
  uint64_t seed;
  bool meshes;
  mw_sample *sample;  // [n]
  mw_arena mem;       // of sample
};

// What mw_large_limits found, of the mechanism, not of the tables
void mw_certificate_copy_large(const mw_certificate *from, mw_certificate *to);

#endif
