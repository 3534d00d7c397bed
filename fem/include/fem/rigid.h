// SPDX-License-Identifier: BSD-3-Clause
// rigid.h: the rigid mechanism in natural coordinates (Kraus, Winckler, Bock 2001), at the speed of
// its structure.
//
// Each moving body is a frame p = (o, E) at its centre of mass, E its principal axes: M is then
// constant and diagonal on the null space of the rigid-body rows, whose Jacobian is constant in
// D-coordinates dE = E Ê, Ê = ω~. With v̂ = (Eᵀȯ, ω)
//
//   [ M  Jᵀ ] [ v̂' ]   [ f̂ − ω × Iω ]       g(q, t) = 0 ,   J v̂ + g_t = 0 ,   J v̂' = γ      (1)
//   [ J  0  ] [ λ  ] = [ γ          ]       λ: what the joint exerts is −Jᵀ λ
//
// is solved by block elimination over the graph of bodies and joints (elim.h): O(N) at a fixed
// number of loops; trees of revolute and prismatic joints by the recursion of articulated bodies, a
// body on legs (mw_rigid_leg_count) by its own equations with the legs put in, which find λ later,
// when reactions are asked for. State: q = frames [12 n_body] (o, then E
// row-major), then rotor angles [n_rotor]; v = q̇, E's rates included.
#ifndef MW_FEM_RIGID_H
#define MW_FEM_RIGID_H

#include "base/api.h"
#include "base/part.h"
#include "base/pool.h"
#include "base/team.h"
#include "fem/control.h"
#include "fem/elim.h"
#include "fem/mech.h"

MW_API_BEGIN

typedef struct mw_rigid_body {
  int body;      // in the mechanism
  double m;      // kg
  double I[3];   // kg·m², principal moments about the centre of mass
  double c[3];   // m, centre of mass in the mechanism's frame of the body
  double R[9];   // principal axes there (columns, row-major)
  bool gravity;  // feels gravity
} mw_rigid_body;

typedef struct mw_rigid mw_rigid;  // immutable after mw_rigid_build; one copy serves all threads
typedef struct mw_rigid_work mw_rigid_work;  // scratch of one thread

typedef struct mw_rigid_size {
  int n_body;   // moving bodies
  int n_rotor;  // rotors behind flexible drives
  int n_q;      // 12 n_body + n_rotor: length of q, v, a
  int n_u;      // 6 n_body + n_rotor: length of tangent vectors û (Eᵀ do, φ; rotor angles)
  int n_row;    // constraint rows: joints, then held coordinates
  int n_soft;   // rows with a stiffness or a damper
  int n_coord;  // joint coordinates, in the mechanism's order
  int n_drive;  // drives of the model
} mw_rigid_size;

typedef struct mw_rigid_opt {
  const mw_scenario *scenario;  // actions: forces, prescribed coordinates; NULL: none
  const unsigned char *locked;  // [n_coord] held at constants (mw_rigid_hold), NULL: none
  bool kinematics;              // no forces, no rotors; M is a metric, bodies may lack mass
  bool statics;                 // M is a metric, weights are none the less those of the masses
  // rows with a stiffness count as constraints (kinematics; there they are left out else)
  bool soft_is_rigid;
  // [n_joint] springs, and joints of points and axes: bit i: row i is none (NULL: all are rows)
  const unsigned char *left_out;
  // for small motions: without dry friction and stops, play taken up (mw_law_taken_up)
  bool small;
  double size;  // m, of what it is part of where that is larger; 0: it is all there is
  double drop;  // a joint row whose pivot cancels below this part is redundant, 1e-9
  // Groups that are eliminated each on its own (fem/elim.h); the numbers differ by roundings.
  // part > 0: the mechanism cut in halves down to parts of at most so many joints, from twice as
  // many on; assemblies: those of the bodies' names, front.left.damper belongs to front.left
  int part;
  bool assemblies;
  // Takes components (fem/component.h), which are eliminated each on its own: accelerations,
  // projections and what is made of them do, the functions for implicit methods and statics do not.
  // False: a mechanism with one is refused
  bool components;
  bool
      eliminate;  // never by articulated bodies (mw_rigid_articulates) or legs (mw_rigid_leg_count)
} mw_rigid_opt;
mw_rigid_opt mw_rigid_opt_default(void);

