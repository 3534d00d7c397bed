// SPDX-License-Identifier: BSD-3-Clause
// rom_train.c: fields and gradients from a tensor train, rom.h (7).
//
//   v <- v H ,  g_j <- g_j H  (j before i) ,  g_i <- v dH ,   axis after axis                      (1)
//   H = sum_k w_k G_i[cell + k] ,  dH = sum_k dw_k G_i[cell + k]
//   value_f = v·field_f ,  gradient_jf = g_j·field_f                                               (2)
//
// with the weights of mw_rom_basis: the same interpolant as that of the whole table, and its exact
// derivative. (2) sets the pace: (1 + axes) × rank products a field and one read of field [n_field ×
// rank], in order. Sums have a fixed order. Allocates nothing.
#include "rom_priv.h"

enum { LANES = 8 };

int rom_train_rank(const mw_rom *rom)
{
  int r = 0;
  for (int i = 0; i < rom->s; i++) r = rom->train.rank[i] > r ? rom->train.rank[i] : r;
  return r;
}

// y[q] += a (w_0 G_0[q] + … + w_3 G_3[q]), G_k `step` doubles apart.
static void add_row(int n, double a, const double w[4], const double *restrict G, size_t step,
                    double *restrict y)
{
  double w0 = a * w[0], w1 = a * w[1], w2 = a * w[2], w3 = a * w[3];
  const double *G1 = G + step, *G2 = G1 + step, *G3 = G2 + step;
  for (int q = 0; q < n; q++)
    y[q] = rom_madd(w0, G[q], rom_madd(w1, G1[q], rom_madd(w2, G2[q], rom_madd(w3, G3[q], y[q]))));
}

void rom_train_contract(const mw_rom *rom, rom_place *at, double *work)
{
  int cap = rom_train_rank(rom), n = 0, r = 1;
  double *from = work, *to = work + (size_t)(1 + rom->s) * (size_t)cap;
  from[0] = 1.0;
  for (int i = 0; i < rom->s; i++) {
    if (rom->flat >> i & 1u) continue;
    int rn = rom->train.rank[i];
    size_t step = (size_t)r * (size_t)rn;
    const double *G = rom->train.core[i] + (size_t)at->cell[i] * step;
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
  at->train = from;
}

// out[j] = v_j·f for n_v vectors, cap apart. n_v is a constant where this is inlined.
static inline void dots(int n_v, int r, const double *restrict v, int cap, const double *restrict f,
                        double *restrict out)
{
  double p[4][LANES] = { { 0 } };
  int q = 0;
  for (; q + LANES <= r; q += LANES)
    for (int j = 0; j < n_v; j++)
      for (int l = 0; l < LANES; l++) p[j][l] = rom_madd(v[j * cap + q + l], f[q + l], p[j][l]);
  for (int j = 0; j < n_v; j++) {
    double rest = 0.0;
    for (int k = q; k < r; k++) rest = rom_madd(v[j * cap + k], f[k], rest);
    const double *s = p[j];
    out[j] = (((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))) + rest;
  }
}

// Rows v_j, j = 0 … n_v-1 <= 4, of (2) into to[j].
static void rows(const mw_rom *rom, int r, int n_v, const double *v, int cap, int f0, int f1,
                 double *const to[4])
{
  const double *field = rom->train.field;
  double out[4];
  for (int f = f0; f < f1; f++) {
    const double *row = field + (size_t)f * (size_t)r;
    switch (n_v) {
    case 1: dots(1, r, v, cap, row, out); break;
    case 2: dots(2, r, v, cap, row, out); break;
    case 3: dots(3, r, v, cap, row, out); break;
    default: dots(4, r, v, cap, row, out); break;
    }
    for (int j = 0; j < n_v; j++) to[j][f] = out[j];
  }
}

void rom_train_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                     double *gradient)
{
  double *to[1 + MW_ROM_MAX_S];
  int n = 0, r = 1, cap = rom_train_rank(rom);
  to[n++] = value;
  for (int i = 0; i < rom->s; i++) {
    if (rom->flat >> i & 1u) continue;
    r = rom->train.rank[i];
    if (gradient) to[n++] = gradient + (size_t)i * (size_t)rom->n_field;
  }
  for (int j = 0; j < n; j += 4)
    rows(rom, r, n - j < 4 ? n - j : 4, at->train + (size_t)j * (size_t)cap, cap, f0, f1, to + j);
}
