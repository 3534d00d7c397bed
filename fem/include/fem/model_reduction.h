// SPDX-License-Identifier: BSD-3-Clause
// model_reduction.h: what the user's model file asks of its reduced model.
#ifndef MW_FEM_MODEL_REDUCTION_H
#define MW_FEM_MODEL_REDUCTION_H

#include <stdbool.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

typedef struct mw_coordinate_in {  // a coordinate of theta
  const char *name;
  mw_at at;
  int joint;
  double lo, hi;
  int n_grid;  // grid points, >= 4 (default 17 for one coordinate, 9 otherwise)
  int refine;  // table intervals a grid interval, 1 to 16 (default 8 with one coordinate, else 1)
  // declared largest rate and acceleration, m/s and m/s² (rad/s, rad/s²), > 0; 0: none declared
  double max_rate, max_acceleration;
  bool cyclic;     // an angle whose range is one full turn: everything repeats with it
  bool symmetric;  // the machine is its own mirror image about the middle of the range
} mw_coordinate_in;

typedef enum mw_table_form { MW_TABLE_AUTO = 0, MW_TABLE_FULL, MW_TABLE_COMPRESSED } mw_table_form;

typedef enum mw_inertia_form {
  MW_INERTIA_FULL,  // with the second order of the motion
  // deflections enter linearly: no stiffening by rotation, gravity, preload
  MW_INERTIA_FIRST_ORDER,
  MW_INERTIA_LEADING  // without convective and gyroscopic terms either
} mw_inertia_form;

enum { MW_MODEL_MAX_KEPT = 16 };
// A stiffness or a damping of a spring or a runner that follows a parameter.
typedef struct mw_kept_row {
  int joint, runner;  // runner of a slide, −1: a spring
  int axis;           // of damping or stiffness
  bool stiff;         // it is a stiffness
  double slope;       // N/m, N·m/rad, or these times s, a unit of the parameter
} mw_kept_row;

// A parameter that reduced models keep: what it changes is the mass of a frame whose position is an
// output, or stiffness and damping of springs and runners.
typedef struct mw_kept_in {
  const char *name;
  mw_at at;
  double lo, hi;      // range; reduced models are made in the middle of it
  double value;       // the model's
  double mass;        // kg a unit of the parameter
  int output;         // into outputs, −1: it is no mass
  double gravity[3];  // m/s², 0 where its body has none
  int n_row;
  mw_kept_row *row;  // [n_row]
} mw_kept_in;

typedef struct mw_reduction_in {
  bool present;
  mw_at at;
  int n_coordinate;
  mw_coordinate_in *coordinate;
  int n_modes;       // 0: by modes_below or modes_band (default 6)
  bool count_given;  // n_modes stands in the file, at modes_at
  mw_at modes_at;
  double modes_below;  // Hz, 0: not by it
  double modes_band;   // Hz, as many as the receptance from 0 to here needs; 0: not by it
  bool grid_auto;      // points are added until the certificate meets the tolerance
  // how the coefficients are stored: AUTO: compressed from three coordinates on
  mw_table_form table;
  double body_tolerance;  // of the bodies' bases, in receptance of their interfaces, default 1e-6
  double body_band;    // Hz, up to which that holds; 0: a quarter above the highest mode computed
  bool craig_bampton;  // set: craig-bampton, default rubin
  mw_inertia_form inertia;  // default full
  bool pattern_outputs, pattern_drives, pattern_acceleration, pattern_gravity,
      pattern_dampers;  // default true
  double
      floating;  // Hz, patterns are judged without modes below it, which are held by what uses the
                 // reduced model as a component; 0: there are none
  double *max_input;  // [n_drive]  declared largest forces, N (N·m), > 0; 0: none declared
  // declared largest elastic deflection of outputs, m, > 0; 0: a third of the machine's size
  // (default); INFINITY: none
  double max_deflection;
  double tolerance;   // relative frequency error asked of the certificate, default 1e-3
  int n_certificate;  // Halton points on the meshes, default 8
  int n_sample;       // random points on the bodies' bases, default 200
  // largest relative error of receptances in the band asked of the certificate, 0: none asked for
  double receptance;
  double band;       // Hz, upper end of the certificate's band, 0: the highest mode asked for
  int n_kept;        // parameters that reduced models keep
  mw_kept_in *kept;  // [n_kept]
  int n_judge;       // scenarios that are run by the full and the reduced path
  int *judge;        // [n_judge]  into scenarios
} mw_reduction_in;

MW_API_END

#endif
