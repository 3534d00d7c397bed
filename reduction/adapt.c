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
//                                                                    at this scale (adapt_split.c);
//                                        more where e is still LARGE: modes that change within less
//                                          than the interval
// Of what errs because of the tables' splines alone these get finer first (adapt_tables.c).
// Passes end when two in a row gained less than GAIN, or when the samples meet all that is asked
// for and no interval errs more. When nothing is left to split, the samples and forces of motion
// judge (adapt_judge.c).
// Cost: probe.c
#include <math.h>
#include <string.h>

#include "adapt_priv.h"
#include "reduction/certificate.h"

enum { LINES = 16, EVERYWHERE_MOST = 5 };  // lines of a grid along an axis that are probed
const double mw_adapt_part = 0.7, mw_adapt_twice = 2.0, mw_adapt_gain = 1.5;
static const double MATTERS =
    1e-3;                         // of what is asked for: axes that err less are not counted in (2)
static const double FLAT = 1e-7;  // relative change of eigenvalues along an axis that is none

// Grid points along axis i; tables may be finer.
int mw_adapt_points(const mw_reduction *r, int i) { return mw_first_axis(r, i)->n; }

mw_code mw_adapt_lists(mw_adapt *a, mw_error *err)
{
  for (int i = 0; i < a->r->s; i++)
    a->interval[i] =
        mw_arena_alloc(&a->mem, (size_t)mw_adapt_points(a->r, i), sizeof *a->interval[i]);
  return mw_arena_check(&a->mem, err);
}

mw_code mw_adapt_init(mw_reduction *r, const mw_made *made, mw_adapt *out, mw_error *err)
{
  *out = (mw_adapt){ .r = r, .made = made };
  mw_code rc = mw_adapt_lists(out, err);
  if (rc != MW_OK) mw_adapt_free(out);
  return rc;
}

void mw_adapt_free(mw_adapt *a)
{
  mw_probes_forget(a);
  mw_arena_free(&a->mem);
  *a = (mw_adapt){ 0 };
}
double mw_adapt_largest(const double e[MW_PROBE_KINDS])
{
  double most = e[0];
  for (int c = 1; c < MW_PROBE_KINDS; c++) most = fmax(most, e[c]);
  return most;
}

int mw_adapt_nearest(const mw_axis *a, double theta)
{
  int best = 0;
  for (int k = 1; k < a->n; k++)
    if (fabs(mw_axis_theta(a, k) - theta) < fabs(mw_axis_theta(a, best) - theta)) best = k;
  return best;
}

int mw_adapt_interval(const mw_axis *a, double theta)
{
  int k = 0;
  while (k + 2 < a->n && mw_axis_theta(a, k + 1) <= theta) k++;
  return k;
}

// ---- lines --------------------------------------------------------------------------------------

