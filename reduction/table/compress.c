// SPDX-License-Identifier: BSD-3-Clause
// compress.c: tables of spline coefficients as tensor trains (rom.h, 7).
//
//   X [records × fields] = coef / scale ,  |X − A Q| <= tol/10 everywhere,  Q Qᵀ = 1            (1)
//   A = U Σ Wᵀ  cut:  X ≈ (U Σ) (Wᵀ Q) ,  the last core's columns, and field                    (2)
//   T [r n_i × rest] = U_i (Σ V ᵀ) cut:  core i, and T of the next axis                         (3)
//   Σ of the squares cut, each of (2) and (3)  <= ε² / (cuts)                                   (4)
//
// (1) takes the records in blocks and adds to Q what a block has beyond it, so that no matrix
// larger than a block or the basis is decomposed. ε of (4) starts where the root mean square error
// of the coefficients is 8 tol, and falls until no value at a point of the table, or half-way
// between, is off by more than tol. Then the largest such ε is narrowed down. Cost: O(records ×
// fields × rank), and once more a trial that holds; one that does not ends where it is seen to.
//
// Why a train, and one for each part of the record: cases/machine-tool.yaml on a coarser mesh, 6 ×
// 5 × 6 points, 15 columns, 1,768 fields, a table of 6.34 MB, evaluated with its gradient in 14 µs
// (bench_rom ROM.nc; MB, and µs). Frequencies and static compliance at 60 random theta, and the
// tool in the scenario `approach` beside its vibration of 20 µm, change by
//
//   tol    low rank  Tucker  one train  trains of parts   frequencies  compliance  tool
//   1e-2     0.55     0.46    0.47  16    0.175   8         5e-3         7e-3      4e-2
//   3e-3     0.85     0.75    0.73  22    0.307  12         2e-3         2e-3
//   1e-3     1.22     1.08    1.08  32    0.457  16         6e-4         4e-4      3e-3
//   1e-4     1.99     1.75    1.81  50    1.00   31                                4e-4
//
// What costs is the field core, rank × fields, which low rank, Tucker and a single train share;
// parts (mw_rom_parts) have lower ranks. Tables grow with the grid, trains hardly.
#include "reduction/compress.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/dense.h"

enum {
  BLOCK = 96,
  TRIALS = 60,
  HALVINGS = 3,
  AT_ONCE = 64,     // fields
  HALF_WAY = 20000  // places up to which points half-way between those of the table are judged too
};

typedef struct table {
  int s, n[MW_ROM_MAX_S];      // axes that are not flat, knots
  size_t n_row, n_record;      // records, doubles in each
  int n_field;                 // of those that are meant
  size_t most;                 // doubles that a train may have
  const double *coef, *scale;  // at the first of them
} table;

typedef struct basis {
  int r;         // rows of Q
  double *Q;     // [r × n_field]  orthonormal rows
  double *A;     // [n_row × r]    U Σ of (2)
  double *sv;    // [r]            Σ
  double *coef;  // [n_row × n_field]  of the table
  mw_arena mem;
} basis;

typedef struct trial {
  mw_rom_train train;  // over the axes of the table
  double error;        // largest, of scale
  size_t size;         // bytes
  mw_arena mem;
} trial;

// n rows of X, `from` and every step-th after it.
static void scaled_rows(const table *t, size_t from, size_t step, int n, double *X)
{
  for (int k = 0; k < n; k++) {
    const double *c = t->coef + (from + (size_t)k * step) * t->n_record;
    for (int f = 0; f < t->n_field; f++)
      X[(size_t)k * (size_t)t->n_field + (size_t)f] = t->scale[f] > 0.0 ? c[f] / t->scale[f] : 0.0;
  }
}

static int rows_in_block(const table *t, size_t from)
{
  return t->n_row - from < BLOCK ? (int)(t->n_row - from) : BLOCK;
}

