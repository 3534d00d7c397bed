// SPDX-License-Identifier: BSD-3-Clause
// adapt_judge.c: where a grid that its probes find fine enough needs more points, by comparisons.
//
// What the samples of the full mechanism miss because of the grid, which the projected mechanism at
// the sample says, splits the interval around it on the axis with the largest e of (1) in adapt.c.
// Tables are drafts until then. Once they are complete forces of motion are judged; where they
// miss, but not at the nearest grid point, the interval around the place is split along each axis
// whose tables have no points but the grid's: between finer ones columns err by the mesh.
// Cost: probe.c
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapt_priv.h"
#include "certify/fields_layer.h"
#include "reduction/certificate.h"

enum {
  JUDGED_MOST = 6,
  FORCED_MOST = 4,
  MISSES = sizeof((mw_adapt){ 0 }.miss) / sizeof((mw_adapt){ 0 }.miss[0])
};

// ---- judged by the samples ----------------------------------------------------------------------

// Of a sample, what a grid is chosen by: receptances only where they are asked for.
static double miss_of(const mw_certificate *c, int i)
{
  double e[MW_ERROR_KINDS];
  mw_certificate_errors(c, i, e);
  double most = fmax(e[MW_ERROR_FREQUENCY], fmax(e[MW_ERROR_SHAPE], e[MW_ERROR_STATIC]));
  return c->receptance_tolerance > 0.0 ? fmax(most, e[MW_ERROR_RECEPTANCE]) : most;
}

// The worst samples that miss, at most MISSES, into a->miss.
static void collect(mw_adapt *a, const mw_certificate *c)
{
  double last = INFINITY;
  for (a->n_miss = 0; a->n_miss < MISSES; a->n_miss++) {
    int best = -1;
    for (int i = 0; i < c->n; i++) {
      double e = miss_of(c, i);
      if (e > 1.0 && e < last && (best < 0 || e > miss_of(c, best))) best = i;
    }
    if (best < 0) return;
    last = miss_of(c, best);
    memcpy(a->miss[a->n_miss], c->theta + best * a->r->s, (size_t)a->r->s * sizeof(double));
  }
}

// Marks the interval around a probe on the axis that errs most there, or asks for finer tables
// along it. near, table: at the nearest grid point, the nearest table point.
static void mark_around(mw_adapt *a, const mw_probe *q, const mw_probe *near, const mw_probe *table,
                        unsigned char *const *split)
{
  const mw_reduction *r = a->r;
  int axis = 0, k = 0;
  double most = -1.0;
  for (int i = 0; i < r->s; i++) {
    int at = mw_adapt_interval(mw_first_axis(r, i), q->theta[i]);
    if (mw_adapt_largest(a->interval[i][at].e) <= most) continue;
    most = mw_adapt_largest(a->interval[i][at].e);
    axis = i;
    k = at;
  }
  for (int c = 0; c < MW_PROBE_KINDS; c++) {
    if (!(q->e[c] > 1.0) || !mw_adapt_points_mend(q->e[c], near->e[c])) continue;
    double *e = &a->interval[axis][k].e[c];
    *e = fmax(*e, q->e[c]);
    a->worst = fmax(a->worst, *e);
    if (!mw_adapt_points_mend(q->e[c], table->e[c]) ||
        !mw_adapt_ask_table(a, axis, q->e[c] / mw_adapt_part))
      split[axis][k] |= (unsigned char)(1u << c);
  }
}

mw_code mw_adapt_judge(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_probe_list p = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  *more = false;
  collect(a, &f->certificate);
  if (a->n_miss == 0 || a->judged == JUDGED_MOST) return MW_OK;
  a->judged++;
  p.p = mw_arena_alloc(&p.mem, 3 * (size_t)a->n_miss, sizeof *p.p);
  mw_code rc = mw_arena_check(&p.mem, err);
  if (rc == MW_OK) rc = mw_adapt_marks(a->r, split, &tmp, err);
  for (int i = 0; rc == MW_OK && i < a->n_miss; i++) {
    mw_probe *q = &p.p[p.n++], *near = &p.p[p.n++], *table = &p.p[p.n++];
    *q = *near = *table = (mw_probe){ .axis = -1 };
    for (int l = 0; l < a->r->s; l++) {
      const mw_axis *x = mw_first_axis(a->r, l);
      q->theta[l] = a->miss[i][l];
      near->theta[l] = mw_first_theta(a->r, l, mw_adapt_nearest(x, q->theta[l]));
      x = &a->r->axis[l];
      table->theta[l] = mw_axis_theta(x, mw_adapt_nearest(x, q->theta[l]));
    }
  }
  if (rc == MW_OK) rc = mw_probes_eval(a, f, p.n, p.p, err);
  for (int i = 0; rc == MW_OK && i < p.n; i += 3)
    mark_around(a, &p.p[i], &p.p[i + 1], &p.p[i + 2], split);
  a->by_samples = 1;
  if (rc == MW_OK && (mw_adapt_any_marked(a->r, split) || mw_adapt_tables_asked(a))) {
    bool stalled = mw_adapt_leave_stalled(a, split);
    rc = mw_adapt_finish(a, split, stalled, more, err);
  } else if (rc == MW_OK) {
    snprintf(
        a->note, sizeof a->note,
        "interpolation errs by %.2g of what is asked for: what is missed is not for want of points",
        a->worst);
  }
  mw_arena_free(&p.mem);
  mw_arena_free(&tmp);
  return rc;
}

