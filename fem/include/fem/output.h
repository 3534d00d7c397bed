// SPDX-License-Identifier: BSD-3-Clause
// output.h: what distinguishes one kind of output from another: a class each, in
// fem/output/<name>.c; and the rows of the model's fields.
//
// Fields (positions, stresses, strains) are what reduced models keep. All fields of a model stand
// below each other: row mw_output_row(m, k) is the first of field k. What is observed besides is
// seen in what a path knows at an instant (mw_seen).
#ifndef MW_FEM_OUTPUT_H
#define MW_FEM_OUTPUT_H

#include "base/api.h"
#include "fem/mech.h"

MW_API_BEGIN

enum { MW_OUTPUT_WIDTH = 6, MW_OUTPUT_PARTS = 2 };  // most components and parts of an output

// What the key of an observed output names.
typedef enum mw_output_of {
  MW_OF_NOTHING,  // a field
  MW_OF_POSITION,
  MW_OF_ORIENTATION,
  MW_OF_FRAME,
  MW_OF_JOINT,
  MW_OF_DRIVE,
  MW_OF_COORDINATE
} mw_output_of;

// What a path must know besides positions, coordinates and drive forces.
enum { MW_SEES_RATE = 1, MW_SEES_ACCELERATION = 2, MW_SEES_REST = 4, MW_SEES_REACTION = 8 };

// What a path knows at an instant; only what observed outputs need is set.
typedef struct mw_seen {
  const mw_mech *m;
  // [rows of all fields]  positions in ground axes, m, their rates and accelerations, and the
  // positions of the undeformed mechanism at the same coordinates of the reduction
  const double *y, *y_dot, *y_ddot, *y_rest;
  const double *s;      // [n_coord]  m or rad
  const double *force;  // [n_drive]  N or N·m
  // [n_joint × 6]  force and moment of each joint on its body b at its point there, ground axes;
  // NULL: the path has none
  const double *reaction;
} mw_seen;

// Components that have a unit together and are compared as one.
typedef struct mw_output_part {
  const char *name;  // "" of the only one
  const char *unit;  // NULL: that of its coordinate or drive
  int from, n;
} mw_output_part;

// Which row of what it is of an observed output is, component by component, as exports know it.
typedef enum mw_output_rows {
  MW_ROWS_NONE,  // none
  MW_ROWS_VALUE,
  MW_ROWS_ELASTIC,  // less its value without elastic amplitudes
  MW_ROWS_RATE,
  MW_ROWS_ACCELERATION,
  MW_ROWS_FORCE,       // an input
  MW_ROWS_QUATERNION,  // of three points (turned.c), in the order of its components
  MW_ROWS_SPIN         // of three points and their rates
} mw_output_rows;

typedef struct mw_output_class {
  int width;
  const char *axis[MW_OUTPUT_WIDTH];  // [width]  names of the components, "" of a single one
  int n_part;
  mw_output_part part[MW_OUTPUT_PARTS];
  const char *variable;  // in run files; NULL: its key
  const char *doc;       // of that
  // ---- fields
  bool gauge;  // at points of elastic bodies, by their unknowns
  // von Mises' measure of a gauge s [6]; NULL: none
  double (*equivalent)(const double s[6]);
  // ---- what is observed
  mw_output_of of;
  unsigned needs;  // MW_SEES_…
  bool travel;     // its errors are measured by how far it goes, not by how large it is
  // y [width]; before [width]: at the instant before, NULL: there is none
  void (*see)(const mw_observed_in *o, const mw_seen *x, const double *before, double *y);
  mw_output_rows rows;
  const char *not_exported;  // why exports of reduced models have none, where rows is NONE
  // Of the difference d of two values of a part, in its unit; NULL: Euclidean
  double (*length)(const double *d);
} mw_output_class;

extern const mw_output_class *const mw_output_classes[MW_OUTPUT_KINDS];
const char *mw_output_key(mw_output_kind kind);  // its name, of observed ones the key

// ---- fields -------------------------------------------------------------------------------------

bool mw_output_is_gauge(const mw_output_in *o);            // stress or strain
int mw_output_width(const mw_output_in *o);                // 3 or 6
int mw_output_row(const mw_model *m, int k);               // k = n_output: number of all rows
const char *mw_output_axis(const mw_output_in *o, int i);  // "x" …, "xx" "yy" "zz" "xy" "yz" "zx"
const char *mw_output_unit(const mw_output_in *o);         // "m", "Pa", "1"

// y [rows of all fields]: rows of the stresses and strains on body b for its unknowns u [n_u]; the
// other rows are left alone. A rigid body has none.
void mw_mech_gauges(const mw_mech *m, int b, const double *u, double *y);

// von Mises stress (Pa) of a stress, equivalent strain (1) of a strain with engineering shear; s
// [6].
//   σ_v = √(3/2 dev σ : dev σ) ,  ε_v = √(2/3 dev ε : dev ε)
double mw_output_equivalent(mw_output_kind kind, const double s[6]);

// ---- what is observed ---------------------------------------------------------------------------

int mw_observed_width(const mw_observed_in *o);
int mw_observed_row(const mw_model *m, int k);  // first of observed output k among all rows
unsigned mw_observed_needs(const mw_model *m);  // MW_SEES_… of all
const char *mw_observed_unit(const mw_model *m, const mw_observed_in *o, int part);
// Of the difference d [n of the part] of two values.
double mw_observed_length(const mw_observed_in *o, int part, const double *d);

MW_API_END

#endif
