// SPDX-License-Identifier: BSD-3-Clause
// acados_shim.c: calls exported discrete dynamics as acados does, arrays in and out. Compiled with
// the export.
//
// As ocp_nlp_dynamics_disc does it: u and x share a vector, x begins at nu; the result goes to a
// vector of its own, the Jacobian to the top of a matrix with one row more.
#include <math.h>
#include <stdlib.h>

#include "acados/utils/external_function_generic.h"

typedef int function(void **in, void **out, void *p);

int it_disc_dyn_fun(void **in, void **out, void *p);
int it_disc_dyn_fun_jac(void **in, void **out, void *p);
int shim_call(int jacobian, int nx, int nu, const double *x, const double *u, double *x_next,
              double *ux);

static double *numbers(int n)
{
  double *a = malloc((size_t)n * sizeof(double));
  if (!a) abort();
  for (int k = 0; k < n; k++) a[k] = -77.0;
  return a;
}

// ux [(nu + nx) × nx]: the transposed Jacobian, row-major. Returns 1 when something else was
// touched, else 0.
int shim_call(int jacobian, int nx, int nu, const double *x, const double *u, double *x_next,
              double *ux)
{
  int rows = (nu + nx + 1 + 7) / 8 * 8, cols = nx + 8, touched = 0;
  struct blasfeo_dvec v = { 0 }, next = { 0 };
  struct blasfeo_dmat A = { 0 };
  v.pa = numbers(nu + nx);
  v.m = nu + nx;
  next.pa = numbers(nx + 1);
  next.m = nx + 1;
  A.pA = numbers(rows * cols);
  A.m = rows;
  A.n = nx;
  A.use_dA = 1;
#ifdef MF_PANELMAJ
  A.pm = rows;
  A.cn = cols;
#endif
  for (int i = 0; i < nu; i++) BLASFEO_DVECEL(&v, i) = u[i];
  for (int i = 0; i < nx; i++) BLASFEO_DVECEL(&v, nu + i) = x[i];
  struct blasfeo_dvec_args in_x = { &v, nu }, in_u = { &v, 0 }, out_x = { &next, 0 };
  struct blasfeo_dmat_args out_A = { &A, 0, 0 };
  void *in[] = { &in_x, &in_u }, *out[] = { &out_x, &out_A };
  (void)(jacobian ? it_disc_dyn_fun_jac : it_disc_dyn_fun)(in, out, NULL);
  for (int i = 0; i < nx; i++) x_next[i] = BLASFEO_DVECEL(&next, i);
  for (int i = 0; i < nu + nx; i++)
    for (int j = 0; j < nx; j++) ux[i * nx + j] = BLASFEO_DMATEL(&A, i, j);
  for (int i = 0; i < nu; i++) touched |= BLASFEO_DVECEL(&v, i) != u[i];
  for (int j = 0; j < nx; j++) touched |= BLASFEO_DMATEL(&A, nu + nx, j) != -77.0;
  touched |= BLASFEO_DVECEL(&next, nx) != -77.0 || A.use_dA != !jacobian;
  free(v.pa);
  free(next.pa);
  free(A.pA);
  return touched;
}
