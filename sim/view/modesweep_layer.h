// SPDX-License-Identifier: BSD-3-Clause
// modesweep_layer.h: frequencies along one coordinate, each with the mode it belongs to.
#ifndef MW_SIM_MODESWEEP_LAYER_H
#define MW_SIM_MODESWEEP_LAYER_H

#include <stdbool.h>

#include "base/arena.h"
#include "reduction/romfile.h"
#include "sim/case.h"

typedef struct mw_mode_sweep {
  int along;                // coordinate of the reduction
  const char *name, *unit;  // of it
  const char *rest;         // "y = 0.4, z = 0.1", the others; "": there are none
  int n, n_freq;            // points; frequencies at each, where there are fewer NAN
  double *x;                // [n]  m or rad
  double *hz;      // [n × n_freq]  ascending, without the weight's stiffness; NULL: not known
  double *loaded;  // [n × n_freq]  under the weight; NULL: no weight
  int *identity;   // [n × n_freq]  number of the mode from 0 on; −1: no frequency
  double *share;   // [n × n_freq]  of the shape that it has from the point before; 0: new
  int n_identity;  // modes told apart
  int n_lost;      // shapes of which no mode of the point before has more than a half
} mw_mode_sweep;

// Gives modes of a point the identities of the point before: half of whose shape they keep.
//   overlap   [n × n_before]  in   squares of products in the mass, rows add up to 1 at most
//   before    [n_before]      in   identities there, −1: none
//   identity  [n]             out  a new one, from *n_identity on, where no half is kept
//   share     [n]             out  the overlap that is meant, 0: new
void mw_modes_follow(int n, int n_before, const double *overlap, const int *before, int *identity,
                     double *share, int *n_identity);

// Of the full mechanism, or of a reduced model (rom; NULL: none): theta [coordinates] where the
// others are, values lo to hi on n points of coordinate `along`; how as of mw_direct_modes. Arrays
// from mem. Cost: modes at each point, and a product with the mass a shape.
typedef struct mw_mode_sweep_in {
  const mw_case *c;
  const mw_rom_file *rom;
  int along, n, n_freq, how;
  double lo, hi;
  const double *theta;
} mw_mode_sweep_in;
MW_MUST_USE mw_code mw_mode_sweep_build(const mw_mode_sweep_in *in, mw_arena *mem,
                                        mw_mode_sweep *out, mw_error *err);

// A row a frequency: coordinate, number, Hz, under the weight, mode, share.
MW_MUST_USE mw_code mw_mode_sweep_csv(const mw_mode_sweep *s, const char *path, mw_error *err);
// The frequencies over the coordinate, a colour a mode.
MW_MUST_USE mw_code mw_mode_sweep_picture(const mw_mode_sweep *s, const char *title,
                                          const char *path, mw_error *err);

#endif
