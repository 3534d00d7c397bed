// SPDX-License-Identifier: BSD-3-Clause
// model.h: the user's model file as plain data, names resolved to indices, SI units, never changed.
#ifndef MW_FEM_MODEL_H
#define MW_FEM_MODEL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/expr.h"
#include "fem/joint_kinds.h"
#include "fem/output_kinds.h"

MW_API_BEGIN

typedef struct mw_parameter {  // a value with a name, which the model file's numbers are made of
  const char *name;
  mw_at at;
  int n;                // entries of a list, 0: a number
  const double *value;  // [n], or one
} mw_parameter;

typedef struct mw_material {
  const char *name;
  mw_at at;
  double E, nu, rho;  // Pa, 1, kg/m³
} mw_material;

// Beam section, local axes x along the beam, y and z principal; width along y, height along z.
typedef struct mw_section {
  const char *name;
  mw_at at;
  double A;       // m²
  double Iy, Iz;  // m⁴, ∫z² dA and ∫y² dA
  double It;      // m⁴, torsion constant
  double ky, kz;  // shear correction factors; 0: no shear flexibility (Euler-Bernoulli)
  bool rotary;    // rotary inertia of the section counts (default true)
} mw_section;

typedef struct mw_point {  // a named node of a beam body
  const char *name;
  mw_at at;
  double x[3];  // m, body frame
} mw_point;

typedef struct mw_member {  // a straight line of equal beam elements
  mw_at at;
  int from, to;           // into points
  int section, material;  // into sections, materials
  int n_elem;
  double up[3];  // approximate local z axis, body frame; projected normal to the beam
} mw_member;

typedef enum mw_attach_kind {
  MW_ATTACH_POINT,   // rigid body (or the frame of a ground body): a point of it
  MW_ATTACH_NODE,    // a beam point, or the node nearest to x (within 1e-6 of the body's size)
  MW_ATTACH_RIGID,   // RBE2: the node set moves rigidly with the frame (eliminated)
  MW_ATTACH_AVERAGE  // RBE3: the frame follows the set in the least-squares sense
} mw_attach_kind;

typedef struct mw_attach {  // a frame that joints, outputs and springs refer to as body.name
  const char *name;
  mw_at at;
  mw_attach_kind kind;
  const char *set;    // beam point or mesh set name, NULL for POINT
  double x[3];        // m, body frame, origin of the frame (NODE: filled by mw_body_build)
  bool has_x;         // the user gave x
  double mass;        // kg, point mass carried there (NODE, RIGID), 0 if none
  double inertia[6];  // kg·m² about x: xx yy zz xy xz yz, body axes
} mw_attach;

typedef struct mw_guide_in {
  const char *name;
  mw_at at;
  const char *set;    // mesh set name of the nodes, or NULL
  int from, to;       // beam points: all beam nodes on the straight line between them; else -1
  double ends[2][3];  // two points (set == NULL, from < 0): guide of a rigid body, or on a face of
                      // a solid with a pad; m, body frame
  double pad[2];  // m, length and width of a runner's contact on a solid's face; 0: the nodes' line
  double normal[3];  // approximate first normal n1, projected normal to the guide
  double start[3];   // has_start: s = 0 is the end nearest to this point, else the first node
  bool has_start;
} mw_guide_in;

typedef struct mw_support {  // ground body: nodes of the set are fixed
  mw_at at;
  const char *set;  // beam point or mesh set
  bool dof[6];      // x y z rx ry rz
} mw_support;

typedef enum mw_pick_kind {  // which nodes a set of the model takes
  MW_PICK_BOX,               // between corners p and q
  MW_PICK_PLANE,             // on the plane through p with normal q
  MW_PICK_LINE,              // on the segment from p to q
  MW_PICK_CYLINDER,          // at distance r from the axis p to q
  MW_PICK_NEAREST,           // the node nearest to p
  MW_PICK_TAGS               // by the numbers of the file
} mw_pick_kind;

