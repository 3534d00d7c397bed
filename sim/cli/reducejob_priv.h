// SPDX-License-Identifier: BSD-3-Clause
// reducejob_priv.h: a reduction from the command line: who does its units, where finished ones
// stay, who else works on its output.
#ifndef MW_SIM_REDUCEJOB_PRIV_H
#define MW_SIM_REDUCEJOB_PRIV_H

#include "cmd_layer.h"
#include "reduction/lock.h"
#include "reduction/reduce.h"
#include "reduction/work.h"

typedef enum mw_reduce_how {
  // a part of another command: in this process, nothing stays on disk but the cache
  MW_REDUCE_WITHIN,
  MW_REDUCE_WHOLE,  // modeway reduce, a shard of it too
  MW_REDUCE_MERGE   // modeway merge
} mw_reduce_how;

typedef struct mw_reduce_worker mw_reduce_worker;

typedef struct mw_reduce_job {
  const mw_args *args;
  mw_reduce_how how;
  mw_reduce_opt opt;
  int n_worker, shard, n_shard;  // n_shard 0: the whole
  const char *output;            // of the reduced model
  const char *own;               // OUTPUT.parts
  const char *parts;             // folder of the finished units, NULL: they are not kept
  const char **also;             // more of them to look into, ends with NULL
  const char *command;           // for the history: the same for all ways to the same result
  const char *context;           // of the units
  const char **worker_argv;      // ends with NULL
  const mw_case *c;
  mw_reduce_worker *worker;  // does units in this process
  mw_work *work;
  mw_lock lock;         // on the output, where the units' folder is another or none
  mw_work_stats stats;  // set by mw_reduce_job_end
  mw_arena mem;
} mw_reduce_job;

// Options into job; nothing is touched yet. MW_ERR_INPUT: they do not fit together.
MW_MUST_USE mw_code mw_reduce_job_read(const mw_args *a, mw_reduce_how how, mw_reduce_job *job,
                                       mw_error *err);
// Locks the output and gets the work ready. c must outlive job.
MW_MUST_USE mw_code mw_reduce_job_start(mw_reduce_job *job, const mw_case *c, mw_progress *p,
                                        mw_error *err);
// The reduced model with provenance filled in. *complete false (MW_OK): other shards have units to
// do, and there is none.
MW_MUST_USE mw_code mw_reduce_job_rom(mw_reduce_job *job, mw_rom_file *out, bool *complete,
                                      mw_error *err);
// safe: the result is on disk and finished units are no longer needed. Under mpirun the other ranks
// end, so rank 0 calls this whatever happened before; {0} is fine.
void mw_reduce_job_end(mw_reduce_job *job, bool safe);
// A worker process or a rank other than 0: does units for its parent or rank 0. Gives the exit
// status.
int mw_reduce_job_serve(const mw_args *a);

#endif
