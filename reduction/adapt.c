// SPDX-License-Identifier: BSD-3-Clause
// adapt.c: where a grid needs more points.
//
// Interpolation errs between the grid points alone, and there it can be asked without the mesh: in
// the middle of interval k of axis i, the other coordinates at grid values, errors along the other
// axes vanish, and the mechanism of projected bodies is exact for milliseconds. Over some lines of
// the grid along the axis,
//   e(i, k) = max over lines of the errors of probe.c, over what is asked for                   (1)
// An interval is split where, for one of the kinds of errors,
//   e > PART / axes that matter          errors along axes add up;
//       the middle is not quite the worst place      (2)
//   e > TWICE × e at its two ends        what the columns leave out there no point mends, unless
//                                        without it e is fine
//   fewer than STALLS splits in a row gained less than GAIN          the model itself is not smooth
//                                                                    at this scale;
//                                        more where e is still LARGE: modes that change within less
//                                          than the interval
// Of what errs because of the tables' splines alone these get finer first (adapt_tables.c).
// Passes end when two in a row gained less than GAIN, or when the samples meet all that is asked
// for and no interval errs more. When nothing is left to split, the samples of the full mechanism
// judge. What they miss because of the grid, which the projected mechanism at the sample says,
// splits the interval around it on the axis with the largest e. Tables are drafts until then. Once
// they are complete forces of motion are judged; where they miss, but not at the nearest grid
// point, the interval around the place is split along each axis whose tables have no points but the
// grid's: between finer ones columns err by the mesh.
// Cost: probe.c
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "certify/fields_layer.h"
#include "pass_layer.h"
#include "reduction/certificate.h"

// Points of a grid: at some milliseconds and a megabyte each, what one machine takes in a minute.
// Along one axis: a range over as many nodes of a beam, below which the model ripples.
enum {
  POINTS_MOST = 4096,
  AXIS_MOST = 257,
  LINES = 16,
  EVERYWHERE_MOST = 5,
  JUDGED_MOST = 6,
  FORCED_MOST = 4
};
enum { EVERY = (1 << MW_PROBE_KINDS) - 1 };  // kinds of errors
enum {
  STALLS = 2,
  STALLS_LARGE = 4,
  MISSES = sizeof((mw_adapt){ 0 }.miss) / sizeof((mw_adapt){ 0 }.miss[0])
};
static const double PART = 0.7, TWICE = 2.0, GAIN = 1.5, LARGE = 100.0;
static const double MATTERS =
    1e-3;                         // of what is asked for: axes that err less are not counted in (2)
static const double FLAT = 1e-7;  // relative change of eigenvalues along an axis that is none

// Grid points along axis i; tables may be finer.
static int points(const mw_reduction *r, int i) { return mw_first_axis(r, i)->n; }

static mw_code lists(mw_adapt *a, mw_error *err)
{
  for (int i = 0; i < a->r->s; i++)
    a->interval[i] = mw_arena_alloc(&a->mem, (size_t)points(a->r, i), sizeof *a->interval[i]);
  return mw_arena_check(&a->mem, err);
}

mw_code mw_adapt_init(mw_reduction *r, const mw_made *made, mw_adapt *out, mw_error *err)
{
  *out = (mw_adapt){ .r = r, .made = made };
  mw_code rc = lists(out, err);
  if (rc != MW_OK) mw_adapt_free(out);
  return rc;
}

void mw_adapt_free(mw_adapt *a)
{
  mw_probes_forget(a);
  mw_arena_free(&a->mem);
  *a = (mw_adapt){ 0 };
}

static double largest(const double e[MW_PROBE_KINDS])
{
  double most = e[0];
  for (int c = 1; c < MW_PROBE_KINDS; c++) most = fmax(most, e[c]);
  return most;
}

typedef struct probes {
  int n;
  mw_probe *p;
  mw_arena mem;
} probes;

// ---- lines --------------------------------------------------------------------------------------

static int nearest_index(const mw_axis *a, double theta)
{
  int best = 0;
  for (int k = 1; k < a->n; k++)
    if (fabs(mw_axis_theta(a, k) - theta) < fabs(mw_axis_theta(a, best) - theta)) best = k;
  return best;
}

static int interval_of(const mw_axis *a, double theta)
{
  int k = 0;
  while (k + 2 < a->n && mw_axis_theta(a, k + 1) <= theta) k++;
  return k;
}

