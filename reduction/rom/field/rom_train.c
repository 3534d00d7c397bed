// SPDX-License-Identifier: BSD-3-Clause
// rom_train.c: fields and gradients from tensor trains, rom.h (7).
//
//   v <- v H ,  g_j <- g_j H  (j before i) ,  g_i <- v dH ,   axis after axis                   (1)
//   H = sum_k w_k G_i[cell + k] ,  dH = sum_k dw_k G_i[cell + k]
//   value = v field ,  gradient_j = g_j field                                                   (2)
//
// with the weights of mw_rom_basis: the same interpolant as that of the whole table, and its exact
// derivative. Each train that a range needs is contracted for it. (2) sets the pace: (1 + axes) ×
// rank products a field and one read of field [rank × n_field], WIDTH fields and four rows at a
// time. Sums have a fixed order. Allocates nothing.
#include "core/rom_layer.h"

enum { WIDTH = 256 };  // fields: four rows of 2 KiB, and as much of each sum, stay close

static int largest_rank(const mw_rom *rom, const mw_rom_train *t)
{
  int r = 0;
  for (int i = 0; i < rom->s; i++) r = t->rank[i] > r ? t->rank[i] : r;
  return r;
}

int rom_train_rank(const mw_rom *rom)
{
  int r = 0;
  for (int k = 0; k < rom->n_train; k++) {
    int of = largest_rank(rom, &rom->train[k]);
    r = of > r ? of : r;
  }
  return r;
}

// y[q] += a (w_0 G_0[q] + … + w_3 G_3[q]), G_k `step` doubles apart.
static void add_row(int n, double a, const double w[4], const double *restrict G, size_t step,
                    double *restrict y)
{
  double w0 = a * w[0], w1 = a * w[1], w2 = a * w[2], w3 = a * w[3];
  const double *G1 = G + step, *G2 = G1 + step, *G3 = G2 + step;
  for (int q = 0; q < n; q++) y[q] = w0 * G[q] + (w1 * G1[q] + (w2 * G2[q] + (w3 * G3[q] + y[q])));
}

// (1): v and g_j [1 + axes × cap], in work.
static const double *contract(const mw_rom *rom, const mw_rom_train *t, const rom_place *at,
                              int cap, double *work)
{
  int n = 0, r = 1;
  double *from = work, *to = work + (size_t)(1 + rom->s) * (size_t)cap;
  from[0] = 1.0;
  for (int i = 0; i < rom->s; i++) {
    if (rom->flat >> i & 1u) continue;
    int rn = t->rank[i];
    size_t step = (size_t)r * (size_t)rn;
    const double *G = t->core[i] + (size_t)at->cell[i] * step;
    for (int j = 0; j <= n + 1; j++)
      for (int q = 0; q < rn; q++) to[j * cap + q] = 0.0;
    for (int p = 0; p < r; p++) {
      const double *row = G + (size_t)p * (size_t)rn;
      for (int j = 0; j <= n; j++)
        add_row(rn, from[j * cap + p], at->w[i], row, step, to + j * cap);
      add_row(rn, from[p], at->dw[i], row, step, to + (n + 1) * cap);
    }
    double *swap = from;
    from = to;
    to = swap;
    r = rn;
    n++;
  }
  return from;
}

// y[k] += sum_q c[q] F_q[k] for four rows F_q, step apart.
static void add4(int n, const double *c, const double *restrict F, size_t step, double *restrict y)
{
  double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  const double *F1 = F + step, *F2 = F1 + step, *F3 = F2 + step;
  for (int k = 0; k < n; k++) y[k] = c0 * F[k] + (c1 * F1[k] + (c2 * F2[k] + (c3 * F3[k] + y[k])));
}

static void add1(int n, double c, const double *restrict F, double *restrict y)
{
  for (int k = 0; k < n; k++) y[k] = c * F[k] + y[k];
}

// (2): fields f0 … f1-1 of the record, all of them in t, from v [n × cap] into the rows to [n].
static void product(const mw_rom_train *t, int r, const double *v, int cap, int f0, int f1, int n,
                    double *const *to)
{
  size_t step = (size_t)t->n_field;
  for (int f = f0; f < f1; f += WIDTH) {
    int w = f1 - f < WIDTH ? f1 - f : WIDTH, q = 0;
    const double *F = t->field + (f - t->first);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < w; k++) to[j][f + k] = 0.0;
    for (; q + 4 <= r; q += 4)
      for (int j = 0; j < n; j++) add4(w, v + j * cap + q, F + (size_t)q * step, step, to[j] + f);
    for (; q < r; q++)
      for (int j = 0; j < n; j++) add1(w, v[j * cap + q], F + (size_t)q * step, to[j] + f);
  }
}

void rom_train_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                     double *gradient)
{
  double *to[1 + MW_ROM_MAX_S];
  int n = 0, last = 0;
  to[n++] = value;
  for (int i = 0; i < rom->s; i++) {
    if (rom->flat >> i & 1u) continue;
    last = i;
    if (gradient) to[n++] = gradient + (size_t)i * (size_t)rom->n_field;
  }
  for (int k = 0; k < rom->n_train; k++) {
    const mw_rom_train *t = &rom->train[k];
    int from = f0 > t->first ? f0 : t->first, end = t->first + t->n_field;
    if (f1 < end) end = f1;
    if (from >= end) continue;
    int cap = largest_rank(rom, t);
    product(t, t->rank[last], contract(rom, t, at, cap, at->train), cap, from, end, n, to);
  }
}
