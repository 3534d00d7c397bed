// SPDX-License-Identifier: BSD-3-Clause
// rom_eval.c: all fields of the reduced model, and their gradients, at one theta.
//
//   field(theta) = sum_k w_k0(theta_0) w_k1(theta_1) … coef[cell + k]            4^s records    (1)
//
// with the cubic B-spline weights of mw_rom_basis. The sum is collapsed axis by axis, last axis
// first, carrying value and gradient together, so that the gradient costs about as much again as
// the value (s = 2: 44 products a field instead of 48 + 16). From three axes on fields are taken in
// blocks so that the partial sums stay in the first-level cache. Cost: for one axis and two the
// sums,
// for three one read of 4^s records (s = 3, 12 modes: 490 KB from the second-level cache). A tensor
// train instead of the table: rom_train.c; cyclic and symmetric axes: rom_fold.c. Called by the
// equations of motion
// (rom_rhs.c, rom_step.c). Allocates nothing.
#include <math.h>

#include "core/rom_layer.h"

// fields a block: 6 KiB of partial sums for three axes; for more than three, 18 KiB for six
enum { BLOCK = 64, FEW = 16 };

void mw_rom_basis(int n, double lo, double hi, double theta, int *cell, double w[4], double dw[4])
{
  double per = (n - 1) / (hi - lo);
  double x = (theta - lo) * per;
  int c = x > 0.0 ? (x < n - 2 ? (int)x : n - 2) : 0;
  *cell = c;
  rom_weights(x - c, per, w, dw);
}

void rom_place_of(const mw_rom *rom, const double *theta, double *train, rom_place *at)
{
  double folded[MW_ROM_MAX_S];
  const double *x = theta;
  at->mirrored = 0;
  at->train = train;
  if (rom->cyclic | rom->symmetric) {
    at->mirrored = mw_rom_fold(rom, theta, folded, at->turns);
    x = folded;
  }
  for (int i = 0; i < rom->s; i++) {
    double lo = rom->lo[i], hi = rom->hi[i];
    at->x[i] = x[i] - lo;
    if (rom->flat >> i & 1u) continue;
    if (rom->symmetric >> i & 1u) hi = 0.5 * (lo + hi);
    mw_rom_basis(rom->n_grid[i], lo, hi, x[i], &at->cell[i], at->w[i], at->dw[i]);
  }
}

// to = sum_k w_k from[k step], a pack.
ROM_INLINE void along(const double *w, const double *from, size_t step, rom_pack *to)
{
  *to = w[0] * ROM_GET(from) + (w[1] * ROM_GET(from + step) + (w[2] * ROM_GET(from + 2 * step) +
                                                               w[3] * ROM_GET(from + 3 * step)));
}

ROM_INLINE double along_one(const double *w, const double *r, size_t step)
{
  return w[0] * r[0] + (w[1] * r[step] + (w[2] * r[2 * step] + w[3] * r[3 * step]));
}

static void copy4(const double *from, double *to)
{
  for (int k = 0; k < 4; k++) to[k] = from[k];
}

// One pack of one axis.
ROM_INLINE void pack1(const double *r, size_t step, const double *w, const double *d, double *v,
                      double *g, int with_g)
{
  rom_pack to;
  along(w, r, step, &to);
  ROM_PUT(v) = to;
  if (!with_g) return;
  along(d, r, step, &to);
  ROM_PUT(g) = to;
}

// One axis: v = sum_k w_k r_k ,  g = sum_k d_k r_k (g NULL: none); r_k are n doubles, `step` apart.
// The last pack of n ends at n, and does some fields again. w, d: copies of the weights, which stay
// in registers.
ROM_INLINE void axis1(const double *restrict r, size_t step, const int n, const double *w,
                      const double *d, double *restrict v, double *restrict g, int with_g)
{
  if (n < ROM_PAD) {
    for (int f = 0; f < n; f++) {
      v[f] = along_one(w, r + f, step);
      if (with_g) g[f] = along_one(d, r + f, step);
    }
    return;
  }
  const int last = n - ROM_PAD;
  for (int f = 0; f < last; f += ROM_PAD)
    pack1(r + f, step, w, d, v + f, with_g ? g + f : NULL, with_g);
  pack1(r + last, step, w, d, v + last, with_g ? g + last : NULL, with_g);
}

