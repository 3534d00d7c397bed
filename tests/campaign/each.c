// SPDX-License-Identifier: BSD-3-Clause
// each.c: many cases in child processes.
//
// A child does cases until one kills it; what it has done stands in memory that both see. The next
// child goes on behind the case that was the end of the last one.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS, setitimer
#include "each.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct shared {
  unsigned long at;  // the case that is being done
  each_count count;
} shared;

static double now(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

unsigned char each_byte(unsigned long long *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned char)(*state >> 40);
}

static bool over(double until, double start) { return until > 0.0 && now() - start > until; }

// Ends this process after so many seconds of processor time, or ten times as many by the clock,
// which others that share the machine take some of; 0: no longer.
static void limit(int seconds)
{
  struct itimerval t = { .it_value = { .tv_sec = seconds } };
  (void)setitimer(ITIMER_PROF, &t, NULL);
  (void)alarm(10u * (unsigned)seconds);
}

static void child(int (*one)(void *, unsigned long), void *ctx, unsigned long end, int seconds,
                  double until, double start, shared *s)
{
  for (; s->at < end && !over(until, start); s->at++) {
    limit(seconds);
    s->count.n[one(ctx, s->at)]++;
    limit(0);
  }
}

unsigned long each_do(int (*one)(void *ctx, unsigned long k), void *ctx, unsigned long first,
                      unsigned long n, int seconds, double until, each_count *count)
{
  double start = now();
  shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED) return 0;
  *s = (shared){ .at = first };
  while (s->at < first + n && !over(until, start)) {
    int status = 0;
    pid_t pid = fork();
    if (pid < 0) break;
    if (pid == 0) {
      child(one, ctx, first + n, seconds, until, start, s);
      _exit(0);
    }
    if (waitpid(pid, &status, 0) != pid) break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    if (WIFSIGNALED(status))
      printf("case %lu: ended by signal %d\n", s->at, WTERMSIG(status));
    else
      printf("case %lu: exit status %d\n", s->at, WEXITSTATUS(status));
    (void)fflush(stdout);
    s->count.n[EACH_OPEN]++;
    s->at++;
  }
  unsigned long done = s->at - first;
  *count = s->count;
  (void)munmap(s, sizeof *s);
  return done;
}
