// SPDX-License-Identifier: BSD-3-Clause
// analyze_layer.h: what analyses found, as files: netCDF and pictures.
#ifndef MW_SIM_ANALYZE_LAYER_H
#define MW_SIM_ANALYZE_LAYER_H

#include "draw/plot_layer.h"
#include "reduction/buckling.h"
#include "reduction/ncfile.h"
#include "sim/accessible.h"
#include "sim/analyze.h"
#include "sim/elastic_reach.h"
#include "sim/feed_forward.h"
#include "sim/kinematics.h"
#include "sim/linearize.h"
#include "sim/minimal.h"
#include "sim/statics.h"

// What an analysis is of: a model, or a reduced one.
typedef struct mw_analysis {
  const char *what, *name, *hash;  // the topic; of the model
  const char *command;             // how the program was called, NULL: not by it
} mw_analysis;

// Begins a netCDF file of an analysis; closed by mw_ncw_close.
void mw_analysis_begin(mw_ncw *w, const mw_analysis *of);
// The same for the analysis `what` of a mechanism.
void mw_analysis_open(mw_ncw *w, const mw_mech *m, const char *what, const char *command);
// Dimensions with names as variables: coordinates of the mechanism, drives of its model, the k
// coordinates in coord as `name`, n texts x as `name`. They return the dimension; without
// memory -1, and mw_ncw_close fails.
int mw_analysis_coordinates(mw_ncw *w, const mw_mech *m);
int mw_analysis_drives(mw_ncw *w, const mw_mech *m);
int mw_analysis_some(mw_ncw *w, const mw_mech *m, const char *name, const char *meaning, int k,
                     const int *coord);
int mw_analysis_names(mw_ncw *w, const char *name, const char *meaning, int n,
                      const char *const *x);
// A panel of k curves x [n × k] over times t [n], named; memory from mem.
void mw_analysis_curves(int n, const double *t, int k, const double *x, const char *const *name,
                        const char *title, mw_arena *mem, mw_panel *out);
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

typedef struct mw_linearized {  // what was found at a state; borrows all of it
  const mw_state_space *s;
  const mw_pole *pole;  // [n_x]
  int n_w;
  const double *w;  // [n_w]                       rad/s
  const double *H;  // [n_y × n_u × 2 × n_w]
  int to, from;     // the response that is drawn alone, and the loop of the locus; -1: all
  int n_gain;       // 0: no locus
  const double *gain, *re, *im;  // [n_gain], [n_gain × n_x]
} mw_linearized;
MW_MUST_USE mw_code mw_linearized_write(const mw_analysis *of, const mw_linearized *o,
                                        const char *path, mw_error *err);
// Poles, moduli and phases over frequency, the root locus. SVG.
MW_MUST_USE mw_code mw_linearized_picture(const mw_linearized *o, const char *path, mw_error *err);

// Equilibria, and a path of them over a load factor; NULL: not asked for.
MW_MUST_USE mw_code mw_statics_write(const mw_mech *m, const mw_equilibria *e,
                                     const mw_load_path *path, const char *file,
                                     const char *command, mw_error *err);
// Eigenvalues of the equilibria, or the path: factor over coordinates, least eigenvalue. SVG.
MW_MUST_USE mw_code mw_statics_picture(const mw_mech *m, const mw_equilibria *e,
                                       const mw_load_path *path, const char *file, mw_error *err);

typedef struct mw_elastic_found {  // how an elastic mechanism gives way
  mw_elastic_rest rest;
  bool sought;           // critical factors were
  mw_buckling critical;  // n 0: none
  double lo, hi;         // factors that were asked for; alike: none
  const char *left_out;  // why critical factors were not looked for, NULL: they were, or no load
} mw_elastic_found;
MW_MUST_USE mw_code mw_elastic_write(const mw_mech *m, const mw_elastic_found *f, const char *path,
                                     const char *command, mw_error *err);
// Displacements of outputs over the factor. SVG.
MW_MUST_USE mw_code mw_elastic_picture(const mw_mech *m, const mw_elastic_found *f,
                                       const char *path, mw_error *err);

// Equations at a state, and what they are over a work space (map NULL: not asked for).
MW_MUST_USE mw_code mw_minimal_write(const mw_mech *m, const mw_minimal *o, const mw_over *over,
                                     const mw_minimal_map *map, const char *file,
                                     const char *command, mw_error *err);
// Eigenvalues of M and Λ, condition and manipulability over one or two coordinates. SVG.
MW_MUST_USE mw_code mw_minimal_picture(const mw_mech *m, const mw_over *over,
                                       const mw_minimal_map *map, const char *file, mw_error *err);

MW_MUST_USE mw_code mw_kinematics_write(const mw_mech *m, const mw_kinematics *o, const char *path,
                                        const char *command, mw_error *err);
// Coordinates, rates and accelerations over time. SVG.
MW_MUST_USE mw_code mw_kinematics_picture(const mw_mech *m, const mw_kinematics *o,
                                          const char *path, mw_error *err);

MW_MUST_USE mw_code mw_drive_motion_write(const mw_mech *m, const mw_drive_motion *o,
                                          const char *path, const char *command, mw_error *err);
// Forces and powers of drives over time. SVG.
MW_MUST_USE mw_code mw_drive_motion_picture(const mw_mech *m, const mw_drive_motion *o,
                                            const char *path, mw_error *err);

// rom: what it is of.
MW_MUST_USE mw_code mw_feed_write(const mw_mech *m, const mw_rom_file *rom,
                                  const mw_feed_forward *o, const char *path, const char *command,
                                  mw_error *err);
// What coordinates lead the motion by, forces of drives, errors of the tool over time. SVG.
MW_MUST_USE mw_code mw_feed_picture(const mw_mech *m, const mw_rom_file *rom,
                                    const mw_feed_forward *o, const char *path, mw_error *err);

typedef struct mw_elastic_reach {  // what a reduced model knows besides; borrows all of it
  const mw_elastic_path *path;
  const double *most;       // [path->n_out]  bounds of deflections, m
  const mw_regions *alone;  // of limits of drives
  int n_move;
  const mw_elastic_move *move;  // [n_move]
} mw_elastic_reach;
typedef struct mw_accessible {  // what was found along a path; borrows all of it
  const char *path;             // as it was given
  const mw_path_dynamics *dynamics;
  const mw_drive_limits *limits;
  const mw_regions *regions;
  const mw_traversal *traversal;    // NULL: there is none
  const mw_elastic_reach *elastic;  // NULL: of rigid bodies
} mw_accessible;
MW_MUST_USE mw_code mw_accessible_write(const mw_mech *m, const mw_accessible *o, const char *path,
                                        const char *command, mw_error *err);
// Largest speeds over the path, borders of regions, forces of the traversal. SVG.
MW_MUST_USE mw_code mw_accessible_picture(const mw_mech *m, const mw_accessible *o,
                                          const char *path, mw_error *err);

#endif
