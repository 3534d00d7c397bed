// SPDX-License-Identifier: BSD-3-Clause
// rigid_shared.c: right-hand sides of a run that threads or ranks share out (fem/rigid.h).
//
// The mechanism alone says how it is cut: the number of threads or ranks leaves no trace. Ranks
// hold the whole state each and take the same steps with the same numbers. What only one of them
// knows, an error as it writes a file, all hear of at the next stored instant.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "rigid_path_layer.h"
#include "sim/rigidrun.h"

// Joints from which on right-hand sides are worth sharing out: then a group takes some 20 µs, and
// waking a thread as long.
enum { SHARED = 512, PARTS = 16 };

bool mw_rigid_run_shares(const mw_mech *m, char *why, size_t n)
{
  if (m->model->n_component > 0)  // bodies of size 0 stand in no groups
    snprintf(why, n, "the mechanism has component %.80s, with which it is not cut into groups",
             m->model->component[0].name);
  else if (m->n_joint < SHARED)
    snprintf(why, n, "the mechanism has %d joints, sharing its right-hand sides pays from %d on",
             m->n_joint, SHARED);
  else
    return true;
  return false;
}

// Those that ask for accelerations and projections alone, which components answer.
static bool explicit_steps(mw_method method)
{
  switch (method) {
  case MW_METHOD_AUTO:
  case MW_METHOD_DOPRI5:
  case MW_METHOD_DOP853:
  case MW_METHOD_RK4:
  case MW_METHOD_LEAPFROG: return true;
  default: return false;
  }
}

mw_code mw_rigid_sim_build(mw_rigid_sim *s, mw_error *err)
{
  char why[160];
  mw_rigid_opt opt = mw_rigid_opt_default();
  bool shared = s->in.threads > 0 && mw_rigid_run_shares(s->m, why, sizeof why);
  opt.scenario = s->sc;
  opt.components = explicit_steps(s->in.method);
  opt.part = shared ? s->m->n_joint / PARTS + 1 : 0;
  mw_code rc = mw_rigid_build(s->m, &opt, &s->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(s->r, &s->w, err);
  if (rc == MW_OK && shared && s->in.threads > 1) {
    rc = mw_pool_build(s->in.threads, &s->pool, err);
    if (rc == MW_OK) mw_rigid_work_share(s->w, s->pool);
  }
  return rc;
}

// ---- ranks --------------------------------------------------------------------------------------

mw_code mw_rigid_run_ranks_check(const mw_scenario *sc, const mw_rigid_in *in, mw_error *err)
{
  if (!explicit_steps(in->method))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "method %s is not made over ranks; expected auto, dop853, dopri5, rk4 or "
                   "leapfrog",
                   mw_method_name(in->method));
  if (in->threads > 1)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found %d threads under mpirun, expected ranks or threads: ranks share the "
                   "right-hand sides out, each by one thread",
                   in->threads);
  if (sc->n_unit > 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "scenario %s steps units of other programs, which is not done over ranks",
                   sc->name);
  return MW_OK;
}

// FNV-1a over words.
static void add(uint64_t *h, uint64_t x)
{
  *h = (*h ^ x) * 0x100000001b3u;
  *h ^= *h >> 32;
}

// Is h the same on all ranks? Of its 52 bits that a double holds.
static bool same(const mw_team *k, uint64_t h)
{
  double mine = (double)(h >> 12), most = k->most(k->ctx, mine);
  return most == -k->most(k->ctx, -mine);
}

static uint64_t digest_plan(const mw_elim *e)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (int i = 0; i < e->n_node; i++) add(&h, (uint64_t)e->pivot[i].node);
  for (int g = 0; g < e->n_group; g++) {
    add(&h, (uint64_t)e->group[g].last);
    add(&h, (uint64_t)(e->group[g].above + 1));
  }
  return h;
}

static uint64_t digest_state(const mw_rigid_sim *s)
{
  const double *x[] = { s->q, s->v };
  uint64_t h = 0xcbf29ce484222325u, bits;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < s->n.n_q; i++) {
      memcpy(&bits, &x[k][i], sizeof bits);
      add(&h, bits);
    }
  return h;
}

mw_code mw_rigid_sim_join(mw_rigid_sim *s, const mw_team *team, mw_error *err)
{
  char why[160];
  if (!mw_rigid_run_shares(s->m, why, sizeof why)) return MW_OK;
  s->team = team;
  if (!same(team, digest_plan(mw_rigid_plan(s->r))))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "ranks have cut the mechanism into different groups: do they run with libraries "
                   "of different kinds?");
  return mw_rigid_work_join(s->r, s->w, team, err);
}

mw_code mw_rigid_sim_agree(const mw_rigid_sim *s, mw_code rc, mw_error *err)
{
  const mw_team *k = s->team;
  if (!k) return rc;
  mw_code all = (mw_code)k->most(k->ctx, (double)rc);
  if (rc != MW_OK) return rc;
  if (all != MW_OK) return mw_fail(err, all, MW_NOWHERE, "%s", "");
  if (same(k, digest_state(s))) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "ranks have come to different numbers at t = %g s: do they run on processors or "
                 "libraries of different kinds?",
                 s->t);
}
