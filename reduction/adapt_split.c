// SPDX-License-Identifier: BSD-3-Clause
// adapt_split.c: intervals of a grid that are marked, split: within the limits on points, as long
// as splits gain.
//
// A mark is the set of kinds of errors that it is for. Splits of an interval for a kind gain where
//   e of the whole > GAIN × e of its halves      (1)
// After STALLS in a row that did not, STALLS_LARGE where e is still LARGE, it is left alone for
// that kind; passes over the whole grid end by the same rule.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapt_priv.h"

// Points of a grid: at some milliseconds and a megabyte each, what one machine takes in a minute.
// Along one axis: a range over as many nodes of a beam, below which the model ripples.
enum { POINTS_MOST = 4096, AXIS_MOST = 257 };
enum { STALLS_LARGE = 4 };
static const double LARGE = 100.0;

// Leaves alone what splits do not help any more; returns whether there is any.
bool mw_adapt_leave_stalled(mw_adapt *a, unsigned char *const *wanted)
{
  bool any = false;
  for (int i = 0; i < a->r->s; i++)
    for (int k = 0; k + 1 < mw_adapt_points(a->r, i); k++)
      for (int c = 0; c < MW_PROBE_KINDS; c++) {
        mw_interval *v = &a->interval[i][k];
        if (!(wanted[i][k] >> c & 1u) || !(v->before[c] > 0.0)) continue;
        v->stalls[c] = v->e[c] * mw_adapt_gain > v->before[c] ? v->stalls[c] + 1 : 0;
        if (v->stalls[c] < (v->e[c] > LARGE ? STALLS_LARGE : MW_ADAPT_STALLS)) continue;
        wanted[i][k] &= (unsigned char)~(1u << c);
        any = true;
      }
  return any;
}

// ---- splitting ----------------------------------------------------------------------------------

// Points of the grid that these splits would give.
static double points_after(const mw_reduction *r, unsigned char *const *split, int *axis_most)
{
  double n = 1.0;
  mw_arena tmp = { 0 };
  *axis_most = 0;
  for (int i = 0; i < r->s; i++) {
    mw_axis finer = *mw_first_axis(r, i);
    int *from;
    if (split[i] &&
        mw_axis_split(mw_first_axis(r, i), split[i], &tmp, &finer, &from, NULL) != MW_OK)
      finer.n = AXIS_MOST + 1;
    n *= finer.n;
    *axis_most = finer.n > *axis_most ? finer.n : *axis_most;
  }
  mw_arena_free(&tmp);
  return n;
}

bool mw_adapt_fits(const mw_reduction *r, unsigned char *const *split)
{
  int axis_most;
  return points_after(r, split, &axis_most) <= POINTS_MOST && axis_most <= AXIS_MOST;
}

bool mw_adapt_any_marked(const mw_reduction *r, unsigned char *const *split)
{
  for (int i = 0; i < r->s; i++)
    for (int k = 0; split[i] && k + 1 < mw_adapt_points(r, i); k++)
      if (split[i][k]) return true;
  return false;
}

// Of the marked intervals those with the largest errors, as many as the limits on points allow.
static void within_limits(const mw_adapt *a, unsigned char *const *split)
{
  const mw_reduction *r = a->r;
  while (!mw_adapt_fits(r, split) && mw_adapt_any_marked(r, split)) {
    double least = INFINITY;
    for (int i = 0; i < r->s; i++)
      for (int k = 0; k + 1 < mw_adapt_points(r, i); k++)
        if (split[i][k]) least = fmin(least, mw_adapt_largest(a->interval[i][k].e));
    for (int i = 0; i < r->s; i++)
      for (int k = 0; k + 1 < mw_adapt_points(r, i); k++)
        if (split[i][k] && mw_adapt_largest(a->interval[i][k].e) <= 1.25 * least) split[i][k] = 0;
  }
}

// Mirrored intervals of symmetric axes together; axes without marks as NULL.
void mw_adapt_tidy(const mw_reduction *r, unsigned char **split)
{
  for (int i = 0; i < r->s; i++) {
    int n = mw_adapt_points(r, i) - 1, any = 0;
    if (!split[i]) continue;
    for (int k = 0; k < n && r->model->reduction.coordinate[i].symmetric; k++)
      split[i][k] = split[i][n - 1 - k] |= split[i][k];
    for (int k = 0; k < n; k++) any += split[i][k];
    if (!any) split[i] = NULL;
  }
}

// The finer grid and tables, and what is known of its intervals.
mw_code mw_adapt_apply(mw_adapt *a, unsigned char *const *split, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_adapt_keep_tables(a, split);
  mw_arena old = a->mem;
  mw_adapt was = *a;
  int *from[MW_ROM_MAX_S];
  mw_reduction_coarsen(r);
  mw_code rc = mw_reduction_split(r, split, from, err);
  if (rc != MW_OK) return rc;
  a->mem = (mw_arena){ 0 };
  rc = mw_adapt_lists(a, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int k = 0; k + 1 < mw_adapt_points(r, i); k++) {
      int left = !from[i] ? k : from[i][k] >= 0 ? from[i][k] : from[i][k - 1];
      bool half = from[i] && (from[i][k] < 0 || from[i][k + 1] < 0);
      const mw_interval *parent = &was.interval[i][left];
      mw_interval *v = &a->interval[i][k];
      *v = *parent;
      for (int c = 0; half && c < MW_PROBE_KINDS; c++)
        v->before[c] = split[i][left] >> c & 1u ? parent->e[c] : 0.0;
      if (was.refine[i] > 0) memcpy(v->before, parent->e, sizeof v->before);
    }
  memset(a->refine, 0, sizeof a->refine);
  mw_arena_free(&old);
  a->pass++;
  return rc;
}

