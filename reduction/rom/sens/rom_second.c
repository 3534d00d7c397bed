// SPDX-License-Identifier: BSD-3-Clause
// rom_second.c: fields with their first and second derivatives at one theta, in one pass.
//
//   field = sum_k w_k0(theta_0) w_k1(theta_1) … coef[cell + k] ,   dw = w' ,  ddw = w''         (1)
//
// Collapsed axis by axis like rom_eval.c, last axis first, with all derivatives up to order two
// carried along: of v (value), g_j, h_jk of the axes so far, a new axis i makes
//   v <- w v ,  g_j <- w g_j ,  g_i = dw v ,  h_jk <- w h_jk ,  h_ij = dw g_j ,  h_ii = ddw v   (2)
// with the same sums in the same order as there, so that values and gradients have the same bits.
// Tensor trains likewise, matrices in the place of w. Flat axes have no second derivatives, slopes
// and turns add none; a mirrored axis i gives the signs of rom.h (6), and -1 for each of the two
// indices that is i. Cost: s = 2 18 sums of four a field, 11 without second derivatives; s = 1 3
// and 2. Stack: 15 KiB up to three axes, 70 KiB for six. Allocates nothing. Called by
// rom_jacobian.c and rom_outputs.c.
#include <math.h>

#include "rom_derive.h"

// Rows of results of n axes: v, then g of axis j at 1 + j, then h at 1 + n + rom_jac_pair(j, k).
enum { SECOND_MAX_ROW = 1 + MW_ROM_MAX_S + MW_ROM_MAX_S * (MW_ROM_MAX_S + 1) / 2 };
// fields a block: 6 KiB of partial sums for three axes; 60 KiB for six. SECOND_MAX_PART: rows of
// five axes
enum { SECOND_BLOCK = 32, SECOND_MAX_PART = 21, SECOND_STRIP = 256, SECOND_MAX_RANGE = 16 };

// Where to look, and the axes that are not flat.
typedef struct second_place {
  rom_place at;
  double ddw[MW_ROM_MAX_S][4];   // 1/unit², set along axis[]
  double dddw[MW_ROM_MAX_S][4];  // 1/unit³
  int n_axis, axis[MW_ROM_MAX_S];
  size_t step[MW_ROM_MAX_S];  // doubles between neighbouring records of the table along axis[]
  size_t first;               // the first record of the cell
} second_place;

static void second_place_of(const mw_rom *rom, const double *theta, double *train, second_place *p)
{
  static const double cube[4] = { -1.0, 3.0, -3.0, 1.0 };
  rom_place_of(rom, theta, train, &p->at);
  p->n_axis = 0;
  p->first = 0;
  for (int i = 0; i < rom->s; i++) {
    if (rom->flat >> i & 1u) continue;
    double way = rom->hi[i] - rom->lo[i];
    if (rom->symmetric >> i & 1u) way = 0.5 * (rom->lo[i] + rom->hi[i]) - rom->lo[i];
    double per = (rom->n_grid[i] - 1) / way, t = p->at.x[i] * per - p->at.cell[i], r = 1.0 - t;
    double *ddw = p->ddw[i], per2 = per * per;
    ddw[0] = r * per2;
    ddw[1] = (3.0 * t - 2.0) * per2;
    ddw[2] = (3.0 * r - 2.0) * per2;
    ddw[3] = t * per2;
    for (int k = 0; k < 4; k++) p->dddw[i][k] = cube[k] * (per2 * per);
    p->axis[p->n_axis++] = i;
  }
  size_t size = (size_t)rom->n_field;
  for (int k = p->n_axis - 1; k >= 0; k--) {
    p->step[k] = size;
    p->first += (size_t)p->at.cell[p->axis[k]] * size;
    size *= (size_t)mw_rom_n_knot(rom, p->axis[k]);
  }
}

// ---- table --------------------------------------------------------------------------------------

static void second_copy(const double *from, double *to)
{
  for (int k = 0; k < 4; k++) to[k] = from[k];
}

