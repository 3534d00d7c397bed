// SPDX-License-Identifier: BSD-3-Clause
// records.c: sizes and names of the fields of a record, axes that close, splines of what is left.
//
//   cyclic axis:  y0(θ) = slope (θ − lo) + periodic part ,
//       slope = (y0(hi) − y0(lo)) / (hi − lo)      (1)
// An angle of the machine, and what gears drive with it, grow by the same amount a turn; all else
// is the same again.
// Cost: O(size of the records).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "records_layer.h"

mw_rom_shape mw_records_shape(const mw_records *r)
{
  return (mw_rom_shape){
    .s = r->s, .m = r->m, .n_y = r->n_y, .n_Y = r->n_Y, .n_G = r->n_G, .parts = r->parts
  };
}

int mw_records_n(const mw_records *r, int axis)
{
  return r->flat >> axis & 1u ? 1 : r->axis[axis].n;
}

int mw_records_stride(const mw_records *r, int axis)
{
  int stride = 1;
  for (int i = r->s - 1; i > axis; i--) stride *= mw_records_n(r, i);
  return stride;
}

int mw_records_count(const mw_records *r) { return mw_records_stride(r, 0) * mw_records_n(r, 0); }

// ---- names --------------------------------------------------------------------------------------

typedef struct group {
  const char *name;
  int from, to, width;  // fields; entries a coordinate (pair), 0: of none
  bool pair, skew;      // over pairs of coordinates; without the diagonal of a matrix
} group;

enum { N_GROUP = 15 };

static void groups(const mw_records *r, group out[N_GROUP])
{
  mw_rom_layout L = mw_rom_layout_of(mw_records_shape(r));
  int m = r->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, kk = r->n_G * (r->n_G + 1) / 2;
  const group all[N_GROUP] = {
    { "a", L.a, L.U0, 1, true, false },
    { "U0", L.U0, L.d, 0, false, false },
    { "d", L.d, L.U1, m, false, false },
    { "U1", L.U1, L.b, 0, false, false },
    { "b", L.b, L.K, m, true, false },
    { "K", L.K, L.C, 0, false, false },
    { "C", L.C, L.e, 0, false, false },
    { "e", L.e, L.c, mk, false, true },
    { "c", L.c, L.H, mm, true, false },
    { "H", L.H, L.G, mm, false, false },
    { "G", L.G, L.A3, kk, false, false },
    { "A3", L.A3, L.B2, kk * (r->n_G + 2) / 3, true, false },
    { "B2", L.B2, L.CE, r->n_G * kk, false, false },
    { "CE", L.CE, L.CC, m * m, false, false },
    { "CC", L.CC, L.y, mm, true, false },
  };
  memcpy(out, all, sizeof all);
}

// Row and column, from 1, of entry k of a packed lower triangle.
static void unpack(int k, bool skew, int *i, int *j)
{
  *i = skew;
  while ((*i + 1) * (*i + 2 - 2 * skew) / 2 <= k) ++*i;
  *j = k - *i * (*i + 1 - 2 * skew) / 2 + 1;
  ++*i;
}

static void name_y(const mw_records *r, const mw_rom_layout *L, int f, char *out, size_t size)
{
  int m = r->m, mm = m * (m + 1) / 2, i, j;
  int q = f < L->Y ? -1 : (f - L->Y) / mm, k = q < 0 ? (f - L->y) / (1 + m) : r->Y_field[q],
      a = q < 0 ? (f - L->y) % (1 + m) : 0;
  char name[64];
  if (r->field)
    snprintf(name, sizeof name, "%s", r->field[k]);
  else
    snprintf(name, sizeof name, "field %d", k + 1);
  unpack(q < 0 ? 0 : (f - L->Y) % mm, false, &i, &j);
  if (q >= 0)
    snprintf(out, size, "%s of columns %d,%d", name, i, j);
  else if (a == 0)
    snprintf(out, size, "%s", name);
  else
    snprintf(out, size, "%s of column %d", name, a);
}

