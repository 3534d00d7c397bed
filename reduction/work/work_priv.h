// SPDX-License-Identifier: BSD-3-Clause
// work_priv.h: how units travel and where finished ones stay, shared by the sources of work.h.
//
// A backend has workers, each of which does one unit at a time. The loop in work.c serves all three
// backends: this process, worker processes, MPI ranks.
#ifndef MW_REDUCTION_WORK_PRIV_H
#define MW_REDUCTION_WORK_PRIV_H

#include <stdint.h>

#include "reduction/lock.h"
#include "reduction/work.h"

enum { MW_DIGEST = 32 };  // bytes of SHA-256

// ---- messages -----------------------------------------------------------------------------------
enum { MW_HEAD_UNIT = 1, MW_HEAD_RESULT, MW_HEAD_ERROR, MW_HEAD_END };

// Head of a message; n bytes follow: arguments of a unit, a result, or a struct mw_error.
typedef struct mw_head {
  int what, kind;
  double seconds;                   // a result's: what it took
  unsigned char name[MW_DIGEST];    // of the unit
  unsigned char digest[MW_DIGEST];  // of a result, equation (1) of work_store.c
  uint64_t n;
} mw_head;

// What came back from a worker.
typedef struct mw_answer {
  int worker;
  bool dead;  // the worker ended instead; how says how
  char how[64];
  mw_head head;   // RESULT or ERROR
  mw_bytes body;  // owned by the receiver
} mw_answer;

// ---- backends -----------------------------------------------------------------------------------
typedef struct mw_backend mw_backend;
struct mw_backend {
  int n_worker;
  // hands a unit to an idle worker
  mw_code (*send)(mw_backend *d, int worker, const mw_head *head, const unsigned char *args,
                  mw_error *err);
  // waits for the answer of a busy worker
  mw_code (*wait)(mw_backend *d, mw_answer *out, mw_error *err);
  void (*close)(mw_backend *d);
};

MW_MUST_USE mw_code mw_here_open(mw_unit_fn fn, void *ctx, mw_backend **out, mw_error *err);
// fn, ctx: of the first of the n workers, a thread of this process; fn NULL: all are processes
MW_MUST_USE mw_code mw_pool_open(int n, const char *const *argv, mw_unit_fn fn, void *ctx,
                                 mw_backend **out, mw_error *err);
MW_MUST_USE mw_code mw_ranks_open(mw_backend **out, mw_error *err);
void mw_ranks_dismiss(
    void);  // on rank 0: the others end their serving; without other ranks nothing

// Does the unit of head and args: fills the answer's head and body.
void mw_unit_do(mw_unit_fn fn, void *ctx, const mw_head *head, const unsigned char *args,
                mw_answer *out);
// Serves units that another process hands out, for the two backends that have such workers.
MW_MUST_USE mw_code mw_pool_serve(mw_unit_fn fn, void *ctx, mw_error *err);
MW_MUST_USE mw_code mw_ranks_serve(mw_unit_fn fn, void *ctx, mw_error *err);

// ---- finished units on disk ---------------------------------------------------------------------
enum { MW_STORE_UNSYNCED_MOST = 64 };

typedef struct mw_store {
  mw_lock lock;
  char *folder;  // NULL: nothing is kept
  char **also;   // [n_also]
  int n_also;
  char prefix[17];                       // of the names of this context's files
  char *tmp;                             // path a unit is written to first; one writer, so one name
  int folder_fd;                         // 0: not open
  int n_worker;                          // who make units, at least 1
  int n_unsynced;                        // units written, not synced
  int fd[MW_STORE_UNSYNCED_MOST], n_fd;  // theirs, where files are synced one by one
  double unsynced_s;                     // s, work in those
} mw_store;

// Opens the store of a context; of opt folder, also, context, shard and n_shard count.
MW_MUST_USE mw_code mw_store_open(const mw_work_opt *opt, mw_store *out, mw_error *err);
void mw_store_close(mw_store *s);
void mw_store_remove(mw_store *s);  // the finished units of this context
// Names a unit by SHA-256 of context ‖ kind ‖ args.
void mw_store_name(const char *context, const mw_unit *u, unsigned char name[MW_DIGEST]);
void mw_store_digest(const unsigned char name[MW_DIGEST], mw_bytes b, unsigned char out[MW_DIGEST]);
// Reads a finished unit whose digest holds; false: there is none. of [2]: shard and n_shard of who
// made it.
bool mw_store_get(const mw_store *s, const unsigned char name[MW_DIGEST], mw_bytes *out, int of[2]);
// Writes a finished unit. On return it survives this process; a crash of the machine once
// mw_store_sync was called, which happens by itself every half second of work of each worker.
MW_MUST_USE mw_code mw_store_put(mw_store *s, const mw_head *head, mw_bytes b, mw_error *err);
MW_MUST_USE mw_code mw_store_sync(mw_store *s, mw_error *err);

#endif
