// SPDX-License-Identifier: BSD-3-Clause
// lobes.h: regenerative chatter: the depth of cut up to which turning and milling are stable.
//
// Turning: a tool that moves by y along the end "to" cuts deeper by y(t) − y(t − τ), and the force
// on it, K b times that, acts against the end "from"; τ = 60/n at n revolutions a minute. With the
// receptance G between them the cut is about to chatter at ω where
//   1 + K b (1 − e^{−iωτ}) G(ω) = 0 ,  b = −1/(2 K Re G)                                        (1)
// b, the depth (width of the chip), is smallest at the least Re G: stable below at any speed.
//
// Milling: ends x, y (feed, normal to it, in the plane of the cut), teeth at angles φ from y
// towards x; a tooth cuts h = Δx sin φ + Δy cos φ with forces K b h along the cut and r K b h
// towards the axis, for φ from entry to exit:
//   F = −b W(φ) (y(t) − y(t − T)) ,                                                           (2)
//   W = K Σ (cos φ + r sin φ, −sin φ + r cos φ)ᵀ (sin φ, cos φ)
// T = 60/(N n). Of zero order (Altintas, Budak, CIRP Annals 44 (1995) 357): W replaced by its mean,
// then (1) with K = 1 and the eigenvalues of mean W times H in place of G. With W as it is: Floquet
// multipliers of (2) over a period (after Insperger, Stépán, Int. J. Numer. Meth. Engng 55 (2002)
// 503), needed where few teeth cut a short time.
#ifndef MW_SIM_LOBES_H
#define MW_SIM_LOBES_H

#include <stdbool.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

typedef struct mw_cutting {
  double force;        // K, N/m²
  double radial;       // r; milling
  int teeth;           // N; 0: turning
  double entry, exit;  // rad, 0 <= entry < exit <= π; milling
} mw_cutting;

// Receptances between the ends: n = 1 (turning) or 2.
typedef struct mw_lobes_response {
  int n_hz;
  const double *hz;  // [n_hz]  ascending; fine enough to follow them
  const double *H;   // [n × n × 2 × n_hz]  real parts, then imaginary ones
  // H [n × n × 2] at any frequency between
  mw_code (*at)(void *ctx, double hz, double *H, mw_error *err);
  void *ctx;
} mw_lobes_response;

typedef struct mw_lobes_limit {
  double depth, hz;  // m, Hz; infinite, 0: stable at any depth, as far as the band tells
} mw_lobes_limit;

// Frequencies fine enough: n evenly from lo to hi, and near resonances pole [n_pole] of damping
// ratios zeta < 1 those a quarter of ζ of the frequency away and 1.5 times as far in turn, where
// they lie in between. hz [n + n_pole × MW_LOBES_NEAR], ascending; returns their number.
enum { MW_LOBES_NEAR = 48 };
int mw_lobes_band(double lo, double hi, int n, int n_pole, const double *pole, const double *zeta,
                  double *hz);
// Smallest unstable depth at each speed rpm [n_rpm], (1), into out [n_rpm], and at any speed.
MW_MUST_USE mw_code mw_lobes(const mw_cutting *cut, const mw_lobes_response *r, int n_rpm,
                             const double *rpm, mw_lobes_limit *out, mw_lobes_limit *any,
                             mw_error *err);

// y = C z of z'' + D z' + K z = B F: n unknowns, two ends.
typedef struct mw_lobes_system {
  int n;
  const double *K, *D, *B, *C;  // [n × n] twice, [n × 2], [2 × n]
} mw_lobes_system;

// Largest modulus of the Floquet multipliers of milling (2) at a speed and depth; intervals: of
// each part of a period in which the same teeth cut.
MW_MUST_USE mw_code mw_lobes_multiplier(const mw_cutting *cut, const mw_lobes_system *s, double rpm,
                                        double depth, int intervals, double *out, mw_error *err);
// The smallest depth from lo to hi at which it is 1, by steps of a tenth, extrapolated from two
// numbers of intervals, which are doubled until it changes by less than tolerance of itself
// (MW_ERR_NUMERIC: it does not). lo: unstable from there on; hi: stable up to there. An island of
// instability thinner than a tenth of its depth may lie below.
MW_MUST_USE mw_code mw_lobes_floquet(const mw_cutting *cut, const mw_lobes_system *s, double rpm,
                                     double lo, double hi, double tolerance, double *depth,
                                     mw_error *err);

MW_API_END

#endif