typedef struct mw_node_set_in {  // a set of nodes by their place
  const char *name;
  mw_at at;
  mw_pick_kind kind;
  double p[3], q[3], r;  // m, body frame
  double within;         // m, tolerance; 0: 1e-6 of the body's size
  int n_tag, *tag;
} mw_node_set_in;

typedef struct mw_part_in {  // what a physical group or ELSET of elements is made of
  const char *name;
  mw_at at;
  int material;      // into materials, -1: the body's, or the file's own
  double thickness;  // m, shells; 0: the file's own
} mw_part_in;

typedef struct mw_tie_in {  // slave nodes follow the elements under the master set
  mw_at at;
  const char *slave, *master;  // sets
  double distance;             // m, farther nodes are an error; 0: 1e-3 of the body's size
} mw_tie_in;

typedef struct mw_bushing_in {  // a spring between two frames of one body
  const char *name;
  mw_at at;
  int a, b;             // into attach
  double stiffness[6];  // N/m, N·m/rad: x y z rx ry rz, body axes
} mw_bushing_in;

typedef struct mw_cad_group_in {  // a face or an edge of a CAD model that gets a name
  const char *name;
  mw_at at;
  int dim;      // 2: face, 1: edge
  double x[3];  // m, on it or near it
} mw_cad_group_in;

typedef struct mw_cad_refine_in {  // finer elements near a place
  mw_at at;
  const char *group;  // a face or edge of groups, or NULL: the point x
  double x[3];        // m
  double size;        // m, elements there
  double distance;    // m, up to where; the body's size takes over at twice the distance
} mw_cad_refine_in;

typedef struct mw_cad_in {  // STEP, BREP, IGES or gmsh script, meshed by gmsh
  const char *file;         // resolved against the model's folder
  mw_at at;
  double size;  // m, of the elements
  int order;    // 1 or 2
  // metres a unit of length of files that declare none; 0: the file declares it (STEP)
  double scale;
  int n_group, n_refine;
  mw_cad_group_in *group;
  mw_cad_refine_in *refine;
} mw_cad_in;

typedef struct mw_matrices_in {  // matrices of another finite-element program
  const char *stiffness, *mass;  // .sti, .mas, .mtx, or punched DMIG (.pch, .bdf, .dat)
  const char *dofs;              // .dof, NULL without
  const char *nodes;             // .inp, .bdf with GRID, or a table "number x y z"
  mw_at at, stiffness_at, mass_at, dofs_at, nodes_at;
} mw_matrices_in;

typedef struct mw_expected_in {  // what the CAD program says
  bool present;
  mw_at at;
  double mass;  // kg, 0: not given
  bool has_com, has_inertia;
  double com[3];      // m, body frame
  double inertia[6];  // kg·m² about the centre of mass: xx yy zz xy xz yz
  double tolerance;   // relative
} mw_expected_in;

typedef struct mw_body_in {
  const char *name;
  mw_at at;
  bool ground;          // fixed to ground: its frame never moves
  bool gravity;         // feels gravity (default true)
  double origin[3];     // m, frame in the reference configuration
  double axes[9];       // row-major, columns are the body's base vectors in ground axes
  bool rigid;           // mass properties given directly (or a massless ground body)
  double mass, com[3];  // kg; m, body frame
  double inertia[6];    // kg·m² about the centre of mass: xx yy zz xy xz yz (tensor components)
  mw_at mass_at;
  // the CAD file that mass, com and inertia of a rigid body were taken from, NULL if none
  mw_cad_in *solid;
  // path of a .msh or .inp file (resolved against the model's folder), NULL if none
  const char *mesh;
  mw_at mesh_at;
  double mesh_scale;         // metres a unit of length, default 1
  bool has_unit;             // the user declared unit or scale
  int mesh_material;         // into materials, -1: the file's or the parts' own
  mw_cad_in *cad;            // NULL if none
  mw_matrices_in *matrices;  // NULL if none
  mw_expected_in expected;
  int n_part, n_node_set, n_tie, n_bushing;
  mw_part_in *part;
  mw_node_set_in *node_set;
  mw_tie_in *tie;
  mw_bushing_in *bushing;
  int n_point, n_member, n_attach, n_guide, n_support;
  mw_point *point;
  mw_member *member;
  int divide;  // bodies the user wants it cut into; 1 once the model is read (model_divide.c)
  mw_attach *attach;
  mw_guide_in *guide;
  mw_support *support;
  double alpha, beta;  // C = alpha M + beta K of this body, 1/s and s (default: the model's)
} mw_body_in;