static int lines_across(const mw_reduction *r, int axis)
{
  int n = 1;
  for (int j = 0; j < r->s; j++)
    if (j != axis && n <= LINES) n *= mw_adapt_points(r, j);
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
    int n = mw_adapt_points(r, j);
    index[j] = all         ? rest % n
               : l < LINES ? (int)floor(radical_inverse(l, base[place]) * (n - 1) + 0.5)
                           : mw_adapt_nearest(mw_first_axis(r, j), a->miss[l - LINES][j]);
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

static mw_code middles(const mw_adapt *a, mw_probe_list *p, mw_error *err)
{
  const mw_reduction *r = a->r;
  size_t n = 0;
  for (int i = 0; i < r->s; i++)
    n += (size_t)line_count(a, i) * (size_t)(mw_adapt_points(r, i) - 1);
  p->p = mw_arena_alloc(&p->mem, n, sizeof *p->p);
  mw_code rc = mw_arena_check(&p->mem, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    for (int l = 0; l < line_count(a, i); l++) {
      int index[MW_ROM_MAX_S] = { 0 };
      line_index(a, i, l, index);
      for (int k = 0; k + 1 < mw_adapt_points(r, i); k++) {
        mw_probe *q = &p->p[p->n++];
        *q = (mw_probe){ .axis = i, .k = k };
        middle(a, i, k, index, q->theta);
      }
    }
  return rc;
}

// ---- decision -----------------------------------------------------------------------------------

// (1) of all intervals; bar: (2)
static mw_code errors(mw_adapt *a, const mw_rom_file *f, mw_probe_list *p, double *bar,
                      mw_error *err)
{
  mw_reduction *r = a->r;
  mw_code rc = middles(a, p, err);
  if (rc == MW_OK) rc = mw_probes_eval(a, f, p->n, p->p, err);
  if (rc != MW_OK) return rc;
  double axis[MW_ROM_MAX_S] = { 0 };
  for (int i = 0; i < r->s; i++)
    for (int k = 0; k + 1 < mw_adapt_points(r, i); k++)
      memset(a->interval[i][k].e, 0, sizeof a->interval[i][k].e);
  for (int k = 0; k < p->n; k++) {
    const mw_probe *q = &p->p[k];
    mw_interval *v = &a->interval[q->axis][q->k];
    for (int c = 0; c < MW_PROBE_KINDS; c++)
      if (!(q->e[c] <= v->e[c])) v->e[c] = q->e[c];
    axis[q->axis] = fmax(axis[q->axis], mw_adapt_largest(v->e));
  }
  int matter = 0;
  for (int i = 0; i < r->s; i++) matter += axis[i] > MATTERS;
  *bar = mw_adapt_part / (matter > 0 ? matter : 1);
  return MW_OK;
}

bool mw_adapt_points_mend(double between, double at_point)
{
  return between > mw_adapt_twice * at_point || (between > 1.0 && at_point < 1.0);
}

// Of intervals above the bar those that err less at their ends, on the line where the middle errs
// most. wanted: bit c for errors of kind c. The errors that are left are those of interpolation.
static mw_code above_bar(mw_adapt *a, const mw_rom_file *f, const mw_probe_list *p, double bar,
                         unsigned char *const *wanted, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_probe_list ends = { 0 };
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
    for (int k = 0; k + 1 < mw_adapt_points(r, i); k++)
      a->worst = fmax(a->worst, mw_adapt_largest(a->interval[i][k].e));
  mw_arena_free(&ends.mem);
  return rc;
}

// All that is asked for, by the samples: (2) is then more than is needed.
static bool all_met(const mw_certificate *c) { return c->n > 0 && mw_certificate_met(c); }

mw_code mw_adapt_split(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_probe_list p = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  double bar = 0.0;
  *more = false;
  mw_code rc = mw_adapt_marks(a->r, split, &tmp, err);
  if (rc == MW_OK) rc = errors(a, f, &p, &bar, err);
  if (rc == MW_OK) rc = above_bar(a, f, &p, bar, split, err);
  if (rc == MW_OK && a->worst <= 1.0 && all_met(&f->certificate)) bar = INFINITY;
  for (int i = 0; rc == MW_OK && !(bar < INFINITY) && i < a->r->s; i++)
    memset(split[i], 0, (size_t)mw_adapt_points(a->r, i));
  a->by_samples = 0;
  if (rc == MW_OK) {
    bool stalled = mw_adapt_leave_stalled(a, split);
    rc = mw_adapt_tables_first(a, f, p.n, p.p, mw_adapt_part, split, err);
    if (rc == MW_OK) rc = mw_adapt_finish(a, split, stalled, more, err);
  }
  mw_arena_free(&p.mem);
  mw_arena_free(&tmp);
  return rc;
}

// Do the eigenvalues change along an axis?
static bool varies(const mw_reduction *r, int axis)
{
  int stride = 1;
  for (int j = axis + 1; j < r->s; j++) stride *= mw_adapt_points(r, j);
  for (int g = 0; g < r->n_point; g++) {
    const mw_grid_point *p = &r->point[g],
                        *q = &r->point[g - g / stride % mw_adapt_points(r, axis) * stride];
    if (!p->lambda || !q->lambda) return true;
    for (int k = 0; k < r->n_want; k++)
      if (!(fabs(p->lambda[k] - q->lambda[k]) <= FLAT * q->lambda[k])) return true;
  }
  return false;
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
      split[i][mw_adapt_interval(mw_first_axis(r, i), theta)] |= fine[i][k];
    }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_adapt_everywhere(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_arena tmp = { 0 };
  unsigned char *split[MW_ROM_MAX_S];
  mw_code rc = mw_adapt_marks(r, split, &tmp, err);
  int soft = 0;
  *more = false;
  if (rc == MW_OK && mw_adapt_give_up_tables(a)) {
    *more = true;
    for (int i = 0; i < r->s; i++) split[i] = NULL;
    rc = mw_adapt_apply(a, split, err);
    mw_arena_free(&tmp);
    return rc;
  }
  // tables whose K is indefinite somewhere say where
  if (rc == MW_OK && (f->rom.coef || f->rom.n_train > 0))
    rc = soft_intervals(r, &a->made->tables, f, split, &soft, err);
  mw_reduction_coarsen(r);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (!varies(r, i))
      memset(split[i], 0, (size_t)mw_adapt_points(r, i));
    else if (soft == 0)
      memset(split[i], MW_ADAPT_EVERY, (size_t)mw_adapt_points(r, i) - 1);
  if (rc == MW_OK) mw_adapt_fewer_axes(r, split);
  if (rc == MW_OK && a->everywhere < EVERYWHERE_MOST && mw_adapt_any_marked(r, split)) {
    a->everywhere++;
    a->idle[0] = a->idle[1] = 0;
    a->last[0] = a->last[1] = 0.0;
    *more = true;
    mw_progress_note(r->progress,
                     soft > 0 ? "the grid is too coarse for the stiffness: more points there"
                              : "the grid is too coarse to follow the modes: more points");
    for (int i = 0; i < r->s; i++)  // nothing is known of gains
      memset(a->interval[i], 0, (size_t)mw_adapt_points(r, i) * sizeof *a->interval[i]);
    mw_adapt_tidy(r, split);
    rc = mw_adapt_apply(a, split, err);
  }
  mw_arena_free(&tmp);
  return rc;
}
