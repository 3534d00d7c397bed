// SPDX-License-Identifier: BSD-3-Clause
// dae_tilt.c: moments of inertia that a frame of an elastic body carries (a disk on a shaft's
// node), to second order in its elastic rotation θ.
//
//   y = (1 + A + θ~) r ,  A = ½ θ~² ,   P = ∫ρ r rᵀ                                             (1)
// The mass moments of the body hold 1 + θ~. A adds to the kinetic energy, with V = EᵀĖ and W = EᵀË,
//   T    = tr(V A P Vᵀ) + tr(Vᵀ Ȧ P)                                                            (2)
//   F_E  = W (A P + P A) + 2 V Ȧ P + Ä P                                                        (3)
//   F_θ  = (S − tr(S) 1) θ ,  S = sym(W P)                                                      (4)
// so that a disk that tilts on a turning shaft has the moments of a tilted disk. Without (4) a
// shaft of speed Ω lacks the stiffness Ω² times the difference of the disk's moments. Cost: a pass
// over the functionals for each such frame. Sections of beams have their inertia to first order
// alone (fem/element/beam.c): turn.h says what that costs.
#include <string.h>

#include "base/vec3.h"
#include "dae_layer.h"

// θ of the frame whose rotations start at functional z; w NULL: none
static void rotation(const mw_body *b, int z, const double *w, double theta[3])
{
  memset(theta, 0, 3 * sizeof *theta);
  for (int j = 0; w && j < b->n_u; j++)
    for (int p = b->P.ptr[j]; p < b->P.ptr[j + 1]; p++)
      if (b->P.row[p] >= z && b->P.row[p] < z + 3) theta[b->P.row[p] - z] += b->P.val[p] * w[j];
}

static void add_moment(const mw_body *b, int z, const double m[3], double *fu)
{
  for (int j = 0; j < b->n_u; j++)
    for (int p = b->P.ptr[j]; p < b->P.ptr[j + 1]; p++)
      if (b->P.row[p] >= z && b->P.row[p] < z + 3) fu[j] += b->P.val[p] * m[b->P.row[p] - z];
}

// A += factor ½ (x~ y~ + y~ x~) ,  x~ y~ = y xᵀ − (x·y) 1
static void add_square(double factor, const double x[3], const double y[3], double A[9])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      A[3 * i + j] += factor * (0.5 * (y[i] * x[j] + x[i] * y[j]) - (i == j ? mw_dot3(x, y) : 0.0));
}

typedef struct tilt {
  double AP[9], ArP[9], AaP[9];  // A P, Ȧ P, Ä P
  double theta[3];
} tilt;

static tilt tilt_of(const mw_body *b, const mw_frame *f, const mw_dae_motion *x)
{
  tilt k;
  double r[3], a[3], A[9] = { 0.0 }, Ar[9] = { 0.0 }, Aa[9] = { 0.0 };
  rotation(b, f->z + 3, x->u, k.theta);
  rotation(b, f->z + 3, x->ud, r);
  rotation(b, f->z + 3, x->udd, a);
  add_square(0.5, k.theta, k.theta, A);
  add_square(1.0, k.theta, r, Ar);
  add_square(1.0, r, r, Aa);
  add_square(1.0, k.theta, a, Aa);
  mw_mul33(A, f->J, k.AP);
  mw_mul33(Ar, f->J, k.ArP);
  mw_mul33(Aa, f->J, k.AaP);
  return k;
}

void mw_dae_tilt_force(const mw_body *b, const mw_dae_motion *x, const double V[9],
                       const double W[9], double f[12], double *fu)
{
  for (int i = 0; i < b->n_frame; i++) {
    const mw_frame *fr = &b->frame[i];
    if (!fr->heavy || fr->z < 0) continue;
    tilt k = tilt_of(b, fr, x);
    double Q[9], WQ[9], VA[9], S[9], m[3], trace;
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < 3; q++) Q[3 * p + q] = k.AP[3 * p + q] + k.AP[3 * q + p];
    mw_mul33(W, Q, WQ);
    mw_mul33(V, k.ArP, VA);
    for (int p = 0; p < 9; p++) f[3 + p] += WQ[p] + 2.0 * VA[p] + k.AaP[p];
    mw_mul33(W, fr->J, S);
    trace = S[0] + S[4] + S[8];
    for (int p = 0; p < 3; p++) {
      m[p] = -trace * k.theta[p];
      for (int q = 0; q < 3; q++) m[p] += 0.5 * (S[3 * p + q] + S[3 * q + p]) * k.theta[q];
    }
    add_moment(b, fr->z + 3, m, fu);
  }
}

double mw_dae_tilt_energy(const mw_body *b, const mw_dae_motion *x, const double V[9])
{
  double T = 0.0;
  for (int i = 0; i < b->n_frame; i++) {
    const mw_frame *fr = &b->frame[i];
    if (!fr->heavy || fr->z < 0) continue;
    tilt k = tilt_of(b, fr, x);
    double VA[9];
    mw_mul33(V, k.AP, VA);
    for (int p = 0; p < 9; p++) T += VA[p] * V[p] + V[p] * k.ArP[p];
  }
  return T;
}
