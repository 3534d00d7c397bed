// SPDX-License-Identifier: BSD-3-Clause
// arena.c: memory that is released as a whole.
//
// A list of chunks; small requests are cut from the first one, each aligned to 64 bytes; one that
// does not fit opens a new chunk. Every chunk is at least twice the last one up to CHUNK_MAX, so
// that n small requests cost O(log n) calls of malloc until then. A request of at least OWN_CHUNK
// that does not fit gets a chunk of its own size behind the first: doubled chunks would hold twice
// what thousands of configurations with a few large arrays each ask for.
//
// A page that the kernel hands out anew costs as much as thousands of products. So what is cut from
// a chunk is zeroed as it is cut, and of a chunk no page is touched before it is asked for; and
// programs keep the memory that they free (mw_arena_start). Reductions do not ask for pages of
// 2 MB: a virtual machine whose host takes free memory back in such blocks hands them out at 0.1
// GB/s, ones of 4 KB at 1 to 3, and solves with CHOLMOD's factors are no faster with them.
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { ALIGN = 64, CHUNK_MIN = 4096, CHUNK_MAX = 1 << 15, OWN_CHUNK = 1 << 13 };
// Bytes: free memory that a program keeps at most at the end of its heap; requests from which on
// memory is the kernel's own, as much as glibc takes.
enum { KEEP = 1 << 30, OWN = 32 << 20 };

void mw_arena_start(void)
{
#ifdef __GLIBC__
  // 0: refused, and memory is as it was
  (void)mallopt(M_TRIM_THRESHOLD, KEEP);
  (void)mallopt(M_MMAP_THRESHOLD, OWN);
#endif
}

struct mw_arena_chunk {
  struct mw_arena_chunk *next;
  size_t size, used;    // bytes of data, multiples of ALIGN
  int zero;             // of one request: all of data was zeroed when it was made
  unsigned char *data;  // aligned to ALIGN, inside this allocation
};

static size_t round_up(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

// zero: of a single request, which calloc need not zero where its pages are new
static struct mw_arena_chunk *chunk_build(size_t size, int zero)
{
  if (size > SIZE_MAX - sizeof(struct mw_arena_chunk) - ALIGN) return NULL;
  size_t bytes = sizeof(struct mw_arena_chunk) + ALIGN + size;
  struct mw_arena_chunk *c = zero ? calloc(1, bytes) : malloc(bytes);
  if (!c) return NULL;
  c->zero = zero;
  c->size = size;
  c->used = 0;
  c->data = (unsigned char *)(c + 1);
  c->data += (ALIGN - (uintptr_t)c->data % ALIGN) % ALIGN;
  return c;
}

void *mw_arena_alloc(mw_arena *a, size_t count, size_t size)
{
  if (a->failed) return NULL;
  a->failed = 1;
  if (size && count > (SIZE_MAX - ALIGN) / size) return NULL;
  size_t bytes = round_up(count * size);
  if (bytes == 0) bytes = ALIGN;
  struct mw_arena_chunk *c = a->head;
  if (!c || c->size - c->used < bytes) {
    bool own = bytes >= OWN_CHUNK;
    size_t want = c && !c->zero ? 2 * c->size : CHUNK_MIN;
    if (want > CHUNK_MAX) want = CHUNK_MAX;
    struct mw_arena_chunk *add = chunk_build(own || bytes > want ? bytes : want, own);
    if (!add) return NULL;
    struct mw_arena_chunk **at = own && c ? &c->next : &a->head;
    add->next = *at;
    *at = add;
    c = add;
  }
  void *p = c->data + c->used;
  if (!c->zero) memset(p, 0, bytes);
  c->used += bytes;
  a->failed = 0;
  return p;
}

double *mw_arena_f64(mw_arena *a, size_t count) { return mw_arena_alloc(a, count, sizeof(double)); }

int *mw_arena_int(mw_arena *a, size_t count) { return mw_arena_alloc(a, count, sizeof(int)); }

char *mw_arena_str(mw_arena *a, const char *s)
{
  size_t n = strlen(s) + 1;
  char *p = mw_arena_alloc(a, n, 1);
  if (p) memcpy(p, s, n);
  return p;
}

char *mw_arena_vprintf(mw_arena *a, const char *fmt, va_list args)
{
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  char *p = n < 0 ? NULL : mw_arena_alloc(a, (size_t)n + 1, 1);
  if (n < 0) a->failed = 1;
  if (p) vsnprintf(p, (size_t)n + 1, fmt, again);
  va_end(again);
  return p;
}

char *mw_arena_printf(mw_arena *a, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  char *p = mw_arena_vprintf(a, fmt, args);
  va_end(args);
  return p;
}

mw_code mw_arena_check(const mw_arena *a, mw_error *err)
{
  return a->failed ? mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory") : MW_OK;
}

void mw_arena_free(mw_arena *a)
{
  for (struct mw_arena_chunk *c = a->head, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  *a = (mw_arena){ 0 };
}

void mw_arena_take(mw_arena *a, mw_arena *from)
{
  struct mw_arena_chunk **last = &a->head;
  while (*last) last = &(*last)->next;
  *last = from->head;
  a->failed |= from->failed;
  *from = (mw_arena){ 0 };
}
