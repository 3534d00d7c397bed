// SPDX-License-Identifier: BSD-3-Clause
// case.h: a model file as a mechanism that can run, its scenarios, and a run of one by any path.
#ifndef MW_SIM_CASE_H
#define MW_SIM_CASE_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/progress.h"
#include "fem/mech.h"
#include "reduction/romfile.h"
#include "sim/controller.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"
#include "sim/run.h"

MW_API_BEGIN

typedef struct mw_series mw_series;  // writes pictures while a run proceeds, run/series_layer.h

// A model with its bodies and the full mechanism. Must not be copied or moved: the mechanism
// borrows the model.
typedef struct mw_case {
  mw_model model;
  mw_body *body;  // [model.n_body]
  mw_mech mech;
  mw_arena mem;
} mw_case;

MW_MUST_USE mw_code mw_case_read(const char *path, mw_case *c, mw_error *err);
// Reads the model with the changes of edit, which may be NULL.
MW_MUST_USE mw_code mw_case_read_edited(const char *path, const mw_model_edit *edit, mw_case *c,
                                        mw_error *err);
// The same as its reduced model is made: parameters that this keeps are in the middle of their
// ranges.
MW_MUST_USE mw_code mw_case_read_middle(const char *path, const mw_model_edit *edit, mw_case *c,
                                        mw_error *err);
void mw_case_free(mw_case *c);
// Says whether the first bytes of a file are those of netCDF-4: a reduced model, which names the
// model file it was made from.
bool mw_file_is_netcdf(const char *path);
// Unknowns of a mechanism: elastic ones, twelve a moving frame, one a joint coordinate.
int mw_mech_unknowns(const mw_mech *m);

MW_MUST_USE mw_code mw_scenario_find(const mw_model *m, const char *name, const mw_scenario **out,
                                     mw_error *err);
// Reads "x=0.3,y=0.1" into theta [n coordinates of the reduction]; every coordinate must occur
// once. MW_ERR_INPUT: unknown, repeated or missing coordinate.
MW_MUST_USE mw_code mw_theta_read(const mw_model *m, const char *text, double *theta,
                                  mw_error *err);
// The same for the coordinates of a reduced model.
MW_MUST_USE mw_code mw_rom_theta_read(const mw_rom_file *f, const char *text, double *theta,
                                      mw_error *err);
// Reads a reduced model and checks that it was made from this model. MW_ERR_INPUT: it was not.
MW_MUST_USE mw_code mw_rom_of_case(const mw_case *c, const char *path, mw_rom_file *out,
                                   mw_error *err);
// One path of a simulation: "rigid", "body", "gmp" (rom), "full".
typedef struct mw_path_opt {
  double step;                  // s, 0: the scenario's
  const mw_rom_file *rom;       // for gmp
  const mw_rom_method *method;  // for gmp, NULL: romrun.h says which
  int body_modes;               // for body
  bool truncated;               // for body: interface modes cut
  const mw_rigid_in *rigid;     // for rigid: method and tolerances, NULL: the scenario's
  mw_progress *progress;
  mw_series *series;                // pictures of the run, NULL: none
  const mw_controller *controller;  // for full and body (dae.h)
  const mw_team *team;              // for rigid: ranks that make the run together (rigidrun.h)
} mw_path_opt;
MW_MUST_USE mw_code mw_path_run(const mw_case *c, const mw_scenario *sc, const char *path,
                                const mw_path_opt *opt, mw_run *out, mw_error *err);
double mw_run_real_time_factor(const mw_run *r);  // simulated over wall time, of the stepping
double mw_run_residual(const mw_run *r);          // largest of the series

MW_API_END

#endif
