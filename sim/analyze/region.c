// SPDX-License-Identifier: BSD-3-Clause
// region.c: regions of (ṗ², p̈) that limits of drives leave at a point of a path.
//
// n⁻ ≤ n ≤ n⁺ ,  B n = a p̈ + b ṗ² + f ṗ + c ,  k rows, d drives, r = d − k too many. The seed's
// equations (4), (5): on the border of the region r + 1 drives are at their limits, and r free
// parameters follow from r of them. What remains of (4) once they are eliminated: with w across the
// columns of the other k − 1 drives,
//
//   wᵀ(a p̈ + b ṗ² + f ṗ + c) ≤ Σ_j max(wᵀB_j n_j⁻, wᵀB_j n_j⁺)                                 (1)
// for all choices of k − 1 drives and ± w: the facets of the set of forces, with r drives too many
// or none. In (ṗ, p̈) each is a parabola. Cost 2 (d over k − 1) k³ a point, then that many cuts.
// A limit of power is one of force at a speed, x = ṗ²: |n_j| ≤ P_j/(|r_j| √x), r_j the rate of its
// coordinate by p; about x₀ it is, less by what a convex function is above its tangent,
//
//   |n_j| ≤ P_j/(|r_j| √x₀) (3/2 − x/(2 x₀))                                                    (2)
#include <math.h>
#include <string.h>

#include "analyze/region_layer.h"
#include "sim/accessible.h"

enum { MOST_HALVES = 500 };

// ---- half-planes --------------------------------------------------------------------------------

double mw_choices(int k, int d)
{
  double n = 1.0;
  for (int i = 0; i < k - 1; i++) n = fmin(n * (d - i) / (i + 1), 1e8);
  return nearbyint(n);
}

bool mw_next_choice(int k, int d, int *col)
{
  int last = k - 2;
  while (last >= 0 && col[last] == d - (k - 1) + last) last--;
  if (last < 0) return false;
  col[last]++;
  for (int r = last + 1; r < k - 1; r++) col[r] = col[r - 1] + 1;
  return true;
}

// Of limits of drives
static int most_of_drives(const mw_path_dynamics *d)
{
  return d->n_drive < d->k ? 0 : 2 * (int)mw_choices(d->k, d->n_drive);
}

int mw_halves_most(const mw_path_dynamics *d) { return most_of_drives(d) + d->n_bound; }

mw_code mw_halves_check(const mw_path_dynamics *d, mw_error *err)
{
  int halves = most_of_drives(d);
  if (halves + d->n_bound > MOST_HALVES)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "limits of drives and of deflections make %d half-planes, expected at most %d",
                   halves + d->n_bound, MOST_HALVES);
  if (d->k <= MW_MOST_K && halves > 0 && halves <= 400) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%d drives move %d freedoms; expected at least as many, and at most 200 choices "
                 "of all but one freedom among them",
                 d->n_drive, d->k);
}

bool mw_across(int k, int d, const double *B, const double *scale, const int *col, double *w)
{
  static const double RANK = 1e-12;
  double A[MW_MOST_K][MW_MOST_K];
  int order[MW_MOST_K];
  for (int i = 0; i < k; i++) order[i] = i;
  for (int i = 0; i < k - 1; i++) {  // a column as a row, its largest 1
    double most = 0.0;
    for (int j = 0; j < k; j++) {
      A[i][j] = B[j * d + col[i]] / scale[j];
      most = fmax(most, fabs(A[i][j]));
    }
    for (int j = 0; j < k && most > 0.0; j++) A[i][j] /= most;
  }
  for (int i = 0; i < k - 1; i++) {
    int row = i, at = i;
    for (int r = i; r < k - 1; r++)
      for (int c = i; c < k; c++)
        if (fabs(A[r][order[c]]) > fabs(A[row][order[at]])) row = r, at = c;
    int swap = order[i];
    order[i] = order[at];
    order[at] = swap;
    for (int c = 0; c < k && row != i; c++) {
      double x = A[i][c];
      A[i][c] = A[row][c];
      A[row][c] = x;
    }
    double pivot = A[i][order[i]];
    if (!(fabs(pivot) > RANK)) return false;
    for (int r = i + 1; r < k - 1; r++) {
      double x = A[r][order[i]] / pivot;
      for (int c = i; c < k; c++) A[r][order[c]] -= x * A[i][order[c]];
    }
  }
  double y[MW_MOST_K] = { 0.0 };
  y[order[k - 1]] = 1.0;
  for (int i = k - 2; i >= 0; i--) {
    double sum = 0.0;
    for (int c = i + 1; c < k; c++) sum += A[i][order[c]] * y[order[c]];
    y[order[i]] = -sum / A[i][order[i]];
  }
  for (int j = 0; j < k; j++) w[j] = y[j] / scale[j];
  return true;
}

