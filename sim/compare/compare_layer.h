// SPDX-License-Identifier: BSD-3-Clause
// compare_layer.h: several paths of one scenario and their differences from the full mechanism.
#ifndef MW_SIM_COMPARE_LAYER_H
#define MW_SIM_COMPARE_LAYER_H

#include "sim/case.h"
#include "view/picture_layer.h"

enum { MW_COMPARE_MAX_PATH = 8 };
// Paths whose own errors in time are estimated: run by half and a quarter of their step, too.
enum { MW_HALVED_FULL, MW_HALVED_GMP, MW_HALVED };

// What a path errs by in time in a quantity, in its unit (compare_time.c); NaN: not estimated.
typedef struct mw_own_error {
  double own;    // largest
  double known;  // how exactly the motion without it is known
  double order;  // by which the error falls with the step, NaN: rounding
} mw_own_error;

// What is compared: the position of an output, its stress or strain, a coordinate of theta, or a
// part of an observed output.
typedef struct mw_quantity {
  const char *name;  // of the output or the coordinate ("theta.x" where an output is called so too)
  const char *unit;
  int output;          // position: into mw_run.out, else -1
  int gauge;           // stress, strain: into mw_run.gauge, else -1
  int coord;           // joint coordinate, else -1
  int observed, part;  // observed output of the model, and which part of it, else -1
  // peak elastic deflection, von Mises stress or length of the full path, travel of a coordinate or
  // of an observed output that is measured so; NaN: unknown
  double scale;
  double still;  // what moves by less stands still: its scale is 0
  mw_own_error time[MW_HALVED];
} mw_quantity;

typedef struct mw_comparison {
  const mw_case *c;
  const mw_scenario *sc;
  const char *command;
  const mw_rom_file *rom;  // of the path gmp, NULL: not run
  int n_path;
  // "rigid", "body", "gmp", "full", "full_halved", "full_quartered", "gmp_halved", "gmp_quartered"
  const char *label[MW_COMPARE_MAX_PATH];
  mw_run run[MW_COMPARE_MAX_PATH];
  int full;               // index of the reference, -1: it was not run
  int halved[MW_HALVED];  // index of the path by half its step, a quarter's follows; 0: not run
  int n_quantity, n_t;
  int n_judged;  // quantities that certificates speak for: those before the observed outputs
  mw_quantity *quantity;
  // outputs of the undeformed mechanism at the full path's theta; without a theta: its start
  double *base;                  // [n_t × 3 n_out]
  double *diff;                  // [n_path × n_quantity × n_t]  |difference from full|
  double *max, *rms, *relative;  // [n_path × n_quantity]
  // [n_path × n_quantity]  largest difference without the full path's own error in time, of the
  //                        path
  // gmp without its own as well; NaN
  double *rest;
  // motions for the page: frames at stored instants 0, every, 2 every, …; none where frames is 0
  int frames, every;
  mw_film film[MW_COMPARE_MAX_PATH];  // of the paths that were asked for; of gmp its states
  mw_arena mem;
} mw_comparison;

// Index of a path by its label, -1: it is not run.
int mw_comparison_path(const mw_comparison *q, const char *label);
// The full path and, if it is run, the path gmp by half and by a quarter of their steps, behind the
// others.
void mw_comparison_halve(mw_comparison *q);
// Path that is run by half its step, -1: it is not among the paths.
int mw_comparison_halved_path(const mw_comparison *q, int halved);
// Has the runs of all paths keep their motions, as many frames as memory allows.
void mw_comparison_film(mw_comparison *q);
// Runs path i by opt (its step, 0: the scenario's) into q->run[i]; before the same by parts of its
// step.
MW_MUST_USE mw_code mw_comparison_run(mw_comparison *q, int i, const mw_path_opt *opt,
                                      mw_error *err);
// The quantities, without scales.
MW_MUST_USE mw_code mw_comparison_list(mw_comparison *q, mw_error *err);
// Differences of all runs from the full one: needs c, sc, n_path, label, run, full. NaN without a
// full path.
//   max, rms: over the stored instants, of the Euclidean length;  relative = max / scale
MW_MUST_USE mw_code mw_comparison_build(mw_comparison *q, mw_error *err);
// What path i errs by in quantity k over the scale, without own errors in time where these are
// estimated; INFINITY: it moves while the full path stands still; NaN: the path does not have it.
double mw_comparison_error(const mw_comparison *q, int i, int k);
// How exactly the difference of the path gmp from the full one is known in quantity k, in its unit;
// NaN: not estimated.
double mw_comparison_known(const mw_comparison *q, int k);
// compare_time.c: own errors of the quantities, and rest. MW_ERR_MEMORY.
MW_MUST_USE mw_code mw_comparison_time(mw_comparison *q, mw_error *err);
// Values of quantity k of a run at stored instant t, [*n]: at most 6; NULL: the path has none. The
// length of a difference d of two of them.
const double *mw_quantity_at(const mw_run *r, const mw_quantity *a, int t, int *n);
double mw_quantity_length(const mw_run *full, const mw_quantity *a, const double *d);
void mw_comparison_free(mw_comparison *q);

// compare.nc, compare.svg and report.html in a folder.
MW_MUST_USE mw_code mw_comparison_write(const mw_comparison *q, const char *dir, mw_error *err);

// The runs and their differences as one page without network (page/comparepage.c).
MW_MUST_USE mw_code mw_comparison_page(const mw_comparison *q, const char *path, mw_error *err);

#endif
