// SPDX-License-Identifier: BSD-3-Clause
// rigid_mech_layer.h: what the files of the rigid mechanism share.
//
//   rigid_build.c   bodies at their centres of mass, coordinates, rows and forces from the
//                   mechanism
//   rigid_nodes.c   rows gathered to nodes of the elimination
//   rigid_tree.c    groups of bodies and rows, and who evaluates what when
//   rigid_deal.c    groups shared out to ranks
//   rigid_ranks.c   what passes between these
//   rigid_rows.c    rows of whole nodes: g, J, γ
//   rigid_primitive.c  those of POINT, AXES, ALONG
//   ../joint/*.c    rows that are not made of primitives, and the joint coordinates
//   rigid_force.c   gravity, drives, springs
//   rigid_friction.c  friction in proportion to reactions
//   rigid_accel.c   accelerations, multipliers
//   rigid_reactions.c  residuals, redundant rows, reactions
//   rigid_articulated.c, rigid_legs.c  accelerations of trees, of a body on legs, without
//                   multipliers
//   rigid_project.c nearest consistent positions and velocities, assembly, statics
//   rigid_state.c   natural coordinates and tangent vectors
//   rigid_kkt.c     the same system for implicit methods, rows with a stiffness included
#ifndef MW_FEM_RIGID_LAYER_H
#define MW_FEM_RIGID_LAYER_H

#include "base/pool.h"
#include "fem/control.h"
#include "fem/rigid.h"
#include "rigid/rigid_component_layer.h"
#include "rigid/rigid_row_layer.h"

enum { MW_WEIGHT = 6 };  // in a body's eight of diag: the mass that gravity pulls

// ---- nodes of rows ------------------------------------------------------------------------------

typedef struct mw_rlanes mw_rlanes;  // rigid_primitive.c

typedef struct mw_rnode {
  int joint;    // of the mechanism, −1: a force
  int n, row0;  // rows, first among the constraint rows (or the soft rows)
  int elem0, n_elem;
  int touch0, n_touch;      // bodies it touches (elimination nodes)
  bool primitive;           // rows of primitives and turns alone: each writes its whole column
  bool plain;               // of POINT, AXES and ALONG alone
  const mw_rlanes *lanes;   // those three, NULL: none
  int pair;                 // an element of them: its bodies are those of all
  const mw_stroke *stroke;  // of a spring: what its rows are times, NULL: nothing
  int stroke_coord;
} mw_rnode;

typedef struct mw_rheld {
  int coord;      // held coordinate
  int drive;      // that prescribes it, −1: locked
  int node, row;  // where its row is
  int rotor;      // the drive's rotor, −1
} mw_rheld;

// ---- forces -------------------------------------------------------------------------------------

typedef struct mw_rforce {
  const mw_force_in *in;  // NULL: a drive's
  int drive;
  mw_force_kind kind;
  int a, b;  // slots
  double Xa[3], Xb[3], dir[3];
  bool body_axes;
  int coord, rotor;
} mw_rforce;

typedef struct mw_rfriction {
  const mw_friction_in *in;
  int coord, joint;
  int node, soft;  // the joint's first hard and soft nodes, n_node: none
  int slope;       // node of the soft row that implicit steps put the slope of friction into
} mw_rfriction;

typedef struct mw_rlink mw_rlink;  // rigid_articulated.c
typedef struct mw_rarm mw_rarm;
typedef struct mw_rleg mw_rleg;  // rigid_legs.c
typedef struct mw_rleg_work mw_rleg_work;

typedef struct mw_rlaw {  // dry friction and end stops of a coordinate
  mw_law in;
  int coord,
      node;  // node: its soft row, whose stiffness and damping implicit steps take from the law
} mw_rlaw;

