// SPDX-License-Identifier: BSD-3-Clause
// axis.c: cubic C² splines through points of a uniform table, written on all of it.
//
// One axis, grid points x_k with values f_k, widths h_k = x_{k+1} − x_k, M_k = s''(x_k):
//   h_{k−1} M_{k−1} + 2 (h_{k−1} + h_k) M_k + h_k M_{k+1} = 6 ((f_{k+1} − f_k) / h_k − (f_k −
//       f_{k−1}) / h_{k−1})      (1)
//   ends      jump of s''' at x_1 = w_1 g ,  g = 24 (f[x_0 … x_4] + 5 (x_1 − c) f[x_0 … x_5])   (2)
// g is the fourth derivative at x_1 from divided differences at six points that are not close (c:
// mean of the first five), and w_1 the jump that the spline of x⁴/24 has there when the points go
// on beyond x_0 with the width h_0: quartics are interpolated as if there was no end. w_1 follows
// from e_k = M_k − x_k²/2 of that spline,
//   h_{k−1} e_{k−1} + 2 (h_{k−1} + h_k) e_k + h_k e_{k+1} = −(h_{k−1}³ + h_k³) / 4 ,
//       e → −h²/12 beyond the ends      (3)
// Equal widths: w_1 = h, and (2) is spline.c's own end condition. Below 6 points w_1 = 0
// (not-a-knot); where only 5 are not close the last term of g is left out, where there are fewer
// w_1 = 0. A cyclic axis has (1) at all its points, none of (2). On the table, width h, knots hold
// those of the grid, so that the spline is one of the table's, and its coefficients are
//   c_{j+1} = s(x_j) − h² s''(x_j) / 6 ,  c_0 = 2 c_1 − c_2 + h² s''(x_0) ,
//       the other end likewise      (4)
// (c_j + 4 c_{j+1} + c_{j+2} = 6 s, c_j − 2 c_{j+1} + c_{j+2} = h² s''). Cost: O(s × size of coef).
// de Boor, A Practical Guide to Splines, 1978 (splines in second derivatives; knots; bounds for
// mesh ratios).
#include "reduction/axis.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "rom/rom.h"

enum { FEW = 6, TABLE_MOST = 1 << 20 };
static const double RATIO = 2.0;     // of neighbouring widths; bounded splines up to (3 + √5) / 2
static const double SPACING = 0.99;  // of the outer intervals: equidistant points are all used
static const double OUTSIDE = 1e-9;  // of the axis' width, as rom.h
static const double DECAY = -0.2679491924311227;  // √3 − 2: what is left of a disturbance a cell on
static const double ROUNDING = 64.0 * DBL_EPSILON;  // of a row's largest entry

// The elimination of (1) and (2) in one axis, the same for all data.
typedef struct plan {
  int n;
  bool cyclic;
  double *h;      // [n − 1]  widths
  double *pivot;  // [n]
  double *super;  // [n]      over the pivot
  // cyclic: A = T + u vᵀ, T tridiagonal, u = (γ, 0, …, β), v = (1, 0, …, β / γ), β the entry in A's
  // corners
  double beta, gamma;
  double *z;  // [n]      T⁻¹ u / (1 + vᵀ T⁻¹ u)   (Sherman and Morrison)
  // jump of s''' at x_1 and x_{n−2}: weights of the values at 6 points, from the end inwards
  double end[2][6];
  int at[2][6];
} plan;

static int table_width(const mw_axis *a, int k) { return a->at[k + 1] - a->at[k]; }

static mw_code check(const mw_axis *a, mw_error *err)
{
  bool good = a->n >= 4 && a->n_table >= a->n && isfinite(a->lo) && isfinite(a->hi) &&
              a->hi > a->lo && a->at[0] == 0 && (a->C || a->at[a->n - 1] == a->n_table - 1);
  for (int k = 0; good && k + 1 < a->n; k++) good = table_width(a, k) > 0;
  if (good) return MW_OK;
  return mw_fail(
      err, MW_ERR_INPUT, MW_NOWHERE,
      "%d grid points of a table of %d from %g to %g, expected at least 4, ascending from its "
      "first to its last point",
      a->n, a->n_table, a->lo, a->hi);
}

