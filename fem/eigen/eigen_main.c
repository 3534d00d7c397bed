// SPDX-License-Identifier: BSD-3-Clause
// eigen_main.c: modeway-eigen: modes and static patterns of a body too large for one process. A
// program of its own, because MUMPS over MPI and PARPACK want processes that do nothing else;
// modeway starts it (helper/eigen_far.c).
//
//   mpirun -n N modeway-eigen JOB RESULT          files: format_layer.h, in a folder that all
//                                                 machines see
//
// Progress on standard error, a line "modeway-eigen: ..." each. Trouble is told in RESULT, exit
// status 1; RESULT appears under its name when it is whole.
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/wholefile.h"
#include "eigen_priv.h"

typedef struct writer {
  eigen_writer w;     // rank 0
  mw_wholefile file;  // rank 0: RESULT while it is written
} writer;

static mw_code begin(const job *j, writer *out, mw_error *err)
{
  eigen_result_head head = {
    .magic = EIGEN_RESULT_MAGIC, .n = j->head.n, .n_modes = j->head.n_modes, .k = j->head.k
  };
  mw_code rc = MW_OK;
  if (j->s.rank == 0) {
    rc = eigen_write_open(out->file.made, &out->w, err);
    if (rc == MW_OK) eigen_put(&out->w, &head, sizeof head, 1);
  }
  return team_agree(rc, err);
}

// Y = A⁻¹ B, straight from file to file
static mw_code patterns(const job *j, solver *f, writer *out, mw_error *err)
{
  mw_arena mem = { 0 };
  int k = (int)j->head.k, rank = j->s.rank;
  size_t n = (size_t)j->s.n;
  double *X = NULL;
  mw_code rc = MW_OK;
  if (rank == 0 && k > 0) {
    X = mw_arena_f64(&mem, SOLVE_AT_ONCE * n);
    rc = mw_arena_check(&mem, err);
  }
  for (int i = 0; i < k; i += SOLVE_AT_ONCE) {
    int rows = k - i < SOLVE_AT_ONCE ? k - i : SOLVE_AT_ONCE;
    if (rc == MW_OK && rank == 0) rc = job_rhs(j, i, rows, X, err);
    rc = team_agree(rc, err);
    if (rc == MW_OK) rc = solver_solve_whole(f, rows, X, err);
    if (rc != MW_OK) break;
    if (rank == 0) eigen_put(&out->w, X, sizeof *X, (size_t)rows * n);
  }
  mw_arena_free(&mem);
  if (rc == MW_OK && k > 0) team_say(&j->s, "%d patterns", k);
  return rc;
}

