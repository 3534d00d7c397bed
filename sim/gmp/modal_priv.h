// SPDX-License-Identifier: BSD-3-Clause
// modal_priv.h: the eigenpairs of a reduced model and what acts on its columns, part by part of a
// run's steps.
#ifndef MW_SIM_MODAL_PRIV_H
#define MW_SIM_MODAL_PRIV_H

#include "base/part.h"
#include "reduction/romfile.h"

typedef struct mw_modal {
  const mw_rom_file *file;  // borrowed
  // of the last theta that was decomposed: K [m × m], its eigenvectors [m × m], ω² [m] ascending,
  // v_jᵀ C v_j [m] in 1/s
  double *K, *V, *w, *c;
  double *value;  // [n_field]  fields at the end of the part
  double theta[MW_ROM_MAX_S];
  bool decomposed;
  // of the part that ended: state in its middle [2 (s + m)], mean acceleration [s + m], force on
  // unit masses [m]
  double *state, *acceleration, *force;
  double *loss;  // [m]  scratch
} mw_modal;

// At the state x [2 (s + m)]; mem outlives z.
MW_MUST_USE mw_code mw_modal_init(mw_modal *z, const mw_rom_file *f, const double *x, mw_arena *mem,
                                  mw_error *err);
void mw_modal_begin(mw_modal *z, const double *x);  // a part of a step begins at x
// It has ended at x, h (s) later.
MW_MUST_USE mw_code mw_modal_end(mw_modal *z, const double *x, double h, mw_error *err);
// What it remembers of the parts before, into part; their number.
enum { MW_MODAL_PARTS = 7 };
int mw_modal_parts(mw_modal *z, mw_part *part);
// mw_certificate_least_deflection of outputs of fields row [3 n] whose peaks are [n], m, or what is
// rounding of where they are
double mw_modal_deflects(const mw_modal *z, int n, const int *row, const double *peak);
// out [m] := A x of a packed symmetric matrix
void mw_modal_product(int m, const double *A, const double *x, double *out);

#endif
