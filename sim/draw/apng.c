// SPDX-License-Identifier: BSD-3-Clause
// apng.c: pictures in turn as one animated PNG.
//
// The first PNG with acTL behind its header and fcTL before its data; the data of each further one
// as fdAT behind an fcTL of its own. Numbers of fcTL and fdAT go on through the file (PNG, third
// edition, W3C 2025, section 11.3.2).
#include <stdbool.h>
#include <string.h>

#include "raster_layer.h"

enum { SIGNATURE = 8, AROUND = 12, HEADER = 13 };  // bytes; around: length, type, checksum

typedef struct writer {
  unsigned char *out;
  size_t n;
  unsigned number;  // of the next fcTL or fdAT
} writer;

static void put32(unsigned char *to, unsigned long v)
{
  for (int k = 0; k < 4; k++) to[k] = (unsigned char)(v >> (24 - 8 * k) & 255u);
}

static unsigned long get32(const unsigned char *p)
{
  return (unsigned long)p[0] << 24 | (unsigned long)p[1] << 16 | (unsigned long)p[2] << 8 | p[3];
}

// CRC-32 of the type and data of a chunk (PNG, annex D).
static unsigned long checksum(const unsigned char *p, size_t n)
{
  unsigned long c = 0xffffffffUL;
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = c & 1u ? 0xedb88320UL ^ c >> 1 : c >> 1;
  }
  return ~c & 0xffffffffUL;
}

// A chunk of before [n_before], then data [n].
static void chunk(writer *w, const char *type, const unsigned char *before, size_t n_before,
                  const unsigned char *data, size_t n)
{
  unsigned char *to = w->out + w->n;
  put32(to, (unsigned long)(n_before + n));
  memcpy(to + 4, type, 4);
  if (n_before > 0) memcpy(to + 8, before, n_before);
  if (n > 0) memcpy(to + 8 + n_before, data, n);
  put32(to + 8 + n_before + n, checksum(to + 4, 4 + n_before + n));
  w->n += AROUND + n_before + n;
}

static void control(writer *w, const unsigned char *header, int ms)
{
  unsigned char c[26] = { 0 };
  put32(c, w->number++);
  memcpy(c + 4, header, 8);  // width and height
  c[20] = (unsigned char)(ms >> 8 & 255);
  c[21] = (unsigned char)(ms & 255);
  c[22] = 1000 >> 8;
  c[23] = 1000 & 255;
  chunk(w, "fcTL", c, sizeof c, NULL, 0);
}

// Data of one picture as IDAT (the first) or fdAT.
static void frame(writer *w, const unsigned char *png, size_t n, bool first)
{
  for (size_t at = SIGNATURE; at + AROUND <= n;) {
    size_t size = get32(png + at);
    unsigned char number[4];
    if (memcmp(png + at + 4, "IDAT", 4) == 0) {
      if (first) {
        chunk(w, "IDAT", NULL, 0, png + at + 8, size);
      } else {
        put32(number, w->number++);
        chunk(w, "fdAT", number, 4, png + at + 8, size);
      }
    }
    at += AROUND + size;
  }
}

mw_code mw_apng_build(int n_frame, unsigned char *const *png, const size_t *n_png, int ms,
                      mw_arena *mem, unsigned char **out, size_t *n, mw_error *err)
{
  writer w = { 0 };
  unsigned char count[8];
  size_t most = SIGNATURE + 200;
  for (int k = 0; k < n_frame; k++) most += 2 * n_png[k] + 200;
  w.out = mw_arena_alloc(mem, most, 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  const unsigned char *header = png[0] + SIGNATURE + 8;
  memcpy(w.out, png[0], SIGNATURE);
  w.n = SIGNATURE;
  chunk(&w, "IHDR", NULL, 0, header, HEADER);
  put32(count, (unsigned long)n_frame);
  put32(count + 4, 0);  // plays without end
  chunk(&w, "acTL", count, sizeof count, NULL, 0);
  for (int k = 0; k < n_frame; k++) {
    control(&w, header, ms);
    frame(&w, png[k], n_png[k], k == 0);
  }
  chunk(&w, "IEND", NULL, 0, NULL, 0);
  *out = w.out;
  *n = w.n;
  return MW_OK;
}
