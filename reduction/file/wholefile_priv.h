// SPDX-License-Identifier: BSD-3-Clause
// wholefile_priv.h: the trailer that tells whether a file is whole.
#ifndef MW_REDUCTION_WHOLEFILE_PRIV_H
#define MW_REDUCTION_WHOLEFILE_PRIV_H

#include <stddef.h>

enum { MW_TRAILER = 40 };  // bytes: the magic and a SHA-256

extern const char mw_trailer_magic[8];

// The trailer of data [n] bytes.
void mw_trailer_make(const void *data, size_t n, unsigned char out[MW_TRAILER]);

#endif
