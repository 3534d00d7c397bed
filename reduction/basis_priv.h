// SPDX-License-Identifier: BSD-3-Clause
// basis_priv.h: the making of a body's basis, shared by its steps.
#ifndef MW_REDUCTION_BASIS_PRIV_H
#define MW_REDUCTION_BASIS_PRIV_H

#include "reduction/basis.h"
#include "system_priv.h"

enum { MW_BASIS_ROWS = 32 };  // vectors at a time through sparse matrices and the factor

struct mw_body_stage {
  const mw_body *b;
  char key[65];  // of its content
  const char *cache;
  // the rest is made when something is not found on disk
  bool started;
  mw_mech one;  // the body alone
  mw_blocks *bl;
  int n, n_rigid;
  double *R, *MR;  // [n_rigid × n]  M-orthonormal rigid modes, M times them
  double *work;    // [2 × MW_BASIS_ROWS × n]
  // loads that the mechanism can put on the body: its functionals, gravity on a body that is fixed
  int n_load;
  double *gravity;  // [3 × n]  rows of s_α, ground bodies
  double *X;        // [n_load × n]  G f of every load, G the elastic flexibility
  double *D;        // [n_load]  fᵀ G f
  // elastic modes
  int n_mode;
  double *lambda, *Phi;  // [n_mode], [n_mode × n]
  mw_arena mem, modes;   // modes: of lambda and Phi
};
typedef struct mw_body_stage stage;

// basis.c
MW_MUST_USE mw_code basis_start(stage *z, mw_error *err);  // factor and loads, once
// X := G F for k vectors [k × n]; F == X allowed
MW_MUST_USE mw_code basis_flexibility(stage *z, int k, const double *F, double *X, mw_error *err);
// Y := X A for k vectors [k × n], A symmetric
void basis_mul(stage *z, const mw_csc *A, int k, const double *X, double *Y);
// fᵀ x of all loads for k vectors: Y [k × n_load]
void basis_loads(const stage *z, int k, const double *X, double *Y);

// basis_patterns.c: rows Z [*q × n] (malloc'd) that with rigid modes and modes hold the response to every load up to omega
// (rad/s) but for `tolerance`; *left what is, relative. static_only: no dynamic ones.
MW_MUST_USE mw_code basis_patterns(stage *z, double omega, double tolerance, bool static_only,
                                   int *q, double **Z, double *left, mw_error *err);

// basis_project.c: T [r × n] M-orthonormal rows with diagonal TKTᵀ = lambda [r]; fills body, T of out
MW_MUST_USE mw_code basis_project(stage *z, int r, const double *T, const double *lambda,
                                  mw_basis *out, mw_error *err);

// basis_file.c
void basis_key(const mw_body *b, char key[65]);
MW_MUST_USE mw_code basis_write(const mw_basis *b, const char *path, mw_error *err);
MW_MUST_USE mw_code basis_read(const mw_body *full, const char *path, mw_basis *out, mw_error *err);

#endif