mw_code mw_axis_uniform(double lo, double hi, bool cyclic, int n, int refine, mw_arena *mem,
                        mw_axis *out, mw_error *err)
{
  if (n < 4 || refine < 1 || refine > TABLE_MOST / n)
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "%d grid points, %d table intervals between neighbours, expected at least 4 and 1, and at "
        "most %d table points",
        n, refine, TABLE_MOST);
  mw_axis a = { .lo = lo, .hi = hi, .cyclic = cyclic, .n = n, .n_table = (n - 1) * refine + 1 };
  a.at = mw_arena_int(mem, (size_t)n);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < n; k++) a.at[k] = k * refine;
  if (rc == MW_OK) rc = check(&a, err);
  if (rc == MW_OK) *out = a;
  return rc;
}

mw_code mw_axis_subdivide(const mw_axis *a, int factor, mw_arena *mem, mw_axis *out, mw_error *err)
{
  mw_code rc = check(a, err);
  if (rc == MW_OK && (factor < 1 || factor > TABLE_MOST / a->n_table))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "a table of more than %d points would be needed from %g to %g", TABLE_MOST, a->lo,
                 a->hi);
  if (rc != MW_OK) return rc;
  mw_axis b = *a;
  b.n = (a->n - 1) * factor + 1;
  b.n_table = (a->n_table - 1) * factor + 1;
  b.at = mw_arena_int(mem, (size_t)b.n);
  rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < b.n; k++) {
    int from = k / factor, rest = k % factor;
    b.at[k] = a->at[from] * factor + (rest > 0 ? rest * table_width(a, from) : 0);
  }
  if (rc == MW_OK) *out = b;
  return rc;
}

double mw_axis_table_theta(const mw_axis *a, int k)
{
  if (k == a->n_table - 1) return a->hi;
  return a->lo + (a->hi - a->lo) * (double)k / (double)(a->n_table - 1);
}

double mw_axis_theta(const mw_axis *a, int k)
{
  if (!a->C) return mw_axis_table_theta(a, a->at[k]);
  return k == a->n - 1 ? a->hi : a->lo + (a->hi - a->lo) * a->at[k] / a->at[a->n - 1];
}

// ---- more points --------------------------------------------------------------------------------

// Marks what has to be split with the marked ones, so that no interval is wider than RATIO times
// its neighbour.
static void spread(const mw_axis *a, unsigned char *split)
{
  int n = a->n - 1;
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < n; k++)
      for (int side = -1; side <= 1; side += 2) {
        int j = k + side;
        if (a->cyclic) j = (j + n) % n;
        if (j < 0 || j >= n || split[k]) continue;
        double neighbour = table_width(a, j) / (split[j] ? 2.0 : 1.0);
        if (!split[j] || table_width(a, k) <= RATIO * neighbour) continue;
        split[k] = 1;
        more = true;
      }
  }
}

mw_code mw_axis_split(const mw_axis *a, const unsigned char *split, mw_arena *mem, mw_axis *out,
                      int **from, mw_error *err)
{
  mw_code rc = check(a, err);
  if (rc != MW_OK) return rc;
  mw_arena tmp = { 0 };
  int *at = mw_arena_int(mem, 2 * (size_t)a->n), *old = mw_arena_int(mem, 2 * (size_t)a->n);
  unsigned char *all = mw_arena_alloc(&tmp, (size_t)a->n, 1);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  int scale = 1, n = 0;
  if (rc == MW_OK) {
    for (int k = 0; k + 1 < a->n; k++) all[k] = split[k] != 0;
    spread(a, all);
    for (int k = 0; k + 1 < a->n; k++)
      if (all[k] && table_width(a, k) % 2 != 0) scale = 2;
    if (a->n_table > TABLE_MOST / scale)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "a table of more than %d points would be needed from %g to %g", TABLE_MOST,
                   a->lo, a->hi);
  }
  for (int k = 0; rc == MW_OK && k < a->n; k++) {
    old[n] = k;
    at[n++] = scale * a->at[k];
    if (k + 1 == a->n || !all[k]) continue;
    old[n] = -1;
    at[n++] = scale * (a->at[k] + a->at[k + 1]) / 2;
  }
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  *out = *a;
  out->n = n;
  out->n_table = scale * (a->n_table - 1) + 1;
  out->at = at;
  *from = old;
  return MW_OK;
}

