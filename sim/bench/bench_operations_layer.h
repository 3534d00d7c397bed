// SPDX-License-Identifier: BSD-3-Clause
// bench_operations_layer.h: operations of the rigid, full and body paths by formula: sums, products
// and quotients alike, those on zeros beside blocks and lanes that are not needed not counted.
#ifndef MW_SIM_BENCH_OPERATIONS_LAYER_H
#define MW_SIM_BENCH_OPERATIONS_LAYER_H

#include "fem/rigid_structure.h"
#include "sim/case.h"

// ---- the rigid path, bench_operations.c ---------------------------------------------------------

typedef struct mw_elim_count {
  double factor, solve;  // of the matrix, of one right-hand side
} mw_elim_count;

// The elimination by its blocks: over all nodes k of m unknowns, N the unknowns of the nodes that
// follow and are coupled with it,
//   factor = Σ_k Σ_{r<m} (c + 1)² ,  solve = Σ_k Σ_{r<m} (4 c + 1) ,  c = N + m − 1 − r
// c = N of a body that is eliminated first: its block stays diagonal.
void mw_count_elimination(const mw_rigid_structure *s, mw_elim_count *out);
// The same had by symbolic elimination of the graph that has no fill yet; natural: each body with
// 12 natural coordinates and the 6 rows that keep it rigid behind it, in place of its twist (what a
// null-space method saves: Kraus, Winckler, Bock 2001). NaN above MW_COUNT_NODES nodes.
enum { MW_COUNT_NODES = 3000 };
MW_MUST_USE mw_code mw_count_symbolic(const mw_rigid_structure *s, bool natural, mw_elim_count *out,
                                      mw_error *err);

// ---- full and body, bench_paths.c ---------------------------------------------------------------

// Operations of Newton's iteration in one body: n unknowns, border d = 24 (18 of a rigid body, 0 of
// one at rest), f = 12 + n_z functionals (n_z at rest), L the entries of its factor:
//   4 L − 2 n + 4 d n + 2 d² + 2 f (n + d) + K u + M ü + 18 products with moments of the mass
// Vector sums, strains of second order and joints' rows are not counted.
double mw_count_body(const mw_body *b, bool moving, double entries);

typedef struct mw_path_count {
  const char *path;   // "rigid", "full" or "body"
  char failed[512];   // why there are no figures, "": there are
  int unknowns;       // of a step, multipliers included
  int steps;          // that were made
  double iterations;  // of a step
  double bodies;      // operations of an iteration in all bodies
  double rows;        // largest for joints' rows: as if dense, a solution an iteration
  double step;        // operations of a step
  double step_ns;     // processor time
} mw_path_count;

// Steps of path "full" or "body" (10 modes a body, as compare has it) from the start of the
// scenario, at most 200. What a path refuses is its `failed`.
MW_MUST_USE mw_code mw_count_path(const mw_case *c, const mw_scenario *sc, const char *path,
                                  mw_path_count *out, mw_error *err);

#endif
