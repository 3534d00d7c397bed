// SPDX-License-Identifier: BSD-3-Clause
// rom_batch.c: rollouts, ROM_LANES at a time: rom_terms.c and rom_exp.c once more, a lane a
// rollout.
//
// Every operation of the single call is done for ROM_LANES rollouts at once in the same order, so a
// lane has the single call's bits. Lanes in one cell of a plain table share its records, which are
// read once. Lanes in different cells of a table of one axis take packs of fields from their own,
// which are turned over into lanes; else each lane's fields are interpolated by the single call's
// code and turned over then. A lane whose step fails stops where it was; the others go on. Cost a
// rollout: an interpolation's arithmetic, and the rest shared by the lanes.
#ifndef ROM_ISA_LANES
#define ROM_ISA_LANES 2
#endif
#define ROM_LANES ROM_ISA_LANES
#include <float.h>
#include <string.h>

#include "core/rom_layer.h"

#include "core/rom_layout.c"
#include "motion/rom_terms.c"
#include "step/rom_exp.c"

// Copies a loop over lanes, so that what it works on stays in registers.
#define EACH_LANE _Pragma("GCC unroll 8")

// Scratch: of the lanes' steps, then of one lane.
typedef struct batch_work {
  rom_work w;       // of reals
  real *x0, *x1;    // [2n]
  real *u;          // [n_u]
  double *lo, *hi;  // [2n]  what rom_check_state allows
  double *fields;   // [lanes × lane_doubles], then [rom_train_doubles]
  double *x;        // [2n]  of one lane
} batch_work;

// Value and gradients of one lane; a train's vectors lie on cache lines of their own.
static size_t lane_doubles(const mw_rom *rom)
{
  return ((size_t)(1 + rom->s) * (size_t)rom->n_field + 7) / 8 * 8;
}

static double *slice_doubles(double *base, size_t *used, size_t n)
{
  double *at = base ? base + *used : NULL;
  *used += (n + 7) / 8 * 8;
  return at;
}

static size_t layout_batch(batch_work *b, const mw_rom *rom, void *mem)
{
  size_t n = 2 * (size_t)(rom->s + rom->m),
         used = rom_work_layout(&b->w, rom, mem) / sizeof(double);
  double *base = mem;
  used = (used + 7) / 8 * 8;
  b->x0 = (real *)(void *)slice_doubles(base, &used, n * ROM_LANES);
  b->x1 = (real *)(void *)slice_doubles(base, &used, n * ROM_LANES);
  b->u = (real *)(void *)slice_doubles(base, &used, (size_t)rom->n_u * ROM_LANES);
  b->lo = slice_doubles(base, &used, n);
  b->hi = slice_doubles(base, &used, n);
  b->fields =
      slice_doubles(base, &used, ROM_LANES * lane_doubles(rom) + (size_t)rom_train_doubles(rom));
  b->x = slice_doubles(base, &used, n);
  b->w.train = b->fields;  // where rom_interpolate finds them
  return (used + 7) / 8 * 8 * sizeof(double);
}

size_t mw_rom_batch_bytes(const mw_rom *rom)
{
  batch_work b;
  size_t lanes = layout_batch(&b, rom, NULL), one = mw_rom_work_bytes(rom);
  return lanes > one ? lanes : one;
}

void rom_law_at(const mw_rom_law *law, real y, real v, real f[6])
{
  for (int l = 0; l < ROM_LANES; l++) {
    double one[6];
    mw_rom_law_eval(law, y[l], v[l], one);
    for (int i = 0; i < 6; i++) f[i][l] = one[i];
  }
}

// ---- fields -------------------------------------------------------------------------------------

// What every lane looks at: its weights, the first record of its cell, and the steps along the
// axes.
typedef struct lanes_place {
  real w[MW_ROM_MAX_S][4], dw[MW_ROM_MAX_S][4];
  real x[MW_ROM_MAX_S];  // distance from lo
  size_t first[ROM_LANES], step[MW_ROM_MAX_S];
  int axis[MW_ROM_MAX_S], n_axis;
  int same;  // all lanes are in one cell
} lanes_place;

// mw_rom_basis; same is cleared where a lane is in another cell than the first.
static void basis_of(int n, double lo, double hi, real theta, int cell[ROM_LANES], int *same,
                     real w[4], real dw[4])
{
  double per = (n - 1) / (hi - lo);
  real x = (theta - lo) * per, c;
  for (int l = 0; l < ROM_LANES; l++) {
    cell[l] = x[l] > 0.0 ? (x[l] < n - 2 ? (int)x[l] : n - 2) : 0;
    *same &= cell[l] == cell[0];
    c[l] = cell[l];
  }
  rom_weights(x - c, per, w, dw);
}

