// SPDX-License-Identifier: BSD-3-Clause
// test_body_basis.c: the Craig-Bampton basis of a body by all its modes spans all its shapes.
//
// A free beam whose frequencies span two decades: subspace iteration alone shrinks the highest
// beside the lowest below rounding.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "sim/bodyreduce.h"

enum { ALL = 10000 };

static const char *const text =
    "modeway: 1\n"
    "name: link\n"
    "materials: { steel: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.05, height: 0.04 } } }\n"
    "bodies:\n"
    "  base: { ground: true, frames: { o: { point: [0, 0, 0] } } }\n"
    "  link:\n"
    "    at: [0, 0, 0]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.6, 0, 0] }\n"
    "      members:\n"
    "        - { from: a, to: b, section: bar, material: steel, elements: 6 }\n"
    "    frames:\n"
    "      a: { node: a }\n"
    "      b: { node: b, mass: 1.7, inertia: [3e-3, 3e-3, 3e-3, 0, 0, 0] }\n"
    "joints:\n"
    "  j: { revolute: { a: base.o, b: link.a, axis: [0, 0, 1] }, coordinate: q }\n";

// Eigenvalues w [n_u] of K x = w M x.
static bool eigenvalues(const mw_body *b, mw_arena *mem, double **w)
{
  mw_error err = { 0 };
  size_t n = (size_t)b->n_u;
  double *K = mw_arena_f64(mem, n * n), *M = mw_arena_f64(mem, n * n),
         *V = mw_arena_f64(mem, n * n), *e = mw_arena_f64(mem, n);
  *w = mw_arena_f64(mem, n);
  if (!MW_OKAY(mw_arena_check(mem, &err))) return false;
  for (size_t j = 0; j < n; j++) {
    e[j] = 1.0;
    mw_csc_mul(&b->K, 1.0, e, 0.0, K + j * n);
    mw_csc_mul(&b->M, 1.0, e, 0.0, M + j * n);
    e[j] = 0.0;
  }
  return MW_OKAY(mw_eig_gen(b->n_u, K, M, *w, V, &err));
}

static void a_basis_of_all_modes_spans_all_shapes(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_body body;
  double *want, *got;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  const mw_body *full = f.mech.body;
  while (full->n_u == 0 && full + 1 < f.mech.body + f.mech.n_body) full++;
  if (MW_CHECK(full->n_u > 0) &&
      MW_OKAY(mw_body_basis(full, ALL, false, &f.mem, &body, NULL, &err)) &&
      MW_CHECK(body.n_u == full->n_u) && eigenvalues(full, &f.mem, &want) &&
      eigenvalues(&body, &f.mem, &got)) {
    // both are rounded by n eps of the largest, K and M by as much times their own sums of n
    double n = full->n_u, round = 3.0 * n * DBL_EPSILON * want[full->n_u - 1];
    for (int k = 0; k < full->n_u; k++)
      MW_NEAR(got[k], want[k], round + 3.0 * n * DBL_EPSILON * want[k]);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_basis_of_all_modes_spans_all_shapes", a_basis_of_all_modes_spans_all_shapes },
  };
  return mw_test_run("body_basis", cases, (int)(sizeof cases / sizeof *cases));
}
