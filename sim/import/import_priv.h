// SPDX-License-Identifier: BSD-3-Clause
// import_priv.h: what readers of foreign files fill in, whatever the format,
// and what it becomes.
#ifndef MW_SIM_IMPORT_PRIV_H
#define MW_SIM_IMPORT_PRIV_H

#include <stdio.h>

#include "import_layer.h"

typedef struct import_place {  // of a frame: x_out = x + R x_in
  double x[3];                 // m
  double R[9];                 // row-major, columns are its axes
} import_place;

typedef struct import_mass {
  double m, com[3];   // kg, m
  double inertia[6];  // kg·m² about the centre of mass: xx yy zz xy xz yz
                      // (tensor components)
} import_mass;

typedef struct import_frame {
  const char *name;
  int body;
  double x[3];  // m, body axes
} import_frame;

typedef struct import_body {
  const char *name, *comment;  // comment NULL: none
  mw_at at;
  bool ground;
  import_place place;  // in ground axes
  import_mass mass;    // in the body's frame
} import_body;

typedef struct import_joint {
  const char *name;
  const char *kind;               // key of the model file: revolute, prismatic, ...
  int a, b;                       // bodies
  const char *frame_a, *frame_b;  // of the bodies, NULL: their own
  double axis[3];                 // in a's body; of planar: the normal
  double axis_b[3];               // universal: second axis, in b's body
  const char *hold;               // primitives: rows, NULL of others
  double across[3];               // primitives: x
  bool coordinate;                // it has one, with a drive of its name
  bool limited;
  double lo, hi;             // m or rad
  double damping, friction;  // N s/m or N m s/rad; N or N m
  double stiffness,
      free;  // N/m or N m/rad, of a spring that is free there: m or rad
} import_joint;

typedef struct import_model {
  const char *path, *name,
      *head;          // head: comment lines at the top, each with its newline
  double gravity[3];  // m/s²
  int n_body, n_joint, n_frame, n_note;
  int room_body, room_joint, room_frame, room_note;
  import_body *body;    // [n_body]
  import_joint *joint;  // [n_joint]
  import_frame *frame;  // [n_frame]
  mw_import_note *note;
  const char *tail;  // proposals as comments, NULL: none
  int n_proposed;
  mw_arena *mem;
} import_model;

// import.c: what grows; a failure to allocate shows in mw_arena_check.
import_body *import_add_body(import_model *m, const char *name, mw_at at);
import_joint *import_add_joint(import_model *m, const char *name);
void import_add_frame(import_model *m, int body, const char *name, const double x[3]);
// The frame of body at point x (m, its axes): its name, NULL where it is the
// body's own.
const char *import_point(import_model *m, int body, const char *name, const double x[3], mw_at at);
void import_note(import_model *m, mw_at at, const char *fmt, ...) MW_PRINTF(3, 4);
// A name as model files have them, made of text, unlike all others of its kind
// in the model; a name that is not text is noted.
//   kind  'b' body, 'j' joint, 'f' frame of body
const char *import_name(import_model *m, char kind, int body, const char *text, mw_at at);

// ---- places and masses (import_mass.c)
// ----------------------------------------------------------

extern const import_place import_here;  // no shift, no turn
import_place import_chain(const import_place *a,
                          const import_place *b);  // a ∘ b
void import_turn(const double axis[3], double angle,
                 double R[9]);                           // about a unit vector
void import_quaternion(const double q[4], double R[9]);  // w x y z, any length
// The mass, given in frame `at`, seen from the frame that `at` is given in.
import_mass import_moved(const import_mass *p, const import_place *at);
// Two masses of one frame as one: Steiner's theorem.
import_mass import_sum(const import_mass *a, const import_mass *b);
// MW_ERR_INPUT at `at`: negative mass, a tensor that is not positive
// semidefinite. unphysical: a moment exceeds the sum of the two others.
MW_MUST_USE mw_code import_mass_check(const import_mass *p, const char *what, mw_at at,
                                      bool *unphysical, mw_error *err);

// ---- formats
// ------------------------------------------------------------------------------------

struct xml_node;
// Readers fill in a model that is empty but for path and mem.
MW_MUST_USE mw_code import_urdf(const struct xml_node *root, const mw_import_opt *opt,
                                import_model *m, mw_error *err);
MW_MUST_USE mw_code import_mjcf(struct xml_node *root, import_model *m, mw_error *err);
MW_MUST_USE mw_code import_cad(const mw_import_opt *opt, import_model *m, mw_error *err);

// import_write.c: the model file. NULL: no memory.
const char *import_text(const import_model *m);

#endif
