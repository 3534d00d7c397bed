// SPDX-License-Identifier: BSD-3-Clause
// model_scenario.h: signals, forces and scenarios of the user's model file.
#ifndef MW_FEM_MODEL_SCENARIO_H
#define MW_FEM_MODEL_SCENARIO_H

#include <stdbool.h>

#include "base/api.h"
#include "base/error.h"
#include "base/expr.h"
#include "fem/model_joint.h"

MW_API_BEGIN

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

typedef enum mw_force_kind {
  MW_FORCE_POINT,      // force at a frame
  MW_FORCE_TORQUE,     // torque on a body
  MW_FORCE_SPRING,     // spring, damper, actuator along the line between two points
  MW_FORCE_COORDINATE  // spring, damper, actuator on a joint coordinate
} mw_force_kind;

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

// What an input of a unit is set to at a sample.
typedef enum mw_unit_source {
  MW_UNIT_COORDINATE,  // of a joint, m or rad
  MW_UNIT_RATE,        // of that
  MW_UNIT_MOTOR,       // what a drive acts on, before a rotor's spring: m or rad
  MW_UNIT_MOTOR_RATE,  // of that
  MW_UNIT_SIGNAL,
  MW_N_UNIT_SOURCE
} mw_unit_source;

typedef struct mw_unit_input {
  const char *variable;  // of the unit
  mw_at at;
  mw_unit_source source;
  int joint, drive;  // COORDINATE, RATE; MOTOR, MOTOR_RATE
  mw_signal signal;  // SIGNAL
} mw_unit_input;

typedef struct mw_unit_output {
  const char *variable;
  mw_at at;
  int drive;  // whose force it is, N (N·m)
} mw_unit_output;

typedef struct mw_unit_parameter {
  const char *variable;
  mw_at at;
  double value;
} mw_unit_parameter;

// A functional mock-up unit that is a controller, or a law of forces: co-simulation, sampled.
typedef struct mw_unit_in {
  const char *name;
  mw_at at;
  const char *file;  // with the model's folder
  mw_at file_at;
  int every;  // samples of controllers a step of the unit
  int n_input, n_output, n_parameter;
  mw_unit_input *input;          // [n_input]
  mw_unit_output *output;        // [n_output]
  mw_unit_parameter *parameter;  // [n_parameter]
} mw_unit_in;

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
  // CONTROL: the unit whose output the force is, which has no reference; NULL: the controller above
  const mw_unit_in *unit;
} mw_action;

typedef enum mw_method {
  MW_METHOD_AUTO,      // dop853 as long as steps are not limited by stability, from then on radau
  MW_METHOD_CVODE,     // adaptive BDF with projection (SUNDIALS)
  MW_METHOD_ADAMS,     // adaptive Adams-Moulton formulas with projection (SUNDIALS)
  MW_METHOD_IDA,       // adaptive BDF on the stabilized DAE (SUNDIALS), a second opinion
  MW_METHOD_DOPRI5,    // adaptive Runge-Kutta 5(4) with projection
  MW_METHOD_DOP853,    // adaptive Runge-Kutta 8(5,3) with projection
  MW_METHOD_RADAU,     // adaptive implicit Runge-Kutta 5(3) (Radau IIA) with projection
  MW_METHOD_RK4,       // Runge-Kutta 4, positions and velocities stabilized after each step
  MW_METHOD_EULER,     // explicit Euler, stabilized alike: first order, to teach
  MW_METHOD_LEAPFROG,  // one right-hand side a step, for real time; second order
  MW_METHOD_ALPHA,     // generalized-α on the rotation group
  MW_METHOD_MIDPOINT,  // energy-momentum conserving
  MW_N_METHOD
} mw_method;

// Name of a method, and the method of a name (false: none of that name).
const char *mw_method_name(mw_method method);
bool mw_method_find(const char *name, mw_method *out);
// Does the method choose its steps?
bool mw_method_adapts(mw_method method);

typedef struct mw_rigid_in {  // how the rigid path integrates
  mw_method method;           // default auto
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

// The process that a scenario's motion is for, as stability lobes take it (sim/lobes.h).
typedef struct mw_cutting_in {
  mw_at at, to_at, from_at;
  // ends of responses, one (turning) or two with a comma (milling: along the feed, normal to it);
  // NULL from: as to
  const char *to, *from;
  double force;      // over depth times thickness of the chip, N/m²
  double radial;     // over that along the cut; milling
  int teeth;         // 0: turning
  double immersion;  // radial depth over diameter; milling
  bool down;         // milling
  double rpm[2];     // speeds, 1/min; 0: not given
} mw_cutting_in;

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
  int n_unit;
  mw_unit_in *unit;  // [n_unit]
  mw_rigid_in rigid;
  const mw_cutting_in *cutting;  // NULL: none
} mw_scenario;

MW_API_END

#endif
