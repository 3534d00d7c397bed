// SPDX-License-Identifier: BSD-3-Clause
// runpicture_layer.h: what a run recorded, as a picture.
#ifndef MW_SIM_RUNPICTURE_LAYER_H
#define MW_SIM_RUNPICTURE_LAYER_H

#include "sim/run.h"

// Coordinates, distances of outputs from their start, equivalent stresses and forces of drives over
// time, at most twelve each, as FILE.svg or FILE.html. MW_ERR_INPUT: another ending.
MW_MUST_USE mw_code mw_run_picture(const mw_run *r, const char *path, mw_error *err);

#endif
