// SPDX-License-Identifier: BSD-3-Clause
// nafems.h: NAFEMS' benchmarks of free vibration (FV) and linear elasticity (LE), from the mesh
// file to the number.
//
// Each takes its path through the program's own readers and bodies: an .inp file (or a body of
// beams), mw_body_build, K and M. Supports and loads are made here.
#ifndef MW_TEST_NAFEMS_H
#define MW_TEST_NAFEMS_H

#include <stdbool.h>

#include "fem/mesh.h"

enum { NAFEMS_MAX = 16 };

typedef struct nafems_result {
  const char *name;          // "FV12"
  int n, first;              // numbers, and the item of the reference that the first one is
  double value[NAFEMS_MAX];  // Hz or MPa
  int unknowns;
  bool proved;  // FV: the number of eigenvalues below the last one agrees with an inertia count
} nafems_result;

// n: elements along an arm or a side, kind: of the elements. Prints the error and returns false on
// failure.
bool nafems_fv2(int n, bool stretch, nafems_result *out);  // in-plane vibration of a double cross
bool nafems_fv4(int n, nafems_result *out);                // cantilever with masses off its line
bool nafems_fv12(mw_elem_kind kind, int n, nafems_result *out);  // free thin square plate
bool nafems_fv16(mw_elem_kind kind, int n, nafems_result *out);  // cantilevered thin square plate
bool nafems_fv32(mw_elem_kind kind, int n, nafems_result *out);  // cantilevered tapered membrane
bool nafems_fv52(mw_elem_kind kind, int n, int nz,
                 nafems_result *out);                           // simply supported thick plate
bool nafems_le1(mw_elem_kind kind, int n, nafems_result *out);  // elliptic membrane
bool nafems_le10(mw_elem_kind kind, int n, int nz, nafems_result *out);  // thick elliptic plate
bool nafems_le11(mw_elem_kind kind, int n,
                 nafems_result *out);  // cylinder, taper, sphere: temperature

// Line (name, item) of tests/references/R07_nafems.csv; NaN for what the table leaves empty.
bool nafems_reference(const char *name, int item, double *target, double *own, double *tolerance);

#endif
