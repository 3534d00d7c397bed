// SPDX-License-Identifier: BSD-3-Clause
// bench_nafems.c: NAFEMS' benchmarks: value, published target, error, tolerance; judged, exit
// status 1 when one fails.
//
// Judged against the published target, where there is none against the independent value of the
// table. FV2 twice: the targets are those of arms that do not stretch, the independent values those
// of arms that do.
#include <math.h>
#include <stdio.h>

#include "nafems.h"

static int n_failed;

static void print(const char *what, bool ok, bool by_own, const nafems_result *r)
{
  if (!ok) {
    printf("%s: FAIL (no result)\n", what);
    n_failed++;
    return;
  }
  printf("%s, %d unknowns%s\n", what, r->unknowns, r->proved ? "" : ": FAIL (count of modes)");
  n_failed += !r->proved;
  for (int k = 0; k < r->n; k++) {
    double target, own, tol;
    if (!nafems_reference(r->name, r->first + k, &target, &own, &tol)) {
      printf("  no reference: FAIL\n");
      n_failed++;
      continue;
    }
    bool use_own = by_own || isnan(target);
    double error = r->value[k] / (use_own ? own : target) - 1.0;
    bool pass = fabs(error) <= tol;
    printf("  %-5s %2d  %11.6g  target %9.6g  own %11.6g  error %+9.2e of %s  tolerance %.1e  %s\n",
           r->name, r->first + k, r->value[k], target, own, error, use_own ? "own   " : "target",
           tol, pass ? "PASS" : "FAIL");
    n_failed += !pass;
  }
}

int main(void)
{
  nafems_result r;
  print("FV2, 16 beams an arm", nafems_fv2(16, true, &r), true, &r);
  print("FV2, 16 beams an arm that do not stretch", nafems_fv2(16, false, &r), false, &r);
  print("FV4, 40 beams", nafems_fv4(40, &r), false, &r);
  print("FV12, triangles, 32 a side", nafems_fv12(MW_ELEM_TRI3, 32, &r), false, &r);
  print("FV12, quadrilaterals, 32 a side", nafems_fv12(MW_ELEM_QUAD4, 32, &r), false, &r);
  print("FV16, triangles, 32 a side", nafems_fv16(MW_ELEM_TRI3, 32, &r), false, &r);
  print("FV16, quadrilaterals, 32 a side", nafems_fv16(MW_ELEM_QUAD4, 32, &r), false, &r);
  print("FV32, triangles, 32 across", nafems_fv32(MW_ELEM_TRI3, 32, &r), false, &r);
  print("FV32, quadrilaterals, 32 across", nafems_fv32(MW_ELEM_QUAD4, 32, &r), false, &r);
  print("FV52, HEX20, 8 x 8 x 3", nafems_fv52(MW_ELEM_HEX20, 8, 3, &r), false, &r);
  print("FV52, HEX20, 16 x 16 x 4", nafems_fv52(MW_ELEM_HEX20, 16, 4, &r), false, &r);
  print("LE1, triangles, 32 x 64", nafems_le1(MW_ELEM_TRI3, 32, &r), false, &r);
  print("LE1, quadrilaterals, 32 x 64", nafems_le1(MW_ELEM_QUAD4, 32, &r), false, &r);
  print("LE1, HEX20, 8 x 16", nafems_le1(MW_ELEM_HEX20, 8, &r), false, &r);
  print("LE1, HEX20, 16 x 32", nafems_le1(MW_ELEM_HEX20, 16, &r), false, &r);
  print("LE10, HEX20, 6 x 12 x 4", nafems_le10(MW_ELEM_HEX20, 6, 4, &r), false, &r);
  print("LE10, HEX20, 12 x 24 x 6", nafems_le10(MW_ELEM_HEX20, 12, 6, &r), false, &r);
  print("LE11, HEX20, 4 x 16 x 8", nafems_le11(MW_ELEM_HEX20, 4, &r), false, &r);
  print("LE11, HEX20, 6 x 24 x 12", nafems_le11(MW_ELEM_HEX20, 6, &r), false, &r);
  printf("%s, %d failed\n", n_failed ? "FAIL" : "PASS", n_failed);
  return n_failed ? 1 : 0;
}
