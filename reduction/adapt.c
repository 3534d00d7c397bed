// SPDX-License-Identifier: BSD-3-Clause
// adapt.c: where a grid needs more points.
//
// Interpolation errs between the grid points alone, and there it can be asked without the mesh: in the middle of interval k
// of axis i, the other coordinates at grid values, errors along the other axes vanish, and the mechanism of projected bodies
// is exact for milliseconds. Over some lines of the grid along the axis,
//   e(i, k) = max over lines of max(frequency / tolerance, compliance / tolerance, receptance / its own)           (1)
// An interval is split where
//   e > PART / axes that matter          errors along axes add up; the middle is not quite the worst place          (2)
//   e > TWICE × e at its two ends        what the columns leave out there no point mends
//   fewer than STALLS splits in a row gained less than GAIN          the model itself is not smooth at this scale
// When nothing is left to split, the samples of the full mechanism judge. What they miss because of the grid, which the
// projected mechanism at the sample says, splits the interval around it on the axis with the largest e.
// Cost: a sample of the projected mechanism a probe, kept from pass to pass; the comparison.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass_priv.h"

// Points of a grid: at some milliseconds and a megabyte each, what one machine takes in a minute. Along one axis: a range
// over as many nodes of a beam, below which the model ripples.
enum { POINTS_MOST = 4096, AXIS_MOST = 257, LINES = 16, EVERYWHERE_MOST = 4, JUDGED_MOST = 6 };
enum { STALLS = 2, MISSES = sizeof((mw_adapt){ 0 }.miss) / sizeof((mw_adapt){ 0 }.miss[0]) };
static const double PART = 0.7, TWICE = 2.0, GAIN = 1.5;
static const double MATTERS =
    1e-3;                         // of what is asked for: axes that err less are not counted in (2)
static const double FLAT = 1e-7;  // relative change of eigenvalues along an axis that is none

static mw_code lists(mw_adapt *a, mw_error *err)
{
  for (int i = 0; i < a->r->s; i++) {
    size_t n = (size_t)a->r->n_grid[i];
    a->before[i] = mw_arena_f64(&a->mem, n);
    a->error[i] = mw_arena_f64(&a->mem, n);
    a->stalls[i] = mw_arena_int(&a->mem, n);
  }
  return mw_arena_check(&a->mem, err);
}

mw_code mw_adapt_init(mw_reduction *r, mw_adapt *out, mw_error *err)
{
  *out = (mw_adapt){ .r = r };
  mw_code rc = lists(out, err);
  if (rc != MW_OK) mw_adapt_free(out);
  return rc;
}

void mw_adapt_forget(mw_adapt *a)
{
  mw_arena_free(&a->mem_probe);
  free(a->probe);
  a->probe = NULL;
  a->n_probe = a->cap_probe = 0;
}

void mw_adapt_free(mw_adapt *a)
{
  mw_adapt_forget(a);
  mw_arena_free(&a->mem);
  *a = (mw_adapt){ 0 };
}

// ---- probes -------------------------------------------------------------------------------------

typedef struct probe {
  int axis, k;  // interval; −1: none
  double theta[MW_ROM_MAX_S];
  double e;  // (1)
} probe;

typedef struct probes {
  int n;
  probe *p;
  mw_arena mem;
} probes;

// The projected mechanism at theta with modes enough for what is compared: a probe that is kept, or a new one.
static mw_code probe_at(mw_adapt *a, const double *theta, const mw_sample **out, mw_error *err)
{
  mw_reduction *r = a->r;
  size_t bytes = (size_t)r->s * sizeof *theta;
  for (int i = 0; i < a->n_probe; i++)
    if (memcmp(a->probe[i].theta, theta, bytes) == 0 && a->probe[i].k >= r->n_want) {
      *out = &a->probe[i];
      return MW_OK;
    }
  mw_arena tmp = { 0 };
  mw_system *sys = NULL;
  mw_config q;
  mw_sample_in in = mw_certificate_sample(r);
  in.n_mac = 0;
  in.q = &q;
  if (!(r->model->reduction.receptance > 0.0)) in.rest = INFINITY;  // no receptances are asked for
  mw_code rc =
      mw_config_at(r->full, r->locked, r->s, r->coord, theta, &r->point[0].q, &tmp, &q, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, false, q.p, q.s, &sys, err);
  if (rc == MW_OK && a->n_probe == a->cap_probe) {
    int cap = 2 * a->cap_probe + 64;
    mw_sample *more = realloc(a->probe, (size_t)cap * sizeof *more);
    if (more) {
      a->probe = more;
      a->cap_probe = cap;
    } else {
      rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for %d probes", cap);
    }
  }
  if (rc == MW_OK) rc = mw_sample_build(sys, &in, &a->probe[a->n_probe], &a->mem_probe, err);
  if (rc == MW_OK) *out = &a->probe[a->n_probe++];
  mw_system_free(sys);
  mw_arena_free(&tmp);
  return rc;
}

