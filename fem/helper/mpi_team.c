// SPDX-License-Identifier: BSD-3-Clause
// mpi_team.c: the ranks of MPI as a team that exchanges numbers (base/team.h).
#include <stdlib.h>

#include "fem/mpi.h"

#ifdef MW_WITH_MPI
#include <mpi.h>

typedef struct mail {
  int n, cap;
  MPI_Request *sent;  // [cap]
} mail;

static void settle(void *ctx)
{
  mail *m = ctx;
  MPI_Waitall(m->n, m->sent, MPI_STATUSES_IGNORE);
  m->n = 0;
}

// One message too many would have to wait for others, and these maybe for it.
static void send(void *ctx, int to, int tag, const double *x, size_t n)
{
  mail *m = ctx;
  if (m->n == m->cap) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Isend(x, (int)n, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &m->sent[m->n++]);
}

static void recv(void *ctx, int from, int tag, double *x, size_t n)
{
  (void)ctx;
  MPI_Recv(x, (int)n, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double most(void *ctx, double x)
{
  double all = x;
  (void)ctx;
  MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

mw_code mw_mpi_team_open(int n_message, mw_team *out, mw_error *err)
{
  mail *m = calloc(1, sizeof *m);
  if (m) m->sent = calloc((size_t)n_message + 1, sizeof *m->sent);
  if (!m || !m->sent) {
    free(m);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  m->cap = n_message;
  mw_mpi_start();
  *out = (mw_team){ .n = mw_mpi_size(),
                    .rank = mw_mpi_rank(),
                    .ctx = m,
                    .send = send,
                    .recv = recv,
                    .settle = settle,
                    .most = most };
  return MW_OK;
}

void mw_mpi_team_close(mw_team *t)
{
  mail *m = t->ctx;
  if (m) free(m->sent);
  free(m);
  *t = (mw_team){ 0 };
}
#else
mw_code mw_mpi_team_open(int n_message, mw_team *out, mw_error *err)
{
  (void)n_message;
  *out = (mw_team){ 0 };
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "this program was built without MPI");
}

void mw_mpi_team_close(mw_team *t) { *t = (mw_team){ 0 }; }
#endif
