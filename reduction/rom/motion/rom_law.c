// SPDX-License-Identifier: BSD-3-Clause
// rom_law.c: dry friction and end stops of a field y, v = dy/dt, with first and second derivatives.
//
//   f = -F(v) - S(y, v)                                                                         (1)
//   F = g t ,  g = coulomb + (stiction - coulomb)/(1 + (v/stribeck)²) ,  t = v/sqrt(v² + smooth²)
//   S = stiffness (d_hi (1 + damping v) - d_lo (1 - damping v))
//   d(p) = (p + r)/2 ,  r = sqrt(p² + soft²) ,  d' = d/r ,  d'' = soft²/(2 r³)                  (2)
//   p = y - hi  and  lo - y
// Limits: |v| >> stribeck, smooth: F = coulomb sign v;  v = 0: F = 0, dF/dv = stiction/smooth;
// far inside a stop d = soft²/(4 |p|), far beyond it d = p. F v >= 0, and of S what depends on v is
// stiffness damping (d_hi + d_lo) v: both only take energy. d of p < 0 is taken as soft²/(2 (r -
// p)), where (2) would cancel. A stop at infinity is none. O(1), three roots.
// Called by the equations of motion and their derivatives. Allocates nothing.
#include <math.h>

#include "core/rom_layer.h"

// F, F', F''.
static void friction(const mw_rom_law *law, double v, double F[3])
{
  double per = 1.0 / law->stribeck, x = v * per, q = 1.0 / (1.0 + x * x);
  double extra = (law->stiction - law->coulomb) * q, slope = -2.0 * (extra * q) * per;
  double g = law->coulomb + extra, g1 = slope * x, g2 = slope * per * (1.0 - 4.0 * (x * x) * q);

  double p = 1.0 / sqrt(v * v + law->smooth * law->smooth), turn = (law->smooth * p) * p;
  double t = v * p, t1 = (law->smooth * turn) * p, t2 = -3.0 * (t1 * p) * t;
  F[0] = g * t;
  F[1] = g1 * t + g * t1;
  F[2] = g2 * t + 2.0 * (g1 * t1) + g * t2;
}

// d, d', d'' of (2).
static void beyond(double p, double soft, double d[3])
{
  double r = sqrt(p * p + soft * soft), far = 0.5 * (fabs(p) + r), half = 0.5 * soft;
  d[0] = p > 0.0 ? far : half * (half / far);
  d[1] = d[0] / r;
  d[2] = (half / r) * (soft / (r * r));
}

void mw_rom_law_eval(const mw_rom_law *law, double y, double v, double f[6])
{
  double F[3], d[3];
  friction(law, v, F);
  f[0] = -F[0];
  f[1] = 0.0;
  f[2] = -F[1];
  f[3] = f[4] = 0.0;
  f[5] = -F[2];
  for (int side = 0; side < 2; side++) {
    double at = side == 0 ? law->hi : -law->lo, sign = side == 0 ? 1.0 : -1.0;
    if (!(at < INFINITY)) continue;
    beyond(sign * y - at, law->soft, d);
    double rate = law->stiffness * (sign * law->damping);
    double k = law->stiffness + rate * v;  // force a unit of d, along -sign
    f[0] -= sign * (k * d[0]);
    f[1] -= k * d[1];
    f[2] -= sign * (rate * d[0]);
    f[3] -= sign * (k * d[2]);
    f[4] -= rate * d[1];
  }
}
