// SPDX-License-Identifier: BSD-3-Clause
// rom.h: the reduced model online. Only libc and libm; no malloc, no I/O, no globals; the caller
// hands the memory.
//
//   q(theta, delta) = rho(theta) + Psi(theta) delta                                             (1)
//   T = 1/2 thd' A thd + thd' B deld + 1/2 deld' (I + E) deld , V = 1/2 delta' K delta + U0 + U1'
//     delta (2)
//   A_ij = a_ij + b_ij.delta + delta' c_ij delta ,   B_i = d_i + (e_i + H_i) delta              (3)
//   E_ab = sum_c (G_abc + G_bac) delta_c   of the first n_G columns, else 0                     (3)
//   of which A_ij gains A3_ij,abc delta_a delta_b delta_c, B_ia gains B2_i,abc delta_b delta_c: T
//     to third order
//   y_k  = y0_k + y1_k.delta + 1/2 delta' Y_k delta      outputs and drive coordinates          (4)
//   D    = 1/2 deld' C deld + sum thd_i deld' CE_i delta + 1/2 sum thd_i thd_j delta' CC_ij delta
//          + 1/2 thd' c_theta thd                          half the power that is dissipated    (5)
//
// thd, deld: time derivatives. a, b, c, CC symmetric in ij; c_ij, CC_ij, H_i, Y_k and K, C
// symmetric, e_i skew in their mode indices, CE_i neither: CE_i[a,b] multiplies deld_a delta_b. H_i
// is the symmetric part of the second-order coupling, whose rest is in c_ij and K; G, symmetric in
// bc, that of the columns themselves. H, G, A3 and B2, CE, CC and the Y_k of most fields are
// optional: without them they are 0 and cost nothing. Every coefficient is a tensor-product cubic
// B-spline in theta on a uniform grid;
// its theta-derivatives in the equations of motion are the exact derivatives of that spline, so
// that (2) is a Lagrangian system in its own right.
//
// Mirror. Of a symmetric axis i the table covers the lower half, lo to mid = (lo + hi)/2. Beyond
// mid
// the fields are those at theta', theta'_i = lo + hi - theta_i, with signs: sigma_a = mirror[i][a]
// of column a, tau_k = mirror_y[i][k] of field k, and -1 for each coordinate index that is i:
//   U0' = U0 ,  U1'_a = sigma_a U1_a ,  K'_ab = sigma_a sigma_b K_ab (C alike)
//   a'_jk = (jk) a_jk ,  b'_jk = (jk) sigma b ,  c'_jk = (jk) sigma sigma c ,  d'_j = (j) sigma d ,
//   e'_j = (j) sigma sigma e ,  (j) = -1 for j = i, else 1 ,  (jk) = (j)(k)                     (6)
//   H'_j, CE'_j = (j) sigma sigma H, CE ,  CC'_jk = (jk) sigma sigma CC ,  G' = sigma sigma sigma G
//   A3'_jk = (jk) sigma sigma sigma A3 ,  B2'_j = (j) sigma sigma sigma B2
//   y0'_k = tau_k y0_k + y_shift[i][k] ,  y1'_ka = tau_k sigma_a y1_ka ,
//       Y'_k = tau_k sigma sigma Y_k
// and d/dtheta_i changes its sign once more. Several axes: one after the other, the last one first.
// The spline of the half must itself be mirrored at mid (be the half of a mirrored whole), or the
// fields have a kink there.
#ifndef MW_ROM_ROM_H
#define MW_ROM_ROM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MW_ROM_MAX_S = 6, MW_ROM_MAX_RANK = 512, MW_ROM_MAX_G = 8 };

// Result of an online call; mw_rom_code_name gives a word for it.
typedef enum mw_rom_code {
  MW_ROM_OK = 0,
  MW_ROM_THETA,     // a coordinate left its box: info.index says which
  MW_ROM_DELTA,     // a mode coordinate above delta_max: info.index says which
  MW_ROM_NAN,       // a state or an input is not finite: index counts through x, u, thdd_p
  MW_ROM_DIVERGED,  // the iteration of an implicit step did not converge
  MW_ROM_SINGULAR,  // the mass matrix, or K where it is solved with, is not positive definite
  MW_ROM_RATE,      // a |thd| above rate_max: info.index says which coordinate
  MW_ROM_INPUT      // an |u| above u_max: info.index says which input
} mw_rom_code;
const char *mw_rom_code_name(mw_rom_code code);

