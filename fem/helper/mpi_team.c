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

// Room for one more message, as others would wait for it for ever.
static void make_room(mail *m)
{
  if (m->n < m->cap) return;
  int cap = 2 * m->cap;
  MPI_Request *sent = realloc(m->sent, (size_t)cap * sizeof *sent);
  if (!sent) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  m->sent = sent;
  m->cap = cap;
}

static void send(void *ctx, int to, int tag, const double *x, size_t n)
{
  mail *m = ctx;
  make_room(m);
  MPI_Isend(x, (int)n, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &m->sent[m->n++]);
}

static void recv(void *ctx, int from, int tag, double *x, size_t n)
{
  (void)ctx;
  MPI_Recv(x, (int)n, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

double mw_mpi_most(double x)
{
  double all = x;
  if (mw_mpi_started()) MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double most(void *ctx, double x)
{
  (void)ctx;
  return mw_mpi_most(x);
}

void mw_mpi_abort(int status)
{
  if (mw_mpi_started()) MPI_Abort(MPI_COMM_WORLD, status);
  exit(status);
}

mw_code mw_mpi_team_open(mw_team *out, mw_error *err)
{
  enum { MESSAGES = 64 };  // at once, at first
  mail *m = calloc(1, sizeof *m);
  if (m) m->sent = calloc(MESSAGES, sizeof *m->sent);
  if (!m || !m->sent) {
    free(m);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  m->cap = MESSAGES;
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
double mw_mpi_most(double x) { return x; }

void mw_mpi_abort(int status) { exit(status); }

mw_code mw_mpi_team_open(mw_team *out, mw_error *err)
{
  *out = (mw_team){ 0 };
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "this program was built without MPI");
}

void mw_mpi_team_close(mw_team *t) { *t = (mw_team){ 0 }; }
#endif
