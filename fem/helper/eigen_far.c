// SPDX-License-Identifier: BSD-3-Clause
// eigen_far.c: writes the job of modeway-eigen, has it run, reads its result.
//
// Both files lie in a new folder, which is gone afterwards. Nothing is believed unread: the result
// has a digest, its sizes are the job's, its numbers finite. Cost beside the work: writing and
// reading 12 bytes an entry and 8 a number.
#include "fem/eigen.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wholefile.h"
#include "eigen/format_layer.h"
#include "eigen_far_priv.h"

enum { RANKS_MOST = 100000 };

mw_code mw_eigen_opt_read(mw_eigen_opt *out, mw_error *err)
{
  mw_eigen_opt opt = { .mpirun = getenv("MODEWAY_MPIRUN") };
  const char *text = getenv("MODEWAY_EIGEN_RANKS");
  if (text && *text) {
    char *end;
    long n = strtol(text, &end, 10);
    if (*end != '\0' || n < 0 || n > RANKS_MOST)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "MODEWAY_EIGEN_RANKS is '%.40s', must be a number of processes from 0 to %d",
                     text, RANKS_MOST);
    opt.ranks = (int)n;
  }
  *out = opt;
  return MW_OK;
}

// ---- the job ----

static mw_code check_job(const mw_eigen_job *j, const mw_eigen_opt *opt, mw_error *err)
{
  int n = j->K->n_col;
  if (opt->ranks < 1 || opt->ranks > RANKS_MOST)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d processes for a body, must be 1 to %d",
                   opt->ranks, RANKS_MOST);
  if (!j->K->sym || !j->M->sym || j->M->n_col != n || !isfinite(j->sigma) || j->n_modes < 0 ||
      j->k < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "K and M must be symmetric and of one size, the shift finite");
  if (opt->ranks > n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d unknowns are too few for %d processes", n,
                   opt->ranks);
  if (j->n_modes > 0 && j->n_modes + EIGEN_GUARD > n / 2)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%d modes of a body with %d unknowns are not for modeway-eigen: at most %d",
                   j->n_modes, n, n / 2 > EIGEN_GUARD ? n / 2 - EIGEN_GUARD : 0);
  return MW_OK;
}

static void put_matrix(eigen_writer *w, const mw_csc *A)
{
  size_t n = (size_t)A->n_col, nnz = (size_t)A->ptr[n];
  eigen_put(w, A->ptr, sizeof *A->ptr, n + 1);
  eigen_put(w, A->row, sizeof *A->row, nnz);
  eigen_put(w, A->val, sizeof *A->val, nnz);
}

static mw_code write_job(const mw_eigen_job *j, const char *path, mw_error *err)
{
  eigen_job_head h = { .magic = EIGEN_JOB_MAGIC,
                       .n = j->K->n_col,
                       .nnz_K = j->K->ptr[j->K->n_col],
                       .nnz_M = j->M->ptr[j->M->n_col],
                       .n_modes = j->n_modes,
                       .k = j->k,
                       .sigma = j->sigma };
  eigen_writer w;
  mw_code rc = eigen_write_open(path, &w, err);
  if (rc != MW_OK) return rc;
  eigen_put(&w, &h, sizeof h, 1);
  put_matrix(&w, j->K);
  put_matrix(&w, j->M);
  eigen_put(&w, j->B, sizeof *j->B, (size_t)j->k * (size_t)j->K->n_col);
  return eigen_write_close(&w, err);
}

// ---- the result ----

static mw_code check_numbers(FILE *f, int64_t at, size_t count, mw_error *err)
{
  enum { PIECE = 4096 };
  double x[PIECE];
  for (size_t i = 0; i < count; i += PIECE) {
    size_t n = count - i < PIECE ? count - i : PIECE;
    mw_code rc = eigen_get(f, at + (int64_t)(i * sizeof *x), x, sizeof *x, n, err);
    if (rc != MW_OK) return rc;
    for (size_t k = 0; k < n; k++)
      if (!isfinite(x[k]))
        return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "modeway-eigen's numbers are not finite");
  }
  return MW_OK;
}

static mw_code check_head(const eigen_result_head *h, const mw_eigen_job *j, mw_error *err)
{
  if (memcmp(h->magic, EIGEN_RESULT_MAGIC, sizeof h->magic) != 0)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE,
                   "modeway-eigen is of another version than this program");
  if (h->code != MW_OK) {
    mw_code code = h->code > MW_OK && h->code <= MW_ERR_RANGE ? (mw_code)h->code : MW_ERR_NUMERIC;
    return mw_fail(err, code, MW_NOWHERE, "%.*s", (int)sizeof h->msg - 1, h->msg);
  }
  if (h->n != j->K->n_col || h->n_modes != j->n_modes || h->k != j->k)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "modeway-eigen answered another question");
  return MW_OK;
}

