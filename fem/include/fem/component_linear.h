// SPDX-License-Identifier: BSD-3-Clause
// component_linear.h: a component at rest at a position as what analyses of small motions know:
// the ways it can move, its mass, stiffness and damping along them.
//
//   twists u = Σ x_i N_i ,   M ẍ + C ẋ + K x = N f                                             (1)
//
// f: wrenches of what is outside on its frames. The interface (component_abi.h) gives motions
// alone: N are what corrections of rates leave of unit twists, M comes from the kinetic energy, K
// and C are derivatives of accelerations times M.
#ifndef MW_FEM_COMPONENT_LINEAR_H
#define MW_FEM_COMPONENT_LINEAR_H

#include "base/api.h"
#include "fem/component.h"
#include "fem/model.h"

MW_API_BEGIN

// An instance and where it stands; borrowed.
typedef struct mw_component_at {
  const mw_component_use *use;
  const mw_component_calls *call;
  void *one;
  double size;      // m, of the machine
  double t;         // s
  const double *q;  // [n_frame × 12]  frames
} mw_component_at;

// Ways to move: twists of all frames, in order, along own axes (m, rad).
typedef struct mw_component_ways {
  int n, f;      // 6 n_frame; ways
  double *N;     // [f × n]        twists, a row a way
  double *pick;  // [f × n]        x of twists that are made of ways: pick_i · N_j = δ_ij
  double *rows;  // [(n − f) × n]  orthonormal, rows · N_j = 0
} mw_component_ways;

typedef struct mw_component_linear {
  mw_component_ways way;
  double *M, *K;  // [f × f]
  double *force;  // [f]  of weight, springs and constant forces inside at rest there
  double error;   // of K over its largest entry, each over √(M_ii M_jj): estimated, and asymmetry
  // springs or constant forces inside are loaded there: their part of the stiffness depends on what
  // is outside. Not judged where frames carry states
  bool loaded;
} mw_component_linear;

// An instance of what the model uses, and its size; closed by calls->close where *one is not NULL,
// after an error, too. MW_ERR_INPUT: what was opened is not what the model was read with, or the
// component refuses what is asked.
MW_MUST_USE mw_code mw_component_use_open(const mw_component *c, const mw_component_use *u,
                                          const mw_component_in *in, void **one,
                                          mw_component_size *size, mw_error *err);
// Of an instance, in twists of its frames. The states that frames carry come first and are x
// themselves. Memory from mem. MW_ERR_NUMERIC: a position where it moves otherwise than in its
// reference.
MW_MUST_USE mw_code mw_component_ways_find(const mw_component_at *at, mw_arena *mem,
                                           mw_component_ways *out, mw_error *err);
// From twists of frames, along their own axes, to those of the bodies that they stand for
// (mw_component_use.body).
void mw_component_ways_of_bodies(const mw_component_use *u, mw_component_ways *o);
// Of a component of the model whose bodies are at p [n_frame × 12] in a machine of that size (m).
// Without the weight's stiffness; components with states have it as they were reduced. Angles
// inside count from the reference configuration, by less than half a turn. Memory from mem.
MW_MUST_USE mw_code mw_component_linear_find(const mw_component_use *u, double size,
                                             const double *p, mw_arena *mem,
                                             mw_component_linear *out, mw_error *err);
// MW_ERR_INPUT: it is loaded, or forces go with displacements otherwise than those of springs.
MW_MUST_USE mw_code mw_component_linear_check(const mw_component_use *u,
                                              const mw_component_linear *l, mw_error *err);
// C [f × f] along the same ways. MW_ERR_INPUT: forces that are not linear in rates, as those of
// friction.
MW_MUST_USE mw_code mw_component_damping(const mw_component_use *u, double size, const double *p,
                                         double *C, mw_error *err);
// out [n × n] := pickᵀ A pick, A [f × f]: of twists.
void mw_component_full(const mw_component_ways *way, const double *A, double *out);

MW_API_END

#endif
