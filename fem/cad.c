// SPDX-License-Identifier: BSD-3-Clause
// cad.c: the mesh of a CAD file (placeholder until it is built).
#include "fem/cad.h"

mw_code mw_cad_mesh(const mw_body_in *body, mw_arena *mem, const char **msh_path,
                    mw_cad_props *props, mw_error *err)
{
  (void)mem;
  (void)msh_path;
  (void)props;
  return mw_fail(err, MW_ERR_INPUT, body->cad->at, "CAD files are not known yet");
}