// ---- one axis -----------------------------------------------------------------------------------

// Jumps of s''' of the spline of x⁴/24 at x_1 and x_{n−2}: (3). e [n], t [n] scratch.
static void quartic_jumps(int n, const double *h, double *e, double *t, double jump[2])
{
  // e_{−1} = e_∞ + DECAY (e_0 − e_∞), e_∞ = −h_0²/12; the other end likewise
  int m = n - 2;
  for (int k = 0; k < n; k++) {
    double left = h[k > 0 ? k - 1 : 0], right = h[k <= m ? k : m], diagonal = 2.0 * (left + right);
    double rhs = -0.25 * (left * left * left + right * right * right);
    if (k == 0 || k == n - 1) {
      diagonal += DECAY * left;
      rhs += (1.0 - DECAY) * left * left * left / 12.0;
    }
    double sub = k > 0 ? left : 0.0, pivot = diagonal - (k > 0 ? sub * t[k - 1] : 0.0);
    t[k] = right / pivot;
    e[k] = (rhs - (k > 0 ? sub * e[k - 1] : 0.0)) / pivot;
  }
  for (int k = n - 2; k >= 0; k--) e[k] -= t[k] * e[k + 1];
  jump[0] = 0.5 * (h[0] + h[1]) + (e[2] - e[1]) / h[1] - (e[1] - e[0]) / h[0];
  jump[1] = 0.5 * (h[m - 1] + h[m]) + (e[m + 1] - e[m]) / h[m] - (e[m] - e[m - 1]) / h[m - 1];
}

// Weights w of the values at n points, 5 or 6, in w_1 g of (2), x their distances from the end; 5
// leave the second term out.
static void end_weights(int n, const double *x, double jump, double w[6])
{
  double centre = (x[0] + x[1] + x[2] + x[3] + x[4]) / 5.0;
  for (int k = 0; k < n; k++) {
    double four = k < 5, five = n == 6;  // f_k in the fourth and in the fifth divided difference
    for (int j = 0; j < n; j++) {
      if (j == k) continue;
      five /= x[k] - x[j];
      if (j < 5) four /= x[k] - x[j];
    }
    w[k] = 24.0 * jump * (four + 5.0 * (x[1] - centre) * five);
  }
}

// Points for (2), x [6] their distances from the end, from it on: neighbours no closer than the
// outer intervals are wide, or than half of that, because differences of close points magnify what
// is not smooth in f. Number found, 6 at most.
static int end_points(int n, const double *h, int side, int at[6], double x[6])
{
  int last = n - 2, found = 0;
  double gap = SPACING * fmax(h[side ? last : 0], h[side ? last - 1 : 1]);
  for (int attempt = 0; attempt < 2 && found < 6; attempt++, gap *= 0.5) {
    double here = 0.0;
    found = 0;
    for (int k = 0; k < n && found < 6; k++) {
      if (k > 0) here += h[side ? last - k + 1 : k - 1];
      if (k > 1 && here - x[found - 1] < gap) continue;  // x_1 is always there: (2) is its own
      x[found] = here;
      at[found++] = side ? n - 1 - k : k;
    }
  }
  return found;
}

static void plan_ends(plan *p, double *e, double *t)
{
  if (p->n < FEW) return;
  double jump[2];
  quartic_jumps(p->n, p->h, e, t, jump);
  for (int side = 0; side < 2; side++) {
    double x[6];
    int n = end_points(p->n, p->h, side, p->at[side], x);
    if (n >= 5) end_weights(n, x, jump[side], p->end[side]);
  }
}