// One contiguous record of n_field doubles a spline coefficient. Record order (sizes), ss =
// s(s+1)/2, mm = m(m+1)/2, mk = m(m-1)/2; pairs ij run (0,0),(1,0),(1,1),(2,0),… and packed
// symmetric/skew matrices are packed by rows of the lower triangle (i,j), j <= i (skew: j < i):
//   a   [ss]          kg·unit      U0  [1]        J            d   [s × m]
//   U1  [m]           N            b   [ss × m]                 K   [mm]  1/s²
//   C   [mm]  1/s                  e   [s × mk]                 c   [ss × mm]
//   H   [s × mm]  with MW_ROM_H    G  [n_G × n_G (n_G + 1)/2]  G_abc, c <= b < n_G
//   A3  [ss × n_G (n_G + 1)(n_G + 2)/6]  A3_ij,abc, c <= b <= a, B2  [s × n_G × n_G (n_G + 1)/2]
//       B2_i,abc, c <= b: with MW_ROM_THIRD
//   CE  [s × m m]  with MW_ROM_CE, row-major    CC  [ss × mm]  with MW_ROM_CC
//   y   [n_y × (1 + m)]   value y0 then y1   Y  [n_Y × mm]   of the fields Y_field, in its order
//
// The table of records as it is, or as tensor trains, each of some fields, over the axes that are
// not
// flat, axes in order:
//   coef[k_0] … [k_s-1] = G_0[k_0] G_1[k_1] … G_s-1[k_s-1] field                               (7)
// G_i[k] is a matrix [rank of the axis before, 1 at first × rank[i]].
typedef struct mw_rom_train {
  int first, n_field;                // fields first … first + n_field - 1 of the record
  int rank[MW_ROM_MAX_S];            // 1 … MW_ROM_MAX_RANK, 0 along flat axes
  const double *core[MW_ROM_MAX_S];  // [n_knot × rank before × rank[i]]  NULL along flat axes
  const double *field;               // [rank of the last × n_field]
} mw_rom_train;

// Dry friction and end stops of a field y: -F(dy/dt) - S(y, dy/dt) acts along it, as an input
// would. Smooth in all their arguments, and of nothing but + - * / sqrt: the same bits everywhere.
//   F = (coulomb + (stiction - coulomb)/(1 + (v/stribeck)²)) v/sqrt(v² + smooth²)          (8)
//   S = stiffness (d_hi (1 + damping v) - d_lo (1 - damping v)) ,  d = (p + sqrt(p² + soft²))/2 ,
//       p = y - hi, lo - y: how far beyond the stop; d = soft/2 at it                           (9)
// (Stribeck's curve as of Hess and Soom, contact as of Hunt and Crossley.) Both take energy alone.
typedef struct mw_rom_law {
  int field;                                   // y
  double coulomb, stiction, stribeck, smooth;  // N, N, m/s > 0, m/s > 0; N·m, rad/s of an angle
  double lo, hi;                               // m or rad, -INFINITY, INFINITY: no stop there
  double stiffness, damping, soft;             // N/m, s/m, m > 0; N·m/rad, s/rad, rad
} mw_rom_law;

typedef struct mw_rom {
  int s, m;                  // rigid-body coordinates, elastic coordinates
  int n_y;                   // fields (4)
  int n_u;                   // inputs: force u_k acts on field u_field[k], power u_k · dy_field/dt
  int n_field;               // doubles in a record, mw_rom_n_field of its shape
  int n_grid[MW_ROM_MAX_S];  // grid points an axis, >= 4; spline coefficients an axis: n_grid + 2
  double lo[MW_ROM_MAX_S];   // m or rad, first grid point
  double hi[MW_ROM_MAX_S];   // m or rad, last grid point
  // Bit i: nothing depends on theta_i but the y0, linearly (a carriage on a rigid rail). The table
  // has one record along such an axis; y0 grows by y_slope[i n_y + k] a unit of theta_i, from lo[i]
  // on.
  unsigned flat;
  // Bit i: any theta_i is inside; configurations repeat after hi - lo, but the y0, which grow by
  // y_slope[i n_y + k] (hi - lo) a turn: the table holds the periodic rest y0 - y_slope (theta_i -
  // lo). Coefficients of a whole turn come with their overhang, c_{n-1+k} = c_k, k = 0, 1, 2.
  unsigned cyclic;
  const double *y_slope;  // [s × n_y]  NULL when no axis is flat or cyclic
  // Bit i: mirror (6); n_grid[i] counts the points from lo to mid, both included. May be cyclic too
  // (wrapped, then mirrored; turns are added last), not flat.
  unsigned symmetric;
  const int *mirror,
      *mirror_y;          // [s × m], [s × n_y]  ±1 in rows of symmetric axes; NULL: no axis is
  const double *y_shift;  // [s × n_y]
  const double *coef;  // [knots of axis 0 × … × knots of axis s-1 × n_field]  last axis fastest
  // instead of coef, which is then NULL: [n_train] that follow each other through the record
  int n_train;
  const mw_rom_train *train;
  const int *u_field;       // [n_u]  index into the fields y
  const double *c_theta;    // [s]    viscous damping of a coordinate, N·s/m or N·m·s/rad
  const double *delta_max;  // [m]    largest |delta| it is meant for, INFINITY: no limit
  int n_law;
  const mw_rom_law *law;  // [n_law]
  // Bits of the coordinates i whose e_i, of the pairs ij (packed) whose c_ij, are 0 wherever the
  // table is: these parts are not computed. 0 is always right; mw_rom_note_zeros sets them.
  unsigned zero_e;
  unsigned long long zero_c;
  // Bits of the coordinates whose gyroscopic and centrifugal terms are small beside K at rate_max:
  // they stay out of the linear part of the exponential step (step.h), which is cheaper without
  // them. 0 is always right.
  unsigned slow;
  // Optional parts of the record: bits MW_ROM_H, MW_ROM_CE, MW_ROM_CC, MW_ROM_THIRD, and the fields
  // that have a Y.
  unsigned parts;
  int n_Y;
  const int *Y_field;  // [n_Y]  ascending indices of fields
  int n_G;             // of the first n_G columns the mass changes with delta; there is H then
  unsigned zero_H;     // as zero_e; of absent parts not looked at
  // [s]    largest |thd| it is meant for (checked to 1 %), INFINITY: no limit; NULL: none has one
  const double *rate_max;
  const double *u_max;  // [n_u]  largest |u|, likewise
} mw_rom;

