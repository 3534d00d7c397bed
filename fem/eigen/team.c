// SPDX-License-Identifier: BSD-3-Clause
// team.c: what the ranks do together: agree on errors, add, collect and hand out vectors.
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "eigen_priv.h"

mw_code team_agree(mw_code rc, mw_error *err)
{
  struct {
    int bad, rank;
  } mine = { rc != MW_OK, 0 }, first = { 0, 0 };
  MPI_Comm_rank(MPI_COMM_WORLD, &mine.rank);
  MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  if (!first.bad) return MW_OK;
  MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, first.rank, MPI_COMM_WORLD);
  return err->code;
}

void team_sums(int n, double *x)
{
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

double team_sum(double x)
{
  team_sums(1, &x);
  return x;
}

void team_gather(const slices *s, const double *x_loc, double *x)
{
  MPI_Gatherv(x_loc, s->n_loc, MPI_DOUBLE, x, s->count, s->first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void team_scatter(const slices *s, const double *x, double *x_loc)
{
  MPI_Scatterv(x, s->count, s->first, MPI_DOUBLE, x_loc, s->n_loc, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void team_gather_all(const slices *s, const double *x_loc, double *x)
{
  MPI_Allgatherv(x_loc, s->n_loc, MPI_DOUBLE, x, s->count, s->first, MPI_DOUBLE, MPI_COMM_WORLD);
}

mw_code team_slices(int n, mw_arena *mem, slices *out, mw_error *err)
{
  slices s = { .n = n };
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s.size);
  if (s.size > n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d unknowns are too few for %d processes", n,
                   s.size);
  s.first = mw_arena_int(mem, (size_t)s.size + 1);
  s.count = mw_arena_int(mem, (size_t)s.size);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int r = 0; r <= s.size; r++) s.first[r] = (int)((int64_t)n * r / s.size);
  for (int r = 0; r < s.size; r++) s.count[r] = s.first[r + 1] - s.first[r];
  s.n_loc = s.count[s.rank];
  *out = s;
  return MW_OK;
}

int team_owner(const slices *s, int i)
{
  int r = (int)((int64_t)i * s->size / s->n);
  while (i < s->first[r]) r--;
  while (i >= s->first[r + 1]) r++;
  return r;
}

void team_say(const slices *s, const char *fmt, ...)
{
  if (s->rank != 0) return;
  char line[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  fprintf(stderr, "modeway-eigen: %s\n", line);
}
