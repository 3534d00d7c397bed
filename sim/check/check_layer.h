// SPDX-License-Identifier: BSD-3-Clause
// check_layer.h: what modeway check finds out about bodies and the mechanism, and how it tells it.
#ifndef MW_SIM_CHECK_LAYER_H
#define MW_SIM_CHECK_LAYER_H

#include <stdbool.h>
#include <stdio.h>

#include "fem/mech.h"
#include "fem/rigid_structure.h"
#include "run/stability_layer.h"

typedef enum mw_reference {
  MW_REFERENCE_NONE,
  MW_REFERENCE_CAD,      // the CAD kernel's integrals times the density of the body's one material,
                         // beside the body without the point masses of its frames
  MW_REFERENCE_EXPECTED  // the user's word (key expected)
} mw_reference;

// Motions of one body that cost no energy, by its own lowest modes (free, or held by its supports)
// and an inertia count that proves none is missing.
typedef struct mw_zero_modes {
  bool done;
  int expected, found;  // 6 free, 0 on the ground
  double lowest_hz;     // lowest elastic frequency, NaN: none found
  double condition;     // of that frequency: its lost digits, (3) of check_zero.c
  // where the first superfluous motion is largest: node number in the file (beams: index), -1: none
  int node;
  double x[3];  // m, body frame
} mw_zero_modes;

enum { MW_CHECK_SKEW = 5 };

typedef struct mw_body_report {
  double rigid_residual;   // largest relative force of K in a rigid motion
  double com[3];           // m, body frame
  double inertia[6];       // kg·m² about com: xx yy zz xy xz yz
  mw_reference reference;  // what it is compared with
  double d_mass, d_com,
      d_inertia;  // relative: mass, com over the body's size, inertia over its trace; NaN unknown
  int n_elem[MW_ELEM_KINDS], n_beam,
      n_loose_node;              // elements by kind, beams, nodes without elements
  double quality, quality_x[3];  // of the worst element (quality_layer.h), its middle, m
  int quality_elem;              // its number in the file, -1: no solid or shell
  // 8-node hexahedra that bend too stiffly: how many, the first ones' numbers
  int n_skew, skew[MW_CHECK_SKEW];
  double size, section;  // m: of the body (its nodes' box), the tallest section of its beams
  int n_coincident,
      coincident[2];  // nodes in one place that move apart: how many, numbers of the first two
  mw_zero_modes zero;
} mw_body_report;

enum { MW_CHECK_UNKNOWNS = 200000 };  // zero modes of larger bodies only when asked for

// Examines body b of a built model. deep: zero modes whatever its size. MW_ERR_NUMERIC: cannot be
// decided.
MW_MUST_USE mw_code mw_body_examine(const mw_mech *m, int b, bool deep, mw_body_report *out,
                                    mw_error *err);
// What is wrong with a body, MW_OK when nothing is: zero modes missing or too many, loose mass
// against the reference.
MW_MUST_USE mw_code mw_body_judge(const mw_body *b, const mw_body_report *r, mw_error *err);
// Warning k = 0, 1, … as a sentence in text [n]; false: there are no more.
bool mw_body_warning(const mw_body *b, const mw_body_report *r, int k, char *text, size_t n);

// check_zero.c; not done: could not be decided
MW_MUST_USE mw_code mw_body_zero_modes(const mw_body *body, double rigid_residual,
                                       mw_zero_modes *out, mw_error *err);

// check_ripple.c: how much of what the machine yields under unit loads ripples from node to node of
// the beams under the runners of a slide
typedef struct mw_ripple {
  double share;      // largest ripple over the compliance; 0: no coordinate on beams, or not known
  double s;          // m, the coordinate there
  double element;    // m, mean length of the guide's elements
  double need;       // m, length that the reduction's tolerance asks for; 0: they are fine
  const char *load;  // under which unit load
} mw_ripple;
// ripple [n_joint]; all zero without coordinates of a reduction. whole: at the ends of the others'
// ranges, too, not in their middle alone.
MW_MUST_USE mw_code mw_ripples(const mw_mech *m, bool whole, mw_arena *mem, mw_ripple **out,
                               mw_error *err);
// As a sentence in text [n]; false: elements are fine.
bool mw_ripple_warning(const mw_mech *m, int joint, const mw_ripple *r, char *text, size_t n);

// The whole mechanism.
typedef struct mw_check {
  double mass;
  int mobility;
  int *redundant;        // [n_joint]
  mw_body_report *body;  // [n_body]
  double *p,
      *s;  // [n_body × 12], [n_coord]  where all is: assembled, or the reference configuration
  double moved, turned;  // m, rad: largest correction of the assembly
  mw_stability *loop;    // [n_scenario]  what is said of the controllers of a scenario
  mw_ripple *ripple;     // [n_joint]
  const mw_rigid_structure *structure;  // NULL: not asked for
  char unjudged[512];                   // why ripples are not known; "": they are
} mw_check;
MW_MUST_USE mw_code mw_check_run(const mw_mech *m, bool deep, mw_arena *mem, mw_check *out,
                                 mw_error *err);

// Whether the machine's gravity looks like one in mm/s², as a sentence in text [n]
bool mw_gravity_warning(const mw_model *model, char *text, size_t n);

// check_guide.c: whether the mesh under a slide's runners or pads is too coarse, as a sentence in
// text [n]; ripple: of that slide, NULL: not known
bool mw_joint_warning(const mw_mech *m, int joint, const mw_ripple *ripple, char *text, size_t n);
// Note k = 0, 1, .. on a slide: a slider off its guide, a couple that is left out. false: there is
// none.
bool mw_slide_note(const mw_mech *m, int joint, int k, char *text, size_t n);
bool mw_slide_couple_lost(const mw_mech *m, int joint, char *text, size_t n);

// check_structure.c: blocks and fill of the elimination of the rigid mechanism, memory from mem; as
// SVG
MW_MUST_USE mw_code mw_check_structure(const mw_mech *m, mw_arena *mem, mw_rigid_structure *out,
                                       mw_error *err);
MW_MUST_USE mw_code mw_check_structure_write(const mw_mech *m, const mw_rigid_structure *o,
                                             const char *path, mw_error *err);

// check_print.c
void mw_check_print_text(const mw_mech *m, const mw_check *r);
void mw_check_print_json(const mw_mech *m, const mw_check *r);

#endif
