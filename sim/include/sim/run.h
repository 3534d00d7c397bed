// SPDX-License-Identifier: BSD-3-Clause
// run.h: the results of a simulation, the same for every path.
#ifndef MW_SIM_RUN_H
#define MW_SIM_RUN_H

#include "base/api.h"
#include "base/arena.h"
#include "base/part.h"
#include "fem/control.h"
#include "fem/mech.h"

MW_API_BEGIN

// Time series at n_t stored instants. Names of coordinates, outputs and drives are those of the
// model.
typedef struct mw_run {
  const char *path;  // "rigid", "body", "gmp", "full"
  const char *scenario;
  const char *command;    // how the program was called, for the history (borrowed; NULL: unknown)
  const mw_model *model;  // borrowed
  int n_t, n_coord, n_drive;
  int n_out, n_gauge;  // outputs that are positions, and those that are stress or strain
  int *out, *gauge;    // [n_out], [n_gauge]  into the model's outputs
  double *t;           // [n_t]            s
  double *s;      // [n_t × n_coord]  joint coordinates, m or rad; NaN where the ROM has no field
  double *s_dot;  // [n_t × n_coord]
  double *y;      // [n_t × 3 n_out]  output positions, ground axes, m
  // [n_t × n_gauge × 6]  xx yy zz xy yz zx, body axes, Pa or 1; NULL: the path has none
  double *stress;
  double *seen;     // [n_t × rows of all]  observed outputs (fem/output.h); NaN: unseen
  unsigned unseen;  // MW_SEES_… that the path does not know, by name in the notes
  double *force;    // [n_t × n_drive]  drive forces, N or N·m
  double *kinetic, *potential;  // [n_t]     J
  double *work;                 // [n_t]  work of drives minus dissipation since the start, J
  // [n_t]  largest position constraint residual, m or 1; NaN for the ROM: its columns keep them
  double *residual;
  // rigid path, else NULL (mw_run_init_rigid)
  double *residual_v;  // [n_t]  largest velocity constraint residual, m/s or 1/s
  double *residual_a;  // [n_t]  largest acceleration constraint residual, m/s² or 1/s²
  // [n_t × n_joint × 6]  force N and moment N·m of each joint on its body b, ground axes
  double *reaction;
  int *redundant;  // [n_t × n_joint]  redundant rows of each joint: its reaction is the least one
  int n_joint;
  // paths full and body, else NULL: largest rotation of each body's nodes and frames against the
  // body's own frame (turn.h)
  int n_body;
  double *turn, *turn_t;  // [n_body]  rad; when, s
  bool *linear;           // [n_body]  its strains
  double *spin;           // [n_body]  rad/s, largest turning rate of its frame
  // joints with teeth, else NULL: largest moments on body b of the sense of their flanks and
  // against it, N·m, and when the latter, s (run/flank.c)
  int n_flank;    // all joints
  double *flank;  // [n_flank × 3]
  // path gmp, else NULL: what may be expected to be wrong of each output, of its deflection, for
  // the motion excites what lies above the model's modes (above.c)
  double *above;  // [n_out]
  // likewise, for its steps are coarse (coarse.c); what both are parts of: largest deflection of
  // each output, m
  double *coarse, *deflection;  // [n_out]
  // path gmp: what the run did that the certificate promises nothing for, NULL: nothing
  const char *beyond;
  const char *missed;  // whose certificate is missed, "the reduced model", "component axis"; NULL
  int n_warning;
  const char **warning;  // [n_warning]  where the run's errors are larger than 1e-3
  bool kinked;           // a prescribed velocity jumps
  int n_note;
  const char **note;      // [n_note]  what is not as asked for, or does not hold here
  const char *method;     // of the integration
  const char *event;      // what ended the run early, NULL: nothing
  int unknowns;           // unknowns of a step, multipliers included
  int steps, iterations;  // totals
  int set_changes;        // how often the set of redundant rows changed (rigid)
  double step;            // s; of an adaptive method the mean
  double wall_s;          // wall time of the stepping alone, s
  double energy_drift;  // max |T + V − work − its start| / max(|T| + |V − V(0)|); NaN: kinked
  mw_arena mem;
} mw_run;

// Stored instants of a scenario, 0 when they are too many for a run.
int mw_run_instants(const mw_scenario *sc);
// Allocates the series for a scenario (store interval) and fills the names.
MW_MUST_USE mw_code mw_run_init(const mw_model *model, const mw_scenario *sc, const char *path,
                                int n_coord, mw_run *out, mw_error *err);
// Steps in an interval of T (s), each at most `step` (s), into *out; a note where they are shorter,
// which says what comes after each interval ("results are stored").
MW_MUST_USE mw_code mw_run_steps(mw_run *r, double T, const char *what, double step, int *out,
                                 mw_error *err);
// Allocates the series that only the rigid path has; it has no stress.
MW_MUST_USE mw_code mw_run_init_rigid(mw_run *r, mw_error *err);
// Adds a warning or a note to r; a failure of memory is kept in r->mem.
void mw_run_add_warning(mw_run *r, const char *format, ...) MW_PRINTF(2, 3);
void mw_run_add_note(mw_run *r, const char *format, ...) MW_PRINTF(2, 3);
// Adds to `beyond`.
void mw_run_add_beyond(mw_run *r, const char *format, ...) MW_PRINTF(2, 3);
// Notes coordinates that start elsewhere than in the reference configuration s0 [n_coord] though
// the scenario says nothing of where; from the first instant of r->s. size: of the machine, m.
void mw_run_note_start(mw_run *r, const mw_scenario *sc, const double *s0, double size);
// Notes components whose frames start elsewhere to each other than in the reference configuration,
// with bodies at p [n_body × 12]: coordinates inside that nobody outside sees follow. Of those made
// of reduced models the machine has all coordinates.
void mw_run_note_inside(mw_run *r, const mw_mech *m, const double *p);
// Warns of drives whose force was limited.
void mw_run_warn_limited(mw_run *r, const mw_control *c);
// The series and totals, into part [MW_RUN_PARTS]; their number.
enum { MW_RUN_PARTS = 24 };
int mw_run_parts(mw_run *r, mw_part *part);
void mw_run_finish(mw_run *r);  // energy_drift from the series
void mw_run_free(mw_run *r);
// von Mises stress or equivalent strain of gauge g at instant t, NaN where the path has none.
double mw_run_equivalent(const mw_run *r, int g, int t);

// Observed output o at instant t, [its width].
double *mw_run_seen(const mw_run *r, int o, int t);
// Marks the observed outputs of a kind as unknown to the path, with a note that names them and says
// why.
void mw_run_note_unseen(mw_run *r, mw_output_kind kind, const char *why);

// Joint coordinate c of a model in the order of its joints: joint index (-1: none), name, unit ("m"
// or "rad").
int mw_run_coord_joint(const mw_model *m, int c);
const char *mw_run_coord_name(const mw_model *m, int c);
const char *mw_run_coord_unit(const mw_model *m, int c);

// netCDF-4, built in memory, written under a temporary name and renamed; see DESIGN section 6.
MW_MUST_USE mw_code mw_run_write(const mw_run *r, const char *path, mw_error *err);

MW_API_END

#endif
