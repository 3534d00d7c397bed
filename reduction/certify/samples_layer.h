// SPDX-License-Identifier: BSD-3-Clause
// samples_layer.h: the samples of a certificate over all passes of a reduction.
#ifndef MW_REDUCTION_SAMPLES_LAYER_H
#define MW_REDUCTION_SAMPLES_LAYER_H

#include "work/offline_layer.h"

typedef struct mw_samples {
  // sample [n + n_random]: n that choose the grid, too, first of them n_mesh on the meshes; then
  // the random ones, which must not
  int n, n_mesh, n_random, cap;
  mw_sample *sample;
  int *kind;  // [n + n_random]  MW_POINT_…
  // [n_mesh]  the first n_mesh once more, on the bodies' bases; NULL: no samples on bases
  mw_sample *beside;
  uint64_t state;  // of the generator of random points
  mw_arena mem;
} mw_samples;

void mw_samples_free(mw_samples *z);
// Samples on the meshes at Halton points: those of early (on the mesh, taken while the bodies were
// on their way), or new ones; beside them those on bases, spread and random. r->waiting: other
// shards do some.
MW_MUST_USE mw_code mw_samples_take(mw_reduction *r, mw_band band, const mw_samples *early,
                                    mw_samples *z, mw_error *err);
// theta [n_certificate × s] of samples on the meshes, and room for these.
MW_MUST_USE mw_code mw_samples_place(mw_reduction *r, mw_samples *z, double **theta, mw_error *err);
// The random samples become ordinary ones, for a grid is chosen by them; draws others.
void mw_samples_retire(mw_samples *z);
MW_MUST_USE mw_code mw_samples_draw(mw_reduction *r, mw_band band, mw_samples *z, mw_error *err);
// f, made with t, compared with the samples: with all, or without the random ones; how those on
// bases differ from those on the meshes.
MW_MUST_USE mw_code mw_samples_compare(const mw_reduction *r, const mw_tables *t,
                                       const mw_rom_file *f, const mw_samples *z, bool all,
                                       mw_certificate *out, mw_arena *mem, mw_error *err);

// seek.c: samples on the bodies' bases where f errs most, found from the worst of z; z has them
// then
MW_MUST_USE mw_code mw_samples_seek(mw_reduction *r, const mw_tables *t, const mw_rom_file *f,
                                    mw_samples *z, mw_error *err);
// Adds a sample, with memory of z, before the random ones.
MW_MUST_USE mw_code mw_samples_add(mw_samples *z, const mw_sample *sample, int kind, mw_error *err);

#endif
