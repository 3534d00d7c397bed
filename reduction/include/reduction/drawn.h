// SPDX-License-Identifier: BSD-3-Clause
// drawn.h: the columns of a reduced model at the nodes that pictures draw, small enough to go with
// it in rom.nc.
//
//   u(X, θ) = Σ_k φ_bk(X) Σ_a c_bka(θ) δ_a     X: a drawn node of body b, body axes, m          (1)
//
// c stand on a uniform grid of θ; pages interpolate between its points by cubics. A column errs by
// MW_DRAWN_TOLERANCE of its size at most there, in the norm of the mass: pictures show no more.
#ifndef MW_REDUCTION_DRAWN_H
#define MW_REDUCTION_DRAWN_H

#include "base/api.h"
#include "fem/body.h"
#include "rom/rom.h"

MW_API_BEGIN

#define MW_DRAWN_TOLERANCE 1e-3

typedef struct mw_drawn {
  int n_body;                // of the mechanism; 0: nothing is kept
  int n_grid[MW_ROM_MAX_S];  // points an axis, lo to hi; 1: no column depends on it
  int n_point;               // their product
  int n;                     // Σ n_shape
  int n_node_all;            // Σ n_node
  // [n_body]  shapes φ: of rigid bodies that move 6, translation m and rotation rad at the origin,
  // body axes, which are not stored
  const int *n_shape;
  const int *n_node;  // [n_body]  drawn nodes; 0: the body is rigid
  // [n_node_all]  index in the body (body.h, X), ascending; from the body's n_node on its elastic
  // frames
  const int *node;
  int n_value;             // Σ n_shape × 3 n_node
  const float *shape;      // [n_value]  of elastic bodies, φ after φ
  const float *amplitude;  // [n_point × m × n]  c, last axis of the grid fastest
} mw_drawn;

// Marks the drawn nodes of an elastic body, all of them where nothing connects them, and behind
// them its elastic frames; returns their number.  used [n_node + n_frame]
int mw_drawn_mark(const mw_body *body, char *used);

MW_API_END

#endif
