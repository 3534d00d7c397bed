// SPDX-License-Identifier: BSD-3-Clause
// test_beam.c: the beam element against closed forms, frequency tables and quadrature of its field.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/element.h"
#include "mw_test.h"

enum { N_ELEM_MAX = 32, N_DOF_MAX = 2 * (N_ELEM_MAX + 1) };

static const double EPS = DBL_EPSILON;
static const mw_material STEEL = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };

// width b along y, height h along z
static mw_section rectangle(double b, double h)
{
  return (mw_section){ .A = b * h,
                       .Iy = b * h * h * h / 12.0,
                       .Iz = h * b * b * b / 12.0,
                       .It = 0.2 * b * h * b * b,
                       .ky = 5.0 / 6.0,
                       .kz = 5.0 / 6.0,
                       .rotary = true };
}

// Stiffness and mass of n elements on length L along x, bending in the x-z plane: w and θy of each
// node.
static void plane_beam(int n, double L, const mw_section *sec, const bool *fixed, int *n_free,
                       double *K, double *M)
{
  static const int DOF[4] = { 2, 4, 8, 10 };
  static mw_element e;
  mw_error err = { 0 };
  int id[N_DOF_MAX];
  *n_free = 0;
  for (int i = 0; i < 2 * (n + 1); i++) id[i] = fixed[i] ? -1 : (*n_free)++;
  memset(K, 0, (size_t)(*n_free * *n_free) * sizeof *K);
  memset(M, 0, (size_t)(*n_free * *n_free) * sizeof *M);
  for (int k = 0; k < n; k++) {
    double x1[3] = { L * k / n, 0, 0 }, x2[3] = { L * (k + 1) / n, 0, 0 }, up[3] = { 0, 0, 1 };
    MW_OKAY(mw_beam_element(x1, x2, up, sec, &STEEL, MW_NOWHERE, &e, &err));
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        int r = id[2 * k + i], c = id[2 * k + j], p = DOF[i] * 12 + DOF[j];
        if (r < 0 || c < 0) continue;
        K[r * *n_free + c] += e.K[p];
        M[r * *n_free + c] += e.M[0][p] + e.M[4][p] + e.M[8][p];
      }
  }
}

// first `count` values of ω²
static void frequencies(int n, double L, const mw_section *sec, bool clamped, int count,
                        double *omega2)
{
  static double K[N_DOF_MAX * N_DOF_MAX], M[N_DOF_MAX * N_DOF_MAX], V[N_DOF_MAX * N_DOF_MAX],
      w[N_DOF_MAX];
  bool fixed[N_DOF_MAX] = { false };
  mw_error err = { 0 };
  int m;
  fixed[0] = true;
  if (clamped)
    fixed[1] = true;
  else
    fixed[2 * n] = true;
  plane_beam(n, L, sec, fixed, &m, K, M);
  MW_OKAY(mw_eig_gen(m, K, M, w, V, &err));
  memcpy(omega2, w, (size_t)count * sizeof *w);
}

// one element: w = F L³/3EI + F L/κGA, θ = −F L²/2EI (exact for end loads)
static void cantilever_tip_is_exact_with_one_element(void)
{
  double L = 0.7, F = 1000.0, K[16], M[16], x[2] = { F, 0.0 };
  mw_section sec = rectangle(0.04, 0.2);
  bool fixed[4] = { true, true, false, false };
  mw_error err = { 0 };
  int n, piv[2];
  plane_beam(1, L, &sec, fixed, &n, K, M);
  MW_OKAY(mw_lu_factor(2, K, piv, &err));
  mw_lu_solve(2, K, piv, 1, x);
  double EI = STEEL.E * sec.Iy, GA = sec.kz * sec.A * STEEL.E / 2.6;
  double w = F * L * L * L / (3.0 * EI) + F * L / GA, th = -F * L * L / (2.0 * EI);
  // condition of the 2 × 2 in the scale w, θ L: below 20
  MW_NEAR(x[0], w, 100.0 * EPS * w);
  MW_NEAR(x[1], th, -100.0 * EPS * th);
}

// λ of cos λ cosh λ = −1 and of sin λ = 0
// (modeway references, R07 beam frequencies; roots of the characteristic equations in 50 digits)
static const double LAMBDA[2][3] = {
  { 3.141592653589793, 6.283185307179586, 9.42477796076938 },
  { 1.875104068711961, 4.694091132974175, 7.854757438237613 },
};