// Without gradient.
ROM_INLINE void values1(const double *restrict r, size_t step, int n, const rom_place *at, int i,
                        double *restrict v)
{
  double w[4];
  copy4(at->w[i], w);
  axis1(r, step, n, w, NULL, v, NULL, 0);
}

static ROM_APART void collapse1(const double *r, size_t step, int n, const rom_place *at, int i,
                                double *v, double *g)
{
  if (!g) {
    values1(r, step, n, at, i, v);
    return;
  }
  double w[4], d[4];
  copy4(at->w[i], w);
  copy4(at->dw[i], d);
  axis1(r, step, n, w, d, v, g, 1);
}

// One pack of two axes.
ROM_INLINE void pack2(const double *r, size_t step_i, size_t step_j, const double *wi,
                      const double *di, const double *wj, const double *dj, double *v, double *gi,
                      double *gj, int with_g)
{
  rom_pack a[4], b[4];
  ROM_UNROLL
  for (int k = 0; k < 4; k++) {
    along(wj, r + (size_t)k * step_i, step_j, &a[k]);
    if (with_g) along(dj, r + (size_t)k * step_i, step_j, &b[k]);
  }
  ROM_PUT(v) = wi[0] * a[0] + (wi[1] * a[1] + (wi[2] * a[2] + wi[3] * a[3]));
  if (!with_g) return;
  ROM_PUT(gi) = di[0] * a[0] + (di[1] * a[1] + (di[2] * a[2] + di[3] * a[3]));
  ROM_PUT(gj) = wi[0] * b[0] + (wi[1] * b[1] + (wi[2] * b[2] + wi[3] * b[3]));
}

// Two axes i and j: v, gi, gj.
ROM_INLINE void axis2(const double *restrict r, size_t step_i, size_t step_j, int n,
                      const rom_place *at, int i, int j, double *restrict v, double *restrict gi,
                      double *restrict gj, int with_g)
{
  double wi[4], di[4], wj[4], dj[4];
  copy4(at->w[i], wi);
  copy4(at->dw[i], di);
  copy4(at->w[j], wj);
  copy4(at->dw[j], dj);
  for (int k = 0; k < n && n >= ROM_PAD; k += ROM_PAD) {
    int f = k + ROM_PAD <= n ? k : n - ROM_PAD;
    pack2(r + f, step_i, step_j, wi, di, wj, dj, v + f, with_g ? gi + f : NULL,
          with_g ? gj + f : NULL, with_g);
  }
  for (int f = 0; f < n && n < ROM_PAD; f++) {
    double a[4], b[4];
    for (int k = 0; k < 4; k++) {
      a[k] = along_one(wj, r + f + (size_t)k * step_i, step_j);
      b[k] = along_one(dj, r + f + (size_t)k * step_i, step_j);
    }
    v[f] = along_one(wi, a, 1);
    if (with_g) gi[f] = along_one(di, a, 1);
    if (with_g) gj[f] = along_one(wi, b, 1);
  }
}

static void collapse2(const double *r, size_t step_i, size_t step_j, int n, const rom_place *at,
                      int i, int j, double *v, double *gi, double *gj)
{
  if (gi)
    axis2(r, step_i, step_j, n, at, i, j, v, gi, gj, 1);
  else
    axis2(r, step_i, step_j, n, at, i, j, v, NULL, NULL, 0);
}

// Three axes, records step[0 … 2] apart: v, and g along each, or (g[0] NULL) none.
static void collapse3(const double *restrict r, const size_t *step, const int *axis, int n,
                      const rom_place *at, double *restrict v, double *const *g)
{
  double t[4 * BLOCK], t1[4 * BLOCK], t2[4 * BLOCK];
  for (int k = 0; k < 4; k++)
    collapse2(r + (size_t)k * step[0], step[1], step[2], n, at, axis[1], axis[2], t + k * BLOCK,
              g[0] ? t1 + k * BLOCK : NULL, t2 + k * BLOCK);
  collapse1(t, BLOCK, n, at, axis[0], v, g[0]);
  if (!g[0]) return;
  values1(t1, BLOCK, n, at, axis[0], g[1]);
  values1(t2, BLOCK, n, at, axis[0], g[2]);
}

