// SPDX-License-Identifier: BSD-3-Clause
// work.h: a list of independent units of work, done here, by worker processes, by MPI ranks or by
// the jobs of an array, with the same results for all of them; finished units are on disk and are
// never done twice.
//
// A unit is a kind and the bytes of its arguments; its result is bytes. The function that does it
// must give the same bytes wherever and whenever it runs. What it needs besides (the model, the
// bodies' bases) each process sets up by itself.
#ifndef MW_REDUCTION_WORK_H
#define MW_REDUCTION_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/api.h"
#include "base/error.h"
#include "base/progress.h"

MW_API_BEGIN

typedef struct mw_bytes {
  unsigned char *p;
  size_t n;
} mw_bytes;  // released by its owner with free(p)

typedef struct mw_unit {
  int kind;
  mw_bytes args;  // borrowed
  // 1, 2, …: better done by this worker, who has what it needs, if it is free in time; 0: by any
  int worker;
} mw_unit;

// Does a unit. result: allocated with malloc.
typedef mw_code (*mw_unit_fn)(void *ctx, int kind, const unsigned char *args, size_t n_args,
                              mw_bytes *result, mw_error *err);

typedef struct mw_work mw_work;

typedef struct mw_work_opt {
  mw_unit_fn fn;
  void *ctx;           // handed to fn
  const char *folder;  // of the finished units, made if need be; NULL: nothing is kept on disk
  const char *const
      *also;            // more folders with finished units, only read, ends with NULL; NULL: none
  const char *context;  // text that, with kind and arguments, names a unit (model and program)
  int n_worker;         // workers; 0 or 1: the work is done here
  const char *const *worker_argv;  // what a worker is started with, ends with NULL (n_worker > 1)
  // The first of the workers is a thread of this process, not a process: fn is called with ctx
  // while mw_work_run waits, and what ctx keeps of its units is there afterwards.
  bool thread;
  int shard, n_shard;  // n_shard > 0: units of this shard (1 … n_shard) alone
  bool merge;  // units that shards have begun must be there: MW_ERR_NUMERIC says whose are missing
  mw_progress *progress;  // NULL: silent
  // a line each unit done, for scaling studies; NULL: none. What it belongs to (its spaces as _),
  // its number there, its kind, who did it (0, 1, …), bytes of arguments and of the result; in s:
  // of itself, to send it, to keep it, when it was sent and when it was back
  FILE *log;
} mw_work_opt;

// Locks the folder (MW_ERR_INPUT when another process works on it) and starts the workers lazily.
// Under mpirun the ranks are the workers. Free with mw_work_free, which ends them. Copies folder,
// also and context; borrows the rest.
MW_MUST_USE mw_code mw_work_init(const mw_work_opt *opt, mw_work **out, mw_error *err);
// Finished units stay on disk. Under mpirun rank 0 calls this or mw_work_done once, whatever
// happened before (w may be NULL): the other ranks serve until then.
void mw_work_free(mw_work *w);
// Removes the finished units of this context from the disk, and the folder when nothing else is in
// it, and ends w: the result they led to is safe.
void mw_work_done(mw_work *w);

// Results [n] of the units, in their order, independent of who did them and when. Each result is
// released by the caller. On error there are none; units that were finished by then are kept on
// disk. MW_ERR_IO: they cannot be written (full disk);
// MW_ERR_NUMERIC: a unit ended two workers; else what the unit's function said.
// With n_shard > 0: *missing counts units that other shards have not done yet; then results are
// empty and the code is MW_OK.
MW_MUST_USE mw_code mw_work_run(mw_work *w, const char *what, int n, const mw_unit *unit,
                                mw_bytes *result, int *missing, mw_error *err);
// Processors that wait in this process while it does no units: as many as it has workers, at least
// one. w may be NULL.
int mw_work_threads(const mw_work *w);
int mw_work_reused(const mw_work *w);  // units whose results were found on disk so far

// What the work cost so far.
typedef struct mw_work_stats {
  int made, reused;  // units done, found finished
  int missing;       // units that other shards have not done yet
  int lost;          // workers that ended before their time
  double unit_s;     // s, of all units done, wherever
  double store_s;    // s, writing and reading finished units
  double bytes;      // of the results made
} mw_work_stats;
mw_work_stats mw_work_stats_of(const mw_work *w);

// In a worker process (started with worker_argv, or a rank other than 0): does units until there
// are no more. The error of a unit is sent back as its result; an error here
// means that the connection is lost. Standard output goes to standard error.
MW_MUST_USE mw_code mw_work_serve(mw_unit_fn fn, void *ctx, mw_error *err);

// ---- bytes --------------------------------------------------------------------------------------
// Growing and reading of arguments and results: numbers in the machine's own form. The first
// failure (memory; reading past the end) is kept, later calls do nothing.
typedef struct mw_pack {
  mw_bytes b;
  size_t cap;
  bool failed;
} mw_pack;
void mw_pack_int(mw_pack *p, int n, const int *x);
void mw_pack_f64(mw_pack *p, size_t n, const double *x);

typedef struct mw_unpack {
  const unsigned char *p;
  size_t left;
  bool failed;
} mw_unpack;
void mw_unpack_int(mw_unpack *u, int n, int *x);
void mw_unpack_f64(mw_unpack *u, size_t n, double *x);

MW_API_END

#endif
