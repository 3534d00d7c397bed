// SPDX-License-Identifier: BSD-3-Clause
// test_dae_body.c: forces of one body against Lagrange's equations of its kinetic energy, taken by
// differences.
//
// The energy below is written in ground axes for any E, orthonormal or not, with dense random mass
// moments:
//   T = ½ Σ_i [ m ȯ_i² + 2 ȯ_i (Ė_i·c + E_i·S u̇) + Ė_i J(u) Ė_iᵀ +
//         2 Σ_αβ Ė_iα E_iβ (h_αβ + uᵀM_αβ) u̇ + Σ_αβ E_iα E_iβ u̇ᵀM_αβ u̇ ]
// and, for the moments of inertia P that a frame with the rotation θ = Z u carries, with A = ½ θ~²
//   T += Σ_i [ Ė_i A P Ė_iᵀ + Σ_αβ Ė_iα E_iβ (Ȧ P)_βα ]
// Its partial derivatives are exact by central differences (it is quadratic in every single
// variable), d/dt of ∂T/∂q̇ along q + τ v + ½ τ² a, a polynomial of degree 7 in τ, by the
// four-point formula of fourth order.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "full/dae_layer.h"
#include "mw_test.h"

enum { NU = 4, NQ = 12 + NU };

typedef struct sample {
  double m, mX[3], J[9], S[3 * NU], h[9 * NU], M[9][NU * NU], K[NU * NU];
  double q[NQ], v[NQ], a[NQ], g[3];
  double Z[6 * NU];  // functionals of a frame that carries inertia
  mw_frame frame;
  mw_body body;
  mw_arena mem;
} sample;

static double rnd(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 23) - 1.0;
}

static bool to_csc(const double *A, bool sym, mw_arena *mem, mw_csc *out)
{
  mw_triplets t = { 0 };
  mw_error err = { 0 };
  for (int i = 0; i < NU; i++)
    for (int j = 0; j < NU; j++) mw_triplets_add(&t, i, j, A[i * NU + j]);
  bool ok = MW_OKAY(mw_csc_build(&t, NU, NU, sym, mem, out, &err));
  mw_triplets_free(&t);
  return ok;
}

// an orthonormal E from a random rotation vector
static void random_frame(unsigned *seed, double E[9])
{
  double x[3], y[3], z[3], d;
  for (int i = 0; i < 3; i++) x[i] = rnd(seed), y[i] = rnd(seed);
  d = mw_norm3(x);
  for (int i = 0; i < 3; i++) x[i] /= d;
  d = mw_dot3(x, y);
  for (int i = 0; i < 3; i++) y[i] -= d * x[i];
  d = mw_norm3(y);
  for (int i = 0; i < 3; i++) y[i] /= d;
  mw_cross3(x, y, z);
  for (int i = 0; i < 3; i++) E[3 * i] = x[i], E[3 * i + 1] = y[i], E[3 * i + 2] = z[i];
}

