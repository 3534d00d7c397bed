// SPDX-License-Identifier: BSD-3-Clause
// import_layer.h: models from files of other programs: URDF, MJCF, STEP.
#ifndef MW_SIM_IMPORT_LAYER_H
#define MW_SIM_IMPORT_LAYER_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct mw_import_opt {
  double density;  // kg/m³, of CAD files; 0: not given
  bool free_base;  // URDF: the root link moves freely; else it is fixed to ground
} mw_import_opt;

typedef struct mw_import_note {  // something that was not taken over, or changed
  mw_at at;
  const char *text;
} mw_import_note;

typedef struct mw_import_result {
  const char *kind;  // "urdf", "mjcf", "cad"
  const char *text;  // the model file
  // Is it a model as it stands? CAD files give bodies; joints are proposed as
  // comments.
  bool whole;
  int n_body, n_joint, n_proposed;
  int n_note;
  const mw_import_note *note;  // [n_note]  in the order of the file
} mw_import_result;

// Makes the text of a model file from the file at path, by its ending and its
// first element.
//   mem  keeps the result
// MW_ERR_INPUT at the line to blame: not such a file, or nothing that a model
// can be made of.
MW_MUST_USE mw_code mw_import_read(const char *path, const mw_import_opt *opt, mw_arena *mem,
                                   mw_import_result *out, mw_error *err);

#endif
