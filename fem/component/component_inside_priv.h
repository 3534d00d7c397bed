// SPDX-License-Identifier: BSD-3-Clause
// component_inside_priv.h: an instance of a component by the rigid mechanism.
#ifndef MW_FEM_COMPONENT_INSIDE_PRIV_H
#define MW_FEM_COMPONENT_INSIDE_PRIV_H

#include "component_priv.h"
#include "rigid/rigid_mech_layer.h"

typedef struct mw_inside {
  mw_model model;
  mw_mech mech;
  mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  mw_component_size size;
  mw_component_port *port;
  mw_component_drive *drive;
  mw_component_output *output;
  mw_component_parameter *parameter;
  double *own;    // [n_u]  forces as of `load`
  double *f, *a;  // [n_u], [n_q]
  double *unit;   // [n_u]  of one wrench
  char hash[65];
  mw_arena mem;
} mw_inside;

// ---- component_seen.c ---------------------------------------------------------------------------

MW_MUST_USE mw_code mw_inside_refuse(mw_error *err, mw_at at, const char *found);
// What an output is of that is no position, as it is seen outside; NULL: it is not.
const char *mw_inside_seen_of(const mw_model *m, const mw_observed_in *in);
// What the outside knows of it, and which frames that makes the border.
MW_MUST_USE mw_code mw_inside_border(mw_inside *c, const mw_component_source *s, mw_error *err);

#endif
