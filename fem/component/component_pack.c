// SPDX-License-Identifier: BSD-3-Clause
// component_pack.c: what a component is made from, behind the shared object at the end of its file.
//
// Its texts are not readable as they lie there: each byte is combined with one of a sequence that
// begins with their digest. That keeps names off screens and searches, not from somebody who takes
// the object apart: the numbers of a mechanism are in any program that computes it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "component_priv.h"

static const unsigned char MAGIC[8] = { 'M', 'W', 'C', 'O', 'M', 'P', '0', '1' };
enum { AT_OBJECT = 8, AT_PAYLOAD = 16, AT_WHOLE = 24, AT_DIGEST = 56, U64 = 8 };

static void put_u64(unsigned char *to, uint64_t x)
{
  for (int i = 0; i < U64; i++) to[i] = (unsigned char)(x >> 8 * i);
}

static uint64_t get_u64(const unsigned char *from)
{
  uint64_t x = 0;
  for (int i = 0; i < U64; i++) x |= (uint64_t)from[i] << 8 * i;
  return x;
}

// xorshift64*, from the first bytes of the hash
static void cover(const char hash[65], unsigned char *bytes, size_t n)
{
  uint64_t x = 88172645463325252u;
  for (int i = 0; i < 64; i++) x = x * 31u + (unsigned char)hash[i];
  for (size_t i = 0; i < n; i++) {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    bytes[i] ^= (unsigned char)(x * 2685821657736338717u >> 56);
  }
}

mw_code mw_pack_make(const mw_component_source *s, mw_arena *mem, unsigned char **bytes, size_t *n,
                     mw_error *err)
{
  size_t all = sizeof s->hash - 1 + U64;
  for (int k = 0; k < s->n_file; k++) all += 2 * U64 + strlen(s->file[k].path) + s->file[k].n;
  unsigned char *b = mw_arena_alloc(mem, all, 1), *to = b;
  if (!b) return mw_arena_check(mem, err);
  memcpy(to, s->hash, sizeof s->hash - 1);
  to += sizeof s->hash - 1;
  put_u64(to, (uint64_t)s->n_file);
  to += U64;
  for (int k = 0; k < s->n_file; k++) {
    const mw_model_text *f = &s->file[k];
    put_u64(to, strlen(f->path));
    put_u64(to + U64, f->n);
    memcpy(to + 2 * U64, f->path, strlen(f->path));
    memcpy(to + 2 * U64 + strlen(f->path), f->text, f->n);
    to += 2 * U64 + strlen(f->path) + f->n;
  }
  cover(s->hash, b + sizeof s->hash - 1, all - (sizeof s->hash - 1));
  *bytes = b;
  *n = all;
  return MW_OK;
}

void mw_pack_trailer(const unsigned char *payload, size_t n, const unsigned char *object,
                     size_t n_object, unsigned char out[MW_PACK_TRAILER])
{
  mw_sha256 sha;
  memcpy(out, MAGIC, sizeof MAGIC);
  put_u64(out + AT_OBJECT, n_object);
  put_u64(out + AT_PAYLOAD, n);
  mw_sha256_init(&sha);
  mw_sha256_add(&sha, object, n_object);
  mw_sha256_add(&sha, payload, n);
  mw_sha256_end(&sha, out + AT_WHOLE);
  mw_sha256_init(&sha);
  mw_sha256_add(&sha, payload, n);
  mw_sha256_end(&sha, out + AT_DIGEST);
}

// ---- reading ------------------------------------------------------------------------------------

static mw_code damaged(mw_error *err, const char *what)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s, expected the component as it was exported",
                 what);
}

