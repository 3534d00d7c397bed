// SPDX-License-Identifier: BSD-3-Clause
// mech.h: the assembled mechanism: bodies, joints, joint coordinates, and its rigid kinematics.
//
// Body b has a frame p_b = (o, E): p [12] = o (m), then E row-major (columns are the base vectors),
// x = o + E (X + t). Variations and rates are taken in body axes (D-coordinates, Kraus et al.): dp̂
// [12] = (ô, Ê), do = E ô, dE = E Ê; in a rigid motion Ê = ω~. Elastic displacement enters joints
// only through the functionals z_b = P_b u_b of body.h. Joint coordinates s (slide position m,
// angle rad) are unknowns of their own, without mass.
#ifndef MW_FEM_MECH_H
#define MW_FEM_MECH_H

#include "base/api.h"
#include "fem/body.h"
#include "fem/model.h"

MW_API_BEGIN

// Joint rows are made of these primitives; A_i(a), A_i(b) are the joint axes fixed to a and b, x_a,
// x_b its points there. Constraints use the first three; springs measure turns by the last four
// (joint/turn.c), angles in rad about A_i(a).
typedef enum mw_row_kind {
  MW_ROW_POINT,  // three rows x_b − x_a in ground axes
  MW_ROW_AXES,   // A_i(a)·A_j(b)
  MW_ROW_ALONG,  // A_i(a)·(x_b − x_a) − c
  MW_ROW_TURN,   // of the rotation vector of b against a
  MW_ROW_TILT,   // of the rotation vector that takes A_j(a) to A_j(b) the shortest way
  MW_ROW_TWIST,  // angle of what such a tilt of A_i leaves of the turn
  MW_ROW_SPIN    // rate of turn alone, g = 0: dampers beside no spring
} mw_row_kind;

// rad: springs turned farther are refused (half a turn has no direction)
#define MW_TURN_MOST 3.1

typedef struct mw_row {
  mw_row_kind kind;
  int i, j;
  double Xa[3], Xb[3];  // m, POINT, ALONG: points in the body frames (undeformed)
  double c;             // m
  double k, d;          // stiffness (INFINITY: a constraint) and damping
} mw_row;

struct mw_rcurve;

typedef struct mw_joint {
  const mw_joint_in *in;
  const char *name;
  int a, b;         // bodies
  int n_row, row0;  // rows of g, first row in the mechanism
  int coord;        // index of its joint coordinate, -1: none (a slide always has one)
  int s_coord;      // coordinate its rows depend on: its own, or the stroke of a spring, -1: none
  // row (within the joint) that defines the coordinate (undeformed, no other row depends on it); -1
  int coord_row;
  // joint axes in body a and body b (row-major, columns), equal in ground axes at reference
  double Fa[9], Fb[9];
  double Xa[3], Xb[3];    // joint points in the body frames; slide: Xb the slider's frame origin
  int za, zb;             // first of six functionals of the frames, -1: rigid
  const mw_guide *guide;  // slide: guide of body a
  bool guide_elastic;     // slide: the guide's body is elastic and the guide has functionals
  // m, in the reference configuration. slide: the slider's frame along n1, n2 from the guide line;
  // prismatic, cylindrical, screw: gap[0] the distance along the axis; screw: gap[1] what it is at
  // the bare angle 0; distance: gap[0] the length
  double gap[2];
  double phi0;                    // rad, the bare angle in the reference configuration (universal)
  const struct mw_rcurve *curve;  // curve: the spline; else NULL
  const mw_row *list;  // [n_list]  the rows as primitives: what the rigid mechanism is made of
  int n_list;
  // [n_row]  stiffness (INFINITY: rigid row, a constraint) and damping: reaction λ = k g + c ġ
  const double *k, *c;
} mw_joint;

typedef struct mw_mech {
  const mw_model *model;  // borrowed
  int n_body, n_joint, n_coord, n_row;
  mw_body *body;
  mw_joint *joint;
  int *coord_joint;  // [n_coord]
  double *p0;        // [n_body × 12]  reference frames
  double *s0;        // [n_coord]      joint coordinates in the reference configuration
  double size;       // m, what mw_mech_size says of it; 0: not known yet
  // Springs beside the coordinates of the model's reduction, which thousands of configurations ask
  // for: those held [n_coord] and mw_mech_loose_springs with them [n_joint]; NULL: no reduction, or
  // no springs
  unsigned char *held, *loose;
} mw_mech;

