// SPDX-License-Identifier: BSD-3-Clause
// analyze_layer.h: what analyses found, as files: netCDF and pictures.
#ifndef MW_SIM_ANALYZE_LAYER_H
#define MW_SIM_ANALYZE_LAYER_H

#include "draw/plot_layer.h"
#include "reduction/ncfile.h"
#include "sim/accessible.h"
#include "sim/analyze.h"

// Begins a netCDF file of the analysis `what`; closed by mw_ncw_close. command: how the program was
// called, NULL: not by it.
void mw_analysis_open(mw_ncw *w, const mw_mech *m, const char *what, const char *command);
// Panels below each other as SVG.
MW_MUST_USE mw_code mw_analysis_draw(const char *path, int n_panel, const mw_panel *panel,
                                     mw_error *err);

// motion NULL: none was followed.
MW_MUST_USE mw_code mw_mobility_write(const mw_mech *m, const mw_mobility *o,
                                      const mw_motion *motion, int coord, const char *path,
                                      const char *command, mw_error *err);
// Singular values; beside them coordinates and the smallest singular value along the motion. SVG.
MW_MUST_USE mw_code mw_mobility_picture(const mw_mech *m, const mw_mobility *o,
                                        const mw_motion *motion, int coord, const char *path,
                                        mw_error *err);

MW_MUST_USE mw_code mw_drive_motion_write(const mw_mech *m, const mw_drive_motion *o,
                                          const char *path, const char *command, mw_error *err);
// Forces and powers of drives over time. SVG.
MW_MUST_USE mw_code mw_drive_motion_picture(const mw_mech *m, const mw_drive_motion *o,
                                            const char *path, mw_error *err);

typedef struct mw_accessible {  // what was found along a path; borrows all of it
  const char *path;             // as it was given
  const mw_path_dynamics *dynamics;
  const mw_drive_limits *limits;
  const mw_regions *regions;
  const mw_traversal *traversal;  // NULL: there is none
} mw_accessible;
MW_MUST_USE mw_code mw_accessible_write(const mw_mech *m, const mw_accessible *o, const char *path,
                                        const char *command, mw_error *err);
// Largest speeds over the path, borders of regions, forces of the traversal. SVG.
MW_MUST_USE mw_code mw_accessible_picture(const mw_mech *m, const mw_accessible *o,
                                          const char *path, mw_error *err);

#endif