// w_0 a + w_1 b + w_2 c + w_3 d, in the order of rom_eval.c
static inline double second_four(const double *w, double a, double b, double c, double d)
{
  return w[0] * a + (w[1] * b + (w[2] * c + w[3] * d));
}

static inline double second_along(const double *w, const double *r, size_t step)
{
  return second_four(w, r[0], r[step], r[2 * step], r[3 * step]);
}

// out = sum_k w_k r_k, records of n doubles `step` apart.
static void second_sum(const double *w, const double *restrict r, size_t step, int n,
                       double *restrict out)
{
  double c[4];
  second_copy(w, c);
  for (int f = 0; f < n; f++) out[f] = second_along(c, r + f, step);
}

// Axis k alone: out [3 × SECOND_BLOCK], n of them in each row.
static void second_one(const second_place *p, int k, const double *restrict r, int n,
                       double *restrict out)
{
  size_t step = p->step[k];
  double W[4], D[4], H[4];
  second_copy(p->at.w[p->axis[k]], W);
  second_copy(p->at.dw[p->axis[k]], D);
  second_copy(p->ddw[p->axis[k]], H);
  for (int f = 0; f < n; f++) {
    out[f] = second_along(W, r + f, step);
    out[SECOND_BLOCK + f] = second_along(D, r + f, step);
    out[2 * SECOND_BLOCK + f] = second_along(H, r + f, step);
  }
}

// Axes k and k + 1: out [6 × SECOND_BLOCK].
static void second_two(const second_place *p, int k, const double *restrict r, int n,
                       double *restrict out)
{
  size_t a = p->step[k], b = p->step[k + 1];
  double Wi[4], Di[4], Hi[4], Wj[4], Dj[4], Hj[4];
  second_copy(p->at.w[p->axis[k]], Wi);
  second_copy(p->at.dw[p->axis[k]], Di);
  second_copy(p->ddw[p->axis[k]], Hi);
  second_copy(p->at.w[p->axis[k + 1]], Wj);
  second_copy(p->at.dw[p->axis[k + 1]], Dj);
  second_copy(p->ddw[p->axis[k + 1]], Hj);
  const double *r1 = r + a, *r2 = r1 + a, *r3 = r2 + a;
  for (int f = 0; f < n; f++) {
    double v0 = second_along(Wj, r + f, b), v1 = second_along(Wj, r1 + f, b);
    double v2 = second_along(Wj, r2 + f, b), v3 = second_along(Wj, r3 + f, b);
    double g0 = second_along(Dj, r + f, b), g1 = second_along(Dj, r1 + f, b);
    double g2 = second_along(Dj, r2 + f, b), g3 = second_along(Dj, r3 + f, b);
    double h0 = second_along(Hj, r + f, b), h1 = second_along(Hj, r1 + f, b);
    double h2 = second_along(Hj, r2 + f, b), h3 = second_along(Hj, r3 + f, b);
    out[f] = second_four(Wi, v0, v1, v2, v3);
    out[SECOND_BLOCK + f] = second_four(Di, v0, v1, v2, v3);
    out[2 * SECOND_BLOCK + f] = second_four(Wi, g0, g1, g2, g3);
    out[3 * SECOND_BLOCK + f] = second_four(Hi, v0, v1, v2, v3);
    out[4 * SECOND_BLOCK + f] = second_four(Di, g0, g1, g2, g3);
    out[5 * SECOND_BLOCK + f] = second_four(Wi, h0, h1, h2, h3);
  }
}

