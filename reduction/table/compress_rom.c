// SPDX-License-Identifier: BSD-3-Clause
// compress_rom.c: what errors of a reduced model's coefficients are measured against, its tables as
// trains, what either costs.
//
// largest(x): over the table, the coefficients of the splines. W_i: width of axis i; ω_1: of the
// softest column, √(K_a).
//   a_ij   √(A_i A_j) ,  A_i = largest(a_ii)                                                    (1)
//   d_i    √A_i                      |d_ia| <= √a_ii for columns of unit mass (Schwarz)
//   K_ab   √(K_a K_b) ,  K_a = largest(K_aa):
//       frequencies of soft columns are as good as those of stiff ones
//   C_ab   √(C_a C_b) ,  C_a = largest(C_aa), but not below 2 ZETA √K_a
//   b, c, e are forces that grow with the rate of theta. They are measured against the elastic ones
//     at a rate no machine
//   has, the whole of an axis in a period of the softest column, θ̇_i = W_i ω_1 / 2π; or their
//     largest where that is more
//     b_ij   √A_i / T_j + √A_j / T_i ,  T_i = θ̇_i / ω_1       b θ̇² against d θ̈ , θ̈ = ω_1 θ̇
//     e_iab  min(ω_a, ω_b) / θ̇_i                             e θ̇ ω_b δ_b against ω_a ω_b δ_b
//     c_ijab ω_a ω_b / (θ̇_i θ̇_j)                             c θ̇ θ̇ δ against K δ
//     H_iab  as e_iab ;  CE_iab  √(C_a C_b) / θ̇_i · ω_1 ;  CC_ijab  √(C_a C_b) ω_1² / (θ̇_i θ̇_j):
//         rates of C δ̇, δ̇ = ω_1 δ ;
//     or their largest
//   Y_k    its largest
//   U0     its range, a constant is no force, but not below U0_LEAST × its largest ;  U1
//       largest of all columns
//   y0     Y0 × largest of its unit: what vibrates is small beside where it is
//   y1     largest of its row, but not below Y1 × largest of its unit: a drive's own coordinate is
//          held by θ and its row is
//          rounding
// Floors keep kinds that vanish from being judged by their rounding. Cost: one pass over the table.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/compress.h"

// Records that say how large ranks are at least: twice as many as ranks that decide, and some.
enum { SPARE = 32, RECORDS_MOST = 512 };
static const double TWICE = 2.0;

static const double ZETA = 1e-3, U0_LEAST = 1e-6, Y0 = 1e-5, Y1 = 1e-3;

static double size_of(const double *max, const double *min, int from, int n)
{
  double x = 0.0;
  for (int f = from; f < from + n; f++) x = fmax(x, fmax(fabs(max[f]), fabs(min[f])));
  return x;
}

static void fill(double *scale, int from, int n, double x)
{
  for (int f = from; f < from + n; f++) scale[f] = x;
}

// √(x_a x_b) over packed rows of the lower triangle at `from`; x_a: largest of the diagonal, or
// floor_a where that is larger.
static void fill_matrix(int m, const double *max, const double *min, int from, const double *K_a,
                        double *scale)
{
  for (int a = 0, p = from; a < m; a++)
    for (int b = 0; b <= a; b++, p++) {
      double x[2];
      for (int k = 0; k < 2; k++) {
        int c = k ? b : a;
        x[k] = size_of(max, min, from + c * (c + 1) / 2 + c, 1);
        if (K_a) x[k] = fmax(x[k], 2.0 * ZETA * sqrt(K_a[c * (c + 1) / 2 + c]));
      }
      scale[p] = sqrt(x[0] * x[1]);
    }
}

static void ranges(const mw_rom *r, double *max, double *min)
{
  size_t n = (size_t)r->n_field, rows = mw_rom_bytes(r) / sizeof(double) / (n ? n : 1);
  memcpy(max, r->coef, n * sizeof *max);
  memcpy(min, r->coef, n * sizeof *min);
  for (size_t k = 1; k < rows; k++)
    for (size_t f = 0; f < n; f++) {
      max[f] = fmax(max[f], r->coef[k * n + f]);
      min[f] = fmin(min[f], r->coef[k * n + f]);
    }
}

