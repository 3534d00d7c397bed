// SPDX-License-Identifier: BSD-3-Clause
// mpi.c: MPI started where it is needed and ended with the process.
#include "fem/mpi.h"

#include <stdlib.h>

#ifdef MW_WITH_MPI
#include <mpi.h>

static void finish(void)
{
  int done = 0;
  MPI_Finalized(&done);
  if (!done) MPI_Finalize();
}

bool mw_mpi_started(void)
{
  int started = 0;
  MPI_Initialized(&started);
  return started != 0;
}

void mw_mpi_start(void)
{
  int level;
  if (mw_mpi_started()) return;
  // threads take turns: one of them does units, with MUMPS in them, while another one waits
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
  (void)atexit(finish);
}

static int ask(int (*what)(MPI_Comm, int *), int alone)
{
  int x = alone;
  if (mw_mpi_started()) what(MPI_COMM_WORLD, &x);
  return x;
}

bool mw_mpi_built(void) { return true; }

bool mw_mpi_launched(void)
{
  const char *size = getenv("OMPI_COMM_WORLD_SIZE");
  return size && atoi(size) > 1;
}

int mw_mpi_rank(void) { return ask(MPI_Comm_rank, 0); }
int mw_mpi_size(void) { return ask(MPI_Comm_size, 1); }

int mw_mpi_self(void)
{
  mw_mpi_start();
  return (int)MPI_Comm_c2f(MPI_COMM_SELF);
}
#else
enum { DUMMY_COMM_WORLD = -987654 };  // of the MPI inside sequential MUMPS

bool mw_mpi_built(void) { return false; }
bool mw_mpi_launched(void) { return false; }
void mw_mpi_start(void) {}
bool mw_mpi_started(void) { return false; }
int mw_mpi_rank(void) { return 0; }
int mw_mpi_size(void) { return 1; }
int mw_mpi_self(void) { return DUMMY_COMM_WORLD; }
#endif
