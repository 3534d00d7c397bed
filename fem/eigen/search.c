// SPDX-License-Identifier: BSD-3-Clause
// search.c: the modes nearest to a shift, none left out.
//
//   eigenvalues in (σ − r, σ + r) = below(σ + r) − below(σ − r)        below:
//       Sylvester's law of inertia      (1)
//
// Some more modes than wanted are computed; r lies in the widest gap of their distances from σ
// beyond the last wanted one. Where (1) counts more than were found, as many again are searched for
// M-orthogonally to what is known (lanczos.c), until it agrees. Where all gaps are narrow (several
// equal modes) there is no place for r: then more modes are taken.
// Cost: a factorization a proof (two where modes lie below σ), one more at σ and a run of PARPACK a
// repetition.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eigen_priv.h"

// Relative gap in which counting is beyond doubt: rounding moves an eigenvalue of the factored
// matrix by some ε times the largest one, 1e-16 × 1e10 of those wanted in a fine mesh.
static const double CLEAR = 1e-5;
enum { ROUNDS = 12 };

typedef struct ranked {
  double distance, lambda;  // |λ − σ|, λ
  int mode;
} ranked;

static int by_distance(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  return (x->distance > y->distance) - (x->distance < y->distance);
}

static int by_lambda(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  return (x->lambda > y->lambda) - (x->lambda < y->lambda);
}

static ranked *rank_modes(const modes *x, double sigma, mw_error *err)
{
  ranked *r = malloc((size_t)x->n * sizeof *r);
  if (!r) {
    (void)mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
    return NULL;
  }
  for (int i = 0; i < x->n; i++) r[i] = (ranked){ fabs(x->lambda[i] - sigma), x->lambda[i], i };
  qsort(r, (size_t)x->n, sizeof *r, by_distance);
  return r;
}

// How many of the nearest modes lie before the widest gap at or beyond the last wanted; 0: no gap
// is wide enough.
static int cut(const ranked *r, int n, int wanted, double *radius)
{
  int best = 0;
  double widest = CLEAR;
  for (int i = wanted; i < n; i++) {
    double gap = (r[i].distance - r[i - 1].distance) / r[i].distance;
    if (gap <= widest) continue;
    widest = gap;
    best = i;
    *radius = 0.5 * (r[i].distance + r[i - 1].distance);
  }
  return best;
}

// (1); below: at sigma
static mw_code count(solver *f, double sigma, double radius, int below, int *n, mw_error *err)
{
  mw_code rc = solver_factor(f, sigma + radius, err);
  if (rc == MW_OK) *n = solver_negative(f);
  if (rc != MW_OK || below == 0) return rc;
  rc = solver_factor(f, sigma - radius, err);
  if (rc == MW_OK) *n -= solver_negative(f);
  return rc;
}

static mw_code choose(const modes *x, double sigma, int wanted, int *order, mw_error *err)
{
  ranked *r = rank_modes(x, sigma, err);
  if (r) {
    qsort(r, (size_t)wanted, sizeof *r, by_lambda);
    for (int i = 0; i < wanted; i++) order[i] = r[i].mode;
  }
  free(r);
  return r ? MW_OK : err->code;
}

// What is still to be searched for, 0: the modes are complete.
static mw_code missing(const job *j, solver *f, const modes *x, int below, int *left, mw_error *err)
{
  double radius = 0.0, sigma = j->head.sigma;
  int n = 0, counted = 0, wanted = (int)j->head.n_modes;
  ranked *r = rank_modes(x, sigma, err);
  mw_code rc = team_agree(r ? MW_OK : MW_ERR_MEMORY, err);
  if (rc == MW_OK) n = x->n > wanted ? cut(r, x->n, wanted, &radius) : 0;
  free(r);
  *left = x->n < wanted + EIGEN_GUARD ? wanted + EIGEN_GUARD - x->n : EIGEN_GUARD;
  if (rc != MW_OK || n == 0) return rc;
  rc = count(f, sigma, radius, below, &counted, err);
  if (rc != MW_OK) return rc;
  team_say(&j->s, "%d modes within %.9g of the shift, %d found", counted, radius, n);
  *left = counted - n;
  if (*left < 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "%d modes were found where inertia counts %d: the matrices are too near singular",
                 n, counted);
  return rc;
}

mw_code search_modes(const job *j, solver *f, mass *m, modes *x, int *order, int *rounds,
                     mw_error *err)
{
  int wanted = (int)j->head.n_modes, below = solver_negative(f), left = wanted + EIGEN_GUARD;
  mw_code rc = MW_OK;
  for (*rounds = 0; rc == MW_OK && left > 0; ++*rounds) {
    if (*rounds == ROUNDS)
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "%d modes are still missing after %d searches: too many equal ones", left,
                     ROUNDS);
    if (solver_shift(f) != j->head.sigma) rc = solver_factor(f, j->head.sigma, err);
    if (rc == MW_OK) rc = lanczos_add(j, f, m, left, x, err);
    if (rc == MW_OK) rc = missing(j, f, x, below, &left, err);
  }
  return rc == MW_OK ? team_agree(choose(x, j->head.sigma, wanted, order, err), err) : rc;
}
