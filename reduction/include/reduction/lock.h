// SPDX-License-Identifier: BSD-3-Clause
// lock.h: a folder that one process works on, or the jobs of one array, each with a shard of its
// own.
#ifndef MW_REDUCTION_LOCK_H
#define MW_REDUCTION_LOCK_H

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

typedef struct mw_lock {
  char *folder;      // NULL: nothing is held
  int fd, fd_shard;  // file descriptors of `lock` and `lock-i-of-N`, −1: none
  int shard, n_shard;
} mw_lock;

// Makes the folder if need be and locks it: for this process alone, or (n_shard > 0) for shard 1 …
// n_shard beside the other shards. The lock ends with the process, however that ends. MW_ERR_INPUT
// names the process that holds it; MW_ERR_IO: the folder cannot be made. On a file system without
// locks every process succeeds.
MW_MUST_USE mw_code mw_lock_take(const char *folder, int shard, int n_shard, mw_lock *out,
                                 mw_error *err);
// Releases the lock, removes its files, and the folder when nothing else is in it. {0} is fine.
void mw_lock_free(mw_lock *l);

MW_API_END

#endif
