// SPDX-License-Identifier: BSD-3-Clause
// control.h: signals and drive actions of a scenario, shared by all paths.
#ifndef MW_FEM_CONTROL_H
#define MW_FEM_CONTROL_H

#include "base/api.h"
#include "base/part.h"
#include "fem/mech.h"
#include "fem/model.h"

MW_API_BEGIN

// Value and first two time derivatives of a signal at t (dy, ddy may be NULL). Tables: one-sided
// from the right.
void mw_signal_eval(const mw_signal *g, double t, double *y, double *dy, double *ddy);
// The cubic spline through y [n] at ascending instants t [n], s, which the signal refers to; rest:
// its slope is 0 at both ends, else its second derivative. Memory from mem; out->at stays.
MW_MUST_USE mw_code mw_signal_spline(int n, const double *t, const double *y, bool rest,
                                     mw_arena *mem, mw_signal *out, mw_error *err);

// Instants at which value, slope or curvature of a signal may jump, ascending, into t (NULL:
// counts); their number.
int mw_signal_kinks(const mw_signal *g, double *t);
// The first of them after t, INFINITY: none.
double mw_signal_next_kink(const mw_signal *g, double t);
// Frequency at which a sine or chirp, or the fastest of a sum, swings at t, Hz; 0: another signal,
// or not then.
double mw_signal_frequency(const mw_signal *g, double t);
// Last instant before t at which signals with a kink at t are seen from the left.
double mw_signal_before(double t);
// s: instants of a run of steps h (s) that are closer to each other are one.
double mw_signal_near(double h);
// The signal at t > 0 in a run of steps h (s): from the left where it has a kink at the same
// instant (mw_signal_near). slope may be NULL.
double mw_signal_left(const mw_signal *g, double t, double h, double *slope);

// Controllers of a run: what they see, their memory, and the forces they hold between samples,
// equations (1) to (4) of control.c. Laid out by mw_control_build; the path fills s, s_dot, e,
// e_dot, w, w_dot and samples.
enum { MW_FILTERS = 8 };  // of a controller, at most

typedef struct mw_control_memory {
  double s0, e0;                // coordinate and encoder at the first sample: where it is homed
  double error, outer;          // error and its integral, m, m·s (rad, rad·s)
  double lag, inner;            // those of the velocity loop, m/s, m (rad/s, rad)
  double state[MW_FILTERS][2];  // N (N·m)
} mw_control_memory;

typedef struct mw_control_filter {
  double b[3], a[3];  // (b0 + b1/z + b2/z²)/(1 + a1/z + a2/z²)
} mw_control_filter;

typedef struct mw_control_loop {
  mw_control_memory before, now;         // the last sample, and what it began with
  mw_control_filter filter[MW_FILTERS];  // of the action, at the period
  int n_limited;                         // samples at which a limit held the force back
  double t_limited;                      // s, the first of them
  bool limited;                          // at the last sample
} mw_control_loop;

// Steps units of a scenario that controllers sample: sim/cosim opens them.
typedef struct mw_units {
  // Outputs out [n_output] of unit k of the scenario at t from its inputs in [n_input]. Called
  // again at the same t it gives the same; at an earlier one the unit begins anew.
  mw_code (*eval)(void *ctx, int k, double t, const double *in, double *out, mw_error *err);
  void *ctx;
} mw_units;

typedef struct mw_control {
  const mw_model *model;
  const mw_scenario *sc;
  double period;          // s
  double t;               // s, of the last sample; -INFINITY: none yet
  int n_sample;           // samples so far
  double *s, *s_dot;      // [n_drive]  coordinates that the drives act on, as sampled
  double *e, *e_dot;      // [n_drive]  what their encoders sit on
  double *force;          // [n_drive]  held, N (N·m)
  int n_watch;            // coordinates that units of other programs see, too
  int *watch;             // [n_watch]  their joints, in the order of units and inputs
  double *w, *w_dot;      // [n_watch]  coordinates, as sampled
  double *in, *out;       // of one unit: [most inputs], [most outputs]
  mw_units units;         // set by the path; eval NULL: units give no force
  mw_control_loop *loop;  // [n_action]
  // [n_feed × n_drive]  N (N·m) at samples from t = 0 on, set by mw_control_feed; NULL: none
  const double *feed;
  int n_feed;
} mw_control;

// Borrows m and sc (NULL: none); memory from mem. MW_ERR_INPUT: a filter that samples cannot make.
MW_MUST_USE mw_code mw_control_build(const mw_model *m, const mw_scenario *sc, double period,
                                     mw_arena *mem, mw_control *out, mw_error *err);
// Forces of inverse dynamics (inverse.c) for all samples, into mem, where actions ask for them.
// MW_ERR_INPUT: references do not say how all of the mechanism moves, or masses are missing.
MW_MUST_USE mw_code mw_control_feed(mw_control *c, const mw_mech *m, mw_arena *mem, mw_error *err);
// A controller that goes on by itself from where c is; it borrows the forces of c.
MW_MUST_USE mw_code mw_control_copy(const mw_control *c, mw_arena *mem, mw_control *out,
                                    mw_error *err);
// What c remembers, as pieces into part [MW_CONTROL_PARTS]; their number.
enum { MW_CONTROL_PARTS = 10 };
int mw_control_parts(mw_control *c, mw_part *part);
// Joint whose coordinate the encoder of drive d reads, -1: none, or the drive's own.
int mw_control_encoder(const mw_control *c, int d);
// Sets force from s, s_dot, e, e_dot, w, w_dot as they are at t. Called again at the same t it
// starts from what it started from. Errors: those of units.
MW_MUST_USE mw_code mw_control_sample(mw_control *c, double t, mw_error *err);
// Does a controller have a reference that its drive's coordinate is to follow, or prescribes it?
bool mw_action_guides(const mw_action *a);

// A sample as a linear map, without references, constant forces and limits (control_linear.c):
//   f = F_y y + F_m m ,  m⁺ = M_y y + M_m m        y = s, ṡ, e, ė of all drives, m: memories of all
//                                                  controllers
typedef struct mw_control_linear {
  int n_m;            // 0: there are no controllers
  double *F_y, *F_m;  // [n_drive × 4 n_drive], [n_drive × n_m]
  double *M_y, *M_m;  // [n_m × 4 n_drive], [n_m × n_m]
} mw_control_linear;
MW_MUST_USE mw_code mw_control_linearize(const mw_control *c, mw_arena *mem, mw_control_linear *out,
                                         mw_error *err);

// Drive forces at t, [n_drive]:
//   FORCE:    the signal at t
//   CONTROL:  as held since the last sample
//   POSITION: 0 here (prescribed)
void mw_control_force(const mw_control *c, double t, double *force);
// The same in a run of steps h (s), signals by mw_signal_left: where one jumps, the force before.
void mw_control_force_before(const mw_control *c, double t, double h, double *force);
// Is drive d prescribed, and its position, velocity, acceleration at t.
bool mw_control_prescribed(const mw_scenario *sc, int drive, double t, double y[3]);

MW_API_END

#endif