// What rows of joint j take as s, of the joint coordinates s [n_coord].
static inline double mw_joint_s(const mw_joint *j, const double *s)
{
  return j->s_coord >= 0 ? s[j->s_coord] : 0.0;
}

// Assembles bodies and joints of the model; bodies [model->n_body] may be built elsewhere
// (projected or rigid ones) and are copied in shallowly (borrowed). Memory from mem.
MW_MUST_USE mw_code mw_mech_build(const mw_model *model, const mw_body *bodies, mw_arena *mem,
                                  mw_mech *out, mw_error *err);

// Length (m) by which tolerances of places are measured: the farthest of the bodies' origins from
// the ground's and of joint points and radii of gyration from their bodies' origins, or the longest
// guide; 1 where all of them are 0.
double mw_mech_size(const mw_mech *m);

// Rows of one joint and their derivatives; sizes n = joint->n_row, za/zb = functionals of the two
// bodies.
typedef struct mw_joint_eval {
  double *g;        // [n]            m or 1
  double *Ja, *Jb;  // [n × 12]       derivative along (ô, Ê), Ê row-major
  double *Za, *Zb;  // [n × n_z]      derivative along z of body a, b
  double *Js;       // [n]            derivative along the joint coordinate (zero without one)
  // [n × 3]  part of Ja: a turn (rad, body axes) of the axes of body a that its interface does not
  // show. Slides are read in these axes; of an elastic body they are its mean axes, RᵀM u = 0
  double *Ra;
} mw_joint_eval;

// A joint that elastic bodies do not know: it has no rows there (n_row 0), and only the rigid
// mechanism takes it.
bool mw_joint_rigid_only(const mw_joint *j);

// MW_ERR_INPUT: the model has what paths with elastic bodies do not know: such joints, forces,
// friction, rotors, rough positions; components, unless they are taken. Named, so that nothing is
// left out silently.
MW_MUST_USE mw_code mw_mech_check_elastic(const mw_mech *m, bool components, mw_error *err);

// Rows of joint j at time t (s): MW_ERR_RANGE names a spring that is turned farther than
// MW_TURN_MOST, or went through half a turn since its rows were `before` (NULL: unknown) and are g
// now [n_row of the joint].
MW_MUST_USE mw_code mw_joint_check_turn(const mw_joint *j, double t, const double *before,
                                        const double *g, mw_error *err);

// Memory for the largest joint of the mechanism.
mw_joint_eval mw_joint_eval_init(const mw_mech *m, mw_arena *mem);

// pa, pb [12] frames, za, zb functionals of the two bodies (NULL: zero), s the joint's coordinate
// (any value if none). All of e is overwritten. MW_ERR_RANGE when a runner leaves its guide.
MW_MUST_USE mw_code mw_joint_eval_at(const mw_mech *m, int j, const double *pa, const double *za,
                                     const double *pb, const double *zb, double s, mw_joint_eval *e,
                                     mw_error *err);

// Position x (m, ground axes) of the point `offset` (body axes) on a frame (ref.attach, -1: body
// frame), and, if not NULL, its derivatives Jp [3 × 12] along (ô, Ê) and Jz [3 × 6] along the
// frame's six functionals (zero for a rigid frame).
void mw_mech_point(const mw_mech *m, mw_ref ref, const double offset[3], const double *p,
                   const double *z, double x[3], double *Jp, double *Jz);
// A body's frame [12] and functionals with their rates and second derivatives, ground axes; NULL:
// zero (p: never).
typedef struct mw_point_state {
  const double *p, *pd, *pdd, *z, *zd, *zdd;
} mw_point_state;
// Velocity (m/s) and acceleration (m/s²) of the same point.
void mw_mech_point_motion(const mw_mech *m, mw_ref ref, const double offset[3],
                          const mw_point_state *k, double v[3], double a[3]);
// First functional of a frame, -1: rigid.
int mw_mech_frame_z(const mw_mech *m, mw_ref ref);

// ---- rigid kinematics: u = 0, natural coordinates of every body, rigid-body and joint rows ------
// Elastic rows (finite k) count as rigid here, those of springs only where nothing else holds
// (mw_mech_loose_springs). Redundant but consistent rows do no harm (least-norm steps).

