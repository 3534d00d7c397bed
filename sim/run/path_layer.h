// SPDX-License-Identifier: BSD-3-Clause
// path_layer.h: what a path is to the run loop (loop_layer.h): a table of functions on its own
// memory.
//
// A path moves the state of a mechanism by steps and knows what of it is stored. All else is the
// loop's: instants, kinks of signals, samples of controllers, limits of coordinates, what is stored
// and shown when, progress, the balance of energy.
#ifndef MW_SIM_PATH_LAYER_H
#define MW_SIM_PATH_LAYER_H

#include "base/part.h"
#include "base/progress.h"
#include "cosim/cosim_layer.h"
#include "limits_layer.h"
#include "reduction/romfile.h"
#include "sim/run.h"
#include "sim/watch.h"
#include "stability_layer.h"

// What a run is made of; all of it outlives the path's memory.
typedef struct mw_path_in {
  const mw_model *model;
  const mw_mech *mech;  // bodies as the path takes them
  const mw_scenario *sc;
  const char *name;        // of the path
  double step;             // s, asked for
  const void *opt;         // of the path: mw_dae_opt, mw_rigid_run_opt, mw_rom_run_opt
  const mw_rom_file *rom;  // of path gmp
  const mw_limit *limit;
  int n_limit;
  mw_cosim *cosim;  // units of the scenario, NULL: it has none; the loop opens and closes them
  mw_progress *progress;  // of a start that takes long, may be NULL
} mw_path_in;

// A step: [t, t + h].
typedef struct mw_span {
  double t, h;  // s
  double to;    // s, t + h but for rounding
  double end;   // s, the instant that the step leads to: to, or the kink just behind it
  double hard;  // s, no step of a path that chooses its own goes beyond
  double tau;   // s after t: they are sampled then; < 0: not in this step
  bool kink;    // signals may jump at the end, which is seen from the left
  // set by the path, or by the loop where a limit ends the step: the limit as mw_limits_outside
  // names it, -1: none; how long the step was, s
  int event;
  double took;
} mw_span;

enum { MW_PATH_PARTS = 96 };

typedef struct mw_path {
  const char *name;
  size_t bytes;  // of the path's memory, which starts as zeros
  // steps of one length, of which a whole number makes up a store interval; else each length of
  // time between two instants is divided evenly
  bool grid;
  bool lands;      // steps end at kinks and samples; else the path sees to them within its step
  bool positions;  // kinks of prescribed positions count, too
  bool times;      // measures r->wall_s itself
  // Allocates for steps of length h (s; 0: not on a grid); series of its own into r.
  mw_code (*open)(void *p, const mw_path_in *in, double h, mw_run *r, mw_error *err);
  // The state at t = 0; controllers are sampled there where the path lands.
  mw_code (*start)(void *p, mw_error *err);
  // What controllers drive, linearized at the start, and they; NULL: the rigid mechanism stands for
  // it.
  mw_code (*plant)(void *p, mw_arena *mem, mw_plant *out, const mw_control **c, mw_error *err);
  bool (*chooses)(const void *p);      // its own steps between two instants; NULL: never
  void (*coords)(void *p, double *s);  // joint coordinates at the state [n_coord]; NaN: unknown
  // Takes a step. MW_ERR_RANGE: coordinates leave what the mechanism is known for.
  mw_code (*step)(void *p, mw_span *sp, mw_error *err);
  // Keeps what within needs, before each step where there are limits; NULL: step sees to it.
  void (*keep)(void *p);
  // After a step, which failed or not: the state tau (s, < h) after its start. MW_ERR_RANGE: there
  // is none.
  mw_code (*within)(void *p, const mw_span *sp, bool failed, double tau, mw_error *err);
  // The state is that at the end of the step: work, and what else follows steps.
  mw_code (*accept)(void *p, const mw_span *sp, mw_error *err);
  // Stored instant k; the loop puts the time.
  mw_code (*observe)(void *p, int k, mw_run *r, mw_error *err);
  void (*show)(void *p, mw_snapshot *out);
  // After all that is done at a stored instant, which gave rc: what ranks that make the run
  // together go on with; NULL: rc.
  mw_code (*agree)(void *p, mw_code rc, mw_error *err);
  // What is remembered at a stored instant, into part [MW_PATH_PARTS]; the number of pieces, -1:
  // more than can be saved.
  int (*parts)(void *p, mw_part *part);
  // After pieces have been put in place: all that follows from them.
  mw_code (*resume)(void *p, mw_error *err);
  // Unknowns, totals, method and warnings into r.
  mw_code (*finish)(void *p, mw_run *r, mw_error *err);
  void (*close)(void *p);
} mw_path;

extern const mw_path mw_path_full, mw_path_body, mw_path_rigid, mw_path_gmp;

#endif