// Rows of (1): diagonal and neighbours of M_k.
static void row_of(const plan *p, int k, double *sub, double *diagonal, double *super)
{
  int last = p->n - 2;  // width
  double left = p->h[k > 0 ? k - 1 : last], right = p->h[k];
  *sub = left;
  *diagonal = 2.0 * (left + right);
  *super = right;
  if (p->cyclic) return;
  // M_0 and M_{n−1} eliminated by (2), row over the sum of the widths
  if (k == 1) {
    *diagonal = 2.0 + left / right;
    *super = (right - left) / right;
  }
  if (k == p->n - 2) {
    *diagonal = 2.0 + right / left;
    *sub = (left - right) / left;
  }
}

// x [n × len] := T⁻¹ x, in the rows that are unknown.
static void tridiagonal(const plan *p, size_t len, double *x)
{
  int first = p->cyclic ? 0 : 1, last = p->n - 2;
  for (int k = first; k <= last; k++) {
    double sub, diagonal, super, *y = x + (size_t)k * len;
    const double *before = k > first ? y - len : y;
    row_of(p, k, &sub, &diagonal, &super);
    for (size_t i = 0; k > first && i < len; i++) y[i] -= sub * before[i];
    for (size_t i = 0; i < len; i++) y[i] /= p->pivot[k];
  }
  for (int k = last - 1; k >= first; k--) {
    double *y = x + (size_t)k * len;
    for (size_t i = 0; i < len; i++) y[i] -= p->super[k] * y[i + len];
  }
}

// left += a J_1, right += b J_{n−2}, the jumps (2).
static void add_jumps(const plan *p, size_t len, const double *f, double a, double b, double *left,
                      double *right)
{
  for (int k = 0; p->n >= FEW && k < FEW; k++) {
    const double *from = f + (size_t)p->at[0][k] * len, *to = f + (size_t)p->at[1][k] * len;
    double wa = a * p->end[0][k], wb = b * p->end[1][k];
    for (size_t i = 0; i < len; i++) {
      left[i] += wa * from[i];
      right[i] += wb * to[i];
    }
  }
}

static mw_code plan_build(const mw_axis *a, mw_arena *mem, plan *p, mw_error *err)
{
  mw_code rc = check(a, err);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)a->n;
  *p = (plan){ .n = a->n, .cyclic = a->cyclic, .h = mw_arena_f64(mem, n) };
  p->pivot = mw_arena_f64(mem, n);
  p->super = mw_arena_f64(mem, n);
  p->z = mw_arena_f64(mem, n);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  double h = (a->hi - a->lo) / (a->n_table - 1);
  for (int k = 0; k + 1 < a->n; k++) p->h[k] = h * table_width(a, k);
  if (!a->cyclic) plan_ends(p, p->pivot, p->super);
  int first = a->cyclic ? 0 : 1, last = a->n - 2;
  for (int k = first; k <= last; k++) {
    double sub, diagonal, super;
    row_of(p, k, &sub, &diagonal, &super);
    if (a->cyclic && k == first) {
      p->beta = sub;
      p->gamma = -diagonal;
      diagonal -= p->gamma;
    }
    if (a->cyclic && k == last) diagonal -= p->beta * p->beta / p->gamma;
    p->pivot[k] = diagonal - (k > first ? sub * p->super[k - 1] : 0.0);
    p->super[k] = super / p->pivot[k];
  }
  if (!a->cyclic) return MW_OK;
  p->z[0] = p->gamma;
  p->z[last] = p->beta;
  tridiagonal(p, 1, p->z);
  double scale = 1.0 + p->z[0] + p->beta / p->gamma * p->z[last];
  for (int k = 0; k <= last; k++) p->z[k] /= scale;
  return MW_OK;
}

