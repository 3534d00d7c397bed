// SPDX-License-Identifier: BSD-3-Clause
// points.c: configurations at which the reduced model is compared, and the mechanism in the bodies'
// bases there.
//
//   Halton 1960   radical inverses in prime bases, shifted so that none falls on the grid: they
//                 leave no large gaps
//   random        uniform and independent, from a generator of their own: what confidences may be
//                 derived from
#include <math.h>

#include "base/random.h"
#include "sample_layer.h"

static const double SHIFT = 0.6180339887498949;  // golden section

static double halton(int i, int base)
{
  double f = 1.0, x = 0.0;
  for (; i > 0; i /= base) {
    f /= base;
    x += f * (i % base);
  }
  return x;
}

void mw_points_halton(const mw_reduction *r, int first, int n, double *theta)
{
  static const int bases[] = { 2, 3, 5, 7, 11, 13 };
  _Static_assert(sizeof bases / sizeof *bases >= MW_ROM_MAX_S, "a prime a coordinate");
  for (int i = 0; i < n; i++)
    for (int k = 0; k < r->s; k++) {
      double h = halton(first + i + 1, bases[k]) + SHIFT;
      theta[i * r->s + k] = r->lo[k] + (r->hi[k] - r->lo[k]) * (h - floor(h));
    }
}

void mw_points_random(const mw_reduction *r, int n, uint64_t *state, double *theta)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < r->s; k++)
      theta[i * r->s + k] = r->lo[k] + (r->hi[k] - r->lo[k]) * mw_random_unit(state);
}

mw_code mw_sample_projected(const mw_reduction *r, const mw_sample_in *in, const double *theta,
                            mw_sample *out, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_system *sys = NULL;
  mw_config q;
  mw_sample_in at = *in;
  at.q = &q;
  mw_code rc =
      mw_config_at(r->full, r->locked, r->s, r->coord, theta, &r->point[0].q, &tmp, &q, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, false, q.p, q.s, &sys, err);
  if (rc == MW_OK) rc = mw_sample_build(sys, &at, out, mem, err);
  mw_system_free(sys);
  mw_arena_free(&tmp);
  return rc;
}