// What a call leaves behind; every `info` below may be NULL.
typedef struct mw_rom_info {
  int index;        // of the coordinate to blame, -1 if none
  int iterations;   // of the last step
  double residual;  // of the last step: relative change the next iteration would bring
} mw_rom_info;

// State: theta [s], delta [m], thd [s], deld [m], in this order, contiguous: x [2 (s + m)].

// Optional parts of a record.
enum { MW_ROM_H = 1, MW_ROM_CE = 2, MW_ROM_CC = 4, MW_ROM_THIRD = 8, MW_ROM_ALL_PARTS = 15 };
// What a record's layout follows from.
typedef struct mw_rom_shape {
  int s, m, n_y;   // coordinates, columns, fields
  int n_Y;         // fields that have a Y
  int n_G;         // columns whose mass changes
  unsigned parts;  // MW_ROM_H, MW_ROM_CE, MW_ROM_CC, MW_ROM_THIRD
} mw_rom_shape;
mw_rom_shape mw_rom_shape_of(const mw_rom *rom);
int mw_rom_n_field(mw_rom_shape shape);
// Records along axis i of the table: n_grid + 2, or 1 along a flat axis.
int mw_rom_n_knot(const mw_rom *rom, int i);
size_t mw_rom_bytes(const mw_rom *rom);  // of the table, or of the trains
// Sets zero_e, zero_c and zero_H by a look at all coefficients: parts of them that are 0. A
// coordinate along which things move without turning has them.
void mw_rom_note_zeros(mw_rom *rom);
// Where the table is looked at: theta [s], wrapped along cyclic and folded along symmetric axes,
// into at [s]; turns [s] (may be NULL) of cyclic axes. Bits of axes that were mirrored.
unsigned mw_rom_fold(const mw_rom *rom, const double *theta, double *at, double *turns);

// All fields at theta [s]: value [n_field] and, if not NULL, gradient [s × n_field].
// MW_ROM_THETA outside the box by more than 1e-9 of its width (info->index), outputs then
// unchanged. With trains: 56 KiB of stack.
mw_rom_code mw_rom_fields(const mw_rom *rom, const double *theta, double *value, double *gradient,
                          mw_rom_info *info);

// Offsets of the record above; shared with the offline side, which fills it. A part that is absent
// has no fields: its offset is that of the next one.
typedef struct mw_rom_layout {
  int a, U0, d, U1, b, K, C, e, c, H, G, A3, B2, CE, CC, y, Y, n;
} mw_rom_layout;
mw_rom_layout mw_rom_layout_of(mw_rom_shape shape);

// Cubic B-spline basis of one axis of n grid points: value = sum_k w[k] coef[cell + k], derivative
// = sum_k dw[k] ... Outside [lo, hi] the outermost cubic is continued. cell in 0 … n-2.
void mw_rom_basis(int n, double lo, double hi, double theta, int *cell, double w[4], double dw[4]);

#ifdef __cplusplus
}
#endif

#endif
