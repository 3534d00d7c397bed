// SPDX-License-Identifier: BSD-3-Clause
// analyze_reach_priv.h: what the files of modeway analyze MODEL|ROM.nc reach share.
#ifndef MW_SIM_CLI_ANALYZE_REACH_PRIV_H
#define MW_SIM_CLI_ANALYZE_REACH_PRIV_H

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"
#include "sim/elastic_reach.h"

enum { MW_REACH_MOVES = 2 };

typedef struct mw_reach_job {
  mw_case c;
  mw_position at;
  mw_tool_path path;
  mw_drive_limits limits;
  mw_path_dynamics dynamics;
  mw_regions regions;
  mw_traversal traversal;
  mw_error why;  // there is no traversal
  mw_accessible o;
  // of a reduced model
  bool reduced, moving;  // deflections at rest do not count
  mw_rom_file rom;
  double theta[MW_ROM_MAX_S], rise;
  int n_out, *output;
  double *most;  // [n_out]  m
  mw_elastic_path elastic, fine;
  mw_regions alone;        // of limits of drives
  mw_traversal unbounded;  // likewise
  double duration;         // of that, s; NAN: there is none
  mw_elastic_reach deflect;
  mw_elastic_move move[MW_REACH_MOVES];
  mw_error why_no_move;
} mw_reach_job;

// Reads the reduced model and the options that belong to one.
MW_MUST_USE mw_code mw_reach_reduced_read(const mw_args *a, mw_reach_job *j, mw_error *err);
// Regions at p [n] with and without bounds of deflections, the traversal, motions in time.
MW_MUST_USE mw_code mw_reach_reduced_find(mw_reach_job *j, int n, const double *p, int intervals,
                                          mw_error *err);
void mw_reach_reduced_text(const mw_reach_job *j);
void mw_reach_reduced_json(mw_json *w, const mw_reach_job *j);

#endif
