// SPDX-License-Identifier: BSD-3-Clause
// dae_layer.h: what the files of the DAE share.
//
//   dae_body.c    forces and energies of one body, from its mass moments
//   dae_tilt.c    what moments of inertia at frames add to them
//   dae_block.c   one body's constant Newton block, factored once
//   dae_strain.c  strains of second order, and the blocks renewed with their stiffness
//   dae_rows.c    joint rows, and the residual of all equations
//   dae_law.c     friction and stops of coordinates, met within an iteration
//   dae_graph.c   the joints as a graph of rows and bodies, planned once
//   dae_joint.c   the joint Schur complement and its solution
//   dae_drag.c    what damping α of moving bodies adds to it
//   dae_component.c  components: what their frames lack and move
//   dae_component_open.c  components: life, what they cannot do
//   dae_start.c   initial positions
//   dae_rates.c   initial velocities
//   dae_static.c  static equilibrium
//   dae_anderson.c  combination of iterates, where Newton's matrix lacks something
//   dae_first.c   initial accelerations and start values of the method
//   dae_step.c    the generalized-α step
//   dae_kink.c    forces of drives, and what their kinks within a step do
//   dae_modal.c   a modal damping ratio
//   dae_limit.c   limits of coordinates, at which a run ends
//   dae_observe.c observed outputs
//   dae.c         the path of the run loop
//
// Flat vectors q, v, a, aux [n_q] hold, body by body, p (12, moving bodies only) and u, then the
// joint coordinates; p, its rates and accelerations in ground axes. Residuals and corrections are
// per body and in body axes (D-coordinates): first the border d = (ô, Ê, six rigid-body rows,
// reference rows), then u.
#ifndef MW_SIM_DAE_LAYER_H
#define MW_SIM_DAE_LAYER_H

#include "dae_body_layer.h"
#include "dae_system_layer.h"
#include "fem/control.h"
#include "fem/mech.h"
#include "full/component/dae_component_layer.h"
#include "run/loop_layer.h"
#include "run/observe_layer.h"
#include "sim/dae.h"

// ---- the whole ----------------------------------------------------------------------------------

