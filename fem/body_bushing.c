// SPDX-License-Identifier: BSD-3-Clause
// body_bushing.c: springs between two frames of a body (placeholder until they are built).
#include "body_priv.h"

mw_code mw_body_bushings(mw_body_work *w, const mw_triplets *P, const mw_body *out, mw_error *err)
{
  (void)P;
  (void)out;
  if (w->in->n_bushing > 0)
    return mw_fail(err, MW_ERR_INPUT, w->in->bushing[0].at, "bushings are not known yet");
  return MW_OK;
}
