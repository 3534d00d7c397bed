// SPDX-License-Identifier: BSD-3-Clause
// dae_body.c: forces and energies of one body in natural coordinates, exact, from its mass moments.
//
//   x = o + E (X + N u) ,  â = Eᵀ(ö − g) ,  V = EᵀĖ ,  W = EᵀË
//   J_γα(u)   = J_γα + h_γα u + h_αγ u + uᵀM_γα u   second moments of the deformed body   (1)
//   H_γα(u,w) = h_αγ w + wᵀM_γα u                            ∫ρ (N_γ w)(X_α + N_α u)            (2)
//   F_o      = m â + W (mX + S u) + 2 V S u̇ + S ü                                              (3)
//   F_E[β,α] = â_β (mX_α + s_α u) + Σ_γ W_βγ J_γα + 2 Σ_γ V_βγ H_γα(u,u̇) + H_βα(u,ü)           (4)
//   F_u      = Σ_β s_β â_β + Σ_βα W_βα (h_αβ + M_βα u) + 2 Σ_βα V_βα M_βα u̇ + M (ü + α u̇) + K (u
//       + β u̇)      (5)
// along variations δo = E ô, δE = E Ê, δu. EᵀE = 1 is used. Gravity is a force on every mass point:
// ö − g. What moments of inertia at frames add to second order in their rotation: dae_tilt.c.
// Cost: 18 sparse products with the moments M_αβ, two with M and K.
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_layer.h"

// C = AᵀB, row-major 3 × 3
static void mul33t(const double A[9], const double B[9], double C[9])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

// rows k of A [rows × n] times x
static void rows_mul(int rows, int n, const double *A, const double *x, double *y)
{
  for (int k = 0; k < rows; k++) y[k] = mw_dot(n, A + (size_t)k * (size_t)n, x);
}

// Mu [9 × n_u]: M_βα u in row 3β+α
static void moments_mul(const mw_body *b, const double *u, double *Mu)
{
  size_t n = (size_t)b->n_u;
  for (int be = 0; be < 3; be++)
    for (int al = 0; al < 3; al++) {
      double *y = Mu + (size_t)(3 * be + al) * n;
      if (be == al)
        mw_csc_mul(&b->Mab[be], 1.0, u, 0.0, y);
      else if (be < al)
        mw_csc_mul(&b->Mab[2 + be + al], 1.0, u, 0.0, y);
      else
        mw_csc_mul_t(&b->Mab[2 + be + al], 1.0, u, 0.0, y);
    }
}

// (2) for velocity or acceleration w
static void mixed(const mw_body *b, const double *Mu, const double *w, double H[9])
{
  double hw[9], wMu[9];
  rows_mul(9, b->n_u, b->h, w, hw);
  rows_mul(9, b->n_u, Mu, w, wMu);
  for (int ga = 0; ga < 3; ga++)
    for (int al = 0; al < 3; al++) H[3 * ga + al] = hw[3 * al + ga] + wMu[3 * ga + al];
}

// (1)
static void second_moments(const mw_body *b, const double *Mu, const double *u, double J[9])
{
  double H[9], hu[9];
  memcpy(J, b->J, 9 * sizeof(double));
  if (b->n_u == 0) return;
  mixed(b, Mu, u, H);
  rows_mul(9, b->n_u, b->h, u, hu);
  for (int i = 0; i < 9; i++) J[i] += H[i] + hu[i];
}

void mw_dae_body_moments(const mw_body *b, const double *u, double mX[3], double J[9], double *hM)
{
  size_t n = (size_t)b->n_u;
  double Su[3];
  moments_mul(b, u, hM);
  second_moments(b, hM, u, J);
  rows_mul(3, b->n_u, b->s, u, Su);
  for (int i = 0; i < 3; i++) mX[i] = b->mX[i] + Su[i];
  for (int be = 0; be < 3; be++)
    for (int al = 0; al < 3; al++)
      mw_axpy(b->n_u, 1.0, b->h + (size_t)(3 * al + be) * n, hM + (size_t)(3 * be + al) * n);
}

typedef struct body_axes {
  double a[3], V[9], W[9];  // Eᵀ(ö − g), EᵀĖ, EᵀË
} body_axes;

static body_axes to_body(bool moving, bool gravity, const double g[3], const mw_dae_motion *x)
{
  body_axes k = { { 0 }, { 0 }, { 0 } };
  double a[3] = { 0 };
  for (int i = 0; i < 3; i++) a[i] = (moving && x->pdd ? x->pdd[i] : 0.0) - (gravity ? g[i] : 0.0);
  mw_mul33tv(x->p + 3, a, k.a);
  if (moving && x->pd) mul33t(x->p + 3, x->pd + 3, k.V);
  if (moving && x->pdd) mul33t(x->p + 3, x->pdd + 3, k.W);
  return k;
}

// (3) and (4); Mu as above, unused for a rigid body
static void frame_force(const mw_body *b, const body_axes *k, const mw_dae_motion *x,
                        const double *Mu, double f[12])
{
  double c[3], Jd[9], Su[3] = { 0 }, Sd[3] = { 0 }, Sdd[3] = { 0 }, H[9] = { 0 }, Hdd[9] = { 0 };
  second_moments(b, Mu, x->u, Jd);
  if (b->n_u > 0) {
    rows_mul(3, b->n_u, b->s, x->u, Su);
    if (x->ud) rows_mul(3, b->n_u, b->s, x->ud, Sd);
    if (x->udd) rows_mul(3, b->n_u, b->s, x->udd, Sdd);
    if (x->ud) mixed(b, Mu, x->ud, H);
    if (x->udd) mixed(b, Mu, x->udd, Hdd);
  }
  for (int i = 0; i < 3; i++) c[i] = b->mX[i] + Su[i];
  for (int i = 0; i < 3; i++)
    f[i] = b->m * k->a[i] + mw_dot3(k->W + 3 * i, c) + 2.0 * mw_dot3(k->V + 3 * i, Sd) + Sdd[i];
  double WJ[9], VH[9];
  mw_mul33(k->W, Jd, WJ);
  mw_mul33(k->V, H, VH);
  for (int be = 0; be < 3; be++)
    for (int al = 0; al < 3; al++) {
      int i = 3 * be + al;
      f[3 + i] = k->a[be] * c[al] + WJ[i] + 2.0 * VH[i] + Hdd[i];
    }
}

