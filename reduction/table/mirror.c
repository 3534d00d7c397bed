// SPDX-License-Identifier: BSD-3-Clause
// mirror.c: records on a symmetric axis follow from each other by signs; found, verified, made
// exact.
//
//   x'_f = s_f x_f (+ shift_k for y0_k)       x' at the mirrored point, s_f by the rule of rom.h
//                                             (6) from the signs
//                                             σ_a of the columns and τ_k of the fields          (1)
//   evidence for s_f = ±1:  w = Σ_g (x' + x)² − (x' − x)² , over the size of f's kind, squared  (2)
// Each field says something of one sign (U1, d, b: σ_a; y0: τ_k), of a product of two (K, C, e, c,
// H, CE, CC: σ_a σ_b; y1: τ_k σ_a) or of three (a Y_k: σ_a σ_b τ_k; G, A3, B2: σ_a σ_b σ_c). Signs
// follow along the spanning tree of the strongest evidence of the former, from "the machine" whose
// sign is 1; where it is no more than fields may depart by, those of three say it (a rail's twist,
// which moves no output to first order). Signs are not relied on: all fields are verified. Then
// x := (x + s x')/2 on both sides, so that their spline is mirrored to the last bit but rounding,
// and one half of it is all that has to be kept.
// Slopes of y0 that axes outside the records grow by: of the mirrored axis itself only with τ = −1,
// of others with τ = 1.
// Cost: O(size of the records + (m + n_y)³), and all fields once a sign that those of three say.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "records_layer.h"

// Signs to be found: 0 the machine, 1 … m columns, then the fields y.
typedef struct search {
  const mw_records *r;
  int axis, n_node;
  mw_rom_layout L;
  double *w;      // [n_node × n_node]  evidence that two signs are equal
  double *w3;     // [n_field]  evidence that a product of three signs is 1
  double *scale;  // [n_field]
  int *sign;      // [n_node]
  int *node;      // [n_field × 2]  whose product is a field's sign
  int *flip;      // [n_field]      times this: −1 for one index of the axis
  double *shift;  // [n_y]
  int *odd;       // [n_y]  y0 grows along this axis (1), along others (−1), not at all (0)
  mw_arena mem;
} search;

static int field_of_value(const search *q, int f)  // field whose y0 f is, −1: none
{
  int size = 1 + q->r->m;
  return f >= q->L.y && f < q->L.Y && (f - q->L.y) % size == 0 ? (f - q->L.y) / size : -1;
}

static bool has_three(const search *q, int f)  // signs: a Y, the mass of columns, T's third order
{
  return f >= q->L.Y || (f >= q->L.G && f < q->L.CE);
}

static void set_field(search *q, int f, int flip, int node, int node2)
{
  q->flip[f] = flip;
  q->node[2 * f] = node;
  q->node[2 * f + 1] = node2;
}

// Field of a matrix over columns, packed or (whole) not, at f: flip, σ_a σ_b.
static void set_matrix(search *q, int f, int flip, bool whole)
{
  for (int a = 0; a < q->r->m; a++)
    for (int b = 0; b < (whole ? q->r->m : a + 1); b++, f++) set_field(q, f, flip, 1 + a, 1 + b);
}

// The mass of columns and T's third order have three signs, σ_a σ_b σ_c; that of a is looked up in
// sign_of.
static void describe_mass(search *q)
{
  int k = q->r->n_G, kk = k * (k + 1) / 2;
  for (int a = 0; a < k; a++)
    for (int b = 0, f = q->L.G + a * kk; b < k; b++)
      for (int c = 0; c <= b; c++, f++) set_field(q, f, 1, 1 + b, 1 + c);
  if (!(q->r->parts & MW_ROM_THIRD)) return;
  int A3 = q->L.A3, B2 = q->L.B2;
  for (int i = 0; i < q->r->s; i++) {
    int fi = i == q->axis ? -1 : 1;
    for (int p = 0; p < k * kk; p++, B2++)
      set_field(q, B2, fi, q->node[2 * (q->L.G + p)], q->node[2 * (q->L.G + p) + 1]);
    for (int j = 0; j <= i; j++)
      for (int a = 0; a < k; a++)
        for (int b = 0; b <= a; b++)
          for (int c = 0; c <= b; c++, A3++)
            set_field(q, A3, j == q->axis ? -fi : fi, 1 + b, 1 + c);
  }
}

