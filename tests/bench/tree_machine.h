// SPDX-License-Identifier: BSD-3-Clause
// tree_machine.h: large mechanisms whose right-hand sides bench_tree times.
#ifndef MW_TESTS_BENCH_TREE_MACHINE_H
#define MW_TESTS_BENCH_TREE_MACHINE_H

#include <stdbool.h>

#include "fem/rigid.h"
#include "fixture.h"

// A chain of n links (from 20000 on a multiple of 1000). False after printing what went wrong.
bool tree_chain_open(int n, mw_fixture *f);
// n links hinged at the ends of others, every eighth tied by a rod to one near it.
bool tree_loops_open(int n, mw_fixture *f);
// From the reference configuration of m to a consistent state q, v [n_q] nearby that moves.
// Assembled, for far from consistent positions redundant rows contradict each other, and each order
// leaves out others.
mw_code tree_move(const mw_rigid *r, mw_rigid_work *w, const mw_mech *m, mw_arena *mem, double *q,
                  double *v, mw_error *err);

#endif
