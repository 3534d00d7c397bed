// SPDX-License-Identifier: BSD-3-Clause
// body_tie.c: tied nodes (placeholder until they are built).
#include "body_priv.h"

mw_code mw_body_ties(mw_body_work *w, mw_error *err)
{
  if (w->in->n_tie > 0)
    return mw_fail(err, MW_ERR_INPUT, w->in->tie[0].at, "ties are not known yet");
  return MW_OK;
}
