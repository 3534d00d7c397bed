// SPDX-License-Identifier: BSD-3-Clause
// work_pack.c: numbers into bytes and back, in the machine's own form: exact, and for programs of
// one build alone.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/work.h"

static void add(mw_pack *p, const void *x, size_t n)
{
  if (p->failed || n == 0) return;
  if (n > SIZE_MAX / 2 - p->b.n) {
    p->failed = true;
    return;
  }
  if (p->b.n + n > p->cap) {
    size_t cap = 2 * (p->b.n + n);
    unsigned char *more = realloc(p->b.p, cap);
    if (!more) {
      p->failed = true;
      return;
    }
    p->b.p = more;
    p->cap = cap;
  }
  memcpy(p->b.p + p->b.n, x, n);
  p->b.n += n;
}

static void take(mw_unpack *u, void *x, size_t n)
{
  if (u->failed || n == 0) return;
  if (n > u->left) {
    u->failed = true;
    return;
  }
  memcpy(x, u->p, n);
  u->p += n;
  u->left -= n;
}

void mw_pack_int(mw_pack *p, int n, const int *x) { add(p, x, (size_t)n * sizeof *x); }
void mw_pack_f64(mw_pack *p, size_t n, const double *x)
{
  if (n > SIZE_MAX / sizeof *x)
    p->failed = true;
  else
    add(p, x, n * sizeof *x);
}

void mw_unpack_int(mw_unpack *u, int n, int *x) { take(u, x, (size_t)n * sizeof *x); }
void mw_unpack_f64(mw_unpack *u, size_t n, double *x)
{
  if (n > SIZE_MAX / sizeof *x)
    u->failed = true;
  else
    take(u, x, n * sizeof *x);
}