// Compiles the mechanism. MW_ERR_INPUT: a body without mass or inertia about one of its axes
// (named). Borrows m and opt->scenario. Released by mw_rigid_free.
MW_MUST_USE mw_code mw_rigid_build(const mw_mech *m, const mw_rigid_opt *opt, mw_rigid **out,
                                   mw_error *err);
void mw_rigid_free(mw_rigid *r);
MW_MUST_USE mw_code mw_rigid_work_build(const mw_rigid *r, mw_rigid_work **out, mw_error *err);
void mw_rigid_work_free(mw_rigid_work *w);
// Groups are worked off by the threads of the pool (borrowed; NULL: by the caller alone), with the
// same bits whatever their number.
void mw_rigid_work_share(mw_rigid_work *w, mw_pool *pool);
// Groups shared out to the ranks of a team by sub-trees, as their weights are: from now on
// mw_rigid_accel is called by all ranks together, each eliminates its own groups, and gets with the
// same bits as one process the accelerations of bodies that are marked in mw_rigid_here; only their
// q and v are read. The other functions work with w as they do without ranks, with q and v of all
// bodies. MW_ERR_INPUT: anything but joints acts besides gravity (named). r: that of w. Copies
// team, whose ctx must outlive w.
MW_MUST_USE mw_code mw_rigid_work_spread(const mw_rigid *r, mw_rigid_work *w, const mw_team *team,
                                         mw_error *err);
// The same with the whole state on each rank: mw_rigid_accel and mw_rigid_accel_close share their
// elimination out, and so do mw_rigid_project_q, mw_rigid_project_v and mw_rigid_accel_jump with
// its factors; forces are evaluated by each rank alike. All these are called by all ranks together,
// with the same numbers; results, errors and mw_rigid_power are on each of them, with the bits of
// one process. For what else is asked after an acceleration (reactions, redundant rows, residuals)
// that one is made alone. MW_ERR_INPUT: a component (named), or no groups (part, assemblies).
// Copies team, whose ctx must outlive w.
MW_MUST_USE mw_code mw_rigid_work_join(const mw_rigid *r, mw_rigid_work *w, const mw_team *team,
                                       mw_error *err);
// After it: accelerations are each rank's own from now on, or all ranks' again.
void mw_rigid_work_alone(mw_rigid_work *w, bool alone);
// After either, [n_body]: bits of whose accelerations this rank finds, and needs.
enum { MW_RIGID_OWN = 1, MW_RIGID_NEEDED = 2 };
const unsigned char *mw_rigid_here(const mw_rigid_work *w);
const mw_elim *mw_rigid_plan(const mw_rigid *r);  // order and groups of mw_rigid_accel
// Says whether mw_rigid_accel goes by articulated bodies: all bodies hang on the ground, each by
// one revolute or prismatic joint, no coordinate is held, no joint rubs by its reaction, no
// components or groups, not opt.eliminate. The numbers differ from those of the elimination by
// roundings, and by what rows and their rates are off.
bool mw_rigid_articulates(const mw_rigid *r);
// Legs that mw_rigid_accel takes in closed form, 0: none. One body stands on all of them, each from
// the ground: universal joint, body, revolute or prismatic joint, body, ball; nothing else moves,
// and what mw_rigid_articulates asks for besides. Where a leg cannot move its ball in all
// directions, to a part of 1e-2, the elimination finds the accelerations.
int mw_rigid_leg_count(const mw_rigid *r);
mw_rigid_size mw_rigid_sizes(const mw_rigid *r);

// ---- states -------------------------------------------------------------------------------------

// q of the mechanism's frames p [n_body of the mechanism × 12], and back; rotors at their
// coordinates' values.
void mw_rigid_from_frames(const mw_rigid *r, const double *p, double *q);
void mw_rigid_to_frames(const mw_rigid *r, const double *q, double *p);
// q ← q moved by the tangent vector u [n_u] (E by a rotation); dst may be q
void mw_rigid_move(const mw_rigid *r, const double *q, const double *u, double *dst);
// natural rates v [n_q] of tangent rates u [n_u], and back (skew part of EᵀĖ)
void mw_rigid_rates(const mw_rigid *r, const double *q, const double *u, double *v);
void mw_rigid_twist(const mw_rigid *r, const double *q, const double *v, double *u);

// Joint coordinates s, ṡ [n_coord] (v NULL: s alone). Angles are those nearest to the values last
// accepted.
void mw_rigid_coords(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v,
                     double *s, double *s_dot);