typedef struct mw_ref {  // "body.frame"; attach -1: the body's own frame (rigid bodies only)
  mw_at at;
  int body, attach;
} mw_ref;

typedef struct mw_runner {  // one contact of a slider with its guide
  mw_at at;
  double offset;    // m, along the guide from the slider's frame origin
  double shift[3];  // m, contact point from the guide line along (t, n1, n2), default 0
  bool dir[2];      // acts along n1, n2 (default both)
  double length;    // m, contact length; 0: a point
  double stiffness[2], damping[2];  // N/m, N·s/m along n1, n2; INFINITY: rigid
} mw_runner;

typedef enum mw_measure {  // what a joint's coordinate measures
  MW_MEASURE_NONE,
  MW_MEASURE_TRAVEL,  // m, along the joint's axis (curve: along the curve)
  MW_MEASURE_ANGLE,   // rad, about it
  MW_MEASURE_SECOND   // rad, universal: about the axis fixed to b
} mw_measure;

// Friction on a joint's coordinate: τ = −(μ(ṡ) N r tanh(ṡ/v_s)), μ = μ_c + (μ_s − μ_c)
// exp(−(ṡ/v_st)²), N the joint's reaction across the coordinate (travel) or in all (angle). Viscous
// friction is the coordinate's damping.
typedef struct mw_friction_in {
  bool present;
  mw_at at;
  double mu, mu_static;  // 1; mu_static ≥ mu
  double v_stribeck;     // m/s or rad/s, > 0
  double v_smooth;       // m/s or rad/s, > 0
  double radius;         // m, of the bearing (angle); 1 for travel
  double preload;        // N, added to N
} mw_friction_in;

// Dry friction and end stops, or play, on a joint's coordinate s, whatever the joint's reaction:
// law.h. All paths.
typedef struct mw_law {
  double coulomb, stiction, stribeck, smooth;  // N, N, m/s, m/s; N·m, rad/s of an angle
  double lo, hi;                               // m or rad; -INFINITY, INFINITY: no stops
  double stiffness, damping, soft;             // N/m, s/m, m; N·m/rad, s/rad, rad
  bool play;                                   // lo … hi is the play of a transmission
} mw_law;

// Rows of a joint of primitives: A_i(a)·(x_b − x_a), and A_i(a)·A_j(b), i ≠ j; their words.
#define MW_HOLD_ALONG(i)   (1u << (i))
#define MW_HOLD_AXES(i, j) (8u << (3 * (i) + (j)))
#define MW_HOLD_WORDS      "x y z xy xz yx yz zx zy"

// Stiffness and damping of a spring over a joint coordinate: stroke.h.
typedef struct mw_stroke {
  mw_at at;
  int joint;      // whose coordinate
  int n;          // points, 0: they do not vary
  double *s, *c;  // [n]  m or rad, increasing; compliance 1/f, 1
  double *c2;     // [n]  its second derivatives, 1/m² (1/rad²)
} mw_stroke;