// Axes k and after: out [rows × SECOND_BLOCK].
static void second_many(const second_place *p, int k, const double *r, int n, double *out)
{
  int left = p->n_axis - k, sub = left - 1, n_row = 1 + sub + sub * (sub + 1) / 2;
  if (left == 1) {
    second_one(p, k, r, n, out);
    return;
  }
  if (left == 2) {
    second_two(p, k, r, n, out);
    return;
  }
  // rows of the later axes at the four knots of this one
  double part[4 * SECOND_MAX_PART * SECOND_BLOCK];
  size_t step = (size_t)n_row * SECOND_BLOCK;
  for (int knot = 0; knot < 4; knot++)
    second_many(p, k + 1, r + (size_t)knot * p->step[k], n, part + (size_t)knot * step);
  const double *w = p->at.w[p->axis[k]], *dw = p->at.dw[p->axis[k]], *ddw = p->ddw[p->axis[k]];
  double *h = out + (1 + left) * SECOND_BLOCK;
  second_sum(w, part, step, n, out);
  second_sum(dw, part, step, n, out + SECOND_BLOCK);
  second_sum(ddw, part, step, n, h);
  for (int j = 0; j < sub; j++) {
    const double *g = part + (1 + j) * SECOND_BLOCK;
    second_sum(w, g, step, n, out + (2 + j) * SECOND_BLOCK);
    second_sum(dw, g, step, n, h + rom_jac_pair(j + 1, 0) * SECOND_BLOCK);
    for (int l = 0; l <= j; l++)
      second_sum(w, part + (1 + sub + rom_jac_pair(j, l)) * SECOND_BLOCK, step, n,
                 h + rom_jac_pair(j + 1, l + 1) * SECOND_BLOCK);
  }
}

static void second_table(const mw_rom *rom, const second_place *p, int f0, int f1,
                         double *const *out)
{
  double block[SECOND_MAX_ROW * SECOND_BLOCK];
  int n_row = 1 + p->n_axis + p->n_axis * (p->n_axis + 1) / 2;
  for (int f = f0; f < f1; f += SECOND_BLOCK) {
    int n = f1 - f < SECOND_BLOCK ? f1 - f : SECOND_BLOCK;
    const double *r = rom->coef + p->first + f;
    if (p->n_axis > 0) second_many(p, 0, r, n, block);
    for (int q = 0; q < n_row; q++) {
      const double *from = p->n_axis > 0 ? block + q * SECOND_BLOCK : r;
      for (int k = 0; k < n; k++) out[q][f + k] = from[k];
    }
  }
}

// ---- trains -------------------------------------------------------------------------------------

// y[q] += a (w_0 G_0[q] + … + w_3 G_3[q]), G_k `step` doubles apart.
static void second_add_row(int n, double a, const double w[4], const double *restrict G,
                           size_t step, double *restrict y)
{
  double w0 = a * w[0], w1 = a * w[1], w2 = a * w[2], w3 = a * w[3];
  const double *G1 = G + step, *G2 = G1 + step, *G3 = G2 + step;
  for (int q = 0; q < n; q++) y[q] = w0 * G[q] + (w1 * G1[q] + (w2 * G2[q] + (w3 * G3[q] + y[q])));
}

// One axis, the n-th of N, of rows [cap] in `from`, r of them long, into `to`, rn long: (2).
static void second_contract_axis(const second_place *p, int N, int n, const double *G, int r,
                                 int rn, int cap, const double *from, double *to)
{
  int i = p->axis[n], h = 1 + N;
  const double *w = p->at.w[i], *dw = p->at.dw[i];
  size_t step = (size_t)r * (size_t)rn;
  for (int k = 0; k < (1 + N + N * (N + 1) / 2) * cap; k++) to[k] = 0.0;
  for (int q = 0; q < r; q++) {
    const double *row = G + (size_t)q * (size_t)rn, *at = from + q;
    second_add_row(rn, at[0], w, row, step, to);
    second_add_row(rn, at[0], dw, row, step, to + (1 + n) * cap);
    second_add_row(rn, at[0], p->ddw[i], row, step, to + (h + rom_jac_pair(n, n)) * cap);
    for (int j = 0; j < n; j++) {
      second_add_row(rn, at[(1 + j) * cap], w, row, step, to + (1 + j) * cap);
      second_add_row(rn, at[(1 + j) * cap], dw, row, step, to + (h + rom_jac_pair(n, j)) * cap);
    }
    for (int jk = 0; jk < n * (n + 1) / 2; jk++)
      second_add_row(rn, at[(h + jk) * cap], w, row, step, to + (h + jk) * cap);
  }
}

