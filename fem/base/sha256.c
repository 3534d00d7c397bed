// SPDX-License-Identifier: BSD-3-Clause
// sha256.c: SHA-256, 64 bytes at a time. [FIPS180-4] sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.
#include "base/sha256.h"

#include <string.h>

// first 32 bits of the fractional parts of the cube roots of the first 64 primes
static const uint32_t k256[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

// One round on the eight working variables; those of the next stand one place further.
static inline void step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                        uint32_t g, uint32_t *h, uint32_t kw)
{
  uint32_t big1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25), ch = (e & f) ^ (~e & g);
  uint32_t t1 = *h + big1 + ch + kw;
  uint32_t big0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22), maj = (a & b) ^ (a & c) ^ (b & c);
  *d += t1;
  *h = t1 + big0 + maj;
}

static void block(uint32_t h[8], const uint8_t p[64])
{
  uint32_t w[64];
  for (int i = 0; i < 16; i++, p += 4)
    w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  // variables go round by their names, eight rounds at a time: none is in memory
  uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], z = h[7];
  for (int i = 0; i < 64; i += 8) {
    step(a, b, c, &d, e, f, g, &z, k256[i] + w[i]);
    step(z, a, b, &c, d, e, f, &g, k256[i + 1] + w[i + 1]);
    step(g, z, a, &b, c, d, e, &f, k256[i + 2] + w[i + 2]);
    step(f, g, z, &a, b, c, d, &e, k256[i + 3] + w[i + 3]);
    step(e, f, g, &z, a, b, c, &d, k256[i + 4] + w[i + 4]);
    step(d, e, f, &g, z, a, b, &c, k256[i + 5] + w[i + 5]);
    step(c, d, e, &f, g, z, a, &b, k256[i + 6] + w[i + 6]);
    step(b, c, d, &e, f, g, z, &a, k256[i + 7] + w[i + 7]);
  }
  const uint32_t s[8] = { a, b, c, d, e, f, g, z };
  for (int i = 0; i < 8; i++) h[i] += s[i];
}

void mw_sha256_init(mw_sha256 *s)
{
  static const uint32_t h0[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
  memset(s, 0, sizeof *s);
  memcpy(s->h, h0, sizeof h0);
}

void mw_sha256_add(mw_sha256 *s, const void *data, size_t n)
{
  const uint8_t *p = data;
  while (n > 0) {
    size_t at = (size_t)(s->n % 64), part = 64 - at < n ? 64 - at : n;
    memcpy(s->buf + at, p, part);
    s->n += part;
    p += part;
    n -= part;
    if (s->n % 64 == 0) block(s->h, s->buf);
  }
}

void mw_sha256_end(mw_sha256 *s, uint8_t out[32])
{
  static const uint8_t pad[64] = { 0x80 };
  uint64_t bits = 8 * s->n;
  uint8_t length[8];
  for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  // one bit, then zeros up to 56 modulo 64, then the length
  mw_sha256_add(s, pad, (size_t)(1 + (119 - s->n % 64) % 64));
  mw_sha256_add(s, length, sizeof length);
  for (int i = 0; i < 32; i++) out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void mw_sha256_hex(const uint8_t digest[32], char hex[65])
{
  static const char digit[] = "0123456789abcdef";
  for (int i = 0; i < 32; i++) {
    hex[2 * i] = digit[digest[i] >> 4];
    hex[2 * i + 1] = digit[digest[i] & 15];
  }
  hex[64] = '\0';
}