// Where interpolation errs most, by what and along which coordinate, as ", most in KIND along NAME
// near PLACE"; "" where it does not.
static const char *where(const mw_adapt *a, char text[96])
{
  static const char *const kinds[MW_PROBE_KINDS] = {
    [MW_PROBE_FREQUENCY] = "frequencies",
    [MW_PROBE_COMPLIANCE] = "compliance",
    [MW_PROBE_RECEPTANCE] = "receptances",
    [MW_PROBE_SHAPE] = "shapes",
  };
  const mw_reduction *r = a->r;
  double most = 0.0;
  text[0] = '\0';
  for (int i = 0; i < r->s; i++)
    for (int k = 0; k + 1 < mw_adapt_points(r, i); k++)
      for (int c = 0; c < MW_PROBE_KINDS; c++) {
        if (!(a->interval[i][k].e[c] > most)) continue;
        most = a->interval[i][k].e[c];
        snprintf(text, 96, ", most in %s along %.40s near %.4g", kinds[c],
                 r->model->reduction.coordinate[i].name,
                 0.5 * (mw_axis_theta(mw_first_axis(r, i), k) +
                        mw_axis_theta(mw_first_axis(r, i), k + 1)));
      }
  return text;
}

static void say(mw_adapt *a, const char *how)
{
  char text[256], most[96];
  int n = 0;
  for (int i = 0; i < a->r->s; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", i ? " x " : "grid ",
                  mw_adapt_points(a->r, i));
  for (int i = 0; i < a->r->s && a->r->first.n_point > 0; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", i ? " x " : ", tables ",
                  a->r->n_grid[i]);
  if (n < (int)sizeof text)
    snprintf(text + n, sizeof text - (size_t)n,
             ", interpolation errs by %.2g of what is asked for%s: %s", a->worst, where(a, most),
             how);
  mw_progress_note(a->r->progress, text);
}

mw_code mw_adapt_marks(const mw_reduction *r, unsigned char **split, mw_arena *mem, mw_error *err)
{
  for (int i = 0; i < r->s; i++) split[i] = mw_arena_alloc(mem, (size_t)mw_adapt_points(r, i), 1);
  return mw_arena_check(mem, err);
}

// Have the last passes of this kind (asked for by probes, or by samples) hardly gained anything?
static bool idle(mw_adapt *a)
{
  int kind = a->by_samples;
  a->idle[kind] =
      a->last[kind] > 0.0 && a->worst * mw_adapt_gain > a->last[kind] ? a->idle[kind] + 1 : 0;
  a->last[kind] = a->worst;
  return a->idle[kind] >= (a->worst > LARGE ? STALLS_LARGE : MW_ADAPT_STALLS);
}

// Applies marks that have been made; how it ended where there are none.
mw_code mw_adapt_finish(mw_adapt *a, unsigned char **split, bool stalled, bool *more, mw_error *err)
{
  if ((mw_adapt_any_marked(a->r, split) || mw_adapt_tables_asked(a)) && idle(a)) {
    for (int i = 0; i < a->r->s; i++) memset(split[i], 0, (size_t)mw_adapt_points(a->r, i));
    memset(a->refine, 0, sizeof a->refine);
    stalled = true;
  }
  bool wanted = mw_adapt_any_marked(a->r, split), tables = mw_adapt_tables_asked(a);
  char most[96];
  where(a, most);
  within_limits(a, split);
  bool grid = mw_adapt_any_marked(a->r, split);
  *more = grid || tables;
  if (!*more && (wanted || stalled) && a->worst > 1.0 && mw_adapt_give_up_tables(a)) {
    *more = true;
  } else if (!*more && (wanted || stalled)) {
    if (wanted)
      snprintf(a->note, sizeof a->note,
               "no more than %d points, %d along a coordinate: interpolation errs by %.2g of what "
               "is asked for%s",
               POINTS_MOST, AXIS_MOST, a->worst, most);
    else
      snprintf(
          a->note, sizeof a->note,
          "more points hardly help any more: interpolation errs by %.2g of what is asked for%s",
          a->worst, most);
  } else if (!*more) {
    snprintf(a->note, sizeof a->note,
             "interpolation errs by %.2g of what is asked for after %d refinements%s", a->worst,
             a->pass, most);
  }
  say(a, grid && tables ? "more points, finer tables"
         : grid         ? "more points"
         : *more        ? tables ? "finer tables" : "coarser tables"
                        : "no more points");
  mw_adapt_tidy(a->r, split);
  return *more ? mw_adapt_apply(a, split, err) : MW_OK;
}
// Leaves the longest of the marked axes alone, one by one, until the limits on points hold.
void mw_adapt_fewer_axes(const mw_reduction *r, unsigned char *const *split)
{
  while (!mw_adapt_fits(r, split)) {
    int longest = -1;
    for (int i = 0; i < r->s; i++) {
      bool marked = memchr(split[i], 1, (size_t)mw_adapt_points(r, i)) ||
                    memchr(split[i], MW_ADAPT_EVERY, (size_t)mw_adapt_points(r, i));
      if (marked && (longest < 0 || mw_adapt_points(r, i) > mw_adapt_points(r, longest)))
        longest = i;
    }
    if (longest < 0) return;
    memset(split[longest], 0, (size_t)mw_adapt_points(r, longest));
  }
}
