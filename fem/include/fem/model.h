// SPDX-License-Identifier: BSD-3-Clause
// model.h: the user's model file as plain data, names resolved to indices, SI units, never changed.
#ifndef MW_FEM_MODEL_H
#define MW_FEM_MODEL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/component_abi.h"
#include "fem/model_body.h"
#include "fem/model_joint.h"
#include "fem/model_reduction.h"
#include "fem/model_scenario.h"
#include "fem/output_kinds.h"

MW_API_BEGIN

typedef struct mw_parameter {  // a value with a name, which the model file's numbers are made of
  const char *name;
  mw_at at;
  int n;                // entries of a list, 0: a number
  const double *value;  // [n], or one
} mw_parameter;

typedef struct mw_output_in {  // a field: what reduced models keep of the outputs
  const char *name;
  mw_at at;
  mw_output_kind kind;  // POSITION, STRESS, STRAIN
  bool part;            // point that an orientation is made of: no output by itself
  mw_ref ref;           // STRESS, STRAIN: its body
  // m, POSITION: further offset in body axes (rigid with the frame); else the point, body frame
  double x[3];
  double z;  // m, shells: height over the middle surface
} mw_output_in;

typedef struct mw_observed_in {  // an output that is seen in what a path knows at an instant
  const char *name;
  mw_at at;
  mw_output_kind kind;
  // what it is of: a field (a position; the first of the MW_ORIENTATION_POINTS of an orientation),
  // a joint, a drive, the joint of a coordinate
  int of;
} mw_observed_in;

// An orientation is kept as positions of a frame's point and of points `arm` (m) along x and along
// y from there.
enum { MW_ORIENTATION_POINTS = 3 };

typedef struct mw_source {  // a file that assemblies are read from
  const char *path;
  mw_at at;  // where it is first named
} mw_source;

typedef struct mw_port_in {   // a port of an assembly of the model itself, and what it stands for
  const char *path, *target;  // "left.hook", "left.bob.tip"
} mw_port_in;

// An assembly whose inside is not known (component_abi.h): its frames are bodies without mass.
typedef struct mw_component_use {
  const char *name;  // path of the assembly
  const char *file;  // shared object, or the source in its place
  mw_at at;          // where the model names it
  int body0;         // its first frame among the bodies
  mw_component_in in;
  mw_component_size size;
  const mw_component_body *body;  // [size.n_frame]
  const char *hash;               // of what it was made from
  const char **coordinate;        // [size.n_drive]  that its drives act on, names in the model
} mw_component_use;

typedef struct mw_model {
  const char *path, *name;  // path as the user gave it
  int n_source;
  const mw_source *source;  // [n_source]
  int n_port, n_component;
  mw_port_in *port;             // [n_port]
  mw_component_use *component;  // [n_component]
  // SHA-256, hexadecimal, over what the model file says but for name, scenarios, those that the
  // certificate runs, comments and layout, and over the files its bodies are read from; of the
  // parameters that reduced models keep with their middle values
  char hash[65];
  double gravity[3];   // m/s²
  double alpha, beta;  // Rayleigh damping of all elastic bodies, default 0
  // modal damping ratio, where it depends on frequency its largest and least values; 0: none
  double modal, modal_least;
  int n_modal;                // points over frequency, 0: it does not depend on it
  const double *modal_point;  // [n_modal × 3]  Hz, ratio, slope by Hz
  bool strain_linear;         // full path: no strains of second order (fem/strain.h)
  bool assemble;              // positions of the bodies are rough: joints close them
  mw_at assemble_at;
  int n_parameter, n_material, n_section, n_body, n_joint, n_drive, n_output, n_observed;
  int n_scenario, n_force;
  mw_parameter *parameter;
  mw_material *material;
  mw_section *section;
  mw_body_in *body;    // body 0 is always "ground": rigid, ground, massless, at the origin
  mw_joint_in *joint;  // springs are joints of kind SPRING
  mw_drive_in *drive;
  mw_output_in *output;
  mw_observed_in *observed;
  mw_force_in *force;
  mw_scenario *scenario;
  mw_reduction_in reduction;
  mw_arena mem;
} mw_model;