// Limits n⁻, n⁺ of drive j at x₀ and their derivatives by x, (2)
typedef struct bounds {
  double lo, hi, lo_x, hi_x;
} bounds;

static bounds bounds_of(const mw_path_dynamics *o, int i, const mw_drive_limits *limits, int j,
                        double x0)
{
  bounds b = { limits->lo[j], limits->hi[j], 0.0, 0.0 };
  double r = fabs(o->rate[i * o->n_drive + j]);
  if (!limits->power || !(x0 > 0.0) || r == 0.0 || isinf(limits->power[j])) return b;
  double cap = limits->power[j] / (r * sqrt(x0));
  if (b.hi > cap) b.hi = cap, b.hi_x = -0.5 * cap / x0;
  if (b.lo < -cap) b.lo = -cap, b.lo_x = 0.5 * cap / x0;
  return b;
}

// (1), both signs, about x₀
static int facets(const mw_path_dynamics *o, int i, const mw_drive_limits *limits, double x0,
                  const int *col, const double *w, mw_half *out)
{
  int k = o->k, d = o->n_drive;
  const double *B = o->B + (size_t)i * (size_t)(k * d);
  // of a and b, both in a path's own unit: what rounding leaves where a path does not bend
  static const double ROUNDING = 1e-13;
  double hi = 0.0, lo = 0.0, hi_x = 0.0, lo_x = 0.0, g[4] = { 0.0 }, size = 0.0;
  for (int j = 0, next = 0; j < d; j++) {
    double x = 0.0;
    if (next < k - 1 && col[next] == j) {
      next++;
      continue;
    }
    for (int r = 0; r < k; r++) x += w[r] * B[r * d + j];
    if (x == 0.0) continue;
    const bounds n = bounds_of(o, i, limits, j, x0);
    bool up = x * n.hi > x * n.lo;
    hi += x * (up ? n.hi : n.lo);
    lo += x * (up ? n.lo : n.hi);
    hi_x += x * (up ? n.hi_x : n.lo_x);
    lo_x += x * (up ? n.lo_x : n.hi_x);
  }
  for (int r = 0; r < k; r++) {
    g[0] += w[r] * o->a[i * k + r];
    g[1] += w[r] * o->b[i * k + r];
    g[2] += w[r] * o->f[i * k + r];
    g[3] += w[r] * o->c[i * k + r];
    size += fabs(w[r]) * (fabs(o->a[i * k + r]) + fabs(o->b[i * k + r]));
  }
  for (int x = 0; x < 2; x++) g[x] = fabs(g[x]) <= ROUNDING * size ? 0.0 : g[x];
  out[0] = (mw_half){ g[0], g[1] - hi_x, g[2], hi - hi_x * x0 - g[3] };
  out[1] = (mw_half){ -g[0], lo_x - g[1], -g[2], g[3] - lo + lo_x * x0 };
  return 2;
}

int mw_halves_find(const mw_path_dynamics *o, int i, const mw_drive_limits *limits, mw_half *out)
{
  return mw_halves_near(o, i, limits, 0.0, out);
}

int mw_halves_near(const mw_path_dynamics *o, int i, const mw_drive_limits *limits, double x0,
                   mw_half *out)
{
  int k = o->k, d = o->n_drive, n = 0, col[MW_MOST_K];
  const double *B = o->B + (size_t)i * (size_t)(k * d);
  double scale[MW_MOST_K], w[MW_MOST_K];
  for (; n < o->n_bound; n++) out[n] = o->bound[i * o->n_bound + n];
  if (k > MW_MOST_K || d < k) return n;
  for (int r = 0; r < k; r++) {
    scale[r] = 0.0;
    for (int j = 0; j < d; j++) scale[r] = fmax(scale[r], fabs(B[r * d + j]));
    if (scale[r] == 0.0) scale[r] = 1.0;
    if (r < k - 1) col[r] = r;
  }
  do {
    if (mw_across(k, d, B, scale, col, w)) n += facets(o, i, limits, x0, col, w, out + n);
  } while (mw_next_choice(k, d, col));
  return n;
}

double mw_speed_limit(const mw_path_dynamics *o, int i, const mw_drive_limits *limits)
{
  double most = INFINITY;
  for (int d = 0; d < o->n_drive; d++)
    if (o->rate[i * o->n_drive + d] != 0.0)
      most = fmin(most, limits->speed[d] / fabs(o->rate[i * o->n_drive + d]));
  return most;
}

