// SPDX-License-Identifier: BSD-3-Clause
// analyze_priv.h: the topics of modeway analyze, and what they read from the command line.
#ifndef MW_SIM_CLI_ANALYZE_PRIV_H
#define MW_SIM_CLI_ANALYZE_PRIV_H

#include "cli/cmd_layer.h"
#include "fem/control.h"
#include "sim/analyze.h"

extern const mw_topic mw_topic_dynamics, mw_topic_inverse, mw_topic_kinematics, mw_topic_linearize,
    mw_topic_mobility, mw_topic_reach, mw_topic_statics;

// A topic about a model: what it works with, its model within that, its work and results.
typedef struct mw_topic_work {
  void *job;
  mw_case *c;
  mw_code (*work)(const mw_args *a, void *job, mw_error *err);
  void (*print_json)(const void *job);
  void (*print_text)(const void *job);
} mw_topic_work;
// Reads the model, works, prints. Returns the exit status.
int mw_topic_run(const mw_args *a, const mw_topic_work *w);

// "LO,HI" of an option, LO < HI; without the option nothing.
MW_MUST_USE mw_code mw_args_range(const mw_args *a, const char *option, double *lo, double *hi,
                                  mw_error *err);
// "q1=0.3,x=1" of an option: marks coordinates in given [n_coord] and sets value [n_coord]; without
// the option nothing. MW_ERR_INPUT: no such coordinate, given twice, no number.
MW_MUST_USE mw_code mw_args_coordinates(const mw_args *a, const char *option, const mw_mech *m,
                                        unsigned char *given, double *value, mw_error *err);
// "m1=30,m2=-4" of an option: sets value [n_drive]; without the option nothing.
MW_MUST_USE mw_code mw_args_drives(const mw_args *a, const char *option, const mw_model *m,
                                   double *value, mw_error *err);
// Limits of an option, as mw_limits_read has them. Without the option nothing.
MW_MUST_USE mw_code mw_args_limits(const mw_args *a, const char *option, const mw_model *m,
                                   double *lo, double *hi, mw_error *err);
// Rates or accelerations x [n_coord] of an option, of coordinates marked in given [n_coord] alone.
MW_MUST_USE mw_code mw_args_motion(const mw_args *a, const char *option, const mw_mech *m,
                                   const unsigned char *given, mw_arena *mem, double **x,
                                   mw_error *err);
// What drives of a scenario follow, at its stored instants; memory from mem.
typedef struct mw_followed {
  int n;
  const double *t;  // [n]  s
  double *x[3];     // [n × n_coord]  values, rates, accelerations
} mw_followed;
// Marks the coordinates that are followed in given [n_coord]. MW_ERR_INPUT: a force; an option that
// names an instant beside the scenario.
MW_MUST_USE mw_code mw_args_followed(const mw_args *a, const mw_mech *m, const mw_scenario *sc,
                                     unsigned char *given, mw_arena *mem, mw_followed *out,
                                     mw_error *err);
// The position of --at: the reference configuration, with the coordinates named there. Memory from
// mem.
MW_MUST_USE mw_code mw_args_position(const mw_args *a, const mw_mech *m, mw_arena *mem,
                                     mw_position *out, mw_error *err);

// modeway analyze MODEL inverse --regressor: along a scenario (sc NULL: around --at). Marks the
// coordinates it is about in given [n_coord].
MW_MUST_USE mw_code mw_analyze_regressor(const mw_args *a, const mw_mech *m, const mw_scenario *sc,
                                         unsigned char *given, mw_arena *mem, mw_error *err);

// modeway analyze ROM.nc inverse: elastic feed-forward along a scenario.
MW_MUST_USE mw_code mw_analyze_feed(const mw_args *a, mw_error *err);

// modeway analyze MODEL statics --elastic, from `at` with held [n_coord], under force [n_drive].
MW_MUST_USE mw_code mw_analyze_elastic(const mw_args *a, const mw_mech *m, const mw_position *at,
                                       const unsigned char *held, const double *force,
                                       mw_arena *mem, mw_error *err);

// Prints "q1 = 0.3, x = 1", all of s [n_coord]; what is less than joints are closed to is 0.
void mw_print_coordinates(const mw_mech *m, const double *s);

#endif
