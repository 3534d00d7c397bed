// SPDX-License-Identifier: BSD-3-Clause
// beam.c: Timoshenko beam and point mass: stiffness and mass moments.
//
// Fields along the beam, ξ = x/l in [0, 1], in local axes (a1 along the beam, a2, a3 the section's
// principal axes): u and θx linear; bending by the interpolation that is exact for a beam loaded at
// its ends,
//   Φ = 12 EI / (κ G A l²) ,   c = 1/(1 + Φ)                                                    (1)
//   v  = c (2ξ³ − 3ξ² − Φξ + 1 + Φ) v1 + c l (ξ³ − (2 + Φ/2) ξ² + (1 + Φ/2) ξ) θ1
//      − c (2ξ³ − 3ξ² − Φξ) v2         + c l (ξ³ − (1 − Φ/2) ξ² − (Φ/2) ξ) θ2
//   θ  = (6c/l)(ξ² − ξ)(v1 − v2) + c (3ξ² − (4 + Φ) ξ + 1 + Φ) θ1 + c (3ξ² − (2 − Φ) ξ) θ2
// with θ = θz for v and θ = −θy for w. A material point (x, y, z) moves by
//   N = N0 + y Ny + z Nz ,  N0 = [u v w] ,  Ny = [−θz 0 θx] ,  Nz = [θy −θx 0]                  (2)
// so that the section integrals A, Iz = ∫y², Iy = ∫z² give every moment of element.h. Polynomials
// in ξ have degree at most 6: four Gauss points are exact. Without rotary inertia the section keeps
// its torsional inertia, and nothing of its own turns with the bending: second moments
//   S = diag(−Ip/2, Ip/2, Ip/2) in place of diag(0, Iz, Iy) ,  Ip = Iy + Iz ,
//       tr(S) 1 − S = diag(Ip, 0, 0)      (3)
// of a formal cloud that moves by θ × r: M, h, J agree with each other in every rigid motion.
// Convergence of frequencies²: (λ/n)⁴/720 for Φ = 0; with shear of order two, times the share of
// the shear energy.
// [FK1993] Friedman, Kosmatka, An improved two-node Timoshenko beam finite element, Computers &
//          Structures 47 (1993).
#include <string.h>

#include "base/vec3.h"
#include "beam_priv.h"

enum { N_GAUSS = MW_BEAM_GAUSS, NB = 12 };

mw_code mw_beam_axes(const double x1[3], const double x2[3], const double up[3], mw_at at,
                     double *l, double a[9], mw_error *err)
{
  double d[3] = { x2[0] - x1[0], x2[1] - x1[1], x2[2] - x1[2] }, n_up = mw_norm3(up);
  *l = mw_norm3(d);
  if (!(*l > 0.0))
    return mw_fail(err, MW_ERR_INPUT, at, "beam element of length %g m, must be positive", *l);
  for (int i = 0; i < 3; i++) a[i] = d[i] / *l;
  mw_cross3(up, a, a + 3);
  double n = mw_norm3(a + 3);
  if (!(n > 1e-6 * n_up))
    return mw_fail(err, MW_ERR_INPUT, at,
                   "beam direction up = [%g, %g, %g] is zero or parallel to the beam", up[0], up[1],
                   up[2]);
  for (int i = 3; i < 6; i++) a[i] /= n;
  mw_cross3(a, a + 3, a + 6);
  return MW_OK;
}

// v and θ of (1) per [v1 θ1 v2 θ2]
static void bending_shape(double xi, double l, double Phi, double v[4], double th[4])
{
  double c = 1.0 / (1.0 + Phi), x2 = xi * xi, x3 = x2 * xi;
  v[2] = -c * (2.0 * x3 - 3.0 * x2 - Phi * xi);
  v[0] = 1.0 - v[2];
  v[1] = c * l * (x3 - (2.0 + 0.5 * Phi) * x2 + (1.0 + 0.5 * Phi) * xi);
  v[3] = c * l * (x3 - (1.0 - 0.5 * Phi) * x2 - 0.5 * Phi * xi);
  th[0] = 6.0 * c / l * (x2 - xi);
  th[2] = -th[0];
  th[1] = c * (3.0 * x2 - (4.0 + Phi) * xi + 1.0 + Phi);
  th[3] = c * (3.0 * x2 - (2.0 - Phi) * xi);
}