typedef struct mw_joint_in {
  const char *name;
  mw_at at;
  mw_joint_kind kind;
  mw_ref a, b;  // frames; slide: a is the guide's body (attach unused), b the slider
  int guide;    // slide: index into body a's guides
  // revolute, prismatic, cylindrical, universal, screw: the axis; planar, rolling: the normal; in
  // body a's axes
  double axis[3];
  bool has_axis_b;  // the joint does not depend on the reference configuration
  // the same axis in body b's axes (universal: its second axis; rolling: the disk's axis)
  double axis_b[3];
  bool has_zero;              // both are given
  double zero[3], zero_b[3];  // directions in a and b that agree where the angle is zero
  double pitch;               // m a turn: screw
  double length;              // m: distance; 0: as in the reference configuration
  unsigned hold;              // primitives: MW_HOLD_… of its rows
  double radius;              // m: rolling
  int n_curve;                // curve: points of a C² spline, in body a's axes from frame a
  double *curve;              // [n_curve × 3]  m
  bool closed;                // curve: the last point joins the first
  int teeth[2];               // wheels: of a and b, of an internal ring below 0
  double pressure_angle;      // rad: wheels, rack; in the normal section
  double helix;               // rad: wheels, rack; of b's teeth
  bool moment_below;          // wheels, rack: teeth put a negative moment on b, about the axis
  int gear[2];                // gear: joints whose coordinates are coupled, s1' = ratio s0'
  double ratio;
  mw_measure measure;  // what the coordinate is; NONE without coordinate
  bool has_limits;
  double limits[2];  // m or rad: a run ends where the coordinate leaves them
  mw_friction_in friction;
  bool has_law;  // drive_friction, stops, play
  mw_law law;
  int n_runner;
  mw_runner *runner;
  bool lock_rotation;  // slide: the slider keeps its orientation in the guide's body
  bool tangent;        // with it: in the section of the guide under it, its slope and twist
  double stiffness[6], damping[6];  // spring: x y z rx ry rz in frame a's axes; 0: free
  mw_stroke stroke;                 // spring: what they vary with
  const char *coordinate;           // joint coordinate name, NULL: none
  double coordinate_damping;        // N·s/m or N·m·s/rad
  double start;  // coordinate in the reference configuration (slides: 0, computed)
} mw_joint_in;

typedef struct mw_drive_in {  // an input: force on a joint coordinate, or at a frame
  const char *name;
  mw_at at;
  int joint;      // index of the joint whose coordinate it drives, -1: force
  mw_ref on;      // force: where
  double dir[3];  // force: unit direction, ground axes
  bool load;  // of reduction.patterns.loads: with a static pattern whatever patterns.drives says
  // joint flexibility: the drive turns a rotor φ, the coordinate feels (k (φ/n − s) + c (φ'/n −
  // s')); rigid path
  bool rotor;
  double inertia, gear, stiffness, damping;  // kg·m² (kg), 1, N·m/rad (N/m), N·m·s/rad (N·s/m)
} mw_drive_in;

typedef enum mw_force_kind {
  MW_FORCE_POINT,      // force at a frame
  MW_FORCE_TORQUE,     // torque on a body
  MW_FORCE_SPRING,     // spring, damper, actuator along the line between two points
  MW_FORCE_COORDINATE  // spring, damper, actuator on a joint coordinate
} mw_force_kind;

typedef struct mw_output_in {  // a field: what reduced models keep of the outputs
  const char *name;
  mw_at at;
  mw_output_kind kind;  // POSITION, STRESS, STRAIN
  bool part;            // point that an orientation is made of: no output by itself
  mw_ref ref;           // STRESS, STRAIN: its body
  // m, POSITION: further offset in body axes (rigid with the frame); else the point, body frame
  double x[3];
  double z;  // m, shells: height over the middle surface
} mw_output_in;

typedef struct mw_observed_in {  // an output that is seen in what a path knows at an instant
  const char *name;
  mw_at at;
  mw_output_kind kind;
  // what it is of: a field (a position; the first of the MW_ORIENTATION_POINTS of an orientation),
  // a joint, a drive, the joint of a coordinate
  int of;
} mw_observed_in;

