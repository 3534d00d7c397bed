// SPDX-License-Identifier: BSD-3-Clause
// fixture_matrices.h: what another program would write of our own bodies, for tests of foreign
// matrices.
#ifndef MW_FIXTURE_MATRICES_H
#define MW_FIXTURE_MATRICES_H

#include "fem/matrices.h"
#include "fixture_body.h"

#define FIXTURE_STEM "test_matrices.tmp"
#define FIXTURE_MESH FIXTURE_STEM ".msh"

enum { FIXTURE_MAX_ROW = 400 };

// K and M of n rows, row k being motion dir[k] (1 … 6) of node tag[k], SI; files in units of their
// own
typedef struct fixture_source {
  int n;
  const mw_csc *K, *M;
  int tag[FIXTURE_MAX_ROW], dir[FIXTURE_MAX_ROW];
  int n_node;
  const double *x;  // [n_node × 3]  m
  const int *node;  // [n_node]  numbers
  double scale;     // metres a unit of length of the files
} fixture_source;

typedef struct fixture_built {
  fixture_body f;
  mw_body body;
  mw_arena mem;
} fixture_built;

// format: of number and three coordinates; an .inp gets the sets NALL, rail (1 to 5) and ends
// (rail, 7)
bool fixture_write_nodes(const fixture_source *s, const char *path, const char *format);
// row k of the files is row order[k] of the source
bool fixture_write_dofs(const fixture_source *s, const char *path, const int *order);
// style: 's' .sti lines of the upper triangle, 'm' Matrix Market symmetric, 'g' general
bool fixture_write_entries(const fixture_source *s, const mw_csc *A, const char *path, char style,
                           const int *order);
// K as KAAX, M as MAAX; large: 16 columns a field, 10 digits; else free field, 17 digits
bool fixture_write_punch(const fixture_source *s, const char *path, bool large);
void fixture_identity(int *order);        // [FIXTURE_MAX_ROW]
void fixture_shuffle(int n, int *order);  // the same on every machine
void fixture_clean(void);                 // removes the files of FIXTURE_STEM

// The box of tetrahedra, free, and what it would be written as.
extern const double FIXTURE_X[3], FIXTURE_L[3];  // m, corner and sides
bool fixture_box_source(fixture_built *b, fixture_source *s);
bool fixture_build(fixture_built *b);  // body 0; false after a failed check
void fixture_foreign(fixture_built *b, mw_matrices_in *in, double scale);  // to be built
void fixture_free_built(fixture_built *b);

// largest difference over the largest entry of a
double fixture_difference(const double *a, const double *b, int n);
double fixture_csc_difference(const mw_csc *A, const mw_csc *B);
// Checks of all matrices and moments; tol: of the files, relative to the largest entry of each
// matrix
void fixture_same_body(const mw_body *a, const mw_body *b, double tol);
// Ten frequencies from `first` on, by dense eigenvalues
void fixture_same_frequencies(const mw_body *a, const mw_body *b, int first, double tol);

#endif
