// SPDX-License-Identifier: BSD-3-Clause
// rom_derive.h: what the files of reduction/rom/ that differentiate share, beyond rom_layer.h. Not
// for anyone else.
#ifndef MW_ROM_DERIVE_H
#define MW_ROM_DERIVE_H

#include "core/rom_layer.h"

// Scratch of the derivatives of the equations of motion; every entry is set before it is read
// within one call.
typedef struct rom_jac {
  mw_rom_layout lay;
  int with_H;      // of inertia FULL, and there is H
  int n_G;         // columns that have E: those of inertia FULL
  int with_third;  // of inertia FULL, and there are A3 and B2
  int mp, ld;      // m rounded up to 8; distance of two rows of R, 2n + n_u rounded up to 8
  // fields at one theta, set by rom_interpolate_second
  double *value;     // [n_field]
  double *gradient;  // [s × n_field]
  double *hessian;   // [s (s + 1)/2 × n_field]  pairs of axes packed, not set where one is flat
  // set by rom_terms_derivative
  double *R;  // [n × ld]  rows of R = M a - r, columns theta, delta, thd, deld, u
  double *A;  // [s × s]   mass matrix M = [A B; B' I + E]
  double *B;  // [s × mp]
  double *E;  // [n_G × MW_ROM_MAX_G]  of the first columns (rom_mass.h)
  double *a;  // [n]       the accelerations in R
  double residual[MW_ROM_MAX_S];  // [s]  R of the rows theta
  // set by rom_outputs.c
  double *R0;     // [s × ld]  the rows theta of R
  double *third;  // [s × fields y and Y]  set by rom_interpolate_third
  // scratch: products of delta with delta, deld and a, sums of packed fields, vectors
  double *dd, *dw, *db, *sym;      // [mm]
  double *ed, *eb, *skew, *P, *G;  // [mk]
  double *g, *g_dot;               // [n]
  double *row[6];                  // [mp]
  double *SB;                      // [s × mp]  (I + E)⁻¹ B
  double *train;                   // [rom_second_doubles]
} rom_jac;

// Layout of mw_rom_sens_bytes: rom_work first, then the derivatives.
typedef struct rom_sens {
  rom_work work;
  rom_jac jac;
} rom_sens;
size_t rom_sens_layout(rom_sens *w, const mw_rom *rom, void *mem);  // mem NULL: bytes alone
void rom_sens_init(rom_sens *w, const mw_rom *rom, void *mem);

// Fields with first and second derivatives into j: all that the equations of motion need (C without
// second derivatives), of the fields y those that inputs and laws act along, or all. Values and
// gradients have the bits of rom_interpolate.
void rom_interpolate_second(const mw_rom *rom, const mw_rom_opt *opt, const double *theta,
                            int all_y, rom_jac *j);
// sum_ij v_i v_j of the third derivatives by theta_i, theta_j, theta_l of all y and Y, into row l
// of j->third; v [s].
void rom_interpolate_third(const mw_rom *rom, const double *theta, const double *v, rom_jac *j);
int rom_second_doubles(const mw_rom *rom);

// R(q, v, u) = M(q) a - r(q, v, u), laws included: its derivatives at fixed a [n] (NULL: 0) with
// the fields in j, into j->R; sets j->A, j->B, j->a.
void rom_terms_derivative(const mw_rom *rom, const mw_rom_opt *opt, const double *x,
                          const double *u, const double *a, rom_jac *j);

// The part of it that H, CE and CC have, but for that of the quadratic forms; R's others are in j.
void rom_jac_add_second(const mw_rom *rom, const double *x, rom_jac *j);
// The part of it that G has (rom_mass.h); sets j->E.
void rom_jac_add_mass(const mw_rom *rom, const double *x, rom_jac *j);
// The part of it that A3 and B2 have, but for that in j->A and j->B; R's others are in j.
void rom_jac_add_third(const mw_rom *rom, const double *x, rom_jac *j);
// What they add to A_ij, pairs packed, and to rows B_i, ld apart, of a record f.
void rom_jac_third_of(const mw_rom *rom, const double *delta, const double *f, const rom_jac *j,
                      double *A, double *B, int ld);
// T [n × ld], columns from s on, += what they add to d(M xi)/ddelta, fields in j.
void rom_jac_third_mass(const mw_rom *rom, const double *delta, const double *xi, const rom_jac *j,
                        int ld, double *T);
// d(E x)/ddelta of the first k columns, y [k × MW_ROM_MAX_G] = sum_b (G_abc + G_bac) x_b, of a
// record's G.
void rom_jac_mass_slope(int k, const double *G, const double *x, double *y);

// The part of it that inputs and laws have.
void rom_jac_add_forces(const mw_rom *rom, const double *x, const double *u, rom_jac *j);

// R <- - M⁻¹ R: derivatives of the accelerations; 0 in rows of prescribed coordinates. 0: M is not
// positive definite.
int rom_jac_solve(const mw_rom *rom, unsigned prescribed, rom_jac *j);

// Is x within its limits, and what the call reads?
mw_rom_code rom_jac_check(const mw_rom_call *call, const double *x);
// Fields at x into w->jac (all_y: rom_interpolate_second), accelerations with the bits of
// mw_rom_rhs and the derivatives of R with them, finite: w->jac.a, .R, .residual. x is not checked.
mw_rom_code rom_jac_accel(const mw_rom_call *call, const double *x, int all_y, rom_sens *w);
// mw_rom_jacobian at an x that is not checked.
mw_rom_code rom_jac_at(const mw_rom_call *call, const double *x, double *acc, double *acc_x,
                       double *acc_u);

// rom_exp_step with derivatives x_x [2n × 2n], x_u [2n × n_u]; call->work: rom_exp_sens_bytes.
void rom_exp_sens(const mw_rom_call *call, const double *x, double *x1, double *x_x, double *x_u);
size_t rom_exp_sens_bytes(const mw_rom *rom);

// dy/ddelta = y1 + Y delta of a field in a record f, out [m].
void rom_field_row(const mw_rom *rom, const rom_jac *j, const double *f, int field,
                   const double *delta, double *out);
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
