// SPDX-License-Identifier: BSD-3-Clause
// test_solid_order.c: the order in which strains of solid elements converge.
#include <math.h>
#include <stdlib.h>

#include "base/dense.h"
#include "grid.h"
#include "mw_test.h"

static const mw_material STEEL = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };

// u = ∇φ, φ = exp(√2 x) sin(y + ½) cos z harmonic: div u = 0 and Δu = 0, so no body force; H = ∇∇φ
static void harmonic(const double X[3], double u[3], double H[9])
{
  double k = sqrt(2.0), e = exp(k * X[0]), s = sin(X[1] + 0.5), c = cos(X[1] + 0.5), sz = sin(X[2]),
         cz = cos(X[2]);
  u[0] = k * e * s * cz;
  u[1] = e * c * cz;
  u[2] = -e * s * sz;
  if (!H) return;
  H[0] = 2.0 * e * s * cz;
  H[1] = H[3] = k * e * c * cz;
  H[2] = H[6] = -k * e * s * sz;
  H[4] = -e * s * cz;
  H[5] = H[7] = -e * c * sz;
  H[8] = -e * s * cz;
}

static void smooth_map(double x[3])
{
  double y[3] = { x[0], x[1], x[2] };
  x[0] += 0.08 * sin(3.0 * y[1]) + 0.04 * y[2];
  x[1] += 0.06 * sin(2.0 * y[2] + y[0]);
  x[2] += 0.07 * sin(2.5 * y[0]) * y[1];
}

// solves for the nodes inside with the boundary held to the harmonic field
static void solve_inside(const grid *g, const int n[3], const double *K, double *u)
{
  mw_error err = { 0 };
  int nd = 3 * g->n_node, nf = 0, *freedom = malloc((size_t)nd * sizeof *freedom);
  for (int i = 0; i < nd; i++)
    if (grid_is_inside(g, i / 3, n)) freedom[nf++] = i;
  double *A = malloc((size_t)(nf * nf) * sizeof *A), *b = malloc((size_t)nf * sizeof *b);
  for (int i = 0; i < g->n_node; i++) {
    harmonic(g->X + 3 * i, u + 3 * i, NULL);
    for (int c = 0; c < 3 && grid_is_inside(g, i, n); c++) u[3 * i + c] = 0.0;
  }
  for (int i = 0; i < nf; i++) {
    const double *row = K + (size_t)freedom[i] * (size_t)nd;
    b[i] = -mw_dot(nd, row, u);
    for (int j = 0; j < nf; j++) A[i * nf + j] = row[freedom[j]];
  }
  if (MW_OKAY(mw_chol_factor(nf, A, &err))) mw_chol_solve(nf, A, 1, b);
  for (int i = 0; i < nf; i++) u[freedom[i]] = b[i];
  free(A);
  free(b);
  free(freedom);
}

// mean-square error of the strain, at points halfway from the middle of each element to its nodes
static double strain_error(mw_elem_kind kind, int bricks)
{
  const int n[3] = { bricks, bricks, bricks };
  mw_error err = { 0 };
  grid g;
  grid_build(kind, n, smooth_map, &g);
  size_t nd = 3 * (size_t)g.n_node;
  double *K = malloc(nd * nd * sizeof *K), *u = malloc(nd * sizeof *u), sum = 0.0, natural[60],
         mid[3];
  grid_assemble(&g, &STEEL, K, NULL);
  solve_inside(&g, n, K, u);
  grid_natural(kind, natural, mid);
  for (int e = 0; e < g.n_elem; e++)
    for (int p = 0; p < g.n; p++) {
      double X[60], v[60], xi[3], x[3] = { 0 }, N[20], S[360], H[9], w[3];
      grid_elem(&g, e, X);
      for (int c = 0; c < 3; c++) xi[c] = 0.5 * (mid[c] + natural[3 * p + c]);
      mw_solid_shape(kind, xi, N, NULL);
      for (int i = 0; i < 3 * g.n; i++) {
        v[i] = u[3 * g.node[e * g.n + i / 3] + i % 3];
        x[i % 3] += N[i / 3] * X[i];
      }
      if (mw_solid_stress(kind, X, &STEEL, xi, true, S, &err) != MW_OK) return (double)NAN;
      harmonic(x, w, H);
      const double want[6] = { H[0], H[4], H[8], 2.0 * H[1], 2.0 * H[5], 2.0 * H[2] };
      for (int k = 0; k < 6; k++)
        sum += pow(mw_dot(3 * g.n, S + 3 * g.n * k, v) - want[k], 2) / (g.n_elem * g.n);
    }
  free(K);
  free(u);
  grid_free(&g);
  return sqrt(sum);
}

// Strains of linear elements err by O(h), of quadratic ones by O(h²); a mesh twice as fine is off
// that power by the next term, of relative size h: a quarter of an order on either side.
static void strains_converge_with_the_order_of_the_space(void)
{
  for (int k = 0; k < GRID_KINDS; k++) {
    int coarse = grid_is_quadratic(grid_kind[k]) ? 2 : 4;
    double order =
        log2(strain_error(grid_kind[k], coarse) / strain_error(grid_kind[k], 2 * coarse));
    MW_NEAR(order, grid_is_quadratic(grid_kind[k]) ? 2.0 : 1.0, 0.25);
  }
}

static const mw_test_case cases[] = {
  { "strains_converge_with_the_order_of_the_space", strains_converge_with_the_order_of_the_space },
};

int main(void) { return mw_test_run("solid_order", cases, (int)(sizeof cases / sizeof *cases)); }
