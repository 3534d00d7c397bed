// SPDX-License-Identifier: BSD-3-Clause
// reach_layer.h: where deflections leave what a reduced model is right for (reduction/large.c), on
// the screen and in runs.
#ifndef MW_SIM_REACH_LAYER_H
#define MW_SIM_REACH_LAYER_H

#include <stdio.h>

#include "fem/mech.h"
#include "reduction/romfile.h"
#include "sim/run.h"

enum { MW_REACH_BEND, MW_REACH_STRETCH, MW_REACH_N };

typedef struct mw_reach_seen {  // the furthest that a run went beyond
  double ratio;                 // of an amplitude to its limit; 0: not looked at
  double t;                     // s
  int column;
} mw_reach_seen;

// How far the phases of the modes have gone wrong by what their frequencies change as they swing
// further (reduction/swing.c):
//   φ_k' = ω_k √σ_k Σ_j √σ_j (η_j² + η̇_j²/ω_j²) ,  e = Σ_k y_k (φ_k η̇_k/ω_k + τ_k η_k³)       (1)
// η the amplitude, σ the change over its square, y the output that moves most (over what
// outputs deflect by with coordinates held), τ its third order. Where two modes swing, the change
// that one makes of the other is taken as the geometric mean of their own.
enum { MW_SWING_MOST = 8 };
typedef struct mw_swing_seen {
  double phase[MW_SWING_MOST];  // rad
  double most[MW_SWING_MOST];   // largest η² + η̇²/ω²
  double t;                     // s, of the last look
  double peak, error;           // m, largest Σ y η and e
  double when;                  // s, of the latter
} mw_swing_seen;
// delta, rate [m] at t; seen starts as zeros.
void mw_swing_look(const mw_rom_file *f, const double *delta, const double *rate, double t,
                   mw_swing_seen *seen);

// The largest acceleration of a coordinate beyond what is declared of it, and the fastest that all
// of them went.
typedef struct mw_fast_seen {
  double ratio, t;  // over the declared one, above 1; s
  int coordinate;
  double rate[MW_ROM_MAX_S], acceleration[MW_ROM_MAX_S];  // m/s or rad/s, m/s² or rad/s²
} mw_fast_seen;
// Rates of theta [s] before and after h that ends at t; seen starts as zeros.
void mw_fast_look(const mw_reduction_in *in, const double *before, const double *after, double h,
                  double t, mw_fast_seen *seen);
// Warns of what is beyond what is declared. Where nothing is: a note on rates and accelerations
// beyond those that the certificate assumed to judge forces of motion.
MW_MUST_USE mw_code mw_fast_warn(const mw_mech *m, const mw_rom_file *f, const mw_fast_seen *seen,
                                 mw_run *r, mw_error *err);

// A note on the first column that has a limit of that kind; false: none has.
bool mw_reach_note(const mw_rom_file *f, int kind, char *text, size_t n);
// delta [m] at t; seen [MW_REACH_N] starts as zeros.
void mw_reach_look(const mw_rom_file *f, const double *delta, double t, mw_reach_seen *seen);
// Warns of what was seen beyond its limit, and of phases.
MW_MUST_USE mw_code mw_reach_warn(const mw_rom_file *f, const mw_reach_seen *seen,
                                  const mw_swing_seen *swing, mw_run *r, mw_error *err);
// After it: coordinates that are not among the prescribed ones, as bits, though third order was
// judged as if they were.
MW_MUST_USE mw_code mw_free_warn(const mw_rom_file *f, unsigned prescribed, mw_run *r,
                                 mw_error *err);

#endif
