// SPDX-License-Identifier: BSD-3-Clause
// rest_motions.c: the equations of small motions about rest, coordinates held, from the fields
// there.
//
//   (I + E) z'' + C z' + K z = (y1 + Y delta) f ,   y = y0 + y1·delta + ½ delta·Y delta       (1)
// K delta = −U1 at rest. There accelerations are 0, so that no derivative of the mass takes part,
// and none of any field by theta: one look at the table in place of all second derivatives.
#include <string.h>

#include "small_motions_layer.h"

// A [m × m] of the rows of its lower triangle.
static void unpack(int m, const double *X, double *A)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) A[i * m + j] = A[j * m + i] = *X++;
}

// Packed Y of field k, NULL: it has none.
static const double *curvature(const mw_rom *r, int k, const double *Y)
{
  for (int q = 0; q < r->n_Y; q++)
    if (r->Y_field[q] == k) return Y + q * (r->m * (r->m + 1) / 2);
  return NULL;
}

// y_k and its derivatives C [m] by delta.
static double output(const mw_rom *r, int k, const double *field, const double *delta, double *C)
{
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(r));
  const double *y = field + l.y + k * (1 + r->m), *Y = curvature(r, k, field + l.Y);
  double sum = y[0];
  for (int a = 0; a < r->m; a++) C[a] = 0.0;
  for (int a = 0; Y && a < r->m; a++)
    for (int b = 0; b <= a; b++, Y++) {
      C[a] += *Y * delta[b];
      if (b < a) C[b] += *Y * delta[a];
    }
  for (int a = 0; a < r->m; a++) {
    sum += (y[1 + a] + 0.5 * C[a]) * delta[a];
    C[a] += y[1 + a];
  }
  return sum;
}

// I + E of the first k columns (rom.h: G), packed in M [k × MW_ROM_MAX_G].
static void mass_of(const mw_rom *r, const double *G, const double *delta, double *M)
{
  int k = r->n_G;
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++) M[a * MW_ROM_MAX_G + b] = a == b ? 1.0 : 0.0;
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++)
      for (int c = 0; c <= b; c++, G++) {
        M[a * MW_ROM_MAX_G + b] += *G * delta[c];
        M[b * MW_ROM_MAX_G + a] += *G * delta[c];
        if (c == b) continue;
        M[a * MW_ROM_MAX_G + c] += *G * delta[b];
        M[c * MW_ROM_MAX_G + a] += *G * delta[b];
      }
}

// M⁻¹ to the first k of the rows of A [… × n], by elimination without pivots; 0: M is not positive.
static int solve_rows(int k, double *M, int n, double *A)
{
  for (int p = 0; p < k; p++) {
    double d = M[p * MW_ROM_MAX_G + p];
    if (!(d > 0.0)) return 0;
    for (int i = p + 1; i < k; i++) {
      double f = M[i * MW_ROM_MAX_G + p] / d;
      for (int j = p; j < k; j++) M[i * MW_ROM_MAX_G + j] -= f * M[p * MW_ROM_MAX_G + j];
      for (int j = 0; j < n; j++) A[i * n + j] -= f * A[p * n + j];
    }
  }
  for (int p = k - 1; p >= 0; p--)
    for (int j = 0; j < n; j++) {
      for (int i = p + 1; i < k; i++) A[p * n + j] -= M[p * MW_ROM_MAX_G + i] * A[i * n + j];
      A[p * n + j] /= M[p * MW_ROM_MAX_G + p];
    }
  return 1;
}

mw_rom_code modeway_rom_rest(const mw_rom *r, const mw_rom_opt *opt, const double *theta, int load,
                             double *x, double *out, double *work)
{
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(r));
  int s = r->s, m = r->m, n[3] = { m, m, 1 };
  double *delta = x + s, *K = out, *D = K + m * m, *B = D + m * m, *C = B + m, *y = C + r->n_y * m;
  double *of[3] = { K, D, B };
  memset(x, 0, 2 * (size_t)(s + m) * sizeof *x);
  memcpy(x, theta, (size_t)s * sizeof *x);
  mw_rom_code code = mw_rom_static(r, theta, NULL, delta, work, NULL);
  if (code == MW_ROM_OK) code = mw_rom_fields(r, theta, work, NULL, NULL);
  if (code != MW_ROM_OK) return code;
  unpack(m, work + l.K, K);
  unpack(m, work + l.C, D);
  for (int k = 0; k < r->n_y; k++) y[k] = output(r, k, work, delta, C + k * m);
  memcpy(B, C + load * m, (size_t)m * sizeof *B);
  for (int i = 0; r->n_G > 0 && opt->inertia == MW_ROM_FULL && i < 3; i++) {
    double M[MW_ROM_MAX_G * MW_ROM_MAX_G];
    mass_of(r, work + l.G, delta, M);
    if (!solve_rows(r->n_G, M, n[i], of[i])) return MW_ROM_SINGULAR;
  }
  return MW_ROM_OK;
}