typedef struct mw_dae {
  const mw_mech *m;
  const mw_scenario *sc;
  mw_dae_opt opt;
  double size, g_norm;  // m, size of the mechanism; m/s², gravity
  double least_shift;   // 1/s², pseudo-mass factor in statics of bodies without a stiffness
  // generalized-α
  double h, alpha_m, alpha_f, beta, gamma;
  double b1, c1;  // β' = (1 − α_m)/(h² β (1 − α_f)), γ' = γ/(h β)
  // layout
  int n_q, col_s;
  int *col;      // [n_body]  first entry of a body in the flat vectors
  bool *moving;  // [n_body]
  // state
  double t;
  double *q, *v, *a, *aux;  // [n_q]
  double *lam;              // [n_body × 12]  rigid-body and reference rows
  double *lambda;           // [n_row + n_coord]  joint rows, then held coordinates
  double *rows;             // [rows of all outputs]  stresses and strains, set by store
  double *force;            // [n_drive]  drives, those of prescribed ones set by mw_dae_reactions
  mw_control control;
  double *u_held;  // [n_drive]  forces of opt.controller, once it has been asked
  double *bend;    // [3 n_drive]  scratch of dae_kink.c
  double *kept;    // [n_row + n_coord + 12 n_body]  scratch of dae_kink.c
  bool asked;
  // held coordinates: rows s − target = 0
  int n_hold;
  int *hold;        // [n_coord]  coordinates
  int *hold_drive;  // [n_coord]  drive that prescribes it, -1
  double *target;   // [n_coord × 3]  value, rate, acceleration
  // joint rows, set by mw_dae_rows
  mw_joint_eval *e;  // [n_joint]
  double *g, *gd;    // [n_row + n_coord]  gap, rate
  double *turned;    // [n_row]  gaps as the last step left them, of dae.c
  double *rho;       // [n_row + n_coord]  right-hand side of the rows for mw_dae_solve
  double *dlam;      // [n_row + n_coord]  correction of the multipliers
  double *ds, *r_s;  // [n_coord]  correction and residual of the coordinates
  // friction and stops of the coordinates (dae_law.c)
  bool law_exact;  // mw_dae_solve meets them at the corrected state, not only their derivatives
  int n_law, *law_coord;  // [n_law]  coordinates that have some
  // [n_coord]  normal forces of friction by reaction, N, set by mw_dae_rows from λ
  double *normal;
  double *law_force;  // [n_coord]  N or N·m, set by mw_dae_rows
  double *law_k, *law_c;  // [n_coord]  −∂force/∂s, −∂force/∂ṡ, at least 0, set by mw_dae_rows
  double *law_slope;  // [n_coord]  of the laws in the matrix, set by joint_build
  // [n_law × (n_row + 2 n_coord)]  λ and s that answer to a unit force on each, set by joint_build
  double *law_answer;
  double *law_p;    // [n_coord]  forces beyond those the derivatives give, law by law; scratch
  double *law_rho;  // [n_row + n_coord]  zero
  // [n_coord]  what corrections count from, m or rad, and force there less law_force; zero but for
  // accelerations at the start
  double *law_from, *law_there;
  // bodies
  mw_dae_block *block;  // [n_body]
  double **r, **y;      // [n_body][n_y]  residual and correction
  double **z, **zd;     // [n_body][n_z]
  double **fz;          // [n_body][n_z]  forces on the functionals
  double *hat;          // [n_body × 12]  a flat vector's frame part in body axes
  double *dq;           // [n_q]  correction in ground axes
  double *work;         // scratch of dae_body.c [13 n_u] and dae_joint.c [n_f]
  mw_dae_strain strain;
  // joint system
  int n_all;            // n_row + n_hold
  unsigned char *keep;  // [n_row]  0: redundant row
  bool rows_known;      // keep is set
  bool no_elastic;      // elastic rows carry no force
  // [n_joint]  all bodies are rigid, coordinates of stiffness one (dae_rates.c), and rows with a
  // stiffness are constraints, but those of springs marked here, by bits; NULL: none of this
  const unsigned char *left_out;
  double load;  // factor on gravity, 1 but while statics look for their way
  // what bends it at the start (dae_bent.c), NULL but then: forces [n_body][12 + n_u] on frames
  // and unknowns, body axes, [n_coord] on coordinates; ring [n_q]: rates
  double **lean, *lean_s, *ring;
  unsigned char *active;        // [n_row]  takes part in the elimination
  int *joints_ptr, *joints_of;  // [n_body + 1], [2 n_joint]  joints of each body
  mw_dae_system sys;
  double *before_p, *before_s;  // [n_body × 12], [n_coord]  frames and coordinates before a step
  double *show_p, **show_u;     // [n_body × 12], [n_body]  of a mw_snapshot
  mw_observing observer;
  // limits of coordinates (dae_limit.c)
  bool limited, ended;         // there are some; start holds the end of the step
  double *start;               // [6 n_q]  q, v, a at the start and at the end of the step
  struct mw_dae_modal *modal;  // damping.modal, α of what moves (dae_modal.c), NULL: none
  mw_dae_drag drag;
  // components (dae_component.c), and what they remember
  int n_component;
  mw_dae_component *component;  // [n_component]
  unsigned char *inside;        // [n_inside]
  size_t n_inside;
  // work: of the step its power at the start (W) and what kinks add to it, of the run so far, J
  double power, bent, energy;
  // results
  int iterations;
  mw_progress *progress;  // of the start; NULL once it is over
  double gap;             // largest gap of a constraint at the last residual
  int gap_joint;          // where, -1: a body's frame
  mw_arena mem;
} mw_dae;

static inline const double *mw_dae_frame(const mw_dae *d, const double *q, int b)
{
  return d->moving[b] ? q + d->col[b] : d->m->p0 + 12 * b;
}
static inline double *mw_dae_u(const mw_dae *d, double *q, int b)
{
  return q + d->col[b] + (d->moving[b] ? 12 : 0);
}
mw_dae_motion mw_dae_motion_of(const mw_dae *d, int b, bool rates);

// ---- dae_rows.c ---------------------------------------------------------------------------------

extern const int mw_dae_pair[6][2];  // (i, j) of the rigid-body rows ½(e_i·e_i − 1), e_i·e_j
// Rows g, their rates gd and Jacobians at q, v; z and zd of all bodies.
MW_MUST_USE mw_code mw_dae_rows(mw_dae *d, mw_error *err);
// out [n_row] := J x for a flat vector x in ground axes; overwrites zd
void mw_dae_rows_mul(mw_dae *d, const double *x, double *out);
// Residuals r of all bodies and r_s of the coordinates, with d->lambda, d->lam, d->force; rates:
// false in statics. Rigid-body and reference rows too. Sets gap and gap_joint.
void mw_dae_residual(mw_dae *d, bool rates);
// r, fz, r_s −= forces f [n_drive] of the drives that are not prescribed
void mw_dae_drive_forces(mw_dae *d, const double *f);
// rho of all rows for a Newton step, from g, gd, lambda; rates: dampers act
void mw_dae_row_residual(mw_dae *d, bool rates);
// Stiffness of row i of joint j as the Newton step sees it, k + γ' c; INFINITY for constraints
double mw_dae_row_stiffness(const mw_dae *d, int j, int i);
// q += fq Δ, v += fv Δ, a += fa Δ from the corrections y, ds; multipliers += theirs. Returns the
// size of Δ in m.
double mw_dae_update(mw_dae *d, double fq, double fv, double fa);

