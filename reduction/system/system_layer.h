// SPDX-License-Identifier: BSD-3-Clause
// system_layer.h: inside of mw_blocks and mw_system.
#ifndef MW_REDUCTION_SYSTEM_LAYER_H
#define MW_REDUCTION_SYSTEM_LAYER_H

#include "fem/component_linear.h"
#include "fem/factor.h"
#include "reduction/system.h"
#include "small_layer.h"

typedef struct mw_block {  // one elastic body
  mw_factor *factor;       // of S = K − σM (+ grounding), NULL where S is diagonal
  double *diag;            // [n_u]  S where it is diagonal, else NULL
  bool eigenbasis;         // K and M are diagonal: so is K − τM of any shift τ
  int n_negative;          // eigenvalues of S below zero
  int n_ground;
  int ground[6];    // grounded unknowns of the body
  double kappa[6];  // their springs
  double *X;        // [n_ground × n_u]  rows S⁻¹ e_g
  mw_csc PT;        // [n_u × n_z]  Pᵀ: a column a functional
  // [3 × n_u]  rows of the turn of the body's mean axes, rad: those of (RᵀMR)⁻¹RᵀM. Free bodies
  //            with
  // guides: joints on these are read in mean axes (mw_joint_eval.Ra); else NULL
  double *mean;
  bool borrowed;  // all of it belongs to other blocks
} mw_block;

struct mw_blocks {
  const mw_mech *m;
  double sigma;
  bool indefinite;
  int n;            // unknowns
  int *offset;      // [n_body]
  mw_block *block;  // [n_body]
  double *M6;       // [n_body × 36]  mass of rigid moving bodies
  double *RMR;      // [n_body × 36]  lower Cholesky factor of Rᵀ M R of free elastic bodies
  mw_arena mem;
};

enum { MW_SYSTEM_MANY = 8 };  // as many vectors as block Lanczos solves for at once

typedef struct mw_system_component {  // what stands for the inside of a component
  int first;                          // its first frame among the bodies
  mw_component_linear linear;         // of twists of the frames' bodies
  double *M, *K;                      // [6 n_frame × 6 n_frame]  of twists
} mw_system_component;

struct mw_system {
  const mw_blocks *bl;
  const double *p, *s;  // copies
  unsigned char *locked;
  int n_component;
  mw_system_component *component;  // [n_component]
  int n_mu;                        // rows kept: of joints, held loads, inside of components
  double *k_row, *c_row;           // [n_mu]  stiffness and damping of the rows
  int *mech_row;                   // [n_mu]  row of the mechanism's joints, −1: of others
  double *preload;  // [n_row of the mechanism]  k g of springs that the configuration loads, N, N·m
  double **pull;    // [n_body]  [mw_block_width]  −Σ k g g_q of them
  double energy;    // J, ½ Σ k g²
  // joint rows as rows over the unknowns of a body: elastic [n_act × n_u], rigid moving [n_act × 6]
  // for the rows act [n_act] that touch it
  int *n_act, **act;
  double **B;  // [n_body]  NULL: none
  // [n_body]  [n_act × n_u]  rows S⁻¹ Bᵀ of elastic bodies; NULL where S is diagonal
  double **X;
  // [n_body]  [n_coord × mw_block_width]  derivative of the joint coordinates by functional, or (v,
  // ω)
  double **coord;
  int n_small;  // unknowns of the small system: μ, rigid bodies, grounding
  // [n_body]  first unknown of the body's 6 (rigid) or n_ground in the small system, −1
  int *small_body;
  mw_small small;
  double *rhs, *zf;  // [n_small], [largest mw_block_width]
  double *many;      // [n_small × MW_SYSTEM_MANY]  right-hand sides that go through it together
  double *work;      // [3 n]
  mw_arena mem;
};

// As mw_blocks_build with sigma = 0, definite; of_body [n_body]: blocks of a body alone, which are
// borrowed and must outlive the result, or NULL.
MW_MUST_USE mw_code mw_blocks_build_from(const mw_mech *m, const mw_blocks *const *of_body,
                                         mw_blocks **out, mw_error *err);
// functionals of an elastic body, n_z and three of its mean axes where it has them; 6 of a rigid
// moving one
int mw_block_width(const mw_blocks *bl, int b);
// Of a free body: the unknowns it is grounded at and their springs; lower Cholesky factor G [6 × 6]
// of RᵀMR.
MW_MUST_USE mw_code mw_block_ground(const mw_body *b, mw_block *bl, mw_error *err);
MW_MUST_USE mw_code mw_block_rigid_gram(const mw_body *b, double *G, mw_error *err);
// S = K − σM + κ on the grounded unknowns; shares with K what it can.
MW_MUST_USE mw_code mw_block_shifted(const mw_body *b, const mw_block *bl, double sigma,
                                     mw_arena *mem, mw_csc *S, mw_error *err);
// x := S⁻¹ x for k vectors ld apart
MW_MUST_USE mw_code mw_block_solve(const mw_block *k, int n_u, int n, size_t ld, double *X,
                                   mw_error *err);
// y [n_u] += Pᵀ c, c [n_z, and 3 of the mean axes] mostly zeros
void mw_block_functional(const mw_block *k, const double *c, double *y);

// Displacement of a frame's point along dir as a row over the body's functionals (elastic) or (v,
// ω) (rigid moving).
void mw_system_point_row(const mw_system *sys, mw_ref ref, const double offset[3],
                         const double dir[3], double *row);

// A += −σM_6 of rigid body b and the rows that touch it, its unknowns from o on
void mw_system_rigid_entries(const mw_system *sys, int b, double sigma, int o, mw_small *z);
// A[act, act] += α of the symmetric half of X Bᵀ, the rows of elastic body b; X [n_act × n_u], g
// [n_act × n_act] scratch
void mw_system_gram_entries(const mw_system *sys, int b, const double *X, double *g, mw_small *z);
// ---- system_component.c -------------------------------------------------------------------------

// Stiffness, mass and rows of the components' insides at sys->p. Errors of
// mw_component_linear_find, mw_component_linear_check.
MW_MUST_USE mw_code mw_system_components_open(mw_system *sys, mw_error *err);
int mw_system_components_rows(const mw_system *sys);
// Rows of C [n_body] from n_mu on
void mw_system_components_add_rows(mw_system *sys, double **C);
// K − σM into the small system, so many calls of mw_small_add
size_t mw_system_components_entries(const mw_system *sys);
void mw_system_components_add_entries(mw_system *sys, double sigma, mw_small *z);
// Y [n × k] += M X, y += K x
void mw_system_components_mul_M(const mw_system *sys, int k, const double *X, double *Y);
void mw_system_components_mul_K(const mw_system *sys, const double *x, double *y);
// Y [k × n] += C X. MW_ERR_INPUT: forces that are not linear in rates
MW_MUST_USE mw_code mw_system_components_mul_C(const mw_system *sys, int k, const double *X,
                                               double *Y, mw_error *err);
// f += weight and springs inside at rest
void mw_system_components_load_rest(const mw_system *sys, double *f);

// ---- rows, entries, functionals -----------------------------------------------------------------

// Calls of mw_small_add that these take; ground: with the grounding of elastic bodies
size_t mw_system_entries(const mw_system *sys, bool ground);

// f_b += (row c over the functionals of body b)ᵀ
void mw_system_add_functional(const mw_system *sys, int b, const double *c, double *f);

#endif
