// SPDX-License-Identifier: BSD-3-Clause
// tree_ranks.h: right-hand sides and runs of large mechanisms over the ranks of MPI.
#ifndef MW_TESTS_BENCH_TREE_RANKS_H
#define MW_TESTS_BENCH_TREE_RANKS_H

#include <stdbool.h>

// Of a chain of n links and of a tree of n links with loops, beside one process with the same
// groups: bits, what each rank computes and exchanges; then a run of the chain by all ranks, or, of
// one alone, by two threads. False where bits differ or something fails. All ranks call it, rank 0
// prints.
bool tree_ranks(int n);

#endif
