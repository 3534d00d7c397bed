// SPDX-License-Identifier: BSD-3-Clause
// dae_system_layer.h: what Newton's iteration keeps beside the bodies' blocks: the joints' rows as
// a graph, damping of what moves, iterates before, strains of second order.
#ifndef MW_SIM_DAE_SYSTEM_LAYER_H
#define MW_SIM_DAE_SYSTEM_LAYER_H

#include "base/arena.h"
#include "fem/elim.h"

struct mw_dae;

// ---- dae_modal.c: α of bodies that move in Newton's matrix --------------------------------------

typedef struct mw_dae_drag {
  int s;             // coordinates of the reduction, 0: nothing is damped so
  const int *coord;  // [s]  of the mechanism
  double **H, **SH;  // [n_body]  [s × n_y], S_b⁻¹ of it; NULL: not damped
  double *D;         // [s × s]
  // of dae_drag.c
  double *W;       // [s × n_row]  Ĵ S⁻¹ H
  double *X, *Xs;  // [2s × (n_row + n_coord)], [2s × n_coord]  A0⁻¹ W and A0⁻¹ E: λ and s
  double *unit;    // [s]  units of w
  double *B, *v;   // [2s × 2s] LU, [2s]
  double *zero;    // [n_row + 2 n_coord]
  int *piv;        // [2s]
} mw_dae_drag;

// ---- dae_graph.c: the joints' rows as nodes of the block elimination ----------------------------

typedef struct mw_dae_node {  // rows first … first + n − 1 of a joint
  int joint, first, n;
} mw_dae_node;

typedef struct mw_dae_between {  // a block of the elimination
  size_t at;
  bool swapped;  // transposed: the other node goes first
} mw_dae_between;

typedef struct mw_dae_large {  // an elastic body
  int n;                       // nodes that touch it
  const int *node;             // [n]
  const mw_dae_between *pair;  // [n × n]
} mw_dae_large;

typedef struct mw_dae_coordinate {
  double *T[2];  // [n_f of a, of b]  ĵ_e G of the row e that defines it, set by joint_build
  double Js, k;  // ∂g_e/∂s; γ' c_s + k_s
  double rest;   // ρ_e − ĵ_e x_f of the present right-hand side
  int held;      // which held coordinate, −1
  bool idle;     // neither held nor with a stiffness: λ follows from the coordinate's equation
} mw_dae_coordinate;

typedef struct mw_dae_system {
  int n_node;
  mw_dae_node *node;  // [n_node]
  int *node0;         // [n_joint + 1]  first node of a joint
  int *ptr, *touch;   // [n_node + 1], [ptr[n_node]]  bodies of each node
  mw_elim elim;       // bodies, then nodes
  mw_elim_num num;
  double *diag, *inverse;    // [(n_body + n_node) × 8]  of bodies 1, of rows R
  double *x;                 // [(n_body + n_node) × 8]
  mw_dae_large *large;       // [n_body]
  mw_dae_coordinate *coord;  // [n_coord]
  double *mix;               // [n_row]  f of (3)
  double *rhs;               // [n_row]
  double *r_s;               // [n_coord]
  double **x_f, **f;         // [n_body][n_f]  functionals of S⁻¹ r; Ĵᵀ λ on them
} mw_dae_system;

// ---- dae_anderson.c -----------------------------------------------------------------------------

enum { MW_DAE_DEPTH = 8 };
typedef struct mw_dae_memory {
  size_t n;                 // q, lam, lambda
  int kept, next;           // columns of dX, dF; kept −1: nothing yet
  double *x, *f, *x0, *f0;  // [n]  iterate and what Newton's step changes of it; the one before
  double *dX, *dF;          // [MW_DAE_DEPTH × n]
  double *A, *b;            // [n_q × MW_DAE_DEPTH], [n_q]
} mw_dae_memory;

MW_MUST_USE mw_code mw_dae_memory_init(const struct mw_dae *d, mw_arena *mem, mw_dae_memory *m,
                                       mw_error *err);
void mw_dae_forget(mw_dae_memory *m);
void mw_dae_state(struct mw_dae *d, double *x, bool back);  // x [n] := q, lam, lambda, or back
// After a Newton step from m->x to the present state: keeps what it changed; use: q and the
// multipliers become the combination of iterates whose change is least.
MW_MUST_USE mw_code mw_dae_accelerate(struct mw_dae *d, mw_dae_memory *m, bool use, mw_error *err);

// ---- dae_strain.c -------------------------------------------------------------------------------

typedef struct mw_dae_strain {
  bool on;               // some body has strains of second order
  double **T;            // [n_body]  tangent stiffness at the pattern of K; NULL: linear body
  double *work;          // of fem/strain.h
  double *gauge;         // [6 × gauges of a body]
  mw_dae_memory memory;  // of the iteration
  double *save;          // a state: q v a aux lam lambda
  int pause;             // steps until renewing the blocks is tried again
  int renewals;          // of blocks
  bool renewed;          // the blocks hold the tangent stiffness at `at`
  double *at;            // [n_q]  state at which they were renewed
} mw_dae_strain;

MW_MUST_USE mw_code mw_dae_strain_init(struct mw_dae *d, mw_error *err);
// What body b has beyond K u: r [n_u] += force; NaN where an element fails. The energy, J.
void mw_dae_strain_force(struct mw_dae *d, int b, bool rates, double *r);
double mw_dae_strain_energy(struct mw_dae *d, int b);
// Power (W) that damping takes beyond that of β K.
double mw_dae_strain_lost(struct mw_dae *d, int b);
// What stresses and strains at points of body b have beyond S u: added to the outputs' rows y.
void mw_dae_strain_gauges(struct mw_dae *d, int b, double *y);
// Builds all blocks with the stiffness at the present u; statics as mw_dae_blocks.
MW_MUST_USE mw_code mw_dae_renew(struct mw_dae *d, bool statics, mw_error *err);
// For errors: "; body …" that turns too far against its frame, else "".
void mw_dae_name_turned(const struct mw_dae *d, char text[160]);
void mw_dae_keep(struct mw_dae *d, bool back);  // keeps the state, or takes it back

#endif