void mw_field_name(const mw_records *r, int f, char *out, int n)
{
  mw_rom_layout L = mw_rom_layout_of(mw_records_shape(r));
  size_t size = (size_t)n;
  if (f >= L.y) {
    name_y(r, &L, f, out, size);
    return;
  }
  group g[N_GROUP];
  groups(r, g);
  int k = 0, i, j, p, q;
  while (f >= g[k].to) k++;
  int rest = f - g[k].from, c = g[k].width > 0 ? rest / g[k].width : 0;
  rest -= c * g[k].width;
  bool matrix = strchr("KCecHG", g[k].name[0]) != NULL;
  char coordinates[32] = "", entry[32] = "";
  unpack(c, false, &p, &q);
  if (g[k].width > 0 && g[k].pair)
    snprintf(coordinates, sizeof coordinates, "%d,%d", p, q);
  else if (g[k].width > 0)
    snprintf(coordinates, sizeof coordinates, "%d", c + 1);
  unpack(rest, g[k].skew, &i, &j);
  if (g[k].width == r->m * r->m && strcmp(g[k].name, "CE") == 0) {
    i = rest / r->m + 1;
    j = rest % r->m + 1;
  }
  if (matrix)
    snprintf(entry, sizeof entry, "[%d,%d]", i, j);
  else if (g[k].width != 1 && f != L.U0)
    snprintf(entry, sizeof entry, "[%d]", rest + 1);
  snprintf(out, size, "%s%s%s", g[k].name, coordinates, entry);
}

// ---- sizes --------------------------------------------------------------------------------------

// Largest magnitude of fields [from, to) over the grid, or `least` where that is larger.
static double largest(const mw_records *r, int from, int to, double least)
{
  size_t n = (size_t)mw_rom_n_field(mw_records_shape(r));
  int count = mw_records_count(r);
  for (int g = 0; g < count; g++)
    for (int f = from; f < to; f++) least = fmax(least, fabs(r->data[(size_t)g * n + (size_t)f]));
  return least;
}

void mw_field_scales(const mw_records *r, double width, double *scale)
{
  mw_rom_layout L = mw_rom_layout_of(mw_records_shape(r));
  int m = r->m;
  double a = largest(r, L.a, L.U0, 0.0), root = sqrt(a),
         column = root > 0.0 ? 1.0 / (width * root) : 0.0;
  // the rigid part of a column is some 1/√a of a coordinate: G against H, A3 against c, B2 against
  // e
  const double least[N_GROUP] = { a,
                                  a,
                                  root,
                                  root,
                                  root / width,
                                  0.0,
                                  0.0,
                                  1.0 / width,
                                  1.0 / (width * width),
                                  1.0 / width,
                                  column,
                                  column / (width * width),
                                  column / width };
  group g[N_GROUP];
  groups(r, g);
  for (int k = 0; k < N_GROUP; k++) {
    double x = largest(r, g[k].from, g[k].to, least[k]);
    for (int f = g[k].from; f < g[k].to; f++) scale[f] = x;
  }
  // fields y apart by their units: lengths and angles, stresses, strains
  double y0[3] = { 0.0 }, y1[3] = { 0.0 };
  for (int k = 0; k < r->n_y; k++) {
    int f = L.y + k * (1 + m), kind = (int)r->kind[k];
    y0[kind] = largest(r, f, f + 1, y0[kind]);
    y1[kind] = largest(r, f + 1, f + 1 + m, y1[kind]);
  }
  for (int f = L.y; f < L.Y; f++) {
    int kind = (int)r->kind[(f - L.y) / (1 + m)];
    scale[f] = (f - L.y) % (1 + m) == 0 ? y0[kind] : y1[kind];
  }
  // CE and CC against C by the width of the axis, as e and c against 1; each Y against its own size
  double C = largest(r, L.C, L.e, 0.0);
  for (int f = L.CE; f < L.y; f++)
    scale[f] = fmax(scale[f], f < L.CC ? C / width : C / (width * width));
  for (int q = 0; q < r->n_Y; q++) {
    int from = L.Y + q * (m * (m + 1) / 2), to = from + m * (m + 1) / 2;
    double x = largest(r, from, to, 0.0);
    for (int f = from; f < to; f++) scale[f] = x;
  }
}

// ---- rounding -----------------------------------------------------------------------------------
//
// Along a coordinate that moves things without turning them shapes stay as they are: e_i and c_ij
// are rounding there, as H_i is where nothing pulls. Elastic coordinates are mass-normalised, so
// that e_i, H_i × width of axis i and c_ij × both widths are numbers without a unit.

static void clear(mw_records *r, int from, int n)
{
  size_t nf = (size_t)mw_rom_n_field(mw_records_shape(r));
  int count = mw_records_count(r);
  for (int g = 0; g < count; g++)
    memset(r->data + (size_t)g * nf + (size_t)from, 0, (size_t)n * sizeof *r->data);
}

