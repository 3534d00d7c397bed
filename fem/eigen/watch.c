// SPDX-License-Identifier: BSD-3-Clause
// watch.c: ends the job when the process that waits for it is gone: a thread of rank 0 that calls
// no MPI.
//
// modeway holds the other end of standard input and has sent one byte. Where that byte came, the
// end of the file means that modeway is gone; without it (a launcher that gives no input) nothing
// follows. A launcher that is interrupted sends SIGTERM. In either case the job's files and their
// folder go, then the process; its launcher ends the others.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "eigen_priv.h"

typedef struct watch {
  char job[4096], made[4096], lock[4096], folder[4096];
} watch;

static void leave(const watch *w)
{
  static const char text[] = "modeway-eigen: nobody waits for this job any more: ended\n";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  unlink(w->job);
  unlink(w->made);
  unlink(w->lock);
  rmdir(w->folder);
  _exit(EXIT_FAILURE);
}

// 1: a byte came, 0: nothing did, −1: end of file
static int listen_once(void)
{
  char c;
  struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
  if (poll(&p, 1, 0) <= 0) return 0;
  return read(STDIN_FILENO, &c, 1) == 1 ? 1 : -1;
}

static void *run(void *arg)
{
  const watch *w = arg;
  const struct timespec pause = { .tv_nsec = 200000000 };
  bool held = false, open = true;
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  for (;;) {
    if (sigtimedwait(&term, NULL, &pause) == SIGTERM) leave(w);
    int got = open ? listen_once() : 0;
    if (got > 0) held = true;
    if (got < 0 && held) leave(w);
    open = open && got >= 0;
  }
  return NULL;
}

void watch_hold(bool back)
{
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(back ? SIG_BLOCK : SIG_UNBLOCK, &term, NULL);
}

void watch_start(const char *task, const mw_wholefile *result)
{
  pthread_t thread;
  watch *w = calloc(1, sizeof *w);  // the thread's, as long as the process lives
  if (!w) return;
  snprintf(w->job, sizeof w->job, "%s", task);
  snprintf(w->made, sizeof w->made, "%s", result->made);
  snprintf(w->lock, sizeof w->lock, "%s", result->lock);
  snprintf(w->folder, sizeof w->folder, "%s", task);
  char *slash = strrchr(w->folder, '/');
  if (slash)
    *slash = '\0';
  else
    w->folder[0] = '\0';
  if (pthread_create(&thread, NULL, run, w) == 0)
    pthread_detach(thread);
  else
    free(w);
}