// The relative error of ω² is (λ/n)⁴/720 + O((λ/n)⁶), from above; half of it is left for the next
// term.
static void euler_bernoulli_frequencies_converge_with_order_four(void)
{
  mw_section sec = rectangle(0.1, 0.05);
  sec.ky = sec.kz = 0.0;
  sec.rotary = false;
  for (int clamped = 0; clamped < 2; clamped++)
    for (int n = 8; n <= 32; n *= 2) {
      double w2[3];
      frequencies(n, 1.0, &sec, clamped == 1, 3, w2);
      for (int k = 0; k < 3; k++) {
        double l = LAMBDA[clamped][k],
               want = l * l * l * l * STEEL.E * sec.Iy / (STEEL.rho * sec.A);
        // the solver's rounding is eps of the largest ω² there is, at most that of one free element
        double lead = pow(l / n, 4) / 720.0, rounding = EPS * 8400.0 * pow(n / l, 4);
        MW_CHECK(w2[k] > want * (1.0 - rounding));
        MW_NEAR(w2[k] / want, 1.0, 1.5 * lead + rounding);
      }
    }
}

// ω in rad/s of L = 1 m, b = 0.1 m, E 210 GPa, ν 0.3, ρ 7850, κ 5/6; height h, supported /
// clamped-free (modeway references, R07 beam frequencies: transfer-matrix determinant, verified by
// Legendre-Ritz to 1e-10)
static const struct {
  double h;
  bool clamped;
  double omega[3];
} TIMOSHENKO[] = {
  { 0.05, true, { 261.9635645130061, 1622.5775315323367, 4461.353438874964 } },
  { 0.05, false, { 733.7108929275159, 2898.8154836740855, 6395.020325067519 } },
  { 0.1, true, { 520.8406417226971, 3121.577765398383, 8210.226133091954 } },
  { 0.1, false, { 1449.4077418369968, 5538.767542316452, 11669.157402994846 } },
  { 0.2, true, { 1018.2184268200162, 5483.709677554489, 13052.264855438969 } },
  { 0.2, false, { 2769.383771158224, 9605.456573804602, 18352.408271723107 } },
};

// The shear force is constant in an element, so its energy has an error of order two: what is left
// on n elements is a third of the last change, less where the order-four part still counts, and
// from above.
static void timoshenko_frequencies_converge_with_order_two(void)
{
  for (size_t c = 0; c < sizeof TIMOSHENKO / sizeof *TIMOSHENKO; c++) {
    mw_section sec = rectangle(0.1, TIMOSHENKO[c].h);
    double w2[3][3];
    for (int i = 0; i < 3; i++) frequencies(8 << i, 1.0, &sec, TIMOSHENKO[c].clamped, 3, w2[i]);
    for (int k = 0; k < 3; k++) {
      double want = TIMOSHENKO[c].omega[k] * TIMOSHENKO[c].omega[k];
      MW_NEAR(w2[1][k] / want, 1.0, (w2[0][k] - w2[1][k]) / want / 3.0 + 1e-9);
      MW_NEAR(w2[2][k] / want, 1.0, (w2[1][k] - w2[2][k]) / want / 3.0 + 1e-9);
      MW_CHECK(w2[2][k] > want * (1.0 - 1e-9));
    }
  }
}

// ---- the field of the element ----

typedef struct skew_beam {
  double x1[3], x2[3], a[9], l;  // a: rows are the local axes
  mw_section sec;
  mw_element e;
} skew_beam;

static void make_skew(skew_beam *s)
{
  double up[3] = { 0.2, 1.0, 0.4 };
  mw_error err = { 0 };
  *s = (skew_beam){ .x1 = { 0.1, 0.2, -0.3 },
                    .x2 = { 0.5, -0.1, 0.2 },
                    .sec = rectangle(0.06, 0.1) };
  for (int i = 0; i < 3; i++) s->a[i] = s->x2[i] - s->x1[i];
  s->l = mw_norm3(s->a);
  for (int i = 0; i < 3; i++) s->a[i] /= s->l;
  double c = mw_dot3(up, s->a);
  for (int i = 0; i < 3; i++) s->a[6 + i] = up[i] - c * s->a[i];
  c = mw_norm3(s->a + 6);
  for (int i = 0; i < 3; i++) s->a[6 + i] /= c;
  mw_cross3(s->a + 6, s->a, s->a + 3);
  MW_OKAY(mw_beam_element(s->x1, s->x2, up, &s->sec, &STEEL, MW_NOWHERE, &s->e, &err));
}

