// SPDX-License-Identifier: BSD-3-Clause
// work_toy.c: units of work for tests.
#include "work_toy.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Appends a line in one write, as several processes do it at once.
static void note(const char *path, int x)
{
  char line[16];
  int n = snprintf(line, sizeof line, "%d\n", x);
  int fd = path[0] ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (fd < 0) return;
  if (write(fd, line, (size_t)n) != n) abort();
  close(fd);
}

static mw_code plain(int x, mw_bytes *result, mw_error *err)
{
  mw_pack p = { 0 };
  for (int i = 0; i < TOY_RESULT; i++) {
    double y = sin((double)x + 1e-3 * (double)i);
    mw_pack_f64(&p, 1, &y);
  }
  if (p.failed) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  *result = p.b;
  return MW_OK;
}

static mw_code large(int x, mw_bytes *result, mw_error *err)
{
  unsigned char *p = malloc(TOY_LARGE_BYTES);
  if (!p) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  for (size_t i = 0; i < TOY_LARGE_BYTES; i++) p[i] = (unsigned char)((i >> 7) + i * (size_t)x);
  *result = (mw_bytes){ .p = p, .n = TOY_LARGE_BYTES };
  return MW_OK;
}

static bool first_time(const char *path, int x)
{
  char mark[512];
  snprintf(mark, sizeof mark, "%.400s.%d", path, x);
  int fd = open(mark, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

mw_code toy_unit(void *ctx, int kind, const unsigned char *args, size_t n_args, mw_bytes *result,
                 mw_error *err)
{
  (void)ctx;
  char path[400] = "";
  int x = 0;
  struct timespec slow = { .tv_nsec = 20000000 }, hour = { .tv_sec = 60 };
  mw_unpack u = { .p = args, .left = n_args };
  mw_unpack_int(&u, 1, &x);
  if (u.failed || u.left >= sizeof path)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "no arguments of a toy");
  memcpy(path, u.p, u.left);
  note(path, x);
  if (kind == TOY_FAILS)
    return mw_fail(err, MW_ERR_NUMERIC, (mw_at){ .file = "toy.yaml", .line = x, .col = 2 },
                   "x is %d", x);
  if (kind == TOY_DIES || (kind == TOY_FRAIL && first_time(path, x))) (void)raise(SIGKILL);
  if (kind == TOY_EXITS) _exit(3);
  if (kind == TOY_SLOW) (void)nanosleep(&slow, NULL);
  if (kind == TOY_LONG) (void)nanosleep(&hour, NULL);
  for (int i = 0; kind == TOY_PRINTS && i < 100; i++) puts("a library that talks");
  if (kind == TOY_PRINTS) fflush(stdout);
  return kind == TOY_LARGE ? large(x, result, err) : plain(x, result, err);
}

mw_unit *toy_units(int n, int kind, const char *path)
{
  mw_unit *u = calloc((size_t)n, sizeof *u);
  size_t len = path ? strlen(path) : 0;
  for (int x = 0; u && x < n; x++) {
    u[x].kind = kind;
    u[x].args.n = sizeof x + len;
    u[x].args.p = malloc(u[x].args.n);
    if (!u[x].args.p) abort();
    memcpy(u[x].args.p, &x, sizeof x);
    if (path) memcpy(u[x].args.p + sizeof x, path, len);
  }
  return u;
}

void toy_free(int n, mw_unit *u)
{
  for (int x = 0; x < n; x++) free(u[x].args.p);
  free(u);
}
