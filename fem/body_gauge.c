// SPDX-License-Identifier: BSD-3-Clause
// body_gauge.c: stress and strain outputs of a body (placeholder until they are built).
#include "body_priv.h"

mw_code mw_body_gauges(mw_body_work *w, mw_triplets *P, mw_body *out, mw_error *err)
{
  (void)P;
  (void)out;
  for (int k = 0; k < w->model->n_output; k++) {
    const mw_output_in *o = &w->model->output[k];
    if (o->kind != MW_OUTPUT_POSITION && &w->model->body[o->ref.body] == w->in)
      return mw_fail(err, MW_ERR_INPUT, o->at, "output '%s': stress is not known yet", o->name);
  }
  return MW_OK;
}
