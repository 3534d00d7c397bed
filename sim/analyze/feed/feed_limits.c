// SPDX-License-Identifier: BSD-3-Clause
// feed_limits.c: where a feed-forward asks more of drives than their limits are.
#include <math.h>

#include "feed_priv.h"

// How far x is beyond lo … hi, 0: it is not.
static double beyond(double x, double lo, double hi) { return fmax(0.0, fmax(x - hi, lo - x)); }

// Takes x at t into e, whose limits are lo and hi.
static void take(mw_feed_excess *e, double x, double lo, double hi, double t)
{
  double by = beyond(x, lo, hi);
  if (!(by > 0.0)) return;
  if (e->n++ == 0) e->first = t;
  e->until = t;
  if (by <= fabs(e->value - e->limit)) return;
  e->value = x;
  e->limit = x > hi ? hi : lo;
  e->at = t;
}

int mw_feed_exceeded(const mw_mech *m, const mw_rom_file *rom, const mw_feed_forward *o,
                     const mw_drive_limits *limits, mw_feed_excess *out)
{
  int n = 0;
  for (int d = 0; d < o->n_drive; d++) {
    mw_feed_excess e[3] = { { .drive = d, .what = MW_LIMIT_FORCE },
                            { .drive = d, .what = MW_LIMIT_SPEED },
                            { .drive = d, .what = MW_LIMIT_POWER } };
    double speed = limits->speed[d], power = limits->power ? limits->power[d] : INFINITY;
    int of = -1;
    for (int k = 0; k < o->s; k++) of = mw_feed_drive_of(m, rom, k) == d ? k : of;
    for (int i = 0; i < o->n; i++) {
      double force = o->force[i * o->n_drive + d], rate = of < 0 ? 0.0 : o->rate[i * o->s + of];
      take(&e[0], force, limits->lo[d], limits->hi[d], o->t[i]);
      take(&e[1], rate, -speed, speed, o->t[i]);
      take(&e[2], force * rate, -power, power, o->t[i]);
    }
    for (int k = 0; k < 3; k++)
      if (e[k].n > 0) out[n++] = e[k];
  }
  return n;
}