// What the optional parts have; a Y has its field's sign besides (sign_of).
static void describe_optional(search *q)
{
  const mw_records *r = q->r;
  const mw_rom_layout *L = &q->L;
  int m = r->m, mm = m * (m + 1) / 2;
  for (int i = 0, ij = 0; i < r->s; i++) {
    int fi = i == q->axis ? -1 : 1;
    if (r->parts & MW_ROM_H) set_matrix(q, L->H + i * mm, fi, false);
    if (r->parts & MW_ROM_CE) set_matrix(q, L->CE + i * m * m, fi, true);
    for (int j = 0; j <= i; j++, ij++)
      if (r->parts & MW_ROM_CC) set_matrix(q, L->CC + ij * mm, j == q->axis ? -fi : fi, false);
  }
  for (int k = 0; k < r->n_Y; k++) set_matrix(q, L->Y + k * mm, 1, false);
  describe_mass(q);
}

// What signs and indices each field has.
static void describe(search *q)
{
  const mw_rom_layout *L = &q->L;
  int s = q->r->s, m = q->r->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  set_field(q, L->U0, 1, 0, 0);
  for (int a = 0; a < m; a++) set_field(q, L->U1 + a, 1, 0, 1 + a);
  for (int i = 0, ij = 0; i < s; i++) {
    int fi = i == q->axis ? -1 : 1;
    for (int a = 0; a < m; a++) set_field(q, L->d + i * m + a, fi, 0, 1 + a);
    for (int a = 0, p = 0; a < m; a++)
      for (int b = 0; b < a; b++, p++) set_field(q, L->e + i * mk + p, fi, 1 + a, 1 + b);
    for (int j = 0; j <= i; j++, ij++) {
      int fij = j == q->axis ? -fi : fi;
      set_field(q, L->a + ij, fij, 0, 0);
      for (int a = 0; a < m; a++) set_field(q, L->b + ij * m + a, fij, 0, 1 + a);
      for (int a = 0, p = 0; a < m; a++)
        for (int b = 0; b <= a; b++, p++) set_field(q, L->c + ij * mm + p, fij, 1 + a, 1 + b);
    }
  }
  for (int a = 0, p = 0; a < m; a++)
    for (int b = 0; b <= a; b++, p++) {
      set_field(q, L->K + p, 1, 1 + a, 1 + b);
      set_field(q, L->C + p, 1, 1 + a, 1 + b);
    }
  for (int k = 0; k < q->r->n_y; k++) {
    int f = L->y + k * (1 + m), node = 1 + m + k;
    set_field(q, f, 1, 0, node);
    for (int a = 0; a < m; a++) set_field(q, f + 1 + a, 1, node, 1 + a);
  }
  describe_optional(q);
}

// The record mirrored to that of g.
static double *mirrored(const search *q, int g)
{
  int stride = mw_records_stride(q->r, q->axis), n = q->r->axis[q->axis].n, at = g / stride % n;
  return q->r->data + (size_t)(g + (n - 1 - 2 * at) * stride) * (size_t)q->L.n;
}

// Shifts: mean of y0 + y0' over the grid, for τ = −1.
static void shifts(search *q)
{
  int count = mw_records_count(q->r);
  for (int k = 0; k < q->r->n_y; k++) {
    size_t f = (size_t)q->L.y + (size_t)k * (size_t)(1 + q->r->m);
    double sum = 0.0;
    for (int g = 0; g < count; g++)
      sum += q->r->data[(size_t)g * (size_t)q->L.n + f] + mirrored(q, g)[f];
    q->shift[k] = sum / count;
  }
}

// Column a of G_abc, B2_i,abc, A3_ij,abc.
static int first_of_three(const search *q, int f)
{
  int n = q->r->n_G, nn = n * (n + 1) / 2, nnn = nn * (n + 2) / 3, a = 0;
  if (f < q->L.A3) return (f - q->L.G) / nn;
  if (f >= q->L.B2) return (f - q->L.B2) / nn % n;
  while ((a + 1) * (a + 2) * (a + 3) / 6 <= (f - q->L.A3) % nnn) a++;
  return a;
}