static double largest(size_t n, const double *x)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    if (fabs(x[i]) > most) most = fabs(x[i]);
  return most;
}

// ---- (1) ----------------------------------------------------------------------------------------

// R -= (R Qᵀ) Q for n rows of R; after two of them what is left is orthogonal to Q to rounding. P
// [n × r] scratch.
static void deflate(const basis *b, int n_field, int n, double *R, double *P)
{
  if (b->r == 0) return;
  mw_gemm('n', 't', n, b->r, n_field, 1.0, R, b->Q, 0.0, P);
  mw_gemm('n', 'n', n, n_field, b->r, -1.0, P, b->Q, 1.0, R);
}

// Adds to Q what rows `from` and every step-th after it have beyond it; fits false: Q would have
// more than cap rows.
static mw_code extend(const table *t, size_t from, size_t step, double tol, int cap, basis *b,
                      double *work, bool *fits, mw_error *err)
{
  int n = (int)((t->n_row - from + step - 1) / step), nf = t->n_field, k = n < nf ? n : nf;
  size_t len = (size_t)n * (size_t)nf;
  double *R = work, *V = R + (size_t)BLOCK * (size_t)nf, *P = V + (size_t)BLOCK * (size_t)nf,
         *sv = P + (size_t)BLOCK * (size_t)cap;
  scaled_rows(t, from, step, n, R);
  deflate(b, nf, n, R, P);
  if (largest(len, R) <= tol) return MW_OK;
  deflate(b, nf, n, R, P);
  mw_code rc = mw_svd(n, nf, R, sv, NULL, V, err);
  if (rc != MW_OK) return rc;
  // an entry of what is cut is at most its largest singular value
  int add = 0;
  while (add < k && sv[add] > tol) add++;
  if (add > cap - b->r) {
    *fits = false;
    return MW_OK;
  }
  // from what there is all at once, then one from the other
  for (int twice = 0; twice < 2; twice++) deflate(b, nf, add, V, P);
  basis fresh = { .Q = b->Q + (size_t)b->r * (size_t)nf };
  for (int j = 0; j < add; j++) {
    double *q = V + (size_t)j * (size_t)nf;
    for (int twice = 0; twice < 2; twice++) deflate(&fresh, nf, 1, q, P);
    double size = sqrt(mw_dot(nf, q, q));
    for (int f = 0; f < nf; f++) fresh.Q[(size_t)fresh.r * (size_t)nf + (size_t)f] = q[f] / size;
    fresh.r++;
  }
  b->r += add;
  return MW_OK;
}