// Errors of a certificate's point over what is asked for.
static double error_at(const mw_certificate *c, int i)
{
  double e = c->static_error[i] / c->tolerance;
  for (int k = 0; k < c->n_freq; k++) {
    double d = c->f_direct[i * c->n_freq + k], f = c->f_rom[i * c->n_freq + k];
    e = fmax(e, fabs(f - d) / d / c->tolerance);
  }
  if (c->n_io > 0 && c->receptance_tolerance > 0.0)
    e = fmax(e, c->receptance_error[i] / c->receptance_tolerance);
  return e;
}

static mw_code evaluate(mw_adapt *a, const mw_rom_file *f, probes *p, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_arena tmp = { 0 };
  mw_certificate c;
  mw_sample *z = mw_arena_alloc(&tmp, (size_t)p->n, sizeof *z);
  mw_code rc = mw_arena_check(&tmp, err);
  mw_progress_start(r->progress, "interpolation between grid points", p->n);
  for (int i = 0; rc == MW_OK && i < p->n; i++) {
    const mw_sample *s = NULL;
    rc = probe_at(a, p->p[i].theta, &s, err);
    if (rc == MW_OK) z[i] = *s;
    mw_progress_step(r->progress, i + 1);
  }
  mw_progress_end(r->progress);
  if (rc == MW_OK) rc = mw_certificate_compare(r, f, p->n, z, &c, &tmp, err);
  for (int i = 0; rc == MW_OK && i < p->n; i++) p->p[i].e = error_at(&c, i);
  mw_arena_free(&tmp);
  return rc;
}

// ---- lines --------------------------------------------------------------------------------------

static int nearest_index(const mw_axis *a, double theta)
{
  int best = 0;
  for (int k = 1; k < a->n; k++)
    if (fabs(mw_axis_theta(a, k) - theta) < fabs(mw_axis_theta(a, best) - theta)) best = k;
  return best;
}

static int lines_across(const mw_reduction *r, int axis)
{
  int n = 1;
  for (int j = 0; j < r->s; j++)
    if (j != axis && n <= LINES) n *= r->n_grid[j];
  return n;
}

static double radical_inverse(int i, int base)
{
  double f = 1.0, x = 0.0;
  for (; i > 0; i /= base) {
    f /= base;
    x += f * (i % base);
  }
  return x;
}

// Grid indices of line l along an axis: all lines where they are few, else some that are spread over the cross-section and,
// behind LINES, those next to samples that missed.
static void line_index(const mw_adapt *a, int axis, int l, int *index)
{
  static const int base[] = { 2, 3, 5, 7, 11, 13 };
  const mw_reduction *r = a->r;
  bool all = lines_across(r, axis) <= LINES;
  int place = 0, rest = l;
  for (int j = r->s - 1; j >= 0; j--) {
    if (j == axis) continue;
    int n = r->n_grid[j];
    index[j] = all         ? rest % n
               : l < LINES ? (int)floor(radical_inverse(l, base[place]) * (n - 1) + 0.5)
                           : nearest_index(&r->axis[j], a->miss[l - LINES][j]);
    rest /= n;
    place++;
  }
}

static int line_count(const mw_adapt *a, int axis)
{
  int n = lines_across(a->r, axis);
  return n <= LINES ? n : LINES + a->n_miss;
}

static void middle(const mw_adapt *a, int axis, int k, const int *index, double *theta)
{
  const mw_reduction *r = a->r;
  for (int j = 0; j < r->s; j++)
    theta[j] = j == axis ? 0.5 * (mw_axis_theta(&r->axis[j], k) + mw_axis_theta(&r->axis[j], k + 1))
                         : mw_axis_theta(&r->axis[j], index[j]);
}

