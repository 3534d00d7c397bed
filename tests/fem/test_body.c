// SPDX-License-Identifier: BSD-3-Clause
// test_body.c: bodies of beams and of tetrahedra: mass moments, rigid motions, frames, projection,
// bad input.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fixture_body.h"
#include "mw_test.h"

static const double EPS = DBL_EPSILON;

// An L of two members in space with a rigid patch carrying a mass, and a node with a mass.
static void bent_beam(fixture_body *f)
{
  fixture_init(f);
  int a = fixture_point(f, "a", 0.1, -0.2, 0.3), b = fixture_point(f, "b", 1.1, -0.2, 0.3),
      c = fixture_point(f, "c", 1.1, 0.4, 0.5);
  fixture_member(f, a, b, 6);
  fixture_member(f, b, c, 3);
  mw_attach *m = fixture_attach(f, "mid", MW_ATTACH_NODE, "b");
  m->mass = 2.0;
  m->inertia[0] = 0.02;
  m->inertia[1] = 0.03;
  m->inertia[2] = 0.04;
  m->inertia[3] = 0.004;
  mw_attach *t = fixture_attach(f, "tip", MW_ATTACH_RIGID, "c");
  t->has_x = true;
  t->x[0] = 1.2;
  t->x[1] = 0.5;
  t->x[2] = 0.45;
  t->mass = 1.5;
  fixture_guide(f, "rail", a, b);
}

// ε_ijk
static double levi(int i, int j, int k) { return 0.5 * (i - j) * (j - k) * (k - i); }

// Displacement of rigid mode k is u = a + B X (B skew): c_αβ = ∫ρ u_α u'_β from m, mX, J alone.
static void rigid_products(const mw_body *b, int k, int l, double c[9])
{
  for (int al = 0; al < 3; al++)
    for (int be = 0; be < 3; be++) {
      double sum = 0.0;
      if (k < 3 && l < 3) sum = (al == k) * (be == l) * b->m;
      for (int g = 0; g < 3; g++) {
        if (k < 3 && l >= 3) sum += (al == k) * levi(be, l - 3, g) * b->mX[g];
        if (k >= 3 && l < 3) sum += (be == l) * levi(al, k - 3, g) * b->mX[g];
        for (int d = 0; k >= 3 && l >= 3 && d < 3; d++)
          sum += levi(al, k - 3, g) * levi(be, l - 3, d) * b->J[3 * g + d];
      }
      c[3 * al + be] = sum;
    }
}

// s, h, M_αβ applied to rigid motions give m, mX, J. Bound: n² terms of size at most `scale`.
static void check_rigid_moments(const mw_body *b)
{
  size_t n = (size_t)b->n_u;
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *w = malloc(2 * n * sizeof *w);
  double scale = b->m + b->J[0] + b->J[4] + b->J[8], tol = 30.0 * (double)n * EPS * scale,
         err_max = 0.0;
  for (int k = 0; k < 6; k++) {
    for (size_t i = 0; i < n; i++) x[i] = b->R[6 * i + (size_t)k];
    for (int l = 0; l < 6; l++) {
      double c[9], want[9];
      for (size_t i = 0; i < n; i++) y[i] = b->R[6 * i + (size_t)l];
      mw_body_mass_products(b, x, y, c, w);
      rigid_products(b, k, l, want);
      for (int i = 0; i < 9; i++) err_max = fmax(err_max, fabs(c[i] - want[i]));
    }
    // s·r: ∫ρ u_β ; h·r: ∫ρ X_α u_β
    for (int be = 0; be < 3; be++) {
      double want = k < 3 ? (be == k) * b->m : 0.0;
      for (int g = 0; k >= 3 && g < 3; g++) want += levi(be, k - 3, g) * b->mX[g];
      err_max = fmax(err_max, fabs(mw_dot(b->n_u, b->s + (size_t)be * n, x) - want));
      for (int al = 0; al < 3; al++) {
        double wanth = k < 3 ? (be == k) * b->mX[al] : 0.0;
        for (int g = 0; k >= 3 && g < 3; g++) wanth += levi(be, k - 3, g) * b->J[3 * al + g];
        err_max = fmax(err_max, fabs(mw_dot(b->n_u, b->h + (size_t)(3 * al + be) * n, x) - wanth));
      }
    }
  }
  MW_NEAR(err_max, 0.0, tol);
  free(x);
  free(y);
  free(w);
}

static void beam_body_moves_rigidly(void)
{
  fixture_body f;
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double residual = 1.0;
  bent_beam(&f);
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
    // 10 nodes of 6, one of them slaved to a master of 6
    MW_CHECK(b.n_u == 60);
    MW_CHECK(b.n_z == 6 + 6 + 6 * 7);
    double A = f.section.A, rho = f.material.rho, m = rho * A * (1.0 + sqrt(0.4)) + 3.5;
    MW_NEAR(b.m, m, 200.0 * EPS * m);
    MW_OKAY(mw_body_check(&b, &residual, &err));
    // each row of K r sums n_u terms of K_max r_max, each rounded
    MW_NEAR(residual, 0.0, 60.0 * EPS);
    check_rigid_moments(&b);
  }
  mw_arena_free(&mem);
}

static const mw_test_case cases[] = {
  { "beam_body_moves_rigidly", beam_body_moves_rigidly },
};

int main(void) { return mw_test_run("body", cases, (int)(sizeof cases / sizeof *cases)); }
