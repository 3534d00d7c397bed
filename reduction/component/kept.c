// SPDX-License-Identifier: BSD-3-Clause
// kept.c: tables of a reduced model at values of the parameters that it keeps.
//
//   c(p) = Σ_j ℓ_j(p) c(p_j) ,
//   ℓ_j(p) = w_j/(p − p_j) / Σ_i w_i/(p − p_i) ,  w_j = (−1)^j, halved at both ends             (1)
// in each parameter, p_j Chebyshev's points of its range (sim/export/export_kept.c makes the
// tables). At a node they are those of the node to the bit. The C text that exports have of (1) is
// sim/export/templates/model_parameter.c.in.
// J.-P. Berrut, L. N. Trefethen: Barycentric Lagrange interpolation, SIAM Review 46 (2004) 501-517.
#include "reduction/kept.h"

#include <string.h>

// ℓ [n] of (1) at p
static void lagrange(int n, const double *at, double p, double *l)
{
  double sum = 0.0;
  for (int j = 0; j < n; j++) {
    if (p == at[j]) {
      for (int i = 0; i < n; i++) l[i] = i == j;
      return;
    }
    l[j] = (j % 2 ? -1.0 : 1.0) * (j == 0 || j == n - 1 ? 0.5 : 1.0) / (p - at[j]);
    sum += l[j];
  }
  for (int j = 0; j < n; j++) l[j] /= sum;
}

size_t mw_kept_tables(const mw_kept *z)
{
  size_t n = 1;
  for (int k = 0; k < z->n; k++) n *= (size_t)z->n_node;
  return n;
}

int mw_kept_along(const mw_kept *z, size_t g, int k)
{
  for (int i = z->n - 1; i > k; i--) g /= (size_t)z->n_node;
  return (int)(g % (size_t)z->n_node);
}

void mw_kept_at(const mw_kept *z, const double *p, double *coef)
{
  double l[MW_KEPT_PARAMETERS][MW_KEPT_NODES];
  for (int k = 0; k < z->n; k++) lagrange(z->n_node, z->node + k * z->n_node, p[k], l[k]);
  memset(coef, 0, z->n_coef * sizeof *coef);
  for (size_t g = 0; g < mw_kept_tables(z); g++) {
    double by = 1.0;
    for (int k = 0; k < z->n; k++) by *= l[k][mw_kept_along(z, g, k)];
    for (size_t i = 0; by != 0.0 && i < z->n_coef; i++) coef[i] += by * z->coef[g * z->n_coef + i];
  }
}
