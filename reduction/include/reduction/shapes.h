// SPDX-License-Identifier: BSD-3-Clause
// shapes.h: the columns Ψ(θ) of a reduced model on the mesh, for pictures of its runs: q = ρ(θ) +
// Ψ(θ) δ.
//
// A file of its own beside rom.nc (mw_reduce_opt.shapes): points × columns × unknowns in single
// precision.
#ifndef MW_REDUCTION_SHAPES_H
#define MW_REDUCTION_SHAPES_H

#include "base/api.h"
#include "fem/mech.h"
#include "reduction/romfile.h"

MW_API_BEGIN

typedef struct mw_shapes {
  int s, m, n;  // coordinates, columns, unknowns of the mechanism (system.h)
  int n_grid[MW_ROM_MAX_S], n_point;
  double lo[MW_ROM_MAX_S], hi[MW_ROM_MAX_S];
  char model_hash[65];
  const float *psi;  // [n_point × m × n]  last axis fastest
  mw_arena mem;
} mw_shapes;

MW_MUST_USE mw_code mw_shapes_read(const char *path, mw_shapes *out, mw_error *err);
void mw_shapes_free(mw_shapes *f);
// MW_ERR_INPUT when the shapes are not those of the reduced model: another model, or another table.
MW_MUST_USE mw_code mw_shapes_match(const mw_shapes *f, const mw_rom_file *rom, const char *path,
                                    mw_error *err);

// The mechanism at theta [s] with amplitudes delta [m]: frames p [n_body × 12] and coordinates s
// [n_coord] of ρ(θ), which hold a nearby rigid configuration before; x [n] = Ψ(θ) δ in body axes. Ψ
// between the points by splines.
MW_MUST_USE mw_code mw_shapes_eval(const mw_shapes *f, const mw_mech *mech, const double *theta,
                                   const double *delta, double *p, double *s, double *x,
                                   mw_error *err);

MW_API_END

#endif
