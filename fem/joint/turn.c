// SPDX-License-Identifier: BSD-3-Clause
// turn.c: measures of a turn from the direction cosines P_ij = A_i(a)·A_j(b) of two triads.
//
//   TURN   φ of P = exp(φ~):  v = ½ (P_32 − P_23, P_13 − P_31, P_21 − P_12) ,  c = ½ (tr P − 1) (1)
//   TILT   φ of the shortest turn that takes A_f(a) to A_f(b), whatever b's turn about A_f:
//          e, h, f in turn:  v_e = −P_hf , v_h = P_ef ,  c = P_ff                               (2)
//          both:  s = |v| , θ = atan2(s, c) ,  φ = ρ v ,  ρ = θ/s
//   TWIST  of the turn's part about A_f (its other part a tilt, 2):
//          ψ = atan2(Y, X) ,  X = P_ee + P_hh , Y = P_he − P_eh                                 (3)
//   SPIN   ω_f = ½ Σ_m (Ṗ_hm P_em − Ṗ_em P_hm): a rate alone, no angle belongs to it            (4)
// A turn about one axis is measured by its angle in all of them. Derivatives with D = s² + c²:
//   ρ̇ = μ v·v̇ − ċ/D ,  μ = (c/D − ρ)/s² ,  μ̇ = 2 μ₂ v·v̇ + 2 ċ/D² ,
//       μ₂ = −(3 μ + 2 c/D²)/(2 s²)      (5)
// (ρ, μ, μ₂ are homogeneous of degrees −1, −3, −5 in s, c), and by series where s² < c²/10. P need
// not be a rotation: frames in natural coordinates are none within an iteration, and rows of mean
// frames are stretched.
// (2), (3) have no direction where A_f(b) is opposite to A_f(a), (1) none at half a turn: numbers
// stay finite there.
#include "turn_layer.h"

#include <math.h>

#include "base/vec3.h"

typedef struct factors {
  double rho, mu, mu2, D;
} factors;

static const double LEAST = 1e-60;  // s² and X² + Y² below which there is no direction

// ρ c, −μ c³, μ₂ c⁵ are Σ (−x)^n w_n with x = s²/c²:  w_n = 1/(2n + 1), (2n + 2)/(2n + 3), (n + 1)
//                                                     (2n + 4)/(2n + 5)
static void take_series(double x, double c, factors *f)
{
  enum { TERMS = 16 };  // 0.1^16 is rounding
  double power = 1.0, sum[3] = { 0.0 };
  for (int n = 0; n < TERMS; n++, power *= -x) {
    sum[0] += power / (2 * n + 1);
    sum[1] += power * (2 * n + 2) / (2 * n + 3);
    sum[2] += power * (n + 1) * (2 * n + 4) / (2 * n + 5);
  }
  f->rho = sum[0] / c;
  f->mu = -sum[1] / (c * c * c);
  f->mu2 = sum[2] / (c * c * c * c * c);
}

static factors factors_of(double s2, double c)
{
  factors f = { .D = s2 + c * c };
  if (c > 0.0 && s2 < 0.1 * c * c) {
    take_series(s2 / (c * c), c, &f);
    return f;
  }
  f.rho = atan2(sqrt(s2), c) / sqrt(s2);
  f.mu = (c / f.D - f.rho) / s2;
  f.mu2 = -(3.0 * f.mu + 2.0 * c / (f.D * f.D)) / (2.0 * s2);
  return f;
}

// v [3] and c of P, linear but for c's constant: of rates take P = Ṗ, constant = 0.
static void parts(const mw_row *r, const double P[9], double constant, double v[3], double *c)
{
  if (r->kind == MW_ROW_TURN) {
    for (int i = 0; i < 3; i++) {
      int e = (i + 1) % 3, h = (i + 2) % 3;
      v[i] = 0.5 * (P[3 * h + e] - P[3 * e + h]);
    }
    *c = 0.5 * (P[0] + P[4] + P[8] - constant);
    return;
  }
  int f = r->j, e = (f + 1) % 3, h = (f + 2) % 3;
  v[e] = -P[3 * h + f];
  v[h] = P[3 * e + f];
  v[f] = 0.0;
  *c = P[4 * f];
}

