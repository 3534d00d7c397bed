// SPDX-License-Identifier: BSD-3-Clause
// fixture_body.h: small models for the tests of bodies: a steel, a section, one body to be filled
// in.
#ifndef MW_FIXTURE_BODY_H
#define MW_FIXTURE_BODY_H

#include "fem/body.h"

enum { FIXTURE_MAX = 8 };

// A model of one body, all arrays inside; borrow its address only after the fixture has its place.
typedef struct fixture_body {
  mw_model model;
  mw_material material;
  mw_section section;
  mw_body_in body;
  mw_point point[FIXTURE_MAX];
  mw_member member[FIXTURE_MAX];
  mw_attach attach[FIXTURE_MAX];
  mw_guide_in guide[FIXTURE_MAX];
  mw_support support[FIXTURE_MAX];
} fixture_body;

// Steel, a 40 × 60 mm section with shear; a free body without points or members.
void fixture_init(fixture_body *f);
int fixture_point(fixture_body *f, const char *name, double x, double y, double z);
void fixture_member(fixture_body *f, int from, int to, int n_elem);
mw_attach *fixture_attach(fixture_body *f, const char *name, mw_attach_kind kind, const char *set);
void fixture_support(fixture_body *f, const char *set);
mw_guide_in *fixture_guide(fixture_body *f, const char *name, int from, int to);

// Writes a box of nx × ny × nz bricks of six 10-node tetrahedra each as text .msh: corner at x0
// [3], sides l [3] (m). Physical groups: "body" (dimension 3), faces "x0", "x1" (dimension 2), the
// edge along x at y = z = 0 "edge" and the opposite one "far_edge" (dimension 1). Returns 0 on
// success. rotate [9]: row-major, NULL none.
int fixture_box(const char *path, const int n[3], const double x0[3], const double l[3],
                const double *rotate);

// D [n_row × n_col] row-major := A, both triangles
void fixture_dense(const mw_csc *A, double *D);
// uniform in [-1, 1), the same on every machine
double fixture_random(unsigned *seed);

#endif
