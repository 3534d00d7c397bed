// SPDX-License-Identifier: BSD-3-Clause
// eigen_far_priv.h: the program modeway-eigen as seen from eigen_far.c.
#ifndef MW_FEM_EIGEN_FAR_PRIV_H
#define MW_FEM_EIGEN_FAR_PRIV_H

#include "fem/eigen.h"

// Refuses what cannot work before anything large is written: inside an MPI job, no program, no
// launcher.
//   argv  out  launcher, its options, -n, ranks, program, job, result, NULL; memory from mem
MW_MUST_USE mw_code mw_eigen_command(const mw_eigen_opt *opt, const char *job, const char *result,
                                     mw_arena *mem, const char ***argv, mw_error *err);

// Runs it to its end, its progress lines on stderr unless quiet. last [n]: the end of what else was
// printed, one line. status: exit status, 128 + signal.
MW_MUST_USE mw_code mw_eigen_start(const char *const *argv, bool quiet, int *status, char *last,
                                   size_t n, mw_error *err);

#endif