static bool make(sample *s)
{
  unsigned seed = 7;
  memset(s, 0, sizeof *s);
  s->m = 2.0;
  for (int i = 0; i < 3; i++) s->mX[i] = rnd(&seed), s->g[i] = 3 * rnd(&seed);
  for (int i = 0; i < 3 * NU; i++) s->S[i] = rnd(&seed);
  for (int i = 0; i < 9 * NU; i++) s->h[i] = rnd(&seed);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) s->J[3 * i + j] = s->J[3 * j + i] = rnd(&seed);
  // M_βα = M_αβᵀ
  for (int a = 0; a < 3; a++)
    for (int b = a; b < 3; b++)
      for (int i = 0; i < NU; i++)
        for (int j = 0; j < NU; j++) {
          double x = rnd(&seed);
          if (a == b && j > i) continue;
          s->M[3 * a + b][i * NU + j] = s->M[3 * b + a][j * NU + i] = x;
          if (a == b) s->M[4 * a][j * NU + i] = x;
        }
  for (int i = 0; i < NU; i++)
    for (int j = 0; j <= i; j++) s->K[i * NU + j] = s->K[j * NU + i] = rnd(&seed);
  for (int i = 0; i < NQ; i++) s->q[i] = rnd(&seed), s->v[i] = rnd(&seed), s->a[i] = rnd(&seed);
  random_frame(&seed, s->q + 3);
  mw_body *b = &s->body;
  *b = (mw_body){
    .gravity = true, .m = s->m, .n_u = NU, .s = s->S, .h = s->h, .alpha = 0.3, .beta = 0.2
  };
  memcpy(b->mX, s->mX, sizeof b->mX);
  memcpy(b->J, s->J, sizeof b->J);
  mw_triplets t = { 0 };
  mw_error err = { 0 };
  for (int i = 0; i < 6 * NU; i++) {
    s->Z[i] = rnd(&seed);
    mw_triplets_add(&t, i / NU, i % NU, s->Z[i]);
  }
  if (!MW_OKAY(mw_csc_build(&t, 6, NU, false, &s->mem, &b->P, &err))) return false;
  mw_triplets_free(&t);
  s->frame = (mw_frame){ .name = "disk", .heavy = true };
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) s->frame.J[3 * i + j] = s->frame.J[3 * j + i] = rnd(&seed);
  b->n_z = 6;
  b->n_frame = 1;
  b->frame = &s->frame;
  double M[NU * NU];
  for (int i = 0; i < NU * NU; i++) M[i] = s->M[0][i] + s->M[4][i] + s->M[8][i];
  bool ok = to_csc(M, true, &s->mem, &b->M) && to_csc(s->K, true, &s->mem, &b->K);
  for (int a = 0; a < 3 && ok; a++)
    for (int c = a; c < 3 && ok; c++)
      ok = to_csc(s->M[3 * a + c], a == c, &s->mem, &b->Mab[a == c ? a : 2 + a + c]);
  return ok;
}

static double bilinear(const double *A, const double *x, const double *y)
{
  double sum = 0.0;
  for (int i = 0; i < NU; i++)
    for (int j = 0; j < NU; j++) sum += x[i] * A[i * NU + j] * y[j];
  return sum;
}

static double row(const double *a, const double *x)
{
  double sum = 0.0;
  for (int i = 0; i < NU; i++) sum += a[i] * x[i];
  return sum;
}

// tr(Ė A P Ėᵀ) + Σ Ė_iα E_iβ (Ȧ P)_βα with A = ½ θ~²
static double tilted(const sample *s, const double *E, const double *u, const double *Ed,
                     const double *ud)
{
  double x[3], r[3], T = 0.0;
  for (int i = 0; i < 3; i++) {
    x[i] = row(s->Z + (3 + i) * NU, u);
    r[i] = row(s->Z + (3 + i) * NU, ud);
  }
  const double X[9] = { 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0 };
  const double R[9] = { 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0 };
  double XX[9], XR[9], RX[9], AP[9], RP[9];
  mw_mul33(X, X, XX);
  mw_mul33(X, R, XR);
  mw_mul33(R, X, RX);
  for (int i = 0; i < 9; i++) {
    XX[i] *= 0.5;
    XR[i] = 0.5 * (XR[i] + RX[i]);
  }
  mw_mul33(XX, s->frame.J, AP);
  mw_mul33(XR, s->frame.J, RP);
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        T += Ed[3 * i + a] * AP[3 * a + b] * Ed[3 * i + b] +
             Ed[3 * i + a] * E[3 * i + b] * RP[3 * b + a];
  return T;
}

static double kinetic(const sample *s, const double *q, const double *v)
{
  const double *E = q + 3, *u = q + 12, *od = v, *Ed = v + 3, *ud = v + 12;
  double T = 0.0, c[3], Sd[3], J[9];
  for (int a = 0; a < 3; a++) {
    c[a] = s->mX[a] + row(s->S + a * NU, u);
    Sd[a] = row(s->S + a * NU, ud);
    for (int b = 0; b < 3; b++)
      J[3 * a + b] = s->J[3 * a + b] + row(s->h + (3 * a + b) * NU, u) +
                     row(s->h + (3 * b + a) * NU, u) + bilinear(s->M[3 * a + b], u, u);
  }
  for (int i = 0; i < 3; i++) {
    const double *e = E + 3 * i, *d = Ed + 3 * i;
    T += 0.5 * s->m * od[i] * od[i] + od[i] * (mw_dot3(d, c) + mw_dot3(e, Sd));
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        T += 0.5 * d[a] * J[3 * a + b] * d[b] +
             d[a] * e[b] * (row(s->h + (3 * a + b) * NU, ud) + bilinear(s->M[3 * a + b], u, ud)) +
             0.5 * e[a] * e[b] * bilinear(s->M[3 * a + b], ud, ud);
  }
  return T + tilted(s, E, u, Ed, ud);
}

