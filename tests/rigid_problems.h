// SPDX-License-Identifier: BSD-3-Clause
// rigid_problems.h: the rigid reference problems: which model, which scenario, which table, how
// close.
#ifndef MW_TESTS_RIGID_PROBLEMS_H
#define MW_TESTS_RIGID_PROBLEMS_H

#include "fixture.h"
#include "sim/rigidrun.h"

enum { MW_PROBLEM_MAX_COLUMN = 24 };

typedef enum mw_quantity_kind {
  MW_Q_COORD,    // joint coordinate, m or rad
  MW_Q_RATE,     // its rate
  MW_Q_OUTPUT,   // component `axis` of an output's position, m
  MW_Q_REACTION  // component `axis` of a joint's reaction on its body b, N; 6: size of the force
} mw_quantity_kind;

typedef struct mw_quantity {  // a column of the table and what it is in a run
  const char *column;
  mw_quantity_kind kind;
  const char *name;  // of the coordinate, output or joint
  int axis;
} mw_quantity;

typedef struct mw_problem {
  const char *name;
  const char *file;  // in cases/, or NULL: example of size n
  const char *example;
  int n;
  const char *scenario;
  const char *table;  // in tests/references/, or NULL: law
  // One degree of freedom: y = (x, x'), dy = (x', x''); table columns: x, x' and those of `points`.
  void (*law)(int n, const double y[2], double dy[2]);
  double start[2];                       // of the law
  mw_quantity q[MW_PROBLEM_MAX_COLUMN];  // ends with column NULL
  double tol_q, tol_v,
      tol_force;            // m or rad; of the largest rate and of the largest force in the table
  int mobility, redundant;  // in the reference configuration
  bool conservative;
  bool stiff;  // explicit methods would need far shorter steps
} mw_problem;

// Problem k = 0, 1, …; NULL behind the last.
const mw_problem *mw_problem_at(int k);
const mw_problem *mw_problem_find(const char *name);

// Its mechanism; false after printing what went wrong.
bool mw_problem_open(const mw_problem *p, mw_fixture *out);
const mw_scenario *mw_problem_scenario(const mw_problem *p, const mw_fixture *f);

typedef struct mw_table {
  int n_row, n_col;
  const char **column;  // [n_col]
  double *x;            // [n_row × n_col], column 0 is t
  mw_arena mem;
} mw_table;
// The reference series; from a law at the stored instants of the scenario.
bool mw_problem_table(const mw_problem *p, const mw_scenario *sc, mw_table *out);
void mw_table_free(mw_table *t);

typedef struct mw_deviation {
  double q;      // largest of coordinates and points, m or rad
  double v;      // of rates, over the largest of the table's column
  double force;  // of reactions, over the largest force of the table
  int instants;  // compared; those of the table the run does not hold are not
} mw_deviation;
// Run against table up to t_end; INFINITY where the run has no such quantity or holds no instant of
// the table.
mw_deviation mw_problem_compare(const mw_problem *p, const mw_table *t, const mw_run *r,
                                double t_end);

#endif
