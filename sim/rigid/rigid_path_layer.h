// SPDX-License-Identifier: BSD-3-Clause
// rigid_path_layer.h: what the files of the rigid path's integration share: the state of a run and
// the steps of its methods.
#ifndef MW_SIM_RIGID_LAYER_H
#define MW_SIM_RIGID_LAYER_H

#include "base/arena.h"
#include "base/pool.h"
#include "fem/control.h"
#include "fem/mech.h"
#include "fem/rigid.h"
#include "run/loop_layer.h"

struct mw_rigid_scratch;  // of the fixed-step methods, defined where they are

// One run. What survives a step is t, q, v, a, lambda, lambda_s, mu, aux, work, power: copied back,
// a step is undone (as long as mw_rigid_accept was not called since).
typedef struct mw_rigid_sim {
  const mw_mech *m;
  const mw_scenario *sc;
  mw_rigid_in in;  // method, tolerances: after the options of the run
  mw_rigid *r;
  mw_rigid_work *w;
  mw_pool *pool;        // that right-hand sides are shared out to, NULL: none
  const mw_team *team;  // the same, ranks (mw_rigid_sim_join); NULL: none
  mw_rigid_size n;
  double size;       // m, largest distance of a joint from the centre of mass of a body it joins
  bool has_power;    // drives, dampers, friction, prescribed coordinates: else power is always 0
  bool stiff;        // springs, dampers, friction
  double t;          // s
  double *q;         // [n_q]
  double *v;         // [n_q]
  double *a;         // [n_q]    at t, q, v
  double *lambda;    // [n_row]  multipliers of implicit methods, N or N·m by row
  double *lambda_s;  // [n_soft] N or N·m by row
  double *mu;        // [n_row]  multipliers of velocity constraints (GGL)
  double *aux;       // [n_u]    auxiliary accelerations of generalized-α
  double *x;         // [n_q]  scratch of mw_rigid_sim_close
  double work;       // J, integral of power since the start
  double power;      // W, at t, q, v
  int iterations;    // of nonlinear solvers, total
  struct mw_rigid_scratch *scratch;  // set by mw_rigid_step_init, in step_mem
  mw_arena step_mem, mem;
} mw_rigid_sim;

// ---- fixed-step methods (rigid_step.c, rigid_alpha.c, rigid_midpoint.c) -------------------------

// What the method in s->in.method needs besides t, q, v, a, work, power, which the caller has set.
MW_MUST_USE mw_code mw_rigid_step_init(mw_rigid_sim *s, mw_error *err);
// One step: t, q, v, a, work, power advance (and lambda, lambda_s, mu, aux where the method has
// them); the state is unchanged on failure. The caller calls mw_rigid_accept after each step it
// keeps.
MW_MUST_USE mw_code mw_rigid_step(mw_rigid_sim *s, double h, mw_error *err);
// The end of a step of an explicit method: q onto its constraints at t, with the factors at hand as
// long as they contract; a [n_q] and power (W) at q and v; v onto its constraints.
MW_MUST_USE mw_code mw_rigid_land(mw_rigid_sim *s, double t, double *q, double *v, double *a,
                                  double *power, mw_error *err);

// ---- limits (rigid_event.c) ---------------------------------------------------------------------

typedef struct mw_rigid_events {
  int n_limit;
  const mw_limit *limit;  // [n_limit]  borrowed
  double *s;              // [n_coord]  scratch
} mw_rigid_events;

// How far each coordinate is inside its limits: g [2 n_limit], from lo and from hi, m or rad.
void mw_rigid_events_eval(const mw_rigid_sim *s, const mw_rigid_events *e, const double *q,
                          double *g);
// First limit a root finder marked, root [2 n_limit]; -1: none.
int mw_rigid_events_found(const mw_rigid_events *e, const int *root);

// ---- adaptive methods (rigid_cvode.c, rigid_ida.c, rigid_onestep.c) -----------------------------

// They go on by steps of their own choice, beyond the instants asked for; these are interpolated.
typedef struct mw_rigid_adapt mw_rigid_adapt;
enum { MW_RIGID_ADAPT_PARTS = 40 };