// Reads and validates a model file. Errors carry file:line:col. Released by mw_model_free.
MW_MUST_USE mw_code mw_model_read(const char *path, mw_model *out, mw_error *err);
// What changes a model as it is read. The reduced models of a changed machine are its own: the hash
// is that of the changed model, but for its scenarios.
typedef struct mw_model_edit {
  // file whose scenarios come in place of the model's of the same names, or beside them; NULL: none
  const char *scenarios;
  int n_set;
  // [n_set] "path=value": keys with dots between them, entries of lists by number from 0, then YAML
  const char *const *set;
} mw_model_edit;
// The bytes of a file as *text, to be freed by the caller; what: "model file", in messages.
MW_MUST_USE mw_code mw_model_bytes(const char *path, const char *what, char **text, size_t *n,
                                   mw_error *err);
typedef struct mw_model_text {  // a file that is in memory
  const char *path, *text;
  size_t n;
} mw_model_text;
// The same of a text of n bytes that is called path and holds the model of a component, whose ports
// others use; files [n_file] are all that its assemblies may be read from, NULL: those on the disk.
MW_MUST_USE mw_code mw_model_read_text(const char *path, const char *text, size_t n,
                                       const mw_model_text *file, int n_file, mw_model *out,
                                       mw_error *err);
// The same with changes; edit may be NULL.
MW_MUST_USE mw_code mw_model_read_edited(const char *path, const mw_model_edit *edit, mw_model *out,
                                         mw_error *err);
// The model as its reduced model is made: parameters that this keeps are in the middle of their
// ranges.
MW_MUST_USE mw_code mw_model_read_middle(const char *path, const mw_model_edit *edit, mw_model *out,
                                         mw_error *err);
// *out: m, borrowed, with springs, runners and dampers as kept parameters [n_kept] make them, in
// memory of mem; m has those of the middle.
MW_MUST_USE mw_code mw_model_rows_at(const mw_model *m, const double *to, mw_arena *mem,
                                     mw_model *out, mw_error *err);
// Calls fn for each file that the bodies are read from, in their order: meshes with what they
// include, CAD files, matrices and their tables; what: "mesh", .. ; at: where the model names it.
typedef mw_code mw_model_file_fn(void *ctx, const char *path, const char *what, mw_at at,
                                 mw_error *err);
MW_MUST_USE mw_code mw_model_files(const mw_model *m, mw_model_file_fn *fn, void *ctx,
                                   mw_error *err);
// The same for the files that assemblies are read from: their text counts as the model file's does.
MW_MUST_USE mw_code mw_model_sources(const mw_model *m, mw_model_file_fn *fn, void *ctx,
                                     mw_error *err);
double mw_model_modal(const mw_model *m, double omega);  // ratio of modes of omega, rad/s
// The parameters as one text, "payload = 3, tip = [0, 0, 0.5]", "" without any; NULL: no memory.
const char *mw_model_parameter_text(const mw_model *m, mw_arena *mem);
void mw_model_free(mw_model *m);  // leaves {0}
// The component that has the rows of a joint inside, whose coordinate alone is seen; NULL: none.
const mw_component_use *mw_model_component_inside(const mw_model *m, int joint);
// The component that a body is a frame of, NULL: none.
const mw_component_use *mw_model_component_of(const mw_model *m, int body);

// How far the runners of a slide, if any, reach before and behind its coordinate, with half of
// their contact lengths; on pads, which end at their face, without them. m
void mw_slide_reach(const mw_joint_in *j, bool pad, double *before, double *behind);

bool mw_joint_in_turns(const mw_joint_in *j);     // is its coordinate an angle?
const char *mw_joint_unit(const mw_joint_in *j);  // of its coordinate: "m" or "rad"

// Writes the JSON Schema of model files to f (generated from the table of keys the reader uses).
void mw_model_print_schema(FILE *f);
// A readable reference of all keys (name, type, unit, default, meaning), for --help.
void mw_model_print_keys(FILE *f);
void mw_model_print_keys_json(FILE *f);  // the same as one JSON object

MW_API_END

#endif
