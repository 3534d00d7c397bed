// SPDX-License-Identifier: BSD-3-Clause
// adapt_tables.c: where a grid that chooses its points needs finer tables instead.
//
// Of what such an interval errs by, the columns between the grid points have a part and the tables'
// splines of their coefficients the other. At a table point within the interval the columns are
// made anew and the splines are exact, so that
//   e(middle between table points) > TWICE × e(table point)     finer tables mend it           (1)
// and then tables get more points along the axis, on the grid that there is, as long as they may
// (finer_table); else the interval is split. An axis gets as many as
//   e (now / then)⁴ <= part      (2)
// asks for, with e of that axis alone and nothing taken off for the others: passes end where the
// samples meet everything and no interval errs by more than is asked for, whose errors are largest
// at other places along each axis. Where they do add up the next pass asks again.
// Where passes with finer tables end without having met what is asked for, they go, and points of
// the grid have to do.
// Cost: a probe (probe.c) an interval that errs
#include <math.h>

#include "adapt_priv.h"

enum { TABLE_MOST = 8192 };  // points of a table, at some milliseconds and a megabyte each
static const double TWICE_AS_MANY = 16.0;  // of errors that such tables mend
static const double POINT = 1.6;           // by which a point more divides errors of polynomials

// Points of tables with `factor` intervals along axis i, and what is asked for along the others
static double table_points(const mw_adapt *a, int i, int factor)
{
  double n = 1.0;
  for (int j = 0; j < a->r->s; j++) {
    int f = mw_first_factor(a->r, j);
    if (a->refine[j] > f) f = a->refine[j];
    if (j == i && factor > f) f = factor;
    n *= (mw_adapt_points(a->r, j) - 1) * f + 1;
  }
  return n;
}

// Intervals of tables along axis i for one of the grid's with which errors of splines, which go as
// their fourth power, or of polynomials (3) are `over` times smaller: twice as many as now at most;
// 0 where there may be no more.
static int finer_table(const mw_adapt *a, int i, double over)
{
  if (a->no_tables) return 0;
  int now = mw_first_factor(a->r, i), f = (int)ceil(now * pow(fmin(over, TWICE_AS_MANY), 0.25));
  if (a->r->axis[i].C && over > 1.0)
    f = (int)ceil(now +
                  log(fmin(over, TWICE_AS_MANY)) / log(POINT) / (mw_adapt_points(a->r, i) - 1));
  if (f <= now) f = now + 1;
  while (f > now && !(mw_table_may_have(a->r, i, f) && table_points(a, i, f) <= TABLE_MOST)) f--;
  return f > now ? f : 0;
}

// Asks for tables along axis i whose splines err `over` times less; false where these may have no
// more points.
bool mw_adapt_ask_table(mw_adapt *a, int i, double over)
{
  int f = finer_table(a, i, over);
  if (f > a->refine[i]) a->refine[i] = f;
  return a->refine[i] > 0;
}

// Asks for the finer tables that (1) says mend marked intervals, and takes the marks off; along
// axes that wait the marks alone. at [n]: probes at table points
static void ask(mw_adapt *a, int n, const mw_probe *at, double part, const bool *wait,
                unsigned char *const *wanted)
{
  for (int k = 0; k < n; k++)
    for (int c = 0; c < MW_PROBE_KINDS; c++) {
      const mw_probe *t = &at[k];
      double e = a->interval[t->axis][t->k].e[c];
      if (!(wanted[t->axis][t->k] >> c & 1u) || !mw_adapt_points_mend(e, t->e[c])) continue;
      if (!wait[t->axis] && !mw_adapt_ask_table(a, t->axis, e / part)) continue;
      wanted[t->axis][t->k] &= (unsigned char)~(1u << c);
    }
}

