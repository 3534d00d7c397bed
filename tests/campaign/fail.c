// SPDX-License-Identifier: BSD-3-Clause
// fail.c: a shared object that is loaded before a program (LD_PRELOAD) and lets its n-th call fail.
//
//   MW_FAIL=alloc        malloc, calloc, realloc, aligned_alloc return NULL: those that the program
//                        calls itself; with MW_FAIL_ALL=1 those of its libraries, too (Open MPI,
//                        HDF5 and netCDF end by signals at some of theirs)
//   MW_FAIL=io           open, write, pwrite, ftruncate, fsync, rename, close, fopen, fwrite,
//                        fclose: with MW_FAIL_ERRNO, a number; write and pwrite with
//                        MW_FAIL_SHORT=1 write half of what they are given instead
//   MW_FAIL_AT=n         which call, counted from 1; 0: none
//   MW_FAIL_COUNT=FILE   how many calls there were, written as the process ends
//
// Calls of helper programs count for themselves. Calls that the C library makes of itself are not
// seen: of fwrite and fclose the writes behind them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long calls;
static long fail_at;
static uintptr_t own_lo, own_hi;  // addresses of the program's own code
static int fails_alloc, fails_io, number = ENOSPC, is_short;

// The program comes first.
static int find_program(struct dl_phdr_info *at, size_t size, void *ctx)
{
  (void)size;
  (void)ctx;
  for (int k = 0; k < at->dlpi_phnum; k++) {
    const ElfW(Phdr) *part = &at->dlpi_phdr[k];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    own_lo = at->dlpi_addr + part->p_vaddr;
    own_hi = own_lo + part->p_memsz;
  }
  return 1;
}

static void start(void) __attribute__((constructor));
static void start(void)
{
  const char *what = getenv("MW_FAIL"), *at = getenv("MW_FAIL_AT"), *e = getenv("MW_FAIL_ERRNO");
  fail_at = at ? atol(at) : 0;
  if (e) number = atoi(e);
  is_short = getenv("MW_FAIL_SHORT") != NULL;
  fails_io = what && strcmp(what, "io") == 0;
  own_hi = UINTPTR_MAX;
  if (!getenv("MW_FAIL_ALL")) (void)dl_iterate_phdr(find_program, NULL);
  fails_alloc = what && strcmp(what, "alloc") == 0;
}

static void end(void) __attribute__((destructor));
static void end(void)
{
  const char *path = getenv("MW_FAIL_COUNT");
  fails_io = fails_alloc = 0;
  FILE *f = path ? fopen(path, "w") : NULL;
  if (!f) return;
  fprintf(f, "%ld\n", atomic_load(&calls));
  (void)fclose(f);
}

static int fails(int kind) { return kind && atomic_fetch_add(&calls, 1) + 1 == fail_at; }

static int fails_with_number(void)
{
  if (!fails(fails_io)) return 0;
  errno = number;
  return 1;
}

// ---- memory -------------------------------------------------------------------------------------

static void *none(void)
{
  errno = ENOMEM;
  return NULL;
}

static int fails_alloc_of(const void *caller)
{
  uintptr_t at = (uintptr_t)caller;
  return fails_alloc && at >= own_lo && at < own_hi && fails(1);
}

#define FAILS fails_alloc_of(__builtin_return_address(0))
void *malloc(size_t n) { return FAILS ? none() : __libc_malloc(n); }
void *calloc(size_t k, size_t n) { return FAILS ? none() : __libc_calloc(k, n); }
void *realloc(void *p, size_t n) { return FAILS ? none() : __libc_realloc(p, n); }
void *aligned_alloc(size_t to, size_t n) { return FAILS ? none() : __libc_memalign(to, n); }

// ---- files --------------------------------------------------------------------------------------

static int is_written(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }

int open(const char *path, int flags, ...)
{
  static int (*next)(const char *, int, ...);
  va_list ap;
  va_start(ap, flags);
  int mode = flags & O_CREAT ? va_arg(ap, int) : 0;
  va_end(ap);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "open");
  return is_written(flags) && fails_with_number() ? -1 : next(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
  static FILE *(*next)(const char *, const char *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fopen");
  return fails_with_number() ? NULL : next(path, mode);
}

ssize_t write(int fd, const void *p, size_t n)
{
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "write");
  if (fails_with_number()) {
    if (!is_short) return -1;
    n = (n + 1) / 2;
  }
  return next(fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
  static ssize_t (*next)(int, const void *, size_t, off_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pwrite");
  if (fails_with_number()) {
    if (!is_short) return -1;
    n = (n + 1) / 2;
  }
  return next(fd, p, n, at);
}

int ftruncate(int fd, off_t n)
{
  static int (*next)(int, off_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "ftruncate");
  return fails_with_number() ? -1 : next(fd, n);
}

size_t fwrite(const void *p, size_t size, size_t n, FILE *f)
{
  static size_t (*next)(const void *, size_t, size_t, FILE *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fwrite");
  return fails_with_number() && !is_short ? 0 : next(p, size, n, f);
}

int fsync(int fd)
{
  static int (*next)(int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fsync");
  return fails_with_number() ? -1 : next(fd);
}

int rename(const char *from, const char *to)
{
  static int (*next)(const char *, const char *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "rename");
  return fails_with_number() ? -1 : next(from, to);
}

// Files are closed all the same.
int fclose(FILE *f)
{
  static int (*next)(FILE *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fclose");
  int rc = next(f);
  return fails_with_number() ? EOF : rc;
}

int close(int fd)
{
  static int (*next)(int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "close");
  int rc = next(fd);
  return fails_with_number() ? -1 : rc;
}