// ---- polygons -----------------------------------------------------------------------------------

// A border: half-plane `at` of the list, or one of the frame around everything, by −1 … −4.
typedef struct corner {
  double x, y;  // ṗ², p̈
  int edge;     // what bounds the polygon from here to the next corner
} corner;

static const double FRAME = 1e30;  // 1/s²

static mw_half border(const mw_half *half, double lo, double hi, int at)
{
  const mw_half frame[4] = { { 0.0, -1.0, 0.0, -lo },
                             { 0.0, 1.0, 0.0, fmin(hi, FRAME) },
                             { 1.0, 0.0, 0.0, FRAME },
                             { -1.0, 0.0, 0.0, FRAME } };
  return at >= 0 ? half[at] : frame[-1 - at];
}

static corner meet(mw_half p, mw_half q, int edge)
{
  double det = p.b * q.a - q.b * p.a;
  return (corner){ (p.h * q.a - q.h * p.a) / det, (p.b * q.h - q.b * p.h) / det, edge };
}

// Cuts the polygon of n corners by half-plane `at`; to may not be from.
static int cut(int n, const corner *from, const mw_half *half, double lo, double hi, int at,
               corner *to)
{
  static const double ON = 1e-14;  // of the terms: rounding
  mw_half p = half[at];
  int m = 0;
  for (int i = 0; i < n; i++) {
    const corner *a = &from[i], *b = &from[(i + 1) % n];
    double size_a = fabs(p.a * a->y) + fabs(p.b * a->x) + fabs(p.h),
           size_b = fabs(p.a * b->y) + fabs(p.b * b->x) + fabs(p.h);
    bool in_a = p.a * a->y + p.b * a->x - p.h <= ON * size_a,
         in_b = p.a * b->y + p.b * b->x - p.h <= ON * size_b;
    if (in_a) to[m++] = *a;
    if (in_a != in_b) to[m++] = meet(border(half, lo, hi, a->edge), p, in_a ? at : a->edge);
  }
  return m;
}

int mw_region_polygon(int n, const mw_half *half, double lo, double hi, double *vertex)
{
  static const double SAME = 1e-13;
  enum { MOST = 512 };
  corner room[2][MOST + 8];
  corner *now = room[0], *next = room[1];
  int m = 4;
  hi = fmin(hi, FRAME);
  if (lo > hi) return 0;
  const corner frame[4] = {
    { lo, -FRAME, -4 }, { hi, -FRAME, -2 }, { hi, FRAME, -3 }, { lo, FRAME, -1 }
  };
  memcpy(now, frame, sizeof frame);
  for (int i = 0; i < n && m > 0 && m < MOST; i++) {
    m = cut(m, now, half, lo, hi, i, next);
    corner *swap = now;
    now = next;
    next = swap;
  }
  double most_x = 0.0, most_y = 0.0;
  for (int i = 0; i < m; i++) {
    if (fabs(now[i].y) >= 0.5 * FRAME || now[i].x >= 0.5 * FRAME) return -1;
    most_x = fmax(most_x, fabs(now[i].x));
    most_y = fmax(most_y, fabs(now[i].y));
  }
  int kept = 0;
  for (int i = 0; i < m; i++) {
    const corner *last = &now[(i + m - 1) % m];
    bool same = m > 1 && fabs(now[i].x - last->x) <= SAME * most_x &&
                fabs(now[i].y - last->y) <= SAME * most_y;
    if (same) continue;
    vertex[2 * kept] = now[i].x;
    vertex[2 * kept++ + 1] = now[i].y;
  }
  return kept;
}

bool mw_region_range(int n, const mw_half *half, double rate, double *lo, double *hi)
{
  static const double ON = 1e-13;
  *lo = -INFINITY;
  *hi = INFINITY;
  for (int i = 0; i < n; i++) {
    const mw_half *p = &half[i];
    double rest = p->h - p->b * rate * rate - p->f * rate;
    double size = fabs(p->h) + fabs(p->b) * rate * rate + fabs(p->f) * rate;
    if (p->a > 0.0) *hi = fmin(*hi, rest / p->a);
    if (p->a < 0.0) *lo = fmax(*lo, rest / p->a);
    if (p->a == 0.0 && rest < -ON * size) return false;
  }
  return *lo <= *hi;
}

// ---- along a path -------------------------------------------------------------------------------