// cubic p [4] with v(0), θ(0), v(l), θ(l) given, where θ = v' + (EI/κGA) v'''  (equilibrium of the
// shear force)
static void bending_cubic(double l, double ratio, const double end[4], double p[4])
{
  double A[16] = { 1, 0, 0,     0,         0, 1, 0,       6.0 * ratio,
                   1, l, l * l, l * l * l, 0, 1, 2.0 * l, 3.0 * l * l + 6.0 * ratio };
  int piv[4];
  mw_error err = { 0 };
  memcpy(p, end, 4 * sizeof *p);
  MW_OKAY(mw_lu_factor(4, A, piv, &err));
  mw_lu_solve(4, A, piv, 1, p);
}

// displacement (body axes) of the point (x, y, z) for nodal motions d [12] in body axes
static void field(const skew_beam *s, const double d[12], double x, double y, double z, double u[3])
{
  double q[12], pv[4], pw[4], f = x / s->l, kGA = 5.0 / 6.0 * s->sec.A * STEEL.E / 2.6;
  for (int b = 0; b < 4; b++) mw_mul33v(s->a, d + 3 * b, q + 3 * b);
  double rv = STEEL.E * s->sec.Iz / kGA, rw = STEEL.E * s->sec.Iy / kGA;
  double ev[4] = { q[1], q[5], q[7], q[11] }, ew[4] = { q[2], -q[4], q[8], -q[10] };
  bending_cubic(s->l, rv, ev, pv);
  bending_cubic(s->l, rw, ew, pw);
  double v = pv[0] + x * (pv[1] + x * (pv[2] + x * pv[3])),
         w = pw[0] + x * (pw[1] + x * (pw[2] + x * pw[3]));
  double thz = pv[1] + 2 * x * pv[2] + 3 * x * x * pv[3] + 6 * rv * pv[3];
  double thy = -(pw[1] + 2 * x * pw[2] + 3 * x * x * pw[3] + 6 * rw * pw[3]);
  double u0 = (1 - f) * q[0] + f * q[6], thx = (1 - f) * q[3] + f * q[9];
  double local[3] = { u0 + z * thy - y * thz, v - z * thx, w + y * thx };
  mw_mul33tv(s->a, local, u);
}

static const double DX[12] = { 0.3, -0.2, 0.7, 0.5, -0.9, 0.4, -0.6, 0.1, 0.8, -0.3, 0.2, 0.6 };
static const double DY[12] = { -0.5, 0.4, 0.1, 0.9, 0.3, -0.7, 0.2, 0.6, -0.4, 0.5, 0.8, -0.1 };

