// SPDX-License-Identifier: BSD-3-Clause
// nonsense.h: files with nonsense under a right digest: a whole netCDF file of modeway, changed and
// digested anew.
#ifndef MW_TEST_NONSENSE_H
#define MW_TEST_NONSENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that one change takes of `choice`.
enum { NONSENSE_BYTES = 6 };

// Rebuilds the netCDF file in image [n] at path with the changes that choice [n_choice] asks for:
// lengths of dimensions, types, values, dimensions and names of variables, attributes. false: the
// changed file cannot be made (netCDF refuses).
bool nonsense_make(const void *image, size_t n, const uint8_t *choice, size_t n_choice,
                   const char *path);

#endif
