// SPDX-License-Identifier: BSD-3-Clause
// joint.h: what distinguishes one kind of joint from another: a class each, in fem/joint/<name>.c.
#ifndef MW_FEM_JOINT_H
#define MW_FEM_JOINT_H

#include "base/api.h"
#include "fem/mech.h"

MW_API_BEGIN

struct mw_row_list;
struct mw_joint_sides;
struct mw_rigid;
struct mw_rbuilder;
struct mw_rcoord;
struct mw_relem;
struct mw_rkin;
struct mw_rout;
struct mw_formula;

typedef enum mw_joint_draw {
  MW_DRAW_POINT,    // where its two points meet
  MW_DRAW_LINK,     // the line between them as well
  MW_DRAW_RUNNERS,  // its runners alone
  MW_DRAW_NONE
} mw_joint_draw;

typedef struct mw_joint_class {
  mw_measure measure[2];  // what its coordinate may be, the default first; NONE: it has none
  bool crossed;           // axis_b stands across axis; the angle is that of A3(b) about A3(a)
  mw_joint_draw draw;

  // ---- rows that are made of primitives: rigid and elastic bodies alike (mech_layer.h); NULL:
  //     none
  void (*rows)(const mw_joint *j, struct mw_row_list *l);
  // Rows on elastic bodies instead of these; NULL: they are these, and the coordinate's.
  mw_code (*elastic)(const mw_joint *j, struct mw_joint_sides *k, mw_joint_eval *e, mw_error *err);
  // m, the part of x_b − x_a (d [3], joint axes) that must vanish in the reference configuration;
  // NULL: none
  double (*gap)(const mw_joint *j, const double d[3]);
  bool apart;  // its two points must not meet there: gap[0] m between them
  // Builds what the joint's rows need from what the model file says; NULL: nothing.
  mw_code (*build)(mw_joint *j, mw_arena *mem, mw_error *err);
  // Measures the reference configuration: j->gap, j->phi0, the coordinate s0; NULL: the travel
  // along A3.
  void (*place)(const mw_mech *m, mw_joint *j, const double d[3], double *s0);
  // What else the reference configuration must be, x_b − x_a = d (joint axes); NULL: anything.
  mw_code (*check)(const mw_mech *m, const mw_joint *j, const double d[3], mw_error *err);

  // ---- rows of its own behind them (rigid_row_layer.h) ----
  int n_own;
  int n_rate;              // the last of them that hold on velocities alone
  const char *rigid_only;  // why elastic bodies do not know them; NULL: they do
  // its row as a function of primitive measures (formula_layer.h); NULL: it is none
  const struct mw_formula *formula;
  // g, Ja, Jb, Za, Zb from row `row` of e on, on elastic bodies; NULL: rigid_only, or no rows of
  // its own
  void (*own_elastic)(const mw_joint *j, struct mw_joint_sides *k, int row, mw_joint_eval *e);
  // The row that defines its coordinate, on elastic bodies; NULL: travel along A3 or angle about it
  void (*coord_elastic)(const mw_joint *j, struct mw_joint_sides *k, int row, mw_joint_eval *e);
  // coordinates they are made of; a single one is the joint's, where it has one
  mw_measure own_coord[2];
  // Completes such a coordinate; NULL: travel and angle need nothing more.
  mw_code (*make_coord)(struct mw_rigid *r, struct mw_rcoord *c, mw_error *err);
  void (*add_own)(struct mw_rbuilder *b, int joint);  // to the nodes of the elimination
  // g, J and γ of the element that add_own made by mw_rnode_add_own; near: the coordinate as last
  // accepted
  void (*eval)(const struct mw_relem *e, const struct mw_rkin *a, const struct mw_rkin *b,
               double near, const struct mw_rout *o);
} mw_joint_class;

extern const mw_joint_class *const mw_joint_classes[MW_JOINT_KINDS];

static inline const mw_joint_class *mw_joint_class_of(const mw_joint_in *in)
{
  return mw_joint_classes[in->kind];
}

// Its key in the model file, "spring" of springs; and what it is in a few words.
const char *mw_joint_key(mw_joint_kind kind);

// What the gap of a class may be: that of points which meet, and that of points on one axis A3.
double mw_joint_gap_point(const mw_joint *j, const double d[3]);
double mw_joint_gap_axis(const mw_joint *j, const double d[3]);

MW_API_END

#endif