// to[j] += sum_q v[j cap + q] field_q over fields f0 … f1-1 of the record, all of them in t.
static void second_product(const mw_rom_train *t, int r, const double *v, int cap, int f0, int f1,
                           int n, double *const *to)
{
  size_t step = (size_t)t->n_field;
  for (int f = f0; f < f1; f += SECOND_STRIP) {
    int w = f1 - f < SECOND_STRIP ? f1 - f : SECOND_STRIP, q = 0;
    const double *F = t->field + (f - t->first);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < w; k++) to[j][f + k] = 0.0;
    for (; q + 4 <= r; q += 4)
      for (int j = 0; j < n; j++)
        second_add_row(w, 1.0, v + j * cap + q, F + (size_t)q * step, step, to[j] + f);
    for (; q < r; q++)
      for (int j = 0; j < n; j++) {
        double c = v[j * cap + q];
        const double *Fq = F + (size_t)q * step;
        for (int k = 0; k < w; k++) to[j][f + k] = c * Fq[k] + to[j][f + k];
      }
  }
}

static int second_cap(const mw_rom *rom, const mw_rom_train *t)
{
  int r = 0;
  for (int i = 0; i < rom->s; i++) r = t->rank[i] > r ? t->rank[i] : r;
  return r;
}

int rom_second_doubles(const mw_rom *rom)
{
  return 2 * (1 + rom->s + rom->s * (rom->s + 1) / 2) * rom_train_rank(rom);
}

// Parts of the record that are wanted.
typedef struct second_ranges {
  int n, from[SECOND_MAX_RANGE], end[SECOND_MAX_RANGE];
} second_ranges;

static void second_trains(const mw_rom *rom, const second_place *p, const second_ranges *want,
                          double *scratch, double *const *out)
{
  int N = p->n_axis, n_row = 1 + N + N * (N + 1) / 2;
  for (int k = 0; k < rom->n_train; k++) {
    const mw_rom_train *t = &rom->train[k];
    int cap = second_cap(rom, t), r = 1;
    double *from = scratch, *to = scratch + (size_t)n_row * (size_t)cap;
    from[0] = 1.0;
    for (int n = 0; n < N; n++) {
      int i = p->axis[n], rn = t->rank[i];
      const double *G = t->core[i] + (size_t)p->at.cell[i] * (size_t)r * (size_t)rn;
      second_contract_axis(p, N, n, G, r, rn, cap, from, to);
      double *swap = from;
      from = to;
      to = swap;
      r = rn;
    }
    for (int q = 0; q < want->n; q++) {
      int f0 = want->from[q] > t->first ? want->from[q] : t->first, f1 = t->first + t->n_field;
      if (want->end[q] < f1) f1 = want->end[q];
      if (f0 < f1) second_product(t, r, from, cap, f0, f1, n_row, out);
    }
  }
}

// ---- the whole ----------------------------------------------------------------------------------

static void second_add_range(int from, int end, second_ranges *r)
{
  if (r->n == SECOND_MAX_RANGE)
    r->end[r->n - 1] = end;  // what lies between comes too
  else {
    r->from[r->n] = from;
    r->end[r->n++] = end;
  }
}

static int second_is_driven(const mw_rom *rom, int k)
{
  for (int j = 0; j < rom->n_u; j++)
    if (rom->u_field[j] == k) return 1;
  for (int j = 0; j < rom->n_law; j++)
    if (rom->law[j].field == k) return 1;
  return 0;
}

