// SPDX-License-Identifier: BSD-3-Clause
// second_layer.h: second-order terms of the motion at a grid point: K_g[f] of the loads f,
// projected on the columns.
//
//   ⟨f, Ψ2_ab⟩ = −ψ_aᵀ K_g[f] ψ_b ,   K_g[f] = K_σ(σ(P_f)) + Σ_k λ_k(P_f) Φ_k,qq − f·x_qq       (1)
#ifndef MW_REDUCTION_SECOND_LAYER_H
#define MW_REDUCTION_SECOND_LAYER_H

#include "work/offline_layer.h"

// A load f of (1).
typedef struct mw_second_load {
  enum {
    MW_SECOND_RATE,
    MW_SECOND_PAIR,
    MW_SECOND_REST,
    MW_SECOND_COLUMN,
    MW_SECOND_POINT,
    MW_SECOND_COORD
  } kind;
  // RATE: M ρ_i; PAIR: M ρ_ij, j <= i; COLUMN: M ψ_i; COORD: unit force on free coordinate i
  int i, j;
  int field;        // POINT, COORD: field y of the reduced model whose second order this is
  int input;        // POINT, COORD: drive that acts along it, −1: none
  mw_ref ref;       // POINT: unit force at a frame's point
  const double *x;  // [3]  m, offset from the frame, body axes
  double dir[3];    // unit, ground axes
} mw_second_load;

// Loads and what (1) needs of them and of the columns at one configuration; s coordinates, m
// columns.
typedef struct mw_second {
  const mw_mech *mech;
  const mw_blocks *blocks;
  const unsigned char *locked;  // [n_coord]
  int s, m, n;                  // n: unknowns of the mechanism
  int n_load, n_moved;          // n_moved: loads M ψ_a of the first columns
  mw_second_load *load;         // [n_load]
  // of one configuration: set by mw_second_loads
  double *p_ij;  // [s (s + 1)/2 × n_body × 12]  ρ_ij (mw_mech_rigid_second)
  // [n_load × n_body × 12]  acceleration field c + B X of a load, body axes: c, then B; zero: none
  double *affine;
  double *F;       // [n_load × n]      f
  double *P;       // [n_load × n]      P_f
  double *lambda;  // [n_load × n_row]  forces of the joint rows
  // of one configuration: set by mw_second_columns
  const double *Psi;  // [m × n]  borrowed
  // [n_body × m × 6]  rigid part of the columns (t, ω), of elastic bodies their floating frame's
  double *twist;
  double *elastic;  // [m × n]           columns without it, of elastic bodies
  double **z;       // [n_body][m × n_z] functionals of the elastic part, NULL: rigid
  double *coord;    // [m × n_coord]     change of the free joint coordinates
  double *Kg;       // [n_load × m × m]  (1), symmetric
  double *tmp;      // [2 n]
  double *across;   // [n_u × m, n_z × m] of the largest body
  mw_arena mem;
} mw_second;

// Opens the terms of second order. kinds: inertia (of n_moved <= m columns, too), gravity and
// fields; memory is released by mw_second_free (second.c).
MW_MUST_USE mw_code mw_second_init(const mw_mech *mech, const mw_blocks *blocks,
                                   const unsigned char *locked, int s, int m, int n_moved,
                                   mw_second *out, mw_error *err);
void mw_second_free(mw_second *z);
// Computes p_ij, affine, F, P and lambda at q, θ held in sys; after mw_second_columns where there
// are loads of columns.
MW_MUST_USE mw_code mw_second_loads(mw_second *z, mw_system *sys, const mw_config *q,
                                    mw_error *err);
// Computes twist, elastic, z, coord of the columns Psi [m × n].
void mw_second_columns(mw_second *z, const mw_system *sys, const double *Psi);
// Kg := Σ λ Φ_qq − f·x_qq of all loads, by columns and loads as they are.
MW_MUST_USE mw_code mw_second_frames(mw_second *z, const mw_config *q, mw_error *err);
// Takes the rigid part off k vectors X [k × n] in place, x − R (RᵀMR)⁻¹RᵀMx, of elastic free
// bodies; twist [6] of each body to twist [n_body × k × 6] (rigid bodies: their motion), NULL: not
// wanted.
void mw_second_split(const mw_blocks *blocks, int k, double *X, double *twist, double *tmp);

