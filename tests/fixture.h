// SPDX-License-Identifier: BSD-3-Clause
// fixture.h: a mechanism from the text of a model file, for tests and benchmarks.
#ifndef MW_TESTS_FIXTURE_H
#define MW_TESTS_FIXTURE_H

#include <stdbool.h>

#include "fem/mech.h"

typedef struct mw_fixture {
  mw_model model;
  mw_body *body;  // [model.n_body]
  mw_mech mech;
  mw_arena mem;
} mw_fixture;

// Reads a model from its text (written to a temporary file) or from a path; false after printing
// what went wrong.
bool mw_fixture_text(const char *text, mw_fixture *out);
bool mw_fixture_file(const char *path, mw_fixture *out);
void mw_fixture_free(mw_fixture *f);
// Rows of n numbers of a table of references (two lines of head), at most `most` of them, into x
// [most × n]; returns how many.
int mw_fixture_table(const char *path, int n, int most, double *x);
// Is rc MW_OK; prints the error to stderr if not.
bool mw_fixture_okay(mw_code rc, const mw_error *err);

// A beam of n elements, EI = rho A = L = 1, Euler-Bernoulli, in the x-z plane (everything else is
// far stiffer), on the ground: "SS" simply supported or "CF" clamped at x = 0; a point mass `mass`
// slides on it (coordinate x from 0 to 1, drive motor). Outputs: mid (mid-span), tip (x = 1) and
// cart. n_grid points; count modes; extra: more YAML lines at the end.
bool mw_fixture_beam(const char *kind, int n_elem, double mass, double gravity, int n_grid,
                     int count, const char *extra, mw_fixture *out);

// A cart on a rigid ground rail on three elastic runners (coordinate x, drive motor), on it an
// elastic beam, on its end a revolute joint about an oblique axis (coordinate phi, drive swing) and
// an elastic arm with a mass at its tip (output tool). extra: more YAML lines at the end.
// Certificates of both take 24 random samples unless extra names their number (samples).
bool mw_fixture_machine(const char *extra, mw_fixture *out);

#endif
