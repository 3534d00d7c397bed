// SPDX-License-Identifier: BSD-3-Clause
// sha256.h: SHA-256 (FIPS 180-4), for content hashes and file digests.
#ifndef MW_BASE_SHA256_H
#define MW_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "base/api.h"

MW_API_BEGIN

typedef struct mw_sha256 {
  uint32_t h[8];
  uint64_t n;  // bytes so far
  uint8_t buf[64];
} mw_sha256;

void mw_sha256_init(mw_sha256 *s);
void mw_sha256_add(mw_sha256 *s, const void *data, size_t n);
void mw_sha256_end(mw_sha256 *s, uint8_t out[32]);
void mw_sha256_hex(const uint8_t digest[32], char hex[65]);

MW_API_END

#endif
