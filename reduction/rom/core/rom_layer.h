// SPDX-License-Identifier: BSD-3-Clause
// rom_layer.h: what the files of reduction/rom/ share. Not for anyone else.
#ifndef MW_ROM_LAYER_H
#define MW_ROM_LAYER_H

#include <math.h>

#include "rom/step.h"
#include "rom_real.h"
#include "rom_sizes.h"

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

// Scalars of the Lagrangian (rom_terms.c) and their derivatives, pairs ij packed.
enum { ROM_MAX_PAIR = MW_ROM_MAX_S * (MW_ROM_MAX_S + 1) / 2 };
typedef struct rom_forms {
  real A[ROM_MAX_PAIR], A_k[MW_ROM_MAX_S][ROM_MAX_PAIR];  // A_ij, A_ij,k
  real H_ww[MW_ROM_MAX_S];                                // deld·H_i deld, 0 without H
  real A_w[ROM_MAX_PAIR];                                 // (b_ij + 2 c_ij delta)·deld
  real B_kw[MW_ROM_MAX_S][MW_ROM_MAX_S];                  // [k][i]  B_i,k·deld
  real V_k[MW_ROM_MAX_S], K_k[MW_ROM_MAX_S];              // V,k and its part 1/2 delta·K,k delta
} rom_forms;

// Sums over the matrix fields; pairs ij packed, 0 where c_ij is.
typedef struct rom_sums {
  real c[ROM_MAX_PAIR], c_w[ROM_MAX_PAIR];  // delta·c_ij delta ,  2 delta·c_ij deld
  real c_k[MW_ROM_MAX_S][ROM_MAX_PAIR];     // delta·c_ij,k delta
  real K_k[MW_ROM_MAX_S];                   // delta·K,k delta
  real e_k[MW_ROM_MAX_S][MW_ROM_MAX_S];     // [k][i]  2 deld·e_i,k delta, i != k
  real H_k[MW_ROM_MAX_S][MW_ROM_MAX_S];     // [k][i]  2 deld·H_i,k delta, i != k
} rom_sums;

// Packed fields, and their factors in sym and skew.
enum {
  ROM_MAX_SKEW = MW_ROM_MAX_S * MW_ROM_MAX_S,
  ROM_MAX_SLOPE = MW_ROM_MAX_S * (1 + ROM_MAX_PAIR),
  ROM_MAX_TURN = MW_ROM_MAX_S * (MW_ROM_MAX_S - 1),
};
typedef struct rom_rows {
  int n_c, n_e, n_g, n_v, n_h, n_t;
  const real *start;             // sym = - start, NULL: 0, + sum of c_factor c
  const real *c[ROM_MAX_PAIR];   // times 2 delta delta and 2 (delta deld + deld delta)
  const real *e[ROM_MAX_SKEW];   // skew = - sum of e_factor e
  const real *g[ROM_MAX_SLOPE];  // times 2 delta delta
  const real *v[ROM_MAX_TURN];   // times 2 (deld delta - delta deld)
  const real *h[ROM_MAX_SKEW];   // H_i,k: sym less the sum of h_factor h
  const real *t[ROM_MAX_TURN];   // H_i,k, i != k: times 2 (delta deld + deld delta)
  real c_factor[ROM_MAX_PAIR], e_factor[ROM_MAX_SKEW], h_factor[ROM_MAX_SKEW];
  real *sym, *skew;  // where they are kept, if they are wanted
} rom_rows;

