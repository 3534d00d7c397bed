// SPDX-License-Identifier: BSD-3-Clause
// romfile_runs.c: the scenarios that judged a reduced model, in rom.nc:
//   certificate_run, .._hash, .._trouble, .._step, .._end [run], .._quantity, .._unit [quantity],
//   .._error, .._own_error, .._reduced_own_error (absent from files of before), .._known
//     [run × quantity]
// A model that was not judged by runs has none of them. Scenarios that nothing is promised for:
//   certificate_outside, certificate_outside_why [certificate_outside]; none: absent
#include <math.h>

#include "romfile_priv.h"

void mw_romfile_write_runs(mw_ncw *w, const mw_run_proofs *p)
{
  if (p->n == 0 || p->n_quantity == 0) return;
  int of[2] = { mw_ncw_dim(w, "certificate_run", p->n),
                mw_ncw_dim(w, "certificate_run_quantity", p->n_quantity) };
  mw_ncw_str(w, "certificate_run", of[0], "scenarios run by the full and the reduced path",
             p->scenario);
  mw_ncw_str(w, "certificate_run_hash", of[0], "what the model file said of them, SHA-256",
             p->hash);
  mw_ncw_str(w, "certificate_run_trouble", of[0], "why a run could not be compared", p->trouble);
  mw_ncw_f64(w, "certificate_run_step", 1, of, "s", "step of the reduced path", p->step);
  mw_ncw_f64(w, "certificate_run_end", 1, of, "s", "up to which the paths were compared", p->end);
  mw_ncw_str(w, "certificate_run_quantity", of[1], "outputs, then coordinates", p->quantity);
  mw_ncw_str(w, "certificate_run_unit", of[1], "their units", p->unit);
  mw_ncw_f64(w, "certificate_run_error", 2, of, "1",
             "largest difference of the reduced path over peak deflection, peak stress or travel, "
             "without the paths' own errors in time",
             p->error);
  mw_ncw_f64(w, "certificate_run_own_error", 2, of, "1",
             "the full path's own error in time, by halving its step twice", p->own);
  if (p->own_reduced)
    mw_ncw_f64(w, "certificate_run_reduced_own_error", 2, of, "1",
               "the reduced path's own error in time, by halving its step twice", p->own_reduced);
  mw_ncw_f64(w, "certificate_run_known", 2, of, "1", "how exactly the error without both is known",
             p->known);
}

void mw_romfile_read_runs(mw_ncr *r, mw_run_proofs *p)
{
  *p = (mw_run_proofs){ .n = mw_ncr_dim(r, "certificate_run"),
                        .n_quantity = mw_ncr_dim(r, "certificate_run_quantity") };
  if (p->n == 0) return;
  int of[2] = { p->n, p->n_quantity };
  p->scenario = mw_ncr_str(r, "certificate_run", p->n);
  p->hash = mw_ncr_str(r, "certificate_run_hash", p->n);
  p->trouble = mw_ncr_str(r, "certificate_run_trouble", p->n);
  p->step = mw_ncr_f64(r, "certificate_run_step", 1, of, true);
  p->end = mw_ncr_f64(r, "certificate_run_end", 1, of, true);
  p->quantity = mw_ncr_str(r, "certificate_run_quantity", p->n_quantity);
  p->unit = mw_ncr_str(r, "certificate_run_unit", p->n_quantity);
  p->error = mw_ncr_f64(r, "certificate_run_error", 2, of, false);
  p->own = mw_ncr_f64(r, "certificate_run_own_error", 2, of, true);
  if (mw_ncr_has(r, "certificate_run_reduced_own_error"))
    p->own_reduced = mw_ncr_f64(r, "certificate_run_reduced_own_error", 2, of, true);
  p->known = mw_ncr_f64(r, "certificate_run_known", 2, of, true);
  for (int k = 0; r->e.code == MW_OK && k < p->n * p->n_quantity; k++)
    if (!(p->error[k] >= 0.0) || !(p->own[k] >= 0.0) || !(p->known[k] >= 0.0))
      mw_ncr_fail(r, "an error of a run is %g, %g, %g, must not be negative", p->error[k],
                  p->own[k], p->known[k]);
}

void mw_romfile_write_outside(mw_ncw *w, const mw_run_scope *z)
{
  if (z->n == 0) return;
  int dim = mw_ncw_dim(w, "certificate_outside", z->n);
  mw_ncw_str(w, "certificate_outside", dim,
             "scenarios of the model that the certificate does not speak for", z->scenario);
  mw_ncw_str(w, "certificate_outside_why", dim, "why", z->why);
}

void mw_romfile_read_outside(mw_ncr *r, mw_run_scope *z)
{
  *z = (mw_run_scope){ .n = mw_ncr_dim(r, "certificate_outside") };
  if (z->n == 0) return;
  z->scenario = mw_ncr_str(r, "certificate_outside", z->n);
  z->why = mw_ncr_str(r, "certificate_outside_why", z->n);
}
