// SPDX-License-Identifier: BSD-3-Clause
// thread_team.h: threads of one process as the ranks of a team (base/team.h).
#ifndef MW_TESTS_FEM_THREAD_TEAM_H
#define MW_TESTS_FEM_THREAD_TEAM_H

#include <stdbool.h>

#include "base/team.h"

// Runs fn as each of n ranks, each in a thread of its own, and waits for all. False: no threads.
bool thread_team_run(int n, void (*fn)(const mw_team *team, void *ctx), void *ctx);

#endif
