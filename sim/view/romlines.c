// SPDX-License-Identifier: BSD-3-Clause
// romlines.c: frequencies of the interpolated reduced model along one coordinate, and where
// neighbours approach.
//
//   K(θ) v_k = λ_k v_k ,  f_k = √λ_k / 2π ,  identity of k: the mode a of largest v_ak²,
//       if modes have half of |v_k|²      (1)
//
// Approach of k and k + 1: a minimum of f_{k+1} − f_k inside the line, found among its points and
// then by golden section. Near a veering
//   K = [a + bθ, k; k, a − bθ] ,  λ_2 − λ_1 = 2√(k² + b²θ²) ≥ 2|k| ,  k = 0: a crossing         (2)
// the modes exchange their shapes: between the two places where the gap has doubled, bθ = ∓√3 k,
// they turn by 60°, in a crossing by 90°. So an approach is called one of the two where the gap
// doubles on both sides (before it falls below itself again) and v_k there holds at least half of
// v_{k+1} here. Else the smallest gap of the whole line is kept.
//
// What counts as k = 0 is what the alignment takes for it (align.c): a coupling of ALIGNED times
// the change of λ_2 − λ_1 within a cell of the grid; and never less than rounding of the
// eigenvalues, m ε λ_max. A gap above this but below the sum of both frequencies' largest errors in
// the certificate is called unresolved.
// Cost: (points + GOLDEN a minimum) × (mw_rom_fields + O(m³)).
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "rompicture_layer.h"

enum { GOLDEN = 60 };                // 0.618^60 = 3e-13 of a step of the line
static const double ALIGNED = 1e-6;  // overlap below which modes change places in align.c
static const double DOUBLED = 2.0;   // gap on both sides of an approach
static const double HALF = 0.5;      // of a shape that goes over into its neighbour

typedef struct tracer {
  const mw_rom_file *f;
  int axis, m;
  double theta[MW_ROM_MAX_S];
  double *value, *K, *V, *w;  // [n_field], [m × m], [m × m], [m]  w: λ ascending, 1/s²
  double *shape;              // [points of the line × n_freq × m]  v_k
} tracer;

double mw_rom_width(const mw_rom_file *f, int i)
{
  return ((f->rom.symmetric >> i & 1u) != 0 ? 0.5 : 1.0) * (f->rom.hi[i] - f->rom.lo[i]);
}

double mw_rom_grid_at(const mw_rom_file *f, int i, int k)
{
  if (f->grid[i]) return f->grid[i][k];
  return f->rom.lo[i] + mw_rom_width(f, i) * k / (f->n_grid[i] - 1);
}

static double to_hz(double lambda)
{
  return lambda >= 0.0 ? sqrt(lambda) / (2.0 * acos(-1.0)) : NAN;
}

// Eigenvalues and vectors at x.
static mw_code solve(tracer *t, double x, mw_error *err)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&t->f->rom));
  mw_rom_info info = { 0 };
  t->theta[t->axis] = x;
  if (mw_rom_fields(&t->f->rom, t->theta, t->value, NULL, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "%s = %g lies outside the reduced model",
                   t->f->coordinate[t->axis], x);
  for (int i = 0; i < t->m; i++)
    for (int j = 0; j <= i; j++)
      t->K[i * t->m + j] = t->K[j * t->m + i] = t->value[L.K + i * (i + 1) / 2 + j];
  return mw_eig_sym(t->m, t->K, t->w, t->V, err);
}

static int identity_of(const tracer *t, int k)
{
  int best = -1;
  double most = 0.0, sum = 0.0;
  for (int a = 0; a < t->f->n_modes; a++) {
    double p = t->V[a * t->m + k] * t->V[a * t->m + k];
    sum += p;
    if (p > most) {
      most = p;
      best = a;
    }
  }
  return sum >= 0.5 ? best : -1;
}

// ---- approaches ---------------------------------------------------------------------------------

static double gap_at(const mw_rom_line *l, int k, int i)
{
  return l->hz[(k + 1) * l->n + i] - l->hz[k * l->n + i];
}

// Where the gap has doubled, going from point i in a direction; −1: it falls below itself first, or
// the line ends.
static int doubled(const mw_rom_line *l, int k, int i, int step, double gap)
{
  for (int j = i + step; j >= 0 && j < l->n; j += step) {
    double g = gap_at(l, k, j);
    if (g >= DOUBLED * gap && g > gap) return j;
    if (!(g >= gap)) return -1;
  }
  return -1;
}

// Do modes k and k + 1 exchange their shapes around point i?
static bool exchange(const tracer *t, const mw_rom_line *l, int k, int i, double gap)
{
  int a = doubled(l, k, i, -1, gap), b = doubled(l, k, i, 1, gap), m = t->m;
  if (a < 0 || b < 0) return false;
  size_t size = (size_t)l->n_freq * (size_t)m;
  const double *before = t->shape + (size_t)a * size + (size_t)k * (size_t)m,
               *behind = t->shape + (size_t)b * size + (size_t)(k + 1) * (size_t)m;
  double p = mw_dot(m, before, behind);
  return p * p >= HALF;
}