struct mw_rigid {
  const mw_mech *m;
  mw_rigid_opt opt;
  mw_rigid_size n;
  mw_rigid_body *body;  // [n_body]
  int *slot;  // [mechanism's bodies]  place among the kinematics: moving ones, then fixed ones
  int n_slot;
  mw_rkin *fixed;  // [n_slot − n_body]
  double (
      *Rf)[9];  // [n_slot]  principal axes in the mechanism's frame of each body (1 for fixed ones)
  double (*cf)[3];  // [n_slot]  their origin there
  double size;      // m
  int n_coord;      // all coordinates, internal ones behind the mechanism's
  mw_rcoord *coord;
  unsigned char *need;         // [n_coord]  used by a row or a force
  unsigned char *turns;        // [n_coord]  an angle: its turns are counted
  double *start;               // [n_coord]  reference values
  int n_elem, n_node, n_hard;  // nodes of constraints come first
  mw_relem *elem;
  mw_rnode *node;  // [n_node]
  int *touch;      // [n_touch]  elimination nodes: bodies, then rotors
  int n_touch;
  int n_held;
  mw_rheld *held;  // [n_held]
  int n_force;
  mw_rforce *force;
  int n_friction;
  mw_rfriction *friction;
  int n_law;
  mw_rlaw *law;
  double *k, *d;  // [n_soft]  stiffness, damping of the soft rows
  int n_component;
  mw_rcomponent *component;
  double *rotor_inertia;           // [n_rotor]  kg or kg·m², at the coordinate
  int *rotor_drive, *rotor_coord;  // [n_rotor]
  // Constraint nodes in the order the elimination comes to them, first those that several groups
  // need; the others by groups
  int *turn;
  int *ripe;           // [n_hard]  pivot of `hard` that first needs each of them, in that order
  int *body_turn;      // [n_body]  bodies in the order in which these nodes touch them, as above
  int *body_ripe;      // [n_body]  place in turn of the node that first does
  int *turn0, *body0;  // [groups of hard + 1]  where those of a group begin in turn, body_turn
  bool lean;  // gravity alone acts, no row needs a coordinate: bodies can wait for their turn
  mw_elim hard, all;       // elimination of constraints alone, of soft rows too
  double *diag, *inverse;  // [nodes × 8]  B's diagonal, its inverse root
  mw_rlink *link;  // [n_body]  of a tree that goes by articulated bodies, from the ground; NULL
  int n_leg, platform;  // legs that go in closed form (0: none), the body that stands on them
  mw_rleg *leg;         // [n_leg]
  mw_arena mem;
};

// The body, the drive of a rotor, or the joint that a node of the elimination is of, for errors.
const char *mw_rigid_node_name(const mw_rigid *r, int elim_node);

typedef struct mw_rigid_ranks mw_rigid_ranks;  // rigid_ranks_priv.h

enum { MW_FACTORS_NONE, MW_FACTORS_HERE, MW_FACTORS_SHARED };  // shared: each rank its groups'

struct mw_rigid_work {
  mw_rkin *kin;        // [n_slot]           set by mw_rigid_kin
  mw_rcoord_eval *ce;  // [n_coord]          those needed; set by mw_rigid_eval
  double **Jt;         // [n_touch][6 × 8]  of plain bodies in the blocks of `hard` themselves
  // [n_node × 8]       gaps, explicit time derivatives of gaps, right-hand sides of accelerations
  double *g, *gt, *gamma;
  double *x;               // [elimination nodes × 8]  right-hand sides and solutions
  double *f;               // [n_u]              applied forces
  double *sol;             // [(elimination nodes) × 8]  accelerations and multipliers
  double *stroke_js;       // [n_node × 8]  of springs over a coordinate: what it stretches rows by
  double *lambda;          // [n_node × 8]  multipliers as last known: the rows' part of sol
  double *diag, *inverse;  // [elimination nodes × 8]  of implicit methods
  mw_elim_num hard, all;
  double *accepted;  // [n_coord]
  double *turned;    // [n_soft]        rad, of springs as last accepted
  bool turned_known;
  double *hold, *hold_rate;  // [n_coord]       of locked coordinates
  mw_control control;
  double *drive_force;  // [n_drive]       as last applied
  double *normal;       // [n_friction]    N, normal forces
  double power;         // W, of what acts from outside, as of the last forces
  // [n_body × 9]  of fixed points and directions in the rows (borrowed), NULL: none
  const double *stretch;
  unsigned char *dropped;         // [n_hard × 8]    rows left out, to count changes
  int changes, factored;          // factored: hard holds factors of Jt, see below
  mw_rarm *arm;                   // [n_body]  of articulated bodies
  mw_rleg_work *leg;              // [n_leg]
  bool owed;                      // the last acceleration has left no multipliers
  mw_rcomponent_work *component;  // [n_component]
  mw_rside side;                  // what mw_rigid_solve asks of them
  int n_component;
  unsigned char *memory;  // [n_memory]  of all components
  size_t n_memory;
  mw_pool *pool;          // that groups are shared out to (borrowed), NULL: none
  mw_rigid_ranks *ranks;  // the same, of ranks; in mem
  mw_arena mem;
};

