// SPDX-License-Identifier: BSD-3-Clause
// motion.h: what the groups of bench_motion share: models, runs, small vibrations about a steady
// motion, judged rows.
#ifndef MW_TESTS_BENCH_MOTION_H
#define MW_TESTS_BENCH_MOTION_H

#include <stdbool.h>

#include "fixture.h"
#include "reduction/romfile.h"
#include "sim/run.h"

// ---- rows ---------------------------------------------------------------------------------------

// Prints a row: what, the figure, its limit, "met" or "missed"; a figure that is not a number
// misses. Counts the missed ones.
void motion_row(int *missed, double got, double limit, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A figure that nothing judges.
void motion_note(double got, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- models -------------------------------------------------------------------------------------

typedef struct motion {
  mw_fixture f;
  mw_rom_file rom;  // empty before motion_reduce
} motion;

typedef struct motion_swap {
  const char *from, *to;
} motion_swap;

// A model of cases/ with pieces of its text replaced (each must occur; the list ends with NULL,
// swap may be NULL), or a model's own text. False after a message. motion_close in either case.
bool motion_case(const char *name, const motion_swap *swap, motion *out);
bool motion_text(motion *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Machines of motion_arms.c; scenarios: more of them, lines of YAML. A SCARA; a carriage whose
// centre of mass is 0.4 m above its four bearings of 2e4 N/m, on an arm that turns.
bool motion_scara_model(motion *m, const char *scenarios);
bool motion_soft_model(motion *m, const char *scenarios);
void motion_close(motion *m);
bool motion_reduce(motion *m);

// Scenario of a name, which may be changed; NULL after a message.
mw_scenario *motion_scenario(motion *m, const char *name);
// A run by the path "full", "body", "rigid" or "gmp" at the scenario's step. out is freed by
// mw_run_free.
bool motion_run(motion *m, const mw_scenario *sc, const char *path, mw_run *out);

// A scenario by two paths: largest distance between their positions over the largest elastic
// deflection of the second (from where its coordinates put the undeformed mechanism); NAN where a
// run fails. peak (m) may be NULL.
double motion_difference(motion *m, const char *scenario, const char *path, const char *reference,
                         double *peak);

// Input of the reduced model by its drive's name; 0 after a message where there is none.
int motion_input(const motion *m, const char *drive);

// ---- references ---------------------------------------------------------------------------------

enum { MOTION_ROWS = 700, MOTION_COLS = 16 };
typedef struct motion_table {
  int n, cols;
  double v[MOTION_ROWS][MOTION_COLS];
} motion_table;
// A table of tests/references, all columns in their order.
bool motion_read(const char *file, motion_table *out);

// ---- small vibrations ---------------------------------------------------------------------------

// Circular frequencies (rad/s, ascending, at most max) of the reduced model about its steady motion
// at theta with rates thd [s] held and inputs u [n_u] (NULL: none); returns their number, 0 after a
// message. Frequencies of pairs ±iω, real roots left out.
int motion_vibrations(const mw_rom_file *f, const double *theta, const double *thd, const double *u,
                      int max, double *omega);

// Fits y_i (n instants, step h) by a constant and n_f vibrations Σ a cos ωt + b sin ωt: omega [n_f]
// starts as a guess and ends as the fit (variable projection, Gauss-Newton). Returns the rms of the
// rest over the rms of y, NAN where it fails.
double motion_fit(int n, double h, const double *y, int n_f, double *omega);

// ---- groups -------------------------------------------------------------------------------------

// Each prints its rows; false when something could not be computed at all.
bool motion_spin_up(int *missed);
bool motion_rotating(int *missed);
bool motion_rotor(int *missed);
bool motion_column(int *missed);
bool motion_axial(int *missed);
bool motion_boom(int *missed);
bool motion_damping(int *missed);
bool motion_sprung(int *missed);
bool motion_arms(int *missed);
bool motion_soft(int *missed);
bool motion_loops(int *missed);
bool motion_crank(int *missed);
bool motion_flexcell(int *missed);
bool motion_cost(int *missed);

#endif