// An orientation is kept as positions of a frame's point and of points `arm` (m) along x and along
// y from there.
enum { MW_ORIENTATION_POINTS = 3 };

typedef struct mw_coordinate_in {  // a coordinate of theta
  const char *name;
  mw_at at;
  int joint;
  double lo, hi;
  int n_grid;  // grid points, >= 4 (default 17 for one coordinate, 9 otherwise)
  int refine;  // table intervals a grid interval, 1 to 16 (default 8 with one coordinate, else 1)
  // declared largest rate and acceleration, m/s and m/s² (rad/s, rad/s²), > 0; 0: none declared
  double max_rate, max_acceleration;
  bool cyclic;     // an angle whose range is one full turn: everything repeats with it
  bool symmetric;  // the machine is its own mirror image about the middle of the range
} mw_coordinate_in;

typedef enum mw_table_form { MW_TABLE_AUTO = 0, MW_TABLE_FULL, MW_TABLE_COMPRESSED } mw_table_form;

typedef enum mw_inertia_form {
  MW_INERTIA_FULL,  // with the second order of the motion
  // deflections enter linearly: no stiffening by rotation, gravity, preload
  MW_INERTIA_FIRST_ORDER,
  MW_INERTIA_LEADING  // without convective and gyroscopic terms either
} mw_inertia_form;

enum { MW_MODEL_MAX_KEPT = 16 };
// A damper whose coefficient follows a parameter.
typedef struct mw_kept_damper {
  int joint, runner;  // runner of a slide, −1: a spring
  int axis;           // of damping
  double slope;       // N·s/m or N·m·s/rad a unit of the parameter
} mw_kept_damper;

// A parameter that reduced models keep: what it changes is the mass of a frame whose position is an
// output, or dampers of springs and runners.
typedef struct mw_kept_in {
  const char *name;
  mw_at at;
  double lo, hi;      // range; reduced models are made in the middle of it
  double value;       // the model's
  double mass;        // kg a unit of the parameter
  int output;         // into outputs, −1: it is no mass
  double gravity[3];  // m/s², 0 where its body has none
  int n_damper;
  mw_kept_damper *damper;  // [n_damper]
} mw_kept_in;

typedef struct mw_reduction_in {
  bool present;
  mw_at at;
  int n_coordinate;
  mw_coordinate_in *coordinate;
  int n_modes;       // 0: by modes_below or modes_band (default 6)
  bool count_given;  // n_modes stands in the file, at modes_at
  mw_at modes_at;
  double modes_below;  // Hz, 0: not by it
  double modes_band;   // Hz, as many as the receptance from 0 to here needs; 0: not by it
  bool grid_auto;      // points are added until the certificate meets the tolerance
  // how the coefficients are stored: AUTO: compressed from three coordinates on
  mw_table_form table;
  double body_tolerance;  // of the bodies' bases, in receptance of their interfaces, default 1e-6
  double body_band;    // Hz, up to which that holds; 0: a quarter above the highest mode computed
  bool craig_bampton;  // set: craig-bampton, default rubin
  mw_inertia_form inertia;  // default full
  bool pattern_outputs, pattern_drives, pattern_acceleration, pattern_gravity,
      pattern_dampers;  // default true
  double *max_input;    // [n_drive]  declared largest forces, N (N·m), > 0; 0: none declared
  // declared largest elastic deflection of outputs, m, > 0; 0: a third of the machine's size
  // (default); INFINITY: none
  double max_deflection;
  double tolerance;   // relative frequency error asked of the certificate, default 1e-3
  int n_certificate;  // Halton points on the meshes, default 8
  int n_sample;       // random points on the bodies' bases, default 200
  // largest relative error of receptances in the band asked of the certificate, 0: none asked for
  double receptance;
  double band;       // Hz, upper end of the certificate's band, 0: the highest mode asked for
  int n_kept;        // parameters that reduced models keep
  mw_kept_in *kept;  // [n_kept]
  int n_judge;       // scenarios that are run by the full and the reduced path
  int *judge;        // [n_judge]  into scenarios
} mw_reduction_in;

