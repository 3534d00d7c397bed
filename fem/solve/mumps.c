// SPDX-License-Identifier: BSD-3-Clause
#include "mumps_layer.h"

// 1-based numbers of MUMPS's documentation
#define ICNTL(i) icntl[(i)-1]

enum { INIT = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };

static int call(DMUMPS_STRUC_C *s, int job)
{
  s->job = job;
  dmumps_c(s);
  return s->infog[0];
}

int mw_mumps_begin(DMUMPS_STRUC_C *s, int comm)
{
  s->sym = 2;
  s->par = 1;
  s->comm_fortran = comm;
  int status = call(s, INIT);
  if (status < 0) return status;
  s->ICNTL(1) = s->ICNTL(2) = s->ICNTL(3) = -1;  // no messages
  s->ICNTL(4) = 0;
  s->ICNTL(6) = 0;    // no exchange of columns
  s->ICNTL(7) = 7;    // ordering by what fits the size
  s->ICNTL(12) = 1;   // of the whole graph
  s->ICNTL(13) = 1;   // all pivots counted: no ScaLAPACK root, which would hide their signs
  s->ICNTL(14) = 25;  // percent of room for delayed pivots
  s->ICNTL(24) = 1;   // vanishing pivots are found, not divided by
  return status;
}

int mw_mumps_factor(DMUMPS_STRUC_C *s, bool analysed)
{
  enum { NO_ROOM_INDEX = -8, NO_ROOM = -9, TRIES = 5 };
  int status = analysed ? 0 : call(s, ANALYSE);
  if (status < 0) return status;
  for (int t = 0; t < TRIES; t++) {
    status = call(s, FACTOR);
    if (status != NO_ROOM && status != NO_ROOM_INDEX) break;
    s->ICNTL(14) *= 2;  // pivots were delayed more often than foreseen
  }
  return status;
}

bool mw_mumps_singular(const DMUMPS_STRUC_C *s, int status)
{
  enum { STRUCTURE = -6, NUMERIC = -10, NULL_PIVOTS = 28 };
  return status == STRUCTURE || status == NUMERIC || (status >= 0 && s->infog[NULL_PIVOTS - 1] > 0);
}

int mw_mumps_negative(const DMUMPS_STRUC_C *s)
{
  enum { NEGATIVE = 12 };
  return s->infog[NEGATIVE - 1];
}

int mw_mumps_solve(DMUMPS_STRUC_C *s, int k, int ld, double *X)
{
  s->rhs = X;
  s->nrhs = k;
  s->lrhs = ld;
  return call(s, SOLVE);
}

void mw_mumps_end(DMUMPS_STRUC_C *s) { (void)call(s, END); }
