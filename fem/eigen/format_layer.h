// SPDX-License-Identifier: BSD-3-Clause
// format_layer.h: the two files between modeway (helper/eigen_far.c) and modeway-eigen, both on
// machines of one kind.
//
//   JOB     job_head · K.ptr int [n+1] · K.row int [nnz] · K.val double [nnz] · M the same · B
//           double [k × n] · digest
//   RESULT  result_head · Y double [k × n] · lambda double [n_modes] · X double [n_modes × n] ·
//           result_tail · digest
//
// The digest is SHA-256 of all before it. A result with code != 0 is its head and a digest, no
// more.
#ifndef MW_FEM_EIGEN_FORMAT_LAYER_H
#define MW_FEM_EIGEN_FORMAT_LAYER_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/sha256.h"

#define EIGEN_JOB_MAGIC    "mweigj1"  // the digit: version of the layout
#define EIGEN_RESULT_MAGIC "mweigr1"

// modes computed beyond those wanted, among them the gap for the proof; both programs must agree
enum { EIGEN_GUARD = 8 };

typedef struct eigen_job_head {
  char magic[8];
  int64_t n, nnz_K, nnz_M, n_modes, k;
  double sigma;  // (rad/s)²
} eigen_job_head;

typedef struct eigen_result_head {
  char magic[8];
  int64_t code;  // mw_code
  int64_t n, n_modes, k;
  char msg[512];
} eigen_result_head;

typedef struct eigen_result_tail {
  int64_t below, rounds;
  double residual;
} eigen_result_tail;

typedef struct eigen_matrix_place {
  int64_t ptr, row, val;  // bytes from the file's beginning
} eigen_matrix_place;

typedef struct eigen_job_place {
  eigen_matrix_place K, M;
  int64_t B, end;  // end: of the file with its digest
} eigen_job_place;

eigen_job_place eigen_job_places(const eigen_job_head *h);

// A file being written, digested on the way.
typedef struct eigen_writer {
  FILE *f;
  const char *path;
  mw_sha256 sha;
} eigen_writer;

MW_MUST_USE mw_code eigen_write_open(const char *path, eigen_writer *w, mw_error *err);
void eigen_put(eigen_writer *w, const void *data, size_t size, size_t count);  // errors: at close
// Adds the digest; a file that is not whole is removed.
MW_MUST_USE mw_code eigen_write_close(eigen_writer *w, mw_error *err);
void eigen_write_drop(eigen_writer *w);  // closes and removes; {0} is fine

// Opens for reading after checking the digest; the file stands at its beginning.
MW_MUST_USE mw_code eigen_read_open(const char *path, FILE **f, mw_error *err);
// Reads count numbers of size bytes at byte `at`.
MW_MUST_USE mw_code eigen_get(FILE *f, int64_t at, void *data, size_t size, size_t count,
                              mw_error *err);
#endif
