// SPDX-License-Identifier: BSD-3-Clause
// stability_layer.h: whether the controllers of a scenario make the mechanism unstable.
#ifndef MW_SIM_STABILITY_LAYER_H
#define MW_SIM_STABILITY_LAYER_H

#include "fem/control.h"
#include "fem/mech.h"

// A mechanism over one period of its controllers, linearized at the start of a scenario, their
// forces f held: x⁺ = X x + U f ; they see y = C x, in the order of mw_control_linear.
typedef struct mw_plant {
  int n_x, n_u;  // states; drives
  double *X;     // [n_x × n_x]
  double *U;     // [n_x × n_u]
  double *C;     // [4 n_u × n_x]
} mw_plant;

// Judges the sampled loop: *text, from mem, says what grows; NULL: nothing does that shows within
// the scenario. of: the model of the mechanism that is judged, for the text.
MW_MUST_USE mw_code mw_stability_judge(const mw_control *c, const mw_plant *plant, const char *of,
                                       mw_arena *mem, const char **text, mw_error *err);

// The plant of the rigid mechanism, at rest where the scenario starts, without dry friction and
// stops, play taken up (rigid/rigid_plant.c); it steps as its equations of motion do, exactly.
// Errors: those of the rigid path; MW_ERR_INPUT: too many degrees of freedom.
MW_MUST_USE mw_code mw_rigid_plant(const mw_mech *m, const mw_scenario *sc, double period,
                                   mw_arena *mem, mw_plant *out, mw_error *err);
// What is said of the controllers of a scenario, from an arena; NULL: nothing.
typedef struct mw_stability {
  const char *unstable;  // what grows
  const char *unjudged;  // why it is not known
} mw_stability;
// Judges the rigid mechanism under the controllers of sc, sampled every period s.
MW_MUST_USE mw_code mw_stability_rigid(const mw_mech *m, const mw_scenario *sc, double period,
                                       mw_arena *mem, mw_stability *out, mw_error *err);

#endif