typedef enum mw_signal_kind {
  MW_SIGNAL_CONSTANT,  // a
  MW_SIGNAL_STEP,      // a for t >= t0
  MW_SIGNAL_SINE,      // a sin(2 pi f (t - t0) + phase) for t0 <= t < t1
  MW_SIGNAL_CHIRP,  // a sin(2 pi (f + (f1 - f) x/(2 (t1 - t0))) x + phase), x = t - t0 in the same
  MW_SIGNAL_TABLE,  // piecewise linear, held constant outside
  MW_SIGNAL_RAMP,   // a + v t
  MW_SIGNAL_CYCLOID,  // a + b (x - sin(2 pi x)/(2 pi)), x = (t - t0)/(t1 - t0) in [0, 1]
  // a + v (x²/2 + (T/2π)²(cos(2π x/T) − 1))/T, x = t − t0, T = t1 − t0; rate v and constant from t1
  // on
  MW_SIGNAL_SPIN_UP,
  MW_SIGNAL_MOVE,  // from a to b, from t0 on, limits v, acc, jerk: seven phases
  // cubic between points, C²; constant outside, that is before t0 and after t1
  MW_SIGNAL_SPLINE,
  MW_SIGNAL_EXPRESSION,  // expr of time
  MW_SIGNAL_SUM,         // of part
  MW_SIGNAL_PRODUCT      // of part
} mw_signal_kind;

typedef struct mw_signal {
  mw_at at;
  mw_signal_kind kind;
  double a, b, t0, t1, f, f1, phase, v, acc, jerk;
  int n;                         // table, spline: points; sum, product: parts
  const double *t, *y, *bend;    // [n]  bend: second derivatives, spline
  mw_expr expr;                  // expression
  const struct mw_signal *part;  // [n]  sum, product
} mw_signal;

// A force that belongs to the mechanism, whatever the scenario; rigid path.
typedef struct mw_force_in {
  const char *name;
  mw_at at;
  mw_force_kind kind;
  mw_ref a, b;     // POINT, TORQUE: a; SPRING: both
  bool body_axes;  // POINT, TORQUE: dir is fixed to the body
  double dir[3];   // POINT, TORQUE: value = signal × dir (dir not normalised)
  int joint;       // COORDINATE
  // POINT, TORQUE: else 1. SPRING, COORDINATE: actuator force, pushes apart, or along the
  // coordinate
  bool has_signal;
  mw_signal signal;
  double k, c;  // SPRING, COORDINATE: N/m, N·s/m (N·m/rad, N·m·s/rad)
  bool has_free;
  double free;  // free length or coordinate; else that of the reference configuration
} mw_force_in;

typedef enum mw_action_kind {
  MW_ACTION_FORCE,     // generalised force = signal
  MW_ACTION_POSITION,  // the drive's coordinate follows the signal exactly (prescribed motion)
  MW_ACTION_CONTROL    // a controller follows the signal: control.c
} mw_action_kind;

typedef struct mw_filter_in {  // of a controller's force
  mw_at at;
  bool notch;           // else a low-pass filter
  double f;             // Hz
  int order;            // low-pass: 1, or 2 (Butterworth)
  double width, depth;  // notch: Hz; what it leaves of f, in [0, 1]
} mw_filter_in;

