// SPDX-License-Identifier: BSD-3-Clause
// rigid_row_layer.h: coordinates and rows of the rigid mechanism, for rigid_rows.c,
// rigid_primitive.c and ../joint/*.c.
//
// A row's Jacobian on one body is a wrench (F, T) in the body's principal axes at its centre of
// mass:
//   J v̂ = F·(Eᵀȯ) + T·ω
// The rows of a node on one body are kept as columns: Jt [6 × 8].
#ifndef MW_FEM_RIGID_ROW_LAYER_H
#define MW_FEM_RIGID_ROW_LAYER_H

#include "base/vec3.h"
#include "fem/elim.h"
#include "fem/rigid.h"

enum { LD = MW_ELIM_LD, JT = 6 * MW_ELIM_LD };

typedef struct mw_rkin {  // a body at an instant
  const double *o,
      *E;  // [3], [9]  m, 1: centre of mass, principal axes; in the caller's q, or of a fixed body
  double v[3], w[3], W[3];  // m/s ground axes, rad/s body axes, the same in ground axes
} mw_rkin;

// ---- coordinates --------------------------------------------------------------------------------

// C² cubic spline c(u), u the length of the chords; ends natural or joined.
typedef struct mw_rcurve {
  int n;  // intervals
  bool closed;
  const double *u;   // [n + 1]      m
  const double *c;   // [n × 4 × 3]  coefficients of (u − u_k)^i
  double across[3];  // direction that its tangents stay away from, where there is one
} mw_rcurve;

typedef struct mw_rcoord {
  int joint;  // of the mechanism
  mw_measure measure;
  int a, b;             // bodies (slots); SECOND: exchanged
  double Xa[3], Xb[3];  // m
  double A[9];          // rows A1, A2, A3 in a's principal axes; TRAVEL: along A3
  double B[3];          // direction fixed to b whose angle is measured
  double sign, c;       // s = sign · bare + c
  const mw_rcurve *curve;
} mw_rcoord;

typedef struct mw_rcoord_eval {
  double s, s_dot;      // m or rad
  double Ja[6], Jb[6];  // ∂ṡ/∂v̂ of the two bodies
  double bias;          // s̈ = J v̂' + bias
} mw_rcoord_eval;

// ---- rows ---------------------------------------------------------------------------------------

typedef enum mw_relem_kind {
  MW_R_POINT,  // 3 rows
  MW_R_AXES,   // 1 or 2 rows: A(a)·B(b), A2(a)·B(b)
  MW_R_ALONG,
  MW_R_TURN,    // 1 row of ../joint/turn.c: springs
  MW_R_OWN,     // n_own rows of its joint's class
  MW_R_LENGTH,  // |x_b − x_a| − c: springs
  MW_R_COUPLE,  // s_1 − ratio s_0 − c: screw, gear
  MW_R_HELD,    // s_0 − target(t)
  MW_R_COORD,   // s_0 − c: springs
  MW_R_ROTOR    // σ − s_0: flexible drive; or σ − target(t) where coord[0] < 0
} mw_relem_kind;

typedef struct mw_relem {
  mw_relem_kind kind;
  int row, n;  // its first row in the node, its rows
  int a, b;    // bodies (slots)
  int t[4];  // where a, b (of coord[0]; then of coord[1]) stand among the node's bodies, −1: fixed
  double Xa[3], Xb[3];  // m, points
  double fa[3], fb[3];  // directions
  double fa2[3];        // AXES, OWN: second direction in a
  // TURN: the row, and A_1 A_2 A_3 of a, then of b, in principal axes [18]; OWN:
  // those of a formula
  const mw_row *turn;
  const double *axes;
  const struct mw_joint_class *class;  // OWN
  const mw_joint *joint;
  double c, ratio;
  double pitch;  // COUPLE of a screw: m a turn, which its gap is known up to; 0
  int coord[2];  // COUPLE, HELD, COORD; OWN: the one its rows are near, −1
  int held;      // HELD: which target, −1
  int rotor;     // ROTOR
  const mw_rcurve *curve;
} mw_relem;

// ---- formulas ---------------------------------------------------------------------------------

