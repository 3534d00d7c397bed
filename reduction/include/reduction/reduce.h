// SPDX-License-Identifier: BSD-3-Clause
// reduce.h: Global Modal Parametrization of a mechanism, offline, and its direct reference at one
// configuration.
#ifndef MW_REDUCTION_REDUCE_H
#define MW_REDUCTION_REDUCE_H

#include "base/api.h"
#include "base/progress.h"
#include "fem/mech.h"
#include "reduction/judge.h"
#include "reduction/romfile.h"
#include "reduction/work.h"

MW_API_BEGIN

typedef struct mw_reduce_opt {
  mw_progress *progress;  // NULL: silent
  int n_grid_override;  // grid points of every coordinate, 0: the model's (for convergence studies)
  const char *shapes;   // file for the columns on the mesh (shapes.h), NULL: none
  // folder for the bodies' bases (basis.h), one for all processes that work on a reduction; NULL:
  // they are kept in memory
  const char *cache;
  // who does the units: made with mw_reduce_unit and ctx; both NULL: this process, and nothing is
  // kept on disk
  mw_work *work;
  void *ctx;
  // NULL, or called with the model when it is there, while it can be compared elsewhere (judge.h);
  // an error ends the reduction
  mw_code (*judge)(void *judge_ctx, mw_judge *j, const mw_rom_file *f, mw_error *err);
  void *judge_ctx;
} mw_reduce_opt;

// The reduced model of model->reduction with its certificate. opt may be NULL. out is released by
// mw_rom_file_free.
// MW_ERR_INPUT: the reduction leaves a motion free, a range leaves a guide; MW_ERR_NUMERIC:
// singular, modes missed. Where work waits for other shards of an array: MW_OK, and out is left
// empty (out->rom.s = 0).
MW_MUST_USE mw_code mw_reduce(const mw_model *model, const mw_mech *mech, const mw_reduce_opt *opt,
                              mw_rom_file *out, mw_error *err);

// What a process that does units needs: the model, and bases of its bodies as they come. Of opt
// only cache is used.
MW_MUST_USE mw_code mw_reduce_worker_init(const mw_model *model, const mw_mech *mech,
                                          const mw_reduce_opt *opt, void **ctx, mw_error *err);
void mw_reduce_worker_free(void *ctx);
// An mw_unit_fn (work.h): a body's basis, modes at configurations, the full mechanism at one.
MW_MUST_USE mw_code mw_reduce_unit(void *ctx, int kind, const unsigned char *args, size_t n_args,
                                   mw_bytes *result, mw_error *err);

// Has a reduced model of m the stiffness of what acts at rest? With gravity or springs, unless it
// is made without the second order.
bool mw_weight_counts(const mw_mech *m);
// Is its stiffness to be had for the full mechanism? Not with components: what wrenches that their
// insides bear stiffen is not known.
bool mw_weight_known(const mw_mech *m);

enum {
  MW_MODES_FREE = 1,  // theta is not held; its rigid modes are left out
  // no proof of completeness by an inertia count: one factorization less a shift. Block iteration
  // finds double modes by itself, but only the count makes sure.
  MW_MODES_UNPROVED = 2,
  MW_MODES_AT_MOST = 4  // all motions there are, where these are fewer than the modes asked for
};

// Direct finite-element modes at theta [coordinates of model->reduction]: frequencies freq_hz
// [n_modes] and, if shape is not NULL, M-orthonormal shapes [n_modes × n] of the linear system
// (body after body: elastic n_u, moving rigid 6, rigid ground 0). how: 0 or flags of above. p
// [n_body × 12]: the rigid configuration, may be NULL. Memory from mem.
MW_MUST_USE mw_code mw_direct_modes(const mw_mech *mech, const double *theta, int n_modes, int how,
                                    mw_arena *mem, double **freq_hz, double **shape, double *p,
                                    mw_error *err);
// The same; n_modes: asked for, on return there. loaded_hz [n_modes]: frequencies under the weight,
// whose stiffness those of above leave out; below zero: of exp(2π|f|t), it buckles. NULL: no
// gravity, theta is not held, or it is not known (mw_weight_known).
MW_MUST_USE mw_code mw_direct_modes_loaded(const mw_mech *mech, const double *theta, int *n_modes,
                                           int how, mw_arena *mem, double **freq_hz,
                                           double **loaded_hz, double **shape, double *p,
                                           mw_error *err);
// n: how many modes there are at theta, the motions that constraints leave.
MW_MUST_USE mw_code mw_direct_motions(const mw_mech *mech, const double *theta, int *n,
                                      mw_error *err);

// Static patterns at theta, held: the mechanism under the unit loads that the reduction takes its
// patterns from (a unit force at each output along x, y, z and at each drive, the inertia forces of
// unit accelerations of theta, gravity). compliance: work of a load on its own pattern, m/N
// (rad/(N·m)) of unit forces, J of the others.
typedef struct mw_statics {
  int n;
  const char **name;   // [n]  "pattern tool.x", "pattern motor", "pattern gravity", …
  int *joint;          // [n]  of a drive's unit force; -1: force at a point; -2: no unit force
  double *x;           // [n × unknowns]  as the shapes of mw_direct_modes, m
  double *compliance;  // [n]
  double *lambda;      // [n × n_row of the mechanism]  forces of the joint rows, N or N·m
  double *p, *s;       // [n_body × 12], [n_coord]  the rigid configuration
} mw_statics;
// Are inertia forces of coordinates among them? Not with components, of whose parts nobody knows
// how they move with coordinates.
bool mw_pattern_inertia_known(const mw_mech *m);
MW_MUST_USE mw_code mw_direct_statics(const mw_model *model, const mw_mech *mech,
                                      const double *theta, mw_arena *mem, mw_statics *out,
                                      mw_error *err);
// At n configurations, theta [n × coordinates of the reduction], out [n]; bodies are factored once.
MW_MUST_USE mw_code mw_direct_statics_at(const mw_model *model, const mw_mech *mech, int n,
                                         const double *theta, mw_arena *mem, mw_statics *out,
                                         mw_error *err);

// Frequencies of the interpolated reduced model at theta, the lowest n (<= m), Hz.
MW_MUST_USE mw_code mw_rom_frequencies(const mw_rom_file *f, const double *theta, bool drives_free,
                                       int n, double *freq_hz, mw_error *err);
// The same with their shapes, orthonormal in the mass: shape [n × N] of the columns, N = m, or of
// coordinates and columns, N = s + m, where drives are free; NULL: not wanted.
MW_MUST_USE mw_code mw_rom_modes(const mw_rom_file *f, const double *theta, bool drives_free, int n,
                                 double *freq_hz, double *shape, mw_error *err);

MW_API_END

#endif