// Needs the scales of K.
static void inertia_scales(const mw_rom *r, const mw_rom_layout *l, const double *max,
                           const double *min, double *scale)
{
  const double two_pi = 6.283185307179586;
  int s = r->s, m = r->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  double root[MW_ROM_MAX_S], soft = INFINITY;  // √A_i, ω_1²
  for (int a = 0; a < m; a++) soft = fmin(soft, scale[l->K + a * (a + 1) / 2 + a]);
  double w1 = sqrt(soft);
  for (int i = 0; i < s; i++) {
    root[i] = sqrt(size_of(max, min, l->a + i * (i + 1) / 2 + i, 1));
    fill(scale, l->d + i * m, m, root[i]);
    double rate = (r->hi[i] - r->lo[i]) * w1 / two_pi,
           largest = size_of(max, min, l->e + i * mk, mk);
    for (int a = 0, p = l->e + i * mk; a < m; a++)
      for (int b = 0; b < a; b++, p++) {
        double K_a = scale[l->K + a * (a + 1) / 2 + a], K_b = scale[l->K + b * (b + 1) / 2 + b];
        scale[p] = fmax(largest, rate > 0.0 ? sqrt(fmin(K_a, K_b)) / rate : 0.0);
      }
  }
  for (int i = 0, p = 0; i < s; i++)
    for (int j = 0; j <= i; j++, p++) {
      int b = l->b + p * m, c = l->c + p * mm;
      double wi = (r->hi[i] - r->lo[i]) / two_pi, wj = (r->hi[j] - r->lo[j]) / two_pi;
      double largest = size_of(max, min, c, mm);
      scale[l->a + p] = root[i] * root[j];
      fill(scale, b, m, fmax(size_of(max, min, b, m), root[i] / wj + root[j] / wi));
      for (int k = 0; k < mm; k++)
        scale[c + k] = fmax(largest, soft > 0.0 ? scale[l->K + k] / (wi * wj * soft) : 0.0);
    }
}

// Needs the scales of K and C. Packed CC and H, whole CE.
static void optional_scales(const mw_rom *r, const mw_rom_layout *l, const double *max,
                            const double *min, double *scale)
{
  const double two_pi = 6.283185307179586;
  int s = r->s, m = r->m, mm = m * (m + 1) / 2;
  double soft = INFINITY;
  for (int a = 0; a < m; a++) soft = fmin(soft, scale[l->K + a * (a + 1) / 2 + a]);
  for (int i = 0, p = 0; i < s; i++) {
    double wi = (r->hi[i] - r->lo[i]) / two_pi;  // θ̇_i / ω_1
    int H = l->H + i * mm, CE = l->CE + i * m * m;
    double of_H = r->parts & MW_ROM_H ? size_of(max, min, H, mm) : 0.0,
           of_CE = r->parts & MW_ROM_CE ? size_of(max, min, CE, m * m) : 0.0;
    for (int a = 0; a < m; a++)
      for (int b = 0; b < m; b++) {
        int ab = a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
        double K_a = scale[l->K + a * (a + 1) / 2 + a], K_b = scale[l->K + b * (b + 1) / 2 + b];
        if (r->parts & MW_ROM_CE) scale[CE + a * m + b] = fmax(of_CE, scale[l->C + ab] / wi);
        if ((r->parts & MW_ROM_H) && b <= a)
          scale[H + ab] = fmax(of_H, soft > 0.0 ? sqrt(fmin(K_a, K_b) / soft) / wi : 0.0);
      }
    for (int j = 0; j <= i; j++, p++) {
      int CC = l->CC + p * mm;
      double wj = (r->hi[j] - r->lo[j]) / two_pi;
      if (!(r->parts & MW_ROM_CC)) continue;
      double of_CC = size_of(max, min, CC, mm);
      for (int k = 0; k < mm; k++) scale[CC + k] = fmax(of_CC, scale[l->C + k] / (wi * wj));
    }
  }
  const int n_G = r->n_G * (r->n_G * (r->n_G + 1) / 2);
  fill(scale, l->G, n_G, size_of(max, min, l->G, n_G));
  fill(scale, l->A3, l->B2 - l->A3, size_of(max, min, l->A3, l->B2 - l->A3));
  fill(scale, l->B2, l->CE - l->B2, size_of(max, min, l->B2, l->CE - l->B2));
  for (int q = 0; q < r->n_Y; q++)
    fill(scale, l->Y + q * mm, mm, size_of(max, min, l->Y + q * mm, mm));
}

// Fields y: units are told apart by field_unit; joint coordinates and positions share theirs.
static void output_scales(const mw_rom_file *f, int first, const double *max, const double *min,
                          double *scale)
{
  int m = f->rom.m, size = 1 + m;
  for (int k = 0; k < f->rom.n_y; k++) {
    double y0 = 0.0, y1 = 0.0;
    for (int j = 0; j < f->rom.n_y; j++) {
      if (f->field_unit && strcmp(f->field_unit[j], f->field_unit[k]) != 0) continue;
      y0 = fmax(y0, size_of(max, min, first + j * size, 1));
      y1 = fmax(y1, size_of(max, min, first + j * size + 1, m));
    }
    int at = first + k * size;
    scale[at] = Y0 * y0;
    fill(scale, at + 1, m, fmax(size_of(max, min, at + 1, m), Y1 * y1));
  }
}

