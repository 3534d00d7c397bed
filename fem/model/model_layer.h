// SPDX-License-Identifier: BSD-3-Clause
// model_layer.h: the steps of reading a model file.
#ifndef MW_FEM_MODEL_LAYER_H
#define MW_FEM_MODEL_LAYER_H

#include "base/names_layer.h"
#include "fem/model.h"
#include "keys/shape_layer.h"

typedef struct mw_coord_name {
  const char *name;
  int joint;
} mw_coord_name;

typedef struct mw_reader {
  mw_model *m;
  mw_arena *mem;  // of the model
  mw_error *err;
  mw_name_table *names;  // of the model's arrays, lives as long as the reading
  mw_coord_name *coord;  // [n_coord]  coordinates of the joints that were read
  int n_coord;
  // [n_joint]  of the scenario that is read: one more than the index of its first action on the
  // joint, and of the first with a position; 0: none
  int *act_first, *act_guide;
  const char *dir;  // folder of the model file with its '/', "" for the current one
  // [n_file]  all files that assemblies may be read from, NULL: those on the disk
  const mw_model_text *file;
  int n_file;
  bool inside;  // the model is that of a component, whose ports others use
} mw_reader;

// Parameter `key` with the value e into *p. env: what it may be made of, free.
MW_MUST_USE mw_code mw_parameter_read(mw_reader *rd, const mw_ynode *key, mw_ynode *e,
                                      const mw_shape_env *env, mw_parameter *p);
// Axes of a body or an assembly, columns of E; x exactly along the user's x. axes NULL: those of
// ground.
MW_MUST_USE mw_code mw_frame_axes_read(const mw_reader *rd, const mw_ynode *axes, double E[9]);
// Puts the parts of all assemblies of a tree into its own maps, under their paths, and takes
// definitions and assemblies off it (assembly.c). scope: the model's parameters.
MW_MUST_USE mw_code mw_assemblies_expand(mw_reader *rd, mw_ynode *root, const mw_scope *scope,
                                         mw_arena *tree);
// Parameters, assemblies and shapes of a tree that was read: all before names are resolved.
MW_MUST_USE mw_code mw_read_tree(mw_reader *rd, mw_ynode *root, mw_arena *tree);

// The parameters of the model's tree, each of numbers and of those before it, into rd->m. tree: of
// the nodes.
MW_MUST_USE mw_code mw_read_parameters(mw_reader *rd, mw_ynode *root, mw_arena *tree);

// Sine of the angle below which two directions count as one.
#define MW_PARALLEL 1e-6

// Zeroed array of n objects, never NULL with MW_OK.
#define MW_NEW(rd, ptr, count)                                                                     \
  (((ptr) = mw_arena_alloc((rd)->mem, (size_t)(count), sizeof *(ptr)))                             \
       ? MW_OK                                                                                     \
       : mw_arena_check((rd)->mem, (rd)->err))
const char *mw_read_str(mw_reader *rd,
                        const char *text);  // copy; a failure shows in mw_arena_check

// Index of the name in the scalar `node` (mw_name_find); MW_ERR_INPUT "unknown <kind> …, did you
// mean …" when there is none.
MW_MUST_USE mw_code mw_name_read(const mw_reader *rd, const mw_ynode *node, const char *kind,
                                 const void *objects, int n, size_t size, int *out);
// "body.frame" or "body". The bare body is refused for elastic bodies.
MW_MUST_USE mw_code mw_ref_read(mw_reader *rd, const mw_ynode *node, mw_ref *out);

// Changes a tree that was read, before it is checked (model_edit.c); its new nodes come from tree.
MW_MUST_USE mw_code mw_model_edit_apply(mw_reader *rd, mw_ynode *root, const mw_model_edit *edit,
                                        mw_arena *tree);

// Fills in the digests of the model, from the checked tree in which the parameters that reduced
// models keep have their middle values, and of its scenarios, from that of the model.
MW_MUST_USE mw_code mw_model_hash(const mw_ynode *root, const mw_ynode *middle, mw_model *m,
                                  mw_error *err);

// What differs between two checked trees of the same text, where a reduced model is bound to it.
typedef struct mw_differ {
  const char *path[MW_YAML_DEPTH];  // [depth]  keys from the root on, "" of entries of lists
  int depth;
  // Called for each scalar that differs; false ends the search.
  bool (*found)(void *ctx, const char *const *path, int depth, const mw_ynode *a,
                const mw_ynode *b);
  void *ctx;
} mw_differ;
void mw_model_differ(const mw_ynode *a, const mw_ynode *b, mw_differ *d);

// model_kept.c: the parameters that reduced models keep. Trees of the same text with other values.
typedef struct mw_kept_text {
  const char *text;  // [n]  of the model file
  size_t n;
  const mw_model_edit *edit;  // NULL: none
  mw_arena *tree;             // of the nodes
} mw_kept_text;
// edit with parameters kept [n] set to value [n], NULL: to the middle of their ranges.
MW_MUST_USE mw_code mw_kept_edit(mw_model_edit *edit, int n, const mw_kept_in *kept,
                                 const double *value, mw_arena *mem, mw_error *err);