// Four axes and more: the same, one axis after the other; n <= FEW.
static void collapse_many(const double *restrict r, const size_t *step, const int *axis, int n_axis,
                          int n, const rom_place *at, double *restrict v, double *const *g)
{
  double t[4 * FEW], d[MW_ROM_MAX_S - 1][4 * FEW];
  for (int k = 0; k < 4; k++) {
    const double *from = r + (size_t)k * step[0];
    double *to[MW_ROM_MAX_S - 1] = { NULL };
    for (int j = 0; g[0] && j + 1 < n_axis; j++) to[j] = d[j] + k * FEW;
    if (n_axis == 4)
      collapse3(from, step + 1, axis + 1, n, at, t + k * FEW, to);
    else
      collapse_many(from, step + 1, axis + 1, n_axis - 1, n, at, t + k * FEW, to);
  }
  collapse1(t, FEW, n, at, axis[0], v, g[0]);
  for (int j = 1; g[0] && j < n_axis; j++) values1(d[j - 1], FEW, n, at, axis[0], g[j]);
}

// Zero gradients along flat axes, which rom_interpolate_range leaves alone but for the y0.
static void clear_flat(const mw_rom *rom, int f0, int f1, double *gradient)
{
  for (int i = 0; gradient && i < rom->s; i++)
    for (int f = f0; (rom->flat >> i & 1u) && f < f1; f++)
      gradient[(size_t)i * (size_t)rom->n_field + (size_t)f] = 0.0;
}

// Axes that are interpolated, the distance in doubles between neighbouring records along them, and
// the first record of the cell.
typedef struct table {
  size_t step[MW_ROM_MAX_S], first;
  int axis[MW_ROM_MAX_S], n_axis;
} table;

static void table_of(const mw_rom *rom, const rom_place *at, table *t)
{
  size_t size = (size_t)rom->n_field;
  t->first = 0;
  t->n_axis = 0;
  for (int i = 0; i < rom->s; i++) t->n_axis += !(rom->flat >> i & 1u);
  for (int i = rom->s - 1, k = t->n_axis; i >= 0; i--) {
    if (rom->flat >> i & 1u) continue;
    t->axis[--k] = i;
    t->step[k] = size;
    t->first += (size_t)at->cell[i] * size;
    size *= (size_t)mw_rom_n_knot(rom, i);
  }
}

// The sum (1) over three axes and more, in blocks.
static void blocks(const mw_rom *rom, const table *t, const rom_place *at, int f0, int f1,
                   double *value, double *gradient)
{
  int block = t->n_axis > 3 ? FEW : BLOCK;
  for (int f = f0; f < f1; f += block) {
    int n = f1 - f < block ? f1 - f : block;
    const double *r = rom->coef + t->first + f;
    double *v = value + f, *g[MW_ROM_MAX_S] = { NULL };
    for (int k = 0; gradient && k < t->n_axis; k++)
      g[k] = gradient + (size_t)t->axis[k] * (size_t)rom->n_field + f;
    if (t->n_axis == 3)
      collapse3(r, t->step, t->axis, n, at, v, g);
    else
      collapse_many(r, t->step, t->axis, t->n_axis, n, at, v, g);
  }
}

// The sum (1) over the table.
static void table_range(const mw_rom *rom, const table *t, const rom_place *at, int f0, int f1,
                        double *value, double *gradient)
{
  int n = f1 - f0;
  if (n <= 0) return;
  const double *r = rom->coef + t->first + f0;
  const size_t nf = (size_t)rom->n_field;
  double *v = value + f0,
         *g0 = gradient && t->n_axis > 0 ? gradient + (size_t)t->axis[0] * nf + f0 : NULL;
  if (t->n_axis == 0)
    for (int k = 0; k < n; k++) v[k] = r[k];
  else if (t->n_axis == 1)
    collapse1(r, t->step[0], n, at, t->axis[0], v, g0);
  else if (t->n_axis == 2)
    collapse2(r, t->step[0], t->step[1], n, at, t->axis[0], t->axis[1], v, g0,
              gradient ? gradient + (size_t)t->axis[1] * nf + f0 : NULL);
  else
    blocks(rom, t, at, f0, f1, value, gradient);
}

