// SPDX-License-Identifier: BSD-3-Clause
// mesh_read.c: the reader a file's ending asks for.
#include "mesh_priv.h"

mw_code mw_mesh_read(const char *path, double scale, mw_arena *mem, mw_mesh *out, mw_error *err)
{
  return mw_msh_read(path, scale, mem, out, err);
}