// (1) and the decomposition of (2); fits false: the basis is far beyond any train.
static mw_code build_basis(const table *t, double tol, basis *b, bool *fits, mw_error *err)
{
  size_t nf = (size_t)t->n_field, cap = t->n_row < nf ? t->n_row : nf;
  mw_arena tmp = { 0 };
  // columns that the final cut may still drop are many where tol is close to what the table is
  // known to
  cap = cap < 4 * MW_ROM_MAX_RANK ? cap : 4 * MW_ROM_MAX_RANK;
  b->Q = mw_arena_f64(&b->mem, cap * nf);
  double *work = mw_arena_f64(&tmp, (size_t)BLOCK * (2 * nf + cap + 1));
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&b->mem, err);
  // records of a block from all over the table, so that the first ones have most of Q
  size_t blocks = (t->n_row + BLOCK - 1) / BLOCK;
  for (size_t k = 0; rc == MW_OK && *fits && k < blocks; k++)
    rc = extend(t, k, blocks, 0.1 * tol, (int)cap, b, work, fits, err);
  size_t r = (size_t)b->r;
  if (rc != MW_OK || !*fits || r == 0) {
    mw_arena_free(&tmp);
    return rc;
  }
  b->A = mw_arena_f64(&b->mem, t->n_row * r);
  b->sv = mw_arena_f64(&b->mem, r);
  b->coef = mw_arena_f64(&b->mem, t->n_row * nf);
  double *X = mw_arena_f64(&tmp, (size_t)BLOCK * nf), *A = mw_arena_f64(&tmp, t->n_row * r),
         *Wt = mw_arena_f64(&tmp, r * r), *Q = mw_arena_f64(&tmp, r * nf);
  rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&b->mem, err);
  for (size_t from = 0; rc == MW_OK && from < t->n_row; from += BLOCK) {
    int n = rows_in_block(t, from);
    scaled_rows(t, from, 1, n, X);
    mw_gemm('n', 't', n, b->r, t->n_field, 1.0, X, b->Q, 0.0, A + from * r);
  }
  for (size_t k = 0; rc == MW_OK && k < t->n_row; k++)
    memcpy(b->coef + k * nf, t->coef + k * t->n_record, nf * sizeof *X);
  if (rc == MW_OK) rc = mw_svd((int)t->n_row, b->r, A, b->sv, b->A, Wt, err);
  if (rc == MW_OK) {
    for (size_t i = 0; i < t->n_row * r; i++) b->A[i] *= b->sv[i % r];
    mw_gemm('n', 'n', b->r, t->n_field, b->r, 1.0, Wt, b->Q, 0.0, Q);
    memcpy(b->Q, Q, r * nf * sizeof *Q);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- (3) and (4) --------------------------------------------------------------------------------

// How many of n singular values stay when squares up to cut² may go; at least one.
static int kept(int n, const double *sv, double cut)
{
  double sum = 0.0;
  int k = n;
  while (k > 1 && sum + sv[k - 1] * sv[k - 1] <= cut * cut) {
    sum += sv[k - 1] * sv[k - 1];
    k--;
  }
  return k;
}

// Core of axis i, knots first, from the first r_new columns of U [(r n) × k].
static mw_code put_core(const table *t, int i, int r, int r_new, int k, const double *U, trial *out,
                        mw_error *err)
{
  int n = t->n[i];
  double *core = mw_arena_f64(&out->mem, (size_t)n * (size_t)r * (size_t)r_new);
  mw_code rc = mw_arena_check(&out->mem, err);
  for (int p = 0; rc == MW_OK && p < r; p++)
    for (int g = 0; g < n; g++)
      memcpy(core + ((size_t)g * (size_t)r + (size_t)p) * (size_t)r_new,
             U + ((size_t)p * (size_t)n + (size_t)g) * (size_t)k, (size_t)r_new * sizeof *core);
  out->train.rank[i] = r_new;
  out->train.core[i] = core;
  return rc;
}

// (3) for all axes but the last, whose core is what is left. T [rest], rf columns, is used up.
static mw_code build_cores(const table *t, double cut, int rf, double *T, trial *out, mw_arena *tmp,
                           mw_error *err)
{
  size_t rest = t->n_row * (size_t)rf;
  int r = 1;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i + 1 < t->s; i++) {
    int m = r * t->n[i], n = (int)(rest / (size_t)m), k = m < n ? m : n;
    double *U = mw_arena_f64(tmp, (size_t)m * (size_t)k), *sv = mw_arena_f64(tmp, (size_t)k),
           *Vt = mw_arena_f64(tmp, (size_t)k * (size_t)n);
    rc = mw_arena_check(tmp, err);
    if (rc == MW_OK) rc = mw_svd(m, n, T, sv, U, Vt, err);
    if (rc != MW_OK) break;
    int r_new = kept(k, sv, cut);
    rc = put_core(t, i, r, r_new, k, U, out, err);
    for (int p = 0; p < r_new; p++)
      for (int q = 0; q < n; q++) Vt[(size_t)p * (size_t)n + (size_t)q] *= sv[p];
    T = Vt;
    r = r_new;
    rest = (size_t)r * (size_t)n;
  }
  return rc == MW_OK ? put_core(t, t->s - 1, r, rf, rf, T, out, err) : rc;
}

