// SPDX-License-Identifier: BSD-3-Clause
// arena.h: memory that is released as a whole. {0} is a valid empty arena.
#ifndef MW_BASE_ARENA_H
#define MW_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

// Lets a program keep the memory that it frees, for what it asks for next; among the first things
// its main does. Does nothing where the C library is not glibc.
void mw_arena_start(void);

typedef struct mw_arena {
  struct mw_arena_chunk *head;  // the chunk that small requests are cut from
  int failed;                   // 1 after an allocation failed; later ones fail too
} mw_arena;

// Zeroed, 64-byte aligned memory for count elements of size bytes; NULL (and failed set) when there
// is none. count 0 gives a valid pointer. count × size is checked for overflow.
void *mw_arena_alloc(mw_arena *a, size_t count, size_t size);
double *mw_arena_f64(mw_arena *a, size_t count);
int *mw_arena_int(mw_arena *a, size_t count);
char *mw_arena_str(mw_arena *a, const char *s);  // a copy
char *mw_arena_printf(mw_arena *a, const char *fmt, ...) MW_PRINTF(2, 3);
char *mw_arena_vprintf(mw_arena *a, const char *fmt, va_list args) MW_PRINTF(2, 0);
// MW_ERR_MEMORY once any allocation failed, else MW_OK: check once after a group of allocations.
MW_MUST_USE mw_code mw_arena_check(const mw_arena *a, mw_error *err);
void mw_arena_free(mw_arena *a);                  // leaves {0}
void mw_arena_take(mw_arena *a, mw_arena *from);  // a has what `from` had, which is {0}

MW_API_END

#endif