// Keeps the coordinates at q as the accepted ones: turns are counted from here. Called after each
// step.
void mw_rigid_accept(const mw_rigid *r, mw_rigid_work *w, const double *q);
void mw_rigid_accept_coords(const mw_rigid *r, mw_rigid_work *w,
                            const double *s);             // the same, given
const double *mw_rigid_accepted(const mw_rigid_work *w);  // [n_coord]
// Keeps how far springs are turned at t, q and compares: mw_joint_check_turn. Called after each
// step.
MW_MUST_USE mw_code mw_rigid_accept_turns(const mw_rigid *r, mw_rigid_work *w, double t,
                                          const double *q, mw_error *err);
// Values and rates at which locked coordinates are held [n_coord]; rate NULL: zero.
void mw_rigid_hold(const mw_rigid *r, mw_rigid_work *w, const double *s, const double *rate);
// What w remembers of the steps before but for its factors, which a mw_rigid_accel at the same
// state makes again: pieces into part [MW_RIGID_PARTS], their number.
enum { MW_RIGID_PARTS = 8 + MW_CONTROL_PARTS };
int mw_rigid_work_parts(const mw_rigid *r, mw_rigid_work *w, mw_part *part);
// Samples the controllers of the scenario at t; their forces are held until the next sample.
// Errors: those of units.
MW_MUST_USE mw_code mw_rigid_sample(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                    const double *v, mw_error *err);
// Units step as this says from now on.
void mw_rigid_take_units(mw_rigid_work *w, mw_units units);
const mw_control *mw_rigid_control(const mw_rigid_work *w);

// ---- accelerations and projections --------------------------------------------------------------

// a [n_q] at t, q, v by (1). MW_ERR_NUMERIC: not finite, or friction did not converge; names the
// body. Over ranks: all of them fail together.
MW_MUST_USE mw_code mw_rigid_accel(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                   const double *v, double *a, mw_error *err);
// What a step in real time can afford, from one evaluation of rows and factors at t, q, v (as
// RATTLE does it): q moves towards its constraints by one Newton step û_q; the rates u [n_u]
// (twist) that led there are corrected with it, û += û_q/h; the accelerations bring them onto their
// constraints within half a step, J (û + h/2 û') + g_t = 0 in place of J û' = γ. gap: largest |g|
// before (m or 1), moved: largest entry of û_q.
MW_MUST_USE mw_code mw_rigid_accel_close(const mw_rigid *r, mw_rigid_work *w, double t, double h,
                                         double *q, const double *v, double *u, double *a,
                                         double *gap, double *moved, mw_error *err);
// Drives give other forces since the last acceleration (a new sample): a [n_q] and the multipliers
// follow, by the factors at hand. False where that cannot be (no factors, or none of that
// acceleration, friction): evaluate anew.
bool mw_rigid_accel_jump(const mw_rigid *r, mw_rigid_work *w, double t, const double *q, double *a);
// Power at the last mw_rigid_accel, W: drives, actuators, prescribed coordinates, less dampers and
// friction.
double mw_rigid_power(const mw_rigid *r, const mw_rigid_work *w);
// Nearest q (in the metric of M) with g(q, t) = 0 and E orthonormal, to tol (m or 1); at most
// iter_max Newton steps, as long as they lower the largest gap; gap (may be NULL) is what remained:
// callers judge it. From afar, where redundant rows contradict each other: mw_rigid_assemble. With
// fresh false the factors of the last call of accel or project are used first.
MW_MUST_USE mw_code mw_rigid_project_q(const mw_rigid *r, mw_rigid_work *w, double t, double *q,
                                       double tol, int iter_max, bool fresh, double *gap,
                                       mw_error *err);
// Nearest v with J v̂ + g_t = 0; exact to rounding in one step. With fresh false: with the rows and
// factors of the last call.
MW_MUST_USE mw_code mw_rigid_project_v(const mw_rigid *r, mw_rigid_work *w, double t,
                                       const double *q, double *v, bool fresh, mw_error *err);
// From a rough q to a consistent one: Levenberg-Marquardt, then mw_rigid_project_q to tol.
// MW_ERR_NUMERIC names the joint that stays open and by how much, or that closes falsely
// (mw_rigid_check_axes).
MW_MUST_USE mw_code mw_rigid_assemble(const mw_rigid *r, mw_rigid_work *w, double t, double *q,
                                      double tol, mw_error *err);
