// SPDX-License-Identifier: BSD-3-Clause
// offline_layer.h: what a process keeps while it does units of a reduction: the model, its bodies'
// bases, factorizations.
#ifndef MW_REDUCTION_OFFLINE_LAYER_H
#define MW_REDUCTION_OFFLINE_LAYER_H

#include "reduce_layer.h"
#include "reduction/basis.h"
#include "sample/sample_layer.h"

// Bases of all bodies and the mechanism in them.
typedef struct mw_bases {
  bool made, rough;
  double band, tolerance;  // rad/s, relative (basis.h)
  mw_basis *basis;         // [n_body]
  mw_basis *again;         // [n_body]  made again for their T, where that was lost
  mw_body *body;           // [n_body]
  mw_mech mech;            // of projected bodies
  mw_blocks *blocks;       // σ = 0
  mw_arena mem;
} mw_bases;

typedef struct mw_offline {
  const mw_model *model;
  const mw_mech *mech;  // full
  char *cache;          // NULL: none
  int s, coord[MW_ROM_MAX_S];
  unsigned char *locked;  // [n_coord]
  mw_body_stage **stage;  // [n_body]  NULL until one is needed
  mw_bases rough, fine;
  mw_blocks *direct;       // of the full mechanism, NULL until needed
  struct mw_ahead *ahead;  // direct while a thread makes it; NULL: none does
  mw_arena mem;
} mw_offline;

typedef struct mw_band {  // which bases
  bool rough;
  double band, tolerance;
} mw_band;

// offline.c
MW_MUST_USE mw_code mw_offline_init(const mw_model *model, const mw_mech *mech, const char *cache,
                                    mw_offline **out, mw_error *err);
void mw_offline_free(mw_offline *z);
// The basis of one body, to disk where there is a cache. apart: its modes are counted elsewhere.
// *found: rigid modes and modes that an inertia count must find, 0: the basis holds everything.
MW_MUST_USE mw_code mw_offline_body(mw_offline *z, int body, mw_band band, bool apart, int *found,
                                    mw_error *err);
MW_MUST_USE mw_code mw_offline_count(mw_offline *z, int body, mw_band band, int *count,
                                     mw_error *err);
// All of them, and the mechanism in them.
MW_MUST_USE mw_code mw_offline_bases(mw_offline *z, mw_band band, mw_bases **out, mw_error *err);
// T of all bases in memory.
MW_MUST_USE mw_code mw_offline_shapes(mw_offline *z, mw_bases *b, mw_error *err);
MW_MUST_USE mw_code mw_offline_direct(mw_offline *z, mw_blocks **out, mw_error *err);
// Begins with what mw_offline_direct gives, on a thread of its own; that waits for it then.
void mw_offline_direct_ahead(mw_offline *z);

// parallel.c: item i of ctx; touches nothing that other items touch, but to read it
typedef mw_code (*mw_item_fn)(void *ctx, int i, mw_error *err);
// Items 0 … n − 1, on the threads that w leaves free; the error is that of the first item with one.
// Not from within a unit.
MW_MUST_USE mw_code mw_parallel(const mw_work *w, int n, mw_item_fn fn, void *ctx, mw_error *err);
// Points 0 … n − 1 in blocks, each an item of mw_parallel.
typedef struct mw_points {
  int n, block;  // points, and in a block; 0: as many as make an item worth a thread's while
  // points from … to − 1 of ctx, with scratch that serves all of them
  mw_code (*fn)(void *ctx, int from, int to, mw_error *err);
  void *ctx;
  mw_progress *progress;  // a point is a step of it; NULL: none is shown
  double before;          // steps of progress done before
} mw_points;
MW_MUST_USE mw_code mw_parallel_points(const mw_work *w, const mw_points *p, mw_error *err);

// units.c: the units of a reduction and their bytes
enum {
  MW_UNIT_BODY = 1,
  MW_UNIT_MODES,
  MW_UNIT_SAMPLE,
  MW_UNIT_COUNT,
  MW_UNIT_PROJECTED,
  MW_UNIT_PROOF,
  MW_UNIT_ARPACK,
  MW_UNIT_INERTIA
};
// Bases of all bodies, each a unit where they are kept on disk, and the counts that prove their
// modes; beside them ARPACK's runs and counts of samples [n] of mw_units_first, whose memory is
// from mem. One shift serves all counts where ARPACK is beyond it with a few modes more: one
// factorization of the bodies.
MW_MUST_USE mw_code mw_units_bodies(mw_reduction *r, mw_band band, int n, mw_sample *sample,
                                    mw_arena *mem, mw_error *err);
// Rough bases, and beside them samples of the full mechanism at theta [n × s], which need no bases:
// their A are over the mesh, and all are by block Lanczos: mw_units_bodies takes some by ARPACK.
MW_MUST_USE mw_code mw_units_first(mw_reduction *r, int n, const double *theta, mw_sample *sample,
                                   mw_arena *mem, mw_error *err);
// Modes of the first k at points [n]: fills k, lambda, Phi of those without any.
MW_MUST_USE mw_code mw_units_modes(mw_reduction *r, mw_band band, int k, mw_error *err);
// Samples of the full mechanism at theta [n × s]; memory from mem. arpack: every fourth by ARPACK.
MW_MUST_USE mw_code mw_units_samples(mw_reduction *r, mw_band band, bool arpack, int n,
                                     const double *theta, mw_sample *sample, mw_arena *mem,
                                     mw_error *err);
// The same of the mechanism in the bodies' bases, milliseconds each.
MW_MUST_USE mw_code mw_units_projected(mw_reduction *r, mw_band band, int n, const double *theta,
                                       mw_sample *sample, mw_arena *mem, mw_error *err);

#endif
