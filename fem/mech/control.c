// SPDX-License-Identifier: BSD-3-Clause
// control.c: what the drives of a scenario do.
//
//   FORCE     f = signal(t)
//   CONTROL   f = ff r''(t_s) + kp (r(t_s) − s) + kd (r'(t_s) − ṡ)      sampled at t_s and held
//   POSITION  s = signal(t), f follows from the equations of motion
#include "fem/control.h"

void mw_control_force(const mw_model *m, const mw_scenario *sc, double t_eval, double t_s,
                      const double *s, const double *s_dot, double *force)
{
  for (int d = 0; d < m->n_drive; d++) force[d] = 0.0;
  for (int k = 0; k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    double r, dr, ddr;
    if (a->kind == MW_ACTION_FORCE) {
      mw_signal_eval(&a->signal, t_eval, &force[a->drive], NULL, NULL);
    } else if (a->kind == MW_ACTION_CONTROL) {
      mw_signal_eval(&a->signal, t_s, &r, &dr, &ddr);
      force[a->drive] = a->ff * ddr + a->kp * (r - s[a->drive]) + a->kd * (dr - s_dot[a->drive]);
    }
  }
}

bool mw_control_prescribed(const mw_scenario *sc, int drive, double t, double y[3])
{
  for (int k = 0; k < sc->n_action; k++)
    if (sc->action[k].drive == drive && sc->action[k].kind == MW_ACTION_POSITION) {
      mw_signal_eval(&sc->action[k].signal, t, &y[0], &y[1], &y[2]);
      return true;
    }
  return false;
}