// Node of the third sign of field f; 0, whose sign is 1: it has two.
static int third_node(const search *q, int f)
{
  if (!has_three(q, f)) return 0;
  if (f < q->L.CE) return 1 + first_of_three(q, f);
  int m = q->r->m;
  return 1 + m + q->r->Y_field[(f - q->L.Y) / (m * (m + 1) / 2)];
}

// (2) of field f
static double evidence_of(const search *q, int f)
{
  int count = mw_records_count(q->r), k = field_of_value(q, f);
  double w = 0.0, shift = k >= 0 ? q->shift[k] : 0.0;
  for (int g = 0; g < count; g++) {
    double x = q->r->data[(size_t)g * (size_t)q->L.n + (size_t)f] / q->scale[f];
    double y = q->flip[f] * mirrored(q, g)[f] / q->scale[f];
    double even = y - x, odd = y + x - shift / q->scale[f];
    w += odd * odd - even * even;
  }
  return w;
}

static void evidence(search *q)
{
  int N = q->n_node;
  double most = 1.0;
  for (int f = 0; f < q->L.n; f++) {
    int i = q->node[2 * f], j = q->node[2 * f + 1];
    bool three = has_three(q, f);
    if ((i == j && !three) || q->scale[f] == 0.0) continue;
    double w = evidence_of(q, f);
    if (three) {
      q->w3[f] = w;
      continue;
    }
    q->w[i * N + j] += w;
    q->w[j * N + i] += w;
    most += fabs(w);
  }
  for (int k = 0; k < q->r->n_y; k++)  // what slopes ask for comes first
    if (q->odd[k] != 0)
      q->w[1 + q->r->m + k] = q->w[(1 + q->r->m + k) * N] = q->odd[k] > 0 ? -most : most;
}

// Of the nodes without a sign that which says most with one that has: its evidence, times that
// sign. −1: none says anything (evidence that is not a number, which is refused later).
static int by_two(const search *q, double *w)
{
  int N = q->n_node, to = -1;
  double best = -1.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; q->sign[i] != 0 && j < N; j++)
      if (q->sign[j] == 0 && fabs(q->w[i * N + j]) > best) {
        best = fabs(q->w[i * N + j]);
        *w = q->w[i * N + j] * q->sign[i];
        to = j;
      }
  return to;
}

// The same of fields of three signs, two of which are known.
static int by_three(const search *q, double *w)
{
  int to = -1;
  double best = 0.0;
  for (int f = 0; f < q->L.n; f++) {
    if (fabs(q->w3[f]) <= best) continue;
    int node[3] = { q->node[2 * f], q->node[2 * f + 1], third_node(q, f) }, n = 0, at = 0, x = 1;
    for (int k = 0; k < 3; k++) {
      if (q->sign[node[k]] == 0)
        n++, at = node[k];
      else
        x *= q->sign[node[k]];
    }
    if (n != 1) continue;
    best = fabs(q->w3[f]);
    *w = q->w3[f] * x;
    to = at;
  }
  return to;
}

// Signs along the spanning tree of largest |w|, from node 0 (Prim). Fields may depart by tol of
// their size: |(2)| <= 4 tol² of any of them says nothing.
static void spanning_tree(search *q, double tol)
{
  int N = q->n_node;
  for (int i = 0; i < N; i++) q->sign[i] = i == 0;
  for (int found = 1; found < N; found++) {
    double w = 0.0, w3 = 0.0;
    int to = by_two(q, &w), other = fabs(w) > 4.0 * tol * tol ? -1 : by_three(q, &w3);
    if (other >= 0) {
      to = other;
      w = w3;
    }
    for (int j = N - 1; to < 0; j--)
      if (q->sign[j] == 0) to = j;
    q->sign[to] = w < 0.0 ? -1 : 1;
  }
}

static int sign_of(const search *q, int f)
{
  const int *x = q->sign, *node = q->node + 2 * f;
  return q->flip[f] * x[node[0]] * x[node[1]] * x[third_node(q, f)];
}

// Shift of field f with its sign, 0 but for y0 with τ = −1.
static double shift_of(const search *q, int f)
{
  int k = field_of_value(q, f);
  return k >= 0 && sign_of(q, f) < 0 ? q->shift[k] : 0.0;
}

