// SPDX-License-Identifier: BSD-3-Clause
// extra_mass.c: which columns' mass changes with their amplitudes by more than may be left out.
//
// Of the softest column's amplitude δ_1, frequency ω_1: a quasi-static δ_a is some (ω_1/ω_a)² δ_1, so that ½ w·E w over ½ w·w is
//   2 δ_1 |G_abc| f_a f_b f_c ,   f_a = (ω_1/ω_a)²                                                       (1)
// It matters where a coordinate that may be free is light: its inertia A − B Bᵀ is the small difference a_ii − Σ d_ia², which H δ in
// B changes to first order, and only (I + E)⁻¹ between B and Bᵀ follows.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "extra_priv.h"

bool mw_mass_is_light(const mw_reduction *r, const double *records, int n_y, int i)
{
  static const double LIGHT = 0.05;  // of a_ii
  const mw_rom_layout lay = mw_rom_layout_of((mw_rom_shape){ .s = r->s, .m = r->m, .n_y = n_y });
  double own = 1.0;
  for (size_t g = 0; g < (size_t)r->n_point; g++) {
    const double *rec = records + g * (size_t)lay.n, *d = rec + lay.d + i * r->m;
    double a = rec[lay.a + i * (i + 3) / 2];
    own = fmin(own, (a - mw_dot(r->m, d, d)) / a);
  }
  return own < LIGHT;
}

double mw_mass_left(const mw_extra *x, const double *records, int n_field, int K, double *f,
                    double *out)
{
  int m = x->m, n = x->n_moved;
  size_t mm = (size_t)(m * (m + 1) / 2);
  double w1 = INFINITY;
  for (int a = 0; a < m; a++) {
    const double *Kaa = records + K + a * (a + 3) / 2;
    f[a] = INFINITY;
    for (size_t g = 0; g < (size_t)x->n_point; g++)
      f[a] = fmin(f[a], sqrt(Kaa[g * (size_t)n_field]));
    w1 = fmin(w1, f[a]);
  }
  for (int a = 0; a < m; a++) f[a] = w1 * w1 / (f[a] * f[a]);
  memset(out, 0, (size_t)(n + 1) * sizeof *out);
  for (size_t g = 0; g < (size_t)x->n_point; g++)
    for (int a = 0; a < n; a++) {
      const double *G = x->G + (g * (size_t)n + (size_t)a) * mm;
      for (int b = 0; b < m; b++)
        for (int c = 0; c <= b; c++, G++) {
          int last = a > b ? a : b;  // the first `last` columns do not have it
          double size = fabs(*G) * f[a] * f[b] * f[c];
          for (int k = 0; k <= n && k <= last; k++) out[k] = fmax(out[k], size);
        }
    }
  return w1;
}

void mw_mass_copy(const mw_extra *x, int n_gain, int at, double *out)
{
  size_t n = (size_t)x->n_G, nn = n * (n + 1) / 2, mm = (size_t)(x->m * (x->m + 1) / 2);
  for (size_t g = 0; g < (size_t)x->n_point; g++)
    for (size_t a = 0; a < n; a++)
      memcpy(out + g * (size_t)n_gain + (size_t)at + a * nn,
             x->G + (g * (size_t)x->n_moved + a) * mm, nn * sizeof *out);
}
