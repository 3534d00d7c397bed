// SPDX-License-Identifier: BSD-3-Clause
// contact_layer.h: whether a run's steps see the contacts at end stops and with play (law.h).
#ifndef MW_SIM_CONTACT_LAYER_H
#define MW_SIM_CONTACT_LAYER_H

#include "base/part.h"
#include "fem/mech.h"
#include "sim/run.h"

// The contacts of one coordinate.
typedef struct mw_contact {
  int coord;
  int side;                // that it leans on: -1, 1, 0: none
  int steps, deepest;      // ends of steps in this contact so far, the one that was deepest
  double depth;            // m or rad, of that one
  int n, n_coarse, least;  // contacts, those of too few steps, fewest steps of one
  double t, t_coarse;      // s, start of this contact, of the first that had too few
} mw_contact;

typedef struct mw_contacts {
  mw_contact *c;  // [n]  coordinates with stops or play
  int n;
} mw_contacts;

MW_MUST_USE mw_code mw_contacts_init(const mw_mech *m, mw_arena *mem, mw_contacts *out,
                                     mw_error *err);
// After a step from t0 to t: coordinates s [m->n_coord].
void mw_contacts_step(mw_contacts *z, const mw_mech *m, double t0, const double *s);
// After the last one: a warning for each coordinate whose contacts had too few steps.
void mw_contacts_warn(mw_contacts *z, const mw_mech *m, double h, mw_run *r);

#endif