// xᵀ M y [12 × 12] and the sum of the sizes of its terms
static double mass_product(const double *M, const double *x, const double *y, double *size)
{
  double sum = 0.0;
  *size = 0.0;
  for (int i = 0; i < 144; i++) {
    double term = x[i / 12] * M[i] * y[i % 12];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

static double size_of_dot(const double *x, const double *y)
{
  double sum = 0.0;
  for (int i = 0; i < 12; i++) sum += fabs(x[i] * y[i]);
  return sum;
}

// C_αβ = ∫ρ u_α u'_β , S_β = ∫ρ u_β , H_αβ = ∫ρ X_α u_β by Gauss: 4 × 2 × 2 points, exact for these
// polynomials
static void moments_equal_quadrature_of_the_field(void)
{
  static const double G4[4] = { 0.069431844202973712, 0.33000947820757187, 0.66999052179242813,
                                0.93056815579702629 };
  static const double W4[4] = { 0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                0.17392742256872693 };
  static skew_beam s;
  double C[9] = { 0 }, S[3] = { 0 }, H[9] = { 0 }, J[9] = { 0 }, g = sqrt(1.0 / 12.0);
  make_skew(&s);
  for (int q = 0; q < 16; q++) {
    double x = G4[q / 4] * s.l, y = 0.06 * g * (q % 2 ? 1 : -1), z = 0.1 * g * (q / 2 % 2 ? 1 : -1);
    double dm = STEEL.rho * s.sec.A * s.l * W4[q / 4] / 4.0, loc[3] = { x, y, z }, X[3], u[3], v[3];
    mw_mul33tv(s.a, loc, X);
    for (int i = 0; i < 3; i++) X[i] += s.x1[i];
    field(&s, DX, x, y, z, u);
    field(&s, DY, x, y, z, v);
    for (int i = 0; i < 9; i++) {
      C[i] += dm * u[i / 3] * v[i % 3];
      H[i] += dm * X[i / 3] * v[i % 3];
      J[i] += dm * X[i / 3] * X[i % 3];
    }
    for (int i = 0; i < 3; i++) S[i] += dm * v[i];
  }
  double tr = J[0] + J[4] + J[8];
  for (int k = 0; k < 9; k++) {
    double size, c = mass_product(s.e.M[k], DX, DY, &size);
    MW_NEAR(c, C[k], mw_test_rounding(144.0, size));
    MW_NEAR(mw_dot(12, s.e.h[k], DY), H[k], mw_test_rounding(144.0, size_of_dot(s.e.h[k], DY)));
    MW_NEAR(s.e.J[k], J[k], mw_test_rounding(16.0, tr));
  }
  for (int k = 0; k < 3; k++)
    MW_NEAR(mw_dot(12, s.e.s[k], DY), S[k], mw_test_rounding(144.0, size_of_dot(s.e.s[k], DY)));
}

static void rigid_motions_cost_no_energy(void)
{
  static skew_beam s;
  double k_max = 0.0, f_max = 0.0;
  make_skew(&s);
  for (int i = 0; i < 144; i++) k_max = fmax(k_max, fabs(s.e.K[i]));
  for (int k = 0; k < 6; k++) {
    double r[12], e[3] = { k % 3 == 0, k % 3 == 1, k % 3 == 2 };
    for (int n = 0; n < 2; n++)
      for (int i = 0; i < 3; i++) {
        mw_cross3(e, n == 0 ? s.x1 : s.x2, r + 6 * n);
        if (k < 3) memcpy(r + 6 * n, e, sizeof e);
        r[6 * n + 3 + i] = k < 3 ? 0.0 : e[i];
      }
    for (int i = 0; i < 12; i++) f_max = fmax(f_max, fabs(mw_dot(12, s.e.K + 12 * i, r)));
  }
  MW_NEAR(f_max, 0.0, 40.0 * EPS * k_max);  // 12 terms, entries after two rotations by 3 × 3
}

// constant curvature, stretch and twist: nodal forces are EI κ, EA ε, GJ τ at the ends and nothing
// else
static void constant_strain_gives_constant_forces(void)
{
  static mw_element e;
  mw_error err = { 0 };
  mw_section sec = rectangle(0.06, 0.1);
  double l = 0.8, x1[3] = { 0, 0, 0 }, x2[3] = { l, 0, 0 }, up[3] = { 0, 0, 1 };
  double eps = 1e-3, tau = 2e-3, ky = 3e-3, kz = -4e-3, G = STEEL.E / 2.6;
  MW_OKAY(mw_beam_element(x1, x2, up, &sec, &STEEL, MW_NOWHERE, &e, &err));
  double d[12] = { 0,       0,      0,     0, 0, 0, eps * l, kz * l * l / 2, -ky * l * l / 2,
                   tau * l, ky * l, kz * l };
  double f[6] = { STEEL.E * sec.A * eps, 0, 0, G * sec.It * tau, STEEL.E * sec.Iy * ky,
                  STEEL.E * sec.Iz * kz };
  for (int i = 0; i < 12; i++)
    MW_NEAR(mw_dot(12, e.K + 12 * i, d), i < 6 ? -f[i] : f[i - 6],
            mw_test_rounding(12.0, size_of_dot(e.K + 12 * i, d)));
}

static void without_rotary_inertia_torsion_stays(void)
{
  static mw_element e;
  mw_error err = { 0 };
  mw_section sec = rectangle(0.06, 0.1);
  double l = 0.8, x1[3] = { 0, 0, 0 }, x2[3] = { l, 0, 0 }, up[3] = { 0, 0, 1 }, twist = 0.0,
         bend[2] = { 0 };
  for (int rotary = 0; rotary < 2; rotary++) {
    sec.rotary = rotary == 1;
    MW_OKAY(mw_beam_element(x1, x2, up, &sec, &STEEL, MW_NOWHERE, &e, &err));
    twist = 0.0;
    for (int k = 0; k < 9; k += 4) {
      for (int i = 3; i < 12; i += 6)
        for (int j = 3; j < 12; j += 6) twist += e.M[k][12 * i + j];
      bend[rotary] += e.M[k][12 * 4 + 4];
    }
    double want = STEEL.rho * l * (sec.Iy + sec.Iz);
    MW_NEAR(twist, want, 20.0 * EPS * want);
  }
  MW_CHECK(bend[0] < bend[1]);
}

// Rigid motion d = (ω × X, ω) of both ends: h_αβ d = (J Wᵀ)_αβ, dᵀ M_αβ d' = (W J W'ᵀ)_αβ, with and
// without rotary inertia; without, the tensor tr(J) 1 − J is that of a line with torsional inertia.
static void moments_agree_with_the_body_tensor(void)
{
  static mw_element e;
  mw_error err = { 0 };
  const double x1[3] = { 0.1, 0.2, -0.3 }, x2[3] = { 0.5, -0.1, 0.2 }, up[3] = { 0.2, 1.0, 0.4 };
  const double w[2][3] = { { 0.3, -0.5, 0.8 }, { -0.7, 0.2, 0.4 } };
  for (int rotary = 0; rotary < 2; rotary++) {
    mw_section sec = rectangle(0.06, 0.1);
    double W[2][9], WT[9], JW[9], WJW[9], d[2][12];
    sec.rotary = rotary == 1;
    MW_OKAY(mw_beam_element(x1, x2, up, &sec, &STEEL, MW_NOWHERE, &e, &err));
    for (int k = 0; k < 2; k++) {
      const double *v = w[k], X[9] = { 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0 };
      memcpy(W[k], X, sizeof X);
      for (int b = 0; b < 2; b++) {
        mw_cross3(v, b == 0 ? x1 : x2, d[k] + 6 * b);
        memcpy(d[k] + 6 * b + 3, v, 3 * sizeof *v);
      }
    }
    for (int i = 0; i < 9; i++) WT[i] = W[1][3 * (i % 3) + i / 3];
    mw_mul33(e.J, WT, JW);
    mw_mul33(W[0], JW, WJW);
    for (int k = 0; k < 9; k++) {
      double size, c = mass_product(e.M[k], d[0], d[1], &size);
      MW_NEAR(mw_dot(12, e.h[k], d[1]), JW[k], mw_test_rounding(144.0, size_of_dot(e.h[k], d[1])));
      MW_NEAR(c, WJW[k], mw_test_rounding(144.0, size));
    }
    // about the middle, along the beam: S of the section and m l²/12
    double l2 = 0.0, tr = e.J[0] + e.J[4] + e.J[8], mid2 = 0.0;
    for (int i = 0; i < 3; i++) {
      l2 += (x2[i] - x1[i]) * (x2[i] - x1[i]);
      mid2 += 0.25 * (x1[i] + x2[i]) * (x1[i] + x2[i]);
    }
    double Ip = STEEL.rho * sqrt(l2) * (sec.Iy + sec.Iz), own = rotary ? Ip : 0.5 * Ip;
    MW_NEAR(tr, e.m * (mid2 + l2 / 12.0) + own, mw_test_rounding(12.0, tr));
    double a[3], Ia = 0.0;
    for (int i = 0; i < 3; i++) a[i] = (x2[i] - x1[i]) / sqrt(l2);
    double along = 0.0;
    for (int i = 0; i < 3; i++) along += 0.5 * (x1[i] + x2[i]) * a[i];
    for (int i = 0; i < 9; i++) Ia += a[i / 3] * ((i % 4 == 0 ? tr : 0.0) - e.J[i]) * a[i % 3];
    MW_NEAR(Ia, Ip + e.m * (mid2 - along * along), mw_test_rounding(18.0, 2.0 * tr));
  }
}

// A cloud of eight points m/8 at X ± a ± b ± c has ∫ρ r rᵀ = m (a aᵀ + b bᵀ + c cᵀ)
static void point_mass_equals_a_cloud_of_points(void)
{
  static mw_element e;
  double X[3] = { 0.3, -0.4, 0.9 }, a[3] = { 0.2, 0.1, 0.0 }, b[3] = { -0.1, 0.15, 0.05 },
         c[3] = { 0.0, 0.05, 0.3 };
  double mass = 3.0, Jr[9], I[6], C[9] = { 0 }, H[9] = { 0 }, S[3] = { 0 },
         tol = 200.0 * EPS * mass;
  for (int i = 0; i < 9; i++)
    Jr[i] = mass * (a[i / 3] * a[i % 3] + b[i / 3] * b[i % 3] + c[i / 3] * c[i % 3]);
  double tr = Jr[0] + Jr[4] + Jr[8];
  for (int i = 0; i < 3; i++) I[i] = tr - Jr[4 * i];
  I[3] = -Jr[1];
  I[4] = -Jr[2];
  I[5] = -Jr[5];
  mw_mass_element(X, 6, mass, I, &e);
  for (int q = 0; q < 8; q++) {
    double r[3], u[3], v[3];
    for (int i = 0; i < 3; i++)
      r[i] = (q & 1 ? a[i] : -a[i]) + (q & 2 ? b[i] : -b[i]) + (q & 4 ? c[i] : -c[i]);
    mw_cross3(DX + 3, r, u);
    mw_cross3(DY + 3, r, v);
    for (int i = 0; i < 9; i++) {
      C[i] += mass / 8.0 * (DX[i / 3] + u[i / 3]) * (DY[i % 3] + v[i % 3]);
      H[i] += mass / 8.0 * (X[i / 3] + r[i / 3]) * (DY[i % 3] + v[i % 3]);
    }
    for (int i = 0; i < 3; i++) S[i] += mass / 8.0 * (DY[i] + v[i]);
  }
  for (int k = 0; k < 9; k++) {
    double got = 0.0;
    for (int i = 0; i < 36; i++) got += DX[i / 6] * e.M[k][i] * DY[i % 6];
    MW_NEAR(got, C[k], tol);
    MW_NEAR(mw_dot(6, e.h[k], DY), H[k], tol);
  }
  for (int k = 0; k < 3; k++) MW_NEAR(mw_dot(6, e.s[k], DY), S[k], tol);
}

static void bad_beams_are_refused(void)
{
  static mw_element e;
  mw_error err = { 0 };
  mw_at at = { "model.yaml", 7, 3 };
  mw_section sec = rectangle(0.06, 0.1);
  double x1[3] = { 1, 2, 3 }, x2[3] = { 1, 2, 4 }, up[3] = { 0, 0, -2 }, zero[3] = { 0, 0, 0 };
  MW_FAILS(mw_beam_element(x1, x1, up, &sec, &STEEL, at, &e, &err), MW_ERR_INPUT);
  MW_CHECK(err.line == 7 && err.col == 3 && strstr(err.msg, "length") != NULL);
  MW_FAILS(mw_beam_element(x1, x2, up, &sec, &STEEL, at, &e, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "parallel") != NULL);
  MW_FAILS(mw_beam_element(x1, x2, zero, &sec, &STEEL, at, &e, &err), MW_ERR_INPUT);
}

static const mw_test_case cases[] = {
  { "cantilever_tip_is_exact_with_one_element", cantilever_tip_is_exact_with_one_element },
  { "euler_bernoulli_frequencies_converge_with_order_four",
    euler_bernoulli_frequencies_converge_with_order_four },
  { "timoshenko_frequencies_converge_with_order_two",
    timoshenko_frequencies_converge_with_order_two },
  { "moments_equal_quadrature_of_the_field", moments_equal_quadrature_of_the_field },
  { "rigid_motions_cost_no_energy", rigid_motions_cost_no_energy },
  { "constant_strain_gives_constant_forces", constant_strain_gives_constant_forces },
  { "without_rotary_inertia_torsion_stays", without_rotary_inertia_torsion_stays },
  { "moments_agree_with_the_body_tensor", moments_agree_with_the_body_tensor },
  { "point_mass_equals_a_cloud_of_points", point_mass_equals_a_cloud_of_points },
  { "bad_beams_are_refused", bad_beams_are_refused },
};

int main(void) { return mw_test_run("beam", cases, (int)(sizeof cases / sizeof *cases)); }
