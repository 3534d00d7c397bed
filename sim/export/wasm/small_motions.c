// SPDX-License-Identifier: BSD-3-Clause
// small_motions.c: modes by Jacobi's rotations, receptances by elimination with pivots.
//
// A rotation of rows and columns p, q by t = tan φ, t² + 2τt = 1, τ = (K_qq − K_pp)/(2 K_pq) makes
// K_pq zero; off-diagonal squares fall by 2 K_pq² each, and quadratically in the end [Golub and Van
// Loan, Matrix Computations, 4th ed., 8.5]. Cost: some 8 m³ a sweep, 6 to 10 sweeps; a receptance
// 8/3 m³ a frequency. Small m: LAPACK does this elsewhere, but is not within a page's reach.
#include "small_motions_layer.h"

#include <math.h>

enum { SWEEPS = 60 };

static void rotate(int m, double *x, double *y, int apart, double c, double s)
{
  for (int k = 0; k < m; k++, x += apart, y += apart) {
    double u = *x, v = *y;
    *x = c * u - s * v;
    *y = s * u + c * v;
  }
}

// Whether what is beside the diagonal of K is rounding.
static int is_diagonal(int m, const double *K)
{
  double off = 0.0, size = 0.0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) *(i == j ? &size : &off) += K[i * m + j] * K[i * m + j];
  return off <= 1e-30 * size;
}

static void swap(double *x, double *y)
{
  double z = *x;
  *x = *y;
  *y = z;
}

int modeway_rom_modes(int m, double *K, double *square, double *V)
{
  int sweep = 0;
  for (int i = 0; i < m * m; i++) V[i] = i % (m + 1) == 0 ? 1.0 : 0.0;
  for (; sweep < SWEEPS && !is_diagonal(m, K); sweep++)
    for (int p = 0; p < m; p++)
      for (int q = p + 1; q < m; q++) {
        double x = K[p * m + q];
        if (x == 0.0) continue;
        double tau = (K[q * m + q] - K[p * m + p]) / (2.0 * x);
        double t = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
        double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
        rotate(m, K + p, K + q, m, c, s);
        rotate(m, K + p * m, K + q * m, 1, c, s);
        rotate(m, V + p * m, V + q * m, 1, c, s);
      }
  for (int i = 0; i < m; i++) square[i] = K[i * (m + 1)];
  for (int i = 0; i < m; i++)
    for (int j = i; j > 0 && square[j] < square[j - 1]; j--) {
      swap(&square[j], &square[j - 1]);
      for (int k = 0; k < m; k++) swap(&V[j * m + k], &V[(j - 1) * m + k]);
    }
  return sweep == SWEEPS && !is_diagonal(m, K);
}

typedef struct system {  // (R + iI)(x + iy) = right-hand side in x, y
  int m;
  double *R, *I, *x, *y;  // [m × m], [m × m], [m], [m]
} system;

static void pivot(system *z, int p)
{
  int m = z->m, best = p;
  double most = -1.0;
  for (int i = p; i < m; i++) {
    double size = fabs(z->R[i * m + p]) + fabs(z->I[i * m + p]);
    if (size > most) best = i, most = size;
  }
  if (best == p) return;
  for (int j = p; j < m; j++) {
    swap(&z->R[p * m + j], &z->R[best * m + j]);
    swap(&z->I[p * m + j], &z->I[best * m + j]);
  }
  swap(&z->x[p], &z->x[best]);
  swap(&z->y[p], &z->y[best]);
}

// Row i −= (row i, p)/(row p, p) × row p
static void eliminate(system *z, int p, int i)
{
  int m = z->m;
  double a = z->R[p * m + p], b = z->I[p * m + p], over = 1.0 / (a * a + b * b);
  double u = z->R[i * m + p], v = z->I[i * m + p];
  double s = (u * a + v * b) * over, t = (v * a - u * b) * over;
  for (int j = p + 1; j < m; j++) {
    double r = z->R[p * m + j], q = z->I[p * m + j];
    z->R[i * m + j] -= s * r - t * q;
    z->I[i * m + j] -= s * q + t * r;
  }
  z->x[i] -= s * z->x[p] - t * z->y[p];
  z->y[i] -= s * z->y[p] + t * z->x[p];
}

static void solve(system *z)
{
  int m = z->m;
  for (int p = 0; p < m; p++) {
    pivot(z, p);
    for (int i = p + 1; i < m; i++) eliminate(z, p, i);
  }
  for (int i = m - 1; i >= 0; i--) {
    double s = z->x[i], t = z->y[i];
    for (int j = i + 1; j < m; j++) {
      double r = z->R[i * m + j], q = z->I[i * m + j];
      s -= r * z->x[j] - q * z->y[j];
      t -= r * z->y[j] + q * z->x[j];
    }
    double a = z->R[i * m + i], b = z->I[i * m + i], over = 1.0 / (a * a + b * b);
    z->x[i] = (s * a + t * b) * over;
    z->y[i] = (t * a - s * b) * over;
  }
}

void modeway_rom_receptance(int m, const double *K, const double *D, const double *B,
                            const double *C, int n, const double *hz, double *h, double *work)
{
  static const double TWO_PI = 6.283185307179586;
  system z = { m, work, work + m * m, work + 2 * m * m, work + 2 * m * m + m };
  for (int f = 0; f < n; f++, h += 2) {
    double w = TWO_PI * hz[f];
    for (int i = 0; i < m * m; i++) {
      z.R[i] = i % (m + 1) == 0 ? K[i] - w * w : K[i];
      z.I[i] = w * D[i];
    }
    for (int i = 0; i < m; i++) z.x[i] = B[i], z.y[i] = 0.0;
    solve(&z);
    h[0] = h[1] = 0.0;
    for (int i = 0; i < m; i++) {
      h[0] += C[i] * z.x[i];
      h[1] += C[i] * z.y[i];
    }
  }
}
