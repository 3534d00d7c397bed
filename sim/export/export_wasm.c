// SPDX-License-Identifier: BSD-3-Clause
// export_wasm.c: the online model as WebAssembly, which the build embeds packed (gzip, then
// base64), unpacked again.
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "export_layer.h"

static int digit_of(char c)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

// Bytes of base64 text into out, 3 for 4 digits; what is no digit is passed over.
static size_t from_base64(const char *text, unsigned char *out)
{
  unsigned long word = 0;
  int bits = 0;
  size_t n = 0;
  for (; *text; text++) {
    int digit = digit_of(*text);
    if (digit < 0) continue;
    word = (word << 6 | (unsigned long)digit) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out[n++] = (unsigned char)(word >> bits & 0xff);
  }
  return n;
}

const char *mw_export_wasm_packed(mw_arena *mem)
{
  const mw_export_text *t = mw_export_text_find("modeway_rom.wasm.gz.base64");
  return t ? mw_export_text_join(t, mem) : NULL;
}

mw_code mw_export_wasm_absent(mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "this modeway was built without WebAssembly; expected clang, lld, gzip and base64 "
                 "where it is built");
}

// The size of what gzip packed stands in its last four bytes.
static size_t unpacked_size(const unsigned char *packed, size_t n)
{
  const unsigned char *end = packed + n - 4;
  return (size_t)end[0] | (size_t)end[1] << 8 | (size_t)end[2] << 16 | (size_t)end[3] << 24;
}

mw_code mw_export_wasm_module(mw_arena *mem, unsigned char **out, size_t *n, mw_error *err)
{
  const char *text = mw_export_wasm_packed(mem);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && !text) rc = mw_export_wasm_absent(err);
  if (rc != MW_OK) return rc;
  unsigned char *packed = mw_arena_alloc(mem, 3 * (strlen(text) / 4) + 3, 1);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  size_t n_packed = from_base64(text, packed);
  size_t size = n_packed > 4 ? unpacked_size(packed, n_packed) : 0;
  unsigned char *bytes = mw_arena_alloc(mem, size + 1, 1);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  z_stream z = {
    .next_in = packed, .avail_in = (uInt)n_packed, .next_out = bytes, .avail_out = (uInt)size
  };
  int status = inflateInit2(&z, 15 + 16);
  if (status == Z_OK) {
    status = inflate(&z, Z_FINISH);
    inflateEnd(&z);
  }
  if (status != Z_STREAM_END || z.total_out != size)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the embedded WebAssembly cannot be unpacked");
  *out = bytes;
  *n = size;
  return MW_OK;
}
