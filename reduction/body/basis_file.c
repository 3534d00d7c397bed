// SPDX-License-Identifier: BSD-3-Clause
// basis_file.c: bases of bodies on disk, by the content of the body.
//
// The name is a digest of what the basis is made from: K, M, interface, gravity, stress rows. A
// file holds the projected body as it is in memory, with a digest behind it (ncfile.h), and one
// beside it T, with its sum in the first: a cache of this machine, not a document.
// A file that is broken, short or of another version is made again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "basis_priv.h"
#include "reduction/ncfile.h"
#include "reduction/work.h"

enum { VERSION = 3, MAGIC = 0x4d574231 };

// Hash of 64-bit words in eight lanes, each a multiplication a word: as fast as memory; SHA-256 of
// the lanes names the content. What it must tell apart are bodies, not forgeries.
static void add_words(mw_sha256 *s, size_t n, const void *data)
{
  enum { LANES = 8 };
  static const uint64_t PRIME = 0x9e3779b97f4a7c15ull;  // golden section
  uint64_t h[LANES + 1] = { 1, 2, 3, 4, 5, 6, 7, 8, n }, w[LANES];
  const unsigned char *p = data;
  size_t i = 0;
  for (; i + sizeof w <= n; i += sizeof w) {
    memcpy(w, p + i, sizeof w);
    for (int l = 0; l < LANES; l++) {
      h[l] = (h[l] ^ w[l]) * PRIME;
      h[l] ^= h[l] >> 29;
    }
  }
  mw_sha256_add(s, h, sizeof h);
  mw_sha256_add(s, p + i, n - i);
}

static void add_csc(mw_sha256 *s, const mw_csc *A)
{
  int size[4] = { A->n_row, A->n_col, A->sym, A->ptr ? A->ptr[A->n_col] : 0 };
  mw_sha256_add(s, size, sizeof size);
  if (!A->ptr) return;
  add_words(s, ((size_t)A->n_col + 1) * sizeof *A->ptr, A->ptr);
  add_words(s, (size_t)size[3] * sizeof *A->row, A->row);
  add_words(s, (size_t)size[3] * sizeof *A->val, A->val);
}

void basis_key(const mw_body *b, char key[65])
{
  mw_sha256 s;
  uint8_t digest[32];
  int head[] = { VERSION, b->ground, b->gravity, b->n_u, b->n_z, b->n_gauge };
  size_t n = (size_t)b->n_u;
  mw_sha256_init(&s);
  mw_sha256_add(&s, MW_VERSION, sizeof MW_VERSION);
  mw_sha256_add(&s, head, sizeof head);
  add_csc(&s, &b->K);
  add_csc(&s, &b->M);
  add_csc(&s, &b->P);
  add_csc(&s, &b->S);
  add_words(&s, 3 * n * sizeof *b->s, b->s);
  add_words(&s, 9 * n * sizeof *b->h, b->h);
  if (b->R) add_words(&s, 6 * n * sizeof *b->R, b->R);
  mw_sha256_end(&s, digest);
  mw_sha256_hex(digest, key);
}

static void put_csc(mw_pack *p, const mw_csc *A)
{
  int size[4] = { A->n_row, A->n_col, A->sym, A->ptr ? A->ptr[A->n_col] : -1 };
  mw_pack_int(p, 4, size);
  if (!A->ptr) return;
  mw_pack_int(p, A->n_col + 1, A->ptr);
  mw_pack_int(p, size[3], A->row);
  mw_pack_f64(p, (size_t)size[3], A->val);
}

