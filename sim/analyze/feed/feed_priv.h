// SPDX-License-Identifier: BSD-3-Clause
// feed_priv.h: what the files of elastic feed-forward share.
#ifndef MW_SIM_FEED_PRIV_H
#define MW_SIM_FEED_PRIV_H

#include "sim/feed_forward.h"

// Weights of the first two derivatives at each of PLACES points evenly 1 apart.
enum { MW_FEED_PLACES = 7 };
typedef struct mw_feed_weights {
  double w[MW_FEED_PLACES][2][MW_FEED_PLACES];
} mw_feed_weights;
void mw_feed_weigh(mw_feed_weights *out);
// First and second derivatives of columns of x [n × k] at instants `step` apart, into d1, d2 [n ×
// k]; n >= MW_FEED_PLACES.
void mw_feed_derive(const mw_feed_weights *w, int n, int k, double step, const double *x,
                    double *d1, double *d2);

// Runs the reduced model in the way `how`; what fails is said in o->run[how].
MW_MUST_USE mw_code mw_feed_run_make(const mw_model *model, const mw_mech *m,
                                     const mw_rom_file *rom, const mw_scenario *sc,
                                     mw_feed_drive how, mw_arena *mem, mw_feed_forward *o,
                                     mw_error *err);
// Instants into *n, *step apart (s): a whole number of them in a stored interval, none longer than
// the scenario's step or `most`. MW_ERR_INPUT: too many of them.
MW_MUST_USE mw_code mw_feed_instants(const mw_scenario *sc, double most, int *n, double *step,
                                     mw_error *err);
// What drives of the scenario follow at o->t, with o->mean > 0 its mean: motor [3][n × s], values,
// rates, accelerations.
// MW_ERR_INPUT: a force, a coordinate without a drive or a motion.
MW_MUST_USE mw_code mw_feed_sample(const mw_mech *m, const mw_rom_file *rom, const mw_scenario *sc,
                                   const mw_feed_forward *o, double *const motor[3], mw_error *err);
// The drive of coordinate i of the reduction, -1: none.
int mw_feed_drive_of(const mw_mech *m, const mw_rom_file *rom, int i);

#endif
