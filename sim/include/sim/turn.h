// SPDX-License-Identifier: BSD-3-Clause
// turn.h: how far elastic bodies turn against their own frames, and warnings where that is too far
// for their strains.
//
// Within a body rotations are small: what turns by φ (rad, fem/strain.h mw_body_turn) errs by at
// most φ²/2 of the body's deflection with strains of second order, by 0.78 φ with linear ones.
// Measured on cantilevers and hinged beams under tip loads and their weight, clamped to the ground
// or floating, against bodies divided until nothing changed (build/tests/bench_strain turn).
// Moments of inertia of beams' sections are known to first order of the sections' tilt against the
// body's frame. What is left out acts as a stiffness Ω² ρI against EI (π/L)² of a bar of length L
// that turns at Ω: bending frequencies err by
//   ½ (Ω L/(π c))² ,  c² = E/ρ                                                                  (1)
// (build/tests/bench_strain shaft). A piece of a divided body counts with its own length.
#ifndef MW_SIM_TURN_H
#define MW_SIM_TURN_H

#include "base/api.h"
#include "sim/run.h"

MW_API_BEGIN

double mw_turn_limit(bool linear);  // rad, at which the error is 1e-3 of the deflection
double mw_spin_error(const mw_model *m, int b,
                     double spin);  // (1) of body b; 0: no beams, or they do not move

// n_body, turn, turn_t, linear of a run, zero
MW_MUST_USE mw_code mw_run_init_turns(mw_run *r, int n_body, mw_error *err);
void mw_run_turn(mw_run *r, int b, double t, double angle);                  // keeps the largest
void mw_run_spin(mw_run *r, int b, const double p[12], const double v[12]);  // frame and its rates
// warning[n_warning]: a sentence for each body of the user's that turned beyond its limit (none
// where the user asks for strain: linear, a theory of its own), or errs by more than 1e-3 by (1)
MW_MUST_USE mw_code mw_run_warn(mw_run *r, mw_error *err);

MW_API_END

#endif
