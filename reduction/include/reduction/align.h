// SPDX-License-Identifier: BSD-3-Clause
// align.h: modes that are smooth functions of theta over a tensor grid.
//
// Modes at each grid point are M-orthonormal columns with eigenvalues. Only inner products between
// neighbours are needed:
//   O(g, g') = Φ(g)ᵀ M Φ(g')   [k × k]
// Steps: (1) tracking along a comb (first axis, then each line of the second, …): assignment of
// largest |O| (Hungarian), signs; (2) links: modes that anywhere on the grid overlap another mode
// of a neighbour while their eigenvalues lie within a factor 1.5, or overlap themselves by less
// than one half, or change places; (3) the kept set: what holds every mode wanted and is not
// strongly linked to anything else; (4) Procrustes within each cluster of linked modes along the
// comb. The result at g is Φ(g) Q(g) with Q orthogonal up to the cut: columns permuted, signed,
// rotated within clusters. Modes that cannot be followed one by one are followed as a span of
// theirs.
#ifndef MW_REDUCTION_ALIGN_H
#define MW_REDUCTION_ALIGN_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "reduction/axis.h"

MW_API_BEGIN

enum { MW_ALIGN_MAX_S = 6 };

// Overlap callback: writes O(g, g2) [k × k] row-major (row: mode of g, column: mode of g2); called
// once for each edge of the grid, g2 one step further along an axis; and, once for each line of a
// cyclic axis, with g its last point and g2 its first, which are the same configuration.
typedef mw_code (*mw_overlap_fn)(void *ctx, int g, int g2, double *O, mw_error *err);

typedef struct mw_align_in {
  int s;                 // coordinates, 1 … MW_ALIGN_MAX_S
  const int *n_grid;     // [s]; grid point index: last axis fastest
  int k;                 // modes computed at each grid point
  int n_want;            // modes wanted (<= k): the lowest n_want at every grid point
  const double *lambda;  // [n_point × k]  eigenvalues, ascending at each point
  mw_overlap_fn overlap;
  void *ctx;
  // Bit i: the first and the last point along axis i are the same configuration. The aligned modes
  // are the same there, too.
  unsigned cyclic;
  // Bit i: the machine is its own mirror image about the middle of axis i, S its mirror: Φ(g) and S
  // Φ(ḡ) span the same modes, ḡ the mirrored point. The comb starts in the middle, whose modes have
  // a parity, S φ = σ φ, where no eigenvalue is double: then Ψ(ḡ) = S Ψ(g) diag(σ). The number of
  // points is odd.
  unsigned symmetric;
  // [s]  where the points are, of cyclic and symmetric axes; NULL: equidistant
  const mw_axis *axis;
  // Where modes can be followed neither one by one nor as the space of the n_want lowest: a span of
  // more columns that holds them (span.c).
  bool spans;
} mw_align_in;

typedef struct mw_align {
  int k, m;      // m modes kept
  double *Q;     // [n_point × k × m]  columns of the aligned modes in the modes of that point
  int *cluster;  // [m]  cluster number of each kept mode (modes alone have their own)
  int n_cluster;
  // the columns are one span that holds the n_want lowest modes at each point and others that they
  // turn into
  bool span;
  // modes among the lowest n_want somewhere that turn into modes beyond the k computed elsewhere,
  // with what depends on them: not kept; more modes computed would keep them
  int n_dropped;
  // what the kept span lacks in smoothness, 0..1: strongest link of a kept mode to one that is not;
  // where no single modes but the space of the n_want lowest or a span is followed (one cluster),
  // the sine of its largest turn along an edge
  double cut;
  // over all edges of the grid: max |1 − self overlap of a kept mode|; 2: a sign flips
  double largest_jump;
  int jump_a, jump_b;  // the edge where it occurs
} mw_align;

// MW_ERR_NUMERIC: an overlap is not finite, no mode can be followed over the whole grid, or a mode
// changes its sign around a cyclic axis. Q and cluster from mem; out is
// unchanged on error.
MW_MUST_USE mw_code mw_align_modes(const mw_align_in *in, mw_arena *mem, mw_align *out,
                                   mw_error *err);

// Columns of any span, all k of them carried as one cluster (step (4) alone): for what has no
// eigenvalues. lambda is not used, n_want is k. MW_ERR_NUMERIC: an overlap is not finite, or the
// span changes its sign around a cyclic axis.
MW_MUST_USE mw_code mw_align_space(const mw_align_in *in, mw_arena *mem, mw_align *out,
                                   mw_error *err);

MW_API_END

#endif