// Smooth axes that wait: those that err least, as many as err by no more than the part together;
// not where no other is left.
static void waiting(const mw_adapt *a, double part, bool *wait)
{
  const mw_reduction *r = a->r;
  double e[MW_ROM_MAX_S] = { 0 }, sum = 0.0;
  int left = 0;
  for (int i = 0; i < r->s; i++) {
    wait[i] = false;
    for (int k = 0; k + 1 < mw_adapt_points(r, i); k++)
      for (int c = 0; c < MW_PROBE_KINDS; c++) e[i] = fmax(e[i], a->interval[i][k].e[c]);
    left += e[i] > 0.0;
  }
  for (int least = 0; least >= 0 && left > 1; left--) {
    least = -1;
    for (int i = 0; i < r->s; i++)
      if (r->axis[i].C && !wait[i] && e[i] > 0.0 && (least < 0 || e[i] < e[least])) least = i;
    if (least < 0 || sum + e[least] > part) return;
    sum += e[least];
    wait[least] = true;
  }
}

// Takes marks off intervals that (1) says finer tables of their axis mend, and asks for these. p:
// their probes; part: of (2)
mw_code mw_adapt_tables_first(mw_adapt *a, const mw_rom_file *f, int n, const mw_probe *p,
                              double part, unsigned char *const *wanted, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_arena mem = { 0 };
  bool wait[MW_ROM_MAX_S];
  int n_at = 0;
  mw_probe *at = mw_arena_alloc(&mem, (size_t)n, sizeof *at);
  mw_code rc = mw_arena_check(&mem, err);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    const mw_probe *q = &p[k];
    const mw_interval *v = &a->interval[q->axis][q->k];
    bool worst = false;
    for (int c = 0; c < MW_PROBE_KINDS; c++)
      worst = worst || ((wanted[q->axis][q->k] >> c & 1u) && q->e[c] >= v->e[c]);
    if (!worst || finer_table(a, q->axis, 1.0) == 0) continue;
    mw_probe *t = &at[n_at++];
    *t = *q;  // tables of the grid's points alone: any of these
    t->theta[q->axis] = mw_first_inner(r, q->axis, q->k);
  }
  if (rc == MW_OK && n_at > 0) rc = mw_probes_eval(a, f, n_at, at, err);
  waiting(a, part, wait);
  if (rc == MW_OK) ask(a, n_at, at, part, wait, wanted);
  mw_arena_free(&mem);
  return rc;
}

bool mw_adapt_tables_asked(const mw_adapt *a)
{
  for (int i = 0; i < a->r->s; i++)
    if (a->refine[i] > 0) return true;
  return false;
}

// Where passes with finer tables lead to nothing: the grid alone from here on, tables as factors()
// in refine.c would have them. false: there are none to give up
bool mw_adapt_give_up_tables(mw_adapt *a)
{
  bool any = mw_adapt_tables_asked(a);
  for (int i = 0; i < a->r->s; i++) any = any || a->r->finer[i] > 0;
  if (!any) return false;
  for (int i = 0; i < a->r->s; i++) {
    a->r->finer[i] = a->refine[i] = 0;
    for (int k = 0; k + 1 < mw_adapt_points(a->r, i); k++) a->interval[i][k] = (mw_interval){ 0 };
  }
  a->no_tables = true;
  a->idle[0] = a->idle[1] = 0;
  a->last[0] = a->last[1] = 0.0;
  mw_progress_note(a->r->progress, "finer tables alone do not do: points of the grid instead");
  return true;
}

// Tables as fine as is asked for. Once that is so anywhere they get no coarser elsewhere, however
// many points the grid has got (factors() in refine.c), but where nothing depends on them.
void mw_adapt_keep_tables(mw_adapt *a, unsigned char *const *split)
{
  mw_reduction *r = a->r;
  bool any = mw_adapt_tables_asked(a);
  for (int i = 0; i < r->s; i++) any = any || r->finer[i] > 0;
  for (int i = 0; any && i < r->s; i++) {
    int now = mw_modes_change(r, i) ? mw_first_factor(r, i) : 0;
    r->finer[i] = a->refine[i] > now ? a->refine[i] : now;
    if (split[i]) r->finer[i] = (r->finer[i] + 1) / 2;
  }
}
