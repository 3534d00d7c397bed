// SPDX-License-Identifier: BSD-3-Clause
// element.c: the table of element classes.
#include <assert.h>

#include "base/vec3.h"
#include "element_priv.h"

#define ROW(KIND, name) [MW_ELEM_##KIND] = &mw_elem_##name,
const mw_elem_class *const mw_elem_classes[] = { MW_ELEM_LIST(ROW) };
_Static_assert(sizeof mw_elem_classes / sizeof *mw_elem_classes == MW_ELEM_KINDS,
               "a class for each kind of element");

const mw_elem_info *mw_elem_info_of(mw_elem_kind kind)
{
  assert((unsigned)kind < MW_ELEM_KINDS);
  return &mw_elem_classes[kind]->info;
}

int mw_solid_nodes(mw_elem_kind kind)
{
  const mw_elem_info *info = &mw_elem_classes[kind]->info;
  return info->dim == 3 ? info->n_node : 0;
}

void mw_solid_shape(mw_elem_kind kind, const double xi[3], double *N, double *dN)
{
  mw_elem_classes[kind]->shape(xi, N, dN);
}

mw_code mw_solid_point_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                              const double xi[3], double z, bool strain, double *S, mw_error *err)
{
  (void)z;
  return mw_solid_stress(kind, X, material, xi, strain, S, err);
}

mw_code mw_facet_point_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                              const double xi[3], double z, bool strain, double *S, mw_error *err)
{
  (void)xi;
  return mw_shell_stress(kind, X, z, material, strain, S, err);
}

double mw_solid_jacobian(int n, const double *X, const double *dN, double Jac[9])
{
  double c[3];
  for (int k = 0; k < 9; k++) Jac[k] = 0.0;
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) Jac[3 * a + b] += X[3 * i + a] * dN[3 * i + b];
  mw_cross3(Jac + 3, Jac + 6, c);
  return mw_dot3(Jac, c);
}

void mw_invert33(const double A[9], double det, double B[9])
{
  for (int i = 0; i < 3; i++) {
    double r[3];
    mw_cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), r);
    for (int j = 0; j < 3; j++) B[3 * j + i] = r[j] / det;
  }
}
