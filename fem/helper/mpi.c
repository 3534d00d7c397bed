// SPDX-License-Identifier: BSD-3-Clause
// mpi.c: MPI started where it is needed and ended with the process.
//
// Open MPI waits for ever where a write of its own fails as it starts or ends (a full disk, its
// folder in TMPDIR taken away), and cannot be told to give up: a thread beside it ends the process.
#include "fem/mpi.h"

#include <limits.h>
#include <stdlib.h>

enum { MOST = 120 };  // seconds that starting and ending MPI may take each, unless said

mw_code mw_mpi_seconds(int *out, mw_error *err)
{
  const char *text = getenv("MODEWAY_MPI_SECONDS");
  char *end = NULL;
  long n = text ? strtol(text, &end, 10) : MOST;
  bool good = !text || (end != text && *end == '\0' && n >= 1 && n <= INT_MAX);
  *out = good ? (int)n : MOST;
  return good ? MW_OK
              : mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                        "MODEWAY_MPI_SECONDS: found \"%.64s\", expected a whole number of seconds "
                        "from 1 on",
                        text);
}

#ifdef MW_WITH_MPI
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// ---- the time it may take -----------------------------------------------------------------------

typedef struct patience {
  pthread_mutex_t lock;
  pthread_cond_t turn;
  pthread_t thread;
  const char *what;
  int seconds;
  bool running, done;
} patience;

static int most_seconds(void)
{
  int n = MOST;
  mw_error err;
  if (mw_mpi_seconds(&n, &err) != MW_OK)
    fprintf(stderr, "modeway: error: %s: %d are taken\n", err.msg, n);
  return n;
}

// Ends the process unless `done` is set in time: nothing else brings MPI back.
static void *lose(void *at)
{
  patience *p = at;
  struct timespec until;
  int rc = 0;
  (void)clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += p->seconds;
  (void)pthread_mutex_lock(&p->lock);
  while (!p->done && rc == 0) rc = pthread_cond_timedwait(&p->turn, &p->lock, &until);
  if (!p->done) {
    fprintf(stderr,
            "modeway: error: Open MPI has not %s within %d s (MODEWAY_MPI_SECONDS): is the disk of "
            "TMPDIR full?\n",
            p->what, p->seconds);
    _exit(EXIT_FAILURE);
  }
  (void)pthread_mutex_unlock(&p->lock);
  return NULL;
}

static void begin_to_wait(patience *p, const char *what)
{
  sigset_t all, before;
  *p = (patience){ .lock = PTHREAD_MUTEX_INITIALIZER,
                   .turn = PTHREAD_COND_INITIALIZER,
                   .what = what,
                   .seconds = most_seconds() };
  // signals are the caller's
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  p->running = pthread_create(&p->thread, NULL, lose, p) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_of_waiting(patience *p)
{
  (void)pthread_mutex_lock(&p->lock);
  p->done = true;
  (void)pthread_cond_signal(&p->turn);
  (void)pthread_mutex_unlock(&p->lock);
  if (p->running) (void)pthread_join(p->thread, NULL);
}

// ---- MPI ----------------------------------------------------------------------------------------

// Ranks of mpirun may end one after the other.
static void finish(void)
{
  int done = 0;
  patience p;
  MPI_Finalized(&done);
  if (done) return;
  if (!mw_mpi_launched()) begin_to_wait(&p, "ended");
  MPI_Finalize();
  if (!mw_mpi_launched()) end_of_waiting(&p);
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
  patience p;
  if (mw_mpi_started()) return;
  if (!mw_mpi_launched()) begin_to_wait(&p, "started");
  // threads take turns: one of them does units, with MUMPS in them, while another one waits
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
  if (!mw_mpi_launched()) end_of_waiting(&p);
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