// Scratch: every entry is set before it is read within one call. Rows of np, mp: n + 1 = s + m + 1,
// m rounded up to ROM_ROW.
typedef struct rom_work {
  mw_rom_layout lay;
  int mp, np;
  // the fields at one theta, set by rom_interpolate
  real *value;     // [n_field]
  real *gradient;  // [s × n_field]
  // products of delta and deld, packed like the fields they meet, set by rom_terms; from dd to skew
  // for packs alone
  real *del, *deld;  // [mp]  delta and its rate, then 0
  real *dd;          // [mm]  weights of delta' X delta
  real *dv;          // [mm]  weights of 2 delta' X deld
  real *vd;          // [mk]  weights of 2 deld' E delta, E skew; where needs_vd says so
  real *sym;         // [mm]  sum of thd_i thd_j (c_ij - dH_i/dtheta_j) - K
  real *skew;        // [mk]  - sum of thd_i thd_j de_i/dtheta_j
  real *e_w;         // [mp]  e_i deld
  // [(s + 2, with H: s more) × m × mp]  matrices, whole; without packs eight parts of each sum
  real *columns;
  real *image;  // [mp]  H_i deld, CE_i delta, Y delta
  real *both;   // [mp]  (sym + skew) delta, without packs
  rom_rows rows;
  rom_sums sums;
  rom_forms forms;
  // equations of motion  A thdd + B deldd = r_theta ,  B' thdd + deldd = r_delta , set by rom_terms
  real A[MW_ROM_MAX_S * MW_ROM_MAX_S];  // [s × s]
  real *B;                              // [s × mp]
  real r_theta[MW_ROM_MAX_S];
  real *r_delta;  // [mp]
  // [n_law × 6]  force of each law and its derivatives (mw_rom_law_eval), set by rom_terms
  real *law;
  real *E,
      *P;  // [n_G × MW_ROM_MAX_G]  mass of columns less I (rom_mass.h), set by rom_terms; scratch
  real *SB;  // [s × mp]  (I + E)⁻¹ B, where there is E
  // sizes of the terms of r before they cancel, set by rom_terms where MIDPOINT asks for them
  real f_theta[MW_ROM_MAX_S];
  real *f_delta;  // [mp]  K delta excepted
  // exponential step (rom_exp.c)
  real *K,
      *C;  // [n × np]  stiffness and damping of its linear part, whole, where they are laid out
  real *Kt, *Ct;  // [n × np]  what turning adds to them (4), where something turns
  // matrices of the poles, then D U' (L U where something turns): real, and real and imaginary part
  // of the complex one
  real *S0, *Sr, *Si;    // [n × np]
  real *L0, *Lr, *Li;    // [n × np]  rows of U', or L of L U; without packs S0, Sr, Si
  real *E0;              // [n_G × MW_ROM_MAX_G]  E of it
  real *M;               // [s × np]  rows of theta of the mass at the first mid-point
  real *rho, *side, *z;  // [np], [3 × np], [3 × np]  right-hand side, those of the poles, solutions
  real *held;            // [np]  K q0 + C v0, without laws
  real *kv, *ka, *ma;    // [np]  K v0 and, of given accelerations, K a, M a
  real *slope;           // [n_law × np]  y,q of each law's field at the first mid-point
  real *f_y, *f_v;       // [n_law]  derivatives of its force there
  real *mid, *gap, *next;  // [2 n] each: mid-point, its distance from the start, end
  real *acc;               // [np]
  // MIDPOINT (rom_step.c), doubles alone
  real *S;        // [m × mp]  inverse of I + h/2 C + h²/4 K
  real *W;        // [s × mp]  W_i = S B_i
  real *diag;     // [mp]      diagonal of I + h/2 C + h²/4 K
  real *res;      // [np]
  real *tmp;      // [np]
  double *train;  // [rom_train_doubles]  set by rom_place_of
} rom_work;

ROM_SHARED size_t rom_work_layout(rom_work *w, const mw_rom *rom,
                                  real *base);  // base NULL: bytes alone
ROM_SHARED void rom_work_init(rom_work *w, const mw_rom *rom, void *mem);
// The part that one evaluation of the equations of motion needs: up to train.
ROM_SHARED void rom_work_init_terms(rom_work *w, const mw_rom *rom, void *mem);

// Of the box's width: rounding of a motion that ends on the border is no error.
static const double ROM_BOX_SLACK = 1e-9;
// Of rate_max: a path with corners is left by a part of a step's acceleration.
static const double ROM_RATE_SLACK = 1e-2;
// Codes for theta outside its box, |delta| > delta_max, |thd| > rate_max, |u| > u_max, a value that
// is not finite.
mw_rom_code rom_check_theta(const mw_rom *rom, const double *theta, mw_rom_info *info);
mw_rom_code rom_check_state(const mw_rom *rom, const double *x, mw_rom_info *info);
mw_rom_code rom_check_input(const mw_rom *rom, const mw_rom_opt *opt, const double *u,
                            const double *thdd_p, mw_rom_info *info);
