// SPDX-License-Identifier: BSD-3-Clause
// axis_local.c: the spline through an axis' grid points by functions of few intervals each.
//
//   f(θ) = Σ_j B_j(θ) c_j ,  j < n + 2 ,  B_k … B_{k+3} alone from grid point k to k + 1   (1)
//   c = C f ,  B(θ_p) C = W(θ_p)   at the grid points and in the middle of both outermost
//                                  intervals                                               (2)
//
// B_j: cubic B-splines on the grid points, continued at both ends by intervals as wide as the
// outermost one. W: weights of the grid values (axis.c). Points of (2) lie one by one inside the
// supports, so that B is regular (Schoenberg and Whitney). Of a smooth axis: the functions of its
// table, and its own C.
// de Boor, A Practical Guide to Splines, 1978 (chapter X: recurrence; chapter XIII: (2)).
// Cost: C O(n³), once; four functions O(n).
#include <string.h>

#include "base/dense.h"
#include "reduction/axis.h"
#include "rom/rom.h"

enum { ORDER = 4 };

// Knot j of the B-splines, 0 … n + 5: grid point j − 3
static double knot(const mw_axis *a, int j)
{
  int k = j - (ORDER - 1), last = a->n - 1;
  if (k < 0) return a->lo + k * (mw_axis_theta(a, 1) - a->lo);
  if (k > last) return a->hi + (k - last) * (a->hi - mw_axis_theta(a, last - 1));
  return mw_axis_theta(a, k);
}

int mw_axis_n_local(const mw_axis *a) { return (a->C ? a->n_table : a->n) + 2; }

int mw_axis_local(const mw_axis *a, double theta, double w[4])
{
  double left[ORDER], right[ORDER];
  if (a->C) {
    double dw[ORDER];
    int cell;
    mw_rom_basis(a->n_table, a->lo, a->hi, theta, &cell, w, dw);
    return cell;
  }
  int k = 0;
  while (k < a->n - 2 && theta >= mw_axis_theta(a, k + 1)) k++;
  w[0] = 1.0;
  for (int j = 1; j < ORDER; j++) {
    double carried = 0.0;
    left[j] = theta - knot(a, k + ORDER - j);
    right[j] = knot(a, k + ORDER - 1 + j) - theta;
    for (int i = 0; i < j; i++) {
      double x = w[i] / (right[i + 1] + left[j - i]);
      w[i] = carried + right[i + 1] * x;
      carried = left[j - i] * x;
    }
    w[j] = carried;
  }
  return k;
}

mw_code mw_axis_local_matrix(const mw_axis *a, double *C, mw_error *err)
{
  int n = a->n, m = mw_axis_n_local(a);
  if (a->C) {
    memcpy(C, a->C, (size_t)m * (size_t)n * sizeof *C);
    return MW_OK;
  }
  mw_arena tmp = { 0 };
  double *B = mw_arena_f64(&tmp, (size_t)m * (size_t)m);
  int *pivot = mw_arena_int(&tmp, (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int p = 0; rc == MW_OK && p < m; p++) {
    // lo, middle, grid points between, middle, hi
    int k = p < 2 ? 0 : p < m - 2 ? p - 1 : n - 1;
    double w[ORDER], theta = mw_axis_theta(a, k);
    if (p == 1) theta = 0.5 * (a->lo + mw_axis_theta(a, 1));
    if (p == m - 2) theta = 0.5 * (mw_axis_theta(a, n - 2) + a->hi);
    int first = mw_axis_local(a, theta, w);
    for (int i = 0; i < ORDER; i++) B[p * m + first + i] = w[i];
    // of a cyclic axis hi is lo
    rc = mw_axis_weights(a, theta, C + (size_t)p * (size_t)n, err);
  }
  if (rc == MW_OK) rc = mw_lu_factor(m, B, pivot, err);
  if (rc == MW_OK) mw_lu_solve(m, B, pivot, n, C);
  mw_arena_free(&tmp);
  return rc;
}