// All is checked before the first number goes to the caller: the file has its digest, here come
// sizes and values. Read in place, for patterns of large bodies are too large to hold twice.
static mw_code read_result(FILE *f, const mw_eigen_job *j, mw_eigen_result *out, mw_error *err)
{
  size_t n = (size_t)j->K->n_col, m = (size_t)j->n_modes, k = (size_t)j->k;
  const size_t f64 = sizeof(double), count = k * n + m + m * n;
  eigen_result_head h = { 0 };
  eigen_result_tail t = { 0 };
  int64_t Y = (int64_t)sizeof h, lambda = Y + (int64_t)(k * n * f64);
  int64_t X = lambda + (int64_t)(m * f64), tail = X + (int64_t)(m * n * f64);
  mw_code rc = eigen_get(f, 0, &h, sizeof h, 1, err);
  if (rc == MW_OK) rc = check_head(&h, j, err);
  if (rc == MW_OK) rc = eigen_get(f, tail, &t, sizeof t, 1, err);
  if (rc == MW_OK) rc = check_numbers(f, Y, count, err);
  if (rc == MW_OK && k > 0) rc = eigen_get(f, Y, out->Y, f64, k * n, err);
  if (rc == MW_OK && m > 0) rc = eigen_get(f, lambda, out->lambda, f64, m, err);
  if (rc == MW_OK && m > 0) rc = eigen_get(f, X, out->X, f64, m * n, err);
  if (rc != MW_OK) return rc;
  out->below = (int)t.below;
  out->rounds = (int)t.rounds;
  out->residual = t.residual;
  return MW_OK;
}

static mw_code judge(const char *result, int ranks, int status, const char *last,
                     const mw_eigen_job *job, mw_eigen_result *out, mw_error *err)
{
  FILE *f = NULL;
  if (access(result, R_OK) != 0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "modeway-eigen on %d processes ended without a result (status %d)%s%s", ranks,
                   status, *last ? ": " : "", last);
  mw_code rc = eigen_read_open(result, &f, err);
  if (rc != MW_OK) return rc;
  rc = read_result(f, job, out, err);
  fclose(f);
  return rc;
}

// With what a writer that was killed left of it: the next one takes that away.
static void remove_result(const char *result)
{
  mw_wholefile w;
  mw_error none;
  (void)remove(result);
  mw_code rc = mw_wholefile_open(result, &w, &none);
  if (rc == MW_OK) rc = mw_wholefile_close(&w, result, false, &none);
  (void)rc;  // a folder that cannot be emptied stays
}

mw_code mw_eigen_run(const mw_eigen_job *job, const mw_eigen_opt *opt, mw_eigen_result *out,
                     mw_error *err)
{
  enum { LAST = 320 };
  mw_arena mem = { 0 };
  const char *folder = opt->folder ? opt->folder : getenv("TMPDIR"), **argv = NULL;
  char *tmp = mw_arena_printf(&mem, "%s/modeway-eigen-XXXXXX", folder ? folder : "/tmp");
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = check_job(job, opt, err);
  if (rc == MW_OK) rc = mw_eigen_command(opt, "", "", &mem, &argv, err);
  if (rc == MW_OK && !mkdtemp(tmp))
    rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE, "no folder %.200s for a large body: %s", tmp,
                 strerror(errno));
  if (rc != MW_OK) {
    mw_arena_free(&mem);
    return rc;
  }
  const char *file = mw_arena_printf(&mem, "%s/job", tmp);
  const char *result = mw_arena_printf(&mem, "%s/result", tmp);
  char last[LAST];
  int status = 0;
  rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_eigen_command(opt, file, result, &mem, &argv, err);
  if (rc == MW_OK) rc = write_job(job, file, err);
  if (rc == MW_OK) rc = mw_eigen_start(argv, opt->quiet, &status, last, sizeof last, err);
  if (rc == MW_OK) rc = judge(result, opt->ranks, status, last, job, out, err);
  if (file) remove(file);
  if (result) remove_result(result);
  rmdir(tmp);
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_eigen_count_below(const mw_csc *K, const mw_csc *M, double sigma,
                             const mw_eigen_opt *opt, int *count, mw_error *err)
{
  mw_eigen_job job = { .K = K, .M = M, .sigma = sigma };
  mw_eigen_result res = { 0 };
  mw_code rc = mw_eigen_run(&job, opt, &res, err);
  if (rc == MW_OK) *count = res.below;
  return rc;
}
