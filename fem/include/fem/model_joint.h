// SPDX-License-Identifier: BSD-3-Clause
// model_joint.h: joints and springs of the user's model file, and the drives on them.
#ifndef MW_FEM_MODEL_JOINT_H
#define MW_FEM_MODEL_JOINT_H

#include <stdbool.h>

#include "base/api.h"
#include "base/error.h"
#include "fem/joint_kinds.h"

MW_API_BEGIN

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

MW_API_END

#endif
