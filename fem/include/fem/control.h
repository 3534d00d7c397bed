// SPDX-License-Identifier: BSD-3-Clause
// control.h: signals and drive actions of a scenario, shared by all paths.
#ifndef MW_FEM_CONTROL_H
#define MW_FEM_CONTROL_H

#include "fem/model.h"

// Value and first two time derivatives of a signal at t (dy, ddy may be NULL). Tables: one-sided
// from the right.
void mw_signal_eval(const mw_signal *g, double t, double *y, double *dy, double *ddy);

// Instants at which value, slope or curvature of a signal may jump, ascending, into t (NULL:
// counts); their number.
int mw_signal_kinks(const mw_signal *g, double *t);
// The first of them after t, INFINITY: none.
double mw_signal_next_kink(const mw_signal *g, double t);
// Frequency at which a sine or chirp swings at t, Hz; 0: another signal, or not then.
double mw_signal_frequency(const mw_signal *g, double t);
// Last instant before t at which signals with a kink at t are seen from the left.
double mw_signal_before(double t);

// Drive forces for the step that starts at t and ends at t + h. s, s_dot [n_drive]: coordinate and
// rate of each drive (ignored for force drives) at the last sampling instant (the caller samples
// and holds them every control period).
//   FORCE:    the signal at t_eval (the instant the integrator asks for)
//   CONTROL:  ff ref''(t_s) + kp (ref(t_s) − s) + kd (ref'(t_s) − s_dot), t_s the last sampling
//             instant
//   POSITION: 0 here (prescribed)
void mw_control_force(const mw_model *m, const mw_scenario *sc, double t_eval, double t_s,
                      const double *s, const double *s_dot, double *force);
// Is drive d prescribed, and its position, velocity, acceleration at t.
bool mw_control_prescribed(const mw_scenario *sc, int drive, double t, double y[3]);

#endif