// (5)
static void elastic_force(const mw_body *b, bool moving, const body_axes *k, const mw_dae_motion *x,
                          const double *Mu, double *fu, double *work)
{
  int n = b->n_u;
  size_t N = (size_t)n;
  memset(fu, 0, N * sizeof(double));
  for (int be = 0; be < 3; be++) mw_axpy(n, k->a[be], b->s + (size_t)be * N, fu);
  if (moving && x->pdd)
    for (int be = 0; be < 3; be++)
      for (int al = 0; al < 3; al++) {
        double w = k->W[3 * be + al];
        mw_axpy(n, w, b->h + (size_t)(3 * al + be) * N, fu);
        mw_axpy(n, w, Mu + (size_t)(3 * be + al) * N, fu);
      }
  double *y = work, *x1 = work + N;
  if (moving && x->pd && x->ud) {
    double V2[9];
    for (int i = 0; i < 9; i++) V2[i] = 2.0 * k->V[i];
    mw_body_mul_mass(b, V2, x->ud, y, work + 2 * N);
    mw_axpy(n, 1.0, y, fu);
  }
  if (x->udd) {
    memcpy(x1, x->udd, N * sizeof(double));
    if (x->ud && !moving) mw_axpy(n, b->alpha, x->ud, x1);
    mw_csc_mul(&b->M, 1.0, x1, 1.0, fu);
  }
  memcpy(x1, x->u, N * sizeof(double));
  if (x->ud) mw_axpy(n, b->beta, x->ud, x1);
  mw_csc_mul(&b->K, 1.0, x1, 1.0, fu);
}

void mw_dae_body_force(const mw_body *b, bool moving, const double g[3], const mw_dae_motion *x,
                       double *f, double *fu, double *work)
{
  body_axes k = to_body(moving, b->gravity, g, x);
  double *Mu = work;
  if (moving && b->n_u > 0) moments_mul(b, x->u, Mu);
  if (moving) frame_force(b, &k, x, Mu, f);
  if (b->n_u > 0) elastic_force(b, moving, &k, x, Mu, fu, work + 9 * (size_t)b->n_u);
  if (moving && b->n_u > 0) mw_dae_tilt_force(b, x, k.V, k.W, f, fu);
}

//   T = ½ (m|ô|² + 2 ô·(V c + S u̇) + tr(V J(u) Vᵀ) + 2 Σ V_βα H_βα(u,u̇) + u̇ᵀM u̇) ,
//       c = mX + S u ,  ô = Eᵀȯ
//   V = −g·(m o + E c) + ½ uᵀK u
void mw_dae_body_energy(const mw_body *b, bool moving, const double g[3], const mw_dae_motion *x,
                        double *T, double *V, double *lost, double *work)
{
  int n = b->n_u;
  size_t N = (size_t)n;
  double Su[3] = { 0 }, Sd[3] = { 0 }, c[3], Ec[3], o[3] = { 0 }, Vh[9] = { 0 };
  double *Mu = work, *y = work + 9 * N;
  *T = *V = *lost = 0.0;
  if (n > 0) {
    rows_mul(3, n, b->s, x->u, Su);
    rows_mul(3, n, b->s, x->ud, Sd);
    mw_csc_mul(&b->K, 1.0, x->u, 0.0, y);
    *V += 0.5 * mw_dot(n, x->u, y);
    mw_csc_mul(&b->M, 1.0, x->ud, 0.0, y);
    double two_T = mw_dot(n, x->ud, y);
    *T += 0.5 * two_T;
    *lost = moving ? 0.0 : b->alpha * two_T;
    if (b->beta > 0.0) {
      mw_csc_mul(&b->K, 1.0, x->ud, 0.0, y);
      *lost += b->beta * mw_dot(n, x->ud, y);
    }
  }
  for (int i = 0; i < 3; i++) c[i] = b->mX[i] + Su[i];
  mw_mul33v(x->p + 3, c, Ec);
  if (b->gravity)
    for (int i = 0; i < 3; i++) *V -= g[i] * (b->m * x->p[i] + Ec[i]);
  if (!moving) return;
  double Vc[3], J[9], VJ[9], H[9] = { 0 };
  mw_mul33tv(x->p + 3, x->pd, o);
  mul33t(x->p + 3, x->pd + 3, Vh);
  mw_mul33v(Vh, c, Vc);
  if (n > 0) {
    moments_mul(b, x->u, Mu);
    mixed(b, Mu, x->ud, H);
  }
  second_moments(b, Mu, x->u, J);
  mw_mul33(Vh, J, VJ);
  *T += 0.5 * b->m * mw_dot3(o, o) + mw_dot3(o, Vc) + mw_dot3(o, Sd);
  for (int i = 0; i < 9; i++) *T += 0.5 * VJ[i] * Vh[i] + Vh[i] * H[i];
  if (n > 0) *T += mw_dae_tilt_energy(b, x, Vh);
}