static mw_code build_trial(const table *t, const basis *b, double eps, trial *out, mw_error *err)
{
  double cut = eps / sqrt(t->s);
  int rf = kept(b->r, b->sv, cut);
  size_t nf = (size_t)t->n_field, n = t->n_row * (size_t)rf;
  mw_arena tmp = { 0 };
  double *T = mw_arena_f64(&tmp, n), *field = mw_arena_f64(&out->mem, (size_t)rf * nf);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&out->mem, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++)
    T[i] = b->A[i / (size_t)rf * (size_t)b->r + i % (size_t)rf];
  for (size_t q = 0; rc == MW_OK && q < (size_t)rf; q++)
    for (size_t f = 0; f < nf; f++) field[q * nf + f] = b->Q[q * nf + f] * t->scale[f];
  out->train.n_field = t->n_field;
  out->train.field = field;
  if (rc == MW_OK) rc = build_cores(t, cut, rf, T, out, &tmp, err);
  mw_arena_free(&tmp);
  return rc;
}

// A train as a model of its own, for its size.
static mw_rom as_rom_of(const table *t, const mw_rom_train *train)
{
  mw_rom r = { .s = t->s, .n_field = t->n_field, .n_train = 1, .train = train };
  for (int i = 0; i < t->s; i++) r.n_grid[i] = t->n[i] - 2;
  return r;
}

// Coefficients of a train over all knots [n_row × rf] but for its fields, from tmp.
static mw_code unfold(const table *t, const mw_rom_train *train, mw_arena *tmp, double **out,
                      mw_error *err)
{
  size_t rows = 1, r = 1;
  double *T = mw_arena_f64(tmp, 1);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc == MW_OK) T[0] = 1.0;
  for (int i = 0; rc == MW_OK && i < t->s; i++) {
    size_t n = (size_t)t->n[i], to = (size_t)train->rank[i];
    double *B = mw_arena_f64(tmp, r * n * to), *next = mw_arena_f64(tmp, rows * n * to);
    rc = mw_arena_check(tmp, err);
    if (rc != MW_OK) break;
    for (size_t g = 0; g < n; g++)  // knots behind the rank that is summed over
      for (size_t p = 0; p < r; p++)
        memcpy(B + (p * n + g) * to, train->core[i] + (g * r + p) * to, to * sizeof *B);
    mw_gemm('n', 'n', (int)rows, (int)(n * to), (int)r, 1.0, T, B, 0.0, next);
    T = next;
    rows *= n;
    r = to;
  }
  *out = T;
  return rc;
}

// Values of the splines at `per` places a cell along one axis: to [outer × places × inner] of
// coefficients from [outer × n × inner]; returns the places.
static size_t along(int n, int per, size_t outer, size_t inner, const double *from, double *to)
{
  static const double at[2][4] = { { 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0 },
                                   { 1.0 / 48.0, 23.0 / 48.0, 23.0 / 48.0, 1.0 / 48.0 } };
  size_t places = (size_t)per * (size_t)(n - 3) + 1;
  for (size_t o = 0; o < outer; o++)
    for (size_t k = 0; k < places; k++) {
      size_t g = k / (size_t)per;
      bool half = k % (size_t)per != 0;
      const double *c = from + (o * (size_t)n + g) * inner, *w = at[half];
      double *v = to + (o * places + k) * inner;
      for (size_t j = 0; j < inner; j++)
        v[j] = w[0] * c[j] + w[1] * c[inner + j] + w[2] * c[2 * inner + j];
      for (size_t j = 0; half && j < inner; j++) v[j] += w[3] * c[3 * inner + j];
    }
  return places;
}

