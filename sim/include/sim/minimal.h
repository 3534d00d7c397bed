// SPDX-License-Identifier: BSD-3-Clause
// minimal.h: equations of motion in as many coordinates as a rigid mechanism has freedoms, at a
// state and over a work space.
//
//   M(z) z̈ + C(z, ż) ż + d(z, ż) + g(z) = Q                                                    (1)
//   Λ ẍ + μ = F ,  Λ = (J M⁻¹ Jᵀ)⁻¹ ,  x the place of a tool, J = ∂x/∂z                         (2)
#ifndef MW_SIM_MINIMAL_H
#define MW_SIM_MINIMAL_H

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"
#include "sim/analyze.h"
#include "sim/linearize.h"

MW_API_BEGIN

typedef struct mw_minimal {
  int k;
  const char **name, **unit;  // [k]      z, as linearize.h chooses them
  double *z, *rate;           // [k]
  double *M;                  // [k × k]  kg, kg·m, kg·m²
  double *dM;                 // [k × k × k]  ∂M_ij/∂z_l: entry (l, i, j)
  double *C;                  // [k × k]  of Christoffel symbols
  double *g;                  // [k]      N or N·m: weight, springs, forces of the model, at rest
  double *d;                  // [k]      dampers, and whatever else depends on rates besides C
  double least, most;         // eigenvalues of M
  double skew;   // largest entry of the symmetric part of Ṁ − 2C over the largest of Ṁ and C
  double error;  // of dM over the largest of M, estimated
  // of the tool, where there is one
  double x[3], v[3];    // m, m/s
  double *J;            // [3 × k]
  double W[9];          // 1/kg, J M⁻¹ Jᵀ: what a force at the tool accelerates it
  double Lambda[9];     // kg, on the directions in which the tool moves, 0 across
  double mu[3];         // N
  int n_direction;      // in which it moves
  double light, heavy;  // kg, eigenvalues of Λ on these
} mw_minimal;

// At a position with rates (linearize.h; no scenario). tool: a position output of the model, -1:
// none. Drives' forces are Q. Memory from mem.
MW_MUST_USE mw_code mw_minimal_find(const mw_mech *m, const mw_linearize_at *at, int tool,
                                    mw_arena *mem, mw_minimal *out, mw_error *err);

enum { MW_OVER_AXES = 4 };

// A grid of joint coordinates.
typedef struct mw_over {
  int n_axis;
  int coord[MW_OVER_AXES];
  int n[MW_OVER_AXES];                        // points, at least 2
  double lo[MW_OVER_AXES], hi[MW_OVER_AXES];  // m or rad
} mw_over;

int mw_over_points(const mw_over *o);
// Values [n_axis] at a point; the last axis runs fastest.
void mw_over_at(const mw_over *o, int point, double *value);

// What M and the tool are over a work space; NaN where the mechanism cannot be, or is singular.
typedef struct mw_minimal_map {
  int n, n_missing;       // points; of them NaN
  double *least, *most;   // [n]  eigenvalues of M
  double *light, *heavy;  // [n]  kg, of Λ, with a tool
  // [n]  of J, on as many directions as the tool moves in anywhere: largest over least singular
  // value, and their product
  double *condition, *manipulability;
  double *x;  // [n × 3]  m, the tool
  // [n]  m/s², what the drives give the tool at rest in every direction it moves in anywhere, other
  // freedoms accelerating as they may; 0: they cannot hold it, or it moves in fewer; NULL: no
  // limits
  double *usable;
  int n_direction;  // in which it moves anywhere
  int n_singular;   // points with fewer: heavy and condition are infinite there
} mw_minimal_map;

// Other coordinates stay as at->position has them where they can. limits: of drives' forces, NULL:
// not known. MW_ERR_NUMERIC: nowhere there.
MW_MUST_USE mw_code mw_minimal_map_find(const mw_mech *m, const mw_linearize_at *at, int tool,
                                        const mw_over *over, const mw_sharing *limits,
                                        mw_arena *mem, mw_minimal_map *out, mw_error *err);

MW_API_END

#endif