// What a place off the table's own adds.
static void unfold_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                         double *gradient)
{
  if (rom->flat | rom->cyclic) rom_add_slopes(rom, at, f0, f1, value, gradient);
  if (at->mirrored) rom_mirror(rom, at, f0, f1, value, gradient);
  if (rom->cyclic) rom_add_turns(rom, at, f0, f1, value);
}

void rom_interpolate_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                           double *gradient)
{
  if (rom->n_train > 0) {
    rom_train_range(rom, at, f0, f1, value, gradient);
  } else {
    table t;
    table_of(rom, at, &t);
    table_range(rom, &t, at, f0, f1, value, gradient);
  }
  unfold_range(rom, at, f0, f1, value, gradient);
}

// Fields of the record that inputs and laws need: f0 … f1-1.
static void fields_used(const mw_rom *rom, int *f0, int *f1)
{
  int lo = rom->n_y, hi = 0, size = 1 + rom->m,
      y = rom->n_field - rom->n_y * size - rom->n_Y * (rom->m * (rom->m + 1) / 2);
  for (int k = 0; k < rom->n_u + rom->n_law; k++) {
    int field = k < rom->n_u ? rom->u_field[k] : rom->law[k - rom->n_u].field;
    lo = field < lo ? field : lo;
    hi = field + 1 > hi ? field + 1 : hi;
  }
  *f0 = y + lo * size;
  *f1 = y + (hi > lo ? hi : lo) * size;
}

// The Y that they need, of which there is one (rom_acts_curved): all from the first to the last.
static void curvatures_used(const mw_rom *rom, int *f0, int *f1)
{
  int lo = rom->n_Y, hi = 0, mm = rom->m * (rom->m + 1) / 2;
  for (int k = 0; k < rom->n_u + rom->n_law; k++) {
    int q = rom_curvature(rom, k < rom->n_u ? rom->u_field[k] : rom->law[k - rom->n_u].field);
    if (q < 0) continue;
    lo = q < lo ? q : lo;
    hi = q + 1 > hi ? q + 1 : hi;
  }
  int Y = rom->n_field - rom->n_Y * mm;
  *f0 = Y + lo * mm;
  *f1 = Y + hi * mm;
}

// Joins what follows its forerunner, unless ranges have to be whole parts.
static void add_range(int from, int end, int with_gradient, int join, rom_ranges *r)
{
  if (from == end) return;
  int last = r->n - 1;
  if (join && last >= 0 && r->end[last] == from && r->with_gradient[last] == with_gradient) {
    r->end[last] = end;
    return;
  }
  r->from[r->n] = from;
  r->end[r->n] = end;
  r->with_gradient[r->n++] = with_gradient;
}