void mw_records_clear_rounding(mw_records *r)
{
  static const double ROUNDING = 1e-7;  // far above what an eigensolver leaves
  enum { MAX_PAIR = MW_ROM_MAX_S * (MW_ROM_MAX_S + 1) / 2 };
  mw_rom_layout L = mw_rom_layout_of(mw_records_shape(r));
  int m = r->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  double e[MW_ROM_MAX_S], c[MAX_PAIR], H[MW_ROM_MAX_S], most_e = 1.0, most_c = 1.0;
  bool has_H = (r->parts & MW_ROM_H) != 0;
  for (int i = 0, p = 0; i < r->s; i++) {
    double width = r->axis[i].hi - r->axis[i].lo;
    e[i] = width * largest(r, L.e + i * mk, L.e + (i + 1) * mk, 0.0);
    most_e = fmax(most_e, e[i]);
    H[i] = has_H ? width * largest(r, L.H + i * mm, L.H + (i + 1) * mm, 0.0) : 0.0;
    for (int j = 0; j <= i; j++, p++) {
      c[p] = width * (r->axis[j].hi - r->axis[j].lo) *
             largest(r, L.c + p * mm, L.c + (p + 1) * mm, 0.0);
      most_c = fmax(most_c, c[p]);
    }
  }
  for (int i = 0, p = 0; i < r->s; i++) {
    if (e[i] <= ROUNDING * most_e) clear(r, L.e + i * mk, mk);
    if (has_H && H[i] <= ROUNDING * most_e) clear(r, L.H + i * mm, mm);
    for (int j = 0; j <= i; j++, p++)
      if (c[p] <= ROUNDING * most_c) clear(r, L.c + p * mm, mm);
  }
}

// ---- cyclic axes --------------------------------------------------------------------------------

static mw_code open_axis(const mw_records *r, int axis, int f, double by, mw_error *err)
{
  char name[96], number[16];
  mw_field_name(r, f, name, sizeof name);
  snprintf(number, sizeof number, "%d", axis + 1);
  return mw_fail(
      err, MW_ERR_INPUT, r->in ? r->in[axis].at : MW_NOWHERE,
      "coordinate %s is declared cyclic, but the machine is another one after a full turn: field "
      "%s "
      "of its tables differs by %.2g of its size",
      r->coordinate ? r->coordinate[axis] : number, name, by);
}

// Largest difference of last and first records beyond `slope` a unit of θ, relative to scale; its
// field.
static double gap(const mw_records *r, int axis, const double *scale, const double *slope,
                  int *field)
{
  mw_rom_layout L = mw_rom_layout_of(mw_records_shape(r));
  size_t nf = (size_t)L.n;
  int stride = mw_records_stride(r, axis), n = mw_records_n(r, axis), count = mw_records_count(r);
  double worst = 0.0, width = r->axis[axis].hi - r->axis[axis].lo;
  for (int g = 0; g < count; g++) {
    if (g / stride % n != 0) continue;
    const double *x = r->data + (size_t)g * nf, *y = x + (size_t)((n - 1) * stride) * nf;
    for (int f = 0; f < L.n; f++) {
      bool value = f >= L.y && f < L.Y && (f - L.y) % (1 + r->m) == 0;
      double d = y[f] - x[f] - (value ? slope[(f - L.y) / (1 + r->m)] * width : 0.0);
      double by = d == 0.0 ? 0.0 : fabs(d) / scale[f];
      if (by <= worst || isnan(worst)) continue;
      worst = by;
      *field = f;
    }
  }
  return worst;
}

static mw_code close_axis(mw_records *r, int axis, double tol, double *scale, double *slope,
                          mw_error *err)
{
  mw_rom_layout L = mw_rom_layout_of(mw_records_shape(r));
  size_t nf = (size_t)L.n;
  int stride = mw_records_stride(r, axis), n = mw_records_n(r, axis), count = mw_records_count(r);
  const mw_axis *a = &r->axis[axis];
  int field = 0;
  mw_field_scales(r, a->hi - a->lo, scale);
  for (int k = 0; k < r->n_y; k++) {
    size_t f = (size_t)L.y + (size_t)k * (size_t)(1 + r->m);
    double grown = r->data[(size_t)((n - 1) * stride) * nf + f] - r->data[f];
    slope[k] = fabs(grown) <= tol * scale[f] ? 0.0 : grown / (a->hi - a->lo);
  }
  double worst = gap(r, axis, scale, slope, &field);
  if (!(worst <= tol)) return open_axis(r, axis, field, worst, err);
  for (int g = 0; g < count; g++) {
    int at = g / stride % n;
    double *x = r->data + (size_t)g * nf, way = mw_axis_theta(a, at) - a->lo;
    if (at == n - 1) {
      memcpy(x, x - (size_t)((n - 1) * stride) * nf, nf * sizeof *x);
      continue;
    }
    for (int k = 0; k < r->n_y; k++) x[L.y + k * (1 + r->m)] -= slope[k] * way;
  }
  return MW_OK;
}