// 0: the table is of another kind, or too large for lanes in different cells.
static int lanes_place_of(const mw_rom *rom, const real *theta, lanes_place *at)
{
  int cell[MW_ROM_MAX_S][ROM_LANES];
  if (!rom_is_plain(rom)) return 0;
  at->same = 1;
  at->n_axis = 0;
  for (int i = 0; i < rom->s; i++) at->n_axis += !(rom->flat >> i & 1u);
  if (at->n_axis > 2) return 0;
  for (int i = 0; i < rom->s; i++) {
    at->x[i] = theta[i] - rom->lo[i];
    if (rom->flat >> i & 1u) continue;
    basis_of(rom->n_grid[i], rom->lo[i], rom->hi[i], theta[i], cell[i], &at->same, at->w[i],
             at->dw[i]);
  }
  size_t size = (size_t)rom->n_field;
  for (int l = 0; l < ROM_LANES; l++) at->first[l] = 0;
  for (int i = rom->s - 1, k = at->n_axis; i >= 0; i--) {
    if (rom->flat >> i & 1u) continue;
    at->axis[--k] = i;
    at->step[k] = size;
    for (int l = 0; l < ROM_LANES; l++) at->first[l] += (size_t)cell[i][l] * size;
    size *= (size_t)mw_rom_n_knot(rom, i);
  }
  return at->same || at->n_axis == 1;
}

static inline real four_of(const real *w, real a, real b, real c, real d)
{
  return w[0] * a + (w[1] * b + (w[2] * c + w[3] * d));
}

static inline real along_of(const real *w, const double *r, size_t step)
{
  return w[0] * r[0] + (w[1] * r[step] + (w[2] * r[2 * step] + w[3] * r[3 * step]));
}

static inline double one_along(const double *w, const double *r, size_t step)
{
  return w[0] * r[0] + (w[1] * r[step] + (w[2] * r[2 * step] + w[3] * r[3 * step]));
}

// Fields f0 … f1-1 of one record, along one axis, along two, as in rom_eval.c; with gradients or
// without.
static void lanes_range(const mw_rom *rom, const lanes_place *at, int f0, int f1, int with_gradient,
                        rom_work *w)
{
  const double *r = rom->coef + at->first[0];
  real *v = w->value, *g[2] = { NULL, NULL };
  for (int k = 0; k < at->n_axis; k++)
    g[k] = w->gradient + (size_t)at->axis[k] * (size_t)rom->n_field;
  if (at->n_axis == 0) {
    for (int f = f0; f < f1; f++) v[f] = rom_set(r[f]);
    return;
  }
  const real *wi = at->w[at->axis[0]], *di = at->dw[at->axis[0]];
  size_t si = at->step[0];
  if (at->n_axis == 1) {
    for (int f = f0; !with_gradient && f < f1; f++) v[f] = along_of(wi, r + f, si);
    for (int f = f0; with_gradient && f < f1; f++) {
      v[f] = along_of(wi, r + f, si);
      g[0][f] = along_of(di, r + f, si);
    }
    return;
  }
  const real *wj = at->w[at->axis[1]], *dj = at->dw[at->axis[1]];
  size_t sj = at->step[1];
  for (int f = f0; f < f1; f++) {
    real a[4], b[4];
    for (int k = 0; k < 4; k++) {
      a[k] = along_of(wj, r + f + (size_t)k * si, sj);
      if (with_gradient) b[k] = along_of(dj, r + f + (size_t)k * si, sj);
    }
    v[f] = four_of(wi, a[0], a[1], a[2], a[3]);
    if (!with_gradient) continue;
    g[0][f] = four_of(di, a[0], a[1], a[2], a[3]);
    g[1][f] = four_of(wi, b[0], b[1], b[2], b[3]);
  }
}

// Numbers of one lane that lie side by side, such as fields of a record.
ROM_INLINE real lane_pack(const double *from)
{
  real r;
  memcpy(&r, from, sizeof r);
  return r;
}

