// SPDX-License-Identifier: BSD-3-Clause
// rom_eval.c: all fields of the reduced model, and their gradients, at one theta.
//
//   field(theta) = sum_k w_k0(theta_0) w_k1(theta_1) … coef[cell + k]            4^s records    (1)
//
// with the cubic B-spline weights of mw_rom_basis. The sum is collapsed axis by axis, last axis
// first, carrying value and gradient together, so that the gradient costs about as much again as
// the value (s = 2: 44 products a field instead of 48 + 16). Fields are taken in blocks so that the
// partial sums stay in the first-level cache. Cost: one read of 4^s records sets the pace
// (s = 2, 12 modes: 90 KB from the second-level cache in 1.7 µs). A tensor train instead of the
// table: rom_train.c; cyclic and symmetric axes: rom_fold.c. Called by the equations of motion
// (rom_rhs.c, rom_step.c). Allocates nothing.
#include <math.h>

#include "rom_priv.h"

// fields a block: 6 KiB of partial sums for three axes; for more than three, 18 KiB for six
enum { BLOCK = 64, FEW = 16 };

void mw_rom_basis(int n, double lo, double hi, double theta, int *cell, double w[4], double dw[4])
{
  double per = (n - 1) / (hi - lo);
  double x = (theta - lo) * per;
  int c = x > 0.0 ? (x < n - 2 ? (int)x : n - 2) : 0;
  double t = x - c, r = 1.0 - t;
  *cell = c;
  w[0] = r * r * r / 6.0;
  w[1] = (3.0 * t * t * (t - 2.0) + 4.0) / 6.0;
  w[2] = (3.0 * r * r * (r - 2.0) + 4.0) / 6.0;
  w[3] = t * t * t / 6.0;
  dw[0] = -0.5 * r * r * per;
  dw[1] = 0.5 * t * (3.0 * t - 4.0) * per;
  dw[2] = -0.5 * r * (3.0 * r - 4.0) * per;
  dw[3] = 0.5 * t * t * per;
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

// w_0 a + w_1 b + w_2 c + w_3 d
static inline double four(const double *w, double a, double b, double c, double d)
{
  return w[0] * a + (w[1] * b + (w[2] * c + w[3] * d));
}

// sum_k w_k r[k step]
static inline double along(const double *w, const double *r, size_t step)
{
  return four(w, r[0], r[step], r[2 * step], r[3 * step]);
}

static void copy4(const double *from, double *to)
{
  for (int k = 0; k < 4; k++) to[k] = from[k];
}

// One axis: v = sum_k w_k r_k ,  g = sum_k dw_k r_k ; r_k are n doubles, `step` apart.
static void collapse1(const double *restrict r, size_t step, int n, const rom_place *at, int i,
                      double *restrict v, double *restrict g)
{
  double w[4], d[4];
  copy4(at->w[i], w);
  copy4(at->dw[i], d);
  for (int f = 0; f < n; f++) {
    v[f] = along(w, r + f, step);
    g[f] = along(d, r + f, step);
  }
}

// Two axes i and j: v, gi, gj.
static void collapse2(const double *restrict r, size_t step_i, size_t step_j, int n,
                      const rom_place *at, int i, int j, double *restrict v, double *restrict gi,
                      double *restrict gj)
{
  double wi[4], di[4], wj[4], dj[4];
  copy4(at->w[i], wi);
  copy4(at->dw[i], di);
  copy4(at->w[j], wj);
  copy4(at->dw[j], dj);
  const double *r1 = r + step_i, *r2 = r1 + step_i, *r3 = r2 + step_i;
  for (int f = 0; f < n; f++) {
    double v0 = along(wj, r + f, step_j), v1 = along(wj, r1 + f, step_j);
    double v2 = along(wj, r2 + f, step_j), v3 = along(wj, r3 + f, step_j);
    double g0 = along(dj, r + f, step_j), g1 = along(dj, r1 + f, step_j);
    double g2 = along(dj, r2 + f, step_j), g3 = along(dj, r3 + f, step_j);
    v[f] = four(wi, v0, v1, v2, v3);
    gi[f] = four(di, v0, v1, v2, v3);
    gj[f] = four(wi, g0, g1, g2, g3);
  }
}

// Three axes, records step[0 … 2] apart: v, and g along each.
static void collapse3(const double *restrict r, const size_t *step, const int *axis, int n,
                      const rom_place *at, double *restrict v, double *const *g)
{
  double t[4 * BLOCK], t1[4 * BLOCK], t2[4 * BLOCK];
  for (int k = 0; k < 4; k++)
    collapse2(r + (size_t)k * step[0], step[1], step[2], n, at, axis[1], axis[2], t + k * BLOCK,
              t1 + k * BLOCK, t2 + k * BLOCK);
  double w[4];
  copy4(at->w[axis[0]], w);
  collapse1(t, BLOCK, n, at, axis[0], v, g[0]);
  for (int f = 0; f < n; f++) {
    g[1][f] = along(w, t1 + f, BLOCK);
    g[2][f] = along(w, t2 + f, BLOCK);
  }
}

// Four axes and more: the same, one axis after the other; n <= FEW.
static void collapse_many(const double *restrict r, const size_t *step, const int *axis, int n_axis,
                          int n, const rom_place *at, double *restrict v, double *const *g)
{
  double t[4 * FEW], d[MW_ROM_MAX_S - 1][4 * FEW], w[4];
  for (int k = 0; k < 4; k++) {
    const double *from = r + (size_t)k * step[0];
    double *to[MW_ROM_MAX_S - 1];
    for (int j = 0; j + 1 < n_axis; j++) to[j] = d[j] + k * FEW;
    if (n_axis == 4)
      collapse3(from, step + 1, axis + 1, n, at, t + k * FEW, to);
    else
      collapse_many(from, step + 1, axis + 1, n_axis - 1, n, at, t + k * FEW, to);
  }
  copy4(at->w[axis[0]], w);
  collapse1(t, FEW, n, at, axis[0], v, g[0]);
  for (int j = 1; j < n_axis; j++)
    for (int f = 0; f < n; f++) g[j][f] = along(w, d[j - 1] + f, FEW);
}

// Zero gradients along flat axes, which rom_interpolate_range leaves alone but for the y0.
static void clear_flat(const mw_rom *rom, int f0, int f1, double *gradient)
{
  for (int i = 0; gradient && i < rom->s; i++)
    for (int f = f0; (rom->flat >> i & 1u) && f < f1; f++)
      gradient[(size_t)i * (size_t)rom->n_field + (size_t)f] = 0.0;
}

// The sum (1) over the table.
static void table_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                        double *gradient)
{
  // axes that are interpolated, the distance in doubles between neighbouring records along them, and
  // the first record of the cell
  size_t step[MW_ROM_MAX_S] = { 0 }, size = (size_t)rom->n_field, first = 0;
  int axis[MW_ROM_MAX_S] = { 0 }, n_axis = 0;
  for (int i = 0; i < rom->s; i++) n_axis += !(rom->flat >> i & 1u);
  for (int i = rom->s - 1, k = n_axis; i >= 0; i--) {
    if (rom->flat >> i & 1u) continue;
    axis[--k] = i;
    step[k] = size;
    first += (size_t)at->cell[i] * size;
    size *= (size_t)mw_rom_n_knot(rom, i);
  }
  double unused[MW_ROM_MAX_S][BLOCK];
  int block = n_axis > 3 ? FEW : BLOCK;
  for (int f = f0; f < f1; f += block) {
    int n = f1 - f < block ? f1 - f : block;
    const double *r = rom->coef + first + f;
    double *v = value + f, *g[MW_ROM_MAX_S];
    for (int k = 0; k < n_axis; k++)
      g[k] = gradient ? gradient + (size_t)axis[k] * (size_t)rom->n_field + f : unused[k];
    if (n_axis == 0)
      for (int k = 0; k < n; k++) v[k] = r[k];
    else if (n_axis == 1)
      collapse1(r, step[0], n, at, axis[0], v, g[0]);
    else if (n_axis == 2)
      collapse2(r, step[0], step[1], n, at, axis[0], axis[1], v, g[0], g[1]);
    else if (n_axis == 3)
      collapse3(r, step, axis, n, at, v, g);
    else
      collapse_many(r, step, axis, n_axis, n, at, v, g);
  }
}

