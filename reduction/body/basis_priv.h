// SPDX-License-Identifier: BSD-3-Clause
// basis_priv.h: the making of a body's basis, shared by its steps.
#ifndef MW_REDUCTION_BASIS_PRIV_H
#define MW_REDUCTION_BASIS_PRIV_H

#include "reduction/basis.h"
#include "system/system_layer.h"

// Modes of a body, times the band: a mode costs as much as a dozen patterns, which make up for
// those left out.
#define MW_BASIS_MODES_TO 1.5

enum { MW_BASIS_ROWS = 32 };  // vectors at a time through sparse matrices and the factor

struct mw_body_stage {
  const mw_body *b;
  char key[65];  // of its content
  const char *cache;
  // the rest is made when something is not found on disk
  bool count_apart;  // modes are not proved here
  bool started;
  mw_mech one;            // the body alone
  mw_blocks *bl;          // NULL where other processes do it
  struct basis_far *far;  // these (basis_far.c), NULL: none
  const mw_csc *PT;       // [n × n_z]  borrowed, as RMR [6 × 6], from one of the two
  const double *RMR;
  int n, n_rigid;
  double *R, *MR;  // [n_rigid × n]  M-orthonormal rigid modes, M times them
  double *work;    // [2 × MW_BASIS_ROWS × n]
  // loads that the mechanism can put on the body: its functionals, gravity on a body that is fixed
  int n_load;
  double *gravity;  // [3 × n]  rows of s_α, ground bodies
  double *X;        // [n_load × n]  G f of every load, G the elastic flexibility
  double *F;        // [n_load × n_load]  fᵀ G f
  // elastic modes
  int n_mode;
  double *lambda, *Phi;  // [n_mode], [n_mode × n]
  mw_arena mem, modes;   // modes: of lambda and Phi
};
typedef struct mw_body_stage stage;

// Rows that the basis is made of, T = C U: rigid modes, modes, patterns.
typedef struct basis_rows {
  int head, q;      // rigid modes and modes; patterns
  double *U;        // [(head + q) × n]
  double *Y;        // [q × n]  M times the patterns
  double *MU;       // [head × n]  M times the rows before them
  double *MG, *KG;  // [room × room]  Gram matrices of the patterns in M and K
  int room;         // patterns there is place for
  // combinations of unit rows with less energy are left out, over that of the stiffest
  double dependent;
} basis_rows;

// basis.c
MW_MUST_USE mw_code basis_start(stage *z, mw_error *err);  // factor and loads, once
// X := G F for k vectors [k × n]; F == X allowed
MW_MUST_USE mw_code basis_flexibility(stage *z, int k, const double *F, double *X, mw_error *err);
// Y := X A for k vectors [k × n], A symmetric
void basis_mul(stage *z, const mw_csc *A, int k, const double *X, double *Y);
// fᵀ x of all loads for k vectors: Y [k × n_load]
void basis_loads(const stage *z, int k, const double *X, double *Y);

// basis_far.c: the same by other processes, where MODEWAY_EIGEN_RANKS asks for them (init: z->far,
// else NULL)
MW_MUST_USE mw_code basis_far_init(stage *z, mw_error *err);
void basis_far_free(stage *z);
MW_MUST_USE mw_code basis_far_start(stage *z, mw_error *err);  // PT, RMR
// X := S⁻¹ X, [k × n]
MW_MUST_USE mw_code basis_far_solve(stage *z, int k, double *X, mw_error *err);
MW_MUST_USE mw_code basis_far_count(const stage *z, double sigma, int *count, mw_error *err);
MW_MUST_USE mw_code basis_far_modes(stage *z, double top, mw_error *err);  // all below top, proved

// basis_rows.c: U with rigid modes and modes in it and room for patterns; basis_rows_free releases
MW_MUST_USE mw_code basis_rows_init(stage *z, int room, basis_rows *out, mw_error *err);
// Room for k more patterns. MW_ERR_NUMERIC: the body has not as many unknowns.
MW_MUST_USE mw_code basis_rows_room(const stage *z, basis_rows *r, int k, mw_error *err);
void basis_rows_free(basis_rows *r);
// k new patterns [k × n], behind the others in U: made orthogonal to rigid modes and modes; Y, MG.
// KG is the caller's.
void basis_rows_add(stage *z, basis_rows *r, int k);
// Eigenvectors of the pencil (KG, MG): C [n_out × q] M-orthonormal, lambda [n_out]; dependent
// combinations are left out.
MW_MUST_USE mw_code basis_ritz(const basis_rows *r, int *n_out, double *C, double *lambda,
                               mw_error *err);

// basis_patterns.c: patterns that with rigid modes and modes hold the response to every load up to
// omega (rad/s) but for `tolerance`; *left what is, relative. rough: static ones to that tolerance
// and one order more, without modes.
MW_MUST_USE mw_code basis_patterns(stage *z, double omega, double tolerance, bool rough,
                                   basis_rows *r, double *left, mw_error *err);

// basis_project.c: T = C U, its rows M-orthonormal with diagonal TKTᵀ = lambda: the first head rows
// of U as they are, then n_pattern combinations C [n_pattern × q] of the others; fills body, T of
// out
MW_MUST_USE mw_code basis_project(stage *z, const basis_rows *u, int n_pattern, const double *C,
                                  const double *lambda, mw_basis *out, mw_error *err);

// basis_file.c: a file for the projected body, another beside it for T (path + ".shapes")
void basis_key(const mw_body *b, char key[65]);
MW_MUST_USE mw_code basis_write(mw_basis *b, const char *path, mw_error *err);
MW_MUST_USE mw_code basis_read(const mw_body *full, const char *path, mw_basis *out, mw_error *err);

#endif