// Rows of lanes to lanes of rows: to[i][l] = row[l][i]; halves change places, then quarters, then
// eighths.
ROM_INLINE void turn_over(real *row, real *to)
{
#if ROM_LANES == 8
  EACH_LANE
  for (int i = 0; i < 4; i++) {
    const real a = row[i], b = row[i + 4];
    row[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    row[i + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  }
  EACH_LANE
  for (int k = 0; k < 4; k++) {
    const int i = k + (k & 2);
    const real a = row[i], b = row[i + 2];
    row[i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    row[i + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  EACH_LANE
  for (int i = 0; i < 8; i += 2) {
    to[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    to[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
#elif ROM_LANES == 4
  const real a = __builtin_shufflevector(row[0], row[2], 0, 1, 4, 5),
             b = __builtin_shufflevector(row[1], row[3], 0, 1, 4, 5),
             c = __builtin_shufflevector(row[0], row[2], 2, 3, 6, 7),
             d = __builtin_shufflevector(row[1], row[3], 2, 3, 6, 7);
  to[0] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  to[1] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  to[2] = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  to[3] = __builtin_shufflevector(c, d, 1, 5, 3, 7);
#else
  to[0] = __builtin_shufflevector(row[0], row[1], 0, 2);
  to[1] = __builtin_shufflevector(row[0], row[1], 1, 3);
#endif
}

// Fields f … f + ROM_LANES - 1 along one axis, each lane in its own cell: packs of its records as
// in rom_eval.c, turned over.
ROM_INLINE void apart_pack(const double *const *r, size_t step, const double w[][4], real *to)
{
  real row[ROM_LANES];
  EACH_LANE
  for (int l = 0; l < ROM_LANES; l++)
    row[l] = w[l][0] * lane_pack(r[l]) +
             (w[l][1] * lane_pack(r[l] + step) +
              (w[l][2] * lane_pack(r[l] + 2 * step) + w[l][3] * lane_pack(r[l] + 3 * step)));
  turn_over(row, to);
}

// Fields f0 … f1-1 along one axis, each lane in its own cell. The last pack ends at f1, and does
// some fields again.
static ROM_APART void apart_range(const mw_rom *rom, const lanes_place *at, int f0, int f1,
                                  int with_gradient, rom_work *w)
{
  const size_t i = (size_t)at->axis[0], step = at->step[0];
  real *v = w->value, *g = w->gradient + i * (size_t)rom->n_field;
  double wl[ROM_LANES][4], dl[ROM_LANES][4];
  const double *r[ROM_LANES];
  for (int l = 0; l < ROM_LANES; l++)
    for (int k = 0; k < 4; k++) {
      wl[l][k] = at->w[i][k][l];
      dl[l][k] = at->dw[i][k][l];
    }
  for (int l = 0; l < ROM_LANES; l++) r[l] = rom->coef + at->first[l];
  for (int f = f0; f < f1 && f1 - f0 < ROM_LANES; f++)
    for (int l = 0; l < ROM_LANES; l++) {
      v[f][l] = one_along(wl[l], r[l] + f, step);
      if (with_gradient) g[f][l] = one_along(dl[l], r[l] + f, step);
    }
  for (int k = f0; k < f1 && f1 - f0 >= ROM_LANES; k += ROM_LANES) {
    const int f = k + ROM_LANES <= f1 ? k : f1 - ROM_LANES;
    const double *at_f[ROM_LANES];
    EACH_LANE
    for (int l = 0; l < ROM_LANES; l++) at_f[l] = r[l] + f;
    apart_pack(at_f, step, (const double(*)[4])wl, v + f);
    if (with_gradient) apart_pack(at_f, step, (const double(*)[4])dl, g + f);
  }
}

// y0 along flat axes.
static void lanes_slopes(const mw_rom *rom, const lanes_place *at, int f0, int f1, rom_work *w)
{
  int size = 1 + rom->m;
  for (int i = 0; i < rom->s; i++) {
    if (!(rom->flat >> i & 1u)) continue;
    real *g = w->gradient + (size_t)i * (size_t)rom->n_field;
    for (int k = 0; k < rom->n_y; k++) {
      int f = w->lay.y + k * size;
      if (f < f0 || f >= f1) continue;
      double slope = rom->y_slope[i * rom->n_y + k];
      w->value[f] += slope * at->x[i];
      g[f] = rom_set(slope);
    }
  }
}

// One row of fields of all lanes, `apart` doubles from lane to lane, a field to a real.
static void deal(const double *from, size_t apart, int f0, int f1, real *to)
{
  int f = f0;
  for (; f + ROM_LANES <= f1; f += ROM_LANES) {
    real row[ROM_LANES];
    EACH_LANE
    for (int l = 0; l < ROM_LANES; l++) row[l] = lane_pack(from + (size_t)l * apart + f);
    turn_over(row, to + f);
  }
  for (; f < f1; f++)
    for (int l = 0; l < ROM_LANES; l++) to[f][l] = from[(size_t)l * apart + (size_t)f];
}

// Lane by lane, by the single call's interpolation. Along flat axes the last range alone, that of
// the y, has a gradient.
static void dealt_ranges(const mw_rom *rom, const real *theta, const rom_ranges *r, rom_work *w)
{
  size_t nf = (size_t)rom->n_field, apart = lane_doubles(rom);
  double *lanes = w->train, *train = lanes + ROM_LANES * apart;
  for (int l = 0; l < ROM_LANES; l++) {
    double one[MW_ROM_MAX_S], *value = lanes + (size_t)l * apart;
    rom_place p;
    for (int i = 0; i < rom->s; i++) one[i] = theta[i][l];
    rom_place_of(rom, one, train, &p);
    for (int k = 0; k < r->n; k++)
      rom_interpolate_range(rom, &p, r->from[k], r->end[k], value,
                            r->with_gradient[k] ? value + nf : NULL);
  }
  for (int k = 0; k < r->n; k++) {
    deal(lanes, apart, r->from[k], r->end[k], w->value);
    for (size_t i = 0; r->with_gradient[k] && i < (size_t)rom->s; i++)
      if (k + 1 == r->n || !(rom->flat >> i & 1u))
        deal(lanes + (i + 1) * nf, apart, r->from[k], r->end[k], w->gradient + i * nf);
  }
}

void rom_interpolate(const mw_rom *rom, const mw_rom_opt *opt, const real *theta, rom_work *w)
{
  lanes_place at;
  rom_ranges r;
  rom_ranges_of(rom, opt, &r);
  if (!lanes_place_of(rom, theta, &at)) {
    dealt_ranges(rom, theta, &r, w);
    return;
  }
  for (int k = 0; k < r.n; k++)
    if (at.same)
      lanes_range(rom, &at, r.from[k], r.end[k], r.with_gradient[k], w);
    else
      apart_range(rom, &at, r.from[k], r.end[k], r.with_gradient[k], w);
  if (rom->flat) lanes_slopes(rom, &at, r.from[r.n - 1], r.end[r.n - 1], w);
}

// ---- rollouts -----------------------------------------------------------------------------------

// One after the other, by mw_rom_step.
static void run_single(const mw_rom *rom, const mw_rom_opt *opt, const mw_rom_batch *b, int first,
                       int n, void *work)
{
  size_t nx = 2 * (size_t)(rom->s + rom->m), nu = (size_t)rom->n_u, steps = (size_t)b->n_step;
  for (size_t r = (size_t)first; r < (size_t)(first + n); r++) {
    double *x = b->x + r * nx;
    b->code[r] = MW_ROM_OK;
    for (b->done[r] = 0; b->done[r] < b->n_step; b->done[r]++) {
      size_t k = r * steps + (size_t)b->done[r];
      b->code[r] = mw_rom_step(
          &(mw_rom_call){ .rom = rom, .opt = opt, .h = b->h, .u = b->u + k * nu, .work = work }, x);
      if (b->code[r] != MW_ROM_OK) break;
      for (size_t i = 0; b->path && i < nx; i++) b->path[k * nx + i] = x[i];
    }
  }
}

// What rom_check_state allows, each bound included; its messages are left to it.
static void set_bounds(const mw_rom *rom, batch_work *w)
{
  int s = rom->s, n = s + rom->m;
  for (int i = 0; i < 2 * n; i++) {
    w->lo[i] = -DBL_MAX;
    w->hi[i] = DBL_MAX;
  }
  for (int i = 0; i < s; i++) {
    if (rom->cyclic >> i & 1u) continue;
    double slack = ROM_BOX_SLACK * (rom->hi[i] - rom->lo[i]);
    w->lo[i] = rom->lo[i] - slack;
    w->hi[i] = rom->hi[i] + slack;
  }
  for (int i = 0; rom->rate_max && i < s; i++) {
    double most = (1.0 + ROM_RATE_SLACK) * rom->rate_max[i];
    if (!(most < DBL_MAX)) continue;
    w->lo[n + i] = -most;
    w->hi[n + i] = most;
  }
  for (int a = 0; a < rom->m; a++) {
    if (!(rom->delta_max[a] < DBL_MAX)) continue;
    w->lo[s + a] = -rom->delta_max[a];
    w->hi[s + a] = rom->delta_max[a];
  }
}

// 1: every lane's x1 is allowed; 0: look closer.
static int all_sound(int nx, const batch_work *w)
{
  rom_truth sound = w->x1[0] == w->x1[0];
  for (int i = 0; i < nx; i++) sound &= (w->x1[i] >= w->lo[i]) & (w->x1[i] <= w->hi[i]);
  int all = 1;
  for (int l = 0; l < ROM_LANES; l++) all &= sound[l] != 0;
  return all;
}

static void check_start(const mw_rom *rom, const mw_rom_batch *b, size_t r, batch_work *w, int l)
{
  size_t nx = 2 * (size_t)(rom->s + rom->m);
  b->done[r] = 0;
  b->code[r] = rom_check_state(rom, b->x + r * nx, NULL);
  if (b->code[r] == MW_ROM_OK && (!isfinite(b->h) || b->h <= 0.0)) b->code[r] = MW_ROM_NAN;
  for (size_t i = 0; i < nx; i++) w->x0[i][l] = b->x[r * nx + i];
}

// Inputs of step k. The state of a rollout that stops here is written.
static void take_inputs(const mw_rom *rom, const mw_rom_opt *opt, const mw_rom_batch *b, size_t r,
                        int k, batch_work *w, int l)
{
  size_t nu = (size_t)rom->n_u, nx = 2 * (size_t)(rom->s + rom->m);
  const double *u = b->u + (r * (size_t)b->n_step + (size_t)k) * nu;
  for (size_t i = 0; i < nu; i++) w->u[i][l] = u[i];
  if (b->code[r] != MW_ROM_OK) return;
  b->code[r] = rom_check_input(rom, opt, u, NULL, NULL);
  for (size_t i = 0; b->code[r] != MW_ROM_OK && i < nx; i++) b->x[r * nx + i] = w->x0[i][l];
}

// The state behind step k, which is sound or is looked at here; a rollout that stops keeps the one
// before.
static void take_end(const mw_rom *rom, const mw_rom_batch *b, size_t r, int k, int sound,
                     batch_work *w, int l)
{
  size_t nx = 2 * (size_t)(rom->s + rom->m);
  if (b->code[r] != MW_ROM_OK) return;
  if (!sound) {
    for (size_t i = 0; i < nx; i++) w->x[i] = w->x1[i][l];
    b->code[r] = rom_check_state(rom, w->x, NULL);
  }
  int ended = b->code[r] != MW_ROM_OK;
  b->done[r] = k + !ended;
  for (size_t i = 0; ended && i < nx; i++) b->x[r * nx + i] = w->x0[i][l];
  double *path = b->path ? b->path + (r * (size_t)b->n_step + (size_t)k) * nx : NULL;
  for (size_t i = 0; path && !ended && i < nx; i++) path[i] = w->x1[i][l];
}

// Rollouts first … first + n - 1, n <= ROM_LANES; lanes beyond do what the last one does.
static void run_lanes(const mw_rom *rom, const mw_rom_opt *opt, const mw_rom_batch *b, int first,
                      int n, batch_work *w)
{
  const mw_rom_call call = { .rom = rom, .opt = opt, .h = b->h };
  int nx = 2 * (rom->s + rom->m), alive = n;
  for (int l = 0; l < n; l++) check_start(rom, b, (size_t)(first + l), w, l);
  for (int l = n; l < ROM_LANES; l++)
    for (int i = 0; i < nx; i++) w->x0[i][l] = w->x0[i][n - 1];
  for (int k = 0; k < b->n_step && alive > 0; k++) {
    for (int l = 0; l < n; l++) take_inputs(rom, opt, b, (size_t)(first + l), k, w, l);
    for (int l = n; l < ROM_LANES; l++)
      for (int i = 0; i < rom->n_u; i++) w->u[i][l] = w->u[i][n - 1];
    rom_exp_step(&call, w->u, w->x0, w->x1, ROM_FIRST | ROM_SECOND, &w->w);
    int sound = all_sound(nx, w);
    alive = 0;
    for (int l = 0; l < n; l++) {
      take_end(rom, b, (size_t)(first + l), k, sound, w, l);
      alive += b->code[first + l] == MW_ROM_OK;
    }
    for (int i = 0; i < nx; i++) w->x0[i] = w->x1[i];
  }
  for (int l = 0; l < n; l++)
    for (int i = 0; b->code[first + l] == MW_ROM_OK && i < nx; i++)
      b->x[(size_t)(first + l) * (size_t)nx + (size_t)i] = w->x0[i][l];
}

void mw_rom_batch_run(const mw_rom *rom, const mw_rom_opt *opt, const mw_rom_batch *batch,
                      int first, int n, void *work)
{
  if (opt->method != MW_ROM_EXPONENTIAL) {
    run_single(rom, opt, batch, first, n, work);
    return;
  }
  batch_work w;
  (void)layout_batch(&w, rom, work);
  set_bounds(rom, &w);
  for (int k = first; k < first + n; k += ROM_LANES)
    run_lanes(rom, opt, batch, k, first + n - k < ROM_LANES ? first + n - k : ROM_LANES, &w);
}