// Ranges before the fields y, then runs of fields y: all of them, or those that forces act along.
static int second_wanted(const mw_rom *rom, int full, int all_y, int with_C, second_ranges *r)
{
  mw_rom_layout l = rom_layout_of(rom, rom->s, rom->m);
  int end_K = with_C ? l.e : l.C, size = 1 + rom->m, mm = rom->m * (rom->m + 1) / 2;
  r->n = 0;
  if (full && with_C)
    second_add_range(0, l.y, r);
  else if (full) {
    second_add_range(0, end_K, r);
    second_add_range(l.e, l.CE, r);
  } else {
    second_add_range(0, l.b, r);
    second_add_range(l.K, end_K, r);
  }
  if (with_C && !full && l.CE < l.y) second_add_range(l.CE, l.y, r);
  int n_before = r->n;
  for (int k = 0, run = 0; k < rom->n_y; k++) {
    int is = all_y || second_is_driven(rom, k);
    if (is && run)
      r->end[r->n - 1] = l.y + (k + 1) * size;
    else if (is)
      second_add_range(l.y + k * size, l.y + (k + 1) * size, r);
    run = is;
  }
  for (int q = 0; q < rom->n_Y; q++)
    if (all_y || second_is_driven(rom, rom->Y_field[q]))
      second_add_range(l.Y + q * mm, l.Y + (q + 1) * mm, r);
  return n_before;
}

// Fields y k0 … k1-1, y [k1 - k0 × (1 + m)], *= sign and the signs of mirror i; only_y0: the rest
// is not there.
static void second_flip_y(const mw_rom *rom, int i, double sign, int only_y0, int k0, int k1,
                          double *y)
{
  int m = rom->m;
  const int *sigma = rom->mirror + i * m, *tau = rom->mirror_y + i * rom->n_y;
  for (int k = k0; k < k1; k++, y += 1 + m) {
    double t = sign * tau[k];
    y[0] *= t;
    for (int a = 0; !only_y0 && a < m; a++) y[1 + a] *= t * sigma[a];
  }
}

// Fields y in [f0, f1) in the mirror i: value, gradient and second derivatives.
static void second_mirror_y(const mw_rom *rom, const second_place *p, int i, int f0, int f1,
                            const rom_jac *j)
{
  size_t n = (size_t)rom->n_field;
  int size = 1 + rom->m, k0 = (f0 - j->lay.y) / size, k1 = (f1 - j->lay.y) / size;
  second_flip_y(rom, i, 1.0, 0, k0, k1, j->value + f0);
  for (int k = k0; k < k1; k++) j->value[j->lay.y + k * size] += rom->y_shift[i * rom->n_y + k];
  for (int k = 0; k < rom->s; k++)
    second_flip_y(rom, i, k == i ? -1.0 : 1.0, (int)(rom->flat >> k & 1u), k0, k1,
                  j->gradient + (size_t)k * n + f0);
  for (int k = 0; k < p->n_axis; k++)
    for (int l = 0; l <= k; l++) {
      int ak = p->axis[k], al = p->axis[l];
      second_flip_y(rom, i, (ak == i) != (al == i) ? -1.0 : 1.0, 0, k0, k1,
                    j->hessian + (size_t)rom_jac_pair(ak, al) * n + f0);
    }
}

// The same of what comes before the fields y.
static void second_mirror(const mw_rom *rom, const second_place *p, int i, int f0, int f1,
                          const rom_jac *j)
{
  rom_place one = p->at;
  one.mirrored = 1u << i;
  rom_mirror(rom, &one, f0, f1, j->value, j->gradient);
  for (int k = 0; k < p->n_axis; k++)
    for (int l = 0; l <= k; l++) {
      int ak = p->axis[k], al = p->axis[l];
      double *h = j->hessian + (size_t)rom_jac_pair(ak, al) * (size_t)rom->n_field;
      rom_mirror(rom, &one, f0, f1, h, NULL);
      for (int f = f0; (ak == i) != (al == i) && f < f1; f++) h[f] = -h[f];
    }
}