static int lines_across(const mw_reduction *r, int axis)
{
  int n = 1;
  for (int j = 0; j < r->s; j++)
    if (j != axis && n <= LINES) n *= points(r, j);
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

// Grid indices of line l along an axis: all lines where they are few, else some that are spread
// over the cross-section and, behind LINES, those next to samples that missed.
static void line_index(const mw_adapt *a, int axis, int l, int *index)
{
  static const int base[] = { 2, 3, 5, 7, 11, 13 };
  const mw_reduction *r = a->r;
  bool all = lines_across(r, axis) <= LINES;
  int place = 0, rest = l;
  for (int j = r->s - 1; j >= 0; j--) {
    if (j == axis) continue;
    int n = points(r, j);
    index[j] = all         ? rest % n
               : l < LINES ? (int)floor(radical_inverse(l, base[place]) * (n - 1) + 0.5)
                           : nearest_index(mw_first_axis(r, j), a->miss[l - LINES][j]);
    rest /= n;
    place++;
  }
}

static int line_count(const mw_adapt *a, int axis)
{
  int n = lines_across(a->r, axis);
  return n <= LINES ? n : LINES + a->n_miss;
}

// The middle of interval k of an axis; of the table's interval there, where it has several for one.
static void middle(const mw_adapt *a, int axis, int k, const int *index, double *theta)
{
  for (int j = 0; j < a->r->s; j++)
    theta[j] = j == axis ? mw_first_middle(a->r, j, k) : mw_first_theta(a->r, j, index[j]);
}

static mw_code middles(const mw_adapt *a, probes *p, mw_error *err)
{
  const mw_reduction *r = a->r;
  size_t n = 0;
  for (int i = 0; i < r->s; i++) n += (size_t)line_count(a, i) * (size_t)(points(r, i) - 1);
  p->p = mw_arena_alloc(&p->mem, n, sizeof *p->p);
  mw_code rc = mw_arena_check(&p->mem, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int l = 0; l < line_count(a, i); l++) {
      int index[MW_ROM_MAX_S] = { 0 };
      line_index(a, i, l, index);
      for (int k = 0; k + 1 < points(r, i); k++) {
        mw_probe *q = &p->p[p->n++];
        *q = (mw_probe){ .axis = i, .k = k };
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
  if (rc == MW_OK) rc = mw_probes_eval(a, f, p->n, p->p, err);
  if (rc != MW_OK) return rc;
  double axis[MW_ROM_MAX_S] = { 0 };
  for (int i = 0; i < r->s; i++)
    for (int k = 0; k + 1 < points(r, i); k++)
      memset(a->interval[i][k].e, 0, sizeof a->interval[i][k].e);
  for (int k = 0; k < p->n; k++) {
    const mw_probe *q = &p->p[k];
    mw_interval *v = &a->interval[q->axis][q->k];
    for (int c = 0; c < MW_PROBE_KINDS; c++)
      if (!(q->e[c] <= v->e[c])) v->e[c] = q->e[c];
    axis[q->axis] = fmax(axis[q->axis], largest(v->e));
  }
  int matter = 0;
  for (int i = 0; i < r->s; i++) matter += axis[i] > MATTERS;
  *bar = PART / (matter > 0 ? matter : 1);
  return MW_OK;
}

bool mw_adapt_points_mend(double between, double at_point)
{
  return between > TWICE * at_point || (between > 1.0 && at_point < 1.0);
}

// Of intervals above the bar those that err less at their ends, on the line where the middle errs
// most. wanted: bit c for errors of kind c. The errors that are left are those of interpolation.
static mw_code above_bar(mw_adapt *a, const mw_rom_file *f, const probes *p, double bar,
                         unsigned char *const *wanted, mw_error *err)
{
  mw_reduction *r = a->r;
  probes ends = { 0 };
  ends.p = mw_arena_alloc(&ends.mem, 2 * MW_PROBE_KINDS * (size_t)p->n, sizeof *ends.p);
  mw_code rc = mw_arena_check(&ends.mem, err);
  for (int k = 0; rc == MW_OK && k < p->n; k++) {
    const mw_probe *q = &p->p[k];
    const mw_interval *v = &a->interval[q->axis][q->k];
    bool worst = false;
    for (int c = 0; c < MW_PROBE_KINDS; c++) {
      if (!(q->e[c] > bar) || q->e[c] < v->e[c]) continue;
      wanted[q->axis][q->k] |= (unsigned char)(1u << c);
      worst = true;
    }
    for (int side = 0; worst && side < 2; side++) {
      mw_probe *end = &ends.p[ends.n++];
      *end = *q;
      end->theta[q->axis] = mw_first_theta(r, q->axis, q->k + side);
    }
  }
  if (rc == MW_OK && ends.n > 0) rc = mw_probes_eval(a, f, ends.n, ends.p, err);
  for (int k = 0; rc == MW_OK && k < ends.n; k++) {
    const mw_probe *q = &ends.p[k];
    for (int c = 0; c < MW_PROBE_KINDS; c++) {
      double *e = &a->interval[q->axis][q->k].e[c];
      if (!(wanted[q->axis][q->k] >> c & 1u) || mw_adapt_points_mend(*e, q->e[c])) continue;
      wanted[q->axis][q->k] &= (unsigned char)~(1u << c);
      *e = 0.0;  // not of interpolation
    }
  }
  a->worst = 0.0;
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int k = 0; k + 1 < points(r, i); k++)
      a->worst = fmax(a->worst, largest(a->interval[i][k].e));
  mw_arena_free(&ends.mem);
  return rc;
}

// Leaves alone what splits do not help any more; returns whether there is any.
static bool leave_stalled(mw_adapt *a, unsigned char *const *wanted)
{
  bool any = false;
  for (int i = 0; i < a->r->s; i++)
    for (int k = 0; k + 1 < points(a->r, i); k++)
      for (int c = 0; c < MW_PROBE_KINDS; c++) {
        mw_interval *v = &a->interval[i][k];
        if (!(wanted[i][k] >> c & 1u) || !(v->before[c] > 0.0)) continue;
        v->stalls[c] = v->e[c] * GAIN > v->before[c] ? v->stalls[c] + 1 : 0;
        if (v->stalls[c] < (v->e[c] > LARGE ? STALLS_LARGE : STALLS)) continue;
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

static bool fits(const mw_reduction *r, unsigned char *const *split)
{
  int axis_most;
  return points_after(r, split, &axis_most) <= POINTS_MOST && axis_most <= AXIS_MOST;
}

static bool any_marked(const mw_reduction *r, unsigned char *const *split)
{
  for (int i = 0; i < r->s; i++)
    for (int k = 0; split[i] && k + 1 < points(r, i); k++)
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
      for (int k = 0; k + 1 < points(r, i); k++)
        if (split[i][k]) least = fmin(least, largest(a->interval[i][k].e));
    for (int i = 0; i < r->s; i++)
      for (int k = 0; k + 1 < points(r, i); k++)
        if (split[i][k] && largest(a->interval[i][k].e) <= 1.25 * least) split[i][k] = 0;
  }
}

// Mirrored intervals of symmetric axes together; axes without marks as NULL.
static void tidy(const mw_reduction *r, unsigned char **split)
{
  for (int i = 0; i < r->s; i++) {
    int n = points(r, i) - 1, any = 0;
    if (!split[i]) continue;
    for (int k = 0; k < n && r->model->reduction.coordinate[i].symmetric; k++)
      split[i][k] = split[i][n - 1 - k] |= split[i][k];
    for (int k = 0; k < n; k++) any += split[i][k];
    if (!any) split[i] = NULL;
  }
}

// The finer grid and tables, and what is known of its intervals.
static mw_code apply(mw_adapt *a, unsigned char *const *split, mw_error *err)
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
  rc = lists(a, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int k = 0; k + 1 < points(r, i); k++) {
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
    for (int k = 0; k + 1 < points(r, i); k++)
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
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", i ? " x " : "grid ", points(a->r, i));
  for (int i = 0; i < a->r->s && a->r->first.n_point > 0; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", i ? " x " : ", tables ",
                  a->r->n_grid[i]);
  if (n < (int)sizeof text)
    snprintf(text + n, sizeof text - (size_t)n,
             ", interpolation errs by %.2g of what is asked for%s: %s", a->worst, where(a, most),
             how);
  mw_progress_note(a->r->progress, text);
}

static mw_code marks_init(const mw_reduction *r, unsigned char **split, mw_arena *mem,
                          mw_error *err)
{
  for (int i = 0; i < r->s; i++) split[i] = mw_arena_alloc(mem, (size_t)points(r, i), 1);
  return mw_arena_check(mem, err);
}

// Have the last passes of this kind (asked for by probes, or by samples) hardly gained anything?
static bool idle(mw_adapt *a)
{
  int kind = a->by_samples;
  a->idle[kind] = a->last[kind] > 0.0 && a->worst * GAIN > a->last[kind] ? a->idle[kind] + 1 : 0;
  a->last[kind] = a->worst;
  return a->idle[kind] >= (a->worst > LARGE ? STALLS_LARGE : STALLS);
}

// Applies marks that have been made; how it ended where there are none.
static mw_code finish(mw_adapt *a, unsigned char **split, bool stalled, bool *more, mw_error *err)
{
  if ((any_marked(a->r, split) || mw_adapt_tables_asked(a)) && idle(a)) {
    for (int i = 0; i < a->r->s; i++) memset(split[i], 0, (size_t)points(a->r, i));
    memset(a->refine, 0, sizeof a->refine);
    stalled = true;
  }
  bool wanted = any_marked(a->r, split), tables = mw_adapt_tables_asked(a);
  char most[96];
  where(a, most);
  within_limits(a, split);
  bool grid = any_marked(a->r, split);
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
  tidy(a->r, split);
  return *more ? apply(a, split, err) : MW_OK;
}

// All that is asked for, by the samples: (2) is then more than is needed.
static bool all_met(const mw_certificate *c) { return c->n > 0 && mw_certificate_met(c); }

mw_code mw_adapt_split(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  mw_arena tmp = { 0 };
  probes p = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  double bar = 0.0;
  *more = false;
  mw_code rc = marks_init(a->r, split, &tmp, err);
  if (rc == MW_OK) rc = errors(a, f, &p, &bar, err);
  if (rc == MW_OK) rc = above_bar(a, f, &p, bar, split, err);
  if (rc == MW_OK && a->worst <= 1.0 && all_met(&f->certificate)) bar = INFINITY;
  for (int i = 0; rc == MW_OK && !(bar < INFINITY) && i < a->r->s; i++)
    memset(split[i], 0, (size_t)points(a->r, i));
  a->by_samples = 0;
  if (rc == MW_OK) {
    bool stalled = leave_stalled(a, split);
    rc = mw_adapt_tables_first(a, f, p.n, p.p, PART, split, err);
    if (rc == MW_OK) rc = finish(a, split, stalled, more, err);
  }
  mw_arena_free(&p.mem);
  mw_arena_free(&tmp);
  return rc;
}

// Do the eigenvalues change along an axis?
static bool varies(const mw_reduction *r, int axis)
{
  int stride = 1;
  for (int j = axis + 1; j < r->s; j++) stride *= points(r, j);
  for (int g = 0; g < r->n_point; g++) {
    const mw_grid_point *p = &r->point[g],
                        *q = &r->point[g - g / stride % points(r, axis) * stride];
    if (!p->lambda || !q->lambda) return true;
    for (int k = 0; k < r->n_want; k++)
      if (!(fabs(p->lambda[k] - q->lambda[k]) <= FLAT * q->lambda[k])) return true;
  }
  return false;
}

// Leaves the longest of the marked axes alone, one by one, until the limits on points hold.
static void fewer_axes(const mw_reduction *r, unsigned char *const *split)
{
  while (!fits(r, split)) {
    int longest = -1;
    for (int i = 0; i < r->s; i++) {
      bool marked = memchr(split[i], 1, (size_t)points(r, i)) ||
                    memchr(split[i], EVERY, (size_t)points(r, i));
      if (marked && (longest < 0 || points(r, i) > points(r, longest))) longest = i;
    }
    if (longest < 0) return;
    memset(split[longest], 0, (size_t)points(r, longest));
  }
}

// Marks intervals around cells of the tables whose stiffness is indefinite: *n cells.
static mw_code soft_intervals(const mw_reduction *r, const mw_tables *t, const mw_rom_file *f,
                              unsigned char *const *split, int *n, mw_error *err)
{
  mw_arena tmp = { 0 };
  unsigned char *fine[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++) fine[i] = mw_arena_alloc(&tmp, (size_t)r->n_grid[i], 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_pass_soft(r, t, &f->rom, fine, n, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int k = 0; k + 1 < r->n_grid[i]; k++) {
      const mw_axis *x = &r->axis[i];
      double theta = 0.5 * (mw_axis_theta(x, k) + mw_axis_theta(x, k + 1));
      split[i][interval_of(mw_first_axis(r, i), theta)] |= fine[i][k];
    }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_adapt_everywhere(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_arena tmp = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  mw_code rc = marks_init(r, split, &tmp, err);
  int soft = 0;
  *more = false;
  if (rc == MW_OK && mw_adapt_give_up_tables(a)) {
    *more = true;
    for (int i = 0; i < r->s; i++) split[i] = NULL;
    rc = apply(a, split, err);
    mw_arena_free(&tmp);
    return rc;
  }
  // tables whose K is indefinite somewhere say where
  if (rc == MW_OK && (f->rom.coef || f->rom.n_train > 0))
    rc = soft_intervals(r, &a->made->tables, f, split, &soft, err);
  mw_reduction_coarsen(r);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (!varies(r, i))
      memset(split[i], 0, (size_t)points(r, i));
    else if (soft == 0)
      memset(split[i], EVERY, (size_t)points(r, i) - 1);
  if (rc == MW_OK) fewer_axes(r, split);
  if (rc == MW_OK && a->everywhere < EVERYWHERE_MOST && any_marked(r, split)) {
    a->everywhere++;
    a->idle[0] = a->idle[1] = 0;
    a->last[0] = a->last[1] = 0.0;
    *more = true;
    mw_progress_note(r->progress,
                     soft > 0 ? "the grid is too coarse for the stiffness: more points there"
                              : "the grid is too coarse to follow the modes: more points");
    for (int i = 0; i < r->s; i++)  // nothing is known of gains
      memset(a->interval[i], 0, (size_t)points(r, i) * sizeof *a->interval[i]);
    tidy(r, split);
    rc = apply(a, split, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

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
    int at = interval_of(mw_first_axis(r, i), q->theta[i]);
    if (largest(a->interval[i][at].e) <= most) continue;
    most = largest(a->interval[i][at].e);
    axis = i;
    k = at;
  }
  for (int c = 0; c < MW_PROBE_KINDS; c++) {
    if (!(q->e[c] > 1.0) || !mw_adapt_points_mend(q->e[c], near->e[c])) continue;
    double *e = &a->interval[axis][k].e[c];
    *e = fmax(*e, q->e[c]);
    a->worst = fmax(a->worst, *e);
    if (!mw_adapt_points_mend(q->e[c], table->e[c]) || !mw_adapt_ask_table(a, axis, q->e[c] / PART))
      split[axis][k] |= (unsigned char)(1u << c);
  }
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
  p.p = mw_arena_alloc(&p.mem, 3 * (size_t)a->n_miss, sizeof *p.p);
  mw_code rc = mw_arena_check(&p.mem, err);
  if (rc == MW_OK) rc = marks_init(a->r, split, &tmp, err);
  for (int i = 0; rc == MW_OK && i < a->n_miss; i++) {
    mw_probe *q = &p.p[p.n++], *near = &p.p[p.n++], *table = &p.p[p.n++];
    *q = *near = *table = (mw_probe){ .axis = -1 };
    for (int l = 0; l < a->r->s; l++) {
      const mw_axis *x = mw_first_axis(a->r, l);
      q->theta[l] = a->miss[i][l];
      near->theta[l] = mw_first_theta(a->r, l, nearest_index(x, q->theta[l]));
      x = &a->r->axis[l];
      table->theta[l] = mw_axis_theta(x, nearest_index(x, q->theta[l]));
    }
  }
  if (rc == MW_OK) rc = mw_probes_eval(a, f, p.n, p.p, err);
  for (int i = 0; rc == MW_OK && i < p.n; i += 3)
    mark_around(a, &p.p[i], &p.p[i + 1], &p.p[i + 2], split);
  a->by_samples = 1;
  if (rc == MW_OK && (any_marked(a->r, split) || mw_adapt_tables_asked(a))) {
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
    near[i] = mw_axis_theta(x, nearest_index(x, theta[i]));
    own[i] = mw_first_factor(r, i) == 1 && !(f->rom.flat >> i & 1u);
    any = any || own[i];
  }
  *marked = false;
  if (!any || a->force[kind].stalls >= STALLS) return MW_OK;
  mw_code rc = force_at(a, f, kind, theta, &between, err);
  if (rc == MW_OK) rc = force_at(a, f, kind, near, &at_point, err);
  *marked = rc == MW_OK && between > TWICE * at_point;
  for (int i = 0; *marked && i < r->s; i++)
    if (own[i]) split[i][interval_of(mw_first_axis(r, i), theta[i])] = EVERY;
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
  mw_code rc = marks_init(r, split, &tmp, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int kind = 0;
    while (kind < MW_MOTIONS && v[i].theta != c->force_theta + kind * r->s) kind++;
    if (kind == MW_MOTIONS || v[i].met) continue;
    double last = a->force[kind].last;
    a->force[kind].stalls = v[i].error * GAIN > last && last > 0.0 ? a->force[kind].stalls + 1 : 0;
    a->force[kind].last = v[i].error;
    bool marked;
    rc = mark_force(a, f, kind, v[i].theta, split, &marked, err);
    if (marked && (worst < 0 || v[i].error > v[worst].error)) worst = i;
  }
  *more = rc == MW_OK && any_marked(r, split) && fits(r, split);
  if (*more) {
    a->forced++;
    say_forces(a, &v[worst]);
    tidy(r, split);
    rc = apply(a, split, err);
  }
  mw_arena_free(&tmp);
  return rc;
}