// Largest ṗ at which some p̈ is accessible, viscous forces counted, up to hi: between each pair of
// borders with p̈ of opposite signs a quadratic of ṗ remains, whose roots are candidates. INFINITY:
// nothing limits it, as on a straight path of slides without dampers.
static double fastest(int n, const mw_half *half, double hi)
{
  double best = -1.0, lo_y, hi_y;
  static const double FAST = 1e15;  // 1/s, its square within the frame of polygons
  if (mw_region_range(n, half, fmin(hi, FAST), &lo_y, &hi_y)) return hi;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const mw_half *p = &half[i], *q = &half[j];
      bool alone = i == j && p->a == 0.0;
      if (!alone && !(p->a > 0.0 && q->a < 0.0)) continue;
      double u = alone ? 0.5 : 1.0 / p->a, v = alone ? 0.5 : -1.0 / q->a;
      double a = u * p->b + v * q->b, b = u * p->f + v * q->f, c = -(u * p->h + v * q->h);
      double root[2] = { NAN, NAN }, disc = b * b - 4.0 * a * c;
      if (a == 0.0 && b != 0.0) root[0] = -c / b;
      if (a != 0.0 && disc >= 0.0) {
        double big = -0.5 * (b + copysign(sqrt(disc), b));
        root[0] = big / a;
        root[1] = big != 0.0 ? c / big : NAN;
      }
      for (int x = 0; x < 2; x++) {
        double r = root[x] * (1.0 - 1e-12);  // where rounding leaves no doubt
        if (!(r > best && root[x] <= hi) || !mw_region_range(n, half, r, &lo_y, &hi_y)) continue;
        best = root[x];
      }
    }
  return best;
}

// The same with power: halves speeds from hi on until one is accessible, then halves intervals.
static double fastest_powered(const mw_path_dynamics *d, int i, const mw_drive_limits *limits,
                              mw_half *half, double hi)
{
  enum { DOWN = 200, HALVINGS = 60 };
  static const double FAST = 1e15;  // 1/s
  double a = fmin(hi, FAST), b = a, lo_y, hi_y;
  for (int k = 0; k < DOWN; k++, b = a, a *= 0.5) {
    int n = mw_halves_near(d, i, limits, a * a, half);
    if (mw_region_range(n, half, a, &lo_y, &hi_y)) break;
  }
  if (a == b) return hi;
  for (int k = 0; k < HALVINGS; k++) {
    double x = 0.5 * (a + b);
    int n = mw_halves_near(d, i, limits, x * x, half);
    *(mw_region_range(n, half, x, &lo_y, &hi_y) ? &a : &b) = x;
  }
  return a;
}

double mw_fastest(const mw_path_dynamics *d, int i, const mw_drive_limits *limits, mw_half *half)
{
  int n = mw_halves_find(d, i, limits, half);
  double x = fastest(n, half, mw_speed_limit(d, i, limits));
  return limits->power && x > 0.0 ? fastest_powered(d, i, limits, half, x) : x;
}

mw_code mw_regions_find(const mw_path_dynamics *d, const mw_drive_limits *limits, mw_arena *mem,
                        mw_regions *out, mw_error *err)
{
  int halves = mw_halves_most(d);
  mw_regions o = { .n = d->n, .most = halves + 4 };
  mw_code rc = mw_halves_check(d, err);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)d->n;
  o.n_vertex = mw_arena_int(mem, n);
  o.vertex = mw_arena_f64(mem, n * (size_t)o.most * 2);
  double **each[] = { &o.fastest, &o.speed };
  for (int i = 0; i < 2; i++) *each[i] = mw_arena_f64(mem, n);
  o.rest = mw_arena_f64(mem, 2 * n);
  mw_half *half = mw_arena_alloc(mem, (size_t)halves, sizeof *half);
  rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < d->n; i++) {
    double *v = o.vertex + (size_t)i * (size_t)o.most * 2, *rest = o.rest + 2 * i;
    int m = mw_halves_find(d, i, limits, half);
    o.speed[i] = mw_speed_limit(d, i, limits);
    o.n_vertex[i] = mw_region_polygon(m, half, 0.0, o.speed[i] * o.speed[i], v);
    o.fastest[i] = -1.0;
    for (int x = 0; x < o.n_vertex[i]; x++)
      o.fastest[i] = fmax(o.fastest[i], sqrt(fmax(v[2 * x], 0.0)));
    if (!mw_region_range(m, half, 0.0, &rest[0], &rest[1])) rest[0] = rest[1] = NAN;
    if (d->viscous || o.n_vertex[i] < 0 || limits->power)
      o.fastest[i] = mw_fastest(d, i, limits, half);
  }
  if (rc == MW_OK) *out = o;
  return rc;
}