void rom_interpolate_second(const mw_rom *rom, const mw_rom_opt *opt, const double *theta,
                            int all_y, rom_jac *j)
{
  second_place p;
  second_ranges want;
  double *out[SECOND_MAX_ROW];
  size_t n = (size_t)rom->n_field;
  mw_rom_layout lay = rom_layout_of(rom, rom->s, rom->m);
  // the second derivatives of C are of no use, but a mirror takes K and C together
  int with_C = rom->n_train > 0 || rom->symmetric != 0;
  int n_before = second_wanted(rom, opt->inertia == MW_ROM_FULL, all_y, with_C, &want);
  rom_clear_edges(rom, opt, j->value, j->gradient);
  second_place_of(rom, theta, j->train, &p);
  out[0] = j->value;
  for (int k = 0; k < p.n_axis; k++) {
    out[1 + k] = j->gradient + (size_t)p.axis[k] * n;
    for (int l = 0; l <= k; l++)
      out[1 + p.n_axis + rom_jac_pair(k, l)] =
          j->hessian + (size_t)rom_jac_pair(p.axis[k], p.axis[l]) * n;
  }
  if (rom->n_train > 0)
    second_trains(rom, &p, &want, j->train, out);
  else
    for (int q = 0; q < want.n; q++) second_table(rom, &p, want.from[q], want.end[q], out);
  if (!with_C) rom_interpolate_range(rom, &p.at, lay.C, lay.e, j->value, j->gradient);
  if (!with_C && lay.CE < lay.y)
    rom_interpolate_range(rom, &p.at, lay.CE, lay.y, j->value, j->gradient);
  for (int q = 0; q < want.n; q++) {
    int f0 = want.from[q], f1 = want.end[q];
    if (rom->flat | rom->cyclic) rom_add_slopes(rom, &p.at, f0, f1, j->value, j->gradient);
    for (int i = rom->s - 1; i >= 0; i--) {
      if (!(p.at.mirrored >> i & 1u)) continue;
      int y_end = f1 < lay.Y ? f1 : lay.Y, Y_from = f0 > lay.Y ? f0 : lay.Y;
      if (q < n_before) {
        second_mirror(rom, &p, i, f0, f1, j);
        continue;
      }
      if (f0 < y_end) second_mirror_y(rom, &p, i, f0, y_end, j);
      if (Y_from < f1) second_mirror(rom, &p, i, Y_from, f1, j);
    }
    if (rom->cyclic) rom_add_turns(rom, &p.at, f0, f1, j->value);
  }
}

// ---- third derivatives --------------------------------------------------------------------------
//
//   sum_ij v_i v_j field,ijl = 2 × coefficient of t² in field,l (theta + t v)                   (3)
// A product over the axes of polynomials in t, the weights' own (1, t, t²/2), of axis l those of
// dw.

static void second_jet(const second_place *p, int i, double v, int derived, double jet[3][4])
{
  const double *d[4] = { p->at.w[i], p->at.dw[i], p->ddw[i], p->dddw[i] };
  for (int k = 0; k < 4; k++) {
    jet[0][k] = d[derived][k];
    jet[1][k] = v * d[derived + 1][k];
    jet[2][k] = 0.5 * (v * v) * d[derived + 2][k];
  }
}

// Along axis l, over the table: n doubles from `offset` of the record.
static void second_third_table(const mw_rom *rom, const second_place *p, const double *v, int l,
                               int offset, int n, double *out)
{
  double jet[MW_ROM_MAX_S][3][4];
  int n_corner = 1;
  for (int k = 0; k < p->n_axis; k++, n_corner *= 4)
    second_jet(p, p->axis[k], v[p->axis[k]], k == l, jet[k]);
  for (int f = 0; f < n; f++) out[f] = 0.0;
  for (int corner = 0; corner < n_corner; corner++) {
    double c0 = 1.0, c1 = 0.0, c2 = 0.0;
    const double *r = rom->coef + p->first + offset;
    for (int k = 0, rest = corner; k < p->n_axis; k++, rest /= 4) {
      int q = rest % 4;
      double j0 = jet[k][0][q], j1 = jet[k][1][q], j2 = jet[k][2][q];
      c2 = (c2 * j0 + c1 * j1) + c0 * j2;
      c1 = c1 * j0 + c0 * j1;
      c0 *= j0;
      r += (size_t)q * p->step[k];
    }
    for (int f = 0; f < n; f++) out[f] += 2.0 * c2 * r[f];
  }
}