// Files of the uncovered payload b [n], into mem.
static mw_code take_apart(const unsigned char *b, size_t n, mw_arena *mem, mw_component_source *out,
                          mw_error *err)
{
  size_t at = sizeof out->hash - 1 + U64;
  if (n < at) return damaged(err, "found too few bytes");
  memcpy(out->hash, b, sizeof out->hash - 1);
  out->hash[sizeof out->hash - 1] = 0;
  uint64_t count = get_u64(b + at - U64);
  if (count == 0 || count > n / (2 * U64)) return damaged(err, "found no files inside");
  out->file = mw_arena_alloc(mem, (size_t)count, sizeof *out->file);
  if (!out->file) return mw_arena_check(mem, err);
  for (out->n_file = 0; out->n_file < (int)count; out->n_file++) {
    if (n - at < 2 * U64) return damaged(err, "found a file inside without an end");
    uint64_t m = get_u64(b + at), k = get_u64(b + at + U64);
    at += 2 * U64;
    if (m > n - at || k > n - at - m) return damaged(err, "found a file inside without an end");
    char *path = mw_arena_alloc(mem, (size_t)m + 1, 1),
         *text = mw_arena_alloc(mem, (size_t)k + 1, 1);
    if (!path || !text) return mw_arena_check(mem, err);
    memcpy(path, b + at, (size_t)m);
    memcpy(text, b + at + m, (size_t)k);
    out->file[out->n_file] = (mw_model_text){ path, text, (size_t)k };
    at += (size_t)(m + k);
  }
  return MW_OK;
}

// Adds n bytes of f, from where it is on, to sha; false: there are fewer.
static bool digest(FILE *f, uint64_t n, mw_sha256 *sha)
{
  unsigned char buf[1 << 14];
  while (n > 0) {
    size_t want = n < sizeof buf ? (size_t)n : sizeof buf, got = fread(buf, 1, want, f);
    if (got == 0) return false;
    mw_sha256_add(sha, buf, got);
    n -= got;
  }
  return true;
}

static mw_code check_whole(FILE *f, const unsigned char *trailer, uint64_t n, mw_error *err)
{
  mw_sha256 sha;
  unsigned char is[32];
  mw_sha256_init(&sha);
  if (fseek(f, 0, SEEK_SET) != 0 || !digest(f, n, &sha))
    return damaged(err, "cannot read the file");
  mw_sha256_end(&sha, is);
  return memcmp(is, trailer + AT_WHOLE, sizeof is) == 0
             ? MW_OK
             : damaged(err, "found bytes that are not those of its digest");
}

static mw_code read_payload(FILE *f, const unsigned char *trailer, mw_arena *mem,
                            mw_component_source *out, mw_error *err)
{
  uint64_t object = get_u64(trailer + AT_OBJECT), n = get_u64(trailer + AT_PAYLOAD);
  unsigned char *b = mw_arena_alloc(mem, (size_t)n + 1, 1), is[32];
  char hash[sizeof out->hash] = "";
  mw_sha256 sha;
  if (!b) return mw_arena_check(mem, err);
  if (fseek(f, (long)object, SEEK_SET) != 0 || fread(b, 1, (size_t)n, f) != n)
    return damaged(err, "cannot read the end of the file");
  mw_sha256_init(&sha);
  mw_sha256_add(&sha, b, (size_t)n);
  mw_sha256_end(&sha, is);
  if (memcmp(is, trailer + AT_DIGEST, sizeof is) != 0 || n < sizeof hash - 1)
    return damaged(err, "found bytes that are not those of its digest");
  memcpy(hash, b, sizeof hash - 1);
  cover(hash, b + sizeof hash - 1, (size_t)n - (sizeof hash - 1));
  return take_apart(b, (size_t)n, mem, out, err);
}

mw_code mw_pack_read(const char *path, bool whole, mw_arena *mem, mw_component_source *out,
                     bool *found, mw_error *err)
{
  unsigned char trailer[MW_PACK_TRAILER];
  FILE *f = fopen(path, "rb");
  *found = false;
  if (!f) return damaged(err, "cannot open the file");
  mw_code rc = MW_OK;
  bool has = fseek(f, -(long)sizeof trailer, SEEK_END) == 0;
  long end = has ? ftell(f) : 0;
  has = has && fread(trailer, 1, sizeof trailer, f) == sizeof trailer &&
        memcmp(trailer, MAGIC, sizeof MAGIC) == 0;
  *found = has;
  uint64_t object = has ? get_u64(trailer + AT_OBJECT) : 0,
           n = has ? get_u64(trailer + AT_PAYLOAD) : 0;
  if (has && (object > (uint64_t)end || n != (uint64_t)end - object))
    rc = damaged(err, "found another length than it was made with");
  if (rc == MW_OK && has && whole) rc = check_whole(f, trailer, object + n, err);
  if (rc == MW_OK && has && out) rc = read_payload(f, trailer, mem, out, err);
  fclose(f);
  return rc;
}
