// SPDX-License-Identifier: BSD-3-Clause
// study_layer.h: a model at all combinations of values of its parameters, and what it is there.
#ifndef MW_SIM_STUDY_LAYER_H
#define MW_SIM_STUDY_LAYER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "sim/accessible.h"

enum { MW_STUDY_MAX_VARIED = 8, MW_STUDY_MAX_POINTS = 100000, MW_STUDY_TEXT = 256 };

typedef struct mw_varied {
  char path[128];  // of the model file, as --set has it
  double lo, hi;   // in the model's units
  int n;           // values, lo to hi; 0: as the design has them
} mw_varied;

// Which points (design.c).
typedef enum mw_design_kind { MW_DESIGN_GRID = 0, MW_DESIGN_LATIN, MW_DESIGN_SOBOL } mw_design_kind;
typedef struct mw_design {
  mw_design_kind kind;
  int n;                    // points; GRID: not read
  unsigned long long seed;  // same seed, same points; SOBOL: 0 leaves the sequence as it is
} mw_design;

// What a model is judged by, any of them together.
enum {
  MW_OF_FREQUENCIES = 1,   // Hz, with the coordinates held, without the weight's stiffness
  MW_OF_COMPLIANCES = 2,   // m/N or rad/(N m), of every unit load
  MW_OF_ACCELERATION = 4,  // m/s², that limits of drives leave the tool in every direction at rest
  // least along a path: of p̈ from the slowest motion, both ways, 1/s², of the largest ṗ, 1/s
  MW_OF_START = 8,
  MW_OF_BRAKE = 16,
  MW_OF_SPEED = 32,
  MW_OF_DURATION = 64,  // s, of the fastest traversal
  // of a run: largest values of what is recorded; when positions are still, s; how far they swing
  // about that while no reference moves, m
  MW_OF_LARGEST = 128,
  MW_OF_SETTLING = 256,
  MW_OF_RESIDUAL = 512,
  // largest error of the reduced model's certificate over what it may be, and that of frequencies
  MW_OF_CERTIFICATE = 1024,
  MW_OF_DEFAULT = 3,
  MW_OF_PATH = 120,  // those that are of a path
  MW_OF_RUN = 896    // of a run
};

typedef struct mw_study_in {
  const char *model;        // file
  int n_set;                // changes besides
  const char *const *set;   // [n_set]
  const char *at;           // coordinates of the reduction, as --at; NULL: there are none
  unsigned of;              // MW_OF_*
  const char *only;         // text of --of, whose WORD:NAME leave one output; NULL: all
  const char *path, *tool;  // of reach: as its options; NULL: none, the first output that moves
  mw_limits_text limits;    // of drives
  const char *scenario;     // of runs; NULL: none
  const char *run;          // path of runs: "rigid", "body", "full", "gmp"
  double within;            // m, of settling; 0: WITHIN of how far the output was off at most
  int n_varied, n_modes;
  mw_varied varied[MW_STUDY_MAX_VARIED];
  mw_design design;  // default: all combinations
  int workers;
  const char *journal;  // file that keeps finished points until the study is done
} mw_study_in;

typedef struct mw_study {
  int n_varied, n_criterion, n_point, n_failed, n_found;  // found: finished before
  const char **path;                                      // [n_varied]
  const char **name, **unit;                              // [n_criterion]
  int *aim;                  // [n_criterion]  1: small, -1: large, 0: no aim
  double *x;                 // [n_point × n_varied]  of all combinations the last one fastest
  double *value;             // [n_point × n_criterion]  NAN where a point failed
  const char **reason;       // [n_point]  why it failed; NULL: it did not
  const char *title, *hash;  // of the model as its file and --set have it
  bool alone;  // one process did all points: MPI ran already, and does not go through forks
} mw_study;

// Where --within is not given, of the largest distance of an output from where it comes to rest.
#define MW_STUDY_WITHIN 1e-3

// "section.bar.A=1e-4:3e-4:5" as one of in, or without its number of values. MW_ERR_INPUT.
MW_MUST_USE mw_code mw_varied_read(const char *text, size_t n, mw_varied *out, mw_error *err);

// "frequencies,duration" as MW_OF_*; compliances, largest, settling and residual also of one
// output, "settling:tool". MW_ERR_INPUT.
MW_MUST_USE mw_code mw_criteria_read(const char *text, unsigned *of, mw_error *err);

// "lhs:40" or "sobol:64", the seed as it is. MW_ERR_INPUT.
MW_MUST_USE mw_code mw_design_read(const char *text, mw_design *out, mw_error *err);

// All points of the design, by `workers` processes. Points that fail (a value that the
// model refuses) are kept with their reason; where nothing can be evaluated as the file has it,
// that is the error. Processes are forked: nothing may have computed by several threads of OpenMP
// before (mw_blas_serial). Arrays from mem. The journal is removed by mw_study_done.
MW_MUST_USE mw_code mw_study_run(const mw_study_in *in, mw_arena *mem, mw_study *out,
                                 mw_error *err);
void mw_study_done(const mw_study_in *in);

MW_MUST_USE mw_code mw_study_write(const mw_study *s, const char *command, const char *path,
                                   mw_error *err);
// Parallel coordinates and a table, one file without network.
MW_MUST_USE mw_code mw_study_page(const mw_study *s, const char *path, mw_error *err);

// Parallel coordinates as FILE.svg or FILE.html, points that none beats red.
MW_MUST_USE mw_code mw_study_parallel(const mw_study *s, const char *path, mw_error *err);

// ---- points that none beats (study/pareto.c) ----------------------------------------------------

// "frequency 1=large,duration" makes these criteria, and no others, aims of s; without = the way of
// the criterion itself. MW_ERR_INPUT: no such criterion.
MW_MUST_USE mw_code mw_study_aims(const char *text, mw_study *s, mw_error *err);
// Marks in best [n_point] the points that no other one beats: it is as good in all aims, and better
// in one, to 1e-9 of each. Failed points, and those without a value of an aim, are not among them.
// Their number.
int mw_study_unbeaten(const mw_study *s, unsigned char *best);
// All points over each pair of the first MW_PARETO_AIMS aims, those that none beats in all aims
// marked. MW_ERR_INPUT: fewer than two aims.
enum { MW_PARETO_AIMS = 4 };
MW_MUST_USE mw_code mw_study_picture(const mw_study *s, const char *path, mw_error *err);

#endif
