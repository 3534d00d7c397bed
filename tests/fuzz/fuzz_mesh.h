// SPDX-License-Identifier: BSD-3-Clause
// fuzz_mesh.h: a mesh file of one ending.
#ifndef MW_TEST_FUZZ_MESH_H
#define MW_TEST_FUZZ_MESH_H

#include "fem/mesh.h"
#include "fuzz.h"

static inline int fuzz_mesh(const char *ending, const uint8_t *data, size_t n)
{
  mw_arena mem = { 0 };
  mw_mesh mesh = { 0 };
  mw_error err = { 0 };
  mw_code rc = mw_mesh_read(fuzz_file(ending, data, n), 1e-3, &mem, &mesh, &err);
  if (rc == MW_OK)
    (void)!mw_mesh_check(&mesh, &err);  // shapes of elements are judged there, not by the reader
  else
    fuzz_claim(err.code == rc && err.msg[0] != '\0', "a refusal says why");
  mw_arena_free(&mem);
  return 0;
}

#endif
