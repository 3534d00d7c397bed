// SPDX-License-Identifier: BSD-3-Clause
// test_buckling.c: stress stiffness of every element against closed forms: buckling loads of
// columns, a spinning bar.
//
//   column, one end built in, Engesser:  P = P_E/(1 + P_E/(κ G A)) ,  P_E = π² EI/(4 L²)        (1)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fem/element.h"
#include "fem/strain.h"
#include "fixture_part.h"
#include "mw_test.h"

// ---- buckling ----

// smallest load P on the plate that makes K + P K_σ singular, along x
static double buckling_load(fixture_part *t)
{
  const mw_body *b = &t->b;
  mw_error err = { 0 };
  int n = b->n_u;
  size_t N = (size_t)n;
  double *K = mw_arena_f64(&t->mem, N * N), *L = mw_arena_f64(&t->mem, N * N),
         *G = mw_arena_f64(&t->mem, N * N), *X = mw_arena_f64(&t->mem, N * N),
         *V = mw_arena_f64(&t->mem, N * N), *w = mw_arena_f64(&t->mem, N),
         *u = mw_arena_f64(&t->mem, N), *z = mw_arena_f64(&t->mem, (size_t)b->n_z);
  z[b->frame[0].z] = -1.0;
  mw_csc_mul_t(&b->P, 1.0, z, 0.0, u);
  fixture_dense(&b->K, K);
  memcpy(L, K, N * N * sizeof *L);
  MW_OKAY(mw_chol_factor(n, L, &err));
  mw_chol_solve(n, L, 1, u);
  for (size_t i = 0; i < N; i++) X[i * N + i] = 1.0;
  MW_OKAY(mw_body_stress_stiffness(b, u, n, X, G, &err));
  for (size_t i = 0; i < N * N; i++) G[i] = -G[i];
  MW_OKAY(mw_eig_gen(n, G, K, w, V, &err));
  return 1.0 / w[n - 1];
}

// L = 1 m, section 60 × 40 mm, bent about the weak axis; shear: counted
static double column(double E, bool shear)
{
  const double PI = acos(-1.0), PE = PI * PI * E * 0.06 * pow(0.04, 3) / 48.0;
  return shear ? PE / (1.0 + PE / (5.0 / 6.0 * 0.5 * E * 0.06 * 0.04)) : PE;
}

static void beams_buckle_at_eulers_load_to_fourth_order(void)
{
  static fixture_part t;
  double err[3];
  for (int k = 0; k < 3; k++) {
    if (!fixture_part_beam(&t, 1 << k, 1.0, true)) return;
    fixture_part_free(&t);
    t.f.material.nu = 0.0;
    t.f.section.ky = t.f.section.kz = 0.0;
    if (!fixture_part_build(&t)) return;
    double P = column(t.f.material.E, false);
    err[k] = buckling_load(&t) / P - 1.0;
    fixture_part_free(&t);
  }
  MW_NEAR(err[2], 0.0, 5e-5);
  MW_NEAR(err[0] / err[1], 16.0, 3.0);
  MW_NEAR(err[1] / err[2], 16.0, 1.0);
}

static void beams_with_shear_buckle_at_engessers_load(void)
{
  static fixture_part t;
  if (!fixture_part_beam(&t, 16, 1.0, true)) return;
  fixture_part_free(&t);
  t.f.material.nu = 0.0;
  if (!fixture_part_build(&t)) return;
  MW_NEAR(buckling_load(&t) / column(t.f.material.E, true), 1.0, 1e-6);
  fixture_part_free(&t);
}

// The error falls by the order of the element down to the difference of (1) from a solid, (h/L)²
// P/(GA) or less.
static void solids_buckle_at_eulers_load(void)
{
  static fixture_part t;
  // linear wedges and tetrahedra bend too stiffly and are left out
  static const struct {
    mw_elem_kind kind;
    int n;
    double ratio;
  } K[] = { { MW_ELEM_HEX8, 12, 3.5 },
            { MW_ELEM_HEX20, 6, 8.0 },
            { MW_ELEM_TET10, 6, 8.0 },
            { MW_ELEM_WEDGE15, 6, 8.0 } };
  const double l[3] = { 1.0, 0.06, 0.04 };
  for (int k = 0; k < (int)(sizeof K / sizeof *K); k++) {
    double err[2];
    for (int i = 0; i < 2; i++) {
      const int n[3] = { K[k].n << i, 1, 1 };
      if (!fixture_part_box(&t, K[k].kind, n, l, true, NULL)) return;
      fixture_part_free(&t);
      t.f.material.nu = 0.0;
      if (!fixture_part_build(&t)) return;
      err[i] = buckling_load(&t) / column(t.f.material.E, true) - 1.0;
      fixture_part_free(&t);
    }
    MW_NEAR(err[1], 0.0, 1e-3);
    MW_CHECK(fabs(err[0] / err[1]) > K[k].ratio);
  }
}

