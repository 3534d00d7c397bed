// SPDX-License-Identifier: BSD-3-Clause
// eigen_read.c: reads the job: rank 0 checks the digest, then every rank reads the columns of its
// own slice.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <string.h>

#include "eigen_priv.h"

// Is the head what helper/eigen_far.c writes, and the file as long as it says? Places are computed
// of counts that are in range.
static mw_code check_head(job *j, FILE *f, mw_error *err)
{
  const eigen_job_head *h = &j->head;
  bool okay = memcmp(h->magic, EIGEN_JOB_MAGIC, sizeof h->magic) == 0;
  okay = okay && h->n >= 1 && h->n < INT_MAX && h->nnz_K >= 0 && h->nnz_K <= INT_MAX;
  okay = okay && h->nnz_M >= 0 && h->nnz_M <= INT_MAX && h->n_modes >= 0 && h->n_modes <= h->n;
  okay = okay && h->k >= 0 && h->k <= INT_MAX / h->n && isfinite(h->sigma);
  if (okay) j->at = eigen_job_places(h);
  okay = okay && fseeko(f, 0, SEEK_END) == 0 && (int64_t)ftello(f) == j->at.end;
  if (okay) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "this is no job of modeway-eigen " MW_VERSION ", or one of another version");
}

static mw_code no_matrix(const char *what, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the matrices of the job have %s", what);
}

// Columns from lo on: counts ascend, rows ascend from the diagonal on, values are finite.
static mw_code check_columns(const mw_csc *A, int lo, mw_error *err)
{
  for (int c = 0; c < A->n_col; c++)
    for (int p = A->ptr[c]; p < A->ptr[c + 1]; p++) {
      int least = p > A->ptr[c] ? A->row[p - 1] + 1 : lo + c;
      if (A->row[p] < least || A->row[p] >= A->n_row)
        return no_matrix("rows that are out of order or none", err);
      if (!isfinite(A->val[p])) return no_matrix("values that are not finite", err);
    }
  return MW_OK;
}

// Counts [n + 1] of entries before each column of a slice, nnz of all.
static mw_code check_counts(const int *ptr, int n, int64_t nnz, mw_error *err)
{
  bool okay = ptr[0] >= 0 && ptr[n] <= nnz;
  for (int c = 0; c < n; c++) okay = okay && ptr[c] <= ptr[c + 1];
  return okay ? MW_OK : no_matrix("columns that are out of order or none", err);
}

static mw_code read_columns(FILE *f, const eigen_matrix_place *at, int64_t n_entry, job *j,
                            mw_csc *A, mw_error *err)
{
  int n_loc = j->s.n_loc, lo = j->s.first[j->s.rank];
  A->n_row = j->s.n;
  A->n_col = n_loc;
  A->sym = true;
  A->ptr = mw_arena_int(&j->mem, (size_t)n_loc + 1);
  mw_code rc = mw_arena_check(&j->mem, err);
  const int64_t i32 = (int64_t)sizeof(int), f64 = (int64_t)sizeof(double);
  if (rc == MW_OK)
    rc = eigen_get(f, at->ptr + lo * i32, A->ptr, sizeof(int), (size_t)n_loc + 1, err);
  if (rc == MW_OK) rc = check_counts(A->ptr, n_loc, n_entry, err);
  if (rc != MW_OK) return rc;
  int64_t from = A->ptr[0];
  for (int c = n_loc; c >= 0; c--) A->ptr[c] -= A->ptr[0];
  size_t nnz = (size_t)A->ptr[n_loc];
  A->row = mw_arena_int(&j->mem, nnz);
  A->val = mw_arena_f64(&j->mem, nnz);
  rc = mw_arena_check(&j->mem, err);
  if (rc == MW_OK) rc = eigen_get(f, at->row + from * i32, A->row, sizeof(int), nnz, err);
  if (rc == MW_OK) rc = eigen_get(f, at->val + from * f64, A->val, sizeof(double), nnz, err);
  if (rc == MW_OK) rc = check_columns(A, lo, err);
  return rc;
}

static mw_code read_slices(FILE *f, job *j, mw_error *err)
{
  mw_code rc = eigen_get(f, 0, &j->head, sizeof j->head, 1, err);
  if (rc == MW_OK) rc = check_head(j, f, err);
  if (rc == MW_OK) rc = team_slices((int)j->head.n, &j->mem, &j->s, err);
  if (rc == MW_OK) rc = read_columns(f, &j->at.K, j->head.nnz_K, j, &j->K, err);
  if (rc == MW_OK) rc = read_columns(f, &j->at.M, j->head.nnz_M, j, &j->M, err);
  return rc;
}

mw_code job_read(const char *path, job *out, mw_error *err)
{
  job j = { 0 };
  int rank = 0;
  mw_code rc = MW_OK;
  FILE *f = NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) rc = eigen_read_open(path, &f, err);
  rc = team_agree(rc, err);
  if (rc == MW_OK && rank != 0) {
    f = fopen(path, "rb");
    if (!f)
      rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE,
                   "rank %d cannot read %.300s: %s (all machines must see the folder of the job)",
                   rank, path, strerror(errno));
  }
  if (rc == MW_OK) rc = read_slices(f, &j, err);
  rc = team_agree(rc, err);
  if (rc == MW_OK && rank == 0) {
    j.f = f;
  } else if (f) {
    fclose(f);
  }
  if (rc == MW_OK)
    *out = j;
  else
    mw_arena_free(&j.mem);
  return rc;
}

mw_code job_rhs(const job *j, int from, int rows, double *B, mw_error *err)
{
  int64_t at = j->at.B + (int64_t)from * j->head.n * (int64_t)sizeof *B;
  return eigen_get(j->f, at, B, sizeof *B, (size_t)rows * (size_t)j->s.n, err);
}

void job_free(job *j)
{
  if (j->f) fclose(j->f);
  mw_arena_free(&j->mem);
  *j = (job){ 0 };
}