mw_code mw_rom_scale(const mw_rom_file *f, double *scale, mw_error *err)
{
  const mw_rom *r = &f->rom;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(r));
  mw_arena tmp = { 0 };
  double *max = mw_arena_f64(&tmp, (size_t)l.n), *min = mw_arena_f64(&tmp, (size_t)l.n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    ranges(r, max, min);
    scale[l.U0] = fmax(max[l.U0] - min[l.U0], U0_LEAST * size_of(max, min, l.U0, 1));
    fill(scale, l.U1, r->m, size_of(max, min, l.U1, r->m));
    fill_matrix(r->m, max, min, l.K, NULL, scale);
    fill_matrix(r->m, max, min, l.C, scale + l.K, scale);
    inertia_scales(r, &l, max, min, scale);
    optional_scales(r, &l, max, min, scale);
    output_scales(f, l.y, max, min, scale);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- cost online --------------------------------------------------------------------------------

// Products of one field of a table over n axes (rom_eval.c): from the last axis on, level l takes l
// + 1 sums of four over 4^(n − l) rows: value and l − 1 slopes with its weights, the value again
// with those of its slope.
static double table_products(int n)
{
  double sum = 0.0, rows = 1.0;
  for (int l = n; l >= 1; l--, rows *= 4.0) sum += rows * 4.0 * (l + 1);
  return sum;
}

double mw_rom_products(const mw_rom *rom)
{
  int n = 0;
  double sum = 0.0;
  for (int i = 0; i < rom->s; i++) n += !(rom->flat >> i & 1u);
  if (rom->n_train == 0) return table_products(n) * rom->n_field;
  for (int k = 0; k < rom->n_train; k++) {
    const mw_rom_train *t = &rom->train[k];
    double rank = 1.0, rows = 1.0;  // of the last core; value and slopes that are carried on
    for (int i = 0; i < rom->s; i++) {
      if (rom->flat >> i & 1u) continue;
      sum += 4.0 * (rows + 1.0) * rank * t->rank[i];
      rank = t->rank[i];
      rows += 1.0;
    }
    sum += rows * rank * t->n_field;
  }
  return sum;
}

// ---- what trains cost at least ------------------------------------------------------------------
//
// A train of rank r that keeps the values X [n × fields] of some records, over their scales, to tol
// leaves no more than n · fields · tol² of their squares, and no r leaves less than singular values
// of X but the largest r:
//   r >= least r with Σ_{i > r} σ_i(X)² <= n · fields · tol²

// Values of n records spread over the table [n × n_field] of fields first …, over their scales.
static void some_values(const mw_rom *r, int first, int n_field, const double *scale, int n,
                        double *X)
{
  static const double golden = 0.6180339887498949, w[3] = { 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0 };
  size_t points = 1;
  int terms = 1;
  for (int i = 0; i < r->s; i++) {
    int knots = mw_rom_n_knot(r, i);
    points *= knots > 1 ? (size_t)knots - 2 : 1;
    terms *= knots > 1 ? 3 : 1;
  }
  memset(X, 0, (size_t)n * (size_t)n_field * sizeof *X);
  for (int k = 0; k < n; k++) {
    double part = (k + 1) * golden;
    size_t point = (size_t)((part - floor(part)) * (double)points);
    double *x = X + (size_t)k * (size_t)n_field;
    for (int t = 0; t < terms; t++) {
      size_t at = 0, stride = 1, rest = point;
      double c = 1.0;
      for (int i = r->s - 1, u = t; i >= 0; i--) {
        size_t knots = (size_t)mw_rom_n_knot(r, i);
        if (knots == 1) continue;
        at += stride * (rest % (knots - 2) + (size_t)(u % 3));
        c *= w[u % 3];
        stride *= knots;
        rest /= knots - 2;
        u /= 3;
      }
      const double *coef = r->coef + at * (size_t)r->n_field + first;
      for (int f = 0; f < n_field; f++) x[f] += c * coef[f];
    }
    for (int f = 0; f < n_field; f++) x[f] = scale[f] > 0.0 ? x[f] / scale[f] : 0.0;
  }
}

// X [n × n_field] is used up, sv [n] scratch.
static mw_code least_rank(int n, int n_field, double tol, double *X, double *sv, int *rank,
                          mw_error *err)
{
  double left = 0.0, most = tol * tol * n * n_field;
  mw_code rc = mw_svd(n, n_field, X, sv, NULL, NULL, err);
  for (*rank = n < n_field ? n : n_field; rc == MW_OK && *rank > 0; --*rank) {
    left += sv[*rank - 1] * sv[*rank - 1];
    if (left > most) break;
  }
  return rc;
}

mw_code mw_rom_least_products(const mw_rom_file *f, double tol, double most, double *least,
                              mw_error *err)
{
  const mw_rom *r = &f->rom;
  int axes = 0, from[MW_ROM_MAX_PART + 1], parts = mw_rom_parts(r, from), largest = 1;
  for (int i = 0; i < r->s; i++) axes += !(r->flat >> i & 1u);
  for (int p = 0; p < parts; p++)
    if (from[p + 1] - from[p] > largest) largest = from[p + 1] - from[p];
  // records enough to show ranks with which `most` is exceeded
  int n = SPARE + (int)fmin(RECORDS_MOST, TWICE * most / ((axes + 1.0) * r->n_field));
  mw_arena tmp = { 0 };
  double *scale = mw_arena_f64(&tmp, (size_t)r->n_field),
         *X = mw_arena_f64(&tmp, (size_t)n * (size_t)largest), *sv = mw_arena_f64(&tmp, (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_rom_scale(f, scale, err);
  *least = 0.0;
  for (int p = 0; rc == MW_OK && p < parts; p++) {
    int n_field = from[p + 1] - from[p], rank = 0;
    if (n_field == 0) continue;
    some_values(r, from[p], n_field, scale + from[p], n, X);
    rc = least_rank(n, n_field, tol, X, sv, &rank, err);
    *least += (axes + 1.0) * rank * n_field;
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- trains of parts ----------------------------------------------------------------------------

typedef struct trains {
  int n;                // 0: none
  mw_rom_train *train;  // [n]
  size_t size;          // doubles
  double error;
  double products;  // of values and slopes from the last cores: less than all a step takes
} trains;

// Trains of the parts of a table that begin at from [n + 1], empty ones left out; they replace
// *best where they are smaller, and take no more products than best->products. *dear: they would; a
// single train of all of them, of no smaller ranks, too.
static mw_code build_parts(mw_table *t, int n, const int *from, double tol, mw_arena *mem,
                           trains *best, bool *dear, mw_error *err)
{
  trains now = { .train = mw_arena_alloc(mem, (size_t)n, sizeof *now.train) };
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    double e = 0.0;
    t->first = from[i];
    t->n_field = from[i + 1] - from[i];
    if (t->n_field == 0) continue;
    t->most = best->size > now.size ? best->size - now.size : 1;
    mw_rom_train *train = &now.train[now.n];
    rc = mw_train_build(t, tol, mem, train, &e, err);
    if (rc != MW_OK || !train->field) return rc;
    size_t r = 1;
    int rows = 1;
    for (int j = 0; j < t->s; j++) {
      if (t->n_knot[j] == 1) continue;
      now.size += (size_t)t->n_knot[j] * r * (size_t)train->rank[j];
      r = (size_t)train->rank[j];
      rows++;
    }
    now.size += r * (size_t)t->n_field;
    now.products += (double)rows * (double)r * t->n_field;
    *dear = now.products > best->products;
    if (*dear) return MW_OK;
    now.error = fmax(now.error, e);
    now.n++;
  }
  now.products = best->products;
  if (rc == MW_OK && now.n > 0 && now.size < best->size) *best = now;
  return rc;
}

// Of the last cores.
static int largest_rank(const trains *x)
{
  int most = 0;
  for (int k = 0; k < x->n; k++) {
    int rank = 0;
    for (int i = 0; i < MW_ROM_MAX_S; i++)
      if (x->train[k].core[i]) rank = x->train[k].rank[i];
    if (rank > most) most = rank;
  }
  return most;
}

// The smaller of trains of the parts and of a single one; n 0: the table is smaller. Close to what
// the table is known to, parts have about as large ranks as all of it, and the single one wins;
// with a rank that is no less than any of theirs, its fields alone may take more than they do.
static mw_code build_smallest(mw_table *t, int n, const int *from, double tol, double products,
                              mw_arena *mem, trains *out, mw_error *err)
{
  const int whole[2] = { 0, t->n_record };
  bool dear = false;
  *out = (trains){ .size = (size_t)t->n_record, .products = products };
  for (int i = 0; i < t->s; i++) out->size *= (size_t)t->n_knot[i];
  mw_code rc = build_parts(t, n, from, tol, mem, out, &dear, err);
  if (rc != MW_OK || dear || (double)largest_rank(out) * t->n_record >= (double)out->size)
    return rc;
  return build_parts(t, 1, whole, tol, mem, out, &dear, err);
}

// Where the parts of a record begin: a to U1, b, K and C, each e_i, each c_ij, H, G, A3, B2, CE,
// CC, y, Y. Fields of one part have much in common, those of different ones less: one train of all
// has larger ranks, and every rank costs as many doubles as it has fields.
int mw_rom_parts(const mw_rom *r, int from[MW_ROM_MAX_PART + 1])
{
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(r));
  int n = 0;
  from[n++] = 0;
  from[n++] = l.b;
  from[n++] = l.K;
  for (int i = 0; i < r->s; i++) from[n++] = l.e + i * (r->m * (r->m - 1) / 2);
  for (int p = 0; p < r->s * (r->s + 1) / 2; p++) from[n++] = l.c + p * (r->m * (r->m + 1) / 2);
  const int rest[8] = { l.H, l.G, l.A3, l.B2, l.CE, l.CC, l.y, l.Y };
  for (int k = 0; k < 8; k++) from[n++] = rest[k];
  from[n] = l.n;
  return n;
}

static mw_code compress_fields(mw_rom_file *f, double tol, double products, double *error,
                               mw_error *err)
{
  mw_rom *r = &f->rom;
  mw_arena tmp = { 0 };
  int n_knot[MW_ROM_MAX_S], from[MW_ROM_MAX_PART + 1];
  for (int i = 0; i < r->s; i++) n_knot[i] = mw_rom_n_knot(r, i);
  double *scale = mw_arena_f64(&tmp, (size_t)r->n_field);
  trains best = { 0 };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_rom_scale(f, scale, err);
  mw_table t = {
    .s = r->s, .n_knot = n_knot, .n_record = r->n_field, .coef = r->coef, .scale = scale
  };
  if (rc == MW_OK)
    rc = build_smallest(&t, mw_rom_parts(r, from), from, tol, products, &f->mem, &best, err);
  if (rc == MW_OK && best.n > 0) {
    *error = best.error;
    mw_rom trained = *r;
    trained.train = best.train;
    trained.n_train = best.n;
    trained.coef = NULL;
    if (mw_rom_products(&trained) <= products) *r = trained;
  }
  mw_arena_free(&tmp);
  return rc;
}

// Start table: masses of unit columns, and their change along each axis, each a part.
static mw_code compress_start(mw_rom_file *f, double tol, mw_error *err)
{
  int s = f->rom.s, m = f->rom.m, n_knot[MW_ROM_MAX_S], from[MW_ROM_MAX_S + 2];
  mw_arena tmp = { 0 };
  size_t rows = 1, n = (size_t)f->n_start;
  for (int i = 0; i < s; i++) {
    n_knot[i] = f->n_table[i] + 2;
    rows *= (size_t)n_knot[i];
  }
  double *scale = mw_arena_f64(&tmp, n);
  trains best = { 0 };
  mw_code rc = mw_arena_check(&tmp, err);
  from[0] = 0;
  for (int i = 0; i <= s; i++) {
    int len = i == 0 ? m * (m + 1) / 2 : m * m;
    double size = i == 0 ? 1.0 : 1.0 / (f->rom.hi[i - 1] - f->rom.lo[i - 1]);
    for (size_t k = 0; rc == MW_OK && k < rows; k++)
      size = fmax(size, size_of(f->start + k * n, f->start + k * n, from[i], len));
    if (rc == MW_OK) fill(scale, from[i], len, size);
    from[i + 1] = from[i] + len;
  }
  mw_table t = {
    .s = s, .n_knot = n_knot, .n_record = f->n_start, .coef = f->start, .scale = scale
  };
  if (rc == MW_OK) rc = build_smallest(&t, s + 1, from, tol, INFINITY, &f->mem, &best, err);
  if (rc == MW_OK && best.n > 0) {
    f->start_train = best.train;
    f->n_start_train = best.n;
    f->start = NULL;
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_rom_compress(mw_rom_file *f, double tol, double products, double *error, mw_error *err)
{
  double e = 0.0;
  mw_code rc = f->rom.coef ? compress_fields(f, tol, products, &e, err) : MW_OK;
  bool table = f->rom.coef != NULL && products < INFINITY;
  if (rc == MW_OK && f->start && !table) rc = compress_start(f, tol, err);
  if (rc == MW_OK && error) *error = f->rom.coef ? 0.0 : e;
  return rc;
}
