// SPDX-License-Identifier: BSD-3-Clause
// fixture_part.h: bodies of every kind of element, of a few elements each, free or held.
#ifndef MW_TEST_FIXTURE_PART_H
#define MW_TEST_FIXTURE_PART_H

#include "fem/element.h"
#include "fixture_body.h"

typedef struct fixture_part {
  fixture_body f;
  mw_node_set_in set[4];
  mw_tie_in tie;
  mw_part_in mesh_part;
  mw_arena mem;
  mw_body b;
} fixture_part;

// The file that meshes are written to; the suite removes it.
const char *fixture_part_mesh(void);
void fixture_part_init(fixture_part *t, bool ground);
void fixture_part_free(fixture_part *t);
// The nodes with x from lo to hi, m
void fixture_part_set(fixture_part *t, const char *name, double lo, double hi);
bool fixture_part_build(fixture_part *t);
// A column along x from 0 to L, built in at 0, a rigid plate at L
void fixture_part_hold_ends(fixture_part *t, double L);

// n[0] × n[1] × n[2] solids over l, m; warp moves nodes (NULL: none). ground: built in as a column
bool fixture_part_box(fixture_part *t, mw_elem_kind kind, const int n[3], const double l[3],
                      bool ground, void (*warp)(double *));
// n[0] × n[1] facets over l, m, z of a node by fold (x, y)
bool fixture_part_plate(fixture_part *t, mw_elem_kind kind, const int n[2], const double l[2],
                        double thick, bool ground, double fold);
// Members in three directions that meet in a point
bool fixture_part_frame(fixture_part *t);
// A beam of n elements along x, built in at 0 or free; frames at the ends
bool fixture_part_beam(fixture_part *t, int n, double L, bool ground);
// Body k of a list of all kinds: solids, two plates, beams; from FIXTURE_PATCHED on held bodies
// with a rigid patch, a plate and one with a tie. The others are free.
enum { FIXTURE_SOLIDS = 6 };
enum { FIXTURE_PATCHED = FIXTURE_SOLIDS + 3, FIXTURE_BODIES = FIXTURE_PATCHED + 2 };
bool fixture_part_any(fixture_part *t, int k);

// [n_u]  random entries of ± size
double *fixture_part_vector(fixture_part *t, unsigned seed, double size);
// f [n_u] := f_int − K u; the energy beyond ½ uᵀKu
double fixture_part_force(fixture_part *t, const double *u, double *f);

#endif