typedef struct mw_action {
  mw_at at;
  int drive;  // into drives
  mw_action_kind kind;
  mw_signal signal;
  double kp, kd, ff;     // N/m, N·s/m, kg (or N·m/rad …); in a cascade kp is 1/s
  double ki;             // N/(m·s) (N·m/(rad·s))
  double gravity;        // N (N·m), constant
  bool weight, inertia;  // feed-forward of the rigid mechanism's, from its model
  bool cascade;          // a velocity loop inside the position loop
  double v_kp, v_ki;     // N·s/m, N/m (N·m·s/rad, N·m/rad)
  bool encoder;          // the position is that of another joint's coordinate
  int encoder_joint;
  double encoder_ratio;                    // of the drive's coordinate a unit of that one
  double max_force, max_speed, max_power;  // N, m/s, W (N·m, rad/s, W); 0: no limit
  int n_filter;
  mw_filter_in *filter;  // [n_filter]
} mw_action;

typedef enum mw_method {
  MW_METHOD_CVODE,     // adaptive BDF with projection (SUNDIALS)
  MW_METHOD_IDA,       // adaptive BDF on the stabilized DAE (SUNDIALS), a second opinion
  MW_METHOD_RK4,       // Runge-Kutta 4, positions and velocities stabilized after each step
  MW_METHOD_LEAPFROG,  // one right-hand side a step, for real time; second order
  MW_METHOD_ALPHA,     // generalized-α on the rotation group
  MW_METHOD_MIDPOINT   // energy-momentum conserving
} mw_method;

typedef struct mw_rigid_in {  // how the rigid path integrates
  mw_method method;           // default cvode
  double tolerance;           // relative error a step of the adaptive methods, default 1e-8
  double projection;          // m or 1: constraint gaps after a step, default 1e-12
  double rho_inf;             // alpha, default 0.8
  bool ggl;                   // alpha: velocities kept by multipliers of their own
  // threads that share a right-hand side of a large mechanism, 0: in one part, by the caller alone.
  // Same bits for any number from 1 on
  int threads;
} mw_rigid_in;

// What a mode does at t = 0: component `axis` of a position moves by amplitude (m) and rate (m/s).
typedef struct mw_mode_start {
  mw_at at;
  int mode;  // from 1, in the order of frequencies with the coordinates of the reduction held
  int output, axis;
  double amplitude, rate;
} mw_mode_start;

typedef struct mw_load_start {  // force (N, ground axes) on a position that ends at t = 0
  int output;
  double force[3];
} mw_load_start;

typedef struct mw_scenario {
  const char *name;
  char hash[65];  // SHA-256, hexadecimal, over what the model file says of it, as that of the model
  mw_at at;
  double duration, step;  // s; s, integration step (default 1e-3)
  double control_period;  // s, a multiple of the step (default: the step)
  double store;        // s, output interval (default: the step), a whole number of them in duration
  double store_asked;  // s, what the file says
  bool static_start;   // from equilibrium with the coordinates held (default), or undeformed
  int n_mode_start, n_load_start;  // what elastic motion is there besides
  mw_mode_start *mode_start;       // [n_mode_start]
  mw_load_start *load_start;       // [n_load_start]
  int n_start;       // joint coordinates whose start is known (model_run.c), in their order
  int *start_joint;  // [n_start]
  double *start_s, *start_v;  // [n_start]  m or rad; m/s or rad/s
  int n_action;
  mw_action *action;  // drives without an action: force 0
  mw_rigid_in rigid;
} mw_scenario;

typedef struct mw_source {  // a file that assemblies are read from
  const char *path;
  mw_at at;  // where it is first named
} mw_source;

