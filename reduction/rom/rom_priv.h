// SPDX-License-Identifier: BSD-3-Clause
// rom_priv.h: what the files of reduction/rom/ share. Not for anyone else.
#ifndef MW_ROM_PRIV_H
#define MW_ROM_PRIV_H

#include <math.h>

#include "rom/step.h"

// a b + c, rounded once where the machine does that in one instruction (FP_FAST_FMA), else twice:
// the compiler itself may not choose (-ffp-contract=off), so that a build gives the same bits in
// every loop.
static inline double rom_madd(double a, double b, double c)
{
#ifdef FP_FAST_FMA
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

// Where theta lies in the grid, and the spline weights there; nothing is set along flat axes but x.
typedef struct rom_place {
  int cell[MW_ROM_MAX_S];
  double w[MW_ROM_MAX_S][4];   // 1
  double dw[MW_ROM_MAX_S][4];  // 1/unit of theta
  double x[MW_ROM_MAX_S];      // distance of the folded place from lo, unit of theta
  double turns[MW_ROM_MAX_S];  // of cyclic axes, else 0; unset where no axis is cyclic or symmetric
  unsigned mirrored;           // bits of axes that were folded
  double *train;               // [rom_train_doubles]  scratch of rom_train.c
} rom_place;

// Scratch: every entry is set before it is read within one call. mp: m rounded up to a multiple of
// 8.
typedef struct rom_work {
  mw_rom_layout lay;
  int mp;
  // the fields at one theta, set by rom_interpolate
  double *value;     // [n_field]
  double *gradient;  // [s × n_field]
  // products of delta and deld, packed like the fields they meet, set by rom_terms
  double *dd;     // [mm]  weights of delta' X delta
  double *dv;     // [mm]  weights of 2 delta' X deld
  double *vd;     // [mk]  weights of deld' E delta, E skew
  double *sym;    // [mm]  sum of thd_i thd_j c_ij - K
  double *skew1;  // [mk]  sum of thd_i e_i
  double *skew2;  // [mk]  sum of thd_i thd_j de_i/dtheta_j
  // equations of motion  A thdd + B deldd = r_theta ,  B' thdd + deldd = r_delta , set by rom_terms
  double A[MW_ROM_MAX_S * MW_ROM_MAX_S];  // [s × s]
  double *B;                              // [s × mp]
  double r_theta[MW_ROM_MAX_S];
  double *r_delta;               // [mp]
  double f_theta[MW_ROM_MAX_S];  // size of the terms of r_theta before they cancel
  double *f_delta;               // [mp]  the same of r_delta, K delta excepted
  // linear algebra of one step
  double *S;      // [m × mp]  inverse of I + h/2 C + h²/4 K
  double *W;      // [s × mp]  W_i = S B_i
  double *diag;   // [mp]      diagonal of I + h/2 C + h²/4 K
  double *res;    // [mp]
  double *tmp;    // [mp]
  double *acc;    // [s + m]
  double *mid;    // [2 (s + m)]
  double *train;  // [rom_train_doubles]  set by rom_place_of
} rom_work;

void rom_work_init(rom_work *w, const mw_rom *rom, void *mem);

// Codes for theta outside its box, |delta| > delta_max, a value that is not finite.
mw_rom_code rom_check_theta(const mw_rom *rom, const double *theta, mw_rom_info *info);
mw_rom_code rom_check_state(const mw_rom *rom, const double *x, mw_rom_info *info);
mw_rom_code rom_check_input(const mw_rom *rom, const mw_rom_opt *opt, const double *u,
                            const double *thdd_p, mw_rom_info *info);
mw_rom_code rom_blame(mw_rom_info *info, mw_rom_code code, int index);

// train: scratch of rom_train_doubles, kept as long as the place; NULL where there is no train.
void rom_place_of(const mw_rom *rom, const double *theta, double *train, rom_place *at);
// Fields f0 … f1-1 at a place: value [n_field] and gradient [s × n_field] (may be NULL), both
// indexed by field.
void rom_interpolate_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                           double *gradient);
// Its parts. Ranges hold whole parts of the record.
void rom_add_slopes(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                    double *gradient);
void rom_mirror(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                double *gradient);
void rom_add_turns(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value);
int rom_train_rank(const mw_rom *rom);  // the largest, 0: there is no train
static inline int rom_train_doubles(const mw_rom *rom)
{
  return 2 * (1 + rom->s) * rom_train_rank(rom);
}
void rom_train_range(const mw_rom *rom, const rom_place *at, int f0, int f1, double *value,
                     double *gradient);
// The fields that the equations of motion need, into w->value and w->gradient.
void rom_interpolate(const mw_rom *rom, const mw_rom_opt *opt, const double *theta, rom_work *w);

// The equations of motion at x with the fields in w: sets A, B, r and f.
void rom_terms(const mw_rom *rom, const mw_rom_opt *opt, const double *x, const double *u,
               rom_work *w);

// Solves  A a + B d = res_theta ,  B' a + S⁻¹ d = res_delta  for a [s] and d [m]; W_i = S B_i and g
// = S res_delta are given, rows with a bit in `prescribed` read a_i = 0. d may be g.
// MW_ROM_SINGULAR if A - B S B' is not positive.
mw_rom_code rom_solve(int s, int m, const rom_work *w, const double *W, unsigned prescribed,
                      const double *res_theta, const double *g, double *a, double *d);

