// SPDX-License-Identifier: BSD-3-Clause
// fuzz_matrices.c: matrices of other programs: .mtx, .sti and .mas with .dof, DMIG; nodes.
//
// The first byte says which; what follows is two or more files, a byte of value 1 between them.
#include <string.h>

#include "fem/matrices.h"
#include "fuzz.h"

static const char *next_file(const char *ending, const uint8_t **data, size_t *n)
{
  const uint8_t *end = memchr(*data, 1, *n);
  size_t k = end ? (size_t)(end - *data) : *n;
  const char *path = fuzz_file(ending, *data, k);
  *data += k + (end != NULL);
  *n -= k + (end != NULL);
  return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  static const char *const ENDING[4][4] = { { "K.mtx", "M.mtx", NULL, ".nodes" },
                                            { "K.mtx", "M.mtx", ".dof", ".nodes" },
                                            { ".sti", ".mas", ".dof", ".inp" },
                                            { ".pch", "2.pch", NULL, ".bdf" } };
  if (n == 0) return 0;
  const char *const *ending = ENDING[data[0] % 4];
  data++;
  n--;
  mw_matrices_in in = { 0 };
  in.stiffness = next_file(ending[0], &data, &n);
  in.mass = next_file(ending[1], &data, &n);
  if (ending[2]) in.dofs = next_file(ending[2], &data, &n);
  in.nodes = next_file(ending[3], &data, &n);
  mw_arena mem = { 0 };
  mw_matrices m = { 0 };
  mw_error err = { 0 };
  mw_code rc = mw_matrices_read(&in, 1e-3, &mem, &m, &err);
  if (rc == MW_OK)
    fuzz_claim(mw_matrices_check(&m, (mw_at){ .file = in.stiffness }, &err) == MW_OK,
               "matrices that are read pass their check");
  else
    fuzz_claim(err.code == rc && err.msg[0] != '\0', "a refusal says why");
  mw_arena_free(&mem);
  return 0;
}