// Jt of a node's row into a wrench column
static inline void mw_rput(double *Jt, int row, const double F[3], const double T[3])
{
  for (int i = 0; i < 3; i++) {
    Jt[i * LD + row] += F[i];
    Jt[(3 + i) * LD + row] += T[i];
  }
}
// velocity-dependent part of the acceleration of E Y: E (ω × (ω × Y))
static inline void mw_rcentripetal(const mw_rkin *k, const double Y[3], double a[3])
{
  double c[3];
  mw_cross3(k->w, Y, c);
  mw_cross3(k->w, c, c);
  mw_mul33v(k->E, c, a);
}
// E (ω × Y)
static inline void mw_rspin(const mw_rkin *k, const double Y[3], double v[3])
{
  double c[3];
  mw_cross3(k->w, Y, c);
  mw_mul33v(k->E, c, v);
}

// out [9] := E (α~ + ω~ω~), ω~ω~ = ω ωᵀ − |ω|² 1
static inline void mw_rturn(const double *E, const double w[3], const double al[3], double *out)
{
  double ww = mw_dot3(w, w), m[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[3 * i + j] = w[i] * w[j] - (i == j ? ww : 0.0);
  m[1] -= al[2];
  m[2] += al[1];
  m[3] += al[2];
  m[5] -= al[0];
  m[6] -= al[1];
  m[7] += al[0];
  mw_mul33(E, m, out);
}

// a [12]: natural accelerations of a body from x = (ȯ', ω') in ground axes, Ë = (ω'~ + ω~ω~) E;
// returns 0, or what is not a number.
static inline double mw_rnatural(const mw_rkin *k, const double x[6], double *a)
{
  const double *W = k->W, *w = x + 3;
  double m[9], ww = mw_dot3(W, W);
  for (int i = 0; i < 3; i++) {
    a[i] = x[i];
    for (int j = 0; j < 3; j++) m[3 * i + j] = W[i] * W[j] - (i == j ? ww : 0.0);
  }
  m[1] -= w[2];
  m[2] += w[1];
  m[3] += w[2];
  m[5] -= w[0];
  m[6] -= w[1];
  m[7] += w[0];
  mw_mul33(m, k->E, a + 3);
  return 0.0 * (((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7])) +
                ((a[8] + a[9]) + (a[10] + a[11])));
}

// One row fa·(x_b − x_a), fa fixed to a: wrenches Ja, Jb [6], its value, rate and γ-part (s̈ = J
// v̂' + bias).
void mw_rigid_along(const mw_rkin *a, const mw_rkin *b, const double Xa[3], const double Xb[3],
                    const double fa[3], mw_rcoord_eval *out);
// The same for A(a)·B(b).
void mw_rigid_axes(const mw_rkin *a, const mw_rkin *b, const double fa[3], const double fb[3],
                   mw_rcoord_eval *out);

typedef struct mw_rout {  // where an element's rows go
  double *Ja, *Jb;        // Jt of the two bodies (a fixed one's is scratch)
  double *g, *gamma;      // at the element's first row
  int row;
} mw_rout;

// ---- ../joint/ ----------------------------------------------------------------------------------

void mw_rigid_coord_eval(const mw_rcoord *c, const mw_rkin *a, const mw_rkin *b, double near,
                         mw_rcoord_eval *out);
void mw_rigid_length(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, const mw_rout *o);
// factor · s of coordinate c (bodies t among the node's) added to a row
void mw_rigid_put_coord(const mw_rigid_work *w, double *const *Jt, int c, const int t[2],
                        double factor, const mw_rout *o);
void mw_rigid_couple(const mw_rigid_work *w, const mw_relem *e, double *const *Jt,
                     const mw_rout *o);
void mw_rigid_driven(const mw_rigid *r, const mw_rigid_work *w, const mw_relem *e, double t,
                     double *gt, const mw_rout *o);
// Spline through points [n × 3]; the foot of P [3] on it, from u: a root of c'(u)·(P − c(u)).
MW_MUST_USE mw_code mw_rcurve_build(int n, const double *points, bool closed, mw_arena *mem,
                                    mw_rcurve *out, mw_error *err);
void mw_rcurve_at(const mw_rcurve *k, double u, double c[3], double c1[3], double c2[3]);
double mw_rcurve_foot(const mw_rcurve *k, const double P[3], double u);
// m, where the point of b stands on the curve of c: the nearest foot from many starts.
double mw_rcurve_start(const mw_rcoord *c, const mw_rkin *a, const mw_rkin *b);

#endif