// Largest difference of values: of the spline whose coefficients are those of the train less the
// table's, some fields after the other; of a train that errs by more than tol, of the first that
// do. Ranks must be within MW_ROM_MAX_RANK.
static mw_code judge(const table *t, const basis *b, double tol, trial *out, mw_error *err)
{
  size_t nf = (size_t)t->n_field, rf = (size_t)out->train.rank[t->s - 1];
  mw_arena tmp = { 0 };
  double *T = NULL, halves = 1.0;
  out->error = 0.0;
  mw_code rc = unfold(t, &out->train, &tmp, &T, err);
  for (int i = 0; i < t->s; i++) halves *= 2 * (t->n[i] - 2) - 1;
  int per = halves <= HALF_WAY ? 2 : 1;
  // places are more than knots where there are some half-way
  size_t size = per == 2 && halves > (double)t->n_row ? (size_t)halves : t->n_row;
  double *F = mw_arena_f64(&tmp, rf * AT_ONCE), *D = mw_arena_f64(&tmp, size * AT_ONCE),
         *V = mw_arena_f64(&tmp, size * AT_ONCE);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (size_t first = 0; rc == MW_OK && first < nf && out->error <= tol; first += AT_ONCE) {
    size_t n = nf - first < AT_ONCE ? nf - first : AT_ONCE, outer = 1, inner = t->n_row * n;
    for (size_t q = 0; q < rf; q++)
      memcpy(F + q * n, out->train.field + q * nf + first, n * sizeof *F);
    mw_gemm('n', 'n', (int)t->n_row, (int)n, (int)rf, 1.0, T, F, 0.0, D);
    for (size_t k = 0; k < t->n_row; k++)
      mw_axpy((int)n, -1.0, b->coef + k * nf + first, D + k * n);
    for (int i = 0; i < t->s; i++) {
      inner /= (size_t)t->n[i];
      outer *= along(t->n[i], per, outer, inner, D, V);
      double *swap = D;
      D = V;
      V = swap;
    }
    for (size_t k = 0; k < outer * n; k++) {
      double scale = t->scale[first + k % n], e = scale > 0.0 ? fabs(D[k]) / scale : 0.0;
      if (!(e <= out->error)) out->error = e;
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

static bool within(const table *t, const trial *out)
{
  bool good = true;
  for (int i = 0; i < t->s; i++) good = good && out->train.rank[i] <= MW_ROM_MAX_RANK;
  return good;
}

// Tries ε; a train that keeps tol and is smaller than best becomes best, size 0: there is none yet.
// Ranks and sizes beyond what may be count as good: smaller ε would have larger ones.
static mw_code consider(const table *t, const basis *b, double eps, double tol, trial *best,
                        bool *good, mw_error *err)
{
  trial now = { 0 };
  mw_code rc = build_trial(t, b, eps, &now, err);
  const mw_rom train = as_rom_of(t, &now.train);
  now.size = rc == MW_OK ? mw_rom_bytes(&train) / sizeof(double) : 0;
  bool small = rc == MW_OK && within(t, &now) && now.size <= t->most;
  if (small) rc = judge(t, b, tol, &now, err);
  *good = rc == MW_OK && (!small || now.error <= tol);
  if (*good && small && (best->size == 0 || now.size < best->size)) {
    mw_arena_free(&best->mem);
    *best = now;
  } else {
    mw_arena_free(&now.mem);
  }
  return rc;
}

// The smallest train found that keeps tol; best->size 0: its ranks would be too large.
static mw_code search(const table *t, const basis *b, double tol, trial *best, mw_error *err)
{
  double eps = 16.0 * tol * sqrt((double)t->n_row * t->n_field), fails = 0.0;
  bool good = false;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && !good && k < TRIALS; k++) {
    fails = eps;
    eps *= 0.5;
    rc = consider(t, b, eps, tol, best, &good, err);
  }
  if (rc == MW_OK && !good)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "no tensor train keeps the table to %g of its scales: these are smaller than its "
                 "rounding",
                 tol);
  // between what failed and what did not
  for (int k = 0; rc == MW_OK && k < HALVINGS; k++) {
    double middle = sqrt(eps * fails);
    rc = consider(t, b, middle, tol, best, &good, err);
    if (good)
      eps = middle;
    else
      fails = middle;
  }
  return rc;
}

// A copy over all axes, into mem.
static mw_code copy_train(const mw_table *in, const mw_rom_train *from, mw_arena *mem,
                          mw_rom_train *out, mw_error *err)
{
  mw_rom_train train = { .first = in->first, .n_field = in->n_field };
  size_t r = 1;
  for (int i = 0, k = 0; i < in->s; i++) {
    if (in->n_knot[i] == 1) continue;
    size_t n = (size_t)in->n_knot[i] * r * (size_t)from->rank[k];
    double *core = mw_arena_f64(mem, n);
    if (core) memcpy(core, from->core[k], n * sizeof *core);
    train.core[i] = core;
    train.rank[i] = from->rank[k];
    r = (size_t)from->rank[k++];
  }
  size_t n = r * (size_t)in->n_field;
  double *field = mw_arena_f64(mem, n);
  if (field) memcpy(field, from->field, n * sizeof *field);
  train.field = field;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) *out = train;
  return rc;
}

