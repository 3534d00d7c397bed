// SPDX-License-Identifier: BSD-3-Clause
// system.h: the linear elastic mechanism at one configuration: [S Cᵀ; C 0], bodies first, then
// joints.
//
// Unknowns x: the absolute displacement in body axes, body after body: elastic n_u, moving rigid 6
// (v, ω), rigid ground 0. Joint coordinates outside the locked set follow from their defining row
// and are eliminated; locked ones are a row.
#ifndef MW_REDUCTION_SYSTEM_H
#define MW_REDUCTION_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/api.h"
#include "fem/mech.h"

MW_API_BEGIN

// What does not depend on the configuration: one factorization a body for one shift sigma, S = K −
// σ M.
typedef struct mw_blocks mw_blocks;

// sigma (rad/s)²: 0 for statics and locked modes (free bodies are grounded by six springs that the
// solver takes out again), < 0 for free modes, any value with `indefinite` for inertia counts.
// Borrows m. Free with mw_blocks_free.
MW_MUST_USE mw_code mw_blocks_build(const mw_mech *m, double sigma, bool indefinite,
                                    mw_blocks **out, mw_error *err);
void mw_blocks_free(mw_blocks *b);
int mw_blocks_size(const mw_blocks *b);              // unknowns n of x
int mw_blocks_offset(const mw_blocks *b, int body);  // first unknown of a body
size_t mw_blocks_factor_bytes(const mw_blocks *b);   // all bodies' factors

// The system at a configuration.
typedef struct mw_system mw_system;

// p [n_body × 12], s [n_coord] a closed rigid configuration; locked [n_coord] (NULL: all free).
// hold: bits of loaded directions that are held too (the fixed interface of Craig and Bampton): 3 o
// + i of output o along x, y, z, then drives.
MW_MUST_USE mw_code mw_system_build(const mw_blocks *blocks, const unsigned char *locked,
                                    uint64_t hold, const double *p, const double *s,
                                    mw_system **out, mw_error *err);
// The same without its solver: loads, rigid motion, gauges and mass products (mul_M, dual) of it
// alone may be used.
MW_MUST_USE mw_code mw_system_view(const mw_blocks *blocks, const unsigned char *locked,
                                   const double *p, const double *s, mw_system **out,
                                   mw_error *err);
void mw_system_free(mw_system *sys);
const mw_blocks *mw_system_blocks(const mw_system *sys);

// x := (K − σM)⁻¹ f on the constrained space; f, x [n], f == x allowed.
MW_MUST_USE mw_code mw_system_solve(mw_system *sys, const double *f, double *x, mw_error *err);
// The same for k right-hand sides, F, X [k × n]: several at a time cost little more than one.
MW_MUST_USE mw_code mw_system_solve_many(mw_system *sys, int k, const double *F, double *X,
                                         mw_error *err);
// The same with the forces of the joint rows, lambda [k × n_row of the mechanism] (NULL: not
// wanted): f = K x + Σ λ g_q over all rows, λ = k g of those with a stiffness; 0 for rows that are
// redundant or define a free coordinate.
MW_MUST_USE mw_code mw_system_solve_forces(mw_system *sys, int k, const double *F, double *X,
                                           double *lambda, mw_error *err);
// x := what closes the gaps of the joint rows, gap [n_row of the mechanism], without other load: K
// x + Σ μ g_q = 0, g_q x = gap, of rows with a stiffness g_q x − μ/k = gap. Rows that are redundant
// or define a free coordinate are not looked at.
void mw_system_solve_gaps(mw_system *sys, const double *gap, double *x);
// y := M x and y := K x (with the elastic joint rows), [n].
void mw_system_mul_M(const mw_system *sys, const double *x, double *y);
// Y := X M for k vectors, X, Y [k × n]; work [2 k n].
void mw_system_mul_M_many(const mw_system *sys, int k, const double *X, double *Y, double *work);
void mw_system_mul_K(const mw_system *sys, const double *x, double *y);
// The same for k vectors, X and Y [k × n] apart; with C in place of K
MW_MUST_USE mw_code mw_system_mul_K_many(const mw_system *sys, int k, const double *X, double *Y,
                                         mw_error *err);