// Largest departure from (1), relative; its field.
static double departure(const search *q, int *field)
{
  int count = mw_records_count(q->r);
  double worst = 0.0;
  *field = 0;
  for (int f = 0; f < q->L.n; f++) {
    double s = sign_of(q, f), shift = shift_of(q, f);
    for (int g = 0; g < count; g++) {
      double x = q->r->data[(size_t)g * (size_t)q->L.n + (size_t)f];
      double d = fabs(mirrored(q, g)[f] - s * x - shift), by = d == 0.0 ? 0.0 : d / q->scale[f];
      if (by <= worst || isnan(worst)) continue;
      worst = by;
      *field = f;
    }
  }
  return worst;
}

static mw_code refuse(const search *q, int field, double by, mw_error *err)
{
  char name[96], number[16], *coordinate = number;
  mw_field_name(q->r, field, name, sizeof name);
  snprintf(number, sizeof number, "%d", q->axis + 1);
  return mw_fail(
      err, MW_ERR_INPUT, q->r->in ? q->r->in[q->axis].at : MW_NOWHERE,
      "coordinate %s is declared symmetric, but the machine is not its own mirror image about the "
      "middle "
      "of the range: field %s of its tables departs by %.2g of its size",
      q->r->coordinate ? q->r->coordinate[q->axis] : coordinate, name, by);
}

// (x + s x')/2, on both sides
static void average(const search *q)
{
  int count = mw_records_count(q->r);
  for (int g = 0; g < count; g++) {
    double *x = q->r->data + (size_t)g * (size_t)q->L.n, *y = mirrored(q, g);
    if (y < x) continue;  // done with its image
    for (int f = 0; f < q->L.n; f++) {
      double s = sign_of(q, f), shift = shift_of(q, f);
      x[f] = 0.5 * (x[f] + s * (y[f] - shift));
      y[f] = s * x[f] + shift;
    }
  }
}

// What y0's slopes say of τ. False: they contradict each other, in field *k.
static bool slopes(search *q, const double *y_slope, int *k)
{
  for (*k = 0; *k < q->r->n_y; ++*k)
    for (int i = 0; i < q->r->s; i++) {
      if (y_slope[i * q->r->n_y + *k] == 0.0) continue;
      int odd = i == q->axis ? 1 : -1;
      if (q->odd[*k] == -odd) return false;
      q->odd[*k] = odd;
    }
  return true;
}

static mw_code search_init(search *q, const mw_records *r, int axis, mw_error *err)
{
  size_t n = 1 + (size_t)r->m + (size_t)r->n_y;
  *q = (search){
    .r = r, .axis = axis, .n_node = (int)n, .L = mw_rom_layout_of(mw_records_shape(r))
  };
  size_t nf = (size_t)q->L.n;
  q->w = mw_arena_f64(&q->mem, n * n);
  q->w3 = mw_arena_f64(&q->mem, nf);
  q->scale = mw_arena_f64(&q->mem, nf);
  q->sign = mw_arena_int(&q->mem, n);
  q->node = mw_arena_int(&q->mem, 2 * nf);
  q->flip = mw_arena_int(&q->mem, nf);
  q->shift = mw_arena_f64(&q->mem, (size_t)r->n_y);
  q->odd = mw_arena_int(&q->mem, (size_t)r->n_y);
  return mw_arena_check(&q->mem, err);
}

static mw_code write_mirror(const search *q, const double *y_slope, double error, mw_arena *mem,
                            mw_mirror *out, mw_error *err)
{
  int m = q->r->m, n_y = q->r->n_y;
  const mw_axis *a = &q->r->axis[q->axis];
  mw_mirror x = { .error = error,
                  .sigma = mw_arena_int(mem, (size_t)m),
                  .tau = mw_arena_int(mem, (size_t)n_y),
                  .shift = mw_arena_f64(mem, (size_t)n_y),
                  .y_shift = mw_arena_f64(mem, (size_t)n_y) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < m; i++) x.sigma[i] = q->sign[1 + i];
  for (int k = 0; k < n_y; k++) {
    x.tau[k] = q->sign[1 + m + k];
    x.shift[k] = x.tau[k] < 0 ? q->shift[k] : 0.0;
    // y0 + slope (θ − lo) with τ = −1: slope (θ̄ − lo) = −slope (θ − lo) + slope (hi − lo)
    x.y_shift[k] = x.shift[k] + y_slope[q->axis * n_y + k] * (a->hi - a->lo);
  }
  *out = x;
  return MW_OK;
}

