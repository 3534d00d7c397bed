// SPDX-License-Identifier: BSD-3-Clause
// romsample.c: what controllers and units see of a run of the reduced model: its fields.
#include "romrun_priv.h"

mw_code mw_rom_sim_sample(mw_rom_sim *q, double t, mw_error *err)
{
  mw_control *c = &q->control;
  for (int d = 0; d < q->rom->n_u; d++) {
    int joint = mw_control_encoder(c, d), f = q->rom->u_field[d];
    c->s[d] = q->y[f];
    c->s_dot[d] = q->y_dot[f];
    if (joint >= 0) f = q->y_coord[q->mech->joint[joint].coord];
    c->e[d] = q->y[f];
    c->e_dot[d] = q->y_dot[f];
  }
  for (int i = 0; i < c->n_watch; i++) {
    int f = q->y_coord[q->mech->joint[c->watch[i]].coord];
    c->w[i] = q->y[f];
    c->w_dot[i] = q->y_dot[f];
  }
  return mw_control_sample(c, t, err);
}

mw_code mw_rom_sim_check_units(const mw_rom_sim *q, mw_error *err)
{
  for (int i = 0; i < q->control.n_watch; i++) {
    int coord = q->mech->joint[q->control.watch[i]].coord;
    if (coord < 0 || q->y_coord[coord] < 0)
      return mw_fail(err, MW_ERR_INPUT, q->sc->at,
                     "scenario %s: a unit sees coordinate %s, of which the reduced model has no "
                     "field",
                     q->sc->name,
                     coord < 0 ? "of a joint without one" : mw_mech_coord_name(q->mech, coord));
  }
  return MW_OK;
}