static double potential(const sample *s, const double *q)
{
  double V = 0.5 * bilinear(s->K, q + 12, q + 12), c[3], Ec[3];
  for (int a = 0; a < 3; a++) c[a] = s->mX[a] + row(s->S + a * NU, q + 12);
  mw_mul33v(q + 3, c, Ec);
  for (int i = 0; i < 3; i++) V -= s->g[i] * (s->m * q[i] + Ec[i]);
  return V;
}

// ∂T/∂q̇_k at the time tau along the motion
static double momentum(const sample *s, int k, double tau)
{
  double q[NQ], v[NQ];
  for (int i = 0; i < NQ; i++) {
    q[i] = s->q[i] + tau * s->v[i] + 0.5 * tau * tau * s->a[i];
    v[i] = s->v[i] + tau * s->a[i];
  }
  v[k] += 0.5;
  double plus = kinetic(s, q, v);
  v[k] -= 1.0;
  return plus - kinetic(s, q, v);
}

// d/dt ∂T/∂q̇_k − ∂T/∂q_k + ∂V/∂q_k
static double lagrange(const sample *s, int k)
{
  const double tau = 2e-3, d = 0.25;
  double rate = (8 * (momentum(s, k, tau) - momentum(s, k, -tau)) -
                 (momentum(s, k, 2 * tau) - momentum(s, k, -2 * tau))) /
                (12 * tau);
  double q[NQ];
  memcpy(q, s->q, sizeof q);
  q[k] += d;
  double plus = kinetic(s, q, s->v) - potential(s, q);
  q[k] -= 2 * d;
  return rate - (plus - (kinetic(s, q, s->v) - potential(s, q))) / (2 * d);
}

// fourth-order formula: τ⁴/30 of a fifth derivative of order 1e3; rounding 1e2 ε/τ
static const double TOL = 2e-3 * 2e-3 * 2e-3 * 2e-3 / 30 * 1e3 + 1e2 * DBL_EPSILON / 2e-3;

static mw_dae_motion motion_of(const sample *s)
{
  return (mw_dae_motion){ s->q, s->v, s->a, s->q + 12, s->v + 12, s->a + 12 };
}

static void forces_are_those_of_lagrange(void)
{
  static sample s;
  double f[12], fu[NU], work[13 * NU], L[NQ];
  if (!make(&s)) return;
  s.body.alpha = s.body.beta = 0.0;
  mw_dae_motion x = motion_of(&s);
  mw_dae_body_force(&s.body, true, s.g, &x, f, fu, work);
  for (int k = 0; k < NQ; k++) L[k] = lagrange(&s, k);
  // into body axes: Eᵀ F_o, Eᵀ F_E
  const double *E = s.q + 3;
  for (int b = 0; b < 3; b++) {
    MW_NEAR(f[b], E[b] * L[0] + E[3 + b] * L[1] + E[6 + b] * L[2], TOL);
    for (int a = 0; a < 3; a++)
      MW_NEAR(f[3 + 3 * b + a], E[b] * L[3 + a] + E[3 + b] * L[6 + a] + E[6 + b] * L[9 + a], TOL);
  }
  for (int k = 0; k < NU; k++) MW_NEAR(fu[k], L[12 + k], TOL);
  mw_arena_free(&s.mem);
}

