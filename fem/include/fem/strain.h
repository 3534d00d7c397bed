// SPDX-License-Identifier: BSD-3-Clause
// strain.h: strains that are not linear in the unknowns: stress stiffness, forces and energy of a
// body.
//
// Every element has strains E = B u + η(u), η = ½ uᵀ Q u, and the energy of the linear element with
// B u replaced by E:
//   V(u) = ½ Eᵀ D E  (summed over points) ,  f_int = ∂V/∂u = (B + Q u)ᵀ D E                     (1)
//   K_σ(u) = Σ (D B u) Q                      what the linear stress of u adds to the stiffness (2)
// so that V = ½ uᵀ K u + ½ uᵀ K_σ(u) u + O(u⁴). K_σ is linear in u and has no initial-displacement
// terms.
//   solids   Green-Lagrange, η = ½ HᵀH with the displacement gradient H; HEX8 with its incompatible
//            modes
//   shells   Green-Lagrange of the middle surface, in-plane part; bending and drilling stay linear
//   beams    von Kármán: ½ (v'² + w'²) averaged over the element, and the second-order shear, twist
//            and curvature of
//            a beam with rotation vectors (fem/element/strain_beam.c)
// Rigid patches turn by finite angles: with the axes exp(φ~) of their frames their nodes, and those
// tied to them, move by t + (exp(φ~) − 1) a, whose terms beyond t + φ × a count among (1) and (2)
// (fem/body/body_patch_priv.h). Springs between frames stay linear. Matrices of other programs have
// no stress.
#ifndef MW_FEM_STRAIN_H
#define MW_FEM_STRAIN_H

#include "base/api.h"
#include "fem/body.h"

MW_API_BEGIN

// false: rigid, projected, or matrices of another program; the functions below do nothing then and
// return zeros.
bool mw_body_has_stress(const mw_body *b);

// G := X K_σ(u) Xᵀ, (2).
//   u  [n_u]      in   m, rad as the body's unknowns: stress is that of the linear elements
//   X  [k × n_u]  in   rows
//   G  [k × k]    out  row-major, symmetric, N/m by what the rows say
MW_MUST_USE mw_code mw_body_stress_stiffness(const mw_body *b, const double *u, int k,
                                             const double *X, double *G, mw_error *err);

// F := X K_σ(u), rows of forces [k × n_u] of the same.
MW_MUST_USE mw_code mw_body_stress_forces(const mw_body *b, const double *u, int k, const double *X,
                                          double *F, mw_error *err);

// The same for all stresses at once: forces f_ab with uᵀ f_ab = x_aᵀ K_σ(u) x_b for all u, of pairs
// of rows of X. Pairs l = from … from + n − 1, (a, b) by mw_pair_of (element.h).
//   X  [k × n_u]  in   rows
//   F  [n_u × n]  out  row-major, N m by what the rows say
MW_MUST_USE mw_code mw_body_stress_pairs(const mw_body *b, int k, const double *X, int from, int n,
                                         double *F, mw_error *err);

// What (1) has beyond the linear element: f += f_int(u) − K u, *V += V(u) − ½ uᵀ K u. V may be
// NULL.
//   work [mw_body_strain_work(b)]
MW_MUST_USE mw_code mw_body_strain_force(const mw_body *b, const double *u, double *f, double *V,
                                         double *work, mw_error *err);
int mw_body_strain_work(const mw_body *b);  // doubles

// Damping works on the rate of the strain, Ė = (B + Q u) v: f += β ((B + Q u)ᵀ D (B + Q u) v − K
// v). Without it β K v would resist a shortening that no strain belongs to. v [n_u] m/s, rad/s;
// work as above.
MW_MUST_USE mw_code mw_body_strain_drag(const mw_body *b, double beta, const double *u,
                                        const double *v, double *f, double *work, mw_error *err);

// What k displacements stretch, the parts of (1) that are even in u: f = BᵀDη, V = ½ ηᵀDη. On rigid
// patches the arms' turns take part, and what is of sixth order stays in V, of fourth in f.
//   X  [k × n_u]  in   m, rad as the body's unknowns
//   F  [k × n_u]  out  N, N m
//   V  [k]        out  J
MW_MUST_USE mw_code mw_body_stretch(const mw_body *b, int k, const double *X, double *F, double *V,
                                    mw_error *err);

// Green-Lagrange strain, or its stress (second Piola-Kirchhoff), at the body's gauges: what both
// have beyond S u is added to y [6 n_gauge], body axes; work as above.
MW_MUST_USE mw_code mw_body_strain_gauges(const mw_body *b, const double *u, double *y,
                                          double *work, mw_error *err);

// Largest rotation (rad) of a node of beams or shells, or of a frame, against the body's own frame:
// what the strains of beams and shells and averaged frames take as small. Of projected bodies only
// frames are looked at. 0: rigid.
//   work [mw_body_turn_work(b)]
double mw_body_turn(const mw_body *b, const double *u, double *work);
int mw_body_turn_work(const mw_body *b);  // doubles

// T += ∂f_int/∂u − K; T has the pattern of b->K.
MW_MUST_USE mw_code mw_body_add_tangent(const mw_body *b, const double *u, mw_csc *T,
                                        mw_error *err);

MW_API_END

#endif
