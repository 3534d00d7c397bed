// SPDX-License-Identifier: BSD-3-Clause
// comparemotion_priv.h: how the machine moves in each run of a comparison, for its page.
#ifndef MW_SIM_COMPAREMOTION_PRIV_H
#define MW_SIM_COMPAREMOTION_PRIV_H

#include "compare/compare_layer.h"
#include "reduction/drawn.h"

// Displacements of the drawn nodes over time, as shapes with an amplitude an instant: column 0
// those of the reference run from the undeformed mechanism at its coordinates, the others what runs
// differ from it by.
typedef struct mw_page_motion {
  mw_drawn drawn;  // its grid is the time, [0, end] s; n_point 0: nothing moves or was kept
  int n_column, reference;
  int column[MW_COMPARE_MAX_PATH];   // of a path; -1: it is not drawn
  double end;                        // s
  double size[MW_COMPARE_MAX_PATH];  // of a column: its amplitudes are kept over it
  // m, of a path over all instants: largest displacement of a node or rigid body, and difference of
  // it from the reference
  double largest[MW_COMPARE_MAX_PATH], off[MW_COMPARE_MAX_PATH];
  double *p, *s;    // [n_point × 12 n_body], [n_coord]  undeformed frames; coordinates at first
  const char *why;  // what is not drawn or not exactly, and why; NULL: all is
  mw_arena mem;     // to be freed by mw_arena_free
} mw_page_motion;
MW_MUST_USE mw_code mw_page_motion_build(const mw_comparison *q, mw_page_motion *out,
                                         mw_error *err);

// ---- drawnstate.c: a state of a reduced model at the drawn nodes --------------------------------

// Adds to eta [drawn.n] the amplitudes of all shapes for a state x: coordinates, then amplitudes.
void mw_drawn_amplitudes(const mw_rom_file *rom, const double *x, double *eta);
// Turns the frames p [n_body × 12] of rigid bodies by theirs.
void mw_drawn_turn(const mw_drawn *d, const double *eta, double *p);
// Displacements y [n_node[b] × 3] of the drawn nodes of an elastic body, m, body axes.
void mw_drawn_bend(const mw_drawn *d, const double *eta, int b, double *y);

#endif