// M [n × len] of f [n × len].
static void second_derivatives(const plan *p, size_t len, const double *f, double *M)
{
  int n = p->n, last = n - 2;
  const double *h = p->h;
  for (int k = p->cyclic ? 0 : 1; k <= last; k++) {
    int before = k > 0 ? k - 1 : last;
    double a = 6.0 / h[before], b = 6.0 / h[k], scale = 1.0;
    if (!p->cyclic && (k == 1 || k == last)) scale = 1.0 / (h[before] + h[k]);
    // at a cyclic axis' last point stands what stands at its first
    const double *f0 = f + (size_t)before * len, *f1 = f + (size_t)k * len;
    const double *f2 = f + (size_t)(p->cyclic && k == last ? 0 : k + 1) * len;
    for (size_t i = 0; i < len; i++)
      M[(size_t)k * len + i] = scale * (b * (f2[i] - f1[i]) - a * (f1[i] - f0[i]));
  }
  if (!p->cyclic)
    add_jumps(p, len, f, -h[0] * h[0] / (h[0] + h[1]), -h[last] * h[last] / (h[last - 1] + h[last]),
              M + len, M + (size_t)last * len);
  tridiagonal(p, len, M);
  double *first = M, *end = M + ((size_t)n - 1) * len;
  for (size_t i = 0; p->cyclic && i < len; i++) {
    double vy = first[i] + p->beta / p->gamma * M[(size_t)last * len + i];
    for (int k = 0; k <= last; k++) M[(size_t)k * len + i] -= p->z[k] * vy;
    end[i] = first[i];
  }
  if (p->cyclic) return;
  // M_0 = M_1 − (h_0 / h_1) (M_2 − M_1) + h_0 J_1
  double r = h[0] / h[1], q = h[last] / h[last - 1];
  const double *M1 = M + len, *M2 = M1 + len, *N1 = end - len, *N2 = N1 - len;
  for (size_t i = 0; i < len; i++) {
    first[i] = M1[i] + r * (M1[i] - M2[i]);
    end[i] = N1[i] + q * (N1[i] - N2[i]);
  }
  add_jumps(p, len, f, h[0], h[last], first, end);
}

// (4): c [(n_table + 2) × len] of f and M [n × len].
static void to_table(const mw_axis *a, const plan *p, size_t len, const double *f, const double *M,
                     double *c)
{
  double h = (a->hi - a->lo) / (a->n_table - 1);
  size_t end = ((size_t)a->n_table + 1) * len;
  for (int k = 0; k + 1 < a->n; k++) {
    int width = table_width(a, k),
        past = k + 2 == a->n;  // the last interval has its right end, too
    const double *f0 = f + (size_t)k * len, *M0 = M + (size_t)k * len, *M1 = M0 + len;
    const double *f1 = p->cyclic && past ? f : f0 + len;
    for (int j = 0; j < width + past; j++) {
      double t = (double)j / width, u = 1.0 - t, b = p->h[k] * p->h[k] * t * u / 6.0;
      double m0 = -b * (1.0 + u) - h * h * u / 6.0, m1 = -b * (1.0 + t) - h * h * t / 6.0;
      double *to = c + ((size_t)(a->at[k] + j) + 1) * len;
      for (size_t i = 0; i < len; i++) to[i] = u * f0[i] + t * f1[i] + m0 * M0[i] + m1 * M1[i];
    }
  }
  const double *last = M + ((size_t)a->n - 1) * len;
  for (size_t i = 0; i < len; i++) {
    c[i] = 2.0 * c[len + i] - c[2 * len + i] + h * h * M[i];
    c[end + i] = 2.0 * c[end - len + i] - c[end - 2 * len + i] + h * h * last[i];
  }
}

// ---- all axes -----------------------------------------------------------------------------------

size_t mw_axis_n_coef(int s, const mw_axis *axis, int n_field)
{
  size_t size = (size_t)n_field;
  for (int i = 0; i < s; i++) size *= (size_t)axis[i].n_table + 2;
  return size;
}

