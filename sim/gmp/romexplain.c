// SPDX-License-Identifier: BSD-3-Clause
// romexplain.c: a code of the online half (rom.h) in words of the model: when, and which
// coordinate, column or input.
#include <math.h>
#include <stdio.h>

#include "romrun_priv.h"

// Runs start bent by the loads at rest with coordinates held; a free one on a light hub springs.
static const char RELEASED[] =
    ": the run starts bent as if the coordinate were held, and lets it go; "
    "declare a larger max_rate, or start where nothing holds it";

// What is not finite: index counts through x, u, thdd_p.
static mw_code explain_nan(const mw_rom_sim *q, int k, double t, mw_error *err)
{
  int s = q->rom->s, n = s + q->rom->m, at = k < 2 * n ? k % n : -1;
  const char *part = k < n ? "" : "the rate of ";
  if (k >= 2 * n && k < 2 * n + q->rom->n_u)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "at t = %.6g s input %s is not finite", t,
                   q->file->input[k - 2 * n]);
  if (at < 0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at t = %.6g s a prescribed acceleration is not finite", t);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "at t = %.6g s %s%s %s is no longer finite: the motion diverged", t, part,
                 at < s ? "coordinate" : "the amplitude of",
                 at < s ? q->file->coordinate[at] : q->file->column[at - s]);
}

// The unknown that is farthest off: not finite, or the largest of its kind; its name into text.
static double worst(const mw_rom_sim *q, char text[160])
{
  int s = q->rom->s, n = s + q->rom->m, at = 0;
  for (int i = 0; i < 2 * n; i++)
    if (!(fabs(q->x[i]) <= fabs(q->x[at]))) {
      at = i;
      if (!isfinite(q->x[i])) break;
    }
  int i = at % n;
  snprintf(text, 160, "%s%s %.100s", at < n ? "" : "the rate of ",
           i < s ? "coordinate" : "the amplitude of",
           i < s ? q->file->coordinate[i] : q->file->column[i - s]);
  return q->x[at];
}

// Does the scenario prescribe the position of the coordinate that drive d moves?
static bool prescribed(const mw_rom_sim *q, int d)
{
  bool any = false;
  for (int i = 0; i < q->rom->s; i++) any = any || q->theta_drive[i] == d;
  return any;
}

// Is coordinate i free, and its rate within its limit before the step that failed?
static bool is_free(const mw_rom_sim *q, int i)
{
  double rate = q->x[q->rom->s + q->rom->m + i];
  return q->theta_drive[i] < 0 && fabs(rate) <= q->rom->rate_max[i];
}

mw_code mw_rom_sim_explain(const mw_rom_sim *q, mw_rom_code code, const mw_rom_info *info, double t,
                           mw_error *err)
{
  int i = info->index;
  char name[160];
  double x;
  switch (code) {
  case MW_ROM_OK: return MW_OK;
  case MW_ROM_THETA:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s coordinate %s left the range %g to %g of the reduced model", t,
                   q->file->coordinate[i], q->rom->lo[i], q->rom->hi[i]);
  case MW_ROM_DELTA:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s the amplitude of %s exceeded its limit %g", t, q->file->column[i],
                   q->rom->delta_max[i]);
  case MW_ROM_RATE:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s the rate of coordinate %s exceeded %g, the largest the reduced "
                   "model is meant for%s",
                   t, q->file->coordinate[i], q->rom->rate_max[i],
                   t > 0.0 || !is_free(q, i) ? "" : RELEASED);
  case MW_ROM_INPUT:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s %s %s exceeded %g, the largest the reduced model is meant for", t,
                   prescribed(q, i) ? "the force that holds the prescribed position of" : "input",
                   q->file->input[i], q->rom->u_max[i]);
  case MW_ROM_NAN: return explain_nan(q, i, t, err);
  case MW_ROM_SINGULAR:
    x = worst(q, name);
    if (q->file->light)
      return mw_fail(
          err, MW_ERR_NUMERIC, MW_NOWHERE,
          "at t = %.6g s the inertia of the reduced model is singular: hardly any inertia belongs "
          "to %s alone, and "
          "the terms of third order in the deflections, which the model lacks, outweigh it; give "
          "it that of "
          "its motor, prescribe its position, or use path full or body",
          t, q->file->light);
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at t = %.6g s the inertia of the reduced model is singular: %s is %.3g", t,
                   name, x);
  case MW_ROM_DIVERGED: break;
  }
  x = worst(q, name);
  if (!isfinite(info->residual))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at t = %.6g s the step did not converge: it left all numbers in iteration %d, "
                   "from where %s is %.3g; a shorter step may help",
                   t, info->iterations, name, x);
  return mw_fail(
      err, MW_ERR_NUMERIC, MW_NOWHERE,
      "at t = %.6g s the step did not converge (%d iterations, residual %.3g): %s is %.3g; "
      "a shorter step may help",
      t, info->iterations, info->residual, name, x);
}
