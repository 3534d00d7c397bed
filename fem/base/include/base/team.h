// SPDX-License-Identifier: BSD-3-Clause
// team.h: ranks that exchange numbers, whatever carries these: MPI (fem/mpi.h), or threads of one
// process.
#ifndef MW_BASE_TEAM_H
#define MW_BASE_TEAM_H

#include <stddef.h>

#include "base/api.h"

MW_API_BEGIN

typedef struct mw_team {
  int n, rank;  // rank 0 … n − 1
  void *ctx;
  // x [n] on its way to a rank. Returns at once: x stays as it is until mw_team.settle.
  void (*send)(void *ctx, int to, int tag, const double *x, size_t n);
  // Waits for what that rank sends, or has sent, with this tag and this n.
  void (*recv)(void *ctx, int from, int tag, double *x, size_t n);
  void (*settle)(void *ctx);            // waits until all that was sent from here has left
  double (*most)(void *ctx, double x);  // the largest x of all ranks; waits for all of them
} mw_team;

MW_API_END

#endif
