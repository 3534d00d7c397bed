// SPDX-License-Identifier: BSD-3-Clause
// elastic_reach.h: accessible dynamics of a reduced model: what limits of drives and of deflections
// leave along a path, motions along it in time, and how they vibrate.
#ifndef MW_SIM_ELASTIC_REACH_H
#define MW_SIM_ELASTIC_REACH_H

#include "base/api.h"
#include "reduction/romfile.h"
#include "sim/accessible.h"
#include "sim/run.h"

MW_API_BEGIN

// ---- along a path (analyze/elastic_path.c) ------------------------------------------------------

// Deflections of positions against the undeformed machine, to first order, where nothing swings:
//   y = a p̈ + b ṗ² + f ṗ + c          drives' forces of least norm
typedef struct mw_elastic_path {
  mw_path_dynamics d;  // in the coordinates of the reduction
  int n_out, *output;  // [n_out]  into the model's outputs, positions
  int *field;          // [n_out × 3]  of the reduced model
  double *a, *b, *f, *c;  // [n × n_out × 3]  ground axes, m, of p̈, ṗ² (1/s²), ṗ (1/s), at rest
  double *force;          // [n × 4 × n_drive]  of least norm, of p̈, ṗ², ṗ, at rest
  double *hz;             // [n]  lowest frequency with the coordinates held
} mw_elastic_path;

// At ascending p [n] from coordinates near theta [s] on. limits: drives with none above 0 give
// nothing. MW_ERR_INPUT: the path names what the reduced model does not know (angles), does not say
// all of the motion; end stops, friction that falls with the speed. MW_ERR_NUMERIC: the path leaves
// the range of the reduction or is singular, at which p.
MW_MUST_USE mw_code mw_elastic_path_find(const mw_mech *m, const mw_rom_file *rom,
                                         const mw_tool_path *path, const double *theta,
                                         const mw_drive_limits *limits, int n_out,
                                         const int *output, int n, const double *p, mw_arena *mem,
                                         mw_elastic_path *out, mw_error *err);
// Limits |y| <= most [n_out] (m; INFINITY: none) as further half-planes o->d.bound, which lie
// within; moving: c does not count.
MW_MUST_USE mw_code mw_elastic_path_bound(mw_elastic_path *o, const mw_drive_limits *limits,
                                          const double *most, bool moving, mw_arena *mem,
                                          mw_error *err);
// Largest |y| of output k at point i.
double mw_elastic_path_deflection(const mw_elastic_path *o, int i, int k, double rate,
                                  double acceleration, bool moving);

// ---- in time (analyze/elastic_move.c) -----------------------------------------------------------

typedef struct mw_elastic_move {
  double rise;      // rise time of accelerations over the lowest period there
  double duration;  // s, from rest to rest
  int n;            // instants, to the end of three periods at rest
  double *t;        // [n]
  double *p;        // [n]
  double *y;        // [n × n_out × 3]  deflection, m
  // [n_out]  m: largest |y|; largest without swinging, of the traversal; at rest, how far it swings
  double *largest, *still, *residual;
  double step;         // s
  const char *beyond;  // of the run: what the certificate promises nothing for, NULL: nothing
} mw_elastic_move;

// p of the traversal at t, each of its accelerations risen to over `rise` lowest periods where the
// path is: the mean of p over that time. Ends at *duration.
typedef struct mw_risen {
  const mw_traversal *traversal;
  const mw_elastic_path *path;
  double rise;
  double *area;  // [n]  integral of p over time up to the traversal's points
} mw_risen;
MW_MUST_USE mw_code mw_risen_open(const mw_traversal *t, const mw_elastic_path *o, double rise,
                                  mw_arena *mem, mw_risen *out, mw_error *err);
double mw_risen_at(const mw_risen *r, double t);
double mw_risen_duration(const mw_risen *r);

// Runs the reduced model along the path, coordinates prescribed, what other drives do the forces of
// least norm. MW_ERR_INPUT: a coordinate has no drive; MW_ERR_RANGE, MW_ERR_NUMERIC: of the run.
MW_MUST_USE mw_code mw_elastic_move_run(const mw_model *model, const mw_mech *m,
                                        const mw_rom_file *rom, const mw_elastic_path *o,
                                        const mw_traversal *traversal, double rise, bool moving,
                                        mw_arena *mem, mw_elastic_move *out, mw_error *err);

MW_API_END

#endif