static void get_csc(mw_unpack *u, mw_arena *mem, mw_csc *A)
{
  int size[4] = { 0 };
  mw_unpack_int(u, 4, size);
  *A = (mw_csc){ .n_row = size[0], .n_col = size[1], .sym = size[2] != 0 };
  if (u->failed || size[3] < 0) return;
  A->ptr = mw_arena_int(mem, (size_t)A->n_col + 1);
  A->row = mw_arena_int(mem, (size_t)size[3]);
  A->val = mw_arena_f64(mem, (size_t)size[3]);
  if (mw_arena_check(mem, NULL) != MW_OK) {
    u->failed = true;
    return;
  }
  mw_unpack_int(u, A->n_col + 1, A->ptr);
  mw_unpack_int(u, size[3], A->row);
  mw_unpack_f64(u, (size_t)size[3], A->val);
}

// Sum over n numbers of single precision that any flipped bit or shift changes: eight lanes of a
// multiplicative hash.
static unsigned long long sum_of(size_t n, const float *x)
{
  enum { LANES = 8 };
  static const unsigned long long PRIME = 1099511628211ull;  // FNV
  unsigned long long h[LANES], all = 14695981039346656037ull;
  for (int l = 0; l < LANES; l++) h[l] = all + (unsigned long long)l;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    unsigned w[LANES];
    memcpy(w, x + i, sizeof w);
    for (int l = 0; l < LANES; l++) h[l] = (h[l] ^ w[l]) * PRIME;
  }
  for (; i < n; i++) {
    unsigned w;
    memcpy(&w, x + i, sizeof w);
    h[0] = (h[0] ^ w) * PRIME;
  }
  for (int l = 0; l < LANES; l++) all = (all ^ h[l]) * PRIME;
  return all;
}

static mw_code shapes_path(const char *path, char *out, size_t n, mw_error *err)
{
  if ((size_t)snprintf(out, n, "%s.shapes", path) < n) return MW_OK;
  return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the path of the cache is too long");
}

mw_code mw_basis_shapes(mw_basis *b, mw_error *err)
{
  char path[4200], *data = NULL;
  size_t n = 0, want = (size_t)b->r * (size_t)b->n_u;
  if (b->T || b->n_u == 0) return MW_OK;
  mw_code rc = b->file ? shapes_path(b->file, path, sizeof path, err)
                       : mw_fail(err, MW_ERR_IO, MW_NOWHERE, "no shapes of body %s", b->body.name);
  if (rc == MW_OK) rc = mw_file_read(path, &data, &n, err);
  if (rc == MW_OK &&
      (n != want * sizeof *b->T || sum_of(want, (const float *)(void *)data) != b->sum))
    rc =
        mw_fail(err, MW_ERR_IO, (mw_at){ .file = path }, "not the shapes of body %s", b->body.name);
  if (rc == MW_OK) {
    b->T = mw_arena_alloc(&b->mem, want, sizeof *b->T);
    rc = mw_arena_check(&b->mem, err);
  }
  if (rc == MW_OK) memcpy(b->T, data, n);
  free(data);
  return rc;
}

mw_code basis_write(mw_basis *b, const char *path, mw_error *err)
{
  mw_pack p = { 0 };
  char shapes[4200];
  size_t n_T = (size_t)b->r * (size_t)b->n_u;
  b->sum = sum_of(n_T, b->T);
  int sum[2] = { (int)(b->sum >> 32), (int)(b->sum & 0xffffffffu) };
  mw_code rc = shapes_path(path, shapes, sizeof shapes, err);
  if (rc == MW_OK) rc = mw_file_replace(shapes, b->T, n_T * sizeof *b->T, false, err);
  if (rc != MW_OK) return rc;
  const mw_body *q = &b->body;
  int head[] = { MAGIC, VERSION, b->n_u, b->r, b->n_rigid, b->n_mode, b->n_pattern, q->R != NULL };
  mw_pack_int(&p, 8, head);
  mw_pack_f64(&p, 1, &b->band);
  mw_pack_f64(&p, 1, &b->left);
  mw_pack_int(&p, 2, sum);
  put_csc(&p, &q->K);
  put_csc(&p, &q->M);
  for (int k = 0; k < 6; k++) put_csc(&p, &q->Mab[k]);
  put_csc(&p, &q->P);
  put_csc(&p, &q->S);
  mw_pack_f64(&p, 3 * (size_t)b->r, q->s);
  mw_pack_f64(&p, 9 * (size_t)b->r, q->h);
  if (q->R) mw_pack_f64(&p, 6 * (size_t)b->r, q->R);
  rc = p.failed ? mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the basis of %s", q->name)
                : mw_file_replace(path, p.b.p, p.b.n, true, err);
  free(p.b.p);
  return rc;
}