// MW_ERR_NUMERIC names a joint whose rows vanish at q although axes that they keep together do not
// agree: turned over, or in cyclic order.
MW_MUST_USE mw_code mw_rigid_check_axes(const mw_rigid *r, const double *q, mw_error *err);
// Steps that lead held coordinates from `from` to `to` [n_coord], m or rad: each at most 0.3 rad,
// or as much of the mechanism's size.
int mw_rigid_steps(const mw_rigid *r, const double *from, const double *to);
// Leads q, whose coordinates are `from` [n_coord], to where the held ones are at `to` [n_coord] (to
// tol, m or 1), along the branch of positions that q is on, by tangents, in such steps or finer
// ones; rough positions, and held coordinates that depend on each other, by assembly, finer where a
// joint closes falsely and in one step where values between cannot be reached. Turns are counted:
// mw_rigid_accepted. Errors of mw_rigid_assemble; MW_ERR_NUMERIC: positions are singular on the
// way, names the coordinate and where.
MW_MUST_USE mw_code mw_rigid_reach(const mw_rigid *r, mw_rigid_work *w, const double *from,
                                   const double *to, double tol, double *q, mw_error *err);

// Static equilibrium of springs and gravity with the constraints kept, from q; coordinates marked
// in held [n_coord] keep their values at q. MW_ERR_NUMERIC: none found.
MW_MUST_USE mw_code mw_rigid_statics(const mw_rigid *r, mw_rigid_work *w, double t,
                                     const unsigned char *held, double *q, mw_error *err);

typedef struct mw_rigid_residual {
  double position;      // largest |g|, rigid-body rows included, m or 1
  double velocity;      // largest |J v̂ + g_t|
  double acceleration;  // largest |J v̂' − γ|; needs a
} mw_rigid_residual;
void mw_rigid_residuals(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                        const double *v, const double *a, mw_rigid_residual *out);

typedef struct mw_rigid_energy {
  double kinetic, potential;  // J; gravity (zero at the ground origin) and springs
  double power;  // W, of drives, actuators, prescribed coordinates, less dampers and friction
} mw_rigid_energy;
// After mw_rigid_accel at the same state.
void mw_rigid_energies(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                       const double *v, mw_rigid_energy *out);
// Forces of the drives [n_drive] as of the last mw_rigid_accel; of prescribed ones the reactions.
void mw_rigid_drive_forces(const mw_rigid *r, const mw_rigid_work *w, double *force);

// q of the last mw_rigid_accel must still be there, unchanged, and what was asked for since was
// asked at its q and v. Reaction of joint j (force and
// moment on its body b at the joint's point, ground axes, N and N·m), of least norm where rows are
// redundant (in the metric of the rows' own diagonal, J M⁻¹ Jᵀ). After mw_rigid_accel; all joints
// at once: wrench [n_joint of the mechanism × 6].
MW_MUST_USE mw_code mw_rigid_reactions(const mw_rigid *r, mw_rigid_work *w, double *wrench,
                                       mw_error *err);

// After mw_rigid_reactions: the joint whose friction rests most on a reaction that redundant rows
// leave open, −1: none does. N[0]: normal force that accelerations were had with, N[1]: that of the
// reactions of least norm, N.
int mw_rigid_friction_unsure(const mw_rigid *r, const mw_rigid_work *w, double N[2]);

// Redundant rows a joint [n_joint of the mechanism] as of the last factorization, their number, and
// how often the set changed so far.
int mw_rigid_redundant(const mw_rigid *r, const mw_rigid_work *w, int *rows);
int mw_rigid_changes(const mw_rigid_work *w);
// Position x and velocity (v and x_dot may be NULL) of the point `offset` (body axes) on a frame.
void mw_rigid_point(const mw_rigid *r, mw_ref ref, const double offset[3], const double *q,
                    const double *v, double x[3], double x_dot[3]);

// ---- components (fem/component.h) ---------------------------------------------------------------

// MW_ERR_INPUT: what swings inside of one of them asks for shorter explicit steps than h (s), by
// RK4, or by leapfrog, whose limit is lower by 2/2.78.
MW_MUST_USE mw_code mw_rigid_component_step(const mw_rigid *r, double h, bool leapfrog,
                                            mw_error *err);
// Of component k of the model: does it promise anything, and what of that have the accepted steps
// left, a sentence in left [n], "": nothing.
bool mw_rigid_component_promise(const mw_rigid_work *w, int k, char *left, size_t n);

// ---- for implicit methods -----------------------------------------------------------------------

// f̂ [n_u]: forces at t, q, u (twist) without constraint and soft rows, gyroscopic terms −ω × Iω
// included where gyro is set.
void mw_rigid_force(const mw_rigid *r, mw_rigid_work *w, double t, const double *q, const double *u,
                    bool gyro, double *f);