// Axis i of all: outer blocks of [n × inner] to blocks of [(n_table + 2) × inner].
static mw_code fit_axis(const mw_axis *a, size_t outer, size_t inner, const double *from,
                        double *to, mw_error *err)
{
  mw_arena tmp = { 0 };
  plan p;
  size_t n = (size_t)a->n, n_coef = (size_t)a->n_table + 2;
  for (size_t o = 0; a->C && o < outer; o++)
    mw_gemm('n', 'n', (int)n_coef, (int)inner, (int)n, 1.0, a->C, from + o * n * inner, 0.0,
            to + o * n_coef * inner);
  if (a->C) return MW_OK;
  double *M = mw_arena_f64(&tmp, n * inner);
  mw_code rc = plan_build(a, &tmp, &p, err);
  for (size_t o = 0; rc == MW_OK && o < outer; o++) {
    second_derivatives(&p, inner, from + o * n * inner, M);
    to_table(a, &p, inner, from + o * n * inner, M, to + o * n_coef * inner);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_axis_fit(int s, const mw_axis *axis, int n_field, const double *data, double *coef,
                    mw_error *err)
{
  if (s < 1 || s > MW_ROM_MAX_S || n_field < 1)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "splines of %d fields in %d coordinates, expected at least 1 in 1 to %d",
                   n_field, s, MW_ROM_MAX_S);
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < s; i++) rc = check(&axis[i], err);
  // sizes after each axis: coefficients in front, grid points behind
  size_t size[MW_ROM_MAX_S + 1] = { (size_t)n_field }, most = 0;
  for (int i = 0; i < s; i++) size[0] *= (size_t)axis[i].n;
  for (int i = 0; rc == MW_OK && i < s; i++) {
    size[i + 1] = size[i] / (size_t)axis[i].n * ((size_t)axis[i].n_table + 2);
    if (i + 1 < s && size[i + 1] > most) most = size[i + 1];
  }
  mw_arena tmp = { 0 };
  double *even = mw_arena_f64(&tmp, most), *odd = mw_arena_f64(&tmp, s > 2 ? most : 0);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  const double *from = data;
  size_t outer = 1, inner = size[0];
  for (int i = 0; rc == MW_OK && i < s; i++) {
    double *to = i + 1 == s ? coef : i % 2 ? odd : even;
    inner /= (size_t)axis[i].n;
    rc = fit_axis(&axis[i], outer, inner, from, to, err);
    outer *= (size_t)axis[i].n_table + 2;
    from = to;
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- matrices -----------------------------------------------------------------------------------

// M [n × n] of the n unit vectors, row k: weights of the values in M_k.
static mw_code unit_response(const mw_axis *a, mw_arena *mem, plan *p, double **M, mw_error *err)
{
  mw_code rc = plan_build(a, mem, p, err);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)a->n;
  double *unit = mw_arena_f64(mem, n * n);
  *M = mw_arena_f64(mem, n * n);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < n; k++) unit[k * n + k] = 1.0;
  second_derivatives(p, n, unit, *M);
  return MW_OK;
}

// The grid point whose values are used for those of point k.
static int value_of(const mw_axis *a, int k) { return a->cyclic && k == a->n - 1 ? 0 : k; }

mw_code mw_axis_derivative(const mw_axis *a, double *D, mw_error *err)
{
  if (a->C) return mw_axis_smooth_derivative(a, D, err);
  mw_arena tmp = { 0 };
  plan p;
  double *M = NULL;
  int n = a->n;
  mw_code rc = unit_response(a, &tmp, &p, &M, err);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    // s'(x_k) from the interval on the right, at the last point from that on the left
    int l = k + 1 < n ? k : n - 2;
    double h = p.h[l], most = 0.0, *d = D + (size_t)k * (size_t)n;
    const double *M0 = M + (size_t)l * (size_t)n, *M1 = M0 + n;
    double m0 = k == l ? -h / 3.0 : h / 6.0, m1 = k == l ? -h / 6.0 : h / 3.0;
    for (int j = 0; j < n; j++) d[j] = m0 * M0[j] + m1 * M1[j];
    d[value_of(a, l)] -= 1.0 / h;
    d[value_of(a, l + 1)] += 1.0 / h;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(d[j]));
    for (int j = 0; j < n; j++)
      if (fabs(d[j]) <= ROUNDING * most) d[j] = 0.0;
  }
  mw_arena_free(&tmp);
  return rc;
}

