// SPDX-License-Identifier: BSD-3-Clause
// linear_layer.h: a reduced model linearized at rest at one configuration.
#ifndef MW_SIM_LINEAR_LAYER_H
#define MW_SIM_LINEAR_LAYER_H

#include <stdbool.h>

#include "reduction/romfile.h"

// At work on a reduced model; its laws (dry friction, end stops) are left out: at rest they would
// lock what they act on. Inputs are the drives' forces and, behind them, forces along n_load
// fields.
typedef struct mw_linear {
  const mw_rom_file *file;
  mw_rom rom;                   // without its laws, with the loads as inputs
  mw_rom_opt opt;               // prescribed: the coordinates that are held
  int n_drive;                  // inputs that hold theta against gravity: the model's own
  double *u;                    // [n_u]  what they give, then 0 of the loads
  double *x;                    // [2n]  state at rest
  double *acc, *acc_x, *acc_u;  // [n], [n × 2n], [n × n_u]  accelerations there and derivatives
  double *Y, *Y_x,
      *Y_u;  // [3 n_y], [3 n_y × 2n], [3 n_y × n_u]  fields, rates, accelerations there
  double *shift, *unit, *J, *F, *step;  // scratch of the search for u
  void *work;
  mw_arena mem;
} mw_linear;

// load [n_load]: fields; NULL with n_load 0. Release with mw_linear_close, also after an error.
MW_MUST_USE mw_code mw_linear_open(const mw_rom_file *f, int n_load, const int *load, mw_linear *w,
                                   mw_error *err);
// At theta [s], at rest: x, u, accelerations, fields and their derivatives. The search for u starts
// from the u that is there. Where the drives cannot hold theta, the acceleration that is left
// stands in rest [s] (may be NULL; 0 where all are held). held: bits of coordinates that do not
// answer to forces (accelerations 0). MW_ERR_NUMERIC names the place.
MW_MUST_USE mw_code mw_linear_at(mw_linear *w, const double *theta, unsigned held, double *rest,
                                 mw_error *err);
// The same while coordinates go on at rate [s] and columns stay where that puts them: delta of
// delta″ = 0, u of theta″ = 0. Later than at an instant of a motion it is another system.
MW_MUST_USE mw_code mw_linear_moving(mw_linear *w, const double *theta, const double *rate,
                                     unsigned held, double *rest, mw_error *err);
// The same where accelerations thdd [s] of all coordinates are given, under the forces w->u; then
// those with a bit in held keep theirs, the others answer to forces.
MW_MUST_USE mw_code mw_linear_driven(mw_linear *w, const double *theta, const double *rate,
                                     const double *thdd, unsigned held, mw_error *err);
// At the state w->x under the forces w->u, coordinates with a bit in held accelerated by thdd [s].
MW_MUST_USE mw_code mw_linear_state(mw_linear *w, unsigned held, const double *thdd, mw_error *err);
void mw_linear_close(mw_linear *w);

// Whether what the first n_drive inputs give matters where all coordinates are held: it does where
// an input's field is curved, so that its force is a stiffness.
bool mw_linear_drives_stiffen(const mw_rom *rom, int n_drive);

// Unit of field k, and of a force along it; "": not known.
const char *mw_linear_unit(const mw_rom_file *f, int k);
const char *mw_linear_force_unit(const mw_rom_file *f, int k);

#endif
