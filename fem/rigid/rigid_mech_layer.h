// SPDX-License-Identifier: BSD-3-Clause
// rigid_mech_layer.h: what the files of the rigid mechanism share.
//
//   rigid_build.c   bodies at their centres of mass, coordinates, rows and forces from the
//                   mechanism
//   rigid_nodes.c   rows gathered to nodes of the elimination
//   rigid_tree.c    groups of bodies and rows, and who evaluates what when
//   rigid_ranks.c   groups shared out to ranks
//   rigid_rows.c    rows of whole nodes: g, J, γ
//   rigid_primitive.c  those of POINT, AXES, ALONG
//   ../joint/*.c    rows that are not made of primitives, and the joint coordinates
//   rigid_force.c   gravity, drives, springs, friction
//   rigid_accel.c   accelerations, multipliers, reactions
//   rigid_project.c nearest consistent positions and velocities, assembly, statics
//   rigid_state.c   natural coordinates and tangent vectors
//   rigid_kkt.c     the same system for implicit methods, rows with a stiffness included
//
// A row's Jacobian on one body is a wrench (F, T) in the body's principal axes at its centre of
// mass:
//   J v̂ = F·(Eᵀȯ) + T·ω
// The rows of a node on one body are kept as columns: Jt [6 × 8].
#ifndef MW_FEM_RIGID_LAYER_H
#define MW_FEM_RIGID_LAYER_H

#include "base/pool.h"
#include "base/vec3.h"
#include "fem/component.h"
#include "fem/control.h"
#include "fem/rigid.h"

enum {
  LD = MW_ELIM_LD,
  JT = 6 * MW_ELIM_LD,
  MW_WEIGHT = 6  // in a body's eight of diag: the mass that gravity pulls
};

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

typedef struct mw_rlaw {  // dry friction and end stops of a coordinate
  mw_law in;
  int coord,
      node;  // node: its soft row, whose stiffness and damping implicit steps take from the law
} mw_rlaw;

// ---- components ---------------------------------------------------------------------------------

typedef struct mw_rcomponent {  // an assembly whose inside is not known (fem/component.h)
  const mw_component_use *in;
  mw_component *c;
  int first, n;       // its frames among the bodies
  int *node, n_node;  // [n_node]  constraint nodes that touch one of them
} mw_rcomponent;

typedef struct mw_rcomponent_work {
  const mw_component_calls *call;
  void *one;              // its instance
  double *D;              // [6 n_border × 6 n_border]  a_border = D Q + R
  double *f, *x;          // [n × 6]  wrenches from outside on its frames; what they make of it
  unsigned char *memory;  // [n_memory]  what it remembers, in that of all
  size_t n_memory;
  double gap;  // m or 1, largest inside, as last evaluated
} mw_rcomponent_work;

typedef struct mw_rside {  // right-hand side of components: MW_COMPONENT_…
  int what;
  const double *u;  // [n_u]  of rates and landings
  double h;         // s, of landings
} mw_rside;

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
  mw_arena mem;
};

// The body, the drive of a rotor, or the joint that a node of the elimination is of, for errors.
const char *mw_rigid_node_name(const mw_rigid *r, int elim_node);

typedef struct mw_rigid_ranks mw_rigid_ranks;  // rigid_ranks.c

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
  int changes, factored;          // factored: 1: hard holds factors of Jt
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
// One body: its kinematics, and its gravity and gyroscopic force to f [6].
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

// One row fa·(x_b − x_a), fa fixed to a: wrenches Ja, Jb [6], its value, rate and γ-part (s̈ = J
// v̂' + bias).
void mw_rigid_along(const mw_rkin *a, const mw_rkin *b, const double Xa[3], const double Xb[3],
                    const double fa[3], mw_rcoord_eval *out);
// The same for A(a)·B(b).
void mw_rigid_axes(const mw_rkin *a, const mw_rkin *b, const double fa[3], const double fb[3],
                   mw_rcoord_eval *out);

// An element whose points and directions are stretched with their bodies, S [n_body × 9]; axes [18]
// holds those of a turn.
mw_relem mw_relem_stretched(const mw_rigid *r, const double *S, const mw_relem *e, double *axes);