// w [n] += a J_1 + b J_{n−2}, the weights of the jumps (2)
static void add_jump_weights(const plan *p, double a, double b, double *w)
{
  for (int k = 0; p->n >= FEW && k < FEW; k++) {
    w[p->at[0][k]] += a * p->end[0][k];
    w[p->at[1][k]] += b * p->end[1][k];
  }
}

// g [n] := T⁻ᵀ g, in the rows that are unknown
static void tridiagonal_transposed(const plan *p, double *g)
{
  int first = p->cyclic ? 0 : 1, last = p->n - 2;
  for (int k = first; k < last; k++) g[k + 1] -= p->super[k] * g[k];
  for (int k = last; k >= first; k--) {
    double sub, diagonal, super;
    row_of(p, k, &sub, &diagonal, &super);
    g[k] /= p->pivot[k];
    if (k > first) g[k - 1] -= sub * g[k];
  }
}

// w [n] := weights of the values in Σ g_k M_k, g [n] destroyed: second_derivatives, transposed step
// by step. O(n).
static void second_derivative_weights(const plan *p, double *g, double *w)
{
  int n = p->n, last = n - 2;
  const double *h = p->h;
  memset(w, 0, (size_t)n * sizeof *w);
  if (p->cyclic) {
    g[0] += g[n - 1];
    double vy = 0.0;
    for (int k = 0; k <= last; k++) vy += p->z[k] * g[k];
    g[0] -= vy;
    g[last] -= p->beta / p->gamma * vy;
  } else {
    double r = h[0] / h[1], q = h[last] / h[last - 1], left = g[0], right = g[n - 1];
    add_jump_weights(p, h[0] * left, h[last] * right, w);
    g[1] += (1.0 + r) * left;
    g[2] -= r * left;
    g[n - 2] += (1.0 + q) * right;
    g[n - 3] -= q * right;
  }
  tridiagonal_transposed(p, g);
  if (!p->cyclic)
    add_jump_weights(p, -h[0] * h[0] / (h[0] + h[1]) * g[1],
                     -h[last] * h[last] / (h[last - 1] + h[last]) * g[last], w);
  for (int k = p->cyclic ? 0 : 1; k <= last; k++) {
    int before = k > 0 ? k - 1 : last, after = p->cyclic && k == last ? 0 : k + 1;
    double a = 6.0 / h[before], b = 6.0 / h[k], scale = g[k];
    if (!p->cyclic && (k == 1 || k == last)) scale /= h[before] + h[k];
    w[before] += scale * a;
    w[k] -= scale * (a + b);
    w[after] += scale * b;
  }
}

mw_code mw_axis_inside(const mw_axis *a, double theta, double *x, mw_error *err)
{
  double width = a->hi - a->lo, from = theta - a->lo;
  if (a->cyclic) from -= width * floor(from / width);
  if (!(from >= -OUTSIDE * width && from <= (1.0 + OUTSIDE) * width))
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "%g lies outside the grid, %g to %g", theta,
                   a->lo, a->hi);
  *x = a->cyclic ? a->lo + from : theta;
  return MW_OK;
}

mw_code mw_axis_weights(const mw_axis *a, double theta, double *w, mw_error *err)
{
  mw_arena tmp = { 0 };
  plan p;
  double *g = mw_arena_f64(&tmp, (size_t)a->n), x = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_axis_inside(a, theta, &x, err);
  if (rc == MW_OK && a->C) mw_axis_smooth_weights(a, x, w);
  if (rc == MW_OK && !a->C) rc = plan_build(a, &tmp, &p, err);
  if (rc == MW_OK && !a->C) {
    int l = 0, n = a->n;
    x -= a->lo;
    while (l < n - 2 && x >= mw_axis_theta(a, l + 1) - a->lo) l++;
    double h = p.h[l], t = (x - (mw_axis_theta(a, l) - a->lo)) / h, u = 1.0 - t;
    double b = h * h * t * u / 6.0;
    g[l] = -b * (1.0 + u);
    g[l + 1] = -b * (1.0 + t);
    second_derivative_weights(&p, g, w);
    w[value_of(a, l)] += u;
    w[value_of(a, l + 1)] += t;
  }
  mw_arena_free(&tmp);
  return rc;
}