mw_rom_code rom_blame(mw_rom_info *info, mw_rom_code code, int index);

// The four B-splines at t of a cell, 0 to 1, and their derivatives; per: cells a unit of theta.
ROM_INLINE void rom_weights(real t, double per, real w[4], real dw[4])
{
  const double sixth = 1.0 / 6.0;
  real r = 1.0 - t;
  w[0] = r * r * r * sixth;
  w[1] = (3.0 * t * t * (t - 2.0) + 4.0) * sixth;
  w[2] = (3.0 * r * r * (r - 2.0) + 4.0) * sixth;
  w[3] = t * t * t * sixth;
  dw[0] = -0.5 * r * r * per;
  dw[1] = 0.5 * t * (3.0 * t - 4.0) * per;
  dw[2] = -0.5 * r * (3.0 * r - 4.0) * per;
  dw[3] = 0.5 * t * t * per;
}

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
// Fields that the equations of motion need, in ranges: of those that are 0 none, of C, CE and CC no
// gradient, of the Y and, last, of the y those that inputs and laws act along.
enum { ROM_MAX_RANGE = 9 + 2 * MW_ROM_MAX_S + ROM_MAX_PAIR };
typedef struct rom_ranges {
  int n, from[ROM_MAX_RANGE], end[ROM_MAX_RANGE], with_gradient[ROM_MAX_RANGE];
} rom_ranges;
void rom_ranges_of(const mw_rom *rom, const mw_rom_opt *opt, rom_ranges *r);
// A table that is neither cyclic nor symmetric, and no train: ranges may end anywhere.
ROM_INLINE int rom_is_plain(const mw_rom *rom)
{
  return rom->n_train == 0 && !(rom->cyclic | rom->symmetric);
}
// The fields that the equations of motion need at theta [s], into w->value and w->gradient.
ROM_SHARED void rom_interpolate(const mw_rom *rom, const mw_rom_opt *opt, const real *theta,
                                rom_work *w);

// The equations of motion at x with the fields in w: sets A, B, r and law. u NULL: no forces.
enum {
  ROM_SIZES = 1,      // f, too
  ROM_NONLINEAR = 2,  // r without K delta, C deld and c_theta thd
  ROM_KEEP = 4,       // sym and skew are wanted
  ROM_SAME = 8,       // the fields are those of the last call, which left w->columns
};
ROM_SHARED void rom_terms(const mw_rom *rom, const mw_rom_opt *opt, const real *x, const real *u,
                          int what, rom_work *w);
// Is H_i there, and not 0?
ROM_INLINE int rom_has_H(const mw_rom *rom, int i)
{
  return (rom_parts(rom) & MW_ROM_H) && !(rom->zero_H >> i & 1u);
}
// Which Y field k has, -1: none.
ROM_INLINE int rom_curvature(const mw_rom *rom, int k)
{
  if (rom->n_Y == 0 || k < rom->Y_field[0] || k > rom->Y_field[rom->n_Y - 1]) return -1;
  for (int q = 0; q < rom->n_Y; q++)
    if (rom->Y_field[q] == k) return q;
  return -1;
}
// Does an input or a law act along a field that has a Y? Y of outputs alone cost the equations of
// motion nothing.
ROM_INLINE int rom_acts_curved(const mw_rom *rom)
{
  for (int k = 0; rom->n_Y > 0 && k < rom->n_u + rom->n_law; k++)
    if (rom_curvature(rom, k < rom->n_u ? rom->u_field[k] : rom->law[k - rom->n_u].field) >= 0)
      return 1;
  return 0;
}
// Field k at delta and its rate, from the fields in w; y_q [s + m] (may be NULL): derivatives.
ROM_SHARED void rom_field_rate(const mw_rom *rom, int k, const real *x, const rom_work *w, real *y,
                               real *y_dot, real *y_q);