// Bytes of a file whose digest holds, without it.
static mw_code read_digested(const char *path, char **data, size_t *n, mw_error *err)
{
  static const char mark[] = "MWDIGEST";
  enum { MARK = 8, TRAILER = 40 };
  mw_sha256 s;
  uint8_t digest[32];
  mw_code rc = mw_file_read(path, data, n, err);
  if (rc != MW_OK) return rc;
  bool good = *n > TRAILER && memcmp(*data + *n - TRAILER, mark, MARK) == 0;
  if (good) {
    mw_sha256_init(&s);
    mw_sha256_add(&s, *data, *n - TRAILER);
    mw_sha256_end(&s, digest);
    good = memcmp(digest, *data + *n - sizeof digest, sizeof digest) == 0;
  }
  *n -= good ? TRAILER : 0;
  if (good) return MW_OK;
  free(*data);
  *data = NULL;
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "the digest does not hold");
}

mw_code basis_read(const mw_body *full, const char *path, mw_basis *out, mw_error *err)
{
  char *data = NULL;
  size_t n = 0;
  mw_code rc = read_digested(path, &data, &n, err);
  if (rc != MW_OK) return rc;
  mw_unpack u = { .p = (unsigned char *)data, .left = n };
  mw_basis b = { .body = *full };
  mw_body *q = &b.body;
  int head[8] = { 0 };
  mw_unpack_int(&u, 8, head);
  bool ours = !u.failed && head[0] == MAGIC && head[1] == VERSION && head[2] == full->n_u;
  if (ours) {
    b.n_u = head[2];
    b.r = q->n_u = head[3];
    b.n_rigid = head[4];
    b.n_mode = head[5];
    b.n_pattern = head[6];
    size_t r = (size_t)b.r;
    mw_unpack_f64(&u, 1, &b.band);
    mw_unpack_f64(&u, 1, &b.left);
    int sum[2] = { 0 };
    mw_unpack_int(&u, 2, sum);
    b.sum = (unsigned long long)(unsigned)sum[0] << 32 | (unsigned)sum[1];
    b.file = mw_arena_str(&b.mem, path);
    q->n_node = q->n_edge = q->n_tri = 0;
    q->X = q->R = NULL;
    q->edge = q->tri = NULL;
    q->mesh = NULL;
    q->N = q->Nr = (mw_csc){ 0 };
    get_csc(&u, &b.mem, &q->K);
    get_csc(&u, &b.mem, &q->M);
    for (int k = 0; k < 6; k++) get_csc(&u, &b.mem, &q->Mab[k]);
    get_csc(&u, &b.mem, &q->P);
    get_csc(&u, &b.mem, &q->S);
    q->s = mw_arena_f64(&b.mem, 3 * r);
    q->h = mw_arena_f64(&b.mem, 9 * r);
    if (head[7]) q->R = mw_arena_f64(&b.mem, 6 * r);
    rc = mw_arena_check(&b.mem, err);
    if (rc == MW_OK) {
      mw_unpack_f64(&u, 3 * r, q->s);
      mw_unpack_f64(&u, 9 * r, q->h);
      if (q->R) mw_unpack_f64(&u, 6 * r, q->R);
    }
  }
  if (rc == MW_OK && (!ours || u.failed || u.left != 0))
    rc =
        mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "not the basis of body %s", full->name);
  free(data);
  if (rc == MW_OK)
    *out = b;
  else
    mw_basis_free(&b);
  return rc;
}