// second_rows.c: Kg += Σ λ Φ_qq
MW_MUST_USE mw_code mw_second_rows(mw_second *z, const mw_config *q, mw_error *err);
// Fills gap [n_row × m]: gaps of all joint rows along the columns, g_q ψ_a; m or 1.
MW_MUST_USE mw_code mw_second_gaps(mw_second *z, const mw_config *q, double *gap, mw_error *err);
// Largest of what moves or turns a body and what joints touch of it, in rad and, of displacements,
// in parts of a length (m): twist [6], z [n_z] (NULL: none).
double mw_second_reach(const mw_body *body, double length, const double *twist, const double *z);
// out [12] := E exp(h ω~), o + h E t of a frame p [12], tw = (t, ω)
void mw_second_displace(const double *p, const double tw[6], double h, double out[12]);

// ---- second_stress.c ----------------------------------------------------------------------------

typedef struct mw_stress_body {  // of one body; n 0: it has no stress
  int n, k;                      // unknowns of its basis; directions of columns
  double *w;                     // [n]           K^¼ of the eigenbasis: rigid parts weigh nothing
  double *gram;                  // [n × n]       of the columns
  double *D;                     // [k × n]
  double *G;                     // [k (k + 1)/2 × n]  N m by what directions and basis say
} mw_stress_body;

enum { MW_STRESS_CHECKS = 3 };

// A grid point at which the stress stiffness is known of all of the columns.
typedef struct mw_stress_check {
  double *Psi, *P;  // [m × n], [n_load × n]
  double *energy;   // [m]  ψᵀKψ
  double *Kg;       // [n_body × n_load × m × m]
} mw_stress_check;

typedef struct mw_stress {
  const mw_reduction *r;  // in the bodies' bases
  int n_load, m;
  mw_stress_body *body;  // [n_body]
  double *most;          // [n_load]  largest |Kg_ab| / √(energy_a energy_b) at the checks
  double *over;          // [n_load]  1 over the largest amplitude that is declared, 0: none is
  double *amplitude;     // [n_load]  the largest that is declared or assumed, 0: neither
  double error;          // 0: good to half the tolerance; else what it errs by, of its largest
  double left;           // what it errs by at those amplitudes, of the stiffness
  int n_check;
  mw_stress_check check[MW_STRESS_CHECKS];
  mw_arena mem;
} mw_stress;

MW_MUST_USE mw_code mw_stress_init(const mw_reduction *r, const mw_second *z, mw_stress *out,
                                   mw_error *err);
void mw_stress_free(mw_stress *s);
// Gathers the columns of all grid points, with the loads of z; the next builds; the last adds at a
// grid point: Kg += K_σ(σ(P_f)), of the columns Psi [m × n].
MW_MUST_USE mw_code mw_stress_gather(mw_stress *st, mw_second *z, mw_error *err);
MW_MUST_USE mw_code mw_stress_build(mw_stress *st, mw_error *err);
MW_MUST_USE mw_code mw_stress_add(const mw_stress *st, mw_second *z, const double *Psi,
                                  mw_error *err);

// U [k × n_u] := L T and L [k × r] := U Tᵀ
MW_MUST_USE mw_code mw_stress_lift(const mw_basis *T, int k, const double *L, double *U,
                                   mw_error *err);
MW_MUST_USE mw_code mw_stress_project(const mw_basis *T, int k, const double *U, double *L,
                                      mw_error *err);

// f [mw_blocks_size] := ∫ρ of the acceleration field ρ_ij on the unknowns, at frames p [n_body ×
// 12], p_ij [n_body × 12]
void mw_second_pair_load(const mw_mech *m, const mw_blocks *blocks, const double *p,
                         const double *p_ij, double *f);

#endif