mw_code mw_records_close(mw_records *r, double tol, double *y_slope, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *scale = mw_arena_f64(&tmp, (size_t)mw_rom_n_field(mw_records_shape(r)));
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (r->axis[i].cyclic && !(r->flat >> i & 1u))
      rc = close_axis(r, i, tol, scale, y_slope + i * r->n_y, err);
  mw_arena_free(&tmp);
  return rc;
}

// ---- splines ------------------------------------------------------------------------------------

size_t mw_records_n_coef(const mw_records *r)
{
  size_t n = (size_t)mw_rom_n_field(mw_records_shape(r));
  for (int i = 0; i < r->s; i++) n *= r->flat >> i & 1u ? 1 : (size_t)r->axis[i].n_table + 2;
  return n;
}

// Positions of the elastic fields in a record, to [n]; their number.
static int elastic_fields(const mw_records *r, int n_field, int *to)
{
  int n = 0;
  for (int f = 0; f < n_field; f++)
    if (r->elastic[f]) to[n++] = f;
  return n;
}

// Records of the grid's points among those of axis: their elastic fields alone, out [points ×
// n_el].
static void gather(const mw_records *r, int n_field, int n_el, const int *field, double *out)
{
  int count = mw_records_count(r);
  for (int g = 0; g < count; g++) {
    bool in = true;
    for (int i = 0; i < r->s && in; i++) {
      if (r->flat >> i & 1u) continue;
      int at = r->axis[i].at[g / mw_records_stride(r, i) % r->axis[i].n], k = 0;
      while (k < r->grid[i].n && r->grid[i].at[k] < at) k++;
      in = k < r->grid[i].n && r->grid[i].at[k] == at;
    }
    for (int f = 0; in && f < n_el; f++)
      *out++ = r->data[(size_t)g * (size_t)n_field + (size_t)field[f]];
  }
}

// Elastic fields by the splines of the grid, written on the tables: exact insertion of knots.
static mw_code fit_elastic(const mw_records *r, int n, const mw_axis *grid, int n_field,
                           double *coef, mw_error *err)
{
  mw_arena tmp = { 0 };
  int *field = mw_arena_int(&tmp, (size_t)n_field);
  mw_code rc = mw_arena_check(&tmp, err);
  int n_el = rc == MW_OK ? elastic_fields(r, n_field, field) : 0;
  size_t points = 1;
  for (int i = 0; i < n; i++) points *= (size_t)grid[i].n;
  double *data = mw_arena_f64(&tmp, points * (size_t)n_el);
  size_t size = mw_axis_n_coef(n, grid, n_el);
  double *c = mw_arena_f64(&tmp, size);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && n_el > 0) {
    gather(r, n_field, n_el, field, data);
    rc = mw_axis_fit(n, grid, n_el, data, c, err);
  }
  for (size_t k = 0; rc == MW_OK && n_el > 0 && k < size / (size_t)n_el; k++)
    for (int f = 0; f < n_el; f++)
      coef[k * (size_t)n_field + (size_t)field[f]] = c[k * (size_t)n_el + (size_t)f];
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_records_fit(const mw_records *r, double *coef, mw_error *err)
{
  mw_axis left[MW_ROM_MAX_S], grid[MW_ROM_MAX_S];
  int n = 0, n_field = mw_rom_n_field(mw_records_shape(r));
  for (int i = 0; i < r->s; i++) {
    if (r->flat >> i & 1u) continue;
    if (r->grid) grid[n] = r->grid[i];
    left[n++] = r->axis[i];
  }
  if (n == 0) {
    memcpy(coef, r->data, (size_t)n_field * sizeof *coef);
    return MW_OK;
  }
  mw_code rc = mw_axis_fit(n, left, n_field, r->data, coef, err);
  return rc == MW_OK && r->grid ? fit_elastic(r, n, grid, n_field, coef, err) : rc;
}

void mw_table_halve(int s, unsigned symmetric, size_t width, int *n_table, double *coef)
{
  for (int i = 0; i < s; i++) {
    if (!(symmetric >> i & 1u)) continue;
    size_t outer = 1, inner = width;
    for (int j = 0; j < i; j++) outer *= (size_t)n_table[j] + 2;
    for (int j = i + 1; j < s; j++) inner *= (size_t)n_table[j] + 2;
    size_t knots = (size_t)n_table[i] + 2, half = (size_t)(n_table[i] + 1) / 2;
    for (size_t o = 0; o < outer; o++)
      memmove(coef + o * (half + 2) * inner, coef + o * knots * inner,
              (half + 2) * inner * sizeof *coef);
    n_table[i] = (int)half;
  }
}