// Smallest gap of the pair within [x0, x1], into a.
static mw_code refine(tracer *t, double x0, double x1, mw_approach *a, mw_error *err)
{
  const double part = 0.5 * (sqrt(5.0) - 1.0);
  double x[2] = { x1 - part * (x1 - x0), x0 + part * (x1 - x0) }, gap[2] = { NAN, NAN };
  mw_code rc = MW_OK;
  a->gap = INFINITY;
  for (int it = 0; it < GOLDEN && rc == MW_OK; it++) {
    for (int j = 0; j < 2 && rc == MW_OK; j++) {
      if (!isnan(gap[j])) continue;
      rc = solve(t, x[j], err);
      double lo = to_hz(t->w[a->lower]), hi = to_hz(t->w[a->lower + 1]);
      gap[j] = rc == MW_OK && isfinite(hi - lo) ? hi - lo : INFINITY;
      if (gap[j] < a->gap) {
        a->gap = gap[j];
        a->x = x[j];
        a->hz = 0.5 * (lo + hi);
      }
    }
    if (gap[0] <= gap[1]) {
      x1 = x[1];
      x[1] = x[0], gap[1] = gap[0];
      x[0] = x1 - part * (x1 - x0), gap[0] = NAN;
    } else {
      x0 = x[0];
      x[0] = x[1], gap[0] = gap[1];
      x[1] = x0 + part * (x1 - x0), gap[1] = NAN;
    }
  }
  return rc;
}

// Gaps that mean nothing, Hz: λ_2 − λ_1 = 8π² f (f_2 − f_1).
static double alignment_limit(const tracer *t, const mw_rom_line *l, const mw_approach *a)
{
  double two_pi = 2.0 * acos(-1.0), h = (l->x[l->n - 1] - l->x[0]) / (l->n - 1), spread = 0.0,
         most = 0.0;
  double cell = (l->x[l->n - 1] - l->x[0]) / (t->f->n_grid[l->axis] - 1);
  for (int k = 0; t->f->grid[l->axis] && k + 1 < t->f->n_grid[l->axis]; k++)
    if (t->f->grid[l->axis][k] <= a->x) cell = t->f->grid[l->axis][k + 1] - t->f->grid[l->axis][k];
  for (int i = 0; i < l->n; i++) {
    if (fabs(l->x[i] - a->x) > cell + h) continue;
    double lo = two_pi * l->hz[a->lower * l->n + i], hi = two_pi * l->hz[(a->lower + 1) * l->n + i];
    spread = fmax(spread, hi * hi - lo * lo);
  }
  for (int k = 0; k < t->m; k++) most = fmax(most, fabs(t->w[k]));
  double lambda = fmax(2.0 * ALIGNED * spread, t->m * DBL_EPSILON * most);
  double f = fmax(a->hz, to_hz(lambda));
  return f > 0.0 ? lambda / (2.0 * two_pi * two_pi * f) : 0.0;
}

// Largest error of frequencies lower and lower + 1 in the certificate, summed, Hz; 0: not there.
static double certified_limit(const mw_certificate *c, int lower)
{
  double e[2] = { 0.0, 0.0 };
  if (lower + 1 >= c->n_freq || !c->f_rom || !c->f_direct) return 0.0;
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < 2; j++) {
      int at = i * c->n_freq + lower + j;
      e[j] = fmax(e[j], fabs(c->f_rom[at] - c->f_direct[at]));
    }
  return e[0] + e[1];
}

static void judge(const tracer *t, const mw_rom_line *l, mw_approach *a)
{
  double aligned = alignment_limit(t, l, a),
         certified = certified_limit(&t->f->certificate, a->lower);
  a->resolution = aligned;
  a->kind = MW_APPROACH_VEERING;
  if (a->gap <= aligned) {
    a->kind = MW_APPROACH_CROSSING;
  } else if (a->gap <= certified) {
    a->kind = MW_APPROACH_UNRESOLVED;
    a->resolution = certified;
  }
}

// Approaches of pair k, k + 1 behind those found before.
static mw_code approaches_of(tracer *t, mw_rom_line *l, int k, mw_error *err)
{
  mw_code rc = MW_OK;
  int before = l->n_approach, low = 0;
  for (int i = 0; i < l->n; i++)
    if (gap_at(l, k, i) < gap_at(l, k, low)) low = i;
  for (int i = 1; rc == MW_OK && i + 1 < l->n; i++) {
    double g = gap_at(l, k, i);
    if (!(g <= gap_at(l, k, i - 1) && g < gap_at(l, k, i + 1))) continue;
    mw_approach a = { .lower = k };
    rc = refine(t, l->x[i - 1], l->x[i + 1], &a, err);
    if (rc != MW_OK || !exchange(t, l, k, i, a.gap)) continue;
    judge(t, l, &a);
    l->approach[l->n_approach++] = a;
  }
  if (rc == MW_OK && l->n_approach == before && isfinite(gap_at(l, k, low)))
    l->approach[l->n_approach++] =
        (mw_approach){ .kind = MW_APPROACH_CLOSEST,
                       .lower = k,
                       .x = l->x[low],
                       .gap = gap_at(l, k, low),
                       .hz = l->hz[k * l->n + low] + 0.5 * gap_at(l, k, low) };
  return rc;
}