// W += Σ_k x_k ∂v_k/∂P + y ∂c/∂P
static void put(const mw_row *r, const double x[3], double y, double W[9])
{
  if (r->kind == MW_ROW_TURN) {
    for (int i = 0; i < 3; i++) {
      int e = (i + 1) % 3, h = (i + 2) % 3;
      W[3 * h + e] += 0.5 * x[i];
      W[3 * e + h] -= 0.5 * x[i];
      W[4 * i] += 0.5 * y;
    }
    return;
  }
  int f = r->j, e = (f + 1) % 3, h = (f + 2) % 3;
  W[3 * h + f] -= x[e];
  W[3 * e + f] += x[h];
  W[4 * f] += y;
}

// (1), (2), (5)
static void vector_row(const mw_row *r, const double P[9], const double *Pd, mw_turn *out)
{
  double v[3], c, vd[3], cd, x[3];
  parts(r, P, 1.0, v, &c);
  // half a turn, about the first axis that turns
  if (c < 0.0 && mw_dot3(v, v) < LEAST)
    v[r->kind == MW_ROW_TURN ? 0 : (r->j + 1) % 3] = sqrt(LEAST);
  factors f = factors_of(mw_dot3(v, v), c);
  int i = r->i;
  out->g = f.rho * v[i];
  for (int k = 0; k < 3; k++) x[k] = v[i] * f.mu * v[k] + (k == i ? f.rho : 0.0);
  put(r, x, -v[i] / f.D, out->W);
  if (!Pd) return;
  // Ẇ Ṗ: what of g̈ holds v̇ and ċ alone
  parts(r, Pd, 0.0, vd, &cd);
  double vv = mw_dot3(v, vd), rho_d = f.mu * vv - cd / f.D,
         mu_d = 2.0 * (f.mu2 * vv + cd / (f.D * f.D));
  double D_d = 2.0 * (vv + c * cd);
  out->bend =
      2.0 * vd[i] * rho_d + v[i] * (mu_d * vv + f.mu * mw_dot3(vd, vd) + cd * D_d / (f.D * f.D));
}

// (3); ψ̈ of Ẋ, Ẏ alone is −2 ψ̇ (X Ẋ + Y Ẏ)/(X² + Y²)
static void twist_row(const mw_row *r, const double P[9], const double *Pd, mw_turn *out)
{
  int f = r->i, e = (f + 1) % 3, h = (f + 2) % 3;
  double X = P[4 * e] + P[4 * h], Y = P[3 * h + e] - P[3 * e + h], R = fmax(X * X + Y * Y, LEAST);
  out->g = atan2(Y, X);
  out->W[4 * e] = out->W[4 * h] = -Y / R;
  out->W[3 * h + e] = X / R;
  out->W[3 * e + h] = -X / R;
  if (!Pd) return;
  double Xd = Pd[4 * e] + Pd[4 * h], Yd = Pd[3 * h + e] - Pd[3 * e + h];
  out->bend = -2.0 * (X * Yd - Y * Xd) / R * (X * Xd + Y * Yd) / R;
}

// (4)
static void spin_row(const mw_row *r, const double P[9], mw_turn *out)
{
  int f = r->i, e = (f + 1) % 3, h = (f + 2) % 3;
  for (int m = 0; m < 3; m++) {
    out->W[3 * h + m] = 0.5 * P[3 * e + m];
    out->W[3 * e + m] = -0.5 * P[3 * h + m];
  }
}

void mw_turn_eval(const mw_row *r, const double P[9], const double *Pd, mw_turn *out)
{
  *out = (mw_turn){ 0 };
  switch (r->kind) {
  case MW_ROW_TURN:
  case MW_ROW_TILT: vector_row(r, P, Pd, out); break;
  case MW_ROW_TWIST: twist_row(r, P, Pd, out); break;
  default: spin_row(r, P, out); break;
  }
}
