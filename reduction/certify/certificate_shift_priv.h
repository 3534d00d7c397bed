// SPDX-License-Identifier: BSD-3-Clause
// certificate_shift_priv.h: the reduction at one value of the parameters that it keeps.
#ifndef MW_REDUCTION_CERTIFICATE_SHIFT_PRIV_H
#define MW_REDUCTION_CERTIFICATE_SHIFT_PRIV_H

#include "table/parameter_layer.h"
#include "work/offline_layer.h"

// The reduction at one value.
typedef struct mw_value_shift {
  const double *to;  // [n_parameter]
  bool bases_alone;  // the bodies on the meshes are the middle's, and not looked at
  mw_model model;
  mw_mech full, bases;
  mw_offline offline;
  mw_rom_file f;
  mw_turned turned;
  mw_shifted of;
  mw_reduction r;
  mw_tables t;
  mw_arena mem;
} mw_value_shift;

// z->to, z->bases_alone: given. Tables of f set there, with the mechanism there; the middle's r, t
// and f are borrowed.
MW_MUST_USE mw_code mw_value_shift_make(const mw_reduction *r, const mw_tables *t,
                                        const mw_rom_file *f, mw_value_shift *z, mw_error *err);
void mw_value_shift_free(mw_value_shift *z);

#endif