mw_code mw_rom_line_build(const mw_rom_file *f, int axis, const int *index, int n, mw_arena *mem,
                          mw_rom_line *out, mw_error *err)
{
  const mw_rom *rom = &f->rom;
  mw_rom_line l = { .axis = axis, .n = n, .n_freq = f->n_modes };
  size_t m = (size_t)rom->m, points = (size_t)n, nf = (size_t)l.n_freq;
  mw_arena work = { 0 };
  tracer t = { .f = f, .axis = axis, .m = rom->m };
  t.value = mw_arena_f64(&work, (size_t)rom->n_field);
  t.K = mw_arena_f64(&work, m * m);
  t.V = mw_arena_f64(&work, m * m);
  t.w = mw_arena_f64(&work, m);
  t.shape = mw_arena_f64(&work, points * nf * m);
  l.x = mw_arena_f64(mem, points);
  l.hz = mw_arena_f64(mem, nf * points);
  l.identity = mw_arena_int(mem, nf * points);
  l.approach = mw_arena_alloc(mem, nf * (points / 2 + 1), sizeof *l.approach);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&work, err);
  for (int i = 0; i < rom->s; i++) {
    l.index[i] = i == axis ? 0 : index[i];
    l.at[i] = t.theta[i] = i == axis ? rom->lo[i] : mw_rom_grid_at(f, i, index[i]);
  }
  for (int i = 0; rc == MW_OK && i < n; i++) {
    l.x[i] = rom->lo[axis] + (rom->hi[axis] - rom->lo[axis]) * i / (n - 1);
    rc = solve(&t, l.x[i], err);
    for (int k = 0; rc == MW_OK && k < l.n_freq; k++) {
      l.hz[k * n + i] = to_hz(t.w[k]);
      l.identity[k * n + i] = identity_of(&t, k);
      double *shape = t.shape + ((size_t)i * nf + (size_t)k) * m;
      for (size_t a = 0; a < m; a++) shape[a] = t.V[a * m + (size_t)k];
    }
  }
  for (int k = 0; rc == MW_OK && k + 1 < l.n_freq; k++) rc = approaches_of(&t, &l, k, err);
  mw_arena_free(&work);
  if (rc == MW_OK) *out = l;
  return rc;
}

// ---- words --------------------------------------------------------------------------------------

static const char *unit_of(const mw_rom_file *f, int i)
{
  return f->unit && f->unit[i] ? f->unit[i] : "";
}

void mw_rom_theta_text(const mw_rom_file *f, const double *theta, unsigned skip, char *out,
                       size_t n)
{
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < f->rom.s && used < n; i++) {
    if ((skip >> i & 1u) != 0) continue;
    const char *unit = unit_of(f, i);
    int k = snprintf(out + used, n - used, "%s%s = %.4g%s%s", used ? ", " : "", f->coordinate[i],
                     theta[i], unit[0] ? " " : "", unit);
    used += k > 0 ? (size_t)k : 0;
  }
}

void mw_rom_line_text(const mw_rom_file *f, const mw_rom_line *l, char *out, size_t n)
{
  mw_rom_theta_text(f, l->at, f->rom.flat | 1u << l->axis, out, n);
}

void mw_approach_text(const mw_rom_file *f, const mw_rom_line *l, const mw_approach *a, char *out,
                      size_t n)
{
  static const char *const kind[] = { "crossing", "crossing or veering", "veering", "closest" };
  const char *unit = unit_of(f, l->axis);
  int k = snprintf(out, n, "%s %d–%d at %s = %.4g%s%s", kind[a->kind], a->lower + 1, a->lower + 2,
                   f->coordinate[l->axis], a->x, unit[0] ? " " : "", unit);
  if (k < 0 || (size_t)k >= n) return;
  if (a->kind == MW_APPROACH_CROSSING)
    snprintf(out + k, n - (size_t)k, ", gap below %.2g Hz", a->resolution);
  else if (a->kind == MW_APPROACH_UNRESOLVED)
    snprintf(out + k, n - (size_t)k, ", gap %.3g Hz within the model's error of %.2g Hz", a->gap,
             a->resolution);
  else
    snprintf(out + k, n - (size_t)k, ", gap %.3g Hz", a->gap);
}