MW_MUST_USE mw_code mw_system_mul_C_many(const mw_system *sys, int k, const double *X, double *Y,
                                         mw_error *err);
void mw_system_mul_K_bodies(const mw_system *sys, const double *x, double *y);  // without joints
// stretch [n_row of the mechanism] := √k times the gaps of the elastic joint rows along x, whose
// squares add up to what mw_system_mul_K has beyond the bodies'; 0 of the other rows
void mw_system_stretch(const mw_system *sys, const double *x, double *stretch);
// Damping y := C x: Rayleigh damping of the bodies' elastic displacement, dampers of joint rows;
// without that inside of components, which mw_system_mul_C_many has.
void mw_system_mul_C(const mw_system *sys, const double *x, double *y);
void mw_system_mul_C_bodies(const mw_system *sys, const double *x, double *y);  // without joints
// Number of constrained eigenvalues below sigma (blocks built indefinite): Sylvester and
// Haynsworth.
MW_MUST_USE mw_code mw_system_count_below(mw_system *sys, int *count, mw_error *err);

// Linear functionals of x, as vectors f [n] with f·x the value (also the load of a unit force):
//   displacement of a frame's point along a ground-axes direction; change of a joint coordinate
void mw_system_load_point(const mw_system *sys, mw_ref ref, const double offset[3],
                          const double dir[3], double *f);
void mw_system_load_coord(const mw_system *sys, int coord, double *f);
//   gap of a joint row, whether it holds something or not
MW_MUST_USE mw_code mw_system_load_row(const mw_system *sys, int row, double *f, mw_error *err);
// Rows of the stress and strain outputs of x, y [rows of all outputs] (output.h); the others are
// left alone.
void mw_system_gauges(const mw_system *sys, const double *x, double *y);
// What acts at rest: f·x = work on x of gravity and of springs that the configuration loads, −Σ k g
// g_q x (N per unit of x)
void mw_system_load_rest(const mw_system *sys, double *f);
void mw_system_load_springs(const mw_system *sys, double *f);  // f += those of the springs
// lambda [n_row of the mechanism] += k g of these springs: with the forces that f of
// mw_system_load_rest brings about it is all that the rows bear at rest
void mw_system_preload(const mw_system *sys, double *lambda);
double mw_system_spring_energy(const mw_system *sys);  // J, ½ Σ k g² of them
// Rigid motion of all bodies, v [n_body × 6] in body axes, as a vector x [n]
void mw_system_rigid(const mw_system *sys, const double *v, double *x);

// Estimated error of the stiffness inside of components over its largest entry; 0: there are none.
double mw_system_component_error(const mw_system *sys);

// Motions there are: unknowns less joint rows that give no way.
int mw_system_motions(const mw_system *sys);
// Modes that can be trusted: all motions of rigid bodies; at most the lower half of the unknowns
// where bodies are elastic.
int mw_system_modes_most(const mw_system *sys);

// Lowest n_modes eigenpairs (block Lanczos, shift-invert around the blocks' sigma): lambda
// ascending, (rad/s)², X [n_modes × n] M-orthonormal rows. Deterministic.
MW_MUST_USE mw_code mw_system_modes(mw_system *sys, int n_modes, double *lambda, double *X,
                                    mw_error *err);

// The same with the coordinates of the reduction held at theta, as mw_direct_modes_loaded does it
// with MW_MODES_UNPROVED | MW_MODES_AT_MOST: bl of sigma = 0 serves any number of theta. Memory
// from mem.
MW_MUST_USE mw_code mw_held_modes(const mw_blocks *bl, const double *theta, int *n_modes,
                                  mw_arena *mem, double **freq_hz, double **shape, mw_error *err);

// Mass products over the absolute displacement field x2 + ω2 × y2 (body axes; rates w [n_body × 6],
// (v, ω) of each body of which only ω is used; y2 and w2 NULL: x2 alone). d [n] is the vector with
//   w1 NULL:  d·e = ⟨e, x2 + ω2 × y2⟩            else  d·e = ⟨ω1 × e, x2 + ω2 × y2⟩
void mw_system_dual(const mw_system *sys, const double *w1, const double *x2, const double *w2,
                    const double *y2, double *d);

MW_API_END

#endif
