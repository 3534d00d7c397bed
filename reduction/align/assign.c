// SPDX-License-Identifier: BSD-3-Clause
// assign.c: the assignment problem by shortest augmenting paths with dual prices, O(n³).
//
//   reduced cost c_ij − u_i − v_j >= 0, equality on the matching; each row is added by a shortest
//     path in reduced costs.
// Jonker, Volgenant, Computing 38 (1987) 325; Kuhn 1955. Index 0 of the arrays stands for "no row",
// rows and columns from 1.
#include "assign_priv.h"

#include <math.h>

size_t mw_assign_bytes(int n)
{
  return 3 * ((size_t)n + 1) * sizeof(double) + 3 * ((size_t)n + 1) * sizeof(int);
}

void mw_assign(int n, const double *cost, int *match, void *scratch)
{
  size_t len = (size_t)n + 1;
  double *u = scratch, *v = u + len, *least = v + len;
  int *row = (int *)(least + len), *way = row + len, *done = way + len;
  for (size_t i = 0; i < len; i++) {
    u[i] = v[i] = 0.0;
    row[i] = 0;
  }
  for (int i = 1; i <= n; i++) {
    int j = 0;
    row[0] = i;
    for (size_t l = 0; l < len; l++) {
      least[l] = INFINITY;
      done[l] = 0;
      way[l] = 0;
    }
    do {  // grow the tree of shortest paths until it meets a free column
      int next = 0;
      double step = INFINITY;
      done[j] = 1;
      for (int l = 1; l <= n; l++) {
        if (done[l]) continue;
        double c = cost[(row[j] - 1) * n + l - 1] - u[row[j]] - v[l];
        if (c < least[l]) {
          least[l] = c;
          way[l] = j;
        }
        if (least[l] < step) {
          step = least[l];
          next = l;
        }
      }
      for (int l = 0; l <= n; l++) {
        if (done[l]) {
          u[row[l]] += step;
          v[l] -= step;
        } else {
          least[l] -= step;
        }
      }
      j = next;
    } while (row[j] != 0);
    for (; j != 0; j = way[j]) row[j] = row[way[j]];
  }
  for (int l = 1; l <= n; l++) match[row[l] - 1] = l - 1;
}