typedef struct mw_model {
  const char *path, *name;  // path as the user gave it
  int n_source;
  const mw_source *source;  // [n_source]
  // SHA-256, hexadecimal, over what the model file says but for name, scenarios, those that the
  // certificate runs, comments and layout, and over the files its bodies are read from; of the
  // parameters that reduced models keep with their middle values
  char hash[65];
  double gravity[3];   // m/s²
  double alpha, beta;  // Rayleigh damping of all elastic bodies, default 0
  // modal damping ratio, where it depends on frequency its largest and least values; 0: none
  double modal, modal_least;
  int n_modal;                // points over frequency, 0: it does not depend on it
  const double *modal_point;  // [n_modal × 3]  Hz, ratio, slope by Hz
  bool strain_linear;         // full path: no strains of second order (fem/strain.h)
  bool assemble;              // positions of the bodies are rough: joints close them
  mw_at assemble_at;
  int n_parameter, n_material, n_section, n_body, n_joint, n_drive, n_output, n_observed;
  int n_scenario, n_force;
  mw_parameter *parameter;
  mw_material *material;
  mw_section *section;
  mw_body_in *body;    // body 0 is always "ground": rigid, ground, massless, at the origin
  mw_joint_in *joint;  // springs are joints of kind SPRING
  mw_drive_in *drive;
  mw_output_in *output;
  mw_observed_in *observed;
  mw_force_in *force;
  mw_scenario *scenario;
  mw_reduction_in reduction;
  mw_arena mem;
} mw_model;

// Reads and validates a model file. Errors carry file:line:col. Released by mw_model_free.
MW_MUST_USE mw_code mw_model_read(const char *path, mw_model *out, mw_error *err);
// What changes a model as it is read. The reduced models of a changed machine are its own: the hash
// is that of the changed model, but for its scenarios.
typedef struct mw_model_edit {
  // file whose scenarios come in place of the model's of the same names, or beside them; NULL: none
  const char *scenarios;
  int n_set;
  // [n_set] "path=value": keys with dots between them, entries of lists by number from 0, then YAML
  const char *const *set;
} mw_model_edit;
// The same with changes; edit may be NULL.
MW_MUST_USE mw_code mw_model_read_edited(const char *path, const mw_model_edit *edit, mw_model *out,
                                         mw_error *err);
// The model as its reduced model is made: parameters that this keeps are in the middle of their
// ranges.
MW_MUST_USE mw_code mw_model_read_middle(const char *path, const mw_model_edit *edit, mw_model *out,
                                         mw_error *err);
// *out: m, borrowed, with dampers as kept parameters [n_kept] make them, in memory of mem; m has
// those of the middle.
MW_MUST_USE mw_code mw_model_damped(const mw_model *m, const double *to, mw_arena *mem,
                                    mw_model *out, mw_error *err);
// Calls fn for each file that the bodies are read from, in their order: meshes with what they
// include, CAD files, matrices and their tables; what: "mesh", .. ; at: where the model names it.
typedef mw_code mw_model_file_fn(void *ctx, const char *path, const char *what, mw_at at,
                                 mw_error *err);
MW_MUST_USE mw_code mw_model_files(const mw_model *m, mw_model_file_fn *fn, void *ctx,
                                   mw_error *err);
// The same for the files that assemblies are read from: their text counts as the model file's does.
MW_MUST_USE mw_code mw_model_sources(const mw_model *m, mw_model_file_fn *fn, void *ctx,
                                     mw_error *err);
double mw_model_modal(const mw_model *m, double omega);  // ratio of modes of omega, rad/s
// The parameters as one text, "payload = 3, tip = [0, 0, 0.5]", "" without any; NULL: no memory.
const char *mw_model_parameter_text(const mw_model *m, mw_arena *mem);
void mw_model_free(mw_model *m);  // leaves {0}

// How far the runners of a slide, if any, reach before and behind its coordinate, with half of
// their contact lengths; on pads, which end at their face, without them. m
void mw_slide_reach(const mw_joint_in *j, bool pad, double *before, double *behind);

bool mw_joint_in_turns(const mw_joint_in *j);     // is its coordinate an angle?
const char *mw_joint_unit(const mw_joint_in *j);  // of its coordinate: "m" or "rad"

// Writes the JSON Schema of model files to f (generated from the table of keys the reader uses).
void mw_model_print_schema(FILE *f);
// A readable reference of all keys (name, type, unit, default, meaning), for --help.
void mw_model_print_keys(FILE *f);
void mw_model_print_keys_json(FILE *f);  // the same as one JSON object

MW_API_END

#endif
