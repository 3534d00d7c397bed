// SPDX-License-Identifier: BSD-3-Clause
// body_matrices.c: bodies of foreign matrices (placeholder until they are built).
#include "body_priv.h"

mw_code mw_body_matrix_nodes(mw_body_work *w, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, w->in->matrices->at, "foreign matrices are not known yet");
}

mw_code mw_body_matrix_assemble(mw_body_work *w, mw_body *out, mw_error *err)
{
  (void)out;
  return mw_body_matrix_nodes(w, err);
}