// Rows at t, q: constraint gaps g [n_row], their rates J u + g_t [n_row] where u is not NULL; soft
// rows gs, gs_dot [n_soft].
void mw_rigid_rows(const mw_rigid *r, mw_rigid_work *w, double t, const double *q, const double *u,
                   double *g, double *g_dot, double *gs, double *gs_dot);
// f += −Jᵀ λ − Jsᵀ λs with the rows last evaluated
void mw_rigid_add_reaction(const mw_rigid *r, const mw_rigid_work *w, const double *lambda,
                           const double *lambda_s, double *f);
// Keeps λ, λs as the multipliers that friction, drives' reactions, energies and mw_rigid_reactions
// use.
void mw_rigid_keep_reaction(const mw_rigid *r, mw_rigid_work *w, const double *lambda,
                            const double *lambda_s);
// Which rows hold between velocities alone (rolling): rate [n_row] 1, their gap is always 0.
void mw_rigid_rate_rows(const mw_rigid *r, unsigned char *rate);
// From now on mw_rigid_rows takes points and directions fixed to body b as stretched by S_b [n_body
// × 9] (symmetric; borrowed): x = o + E S Y. Joint coordinates are not stretched. NULL: rigid
// again.
void mw_rigid_stretch(mw_rigid_work *w, const double *S);
// Stiffness and damping of the soft rows [n_soft]; their forces are λs = k gs + c gs_dot (+ bias,
// for actuators: none here).
const double *mw_rigid_soft_k(const mw_rigid *r);
const double *mw_rigid_soft_c(const mw_rigid *r);
// Factors  [ β M  Jᵀ  Jsᵀ ; J  0 ; Js  −1/k' ]  with the rows last evaluated, k' = k + γ' c.
void mw_rigid_kkt_factor(const mw_rigid *r, mw_rigid_work *w, double beta, double gamma);
// Marks by 1 in dropped [n_row] the rows that the last factors leave out as redundant.
void mw_rigid_kkt_dropped(const mw_rigid *r, const mw_rigid_work *w, unsigned char *dropped);
// [x; λ; λs] from [f; c; cs] with the last factors; redundant rows get λ = 0. lambda_s, cs may be
// NULL (no soft rows).
void mw_rigid_kkt_solve(const mw_rigid *r, mw_rigid_work *w, const double *f, const double *c,
                        const double *cs, double *x, double *lambda, double *lambda_s);
const mw_rigid_body *mw_rigid_bodies(const mw_rigid *r);

// ---- as matrices, for analyses (rigid_dense.c) --------------------------------------------------

typedef struct mw_rigid_dense {
  double *J;      // [n_row × n_u]    constraint rows:  J û' = γ
  double *gamma;  // [n_row]
  double *Js;     // [n_coord × n_u]  coordinates:  ṡ = Js û ,  s̈ = Js û' + bias
  double *bias;   // [n_coord]
} mw_rigid_dense;

// At t, q and the twist u [n_u] (NULL: at rest); all of out is overwritten.
void mw_rigid_matrices(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                       const double *u, const mw_rigid_dense *out);
// Rows J [*n_row × n_u] that stand for what is inside of components at t, q: room for
// mw_rigid_inside_most of them. MW_ERR_NUMERIC: as mw_component_ways_find.
int mw_rigid_inside_most(const mw_rigid *r);
MW_MUST_USE mw_code mw_rigid_inside_rows(const mw_rigid *r, mw_rigid_work *w, double t,
                                         const double *q, double *J, int *n_row, mw_error *err);
typedef struct mw_rigid_inside {
  double t;         // s
  const double *q;  // [n_q]
  const double *u;  // [n_u]  rates, NULL: positions are asked for
  int n_row;
  const double *J;  // [n_row × n_u]  of mw_rigid_inside_rows, there or near
} mw_rigid_inside;
// gap [n_row]: by which the inside is open at q, or rates u are, along these rows.
MW_MUST_USE mw_code mw_rigid_inside_gaps(const mw_rigid *r, mw_rigid_work *w,
                                         const mw_rigid_inside *in, double *gap, mw_error *err);
void mw_rigid_masses(const mw_rigid *r, double *mass);    // [n_u]  M is diagonal
void mw_rigid_row_joints(const mw_rigid *r, int *joint);  // [n_row]  −1: a held coordinate

MW_API_END

#endif
