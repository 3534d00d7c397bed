// SPDX-License-Identifier: BSD-3-Clause
// chart_priv.h: coordinates of the rigid mechanism near a state, as many as it has freedoms.
#ifndef MW_SIM_CHART_PRIV_H
#define MW_SIM_CHART_PRIV_H

#include "base/arena.h"
#include "fem/rigid.h"
#include "sim/linearize.h"

typedef enum mw_chart_kind {
  MW_CHART_COORDINATE,  // a joint coordinate, m or rad
  MW_CHART_ROTOR,       // angle of a drive's rotor, as its coordinate counts it, m or rad
  MW_CHART_FREE,  // what no joint coordinate says: along a direction, rad, and m over the size
} mw_chart_kind;

typedef struct mw_chart {
  const mw_mech *m;
  mw_rigid *r;  // dry friction and stops are left out, play is taken up
  mw_rigid_work *w;
  mw_rigid_size n;
  int n_row;                  // rows, those that stand for what is inside of components last
  mw_scenario sc;             // of r: prescribed positions, and constant forces of all other drives
  double size;                // m
  double t;                   // s, at which prescribed positions and signals are taken
  int k;                      // freedoms
  mw_chart_kind *kind;        // [k]
  int *which;                 // [k]  coordinate, drive of the rotor, number of the direction
  const char **name, **unit;  // [k]
  int n_in;                   // drives that are not prescribed
  int *input;                 // [n_in]
  double *q0, *v0;            // [n_q]  the state
  double *z0, *zd0;           // [k]    coordinates there, and their rates
  double *s0;                 // [n_coord]
  double *f;          // [k × n_u]  of rotors and directions: z = z0 + f twist(q0, q − q0)
  double *S;          // [k × n_u]  rates of z at q0
  double *P;          // [n_u × (n_row + k)]  of rows and rates of z at q0: pseudo-inverse
  double *mass;       // [n_u]
  double *q, *v, *u;  // [n_q], [n_q], [n_u]  where mw_chart_go went
  double *z, *zd;     // [k]    there
  double *a, *ud;     // [n_q], [n_u]  accelerations there, set by mw_chart_accel
  double *J, *gamma, *Js, *bias, *s, *s_dot, *gap, *x, *g_soft;  // scratch
  const unsigned char *held, *named;                             // [n_coord]  NULL: none
  mw_arena place, mem;                                           // of the state, of all
} mw_chart;

// At a state. Coordinates are chosen: those marked in `at`, rotors, those with drives, others, then
// directions. MW_ERR_INPUT: rolling rows, whose positions have more freedoms than their rates.
MW_MUST_USE mw_code mw_chart_open(const mw_mech *m, const mw_linearize_at *at, mw_chart *out,
                                  mw_error *err);
void mw_chart_close(mw_chart *c);
// Moves the state to q, v (NULL: at rest) [n_q] with coordinates s [n_coord]; z are chosen anew.
// q0, s0 and q, s of the chart may be handed over.
MW_MUST_USE mw_code mw_chart_put(mw_chart *c, const double *q, const double *v, const double *s,
                                 mw_error *err);
// Joint coordinates s [n_coord] where mw_chart_go went; NULL: into c->s alone.
void mw_chart_coords(mw_chart *c, double *s);
// What z_i is divided by to have no unit: the mechanism's size, or 1.
double mw_chart_unit(const mw_chart *c, int i);
// The force of input i, N or N·m.
double *mw_chart_force(mw_chart *c, int i);
// Goes to z, ż [k] (zd NULL: at rest), from the state of mw_chart_open. MW_ERR_NUMERIC: rows do not
// close.
MW_MUST_USE mw_code mw_chart_go(mw_chart *c, const double *z, const double *zd, mw_error *err);
// z̈ [k] where mw_chart_go went.
MW_MUST_USE mw_code mw_chart_accel(mw_chart *c, double *zdd, mw_error *err);
// Tangents T [k × n_u] at q0: û = Tᵀ ż, and the inertia M [k × k] there.
void mw_chart_inertia(const mw_chart *c, double *T, double *M);

#endif