// ---- dae_joint.c --------------------------------------------------------------------------------

// Plan and memory of the joint system, once.
MW_MUST_USE mw_code mw_dae_graph_build(mw_dae *d, mw_error *err);
// Finds redundant rows (once), builds and factors the joint system from the rows.
MW_MUST_USE mw_code mw_dae_joint_build(mw_dae *d, mw_error *err);
// ĵ N [6] for a twist (v, ω) of a row J [12] along (ô, Ê)
void mw_dae_twist_row(const double *J, double t[6]);
// F of row i of joint j: what its two bodies yield to it.
double mw_dae_row_yield(mw_dae *d, int j, int i);
// y, dlam, ds from r, r_s, rho:  S y + Ĵᵀ dlam = −r ,  Ĵ y + Js ds − dlam/k = −rho ,
//     Jsᵀ dlam + (γ' c_s + k_s) ds = −r_s
MW_MUST_USE mw_code mw_dae_solve(mw_dae *d, mw_error *err);

// Solves (2) of dae_joint.c: λ [n_all] and s [n_coord] for rho [n_all], r_s [n_coord] and what the
// bodies move by themselves in sys.x_f (overwritten; zero: mw_dae_clear_interfaces). Sets sys.f.
// Leaves out what α adds; mw_dae_system_solve has it.
void mw_dae_rows_solve(mw_dae *d, const double *rho, const double *r_s, double *lam, double *ds);
void mw_dae_clear_interfaces(mw_dae *d);

// ---- dae_drag.c ---------------------------------------------------------------------------------

MW_MUST_USE mw_code mw_dae_drag_init(mw_dae *d, mw_arena *mem, mw_error *err);
// From W and D, with the joint system just factored.
MW_MUST_USE mw_code mw_dae_drag_join(mw_dae *d, mw_error *err);
void mw_dae_system_solve(mw_dae *d, const double *rho, const double *r_s, double *lam, double *ds);

// ---- dae_law.c ----------------------------------------------------------------------------------

bool mw_dae_rubs(const mw_dae *d, int coord);  // friction by reaction
void mw_dae_law_eval(mw_dae *d);               // law_force, law_k, law_c at the state
// How far coordinates move, at most, by friction's following the present multipliers, m or rad
double mw_dae_law_lag(const mw_dae *d);
// Accelerations and multipliers after forces have jumped: friction by reaction follows these.
MW_MUST_USE mw_code mw_dae_law_jump(mw_dae *d, mw_error *err);
// Power that friction by reaction takes at coordinate c, W, at the normal force of the state
double mw_dae_friction_lost(const mw_dae *d, int c);
// Warns where friction by reaction stands beside redundant rows, whose reactions are not unique.
void mw_dae_tell_friction(const mw_dae *d, mw_run *r);
// Laws at the state to which a step takes the accelerations a [n_q], from there on, and into r_s;
// NULL: at the present state again
void mw_dae_law_ahead(mw_dae *d, const double *a);
// γ' c_s + k_s of a coordinate: its damping, friction and stops as the Newton step sees them
double mw_dae_coord_stiffness(const mw_dae *d, int coord);
void mw_dae_law_answers(mw_dae *d);  // law_answer, with the joint system just factored
// The solution in dlam and ds becomes one at whose end the laws hold.
void mw_dae_law_correct(mw_dae *d);

// ---- dae_step.c ---------------------------------------------------------------------------------

MW_MUST_USE mw_code mw_dae_blocks(mw_dae *d, bool statics, mw_error *err);  // builds all blocks
void mw_dae_targets(mw_dae *d, double t);                                   // of prescribed drives
// Controllers get the state, tau ahead of it.
MW_MUST_USE mw_code mw_dae_sample(mw_dae *d, double tau, mw_error *err);
// u_held from opt.controller, if there is one
MW_MUST_USE mw_code mw_dae_ask(mw_dae *d, double t_sample, mw_error *err);
void mw_dae_reactions(mw_dae *d);  // force of the prescribed drives
// Are there forces that Newton's matrix lacks: of modal damping, inside of components?
bool mw_dae_slows(const mw_dae *d);
MW_MUST_USE mw_code mw_dae_step(mw_dae *d, mw_error *err);
// The unknown with the largest last correction, in words.
void mw_dae_name_worst(const mw_dae *d, char text[128]);
// Coordinate of a drive, or the way along a force drive, in a flat vector of rates of which the
// rows were taken last (mw_dae_rows_mul, or mw_dae_rows for v)
double mw_dae_drive_along(const mw_dae *d, int drive, const double *x);

// ---- dae_kink.c ---------------------------------------------------------------------------------