// ---- rigid_rows.c -------------------------------------------------------------------------------

// Kinematics of all bodies; v NULL: at rest. From twists u instead of v: mw_rigid_kin_twist.
void mw_rigid_kin(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v);
void mw_rigid_kin_twist(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *u);
// One body: its kinematics; with its gravity and gyroscopic force to f [6].
void mw_rigid_kin_body(mw_rigid_work *w, int b, const double *q, const double *v);
void mw_rigid_start_body(const mw_rigid *r, mw_rigid_work *w, int b, const double *q,
                         const double *v, double *f);
// Rows of nodes first … last − 1 with the kinematics as they are: Jt, g, gt, gamma. q, v (or u's
// rates): rotors.
void mw_rigid_eval(const mw_rigid *r, mw_rigid_work *w, double t, const double *rotor, int first,
                   int last);
void mw_rigid_eval_coords(const mw_rigid *r, mw_rigid_work *w);
// One node; its gaps and right-hand sides to g, gamma [8].
void mw_rigid_eval_node(const mw_rigid *r, mw_rigid_work *w, double t, const double *rotor,
                        int node, double *g, double *gamma);
// First entry of an elimination node in tangent vectors.
static inline int mw_rigid_first_of(const mw_rigid *r, int elim_node)
{
  int nb = r->n.n_body;
  return elim_node < nb ? 6 * elim_node : 6 * nb + (elim_node - nb);
}
// Its entries there: frames of components have no unknowns of their own in the elimination.
static inline int mw_rigid_touched(const mw_rigid *r, int elim_node)
{
  return elim_node < r->n.n_body ? 6 : 1;
}

// An element whose points and directions are stretched with their bodies, S [n_body × 9]; axes [18]
// holds those of a turn.
mw_relem mw_relem_stretched(const mw_rigid *r, const double *S, const mw_relem *e, double *axes);

// ---- rigid_primitive.c --------------------------------------------------------------------------

MW_MUST_USE mw_code mw_rigid_primitives_build(mw_rigid *r, mw_error *err);
// Rows POINT, AXES and ALONG of a node that has some; of all eight rows Ja, Jb (NULL: fixed), g and
// gamma are written.
void mw_rigid_primitives_eval(const mw_rigid *r, const mw_rigid_work *w, const mw_rnode *n,
                              const mw_rout *o);

// ---- rigid_nodes.c ------------------------------------------------------------------------------

MW_MUST_USE mw_code mw_rigid_nodes(mw_rigid *r, mw_error *err);
// A point of the mechanism's body in principal axes, a direction, and a slot's reference.
void mw_rigid_local(const mw_rigid *r, int slot, const double X[3], double Y[3]);
void mw_rigid_local_dir(const mw_rigid *r, int slot, const double d[3], double f[3]);
// mw_rigid_move and mw_rigid_rates of one frame p [12] by u [6]
void mw_frame_move(const double *p, const double *u, double *dst);
void mw_frame_rates(const double *p, const double *u, double *v);

// ---- rigid_tree.c -------------------------------------------------------------------------------