mw_code mw_records_mirror(mw_records *r, int axis, const double *y_slope, double tol, mw_arena *mem,
                          mw_mirror *out, mw_error *err)
{
  const mw_axis *a = &r->axis[axis];
  for (int k = 0; k < a->n; k++)
    if (r->flat >> axis & 1u || a->n % 2 == 0 || a->at[k] + a->at[a->n - 1 - k] != a->n_table - 1)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "the grid points of symmetric coordinate %d do not mirror each other",
                     axis + 1);
  search q;
  int field = 0;
  double worst = 0.0;
  mw_code rc = search_init(&q, r, axis, err);
  if (rc == MW_OK && !slopes(&q, y_slope, &field))
    rc = refuse(&q, q.L.y + field * (1 + r->m), 1.0, err);
  if (rc == MW_OK) {
    mw_field_scales(r, a->hi - a->lo, q.scale);
    describe(&q);
    shifts(&q);
    evidence(&q);
    spanning_tree(&q, tol);
    worst = departure(&q, &field);
    if (!(worst <= tol)) rc = refuse(&q, field, worst, err);
  }
  // y0 that grow along other axes cannot be odd, nor even those that grow along this one
  for (int k = 0; rc == MW_OK && k < r->n_y; k++)
    if (q.odd[k] * q.sign[1 + r->m + k] > 0) rc = refuse(&q, q.L.y + k * (1 + r->m), 1.0, err);
  if (rc == MW_OK) rc = write_mirror(&q, y_slope, worst, mem, out, err);
  if (rc == MW_OK) average(&q);
  mw_arena_free(&q.mem);
  return rc;
}

// ---- half a table -------------------------------------------------------------------------------

// The two knots around mid as their mirror images say: c'_k = s c_k + shift, knot half at mid.
static void mirror_middle(const search *q, size_t inner, int half, double *block)
{
  size_t nf = (size_t)q->L.n;
  for (size_t l = 0; l < inner; l++) {
    double *before = block + ((size_t)(half - 1) * inner + l) * nf;
    double *mid = block + ((size_t)half * inner + l) * nf, *after = mid + inner * nf;
    for (int f = 0; f < q->L.n; f++) {
      double s = sign_of(q, f), shift = shift_of(q, f);
      mid[f] = 0.5 * (mid[f] + s * mid[f] + shift);
      after[f] = s * before[f] + shift;
    }
  }
}

mw_code mw_records_halve(const mw_records *r, int axis, const mw_mirror *mirror, int *n_knot,
                         double *coef, mw_error *err)
{
  search q;
  mw_code rc = search_init(&q, r, axis, err);
  if (rc == MW_OK) {
    describe(&q);
    q.sign[0] = 1;
    memcpy(q.sign + 1, mirror->sigma, (size_t)r->m * sizeof *q.sign);
    memcpy(q.sign + 1 + r->m, mirror->tau, (size_t)r->n_y * sizeof *q.sign);
    memcpy(q.shift, mirror->shift, (size_t)r->n_y * sizeof *q.shift);
    int n = n_knot[axis], half = (r->axis[axis].n_table + 1) / 2, keep = half + 2;
    size_t outer = 1, inner = 1, nf = (size_t)q.L.n;
    for (int i = 0; i < axis; i++) outer *= (size_t)n_knot[i];
    for (int i = axis + 1; i < r->s; i++) inner *= (size_t)n_knot[i];
    for (size_t o = 0; o < outer; o++) {
      double *to = coef + o * (size_t)keep * inner * nf;
      memmove(to, coef + o * (size_t)n * inner * nf, (size_t)keep * inner * nf * sizeof *coef);
      mirror_middle(&q, inner, half, to);
    }
    n_knot[axis] = keep;
  }
  mw_arena_free(&q.mem);
  return rc;
}