// What its Y_q adds, to y, y_dot and y_q.
ROM_SHARED void rom_add_curvature(const mw_rom *rom, int q, const real *x, const rom_work *w,
                                  real *y, real *y_dot, real *y_q);
// Law's force and its derivatives (mw_rom_law_eval) at y, v.
ROM_SHARED void rom_law_at(const mw_rom_law *law, real y, real v, real f[6]);

// x of a stage may leave the box although the solution does not: fields are then those of the
// border.
void rom_stage_inside(const mw_rom *rom, double *x);

// Accelerations at x by the fields that are interpolated here: acc [s + m]; w holds all terms.
mw_rom_code rom_accel(const mw_rom_call *call, const double *x, double *acc, rom_work *w);
// The same by the fields that are in w.
mw_rom_code rom_accel_of_fields(const mw_rom_call *call, const double *x, double *acc, rom_work *w);

// Poles and weights of rom_exp.c (2): one real, of the complex pair the upper one.
static const double ROM_POLE_C0 = 0.27488882959567736774782860359942;
static const double ROM_POLE_B0 = 1.38262974846027055270418403904697;
static const double ROM_POLE_CR = 0.16255558520216131612608569820029;
static const double ROM_POLE_CI = 0.18494932440714427078509122374381;
static const double ROM_POLE_BR = -0.19131487423015427635209201952349;
static const double ROM_POLE_BI = -0.49237576277210051065849155199335;

// One EXPONENTIAL step from x0 to x1 [2n] under u [n_u], in `real` in place of the one of the call;
// both of its solutions or one after the other. Nothing is checked.
enum { ROM_FIRST = 1, ROM_SECOND = 2 };
ROM_SHARED void rom_exp_step(const mw_rom_call *call, const real *u, const real *x0, real *x1,
                             int which, rom_work *w);
// Behind the first solution: lays out w->K and w->C, which steps do without where they can.
ROM_SHARED void rom_exp_lay(const mw_rom *rom, const mw_rom_opt *opt, rom_work *w);
// One MIDPOINT step: x1 [2n].
mw_rom_code rom_mid_step(const mw_rom_call *call, const double *x0, double *x1, rom_work *w);

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

// y += X v, X packed rows of the lower triangle of a symmetric matrix.
void rom_packed_sym_add(int m, const double *X, const double *v, double *y);
// y += E v, E packed rows of the lower triangle of a skew matrix, without the diagonal.
void rom_packed_skew_add(int m, const double *E, const double *v, double *y);

// mw_rom_layout_of, whose offsets up to H are constants where s and m are.
ROM_INLINE mw_rom_layout rom_layout(const int s, const int m, int n_y, int n_Y, int n_G,
                                    unsigned parts)
{
  const int ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  mw_rom_layout l = { 0 };
  l.a = 0;
  l.U0 = l.a + ss;
  l.d = l.U0 + 1;
  l.U1 = l.d + s * m;
  l.b = l.U1 + m;
  l.K = l.b + ss * m;
  l.C = l.K + mm;
  l.e = l.C + mm;
  l.c = l.e + s * mk;
  l.H = l.c + ss * mm;
  l.G = l.H + (parts & MW_ROM_H ? s * mm : 0);
  l.A3 = l.G + n_G * (n_G * (n_G + 1) / 2);
  l.B2 = l.A3 + (parts & MW_ROM_THIRD ? ss * (n_G * (n_G + 1) * (n_G + 2) / 6) : 0);
  l.CE = l.B2 + (parts & MW_ROM_THIRD ? s * n_G * (n_G * (n_G + 1) / 2) : 0);
  l.CC = l.CE + (parts & MW_ROM_CE ? s * m * m : 0);
  l.y = l.CC + (parts & MW_ROM_CC ? ss * mm : 0);
  l.Y = l.y + n_y * (1 + m);
  l.n = l.Y + n_Y * mm;
  return l;
}