// The same of the trains; out indexed by field - offset.
static void second_third_train(const mw_rom *rom, const second_place *p, const double *v, int l,
                               int offset, double *scratch, double *out)
{
  for (int k = 0; k < rom->n_train; k++) {
    const mw_rom_train *t = &rom->train[k];
    int cap = second_cap(rom, t), r = 1;
    if (t->first + t->n_field <= offset) continue;
    double *from = scratch, *to = scratch + 3 * cap, jet[3][4];
    from[0] = 1.0;
    from[cap] = from[2 * cap] = 0.0;
    for (int n = 0; n < p->n_axis; n++) {
      int i = p->axis[n], rn = t->rank[i];
      size_t step = (size_t)r * (size_t)rn;
      const double *G = t->core[i] + (size_t)p->at.cell[i] * step;
      second_jet(p, i, v[i], n == l, jet);
      for (int q = 0; q < 3 * cap; q++) to[q] = 0.0;
      for (int q = 0; q < r; q++)
        for (int a = 0; a < 3; a++)
          for (int b = 0; a + b < 3; b++)
            second_add_row(rn, from[a * cap + q], jet[b], G + (size_t)q * (size_t)rn, step,
                           to + (a + b) * cap);
      double *swap = from;
      from = to;
      to = swap;
      r = rn;
    }
    int first = offset > t->first ? offset : t->first, n = t->first + t->n_field - first;
    for (int f = 0; f < n; f++) out[first - offset + f] = 0.0;
    for (int q = 0; q < r; q++)
      for (int f = 0; f < n; f++)
        out[first - offset + f] +=
            2.0 * from[2 * cap + q] *
            t->field[(size_t)q * (size_t)t->n_field + (size_t)(first - t->first + f)];
  }
}

// Fields y [n_y] and the Y behind them, *= sign and the signs of mirror i.
static void second_flip_third(const mw_rom *rom, int i, double sign, int n_y, double *y)
{
  int m = rom->m;
  const int *sigma = rom->mirror + i * m, *tau = rom->mirror_y + i * rom->n_y;
  second_flip_y(rom, i, sign, 0, 0, rom->n_y, y);
  y += n_y;
  for (int q = 0; q < rom->n_Y; q++)
    for (int a = 0; a < m; a++)
      for (int b = 0; b <= a; b++) *y++ *= sign * tau[rom->Y_field[q]] * sigma[a] * sigma[b];
}

void rom_interpolate_third(const mw_rom *rom, const double *theta, const double *v, rom_jac *j)
{
  second_place p;
  double folded[MW_ROM_MAX_S];
  int size = j->lay.n - j->lay.y, n_y = rom->n_y * (1 + rom->m);
  second_place_of(rom, theta, j->train, &p);
  for (int i = 0; i < rom->s; i++) folded[i] = p.at.mirrored >> i & 1u ? -v[i] : v[i];
  for (int f = 0; f < rom->s * size; f++) j->third[f] = 0.0;
  for (int l = 0; l < p.n_axis; l++) {
    double *out = j->third + p.axis[l] * size;
    if (rom->n_train > 0)
      second_third_train(rom, &p, folded, l, j->lay.y, j->train, out);
    else
      second_third_table(rom, &p, folded, l, j->lay.y, size, out);
    for (int i = rom->s - 1; i >= 0; i--)
      if (p.at.mirrored >> i & 1u) second_flip_third(rom, i, i == p.axis[l] ? -1.0 : 1.0, n_y, out);
  }
}