// Inverse of a symmetric positive definite matrix in place, A [m × mp] row-major, zero in columns m
// … mp-1.
int rom_invert(int m, int mp, double *A);  // 0: a pivot was not positive

// y [mp] = A x, A [m × mp] symmetric, zero in columns m … mp-1.
void rom_symv(int m, int mp, const double *A, const double *x, double *y);
double rom_dot(int n, const double *a, const double *b);  // fixed order of summation
void rom_packed_sym_add(int m, const double *X, const double *v,
                        double *y);  // y += X v, rows of the lower triangle
void rom_packed_skew_add(int m, const double *E, const double *v, double *y);  // y += E v

// ---- derivatives --------------------------------------------------------------------------------

// Scratch of the derivatives of the equations of motion; every entry is set before it is read within one call.
typedef struct rom_jac {
  mw_rom_layout lay;
  int mp, ld;  // m rounded up to 8; distance of two rows of R, 2n + n_u rounded up to 8
  // fields at one theta, set by rom_interpolate_second
  double *value;     // [n_field]
  double *gradient;  // [s × n_field]
  double *hessian;   // [s (s + 1)/2 × n_field]  pairs of axes packed, not set where one is flat
  // set by rom_terms_derivative
  double *R;  // [n × ld]  rows of R = M a - r, columns theta, delta, thd, deld, u
  double *A;  // [s × s]   mass matrix M = [A B; B' I]
  double *B;  // [s × mp]
  double *a;  // [n]       the accelerations in R
  double residual[MW_ROM_MAX_S];  // [s]  R of the rows theta
  // set by rom_outputs.c
  double *R0;     // [s × ld]  the rows theta of R
  double *third;  // [s × n_y (1 + m)]  set by rom_interpolate_third
  // scratch: products of delta with delta, deld and a, sums of packed fields, vectors
  double *dd, *dw, *sym;           // [mm]
  double *ed, *eb, *skew, *P, *G;  // [mk]
  double *g, *g_dot;               // [n]
  double *row[6];                  // [mp]
  double *train;                   // [rom_second_doubles]
} rom_jac;

// Layout of mw_rom_sens_bytes: rom_work first, then the derivatives.
typedef struct rom_sens {
  rom_work work;
  rom_jac jac;
} rom_sens;
void rom_sens_init(rom_sens *w, const mw_rom *rom, void *mem);

// Fields with first and second derivatives into j: all that the equations of motion need (C without second derivatives),
// of the fields y those that inputs and laws act along, or all. Values and gradients have the bits of rom_interpolate.
void rom_interpolate_second(const mw_rom *rom, const mw_rom_opt *opt, const double *theta,
                            int all_y, rom_jac *j);
// sum_ij v_i v_j of the third derivatives by theta_i, theta_j, theta_l of all fields y, into row l of j->third; v [s].
void rom_interpolate_third(const mw_rom *rom, const double *theta, const double *v, rom_jac *j);
int rom_second_doubles(const mw_rom *rom);

// R(q, v, u) = M(q) a - r(q, v, u), laws included: its derivatives at fixed a [n] (NULL: 0) with the fields in j, into
// j->R; sets j->A, j->B, j->a.
void rom_terms_derivative(const mw_rom *rom, const mw_rom_opt *opt, const double *x,
                          const double *u, const double *a, rom_jac *j);

// The part of it that inputs and laws have.
void rom_jac_add_forces(const mw_rom *rom, const double *x, const double *u, rom_jac *j);

// R <- - M⁻¹ R: derivatives of the accelerations; 0 in rows of prescribed coordinates. 0: M is not positive definite.
int rom_jac_solve(const mw_rom *rom, unsigned prescribed, rom_jac *j);

// Of a field y at delta [m], fields in j: g [n] = y,q, and out [n] = y,qq z with z [n].
void rom_field_slope(const mw_rom *rom, const rom_jac *j, int field, const double *delta,
                     double *g);
void rom_field_curve(const mw_rom *rom, const rom_jac *j, int field, const double *delta,
                     const double *z, double *out);

static inline int rom_jac_pair(int i, int j)
{
  return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}
static inline const double *rom_jac_gradient(const mw_rom *rom, const rom_jac *j, int k)
{
  return j->gradient + (size_t)k * (size_t)rom->n_field;
}
static inline const double *rom_jac_hessian(const mw_rom *rom, const rom_jac *j, int k, int l)
{
  return j->hessian + (size_t)rom_jac_pair(k, l) * (size_t)rom->n_field;
}
static inline int rom_jac_is_flat(const mw_rom *rom, int k) { return (int)(rom->flat >> k & 1u); }
static inline void rom_jac_clear(int n, double *y)
{
  for (int k = 0; k < n; k++) y[k] = 0.0;
}
// y += c x
static inline void rom_jac_add(int n, double c, const double *restrict x, double *restrict y)
{
  for (int k = 0; k < n; k++) y[k] += c * x[k];
}

#endif
