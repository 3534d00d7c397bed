// SPDX-License-Identifier: BSD-3-Clause
// matrices_moments.c: mass moments of two nodes from their block of a mass matrix alone.
//
// A displacement that is interpolated by scalar weights w_i, Σ w_i = 1, with material points at r_i
// from node i carried along by its rotation,
//   x − X = Σ_i w_i (t_i + φ_i × r_i) ,   X = Σ_i w_i (X_i + r_i)                               (1)
// has between nodes i and j the mass moments
//   μ = ∫ρ w_i w_j ,  c_ij = ∫ρ w_i w_j r_j ,  c_ji = ∫ρ w_i w_j r_i ,  Y = ∫ρ w_i w_j r_i r_jᵀ
//   M_αβ[t_iα t_jβ] = μ                     M_αβ[t_iα φ_jγ] = ε_βγk c_ij,k                      (2)
//   M_αβ[φ_iγ t_jβ] = ε_αγk c_ji,k          M_αβ[φ_iγ φ_jδ] = ε_αγk ε_βδl Y_kl
// and its mass matrix Σ_α M_αα the blocks
//   t t: μ 1      t φ: ε_αγk c_ij,k, skew      φ φ: tr(Y) 1 − Yᵀ                                (3)
// (3) is solved for them: μ the mean of the diagonal, c the skew part, Y = ½ tr(B) 1 − Bᵀ, which
// any 3 × 3 block B has. What is left over tells that (1) is not how the masses came about. Solids,
// lumped masses with or without rotary inertia, and shells with linear or bilinear interpolation
// are of this kind. Consistent cubic beams are not (axial and lateral weights differ), nor are
// condensed superelements.
#include <math.h>
#include <string.h>

#include "matrices_layer.h"

// ε_ijk
static double levi(int i, int j, int k) { return 0.5 * (i - j) * (j - k) * (k - i); }

// c_k = ½ Σ ε_αγk C_αγ over the entries that are known: s, the block of t and φ, from row and
// column steps in B [6 × 6]
static void skew_part(const double *B, const char *known, int step_t, int step_r, double c[3])
{
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3, n = 0;  // ε_abk = 1
    double sum = 0.0;
    int ab = a * step_t + b * step_r, ba = b * step_t + a * step_r;
    if (known[ab]) sum += B[ab], n++;
    if (known[ba]) sum -= B[ba], n++;
    c[k] = n > 0 ? sum / n : 0.0;
  }
}

void mx_pair_model(const mx_pair *p, double S[36])
{
  double tr = p->Y[0] + p->Y[4] + p->Y[8];
  memset(S, 0, 36 * sizeof *S);
  for (int a = 0; a < 3; a++) {
    S[7 * a] = p->mu;
    for (int g = 0; g < 3; g++) {
      for (int k = 0; k < 3; k++) {
        S[6 * a + 3 + g] += levi(a, g, k) * p->c_ij[k];
        S[6 * (3 + g) + a] += levi(a, g, k) * p->c_ji[k];
      }
      S[6 * (3 + a) + 3 + g] = (a == g ? tr : 0.0) - p->Y[3 * g + a];
    }
  }
}

void mx_pair_build(const double B[36], const char known[36], mx_pair *out)
{
  int n = 0;
  *out = (mx_pair){ 0 };
  for (int a = 0; a < 3; a++) {
    if (!known[7 * a]) continue;
    out->mu += B[7 * a];
    n++;
  }
  if (n > 0) out->mu /= n;
  skew_part(B + 3, known + 3, 6, 1, out->c_ij);
  skew_part(B + 18, known + 18, 1, 6, out->c_ji);
  double tr = B[21] + B[28] + B[35];
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      out->Y[3 * k + l] = (k == l ? 0.5 * tr : 0.0) - B[6 * (3 + l) + 3 + k];
}

void mx_pair_transpose(const mx_pair *p, mx_pair *out)
{
  mx_pair t = { .mu = p->mu };
  for (int k = 0; k < 3; k++) {
    t.c_ij[k] = p->c_ji[k];
    t.c_ji[k] = p->c_ij[k];
    for (int l = 0; l < 3; l++) t.Y[3 * k + l] = p->Y[3 * l + k];
  }
  *out = t;
}

// (2)
void mx_pair_moment(const mx_pair *p, int al, int be, double A[36])
{
  memset(A, 0, 36 * sizeof *A);
  A[6 * al + be] = p->mu;
  for (int g = 0; g < 3; g++)
    for (int k = 0; k < 3; k++) {
      A[6 * al + 3 + g] += levi(be, g, k) * p->c_ij[k];
      A[6 * (3 + g) + be] += levi(al, g, k) * p->c_ji[k];
      for (int d = 0; d < 3; d++)
        for (int l = 0; l < 3; l++)
          A[6 * (3 + g) + 3 + d] += levi(al, g, k) * levi(be, d, l) * p->Y[3 * k + l];
    }
}

// ∫ρ X_α N_β of the motions of node j: of its share in w_i
void mx_pair_h(const mx_pair *p, const double X_i[3], int al, int be, double h[6])
{
  memset(h, 0, 6 * sizeof *h);
  h[be] = X_i[al] * p->mu + p->c_ji[al];
  for (int g = 0; g < 3; g++)
    for (int k = 0; k < 3; k++)
      h[3 + g] += levi(be, g, k) * (X_i[al] * p->c_ij[k] + p->Y[3 * al + k]);
}