void rom_ranges_of(const mw_rom *rom, const mw_rom_opt *opt, rom_ranges *r)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, y0, y1, Y0, Y1;
  int full = opt->inertia == MW_ROM_FULL, plain = rom_is_plain(rom);
  mw_rom_layout l = rom_layout_of(rom, s, m);
  fields_used(rom, &y0, &y1);
  r->n = 0;
  if (full && !plain) {
    add_range(0, l.y, 1, 0, r);
  } else if (full && !rom->zero_e && !rom->zero_c && !rom_parts(rom)) {
    add_range(0, l.C, 1, 0, r);
    add_range(l.C, l.e, 0, 0, r);
    add_range(l.e, l.y, 1, 0, r);
  } else {
    add_range(0, full ? l.K : l.b, 1, 1, r);
    add_range(l.K, plain ? l.C : l.e, 1, 1, r);  // a mirror takes K and C together
    if (plain) add_range(l.C, l.e, 0, 1, r);
    for (int i = 0; full && i < s; i++)
      if (!(rom->zero_e >> i & 1u)) add_range(l.e + i * mk, l.e + (i + 1) * mk, 1, 1, r);
    for (int p = 0; full && p < s * (s + 1) / 2; p++)
      if (!(rom->zero_c >> p & 1u)) add_range(l.c + p * mm, l.c + (p + 1) * mm, 1, 1, r);
    for (int i = 0; full && (rom_parts(rom) & MW_ROM_H) && i < s; i++)
      if (!(rom->zero_H >> i & 1u)) add_range(l.H + i * mm, l.H + (i + 1) * mm, 1, 1, r);
    add_range(l.G, full ? l.CE : l.G, 1, 1, r);
    add_range(l.CE, l.y, 0, plain, r);
  }
  if (rom_acts_curved(rom)) {
    curvatures_used(rom, &Y0, &Y1);
    add_range(Y0, Y1, 1, 0, r);
  }
  add_range(y0, y1, 1, plain, r);
}

// The only axis of the table, -1: there are several.
ROM_INLINE int only_axis(const mw_rom *rom)
{
  int one = -1;
  for (int i = 0; i < rom->s; i++)
    if (!(rom->flat >> i & 1u)) one = one < 0 ? i : rom->s;
  return one < rom->s ? one : -1;
}

// rom_interpolate of a plain table along axis k alone, no optional parts: its ranges are constants
// where s and m are.
ROM_INLINE void interpolate_one(const mw_rom *rom, const int s, const int m, const int k,
                                const double *theta, rom_work *w)
{
  const int ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const mw_rom_layout l = rom_layout(s, m, rom->n_y, 0, 0, 0);
  const size_t step = (size_t)rom->n_field;
  double *v = w->value, *g = w->gradient + (size_t)k * step;
  rom_place at;
  int cell, y0, y1;
  mw_rom_basis(rom->n_grid[k], rom->lo[k], rom->hi[k], theta[k], &cell, at.w[k], at.dw[k]);
  const double *r = rom->coef + (size_t)cell * step;
  if (ROM_PAD > 1)  // as rom_clear_edges
    ROM_PUT(g + l.C) = ROM_PUT(g + l.y) = ROM_PUT(v + l.y) = (rom_pack){ 0 };
  collapse1(r, step, l.C, &at, k, v, g);
  collapse1(r + l.C, step, l.e - l.C, &at, k, v + l.C, NULL);
  for (int i = 0; i < s; i++) {
    const int f = l.e + i * mk;
    if (!(rom->zero_e >> i & 1u))
      collapse1(r + f, step, mk, &at, k, v + f, g + f);
    else if (ROM_PAD > 1)
      ROM_PUT(g + f) = ROM_PUT(v + f) = (rom_pack){ 0 };
  }
  for (int p = 0; p < ss; p++) {
    const int f = l.c + p * mm;
    if (!(rom->zero_c >> p & 1u))
      collapse1(r + f, step, mm, &at, k, v + f, g + f);
    else if (ROM_PAD > 1)
      ROM_PUT(g + f) = ROM_PUT(v + f) = (rom_pack){ 0 };
  }
  fields_used(rom, &y0, &y1);
  if (y1 > y0) collapse1(r + y0, step, y1 - y0, &at, k, v + y0, g + y0);
  if (!rom->flat) return;
  for (int i = 0; i < s; i++) at.x[i] = theta[i] - rom->lo[i];
  rom_add_slopes(rom, &at, y0, y1, v, w->gradient);
}

// Sizes that loops are laid out for.
static void interpolate_along(const mw_rom *rom, int k, const double *theta, rom_work *w)
{
  int s = rom->s, m = rom->m;
  if (ROM_IS(s, m, 1, 6))
    interpolate_one(rom, 1, 6, 0, theta, w);
  else if (ROM_IS(s, m, 2, 10))
    interpolate_one(rom, 2, 10, k, theta, w);
  else
    interpolate_one(rom, s, m, k, theta, w);
}

