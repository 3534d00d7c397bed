// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_erk.c: the explicit Runge-Kutta methods of the rigid path: conditions of order, order
// along a Kepler orbit, continuous extensions.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mw_test.h"
#include "rigid/rigid_erk_priv.h"

static const double PI = 3.14159265358979323846;

typedef struct method {
  const mw_erk *m;
  int order, dense;  // of a step, of its continuous extension
} method;

static const method methods[] = { { &mw_erk_dopri5, 5, 4 }, { &mw_erk_dop853, 8, 7 } };
enum { N_METHOD = sizeof methods / sizeof *methods };

// Row j of a: what stage j is made of.
static const double *row(const mw_erk *m, int j) { return m->a + j * (j - 1) / 2; }

// ---- conditions of order ------------------------------------------------------------------------

// Coefficients are below 1e2, sums of n of them round to n ε Σ|x|.
static double rounding(int n, const double *x)
{
  double sum = 1.0;
  for (int i = 0; i < n; i++) sum += fabs(x[i]);
  return (n + 1) * DBL_EPSILON * sum;
}

static void stages_are_where_their_coefficients_say(void)
{
  for (int k = 0; k < N_METHOD; k++)
    for (int j = 1; j < methods[k].m->n_all; j++) {
      double sum = 0.0;
      for (int i = 0; i < j; i++) sum += row(methods[k].m, j)[i];
      MW_NEAR(sum, methods[k].m->c[j], rounding(j, row(methods[k].m, j)));
    }
}

// y' = tᵖ: weights integrate it as far as the order goes, error estimates vanish as far as theirs.
static void weights_integrate_polynomials(void)
{
  for (int k = 0; k < N_METHOD; k++) {
    const mw_erk *m = methods[k].m;
    const double *b = row(m, m->n_stage);
    for (int p = 0; p < methods[k].order; p++) {
      double sum = 0.0, e = 0.0, low = 0.0;
      for (int j = 0; j <= m->n_stage; j++) {
        double x = pow(m->c[j], p);
        if (j < m->n_stage) sum += b[j] * x;
        e += m->e[j] * x;
        if (m->e_low) low += m->e_low[j] * x;
      }
      MW_NEAR(sum, 1.0 / (p + 1), rounding(m->n_stage, b));
      // embedded methods of order 4, or 5 and 3
      if (p < (m->e_low ? 5 : 4)) MW_NEAR(e, 0.0, rounding(m->n_stage + 1, m->e));
      if (m->e_low && p < 3) MW_NEAR(low, 0.0, rounding(m->n_stage + 1, m->e_low));
    }
  }
}

// Equation (1) of rigid_erk_table.c for y' = tᵖ, h = 1, y_0 = 0, at x.
static double extended(const mw_erk *m, int p, double x)
{
  double term[4 + MW_ERK_DENSE] = { 0.0 }, y;
  double delta = 1.0 / (p + 1), k0 = p == 0 ? 1.0 : 0.0;
  term[1] = delta;
  term[2] = k0 - delta;
  term[3] = delta - 1.0 - term[2];
  for (int i = 0; i < m->n_dense; i++)
    for (int j = 0; j < m->n_all; j++) term[4 + i] += m->d[i * m->n_all + j] * pow(m->c[j], p);
  int top = 3 + m->n_dense;
  y = term[top];
  for (int j = top - 1; j >= 0; j--) y = term[j] + (j % 2 == 0 ? x : 1.0 - x) * y;
  return y;
}

static void extensions_integrate_polynomials(void)
{
  for (int k = 0; k < N_METHOD; k++)
    for (int p = 0; p < methods[k].dense; p++)
      for (double x = 0.125; x < 1.0; x += 0.125) {
        const mw_erk *m = methods[k].m;
        double tol = 0.0;
        for (int i = 0; i < m->n_dense; i++) tol += rounding(m->n_all, m->d + i * m->n_all);
        MW_NEAR(extended(m, p, x), pow(x, p + 1) / (p + 1), tol);
      }
}

// ---- order --------------------------------------------------------------------------------------

static void kepler(const double y[4], double f[4])
{
  double r3 = pow(y[0] * y[0] + y[1] * y[1], 1.5);
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -y[0] / r3;
  f[3] = -y[1] / r3;
}

// A step of the table as it is written.
static void plain_step(const mw_erk *m, double h, double y[4])
{
  double k[MW_ERK_STAGES][4], z[4];
  for (int j = 0; j <= m->n_stage; j++) {
    for (int i = 0; i < 4; i++) {
      z[i] = y[i];
      for (int l = 0; l < j; l++) z[i] += h * row(m, j)[l] * k[l][i];
    }
    if (j < m->n_stage) kepler(z, k[j]);
  }
  memcpy(y, z, sizeof z);
}

// Once round an orbit of eccentricity 0.1, of period 2π: errors fall as the order says, and the
// next orders within a tenth. Rounding of so many steps, 1e-14, is below a tenth of either error.
static void errors_along_an_orbit_fall_with_the_order(void)
{
  for (int k = 0; k < N_METHOD; k++) {
    double e[2];
    int n[2] = { k == 0 ? 256 : 40, k == 0 ? 512 : 80 };
    for (int i = 0; i < 2; i++) {
      double y[4] = { 0.9, 0.0, 0.0, sqrt(1.1 / 0.9) };
      for (int j = 0; j < n[i]; j++) plain_step(methods[k].m, 2.0 * PI / n[i], y);
      e[i] = hypot(y[0] - 0.9, y[1]);
    }
    printf("order %d: errors %.2e %.2e, ratio %.1f\n", methods[k].order, e[0], e[1], e[0] / e[1]);
    MW_CHECK(e[0] / e[1] >= 0.9 * pow(2.0, methods[k].order));
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "stages_are_where_their_coefficients_say", stages_are_where_their_coefficients_say },
    { "weights_integrate_polynomials", weights_integrate_polynomials },
    { "extensions_integrate_polynomials", extensions_integrate_polynomials },
    { "errors_along_an_orbit_fall_with_the_order", errors_along_an_orbit_fall_with_the_order },
  };
  return mw_test_run("rigid_erk", cases, (int)(sizeof cases / sizeof *cases));
}
