// SPDX-License-Identifier: BSD-3-Clause
// rigid_component_layer.h: components in the rigid mechanism, assemblies that eliminate their
// inside themselves (rigid_component.c).
#ifndef MW_FEM_RIGID_COMPONENT_LAYER_H
#define MW_FEM_RIGID_COMPONENT_LAYER_H

#include "fem/component_linear.h"
#include "fem/rigid.h"

typedef struct mw_rcomponent {  // an assembly whose inside is not known (fem/component.h)
  const mw_component_use *in;
  mw_component *c;
  int first, n;       // its frames among the bodies
  int *node, n_node;  // [n_node]  constraint nodes that touch one of them
} mw_rcomponent;

typedef struct mw_rcomponent_work {
  const mw_component_calls *call;
  void *one;              // its instance
  double *D;              // [6 n_border × 6 n_border]  a_border = D Q + R
  double *f, *x;          // [n × 6]  wrenches from outside on its frames; what they make of it
  unsigned char *memory;  // [n_memory]  what it remembers, in that of all
  size_t n_memory;
  double gap;  // m or 1, largest inside, as last evaluated
} mw_rcomponent_work;

typedef struct mw_rside {  // right-hand side of components: MW_COMPONENT_…
  int what;
  const double *u;  // [n_u]  of rates and landings
  double h;         // s, of landings
} mw_rside;

// Opens the components of the mechanism; after its bodies. What else they need, after its rows.
MW_MUST_USE mw_code mw_rigid_components_open(mw_rigid *r, mw_error *err);
MW_MUST_USE mw_code mw_rigid_components_nodes(mw_rigid *r, mw_error *err);
void mw_rigid_components_close(mw_rigid *r);
MW_MUST_USE mw_code mw_rigid_components_work(const mw_rigid *r, mw_rigid_work *w, mw_error *err);
void mw_rigid_components_work_close(mw_rigid_work *w);
// The body whose elimination node stands for body b: the first frame of its component, or b.
int mw_rigid_stands_for(const mw_rigid *r, int b);
// Their rows at t, q with v NULL, else what accelerations at t, q, v need.
void mw_rigid_components_eval(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                              const double *v);
// Their factors; F = J D Jᵀ into the blocks of `hard`.
MW_MUST_USE mw_code mw_rigid_components_factor(const mw_rigid *r, mw_rigid_work *w, mw_error *err);
// Before and after the others are solved, as w->side says: x of the rows −= J R; x of the frames.
void mw_rigid_components_before(const mw_rigid *r, mw_rigid_work *w, double *x);
void mw_rigid_components_after(const mw_rigid *r, mw_rigid_work *w, double *x);
// Normal forces inside: the largest change, and the largest of them (where above *largest).
double mw_rigid_components_normals(const mw_rigid *r, mw_rigid_work *w, double *largest);
double mw_rigid_components_power(const mw_rigid *r, const mw_rigid_work *w);
void mw_rigid_components_energy(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                const double *v, mw_rigid_energy *out);
void mw_rigid_components_residual(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                  const double *v, const double *a, mw_rigid_residual *out);
void mw_rigid_components_accept(const mw_rigid *r, mw_rigid_work *w, const double *q);
MW_MUST_USE mw_code mw_rigid_components_turns(const mw_rigid *r, mw_rigid_work *w, double t,
                                              const double *q, mw_error *err);

#endif
