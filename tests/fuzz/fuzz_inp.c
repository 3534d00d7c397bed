// SPDX-License-Identifier: BSD-3-Clause
// fuzz_inp.c: meshes in .inp files.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) { return fuzz_mesh(".inp", data, n); }