typedef struct mw_rigid_adapt_kind {
  // starts at s->t, q, v, work; borrows s and e
  mw_code (*open)(mw_rigid_sim *s, const mw_rigid_events *e, mw_rigid_adapt **out, mw_error *err);
  // begins anew at s->t, q, v, work: forces or velocities have jumped
  mw_code (*restart)(mw_rigid_adapt *a, mw_error *err);
  // one step, not beyond stop. *event: index of the limit reached, -1: none
  mw_code (*step)(mw_rigid_adapt *a, double stop, int *event, mw_error *err);
  double (*time)(const mw_rigid_adapt *a);  // s, reached
  // q, v, work of s at t within the last step, projected onto the constraints; s->t = t
  mw_code (*at)(mw_rigid_adapt *a, double t, mw_error *err);
  long (*steps)(const mw_rigid_adapt *a);
  bool (*stiff)(const mw_rigid_adapt *a);  // does stability limit its steps? NULL: never
  // What it goes on from, into part [MW_RIGID_ADAPT_PARTS], their number; NULL: others keep it.
  int (*parts)(mw_rigid_adapt *a, mw_part *part);
  void (*close)(mw_rigid_adapt *a);  // NULL is fine
} mw_rigid_adapt_kind;

extern const mw_rigid_adapt_kind mw_rigid_cvode, mw_rigid_ida, mw_rigid_onestep;
extern const mw_rigid_adapt_kind mw_rigid_implicit;  // what auto goes over to

// ---- threads and ranks (rigid_shared.c) ---------------------------------------------------------

// Engine of s, in groups where right-hand sides are shared out (in.threads), and its threads.
MW_MUST_USE mw_code mw_rigid_sim_build(mw_rigid_sim *s, mw_error *err);
// Ranks make the run together from now on, where right-hand sides are shared out. Borrows team.
MW_MUST_USE mw_code mw_rigid_sim_join(mw_rigid_sim *s, const mw_team *team, mw_error *err);
// At a stored instant: the code that all ranks go on with, rc being this one's. MW_ERR_NUMERIC:
// their states are not the same bits. An error that another rank tells has no text.
MW_MUST_USE mw_code mw_rigid_sim_agree(const mw_rigid_sim *s, mw_code rc, mw_error *err);

// ---- common (rigid_sim.c) -----------------------------------------------------------------------

// Engine, memory and what is known of the mechanism; q, v are zero, t = 0.
MW_MUST_USE mw_code mw_rigid_sim_init(const mw_mech *m, const mw_scenario *sc, mw_rigid_in in,
                                      mw_rigid_sim *out, mw_error *err);
void mw_rigid_sim_free(mw_rigid_sim *s);
// For errors: ": near a singular position, …", where rows at q nearly depend on the others, else
// "".
void mw_rigid_sim_name_singular(const mw_rigid_sim *s, double t, const double *q, char text[200]);
// q, v [n_q] onto the constraints at t, q to in.projection or `most`, m or 1, where rounding is in
// the way (else MW_ERR_NUMERIC), v to rounding. Begins with the last factors unless fresh.
MW_MUST_USE mw_code mw_rigid_sim_close(mw_rigid_sim *s, double t, double *q, double *v, double most,
                                       bool fresh, mw_error *err);
// The same for the state.
MW_MUST_USE mw_code mw_rigid_sim_project(mw_rigid_sim *s, bool fresh, mw_error *err);
// a, power at t, q, v.
MW_MUST_USE mw_code mw_rigid_sim_eval(mw_rigid_sim *s, mw_error *err);
// Controllers get the state at t; a, power follow.
MW_MUST_USE mw_code mw_rigid_sim_sample(mw_rigid_sim *s, mw_error *err);
// f = M u, both [n_u]
void mw_rigid_sim_mass(const mw_rigid_sim *s, const double *u, double *f);
// Absolute tolerances of q and v, x [2 n_q]: of the mechanism's size and 1, of v the same a second.
void mw_rigid_sim_scales(const mw_rigid_sim *s, double *x);
// An energy to compare with, J: what the weight of all bodies lifts through the size, and what they
// carry at size a second.
double mw_rigid_sim_joule(const mw_rigid_sim *s);

// ---- start (rigid_start.c) ----------------------------------------------------------------------

// q, v of s at t = 0 as the scenario says.
MW_MUST_USE mw_code mw_rigid_start(mw_rigid_sim *s, mw_error *err);

#endif