// Marks all rows of springs as bits of left_out [n_joint], for mw_rigid_opt; false: there are none.
bool mw_mech_mark_springs(const mw_mech *m, unsigned char *left_out);
// Rows of springs that close nothing, for mw_rigid_opt.left_out [n_joint]: bit i of a joint is row
// i of its list. Kept are, in the model's order, those that take a freedom away in the reference
// configuration with the coordinates marked in locked [n_coord] held (NULL: none): what hangs in
// springs alone stays at rest in them, what the held coordinates move stretches them.
MW_MUST_USE mw_code mw_mech_loose_springs(const mw_mech *m, const unsigned char *locked,
                                          unsigned char *left_out, mw_error *err);

// Solves for all frames p [n_body × 12] and coordinates s [n_coord] with the coordinates marked in
// locked [n_coord] (NULL: none) at theta [n_coord], m or rad (others are not read); starts from p,
// s and goes there in small steps (mw_rigid_reach). To 1e-13 of the mechanism's size.
// MW_ERR_NUMERIC: not closed (names the joint with the largest gap), or falsely.
// MW_ERR_INPUT: not closed, and one of the locked coordinates (named) depends on the others.
MW_MUST_USE mw_code mw_mech_rigid_solve(const mw_mech *m, const unsigned char *locked,
                                        const double *theta, double *p, double *s, mw_error *err);
bool mw_mech_sprung(const mw_mech *m);  // are there springs with a stiffness?
// Force k g of row i of spring jt at the gap g, N or N·m; 0 where it is no more than 1e-9 of the
// mechanism's size or of a radian off where it is at rest, and of joints that are no springs.
double mw_mech_spring_force(const mw_mech *m, const mw_joint *jt, int i, double g);
// loaded: do frames p load a spring (u = 0)? v [n × n_body × 6]: rigid modes there
// (mw_mech_rigid_modes). MW_ERR_INPUT names a spring that is turned by more than MW_TURN_MOST, and
// a damper that one of v moves.
MW_MUST_USE mw_code mw_mech_springs(const mw_mech *m, const double *p, const double *s, int n,
                                    const double *v, bool *loaded, mw_error *err);
// Rigid modes ρ_θ: for each locked coordinate i (in order of coordinates; n_locked of them) the
// velocities of all bodies for unit rate of i: v [n_locked × n_body × 6] (v, ω in body axes) and
// s_dot [n_locked × n_coord]. MW_ERR_INPUT when something is left free with the coordinates
// locked (names the body that moves and its joints; not where springs inside of a component may
// hold it: then v are those of least kinetic energy), or when one of them depends on the others.
MW_MUST_USE mw_code mw_mech_rigid_modes(const mw_mech *m, const unsigned char *locked,
                                        const double *p, const double *s, double *v, double *s_dot,
                                        mw_error *err);

// Second derivatives of all frames along n rigid modes v [n × n_body × 6], s_dot [n × n_coord]
// (mw_mech_rigid_modes, any order): p_ij [n (n + 1)/2 × n_body × 12], pairs (0,0), (1,0), (1,1), …:
// ∂²(o, E)/∂θ_i ∂θ_j. Exact: accelerations at constant θ'.
MW_MUST_USE mw_code mw_mech_rigid_second(const mw_mech *m, const unsigned char *locked,
                                         const double *p, const double *s, int n, const double *v,
                                         const double *s_dot, double *p_ij, mw_error *err);

// Mobility (degrees of freedom of the rigid mechanism at p, s; springs hold nothing, elastic
// runners and bearings count as rigid) and redundant rows: redundant [n_joint] rows a joint.
MW_MUST_USE mw_code mw_mech_mobility(const mw_mech *m, const double *p, const double *s,
                                     int *mobility, int *redundant, mw_error *err);
// Degrees of freedom with the coordinates marked in locked [n_coord] held (NULL: none); springs
// count as rigid.
MW_MUST_USE mw_code mw_mech_freedom(const mw_mech *m, const unsigned char *locked, const double *p,
                                    const double *s, int *free, mw_error *err);
// Adds coordinates to held [n_coord] as long as each leaves less free. What then still moves is
// neutral (a wheel that may spin), or settled by elastic bodies themselves, or has no equilibrium.
MW_MUST_USE mw_code mw_mech_hold_enough(const mw_mech *m, const double *p, const double *s,
                                        unsigned char *held, mw_error *err);
// Index of a joint coordinate by name, -1; its name (the joint's own name where the user gave
// none).
int mw_mech_coord(const mw_mech *m, const char *name);
const char *mw_mech_coord_name(const mw_mech *m, int c);

MW_API_END

#endif