// The same of a model.
ROM_INLINE mw_rom_layout rom_layout_of(const mw_rom *rom, const int s, const int m)
{
  if (rom_parts(rom)) return rom_layout(s, m, rom->n_y, rom->n_Y, rom_n_G(rom), rom_parts(rom));
  return rom_layout(s, m, rom->n_y, rom->n_Y, 0, 0);
}

// Packs read beyond the end of a part of the record, times 0: what is not interpolated there must
// be finite.
ROM_INLINE void rom_clear_edges(const mw_rom *rom, const mw_rom_opt *opt, real *value,
                                real *gradient)
{
  mw_rom_layout l = rom_layout_of(rom, rom->s, rom->m);
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  for (int i = -1; ROM_PAD > 1 && i < s; i++) {
    real *f = i < 0 ? value : gradient + (size_t)i * (size_t)rom->n_field;
    if (i >= 0 && rom->flat >> i & 1u) continue;
    if (opt->inertia != MW_ROM_FULL) ROM_PUT(f + l.b) = (rom_pack){ 0 };
    if (i >= 0) ROM_PUT(f + l.C) = (rom_pack){ 0 };
    for (int k = l.H; rom_parts(rom) && k < l.G; k += mm)
      if (rom->zero_H >> (k - l.H) / mm & 1u || i >= 0) ROM_PUT(f + k) = (rom_pack){ 0 };
    if (rom_parts(rom))
      ROM_PUT(f + l.H) = ROM_PUT(f + l.G) = ROM_PUT(f + l.A3) = ROM_PUT(f + l.B2) =
          ROM_PUT(f + l.CE) = ROM_PUT(f + l.CC) = (rom_pack){ 0 };
    ROM_PUT(f + l.y) = (rom_pack){ 0 };
    for (int k = 0; rom->zero_e && k < s; k++)
      if (rom->zero_e >> k & 1u) ROM_PUT(f + l.e + k * mk) = (rom_pack){ 0 };
    for (int p = 0; rom->zero_c && p < s * (s + 1) / 2; p++)
      if (rom->zero_c >> p & 1u) ROM_PUT(f + l.c + p * mm) = (rom_pack){ 0 };
  }
}

// ---- small sums, in a fixed order ---------------------------------------------------------------

// Reals of a row of n; of n and one more, a right-hand side.
ROM_INLINE int rom_padded(int n) { return (n + ROM_ROW - 1) / ROM_ROW * ROM_ROW; }
ROM_INLINE int rom_row(int n) { return rom_padded(n + 1); }

// Eight partial sums, so that a compiler may use vector registers and still add in this order.
ROM_INLINE real rom_dot(int n, const real *a, const real *b)
{
  real part[8], rest = rom_set(0.0);
  int whole = n / 8 * 8;
  for (int l = 0; l < 8; l += ROM_PAD) {
    rom_pack sum = { 0 };
    for (int k = l; k < whole; k += 8) sum += ROM_GET(a + k) * ROM_GET(b + k);
    ROM_PUT(part + l) = sum;
  }
  for (int k = whole; k < n; k++) rest += a[k] * b[k];
  return whole > 0 ? rom_total(part) + rest : rest;
}

// Dot product of two rows of n that are padded, one of them with 0.
ROM_INLINE real rom_dot_rows(int n, const real *a, const real *b)
{
  real part[8];
  for (int l = 0; l < 8; l += ROM_PAD) {
    rom_pack sum = { 0 };
    for (int k = l; k < n; k += 8) sum += ROM_GET(a + k) * ROM_GET(b + k);
    ROM_PUT(part + l) = sum;
  }
  return rom_total(part);
}

// y += a x, rows of n, of which a whole number of packs is there.
ROM_INLINE void rom_add_row(int n, real a, const real *restrict x, real *restrict y)
{
  for (int k = 0; k < n; k += ROM_PAD) ROM_PUT(y + k) += a * ROM_GET(x + k);
}

// One RK4 step: x1 [2n].
mw_rom_code rom_rk4_step(const mw_rom_call *call, const double *x0, double *x1, rom_work *w);

#endif