static mw_code write_modes(const job *j, const modes *x, const int *order, writer *out,
                           mw_error *err)
{
  mw_arena mem = { 0 };
  double *whole = j->s.rank == 0 ? mw_arena_f64(&mem, (size_t)j->s.n) : NULL;
  mw_code rc = team_agree(mw_arena_check(&mem, err), err);
  int wanted = (int)j->head.n_modes;
  for (int i = 0; rc == MW_OK && j->s.rank == 0 && i < wanted; i++)
    eigen_put(&out->w, &x->lambda[order[i]], sizeof *x->lambda, 1);
  for (int i = 0; rc == MW_OK && i < wanted; i++) {
    team_gather(&j->s, x->X + (size_t)order[i] * (size_t)j->s.n_loc, whole);
    if (j->s.rank == 0) eigen_put(&out->w, whole, sizeof *whole, (size_t)j->s.n);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code find_modes(const job *j, solver *f, eigen_result_tail *tail, writer *out,
                          mw_error *err)
{
  mass *m = NULL;
  modes x = { 0 };
  int rounds = 0, *order = malloc((size_t)j->head.n_modes * sizeof *order);
  mw_code rc = order ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  rc = team_agree(rc, err);
  if (rc == MW_OK && 2 * (j->head.n_modes + EIGEN_GUARD) > j->head.n)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%d modes of a body with %d unknowns are not for PARPACK: at most %d",
                 (int)j->head.n_modes, j->s.n, j->s.n / 2 - EIGEN_GUARD);
  if (rc == MW_OK) rc = mass_build(j, &m, err);
  if (rc == MW_OK) rc = search_modes(j, f, m, &x, order, &rounds, err);
  if (rc == MW_OK) rc = write_modes(j, &x, order, out, err);
  tail->rounds = rounds;
  tail->residual = x.residual;
  modes_free(&x);
  mass_free(m);
  free(order);
  return rc;
}

static mw_code end(const job *j, const eigen_result_tail *tail, writer *out, mw_error *err)
{
  mw_code rc = MW_OK;
  if (j->s.rank == 0) {
    eigen_put(&out->w, tail, sizeof *tail, 1);
    rc = eigen_write_close(&out->w, err);
  }
  return team_agree(rc, err);
}

static mw_code work(const char *path, writer *out, mw_error *err)
{
  job j = { 0 };
  solver *f = NULL;
  eigen_result_tail tail = { 0 };
  mw_code rc = job_read(path, &j, err);
  if (rc != MW_OK) return rc;
  rc = begin(&j, out, err);
  if (rc == MW_OK) rc = solver_build(&j, &f, err);
  if (rc == MW_OK) rc = solver_factor(f, j.head.sigma, err);
  if (rc == MW_OK) {
    tail.below = solver_negative(f);
    rc = patterns(&j, f, out, err);
  }
  if (rc == MW_OK && j.head.n_modes > 0) rc = find_modes(&j, f, &tail, out, err);
  if (rc == MW_OK) rc = end(&j, &tail, out, err);
  solver_free(f);
  job_free(&j);
  return rc;
}

// RESULT with nothing but what went wrong, where it is made; rank 0.
static bool write_error(const mw_error *err, writer *out)
{
  eigen_result_head head = { .magic = EIGEN_RESULT_MAGIC, .code = err->code };
  memcpy(head.msg, err->msg, sizeof head.msg);
  eigen_write_drop(&out->w);
  if (eigen_write_open(out->file.made, &out->w, NULL) != MW_OK) return false;
  eigen_put(&out->w, &head, sizeof head, 1);
  return eigen_write_close(&out->w, NULL) == MW_OK;
}

// Opens the place of RESULT on rank 0; all ranks know whether it is open.
static mw_code open_result(int rank, const char *result, writer *out, mw_error *err)
{
  mw_code rc = rank == 0 ? mw_wholefile_open(result, &out->file, err) : MW_OK;
  return team_agree(rc, err);
}

// RESULT takes its name, with what was computed or with what went wrong; rank 0.
static mw_code close_result(mw_code rc, const char *result, writer *out, mw_error *err)
{
  mw_error late = { 0 };
  bool told = rc == MW_OK || write_error(err, out);
  if (rc != MW_OK) fprintf(stderr, "modeway-eigen: error: %s\n", err->msg);
  if (mw_wholefile_close(&out->file, result, told, &late) == MW_OK) return rc;
  fprintf(stderr, "modeway-eigen: error: %s: %s\n", result, late.msg);
  return late.code;
}

int main(int argc, char **argv)
{
  writer out = { 0 };
  mw_error err = { 0 };
  int rank = 0;
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    puts("modeway-eigen " MW_VERSION);
    return EXIT_SUCCESS;
  }
  if (argc != 3) {
    puts("Usage: mpirun -n N modeway-eigen JOB RESULT\n\n"
         "Modes and static patterns of a large body by PARPACK and MUMPS. Started by modeway, "
         "which writes JOB.");
    return argc == 2 && strcmp(argv[1], "--help") == 0 ? EXIT_SUCCESS : 2;
  }
  mw_blas_start(argv);
  if (mw_blas_reserve(&err) != MW_OK) {
    fprintf(stderr, "modeway-eigen: error: %s\n", err.msg);
    return EXIT_FAILURE;
  }
  watch_hold(true);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mw_code rc = open_result(rank, argv[2], &out, &err);
  if (rc != MW_OK) {
    if (rank == 0) fprintf(stderr, "modeway-eigen: error: %s: %s\n", argv[2], err.msg);
    MPI_Finalize();
    return EXIT_FAILURE;
  }
  if (rank == 0)
    watch_start(argv[1], &out.file);
  else
    watch_hold(false);
  rc = work(argv[1], &out, &err);
  if (rank == 0) rc = close_result(rc, argv[2], &out, &err);
  MPI_Finalize();
  return rc == MW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