// N0, Ny, Nz of (2) and Nx = [0 θz −θy], local axes and local degrees of freedom, [3 × 12] each
static void section_shape(double xi, double l, const double Phi[2], double N[4][3 * NB])
{
  static const int V[4] = { 1, 5, 7, 11 }, W[4] = { 2, 4, 8, 10 };
  static const double SIGN[4] = { 1.0, -1.0, 1.0, -1.0 };
  double v[4], thz[4], w[4], thy[4];
  bending_shape(xi, l, Phi[0], v, thz);
  bending_shape(xi, l, Phi[1], w, thy);
  memset(N, 0, 12 * NB * sizeof(double));
  for (int e = 0; e < 2; e++) {
    double f = e == 0 ? 1.0 - xi : xi;
    N[0][6 * e] = f;
    N[1][2 * NB + 6 * e + 3] = f;
    N[2][1 * NB + 6 * e + 3] = -f;
  }
  for (int k = 0; k < 4; k++) {
    N[0][1 * NB + V[k]] = v[k];
    N[0][2 * NB + W[k]] = SIGN[k] * w[k];
    N[1][V[k]] = -thz[k];
    N[2][W[k]] = -SIGN[k] * thy[k];  // θy = −θ
    N[3][1 * NB + V[k]] = thz[k];
    N[3][2 * NB + W[k]] = SIGN[k] * thy[k];
  }
}

// rows and columns of N to body axes: N := Aᵀ N diag(A, A, A, A)
static void shape_to_body(const double a[9], double N[3 * NB])
{
  double T[3 * NB];
  for (int i = 0; i < 3; i++)
    for (int b = 0; b < 4; b++) mw_mul33tv(a, N + i * NB + 3 * b, T + i * NB + 3 * b);
  for (int j = 0; j < NB; j++) {
    double c[3] = { T[j], T[NB + j], T[2 * NB + j] }, r[3];
    mw_mul33tv(a, c, r);
    for (int i = 0; i < 3; i++) N[i * NB + j] = r[i];
  }
}

// One term of the section integral: points q Q_α (Q fixed in the body, ∫ρ q² = f) that move by q N.
static void add_moments(double f, const double Q[3], const double N[3 * NB], mw_element *out)
{
  for (int al = 0; al < 3; al++)
    for (int be = 0; be < 3; be++) {
      const double *Na = N + al * NB, *Nb = N + be * NB;
      for (int j = 0; j < NB; j++) out->h[3 * al + be][j] += f * Q[al] * Nb[j];
      for (int i = 0; i < NB; i++)
        for (int j = 0; j < NB; j++) out->M[3 * al + be][i * NB + j] += f * Na[i] * Nb[j];
      out->J[3 * al + be] += f * Q[al] * Q[be];
    }
}

static void beam_mass(const double x1[3], double l, const double a[9], const double Phi[2],
                      const mw_section *sec, double rho, mw_element *out)
{
  double half = 0.5 * (sec->Iy + sec->Iz);
  for (int g = 0; g < N_GAUSS; g++) {
    double N[4][3 * NB], X[3], dm = rho * sec->A * l * MW_BEAM_W[g], dI = rho * l * MW_BEAM_W[g];
    section_shape(MW_BEAM_X[g], l, Phi, N);
    for (int k = 0; k < 4; k++) shape_to_body(a, N[k]);
    for (int i = 0; i < 3; i++) X[i] = x1[i] + MW_BEAM_X[g] * l * a[i];
    add_moments(dm, X, N[0], out);
    add_moments(dI * (sec->rotary ? sec->Iz : half), a + 3, N[1], out);
    add_moments(dI * (sec->rotary ? sec->Iy : half), a + 6, N[2], out);
    if (!sec->rotary) add_moments(-dI * half, a, N[3], out);  // (3)
    out->m += dm;
    for (int be = 0; be < 3; be++) {
      out->mX[be] += dm * X[be];
      for (int j = 0; j < NB; j++) out->s[be][j] += dm * N[0][be * NB + j];
    }
  }
}

// Bending stiffness into local K, degrees of freedom d[4] = [v1 θ1 v2 θ2] with sign of the
// rotations
static void bending_stiffness(double EI, double l, double Phi, const int d[4], double sign,
                              double *K)
{
  double c = EI / ((1.0 + Phi) * l * l * l), s[4] = { 1.0, sign * l, 1.0, sign * l };
  double k[4][4] = {
    { 12, 6, -12, 6 }, { 6, 4 + Phi, -6, 2 - Phi }, { -12, -6, 12, -6 }, { 6, 2 - Phi, -6, 4 + Phi }
  };
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) K[d[i] * NB + d[j]] += c * s[i] * s[j] * k[i][j];
}

