// SPDX-License-Identifier: BSD-3-Clause
// sample_arpack.c: the modes of a sample by ARPACK, complete by an inertia count of their own.
//
//   runs of ARPACK, each on the complement of the modes found   until
//       #(λ < σ) found = #(λ < σ) counted      (1)
//
// σ lies above as many modes as a shift can part from the next. ARPACK with one vector may leave
// out one of two equal modes, of three equal ones as a rule: the count says how many are left, the
// complement gives them (arpack.c).
// Cost: a run, a factorization of the bodies at σ (prove.c); both again where modes were missed.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "sample_layer.h"
#include "system/arpack_layer.h"

enum { SEARCHES = 8, SPARE = 16 };
static const double APART = 1e-4;  // relative distance of modes that a shift can part for sure

typedef struct search {
  mw_system *sys;
  const mw_sample_in *in;
  int k, n, found, proved;  // modes wanted, unknowns; modes found, of these proved complete
  double *lambda, *X;       // [k + SPARE], [k + SPARE × n]
  mw_arena mem;
} search;

// Modes below the highest shift that parts those found.
static int provable(int found, const double *lambda)
{
  int n = found - 1;
  while (n > 0 && !(lambda[n] > lambda[n - 1] * (1.0 + APART))) n--;
  return n;
}

mw_code mw_sample_prove(const mw_sample_in *in, int k, int found, const double *lambda, int *proved,
                        int *left, mw_error *err)
{
  mw_proof pr = { .mech = in->mech,
                  .locked = in->locked,
                  .n = 1,
                  .k = found,
                  .need = provable(found, lambda),
                  .config = &in->q,
                  .lambda = &lambda };
  *proved = pr.need < k ? pr.need : k;
  *left = 0;
  if (pr.need == 0) return MW_OK;  // all equal: nothing is proved, and said so
  mw_code rc = mw_prove_modes(&pr, left, err);
  if (rc == MW_OK && *left < 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "ARPACK finds %d modes more than inertia counts: the mechanism is too near "
                 "singular",
                 -*left);
  return rc;
}

// *left: modes that are still to be found, by (1).
static mw_code missing(search *z, int *left, mw_error *err)
{
  *left = z->k - z->found;
  if (*left > 0 || z->in->proof_apart) return MW_OK;
  return mw_sample_prove(z->in, z->k, z->found, z->lambda, &z->proved, left, err);
}

// Modes by ARPACK until (1); *missed: those that the first run left out.
static mw_code all_modes(search *z, int *missed, mw_arpack_end *end, mw_error *err)
{
  int left = z->k;
  mw_code rc = MW_OK;
  *missed = 0;
  *end = MW_ARPACK_DONE;
  for (int round = 0; rc == MW_OK && left > 0; round++) {
    if (round == SEARCHES)
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "%d modes of a sample are missing after %d runs of ARPACK", left, round);
    if (z->found > z->k) z->found = z->k;  // the highest are found again where they are needed
    if (round > 0 && left > SPARE) left = SPARE;
    rc = mw_system_modes_arpack(z->sys, left, round, &z->found, z->lambda, z->X, end, err);
    if (rc != MW_OK || *end != MW_ARPACK_DONE) break;
    rc = missing(z, &left, err);
    if (left > *missed) *missed = left;
  }
  return rc;
}

mw_code mw_sample_arpack(mw_system *sys, const mw_sample_in *in, mw_sample *s, double *Phi,
                         mw_error *err)
{
  search z = { .sys = sys, .in = in, .n = mw_blocks_size(mw_system_blocks(sys)) };
  z.k = s->k + in->beyond;
  size_t n = (size_t)z.n, k = (size_t)s->k, all = (size_t)z.k;
  int missed = 0;
  mw_arpack_end end = MW_ARPACK_DONE;
  z.lambda = mw_arena_f64(&z.mem, all + SPARE);
  z.X = mw_arena_f64(&z.mem, (all + SPARE) * n);
  mw_code rc = mw_arena_check(&z.mem, err);
  if (rc == MW_OK) rc = all_modes(&z, &missed, &end, err);
  if (rc == MW_OK && end != MW_ARPACK_DONE)
    s->solver = end == MW_ARPACK_TOO_FEW ? MW_SOLVER_TOO_FEW : MW_SOLVER_EXHAUSTED;
  if (rc == MW_OK && end == MW_ARPACK_DONE) {
    s->solver = MW_SOLVER_ARPACK;
    s->n_missed = missed;
    s->n_proved = z.proved;
    for (size_t i = 0; i < k; i++)  // relative in f = √λ/2π
      s->apart = fmax(s->apart, fabs(sqrt(s->lambda[i] / z.lambda[i]) - 1.0));
    memcpy(s->lambda, z.lambda, k * sizeof *s->lambda);
    memcpy(s->beyond, z.lambda + k, (all - k) * sizeof *s->beyond);
    memcpy(Phi, z.X, k * n * sizeof *Phi);
  }
  mw_arena_free(&z.mem);
  return rc;
}
