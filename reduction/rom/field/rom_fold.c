// SPDX-License-Identifier: BSD-3-Clause
// rom_fold.c: cyclic and symmetric axes, and the y0 that grow along flat and cyclic ones.
//
//   wrapped = theta - turns W ,  turns = floor((theta - lo)/W) ,  W = hi - lo        cyclic     (1)
//   folded  = lo + hi - wrapped                                  symmetric, beyond mid          (2)
//   y0      = mirror(table + slope (folded - lo)) + slope W turns                               (3)
//
// mirror: signs and shifts of rom.h (6), axis after axis, the last one first: the table is read at
// the folded place of all axes, then each mirror leads one axis back. Cost: one product a field and
// mirrored axis, for value and gradient each. Allocates nothing. Called by rom_eval.c.
#include <math.h>

#include "core/rom_layer.h"

static int within(int f, int f0, int f1) { return f0 <= f && f < f1; }

unsigned mw_rom_fold(const mw_rom *rom, const double *theta, double *at, double *turns)
{
  unsigned mirrored = 0;
  for (int i = 0; i < rom->s; i++) {
    double lo = rom->lo[i], hi = rom->hi[i], x = theta[i], turn = 0.0;
    if (rom->cyclic >> i & 1u) {
      turn = floor((x - lo) / (hi - lo));
      x = fmin(fmax(x - turn * (hi - lo), lo), hi);  // rounding
    }
    if ((rom->symmetric >> i & 1u) && x > 0.5 * (lo + hi)) {
      x = lo + (hi - x);
      mirrored |= 1u << i;
    }
    at[i] = x;
    if (turns) turns[i] = turn;
  }
  return mirrored;
}

// Slopes of (3) in the folded place; gradients of flat axes are these slopes alone.
void rom_add_slopes(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                    double *gradient)
{
  int first = rom_layout_of(rom, rom->s, rom->m).y, size = 1 + rom->m;
  int k0 = f0 > first ? (f0 - first + size - 1) / size : 0;
  for (int i = 0; i < rom->s; i++) {
    int is_flat = rom->flat >> i & 1u;
    if (!((rom->flat | rom->cyclic) >> i & 1u)) continue;
    const double *slope = rom->y_slope + i * rom->n_y;
    double *g = gradient ? gradient + (size_t)i * (size_t)rom->n_field : NULL;
    for (int k = k0; k < rom->n_y && first + k * size < f1; k++) {
      value[first + k * size] += slope[k] * at->x[i];
      if (g) g[first + k * size] = slope[k] + (is_flat ? 0.0 : g[first + k * size]);
    }
  }
}

void rom_add_turns(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value)
{
  int first = rom_layout_of(rom, rom->s, rom->m).y, size = 1 + rom->m;
  for (int i = 0; i < rom->s; i++) {
    if (at->turns[i] == 0.0) continue;
    double way = at->turns[i] * (rom->hi[i] - rom->lo[i]);
    for (int k = 0; k < rom->n_y; k++) {
      int f = first + k * size;
      if (within(f, f0, f1)) value[f] += rom->y_slope[i * rom->n_y + k] * way;
    }
  }
}

// ---- mirror -------------------------------------------------------------------------------------

// x_a *= sign sigma_a
static void flip_vector(int m, double sign, const int *sigma, double *x)
{
  for (int a = 0; a < m; a++) x[a] *= sign * sigma[a];
}

// X_ab *= sign sigma_a sigma_b, X [m × m].
static void flip_whole(int m, double sign, const int *sigma, double *X)
{
  for (int a = 0; a < m; a++) flip_vector(m, sign * sigma[a], sigma, X + a * m);
}

// The same, packed rows of the lower triangle; skew: without the diagonal.
static void flip_matrix(int m, double sign, const int *sigma, int skew, double *X)
{
  for (int a = 0; a < m; a++) {
    int n = skew ? a : a + 1;
    flip_vector(n, sign * sigma[a], sigma, X);
    X += n;
  }
}

// A3 and B2, axis i; sign as below.
static void flip_third(const mw_rom *rom, int i, double sign, double *x)
{
  mw_rom_layout l = rom_layout_of(rom, rom->s, rom->m);
  int s = rom->s, n = rom_n_G(rom), nn = n * (n + 1) / 2;
  const int *sigma = rom->mirror + i * rom->m;
  double *A3 = x + l.A3, *B2 = x + l.B2;
  for (int j = 0; j < s; j++) {
    double s_j = j == i ? -sign : sign;
    for (int k = 0; k <= j; k++)
      for (int a = 0; a < n; a++) {
        flip_matrix(a + 1, (k == i ? -s_j : s_j) * sigma[a], sigma, 0, A3);
        A3 += (a + 1) * (a + 2) / 2;
      }
    for (int a = 0; a < n; a++, B2 += nn) flip_matrix(n, s_j * sigma[a], sigma, 0, B2);
  }
}