static mw_code middles(const mw_adapt *a, probes *p, mw_error *err)
{
  const mw_reduction *r = a->r;
  size_t n = 0;
  for (int i = 0; i < r->s; i++) n += (size_t)line_count(a, i) * (size_t)(r->n_grid[i] - 1);
  p->p = mw_arena_alloc(&p->mem, n, sizeof *p->p);
  mw_code rc = mw_arena_check(&p->mem, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int l = 0; l < line_count(a, i); l++) {
      int index[MW_ROM_MAX_S] = { 0 };
      line_index(a, i, l, index);
      for (int k = 0; k + 1 < r->n_grid[i]; k++) {
        probe *q = &p->p[p->n++];
        *q = (probe){ .axis = i, .k = k };
        middle(a, i, k, index, q->theta);
      }
    }
  return rc;
}

// ---- decision -----------------------------------------------------------------------------------

// (1) of all intervals; bar: (2)
static mw_code errors(mw_adapt *a, const mw_rom_file *f, probes *p, double *bar, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_code rc = middles(a, p, err);
  if (rc == MW_OK) rc = evaluate(a, f, p, err);
  if (rc != MW_OK) return rc;
  a->worst = 0.0;
  for (int i = 0; i < r->s; i++) memset(a->error[i], 0, (size_t)r->n_grid[i] * sizeof *a->error[i]);
  for (int k = 0; k < p->n; k++) {
    double *e = &a->error[p->p[k].axis][p->p[k].k];
    if (!(p->p[k].e <= *e)) *e = p->p[k].e;
    a->worst = fmax(a->worst, *e);
  }
  int matter = 0;
  for (int i = 0; i < r->s; i++) {
    double largest = 0.0;
    for (int k = 0; k + 1 < r->n_grid[i]; k++) largest = fmax(largest, a->error[i][k]);
    matter += largest > MATTERS;
  }
  *bar = PART / (matter > 0 ? matter : 1);
  return MW_OK;
}

// Probes at both ends of intervals above the bar, on the line where each errs most; intervals that err as much there keep out.
static mw_code leave_ends(mw_adapt *a, const mw_rom_file *f, const probes *p, double bar,
                          unsigned char *const *split, mw_error *err)
{
  mw_reduction *r = a->r;
  probes ends = { 0 };
  ends.p = mw_arena_alloc(&ends.mem, 2 * (size_t)p->n, sizeof *ends.p);
  mw_code rc = mw_arena_check(&ends.mem, err);
  for (int k = 0; rc == MW_OK && k < p->n; k++) {
    const probe *q = &p->p[k];
    if (!(q->e > bar) || q->e < a->error[q->axis][q->k]) continue;
    split[q->axis][q->k] = 1;
    for (int side = 0; side < 2; side++) {
      probe *end = &ends.p[ends.n++];
      *end = *q;
      end->theta[q->axis] = mw_axis_theta(&r->axis[q->axis], q->k + side);
    }
  }
  if (rc == MW_OK && ends.n > 0) rc = evaluate(a, f, &ends, err);
  for (int k = 0; rc == MW_OK && k < ends.n; k++) {
    const probe *q = &ends.p[k];
    if (a->error[q->axis][q->k] <= TWICE * q->e) split[q->axis][q->k] = 0;
  }
  mw_arena_free(&ends.mem);
  return rc;
}

// Intervals that splits do not help any more keep out; returns whether there are any.
static bool leave_stalled(mw_adapt *a, unsigned char *const *split)
{
  bool any = false;
  for (int i = 0; i < a->r->s; i++)
    for (int k = 0; k + 1 < a->r->n_grid[i]; k++) {
      if (!split[i][k] || !(a->before[i][k] > 0.0)) continue;
      a->stalls[i][k] = a->error[i][k] * GAIN > a->before[i][k] ? a->stalls[i][k] + 1 : 0;
      if (a->stalls[i][k] < STALLS) continue;
      split[i][k] = 0;
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
    mw_axis finer = r->axis[i];
    int *from;
    if (split[i] && mw_axis_split(&r->axis[i], split[i], &tmp, &finer, &from, NULL) != MW_OK)
      finer.n = AXIS_MOST + 1;
    n *= finer.n;
    *axis_most = finer.n > *axis_most ? finer.n : *axis_most;
  }
  mw_arena_free(&tmp);
  return n;
}

static bool fits(const mw_reduction *r, unsigned char *const *split)
{
  int axis_most;
  return points_after(r, split, &axis_most) <= POINTS_MOST && axis_most <= AXIS_MOST;
}

static bool any_marked(const mw_reduction *r, unsigned char *const *split)
{
  for (int i = 0; i < r->s; i++)
    for (int k = 0; split[i] && k + 1 < r->n_grid[i]; k++)
      if (split[i][k]) return true;
  return false;
}