void rom_interpolate(const mw_rom *rom, const mw_rom_opt *opt, const double *theta, rom_work *w)
{
  rom_place at;
  rom_ranges r;
  table t;
  int plain = rom_is_plain(rom), one = plain ? only_axis(rom) : -1;
  if (one >= 0 && opt->inertia == MW_ROM_FULL && !rom_parts(rom) && !rom_acts_curved(rom)) {
    interpolate_along(rom, one, theta, w);
    return;
  }
  rom_place_of(rom, theta, w->train, &at);
  rom_ranges_of(rom, opt, &r);
  rom_clear_edges(rom, opt, w->value, w->gradient);
  if (plain) table_of(rom, &at, &t);
  for (int k = 0; k < r.n; k++) {
    double *g = r.with_gradient[k] ? w->gradient : NULL;
    if (plain)
      table_range(rom, &t, &at, r.from[k], r.end[k], w->value, g);
    else
      rom_interpolate_range(rom, &at, r.from[k], r.end[k], w->value, g);
  }
  if (plain && rom->flat)
    rom_add_slopes(rom, &at, r.from[r.n - 1], r.end[r.n - 1], w->value, w->gradient);
}

static void all_fields(const mw_rom *rom, const rom_place *at, double *value, double *gradient)
{
  clear_flat(rom, 0, rom->n_field, gradient);
  rom_interpolate_range(rom, at, 0, rom->n_field, value, gradient);
}

// A function of its own, so that tables do without this stack.
static void train_fields(const mw_rom *rom, const double *theta, double *value, double *gradient)
{
  double train[2 * (1 + MW_ROM_MAX_S) * MW_ROM_MAX_RANK];
  rom_place at;
  rom_place_of(rom, theta, train, &at);
  all_fields(rom, &at, value, gradient);
}

mw_rom_code mw_rom_fields(const mw_rom *rom, const double *theta, double *value, double *gradient,
                          mw_rom_info *info)
{
  mw_rom_code rc = rom_check_theta(rom, theta, info);
  if (rc != MW_ROM_OK) return rc;
  if (rom->n_train > 0) {
    train_fields(rom, theta, value, gradient);
  } else {
    rom_place at;
    rom_place_of(rom, theta, NULL, &at);
    all_fields(rom, &at, value, gradient);
  }
  return MW_ROM_OK;
}

mw_rom_code mw_rom_outputs(const mw_rom *rom, const double *x, double *y, double *y_dot, void *work,
                           mw_rom_info *info)
{
  mw_rom_code rc = rom_check_state(rom, x, info);
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init(&w, rom, work);
  int s = rom->s, m = rom->m, n = rom->n_field;
  const double *delta = x + s, *thd = x + s + m, *deld = thd + s;
  rom_place at;
  rom_place_of(rom, x, w.train, &at);
  double *gradient = y_dot ? w.gradient : NULL;
  clear_flat(rom, w.lay.y, w.lay.n, gradient);
  rom_interpolate_range(rom, &at, w.lay.y, w.lay.n, w.value, gradient);
  for (int k = 0; k < rom->n_y; k++) {
    int f = w.lay.y + k * (1 + m);
    const double *y0 = w.value + f, *y1 = y0 + 1;
    y[k] = *y0 + rom_dot(m, y1, delta);
    if (!y_dot) continue;
    // dy/dt = sum_i (dy0/dtheta_i + dy1/dtheta_i·delta) thd_i + y1·deld
    y_dot[k] = rom_dot(m, y1, deld);
    for (int i = 0; i < s; i++) {
      const double *dy0 = w.gradient + (size_t)i * (size_t)n + f, *dy1 = dy0 + 1;
      y_dot[k] += (*dy0 + rom_dot(m, dy1, delta)) * thd[i];
    }
  }
  for (int q = 0; q < rom->n_Y; q++) {
    double rate = 0.0;
    rom_add_curvature(rom, q, x, &w, &y[rom->Y_field[q]], y_dot ? &rate : NULL, NULL);
    if (y_dot) y_dot[rom->Y_field[q]] += rate;
  }
  return MW_ROM_OK;
}
