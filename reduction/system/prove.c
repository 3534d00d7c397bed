// SPDX-License-Identifier: BSD-3-Clause
// prove.c: proof that no eigenmode was missed, at many configurations with few factorizations.
//
//   number of constrained eigenvalues below σ = Σ_b neg(K_b − σM_b) + neg(D) − n_mu             (1)
//
// (Sylvester's law of inertia; Haynsworth's formula for the Schur complement D of system.c.) One
// shift serves every configuration whose computed modes reach beyond it; the next shift is chosen
// for those that are left.
#include <math.h>
#include <string.h>

#include "reduce_layer.h"

static const double CLEAR = 1e-6;  // relative distance of a shift from any eigenvalue computed

static int below(int k, const double *lambda, double sigma)
{
  int n = 0;
  while (n < k && lambda[n] < sigma) n++;
  return n;
}

static bool is_clear(const mw_proof *pr, const unsigned char *done, double sigma)
{
  for (int g = 0; g < pr->n; g++)
    for (int i = 0; !done[g] && i < pr->k; i++)
      if (fabs(pr->lambda[g][i] - sigma) <= CLEAR * fabs(sigma)) return false;
  return true;
}

// A shift above the needed modes of every configuration left, clear of all their eigenvalues.
static double choose_shift(const mw_proof *pr, const unsigned char *done)
{
  double top = 0.0;
  for (int g = 0; g < pr->n; g++)
    if (!done[g]) top = fmax(top, pr->lambda[g][pr->need - 1]);
  double sigma = top * (1.0 + 10.0 * CLEAR);
  for (int i = 0; i < 1000 && !is_clear(pr, done, sigma); i++) sigma *= 1.0 + 3.0 * CLEAR;
  return sigma;
}

static mw_code count_at(const mw_proof *pr, const mw_blocks *bl, int g, int *count, mw_error *err)
{
  mw_system *sys = NULL;
  mw_code rc =
      mw_system_build(bl, pr->locked, pr->hold, pr->config[g]->p, pr->config[g]->s, &sys, err);
  if (rc == MW_OK) rc = mw_system_count_below(sys, count, err);
  mw_system_free(sys);
  return rc;
}

mw_code mw_prove_modes(const mw_proof *pr, int *missed, mw_error *err)
{
  mw_arena mem = { 0 };
  unsigned char *done = mw_arena_alloc(&mem, (size_t)pr->n, 1);
  int left = pr->n;
  mw_code rc = mw_arena_check(&mem, err);
  memset(missed, 0, (size_t)pr->n * sizeof *missed);
  while (rc == MW_OK && left > 0) {
    double sigma = choose_shift(pr, done);
    mw_blocks *bl = NULL;
    int before = left;
    rc = mw_blocks_build(pr->mech, sigma, true, &bl, err);
    for (int g = 0; rc == MW_OK && g < pr->n; g++) {
      if (done[g] || !(pr->lambda[g][pr->k - 1] > sigma)) continue;
      int count = 0;
      rc = count_at(pr, bl, g, &count, err);
      missed[g] = count - below(pr->k, pr->lambda[g], sigma);
      done[g] = 1;
      left--;
    }
    mw_blocks_free(bl);
    if (rc == MW_OK && left == before)
      rc = mw_fail(
          err, MW_ERR_NUMERIC, MW_NOWHERE,
          "completeness of the modes cannot be proved: mode %d is one of several equal ones",
          pr->need);
  }
  mw_arena_free(&mem);
  return rc;
}
