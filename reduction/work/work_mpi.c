// SPDX-License-Identifier: BSD-3-Clause
// work_mpi.c: the backend `ranks`: rank 0 hands out units, the others do them.
//
// A message is its head and then its body, in pieces that MPI's int counts can hold. Waiting polls
// and sleeps, the longer the longer nothing comes (20 µs to 1 ms): a rank that spins would take a
// core from those at work. Open MPI has no way on after a rank died: mpirun ends the job, and the
// same command resumes from the units on disk.
#include "fem/mpi.h"

#include <stdlib.h>
#include <time.h>

#include "work_priv.h"

#ifdef MW_WITH_MPI
#include <mpi.h>

enum { TAG_HEAD = 11, TAG_BODY = 12, PIECE = 1 << 24 };  // bytes of a piece

static void send_message(int rank, const mw_head *h, const unsigned char *body)
{
  MPI_Send(h, (int)sizeof *h, MPI_BYTE, rank, TAG_HEAD, MPI_COMM_WORLD);
  for (uint64_t at = 0; at < h->n; at += PIECE) {
    uint64_t n = h->n - at < PIECE ? h->n - at : PIECE;
    MPI_Send(body + at, (int)n, MPI_BYTE, rank, TAG_BODY, MPI_COMM_WORLD);
  }
}

// The next head from rank (MPI_ANY_SOURCE: any); returns who sent it.
static int recv_head(int rank, mw_head *h)
{
  long ns = 20000;
  for (int there = 0;;) {
    MPI_Iprobe(rank, TAG_HEAD, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there) break;
    struct timespec t = { .tv_nsec = ns };
    (void)nanosleep(&t, NULL);
    if (ns < 1000000) ns += ns / 8;
  }
  MPI_Status st;
  MPI_Recv(h, (int)sizeof *h, MPI_BYTE, rank, TAG_HEAD, MPI_COMM_WORLD, &st);
  return st.MPI_SOURCE;
}

// False: no memory; the body is received all the same, and dropped.
static bool recv_body(int rank, const mw_head *h, mw_bytes *b)
{
  *b = (mw_bytes){ .p = malloc((size_t)h->n + 1), .n = (size_t)h->n };
  unsigned char *drop = b->p ? NULL : malloc(PIECE);
  if (!b->p && !drop) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  for (uint64_t at = 0; at < h->n; at += PIECE) {
    uint64_t n = h->n - at < PIECE ? h->n - at : PIECE;
    MPI_Recv(b->p ? b->p + at : drop, (int)n, MPI_BYTE, rank, TAG_BODY, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  free(drop);
  if (!b->p) b->n = 0;
  return b->p != NULL;
}

static mw_code ranks_send(mw_backend *d, int worker, const mw_head *head, const unsigned char *args,
                          mw_error *err)
{
  (void)d;
  (void)err;
  send_message(worker + 1, head, args);
  return MW_OK;
}

static mw_code ranks_wait(mw_backend *d, mw_answer *out, mw_error *err)
{
  (void)d;
  *out = (mw_answer){ 0 };
  out->worker = recv_head(MPI_ANY_SOURCE, &out->head) - 1;
  if (recv_body(out->worker + 1, &out->head, &out->body)) return MW_OK;
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a result of %.0f bytes",
                 (double)out->head.n);
}

static void ranks_close(mw_backend *d) { free(d); }

mw_code mw_ranks_open(mw_backend **out, mw_error *err)
{
  mw_backend *d = calloc(1, sizeof *d);
  if (!d) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  *d = (mw_backend){
    .n_worker = mw_mpi_size() - 1, .send = ranks_send, .wait = ranks_wait, .close = ranks_close
  };
  *out = d;
  return MW_OK;
}

void mw_ranks_dismiss(void)
{
  mw_head end = { .what = MW_HEAD_END };
  for (int r = 1; mw_mpi_rank() == 0 && r < mw_mpi_size(); r++) send_message(r, &end, NULL);
}

mw_code mw_ranks_serve(mw_unit_fn fn, void *ctx, mw_error *err)
{
  mw_head head;
  for (;;) {
    mw_bytes args;
    mw_answer a;
    (void)recv_head(0, &head);
    if (head.what != MW_HEAD_UNIT) return MW_OK;
    if (recv_body(0, &head, &args)) {
      mw_unit_do(fn, ctx, &head, args.p, &a);
    } else {
      a = (mw_answer){ .head = head };
      a.head.what = MW_HEAD_ERROR;
      a.head.n = 0;
    }
    send_message(0, &a.head, a.body.p);
    free(args.p);
    free(a.body.p);
  }
  (void)err;
}
#else
mw_code mw_ranks_open(mw_backend **out, mw_error *err)
{
  *out = NULL;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "this program was built without MPI");
}

void mw_ranks_dismiss(void) {}

mw_code mw_ranks_serve(mw_unit_fn fn, void *ctx, mw_error *err)
{
  (void)fn;
  (void)ctx;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "this program was built without MPI");
}
#endif