static void rigid_and_fixed_bodies_are_parts_of_it(void)
{
  static sample s;
  double f[12], fu[NU], work[13 * NU], L[NQ];
  if (!make(&s)) return;
  s.body.alpha = s.body.beta = 0.0;
  // u = 0 throughout and no elastic unknowns
  for (int k = 12; k < NQ; k++) s.q[k] = s.v[k] = s.a[k] = 0.0;
  for (int k = 0; k < NQ; k++) L[k] = lagrange(&s, k);
  mw_body rigid = s.body;
  rigid.n_u = 0;
  mw_dae_motion x = motion_of(&s);
  mw_dae_body_force(&rigid, true, s.g, &x, f, NULL, work);
  const double *E = s.q + 3;
  for (int b = 0; b < 3; b++)
    for (int a = 0; a < 3; a++)
      MW_WITHIN(f[3 + 3 * b + a], E[b] * L[3 + a] + E[3 + b] * L[6 + a] + E[6 + b] * L[9 + a], TOL,
                "the order of differences, of the largest derivatives");
  mw_arena_free(&s.mem);
  // the frame at rest
  if (!make(&s)) return;
  s.body.alpha = s.body.beta = 0.0;
  for (int k = 0; k < 12; k++) s.v[k] = s.a[k] = 0.0;
  x = motion_of(&s);
  mw_dae_body_force(&s.body, false, s.g, &x, NULL, fu, work);
  for (int k = 0; k < NU; k++)
    MW_WITHIN(fu[k], lagrange(&s, 12 + k), TOL,
              "the order of differences, of the largest derivatives");
  mw_arena_free(&s.mem);
}

static void energies_are_those_of_the_integrals(void)
{
  static sample s;
  double T, V, lost, work[13 * NU];
  if (!make(&s)) return;
  mw_dae_motion x = motion_of(&s);
  mw_dae_body_energy(&s.body, true, s.g, &x, &T, &V, &lost, work);
  // a few hundred products of numbers up to 3
  MW_NEAR(T, kinetic(&s, s.q, s.v), mw_test_rounding(300.0, 3.0));
  MW_NEAR(V, potential(&s, s.q), mw_test_rounding(300.0, 3.0));
  // damping force: what α M u̇ + β K u̇ adds to the force, times u̇
  double f[12], f0[12], fu[NU], fu0[NU], power = 0.0;
  mw_dae_body_force(&s.body, true, s.g, &x, f, fu, work);
  s.body.alpha = s.body.beta = 0.0;
  mw_dae_body_force(&s.body, true, s.g, &x, f0, fu0, work);
  for (int k = 0; k < NU; k++) power += (fu[k] - fu0[k]) * s.v[12 + k];
  MW_NEAR(lost, power, 1e3 * DBL_EPSILON);
  mw_arena_free(&s.mem);
}

// A force and a moment on a frame at rest along the axes: their power along any twist v, ω, of
// which the frame's nine rates are ω~, is f·v + m·ω.
static void wrenches_have_the_power_of_force_and_moment(void)
{
  unsigned seed = 5;
  double f[6], v[3], w[3], r[12] = { 0.0 }, power = 0.0, want = 0.0, size = 0.0;
  for (int i = 0; i < 6; i++) f[i] = rnd(&seed);
  for (int i = 0; i < 3; i++) v[i] = rnd(&seed);
  for (int i = 0; i < 3; i++) w[i] = rnd(&seed);
  const double c = -1.7, W[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
  mw_dae_add_wrench(c, f, r);
  for (int i = 0; i < 3; i++) power += r[i] * v[i];
  for (int i = 0; i < 9; i++) power += r[3 + i] * W[i];
  for (int i = 0; i < 3; i++) want += c * (f[i] * v[i] + f[3 + i] * w[i]);
  for (int i = 0; i < 3; i++) size += fabs(c * f[i] * v[i]) + fabs(c * f[3 + i] * w[i]);
  MW_NEAR(power, want, mw_test_rounding(12.0, size));
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "forces_are_those_of_lagrange", forces_are_those_of_lagrange },
    { "rigid_and_fixed_bodies_are_parts_of_it", rigid_and_fixed_bodies_are_parts_of_it },
    { "energies_are_those_of_the_integrals", energies_are_those_of_the_integrals },
    { "wrenches_have_the_power_of_force_and_moment", wrenches_have_the_power_of_force_and_moment },
  };
  return mw_test_run("dae_body", cases, (int)(sizeof cases / sizeof *cases));
}
