// SPDX-License-Identifier: BSD-3-Clause
// beam_blow.h: a simply supported Euler-Bernoulli beam, EI = rho A = L = 1, struck by half a sine,
// and its closed form.
//
//   w(x, t) = Σ_n φ_n(x) φ_n(x0) q_n(t) ,  φ_n = √2 sin nπx ,  q̈_n + ω_n² q_n = u(t) ,
//       ω_n = (nπ)²
//   u = F sin(πt/τ) for t < τ, else 0
#ifndef MW_BEAM_BLOW_H
#define MW_BEAM_BLOW_H

#include "fixture.h"
#include "sim/run.h"

typedef struct beam_blow {
  int n_elem;             // over the whole beam, a multiple of 10
  int count;              // modes of the reduced model
  double F, tau;          // N, s
  double duration, step;  // s
  const char *more;       // lines at the end of the reduction
} beam_blow;

// Struck at 0.3, scenario "blow" (number 0); outputs third (0.3) and mid. The coordinate x is that
// of a cart on a rigid rail.
bool beam_blow_model(const beam_blow *b, mw_fixture *out);
// The closed form at x, t.
double beam_blow_at(const beam_blow *b, double x, double t);
// Largest distance of output o of a run from the closed form, and the peak of this, m.
void beam_blow_error(const beam_blow *b, const mw_run *r, int o, double *worst, double *peak);

#endif