// The signs of (6), axis i, on what is in [f0, f1) of the record x; sign: of the whole record.
static void flip(const mw_rom *rom, int i, double sign, int f0, int f1, double *x)
{
  mw_rom_layout l = rom_layout_of(rom, rom->s, rom->m);
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, size = 1 + m;
  const int *sigma = rom->mirror + i * m, *tau = rom->mirror_y + i * rom->n_y;
  int n_pair = s * (s + 1) / 2, with_inertia = within(l.a, f0, f1), with_b = within(l.b, f0, f1),
      with_K = within(l.K, f0, f1), with_e = within(l.e, f0, f1),
      with_H = (rom_parts(rom) & MW_ROM_H) && within(l.H, f0, f1),
      with_G = rom_n_G(rom) > 0 && within(l.G, f0, f1),
      with_CE = (rom_parts(rom) & MW_ROM_CE) && within(l.CE, f0, f1),
      with_CC = (rom_parts(rom) & MW_ROM_CC) && within(l.CC, f0, f1);
  for (int j = 0, k = 0, p = 0; p < n_pair; p++) {
    double s_jk = j != k && (j == i || k == i) ? -sign : sign;
    if (with_inertia) x[l.a + p] *= s_jk;
    if (with_b) flip_vector(m, s_jk, sigma, x + l.b + p * m);
    if (with_e) flip_matrix(m, s_jk, sigma, 0, x + l.c + p * mm);
    if (with_CC) flip_matrix(m, s_jk, sigma, 0, x + l.CC + p * mm);
    if (k++ == j) {
      j++;
      k = 0;
    }
  }
  for (int j = 0; j < s; j++) {
    double s_j = j == i ? -sign : sign;
    if (with_inertia) flip_vector(m, s_j, sigma, x + l.d + j * m);
    if (with_e) flip_matrix(m, s_j, sigma, 1, x + l.e + j * mk);
    if (with_H) flip_matrix(m, s_j, sigma, 0, x + l.H + j * mm);
    if (with_CE) flip_whole(m, s_j, sigma, x + l.CE + j * m * m);
  }
  for (int a = 0, n = rom_n_G(rom); with_G && a < n; a++)
    flip_matrix(n, sign * sigma[a], sigma, 0, x + l.G + a * (n * (n + 1) / 2));
  if ((rom_parts(rom) & MW_ROM_THIRD) && with_G) flip_third(rom, i, sign, x);
  if (with_inertia) {
    x[l.U0] *= sign;
    flip_vector(m, sign, sigma, x + l.U1);
  }
  if (with_K) {
    flip_matrix(m, sign, sigma, 0, x + l.K);
    flip_matrix(m, sign, sigma, 0, x + l.C);
  }
  for (int k = 0, f = l.y; k < rom->n_y; k++, f += size) {
    if (!within(f, f0, f1)) continue;
    x[f] *= sign * tau[k];
    flip_vector(m, sign * tau[k], sigma, x + f + 1);
  }
  for (int q = 0; q < rom->n_Y; q++)
    if (within(l.Y + q * mm, f0, f1))
      flip_matrix(m, sign * tau[rom->Y_field[q]], sigma, 0, x + l.Y + q * mm);
}

// Along flat axes the gradients of the y0 alone are there.
static void flip_flat(const mw_rom *rom, int i, int f0, int f1, double *x)
{
  int first = rom_layout_of(rom, rom->s, rom->m).y, size = 1 + rom->m;
  for (int k = 0, f = first; k < rom->n_y; k++, f += size)
    if (within(f, f0, f1)) x[f] *= rom->mirror_y[i * rom->n_y + k];
}

void rom_mirror(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                double *gradient)
{
  int first = rom_layout_of(rom, rom->s, rom->m).y, size = 1 + rom->m;
  for (int i = rom->s - 1; i >= 0; i--) {
    if (!(at->mirrored >> i & 1u)) continue;
    flip(rom, i, 1.0, f0, f1, value);
    for (int k = 0, f = first; k < rom->n_y; k++, f += size)
      if (within(f, f0, f1)) value[f] += rom->y_shift[i * rom->n_y + k];
    for (int j = 0; gradient && j < rom->s; j++) {
      double *g = gradient + (size_t)j * (size_t)rom->n_field;
      if (rom->flat >> j & 1u)
        flip_flat(rom, i, f0, f1, g);
      else
        flip(rom, i, i == j ? -1.0 : 1.0, f0, f1, g);
    }
  }
}