// Of the marked intervals those with the largest errors, as many as the limits on points allow.
static void within_limits(const mw_adapt *a, unsigned char *const *split)
{
  const mw_reduction *r = a->r;
  while (!fits(r, split) && any_marked(r, split)) {
    double least = INFINITY;
    for (int i = 0; i < r->s; i++)
      for (int k = 0; k + 1 < r->n_grid[i]; k++)
        if (split[i][k]) least = fmin(least, a->error[i][k]);
    for (int i = 0; i < r->s; i++)
      for (int k = 0; k + 1 < r->n_grid[i]; k++)
        if (split[i][k] && a->error[i][k] <= 1.25 * least) split[i][k] = 0;
  }
}

// Mirrored intervals of symmetric axes together; axes without marks as NULL.
static void tidy(const mw_reduction *r, unsigned char **split)
{
  for (int i = 0; i < r->s; i++) {
    int n = r->n_grid[i] - 1, any = 0;
    if (!split[i]) continue;
    for (int k = 0; k < n && r->model->reduction.coordinate[i].symmetric; k++)
      split[i][k] = split[i][n - 1 - k] = split[i][k] || split[i][n - 1 - k];
    for (int k = 0; k < n; k++) any += split[i][k];
    if (!any) split[i] = NULL;
  }
}

// The finer grid, and what is known of its intervals.
static mw_code apply(mw_adapt *a, unsigned char *const *split, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_arena old = a->mem;
  mw_adapt was = *a;
  int *from[MW_ROM_MAX_S];
  mw_code rc = mw_reduction_split(r, split, from, err);
  if (rc != MW_OK) return rc;
  a->mem = (mw_arena){ 0 };
  rc = lists(a, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int k = 0; k + 1 < r->n_grid[i]; k++) {
      int left = !from[i] ? k : from[i][k] >= 0 ? from[i][k] : from[i][k - 1];
      bool half = from[i] && (from[i][k] < 0 || from[i][k + 1] < 0);
      a->stalls[i][k] = was.stalls[i][left];
      a->before[i][k] = !half ? was.before[i][left] : split[i][left] ? was.error[i][left] : 0.0;
    }
  mw_arena_free(&old);
  a->pass++;
  return rc;
}