// Is scale one that errors can be measured by?
static mw_code check_scale(const table *t, mw_error *err)
{
  for (int f = 0; f < t->n_field; f++) {
    if (!(t->scale[f] >= 0.0) || !isfinite(t->scale[f]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "scale of field %d is %g, must not be negative",
                     f, t->scale[f]);
    for (size_t k = 0; k < t->n_row; k++) {
      double c = t->coef[k * t->n_record + (size_t)f];
      if (!isfinite(c) || (t->scale[f] == 0.0 && c != 0.0))
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "coefficient of field %d is %g, its scale %g",
                       f, c, t->scale[f]);
    }
  }
  return MW_OK;
}

// Fields that are 0 everywhere: rank 1, all cores 0.
static mw_code nothing(const table *t, trial *out, mw_error *err)
{
  out->train.n_field = t->n_field;
  for (int i = 0; i < t->s; i++) {
    out->train.rank[i] = 1;
    out->train.core[i] = mw_arena_f64(&out->mem, (size_t)t->n[i]);
  }
  out->train.field = mw_arena_f64(&out->mem, (size_t)t->n_field);
  out->size = 1;
  return mw_arena_check(&out->mem, err);
}

mw_code mw_train_build(const mw_table *in, double tol, mw_arena *mem, mw_rom_train *out,
                       double *error, mw_error *err)
{
  table t = { .n_row = 1,
              .n_record = (size_t)in->n_record,
              .n_field = in->n_field,
              .most = in->most > 0 ? in->most : SIZE_MAX,
              .coef = in->coef + in->first,
              .scale = in->scale + in->first };
  for (int i = 0; i < in->s; i++) {
    if (in->n_knot[i] > 1) t.n[t.s++] = in->n_knot[i];
    t.n_row *= (size_t)in->n_knot[i];
  }
  basis b = { 0 };
  trial best = { 0 };
  bool fits = t.s > 0 && t.n_field > 0;
  mw_code rc = MW_OK;
  if (!(tol > 0.0))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "tolerance of a tensor train is %g, must be positive", tol);
  if (rc == MW_OK) rc = check_scale(&t, err);
  if (rc == MW_OK && fits) rc = build_basis(&t, tol, &b, &fits, err);
  if (rc == MW_OK && fits) rc = b.r > 0 ? search(&t, &b, tol, &best, err) : nothing(&t, &best, err);
  mw_rom_train train = { 0 };
  if (rc == MW_OK && best.size > 0) rc = copy_train(in, &best.train, mem, &train, err);
  if (rc == MW_OK) {
    *out = train;
    if (error) *error = best.error;
  }
  mw_arena_free(&best.mem);
  mw_arena_free(&b.mem);
  return rc;
}
