// SPDX-License-Identifier: BSD-3-Clause
// dae_component_layer.h: components among the bodies of the DAE (dae_component.c).
#ifndef MW_SIM_DAE_COMPONENT_LAYER_H
#define MW_SIM_DAE_COMPONENT_LAYER_H

#include <stdbool.h>

#include "fem/component_linear.h"
#include "fem/model.h"

struct mw_dae;

typedef struct mw_dae_component {
  const mw_component_use *in;
  mw_component *c;
  const mw_component_calls *call;
  void *one;          // its instance
  int first, n;       // its frames among the bodies
  double *T;          // [n × 36]  twist of a body for that of its frame, each along own axes
  double *q, *v, *a;  // [n × 12]  frames
  double *D;          // [6 n_border × 6 n_border]  a_border = D Q + R
  double *lack;       // [n × 6]  w of (2), of the last residual
  double *free;       // [n × 6]  motion without forces of the rows
  double *f, *x;      // [n × 6]  wrenches from outside; what they make of it
  double *row[2];     // [6 n_border]  a row along the frames, and what its force moves
  double *move;       // [n × 12]  of bodies, D-coordinates: what the rows' forces move
  // [6 n × 6 n]  while an equilibrium is sought: what wrenches move frames by, and accelerations
  // that are left; S NULL: steps in time (dae_component_still.c)
  double *S, *SM;
  double gap;             // m or 1, largest inside, as last loaded
  unsigned char *memory;  // [n_memory]  what it remembers, in that of all
  size_t n_memory;
} mw_dae_component;

// ---- dae_component_open.c -----------------------------------------------------------------------

// Components of the model, before the graph is made. MW_ERR_INPUT: what they cannot do here.
MW_MUST_USE mw_code mw_dae_components_open(struct mw_dae *d, mw_error *err);
void mw_dae_components_close(struct mw_dae *d);
// Damping and starts that ask for more of the inside than its interface gives.
MW_MUST_USE mw_code mw_dae_components_check(const struct mw_dae *d, mw_error *err);
MW_MUST_USE mw_code mw_dae_components_check_start(const struct mw_dae *d, mw_error *err);
// The component that body b is a frame of, NULL: none.
mw_dae_component *mw_dae_component_of(const struct mw_dae *d, int b);
// The body that stands in the graph for b: the first frame of its component, or b itself.
int mw_dae_stands_for(const struct mw_dae *d, int b);
// Friction and turns inside at the end of an accepted step.
MW_MUST_USE mw_code mw_dae_components_accept(struct mw_dae *d, mw_error *err);
// As mw_rigid_component_promise.
bool mw_dae_component_promise(void *dae, int k, char *left, size_t n);

// ---- dae_component_still.c ----------------------------------------------------------------------

// From now on solutions are those of statics, with the stiffness inside at the state; bodies'
// blocks are those of statics.
MW_MUST_USE mw_code mw_dae_components_still(struct mw_dae *d, mw_arena *mem, mw_error *err);
void mw_dae_components_go_on(struct mw_dae *d);
// c->x of wrenches c->f, times the shift of the blocks; D of the border
void mw_dae_component_give(const struct mw_dae *d, mw_dae_component *c);
void mw_dae_component_border(const struct mw_dae *d, mw_dae_component *c);
// Free motion of accelerations c->x
void mw_dae_component_settle(mw_dae_component *c);

// ---- dae_component.c ----------------------------------------------------------------------------

// Frames, rows and factors inside at the state.
MW_MUST_USE mw_code mw_dae_components_load(struct mw_dae *d, mw_error *err);
// D there, and G of the bodies' own blocks.
void mw_dae_components_border(struct mw_dae *d);
// The residual's forces on frames become what these still lack: (2), (3).
MW_MUST_USE mw_code mw_dae_components_residual(struct mw_dae *d, mw_error *err);
// The same of accelerations alone, after a residual.
void mw_dae_components_lack(struct mw_dae *d);
// Where forces jump: accelerations and reactions follow friction inside, whose normal forces jump.
MW_MUST_USE mw_code mw_dae_components_jump(struct mw_dae *d, mw_error *err);
// Free motion that closes rates s x, x flat; the largest of it, m/s or rad/s.
double mw_dae_components_rates(struct mw_dae *d, const double *x, double s);
void mw_dae_components_rest(struct mw_dae *d);  // no free motion
// y and x_f of the frames' bodies from the free motion and the forces in r.
void mw_dae_component_free(struct mw_dae *d, mw_dae_component *c);
// F of all nodes that touch it, into the elimination.
void mw_dae_component_pairs(struct mw_dae *d, mw_dae_component *c);
// x_f += what the force lam of row i of joint j moves by its side on body b.
void mw_dae_component_push(struct mw_dae *d, int b, int j, int i, double lam);
// move of all from the rows' forces in sys.f.
void mw_dae_components_move(struct mw_dae *d);
// Energy, J; power that is not lost, W, of the last residual; largest gap.
void mw_dae_components_energy(struct mw_dae *d, double *kinetic, double *potential);
double mw_dae_components_power(const struct mw_dae *d);
double mw_dae_components_gap(const struct mw_dae *d);

#endif