static void say(mw_adapt *a, const char *how)
{
  char text[256];
  int n = 0;
  for (int i = 0; i < a->r->s; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", i ? " x " : "grid ", a->r->n_grid[i]);
  if (n < (int)sizeof text)
    snprintf(text + n, sizeof text - (size_t)n,
             ", interpolation errs by %.2g of what is asked for: %s", a->worst, how);
  mw_progress_note(a->r->progress, text);
}

static mw_code marks_init(const mw_reduction *r, unsigned char **split, mw_arena *mem,
                          mw_error *err)
{
  for (int i = 0; i < r->s; i++) split[i] = mw_arena_alloc(mem, (size_t)r->n_grid[i], 1);
  return mw_arena_check(mem, err);
}

// Applies marks that have been made; how it ended where there are none.
static mw_code finish(mw_adapt *a, unsigned char **split, bool stalled, bool *more, mw_error *err)
{
  bool wanted = any_marked(a->r, split);
  within_limits(a, split);
  *more = any_marked(a->r, split);
  if (!*more && (wanted || stalled)) {
    if (wanted)
      snprintf(a->note, sizeof a->note,
               "no more than %d points, %d along a coordinate: interpolation errs by %.2g of what "
               "is asked for",
               POINTS_MOST, AXIS_MOST, a->worst);
    else
      snprintf(a->note, sizeof a->note,
               "more points hardly help any more: interpolation errs by %.2g of what is asked for",
               a->worst);
  } else if (!*more) {
    snprintf(a->note, sizeof a->note,
             "interpolation errs by %.2g of what is asked for after %d refinements", a->worst,
             a->pass);
  }
  say(a, *more ? "more points" : "no more points");
  tidy(a->r, split);
  return *more ? apply(a, split, err) : MW_OK;
}

mw_code mw_adapt_split(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  mw_arena tmp = { 0 };
  probes p = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  double bar = 0.0;
  *more = false;
  mw_code rc = marks_init(a->r, split, &tmp, err);
  if (rc == MW_OK) rc = errors(a, f, &p, &bar, err);
  if (rc == MW_OK) rc = leave_ends(a, f, &p, bar, split, err);
  if (rc == MW_OK) {
    bool stalled = leave_stalled(a, split);
    rc = finish(a, split, stalled, more, err);
  }
  mw_arena_free(&p.mem);
  mw_arena_free(&tmp);
  return rc;
}

// Do the eigenvalues change along an axis?
static bool varies(const mw_reduction *r, int axis)
{
  int stride = 1;
  for (int j = axis + 1; j < r->s; j++) stride *= r->n_grid[j];
  for (int g = 0; g < r->n_point; g++) {
    const mw_grid_point *p = &r->point[g],
                        *q = &r->point[g - g / stride % r->n_grid[axis] * stride];
    if (!p->lambda || !q->lambda) return true;
    for (int k = 0; k < r->n_want; k++)
      if (!(fabs(p->lambda[k] - q->lambda[k]) <= FLAT * q->lambda[k])) return true;
  }
  return false;
}

mw_code mw_adapt_everywhere(mw_adapt *a, bool *more, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_arena tmp = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  mw_code rc = marks_init(r, split, &tmp, err);
  *more = false;
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (varies(r, i)) memset(split[i], 1, (size_t)r->n_grid[i] - 1);
  if (rc == MW_OK && a->everywhere < EVERYWHERE_MOST && any_marked(r, split) && fits(r, split)) {
    a->everywhere++;
    *more = true;
    mw_progress_note(r->progress,
                     "the grid is too coarse to follow the modes: more points everywhere");
    for (int i = 0; i < r->s; i++)  // nothing is known of gains
      memset(a->error[i], 0, (size_t)r->n_grid[i] * sizeof *a->error[i]);
    tidy(r, split);
    rc = apply(a, split, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- judged by the samples ----------------------------------------------------------------------

// The worst samples that miss, at most MISSES, into a->miss.
static void collect(mw_adapt *a, const mw_certificate *c)
{
  double last = INFINITY;
  for (a->n_miss = 0; a->n_miss < MISSES; a->n_miss++) {
    int best = -1;
    for (int i = 0; i < c->n; i++) {
      double e = error_at(c, i);
      if (e > 1.0 && e < last && (best < 0 || e > error_at(c, best))) best = i;
    }
    if (best < 0) return;
    last = error_at(c, best);
    memcpy(a->miss[a->n_miss], c->theta + best * a->r->s, (size_t)a->r->s * sizeof(double));
  }
}

static int interval_of(const mw_axis *a, double theta)
{
  int k = 0;
  while (k + 2 < a->n && mw_axis_theta(a, k + 1) <= theta) k++;
  return k;
}

// Marks the interval around theta on the axis that errs most there.
static void mark_around(mw_adapt *a, const double *theta, double e, unsigned char *const *split)
{
  const mw_reduction *r = a->r;
  int axis = 0, k = 0;
  double most = -1.0;
  for (int i = 0; i < r->s; i++) {
    int at = interval_of(&r->axis[i], theta[i]);
    if (a->error[i][at] <= most) continue;
    most = a->error[i][at];
    axis = i;
    k = at;
  }
  split[axis][k] = 1;
  a->error[axis][k] = fmax(a->error[axis][k], e);
}

mw_code mw_adapt_judge(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  mw_arena tmp = { 0 };
  probes p = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  *more = false;
  collect(a, &f->certificate);
  if (a->n_miss == 0 || a->judged == JUDGED_MOST) return MW_OK;
  a->judged++;
  p.p = mw_arena_alloc(&p.mem, (size_t)a->n_miss, sizeof *p.p);
  mw_code rc = mw_arena_check(&p.mem, err);
  if (rc == MW_OK) rc = marks_init(a->r, split, &tmp, err);
  for (int i = 0; rc == MW_OK && i < a->n_miss; i++) {
    probe *q = &p.p[p.n++];
    *q = (probe){ .axis = -1 };
    memcpy(q->theta, a->miss[i], sizeof q->theta);
  }
  if (rc == MW_OK) rc = evaluate(a, f, &p, err);
  for (int i = 0; rc == MW_OK && i < p.n; i++) {
    if (!(p.p[i].e > 1.0)) continue;
    a->worst = fmax(a->worst, p.p[i].e);
    mark_around(a, p.p[i].theta, p.p[i].e, split);
  }
  if (rc == MW_OK && any_marked(a->r, split)) {
    bool stalled = leave_stalled(a, split);
    rc = finish(a, split, stalled, more, err);
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