// Fills in reduction.kept of the model that was read from root; *middle: the checked tree in which
// they have their middle values, root where there are none.
MW_MUST_USE mw_code mw_kept_read(mw_reader *rd, const mw_ynode *root, const mw_kept_text *text,
                                 const mw_ynode **middle);

// Modal damping of the model: a ratio, or ratios over frequency.
MW_MUST_USE mw_code mw_read_modal(mw_reader *rd, const mw_ynode *modal);

// Steps of mw_model_read, in this order.
MW_MUST_USE mw_code mw_read_sections(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_bodies(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_joints(mw_reader *rd, const mw_ynode *root);  // and springs
// drive_friction and stops of the joint's entry e
MW_MUST_USE mw_code mw_law_read(const mw_reader *rd, const mw_ynode *e, mw_joint_in *j);
MW_MUST_USE mw_code mw_read_drives(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_forces(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_outputs(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_observed(mw_reader *rd, const mw_ynode *root);  // after the reduction
// Field of the name in node, which must be a position.
MW_MUST_USE mw_code mw_position_read(const mw_reader *rd, const mw_ynode *node, int *field);
// Is entry e of outputs seen in what others are made of? Reduced models are not bound to it.
bool mw_output_is_seen(const mw_ynode *e);
MW_MUST_USE mw_code mw_divide_bodies(mw_reader *rd);    // model_divide.c
MW_MUST_USE mw_code mw_components_read(mw_reader *rd);  // assembly_component.c
MW_MUST_USE mw_code mw_read_reduction(mw_reader *rd, const mw_ynode *root);
MW_MUST_USE mw_code mw_read_scenarios(mw_reader *rd, const mw_ynode *root);
// Units of a scenario's entry e behind its actions, for which there is room.
MW_MUST_USE mw_code mw_units_read(mw_reader *rd, const mw_ynode *e, mw_scenario *sc);
int mw_units_outputs(const mw_ynode *e);  // of all its units
// The cutting process of a scenario's entry, where it has one; memory of the reader.
MW_MUST_USE mw_code mw_cutting_read(mw_reader *rd, const mw_ynode *scenario, mw_scenario *sc);
MW_MUST_USE mw_code mw_model_check(mw_reader *rd);

// Solids, shells or foreign matrices (not beams): its sets are node sets.
static inline bool mw_meshed(const mw_body_in *b) { return b->mesh || b->cad || b->matrices; }
// v: the value of mesh, cad or matrices in the body's entry e
MW_MUST_USE mw_code mw_mesh_body_read(mw_reader *rd, const mw_ynode *e, const mw_ynode *v,
                                      mw_body_in *b);
// unit or scale of the body's entry e, of the file it is read from
MW_MUST_USE mw_code mw_unit_read(const mw_reader *rd, const mw_ynode *e, mw_body_in *b);
// A path in the model file, from the model's folder on.
const char *mw_read_path(mw_reader *rd, const mw_ynode *v);
MW_MUST_USE mw_code mw_bushings_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b);
MW_MUST_USE mw_code mw_guides_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b);
MW_MUST_USE mw_code mw_frames_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b);
MW_MUST_USE mw_code mw_signal_read(mw_reader *rd, const mw_ynode *node, mw_signal *out);
// Refuses a prescribed position (node: as of mw_signal_read) that jumps before `end` (s).
MW_MUST_USE mw_code mw_signal_check_jump(const mw_reader *rd, const mw_ynode *node,
                                         const mw_signal *g, const char *drive, double end);
// Refuses a signal with value or derivatives that are not finite at instants `step` apart up to
// `end` (s), or at most some thousand of them.
MW_MUST_USE mw_code mw_signal_check_finite(const mw_reader *rd, const mw_signal *g, double step,
                                           double end);
// Positive semidefinite and, unless unphysical, I1 + I2 >= I3 for the principal moments, to 1e-6 of
// the trace.
MW_MUST_USE mw_code mw_inertia_check(const mw_reader *rd, const double inertia[6], bool unphysical,
                                     mw_at at);

// Name of a joint's coordinate (a slide's own name where the user gave none), NULL without one.
const char *mw_joint_coord_name(const mw_joint_in *j);
// Joint whose coordinate has the name in node.
MW_MUST_USE mw_code mw_coord_read(const mw_reader *rd, const mw_ynode *node, int *joint);
// Axes of a joint; those of a joint of primitives with its rows, and whether its coordinate is
// free.
MW_MUST_USE mw_code mw_axes_read(mw_reader *rd, const mw_ynode *v, mw_joint_in *j);
MW_MUST_USE mw_code mw_hold_read(mw_reader *rd, const mw_ynode *v, mw_joint_in *j);
MW_MUST_USE mw_code mw_hold_check(const mw_reader *rd, const mw_ynode *e, const mw_joint_in *j);
// Length of a slide's guide where it follows from points, else 0; and the reach of its runners
// before and behind.
double mw_slide_length(const mw_model *m, const mw_joint_in *j, double *before, double *behind);

#endif