void rom_interpolate_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                           double *gradient)
{
  if (rom->n_train > 0)
    rom_train_range(rom, at, f0, f1, value, gradient);
  else
    table_range(rom, at, f0, f1, value, gradient);
  if (rom->flat | rom->cyclic) rom_add_slopes(rom, at, f0, f1, value, gradient);
  if (at->mirrored) rom_mirror(rom, at, f0, f1, value, gradient);
  if (rom->cyclic) rom_add_turns(rom, at, f0, f1, value);
}

void rom_fields_used(const mw_rom *rom, int *f0, int *f1)
{
  int lo = rom->n_y, hi = 0, size = 1 + rom->m, y = rom->n_field - rom->n_y * size;
  for (int k = 0; k < rom->n_u + rom->n_law; k++) {
    int field = k < rom->n_u ? rom->u_field[k] : rom->law[k - rom->n_u].field;
    lo = field < lo ? field : lo;
    hi = field + 1 > hi ? field + 1 : hi;
  }
  *f0 = y + lo * size;
  *f1 = y + (hi > lo ? hi : lo) * size;
}

void rom_interpolate(const mw_rom *rom, const mw_rom_opt *opt, const double *theta, rom_work *w)
{
  rom_place at;
  int y0, y1;
  rom_place_of(rom, theta, w->train, &at);
  rom_fields_used(rom, &y0, &y1);
  const mw_rom_layout *lay = &w->lay;
  if (opt->inertia == MW_ROM_FULL && y0 == lay->y && rom->n_train == 0) {
    rom_interpolate_range(rom, &at, 0, y1, w->value, w->gradient);  // in one piece
    return;
  }
  if (opt->inertia == MW_ROM_FULL) {
    rom_interpolate_range(rom, &at, 0, lay->y, w->value, w->gradient);
  } else {  // without b, e and c
    rom_interpolate_range(rom, &at, 0, lay->b, w->value, w->gradient);
    rom_interpolate_range(rom, &at, lay->K, lay->e, w->value, w->gradient);
  }
  rom_interpolate_range(rom, &at, y0, y1, w->value, w->gradient);
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
  clear_flat(rom, w.lay.y, w.lay.n, w.gradient);
  rom_interpolate_range(rom, &at, w.lay.y, w.lay.n, w.value, w.gradient);
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
  return MW_ROM_OK;
}