// ---- judged by forces of motion -----------------------------------------------------------------

// Error of forces of a kind, over those of the largest deflection there, along lines through theta
// in all directions.
static mw_code force_at(const mw_adapt *a, const mw_rom_file *f, int kind, const double *theta,
                        double *e, mw_error *err)
{
  mw_reduction *r = a->r;
  int each = r->s > 1 ? r->s + 1 : 1;
  mw_arena tmp = { 0 };
  mw_lines lines = { 0 };
  mw_certificate c = f->certificate;
  double *same = mw_arena_f64(&tmp, (size_t)each * (size_t)r->s);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < each * r->s; k++) same[k] = theta[k % r->s];
  mw_line_places at = { .given = { .n = each, .theta = same } };
  if (rc == MW_OK) rc = mw_lines_build(r, &a->made->patterns, f->rom.n_y, &at, &lines, err);
  if (rc == MW_OK) rc = mw_certificate_fields(r, &a->made->tables, &lines, f, &c, &tmp, err);
  if (rc == MW_OK) *e = c.force_error[kind];
  mw_lines_free(&lines);
  mw_arena_free(&tmp);
  return rc;
}

// Marks intervals around theta, where forces of a kind miss; none where the columns miss at grid
// points, too.
static mw_code mark_force(mw_adapt *a, const mw_rom_file *f, int kind, const double *theta,
                          unsigned char *const *split, bool *marked, mw_error *err)
{
  const mw_reduction *r = a->r;
  double near[MW_ROM_MAX_S], between = 0.0, at_point = 0.0;
  bool any = false, own[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++) {
    const mw_axis *x = mw_first_axis(r, i);
    near[i] = mw_axis_theta(x, mw_adapt_nearest(x, theta[i]));
    own[i] = mw_first_factor(r, i) == 1 && !(f->rom.flat >> i & 1u);
    any = any || own[i];
  }
  *marked = false;
  if (!any || a->force[kind].stalls >= MW_ADAPT_STALLS) return MW_OK;
  mw_code rc = force_at(a, f, kind, theta, &between, err);
  if (rc == MW_OK) rc = force_at(a, f, kind, near, &at_point, err);
  *marked = rc == MW_OK && between > mw_adapt_twice * at_point;
  for (int i = 0; *marked && i < r->s; i++)
    if (own[i]) split[i][mw_adapt_interval(mw_first_axis(r, i), theta[i])] = MW_ADAPT_EVERY;
  return rc;
}

// What points are added for, on the screen and behind what was said of the grid before.
static void say_forces(mw_adapt *a, const mw_verdict *v)
{
  char text[256], place[128];
  mw_pass_place(a->r, v->theta, place, sizeof place);
  snprintf(text, sizeof text, "%s err by %.2g of what is asked for near%s: more points there",
           v->name, v->error / v->tolerance, place);
  mw_progress_note(a->r->progress, text);
  if (a->by_grid == 0) a->by_grid = strlen(a->note);
  snprintf(a->note + a->by_grid, sizeof a->note - a->by_grid,
           "; %d more for forces, last %s near%s", a->forced, v->name, place);
}

mw_code mw_adapt_forces(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  const mw_reduction *r = a->r;
  const mw_certificate *c = &f->certificate;
  mw_arena tmp = { 0 };
  mw_verdict v[MW_VERDICTS];
  unsigned char *split[MW_ROM_MAX_S];
  int n = mw_certificate_verdicts(c, v), worst = -1;
  *more = false;
  if (a->forced == FORCED_MOST) return MW_OK;
  mw_code rc = mw_adapt_marks(r, split, &tmp, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int kind = 0;
    while (kind < MW_MOTIONS && v[i].theta != c->force_theta + kind * r->s) kind++;
    if (kind == MW_MOTIONS || v[i].met) continue;
    double last = a->force[kind].last;
    a->force[kind].stalls =
        v[i].error * mw_adapt_gain > last && last > 0.0 ? a->force[kind].stalls + 1 : 0;
    a->force[kind].last = v[i].error;
    bool marked;
    rc = mark_force(a, f, kind, v[i].theta, split, &marked, err);
    if (marked && (worst < 0 || v[i].error > v[worst].error)) worst = i;
  }
  *more = rc == MW_OK && mw_adapt_any_marked(r, split) && mw_adapt_fits(r, split);
  if (*more) {
    a->forced++;
    say_forces(a, &v[worst]);
    mw_adapt_tidy(r, split);
    rc = mw_adapt_apply(a, split, err);
  }
  mw_arena_free(&tmp);
  return rc;
}