static void beam_stiffness(double l, const double a[9], const double Phi[2], const mw_section *sec,
                           const mw_material *mat, double *K)
{
  static const int V[4] = { 1, 5, 7, 11 }, W[4] = { 2, 4, 8, 10 };
  double G = mat->E / (2.0 * (1.0 + mat->nu)), L[NB * NB] = { 0 };
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double sign = i == j ? 1.0 : -1.0;
      L[6 * i * NB + 6 * j] = sign * mat->E * sec->A / l;
      L[(6 * i + 3) * NB + 6 * j + 3] = sign * G * sec->It / l;
    }
  bending_stiffness(mat->E * sec->Iz, l, Phi[0], V, 1.0, L);
  bending_stiffness(mat->E * sec->Iy, l, Phi[1], W, -1.0, L);
  // K = diag(A)ᵀ L diag(A), 3 × 3 blocks
  for (int b = 0; b < 4; b++)
    for (int c = 0; c < 4; c++) {
      double B[9], At[9];
      for (int i = 0; i < 9; i++) B[i] = L[(3 * b + i / 3) * NB + 3 * c + i % 3];
      for (int i = 0; i < 9; i++) At[i] = a[3 * (i % 3) + i / 3];
      mw_mul33(B, a, B);
      mw_mul33(At, B, B);
      for (int i = 0; i < 9; i++) K[(3 * b + i / 3) * NB + 3 * c + i % 3] = B[i];
    }
}

// Removes the rounding asymmetry of K and of M_αα
static void symmetrize(int n, double *A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
}

void mw_beam_shear(const mw_section *section, const mw_material *material, double l, double Phi[2])
{
  double GA = section->A * material->E / (2.0 * (1.0 + material->nu));
  Phi[0] = section->ky > 0.0 ? 12.0 * material->E * section->Iz / (section->ky * GA * l * l) : 0.0;
  Phi[1] = section->kz > 0.0 ? 12.0 * material->E * section->Iy / (section->kz * GA * l * l) : 0.0;
}

mw_code mw_beam_element(const double x1[3], const double x2[3], const double up[3],
                        const mw_section *section, const mw_material *material, mw_at at,
                        mw_element *out, mw_error *err)
{
  double l, a[9], Phi[2];
  mw_code rc = mw_beam_axes(x1, x2, up, at, &l, a, err);
  if (rc != MW_OK) return rc;
  mw_beam_shear(section, material, l, Phi);
  memset(out, 0, sizeof *out);
  out->n = NB;
  beam_stiffness(l, a, Phi, section, material, out->K);
  beam_mass(x1, l, a, Phi, section, material->rho, out);
  symmetrize(NB, out->K);
  for (int k = 0; k < 9; k += 4) symmetrize(NB, out->M[k]);
  return MW_OK;
}

// ε_ijk
static double levi(int i, int j, int k) { return 0.5 * (i - j) * (j - k) * (k - i); }

// The mass is a cloud of points X + r, ∫ρ r = 0, ∫ρ r rᵀ = ½ tr(I) 1 − I; each moves by t + θ × r.
void mw_mass_element(const double X[3], int n_dof, double mass, const double inertia[6],
                     mw_element *out)
{
  int n = n_dof;
  double half = 0.5 * (inertia[0] + inertia[1] + inertia[2]), Jr[9] = { 0 };
  if (n == 6) {
    double I[9] = { inertia[0], inertia[3], inertia[4], inertia[3], inertia[1],
                    inertia[5], inertia[4], inertia[5], inertia[2] };
    for (int i = 0; i < 9; i++) Jr[i] = (i % 4 == 0 ? half : 0.0) - I[i];
  }
  memset(out, 0, sizeof *out);
  out->n = n;
  out->m = mass;
  for (int al = 0; al < 3; al++) {
    out->mX[al] = mass * X[al];
    out->s[al][al] = mass;
    for (int be = 0; be < 3; be++) {
      int k = 3 * al + be;
      out->J[k] = mass * X[al] * X[be] + Jr[k];
      out->h[k][be] = mass * X[al];
      out->M[k][al * n + be] = mass;
      for (int i = 0; n == 6 && i < 3; i++)
        for (int c = 0; c < 3; c++) {
          out->h[k][3 + i] += levi(be, i, c) * Jr[3 * al + c];
          for (int j = 0; j < 3; j++)
            for (int d = 0; d < 3; d++)
              out->M[k][(3 + i) * n + 3 + j] += levi(al, i, c) * levi(be, j, d) * Jr[3 * c + d];
        }
    }
  }
}
