// SPDX-License-Identifier: BSD-3-Clause
// ranks.c: what commands do under mpirun: one message for what all ranks find, one process for a
// run that is not shared out.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_layer.h"
#include "fem/mpi.h"
#include "sim/rigidrun.h"

mw_code mw_cmd_agree(mw_code rc, mw_error *err)
{
  enum { CODES = 16 };
  int n = mw_mpi_size(), rank = mw_mpi_rank();
  if (n == 1) return rc;
  int first = (int)mw_mpi_most(rc != MW_OK ? (n - rank) * CODES + (int)rc : 0);
  if (first == 0) return MW_OK;
  if (n - rank != first / CODES) *err = (mw_error){ 0 };
  err->code = (mw_code)(first % CODES);
  return err->code;
}

// FNV-1a, to the 52 bits that a double holds: of what a run is made of.
static double digest(const mw_case *c, const mw_scenario *sc, const mw_rigid_in *in)
{
  uint64_t h = 0xcbf29ce484222325u;
  char text[512];
  int n = snprintf(text, sizeof text, "%s %s %a %a %d %a %a", c->model.hash, sc->hash, sc->store,
                   sc->step, (int)in->method, in->tolerance, in->projection);
  for (int i = 0; i < n && text[i]; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
  return (double)((h ^ h >> 32) >> 12);
}

mw_code mw_cmd_ranks_open(const mw_case *c, const mw_scenario *sc, const mw_rigid_in *in,
                          mw_cmd_ranks *out, mw_error *err)
{
  *out = (mw_cmd_ranks){ .n = mw_mpi_size() };
  if (out->n == 1) return MW_OK;
  double mine = digest(c, sc, in), most = mw_mpi_most(mine), least = -mw_mpi_most(-mine);
  if (most != least)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = c->model.path },
                   "the ranks have read different models: expected the same files for all of them");
  out->joined = mw_rigid_run_shares(&c->mech, out->why, sizeof out->why);
  out->idle = !out->joined && mw_mpi_rank() > 0;
  return out->joined ? mw_mpi_team_open(&out->team, err) : MW_OK;
}

void mw_cmd_ranks_close(mw_cmd_ranks *k)
{
  if (k->joined) mw_mpi_team_close(&k->team);
}

int mw_cmd_ranks_fail(mw_error *err)
{
  // others find the same, but that it has no memory, or has failed to write
  bool own = err->code == MW_ERR_MEMORY || err->code == MW_ERR_IO;
  if (mw_mpi_rank() > 0 && !own) err->msg[0] = '\0';
  int status = mw_cmd_fail(err);
  if (err->code == MW_ERR_MEMORY && mw_mpi_size() > 1) mw_mpi_abort(status);
  return status;
}
