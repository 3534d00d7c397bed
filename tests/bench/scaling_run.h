// SPDX-License-Identifier: BSD-3-Clause
// scaling_run.h: what bench_scaling starts itself as: one reduction with a log of its units and
// stages, toy units, a worker.
#ifndef MW_TESTS_BENCH_SCALING_RUN_H
#define MW_TESTS_BENCH_SCALING_RUN_H

// Kinds of toy units: their arguments are doubles, the first says how many bytes their result has.
enum { SCALING_TOY = 1000 };

// argv behind the program's name, with the first of them one of
//   --run MODEL OUT WORKERS     a reduction, with OUT.nc, OUT.log, OUT.parts and the cache of bases
//                               beside MODEL
//   --toys MODEL OUT WORKERS    toy units of two sizes, log as above
//   --worker MODEL              does units for one of these
// Ranks above 0 of mpirun do units, whatever argv says. Returns the exit status; −1: it is none of
// these.
int scaling_run(int argc, char **argv);

#endif