// The elimination of g by the groups that the options ask for.
MW_MUST_USE mw_code mw_rigid_eliminate(mw_rigid *r, mw_elim_graph *g, mw_elim *out, mw_error *err);
// Who comes when in mw_rigid_accel: turn, ripe, body_turn, body_ripe, turn0, body0.
MW_MUST_USE mw_code mw_rigid_take_turns(mw_rigid *r, mw_error *err);
// w->x := solution for the right-hand side w->x with the factors of hard
void mw_rigid_solve(const mw_rigid *r, mw_rigid_work *w, double *x);

// ---- rigid_ranks.c ------------------------------------------------------------------------------

// Constraint nodes and bodies that this rank evaluates before the groups; their numbers.
const int *mw_rigid_ranks_nodes(const mw_rigid_work *w, int *n);
const int *mw_rigid_ranks_bodies(const mw_rigid_work *w, int *n);
// mw_pool_up and mw_pool_down of the groups of this rank, with what passes between it and others:
// bits of what goes up, the solutions x (NULL: none) that come down.
enum { MW_RANKS_BLOCKS = 1, MW_RANKS_X = 2, MW_RANKS_X2 = 4 };
MW_MUST_USE mw_code mw_rigid_ranks_up(const mw_rigid *r, mw_rigid_work *w, unsigned what,
                                      mw_pool_fn fn, void *ctx);
MW_MUST_USE mw_code mw_rigid_ranks_down(const mw_rigid *r, mw_rigid_work *w, double *const x[2],
                                        mw_pool_fn fn, void *ctx);
// Accelerations a [n_q] that other ranks need go there, theirs come; all ranks get the same code:
// MW_OK where rc is that on each.
MW_MUST_USE mw_code mw_rigid_ranks_share(mw_rigid_work *w, mw_code rc, double *a);
// How the next acceleration is made: by this rank alone, or by all together, of which each holds
// its part of the state (mw_rigid_work_spread), or all of it (mw_rigid_work_join).
typedef enum mw_ranks_how { MW_RANKS_NONE, MW_RANKS_SPREAD, MW_RANKS_JOINED } mw_ranks_how;
mw_ranks_how mw_rigid_ranks_how(const mw_rigid_work *w);
// After a way up, rc of mw_elim_end: the same code on all ranks, and the same node that failed.
MW_MUST_USE mw_code mw_rigid_ranks_agree(const mw_rigid *r, mw_rigid_work *w, mw_code rc);
// Solutions x (NULL: none), of bodies and rows, and which rows are left out, from all ranks to all.
void mw_rigid_ranks_gather(const mw_rigid *r, mw_rigid_work *w, double *const x[2]);
// mw_rigid_largest_gap of the rows that the ranks have evaluated.
double mw_rigid_ranks_gap(const mw_rigid *r, const mw_rigid_work *w);

// ---- rigid_force.c ------------------------------------------------------------------------------

MW_MUST_USE mw_code mw_rigid_forces_build(mw_rigid *r, mw_error *err);
// f [6] := gravity and (gyro) −ω × Iω of body b
void mw_rigid_weight(const mw_rigid *r, const mw_rkin *k, int b, bool gyro, double *f);
// f [n_u] := applied forces without soft rows; kinematics and coordinates as evaluated. Sets
// drive_force and power.
void mw_rigid_apply(const mw_rigid *r, mw_rigid_work *w, double t, const double *v_rotor, bool gyro,
                    double *f);
// f := what the drives' forces changed by since they were last applied, at the kinematics as
// evaluated; false: nothing did
bool mw_rigid_drives_jump(const mw_rigid *r, mw_rigid_work *w, double t, double *f);
// f −= Jsᵀ (k gs + c ġs) of all soft rows as evaluated
void mw_rigid_apply_soft(const mw_rigid *r, mw_rigid_work *w, const double *u, double *f);
// f += (∂s/∂v̂)ᵀ F of coordinate c; its power, W.
double mw_rigid_on_coord(const mw_rigid *r, const mw_rigid_work *w, int c, double F, double *f);
// ---- rigid_friction.c ----
// f += friction at normal forces w->normal
void mw_rigid_apply_friction(const mw_rigid *r, const mw_rigid_work *w, double *f);
// Normal forces from w->lambda; the largest change, N.
double mw_rigid_normals(const mw_rigid *r, mw_rigid_work *w);
double mw_rigid_friction_power(const mw_rigid *r, const mw_rigid_work *w);
// y[node rows] = J u over the node's bodies
void mw_rigid_node_rate(const mw_rigid *r, const mw_rigid_work *w, int node, const double *u,
                        double y[MW_ELIM_LD]);
