// SPDX-License-Identifier: BSD-3-Clause
// format.c: job and result files of modeway-eigen: written in one stream with a digest, read at any
// place.
#include "format_layer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { DIGEST = 32, PIECE = 1 << 16 };

static eigen_matrix_place matrix_at(int64_t at, int64_t n, int64_t nnz)
{
  eigen_matrix_place p = { .ptr = at };
  p.row = p.ptr + (n + 1) * (int64_t)sizeof(int);
  p.val = p.row + nnz * (int64_t)sizeof(int);
  return p;
}

eigen_job_place eigen_job_places(const eigen_job_head *h)
{
  const int64_t f64 = (int64_t)sizeof(double);
  eigen_job_place p = { .K = matrix_at((int64_t)sizeof *h, h->n, h->nnz_K) };
  p.M = matrix_at(p.K.val + h->nnz_K * f64, h->n, h->nnz_M);
  p.B = p.M.val + h->nnz_M * f64;
  p.end = p.B + h->k * h->n * f64 + DIGEST;
  return p;
}

mw_code eigen_write_open(const char *path, eigen_writer *w, mw_error *err)
{
  *w = (eigen_writer){ .path = path, .f = fopen(path, "wb") };
  mw_sha256_init(&w->sha);
  if (w->f) return MW_OK;
  return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%.300s cannot be written: %s", path, strerror(errno));
}

void eigen_put(eigen_writer *w, const void *data, size_t size, size_t count)
{
  if (count == 0) return;
  mw_sha256_add(&w->sha, data, size * count);
  (void)fwrite(data, size, count, w->f);
}

mw_code eigen_write_close(eigen_writer *w, mw_error *err)
{
  uint8_t digest[DIGEST];
  mw_sha256_end(&w->sha, digest);
  (void)fwrite(digest, 1, sizeof digest, w->f);
  errno = 0;
  int bad = fflush(w->f) != 0 || ferror(w->f), why = errno;
  bad = fclose(w->f) != 0 || bad;
  w->f = NULL;
  if (!bad) return MW_OK;
  remove(w->path);
  return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%.300s cannot be written: %s", w->path,
                 why ? strerror(why) : "no room");
}

void eigen_write_drop(eigen_writer *w)
{
  if (!w->f) return;
  fclose(w->f);
  w->f = NULL;
  remove(w->path);
}

static mw_code damaged(const char *path, mw_error *err)
{
  return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%.300s is damaged: its digest does not hold", path);
}

static mw_code check(FILE *f, const char *path, mw_error *err)
{
  mw_sha256 sha;
  uint8_t got[DIGEST], want[DIGEST];
  char *buf = malloc(PIECE);
  if (!buf) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  mw_sha256_init(&sha);
  int64_t left = fseeko(f, 0, SEEK_END) == 0 ? (int64_t)ftello(f) - DIGEST : -1;
  int okay = left > 0 && fseeko(f, 0, SEEK_SET) == 0;
  while (okay && left > 0) {
    size_t n = left < PIECE ? (size_t)left : PIECE;
    okay = fread(buf, 1, n, f) == n;
    if (okay) mw_sha256_add(&sha, buf, n);
    left -= (int64_t)n;
  }
  free(buf);
  mw_sha256_end(&sha, got);
  okay = okay && fread(want, 1, DIGEST, f) == DIGEST && memcmp(got, want, DIGEST) == 0;
  rewind(f);
  return okay ? MW_OK : damaged(path, err);
}

mw_code eigen_read_open(const char *path, FILE **f, mw_error *err)
{
  *f = fopen(path, "rb");
  if (!*f)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%.300s cannot be read: %s", path, strerror(errno));
  mw_code rc = check(*f, path, err);
  if (rc != MW_OK) {
    fclose(*f);
    *f = NULL;
  }
  return rc;
}

mw_code eigen_get(FILE *f, int64_t at, void *data, size_t size, size_t count, mw_error *err)
{
  if (fseeko(f, (off_t)at, SEEK_SET) == 0 && fread(data, size, count, f) == count) return MW_OK;
  return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "a file of the eigenvalue job cannot be read: %s",
                 ferror(f) ? strerror(errno) : "too short");
}