static void shells_buckle_at_eulers_load_to_second_order(void)
{
  static fixture_part t;
  const mw_elem_kind kind[2] = { MW_ELEM_TRI3, MW_ELEM_QUAD4 };
  const double l[2] = { 1.0, 0.06 };
  for (int k = 0; k < 2; k++) {
    double err[2];
    for (int i = 0; i < 2; i++) {
      const int n[2] = { 8 << i, 1 };
      if (!fixture_part_plate(&t, kind[k], n, l, 0.04, true, 0.0)) return;
      fixture_part_free(&t);
      t.f.material.nu = 0.0;
      if (!fixture_part_build(&t)) return;
      err[i] = buckling_load(&t) / column(t.f.material.E, k == 1) - 1.0;
      fixture_part_free(&t);
    }
    MW_NEAR(err[1], 0.0, 2e-3);
    MW_CHECK(fabs(err[0] / err[1]) > 2.5);
  }
}

// ---- a spinning bar ----

// u = K⁻¹ Ω² h: v = α x has the energy ½ ∫ N α² dx = α²/6 ρ A Ω² L³, N = ½ ρ A Ω² (L² − x²)
static void a_spinning_bar_is_stiffened_by_its_axial_force(void)
{
  static fixture_part t;
  mw_error err = { 0 };
  const double Omega = 30.0, L = 1.0, alpha = 0.01;
  if (!fixture_part_beam(&t, 8, L, true)) return;
  const mw_body *b = &t.b;
  size_t N = (size_t)b->n_u;
  double *K = mw_arena_f64(&t.mem, N * N), *u = mw_arena_f64(&t.mem, N),
         *v = mw_arena_f64(&t.mem, N), G;
  fixture_dense(&b->K, K);
  // the clamped end keeps the line v = α (x − l_1) flat there: taken from the first node on, its
  // element by hand below
  for (size_t i = 0; i < N; i++) u[i] = Omega * Omega * b->h[i];  // h_xx
  MW_OKAY(mw_chol_factor(b->n_u, K, &err));
  mw_chol_solve(b->n_u, K, 1, u);
  // nodes but the first: v = α (x − x1), θz = α; the first element bends from rest to that slope
  // and is taken away
  double x1 = L / 8.0, f = t.f.material.rho * t.f.section.A * Omega * Omega;
  for (int i = 0; i < b->n_node; i++) {
    double x = b->X[3 * i];
    if (x == 0.0) continue;
    int at = b->N.n_col;  // unknown of the node's x displacement
    for (int j = 0; j < b->N.n_col; j++)
      for (int p = b->N.ptr[j]; p < b->N.ptr[j + 1]; p++)
        if (b->N.row[p] == 3 * i) at = j;
    v[at + 1] = alpha * (x - x1);
    v[at + 5] = alpha;
  }
  MW_OKAY(mw_body_stress_stiffness(b, u, 1, v, &G, &err));
  // first element: v' from Euler's cubic with end slope α and end deflection 0, shear aside: v' = α
  // (3ξ² − 2ξ), ∫ v'² = 2/15 α² l, and N is its mean there
  double c = 12.0 * t.f.material.E * t.f.section.Iz /
             (t.f.section.ky * t.f.section.A * t.f.material.E / 2.6 * x1 * x1);
  double s1 = 0.0;
  for (int i = 0; i < 1000; i++) {
    double xi = (i + 0.5) / 1000.0, d = (3.0 * xi * xi - (2.0 - c) * xi - 0.5 * c) / (1.0 + c);
    s1 += alpha * alpha * x1 * d * d / 1000.0;
  }
  double mean = 0.5 * f * (L * L - x1 * x1 / 3.0);  // of N over the first element
  double want =
      mean * s1 + alpha * alpha * 0.5 * f * (L * L * (L - x1) - (L * L * L - x1 * x1 * x1) / 3.0);
  MW_NEAR(G, want, 1e-5 * want);  // a thousand midpoints: 1e-6 of the first element's share
  fixture_part_free(&t);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "beams_buckle_at_eulers_load_to_fourth_order", beams_buckle_at_eulers_load_to_fourth_order },
    { "beams_with_shear_buckle_at_engessers_load", beams_with_shear_buckle_at_engessers_load },
    { "solids_buckle_at_eulers_load", solids_buckle_at_eulers_load },
    { "shells_buckle_at_eulers_load_to_second_order",
      shells_buckle_at_eulers_load_to_second_order },
    { "a_spinning_bar_is_stiffened_by_its_axial_force",
      a_spinning_bar_is_stiffened_by_its_axial_force },
  };
  int rc = mw_test_run("test_buckling", cases, (int)(sizeof cases / sizeof *cases));
  remove(fixture_part_mesh());
  return rc;
}