// f −= Jᵀ y
void mw_rigid_node_pull(const mw_rigid *r, const mw_rigid_work *w, int node, const double *y,
                        double *f);

// ---- rigid_articulated.c ------------------------------------------------------------------------

// r->link, where the mechanism is a tree that articulated bodies can do; w->arm of it.
MW_MUST_USE mw_code mw_rigid_articulated_build(mw_rigid *r, mw_error *err);
MW_MUST_USE mw_code mw_rigid_articulated_work(const mw_rigid *r, mw_rigid_work *w, mw_error *err);
// a [n_q] at q, v; kinematics and forces in w->sol before, but where r->lean. Returns 0, or what is
// not a number. Leaves multipliers owed.
double mw_rigid_articulated(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v,
                            double *a);
// The multipliers that are owed, by elimination with kinematics as of that acceleration.
MW_MUST_USE mw_code mw_rigid_articulated_reactions(const mw_rigid *r, mw_rigid_work *w,
                                                   mw_error *err);

// No row of it is redundant, before there are factors that say so.
void mw_rigid_none_redundant(const mw_rigid *r, mw_rigid_work *w);
// Rotors' part of a; multipliers are owed.
void mw_rigid_owe(const mw_rigid *r, mw_rigid_work *w, double *a);

// ---- rigid_legs.c -------------------------------------------------------------------------------

// r->leg, where the mechanism is a body on legs; w->leg of it.
MW_MUST_USE mw_code mw_rigid_legs_build(mw_rigid *r, mw_error *err);
MW_MUST_USE mw_code mw_rigid_legs_work(const mw_rigid *r, mw_rigid_work *w, mw_error *err);
// As mw_rigid_articulated; *sum: 0, or what is not a number. false: a leg is close to a position
// where it cannot move its ball freely, nothing is done.
MW_MUST_USE bool mw_rigid_legs(const mw_rigid *r, mw_rigid_work *w, const double *q,
                               const double *v, double *a, double *sum);

// ---- rigid_accel.c ------------------------------------------------------------------------------

// Puts the rows of a node into the blocks of an elimination.
void mw_rigid_fill(const mw_rigid *r, const mw_rigid_work *w, const mw_elim *e, mw_elim_num *n,
                   int node);
MW_MUST_USE mw_code mw_rigid_factor(const mw_rigid *r, mw_rigid_work *w, double regular,
                                    mw_error *err);
// Right-hand side x of the elimination: bodies' forces f [n_u], rows' c (NULL: not yet).
void mw_rigid_load(const mw_rigid *r, double *x, const double *f, const double *c);
// Kinematics, applied forces (in w->f, without friction), soft rows at t, q, v; forces of all
// bodies to w->sol.
void mw_rigid_forces(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                     const double *v);
// Largest |g| of the rows as evaluated, of components too, and the node it is in (NULL: not asked;
// −1: inside a component).
double mw_rigid_largest_gap(const mw_rigid *r, const mw_rigid_work *w, int *node);
// Nearest positions with rows that vanish (rigid_project.c, 4), whatever axes are opposed then.
MW_MUST_USE mw_code mw_rigid_close(const mw_rigid *r, mw_rigid_work *w, double t, double *q,
                                   double tol, mw_error *err);
// One Newton step onto the constraints: gaps in w->g, its solution in w->x, left in w->f as well;
// the largest gap before and the largest entry of the correction.
void mw_rigid_close_once(const mw_rigid *r, mw_rigid_work *w, double *q, double *gap,
                         double *moved);

#endif