typedef struct mw_rout {  // where an element's rows go
  double *Ja, *Jb;        // Jt of the two bodies (a fixed one's is scratch)
  double *g, *gamma;      // at the element's first row
  int row;
} mw_rout;

// ---- rigid_primitive.c --------------------------------------------------------------------------

MW_MUST_USE mw_code mw_rigid_primitives_build(mw_rigid *r, mw_error *err);
// Rows POINT, AXES and ALONG of a node that has some; of all eight rows Ja, Jb (NULL: fixed), g and
// gamma are written.
void mw_rigid_primitives_eval(const mw_rigid *r, const mw_rigid_work *w, const mw_rnode *n,
                              const mw_rout *o);

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

// ---- rigid_nodes.c ------------------------------------------------------------------------------

MW_MUST_USE mw_code mw_rigid_nodes(mw_rigid *r, mw_error *err);
// A point of the mechanism's body in principal axes, a direction, and a slot's reference.
void mw_rigid_local(const mw_rigid *r, int slot, const double X[3], double Y[3]);
void mw_rigid_local_dir(const mw_rigid *r, int slot, const double d[3], double f[3]);

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
// mw_pool_up and mw_pool_down of the groups of this rank, with what passes between it and others.
MW_MUST_USE mw_code mw_rigid_ranks_up(const mw_rigid *r, mw_rigid_work *w, mw_pool_fn fn,
                                      void *ctx);
MW_MUST_USE mw_code mw_rigid_ranks_down(const mw_rigid *r, mw_rigid_work *w, mw_pool_fn fn,
                                        void *ctx);
// Accelerations a [n_q] that other ranks need go there, theirs come; all ranks get the same code:
// MW_OK where rc is that on each.
MW_MUST_USE mw_code mw_rigid_ranks_share(mw_rigid_work *w, mw_code rc, double *a);

// ---- rigid_component.c --------------------------------------------------------------------------

// Opens the components of the mechanism; after its bodies. What else they need, after its rows.
MW_MUST_USE mw_code mw_rigid_components_open(mw_rigid *r, mw_error *err);
MW_MUST_USE mw_code mw_rigid_components_nodes(mw_rigid *r, mw_error *err);
void mw_rigid_components_close(mw_rigid *r);
MW_MUST_USE mw_code mw_rigid_components_work(const mw_rigid *r, mw_rigid_work *w, mw_error *err);
void mw_rigid_components_work_close(mw_rigid_work *w);
// The body whose elimination node stands for body b: the first frame of its component, or b.
int mw_rigid_stands_for(const mw_rigid *r, int b);
// Their rows at t, q with v NULL, else what accelerations at t, q, v need.
void mw_rigid_components_eval(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                              const double *v);
// Their factors; F = J D Jᵀ into the blocks of `hard`.
MW_MUST_USE mw_code mw_rigid_components_factor(const mw_rigid *r, mw_rigid_work *w, mw_error *err);
// Before and after the others are solved, as w->side says: x of the rows −= J R; x of the frames.
void mw_rigid_components_before(const mw_rigid *r, mw_rigid_work *w, double *x);
void mw_rigid_components_after(const mw_rigid *r, mw_rigid_work *w, double *x);
// Normal forces inside: the largest change, and the largest of them (where above *largest).
double mw_rigid_components_normals(const mw_rigid *r, mw_rigid_work *w, double *largest);
double mw_rigid_components_power(const mw_rigid *r, const mw_rigid_work *w);
void mw_rigid_components_energy(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                const double *v, mw_rigid_energy *out);
void mw_rigid_components_residual(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                  const double *v, const double *a, mw_rigid_residual *out);
void mw_rigid_components_accept(const mw_rigid *r, mw_rigid_work *w, const double *q);
MW_MUST_USE mw_code mw_rigid_components_turns(const mw_rigid *r, mw_rigid_work *w, double t,
                                              const double *q, mw_error *err);

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

// ---- rigid_accel.c ------------------------------------------------------------------------------

// Puts the rows of a node into the blocks of an elimination.
void mw_rigid_fill(const mw_rigid *r, const mw_rigid_work *w, const mw_elim *e, mw_elim_num *n,
                   int node);
MW_MUST_USE mw_code mw_rigid_factor(const mw_rigid *r, mw_rigid_work *w, double regular,
                                    mw_error *err);
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
