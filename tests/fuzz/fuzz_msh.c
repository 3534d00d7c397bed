// SPDX-License-Identifier: BSD-3-Clause
// fuzz_msh.c: meshes in .msh files.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) { return fuzz_mesh(".msh", data, n); }
