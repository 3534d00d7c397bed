// SPDX-License-Identifier: BSD-3-Clause
// pool.h: threads that stay, and trees of items that they work off.
//
// Each item writes what is its own and reads what the items it waits for have written, so that who
// did it leaves no trace: same bits for any number of threads. One caller at a time.
#ifndef MW_BASE_POOL_H
#define MW_BASE_POOL_H

#include <stddef.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

typedef struct mw_pool mw_pool;

// n_thread threads, the caller's among them.
MW_MUST_USE mw_code mw_pool_build(int n_thread, mw_pool **out, mw_error *err);
void mw_pool_free(mw_pool *p);

// One thread that does what n threads would: it takes items in the order in which those would, by
// the processor time that each item needs, whatever else runs on the machine. What it leaves out:
// handing over, and that threads share the memory's bandwidth.
MW_MUST_USE mw_code mw_pool_simulate(int n_thread, mw_pool **out, mw_error *err);
// Since it was built, s: processor time of all items, and from the start of calls to their ends on
// the n threads; 0 of a pool of threads.
void mw_pool_simulated(const mw_pool *p, double *items, double *path);

// Items 0 … n − 1 of a tree: item i belongs to above[i] > i, −1: to none; above's entries are
// stride bytes apart. Up: each after those below it. Down: each after the one above it. All items
// are done whatever fails; returned is the code of the first that failed, MW_OK. p NULL: by the
// caller, in the order of the items (up), or in the opposite one (down).
typedef mw_code (*mw_pool_fn)(void *ctx, int item);
MW_MUST_USE mw_code mw_pool_up(mw_pool *p, int n, const int *above, size_t stride, mw_pool_fn fn,
                               void *ctx);
MW_MUST_USE mw_code mw_pool_down(mw_pool *p, int n, const int *above, size_t stride, mw_pool_fn fn,
                                 void *ctx);

MW_API_END

#endif