// force of all drives that are not prescribed, of signals with a kink at t > 0 from the left
void mw_dae_forces(mw_dae *d, double t);
// The same a step after the start, of signals with a kink before it as at the start: what goes on
// smoothly
void mw_dae_forces_ahead(mw_dae *d);
// Start of the step at d->t: the force of signals with kinks in it and of controllers sampled tau
// after it (< 0: not) jumps, the state takes what the method does not see; work [J]: of that.
// y, ds from forces f [n_drive] of the drives that are not prescribed, none else, with the joint
// system at hand
MW_MUST_USE mw_code mw_dae_answer(mw_dae *d, const double *f, mw_error *err);
MW_MUST_USE mw_code mw_dae_bend(mw_dae *d, double tau, double *work, mw_error *err);

// ---- dae_limit.c --------------------------------------------------------------------------------

void mw_dae_limit_keep(mw_dae *d);  // start of a step
// The state tau after the start of the step that was tried last (path_layer.h).
MW_MUST_USE mw_code mw_dae_limit_at(void *p, const mw_span *sp, bool failed, double tau,
                                    mw_error *err);

// ---- dae_modal.c --------------------------------------------------------------------------------

// modal, where the model has such damping; released by its _free
MW_MUST_USE mw_code mw_dae_modal_build(mw_dae *d, mw_error *err);
void mw_dae_modal_free(mw_dae *d);
// α of what moves in Newton's matrix: H, SH and D at the state, of the blocks there are; none in
// statics
MW_MUST_USE mw_code mw_dae_drag_build(mw_dae *d, mw_error *err);
// r, r_s += c α M w for rates x, flat
void mw_dae_drag_add(mw_dae *d, const double *x, double c);
// The operator at the coordinates in q.
MW_MUST_USE mw_code mw_dae_modal_at(mw_dae *d, mw_error *err);
double mw_dae_modal_cost(mw_dae *d);       // of that at the start, as progress counts it
void mw_dae_modal_force(mw_dae *d);        // adds to r and r_s at q, v
double mw_dae_modal_lost(mw_dae *d);       // power it takes, W
bool mw_dae_modal_slows(const mw_dae *d);  // are there any that Newton's matrix lacks?
// What it remembers of the last step, into part; their number. Then: what follows from them.
int mw_dae_modal_parts(mw_dae *d, mw_part *part);
MW_MUST_USE mw_code mw_dae_modal_resume(mw_dae *d, mw_error *err);

// Momentum and angular momentum y, in body axes, of a rigid body that moves by x.
void mw_dae_momentum(const mw_body *b, const double x[6], double y[6]);
// r [12] += c f, f [6] a force and a moment in body axes
void mw_dae_add_wrench(double c, const double *f, double *r);

// ---- dae_bent.c ---------------------------------------------------------------------------------

// lean and ring for the scenario's elastic start, at the undeformed frames; NULL: it has none
MW_MUST_USE mw_code mw_dae_bent(mw_dae *d, mw_error *err);
void mw_dae_lean(mw_dae *d);  // r, r_s −= load times lean
MW_MUST_USE mw_code mw_dae_lean_undeformed(mw_dae *d, mw_error *err);

// ---- dae_observe.c ------------------------------------------------------------------------------

// Force and moment of joint j on its body b at its point, ground axes: y [6].
void mw_dae_reaction(const mw_dae *d, int j, double *y);
// Observed outputs of the state as instant k of the run, whose s and force stand.
MW_MUST_USE mw_code mw_dae_observe(mw_dae *d, int k, mw_run *r, mw_error *err);

// ---- dae_start.c --------------------------------------------------------------------------------

MW_MUST_USE mw_code mw_dae_start(mw_dae *d, mw_error *err);
// Holds the coordinates marked in held [n_coord] where they are.
void mw_dae_set_hold(mw_dae *d, const unsigned char *held);

// ---- dae_rates.c --------------------------------------------------------------------------------

// v from the rates [n_coord] of the coordinates marked in held, others least; holds these.
MW_MUST_USE mw_code mw_dae_velocities(mw_dae *d, const unsigned char *held, const double *rate,
                                      mw_error *err);

// ---- dae_static.c -------------------------------------------------------------------------------

// q, λ in equilibrium with the coordinates that are held.
MW_MUST_USE mw_code mw_dae_equilibrium(mw_dae *d, mw_error *err);
// Pseudo-mass factor of a body in statics, 1/s²: small against its stiffness, large against
// rounding.
double mw_dae_static_shift(const mw_dae *d, const mw_body *b);
void mw_dae_clear_residuals(mw_dae *d);  // r, r_s := 0

// ---- dae_first.c --------------------------------------------------------------------------------

// a, λ and aux from q, v, force and the targets; v moves by O(h²) along the constraints.
MW_MUST_USE mw_code mw_dae_first(mw_dae *d, mw_error *err);

#endif
