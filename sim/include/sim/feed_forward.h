// SPDX-License-Identifier: BSD-3-Clause
// feed_forward.h: elastic feed-forward of a reduced model: the motion of its coordinates and the
// forces of drives with which the tool, not the motors, follows a motion.
#ifndef MW_SIM_FEED_FORWARD_H
#define MW_SIM_FEED_FORWARD_H

#include "base/api.h"
#include "reduction/romfile.h"
#include "sim/accessible.h"
#include "sim/run.h"

MW_API_BEGIN

enum { MW_FEED_PASSES = 12 };  // at most

typedef enum mw_feed_drive {
  MW_FEED_MOTOR,     // coordinates follow the motion that was asked for, as of rigid bodies
  MW_FEED_POSITION,  // coordinates follow theta
  MW_FEED_FORCE,     // nothing but the forces acts
  MW_N_FEED
} mw_feed_drive;

// How far the tool is off `reached` in a run of the reduced model.
typedef struct mw_feed_run {
  double *error;  // [n × 3]  ground axes, m
  // m: largest, when, s, and of the last of the lowest periods
  double largest, at, last;
  const char *beyond;  // what the certificate promises nothing for, NULL: nothing
  const char *failed;  // why there is no run, NULL: there is one
} mw_feed_run;

typedef struct mw_feed_forward {
  int tool;                             // into the model's outputs
  int n, s, n_drive;                    // instants, coordinates of the reduction, drives
  double *t;                            // [n]            s
  double *motor;                        // [n × s]        asked for: the scenario's, m or rad
  double *theta, *rate, *acceleration;  // [n × s]        with which the tool follows
  double *force;                        // [n × n_drive]  of drives, N or N·m
  double *asked;                        // [n × 3]        the undeformed tool's at motor, m
  double *reached;                      // [n × 3]        the tool's at theta, m
  double mean;                          // s, T of (3), 0: what the scenario says itself
  double hz;                            // lowest frequency at the first instant
  int n_pass;                           // passes of (2)
  double off[MW_FEED_PASSES];           // [n_pass]  m: how far each moves the tool at most
  double error[MW_FEED_PASSES];         // [n_pass]  m: of a run MW_FEED_POSITION with what it finds
  int best;                             // the pass that is kept: all else is of this one
  double uncorrected;  // m, largest |asked − reached|: no coordinate moves the tool so
  double not_driven;   // N or N·m, largest part of forces that drives do not give
  int kinked;          // coordinates whose rates would have to jump
  const char *jumps;   // the first of them, NULL: none
  mw_feed_run run[MW_N_FEED];
} mw_feed_forward;

// The motion that drives of a scenario follow, or (rise > 0) its mean over so many of the lowest
// periods, is that of the undeformed tool; equations in feed/feed_forward.c. Then runs the reduced
// model. Memory from mem. MW_ERR_INPUT: the output is no position of the reduced model; the
// scenario leaves a coordinate of the reduction out, or gives a force; a coordinate has no drive.
// MW_ERR_NUMERIC: the motion leaves the range of the reduction.
MW_MUST_USE mw_code mw_feed_forward_find(const mw_model *model, const mw_mech *m,
                                         const mw_rom_file *rom, const mw_scenario *sc, int tool,
                                         double rise, mw_arena *mem, mw_feed_forward *out,
                                         mw_error *err);

// What of a drive is beyond a limit.
typedef enum mw_limit_kind { MW_LIMIT_FORCE, MW_LIMIT_SPEED, MW_LIMIT_POWER } mw_limit_kind;
typedef struct mw_feed_excess {
  int drive;
  mw_limit_kind what;
  double value, limit;      // farthest beyond, the limit there: N, m/s, W (N·m, rad/s)
  double at, first, until;  // s: of value, the first and the last instant beyond the limit
  int n;                    // instants beyond it
} mw_feed_excess;
// Where the feed-forward asks more of drives than limits, INFINITY: none (mw_drive_limits_known),
// into out [3 n_drive]; their number. Speed and power are those of coordinates of the reduction.
int mw_feed_exceeded(const mw_mech *m, const mw_rom_file *rom, const mw_feed_forward *o,
                     const mw_drive_limits *limits, mw_feed_excess *out);

MW_API_END

#endif
