// SPDX-License-Identifier: BSD-3-Clause
// analyze_layer.h: what analyses found, as files: netCDF and pictures.
#ifndef MW_SIM_ANALYZE_LAYER_H
#define MW_SIM_ANALYZE_LAYER_H

#include "sim/analyze.h"

// motion NULL: none was followed. command: how the program was called, NULL: not by it.
MW_MUST_USE mw_code mw_mobility_write(const mw_mech *m, const mw_mobility *o,
                                      const mw_motion *motion, int coord, const char *path,
                                      const char *command, mw_error *err);
// Singular values; beside them coordinates and the smallest singular value along the motion. SVG.
MW_MUST_USE mw_code mw_mobility_picture(const mw_mech *m, const mw_mobility *o,
                                        const mw_motion *motion, int coord, const char *path,
                                        mw_error *err);

#endif
