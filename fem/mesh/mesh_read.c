// SPDX-License-Identifier: BSD-3-Clause
// mesh_read.c: the reader a file's ending asks for.
#include <string.h>

#include "inp_priv.h"

mw_code mw_mesh_read(const char *path, double scale, mw_arena *mem, mw_mesh *out, mw_error *err)
{
  const char *dot = strrchr(path, '.');
  bool inp = dot != NULL && mw_inp_same(dot, ".inp");
  return inp ? mw_inp_read(path, scale, mem, out, err) : mw_msh_read(path, scale, mem, out, err);
}
