// SPDX-License-Identifier: BSD-3-Clause
// lpv.h: the reduced model as linear systems on a grid of its coordinates, for gain-scheduled
// design.
//
//   d/dt (x − x0) = A (x − x0) + B (u − u0) ,   y − y0 = C (x − x0) + D (u − u0)                (1)
//   x = (theta, delta, thd, deld) [n_x] ,  u drives' forces [n_u] ,  y fields [n_y]
// at rest at each grid point: theta there, rates 0, u0 what the drives must give to hold theta
// against gravity (the least where there are more of them), delta and y0 what follows. Where the
// drives cannot, rest [s] is the acceleration that is left. Dry friction and end stops are left
// out: at rest they would lock the drives.
#ifndef MW_SIM_LPV_H
#define MW_SIM_LPV_H

#include "base/api.h"
#include "reduction/romfile.h"

MW_API_BEGIN

typedef struct mw_lpv {
  int s, n_x, n_u, n_y;  // n_x = 2 (s + m)
  // points an axis: those of the eigenanalyses, or the ends where nothing depends on it
  int n_grid[MW_ROM_MAX_S];
  double *grid[MW_ROM_MAX_S];  // [n_grid]  m or rad
  int n_point;                 // their product; last axis fastest
  double *A, *B;               // [n_point × n_x × n_x], [n_point × n_x × n_u]  row-major
  double *C[3],
      *D[3];  // [n_point × n_y × n_x], [n_point × n_y × n_u]  of y, its rate, its acceleration
  double *x0, *u0, *y0;                   // [n_point × n_x], [n_point × n_u], [n_point × n_y]
  double *rest;                           // [n_point × s]  m/s² or rad/s²
  const char **state, **input, **output;  // [n_x], [n_u], [n_y]  names
  const char **state_unit, **input_unit, **output_unit;  // "": not known
  mw_arena mem;
} mw_lpv;

// out is initialised here (mw_lpv_free when done). MW_ERR_NUMERIC names the point.
MW_MUST_USE mw_code mw_lpv_build(const mw_rom_file *rom, mw_lpv *out, mw_error *err);
void mw_lpv_free(mw_lpv *l);

// Writes them all: netCDF-4 where out ends in .nc, MATLAB's level 5 where it ends in .mat (there
// states, inputs and outputs come first and the grid's axes last, as ss() takes them).
MW_MUST_USE mw_code mw_export_lpv(const mw_rom_file *rom, const char *out, mw_error *err);

MW_API_END

#endif
