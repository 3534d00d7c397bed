// SPDX-License-Identifier: BSD-3-Clause
// seek.c: where the model errs most, on the bodies' bases.
//
// What is sought is the largest of the errors that the certificate compares, quantity by quantity:
// the mechanism in its bodies' bases against the interpolated model, milliseconds a point. From the
// worst sample of a quantity on, a compass search goes to the better of the neighbours along each
// coordinate, a quarter of a grid interval away, until there is none; then half as far.
// Interpolation errs as a hill between two grid points, which a sample next to it leads to the top
// of. Then from the next sample of that quantity that is not where one has been sought already.
// Samples found serve further passes over the grid. Cost: at most one sample for SEEK_PART random
// ones.
#include <math.h>
#include <string.h>

#include "certificate_layer.h"
#include "reduction/certificate.h"
#include "samples_layer.h"

enum { SEEK_PART = 4, HALVINGS = 3, CLIMBS_MOST = 32 };
static const double STEP = 0.25;   // of a grid interval
static const double APART = 1.0;   // grid intervals between two climbs of one quantity
static const double LEAST = 1e-3;  // of the tolerance: errors below are not sought

typedef struct seek {
  mw_reduction *r;
  mw_samples *z;
  mw_certificate c;  // of the samples there are, and of those found behind them
  mw_compare w;
  int n, left;                  // samples compared; how many more may be taken
  int n_climb[MW_ERROR_KINDS];  // climbs of each quantity
  double begin[MW_ERROR_KINDS][CLIMBS_MOST][MW_ROM_MAX_S];  // where they began
  double end[MW_ERROR_KINDS][CLIMBS_MOST][MW_ROM_MAX_S];    // and ended
  mw_arena mem;
} seek;

static double error_of(const seek *s, int kind, int i)
{
  double e[MW_ERROR_KINDS];
  mw_certificate_errors(&s->c, i, e);
  return e[kind];
}

// Width of the grid interval around theta.
static double width(const mw_axis *a, double theta)
{
  int k = 0;
  while (k + 2 < a->n && mw_axis_theta(a, k + 1) <= theta) k++;
  return mw_axis_theta(a, k + 1) - mw_axis_theta(a, k);
}

static bool near(const mw_reduction *r, const double *a, const double *b)
{
  for (int k = 0; k < r->s; k++)
    if (!r->flat[k] && fabs(a[k] - b[k]) > APART * width(&r->axis[k], a[k])) return false;
  return true;
}

static bool been_there(const seek *s, int kind, const double *theta)
{
  for (int i = 0; i < s->n_climb[kind]; i++)
    if (near(s->r, theta, s->begin[kind][i]) || near(s->r, theta, s->end[kind][i])) return true;
  return false;
}

// The worst sample of a quantity where nothing was sought yet; -1: none that errs by more than
// LEAST.
static int start_of(const seek *s, int kind)
{
  double most = LEAST;
  int at = -1;
  if (s->n_climb[kind] == CLIMBS_MOST) return -1;
  for (int i = 0; i < s->n; i++) {
    double e = error_of(s, kind, i);
    if (!(e > most) || been_there(s, kind, s->c.theta + i * s->r->s)) continue;
    most = e;
    at = i;
  }
  return at;
}

// One more sample, compared.
static mw_code look_at(seek *s, const double *theta, mw_error *err)
{
  mw_sample sample;
  mw_sample_in in = mw_certificate_sample(s->r);
  in.first = s->z->beside[0].k;
  mw_code rc = mw_sample_projected(s->r, &in, theta, &sample, &s->z->mem, err);
  if (rc == MW_OK) rc = mw_compare_sample(&s->w, &sample, s->n, err);
  if (rc == MW_OK) rc = mw_samples_add(s->z, &sample, MW_POINT_SOUGHT, err);
  if (rc != MW_OK) return rc;
  s->n++;
  s->left--;
  return MW_OK;
}

// From sample `at` uphill.
static mw_code climb(seek *s, int kind, int at, mw_error *err)
{
  const mw_reduction *r = s->r;
  double scale = STEP, theta[MW_ROM_MAX_S];
  size_t bytes = (size_t)r->s * sizeof *theta;
  int which = s->n_climb[kind]++;
  mw_code rc = MW_OK;
  memcpy(s->begin[kind][which], s->c.theta + at * r->s, bytes);
  for (int h = 0; rc == MW_OK && h < HALVINGS; scale *= 0.5, h++) {
    bool higher = true;
    while (rc == MW_OK && higher) {
      higher = false;
      for (int i = 0; rc == MW_OK && i < 2 * r->s && s->left > 0; i++) {
        int k = i / 2;
        memcpy(theta, s->c.theta + at * r->s, bytes);
        if (r->flat[k]) continue;
        double step = scale * width(&r->axis[k], theta[k]) * (i % 2 ? -1.0 : 1.0);
        double to = fmin(fmax(theta[k] + step, r->lo[k]), r->hi[k]);
        if (to == theta[k]) continue;
        theta[k] = to;
        rc = look_at(s, theta, err);
        if (rc != MW_OK || !(error_of(s, kind, s->n - 1) > error_of(s, kind, at))) continue;
        at = s->n - 1;
        higher = true;
      }
    }
  }
  memcpy(s->end[kind][which], s->c.theta + at * r->s, bytes);
  return rc;
}

mw_code mw_samples_seek(mw_reduction *r, const mw_tables *t, const mw_rom_file *f, mw_samples *z,
                        mw_error *err)
{
  int n = z->n + z->n_random, most = r->model->reduction.n_sample / SEEK_PART;
  if (!z->beside || most == 0) return MW_OK;
  seek s = { .r = r, .z = z, .left = most };
  mw_code rc = mw_compare_open(r, t, f, n, z->sample, n + most, &s.w, &s.c, &s.mem, err);
  if (rc != MW_OK) {
    mw_arena_free(&s.mem);
    return rc;
  }
  mw_progress_start(r->progress, "where the model errs most", most);
  for (; rc == MW_OK && s.n < n; s.n++) rc = mw_compare_sample(&s.w, &z->sample[s.n], s.n, err);
  bool any = true;
  while (rc == MW_OK && any && s.left > 0) {
    any = false;
    for (int kind = 0; rc == MW_OK && kind < MW_ERROR_KINDS && s.left > 0; kind++) {
      int at = start_of(&s, kind);
      if (at < 0) continue;
      any = true;
      rc = climb(&s, kind, at, err);
      mw_progress_step(r->progress, most - s.left);
    }
  }
  mw_progress_end(r->progress);
  mw_compare_close(&s.w);
  mw_arena_free(&s.mem);
  return rc;
}
